-- Distances in 3D against brute force (see solids.lua), exact cases by hand, and laws that hold for every pair.
--
-- Corners and poses are read from the engine, so the only error is the rounding of doubles: PART = 1e-9 of the size is a thousand times the sum of these.
local lu, collide = require "luaunit", require "collide"
local solids, toolbox, support = require "solids", require "toolbox", require "support"
local d3 = collide.d3

local PART = 1e-9
local each_pair, size_of, moved = solids.each_pair, solids.size_of, solids.moved
local near, check = toolbox.near, toolbox.check

local function turned_set(A, B, nx, ny, nz) return solids.separation(A, B, { nx, ny, nz }) end

TestSpaceAccuracy = {}

-- The separation along the returned normal is the returned distance: a lower bound.
local function check_bound(a, pa, b, pb, tolerance, what)
	local d, nx, ny, nz = d3.distance(a, pa, b, pb)
	near(nx * nx + ny * ny + nz * nz, 1, 1e-12, what .. ": length of the normal")
	near(turned_set(solids.set_of(a, pa), solids.set_of(b, pb), nx, ny, nz), d, tolerance, what .. ": along its normal")
	return d
end

function TestSpaceAccuracy.test_is_the_greatest_separation_of_all_directions()
	each_pair(1, 150, { kinds = solids.pointed }, function(a, pa, b, pb, what)
		local tolerance = PART * (size_of(a) + size_of(b))
		near(check_bound(a, pa, b, pb, tolerance, what), solids.brute_distance(a, pa, b, pb), tolerance, what)
	end)
end

-- No direction found by sampling and climbing has a greater separation; where climbing reaches the maximum it is equal.
function TestSpaceAccuracy.test_of_round_shapes_is_the_greatest_separation()
	local kinds = { "cylinder", "cone", "ellipsoid", "ball", "box", "capsule", "triangle", "rounded hull" }
	each_pair(2, 120, { kinds = kinds }, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local d, brute, exact = check_bound(a, pa, b, pb, PART * size, what), solids.brute_distance(a, pa, b, pb)
		check(d >= brute - PART * size, ("%s: %.17g, and along another direction %.17g"):format(what, d, brute))
		if exact then near(d, brute, PART * size, what) end
	end)
end

-- From 1e-3 to 1e3, to 1e-5 of the result or of the smaller shape.
function TestSpaceAccuracy.test_of_all_sizes()
	each_pair(3, 150, { low = 1e-3, high = 1e3 }, function(a, pa, b, pb, what)
		local least = math.min(size_of(a), size_of(b))
		local d, brute = d3.distance(a, pa, b, pb), solids.brute_distance(a, pa, b, pb)
		local tolerance = 1e-5 * math.max(math.abs(brute), least)
		check_bound(a, pa, b, pb, tolerance, what)
		check(d >= brute - tolerance, ("%s: %.17g, and along another direction %.17g"):format(what, d, brute))
	end)
end

-- The tiny shape is near the huge one's surface.
function TestSpaceAccuracy.test_tiny_against_huge()
	local number, pick = support.random_numbers(4)
	for round = 1, 150 do
		local huge = solids.new_solid(solids.kinds[pick(#solids.kinds)], 1000, number, pick)
		local tiny = solids.new_solid(solids.kinds[pick(#solids.kinds)], 1e-3, number, pick)
		local _, nx, ny, nz, ax, ay, az = d3.distance(huge, nil, tiny, d3.pose(number(-3000, 3000), number(-3000, 3000), number(-3000, 3000)))
		local out = number(-2e-3, 2e-3)
		local pose = d3.pose(ax + nx * out, ay + ny * out, az + nz * out)
		local what = ("round %d: %s, %s"):format(round, huge:getType(), tiny:getType())
		local d, brute = check_bound(huge, nil, tiny, pose, 1e-8, what), solids.brute_distance(huge, nil, tiny, pose)
		check(d >= brute - 1e-8, ("%s: %.17g, and along another direction %.17g"):format(what, d, brute))
	end
end

-- 1e6 away: with multiples of 2^-10 the difference of the positions stays exact, so only the last digits of the points change.
function TestSpaceAccuracy.test_distances_are_the_same_far_away()
	each_pair(5, 600, {}, function(a, pa, b, pb, what)
		local x, y, z = pb:getPosition()
		local function coarse(v) return math.floor(v * 1024) / 1024 end
		local near_b = solids.placed(pb, coarse(x), coarse(y), coarse(z))
		local d, nx, ny, nz, ax, ay, az = d3.distance(a, pa, b, near_b)
		local e, mx, my, mz, cx, cy, cz = d3.distance(a, moved(pa, 1e6, -1e6, 1e6), b, moved(near_b, 1e6, -1e6, 1e6))
		check(d == e and nx == mx and ny == my and nz == mz, what)
		near(cx, ax + 1e6, 1e-9, what)
		near(cy, ay - 1e6, 1e-9, what)
		near(cz, az + 1e6, 1e-9, what)
	end)
end

-- Symmetric in A and B, to the bit.
function TestSpaceAccuracy.test_is_symmetric()
	each_pair(6, 1500, {}, function(a, pa, b, pb, what)
		local there, back = { d3.distance(a, pa, b, pb) }, { d3.distance(b, pb, a, pa) }
		local turned = { back[1], -back[2], -back[3], -back[4], back[8], back[9], back[10], back[5], back[6], back[7], back[12], back[11] }
		for i = 1, 12 do check(there[i] == turned[i], what .. ": result " .. i) end
		check(d3.overlaps(a, pa, b, pb) == d3.overlaps(b, pb, a, pa), what)
	end)
end

-- Each number of a float quaternion has an error of 2^-25.
function TestSpaceAccuracy.test_rotates_with_both()
	each_pair(7, 600, {}, function(a, pa, b, pb, what, number)
		local q = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) }
		local d = d3.distance(a, pa, b, pb)
		local function turned(pose)
			local x, y, z, bx, by, bz, bw = pose:getTransform()
			local square = q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2
			local p, v = { x, y, z }, { q[1], q[2], q[3] }
			local t = solids.cross(v, p)
			p = solids.add(solids.add(p, 2 * q[4] / square, t), 2 / square, solids.cross(v, t))
			return d3.pose(p[1], p[2], p[3], q[4] * bx + q[1] * bw + q[2] * bz - q[3] * by, q[4] * by - q[1] * bz + q[2] * bw + q[3] * bx,
				q[4] * bz + q[1] * by - q[2] * bx + q[3] * bw, q[4] * bw - q[1] * bx - q[2] * by - q[3] * bz)
		end
		near(d3.distance(a, turned(pa), b, turned(pb)), d, 1e-6 * (size_of(a) + size_of(b)), what)
	end)
end

function TestSpaceAccuracy.test_its_points_are_on_the_shapes()
	each_pair(8, 800, {}, function(a, pa, b, pb, what, number)
		local d, nx, ny, nz, ax, ay, az, bx, by, bz = d3.distance(a, pa, b, pb)
		local tolerance = PART * (size_of(a) + size_of(b))
		near(bx, ax + d * nx, tolerance, what)
		near(by, ay + d * ny, tolerance, what)
		near(bz, az + d * nz, tolerance, what)
		-- Where the depth is almost the same all around, the points are as inexact as the direction: an error of the square root of the depth's.
		local loose = 1e-5 * (size_of(a) + size_of(b))
		check(solids.outside(solids.set_of(a, pa), { ax, ay, az }, number) <= loose, what .. ": on A")
		check(solids.outside(solids.set_of(b, pb), { bx, by, bz }, number) <= loose, what .. ": on B")
	end)
end

-- Moving B by the least translation separates the shapes, exactly.
function TestSpaceAccuracy.test_moving_b_by_it_makes_the_distance_zero()
	each_pair(9, 1000, {}, function(a, pa, b, pb, what)
		local d, nx, ny, nz = d3.distance(a, pa, b, pb)
		near(d3.distance(a, pa, b, moved(pb, -d * nx, -d * ny, -d * nz)), 0, PART * (size_of(a) + size_of(b)), what)
	end)
end

function TestSpaceAccuracy.test_overlaps_agrees()
	each_pair(10, 2000, {}, function(a, pa, b, pb, what)
		check(d3.overlaps(a, pa, b, pb) == (d3.distance(a, pa, b, pb) <= 0), what)
	end)
end

-- Degenerate cases ------------------------------------------------------------------------------------------------------------------

local function is_sound(a, pa, b, pb, expected, what)
	local results = { d3.distance(a, pa, b, pb) }
	for i = 1, 10 do check(results[i] == results[i] and math.abs(results[i]) < 1e12, what .. ": result " .. i) end
	near(results[2] ^ 2 + results[3] ^ 2 + results[4] ^ 2, 1, 1e-12, what .. ": normal")
	near(results[1], expected, 1e-6 * math.max(1, math.abs(expected)), what)
	for i = 1, 3 do near(results[7 + i], results[4 + i] + results[1] * results[1 + i], 1e-9, what .. ": points") end
end

local half = math.sqrt(0.5)
local degenerate = {
	-- name, A, B, pose of B, distance
	{ "spheres in one place", d3.sphere(1), d3.sphere(0.5), nil, -1.5 },
	{ "points of spheres that touch", d3.sphere(1), d3.sphere(1), d3.pose(2, 0, 0), 0 },
	{ "a sphere in the middle of a box", d3.sphere(0.25), d3.box(2, 4, 6), nil, -1.25 },
	{ "a sphere on a corner of a box", d3.sphere(0.25), d3.box(2, 2, 2), d3.pose(1, 1, 1), -0.25 },
	{ "a sphere on an edge of a box", d3.sphere(0.25), d3.box(2, 2, 2), d3.pose(1, 1, 0.3), -0.25 },
	{ "a sphere in the middle of a cylinder", d3.sphere(0.25), d3.cylinder(1, 4), nil, -1.25 },
	{ "a sphere in the middle of a low cylinder", d3.sphere(0.25), d3.cylinder(2, 2), nil, -1.25 },
	{ "a sphere on the rim of a cylinder", d3.sphere(0.25), d3.cylinder(1, 2), d3.pose(1, 1, 0), -0.25 },
	{ "a sphere on the tip of a cone", d3.sphere(0.25), d3.cone(1, 2), d3.pose(0, -1, 0), -0.25 },
	{ "a sphere above the tip of a cone", d3.sphere(0.25), d3.cone(1, 2), d3.pose(0, -2, 0), 0.75 },
	{ "a sphere in the middle of an ellipsoid", d3.sphere(0.25), d3.ellipsoid(1, 2, 3), nil, -1.25 },
	{ "a sphere in the middle of a round ellipsoid", d3.sphere(0.25), d3.ellipsoid(2, 2, 2), nil, -2.25 },
	{ "a sphere in the middle of a flat ellipsoid", d3.sphere(0.25), d3.ellipsoid(2, 0.5, 2), nil, -0.75 },
	{ "capsules that cross", d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.capsule(0, -1, 0, 0, 1, 0, 0.5), nil, -0.75 },
	{ "capsules on one line", d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.capsule(-1, 0, 0, 1, 0, 0, 0.5), d3.pose(1.5, 0, 0), -0.75 },
	{ "capsules in one place", d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), nil, -0.5 },
	{ "capsules end to end", d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.capsule(-1, 0, 0, 1, 0, 0, 0.5), d3.pose(3, 0, 0), 0.25 },
	{ "capsules that are parallel", d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.capsule(-1, 0, 0, 1, 0, 0, 0.25), d3.pose(0.5, 1, 0), 0.5 },
	{ "segments that cross", d3.segment(-1, 0, 0, 1, 0, 0), d3.segment(0, 0, -1, 0, 0, 1), nil, 0 },
	{ "segments on one line", d3.segment(-1, 0, 0, 1, 0, 0), d3.segment(-1, 0, 0, 1, 0, 0), d3.pose(3, 0, 0), 1 },
	{ "segments in one place", d3.segment(-1, 0, 0, 1, 0, 0), d3.segment(-1, 0, 0, 1, 0, 0), nil, 0 },
	{ "segments with a common end", d3.segment(-1, 0, 0, 1, 0, 0), d3.segment(1, 0, 0, 2, 1, 0), nil, 0 },
	{ "a segment in a triangle's plane", d3.segment(-1, 0, 0, 1, 0, 0), d3.triangle(0, 0, -1, 0, 0, 1, 2, 0, 0), nil, 0 },
	{ "a segment through a triangle", d3.segment(0.5, -1, 0, 0.5, 1, 0), d3.triangle(0, 0, -1, 0, 0, 1, 2, 0, 0), nil, -0.5 },
	{ "triangles in one plane", d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.pose(0.5, 0, 0.25), 0 },
	{ "triangles in one place", d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), nil, 0 },
	{ "triangles in one plane, apart", d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.pose(3, 0, 0), 1 },
	{ "triangles with a common edge", d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), d3.triangle(0, 0, 0, 2, 0, 0, 0, 2, 0), nil, 0 },
	{ "a triangle on a box", d3.triangle(-1, 0, -1, 1, 0, -1, 0, 0, 1), d3.box(4, 2, 4), d3.pose(0, -1, 0), 0 },
	{ "boxes in one place", d3.box(2, 3, 4), d3.box(2, 3, 4), nil, -2 },
	{ "boxes face to face", d3.box(2, 2, 2), d3.box(2, 2, 2), d3.pose(2, 0, 0), 0 },
	{ "boxes edge to edge", d3.box(2, 2, 2), d3.box(2, 2, 2), d3.pose(2, 2, 0), 0 },
	{ "boxes corner to corner", d3.box(2, 2, 2), d3.box(2, 2, 2), d3.pose(2, 2, 2), 0 },
	{ "boxes that are nearly parallel", d3.box(2, 2, 2), d3.box(2, 2, 2), d3.pose(3, 0, 0, 1e-9, 1e-9, 1e-9, 1), 1 },
	{ "an edge across an edge", d3.box(2, 2, 2, { qx = 0, qy = 0, qz = math.sin(math.pi / 8), qw = math.cos(math.pi / 8) }),
		d3.box(2, 2, 2, { qx = 0, qy = math.sin(math.pi / 8), qz = 0, qw = math.cos(math.pi / 8) }), d3.pose(2 * math.sqrt(2) + 0.5, 0, 0), 0.5 },
	{ "a box in a box", d3.box(0.1, 0.1, 0.1), d3.box(10, 20, 30), nil, -5.05 },
	{ "cylinders on one axis", d3.cylinder(1, 2), d3.cylinder(1, 2), d3.pose(0, 3, 0), 1 },
	{ "cylinders in one place", d3.cylinder(1, 2), d3.cylinder(1, 2), nil, -2 },
	{ "cylinders in one place, high ones", d3.cylinder(1, 20), d3.cylinder(1, 20), nil, -2 },
	{ "cylinders side by side", d3.cylinder(1, 2), d3.cylinder(1, 2), d3.pose(2, 0, 0), 0 },
	{ "cylinders that cross", d3.cylinder(1, 8), d3.cylinder(1, 8), d3.pose(0, 0, 0, half, 0, 0, half), -2 },
	{ "a cylinder on a box", d3.cylinder(1, 2), d3.box(10, 2, 10), d3.pose(0, -2, 0), 0 },
	{ "cones tip to tip", d3.cone(1, 2), d3.cone(1, 2), d3.pose(0, 2, 0, 1, 0, 0, 0), 0 },
	{ "cones in one place", d3.cone(1, 2), d3.cone(1, 2), nil, -4 / math.sqrt(5) },
	{ "ellipsoids in one place", d3.ellipsoid(1, 2, 3), d3.ellipsoid(1, 2, 3), nil, -2 },
	{ "ellipsoids that touch", d3.ellipsoid(1, 2, 3), d3.ellipsoid(1, 2, 3), d3.pose(0, 4, 0), 0 },
	{ "a tiny sphere in a huge box", d3.sphere(1e-3), d3.box(2e3, 2e3, 2e3), nil, -1000.001 },
	{ "a tiny box on a huge one", d3.box(2e-3, 2e-3, 2e-3), d3.box(2048, 2048, 2048), d3.pose(0, 1024.001, 0), 0 },
	{ "half-spaces face to face", d3.halfSpace(0, 1, 0, 0), d3.halfSpace(0, -1, 0, -2), nil, 2 },
	{ "a box on a half-space", d3.halfSpace(0, 1, 0, 0), d3.box(2, 2, 2), d3.pose(0, 0.5, 0), -0.5 },
	{ "a cone over a half-space", d3.halfSpace(0, 1, 0, 0), d3.cone(1, 2), d3.pose(0, 2, 0), 1 },
}

for _, row in ipairs(degenerate) do
	TestSpaceAccuracy["test_of_" .. row[1]:gsub("%W+", "_")] = function()
		is_sound(row[2], nil, row[3], row[4], row[5], row[1])
		is_sound(row[3], row[4], row[2], nil, row[5], row[1] .. ", exchanged")
	end
end

function TestSpaceAccuracy.test_of_half_spaces_with_a_common_point()
	lu.assertEquals((d3.distance(d3.halfSpace(0, 1, 0, 0), nil, d3.halfSpace(1, 0, 0, 0))), -1e18)
end

-- Shapes almost in one plane, tilted by tiny angles; a cone without a rounded tip.
function TestSpaceAccuracy.test_nearly_degenerate()
	local list = { d3.triangle(0, 0, 0, 1, 0, 0, 0, 0, 1), d3.segment(-1, 0, 0, 1, 0, 0), d3.box(1, 1e-3, 1), d3.cylinder(1, 1e-3), d3.cone(1, 1e-3),
		d3.ellipsoid(1, 1e-3, 1), d3.box(1e-3, 2, 1e-3), d3.capsule(1e-3, 3) }
	for i, a in ipairs(list) do
		for k = i, #list do
			for exponent = -15, -1 do
				local tilt = 10 ^ exponent
				local pose = solids.new_pose(0.25, tilt, 0.125, tilt, 0, tilt, 1)
				local size = size_of(a) + size_of(list[k])
				local what = ("%s, %s, 1e%d"):format(a:getType(), list[k]:getType(), exponent)
				local d, nx, ny, nz = d3.distance(a, nil, list[k], pose)
				check(d == d and d > -size and d < size, what)
				near(nx * nx + ny * ny + nz * nz, 1, 1e-12, what)
				near(d3.distance(a, nil, list[k], moved(pose, -d * nx, -d * ny, -d * nz)), 0, PART * size, what)
			end
		end
	end
end

-- Children --------------------------------------------------------------------------------------------------------------------------

TestSpaceChildren = {}

-- Random triangles over a few corners.
local function new_mesh(size, number, pick)
	local vertices, indices, triangles = {}, {}, {}
	for i = 1, 3 * 12 do vertices[i] = size * number(-1, 1) end
	for _ = 1, 15 do
		local i = pick(12)
		local k = i % 12 + 1
		local l = (k + pick(9)) % 12 + 1
		if l == i then l = k % 12 + 1 end
		for _, corner in ipairs { i, k, l } do indices[#indices + 1] = corner end
	end
	local mesh = d3.mesh(vertices, indices)
	local points = mesh:getPoints()
	for i = 1, #indices, 3 do
		local own = {}
		for k = 0, 2 do
			for axis = 2, 0, -1 do own[#own + 1] = points[3 * indices[i + k] - axis] end
		end
		triangles[#triangles + 1] = d3.triangle((table.unpack or unpack)(own))
	end
	return mesh, triangles
end

local function new_terrain(number)
	local columns, rows, heights = 6, 5, {}
	for i = 1, columns * rows do heights[i] = number(-1, 1) end
	local terrain = d3.heightField { columns = columns, rows = rows, cellWidth = 1, cellDepth = 0.5, x = -2.5, z = -1, heights = heights }
	local points, faces, triangles = terrain:getPoints(), terrain:getFaces(), {}
	for _, face in ipairs(faces) do
		local own = {}
		for _, corner in ipairs(face) do
			for axis = 2, 0, -1 do own[#own + 1] = points[3 * corner - axis] end
		end
		triangles[#triangles + 1] = d3.triangle((table.unpack or unpack)(own))
	end
	return terrain, triangles
end

local function nearest_of(parts, pose, other, other_pose)
	local least = math.huge
	for _, part in ipairs(parts) do least = math.min(least, (d3.distance(part, pose, other, other_pose))) end
	return least
end

local function random_pose(number, reach)
	return d3.pose(number(-reach, reach), number(-reach, reach), number(-reach, reach), number(-1, 1), number(-1, 1), number(-1, 1), number(0, 1))
end

local function check_children(seed, make)
	local number, pick = support.random_numbers(seed)
	for round = 1, 80 do
		local shape, parts = make(number, pick)
		local kind = solids.kinds[pick(#solids.kinds)]
		local other, pa, pb = solids.new_solid(kind, number(0.1, 1), number, pick), random_pose(number, 0.5), random_pose(number, 2.5)
		local what = ("round %d: %s"):format(round, kind)
		local d = d3.distance(shape, pa, other, pb)
		near(d, nearest_of(parts, pa, other, pb), 1e-9, what)
		check(d3.overlaps(shape, pa, other, pb) == (d <= 0), what)
	end
end

function TestSpaceChildren.test_of_a_mesh_the_nearest_triangle_counts()
	check_children(11, function(number, pick) return new_mesh(1.5, number, pick) end)
end

function TestSpaceChildren.test_of_a_height_field_the_nearest_triangle_counts()
	check_children(12, function(number) return new_terrain(number) end)
end

function TestSpaceChildren.test_of_a_compound_the_nearest_child_counts()
	local number, pick = support.random_numbers(13)
	for round = 1, 80 do
		local parts, poses, list = {}, {}, {}
		for i = 1, 1 + pick(12) do
			parts[i] = solids.new_solid(solids.pointed[pick(#solids.pointed)], number(0.1, 0.6), number, pick)
			poses[i] = d3.pose(number(-2, 2), number(-2, 2), number(-2, 2))
			list[i] = { shape = parts[i], pose = poses[i] }
		end
		local other, pose = solids.new_solid(solids.kinds[pick(#solids.kinds)], number(0.1, 1), number, pick), random_pose(number, 2.5)
		local least = math.huge
		for i, part in ipairs(parts) do least = math.min(least, (d3.distance(part, poses[i], other, pose))) end
		-- The children's corners are transformed, and rounded to floats again.
		near((d3.distance(d3.compound(list), nil, other, pose)), least, 2e-6, "round " .. round)
	end
end

function TestSpaceChildren.test_of_two_meshes()
	local number, pick = support.random_numbers(14)
	for round = 1, 40 do
		local a, parts_a = new_mesh(1, number, pick)
		local b, parts_b = new_mesh(1, number, pick)
		local pa, pb, least = random_pose(number, 0.5), random_pose(number, 3), math.huge
		for _, part in ipairs(parts_a) do least = math.min(least, nearest_of(parts_b, pb, part, pa)) end
		local d, nx, ny, nz = d3.distance(a, pa, b, pb)
		near(d, least, 1e-9, "round " .. round)
		local e, mx, my, mz = d3.distance(b, pb, a, pa)
		check(d == e and nx == -mx and ny == -my and nz == -mz, "round " .. round .. ", exchanged")
	end
end

function TestSpaceChildren.test_over_a_half_space()
	local number, pick = support.random_numbers(15)
	for round = 1, 60 do
		local mesh = new_mesh(1, number, pick)
		local ground, pose = d3.halfSpace(number(-1, 1), number(-1, 1), number(0.1, 1), number(-1, 1)), random_pose(number, 2)
		local d, nx, ny, nz = d3.distance(ground, nil, mesh, pose)
		local lowest = math.huge
		local set = solids.set_of(mesh, pose)
		for _, p in ipairs(set) do lowest = math.min(lowest, nx * p[1] + ny * p[2] + nz * p[3]) end
		local _, _, _, _, ax, ay, az = d3.distance(ground, nil, mesh, pose)
		near(d, lowest - (nx * ax + ny * ay + nz * az), 1e-9, "round " .. round)
		check(d3.overlaps(mesh, pose, ground) == (d <= 0), "round " .. round)
	end
end

-- A box that the engine sees as a hull.
local cube = d3.hull { -1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1 }

-- Features --------------------------------------------------------------------------------------------------------------------------

TestSpaceFeatures = {}

local function features(a, pa, b, pb)
	local results = { d3.distance(a, pa, b, pb) }
	return results[11], results[12]
end

-- The feature of the shape closest to a sphere of radius 0.25 about (x, y, z).
local function nearest_feature(shape, x, y, z)
	return (features(shape, nil, d3.sphere(0.25), d3.pose(x, y, z)))
end

-- The corner, edge or face between the corners with these numbers, found by position.
local function named(shape, ...)
	local points, found, wanted = shape:getPoints(), {}, { ... }
	for i = 1, #points, 3 do
		for _, p in ipairs(wanted) do
			if points[i] == p[1] and points[i + 1] == p[2] and points[i + 2] == p[3] then found[#found + 1] = (i + 2) / 3 end
		end
	end
	table.sort(found)
	if #wanted <= 2 then return #wanted == 1 and found[1] or found[2] * 2 ^ 24 + found[1] end
	for number, face in ipairs(shape:getFaces()) do
		local count = 0
		for _, corner in ipairs(face) do
			for _, other in ipairs(found) do count = count + (corner == other and 1 or 0) end
		end
		if count == #wanted then return -number end
	end
end

function TestSpaceFeatures.test_of_a_box()
	for _, box in ipairs { d3.box(2, 2, 2), cube } do
		lu.assertEquals(nearest_feature(box, 2, 3, 4), named(box, { 1, 1, 1 }))
		lu.assertEquals(nearest_feature(box, -2, 3, -4), named(box, { -1, 1, -1 }))
		lu.assertEquals(nearest_feature(box, 2, 0.5, 3), named(box, { 1, -1, 1 }, { 1, 1, 1 }))
		lu.assertEquals(nearest_feature(box, 0.5, -2, 3), named(box, { -1, -1, 1 }, { 1, -1, 1 }))
		lu.assertEquals(nearest_feature(box, 0.5, 0.25, 3), named(box, { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 }))
		lu.assertEquals(nearest_feature(box, 0.5, 0.25, 0.9), named(box, { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 }))
		lu.assertEquals(nearest_feature(box, -0.9, 0.25, 0.5), named(box, { -1, -1, -1 }, { -1, -1, 1 }, { -1, 1, 1 }, { -1, 1, -1 }))
	end
end

function TestSpaceFeatures.test_of_shapes_with_few_points()
	lu.assertEquals(nearest_feature(d3.sphere(1), 3, 0, 0), 1)
	lu.assertEquals(nearest_feature(d3.capsule(-1, 0, 0, 1, 0, 0, 0.5), 3, 0, 0), 2)
	lu.assertEquals(nearest_feature(d3.capsule(-1, 0, 0, 1, 0, 0, 0.5), 0.5, 2, 0), 2 * 2 ^ 24 + 1)
	local triangle = d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2)
	lu.assertEquals(nearest_feature(triangle, 3, 1, 0), 2)
	lu.assertEquals(nearest_feature(triangle, -1, 1, 1), 3 * 2 ^ 24 + 1)
	lu.assertEquals(nearest_feature(triangle, 0.5, 1, 0.5), -1)
	lu.assertEquals(nearest_feature(triangle, 0.5, -1, 0.5), -1)
end

function TestSpaceFeatures.test_of_round_shapes_there_are_none()
	for _, shape in ipairs { d3.cylinder(1, 2), d3.cone(1, 2), d3.ellipsoid(1, 2, 3), d3.halfSpace(0, 1, 0, 0) } do
		lu.assertEquals(nearest_feature(shape, 3, 2, 1), 0)
	end
end

function TestSpaceFeatures.test_of_a_mesh_are_those_of_the_mesh()
	-- A strip of unit squares along x, each of two triangles.
	local vertices, indices = {}, {}
	for i = 0, 40 do
		for k = 0, 1 do
			for _, v in ipairs { i, 0, k } do vertices[#vertices + 1] = v end
		end
	end
	for i = 0, 39 do
		for _, corner in ipairs { 2 * i + 1, 2 * i + 2, 2 * i + 3, 2 * i + 3, 2 * i + 2, 2 * i + 4 } do indices[#indices + 1] = corner end
	end
	local mesh = d3.mesh(vertices, indices)
	for i = 0, 39 do
		lu.assertEquals(nearest_feature(mesh, i + 0.25, 1, 0.25), -(2 * i + 1))
		lu.assertEquals(nearest_feature(mesh, i + 0.75, 1, 0.75), -(2 * i + 2))
		lu.assertEquals(nearest_feature(mesh, i, 1, -1), 2 * i + 1)
		lu.assertEquals(nearest_feature(mesh, i + 0.5, 1, 2), (2 * i + 4) * 2 ^ 24 + 2 * i + 2)
	end
end

function TestSpaceFeatures.test_of_a_compound_are_counted_over_all()
	local box = d3.box(2, 2, 2)
	local compound = d3.compound { d3.sphere(1), { shape = box, pose = d3.pose(4, 0, 0) }, { shape = box, pose = d3.pose(8, 0, 0) } }
	lu.assertEquals(nearest_feature(compound, -3, 0, 0), 1)
	lu.assertEquals(nearest_feature(compound, 6, 3, 3) > 0, true)
	lu.assertEquals(nearest_feature(compound, 8, 3, 0), named(compound, { 7, 1, -1 }, { 9, 1, -1 }, { 9, 1, 1 }, { 7, 1, 1 }))
	lu.assertEquals(nearest_feature(compound, 4, -3, 0), named(compound, { 3, -1, -1 }, { 5, -1, -1 }, { 5, -1, 1 }, { 3, -1, 1 }))
end

-- Points ----------------------------------------------------------------------------------------------------------------------------

TestSpacePoints = {}

function TestSpacePoints.test_the_closest_point_is_that_of_a_tiny_sphere()
	local number, pick = support.random_numbers(16)
	for round = 1, 500 do
		local shape, pose = solids.new_solid(solids.kinds[pick(#solids.kinds)], 1, number, pick), random_pose(number, 1)
		local x, y, z = number(-2, 2), number(-2, 2), number(-2, 2)
		local px, py, pz, distance, nx, ny, nz = d3.closestPoint(shape, pose, x, y, z)
		local d, mx, my, mz, ax, ay, az = d3.distance(shape, pose, d3.sphere(0.125), d3.pose(x, y, z))
		near(distance, d + 0.125, 1e-12, "round " .. round)
		for i, pair in ipairs { { px, ax }, { py, ay }, { pz, az }, { nx, mx }, { ny, my }, { nz, mz } } do
			near(pair[1], pair[2], 1e-9, ("round %d: result %d"):format(round, i))
		end
	end
end

-- No point of the shape is farther along the direction.
function TestSpacePoints.test_support_reaches_farthest()
	local number, pick = support.random_numbers(17)
	for round = 1, 800 do
		local shape, pose = solids.new_solid(solids.kinds[pick(#solids.kinds)], 1, number, pick), random_pose(number, 1)
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local l = math.sqrt(x * x + y * y + z * z)
		local px, py, pz = d3.support(shape, pose, x, y, z)
		local set = solids.set_of(shape, pose)
		near((x * px + y * py + z * pz) / l, -solids.separation(set, { { 0, 0, 0 }, radius = 0 }, { x / l, y / l, z / l }), PART, "round " .. round)
	end
end

local function corners_of(...)
	local list, all = { d3.supportVertices(...) }, {}
	for i = 1, #list, 3 do all[#all + 1] = { list[i], list[i + 1], list[i + 2] } end
	return all
end

-- Checks that corners go counter-clockwise around (dx, dy, dz), a unit vector.
local function check_around(corners, dx, dy, dz)
	local n = { dx, dy, dz }
	for i = 1, #corners do
		local p, q, r = corners[i], corners[i % #corners + 1], corners[(i + 1) % #corners + 1]
		lu.assertTrue(solids.dot(n, solids.cross(solids.sub(q, p), solids.sub(r, q))) > 0)
	end
end

function TestSpacePoints.test_support_vertices_of_faces_edges_and_corners()
	local box = d3.box(2, 2, 2)
	for _, way in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } } do
		for _, shape in ipairs { box, d3.cylinder(1, 2), cube } do
			local corners = corners_of(shape, nil, way[1], way[2], way[3])
			lu.assertEquals(#corners, shape:getType() == "cylinder" and way[2] == 0 and 2 or 4)
			if #corners > 2 then check_around(corners, way[1], way[2], way[3]) end
			for _, p in ipairs(corners) do lu.assertAlmostEquals(solids.dot(p, way), 1, 1e-12) end
		end
	end
	lu.assertEquals(#corners_of(box, nil, 1, 1, 0), 2)
	lu.assertEquals(#corners_of(box, nil, 1, 1, 1), 1)
	lu.assertEquals(#corners_of(box, nil, 1e-7, 1, 0), 4)
	lu.assertEquals(#corners_of(box, nil, 1e-5, 1, 0), 2)
	check_around(corners_of(d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), nil, 0, 1, 0), 0, 1, 0)
	check_around(corners_of(d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2), nil, 0, -1, 0), 0, -1, 0)
	check_around(corners_of(d3.cone(1, 2), nil, 0, -1, 0), 0, -1, 0)
	lu.assertEquals(#corners_of(d3.cone(1, 2), nil, 0, 1, 0), 1)
	lu.assertEquals(#corners_of(d3.cone(1, 2), nil, 2, 1, 0), 2)
	lu.assertEquals(#corners_of(d3.capsule(1, 4), nil, 1, 0, 0), 2)
	lu.assertEquals(#corners_of(d3.sphere(1), nil, 1, 0, 0), 1)
	lu.assertEquals(#corners_of(d3.ellipsoid(1, 2, 3), nil, 1, 0, 0), 1)
end

function TestSpacePoints.test_support_of_shapes_with_children()
	local number, pick = support.random_numbers(18)
	for round = 1, 100 do
		local mesh, pose = new_mesh(1, number, pick), random_pose(number, 1)
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local px, py, pz = d3.support(mesh, pose, x, y, z)
		local most, used = -math.huge, {}
		local set = solids.set_of(mesh, pose)
		for _, face in ipairs(mesh:getFaces()) do
			for _, corner in ipairs(face) do used[corner] = true end
		end
		for corner in pairs(used) do most = math.max(most, x * set[corner][1] + y * set[corner][2] + z * set[corner][3]) end
		near(x * px + y * py + z * pz, most, 1e-12, "round " .. round)
	end
end

-- Methods ---------------------------------------------------------------------------------------------------------------------------

TestSpaceMethods = {}

-- GJK and EPA called by name agree with the distance.
function TestSpaceMethods.test_gjk_and_epa_agree_with_the_distance()
	each_pair(19, 400, {}, function(a, pa, b, pb, what)
		local d = d3.distance(a, pa, b, pb)
		local tolerance = PART * (size_of(a) + size_of(b))
		local gjk = d3.gjk(a, pa, b, pb)
		near(gjk.distance, d, tolerance, what .. ": gjk")
		near(gjk.nx ^ 2 + gjk.ny ^ 2 + gjk.nz ^ 2, 1, 1e-12, what)
		local epa = d3.epa(a, pa, b, pb)
		check((epa ~= nil) == gjk.overlaps, what .. ": epa where the cores overlap")
		if epa then near(-epa.depth, d, tolerance, what .. ": epa") end
		local overlaps = d3.gjkOverlaps(a, pa, b, pb)
		if math.abs(d) > tolerance then check(overlaps == (d <= 0), what .. ": yes or no") end
	end)
end
