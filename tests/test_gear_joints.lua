-- Gears and pulleys by their laws, in both dimensions: ratios, inertia through a gear, energy, racks, trains, moving frames, Atwood's machine; errors and lives.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local planes, suite = support.planes, support.suite

local DT, G = 1 / 60, 10

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestGears, TestPulleys = suite("TestGears", dim), suite("TestPulleys", dim)

	local function new_world(gravity) return d.newWorld { gravity = gravity or { 0, 0 }, sleeping = false } end

	local function run(world, count)
		for _ = 1, count do world:step(DT) end
		world:validate()
	end

	-- The moment of inertia about the axis through the centre of a body at rest.
	local function inertia_of(body)
		body:setAngularVelocity(1)
		local inertia = 2 * body:getKineticEnergy()
		body:setAngularVelocity(0)
		return inertia
	end

	-- A wheel that turns about its centre, on a frame or the world.
	local function new_wheel(world, x, radius, options)
		options = options or {}
		local wheel = world:newBody { x = x, y = options.y, shape = d.circle(radius) }
		return wheel, world:newRevoluteJoint { bodyA = options.frame, bodyB = wheel, x = x, y = options.y or 0, motorSpeed = options.motorSpeed,
			maxMotorTorque = options.maxMotorTorque }
	end

	local function new_pair(ratio)
		local world = new_world()
		local a, joint_a = new_wheel(world, 0, 0.5)
		local b, joint_b = new_wheel(world, 3, 1)
		return world, a, b, joint_a, joint_b, world:newGearJoint { jointA = joint_a, jointB = joint_b, ratio = ratio }
	end

	-- --- Gears ---------------------------------------------------------------------------------------------------------------

	-- A torque on one wheel turns both with tau / (I_a + I_b / r^2), and the gear passes I_b / r^2 of it on. Freely turning, they keep their energy.
	function TestGears.test_inertia_through_a_gear_and_energy()
		for _, ratio in ipairs { 1, 2, -0.5, 1 / 60 } do
			local world, a, b, joint_a, joint_b, gear = new_pair(ratio)
			local of_a, of_b = inertia_of(a), inertia_of(b)
			local acceleration = 1 / (of_a + of_b / ratio ^ 2)
			for _ = 1, 60 do
				a:applyTorque(1)
				world:step(DT)
			end
			lu.assertAlmostEquals(joint_a:getSpeed(), acceleration, 1e-3 * acceleration)
			lu.assertAlmostEquals(joint_b:getSpeed(), -acceleration / ratio, 1e-3 * acceleration / math.abs(ratio))
			lu.assertAlmostEquals(gear:getReactionTorque(), -of_b * acceleration / ratio, 1e-3 * of_b * acceleration / math.abs(ratio))
			local energy = a:getKineticEnergy() + b:getKineticEnergy()
			run(world, 300)
			lu.assertAlmostEquals(a:getKineticEnergy() + b:getKineticEnergy(), energy, 1e-3 * energy)
			lu.assertAlmostEquals(joint_a:getAngle() + ratio * joint_b:getAngle(), 0, 1e-4)
		end
	end

	-- At 100 rad/s, 1.7 rad a step, the angles stay bound to the ratio over many turns; also near the greatest speed of bodies.
	function TestGears.test_no_drift()
		for _, speed in ipairs { 100, 230 } do
			local world, _, _, joint_a, joint_b = new_pair(-3)
			joint_a:setMotor(speed, 200)
			run(world, 240)
			lu.assertAlmostEquals(joint_a:getSpeed(), speed, 1e-3 * speed)
			lu.assertAlmostEquals(joint_b:getSpeed(), speed / 3, 1e-3 * speed)
			lu.assertTrue(joint_a:getAngle() > 3 * speed)
			lu.assertAlmostEquals(joint_a:getAngle() - 3 * joint_b:getAngle(), 0, 1e-3)
		end
	end

	-- Five wheels in a row, geared one to the next.
	function TestGears.test_a_train()
		local world, joints, bodies, sum, ratio = new_world(), {}, {}, 0, 1
		for i = 1, 5 do
			bodies[i], joints[i] = new_wheel(world, 3 * i, 0.4 + 0.1 * i)
			if i > 1 then
				world:newGearJoint { jointA = joints[i - 1], jointB = joints[i], ratio = 0.9 }
				ratio = -ratio / 0.9
			end
			sum = sum + inertia_of(bodies[i]) * ratio ^ 2
		end
		for _ = 1, 60 do
			bodies[1]:applyTorque(1)
			world:step(DT)
		end
		world:validate()
		lu.assertAlmostEquals(joints[1]:getSpeed(), 1 / sum, 2e-2 / sum)
		local energy = 0
		for _, body in ipairs(bodies) do energy = energy + body:getKineticEnergy() end
		lu.assertAlmostEquals(energy, 0.5 / sum, 4e-2 / sum)
		run(world, 60)
		for i, joint in ipairs(joints) do lu.assertAlmostEquals(joint:getAngle(), joints[1]:getAngle() * (-1 / 0.9) ^ (i - 1), 2e-3) end
	end

	-- A rack falls with g m / (m + I / r^2): it turns a pinion of radius r.
	function TestGears.test_rack_and_pinion()
		local world, radius = new_world { 0, -G }, 0.5
		local pinion, turn = new_wheel(world, 0, radius)
		local rack = world:newBody { x = 2, shape = d.box(0.2, 2) }
		local slide = world:newPrismaticJoint { bodyB = rack, x = 2, y = 0, axis = { 0, 1 } }
		local gear = world:newGearJoint { jointA = slide, jointB = turn, ratio = -radius }
		run(world, 60)
		local mass, extra = rack:getMass(), 0.5 * pinion:getMass() -- a disc's; a ball has 2/5
		if dim == "d3" then extra = 0.4 * pinion:getMass() end
		local acceleration = G * mass / (mass + extra)
		lu.assertAlmostEquals(slide:getSpeed(), -acceleration, 1e-3 * acceleration)
		lu.assertAlmostEquals(turn:getSpeed(), -acceleration / radius, 2e-3 * acceleration / radius)
		lu.assertAlmostEquals(slide:getTranslation() - radius * turn:getAngle(), 0, 1e-3)
		lu.assertAlmostEquals(gear:getReactionTorque(), -radius * extra * acceleration, 1e-2 * extra * acceleration)
		turn:setMotor(0, 1e4)
		run(world, 30)
		lu.assertAlmostEquals(slide:getSpeed(), 0, 1e-2)
		lu.assertAlmostEquals(math.abs(gear:getReactionTorque()), mass * G * radius, 1e-2 * mass * G)
	end

	-- Two wheels on a free bar: momentum stays 0, and the bar turns back. With wheel angles a, b and the bar's c: a' + r b' = 0 relative to the bar, and
	-- I_a (a' + c') + I_b (b' + c') + I c' = 0, where I is the bar's inertia with the wheels' masses at its ends.
	function TestGears.test_a_moving_frame()
		local world = new_world()
		local frame = world:newBody { shape = d.box(4, 0.2) }
		local a, joint_a = new_wheel(world, -2, 0.3, { frame = frame, motorSpeed = 5, maxMotorTorque = 10 })
		local b, joint_b = new_wheel(world, 2, 0.6, { frame = frame })
		world:newGearJoint { jointA = joint_a, jointB = joint_b, ratio = 2 }
		local of_a, of_b = inertia_of(a), inertia_of(b)
		local arm = (2 * b:getMass() - 2 * a:getMass()) / (frame:getMass() + a:getMass() + b:getMass())
		local whole = inertia_of(frame) + 4 * (a:getMass() + b:getMass()) - (frame:getMass() + a:getMass() + b:getMass()) * arm ^ 2
		run(world, 120)
		lu.assertAlmostEquals(joint_a:getSpeed(), 5, 5e-3)
		lu.assertAlmostEquals(joint_b:getSpeed(), -2.5, 5e-3)
		lu.assertAlmostEquals(frame:getAngularVelocity(), -(5 * of_a - 2.5 * of_b) / (whole + of_a + of_b), 5e-3)
		lu.assertAlmostEquals(joint_a:getAngle() + 2 * joint_b:getAngle(), 0, 5e-3)
	end

	-- A kinematic body drives a gear, on a joint that is not solved itself; and locked bodies hold it.
	function TestGears.test_kinematic_and_locked_bodies()
		local world = new_world()
		local motor = world:newBody { type = "kinematic", shape = d.circle(0.5), angularVelocity = 10 }
		local driving = world:newRevoluteJoint { bodyB = motor, x = 0, y = 0 }
		local wheel, driven = new_wheel(world, 2, 0.5)
		local gear = world:newGearJoint { jointA = driving, jointB = driven, ratio = 1 / 3 }
		run(world, 300)
		lu.assertAlmostEquals(wheel:getAngularVelocity(), -30, 1e-2)
		lu.assertAlmostEquals((10 * 300 * DT) - driven:getAngle() / -3, 0, 1e-2)
		lu.assertTrue(gear:getBodyA() == motor and gear:getBodyB() == wheel)
		motor:setAngularVelocity(0)
		run(world, 30)
		lu.assertAlmostEquals(wheel:getAngularVelocity(), 0, 1e-3)
		motor:setType "dynamic"
		motor:setLocks(false, false, true)
		for _ = 1, 60 do
			wheel:applyTorque(1)
			world:step(DT)
		end
		lu.assertAlmostEquals(motor:getAngularVelocity(), 0, 1e-6)
		lu.assertTrue(math.abs(wheel:getAngularVelocity()) < 0.5) -- the give of locked joints
	end

	-- A wheel on a suspension turns a wheel on an axle.
	function TestGears.test_the_spin_of_a_wheel()
		local world = new_world { 0, -G }
		local frame = world:newBody { type = "static", y = 1 }
		local wheel = world:newBody { shape = d.circle(0.5) }
		local spin = world:newWheelJoint { bodyA = frame, bodyB = wheel, x = 0, y = 0, axis = { 0, 1 }, suspensionHertz = 2, suspensionDampingRatio = 0.3 }
		local _, axle = new_wheel(world, 3, 0.5, { motorSpeed = 6, maxMotorTorque = 100 })
		world:newGearJoint { jointA = spin, jointB = axle, ratio = -2 }
		run(world, 120)
		lu.assertAlmostEquals(spin:getSpinSpeed(), 12, 1e-2)
		lu.assertAlmostEquals(spin:getSpinAngle() - 2 * axle:getAngle(), 0, 5e-3)
	end

	-- Disabled, the gear lets both turn; enabled, it holds the ratio from there on, as a clutch does. So does a change of the ratio. A disabled joint or body
	-- idles it as well.
	function TestGears.test_a_clutch()
		local world, a, b, joint_a, joint_b, gear = new_pair(1)
		local function assert_coupled(ratio)
			run(world, 30)
			local sum = joint_a:getAngle() + ratio * joint_b:getAngle()
			run(world, 30)
			lu.assertAlmostEquals(joint_a:getAngle() + ratio * joint_b:getAngle(), sum, 1e-4)
			lu.assertAlmostEquals(joint_a:getSpeed(), -ratio * joint_b:getSpeed(), 1e-4)
		end
		local function assert_free()
			a:setAngularVelocity(3)
			b:setAngularVelocity(2)
			run(world, 10)
			lu.assertAlmostEquals(a:getAngularVelocity(), 3, 1e-5)
			lu.assertAlmostEquals(b:getAngularVelocity(), 2, 1e-5)
			lu.assertEquals(gear:getReactionTorque(), 0)
		end
		gear:setEnabled(false)
		assert_free()
		gear:setEnabled(true)
		assert_coupled(1)
		gear:setRatio(-2)
		lu.assertEquals(gear:getRatio(), -2)
		assert_coupled(-2)
		joint_a:setEnabled(false)
		assert_free()
		joint_a:setEnabled(true)
		a:setPosition(0, 0)
		assert_coupled(-2)
		b:setEnabled(false)
		a:setAngularVelocity(3)
		run(world, 10)
		lu.assertAlmostEquals(a:getAngularVelocity(), 3, 1e-5)
		b:setEnabled(true)
		assert_coupled(-2)
	end

	-- All four bodies sleep and wake together, whichever carries the wheels.
	function TestGears.test_islands()
		local world = d.newWorld { gravity = { 0, 0 } }
		local frames, joints = {}, {}
		for i = 1, 2 do
			frames[i] = world:newBody { x = 5 * i, shape = d.circle(0.5) }
			joints[i] = world:newRevoluteJoint { bodyA = frames[i], bodyB = world:newBody { x = 5 * i, shape = d.circle(0.5) }, x = 5 * i, y = 0 }
		end
		lu.assertEquals(world:getIslandCount(), 2)
		local gear = world:newGearJoint { jointA = joints[1], jointB = joints[2] }
		lu.assertEquals(world:getIslandCount(), 1)
		run(world, 120)
		for _, body in ipairs(world:getBodies()) do lu.assertFalse(body:isAwake()) end
		frames[1]:setAngularVelocity(1)
		for _, body in ipairs(world:getBodies()) do lu.assertTrue(body:isAwake()) end
		-- The wheels become static, kinematic and dynamic again: the gear ties the frames instead.
		for _, type in ipairs { "static", "kinematic", "dynamic" } do
			for i = 1, 2 do
				joints[i]:getBodyB():setType(type)
				world:validate()
			end
			run(world, 5)
			lu.assertEquals(world:getIslandCount(), 1)
			lu.assertEquals(gear:getBodyA() == frames[1], type ~= "dynamic")
		end
		gear:destroy()
		run(world, 120)
		lu.assertEquals(world:getIslandCount(), 2)
	end

	-- Both joints on the same two bodies, or on one body and the world: a screw.
	function TestGears.test_shared_bodies()
		for _, held in ipairs { true, false } do
			local world = new_world()
			local frame = not held and world:newBody { type = "static" } or nil
			local body = world:newBody { shape = d.circle(0.5) }
			local slide = world:newPrismaticJoint { bodyA = frame, bodyB = body, x = 0, y = 0, axis = { 1, 0 } }
			local turn = world:newRevoluteJoint { bodyA = frame, bodyB = body, x = 0, y = 0, motorSpeed = 1, maxMotorTorque = 1 }
			world:newGearJoint { jointA = slide, jointB = turn }
			run(world, 30)
			turn:destroy()
			run(world, 5)
			lu.assertEquals(world:getJointCount(), 1)
			body:destroy()
			run(world, 5)
			lu.assertEquals(world:getJointCount(), 0)
		end
	end

	-- A gear dies with either joint and with any of their bodies, and is reported, but not when the script destroys it; both joints outlive it.
	function TestGears.test_lives()
		for how = 1, 7 do
			local world = new_world()
			local frame = world:newBody { shape = d.box(4, 0.2) }
			local a, joint_a = new_wheel(world, -2, 0.3, { frame = frame })
			local b, joint_b = new_wheel(world, 2, 0.3)
			local gears = {}
			for i = 1, 3 do gears[i] = world:newGearJoint { jointA = joint_a, jointB = joint_b, name = "gear " .. i, data = { i } } end
			world:step(DT)
			if how == 1 then joint_a:destroy() elseif how == 2 then joint_b:destroy() elseif how == 3 then a:destroy()
			elseif how == 4 then b:destroy() elseif how == 5 then frame:destroy() elseif how == 6 then for i = 1, 3 do gears[i]:destroy() end
			else world:destroy() end
			for i = 1, 3 do lu.assertFalse(gears[i]:isValid()) end
			lu.assertErrorMsgContains("destroyed", gears[1].getRatio, gears[1])
			if how < 7 then
				lu.assertEquals(world:getJointCount(), how == 6 and 2 or how == 5 and 1 or 1)
				lu.assertEquals(joint_a:isValid(), how == 2 or how == 4 or how == 6)
				local reported = {}
				for gear, force, torque, broken in world:jointEvents() do
					lu.assertEquals({ gear.data[1] <= 3, force, torque, broken }, { true, 0, 0, true })
					reported[gear.data[1]] = gear
				end
				lu.assertEquals(reported, how == 6 and {} or gears)
				run(world, 1)
				for _ in world:jointEvents() do lu.fail "reported twice" end
				run(world, 2)
			end
		end
	end

	-- A joint that breaks, or is destroyed, takes its gears along; events report them without a reaction until the next step.
	function TestGears.test_events()
		local world = new_world { 0, -G }
		local a, joint_a = new_wheel(world, -2, 0.3)
		local _, joint_b = new_wheel(world, 2, 0.3)
		local gear = world:newGearJoint { jointA = joint_a, jointB = joint_b, name = "gear" }
		local other = world:newGearJoint { jointA = joint_b, jointB = joint_a }
		joint_a:setForceThreshold(0.5 * a:getMass() * G)
		joint_a:setBreakable(true)
		local function rows()
			local list = {}
			for joint, force, torque, broken in world:jointEvents() do list[#list + 1] = { joint, force > 0, torque, broken } end
			return list
		end
		world:step(DT)
		world:validate()
		local found = rows()
		lu.assertEquals(#found, 3)
		lu.assertTrue(found[1][1] == joint_a and found[1][2] and found[1][4])
		for i = 2, 3 do
			lu.assertTrue(found[i][1] == gear or found[i][1] == other)
			lu.assertEquals({ found[i][2], found[i][3], found[i][4] }, { false, 0, true })
			lu.assertFalse(found[i][1]:isValid())
		end
		lu.assertEquals(world:getJointCount(), 1)
		run(world, 1)
		lu.assertEquals(rows(), {})
		-- Destroyed between steps, after an event of its own.
		local _, joint_c = new_wheel(world, 5, 0.3, { motorSpeed = 5, maxMotorTorque = 10 })
		gear = world:newGearJoint { jointA = joint_b, jointB = joint_c, torqueThreshold = 1e-9 }
		world:step(DT)
		lu.assertEquals({ #rows(), rows()[1][4] }, { 1, false })
		joint_b:destroy()
		world:validate()
		found = rows()
		lu.assertEquals(#found, 1)
		lu.assertTrue(found[1][1] == gear and found[1][4])
		run(world, 2)
		lu.assertEquals({ #rows(), world:getJointCount() }, { 0, 1 })
	end

	-- A gear that no script holds lives on; its joints are the same handles.
	function TestGears.test_handles_and_garbage()
		local world, _, _, joint_a, joint_b, gear = new_pair(3)
		lu.assertTrue(gear:getJointA() == joint_a and gear:getJointB() == joint_b)
		lu.assertEquals(gear:getType(), "gear")
		gear, joint_b = nil, nil
		collectgarbage()
		collectgarbage()
		run(world, 3)
		local again = world:getJoints()[3]
		lu.assertEquals({ again:getType(), again:getRatio(), again:getJointB():getType() }, { "gear", 3, "revolute" })
		lu.assertEquals(#again:getBodyA():getJoints(), 2)
		joint_a:destroy()
		collectgarbage()
		lu.assertEquals(world:getJointCount(), 1)
	end

	-- Random lives of gears, joints and bodies: the world stays whole.
	function TestGears.test_life()
		local world, bodies, joints, number = d.newWorld { gravity = { 0, -G } }, {}, {}, support.random_numbers(5)
		local function whole(n) return math.floor(number(1, n + 0.999)) end
		local types = { "static", "kinematic", "dynamic", "dynamic" }
		for round = 1, 400 do
			local action, i = whole(9), whole(6)
			if action == 1 or not bodies[i] then
				bodies[i] = bodies[i] or world:newBody { x = i, y = number(0, 3), shape = d.circle(0.4), angularVelocity = number(-5, 5) }
			elseif action <= 3 then
				local axis = number(0, 1) < 0.4 and { 0, 1 } or nil
				joints[#joints + 1] = world[axis and "newPrismaticJoint" or "newRevoluteJoint"](world,
					{ bodyA = bodies[i % 6 + 1], bodyB = bodies[i], x = i, y = 1, axis = axis, hertz = number(0, 1) < 0.2 and 1 or nil })
			elseif action == 4 then
				bodies[i]:setEnabled(number(0, 1) < 0.7)
			elseif action == 5 then
				bodies[i]:setType(types[whole(4)])
			elseif action == 6 and round % 4 == 0 then
				bodies[i]:destroy()
				bodies[i] = nil
			elseif #joints > 1 then
				local k, other = whole(#joints), whole(#joints)
				if not joints[k]:isValid() then
					table.remove(joints, k)
				elseif action == 7 then
					joints[k]:setEnabled(number(0, 1) < 0.6)
				elseif action == 8 and round % 5 == 0 then
					joints[k]:destroy()
				elseif k ~= other and joints[other]:isValid() and joints[k]:getType() ~= "gear" and joints[other]:getType() ~= "gear" then
					joints[#joints + 1] = world:newGearJoint { jointA = joints[k], jointB = joints[other], ratio = number(0.2, 2), enabled = number(0, 1) < 0.8 }
				end
			end
			world:validate()
			if round % 2 == 0 then world:step(DT) end
		end
		local speed = 0
		for _, body in pairs(bodies) do
			local x, y = body:getLinearVelocity()
			speed = math.max(speed, math.abs(x), math.abs(y))
		end
		lu.assertTrue(speed < 200)
	end

	-- Several gears at once, of frames on frames: the same bits for any number of workers.
	function TestGears.test_workers()
		local function hashes(workers)
			local world, result = d.newWorld { gravity = { 0, -G }, workers = workers }, {}
			world:newBody { type = "static", y = -1, shape = d.box(100, 1) }
			local motor = world:newBody { type = "kinematic", x = -45, y = 5, angularVelocity = 3 }
			local first = world:newRevoluteJoint { bodyB = motor, x = -45, y = 5 }
			for i = 1, 30 do
				local frame = world:newBody { x = 3 * i - 45, y = 1, shape = d.box(2, 0.3) }
				local _, a = new_wheel(world, 3 * i - 45.8, 0.4, { frame = frame, y = 1, motorSpeed = i % 3 == 0 and 4 or nil, maxMotorTorque = i % 3 == 0 and 2 or nil })
				local _, b = new_wheel(world, 3 * i - 44.2, 0.4, { frame = frame, y = 1 })
				world:newGearJoint { jointA = a, jointB = b, ratio = i % 2 == 0 and 1 or -0.7 }
				if i % 10 == 0 then world:newGearJoint { jointA = first, jointB = a } end
			end
			for tick = 1, 90 do
				world:step(DT)
				if tick % 30 == 0 then result[#result + 1] = world:hash() end
			end
			return result
		end
		lu.assertEquals(hashes(3), hashes(1))
	end

	-- A step of a world with gears and pulleys leaves no garbage.
	function TestGears.test_no_garbage()
		local world = new_pair(2)
		local weight = world:newBody { x = 6, shape = d.circle(0.3) }
		world:newPulleyJoint { bodyA = weight, bodyB = world:newBody { x = 8, shape = d.circle(0.3) }, groundA = { 6, 3 }, groundB = { 8, 3 }, pointA = { 6, 0 },
			pointB = { 8, 0 } }
		run(world, 3)
		collectgarbage()
		collectgarbage "stop"
		local step, own = world.step, dim == "d3" and world.real or world
		if dim == "d3" then step = own.step end
		local before = collectgarbage "count"
		step(own, DT)
		local after = collectgarbage "count"
		collectgarbage "restart"
		lu.assertEquals(after, before)
	end

	function TestGears.test_errors()
		local world, _, b, joint_a, joint_b, gear = new_pair(1)
		local weld = world:newWeldJoint { bodyB = b, x = 3, y = 0, enabled = false }
		local gone = world:newRevoluteJoint { bodyB = b, x = 3, y = 0, enabled = false }
		gone:destroy()
		local _, _, _, foreign = new_pair(1)
		local count = world:getJointCount()
		local function assert_raises(text, options)
			lu.assertErrorMsgContains(text, world.newGearJoint, world, options)
			lu.assertEquals(world:getJointCount(), count)
			world:validate()
		end
		assert_raises("newGearJoint: jointA is missing", { jointB = joint_b })
		assert_raises("newGearJoint: jointB is missing", { jointA = joint_a })
		assert_raises("newGearJoint: jointA must be a joint, got", { jointA = 3, jointB = joint_b })
		assert_raises("newGearJoint: jointB must be a joint, got", { jointA = joint_a, jointB = b })
		assert_raises("newGearJoint: jointB is destroyed", { jointA = joint_a, jointB = gone })
		assert_raises("newGearJoint: jointB must be a joint of this world", { jointA = joint_a, jointB = foreign })
		assert_raises("newGearJoint: jointA and jointB must be two joints", { jointA = joint_a, jointB = joint_a })
		assert_raises("or wheel joint, got a weld joint", { jointA = joint_a, jointB = weld })
		assert_raises("or wheel joint, got a gear joint", { jointA = gear, jointB = joint_b })
		assert_raises("newGearJoint: ratio must be other than 0, got 0", { jointA = joint_a, jointB = joint_b, ratio = 0 })
		assert_raises("ratio", { jointA = joint_a, jointB = joint_b, ratio = 0 / 0 })
		assert_raises("ratio", { jointA = joint_a, jointB = joint_b, ratio = 1 / 0 })
		assert_raises("ratio", { jointA = joint_a, jointB = joint_b, ratio = "fast" })
		assert_raises("unknown", { jointA = joint_a, jointB = joint_b, bodyA = b })
		lu.assertErrorMsgContains("setRatio: ratio must be other than 0, got 0", gear.setRatio, gear, 0)
		lu.assertErrorMsgContains("setRatio: a revolute joint has no such method", joint_a.setRatio, joint_a, 2)
		lu.assertErrorMsgContains("getJointA: a revolute joint has no such method", joint_a.getJointA, joint_a)
		lu.assertErrorMsgContains("getLimits: a gear joint has no such method; it has getRatio, getJointA, getJointB", gear.getLimits, gear)
		lu.assertEquals(gear:getRatio(), 1)
	end

	-- --- Pulleys -------------------------------------------------------------------------------------------------------------

	local function new_atwood(options, radius_a, radius_b)
		local world = new_world { 0, -G }
		local a, b = world:newBody { x = -1, y = -2, shape = d.circle(radius_a or 0.5) }, world:newBody { x = 1, y = -3, shape = d.circle(radius_b or 0.3) }
		local all = { bodyA = a, bodyB = b, groundA = { -1, 0 }, groundB = { 1, 0 }, pointA = { -1, -2 }, pointB = { 1, -3 } }
		for key, value in pairs(options or {}) do all[key] = value end
		return world, a, b, world:newPulleyJoint(all)
	end

	-- Atwood's machine with a ratio: a falls with g (m_a - m_b / r) / (m_a + m_b / r^2). The rope's force follows from that.
	function TestPulleys.test_atwoods_machine()
		for _, ratio in ipairs { 1, 2, 0.5 } do
			local world, a, b, pulley = new_atwood { ratio = ratio }
			local total, mass_a, mass_b = 2 + ratio * 3, a:getMass(), b:getMass()
			lu.assertEquals({ pulley:getType(), pulley:getRatio() }, { "pulley", ratio })
			run(world, 24)
			local acceleration = G * (mass_a - mass_b / ratio) / (mass_a + mass_b / ratio ^ 2)
			lu.assertAlmostEquals(select(2, a:getLinearVelocity()), -acceleration * 0.4, 2e-3 * acceleration)
			lu.assertAlmostEquals(select(2, b:getLinearVelocity()), acceleration * 0.4 / ratio, 2e-3 * acceleration)
			lu.assertAlmostEquals(pulley:getLengthA() + ratio * pulley:getLengthB(), total, 1e-3)
			lu.assertAlmostEquals(select(2, pulley:getReactionForce()), mass_b * (G + acceleration / ratio), 1e-3 * mass_a * G)
		end
	end

	-- Within its limits the rope is slack; at one of them it holds, so that equal weights rest. Without limits the total is held on either side.
	function TestPulleys.test_limits()
		local world, a, b, pulley = new_atwood({ maxLength = 7 }, 0.3, 0.3)
		run(world, 15)
		lu.assertAlmostEquals(select(2, a:getLinearVelocity()), -G * 0.25, 1e-3)
		run(world, 285)
		lu.assertAlmostEquals(pulley:getLengthA() + pulley:getLengthB(), 7, 5e-3)
		lu.assertAlmostEquals(select(2, pulley:getReactionForce()), b:getMass() * G, 1e-2 * b:getMass() * G)
		lu.assertEquals({ pulley:getLimits() }, { 0, 7 })
		a:applyImpulse(0, 3 * a:getMass())
		run(world, 6)
		lu.assertTrue(pulley:getLengthA() + pulley:getLengthB() < 6.9, "a rope does not push")
		-- A least length lifts them.
		world, a, b, pulley = new_atwood({ minLength = 5, maxLength = 5.5 }, 0.3, 0.3)
		world:setGravity(0, G)
		run(world, 30)
		lu.assertAlmostEquals(pulley:getLengthA() + pulley:getLengthB(), 5, 5e-3)
		pulley:setLimits(6, 6.5)
		run(world, 60)
		lu.assertAlmostEquals(pulley:getLengthA() + pulley:getLengthB(), 6, 1e-2)
		pulley:setLimits()
		run(world, 90)
		lu.assertAlmostEquals(pulley:getLengthA() + pulley:getLengthB(), 5, 1e-2) -- as it began
	end

	-- The lighter load is pulled up to its sheave, and stays there; the heavier one stops.
	function TestPulleys.test_an_end_that_is_pulled_in()
		local world, a, _, pulley = new_atwood({}, 1, 0.1)
		run(world, 240)
		lu.assertTrue(pulley:getLengthB() < 0.02)
		lu.assertAlmostEquals(pulley:getLengthA() + pulley:getLengthB(), 5, 0.01)
		lu.assertAlmostEquals(select(2, a:getLinearVelocity()), 0, 0.05)
	end

	-- A load off its centre hangs below the ground point; the bodies sleep together.
	function TestPulleys.test_it_comes_to_rest()
		local world = d.newWorld { gravity = { 0, -G } }
		local a, b = world:newBody { x = -1, y = -2, shape = d.circle(0.5), angularDamping = 3, linearDamping = 1 },
			world:newBody { x = 1, y = -3, shape = d.circle(0.5), linearDamping = 1 }
		local pulley = world:newPulleyJoint { bodyA = a, bodyB = b, groundA = { -1, 0 }, groundB = { 1, 0 }, anchorA = { 0.4, 0 }, anchorB = { 0, 0.5 } }
		lu.assertTrue(pulley:isCollideConnected())
		lu.assertEquals(world:getIslandCount(), 1)
		run(world, 900)
		lu.assertFalse(a:isAwake() or b:isAwake())
		local x, y = pulley:getAnchorA()
		lu.assertAlmostEquals(x, -1, 0.03) -- as near as it was when it fell asleep
		lu.assertTrue(y < 0)
		pulley:setEnabled(false)
		lu.assertTrue(a:isAwake() and b:isAwake())
		run(world, 3)
		lu.assertEquals({ pulley:getReactionForce() }, { 0, 0 })
	end

	function TestPulleys.test_errors()
		local world, a, b, pulley = new_atwood()
		local count = world:getJointCount()
		local function assert_raises(text, changes)
			local options = { bodyA = a, bodyB = b, groundA = { -1, 0 }, groundB = { 1, 0 }, pointA = { -1, -2 }, pointB = { 1, -3 } }
			for key, value in pairs(changes) do options[key] = value or nil end
			lu.assertErrorMsgContains(text, world.newPulleyJoint, world, options)
			lu.assertEquals(world:getJointCount(), count)
		end
		assert_raises("newPulleyJoint: groundA is missing", { groundA = false })
		assert_raises("newPulleyJoint: groundB is missing", { groundB = false })
		assert_raises("newPulleyJoint: bodyB is missing", { bodyB = false })
		assert_raises("newPulleyJoint: ratio must be > 0, got 0", { ratio = 0 })
		assert_raises("newPulleyJoint: ratio must be > 0, got -1", { ratio = -1 })
		assert_raises("ratio", { ratio = 0 / 0 })
		assert_raises("groundA", { groundA = { 1 / 0, 0 } })
		assert_raises("maxLength must be >= minLength", { minLength = 3, maxLength = 2 })
		assert_raises("maxLength", { maxLength = -1 })
		assert_raises("unknown", { hertz = 2 })
		lu.assertErrorMsgContains("getSpring: a pulley joint has no such method", pulley.getSpring, pulley)
		lu.assertErrorMsgContains("getLengthA: a revolute joint has no such method", function() world:newRevoluteJoint { bodyB = a, x = 0, y = 0 }:getLengthA() end)
	end
end

TestSpaceGears = {}

local d3 = collide.d3

-- Bevel wheels with perpendicular axes, on a frame that itself turns about a third axis.
function TestSpaceGears.test_bevel_wheels()
	local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
	local frame = world:newBody { shape = d3.box(1, 0.2, 1), angularVelocity = { 0, 3, 0 } }
	local axes, joints, bodies = { { 1, 0, 0 }, { 0, 0, 1 } }, {}, {}
	for i = 1, 2 do
		bodies[i] = world:newBody { x = axes[i][1], z = axes[i][3], shape = d3.sphere(0.3), angularVelocity = { 0, 3, 0 },
			linearVelocity = { 3 * axes[i][3], 0, -3 * axes[i][1] } }
		joints[i] = world:newRevoluteJoint { bodyA = frame, bodyB = bodies[i], x = axes[i][1], y = 0, z = axes[i][3], axis = axes[i] }
	end
	world:newGearJoint { jointA = joints[1], jointB = joints[2], ratio = 1.5 }
	joints[1]:setMotor(6, 5)
	for _ = 1, 240 do world:step(DT) end
	world:validate()
	lu.assertAlmostEquals(joints[1]:getSpeed(), 6, 1e-2)
	lu.assertAlmostEquals(joints[2]:getSpeed(), -4, 1e-2)
	lu.assertAlmostEquals(joints[1]:getAngle() + 1.5 * joints[2]:getAngle(), 0, 5e-3)
end

-- Of a cylindrical joint the gear takes the angle: the bolt slides on.
function TestSpaceGears.test_a_cylindrical_joint()
	local world = d3.newWorld { gravity = { 0, 0, -G }, sleeping = false }
	local bolt, wheel = world:newBody { shape = d3.sphere(0.4) }, world:newBody { x = 3, shape = d3.sphere(0.4) }
	local slide = world:newCylindricalJoint { bodyB = bolt, x = 0, y = 0, z = 0, axis = { 0, 0, 1 } }
	local turn = world:newRevoluteJoint { bodyB = wheel, x = 3, y = 0, z = 0, axis = { 0, 0, 1 }, motorSpeed = 4, maxMotorTorque = 50 }
	local gear = world:newGearJoint { jointA = slide, jointB = turn, ratio = -0.5 }
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(slide:getAngle(), 0.5 * turn:getAngle(), 5e-3)
	lu.assertAlmostEquals(slide:getSpeed(), -G, 0.05)
	lu.assertErrorMsgContains("got a spherical joint", world.newGearJoint, world,
		{ jointA = world:newSphericalJoint { bodyA = bolt, bodyB = wheel, x = 0, y = 0, z = 0, enabled = false }, jointB = turn })
	lu.assertErrorMsgContains("must be a joint of the same dimension", world.newGearJoint, world,
		{ jointA = slide, jointB = (function()
			local flat = collide.d2.newWorld()
			return flat:newRevoluteJoint { bodyB = flat:newBody { shape = collide.d2.circle(1) }, x = 0, y = 0 }
		end)() })
	lu.assertTrue(gear:isValid())
end
