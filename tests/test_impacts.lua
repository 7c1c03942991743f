-- Impacts, and structures on small supports, at any rate. Where no law gives a bound, the peers' figures do: Box2D 617d32ab, Box3D 30c67b5.
local lu, collide = require "luaunit", require "collide"
local d2, d3 = collide.d2, collide.d3

local unpack = table.unpack or unpack

local RATES = { 30, 60, 120 }

local function box(dimension, x, y, z)
	return dimension == 2 and d2.box(x, y) or d3.box(x, y, z)
end

local function vector(dimension, x, y)
	return dimension == 2 and { x, y } or { x, y, 0 }
end

local function new_world(dimension, options)
	options = options or {}
	options.gravity = options.gravity or vector(dimension, 0, -10)
	local world = (dimension == 2 and d2 or d3).newWorld(options)
	world:newBody { type = "static", y = -0.5, shape = box(dimension, 40, 1, 40) }
	return world
end

local function ball_shape(dimension)
	return dimension == 2 and d2.circle(0.5) or d3.sphere(0.5)
end

local function length(...)
	local sum = 0
	for _, x in ipairs { ... } do sum = sum + x * x end
	return math.sqrt(sum)
end

-- The greatest speeds of the bodies upwards, sideways and of rotation.
local function speeds(bodies)
	local up, aside, spin = 0, 0, 0
	for _, body in ipairs(bodies) do
		local x, y, z = body:getLinearVelocity()
		up, aside = math.max(up, y), math.max(aside, length(x, z or 0))
		spin = math.max(spin, length(body:getAngularVelocity()))
	end
	return up, aside, spin
end

-- The time until all bodies sleep; NaN if they do not.
local function asleep(world, hertz, seconds)
	for i = 1, hertz * seconds do
		world:step(1 / hertz)
		if world:getAwakeCount() == 0 then return i / hertz end
	end
	return 0 / 0
end

TestImpacts = {}

-- Newton's law of impact with e = 0: a crate that lands flat has no speed afterwards. There is no overlap, so nothing is pushed out. Box3D's crate rises at
-- 0.003 to 0.063 m/s and turns at 0.07 to 0.36 rad/s.
function TestImpacts.test_a_crate_that_lands_flat_stays_down()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			for _, speed in ipairs { 3, 5 } do
				local world = new_world(dimension)
				local crate = world:newBody { y = 0.25, shape = box(dimension, 0.5, 0.5, 0.9), linearVelocity = vector(dimension, 0, -speed), density = 200 }
				for _ = 1, 2 * hertz do
					world:step(1 / hertz)
					local up, aside, spin = speeds { crate }
					lu.assertTrue(up < 0.02 and aside < 0.02 and spin < 0.06, ("%dD, %d Hz, %g m/s: %g, %g m/s, %g rad/s"):format(dimension, hertz, speed, up, aside, spin))
				end
			end
		end
	end
end

-- Newton's law of impact with e = 0 and Coulomb's friction: a ball of R = 0.1 with v = 20 m/s hits an equal static one at the angle t from the normal, and
-- keeps v sin t - min(0.6 v cos t, v sin t / (1 + m R^2 / I)) along the surface. A body stopped by a sweep may continue along the surface while the normal
-- turns by at most 8 degrees: an error of d radians in the normal changes the velocity by at most v sqrt(1 + 0.6^2) d, 0.165 v.
function TestImpacts.test_a_ball_hits_a_static_ball_with_the_right_normal()
	local v, friction, turn = 20, 0.6, math.acos(0.99)
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			local world = (dimension == 2 and d2 or d3).newWorld { gravity = vector(dimension, 0, 0) }
			local shape, roll, balls = dimension == 2 and d2.circle(0.1) or d3.sphere(0.1), dimension == 2 and 3 or 3.5, {}
			for i = 0, 14 do
				for start = 0, 7 do
					local x, aside = 16 * i + 2 * start, 0.01 * i
					world:newBody { type = "static", x = x, shape = shape, friction = friction }
					balls[#balls + 1] = {
						aside / 0.2,
						world:newBody { x = x + aside, y = 0.5 + start / 8 * v / hertz, shape = shape, friction = friction, linearVelocity = vector(dimension, 0, -v) },
					}
				end
			end
			for _ = 1, math.ceil(0.06 * hertz) + 2 do world:step(1 / hertz) end
			for i, ball in ipairs(balls) do
				local sine, cosine = ball[1], math.sqrt(1 - ball[1] ^ 2)
				local speed = v * sine - math.min(friction * v * cosine, v * sine / roll)
				local x, y, z = ball[2]:getLinearVelocity()
				if dimension == 2 then z = 0 end
				local off = length(x - speed * cosine, y + speed * sine, z)
				lu.assertTrue(off < math.sqrt(1 + friction ^ 2) * turn * v, ("%dD, %d Hz, ball %d: %g m/s off"):format(dimension, hertz, i, off))
			end
		end
	end
end

-- A symmetric scene stays symmetric: a narrow crate on a wide one lands flat at 5 m/s and neither drifts aside nor turns (Box2D 0.43 m/s, 1.40 rad/s).
function TestImpacts.test_crates_on_each_other_land_without_turning()
	for _, hertz in ipairs(RATES) do
		local world = new_world(2)
		local crates = {}
		for i, width in ipairs { 0.9, 0.5 } do crates[i] = world:newBody { y = 0.301 + 0.6 * (i - 1), linearVelocity = { 0, -5 }, shape = d2.box(width, 0.6) } end
		for _ = 1, 2 * hertz do
			world:step(1 / hertz)
			local _, aside, spin = speeds(crates)
			lu.assertTrue(aside < 1e-4 and spin < 1e-3, ("%d Hz: %g m/s aside, %g rad/s"):format(hertz, aside, spin))
		end
	end
end

-- A lift that stops at 2 m/s throws three crates up by 0.2 m. They land on each other and stay within 1 cm of their axis.
function TestImpacts.test_a_tower_on_a_stopping_lift_stays_in_place()
	for dimension = 2, 3 do
		for _, hertz in ipairs { 30, 60 } do
			local world = new_world(dimension)
			local lift = world:newBody { type = "kinematic", y = 1, shape = box(dimension, 6, 0.4, 6) }
			local crates = {}
			for k = 1, 3 do crates[k] = world:newBody { y = 1.45 + 0.501 * (k - 1), shape = box(dimension, 0.5, 0.5, 0.9), density = 200 } end
			for i = 1, 6 * hertz do
				local t = i / hertz
				lift:setLinearVelocity(0, t > 1.5 and t <= 3.5 and 2 or 0, dimension == 3 and 0 or nil)
				world:step(1 / hertz)
			end
			for k, crate in ipairs(crates) do
				local x, y, z = crate:getPosition()
				local way = length(x, dimension == 3 and z or 0)
				lu.assertTrue(way < 0.01, ("%dD, %d Hz: crate %d is %g mm aside"):format(dimension, hertz, k, 1000 * way))
				local _, floor = lift:getPosition()
				lu.assertAlmostEquals(y, floor + 0.45 + 0.5 * (k - 1), 0.02)
			end
		end
	end
end

-- A heavy ball hits a light one near a wall, with all combinations of separations and speeds. Impulses of that impact warm start the next step, in which the
-- light ball is pressed from both sides. With restitution below 1, impacts take more energy than pushing out the overlap gives. With 1 the bound is the peers'
-- worst of these scenes.
function TestImpacts.test_a_ball_between_a_wall_and_a_heavy_ball_gains_no_energy()
	for dimension = 2, 3 do for _, restitution in ipairs { 0.9, 1 } do
		local d, worst, which = dimension == 2 and d2 or d3, 0, ""
		local function run(hertz, speed, ratio, share, near, far)
			local world = d.newWorld { gravity = vector(dimension, 0, 0) }
			world:newBody { type = "static", x = -0.5, shape = box(dimension, 1, 20, 20), restitution = restitution }
			local function ball(x, radius, mass, vx)
				local shape = dimension == 2 and d2.circle(radius) or d3.sphere(radius)
				return world:newBody { x = x, shape = shape, mass = mass, restitution = restitution, linearVelocity = vector(dimension, vx, 0) }
			end
			local light, heavy = ball(0.2 + near, 0.2, 1, -share * speed), ball(0.7 + near + far, 0.3, ratio, -speed)
			local before = light:getKineticEnergy() + heavy:getKineticEnergy()
			for _ = 1, 0.2 * hertz do
				world:step(1 / hertz)
				local part = (light:getKineticEnergy() + heavy:getKineticEnergy()) / before
				if part > worst then worst, which = part, ("%g:1, %d Hz, %g and %g m/s, gaps %g and %g"):format(ratio, hertz, speed, share * speed, near, far) end
			end
		end
		for _, hertz in ipairs(RATES) do for _, speed in ipairs { 10, 40 } do for _, ratio in ipairs { 1, 5, 10, 20, 30 } do
			for _, share in ipairs { 0, 0.25 } do for _, near in ipairs { 0, 0.01, 0.05, 0.1 } do for _, far in ipairs { 0.02, 0.05, 0.1, 0.2 } do
				run(hertz, speed, ratio, share, near, far)
			end end end
		end end end
		lu.assertTrue(worst < (restitution < 1 and 1.001 or 1.57), ("%dD, restitution %g, %s: %.3f of the energy"):format(dimension, restitution, which, worst))
	end end
end

TestBounces = {}

-- Newton's law of impact: a ball rises to e^2 of its fall. With velocities integrated before positions, velocities are those of the middle of a sub-step, so a
-- flight begins g h / 2 slower than its velocity says: u' = e u - g h / 2, h = 1/240 s or a quarter of the step, whatever the phase of the step at the impact.
-- Box2D loses up to twice that, or nothing, depending on the phase.
function TestBounces.test_balls_rise_as_high_as_the_law_says()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			for _, e in ipairs { 1, 0.8, 0.5 } do
				for start = 2, 2.12, 0.013 do
					local world = new_world(dimension)
					local ball = world:newBody { y = start, shape = ball_shape(dimension), restitution = e }
					local speed, before, count = math.sqrt(20 * (start - 0.5)), 0, 0
					for _ = 1, 6 * hertz do
						world:step(1 / hertz)
						local _, y = ball:getPosition()
						local _, v = ball:getLinearVelocity()
						if before > 0 and v <= 0 then
							count, speed = count + 1, e * speed - 10 / (8 * math.max(hertz, 60))
							if e * speed < 2 then break end
							lu.assertAlmostEquals((y - 0.5 + v * v / 20) / (speed * speed / 20), 1, 0.002 * count + 0.03 / hertz)
						end
						before = v
					end
					lu.assertTrue(count >= 1)
					world:destroy()
				end
			end
		end
	end
end

-- A capsule that hits the floor beside its centre of mass turns, and gains no energy, whatever the phase of the step: at most the half sub-step above. It
-- gained up to 0.054 m at 30 Hz.
function TestBounces.test_off_centre_bounces_gain_no_energy()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			for start = 2.85, 3.23, 0.013 do
				local world = new_world(dimension)
				local leg = math.sqrt(0.5)
				local shape = dimension == 2 and d2.capsule(-leg, -leg, leg, leg, 1) or d3.capsule(-leg, -leg, 0, leg, leg, 0, 1)
				local body = world:newBody { y = start, shape = shape, friction = 0, restitution = 1 }
				local function energy()
					local _, y = body:getCenter()
					return body:getKineticEnergy() / body:getMass() + 10 * y
				end
				local least, gain, fastest = energy(), 0, 0
				while length(body:getAngularVelocity()) == 0 do
					world:step(1 / hertz)
					least = math.min(least, energy())
					gain = energy() - least
					fastest = math.max(fastest, length(body:getLinearVelocity()))
				end
				lu.assertTrue(gain <= 10 / (8 * hertz) * fastest * 1.05, ("%dD, %d Hz, from %g: %g"):format(dimension, hertz, start, gain))
				world:destroy()
			end
		end
	end
end

-- A force presses a ball onto the floor as gravity does, also where a sweep stops it: pressed by 20 g at 30 Hz it rose to 17 times its start.
function TestBounces.test_a_ball_under_a_force_rises_no_higher_than_its_start()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			for start = 2, 5, 0.3 do
				local world = new_world(dimension, { gravity = vector(dimension, 0, 0), substeps = 2 })
				local ball = world:newBody { y = start, shape = ball_shape(dimension), restitution = 1 }
				local highest, rises = 0, false
				for _ = 1, 8 * hertz do
					ball:applyForce(unpack(vector(dimension, 0, -200 * ball:getMass())))
					world:step(1 / hertz)
					local _, y = ball:getPosition()
					local _, v = ball:getLinearVelocity()
					rises = rises or v > 0
					if rises then highest = math.max(highest, y) end
				end
				lu.assertTrue(highest > 0.6 and highest <= start, ("%dD, %d Hz, from %g: %g"):format(dimension, hertz, start, highest))
				world:destroy()
			end
		end
	end
end

-- A ball deeper inside the floor than its speed can have carried it was placed there. Pushing it out is no bounce: with e = 0.001 it rose by 64 mm.
function TestBounces.test_a_ball_placed_inside_is_not_thrown_out()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			local world = new_world(dimension)
			local ball = world:newBody { y = 0.4, shape = ball_shape(dimension), restitution = 0.001, linearVelocity = vector(dimension, 0, -1.2) }
			for _ = 1, hertz do
				world:step(1 / hertz)
				local _, y = ball:getPosition()
				lu.assertTrue(y < 0.501, y)
			end
			world:destroy()
		end
	end
end

TestTowers = {}

-- Slabs on posts 0.2 m wide, up to six storeys: asleep within 4 s, and in place but for the springs' deflection. A contact stiffness too high for the sub-steps
-- is reduced: also with contactHertz = 60 (Box3D: awake after 20 s from four storeys on at 30 and 60 Hz).
function TestTowers.test_towers_of_posts_and_slabs_come_to_rest()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			for storeys = 2, 6, 2 do
				for _, stiffness in ipairs { 40, 60 } do
					local world, y, slab = new_world(dimension, { contactHertz = stiffness }), 0, nil
					for _ = 1, storeys do
						for _, x in ipairs { -0.9, 0.9 } do
							for _, z in ipairs(dimension == 2 and { 0 } or { -0.9, 0.9 }) do
								world:newBody { x = x, y = y + 0.5, z = dimension == 3 and z or nil, shape = box(dimension, 0.2, 1, 0.2) }
							end
						end
						slab = world:newBody { y = y + 1.1, shape = box(dimension, 2, 0.2, 2) }
						y = y + 1.2
					end
					local name = ("%dD, %d storeys, %d Hz, contacts of %d Hz"):format(dimension, storeys, hertz, stiffness)
					local rest = asleep(world, hertz, 5)
					lu.assertTrue(rest <= 4, name .. ": asleep after " .. rest)
					local x, top, z = slab:getPosition()
					lu.assertTrue(length(x, dimension == 3 and z or 0) < 0.03, name .. ": aside")
					lu.assertTrue(y - 0.1 - top < 0.13, name .. ": down by " .. y - 0.1 - top)
				end
			end
		end
	end
end

-- Layers of four or five crossed beams come to rest. When contacts far from both bodies' centres of mass pushed along one direction, or along the mean of both,
-- layers of two vibrated less, but these for ever.
function TestTowers.test_grids_of_crossed_beams_rest()
	for _, hertz in ipairs(RATES) do
		for count = 4, 5 do
			local world = new_world(3)
			for k = 0, 19 do
				for i = 0, count - 1 do
					local aside, lies = 2 * i / (count - 1) - 1, k % 2 == 0
					world:newBody { x = lies and aside or 0, y = 0.05 + 0.1 * k, z = lies and 0 or aside, shape = box(3, lies and 0.15 or 2.4, 0.1, lies and 2.4 or 0.15) }
				end
			end
			local rest = asleep(world, hertz, 6)
			lu.assertTrue(rest <= 4, ("%d a layer, %d Hz: asleep after %g s"):format(count, hertz, rest))
			world:destroy()
		end
	end
end

-- Four tables of one body each, stacked by their four legs, and on them a crate of five times their density: they rest in place. With legs solved like those
-- beams they walked, and the crate fell.
function TestTowers.test_tables_on_each_other_rest()
	for _, hertz in ipairs(RATES) do
		local world = new_world(3)
		for k = 0, 3 do
			local shapes = { { shape = d3.box(1.6, 0.1, 1.6, { y = 0.75 }) } }
			for _, x in ipairs { -0.74, 0.74 } do
				for _, z in ipairs { -0.74, 0.74 } do shapes[#shapes + 1] = { shape = d3.box(0.12, 0.7, 0.12, { x = x, y = 0.35, z = z }) } end
			end
			world:newBody { x = 0.001 * (k % 2), y = 0.8 * k, shapes = shapes }
		end
		local crate = world:newBody { y = 3.7, shape = d3.box(1, 1, 1), density = 5 }
		lu.assertTrue(asleep(world, hertz, 4) <= 3, ("%d Hz"):format(hertz))
		local x, _, z = crate:getPosition()
		lu.assertTrue(length(x, z) < 0.01, ("%d Hz: aside by %.1f mm"):format(hertz, 1000 * length(x, z)))
		world:destroy()
	end
end

-- Columns of 40: at 30 Hz Box2D's goes to sleep after 5.8 s and Box3D's never.
function TestTowers.test_columns_of_forty_rest_at_any_rate()
	for dimension = 2, 3 do
		for _, hertz in ipairs(RATES) do
			local world = new_world(dimension)
			local top
			for i = 1, 40 do top = world:newBody { y = i - 0.5, shape = box(dimension, 1, 1, 1) } end
			local rest = asleep(world, hertz, 7)
			lu.assertTrue(rest <= 1.1 * 5.83, ("%dD, %d Hz: asleep after %g s"):format(dimension, hertz, rest))
			lu.assertTrue(select(2, top:getPosition()) > 37)
		end
	end
end
