-- Convex decomposition of meshes, and mesh simplification. The tests find the inside by solid angles, distances by brute force over all triangles, and points
-- in a piece by the planes of a hull made here: none of it is the engine's method.

local lu, support = require "luaunit", require "support"
local d3 = require "collide".d3
local unpack, atan2, floor = unpack or table.unpack, math.atan2 or math.atan, math.floor

TestMeshes = {}

-- --- Meshes ---------------------------------------------------------------------------------------------------------------

-- The union of the unit cells of a box of nx by ny by nz for which `solid` is true.
local function voxels(nx, ny, nz, solid)
	local vertices, indices, numbers = {}, {}, {}
	local function vertex(x, y, z)
		local key = (x * 100 + y) * 100 + z
		if not numbers[key] then
			for _, c in ipairs { x, y, z } do vertices[#vertices + 1] = c end
			numbers[key] = #vertices / 3
		end
		return numbers[key]
	end
	local function full(x, y, z)
		return x >= 0 and y >= 0 and z >= 0 and x < nx and y < ny and z < nz and solid(x, y, z)
	end
	local function side(a, b, c, d)
		for _, i in ipairs { a, b, c, a, c, d } do indices[#indices + 1] = i end
	end
	for x = 0, nx - 1 do for y = 0, ny - 1 do for z = 0, nz - 1 do
		if full(x, y, z) then
			local v = {}
			for i = 0, 7 do v[i] = function() return vertex(x + i % 2, y + floor(i / 2) % 2, z + floor(i / 4)) end end
			local function face(a, b, c, d) side(v[a](), v[b](), v[c](), v[d]()) end
			if not full(x - 1, y, z) then face(0, 4, 6, 2) end
			if not full(x + 1, y, z) then face(1, 3, 7, 5) end
			if not full(x, y - 1, z) then face(0, 1, 5, 4) end
			if not full(x, y + 1, z) then face(2, 6, 7, 3) end
			if not full(x, y, z - 1) then face(0, 2, 3, 1) end
			if not full(x, y, z + 1) then face(4, 5, 7, 6) end
		end
	end end end
	return vertices, indices
end

local function torus(R, r, n, m)
	local vertices, indices = {}, {}
	for i = 0, n - 1 do for k = 0, m - 1 do
		local a, b = 2 * math.pi * i / n, 2 * math.pi * k / m
		local q = R + r * math.cos(b)
		for _, c in ipairs { q * math.cos(a), q * math.sin(a), r * math.sin(b) } do vertices[#vertices + 1] = c end
	end end
	local function number(i, k) return i % n * m + k % m + 1 end
	for i = 0, n - 1 do for k = 0, m - 1 do
		local a, b, c, d = number(i, k), number(i + 1, k), number(i + 1, k + 1), number(i, k + 1)
		for _, j in ipairs { a, b, c, a, c, d } do indices[#indices + 1] = j end
	end end
	return vertices, indices
end

-- Around the z axis; `radius`: a function of both angles, default 1.
local function ball(n, m, radius)
	local vertices, indices = {}, {}
	local function place(a, b)
		local r = radius and radius(a, b) or 1
		for _, c in ipairs { r * math.sin(a) * math.cos(b), r * math.sin(a) * math.sin(b), r * math.cos(a) } do
			vertices[#vertices + 1] = c
		end
	end
	local function triangle(a, b, c) for _, j in ipairs { a, b, c } do indices[#indices + 1] = j end end
	place(0, 0)
	for i = 1, n - 1 do for k = 0, m - 1 do place(math.pi * i / n, 2 * math.pi * k / m) end end
	place(math.pi, 0)
	local last = #vertices / 3
	local function number(i, k) return 2 + (i - 1) * m + k % m end
	for k = 0, m - 1 do
		triangle(1, number(1, k), number(1, k + 1))
		triangle(last, number(n - 1, k + 1), number(n - 1, k))
		for i = 1, n - 2 do
			triangle(number(i, k), number(i + 1, k), number(i + 1, k + 1))
			triangle(number(i, k), number(i + 1, k + 1), number(i, k + 1))
		end
	end
	return vertices, indices
end

local function bumpy(n, m)
	return ball(n, m, function(a, b) return 1 + 0.3 * math.sin(a) ^ 3 * math.cos(3 * b) + 0.2 * math.cos(4 * a) * math.sin(a) ^ 2 end)
end

local function grid(n, height)
	local vertices, indices = {}, {}
	for x = 0, n do for z = 0, n do
		for _, c in ipairs { x, height and height(x, z) or 0, z } do vertices[#vertices + 1] = c end
	end end
	local function number(x, z) return x * (n + 1) + z + 1 end
	for x = 0, n - 1 do for z = 0, n - 1 do
		local a, b, c, d = number(x, z), number(x, z + 1), number(x + 1, z + 1), number(x + 1, z)
		for _, j in ipairs { a, b, d, d, b, c } do indices[#indices + 1] = j end
	end end
	return vertices, indices
end

-- The mesh transformed by f, point by point.
local function moved(vertices, f)
	local out = {}
	for i = 1, #vertices, 3 do out[i], out[i + 1], out[i + 2] = f(vertices[i], vertices[i + 1], vertices[i + 2]) end
	return out
end

-- A separate vertex for each corner of each triangle.
local function apart(vertices, indices)
	local v, t = {}, {}
	for i, j in ipairs(indices) do
		for k = -2, 0 do v[#v + 1] = vertices[3 * j + k] end
		t[i] = i
	end
	return v, t
end

-- --- Geometry -------------------------------------------------------------------------------------------------------------

local function triangles_of(vertices, indices)
	local list = {}
	for i = 1, #indices, 3 do
		local t = {}
		for k = 0, 2 do for c = -2, 0 do t[#t + 1] = vertices[3 * indices[i + k] + c] end end
		list[#list + 1] = t
	end
	return list
end

local function cross(ax, ay, az, bx, by, bz) return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx end

local function volume_and_area(triangles)
	local volume, area = 0, 0
	for _, t in ipairs(triangles) do
		local nx, ny, nz = cross(t[4] - t[1], t[5] - t[2], t[6] - t[3], t[7] - t[1], t[8] - t[2], t[9] - t[3])
		volume = volume + (nx * t[1] + ny * t[2] + nz * t[3]) / 6
		area = area + math.sqrt(nx * nx + ny * ny + nz * nz) / 2
	end
	return volume, area
end

-- The solid angle of all triangles is 4 pi inside, 0 outside. Source: Van Oosterom and Strackee, 1983.
local function inside(triangles, x, y, z)
	local sum = 0
	for _, t in ipairs(triangles) do
		local ax, ay, az, bx, by, bz = t[1] - x, t[2] - y, t[3] - z, t[4] - x, t[5] - y, t[6] - z
		local cx, cy, cz = t[7] - x, t[8] - y, t[9] - z
		local a, b = math.sqrt(ax * ax + ay * ay + az * az), math.sqrt(bx * bx + by * by + bz * bz)
		local c = math.sqrt(cx * cx + cy * cy + cz * cz)
		local nx, ny, nz = cross(bx, by, bz, cx, cy, cz)
		sum = sum + atan2(ax * nx + ay * ny + az * nz, a * b * c + (ax * bx + ay * by + az * bz) * c +
			(bx * cx + by * cy + bz * cz) * a + (cx * ax + cy * ay + cz * az) * b)
	end
	return sum > math.pi
end

local closest = d3.closestPointOnTriangle

local function distance(triangles, x, y, z)
	local best = math.huge
	for _, t in ipairs(triangles) do
		local qx, qy, qz = closest(x, y, z, t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9])
		best = math.min(best, (qx - x) ^ 2 + (qy - y) ^ 2 + (qz - z) ^ 2)
	end
	return math.sqrt(best)
end

-- The distance outside the solid; 0 inside.
local function outside_by(triangles, x, y, z)
	local d = distance(triangles, x, y, z)
	return d > 1e-7 and not inside(triangles, x, y, z) and d or 0
end

-- The hull of a piece's points, added one by one: triangles with their planes.
local function hull_of(points)
	local n = #points / 3
	local function at(i) return points[3 * i - 2], points[3 * i - 1], points[3 * i] end
	local function face(a, b, c)
		local ax, ay, az = at(a)
		local bx, by, bz = at(b)
		local cx, cy, cz = at(c)
		local nx, ny, nz = cross(bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az)
		local l = math.sqrt(nx * nx + ny * ny + nz * nz)
		if l < 1e-14 then nx, ny, nz, l = 0, 0, 0, 1 end
		nx, ny, nz = nx / l, ny / l, nz / l
		return { a, b, c, nx = nx, ny = ny, nz = nz, offset = nx * ax + ny * ay + nz * az }
	end
	local function above(f, i)
		local x, y, z = at(i)
		return f.nx * x + f.ny * y + f.nz * z - f.offset
	end
	-- Four points far from each other, and their tetrahedron.
	local function farthest(measure)
		local best, most = 1, -1
		for i = 1, n do
			local d = measure(i)
			if d > most then best, most = i, d end
		end
		return best
	end
	local function squared(i, j)
		local x, y, z = at(i)
		local u, v, w = at(j)
		return (x - u) ^ 2 + (y - v) ^ 2 + (z - w) ^ 2
	end
	local a = 1
	local b = farthest(function(i) return squared(i, a) end)
	local c = farthest(function(i) return math.min(squared(i, a), squared(i, b)) end)
	local first = face(a, b, c)
	local d = farthest(function(i) return math.abs(above(first, i)) end)
	if above(first, d) > 0 then b, c = c, b end
	local faces = { face(a, b, c), face(a, d, b), face(b, d, c), face(c, d, a) }
	for i = 1, n do
		local kept, edges = {}, {}
		for _, f in ipairs(faces) do
			if above(f, i) > 1e-12 then
				for k = 1, 3 do
					local p, q = f[k], f[k % 3 + 1]
					if edges[q * 1000 + p] then edges[q * 1000 + p] = nil else edges[p * 1000 + q] = true end
				end
			else
				kept[#kept + 1] = f
			end
		end
		local ordered = {}
		for key in pairs(edges) do ordered[#ordered + 1] = key end
		table.sort(ordered)
		for _, key in ipairs(ordered) do kept[#kept + 1] = face(floor(key / 1000), key % 1000, i) end
		faces = kept
	end
	faces.points = points
	return faces
end

local function contains(hull, x, y, z, tolerance)
	for _, f in ipairs(hull) do
		if f.nx * x + f.ny * y + f.nz * z > f.offset + tolerance then return false end
	end
	return true
end

local function in_some(hulls, x, y, z, tolerance)
	for _, hull in ipairs(hulls) do
		if contains(hull, x, y, z, tolerance) then return true end
	end
	return false
end

local function bounds(vertices)
	local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
	for i, c in ipairs(vertices) do
		local k = (i - 1) % 3 + 1
		low[k], high[k] = math.min(low[k], c), math.max(high[k], c)
	end
	return low, high, math.max(high[1] - low[1], high[2] - low[2], high[3] - low[3])
end

local function point_of(t, number)
	local u, v = number(0, 1), number(0, 1)
	if u + v > 1 then u, v = 1 - u, 1 - v end
	local w = 1 - u - v
	return w * t[1] + u * t[4] + v * t[7], w * t[2] + u * t[5] + v * t[8], w * t[3] + u * t[6] + v * t[9]
end

-- --- Pieces ---------------------------------------------------------------------------------------------------------------

-- Checks all guarantees. `cells` per side of a grid, `samples` of each piece's surface.
local function check_pieces(vertices, indices, error, options, cells, samples)
	local pieces, reached = d3.decompose(vertices, indices, error, options)
	local triangles, number = triangles_of(vertices, indices), support.random_numbers(1)
	local low, high, size = bounds(vertices)
	local volume, area = volume_and_area(triangles)
	local hulls, close = {}, 1e-7 * size
	for i, points in ipairs(pieces) do
		lu.assertTrue(#points % 3 == 0 and #points >= 12 and #points <= 768)
		hulls[i] = hull_of(points)
	end
	for i = 1, #vertices, 3 do lu.assertTrue(in_some(hulls, vertices[i], vertices[i + 1], vertices[i + 2], close)) end
	for _, hull in ipairs(hulls) do
		for i = 1, #hull.points, 3 do
			lu.assertTrue(outside_by(triangles, hull.points[i], hull.points[i + 1], hull.points[i + 2]) <= reached + close)
		end
		for _ = 1, samples do
			local f = hull[1 + floor(number(0, #hull - 1e-9))]
			local t = {}
			for k = 1, 3 do for c = -2, 0 do t[#t + 1] = hull.points[3 * f[k] + c] end end
			lu.assertTrue(outside_by(triangles, point_of(t, number)) <= reached + close)
		end
	end
	-- On a grid, slightly offset so that no point is on a face.
	local both, more, step = 0, 0, {}
	for k = 1, 3 do step[k] = (high[k] - low[k] + 2 * error) / cells end
	for i = 0, cells - 1 do for j = 0, cells - 1 do for k = 0, cells - 1 do
		local x, y, z = low[1] - error + (i + 0.513) * step[1], low[2] - error + (j + 0.507) * step[2], low[3] - error + (k + 0.491) * step[3]
		local covered = in_some(hulls, x, y, z, close)
		if inside(triangles, x, y, z) then
			both = both + 1
			lu.assertTrue(covered, "a point of the solid in no piece")
		elseif covered then
			more = more + 1
			lu.assertTrue(distance(triangles, x, y, z) <= 2 * reached + close)
		end
	end end end
	-- The volume within d of a surface is d area, plus its curvature: half as much again here. A grid counts volumes to within a layer of cells.
	local cell = step[1] * step[2] * step[3]
	lu.assertTrue(more * cell <= 1.5 * reached * area + 1e-9, ("%g beyond, allowed %g"):format(more * cell, 1.5 * reached * area))
	lu.assertAlmostEquals(both * cell, volume, area * math.max(step[1], step[2], step[3]))
	return pieces, reached
end

local solids = {
	{ "box", 1, 1, 1, 1, function() return true end },
	{ "box_of_many_triangles", 1, 4, 3, 5, function() return true end },
	{ "L", 2, 2, 2, 1, function(x, y) return x == 0 or y == 0 end },
	{ "U", 3, 3, 2, 1, function(x, y) return x ~= 1 or y == 0 end },
	{ "cross", 2, 3, 3, 1, function(x, y) return x == 1 or y == 1 end }, -- two crossing bars
	{ "hole", 4, 3, 3, 1, function(x, y) return x ~= 1 or y ~= 1 end },
	{ "stairs", 5, 5, 5, 2, function(x, y) return y <= x end },
	{ "missing_octant", 3, 2, 2, 2, function(x, y, z) return x + y + z < 3 end },
	{ "cubes_that_overlap", 2, 3, 3, 2, function(x, y) return (x < 2 and y < 2) or (x > 0 and y > 0) end },
	{ "cavity", 6, 3, 3, 3, function(x, y, z) return x ~= 1 or y ~= 1 or z ~= 1 end },
	{ "comb", 5, 7, 2, 1, function(x, y) return y == 0 or x % 2 == 0 end },
}

for _, solid in ipairs(solids) do
	TestMeshes["test_pieces_of_" .. solid[1]] = function()
		local vertices, indices = voxels(unpack(solid, 3))
		local pieces, reached = check_pieces(vertices, indices, 0.01, nil, 9, 6)
		lu.assertEquals(#pieces, solid[2])
		lu.assertTrue(reached <= 1e-8)
		for _, points in ipairs(pieces) do
			for _, c in ipairs(points) do lu.assertAlmostEquals(c, floor(c + 0.5), 1e-9) end
		end
	end
end

function TestMeshes.test_an_L_is_two_boxes()
	local vertices, indices = voxels(2, 2, 1, function(x, y) return x == 0 or y == 0 end)
	local pieces, total = d3.decompose(vertices, indices, 0.01), 0
	for _, points in ipairs(pieces) do
		local low, high = bounds(points)
		total = total + (high[1] - low[1]) * (high[2] - low[2]) * (high[3] - low[3])
		lu.assertEquals(#points, 24)
	end
	lu.assertAlmostEquals(total, 3, 1e-12)
end

function TestMeshes.test_at_any_position_and_scale()
	local vertices, indices = voxels(3, 2, 1, function(x, y) return x ~= 1 or y == 0 end)
	for _, scale in ipairs { 1e-3, 1, 1e3 } do
		for _, far in ipairs { 0, 100 } do
			local there = moved(vertices, function(x, y, z) -- rotated, too
				return scale * (0.6 * x - 0.8 * y + far), scale * (0.8 * x + 0.6 * y - far), scale * (z + far)
			end)
			local pieces, reached = d3.decompose(there, indices, 0.01 * scale)
			lu.assertEquals(#pieces, 3)
			lu.assertTrue(reached <= 1e-6 * scale)
		end
	end
end

function TestMeshes.test_pieces_of_a_torus()
	local vertices, indices = torus(3, 1, 18, 9)
	local pieces, reached = check_pieces(vertices, indices, 0.2, nil, 9, 6)
	lu.assertTrue(#pieces >= 5 and #pieces <= 20)
	lu.assertTrue(reached <= 0.2)
end

function TestMeshes.test_pieces_of_a_bumpy_solid()
	local vertices, indices = bumpy(11, 14)
	for _, error in ipairs { 0.2, 0.1 } do
		local _, reached = check_pieces(vertices, indices, error, nil, 8, 4)
		lu.assertTrue(reached <= error)
	end
end

function TestMeshes.test_pieces_of_random_solids()
	local number = support.random_numbers(7)
	local made = 0
	while made < 8 do
		local full = {}
		local vertices, indices = voxels(4, 3, 3, function(x, y, z)
			local key = (x * 10 + y) * 10 + z
			if full[key] == nil then full[key] = number(0, 1) < 0.8 end
			return full[key]
		end)
		local ok, message = pcall(d3.decompose, vertices, indices, 0.01)
		if ok then
			made = made + 1
			local _, reached = check_pieces(vertices, indices, 0.01, nil, 4, 1)
			lu.assertTrue(reached <= 1e-8)
		else -- cells that share only an edge
			lu.assertStrContains(message, "belongs to more")
		end
	end
end

-- The point (1.5, 1.5) of an L's hull is half a cell from the L, and no other is farther; the same holds for the middle of a U's opening.
function TestMeshes.test_one_piece_sticks_out()
	for _, solid in ipairs { solids[3], solids[4] } do
		local vertices, indices = voxels(unpack(solid, 3))
		local pieces, reached = check_pieces(vertices, indices, 0.01, { pieces = 1 }, 6, 20)
		lu.assertEquals(#pieces, 1)
		lu.assertTrue(reached >= 0.5 and reached <= 0.65)
		lu.assertEquals(#d3.decompose(vertices, indices, 0.7), 1)
		lu.assertTrue(#d3.decompose(vertices, indices, 0.45) > 1)
	end
end

-- A hollow ball behind an opening two cells wide: the opening's middle is near the rim, but the hollow's middle is not near anything.
function TestMeshes.test_a_hollow_is_not_sealed()
	local vertices, indices = voxels(8, 8, 8, function(x, y, z)
		if z == 7 then return not ((x == 3 or x == 4) and (y == 3 or y == 4)) end
		return x == 0 or x == 7 or y == 0 or y == 7 or z == 0
	end)
	local pieces = d3.decompose(vertices, indices, 1.5)
	lu.assertTrue(#pieces > 1)
	for _, points in ipairs(pieces) do lu.assertFalse(contains(hull_of(points), 4, 4, 4, 0)) end
end

function TestMeshes.test_a_convex_mesh_is_one_piece()
	local vertices, indices = ball(12, 14)
	local pieces, reached = check_pieces(vertices, indices, 0.001, nil, 8, 30)
	lu.assertEquals({ #pieces, #pieces[1] }, { 1, #vertices })
	lu.assertTrue(reached <= 1e-8)
end

-- More corners than a hull may have: a polytope around it, or several pieces if that sticks out too far.
function TestMeshes.test_a_ball_of_many_corners()
	local vertices, indices = ball(20, 24)
	lu.assertEquals(#check_pieces(vertices, indices, 0.06, nil, 6, 30), 1)
	local pieces, reached = d3.decompose(vertices, indices, 0.005)
	lu.assertTrue(#pieces > 1 and reached <= 0.005)
	for _, points in ipairs(pieces) do lu.assertTrue(#points <= 768) end
end

function TestMeshes.test_vertices_of_meshes_made_to_be_drawn()
	local vertices, indices = voxels(2, 2, 1, function(x, y) return x == 0 or y == 0 end)
	local v, t = apart(vertices, indices)
	lu.assertEquals(#d3.decompose(v, t, 0.01), 2)
	local _, simpler = d3.simplify(v, t, 0)
	lu.assertEquals(#simpler / 3, 20)
end

function TestMeshes.test_is_deterministic()
	local vertices, indices = bumpy(9, 10)
	lu.assertEquals({ d3.decompose(vertices, indices, 0.1) }, { d3.decompose(vertices, indices, 0.1) })
	lu.assertEquals({ d3.simplify(vertices, indices, 0.1) }, { d3.simplify(vertices, indices, 0.1) })
end

function TestMeshes.test_decompose_refuses_bad_input()
	local function refused(message, ...) lu.assertErrorMsgContains("decompose: " .. message, d3.decompose, ...) end
	local v, t = voxels(1, 1, 1, function() return true end)
	local function changed(f)
		local copy = { unpack(t) }
		f(copy)
		return copy
	end
	refused("error must be > 0, got 0", v, t, 0)
	refused("error must be", v, t, 0 / 0)
	refused("vertices must be a list", nil, t, 1)
	refused("indices must be a list", v, nil, 1)
	refused("vertices must be a flat list", { 1, 2 }, t, 1)
	refused("indices must be three for each triangle, got 4", v, { 1, 2, 3, 4 }, 1)
	refused("there must be 1 to 65536 triangles, got 0", v, {}, 1)
	refused("indices[2]", v, { 1, 9, 3 }, 1)
	refused("indices[3]", v, { 1, 2, 0 }, 1)
	refused("vertices[1]", { 0 / 0, 0, 0 }, { 1, 1, 1 }, 1)
	refused("triangle 1 has no area", v, { 1, 2, 2 }, 1)
	refused("the mesh must be closed, but the edge from vertex", v, changed(function(c) for _ = 1, 3 do table.remove(c) end end), 1)
	refused("triangles must be counter-clockwise from outside, but the two at the edge", v, changed(function(c) c[1], c[2] = c[2], c[1] end), 1)
	refused("triangles must be counter-clockwise from outside, but the mesh is inside out", v, changed(function(c)
		for i = 1, #c, 3 do c[i], c[i + 1] = c[i + 1], c[i] end
	end), 1)
	refused("two triangles must share each edge", v, changed(function(c) for i = 1, 36 do c[36 + i] = c[i] end end), 1)
	refused("the mesh must enclose a volume", { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3, 1, 3, 2 }, 1)
	v, t = voxels(2, 2, 1, function(x, y) return x == y end) -- along an edge
	refused("two triangles must share each edge", v, t, 1)
	refused("unknown key 'piece', did you mean 'pieces'?", v, t, 1, { piece = 1 })
	refused("pieces must be", v, t, 1, { pieces = 0 })
end

-- --- Simplification -------------------------------------------------------------------------------------------------------

local function edges_of(indices)
	local edges = {}
	for i = 1, #indices, 3 do
		for k = 0, 2 do
			local key = indices[i + k] * 1e6 + indices[i + (k + 1) % 3]
			edges[key] = (edges[key] or 0) + 1
		end
	end
	return edges
end

-- The edges of one triangle only, as segments.
local function border_of(vertices, indices)
	local edges, border = edges_of(indices), {}
	for key in pairs(edges) do
		local a, b = floor(key / 1e6), key % 1e6
		if not edges[b * 1e6 + a] then
			border[#border + 1] = { vertices[3 * a - 2], vertices[3 * a - 1], vertices[3 * a], vertices[3 * b - 2], vertices[3 * b - 1],
				vertices[3 * b] }
		end
	end
	table.sort(border, function(s, t)
		for i = 1, 6 do if s[i] ~= t[i] then return s[i] < t[i] end end
		return false
	end)
	return border
end

local function border_distance(border, x, y, z)
	local best = math.huge
	for _, s in ipairs(border) do
		local qx, qy, qz = d3.closestPointOnSegment(x, y, z, unpack(s))
		best = math.min(best, (qx - x) ^ 2 + (qy - y) ^ 2 + (qz - z) ^ 2)
	end
	return math.sqrt(best)
end

-- Points of the new surface and border are near the old ones, and vice versa. Vertices are old ones, and all are used; triangles have an area; edges have two
-- consistent triangles, or one at a border; and the topology is the same.
local function check_simpler(vertices, indices, error, samples)
	local v, t = d3.simplify(vertices, indices, error)
	local _, _, size = bounds(vertices)
	local number, allowed = support.random_numbers(3), error + 1e-8 * size
	local old, new = triangles_of(vertices, indices), triangles_of(v, t)
	for _ = 1, samples do
		local a, b = old[1 + floor(number(0, #old - 1e-9))], new[1 + floor(number(0, #new - 1e-9))]
		lu.assertTrue(distance(new, point_of(a, number)) <= allowed)
		lu.assertTrue(distance(old, point_of(b, number)) <= allowed)
	end
	local there, used = {}, {}
	for i = 1, #vertices, 3 do there[("%a %a %a"):format(vertices[i], vertices[i + 1], vertices[i + 2])] = true end
	for i = 1, #v, 3 do lu.assertTrue(there[("%a %a %a"):format(v[i], v[i + 1], v[i + 2])]) end
	for _, i in ipairs(t) do used[i] = true end
	for i = 1, #v / 3 do lu.assertTrue(used[i]) end
	for _, triangle in ipairs(new) do
		local _, area = volume_and_area { triangle }
		lu.assertTrue(area > 1e-10 * size * size)
	end
	local edges, halves = edges_of(t), 0
	for key, count in pairs(edges) do
		lu.assertEquals(count, 1)
		halves = halves + (edges[key % 1e6 * 1e6 + floor(key / 1e6)] and 1 or 2)
	end
	local before, after = border_of(vertices, indices), border_of(v, t)
	lu.assertEquals(#before == 0, #after == 0)
	for i = 1, #after > 0 and samples or 0 do
		local a, b, f = before[i % #before + 1], after[i % #after + 1], number(0, 1)
		lu.assertTrue(border_distance(after, a[1] + f * (a[4] - a[1]), a[2] + f * (a[5] - a[2]), a[3] + f * (a[6] - a[3])) <= allowed)
		lu.assertTrue(border_distance(before, b[1] + f * (b[4] - b[1]), b[2] + f * (b[5] - b[2]), b[3] + f * (b[6] - b[3])) <= allowed)
	end
	local characteristic = #v / 3 - halves / 2 + #t / 3
	return v, t, characteristic
end

-- Vertices, triangles and Euler characteristic of a solid of cells, simplified at tolerance 0.
for _, case in ipairs {
	{ 2, 8, 12, 2 }, { 3, 12, 20, 2 }, { 4, 16, 28, 2 }, { 6, 16, 32, 0 }, { 7, 24, 44, 2 }, { 10, 16, 24, 4 },
} do
	local solid = solids[case[1]]
	TestMeshes["test_simpler_" .. solid[1]] = function()
		local vertices, indices = voxels(unpack(solid, 3))
		local v, t, characteristic = check_simpler(vertices, indices, 0, 40)
		lu.assertEquals({ #v / 3, #t / 3, characteristic }, { case[2], case[3], case[4] })
		lu.assertAlmostEquals(volume_and_area(triangles_of(v, t)), (volume_and_area(triangles_of(vertices, indices))), 1e-12)
	end
end

function TestMeshes.test_a_flat_grid_is_two_triangles()
	local vertices, indices = grid(100)
	for _, error in ipairs { 0, 0.1 } do
		local v, t = d3.simplify(vertices, indices, error)
		lu.assertEquals({ #v / 3, #t / 3 }, { 4, 2 })
		local _, area = volume_and_area(triangles_of(v, t))
		lu.assertEquals(area, 10000)
	end
end

function TestMeshes.test_a_simpler_ball()
	local vertices, indices = ball(40, 40)
	local _, t, characteristic = check_simpler(vertices, indices, 0.01, 20)
	lu.assertTrue(#t / 3 < 1000)
	lu.assertEquals(characteristic, 2)
	vertices, indices = ball(14, 16)
	lu.assertEquals(select(2, check_simpler(vertices, indices, 0, 20)), indices) -- nothing is flat
end

function TestMeshes.test_a_simpler_torus()
	local vertices, indices = torus(3, 1, 24, 16)
	local last = #indices
	for _, error in ipairs { 0.05, 0.2, 0.6 } do
		local v, t, characteristic = check_simpler(vertices, indices, error, 150)
		lu.assertEquals(characteristic, 0)
		lu.assertTrue(#t < last)
		lu.assertTrue(volume_and_area(triangles_of(v, t)) > 0)
		last = #t
	end
end

function TestMeshes.test_simpler_hills_keep_their_border()
	local vertices, indices = grid(20, function(x, z) return math.sin(x * 0.5) * math.cos(z * 0.4) end)
	local last = #indices
	for _, error in ipairs { 0.02, 0.1, 0.4 } do
		local _, t, characteristic = check_simpler(vertices, indices, error, 150)
		lu.assertEquals(characteristic, 1)
		lu.assertTrue(#t < last)
		last = #t
	end
	lu.assertTrue(last < #indices / 8)
end

function TestMeshes.test_a_simpler_bumpy_thing_is_decomposed()
	local vertices, indices = bumpy(20, 24)
	local v, t = check_simpler(vertices, indices, 0.03, 150)
	local pieces, reached = d3.decompose(v, t, 0.1)
	lu.assertTrue(#pieces > 1 and reached <= 0.1)
end

-- Edges of four triangles stay; everything else may be removed.
function TestMeshes.test_cells_that_meet_along_an_edge()
	local vertices, indices = voxels(4, 4, 2, function(x, y) return (x < 2) == (y < 2) end)
	local v, t = d3.simplify(vertices, indices, 0)
	lu.assertAlmostEquals(volume_and_area(triangles_of(v, t)), 16, 1e-12)
	lu.assertTrue(#t < #indices)
	for i = 1, #t, 3 do lu.assertTrue(t[i] ~= t[i + 1] and t[i + 1] ~= t[i + 2] and t[i + 2] ~= t[i]) end
end

function TestMeshes.test_some_triangles_always_remain()
	lu.assertEquals({ d3.simplify({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, 10) }, { { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 } })
	lu.assertEquals({ d3.simplify({ 9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 2, 3, 4 }, 0) },
		{ { 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 } })
	local vertices, indices = ball(8, 8)
	local v, t = d3.simplify(vertices, indices, 100)
	lu.assertEquals({ #v / 3, #t / 3 }, { 4, 4 })
end

function TestMeshes.test_simplify_refuses_bad_input()
	local function refused(message, ...) lu.assertErrorMsgContains("simplify: " .. message, d3.simplify, ...) end
	local v, t = voxels(1, 1, 1, function() return true end)
	refused("error must be >= 0, got -1", v, t, -1)
	refused("indices[1]", v, { 0, 1, 2 }, 0)
	refused("vertices must be a flat list", { 1 }, t, 0)
	refused("there must be 1 to 1048576 triangles, got 0", v, {}, 0)
	refused("triangle 2 has no area", v, { 1, 2, 3, 4, 4, 5 }, 0)
end
