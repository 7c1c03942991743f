-- Laws of a body with so many contacts that the solver splits it into shares: a ship full of crates. The laws of a few contacts hold for many.
local lu = require "luaunit"
local support = require "support"
local planes, suite, random_numbers = support.planes, support.suite, support.random_numbers

for _, dim in ipairs { "d2", "d3" } do
	local d, TestHubs = planes[dim], suite("TestHubs", dim)
	local G, SLOP = 10, 0.005

	-- A ship that lies on the ground, its deck at y = 0, with `count` towers of `high` crates of 1 kg.
	local function towers(count, high, density)
		local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
		local ship, crates, box = nil, {}, d.box(1, 1)
		world:newBody { type = "static", y = -3, shape = d.box(1000, 2) }
		ship = world:newBody { y = -1, shape = d.box(1.2 * count + 5, 2), density = density }
		for i = 1, count do
			for k = 1, high do crates[#crates + 1] = world:newBody { x = 1.2 * (i - (count + 1) / 2), y = k - 0.5, shape = box } end
		end
		return world, ship, crates
	end

	local function assert_towers_stand(count, high, density)
		local world, ship, crates = towers(count, high, density)
		for _ = 1, 120 do world:step(1 / 60) end
		local _, deck = ship:getPosition()
		for i, crate in ipairs(crates) do
			local tower, level = math.floor((i - 1) / high), (i - 1) % high
			local x, y = crate:getPosition()
			local vx, vy = crate:getLinearVelocity()
			lu.assertAlmostEquals(y - deck, 1.5 + level, (level + 1) * SLOP, "height of crate " .. i)
			lu.assertAlmostEquals(x, 1.2 * (tower + 1 - (count + 1) / 2), SLOP / 5, "place of crate " .. i)
			lu.assertAlmostEquals(math.abs(vx) + math.abs(vy), 0, 1e-4, "speed of crate " .. i)
		end
	end

	function TestHubs.test_towers_stand_quietly_on_a_ship() assert_towers_stand(200, 3, 1) end

	-- Too light to be split: one share would have less than the mass of six crates.
	function TestHubs.test_towers_stand_quietly_on_a_raft() assert_towers_stand(100, 3, 0.2) end

	-- Its contacts with the slope, a single static body, are split into shares, too.
	function TestHubs.test_a_row_of_colliders_lies_or_slides_on_a_slope()
		local slope, seconds = 0.35, 1
		for _, friction in ipairs { 0.6, 0.1 } do
			local world, shapes = d.newWorld { gravity = { G * math.sin(slope), -G * math.cos(slope) }, sleeping = false }, {}
			world:newBody { type = "static", y = -1, shape = d.box(600, 2), friction = friction }
			for i = 1, 300 do shapes[i] = { shape = d.box(0.5, 0.5, { x = 0.6 * (i - 150.5), y = 0.25 }), friction = friction } end
			local row = world:newBody { shapes = shapes }
			for _ = 1, 60 * seconds do world:step(1 / 60) end
			local x, y = row:getPosition()
			local gain = math.max(0, G * (math.sin(slope) - friction * math.cos(slope)))
			lu.assertAlmostEquals(x, gain * seconds ^ 2 / 2, 0.01 + 0.02 * gain)
			lu.assertAlmostEquals(y, 0, SLOP)
		end
	end

	-- Impacts against a free ship, some of them elastic, by bodies of several colliders: each has several contacts with it.
	function TestHubs.test_impacts_conserve_momentum()
		local number = random_numbers(5)
		local world, bodies = d.newWorld { gravity = { 0, 0 }, sleeping = false }, {}
		bodies[1] = world:newBody { y = -1, shape = d.box(250, 2), angularVelocity = 0.001, friction = 0.5 }
		for i = 1, 200 do
			local box = { shape = d.box(0.4, 0.4), restitution = i % 3 == 0 and 0.8 or 0 }
			bodies[i + 1] = world:newBody { x = i - 100.5, y = 0.25, shapes = { box, { shape = d.circle(0.2, 0.4, 0) } },
				linearVelocity = { number(-1, 1), number(-3, -1) } }
		end
		local px, py, l = support.momenta(bodies)
		for _ = 1, 30 do world:step(1 / 60) end
		local qx, qy, k = support.momenta(bodies)
		local _, vy = bodies[1]:getLinearVelocity()
		lu.assertTrue(vy < -0.1, "the ship moves")
		lu.assertAlmostEquals(qx, px, 1e-3)
		lu.assertAlmostEquals(qy, py, 1e-3)
		lu.assertAlmostEquals(k, l, 0.05)
	end

	-- Chunks of a ship's contacts are solved by all workers. test_determinism compares numbers of lanes.
	function TestHubs.test_any_number_of_workers_gives_the_same_bits()
		local function hash(workers)
			local world, box = d.newWorld { gravity = { 0, -G }, workers = workers }, d.box(0.9, 0.9)
			world:newBody { type = "static", y = -3, shape = d.box(2000, 2) }
			world:newBody { y = -1, shape = d.box(1610, 2) }
			for i = 1, 1600 do world:newBody { x = i - 800, y = 0.5 + 0.1 * (i % 3), shape = box, restitution = i % 4 == 0 and 0.5 or 0 } end
			for _ = 1, 30 do world:step(1 / 60) end
			world:validate()
			return world:hash()
		end
		local one = hash(1)
		for workers = 2, 4 do lu.assertEquals(hash(workers), one, workers .. " workers") end
	end
end
