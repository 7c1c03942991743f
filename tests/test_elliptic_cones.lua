-- Elliptic cones of spherical joints by their law: the swing's rotation vector, in the plane of the x and y axes of A's frame, stays in an ellipse whose
-- semi-axes are the two angles. Here it is computed from the joint's rotation, and the limit's axis by finite differences.
local lu, support = require "luaunit", require "support"
local d3 = require("collide").d3

TestEllipticCones = {}

local atan2 = math.atan2 or math.atan

-- The swing's rotation vector, from the rotation of B's frame in A's.
local function swing_of(x, y, z, w)
	local across, along = math.sqrt(x * x + y * y), math.sqrt(z * z + w * w)
	local k = 2 * atan2(across, along) / (across * along)
	if across * along < 1e-12 then return 0, 0 end
	return k * (x * w - y * z), k * (y * w + x * z)
end

-- 1 on the ellipse.
local function fraction(a, b, vx, vy) return math.sqrt((vx / a) ^ 2 + (vy / b) ^ 2) end

-- B's axis in A's frame.
local function axis_of(vx, vy)
	local swing = math.sqrt(vx * vx + vy * vy)
	local sine = swing > 0 and math.sin(swing) / swing or 1
	return sine * vy, -sine * vx, math.cos(swing)
end

-- The angle between B's axis and the nearest one that the cone allows.
local function excess(a, b, joint)
	local vx, vy = swing_of(joint:getRotation())
	if fraction(a, b, vx, vy) <= 1 then return 0 end
	local x, y, z = axis_of(vx, vy)
	local function nearness(u)
		local p, q, r = axis_of(a * math.cos(u), b * math.sin(u))
		return p * x + q * y + r * z
	end
	local best, at, step = -2, 0, math.pi / 60
	for i = 0, 119 do if nearness(i * step) > best then best, at = nearness(i * step), i * step end end
	while step > 1e-5 do
		local next = nearness(at + step) > best and at + step or nearness(at - step) > best and at - step or at
		if next == at then step = step / 2 end
		best, at = nearness(next), next
	end
	return math.acos(math.min(1, best))
end

local function multiply(ax, ay, az, aw, bx, by, bz, bw)
	return aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz
end

-- A body on a joint at its centre, so that torques turn it as they would without the joint. A's frame is the world's.
local function new_body(options, settings)
	local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
	settings = settings or { shape = d3.box(1, 0.5, 0.25) }
	local body = world:newBody(settings)
	options.bodyB, options.x, options.y, options.z = body, 0, 0, 0
	return world, world:newSphericalJoint(options), body
end

-- The torque of the limit on a ball that is pushed against it is along the gradient of the fraction: its rate, for rotations of B about each axis.
function TestEllipticCones.test_the_torque_is_along_the_gradient()
	local number = support.random_numbers(11)
	for _, angles in ipairs { { 1.2, 0.4 }, { 0.3, 2.2 }, { 2.8, 0.9 }, { 0.1, 0.5 } } do
		local pushed = 0
		for _ = 1, 6 do
			local world, joint, ball = new_body({ coneAngles = angles }, { shape = d3.sphere(0.5), angularDamping = 20 })
			local inertia = ball:getInertia()
			local tx, ty = 60 * inertia * number(-1, 1), 60 * inertia * number(-1, 1)
			for _ = 1, 180 do
				ball:applyTorque(tx, ty, 0)
				world:step(1 / 60)
			end
			local fx, fy, fz = joint:getReactionTorque()
			local torque = math.sqrt(fx * fx + fy * fy + fz * fz)
			local x, y, z, w = joint:getRotation()
			local function rate(ex, ey, ez)
				local h = 1e-4
				local function at(sign)
					return fraction(angles[1], angles[2], swing_of(multiply(sign * h * ex / 2, sign * h * ey / 2, sign * h * ez / 2, 1, x, y, z, w)))
				end
				return (at(1) - at(-1)) / (2 * h)
			end
			local gx, gy, gz = rate(1, 0, 0), rate(0, 1, 0), rate(0, 0, 1)
			local gradient = math.sqrt(gx * gx + gy * gy + gz * gz)
			lu.assertTrue(excess(angles[1], angles[2], joint) < 5e-3)
			if torque > 0 then
				pushed = pushed + 1
				lu.assertAlmostEquals(-(fx * gx + fy * gy + fz * gz) / (torque * gradient), 1, 3e-3, ("%g %g"):format(angles[1], angles[2]))
			end
		end
		lu.assertTrue(pushed >= 4, pushed)
	end
end

-- The largest excess under random torques, of up to 60 rad/s^2, that change four times a second.
local function largest_excess(options, a, b, hertz)
	local number, most = support.random_numbers(5), 0
	local world, joint, box = new_body(options)
	local ix, iy, iz = box:getInertia()
	local tx, ty, tz
	for i = 0, 6 * hertz - 1 do
		if i % math.floor(hertz / 4) == 0 then tx, ty, tz = 60 * number(-1, 1), 60 * number(-1, 1), 60 * number(-1, 1) end
		box:applyTorque(ix * tx, iy * ty, iz * tz)
		world:step(1 / hertz)
		most = math.max(most, excess(a, b, joint))
	end
	return most
end

-- Elliptic cones are exceeded by no more than circular ones of their angles are.
function TestEllipticCones.test_random_loads()
	for _, hertz in ipairs { 30, 60, 120 } do
		for _, angles in ipairs { { 1.2, 0.4 }, { 0.5, 1.5 }, { 1, 0.1 } } do
			local a, b = angles[1], angles[2]
			local circular = math.max(largest_excess({ coneAngle = a }, a, a, hertz), largest_excess({ coneAngle = b }, b, b, hertz))
			local elliptic = largest_excess({ coneAngles = angles }, a, b, hertz)
			lu.assertTrue(elliptic > 0 and elliptic < circular, ("%d Hz, %g %g: %g rad, circular %g"):format(hertz, a, b, elliptic, circular))
		end
	end
end

-- A body that tumbles within an elliptic cone never gains energy.
function TestEllipticCones.test_energy()
	local number = support.random_numbers(8)
	for _, hertz in ipairs { 30, 60 } do
		for _, angles in ipairs { { 1.2, 0.4 }, { 0.4, 1.2 } } do
			local world, _, body = new_body({ coneAngles = angles })
			body:setAngularVelocity(number(-15, 15), number(-15, 15), number(-5, 5))
			local first, energy = body:getKineticEnergy(), body:getKineticEnergy()
			for _ = 1, 5 * hertz do
				world:step(1 / hertz)
				lu.assertTrue(body:getKineticEnergy() < energy + 1e-4 * first, ("%d Hz, %g %g"):format(hertz, angles[1], angles[2]))
				energy = body:getKineticEnergy()
			end
			lu.assertTrue(energy < 0.9 * first, "it has hit the cone")
		end
	end
end

-- Of two equal angles the cone is circular, to the bit. Of two that differ by one part in a million, a ball that is pushed against it rests at the same swing,
-- under the same torque.
function TestEllipticCones.test_equal_angles()
	local function run(options, angle, damping)
		local world, joint, ball = new_body(options, { shape = d3.sphere(0.5), angularDamping = damping })
		local torque = 20 * ball:getInertia()
		for _ = 1, 120 do
			ball:applyTorque(torque * math.cos(angle), torque * math.sin(angle), 0)
			world:step(1 / 60)
		end
		return world:hash(), joint:getSwingAngle(), { joint:getReactionTorque() }
	end
	for i = 0, 4 do
		lu.assertEquals(run({ coneAngles = { 0.6, 0.6 } }, i, 0), run({ coneAngle = 0.6 }, i, 0))
		local _, swing, torque = run({ coneAngle = 0.6 }, i, 20)
		local _, other, push = run({ coneAngles = { 0.6, 0.6 + 6e-7 } }, i, 20)
		lu.assertAlmostEquals(other, swing, 1e-5)
		for k = 1, 3 do lu.assertAlmostEquals(push[k], torque[k], 1e-3) end
	end
end

-- A joint has the same bits alone and beside joints of other limits, which share its SIMD lanes.
function TestEllipticCones.test_lanes_do_not_depend_on_each_other()
	local function run(count)
		local world, first = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }, nil
		for i = 0, count - 1 do
			local body = world:newBody { x = 10 * i, shape = d3.box(1, 0.5, 0.25) }
			local kind = i % 4
			world:newSphericalJoint { bodyB = body, x = 10 * i - 0.5, y = 0, z = 0.1, axis = { 1, 0, 0 }, coneAngles = kind == 0 and { 0.7, 0.2 } or nil,
				coneAngle = kind == 1 and 0.3 or nil, hertz = kind == 2 and 3 or nil }
			first = first or body
		end
		for _ = 1, 120 do world:step(1 / 60) end
		return { first:getPosition() }, { first:getRotation() }
	end
	lu.assertEquals({ run(1) }, { run(9) })
end

-- A cone can be changed at any time, also while its body sleeps; without one the joint is free.
function TestEllipticCones.test_setters()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local bar = world:newBody { x = 0.5, shape = d3.box(1, 0.1, 0.1), angularDamping = 3 }
	-- The axis is x, so A's x axis is -z and its y axis the world's.
	local joint = world:newSphericalJoint { bodyB = bar, x = 0, y = 0, z = 0, axis = { 1, 0, 0 }, coneAngles = { 0.4, 1 } }
	local function settle()
		for _ = 1, 600 do world:step(1 / 60) end
		return joint:getSwingAngle()
	end
	lu.assertEquals(select("#", joint:getConeLimit()), 2)
	lu.assertAlmostEquals(joint:getConeLimit(), 0.4, 1e-7)
	lu.assertAlmostEquals(select(2, joint:getConeLimit()), 1, 1e-7)
	lu.assertAlmostEquals(settle(), 0.4, 0.01)
	lu.assertFalse(bar:isAwake())
	joint:setConeLimit(0.75, 0.5)
	lu.assertEquals({ joint:getConeLimit() }, { 0.75, 0.5 })
	lu.assertTrue(bar:isAwake())
	lu.assertAlmostEquals(settle(), 0.75, 0.01)
	joint:setConeLimit(0.5)
	lu.assertEquals({ joint:getConeLimit() }, { 0.5 })
	lu.assertAlmostEquals(settle(), 0.5, 0.01)
	joint:setConeLimit(0, nil)
	lu.assertEquals({ joint:getConeLimit() }, { 0 })
	joint:setConeLimit(nil)
	lu.assertEquals({ joint:getConeLimit() }, {})
	lu.assertTrue(settle() > 1.4)
	lu.assertEquals(support.bytes_of(100, function() joint:setConeLimit(1, 0.5) joint:getConeLimit() end), 0)
end

function TestEllipticCones.test_errors()
	local world = d3.newWorld()
	local body = world:newBody { shape = d3.sphere(1) }
	local function create(options)
		options.bodyB, options.x, options.y, options.z = body, 0, 0, 0
		return world:newSphericalJoint(options)
	end
	local joint = create { coneAngles = { 1, 2 } }
	local nan = 0 / 0
	for _, row in ipairs {
		{ "coneAngles must be a list {x, y}, got 1", 1 }, { "coneAngles must be a list {x, y}", { 1 } }, { "coneAngles must be a list {x, y}", { 1, 1, 1 } },
		{ "coneAngles[1] must be > 0, got 0", { 0, 1 } }, { "coneAngles[2] must be > 0, got -1", { 1, -1 } },
		{ "coneAngles[2] must be between 1e-06 and 3.1, got 3.2", { 1, 3.2 } }, { "coneAngles[1] must be a finite number, got nan", { nan, 1 } },
		{ "coneAngles[2] must be a finite number, got inf", { 1, math.huge } }, { "coneAngles[1] must be a finite number, got \"1\"", { "1", 1 } },
	} do
		lu.assertErrorMsgContains("newSphericalJoint: " .. row[1], create, { coneAngles = row[2] })
	end
	lu.assertErrorMsgContains("only one of coneAngle and coneAngles may be given", create, { coneAngle = 1, coneAngles = { 1, 1 } })
	for _, row in ipairs {
		{ "coneAngle must be > 0, got 0", 0, 1 }, { "secondConeAngle must be > 0, got 0", 1, 0 }, { "secondConeAngle must be a finite number, got nan", 1, nan },
		{ "secondConeAngle must be between 1e-06 and 3.1, got 4", 1, 4 }, { "coneAngle must be a finite number, got nil", nil, 1 },
	} do
		lu.assertErrorMsgContains("setConeLimit: " .. row[1], joint.setConeLimit, joint, row[2], row[3])
	end
	lu.assertEquals({ joint:getConeLimit() }, { 1, 2 })
	lu.assertEquals(world:getJointCount(), 1)
	world:validate()
end
