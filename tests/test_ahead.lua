-- Jointed bodies that move far in a step: their contacts are made ahead of the step, so that the solver stops them together with the bodies they are jointed
-- to.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestAhead = suite("TestAhead", dim)

	-- `foot`: a shape instead of wheels, which does not turn.
	local function new_car(world, y, vx, vy, x, friction, foot)
		x = x or 0
		local chassis, wheels = world:newBody { x = x, y = y + 0.3, shape = d.box(2, 0.3), linearVelocity = { vx, vy }, friction = friction }, {}
		for i, aside in ipairs { -0.7, 0.7 } do
			wheels[i] = world:newBody { x = x + aside, y = y, shape = foot or d.circle(0.25), linearVelocity = { vx, vy }, friction = friction }
			world:newRevoluteJoint { bodyA = chassis, bodyB = wheels[i], x = x + aside, y = y, lowerAngle = foot and 0, upperAngle = foot and 0 }
		end
		return chassis, wheels
	end

	-- A car lands at a slant. A wheel is stopped in the sub-step in which it arrives. The chassis, not yet stopped, presses it in through the joint by less
	-- than a sub-step's displacement. When only sweeps stopped wheels, they sank by three quarters of a step's displacement, until only half of each was above
	-- the ground.
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

	-- On a floor of tiles the straight path goes on below the surface, into the internal sides of the next tiles. A car without friction keeps its speed,
	-- wherever it lands and from its first step on: one of 64 may hit a side. Without looking ahead along velocities that were set, and with contacts on the
	-- sides of the second tiles, the mean speed kept was 79 % at 30 Hz and 20 m/s, 95 % at 10 m/s.
	function TestAhead.test_cars_that_land_on_tiles_keep_their_speed()
		for _, case in ipairs { { 30, 10 }, { 30, 20 }, { 60, 20 }, { 60, 10 } } do
			local hz, speed, stopped = case[1], case[2], 0
			for phase = 0, 63 do
				local world = d.newWorld { gravity = { 0, -10 } }
				for i = -3, 30 do world:newBody { type = "static", x = i, y = -0.5, shape = d.box(1, 1) } end
				local chassis = new_car(world, 0.4 + speed / hz * (phase % 8) / 8, speed, -speed, 0.059 * phase, 0)
				for _ = 1, hz / 2 do world:step(1 / hz) end
				if chassis:getLinearVelocity() < 0.97 * speed then stopped = stopped + 1 end
			end
			lu.assertTrue(stopped <= 1, ("%d Hz, %g m/s: %d of 64"):format(hz, speed, stopped))
		end
	end

	-- The same with boxes for wheels, on segments, to the left and to the right: one in a hundred may hit a segment's end (15 did with sweeps, 60 with contacts
	-- ahead).
	if dim == "d2" then
		function TestAhead.test_box_wheels_that_land_on_segments_keep_their_speed()
			local speed, hz, stopped = 20, 30, 0
			for start = 0, 399 do
				local side, steep = start % 2 == 0 and 1 or -1, ({ 1, 0.5, 0.25 })[start % 3 + 1]
				local world, x, y = d.newWorld { gravity = { 0, -10 } }, side * ((0.0379 * start) % 1 - 0.5), 0.4 + speed / hz * ((0.0613 * start) % 1)
				for i = -20, 20 do world:newBody { type = "static", shape = d.segment(i, 0, i + 1, 0) } end
				local chassis = new_car(world, y, side * speed, -speed * steep, x, 0, d.box(0.5, 0.5))
				for _ = 1, hz / 2 do world:step(1 / hz) end
				if side * chassis:getLinearVelocity() < 0.97 * speed then stopped = stopped + 1 end
			end
			lu.assertTrue(stopped <= 4, stopped)
		end
	end

	-- Two jointed balls, one above the other, fall on ice with e = 1. The lower one bounces with the momentum of both or with its own, which the joint then
	-- shares: at least half of the speed is kept, whatever the phase of the step at the landing.
	function TestAhead.test_jointed_balls_bounce_in_any_phase_of_a_step()
		for _, hz in ipairs { 30, 60, 120 } do for phase = 0, 7 do
			local world, speed = d.newWorld { gravity = { 0, 0 } }, 10
			world:newBody { type = "static", y = -0.5, shape = d.box(100, 1) }
			local pair, sum = {}, 0
			for i = 1, 2 do
				pair[i] = world:newBody { y = 0.15 + 0.6 * i + speed / hz * phase / 8, shape = d.circle(0.25), restitution = 1, linearVelocity = { 0, -speed } }
			end
			world:newRevoluteJoint { bodyA = pair[1], bodyB = pair[2], x = 0, y = 1.05 + speed / hz * phase / 8 }
			for _ = 1, hz / 4 do world:step(1 / hz) end
			for i = 1, 2 do sum = sum + select(2, pair[i]:getLinearVelocity()) end
			lu.assertTrue(sum / 2 > 0.5 * speed, ("%d Hz, phase %d: %.2f m/s"):format(hz, phase, sum / 2))
		end end
	end

	-- A ball on a motor's arm passes a box just beyond its reach: it hits and moves nothing.
	function TestAhead.test_a_ball_on_an_arm_hits_nothing_beyond_its_reach()
		for _, case in ipairs { { 30, 15 }, { 30, 18 }, { 60, 30 } } do for _, angle in ipairs { -2.6, -2.2, -1.9, -1.2, -0.9, -0.5 } do
			local hz, spin = case[1], case[2]
			local world = d.newWorld { gravity = { 0, -10 } }
			local x, y = 1.255 * math.cos(angle), 1.255 * math.sin(angle)
			world:newBody { type = "static", y = y - 1.5, shape = d.box(40, 1) }
			world:newBody { x = x + (x > 0 and 0.5 or -0.5), y = y - 0.5, shape = d.box(1, 1), density = 0.5 }
			local pivot = world:newBody { type = "static" }
			local ball = world:newBody { x = 0, y = 1, shape = d.circle(0.2), density = 20, linearVelocity = { -spin, 0 }, angularVelocity = spin }
			world:newRevoluteJoint { bodyA = pivot, bodyB = ball, x = 0, y = 0, motorSpeed = spin, maxMotorTorque = 1e4 }
			for _ = 1, 4 * hz do
				world:step(1 / hz)
				for a, b in world:hits() do lu.assertTrue(a:getBody() ~= ball and b:getBody() ~= ball, ("%d Hz, %g rad/s, %g rad"):format(hz, spin, angle)) end
			end
		end end
	end

	-- Pairs of jointed balls rest 3 cm above a plate each, and are shot at it. One pair, or nine, which are as many contacts as the lanes test together: all
	-- pairs move identically, to the bit.
	function TestAhead.test_many_pairs_shot_from_rest_move_alike()
		local function heights(count)
			local world, balls = d.newWorld { gravity = { 0, 0 } }, {}
			for i = 1, count do
				world:newBody { type = "static", x = 4 * i, y = -0.5, shape = d.box(3, 1) }
				for side = 0, 1 do balls[2 * i - 1 + side] = world:newBody { x = 4 * i + 0.6 * side, y = 0.28, shape = d.circle(0.25), sleepingAllowed = false } end
				world:newRevoluteJoint { bodyA = balls[2 * i - 1], bodyB = balls[2 * i], x = 4 * i + 0.3, y = 0.28 }
			end
			for _ = 1, 10 do world:step(1 / 60) end
			for _, ball in ipairs(balls) do ball:setLinearVelocity(0, -9) end
			local result = {}
			for step = 1, 10 do
				world:step(1 / 60)
				result[step] = select(2, balls[1]:getPosition())
				for _, ball in ipairs(balls) do lu.assertEquals(select(2, ball:getPosition()), result[step]) end
			end
			return result
		end
		lu.assertEquals(heights(9), heights(1))
	end

	-- Two posts stop a box 5 cm before a wall that it would have hit: it reports contact with the wall for one step at most.
	function TestAhead.test_a_contact_that_was_not_reached_ends()
		local world = d.newWorld { gravity = { 5, 0 } }
		for side = -1, 1, 2 do world:newBody { type = "static", x = 0.6, y = 0.4 * side, shape = d.box(0.2, 0.2) } end
		local wall = world:newBody { type = "static", x = 1.05, shape = d.box(1, 0.4) }
		local box, behind = world:newBody { shape = d.box(1, 1) }, world:newBody { x = -0.7, shape = d.box(0.2, 0.2), density = 0.1 }
		world:newRevoluteJoint { bodyA = box, bodyB = behind, x = -0.6, y = 0 }
		for _ = 1, 90 do world:step(1 / 60) end
		box:setLinearVelocity(4, 0)
		local begins, ends = 0, 0
		for _ = 1, 120 do
			world:step(1 / 60)
			for a, b in world:beginContacts() do begins = begins + ((a:getBody() == wall or b:getBody() == wall) and 1 or 0) end
			for a, b in world:endContacts() do ends = ends + ((a:getBody() == wall or b:getBody() == wall) and 1 or 0) end
		end
		lu.assertEquals(ends, begins)
	end

	-- A pendulum swings over a floor. Its straight path would enter the floor, its arc passes 3 cm above: the motion equals that without the floor.
	function TestAhead.test_a_pendulum_is_not_stopped_by_a_floor_below_its_arc()
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

	-- A pair of jointed balls flies between rows of boxes, 3 cm from the nearest corners, without contact.
	function TestAhead.test_a_near_miss_makes_no_contact()
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
