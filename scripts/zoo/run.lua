-- Runs a scene of scripts/zoo/scenes as a scenario of the host: build/host --hz 30 scripts/zoo/run.lua stack; with --shot, --film and --view, too.
local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
local zoo = dofile(here .. "zoo.lua")

local scenario = { name = "zoo", timestep = 1 / 60 }
local scene, run

function scenario.setup(args, options)
	local name = args[1] or ""
	local path = name:match "%.lua$" and name or here .. "scenes/" .. name .. ".lua"
	local file = io.open(path)
	if not file then error(("zoo: the argument must be the name of a scene in %sscenes, got '%s'"):format(here, name), 0) end
	file:close()
	scene = zoo.load(path)
	scenario.duration = scene.seconds
	run = zoo.build(scene, options)
	zoo.watch(run)
	return run.world
end

function scenario.update(_, tick)
	local dt = scenario.timestep
	if tick > 1 then zoo.look(run, (tick - 1) * dt, dt) end
	zoo.move(run, (tick - 1) * dt, dt)
end

function scenario.check()
	zoo.look(run, scene.seconds, scenario.timestep)
	local figures, names = zoo.figures(run), {}
	for key, value in pairs(figures) do names[#names + 1] = ("%s %.4g"):format(key, value) end
	table.sort(names)
	print("zoo: " .. table.concat(names, ", "))
	local worse = zoo.worse(scene, math.floor(1 / scenario.timestep + 0.5), figures)
	assert(#worse == 0, table.concat(worse, "\n"))
end

return scenario
