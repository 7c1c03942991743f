-- Revolute joints against the closed forms of pendulums, springs, motors and limits, in both dimensions; lifetimes of these and of spherical joints with
-- respect to their bodies'; and that no result depends on the number of workers. Joints that exist only in 3D are in test_space_joints.lua.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestRevolute, TestJointLife = suite("TestRevolute", dim), suite("TestJointLife", dim)
	local TestJointArguments, TestJointGarbage = suite("TestJointArguments", dim, "d2"), suite("TestJointGarbage", dim, "d2") -- in 3D: test_space_joints.lua

	local function new_world(options)
		options = options or {}
		options.gravity = options.gravity or { 0, -10 }
		options.sleeping = options.sleeping or false
		return d.newWorld(options)
	end

	local function steps(world, seconds)
		for _ = 1, math.floor(seconds * 60 + 0.5) do world:step(1 / 60) end
	end

	-- Distance between the two anchors.
	local function separation(joint)
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		return math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2)
	end

	-- A rod of length l and thickness 0.1, hung at one end, at an angle from the vertical.
	local function new_pendulum(world, l, angle, options)
		local ground = world:newBody { type = "static" }
		local rod = world:newBody { x = l / 2 * math.sin(angle), y = -l / 2 * math.cos(angle), angle = angle, shape = d.box(0.1, l) }
		options = options or {}
		options.bodyA, options.bodyB, options.anchorA, options.anchorB = ground, rod, { 0, 0 }, { 0, l / 2 }
		return world:newRevoluteJoint(options), rod
	end

	-- Moment of inertia about the end, divided by the mass.
	local function inertia_of(l) return (l * l + 0.01) / 12 + l * l / 4 end

	-- T = 2 pi sqrt(I / (m g l/2)) (1 + A^2/16) for small amplitudes A. The period of a semi-implicit integrator differs by (w h)^2 / 24, and the soft joint
	-- adds less than 1 %.
	function TestRevolute.test_a_pendulums_period()
		for _, l in ipairs { 0.5, 1, 3 } do
			local world = new_world()
			local joint = new_pendulum(world, l, 0.1)
			lu.assertAlmostEquals(joint:getAngle(), 0, 1e-6)
			local before, crossings, time = 0.1, {}, 0
			for _ = 1, 1200 do
				world:step(1 / 60)
				time = time + 1 / 60
				local now = joint:getAngle() + 0.1
				if (now > 0) ~= (before > 0) then crossings[#crossings + 1] = time - now / (now - before) / 60 end
				before = now
			end
			local period = 2 * (crossings[#crossings] - crossings[1]) / (#crossings - 1)
			local expected = 2 * math.pi * math.sqrt(inertia_of(l) / (10 * l / 2)) * (1 + 0.01 / 16)
			lu.assertTrue(math.abs(period - expected) < 0.01 * expected, ("l = %g: %g s for %g"):format(l, period, expected))
		end
	end

	-- The energy m g y + 1/2 m v^2 + 1/2 I w^2 never grows, and loses little in ten swings.
	function TestRevolute.test_a_pendulum_keeps_its_energy()
		local world = new_world()
		local _, rod = new_pendulum(world, 1, math.pi / 2)
		local function energy()
			local _, y = rod:getPosition()
			return rod:getMass() * 10 * y + rod:getKineticEnergy()
		end
		local start, scale = energy(), rod:getMass() * 10
		steps(world, 20)
		lu.assertTrue(energy() < start + 0.01 * scale)
		lu.assertTrue(energy() > start - 0.15 * scale, "a pendulum has lost its swing")
	end

	-- At rest the joint carries the weight; a motor that holds a rod horizontal carries its torque.
	function TestRevolute.test_reactions_at_rest()
		local world = new_world()
		local joint, rod = new_pendulum(world, 2, 0)
		steps(world, 1)
		local fx, fy = joint:getReactionForce()
		lu.assertAlmostEquals(fx, 0, 1e-3 * rod:getMass() * 10)
		lu.assertAlmostEquals(fy, rod:getMass() * 10, 1e-3 * rod:getMass() * 10)
		lu.assertAlmostEquals(joint:getReactionTorque(), 0, 1e-6)

		local held, bar = new_pendulum(new_world(), 2, math.pi / 2, { motorSpeed = 0, maxMotorTorque = 1e6 })
		steps(held:getWorld(), 2)
		lu.assertAlmostEquals(held:getReactionTorque(), bar:getMass() * 10 * 1, 0.01 * bar:getMass() * 10)
		lu.assertAlmostEquals(held:getAngle(), 0, 0.01)
	end

	local function new_wheel(world, options)
		local wheel = world:newBody { shape = d.circle(0.5), gravityScale = 0, angularVelocity = options.angularVelocity }
		options.angularVelocity = nil
		options.bodyA, options.bodyB, options.x, options.y = world:newBody { type = "static" }, wheel, 0, 0
		return world:newRevoluteJoint(options), wheel
	end

	-- A motor accelerates by torque / inertia, then keeps its speed; with speed 0 it is friction.
	function TestRevolute.test_motors()
		local world = new_world()
		local joint, wheel = new_wheel(world, { motorSpeed = 8, maxMotorTorque = 0.2 })
		local rate = 0.2 / wheel:getInertia()
		steps(world, 0.5)
		lu.assertAlmostEquals(joint:getSpeed(), rate * 0.5, 1e-3 * rate)
		steps(world, 8 / rate)
		lu.assertAlmostEquals(joint:getSpeed(), 8, 1e-3)
		joint:setMotor(0, 0.2)
		steps(world, 0.5)
		lu.assertAlmostEquals(joint:getSpeed(), 8 - rate * 0.5, 2e-3 * rate)
		steps(world, 8 / rate)
		lu.assertAlmostEquals(joint:getSpeed(), 0, 1e-4)
		joint:setMotor()
		lu.assertNil(joint:getMotor())
		wheel:setAngularVelocity(3)
		steps(world, 1)
		lu.assertAlmostEquals(joint:getSpeed(), 3, 1e-3)
	end

	-- An implicit spring of frequency f and damping ratio z behaves like the continuous one with its damping increased by w h / 2. Free oscillations need not
	-- be exact, but rest must be: target + torque / (I w^2).
	function TestRevolute.test_springs()
		local world = new_world()
		local joint, wheel = new_wheel(world, { hertz = 2, dampingRatio = 0.3, targetAngle = 0.5 })
		local most, time, period = 0, 0, nil
		for _ = 1, 240 do
			world:step(1 / 60)
			time = time + 1 / 60
			if joint:getAngle() > most then most, period = joint:getAngle(), 2 * time end
		end
		-- The overshoot is at most exp(-pi z / sqrt(1 - z^2)), its peak after half a period of 1 / (f sqrt(1 - z^2)).
		local overshoot = math.exp(-math.pi * 0.3 / math.sqrt(1 - 0.09))
		lu.assertTrue(most - 0.5 < 0.5 * overshoot and most - 0.5 > 0.25 * overshoot, ("over by %g"):format(most - 0.5))
		lu.assertTrue(math.abs(period - 1 / (2 * math.sqrt(1 - 0.09))) < 2 / 60 + 0.03, ("period %g"):format(period))
		steps(world, 5)
		lu.assertAlmostEquals(joint:getAngle(), 0.5, 1e-4)
		local stiffness = wheel:getInertia() * (2 * math.pi * 2) ^ 2
		for _ = 1, 600 do
			wheel:applyTorque(0.1 * stiffness)
			world:step(1 / 60)
		end
		lu.assertAlmostEquals(joint:getAngle(), 0.6, 2e-3)
	end

	-- A rod falls against its limit and rests there; the soft limit yields by less than a degree. A thrown rod stays within.
	function TestRevolute.test_limits()
		for _, sign in ipairs { 1, -1 } do
			local world = new_world()
			local joint, rod = new_pendulum(world, 1, sign * math.pi / 2, { lowerAngle = -0.4, upperAngle = 0.4 })
			for _ = 1, 300 do
				world:step(1 / 60)
				lu.assertTrue(math.abs(joint:getAngle()) < 0.4 + 0.05, "the limit gives way by more than 3 degrees in the impact")
			end
			lu.assertAlmostEquals(joint:getAngle(), -sign * 0.4, 0.01)
			lu.assertAlmostEquals(rod:getAngularVelocity(), 0, 1e-3)
			lu.assertTrue(separation(joint) < 1e-3)
			joint:setLimits()
			steps(world, 1)
			lu.assertTrue(math.abs(joint:getAngle()) > 0.5, "without limits it falls on")
		end
	end

	-- Equal limits act as a weld.
	function TestRevolute.test_equal_limits_hold_an_angle()
		local world = new_world()
		local joint = new_pendulum(world, 1, math.pi / 2, { lowerAngle = 0, upperAngle = 0 })
		steps(world, 3)
		lu.assertAlmostEquals(joint:getAngle(), 0, 0.02)
	end

	-- A chain of 20 links, hung at both ends: joint errors are below a hundredth of a link, and the chain comes to hang symmetrically.
	function TestRevolute.test_a_chain_hangs()
		local world, links = new_world(), {}
		local ground, before = world:newBody { type = "static" }, nil
		before = ground
		for i = 1, 20 do
			local link = world:newBody { x = i - 0.5, shape = d.box(1, 0.2), angularDamping = 1, linearDamping = 0.5 }
			links[i] = world:newRevoluteJoint { bodyA = before, bodyB = link, x = i - 1, y = 0 }
			before = link
		end
		links[21] = world:newRevoluteJoint { bodyA = before, bodyB = ground, anchorA = { 0.5, 0 }, anchorB = { 16, 0 } }
		steps(world, 30)
		for i, joint in ipairs(links) do lu.assertTrue(separation(joint) < 0.02, ("joint %d: %g"):format(i, separation(joint))) end
		for i = 2, 10 do
			local x1, y1 = links[i]:getAnchorA()
			local x2, y2 = links[22 - i]:getAnchorA()
			lu.assertTrue(math.abs(y1 - y2) < 0.05 and math.abs(x1 + x2 - 16) < 0.05, ("joint %d is not as high as its twin"):format(i))
		end
		-- In a catenary the horizontal force is the same everywhere.
		local pull = links[1]:getReactionForce()
		for i = 2, 21 do
			local fx = links[i]:getReactionForce()
			lu.assertTrue(math.abs(fx - pull) < 0.05 * math.abs(pull), ("joint %d pulls %g for %g"):format(i, fx, pull))
		end
	end

	-- Linear and angular momentum of bodies that no joint links to the ground.
	function TestRevolute.test_joints_keep_the_momentum()
		local world = new_world { gravity = { 0, 0 } }
		local bodies, number = {}, support.random_numbers(5)
		for i = 1, 10 do
			bodies[i] = world:newBody { x = i, shape = d.box(0.8, 0.3), linearVelocity = { number(-2, 2), number(-2, 2) },
				angularVelocity = number(-5, 5) }
			if i > 1 then
				world:newRevoluteJoint { bodyA = bodies[i - 1], bodyB = bodies[i], x = i - 0.5, y = 0, hertz = i % 2 == 0 and 3 or nil,
					lowerAngle = -1, upperAngle = 1, maxMotorTorque = i % 3 == 0 and 0.1 or nil }
			end
		end
		local px, py, l = support.momenta(bodies)
		steps(world, 4)
		local qx, qy, k = support.momenta(bodies)
		lu.assertAlmostEquals(qx, px, 1e-4)
		lu.assertAlmostEquals(qy, py, 1e-4)
		lu.assertAlmostEquals(k, l, 1e-4)
	end

	-- A chain spins in free flight for 8 turns, with joints stretched by 5 cm at 30 Hz. Momentum has errors of 2^-24 in each of 600 sub-steps and nine joints,
	-- 3.2e-4 if they all add up. Energy goes into stretching the joints in the first second, then stays.
	function TestRevolute.test_a_spinning_chain_keeps_spinning()
		for _, hz in ipairs { 30, 60, 120 } do
			local world, links, spin = new_world { gravity = { 0, 0 } }, {}, 10
			for i = 1, 10 do
				links[i] = world:newBody { x = 0.5 * i, shape = d.circle(0.2), linearVelocity = { 0, spin * 0.5 * i }, angularVelocity = spin }
				if i > 1 then world:newRevoluteJoint { bodyA = links[i - 1], bodyB = links[i], x = 0.5 * i - 0.25, y = 0 } end
			end
			local function totals()
				local momentum, energy = 0, 0
				for _, link in ipairs(links) do
					local x, y = link:getCenter()
					local vx, vy = link:getLinearVelocity()
					momentum, energy = momentum + link:getMass() * (x * vy - y * vx) + link:getInertia() * link:getAngularVelocity(), energy + link:getKineticEnergy()
				end
				return momentum, energy
			end
			local before = totals()
			for _ = 1, hz do world:step(1 / hz) end
			local _, at_first = totals()
			for _ = 1, 4 * hz do world:step(1 / hz) end
			local after, in_the_end = totals()
			lu.assertAlmostEquals(after / before, 1, 3.2e-4, ("%d Hz"):format(hz))
			lu.assertAlmostEquals(in_the_end / at_first, 1, 0.01, ("%d Hz"):format(hz))
		end
	end

	-- The same far from the origin.
	function TestRevolute.test_far_away()
		local results = {}
		for _, far in ipairs { 0, 1e6 } do
			local world = new_world()
			local ground = world:newBody { type = "static", x = far, y = far }
			local rod = world:newBody { x = far + 1, y = far, shape = d.box(2, 0.2) }
			local joint = world:newRevoluteJoint { bodyA = ground, bodyB = rod, x = far, y = far }
			steps(world, 3)
			results[#results + 1] = { joint:getAngle(), separation(joint) }
		end
		lu.assertAlmostEquals(results[1][1], results[2][1], 1e-5)
		lu.assertTrue(results[2][2] < 1e-2)
	end

	-- A body locked along an axis is held along the other one only; a body without mass is not held.
	function TestRevolute.test_locked_bodies()
		for _, locks in ipairs { { x = true }, { y = true }, { x = true, y = true }, { rotation = true }, { x = true, y = true, rotation = true } } do
			local world = new_world()
			local a = world:newBody { type = "static" }
			local b = world:newBody { x = 1, shape = d.box(1, 1), locks = locks }
			world:newRevoluteJoint { bodyA = a, bodyB = b, anchorA = { 0, 0 }, anchorB = { -0.7, 0.1 }, hertz = 1, lowerAngle = -1, upperAngle = 1 }
			steps(world, 2)
			local x, y, angle = b:getTransform()
			lu.assertTrue(math.abs(x) < 100 and math.abs(y) < 100 and angle == angle)
			if locks.x then lu.assertEquals(x, 1) end
			if locks.y then lu.assertEquals(y, 0) end
			if locks.rotation then lu.assertEquals(angle, 0) end
		end
	end

	-- Life ---------------------------------------------------------------------------------------------------------------------------

	local function new_pair(options)
		local world = new_world(options)
		local a = world:newBody { shape = d.circle(0.5) }
		local b = world:newBody { x = 0.5, shape = d.circle(0.5) }
		return world, a, b
	end

	-- Jointed bodies do not collide unless the joint allows it; the contact is found again when the joint is destroyed.
	function TestJointLife.test_collide_connected()
		local world, a, b = new_pair { gravity = { 0, 0 } }
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 1)
		local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0.25, y = 0 }
		lu.assertEquals(world:getContactCount(), 0)
		lu.assertFalse(joint:isCollideConnected())
		world:step(1 / 60)
		lu.assertEquals(world:getContactCount(), 0)
		joint:setCollideConnected(true)
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 1)
		joint:setCollideConnected(false)
		world:step(1 / 60)
		lu.assertEquals(world:getContactCount(), 0)
		joint:destroy()
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 1)
		world:validate()
		-- Of two joints one that forbids is enough.
		local free = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0.25, y = 0, collideConnected = true }
		local strict = world:newRevoluteJoint { bodyA = b, bodyB = a, x = 0.25, y = 0 }
		world:step(1 / 60)
		lu.assertEquals(world:getContactCount(), 0)
		strict:destroy()
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 1)
		lu.assertTrue(free:isValid())
	end

	-- When a joint that forbids contacts is destroyed, those shapes of its bodies collide that are near each other, be they few or
	-- many, and bounded or not; those that are not, when they get there.
	function TestJointLife.test_contacts_after_the_joint()
		local many = {}
		for i = 1, 40 do many[i] = { shape = d.circle(0.5, 2 * i - 40, 0) } end
		local grounds = { { shape = d.box(4, 1) }, { shapes = many }, { shape = d.halfPlane(0, 1, 0.5), type = "static" } }
		for _, ground in ipairs(grounds) do
			for _, first in ipairs { true, false } do
				local world = new_world { gravity = { 0, 0 } }
				local a, b = world:newBody(ground), world:newBody { y = 0.9, shape = d.circle(0.5) }
				local function tie(y)
					b:setPosition(0, y)
					world:step(1 / 60)
					local joint = world:newRevoluteJoint { bodyA = first and a or b, bodyB = first and b or a, x = 0, y = 0 }
					world:step(1 / 60)
					lu.assertEquals(world:getContactCount(), 0)
					joint:destroy()
					world:step(1 / 60)
				end
				tie(0.9)
				lu.assertEquals(world:getTouchingCount(), 1)
				tie(50)
				lu.assertEquals(world:getContactCount(), 0)
				b:setPosition(0, 0.9)
				world:step(1 / 60)
				lu.assertEquals(world:getTouchingCount(), 1)
				world:validate()
			end
		end
	end

	-- Bodies collide after the step that follows their joint's end, also if another joint has been made meanwhile, between these
	-- bodies or others, and if one of them is gone.
	function TestJointLife.test_contacts_after_a_replaced_joint()
		local world, a, b = new_pair { gravity = { 0, 0 } }
		local c, far = world:newBody { x = 0.2, shape = d.circle(0.5) }, world:newBody { x = 50, shape = d.circle(0.5) }
		local function replaced(first, bodyA, bodyB, collides)
			first:destroy()
			local joint = world:newRevoluteJoint { bodyA = bodyA, bodyB = bodyB, anchorA = { 0, 0 }, anchorB = { 0.2, 0 }, collideConnected = collides }
			world:step(1 / 60)
			world:validate()
			return joint
		end
		local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0, y = 0 }
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 2)
		joint = replaced(joint, b, a)
		lu.assertEquals(world:getTouchingCount(), 2)
		joint = replaced(joint, a, b, true)
		lu.assertEquals(world:getTouchingCount(), 3)
		joint = replaced(joint, a, b)
		lu.assertEquals(world:getTouchingCount(), 2)
		joint = replaced(joint, a, c)
		lu.assertEquals(world:getTouchingCount(), 2)
		joint = replaced(joint, far, c)
		lu.assertEquals(world:getTouchingCount(), 3)
		joint = replaced(joint, a, b)
		joint:destroy()
		b:destroy()
		world:newBody { x = 50, shape = d.circle(0.5) }
		world:step(1 / 60)
		world:validate()
		lu.assertTrue(a:isValid() and world:getTouchingCount() >= 1)
	end

	function TestJointLife.test_lists_and_destruction()
		local world, a, b = new_pair()
		local c = world:newBody { x = 5, shape = d.circle(1) }
		local first = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0, y = 0, data = "mine" }
		local second = world:newRevoluteJoint { bodyA = b, bodyB = c, x = 1, y = 0 }
		local third = world:newRevoluteJoint { bodyA = c, bodyB = a, x = 2, y = 0 }
		lu.assertEquals(world:getJoints(), { first, second, third })
		lu.assertEquals(a:getJoints(), { first, third })
		lu.assertEquals(b:getJoints(), { first, second })
		lu.assertEquals(first.data, "mine")
		lu.assertIs(first:getBodyA(), a)
		lu.assertIs(first:getBodyB(), b)
		lu.assertEquals(first:getType(), "revolute")
		b:destroy()
		lu.assertFalse(first:isValid() or second:isValid())
		lu.assertEquals(world:getJoints(), { third })
		lu.assertEquals(first.data, "mine")
		lu.assertEquals(tostring(first), "destroyed joint")
		lu.assertEquals(tostring(third), "joint 2")
		third:destroy()
		third:destroy()
		lu.assertEquals(world:getJointCount(), 0)
		world:step(1 / 60)
		world:step(1 / 60)
		lu.assertNil(first.data)
		world:validate()
		local again = world:newRevoluteJoint { bodyA = a, bodyB = c, x = 0, y = 0 }
		lu.assertTrue(again:isValid() and not third:isValid() and not first:isValid())
	end

	-- A chain sleeps and wakes as a whole; creating and destroying a joint wakes.
	function TestJointLife.test_sleep()
		local world = new_world { sleeping = true }
		world:newBody { type = "static", y = -1, shape = d.box(100, 1) }
		local bodies, joints = {}, {}
		for i = 1, 5 do
			bodies[i] = world:newBody { x = 3 * i, shape = d.box(1, 1) }
			if i > 1 then joints[i - 1] = world:newRevoluteJoint { bodyA = bodies[i - 1], bodyB = bodies[i], x = 3 * i - 1.5, y = 0 } end
		end
		local function all_awake(awake)
			for i, body in ipairs(bodies) do lu.assertEquals(body:isAwake(), awake, "body " .. i) end
		end
		lu.assertEquals(world:getIslandCount(), 1)
		steps(world, 3)
		all_awake(false)
		bodies[5]:setAwake(true)
		all_awake(true)
		steps(world, 3)
		all_awake(false)
		world:validate()
		joints[2]:setMotor(0, 1)
		all_awake(true)
		steps(world, 3)
		joints[2]:destroy()
		lu.assertTrue(bodies[1]:isAwake() and bodies[5]:isAwake())
		steps(world, 3)
		all_awake(false)
		lu.assertEquals(world:getIslandCount(), 2)
		bodies[1]:setAwake(true)
		lu.assertTrue(bodies[2]:isAwake() and not bodies[3]:isAwake())
		steps(world, 3)
		world:newRevoluteJoint { bodyA = bodies[2], bodyB = bodies[3], x = 7.5, y = 0 }
		all_awake(true)
		world:validate()
	end

	-- A moving kinematic body pulls bodies jointed to it, awake or asleep.
	function TestJointLife.test_a_kinematic_body_pulls()
		local world = new_world { sleeping = true, gravity = { 0, 0 } }
		local hand = world:newBody { type = "kinematic", y = 2 }
		local ball = world:newBody { shape = d.circle(0.5) }
		local joint = world:newRevoluteJoint { bodyA = hand, bodyB = ball, x = 0, y = 2 }
		steps(world, 2)
		lu.assertFalse(ball:isAwake())
		hand:setLinearVelocity(1, 0)
		steps(world, 2)
		lu.assertTrue(ball:isAwake())
		lu.assertTrue(separation(joint) < 0.01 and ball:getPosition() > 0.1)
		world:validate()
	end

	-- Joints of a disabled body are inactive; enabled, they act again. A change of type keeps them.
	function TestJointLife.test_disabled_and_other_types()
		local world = new_world()
		local joint, rod = new_pendulum(world, 1, 0)
		rod:setEnabled(false)
		world:validate()
		steps(world, 1)
		rod:setEnabled(true)
		world:validate()
		steps(world, 1)
		lu.assertTrue(separation(joint) < 1e-3)
		rod:setType("static")
		world:validate()
		steps(world, 1)
		rod:setType("kinematic")
		world:validate()
		rod:setType("dynamic")
		world:validate()
		steps(world, 1)
		lu.assertTrue(separation(joint) < 1e-2)
		joint:getBodyA():setEnabled(false)
		world:validate()
		steps(world, 1)
		local _, y = rod:getPosition()
		lu.assertTrue(y < -4, "it falls without its peg")
	end

	-- A sleeping body is removed whose joints link it to a wall and to another sleeping body, which wakes. No joint of a removed body is solved, whichever was
	-- created first.
	function TestJointLife.test_a_sleeping_body_between_a_wall_and_a_sleeping_one_is_removed()
		for _, way in ipairs { "disabled", "destroyed", "static", "kinematic" } do for order = 1, 2 do
			local world = new_world { sleeping = true, gravity = { 0, 0 } }
			local wall = world:newBody { type = "static", x = -2 }
			local body = world:newBody { shape = d.circle(0.5) }
			local other = world:newBody { x = 2, shape = d.circle(0.5) }
			for i = 1, 2 do
				if i == order then
					world:newRevoluteJoint { bodyA = body, bodyB = wall, x = -1, y = 0 }
				else
					world:newRevoluteJoint { bodyA = body, bodyB = other, x = 1, y = 0 }
				end
			end
			steps(world, 2)
			lu.assertFalse(body:isAwake())
			if way == "disabled" then body:setEnabled(false) elseif way == "destroyed" then body:destroy() else body:setType(way) end
			world:validate()
			lu.assertTrue(other:isAwake(), way)
			steps(world, 2)
			world:validate()
		end end
	end

	-- Random operations on bodies and joints leave the world valid.
	function TestJointLife.test_anything_in_any_order()
		local number, pick = support.random_numbers(77)
		local world = new_world { sleeping = true }
		world:newBody { type = "static", y = -3, shape = d.box(100, 1) }
		local bodies, joints = {}, {}
		for round = 1, 1500 do
			local what = pick(12)
			local body, joint = bodies[pick(math.max(1, #bodies))], joints[pick(math.max(1, #joints))]
			if what <= 3 or #bodies < 4 then
				bodies[#bodies + 1] = world:newBody { type = ({ "dynamic", "dynamic", "kinematic", "static" })[pick(4)], x = number(-4, 4),
					y = number(-2, 5), shape = pick(5) > 1 and d.box(1, 1) or nil }
			elseif what <= 6 then
				-- At a point of A near B: a lever of many times a body's size is a conflict that no step resolves.
				local other = bodies[pick(#bodies)]
				if body:isValid() and other:isValid() and body ~= other then
					local ax, ay = body:getPosition()
					local bx, by = other:getPosition()
					if (bx - ax) ^ 2 + (by - ay) ^ 2 < 9 then
						joints[#joints + 1] = world:newRevoluteJoint { bodyA = body, bodyB = other, x = ax + number(-0.5, 0.5), y = ay,
							collideConnected = pick(2) == 1, hertz = pick(3) == 1 and 2 or nil, maxMotorTorque = pick(3) == 1 and 5 or nil,
							lowerAngle = -1, upperAngle = 1 }
					end
				end
			elseif what == 7 and joint then
				joint:destroy()
			elseif what == 8 and pick(3) == 1 then
				body:destroy()
			elseif what == 9 and body:isValid() then
				body:setEnabled(pick(3) > 1)
			elseif what == 10 and body:isValid() then
				body:setType(({ "dynamic", "kinematic", "static" })[pick(3)])
			elseif what == 11 and joint and joint:isValid() then
				joint:setCollideConnected(pick(2) == 1)
			elseif body:isValid() then
				body:setAwake(pick(2) == 1)
			end
			if round % 3 == 0 then world:step(1 / 60) end
			world:validate()
		end
		for _, body in ipairs(world:getBodies()) do
			local x, y = body:getPosition()
			lu.assertTrue(math.abs(x) < 1e4 and math.abs(y) < 1e4, "a body has been thrown away")
		end
		lu.assertTrue(#joints > 40, #joints)
	end

	-- A grid of joints, some with motors, limits and springs: the bits do not depend on the number of workers.
	function TestJointLife.test_workers_make_no_difference()
		local hashes = {}
		for _, workers in ipairs { 1, 2, 3 } do
			local world, grid = new_world { workers = workers }, {}
			for i = 0, 19 do
				for k = 0, 19 do
					local body = world:newBody { type = k == 0 and i % 7 == 0 and "static" or "dynamic", x = i, y = -k, shape = d.circle(0.45) }
					local spiced = (i + k) % 3 == 0
					local function tie(other, x, y)
						world:newRevoluteJoint { bodyA = other, bodyB = body, x = x, y = y, hertz = spiced and 2 or nil,
							lowerAngle = spiced and -0.5 or nil, upperAngle = spiced and 0.5 or nil, maxMotorTorque = spiced and 0.5 or nil }
					end
					if i > 0 then tie(grid[(i - 1) * 20 + k], i - 0.5, -k) end
					if k > 0 then tie(grid[i * 20 + k - 1], i, -k + 0.5) end
					grid[i * 20 + k] = body
				end
			end
			steps(world, 2)
			world:validate()
			hashes[#hashes + 1] = world:hash()
		end
		lu.assertEquals(hashes[2], hashes[1])
		lu.assertEquals(hashes[3], hashes[1])
	end

	function TestJointGarbage.test_getters_make_no_garbage()
		local world = new_world()
		local joint = new_pendulum(world, 1, 1, { hertz = 1, lowerAngle = -1, upperAngle = 1, maxMotorTorque = 1 })
		local bytes = support.bytes_of(100, function()
			joint:getAngle() joint:getSpeed() joint:getAnchorA() joint:getReactionForce() joint:getReactionTorque() joint:getLimits()
			joint:getSpring() joint:getMotor() joint:getBodyA()
			world:step(1 / 60)
		end)
		lu.assertEquals(bytes, 0)
	end

	-- Errors -------------------------------------------------------------------------------------------------------------------------

	function TestJointArguments.test_bad_arguments_and_hooks()
		local world, a, b = new_pair()
		local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0, y = 0, collideConnected = true }
		local function raises(text, f, ...)
			local ok, message = pcall(f, ...)
			lu.assertFalse(ok, text)
			lu.assertStrContains(message, text)
		end
		raises("setLimits: upperAngle must be a finite number, got nothing", joint.setLimits, joint, 0)
		raises("setLimits: upperAngle must be >= lowerAngle", joint.setLimits, joint, 1, 0)
		raises("setSpring: hertz must be > 0", joint.setSpring, joint, -1)
		raises("setMotor: maxTorque must be a finite number", joint.setMotor, joint, 1)
		raises("setName: name must be a string or nil", joint.setName, joint, 1)
		raises("setEnabled: enabled must be true or false", joint.setEnabled, joint)
		raises("getAngle: expected a joint, got a body", joint.getAngle, a)
		raises("a joint has no field", function() joint.color = 1 end)
		local said
		world:setFilter(function()
			said = { pcall(joint.destroy, joint), pcall(world.newRevoluteJoint, world, { bodyA = a, bodyB = b, x = 0, y = 0 }) }
			lu.assertFalse(pcall(joint.setMotor, joint, 1, 1) or pcall(joint.setEnabled, joint, false))
			return true
		end)
		a:setPosition(0.1, 0)
		world:step(1 / 60)
		lu.assertFalse(said[1])
		lu.assertTrue(joint:isValid())
		lu.assertEquals(world:getJointCount(), 1)
	end
end
