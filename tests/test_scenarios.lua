-- Every script in scripts/ works: scenarios are set up, stepped and checked here as the host does it, in their brief form if they have one; plain scripts are
-- run to their end.
local lu, support = require "luaunit", require "support"
local collide = require "collide"

local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
local folder = here .. "../scripts/"

TestScenarios = {}

-- Runs a file with a silent `print`; its other globals are the usual ones.
local function run(path, args)
	local quiet = setmetatable({ print = function() end, arg = args }, { __index = _G })
	quiet.dofile = function(other) return run(other, args) end
	local chunk
	if setfenv then
		chunk = assert(loadfile(path))
		setfenv(chunk, quiet)
	else
		chunk = assert(loadfile(path, "t", quiet))
	end
	return chunk((table.unpack or unpack)(args))
end

-- The world after `duration`, and the timestep.
local function play(scenario, duration, args)
	local dt = scenario.timestep or 1 / 60
	local world = scenario.setup(args)
	for tick = 1, math.floor(duration / dt + 0.5) do
		if scenario.update then scenario.update(world, tick) end
		world:step(dt)
	end
	world:validate()
	return world, dt
end

local function drive(scenario, duration, args)
	local world = play(scenario, duration, args)
	local camera = scenario.camera
	if type(camera) == "function" then camera = camera() end
	require("collide.host.camera").new(world, camera, 1280, 720)
	scenario.check(world)
	for what, value in pairs(scenario.measure and scenario.measure(world) or {}) do
		lu.assertIsString(what)
		lu.assertIsNumber(value)
	end
	world:destroy()
end

local found = {}
do
	for _, sub in ipairs { "", "demos/" } do
		for _, name in ipairs(support.scripts(folder .. sub)) do found[#found + 1] = sub .. name end
	end
end

-- Guards against an empty listing.
function TestScenarios.test_all_scripts_are_here()
	local present = {}
	for _, name in ipairs(found) do present[name] = true end
	for _, name in ipairs {
		"arch", "arch3d", "arena", "boulders", "bridge", "capsules", "car", "car3d", "card_house", "card_house3d", "castle", "catapult", "clock", "conveyor", "cradle", "crane", "digging",
		"dominoes", "dominoes3d", "door", "events", "explosion", "fruit", "hello", "hello3d", "kites", "mass_ratio", "mass_ratio3d", "motorbike", "pile", "pile3d", "planets", "platformer",
		"pyramid", "pyramid3d", "ragdoll_stairs", "rain", "robot_arm", "roller_coaster", "sorting", "square_pyramids", "stack", "stack3d", "tank", "terrain", "terrain3d", "tops", "tumbler", "wall", "water", "windmill",
		"demos/gjk", "demos/marble", "demos/minkowski", "demos/sweep", "demos/walker",
	} do
		lu.assertTrue(present[name], "scripts/" .. name .. ".lua is missing")
	end
end

for _, name in ipairs(found) do
	TestScenarios["test_" .. name:gsub("/", "_")] = function()
		local path = folder .. name .. ".lua"
		local scenario = run(path, {})
		if scenario == nil or type(scenario) == "userdata" then return end -- a plain script, which has run; it may return its world
		lu.assertIsTable(scenario)
		lu.assertEquals(scenario.name, name:match "[^/]+$")
		lu.assertIsFunction(scenario.setup)
		lu.assertIsFunction(scenario.check)
		lu.assertTrue(scenario.duration > 0)
		local brief = scenario.brief
		drive(scenario, brief and brief.duration or scenario.duration, brief and brief.args or {})
	end
end

-- Each scenario is saved midway, and goes on to the same hash: where it is; restored; loaded with 2 workers; and loaded in another process with 4 workers and
-- four lanes. Snapshots have no hooks, so nothing but steps follows.
function TestScenarios.test_each_goes_on_from_a_snapshot()
	lu.skipIf(support.windows, "a test in Linux")
	local steps, files, hashes, lines = 15, {}, {}, {}
	for _, name in ipairs(found) do
		local scenario = run(folder .. name .. ".lua", {})
		if type(scenario) == "table" then
			local world, dt = play(scenario, math.min(0.75, scenario.duration / 2), scenario.brief and scenario.brief.args or {})
			local saved, midway = world:save(), world:hash()
			local function goes_on(other)
				lu.assertEquals(other:hash(), midway, name)
				for _ = 1, steps do other:step(dt) end
				other:validate()
				return other:hash()
			end
			local hash = goes_on(world)
			world:restore(saved)
			lu.assertEquals(goes_on(world), hash, name)
			world:destroy()
			local other = collide.load(saved, { workers = 2 })
			lu.assertEquals(goes_on(other), hash, name)
			other:destroy()
			local file = support.write(support.tmpname(), saved)
			files[#files + 1], hashes[#hashes + 1] = file, name .. " " .. hash
			lines[#lines + 1] = ("go(%q, %q, %.17g)"):format(name, file, dt)
		end
	end
	lu.assertTrue(#files > 50)
	local script = support.write(support.tmpname(), ([[
local function go(name, file, dt)
	local handle = assert(io.open(file, "rb"))
	local world = require("collide").load(handle:read "*a", { workers = 4 })
	handle:close()
	for _ = 1, %d do world:step(dt) end
	print(name .. " " .. world:hash())
	world:destroy()
end
%s
]]):format(steps, table.concat(lines, "\n")))
	local said = support.shell(("COLLIDE_LANES=4 %s %s"):format(support.quote(support.host), support.quote(script)))
	os.remove(script)
	for _, file in ipairs(files) do os.remove(file) end
	lu.assertEquals(said, table.concat(hashes, "\n") .. "\n")
end

-- The benchmark scenes, in their brief form.
package.path = folder .. "bench/?.lua;" .. package.path
for _, name in ipairs {
	"compounds", "convex_pile", "floating", "floating3d", "joint_grid", "joint_grid3d", "junkyard", "junkyard3d", "large_pyramid", "large_pyramid3d", "large_world3d",
	"many_pyramids", "many_pyramids3d", "mixed", "mixed_joints", "rain", "rain3d", "sleeping", "smash", "spinner", "tile_map", "tiles", "trees3d", "tumbler", "vehicles", "voxel_map",
	"vehicles3d", "washer", "washer3d", "wide_pyramid3d",
} do
	TestScenarios["test_bench_" .. name] = function()
		local scenario = run(folder .. "bench/" .. name .. ".lua", {})
		lu.assertEquals(scenario.name, name)
		local brief = scenario.brief
		drive(scenario, brief.duration, brief.args)
	end
end

-- Twins of Jolt's scenes, in their brief form with each motion quality.
for _, name in ipairs { "convex_vs_mesh3d", "high_speed", "high_speed3d", "large_mesh3d", "loose_pyramid3d", "max_bodies3d", "ragdolls3d" } do
	for _, quality in ipairs { "discrete", "statics", "bullets" } do
		TestScenarios["test_bench_" .. name .. "_" .. quality] = function()
			local scenario = run(folder .. "bench/" .. name .. ".lua", {})
			lu.assertEquals(scenario.name, name)
			local args = scenario.brief.args
			drive(scenario, scenario.brief.duration, { quality, args[2], args[3] })
		end
	end
end

-- The other side of the thresholds that some scenarios show: too little friction, too thin, too weak a force; and other sizes.
for _, case in ipairs {
	{ "card_house", "0.1", "falls_without_friction" },
	{ "card_house", "0.5", "stands_with_less_friction" },
	{ "arch", "0.08", "falls_when_too_thin" },
	{ "dominoes", "0.9", "stay_up_when_pushed_too_weakly" },
	{ "pyramid", "1", "of_one_box" },
	{ "pyramid", "7", "of_base_7" },
	{ "card_house3d", "0.1", "falls_without_friction" },
	{ "card_house3d", "0.5", "stands_with_less_friction" },
	{ "arch3d", "0.08", "falls_when_too_thin" },
	{ "dominoes3d", "0.9", "stay_up_when_pushed_too_weakly" },
	{ "pyramid3d", "1", "of_one_cube" },
	{ "pyramid3d", "7", "of_base_7" },
	{ "wall", "0", "stands_when_nothing_is_shot_at_it" },
	{ "explosion", "through", "reaches_the_next_room_without_occlusion" },
} do
	local name, argument, what = case[1], case[2], case[3]
	TestScenarios["test_" .. name .. "_" .. what] = function()
		local scenario = run(folder .. name .. ".lua", { argument })
		drive(scenario, math.min(scenario.duration, 10), { argument })
	end
end

-- Its rows are pushed apart as the square of the base, and yet it stands.
function TestScenarios.test_pyramid_of_base_140()
	drive(run(folder .. "pyramid.lua", {}), 4, { "140" })
end

for _, name in ipairs {
	"arch", "arch3d", "boulders", "capsules", "card_house", "card_house3d", "dominoes", "dominoes3d", "fruit", "pile3d", "planets", "pyramid", "pyramid3d",
	"rain", "sorting", "square_pyramids", "terrain3d", "tumbler", "wall",
} do
	TestScenarios["test_" .. name .. "_names_the_limits_of_its_argument"] = function()
		local scenario = run(folder .. name .. ".lua", {})
		for _, argument in ipairs { "x", "", "nan", "-1", "1e9", "inf" } do
			lu.assertErrorMsgMatches(("%s: .+ must be a.* number from [%%d.]+ to %%d[%%d.]*, got '%s'"):format(name, (argument:gsub("%-", "%%-"))),
				scenario.setup, { argument })
		end
	end
end

function TestScenarios.test_a_missing_scene_of_the_zoo_is_named()
	local scenario = run(folder .. "zoo/run.lua", {})
	for _, name in ipairs { "", "nothing_like_it", "nothing.lua" } do
		lu.assertErrorMsgMatches(("zoo: the argument must be the name of a scene in .*scenes, got '%s'"):format(name), scenario.setup, { name })
	end
	lu.assertErrorMsgContains("got ''", scenario.setup, {})
end
