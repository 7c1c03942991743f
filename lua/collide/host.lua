-- The driver of the host: reads the options, runs the script, and reports errors. The program in src/host calls the function that this file returns with its
-- own path, the name by which it was called, a table of functions (src/host/native.h) and the arguments; the result is its exit code.

-- Scripts may change the globals; these locals stay.
local debug, io, math, package, table = debug, io, math, package, table
local ipairs, load, loadfile, pairs, pcall, print, require, select, tonumber, tostring, type, unpack, xpcall =
	ipairs, loadstring or load, loadfile, pairs, pcall, print, require, select, tonumber, tostring, type, unpack or table.unpack, xpcall

local nearest = require "collide.draw.nearest"

local called = "host" -- the program's name: build/host, but collide once installed

-- Exit codes. An interrupted run ends with the shell's code for SIGINT.
local done, failed, misused, interrupted = 0, 1, 2, 130

local help = [[
usage: $called [options] scenario.lua [arguments, options]
       $called [options] -e CODE [arguments]
       $called --test PATH [LuaUnit's arguments]

Runs a Lua script ("-": the standard input). A script that returns a table with a function `setup` is a scenario: it is set up,
stepped at full speed, checked (unless the run is cut short of the scenario's own duration), and summed up. Of that, or of a world
that the script returns, there are pictures.
After a script that returns a scenario or a world, options may also stand among its arguments; arguments after -- are the script's.
Any other script gets all that stands after it.

  --seconds S    simulate S seconds, instead of the scenario's own duration
  --steps N      make N steps, instead
  --hz H         H steps a second, instead of the scenario's own timestep
  --substeps N   solve each step in N parts
  --workers N    step with N threads
  --bench        say what the run costs (ms a step, phases, bytes, garbage) and how good it is (overlap, separation of joints,
                 energy, asleep, what the scenario's function `measure` tells)
  --repeat R     with --bench: R runs, each in a new world
  --shot FILE    a picture: FILE.png
  --svg FILE     a picture: FILE.svg
  --at S         --shot and --svg after S seconds of simulated time, instead of at the end; the run ends there, unless it is
                 told how long to be
  --film FILE    a film of the run: FILE.mp4, FILE.gif or FILE.webm
  --fps N        its pictures a second: 30, from 1 to 240 (of a .gif to 50)
  --size WxH     of pictures, films and the window: 1280x720 pixels, each from 16 to 8192
  --camera LIST  X,Y,HEIGHT: the point in the middle, and the height of the picture in units of length
                 (in three dimensions: X,Y,Z,DISTANCE,YAW,PITCH)
  --theme NAME   light or dark
  --draw LIST    what else to draw, separated by commas: $draw
  --view         a window instead of a run: F1 in it lists its keys
  --watch        with --view: reads the script again when its file changes
  --quiet        no progress and no summary: errors only
  --json         the summary as one JSON object
  -e CODE        run CODE instead of a file
  --test PATH    run the LuaUnit tests of a file, or of all test_*.lua in a folder
  --version, -v  say which host, Lua and collide this is
  --help, -h     say this

Exit code: 0; 1 where the script, its check or a test failed; 2 where the call was wrong; 130 after Ctrl-C.
The script's own output goes to the standard output, before the summary.
]]

local function complain(format, ...)
	io.stdout:flush()
	io.stderr:write(called, ": ", format:format(...), "\n")
end

---------------------------------------------------------------------------------------------------------------------------------
-- Options

local draw_options = { "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields" }
help = help:gsub("%$draw", table.concat(draw_options, ",\n" .. (" "):rep(17), 1, 1) .. ", " .. table.concat(draw_options, ", ", 2))

-- Each kind of option is a function from the text to the value (nil: invalid), and a description of valid values.

local function number(fits, what)
	return { "a number", function(text)
		local n = tonumber(text)
		return n and n == n and math.abs(n) < math.huge and fits(n) and n or nil
	end, what }
end

local function whole(least, most)
	return number(function(n) return n == math.floor(n) and n >= least and n <= (most or math.huge) end,
		most and ("a whole number between %d and %d"):format(least, most) or "a whole number of at least " .. least)
end

local function file(...)
	local endings = { ... }
	return { "a file", function(text)
		for _, ending in ipairs(endings) do
			if #text > #ending and text:sub(-#ending):lower() == ending then return text end
		end
	end, "a file that ends in " .. table.concat(endings, ", "):gsub(", ([^,]*)$", " or %1") }
end

local function any(what)
	return { what, function(text) return text end }
end

local function parse_size(text)
	local width, height = text:match "^(%d+)x(%d+)$"
	width, height = tonumber(width), tonumber(height)
	if width and width >= 16 and width <= 8192 and height >= 16 and height <= 8192 then return { width, height } end
end

local camera_fields = { [3] = { "x", "y", "height" }, [6] = { "x", "y", "z", "distance", "yaw", "pitch" } }

local function parse_camera(text)
	local values, result = {}, {}
	for item in (text .. ","):gmatch "([^,]*)," do
		local n = tonumber(item)
		if not n or n ~= n or math.abs(n) > 1e15 then return nil end
		values[#values + 1] = n
	end
	local names = camera_fields[#values]
	for i, name in ipairs(names or {}) do result[name] = values[i] end
	local far = result.height or result.distance
	return far and far >= 1e-9 and math.abs(result.pitch or 0) <= math.pi / 2 and result or nil
end

local function parse_draw(text)
	local result = {}
	for item in (text .. ","):gmatch "([^,]*)," do
		local known = false
		for _, name in ipairs(draw_options) do known = known or name == item end
		if not known then return nil end
		result[item] = true
	end
	return result
end

local with_value = {
	seconds = number(function(n) return n >= 0 end, "a number of at least 0"),
	steps = whole(0),
	hz = number(function(n) return n >= 1 / 60 and n <= 1e6 end, "a number between 1/60 and 1e6"),
	substeps = whole(1, 64),
	workers = whole(1, 64),
	["repeat"] = whole(1, 1000),
	shot = file ".png",
	svg = file ".svg",
	film = file(".mp4", ".gif", ".webm"),
	at = number(function(n) return n >= 0 end, "a number of at least 0"),
	fps = number(function(n) return n >= 1 and n <= 240 end, "a number between 1 and 240"),
	size = { "a size", parse_size, "WIDTHxHEIGHT, each between 16 and 8192 pixels" },
	camera = { "numbers", parse_camera, "X,Y,HEIGHT with a HEIGHT above 0, or X,Y,Z,DISTANCE,YAW,PITCH" },
	theme = { "a name", function(text) return (text == "light" or text == "dark") and text or nil end, "light or dark" },
	draw = { "a list", parse_draw, "names out of " .. table.concat(draw_options, ", ") .. ", separated by commas" },
	e = any "code",
	test = any "a path",
}
local flags = { bench = true, view = true, watch = true, quiet = true, json = true, version = true, help = true }

local short = { ["-h"] = "--help", ["-v"] = "--version" }

-- The first of these options that is given.
local function first_of(options, ...)
	for _, name in ipairs { ... } do
		if options[name] then return name == "e" and "-e" or "--" .. name end
	end
end

-- The contradiction between options, if any.
local function find_contradiction(options)
	if options.seconds and options.steps then return "--seconds and --steps say the same: give one of them" end
	local picture = first_of(options, "shot", "svg", "film")
	local against = options.view and (picture or first_of(options, "test", "e", "json"))
	if against then return "--view opens a window, and does not go with " .. against end
	if options.test and picture then return picture .. " does not go with --test" end
	against = options.bench and (picture or first_of(options, "view", "test"))
	if against then return "--bench does not go with " .. against end
	if options["repeat"] and not options.bench then return "--repeat goes with --bench" end
	if options.watch and not options.view then return "--watch goes with --view" end
	if options.at and not (options.shot or options.svg) then return "--at goes with --shot or --svg" end
	if options.at and options.seconds and options.at > options.seconds then return "--at is after the end that --seconds sets" end
	if options.fps and not options.film then return "--fps goes with --film" end
	if options.fps and options.fps > 50 and options.film:lower():match "%.gif$" then return "--fps must be at most 50 for a .gif" end
	local look = first_of(options, "size", "camera", "theme", "draw")
	if look and not (picture or options.view) then return look .. " goes with --shot, --svg, --film or --view" end
end

local option_names = {}
for _, kinds in ipairs { with_value, flags } do
	for name in pairs(kinds) do option_names[#option_names + 1] = name ~= "e" and "--" .. name or nil end
end
table.sort(option_names)

-- Reads the option arguments[at]. Returns the index after it and its value; or nil and the error.
local function parse_option(options, arguments, at)
	local argument = arguments[at]
	local name, value = argument:match "^%-%-([^=]+)=?(.*)$"
	if argument == "-e" then name = "e" elseif name == "e" then name = nil end
	argument = short[argument] or argument
	if flags[argument:sub(3)] then name = argument:sub(3) end
	local kind = with_value[name]
	at = at + 1
	if kind then
		if not argument:find("=", 1, true) then
			value = arguments[at]
			at = at + 1
		end
		if not value then return nil, ("%s needs %s"):format(argument, kind[1]) end
		options[name] = kind[2](value)
		if options[name] == nil then return nil, ("--%s must be %s, got '%s'"):format(name, kind[3], value) end
	elseif flags[name] and argument == "--" .. name then
		options[name] = true
	else
		local near = #argument > 2 and nearest(argument:match "^[^=]*", option_names)
		return nil, ("unknown option '%s'%s"):format(argument, near and (", did you mean '%s'?"):format(near) or " (--help lists them)")
	end
	return at
end

-- The options as a table, with the arguments after the script in `rest`; or nil and the error.
local function parse(arguments)
	local options, at = { rest = {} }, 1
	while at <= #arguments and arguments[at]:match "^%-." and not (options.e or options.test) do
		if arguments[at] == "--" then
			at = at + 1
			break
		end
		local problem
		at, problem = parse_option(options, arguments, at)
		if not at then return nil, problem end
	end
	local contradiction = find_contradiction(options)
	if contradiction then return nil, contradiction end
	if not (options.e or options.test or options.help or options.version) then
		options.script = arguments[at]
		at = at + 1
		if not options.script then return nil, "no script given (--help says how)" end
	end
	options.rest = { unpack(arguments, at) }
	options.all = options.rest
	return options
end

-- Takes the host's options out of a scenario's arguments, up to "--". `options.all` keeps what the script itself has got. Returns the error, if any.
local function parse_after_script(options)
	local all, rest, at = options.all, {}, 1
	while at <= #all and all[at] ~= "--" do
		if all[at] == "-e" or all[at]:match "^%-%-test" then return ("%s does not go with a script"):format(all[at]) end
		if all[at]:match "^%-%-?%a" then
			local after, problem = parse_option(options, all, at)
			if not after then return problem end
			at = after
		else
			rest[#rest + 1], at = all[at], at + 1
		end
	end
	for i = at + 1, #all do rest[#rest + 1] = all[i] end
	options.rest = rest
	return find_contradiction(options)
end

---------------------------------------------------------------------------------------------------------------------------------
-- Errors

-- An error of any kind as text.
local function describe(problem)
	if type(problem) == "string" or type(problem) == "number" then return tostring(problem) end
	local meta = debug.getmetatable(problem)
	if type(meta) == "table" and meta.__tostring then
		local fine, text = pcall(tostring, problem)
		if fine then return text end
	end
	return ("(error object is a %s value)"):format(type(problem))
end

-- Whether the frame is one of the driver's, or of the canvases and cameras that it draws with.
local function is_ours(frame)
	return frame:find "^\t.*collide[/\\]host[./\\]" or frame:find "^\t.*collide[/\\]svg%.lua:" or frame:find "^\t.*collide[/\\]draw[/\\]"
end

-- The frames of a traceback, without the driver's own.
local function script_frames()
	local frames, last = {}, nil
	for line in debug.traceback("", 3):gmatch "\n(\t[^\n]*)" do
		if line:find("[C]: in function 'xpcall'", 1, true) then last = #frames end
		if not is_ours(line) then frames[#frames + 1] = line end
	end
	last = last or #frames
	if frames[last] == "\t(...tail calls...)" then last = last - 1 end
	for i = last + 1, #frames do frames[i] = nil end
	return frames
end

-- The error with a traceback. It has none if no frame is the script's, or if the script has raised a text for its user: one without a place, error(text, 0).
local function trace(problem)
	local text, frames, shown = describe(problem), script_frames(), false
	for _, frame in ipairs(frames) do shown = shown or not (frame:find "^\t%[C%]" or frame:find "^\t%[builtin#" or frame:find "^\t%([.t].*call") end
	local raised = frames[1] and frames[1]:find("[C]: in function 'error'", 1, true)
	if not shown or type(problem) == "string" and raised and not text:find "^[^\n]-:%d+: " then return text end
	return text .. "\nstack traceback:\n" .. table.concat(frames, "\n")
end

-- Calls f(...). Returns true and its first result, or false and a message with a traceback.
local function guard(f, ...)
	local arguments, count = { ... }, select("#", ...)
	local fine, result = xpcall(function() return f(unpack(arguments, 1, count)) end, trace)
	return fine, result
end

---------------------------------------------------------------------------------------------------------------------------------
-- Running

local function file_problem(path)
	if path == "-" then return nil end
	local file, problem = io.open(path)
	if not file then return problem end
	local _, unreadable = file:read(1)
	file:close()
	return unreadable and path .. ": " .. unreadable
end

-- Lets the script require files beside it.
local function add_folder(path)
	local folder = path:match(package.config:sub(1, 1) == "\\" and "^(.*)[/\\][^/\\]*$" or "^(.*)/[^/]*$") or "."
	package.path = ("%s/?.lua;%s/?/init.lua;"):format(folder, folder) .. package.path
end

local function load_script(options)
	if options.e then return load(options.e, "=(command line)") end
	return loadfile(options.script ~= "-" and options.script or nil)
end

-- The script's result as a scenario; nil if it is none, with the error if it is meant to be one. A world is one, too; the first setup returns it, and each
-- further setup runs the script once more.
local function scenario_of(result, again)
	if type(result) == "table" then return require "collide.host.scenario".recognize(result) end
	if type(result) ~= "userdata" then return nil end
	local first = result
	return { duration = 0, bare = true, setup = function()
		local world = first or again()
		first = nil
		return world
	end }
end

local function script_name(options)
	return options.script or "the code"
end

-- Reads and runs the script once more. Returns its scenario, or nil and the error.
local function reload(options)
	local chunk, problem = load_script(options)
	if not chunk then return nil, problem end
	local fine, result = guard(chunk, unpack(options.all))
	if not fine then return nil, result end
	local scenario
	scenario, problem = scenario_of(result, function() return chunk(unpack(options.all)) end)
	if scenario then return scenario end
	return nil, problem or script_name(options) .. " returns neither a scenario nor a world: there is nothing to draw"
end

-- Reads the script and runs it. Returns its result and the code; or nil, false and the exit code.
local function run_script(native, options)
	local chunk, problem = load_script(options)
	if not chunk then
		complain("%s", problem)
		return nil, false, failed
	end
	native.catchInterrupts(true)
	local fine, result = guard(chunk, unpack(options.all))
	native.catchInterrupts(false)
	if native.interrupted() then
		complain("%s", fine and "interrupted" or result)
		return nil, false, interrupted
	elseif not fine then
		complain("%s", result)
		return nil, false, failed
	end
	return result, chunk
end

local function draws(options)
	return options.shot or options.svg or options.film or options.view
end

-- Whether all is there that the pictures need; complains if not.
local function can_draw(options)
	local missing = draws(options) and require "collide.host.pictures".missing(options)
	if missing then complain("%s", missing) end
	return not missing
end

local function show_version(native)
	local found, collide = pcall(require, "collide")
	print(("%s (the host of collide) %s, %s"):format(called, found and collide.version or "(module not found)", jit and jit.version or native.release))
	if found then return done end
	complain("%s", describe(collide))
	return failed
end

-- The exit code of a call that is wrong or asks about the host alone; nil of any other.
local function answer(native, options, problem)
	if problem then
		complain("%s", problem)
		return misused
	elseif options.help then
		io.write(help)
		return done
	elseif options.version then
		return show_version(native)
	end
end

-- Returns the exit code.
local function run_scenario(native, scenario, options)
	local code = answer(native, options, parse_after_script(options))
	if code then return code end
	if not can_draw(options) then
		return failed
	elseif options.bench and not scenario.bare then
		return require "collide.host.bench" (native, scenario, options, guard, complain)
	elseif options.bench then
		complain("%s returns no scenario: there is nothing to measure", script_name(options))
		return failed
	elseif options.view then
		return require "collide.host.window" (native, scenario, options, guard, complain, function() return reload(options) end)
	elseif draws(options) or not scenario.bare then
		return require "collide.host.scenario".drive(native, scenario, options, guard, complain)
	end
	return done
end

-- A user who wants to see a script that cannot be shown would else be told nothing.
local function note_options_of_script(options)
	for _, argument in ipairs(options.all) do
		local name = argument:match "^%-%-(%w+)"
		if name == "view" or name == "shot" or name == "svg" or name == "film" or name == "bench" then
			return complain("%s returns neither a scenario nor a world: %s was its own argument", script_name(options), argument)
		end
	end
end

local function run(native, options)
	if not options.e then
		local missing = file_problem(options.script)
		if missing then
			complain("cannot open %s", missing)
			return misused
		end
		add_folder(options.script)
	end
	if not can_draw(options) then return failed end
	local result, chunk, code = run_script(native, options)
	if not chunk then return code end
	local scenario, problem = scenario_of(result, function() return chunk(unpack(options.all)) end)
	if scenario then return run_scenario(native, scenario, options) end
	if not problem and options.bench then problem = script_name(options) .. " returns no scenario: there is nothing to measure" end
	if not problem and draws(options) then problem = script_name(options) .. " returns neither a scenario nor a world: there is nothing to draw" end
	if not problem then
		note_options_of_script(options)
		return done
	end
	complain("%s", problem)
	return failed
end

-- Lua 5.4 would do most of a collection in one frame. With the least multiplier the collector does in each frame a share in proportion to what the frame
-- allocates, and a collection lasts until the heap has grown by about its size; so the next one begins when it has grown by half.
local function spread_collections()
	if _VERSION >= "Lua 5.4" then collectgarbage("incremental", 150, 1, 0) end
end

return function(program, name, native, arguments)
	spread_collections()
	called = name
	help = help:gsub("%$called", (name:gsub("%%", "%%%%")))
	local options, problem = parse(arguments)
	local code = answer(native, options, problem)
	if code then return code end

	-- The same run gives the same numbers.
	math.randomseed(0)
	arg = options.rest
	arg[-1], arg[0] = program, options.script or options.test or "-e"
	if options.test then return require "collide.host.tests" (native, options, guard, complain) end
	return run(native, options)
end
