-- All scenes with 1 and 2 workers, each run in a process of its own, in turns with Box2D's where there is a built benchmark of it. Writes
-- build/bench.json and build/bench.md; a line for each scene while it goes.
--
--   make bench                                     all scenes, 5 runs
--   make bench BOX2D=folder                        beside Box2D: its program `benchmark` is somewhere in the folder
--   make bench ARGS='--runs 1 --workers 2 tumbler' fewer runs, other numbers of workers (1,2,4), scenes by name
--
-- A frame is what the scene does before a step, and the step; Box2D's benchmark counts the same, and like it we leave out the first.
-- What is compared are medians of the runs' means.
local json = require "collide.host.json"

-- Scene, argument; whether Box2D's benchmark has it.
local scenes = {
	{ "joint_grid", peer = true }, { "large_pyramid", peer = true }, { "many_pyramids", peer = true }, { "rain", peer = true },
	{ "smash", peer = true }, { "spinner", peer = true }, { "tumbler", peer = true },
	{ "mixed", "50" }, { "mixed", "200" }, { "mixed", "1000" }, { "sleeping" }, { "tiles" },
}

local host, folder = arg[-1], arg[0]:match "^(.*)/[^/]*$" or "."
local output = "build/bench"

local function name_of(scene) return table.concat(scene, " ") end

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- What a command prints; nil where it fails.
local function shell(command)
	local pipe = assert(io.popen(command .. "; echo; echo $?"))
	local said = pipe:read "*a"
	pipe:close()
	local text, code = said:match "^(.*)\n(%d+)\n$"
	return code == "0" and text or nil
end

---------------------------------------------------------------------------------------------------------------------------------
-- What is asked for

local function fail(...)
	io.stderr:write("bench: ", string.format(...), "\n")
	os.exit(2)
end

local function parse(arguments)
	local options, i = { runs = 5, workers = { 1, 2 } }, 1
	local names = {}
	local function count(text) return text and text:match "^[1-9]%d*$" and tonumber(text) end
	local read = {
		["--runs"] = function(value) options.runs = count(value) or fail("--runs must be a whole number of at least 1") end,
		["--workers"] = function(value)
			options.workers = {}
			for item in (value or ""):gmatch "[^,]+" do
				table.insert(options.workers, count(item) or fail("--workers must be numbers of at least 1, separated by commas"))
			end
		end,
		["--box2d"] = function(value) options.box2d = value end,
	}
	while arguments[i] do
		if read[arguments[i]] then
			read[arguments[i]](arguments[i + 1])
			i = i + 1
		else
			names[arguments[i]] = true
		end
		i = i + 1
	end
	options.scenes = {}
	for _, scene in ipairs(scenes) do
		local name = name_of(scene)
		if next(names) == nil or names[name] or names[scene[1]] then
			table.insert(options.scenes, scene)
			scene.asked = true
		end
	end
	for name in pairs(names) do
		local known = false
		for _, scene in ipairs(scenes) do known = known or scene.asked and (scene[1] == name or name_of(scene) == name) end
		if not known then fail("no scene '%s'", name) end
	end
	return options
end

-- The program somewhere in the folder.
local function find_peer(box2d)
	if not box2d then return nil end
	local found = shell(("find -L %s -type f -name benchmark -perm -u+x 2>/dev/null | head -1"):format(quote(box2d)))
	local program = found and found:match "[^\n]+"
	if not program then fail("no program 'benchmark' in %s: build Box2D with BOX2D_BENCHMARKS=ON", box2d) end
	return (shell("readlink -f " .. quote(program)) or program):match "[^\n]+"
end

---------------------------------------------------------------------------------------------------------------------------------
-- One run

local function run_ours(scene, workers)
	local said = shell(("%s --bench --json --workers %d %s %s"):format(quote(host), workers, quote(folder .. "/" .. scene[1] .. ".lua"), scene[2] or ""))
	local summary = said and json.decode(said:match "[^\n]+%s*$")
	if not summary then error(("%s with %d workers has failed"):format(name_of(scene), workers), 0) end
	return summary
end

-- It writes tables where it runs: that is a folder of its own. Returns ms a frame and the number of steps.
local function run_peer(program, scene, workers)
	local temporary = shell("mktemp -d"):match "[^\n]+"
	local said = shell(("cd %s && %s -t=%d -w=%d -b=%s -r=1"):format(quote(temporary), quote(program), workers, workers, scene[1]))
	shell("rm -r " .. quote(temporary))
	local steps = said and tonumber(said:match("benchmark: " .. scene[1] .. ", steps = (%d+)"))
	local total = steps and tonumber(said:match "run 0 : ([%d.e+-]+) %(ms%)")
	if not total then error(("Box2D's %s with %d workers has failed"):format(name_of(scene), workers), 0) end
	return total / (steps - 1), steps
end

local function median(values)
	table.sort(values)
	return values[math.ceil(#values / 2)]
end

-- Our median run, with what all runs' frames took, and theirs.
local function compare(program, scene, workers, runs)
	local summaries, frames, theirs = {}, {}, {}
	for i = 1, runs do
		local summary = run_ours(scene, workers)
		summaries[i], frames[i] = summary, summary.msPerStep.frame
		if summary.hash ~= summaries[1].hash then error(name_of(scene) .. ": two runs differ", 0) end
		if program and scene.peer then
			local frame, steps = run_peer(program, scene, workers)
			if steps ~= summary.ticks then error(("%s: %d steps of ours, %d of Box2D's"):format(scene[1], summary.ticks, steps), 0) end
			theirs[i] = frame
		end
	end
	local middle = median(frames)
	for _, summary in ipairs(summaries) do
		if summary.msPerStep.frame == middle then
			summary.scene, summary.frames = name_of(scene), frames
			if #theirs > 0 then
				summary.box2d = { frame = median(theirs), frames = theirs }
				summary.ratio = middle / summary.box2d.frame
			end
			return summary
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- The table

local function number(value, format)
	return value and (format or "%.3f"):format(value) or "-"
end

local function value_of(format, ...)
	local path = { ... }
	return function(summary)
		local value = summary
		for _, key in ipairs(path) do value = value and value[key] end
		return number(value, format)
	end
end

local function measures_of(summary)
	local parts = {}
	for name, value in pairs(summary.measures) do parts[#parts + 1] = ("%s %.4g"):format(name, value) end
	table.sort(parts)
	return table.concat(parts, ", ")
end

-- Of each table the title, and head and value of each column after scene and workers.
local tables = {
	{ "Time, in ms: of a frame, of steps, and of the phases on average",
		{ "ours", value_of("%.3f", "msPerStep", "frame") }, { "Box2D", value_of("%.3f", "box2d", "frame") }, { "ours / Box2D", value_of("%.2f", "ratio") },
		{ "step min", value_of("%.3f", "msPerStep", "min") }, { "median", value_of("%.3f", "msPerStep", "p50") }, { "p99", value_of("%.3f", "msPerStep", "p99") },
		{ "update", value_of("%.3f", "phases", "update") }, { "pairs", value_of("%.3f", "phases", "pairs") },
		{ "collide", value_of("%.3f", "phases", "collide") }, { "contacts", value_of("%.3f", "phases", "contacts") },
		{ "solve", value_of("%.3f", "phases", "solve") }, { "finish", value_of("%.3f", "phases", "finish") },
		{ "sweep", value_of("%.3f", "phases", "sweep") }, { "setup", value_of("%.0f", "msPerStep", "setup") } },
	{ "At the end: how good it is, in units of length, mass and time",
		{ "overlap mean", value_of("%.2g", "penetration", "mean") }, { "deepest", value_of("%.2g", "penetration", "deepest") },
		{ "joints apart, mean", value_of("%.2g", "jointSeparation", "mean") }, { "largest", value_of("%.2g", "jointSeparation", "largest") },
		{ "kinetic energy", value_of("%.3g", "kineticEnergy") }, { "asleep", value_of("%d", "asleep") }, { "measures", measures_of },
		{ "check", function(summary) return summary.check end } },
	{ "At the end: how much there is; garbage of Lua's a step",
		{ "bodies", value_of("%d", "bodies") }, { "awake", value_of("%d", "awake") }, { "contacts", value_of("%d", "contacts") },
		{ "touching", value_of("%d", "touching") }, { "joints", value_of("%d", "joints") }, { "islands", value_of("%d", "islands") },
		{ "bytes", value_of("%d", "bytes") }, { "a body", value_of("%.0f", "bytesPerBody") }, { "a contact", value_of("%.0f", "bytesPerContact") },
		{ "garbage", value_of("%.0f", "garbagePerStep") } },
}

local function row(cells)
	return "| " .. table.concat(cells, " | ") .. " |\n"
end

local function format_table(columns, results)
	local head, rule, lines = { "scene", "workers" }, { "---", "--:" }, {}
	for i = 2, #columns do head[i + 1], rule[i + 1] = columns[i][1], "--:" end
	for k, result in ipairs(results) do
		local cells = { result.scene, number(result.workers, "%d") }
		for i = 2, #columns do cells[i + 1] = columns[i][2](result) end
		lines[k] = row(cells)
	end
	return columns[1] .. ".\n\n" .. row(head) .. row(rule) .. table.concat(lines) .. "\n"
end

local function write(path, text)
	local file = assert(io.open(path, "w"))
	file:write(text)
	file:close()
end

local function write_all(results, options)
	local ratios, parts = {}, {}
	for _, result in ipairs(results) do ratios[#ratios + 1] = result.ratio end
	for i, columns in ipairs(tables) do parts[i] = format_table(columns, results) end
	parts[#parts + 1] = ("Medians of %d runs, in turns.\n"):format(options.runs)
	if #ratios > 0 then
		parts[#parts + 1] = ("Ours / Box2D over all rows: %.2f in the median, %.2f at most.\n"):format(median(ratios), ratios[#ratios])
	end
	write(output .. ".md", table.concat(parts))
	write(output .. ".json", json.encode { runs = options.runs, results = results } .. "\n")
end

local options = parse { ... }
local program = find_peer(options.box2d)
os.execute "mkdir -p build"
local results, failures, hashes = {}, 0, {}
for _, scene in ipairs(options.scenes) do
	for _, workers in ipairs(options.workers) do
		local fine, result = pcall(compare, program, scene, workers, options.runs)
		if fine then
			results[#results + 1] = result
			hashes[result.scene] = hashes[result.scene] or result.hash
			if result.hash ~= hashes[result.scene] then
				failures = failures + 1
				io.stderr:write(("bench: %s ends otherwise with %d workers\n"):format(result.scene, workers))
			end
			print(("%-14s %d  %9.3f ms%s"):format(result.scene, workers, result.msPerStep.frame,
				result.ratio and ("  Box2D %9.3f ms  %5.2f"):format(result.box2d.frame, result.ratio) or ""))
		else
			failures = failures + 1
			io.stderr:write("bench: ", tostring(result), "\n")
		end
		write_all(results, options)
	end
end
print(("%s.md, %s.json"):format(output, output))
if failures > 0 then os.exit(1) end
