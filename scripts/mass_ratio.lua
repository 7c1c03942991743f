-- Heavy on light: piles of unit boxes whose masses differ by a hundred and by a thousand rest on the ground, without jitter, and
-- the ground carries the weight of each: the normal impulse of one step is (sum of m) g h.
local d2 = require("collide").d2
local springs = require "collide.host.springs"

local scenario = { name = "mass_ratio", duration = 5, timestep = 1 / 60 }

local gravity = 10
local stacks = { { 1, 100 }, { 100, 1 }, { 1, 100, 1 }, { 1, 1000 } } -- masses, from the ground up
local bodies, ground

function scenario.setup()
	-- Awake to the end, so that the last step's impulses can be read.
	local world = d2.newWorld { gravity = { 0, -gravity }, sleeping = false }
	ground = world:newBody { type = "static", y = -1, shape = d2.box(40, 2) }
	bodies = {}
	for i, masses in ipairs(stacks) do
		bodies[i] = {}
		for j, mass in ipairs(masses) do
			bodies[i][j] = world:newBody { x = 3 * i - 7.5, y = j - 0.5, shape = d2.box(1, 1), density = mass, data = { stack = i } }
		end
	end
	return world
end

function scenario.check(world)
	local impulse, deepest = {}, {}
	for a, b, _, _, _, _, separation, force in world:contacts() do
		local lower, upper = a:getBody(), b:getBody()
		local i = (upper.data or lower.data).stack
		deepest[i] = math.max(deepest[i] or 0, -separation)
		if lower == ground or upper == ground then impulse[i] = (impulse[i] or 0) + force end
	end
	for i, masses in ipairs(stacks) do
		local name = "mass_ratio: " .. table.concat(masses, ":")
		local ratio, mass = math.max((table.unpack or unpack)(masses)), 0
		local give, sunk = springs.settling(world, scenario.timestep, masses, gravity, 4 / 5), 0
		for j, m in ipairs(masses) do
			mass, sunk = mass + m, sunk + give[j]
			local x, y = bodies[i][j]:getPosition()
			local vx, vy = bodies[i][j]:getLinearVelocity()
			local speed = math.sqrt(vx * vx + vy * vy)
			if ratio <= 100 then
				assert(math.abs(x - 3 * i + 7.5) < 0.02, name .. (": box %d has gone %.3f m aside"):format(j, x - 3 * i + 7.5))
				assert(speed < 1e-3, name .. (": box %d moves at %.4f m/s"):format(j, speed))
				assert(j - 0.5 - y < 1.05 * sunk + 5e-4, name .. (": box %d has sunk by %.1f mm, and its load makes it %.1f"):format(j, 1000 * (j - 0.5 - y), 1000 * sunk))
			else -- far beyond the mass ratios that the solver is made for; but nothing may fly off
				assert(speed < 1, name .. (": box %d moves at %.2f m/s"):format(j, speed))
			end
		end
		if ratio <= 100 then
			local wanted = mass * gravity * scenario.timestep
			assert(math.abs(impulse[i] - wanted) < 0.01 * wanted,
				name .. (": the ground gives %.4f N s a step, not %.4f"):format(impulse[i], wanted))
			local most = math.max((table.unpack or unpack)(give))
			assert(deepest[i] < 1.05 * most + 5e-4, name .. (": boxes overlap by %.1f mm, and their loads make it %.1f"):format(1000 * deepest[i], 1000 * most))
		end
	end
end

return scenario
