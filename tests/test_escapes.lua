-- Laws of escape: no body leaves a room of thin walls, however fast, thin, pressed or jammed.
local lu, collide = require "luaunit", require "collide"
local worlds = require "escape_worlds"
local planes, suite = require("support").planes, require("support").suite

-- --- Random rooms --------------------------------------------------------------------------------------------------------------
-- A few of them; `make deep` runs many.

TestEscapes = {}

-- Worlds that let bodies out before the sweep kept all surfaces that a body has touched in the step. At that time 131 (2D) and 89 (3D) bodies got out in 5,000
-- body-seconds.
local known = {
	[2] = {
		8, 182, 268, 946, -- thin shapes pressed through segments below the speed at which bodies are swept
		12, 484, -- two circles that spin through a wall, each in front of it at the start and the end of a step
		40, 234, 684, 874, -- between a piston and a side wall
		133, 425, -- through a turning room's wall along a path that is bent in its frame
		301, 10065, 10510, 15948, -- bullets pushed by others along walls of turning rooms
		33460, 35016, 45224, 46483, -- the same for thin shapes that have sunk in: closer to a wall than their path is bent
		15559, -- pressed by a turning wall, closer in each step
		22001, -- an ellipse in a corner, deepest beyond the ends of both walls
		3006194, -- an ellipse that stands on a ridge with its tip below, closer to its sides
		4012981, 4020031, -- small ones, first behind a segment of a turning chain, then in front of it, then through it
		4008677, -- a bullet on a plate that makes several turns in a step
		5003603, -- thinner than the motion after which its contact is tested again
		836, 911, 2871, 3672, 501311, -- bullets that carry each other past a plate
		6225, 11064, 15865, -- through walls that swing out of the union of their AABBs at both ends of a step
		2494, 11035, -- past a ridge between two segments, behind one and in front of the other
		11782, -- two circles whose rotation passes through a wall and back
	},
	[3] = {
		9, 13, 42, 51, 87, 155, 178, 353, 12431, 30278,
		3811, 19358, 700642, -- in corners, where hits of both walls used up the sweep's iterations before the piston came
		20978, -- through walls that swing out of their AABBs
		1014913, 1022278, -- after too many impacts, before a piston came
		1009942, -- jointed spheres, moved back from where a wall had carried them
		3221, -- a capsule in a corner, whose contact had only the higher one of its ends
		2002915, -- a tapered capsule in a corner, its thick end below both faces and over neither
	},
}

-- The same for other distributions.
local changed = {
	small = { half = { 0.25, 0.8 }, size = { 0.005, 0.2 }, count = { 20, 200 }, filled = 0.4 },
	tiny = { half = { 0.5, 3 }, size = { 0.005, 0.012 }, count = { 5, 60 } },
	rates = { hertz = { 20, 45, 90, 240 }, substeps = { 1, 2, 3 } },
}
local known_changed = {
	{ "tiny", 2, 26 }, { "tiny", 2, 128 }, { "tiny", 3, 68 }, { "tiny", 3, 96 }, -- two balls on one body, which turned in a wall as if it were a disc
	{ "tiny", 3, 225 }, -- a plate of 0.1 mm, too slow to be swept
	{ "small", 3, 54 }, { "rates", 2, 329 }, -- carried into a wall by a piston that they had bounced off
}

function TestEscapes.test_nothing_leaves_rooms_of_other_distributions()
	local usual, lines = worlds.distributions, {}
	for _, case in ipairs(known_changed) do
		local before = {}
		for key, value in pairs(changed[case[1]]) do before[key], usual[key] = usual[key], value end
		local _, _, escapes = worlds.run(case[2], case[3])
		for key, value in pairs(before) do usual[key] = value end
		for _, line in ipairs(escapes) do lines[#lines + 1] = case[1] .. ": " .. line end
	end
	lu.assertEquals(lines, {})
end

for n = 2, 3 do
	TestEscapes[n == 2 and "test_nothing_leaves_a_room_of_the_plane" or "test_nothing_leaves_a_room_of_space"] = function()
		local numbers, lines = {}, {}
		for number = 1, 4 do numbers[number] = number end
		for _, number in ipairs(known[n]) do numbers[#numbers + 1] = number end
		for _, number in ipairs(numbers) do
			local _, _, escapes = worlds.run(n, number)
			for _, line in ipairs(escapes) do lines[#lines + 1] = line end
		end
		for number = 1, 2 do -- the same with bullets that do not stop at each other
			local _, _, escapes = worlds.run(n, number, nil, true)
			for _, line in ipairs(escapes) do lines[#lines + 1] = "apart: " .. line end
		end
		lu.assertEquals(lines, {})
	end
end

-- --- Single cases --------------------------------------------------------------------------------------------------------------

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestPressed, TestPressedOfPlane = suite("TestPressed", dim), suite("TestPressed", dim, "d2")

	-- A sleeping body wakes before a wall that begins to move, and stays in front of it while it moves: it must not be swept along its last displacement before
	-- it slept.
	function TestPressed.test_a_sleeping_body_stays_in_front_of_a_wall_that_begins_to_move()
		for _, hertz in ipairs { 15, 30, 60, 120 } do
			for _, speed in ipairs { 1, 5, 20 } do
				for _, gap in ipairs { 0, 0.05, 0.3 } do
					local world = d.newWorld { gravity = { 0, 0 } }
					local wall = world:newBody { type = "kinematic", x = -0.005, shape = d.box(0.01, 4) }
					local body = world:newBody { x = 0.1 + gap, shape = d.box(0.2, 0.2) }
					for _ = 1, hertz do world:step(1 / hertz) end
					lu.assertFalse(body:isAwake())
					wall:setLinearVelocity(speed, 0)
					for step = 1, hertz / 2 do
						world:step(1 / hertz)
						lu.assertTrue(body:getPosition() > wall:getPosition(), ("%d Hz, %g m/s, gap %g, step %d"):format(hertz, speed, gap, step))
					end
				end
			end
		end
	end

	-- A wall that arrives from afar wakes it, and pushes it along from the next step on.
	function TestPressed.test_a_sleeping_body_hit_by_a_wall_moves_along_with_it()
		for _, hertz in ipairs { 15, 30, 60, 120 } do
			for _, speed in ipairs { 2, 8, 20 } do
				local world = d.newWorld { gravity = { 0, 0 } }
				local wall = world:newBody { type = "kinematic", x = -2, shape = d.segment(0, -2, 0, 2), linearVelocity = { speed, 0 } }
				local body = world:newBody { shape = d.box(0.2, 0.2) }
				body:setAwake(false)
				repeat world:step(1 / hertz) until body:isAwake() or wall:getPosition() > 0
				for step = 1, hertz do
					world:step(1 / hertz)
					lu.assertTrue(body:isAwake())
					lu.assertTrue(body:getPosition() > wall:getPosition(), ("%d Hz, %g m/s, step %d"):format(hertz, speed, step))
				end
				lu.assertTrue(body:getLinearVelocity() >= 0.9 * speed)
			end
		end
	end

	-- A script puts bodies to sleep that have sunk into a wall, again and again. However slow the wall, it does not pass their centres.
	function TestPressed.test_no_wall_passes_a_body_put_to_sleep_in_it()
		for i = 0, 39 do
			local world, speed = d.newWorld { gravity = { 0, 0 } }, 0.2 * 1.15 ^ i
			local wall = world:newBody { type = "kinematic", shape = i % 2 == 0 and d.box(0.01, 4) or d.segment(0, -2, 0, 2), linearVelocity = { speed, 0 } }
			local body = world:newBody { x = 0.02 + 0.01 * (i % 7), shape = i % 3 == 0 and d.circle(0.1) or d.box(0.2, 0.2) }
			for step = 1, 60 do
				world:step(1 / 60)
				body:setAwake(step % 4 == 0)
				lu.assertTrue(body:getPosition() > wall:getPosition(), ("wall %d, step %d"):format(i, step))
			end
		end
	end

	-- A spinning free plate sweeps its disc several times while a bullet crosses it, in one step: whatever the phase, the bullet hits.
	function TestPressed.test_no_bullet_crosses_the_disc_of_a_plate_that_spins()
		for i = 0, 39 do
			local world, spin = d.newWorld { gravity = { 0, 0 } }, (i % 2 == 0 and 1 or -1) * (60 + 2 * i)
			local plate = world:newBody { shape = d.box(0.02, 4), density = 1000, angle = 0.15 * i, angularVelocity = spin }
			if dim == "d3" then d.hold(plate) end
			-- The bullet takes a tenth of a second from end to end; the plate makes half a turn in less.
			local bullet = world:newBody { x = -4, y = 0.02 * i, shape = d.circle(0.05), bullet = true, linearVelocity = { 40, 0 } }
			world:step(0.25)
			local x, y = bullet:getPosition()
			lu.assertTrue(not (x > 2 and math.abs(y - 0.02 * i) < 1e-3), ("spin %g: at %.3f, %.3f"):format(spin, x, y))
		end
	end

	-- A bar that spins in a corner throws bodies against both walls, more often in a step than the sweep handles, and jams some. None passes a wall.
	function TestPressed.test_a_bar_that_spins_in_a_corner_pushes_nothing_out()
		local starts = { 775, 1126, 1253, 1394 } -- a body that the bar pressed against a wall was released behind it
		for i = 0, 59 do starts[#starts + 1] = i end
		for _, start in ipairs(starts) do
			local world, i = d.newWorld { gravity = { 0, 0 } }, start % 60
			world:newBody { type = "static", shapes = {
				{ shape = d.segment(-1, -1, 1, -1), restitution = i % 2 }, { shape = d.segment(1, -1, 1, 1), restitution = i % 2 },
				{ shape = d.segment(1, 1, -1, 1), restitution = i % 2 }, { shape = d.segment(-1, 1, -1, -1), restitution = i % 2 },
			} }
			local reach = 0.2 + 0.01 * (i % 10)
			world:newBody { type = "kinematic", x = 1.05 - reach, y = 1.05 - reach, shape = d.box(2 * reach, 0.1), angularVelocity = 20 + 4 * i + 0.01 * start }
			local bodies = {}
			for k = 0, 8 do
				bodies[k + 1] = world:newBody {
					x = -0.8 + 0.4 * (k % 3), y = -0.8 + 0.4 * math.floor(k / 3), angle = 0.7 * k, bullet = k % 2 == 0, restitution = 1, friction = 0.1 * k,
					shape = k % 3 == 0 and d.box(0.14, 0.14) or d.box(0.2, 0.02 + 0.01 * (i % 5)), linearVelocity = { 10 + 3 * i, 10 + 2 * i + k }, angularVelocity = 10 * k,
				}
			end
			for step = 1, 30 do
				world:step(1 / 60)
				for k, body in ipairs(bodies) do
					local x, y = body:getCenter()
					lu.assertTrue(math.max(math.abs(x), math.abs(y)) < 1, ("start %d, body %d, step %d: (%g, %g)"):format(start, k, step, x, y))
					if step % 6 == 0 then body:setLinearVelocity((0.9 - x) * 60, (0.9 - y) * 60) end
				end
			end
		end
	end

	-- A ball of 5 cm under a box of 10,000 times its mass stays above a segment and a chain, within a segment and at a joint, at any rate. The box comes down
	-- beside it.
	function TestPressed.test_a_ball_under_ten_thousand_times_its_mass_stays_above_a_thin_floor()
		local points = {}
		for i = 0, 20 do points[2 * i + 1], points[2 * i + 2] = 10 - i, 0 end
		for name, floor in pairs { segment = d.segment(-10, 0, 10, 0), chain = d.chain(points) } do
			for _, hertz in ipairs { 30, 60, 120 } do
				for _, x in ipairs { 0, 0.3, 0.5 } do
					local world = d.newWorld { gravity = { 0, -10 } }
					world:newBody { type = "static", shape = floor }
					local ball = world:newBody { x = x, y = 0.05, shape = d.circle(0.05), density = 1 }
					world:newBody { x = x, y = 0.6, shape = d.box(1, 1), density = 10000 * ball:getMass() }
					for _ = 1, 3 * hertz do
						world:step(1 / hertz)
						local _, y = ball:getPosition()
						lu.assertTrue(y > 0, ("%s at %d Hz, x %g: %g"):format(name, hertz, x, y))
					end
				end
			end
		end
	end

	-- A turning wall presses a box that slides outwards along it, by w v / 2 times the time squared. Without a lower bound the box's centre came closer by half
	-- of the remaining distance in each step, down to 0.
	function TestPressed.test_nothing_slides_through_a_wall_that_turns()
		for i = 0, 59 do
			local world, w = d.newWorld { gravity = { 0, 0 }, substeps = i % 2 == 0 and 1 or 4 }, 3 + 0.1 * (i % 20)
			local wall = world:newBody { type = "kinematic", angularVelocity = w, shape = d.box(0.01, 100, { x = 2.505 }), friction = 0 }
			local box = world:newBody { x = 2.46, shape = d.box(0.1, 0.1), friction = 0, linearVelocity = { 0, 2.5 * w + 10 + 0.5 * i } }
			for step = 1, 60 do
				world:step(1 / 60)
				local x, y = wall:getLocalPoint(box:getCenter())
				lu.assertTrue(x < 2.5 or y > 49, ("slide %d, step %d: %g"):format(i, step, x - 2.5))
			end
		end
	end

	-- A plate thinner than the penetration that contacts allow rests inside a floor of 1 cm, and is then thrown down.
	function TestPressed.test_no_thin_plate_is_thrown_through_its_floor()
		for i = 0, 199 do
			local world, angle = d.newWorld { gravity = { 0, -10 }, substeps = i % 2 == 0 and 1 or 4 }, 0.1 + 0.04 * (i % 37)
			world:newBody { type = "static", y = -0.005, shape = d.box(40, 0.01) }
			local plate = world:newBody { y = 0.001, shape = d.box(0.1, 0.001 + 0.0005 * (i % 5)), friction = 0.1 * (i % 11) }
			for _ = 1, 30 do world:step(1 / 30) end
			plate:setLinearVelocity(0.1 * i * math.cos(angle), -0.1 * i * math.sin(angle))
			plate:setAngularVelocity((i % 7 - 3) * 30)
			for step = 1, 10 do
				world:step(1 / 30)
				local _, y = plate:getCenter()
				lu.assertTrue(y > -0.01, ("throw %d, step %d: %g"):format(i, step, y))
			end
		end
	end

	-- Two separated balls of 1 to 5 mm on one body, thrown into a wall while it turns by up to half a turn in each step.
	function TestPressed.test_no_tiny_dumbbell_turns_through_a_thin_wall()
		for _, wall in ipairs { "static", "kinematic" } do
			for i = 0, 199 do
				local r, world = 0.001 * (1 + i % 5), d.newWorld { gravity = { 0, 0 }, substeps = i % 2 == 0 and 1 or 4 }
				world:newBody { type = wall, shape = d.segment(0, -20, 0, 20) }
				local body = world:newBody {
					x = -0.05 - 0.001 * (i % 11), shapes = { { shape = d.circle(r, -1.5 * r, 0) }, { shape = d.circle(r, 1.5 * r, 0) } }, bullet = i % 3 == 0,
					linearVelocity = { 0.5 + 0.1 * i, 20 - i % 40 }, angularVelocity = 0.94 * i,
				}
				for step = 1, 30 do
					world:step(1 / 60)
					lu.assertTrue(body:getCenter() < 0, ("%s wall, throw %d, step %d: %g"):format(wall, i, step, (body:getCenter())))
				end
			end
		end
	end

	-- Ellipses with a half axis of 1 to 3 mm, thrown at walls of 1 cm and at segments, at rates from 15 to 240 Hz and speeds from 1 to 400 m/s.
	function TestPressedOfPlane.test_no_thin_ellipse_passes_a_thin_wall()
		for _, wall in ipairs { d.box(0.01, 40), d.segment(0, -20, 0, 20) } do
			for i = 0, 159 do
				local world, hertz = d.newWorld { gravity = { 0, 0 } }, ({ 15, 30, 60, 120, 240 })[i % 5 + 1]
				world:newBody { type = "static", shape = wall, restitution = i % 3 / 2 }
				local body = world:newBody {
					x = -0.6, y = 0, angle = 0.37 * i, shape = d.ellipse(0.5, 0.001 * (1 + i % 3)), bullet = i % 2 == 0,
					linearVelocity = { 400 ^ (i / 159), 3 - i % 7 }, angularVelocity = 240 * math.sin(i),
				}
				for _ = 1, hertz do
					world:step(1 / hertz)
					lu.assertTrue(body:getCenter() < 0.005, ("throw %d: %g"):format(i, (body:getCenter())))
				end
			end
		end
	end

	-- Created with the centre above the bottom of a valley and the tips inside the slopes: shapes may be deepest beyond the ends of both.
	function TestPressedOfPlane.test_nothing_long_sinks_out_of_a_valley()
		local makes = {
			ellipse = function(k) return d.ellipse(0.3, 0.02 + 0.02 * k) end,
			box = function(k) return d.box(0.6, 0.04 + 0.02 * k) end,
			capsule = function(k) return d.capsule(-0.3, 0, 0.3, 0, 0.02 + 0.01 * k) end,
		}
		for name, make in pairs(makes) do
			for i = 0, 79 do
				local world, slope = d.newWorld { gravity = { 0, -10 } }, 1 + 0.2 * (i % 5 - 2)
				world:newBody { type = "static", shape = d.chain({ -4, 10, 4, 10, 4, 4 * slope, 0, 0, -4, 4 * slope }, { loop = true }) }
				local body = world:newBody { x = 0.02 * (i % 7 - 3), y = 0.06 + 0.02 * (i % 11), angle = 0.17 * i, shape = make(i % 4) }
				for step = 1, 60 do
					world:step(1 / 60)
					local x, y = body:getCenter()
					lu.assertTrue(y > slope * math.abs(x), ("%s, start %d, step %d: (%g, %g)"):format(name, i, step, x, y))
				end
			end
		end
	end

	-- Created upright with the ridge of two segments inside and the centre above: the translations out past the sides lead along the segments, not out of them.
	function TestPressedOfPlane.test_nothing_long_sinks_over_a_ridge()
		local makes = {
			ellipse = function(k) return d.ellipse(0.12, 0.05 + 0.01 * k) end,
			box = function(k) return d.box(0.24, 0.1 + 0.02 * k) end,
			capsule = function(k) return d.capsule(-0.07, 0, 0.07, 0, 0.05 + 0.01 * k) end,
		}
		for name, make in pairs(makes) do
			for i = 0, 79 do
				local world, slope = d.newWorld { gravity = { 0, -10 } }, 0.1 + 0.15 * (i % 4)
				world:newBody { type = "static", shape = d.chain({ -4, 8, 4, 8, 4, -4 * slope, 0, 0, -4, -4 * slope }, { loop = true }) }
				local body = world:newBody { x = 0.004 * (i % 9 - 4), y = 0.005 + 0.008 * (i % 7), angle = math.pi / 2 + 0.03 * (i % 11 - 5), shape = make(i % 3) }
				for step = 1, 60 do
					world:step(1 / 60)
					local x, y = body:getCenter()
					lu.assertTrue(y > -slope * math.abs(x), ("%s, start %d, step %d: (%g, %g)"):format(name, i, step, x, y))
				end
			end
		end
	end

	-- In a corner of three faces in 3D, tips below two or three faces are over none of them.
	if dim == "d3" then
		function TestPressed.test_nothing_long_sinks_out_of_a_corner()
			local d3 = collide.d3
			local makes = {
				taperedCapsule = function(r) return d3.taperedCapsule(-0.25, 0, 0, 2 * r, 0.25, 0, 0, r) end,
				capsule = function(r) return d3.capsule(-0.3, 0, 0, 0.3, 0, 0, r) end,
				ellipsoid = function(r) return d3.ellipsoid(0.3, r, r) end,
				cone = function(r) return d3.cone(2 * r, 0.6) end,
				cylinder = function(r) return d3.cylinder(r, 0.6) end,
				box = function(r) return d3.box(0.6, 2 * r, 2 * r) end,
			}
			local corners = {
				open = d3.mesh({ 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 4, 4, 0, 0, 4, 4, 4, 0, 4 },
					{ 1, 7, 2, 1, 4, 7, 1, 6, 4, 1, 3, 6, 1, 5, 3, 1, 2, 5 }, { oneSided = true }),
				closed = d3.mesh({ 0, 0, 0, 4, 0, 0, 4, 4, 0, 0, 4, 0, 0, 0, 4, 4, 0, 4, 4, 4, 4, 0, 4, 4 },
					{ 1, 2, 3, 1, 3, 4, 5, 7, 6, 5, 8, 7, 1, 6, 2, 1, 5, 6, 4, 3, 7, 4, 7, 8, 1, 4, 8, 1, 8, 5, 2, 7, 3, 2, 6, 7 }, { oneSided = true }),
			}
			for name, make in pairs(makes) do
				for i = 0, 59 do
					local world, surface = d3.newWorld { gravity = { -5, -10, -5 } }, i % 2 == 0 and "open" or "closed"
					world:newBody { type = "static", shape = corners[surface] }
					local a, h = 0.37 * i, 0.2 * i % 1
					local body = world:newBody {
						qx = math.sin(a) * h, qy = math.cos(a), qz = math.sin(3 * a), qw = 1 - h, shape = make(0.03 + 0.02 * (i % 4)),
					}
					local x, y, z = body:getCenter()
					body:setPosition(0.05 + 0.01 * (i % 7) - x, 0.06 + 0.01 * (i % 11) - y, 0.05 + 0.01 * (i % 5) - z)
					for step = 1, 60 do
						world:step(1 / 60)
						local x, y, z = body:getCenter()
						lu.assertTrue(math.min(x, y, z) > 0, ("%s, %s corner, start %d, step %d: (%g, %g, %g)"):format(name, surface, i, step, x, y, z))
					end
				end
			end
		end
	end

	-- A box that spins half a turn in each step falls along a wall as it would without spin: friction takes some of its speed, never all.
	function TestPressedOfPlane.test_a_box_that_spins_in_a_wall_keeps_falling()
		for _, spin in ipairs { -168.04319952601512, 188.5, -188.5, 240 } do
			local world = d.newWorld()
			world:newBody { type = "static", x = -0.05, shape = d.box(0.1, 4000), friction = 0.2 }
			local body = world:newBody {
				x = 0.10599725889196697, angle = 1.8525473488918578, linearVelocity = { -11.096944377537632, -17.308781979668638 },
				angularVelocity = spin, shape = d.box(0.3, 0.2), friction = 0.2,
			}
			for _ = 1, 600 do world:step(1 / 60) end
			local _, y = body:getPosition()
			lu.assertTrue(y < -17 * 10 - 0.25 * 0.5 * 10 * 10 ^ 2, ("%g rad/s: y %g"):format(spin, y))
		end
	end

	-- Steps of 1/60 s alternate with steps of 0.15 to 0.25 s: quadrangles stay above a segment.
	function TestPressedOfPlane.test_long_steps_lose_no_body()
		for i = 1, 60 do
			for substeps = 1, 4, 3 do
				local world = d.newWorld { substeps = substeps }
				world:newBody { type = "static", shape = d.segment(-100, 0, 100, 0) }
				local body = world:newBody { y = 3.2, angle = 0.7 * i, shape = d.polygon { -0.29, 0.46, 0.11, 0.2, 0.18, -0.15, 0.16, 0.49 } }
				for step = 1, 60 do
					world:step(step % 2 == 1 and 1 / 60 or 0.15 + 0.1 * (i % 10) / 10)
					local _, y = body:getCenter()
					lu.assertTrue(y > 0, ("start %d, %d sub-steps, step %d: %g"):format(i, substeps, step, y))
				end
			end
		end
	end
end
