-- Bodies that hit walls so fast that continuous collision stops them: they bounce immediately and continue for the rest of the step.
local lu = require "luaunit"
local support = require "support"
local planes, suite = support.planes, support.suite

-- Continuous collision keeps bodies a slop away from obstacles, to a quarter of it.
local SLOP = 0.005

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestRebounds = suite("TestRebounds", dim)

	local function new_wall(world, kind, u, e)
		local wall = world:newBody { type = kind, linearVelocity = kind == "kinematic" and { u, 0 } or nil }
		return wall:newCollider(d.box(0.5, 20, { x = 0.25 }), { restitution = e })
	end

	local function count(world, events)
		local result = 0
		for _ in world[events](world) do result = result + 1 end
		return result
	end

	-- In the step of the impact: x = x_hit + (u - e (v - u)) (dt - t). The displacement has an error of at most 2 % or two slops.
	function TestRebounds.test_the_path_continues_in_the_same_step()
		local speed, radius = 100, 0.1
		for _, kind in ipairs { "static", "kinematic" } do for _, e in ipairs { 0.2, 0.5, 1 } do for _, hz in ipairs { 30, 60, 120 } do
			for phase = 0, 19 do
				local world, u = d.newWorld { gravity = { 0, 0 } }, kind == "kinematic" and -3 or 0
				new_wall(world, kind, u, e)
				local t = (phase + 0.3) / 20 / hz
				local x = -radius - (speed - u) * t
				local ball = world:newBody { x = x, shape = d.circle(radius), linearVelocity = { speed, 0 }, bullet = true, restitution = e }
				world:step(1 / hz)
				local back = e * (speed - u) - u
				local exact, path = x + speed * t - back * (1 / hz - t), speed * t + back * (1 / hz - t)
				local off = math.abs(ball:getPosition() - exact)
				lu.assertTrue(off < math.max(0.02 * path, 2 * SLOP), ("%s wall, e = %g, %d Hz, phase %d: %.4f of %.4f m"):format(kind, e, hz, phase, off, path))
				lu.assertAlmostEquals(ball:getLinearVelocity(), -back, 1e-5 * speed)
			end
		end end end
	end

	-- Between two walls a ball with e = 1 follows its unfolded path: up to four impacts a step. For each wall hit in a step one hit is reported; contacts that
	-- began have ended.
	function TestRebounds.test_several_walls_in_a_step()
		local speed, radius, width = 100, 0.1, 0.6 -- between the centres of the ball at both walls
		for _, hz in ipairs { 45, 60, 120 } do
			local world = d.newWorld { gravity = { 0, 0 } }
			new_wall(world, "static", 0, 1)
			world:newBody { type = "static", x = -width - 2 * radius - 0.5, shape = d.box(1, 20), restitution = 1 }
			local ball = world:newBody { x = -radius - width / 3, shape = d.circle(radius), linearVelocity = { speed, 0 }, bullet = true, restitution = 1 }
			local way, hits, expected, touching, lost = 2 / 3 * width, 0, 0, 0, 0
			for step = 1, hz / 9 do
				world:step(1 / hz)
				hits, touching = hits + count(world, "hits"), touching + count(world, "beginContacts") - count(world, "endContacts")
				local before = math.floor(way / width)
				way, lost = way + speed / hz, lost + world:getProfile().lost
				local unfolded = way % (2 * width)
				expected = expected + math.min(2, math.floor(way / width) - before)
				local x = -radius - (unfolded > width and unfolded - width or width - unfolded)
				lu.assertTrue(math.abs(ball:getPosition() - x) < 0.02 * speed / hz * step, ("%d Hz, step %d: %.4f, not %.4f"):format(hz, step, ball:getPosition(), x))
				lu.assertTrue(math.abs(hits - expected) <= 1)
				local told = {}
				for a, b in world:hits() do
					local wall = a:getBody() == ball and b or a
					lu.assertNil(told[wall])
					told[wall] = true
				end
				lu.assertAlmostEquals(math.abs((ball:getLinearVelocity())), speed, 1e-4 * speed)
			end
			lu.assertEquals(lost, 0)
			lu.assertTrue(hits >= 10 and touching >= 0 and touching <= 1, ("%d hits, %d touch"):format(hits, touching))
		end
	end

	-- A restitution above 1 accelerates a ball at each of several impacts in a step, but not beyond maximumSpeed.
	function TestRebounds.test_no_impact_passes_the_maximum_speed()
		local world = d.newWorld { gravity = { 0, 0 }, maximumSpeed = 150 }
		for side = -1, 1, 2 do world:newBody { type = "static", x = 1.5 * side, shape = d.box(1, 20), restitution = 1.5 } end
		local ball = world:newBody { shape = d.circle(0.1), linearVelocity = { 100, 0 } }
		for _ = 1, 4 do
			world:step(1 / 15)
			lu.assertTrue(math.abs((ball:getLinearVelocity())) <= 150 * (1 + 1e-6))
		end
	end

	-- With e = 1 a ball that falls on a floor rises in the same step with the same energy, to rounding errors and the height of a slop, whatever the phase of
	-- the step.
	function TestRebounds.test_energy_is_kept()
		for _, hz in ipairs { 30, 60 } do for phase = 0, 9 do
			local world, g = d.newWorld { gravity = { 0, -10 } }, 10
			world:newBody { type = "static", y = -0.5, shape = d.box(40, 1), restitution = 1 }
			local ball = world:newBody { y = 0.1 + 50 / hz * (phase + 0.5) / 10, shape = d.circle(0.1), linearVelocity = { 3, -50 }, restitution = 1, friction = 0 }
			local function energy()
				local _, y = ball:getPosition()
				local vx, vy = ball:getLinearVelocity()
				return (vx ^ 2 + vy ^ 2) / 2 + g * y
			end
			local before = energy()
			world:step(1 / hz)
			local _, vy = ball:getLinearVelocity()
			lu.assertTrue(vy > 49)
			-- A step changes the energy by g dt v dt / 2: semi-implicit Euler.
			lu.assertTrue(math.abs(energy() - before) < g * (2 * SLOP + 50 / hz / 2 / hz * g / 50 + 50 * g / hz / hz / 2), energy() - before)
		end end
	end

	-- An oblique impact with friction: a swept body leaves with the spin and the speeds that the contact solver gives in a short step.
	function TestRebounds.test_friction_as_in_contacts()
		local results = {}
		for i, hz in ipairs { 60, 60000 } do
			local world = d.newWorld { gravity = { 0, 0 } }
			world:newBody { type = "static", y = -0.5, shape = d.box(40, 1), restitution = 0.5, friction = 0.1 }
			local ball = world:newBody { y = 0.4, shape = d.circle(0.1), linearVelocity = { 60, -40 }, restitution = 0.5, friction = 0.1 }
			for _ = 1, hz / 60 do world:step(1 / hz) end
			local vx, vy = ball:getLinearVelocity()
			local w = ball:getAngularVelocity()
			results[i] = { vx, vy, w }
		end
		lu.assertAlmostEquals(results[1][1], results[2][1], 0.01 * 60)
		lu.assertAlmostEquals(results[1][2], results[2][2], 0.01 * 40)
		lu.assertAlmostEquals(results[1][3], results[2][3], 0.02 * math.abs(results[2][3]))
		lu.assertTrue(math.abs(results[1][3]) > 1)
	end

	-- A ball that rolls, slides or bounces along walls loses no time of the step; a ball tightly between walls does, and the lost time is counted.
	function TestRebounds.test_lost_time_is_counted()
		for _, e in ipairs { 0, 0.5 } do
			local world, lost = d.newWorld { gravity = { 0, -10 } }, 0
			world:newBody { type = "static", y = -0.5, shape = d.box(400, 1), restitution = e }
			local ball = world:newBody { x = -100, y = 0.13, shape = d.circle(0.1), linearVelocity = { 40, -20 }, restitution = e, friction = 0 }
			for _ = 1, 120 do
				world:step(1 / 60)
				lost = lost + world:getProfile().lost
			end
			lu.assertEquals(lost, 0)
			lu.assertAlmostEquals(ball:getPosition(), -100 + 40 * 2, 0.01 * 80)
		end
		local world = d.newWorld { gravity = { 0, 0 } }
		for side = -1, 1, 2 do world:newBody { type = "static", x = side * 0.62, shape = d.box(1, 20), restitution = 1 } end
		world:newBody { shape = d.circle(0.1), linearVelocity = { 100, 0 }, restitution = 1 }
		world:step(1 / 60)
		local profile = world:getProfile()
		lu.assertTrue(profile.lost > 0 and profile.lost < 1000 / 60, profile.lost)
	end

	-- --- Boxes -----------------------------------------------------------------------------------------------------------------

	local wide, high = 0.9, 0.5
	local inertia = (wide ^ 2 + high ^ 2) / 12 -- divided by the mass

	-- How far the box extends to the right of its centre, and the height of that corner.
	local function reach(angle)
		local x, y = -math.huge, 0
		for i = -1, 1, 2 do for k = -1, 1, 2 do
			local c, s = math.cos(angle), math.sin(angle)
			local across = c * i * wide / 2 - s * k * high / 2
			if across > x then x, y = across, s * i * wide / 2 + c * k * high / 2 end
		end end
		return x, y
	end

	local function throw_box(speed, spin, angle, t, e)
		local world = d.newWorld { gravity = { 0, 0 }, maximumAngularSpeed = 1e4 }
		new_wall(world, "static", 0, e)
		local x = -reach(angle + spin * t) - speed * t
		return world, world:newBody { x = x, angle = angle, shape = d.box(wide, high), linearVelocity = { speed, 0 }, angularVelocity = spin, restitution = e, friction = 0 }, x
	end

	-- A box without friction that hits a wall with one corner, r from its centre: j/m = (1 + e) (v - w r_y) / (1 + r_y^2 m/I), v' = v - j/m, w' = w + r_y j/I.
	-- In the step of the impact its displacement is exact to 2 % or two slops, if no other corner hits the wall then. It is stopped a slop before the wall, and
	-- rotates by |w| slop / v less until then, which changes r_y by that times r.
	function TestRebounds.test_a_box_on_its_corner()
		local speed, dt, count = 40, 1 / 60, 0
		for _, e in ipairs { 0.2, 0.5, 1 } do for _, angle in ipairs { 0.3, 0.7, 1.2, 1.9, 2.5 } do for _, spin in ipairs { 0, 8, -8 } do for phase = 0, 9 do
			local t = (phase + 0.5) / 10 * dt
			local extent, arm = reach(angle + spin * t)
			local j = (1 + e) * (speed - spin * arm) / (1 + arm ^ 2 / inertia)
			local v, w, alone = speed - j, spin + arm * j / inertia, true
			for i = 1, 100 do
				local left = i / 100 * (dt - t)
				alone = alone and v * left + reach(angle + spin * t + w * left) < extent - (i > 10 and 2 * SLOP or 0)
			end
			if alone then
				local world, box, x = throw_box(speed, spin, angle, t, e)
				world:step(dt)
				local exact, path = x + speed * t + v * (dt - t), speed * t + math.abs(v) * (dt - t)
				local text = ("e = %g, angle %g, spin %g, phase %d"):format(e, angle, spin, phase)
				lu.assertAlmostEquals(box:getPosition(), exact, math.max(0.02 * path, 2 * SLOP), text)
				lu.assertAlmostEquals((box:getLinearVelocity()), v, 0.01 * speed, text)
				lu.assertAlmostEquals(box:getAngularVelocity(), w, 2 * (1 + e) / inertia * extent * math.abs(spin) * SLOP + 1e-3 * math.abs(w), text)
				count = count + 1
			end
		end end end end
		lu.assertTrue(count >= 100, count)
	end

	-- With a whole face it rebounds along the same line, and does not turn.
	function TestRebounds.test_a_box_on_its_face()
		for _, e in ipairs { 0.2, 0.5, 1 } do for _, angle in ipairs { 0, math.pi / 2 } do for phase = 0, 9 do
			local speed, dt = 60, 1 / 60
			local t = (phase + 0.5) / 10 * dt
			local world, box, x = throw_box(speed, 0, angle, t, e)
			world:step(dt)
			lu.assertAlmostEquals(box:getPosition(), x + speed * t - e * speed * (dt - t), math.max(0.02 * speed * dt * e, 2 * SLOP))
			lu.assertAlmostEquals((box:getLinearVelocity()), -e * speed, 1e-3 * speed)
			lu.assertAlmostEquals(box:getAngularVelocity(), 0, 1e-3 * speed / high)
		end end end
	end

	-- The energy of a box without friction is kept, whatever corners hit two walls with e = 1 in a step, one after the other. It never grows. If two corners
	-- hit the wall within a slop, their impulses are solved together, and may take some: in at most 20 of 100 throws.
	function TestRebounds.test_tumbling_keeps_the_energy()
		local random, kept, impacts = support.random_numbers(3), 0, 0
		for _ = 1, 100 do
			local speed, spin = random(35, 60), random(-20, 20)
			local world, box = throw_box(speed, spin, random(0, 6), random(0, 1 / 30), 1)
			world:newBody { type = "static", x = -3.5, shape = d.box(1, 20), restitution = 1, friction = 0 }
			world:step(1 / 30)
			impacts = impacts + count(world, "hits")
			local energy = ((box:getLinearVelocity()) ^ 2 + inertia * box:getAngularVelocity() ^ 2) / (speed ^ 2 + inertia * spin ^ 2)
			lu.assertTrue(energy <= 1.001, energy)
			if energy >= 0.999 then kept = kept + 1 end
		end
		lu.assertTrue(kept >= 80 and impacts >= 90, ("%d of 100, %d impacts"):format(kept, impacts))
	end
end
