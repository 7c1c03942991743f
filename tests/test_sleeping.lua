-- Sleeping: when bodies go to sleep and with which others, how they behave asleep, and what wakes them.
--
-- A body below its sleep threshold (0.05 m/s) for 0.5 s sleeps with the next step, once all bodies of its island may. A box put down at rest sleeps within SOON
-- = 1 s, which leaves half a second for settling.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local DT, SOON = 1 / 60, 60

	local steps = require("support").steps

	local function state(body)
		local x, y, angle = body:getTransform()
		local vx, vy = body:getLinearVelocity()
		return { x, y, angle, vx, vy, body:getAngularVelocity() }
	end

	-- A world and its floor, with the top at y = 0.
	local function new_floor(options)
		local world = d.newWorld(options or {})
		return world, world:newBody { type = "static", y = -1, shape = d.box(60, 2) }
	end

	local function add_stack(world, x, count)
		local stack = {}
		for i = 1, count do stack[i] = world:newBody { x = x, y = i - 0.5, shape = d.box(1, 1) } end
		return stack
	end

	local function awake_count(bodies)
		local count = 0
		for _, body in ipairs(bodies) do
			if body:isAwake() then count = count + 1 end
		end
		return count
	end

	local function settle(world, bodies)
		for _ = 1, 4 * SOON do
			world:step(DT)
			if awake_count(bodies) == 0 then return end
		end
		lu.fail("they do not fall asleep")
	end

	-- --- Going to sleep --------------------------------------------------------------------------------------------------------

	local TestFallingAsleep = suite("TestFallingAsleep", dim)

	function TestFallingAsleep.test_at_rest_within_a_second_and_not_before_half_of_it()
		local world = new_floor()
		local box = add_stack(world, 0, 1)[1]
		local ball = world:newBody { x = 5, y = 0.5, shape = d.circle(0.5) }
		steps(world, 29)
		lu.assertTrue(box:isAwake() and ball:isAwake(), "29 steps are less than 0.5 s")
		steps(world, SOON - 29)
		lu.assertFalse(box:isAwake() or ball:isAwake())
		lu.assertEquals(world:getAwakeCount(), 0)
	end

	function TestFallingAsleep.test_without_any_contact()
		local world = d.newWorld { gravity = { 0, 0 } }
		local still = world:newBody { shape = d.circle(1) }
		local slow = world:newBody { x = 5, shape = d.circle(1), linearVelocity = { 0.049, 0 } }
		local fast = world:newBody { x = 9, shape = d.circle(1), linearVelocity = { 0.051, 0 } }
		-- The speed that counts is w times the radius.
		local turning = world:newBody { x = 20, shape = d.circle(1), angularVelocity = 0.051 }
		steps(world, SOON)
		lu.assertFalse(still:isAwake())
		lu.assertFalse(slow:isAwake())
		lu.assertTrue(fast:isAwake())
		lu.assertTrue(turning:isAwake())
	end

	function TestFallingAsleep.test_the_threshold_is_the_bodys_own()
		local world = d.newWorld { gravity = { 0, 0 } }
		local lazy = world:newBody { shape = d.circle(1), linearVelocity = { 0.3, 0 }, sleepThreshold = 0.4 }
		local restless = world:newBody { x = 9, shape = d.circle(1), linearVelocity = { 0.01, 0 } }
		restless:setSleepThreshold(0.005)
		steps(world, SOON)
		lu.assertFalse(lazy:isAwake())
		lu.assertTrue(restless:isAwake())
	end

	-- Two stacks sleep separately; bodies in contact sleep in the same step.
	function TestFallingAsleep.test_by_islands()
		local world = new_floor()
		local one, two = add_stack(world, -5, 4), add_stack(world, 5, 3)
		local slept = {}
		for step = 1, 5 * SOON do
			-- The second stack is disturbed for two seconds.
			if step < 120 and step % 20 == 0 then two[3]:applyImpulse(0, 0.3) end
			world:step(DT)
			for body, _, _, _, fell_asleep in world:moved() do
				if fell_asleep then slept[body] = step end
			end
		end
		lu.assertNotNil(slept[one[1]])
		lu.assertNotNil(slept[two[1]])
		for i = 2, 4 do lu.assertEquals(slept[one[i]], slept[one[1]]) end
		for i = 2, 3 do lu.assertEquals(slept[two[i]], slept[two[1]]) end
		lu.assertTrue(slept[one[1]] < 120 and slept[two[1]] > 120)
		lu.assertEquals(world:getIslandCount(), 2)
	end

	-- A moving body keeps bodies in contact awake, even if they are still; a static body in between does not connect.
	function TestFallingAsleep.test_moving_bodies_keep_others_awake()
		local world = new_floor()
		local base = world:newBody { y = 0.5, shape = d.box(4, 1), density = 100 }
		local roller = world:newBody { x = -1.5, y = 1.5, shape = d.circle(0.5), linearVelocity = { 0.2, 0 }, angularVelocity = -0.4 }
		local apart = world:newBody { x = 10, y = 0.5, shape = d.box(1, 1) }
		steps(world, 150)
		lu.assertTrue(roller:isAwake() and base:isAwake())
		lu.assertFalse(apart:isAwake())
	end

	function TestFallingAsleep.test_sleepingAllowed()
		local world = new_floor()
		local stack = add_stack(world, 0, 3)
		local other = add_stack(world, 5, 1)[1]
		stack[2]:setSleepingAllowed(false)
		lu.assertFalse(stack[2]:isSleepingAllowed())
		steps(world, 3 * SOON)
		lu.assertEquals(awake_count(stack), 3, "one that may not sleep keeps its island awake")
		lu.assertFalse(other:isAwake())
		stack[2]:setSleepingAllowed(true)
		settle(world, stack)
		stack[1]:setSleepingAllowed(false)
		lu.assertEquals(awake_count(stack), 3, "and wakes it")
		local never = world:newBody { x = 9, y = 0.5, shape = d.box(1, 1), sleepingAllowed = false }
		steps(world, 3 * SOON)
		lu.assertTrue(never:isAwake())
	end

	function TestFallingAsleep.test_the_worlds_switch()
		local world = new_floor { sleeping = false }
		lu.assertFalse(world:isSleepingAllowed())
		local stack = add_stack(world, 0, 2)
		steps(world, 3 * SOON)
		lu.assertEquals(awake_count(stack), 2)
		world:setSleepingAllowed(true)
		lu.assertTrue(world:isSleepingAllowed())
		settle(world, stack)
		world:setSleepingAllowed(false)
		lu.assertEquals(awake_count(stack), 2, "switched off, all wake")
		steps(world, 3 * SOON)
		lu.assertEquals(awake_count(stack), 2)
	end

	function TestFallingAsleep.test_setAwake_and_the_option()
		local world = new_floor()
		local stack = add_stack(world, 0, 3)
		steps(world, 5)
		stack[2]:setAwake(false)
		lu.assertEquals(awake_count(stack), 0, "an island sleeps as a whole")
		lu.assertTrue(world:validate())
		stack[3]:setAwake(true)
		lu.assertEquals(awake_count(stack), 3, "and wakes as a whole")
		local flying = world:newBody { y = 9, shape = d.circle(0.5), awake = false }
		lu.assertFalse(flying:isAwake())
		steps(world, 30)
		lu.assertEquals(select(2, flying:getPosition()), 9, "it hangs in the air until it is woken")
		flying:setAwake(true)
		steps(world, 30)
		lu.assertTrue(select(2, flying:getPosition()) < 8)
		lu.assertTrue(world:validate())
	end

	-- --- Asleep ----------------------------------------------------------------------------------------------------------------

	local TestAsleep = suite("TestAsleep", dim)

	function TestAsleep.test_nothing_changes_by_a_bit()
		local world = new_floor()
		local bodies = {}
		for _, stack in ipairs { add_stack(world, -4, 5), add_stack(world, 4, 2) } do
			for _, body in ipairs(stack) do bodies[#bodies + 1] = body end
		end
		bodies[#bodies + 1] = world:newBody { x = 0.013, y = 0.7, angle = 0.3, shape = d.polygon { -0.7, -0.4, 0.6, -0.5, 0.1, 0.8 } }
		settle(world, bodies)
		local before, hash = {}, world:hash()
		for i, body in ipairs(bodies) do
			before[i] = state(body)
			lu.assertEquals({ before[i][4], before[i][5], before[i][6] }, { 0, 0, 0 })
		end
		-- Others keep moving, far away.
		local wanderer = world:newBody { x = 20, y = 5, shape = d.circle(0.5), linearVelocity = { 1, 0 }, sleepingAllowed = false }
		wanderer:setGravityScale(0)
		for _ = 1, 1000 do
			wanderer:setPosition(20, 5)
			world:step(DT)
		end
		for i, body in ipairs(bodies) do lu.assertEquals(state(body), before[i]) end
		lu.assertEquals(awake_count(bodies), 0)
		wanderer:destroy()
		lu.assertEquals(world:hash(), hash)
	end

	-- Getters and calls that do not affect the motion wake no body.
	function TestAsleep.test_harmless_calls_do_not_wake()
		local world, floor = new_floor()
		local stack = add_stack(world, 0, 3)
		settle(world, stack)
		local body = stack[2]
		body:setName("box")
		body.data = 4
		body:setBullet(true)
		body:setLinearVelocity(0, 0)
		body:setAngularVelocity(0)
		body:setSleepingAllowed(true)
		body:setType("dynamic")
		body:setEnabled(true)
		body:getColliders()[1].data = 5
		world:raycast(0, 9, 0, -9)
		world:overlapBox(-1, 0, 1, 3)
		world:setGravity(world:getGravity())
		world:newBody { x = 20, y = 5, shape = d.circle(0.5) }
		floor:setName("floor")
		world:step(0)
		world:step(DT)
		lu.assertEquals(awake_count(stack), 0)
	end

	-- Sleeping does not change the result: the same scene with and without it, hit by a ball after three seconds, agrees within 1 cm when all is at rest again.
	function TestAsleep.test_same_result_as_without_sleeping()
		local function run(sleeping)
			local world = new_floor { sleeping = sleeping }
			local stack = add_stack(world, 0, 3)
			steps(world, 180)
			lu.assertEquals(awake_count(stack), sleeping and 0 or 3)
			local ball = world:newBody { x = -3, y = 0.5, shape = d.circle(0.5), linearVelocity = { 3, 0 } }
			steps(world, 90)
			stack[4] = ball
			return stack
		end
		local with, without = run(true), run(false)
		for i, body in ipairs(with) do
			local x1, y1, a1 = body:getTransform()
			local x2, y2, a2 = without[i]:getTransform()
			lu.assertAlmostEquals(x1, x2, 0.01)
			lu.assertAlmostEquals(y1, y2, 0.01)
			lu.assertAlmostEquals(a1, a2, 0.01)
		end
	end

	-- --- Waking ----------------------------------------------------------------------------------------------------------------

	local TestWaking = suite("TestWaking", dim)

	-- A sleeping stack of two, its floor and world, and another stack that must stay asleep.
	local function sleepers()
		local world, floor = new_floor()
		local ledge = world:newBody { type = "static", x = 40, y = -1, shape = d.box(10, 2) }
		local stack, others = add_stack(world, 0, 2), add_stack(world, 40, 2)
		settle(world, { stack[1], stack[2], others[1], others[2] })
		return { world = world, floor = floor, ledge = ledge, stack = stack, others = others, collider = stack[1]:getColliders()[1] }
	end

	-- Calls wake immediately: the whole stack wakes, although one box is named, and the other stack stays asleep.
	function TestWaking.test_by_calls()
		local calls = {
			applyImpulse = function(s) s.stack[1]:applyImpulse(0, 0.01) end,
			applyImpulse_at = function(s) s.stack[1]:applyImpulse(0, 0.01, 0.2, 0.5) end,
			applyAngularImpulse = function(s) s.stack[1]:applyAngularImpulse(0.01) end,
			applyForce = function(s) s.stack[1]:applyForce(0, 1) end,
			applyForce_at = function(s) s.stack[1]:applyForce(0, 1, 0.2, 0.5) end,
			applyTorque = function(s) s.stack[1]:applyTorque(1) end,
			setLinearVelocity = function(s) s.stack[1]:setLinearVelocity(0.5, 0) end,
			setAngularVelocity = function(s) s.stack[1]:setAngularVelocity(0.5) end,
			moveTo = function(s) s.stack[1]:moveTo(0.1, 0.5, 0, DT) end,
			setPosition = function(s) s.stack[1]:setPosition(0.05, 0.5) end,
			setAngle = function(s) s.stack[1]:setAngle(0.01) end,
			setTransform = function(s) s.stack[1]:setTransform(0.05, 0.5, 0) end,
			setGravityScale = function(s) s.stack[1]:setGravityScale(0.5) end,
			setLocks = function(s) s.stack[1]:setLocks(true, false, false) end,
			setMassData = function(s) s.stack[1]:setMassData(2, 0, 0, 1) end,
			setType_kinematic = function(s) s.stack[1]:setType("kinematic") end,
			setEnabled = function(s) s.stack[1]:setEnabled(false) end,
			destroy = function(s) s.stack[1]:destroy() end,
			newCollider = function(s) s.stack[1]:newCollider(d.circle(0.1)) end,
			destroy_collider = function(s) s.collider:destroy() end,
			setShape = function(s) s.collider:setShape(d.circle(0.4)) end,
			setDensity = function(s) s.collider:setDensity(5) end,
			setFriction = function(s) s.collider:setFriction(0) end,
			setRestitution = function(s) s.collider:setRestitution(0.5) end,
			setRollingResistance = function(s) s.collider:setRollingResistance(0.5) end,
			setTangentSpeed = function(s) s.collider:setTangentSpeed(1) end,
			setGroup = function(s) s.collider:setGroup(-1) end,
			setAwake = function(s) s.stack[1]:setAwake(true) end,
			setSleepingAllowed = function(s) s.stack[1]:setSleepingAllowed(false) end,
			floor_setFriction = function(s) s.floor:getColliders()[1]:setFriction(0) end,
			floor_setTangentSpeed = function(s) s.floor:getColliders()[1]:setTangentSpeed(1) end,
			floor_moved = function(s) s.floor:setPosition(0, -5) end,
			floor_turned = function(s) s.floor:setAngle(0.1) end,
			floor_destroyed = function(s) s.floor:destroy() end,
			floor_disabled = function(s) s.floor:setEnabled(false) end,
			floor_dynamic = function(s) s.floor:setType("dynamic") end,
			floor_kinematic = function(s) s.floor:setType("kinematic") end,
			floor_setShape = function(s) s.floor:getColliders()[1]:setShape(d.box(40, 1)) end,
			floor_collider_destroyed = function(s) s.floor:getColliders()[1]:destroy() end,
		}
		for name, call in pairs(calls) do
			local s = sleepers()
			call(s)
			lu.assertTrue(s.stack[2]:isAwake(), name)
			if s.stack[1]:isValid() and s.stack[1]:isEnabled() then lu.assertTrue(s.stack[1]:isAwake(), name) end
			lu.assertEquals(awake_count(s.others), 0, name .. " does not wake the other stack")
			lu.assertTrue(s.world:validate())
			s.world:step(DT)
			lu.assertTrue(s.world:validate())
		end
	end

	function TestWaking.test_by_gravity()
		local s = sleepers()
		s.world:setGravity(0, -9)
		lu.assertEquals(s.world:getAwakeCount(), 4)
	end

	-- A contact with an awake body wakes in the same step.
	function TestWaking.test_by_contact_with_a_moving_body()
		local s = sleepers()
		local ball = s.world:newBody { x = -4, y = 0.5, shape = d.circle(0.5), linearVelocity = { 4, 0 }, angularVelocity = -8 }
		local woke
		for _ = 1, 90 do
			local x = ball:getPosition()
			s.world:step(DT)
			if s.stack[1]:isAwake() then
				woke = x
				break
			end
		end
		lu.assertNotNil(woke)
		-- A contact begins at 2 cm: the ball was at most one step of 4 m/s before that, or was held at the surface (5 mm of slop).
		lu.assertTrue(woke >= -1 - 0.02 - 0.01 - 4 * DT and woke <= -1 + 0.005, woke)
		lu.assertTrue(s.stack[2]:isAwake(), "with all that it touches")
		lu.assertEquals(awake_count(s.others), 0)
	end

	-- A body put to sleep in the air wakes when it is hit, and moves.
	function TestWaking.test_a_hit_passes_on_momentum()
		local world = d.newWorld { gravity = { 0, 0 } }
		local target = world:newBody { shape = d.circle(0.5), awake = false, restitution = 1, friction = 0 }
		local ball = world:newBody { x = -3, shape = d.circle(0.5), linearVelocity = { 5, 0 }, restitution = 1, friction = 0 }
		steps(world, 60)
		lu.assertAlmostEquals(target:getLinearVelocity(), 5, 1e-3)
		lu.assertAlmostEquals(ball:getLinearVelocity(), 0, 1e-3)
	end

	-- A body at rest also wakes a sleeping one by contact: a box is put on top.
	function TestWaking.test_by_one_more_on_top()
		local s = sleepers()
		local box = s.world:newBody { y = 2.5, shape = d.box(1, 1) }
		s.world:step(DT)
		lu.assertEquals(awake_count(s.stack), 2)
		settle(s.world, { s.stack[1], s.stack[2], box })
		lu.assertAlmostEquals(select(2, box:getPosition()), 2.5, 0.01)
	end

	-- A kinematic body that starts to move under a sleeping body wakes and carries it; one that comes from afar pushes it. While it moves, bodies in contact
	-- stay awake; at rest it lets them sleep.
	function TestWaking.test_by_kinematic_bodies()
		local world = new_floor()
		local lift = world:newBody { type = "kinematic", y = 0.5, shape = d.box(4, 1) }
		local box = world:newBody { y = 1.5, shape = d.box(1, 1) }
		settle(world, { box })
		lift:setLinearVelocity(0, 0)
		lu.assertFalse(box:isAwake())
		lift:setLinearVelocity(0, 0.5)
		steps(world, 180)
		lu.assertTrue(box:isAwake(), "kept awake by the lift")
		lu.assertAlmostEquals(select(2, box:getPosition()), 3, 0.01)
		lift:setLinearVelocity(0, 0)
		settle(world, { box })
		lift:moveTo(0.5, 2, 0, 1)
		lu.assertTrue(box:isAwake())
		lift:setLinearVelocity(0, 0)
		settle(world, { box })
		lift:setAngularVelocity(0.2)
		lu.assertTrue(box:isAwake())
	end

	function TestWaking.test_by_a_kinematic_body_that_arrives()
		local s = sleepers()
		local plough = s.world:newBody { type = "kinematic", x = -3, y = 1, shape = d.box(1, 2), linearVelocity = { 1, 0 } }
		steps(s.world, 180)
		-- Its front is at 0.5 now; the boxes, pushed from -0.5 on, are ahead of it.
		lu.assertAlmostEquals(plough:getPosition(), 0, 1e-4)
		for i = 1, 2 do
			local x = s.stack[i]:getPosition()
			lu.assertTrue(x > 1 - 0.02, "box " .. i .. " at " .. x)
		end
	end

	-- Static bodies moved into sleeping ones wake them: they must be pushed out.
	function TestWaking.test_by_a_static_body_moved_into_them()
		local wall_box = d.box(1, 2)
		local ways = {
			made = function(world) world:newBody { type = "static", x = -0.75, y = 1, shape = wall_box } end,
			moved = function(world, wall) wall:setPosition(-0.75, 1) end,
			-- From 3 cm away: within the margin of the fat AABBs, without contact.
			nudged = function(world, wall, stack)
				wall:setPosition(-1.03, 1)
				steps(world, 3)
				stack[1]:setAwake(false)
				lu.assertEquals(world:getAwakeCount(), 0)
				wall:setPosition(-0.75, 1)
			end,
			enabled = function(world, wall)
				wall:setEnabled(false)
				wall:setPosition(-0.75, 1)
				wall:setEnabled(true)
			end,
			["given a collider"] = function(world, wall) wall:newCollider(d.box(1, 2, { x = -9.75 })) end,
			["given a shape"] = function(world, wall) wall:getColliders()[1]:setShape(d.box(1, 2, { x = -9.75 })) end,
		}
		for way, put in pairs(ways) do
			local s = sleepers()
			local wall = s.world:newBody { type = "static", x = 9, y = 1, shape = wall_box }
			s.world:step(DT)
			lu.assertEquals(s.world:getAwakeCount(), 0)
			put(s.world, wall, s.stack)
			steps(s.world, 60)
			lu.assertEquals(awake_count(s.others), 0, way)
			for i = 1, 2 do
				local x = s.stack[i]:getPosition()
				lu.assertTrue(x > 0.25 - 0.01, way .. ": box " .. i .. " at " .. x)
			end
		end
	end

	-- Bodies created asleep on an existing floor stay asleep, with others created so.
	function TestWaking.test_not_by_the_floor_under_a_new_body()
		local world = new_floor()
		world:step(DT)
		local bodies = {}
		for i = 1, 3 do bodies[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1), awake = false } end
		steps(world, 30)
		lu.assertEquals(awake_count(bodies), 0)
		bodies[3]:setAwake(true)
		steps(world, 2)
		lu.assertEquals(awake_count(bodies), 3, "touched, they wake")
	end

	-- A sensor neither wakes nor keeps awake.
	function TestWaking.test_not_by_sensors()
		local s = sleepers()
		local sensor = s.world:newBody { x = -3, y = 0.5, gravityScale = 0, shape = d.circle(0.5), linearVelocity = { 2, 0 }, sensor = true }
		local began, ended = 0, 0
		steps(s.world, 240, function()
			for _ in s.world:beginOverlaps() do began = began + 1 end
			for _ in s.world:endOverlaps() do ended = ended + 1 end
		end)
		lu.assertTrue(sensor:isAwake())
		lu.assertEquals(awake_count(s.stack), 0)
		-- Both boxes: the ball's top is at y = 1, about where the second box begins.
		lu.assertTrue(began >= 1)
		lu.assertTrue(ended >= 1)
	end

	-- Also if the script puts it to sleep before the next step, or its whole island by another body.
	function TestWaking.test_a_teleported_bodys_overlap_ends()
		for sleeper = 1, 2 do
			local world, ball = d.newWorld { gravity = { 0, 0 } }, d.circle(0.5)
			world:newBody { type = "static", shape = d.box(2, 2), sensor = true }
			local balls = { world:newBody { shape = ball }, world:newBody { x = 0.99, shape = ball } }
			world:step(DT)
			balls[1]:setPosition(-9, 0)
			balls[sleeper]:setAwake(false)
			lu.assertEquals(awake_count(balls), 0)
			local ended = {}
			steps(world, 3, function()
				for _, visitor in world:endOverlaps() do ended[#ended + 1] = visitor:getBody() end
			end)
			lu.assertEquals(#ended, 1)
			lu.assertTrue(ended[1] == balls[1])
			lu.assertEquals(awake_count(balls), 0)
		end
	end

	-- Without its support the rest of the stack falls.
	function TestWaking.test_a_stack_falls_when_its_support_is_destroyed()
		local s = sleepers()
		s.stack[1]:destroy()
		steps(s.world, 90)
		lu.assertAlmostEquals(select(2, s.stack[2]:getPosition()), 0.5, 0.01)
		s.floor:destroy()
		steps(s.world, 60)
		lu.assertTrue(select(2, s.stack[2]:getPosition()) < -3)
		lu.assertEquals(awake_count(s.others), 0)
	end

	-- In weak gravity it starts to fall more slowly than a body at rest may move, however long it has rested before.
	function TestWaking.test_a_box_falls_when_its_support_is_teleported()
		for rested = 20, 29 do
			local world = new_floor { gravity = { 0, -1 } }
			local stack = add_stack(world, 0, 2)
			steps(world, rested)
			stack[1]:setPosition(rested % 2 == 0 and 20 or 1.2, 0.5)
			steps(world, 20)
			lu.assertTrue(stack[2]:isAwake())
			lu.assertTrue(select(2, stack[2]:getPosition()) < 1.49)
		end
	end

	-- --- Many at once ----------------------------------------------------------------------------------------------------------

	-- The trees learn only later that many bodies have fallen asleep or woken: no answer may depend on that.

	local TestManySleepers = suite("TestManySleepers", dim)

	local SIDE, RADIUS = 20, 0.4

	-- SIDE^2 balls in a grid without gravity, all of one or of both states.
	local function new_grid(awake)
		local world, balls = d.newWorld { gravity = { 0, 0 } }, {}
		for i = 0, SIDE * SIDE - 1 do
			balls[i + 1] = world:newBody { x = i % SIDE, y = math.floor(i / SIDE), shape = d.circle(RADIUS), friction = 0, awake = awake }
		end
		world:step(DT)
		return world, balls
	end

	local function set_awake(balls, awake)
		for _, ball in ipairs(balls) do ball:setAwake(awake) end
	end

	-- Overlaps with a circle are those that the bodies' positions give, whatever falls asleep, wakes or moves.
	function TestManySleepers.test_are_found_where_they_are()
		local number, choice = require("support").random_numbers(5)
		local world, balls = new_grid(true)
		for round = 1, 40 do
			for _ = 1, 100 do balls[choice(#balls)]:setAwake(number(0, 1) < 0.7) end
			for _ = 1, 5 do balls[choice(#balls)]:setPosition(number(0, SIDE), number(0, SIDE)) end
			balls[choice(#balls)]:setLinearVelocity(number(-50, 50), number(-50, 50))
			if round % 10 == 0 then set_awake(balls, round % 20 == 0) end
			if round % 3 > 0 then world:step(DT) end
			lu.assertTrue(world:validate())
			for _ = 1, 5 do
				local x, y, radius = number(0, SIDE), number(0, SIDE), number(0.1, 3)
				local found = {}
				for _, collider in ipairs(world:overlapShape(d.circle(radius), d.pose(x, y))) do found[collider:getBody()] = true end
				for _, ball in ipairs(balls) do
					local bx, by = ball:getPosition()
					local gap = math.sqrt((bx - x) ^ 2 + (by - y) ^ 2) - radius - RADIUS
					if math.abs(gap) > 1e-4 then lu.assertEquals(found[ball] == true, gap < 0) end
				end
			end
		end
	end

	-- A ball shot into bodies that fell asleep or woke so many steps ago hits the nearest, also if it is a bullet or has slept itself.
	function TestManySleepers.test_are_hit()
		for _, later in ipairs { 0, 1, 5, 100 } do
			for _, awake in ipairs { false, true } do
				for _, bullet in ipairs { false, true } do
					local world, balls = new_grid(not awake)
					local ball = world:newBody { x = -2, y = 3, shape = d.circle(RADIUS), bullet = bullet, sleepThreshold = 0, restitution = 1, friction = 0 }
					world:step(DT)
					ball:setAwake(false)
					set_awake(balls, awake)
					steps(world, later)
					ball:setLinearVelocity(bullet and 200 or 10, 0)
					steps(world, 20)
					lu.assertTrue(balls[3 * SIDE + 1]:getPosition() > 0.01, "the first in its row is pushed")
					lu.assertTrue(ball:getPosition() < 1)
					lu.assertTrue(world:validate())
				end
			end
		end
	end

	-- A static body put among bodies that have just fallen asleep wakes those that it overlaps.
	function TestManySleepers.test_wake_when_a_static_body_is_put_there()
		for _, later in ipairs { 0, 1, 5 } do
			local world, balls = new_grid(true)
			set_awake(balls, false)
			steps(world, later)
			world:newBody { type = "static", x = 10, y = 10, shape = d.box(2, 2) }
			lu.assertEquals(world:getAwakeCount(), 9)
			lu.assertTrue(world:validate())
		end
	end

	-- Sets of bodies are summarised by groups of ids. Bodies with the lowest and the highest ids move, sleep and wake as they do alone.
	function TestManySleepers.test_bodies_beside_very_many_others()
		local function run(others)
			local world = new_floor()
			local low = world:newBody { x = -2, y = 1, shape = d.box(1, 1) }
			for _ = 1, others do world:newBody { type = "static" } end
			local high = world:newBody { x = 2, y = 1, shape = d.box(1, 1) }
			local states = {}
			for i = 1, 3 * SOON do
				if i == 2 * SOON then low:setLinearVelocity(0, 3) end
				world:step(DT)
				states[i] = { low:isAwake(), high:isAwake(), state(low), state(high) }
			end
			return states
		end
		lu.assertEquals(run(270000), run(0))
	end
end
