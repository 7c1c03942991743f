-- Laws of 3D worlds that have no counterpart in 2D: inertia of solids, rotation of free bodies, rolling, tall stacks, six locks, moving surfaces, quaternions,
-- and the agreement of the world's queries with geometry without a world.
--
-- Velocities are floats with a relative rounding error of 2^-24 = 6.0e-8; FLOAT = 1e-5 allows for 160 roundings in a row. The integrator is semi-implicit Euler
-- in sub-steps of h = dt / 4; a rotation by w h in one of them has a relative error of (w h)^2 / 2.
local lu, collide = require "luaunit", require "collide"
local d2, d3 = collide.d2, collide.d3
local support = require "support"
local random_numbers, steps = support.random_numbers, support.steps

local G, DT, FLOAT = 10, 1 / 60, 1e-5
local pi = math.pi

local function near(actual, expected, scale, what)
	lu.assertAlmostEquals(actual, expected, FLOAT * math.max(scale or 0, math.abs(expected)), what)
end

local function empty_space(options)
	options = options or {}
	options.gravity = options.gravity or { 0, 0, 0 }
	return d3.newWorld(options)
end

local function new_floor(options, friction)
	local world = d3.newWorld(options or {})
	return world, world:newBody { type = "static", y = -1, shape = d3.box(200, 2, 200), friction = friction }
end

local function dot(ax, ay, az, bx, by, bz) return ax * bx + ay * by + az * bz end

local function length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

-- About a unit axis.
local function quaternion(x, y, z, angle)
	local s = math.sin(angle / 2)
	return x * s, y * s, z * s, math.cos(angle / 2)
end

-- --- Inertia ---------------------------------------------------------------------------------------------------------------

TestInertia = {}

-- Mass, and inertia about x, y, z, of density 1. Source: any table of moments of inertia.
local function capsule_moments(r, h) -- h: of the cylinder between the half balls
	local tube, ball = pi * r ^ 2 * h, 4 / 3 * pi * r ^ 3
	local along = tube * r ^ 2 / 2 + ball * 2 / 5 * r ^ 2
	-- A half ball's centre is 3/8 r from its flat side.
	local across = tube * (r ^ 2 / 4 + h ^ 2 / 12) + ball * (2 / 5 * r ^ 2 + h ^ 2 / 4 + 3 / 8 * h * r)
	return tube + ball, across, along, across
end

local function box_moments(w, h, d)
	local m = w * h * d
	return m, m * (h ^ 2 + d ^ 2) / 12, m * (w ^ 2 + d ^ 2) / 12, m * (w ^ 2 + h ^ 2) / 12
end

local solids = {
	sphere = { d3.sphere(0.7), 4 / 3 * pi * 0.343, 2 / 5 * 4 / 3 * pi * 0.7 ^ 5, 2 / 5 * 4 / 3 * pi * 0.7 ^ 5, 2 / 5 * 4 / 3 * pi * 0.7 ^ 5 },
	box = { d3.box(1, 2, 3), box_moments(1, 2, 3) },
	hull = { d3.hull { -1, -2, -3, 1, -2, -3, -1, 2, -3, 1, 2, -3, -1, -2, 3, 1, -2, 3, -1, 2, 3, 1, 2, 3 }, box_moments(2, 4, 6) },
	capsule = { d3.capsule(0.5, 2), capsule_moments(0.5, 1) },
	cylinder = (function()
		local r, h = 0.6, 1.5
		local m = pi * r ^ 2 * h
		return { d3.cylinder(r, h), m, m * (3 * r ^ 2 + h ^ 2) / 12, m * r ^ 2 / 2, m * (3 * r ^ 2 + h ^ 2) / 12 }
	end)(),
	cone = (function()
		local r, h = 0.6, 1.5
		local m = pi * r ^ 2 * h / 3
		return { d3.cone(r, h), m, m * (3 / 20 * r ^ 2 + 3 / 80 * h ^ 2), 3 / 10 * m * r ^ 2, m * (3 / 20 * r ^ 2 + 3 / 80 * h ^ 2) }
	end)(),
	ellipsoid = (function()
		local a, b, c = 0.5, 0.8, 1.1
		local m = 4 / 3 * pi * a * b * c
		return { d3.ellipsoid(a, b, c), m, m * (b ^ 2 + c ^ 2) / 5, m * (a ^ 2 + c ^ 2) / 5, m * (a ^ 2 + b ^ 2) / 5 }
	end)(),
}

for name, row in pairs(solids) do
	TestInertia["test_of_a_" .. name] = function()
		local world = empty_space()
		for _, density in ipairs { 1, 250 } do
			local body = world:newBody { shape = row[1], density = density }
			near(body:getMass(), density * row[2])
			local xx, yy, zz, xy, xz, yz = body:getInertia()
			near(xx, density * row[3])
			near(yy, density * row[4])
			near(zz, density * row[5])
			for _, product in ipairs { xy, xz, yz } do lu.assertAlmostEquals(product, 0, FLOAT * xx) end
		end
	end
end

-- R I R^T for a shape with any rotation, with the products -sum m x y.
function TestInertia.test_of_a_turned_box()
	local number = random_numbers(71)
	local world = empty_space()
	local m, ix, iy, iz = box_moments(1, 2, 3)
	for _ = 1, 20 do
		local qx, qy, qz, qw = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
		local x, y, z = number(-3, 3), number(-3, 3), number(-3, 3)
		local body = world:newBody { shape = d3.box(1, 2, 3, { qx = qx, qy = qy, qz = qz, qw = qw, x = x, y = y, z = z }) }
		near(body:getMass(), m)
		local cx, cy, cz = body:getLocalCenter()
		near(cx, x, 3)
		near(cy, y, 3)
		near(cz, z, 3)
		-- The columns of R, from a body with that rotation.
		local frame = world:newBody { qx = qx, qy = qy, qz = qz, qw = qw }
		local columns = { { frame:getWorldVector(1, 0, 0) }, { frame:getWorldVector(0, 1, 0) }, { frame:getWorldVector(0, 0, 1) } }
		local function entry(i, j)
			return ix * columns[1][i] * columns[1][j] + iy * columns[2][i] * columns[2][j] + iz * columns[3][i] * columns[3][j]
		end
		local tensor = { body:getInertia() }
		for k, pair in ipairs { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } } do
			near(tensor[k], entry(pair[1], pair[2]), 10)
		end
	end
end

-- For several shapes: sum I_i + m_i ((c . c) 1 - c c^T), c from the common centre (Huygens, Steiner).
function TestInertia.test_of_several_shapes()
	local world = empty_space()
	local body = world:newBody { shapes = { { shape = d3.sphere(0.5, 2, 0, 0), density = 3 }, { shape = d3.sphere(0.5, 0, 1, -2), density = 3 } } }
	local m = 3 * 4 / 3 * pi * 0.125
	near(body:getMass(), 2 * m)
	local cx, cy, cz = body:getLocalCenter()
	near(cx, 1)
	near(cy, 0.5)
	near(cz, -1)
	local own = 2 * 2 / 5 * m * 0.25
	local xx, yy, zz, xy, xz, yz = body:getInertia()
	-- Each is (+-1, -+0.5, +-1) from the centre.
	near(xx, own + 2 * m * (0.25 + 1))
	near(yy, own + 2 * m * 2)
	near(zz, own + 2 * m * 1.25)
	near(xy, -2 * m * -0.5)
	near(xz, -2 * m * 1)
	near(yz, -2 * m * -0.5)
end

function TestInertia.test_override_and_reset()
	local world = empty_space()
	local body = world:newBody { shape = d3.box(1, 1, 1), mass = 12, center = { 0.25, 0, -0.5 } }
	near(body:getMass(), 12)
	near((body:getInertia()), 2) -- 12 times that of a unit box of mass 1
	lu.assertEquals({ body:getLocalCenter() }, { 0.25, 0, -0.5 })
	body:setMassData(5, 0, 1, 2, 3, 4, 5, 0.5, -0.25, 0.125)
	lu.assertEquals({ body:getInertia() }, { 3, 4, 5, 0.5, -0.25, 0.125 })
	lu.assertEquals({ body:getCenter() }, { 0, 1, 2 })
	body:resetMassData()
	near(body:getMass(), 1)
	near((body:getInertia()), 1 / 6)
	local given = world:newBody { mass = 3, inertia = { 1, 2, 3, 0, 0, 0 } }
	lu.assertEquals({ given:getInertia() }, { 1, 2, 3, 0, 0, 0 })
	-- One moment of a plate is the sum of the others, with any rotation, and rounded.
	local plate = world:newBody { shape = d3.box(3, 0.001, 1, { qx = 0.1, qy = 0.7, qz = -0.2, qw = 0.4 }) }
	plate:setMassData(1, 0, 0, 0, plate:getInertia())
	-- A body without inertia cannot rotate.
	local point = world:newBody { mass = 1, inertia = { 0, 0, 0, 0, 0, 0 } }
	point:applyAngularImpulse(1, 2, 3)
	point:applyImpulse(1, 0, 0, 0, 5, 0)
	lu.assertEquals({ point:getAngularVelocity() }, { 0, 0, 0 })
	lu.assertEquals({ point:getLinearVelocity() }, { 1, 0, 0 })
end

-- --- Free rotation ---------------------------------------------------------------------------------------------------------

TestTumbling = {}

-- Energy and angular momentum of a free body are kept, whatever its shape and rotation, and its hash changes.
function TestTumbling.test_energy_and_angular_momentum_hold()
	local number = random_numbers(72)
	local world = empty_space { sleeping = false }
	local bodies, before = {}, {}
	for i = 1, 20 do
		bodies[i] = world:newBody {
			x = 20 * i, shape = d3.box(number(0.2, 2), number(0.2, 2), number(0.2, 2)), angularVelocity = { number(-6, 6), number(-6, 6), number(-6, 6) },
			rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) },
		}
		before[i] = { bodies[i]:getKineticEnergy(), bodies[i]:getAngularMomentum() }
	end
	steps(world, 600)
	for i, body in ipairs(bodies) do
		lu.assertAlmostEquals(body:getKineticEnergy(), before[i][1], 0.01 * before[i][1], "energy of body " .. i)
		local x, y, z = body:getAngularMomentum()
		local _, bx, by, bz = (table.unpack or unpack)(before[i])
		local size = length(bx, by, bz)
		lu.assertTrue(length(x - bx, y - by, z - bz) < 0.01 * size, "angular momentum of body " .. i)
	end
end

-- About the axis of its intermediate moment a body flips over, again and again; about the others its rotation is stable (Euler; Poinsot, 1834). The handle of a
-- T: moments in the order of a screw driver's bit.
local function t_handle(world, wx, wy, wz)
	return world:newBody {
		angularVelocity = { wx, wy, wz },
		shapes = { { shape = d3.cylinder(0.1, 1, { y = 0.5 }) }, { shape = d3.capsule(-0.6, 0, 0, 0.6, 0, 0, 0.12) } },
	}
end

function TestTumbling.test_a_t_handle_turns_over()
	local world = empty_space { sleeping = false }
	local order = {}
	do
		local ixx, iyy, izz = t_handle(world, 0, 0, 0):getInertia()
		for axis, moment in ipairs { ixx, iyy, izz } do order[#order + 1] = { moment, axis } end
		table.sort(order, function(a, b) return a[1] < b[1] end)
	end
	for rank, entry in ipairs(order) do
		local axis, w = entry[2], { 0.02, 0.02, 0.02 }
		w[axis] = 8
		local body = t_handle(world, w[1], w[2], w[3])
		body:setPosition(10 * rank, 0, 0)
		local energy, turns, least, most = body:getKineticEnergy(), 0, math.huge, -math.huge
		local unit, last = { 0, 0, 0 }, 1
		unit[axis] = 1
		steps(world, 1200, function()
			local ax, ay, az = body:getWorldVector(unit[1], unit[2], unit[3])
			local along = dot(ax, ay, az, w[1] / 8, w[2] / 8, w[3] / 8)
			if (along > 0) ~= (last > 0) then turns = turns + 1 end
			last = along
			least, most = math.min(least, body:getKineticEnergy()), math.max(most, body:getKineticEnergy())
		end)
		if rank == 2 then
			lu.assertTrue(turns >= 3, "turns over " .. turns .. " times in 20 s")
		else
			lu.assertEquals(turns, 0, "stays")
		end
		lu.assertTrue(least > 0.99 * energy and most < 1.01 * energy, "energy from " .. least / energy .. " to " .. most / energy)
		body:destroy()
	end
end

-- A plate that spins about an axis near its axis of symmetry: the latter moves around the angular momentum at |L| / I_across.
function TestTumbling.test_free_precession()
	local world = empty_space { sleeping = false }
	local plate = world:newBody { shape = d3.box(1, 0.1, 1), angularVelocity = { 1, 6, 0 } }
	local across = plate:getInertia()
	local lx, ly, lz = plate:getAngularMomentum()
	local size = length(lx, ly, lz)
	local rate = size / across
	local count = math.floor(2 * pi / rate / DT + 0.5)
	local start = { plate:getWorldVector(0, 1, 0) }
	steps(world, math.floor(count / 2))
	local x, y, z = plate:getWorldVector(0, 1, 0)
	-- After half a period it is on the other side of L, then back, to within the rounding of the time to steps, and 2 %.
	local along = dot(start[1], start[2], start[3], lx, ly, lz) / size
	local ox, oy, oz = 2 * along * lx / size - start[1], 2 * along * ly / size - start[2], 2 * along * lz / size - start[3]
	local radius = length(start[1] - along * lx / size, start[2] - along * ly / size, start[3] - along * lz / size)
	lu.assertTrue(length(x - ox, y - oy, z - oz) < radius * (rate * DT + 0.02 * pi), "half way")
	steps(world, count - math.floor(count / 2))
	x, y, z = plate:getWorldVector(0, 1, 0)
	lu.assertTrue(length(x - start[1], y - start[2], z - start[3]) < radius * (rate * DT + 0.02 * 2 * pi), "all the way round")
end

-- A fast top under a torque across its axis precesses at torque / (I w), Omega = m g d / L for a weight at the distance d.
function TestTumbling.test_a_top_precesses()
	local world = empty_space { sleeping = false }
	local top = world:newBody { shape = d3.cylinder(0.5, 0.2), angularVelocity = { 60, 0, 0 } }
	top:setRotation(quaternion(0, 0, 1, -pi / 2)) -- its axis along +x
	local d, mass = 0.5, top:getMass()
	local _, along = top:getInertia()
	local rate = mass * G * d / (along * 60)
	local angle, last = 0, 0
	steps(world, 120, function()
		local ax, ay, az = top:getWorldVector(0, 1, 0)
		-- r x F of a weight at d along the axis
		top:applyTorque(-az * d * -mass * G, 0, ax * d * -mass * G)
		local now = math.atan2 and math.atan2(-az, ax) or math.atan(-az, ax)
		angle = angle + (now - last + pi) % (2 * pi) - pi
		last = now
		lu.assertTrue(math.abs(ay) < 0.1, "it keeps its height")
	end)
	-- 119 steps were observed. Nutation contributes (Omega / w)^2; 3 % for the integrator.
	lu.assertAlmostEquals(angle, rate * 119 * DT, 0.03 * rate * 2)
end

-- --- Rolling ---------------------------------------------------------------------------------------------------------------

TestRolls = {}

-- a = g sin / (1 + k) without slipping, in any direction down the slope: 5/7 for a ball, 2/3 for a cylinder about its axis.
function TestRolls.test_a_ball_takes_five_sevenths_and_a_cylinder_two_thirds()
	local slope = math.rad(20)
	for _, case in ipairs { { d3.sphere(0.5), 5 / 7 }, { d3.cylinder(0.5, 1, { qx = quaternion(1, 0, 0, pi / 2), qy = 0, qz = 0, qw = math.cos(pi / 4) }), 2 / 3 } } do
		for _, heading in ipairs { 0, 0.7, 2 } do
			-- Gravity is tilted instead of the floor; a cylinder's axis is across the slope.
			local world = new_floor({ gravity = { G * math.sin(slope) * math.cos(heading), -G * math.cos(slope), G * math.sin(slope) * math.sin(heading) },
				sleeping = false }, 1)
			local body = world:newBody { y = 0.5, shape = case[1], friction = 1, rotation = { quaternion(0, 1, 0, -heading) } }
			steps(world, 90)
			local vx, vy, vz = body:getLinearVelocity()
			local expected = case[2] * G * math.sin(slope) * 1.5
			lu.assertAlmostEquals(vx, expected * math.cos(heading), 0.02 * expected)
			lu.assertAlmostEquals(vz, expected * math.sin(heading), 0.02 * expected)
			lu.assertAlmostEquals(vy, 0, 0.03 * expected)
			-- w = n x v / r
			local wx, _, wz = body:getAngularVelocity()
			lu.assertAlmostEquals(wx, vz / 0.5, 0.02 * expected / 0.5)
			lu.assertAlmostEquals(wz, -vx / 0.5, 0.02 * expected / 0.5)
		end
	end
end

-- The torque c r N stops a rolling body after (1 + k) v^2 / (2 c g), at any size: 1.4 m for a ball, 1.46 m for a capsule of length 2 r between its ends (k =
-- 0.46). Tolerance: v dt, one step's displacement without resistance, before the contact has an impulse.
function TestRolls.test_rolling_resistance_stops_balls_and_capsules_of_all_sizes_alike()
	local c, g, v = 0.05, 10, 1
	for _, hz in ipairs { 30, 60, 120 } do
		local world = d3.newWorld { gravity = { 0, -g, 0 } }
		world:newBody { type = "static", y = -0.5, shape = d3.box(100, 1, 100), friction = 0.6 }
		local bodies = {}
		for i, r in ipairs { 0.0125, 0.025, 0.05, 0.1, 0.4 } do
			for j, shape in ipairs { d3.sphere(r), d3.capsule(0, 0, -r, 0, 0, r, r) } do
				bodies[#bodies + 1] = { r = r, k = j == 1 and 0.4 or 0.46, body = world:newBody {
					y = r, z = 4 * (2 * i + j), shape = shape, friction = 0.6, rollingResistance = c,
					linearVelocity = { v, 0, 0 }, angularVelocity = { 0, 0, -v / r },
				} }
			end
		end
		for _ = 1, 4 * hz do world:step(1 / hz) end
		for _, b in ipairs(bodies) do
			lu.assertAlmostEquals(b.body:getPosition(), (1 + b.k) * v * v / (2 * c * g), v / hz, ("radius %g at %d Hz"):format(b.r, hz))
			lu.assertFalse(b.body:isAwake())
		end
	end
end

-- Rolling resistance acts against the rolling: its torque c r N is opposite to w, whatever the moments of inertia. The body is a ball with a long pole through
-- it that does not collide; on ice it rotates about an axis at 45 degrees to the pole. The change of its angular momentum is that of the torque. A torque along
-- I w (Box3D) would be off by 40 degrees: a ball that rolls along a light slab would be kept from rolling across it. Tolerance: gyroscopic rotation moves w by
-- (1 - Ix / Iz) w^2 t = 0.1 rad/s of 2.8, 2 degrees.
function TestRolls.test_rolling_resistance_opposes_rolling_for_any_moments()
	local g, c, r, w, t = 10, 0.02, 0.5, 2, 0.025
	for _, hz in ipairs { 120, 240, 480 } do
		local world = d3.newWorld { gravity = { 0, -g, 0 }, sleeping = false, layers = { "all", "none" }, collide = { all = { "all" }, none = {} } }
		world:newBody { type = "static", y = -0.5, shape = d3.box(20, 1, 20), friction = 0 }
		local body = world:newBody { y = r, shape = d3.sphere(r), density = 1000, friction = 0, rollingResistance = c }
		body:newCollider(d3.box(4, 0.05, 0.05), { density = 40000, layer = "none" })
		steps(world, 30)
		local ix, iy, iz = body:getInertia()
		lu.assertTrue(iz > 10 * ix, "the pole is long")
		body:setAngularVelocity(w, 0, w)
		for _ = 1, t * hz do world:step(1 / hz) end
		local wx, wy, wz = body:getLocalVector(body:getAngularVelocity())
		local lx, _, lz = body:getWorldVector(ix * wx, iy * wy, iz * wz)
		local torque, expected = { (lx - ix * w) / t, (lz - iz * w) / t }, -math.sqrt(0.5) * c * r * body:getMass() * g
		for i = 1, 2 do lu.assertAlmostEquals(torque[i], expected, math.rad(2) * math.abs(expected), ("%d Hz, %s"):format(hz, i == 1 and "x" or "z")) end
	end
end

-- Half a metre a step and 100 rad/s: the surfaces rotate within themselves, so no body is slowed, sinks in, or is thrown up. x = x0 + v t to 2 mm in 60 m, y to
-- a tenth of a slop.
function TestRolls.test_balls_and_wheels_roll_fast()
	for name, shape in pairs { ball = d3.sphere(0.3), wheel = d3.cylinder(0.3, 0.2) } do
		local world = d3.newWorld { gravity = { 0, -10, 0 } }
		world:newBody { type = "static", y = -1, shape = d3.box(4000, 2, 40) }
		local body = world:newBody {
			x = -100, y = 0.3, shape = shape, rotation = { math.sqrt(0.5), 0, 0, math.sqrt(0.5) }, linearVelocity = { 30, 0, 0 }, angularVelocity = { 0, 0, -100 },
		}
		for _ = 1, 120 do
			world:step(1 / 60)
			local _, y = body:getPosition()
			lu.assertAlmostEquals(y, 0.3, 5e-4, name)
		end
		lu.assertAlmostEquals((body:getPosition()), -40, 2e-3, name)
	end
end

-- Torsional friction stops a body that spins flat on the floor; it stays in place.
function TestRolls.test_a_spinning_box_comes_to_rest_in_place()
	local world = new_floor({ sleeping = false }, 0.5)
	local box = world:newBody { y = 0.25, shape = d3.box(1, 0.5, 1), friction = 0.5, angularVelocity = { 0, 5, 0 } }
	steps(world, 180)
	local _, wy = box:getAngularVelocity()
	lu.assertAlmostEquals(wy, 0, 1e-3)
	local x, y, z = box:getPosition()
	lu.assertTrue(length(x, y - 0.25, z) < 0.02, "it has gone " .. length(x, y - 0.25, z))
end

-- A belt carries a box, for any rotation of the belt and direction of its velocity, until both have the same speed; a box with a moving surface drives in the
-- opposite direction.
function TestRolls.test_belts_run_along_a_vector()
	for _, heading in ipairs { 0, 1, 2.5 } do
		local world = d3.newWorld { sleeping = false }
		local qx, qy, qz, qw = quaternion(0, 1, 0, 0.5)
		local belt = world:newBody { type = "static", y = -1, shape = d3.box(200, 2, 200), friction = 0.5, rotation = { qx, qy, qz, qw },
			tangentVelocity = { 2 * math.cos(heading), 0, 2 * math.sin(heading) } }
		local collider = belt:getColliders()[1]
		local x, y, z = belt:getWorldVector(collider:getTangentVelocity())
		local box = world:newBody { y = 0.5, shape = d3.box(1, 1, 1), friction = 0.5 }
		steps(world, 15)
		lu.assertAlmostEquals(length(box:getLinearVelocity()), 0.5 * G * 15 * DT, 0.05)
		steps(world, 60)
		local vx, vy, vz = box:getLinearVelocity()
		lu.assertTrue(length(vx - x, vy - y, vz - z) < 2e-3)
		-- With equal surface velocities of box and belt, the box is at rest.
		collider:setTangentVelocity(0, 0, 0)
		steps(world, 60)
		lu.assertTrue(length(box:getLinearVelocity()) < 1e-3)
		box:getColliders()[1]:setTangentVelocity(1, 0, 0)
		steps(world, 60)
		vx, vy, vz = box:getLocalVector(box:getLinearVelocity())
		lu.assertTrue(length(vx + 1, vy, vz) < 2e-3, "it drives")
	end
end

-- --- Resting ---------------------------------------------------------------------------------------------------------------

TestRests = {}

-- Twenty stacked boxes go to sleep. Each contact yields as its spring does under all boxes above it: the top sinks by the sum, 83 mm.
function TestRests.test_a_stack_of_twenty()
	local world = new_floor {}
	local boxes = {}
	for i = 1, 20 do boxes[i] = world:newBody { y = i - 0.5, shape = d3.box(1, 1, 1) } end
	steps(world, 60 * 8)
	for i, box in ipairs(boxes) do
		local x, y, z = box:getPosition()
		lu.assertTrue(math.abs(x) < 0.1 and math.abs(z) < 0.1, ("box %d is aside by %g, %g"):format(i, x, z))
		lu.assertTrue(math.abs(y - i + 0.5) < 0.085, ("box %d has sunk by %g"):format(i, i - 0.5 - y))
		lu.assertFalse(box:isAwake())
	end
	lu.assertEquals(world:getAwakeCount(), 0)
	world:validate()
end

-- Thirty boxes without sleeping do not buckle: with the weights' true lever arms the top is 4.6 m aside after ten seconds.
function TestRests.test_a_stack_does_not_buckle()
	local world = new_floor { sleeping = false }
	local boxes = {}
	for i = 1, 30 do boxes[i] = world:newBody { y = i - 0.5, shape = d3.box(1, 1, 1) } end
	for _ = 1, 20 do
		steps(world, 60)
		for i, box in ipairs(boxes) do
			local x, _, z = box:getPosition()
			lu.assertTrue(math.abs(x) < 0.1 and math.abs(z) < 0.1, ("box %d is aside by %g, %g"):format(i, x, z))
		end
	end
end

-- A stack that leans too far does fall: five boxes, each offset by a quarter of a box, so that the centre of the upper four is outside the lowest.
function TestRests.test_a_leaning_stack_falls()
	local world = new_floor {}
	local boxes = {}
	for i = 1, 5 do boxes[i] = world:newBody { x = 0.25 * i, y = i - 0.5, shape = d3.box(1, 1, 1) } end
	steps(world, 60 * 5)
	lu.assertTrue(select(2, boxes[5]:getPosition()) < 3)
end

-- A stack slides off a plate rotated about z beyond the slope that friction holds: contact directions follow bodies that rotate together.
function TestRests.test_a_tilting_plate_loses_its_stack()
	local world = new_floor {}
	local plate = world:newBody { type = "kinematic", y = 5, shape = d3.box(6, 0.2, 6), friction = 0.3 }
	local boxes = {}
	for i = 1, 3 do boxes[i] = world:newBody { y = 5.1 + i - 0.5, shape = d3.box(1, 1, 1), friction = 0.3 } end
	local angle = 0
	local function tilt(to, seconds)
		plate:setAngularVelocity(0, 0, (to - angle) / seconds)
		steps(world, math.floor(60 * seconds + 0.5))
		plate:setAngularVelocity(0, 0, 0)
		angle = to
	end
	tilt(0.8 * math.atan(0.3), 4)
	steps(world, 60)
	for i, box in ipairs(boxes) do
		local x, y = box:getPosition()
		local along = x * math.cos(angle) + (y - 5) * math.sin(angle)
		lu.assertTrue(math.abs(along) < 0.1, ("box %d has slid by %g"):format(i, along))
	end
	tilt(1.2 * math.atan(0.3), 2)
	steps(world, 60 * 3)
	for i, box in ipairs(boxes) do
		local x, y = box:getPosition()
		lu.assertTrue(x * math.cos(angle) + (y - 5) * math.sin(angle) < -1, ("box %d has not slid"):format(i))
	end
end

-- Smaller than the separation at which continuous collision stops fast bodies.
function TestRests.test_a_small_coin()
	for _, floor in ipairs { d3.box(20, 2, 20, { y = -1 }), d3.halfSpace(0, 1, 0, 0), d3.mesh({ -9, 0, -9, 9, 0, -9, 0, 0, 9 }, { 1, 3, 2 }) } do
		local world = d3.newWorld()
		world:newBody { type = "static", shape = floor }
		local coin = world:newBody { y = 1, shape = d3.cylinder(0.01, 0.002) }
		steps(world, 120)
		lu.assertFalse(coin:isAwake())
		lu.assertAlmostEquals(select(2, coin:getPosition()), 0.001, 2e-4)
	end
end

-- A box on its face rests on four points that carry its weight; on an edge or a corner it does not stay.
function TestRests.test_a_box_has_four_points()
	local world, floor = new_floor { sleeping = false }
	local box = world:newBody { y = 0.5, shape = d3.box(1, 1, 1) }
	steps(world, 120)
	local count, impulse = 0, 0
	for a, b, nx, ny, nz, x, y, z, separation, j in world:contacts() do
		count, impulse = count + 1, impulse + j
		lu.assertTrue(a:getBody() == floor and b:getBody() == box or a:getBody() == box and b:getBody() == floor)
		lu.assertAlmostEquals(math.abs(ny), 1, 1e-5)
		lu.assertTrue(math.abs(nx) < 1e-4 and math.abs(nz) < 1e-4)
		lu.assertAlmostEquals(math.abs(x), 0.5, 1e-3)
		lu.assertAlmostEquals(math.abs(z), 0.5, 1e-3)
		lu.assertAlmostEquals(y, 0, 5e-3)
		lu.assertTrue(separation > -5e-3 and separation < 5e-3)
		lu.assertAlmostEquals(j, G * DT / 4, 0.02 * G * DT)
	end
	lu.assertEquals(count, 4)
	lu.assertAlmostEquals(impulse, G * DT, 0.01 * G * DT)
	local tilted = world:newBody { x = 5, y = 1, shape = d3.box(1, 1, 1), rotation = { quaternion(0.6, 0, 0.8, 0.7) } }
	steps(world, 240)
	local _, y = tilted:getPosition()
	lu.assertAlmostEquals(y, 0.5, 5e-3)
end

-- Events have 3D points and normals.
function TestRests.test_events_of_a_fall()
	local world, floor = new_floor {}
	local ball = world:newBody { x = 3, y = 2, z = -4, shape = d3.sphere(0.5) }
	local begun, hit = 0, 0
	for _ = 1, 60 do
		world:step(DT)
		for a, b, nx, ny, nz, x, y, z in world:beginContacts() do
			begun = begun + 1
			lu.assertEquals({ a:getBody(), b:getBody() }, { floor, ball })
			lu.assertAlmostEquals(ny, 1, FLOAT)
			lu.assertTrue(math.abs(nx) < FLOAT and math.abs(nz) < FLOAT)
			near(x, 3)
			near(z, -4)
			lu.assertAlmostEquals(y, 0, 0.1)
		end
		for a, b, x, y, z, nx, ny, nz, speed in world:hits() do
			hit = hit + 1
			lu.assertEquals({ a:getBody(), b:getBody() }, { floor, ball })
			near(x, 3)
			near(z, -4)
			lu.assertAlmostEquals(y, 0, 0.1)
			lu.assertAlmostEquals(ny, 1, FLOAT)
			lu.assertTrue(math.abs(nx) < FLOAT and math.abs(nz) < FLOAT)
			lu.assertAlmostEquals(speed, math.sqrt(2 * G * 1.5), 0.2)
		end
		for body, x, y, z, qx, qy, qz, qw, fell_asleep in world:moved() do
			lu.assertIs(body, ball)
			lu.assertEquals({ x, y, z, qx, qy, qz, qw }, { ball:getTransform() })
			lu.assertFalse(fell_asleep)
		end
	end
	lu.assertEquals({ begun, hit }, { 1, 1 })
end

-- --- Surfaces --------------------------------------------------------------------------------------------------------------

TestSurfaces = {}

-- Two-sided and wavy: a body that hits it at 200 m/s rotates, and is soon deep in it on one side, but its centre stays on its own side. (Once in 100 throws the
-- flank of a surrounding wave sends it down; if the centre may come as near as 2 cm, once in 30.)
function TestSurfaces.test_few_thick_bodies_fall_through_a_wavy_mesh()
	local vertices, indices = {}, {}
	for k = -10, 10 do
		for i = -10, 10 do
			for _, v in ipairs { i, 0.3 * math.sin(2 * i) * math.cos(2 * k), k } do vertices[#vertices + 1] = v end
		end
	end
	for k = 0, 19 do
		for i = 1, 20 do
			local a = k * 21 + i
			for _, v in ipairs { a, a + 21, a + 22, a, a + 22, a + 1 } do indices[#indices + 1] = v end
		end
	end
	local mesh, number = d3.mesh(vertices, indices), random_numbers(11)
	local shapes = { d3.box(1, 1, 1), d3.box(1, 1, 1, { radius = 0.1 }), d3.cylinder(0.5, 1), d3.cone(0.5, 1) }
	local through = 0
	for k = 1, 300 do
		local world = empty_space()
		world:newBody { type = "static", shape = mesh }
		local body = world:newBody {
			shape = shapes[k % 4 + 1], position = { number(-2, 2), 5, number(-2, 2) }, rotation = { number(-1, 1), number(-1, 1), number(-1, 1), 1 },
			linearVelocity = { number(-50, 50), -200, number(-50, 50) }, angularVelocity = { number(-10, 10), number(-10, 10), number(-10, 10) },
		}
		steps(world, 20)
		if select(2, body:getCenter()) < -0.3 then through = through + 1 end
	end
	lu.assertTrue(through <= 3, through .. " of 300")
end

-- A body that hits the mesh between two steps may be deep beside a boundary edge, its centre on one side and the least translation slightly to the other: the
-- edge holds it.
function TestSurfaces.test_the_edge_of_a_single_triangle_holds_a_deep_capsule()
	local corners = { 0.630500465, -1.66999489, -1.50628593, 1.10625651, -1.06668283, -0.103712645, 0.53557275, 1.27588581, 1.06970172 }
	local capsule = d3.capsule(-0.611072600, 0, 0, 0, 0.424189985, 0, 0.210330278)
	local rotation = { -0.672148466, -0.586169779, -0.0676909536, 0.447257638 }
	for _, at in ipairs { { 1.29631999, -0.268735666, 0.622729892 }, { 1.20611929, -0.283548867, 0.511313713 } } do
		local depths = {}
		for _, floor in ipairs { d3.mesh(corners, { 1, 2, 3 }), d3.triangle((table.unpack or unpack)(corners)) } do
			local world = empty_space()
			world:newBody { type = "static", shape = floor }
			world:newBody { shape = capsule, position = at, rotation = rotation }
			world:step(1 / 60)
			for _, _, _, _, _, _, _, _, separation in world:contacts() do depths[#depths + 1] = separation end
		end
		lu.assertEquals(#depths, 2)
		lu.assertAlmostEquals(depths[1], depths[2], 1e-6)
	end
end

-- --- Poses -----------------------------------------------------------------------------------------------------------------

TestSpacePlaces = {}

-- v + 2 u x (u x v + w v), checked by another formula: the matrix of the quaternion.
function TestSpacePlaces.test_points_and_vectors()
	local number = random_numbers(73)
	local world = empty_space()
	for _, far in ipairs { 0, 1e6 } do
		for _ = 1, 30 do
			local x, y, z = far + number(-9, 9), number(-9, 9), number(-9, 9)
			local qx, qy, qz, qw = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
			local body = world:newBody { x = x, y = y, z = z, qx = qx, qy = qy, qz = qz, qw = qw, shape = d3.sphere(1, 1, 2, 3) }
			local n = math.sqrt(qx ^ 2 + qy ^ 2 + qz ^ 2 + qw ^ 2)
			local gx, gy, gz, gw = body:getRotation()
			near(gx, qx / n, 1)
			near(gw, qw / n, 1)
			qx, qy, qz, qw = gx, gy, gz, gw
			local px, py, pz = number(-5, 5), number(-5, 5), number(-5, 5)
			local vx = (1 - 2 * (qy * qy + qz * qz)) * px + 2 * (qx * qy - qw * qz) * py + 2 * (qx * qz + qw * qy) * pz
			local vy = 2 * (qx * qy + qw * qz) * px + (1 - 2 * (qx * qx + qz * qz)) * py + 2 * (qy * qz - qw * qx) * pz
			local vz = 2 * (qx * qz - qw * qy) * px + 2 * (qy * qz + qw * qx) * py + (1 - 2 * (qx * qx + qy * qy)) * pz
			local ax, ay, az = body:getWorldVector(px, py, pz)
			near(ax, vx, 9)
			near(ay, vy, 9)
			near(az, vz, 9)
			ax, ay, az = body:getLocalVector(ax, ay, az)
			near(ax, px, 9)
			near(ay, py, 9)
			near(az, pz, 9)
			ax, ay, az = body:getWorldPoint(px, py, pz)
			lu.assertTrue(length(ax - x - vx, ay - y - vy, az - z - vz) < 10 * FLOAT)
			ax, ay, az = body:getLocalPoint(ax, ay, az)
			lu.assertTrue(length(ax - px, ay - py, az - pz) < 10 * FLOAT)
		end
	end
end

-- v(p) = v + w x (p - c), and impulses at points change L by r x J.
function TestSpacePlaces.test_velocities_and_impulses_at_points()
	local number = random_numbers(74)
	local world = empty_space()
	for _ = 1, 30 do
		local body = world:newBody { x = number(-5, 5), rotation = { number(-1, 1), number(-1, 1), number(-1, 1), 1 }, shape = d3.box(1, 2, 3) }
		local vx, vy, vz, wx, wy, wz = number(-5, 5), number(-5, 5), number(-5, 5), number(-5, 5), number(-5, 5), number(-5, 5)
		body:setLinearVelocity(vx, vy, vz)
		body:setAngularVelocity(wx, wy, wz)
		local cx, cy, cz = body:getCenter()
		local px, py, pz = number(-5, 5), number(-5, 5), number(-5, 5)
		local rx, ry, rz = px - cx, py - cy, pz - cz
		local gx, gy, gz = body:getVelocityAt(px, py, pz)
		near(gx, vx + wy * rz - wz * ry, 100)
		near(gy, vy + wz * rx - wx * rz, 100)
		near(gz, vz + wx * ry - wy * rx, 100)
		local lx, ly, lz = body:getAngularMomentum()
		local jx, jy, jz = number(-5, 5), number(-5, 5), number(-5, 5)
		body:applyImpulse(jx, jy, jz, px, py, pz)
		local ux, uy, uz = body:getLinearVelocity()
		local m = body:getMass()
		near(ux, vx + jx / m, 10)
		near(uy, vy + jy / m, 10)
		near(uz, vz + jz / m, 10)
		local mx, my, mz = body:getAngularMomentum()
		near(mx - lx, ry * jz - rz * jy, 200)
		near(my - ly, rz * jx - rx * jz, 200)
		near(mz - lz, rx * jy - ry * jx, 200)
		body:destroy()
	end
end

-- The velocities that move a body there in one step, by the shorter rotation.
function TestSpacePlaces.test_moveTo_arrives_in_one_step()
	local number = random_numbers(75)
	for _, type in ipairs { "kinematic", "dynamic" } do
		local world = empty_space()
		world:setMaximumSpeed(1e4)
		local body = world:newBody { type = type, shape = d3.box(1, 1, 1, { x = 0.5 }) }
		for _ = 1, 30 do
			local x, y, z = number(-5, 5), number(-5, 5), number(-5, 5)
			local qx, qy, qz, qw = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
			local n = math.sqrt(qx ^ 2 + qy ^ 2 + qz ^ 2 + qw ^ 2)
			body:moveTo(x, y, z, qx, qy, qz, qw, DT)
			world:step(DT)
			local gx, gy, gz, rx, ry, rz, rw = body:getTransform()
			lu.assertTrue(length(gx - x, gy - y, gz - z) < 5e-5, type)
			-- A quaternion and its negative are the same rotation.
			local same = math.abs(rx * qx + ry * qy + rz * qz + rw * qw) / n
			lu.assertAlmostEquals(same, 1, 1e-6, type)
		end
	end
end

-- Each of the six locks keeps one component of the velocity at 0 and leaves the other five free.
function TestSpacePlaces.test_six_locks()
	for lock = 1, 6 do
		local world = empty_space { sleeping = false }
		local body = world:newBody { shape = d3.box(1, 1, 1) }
		local locks = {}
		for i = 1, 6 do locks[i] = i == lock end
		body:setLocks((table.unpack or unpack)(locks))
		lu.assertEquals({ body:getLocks() }, locks)
		body:applyImpulse(1, 2, 3)
		body:applyAngularImpulse(0.1, 0.2, 0.3)
		steps(world, 30, function()
			body:applyForce(1, 1, 1)
			body:applyTorque(0.1, 0.1, 0.1)
		end)
		local numbers = { body:getLinearVelocity() }
		for _, w in ipairs { body:getAngularVelocity() } do numbers[#numbers + 1] = w end
		for i, number in ipairs(numbers) do
			if i == lock then lu.assertEquals(number, 0) else lu.assertTrue(number > 0.1, ("lock %d, number %d: %g"):format(lock, i, number)) end
		end
		world:validate()
	end
	local body = empty_space():newBody { shape = d3.sphere(1), locks = { z = true, rotationX = true } }
	lu.assertEquals({ body:getLocks() }, { false, false, true, true, false, false })
end

-- --- Queries against the geometry without a world --------------------------------------------------------------------------

TestSpaceWorldQueries = {}

local function random_scene(seed, count)
	local number, pick = random_numbers(seed)
	local world = empty_space()
	local shapes = { d3.sphere(0.6), d3.box(1, 0.6, 1.4), d3.capsule(0.3, 1.4), d3.cylinder(0.4, 1), d3.cone(0.5, 1), d3.ellipsoid(0.3, 0.5, 0.8),
		d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }, d3.compound { { shape = d3.sphere(0.3), pose = d3.pose(0.5, 0, 0) }, { shape = d3.box(0.4, 0.4, 0.4) } } }
	local placed = {}
	for i = 1, count do
		local x, y, z, qx, qy, qz, qw = number(-3, 3), number(-3, 3), number(-3, 3), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
		local shape = shapes[pick(#shapes)]
		local body = world:newBody { type = i % 2 == 0 and "static" or "dynamic", position = { x, y, z }, rotation = { qx, qy, qz, qw }, shape = shape }
		placed[i] = { shape = shape, pose = d3.pose(body:getTransform()), collider = body:getColliders()[1] }
	end
	return world, placed, number, shapes, pick
end

function TestSpaceWorldQueries.test_rays()
	local world, placed, number = random_scene(76, 80)
	local found = 0
	for _ = 1, 300 do
		local from, to = { number(-4, 4), number(-4, 4), number(-4, 4) }, { number(-4, 4), number(-4, 4), number(-4, 4) }
		local hits = {}
		for _, hit in ipairs(world:raycastAll(from[1], from[2], from[3], to[1], to[2], to[3])) do hits[hit.collider] = hit end
		local best, first = math.huge, nil
		for _, each in ipairs(placed) do
			local t, x, y, z, nx, ny, nz = d3.raycast(each.shape, each.pose, from[1], from[2], from[3], to[1], to[2], to[3])
			local hit = hits[each.collider]
			lu.assertEquals(hit ~= nil, t ~= nil)
			if t then
				found = found + 1
				lu.assertAlmostEquals(hit.fraction, t, 1e-6)
				lu.assertTrue(length(hit.x - x, hit.y - y, hit.z - z) < 1e-4)
				lu.assertTrue(length(hit.nx - nx, hit.ny - ny, hit.nz - nz) < 1e-4)
				if t < best then best, first = t, each.collider end
			end
		end
		local collider, _, _, _, _, _, _, fraction = world:raycast(from[1], from[2], from[3], to[1], to[2], to[3])
		lu.assertEquals(collider, first)
		if first then lu.assertAlmostEquals(fraction, best, 1e-6) end
		lu.assertEquals(world:raycastAny(from[1], from[2], from[3], to[1], to[2], to[3]), first ~= nil)
	end
	lu.assertTrue(found > 100)
end

function TestSpaceWorldQueries.test_overlaps()
	local world, placed, number, shapes, pick = random_scene(77, 80)
	local found = 0
	for _ = 1, 60 do
		local shape, pose = shapes[pick(#shapes)], d3.pose(number(-3, 3), number(-3, 3), number(-3, 3), number(-1, 1), number(-1, 1), number(-1, 1), 1)
		local listed = {}
		for _, collider in ipairs(world:overlapShape(shape, pose)) do listed[collider] = true end
		local x, y, z = number(-5, 5), number(-5, 5), number(-5, 5)
		local boxed = {}
		for _, collider in ipairs(world:overlapBox(x, y, z, x + 1, y + 2, z + 1.5)) do boxed[collider] = true end
		for _, each in ipairs(placed) do
			local distance = d3.distance(shape, pose, each.shape, each.pose)
			if math.abs(distance) > 1e-5 then lu.assertEquals(listed[each.collider] or false, distance < 0, each.shape:getType()) end
			distance = d3.distance(d3.box(1, 2, 1.5), d3.pose(x + 0.5, y + 1, z + 0.75), each.shape, each.pose)
			if math.abs(distance) > 1e-5 then lu.assertEquals(boxed[each.collider] or false, distance < 0, each.shape:getType()) end
			if listed[each.collider] then found = found + 1 end
		end
	end
	lu.assertTrue(found > 50)
end

function TestSpaceWorldQueries.test_of_one_collider()
	local world, placed, number = random_scene(78, 20)
	for _, each in ipairs(placed) do
		lu.assertEquals({ each.collider:getBox() }, { each.shape:getBox(each.pose) })
		for _ = 1, 20 do
			local x, y, z = number(-6, 6), number(-6, 6), number(-6, 6)
			lu.assertEquals(each.collider:containsPoint(x, y, z), d3.containsPoint(each.shape, each.pose, x, y, z))
		end
		local px, py, pz = each.collider:getBody():getPosition()
		local x, y, z, nx, ny, nz, fraction = each.collider:raycast(px - 9, py, pz, px + 9, py, pz)
		local t, tx, ty, tz = d3.raycast(each.shape, each.pose, px - 9, py, pz, px + 9, py, pz)
		lu.assertEquals(x ~= nil, t ~= nil)
		if t then
			lu.assertEquals({ x, y, z }, { tx, ty, tz })
			lu.assertAlmostEquals(fraction, t, 1e-7)
			lu.assertAlmostEquals(length(nx, ny, nz), 1, 1e-6)
		end
	end
	world:validate()
end

-- --- Both dimensions beside each other -------------------------------------------------------------------------------------

TestTwoDimensions = {}

local function raises(message, f, ...)
	local ok, err = pcall(f, ...)
	lu.assertFalse(ok, "must raise: " .. message)
	lu.assertStrContains(tostring(err), message)
end

-- Objects of 2D are refused by functions of 3D, and vice versa.
function TestTwoDimensions.test_do_not_mix()
	local plane, space = d2.newWorld(), d3.newWorld()
	local flat, solid = plane:newBody { shape = d2.circle(1) }, space:newBody { shape = d3.sphere(1) }
	local face, skin = flat:getColliders()[1], solid:getColliders()[1]
	raises("newBody: shape must be a 3D shape, got a 2D shape", space.newBody, space, { shape = d2.circle(1) })
	raises("newBody: shape must be a 2D shape, got a 3D shape", plane.newBody, plane, { shape = d3.sphere(1) })
	raises("newCollider: shape must be a 3D shape, got a 2D shape", solid.newCollider, solid, d2.circle(1))
	raises("setShape: shape must be a 3D shape, got a 2D shape", skin.setShape, skin, d2.circle(1))
	raises("overlapShape: shape must be a 3D shape", space.overlapShape, space, d2.circle(1))
	raises("overlapShape: pose must be a 3D pose or nil", space.overlapShape, space, d3.sphere(1), d2.pose(0, 0))
	raises("getPosition: expected a 3D body, got a body; methods are called with ':'", solid.getPosition, flat)
	raises("getPosition: expected a body, got a 3D body; methods are called with ':'", flat.getPosition, solid)
	raises("getGravity: expected a 3D world, got a world;", space.getGravity, plane)
	raises("setGravity: expected a world, got a 3D world;", plane.setGravity, space, 0, 0)
	raises("getBox: expected a 3D collider, got a collider;", skin.getBox, face)
	raises("getBox: expected a collider, got a 3D collider;", face.getBox, skin)
	raises("newRevoluteJoint: expected a world, got a 3D world;", plane.newRevoluteJoint, space, {})
	-- Shared functions work on both.
	lu.assertEquals(flat.getMass(solid), solid:getMass())
	lu.assertEquals(solid.getType(flat), "dynamic")
	lu.assertEquals(space.getBodyCount(plane), 1)
	plane.step(space, DT)
	lu.assertEquals(space:getTick(), 1)
	raises("getMass: expected a body, got a 3D collider", solid.getMass, skin)
end

function TestTwoDimensions.test_identity_data_and_names()
	local space = d3.newWorld { data = nil }
	local body = space:newBody { shape = d3.sphere(1), name = "globe", data = { 1 } }
	local collider = body:getColliders()[1]
	lu.assertEquals({ tostring(space), tostring(body), tostring(collider) }, { "world (1 bodies)", 'body 0 "globe"', "collider 0" })
	lu.assertIs(collider:getBody(), body)
	lu.assertIs(body:getWorld(), space)
	lu.assertIs(space:getBodies()[1], body)
	lu.assertIs((space:raycast(-5, 0, 0, 5, 0, 0)), collider)
	for _, object in ipairs { space, body, collider } do
		for _, value in ipairs { "text", {}, print, object, false } do
			object.data = value
			lu.assertIs(object.data, value)
			lu.assertTrue(object:isValid())
		end
		object.data = nil
		lu.assertNil(object.data)
		raises('no field "dat" to assign', function() object.dat = 1 end)
	end
	body:destroy()
	lu.assertFalse(body:isValid() or collider:isValid())
	raises('getMass: body is destroyed (it was body 0 "globe")', body.getMass, body)
	space:destroy()
	raises("step: world is destroyed", space.step, space, DT)
end

-- --- Errors have the argument's name and value -----------------------------------------------------------------------------

TestSpaceWorldErrors = {}

local nan, inf = 0 / 0, math.huge
local ball = d3.sphere(1)
local rows = {
	worlds = {
		{ "newWorld: gravity must be a list {x, y, z}, got a table", function() d3.newWorld { gravity = { 0, -10 } } end },
		{ "newWorld: gravity[3] must be a finite number, got nan", function() d3.newWorld { gravity = { 0, 0, nan } } end },
		{ "newWorld: unknown key 'gravitiy', did you mean 'gravity'?", function() d3.newWorld { gravitiy = {} } end },
		{ "setGravity: z must be a finite number, got nothing", function(world) world:setGravity(0, 0) end },
		{ "raycast: z1 must be a finite number, got inf", function(world) world:raycast(0, 0, inf, 0, 0, 0) end },
		{ "raycast: x2 must be a finite number, got nothing", function(world) world:raycast(0, 0, 0) end },
		{ "raycastAll: unknown key 'layer', did you mean 'layers'?", function(world) world:raycastAll(0, 0, 0, 1, 1, 1, { layer = {} }) end },
		{ "overlapBox: options must be a table, got 7", function(world) world:overlapBox(0, 0, 0, 1, 1, 1, 7) end },
		{ "overlapShape: shape must be a shape, got nothing", function(world) world:overlapShape() end },
		{ "draw: view must be a list {x1, y1, z1, x2, y2, z2}, got a table", function(world) world:draw({}, { view = { 0, 0, 1, 1 } }) end },
		{ "draw: view[6] must be at least z1, got -1", function(world) world:draw({}, { view = { 0, 0, 0, 1, 1, -1 } }) end },
	},
	newBody = {
		{ "newBody: axis and angle must be given together", function(world) world:newBody { angle = 1 } end },
		{ "newBody: unknown key 'rotatoin', did you mean 'rotation'?", function(world) world:newBody { rotatoin = {} } end },
		{ "newBody: z must be a finite number, got \"1\"", function(world) world:newBody { z = "1" } end },
		{ "newBody: position and x, y, z must not both be given", function(world) world:newBody { z = 1, position = { 0, 0, 0 } } end },
		{ "newBody: position must be a list {x, y, z}, got a table", function(world) world:newBody { position = { 1, 2 } } end },
		{ "newBody: rotation must be a list {qx, qy, qz, qw}, got a table", function(world) world:newBody { rotation = { 0, 0, 1 } } end },
		{ "newBody: rotation[4] must be a finite number, got nan", function(world) world:newBody { rotation = { 0, 0, 1, nan } } end },
		{ "newBody: the quaternion qx, qy, qz, qw must not be zero", function(world) world:newBody { rotation = { 0, 0, 0, 0 } } end },
		{ "newBody: qx, qy, qz and qw must be given together", function(world) world:newBody { qx = 1 } end },
		{ "newBody: only one of rotation, of qx, qy, qz, qw, and of axis with angle may be given", function(world) world:newBody { qw = 1, rotation = { 0, 0, 0, 1 } } end },
		{ "newBody: angularVelocity must be a list {x, y, z}, got 3", function(world) world:newBody { angularVelocity = 3 } end },
		{ "newBody: linearVelocity[3] must be between", function(world) world:newBody { linearVelocity = { 0, 0, 1e30 } } end },
		{ "newBody: inertia must be a list {xx, yy, zz, xy, xz, yz}, got 1", function(world) world:newBody { inertia = 1 } end },
		{ "newBody: inertia must be positive definite or all zero", function(world) world:newBody { inertia = { 1, 1, 1, 2, 0, 0 } } end },
		{ "newBody: inertia must be positive definite or all zero", function(world) world:newBody { inertia = { 1, 0, 1, 0, 0, 0 } } end },
		{ "newBody: inertia must be that of some mass, with no moment above the sum of the two others, got 1",
			function(world) world:newBody { inertia = { 1, 1, 3, 0, 0, 0 } } end },
		-- 3, 1, 1 about axes halfway between x and y.
		{ "newBody: inertia must be that of some mass", function(world) world:newBody { inertia = { 2, 2, 1, 1, 0, 0 } } end },
		{ "newBody: inertia must be a list {xx, yy, zz, xy, xz, yz}, got a table", function(world) world:newBody { inertia = { 1, 1, 1, 0, 0 } } end },
		{ "newBody: inertia must be a list {xx, yy, zz, xy, xz, yz}, got a table", function(world) world:newBody { inertia = { 1, 1, 1, 0, 0, 0, 0 } } end },
		{ "newBody: inertia[3] must be a finite number, got nan", function(world) world:newBody { inertia = { 1, 1, nan, 0, 0, 0 } } end },
		{ "newBody: inertia must be positive definite or all zero, got -1", function(world) world:newBody { inertia = { -1, 1, 1, 0, 0, 0 } } end },
		{ "newBody: center must be a list {x, y, z}", function(world) world:newBody { center = { 0, 0 } } end },
		{ "newBody: locks must be a table {x =, y =, z =, rotationX =, rotationY =, rotationZ =}, got true",
			function(world) world:newBody { locks = true } end },
		{ "unknown key 'rotation', did you mean 'rotationX'?", function(world) world:newBody { locks = { rotation = true } } end },
		{ "newBody: unknown key 'tangentSpeed'", function(world) world:newBody { shape = ball, tangentSpeed = 1 } end },
		{ "newBody: tangentVelocity must be a list {x, y, z}, got 1", function(world) world:newBody { shape = ball, tangentVelocity = 1 } end },
		{ "newBody: shapes[2].shape is missing", function(world) world:newBody { shapes = { { shape = ball }, {} } } end },
		{ "newBody: shapes[1].tangentVelocity must be a list", function(world) world:newBody { shapes = { { shape = ball, tangentVelocity = 2 } } } end },
	},
	bodies = {
		{ "setPosition: z must be a finite number, got nothing", function(_, body) body:setPosition(0, 0) end },
		{ "setRotation: qw must be a finite number, got nothing", function(_, body) body:setRotation(0, 0, 0) end },
		{ "setRotation: the quaternion qx, qy, qz, qw must not be zero", function(_, body) body:setRotation(0, 0, 0, 0) end },
		{ "setTransform: qx must be a finite number, got nothing", function(_, body) body:setTransform(0, 0, 0) end },
		{ "setLinearVelocity: z must be between -1e+09 and 1e+09, got 1e+20", function(_, body) body:setLinearVelocity(0, 0, 1e20) end },
		{ "setAngularVelocity: y must be a finite number, got nothing", function(_, body) body:setAngularVelocity(1) end },
		{ "applyForce: fz must be a finite number, got \"1\"", function(_, body) body:applyForce(0, 0, "1") end },
		{ "applyForce: z must be a finite number, got nothing", function(_, body) body:applyForce(1, 0, 0, 2, 2) end },
		{ "applyTorque: ty must be a finite number, got nothing", function(_, body) body:applyTorque(1) end },
		{ "applyImpulse: iz must be a finite number, got nothing", function(_, body) body:applyImpulse(1, 1) end },
		{ "applyAngularImpulse: ix must be a finite number, got nan", function(_, body) body:applyAngularImpulse(nan, 0, 0) end },
		{ "setMassData: cz must be a finite number, got nothing", function(_, body) body:setMassData(1, 0, 0) end },
		{ "setMassData: inertia must be positive definite or all zero, got 1", function(_, body) body:setMassData(1, 0, 0, 0, 1, 1, -1, 0, 0, 0) end },
		{ "setMassData: inertia must be that of some mass", function(_, body) body:setMassData(1, 0, 0, 0, 1, 1, 2.1, 0, 0, 0) end },
		{ "setMassData: izz must be a finite number, got nan", function(_, body) body:setMassData(1, 0, 0, 0, 1, 1, nan, 0, 0, 0) end },
		{ "setLocks: rotationZ must be true or false, got nothing", function(_, body) body:setLocks(true, false, false, true, false) end },
		{ "moveTo: dt must be > 0, got 0", function(_, body) body:moveTo(0, 0, 0, 0, 0, 0, 1, 0) end },
		{ "moveTo: that would take a speed of", function(_, body) body:moveTo(0, 0, 1e15, 0, 0, 0, 1, 0.1) end },
		{ "getWorldPoint: z must be a finite number, got nothing", function(_, body) body:getWorldPoint(0, 0) end },
		{ "getPosition: expected a 3D body, got nothing; methods are called with ':'", function(_, body) body.getPosition() end },
		{ "setTangentVelocity: y must be a finite number, got nothing", function(_, _, collider) collider:setTangentVelocity(1) end },
		{ "containsPoint: z must be a finite number, got nothing", function(_, _, collider) collider:containsPoint(0, 0) end },
		{ "raycast: z2 must be a finite number, got nothing", function(_, _, collider) collider:raycast(0, 0, 0, 1, 1) end },
	},
}

for name, list in pairs(rows) do
	TestSpaceWorldErrors["test_bad_input_of_" .. name] = function()
		local world = d3.newWorld()
		local body = world:newBody { shape = ball }
		local collider, hash = body:getColliders()[1], world:hash()
		for _, row in ipairs(list) do
			raises(row[1], row[2], world, body, collider)
			world:validate()
		end
		lu.assertEquals({ world:getBodyCount(), world:hash() }, { 1, hash })
	end
end

function TestSpaceWorldErrors.test_too_strong_an_impulse()
	local dust = d3.newWorld():newBody { shape = d3.sphere(1e-3), density = 1e-9 }
	raises("applyImpulse: too strong for so light a body", dust.applyImpulse, dust, 1e18, 0, 0)
	raises("applyForce: too strong for so light a body", dust.applyForce, dust, 0, 0, 1e18)
	raises("applyTorque: too strong for so light a body", dust.applyTorque, dust, 0, 1e18, 0)
	raises("applyAngularImpulse: too strong for so light a body", dust.applyAngularImpulse, dust, 1e18, 0, 0)
end

-- Accepted extremes stay finite: the limits of all ranges together.
function TestSpaceWorldErrors.test_extremes_stay_finite()
	for _, size in ipairs { 1e-6, 1, 1e7 } do
		for _, density in ipairs { 1e-9, 1, 1e7 } do
			local world = d3.newWorld { gravity = { 0, -1e9, 1e9 }, maximumSpeed = 1e9 }
			world:newBody { shape = d3.box(size, size, size), density = density, linearVelocity = { 1e9, -1e9, 1e9 },
				angularVelocity = { 1e9, 1e9, -1e9 }, restitution = 1e6, friction = 1e6 }
			world:newBody { x = 0.6 * size, shape = d3.sphere(size), density = density, linearVelocity = { -1e9, 1e9, 0 } }
			world:newBody { type = "static", y = -size, shape = d3.box(size, size, size) }
			for _ = 1, 10 do
				world:step(DT)
				for _, each in ipairs(world:getBodies()) do
					local sum = 0
					for _, numbers in ipairs { { each:getTransform() }, { each:getLinearVelocity() }, { each:getAngularVelocity() } } do
						for _, number in ipairs(numbers) do sum = sum + number end
					end
					lu.assertTrue(sum == sum and math.abs(sum) < 1e300)
				end
				world:validate()
			end
		end
	end
end

-- --- Garbage ---------------------------------------------------------------------------------------------------------------

TestSpaceWorldGarbage = {}

function TestSpaceWorldGarbage.test_getters_setters_steps_and_loops_make_none()
	local world = new_floor {}
	for i = 1, 10 do world:newBody { x = 1.5 * i, y = 1 + i % 3, shape = d3.box(1, 1, 1), sleepingAllowed = false, data = i } end
	world:newBody { type = "static", y = 2, shape = d3.box(10, 4, 10), sensor = true }
	local body = world:newBody { y = 4, shape = d3.sphere(0.5), sleepingAllowed = false }
	local collider, target, events = body:getColliders()[1], {}, 0
	local function seen() events = events + 1 end
	for _, name in ipairs { "solidPolygon", "polygon", "solidCircle", "circle", "segment", "point" } do target[name] = seen end
	local options = { contacts = true, boxes = true, velocities = true, islands = true, centers = true }
	lu.assertEquals(support.bytes_of(100, function()
		body:getPosition() body:getRotation() body:getTransform() body:getLinearVelocity() body:getAngularVelocity()
		body:getVelocityAt(1, 2, 3) body:getInertia() body:getCenter() body:getLocalCenter() body:getLocks() body:getAngularMomentum()
		body:getWorldPoint(1, 2, 3) body:getLocalPoint(1, 2, 3) body:getKineticEnergy()
		body:setTransform(0, 4, 0, 0, 0, 0, 1) body:setLinearVelocity(0, -9, 1) body:setAngularVelocity(1, 2, 3)
		body:applyForce(1, 2, 3) body:applyForce(1, 2, 3, 0, 4, 0) body:applyTorque(1, 2, 3) body:applyImpulse(0.1, 0, 0)
		collider:getBox() collider:containsPoint(0, 8, 0) collider:raycast(0, 10, 0, 0, 0, 0) collider:setTangentVelocity(0, 0, 0)
		world:raycast(0, 10, 0, 0, -10, 0) world:raycastAny(0, 10, 0, 0, -10, 0) world:getGravity() world:setGravity(0, -10, 0)
		world:step(DT)
		for _ in world:beginContacts() do seen() end
		for _ in world:endContacts() do seen() end
		for _ in world:hits() do seen() end
		for _ in world:beginOverlaps() do seen() end
		for _ in world:moved() do seen() end
		for _ in world:contacts() do seen() end
		world:draw(target, options)
	end), 0)
	lu.assertTrue(events > 10000)
end
