-- Runs a scenario: a table with setup(args, options) -> world, and optionally update(world, tick), check(world), measure(world), name, duration and timestep
-- [s]; for pictures and the window camera, theme, draw(canvas, world), key(name, down) and mouse(kind, x, y, button), in 3D
-- mouse(kind, x1, y1, z1, x2, y2, z2, button).

local io, math, table, unpack = io, math, table, unpack or table.unpack
local error, ipairs, next, pcall, require, tostring, type = error, ipairs, next, pcall, require, tostring, type

local json, nearest = require "collide.host.json", require "collide.draw.nearest"

local default_duration, default_timestep = 10, 1 / 60 -- [s]
local progress_interval = 0.1 -- [s]

-- The phases of world:getProfile(), the whole step first.
local phases = { "step", "pairs", "collide", "contacts", "solve", "finish", "sweep" }

---------------------------------------------------------------------------------------------------------------------------------
-- Before the run

local function is_function(value) return type(value) == "function" end
local function is_seconds(value) return type(value) == "number" and value >= 0 and value < math.huge end

-- The fields of a scenario, and what each must be; all but setup may be missing.
local fields = {
	{ "setup", is_function, "a function" },
	{ "update", is_function, "a function" },
	{ "check", is_function, "a function" },
	{ "measure", is_function, "a function" },
	{ "name", function(value) return type(value) == "string" end, "a string" },
	{ "duration", is_seconds, "a number of seconds" },
	{ "timestep", function(value) return is_seconds(value) and value > 0 end, "a number of seconds above 0" },
	{ "camera", function(value) return is_function(value) or type(value) == "table" end, "a table or a function" },
	{ "theme", function(value) return value == "light" or value == "dark" end, '"light" or "dark"' },
	{ "draw", is_function, "a function" },
	{ "key", is_function, "a function" },
	{ "pad", is_function, "a function" },
	{ "mouse", is_function, "a function" },
	{ "brief", function(value) return type(value) == "table" end, "a table" }, -- a shorter form, for tests: { duration =, args = }
}
-- Names of these fields in LÖVE and other libraries, in lower case, with ours.
local elsewhere = {
	load = "setup", init = "setup", start = "setup", tick = "update", keypressed = "key", keyreleased = "key", mousepressed = "mouse",
	mousereleased = "mouse", mousemoved = "mouse", wheelmoved = "mouse", gamepadpressed = "pad", gamepadreleased = "pad", gamepadaxis = "pad", render = "draw", dt = "timestep", fps = "timestep", hz = "timestep",
	seconds = "duration", time = "duration", cam = "camera", title = "name",
}
local names, known = {}, {}
for i, field in ipairs(fields) do names[i], known[field[1]] = field[1], true end

-- Ours for the name, or nil.
local function known_for(key)
	return elsewhere[key:lower()] or nearest(key, names)
end

local function is_world_object(value)
	return type(value) == "userdata" and pcall(function() return value:getGravity() end)
end

-- Whether the key of a table is one of a scenario, also of one that is misspelt or has LÖVE's names: else the table is a module.
local function is_meant(key, value)
	if known[key] then return true end
	if type(key) ~= "string" then return false end
	if is_function(value) then return elsewhere[key:lower()] ~= nil or nearest(key, { "setup", "update", "draw" }) ~= nil end
	return nearest(key, { "setup" }) ~= nil or is_world_object(value)
end

-- The value, also one that a metatable's __index gives; nil if that raises.
local function field_of(result, name)
	local fine, value = pcall(function() return result[name] end)
	return fine and value or nil
end

-- The first unknown key, in the order of the alphabet.
local function unknown_key(scenario)
	local first
	for key in next, scenario do
		local text = tostring(key)
		if not known[key] and (not first or text < first) then first = text end
	end
	return first
end

-- A script's result as a scenario. Nil: it is none, or a wrong one, whose error follows.
local function recognize(result)
	local meant = is_function(field_of(result, "setup"))
	local world
	for key, value in next, result do
		meant = meant or is_meant(key, value)
		world = world or not known[key] and is_world_object(value) and tostring(key)
	end
	if not meant then return nil end
	local wrong = unknown_key(result)
	if world and field_of(result, "setup") == nil then
		return nil, ("scenario: unknown key '%s': setup is the function that returns the world; or return the world alone"):format(world)
	elseif wrong then
		local near = known_for(wrong)
		return nil, ("scenario: unknown key '%s'%s"):format(wrong, near and (", did you mean '%s'?"):format(near)
			or " (there are: " .. table.concat(names, ", ") .. ")")
	elseif field_of(result, "setup") == nil then
		local first
		for i = #names, 1, -1 do first = field_of(result, names[i]) ~= nil and names[i] or first end
		return nil, ("the scenario has %s but no setup, the function that returns its world"):format(first)
	end
	return result
end

-- Raises if the scenario's fields are invalid.
local function check_fields(scenario)
	for _, field in ipairs(fields) do
		local name, fits, what = unpack(field)
		local value = scenario[name]
		if value ~= nil and not fits(value) then error(("scenario.%s must be %s, got %s"):format(name, what, tostring(value)), 0) end
	end
end

-- The scenario's function, which a run may have replaced; nil if there is none.
local function function_of(scenario, name)
	local f = scenario[name]
	if f ~= nil and not is_function(f) then error(("scenario.%s must be a function, got %s"):format(name, tostring(f)), 0) end
	return f
end

-- Raises if the script has destroyed its world.
local function check_world(world)
	if type(world) == "userdata" and not world:isValid() then error("the scenario has destroyed its world", 0) end
end

-- Whether the value has the methods of a world that are needed here.
local function is_world(value)
	if type(value) ~= "userdata" and type(value) ~= "table" then return false end
	local fine, step, hash = pcall(function() return value.step, value.hash end)
	return fine and type(step) == "function" and type(hash) == "function"
end

-- Sets the scenario up and applies the options to its world. setup gets the options, too, as it may need them earlier.
local function set_up(scenario, options)
	check_fields(scenario)
	if options.hz then scenario.timestep = 1 / options.hz end -- for the script's own calculations, too
	local world = scenario.setup(options.rest, { substeps = options.substeps, workers = options.workers })
	if not is_world(world) then
		error(("scenario.setup must return a world, got %s"):format(world == nil and "nothing" or tostring(world)), 0)
	end
	check_fields(scenario)
	check_world(world)
	if options.substeps then world:setSubsteps(options.substeps) end
	if options.workers then world:setWorkers(options.workers) end
	return world
end

---------------------------------------------------------------------------------------------------------------------------------
-- The run

local function show_progress(run)
	local film = run.pictures and run.pictures:progress()
	local step = ("%s  step %d of %d  %.2f ms"):format(run.name, run.ticks, run.wanted, 1000 * run.times[run.ticks])
	io.stderr:write("\r", film or step, "\27[K")
end

-- Steps and updates are timed; pictures are not. A probe is called before() and after(world) each step.
local function step_all(native, run, scenario, world)
	local update, dt, clock = nil, run.timestep, native.clock
	local started = clock()
	local shown, pictures, probe = started, run.pictures, run.probe
	if pictures then pictures:tick(0) end
	for tick = 1, run.wanted do
		if native.interrupted() then break end
		update = function_of(scenario, "update")
		local turn = clock()
		if update then update(world, tick) end
		run.updates[tick] = clock() - turn
		check_world(world)
		if probe then probe.before() end
		local before = clock()
		world:step(dt)
		local after = clock()
		if probe then probe.after(world) end
		run.ticks, run.times[tick], run.wall = tick, after - before, after - started
		if pictures then pictures:tick(tick) end
		if run.watched and clock() - shown >= progress_interval then
			shown = clock()
			show_progress(run)
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- After the run

-- The smallest time that this fraction of the steps does not exceed.
local function percentile(sorted, share)
	return sorted[math.max(1, math.ceil(share * #sorted))] or 0
end

local function sum_up(run, world)
	check_world(world)
	local total, sorted = 0, {}
	for tick = 1, run.ticks do
		total = total + run.times[tick]
		sorted[tick] = run.times[tick]
	end
	table.sort(sorted)
	return {
		name = run.name,
		ticks = run.ticks,
		simulated = run.ticks * run.timestep,
		wall = run.wall,
		mean = 1000 * total / math.max(1, run.ticks),
		p50 = 1000 * percentile(sorted, 0.5),
		p99 = 1000 * percentile(sorted, 0.99),
		max = 1000 * percentile(sorted, 1),
		bodies = world:getBodyCount(),
		awake = world:getAwakeCount(),
		colliders = world:getColliderCount(),
		contacts = world:getContactCount(),
		touching = world:getTouchingCount(),
		islands = world:getIslandCount(),
		hash = world:hash(),
		check = run.check,
	}
end

-- The lines of the text, each with the numbers that must not be 0 for it to say anything.
local lines = {
	{ "  ticks      $ticks", "ticks" },
	{ "  time       $simulated s simulated in $wall s", "ticks" },
	{ "  ms a step  $mean mean, $p50 p50, $p99 p99, $max max", "ticks", "bodies" },
	{ "  bodies     $bodies, $awake of them awake", "bodies" },
	{ "  colliders  $colliders", "colliders" },
	{ "  contacts   $contacts, $touching of them touching", "contacts" },
	{ "  islands    $islands", "islands" },
}

local json_text = [[{"name":$name,"check":$check,"ticks":$ticks,"simulated":$simulated,"wall":$wall,]]
	.. [["msPerStep":{"mean":$mean,"p50":$p50,"p99":$p99,"max":$max},"bodies":$bodies,"awake":$awake,"colliders":$colliders,]]
	.. [["contacts":$contacts,"touching":$touching,"islands":$islands,"hash":$hash}]] .. "\n"

-- Counts stay whole numbers; times have six decimals.
local function format_number(value)
	return value == math.floor(value) and ("%.0f"):format(value) or ("%.6f"):format(value)
end

local function format_text(value)
	if type(value) == "string" then return value end
	return (value == math.floor(value) and "%.0f" or value >= 0.01 and "%.3f" or "%.6f"):format(value)
end

local function format_json(value)
	return type(value) == "number" and format_number(value) or json.quote(value)
end

local function print_summary(summary, options)
	local function fill(form, format)
		return (form:gsub("%$(%w+)", function(name) return format(summary[name]) end))
	end
	if options.json then
		io.write(fill(json_text, format_json))
		return
	end
	io.write(fill("$name: $check\n", format_text))
	for _, line in ipairs(lines) do
		if summary[line[2]] > 0 and summary[line[3] or line[2]] > 0 then io.write(fill(line[1], format_text), "\n") end
	end
	io.write(fill("  hash       $hash\n", format_text))
end

-- The error of writing `what` to the standard output, if any.
local function output_problem(what)
	local written, problem = io.stdout:flush()
	return not written and ("cannot write %s: %s"):format(what, problem) or nil
end

-- A line for each picture and film; beside JSON on stderr.
local function print_written(run, options)
	for _, line in ipairs(run.pictures and run.pictures.written or {}) do
		(options.json and io.stderr or io.stdout):write("wrote ", line, "\n")
	end
end

---------------------------------------------------------------------------------------------------------------------------------

-- The run according to the options and the scenario.
local function plan(native, scenario, options)
	local timestep = scenario.timestep or default_timestep
	local function ticks(seconds) return math.floor(seconds / timestep + 0.5) end
	local wanted = options.steps or ticks(options.seconds or options.at or scenario.duration or default_duration)
	return {
		name = scenario.name or options.script or "scenario",
		timestep = timestep,
		wanted = wanted, -- steps
		at = options.at and ticks(options.at), -- steps before the pictures; nil: after all of them
		-- A check states what holds at the scenario's own end, not before.
		cut_short = (wanted + 0.5) * timestep < (scenario.duration or 0),
		watched = not options.quiet and native.isTerminal(),
		ticks = 0,
		times = {}, -- of each step [s]
		updates = {}, -- likewise, of the script's own update [s]
		wall = 0, -- of everything, updates included [s]
		check = "no check",
	}
end

-- Sets the result of the check; returns the error, if any.
local function check(native, run, scenario, world, guard)
	if native.interrupted() then
		run.check = "interrupted"
	elseif scenario.check and run.cut_short then
		run.check = "cut short"
	elseif scenario.check then
		local fine, problem = guard(function()
			function_of(scenario, "check")(world)
			check_world(world)
		end)
		run.check = fine and "passed" or "failed"
		return not fine and problem or nil
	end
end

local function draws(options)
	return options.shot or options.svg or options.film
end

-- Completes the pictures after the run, however it ended. Returns the error, if any.
local function complete_pictures(run, ended_well, guard)
	local pictures = run.pictures
	if not pictures then return nil end
	local fine, problem = true, nil
	if ended_well and not run.at then fine, problem = guard(pictures.shoot, pictures) end
	return pictures:close() or not fine and problem or nil
end

-- One run, from setup to check. Returns the run (nil if the setup failed), its world, and the error, if any. The run is `ended` if it came to its end or was
-- interrupted; it is `late` if it would end before its picture.
local function perform(native, scenario, options, guard, probe)
	local run, world
	native.catchInterrupts(true)
	local fine, problem = guard(function()
		local begun = native.clock()
		world = set_up(scenario, options)
		run = plan(native, scenario, options)
		run.setup, run.probe = native.clock() - begun, probe
		run.late = run.at and run.at > run.wanted
		if run.late then return end
		if draws(options) then run.pictures = require "collide.host.pictures".new(native, scenario, world, options, run) end
		step_all(native, run, scenario, world)
	end)
	native.catchInterrupts(false)
	if run and run.watched then io.stderr:write "\r\27[K" end
	if not run or run.late then return run, world, not fine and problem or nil end

	local ended = fine or native.interrupted()
	local unwritten = complete_pictures(run, ended, guard)
	if ended then
		run.ended = true
		problem = check(native, run, scenario, world, guard)
	end
	return run, world, unwritten or problem
end

-- Returns the exit code.
local function drive(native, scenario, options, guard, complain)
	local run, world, problem = perform(native, scenario, options, guard)
	if run and run.late then
		complain("--at %g is after the end of the run, which is at %g s", options.at, run.wanted * run.timestep)
		return 2
	end
	if run and not options.quiet then print_written(run, options) end
	-- Of a world that the script itself has stepped there is nothing to sum up.
	if run and run.ended and (options.json or not options.quiet and not scenario.bare) then
		local summed, summary = guard(sum_up, run, world)
		if summed then print_summary(summary, options) else problem = problem or summary end
		problem = problem or output_problem "the summary"
	end
	if problem then complain("%s", problem) end
	return native.interrupted() and 130 or problem and 1 or 0
end

return { recognize = recognize, drive = drive, perform = perform, setUp = set_up, checkWorld = check_world, functionOf = function_of,
	outputProblem = output_problem, percentile = percentile, phases = phases, timestep = default_timestep }
