-- The narrow phase skips a pair that has moved too little to change: see core/travel.h.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2, d3 = collide.d2, collide.d3

TestTravel = {}

-- Contacts exist within a speculative margin of 20 mm. Shapes are collided again after a motion of a quarter of a slop, 1.25 mm, or on faces of three slops, 15
-- mm.
local SPECULATIVE, LEAST, MOST = 0.02, 0.00125, 0.015

local function solids()
	local points = {}
	for i = 0, 11 do
		points[#points + 1], points[#points + 2], points[#points + 3] = 0.3 * collide.cos(2.4 * i), 0.25 * (i / 5.5 - 1), 0.3 * collide.sin(2.4 * i)
	end
	return {
		d3.sphere(0.25), d3.capsule(-0.3, 0, 0, 0.3, 0, 0, 0.15), d3.box(0.5, 0.3, 0.4), d3.box(0.4, 0.4, 0.4, { radius = 0.05 }), d3.hull(points),
		d3.taperedCapsule(-0.3, 0, 0, 0.2, 0.3, 0.1, 0, 0.1), d3.cylinder(0.2, 0.5), d3.cone(0.25, 0.5), d3.ellipsoid(0.3, 0.2, 0.25),
	}
end

local function outlines()
	return {
		d2.circle(0.25), d2.capsule(-0.3, 0, 0.3, 0, 0.15), d2.box(0.5, 0.3), d2.box(0.4, 0.4, { radius = 0.05 }),
		d2.polygon { -0.3, -0.2, 0.2, -0.3, 0.3, 0.1, 0, 0.3, -0.2, 0.2 }, d2.ellipse(0.3, 0.2),
	}
end

local function pose(d, body)
	if d == d2 then return d2.pose(body:getTransform()) end
	local x, y, z = body:getPosition()
	return d3.pose(x, y, z, body:getRotation())
end

-- The number of pairs closer than each of the two distances.
local function near_pairs(d, bodies, kinds, less, more)
	local poses, low, high = {}, 0, 0
	for i, body in ipairs(bodies) do poses[i] = pose(d, body) end
	for i = 1, #bodies do
		for k = i + 1, #bodies do
			local gap = d.distance(kinds[i], poses[i], kinds[k], poses[k])
			if gap < less then low = low + 1 end
			if gap < more then high = high + 1 end
		end
	end
	return low, high
end

-- Bodies that drift into each other: in each step the pairs within the speculative margin have contacts, to within the motion that a pair may make before it is
-- collided again. Tolerance: that motion, and a tenth of a millimetre for floats and for nearly equal normals.
local function drift(d, list, columns)
	local random = support.random_numbers(7)
	local world = d.newWorld { gravity = d == d2 and { 0, 0 } or { 0, 0, 0 } }
	local bodies, kinds = {}, {}
	for i = 1, 36 do
		kinds[i] = list[(i - 1) % #list + 1]
		local v, w = {}, {}
		for k = 1, d == d2 and 2 or 3 do v[k], w[k] = random(-1, 1), random(-2, 2) end
		local row = math.floor(i / columns)
		bodies[i] = world:newBody { x = 0.7 * (i % columns), y = 0.7 * (d == d2 and row or row % 3), z = d == d3 and 0.7 * (math.floor(i / 9)) or nil, shape = kinds[i],
			restitution = 1, friction = 0, linearVelocity = v, angularVelocity = d == d2 and w[1] or w, sleepingAllowed = false }
	end
	for _ = 1, 240 do
		local low, high = near_pairs(d, bodies, kinds, SPECULATIVE - LEAST - 1e-4, SPECULATIVE + MOST + 1e-4)
		world:step(1 / 60)
		local count = world:getTouchingCount()
		lu.assertTrue(low <= count and count <= high, ("%d contacts, of %d to %d"):format(count, low, high))
	end
end

function TestTravel.test_pairs_within_the_margin_have_contacts()
	drift(d2, outlines(), 6)
	drift(d3, solids(), 3)
end

-- However often a body is moved by setTransform, it is tested at its current pose.
function TestTravel.test_a_moved_body_has_contacts_at_its_new_position()
	for _, d in ipairs { d2, d3 } do
		for _, shape in ipairs(d == d2 and outlines() or solids()) do
			local world = d.newWorld { gravity = d == d2 and { 0, 0 } or { 0, 0, 0 } }
			local low, second, third, fourth = shape:getBox()
			local size = (d == d2 and third or fourth) - low
			world:newBody { type = "static", shape = shape }
			local body = world:newBody { shape = shape, x = size + 0.05, sleepingAllowed = false }
			local function move(x)
				if d == d2 then
					body:setTransform(x, 0, 0)
					body:setLinearVelocity(0, 0)
					body:setAngularVelocity(0)
				else
					body:setTransform(x, 0, 0, 0, 0, 0, 1)
					body:setLinearVelocity(0, 0, 0)
					body:setAngularVelocity(0, 0, 0)
				end
			end
			for _ = 1, 5 do
				for _ = 1, 3 do world:step(1 / 60) end
				lu.assertEquals(world:getTouchingCount(), 0)
				move(0.5 * size)
				world:step(1 / 60)
				lu.assertEquals(world:getTouchingCount(), 1)
				move(size + 0.05)
				world:step(1 / 60)
			end
		end
	end
end

-- A rotating half-plane or half-space lifts a ball like a long box does: at most a slop deep, 5 mm, plus the ball's lag of a sub-step, v h = 2 m * 0.5 / s *
-- 1 / 240 s. It does so whichever of the two was made first.
function TestTravel.test_a_rotating_plane_lifts_a_ball()
	for _, d in ipairs { d2, d3 } do for _, first in ipairs { "plane", "ball" } do
		local world = d.newWorld { gravity = d == d2 and { 0, 0 } or { 0, 0, 0 } }
		local ball
		for _, which in ipairs { first, first == "plane" and "ball" or "plane" } do
			if which == "ball" then
				ball = world:newBody { x = 2, y = 0.5, shape = d == d2 and d2.circle(0.5) or d3.sphere(0.5), sleepingAllowed = false }
			else
				world:newBody { type = "kinematic", shape = d == d2 and d2.halfPlane(0, 1, 0) or d3.halfSpace(0, 1, 0, 0),
					angularVelocity = d == d2 and 0.5 or { 0, 0, 0.5 } }
			end
		end
		for tick = 1, 60 do
			world:step(1 / 60)
			local x, y = ball:getPosition()
			local turn = 0.5 * tick / 60
			local height = y * collide.cos(turn) - x * collide.sin(turn) - 0.5
			lu.assertTrue(height > -0.005 - 0.0042, ("%.4f m deep after %d steps"):format(-height, tick))
		end
	end end
end

-- A ball on an arm 2 long turns by up to a right angle before it meets a wall: it moves by the chord of that turn, not by its sine.
function TestTravel.test_a_long_arm_turns_into_a_wall()
	for _, clear in ipairs { 2.1, 2.2, 2.3 } do
		local world, half, arm, start = d2.newWorld { gravity = { 0, 0 } }, collide.sin(math.pi / 4), 2, math.rad(44)
		world:newBody { type = "static", shape = d2.box(40, 0.1), angle = math.pi / 4 }
		local height = clear + 0.25 - arm * collide.sin(start)
		local body = world:newBody {
			x = -half * height, y = half * height, angle = math.pi / 4 + start, shapes = { { shape = d2.circle(0.2, arm, 0) } }, angularVelocity = -1,
			sleepingAllowed = false, mass = 10, inertia = 20, center = { 0, 0 },
		}
		for _ = 1, 120 do
			world:step(1 / 60)
			local x, y = body:getWorldPoint(arm, 0)
			lu.assertTrue(half * (y - x) - 0.25 > -0.005)
		end
	end
end

-- A kinematic half-plane or half-space that turns stops at a stick 100 m away from its body, also if the body has a small box besides.
function TestTravel.test_a_rotating_plane_of_several_shapes_lifts_a_distant_stick()
	for _, d in ipairs { d2, d3 } do for _, mixed in ipairs { false, true } do
		local flat, half, turned = d == d2, collide.sin(math.pi / 4), math.pi / 8
		local world = d.newWorld { gravity = flat and { 0, 0 } or { 0, 0, 0 } }
		local shapes = { { shape = flat and d2.halfPlane(-half, half, 0) or d3.halfSpace(-half, half, 0, 0) } }
		if mixed then shapes[2] = { shape = flat and d2.box(0.5, 0.5) or d3.box(0.5, 0.5, 0.5) } end
		world:newBody { type = "kinematic", shapes = shapes, angularVelocity = flat and 0.01 or { 0, 0, 0.01 } }
		local options = { x = half * 98, y = half * 102, shape = flat and d2.box(10, 0.4) or d3.box(10, 0.4, 0.4), sleepingAllowed = false }
		if flat then options.angle = 2 * turned else options.rotation = { 0, 0, collide.sin(turned), collide.cos(turned) } end
		local stick = world:newBody(options)
		for tick = 1, 240 do
			world:step(1 / 60)
			local x, y = stick:getPosition()
			local angle = 2 * turned + 0.01 * tick / 60
			lu.assertTrue(y * collide.cos(angle) - x * collide.sin(angle) - 0.2 > -0.1)
		end
	end end
end
