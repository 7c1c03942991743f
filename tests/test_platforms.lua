-- Kinematic bodies carry bodies that rest on them: along arcs, and at any low speed. They are at rest exactly if they have no velocity.
local lu = require "luaunit"
local d3 = require("collide").d3
local support = require "support"
local planes, suite, steps = support.planes, support.suite, support.steps

local DT = 1 / 60

-- A platform's surface has a velocity when a step begins. A body that followed it would move along the tangent, and outwards by
--   (r^2 + (r w dt)^2)^(1/2) - r = r (w dt)^2/2
-- a step, r w^2 dt t/2 in total. At most a tenth of this second-order drift remains.
local function tenth_of_tangent(r, w, t)
	return 0.1 * r * w * w * DT * t / 2
end

local rides = { { r = 10, w = 0.25, t = 10 }, { r = 10, w = -0.25, t = 10 }, { r = 2, w = 0.3, t = 15 } }

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local TestArcs = suite("TestArcs", dim)

	-- An arm rotates about its middle without gravity; forces across it press crates onto it, at both ends.
	function TestArcs.test_an_arm_carries_along_its_arc()
		for _, ride in ipairs(rides) do
			local world, crates = d.newWorld { gravity = { 0, 0 } }, {}
			local arm = world:newBody { type = "kinematic", angle = 0.7, angularVelocity = ride.w, shape = d.box(2 * ride.r + 4, 1), friction = 0.6 }
			for _, place in ipairs { { ride.r, 1 }, { -ride.r, 1 } } do
				local x, y = arm:getWorldPoint(place[1], place[2])
				crates[#crates + 1] = world:newBody { x = x, y = y, angle = 0.7, linearVelocity = { -ride.w * y, ride.w * x }, angularVelocity = ride.w,
					shape = d.box(1, 1), friction = 0.6 }
			end
			local function along(crate) return (arm:getLocalPoint(crate:getPosition())) end
			local before = {}
			for i, crate in ipairs(crates) do before[i] = along(crate) end
			for _ = 1, ride.t / DT do
				local x, y = arm:getWorldVector(0, -10)
				for _, crate in ipairs(crates) do crate:applyForce(x * crate:getMass(), y * crate:getMass()) end
				world:step(DT)
			end
			for i, crate in ipairs(crates) do lu.assertAlmostEquals(along(crate), before[i], tenth_of_tangent(ride.r, ride.w, ride.t), i) end
		end
	end

	-- An upright crate on a platform that moves around a circle: nothing rotates, so the crate is displaced only by rounding errors and the slop.
	function TestArcs.test_a_platform_moves_around_a_circle()
		for _, ride in ipairs(rides) do
			local world = d.newWorld {}
			local platform = world:newBody { type = "kinematic", x = ride.r, y = -0.5, shape = d.box(4, 1), friction = 0.6 }
			local crate = world:newBody { x = ride.r + 0.3, y = 0.5, linearVelocity = { 0, ride.w * ride.r }, shape = d.box(1, 1), friction = 0.6 }
			for i = 1, ride.t / DT do
				platform:moveTo(ride.r * math.cos(ride.w * i * DT), ride.r * math.sin(ride.w * i * DT) - 0.5, 0, DT)
				world:step(DT)
			end
			local x, y = platform:getLocalPoint(crate:getPosition())
			lu.assertAlmostEquals(x, 0.3, 1e-3)
			lu.assertAlmostEquals(y, 1, 1e-3)
		end
	end

	local TestSlowPlatforms = suite("TestSlowPlatforms", dim)

	local function all_sleep(world, what)
		steps(world, 120)
		lu.assertEquals(world:getAwakeCount(), 0, what)
	end

	-- Two crates, one on the other, ride for 5 s, and sleep again when the lift has stopped. In the first moments they sink and rise by less than a hundredth
	-- of a slop.
	function TestSlowPlatforms.test_a_lift_carries_at_any_speed()
		for _, speed in ipairs { 1e-4, 1e-3, 1e-2, 0.03, 0.045, 0.1, 1 } do for _, way in ipairs { "velocity", "moveTo" } do
			local world, crates, what = d.newWorld {}, {}, way .. " " .. speed
			local lift = world:newBody { type = "kinematic", y = 0.5, shape = d.box(4, 0.5) }
			for i = 1, 2 do crates[i] = world:newBody { y = 0.5 + 0.5 * i, shape = d.box(0.5, 0.5) } end
			all_sleep(world, what)
			local before = {}
			for i, crate in ipairs(crates) do before[i] = select(2, crate:getPosition()) end
			if way == "velocity" then lift:setLinearVelocity(0, speed) end
			for i = 1, 5 / DT do
				if way == "moveTo" then lift:moveTo(0, 0.5 + speed * i * DT, 0, DT) end
				world:step(DT)
			end
			lu.assertAlmostEquals(select(2, lift:getPosition()), 0.5 + 5 * speed, 1e-6 * speed * 5 + 1e-12, what)
			for i, crate in ipairs(crates) do
				lu.assertTrue(crate:isAwake(), what)
				lu.assertAlmostEquals(select(2, crate:getPosition()), before[i] + 5 * speed, 5e-5, what)
			end
			lift:setLinearVelocity(0, 0)
			all_sleep(world, what)
		end end
	end

	-- A float rotation resolves 6e-8 rad; 1e-5 rad/s are 1.7e-7 a step. Slow rotations must not be lost to rounding.
	function TestSlowPlatforms.test_a_slow_turn_arrives()
		for _, w in ipairs { 1e-7, 1e-5, 1e-3 } do
			for _, angle in ipairs { 0, 0.7, 2, -2.5 } do
				local world = d.newWorld {}
				local body = world:newBody { type = "kinematic", angle = angle, angularVelocity = w }
				for i = 1, 20 / DT do
					if i % 100 == 0 then body:setAngularVelocity(w) end
					world:step(DT)
				end
				lu.assertAlmostEquals(body:getAngle(), angle + 20 * w, 5e-7, w .. " from " .. angle)
			end
		end
	end

	function TestSlowPlatforms.test_a_slow_arm_carries()
		for _, speed in ipairs { 1e-4, 1e-3, 1e-2, 0.1 } do
			local r = 5
			local w = speed / r
			local world = d.newWorld {}
			local arm = world:newBody { type = "kinematic", angle = -0.1, y = -0.25, shape = d.box(2 * r + 2, 0.5), friction = 0.9 }
			local x, y = arm:getWorldPoint(r, 0.5)
			local crate = world:newBody { x = x, y = y, angle = -0.1, shape = d.box(0.5, 0.5), friction = 0.9 }
			all_sleep(world, speed)
			local x0, y0 = arm:getLocalPoint(crate:getPosition())
			arm:setAngularVelocity(w)
			steps(world, 5 / DT)
			local x1, y1 = arm:getLocalPoint(crate:getPosition())
			lu.assertAlmostEquals(x1, x0, 5e-5, speed)
			lu.assertAlmostEquals(y1, y0, 5e-5, speed)
		end
	end

	-- A body jointed to a hand moves along, and swings by v (l/g)^(1/2). A sleeping body before a plough is pushed. A sensor on a moving body reports overlaps.
	function TestSlowPlatforms.test_hands_ploughs_and_sensors()
		local speed = 0.02
		local world = d.newWorld {}
		local hand = world:newBody { type = "kinematic", x = 9, y = 5 }
		local load = world:newBody { x = 9, y = 4, shape = d.box(0.5, 0.5) }
		world:newRevoluteJoint { bodyA = hand, bodyB = load, x = 9, y = 5 }
		world:newBody { type = "static", y = -0.5, shape = d.box(10, 1), friction = 0.3 }
		local crate = world:newBody { y = 0.25, shape = d.box(0.5, 0.5), friction = 0.3 }
		local plough = world:newBody { type = "kinematic", x = -0.5, y = 0.5, shape = d.box(0.4, 0.5) }
		local sensor = plough:newCollider(d.box(0.1, 0.1, { x = 1 }), { sensor = true })
		local mark = world:newBody { type = "static", x = 0.6, y = 0.5, shape = d.box(0.1, 0.1) }
		all_sleep(world)
		hand:setLinearVelocity(-speed, 0)
		plough:setLinearVelocity(speed, 0)
		local seen
		for i = 1, 10 / DT do
			world:step(DT)
			for a, b in world:beginOverlaps() do if a == sensor and b:getBody() == mark then seen = i * DT end end
		end
		lu.assertAlmostEquals(load:getPosition(), 9 - 10 * speed, speed * math.sqrt(1.1 / 10))
		lu.assertAlmostEquals(crate:getPosition(), -0.05 + 10 * speed, 1e-2)
		lu.assertAlmostEquals(seen, 0, 1)
	end

	local TestPlatformsAtRest = suite("TestPlatformsAtRest", dim)

	-- moveTo the current pose, by the numbers given at creation or read from the body: at rest at once, with an error of at most a rounding.
	function TestPlatformsAtRest.test_moveTo_the_current_pose()
		for _, read in ipairs { false, true } do
			local world, bodies = d.newWorld {}, {}
			for i = 0, 100 do
				bodies[i] = { 10 * i + 0.37 * i, 1.1 * i, -3.1 + 6.2 * i / 100 }
				bodies[i].body = world:newBody { type = "kinematic", position = { bodies[i][1], bodies[i][2] }, angle = bodies[i][3], shape = d.box(1, 1) }
				bodies[i].cargo = world:newBody { x = bodies[i][1], y = bodies[i][2] + 1.5, shape = d.circle(0.1) }
			end
			for _ = 1, 180 do
				for i = 0, 100 do
					local at, body = bodies[i], bodies[i].body
					if read then
						local x, y = body:getPosition()
						body:moveTo(x, y, body:getAngle(), DT)
					else
						body:moveTo(at[1], at[2], at[3], DT)
					end
					local vx, vy = body:getLinearVelocity()
					lu.assertEquals({ vx, vy, body:getAngularVelocity() }, { 0, 0, 0 }, at[3])
				end
				world:step(DT)
			end
			for i = 0, 100 do lu.assertFalse(bodies[i].body:isAwake(), bodies[i][3]) end
		end
	end

	-- A velocity too small to change the position is rest; a greater one moves the body.
	function TestPlatformsAtRest.test_setters_give_rest_below_rounding()
		local world = d.newWorld {}
		local body = world:newBody { type = "kinematic", x = 10, y = 10, shape = d.box(1, 1) }
		local crate = world:newBody { x = 10, y = 11, shape = d.box(1, 1) }
		steps(world, 120)
		body:setLinearVelocity(1e-14, 0)
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 0 })
		lu.assertEquals(world:getAwakeCount(), 0)
		body:setLinearVelocity(1e-12, 0)
		lu.assertTrue(body:isAwake() and crate:isAwake())
		steps(world, 120)
		lu.assertTrue(body:isAwake() and crate:isAwake())
		lu.assertAlmostEquals(body:getPosition() - 10, 120 * DT * 1e-12, 0.2e-12)
	end

	-- Reported once as gone to sleep, and not listed after that; a move wakes it.
	function TestPlatformsAtRest.test_sleeps_and_wakes()
		local world = d.newWorld {}
		local body = world:newBody { type = "kinematic", linearVelocity = { 1, 0 }, shape = d.box(1, 1) }
		local fell = 0
		local function go(count)
			local listed = 0
			for _ = 1, count do
				world:step(DT)
				for moved, _, _, _, asleep in world:moved() do
					listed = listed + 1
					if asleep then fell = fell + 1 end
					lu.assertEquals(moved, body)
				end
			end
			return listed
		end
		lu.assertEquals(go(60), 60)
		body:setLinearVelocity(0, 0)
		lu.assertTrue(body:isAwake())
		local listed = go(60)
		lu.assertTrue(listed >= 30 and listed <= 32, listed)
		lu.assertEquals(fell, 1)
		lu.assertFalse(body:isAwake())
		-- A body that falls on it does not wake it.
		local crate = world:newBody { x = 1, y = 1.2, shape = d.box(1, 1) }
		steps(world, 60)
		lu.assertFalse(body:isAwake())
		lu.assertAlmostEquals(select(2, crate:getPosition()), 1, 6e-3)
		body:setPosition(1, -1)
		lu.assertTrue(body:isAwake() and crate:isAwake())
		body:setSleepingAllowed(false)
		steps(world, 90)
		lu.assertTrue(body:isAwake())
		lu.assertAlmostEquals(select(2, crate:getPosition()), 0, 6e-3)
	end
end

TestTurntables = {}

-- Crates of several shapes ride, created before and after the turntable; every second one carries another crate.
function TestTurntables.test_no_crate_creeps_outwards()
	local shapes = { d3.box(1, 1, 1), d3.cylinder(0.5, 1), d3.box(3, 1, 0.5), d3.hull { -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0, -0.5, 0.6, 0, 0.5, 0 } }
	for _, ride in ipairs(rides) do for _, late in ipairs { false, true } do
		local world, crates, plate = d3.newWorld {}, {}, nil
		local function table_made()
			plate = world:newBody { type = "kinematic", y = -0.5, angularVelocity = { 0, ride.w, 0 }, shape = d3.cylinder(ride.r + 2, 1), friction = 0.6 }
		end
		if not late then table_made() end
		for i, shape in ipairs(shapes) do
			local angle = math.pi / 2 * i
			local x, z = ride.r * math.cos(angle), ride.r * math.sin(angle)
			local turn = { 0, -math.sin(angle / 2), 0, math.cos(angle / 2) }
			local way = { ride.w * z, 0, -ride.w * x }
			for k = 0, i < 3 and 1 or 0 do
				crates[#crates + 1] = world:newBody { position = { x, k + 0.5, z }, rotation = turn, linearVelocity = way, angularVelocity = { 0, ride.w, 0 },
					shape = shape, friction = 0.6 }
			end
		end
		if late then table_made() end
		steps(world, 1)
		local before = {}
		for i, crate in ipairs(crates) do before[i] = { plate:getLocalPoint(crate:getPosition()) } end
		steps(world, ride.t / DT - 1)
		for i, crate in ipairs(crates) do
			local x, _, z = plate:getLocalPoint(crate:getPosition())
			local aside = math.sqrt((x - before[i][1]) ^ 2 + (z - before[i][3]) ^ 2)
			lu.assertTrue(aside < tenth_of_tangent(ride.r, ride.w, ride.t), ("crate %d, %g m from the axis: %g m aside"):format(i, ride.r, aside))
		end
	end end
end

-- At 1e-4 m/s and 10 m from the axis.
function TestTurntables.test_a_slow_one_carries()
	local world, w, r = d3.newWorld {}, 1e-5, 10
	local plate = world:newBody { type = "kinematic", y = -0.5, rotation = { 0, 0.6, 0, 0.8 }, shape = d3.cylinder(r + 2, 1) }
	local crate = world:newBody { x = r, y = 0.5, shape = d3.box(1, 1, 1) }
	steps(world, 120)
	lu.assertEquals(world:getAwakeCount(), 0)
	local x0, z0 = crate:getPosition(), select(3, crate:getPosition())
	plate:setAngularVelocity(0, w, 0)
	steps(world, 20 / DT)
	local x, _, z = crate:getPosition()
	lu.assertAlmostEquals(x, x0, 1e-5)
	lu.assertAlmostEquals(z, z0 - r * w * 20, 1e-5)
end
