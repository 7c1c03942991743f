-- Thresholds of joints, by world:jointEvents: who is named, and what is left of joints that broke. At which load each type breaks is in test_joint_table.lua.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local planes, suite = support.planes, support.suite

local DT = 1 / 60

local function collect()
	collectgarbage()
	collectgarbage()
end

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestJointEvents = suite("TestJointEvents", dim)

	local function rows(world)
		local list = {}
		for joint, force, torque, broken in world:jointEvents() do list[#list + 1] = { joint, force, torque, broken } end
		return list
	end

	-- A ball that hangs from the world on a rod, with its weight as unit.
	local function new_pendant(options, settings)
		settings = settings or {}
		settings.gravity = { 0, -10 }
		local world = d.newWorld(settings)
		local ball = world:newBody { y = -1, shape = d.circle(0.2) }
		options.bodyB, options.pointA, options.pointB = ball, { 0, 0 }, { 0, -1 }
		local weight = ball:getMass() * 10
		options.forceThreshold = options.forceThreshold and options.forceThreshold * weight
		return world, world:newDistanceJoint(options), ball, weight
	end

	local function steps(world, count)
		local events = 0
		for _ = 1, count do
			world:step(DT)
			events = events + #rows(world)
		end
		return events
	end

	-- The event of each step names the load; another one takes its place.
	function TestJointEvents.test_joints_that_hold_are_reported_in_each_step()
		local world, joint, _, weight = new_pendant({ forceThreshold = 0.9 }, { sleeping = false })
		lu.assertEquals({ joint:getTorqueThreshold(), joint:isBreakable() }, { nil, false })
		lu.assertAlmostEquals(joint:getForceThreshold(), 0.9 * weight, 1e-5)
		steps(world, 30)
		for _ = 1, 30 do
			world:step(DT)
			local list = rows(world)
			lu.assertEquals({ #list, list[1][4] }, { 1, false })
			lu.assertIs(list[1][1], joint)
			lu.assertAlmostEquals(list[1][2], weight, 0.01 * weight)
			local fx, fy = joint:getReactionForce()
			lu.assertAlmostEquals(list[1][2], math.sqrt(fx * fx + fy * fy), 1e-6 * weight)
			lu.assertEquals(list[1][3], math.abs((joint:getReactionTorque())))
		end
		world:step(0)
		lu.assertEquals(rows(world), {}, "nothing was solved")
		joint:setForceThreshold(1.1 * weight)
		lu.assertEquals(steps(world, 10), 0)
		joint:setForceThreshold(0.9 * weight)
		lu.assertEquals(steps(world, 10), 10)
		joint:setForceThreshold(nil)
		lu.assertNil(joint:getForceThreshold())
		lu.assertEquals(steps(world, 10), 0)
		joint:setTorqueThreshold(0.01)
		lu.assertAlmostEquals(joint:getTorqueThreshold(), 0.01, 1e-8)
		lu.assertEquals(steps(world, 10), 0, "a rod has no torque")
		joint:setForceThreshold(0.9 * weight)
		joint:setEnabled(false)
		lu.assertEquals(steps(world, 10), 0)
		world:validate()
	end

	-- Sleeping bodies have no events. A changed threshold wakes them.
	function TestJointEvents.test_sleep()
		local world, joint, ball, weight = new_pendant {}
		steps(world, 60)
		lu.assertFalse(ball:isAwake())
		joint:setForceThreshold(0.9 * weight)
		lu.assertTrue(ball:isAwake())
		lu.assertEquals(steps(world, 10), 10)
		steps(world, 60)
		lu.assertFalse(ball:isAwake())
		lu.assertEquals(steps(world, 5), 0)
		joint:setBreakable(true)
		lu.assertTrue(ball:isAwake() and joint:isBreakable())
		lu.assertEquals(steps(world, 5), 1)
		lu.assertTrue(ball:isAwake() and not joint:isValid())
		world:validate()
	end

	-- Two bodies that a joint held become two islands, which are awake and sleep alone.
	function TestJointEvents.test_broken_joints_tie_nothing()
		local world = d.newWorld { gravity = { 0, 0 } }
		local a, b = world:newBody { shape = d.circle(0.5) }, world:newBody { x = 2, shape = d.circle(0.5) }
		local joint = world:newWeldJoint { bodyA = a, bodyB = b, x = 1, y = 0, torqueThreshold = 1, breakable = true }
		lu.assertEquals(world:getIslandCount(), 1)
		b:applyTorque(1000)
		world:step(DT)
		lu.assertFalse(joint:isValid())
		lu.assertTrue(a:isAwake() and b:isAwake())
		b:setAngularVelocity(0)
		b:setLinearVelocity(0, 0)
		a:setAngularVelocity(0)
		a:setLinearVelocity(0, 0)
		steps(world, 60)
		lu.assertFalse(a:isAwake() or b:isAwake())
		lu.assertEquals(world:getIslandCount(), 2)
		a:setAwake(true)
		lu.assertFalse(b:isAwake())
		world:validate()
	end

	-- --- Handles -----------------------------------------------------------------------------------------------------------

	function TestJointEvents.test_the_handle_of_a_broken_joint()
		for _, held in ipairs { true, false } do
			local world, joint, ball = new_pendant { forceThreshold = 0.1, breakable = true, name = "rod", data = { 7 } }
			local unnamed = world:newDistanceJoint { bodyB = ball, pointA = { 0, 0 }, pointB = { 0, -1 }, forceThreshold = 0.01, breakable = true }
			local seen, strong = setmetatable({ joint.data }, { __mode = "v" }), held and joint or nil
			joint = nil
			if not held then unnamed = nil end
			collect()
			while #rows(world) == 0 do world:step(DT) end
			world:validate()
			-- New joints do not take the places of those that events name.
			local fresh = { world:newRevoluteJoint { bodyB = ball, x = 0, y = -1, data = "new" }, world:newRevoluteJoint { bodyB = ball, x = 0, y = -1 } }
			collect()
			local first, second = rows(world), rows(world)
			lu.assertEquals({ #first, #second }, { 2, 2 })
			for i = 1, 2 do
				lu.assertIs(first[i][1], second[i][1])
				lu.assertFalse(first[i][1]:isValid())
				lu.assertTrue(first[i][1] ~= fresh[1] and first[i][1] ~= fresh[2])
				lu.assertErrorMsgContains("joint is destroyed (it was joint", function() first[i][1]:getAnchorA() end)
			end
			if held then
				lu.assertIs(first[1][1], strong)
				lu.assertIs(first[2][1], unnamed)
			end
			lu.assertEquals(first[1][1].data, { 7 })
			lu.assertNil(first[2][1].data)
			lu.assertErrorMsgContains('"rod"', function() first[1][1]:getAnchorA() end)
			first[1][1]:destroy()
			lu.assertEquals({ world:getJointCount(), #world:getJoints(), #ball:getJoints() }, { 2, 2, 2 })
			lu.assertEquals(fresh[1].data, "new")
			world:step(DT)
			lu.assertNil(first[1][1].data)
			lu.assertFalse(first[1][1]:isValid())
			lu.assertTrue(fresh[1]:isValid() and fresh[2]:isValid())
			lu.assertEquals(rows(world), {})
			world:validate()
			first, second = nil, nil
			collect()
			lu.assertNil(seen[1], "the data are collected")
			-- Their places are free again.
			world:newRevoluteJoint { bodyB = ball, x = 0, y = -1 }
			lu.assertEquals({ world:getJointCount(), #world:getJoints() }, { 3, 3 })
			lu.assertFalse(strong ~= nil and strong:isValid())
			world:validate()
		end
	end

	-- Also that of a joint which holds, but is destroyed while its event is there.
	function TestJointEvents.test_a_reported_joint_that_the_script_destroys()
		local world, joint, ball = new_pendant { forceThreshold = 0.1, data = "rod" }
		steps(world, 10)
		lu.assertEquals(#rows(world), 1)
		for reported in world:jointEvents() do
			reported:destroy()
			world:newRevoluteJoint { bodyB = ball, x = 0, y = -1 }
		end
		world:validate()
		lu.assertEquals(world:getJointCount(), 1)
		local list = rows(world)
		lu.assertIs(list[1][1], joint)
		lu.assertEquals(joint.data, "rod")
		ball:destroy()
		lu.assertEquals(world:getJointCount(), 0)
		world:validate()
		world:step(DT)
		lu.assertEquals(rows(world), {})
		world:validate()
		local other = world:newBody { shape = d.circle(1) }
		for i = 1, 3 do world:newRevoluteJoint { bodyB = other, x = i, y = 0 } end
		world:validate()
	end

	-- --- Order -------------------------------------------------------------------------------------------------------------

	-- Chains, torn by impulses: the events have the order of ids, for any number of workers.
	local function torn(workers)
		local world, number, log = d.newWorld { gravity = { 0, -10 }, workers = workers }, support.random_numbers(3), {}
		local bodies = {}
		for i = 1, 12 do
			local before
			for k = 1, 8 do
				local body = world:newBody { x = 3 * i, y = -k, shape = d.box(0.2, 0.9) }
				bodies[#bodies + 1] = body
				world:newRevoluteJoint { bodyA = before, bodyB = body, x = 3 * i, y = 0.5 - k, forceThreshold = number(10, 60), breakable = (i + k) % 2 == 0,
					data = #bodies }
				before = body
			end
		end
		local broken = 0
		for tick = 1, 120 do
			if tick % 20 == 0 then bodies[math.floor(number(1, #bodies))]:applyImpulse(number(-9, 9), 5) end
			world:step(DT)
			local last = 0
			for joint, force, torque, gone in world:jointEvents() do
				lu.assertTrue(joint.data > last)
				last = joint.data
				broken = broken + (gone and 1 or 0)
				log[#log + 1] = ("%d %d %.17g %.17g"):format(tick, joint.data, force, torque)
			end
		end
		world:validate()
		log[#log + 1] = world:hash()
		return log, broken
	end

	function TestJointEvents.test_the_order_does_not_depend_on_workers()
		local log, broken = torn(1)
		lu.assertTrue(broken > 5 and #log > 50)
		lu.assertEquals(torn(3), log)
	end

	-- Worlds whose thresholds are never exceeded have the same bits as worlds without.
	function TestJointEvents.test_thresholds_leave_no_trace()
		local hashes = {}
		for i, threshold in ipairs { 1e9, false } do
			local world, _, ball = new_pendant { forceThreshold = threshold or nil, breakable = threshold and true or nil }
			ball:applyImpulse(1, 2)
			steps(world, 120)
			hashes[i] = world:hash()
		end
		lu.assertEquals(hashes[1], hashes[2])
	end

	-- --- Bad input ---------------------------------------------------------------------------------------------------------

	function TestJointEvents.test_errors()
		local world, joint, ball = new_pendant {}
		local function raises(message, f, ...) lu.assertErrorMsgContains(message, f, ...) end
		local function create(options)
			options.bodyB, options.x, options.y = ball, 0, 0
			return function() world:newRevoluteJoint(options) end
		end
		raises("newRevoluteJoint: a breakable joint needs a forceThreshold or a torqueThreshold", create { breakable = true })
		raises("newRevoluteJoint: forceThreshold must be > 0, got 0", create { forceThreshold = 0 })
		raises("newRevoluteJoint: torqueThreshold must be > 0, got -1", create { torqueThreshold = -1 })
		raises("newRevoluteJoint: forceThreshold must be", create { forceThreshold = "1" })
		raises("newRevoluteJoint: forceThreshold must be", create { forceThreshold = 0 / 0 })
		raises("newRevoluteJoint: forceThreshold must be", create { forceThreshold = math.huge })
		raises("newRevoluteJoint: breakable must be", create { forceThreshold = 1, breakable = 1 })
		raises("setBreakable: a breakable joint needs", joint.setBreakable, joint, true)
		raises("setForceThreshold: forceThreshold must be > 0, got 0", joint.setForceThreshold, joint, 0)
		raises("setTorqueThreshold: torqueThreshold must be", joint.setTorqueThreshold, joint, {})
		joint:setForceThreshold(1e6)
		joint:setBreakable(true)
		raises("setForceThreshold: a breakable joint needs", joint.setForceThreshold, joint, nil)
		lu.assertAlmostEquals(joint:getForceThreshold(), 1e6, 1)
		joint:setTorqueThreshold(5)
		joint:setForceThreshold(nil)
		joint:setBreakable(false)
		joint:setTorqueThreshold(nil)
		lu.assertEquals(world:getJointCount(), 1)
		world:validate()
		joint:destroy()
		raises("setForceThreshold: joint is destroyed", joint.setForceThreshold, joint, 1)
		raises("isBreakable: joint is destroyed", joint.isBreakable, joint)
		world:destroy()
		raises("jointEvents: world is destroyed", world.jointEvents, world)
	end

	function TestJointEvents.test_hooks_change_nothing()
		local world, joint, ball
		local errors = {}
		local function try(f, ...)
			local ok, err = pcall(f, ...)
			errors[#errors + 1] = not ok and err:match "world is locked"
		end
		world, joint, ball = new_pendant({ forceThreshold = 1e6 }, { filter = function()
			try(joint.setForceThreshold, joint, 1)
			try(joint.setTorqueThreshold, joint, nil)
			try(joint.setBreakable, joint, true)
			try(world.jointEvents, world)
			return true
		end })
		world:newBody { y = -1, shape = d.circle(0.2) }
		world:step(DT)
		lu.assertEquals(errors, { "world is locked", "world is locked", "world is locked", "world is locked" })
		lu.assertFalse(joint:isBreakable())
		lu.assertTrue(ball:isValid())
	end
end

-- A step and a loop over its events leave nothing to the collector.
TestJointEventsGarbage = {}

function TestJointEventsGarbage.test_loops_make_none()
	local world = collide.d2.newWorld { gravity = { 0, -10 }, sleeping = false }
	local joints, count = {}, 0
	for i = 1, 10 do
		local ball = world:newBody { x = i, y = -1, shape = collide.d2.circle(0.2) }
		joints[i] = world:newRevoluteJoint { bodyB = ball, x = i, y = 0, forceThreshold = 0.01 }
	end
	local function tick()
		world:step(DT)
		for _, force in world:jointEvents() do count = count + (force > 0 and 1 or 0) end
	end
	lu.assertEquals(support.bytes_of(50, tick), 0)
	lu.assertTrue(count > 500)
end
