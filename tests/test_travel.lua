-- The narrow phase skips a pair that has moved too little to change: see core/travel.h.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d3 = collide.d3

TestTravel = {}

-- Contacts exist within a speculative margin of 20 mm. Shapes are collided again after a motion of a quarter of a slop, 1.25 mm, or on faces of three slops, 15
-- mm.
local SPECULATIVE, LEAST, MOST = 0.02, 0.00125, 0.015

local function shapes()
	local points = {}
	for i = 0, 11 do
		points[#points + 1], points[#points + 2], points[#points + 3] = 0.3 * collide.cos(2.4 * i), 0.25 * (i / 5.5 - 1), 0.3 * collide.sin(2.4 * i)
	end
	return {
		d3.sphere(0.25), d3.capsule(-0.3, 0, 0, 0.3, 0, 0, 0.15), d3.box(0.5, 0.3, 0.4), d3.box(0.4, 0.4, 0.4, { radius = 0.05 }), d3.hull(points),
		d3.taperedCapsule(-0.3, 0, 0, 0.2, 0.3, 0.1, 0, 0.1), d3.cylinder(0.2, 0.5), d3.cone(0.25, 0.5), d3.ellipsoid(0.3, 0.2, 0.25),
	}
end

local function pose(body)
	local x, y, z = body:getPosition()
	return d3.pose(x, y, z, body:getRotation())
end

-- The number of pairs closer than each of the two distances.
local function near_pairs(bodies, kinds, less, more)
	local poses, low, high = {}, 0, 0
	for i, body in ipairs(bodies) do poses[i] = pose(body) end
	for i = 1, #bodies do
		for k = i + 1, #bodies do
			local gap = d3.distance(kinds[i], poses[i], kinds[k], poses[k])
			if gap < less then low = low + 1 end
			if gap < more then high = high + 1 end
		end
	end
	return low, high
end

-- Bodies that drift into each other: in each step the pairs within the speculative margin have contacts, to within the motion that a pair may make before it is
-- collided again. Tolerance: that motion, and a tenth of a millimetre for floats and for nearly equal normals.
function TestTravel.test_pairs_within_the_margin_have_contacts()
	local random, list = support.random_numbers(7), shapes()
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	local bodies, kinds = {}, {}
	for i = 1, 36 do
		kinds[i] = list[(i - 1) % #list + 1]
		local v, w = {}, {}
		for k = 1, 3 do v[k], w[k] = random(-1, 1), random(-2, 2) end
		bodies[i] = world:newBody { x = 0.7 * (i % 3), y = 0.7 * (math.floor(i / 3) % 3), z = 0.7 * (math.floor(i / 9)), shape = kinds[i], restitution = 1, friction = 0,
			linearVelocity = v, angularVelocity = w, sleepingAllowed = false }
	end
	for _ = 1, 240 do
		local low, high = near_pairs(bodies, kinds, SPECULATIVE - LEAST - 1e-4, SPECULATIVE + MOST + 1e-4)
		world:step(1 / 60)
		local count = world:getTouchingCount()
		lu.assertTrue(low <= count and count <= high, ("%d contacts, of %d to %d"):format(count, low, high))
	end
end

-- However often a body is moved by setTransform, it is tested at its current pose.
function TestTravel.test_a_moved_body_has_contacts_at_its_new_position()
	for _, shape in ipairs(shapes()) do
		local world = d3.newWorld { gravity = { 0, 0, 0 } }
		local low, _, _, high = shape:getBox()
		local size = high - low
		world:newBody { type = "static", shape = shape }
		local body = world:newBody { shape = shape, x = size + 0.05, sleepingAllowed = false }
		for _ = 1, 5 do
			for _ = 1, 3 do world:step(1 / 60) end
			lu.assertEquals(world:getTouchingCount(), 0)
			body:setTransform(0.5 * size, 0, 0, 0, 0, 0, 1)
			world:step(1 / 60)
			lu.assertEquals(world:getTouchingCount(), 1)
			body:setTransform(size + 0.05, 0, 0, 0, 0, 0, 1)
			body:setLinearVelocity(0, 0, 0)
			body:setAngularVelocity(0, 0, 0)
			world:step(1 / 60)
		end
	end
end

-- A rotating half-space lifts a ball like a long box does: at most a slop deep, 5 mm, plus the ball's lag of a sub-step, v h = 2 m * 0.5 / s * 1 / 240 s.
function TestTravel.test_a_rotating_plane_lifts_a_ball()
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	world:newBody { type = "kinematic", shape = d3.halfSpace(0, 1, 0, 0), angularVelocity = { 0, 0, 0.5 } }
	local ball = world:newBody { x = 2, y = 0.5, shape = d3.sphere(0.5), sleepingAllowed = false }
	for tick = 1, 60 do
		world:step(1 / 60)
		local x, y = ball:getPosition()
		local turn = 0.5 * tick / 60
		local height = y * collide.cos(turn) - x * collide.sin(turn) - 0.5
		lu.assertTrue(height > -0.005 - 0.0042, ("%.4f m deep after %d steps"):format(-height, tick))
	end
end
