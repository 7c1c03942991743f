-- Materials: mixing, surface speeds, the restitution threshold, rolling resistance.
--
-- The tests measure the resulting motion: a sliding box decelerates by mu g, a ball leaves a wall at e times its speed. SLIDE = 2 %: the sum of the normal
-- impulses is m g t up to the change of m v_y, some mm/s of 5 m/s after half a second.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d, round = planes[dim], require("support").round[dim]

	local DT, SLIDE = 1 / 60, 0.02
	local rules = {
		geometric = function(a, b) return math.sqrt(a * b) end,
		average = function(a, b) return (a + b) / 2 end,
		minimum = math.min,
		maximum = math.max,
		multiply = function(a, b) return a * b end,
	}

	local steps = require("support").steps

	-- A flat box on a floor; box_first: which is created first, and so is a in their contact.
	local function box_on_floor(world, floor_options, box_options, box_first)
		local floor, box
		floor_options.type, floor_options.y, floor_options.shape = "static", -1, d.box(100, 2)
		box_options.y, box_options.shape = 0.25, d.box(1, 0.5)
		if box_first then
			box = world:newBody(box_options)
			floor = world:newBody(floor_options)
		else
			floor = world:newBody(floor_options)
			box = world:newBody(box_options)
		end
		return floor:getColliders()[1], box:getColliders()[1], box
	end

	-- --- Mixing ----------------------------------------------------------------------------------------------------------------

	local TestMixing = suite("TestMixing", dim)

	function TestMixing.test_friction_by_all_rules()
		for name, rule in pairs(rules) do
			for _, pair in ipairs { { 0.2, 0.8 }, { 0.8, 0.2 }, { 0, 0.7 }, { 0.5, 0.5 } } do
				local world = d.newWorld { frictionMixing = name, sleeping = false }
				lu.assertEquals(world:getFrictionMixing(), name)
				local _, _, box = box_on_floor(world, { friction = pair[1] }, { friction = pair[2], linearVelocity = { 10, 0 } })
				steps(world, 30)
				local lost = rule(pair[1], pair[2]) * 10 * 0.5
				lu.assertAlmostEquals(10 - box:getLinearVelocity(), lost, SLIDE * lost + 1e-3, name)
			end
		end
	end

	function TestMixing.test_geometric_friction_and_maximum_restitution_by_default()
		local world = d.newWorld {}
		lu.assertEquals(world:getFrictionMixing(), "geometric")
		lu.assertEquals(world:getRestitutionMixing(), "maximum")
	end

	-- Newton's law holds to float precision: v' = -e v, 1e-4 of v.
	function TestMixing.test_restitution_by_all_rules()
		for name, rule in pairs(rules) do
			for _, pair in ipairs { { 0.3, 0.7 }, { 0.7, 0.3 }, { 0, 1 }, { 0.5, 0.5 } } do
				local world = d.newWorld { restitutionMixing = name, gravity = { 0, 0 } }
				lu.assertEquals(world:getRestitutionMixing(), name)
				world:newBody { type = "static", x = 3, shape = d.box(1, 4), restitution = pair[1] }
				local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { 5, 0 }, restitution = pair[2], friction = 0 }
				steps(world, 60)
				lu.assertAlmostEquals(ball:getLinearVelocity(), -5 * rule(pair[1], pair[2]), 5e-4, name)
			end
		end
	end

	-- Persistent contacts use new rules and new materials immediately: 10 m/s lose 0.4 * 5 in the first half second, and then 0.8 * 5.
	function TestMixing.test_changes_affect_persistent_contacts()
		local changes = {
			setFrictionMixing = function(world) world:setFrictionMixing("maximum") end,
			floor = function(_, floor) floor:setFriction(3.2) end,
			box = function(_, _, box) box:setFriction(0.8) end,
		}
		for name, change in pairs(changes) do
			local world = d.newWorld { sleeping = false }
			local floor, collider, box = box_on_floor(world, { friction = 0.8 }, { friction = 0.2, linearVelocity = { 10, 0 } })
			steps(world, 30)
			local v1 = box:getLinearVelocity()
			lu.assertAlmostEquals(10 - v1, 2, SLIDE * 2)
			change(world, floor, collider)
			steps(world, 30)
			lu.assertAlmostEquals(v1 - box:getLinearVelocity(), 4, SLIDE * 4, name)
		end
	end

	-- A body that rests on a slope begins to slide when the friction is removed, even if asleep.
	function TestMixing.test_friction_removed_from_under_a_sleeping_body()
		local world = d.newWorld { gravity = { 3, -10 } }
		local floor, _, box = box_on_floor(world, { friction = 0.6 }, { friction = 0.6 })
		steps(world, 90)
		lu.assertFalse(box:isAwake())
		local x = box:getPosition()
		lu.assertAlmostEquals(x, 0, 1e-3)
		floor:setFriction(0)
		steps(world, 30)
		lu.assertAlmostEquals(box:getLinearVelocity(), 1.5, 0.01)
	end

	-- --- Surface speed ---------------------------------------------------------------------------------------------------------

	-- A speed all around a body: in 3D a surface has a velocity vector, see test_space_world.lua.
	local TestTangentSpeed = suite("TestTangentSpeed", dim, "d2")

	-- A surface of positive speed moves to the right of its outward normal: a box on a belt is carried to +x, whichever of the two is a in the contact. A box
	-- with such a surface drives itself to +x, too. It gains mu g per second up to the surface speed, then keeps it.
	function TestTangentSpeed.test_belts_and_tracks_drive_the_same_way()
		for _, box_first in ipairs { false, true } do
			for _, speed in ipairs { 2, -2 } do
				for _, which in ipairs { "floor", "box" } do
					local world = d.newWorld { sleeping = false }
					local on_floor, on_box = { friction = 0.5 }, { friction = 0.5 };
					(which == "floor" and on_floor or on_box).tangentSpeed = speed
					local _, _, box = box_on_floor(world, on_floor, on_box, box_first)
					local what = which .. (box_first and ", box first" or "")
					steps(world, 15)
					local v = box:getLinearVelocity()
					lu.assertAlmostEquals(v, 0.5 * 10 * 15 * DT * speed / 2, 0.05, what)
					steps(world, 60)
					lu.assertAlmostEquals(box:getLinearVelocity(), speed, 1e-3, what)
				end
			end
		end
	end

	-- The speeds of both surfaces add up.
	function TestTangentSpeed.test_sum_of_both()
		local world = d.newWorld { sleeping = false }
		local floor, _, box = box_on_floor(world, { friction = 1, tangentSpeed = 1 }, { friction = 1, tangentSpeed = 0.5 })
		steps(world, 60)
		lu.assertAlmostEquals(box:getLinearVelocity(), 1.5, 1e-3)
		floor:setTangentSpeed(-0.5)
		lu.assertEquals(floor:getTangentSpeed(), -0.5)
		steps(world, 60)
		lu.assertAlmostEquals(box:getLinearVelocity(), 0, 1e-3)
	end

	-- Around the belt: on its top to +x, at its underside to -x, at its right-hand side down and at its left-hand side up.
	function TestTangentSpeed.test_all_sides_of_a_belt()
		for _, case in ipairs { { 0, 1, 1, 0 }, { 0, -1, -1, 0 }, { 1, 0, 0, -1 }, { -1, 0, 0, 1 } } do
			local nx, ny, tx, ty = case[1], case[2], case[3], case[4]
			for _, first in ipairs { true, false } do
				local world = d.newWorld { gravity = { -10 * nx, -10 * ny }, sleeping = false }
				local body
				local function make_body() body = world:newBody { x = 3 * nx, y = 3 * ny, shape = d.box(1, 1), friction = 1 } end
				if first then make_body() end
				world:newBody { type = "static", shape = d.box(5, 5), tangentSpeed = 0.5, friction = 1 }
				if not first then make_body() end
				steps(world, 60)
				local vx, vy = body:getLinearVelocity()
				lu.assertAlmostEquals(vx, 0.5 * tx, 2e-3)
				lu.assertAlmostEquals(vy, 0.5 * ty, 2e-3)
			end
		end
	end

	-- A belt free to move is pushed in the opposite direction: momentum is kept.
	function TestTangentSpeed.test_reaction()
		local world = d.newWorld { gravity = { 0, 0 }, sleeping = false }
		local belt = world:newBody { shape = d.box(10, 1), tangentSpeed = 3, friction = 1, locks = { y = true, rotation = true } }
		local box = world:newBody { y = 1, shape = d.box(1, 1), friction = 1, locks = { rotation = true } }
		steps(world, 60, function() box:applyForce(0, -10) end)
		local v1, v2 = box:getLinearVelocity(), belt:getLinearVelocity()
		lu.assertAlmostEquals(v1 - v2, 3, 1e-3)
		lu.assertAlmostEquals(v1 * box:getMass() + v2 * belt:getMass(), 0, 1e-4)
	end

	-- --- Restitution -----------------------------------------------------------------------------------------------------------

	local TestRestitution = suite("TestRestitution", dim)

	function TestRestitution.test_threshold()
		for _, threshold in ipairs { 1, 3 } do
			for _, case in ipairs { { 0.95, 0 }, { 1.05, 1 } } do
				local world = d.newWorld { gravity = { 0, 0 } }
				world:setRestitutionThreshold(threshold)
				lu.assertEquals(world:getRestitutionThreshold(), threshold)
				world:newBody { type = "static", x = 2, shape = d.box(1, 4), restitution = 0.5 }
				local v = case[1] * threshold
				local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { v, 0 } }
				steps(world, 120)
				lu.assertAlmostEquals(ball:getLinearVelocity(), -0.5 * v * case[2], 5e-3)
			end
		end
		lu.assertEquals(d.newWorld({}):getRestitutionThreshold(), 1)
		lu.assertEquals(d.newWorld({ lengthScale = 50 }):getRestitutionThreshold(), 50)
		lu.assertEquals(d.newWorld({ restitutionThreshold = 0.25 }):getRestitutionThreshold(), 0.25)
	end

	function TestRestitution.test_setRestitution()
		local world = d.newWorld { gravity = { 0, 0 } }
		world:newBody { type = "static", x = 3, shape = d.box(1, 4) }
		local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { 5, 0 } }
		ball:getColliders()[1]:setRestitution(0.75)
		steps(world, 60)
		lu.assertAlmostEquals(ball:getLinearVelocity(), -3.75, 5e-4)
	end

	-- --- Rolling resistance ----------------------------------------------------------------------------------------------------

	local TestRollingResistance = suite("TestRollingResistance", dim)

	-- Torque c r N against the rotation. A disc (I = k m r^2, k = 1/2; of a ball 2/5) that rolls without slipping decelerates by c g / (1 + k) and stops after
	-- v (1 + k) / (c g). Both materials have resistances c.
	function TestRollingResistance.test_stops_a_rolling_ball()
		for _, radius in ipairs { 0.25, 0.5, 1 } do
			for _, c in ipairs { 0.05, 0.1 } do
				local world = d.newWorld { sleeping = false }
				world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = c }
				local ball = world:newBody {
					y = radius, shape = d.circle(radius), rollingResistance = c, friction = 1, linearVelocity = { 1, 0 },
					angularVelocity = -1 / radius,
				}
				local deceleration = c * 10 / (1 + round.inertia)
				steps(world, 60)
				local expected = math.max(0, 1 - deceleration)
				lu.assertAlmostEquals(ball:getLinearVelocity(), expected, 0.03, "radius " .. radius)
				lu.assertAlmostEquals(ball:getAngularVelocity(), -expected / radius, 0.03 / radius)
				-- 3 % of the time to stop.
				steps(world, math.ceil(1.03 / deceleration / DT) - 60 + 2)
				lu.assertAlmostEquals(ball:getLinearVelocity(), 0, 1e-3)
				local x = ball:getPosition()
				lu.assertAlmostEquals(x, 0.5 / deceleration, 0.03 * 0.5 / deceleration + DT)
				steps(world, 60)
				lu.assertAlmostEquals(ball:getPosition(), x, 1e-3, "it does not roll back")
			end
		end
	end

	-- Without friction only that torque acts: alpha = c r m g / (k m r^2) = c g / (k r).
	function TestRollingResistance.test_torque_is_c_r_N()
		for _, radius in ipairs { 0.25, 1 } do
			local c = 0.1
			local world = d.newWorld { sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = c, friction = 0 }
			local ball = world:newBody { y = radius, shape = d.circle(radius), rollingResistance = c, friction = 0, angularVelocity = 10 }
			steps(world, 30)
			local lost = c * 10 / (round.inertia * radius) * 0.5
			lu.assertAlmostEquals(ball:getAngularVelocity(), math.max(0, 10 - lost), SLIDE * lost, "radius " .. radius)
			lu.assertAlmostEquals(ball:getLinearVelocity(), 0, 1e-6)
		end
	end

	-- A ball rolls on the floor and does not sink in, however fast it turns. The slop is 5 mm; at rest it overlaps by 0.1 mm.
	function TestRollingResistance.test_a_rolling_ball_does_not_sink_in()
		for _, case in ipairs { { 0.5, 1 }, { 0.5, 20 }, { 0.1, 10 } } do
			local radius, speed = case[1], case[2]
			local world = d.newWorld { sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(200, 2), friction = 1 }
			local ball = world:newBody {
				y = radius, shape = d.circle(radius), friction = 1, linearVelocity = { speed, 0 }, angularVelocity = -speed / radius,
			}
			local lowest = 0
			steps(world, 120, function() lowest = math.min(lowest, select(2, ball:getPosition()) - radius) end)
			lu.assertTrue(lowest > -0.001, ("radius %g at %g m/s sinks by %g"):format(radius, speed, -lowest))
			-- Without resistance it keeps its speed.
			lu.assertAlmostEquals(ball:getLinearVelocity(), speed, 1e-3 * speed)
		end
	end

	-- On a slope of tan = 0.1 a ball with c = 0.12 stays, and with c = 0.05 it rolls at g (sin - c cos) / (1 + k).
	function TestRollingResistance.test_holds_a_ball_on_a_slope()
		local k = round.inertia
		for _, case in ipairs { { 0.12, 0 }, { 0.05, (1 - 0.05 * 10) / (1 + k) }, { 0, 1 / (1 + k) } } do
			local world = d.newWorld { gravity = { 1, -10 }, sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = case[1], friction = 1 }
			local ball = world:newBody { y = 0.5, shape = d.circle(0.5), rollingResistance = case[1], friction = 1 }
			steps(world, 120)
			lu.assertAlmostEquals(ball:getLinearVelocity(), 2 * case[2], 0.03 * 2 * case[2] + 2e-3)
		end
	end
end
