-- Options and methods that all types of joints share, in both dimensions: enabled, name, pointA and pointB, motors by their laws.
local lu, support = require "luaunit", require "support"
local d3 = require("collide").d3
local planes, suite = support.planes, support.suite

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestJointEnabled, TestJointOptions = suite("TestJointEnabled", dim), suite("TestJointOptions", dim)

	local function steps(world, count)
		for _ = 1, count do world:step(1 / 60) end
	end

	-- A rod of length 2 that hangs from a joint to the left of it.
	local function new_rod(options, settings)
		settings = settings or {}
		settings.gravity, settings.sleeping = settings.gravity or { 0, -10 }, false
		local world = d.newWorld(settings)
		local rod = world:newBody { x = 1, shape = d.box(2, 0.2) }
		options.bodyA, options.bodyB = world:newBody { type = "static" }, rod
		if not options.pointA then options.anchorA, options.anchorB = { 0, 0 }, { -1, 0 } end
		return world, world:newRevoluteJoint(options), rod
	end

	-- Enabled ------------------------------------------------------------------------------------------------------------------------

	-- A body on a disabled joint falls as one without; enabled again, the joint pulls it back.
	function TestJointEnabled.test_a_disabled_joint_holds_nothing()
		for _, at_first in ipairs { true, false } do
			local world, joint, rod = new_rod { enabled = at_first, maxMotorTorque = 1e4 }
			lu.assertEquals(joint:isEnabled(), at_first)
			local free = world:newBody { x = 50, shape = d.circle(0.1) }
			if at_first then steps(world, 30) end
			joint:setEnabled(false)
			free:setPosition(50, select(2, rod:getPosition()))
			free:setLinearVelocity(rod:getLinearVelocity())
			world:validate()
			for _ = 1, 60 do
				world:step(1 / 60)
				local _, y = rod:getPosition()
				local _, expected = free:getPosition()
				lu.assertAlmostEquals(y, expected, 1e-5)
			end
			lu.assertEquals({ joint:getReactionForce() }, { 0, 0 })
			lu.assertEquals({ joint:getReactionTorque(), joint:getMotorTorque() }, { 0, 0 })
			joint:setEnabled(true)
			world:validate()
			steps(world, 300)
			local ax, ay = joint:getAnchorA()
			local bx, by = joint:getAnchorB()
			lu.assertTrue(math.abs(ax - bx) < 0.01 and math.abs(ay - by) < 0.01)
			world:validate()
		end
	end

	-- Worlds with disabled joints have the same bits as worlds without joints, with fast bodies, springs beside them, and bodies that go to sleep and wake.
	function TestJointEnabled.test_disabled_joints_leave_no_trace()
		local function run(joined)
			local world, bodies, number = d.newWorld { gravity = { 0, -10 } }, {}, support.random_numbers(7)
			world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
			local turntable = world:newBody { type = "kinematic", x = 12, y = 1, angularVelocity = 1 }
			for i = 1, 24 do
				bodies[i] = world:newBody { x = i % 6 - 3, y = 1 + i, shape = i % 2 == 0 and d.circle(0.4) or d.box(0.8, 0.6), restitution = i % 3 == 0 and 0.5 or 0,
					bullet = i % 4 == 0, linearVelocity = { number(-60, 60), number(-90, 0) }, angularVelocity = number(-9, 9) }
			end
			world:newRevoluteJoint { bodyA = bodies[1], bodyB = bodies[2], x = 0, y = 2, hertz = 3 }
			if joined then
				for i = 1, 23 do
					world:newRevoluteJoint { bodyA = i % 5 == 0 and turntable or bodies[i], bodyB = bodies[i + 1], x = 0, y = i, hertz = 2, collideConnected = true,
						enabled = false }
				end
			end
			local hashes = {}
			for tick = 1, 400 do
				world:step(1 / 60)
				if tick == 300 then bodies[7]:applyImpulse(30, 40) end
				if tick % 20 == 0 then hashes[#hashes + 1] = world:hash() end
			end
			world:validate()
			return hashes
		end
		lu.assertEquals(run(true), run(false))
	end

	-- A joint that is disabled ties no islands: its bodies fall asleep and wake alone.
	function TestJointEnabled.test_islands()
		local world = d.newWorld { gravity = { 0, -10 } }
		world:newBody { type = "static", y = -1, shape = d.box(40, 1) }
		local a, b = world:newBody { shape = d.box(1, 1) }, world:newBody { x = 3, shape = d.box(1, 1) }
		local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 1.5, y = 0 }
		steps(world, 120)
		lu.assertFalse(a:isAwake() or b:isAwake())
		joint:setEnabled(false)
		lu.assertTrue(a:isAwake() and b:isAwake())
		world:validate()
		steps(world, 120)
		lu.assertFalse(a:isAwake() or b:isAwake())
		lu.assertEquals(world:getIslandCount(), 2)
		a:setAwake(true)
		lu.assertFalse(b:isAwake())
		joint:setEnabled(false)
		lu.assertFalse(b:isAwake(), "no change, no call")
		joint:setEnabled(true)
		lu.assertTrue(b:isAwake())
		lu.assertEquals(world:getIslandCount(), 1)
		world:validate()
	end

	-- Whether the bodies collide is up to collideConnected, enabled or not.
	function TestJointEnabled.test_contacts()
		local world = d.newWorld { gravity = { 0, 0 } }
		local a, b = world:newBody { shape = d.circle(0.5) }, world:newBody { x = 0.5, shape = d.circle(0.5) }
		local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0.25, y = 0, enabled = false }
		for _, enabled in ipairs { false, true, false } do
			joint:setEnabled(enabled)
			world:step(1 / 60)
			lu.assertEquals(world:getContactCount(), 0)
		end
		joint:setCollideConnected(true)
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), 1)
	end

	-- Disabled joints live and die as others do, also beside disabled bodies.
	function TestJointEnabled.test_life()
		local world, bodies, joints, number = d.newWorld { gravity = { 0, -10 } }, {}, {}, support.random_numbers(3)
		local function whole(n) return math.floor(number(1, n + 0.999)) end
		for round = 1, 300 do
			local action, i = whole(6), whole(8)
			if action == 1 or not bodies[i] then
				bodies[i] = bodies[i] or world:newBody { x = i, y = number(0, 3), shape = d.circle(0.4) }
			elseif action == 2 and bodies[i % 8 + 1] then
				joints[#joints + 1] = world:newRevoluteJoint { bodyA = number(0, 1) < 0.8 and bodies[i % 8 + 1] or nil, bodyB = bodies[i], x = i, y = 1,
					enabled = number(0, 1) < 0.5, collideConnected = number(0, 1) < 0.5 }
			elseif action == 3 then
				bodies[i]:setEnabled(number(0, 1) < 0.6)
			elseif action == 4 and round % 3 == 0 then
				bodies[i]:destroy()
				bodies[i] = nil
			elseif #joints > 0 then
				local k = whole(#joints)
				if not joints[k]:isValid() then
					table.remove(joints, k)
				elseif action == 5 then
					joints[k]:setEnabled(number(0, 1) < 0.5)
				else
					joints[k]:destroy()
				end
			end
			world:validate()
			if round % 2 == 0 then world:step(1 / 60) end
		end
	end

	-- Options ------------------------------------------------------------------------------------------------------------------------

	-- As in a new joint: a spring that is given no length rests at the present one.
	function TestJointOptions.test_a_spring_without_a_length_rests_at_the_present_one()
		local world = d.newWorld { gravity = { 0, 0 } }
		local ball = world:newBody { x = 4, shape = d.circle(0.5) }
		local joint = world:newDistanceJoint { bodyB = ball, pointA = { 0, 0 }, pointB = { 4, 0 }, maxLength = 9 }
		ball:setPosition(3, 0)
		joint:setSpring(2)
		lu.assertEquals({ joint:getSpring() }, { 2, 1, 3, 0, 0 })
		steps(world, 60)
		lu.assertAlmostEquals(select(1, ball:getPosition()), 3, 1e-6)
		joint:setSpring(2, 1, 5)
		steps(world, 120)
		lu.assertAlmostEquals(select(1, ball:getPosition()), 5, 1e-3)
		lu.assertEquals(require("collide").load(world:save()):hash(), world:hash())
	end

	function TestJointOptions.test_names()
		local world, joint = new_rod { name = "hip" }
		lu.assertEquals(joint:getName(), "hip")
		lu.assertEquals(tostring(joint), 'joint 0 "hip"')
		joint:setName "knee"
		lu.assertEquals(joint:getName(), "knee")
		joint:setName()
		lu.assertNil(joint:getName())
		lu.assertEquals(tostring(joint), "joint 0")
		joint:setName "ankle"
		joint = nil
		collectgarbage()
		lu.assertEquals(world:getJoints()[1]:getName(), "ankle")
	end

	-- The anchors are where the points were, and the joint pulls them together.
	function TestJointOptions.test_two_points()
		local world, joint, rod = new_rod({ pointA = { -0.5, 0.25 }, pointB = { 0.25, 0 } }, { gravity = { 0, 0 } })
		rod:setPosition(1, 0)
		local function assert_near(x, y, expected)
			lu.assertAlmostEquals(x, expected[1], 1e-6)
			lu.assertAlmostEquals(y, expected[2], 1e-6)
		end
		local x, y = joint:getAnchorA()
		assert_near(x, y, { -0.5, 0.25 })
		x, y = joint:getAnchorB()
		assert_near(x, y, { 0.25, 0 })
		steps(world, 120)
		x, y = joint:getAnchorB()
		lu.assertTrue(math.abs(x + 0.5) < 0.01 and math.abs(y - 0.25) < 0.01)
		-- Held to the world: the first point stays.
		local held = world:newRevoluteJoint { bodyB = rod, pointA = { 3, 4 }, pointB = { 1, 0 } }
		x, y = held:getAnchorA()
		assert_near(x, y, { 3, 4 })
	end

	-- The option motorTarget does what setMotor's third argument does.
	function TestJointOptions.test_motor_target()
		local world, joint = new_rod({ motorSpeed = 3, maxMotorTorque = 1e4, motorTarget = 2 }, { gravity = { 0, 0 } })
		lu.assertEquals({ joint:getMotor() }, { 3, 1e4, 2 })
		steps(world, 180)
		lu.assertAlmostEquals(joint:getAngle(), 2, 1e-3)
	end

	-- A motor that holds a rod level carries its weight times half of its length. Above its greatest torque it yields.
	function TestJointOptions.test_the_torque_of_a_motor()
		local world, joint, rod = new_rod { motorSpeed = 1, maxMotorTorque = 1e4, motorTarget = 0 }
		local load = rod:getMass() * 10
		steps(world, 120)
		lu.assertAlmostEquals(joint:getMotorTorque(), load * 1, 1e-3 * load)
		for _ = 1, 60 do
			rod:applyForce(0, -load, 2, 0)
			world:step(1 / 60)
		end
		lu.assertAlmostEquals(joint:getMotorTorque(), load * 3, 5e-3 * load)
		joint:setMotor(1, 0.5 * load, 0)
		steps(world, 10)
		lu.assertAlmostEquals(joint:getMotorTorque(), 0.5 * load, 1e-4 * load)
		lu.assertTrue(joint:getAngle() < -0.05)
		joint:setMotor()
		lu.assertEquals(joint:getMotorTorque(), 0)
	end
end

TestSphericalOptions = {}

-- The torque of a spherical joint's motor is a vector: that of the weight about the anchor.
function TestSphericalOptions.test_the_torque_of_a_motor()
	local world = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }
	local ball = world:newBody { x = 2, z = 1, shape = d3.sphere(0.5) }
	local joint = world:newSphericalJoint { bodyB = ball, x = 0, y = 0, z = 0, maxMotorTorque = 1e6 }
	for _ = 1, 120 do world:step(1 / 60) end
	local load = ball:getMass() * 10
	local x, y, z = joint:getMotorTorque()
	lu.assertAlmostEquals(x, -load * 1, 5e-3 * load)
	lu.assertAlmostEquals(y, 0, 5e-3 * load)
	lu.assertAlmostEquals(z, load * 2, 5e-3 * load)
	joint:setMotor()
	lu.assertEquals({ joint:getMotorTorque() }, { 0, 0, 0 })
end
