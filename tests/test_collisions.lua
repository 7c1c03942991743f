-- Laws of impact and momentum: bounce heights, head-on and oblique collisions, cradles, conservation in a closed system.
--
-- Restitution is applied at the end of the step in which bodies collide, with the speed at its begin: an impact is up to one step late or early, and a height
-- has an error of at most v dt per bounce. restitutionThreshold = 0 makes every bounce count. Velocities are floats: momentum is kept to FLOAT = 1e-5 of the
-- sum of all |m v| (160 roundings of 2^-24).
local lu, collide = require "luaunit", require "collide"

local FLOAT = 1e-5

local support = require "support"
local wings, random = support.wings, support.random_numbers

TestBounce = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]

	-- A ball of radius 0.5 whose lowest point is 5 above the floor. Calls visit(t, height of the lowest point, vy) after each step.
	local function drop(e, dt, duration, visit)
		local world = d.newWorld { gravity = wing.vector(0, -10), restitutionThreshold = 0, sleeping = false }
		world:newBody { type = "static", y = -1, shape = wing.floor(d), restitution = e }
		local ball = world:newBody { y = 5.5, shape = wing.ball(d, 0.5), restitution = e }
		for i = 1, math.floor(duration / dt + 0.5) do
			world:step(dt)
			local _, y = ball:getPosition()
			local _, vy = ball:getLinearVelocity()
			visit(i * dt, y - 0.5, vy)
		end
		return ball
	end

	-- Apexes, rebound speeds and the time of the first impact.
	local function bounces(e, dt, duration)
		local found = { apex = {}, speed = {} }
		local last_v, top = 0, nil
		drop(e, dt, duration, function(t, y, vy)
			if last_v < 0 and vy > 0 then
				found.first = found.first or t
				found.speed[#found.speed + 1] = vy
				found.apex[#found.apex + 1] = top
				top = y
			elseif top and y > top then
				top = y
			end
			last_v = vy
		end)
		return found
	end

	-- Apex k is at e^(2 k) H. At 1/240 s the impact's position is off by at most v dt = 4 cm, 0.8 % of H a bounce: 3 % of H for three.
	TestBounce["test_" .. dim .. "_apex_heights_are_e_to_the_2k_H"] = function()
		for _, e in ipairs { 0.5, 0.75, 0.9 } do
			local found = bounces(e, 1 / 240, 7)
			for k = 1, 3 do
				local height = found.apex[k] or 0
				lu.assertAlmostEquals(height, e ^ (2 * k) * 5, 0.03 * 5, ("e = %g, bounce %d"):format(e, k))
			end
			lu.assertAlmostEquals(found.first, 1, 2 / 240)
			lu.assertAlmostEquals(found.speed[1], e * 10, 0.02 * e * 10)
		end
	end

	TestBounce["test_" .. dim .. "_first_apex_at_60_steps_a_second"] = function()
		for _, e in ipairs { 0.5, 0.9 } do
			lu.assertAlmostEquals(bounces(e, 1 / 60, 5).apex[1], e * e * 5, 0.08 * 5, "e = " .. e)
		end
	end

	TestBounce["test_" .. dim .. "_nothing_bounces_without_restitution"] = function()
		for _, dt in ipairs { 1 / 240, 1 / 60 } do
			local landed = false
			drop(0, dt, 3, function(_, y)
				landed = landed or y <= 0.001
				if landed then lu.assertTrue(y <= 0.001) end
			end)
			lu.assertTrue(landed)
		end
	end

	-- sqrt(2 H / g) (1 + e) / (1 - e) = 3 s for e = 0.5. About 8 bounces until the speed is that gained in one step, each off by a step or two.
	TestBounce["test_" .. dim .. "_bouncing_ends_when_the_series_does"] = function()
		drop(0.5, 1 / 240, 4, function(t, y)
			if t > 3 + 16 / 240 then lu.assertTrue(y < 0.001) end
		end)
		local highest = 0
		drop(0.5, 1 / 240, 2.6, function(t, y)
			if t > 2 then highest = math.max(highest, y) end
		end)
		lu.assertTrue(highest > 0.02, "still bouncing at 2.5 s")
	end

	-- Below the threshold there is no bounce, above it there is one.
	TestBounce["test_" .. dim .. "_restitution_threshold_is_a_speed"] = function()
		for _, case in ipairs { { 0.9, false }, { 1.1, true } } do
			local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 1 }
			world:newBody { type = "static", y = -1, shape = wing.floor(d), restitution = 1 }
			local ball = world:newBody { y = 0.6, shape = wing.ball(d, 0.5), linearVelocity = wing.vector(0, -case[1]), restitution = 1 }
			for _ = 1, 30 do world:step(1 / 60) end
			local _, vy = ball:getLinearVelocity()
			lu.assertEquals(vy > 0.5, case[2])
		end
	end

	-- e = 1 under gravity: energy within 5 % for ten bounces and never more than 1 % above the start.
	TestBounce["test_" .. dim .. "_elastic_ball_keeps_its_energy"] = function()
		local start, least, most, count, last = 10 * 5, math.huge, -math.huge, 0, 0
		drop(1, 1 / 240, 21, function(_, y, vy)
			local energy = 10 * y + vy * vy / 2
			least, most = math.min(least, energy), math.max(most, energy)
			if last < 0 and vy > 0 then count = count + 1 end
			last = vy
		end)
		lu.assertTrue(count >= 10)
		lu.assertTrue(most <= 1.01 * start, "grew to " .. most / start)
		lu.assertTrue(least >= 0.95 * start, "fell to " .. least / start)
	end

	-- Between two walls without gravity every impact is v -> -v.
	TestBounce["test_" .. dim .. "_speed_between_two_walls_stays"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0) }
		for _, x in ipairs { -5, 5 } do
			world:newBody { type = "static", x = x, shape = wing.ball(d, 0.5), restitution = 1, friction = 0 }
		end
		local ball = world:newBody { shape = wing.ball(d, 0.5), linearVelocity = wing.vector(7, 0), restitution = 1, friction = 0 }
		local turns, last = 0, 7
		for _ = 1, 60 * 60 do
			world:step(1 / 60)
			local v = ball:getLinearVelocity()
			if (v > 0) ~= (last > 0) then turns = turns + 1 end
			last = v
			lu.assertAlmostEquals(math.abs(v), 7, 52 * 7 * 2 ^ -24) -- one rounding for each impact
		end
		-- 60 s at 7 m/s over 8 m: 52 impacts; each loses at most a step.
		lu.assertTrue(turns >= 50 and turns <= 53, turns)
	end
end

TestHeadOn = {}

TestElastic = {}

-- The corners of a round polygon in 2D; with a height, of a prism or, if `top` is 0, of a pyramid.
local function rim(count, radius, height, top)
	local points = {}
	for i = 0, count - 1 do
		local x, z = radius * collide.cos(2 * math.pi * i / count), radius * collide.sin(2 * math.pi * i / count)
		if height then
			for _, n in ipairs { x, -height / 2, z, top * x, height / 2, top * z } do points[#points + 1] = n end
		else
			points[#points + 1], points[#points + 2] = x, z
		end
	end
	return points
end

-- Without friction and with e = 1 an impact keeps the energy, for any number and order of contact points. A solver sweep over the points that changes no speed
-- by more than 1/1000 ends the impact. Where sweeps converge at a rate of 0.8, the remaining error is up to 1/200 of the speed, 1 % of the energy.
for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	TestElastic["test_" .. dim .. "_a_turning_round_polygon_gains_no_energy_from_a_wall"] = function()
		local shapes = dim == "d2" and { d.polygon(rim(16, 0.3)) } or { d.hull(rim(24, 0.2, 0.45, 1)), d.hull(rim(24, 0.25, 0.45, 0.02)) }
		local number = random(7)
		for _, shape in ipairs(shapes) do
			for trial = 1, 30 do
				local world = d.newWorld { gravity = wing.vector(0, 0), sleeping = false }
				world:newBody { type = "static", y = -1, shape = wing.floor(d), restitution = 1, friction = 0 }
				local body = world:newBody { y = 1.2, shape = shape, linearVelocity = wing.vector(number(-2, 2), -number(1.5, 6)), restitution = 1, friction = 0 }
				local x, y, z, w = number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1)
				if dim == "d2" then
					body:setAngle(3 * x)
					body:setAngularVelocity(8 * y)
				else
					body:setRotation(x, y, z, w)
					body:setAngularVelocity(6 * y, 6 * z, 6 * x)
				end
				local before = body:getKineticEnergy()
				for _ = 1, 180 do world:step(1 / 120) end
				lu.assertTrue(select(2, body:getLinearVelocity()) > 0)
				lu.assertTrue(body:getKineticEnergy() < 1.01 * before, ("trial %d: %.4f of the energy"):format(trial, body:getKineticEnergy() / before))
				world:destroy()
			end
		end
	end
end

-- m1, u1, m2, u2, e -> v1, v2; momentum and the definition of e give v1 = ((m1 - e m2) u1 + (1 + e) m2 u2) / (m1 + m2).
local table_1d = {
	{ 1, 5, 1, 0, 1, 0, 5 },
	{ 1, 5, 1, 0, 0, 2.5, 2.5 },
	{ 1, 5, 3, -2, 1, -5.5, 1.5 },
	{ 2, 4, 1, -3, 0.5, 0.5, 4 },
	{ 1, 10, 100, 0, 1, -9.801980198019802, 0.19801980198019803 },
	{ 100, 10, 1, 0, 1, 9.801980198019802, 19.801980198019802 },
	{ 1, 2, 2, 1, 0.25, 1.1666666666666667, 1.4166666666666667 },
}

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	for name, shape in pairs { balls = wing.ball(d, 0.5), boxes = dim == "d2" and d.box(1, 1) or nil } do
		TestHeadOn["test_" .. dim .. "_" .. name .. "_follow_the_table"] = function()
			for i, row in ipairs(table_1d) do
				local m1, u1, m2, u2, e, v1, v2 = row[1], row[2], row[3], row[4], row[5], row[6], row[7]
				local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 0 }
				local function body(x, mass, speed)
					return world:newBody { x = x, shape = shape, mass = mass, linearVelocity = wing.vector(speed, 0), restitution = e, friction = 0 }
				end
				local one, two = body(-1.2, m1, u1), body(0.7, m2, u2)
				for _ = 1, 60 do
					world:step(1 / 60)
					local p = m1 * one:getLinearVelocity() + m2 * two:getLinearVelocity()
					lu.assertAlmostEquals(p, m1 * u1 + m2 * u2, FLOAT * (m1 * math.abs(u1) + m2 * math.abs(u2)), "row " .. i)
				end
				lu.assertAlmostEquals(one:getLinearVelocity(), v1, 0.01 * (u1 - u2), "row " .. i)
				lu.assertAlmostEquals(two:getLinearVelocity(), v2, 0.01 * (u1 - u2), "row " .. i)
			end
		end
	end

	-- The impulse acts along the line of centres: v2 = (v . n) n, and the balls separate at a right angle. The normal is that of a pose up to v dt = 8 mm
	-- before contact, at most 0.5 degrees off here: 1 % of v.
	TestHeadOn["test_" .. dim .. "_billiard_balls_separate_at_a_right_angle"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 0 }
		local function ball(x, y, vx)
			return world:newBody { x = x, y = y, shape = wing.ball(d, 0.5), mass = 1, linearVelocity = wing.vector(vx, 0), restitution = 1, friction = 0 }
		end
		local one, two = ball(0, 0, 4), ball(3, 0.5, 0)
		for _ = 1, 480 do world:step(1 / 480) end
		local x1, y1 = one:getLinearVelocity()
		local x2, y2 = two:getLinearVelocity()
		lu.assertAlmostEquals(x2, 3, 0.04)
		lu.assertAlmostEquals(y2, math.sqrt(3), 0.04)
		lu.assertAlmostEquals(x1, 1, 0.04)
		lu.assertAlmostEquals(y1, -math.sqrt(3), 0.04)
		lu.assertAlmostEquals(x1 + x2, 4, FLOAT * 4)
		lu.assertAlmostEquals(y1 + y2, 0, FLOAT * 4)
		lu.assertAlmostEquals(x1 * x1 + y1 * y1 + x2 * x2 + y2 * y2, 16, 0.16)
		if dim == "d2" then
			lu.assertAlmostEquals(one:getAngularVelocity(), 0, FLOAT * 4)
			lu.assertAlmostEquals(two:getAngularVelocity(), 0, FLOAT * 4)
		end
	end

	-- Five equal balls with gaps that no ball crosses in a step: impacts happen in pairs, one after the other, so k balls come in and k leave.
	TestHeadOn["test_" .. dim .. "_newtons_cradle_hands_the_speed_on"] = function()
		for k = 1, 3 do
			local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 0, sleeping = false }
			local balls = {}
			for i = 1, 5 do
				local incoming = i <= k
				balls[i] = world:newBody {
					x = (i - 1) * 1.001 - (incoming and 0.05 or 0), shape = wing.ball(d, 0.5), mass = 1, restitution = 1, friction = 0,
					linearVelocity = wing.vector(incoming and 1 or 0, 0),
				}
			end
			for _ = 1, 400 do world:step(1 / 2000) end
			for i, ball in ipairs(balls) do
				local v = ball:getLinearVelocity()
				lu.assertAlmostEquals(v, i > 5 - k and 1 or 0, 0.05, ("k = %d, ball %d"):format(k, i))
			end
		end
	end

	-- Balls in contact are hit simultaneously: only the conservation laws and the order of the velocities are determined.
	TestHeadOn["test_" .. dim .. "_touching_cradle_conserves"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 0, sleeping = false }
		local balls = {}
		for i = 1, 5 do
			balls[i] = world:newBody {
				x = i == 1 and -0.5 or i - 1, shape = wing.ball(d, 0.5), mass = 1, restitution = 1, friction = 0,
				linearVelocity = wing.vector(i == 1 and 1 or 0, 0),
			}
		end
		for _ = 1, 240 do
			world:step(1 / 240)
			local p, energy = 0, 0
			for _, ball in ipairs(balls) do
				local v = ball:getLinearVelocity()
				p, energy = p + v, energy + v * v
			end
			lu.assertAlmostEquals(p, 1, FLOAT)
			lu.assertTrue(energy <= 1 + FLOAT, energy)
		end
		local last = balls[5]:getLinearVelocity()
		for i = 1, 4 do
			local v = balls[i]:getLinearVelocity()
			lu.assertTrue(v < last)
		end
	end

	-- Each impact on a ball of half the mass multiplies the speed by 4/3.
	TestHeadOn["test_" .. dim .. "_a_chain_of_halved_masses_amplifies_the_speed"] = function()
		local world = d.newWorld { gravity = wing.vector(0, 0), restitutionThreshold = 0 }
		local last
		for i = 1, 5 do
			last = world:newBody {
				x = (i - 1) * 1.5, shape = wing.ball(d, 0.5), mass = 0.5 ^ (i - 1), restitution = 1, friction = 0,
				linearVelocity = wing.vector(i == 1 and 1 or 0, 0),
			}
		end
		for _ = 1, 480 do world:step(1 / 240) end
		lu.assertAlmostEquals((last:getLinearVelocity()), (4 / 3) ^ 4, 0.03 * (4 / 3) ^ 4)
	end
end

TestLanding = {}

-- A box of width w, rotated by a, lands at speed v: its lower corner, at x beside the centre, stops, and without friction the box turns at
--   w_1 = v x/(k^2 + x^2)        k radius of gyration
-- until the other corner stops, too, at most w sin(a)/v later: within a step at each of these rates. After that it does not turn. Half of w_1 separates the two
-- cases; the impact spreads over two steps.
function TestLanding.test_d2_a_box_that_lands_on_a_corner_lands_on_the_other_within_the_step()
	local d2, width, height, tilt, speed = collide.d2, 0.7, 0.6, 0.05, 5
	local x = width / 2 * math.cos(tilt) - height / 2 * math.sin(tilt)
	local turn = speed * x / ((width ^ 2 + height ^ 2) / 12 + x ^ 2)
	local grounds = { box = { y = -1, shape = d2.box(40, 2) }, plane = { shape = d2.halfPlane(0, 1, 0) },
		chain = { shape = d2.chain { 20, 0, -20, 0 } } }
	local shapes = { box = d2.box(width, height), polygon = d2.polygon { -0.35, -0.3, 0.35, -0.3, 0.35, 0.3, -0.35, 0.3 } }
	for ground, options in pairs(grounds) do
		for name, shape in pairs(shapes) do
			for _, hz in ipairs { 30, 60, 120 } do
				for _, side in ipairs { -1, 1 } do
					local world = d2.newWorld()
					options.type, options.friction = "static", 0
					world:newBody(options)
					local box = world:newBody { y = 0.4, angle = side * tilt, linearVelocity = { 0, -speed }, friction = 0, shape = shape }
					local most = 0
					for _ = 1, hz do
						world:step(1 / hz)
						most = math.max(most, math.abs(box:getAngularVelocity()))
					end
					lu.assertTrue(most < turn / 2, ("%s on %s at %d Hz: %g rad/s"):format(name, ground, hz, most))
				end
			end
		end
	end
end

-- The lower corner of a square rotated by 0.5 hits, below and beside its middle; the other end of that face is 0.64 away.
function TestLanding.test_d2_a_corner_hits_where_it_is()
	local d2, tilt = collide.d2, 0.5
	local world = d2.newWorld()
	world:newBody { type = "static", y = -1, shape = d2.box(40, 2) }
	local box = world:newBody { y = 0.75, angle = tilt, linearVelocity = { 0, -5 }, shape = d2.box(1, 1) }
	local hits = 0
	for _ = 1, 20 do
		world:step(1 / 60)
		for _, _, x, y in world:hits() do
			hits = hits + 1
			local corner_x, corner_y = box:getWorldPoint(-0.5, -0.5)
			lu.assertAlmostEquals(x, corner_x, 0.02)
			lu.assertAlmostEquals(y, corner_y, 0.02)
		end
		if hits > 0 then break end
	end
	lu.assertEquals(hits, 1)
end

TestSpin = {}

-- Angular momentum about the contact point is kept. With k = I / (m r^2) = 1/2 the ball grips and rolls off with v = w0 r k / (1 + k), w = w0 k / (1 + k).
-- Where friction is too weak it slips: v = mu vn, and w = w0 - mu vn / (k r).
function TestSpin.test_d2_spinning_disc_takes_hold_of_a_rough_floor()
	local function hit(mu)
		local world = collide.d2.newWorld { gravity = { 0, 0 } }
		world:newBody { type = "static", y = -1, shape = collide.d2.box(100, 2), friction = mu }
		local disc = world:newBody { y = 1, shape = collide.d2.circle(0.5), linearVelocity = { 0, -5 }, angularVelocity = 20, friction = mu }
		for _ = 1, 30 do world:step(1 / 60) end
		local vx, vy = disc:getLinearVelocity()
		lu.assertAlmostEquals(vy, 0, 0.03 * 5)
		return vx, disc:getAngularVelocity()
	end
	-- Rotation counter-clockwise on a floor drives the ball to the left.
	local v, w = hit(1)
	lu.assertAlmostEquals(v, -10 / 3, 0.03 * 10 / 3)
	lu.assertAlmostEquals(w, 20 / 3, 0.03 * 20 / 3)
	v, w = hit(0.1)
	lu.assertAlmostEquals(v, -0.5, 0.03 * 0.5)
	lu.assertAlmostEquals(w, 20 - 0.5 / (0.5 * 0.5), 0.03 * 20)
	v, w = hit(0)
	lu.assertEquals(v, 0)
	lu.assertEquals(w, 20)
end

TestConservation = {}

-- A hundred bodies that fly towards each other without gravity.
local function swarm()
	local d2 = collide.d2
	local next = random(12345)
	local world = d2.newWorld { gravity = { 0, 0 }, sleeping = false }
	local bodies = {}
	for i = 0, 99 do
		local shape
		if i % 4 == 0 then
			shape = d2.circle(next(0.2, 0.4))
		elseif i % 4 == 1 then
			shape = d2.box(next(0.3, 0.8), next(0.3, 0.8))
		elseif i % 4 == 2 then
			local points = {}
			for k = 1, 7 do
				local angle, r = k * 2 * math.pi / 7, next(0.25, 0.45)
				points[2 * k - 1], points[2 * k] = r * math.cos(angle), r * math.sin(angle)
			end
			shape = d2.polygon(points)
		else
			shape = d2.capsule(-0.3, 0, 0.3, 0, 0.15)
		end
		local x, y = (i % 10) - 4.5, math.floor(i / 10) - 4.5
		bodies[#bodies + 1] = world:newBody {
			x = 1.1 * x, y = 1.1 * y, angle = next(0, 6), shape = shape, density = next(0.5, 2), friction = 0.5, restitution = 0.5,
			linearVelocity = { next(-2, 2) - x, next(-2, 2) - y }, angularVelocity = next(-5, 5),
		}
	end
	return world, bodies
end

-- Momentum, angular momentum about the origin, kinetic energy, and the sums of their magnitudes.
local function sums(bodies)
	local px, py, l, energy, p_scale, l_scale = 0, 0, 0, 0, 0, 0
	for _, body in ipairs(bodies) do
		local m, inertia = body:getMass(), body:getInertia()
		local x, y = body:getCenter()
		local vx, vy = body:getLinearVelocity()
		local w = body:getAngularVelocity()
		px, py = px + m * vx, py + m * vy
		l = l + m * (x * vy - y * vx) + inertia * w
		energy = energy + m * (vx * vx + vy * vy) / 2 + inertia * w * w / 2
		p_scale = p_scale + m * math.sqrt(vx * vx + vy * vy)
		l_scale = l_scale + m * math.sqrt((x * x + y * y) * (vx * vx + vy * vy)) + inertia * math.abs(w)
	end
	return { px = px, py = py, l = l, energy = energy, p_scale = p_scale, l_scale = l_scale }
end

-- Momentum: 1e-4 of the sum of |m v| for floats. Angular momentum: 1e-3, since anchors stay those of the begin of the step while bodies slide past each other,
-- and the two lever arms of an impulse differ. Energy: increases by at most 0.1 % in a step.
function TestConservation.test_d2_a_closed_system_keeps_its_momenta_and_loses_energy()
	local world, bodies = swarm()
	local first = sums(bodies)
	local last, touched = first, 0
	for _ = 1, 600 do
		world:step(1 / 60)
		touched = math.max(touched, world:getTouchingCount())
		local now = sums(bodies)
		lu.assertAlmostEquals(now.px, first.px, 1e-4 * first.p_scale)
		lu.assertAlmostEquals(now.py, first.py, 1e-4 * first.p_scale)
		lu.assertAlmostEquals(now.l, first.l, 1e-3 * first.l_scale)
		lu.assertTrue(now.energy <= 1.001 * last.energy, now.energy / last.energy)
		last = now
	end
	lu.assertTrue(touched > 50, "they really met")
	lu.assertTrue(last.energy < 0.9 * first.energy)
	world:validate()
end

-- The engine's value is the sum of m v^2 / 2 + I w^2 / 2.
function TestConservation.test_d2_getKineticEnergy_is_the_textbooks()
	local _, bodies = swarm()
	local sum = 0
	for _, body in ipairs(bodies) do sum = sum + body:getKineticEnergy() end
	local expected = sums(bodies).energy
	lu.assertAlmostEquals(sum, expected, 1e-6 * expected)
end
