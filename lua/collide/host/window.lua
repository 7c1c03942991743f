-- A window on a scenario: it runs in real time, and the user can control it. An error of the script is shown and does not end the window: the simulation
-- stops until a restart, or until the file changes (--watch).

local collectgarbage, io, math, os, table = collectgarbage, io, math, os, table
local error, ipairs, pairs, pcall, require, select, setmetatable, tostring, type, unpack =
	error, ipairs, pairs, pcall, require, select, setmetatable, tostring, type, unpack or table.unpack
local collide_camera, drag, palette, picture =
	require "collide.host.camera", require "collide.host.drag", require "collide.palette", require "collide.host.picture"
local run = require "collide.host.scenario"

local default_size = { 1280, 720 } -- [pixels]
local catch_up = 1 / 4 -- of real time, at most, in one turn [s]
local patience = 1 / 20 -- after this time of steps in one turn a picture is drawn [s]
local shortest_turn = 1 / 250 -- no screen is faster: a shorter turn has not waited for the screen [s]
local normal_turn = 1 / 60 -- [s]
local read_out_interval, watch_interval, note_duration, welcome_duration = 1 / 4, 1 / 4, 3, 8 -- [s]
local memory = 0.5 -- smoothing time of the step times [s]
local wheel_zoom = 1.15 -- factor per click
local orbit_rate = 0.008 -- [rad/pixel]
local slowest, fastest = 1 / 16, 4 -- times real time
local space = 10 -- around the text of a panel [pixels]
local least_room = 640 * 480 -- the smallest window that shows the whole read-out [pixels]

local toggles = { "shapes", "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields" }

local Window = {}
Window.__index = Window

---------------------------------------------------------------------------------------------------------------------------------
-- Errors

-- Calls the scenario's function of this name, if it has one. Raises if it has destroyed the world.
local function call_function(self, name, ...)
	local f = run.functionOf(self.scenario, name)
	if not f then return nil end
	local result = f(...)
	run.checkWorld(self.world)
	return result
end

-- The window stays open; the script's functions are not called again until a restart.
function Window:fail(problem)
	self.problem = tostring(problem)
	self.complain("%s", problem)
	self.hand, self.mode = nil, nil
	self.problem_text = nil -- its panel is rebuilt
	self.dirty = true
	-- A world that the script has destroyed can no longer be drawn.
	local world = self.world
	if type(world) == "userdata" and not world:isValid() then self.world = nil end
end

-- Calls a function of the script's, or one that calls it. Returns its result; nil if it failed, or if one has failed before.
function Window:try(f, ...)
	if not f or self.problem then return nil end
	local fine, result = self.guard(f, ...)
	if fine then return result end
	if not self.native.interrupted() then self:fail(result) end
end

-- Calls the scenario's function of this name, if it has one, as `try`.
function Window:call(name, ...)
	return self:try(call_function, self, name, ...)
end

function Window:note(text, duration)
	self.note_text, self.note_until = text, self.native.clock() + (duration or note_duration)
end

---------------------------------------------------------------------------------------------------------------------------------
-- The scenario

-- Sets the scenario up. If that fails, the previous world stays visible. Returns whether it succeeded.
function Window:setUp(scenario)
	self.problem = nil
	math.randomseed(0)
	local world = self:try(run.setUp, scenario, self.options)
	if not world then return false end
	self.scenario, self.world, self.tick, self.lag = scenario, world, 0, 0
	self.hand, self.mode = nil, nil
	self.timestep = scenario.timestep or run.timestep
	-- The fields that a picture needs when the script's functions must not be called.
	self.silent = { name = scenario.name }
	self.name = scenario.name or self.options.script or "scenario"
	self.profile, self.smooth = {}, {}
	self.read_out_due = 0
	if not self.theme then
		self.theme = self.options.theme or scenario.theme or "light"
		self.canvas.setPalette(palette[self.theme] or palette.light)
	end
	if not self.cam or self.cam.dimensions ~= select("#", world:getGravity()) then
		self.cam = self:try(picture.newCamera, self.canvas, world, scenario, self.options)
		if not self.cam then
			local width, height = self.canvas.getSize()
			self.cam = collide_camera.new(world, nil, width, height)
		end
	end
	self:setTitle()
	return not self.problem
end

function Window:restart()
	local held = self.world
	self:setUp(self.scenario)
	if held ~= self.world then collectgarbage() end
end

-- With --watch: reloads the script if its file has changed.
function Window:watch(now)
	if now < self.watch_due then return end
	self.watch_due = now + watch_interval
	local modified = self.native.modified(self.options.script)
	if not modified or modified == self.modified then return end
	self.modified = modified
	local scenario, problem = self.reload()
	if self.native.interrupted() then return end
	if not scenario then
		self:fail(problem)
	elseif self:setUp(scenario) then
		self:note "read again"
		collectgarbage()
	end
	self.dirty = true
end

-- One step of the world.
local function advance(self)
	local tick, h = self.tick + 1, self.timestep
	call_function(self, "update", self.world, tick)
	if self.hand and not self.hand:pull(h) then self.hand, self.mode = nil, nil end
	self.world:step(h)
	self.tick = tick
end

function Window:step()
	self:try(advance, self)
	if self.problem then return end
	local profile, smooth = self.world:getProfile(self.profile), self.smooth
	local share = math.min(1, self.timestep / self.speed / memory)
	for name, value in pairs(profile) do
		smooth[name] = (smooth[name] or value) + share * (value - (smooth[name] or value))
	end
end

-- Makes the steps that are due in real time, but drops those that would delay the picture too long.
function Window:catchUp(now)
	local elapsed = math.min(now - self.last, catch_up)
	self.last = now
	if self.paused or self.problem or self:isOver() then
		self.lag = 0
		return
	end
	self.lag = self.lag + elapsed * self.speed
	local clock = self.native.clock
	while self.lag >= self.timestep and not self.problem and not self:isOver() do
		self:step()
		self.dirty = true
		self.lag = self.lag - self.timestep
		if self.native.interrupted() then return end
		if clock() - now > patience then self.lag = math.min(self.lag, self.timestep) * 0.5 end
	end
end

-- Only --seconds and --steps end a window; the scenario's own duration does not.
function Window:isOver()
	local options = self.options
	if options.steps then return self.tick >= options.steps end
	return options.seconds and (self.tick + 0.5) * self.timestep > options.seconds
end

---------------------------------------------------------------------------------------------------------------------------------
-- Keys

function Window:setTitle()
	self.canvas.setTitle(self.name .. (self.paused and " (paused)" or ""))
end

function Window:pause(paused)
	self.paused, self.read_out_due = paused, 0
	self:setTitle()
end

function Window:stepOnce()
	self:pause(true)
	self:step()
end

function Window:setSpeed(factor)
	self.speed = math.max(slowest, math.min(fastest, self.speed * factor))
end

-- A camera that follows (a function of the scenario's) is released when the user moves it, and leads again after "f".
function Window:fit()
	self.picture_options.free = false
	if type(self.scenario.camera) == "function" then return end
	pcall(self.cam.fit, self.cam, self.world, self.canvas.getSize())
end

function Window:nextTheme()
	self.theme = self.theme == "dark" and "light" or "dark"
	self.canvas.setPalette(palette[self.theme])
end

function Window:toggleGrid()
	self.picture_options.grid = not self.picture_options.grid
end

-- Saves the picture under the first free number.
function Window:savePicture()
	local number, file = 0
	repeat
		number = number + 1
		file = io.open(("collide-%d.png"):format(number))
		if file then file:close() end
	until not file
	local path = ("collide-%d.png"):format(number)
	local fine, problem = pcall(self.canvas.save, path)
	if not fine then os.remove(path) end -- of a full disk
	self:note(fine and "saved " .. path or tostring(problem))
end

function Window:quit()
	self.done = true
end

-- Keys by their names, the text of the help, and their actions. `repeats`: also while held.
local keys = {
	{ { "space", "pause" }, "space", "pause, and go on", function(self) self:pause(not self.paused) end },
	{ { ".", "right" }, ". or right", "one step", Window.stepOnce, repeats = true },
	{ { "r" }, "r", "restart", Window.restart },
	{ { "-", "keypad -" }, "-", "slower, to 1/16", function(self) self:setSpeed(1 / 2) end },
	{ { "=", "+", "keypad +" }, "=", "faster, to 4 times", function(self) self:setSpeed(2) end },
	{ { "f" }, "f", "fit the camera, or let it follow", Window.fit },
	{ { "t" }, "t", "theme: light or dark", Window.nextTheme },
	{ { "g" }, "g", "grid", Window.toggleGrid },
	{ { "i" }, "i", "read-out", function(self) self.read_out_shown = not self.read_out_shown end },
	{ { "p" }, "p", "save a picture: collide-N.png", function(self) self.picture_wanted = true end },
	{ { "f1", "h" }, "F1 or h", "this help", function(self) self.help_shown = not self.help_shown end },
	{ { "escape", "q" }, "esc or q", "quit", Window.quit },
}

local actions, help_keys, help_lines = {}, {}, {}
for _, key in ipairs(keys) do
	for _, name in ipairs(key[1]) do actions[name] = key end
	help_keys[#help_keys + 1], help_lines[#help_lines + 1] = key[2], key[3]
end
for i, name in ipairs(toggles) do
	actions[tostring(i % 10)] = { nil, nil, nil, function(self)
		local draw = self.picture_options.draw
		draw[name] = not draw[name]
		self:note(("%s: %s"):format(name, draw[name] and "on" or "off"))
	end }
end
for _, row in ipairs {
	{ "", "" },
	{ "1 2 3", "shapes, boxes, tree" }, { "4 5 6", "contacts, joints, islands" }, { "7 8 9 0", "centers, velocities, names, fields" },
	{ "", "" },
	{ "left", "drag a body; else pan, in 3D orbit" }, { "right", "pan; so does the middle button" }, { "wheel", "zoom" },
} do
	help_keys[#help_keys + 1], help_lines[#help_lines + 1] = row[1], row[2]
end
local help_left, help_right = table.concat(help_keys, "\n"), table.concat(help_lines, "\n")

-- The script has the first say, but not about escape. A key that it has taken is its own until the release: its repetitions run no action.
function Window:key(name, down, repeated)
	if name == "escape" then return self:quit() end
	if not repeated then self.taken[name] = self:call("key", name, down) == true and down or nil end
	local action = down and not self.taken[name] and actions[name]
	if action and (action.repeats or not repeated) then action[4](self) end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Mouse

function Window:tellMouse(kind, px, py, button)
	if not self.scenario.mouse then return false end
	local seen = { self.cam:getSight(px, py, self.canvas.getSize()) }
	seen[#seen + 1] = button
	return self:call("mouse", kind, unpack(seen)) == true
end

-- The action of the mouse while a button is down: it drags a body, pans, or orbits.
function Window:press(px, py, button)
	local cam, flat = self.cam, self.cam.dimensions == 2
	self.mode = button == "left" and not flat and "orbit" or "pan"
	if button == "left" and not self.problem then
		local width, height = self.canvas.getSize()
		if flat then
			local x, y = cam:toWorld(px, py, width, height)
			self.hand = self:try(drag.grab, self.world, x, y, cam.height / height)
		else
			self.hand = self:try(drag.grabSeen, self.world, cam, px, py, width, height)
		end
		if self.hand then self.mode = "drag" end
	end
	self.button, self.px, self.py = button, px, py
end

function Window:move(px, py)
	local dx, dy = px - (self.px or px), py - (self.py or py)
	self.px, self.py = px, py
	if self.mode == "pan" then
		self.picture_options.free = true
		self.cam:pan(dx, dy, self.canvas.getSize())
	elseif self.mode == "orbit" then
		self.picture_options.free = true
		self.cam:orbit(-dx * orbit_rate, dy * orbit_rate)
	end
end

function Window:mouse(kind, px, py, button)
	-- A release always ends the action, also if the script takes the event.
	if kind == "released" and button == self.button then self.hand, self.mode, self.button = nil, nil, nil end
	if self:tellMouse(kind, px, py, button) then return end
	if kind == "moved" then
		self:move(px, py)
	elseif kind == "pressed" and not self.mode then
		self:press(px, py, button)
	end
end

function Window:wheel(px, py, clicks)
	self.picture_options.free = true
	local width, height = self.canvas.getSize()
	self.cam:zoom(wheel_zoom ^ clicks, px, py, width, height)
end

function Window:handle(kind, a, b, c, d)
	if kind == "quit" then
		self.done = true
	elseif kind == "key" then
		self:key(a, b, c)
	elseif kind == "mouse" then
		self:mouse(a, b, c, d)
	elseif kind == "wheel" then
		self:wheel(a, b, c)
	elseif kind == "pad" then
		self:call("pad", a, b, c)
	end
	-- A pointer that only moves, without a button, changes nothing.
	if kind ~= "mouse" or a ~= "moved" or self.mode or self.scenario.mouse then self.dirty = true end
end

function Window:handleAll()
	local poll = self.canvas.poll
	local function next_event(kind, ...)
		if not kind then return false end
		self:handle(kind, ...)
		return not self.done and not self.native.interrupted()
	end
	while next_event(poll()) do end
	-- A held body follows the pointer's world position, which changes with the camera, too. In 3D it keeps its distance along the view.
	local hand, cam = self.hand, self.cam
	if hand then
		local width, height = self.canvas.getSize()
		local depth = cam.dimensions == 3 and cam:depthOf(hand.x, hand.y, hand.z) or nil
		hand:moveTo(cam:toWorld(self.px, self.py, width, height, depth))
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Panels

-- Text in columns of widths, in pixels from the left, on a panel whose upper left (or, with `right`, upper right) corner is given.
local function draw_panel(canvas, px, py, right, ...)
	local columns, widths, height, width = { ... }, {}, 0, 0
	for i, text in ipairs(columns) do
		local w, h = canvas.getTextSize(text)
		widths[i], height = w, math.max(height, h)
		width = width + w + (i > 1 and 2 * space or 0)
	end
	if right then px = px - width - 2 * space end
	canvas.panel("panel", px, py, width + 2 * space, height + 2 * space)
	for i, text in ipairs(columns) do
		canvas.label("label", px + space, py + space, text)
		px = px + widths[i] + 2 * space
	end
	return height + 2 * space
end

-- The names and values of the read-out, each as one text. Updated a few times a second.
function Window:setReadOut(now)
	if now < self.read_out_due then return end
	local since = now - (self.read_out_at or now)
	self.read_out_at, self.read_out_due = now, now + read_out_interval
	if since > 0 then self.fps = self.frames / since end
	self.frames = 0

	local world, names, values = self.world, {}, {}
	local width, height = self.canvas.getSize()
	local roomy = width * height >= least_room
	local function add(name, format, ...)
		names[#names + 1], values[#values + 1] = name, ("%-24s"):format(format:format(...)) -- keeps the panel's width constant
	end
	add("scenario", "%s%s", self.name:sub(-24), self.paused and " (paused)" or "")
	local speed = self.speed < 1 and ("1/%.0f"):format(1 / self.speed) or ("%.0f"):format(self.speed)
	add("time", "%.2f s%s", self.tick * self.timestep, self.speed ~= 1 and ("  at speed %s"):format(speed) or "")
	add("pictures", "%.0f a second", self.fps or 0)
	for i, phase in ipairs(run.phases) do
		if self.smooth[phase] and (i == 1 or roomy) then add((phase == "step" and "" or "  ") .. phase, "%6.2f ms", self.smooth[phase]) end
	end
	add("bodies", "%d (%d awake)", world:getBodyCount(), world:getAwakeCount())
	add("contacts", "%d (%d touching)", world:getContactCount(), world:getTouchingCount())
	add("islands", "%d", world:getIslandCount())
	self.read_out_names, self.read_out_values = table.concat(names, "\n"), table.concat(values, "\n")
end

-- The first lines of the error, cut to the width of the window.
function Window:setProblem(canvas, width)
	local wide = math.max(10, math.floor((width - 4 * space) / canvas.getTextSize "m"))
	local lines = {}
	for line in self.problem:gsub("\t", "  "):gmatch "[^\n]+" do
		lines[#lines + 1] = #line > wide and line:sub(1, wide - 3) .. "..." or line
		if #lines == 10 then break end
	end
	lines[#lines + 1] = self.options.watch and "time stands still until the file is mended, or r restarts it"
		or "time stands still; r restarts it"
	self.problem_text, self.problem_width = table.concat(lines, "\n"), width
end

-- Draws the panels over everything else.
function Window:drawOver(canvas)
	local width, height = canvas.getSize()
	if self.hand then self.hand:draw(canvas) end
	if self.world and self.read_out_shown and self.read_out_names then
		draw_panel(canvas, width, 0, true, self.read_out_names, self.read_out_values)
	end
	if self.help_shown then draw_panel(canvas, 0, 0, false, help_left, help_right) end
	local bottom = height
	if self.problem then
		if not self.problem_text or self.problem_width ~= width then self:setProblem(canvas, width) end
		local _, high = canvas.getTextSize(self.problem_text)
		bottom = bottom - high - 2 * space
		draw_panel(canvas, 0, bottom, false, self.problem_text)
	end
	if self.note_text then
		local _, high = canvas.getTextSize(self.note_text)
		draw_panel(canvas, 0, bottom - high - 2 * space, false, self.note_text)
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Turns

function Window:draw(now)
	self.frames = self.frames + 1
	if self.note_text and now > self.note_until then self.note_text = nil end
	local canvas = self.canvas
	if self.world then
		self:try(self.setReadOut, self, now)
		self:try(picture.draw, canvas, self.cam, self.world, self.scenario, self.picture_options, self.over)
	end
	if self.native.interrupted() then return end
	if self.problem then pcall(canvas.finish) end -- of the script's incomplete drawing
	if not self.world then -- the setup has failed, or the script has destroyed its world
		canvas.begin()
		self.over(canvas)
		canvas.finish()
	elseif self.problem then
		picture.draw(canvas, self.cam, self.world, self.silent, self.picture_options, self.over)
	end
	if self.picture_wanted then
		self.picture_wanted = false
		self:savePicture()
	end
end

-- Handles events, makes steps, and draws a picture if anything may have changed.
function Window:turn()
	local clock = self.native.clock
	local now = clock()
	self.dirty = now >= self.draw_due
	if self.world then
		self:handleAll()
		self:catchUp(now)
	else
		while true do
			local kind, name, down = self.canvas.poll()
			if not kind then break end
			local key = kind == "key" and down and name
			if kind == "quit" or key == "escape" or key == "q" then
				self.done = true
			elseif key == "r" and not self.world then
				self:restart()
			end
		end
	end
	if self.options.watch then self:watch(now) end
	if self.native.interrupted() then return end
	if self.dirty then
		self.draw_due = now + read_out_interval
		self:draw(now)
	end
	local spent = clock() - now
	if spent < shortest_turn then
		local rest = normal_turn - spent
		if self.world and not self.paused and not self.problem then
			rest = math.min(rest, (self.timestep - self.lag) / self.speed - spent)
		end
		if rest > 0 then self.native.sleep(rest) end
	end
end

local function open_canvas(scenario, options)
	local size, theme = options.size or default_size, options.theme or scenario.theme or "light"
	return picture.guardNames(require "collide.view".newWindow {
		width = size[1], height = size[2], title = scenario.name or options.script, palette = palette[theme] or palette.light,
	})
end

-- Returns the exit code.
return function(native, scenario, options, guard, complain, reload)
	-- Before SDL, which does not replace existing signal handlers.
	native.catchInterrupts(true)
	local opened, canvas = pcall(open_canvas, scenario, options)
	if not opened then
		native.catchInterrupts(false)
		local problem = tostring(canvas):match "[^\n]*"
		if problem:find("no display", 1, true) then
			problem = "--view needs a display: use --shot or --film on a machine without one"
		end
		complain("%s", problem)
		return 1
	end

	local draw = options.draw or {}
	if draw.shapes == nil then draw.shapes = true end
	local self = setmetatable({
		native = native, options = options, guard = guard, complain = complain, reload = reload, canvas = canvas, scenario = scenario,
		picture_options = { draw = draw, grid = true, free = options.camera ~= nil },
		speed = 1, paused = false, lag = 0, frames = 0, read_out_shown = true, help_shown = false, taken = {},
		last = native.clock(), draw_due = 0, watch_due = 0, modified = options.watch and native.modified(options.script),
	}, Window)
	self.over = function(target) self:drawOver(target) end

	local failed = false
	local fine, problem = pcall(function()
		if not self:setUp(scenario) and not self.world and not options.watch then
			failed = true
			return
		end
		self:note("F1 lists the keys", welcome_duration)
		self.last = native.clock()
		while not self.done and not native.interrupted() and not (self.world and self:isOver()) do self:turn() end
	end)
	native.catchInterrupts(false)
	local interrupted = native.interrupted()
	if not fine and not interrupted then complain("%s", tostring(problem)) end
	pcall(canvas.close)
	return interrupted and 130 or (failed or not fine) and 1 or 0
end
