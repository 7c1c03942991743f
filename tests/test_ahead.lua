-- Bodies on joints that go far in a step: their contacts are made before it, so that the solver stops them together with what they hang on.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestAhead = suite("TestAhead", dim)

	local function new_car(world, y, vx, vy)
		local chassis, wheels = world:newBody { y = y + 0.3, shape = d.box(2, 0.3), linearVelocity = { vx, vy } }, {}
		for i, x in ipairs { -0.7, 0.7 } do
			wheels[i] = world:newBody { x = x, y = y, shape = d.circle(0.25), linearVelocity = { vx, vy } }
			world:newRevoluteJoint { bodyA = chassis, bodyB = wheels[i], x = x, y = y }
		end
		return chassis, wheels
	end

	-- A car falls on the ground at a slant. A wheel is stopped in the sub-step in which it arrives, but for what the chassis presses on it through a joint that
	-- has not stopped the chassis yet: less than the way of a sub-step. Left to sweeps, wheels sank by three quarters of a step's way, until only half of
	-- each was above the ground.
	function TestAhead.test_wheels_that_land_stay_on_the_ground()
		local SUBSTEPS = 4
		for _, hz in ipairs { 30, 60, 120 } do for _, speed in ipairs { 5, 10 } do for phase = 0, 4 do
			local world = d.newWorld { gravity = { 0, -10 }, substeps = SUBSTEPS }
			world:newBody { type = "static", y = -0.5, shape = d.box(200, 1) }
			local _, wheels = new_car(world, 1 + speed / hz * phase / 5, speed, -speed)
			for _ = 1, hz do
				world:step(1 / hz)
				for _, wheel in ipairs(wheels) do
					local _, y = wheel:getPosition()
					lu.assertTrue(0.25 - y < speed / hz / SUBSTEPS, ("%d Hz, %g m/s: %.3f m deep"):format(hz, speed, 0.25 - y))
				end
			end
		end end end
	end

	-- A pendulum swings over a floor: straight on it would go into it, on its arc it passes 3 cm above. So it goes as without the floor.
	function TestAhead.test_what_a_joint_turns_away_is_not_stopped()
		for _, hz in ipairs { 30, 60, 120 } do
			local places = {}
			for _, floor in ipairs { true, false } do
				local world = d.newWorld { gravity = { 0, -10 } }
				local pivot = world:newBody { type = "static", y = 2 }
				if floor then world:newBody { type = "static", y = -0.78, shape = d.box(20, 1) } end
				local bob = world:newBody { x = 2, y = 2, shape = d.circle(0.25) }
				world:newRevoluteJoint { bodyA = pivot, bodyB = bob, x = 0, y = 2 }
				for step = 1, 2 * hz do
					world:step(1 / hz)
					local x, y = bob:getPosition()
					if floor then places[step] = { x, y } else lu.assertEquals({ x, y }, places[step], ("%d Hz, step %d"):format(hz, step)) end
				end
			end
		end
	end

	-- A pair of balls on a joint flies through a street of boxes, 3 cm from the nearest corners: nothing touches it.
	function TestAhead.test_what_flies_by_is_not_stopped()
		for _, hz in ipairs { 30, 60, 120 } do for _, speed in ipairs { 5, 20, 80 } do
			local world = d.newWorld { gravity = { 0, 0 } }
			for i = 0, 20 do
				for side = -1, 1, 2 do world:newBody { type = "static", x = 1.5 * i, y = side * 0.73, shape = d.box(0.9, 0.9) } end
			end
			local a = world:newBody { x = -2, shape = d.circle(0.25), linearVelocity = { speed, 0 } }
			local b = world:newBody { x = -2.6, shape = d.circle(0.25), linearVelocity = { speed, 0 } }
			world:newRevoluteJoint { bodyA = a, bodyB = b, x = -2.3, y = 0 }
			for _ = 1, 20 / speed * hz do
				world:step(1 / hz)
				lu.assertEquals({ a:getLinearVelocity() }, { b:getLinearVelocity() })
				lu.assertEquals(a:getLinearVelocity(), speed)
			end
		end end
	end
end
