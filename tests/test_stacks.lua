-- Laws of resting bodies: contact forces, stacks, arches, cards, ladders, overhangs, dominoes and sleeping.
--
-- In equilibrium the impulses of a step add up to the weight times dt. Contacts are soft: bodies rest with an overlap of up to SLOP = 5 mm. Tests of rest are
-- made with sleeping off, so that bodies do not merely sleep.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local G, DT, SLOP = 10, 1 / 60, 0.005

	local function new_world(sleeping)
		return d.newWorld { gravity = { 0, -G }, sleeping = sleeping or false }
	end

	local function floor(world, friction, width)
		return world:newBody { type = "static", y = -1, shape = d.box(width or 200, 2), friction = friction or 0.6 }
	end

	local function run(world, seconds, before)
		for i = 1, math.floor(seconds / DT + 0.5) do
			if before then before(i) end
			world:step(DT)
		end
	end

	-- The bodies' poses, for comparison.
	local function places(bodies)
		local list = {}
		for i, body in ipairs(bodies) do list[i] = { body:getTransform() } end
		return list
	end

	-- The greatest displacement and the greatest rotation of a body since then.
	local function moved(bodies, before)
		local way, turn = 0, 0
		for i, body in ipairs(bodies) do
			local x, y, angle = body:getTransform()
			way = math.max(way, math.sqrt((x - before[i][1]) ^ 2 + (y - before[i][2]) ^ 2))
			turn = math.max(turn, math.abs((angle - before[i][3] + math.pi) % (2 * math.pi) - math.pi))
		end
		return way, turn
	end

	-- The upward impulse of the last step between every pair of bodies: sum[lower][upper].
	local function impulses(world)
		local sum = {}
		for a, b, _, ny, _, _, _, impulse in world:contacts() do
			local lower, upper, up = a:getBody(), b:getBody(), ny * impulse
			if up < 0 then lower, upper, up = upper, lower, -up end
			sum[lower] = sum[lower] or {}
			sum[lower][upper] = (sum[lower][upper] or 0) + up
		end
		return sum
	end

	-- The mean of impulses() over count steps.
	local function mean_impulse(world, count, lower, upper)
		local sum = 0
		for _ = 1, count do
			world:step(DT)
			local now = impulses(world)
			sum = sum + (now[lower] and now[lower][upper] or 0)
		end
		return sum / count
	end

	local TestResting = suite("TestResting", dim)

	-- The floor gives m g dt in each step; the box does not move.
	function TestResting.test_the_floor_carries_the_weight()
		local world = new_world()
		local ground = floor(world)
		local box = world:newBody { y = 0.5, shape = d.box(1, 1), mass = 1 }
		run(world, 1)
		local before = places { box }
		lu.assertTrue(math.abs(before[1][2] - 0.5) < SLOP)
		run(world, 4)
		local way, turn = moved({ box }, before)
		lu.assertTrue(way < 1e-4 and turn < 1e-4)
		lu.assertAlmostEquals(mean_impulse(world, 60, ground, box), G * DT, 0.01 * G * DT)
	end

	-- Each shape that can rest is carried with its weight; a round one at one point.
	function TestResting.test_every_shape_rests_with_its_weight()
		local shapes = {
			circle = { d.circle(0.5), 0.5 },
			box = { d.box(1, 1), 0.5 },
			rounded = { d.box(1, 1, { radius = 0.2 }), 0.5 },
			capsule = { d.capsule(-0.5, 0, 0.5, 0, 0.3), 0.3 },
			triangle = { d.polygon { -0.5, 0, 0.5, 0, 0, 0.8 }, 0 },
			ellipse = { d.ellipse(0.7, 0.4), 0.4 },
		}
		for name, entry in pairs(shapes) do
			local world = new_world()
			local ground = floor(world)
			local body = world:newBody { y = entry[2], shape = entry[1], mass = 2 }
			run(world, 1)
			local before = places { body }
			lu.assertTrue(math.abs(before[1][2] - entry[2]) < SLOP, name)
			run(world, 1)
			lu.assertTrue(moved({ body }, before) < 1e-4, name)
			lu.assertAlmostEquals(mean_impulse(world, 60, ground, body), 2 * G * DT, 0.01 * 2 * G * DT, name)
		end
	end

	local TestStack, TestStackOfPlane = suite("TestStack", dim), suite("TestStack", dim, "d2")

	-- How far the top of a column of unit boxes of mass 1 sinks. A contact is a spring of w = 2 pi f on its points' effective mass, 1 / m_point = 2 (1/m +
	-- (1/4) / (m/6)) = 5 / m in 2D: under the load F it yields by F / (2 m_point w^2). On the ground there is one mass, and the spring has twice the frequency.
	-- f is a seventh of the rate of sub-steps. In 3D four points of m / 8 are a quarter stiffer, so the top sinks less.
	local function settling(count)
		local w, sum = 2 * math.pi * 240 / 7, 0
		for i = 1, count do sum = sum + (count - i + 1) * G / (2 / 5 * w * w) / (i == 1 and 8 or 1) end
		return sum
	end

	-- Ten unit boxes: after 20 s each is within the springs' deflection, and 1 degree, of its start; contact i from the top carries i m g dt.
	function TestStack.test_ten_boxes_rest_and_carry_each_other()
		local world = new_world()
		local ground = floor(world)
		local boxes = {}
		for i = 1, 10 do boxes[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1) } end
		local before = places(boxes)
		run(world, 20)
		local way, turn = moved(boxes, before)
		lu.assertTrue(way < 1.1 * settling(10), way)
		lu.assertTrue(turn < math.rad(1))
		local _, top = boxes[10]:getPosition()
		lu.assertTrue(9.5 - top < 10 * SLOP)
		local sums = {}
		for _ = 1, 60 do
			world:step(DT)
			local now = impulses(world)
			for i = 1, 10 do sums[i] = (sums[i] or 0) + now[i == 1 and ground or boxes[i - 1]][boxes[i]] / 60 end
		end
		for i = 1, 10 do lu.assertAlmostEquals(sums[i], (11 - i) * G * DT, 0.01 * (11 - i) * G * DT, "under box " .. i) end
		world:validate()
	end

	-- A symmetric pyramid stays symmetric, except for the order in which contacts are solved, which prefers no side: each box is as far from the middle as its
	-- mirror image, within the slop of both and of the boxes under them.
	function TestStackOfPlane.test_a_pyramid_stays_symmetric()
		local world, base, rows = new_world(), 40, {}
		floor(world)
		for i = 1, base do
			rows[i] = {}
			for j = 1, base - i + 1 do
				rows[i][j] = world:newBody { x = j - (base - i + 2) / 2, y = i - 0.5, shape = d.box(1, 1) }
			end
		end
		run(world, 8)
		for i, row in ipairs(rows) do
			for j, box in ipairs(row) do
				local x, mirrored = box:getPosition(), row[#row + 1 - j]:getPosition()
				lu.assertAlmostEquals(x + mirrored, 0, 4 * SLOP, ("box %d of row %d"):format(j, i))
			end
		end
	end

	function TestStack.test_ten_boxes_fall_asleep()
		local world = new_world(true)
		floor(world)
		local boxes = {}
		for i = 1, 10 do boxes[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1) } end
		local before = places(boxes)
		run(world, 20)
		lu.assertTrue(moved(boxes, before) < 1.1 * settling(10))
		for _, box in ipairs(boxes) do lu.assertFalse(box:isAwake()) end
		lu.assertEquals(world:getAwakeCount(), 0)
	end

	-- A contact carries a force: in a longer step the impulse is greater. So steps as long as the frames do not shake a stack: it goes to sleep as soon as with
	-- equal steps, to within half the time that a body must rest, at the same height to within a slop. Nor does a single long step throw it over.
	function TestStack.test_steps_of_any_length_let_a_stack_rest()
		local number = require("support").random_numbers(5)
		local function stack(sleeping, lengths)
			local world = new_world(sleeping)
			floor(world)
			local boxes = {}
			for i = 1, 8 do boxes[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1) } end
			local before, time = places(boxes), 0
			for _ = 1, 600 do
				local dt = lengths()
				world:step(dt)
				time = time + dt
				if world:getAwakeCount() == 0 then break end
			end
			local _, top = boxes[8]:getPosition()
			return time, top, moved(boxes, before)
		end
		local asleep, height = stack(true, function() return DT end)
		lu.assertTrue(asleep < 1)
		for _, jitter in ipairs { 0.001, 0.003, 0.006 } do
			local time, top = stack(true, function() return DT + number(-jitter, jitter) end)
			lu.assertAlmostEquals(time, asleep, 0.25, "steps of 1/60 s +- " .. jitter)
			lu.assertAlmostEquals(top, height, SLOP)
		end
		local _, _, way = stack(false, function() return number(0, 1) < 0.5 and DT or 4 * DT end)
		lu.assertTrue(way < 0.5, way)
	end

	-- Base 15: no box moves by more than 5 cm in 20 s, and all sleep.
	function TestStack.test_a_pyramid_stands_and_sleeps()
		for _, sleeping in ipairs { true, false } do
			local world = new_world(sleeping)
			floor(world)
			local boxes = {}
			for row = 0, 14 do
				for i = 0, 14 - row do
					boxes[#boxes + 1] = world:newBody { x = i - (14 - row) / 2, y = row + 0.5, shape = d.box(0.98, 1) }
				end
			end
			local before = places(boxes)
			run(world, sleeping and 20 or 5)
			local way = moved(boxes, before)
			lu.assertTrue(way < 0.05, way)
			if sleeping then lu.assertEquals(world:getAwakeCount(), 0) end
			world:validate()
		end
	end

	-- Masses 1:100 on top of each other, in any order: they rest, the floor carries all, the light box yields by less than 5 %.
	function TestStack.test_a_light_box_carries_a_heavy_one()
		for _, masses in ipairs { { 1, 100 }, { 100, 1 }, { 1, 100, 1 } } do
			local world = new_world()
			local ground = floor(world)
			local boxes, total = {}, 0
			for i, mass in ipairs(masses) do
				boxes[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1), mass = mass }
				total = total + mass
			end
			local before = places(boxes)
			local name = table.concat(masses, ":")
			run(world, 5)
			local way, turn = moved(boxes, before)
			lu.assertTrue(way < 0.05, name .. " moved " .. way)
			lu.assertTrue(turn < math.rad(1), name)
			lu.assertAlmostEquals(mean_impulse(world, 60, ground, boxes[1]), total * G * DT, 0.01 * total * G * DT, name)
		end
	end

	-- 1:1000 must not explode. The part of the load that a sub-step does not carry falls freely: less with 8 sub-steps than with 4.
	function TestStack.test_a_thousandfold_mass_does_not_explode()
		local world = d.newWorld { gravity = { 0, -G }, sleeping = false, substeps = 8 }
		floor(world)
		local light = world:newBody { y = 0.5, shape = d.box(1, 1), mass = 1 }
		local heavy = world:newBody { y = 1.5, shape = d.box(1, 1), mass = 1000 }
		for _ = 1, 300 do
			world:step(DT)
			for _, body in ipairs { light, heavy } do
				local vx, vy = body:getLinearVelocity()
				lu.assertTrue(vx * vx + vy * vy < 1, "speed " .. math.sqrt(vx * vx + vy * vy))
			end
		end
		local _, below = light:getPosition()
		local _, above = heavy:getPosition()
		lu.assertTrue(above > below and below > 0)
	end

	local TestStructures = suite("TestStructures", dim)

	-- A domino w x h rotates about its lower edge: I* / m = (w^2 + h^2) / 3, and its centre must rise by dH = (sqrt(w^2 + h^2) - h) / 2: w_min = sqrt(2 g dH /
	-- (I* / m)) = 0.27216 rad/s.
	local function domino(world, x, speed)
		local w, h = 0.2, 2
		return world:newBody {
			x = x, y = h / 2, shape = d.box(w, h), friction = 0.8,
			-- Rotation to the right about the lower right edge: v = omega x r with r = (-w/2, h/2).
			angularVelocity = -speed, linearVelocity = { speed * h / 2, speed * w / 2 },
		}
	end

	local domino_speed = 0.2721630111440282

	function TestStructures.test_a_domino_falls_above_the_speed_that_lifts_it()
		for _, case in ipairs { { 0.95, false }, { 1.05, true } } do
			local world = new_world()
			floor(world, 0.8)
			local body = domino(world, 0, case[1] * domino_speed)
			run(world, 5)
			lu.assertEquals(math.abs(body:getAngle()) > 0.5, case[2], case[1])
		end
	end

	function TestStructures.test_a_row_of_dominoes_falls_in_order()
		local function row(factor)
			local world = new_world()
			floor(world, 0.8)
			local bodies, fell = {}, {}
			for i = 1, 20 do bodies[i] = domino(world, i - 1, i == 1 and factor * domino_speed or 0) end
			run(world, 12, function(tick)
				for i, body in ipairs(bodies) do
					if not fell[i] and math.abs(body:getAngle()) > 0.3 then fell[i] = tick end
				end
			end)
			return fell
		end
		local fell = row(1.1)
		for i = 1, 20 do
			lu.assertNotNil(fell[i], "domino " .. i)
			if i > 1 then lu.assertTrue(fell[i] > fell[i - 1], "domino " .. i) end
		end
		lu.assertEquals(row(0.9), {})
	end

	-- Cards 1 x 0.02 lean at 20 degrees from the vertical: a tent on two flat cards on two tents on three flat cards on three tents. Pillars hold the outer
	-- ends of the flat cards, so that every tip is loaded evenly from both sides. A tent with the load W on its tip has N = m g + W / 2, H = tan(a) (m g + W) /
	-- 2 at each base: it stands if mu >= H / N, from tan(a) / 2 = 0.182 (W = 0) to tan(a) = 0.364.
	local function card_house(mu)
		local world = new_world()
		floor(world, mu)
		local a, half, thin, pitch = math.rad(20), 0.5, 0.01, 1.01
		local s, c = math.sin(a), math.cos(a)
		local shape, cards = d.box(2 * thin, 2 * half), {}
		local function card(x, y, angle)
			cards[#cards + 1] = world:newBody { x = x, y = y, angle = angle, shape = shape, friction = mu }
		end
		-- The left card leans right: its lower right corner is at the base, its upper right one at the middle, its upper left one on top.
		local height, y = half * c + thin * s, 0
		for storey = 1, 3 do
			for i = 1, storey do
				local x = (i - (storey + 1) / 2) * pitch
				card(x - half * s - thin * c, y + height, -a)
				card(x + half * s + thin * c, y + height, a)
			end
			y = y + 2 * height
			if storey < 3 then
				for i = 0, storey do card((i - storey / 2) * pitch, y + thin, math.pi / 2) end
				for side = -1, 1, 2 do
					local x = side * ((storey + 1) / 2 * pitch + 0.25)
					world:newBody { type = "static", x = x, y = y / 2, shape = d.box(0.54, y), friction = mu }
				end
				y = y + 2 * thin
			end
		end
		return world, cards
	end

	function TestStructures.test_a_card_house_stands_by_friction()
		local world, cards = card_house(0.9)
		local before = places(cards)
		run(world, 5)
		local way = moved(cards, before)
		lu.assertTrue(way < 0.1, "moved " .. way)
		world, cards = card_house(0.1)
		before = places(cards)
		run(world, 5)
		lu.assertTrue(moved(cards, before) > 0.5)
	end

	-- A semicircle of wedges on a rough floor, centre line R, thickness t: it stands for t / R = 0.2, falls below 0.1075 (Milankovitch, 1907).
	local function arch(ratio)
		local world = new_world()
		floor(world, 0.8)
		local radius, count = 5, 17
		local inner, outer, stones = radius * (1 - ratio / 2), radius * (1 + ratio / 2), {}
		for i = 0, count - 1 do
			local from, to = math.pi * i / count, math.pi * (i + 1) / count
			local mx, my = radius * math.cos((from + to) / 2), radius * math.sin((from + to) / 2)
			local points = {}
			for _, corner in ipairs { { inner, from }, { outer, from }, { outer, to }, { inner, to } } do
				points[#points + 1] = corner[1] * math.cos(corner[2]) - mx
				points[#points + 1] = corner[1] * math.sin(corner[2]) - my
			end
			stones[i + 1] = world:newBody { x = mx, y = my, shape = d.polygon(points), friction = 0.8 }
		end
		return world, stones, radius
	end

	function TestStructures.test_an_arch_stands_if_it_is_thick_enough()
		local world, stones, radius = arch(0.2)
		local before = places(stones)
		run(world, 10)
		local way = moved(stones, before)
		lu.assertTrue(way < 0.02 * radius, "moved " .. way)
		world, stones, radius = arch(0.08)
		run(world, 10)
		local _, top = stones[9]:getPosition()
		lu.assertTrue(top < radius / 2, "the key stone is at " .. top)
	end

	-- A rod against a smooth wall at theta from the floor needs mu >= (distance from base to centre) / (height of the upper end), cot(theta) / 2 for a thin
	-- one; here with the corners of a box 2 x 0.02.
	local function ladder(theta, floor_friction, rod_friction)
		local world = new_world()
		floor(world, floor_friction)
		world:newBody { type = "static", x = 1, shape = d.box(2, 20), friction = 0 }
		local l, b = 1, 0.01
		local c, s = math.cos(theta), math.sin(theta)
		-- The rod's axis is (c, s); its lower right corner is on the floor, its upper right one at the wall, x = 0.
		local cx, cy = -(l * c + b * s), l * s + b * c
		local rod = world:newBody { x = cx, y = cy, angle = theta, shape = d.box(2 * l, 2 * b), friction = rod_friction }
		local foot, reach = -(l * c - b * s), 2 * l * s
		return world, rod, foot, reach
	end

	function TestStructures.test_a_ladder_needs_half_the_cotangent_as_friction()
		local theta = math.rad(60)
		for _, case in ipairs { { 0.95, true }, { 1.05, false } } do
			local _, _, foot, reach = ladder(theta, 0, 0)
			local mu = case[1] * math.abs(foot) / reach
			lu.assertAlmostEquals(mu / case[1], 0.288675, 0.05 * 0.288675)
			local world, rod = ladder(theta, mu, mu)
			local before = places { rod }
			run(world, 3)
			local way = moved({ rod }, before)
			lu.assertEquals(way > 0.05, case[2], ("%g of the limit: moved %g"):format(case[1], way))
		end
	end

	-- Released without friction it leaves the wall at sin(theta) = (2/3) sin(theta0).
	function TestStructures.test_a_falling_ladder_leaves_the_wall()
		local start = math.rad(70)
		local world, rod = ladder(start, 0, 0)
		local angle
		for _ = 1, 480 do
			world:step(1 / 240)
			for _, _, nx, _, _, _, _, impulse in world:contacts() do
				if math.abs(nx) > 0.9 and impulse > 0 then angle = rod:getAngle() end
			end
		end
		lu.assertAlmostEquals(math.deg(angle), math.deg(math.asin(2 / 3 * math.sin(start))), 2)
	end

	-- Overhangs 1/2, 1/4, 1/6, 1/8 from the top are the limit: with 2 % less the blocks stand, with 4 % more they fall. While the soft contacts take up the
	-- load the blocks tilt: thicker blocks need more sub-steps to stay within the margin of 1 cm.
	function TestStructures.test_the_harmonic_overhang_is_the_limit()
		for _, case in ipairs { { 0.98, true, 0.1, 4 }, { 1.04, false, 0.1, 4 }, { 0.98, true, 0.25, 8 }, { 1.04, false, 0.25, 8 } } do
			local h = case[3]
			local world = d.newWorld { gravity = { 0, -G }, sleeping = false, substeps = case[4] }
			world:newBody { type = "static", x = -5, y = -0.5, shape = d.box(10, 1) }
			local blocks, x = {}, -0.5
			for i = 4, 1, -1 do
				x = x + case[1] / (2 * i)
				blocks[#blocks + 1] = world:newBody { x = x, y = (#blocks + 0.5) * h, shape = d.box(1, h) }
			end
			local before = places(blocks)
			run(world, 10)
			local way = moved(blocks, before)
			lu.assertEquals(way < 0.05, case[2], ("%g of the limit: moved %g"):format(case[1], way))
		end
	end

	local TestSleeping = suite("TestSleeping", dim)

	local function sleeper()
		local world = new_world(true)
		local ground = floor(world)
		local box = world:newBody { y = 0.5, shape = d.box(1, 1) }
		run(world, 2)
		lu.assertFalse(box:isAwake())
		return world, box, ground
	end

	-- A sleeping body has no velocity, and its pose does not change by a bit.
	function TestSleeping.test_a_resting_box_sleeps_and_does_not_move_at_all()
		local world, box = sleeper()
		local before = places { box }
		for _ = 1, 1000 do world:step(DT) end
		lu.assertEquals({ box:getTransform() }, before[1])
		local vx, vy = box:getLinearVelocity()
		lu.assertEquals({ vx, vy, box:getAngularVelocity() }, { 0, 0, 0 })
		lu.assertEquals(world:getAwakeCount(), 0)
	end

	function TestSleeping.test_each_of_these_wakes_a_body()
		local wakers = {
			impulse = function(_, box) box:applyImpulse(0.1, 0) end,
			impulse_at = function(_, box) box:applyImpulse(0.1, 0, 0, 1) end,
			angular_impulse = function(_, box) box:applyAngularImpulse(0.1) end,
			force = function(_, box) box:applyForce(1, 0) end,
			torque = function(_, box) box:applyTorque(1) end,
			velocity = function(_, box) box:setLinearVelocity(0.1, 0) end,
			angular_velocity = function(_, box) box:setAngularVelocity(0.1) end,
			position = function(_, box) box:setPosition(0, 2) end,
			gravity = function(world) world:setGravity(0, 10) end,
			type = function(_, box) box:setType "kinematic"; box:setType "dynamic" end,
			awake = function(_, box) box:setAwake(true) end,
			support_gone = function(_, _, ground) ground:destroy() end,
			support_disabled = function(_, _, ground) ground:setEnabled(false) end,
			support_moved = function(_, _, ground) ground:setPosition(0, -3) end,
			no_sleeping = function(world) world:setSleepingAllowed(false) end,
		}
		for name, wake in pairs(wakers) do
			local world, box, ground = sleeper()
			wake(world, box, ground)
			lu.assertTrue(box:isAwake(), name)
			world:step(DT)
			lu.assertTrue(box:isAwake(), name)
			world:validate()
		end
	end

	function TestSleeping.test_a_moving_body_wakes_bodies_in_contact()
		local world, box = sleeper()
		local ball = world:newBody { x = -2, y = 0.5, shape = d.circle(0.4), linearVelocity = { 3, 0 } }
		local woke
		for _ = 1, 60 do
			world:step(DT)
			local x = ball:getPosition()
			if box:isAwake() then
				woke = x
				break
			end
		end
		lu.assertNotNil(woke)
		-- Contacts begin within 2 cm; AABBs are enlarged by 10 cm at most.
		lu.assertTrue(woke > -1.5 and woke < -0.8)
	end

	-- Two stacks are two islands: waking one does not wake the other.
	function TestSleeping.test_islands_sleep_separately()
		local world = new_world(true)
		floor(world)
		local left, right = {}, {}
		for i = 1, 3 do
			left[i] = world:newBody { x = -5, y = i - 0.5, shape = d.box(1, 1) }
			right[i] = world:newBody { x = 5, y = i - 0.5, shape = d.box(1, 1) }
		end
		run(world, 3)
		lu.assertEquals(world:getAwakeCount(), 0)
		lu.assertEquals(world:getIslandCount(), 2)
		left[3]:applyImpulse(0.5, 0)
		for i = 1, 3 do
			lu.assertTrue(left[i]:isAwake())
			lu.assertFalse(right[i]:isAwake())
		end
		world:step(DT)
		lu.assertEquals(world:getAwakeCount(), 3)
		run(world, 3)
		lu.assertEquals(world:getAwakeCount(), 0)
		world:validate()
	end

	-- moved() reports going to sleep once, in the step in which it happens.
	function TestSleeping.test_moved_reports_falling_asleep_once()
		local world = new_world(true)
		floor(world)
		world:newBody { y = 0.5, shape = d.box(1, 1) }
		local fell, rows_after = 0, 0
		for _ = 1, 180 do
			world:step(DT)
			for _, _, _, _, asleep in world:moved() do
				if fell > 0 then rows_after = rows_after + 1 end
				if asleep then fell = fell + 1 end
			end
		end
		lu.assertEquals({ fell, rows_after }, { 1, 0 })
	end

	-- A kinematic body moves fast around a sleeping one, at 3 m and more, then slowly beside it: it makes no contact on any path.
	function TestSleeping.test_a_fast_body_around_a_sleeping_one_does_not_wake_it()
		local world = d.newWorld { gravity = { 0, 0 } }
		local sleeper = world:newBody { shape = d.circle(0.5) }
		run(world, 1)
		lu.assertFalse(sleeper:isAwake())
		local rusher = world:newBody { type = "kinematic", x = -4, y = 4, shape = d.circle(0.5) }
		for _, v in ipairs { { 240, 0 }, { 240, 0 }, { 0, -240 }, { 0, -240 }, { -240, 0 }, { 0, 0.3 } } do
			rusher:setLinearVelocity(v[1], v[2])
			world:step(DT)
			lu.assertFalse(sleeper:isAwake())
		end
		run(world, 1)
		lu.assertFalse(sleeper:isAwake())
		lu.assertEquals(world:getContactCount(), 0)
		world:validate()
	end

	-- The result does not depend on sleeping: 1 cm.
	function TestSleeping.test_sleeping_does_not_change_the_result()
		local function story(sleeping)
			local world = new_world(sleeping)
			floor(world)
			local bodies = {}
			for i = 1, 5 do bodies[i] = world:newBody { y = i - 0.5, shape = d.box(1, 1) } end
			run(world, 3)
			bodies[6] = world:newBody { x = 0.2, y = 7, shape = d.box(1, 0.5) }
			run(world, 3)
			return places(bodies)
		end
		local with, without = story(true), story(false)
		for i = 1, 6 do
			lu.assertAlmostEquals(with[i][1], without[i][1], 0.01)
			lu.assertAlmostEquals(with[i][2], without[i][2], 0.01)
		end
	end
end
