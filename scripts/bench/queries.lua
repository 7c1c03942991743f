-- The time of a query among 100,000 static boxes on a lattice and 10,000 balls that move between them, in us: the least of some frames. `raycasts` casts 10,000
-- rays in one call, on one worker; all others are called 10,000 times. `first` is the first query after a step, which updates the tree of moving bodies for all
-- that follow.
--
--   build/host scripts/bench/queries.lua
local collide = require "collide"

local STATIC, MOVING, COUNT, FRAMES, REACH = 100000, 10000, 10000, 8, 20

local function random()
	local seed = 1
	return function(low, high)
		seed = seed * 16807 % 2147483647
		return low + (high - low) * seed / 2147483647
	end
end

local function scene(d, axes, number)
	local world = d.newWorld { gravity = axes == 2 and { 0, 0 } or { 0, 0, 0 }, sleeping = false }
	local side = math.ceil(STATIC ^ (1 / axes) - 1e-9)
	local box, ball = axes == 2 and d.box(1, 1) or d.box(1, 1, 1), axes == 2 and d.circle(0.2) or d.sphere(0.2)
	for i = 0, STATIC - 1 do
		world:newBody { type = "static", x = 2 * (i % side), y = 2 * (math.floor(i / side) % side), z = axes == 3 and 2 * math.floor(i / side ^ 2) or nil, shape = box }
	end
	local function odd() return 2 * math.floor(number(0, side)) + 1 end
	for _ = 1, MOVING do
		local velocity = { number(-5, 5), number(-5, 5), axes == 3 and number(-5, 5) or nil }
		world:newBody { x = odd(), y = odd(), z = axes == 3 and odd() or nil, shape = ball, restitution = 1, friction = 0, linearVelocity = velocity }
	end
	for _ = 1, 10 do world:step(1 / 60) end
	return world, 2 * side
end

local kinds = { "first", "raycast", "raycasts", "shapecast", "nearest", "overlapPoint" }

local function measure(d, axes)
	local number = random()
	local world, size = scene(d, axes, number)
	local least, found, rays, hits, list = {}, {}, {}, {}, {}
	local probe, poses = axes == 2 and d.circle(0.3) or d.sphere(0.3), {}
	local calls = {}
	if axes == 2 then
		function calls.raycast(i) return world:raycast(rays[i], rays[i + 1], rays[i + 2], rays[i + 3]) end
		function calls.shapecast(i) return world:shapecast(probe, poses[i], rays[i + 2] - rays[i], rays[i + 3] - rays[i + 1]) end
		function calls.nearest(i) return world:nearest(rays[i], rays[i + 1]) end
		function calls.overlapPoint(i) return world:overlapPoint(rays[i], rays[i + 1], nil, list)[1] end
	else
		function calls.raycast(i) return world:raycast(rays[i], rays[i + 1], rays[i + 2], rays[i + 3], rays[i + 4], rays[i + 5]) end
		function calls.shapecast(i)
			return world:shapecast(probe, poses[i], rays[i + 3] - rays[i], rays[i + 4] - rays[i + 1], rays[i + 5] - rays[i + 2])
		end
		function calls.nearest(i) return world:nearest(rays[i], rays[i + 1], rays[i + 2]) end
		function calls.overlapPoint(i) return world:overlapPoint(rays[i], rays[i + 1], rays[i + 2], nil, list)[1] end
	end
	calls.first = calls.overlapPoint
	function calls.raycasts() world:raycasts(rays, hits) end
	for _ = 1, FRAMES do
		world:step(1 / 60)
		for i = 1, 2 * axes * COUNT, 2 * axes do
			for k = 0, axes - 1 do
				rays[i + k] = number(0, size)
				rays[i + axes + k] = rays[i + k] + REACH * number(-0.5, 0.5)
			end
			poses[i] = d.pose((table.unpack or unpack)(rays, i, i + axes - 1))
		end
		for _, name in ipairs(kinds) do
			local call, n = calls[name], 0
			local start = os.clock()
			local times = (name == "first" or name == "raycasts") and 1 or COUNT
			for i = 1, 2 * axes * times, 2 * axes do
				if call(i) then n = n + 1 end
			end
			least[name] = math.min(least[name] or math.huge, (os.clock() - start) / (name == "first" and 1 or COUNT) * 1e6)
			if name == "raycasts" then
				for i = 1, #hits, 2 * axes + 3 do
					if hits[i] then n = n + 1 end
				end
			end
			found[name] = n
		end
	end
	assert(found.raycast == found.raycasts and found.shapecast >= found.raycast and found.nearest == COUNT)
	for _, name in ipairs(kinds) do print(("%s %-14s%9.2f us%8.1f %% hit"):format(axes == 2 and "2D" or "3D", name, least[name], 100 * found[name] / COUNT)) end
end

measure(collide.d2, 2)
measure(collide.d3, 3)
