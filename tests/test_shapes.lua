-- Mass, centre, inertia and AABB of each shape against an outline that the test generates, and every pair of shapes at rest on each other.
--
-- The outline is a fine polygon; Green's theorem gives its area, centroid and polar moment. 4,000 corners a turn leave a relative error of (2 pi / 4000)^2 / 6
-- = 4e-7 in the area and at most four times that in the moment. The engine's floats add 2^-24 for each of some ten operations. TOLERANCE = 1e-5 covers both.
local lu, collide = require "luaunit", require "collide"
local d2 = collide.d2

local TOLERANCE, SLOP, TURN = 1e-5, 0.005, 4000

local random = require("support").random_numbers

-- Outlines are lists of {x, y}, counter-clockwise.

-- The convex polygon of a flat list expanded by radius: an arc at each corner. Two points make a capsule, one a circle.
local function grown(points, radius)
	local n, outline = #points / 2, {}
	if n == 1 then
		for k = 0, TURN - 1 do
			local angle = 2 * math.pi * k / TURN
			outline[#outline + 1] = { points[1] + radius * math.cos(angle), points[2] + radius * math.sin(angle) }
		end
		return outline
	end
	local atan2 = math.atan2 or math.atan
	local function corner(i)
		i = i % n
		return points[2 * i + 1], points[2 * i + 2]
	end
	for i = 0, n - 1 do
		local ax, ay = corner(i - 1)
		local bx, by = corner(i)
		local cx, cy = corner(i + 1)
		local from, to = atan2(-(bx - ax), by - ay), atan2(-(cx - bx), cy - by)
		if to <= from then to = to + 2 * math.pi end
		local count = radius > 0 and math.ceil((to - from) / (2 * math.pi) * TURN) or 0
		for k = 0, count do
			local angle = from + (to - from) * k / math.max(count, 1)
			outline[#outline + 1] = { bx + radius * math.cos(angle), by + radius * math.sin(angle) }
		end
	end
	return outline
end

local function oval(rx, ry)
	local outline = {}
	for k = 0, TURN - 1 do
		local angle = 2 * math.pi * k / TURN
		outline[k + 1] = { rx * math.cos(angle), ry * math.sin(angle) }
	end
	return outline
end

-- Green's theorem: area, centroid, polar moment about the centroid.
local function integrate(outline)
	local area, sx, sy, moment = 0, 0, 0, 0
	local p = outline[#outline]
	for _, q in ipairs(outline) do
		local cross = p[1] * q[2] - p[2] * q[1]
		area = area + cross / 2
		sx, sy = sx + cross * (p[1] + q[1]) / 6, sy + cross * (p[2] + q[2]) / 6
		moment = moment + cross * (p[1] ^ 2 + p[1] * q[1] + q[1] ^ 2 + p[2] ^ 2 + p[2] * q[2] + q[2] ^ 2) / 12
		p = q
	end
	local x, y = sx / area, sy / area
	return area, x, y, moment - area * (x * x + y * y)
end

-- A rectangle at x, y, rotated by angle, as a flat list.
local function rectangle(w, h, x, y, angle)
	local points, c, s = {}, math.cos(angle or 0), math.sin(angle or 0)
	for _, corner in ipairs { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } do
		local px, py = corner[1] * w / 2, corner[2] * h / 2
		points[#points + 1] = (x or 0) + c * px - s * py
		points[#points + 1] = (y or 0) + s * px + c * py
	end
	return points
end

local pentagon = { 1, 0, 0.4, 0.9, -0.7, 0.6, -0.8, -0.5, 0.3, -0.9 }
local needle = { -3, -0.01, 3, -0.02, 3, 0.02 }
local far_triangle = { 100, 50, 101, 50, 100.5, 51 }

-- Every solid shape and its outline.
-- Made anew for each test: kept, they would make each full garbage collection of the other tests slower.
local function make_solids()
	return {
		circle = { d2.circle(0.7), grown({ 0, 0 }, 0.7) },
		circle_off = { d2.circle(0.25, 2, -3), grown({ 2, -3 }, 0.25) },
		capsule = { d2.capsule(-1, 0, 1, 0, 0.5), grown({ -1, 0, 1, 0 }, 0.5) },
		capsule_slanted = { d2.capsule(0.3, -0.2, 1.1, 2.4, 0.15), grown({ 0.3, -0.2, 1.1, 2.4 }, 0.15) },
		capsule_long = { d2.capsule(-20, 0, 20, 1, 0.05), grown({ -20, 0, 20, 1 }, 0.05) },
		box = { d2.box(2, 1), grown(rectangle(2, 1), 0) },
		box_placed = { d2.box(2, 1, { x = 1, y = -2, angle = 0.6 }), grown(rectangle(2, 1, 1, -2, 0.6), 0) },
		box_rounded = { d2.box(2, 1, { radius = 0.2 }), grown(rectangle(1.6, 0.6), 0.2) },
		box_rounded_placed = { d2.box(3, 1, { x = -1, y = 0.5, angle = -1, radius = 0.4 }), grown(rectangle(2.2, 0.2, -1, 0.5, -1), 0.4) },
		polygon = { d2.polygon(pentagon), grown(pentagon, 0) },
		polygon_rounded = { d2.polygon(pentagon, 0.3), grown(pentagon, 0.3) },
		polygon_thin = { d2.polygon(needle), grown(needle, 0) },
		polygon_far = { d2.polygon(far_triangle), grown(far_triangle, 0) },
		ellipse = { d2.ellipse(1.5, 0.5), oval(1.5, 0.5) },
		ellipse_thin = { d2.ellipse(0.1, 2), oval(0.1, 2) },
		ellipse_round = { d2.ellipse(1, 1), oval(1, 1) },
	}
end

TestMass = {}

-- A centre far from the origin costs digits of the moment: floats hold positions to 2^-24 of their size.
function TestMass.test_d2_mass_centre_and_inertia_are_the_outlines()
	for name, entry in pairs(make_solids()) do
		local area, x, y, moment = integrate(entry[2])
		local density = 2.5
		local mass, cx, cy, inertia = entry[1]:getMass(density)
		local reach = math.sqrt(x * x + y * y) + math.sqrt(moment / area)
		lu.assertAlmostEquals(mass, density * area, TOLERANCE * density * area, name .. ": mass")
		lu.assertAlmostEquals(cx, x, TOLERANCE * reach, name .. ": x of the centre")
		lu.assertAlmostEquals(cy, y, TOLERANCE * reach, name .. ": y of the centre")
		lu.assertAlmostEquals(inertia, density * moment, TOLERANCE * density * moment, name .. ": inertia")
	end
end

function TestMass.test_d2_textbook_moments()
	local mass, _, _, inertia = d2.circle(2):getMass(1)
	lu.assertAlmostEquals(inertia, mass * 2 ^ 2 / 2, TOLERANCE * inertia)
	mass, _, _, inertia = d2.box(3, 2):getMass(1)
	lu.assertAlmostEquals(inertia, mass * (9 + 4) / 12, TOLERANCE * inertia)
	mass, _, _, inertia = d2.ellipse(3, 2):getMass(1)
	lu.assertAlmostEquals(inertia, mass * (9 + 4) / 4, TOLERANCE * inertia)
end

-- Lines have no area, and half-planes are infinite.
function TestMass.test_d2_shapes_without_a_finite_area_have_no_mass()
	for _, shape in ipairs { d2.segment(0, 0, 1, 1), d2.chain { 0, 0, 1, 0, 2, 1 }, d2.chain({ 0, 0, 1, 0, 0, 1 }, { loop = true }), d2.halfPlane(0, 1, 0) } do
		lu.assertEquals((shape:getMass(1)), 0, shape:getType())
	end
end

-- By another method: counting the grid points that the collider contains. Only cells within half a diagonal of the outline are uncertain, so the area's error
-- is less than perimeter * cell.
function TestMass.test_d2_the_points_inside_make_up_the_area()
	for name, entry in pairs(make_solids()) do
		local world = d2.newWorld {}
		local body = world:newBody { type = "static" }
		local collider = body:newCollider(entry[1])
		local outline, x1, y1, x2, y2, perimeter = entry[2], math.huge, math.huge, -math.huge, -math.huge, 0
		local p = outline[#outline]
		for _, q in ipairs(outline) do
			x1, y1, x2, y2 = math.min(x1, q[1]), math.min(y1, q[2]), math.max(x2, q[1]), math.max(y2, q[2])
			perimeter = perimeter + math.sqrt((q[1] - p[1]) ^ 2 + (q[2] - p[2]) ^ 2)
			p = q
		end
		local n, inside = 120, 0
		local dx, dy = (x2 - x1) / n, (y2 - y1) / n
		for i = 0, n - 1 do
			for j = 0, n - 1 do
				if collider:containsPoint(x1 + (i + 0.5) * dx, y1 + (j + 0.5) * dy) then inside = inside + 1 end
			end
		end
		local area = integrate(outline)
		lu.assertAlmostEquals(inside * dx * dy, area, perimeter * math.max(dx, dy) / 2, name)
		lu.assertFalse(collider:containsPoint(x1 - 0.01, y1 - 0.01), name)
		lu.assertTrue(inside > 0, name)
	end
end

-- The parallel axis theorem: I = sum I_i + m_i |c_i - c|^2.
function TestMass.test_d2_a_body_is_the_sum_of_its_colliders()
	local world, solids = d2.newWorld {}, make_solids()
	local body = world:newBody {}
	local mass, sx, sy, parts = 0, 0, 0, {}
	local density = 0
	for _, name in ipairs { "box_placed", "circle_off", "capsule_slanted", "polygon", "ellipse" } do
		density = density + 0.7
		body:newCollider(solids[name][1], { density = density })
		local area, x, y, moment = integrate(solids[name][2])
		local m = density * area
		mass, sx, sy = mass + m, sx + m * x, sy + m * y
		parts[#parts + 1] = { m, x, y, density * moment }
	end
	local cx, cy, inertia = sx / mass, sy / mass, 0
	for _, part in ipairs(parts) do inertia = inertia + part[4] + part[1] * ((part[2] - cx) ^ 2 + (part[3] - cy) ^ 2) end
	lu.assertAlmostEquals(body:getMass(), mass, TOLERANCE * mass)
	lu.assertAlmostEquals(body:getInertia(), inertia, TOLERANCE * inertia)
	local x, y = body:getLocalCenter()
	lu.assertAlmostEquals(x, cx, TOLERANCE * 3)
	lu.assertAlmostEquals(y, cy, TOLERANCE * 3)
	-- Destroying a collider removes its mass.
	body:getColliders()[1]:destroy()
	local first = body:getMass()
	lu.assertTrue(first < mass)
	lu.assertTrue(math.abs(first - (mass - parts[1][1])) < TOLERANCE * mass or math.abs(first - (mass - parts[5][1])) < TOLERANCE * mass)
end

TestBox = {}

-- The AABB contains every point of the outline and is tight, to float precision.
function TestBox.test_d2_the_box_is_the_outlines_in_every_pose()
	for name, entry in pairs(make_solids()) do
		for _, pose in ipairs { { 0, 0, 0 }, { 3, -2, 0.4 }, { -10, 7, 2 }, { 1, 1, -2.9 } } do
			local c, s = math.cos(pose[3]), math.sin(pose[3])
			local x1, y1, x2, y2 = math.huge, math.huge, -math.huge, -math.huge
			for _, p in ipairs(entry[2]) do
				local x, y = pose[1] + c * p[1] - s * p[2], pose[2] + s * p[1] + c * p[2]
				x1, y1, x2, y2 = math.min(x1, x), math.min(y1, y), math.max(x2, x), math.max(y2, y)
			end
			local bx1, by1, bx2, by2 = entry[1]:getBox(d2.pose(pose[1], pose[2], pose[3]))
			local margin = TOLERANCE * math.max(1, math.abs(x1), math.abs(y1), math.abs(x2), math.abs(y2))
			lu.assertAlmostEquals(bx1, x1, margin, name)
			lu.assertAlmostEquals(by1, y1, margin, name)
			lu.assertAlmostEquals(bx2, x2, margin, name)
			lu.assertAlmostEquals(by2, y2, margin, name)
		end
	end
end

TestHull = {}

-- Gift wrapping (Jarvis, 1973): the hull of a flat list, counter-clockwise.
local function hull_of(points)
	local n, first = #points / 2, 0
	for i = 1, n - 1 do
		if points[2 * i + 2] < points[2 * first + 2] then first = i end
	end
	local hull, at = {}, first
	repeat
		hull[#hull + 1], hull[#hull + 2] = points[2 * at + 1], points[2 * at + 2]
		local best = at == 0 and 1 or 0
		for i = 0, n - 1 do
			local ux, uy = points[2 * best + 1] - points[2 * at + 1], points[2 * best + 2] - points[2 * at + 2]
			local vx, vy = points[2 * i + 1] - points[2 * at + 1], points[2 * i + 2] - points[2 * at + 2]
			if ux * vy - uy * vx < 0 then best = i end
		end
		at = best
	until at == first
	return hull
end

function TestHull.test_d2_a_polygon_is_the_hull_of_its_points()
	local next = random(7)
	for round = 1, 100 do
		local points = {}
		for i = 1, 3 + round % 62 do
			local angle, r = next(0, 2 * math.pi), math.sqrt(next(0, 1))
			points[2 * i - 1], points[2 * i] = r * math.cos(angle), r * math.sin(angle)
		end
		local expected = hull_of(points)
		local area, x, y, moment = integrate(grown(expected, 0))
		local shape = d2.polygon(points)
		local mass, cx, cy, inertia = shape:getMass(1)
		-- Points closer to each other or to an edge than the slop may be merged: an error of at most perimeter * slop.
		local margin = 7 * SLOP
		lu.assertAlmostEquals(mass, area, margin, "round " .. round)
		lu.assertAlmostEquals(cx, x, margin)
		lu.assertAlmostEquals(cy, y, margin)
		lu.assertAlmostEquals(inertia, moment, margin)
		local got = shape:getPoints()
		lu.assertTrue(#got >= 6 and #got <= #expected, "round " .. round)
		-- Counter-clockwise and convex, each corner one of the points.
		for i = 0, #got / 2 - 1 do
			local function corner(k)
				k = k % (#got / 2)
				return got[2 * k + 1], got[2 * k + 2]
			end
			local ax, ay = corner(i)
			local bx, by = corner(i + 1)
			local ex, ey = corner(i + 2)
			lu.assertTrue((bx - ax) * (ey - by) - (by - ay) * (ex - bx) > 0, "round " .. round)
			local found = false
			for k = 1, #points, 2 do found = found or math.abs(points[k] - ax) + math.abs(points[k + 1] - ay) < 1e-6 end
			lu.assertTrue(found, "round " .. round)
		end
	end
end

function TestHull.test_d2_sixty_four_corners_are_kept()
	local points = {}
	for i = 0, 63 do
		-- Steps of 27 visit all of them, in an order that is no outline.
		local angle = 2 * math.pi * ((i * 27) % 64) / 64
		points[2 * i + 1], points[2 * i + 2] = math.cos(angle), math.sin(angle)
	end
	local shape = d2.polygon(points)
	lu.assertEquals(#shape:getPoints(), 128)
	lu.assertAlmostEquals((shape:getMass(1)), 32 * math.sin(2 * math.pi / 64), TOLERANCE * 3)
end

function TestHull.test_d2_points_inside_on_edges_and_repeated_do_not_count()
	local plain = d2.polygon { 0, 0, 2, 0, 2, 2, 0, 2 }
	local full = d2.polygon { 0, 0, 1, 0, 2, 0, 1, 1, 2, 2, 0, 2, 2, 2, 0, 0, 0.5, 1.5, 2, 1 }
	lu.assertEquals(#full:getPoints(), 8)
	local m1, x1, y1, i1 = plain:getMass(1)
	local m2, x2, y2, i2 = full:getMass(1)
	for k, value in ipairs { m1, x1, y1, i1 } do
		lu.assertAlmostEquals(({ m2, x2, y2, i2 })[k], value, TOLERANCE * value)
	end
end

TestPairs = {}

-- Shapes that can rest on others, with the distance from their origin down to their lowest point.
local lying = {
	circle = { d2.circle(0.5), 0.5 },
	capsule = { d2.capsule(-0.5, 0, 0.5, 0, 0.3), 0.3 },
	capsule_upright = { d2.capsule(0, -0.5, 0, 0.5, 0.3), 0.8 },
	box = { d2.box(1, 0.8), 0.4 },
	box_rounded = { d2.box(1, 0.8, { radius = 0.2 }), 0.4 },
	polygon = { d2.polygon { -0.6, -0.5, 0.6, -0.5, 0, 0.7 }, 0.5 },
	polygon_rounded = { d2.polygon({ -0.6, -0.4, 0.6, -0.4, 0, 0.6 }, 0.1), 0.5 },
	ellipse = { d2.ellipse(0.7, 0.4), 0.4 },
	ellipse_placed = { d2.ellipse(0.4, 0.7, { y = 0.1, angle = math.pi / 2 }), 0.3 },
}

-- Shapes that can carry others, with the height of their highest point above the origin.
local carrying = {
	circle = { d2.circle(0.5), 0.5 },
	capsule = { d2.capsule(-0.5, 0, 0.5, 0, 0.3), 0.3 },
	capsule_upright = { d2.capsule(0, -0.5, 0, 0.5, 0.3), 0.8 },
	box = { d2.box(1, 0.8), 0.4 },
	box_rounded = { d2.box(1, 0.8, { radius = 0.2 }), 0.4 },
	polygon = { d2.polygon { -0.6, -0.5, 0.6, -0.5, 0, 0.7 }, 0.7 },
	polygon_rounded = { d2.polygon({ -0.6, -0.4, 0.6, -0.4, 0, 0.6 }, 0.1), 0.7 },
	ellipse = { d2.ellipse(0.7, 0.4), 0.4 },
	ellipse_placed = { d2.ellipse(0.4, 0.7, { y = 0.1, angle = math.pi / 2 }), 0.5 },
	segment = { d2.segment(-2, 0, 2, 0), 0 },
	chain = { d2.chain { 2, 0, 0.5, 0, -0.7, 0, -2, 0 }, 0 },
	halfPlane = { d2.halfPlane(0, 1, 0), 0 },
}

-- One shape falls on the other, held upright and aligned. turned: the scene is upside down, including gravity.
local function rest(low, high, turned, high_first, low_type)
	local sign = turned and -1 or 1
	local world = d2.newWorld { gravity = { 0, -10 * sign }, sleeping = false }
	local lower, upper
	local function make_lower()
		lower = world:newBody { type = low_type or "static", angle = turned and math.pi or 0, shape = low[1] }
	end
	if not high_first then make_lower() end
	upper = world:newBody {
		y = sign * (low[2] + high[2] + 0.2), angle = turned and math.pi or 0, shape = high[1], locks = { x = true, rotation = true },
	}
	if high_first then make_lower() end
	for _ = 1, 120 do world:step(1 / 60) end
	local _, y = upper:getPosition()
	local _, vy = upper:getLinearVelocity()
	local impulse, count = 0, 0
	for a, _, _, ny, _, _, _, p in world:contacts() do
		-- Normals point from a to b: up, if a is the lower one.
		local up = a:getBody() == lower and ny or -ny
		impulse, count = impulse + sign * up * p, count + 1
	end
	return { y = sign * y, vy = vy, impulse = impulse, weight = upper:getMass() * 10 / 60, count = count }
end

function TestPairs.test_d2_every_shape_rests_on_every_other()
	for low_name, low in pairs(carrying) do
		for high_name, high in pairs(lying) do
			local what = high_name .. " on " .. low_name
			local r = rest(low, high)
			lu.assertAlmostEquals(r.vy, 0, 1e-3, what)
			lu.assertAlmostEquals(r.y, low[2] + high[2], SLOP, what)
			lu.assertTrue(r.count >= 1 and r.count <= 2 * 3, what)
			lu.assertAlmostEquals(r.impulse, r.weight, 0.01 * r.weight, what)
		end
	end
end

-- The order of creation and the direction of gravity do not matter: 0.1 mm.
function TestPairs.test_d2_resting_is_symmetric()
	for low_name, low in pairs(carrying) do
		for high_name, high in pairs(lying) do
			local what = high_name .. " on " .. low_name
			local y = rest(low, high).y
			lu.assertAlmostEquals(rest(low, high, false, true).y, y, 1e-4, what .. ", made first")
			lu.assertAlmostEquals(rest(low, high, true).y, y, 1e-4, what .. ", upside down")
			lu.assertAlmostEquals(rest(low, high, false, false, "kinematic").y, y, 1e-4, what .. ", kinematic")
		end
	end
end

-- A pile of all shapes in a trough comes to rest: no body sinks in by 5 % of the thinnest one (0.6), and all go to sleep.
function TestPairs.test_d2_a_pile_of_all_shapes_comes_to_rest()
	local world = d2.newWorld { gravity = { 0, -10 } }
	local trough = world:newBody { type = "static" }
	for _, wall in ipairs { d2.box(20, 2, { y = -1 }), d2.box(1, 20, { x = -4, y = 9 }), d2.box(1, 20, { x = 4, y = 9 }) } do
		trough:newCollider(wall, { friction = 0.6 })
	end
	local names = {}
	for name in pairs(lying) do names[#names + 1] = name end
	table.sort(names)
	local bodies = {}
	for i = 0, 47 do
		bodies[i + 1] = world:newBody {
			x = (i % 6) - 2.5 + 0.1 * (i % 3), y = 1 + 1.4 * math.floor(i / 6), angle = 0.7 * i, shape = lying[names[i % #names + 1]][1],
			rollingResistance = 0.05,
		}
	end
	for _ = 1, 720 do world:step(1 / 60) end
	local deepest = 0
	for _, _, _, _, _, _, separation in world:contacts() do deepest = math.min(deepest, separation) end
	lu.assertTrue(deepest > -0.05 * 0.6, "deepest " .. deepest)
	lu.assertEquals(world:getAwakeCount(), 0)
	for i, body in ipairs(bodies) do
		local x, y = body:getPosition()
		lu.assertTrue(math.abs(x) < 3.6 and y > 0.1, "body " .. i)
	end
	world:validate()
end
