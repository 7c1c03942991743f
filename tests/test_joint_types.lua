-- Each type of joint by its law, in both dimensions: free accelerations, reactions, deflections, limits, motors.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

local DT, G = 1 / 60, 10

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestJointTypes = suite("TestJointTypes", dim)

	local function new_world(gravity) return d.newWorld { gravity = gravity or { 0, -G }, sleeping = false } end

	local function run(world, seconds, each)
		for tick = 1, math.floor(seconds / DT + 0.5) do
			if each then each(tick) end
			world:step(DT)
		end
	end

	-- --- Distance ----------------------------------------------------------------------------------------------------------

	-- A small ball on a rod of length 1 swings through 20 degrees with the period 2 pi sqrt(L / g) (1 + a^2 / 16).
	function TestJointTypes.test_a_rod_is_a_pendulum()
		local world, angle = new_world(), math.rad(20)
		local ball = world:newBody { x = math.sin(angle), y = -math.cos(angle), shape = d.circle(0.05) }
		local joint = world:newDistanceJoint { bodyB = ball, pointA = { 0, 0 }, pointB = { math.sin(angle), -math.cos(angle) } }
		lu.assertAlmostEquals(joint:getLength(), 1, 1e-6)
		local first, last, crossings, before = nil, nil, 0, math.sin(angle)
		run(world, 20, function(tick)
			local x = ball:getPosition()
			if before > 0 and x <= 0 then
				last, crossings = tick - 1 + before / (before - x), crossings + 1
				first = first or last
			end
			before = x
			lu.assertAlmostEquals(joint:getLength(), 1, 2e-3)
		end)
		local period = (last - first) * DT / (crossings - 1)
		lu.assertAlmostEquals(period, 2 * math.pi * math.sqrt(1 / G) * (1 + angle ^ 2 / 16), 0.03)
	end

	-- A rope lets the ball fall freely until it is taut, then holds its weight.
	function TestJointTypes.test_a_rope()
		local world = new_world()
		local ball = world:newBody { y = -0.5, shape = d.circle(0.1) }
		local joint = world:newDistanceJoint { bodyB = ball, anchorA = { 0, 0 }, anchorB = { 0, 0 }, maxLength = 2 }
		run(world, 0.5)
		lu.assertAlmostEquals(select(2, ball:getLinearVelocity()), -G / 2, 1e-3)
		run(world, 3)
		lu.assertAlmostEquals(joint:getLength(), 2, 2e-3)
		lu.assertAlmostEquals(select(2, joint:getReactionForce()), ball:getMass() * G, 0.01 * ball:getMass() * G)
	end

	-- A spring stretches by g / w^2; its force stays in its range.
	function TestJointTypes.test_a_spring_has_its_range_of_force()
		local world, hertz = new_world(), 2
		local ball = world:newBody { y = -1, shape = d.circle(0.1) }
		local spring = { bodyB = ball, anchorA = { 0, 0 }, anchorB = { 0, 0 }, length = 1, hertz = hertz, dampingRatio = 0.7 }
		local joint = world:newDistanceJoint(spring)
		run(world, 4)
		lu.assertAlmostEquals(joint:getLength(), 1 + G / (2 * math.pi * hertz) ^ 2, 1e-3)
		joint:destroy()
		local limit = 0.6 * ball:getMass() * G
		spring.lowerSpringForce, spring.upperSpringForce = -limit, 0
		ball:setPosition(0, -1)
		ball:setLinearVelocity(0, 0)
		joint = world:newDistanceJoint(spring)
		run(world, 2)
		lu.assertAlmostEquals(select(2, ball:getLinearVelocity()), -0.4 * G * 2, 0.2 * G) -- 0.6 of the weight, once it is stretched
		lu.assertAlmostEquals(select(2, joint:getReactionForce()), limit, 1e-3 * limit)
	end

	function TestJointTypes.test_a_length_motor()
		local world = new_world { 0, 0 }
		local ball = world:newBody { x = 1, shape = d.circle(0.1) }
		local joint = world:newDistanceJoint { bodyB = ball, anchorA = { 0, 0 }, anchorB = { 0, 0 }, minLength = 0.5, maxLength = 3, motorSpeed = 1,
			maxMotorForce = 3 }
		run(world, 1)
		lu.assertAlmostEquals(joint:getLength(), 2, 0.03)
		lu.assertAlmostEquals(joint:getSpeed(), 1, 1e-3)
		run(world, 2)
		lu.assertAlmostEquals(joint:getLength(), 3, 0.01)
	end

	-- --- Prismatic ---------------------------------------------------------------------------------------------------------

	-- A slider on an axis of 30 degrees falls with g sin 30; off its axis the load is g cos 30, and it does not turn.
	function TestJointTypes.test_a_slider_on_an_incline()
		local world, c, s = new_world(), math.cos(math.rad(30)), math.sin(math.rad(30))
		local body = world:newBody { shape = d.box(1, 0.5) }
		local joint = world:newPrismaticJoint { bodyB = body, x = 0, y = 0, axis = { c, s } }
		run(world, 1)
		lu.assertAlmostEquals(joint:getSpeed(), -G * s, 0.01)
		lu.assertAlmostEquals(joint:getTranslation(), -G * s / 2, 0.03)
		local fx, fy = joint:getReactionForce()
		lu.assertAlmostEquals(fx * c + fy * s, 0, 1e-2 * body:getMass() * G)
		lu.assertAlmostEquals(-fx * s + fy * c, body:getMass() * G * c, 1e-2 * body:getMass() * G)
		lu.assertAlmostEquals(body:getAngle(), 0, 1e-4)
	end

	-- A load beside the axis is held by a torque.
	function TestJointTypes.test_a_slider_under_side_load()
		local world = new_world()
		local body = world:newBody { x = 2, shape = d.box(0.5, 0.5) }
		local joint = world:newPrismaticJoint { bodyB = body, x = 0, y = 0, axis = { 1, 0 }, lowerTranslation = -1, upperTranslation = 1 }
		run(world, 3)
		lu.assertAlmostEquals(select(2, body:getPosition()), 0, 2e-3)
		lu.assertAlmostEquals(body:getAngle(), 0, 2e-3)
		local torque = joint:getReactionTorque()
		lu.assertAlmostEquals(torque, body:getMass() * G * 2, 0.01 * body:getMass() * G * 2)
	end

	function TestJointTypes.test_slider_limits_and_motor()
		local world = new_world()
		local body = world:newBody { shape = d.box(0.5, 0.5) }
		local weight = body:getMass() * G
		local joint = world:newPrismaticJoint { bodyB = body, x = 0, y = 0, axis = { 0, 1 }, lowerTranslation = -1, upperTranslation = 2, motorSpeed = 0,
			maxMotorForce = 0.5 * weight }
		run(world, 0.25)
		lu.assertAlmostEquals(joint:getSpeed(), -0.5 * G * 0.25, 0.02)
		run(world, 2)
		lu.assertAlmostEquals(joint:getTranslation(), -1, 2e-3)
		joint:setMotor(2, 3 * weight)
		run(world, 0.5)
		lu.assertAlmostEquals(joint:getSpeed(), 2, 1e-3)
		lu.assertAlmostEquals(joint:getMotorForce(), weight, 0.01 * weight)
		run(world, 2)
		lu.assertAlmostEquals(joint:getTranslation(), 2, 5e-3)
		lu.assertAlmostEquals(joint:getMotorForce(), 3 * weight, 0.01 * weight)
		joint:setMotor(1, 3 * weight, 0.5)
		run(world, 4)
		lu.assertAlmostEquals(joint:getTranslation(), 0.5, 1e-3)
		joint:setMotor(nil)
		joint:setLimits(nil)
		joint:setSpring(1, 1, 0)
		run(world, 5)
		lu.assertAlmostEquals(joint:getTranslation(), -G / (2 * math.pi) ^ 2, 2e-3)
	end

	-- --- Weld --------------------------------------------------------------------------------------------------------------

	-- A welded beam holds its own weight and that of a load at its end.
	function TestJointTypes.test_a_weld_is_rigid()
		local world = new_world()
		local wall = world:newBody { type = "static" }
		local beam = world:newBody { x = 1, shape = d.box(2, 0.2) }
		local load = world:newBody { x = 2, y = 0.3, shape = d.box(0.4, 0.4) }
		local joint = world:newWeldJoint { bodyA = wall, bodyB = beam, x = 0, y = 0 }
		world:newWeldJoint { bodyA = beam, bodyB = load, x = 2, y = 0.1 }
		run(world, 5)
		lu.assertAlmostEquals(load:getAngle(), 0, 0.02)
		lu.assertAlmostEquals(select(2, load:getPosition()), 0.3, 0.04)
		local moment = beam:getMass() * G * 1 + load:getMass() * G * 2
		lu.assertAlmostEquals(joint:getReactionTorque(), moment, 0.02 * moment)
	end

	-- A soft one twists by torque / (I w^2), and stretches by g / w^2.
	function TestJointTypes.test_a_soft_weld()
		local world = new_world()
		local body = world:newBody { shape = d.box(1, 1) }
		world:newWeldJoint { bodyB = body, x = 0, y = 0, linearHertz = 2, linearDampingRatio = 1, angularHertz = 3, angularDampingRatio = 1 }
		local w = 2 * math.pi * 3
		local inertia = dim == "d2" and body:getInertia() or body:getMass() / 6
		run(world, 4, function() body:applyTorque(0.2 * inertia * w ^ 2) end)
		lu.assertAlmostEquals(body:getAngle(), 0.2, 2e-3)
		lu.assertAlmostEquals(select(2, body:getPosition()), -G / (2 * math.pi * 2) ^ 2, 2e-3)
	end

	-- --- Wheel -------------------------------------------------------------------------------------------------------------

	local function new_wheel(world, options)
		local wheel = world:newBody { shape = d.circle(0.5), y = options.y or 0 }
		options.bodyB, options.x, options.y, options.axis = wheel, 0, options.y or 0, { 0, 1 }
		return world:newWheelJoint(options), wheel
	end

	-- The suspension yields by g / w^2, and the wheel turns freely.
	function TestJointTypes.test_a_suspended_wheel()
		local world = new_world()
		local joint, wheel = new_wheel(world, { suspensionHertz = 2, suspensionDampingRatio = 0.7 })
		wheel:setAngularVelocity(30)
		run(world, 4)
		lu.assertAlmostEquals(joint:getTranslation(), -G / (2 * math.pi * 2) ^ 2, 1e-3)
		lu.assertAlmostEquals(joint:getSpinSpeed(), 30, 1e-3)
		lu.assertAlmostEquals(joint:getSpinAngle(), 120, 0.05)
		lu.assertAlmostEquals((wheel:getPosition()), 0, 1e-3)
		joint:setLimits("suspension", -0.02, 0.02)
		run(world, 2)
		lu.assertAlmostEquals(joint:getTranslation(), -0.02, 2e-3)
	end

	function TestJointTypes.test_a_driven_wheel()
		local world = new_world { 0, 0 }
		local joint, wheel = new_wheel(world, { spinSpeed = 20, maxSpinTorque = 1 })
		local inertia = dim == "d2" and wheel:getInertia() or 0.4 * wheel:getMass() * 0.25
		run(world, 1)
		lu.assertAlmostEquals(joint:getSpinSpeed(), math.min(20, 1 / inertia), 0.02)
		joint:setMotor("spin", -5, 1000)
		run(world, 0.1)
		lu.assertAlmostEquals(joint:getSpinSpeed(), -5, 1e-3)
		joint:setMotor("spin", nil)
		lu.assertNil(joint:getMotor("spin"))
		lu.assertErrorMsgContains("did you mean 'spin'", function() joint:setMotor("spinn", 1, 1) end)
	end

	-- --- Motor, mouse, friction --------------------------------------------------------------------------------------------

	-- It reaches its velocity with its greatest force, and turns likewise.
	function TestJointTypes.test_a_motor_joint()
		local world = new_world { 0, 0 }
		local body = world:newBody { shape = d.box(1, 1) }
		local mass, inertia = body:getMass(), dim == "d2" and body:getInertia() or body:getMass() / 6
		local joint = world:newMotorJoint { bodyB = body, x = 0, y = 0, linearVelocity = { 3, 0 }, maxVelocityForce = 2 * mass,
			angularVelocity = 4, maxVelocityTorque = 8 * inertia }
		run(world, 0.25)
		lu.assertAlmostEquals((body:getLinearVelocity()), 0.5, 1e-3)
		lu.assertAlmostEquals(body:getAngularVelocity(), 2, 1e-3)
		lu.assertAlmostEquals((joint:getReactionForce()), 2 * mass, 1e-2 * mass)
		run(world, 2)
		lu.assertAlmostEquals((body:getLinearVelocity()), 3, 1e-3)
		lu.assertAlmostEquals(body:getAngularVelocity(), 4, 1e-3)
	end

	-- Its springs hold the pose of A, as far as their force allows.
	function TestJointTypes.test_springs_of_a_motor_joint()
		local world = new_world()
		local body = world:newBody { shape = d.box(1, 1) }
		local weight = body:getMass() * G
		world:newMotorJoint { bodyB = body, x = 0, y = 0, linearHertz = 2, linearDampingRatio = 1, maxSpringForce = 10 * weight, angularHertz = 2,
			angularDampingRatio = 1, maxSpringTorque = 100 * weight }
		run(world, 3)
		lu.assertAlmostEquals(select(2, body:getPosition()), -G / (4 * math.pi) ^ 2, 1e-3)
	end

	function TestJointTypes.test_a_mouse_joint()
		local world = new_world()
		local body = world:newBody { shape = d.box(1, 1) }
		local mass = body:getMass()
		local joint = world:newMouseJoint { body = body, x = 0, y = 0, hertz = 4, dampingRatio = 1, maxForce = 50 * mass }
		joint:setTarget(3, 2)
		run(world, 3)
		local x, y = body:getPosition()
		lu.assertAlmostEquals(x, 3, 1e-3)
		lu.assertAlmostEquals(y, 2 - G / (8 * math.pi) ^ 2, 2e-3)
		-- From afar it pulls with its greatest force, by which it also holds the weight.
		body:setPosition(1000, 2)
		body:setLinearVelocity(0, 0)
		run(world, 0.5)
		local vx, vy = body:getLinearVelocity()
		lu.assertAlmostEquals(vx, -25, 0.1)
		lu.assertAlmostEquals(vy, -G * 0.5, 0.1)
	end

	-- A body that slides on a table, seen from above: it loses F / m and T / I.
	function TestJointTypes.test_a_friction_joint()
		local world = new_world { 0, 0 }
		local body = world:newBody { shape = d.box(1, 1) }
		local mass, inertia = body:getMass(), dim == "d2" and body:getInertia() or body:getMass() / 6
		world:newFrictionJoint { bodyB = body, x = 0, y = 0, maxForce = 2 * mass, maxTorque = 3 * inertia }
		body:setLinearVelocity(3, 4)
		body:setAngularVelocity(6)
		run(world, 1)
		local vx, vy = body:getLinearVelocity()
		lu.assertAlmostEquals(math.sqrt(vx ^ 2 + vy ^ 2), 3, 1e-2)
		lu.assertAlmostEquals(vy / vx, 4 / 3, 1e-2)
		lu.assertAlmostEquals(body:getAngularVelocity(), 3, 1e-2)
		run(world, 2)
		lu.assertAlmostEquals((body:getLinearVelocity()), 0, 1e-4)
		lu.assertAlmostEquals(body:getAngularVelocity(), 0, 1e-4)
	end

	-- --- Filter ------------------------------------------------------------------------------------------------------------

	function TestJointTypes.test_a_filter_lets_two_bodies_pass()
		local world = new_world()
		local ground = world:newBody { type = "static", y = -1, shape = d.box(20, 1) }
		local ball, other = world:newBody { y = 1, shape = d.circle(0.5) }, world:newBody { x = 3, y = 1, shape = d.circle(0.5) }
		local joint = world:newFilterJoint { bodyA = ground, bodyB = ball }
		run(world, 1)
		lu.assertAlmostEquals(select(2, ball:getPosition()), 1 - G / 2, 0.1)
		lu.assertAlmostEquals(select(2, other:getPosition()), 0, 0.02)
		ball:setPosition(0, 1)
		ball:setLinearVelocity(0, 0)
		joint:destroy()
		run(world, 2)
		lu.assertAlmostEquals(select(2, ball:getPosition()), 0, 0.02)
	end

	-- --- All ---------------------------------------------------------------------------------------------------------------

	-- The options that each type needs, and then groups of those that it may be given.
	local types = {
		Revolute = { {}, { hertz = 2 }, { lowerAngle = -1, upperAngle = 1 } },
		Distance = { {}, { length = 1, hertz = 3 }, { maxLength = 2 } },
		Prismatic = { {}, { lowerTranslation = -1, upperTranslation = 1 }, { motorSpeed = 1, maxMotorForce = 5 } },
		Weld = { {}, { angularHertz = 5 } },
		Wheel = { {}, { suspensionHertz = 4 }, { spinSpeed = 3, maxSpinTorque = 2 } },
		Motor = { {}, { linearHertz = 2, maxSpringForce = 100 }, { maxVelocityTorque = 1 } },
		Mouse = { { hertz = 2 }, { maxForce = 20 } },
		Friction = { {}, { maxForce = 2 }, { maxTorque = 1 } },
		Filter = { {} },
		Ratchet = { { toothAngle = 0.3 }, { phase = 0.1 } },
		Pulley = { { groundA = { -2, 6 }, groundB = { 2, 6 } }, { ratio = 2 }, { maxLength = 15 } },
		Path = { { points = { -4, 0, 0, 3, 4, 0 } }, { loop = true }, { follow = "tangent" } },
	}
	if dim == "d3" then
		types.Spherical = { {}, { coneAngle = 0.5 }, { hertz = 2 } }
		types.Cylindrical = { {}, { lowerTranslation = -1, upperTranslation = 1 }, { angleSpeed = 2, maxAngleTorque = 2 } }
		types.Universal = { { axis = { 0, 0, 1 }, secondAxis = { 1, 0, 0 } }, { lowerFirstAngle = -1, upperFirstAngle = 1 }, { secondHertz = 2 } }
		types.Parallel = { { hertz = 2 }, { maxTorque = 2 } }
		types.SixDof = { {}, { freedom = { y = { lower = -1, upper = 1 }, rotationX = "free", rotationZ = { hertz = 2 } } } }
	end

	-- Random joints of all types but gears between random bodies, changed, disabled and destroyed in any order, leave the world valid, and no body is thrown away.
	function TestJointTypes.test_anything_in_any_order()
		local number, pick = support.random_numbers(31)
		local names = {}
		for name in pairs(types) do names[#names + 1] = name end
		table.sort(names)
		local world = d.newWorld { gravity = { 0, -G } }
		world:newBody { type = "static", y = -3, shape = d.box(100, 1) }
		local bodies, joints, made = {}, {}, 0
		local function join(body, other)
			local name = names[pick(#names)]
			local x, y = body:getPosition()
			local options = { bodyA = other, bodyB = body, collideConnected = pick(2) == 1 }
			if name ~= "Filter" and name ~= "Path" then options.x, options.y = x + number(-0.5, 0.5), y end
			if name == "Prismatic" or name == "Wheel" then options.axis = { number(-1, 1), 1 } end
			if name == "Mouse" then options.body, options.bodyA, options.bodyB = body, nil, nil end
			for i, group in ipairs(types[name]) do
				for key, value in pairs((i == 1 or pick(2) == 1) and group or {}) do options[key] = value end
			end
			joints[#joints + 1] = world["new" .. name .. "Joint"](world, options)
			made = made + 1
		end
		for round = 1, 1200 do
			local what, body, joint = pick(11), bodies[pick(math.max(1, #bodies))], joints[pick(math.max(1, #joints))]
			if what <= 3 or #bodies < 4 then
				bodies[#bodies + 1] = world:newBody { type = ({ "dynamic", "dynamic", "kinematic", "static" })[pick(4)], x = number(-4, 4), y = number(-2, 5),
					shape = pick(5) > 1 and d.box(1, 1) or nil, locks = pick(6) == 1 and { x = true } or nil }
			elseif what <= 6 then
				local other = bodies[pick(#bodies)]
				if body:isValid() and other:isValid() and body ~= other then
					local ax, ay = body:getPosition()
					local bx, by = other:getPosition()
					if (bx - ax) ^ 2 + (by - ay) ^ 2 < 9 then join(body, other) end
				end
			elseif what == 7 and joint then
				joint:destroy()
			elseif what == 8 and pick(3) == 1 then
				body:destroy()
			elseif what == 9 and body:isValid() then
				body:setEnabled(pick(3) > 1)
			elseif what == 10 and joint and joint:isValid() then
				joint:setEnabled(pick(3) > 1)
			elseif body:isValid() then
				body:setType(({ "dynamic", "kinematic", "static" })[pick(3)])
			end
			if round % 3 == 0 then world:step(DT) end
			world:validate()
		end
		for _, body in ipairs(world:getBodies()) do
			local x, y = body:getPosition()
			lu.assertTrue(math.abs(x) < 1e4 and math.abs(y) < 1e4, "a body has been thrown away")
		end
		lu.assertTrue(made > 60, made)
	end

	function TestJointTypes.test_methods_of_other_types()
		local world = new_world()
		local weld = world:newWeldJoint { bodyB = world:newBody { shape = d.box(1, 1) }, x = 0, y = 0 }
		for method, text in pairs { getLength = "a weld joint has no such method", setMotor = "a weld joint has no such method", setTarget = "a weld joint" } do
			lu.assertErrorMsgContains(text, function() weld[method](weld, 1, 2) end)
		end
	end
end

-- --- Only in 3D ---------------------------------------------------------------------------------------------------------------

local d3 = require("collide").d3

TestSpaceJointTypes = {}

-- A block on a pole falls with g and turns freely; a motor stops the fall, limits both.
function TestSpaceJointTypes.test_a_cylindrical_joint()
	local world = d3.newWorld { gravity = { 0, -G, 0 }, sleeping = false }
	local body = world:newBody { shape = d3.box(1, 1, 1), angularVelocity = { 1, 2, 0 } }
	local joint = world:newCylindricalJoint { bodyB = body, x = 0, y = 0, z = 0, axis = { 0, 1, 0 } }
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSpeed(), -G, 0.01)
	lu.assertAlmostEquals(joint:getAngle(), 2, 0.02)
	local x, _, z = body:getPosition()
	lu.assertAlmostEquals(x, 0, 1e-3)
	lu.assertAlmostEquals(z, 0, 1e-3)
	joint:setLimits("translation", -20, 0)
	joint:setMotor("angle", -3, 100)
	for _ = 1, 240 do world:step(DT) end
	lu.assertAlmostEquals(joint:getTranslation(), -20, 5e-3)
	lu.assertAlmostEquals(select(2, body:getAngularVelocity()), -3, 1e-3)
end

-- A shaft bent by b: one turn in is one turn out, with rates that differ by the factor cos b to 1 / cos b.
function TestSpaceJointTypes.test_a_universal_joint()
	local bend = 0.5
	local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
	local c, s = math.cos(bend), math.sin(bend)
	local input = world:newBody { position = { -1, 0, 0 }, shape = d3.box(2, 0.2, 0.2) }
	local output = world:newBody { position = { c, s, 0 }, rotation = { axis = { 0, 0, 1 }, angle = bend }, shape = d3.box(2, 0.2, 0.2) }
	world:newRevoluteJoint { bodyB = input, x = -1, y = 0, z = 0, axis = { 1, 0, 0 }, motorSpeed = 5, maxMotorTorque = 1e4 }
	local out = world:newRevoluteJoint { bodyB = output, x = c, y = s, z = 0, axis = { c, s, 0 } }
	local joint = world:newUniversalJoint { bodyA = input, bodyB = output, x = 0, y = 0, z = 0, axis = { 0, 1, 0 }, secondAxis = { 0, 0, 1 } }
	local least, most, turned = math.huge, 0, 0
	for tick = 1, 600 do
		world:step(DT)
		if tick > 60 then
			local wx, wy = output:getAngularVelocity()
			local rate = wx * c + wy * s
			least, most = math.min(least, rate), math.max(most, rate)
			turned = turned + rate * DT
		end
		-- Both angles are 0 as the shafts are at first.
		lu.assertTrue(math.abs(joint:getFirstAngle()) < 2 * bend + 0.05 and math.abs(joint:getSecondAngle()) < 2 * bend + 0.05)
	end
	lu.assertAlmostEquals(least, 5 * c, 0.1)
	lu.assertAlmostEquals(most, 5 / c, 0.1)
	lu.assertAlmostEquals(turned, 45, 0.8)
	lu.assertTrue(out:getAngle() > 45)
	lu.assertErrorMsgContains("secondAxis must be perpendicular to axis", function()
		world:newUniversalJoint { bodyB = output, x = 0, y = 0, z = 0, axis = { 0, 1, 0 }, secondAxis = { 0, 1, 1 } }
	end)
end

-- A steered wheel: it turns about its suspension's axis to the target, and still spins about its own.
function TestSpaceJointTypes.test_a_steered_wheel()
	local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
	local wheel = world:newBody { shape = d3.cylinder(0.2, 0.5), rotation = { axis = { 1, 0, 0 }, angle = math.pi / 2 } }
	local joint = world:newWheelJoint { bodyB = wheel, x = 0, y = 0, z = 0, axis = { 0, 1, 0 }, spinAxis = { 0, 0, 1 }, suspensionHertz = 3, steeringHertz = 5,
		targetSteeringAngle = 0.4, spinSpeed = 10, maxSpinTorque = 1000 }
	for _ = 1, 180 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSteeringAngle(), 0.4, 0.01)
	lu.assertAlmostEquals(joint:getSpinSpeed(), 10, 0.01)
	local wx, wy, wz = wheel:getAngularVelocity()
	lu.assertAlmostEquals(math.abs(wx), 10 * math.sin(0.4), 0.15)
	lu.assertAlmostEquals(wy, 0, 0.1)
	lu.assertAlmostEquals(wz, 10 * math.cos(0.4), 0.15)
	joint:setSpring("steering", nil)
	lu.assertNil(joint:getSpring("steering"))
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSteeringAngle(), 0, 0.02)
end

-- A spring of 2 Hz rights a ball by its law, while it falls freely. A ball that spins about its axis keeps its spin, and precesses as a top does.
function TestSpaceJointTypes.test_a_parallel_joint()
	local hertz = 2
	for _, case in ipairs { { 0, 0 }, { 0.1, 0 }, { 0, 9 }, { 0.1, -30 } } do
		local ratio, spin = case[1], case[2]
		local world = d3.newWorld { gravity = { 0, -G, 0 }, sleeping = false }
		local ball = world:newBody { shape = d3.sphere(0.5), angularVelocity = { 0, spin, 0 } }
		local joint = world:newParallelJoint { bodyB = ball, axisA = { 0.1, 1, 0 }, axisB = { 0, 1, 0 }, hertz = hertz, dampingRatio = ratio }
		local start = math.atan(0.1)
		lu.assertAlmostEquals(joint:getSwingAngle(), start, 1e-5)
		local least, most = 1, 0
		for _ = 1, 120 do
			world:step(DT)
			local ax, ay, az = joint:getAxisB()
			local wx, wy, wz = ball:getAngularVelocity()
			lu.assertAlmostEquals(wx * ax + wy * ay + wz * az, spin, 1e-3 * math.abs(spin) + 1e-4)
			local angle = joint:getSwingAngle()
			least, most = math.min(least, angle), math.max(most, angle)
		end
		-- After four periods, its amplitude has fallen by exp(-z w t).
		local left = start * math.exp(-ratio * 2 * math.pi * hertz * 2)
		lu.assertTrue(most < start * 1.01)
		if spin == 0 then
			lu.assertTrue(least < 0.15 * start)
			lu.assertAlmostEquals(joint:getSwingAngle(), left, 0.1 * start)
		end
		lu.assertAlmostEquals(select(2, ball:getLinearVelocity()), -2 * G, 1e-3)
	end
end

-- From half a turn away: its greatest torque turns the ball with torque / inertia until it is upright.
function TestSpaceJointTypes.test_the_torque_of_a_parallel_joint()
	local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
	local ball = world:newBody { shape = d3.sphere(0.5) }
	local inertia = 0.4 * ball:getMass() * 0.25
	local joint = world:newParallelJoint { bodyB = ball, axisA = { 0, 0, 1 }, axisB = { 0, 0, -1 }, hertz = 3, dampingRatio = 1, maxTorque = 2 * inertia }
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSwingAngle(), math.pi - 1, 0.02)
	local tx, ty, tz = joint:getReactionTorque()
	lu.assertAlmostEquals(math.sqrt(tx ^ 2 + ty ^ 2 + tz ^ 2), 2 * inertia, 1e-3 * inertia)
	joint:setSpring(3, 1)
	for _ = 1, 120 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSwingAngle(), 0, 1e-3)
	lu.assertEquals(select("#", joint:getSpring()), 3)
	joint:setSpring(nil)
	ball:setAngularVelocity(1, 0, 0)
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(joint:getSwingAngle(), 1, 2e-3)
	lu.assertErrorMsgContains("hertz is missing", function() world:newParallelJoint { bodyB = ball, maxTorque = 1 } end)
end
