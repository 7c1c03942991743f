-- Chains with oneSided = false: bodies, rays and sensors meet them from both sides, whichever way they are listed.

local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2 = collide.d2

TestTwoSidedChains = {}

-- Points (x, f(x)) from x1 to x2, in that order.
local function line(f, x1, x2, pieces)
	local points = {}
	for i = 0, pieces do
		local x = x1 + (x2 - x1) * i / pieces
		points[2 * i + 1], points[2 * i + 2] = x, f(x)
	end
	return points
end

local function chain(f, x1, x2, pieces, options)
	options = options or {}
	if options.oneSided == nil then options.oneSided = false end
	return d2.chain(line(f, x1, x2, pieces), options)
end

-- The height of the polyline at x.
local function height(f, x1, x2, pieces, x)
	local u = (x - x1) / (x2 - x1) * pieces
	local k = math.floor(u)
	local a, b = f(x1 + (x2 - x1) * k / pieces), f(x1 + (x2 - x1) * (k + 1) / pieces)
	return a + (b - a) * (u - k)
end

local bulky = { d2.circle(0.3), d2.box(0.5, 0.4), d2.capsule(-0.4, 0, 0.4, 0, 0.1), d2.ellipse(0.5, 0.2), d2.polygon { -0.3, -0.15, 0.3, -0.15, 0, 0.3 },
	d2.box(0.5, 0.4, { radius = 0.1 }) }
local thin = { d2.segment(-0.4, 0, 0.4, 0), d2.box(1, 0.01), d2.circle(0.004), d2.ellipse(0.4, 0.006), d2.capsule(-0.3, 0, 0.3, 0, 0.002) }
local every = {}
for _, list in ipairs { bulky, thin } do for _, shape in ipairs(list) do every[#every + 1] = shape end end

-- Each body falls into a pit of its own, 6 wide, and stays on its side of the chain: from above and from below, listed either way, slowly and at the speed of
-- a bullet.
function TestTwoSidedChains.test_bodies_stay_on_their_side()
	local width = 6
	local right = width * #every
	for _, side in ipairs { 1, -1 } do
		local function pits(x) return -side * (1 + math.cos(2 * math.pi * x / width)) end
		for _, ends in ipairs { { 0, right }, { right, 0 } } do
			for _, pieces in ipairs { 6 * #every, 40 * #every } do
				for _, speed in ipairs { 0, 390 } do
					local world, bodies = d2.newWorld { gravity = { 0, -10 * side } }, {}
					world:newBody { type = "static", shape = chain(pits, ends[1], ends[2], pieces) }
					for i, shape in ipairs(every) do
						bodies[i] = world:newBody { x = width * (i - 0.4), y = 2.5 * side, angle = 0.3 * i, shape = shape, linearVelocity = { 0, -speed * side },
							mass = shape:getMass(1) == 0 and 1 or nil, inertia = shape:getMass(1) == 0 and 0.1 or nil }
					end
					for _ = 1, 150 do
						world:step(1 / 60)
						for i, body in ipairs(bodies) do
							local x, y = body:getCenter()
							if x > 0 and x < right then
								lu.assertTrue((y - height(pits, 0, right, pieces, x)) * side > 0, ("shape %d at %g, %g, side %d"):format(i, x, y, side))
							end
						end
					end
				end
			end
		end
	end
end

-- Nothing gets through a ring, from inside or outside, at any speed and angle.
function TestTwoSidedChains.test_no_bullet_gets_through_a_ring()
	local number = support.random_numbers(81)
	for _, winding in ipairs { 1, -1 } do
		for _, pieces in ipairs { 5, 48 } do
			local function ring(radius)
				local points = {}
				for i = 0, pieces - 1 do
					local angle = winding * 2 * math.pi * i / pieces
					points[2 * i + 1], points[2 * i + 2] = radius * math.cos(angle), radius * math.sin(angle)
				end
				return d2.chain(points, { loop = true, oneSided = false })
			end
			local inner, outer = 4, 12
			local apothem = math.cos(math.pi / pieces)
			local world = d2.newWorld { gravity = { 0, 0 }, sleeping = false, maximumAngularSpeed = 1000 }
			world:newBody { type = "static", shape = ring(inner), restitution = 0.9 }
			world:newBody { type = "static", shape = ring(outer), restitution = 0.9 }
			local bodies = {}
			for i = 1, 4 * #every do
				local shape, inside, angle = every[i % #every + 1], i % 2 == 0, number(0, 6.28)
				local r = inside and number(0, 2.5) or number(5, 8)
				bodies[i] = { inside, world:newBody { x = r * math.cos(angle), y = r * math.sin(angle), shape = shape, bullet = i % 4 < 2, group = -1, angularVelocity =
					number(-60, 60), linearVelocity = { number(-390, 390), number(-390, 390) }, restitution = 0.9, mass = 1, inertia = 0.1 } }
			end
			for _ = 1, 120 do
				world:step(1 / 60)
				for i, entry in ipairs(bodies) do
					local x, y = entry[2]:getCenter()
					local r = math.sqrt(x * x + y * y)
					lu.assertTrue(r < (entry[1] and inner or outer), ("body %d is out at %g"):format(i, r))
					lu.assertTrue(entry[1] or r > inner * apothem, ("body %d is in at %g"):format(i, r))
				end
			end
		end
	end
end

-- Bodies slide and roll over the joints without a bump: along a flat chain on either side of it nothing slows them, and nothing lifts them.
function TestTwoSidedChains.test_no_bumps()
	for _, side in ipairs { 1, -1 } do
		for _, ends in ipairs { { -40, 40 }, { 40, -40 } } do
			local world, bodies = d2.newWorld { gravity = { 0, -10 * side } }, {}
			world:newBody { type = "static", shape = chain(function() return 0 end, ends[1], ends[2], 97), friction = 0 }
			for i, shape in ipairs(every) do
				local _, y1, _, y2 = shape:getBox()
				bodies[i] = world:newBody { x = -30 + 2 * i, y = (side > 0 and -y1 or -y2) + 0.001 * side, shape = shape, linearVelocity = { 10, 0 }, group = -1, friction = 0,
					locks = { rotation = true }, mass = shape:getMass(1) == 0 and 1 or nil }
			end
			for _ = 1, 30 do world:step(1 / 60) end
			for _ = 1, 150 do
				world:step(1 / 60)
				for i, body in ipairs(bodies) do
					local vx, vy = body:getLinearVelocity()
					lu.assertAlmostEquals(vx, 10, 1e-4, "shape " .. i)
					lu.assertAlmostEquals(vy, 0, 0.02, "shape " .. i)
				end
			end
		end
	end
end

-- A two-sided chain gives the results of a one-sided one, to the bit, to bodies on its front that are thicker than two slops.
function TestTwoSidedChains.test_equal_to_one_sided_chains()
	local function bowl(x) return 0.02 * x * x end
	for _, pieces in ipairs { 9, 60 } do
		for _, shape in ipairs(bulky) do
			local worlds, steps = {}, 0
			for i, oneSided in ipairs { true, false } do
				worlds[i] = d2.newWorld { gravity = { 0, -10 } }
				worlds[i]:newBody { type = "static", shape = chain(bowl, 12, -12, pieces, { oneSided = oneSided }) }
				for k = 0, 5 do worlds[i]:newBody { x = 2 * k - 5, y = 2 + 0.3 * k, angle = 0.4 * k, shape = shape, restitution = 0.2 } end
			end
			for _ = 1, 240 do
				for _, world in ipairs(worlds) do world:step(1 / 60) end
				if worlds[1]:hash() ~= worlds[2]:hash() then break end
				steps = steps + 1
			end
			lu.assertEquals(steps, 240, shape:getType() .. " on " .. pieces)
		end
	end
end

-- The ends are corners: a box that slides into one stops there, and a ball balances on one for no time at all.
function TestTwoSidedChains.test_ends()
	for _, points in ipairs { { 0, 0, 5, 0, 10, 0 }, { 10, 0, 5, 0, 0, 0 } } do
		for _, shape in ipairs { d2.box(1, 1), d2.circle(0.5), d2.box(1, 1, { radius = 0.2 }), d2.ellipse(0.5, 0.3), d2.capsule(-0.3, 0, 0.3, 0, 0.2) } do
			local world = d2.newWorld { gravity = { 0, 0 } }
			world:newBody { type = "static", shape = d2.chain(points, { oneSided = false }) }
			local body = world:newBody { x = -3, y = 0.01, shape = shape, linearVelocity = { 20, 0 } }
			for _ = 1, 60 do world:step(1 / 60) end
			lu.assertTrue(body:getPosition() < -0.45, shape:getType() .. " at " .. body:getPosition())
		end
		for _, side in ipairs { 1, -1 } do
			local world = d2.newWorld { gravity = { 0, -10 * side } }
			world:newBody { type = "static", shape = d2.chain(points, { oneSided = false }) }
			local ball = world:newBody { x = -0.1, y = 0.6 * side, shape = d2.circle(0.5) }
			local least = math.huge
			for _ = 1, 60 do
				world:step(1 / 60)
				local x, y = ball:getPosition()
				least = math.min(least, math.sqrt(x * x + y * y))
			end
			lu.assertTrue(least > 0.48, least)
			lu.assertTrue(select(2, ball:getPosition()) * side < -0.5)
		end
	end
end

-- A body that is put into the chain leaves it on the side where its centre is.
function TestTwoSidedChains.test_overlaps_are_left_by_the_nearer_side()
	for _, ends in ipairs { { -10, 10 }, { 10, -10 } } do
		for _, side in ipairs { 1, -1 } do
			for _, shape in ipairs(bulky) do
				local world = d2.newWorld { gravity = { 0, 0 } }
				world:newBody { type = "static", shape = chain(function() return 0 end, ends[1], ends[2], 20) }
				local body = world:newBody { x = 0.3, y = 0.04 * side, shape = shape }
				for _ = 1, 120 do world:step(1 / 60) end
				local x1, y1, x2, y2 = body:getColliders()[1]:getBox()
				lu.assertTrue((side > 0 and y1 or -y2) > -0.02, shape:getType())
				lu.assertTrue(x1 > -2 and x2 < 2)
			end
		end
	end
end

-- A kinematic chain pushes bodies on either side.
function TestTwoSidedChains.test_a_moving_chain_pushes_both_ways()
	for _, ends in ipairs { { -10, 10 }, { 10, -10 } } do
		for _, side in ipairs { 1, -1 } do
			local world = d2.newWorld { gravity = { 0, 0 } }
			local plate = world:newBody { type = "kinematic", shape = chain(function(x) return 0.01 * side * x * x end, ends[1], ends[2], 15), linearVelocity = { 0, 30 * side } }
			local bodies = {}
			for i, shape in ipairs(every) do bodies[i] = world:newBody { x = 1.4 * i - 8.2, y = 3 * side, shape = shape, group = -1, mass = 1, inertia = 0.1 } end
			for _ = 1, 60 do world:step(1 / 60) end
			local _, y = plate:getPosition()
			for i, body in ipairs(bodies) do
				local bx, by = body:getPosition()
				if math.abs(bx) < 9 then lu.assertTrue((by - y) * side > 0, ("shape %d at %g, the plate at %g"):format(i, by, y)) end
			end
		end
	end
end

function TestTwoSidedChains.test_rays_and_sensors()
	local points = { -4, 0, -1, 0, 1, 0, 4, 0 }
	local both, one = d2.chain(points, { oneSided = false }), d2.chain(points)
	lu.assertFalse(both:isOneSided())
	lu.assertTrue(one:isOneSided())
	lu.assertFalse(d2.circle(1):isOneSided())
	lu.assertFalse(both:scaled(-2, 1):isOneSided())
	lu.assertTrue(one:scaled(-2, 1):isOneSided())
	lu.assertFalse(d2.transform(both, d2.pose(1, 2, 3)):isOneSided())
	for _, x in ipairs { -2, 0.5, 1, 3.9 } do
		local segment = x < -1 and 1 or x <= 1 and 2 or 3 -- at a joint the first
		for _, y in ipairs { 2, -2 } do
			lu.assertEquals({ d2.raycast(both, nil, x, y, x, -y) }, { 0.5, x, 0, 0, y / 2, segment })
			local world = d2.newWorld()
			world:newBody { type = "static", shape = both }
			local collider, px, py, nx, ny = world:raycast(x, y, x, -y)
			lu.assertNotNil(collider)
			lu.assertEquals({ px, py, nx, ny }, { x, 0, 0, y / 2 })
			lu.assertTrue(world:raycastAny(x, y, x, -y) ~= nil)
		end
	end
	lu.assertNil((d2.raycast(both, nil, 5, 2, 5, -4)))
	local number = support.random_numbers(5)
	for _ = 1, 200 do
		local shape, pose = every[math.floor(number(1, #every + 0.99))], d2.pose(number(-5, 5), number(-2, 2), number(-3, 3))
		lu.assertEquals({ d2.distance(both, nil, shape, pose) }, { d2.distance(one, nil, shape, pose) })
		lu.assertEquals({ d2.cast(shape, pose, 1, -4, both, nil) }, { d2.cast(shape, pose, 1, -4, one, nil) })
	end
	for _, side in ipairs { 1, -1 } do
		local world = d2.newWorld { gravity = { 0, -10 * side } }
		world:newBody { type = "static", shape = both, sensor = true }
		world:newBody { y = side, shape = d2.circle(0.25) }
		local begun = 0
		for _ = 1, 60 do
			world:step(1 / 60)
			for _ in world:beginOverlaps() do begun = begun + 1 end
		end
		lu.assertTrue(begun >= 1)
	end
	lu.assertErrorMsgContains("chain: oneSided must be true or false, got 3", d2.chain, points, { oneSided = 3 })
	lu.assertErrorMsgContains("did you mean 'oneSided'?", d2.chain, points, { onesided = true })
end
