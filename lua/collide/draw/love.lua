-- A draw target for LÖVE 11 and later: pictures of a 2D world for debugging. In love.draw, after the game's own drawing, either within its transformation, or
-- with a camera:
--   require("collide.draw.love").draw(world)
--   require("collide.draw.love").draw(world, { x = 0, y = 5, scale = 40, contacts = true })
-- Outlines have the colours of their meanings, fills are half transparent. LÖVE does the transformations: any of them will do, turned or with y downwards.

local error, pcall, select, tostring, type = error, pcall, select, tostring, type
local abs, acos, atan2, ceil, cos, huge, max, min, pi, sin, sqrt =
	math.abs, math.acos, math.atan2 or math.atan, math.ceil, math.cos, math.huge, math.max, math.min, math.pi, math.sin, math.sqrt
local palettes, shared = require "collide.palette", require "collide.draw.shared"

local graphics = love and love.graphics
if not graphics then error("collide.draw.love: there is no love.graphics; it needs LÖVE, with its graphics module", 0) end
local setColor, setLineWidth, draw_polygon, draw_circle, draw_line, transformPoint, inverseTransformPoint =
	graphics.setColor, graphics.setLineWidth, graphics.polygon, graphics.circle, graphics.line, graphics.transformPoint, graphics.inverseTransformPoint

---@type collide.draw.love
local target = {}

local fill_opacity = 0.5
local error_limit, least, most = 0.1, 8, 1024 -- circles are polygons that deviate by so many pixels, of so many points

local colors = shared.colors_of(palettes.dark)
local unit -- the length of a pixel while `draw` runs, else nil: functions measure it

-- In the current transformation; one that stretches has a mean.
local function measure()
	local x, y = transformPoint(0, 0)
	local ux, uy = transformPoint(1, 0)
	local vx, vy = transformPoint(0, 1)
	return 1 / sqrt(abs((ux - x) * (vy - y) - (uy - y) * (vx - x)))
end

local function pixel()
	if unit then return unit end
	local length = measure()
	setLineWidth(shared.outline_width * length)
	return length
end

local function use(color, opacity)
	local channels = colors[color]
	setColor(channels[1], channels[2], channels[3], channels[4] * (opacity or 1))
end

-- The number of points of a full circle.
local function points_of(radius, length)
	return min(max(ceil(pi / acos(1 - error_limit / max(radius / length, 2 * error_limit))), least), most)
end

local ring, ring_count = {}, 0 -- the outline of a widened polygon: x1, y1, ...; kept, so that it makes no garbage

local function ring_add(count, x, y)
	ring[count + 1], ring[count + 2] = x, y
	return count + 2
end

local corners = {}

-- Sets the ring to the polygon of the first numbers in `corners`, counter-clockwise, widened: an arc about each corner, from the normal of the edge before it
-- to that of the edge after it. Two points are a capsule.
local function widen(count, radius, length)
	local step, added = 2 * pi / points_of(radius, length), 0
	for i = 1, count, 2 do
		local h, j = i == 1 and count - 1 or i - 2, i == count - 1 and 1 or i + 2
		local x, y = corners[i], corners[i + 1]
		local before = atan2(y - corners[h + 1], x - corners[h])
		local turn = (atan2(corners[j + 1] - y, corners[j] - x) - before) % (2 * pi)
		if turn > pi + 1e-6 then turn = 0 end -- rounding, where edges are in line
		local steps = max(1, ceil(turn / step))
		for k = 0, steps do
			local angle = before - pi / 2 + turn * k / steps
			added = ring_add(added, x + radius * cos(angle), y + radius * sin(angle))
		end
	end
	for i = added + 1, ring_count do ring[i] = nil end
	ring_count = added
end

local function polygon(solid, color, radius, ...)
	local length = pixel()
	if radius > 0 then
		local count = select("#", ...)
		for i = 1, count do corners[i] = select(i, ...) end
		widen(count, radius, length)
		if solid then
			use(color, fill_opacity)
			draw_polygon("fill", ring)
		end
		use(color)
		draw_polygon("line", ring)
	else
		if solid then
			use(color, fill_opacity)
			draw_polygon("fill", ...)
		end
		use(color)
		draw_polygon("line", ...)
	end
end

local function circle(solid, color, x, y, radius, angle)
	local points = points_of(radius, pixel())
	if solid then
		use(color, fill_opacity)
		draw_circle("fill", x, y, radius, points)
	end
	use(color)
	draw_circle("line", x, y, radius, points)
	if angle then draw_line(x, y, x + radius * cos(angle), y + radius * sin(angle)) end
end

local function capsule(solid, color, x1, y1, x2, y2, radius)
	if x1 == x2 and y1 == y2 then return circle(solid, color, x1, y1, radius) end
	polygon(solid, color, radius, x1, y1, x2, y2)
end

function target.solidPolygon(color, radius, ...) polygon(true, color, radius, ...) end
function target.polygon(color, radius, ...) polygon(false, color, radius, ...) end
function target.solidCircle(color, x, y, radius, angle) circle(true, color, x, y, radius, angle) end
function target.circle(color, x, y, radius, angle) circle(false, color, x, y, radius, angle) end
function target.solidCapsule(color, x1, y1, x2, y2, radius) capsule(true, color, x1, y1, x2, y2, radius) end
function target.capsule(color, x1, y1, x2, y2, radius) capsule(false, color, x1, y1, x2, y2, radius) end

function target.segment(color, x1, y1, x2, y2)
	pixel()
	use(color)
	draw_line(x1, y1, x2, y2)
end

function target.point(color, x, y, size)
	local radius = size / 2 * pixel()
	use(color)
	draw_circle("fill", x, y, radius, 12)
end

-- Upright and in pixels, in the current font.
function target.text(color, x, y, text)
	use(color)
	local px, py = transformPoint(x, y)
	graphics.push()
	graphics.origin()
	graphics.print(shared.text(text), ceil(px) + 4, ceil(py - graphics.getFont():getHeight() / 2)) -- beside the point
	graphics.pop()
end

local function get_size()
	local canvas = graphics.getCanvas()
	if type(canvas) == "userdata" then return canvas:getDimensions() end
	return graphics.getDimensions()
end

local own = { x = true, y = true, scale = true, up = true, palette = true }

local function check_number(name, value)
	if type(value) ~= "number" or not (abs(value) < huge) then
		error(("draw: %s must be a finite number, got %s (a camera is x, y and scale)"):format(name, tostring(value)), 0)
	end
end

-- Whether the options have a camera; raises if it is not whole.
local function check_camera(options)
	local x, y, scale, up = options.x, options.y, options.scale, options.up
	if x == nil and y == nil and scale == nil and up == nil then return false end
	check_number("x", x)
	check_number("y", y)
	check_number("scale", scale)
	if scale <= 0 then error("draw: scale must be above 0, got " .. tostring(scale), 0) end
	if up ~= nil and up ~= 1 and up ~= -1 then error("draw: up must be 1 or -1, got " .. tostring(up), 0) end
	return true
end

local none, passed, view = {}, {}, {}

-- The AABB of the picture in the world.
local function find_view(width, height)
	local ax, ay = inverseTransformPoint(0, 0)
	local bx, by = inverseTransformPoint(width, 0)
	local cx, cy = inverseTransformPoint(0, height)
	local dx, dy = inverseTransformPoint(width, height)
	view[1], view[2], view[3], view[4] = min(ax, bx, cx, dx), min(ay, by, cy, dy), max(ax, bx, cx, dx), max(ay, by, cy, dy)
end

local function draw(world, options)
	shared.check_world(world, 2)
	options = shared.check_options(options) or none
	shared.check_keys(options, own)
	local camera = check_camera(options)
	colors = shared.colors_of(options.palette or palettes.dark)
	shared.split(options, own, passed)
	local width, height = get_size()
	if camera then
		graphics.origin()
		graphics.translate(width / 2, height / 2)
		graphics.scale(options.scale, -(options.up or 1) * options.scale)
		graphics.translate(-options.x, -options.y)
	end
	unit = measure()
	if not (unit > 0 and unit < huge) then return end -- all of the world is in one point, or on a line
	if not passed.view then
		find_view(width, height)
		passed.view = view
	end
	graphics.setShader()
	graphics.setBlendMode "alpha"
	graphics.setLineStyle "smooth"
	graphics.setLineJoin "bevel"
	setLineWidth(shared.outline_width * unit)
	local ok, message = pcall(world.draw, world, target, passed)
	if not ok then error(message, 0) end
end

function target.draw(world, options)
	graphics.push "all"
	local ok, message = pcall(draw, world, options)
	graphics.pop()
	unit = nil
	if not ok then error(message, 2) end
end

return shared.guardNames(target, "collide.draw.love")
