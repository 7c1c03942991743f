-- Laws of motion without contacts: integration, damping, forces, impulses, kinematic and static bodies.
--
-- The engine integrates by semi-implicit Euler in s sub-steps of h = dt / s: v += h a, then x += h v. Velocities and the displacement within a step are floats
-- with a relative rounding error of e = 2^-24 = 6.0e-8. A sum of n equal terms has an error of at most n e, and far less as positions are doubles: only errors
-- within a step add up. FLOAT = 1e-5 allows for 160 roundings in a row.
local lu, collide = require "luaunit", require "collide"

local FLOAT = 1e-5

local wings = require("support").wings

local function near(actual, expected, scale, what)
	lu.assertAlmostEquals(actual, expected, FLOAT * (scale or math.abs(expected)), what)
end

local function steps(world, count, dt, before)
	for i = 1, count do
		if before then before(i) end
		world:step(dt)
	end
end

TestFreeFall, TestUnits = {}, {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	-- Speeds up to 1e-14 have no effect, and end. Slow ones above it stay.
	TestFreeFall["test_" .. dim .. "_negligible_speeds_end"] = function()
		for _, speed in ipairs { 1e-20, 1e-15, -1e-15, 1e-13, -1e-13 } do
			local world = d.newWorld { gravity = wing.vector(0, 0) }
			local ball = world:newBody { shape = wing.ball(d, 0.5), linearVelocity = wing.vector(speed, 0), sleepingAllowed = false }
			steps(world, 3, 1 / 60)
			if math.abs(speed) > 1e-14 then near(ball:getLinearVelocity(), speed) else lu.assertEquals(ball:getLinearVelocity(), 0) end
		end
	end

	-- Masses scaled by a power of two change no bit of a motion, down to the least mass, 1e-15: impulses scale with them, and the least
	-- impulse that counts gives the least speed that counts to the lightest body.
	TestUnits["test_" .. dim .. "_a_tower_does_not_depend_on_the_unit_of_mass"] = function()
		local tops = {}
		for i, mass in ipairs { 1, 2 ^ 30, 2 ^ -20, 2 ^ -49 } do
			local world = d.newWorld { gravity = wing.vector(0, -10) }
			world:newBody { type = "static", shape = wing.cube(d, 10), y = -5 }
			local top
			for k = 1, 10 do top = world:newBody { shape = wing.cube(d, 1), mass = mass, x = 0.02 * (k % 3), y = 1.01 * k - 0.5 } end
			steps(world, 200, 1 / 60)
			tops[i] = { top:getPosition() }
			lu.assertEquals(tops[i], tops[1])
		end
	end

	-- y = -g h^2 n (n + 1) / 2 after n sub-steps: the continuous -g t^2 / 2, and half a sub-step's fall more.
	TestFreeFall["test_" .. dim .. "_falls_by_the_integrators_own_law"] = function()
		local g, dt, count = 10, 1 / 60, 60
		for _, substeps in ipairs { 1, 2, 4, 8 } do
			local world = d.newWorld { gravity = wing.vector(0, -g), substeps = substeps }
			local ball = world:newBody { shape = wing.ball(d, 0.5) }
			steps(world, count, dt)
			local h, n = dt / substeps, count * substeps
			local x, y = ball:getPosition()
			local vx, vy = ball:getLinearVelocity()
			near(y, -g * h * h * n * (n + 1) / 2)
			near(vy, -g * h * n)
			lu.assertEquals(x, 0)
			lu.assertEquals(vx, 0)
		end
	end

	TestFreeFall["test_" .. dim .. "_does_not_depend_on_mass_size_or_spin"] = function()
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local bodies = {}
		for i, density in ipairs { 1e-3, 1, 1e4 } do
			bodies[#bodies + 1] = world:newBody { x = 100 * i, shape = wing.ball(d, 0.5), density = density }
			bodies[#bodies + 1] = world:newBody { x = 100 * i + 30, shape = wing.cube(d, 0.01), density = density }
			bodies[#bodies + 1] = world:newBody { x = 100 * i + 60, shape = wing.cube(d, 20), density = density }
		end
		if dim == "d2" then
			for i, body in ipairs(bodies) do body:setAngularVelocity(i) end
		end
		steps(world, 60, 1 / 60)
		local _, first = bodies[1]:getPosition()
		for _, body in ipairs(bodies) do
			local _, y = body:getPosition()
			near(y, first)
		end
	end

	TestFreeFall["test_" .. dim .. "_scales_with_gravityScale"] = function()
		local world = d.newWorld { gravity = wing.vector(3, -10) }
		local one = world:newBody { shape = wing.ball(d, 0.5) }
		local none = world:newBody { x = 10, shape = wing.ball(d, 0.5), gravityScale = 0 }
		local back = world:newBody { x = 20, shape = wing.ball(d, 0.5), gravityScale = -2 }
		steps(world, 30, 1 / 60)
		local vx, vy = one:getLinearVelocity()
		near(vx, 1.5)
		near(vy, -5)
		local nx, ny = none:getPosition()
		lu.assertEquals({ nx, ny }, { 10, 0 })
		local bx, by = back:getLinearVelocity()
		near(bx, -3)
		near(by, 10)
	end
end

TestProjectile = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	-- One sub-step of 1/60: x = (20, 20 - g h^2 n (n + 1) / 2) = (20, -1/6); the apex is where v = 0, at 10 t - 5 t (t + h) for t = 1.
	TestProjectile["test_" .. dim .. "_flies_the_discrete_parabola"] = function()
		local world = d.newWorld { gravity = wing.vector(0, -10), substeps = 1 }
		local ball = world:newBody { shape = wing.ball(d, 0.1), linearVelocity = wing.vector(10, 10) }
		local highest, at = -math.huge, 0
		for i = 1, 120 do
			world:step(1 / 60)
			local _, y = ball:getPosition()
			if y > highest then highest, at = y, i end
			lu.assertEquals((ball:getLinearVelocity()), 10)
		end
		local x, y = ball:getPosition()
		near(x, 20)
		near(y, -1 / 6, 20)
		near(highest, 4.916666666666667)
		lu.assertTrue(at == 59 or at == 60)
	end

	-- Without forces the path is straight, whatever the spin, and speed and spin stay the same to the bit.
	TestProjectile["test_" .. dim .. "_keeps_velocity_without_forces"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0) }
		local body = world:newBody { shape = wing.cube(d, 1), linearVelocity = wing.vector(3.7, -1.3) }
		if dim == "d2" then body:setAngularVelocity(2.9) end
		local vx, vy = body:getLinearVelocity()
		steps(world, 600, 1 / 60)
		local x, y = body:getPosition()
		local ux, uy = body:getLinearVelocity()
		near(x, 37)
		near(y, -13)
		lu.assertEquals({ ux, uy }, { vx, vy })
		if dim == "d2" then
			local w = body:getAngularVelocity()
			lu.assertAlmostEquals(w, 2.9, 2.9e-7)
			-- 2,400 rotations by h w, each rounded to 2^-24 in both components: at worst 2400 * 2^-24 = 1.4e-4 rad.
			local off = (body:getAngle() - 29 + math.pi) % (2 * math.pi) - math.pi
			lu.assertAlmostEquals(off, 0, 1.4e-4)
		end
	end

	-- maximumSpeed limits the speed and keeps the direction.
	TestProjectile["test_" .. dim .. "_is_never_faster_than_maximumSpeed"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0), maximumSpeed = 50 }
		local body = world:newBody { shape = wing.ball(d, 0.5), linearVelocity = wing.vector(300, 400) }
		steps(world, 60, 1 / 60)
		local vx, vy = body:getLinearVelocity()
		near(vx, 30)
		near(vy, 40)
		local x, y = body:getPosition()
		near(x, 30)
		near(y, 40)
	end
end

TestDamping = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	-- Implicit damping: v_n = v_0 (1 + c h)^-n, and the displacement is the sum of h v_k: (1 - v_n) / c as h (q + .. + q^n) = (1 - q^n) / c. Rounding: 480
	-- products by a factor that is itself rounded, 2 * 480 * 2^-24 = 5.7e-5.
	TestDamping["test_" .. dim .. "_is_implicit_in_every_sub_step"] = function()
		local c, dt, count, float = 0.5, 1 / 60, 120, 5.7e-5
		for _, substeps in ipairs { 1, 4 } do
			local world = d.newWorld { gravity = wing.vector(0, 0), substeps = substeps }
			local body = world:newBody { shape = wing.ball(d, 0.5), linearVelocity = wing.vector(1, 0), linearDamping = c }
			if dim == "d2" then
				body:setAngularDamping(c)
				body:setAngularVelocity(1)
			end
			steps(world, count, dt)
			local n, h = count * substeps, dt / substeps
			local left = (1 + c * h) ^ -n
			local v, x = body:getLinearVelocity(), body:getPosition()
			lu.assertAlmostEquals(v, left, float * left)
			lu.assertAlmostEquals(v, math.exp(-c * dt * count), 0.005 * left)
			lu.assertAlmostEquals(x, (1 - left) / c, float)
			if dim == "d2" then
				lu.assertAlmostEquals(body:getAngularVelocity(), left, float * left)
				lu.assertAlmostEquals(body:getAngle(), (1 - left) / c, 1.4e-4)
			end
		end
	end

	-- However strong, implicit damping never reverses the motion.
	TestDamping["test_" .. dim .. "_never_overshoots"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0) }
		local body = world:newBody { shape = wing.ball(d, 0.5), linearVelocity = wing.vector(1, 0), linearDamping = 1e6, sleepingAllowed = false }
		local last = 1
		for _ = 1, 10 do
			world:step(1 / 60)
			local v = body:getLinearVelocity()
			lu.assertTrue(v >= 0 and v <= last)
			last = v
		end
	end
end

TestForces = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	local function free(options)
		local world = d.newWorld { gravity = wing.vector(0, 0), sleeping = false }
		options = options or {}
		options.shape = options.shape or wing.cube(d, 1)
		options.density = options.density or 2
		return world, world:newBody(options)
	end

	TestForces["test_" .. dim .. "_constant_force_gives_v_is_F_t_over_m"] = function()
		local world, body = free()
		local dt, count, fx, fy = 1 / 60, 90, 3, -4
		steps(world, count, dt, function() body:applyForce(wing.numbers(fx, fy)) end)
		local m, h, n = body:getMass(), dt / 4, 4 * count
		near(m, 2)
		local vx, vy = body:getLinearVelocity()
		near(vx, fx * h * n / m)
		near(vy, fy * h * n / m)
		local x, y = body:getPosition()
		near(x, fx * h * h * n * (n + 1) / (2 * m))
		near(y, fy * h * h * n * (n + 1) / (2 * m))
	end

	TestForces["test_" .. dim .. "_a_force_lasts_for_one_step"] = function()
		local world, body = free()
		body:applyForce(wing.numbers(60, 0))
		steps(world, 5, 1 / 60)
		near((body:getLinearVelocity()), 60 / 60 / 2)
	end

	TestForces["test_" .. dim .. "_forces_of_a_step_add_up"] = function()
		local world, body = free()
		for _ = 1, 6 do body:applyForce(wing.numbers(10, 5)) end
		body:applyForce(wing.numbers(0, -30))
		world:step(1 / 60)
		local vx, vy = body:getLinearVelocity()
		near(vx, 0.5)
		near(vy, 0, 0.5)
	end

	TestForces["test_" .. dim .. "_impulse_at_the_centre_gives_v_is_J_over_m"] = function()
		local _, body = free()
		body:applyImpulse(wing.numbers(3, -1))
		local vx, vy = body:getLinearVelocity()
		near(vx, 1.5)
		near(vy, -0.5)
	end
end

-- In 2D the angular momentum is one number.
function TestForces.test_d2_torque_gives_w_is_T_t_over_I()
	local world = collide.d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { shape = collide.d2.box(2, 1), density = 3 }
	local inertia = body:getInertia()
	near(inertia, 3 * 2 * 1 * (2 * 2 + 1 * 1) / 12)
	steps(world, 60, 1 / 60, function() body:applyTorque(0.5) end)
	local n, h = 240, 1 / 240
	near(body:getAngularVelocity(), 0.5 / inertia)
	-- The rotation of each sub-step is rounded to 2^-24: 240 * 2^-24 = 1.4e-5 rad.
	lu.assertAlmostEquals(body:getAngle(), 0.5 / inertia * h * h * n * (n + 1) / 2, 1.4e-5)
	local x, y = body:getPosition()
	lu.assertEquals({ x, y }, { 0, 0 })
end

function TestForces.test_d2_impulse_beside_the_centre_turns_by_r_cross_J_over_I()
	local world = collide.d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { x = 5, y = -3, angle = 0.7, shape = collide.d2.box(2, 1) }
	local mass, inertia = body:getMass(), body:getInertia()
	local rx, ry, jx, jy = 0.3, 0.8, -2, 5
	body:applyImpulse(jx, jy, 5 + rx, -3 + ry)
	local vx, vy = body:getLinearVelocity()
	near(vx, jx / mass)
	near(vy, jy / mass)
	near(body:getAngularVelocity(), (rx * jy - ry * jx) / inertia)
	body:applyAngularImpulse(-(rx * jy - ry * jx))
	near(body:getAngularVelocity(), 0, (rx * jy - ry * jx) / inertia)
end

function TestForces.test_d2_force_beside_the_centre_is_force_and_torque()
	local function run(act)
		local world = collide.d2.newWorld { gravity = { 0, 0 } }
		local body = world:newBody { x = 1, y = 2, shape = collide.d2.box(2, 1) }
		act(body)
		world:step(1 / 60)
		local x, y = body:getPosition()
		local vx, vy = body:getLinearVelocity()
		return { x, y, body:getAngle(), vx, vy, body:getAngularVelocity() }
	end
	local rx, ry, fx, fy = 0.5, -0.25, 8, 6
	local at_point = run(function(body) body:applyForce(fx, fy, 1 + rx, 2 + ry) end)
	local apart = run(function(body)
		body:applyForce(fx, fy)
		body:applyTorque(rx * fy - ry * fx)
	end)
	for i = 1, 6 do near(at_point[i], apart[i], 1) end
	near(at_point[4], fx / 60 / 2)
	near(at_point[6], (rx * fy - ry * fx) / 60 / (2 * 5 / 12))
end

-- v(p) = v + w x (p - c)
function TestForces.test_d2_velocity_of_a_point_is_v_plus_w_cross_r()
	local world = collide.d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { x = 4, y = 1, shape = collide.d2.box(1, 1), linearVelocity = { 2, -1 }, angularVelocity = 3 }
	local vx, vy = body:getVelocityAt(4 + 0.5, 1 + 2)
	near(vx, 2 - 3 * 2)
	near(vy, -1 + 3 * 0.5)
end

-- An impulse J at the end of a free rod of length L gives v = J / m and w = J (L / 2) / I.
function TestForces.test_d2_impulse_at_the_end_of_a_free_rod()
	local world = collide.d2.newWorld { gravity = { 0, 0 } }
	local length, width, impulse = 2, 0.01, 3
	local rod = world:newBody { shape = collide.d2.box(length, width), density = 1 / (length * width) }
	near(rod:getMass(), 1)
	near(rod:getInertia(), (length * length + width * width) / 12)
	rod:applyImpulse(0, impulse, length / 2, 0)
	local vx, vy = rod:getLinearVelocity()
	near(vx, 0, 1)
	near(vy, 3)
	near(rod:getAngularVelocity(), impulse * length / 2 / ((length * length + width * width) / 12))
	-- The centre of percussion: the point at I / (m L / 2) beyond the centre is at rest at that moment.
	local _, still = rod:getVelocityAt(-(length * length + width * width) / 12 / (length / 2), 0)
	near(still, 0, 3)
end

TestMassData = {}

function TestMassData.test_d2_overridden_mass_is_used()
	local world = collide.d2.newWorld { gravity = { 0, -10 } }
	local body = world:newBody { shape = collide.d2.circle(1) }
	local mass, inertia = body:getMass(), body:getInertia()
	near(mass, math.pi)
	near(inertia, math.pi / 2)
	body:setMassData(5, 0.5, 0, 2)
	near(body:getMass(), 5)
	near(body:getInertia(), 2)
	local cx, cy = body:getLocalCenter()
	lu.assertEquals({ cx, cy }, { 0.5, 0 })
	body:applyImpulse(0, 10, 1.5, 0)
	local _, vy = body:getLinearVelocity()
	near(vy, 2)
	near(body:getAngularVelocity(), 10 * 1 / 2)
	body:resetMassData()
	near(body:getMass(), mass)
	near(body:getInertia(), inertia)
	local lx, ly = body:getLocalCenter()
	lu.assertEquals({ lx, ly }, { 0, 0 })
end

function TestMassData.test_d2_mass_options_of_a_body()
	local world = collide.d2.newWorld {}
	local body = world:newBody { shape = collide.d2.box(1, 1), mass = 7, inertia = 3, center = { 0.25, -0.5 } }
	near(body:getMass(), 7)
	near(body:getInertia(), 3)
	local x, y = body:getLocalCenter()
	lu.assertEquals({ x, y }, { 0.25, -0.5 })
end

-- A free body rotates about its centre of mass, which moves on a straight line; the origin circles around it.
function TestMassData.test_d2_a_body_turns_about_its_centre_of_mass()
	local d2 = collide.d2
	local world = d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { shapes = { { shape = d2.box(1, 1) }, { shape = d2.circle(0.5, 3, 0), density = 4 } } }
	local box, disc = 1, math.pi * 0.25 * 4
	local offset = disc * 3 / (box + disc)
	near(body:getMass(), box + disc)
	near((body:getLocalCenter()), offset)
	near(body:getInertia(), box / 6 + box * offset ^ 2 + disc * 0.125 + disc * (3 - offset) ^ 2)
	body:setAngularVelocity(math.pi)
	local cx, cy = body:getCenter()
	for i = 1, 60 do
		world:step(1 / 60)
		local x, y = body:getCenter()
		-- The origin is stored: centre = origin + q c, with float q: 2^-24 of the offset per step.
		lu.assertAlmostEquals(x, cx, 60 * 6e-8 * 3)
		lu.assertAlmostEquals(y, cy, 60 * 6e-8 * 3)
		local ox, oy = body:getPosition()
		near(math.sqrt((ox - x) ^ 2 + (oy - y) ^ 2), offset, 3)
	end
	-- Half a turn: the origin is on the other side.
	local ox, oy = body:getPosition()
	lu.assertAlmostEquals(ox, 2 * offset, 1e-4)
	lu.assertAlmostEquals(oy, 0, 1e-4)
end

TestKinematic = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	-- Kinematic: x = v t, unaffected by gravity, by contacts and by a hit of 1000 kg.
	TestKinematic["test_" .. dim .. "_nothing_deflects_a_kinematic_body"] = function()
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local body = world:newBody { type = "kinematic", shape = wing.cube(d, 1), linearVelocity = wing.vector(1, 0) }
		if dim == "d2" then body:setAngularVelocity(2) end
		local heavy = world:newBody { x = 3, shape = wing.cube(d, 1), mass = 1000, linearVelocity = wing.vector(-10, 0), gravityScale = 0 }
		world:newBody { x = 0.5, y = 2, shape = wing.ball(d, 0.5) }
		steps(world, 60, 1 / 60)
		local x, y = body:getPosition()
		near(x, 1)
		lu.assertEquals(y, 0)
		local vx, vy = body:getLinearVelocity()
		lu.assertEquals({ vx, vy }, { 1, 0 })
		if dim == "d2" then
			lu.assertEquals(body:getAngularVelocity(), 2)
			lu.assertAlmostEquals(body:getAngle(), 2, 240 * 6e-8)
		end
		lu.assertTrue((heavy:getLinearVelocity()) > -10 + 1, "the heavy body was hit")
	end

	TestKinematic["test_" .. dim .. "_a_static_body_never_moves"] = function()
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local body = world:newBody { type = "static", x = 1, y = 2, shape = wing.cube(d, 1) }
		pcall(body.setLinearVelocity, body, wing.numbers(5, 5))
		body:applyForce(wing.numbers(1e6, 0))
		body:applyImpulse(wing.numbers(1e6, 1e6))
		world:newBody { x = -5, y = 2, shape = wing.cube(d, 1), mass = 1000, linearVelocity = wing.vector(100, 0) }
		steps(world, 60, 1 / 60)
		local x, y = body:getPosition()
		local vx, vy = body:getLinearVelocity()
		lu.assertEquals({ x, y, vx, vy }, { 1, 2, 0, 0 })
	end
end

function TestKinematic.test_d2_moveTo_arrives_after_one_step()
	local world = collide.d2.newWorld {}
	for _, kind in ipairs { "kinematic", "dynamic" } do
		local body = world:newBody { type = kind, x = 1, y = 1, angle = 0.3, gravityScale = 0, shape = collide.d2.box(1, 1, { x = 0.2 }) }
		body:moveTo(1.4, 0.8, 0.8, 1 / 60)
		world:step(1 / 60)
		local x, y, angle = body:getTransform()
		-- The displacement of a step is a float sum of four terms: 8 roundings of 0.5 m.
		lu.assertAlmostEquals(x, 1.4, 8 * 6e-8, kind)
		lu.assertAlmostEquals(y, 0.8, 8 * 6e-8, kind)
		lu.assertAlmostEquals(angle, 0.8, 8 * 6e-8, kind)
		body:destroy()
	end
end

TestLocks = {}

function TestLocks.test_d2_a_locked_axis_does_not_move()
	local world = collide.d2.newWorld { gravity = { 4, -10 } }
	local function body(locks)
		return world:newBody { shape = collide.d2.box(1, 1), locks = locks, group = -1 }
	end
	local x, y, turn = body { x = true }, body { y = true }, body { rotation = true }
	for _ = 1, 30 do
		for _, b in ipairs { x, y, turn } do
			b:applyForce(3, 2, 0.5, 9)
			b:applyTorque(5)
		end
		world:step(1 / 60)
	end
	local px, py = x:getPosition()
	lu.assertEquals(px, 0)
	lu.assertTrue(py < -0.5)
	px, py = y:getPosition()
	lu.assertEquals(py, 0)
	lu.assertTrue(px > 0.5)
	lu.assertEquals(turn:getAngle(), 0)
	lu.assertEquals(turn:getAngularVelocity(), 0)
	-- Axes that are not locked move as without locks: v = (g + F / m) t.
	local vx, vy = turn:getLinearVelocity()
	near(vx, (4 + 3) * 0.5)
	near(vy, (-10 + 2) * 0.5)
end

-- Along a locked axis a hit meets an infinite mass.
function TestLocks.test_d2_a_locked_body_is_a_wall_along_its_axis()
	local world = collide.d2.newWorld { gravity = { 0, 0 }, restitutionThreshold = 0 }
	local wall = world:newBody { shape = collide.d2.box(1, 4), locks = { x = true, rotation = true }, friction = 0 }
	local ball = world:newBody { x = -3, shape = collide.d2.circle(0.5), linearVelocity = { 5, 0 }, restitution = 1, friction = 0 }
	steps(world, 60, 1 / 60)
	near((ball:getLinearVelocity()), -5)
	local x, y = wall:getPosition()
	lu.assertEquals({ x, y }, { 0, 0 })
end
