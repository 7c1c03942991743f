-- 3D manifolds, separating axes of polytopes, and explicit Minkowski sums and differences: by laws, by brute force over features, and by simple cases.
local lu, collide = require "luaunit", require "collide"
local toolbox, solids = require "toolbox", require "solids"
local random_numbers = require("support").random_numbers
local d3 = collide.d3
local near, check = toolbox.near, toolbox.check

-- Vectors ---------------------------------------------------------------------------------------------------------------------------

local sub, add, dot, cross, length = solids.sub, solids.add, solids.dot, solids.cross, solids.length
local function at(list, k) return { list[3 * k - 2], list[3 * k - 1], list[3 * k] } end

-- v turned by the quaternion q = { x, y, z, w }.
local function turn(q, v)
	local t = cross(q, v)
	return add(add(v, 2 * q[4], t), 2, cross(q, t))
end

local function times(a, b)
	return { a[4] * b[1] + a[1] * b[4] + a[2] * b[3] - a[3] * b[2], a[4] * b[2] - a[1] * b[3] + a[2] * b[4] + a[3] * b[1],
		a[4] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[4], a[4] * b[4] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3] }
end

local function pose_parts(pose)
	if not pose then return { 0, 0, 0 }, { 0, 0, 0, 1 } end
	local x, y, z, qx, qy, qz, qw = pose:getTransform()
	local l = math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
	return { x, y, z }, { qx / l, qy / l, qz / l, qw / l }
end

-- Shapes ----------------------------------------------------------------------------------------------------------------------------

local pointed = { "sphere", "capsule", "segment", "triangle", "box", "rounded box", "hull", "rounded hull" }
local kinds = { "cylinder", "cone", "ellipsoid", "tapered capsule" }
for _, kind in ipairs(pointed) do kinds[#kinds + 1] = kind end

local function new_shape(kind, number, pick)
	local function some() return number(-1, 1), number(-1, 1), number(-1, 1) end
	local function place()
		local x, y, z = some()
		return { x = 0.2 * x, y = 0.2 * y, z = 0.2 * z, qx = number(-1, 1), qy = number(-1, 1), qz = number(-1, 1), qw = 0.1 + pick(2) }
	end
	if kind == "sphere" then return d3.sphere(number(0.1, 0.8), some()) end
	if kind == "capsule" then return d3.capsule(number(-1, 0), number(-1, 1), 0, number(0.1, 1), 0, number(-1, 1), number(0.1, 0.5)) end
	if kind == "segment" then return d3.segment(number(-1, 0), number(-1, 1), 0, number(0.1, 1), 0, number(-1, 1)) end
	if kind == "triangle" then
		return d3.triangle(number(0.5, 1), number(-1, 1), 0, 0, number(0.5, 1), number(-1, 1), number(-1, 1), 0, number(0.5, 1))
	end
	if kind == "box" then return d3.box(number(0.3, 2), number(0.3, 2), number(0.3, 2), pick(2) == 1 and place() or nil) end
	if kind == "rounded box" then return d3.box(number(0.5, 2), number(0.5, 2), number(0.5, 2), { radius = number(0.01, 0.2) }) end
	if kind == "cylinder" then return d3.cylinder(number(0.2, 1), number(0.3, 2), place()) end
	if kind == "cone" then return d3.cone(number(0.2, 1), number(0.3, 2), place()) end
	if kind == "tapered capsule" then
		return d3.taperedCapsule(number(-1, 0), number(-1, 1), 0, number(0.1, 0.5), number(0.1, 1), 0, number(-1, 1), number(0.1, 0.5))
	end
	if kind == "ellipsoid" then return d3.ellipsoid(number(0.3, 1), number(0.3, 1), number(0.3, 1), place()) end
	local points = { 0.6, 0, 0, -0.3, 0.5, 0, -0.3, -0.5, 0, 0, 0, 0.6 }
	for i = 13, 12 + 3 * pick(10) do points[i] = number(-1, 1) end
	return d3.hull(points, kind == "rounded hull" and number(0.02, 0.3) or nil)
end

local function size_of(shape)
	local x1, y1, z1, x2, y2, z2 = d3.aabb(shape)
	return math.max(x2 - x1, y2 - y1, z2 - z1)
end

-- Calls f(a, pose_a, b, pose_b, what, number, pick) with random pairs, most of which overlap; a third of them are axis-aligned.
local function each_pair(seed, rounds, list, f)
	local number, pick = random_numbers(seed)
	for round = 1, rounds do
		local kind_a, kind_b = list[pick(#list)], list[pick(#list)]
		local a, b = new_shape(kind_a, number, pick), new_shape(kind_b, number, pick)
		local straight = pick(3) == 1
		local function pose(reach)
			if straight then return d3.pose(number(-reach, reach), number(-reach, reach), number(-reach, reach)) end
			return d3.pose(number(-reach, reach), number(-reach, reach), number(-reach, reach), number(-1, 1), number(-1, 1), number(-1, 1),
				number(0.1, 1))
		end
		f(a, pose(0.2), b, pose(0.9), ("round %d: %s, %s"):format(round, kind_a, kind_b), number, pick)
	end
end

local function normal_of(m) return { m.nx, m.ny, m.nz } end
local function point_of(p) return { p.x, p.y, p.z } end

local function depth_of(m)
	local deepest = 0
	for _, p in ipairs(m) do deepest = math.min(deepest, p.separation) end
	return deepest
end

-- Distance outside the shape; negative inside.
local function outside(shape, pose, p) return (select(4, d3.closestPoint(shape, pose, p[1], p[2], p[3]))) end

-- Manifolds -------------------------------------------------------------------------------------------------------------------------

TestSpaceManifold = {}

-- Contacts are those of a world, which computes in floats, and picks any of several features that are equally close to 1e-6 of the size.
local contact_part = 1e-5
-- Rims and cones are polygons of 16 corners there: this fraction of the radius lies between a corner and the middle of an edge.
local rim_part = 1 - math.cos(math.pi / 16)
local rims = { cylinder = true, cone = true, taperedCapsule = true }

local function contact_tolerance(shape)
	return (rims[shape:getType()] and rim_part / 2 or contact_part) * size_of(shape)
end

-- There is a manifold if the shapes touch. Its deepest point is as deep as the distance, and each point is midway between points of both shapes.
function TestSpaceManifold.test_points_lie_between_both_shapes()
	local counts = { 0, 0, 0, 0 }
	each_pair(31, 3000, kinds, function(a, pa, b, pb, what)
		local d = d3.distance(a, pa, b, pb)
		local m = d3.manifold(a, pa, b, pb)
		check((m ~= nil) == (d <= 0), what)
		if not m then return end
		local size, n, seen = size_of(a) + size_of(b), normal_of(m), {}
		counts[#m] = counts[#m] + 1
		near(length(n), 1, 1e-12, what)
		near(depth_of(m), d, contact_part * size, what)
		local tolerance = math.max(contact_tolerance(a), contact_tolerance(b), contact_part * size)
		for _, p in ipairs(m) do
			check(p.separation <= 0, what)
			check(not seen[p.id], what)
			seen[p.id] = true
			check(outside(a, pa, add(point_of(p), -p.separation / 2, n)) < tolerance, what)
			check(outside(b, pb, add(point_of(p), p.separation / 2, n)) < tolerance, what)
		end
	end)
	for i = 1, 4 do check(counts[i] > 40, i .. " points: " .. counts[i]) end
end

-- A tiny rim against a large face: the deepest point is kept, and all four differ.
function TestSpaceManifold.test_the_deepest_point_of_tiny_shapes_is_kept()
	local number = random_numbers(39)
	local box = d3.box(2, 0.7, 4)
	for round = 1, 300 do
		local size = 10 ^ number(-4, -2)
		local tiny = round % 2 == 0 and d3.cylinder(size, size * number(0.1, 1)) or d3.cone(size, size * number(0.1, 1))
		local pose = d3.pose(0.4 * number(-1, 1), number(0.1, 0.3), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1))
		local d, m = d3.distance(box, nil, tiny, pose), d3.manifold(box, nil, tiny, pose)
		near(depth_of(m), d, contact_part * size + 1e-6, "round " .. round) -- and floats, for a box of 1
		check(#m == 1 or length(sub(point_of(m[1]), point_of(m[2]))) > 0, "round " .. round)
	end
end

local function same_points(m, n)
	check(#m == #n, "number of points")
	for i, p in ipairs(m) do
		local q = n[i]
		check(p.x == q.x and p.y == q.y and p.z == q.z and p.separation == q.separation and p.id == q.id, "point " .. i)
	end
end

function TestSpaceManifold.test_is_symmetric_to_the_bit()
	each_pair(32, 2500, kinds, function(a, pa, b, pb, what, _, pick)
		if pick(5) == 1 then b = a end
		if pick(8) == 1 then a = d3.halfSpace(0.2, 1, 0.1, 0.3) end
		local m, n = d3.manifold(a, pa, b, pb), d3.manifold(b, pb, a, pa)
		check((m == nil) == (n == nil), what)
		if not m then return end
		check(m.nx == -n.nx and m.ny == -n.ny and m.nz == -n.nz, what)
		same_points(m, n)
	end)
end

-- A common rigid motion changes only the frame. Poses are rounded to floats, which may sometimes add or remove a point.
function TestSpaceManifold.test_is_invariant_under_rigid_motion()
	local touching, other = 0, 0
	each_pair(33, 1500, kinds, function(a, pa, b, pb, what, number)
		local m = d3.manifold(a, pa, b, pb)
		if not m then return end
		local size, q = size_of(a) + size_of(b), { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) }
		local l = math.sqrt(dot(q, q) + q[4] * q[4])
		q = { q[1] / l, q[2] / l, q[3] / l, q[4] / l }
		local by = { number(-9, 9), number(-9, 9), number(-9, 9) }
		local function place(pose)
			local p, r = pose_parts(pose)
			p, r = add(by, 1, turn(q, p)), times(q, r)
			return d3.pose(p[1], p[2], p[3], r[1], r[2], r[3], r[4])
		end
		local n = d3.manifold(a, place(pa), b, place(pb))
		touching = touching + 1
		if not n then
			near(depth_of(m), 0, 1e-6 * size, what)
			return
		end
		near(depth_of(n), depth_of(m), 3e-6 * size, what)
		if #n ~= #m or length(sub(normal_of(n), turn(q, normal_of(m)))) > 1e-4 then other = other + 1 end
	end)
	check(touching > 500 and other < 0.04 * touching, ("%d of %d"):format(other, touching))
end

-- Far away the result is the same.
function TestSpaceManifold.test_is_the_same_far_away()
	local function crate(x) return d3.pose(x, 0.9375, x, 0, 0.25, 0, 1) end
	local box = d3.box(1, 1, 1)
	local here, there = d3.manifold(box, nil, box, crate(0)), d3.manifold(box, d3.pose(2 ^ 20, 0, 2 ^ 20), box, crate(2 ^ 20))
	check(#here == 4 and #there == 4, "number of points")
	for i, p in ipairs(here) do
		local q = there[i]
		near(q.x - 2 ^ 20, p.x, 1e-9, "x")
		near(q.z - 2 ^ 20, p.z, 1e-9, "z")
		check(q.y == p.y and q.separation == p.separation and q.id == p.id, "the rest")
	end
end

-- The points are those (x, z) at the height y, all equally deep, in any order.
local function stands_on(m, expected, y, depth)
	lu.assertNotNil(m)
	lu.assertEquals(#m, #expected, "number of points")
	for _, e in ipairs(expected) do
		local found = false
		for _, p in ipairs(m) do
			if math.abs(p.x - e[1]) < 1e-6 and math.abs(p.z - e[2]) < 1e-6 then
				found = true
				lu.assertAlmostEquals(p.y, y, 1e-6)
				lu.assertAlmostEquals(p.separation, -depth, 1e-6)
			end
		end
		lu.assertTrue(found, ("no point at %g, %g"):format(e[1], e[2]))
	end
end

local half, eighth = math.sqrt(0.5), math.sin(math.pi / 8)
local box = d3.box(2, 2, 2)
local floor = d3.halfSpace(0, 1, 0, 1)

-- On the top of a box at y = 1, and on the ground at y = 1, 1/64 deep: a resting shape, and the corners of the shared area.
local function rests(name, shape, height, options, expected, on_ground)
	TestSpaceManifold["test_resting_" .. name] = function()
		local pose = d3.pose(options.x or 0, 1 + height - 1 / 64, options.z or 0, options.qx or 0, options.qy or 0, options.qz or 0, options.qw or 1)
		local m = d3.manifold(box, nil, shape, pose)
		stands_on(m, expected, 1 - 1 / 128, 1 / 64)
		lu.assertAlmostEquals(m.ny, 1, 1e-9)
		m = d3.manifold(shape, pose, box, nil)
		stands_on(m, expected, 1 - 1 / 128, 1 / 64)
		lu.assertAlmostEquals(m.ny, -1, 1e-9)
		stands_on(d3.manifold(floor, nil, shape, pose), on_ground or expected, 1 - 1 / 128, 1 / 64)
	end
end

local function corners(x1, z1, x2, z2) return { { x1, z1 }, { x1, z2 }, { x2, z1 }, { x2, z2 } } end

rests("a_box_of_the_same_size", box, 1, {}, corners(-1, -1, 1, 1))
rests("a_smaller_box", d3.box(1, 0.5, 1), 0.25, { x = 0.25 }, corners(-0.25, -0.5, 0.75, 0.5))
rests("a_larger_box", d3.box(3, 0.5, 4), 0.25, {}, corners(-1, -1, 1, 1), corners(-1.5, -2, 1.5, 2))
rests("a_box_over_the_edge", box, 1, { x = 1.25, z = -0.5 }, corners(0.25, -1, 1, 0.5), corners(0.25, -1.5, 2.25, 0.5))
rests("a_rounded_box", d3.box(1, 1, 1, { radius = 0.125 }), 0.5, {}, corners(-0.375, -0.375, 0.375, 0.375))
rests("a_box_on_an_edge", d3.box(1, 1, 1), half, { qz = eighth, qw = math.cos(math.pi / 8) }, { { 0, -0.5 }, { 0, 0.5 } })
rests("a_sphere", d3.sphere(0.5), 0.5, { x = 0.25 }, { { 0.25, 0 } })
rests("a_capsule_that_lies", d3.capsule(-0.5, 0, 0, 0.5, 0, 0, 0.25), 0.25, {}, { { -0.5, 0 }, { 0.5, 0 } })
rests("a_capsule_that_stands", d3.capsule(0.25, 1), 0.5, { z = 0.5 }, { { 0, 0.5 } })
rests("a_cylinder_that_lies", d3.cylinder(0.5, 1), 0.5, { qz = half, qw = half }, { { -0.5, 0 }, { 0.5, 0 } })
rests("a_cone_on_its_tip", d3.cone(0.5, 1), 0.5, { qx = 1, qw = 0, x = 0.5 }, { { 0.5, 0 } })
rests("an_egg", d3.ellipsoid(0.5, 0.25, 0.375), 0.25, { x = -0.5 }, { { -0.5, 0 } })
rests("a_triangle", d3.triangle(-0.5, 0, -0.5, 0.5, 0, -0.5, 0, 0, 0.5), 0, {}, { { -0.5, -0.5 }, { 0.5, -0.5 }, { 0, 0.5 } })
rests("a_wire", d3.segment(-0.5, 0, 0.25, 0.5, 0, 0.25), 0, {}, { { -0.5, 0.25 }, { 0.5, 0.25 } })

local function quadrilateral(m)
	local n, best = normal_of(m), 0
	for i = 1, #m do
		for k = i + 1, #m do
			for j = k + 1, #m do
				local u, v = sub(point_of(m[k]), point_of(m[i])), sub(point_of(m[j]), point_of(m[i]))
				best = math.max(best, math.abs(dot(n, cross(u, v))) / 2)
			end
		end
	end
	if #m == 4 then
		local sum = { 0, 0, 0 }
		for i = 1, 4 do sum = add(sum, 0.5, cross(point_of(m[i]), point_of(m[i % 4 + 1]))) end
		best = math.abs(dot(n, sum))
	end
	return best
end

-- The four points go around, and span nearly the greatest area of any four: for a regular polygon of n corners more than half of it.
function TestSpaceManifold.test_four_points_span_the_area()
	for n = 5, 40 do
		local points = {}
		for i = 1, n do
			local x, z = math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n)
			for _, y in ipairs { -0.5, 0.5 } do
				points[#points + 1], points[#points + 2], points[#points + 3] = x, y, z
			end
		end
		local prism, whole = d3.hull(points), n / 2 * math.sin(2 * math.pi / n)
		for _, ground in ipairs { floor, d3.box(9, 2, 9), prism } do
			local m = d3.manifold(ground, ground == prism and d3.pose(0, 0.5, 0) or nil, prism, d3.pose(0, 1.49, 0))
			lu.assertEquals(#m, 4)
			check(quadrilateral(m) > 0.59 * whole, ("%d corners: %g of %g"):format(n, quadrilateral(m), whole))
		end
	end
end

-- On a rim the four points are on its circle, and span as much.
function TestSpaceManifold.test_resting_on_a_rim()
	for _, shape in ipairs { d3.cylinder(0.5, 1), d3.cone(0.5, 1) } do
		for _, ground in ipairs { floor, box } do
			local m = d3.manifold(ground, nil, shape, d3.pose(0, 1.5 - 1 / 64, 0))
			lu.assertEquals(#m, 4)
			for _, p in ipairs(m) do
				near(math.sqrt(p.x * p.x + p.z * p.z), 0.5, 1e-6, "radius")
				near(p.y, 1 - 1 / 128, 1e-6, "height")
				near(p.separation, -1 / 64, 1e-6, "depth")
			end
			near(m.ny, 1, 1e-9, "normal")
			check(quadrilateral(m) > 0.59 * math.pi / 4, "area " .. quadrilateral(m))
		end
	end
end

-- Rotated by an eighth of a turn, equal boxes share an octagon.
function TestSpaceManifold.test_the_corners_of_an_octagon()
	local m = d3.manifold(box, nil, box, d3.pose(0, 1.99, 0, 0, eighth, 0, math.cos(math.pi / 8)))
	lu.assertEquals(#m, 4)
	for _, p in ipairs(m) do
		local x, z = math.abs(p.x), math.abs(p.z)
		near(math.max(x, z), 1, 1e-6, "side")
		near(math.min(x, z), math.sqrt(2) - 1, 1e-6, "corner")
	end
	check(quadrilateral(m) > 2.3, "area " .. quadrilateral(m)) -- the octagon's is 3.31
end

-- An edge along x of one and an edge along z of the other cross; the normal is perpendicular to both.
function TestSpaceManifold.test_crossing_edges_have_one_contact_point()
	local s, c = eighth, math.cos(math.pi / 8)
	local m = d3.manifold(d3.box(2, 1, 1), d3.pose(0.25, 0, 0, s, 0, 0, c), d3.box(1, 1, 2), d3.pose(0, 2 * half - 0.01, 0.125, 0, 0, s, c))
	lu.assertEquals(#m, 1)
	for key, value in pairs { x = 0, y = half - 0.005, z = 0, separation = -0.01 } do near(m[1][key], value, 1e-6, key) end
	near(m.ny, 1, 1e-6, "normal")
end

function TestSpaceManifold.test_round_lines_along_each_other()
	local bar = d3.capsule(-1, 0, 0, 1, 0, 0, 0.25)
	local m = d3.manifold(bar, nil, bar, d3.pose(0.5, 0.4, 0.3))
	lu.assertEquals(#m, 2)
	local low, high = math.min(m[1].x, m[2].x), math.max(m[1].x, m[2].x)
	near(low, -0.5, 1e-7, "low")
	near(high, 1, 1e-7, "high")
	near(m[1].separation, 0, 1e-7, "depth")
	lu.assertEquals(#d3.manifold(bar, nil, bar, d3.pose(0.5, 0.4, 0, 0, eighth, 0, 1)), 1)
	local can = d3.cylinder(0.25, 2)
	m = d3.manifold(can, d3.pose(0, 0, 0, 0, 0, half, half), bar, d3.pose(0.5, 0, 0.49))
	lu.assertEquals(#m, 2)
	near(depth_of(m), -0.01, 1e-7, "depth")
	lu.assertEquals(#d3.manifold(can, nil, can, d3.pose(0.3, 0.5, 0.3)), 2)
end

local function ids(m)
	local list = {}
	for _, p in ipairs(m) do list[#list + 1] = p.id end
	table.sort(list)
	return list
end

-- After a small motion points keep their ids, on whichever side of the other shape, and for either order of A and B.
function TestSpaceManifold.test_ids_stay_while_the_features_stay()
	local number = random_numbers(34)
	local large, small, can = d3.box(4, 1, 4), d3.box(1, 1, 1), d3.cylinder(0.5, 1)
	local cases = { { large, small, 0 }, { large, small, 1 }, { small, small, 0 }, { large, can, 0 }, { can, can, 0 },
		{ floor, small, 0.5 }, { large, d3.capsule(-0.5, 0, 0, 0.5, 0, 0, 0.5), 0 } }
	for k, case in ipairs(cases) do
		local first
		for i = 1, 50 do
			local e = 1e-7
			local function tiny() return number(-e, e) end
			local a = d3.pose(tiny(), tiny(), tiny())
			local b = d3.pose(tiny(), 0.99 + case[3] * 0.5 + tiny(), tiny(), tiny(), tiny() + case[3], tiny(), 1)
			local m = d3.manifold(case[1], a, case[2], b)
			if i % 2 == 0 then m = d3.manifold(case[2], b, case[1], a) end
			if m then
				first = first or ids(m)
				lu.assertEquals(ids(m), first, "case " .. k)
			end
		end
	end
end

-- A box that slides over a large one keeps the ids of its corners; beyond the edge two of them become ids of crossing edges.
function TestSpaceManifold.test_ids_change_with_the_features()
	local large, small = d3.box(4, 1, 4), d3.box(1, 1, 1)
	local function over(x) return ids(d3.manifold(large, nil, small, d3.pose(x, 0.99, 0.25))) end
	local middle = over(0)
	lu.assertEquals(over(1.25), middle)
	lu.assertEquals(over(-0.8), middle)
	local beyond, same = over(1.75), 0
	for _, id in ipairs(beyond) do
		for _, other in ipairs(middle) do same = same + (id == other and 1 or 0) end
	end
	lu.assertEquals({ #beyond, same }, { 4, 2 })
	lu.assertEquals(over(1.9), beyond)
end

-- The pair of children that overlaps most.
function TestSpaceManifold.test_of_shapes_with_children()
	local pieces = { d3.pose(-3, 0, 0), d3.pose(3, 0.125, 0) }
	local compound = d3.compound { { shape = box, pose = pieces[1] }, { shape = box, pose = pieces[2] } }
	local plank = d3.box(12, 1, 1)
	local m, n = d3.manifold(compound, nil, plank, d3.pose(0, 1.5, 0)), d3.manifold(box, pieces[2], plank, d3.pose(0, 1.5, 0))
	lu.assertEquals(#m, 4)
	for i, p in ipairs(m) do
		lu.assertAlmostEquals(p.x, n[i].x, 1e-9)
		lu.assertAlmostEquals(p.separation, n[i].separation, 1e-9)
	end
	local mesh = d3.mesh({ -4, 1, -4, 4, 1, -4, -4, 1, 4, 4, 1, 4 }, { 1, 3, 2, 2, 3, 4 })
	stands_on(d3.manifold(mesh, nil, d3.box(1, 1, 1), d3.pose(1.5, 1.49, 1.5)), corners(1, 1, 2, 2), 0.995, 0.01)
	stands_on(d3.manifold(d3.box(1, 1, 1), d3.pose(-1.5, 1.49, -1.5), mesh, nil), corners(-1, -1, -2, -2), 0.995, 0.01)
end

-- A world with the same two shapes solves this contact: its normal, and its points where the shapes overlap. Its tolerances are those of the manifold for
-- shapes of about 1; of two equally good axes either may be chosen.
local function flat_pair(number, pick)
	local function shape()
		local kind = pick(4)
		if kind == 1 then return collide.d2.circle(number(0.3, 0.8)) end
		if kind == 2 then return collide.d2.capsule(-number(0.2, 0.6), 0, number(0.2, 0.6), 0, number(0.2, 0.4)) end
		if kind == 3 then return collide.d2.box(number(0.6, 1.6), number(0.6, 1.6)) end
		return collide.d2.polygon { -0.6, -0.5, 0.6, -0.4, 0.7, 0.3, -0.1, number(0.5, 0.9) }
	end
	return shape(), { 0, 0, number(-3, 3) }, shape(), { number(-0.9, 0.9), number(-0.9, 0.9), number(-3, 3) }
end

local function space_pair(number, pick)
	local list = { "sphere", "capsule", "box", "hull", "rounded box", "cylinder" }
	local function pose(reach)
		local q = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) }
		return { number(-reach, reach), number(-reach, reach), number(-reach, reach), q[1], q[2], q[3], q[4] }
	end
	return new_shape(list[pick(#list)], number, pick), pose(0), new_shape(list[pick(#list)], number, pick), pose(0.9)
end

local function rows_of(world, flat)
	local rows = {}
	for a, b, nx, ny, n3, x, y, z, separation in world:contacts() do
		if flat then n3, x, y, z, separation = 0, n3, x, 0, y end
		rows[#rows + 1] = { n = { nx, ny, n3 }, p = { x, y, z }, separation = separation, a = a, b = b }
	end
	return rows
end

for _, dimension in ipairs { "d2", "d3" } do
	TestSpaceManifold["test_is_the_contact_of_a_world_" .. dimension] = function()
		local wing, flat = collide[dimension], dimension == "d2"
		local number, pick = random_numbers(flat and 71 or 72)
		local touching, other = 0, 0
		for _ = 1, 600 do
			local a, pa, b, pb = (flat and flat_pair or space_pair)(number, pick)
			pa, pb = wing.pose((unpack or table.unpack)(pa)), wing.pose((unpack or table.unpack)(pb))
			local m = wing.manifold(a, pa, b, pb)
			if m and depth_of(m) < -1e-3 then
				local world = wing.newWorld { gravity = flat and { 0, 0 } or { 0, 0, 0 }, lengthScale = 0.002 }
				world:newBody { type = "static", shape = a }:setTransform(pa:getTransform())
				world:newBody { shape = b }:setTransform(pb:getTransform())
				world:step(1e-6)
				local rows, n = rows_of(world, flat), { m.nx, m.ny, m.nz or 0 }
				touching = touching + 1
				check(#rows > 0, "no contact")
				if dot(rows[1].n, n) < 0 then for _, row in ipairs(rows) do row.n = { -row.n[1], -row.n[2], -row.n[3] } end end
				local same = length(sub(rows[1].n, n)) < 1e-3
				for _, p in ipairs(m) do
					local found = false
					for _, row in ipairs(rows) do
						found = found or (length(sub(row.p, { p.x, p.y, p.z or 0 })) < 1e-3 and math.abs(row.separation - p.separation) < 1e-4)
					end
					same = same and found
				end
				if not same then other = other + 1 end
			end
		end
		check(touching > 200 and other <= 0.03 * touching, ("%d of %d are others"):format(other, touching))
	end
end

-- Triangles that share an edge may both give its point: it is in a manifold once.
function TestSpaceManifold.test_ids_are_unique_in_manifolds_of_meshes()
	local number, pick = random_numbers(93)
	local points = 0
	for _ = 1, 4000 do
		local size = 10 ^ number(0, 3)
		local vertices, indices = {}, {}
		for i = 1, 3 * pick(4) do
			indices[i] = i
			for _ = 1, 3 do vertices[#vertices + 1] = number(-1, 1) end
		end
		local box = d3.box(size * number(0.3, 1.3), size * number(0.3, 1.3), size * number(0.3, 1.3))
		local pose = d3.pose(size * number(-0.5, 0.5), size * number(-0.5, 0.5), size * number(-0.5, 0.5))
		for _, manifold in ipairs { d3.manifold(box, pose, d3.mesh(vertices, indices), nil) } do
			local seen = {}
			for _, point in ipairs(manifold) do
				check(not seen[point.id], "a second point with the id " .. point.id)
				seen[point.id] = true
				points = points + 1
			end
		end
	end
	check(points > 4000, points .. " points")
end

-- Separating axes -------------------------------------------------------------------------------------------------------------------

TestSpaceSat = {}

-- The corners, edges and face normals of the core in the world.
local function features_of(shape, pose)
	local place, q = pose_parts(pose)
	local points, out = shape:getPoints(), { points = {}, edges = {}, normals = {} }
	for k = 1, #points / 3 do out.points[k] = add(place, 1, turn(q, at(points, k))) end
	for _, face in ipairs(shape:getFaces()) do
		local p = out.points
		for i, k in ipairs(face) do
			local after = face[i % #face + 1]
			if k < after or #face == 3 then out.edges[#out.edges + 1] = sub(p[after], p[k]) end
		end
		-- Newell's sum over the corners: for faces that are not quite flat the mean normal.
		local n = { 0, 0, 0 }
		for i, k in ipairs(face) do n = add(n, 1, cross(sub(p[k], p[face[1]]), sub(p[face[i % #face + 1]], p[face[1]]))) end
		out.normals[#out.normals + 1] = n
	end
	if #out.points == 2 then out.edges[1] = sub(out.points[2], out.points[1]) end
	return out
end

-- The minimum and maximum of the points along n.
local function span(points, n)
	local low, high, x, y, z = math.huge, -math.huge, n[1], n[2], n[3]
	for i = 1, #points do
		local p = points[i]
		local along = p[1] * x + p[2] * y + p[3] * z
		if along < low then low = along end
		if along > high then high = along end
	end
	return low, high
end

-- The greatest separation over all face normals and all crossed edges, in both directions.
local function brute_axes(a, pa, b, pb)
	local A, B, best = features_of(a, pa), features_of(b, pb), -math.huge
	local function try(n)
		local l = length(n)
		if l < 1e-7 then return end
		local low_a, high_a = span(A.points, n)
		local low_b, high_b = span(B.points, n)
		best = math.max(best, (low_b - high_a) / l, (low_a - high_b) / l)
	end
	for _, n in ipairs(A.normals) do try(n) end
	for _, n in ipairs(B.normals) do try(n) end
	for _, u in ipairs(A.edges) do
		for _, v in ipairs(B.edges) do try(cross(u, v)) end
	end
	return best
end

function TestSpaceSat.test_agrees_with_all_axes_and_with_the_distance()
	local overlapping, owners = 0, {}
	each_pair(41, 900, { "triangle", "box", "hull", "box" }, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local sat, d, all = d3.sat(a, pa, b, pb), d3.distance(a, pa, b, pb), brute_axes(a, pa, b, pb)
		check(sat.overlaps == (d <= 0) or math.abs(d) < 1e-6 * size, what)
		owners[sat.owner] = true
		if sat.overlaps then
			overlapping = overlapping + 1
			near(sat.depth, -d, 1e-6 * size, what)
			near(sat.depth, -all, 3e-6 * size, what)
		else
			check(sat.distance > 0 and sat.distance <= d + 1e-9 * size, what)
			check(sat.distance <= all + 3e-6 * size, what)
		end
	end)
	check(overlapping > 300, "overlapping: " .. overlapping)
	check(owners.a and owners.b and owners.edges, "owners")
end

-- With the axis between the closest points the depth of rounded shapes is their distance.
function TestSpaceSat.test_depth_is_the_distance_of_pointed_shapes()
	local corner = 0
	each_pair(42, 2000, pointed, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local sat, d = d3.sat(a, pa, b, pb), d3.distance(a, pa, b, pb)
		check(sat.overlaps == (d <= 0) or math.abs(d) < 1e-6 * size, what)
		near(length { sat.nx, sat.ny, sat.nz }, 1, 1e-12, what)
		if sat.overlaps then near(sat.depth, -d, 1e-6 * size, what) else check(sat.distance <= d + 1e-9 * size, what) end
		if sat.owner == "corners" then
			corner = corner + 1
			check(sat.index == nil and sat.dx ~= nil, what)
		end
	end)
	check(corner > 100, "corners: " .. corner)
	local sat = d3.sat(d3.sphere(1), nil, d3.sphere(1), d3.pose(3, 4, 0))
	lu.assertEquals({ sat.owner, sat.checks }, { "corners", 1 })
	near(sat.distance, 3, 1e-12, "spheres")
	near(sat.nx, 0.6, 1e-12, "normal")
end

-- The previous axis is tested first: if it still separates it is enough, and it never changes the result.
function TestSpaceSat.test_the_cached_axis()
	local checks, cached = 0, 0
	each_pair(43, 1500, pointed, function(a, pa, b, pb, what, number)
		local first = d3.sat(a, pa, b, pb)
		local x, y, z, qx, qy, qz, qw = pb:getTransform()
		local moved = d3.pose(x + number(-0.01, 0.01), y + number(-0.01, 0.01), z + number(-0.01, 0.01), qx, qy, qz, qw)
		local fresh, after = d3.sat(a, pa, b, moved), d3.sat(a, pa, b, moved, first)
		check(fresh.overlaps == after.overlaps, what)
		if fresh.overlaps then
			near(after.depth, fresh.depth, 1e-9, what)
		else
			checks, cached = checks + fresh.checks, cached + after.checks
		end
		local again = d3.sat(a, pa, b, moved, after)
		check(again.overlaps or again.checks == 1, what)
		-- An axis of other shapes is useless, but harmless.
		local strange = d3.sat(a, pa, b, pb, after)
		check(strange.overlaps == first.overlaps, what)
	end)
	check(cached < 0.7 * checks, ("%d of %d"):format(cached, checks))
end

-- The cross product of parallel edges is only rounding noise, which must not separate (E4); nor must edges that are nearly parallel.
function TestSpaceSat.test_parallel_rods_overlap()
	local number = random_numbers(44)
	local rod = d3.box(2000, 0.02, 0.02)
	for _ = 1, 2000 do
		local q, s = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) }, 10 ^ number(-12, -5)
		local l = math.sqrt(dot(q, q) + q[4] * q[4])
		q = { q[1] / l, q[2] / l, q[3] / l, q[4] / l }
		local way = turn(q, { number(-500, 500), number(-0.01, 0.01), number(-0.01, 0.01) })
		local r = times(q, { 0, number(-1, 1) * 1e-3 * s, number(-1, 1) * 1e-3 * s, 1 })
		local sat = d3.sat(rod, d3.pose(0, 0, 0, q[1], q[2], q[3], q[4]), rod, d3.pose(way[1], way[2], way[3], r[1], r[2], r[3], r[4]))
		lu.assertTrue(sat.overlaps)
		-- The float rounding of the second pose rotates it by up to 1e-7, which at 1,000 is 1e-4.
		check(sat.depth > 0.0098 and sat.depth < 0.0203, "depth " .. sat.depth)
	end
	local sat = d3.sat(box, nil, box, d3.pose(1.5, 0.25, 0))
	lu.assertEquals({ sat.depth, sat.nx, sat.owner }, { 0.5, 1, "a" })
	lu.assertTrue(sat.checks <= 15)
end

-- Sums and differences ----------------------------------------------------------------------------------------------------------------

TestSpaceMinkowski = {}

-- Signed distance of p from the solid: inside by the closest plane, outside by the closest triangle.
local function solid_distance(vertices, triangles, p)
	local plane, best = -math.huge, math.huge
	for i = 1, #triangles, 3 do
		local a, b, c = at(vertices, triangles[i]), at(vertices, triangles[i + 1]), at(vertices, triangles[i + 2])
		local n = cross(sub(b, a), sub(c, a))
		local l = length(n)
		if l > 1e-9 then plane = math.max(plane, dot(n, sub(p, a)) / l) end
	end
	if plane <= 0 then return plane end
	for i = 1, #triangles, 3 do
		local a, b, c = at(vertices, triangles[i]), at(vertices, triangles[i + 1]), at(vertices, triangles[i + 2])
		local x, y, z = d3.closestPointOnTriangle(p[1], p[2], p[3], a[1], a[2], a[3], b[1], b[2], b[3], c[1], c[2], c[3])
		best = math.min(best, length(sub(p, { x, y, z })))
	end
	return best
end

-- All vertices are on or below each triangle, each vertex belongs to a triangle, and the triangles are closed.
local function is_hull(vertices, triangles, size, what)
	check(#triangles / 3 == 2 * #vertices / 3 - 4, what .. ": Euler")
	local seen, stands = {}, {}
	for i = 1, #triangles, 3 do
		local a, b, c = triangles[i], triangles[i + 1], triangles[i + 2]
		for _, edge in ipairs { { a, b }, { b, c }, { c, a } } do
			local key = edge[1] .. " " .. edge[2]
			check(not seen[key], what .. ": an edge twice")
			seen[key] = edge[2] .. " " .. edge[1]
			stands[edge[1]] = true
		end
		local p = at(vertices, a)
		local n = cross(sub(at(vertices, b), p), sub(at(vertices, c), p))
		local l = length(n)
		for k = 1, l > 1e-6 * size * size and #vertices / 3 or 0 do
			check(dot(n, sub(at(vertices, k), p)) <= 1e-9 * size * l, what .. ": a vertex stands out")
		end
	end
	for _, back in pairs(seen) do check(seen[back], what .. ": an open edge") end
	for k = 1, #vertices / 3 do check(stands[k], what .. ": a vertex of no triangle") end
end

function TestSpaceMinkowski.test_the_origins_distance_is_that_of_the_shapes()
	local solids = 0
	each_pair(51, 400, pointed, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local vertices, radius, triangles = d3.minkowskiDifference(a, pa, b, pb)
		if #triangles == 0 then return end
		solids = solids + 1
		is_hull(vertices, triangles, size, what)
		near(solid_distance(vertices, triangles, { 0, 0, 0 }) - radius, (d3.distance(a, pa, b, pb)), 1e-6 * size, what)
	end)
	check(solids > 200, "solids: " .. solids)
end

-- p is in the difference if A, moved by p, overlaps B.
function TestSpaceMinkowski.test_a_point_of_the_difference_is_a_translation_to_overlap()
	each_pair(52, 120, { "box", "hull", "triangle", "segment" }, function(a, pa, b, pb, what, number)
		local vertices, _, triangles = d3.minkowskiDifference(a, pa, b, pb)
		if #triangles == 0 then return end
		local x, y, z, qx, qy, qz, qw = pa:getTransform()
		for _ = 1, 10 do
			local p = { number(-2, 2), number(-2, 2), number(-2, 2) }
			local d = solid_distance(vertices, triangles, p)
			if math.abs(d) > 1e-6 then check(d3.overlaps(a, d3.pose(x + p[1], y + p[2], z + p[3], qx, qy, qz, qw), b, pb) == (d < 0), what) end
		end
	end)
end

-- The sum contains the sums of all points, and its extent along each direction is the sum of both extents.
function TestSpaceMinkowski.test_the_sums_extent_is_the_sum_of_extents()
	each_pair(53, 300, pointed, function(a, pa, b, pb, what, number)
		local vertices, radius = d3.minkowskiSum(a, pa, b, pb)
		for _ = 1, 5 do
			local n = { number(-1, 1), number(-1, 1), number(-1, 1) }
			local best = -math.huge
			for k = 1, #vertices / 3 do best = math.max(best, dot(at(vertices, k), n)) end
			local p, q = { d3.support(a, pa, n[1], n[2], n[3]) }, { d3.support(b, pb, n[1], n[2], n[3]) }
			near(best + radius * length(n), dot(p, n) + dot(q, n), 1e-6, what)
		end
	end)
end

-- Parallel edges and faces of both make no extra vertices, for any rotation of the boxes.
function TestSpaceMinkowski.test_the_sum_of_boxes_of_one_frame_is_a_box()
	local number = random_numbers(54)
	for _ = 1, 200 do
		local q = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) }
		local pa = d3.pose(number(-9, 9), number(-9, 9), number(-9, 9), q[1], q[2], q[3], q[4])
		local pb = d3.pose(number(-9, 9), number(-9, 9), number(-9, 9), q[1], q[2], q[3], q[4])
		local vertices, radius, triangles = d3.minkowskiSum(d3.box(1, 2, 3), pa, d3.box(3, 2, number(0.5, 1)), pb)
		lu.assertEquals({ #vertices / 3, #triangles / 3, radius }, { 8, 12, 0 })
	end
end

function TestSpaceMinkowski.test_flat_sums_have_no_triangles()
	local function counts(a, pa, b, pb)
		local vertices, _, triangles = d3.minkowskiSum(a, pa, b, pb)
		lu.assertEquals(#triangles, 0)
		return #vertices / 3
	end
	local tilted = d3.pose(1, 2, 3, 0.3, -0.2, 0.5, 0.7)
	local triangle, other = d3.triangle(0, 0, 0, 1, 0, 0, 0, 1, 0), d3.triangle(0, 0, 0, -1, -0.5, 0, 0.5, -1, 0)
	local wire, across = d3.segment(0, 0, 0, 1, 0, 0), d3.segment(0, 0, 0, 1, 2, 0)
	for _, pose in ipairs { d3.pose(0, 0, 0), tilted } do
		lu.assertEquals(counts(triangle, pose, triangle, pose), 3)
		lu.assertEquals(counts(triangle, pose, other, pose), 6)
		lu.assertEquals(counts(triangle, pose, wire, pose), 4)
		lu.assertEquals(counts(wire, pose, across, pose), 4)
		lu.assertEquals(counts(wire, pose, wire, pose), 2)
		lu.assertEquals(counts(wire, pose, d3.sphere(1), pose), 2)
		lu.assertEquals(counts(d3.sphere(1, 1, 2, 3), pose, d3.sphere(2), pose), 1)
	end
	lu.assertEquals({ d3.minkowskiDifference(d3.sphere(1), nil, d3.sphere(2), d3.pose(1, 2, 3)) }, { { 1, 2, 3 }, 3, {} })
end

-- Shapes against boxes ------------------------------------------------------------------------------------------------------------------

TestSpaceMeet = {}

-- An index finds by a shape the boxes that the shape overlaps, however large they are and however far away.
function TestSpaceMeet.test_indexes_find_the_boxes_that_a_shape_overlaps()
	local number, pick = random_numbers(61)
	local list = { "mesh", "compound", "halfSpace" }
	for _, kind in ipairs(kinds) do list[#list + 1] = kind end
	local function some_shape(kind)
		if kind == "halfSpace" then return d3.halfSpace(number(-1, 1), number(0.1, 1), number(-1, 1), number(-1, 1)) end
		if kind == "mesh" then return d3.mesh({ 0, 0, 0, 1, 0, 0.2, 0, 1, 0, 0.3, 0.2, 1, -1, -1, number(-1, 1) }, { 1, 2, 3, 1, 3, 4, 5, 1, 2 }) end
		if kind == "compound" then
			return d3.compound { d3.sphere(0.3), { shape = new_shape("hull", number, pick), pose = d3.pose(1, 0, 0, 0.3, 0, 0, 1) } }
		end
		return new_shape(kind, number, pick)
	end
	local met, missed = 0, 0
	for _ = 1, 200 do
		local origin = pick(2) * 2 ^ 20 - 2 ^ 20
		local shape, index, boxes = some_shape(list[pick(#list)]), collide.newTree { dimensions = 3 }, {}
		local pose = d3.pose(origin + number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1))
		for i = 1, 12 do
			-- All numbers are floats, so that the box shape equals the index's box.
			local w, h, d = pick(16) / 16, pick(16) / 16, pick(4) == 1 and 4096 or pick(16) / 16
			local x, y, z = origin + (pick(65) - 33) / 16, (pick(65) - 33) / 16, (pick(65) - 33) / 16
			boxes[i] = { d3.box(2 * w, 2 * h, 2 * d), d3.pose(x, y, z) }
			index:insert(i, x - w, y - h, z - d, x + w, y + h, z + d)
		end
		local found = {}
		for _, i in ipairs(index:queryShape(shape, pose)) do found[i] = true end
		for i, one in ipairs(boxes) do
			local distance = d3.distance(shape, pose, one[1], one[2])
			if math.abs(distance) > 1e-6 then check((distance < 0) == (found[i] == true), shape:getType()) end
			if found[i] then met = met + 1 else missed = missed + 1 end
		end
	end
	check(met > 300 and missed > 300, ("%d met, %d missed"):format(met, missed))
end
