-- The pictures and the film of a run.

local error, io, ipairs, math, os, package, pcall, require, select, setmetatable =
	error, io, ipairs, math, os, package, pcall, require, select, setmetatable
local film, palettes, picture = require "collide.host.film", require "collide.palette", require "collide.host.picture"

local default_width, default_height, default_fps = 1280, 720, 30
local bar_width = 12

local pictures = {}
local Pictures = {}
Pictures.__index = Pictures

---------------------------------------------------------------------------------------------------------------------------------
-- Before the run

-- Whether the file can be written; an existing one is unchanged. Returns the error, if any.
local function write_problem(path)
	local file = io.open(path, "rb")
	if file then file:close() end
	local there = file ~= nil
	local problem
	file, problem = io.open(path, "ab")
	if not file then return problem end
	file:close()
	if not there then os.remove(path) end
end

-- A line on the first missing dependency or unwritable file of the options; nil if there is none.
function pictures.missing(options)
	local needs_view = options.shot and "shot" or options.film and "film" or options.view and "view"
	if needs_view and not pcall(require, "collide.view") then
		return "--" .. needs_view .. " needs the view module" .. (package.config:sub(1, 1) == "\\" and ", which does not exist for Windows" or ": make view")
	end
	if options.film and not film.isPossible() then return "--film needs ffmpeg: apt-get install ffmpeg" end
	for _, name in ipairs { "shot", "svg", "film" } do
		local problem = options[name] and write_problem(options[name])
		if problem then return "cannot write " .. problem end
	end
end

-- run: its `wanted` ticks of `timestep` seconds each, and `at`, the tick after which pictures are taken, if given. Raises if no canvas can be created.
function pictures.new(native, scenario, world, options, run)
	-- written: a line for each file
	local self = setmetatable({ native = native, scenario = scenario, world = world, options = options, run = run, written = {} }, Pictures)
	local size = options.size or {}
	local settings = {
		width = size[1] or default_width,
		height = size[2] or default_height,
		palette = palettes[options.theme or scenario.theme or "light"],
	}
	if options.shot or options.film then
		self.canvas = picture.guardNames(require "collide.view".newCanvas(settings))
	end
	if options.svg then self.svg = require "collide.svg".newCanvas(settings) end
	if self.svg and select("#", world:getGravity()) ~= 2 then error("--svg draws two dimensions only: use --shot", 0) end
	self.cam = self:newCamera(self.canvas or self.svg) -- the film's; a wrong camera raises before the run
	if options.film then
		self.fps = options.fps or default_fps
		self.seconds = run.wanted * run.timestep
		self.last_frame = math.ceil(self.seconds * self.fps - 1e-6)
		self.frame = 0
		self.started = native.clock()
		native.catchBrokenPipes(true)
		self.film = film.new(options.film, settings.width, settings.height, self.fps)
	end
	return self
end

---------------------------------------------------------------------------------------------------------------------------------
-- During the run

function Pictures:newCamera(canvas)
	return picture.newCamera(canvas, self.world, self.scenario, self.options)
end

function Pictures:draw(canvas, cam)
	picture.draw(canvas, cam, self.world, self.scenario, self.options)
end

function Pictures:tell(path, format, ...)
	self.written[#self.written + 1] = path .. ": " .. format:format(...)
end

function Pictures:save(canvas, path)
	self:draw(canvas, self:newCamera(canvas))
	local saved, problem = pcall(canvas.save, path)
	if not saved then
		os.remove(path) -- of a full disk
		error((problem:gsub("^save: ", "")), 0)
	end
	local width, height = canvas.getSize()
	self:tell(path, self.run.ticks > 0 and "%dx%d pixels, after %.4g s" or "%dx%d pixels", width, height, self.run.ticks * self.run.timestep)
end

function Pictures:shoot()
	self.shot = true
	if self.options.shot then self:save(self.canvas, self.options.shot) end
	if self.options.svg then self:save(self.svg, self.options.svg) end
end

-- Writes the frames that are due; frames of the same tick are the same picture.
function Pictures:shootFilm(tick)
	local pixels
	while self.frame <= self.last_frame do
		local time = math.min(self.frame / self.fps, self.seconds)
		if time / self.run.timestep > tick + 1e-6 then break end
		if not pixels then
			self:draw(self.canvas, self.cam)
			pixels = self.canvas.pixels()
		end
		self.film:write(pixels)
		self.frame = self.frame + 1
	end
end

-- Called after each tick, and once before the first with 0.
function Pictures:tick(tick)
	if self.film then self:shootFilm(tick) end
	if tick == self.run.at and not self.shot then self:shoot() end
end

-- The progress of the film as text; nil without a film.
function Pictures:progress()
	if not self.film then return nil end
	local total = self.last_frame + 1
	local share = self.frame / total
	local full = math.floor(share * bar_width)
	local left = share > 0 and (self.native.clock() - self.started) * (1 - share) / share or 0
	return ("film [%s%s] %3d%%  frame %d of %d, %.0f s left"):format(("#"):rep(full), ("-"):rep(bar_width - full),
		math.floor(100 * share), self.frame, total, left)
end

---------------------------------------------------------------------------------------------------------------------------------
-- After the run

-- Completes the film, whether or not the run went to its end. Returns the write error, if any.
function Pictures:close()
	if self.film then
		self.film:finish()
		if self.film.done then
			local made, count = self.film, self.film.frames
			self:tell(self.options.film, "%d frame%s of %dx%d pixels, %.4g s", count, count == 1 and "" or "s", made.width, made.height, count / self.fps)
		end
	end
	self.native.catchBrokenPipes(false)
	if self.canvas then self.canvas.close() end
	return self.film and self.film.problem
end

return pictures
