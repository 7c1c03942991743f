-- The shapes of 3D: volumes and inertias by closed forms, chords, tetrahedra, cutting, rounding and rotation; convex hulls by the properties of a closed
-- surface; meshes and height fields by all their triangles.
local lu, collide = require "luaunit", require "collide"
local support, solids = require "support", require "solids"
local d3 = collide.d3
local pi, sqrt, abs, min, max = math.pi, math.sqrt, math.abs, math.min, math.max

-- Results are floats: relative errors of 2^-24. Inertias are sums of several rounded terms of similar size.
local FLOAT = 5e-7

-- Vectors and matrices -------------------------------------------------------------------------------------------------------

local sub, scale, dot, cross, length, unit = solids.sub, solids.scale, solids.dot, solids.cross, solids.length, solids.unit
local function add(a, b) return solids.add(a, 1, b) end

local function list_of(points)
	local list = {}
	for i = 1, #points, 3 do list[#list + 1] = { points[i], points[i + 1], points[i + 2] } end
	return list
end

local function flat_of(list)
	local flat = {}
	for _, p in ipairs(list) do
		for k = 1, 3 do flat[#flat + 1] = p[k] end
	end
	return flat
end

-- The rows of the rotation of a quaternion.
local function rotation(x, y, z, w)
	return {
		{ 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y) },
		{ 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x) },
		{ 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y) },
	}
end

local function turn(rows, a) return { dot(rows[1], a), dot(rows[2], a), dot(rows[3], a) } end

-- A pose, and the same as a function on points and as a rotation.
local function any_pose(number, reach)
	local q
	repeat q = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) } until q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2 > 0.1
	local x, y, z = number(-reach, reach), number(-reach, reach), number(-reach, reach)
	local pose = d3.pose(x, y, z, q[1], q[2], q[3], q[4])
	local qx, qy, qz, qw = pose:getRotation()
	local size = sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
	local rows = rotation(qx / size, qy / size, qz / size, qw / size)
	return pose, function(p) return add({ x, y, z }, turn(rows, p)) end, rows
end

-- Iterates by name, so that random numbers are drawn in the same order everywhere.
local function ordered(entries)
	local names, i = {}, 0
	for name in pairs(entries) do names[#names + 1] = name end
	table.sort(names)
	return function()
		i = i + 1
		return names[i], entries[names[i]]
	end
end

-- Moments: volume, first and second (xx, yy, zz, xy, xz, yz) about the origin --------------------------------------------------

local pairs_of = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } }

local function nothing() return { volume = 0, first = { 0, 0, 0 }, second = { 0, 0, 0, 0, 0, 0 } } end

local function moments_of(shape)
	local m, cx, cy, cz, ixx, iyy, izz, ixy, ixz, iyz = shape:getMass(1)
	local c, own = { cx, cy, cz }, { (iyy + izz - ixx) / 2, (ixx + izz - iyy) / 2, (ixx + iyy - izz) / 2, -ixy, -ixz, -iyz }
	local out = { volume = m, first = scale(m, c), second = {} }
	for i, k in ipairs(pairs_of) do out.second[i] = own[i] + m * c[k[1]] * c[k[2]] end
	return out
end

local function sum_of(a, b)
	local out = { volume = a.volume + b.volume, first = add(a.first, b.first), second = {} }
	for i = 1, 6 do out.second[i] = a.second[i] + b.second[i] end
	return out
end

-- Within `error` of the volume, of volume times reach, and of volume times reach squared.
local function assert_moments(got, expected, reach, error, what)
	local v = expected.volume
	lu.assertAlmostEquals(got.volume, v, error * v, what .. ": volume")
	for i = 1, 3 do lu.assertAlmostEquals(got.first[i], expected.first[i], error * v * reach, what .. ": first moment") end
	for i = 1, 6 do lu.assertAlmostEquals(got.second[i], expected.second[i], error * v * reach * reach, what .. ": second moment") end
end

-- The integrals over the tetrahedron of the origin and three points: V/4 s and V/20 (a a + b b + c c + s s), s = a + b + c.
local function add_tetrahedron(sum, a, b, c)
	local v, s = dot(a, cross(b, c)) / 6, add(a, add(b, c))
	sum.volume = sum.volume + v
	sum.first = add(sum.first, scale(v / 4, s))
	for i, k in ipairs(pairs_of) do
		local x, y = k[1], k[2]
		sum.second[i] = sum.second[i] + v / 20 * (a[x] * a[y] + b[x] * b[y] + c[x] * c[y] + s[x] * s[y])
	end
end

local function moments_by_tetrahedra(shape)
	local points, sum = list_of(shape:getPoints()), nothing()
	for _, face in ipairs(shape:getFaces()) do
		for i = 3, #face do add_tetrahedron(sum, points[face[1]], points[face[i - 1]], points[face[i]]) end
	end
	return sum
end

-- By chords along x on a grid of N x N lines, each integrated exactly. Along a row a chord's contribution rises from 0 to its maximum and falls back, so the
-- midpoint rule has an error of at most a cell's width times that maximum, once for rows and once for columns: 2/N of the box's volume, times the squares of
-- the reach.
local LINES = 80
local function moments_by_chords(shape)
	local x1, y1, z1, x2, y2, z2 = shape:getBox()
	local sum, dy, dz = nothing(), (y2 - y1) / LINES, (z2 - z1) / LINES
	for i = 1, LINES do
		for k = 1, LINES do
			local y, z = y1 + (i - 0.5) * dy, z1 + (k - 0.5) * dz
			local t1 = d3.raycast(shape, nil, x1 - 1, y, z, x2 + 1, y, z)
			if t1 then
				local t2 = d3.raycast(shape, nil, x2 + 1, y, z, x1 - 1, y, z)
				local a, b, area = x1 - 1 + t1 * (x2 - x1 + 2), x2 + 1 - t2 * (x2 - x1 + 2), dy * dz
				local v, fx = area * (b - a), area * (b * b - a * a) / 2
				sum.volume = sum.volume + v
				sum.first = add(sum.first, { fx, v * y, v * z })
				local second = { area * (b ^ 3 - a ^ 3) / 3, v * y * y, v * z * z, fx * y, fx * z, v * y * z }
				for n = 1, 6 do sum.second[n] = sum.second[n] + second[n] end
			end
		end
	end
	return sum, (x2 - x1) * (y2 - y1) * (z2 - z1)
end

local function hull_of(list, radius) return d3.hull(flat_of(list), radius) end

local function random_points(number, count, size)
	local list = {}
	for i = 1, count do list[i] = { number(-size, size), number(-size, size), number(-size, size) } end
	return list
end

local function round_points(number, count)
	local list = {}
	while #list < count do
		local p = { number(-1, 1), number(-1, 1), number(-1, 1) }
		if length(p) > 0.1 and length(p) < 1 then list[#list + 1] = unit(p) end
	end
	return list
end

local function solids(number)
	local place = { x = 0.3, y = -0.2, z = 0.5, qx = 0.1, qy = 0.5, qz = -0.3, qw = 0.8 }
	local function placed(radius)
		local copy = { radius = radius }
		for key, value in pairs(place) do copy[key] = value end
		return copy
	end
	return {
		sphere = d3.sphere(0.7, 0.1, 0.2, 0.3),
		capsule = d3.capsule(-0.5, 0.1, 0.2, 0.6, 0.9, -0.3, 0.4),
		tapered_capsule = d3.taperedCapsule(-0.5, 0.1, 0.2, 0.4, 0.6, 0.9, -0.3, 0.9),
		box = d3.box(1, 2, 1.5, placed()),
		rounded_box = d3.box(1, 2, 1.5, placed(0.3)),
		cylinder = d3.cylinder(0.7, 1.8, place),
		cone = d3.cone(0.7, 1.8, place),
		ellipsoid = d3.ellipsoid(0.6, 1.1, 0.8, place),
		hull = hull_of(random_points(number, 30, 1)),
		rounded_hull = hull_of(random_points(number, 30, 1), 0.4),
	}
end

-- Mass -----------------------------------------------------------------------------------------------------------------------

TestSolidMasses = {}

-- Each row: shape, volume, height of the centre, inertia across and along y (all are round or square about y).
function TestSolidMasses.test_closed_forms()
	local r, h = 0.7, 1.8
	local rod, ball = pi * r * r * h, 4 / 3 * pi * r ^ 3
	local cone = pi * r * r * h / 3
	local a, b = 0.6, 1.1
	local egg = 4 / 3 * pi * a * a * b
	for name, row in pairs {
		sphere = { d3.sphere(r), ball, 0, 0.4 * ball * r * r, 0.4 * ball * r * r },
		box = { d3.box(r, h, r), r * r * h, 0, r * r * h * (r * r + h * h) / 12, r * r * h * r * r / 6 },
		cylinder = { d3.cylinder(r, h), rod, 0, rod * (3 * r * r + h * h) / 12, rod * r * r / 2 },
		cone = { d3.cone(r, h), cone, -h / 4, cone * (3 / 20 * r * r + 3 / 80 * h * h), 0.3 * cone * r * r },
		ellipsoid = { d3.ellipsoid(a, b, a), egg, 0, egg * (a * a + b * b) / 5, egg * 2 * a * a / 5 },
		-- two halves of a ball, 3 r/8 from their flat sides, and the rod between
		capsule = { d3.capsule(0, -h / 2, 0, 0, h / 2, 0, r), rod + ball, 0,
			rod * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 3 / 8 * r * h), rod * r * r / 2 + 0.4 * ball * r * r },
	} do
		local m, cx, cy, cz, ixx, iyy, izz, ixy, ixz, iyz = row[1]:getMass(3)
		lu.assertAlmostEquals(m, 3 * row[2], FLOAT * m, name)
		lu.assertAlmostEquals(cy, row[3], FLOAT * h, name)
		lu.assertEquals({ cx, cz, ixy, ixz, iyz }, { 0, 0, 0, 0, 0 }, name)
		lu.assertAlmostEquals(ixx, 3 * row[4], FLOAT * ixx, name)
		lu.assertAlmostEquals(izz, 3 * row[4], FLOAT * izz, name)
		lu.assertAlmostEquals(iyy, 3 * row[5], FLOAT * iyy, name)
	end
end

function TestSolidMasses.test_chords()
	for name, shape in ordered(solids(support.random_numbers(5))) do
		local got, box = moments_by_chords(shape)
		local expected = moments_of(shape)
		assert_moments(got, expected, 2, 2 / LINES * box / expected.volume, name)
	end
end

function TestSolidMasses.test_hulls_are_the_sum_of_tetrahedra()
	local number = support.random_numbers(6)
	for round = 1, 20 do
		local shape = hull_of(random_points(number, 4 + 5 * round, 2))
		assert_moments(moments_of(shape), moments_by_tetrahedra(shape), 2, 4 * FLOAT, "hull " .. round)
	end
end

-- The box has a closed form; the hull is integrated by faces, edges and corners.
function TestSolidMasses.test_a_rounded_box_is_a_rounded_hull()
	for _, radius in ipairs { 0.01, 0.1, 0.3, 0.49 } do
		local box = d3.box(1, 2, 1.5, { x = 0.3, qx = 0.1, qy = 0.5, qz = -0.3, qw = 0.8, radius = radius })
		-- Corners are floats: the hull's sizes have errors of 2^-24 of coordinates of about 1.
		local hull = d3.hull(box:getPoints(), radius)
		assert_moments(moments_of(hull), moments_of(box), 1.5, max(4 * FLOAT, 1e-7 / (0.5 - radius)), "radius " .. radius)
	end
end

-- Steiner: rounded by r, the volume is a polynomial of degree 3 in r with the leading term of a ball, 4/3 pi r^3; the integral of x x is one of degree 5 with
-- 4/15 pi r^5, that of x y with 0. Their differences of that order are 3! and 5! times these, for any hull.
function TestSolidMasses.test_rounding_follows_steiner()
	local number = support.random_numbers(8)
	for count = 4, 64, 12 do
		local points = random_points(number, count, 1)
		local rounded, greatest = {}, 0
		for r = 0, 5 do
			rounded[r] = moments_of(hull_of(points, r > 0 and r or nil))
			greatest = max(greatest, rounded[r].second[1], rounded[r].second[2], rounded[r].second[3])
		end
		local third = rounded[3].volume - 3 * rounded[2].volume + 3 * rounded[1].volume - rounded[0].volume
		lu.assertAlmostEquals(third, 8 * pi, 8 * FLOAT * rounded[3].volume, "volume")
		for i = 1, 6 do
			local fifth = 0
			for r, weight in pairs { [0] = -1, 5, -10, 10, -5, 1 } do fifth = fifth + weight * rounded[r].second[i] end
			lu.assertAlmostEquals(fifth, i <= 3 and 32 * pi or 0, 32 * FLOAT * greatest, "second moment")
		end
	end
end

-- A tiny rounded hull is nearly a ball, a rounded needle nearly a capsule: each is between the one of the same radius and that of a radius larger by its width.
function TestSolidMasses.test_rounded_dots_and_needles()
	local w = 1e-3
	local dot_like = moments_of(d3.hull({ 0, 0, 0, w, 0, 0, 0, w, 0, 0, 0, w }, 1))
	assert_moments(dot_like, moments_of(d3.sphere(1)), 1, 5 * w, "dot")
	local needle = moments_of(d3.hull({ 0, -1, 0, w, -1, 0, 0, -1, w, 0, 1, 0, w, 1, 0, 0, 1, w }, 0.5))
	assert_moments(needle, moments_of(d3.capsule(0, -1, 0, 0, 1, 0, 0.5)), 1.5, 10 * w, "needle")
end

function TestSolidMasses.test_rigid_motion()
	local number = support.random_numbers(9)
	for name, shape in ordered(solids(number)) do
		for _ = 1, 5 do
			local pose, move, rows = any_pose(number, 3)
			local m, cx, cy, cz, ixx, iyy, izz, ixy, ixz, iyz = shape:getMass(2)
			local I = { { ixx, ixy, ixz }, { ixy, iyy, iyz }, { ixz, iyz, izz } }
			local got = { d3.transform(shape, pose):getMass(2) }
			-- Points are rounded to floats of up to 5: 3e-7 each.
			local error = 1e-6 * m * 4
			lu.assertAlmostEquals(got[1], m, 2e-6 * m, name)
			local c = move { cx, cy, cz }
			for k = 1, 3 do lu.assertAlmostEquals(got[1 + k], c[k], 2e-6, name .. ": centre") end
			for i, k in ipairs(pairs_of) do
				local value = 0
				for p = 1, 3 do
					for q = 1, 3 do value = value + rows[k[1]][p] * I[p][q] * rows[k[2]][q] end
				end
				lu.assertAlmostEquals(got[4 + i], value, error, name .. ": inertia")
			end
		end
	end
end

-- The two parts of a hull on either side of a plane: their points are the hull's there, and the cuts of the segments between all pairs of points.
local function cut(list, normal, offset)
	local parts, heights = { {}, {} }, {}
	for i, p in ipairs(list) do
		heights[i] = dot(normal, p) - offset
		local part = parts[heights[i] > 0 and 1 or 2]
		part[#part + 1] = p
	end
	for i, p in ipairs(list) do
		for k, q in ipairs(list) do
			if heights[i] > 0 and heights[k] <= 0 then
				local at = add(p, scale(heights[i] / (heights[i] - heights[k]), sub(q, p)))
				for _, part in ipairs(parts) do part[#part + 1] = at end
			end
		end
	end
	return hull_of(parts[1]), hull_of(parts[2])
end

function TestSolidMasses.test_a_cut_solid_is_the_sum_of_its_parts()
	local number = support.random_numbers(10)
	for round = 1, 20 do
		local whole = round % 2 == 0 and d3.box(1, 2, 1.5) or hull_of(random_points(number, 12, 1))
		local list = list_of(whole:getPoints())
		local a, b = cut(list, unit { number(-1, 1), number(-1, 1), number(-1, 1) }, number(-0.1, 0.1))
		-- Corners that protrude by less than 1e-6 of the extent may be missing, along with 1e-6 of the surface.
		assert_moments(sum_of(moments_of(a), moments_of(b)), moments_of(whole), 1.5, 3e-5, "cut " .. round)
		local both = d3.compound { a, b }
		assert_moments(moments_of(both), moments_of(whole), 1.5, 3e-5, "compound " .. round)
	end
end

function TestSolidMasses.test_compounds_of_compounds()
	local number = support.random_numbers(11)
	local all, sum = {}, nothing()
	for _, shape in ordered(solids(number)) do
		local pose, inner = any_pose(number, 2), any_pose(number, 2)
		all[#all + 1] = { shape = d3.compound { { shape = shape, pose = inner }, shape }, pose = pose }
		sum = sum_of(sum, moments_of(d3.transform(shape, pose)))
		sum = sum_of(sum, moments_of(d3.transform(d3.transform(shape, inner), pose)))
	end
	assert_moments(moments_of(d3.compound(all)), sum, 3, 4 * FLOAT, "compound")
end

function TestSolidMasses.test_far_from_the_origin()
	for name, shape in pairs { sphere = d3.sphere(1, 1000, 0, 0), box = d3.box(1, 2, 3, { y = 1000 }), cone = d3.cone(1, 2, { z = 1000 }),
		capsule = d3.capsule(1000, 0, 0, 1000, 1, 0, 0.5), hull = d3.hull({ 1000, 0, 0, 1002, 0, 0, 1000, 2, 0, 1000, 0, 2 }, 0.5) } do
		local near = d3.transform(shape, d3.pose(name ~= "box" and name ~= "cone" and -1000 or 0, name == "box" and -1000 or 0,
			name == "cone" and -1000 or 0))
		local m, _, _, _, ixx, iyy, izz = shape:getMass(1)
		local n, _, _, _, jxx, jyy, jzz = near:getMass(1)
		lu.assertAlmostEquals(m, n, FLOAT * n, name)
		lu.assertAlmostEquals(ixx + iyy + izz, jxx + jyy + jzz, 4 * FLOAT * (jxx + jyy + jzz), name)
	end
end

-- Hulls ----------------------------------------------------------------------------------------------------------------------

TestSolidHulls = {}

-- The properties of a closed convex surface: each edge appears twice, once in each direction; Euler's formula; all points are below all faces.
local function assert_surface(points, faces, inside, tolerance, what)
	local edges, count = {}, 0
	for _, face in ipairs(faces) do
		local before = face[#face]
		for _, corner in ipairs(face) do
			local edge = before .. ">" .. corner
			lu.assertNil(edges[edge], what .. ": an edge twice in one sense")
			edges[edge], count, before = corner .. ">" .. before, count + 1, corner
		end
	end
	for _, twin in pairs(edges) do lu.assertNotNil(edges[twin], what .. ": an edge without a face beyond it") end
	lu.assertEquals(#points - count / 2 + #faces, 2, what .. ": Euler")
	for _, face in ipairs(faces) do
		local a, normal = points[face[1]], { 0, 0, 0 }
		for i = 3, #face do normal = add(normal, cross(sub(points[face[i - 1]], a), sub(points[face[i]], a))) end
		lu.assertTrue(length(normal) > 0, what .. ": a face without an area")
		normal = unit(normal)
		local offset = dot(normal, a)
		for _, p in ipairs(inside) do
			if dot(normal, p) - offset > tolerance then
				lu.fail(("%s: a point is outside by %g"):format(what, dot(normal, p) - offset))
			end
		end
		for i = 1, #face do
			local b, c, d = points[face[i]], points[face[i % #face + 1]], points[face[(i + 1) % #face + 1]]
			lu.assertTrue(dot(normal, cross(sub(c, b), sub(d, c))) > 0, what .. ": an outline that is not convex")
		end
	end
end

local function key_of(p) return ("%.17g %.17g %.17g"):format(p[1], p[2], p[3]) end

local function keys_of(list)
	local keys = {}
	for i, p in ipairs(list) do keys[i] = key_of(p) end
	table.sort(keys)
	return keys
end

local function shuffled(list, choice)
	local copy = {}
	for i, p in ipairs(list) do copy[i] = p end
	for i = #copy, 2, -1 do
		local k = choice(i)
		copy[i], copy[k] = copy[k], copy[i]
	end
	return copy
end

-- Points on all faces of a box, its corners first.
local function box_points(number, choice, count, spread)
	local list = {}
	for i = 0, 7 do list[#list + 1] = { i % 2, math.floor(i / 2) % 2, math.floor(i / 4) } end
	for i = 9, count do
		local p = { number(0, 1), number(0, 1), number(0, 1) }
		p[choice(3)] = choice(2) - 1
		list[i] = p
	end
	for _, p in ipairs(list) do
		for k = 1, 3 do p[k] = p[k] + number(-spread, spread) end
	end
	return list
end

local function families(number, choice)
	local out = {}
	for round = 1, 12 do
		local count = 8 + 12 * round
		out["cloud " .. round] = random_points(number, count, 1)
		out["sphere " .. round] = round_points(number, count)
		local lattice, needle, plate, drum = {}, {}, {}, {}
		for i = 1, count do
			lattice[i] = { choice(4), choice(4), choice(4) }
			needle[i] = { number(-1, 1), number(-1, 1) * 1e-3, number(-1, 1) * 1e-3 }
			plate[i] = { number(-1, 1), number(-1, 1), number(-1, 1) * 1e-4 }
			local angle = math.floor(i / 2) / count * 4 * pi
			drum[i] = { math.cos(angle), i % 2, math.sin(angle) }
		end
		out["lattice " .. round], out["needle " .. round], out["plate " .. round], out["drum " .. round] = lattice, needle, plate, drum
		out["box " .. round] = box_points(number, choice, count, 10 ^ -round)
		out["rough box " .. round] = box_points(number, choice, 4 * count, 4e-6)
		local _, move = any_pose(number, 2)
		local turned = {}
		for i, p in ipairs(box_points(number, choice, count, 0)) do turned[i] = move(p) end
		out["turned box " .. round] = turned
	end
	return out
end

-- The hardest cases for merging points: clusters at the corners of a rotated box, about as wide as the tolerances, and points of all sizes.
local function rough_families(number, choice)
	local out = families(number, choice)
	for round = 1, 150 do
		local clusters, powers = {}, {}
		local _, move = any_pose(number, 0)
		local width = 10 ^ number(-7, -4)
		for i = 1, choice(80) + 40 do
			local p = { choice(2), choice(2), choice(2) }
			for k = 1, 3 do p[k] = p[k] + width * (number(-1, 1) + number(-1, 1)) end
			clusters[i] = move(p)
			powers[i] = { 10 ^ number(-8, 0), 10 ^ number(-8, 0), 10 ^ number(-8, 0) }
		end
		out["clusters " .. round], out["powers " .. round] = clusters, powers
	end
	return out
end

function TestSolidHulls.test_laws()
	local number, choice = support.random_numbers(12)
	for name, list in ordered(rough_families(number, choice)) do
		local made, shape = pcall(hull_of, list)
		lu.assertTrue(made, name)
		local points, faces, given = list_of(shape:getPoints()), shape:getFaces(), {}
		-- Points closer than 1e-5 are merged, possibly a few times; floats have errors of 2e-7.
		assert_surface(points, faces, list, 3e-5 * 4, name)
		assert_surface(points, faces, points, 5e-6 * 4, name)
		local again = d3.hull(shape:getPoints())
		lu.assertEquals(again:getPoints(), shape:getPoints(), name .. ": the hull of the hull")
		lu.assertEquals(again:getFaces(), faces, name .. ": the hull of the hull")
		local other = list_of(hull_of(shuffled(list, choice)):getPoints())
		lu.assertEquals(keys_of(other), keys_of(points), name .. ": another order")
		for _, p in ipairs(list_of(d3.convexHull(flat_of(list)))) do given[#given + 1] = p end
		assert_surface(points, faces, given, 3e-5 * 4, name .. ": the exact hull")
	end
end

function TestSolidHulls.test_faces_are_merged_and_corners_are_few()
	local number, choice = support.random_numbers(13)
	local _, move = any_pose(number, 1)
	local turned = {}
	for i, p in ipairs(box_points(number, choice, 10000, 0)) do turned[i] = move(p) end
	for name, list in pairs { straight = box_points(number, choice, 10000, 0), turned = turned } do
		local shape = hull_of(list)
		lu.assertEquals(#shape:getPoints(), 24, name)
		lu.assertEquals(#shape:getFaces(), 6, name)
	end
	local lattice = {}
	for i = 0, 9999 do lattice[i + 1] = { i % 20, math.floor(i / 20) % 25, math.floor(i / 500) } end
	lu.assertEquals(keys_of(list_of(hull_of(lattice):getPoints())), keys_of {
		{ 0, 0, 0 }, { 19, 0, 0 }, { 0, 24, 0 }, { 19, 24, 0 }, { 0, 0, 19 }, { 19, 0, 19 }, { 0, 24, 19 }, { 19, 24, 19 } })
end

function TestSolidHulls.test_thin_ones_are_refused()
	local number = support.random_numbers(14)
	for _, thickness in ipairs { 0, 1e-9, 1e-7, 5e-6 } do
		local plate, needle = {}, {}
		for i = 1, 200 do
			plate[i] = { number(0, 1), number(0, 1), number(0, thickness) }
			needle[i] = { number(0, 1), number(0, thickness), number(0, thickness) }
		end
		lu.assertErrorMsgContains("hull: points must not lie in a plane", hull_of, plate)
		lu.assertErrorMsgContains("hull: points must not lie in a plane", hull_of, needle)
	end
	local few = {}
	for i = 1, 300 do few[i] = { i % 3 == 0 and 1 or number(0, 1e-6), i % 3 == 1 and 1 or 0, number(0, 1e-6) } end
	lu.assertErrorMsgContains("hull: points must contain at least four different ones", hull_of, few)
	lu.assertErrorMsgContains("hull: it must have at most 256 corners", hull_of, round_points(number, 10000))
end

-- Exact corners and triangles ---------------------------------------------------------------------------------------------------

TestExactHulls = {}

local function triangles_of(flat)
	local list = {}
	for i = 1, #flat, 3 do list[#list + 1] = { flat[i], flat[i + 1], flat[i + 2] } end
	return list
end

function TestExactHulls.test_laws()
	local number, choice = support.random_numbers(15)
	for name, list in ordered(families(number, choice)) do
		local corners, triangles = d3.convexHull(flat_of(list))
		local points = list_of(corners)
		assert_surface(points, triangles_of(triangles), list, 1e-12, name)
		lu.assertEquals(#triangles / 3, 2 * #points - 4, name)
		local again = d3.convexHull(corners)
		lu.assertEquals(again, corners, name .. ": the hull of the hull")
		lu.assertEquals(keys_of(list_of(d3.convexHull(flat_of(shuffled(list, choice))))), keys_of(points), name .. ": another order")
	end
end

-- A point is a corner if it is not in the hull of the others: by brute force over all planes through three points.
function TestExactHulls.test_brute_force()
	local _, choice = support.random_numbers(16)
	for _ = 1, 60 do
		local list, seen = {}, {}
		while #list < 12 do
			local p = { choice(4), choice(4), choice(3) }
			if not seen[key_of(p)] then list[#list + 1], seen[key_of(p)] = p, true end
		end
		-- All coordinates are small integers, so this is exact. A corner is on a plane with all others on one side; among the points on that plane it is on a
		-- line with all others on one side, and it is an end of that line.
		local expected, solid = {}, false
		for i, a in ipairs(list) do
			for k = 1, #list do
				for l = k + 1, #list do
					if k ~= i and l ~= i then
						local normal = cross(sub(list[k], a), sub(list[l], a))
						local above, below = 0, 0
						for _, p in ipairs(list) do
							local h = dot(normal, sub(p, a))
							above, below = above + (h > 0 and 1 or 0), below + (h < 0 and 1 or 0)
						end
						solid = solid or above > 0 or below > 0
						if length(normal) > 0 and (above == 0) ~= (below == 0) then
							local across = cross(normal, sub(list[k], a))
							local left, right, ahead, behind = 0, 0, 0, 0
							for _, p in ipairs(list) do
								if dot(normal, sub(p, a)) == 0 then
									local h, along = dot(across, sub(p, a)), dot(sub(list[k], a), sub(p, a))
									left, right = left + (h > 0 and 1 or 0), right + (h < 0 and 1 or 0)
									if h == 0 then ahead, behind = ahead + (along > 0 and 1 or 0), behind + (along < 0 and 1 or 0) end
								end
							end
							if (left == 0 or right == 0) and (ahead == 0 or behind == 0) then expected[key_of(a)] = a end
						end
					end
				end
			end
		end
		if solid then
			local corners = {}
			for _, p in pairs(expected) do corners[#corners + 1] = p end
			lu.assertEquals(keys_of(list_of(d3.convexHull(flat_of(list)))), keys_of(corners))
		end
	end
end

function TestExactHulls.test_many_points()
	local number, choice = support.random_numbers(17)
	local plane, line, lattice = {}, {}, {}
	for i = 1, 10000 do
		local u, v = number(-1, 1), number(-1, 1)
		plane[i], line[i] = { u, v, 0.5 }, { u, 2 * u, -4 * u }
		lattice[i] = { (i - 1) % 20, math.floor((i - 1) / 20) % 25, math.floor((i - 1) / 500) }
	end
	plane[10001], plane[10002], plane[10003], plane[10004] = { -1, -1, 0.5 }, { 1, -1, 0.5 }, { 1, 1, 0.5 }, { -1, 1, 0.5 }
	local corners, triangles = d3.convexHull(flat_of(plane))
	lu.assertEquals(keys_of(list_of(corners)), keys_of { plane[10001], plane[10002], plane[10003], plane[10004] })
	lu.assertEquals(triangles, {})
	corners, triangles = d3.convexHull(flat_of(line))
	lu.assertEquals({ #corners, #triangles }, { 6, 0 })
	lu.assertEquals({ d3.convexHull { 1, 2, 3, 1, 2, 3 } }, { { 1, 2, 3 }, {} })
	corners, triangles = d3.convexHull(flat_of(lattice))
	lu.assertEquals({ #corners, #triangles }, { 24, 36 })
	corners = d3.convexHull(flat_of(box_points(number, choice, 10000, 0)))
	lu.assertEquals(#corners, 24)
	-- Doubles leave a point of the unit sphere within 2e-16 of it: each is a corner unless its neighbours are 1e-7 away.
	local round = round_points(number, 10000)
	corners, triangles = d3.convexHull(flat_of(round))
	lu.assertEquals({ #corners, #triangles }, { 30000, 3 * (2 * 10000 - 4) })
end

-- The hull of all points is that of the hulls of parts of them.
function TestExactHulls.test_parts_of_many_points()
	local number = support.random_numbers(19)
	for _, size in ipairs { { 1, 1, 1 }, { 5, 0.01, 1 } } do
		for _, ball in ipairs { false, true } do
			local all, part, corners = {}, {}, {}
			while #all < 5000 do
				local p = { number(-1, 1), number(-1, 1), number(-1, 1) }
				if not ball or dot(p, p) < 1 then
					for k = 1, 3 do p[k] = 3 + size[k] * p[k] end
					all[#all + 1], part[#part + 1] = p, p
				end
				if #part == 500 then
					for _, corner in ipairs(list_of(d3.convexHull(flat_of(part)))) do corners[#corners + 1] = corner end
					part = {}
				end
			end
			lu.assertEquals(keys_of(list_of(d3.convexHull(flat_of(all)))), keys_of(list_of(d3.convexHull(flat_of(corners)))))
		end
	end
end

function TestExactHulls.test_scales()
	local number = support.random_numbers(18)
	local list = random_points(number, 50, 1)
	local expected, triangles = d3.convexHull(flat_of(list))
	for _, exponent in ipairs { -900, -200, -40, 40 } do
		local scaled = {}
		for i, p in ipairs(list) do scaled[i] = scale(2 ^ exponent, p) end
		local corners, faces = d3.convexHull(flat_of(scaled))
		for i = 1, #corners do corners[i] = corners[i] / 2 ^ exponent end
		lu.assertEquals(corners, expected)
		lu.assertEquals(faces, triangles)
	end
end

-- Meshes and height fields --------------------------------------------------------------------------------------------------------

TestSolidMeshes = {}

-- Moeller and Trumbore, 1997.
local function ray_meets(from, way, a, b, c)
	local e, f = sub(b, a), sub(c, a)
	local p = cross(way, f)
	local determinant = dot(e, p)
	if determinant == 0 then return nil end
	local s = sub(from, a)
	local u = dot(s, p) / determinant
	local q = cross(s, e)
	local v, t = dot(way, q) / determinant, dot(f, q) / determinant
	if u >= 0 and v >= 0 and u + v <= 1 and t >= 0 and t <= 1 then return t end
end

-- A ray through the tree hits the nearest of all triangles; a short ray at each triangle hits it.
local function assert_rays(shape, number, rays, what)
	local points, faces = list_of(shape:getPoints()), shape:getFaces()
	local x1, y1, z1, x2, y2, z2 = shape:getBox()
	local function anywhere() return { number(x1 - 1, x2 + 1), number(y1 - 1, y2 + 1), number(z1 - 1, z2 + 1) } end
	for _ = 1, rays do
		local from = anywhere()
		local to, nearest = anywhere(), nil
		for _, face in ipairs(faces) do
			local t = ray_meets(from, sub(to, from), points[face[1]], points[face[2]], points[face[3]])
			if t and t < (nearest or 2) then nearest = t end
		end
		local t = d3.raycast(shape, nil, from[1], from[2], from[3], to[1], to[2], to[3])
		lu.assertEquals(t ~= nil, nearest ~= nil, what)
		if t then lu.assertAlmostEquals(t, nearest, 1e-6, what) end
	end
	for i, face in ipairs(faces) do
		local a, b, c = points[face[1]], points[face[2]], points[face[3]]
		local middle, normal = scale(1 / 3, add(a, add(b, c))), unit(cross(sub(b, a), sub(c, a)))
		local from, to = add(middle, scale(1e-3, normal)), add(middle, scale(-1e-3, normal))
		lu.assertNotNil(d3.raycast(shape, nil, from[1], from[2], from[3], to[1], to[2], to[3]), what .. ": triangle " .. i)
	end
end

-- The bounds are those of the points, at any pose.
local function assert_bounds(shape, number, what)
	local points = list_of(shape:getPoints())
	for _ = 1, 5 do
		local pose, move = any_pose(number, 10)
		local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
		for _, p in ipairs(points) do
			local at = move(p)
			for k = 1, 3 do low[k], high[k] = min(low[k], at[k]), max(high[k], at[k]) end
		end
		local box = { shape:getBox(pose) }
		for k = 1, 3 do
			lu.assertAlmostEquals(box[k], low[k], 1e-12 * 100, what)
			lu.assertAlmostEquals(box[3 + k], high[k], 1e-12 * 100, what)
		end
	end
end

local function soup(number, count, spread)
	local vertices, indices = {}, {}
	for i = 1, count do
		local at = { number(-spread, spread), number(-spread, spread), number(-spread, spread) }
		for k = 1, 3 do
			local p = add(at, { number(-1, 1), number(-1, 1), number(-1, 1) })
			for n = 1, 3 do vertices[#vertices + 1] = p[n] end
			indices[#indices + 1] = 3 * (i - 1) + k
		end
	end
	return d3.mesh(vertices, indices), indices
end

function TestSolidMeshes.test_meshes()
	local number = support.random_numbers(19)
	for _, count in ipairs { 1, 2, 3, 8, 9, 50, 400 } do
		local shape, indices = soup(number, count, 5)
		assert_rays(shape, number, 60, "mesh of " .. count)
		assert_bounds(shape, number, "mesh of " .. count)
		local faces = shape:getFaces()
		for i, face in ipairs(faces) do lu.assertEquals(face, { indices[3 * i - 2], indices[3 * i - 1], indices[3 * i] }) end
		lu.assertEquals(d3.transform(shape, (any_pose(number, 2))):getFaces(), faces)
	end
end

-- Triangles that all coincide give the tree nothing to split by.
function TestSolidMeshes.test_many_coincident_triangles()
	local indices = {}
	for i = 1, 3000 do indices[i] = (i - 1) % 3 + 1 end
	local shape = d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, indices)
	lu.assertAlmostEquals(d3.raycast(shape, nil, 0.2, 0.2, 1, 0.2, 0.2, -1), 0.5, 1e-12)
	lu.assertNil(d3.raycast(shape, nil, 0.7, 0.7, 1, 0.7, 0.7, -1))
end

local function terrain(number, columns, rows)
	local heights = {}
	for i = 1, columns * rows do heights[i] = number(-1, 1) end
	return { columns = columns, rows = rows, cellWidth = 0.5, cellDepth = 0.75, x = -1, z = 2, heights = heights }
end

function TestSolidMeshes.test_height_fields()
	local number = support.random_numbers(20)
	for _, size in ipairs { { 2, 2 }, { 3, 2 }, { 2, 3 }, { 4, 4 }, { 2, 20 }, { 33, 2 }, { 7, 12 }, { 17, 17 }, { 18, 9 } } do
		local what = ("%d x %d"):format(size[1], size[2])
		local options = terrain(number, size[1], size[2])
		local shape = d3.heightField(options)
		lu.assertEquals(#shape:getFaces(), 2 * (size[1] - 1) * (size[2] - 1), what)
		assert_rays(shape, number, 30, what)
		assert_bounds(shape, number, what)
		-- Straight down, it is the surface of d3.heightmap.
		local map = d3.heightmap(options)
		for _ = 1, 30 do
			local x, z = number(-0.99, 0.49 * size[1] - 1.5), number(2.01, 0.74 * size[2] + 1.25)
			local y = map:heightAt(x, z, "triangles")
			local t = d3.raycast(shape, nil, x, 2, z, x, -2, z)
			if y then lu.assertAlmostEquals(2 - 4 * t, y, 1e-5, what) end
		end
		for i, face in ipairs(shape:getFaces()) do
			local points = shape:getPoints()
			local p = {}
			for k = 1, 3 do p[k] = { points[3 * face[k] - 2], points[3 * face[k] - 1], points[3 * face[k]] } end
			lu.assertTrue(cross(sub(p[2], p[1]), sub(p[3], p[1]))[2] > 0, what .. ": triangle " .. i .. " faces up")
			if i > 40 then break end
		end
	end
end

-- The tree finds each triangle of a row, whatever its length: its storage is trimmed to less than was reserved.
function TestSolidMeshes.test_rows_of_any_length()
	for count = 1, 70 do
		local vertices, indices = {}, {}
		for i = 0, count - 1 do
			for _, x in ipairs { 3 * i, 0, 0, 3 * i, 0, 1, 3 * i + 1, 0, 0 } do vertices[#vertices + 1] = x end
			for corner = 1, 3 do indices[#indices + 1] = 3 * i + corner end
		end
		local mesh = d3.mesh(vertices, indices)
		for i = 0, count - 1 do
			local x = 3 * i + 0.25
			lu.assertAlmostEquals(d3.raycast(mesh, nil, x, 1, 0.25, x, -3, 0.25), 0.25, FLOAT, count .. " triangles, the one at " .. i)
		end
	end
end
