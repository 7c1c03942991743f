-- Ratchet joints by their law, in both dimensions: the angle grows freely, and does not fall below the last tooth that it has reached.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

local DT = 1 / 60

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestRatchetJoints = suite("TestRatchetJoints", dim)

	-- A disc that turns about its centre, with a ratchet to the world.
	local function new_wheel(options)
		local world = d.newWorld { gravity = { 0, 0 }, sleeping = false }
		local wheel = world:newBody { shape = d.circle(0.5) }
		world:newRevoluteJoint { bodyB = wheel, x = 0, y = 0 }
		options.bodyB = wheel
		return world, world:newRatchetJoint(options), wheel
	end

	-- A rod that a hinge at its left end holds to the world, and a ratchet.
	local function new_rod(options, sleeping)
		local world = d.newWorld { gravity = { 0, -10 }, sleeping = sleeping }
		local rod = world:newBody { x = 1, shape = d.box(2, 0.2) }
		world:newRevoluteJoint { bodyB = rod, x = 0, y = 0 }
		options.bodyB = rod
		return world, world:newRatchetJoint(options), rod
	end

	local function run(world, ticks, each)
		for _ = 1, ticks do
			if each then each() end
			world:step(DT)
		end
	end

	local function turn_back(world, wheel, way, ticks)
		run(world, ticks, function() wheel:applyTorque(-10 * way * wheel:getInertia()) end)
	end

	-- Over many turns one way it costs nothing; the other way it holds at once. The joint is soft: 10 rad/s^2 bend it by 10 / (2 pi 60)^2.
	function TestRatchetJoints.test_free_one_way()
		for _, way in ipairs { 1, -1 } do
			local world, joint, wheel = new_wheel { toothAngle = 0.5 * way }
			wheel:setAngularVelocity(7 * way)
			run(world, 600)
			lu.assertAlmostEquals(wheel:getAngularVelocity(), 7 * way, 1e-5)
			lu.assertAlmostEquals(joint:getAngle(), 70 * way, 1e-2)
			wheel:setAngularVelocity(0.1 * way)
			run(world, 60)
			local tooth = math.floor(joint:getAngle() * way / 0.5) * 0.5
			lu.assertTrue(tooth >= 70)
			for _ = 1, 120 do
				turn_back(world, wheel, way, 1)
				lu.assertTrue(joint:getAngle() * way > tooth - 5e-3, "it holds")
			end
			lu.assertAlmostEquals(joint:getAngle() * way, tooth, 5e-4)
			lu.assertAlmostEquals(wheel:getAngularVelocity(), 0, 1e-3)
			lu.assertAlmostEquals(joint:getReactionTorque(), 10 * way * wheel:getInertia(), 0.1 * wheel:getInertia())
		end
	end

	-- The teeth are at phase + n toothAngle, however wide they are.
	function TestRatchetJoints.test_teeth()
		for _, tooth in ipairs { 0.5, -0.5, 0.01, 2.5, -8 } do for _, phase in ipairs { 0, 0.2, -1.3 } do
			local world, joint, wheel = new_wheel { toothAngle = tooth, phase = phase }
			local way = tooth > 0 and 1 or -1
			wheel:setAngularVelocity(5.17 * way)
			run(world, 60)
			local reached = phase + tooth * math.floor((joint:getAngle() - phase) / tooth)
			lu.assertAlmostEquals(joint:getAngle(), 5.17 * way, 1e-3)
			wheel:setAngularVelocity(0)
			turn_back(world, wheel, way, 180)
			lu.assertAlmostEquals(joint:getAngle(), reached, 1e-3)
		end end
	end

	-- A wrench: a rocker that swings to and fro turns a wheel with friction one way, by each stroke less at most one tooth.
	function TestRatchetJoints.test_a_rocker()
		local world = d.newWorld { gravity = { 0, 0 }, sleeping = false }
		local rocker, wheel = world:newBody { type = "kinematic" }, world:newBody { shape = d.circle(0.5) }
		world:newRevoluteJoint { bodyB = wheel, x = 0, y = 0, maxMotorTorque = 20 * wheel:getInertia() }
		local joint = world:newRatchetJoint { bodyA = rocker, bodyB = wheel, toothAngle = 0.2 }
		lu.assertEquals(joint:getBodyA(), rocker)
		local before = 0
		for stroke = 1, 12 do
			local forth = stroke % 2 == 1
			rocker:setAngularVelocity(forth and 1.3 or -1.3)
			run(world, 60)
			local angle = joint:getAngle() + rocker:getAngle()
			-- With friction the wheel stops after 1.3^2 / (2 20) rad.
			if forth then
				lu.assertTrue(angle - before > 1.3 - 0.2 - 0.01 and angle - before < 1.3 + 0.05, angle - before)
			else
				lu.assertAlmostEquals(angle, before, 0.05)
			end
			before = angle
		end
	end

	-- Beside a hinge: a rod that is held level, and one that swings down and up again to the other side, where it stays.
	function TestRatchetJoints.test_beside_a_hinge()
		local world, joint, rod = new_rod { toothAngle = 0.1 }
		run(world, 300, function() lu.assertTrue(joint:getAngle() > -0.01) end)
		lu.assertAlmostEquals(joint:getReactionTorque(), rod:getMass() * 10, 0.02 * rod:getMass() * 10)
		world, joint, rod = new_rod { toothAngle = -0.1 }
		run(world, 300)
		lu.assertAlmostEquals(joint:getAngle(), -3.1, 0.01)
		lu.assertAlmostEquals(rod:getAngularVelocity(), 0, 1e-3)
		joint:setRatchet(nil)
		lu.assertNil(joint:getRatchet())
		run(world, 30)
		lu.assertTrue(joint:getAngle() > -3, "without a ratchet it falls")
	end

	function TestRatchetJoints.test_asleep()
		local world, joint, rod = new_rod({ toothAngle = 0.1 }, true)
		run(world, 300)
		lu.assertFalse(rod:isAwake())
		joint:setRatchet(-0.1, 0.05)
		lu.assertTrue(rod:isAwake())
		local tooth, phase = joint:getRatchet()
		lu.assertAlmostEquals(tooth, -0.1, 1e-7)
		lu.assertAlmostEquals(phase, 0.05, 1e-7)
		run(world, 300)
		lu.assertAlmostEquals(joint:getAngle(), -3.05, 0.01)
		lu.assertErrorMsgContains("toothAngle must not be 0", joint.setRatchet, joint, 0)
		lu.assertErrorMsgContains("a ratchet joint has no such method; it has getAngle", joint.getLimits, joint)
	end

	-- Disabled, it lets go; enabled again, it holds at the present tooth.
	function TestRatchetJoints.test_disabled()
		local world, joint, wheel = new_wheel { toothAngle = 0.5 }
		wheel:setAngularVelocity(2.2)
		run(world, 60)
		joint:setEnabled(false)
		wheel:setAngularVelocity(-1.5)
		run(world, 60)
		lu.assertAlmostEquals(joint:getAngle(), 0.7, 1e-3)
		joint:setEnabled(true)
		run(world, 60, function() lu.assertTrue(joint:getAngle() > 0.49) end)
		lu.assertAlmostEquals(joint:getAngle(), 0.5, 1e-3)
	end

	-- It has no place; given anchors are kept.
	function TestRatchetJoints.test_anchors()
		local world = d.newWorld { gravity = { 0, 0 } }
		local a, b = world:newBody { x = 1, shape = d.circle(0.5) }, world:newBody { x = 3, shape = d.circle(0.5) }
		local joint = world:newRatchetJoint { bodyA = a, bodyB = b, toothAngle = 1 }
		lu.assertEquals({ joint:getAnchorA() }, { 1, 0 })
		lu.assertEquals({ joint:getAnchorB() }, { 3, 0 })
		joint = world:newRatchetJoint { bodyA = a, bodyB = b, toothAngle = 1, x = 2, y = 1 }
		lu.assertEquals({ joint:getAnchorB() }, { 2, 1 })
		lu.assertErrorMsgContains("must be given together", world.newRatchetJoint, world, { bodyA = a, bodyB = b, toothAngle = 1, x = 2 })
		b:setLinearVelocity(0, 1)
		for _ = 1, 60 do world:step(DT) end
		lu.assertAlmostEquals(select(2, b:getPosition()), 1, 1e-5)
	end
end
