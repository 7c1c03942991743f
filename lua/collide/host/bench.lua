-- --bench: runs a scenario several times, each time in a new world, and prints its cost and results. Times are of all runs. Counts, bytes and measures of
-- quality are of the last run's world; all runs must end with the same hash.

local collectgarbage, error, io, ipairs, math, pairs, select, table, tostring, type =
	collectgarbage, error, io, ipairs, math, pairs, select, table, tostring, type

local run = require "collide.host.scenario"
local json = require "collide.host.json"

-- Joint types whose anchors coincide, unless overloaded.
local joins_anchors = { revolute = true, spherical = true }

---------------------------------------------------------------------------------------------------------------------------------
-- During the runs

-- Measures each step of all runs: its phases, and the garbage that it adds. (A step without garbage does not start the collector either. LuaJIT's compiled
-- code counts as garbage, too.)
local function new_probe()
	local probe, profile, held = { garbage = 0, phases = {} }, {}, 0
	for _, name in ipairs(run.phases) do probe.phases[name] = 0 end
	function probe.before() held = collectgarbage "count" end
	function probe.after(world)
		probe.garbage = probe.garbage + math.max(0, collectgarbage "count" - held)
		world:getProfile(profile)
		for name, sum in pairs(probe.phases) do probe.phases[name] = sum + profile[name] end
	end
	return probe
end

---------------------------------------------------------------------------------------------------------------------------------
-- After the runs

local function mean(list, first)
	local sum = 0
	for i = first, #list do sum = sum + list[i] end
	return sum / math.max(1, #list - first + 1)
end

-- The lower median: half of the values are no larger.
local function median(values)
	table.sort(values)
	return run.percentile(values, 0.5)
end

-- In ms. A frame is an update and a step; `frame` leaves out the first frame, which builds the caches.
local function times_of(runs, probe)
	local all, means, frames, updates, setups = {}, {}, {}, {}, {}
	for i, one in ipairs(runs) do
		for _, time in ipairs(one.times) do all[#all + 1] = time end
		means[i], updates[i], setups[i] = mean(one.times, 1), mean(one.updates, 1), one.setup
		frames[i] = mean(one.times, 2) + mean(one.updates, 2)
	end
	table.sort(all)
	local phases = {}
	for name, sum in pairs(probe.phases) do phases[name] = sum / math.max(1, #all) end
	phases.update = 1000 * mean(updates, 1)
	return {
		min = 1000 * run.percentile(all, 0), p50 = 1000 * run.percentile(all, 0.5), p99 = 1000 * run.percentile(all, 0.99),
		mean = 1000 * median(means), frame = 1000 * median(frames), setup = 1000 * median(setups),
	}, phases, probe.garbage * 1024 / math.max(1, #all)
end

-- The separation is the fifth value from the end of a contact's row, in any dimension.
local function penetration_of(world)
	local count, sum, most = 0, 0, 0
	local next_row, state, control = world:contacts()
	local function take(first, ...)
		control = first
		if first == nil then return false end
		local depth = -select(-5, ...)
		if depth > 0 then count, sum, most = count + 1, sum + depth, math.max(most, depth) end
		return true
	end
	while take(next_row(state, control)) do end
	return { points = count, mean = sum / math.max(1, count), deepest = most }
end

local function distance(ax, ay, az, bx, by, bz)
	return math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + ((bz or 0) - (az or 0)) ^ 2)
end

local function separation_of(world)
	local count, sum, most = 0, 0, 0
	for _, joint in ipairs(world:getJoints()) do
		if joins_anchors[joint:getType()] then
			local ax, ay, az = joint:getAnchorA()
			local d = distance(ax, ay, az, joint:getAnchorB())
			count, sum, most = count + 1, sum + d, math.max(most, d)
		end
	end
	return { mean = sum / math.max(1, count), largest = most }
end

-- The energy of all bodies, and how many non-static bodies sleep.
local function rest_of(world)
	local energy, asleep = 0, 0
	for _, body in ipairs(world:getBodies()) do
		energy = energy + body:getKineticEnergy()
		if body:getType() ~= "static" and not body:isAwake() then asleep = asleep + 1 end
	end
	return energy, asleep
end

-- The scenario's own measures: numbers by name.
local function measures_of(scenario, world)
	local measure = run.functionOf(scenario, "measure")
	if not measure then return {} end
	local measures = measure(world)
	run.checkWorld(world)
	if type(measures) ~= "table" then error(("scenario.measure must return a table, got %s"):format(tostring(measures)), 0) end
	for name, value in pairs(measures) do
		if type(name) ~= "string" or type(value) ~= "number" then
			error(("scenario.measure must return numbers by name, got %s = %s"):format(tostring(name), tostring(value)), 0)
		end
	end
	return measures
end

local function sum_up(runs, probe, scenario, world)
	local last = runs[#runs]
	local times, phases, garbage = times_of(runs, probe)
	local energy, asleep = rest_of(world)
	local bodies, contacts, bytes = world:getBodyCount(), world:getContactCount(), world:getByteCount()
	return {
		name = last.name, check = last.check, runs = #runs, ticks = last.ticks, workers = world:getWorkers(), hash = world:hash(),
		msPerStep = times, phases = phases, garbagePerStep = garbage,
		bodies = bodies, awake = world:getAwakeCount(), asleep = asleep, colliders = world:getColliderCount(),
		contacts = contacts, touching = world:getTouchingCount(), joints = world:getJointCount(), islands = world:getIslandCount(),
		bytes = bytes, bytesPerBody = bytes / math.max(1, bodies), bytesPerContact = contacts > 0 and bytes / contacts or nil,
		penetration = penetration_of(world), jointSeparation = separation_of(world), kineticEnergy = energy,
		measures = measures_of(scenario, world),
	}
end

---------------------------------------------------------------------------------------------------------------------------------
-- Output

-- The lines of the text, each with the number, if any, that must not be 0 for it to say anything.
local lines = {
	{ nil, "$name: $check" },
	{ nil, "  runs         $runs of $ticks steps, $workers workers" },
	{ "ticks", "  ms a step    $msPerStep.min min, $msPerStep.p50 median, $msPerStep.p99 p99; $msPerStep.mean mean of the median run" },
	{ "ticks", "  ms a frame   $msPerStep.frame with updates, without the first; $msPerStep.setup ms for the setup" },
	{ "ticks", "  phases       $phases" },
	{ "bodies", "  bodies       $bodies, $awake of them awake, $asleep asleep" },
	{ "colliders", "  colliders    $colliders" },
	{ "contacts", "  contacts     $contacts, $touching of them touching" },
	{ "joints", "  joints       $joints" },
	{ "islands", "  islands      $islands" },
	{ nil, "  bytes        $bytes, $bytesPerBody a body, $bytesPerContact a contact; of Lua's garbage $garbagePerStep a step" },
	{ "penetration.points", "  penetration  $penetration.mean mean, $penetration.deepest deepest, of $penetration.points points" },
	{ "joints", "  separation   $jointSeparation.mean mean, $jointSeparation.largest largest, of joints" },
	{ "bodies", "  energy       $kineticEnergy kinetic" },
	{ "measures", "  measures     $measures" },
	{ nil, "  hash         $hash" },
}

local function format(value)
	if type(value) ~= "number" then return value or "-" end
	return value == math.floor(value) and ("%.0f"):format(value) or ("%.4g"):format(value)
end

-- Numbers by name as text, in the order of the names.
local function list(numbers, names)
	local parts = {}
	for i, name in ipairs(names) do parts[i] = format(numbers[name]) .. " " .. name end
	return #parts > 0 and table.concat(parts, ", ") or "-"
end

local function print_text(summary)
	local phases, measures = { "update" }, {}
	for i = 2, #run.phases do phases[i] = run.phases[i] end
	for name in pairs(summary.measures) do measures[#measures + 1] = name end
	table.sort(measures)
	local lists = { phases = list(summary.phases, phases), measures = list(summary.measures, measures) }
	local function value(name, field) return field ~= "" and summary[name][field] or summary[name] end
	for _, line in ipairs(lines) do
		local name, field = (line[1] or ""):match "^(%w*)%.?(%w*)$"
		if name == "" or name == "measures" and #measures > 0 or name ~= "measures" and value(name, field) ~= 0 then
			io.write((line[2]:gsub("%$(%w+)%.?(%w*)", function(of, part) return lists[of] or format(value(of, part)) end)), "\n")
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------

-- All runs, until one fails. Returns the finished runs, the last one's world, and the error, if any.
local function run_all(native, scenario, options, guard, probe)
	local runs, world, hash = {}, nil, nil
	for i = 1, options["repeat"] or 1 do
		if world then world:destroy() end
		collectgarbage() -- otherwise the previous world would be collected while this one is timed
		math.randomseed(0)
		local one, problem
		one, world, problem = run.perform(native, scenario, options, guard, probe)
		if one and one.ended then runs[i] = one end
		if problem or native.interrupted() then return runs, world, problem end
		local ends = world:hash()
		hash = hash or ends
		if ends ~= hash then return runs, world, ("run %d ends with hash %s, the first with %s"):format(i, ends, hash) end
	end
	return runs, world
end

-- Returns the exit code.
return function(native, scenario, options, guard, complain)
	local probe = new_probe()
	local runs, world, problem = run_all(native, scenario, options, guard, probe)
	local last = runs[#runs]
	if last and last.wanted > 0 and last.ticks == 0 then last = nil end -- interrupted before the first step
	if last and (options.json or not options.quiet) then
		local summed, summary = guard(sum_up, runs, probe, scenario, world)
		if not summed then
			problem = problem or summary
		elseif options.json then
			io.write(json.encode(summary), "\n")
		else
			print_text(summary)
		end
		problem = problem or run.outputProblem "the summary"
	end
	if problem then complain("%s", problem) end
	return native.interrupted() and 130 or problem and 1 or 0
end
