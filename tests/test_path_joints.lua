-- Path joints by their law, in both dimensions: the anchor stays on the curve and is free along it.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

local DT, G = 1 / 60, 10

-- The points of a circle about the origin.
local function circle(radius, count)
	local points = {}
	for i = 0, count - 1 do
		local angle = 2 * math.pi * i / count
		points[2 * i + 1], points[2 * i + 2] = radius * math.cos(angle), radius * math.sin(angle)
	end
	return points
end

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestPathJoints = suite("TestPathJoints", dim)

	local function new_world(gravity) return d.newWorld { gravity = gravity or { 0, -G }, sleeping = false } end

	local function new_bead(world, options)
		local body = { shape = d.circle(0.2) }
		for key, value in pairs(options or {}) do body[key] = value end
		return world:newBody(body)
	end

	local function run(world, seconds, each)
		for tick = 1, math.floor(seconds / DT + 0.5) do
			world:step(DT)
			if each then each(tick) end
		end
	end

	-- A motor drives a bead around a ring of radius 5: it counts laps, stays on the ring, and the ring pulls it inwards by m v^2 / r. A spline through 24
	-- points leaves the circle by at most (pi / 24)^4 / 6 of the radius, 0.3 mm.
	function TestPathJoints.test_laps_of_a_ring()
		local world, speed, radius = new_world { 0, 0 }, 8, 5
		local bead = new_bead(world, { x = radius })
		local joint = world:newPathJoint { bodyB = bead, points = circle(radius, 24), loop = true, motorSpeed = speed, maxMotorForce = 1e4 }
		bead:setLinearVelocity(0, speed)
		lu.assertAlmostEquals(joint:getDistance(), 0, 1e-5)
		run(world, 10, function(tick)
			local x, y = bead:getPosition()
			lu.assertAlmostEquals(math.sqrt(x * x + y * y), radius, 0.01)
			lu.assertAlmostEquals(joint:getDistance(), speed * DT * tick, 0.02)
			lu.assertAlmostEquals(joint:getSpeed(), speed, 0.02)
			local fx, fy = joint:getReactionForce()
			lu.assertAlmostEquals((fx * x + fy * y) / radius, -bead:getMass() * speed ^ 2 / radius, 0.03 * bead:getMass() * speed ^ 2 / radius)
		end)
		-- After 80 m the angle is that of 80 / 5 rad.
		local x, y = bead:getPosition()
		lu.assertAlmostEquals(math.cos(80 / radius), x / radius, 0.01)
		lu.assertAlmostEquals(math.sin(80 / radius), y / radius, 0.01)
		local ax, ay = joint:getAnchorA()
		lu.assertAlmostEquals(ax, x, 0.01)
		lu.assertAlmostEquals(ay, y, 0.01)
	end

	-- Points on a line: the bead slides as on a prismatic joint, with the acceleration g sin a, and touches nothing beside the line.
	function TestPathJoints.test_an_inclined_wire()
		local world, a = new_world(), math.rad(30)
		local bead = new_bead(world)
		local joint = world:newPathJoint { bodyB = bead, points = { 0, 0, 5 * math.cos(a), -5 * math.sin(a), 20 * math.cos(a), -20 * math.sin(a) } }
		run(world, 2, function(tick)
			lu.assertAlmostEquals(joint:getSpeed(), G * math.sin(a) * DT * tick, 2e-3)
			local x, y = bead:getPosition()
			lu.assertAlmostEquals(x * math.sin(a) + y * math.cos(a), 0, 1e-3)
		end)
		lu.assertAlmostEquals(joint:getDistance(), G * math.sin(a) * 2, 0.06)
	end

	-- Without friction the speed follows from the height: v^2 = 2 g (h0 - h), within 2 %, in a valley and over a hill.
	function TestPathJoints.test_energy_of_a_roller_coaster()
		local world = new_world()
		local bead = new_bead(world, { y = 10 })
		local joint = world:newPathJoint { bodyB = bead, points = { 0, 10, 3, 5, 8, 0, 13, 4, 17, 5, 22, 1, 27, 6 } }
		bead:setLinearVelocity(0.6, -1)
		run(world, 0.1)
		local vx, vy = bead:getLinearVelocity()
		local energy, most = (vx ^ 2 + vy ^ 2) / 2 + G * select(2, bead:getPosition()), 0
		run(world, 2.5, function()
			local vx, vy = bead:getLinearVelocity()
			local _, y = bead:getPosition()
			lu.assertAlmostEquals((vx ^ 2 + vy ^ 2) / 2 + G * y, energy, 0.02 * energy)
			most = math.max(most, joint:getSpeed())
		end)
		lu.assertTrue(most > 13.5)
	end

	-- A body that follows keeps its angle to the tangent, at any speed: on the ring it turns with v / r.
	function TestPathJoints.test_following_the_tangent()
		for _, speed in ipairs { 2, -15 } do
			local world, radius = new_world { 0, 0 }, 5
			local cart = world:newBody { x = radius, shape = d.box(1, 0.5), angle = 0.4 }
			local joint = world:newPathJoint {
				bodyB = cart, points = circle(radius, 24), loop = true, follow = "tangent", motorSpeed = speed, maxMotorForce = 1e5,
			}
			cart:setLinearVelocity(0, speed)
			cart:setAngularVelocity(speed / radius)
			run(world, 3, function()
				local _, _, angle = cart:getTransform()
				local off = angle - 0.4 - joint:getDistance() / radius
				lu.assertAlmostEquals(math.sin(off), 0, 0.01)
				lu.assertTrue(math.cos(off) > 0)
				lu.assertAlmostEquals(cart:getAngularVelocity(), speed / radius, 0.02 * math.abs(speed / radius))
			end)
		end
	end

	-- An open path ends in stops; without limits it goes on straight.
	function TestPathJoints.test_ends()
		local world = new_world { 0, 0 }
		local bead = new_bead(world, { y = 1 })
		local joint = world:newPathJoint { bodyB = bead, points = { 0, 0, 4, 0 } }
		local lower, upper = joint:getLimits()
		lu.assertAlmostEquals(lower, 0, 1e-6)
		lu.assertAlmostEquals(upper, 4, 1e-5)
		bead:setLinearVelocity(6, 0)
		run(world, 2, function() lu.assertTrue(joint:getDistance() < 4.02) end)
		lu.assertAlmostEquals(joint:getDistance(), 4, 0.02)
		joint:setLimits(nil)
		bead:setLinearVelocity(6, 0)
		run(world, 1)
		local x, y = bead:getPosition()
		lu.assertAlmostEquals(x, 10, 0.05)
		lu.assertAlmostEquals(y, 0, 1e-3)
		joint:setLimits(2, 3)
		run(world, 3)
		lu.assertAlmostEquals(joint:getDistance(), 3, 0.02)
		local limited = world:newPathJoint { bodyB = new_bead(world), points = { 0, 0, 4, 0 }, lowerDistance = 1, upperDistance = 2 }
		run(world, 2)
		lu.assertAlmostEquals(limited:getDistance(), 1, 0.02)
	end

	-- A position motor goes to its place and stays, against gravity.
	function TestPathJoints.test_a_lift_on_a_curve()
		local world = new_world()
		local bead = new_bead(world)
		local joint = world:newPathJoint { bodyB = bead, points = { 0, 0, 2, 3, 1, 6 }, motorSpeed = 2, maxMotorForce = 1000, motorTarget = 5 }
		run(world, 4)
		lu.assertAlmostEquals(joint:getDistance(), 5, 0.01)
		lu.assertTrue(joint:getMotorForce() > 0)
		joint:setMotor(2, 1000, 1)
		run(world, 3)
		lu.assertAlmostEquals(joint:getDistance(), 1, 0.01)
	end

	-- The path moves with body A: the bead rests where it is on a disc that turns and travels.
	function TestPathJoints.test_a_path_on_a_moving_body()
		local world = new_world { 0, 0 }
		local disc = world:newBody { type = "kinematic", x = 3, angle = 0.5, linearVelocity = { 1, 0 }, angularVelocity = 2 }
		local bead = new_bead(world, { x = 5 })
		local joint = world:newPathJoint {
			bodyA = disc, bodyB = bead, points = { 4, 0, 6, 0, 8, 0 }, motorSpeed = 1, maxMotorForce = 1e4, motorTarget = 1,
		}
		local start = joint:getDistance()
		lu.assertAlmostEquals(start, 1, 1e-3)
		run(world, 3)
		local x, y = bead:getPosition()
		lu.assertAlmostEquals(joint:getDistance(), start, 0.02)
		lu.assertAlmostEquals(x, 6 + 2 * math.cos(6), 0.03)
		lu.assertAlmostEquals(y, 2 * math.sin(6), 0.03)
	end

	-- A bead that is put elsewhere goes on from the nearest place downhill.
	function TestPathJoints.test_a_bead_that_is_moved()
		local world = new_world { 0, 0 }
		local bead = new_bead(world, { x = 5 })
		local joint = world:newPathJoint { bodyB = bead, points = circle(5, 24), loop = true }
		bead:setPosition(0, -5)
		run(world, 1)
		lu.assertAlmostEquals(joint:getDistance() % (10 * math.pi), 7.5 * math.pi, 0.02)
		bead:setPosition(-5, 0.1)
		bead:setLinearVelocity(0, 0)
		run(world, 1)
		local x, y = bead:getPosition()
		lu.assertAlmostEquals(math.sqrt(x * x + y * y), 5, 0.01)
		world:validate()
	end

	function TestPathJoints.test_bad_options()
		local world = new_world()
		local bead = new_bead(world)
		local function fails(text, options)
			options.bodyB = bead
			lu.assertErrorMsgContains(text, function() world:newPathJoint(options) end)
		end
		fails("points is missing", {})
		fails("points must hold at least 3 points, got 2", { points = { 0, 0, 1, 1 }, loop = true })
		fails("points 2 and 3 are the same", { points = { 0, 0, 1, 1, 1, 1 } })
		fails("points 3 and 1 are the same", { points = { 0, 0, 1, 1, 0, 0 }, loop = true })
		fails("points", { points = { 0, 0 } })
		fails("points", { points = { 0, 0, 1, 0 / 0 } })
		fails("points", { points = 5 })
		fails("unknown key 'x'", { points = { 0, 0, 1, 0 }, x = 0 })
		fails("unknown key 'anchorA'", { points = { 0, 0, 1, 0 }, anchorA = { 0, 0 }, anchorB = { 0, 0 } })
		fails([["none" or "tangent"]], { points = { 0, 0, 1, 0 }, follow = "normal" })
		fails([["none" or "tangent"]], { points = { 0, 0, 1, 0 }, follow = 1 })
		fails("lowerDistance", { points = { 0, 0, 1, 0 }, lowerDistance = 1, upperDistance = 0 })
		fails("unknown key 'closed'", { points = { 0, 0, 1, 0 }, closed = true })
		lu.assertEquals(world:getJointCount(), 0)
	end

	-- Any points make a finite motion: those that lie close, far apart, or on one line back and forth.
	function TestPathJoints.test_any_points()
		local number = support.random_numbers(5)
		for case = 1, 30 do
			local world, points, size = new_world(), {}, 10 ^ number(-3, 3)
			for i = 1, 2 * math.floor(number(3, 9)) do points[i] = case % 3 == 0 and i % 2 == 0 and 0 or size * number(-1, 1) end
			local joint = world:newPathJoint {
				bodyB = new_bead(world, { x = points[1], y = points[2] }), points = points, loop = case % 2 == 0,
				follow = number(0, 1) < 0.5 and "tangent" or "none", motorSpeed = number(-5, 5), maxMotorForce = number(0, 10),
			}
			run(world, 0.5)
			local x, y = joint:getBodyB():getPosition()
			lu.assertTrue(math.abs(x) + math.abs(y) < 1e4 * (1 + size))
			world:validate()
			joint:destroy()
			world:step(DT)
			world:destroy()
		end
	end
end

TestSpacePathJoints = {}

-- A loop's frame ends as it began, after a lap of a knot.
function TestSpacePathJoints.test_the_frame_of_a_knot_closes()
	local d3 = require("collide").d3
	local world, points = d3.newWorld { gravity = { 0, 0, 0 } }, {}
	for i = 0, 59 do
		local t = 2 * math.pi * i / 60
		for _, x in ipairs { math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t), -math.sin(3 * t) } do points[#points + 1] = 2 * x end
	end
	local cart = world:newBody { x = points[1], y = points[2], z = points[3], shape = d3.box(0.5, 0.3, 0.2) }
	local joint = world:newPathJoint { bodyB = cart, points = points, loop = true, follow = "tangent", motorSpeed = 6, maxMotorForce = 1e4 }
	local start = { cart:getRotation() }
	local length
	for _ = 1, 60 * 20 do
		world:step(1 / 60)
		local x, y, z = cart:getPosition()
		if not length and joint:getDistance() > 20 and (x - points[1]) ^ 2 + (y - points[2]) ^ 2 + (z - points[3]) ^ 2 < 0.06 ^ 2 then
			length = joint:getDistance()
			local same = 0
			for i, q in ipairs { cart:getRotation() } do same = same + q * start[i] end
			lu.assertAlmostEquals(math.abs(same), 1, 1e-3)
		end
	end
	lu.assertNotNil(length)
end
