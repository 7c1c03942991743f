-- Laws of friction: inclines, sliding, rolling, tipping, belts, bowls and round tops.
--
-- Coulomb: the tangential impulse is at most mu times the normal one. Coefficients mix by the geometric mean, so two equal ones mix to the same. Distances
-- follow the integrator: a h^2 n (n + 1) / 2 after n sub-steps of h, that is a t^2 / 2 but for half a sub-step's motion. Tests of rest are made with sleeping
-- off.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d, round = planes[dim], require("support").round[dim]

	local G, DT = 10, 1 / 60

	local function way(a, steps)
		local n, h = 4 * steps, DT / 4
		return a * h * h * n * (n + 1) / 2
	end

	local run = require("support").steps

	-- A plane through the origin, inclined by angle, descending to the right: world, unit vector down the slope, and its normal.
	local function incline(angle, mu)
		local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
		local nx, ny = math.sin(angle), math.cos(angle)
		world:newBody { type = "static", shape = d.box(200, 2, { y = -1 }), angle = -angle, friction = mu }
		return world, ny, -nx, nx, ny
	end

	local function along(body, tx, ty)
		local x, y = body:getPosition()
		return x * tx + y * ty
	end

	-- A block w x h on the incline at the origin.
	local function block(world, angle, w, h, mu)
		return world:newBody {
			x = h / 2 * math.sin(angle), y = h / 2 * math.cos(angle), angle = -angle, shape = d.box(w, h), friction = mu,
		}
	end

	local TestIncline = suite("TestIncline", dim)

	-- a = g (sin - mu cos) where tan > mu; else it rests.
	function TestIncline.test_a_block_slides_down_by_g_sin_minus_mu_cos()
		for _, row in ipairs { { 30, 0.3 }, { 20, 0.2 }, { 45, 0.5 }, { 10, 0.1 } } do
			local angle, mu = math.rad(row[1]), row[2]
			local world, tx, ty = incline(angle, mu)
			local body = block(world, angle, 1, 0.5, mu)
			local start = along(body, tx, ty)
			run(world, 60)
			local a = G * (math.sin(angle) - mu * math.cos(angle))
			lu.assertAlmostEquals(along(body, tx, ty) - start, way(a, 60), 0.02 * way(a, 60), row[1] .. " degrees")
			local vx, vy = body:getLinearVelocity()
			lu.assertAlmostEquals(vx * tx + vy * ty, a, 0.02 * a)
		end
	end

	function TestIncline.test_a_block_rests_below_the_angle_of_friction()
		for _, row in ipairs { { 30, 0.6 }, { 10, 0.2 }, { 30, math.tan(math.rad(30)) / 0.95 }, { 10, math.tan(math.rad(10)) / 0.95 } } do
			local angle, mu = math.rad(row[1]), row[2]
			local world, tx, ty = incline(angle, mu)
			local body = block(world, angle, 1, 0.5, mu)
			local start = along(body, tx, ty)
			run(world, 300)
			lu.assertAlmostEquals(along(body, tx, ty), start, 0.001, ("%d degrees, mu %g"):format(row[1], mu))
		end
	end

	function TestIncline.test_a_block_slides_above_the_angle_of_friction()
		for _, degrees in ipairs { 10, 30 } do
			local angle = math.rad(degrees)
			local mu = math.tan(angle) / 1.05
			local world, tx, ty = incline(angle, mu)
			local body = block(world, angle, 1, 0.5, mu)
			local start = along(body, tx, ty)
			run(world, 120)
			-- 2 % of g sin, of which 5 % remains here: the displacement has a tolerance of 42 %.
			local expected = way(G * (math.sin(angle) - mu * math.cos(angle)), 120)
			lu.assertAlmostEquals(along(body, tx, ty) - start, expected, 0.42 * expected)
		end
	end

	-- If friction holds it, a block w x h tips where tan > w / h = 0.5 (26.565 degrees); otherwise it slides where tan > mu.
	function TestIncline.test_a_tall_block_tips_or_slides()
		local function outcome(degrees, mu)
			local angle = math.rad(degrees)
			local world, tx, ty = incline(angle, mu)
			local body = block(world, angle, 1, 2, mu)
			local start = along(body, tx, ty)
			run(world, 300)
			local turned = math.abs(body:getAngle() + angle) > 0.5
			local slid = along(body, tx, ty) - start > 0.1
			return turned and "tips" or slid and "slides" or "stands"
		end
		lu.assertEquals(outcome(26.565 - 1, 0.9), "stands")
		lu.assertEquals(outcome(26.565 + 1, 0.9), "tips")
		lu.assertEquals(outcome(16.699 - 1, 0.3), "stands")
		lu.assertEquals(outcome(16.699 + 1, 0.3), "slides")
	end

	local TestSliding = suite("TestSliding", dim)

	local function floor(mu, options)
		local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
		local body = { type = "static", y = -1, shape = d.box(400, 2), friction = mu }
		for key, value in pairs(options or {}) do body[key] = value end
		return world, world:newBody(body)
	end

	-- v0 / (mu g) = 1 s and v0^2 / (2 mu g) = 2.5 m, then rest, without reversal.
	function TestSliding.test_a_sliding_box_stops_after_v_squared_over_2_mu_g()
		local world = floor(0.5)
		local box = world:newBody { y = 0.5, shape = d.box(1, 1), friction = 0.5, linearVelocity = { 5, 0 } }
		local stopped
		for i = 1, 180 do
			world:step(DT)
			local v = box:getLinearVelocity()
			lu.assertTrue(v > -1e-3, "never goes back")
			if not stopped and v < 1e-3 then stopped = i * DT end
		end
		lu.assertAlmostEquals(stopped, 1, 0.02)
		lu.assertAlmostEquals((box:getPosition()), 2.5, 0.02 * 2.5)
	end

	-- Friction mixes by the geometric mean, or by the world's frictionMixing.
	function TestSliding.test_friction_mixes_as_the_world_says()
		local expected = { geometric = math.sqrt(0.1 * 0.9), average = 0.5, minimum = 0.1, maximum = 0.9, multiply = 0.09 }
		for mixing, mu in pairs(expected) do
			local world = floor(0.1)
			world:setFrictionMixing(mixing)
			local box = world:newBody { y = 0.5, shape = d.box(2, 1), friction = 0.9, linearVelocity = { 10, 0 } }
			run(world, 30)
			lu.assertAlmostEquals((box:getLinearVelocity()), 10 - mu * G * 0.5, 0.02 * mu * G * 0.5 + 1e-3, mixing)
		end
	end

	-- A force below mu m g has no effect, above it a = F / m - mu g. F acts at the centre.
	function TestSliding.test_a_force_moves_a_box_only_above_mu_m_g()
		local function pushed(force, steps)
			local world = floor(0.5)
			local box = world:newBody { y = 0.5, shape = d.box(2, 1), mass = 1, friction = 0.5 }
			run(world, steps, function() box:applyForce(force, 0) end)
			return (box:getPosition()), (box:getLinearVelocity())
		end
		lu.assertAlmostEquals((pushed(4.9, 120)), 0, 0.001)
		local x, v = pushed(5.1, 120)
		lu.assertTrue(x > 0.001)
		lu.assertAlmostEquals(v / 2, 0.1, 0.03 * 5.1)
		_, v = pushed(10, 60)
		lu.assertAlmostEquals(v, 5, 0.03 * 10)
	end

	-- A force F at height y tips a box of width w if F y > m g w / 2 and friction holds: 1 degree at this tilt is 4 % of the force.
	function TestSliding.test_a_force_above_the_middle_tips()
		local w, h, y = 1, 2, 1.5
		local limit = 1 * G * w / 2 / y
		for _, case in ipairs { { 0.96, false }, { 1.04, true } } do
			local world = floor(0.9)
			local box = world:newBody { y = h / 2, shape = d.box(w, h), mass = 1, friction = 0.9 }
			run(world, 240, function()
				local px, py = box:getWorldPoint(0, y - h / 2)
				box:applyForce(case[1] * limit, 0, px, py)
			end)
			lu.assertEquals(math.abs(box:getAngle()) > 0.2, case[2], case[1] .. " of the limit")
		end
	end

	local TestRolling = suite("TestRolling", dim)

	local function disc_on_incline(degrees, mu, rolling_resistance)
		local angle = math.rad(degrees)
		local world, tx, ty, nx, ny = incline(angle, mu)
		local disc = world:newBody { x = 0.5 * nx, y = 0.5 * ny, shape = d.circle(0.5), friction = mu, rollingResistance = rolling_resistance or 0 }
		return world, disc, tx, ty, angle
	end

	local function speed_along(body, tx, ty)
		local vx, vy = body:getLinearVelocity()
		return vx * tx + vy * ty
	end

	-- a = g sin / (1 + k), k = 1/2 (a ball's 2/5), where mu >= k / (1 + k) tan = 0.1213; below that a = g (sin - mu cos), alpha r = mu g cos / k.
	function TestRolling.test_a_disc_rolls_down_with_g_sin_over_1_plus_k()
		local world, disc, tx, ty, angle = disc_on_incline(20, 1)
		local start = along(disc, tx, ty)
		run(world, 90)
		local v, a = speed_along(disc, tx, ty), G * math.sin(angle) / (1 + round.inertia)
		lu.assertAlmostEquals(v / 1.5, a, 0.02 * a)
		lu.assertAlmostEquals(along(disc, tx, ty) - start, way(a, 90), 0.02 * way(a, 90))
		lu.assertAlmostEquals(-disc:getAngularVelocity() * 0.5, v, 0.01 * v)
	end

	function TestRolling.test_a_disc_slips_where_friction_is_too_weak()
		local world, disc, tx, ty, angle = disc_on_incline(20, 0.05)
		run(world, 60)
		local a, alpha_r = G * (math.sin(angle) - 0.05 * math.cos(angle)), 0.05 * G * math.cos(angle) / round.inertia
		lu.assertAlmostEquals(speed_along(disc, tx, ty), a, 0.02 * a)
		lu.assertAlmostEquals(-disc:getAngularVelocity() * 0.5, alpha_r, 0.02 * alpha_r)
	end

	-- Slides until t = k v0 / ((1 + k) mu g), then rolls at v0 / (1 + k): 4.667 m/s from 1.167 s, a ball 5 m/s from 1 s.
	function TestRolling.test_a_bowled_disc_slides_then_rolls()
		local world, k = floor(0.2), round.inertia
		local rolling, speed = k * 7 / ((1 + k) * 0.2 * G), 7 / (1 + k)
		local disc = world:newBody { y = 0.5, shape = d.circle(0.5), friction = 0.2, linearVelocity = { 7, 0 } }
		local rolls
		for i = 1, 150 do
			world:step(DT)
			local v, w = disc:getLinearVelocity(), disc:getAngularVelocity()
			if i * DT < 0.94 * rolling then lu.assertAlmostEquals(v, 7 - 0.2 * G * i * DT, 0.02 * 7) end
			if not rolls and math.abs(v + 0.5 * w) < 0.01 * v then rolls = i * DT end
		end
		-- Slip decreases at mu g (1 + 1 / k) = 6 m/s^2: a remainder of 1 % of v takes 8 ms, half a step.
		lu.assertAlmostEquals(rolls, rolling, 0.02 * rolling + DT)
		lu.assertAlmostEquals((disc:getLinearVelocity()), speed, 0.02 * speed)
		lu.assertAlmostEquals(-disc:getAngularVelocity() * 0.5, speed, 0.02 * speed)
	end

	-- The torque c r N stops a rolling disc: m v' = -F, I w' = F r - c r N, v = w r give v' = -c g / (1 + k).
	function TestRolling.test_rolling_resistance_slows_by_c_g_over_1_plus_k()
		local world = floor(1)
		local disc = world:newBody {
			y = 0.5, shape = d.circle(0.5), friction = 1, rollingResistance = 0.1, linearVelocity = { 2, 0 }, angularVelocity = -4,
		}
		local a = 0.1 * G / (1 + round.inertia)
		run(world, 60)
		lu.assertAlmostEquals((disc:getLinearVelocity()), 2 - a, 0.02 * 2)
		run(world, 150)
		lu.assertAlmostEquals((disc:getLinearVelocity()), 0, 1e-3)
		lu.assertAlmostEquals((disc:getPosition()), 2 * 2 / (2 * a), 0.02 * 3)
	end

	function TestRolling.test_rolling_resistance_holds_a_disc_where_tan_is_below_c()
		for _, case in ipairs { { 0.95, false }, { 1.05, true } } do
			local c = math.tan(math.rad(10)) / case[1]
			local world, disc, tx, ty = disc_on_incline(10, 1, c)
			local start = along(disc, tx, ty)
			run(world, 180)
			lu.assertEquals(along(disc, tx, ty) - start > 0.01, case[2], case[1])
		end
		local world, disc, tx, ty = disc_on_incline(10, 1, 0)
		run(world, 60)
		lu.assertTrue(speed_along(disc, tx, ty) > 1, "without it every slope sets it rolling")
	end

	-- Rolls back and forth in a valley of two inclines. At the bottom the disc hits the other incline: there is no restitution, the old contact ends, and the
	-- angular momentum about the new one is kept, v' = v (k + cos 2a) / (1 + k). So each crossing takes the same fraction of the speed, and nothing else does.
	-- Speeds are read at the ends of steps, and the impact is within a step: an error of g sin a / (1 + k) dt each. Box3D at 30 Hz: 0.71 of 0.84.
	function TestRolling.test_a_disc_crossing_a_valley_keeps_its_angular_momentum_about_the_new_contact()
		for _, slope in ipairs { 0.2, 0.34, 0.5 } do
			for _, hertz in ipairs { 30, 60, 120, 240 } do
				local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
				for side = -1, 1, 2 do
					world:newBody { type = "static", shape = d.box(8, 2, { y = -1 }), angle = side * slope, friction = 1 }
				end
				local r, far, k = 0.18, 0.3, round.inertia
				local disc = world:newBody {
					x = far * math.cos(slope) - r * math.sin(slope), y = far * math.sin(slope) + r * math.cos(slope), shape = d.circle(r), friction = 1,
				}
				local kept, missed = (k + math.cos(2 * slope)) / (1 + k), 2 * G * math.sin(slope) / (1 + k) / hertz
				local before, fastest, side, crossings = nil, 0, -1, 0
				for _ = 1, 6 * hertz do
					world:step(1 / hertz)
					local vx, vy = disc:getLinearVelocity()
					if vx * side < 0 then
						if before then
							crossings = crossings + 1
							lu.assertAlmostEquals(fastest, kept * before, missed, ("slope %g, %d Hz, crossing %d"):format(slope, hertz, crossings))
						end
						before, fastest, side = fastest, 0, -side
					end
					fastest = math.max(fastest, math.sqrt(vx * vx + vy * vy))
				end
				lu.assertTrue(crossings >= 3, ("slope %g, %d Hz: %d crossings"):format(slope, hertz, crossings))
			end
		end
	end

	local TestBelt = suite("TestBelt", dim)

	-- Placed at rest on a surface that moves at 2 m/s with mu = 0.5: reaches its speed after v / (mu g) = 0.4 s and 0.4 m of slip, then does not slip.
	local function carried(world, belt_way)
		local box = world:newBody { y = 0.25, shape = d.box(1, 0.5), friction = 0.5 }
		local reached
		for i = 1, 60 do
			world:step(DT)
			local v = box:getLinearVelocity()
			if not reached and v > 0.999 * 2 then reached = i * DT end
			lu.assertTrue(v < 2.001 * 1.01)
		end
		lu.assertAlmostEquals(reached, 0.4, 0.03 * 0.4 + DT)
		lu.assertAlmostEquals((box:getLinearVelocity()), 2, 0.03 * 2)
		lu.assertAlmostEquals(belt_way - box:getPosition(), 0.4, 0.03 * 2)
	end

	function TestBelt.test_a_surface_speed_carries_a_box()
		local world = floor(0.5, { tangentSpeed = 2 })
		carried(world, 2)
	end

	-- A positive tangentSpeed drives to the right of the outward normal: on a floor to +x, whichever body was created first. The order of creation may change
	-- bits, but the position by at most 1 cm.
	function TestBelt.test_the_direction_does_not_depend_on_the_order_of_bodies()
		local function way_on_belt(belt_first)
			local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
			local function belt()
				world:newBody { type = "static", y = -1, shape = d.box(400, 2), friction = 0.5, tangentSpeed = 2 }
			end
			if belt_first then belt() end
			local box = world:newBody { y = 0.25, shape = d.box(1, 0.5), friction = 0.5 }
			if not belt_first then belt() end
			run(world, 60)
			return (box:getPosition())
		end
		local one, two = way_on_belt(true), way_on_belt(false)
		lu.assertAlmostEquals(one, two, 0.01)
		lu.assertTrue(one > 1)
	end

	function TestBelt.test_a_moving_floor_carries_a_box()
		local world = floor(0.5, { type = "kinematic", linearVelocity = { 2, 0 } })
		carried(world, 2)
	end

	local TestRound = suite("TestRound", dim)

	-- A disc rolling in a bowl: T = 2 pi sqrt((1 + k) (R - r) / g) = 3.2192 s, k = 1/2; without friction k = 0: 2.6284 s. 128 facets a quadrant: a facet is 0.7
	-- degrees, the amplitude of 5 degrees crosses 14 of them.
	function TestRound.test_a_disc_swings_in_a_bowl()
		local function period(mu)
			local radius, r, facets = 2, 0.25, 256
			local points = {}
			for i = 0, facets do
				local angle = -math.pi * i / facets
				points[2 * i + 1], points[2 * i + 2] = radius * math.cos(angle), radius * math.sin(angle)
			end
			local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
			world:newBody { type = "static", shape = d.chain(points), friction = mu }
			local start = math.rad(5)
			local disc = world:newBody {
				x = (radius - r) * math.sin(start), y = -(radius - r) * math.cos(start), shape = d.circle(r), friction = mu,
			}
			local first, last, count, before = nil, nil, 0, disc:getPosition()
			for i = 1, 4 * 480 do
				world:step(1 / 240)
				local x = disc:getPosition()
				if (x > 0) ~= (before > 0) then
					local t = (i - x / (x - before)) / 240
					first, last, count = first or t, t, count + 1
				end
				before = x
			end
			lu.assertTrue(count >= 4)
			return 2 * (last - first) / (count - 1)
		end
		for mu, factor in pairs { [0] = 1, [1] = 1 + round.inertia } do
			local expected = 2 * math.pi * math.sqrt(factor * 1.75 / G)
			lu.assertAlmostEquals(period(mu), expected, 0.03 * expected)
		end
	end

	-- From the top of a static disc: without friction the moving disc leaves at cos = 2/3 (48.19 degrees), rolling at cos = 2 / (3 + k): 4/7 (55.15 degrees). A
	-- step follows the tangent and leaves the surface by (v dt)^2 / 2 R; the normal force N brings the disc back within v / sqrt(R N / m) steps of v dt / R =
	-- 0.1 degrees each. One degree before the end that takes less than 10 steps, another degree.
	function TestRound.test_a_disc_leaves_a_round_top()
		local function leaves(mu)
			local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
			world:newBody { type = "static", shape = d.circle(2), friction = mu }
			local start = 0.02
			local disc = world:newBody { x = 2.5 * math.sin(start), y = 2.5 * math.cos(start), shape = d.circle(0.5), friction = mu }
			local angle
			for _ = 1, 960 * 4 do
				world:step(1 / 960)
				for _, _, _, _, _, _, _, impulse in world:contacts() do
					if impulse > 0 then
						local x, y = disc:getPosition()
						angle = math.deg(math.atan2 and math.atan2(x, y) or math.atan(x, y))
					end
				end
			end
			return angle
		end
		lu.assertAlmostEquals(leaves(0), math.deg(math.acos(2 / 3)), 2)
		lu.assertAlmostEquals(leaves(10), math.deg(math.acos(2 / (3 + round.inertia))), 2)
	end
end
