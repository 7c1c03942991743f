-- Rotations by axis and angle, by a direction, and by three angles: the functions that return them, and the options that take them.

local lu, collide = require "luaunit", require "collide"
local d3 = collide.d3
local support = require "support"

TestRotations = {}

local nan, huge = 0 / 0, math.huge
local unpack = table.unpack or unpack
local cos, sin, pi = math.cos, math.sin, math.pi

-- The vector, rotated by a unit quaternion.
local function turned(q, x, y, z)
	local qx, qy, qz, qw = q[1], q[2], q[3], q[4]
	local tx, ty, tz = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
	return x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx
end

local function check_vector(x, y, z, ex, ey, ez, margin)
	lu.assertAlmostEquals(x, ex, margin or 1e-12)
	lu.assertAlmostEquals(y, ey, margin or 1e-12)
	lu.assertAlmostEquals(z, ez, margin or 1e-12)
end

local function check_unit(q)
	lu.assertEquals(#q, 4)
	lu.assertAlmostEquals(q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2, 1, 1e-12)
end

-- Two quaternions of the same rotation: equal, or opposite.
local function check_same(a, b, margin)
	local dot = a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]
	lu.assertAlmostEquals(math.abs(dot), 1, margin or 1e-12)
end

local function dot(ax, ay, az, bx, by, bz) return ax * bx + ay * by + az * bz end

local number = support.random_numbers(11)
local function direction()
	local x, y, z
	repeat x, y, z = number(-1, 1), number(-1, 1), number(-1, 1) until x * x + y * y + z * z > 0.01
	return x, y, z
end

-- Rodrigues' formula: v cos a + (k x v) sin a + k (k . v)(1 - cos a).
function TestRotations.test_rotation_is_about_the_axis_by_the_angle()
	for _ = 1, 200 do
		local ax, ay, az = direction()
		local angle, size = number(-7, 7), 10 ^ number(-200, 200)
		local q = { d3.rotation(ax * size, ay * size, az * size, angle) }
		check_unit(q)
		local length = math.sqrt(ax * ax + ay * ay + az * az)
		local kx, ky, kz = ax / length, ay / length, az / length
		local vx, vy, vz = direction()
		local along, c, s = dot(kx, ky, kz, vx, vy, vz), cos(angle), sin(angle)
		local x, y, z = turned(q, vx, vy, vz)
		check_vector(x, y, z, vx * c + (ky * vz - kz * vy) * s + kx * along * (1 - c), vy * c + (kz * vx - kx * vz) * s + ky * along * (1 - c),
			vz * c + (kx * vy - ky * vx) * s + kz * along * (1 - c))
	end
	check_vector(0, 0, 0, turned({ d3.rotation(0, 1, 0, 0) }, 0, 0, 0))
	lu.assertEquals({ d3.rotation(0, 0, 5, 0) }, { 0, 0, 0, 1 })
	for _, value in ipairs { d3.rotation(0, 0, 1, -1) } do lu.assertTrue(value ~= 0 or 1 / value > 0) end -- no -0
	check_vector(0, 1, 0, turned({ d3.rotation(0, 0, 1, pi / 2) }, 1, 0, 0)) -- counter-clockwise from x to y
end

-- The same bits on every machine, also where math.sin differs.
function TestRotations.test_rotation_by_the_engines_sine()
	for _ = 1, 50 do
		local angle = number(-100, 100)
		local x, y, z, w = d3.rotation(0, 3, 0, angle)
		lu.assertEquals({ x, y, z, w }, { 0, collide.sin(angle / 2), 0, collide.cos(angle / 2) })
	end
end

function TestRotations.test_look_rotation_turns_z_forward_and_y_up()
	for _ = 1, 200 do
		local fx, fy, fz = direction()
		local ux, uy, uz = direction()
		local size = 10 ^ number(-200, 200)
		local q = { d3.lookRotation(fx * size, fy * size, fz * size, ux / size, uy / size, uz / size) }
		check_unit(q)
		lu.assertTrue(q[4] >= 0)
		local f = math.sqrt(dot(fx, fy, fz, fx, fy, fz))
		local x, y, z = turned(q, 0, 0, 1)
		check_vector(x, y, z, fx / f, fy / f, fz / f)
		x, y, z = turned(q, 1, 0, 0)
		lu.assertAlmostEquals(dot(x, y, z, ux, uy, uz), 0, 1e-12) -- nothing of up is to the side
		x, y, z = turned(q, 0, 1, 0)
		lu.assertTrue(dot(x, y, z, ux, uy, uz) > 0)
	end
end

function TestRotations.test_look_rotation_with_default_up()
	check_same({ d3.lookRotation(0, 0, 3) }, { 0, 0, 0, 1 })
	check_same({ d3.lookRotation(1, 0, 0) }, { d3.rotation(0, 1, 0, pi / 2) })
	check_same({ d3.lookRotation(0, 0, -1) }, { d3.rotation(0, 1, 0, pi) })
	check_same({ d3.lookRotation(1, 2, 3) }, { d3.lookRotation(1, 2, 3, 0, 1, 0) })
	check_same({ d3.lookRotation(1, 2, 3) }, { d3.lookRotation(1, 2, 3, nil, nil, nil) })
end

function TestRotations.test_look_rotation_along_up()
	-- Straight up and down: x stays, so that it is the pitch that turns.
	check_same({ d3.lookRotation(0, 2, 0) }, { d3.rotation(1, 0, 0, -pi / 2) })
	check_same({ d3.lookRotation(0, -2, 0) }, { d3.rotation(1, 0, 0, pi / 2) })
	for _ = 1, 50 do
		local fx, fy, fz = direction()
		local s = number(-1, 1) > 0 and 2 or -2
		local q = { d3.lookRotation(fx, fy, fz, s * fx, s * fy, s * fz) }
		check_unit(q)
		local f = math.sqrt(dot(fx, fy, fz, fx, fy, fz))
		local x, y, z = turned(q, 0, 0, 1)
		check_vector(x, y, z, fx / f, fy / f, fz / f)
		x, y, z = turned(q, 1, 0, 0)
		lu.assertTrue((math.abs(fx) / f > 0.9 and z or x) > 0.4)
	end
end

-- The direction is met as exactly when up is nearly parallel to it.
function TestRotations.test_look_rotation_nearly_along_up()
	for _ = 1, 200 do
		local fx, fy, fz = direction()
		local f = math.sqrt(dot(fx, fy, fz, fx, fy, fz))
		local off = 10 ^ number(-9, -2)
		local q = { d3.lookRotation(fx, fy, fz, fx / f + number(-1, 1) * off, fy / f + number(-1, 1) * off, fz / f + number(-1, 1) * off) }
		check_unit(q)
		local x, y, z = turned(q, 0, 0, 1)
		check_vector(x, y, z, fx / f, fy / f, fz / f)
	end
end

function TestRotations.test_euler_turns_about_z_then_x_then_y()
	local function product(a, b) -- b first
		return { a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2], a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
			a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4], a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3] }
	end
	for _ = 1, 100 do
		local x, y, z = number(-4, 4), number(-4, 4), number(-4, 4)
		local q = { d3.euler(x, y, z) }
		check_unit(q)
		check_same(q, product({ d3.rotation(0, 1, 0, y) }, product({ d3.rotation(1, 0, 0, x) }, { d3.rotation(0, 0, 1, z) })))
	end
	check_same({ d3.euler(0.4, 0, 0) }, { d3.rotation(1, 0, 0, 0.4) })
	check_same({ d3.euler(0, 0.4, 0) }, { d3.rotation(0, 1, 0, 0.4) })
	check_same({ d3.euler(0, 0, 0.4) }, { d3.rotation(0, 0, 1, 0.4) })
	-- Heading and pitch are those of the direction that lookRotation looks in.
	for _ = 1, 50 do
		local x, y = number(-1.5, 1.5), number(-3, 3)
		check_same({ d3.euler(x, y, 0) }, { d3.lookRotation(cos(x) * sin(y), -sin(x), cos(x) * cos(y)) })
	end
end

-- Each way to give a rotation in a table, and the same rotation as a quaternion.
local ways = {
	{ axis = { 0, 3, 4 }, angle = 0.7 },
	{ rotation = { axis = { 0, 3, 4 }, angle = 0.7 } },
	{ rotation = { d3.rotation(0, 3, 4, 0.7) } },
	(function() local q = { d3.rotation(0, 3, 4, 0.7) } return { qx = q[1], qy = q[2], qz = q[3], qw = q[4] } end)(),
}

local function with(options, more)
	for key, value in pairs(more) do options[key] = value end
	return options
end

function TestRotations.test_options_of_bodies()
	local world = d3.newWorld()
	for _, way in ipairs(ways) do
		local body = world:newBody(with({ shape = d3.box(1, 2, 3) }, way))
		check_same({ body:getRotation() }, { d3.rotation(0, 3, 4, 0.7) }, 1e-6)
		body:setRotation(d3.euler(0.1, 0.2, 0.3))
		check_same({ body:getRotation() }, { d3.euler(0.1, 0.2, 0.3) }, 1e-6)
		body:setTransform(1, 2, 3, d3.lookRotation(1, 1, 1))
		check_same({ body:getRotation() }, { d3.lookRotation(1, 1, 1) }, 1e-6)
	end
	check_same({ d3.pose(1, 2, 3, d3.rotation(0, 3, 4, 0.7)):getRotation() }, { d3.rotation(0, 3, 4, 0.7) }, 1e-6)
	lu.assertEquals(world:newBody { axis = { 0, 0, 1 }, angle = 0 }:getRotation(), 0)
end

function TestRotations.test_options_of_shapes()
	local made = {}
	for _, way in ipairs(ways) do
		for i, shape in ipairs { d3.box(1, 2, 3, with({ radius = 0.1, x = 1 }, way)), d3.cylinder(1, 3, way), d3.cone(1, 3, way), d3.ellipsoid(1, 2, 3, way) } do
			local box = { shape:getBox() }
			made[i] = made[i] or box
			for k = 1, 6 do lu.assertAlmostEquals(box[k], made[i][k], 1e-6) end
		end
	end
	local x1, y1 = d3.cylinder(1, 4, { axis = { 0, 0, 1 }, angle = pi / 2 }):getBox()
	lu.assertAlmostEquals(x1, -2, 1e-5)
	lu.assertAlmostEquals(y1, -1, 1e-5)
end

function TestRotations.test_options_of_joints()
	local turn = { axis = { 0, 3, 4 }, angle = 0.7 }
	local q = { d3.rotation(0, 3, 4, 0.7) }
	local function joint(rotation, target)
		local world = d3.newWorld()
		return world:newSphericalJoint { bodyA = world:newBody {}, bodyB = world:newBody {}, x = 0, y = 0, z = 0, rotationA = rotation,
			rotationB = { 0, 0, 0, 1 }, hertz = 1, targetRotation = target }
	end
	local a, b = joint(turn, turn), joint(q, q)
	lu.assertEquals({ a:getRotation() }, { b:getRotation() })
	lu.assertEquals({ a:getAxisA() }, { b:getAxisA() })
	lu.assertEquals({ a:getSpring() }, { b:getSpring() })
	check_same({ select(3, a:getSpring()) }, q, 1e-6)
end

function TestRotations.test_errors()
	local world = d3.newWorld()
	local function body(options) return function() world:newBody(options) end end
	local a, b = world:newBody {}, world:newBody {}
	local function joint(rotation)
		return function() world:newSphericalJoint { bodyA = a, bodyB = b, x = 0, y = 0, z = 0, rotationA = rotation, rotationB = { 0, 0, 0, 1 } } end
	end
	local one_of = "only one of rotation, of qx, qy, qz, qw, and of axis with angle may be given"
	for _, case in ipairs {
		{ "rotation: the axis ax, ay, az must not be zero", d3.rotation, 0, 0, 0, 1 },
		{ "rotation: ay must be a finite number, got nan", d3.rotation, 0, nan, 0, 1 },
		{ "rotation: angle must be a finite number, got nothing", d3.rotation, 0, 1, 0 },
		{ "rotation: angle must be", d3.rotation, 0, 1, 0, huge },
		{ "lookRotation: the direction fx, fy, fz must not be zero", d3.lookRotation, 0, 0, 0 },
		{ "lookRotation: the direction ux, uy, uz must not be zero", d3.lookRotation, 0, 0, 1, 0, 0, 0 },
		{ "lookRotation: uz must be a finite number, got nothing", d3.lookRotation, 0, 0, 1, 0, 1 },
		{ "lookRotation: fz must be a finite number, got \"x\"", d3.lookRotation, 0, 0, "x" },
		{ "euler: z must be a finite number, got nothing", d3.euler, 0, 0 },
		{ "euler: x must be", d3.euler, huge, 0, 0 },
		{ "newBody: axis and angle must be given together", body { axis = { 0, 1, 0 } } },
		{ "newBody: axis and angle must be given together", body { angle = 1 } },
		{ "newBody: axis must not be zero", body { axis = { 0, 0, 0 }, angle = 1 } },
		{ "newBody: axis must be a list {x, y, z}, got 2", body { axis = 2, angle = 1 } },
		{ "newBody: axis[2] must be a finite number, got nan", body { axis = { 0, nan, 1 }, angle = 1 } },
		{ "newBody: angle must be a finite number, got \"1\"", body { axis = { 0, 1, 0 }, angle = "1" } },
		{ "newBody: " .. one_of, body { axis = { 0, 1, 0 }, angle = 1, rotation = { 0, 0, 0, 1 } } },
		{ "newBody: " .. one_of, body { axis = { 0, 1, 0 }, angle = 1, qx = 0, qy = 0, qz = 0, qw = 1 } },
		{ "newBody: axis and angle must be given together in rotation", body { rotation = { axis = { 0, 1, 0 } } } },
		{ "newBody: unknown key 'angel', did you mean 'angle'?", body { rotation = { axis = { 0, 1, 0 }, angel = 1 } } },
		{ "newBody: axis must not be zero", body { rotation = { axis = { 0, 0, 0 }, angle = 1 } } },
		{ "newBody: unknown key", body { rotation = { 0, 0, 0, 1, axis = { 0, 1, 0 }, angle = 1 } } },
		{ "box: " .. one_of, d3.box, 1, 1, 1, { axis = { 0, 1, 0 }, angle = 1, rotation = { 0, 0, 0, 1 } } },
		{ "cone: axis and angle must be given together", d3.cone, 1, 1, { angle = 1 } },
		{ "ellipsoid: axis must not be zero", d3.ellipsoid, 1, 1, 1, { axis = { 0, 0, 0 }, angle = 1 } },
		{ "cylinder: rotation must be a list {qx, qy, qz, qw}, got 1", d3.cylinder, 1, 1, { rotation = 1 } },
		{ "newSphericalJoint: the quaternion rotationA must not be zero", joint { 0, 0, 0, 0 } },
		{ "newSphericalJoint: axis and angle must be given together in rotationA", joint { angle = 1 } },
		{ "newSphericalJoint: rotationA must be a list {qx, qy, qz, qw}", joint {} },
	} do
		lu.assertErrorMsgContains(case[1], case[2], unpack(case, 3))
	end
	lu.assertEquals(world:getBodyCount(), 2)
	lu.assertEquals(world:getJointCount(), 0)
	world:validate()
end
