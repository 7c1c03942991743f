-- Meshes and height fields as surfaces for sliding bodies: edge kinds, one-sided and two-sided surfaces, holes, welding, scale and materials. Results are
-- compared with those of independent single triangles, and with plain vector geometry.
local lu = require "luaunit"
local d3 = require("collide").d3
local solids = require "solids"
local support = require "support"

local sub, dot, cross = solids.sub, solids.dot, solids.cross
local unpack = table.unpack or unpack

local function near(got, expected, tolerance, what)
	if not (got and math.abs(got - expected) <= tolerance) then
		error(("%s: expected %.17g, got %s, allowed %g"):format(what, expected, tostring(got), tolerance), 2)
	end
end

local function check(condition, what)
	if not condition then error(what, 2) end
end

-- Surfaces ----------------------------------------------------------------------------------------------------------------------

-- n by n cells, fronts upwards; heights are a function.
local function sheet(n, height)
	local vertices, indices = {}, {}
	for k = 0, n do for i = 0, n do
		for _, c in ipairs { i, height(i, k), k } do vertices[#vertices + 1] = c end
	end end
	for k = 0, n - 1 do for i = 0, n - 1 do
		local a = k * (n + 1) + i + 1
		for _, j in ipairs { a, a + n + 2, a + 1, a, a + n + 1, a + n + 2 } do indices[#indices + 1] = j end
	end end
	return vertices, indices
end

-- A ball of rings, fronts outwards.
local function ball(n, m)
	local points = {}
	for i = 1, n - 1 do for k = 0, m - 1 do
		local a, b = math.pi * i / n, 2 * math.pi * k / m
		for _, c in ipairs { math.sin(a) * math.cos(b), math.cos(a), math.sin(a) * math.sin(b) } do points[#points + 1] = c end
	end end
	for _, c in ipairs { 0, 1, 0, 0, -1, 0 } do points[#points + 1] = c end
	return d3.convexHull(points)
end

-- The triangles in another order, each starting at a random corner; with separate vertices if `apart`.
local function shuffled(vertices, indices, pick, apart)
	local order, out, own = {}, {}, {}
	for t = 1, #indices / 3 do table.insert(order, pick(#order + 1), t) end
	for _, t in ipairs(order) do
		local first = pick(3)
		for k = 0, 2 do
			local j = indices[3 * t - 2 + (first + k) % 3]
			if apart then
				for c = -2, 0 do own[#own + 1] = vertices[3 * j + c] end
				j = #own / 3
			end
			out[#out + 1] = j
		end
	end
	return apart and own or vertices, out
end

local function corners_of(shape)
	local points, list = shape:getPoints(), {}
	for number, face in ipairs(shape:getFaces()) do
		list[number] = {}
		for k, j in ipairs(face) do list[number][k] = { points[3 * j - 2], points[3 * j - 1], points[3 * j] } end
	end
	return list
end

local function normal_of(t) return cross(sub(t[2], t[1]), sub(t[3], t[1])) end

-- Edges -------------------------------------------------------------------------------------------------------------------------

TestSpaceMeshEdges = {}

-- Brute force over all triangles for the one with the reversed edge: the height of its third corner above this one's plane, as a sine.
local function check_edges(shape, what)
	local triangles, count = corners_of(shape), { flat = 0, concave = 0, convex = 0, boundary = 0 }
	local function key(p, q) return table.concat(p, " ") .. " / " .. table.concat(q, " ") end
	local owner = {}
	for number, t in ipairs(triangles) do
		for k = 1, #t do owner[key(t[k], t[k % 3 + 1])] = { number, t[(k + 1) % 3 + 1] } end
	end
	for number, t in ipairs(triangles) do
		local got, back = { shape:getFaceEdges(number) }, { shape:getFaceEdges(number, true) }
		if #t == 0 then
			check(#got == 0 and #back == 0, what .. ": what was left out has edges")
		end
		for k = 1, #t do
			local other, label = owner[key(t[k % 3 + 1], t[k])], ("%s: face %d edge %d"):format(what, number, k)
			count[got[k]] = count[got[k]] + 1
			if not other then
				check(got[k] == "boundary" and back[k] == "boundary" and got[3 + k] == nil, label)
			else
				local n, e = normal_of(t), sub(t[k % 3 + 1], t[k])
				local way = sub(other[2], t[k])
				local up, aside = dot(way, n) / math.sqrt(dot(n, n)), dot(way, cross(e, n)) / math.sqrt(dot(n, n) * dot(e, e))
				local angle = math.abs(up) / aside
				local expected = up > 0 and "concave" or "convex"
				local seen_back = up > 0 and "convex" or "concave"
				if aside > 0 and angle < 5e-4 then expected, seen_back = "flat", "flat" end
				check(got[k] == expected and back[k] == seen_back, label .. ": " .. got[k] .. " and not " .. expected)
				check(got[3 + k] == other[1] and back[3 + k] == other[1], label .. ": neighbour")
			end
		end
	end
	return count
end

function TestSpaceMeshEdges.test_of_any_sheet()
	local number, pick = support.random_numbers(1)
	for round = 1, 24 do
		local n = 1 + pick(8)
		-- Half of the heights are those of planes, so that there are flat edges, too.
		local function height(i, k) return pick(2) == 1 and 0.25 * i - 0.5 * k or number(-1, 1) end
		local vertices, indices = shuffled(select(1, sheet(n, height)), select(2, sheet(n, function() return 0 end)), pick, round % 2 == 0)
		local count = check_edges(d3.mesh(vertices, indices, { oneSided = round % 3 == 0 }), "round " .. round)
		lu.assertEquals(count.boundary, 4 * n)
	end
end

function TestSpaceMeshEdges.test_of_closed_surfaces()
	local _, pick = support.random_numbers(2)
	for _, sizes in ipairs { { 2, 3 }, { 4, 6 }, { 9, 14 } } do
		local vertices, indices = shuffled(select(1, ball(unpack(sizes))), select(2, ball(unpack(sizes))), pick, true)
		local count = check_edges(d3.mesh(vertices, indices), "a ball")
		lu.assertEquals({ count.concave, count.boundary }, { 0, 0 })
		lu.assertEquals(count.convex + count.flat, #indices)
		local inside = check_edges(d3.mesh(vertices, indices, { scale = { -1, 1, 1 } }), "a mirrored ball")
		lu.assertEquals(inside, count)
		for i = 1, #indices, 3 do indices[i], indices[i + 1] = indices[i + 1], indices[i] end
		inside = check_edges(d3.mesh(vertices, indices), "a ball inside out")
		lu.assertEquals({ inside.convex, inside.concave }, { 0, count.convex })
	end
end

function TestSpaceMeshEdges.test_of_height_fields()
	local number, pick = support.random_numbers(3)
	for round = 1, 24 do
		local columns, rows, heights, holes = 1 + pick(8), 1 + pick(8), {}, {}
		for i = 1, columns * rows do heights[i] = pick(2) == 1 and 0.25 * ((i - 1) % columns) or number(-1, 1) end
		for cell = 2, (columns - 1) * (rows - 1) do if round % 2 == 0 and pick(3) == 1 then holes[#holes + 1] = cell end end
		local field = d3.heightField { columns = columns, rows = rows, cellWidth = number(0.5, 2), cellDepth = number(0.5, 2), x = number(-9, 9),
			z = number(-9, 9), heights = heights, holes = holes }
		local count = check_edges(field, "round " .. round)
		lu.assertEquals(check_edges(d3.transform(field, d3.pose(0, 0, 0)), "moved " .. round), count)
	end
end

-- A wall on a floor: the floor's edge there is concave from the front, flat from below; the wall's is concave from both sides.
function TestSpaceMeshEdges.test_where_three_triangles_meet()
	local floor_and_wall = d3.mesh({ 0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0 }, { 1, 2, 3, 2, 1, 4, 1, 2, 5 })
	lu.assertEquals({ floor_and_wall:getFaceEdges(1) }, { "concave", "boundary", "boundary" })
	lu.assertEquals({ floor_and_wall:getFaceEdges(1, true) }, { "flat", "boundary", "boundary" })
	lu.assertEquals({ floor_and_wall:getFaceEdges(2) }, { "concave", "boundary", "boundary" })
	lu.assertEquals({ floor_and_wall:getFaceEdges(3) }, { "concave", "boundary", "boundary" })
	lu.assertEquals({ floor_and_wall:getFaceEdges(3, true) }, { "concave", "boundary", "boundary" })
end

-- Each triangle twice, once for each side, as in some models: the coincident triangle does not count as a neighbour.
function TestSpaceMeshEdges.test_of_doubled_triangles()
	local vertices, indices = sheet(3, function(i) return i == 2 and 1 or 0 end)
	local single, doubled, count = d3.mesh(vertices, indices), {}, #indices
	for i = 1, count do doubled[i] = indices[i] end
	for i = 1, count, 3 do for _, j in ipairs { indices[i], indices[i + 2], indices[i + 1] } do doubled[#doubled + 1] = j end end
	for _, one in ipairs { true, false } do
		local both = d3.mesh(vertices, doubled, { oneSided = one })
		for face = 1, count / 3 do
			for k = 1, 3 do lu.assertEquals((select(k, both:getFaceEdges(face))), (select(k, single:getFaceEdges(face)))) end
		end
	end
end

-- A neighbour with the opposite winding: on a two-sided surface it makes no difference, a one-sided surface ends there.
function TestSpaceMeshEdges.test_of_twisted_triangles()
	local square = { 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0 }
	lu.assertEquals({ d3.mesh(square, { 1, 2, 3, 1, 4, 3 }):getFaceEdges(1) }, { "boundary", "boundary", "flat", nil, nil, 2 })
	lu.assertEquals({ d3.mesh(square, { 1, 2, 3, 1, 4, 3 }, { oneSided = true }):getFaceEdges(1) }, { "boundary", "boundary", "boundary" })
	lu.assertEquals({ d3.mesh(square, { 1, 2, 3, 1, 3, 4 }, { oneSided = true }):getFaceEdges(1) }, { "boundary", "boundary", "flat", nil, nil, 2 })
end

-- An excessive number of triangles at one edge: the edge is a boundary, and the time stays short.
function TestSpaceMeshEdges.test_of_a_book_of_many_leaves()
	local vertices, indices = { 0, 0, 0, 0, 0, 1 }, {}
	for i = 1, 20000 do
		for _, c in ipairs { math.cos(i), math.sin(i), 0 } do vertices[#vertices + 1] = c end
		for _, j in ipairs { 1, 2, i + 2 } do indices[#indices + 1] = j end
	end
	lu.assertEquals({ d3.mesh(vertices, indices):getFaceEdges(7) }, { "boundary", "boundary", "boundary" })
end

-- Welding -----------------------------------------------------------------------------------------------------------------------

TestSpaceMeshWeld = {}

function TestSpaceMeshWeld.test_equal_vertices_are_always_merged()
	local square = d3.mesh({ 0, 0, 0, 0, 0, 1, 1, 0, 1, -0.0, 0, 0, 1, 0, 1, 1, 0, 0 }, { 1, 2, 3, 4, 5, 6 })
	lu.assertEquals(square:getFaces(), { { 1, 2, 3 }, { 1, 3, 6 } })
	lu.assertEquals({ square:getFaceEdges(1) }, { "boundary", "boundary", "flat", nil, nil, 2 })
end

-- Separated vertices are merged again, and slivers between them removed, at any tolerance and position.
function TestSpaceMeshWeld.test_torn_sheets()
	local number, pick = support.random_numbers(5)
	for _, tolerance in ipairs { 1e-4, 1e-2, 0.2 } do
		local n = 6
		local vertices, indices = sheet(n, function(i, k) return (i * k) % 3 end)
		local torn, triangles = shuffled(vertices, indices, pick, true)
		for i = 1, #torn do torn[i] = torn[i] + tolerance * number(-0.28, 0.28) + 100 end
		-- A sliver from a vertex to itself.
		local last = #torn / 3
		for _, c in ipairs { torn[1] + 0.3 * tolerance, torn[2], torn[3], torn[1], torn[2] + 0.3 * tolerance, torn[3] } do torn[#torn + 1] = c end
		for _, j in ipairs { 1, last + 1, last + 2 } do triangles[#triangles + 1] = j end
		local mesh, used = d3.mesh(torn, triangles, { weld = tolerance }), {}
		local faces, count = mesh:getFaces(), 0
		lu.assertEquals(faces[#faces], {})
		lu.assertEquals({ mesh:getFaceEdges(#faces) }, {})
		lu.assertEquals({ mesh:getFaceMaterial(#faces) }, {})
		for i = 1, #faces - 1 do
			lu.assertEquals(#faces[i], 3)
			for _, j in ipairs(faces[i]) do
				if not used[j] then count = count + 1 end
				used[j] = true
			end
			for k = 1, 3 do if select(k, mesh:getFaceEdges(i)) == "boundary" then used.boundary = (used.boundary or 0) + 1 end end
		end
		lu.assertEquals({ count, used.boundary }, { (n + 1) ^ 2, 4 * n })
		local points = mesh:getPoints()
		for j in pairs(used) do
			for k in pairs(used) do
				if type(j) == "number" and type(k) == "number" and j < k then
					local d = solids.sub({ points[3 * j - 2], points[3 * j - 1], points[3 * j] }, { points[3 * k - 2], points[3 * k - 1], points[3 * k] })
					check(dot(d, d) > tolerance ^ 2, "two that are near each other are left")
				end
			end
		end
		lu.assertEquals(d3.transform(mesh, d3.pose(1, 2, 3)):getFaces(), faces)
	end
end

-- Scale -------------------------------------------------------------------------------------------------------------------------

TestSpaceMeshScale = {}

-- As if the vertices had been scaled. A mirrored mesh returns mirrored results, and its fronts stay outside.
function TestSpaceMeshScale.test_is_that_of_the_vertices()
	local number, pick = support.random_numbers(6)
	for round = 1, 30 do
		local scale = { number(0.25, 4), number(0.25, 4), number(0.25, 4) }
		for i = 1, 3 do scale[i] = scale[i] * (pick(2) == 1 and -1 or 1) end
		if round == 1 then scale = { 2, 2, 2 } end
		local vertices, indices = ball(4, 5)
		local larger = {}
		for i, c in ipairs(vertices) do larger[i] = c * scale[(i - 1) % 3 + 1] end
		local scaled = d3.mesh(vertices, indices, { scale = round == 1 and 2 or scale, oneSided = true })
		local plain = d3.mesh(vertices, indices, { oneSided = true })
		for i, c in ipairs(scaled:getPoints()) do near(c, larger[i], 1e-6 * math.abs(larger[i]), "point") end
		for _ = 1, 20 do
			local p, q = { number(-3, 3), number(-3, 3), number(-3, 3) }, { number(-1, 1), number(-1, 1), number(-1, 1) }
			local t, x, y, z, nx, ny, nz = d3.raycast(plain, nil, p[1], p[2], p[3], q[1], q[2], q[3])
			local u, sx, sy, sz, mx, my, mz = d3.raycast(scaled, nil, p[1] * scale[1], p[2] * scale[2], p[3] * scale[3], q[1] * scale[1], q[2] * scale[2], q[3] * scale[3])
			check((t == nil) == (u == nil), "hits")
			if t then
				near(u, t, 1e-5, "fraction")
				for i, pair in ipairs { { sx, x }, { sy, y }, { sz, z } } do near(pair[1], pair[2] * scale[i], 1e-4, "point") end
				-- Normals transform by the inverse of the scale.
				local n = { nx / scale[1], ny / scale[2], nz / scale[3] }
				near((mx * n[1] + my * n[2] + mz * n[3]) / math.sqrt(dot(n, n)), 1, 1e-5, "normal")
			end
		end
	end
end

-- Sides -------------------------------------------------------------------------------------------------------------------------

TestSpaceMeshSides = {}

local function random_surface(number, pick, one)
	if pick(2) == 1 then
		local vertices, indices = sheet(2 + pick(4), function() return number(-0.7, 0.7) end)
		return d3.mesh(vertices, indices, { oneSided = one })
	end
	local columns, rows, heights, holes = 2 + pick(4), 2 + pick(4), {}, {}
	for i = 1, columns * rows do heights[i] = number(-0.7, 0.7) end
	for cell = 2, (columns - 1) * (rows - 1) do if pick(4) == 1 then holes[#holes + 1] = cell end end
	return d3.heightField { columns = columns, rows = rows, cellWidth = 1, cellDepth = 1, heights = heights, holes = holes, oneSided = one }
end

local function triangles_of(shape)
	local list = {}
	for face, t in ipairs(corners_of(shape)) do
		if #t > 0 then
			list[#list + 1] = { face = face, shape = d3.triangle(t[1][1], t[1][2], t[1][3], t[2][1], t[2][2], t[2][3], t[3][1], t[3][2], t[3][3]), normal = normal_of(t) }
		end
	end
	return list
end

-- v + 2 w (u x v) + 2 u x (u x v), u the vector part of the quaternion and w the rest.
local function rotated(pose, v)
	local _, _, _, qx, qy, qz, qw = pose:getTransform()
	local u = { qx, qy, qz }
	local once = cross(u, v)
	local square = dot(u, u) + qw * qw
	return solids.add(solids.add(v, 2 * qw / square, once), 2 / square, cross(u, once))
end

local function point_of(pose, x, y, z)
	local v, px, py, pz = rotated(pose, { x, y, z }), pose:getPosition()
	return v[1] + px, v[2] + py, v[3] + pz
end

local function random_pose(number)
	return d3.pose(number(-2, 2), number(-2, 2), number(-2, 2), number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1))
end

function TestSpaceMeshSides.test_isOneSided()
	local vertices, indices = sheet(1, function() return 0 end)
	lu.assertTrue(d3.mesh(vertices, indices, { oneSided = true }):isOneSided())
	lu.assertFalse(d3.mesh(vertices, indices):isOneSided())
	lu.assertFalse(d3.box(1, 1, 1):isOneSided())
	lu.assertTrue(d3.transform(d3.mesh(vertices, indices, { oneSided = true }), d3.pose(1, 2, 3)):isOneSided())
end

-- The first triangle hit from its front; on a two-sided surface from either side.
function TestSpaceMeshSides.test_rays()
	local number, pick = support.random_numbers(8)
	local hits, passed = 0, 0
	for round = 1, 40 do
		local one = round % 2 == 0
		local surface, pose = random_surface(number, pick, one), random_pose(number)
		local triangles = triangles_of(surface)
		for _ = 1, 20 do
			local from, to = { point_of(pose, number(-1, 5), number(-2, 2), number(-1, 5)) }, { point_of(pose, number(-1, 5), number(-2, 2), number(-1, 5)) }
			local best, any, face = nil, false, nil
			for _, t in ipairs(triangles) do
				local u = d3.raycast(t.shape, pose, from[1], from[2], from[3], to[1], to[2], to[3])
				if u then any = true end
				if u and (not one or dot(rotated(pose, t.normal), sub(to, from)) < 0) and (not best or u < best) then best, face = u, t.face end
			end
			local t, _, _, _, _, _, _, number_hit = d3.raycast(surface, pose, from[1], from[2], from[3], to[1], to[2], to[3])
			check((t == nil) == (best == nil), "round " .. round)
			if t then
				near(t, best, 1e-12, "round " .. round)
				lu.assertEquals(number_hit, face)
			end
			hits, passed = hits + (t and 1 or 0), passed + (any and not t and 1 or 0)
		end
	end
	check(hits > 150 and passed > 20, hits .. " hits, " .. passed .. " from behind")
end

-- Fronts stop shapes that move against them, whichever of the two moves: in casts, bisection and times of impact.
function TestSpaceMeshSides.test_casts_and_times_of_impact()
	local number, pick = support.random_numbers(9)
	local hits, passed = 0, 0
	for round = 1, 160 do
		local one = round % 4 ~= 0
		local surface, pose = random_surface(number, pick, one), random_pose(number)
		local kind = solids.kinds[pick(#solids.kinds)]
		local other, what = solids.new_solid(kind, number(0.1, 0.4), number, pick), ("round %d: %s"):format(round, kind)
		local x, y, z = point_of(pose, number(0, 3), number(-2, 2), number(0, 3))
		local start = solids.new_pose(x, y, z, number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1))
		local tx, ty, tz = point_of(pose, number(0, 3), number(-2, 2), number(0, 3))
		local way, best, earliest, any = { tx - x, ty - y, tz - z }, nil, nil, false
		for _, t in ipairs(triangles_of(surface)) do
			local counts = not one or dot(rotated(pose, t.normal), way) < 0
			local hit, u = d3.cast(other, start, way[1], way[2], way[3], t.shape, pose)
			any = any or hit
			if counts and hit and (not best or u < best) then best = u end
			local state, v = d3.timeOfImpact(other, start, solids.moved(start, way[1], way[2], way[3]), t.shape, pose, pose)
			if counts and state ~= "separated" and (not earliest or v < earliest) then earliest = v end
		end
		local function same(hit, t, expected, tolerance, which)
			check(hit == (expected ~= nil), what .. ": " .. which)
			if hit then near(t, expected, tolerance, what .. ": " .. which) end
		end
		local hit, t = d3.cast(other, start, way[1], way[2], way[3], surface, pose)
		same(hit, t, best, 1e-9, "cast")
		hit, t = d3.cast(surface, pose, -way[1], -way[2], -way[3], other, start)
		same(hit, t, best, 1e-9, "cast of the surface")
		local state, v = d3.timeOfImpact(other, start, solids.moved(start, way[1], way[2], way[3]), surface, pose, pose)
		same(state ~= "separated", v, earliest, 1e-6, "time of impact")
		hit, t = d3.bisection(other, start, way[1], way[2], way[3], surface, pose)
		if best and best > 1e-3 and best < 0.999 then same(hit, t, best, 1e-4, "bisection") end
		hits, passed = hits + (best and 1 or 0), passed + (any and not best and 1 or 0)
	end
	check(hits > 40 and passed > 15, hits .. " hits, " .. passed .. " from behind")
end

-- A rotation small enough for all points to move away from the fronts is not stopped; one that brings points back is.
function TestSpaceMeshSides.test_rotating_shapes()
	local vertices, indices = sheet(4, function() return 0 end)
	local floor, rod = d3.mesh(vertices, indices, { oneSided = true }), d3.box(2, 0.1, 0.1)
	lu.assertEquals((d3.timeOfImpact(rod, d3.pose(2, -2, 2), d3.pose(2, 2, 2, 0, 0, 0.5, 1), floor, nil, nil)), "separated")
	lu.assertEquals((d3.timeOfImpact(rod, d3.pose(2, 2, 2), d3.pose(2, -2, 2, 0, 0, 0.5, 1), floor, nil, nil)), "hit")
	-- The middle rises, the end descends.
	lu.assertEquals((d3.timeOfImpact(rod, d3.pose(2, 0.5, 2), d3.pose(2, 0.6, 2, 0, 0, 1, 1), floor, nil, nil)), "hit")
end

-- Distances and overlaps are those of the triangles, from either side; overlapping shapes have manifolds.
function TestSpaceMeshSides.test_static_queries_see_both_sides()
	local number, pick = support.random_numbers(10)
	for _ = 1, 40 do
		local seed = pick(10000)
		local surfaces = {}
		for i, one in ipairs { true, false } do
			local own, own_pick = support.random_numbers(seed)
			surfaces[i] = random_surface(own, own_pick, one)
		end
		local other = solids.new_solid(solids.kinds[pick(#solids.kinds)], 0.5, number, pick)
		local pose = d3.pose(number(0, 3), number(-1, 1), number(0, 3))
		lu.assertEquals({ d3.distance(surfaces[1], nil, other, pose) }, { d3.distance(surfaces[2], nil, other, pose) })
		lu.assertEquals(d3.overlaps(surfaces[1], nil, other, pose), d3.overlaps(surfaces[2], nil, other, pose))
		lu.assertEquals(d3.manifold(surfaces[1], nil, other, pose) ~= nil, d3.manifold(surfaces[2], nil, other, pose) ~= nil)
	end
end

-- Holes -------------------------------------------------------------------------------------------------------------------------

TestSpaceHoles = {}

-- A height field with holes, and the mesh of its remaining triangles.
local function holed_pair(number, columns, rows, share)
	local heights, holes, vertices, indices, hole = {}, {}, {}, {}, {}
	local width, depth, x, z = number(0.5, 2), number(0.5, 2), number(-3, 0), number(-3, 0)
	local cells = (columns - 1) * (rows - 1)
	local kept = math.min(cells, 1 + math.floor(number(0, cells)))
	for cell = 1, cells do
		if cell ~= kept and number(0, 1) < share then holes[#holes + 1], hole[cell] = cell, true end
	end
	for k = 0, rows - 1 do for i = 0, columns - 1 do
		heights[#heights + 1] = number(-1, 1)
		for _, c in ipairs { x + i * width, heights[#heights], z + k * depth } do vertices[#vertices + 1] = c end
	end end
	for k = 0, rows - 2 do for i = 0, columns - 2 do
		local a = k * columns + i + 1
		if not hole[k * (columns - 1) + i + 1] then
			for _, j in ipairs { a, a + columns + 1, a + 1, a, a + columns, a + columns + 1 } do indices[#indices + 1] = j end
		end
	end end
	local field = d3.heightField { columns = columns, rows = rows, cellWidth = width, cellDepth = depth, x = x, z = z, heights = heights, holes = holes }
	return field, d3.mesh(vertices, indices), hole
end

local function box_of(mesh)
	local box = { 1 / 0, 1 / 0, 1 / 0, -1 / 0, -1 / 0, -1 / 0 }
	for _, t in ipairs(corners_of(mesh)) do for _, p in ipairs(t) do
		for i = 1, 3 do box[i], box[3 + i] = math.min(box[i], p[i]), math.max(box[3 + i], p[i]) end
	end end
	return box
end

function TestSpaceHoles.test_all_queries_agree_with_the_mesh_of_the_remaining_triangles()
	local number, pick = support.random_numbers(12)
	for round, size in ipairs { { 2, 2 }, { 3, 2 }, { 2, 9 }, { 5, 5 }, { 17, 17 }, { 20, 7 }, { 6, 40 }, { 33, 20 } } do
		for share = 0, 1, 0.25 do
			local field, mesh = holed_pair(number, size[1], size[2], share)
			local pose, what = random_pose(number), ("size %d, share %g"):format(round, share)
			for i, c in ipairs(box_of(mesh)) do near((select(i, field:getBox())), c, 1e-6, what .. ": box") end
			for _ = 1, 12 do
				local x1, y1, z1 = point_of(pose, number(-4, 8), number(-2, 2), number(-4, 8))
				local x2, y2, z2 = point_of(pose, number(-4, 8), number(-2, 2), number(-4, 8))
				local t, u = d3.raycast(field, pose, x1, y1, z1, x2, y2, z2), d3.raycast(mesh, pose, x1, y1, z1, x2, y2, z2)
				check((t == nil) == (u == nil), what .. ": ray")
				if t then near(t, u, 1e-6, what .. ": ray") end
				local other = solids.new_solid(solids.kinds[pick(#solids.kinds)], 0.5, number, pick)
				local at = solids.new_pose(x1, y1, z1, number(-1, 1), number(-1, 1), number(-1, 1), 1)
				local d, e = d3.distance(field, pose, other, at), d3.distance(mesh, pose, other, at)
				near(d, e, 1e-6, what .. ": distance")
				if math.abs(d) > 1e-5 then check(d3.overlaps(field, pose, other, at) == d3.overlaps(mesh, pose, other, at), what .. ": overlaps") end
				local hit, s = d3.cast(other, at, x2 - x1, y2 - y1, z2 - z1, field, pose)
				local hit_too, s_too = d3.cast(other, at, x2 - x1, y2 - y1, z2 - z1, mesh, pose)
				check(hit == hit_too or math.abs(s - s_too) < 1e-3, what .. ": cast")
				if hit and hit_too then near(s, s_too, 1e-4, what .. ": cast") end
			end
		end
	end
end

-- A ball passes through a hole, but not through its rim; face numbers stay, also for a transformed field.
function TestSpaceHoles.test_balls_pass_through_holes()
	local heights = {}
	for i = 1, 16 do heights[i] = 0 end
	local field = d3.heightField { columns = 4, rows = 4, cellWidth = 1, cellDepth = 1, heights = heights, holes = { 5 } }
	lu.assertFalse((d3.cast(d3.sphere(0.4), d3.pose(1.5, 2, 1.5), 0, -4, 0, field, nil)))
	lu.assertTrue((d3.cast(d3.sphere(0.4), d3.pose(1.2, 2, 1.5), 0, -4, 0, field, nil)))
	lu.assertNil(d3.raycast(field, nil, 1.5, 2, 1.5, 1.5, -2, 1.5))
	lu.assertEquals(d3.distance(field, nil, d3.sphere(0.25), d3.pose(1.5, 0, 1.5)), 0.25)
	lu.assertFalse(d3.overlaps(field, nil, d3.box(0.9, 5, 0.9), d3.pose(1.5, 0, 1.5)))
	for _, shape in ipairs { field, d3.transform(field, d3.pose(1, 2, 3)) } do
		local faces = shape:getFaces()
		lu.assertEquals(#faces, 18)
		lu.assertEquals({ #faces[8], #faces[9], #faces[10], #faces[11] }, { 3, 0, 0, 3 })
		lu.assertEquals((select(2, shape:getFaceEdges(7))), "boundary")
		local normals = shape:getNormals()
		lu.assertEquals({ normals[25], normals[26], normals[27] }, { 0, 0, 0 })
	end
end

-- All cells but one are holes.
function TestSpaceHoles.test_one_cell_of_many()
	local n, heights, holes = 301, {}, {}
	for i = 1, n * n do heights[i] = 0 end
	local kept = 150 * (n - 1) + 77
	for cell = 1, (n - 1) ^ 2 do if cell ~= kept then holes[#holes + 1] = cell end end
	local field = d3.heightField { columns = n, rows = n, cellWidth = 1, cellDepth = 1, heights = heights, holes = holes }
	lu.assertEquals({ field:getBox() }, { 76, 0, 150, 77, 0, 151 })
	lu.assertEquals((d3.distance(field, nil, d3.sphere(1), d3.pose(76.5, 3, 150.5))), 2)
	lu.assertEquals((d3.raycast(field, nil, 76.4, 1, 150.5, 76.4, -1, 150.5)), 0.5)
	lu.assertNil(d3.raycast(field, nil, 75.4, 1, 150.5, 75.4, -1, 150.5))
end

-- Materials ---------------------------------------------------------------------------------------------------------------------

TestSpaceMaterials = {}

local ice, belt = { friction = 0.125 }, { restitution = 0.5, rollingResistance = 0.25, tangentVelocity = { 1, 2, 3 } }

function TestSpaceMaterials.test_of_triangles_in_any_order()
	local _, pick = support.random_numbers(14)
	local vertices, indices = sheet(9, function(i, k) return (i + k) % 2 end)
	vertices, indices = shuffled(vertices, indices, pick, true)
	local of = {}
	for i = 1, #indices / 3 do of[i] = pick(3) - 1 end
	local mesh = d3.mesh(vertices, indices, { materials = { ice, belt }, triangleMaterials = of })
	-- A quarter turn about y maps x to -z.
	local moved = d3.transform(mesh, d3.pose(5, 6, 7, 0, math.sqrt(0.5), 0, math.sqrt(0.5)))
	for _, shape in ipairs { mesh, moved, d3.transform(moved, d3.pose(5, 6, 7)) } do
		for i = 1, #of do
			local found = { shape:getFaceMaterial(i) }
			if of[i] == 0 then
				lu.assertEquals(found, { 0 })
			elseif of[i] == 1 then
				lu.assertEquals({ found[1], found[2], found[3], found[4], found[5] }, { 1, 0.125 })
			else
				lu.assertEquals({ found[1], found[2], found[3], found[4] }, { 2, nil, 0.5, 0.25 })
				for k, c in ipairs(shape == mesh and { 1, 2, 3 } or { 3, 2, -1 }) do lu.assertAlmostEquals(found[4 + k], c, 1e-6) end
			end
		end
	end
end

function TestSpaceMaterials.test_of_cells_and_holes()
	local heights = {}
	for i = 1, 12 do heights[i] = i % 3 end
	local field = d3.heightField { columns = 4, rows = 3, cellWidth = 1, cellDepth = 1, heights = heights, materials = { ice, belt },
		cellMaterials = { 0, 1, 2, 2, 1, 0 }, holes = { 4 } }
	for _, shape in ipairs { field, d3.transform(field, d3.pose(1, 2, 3)) } do
		for cell, expected in ipairs { 0, 1, 2, false, 1, 0 } do
			lu.assertEquals({ (shape:getFaceMaterial(2 * cell - 1)) }, { expected or nil })
			lu.assertEquals({ (shape:getFaceMaterial(2 * cell)) }, { expected or nil })
		end
	end
end

function TestSpaceMaterials.test_the_greatest_number_of_materials()
	local list, of = {}, {}
	for i = 1, 254 do list[i] = { friction = i } end
	local vertices, indices = sheet(16, function() return 0 end)
	for i = 1, #indices / 3 do of[i] = i % 255 end
	local mesh = d3.mesh(vertices, indices, { materials = list, triangleMaterials = of })
	for i = 1, #of do lu.assertEquals({ (select(2, mesh:getFaceMaterial(i))) }, { of[i] > 0 and of[i] or nil }) end
	list[255] = {}
	lu.assertErrorMsgContains("mesh: there must be at most 254 materials, got 255", d3.mesh, vertices, indices, { materials = list, triangleMaterials = of })
end
