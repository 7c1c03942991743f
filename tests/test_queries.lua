-- Ray casts and overlaps against brute force.
--
-- The brute force is independent of the engine's formulas. Each convex shape has a convex function f that is <= 0 in the shape (mostly a signed distance).
-- Along a ray f is convex: its minimum decides whether the ray hits, and bisection before the minimum where. Overlaps are sampled: whether a grid point of one
-- shape is in the other. The engine stores shapes and rotations as floats: over shapes of a few metres its surfaces have an error of at most FLOAT = 2e-6 (16
-- roundings of 2^-23 in a row at 1 m).
local lu, collide = require "luaunit", require "collide"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local FLOAT = 2e-6

	local random_numbers = require("support").random_numbers

	-- --- Brute force -----------------------------------------------------------------------------------------------------------

	local function segment_distance(px, py, ax, ay, bx, by)
		local wx, wy = bx - ax, by - ay
		local square = wx * wx + wy * wy
		local t = square > 0 and ((px - ax) * wx + (py - ay) * wy) / square or 0
		t = math.max(0, math.min(1, t))
		return math.sqrt((px - ax - t * wx) ^ 2 + (py - ay - t * wy) ^ 2)
	end

	-- Signed distance to the convex polygon of counter-clockwise points, minus the radius. With two points: a capsule; with one: a circle.
	local function outline_distance(points, radius, x, y)
		local count = #points / 2
		local nearest, outside = math.huge, -math.huge
		for i = 1, count do
			local j = i % count + 1
			local ax, ay, bx, by = points[2 * i - 1], points[2 * i], points[2 * j - 1], points[2 * j]
			local distance = segment_distance(x, y, ax, ay, bx, by)
			nearest = math.min(nearest, distance)
			if count > 2 then
				local ex, ey = bx - ax, by - ay
				outside = math.max(outside, (ey * (x - ax) - ex * (y - ay)) / math.sqrt(ex * ex + ey * ey))
			end
		end
		if count > 2 and outside <= 0 then return outside - radius end
		return nearest - radius
	end

	local leaning = d.ellipse(1, 0.25, { x = 0.5, y = -0.25, angle = 0.75 })

	-- A convex function that is <= 0 in the shape, at a point of the shape's frame.
	local function shape_function(shape)
		local type, points, radius = shape:getType(), shape:getPoints(), shape:getRadius()
		if shape == leaning then
			local c, s = math.cos(0.75), math.sin(0.75)
			return function(x, y)
				local u, v = x - 0.5, y + 0.25
				return math.sqrt((c * u + s * v) ^ 2 + ((c * v - s * u) / 0.25) ^ 2) - 1
			end
		end
		if type == "ellipse" then
			local x1, y1, x2, y2 = shape:getBox()
			local a, b = (x2 - x1) / 2, (y2 - y1) / 2
			return function(x, y) return math.sqrt((x / a) ^ 2 + (y / b) ^ 2) - 1 end
		end
		return function(x, y) return outline_distance(points, radius, x, y) end
	end

	-- The same at a point of the world; valid until the body moves.
	local function collider_function(collider)
		local f = shape_function(collider:getShape())
		local bx, by, angle = collider:getBody():getTransform()
		local c, s = math.cos(angle), math.sin(angle)
		return function(x, y) return f(c * (x - bx) + s * (y - by), c * (y - by) - s * (x - bx)) end
	end

	-- The fraction at which the ray enters {f <= 0}, or nil; and the minimum of f along it.
	local function ray_convex(f, x1, y1, x2, y2)
		local function at(t) return f(x1 + t * (x2 - x1), y1 + t * (y2 - y1)) end
		if at(0) <= 0 then return 0, at(0) end
		local low, high = 0, 1
		for _ = 1, 90 do -- (2 / 3)^90 is 2^-53
			local a, b = low + (high - low) / 3, high - (high - low) / 3
			if at(a) < at(b) then high = b else low = a end
		end
		local least = math.min(at(low), at(1))
		local inside = at(1) < at(low) and 1 or low
		if least > 0 then return nil, least end
		local outside = 0
		for _ = 1, 60 do
			local middle = (outside + inside) / 2
			if at(middle) <= 0 then inside = middle else outside = middle end
		end
		return inside, least
	end

	-- The fraction at which the ray crosses the segment a b, and the side that it comes from: > 0 right.
	local function ray_line(x1, y1, x2, y2, ax, ay, bx, by)
		local dx, dy, ex, ey = x2 - x1, y2 - y1, bx - ax, by - ay
		local cross = dx * ey - dy * ex
		if cross == 0 then return nil end
		local t, u = ((ax - x1) * ey - (ay - y1) * ex) / cross, ((ax - x1) * dy - (ay - y1) * dx) / cross
		if t < 0 or t > 1 or u < 0 or u > 1 then return nil end
		return t, (x1 - ax) * ey - (y1 - ay) * ex
	end

	-- --- A scene of everything -------------------------------------------------------------------------------------------------

	local layers = { "one", "two", "three" }
	local shapes = {
		d.circle(0.75), d.circle(0.25, 0.5, 0.125), d.capsule(-0.5, 0, 0.5, 0.25, 0.375), d.box(2, 0.5),
		d.box(1.5, 1, { x = 0.25, angle = 0.5, radius = 0.25 }), d.polygon { -1, -0.5, 0.75, -0.75, 1, 0.5, 0, 1 },
		d.polygon({ -0.5, -0.5, 0.5, -0.25, 0, 0.5 }, 0.25), d.ellipse(1, 0.5), d.ellipse(0.25, 1.25),
		leaning,
	}

	-- `count` bodies around (cx, cy), in a square of 16 by 16.
	local function new_scene(seed, count, cx, cy)
		local number, pick = random_numbers(seed)
		local world = d.newWorld { gravity = { 0, 0 }, layers = layers }
		local colliders = {}
		for i = 1, count do
			local types = { "static", "kinematic", "dynamic" }
			-- Multiples of 1/64 stay exact when a far centre is added.
			local x, y = math.floor(number(-8, 8) * 64) / 64, math.floor(number(-8, 8) * 64) / 64
			local body = world:newBody {
				type = types[pick(3)], x = cx + x, y = cy + y, angle = number(-3, 3), shape = shapes[(i - 1) % #shapes + 1],
				layer = layers[pick(3)], sensor = pick(4) == 1,
			}
			colliders[i] = body:getColliders()[1]
		end
		return world, colliders, number, pick
	end

	local function index_of(list, value)
		for i, other in ipairs(list) do
			if other == value then return i end
		end
	end

	-- --- Rays ------------------------------------------------------------------------------------------------------------------

	local TestRaycast = suite("TestRaycast", dim)

	-- The hit of a ray with one collider by brute force, or nil. Second: whether the ray only grazes, so that the result is uncertain.
	local function brute_hit(collider, x1, y1, x2, y2)
		local t, least = ray_convex(collider_function(collider), x1, y1, x2, y2)
		return t, math.abs(least) < 10 * FLOAT
	end

	-- A surface error of FLOAT changes the hit by FLOAT / |cos| of the angle between the ray and the normal.
	local function assert_place(x, y, nx, ny, fraction, t, x1, y1, x2, y2)
		local dx, dy = x2 - x1, y2 - y1
		local length = math.sqrt(dx * dx + dy * dy)
		local cosine = -(nx * dx + ny * dy) / length
		lu.assertAlmostEquals(nx * nx + ny * ny, 1, 1e-5)
		lu.assertTrue(cosine > -1e-6, "the normal looks at the ray's start")
		local tolerance = 2 * FLOAT / math.max(cosine, 1e-3)
		lu.assertAlmostEquals(fraction * length, t * length, tolerance + 1e-6 * length)
		lu.assertAlmostEquals(x, x1 + t * dx, tolerance)
		lu.assertAlmostEquals(y, y1 + t * dy, tolerance)
	end

	-- The gradient of f by finite differences: the outward normal, except next to a corner.
	local function assert_normal(f, x, y, nx, ny)
		local e = 1e-5
		local function gradient(px, py)
			local gx, gy = f(px + e, py) - f(px - e, py), f(px, py + e) - f(px, py - e)
			local length = math.sqrt(gx * gx + gy * gy)
			return gx / length, gy / length
		end
		local gx, gy = gradient(x + 10 * e * nx, y + 10 * e * ny)
		local hx, hy = gradient(x - 10 * e * ny, y + 10 * e * nx)
		local kx, ky = gradient(x + 10 * e * ny, y - 10 * e * nx)
		local corner = math.abs(hx - kx) + math.abs(hy - ky) > 0.01
		if not corner then
			lu.assertAlmostEquals(nx, gx, 0.005)
			lu.assertAlmostEquals(ny, gy, 0.005)
		end
		return not corner
	end

	function TestRaycast.test_closest_all_and_any_agree_with_brute_force()
		local world, colliders, number = new_scene(21, 60, 0, 0)
		local hits, normals = 0, 0
		for _ = 1, 120 do
			local x1, y1, x2, y2 = number(-12, 12), number(-12, 12), number(-12, 12), number(-12, 12)
			local all = world:raycastAll(x1, y1, x2, y2, { sensors = true })
			local listed, last = {}, -1
			for _, hit in ipairs(all) do
				lu.assertNil(listed[hit.collider], "a collider is listed once")
				listed[hit.collider] = hit
				lu.assertTrue(hit.fraction >= last, "sorted")
				last = hit.fraction
			end
			for _, collider in ipairs(colliders) do
				local t, close = brute_hit(collider, x1, y1, x2, y2)
				local hit = listed[collider]
				local x, y, nx, ny, fraction = collider:raycast(x1, y1, x2, y2)
				if not close then
					lu.assertEquals(hit ~= nil, t ~= nil, collider:getShape():getType())
					lu.assertEquals(x ~= nil, t ~= nil)
				end
				if hit and t and t > 0 and not close then
					hits = hits + 1
					lu.assertEquals({ hit.x, hit.y, hit.nx, hit.ny, hit.fraction }, { x, y, nx, ny, fraction })
					assert_place(x, y, nx, ny, fraction, t, x1, y1, x2, y2)
					if assert_normal(collider_function(collider), x, y, nx, ny) then normals = normals + 1 end
				elseif hit and t == 0 then
					lu.assertEquals(fraction, 0)
				end
			end
			local closest, x, y, nx, ny, fraction = world:raycast(x1, y1, x2, y2, { sensors = true })
			lu.assertEquals(world:raycastAny(x1, y1, x2, y2, { sensors = true }), #all > 0)
			if #all == 0 then
				lu.assertNil(closest)
			else
				lu.assertEquals(fraction, all[1].fraction)
				local first = listed[closest]
				lu.assertEquals({ first.x, first.y, first.nx, first.ny, first.fraction }, { x, y, nx, ny, fraction })
			end
		end
		lu.assertTrue(hits > 200 and normals > 150, hits .. " hits and " .. normals .. " normals")
	end

	function TestRaycast.test_options_choose_colliders()
		local world, _, number, pick = new_scene(22, 60, 0, 0)
		local refused, differs = 0, 0
		for _ = 1, 120 do
			local x1, y1, x2, y2 = number(-12, 12), number(-12, 12), number(-12, 12), number(-12, 12)
			local all = world:raycastAll(x1, y1, x2, y2, { sensors = true })
			local chosen = { layers[pick(3)], layers[pick(3)] }
			local seen = {}
			local function filter(collider)
				seen[collider] = true
				return index_of(shapes, collider:getShape()) % 2 == 1
			end
			local function expect(allowed)
				local list = {}
				for _, hit in ipairs(all) do
					if allowed(hit.collider) then list[#list + 1] = hit end
				end
				return list
			end
			local function in_layers(collider) return index_of(chosen, collider:getLayer()) ~= nil end
			local function solid(collider) return not collider:isSensor() end
			for _, case in ipairs {
				{ nil, solid },
				{ {}, solid },
				{ { sensors = false }, solid },
				{ { layers = chosen, sensors = true }, in_layers },
				{ { layers = chosen }, function(collider) return in_layers(collider) and solid(collider) end },
				{ { layers = {}, sensors = true }, function() return false end },
				{ { filter = filter, sensors = true }, filter },
				{
					{ filter = filter, layers = chosen },
					function(collider) return in_layers(collider) and solid(collider) and filter(collider) end,
				},
			} do
				local options, allowed = case[1], case[2]
				local expected = expect(allowed)
				local got = world:raycastAll(x1, y1, x2, y2, options)
				lu.assertEquals(#got, #expected)
				for i, hit in ipairs(got) do
					lu.assertTrue(hit.collider == expected[i].collider or hit.fraction == expected[i].fraction)
				end
				local closest = world:raycast(x1, y1, x2, y2, options)
				lu.assertTrue(closest == (expected[1] and expected[1].collider)
					or expected[2] and expected[2].fraction == expected[1].fraction)
				lu.assertEquals(world:raycastAny(x1, y1, x2, y2, options), #expected > 0)
				if #expected < #all then refused = refused + 1 end
				if expected[1] ~= all[1] then differs = differs + 1 end
			end
			for collider in pairs(seen) do
				lu.assertNotNil(index_of(world:overlapBox(-50, -50, 50, 50, { sensors = true }), collider))
			end
		end
		lu.assertTrue(refused > 200 and differs > 100)
	end

	function TestRaycast.test_an_error_in_the_filter_is_raised()
		local world = new_scene(23, 30, 0, 0)
		for _, query in ipairs { "raycast", "raycastAll", "raycastAny", "overlapBox" } do
			lu.assertErrorMsgContains("no more", function()
				world[query](world, -20, -20, 20, 20, { filter = function() error "no more" end })
			end)
			lu.assertFalse(world:isLocked(), query)
		end
		world:newBody { shape = d.circle(1) }
		world:step(1 / 60)
	end

	-- The same scene around a far centre, with offsets that are exact in double, gives the same results. A position there is rounded to 2^-29 (1.9e-9 m).
	function TestRaycast.test_far_from_the_origin()
		local cx, cy = 8388608, -4194304
		local near, near_colliders, number = new_scene(24, 60, 0, 0)
		local far, far_colliders = new_scene(24, 60, cx, cy)
		local hits = 0
		for _ = 1, 120 do
			local x1, y1, x2, y2 = number(-12, 12), number(-12, 12), number(-12, 12), number(-12, 12)
			local expected = near:raycastAll(x1, y1, x2, y2)
			local got = far:raycastAll(cx + x1, cy + y1, cx + x2, cy + y2)
			lu.assertEquals(#got, #expected)
			for i, hit in ipairs(got) do
				local other = expected[i]
				lu.assertEquals(index_of(far_colliders, hit.collider), index_of(near_colliders, other.collider))
				-- The rounding of the ray's ends moves a grazing hit by more: by a hundred times as much where the cosine is 0.01.
				lu.assertAlmostEquals(hit.x - cx, other.x, 1e-6)
				lu.assertAlmostEquals(hit.y - cy, other.y, 1e-6)
				lu.assertAlmostEquals(hit.fraction, other.fraction, 1e-6)
				hits = hits + 1
			end
		end
		lu.assertTrue(hits > 100)
	end

	-- A ray may be a million times longer than its target: the point keeps double precision (the ends are rounded to 2^-30, and the point is interpolated), the
	-- fraction float precision.
	function TestRaycast.test_long_rays()
		local world = d.newWorld {}
		local ball = world:newBody { type = "static", x = 5, y = 3, shape = d.circle(0.5) }:getColliders()[1]
		local wall = world:newBody { type = "static", x = 7, y = 3, shape = d.box(1, 1) }:getColliders()[1]
		for _, length in ipairs { 1e3, 1e5, 4e6 } do
			local collider, x, y, nx, ny, fraction = world:raycast(4 - length, 3, 4 + length, 3)
			lu.assertTrue(collider == ball)
			lu.assertAlmostEquals(x, 4.5, 1e-6)
			lu.assertAlmostEquals(y, 3, 1e-6)
			lu.assertAlmostEquals(nx, -1, 1e-6)
			lu.assertAlmostEquals(ny, 0, 1e-6)
			lu.assertAlmostEquals(fraction, (length + 0.5) / (2 * length), 1e-6)
			local all = world:raycastAll(4 + length, 3, 4 - length, 3)
			lu.assertEquals(#all, 2)
			lu.assertTrue(all[1].collider == wall and all[2].collider == ball)
			lu.assertAlmostEquals(all[1].x, 7.5, 1e-6)
		end
	end

	function TestRaycast.test_a_ray_that_starts_inside_hits_at_its_start()
		for _, shape in ipairs(shapes) do
			local world = d.newWorld {}
			local collider = world:newBody { type = "static", x = 2, y = 3, angle = 0.7, shape = shape }:getColliders()[1]
			local x1, y1, x2, y2 = collider:getBox()
			local x, y = (x1 + x2) / 2, (y1 + y2) / 2
			lu.assertTrue(collider:containsPoint(x, y))
			for _, d in ipairs { { 5, 0 }, { -3, 4 }, { 0, -0.001 } } do
				local hit, hx, hy, nx, ny, fraction = world:raycast(x, y, x + d[1], y + d[2])
				lu.assertTrue(hit == collider)
				lu.assertEquals({ hx, hy, fraction }, { x, y, 0 })
				local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2)
				lu.assertAlmostEquals(nx, -d[1] / length, 1e-6)
				lu.assertAlmostEquals(ny, -d[2] / length, 1e-6)
			end
		end
	end

	-- A ray without length is a point: it hits the shapes that contain it.
	function TestRaycast.test_zero_length_rays()
		local world, colliders, number = new_scene(25, 60, 0, 0)
		local inside = 0
		for _ = 1, 300 do
			local x, y = number(-9, 9), number(-9, 9)
			local contained = {}
			for _, collider in ipairs(colliders) do
				if collider:containsPoint(x, y) then contained[collider] = true end
			end
			local all = world:raycastAll(x, y, x, y, { sensors = true })
			for _, hit in ipairs(all) do
				lu.assertTrue(contained[hit.collider])
				contained[hit.collider] = nil
				lu.assertEquals({ hit.x, hit.y, hit.fraction }, { x, y, 0 })
				lu.assertTrue(hit.nx == hit.nx and hit.ny == hit.ny, "no NaN")
				inside = inside + 1
			end
			lu.assertNil(next(contained))
			lu.assertEquals(world:raycast(x, y, x, y, { sensors = true }) ~= nil, #all > 0)
			lu.assertEquals(world:raycastAny(x, y, x, y, { sensors = true }), #all > 0)
		end
		lu.assertTrue(inside > 50)
	end

	function TestRaycast.test_hits_are_within_the_ray()
		local world = d.newWorld {}
		world:newBody { type = "static", x = 5, shape = d.box(1, 1) }
		lu.assertNil(world:raycast(0, 0, 4.499, 0), "too short")
		lu.assertNotNil(world:raycast(0, 0, 4.501, 0))
		lu.assertNil(world:raycast(0, 0, -10, 0), "the other way")
		lu.assertNil(world:raycast(5.501, 0, 10, 0), "behind the start")
		lu.assertNil(world:raycast(0, 0.501, 10, 0.501), "past it")
		lu.assertNotNil(world:raycast(0, 0.499, 10, 0.499))
	end

	-- n . p = offset is hit from the side that n points to; the fraction is linear in the ray.
	function TestRaycast.test_half_planes()
		local number = random_numbers(26)
		local hits = 0
		for _ = 1, 200 do
			local angle, offset, turn = number(-3, 3), number(-2, 2), number(-3, 3)
			local world = d.newWorld {}
			local collider = world:newBody {
				type = "static", x = 1, y = 2, angle = turn, shape = d.halfPlane(3 * math.cos(angle), 3 * math.sin(angle), offset),
			}:getColliders()[1]
			local nx, ny = math.cos(angle + turn), math.sin(angle + turn)
			local x1, y1, x2, y2 = number(-9, 9), number(-9, 9), number(-9, 9), number(-9, 9)
			local h1 = nx * (x1 - 1) + ny * (y1 - 2) - offset
			local h2 = nx * (x2 - 1) + ny * (y2 - 2) - offset
			local hit, x, y, mx, my, fraction = world:raycast(x1, y1, x2, y2)
			lu.assertEquals(collider:containsPoint(x1, y1), h1 <= 0)
			lu.assertEquals(hit ~= nil, h1 <= 0 or h2 <= 0)
			if h1 <= 0 then
				lu.assertEquals(fraction, 0)
			elseif hit then
				hits = hits + 1
				local t = h1 / (h1 - h2)
				lu.assertAlmostEquals(mx, nx, FLOAT)
				lu.assertAlmostEquals(my, ny, FLOAT)
				-- An error of FLOAT at 20 m from the plane's origin, and 1 / cos times that along the ray.
				local tolerance = 20 * FLOAT * math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) / (h1 - h2)
				lu.assertAlmostEquals(x, x1 + t * (x2 - x1), tolerance)
				lu.assertAlmostEquals(y, y1 + t * (y2 - y1), tolerance)
			end
		end
		lu.assertTrue(hits > 30)
	end

	function TestRaycast.test_segments_from_both_sides_and_chains_from_the_right()
		local number = random_numbers(27)
		local points = { -3, -1, -1, 0.5, 0.5, -0.5, 2, 1, 3, -1 }
		local counts = { segment = 0, right = 0, left = 0 }
		for _ = 1, 300 do
			local world = d.newWorld {}
			local segment = world:newBody { type = "static", shape = d.segment(-2, 1, 1.5, -0.5) }:getColliders()[1]
			local chain = world:newBody { type = "static", y = 10, shape = d.chain(points) }:getColliders()[1]
			local x1, y1, x2, y2 = number(-4, 4), number(-3, 3), number(-4, 4), number(-3, 3)
			local t = ray_line(x1, y1, x2, y2, -2, 1, 1.5, -0.5)
			local hit, x, y, nx, ny, fraction = world:raycast(x1, y1, x2, y2)
			lu.assertEquals(hit, t and segment)
			if t then
				counts.segment = counts.segment + 1
				assert_place(x, y, nx, ny, fraction, t, x1, y1, x2, y2)
				lu.assertAlmostEquals(math.abs(nx * 3.5 - ny * 1.5), 0, 1e-5, "across the segment")
			end
			-- The first of the chain's edges crossed from its right.
			local first, ex, ey
			for i = 1, #points - 2, 2 do
				local s, side = ray_line(x1, y1, x2, y2, points[i], points[i + 1], points[i + 2], points[i + 3])
				if s and side > 0 then
					counts.right = counts.right + 1
					if not first or s < first then first, ex, ey = s, points[i + 2] - points[i], points[i + 3] - points[i + 1] end
				elseif s then
					counts.left = counts.left + 1
				end
			end
			hit, x, y, nx, ny, fraction = world:raycast(x1, y1 + 10, x2, y2 + 10)
			lu.assertEquals(hit, first and chain)
			if first then
				assert_place(x, y - 10, nx, ny, fraction, first, x1, y1, x2, y2)
				local length = math.sqrt(ex * ex + ey * ey)
				lu.assertAlmostEquals(nx, ey / length, 1e-5, "the right of the way is the outside")
				lu.assertAlmostEquals(ny, -ex / length, 1e-5)
				local all = world:raycastAll(x1, y1 + 10, x2, y2 + 10)
				lu.assertEquals(#all, 1, "once, though more edges are crossed")
				lu.assertEquals(all[1].fraction, fraction)
			end
		end
		lu.assertTrue(counts.segment > 50 and counts.right > 100 and counts.left > 100)
	end

	-- Rays from outside through the corners of a loop, or past them by a few nanometres: none slips between two edges. From inside all pass. The corners are
	-- read from the shape, so they are its floats.
	function TestRaycast.test_no_ray_slips_through_a_joint()
		local circle, count = {}, 12
		for i = 1, count do
			circle[2 * i - 1] = 2 * math.cos(2 * math.pi * i / count + 0.1)
			circle[2 * i] = 2 * math.sin(2 * math.pi * i / count + 0.1)
		end
		local shape = d.chain(circle, { loop = true })
		local points = shape:getPoints()
		local number, pick = random_numbers(28)
		for _, turn in ipairs { 0, 0.3, 2 } do
			local world = d.newWorld {}
			local loop = world:newBody { type = "static", x = 3, y = -2, angle = turn, shape = shape }
			for _ = 1, 200 do
				local angle, distance, i = number(-1, 1), number(3, 50), pick(count)
				-- The corner, and a direction outside from which the ray comes: an edge is visible within 90 - 15 degrees = 1.3 of the corner's direction.
				local px, py = loop:getWorldPoint(points[2 * i - 1], points[2 * i])
				local ox, oy = loop:getWorldVector(points[2 * i - 1] / 2, points[2 * i] / 2)
				local c, s = math.cos(angle), math.sin(angle)
				local dx, dy = c * ox - s * oy, s * ox + c * oy
				local beside = pick(3) > 1 and number(-3e-9, 3e-9) or 0
				px, py = px - beside * oy, py + beside * ox
				local hit, x, y, nx, ny = world:raycast(px + distance * dx, py + distance * dy, px - dx, py - dy)
				lu.assertNotNil(hit)
				lu.assertTrue(world:raycastAny(px + distance * dx, py + distance * dy, px - dx, py - dy))
				lu.assertAlmostEquals(x, px, FLOAT)
				lu.assertAlmostEquals(y, py, FLOAT)
				lu.assertTrue(nx * dx + ny * dy > 0)
				lu.assertNil(world:raycast(3, -2, px + distance * dx, py + distance * dy), "from inside")
			end
		end
	end

	-- --- Overlaps --------------------------------------------------------------------------------------------------------------

	local TestOverlap = suite("TestOverlap", dim)

	-- The minimum of max(f, g) over the points of a grid over the box, g optional, and the half diagonal of a cell. If {f <= 0} and {g <= 0} intersect in the
	-- box, some grid point is within that distance of both.
	local function sample(f, g, x1, y1, x2, y2)
		local count, least = 24, math.huge
		for i = 0, count do
			for j = 0, count do
				local x, y = x1 + (x2 - x1) * i / count, y1 + (y2 - y1) * j / count
				local value = f(x, y)
				if g and value < least then value = math.max(value, g(x, y)) end
				least = math.min(least, value)
			end
		end
		return least, math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) / count / 2
	end

	-- f of an ellipse is not a distance: its gradient is at most 1 / its lesser half axis.
	local function steepness(shape)
		if shape == leaning then return 4 end
		if shape:getType() ~= "ellipse" then return 1 end
		local x1, y1, x2, y2 = shape:getBox()
		return 2 / math.min(x2 - x1, y2 - y1)
	end

	local function boxes_apart(collider, x1, y1, x2, y2)
		local a, b, c, e = collider:getBox()
		return a > x2 or b > y2 or c < x1 or e < y1
	end

	-- Checks that the listed colliders are those that overlap the box, or a shape within it with the function f and its gradient `steep`. Counts the colliders
	-- found, and those that are only near.
	local function check_listed(counts, list, colliders, x1, y1, x2, y2, f, steep)
		local listed = {}
		for _, collider in ipairs(list) do
			lu.assertNil(listed[collider], "listed once")
			listed[collider] = true
			counts.found = counts.found + 1
		end
		for _, collider in ipairs(colliders) do
			if boxes_apart(collider, x1, y1, x2, y2) then
				lu.assertNil(listed[collider])
			else
				local least, cell = sample(collider_function(collider), f, x1, y1, x2, y2)
				local shape = collider:getShape()
				if listed[collider] then
					lu.assertTrue(least <= cell * math.max(steepness(shape), steep) + FLOAT, shape:getType())
				else
					lu.assertTrue(least > -FLOAT, shape:getType())
					counts.near = counts.near + 1
				end
			end
		end
	end

	local function check_counts(counts, found, near)
		lu.assertTrue(counts.found > found and counts.near > near, counts.found .. " found, " .. counts.near .. " only near: their boxes overlap")
	end

	function TestOverlap.test_overlap_box_agrees_with_sampling()
		local world, colliders, number = new_scene(31, 60, 0, 0)
		local counts = { found = 0, near = 0 }
		for _ = 1, 90 do
			local x1, y1 = number(-9, 9), number(-9, 9)
			local x2, y2 = x1 + number(0, 2), y1 + number(0, 2)
			check_listed(counts, world:overlapBox(x1, y1, x2, y2, { sensors = true }), colliders, x1, y1, x2, y2, nil, 0)
		end
		check_counts(counts, 50, 5)
	end

	function TestOverlap.test_overlap_shape_agrees_with_sampling()
		local world, colliders, number, pick = new_scene(32, 60, 0, 0)
		local counts = { found = 0, near = 0 }
		for _ = 1, 60 do
			local shape, x, y, angle = shapes[pick(#shapes)], number(-8, 8), number(-8, 8), number(-3, 3)
			local pose = d.pose(x, y, angle)
			local inner = shape_function(shape)
			local c, s = math.cos(angle), math.sin(angle)
			local function g(px, py) return inner(c * (px - x) + s * (py - y), c * (py - y) - s * (px - x)) end
			local x1, y1, x2, y2 = shape:getBox(pose)
			check_listed(counts, world:overlapShape(shape, pose, { sensors = true }), colliders, x1, y1, x2, y2, g, steepness(shape))
		end
		check_counts(counts, 60, 20)
	end

	-- Exact, not by AABBs: shapes 1 mm outside are not found, shapes 1 mm inside are.
	function TestOverlap.test_to_the_millimetre()
		local world = d.newWorld {}
		local ball = world:newBody { type = "static", shape = d.circle(1) }:getColliders()[1]
		local half = math.sqrt(0.5)
		for _, case in ipairs { { 0.001, false }, { -0.001, true } } do
			local gap, hit = case[1], case[2]
			lu.assertEquals(#world:overlapBox(1 + gap, -1, 3, 1), hit and 1 or 0)
			local corner = half + gap * half
			lu.assertEquals(#world:overlapBox(corner, corner, 3, 3), hit and 1 or 0, "the corner of the box")
			lu.assertEquals(#world:overlapShape(d.circle(0.5), d.pose(0, 1.5 + gap)), hit and 1 or 0)
			lu.assertEquals(#world:overlapShape(d.box(1, 1), d.pose(1 + half + gap, 0, math.pi / 4)), hit and 1 or 0)
			lu.assertEquals(#world:overlapShape(d.ellipse(2, 0.5), d.pose(0, -1.5 - gap)), hit and 1 or 0)
			lu.assertEquals(#world:overlapShape(d.segment(1 + gap, -3, 1 + gap, 3)), hit and 1 or 0, "without a pose")
		end
		-- Far inside, and all around.
		lu.assertTrue(world:overlapBox(-0.1, -0.1, 0.1, 0.1)[1] == ball)
		lu.assertTrue(world:overlapBox(-9, -9, 9, 9)[1] == ball)
		lu.assertTrue(world:overlapBox(0.5, 0.5, 0.5, 0.5)[1] == ball, "a box that is a point")
		lu.assertEquals(#world:overlapBox(0.9, 0.9, 0.9, 0.9), 0)
	end

	-- Coordinates far from the body's origin are rounded coarsely: here to 1/16384 m.
	function TestOverlap.test_shapes_far_from_their_bodies_origin()
		local world = d.newWorld {}
		local at = 1000
		world:newBody { type = "static", x = -at, shape = d.circle(1, at, 0) }
		world:newBody { type = "static", y = 10 - at, shape = d.box(2, 2, { x = 0, y = at }) }
		for gap = -0.004, 0.004, 0.001 do
			if math.abs(gap) > 0.0005 then
				for _, y in ipairs { 0, 10 } do
					lu.assertEquals(#world:overlapBox(1 + gap, y - 0.1, 3, y + 0.1), gap < 0 and 1 or 0)
					lu.assertEquals(#world:overlapShape(d.circle(0.5), d.pose(1.5 + gap, y)), gap < 0 and 1 or 0)
					lu.assertEquals(#world:overlapShape(d.box(1, 1), d.pose(1.5 + gap, y)), gap < 0 and 1 or 0)
				end
			end
		end
	end

	function TestOverlap.test_half_planes_and_chains()
		local world = d.newWorld {}
		local plane = world:newBody { type = "static", shape = d.halfPlane(0, 1, -5) }:getColliders()[1]
		local chain = world:newBody { type = "static", shape = d.chain { 4, 0, 2, 1, 0, 0, -2, 1, -4, 0 } }:getColliders()[1]
		lu.assertTrue(world:overlapBox(100, -6, 101, -4.99)[1] == plane)
		lu.assertEquals(#world:overlapBox(100, -4.9, 101, -4), 0)
		lu.assertTrue(world:overlapBox(1e6, -1e6, 1e6 + 1, -1e6 + 1)[1] == plane, "it has no end")
		lu.assertTrue(world:overlapShape(d.circle(1), d.pose(-1e5, -4.1))[1] == plane)
		lu.assertEquals(#world:overlapShape(d.circle(1), d.pose(-1e5, -3.9)), 0)
		-- A chain is a line: found once although the box crosses four segments, and from both sides.
		lu.assertEquals(#world:overlapBox(-3, 0.4, 3, 0.6), 1)
		lu.assertTrue(world:overlapBox(-3, 0.4, 3, 0.6)[1] == chain)
		lu.assertEquals(#world:overlapBox(-0.5, 0.5, 0.5, 0.9), 0, "in the valley, over the line")
		lu.assertEquals(#world:overlapBox(1.5, 0.1, 2.5, 0.6), 0, "under the hill")
		lu.assertTrue(world:overlapShape(d.circle(0.5), d.pose(2, 1.49))[1] == chain)
		lu.assertTrue(world:overlapShape(d.circle(0.5), d.pose(2, 0.6))[1] == chain)
	end

	-- All leave their boxes in each step: the tree is built anew for the first query after it, or leaf by leaf where few fly.
	function TestOverlap.test_among_flying_bodies()
		for _, flying in ipairs { 300, 60, 0 } do
			local world, number = d.newWorld { gravity = { 0, 0 } }, random_numbers(77)
			local bodies, ball = {}, d.circle(0.4)
			for i = 1, 300 do
				local speed = i <= flying and 40 or 0
				bodies[i] = world:newBody { x = number(-30, 30), y = number(-30, 30), shape = ball, sensor = true,
					linearVelocity = { number(-speed, speed), number(-speed, speed) }, sleepingAllowed = false }
			end
			local found = 0
			for _ = 1, 5 do
				world:step(1 / 60)
				for _ = 1, 20 do
					local x, y = number(-30, 25), number(-30, 25)
					local expected = {}
					for _, body in ipairs(bodies) do
						local bx, by = body:getPosition()
						local dx, dy = math.max(x - bx, bx - x - 5, 0), math.max(y - by, by - y - 5, 0)
						if dx * dx + dy * dy <= 0.16 then expected[#expected + 1] = body:getColliders()[1] end
					end
					local got = world:overlapBox(x, y, x + 5, y + 5, { sensors = true })
					lu.assertEquals(#got, #expected)
					for i, collider in ipairs(got) do lu.assertTrue(collider == expected[i]) end
					found = found + #expected
				end
			end
			lu.assertTrue(found > 150)
		end
	end

	-- Groups at distances of a geometric sequence would make the tree of the first query as high as there are groups.
	function TestOverlap.test_among_clusters_of_clusters()
		local world, ball = d.newWorld { gravity = { 0, 0 } }, d.circle(1e-3)
		local bodies, place, left = {}, 1000, 2000
		while left > 0 do
			local group = math.min(left, math.floor(left / 8) + 1)
			for _ = 1, group do bodies[#bodies + 1] = world:newBody { x = place, shape = ball, linearVelocity = { 0, 1 }, sensor = true } end
			left, place = left - group, 0.45 * place
		end
		for i = 1, 20 do
			world:step(1 / 60)
			local everywhere = world:overlapBox(-1, -1, 1001, 1, { sensors = true })
			lu.assertEquals(#everywhere, #bodies)
			bodies[#bodies + 1] = world:newBody { x = 1000 - i, shape = ball, sensor = true }
			lu.assertEquals(#world:overlapBox(999.5, -1, 1001, 1, { sensors = true }), 251, "the first group")
		end
	end

	-- 100 zigzag chains over one area: neighbours in the tree are parts of different colliders.
	function TestOverlap.test_colliders_of_many_parts_are_listed_and_filtered_once()
		local world = d.newWorld {}
		local body = world:newBody { type = "static" }
		for i = 1, 100 do
			local points = {}
			for k = 30, -30, -1 do
				points[#points + 1] = 0.3 * k + 0.01 * i
				points[#points + 1] = k % 2 + 0.02 * i
			end
			body:newCollider(d.chain(points))
		end
		local asked
		local function count(collider)
			asked[collider] = (asked[collider] or 0) + 1
			return true
		end
		for _, run in ipairs {
			function(options) return world:overlapBox(-8, 0.3, 8, 0.7, options) end,
			function(options) return world:overlapShape(d.circle(3), d.pose(0, 1), options) end,
			function(options) return world:raycastAll(-7, 4, 6.5, 0.1, options) end,
		} do
			asked = {}
			local list, twice = run { filter = count }, {}
			for _, entry in ipairs(list) do
				local row = pcall(function() return entry.collider end) and entry
				local collider = row and row.collider or entry
				lu.assertNil(twice[collider])
				twice[collider] = true
				lu.assertEquals(asked[collider], 1)
				if row then
					local alone = { filter = function(other) return other == collider end }
					local _, _, _, _, _, fraction = world:raycast(-7, 4, 6.5, 0.1, alone)
					lu.assertEquals(row.fraction, fraction)
				end
			end
			lu.assertTrue(#list >= 30, #list .. " of 100")
			lu.assertEquals(#run(), #list)
		end
	end

	function TestOverlap.test_options_and_order()
		local world, _, number, pick = new_scene(33, 80, 0, 0)
		local twin, twin_colliders = new_scene(33, 80, 0, 0)
		local _, colliders = nil, {}
		for _, body in ipairs(world:getBodies()) do colliders[#colliders + 1] = body:getColliders()[1] end
		for _ = 1, 60 do
			local x1, y1 = number(-9, 5), number(-9, 5)
			local x2, y2 = x1 + number(1, 5), y1 + number(1, 5)
			local chosen = { layers[pick(3)] }
			local all = world:overlapBox(x1, y1, x2, y2, { sensors = true })
			local function even(collider) return index_of(colliders, collider) % 2 == 0 end
			for _, case in ipairs {
				{ nil, function(collider) return not collider:isSensor() end },
				{ { layers = chosen, sensors = true }, function(collider) return collider:getLayer() == chosen[1] end },
				{ { filter = even, sensors = true }, even },
				{ { sensors = true }, function() return true end },
			} do
				local expected = {}
				for _, collider in ipairs(all) do
					if case[2](collider) then expected[#expected + 1] = index_of(colliders, collider) end
				end
				local got, shaped = {}, {}
				for i, collider in ipairs(world:overlapBox(x1, y1, x2, y2, case[1])) do got[i] = index_of(colliders, collider) end
				lu.assertEquals(got, expected, "the order is fixed")
				local box = d.box(x2 - x1, y2 - y1)
				local pose = d.pose((x1 + x2) / 2, (y1 + y2) / 2)
				for i, collider in ipairs(world:overlapShape(box, pose, case[1])) do shaped[i] = index_of(colliders, collider) end
				table.sort(shaped)
				table.sort(expected)
				lu.assertEquals(shaped, expected, "a box is a box")
			end
			local same = {}
			for i, collider in ipairs(twin:overlapBox(x1, y1, x2, y2, { sensors = true })) do
				same[i] = index_of(twin_colliders, collider)
			end
			for i, collider in ipairs(all) do lu.assertEquals(same[i], index_of(colliders, collider)) end
		end
	end

	-- --- Time ------------------------------------------------------------------------------------------------------------------

	local TestQueriesAndChange = suite("TestQueriesAndChange", dim)

	-- Queries see changes immediately, not at the next step.
	function TestQueriesAndChange.test_changes_are_seen_immediately()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "one", "two" } }
		local function seen(x, options) return world:raycastAny(x, 5, x, -5, options) and #world:overlapBox(x, 0, x, 0, options) == 1 end
		local function unseen(x, options)
			return not world:raycastAny(x, 5, x, -5, options) and #world:overlapBox(x, 0, x, 0, options) == 0
		end
		for _, type in ipairs { "static", "kinematic", "dynamic" } do
			local body = world:newBody { type = type, shape = d.box(1, 1) }
			lu.assertTrue(seen(0))
			body:setPosition(10, 0)
			lu.assertTrue(unseen(0) and seen(10))
			body:setTransform(10, 0, math.pi / 4)
			lu.assertTrue(seen(10.6), "turned")
			body:setAngle(0)
			lu.assertTrue(unseen(10.6))
			body:setEnabled(false)
			lu.assertTrue(unseen(10))
			body:setEnabled(true)
			lu.assertTrue(seen(10))
			local collider = body:getColliders()[1]
			collider:setShape(d.box(3, 1))
			lu.assertTrue(seen(11.4))
			collider:setLayer("two")
			lu.assertTrue(seen(10, { layers = { "two" } }) and unseen(10, { layers = { "one" } }))
			local other = body:newCollider(d.circle(1, -5, 0))
			lu.assertTrue(seen(5))
			other:destroy()
			lu.assertTrue(unseen(5))
			body:setType("static")
			lu.assertTrue(seen(10))
			body:destroy()
			lu.assertTrue(unseen(10))
		end
	end

	function TestQueriesAndChange.test_moving_and_sleeping_bodies_are_found()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local ball = world:newBody { x = -10, y = 0.5, shape = d.circle(0.5), linearVelocity = { 4, 0 }, angularVelocity = -8 }
		for _ = 1, 60 do
			world:step(1 / 60)
			local x, y = ball:getPosition()
			local collider, hx, hy = world:raycast(x, 9, x, -9)
			lu.assertTrue(collider:getBody() == ball)
			lu.assertAlmostEquals(hx, x, 1e-6)
			lu.assertAlmostEquals(hy, y + 0.5, 1e-6)
			lu.assertTrue(world:overlapBox(x - 0.1, y - 0.1, x + 0.1, y + 0.1)[1]:getBody() == ball)
		end
		ball:setLinearVelocity(0, 0)
		ball:setAngularVelocity(0)
		for _ = 1, 90 do world:step(1 / 60) end
		lu.assertFalse(ball:isAwake())
		local x, y = ball:getPosition()
		lu.assertTrue(world:raycast(x, 9, x, y):getBody() == ball)
		lu.assertFalse(ball:isAwake(), "looking wakes nobody")
	end

	-- A filter may wake bodies: the query goes on over the world as it was.
	function TestQueriesAndChange.test_filters_that_wake_bodies_lose_and_repeat_no_collider()
		local number, pick = random_numbers(83)
		for _ = 1, 40 do
			local world, bodies, count = d.newWorld { gravity = { 0, 0 } }, {}, 5 + pick(20)
			for i = 1, count do bodies[i] = world:newBody { x = 2 * i, shape = d.circle(0.5), awake = number(0, 1) < 0.3 } end
			local function wakes()
				bodies[pick(count)]:setLinearVelocity(0.001, 0)
				if pick(3) == 1 then world:overlapBox(0, -0.1, 60, 0.1) end
				return true
			end
			local hits = world:raycastAll(0, 0, 60, 0, { filter = wakes })
			world:validate()
			lu.assertEquals(#hits, count)
			for i, hit in ipairs(hits) do lu.assertTrue(hit.collider:getBody() == bodies[i]) end
			for i = 1, count do
				bodies[i]:setLinearVelocity(0, 0)
				bodies[i]:setAwake(number(0, 1) < 0.3)
			end
			local seen = {}
			for _, collider in ipairs(world:overlapBox(0, -0.1, 60, 0.1, { filter = wakes })) do seen[#seen + 1] = collider:getBody():getPosition() / 2 end
			table.sort(seen)
			lu.assertEquals(#seen, count)
			for i = 1, count do lu.assertEquals(seen[i], i) end
			for i = 1, count do bodies[i]:setAwake(false) end
			lu.assertTrue(world:raycast(0, 0, 60, 0, { filter = wakes }):getBody() == bodies[1])
		end
	end
end

TestQueriesOfParts = {}

-- Two parts of a collider hit at the same fraction are one hit.
function TestQueriesOfParts.test_a_ray_between_two_parts_hits_their_collider_once()
	local flat = collide.d2.newWorld {}
	flat:newBody { type = "static", shape = collide.d2.chain { 0, 1, 0, 0, 0, -1 } }
	lu.assertEquals(#flat:raycastAll(-10, 0, 2, 0), 1)
	local space = collide.d3.newWorld {}
	local box = collide.d3.box(1, 1, 1)
	space:newBody { shape = collide.d3.compound { { shape = box, pose = collide.d3.pose(0, 0.5, 0) }, { shape = box, pose = collide.d3.pose(0, -0.5, 0) } } }
	lu.assertEquals(#space:raycastAll(-7, 0, 0, 2, 0, 0), 1)
end

-- Of two colliders hit at the same fraction, the closest ray is at the one that raycastAll lists first, whichever tree is searched first, also where the float
-- nearest to the fraction is below it.
function TestQueriesOfParts.test_the_closest_of_equal_hits_is_the_first_of_all_hits()
	for _, d in ipairs { collide.d2, collide.d3 } do
		local box = d == collide.d2 and d.box(1, 1) or d.box(1, 1, 1)
		for i = 1, 60 do
			local world, x = d.newWorld(), 7 - i / 61 * 3
			world:newBody { type = "kinematic", x = 7.5, y = 0.4, shape = box }
			world:newBody { type = "static", x = 7.5, y = -0.4, shape = box }
			local ray = d == collide.d2 and { x, 0, x + 3, 0 } or { x, 0, 0, x + 3, 0, 0 }
			local all = world:raycastAll((table.unpack or unpack)(ray))
			lu.assertEquals(#all, 2)
			lu.assertEquals(all[1].fraction, all[2].fraction)
			lu.assertTrue(rawequal(world:raycast((table.unpack or unpack)(ray)), all[1].collider))
		end
	end
end

-- Queries that return a list fill a given one instead, and remove what is beyond the results.
TestQueryLists = {}

for dim, axes in pairs { d2 = 2, d3 = 3 } do
	local d = collide[dim]

	-- Ten unit cubes or squares, 2 apart along x.
	local function new_row()
		local world, colliders = d.newWorld {}, {}
		for i = 1, 10 do
			local size = axes == 2 and d.box(1, 1) or d.box(1, 1, 1)
			colliders[i] = world:newBody({ type = "static", x = 2 * i, shape = size }):getColliders()[1]
		end
		return world, colliders
	end

	-- Each takes the number of boxes to find, the options and the list.
	local function queries_of(world)
		local box, poses = axes == 2 and d.box(2, 0.5) or d.box(2, 0.5, 0.5), {}
		for count, x in pairs { [0] = 0, 2, 3 } do poses[count] = d.pose(x, 0, 0) end
		return {
			raycastAll = function(count, ...)
				if axes == 2 then return world:raycastAll(0, 0.1, 2 * count + 0.7, -0.1, ...) end
				return world:raycastAll(0, 0.1, 0, 2 * count + 0.7, -0.1, 0, ...)
			end,
			overlapBox = function(count, ...)
				if axes == 2 then return world:overlapBox(0, -1, 2 * count + 0.7, 1, ...) end
				return world:overlapBox(0, -1, -1, 2 * count + 0.7, 1, 1, ...)
			end,
			overlapShape = function(count, ...) -- 0 to 2
				return world:overlapShape(box, poses[count], ...)
			end,
		}
	end

	TestQueryLists["test_a_given_list_gets_what_a_new_one_has_" .. dim] = function()
		local world, colliders = new_row()
		for name, query in pairs(queries_of(world)) do
			local into = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, name = "kept" }
			for _, count in ipairs { 2, 1, 2, 0, 1 } do
				local expected = query(count)
				lu.assertEquals(#expected, count)
				local list = query(count, nil, into)
				lu.assertTrue(rawequal(list, into), name)
				lu.assertEquals(list.name, "kept")
				list.name = nil
				lu.assertEquals(list, expected, name)
				list.name = "kept"
			end
			local function first(collider) return collider == colliders[1] end
			lu.assertEquals(#query(1, { filter = first }, into), 1, "after options")
		end
	end

	TestQueryLists["test_hits_are_written_into_the_tables_of_the_list_" .. dim] = function()
		local world, colliders = new_row()
		local ray = queries_of(world).raycastAll
		local mine = setmetatable({ note = "kept", fraction = 7 }, { __newindex = error })
		local into = { mine, 5 }
		ray(3, nil, into)
		lu.assertTrue(rawequal(into[1], mine))
		lu.assertEquals(mine.note, "kept")
		local third = into[3]
		local function other(collider) return collider ~= colliders[1] end
		ray(9, { filter = other }, into)
		lu.assertEquals(#into, 8)
		lu.assertTrue(rawequal(into[1], mine) and rawequal(into[3], third))
		for i, hit in ipairs(into) do lu.assertTrue(hit.collider == colliders[i + 1]) end
		mine.note = nil
		lu.assertEquals(setmetatable(mine, nil), ray(9, { filter = other })[1])
	end

	TestQueryLists["test_a_failed_query_leaves_the_list_" .. dim] = function()
		local world = new_row()
		for name, query in pairs(queries_of(world)) do
			local into = { 1, 2, 3 }
			lu.assertErrorMsgContains("oops", query, 1, { filter = function() error "oops" end }, into)
			lu.assertEquals(into, { 1, 2, 3 })
			lu.assertErrorMsgContains(name .. ": into must be a table or nil, got 7", query, 1, nil, 7)
			lu.assertErrorMsgContains(name .. ": into must be a table or nil, got true", query, 1, {}, true)
			lu.assertFalse(world:isLocked())
		end
	end

	TestQueryLists["test_given_lists_make_no_garbage_" .. dim] = function()
		local world = new_row()
		local queries, options = queries_of(world), { layers = { "default" } }
		local rays, boxes, shapes = {}, {}, {}
		lu.assertEquals(require("support").bytes_of(300, function()
			queries.raycastAll(8, options, rays)
			queries.overlapBox(9, options, boxes)
			queries.overlapBox(3, nil, boxes)
			queries.overlapShape(2, options, shapes)
		end), 0)
		lu.assertEquals({ #rays, #boxes, #shapes }, { 8, 3, 2 })
	end
end

-- A world's overlaps are those of the toolbox, also where shapes touch to within rounding: near the origin and 100 km from it.
TestOverlapsAlike = {}

local flat, solid = collide.d2, collide.d3
local kinds = {
	d2 = {
		flat.circle(0.4), flat.capsule(-0.4, 0, 0.4, 0.1, 0.2), flat.box(0.8, 0.6), flat.box(0.9, 0.5, { radius = 0.1 }), flat.segment(-0.6, 0, 0.6, 0.1),
		flat.polygon { -0.5, -0.4, 0.5, -0.4, 0, 0.6 },
	},
	d3 = {
		solid.sphere(0.4), solid.capsule(-0.4, 0, 0, 0.4, 0.1, 0, 0.2), solid.box(0.8, 0.6, 0.5), solid.box(0.9, 0.5, 0.7, { radius = 0.1 }),
		solid.hull { -0.5, -0.4, -0.5, 0.5, -0.4, -0.5, 0, -0.4, 0.5, 0, 0.6, 0 },
	},
}

for dim, shapes in pairs(kinds) do
	TestOverlapsAlike["test_" .. dim] = function()
		local number, pick = require("support").random_numbers(78)
		local d, found, all = collide[dim], 0, 0
		for _ = 1, 300 do
			local one, two, far = shapes[pick(#shapes)], shapes[pick(#shapes)], pick(2) == 1 and 1e5 or 0
			local world = d.newWorld {}
			world:newBody { type = "static", x = far, shape = one }
			local pose = d.pose(far, 0, 0)
			local dx, dy, turn = number(-1, 1), number(-1, 1), number(-3, 3)
			local length = math.sqrt(dx * dx + dy * dy)
			local function other(distance)
				local x, y = far + dx / length * distance, dy / length * distance
				return dim == "d2" and d.pose(x, y, turn) or d.pose(x, y, 0, 0, 0, math.sin(turn), math.cos(turn))
			end
			-- The distance along this direction at which they touch, by bisection.
			local low, high = 0, 3
			for _ = 1, 40 do
				local middle = 0.5 * (low + high)
				if d.overlaps(one, pose, two, other(middle)) then low = middle else high = middle end
			end
			for _, by in ipairs { -1e-3, -1e-8, 1e-8, 1e-3 } do
				local expected = d.overlaps(one, pose, two, other(low + by))
				lu.assertEquals(#world:overlapShape(two, other(low + by)), expected and 1 or 0)
				found, all = found + (expected and 1 or 0), all + 1
			end
		end
		lu.assertTrue(found > 0.4 * all and found < 0.6 * all, found)
	end
end
