-- Runs all scenes with 1 and 2 workers, each in a process of its own, alternating with Box2D's or Box3D's benchmark of the scene if that is built. Writes
-- build/bench.json and build/bench.md; prints a line for each scene while it runs.
--
--   make bench                                     all scenes, 5 runs
--   make bench BOX2D=folder BOX3D=folder           beside Box2D and Box3D, or one of them: its program `benchmark` is somewhere in the folder
--   make bench ARGS='--runs 1 --workers 2 tumbler' fewer runs, other numbers of workers (1,2,4), scenes by name
--
-- A frame is the scene's update before a step, and the step. Their benchmarks count the same; both leave out the first frame.
-- The compared values are medians of the runs' means.
local json = require "collide.host.json"

-- Scene, argument; the name of Box2D's or Box3D's benchmark of it, if there is one.
local scenes = {
	{ "compounds", box2d = "compounds" }, { "joint_grid", box2d = "joint_grid" }, { "junkyard", box2d = "junkyard" },
	{ "large_pyramid", box2d = "large_pyramid" }, { "many_pyramids", box2d = "many_pyramids" }, { "rain", box2d = "rain" }, { "smash", box2d = "smash" },
	{ "spinner", box2d = "spinner" }, { "tumbler", box2d = "tumbler" }, { "washer", box2d = "washer" },
	{ "mixed", "50" }, { "mixed", "200" }, { "mixed", "1000" }, { "sleeping" }, { "tiles" }, { "floating" }, { "floating3d" },
	{ "convex_pile", box3d = "convex_pile" }, { "joint_grid3d", box3d = "joint_grid" }, { "junkyard3d", box3d = "junkyard" },
	{ "large_pyramid3d", box3d = "large_pyramid" }, { "large_world3d", box3d = "large_world" }, { "many_pyramids3d", box3d = "many_pyramids" },
	{ "rain3d", box3d = "rain" }, { "trees3d", "100", box3d = "trees100" }, { "trees3d", "50", box3d = "trees50" },
	{ "trees3d", "25", box3d = "trees25" }, { "washer3d", box3d = "washer" },
	{ "high_speed", "discrete" }, { "high_speed", "statics" }, { "high_speed", "bullets" },
	{ "high_speed3d", "discrete" }, { "high_speed3d", "statics" }, { "high_speed3d", "bullets" },
	{ "convex_vs_mesh3d", "statics" }, { "convex_vs_mesh3d", "bullets" }, { "large_mesh3d" }, { "loose_pyramid3d" }, { "max_bodies3d" }, { "ragdolls3d" },
	{ "wide_pyramid3d" }, { "vehicles" }, { "vehicles3d" }, { "mixed_joints", "d2" }, { "mixed_joints", "d3" },
}
local peers = { box2d = "Box2D", box3d = "Box3D" }

local host, folder = arg[-1], arg[0]:match "^(.*)/[^/]*$" or "."
local output = "build/bench"

local function name_of(scene) return table.concat(scene, " ") end

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- The output of a command.
local function shell(command)
	local pipe = assert(io.popen(command))
	local said = pipe:read "*a"
	pipe:close()
	return said
end

---------------------------------------------------------------------------------------------------------------------------------
-- Arguments

local function fail(...)
	io.stderr:write("bench: ", string.format(...), "\n")
	os.exit(2)
end

local function parse(arguments)
	local options, i = { runs = 5, workers = { 1, 2 }, folders = {} }, 1
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
	}
	for key in pairs(peers) do
		read["--" .. key] = function(value) options.folders[key] = value end
	end
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
local function find_program(key, where)
	local found = shell(("find -L %s -type f -name benchmark -perm -u+x 2>/dev/null | head -1"):format(quote(where)))
	local program = found:match "[^\n]+"
	if not program then fail("no program 'benchmark' in %s: build %s with %s_BENCHMARKS=ON", where, peers[key], key:upper()) end
	return shell("readlink -f " .. quote(program)):match "[^\n]+" or program
end

-- The peer that has the scene: its name, its program, its name for the scene; nil if none of the given peers has it.
local function peer_of(scene, programs)
	for key, program in pairs(programs) do
		if scene[key] then return { name = peers[key], program = program, scene = scene[key] } end
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- One run

local function run_ours(scene, workers)
	local said = shell(("%s --bench --json --workers %d %s %s"):format(quote(host), workers, quote(folder .. "/" .. scene[1] .. ".lua"), scene[2] or ""))
	local line = said:match "[^\n]+%s*$"
	local summary = line and json.decode(line)
	if not summary then error(("%s with %d workers has failed"):format(name_of(scene), workers), 0) end
	return summary
end

-- The program writes tables into its working folder, so it runs in a temporary one. Returns ms a frame and the number of steps.
local function run_peer(peer, workers)
	local temporary = shell("mktemp -d"):match "[^\n]+"
	local said = shell(("cd %s && %s -t=%d -w=%d -b=%s -r=1"):format(quote(temporary), quote(peer.program), workers, workers, peer.scene))
	shell("rm -r " .. quote(temporary))
	local steps = tonumber(said:match("benchmark: " .. peer.scene .. ", steps = (%d+)"))
	local total = steps and tonumber(said:match "run 0 : ([%d.e+-]+) %(ms%)")
	if not total then error(("%s's %s with %d workers has failed"):format(peer.name, peer.scene, workers), 0) end
	return total / (steps - 1), steps
end

local function median(values)
	table.sort(values)
	return values[math.ceil(#values / 2)]
end

-- Our median run, with the frame times of all our runs and of the peer's.
local function compare(peer, scene, workers, runs)
	local summaries, frames, theirs = {}, {}, {}
	for i = 1, runs do
		local summary = run_ours(scene, workers)
		summaries[i], frames[i] = summary, summary.msPerStep.frame
		if summary.hash ~= summaries[1].hash then error(name_of(scene) .. ": two runs differ", 0) end
		if peer then
			local frame, steps = run_peer(peer, workers)
			if steps ~= summary.ticks then
				error(("%s: %d steps of ours, %d of %s's"):format(name_of(scene), summary.ticks, steps, peer.name), 0)
			end
			theirs[i] = frame
		end
	end
	local middle = median(frames)
	for _, summary in ipairs(summaries) do
		if summary.msPerStep.frame == middle then
			summary.scene, summary.frames = name_of(scene), frames
			if #theirs > 0 then
				summary.peer = { name = peer.name, frame = median(theirs), frames = theirs }
				summary.ratio = middle / summary.peer.frame
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

-- Each table's title, then the head and value of each column after scene and workers.
local tables = {
	{ "Time, in ms: of a frame, of steps, and of the phases on average",
		{ "ours", value_of("%.3f", "msPerStep", "frame") }, { "theirs", value_of("%.3f", "peer", "frame") }, { "ours / theirs", value_of("%.2f", "ratio") },
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
	local parts = {}
	for i, columns in ipairs(tables) do parts[i] = format_table(columns, results) end
	parts[#parts + 1] = ("Medians of %d runs, in turns.\n"):format(options.runs)
	for _, name in ipairs { peers.box2d, peers.box3d } do
		local ratios = {}
		for _, result in ipairs(results) do
			if result.peer and result.peer.name == name then ratios[#ratios + 1] = result.ratio end
		end
		if #ratios > 0 then
			parts[#parts + 1] = ("Ours / %s over all rows: %.2f in the median, %.2f at most.\n"):format(name, median(ratios), ratios[#ratios])
		end
	end
	write(output .. ".md", table.concat(parts))
	write(output .. ".json", json.encode { runs = options.runs, results = results } .. "\n")
end

local options = parse { ... }
local programs = {}
for key, where in pairs(options.folders) do programs[key] = find_program(key, where) end
os.execute "mkdir -p build"
local results, failures, hashes = {}, 0, {}
for _, scene in ipairs(options.scenes) do
	for _, workers in ipairs(options.workers) do
		local fine, result = pcall(compare, peer_of(scene, programs), scene, workers, options.runs)
		if fine then
			results[#results + 1] = result
			hashes[result.scene] = hashes[result.scene] or result.hash
			if result.check ~= "passed" then failures = failures + 1 end -- the host has reported the failure
			if result.hash ~= hashes[result.scene] then
				failures = failures + 1
				io.stderr:write(("bench: %s ends otherwise with %d workers\n"):format(result.scene, workers))
			end
			print(("%-15s %d  %9.3f ms%s"):format(result.scene, workers, result.msPerStep.frame,
				result.ratio and ("  %s %9.3f ms  %5.2f"):format(result.peer.name, result.peer.frame, result.ratio) or ""))
		else
			failures = failures + 1
			io.stderr:write("bench: ", tostring(result), "\n")
		end
		write_all(results, options)
	end
end
print(("%s.md, %s.json"):format(output, output))
if failures > 0 then os.exit(1) end
