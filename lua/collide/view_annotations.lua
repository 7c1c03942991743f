---@meta collide.view
-- LuaCATS annotations of canvases, and of the scenarios that draw on them. `require "collide.view"` draws with OpenGL, off-screen or in a window; it exists only if its libraries
-- were present when it was built (make view). `require "collide.svg"` writes SVG files and has no dependencies.
--
-- A canvas is a table of plain functions. It is a target for World:draw; scripts draw on it between begin and finish. Positions are in
-- world coordinates [length]: two numbers, or three after setCamera3. Text is UTF-8; OpenGL canvases have Latin, Greek and Cyrillic
-- letters and show others as empty boxes. A colour is a name of the palette (a collide.Meaning, or "background", "grid", "scale",
-- "label", "panel", "drag"), "#rrggbb" or "#rrggbbaa". Numbers must be finite; an invalid value raises an error that names the function and the
-- argument. Reading a function that a canvas does not have raises, with the word to use.

---@alias collide.Color string

---@class collide.CanvasOptions
---@field width integer 1 to 8192 [pixels]
---@field height integer 1 to 8192 [pixels]
---@field palette? table<string, string> name -> "#rrggbb" or "#rrggbbaa", with a "background": light or dark of `require "collide.palette"`, or your own; required, but in SVG, where it is light by default
---@field title? string of a window

---@class collide.Canvas
local Canvas = {}

---Clears the picture with the palette's "background". Drawing is allowed from here to finish.
---Raises when the previous picture is not finished, or the driver is lost.
---Example: `canvas.begin()`
function Canvas.begin() end

---Completes the picture; a window shows it.
---Raises without a begin.
---Example: `canvas.finish()`
function Canvas.finish() end

---Writes the finished picture: a PNG, or an SVG from an SVG canvas, whatever the file name's extension.
---@param path string
---Raises before finish, and when it cannot be written.
---Example: `canvas.save "world.png"`
function Canvas.save(path) end

---Frees the canvas; every function but close raises from then on. The garbage collector frees unreferenced canvases.
---Example: `canvas.close()`
function Canvas.close() end

---@return integer width [pixels]
---@return integer height [pixels]
---Example: `local width, height = canvas.getSize()`
function Canvas.getSize() end

---@param string string any UTF-8; "\n" starts a new line
---@return number width [pixels]
---@return number height [pixels]
---Example: `local width = canvas.getTextSize "coins 7"`
function Canvas.getTextSize(string) end

---Sets a 2D camera.
---@param x number the point in the middle of the picture [length]
---@param y number
---@param scale number [pixels/length]
---@param up? number 1: y points up in the picture, -1: down; default 1
---Raises when the scale is not above 0, and when up is neither 1 nor -1.
---Example: `canvas.setCamera(0, 5, 40)`
function Canvas.setCamera(x, y, scale, up) end

---Sets the colours used from now on; names that are not in the palette keep theirs.
---@param palette table<string, string>
---Raises on an invalid colour, and then changes nothing.
---Example: `canvas.setPalette(require("collide.palette").dark)`
function Canvas.setPalette(palette) end

---Filled, with an outline. In 3D: a flat face, visible from both sides; its radius is ignored.
---@param color collide.Color
---@param radius number the polygon is widened by this, 0 for sharp corners [length]
---@param ... number x1, y1, x2, y2, ...: 3 to 64 points, convex, in order
---Raises on fewer or more points.
---Example: `canvas.solidPolygon("awake", 0, -1, 0, 1, 0, 0, 2)`
function Canvas.solidPolygon(color, radius, ...) end

---The outline only.
---@param color collide.Color
---@param radius number [length]
---@param ... number see solidPolygon
---Raises on fewer or more points.
---Example: `canvas.polygon("box", 0, -1, 0, 1, 0, 0, 2)`
function Canvas.polygon(color, radius, ...) end

---Filled, without an outline: pieces that overlap slightly look like one area.
---@param color collide.Color
---@param radius number [length]
---@param ... number see solidPolygon
---Raises on fewer or more points.
---Example: `canvas.fillPolygon("#28352e", 0, -1, 0, 1, 0, 0, 2)`
function Canvas.fillPolygon(color, radius, ...) end

---Filled, with an outline, and a line from the centre to the rim. In 3D: a ball, (color, x, y, z, radius, qx, qy, qz, qw), on which
---two great circles show the rotation if the quaternion is given.
---@param color collide.Color
---@param x number [length]
---@param y number
---@param radius number [length]
---@param angle? number of the line; without it there is none [rad]
---Raises when the radius is below 0.
---Example: `canvas.solidCircle("#f5b82e", 3, 1, 0.5)`
function Canvas.solidCircle(color, x, y, radius, angle) end

---The outline and the line only. In 3D: a ring that faces the eye.
---@param color collide.Color
---@param x number [length]
---@param y number
---@param radius number [length]
---@param angle? number [rad]
---Raises when the radius is below 0.
---Example: `canvas.circle("sensor", 3, 1, 0.5)`
function Canvas.circle(color, x, y, radius, angle) end

---Filled, with an outline: all points within the radius of the segment. In 3D: two points of three numbers.
---@param color collide.Color
---@param x1 number [length]
---@param y1 number
---@param x2 number
---@param y2 number
---@param radius number [length]
---Raises when the radius is below 0.
---Example: `canvas.solidCapsule("awake", -1, 0, 1, 0, 0.2)`
function Canvas.solidCapsule(color, x1, y1, x2, y2, radius) end

---The outline only.
---@param color collide.Color
---@param x1 number [length]
---@param y1 number
---@param x2 number
---@param y2 number
---@param radius number [length]
---Raises when the radius is below 0.
---Example: `canvas.capsule("sensor", -1, 0, 1, 0, 0.2)`
function Canvas.capsule(color, x1, y1, x2, y2, radius) end

---@param color collide.Color
---@param x1 number [length]
---@param y1 number
---@param x2 number
---@param y2 number
---Raises on an unknown colour.
---Example: `canvas.segment("velocity", x, y, x + vx, y + vy)`
function Canvas.segment(color, x1, y1, x2, y2) end

---A dot of the same size at every distance.
---@param color collide.Color
---@param x number [length]
---@param y number
---@param size number its diameter [pixels]
---Raises on an unknown colour.
---Example: `canvas.point("contact", x, y, 5)`
function Canvas.point(color, x, y, size) end

---Text to the right of a world point.
---@param color collide.Color
---@param x number [length]
---@param y number
---@param string string any UTF-8
---Raises on an unknown colour.
---Example: `canvas.text("name", x, y, "crate")`
function Canvas.text(color, x, y, string) end

---Text at a position in the picture.
---@param color collide.Color
---@param px number of its upper left corner, from that of the picture [pixels]
---@param py number downwards [pixels]
---@param string string any UTF-8; "\n" starts a new line
---Raises on an unknown colour.
---Example: `canvas.label("label", 20, 20, "coins 7\nfalls 0")`
function Canvas.label(color, px, py, string) end

---A filled rectangle at a position in the picture.
---@param color collide.Color
---@param px number of its upper left corner [pixels]
---@param py number [pixels]
---@param width number [pixels]
---@param height number [pixels]
---Raises on an unknown colour.
---Example: `canvas.panel("panel", 10, 10, 200, 60)`
function Canvas.panel(color, px, py, width, height) end

---The additional functions of OpenGL canvases.
---@class collide.OpenGLCanvas : collide.Canvas
local OpenGLCanvas = {}

---Sets a 3D camera: from now on, until setCamera, points have three numbers. Solid shapes cast shadows straight down, against `up`, within one and a half times
---the height of the picture around the target. Faces cast them if their points are counter-clockwise from outside. If a picture has several 3D cameras, its
---shadows are those of the last.
---@param eyeX number [length]
---@param eyeY number
---@param eyeZ number
---@param targetX number the point in the middle of the picture
---@param targetY number
---@param targetZ number
---@param upX number direction that points roughly up in the picture; any direction is used if it is 0 or along the view
---@param upY number
---@param upZ number
---@param fov number vertical field of view, up to 3 [rad]; 0: parallel projection
---@param height? number of the picture, in parallel projection [length]
---Raises when the eye is at the target.
---Example: `canvas.setCamera3(8, 6, 12, 0, 1, 0, 0, 1, 0, 0.8)`
function OpenGLCanvas.setCamera3(eyeX, eyeY, eyeZ, targetX, targetY, targetZ, upX, upY, upZ, fov, height) end

---@return string pixels of the finished picture: 3 bytes each, red, green, blue, row by row from the upper left corner
---Raises before finish.
---Example: `pipe:write(canvas.pixels())`
function OpenGLCanvas.pixels() end

---@param px integer from 0 at the left [pixels]
---@param py integer from 0 at the top [pixels]
---@return integer red 0 to 255
---@return integer green
---@return integer blue
---Raises before finish, and outside of the picture.
---Example: `local red, green, blue = canvas.pixel(100, 50)`
function OpenGLCanvas.pixel(px, py) end

---A canvas in a window. The window redraws only when the script does so: begin, draw, finish.
---@class collide.Window : collide.OpenGLCanvas
local Window = {}

---Takes the next pending event: nil when there is none, else its kind and its values. "quit"; "key", name, down,
---repeated; "mouse", "pressed" or "released" or "moved", px, py, button ("left", "middle", "right"; nil when moved); "wheel", px, py,
---clicks (above 0: away from the user); "pad", control, value, player (see collide.Scenario); "resized", width, height.
---@return "quit"|"key"|"mouse"|"wheel"|"pad"|"resized"|nil kind
---@return any ...
---Example: `local kind, a, b, c, d = window.poll()`
function Window.poll() end

---@param title string
---Raises when it is not a string.
---Example: `window.setTitle "marble"`
function Window.setTitle(title) end

---@class collide.view
local view = {}

---Creates an off-screen canvas. It needs no window, no display and no graphics card.
---@param options collide.CanvasOptions
---@return collide.OpenGLCanvas
---Raises when there is no driver for OpenGL 3.3, and on invalid options.
---Example: `local canvas = view.newCanvas { width = 640, height = 360, palette = require("collide.palette").light }`
function view.newCanvas(options) end

---Opens a window.
---@param options collide.CanvasOptions
---@return collide.Window
---Raises "no display ..." when there is none, and on invalid options.
---Example: `local window = view.newWindow { width = 1280, height = 720, title = "collide", palette = palette.dark }`
function view.newWindow(options) end

-- LÖVE and LÖVR --------------------------------------------------------------------------------------------------------------

---@class collide.LoveDrawOptions : collide.DrawOptions
---@field x? number the world point in the middle of the picture; x, y and scale go together [length]
---@field y? number
---@field scale? number of a camera; without one, the current transformation of love.graphics is that of the world [pixels/length]
---@field up? number of the camera, 1: y points up in the picture, -1: down; default 1
---@field palette? table<string, string> colours of the meanings, default dark of `require "collide.palette"`

---`require "collide.draw.love"`, within LÖVE 11 or later: a draw target of 2D worlds for debugging. All its functions draw in the current transformation of
---love.graphics; lines are 1.5 pixels wide in any, and fills half transparent. Colours are meanings, "#rrggbb" or "#rrggbbaa". Outside of `draw` they leave
---love.graphics with the colour and line width that they have set.
---@class collide.draw.love : collide.DrawTarget
local LoveTarget = {}

---Draws the world, in love.draw, over what is there: within the game's own transformation, or with a camera. Draws only what is in the picture, makes no
---garbage, and leaves the state of love.graphics as it was.
---@param world collide.World
---@param options? collide.LoveDrawOptions
---Raises on 3D worlds, on unknown keys and invalid values, and when the palette lacks a colour.
---Example: `require("collide.draw.love").draw(world, { x = 0, y = 5, scale = 40, contacts = true })`
function LoveTarget.draw(world, options) end

---@class collide.LovrDrawOptions : collide.d3.DrawOptions
---@field palette? table<string, string> colours of the meanings, default dark of `require "collide.palette"`

---`require "collide.draw.lovr"`, within LÖVR 0.18 or later: a draw target of 3D worlds for debugging. All its functions draw on one pass, in its current
---transformation. Colours are meanings, "#rrggbb" or "#rrggbbaa". Points and text have the size that they have in pictures of 1000 pixels a radian, as seen
---from the pass's first view.
---@class collide.draw.lovr : collide.d3.DrawTarget
local LovrTarget = {}

---Draws the world, in lovr.draw: the shapes, then the overlays, which are seen through shapes. Makes no garbage, and leaves the state of the pass as it was. A
---pass holds 65,536 draws, and a face is two: after 60,000 the rest of the world is left out. The option `view` chooses what is drawn.
---@param world collide.d3.World
---@param pass table LÖVR's Pass
---@param options? collide.LovrDrawOptions
---Raises on 2D worlds, on passes of an older LÖVR, on unknown keys and invalid values, and when the palette lacks a colour.
---Example: `function lovr.draw(pass) require("collide.draw.lovr").draw(world, pass, { contacts = true }) end`
function LovrTarget.draw(world, pass, options) end

---Sets the pass that the other functions draw on, as `draw` does; and counts its draws anew.
---@param pass table LÖVR's Pass
---Raises when it is not a Pass of LÖVR 0.18 or later.
---Example: `target.setPass(pass); world:draw(target)`
function LovrTarget.setPass(pass) end

-- Scenarios ------------------------------------------------------------------------------------------------------------------

---The table that a script of the host returns: `---@type collide.Scenario` above its `local` gives editors the types of its functions.
---@class collide.Scenario
---@field setup? fun(arguments: string[], options: { substeps: integer?, workers: integer? }): collide.World|collide.d3.World required; the options are those of the command line, which the host applies to the world afterwards
---@field name? string default: the script's path
---@field duration? number of a run, default 10 [s]
---@field timestep? number of a step, default 1 / 60; set by the host before setup if the command line has --hz [s]
---@field update? fun(world: collide.World|collide.d3.World, tick: integer) before each step, from tick 1 on
---@field check? fun(world: collide.World|collide.d3.World) after the run; raises if it went wrong
---@field measure? fun(world: collide.World|collide.d3.World): table<string, number> numbers for --bench, by name
---@field camera? collide.Camera|fun(world: collide.World|collide.d3.World, canvas: collide.Canvas): collide.Camera? a function is called before each picture
---@field theme? "light"|"dark" default "light"
---@field draw? fun(canvas: collide.Canvas, world: collide.World|collide.d3.World) draws over the world
---@field key? fun(name: string, down: boolean): boolean? SDL's name of the key, in lower case; true: the key is the scenario's own until it is released. Escape always closes the window, and is not passed
---@field pad? fun(control: string, value: number, player: integer) a gamepad's control has changed: SDL's name, as "a", "dpleft", "start", "leftx", "lefty" or "righttrigger"; 0 or 1 of buttons, -1 to 1 of sticks, with y upwards, 0 to 1 of triggers; players are counted from 1. A gamepad that is unplugged releases its controls
---@field mouse? fun(kind: "pressed"|"released"|"moved", x: number, y: number, button: "left"|"middle"|"right"|nil): boolean? in the world; true: the event is the scenario's own. In 3D mouse(kind, x1, y1, z1, x2, y2, z2, button): the ray from the eye through the pointer, as world:raycast takes it
---@field brief? { duration: number?, args: string[]? } a shorter form of the scenario, for tests

---The camera of a scenario. Fields that are left out fit the scene: the bodies that can move, the ground below them, and the static scene around them, up to 3
---times as large as all that can move or 30 times as large as the smallest dynamic body; floors and landscapes that extend beyond count up to 2 and 12 times.
---Up on the picture is against gravity in 3D; in 2D it is y, or -y if gravity points along y.
---In first person the point is one unit before the eye (x, y, z), which looks along (sin a cos b, sin b, cos a cos b): `distance = 1, yaw = a + math.pi, pitch = -b`,
---as in scripts/castle.lua. The color "#00000000" hides the body around the eye.
---Example: `scenario.camera = { x = 0, y = 2, z = 0, distance = 20, yaw = 0.6, pitch = 0.35 }`
---@class collide.Camera
---@field x? number the point in the middle of the picture [length]
---@field y? number
---@field z? number in 3D
---@field height? number of the picture, in 2D [length]
---@field distance? number from the eye to the point in the middle, in 3D [length]
---@field yaw? number direction from the point in the middle to the eye, about the axis against gravity, in 3D: if that is y, 0 is along z and pi / 2 along x; default 0.6 [rad]
---@field pitch? number of that direction above the horizontal, in 3D: pi / 2 looks straight down. From -pi / 2 to pi / 2, default 0.35 [rad]
---@field fov? number vertical field of view, in 3D, up to 3, default 0.8; 0: parallel projection [rad]

return view
