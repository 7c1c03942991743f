-- Heavy on light in 3D: piles of unit cubes whose masses differ by a hundred and by a thousand rest on the ground, without jitter, and the ground carries the
-- weight of each: the normal impulse of one step is (sum of m) g h. Heavy cubes rock about two axes here and take longer to come to rest. A sub-step is one
-- iteration that has to transmit a hundred times a cube's own weight through the cube; the error falls to 1/e in some 700 iterations.
local d3 = require("collide").d3
local springs = require "collide.host.springs"

local scenario = { name = "mass_ratio3d", duration = 12, timestep = 1 / 60 }

local gravity = 10
local stacks = { { 1, 100 }, { 100, 1 }, { 1, 100, 1 }, { 1, 1000 } } -- masses, from the ground up
local bodies, ground

function scenario.setup(_, options)
	scenario.duration = 2880 * math.max(1 / 240, scenario.timestep / (options and options.substeps or 4))
	-- Awake to the end, so that the last step's impulses can be read.
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, sleeping = false }
	ground = world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
	bodies = {}
	for i, masses in ipairs(stacks) do
		bodies[i] = {}
		for j, mass in ipairs(masses) do
			bodies[i][j] = world:newBody { x = 3 * i - 7.5, y = j - 0.5, shape = d3.box(1, 1, 1), density = mass, data = { stack = i } }
		end
	end
	return world
end

function scenario.check(world)
	local impulse, deepest = {}, {}
	for a, b, _, _, _, _, _, _, separation, force in world:contacts() do
		local lower, upper = a:getBody(), b:getBody()
		local i = (upper.data or lower.data).stack
		deepest[i] = math.max(deepest[i] or 0, -separation)
		if lower == ground or upper == ground then impulse[i] = (impulse[i] or 0) + force end
	end
	for i, masses in ipairs(stacks) do
		local name = "mass_ratio3d: " .. table.concat(masses, ":")
		local ratio, mass = math.max((table.unpack or unpack)(masses)), 0
		local give, sunk = springs.settling(world, scenario.timestep, masses, gravity, 1), 0
		for j, m in ipairs(masses) do
			mass, sunk = mass + m, sunk + give[j]
			local x, y, z = bodies[i][j]:getPosition()
			local vx, vy, vz = bodies[i][j]:getLinearVelocity()
			local speed, aside = math.sqrt(vx * vx + vy * vy + vz * vz), math.max(math.abs(x - 3 * i + 7.5), math.abs(z))
			if ratio <= 100 then
				-- Box3D's cubes go aside by a fifth of their sinking.
				assert(aside < math.max(0.02, sunk / 5), name .. (": cube %d has gone %.3f m aside"):format(j, aside))
				assert(speed < 1e-3, name .. (": cube %d moves at %.4f m/s"):format(j, speed))
				assert(j - 0.5 - y < 1.05 * sunk + 5e-4, name .. (": cube %d has sunk by %.1f mm, and its load makes it %.1f"):format(j, 1000 * (j - 0.5 - y), 1000 * sunk))
			else -- far beyond the mass ratios that the solver is made for; but nothing may fly off
				assert(speed < 1, name .. (": cube %d moves at %.2f m/s"):format(j, speed))
			end
		end
		if ratio <= 100 then
			local wanted = mass * gravity * scenario.timestep
			assert(math.abs(impulse[i] - wanted) < 0.01 * wanted, name .. (": the ground gives %.4f N s a step, not %.4f"):format(impulse[i], wanted))
			local most = math.max((table.unpack or unpack)(give))
			assert(deepest[i] < 1.05 * most + 5e-4, name .. (": cubes overlap by %.1f mm, and their loads make it %.1f"):format(1000 * deepest[i], 1000 * most))
		end
	end
end

return scenario
