-- Properties of joints that only 3D has (for the others see test_joints.lua): axes, cones, twists and rotations; a gyroscope; and a ragdoll.
local lu, support, solids = require "luaunit", require "support", require "solids"
local d3 = require("collide").d3

TestHinge, TestSpherical, TestSpaceJoints, TestSpaceJointErrors = {}, {}, {}, {}

local sub, dot, cross, length = solids.sub, solids.dot, solids.cross, solids.length

local function new_world(options)
	options = options or {}
	options.gravity = options.gravity or { 0, -10, 0 }
	options.sleeping = options.sleeping or false
	return d3.newWorld(options)
end

local function steps(world, seconds)
	for _ = 1, math.floor(seconds * 60 + 0.5) do world:step(1 / 60) end
end

-- Distance between the two anchors.
local function separation(joint) return length(sub({ joint:getAnchorA() }, { joint:getAnchorB() })) end

-- The angle between the axes, accurate at any size.
local function misalignment(joint)
	local a, b = { joint:getAxisA() }, { joint:getAxisB() }
	return (math.atan2 or math.atan)(length(cross(a, b)), dot(a, b))
end

local function quaternion(x, y, z, angle)
	local l = math.sqrt(x * x + y * y + z * z)
	local s = math.sin(angle / 2) / l
	return { s * x, s * y, s * z, math.cos(angle / 2) }
end

-- The rotation vector of a quaternion.
local function vector_of(x, y, z, w)
	if w < 0 then x, y, z, w = -x, -y, -z, -w end
	local s = math.sqrt(x * x + y * y + z * z)
	local k = s > 1e-9 and 2 * (math.atan2 or math.atan)(s, w) / s or 2
	return { k * x, k * y, k * z }
end

-- A bar of length l along x, held at its left end at the origin.
local function new_bar(world, kind, l, options, size)
	local ground = world:newBody { type = "static" }
	local bar = world:newBody { x = l / 2, shape = d3.box(l, size and size[1] or 0.1, size and size[2] or 0.2) }
	options = options or {}
	options.bodyA, options.bodyB, options.anchorA, options.anchorB = ground, bar, { 0, 0, 0 }, { -l / 2, 0, 0 }
	return world[kind](world, options), bar
end

-- A ball without gravity at the origin, jointed to the ground there.
local function new_globe(world, kind, options, shape)
	local ball = world:newBody { shape = shape or d3.sphere(0.5), gravityScale = 0 }
	options.bodyA, options.bodyB, options.x, options.y, options.z = world:newBody { type = "static" }, ball, 0, 0, 0
	return world[kind](world, options), ball
end

-- Hinges -------------------------------------------------------------------------------------------------------------------------

-- A door on a vertical hinge at its edge: the weight's torque is across the hinge. The axes stay aligned, the door keeps its speed, and the reaction is that of
-- statics: the weight, and its torque about the hinge.
function TestHinge.test_a_door_stays_upright()
	local world = new_world()
	local joint, door = new_bar(world, "newRevoluteJoint", 1, { axis = { 0, 1, 0 } }, { 2, 0.05 })
	steps(world, 1)
	local fx, fy, fz = joint:getReactionForce()
	local tx, ty, tz = joint:getReactionTorque()
	local weight = door:getMass() * 10
	lu.assertAlmostEquals(length { fx, fy - weight, fz }, 0, 1e-3 * weight)
	lu.assertAlmostEquals(length { tx, ty, tz - weight / 2 }, 0, 1e-2 * weight)
	door:setAngularVelocity(0, 2, 0)
	door:setLinearVelocity(0, 0, -1)
	for _ = 1, 300 do
		world:step(1 / 60)
		lu.assertTrue(misalignment(joint) < 2e-3 and separation(joint) < 2e-3)
	end
	lu.assertAlmostEquals(joint:getSpeed(), 2, 0.01)
end

-- About any axis a jointed bar swings as a pendulum: with its moment of inertia about the axis, and the component of gravity perpendicular to it.
function TestHinge.test_slanted_axes()
	local number = support.random_numbers(3)
	for _ = 1, 6 do
		local axis = { number(-1, 1), number(-1, 1), number(-1, 1) }
		local l = length(axis)
		axis = { axis[1] / l, axis[2] / l, axis[3] / l }
		local world = new_world { gravity = { 0, 0, 0 } }
		local joint, bar = new_bar(world, "newRevoluteJoint", 1, { axis = axis })
		-- Gravity is along the bar's component perpendicular to the axis, so the bar is at rest; a small impulse makes it swing.
		local arm = { 0.5 - 0.5 * axis[1] * axis[1], -0.5 * axis[1] * axis[2], -0.5 * axis[1] * axis[3] }
		local r = length(arm)
		world:setGravity(10 * arm[1] / r, 10 * arm[2] / r, 10 * arm[3] / r)
		local m, ixx, iyy, izz = bar:getMass(), bar:getInertia()
		local inertia = axis[1] ^ 2 * ixx + axis[2] ^ 2 * iyy + axis[3] ^ 2 * izz + m * r * r
		bar:applyAngularImpulse(axis[1] * 0.2 * inertia, axis[2] * 0.2 * inertia, axis[3] * 0.2 * inertia)
		local before, crossings, time = 0, {}, 0
		for _ = 1, 600 do
			world:step(1 / 60)
			time = time + 1 / 60
			local now = joint:getAngle()
			if before ~= 0 and (now > 0) ~= (before > 0) then crossings[#crossings + 1] = time - now / (now - before) / 60 end
			before = now
			lu.assertTrue(misalignment(joint) < 2e-3)
		end
		local period = 2 * (crossings[#crossings] - crossings[1]) / (#crossings - 1)
		local expected = 2 * math.pi * math.sqrt(inertia / (m * 10 * r))
		lu.assertTrue(math.abs(period - expected) < 0.02 * expected, ("%g s for %g"):format(period, expected))
	end
end

-- A motor spins a wheel whose axle is rotated about another axis: the hinge must resist the gyroscopic torque.
function TestHinge.test_a_wheel_on_a_turning_fork()
	local world = new_world { gravity = { 0, 0, 0 } }
	local fork = world:newBody { type = "kinematic", angularVelocity = { 0, 1.5, 0 } }
	local wheel = world:newBody { shape = d3.cylinder(0.5, 0.2), rotation = quaternion(1, 0, 0, math.pi / 2) }
	local joint = world:newRevoluteJoint { bodyA = fork, bodyB = wheel, x = 0, y = 0, z = 0, axis = { 0, 0, 1 }, motorSpeed = 20, maxMotorTorque = 100 }
	for _ = 1, 240 do
		world:step(1 / 60)
		lu.assertTrue(misalignment(joint) < 0.02, misalignment(joint))
	end
	lu.assertAlmostEquals(joint:getSpeed(), 20, 0.05)
	-- The torque that rotates the spin about y: w_fork x I w.
	local torque = length { joint:getReactionTorque() }
	local ixx, iyy = wheel:getInertia()
	lu.assertAlmostEquals(torque, 1.5 * 20 * iyy, 0.05 * 1.5 * 20 * iyy)
	lu.assertTrue(ixx < iyy)
end

-- Misaligned axes are aligned, whether given by the joint's frames or by its axes.
function TestHinge.test_axes_are_pulled_together()
	local world = new_world { gravity = { 0, 0, 0 } }
	local a = world:newBody { type = "static" }
	local b = world:newBody { shape = d3.box(1, 2, 3), rotation = quaternion(1, 2, 3, 0.8), angularDamping = 2, linearDamping = 2 }
	local joint = world:newRevoluteJoint { bodyA = a, bodyB = b, anchorA = { 0, 0, 0 }, anchorB = { 0.3, 0, 0 }, axisA = { 1, 0, 0 }, axisB = { 0, 1, 0 } }
	lu.assertAlmostEquals(joint:getAngle(), 0, 1e-5)
	lu.assertTrue(misalignment(joint) > 0.5)
	steps(world, 5)
	lu.assertTrue(misalignment(joint) < 1e-3 and separation(joint) < 1e-3)
	local x, y, z = b:getWorldVector(0, 1, 0)
	lu.assertAlmostEquals(length(sub({ x, y, z }, { 1, 0, 0 })), 0, 2e-3)
	joint:destroy()

	joint = world:newRevoluteJoint { bodyA = a, bodyB = b, anchorA = { 0, 0, 0 }, anchorB = { 0, 0, 0 },
		rotationA = quaternion(0, 0, 1, 0.5), rotationB = { 0, 0, 0, 1 }, lowerAngle = 0, upperAngle = 0 }
	steps(world, 8)
	lu.assertAlmostEquals(length(sub(vector_of(b:getRotation()), { 0, 0, 0.5 })), 0, 5e-3)
end

-- An angle is counted up to half a turn in each direction, then continues from the other side.
function TestHinge.test_angles_wrap_around()
	local world = new_world { gravity = { 0, 0, 0 } }
	local joint, ball = new_globe(world, "newRevoluteJoint", { axis = { 0, 1, 0 } })
	ball:setAngularVelocity(0, 2, 0)
	for i = 1, 600 do
		world:step(1 / 60)
		local expected = (2 * i / 60 + math.pi) % (2 * math.pi) - math.pi
		local off = math.abs(joint:getAngle() - expected)
		lu.assertTrue(math.min(off, 2 * math.pi - off) < 1e-3)
	end
end

-- Spherical ----------------------------------------------------------------------------------------------------------------------

-- A bar hung at its end swings about the two axes perpendicular to it, each with its own moment of inertia.
function TestSpherical.test_a_pendulums_periods()
	for _, axis in ipairs { "y", "z" } do
		local world = new_world { gravity = { 10, 0, 0 } }
		local _, bar = new_bar(world, "newSphericalJoint", 1, nil, { 0.1, 0.6 })
		local m, _, iyy, izz = bar:getMass(), bar:getInertia()
		local inertia = (axis == "y" and iyy or izz) + m / 4
		bar:applyAngularImpulse(0, axis == "y" and 0.2 * inertia or 0, axis == "z" and 0.2 * inertia or 0)
		local before, crossings, time = 0, {}, 0
		for _ = 1, 600 do
			world:step(1 / 60)
			time = time + 1 / 60
			local _, y, z = bar:getPosition()
			local now = axis == "y" and z or y
			if before ~= 0 and (now > 0) ~= (before > 0) then crossings[#crossings + 1] = time - now / (now - before) / 60 end
			before = now
		end
		local period = 2 * (crossings[#crossings] - crossings[1]) / (#crossings - 1)
		local expected = 2 * math.pi * math.sqrt(inertia / (m * 10 * 0.5))
		lu.assertTrue(math.abs(period - expected) < 0.01 * expected, ("about %s: %g s for %g"):format(axis, period, expected))
	end
end

-- Two bars, one hung on the other, thrown aside: energy is kept, and joint errors stay small.
function TestSpherical.test_a_double_pendulum_keeps_its_energy()
	local world = new_world()
	local first, a = new_bar(world, "newSphericalJoint", 1)
	local b = world:newBody { x = 1, z = 0.5, shape = d3.box(0.1, 0.2, 1) }
	local second = world:newSphericalJoint { bodyA = a, bodyB = b, x = 1, y = 0, z = 0 }
	local function energy()
		local sum = 0
		for _, body in ipairs { a, b } do
			local _, y = body:getPosition()
			sum = sum + body:getMass() * 10 * y + body:getKineticEnergy()
		end
		return sum
	end
	local start, scale = energy(), a:getMass() * 10
	for _ = 1, 600 do
		world:step(1 / 60)
		lu.assertTrue(energy() < start + 0.02 * scale and separation(first) < 5e-3 and separation(second) < 5e-3)
	end
	lu.assertTrue(energy() > start - 0.3 * scale, energy())
end

-- A fast top held at the lower end of its horizontal axle: it precesses at m g r / (I w), slowly and evenly, and sinks only slightly.
function TestSpherical.test_a_gyroscope_precesses()
	for _, spin in ipairs { 60, 120 } do
		local world = new_world()
		local ground = world:newBody { type = "static" }
		local top = world:newBody { x = 0.4, rotation = quaternion(0, 0, 1, -math.pi / 2), shape = d3.cylinder(0.5, 0.1) }
		local joint = world:newSphericalJoint { bodyA = ground, bodyB = top, anchorA = { 0, 0, 0 }, anchorB = { 0, -0.4, 0 } }
		local m, _, inertia = top:getMass(), top:getInertia()
		local expected = m * 10 * 0.4 / (inertia * spin)
		-- Started with the right precession it does not nod.
		top:setAngularVelocity(spin, expected, 0)
		top:setLinearVelocity(0, 0, -expected * 0.4)
		local turned, before = 0, 0
		for _ = 1, 240 do
			world:step(1 / 60)
			local x, y, z = top:getPosition()
			local angle = (math.atan2 or math.atan)(-z, x)
			turned = turned + (angle - before + math.pi) % (2 * math.pi) - math.pi
			before = angle
			lu.assertTrue(math.abs(y) < 0.03 and separation(joint) < 2e-3, y)
		end
		lu.assertTrue(math.abs(turned / 4 - expected) < 0.02 * expected, ("%g rad/s for %g"):format(turned / 4, expected))
		local wx, wy, wz = top:getAngularVelocity()
		lu.assertAlmostEquals(length { wx, wy, wz }, spin, 0.02 * spin)
	end
end

-- In each sub-step a gyroscope's spin rotates the spin's own direction, which the joint predicts. Its spring, of 60 Hz or a quarter of the rate of sub-steps,
-- yields to the weight, a / w^2; and, as far as its damping slows it, to the arc of its arm, which is not predicted: h^2 |w x (w x r)| / 2 a sub-step, pulled
-- back by h w^2 e / (1 + h w (2 zeta + h w)) a second.
function TestSpherical.test_a_gyroscope_does_not_open_its_joint()
	for _, hertz in ipairs { 30, 60, 120 } do
		for _, spin in ipairs { 30, 60, 90 } do
			local world = new_world()
			local top = world:newBody { x = 0.4, rotation = quaternion(0, 0, 1, -math.pi / 2), shape = d3.cylinder(0.5, 0.1) }
			local joint = world:newSphericalJoint { bodyA = world:newBody { type = "static" }, bodyB = top, anchorA = { 0, 0, 0 }, anchorB = { 0, -0.4, 0 } }
			local m, across, inertia = top:getMass(), top:getInertia()
			local precession = m * 10 * 0.4 / (inertia * spin)
			top:setAngularVelocity(spin, precession, 0)
			top:setLinearVelocity(0, 0, -precession * 0.4)
			local most = 0
			for _ = 1, 2 * hertz do
				world:step(1 / hertz)
				most = math.max(most, separation(joint))
			end
			local h, w = 1 / (4 * hertz), 2 * math.pi * math.min(60, hertz)
			local arc = precession * spin * 0.4 / 2 * (1 + h * w * (2 * 2 + h * w))
			local bar = (10 * (1 + m * 0.4 ^ 2 / across) + arc) / w ^ 2
			lu.assertTrue(most < bar, ("%d Hz, %d rad/s: %g mm, %g mm"):format(hertz, spin, 1000 * most, 1000 * bar))
		end
	end
end

-- Two bodies on a ball joint in free flight gain no energy, however thin: the least impulse makes a stick whirl about its long axis. (Impulses that predicted
-- the arcs of anchors created 2,000 times the energy.)
function TestSpherical.test_sticks_in_free_flight_gain_no_energy()
	local number = support.random_numbers(79)
	local stick = d3.box(1, 0.05, 0.05)
	for _, other in ipairs { stick, d3.sphere(0.25), d3.box(0.6, 0.4, 0.3) } do for _, hertz in ipairs { 30, 60 } do for start = 1, 40 do
		local world = d3.newWorld { gravity = { 0, 0, 0 } }
		local function body(y, shape)
			return world:newBody { y = y, shape = shape, rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) },
				linearVelocity = { 0, number(-5, 5), number(-5, 5) }, angularVelocity = { number(-5, 5), number(-5, 5), number(-5, 5) } }
		end
		local a, b = body(0, stick), body(0.8, other)
		world:newSphericalJoint { bodyA = a, bodyB = b, x = 0, y = 0.4, z = 0 }
		local before = a:getKineticEnergy() + b:getKineticEnergy()
		for _ = 1, 2 * hertz do
			world:step(1 / hertz)
			local energy = a:getKineticEnergy() + b:getKineticEnergy()
			lu.assertTrue(energy < 1.001 * before, ("%d Hz, start %d: %g of the energy"):format(hertz, start, energy / before))
		end
	end end end
end

-- A bar falls to the limit of its cone and rests there, to whatever side; a thrown one stays within three degrees of it.
function TestSpherical.test_cone_limits()
	for i = 0, 5 do
		local g = { 0, -10 * math.cos(i * math.pi / 3), 10 * math.sin(i * math.pi / 3) }
		local world = new_world { gravity = g }
		local joint, bar = new_bar(world, "newSphericalJoint", 1, { axis = { 1, 0, 0 }, coneAngle = 0.5 }, { 0.2, 0.2 })
		for _ = 1, 240 do
			world:step(1 / 60)
			lu.assertTrue(joint:getSwingAngle() < 0.5 + 0.05, joint:getSwingAngle())
		end
		lu.assertAlmostEquals(joint:getSwingAngle(), 0.5, 0.01)
		lu.assertAlmostEquals(length { bar:getAngularVelocity() }, 0, 1e-2)
		lu.assertTrue(separation(joint) < 1e-3)
		-- The limit carries the torque of the weight.
		local weight = bar:getMass() * 10
		lu.assertAlmostEquals(length { joint:getReactionTorque() }, weight * 0.5 * math.cos(0.5), 0.03 * weight)
		bar:applyAngularImpulse(1 * bar:getMass(), 1.5 * bar:getMass(), 0.7 * bar:getMass())
		for _ = 1, 240 do
			world:step(1 / 60)
			lu.assertTrue(joint:getSwingAngle() < 0.5 + 0.06, joint:getSwingAngle())
		end
		joint:setConeLimit()
		steps(world, 1)
		lu.assertTrue(joint:getSwingAngle() > 0.7, "without the limit it falls on")
	end
end

-- A body that circles at the limit of a cone keeps moving: the limit takes no energy along its direction.
function TestSpherical.test_a_cone_is_smooth()
	local world = new_world { gravity = { 0, 0, 0 } }
	local joint, ball = new_globe(world, "newSphericalJoint", { axis = { 0, 0, 1 }, coneAngle = 0.6 })
	ball:setRotation((table.unpack or unpack)(quaternion(1, 0, 0, 0.6)))
	-- The axis moves around z, without a twist: w is perpendicular to the axis' path.
	ball:setAngularVelocity(0, 1, 0)
	local energy, least = ball:getKineticEnergy(), 1
	for _ = 1, 300 do
		world:step(1 / 60)
		lu.assertTrue(joint:getSwingAngle() < 0.6 + 0.03)
		least = math.min(least, ball:getKineticEnergy() / energy)
	end
	lu.assertTrue(least > 0.5, least)
end

-- The twist has its own limits, however far the axis has swung, and is free without limits.
function TestSpherical.test_twist_limits()
	for _, swing in ipairs { 0, 0.7, 1.4 } do
		local world = new_world { gravity = { 0, 0, 0 } }
		local joint, ball = new_globe(world, "newSphericalJoint", { axis = { 0, 0, 1 }, lowerTwistAngle = -0.3, upperTwistAngle = 0.6 })
		ball:setRotation((table.unpack or unpack)(quaternion(1, 1, 0, swing)))
		lu.assertAlmostEquals(joint:getTwistAngle(), 0, 1e-5)
		lu.assertAlmostEquals(joint:getSwingAngle(), swing, 1e-5)
		local x, y, z = joint:getAxisB()
		for _, sign in ipairs { 1, -1 } do
			for _ = 1, 60 do
				ball:applyTorque(sign * x * 0.1, sign * y * 0.1, sign * z * 0.1)
				world:step(1 / 60)
				lu.assertTrue(joint:getTwistAngle() < 0.63 and joint:getTwistAngle() > -0.33, joint:getTwistAngle())
			end
			if swing == 0 then lu.assertAlmostEquals(joint:getTwistAngle(), sign > 0 and 0.6 or -0.3, 0.01) end
		end
		joint:setTwistLimits()
		ball:setAngularVelocity(2 * x, 2 * y, 2 * z)
		local most = 0
		for _ = 1, 60 do
			world:step(1 / 60)
			most = math.max(most, math.abs(joint:getTwistAngle()))
		end
		lu.assertTrue(most > 1.2, "without limits it turns on")
	end
end

-- Cone 0 and equal limits act as a weld.
function TestSpherical.test_zero_limits_hold_a_rotation()
	local world = new_world()
	local joint, bar = new_bar(world, "newSphericalJoint", 1, { axis = { 1, 0, 0 }, coneAngle = 0, lowerTwistAngle = 0, upperTwistAngle = 0 })
	bar:setAngularVelocity(3, 0, 0)
	steps(world, 3)
	lu.assertAlmostEquals(joint:getSwingAngle(), 0, 0.02)
	lu.assertAlmostEquals(joint:getTwistAngle(), 0, 0.02)
end

-- A spring oscillates at its frequency about every axis, whatever the inertia, comes to rest at its target, also a far one, and yields by torque / (I w^2).
function TestSpherical.test_springs()
	local target = quaternion(1, -2, 2, 2.5)
	local world = new_world()
	local joint, box = new_globe(world, "newSphericalJoint", { hertz = 2, dampingRatio = 0.7, targetRotation = target }, d3.box(1, 2, 3))
	steps(world, 4)
	local q = { box:getRotation() }
	lu.assertAlmostEquals(math.abs(q[1] * target[1] + q[2] * target[2] + q[3] * target[3] + q[4] * target[4]), 1, 1e-5)
	joint:setSpring(2, 0.7)
	steps(world, 4)
	lu.assertAlmostEquals(length(vector_of(box:getRotation())), 0, 1e-3)
	local inertia, torque = { box:getInertia() }, { 20, -15, 10 }
	for _ = 1, 600 do
		box:applyTorque(torque[1], torque[2], torque[3])
		world:step(1 / 60)
	end
	-- It yields to each torque about its own axis (all at once would mix, in second order).
	for axis = 1, 3 do
		local one = { 0, 0, 0 }
		one[axis] = 0.1 * inertia[axis] * (2 * math.pi * 2) ^ 2
		for _ = 1, 300 do
			box:applyTorque(one[1], one[2], one[3])
			world:step(1 / 60)
		end
		lu.assertAlmostEquals(vector_of(box:getRotation())[axis], 0.1, 2e-3)
	end
	-- Free oscillations, almost undamped.
	for axis = 1, 3 do
		joint:setSpring(1, 0.02)
		local w, rest = { 0, 0, 0 }, { 0, 0, 0, 1 }
		w[axis] = 0.3
		box:setRotation((table.unpack or unpack)(rest))
		box:setAngularVelocity(w[1], w[2], w[3])
		local before, crossings, time = 0, {}, 0
		for _ = 1, 300 do
			world:step(1 / 60)
			time = time + 1 / 60
			local now = vector_of(box:getRotation())[axis]
			if before ~= 0 and (now > 0) ~= (before > 0) then crossings[#crossings + 1] = time - now / (now - before) / 60 end
			before = now
		end
		local period = 2 * (crossings[#crossings] - crossings[1]) / (#crossings - 1)
		lu.assertTrue(math.abs(period - 1) < 0.02, ("axis %d: %g s for 1"):format(axis, period))
	end
end

-- A motor gives at most its torque, in the direction of the missing velocity, and then keeps its velocity; friction slows by the same torque. The velocity is
-- in A's frame, and rotates with it.
function TestSpherical.test_motors()
	local world = new_world()
	local joint, ball = new_globe(world, "newSphericalJoint", { motorVelocity = { 3, 4, 12 }, maxMotorTorque = 0.5 })
	local rate = 0.5 / ball:getInertia()
	steps(world, 0.5)
	local w = { ball:getAngularVelocity() }
	for i, share in ipairs { 3 / 13, 4 / 13, 12 / 13 } do lu.assertAlmostEquals(w[i], share * rate * 0.5, 1e-3 * rate) end
	steps(world, 13 / rate)
	lu.assertAlmostEquals(length(sub({ ball:getAngularVelocity() }, { 3, 4, 12 })), 0, 1e-3)
	joint:setMotor(0, 0, 0, 0.5)
	steps(world, 0.5)
	lu.assertAlmostEquals(length { ball:getAngularVelocity() }, 13 - rate * 0.5, 2e-3 * rate)
	steps(world, 13 / rate)
	lu.assertAlmostEquals(length { ball:getAngularVelocity() }, 0, 1e-3)

	local hand = world:newBody { type = "kinematic", angularVelocity = { 0, 1, 0 } }
	local carried = world:newBody { shape = d3.sphere(0.5), gravityScale = 0 }
	world:newSphericalJoint { bodyA = hand, bodyB = carried, x = 0, y = 0, z = 0, motorVelocity = { 5, 0, 0 }, maxMotorTorque = 1000, collideConnected = true }
	for i = 1, 120 do
		world:step(1 / 60)
		local x, y, z = carried:getAngularVelocity()
		lu.assertAlmostEquals(length(sub({ x, y - 1, z }, { 5 * math.cos(i / 60), 0, -5 * math.sin(i / 60) })), 0, 0.1)
	end
end

-- Both -------------------------------------------------------------------------------------------------------------------------

-- Linear and angular momentum of bodies that no joint links to the ground.
function TestSpaceJoints.test_joints_keep_the_momentum()
	local world = new_world { gravity = { 0, 0, 0 } }
	local bodies, number = {}, support.random_numbers(5)
	for i = 1, 12 do
		bodies[i] = world:newBody { x = i, shape = d3.box(0.8, 0.3, 0.5), linearVelocity = { number(-2, 2), number(-2, 2), number(-2, 2) },
			angularVelocity = { number(-3, 3), number(-3, 3), number(-3, 3) } }
		if i > 1 then
			local options = { bodyA = bodies[i - 1], bodyB = bodies[i], x = i - 0.5, y = 0, z = 0, axis = { number(-1, 1), 1, number(-1, 1) },
				hertz = i % 2 == 0 and 3 or nil, maxMotorTorque = i % 3 == 0 and 0.1 or nil }
			local spherical = i % 4 < 2
			options[spherical and "lowerTwistAngle" or "lowerAngle"], options[spherical and "upperTwistAngle" or "upperAngle"] = -1, 1
			options.coneAngle = spherical and 0.8 or nil
			world[spherical and "newSphericalJoint" or "newRevoluteJoint"](world, options)
		end
	end
	local function momenta()
		local p, l = { 0, 0, 0 }, { 0, 0, 0 }
		for _, body in ipairs(bodies) do
			local m, v = body:getMass(), { body:getLinearVelocity() }
			local w = { body:getLocalVector(body:getAngularVelocity()) }
			local own, inertia = {}, { body:getInertia() }
			for k = 1, 3 do own[k] = inertia[k] * w[k] end
			p = solids.add(p, m, v)
			l = solids.add(solids.add(l, m, cross({ body:getCenter() }, v)), 1, { body:getWorldVector(own[1], own[2], own[3]) })
		end
		return p, l
	end
	local p, l = momenta()
	steps(world, 4)
	local q, k = momenta()
	lu.assertAlmostEquals(length(sub(p, q)), 0, 2e-4)
	lu.assertAlmostEquals(length(sub(k, l)), 0, 2e-4)
end

-- A body locked along an axis is held along the others only; a body without mass is not held.
function TestSpaceJoints.test_locked_bodies()
	local names = { "x", "y", "z", "rotationX", "rotationY", "rotationZ" }
	for _, kind in ipairs { "newRevoluteJoint", "newSphericalJoint" } do
		for set = 0, 63 do
			local world, locks = new_world(), {}
			for i, name in ipairs(names) do locks[name] = math.floor(set / 2 ^ (i - 1)) % 2 == 1 end
			local a = world:newBody { type = "static" }
			local b = world:newBody { x = 1, shape = d3.box(1, 1, 1), locks = locks }
			local spherical = kind == "newSphericalJoint"
			world[kind](world, { bodyA = a, bodyB = b, anchorA = { 0, 0, 0 }, anchorB = { -0.7, 0.1, 0.2 }, axis = { 1, 1, 0 }, hertz = 1, maxMotorTorque = 1,
				coneAngle = spherical and 0.5 or nil, [spherical and "lowerTwistAngle" or "lowerAngle"] = -1, [spherical and "upperTwistAngle" or "upperAngle"] = 1 })
			steps(world, 1)
			local at, q = { b:getPosition() }, vector_of(b:getRotation())
			for i = 1, 3 do
				lu.assertTrue(math.abs(at[i]) < 100 and q[i] == q[i], names[i])
				if locks[names[i]] then lu.assertEquals(at[i], i == 1 and 1 or 0, names[i]) end
				if locks[names[3 + i]] then
					local w = { b:getAngularVelocity() }
					lu.assertEquals(w[i], 0, names[3 + i])
				end
			end
		end
	end
end

-- Random operations on bodies and joints leave the world valid.
function TestSpaceJoints.test_anything_in_any_order()
	local number, pick = support.random_numbers(78)
	local world = new_world { sleeping = true }
	world:newBody { type = "static", y = -3, shape = d3.box(100, 1, 100) }
	local bodies, joints = {}, {}
	local function tie(body, other)
		local ax, ay, az = body:getPosition()
		local bx, by, bz = other:getPosition()
		if (bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2 >= 9 then return end
		local options = { bodyA = body, bodyB = other, x = ax + number(-0.5, 0.5), y = ay, z = az, axis = { number(-1, 1), number(-1, 1), 1 },
			collideConnected = pick(2) == 1, hertz = pick(3) == 1 and 2 or nil, maxMotorTorque = pick(3) == 1 and 5 or nil }
		if pick(2) == 1 then
			options.coneAngle, options.lowerTwistAngle, options.upperTwistAngle = pick(2) == 1 and 1 or nil, -1, 1
			joints[#joints + 1] = world:newSphericalJoint(options)
		else
			options.lowerAngle, options.upperAngle = -1, 1
			joints[#joints + 1] = world:newRevoluteJoint(options)
		end
	end
	for round = 1, 1500 do
		local what = pick(13)
		local body, joint = bodies[pick(math.max(1, #bodies))], joints[pick(math.max(1, #joints))]
		if what <= 3 or #bodies < 4 then
			bodies[#bodies + 1] = world:newBody { type = ({ "dynamic", "dynamic", "kinematic", "static" })[pick(4)], x = number(-3, 3),
				y = number(-2, 3), z = number(-3, 3), shape = pick(5) > 1 and d3.box(1, 1, 1) or nil }
		elseif what <= 6 then
			local other = bodies[pick(#bodies)]
			if body:isValid() and other:isValid() and body ~= other then tie(body, other) end
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
		elseif what == 12 and joint and joint:isValid() then
			if joint:getType() == "revolute" then joint:setMotor(number(-2, 2), 1) else joint:setMotor(number(-2, 2), 0, 1, 1) end
		elseif body:isValid() then
			body:setAwake(pick(2) == 1)
		end
		if round % 3 == 0 then world:step(1 / 60) end
		world:validate()
	end
	for _, body in ipairs(world:getBodies()) do
		local x, y, z = body:getPosition()
		lu.assertTrue(math.abs(x) < 1e4 and math.abs(y) < 1e4 and math.abs(z) < 1e4, "a body has been thrown away")
	end
	lu.assertTrue(#joints > 40, #joints)
end

-- A grid of joints of both kinds, some with all options: the bits do not depend on the number of workers, nor on the other joints of a SIMD record.
local function new_grid(workers, size)
	local world, grid = new_world { workers = workers }, {}
	for i = 0, size - 1 do
		for k = 0, size - 1 do
			local body = world:newBody { type = k == 0 and i % 7 == 0 and "static" or "dynamic", x = i, y = -k, shape = d3.box(0.8, 0.5, 0.3) }
			local spiced = (i + k) % 3 == 0
			local function tie(other, x, y)
				local options = { bodyA = other, bodyB = body, x = x, y = y, z = 0, axis = { 0.2, 1, 0.1 }, hertz = spiced and 2 or nil,
					maxMotorTorque = spiced and 0.5 or nil }
				if (i * k) % 5 ~= 1 then
					options.coneAngle, options.lowerTwistAngle, options.upperTwistAngle = spiced and 0.5 or nil, spiced and -0.5 or nil, spiced and 0.5 or nil
					world:newSphericalJoint(options)
				else
					options.lowerAngle, options.upperAngle = spiced and -0.5 or nil, spiced and 0.5 or nil
					world:newRevoluteJoint(options)
				end
			end
			if i > 0 then tie(grid[(i - 1) * size + k], i - 0.5, -k) end
			if k > 0 then tie(grid[i * size + k - 1], i, -k + 0.5) end
			grid[i * size + k] = body
		end
	end
	return world
end

function TestSpaceJoints.test_workers_make_no_difference()
	local hashes = {}
	for _, workers in ipairs { 1, 2, 3 } do
		local world = new_grid(workers, 14)
		steps(world, 1.5)
		world:validate()
		hashes[#hashes + 1] = world:hash()
	end
	lu.assertEquals(hashes[2], hashes[1])
	lu.assertEquals(hashes[3], hashes[1])
end

-- A grid of balls hung by one side, as in the benchmarks: it swings, and its joints hold.
function TestSpaceJoints.test_a_net_holds()
	local world, net, joints = new_world(), {}, {}
	for i = 0, 14 do
		for k = 0, 14 do
			local body = world:newBody { type = k == 0 and "static" or "dynamic", x = i, z = k, shape = d3.sphere(0.4) }
			if i > 0 then
				joints[#joints + 1] = world:newSphericalJoint { bodyA = net[(i - 1) * 15 + k], bodyB = body, anchorA = { 0.5, 0, 0 }, anchorB = { -0.5, 0, 0 } }
			end
			if k > 0 then
				joints[#joints + 1] = world:newSphericalJoint { bodyA = net[i * 15 + k - 1], bodyB = body, anchorA = { 0, 0, 0.5 }, anchorB = { 0, 0, -0.5 } }
			end
			net[i * 15 + k] = body
		end
	end
	for _ = 1, 8 do
		steps(world, 0.5)
		for _, joint in ipairs(joints) do lu.assertTrue(separation(joint) < 0.06, separation(joint)) end
	end
	world:validate()
end

-- A body of capsules: a spine and limbs on spherical joints with cones and twists, knees and elbows that are hinges. It falls on a floor, no joint is torn or
-- bent beyond its limits, and it comes to rest.
local function new_ragdoll(world, x, y)
	local bones, joints = {}, {}
	local function bone(name, bx, by, half, radius, lying)
		local shape = lying and d3.capsule(-half, 0, 0, half, 0, 0, radius) or d3.capsule(0, -half, 0, 0, half, 0, radius)
		bones[name] = world:newBody { x = x + bx, y = y + by, shape = shape, friction = 0.6, angularDamping = 0.2 }
	end
	local function tie(kind, a, b, jx, jy, options)
		options.bodyA, options.bodyB, options.x, options.y, options.z = bones[a], bones[b], x + jx, y + jy, 0
		options.hertz, options.dampingRatio, options.maxMotorTorque = 1, 0.7, 0.002
		joints[#joints + 1] = world[kind](world, options)
	end
	bone("pelvis", 0, 1, 0.08, 0.12, true)
	bone("chest", 0, 1.35, 0.12, 0.14, true)
	bone("head", 0, 1.72, 0.03, 0.1)
	tie("newSphericalJoint", "pelvis", "chest", 0, 1.17, { axis = { 0, 1, 0 }, coneAngle = 0.4, lowerTwistAngle = -0.3, upperTwistAngle = 0.3 })
	tie("newSphericalJoint", "chest", "head", 0, 1.55, { axis = { 0, 1, 0 }, coneAngle = 0.5, lowerTwistAngle = -0.7, upperTwistAngle = 0.7 })
	for side = -1, 1, 2 do
		local s = side < 0 and "left" or "right"
		bone("thigh" .. s, 0.12 * side, 0.7, 0.15, 0.07)
		bone("shin" .. s, 0.12 * side, 0.28, 0.15, 0.06)
		bone("arm" .. s, 0.4 * side, 1.4, 0.1, 0.05, true)
		bone("forearm" .. s, 0.68 * side, 1.4, 0.1, 0.045, true)
		tie("newSphericalJoint", "pelvis", "thigh" .. s, 0.12 * side, 0.9, { axis = { 0, -1, 0 }, coneAngle = 0.8, lowerTwistAngle = -0.3, upperTwistAngle = 0.3 })
		tie("newRevoluteJoint", "thigh" .. s, "shin" .. s, 0.12 * side, 0.49, { axis = { 1, 0, 0 }, lowerAngle = 0, upperAngle = 2 })
		tie("newSphericalJoint", "chest", "arm" .. s, 0.28 * side, 1.4, { axis = { side, 0, 0 }, coneAngle = 1.2, lowerTwistAngle = -0.8, upperTwistAngle = 0.8 })
		tie("newRevoluteJoint", "arm" .. s, "forearm" .. s, 0.54 * side, 1.4, { axis = { 0, side, 0 }, lowerAngle = 0, upperAngle = 2.2 })
	end
	return bones, joints
end

local function limit_error(joint)
	if joint:getType() == "revolute" then
		local lower, upper = joint:getLimits()
		return math.max(lower - joint:getAngle(), joint:getAngle() - upper)
	end
	local lower, upper = joint:getTwistLimits()
	local twist = joint:getTwistAngle()
	return math.max(lower - twist, twist - upper, joint:getSwingAngle() - joint:getConeLimit())
end

function TestSpaceJoints.test_ragdolls()
	local world, dolls = new_world { sleeping = true }, {}
	-- A bone stopped by the floor may lag one step's displacement behind the others, after a fall of 4 m.
	local torn = math.sqrt(2 * 10 * 4) / 60
	world:newBody { type = "static", y = -1, shape = d3.box(100, 2, 100) }
	for i = 1, 3 do
		local bones, joints = new_ragdoll(world, 2.5 * i, 0.5 * i)
		bones.chest:applyAngularImpulse(0.002 * i, 0.001, 0.001)
		dolls[i] = { bones = bones, joints = joints }
	end
	for step = 1, 600 do
		world:step(1 / 60)
		for _, doll in ipairs(dolls) do
			for k, joint in ipairs(doll.joints) do
				lu.assertTrue(separation(joint) < torn, ("step %d, joint %d: %g apart"):format(step, k, separation(joint)))
				lu.assertTrue(limit_error(joint) < 0.35, ("step %d, joint %d: %g too far"):format(step, k, limit_error(joint)))
			end
		end
	end
	world:validate()
	for _, doll in ipairs(dolls) do
		local _, y = doll.bones.chest:getPosition()
		lu.assertTrue(y > 0 and y < 0.5, "it lies")
		lu.assertFalse(doll.bones.chest:isAwake())
		for k, joint in ipairs(doll.joints) do
			lu.assertTrue(separation(joint) < 0.01 and limit_error(joint) < 0.03, ("joint %d: %g apart, %g too far"):format(k, separation(joint), limit_error(joint)))
		end
	end
end

function TestSpaceJoints.test_getters()
	local world = new_world()
	local a, b = world:newBody {}, world:newBody { x = 1, shape = d3.sphere(0.5) }
	local joint = world:newSphericalJoint { bodyA = a, bodyB = b, x = 0.5, y = 0, z = 0, axis = { 0, 2, 0 }, data = 7 }
	lu.assertEquals(joint:getType(), "spherical")
	lu.assertEquals(joint.data, 7)
	lu.assertEquals({ joint:getBodyA(), joint:getBodyB(), joint:getWorld() }, { a, b, world })
	lu.assertEquals({ a:getJoints(), b:getJoints(), world:getJoints() }, { { joint }, { joint }, { joint } })
	lu.assertEquals({ joint:getAnchorB() }, { 0.5, 0, 0 })
	for _, axis in ipairs { { joint:getAxisA() }, { joint:getAxisB() } } do lu.assertAlmostEquals(length(sub(axis, { 0, 1, 0 })), 0, 1e-6) end
	lu.assertNil(joint:getConeLimit())
	lu.assertNil(joint:getTwistLimits())
	lu.assertNil(joint:getSpring())
	lu.assertNil(joint:getMotor())
	joint:setConeLimit(0.5)
	joint:setTwistLimits(-1, 0.25)
	joint:setSpring(2, 0.5, 0, 0, 3, 4)
	joint:setMotor(1, 2, 3, 4)
	lu.assertEquals({ joint:getConeLimit() }, { 0.5 })
	lu.assertEquals({ joint:getTwistLimits() }, { -1, 0.25 })
	local hertz, ratio, qx, qy, qz, qw = joint:getSpring()
	lu.assertEquals({ hertz, ratio, qx, qy }, { 2, 0.5, 0, 0 })
	lu.assertAlmostEquals(qz, 0.6, 1e-6)
	lu.assertAlmostEquals(qw, 0.8, 1e-6)
	lu.assertEquals({ joint:getMotor() }, { 1, 2, 3, 4 })
	joint:setSpring()
	joint:setMotor()
	lu.assertNil(joint:getSpring())
	lu.assertNil(joint:getMotor())
	b:destroy()
	lu.assertFalse(joint:isValid())
	lu.assertErrorMsgContains("getSwingAngle", joint.getSwingAngle, joint)
end

function TestSpaceJoints.test_getters_make_no_garbage()
	local world = new_world()
	local hinge = new_bar(world, "newRevoluteJoint", 1, { hertz = 1, lowerAngle = -1, upperAngle = 1, maxMotorTorque = 1 })
	local joint = new_bar(world, "newSphericalJoint", 1, { hertz = 1, coneAngle = 1, lowerTwistAngle = -1, upperTwistAngle = 1, maxMotorTorque = 1 })
	local bytes = support.bytes_of(100, function()
		for _ = 1, 2 do
			hinge:getAngle() hinge:getSpeed() hinge:getLimits() hinge:getSpring() hinge:getMotor()
			joint:getAnchorA() joint:getAxisB() joint:getRotation() joint:getReactionForce() joint:getReactionTorque() joint:getTwistLimits()
			joint:getSpring() joint:getMotor() joint:getBodyA() joint:getConeLimit() joint:getSwingAngle() joint:getTwistAngle()
			world:step(1 / 60)
		end
	end)
	lu.assertEquals(bytes, 0)
end

-- Errors -------------------------------------------------------------------------------------------------------------------------

function TestSpaceJointErrors.test_bad_options()
	local d2 = require("collide").d2
	local world = new_world()
	local a, b = world:newBody {}, world:newBody { shape = d3.sphere(1) }
	local flat, other, gone = d2.newWorld():newBody {}, new_world():newBody {}, world:newBody {}
	gone:destroy()
	local function with(changes)
		local options = { bodyA = a, bodyB = b, x = 0, y = 0, z = 0 }
		for key, value in pairs(changes) do options[key] = value end
		if changes.without then options[changes.without], options.without = nil, nil end
		return options
	end
	local both = {
		{ "must be a table, got nil", nil },
		{ "unknown key 'axisa', did you mean 'axisA'", with { axisa = { 1, 0, 0 } } },
		{ "bodyB is missing", with { without = "bodyB" } },
		{ "bodyA must be a body of the same dimension, got a body", with { bodyA = flat } },
		{ "bodyB must be a body, got a 3D world", with { bodyB = world } },
		{ "bodyB must be a body of this world", with { bodyB = other } },
		{ "bodyB is destroyed", with { bodyB = gone } },
		{ "bodyA and bodyB must be two bodies", with { bodyB = a } },
		{ "x, y and z must be given together", with { without = "z" } },
		{ "either x, y and z, anchorA and anchorB, or pointA and pointB must be given", with { anchorA = { 0, 0, 0 } } },
		{ "anchorA must be a list {x, y, z}", { bodyA = a, bodyB = b, anchorA = { 0, 0 }, anchorB = { 0, 0, 0 } } },
		{ "z must be a finite number, got nan", with { z = 0 / 0 } },
		{ "x, y and z must be within", with { z = 1e9 } },
		{ "axis must be a list {x, y, z}", with { axis = 1 } },
		{ "axis must not be zero", with { axis = { 0, 0, 0 } } },
		{ "axis[2] must be a finite number, got inf", with { axis = { 0, math.huge, 0 } } },
		{ "axisA and axisB must be given together", with { axisA = { 0, 0, 1 } } },
		{ "rotationA and rotationB must be given together", with { rotationB = { 0, 0, 0, 1 } } },
		{ "the quaternion rotationA must not be zero", with { rotationA = { 0, 0, 0, 0 } } },
		{ "only one of axis, axisA and axisB, and rotationA and rotationB", with { axis = { 0, 0, 1 }, axisA = { 0, 0, 1 }, axisB = { 0, 0, 1 } } },
		{ "hertz must be > 0, got 0", with { hertz = 0 } },
		{ "dampingRatio must be >= 0", with { hertz = 1, dampingRatio = -1 } },
		{ "maxMotorTorque must be >= 0", with { maxMotorTorque = -1 } },
		{ "collideConnected must be true or false", with { collideConnected = 1 } },
	}
	local own = {
		newRevoluteJoint = {
			{ "lowerAngle and upperAngle must be given together", with { lowerAngle = 0 } },
			{ "upperAngle must be >= lowerAngle", with { lowerAngle = 1, upperAngle = 0 } },
			{ "lowerAngle must be a finite number, got nan", with { lowerAngle = 0 / 0, upperAngle = 0 } },
			{ "hertz is missing, but the spring's targetAngle is given", with { targetAngle = 1 } },
			{ "maxMotorTorque is missing, but motorSpeed", with { motorSpeed = 1 } },
			{ "unknown key 'coneAngle'", with { coneAngle = 1 } },
		},
		newSphericalJoint = {
			{ "lowerTwistAngle and upperTwistAngle must be given together", with { upperTwistAngle = 0 } },
			{ "upperTwistAngle must be >= lowerTwistAngle", with { lowerTwistAngle = 1, upperTwistAngle = 0 } },
			{ "coneAngle must be >= 0", with { coneAngle = -1 } },
			{ "coneAngle must be", with { coneAngle = 4 } },
			{ "hertz is missing, but the spring's targetRotation is given", with { targetRotation = { 0, 0, 0, 1 } } },
			{ "targetRotation must be a list {qx, qy, qz, qw}", with { hertz = 1, targetRotation = { 0, 1 } } },
			{ "maxMotorTorque is missing, but motorVelocity", with { motorVelocity = { 0, 0, 1 } } },
			{ "motorVelocity must be a list {x, y, z}", with { motorVelocity = 1, maxMotorTorque = 1 } },
		},
	}
	for name, rows in pairs(own) do
		for _, list in ipairs { both, rows } do
			for _, row in ipairs(list) do
				local ok, message = pcall(world[name], world, row[2])
				lu.assertFalse(ok, row[1])
				lu.assertStrContains(message, row[1])
				lu.assertEquals(world:getJointCount(), 0)
				world:validate()
			end
		end
	end
end

function TestSpaceJointErrors.test_bad_arguments_and_hooks()
	local world = new_world()
	local a, b = world:newBody { shape = d3.sphere(0.5) }, world:newBody { x = 0.5, shape = d3.sphere(0.5) }
	local options = { bodyA = a, bodyB = b, x = 0, y = 0, z = 0, collideConnected = true }
	local hinge, joint = world:newRevoluteJoint(options), world:newSphericalJoint(options)
	local function raises(text, f, ...)
		local ok, message = pcall(f, ...)
		lu.assertFalse(ok, text)
		lu.assertStrContains(message, text)
	end
	raises("getAngle: a spherical joint has no such method; it has getSpring, getMotor, getMotorTorque, getTwistAngle, getSwingAngle", joint.getAngle, joint)
	raises("getSpeed: a spherical joint has no such method; it has", joint.getSpeed, joint)
	raises("setLimits: a spherical joint has no such method; it has setSpring, setMotor, setConeLimit, setTwistLimits", joint.setLimits, joint, 0, 1)
	raises("getSwingAngle: a revolute joint has no such method; it has getAngle, getSpeed", hinge.getSwingAngle, hinge)
	raises("setConeLimit: a revolute joint has no such method; it has setLimits, setSpring, setMotor", hinge.setConeLimit, hinge, 1)
	raises("setConeLimit: coneAngle must be >= 0", joint.setConeLimit, joint, -1)
	raises("setTwistLimits: upperTwistAngle must be a finite number, got nothing", joint.setTwistLimits, joint, 0)
	raises("setTwistLimits: upperTwistAngle must be >= lowerTwistAngle", joint.setTwistLimits, joint, 1, 0)
	raises("setSpring: hertz must be > 0", joint.setSpring, joint, -1)
	raises("setSpring: qw must be a finite number, got nothing", joint.setSpring, joint, 1, 1, 0, 0, 1)
	raises("setSpring: the quaternion qx, qy, qz, qw must not be zero", joint.setSpring, joint, 1, 1, 0, 0, 0, 0)
	raises("setMotor: maxTorque must be a finite number", joint.setMotor, joint, 1, 0, 0)
	raises("setMotor: maxTorque must be a finite number", hinge.setMotor, hinge, 1)
	raises("getAngle: expected a joint, got a 3D body", hinge.getAngle, a)
	raises("a joint has no field", function() joint.color = 1 end)
	local said
	world:setFilter(function()
		said = { pcall(joint.destroy, joint), pcall(world.newSphericalJoint, world, options) }
		lu.assertFalse(pcall(joint.setMotor, joint, 1, 1, 1, 1))
		return true
	end)
	a:setPosition(0.1, 0, 0)
	world:step(1 / 60)
	lu.assertFalse(said[1])
	lu.assertTrue(joint:isValid())
	lu.assertEquals(world:getJointCount(), 2)
end
