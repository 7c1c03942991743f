-- Ray casts, shape casts and times of impact in 3D without a world, against dense sampling of the distance, which is tested elsewhere, against brute force over
-- triangles and children, and against cases by hand.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"
local d3 = collide.d3
local near, check, random_numbers = toolbox.near, toolbox.check, support.random_numbers

-- Shapes and poses are floats: a point of a shape of size 1 has an error of 6e-8, a pose's rotation one more, and another one each time that it is read and
-- made a pose again.
local FLOAT = 2e-7

-- --- Shapes and poses ------------------------------------------------------------------------------------------------------------

local kinds = { "sphere", "capsule", "segment", "triangle", "box", "rounded box", "hull", "rounded hull", "cylinder", "cone", "ellipsoid", "tapered capsule" }

local function new_shape(kind, size, number, pick)
	local function at() return number(-size, size) end
	local function part() return size * number(0.2, 1) end
	if kind == "sphere" then return d3.sphere(part(), at() / 3, at() / 3, at() / 3) end
	if kind == "capsule" then return d3.capsule(at(), at(), at(), at(), at(), at(), part() / 2) end
	if kind == "segment" then return d3.segment(at(), at() - size, at(), at(), at() + 1.1 * size, at()) end
	if kind == "triangle" then return d3.triangle(at() - size, at(), at(), at() + 1.1 * size, at(), at(), at(), at() + 2.1 * size, at()) end
	if kind == "box" then return d3.box(2 * part(), 2 * part(), 2 * part(), pick(2) == 1 and { x = at() / 2, qx = number(-1, 1), qy = 0, qz = 0, qw = 1 } or nil) end
	if kind == "rounded box" then return d3.box(size + part(), size + part(), size + part(), { radius = size * number(0.01, 0.4) }) end
	if kind == "cylinder" then return d3.cylinder(part(), 2 * part(), pick(2) == 1 and { z = at() / 2, qx = 0, qy = 0, qz = number(-1, 1), qw = 1 } or nil) end
	if kind == "cone" then return d3.cone(part(), 2 * part(), pick(2) == 1 and { y = at() / 2, qx = number(-1, 1), qy = 0, qz = 0, qw = 1 } or nil) end
	if kind == "tapered capsule" then return d3.taperedCapsule(at(), at(), at(), part() / 2, at(), at(), at(), part() / 2) end
	if kind == "ellipsoid" then return d3.ellipsoid(part(), part(), part()) end
	local points = { -size, -size, -size, size, -size, -size, 0, size, -size, 0, 0, size }
	for _ = 1, 3 * pick(12) do points[#points + 1] = at() end
	return d3.hull(points, kind == "rounded hull" and size * number(0.05, 0.4) or nil)
end

local function size_of(shape)
	local x1, y1, z1, x2, y2, z2 = d3.aabb(shape)
	return math.max(x2 - x1, y2 - y1, z2 - z1) / 2
end

local function rotation(number)
	while true do
		local x, y, z, w = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
		local square = x * x + y * y + z * z + w * w
		if square > 0.01 and square < 1 then return x, y, z, w end
	end
end

local function direction(number)
	while true do
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local length = math.sqrt(x * x + y * y + z * z)
		if length > 0.1 and length < 1 then return x / length, y / length, z / length end
	end
end

-- Calls f(a, pose_a, b, pose_b, what, number, pick) with pairs of all kinds, a third of them aligned with the axes.
local function each_pair(seed, rounds, options, f)
	local number, pick = random_numbers(seed)
	local low, high = options.low or 0.3, options.high or 3
	for round = 1, rounds do
		local function size() return low * (high / low) ^ number(0, 1) end
		local sa, sb = size(), size()
		local a, b = new_shape(kinds[pick(#kinds)], sa, number, pick), new_shape(kinds[pick(#kinds)], sb, number, pick)
		local far, ox, oy, oz = options.far or 0, 0, 0, 0
		if far > 0 then ox, oy, oz = number(-far, far), number(-far, far), number(-far, far) end
		local reach, nx, ny, nz = (sa + sb) * number(0, 3), direction(number)
		local aligned = pick(3) == 1
		local pa = aligned and d3.pose(ox, oy, oz) or d3.pose(ox, oy, oz, rotation(number))
		local x, y, z = ox + reach * nx, oy + reach * ny, oz + reach * nz
		local pb = aligned and d3.pose(x, y, z) or d3.pose(x, y, z, rotation(number))
		f(a, pa, b, pb, ("round %d: %s, %s"):format(round, a:getType(), b:getType()), number, pick)
	end
end

local function moved(pose, dx, dy, dz)
	local x, y, z, qx, qy, qz, qw = pose:getTransform()
	return d3.pose(x + dx, y + dy, z + dz, qx, qy, qz, qw)
end

-- a b: first b, then a.
local function product(ax, ay, az, aw, bx, by, bz, bw)
	return aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz
end

-- Rotated by the angle about the axis, and translated.
local function turned(pose, dx, dy, dz, angle, nx, ny, nz)
	local x, y, z, qx, qy, qz, qw = pose:getTransform()
	local s, c = math.sin(angle / 2), math.cos(angle / 2)
	return d3.pose(x + dx, y + dy, z + dz, product(s * nx, s * ny, s * nz, c, qx, qy, qz, qw))
end

-- The pose at t: linear translation, and rotation along the great arc.
local function pose_at(from, to, t)
	local x, y, z, ax, ay, az, aw = from:getTransform()
	local x1, y1, z1, bx, by, bz, bw = to:getTransform()
	local dot = ax * bx + ay * by + az * bz + aw * bw
	if dot < 0 then bx, by, bz, bw, dot = -bx, -by, -bz, -bw, -dot end
	local p, q = 1 - t, t
	local angle = math.acos(math.min(dot, 1))
	if angle > 1e-3 then p, q = math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle) end
	return d3.pose(x + t * (x1 - x), y + t * (y1 - y), z + t * (z1 - z), p * ax + q * bx, p * ay + q * by, p * az + q * bz, p * aw + q * bw)
end

-- --- Rays ------------------------------------------------------------------------------------------------------------------------

TestSpaceRay = {}

-- The hit is on the surface, no earlier point is inside, and a miss is outside all along; the normal is a unit vector against the ray.
function TestSpaceRay.test_hits_the_surface_first()
	local hits, misses, inside = 0, 0, 0
	each_pair(61, 2500, {}, function(shape, pose, _, from, what, number)
		local x, y, z = from:getPosition()
		local size, cx, cy, cz = size_of(shape), pose:getPosition()
		local flat = shape:getType() == "segment" or shape:getType() == "triangle"
		local tx, ty, tz = cx + number(-1, 1) * size, cy + number(-1, 1) * size, cz + number(-1, 1) * size
		local dx, dy, dz = 2 * (tx - x), 2 * (ty - y), 2 * (tz - z)
		local length = math.sqrt(dx * dx + dy * dy + dz * dz)
		local function outside(t) return (select(4, d3.closestPoint(shape, pose, x + t * dx, y + t * dy, z + t * dz))) end
		local t, px, py, pz, nx, ny, nz = d3.raycast(shape, pose, x, y, z, x + dx, y + dy, z + dz)
		if d3.containsPoint(shape, pose, x, y, z) then
			inside = inside + 1
			check(t == 0 and outside(0) <= FLOAT * size, what)
			near(nx * dx + ny * dy + nz * dz, -length, 1e-12 * length, what)
			return
		end
		check(outside(0) > -FLOAT * size, what)
		if t then
			hits = hits + 1
			near(outside(t), 0, FLOAT * size, what)
			near(px, x + t * dx, 1e-12 * size, what)
			near(py, y + t * dy, 1e-12 * size, what)
			near(pz, z + t * dz, 1e-12 * size, what)
			near(nx * nx + ny * ny + nz * nz, 1, 1e-13, what)
			check(nx * dx + ny * dy + nz * dz <= 1e-7 * length, what)
			if not flat then
				local d = select(4, d3.closestPoint(shape, pose, px + 1e-3 * size * nx, py + 1e-3 * size * ny, pz + 1e-3 * size * nz))
				near(d, 1e-3 * size, 3 * FLOAT * size, what)
			end
		else
			misses = misses + 1
		end
		for i = 0, 40 do check(flat or outside((t or 1) * i / 40) > -FLOAT * size, what) end
	end)
	check(hits > 500 and misses > 300 and inside > 100, hits .. " hits, " .. misses .. " misses, " .. inside .. " inside")
end

-- Rays through a cone's apex or almost through it hit a side that faces them.
function TestSpaceRay.test_the_apex_of_a_cone_faces_the_ray()
	local number = random_numbers(62)
	local hits = 0
	for _ = 1, 20000 do
		local cone, height, off = d3.cone(number(0.1, 2), number(1, 3)), nil, 10 ^ number(-17, -6)
		height = select(5, d3.aabb(cone))
		local dx, dy, dz = direction(number)
		local x, y, z = number(-off, off) - 2 * dx, height + number(-off, off) - 2 * dy, number(-off, off) - 2 * dz
		local t, _, _, _, nx, ny, nz = d3.raycast(cone, nil, x, y, z, x + 4 * dx, y + 4 * dy, z + 4 * dz)
		if t then
			hits = hits + 1
			near(nx * nx + ny * ny + nz * nz, 1, 1e-13, "unit")
			check(nx * dx + ny * dy + nz * dz <= 1e-12, "the normal is against the way")
		end
	end
	check(hits > 5000, hits .. " hits")
end

-- A shape contains a point if its distance is at most 0.
function TestSpaceRay.test_contains_points_at_no_distance()
	local counts = { [true] = 0, [false] = 0 }
	each_pair(62, 4000, { far = 1e3 }, function(shape, pose, _, _, what, number)
		local size, cx, cy, cz = size_of(shape), pose:getPosition()
		local x, y, z = cx + number(-1.2, 1.2) * size, cy + number(-1.2, 1.2) * size, cz + number(-1.2, 1.2) * size
		local inside, distance = d3.containsPoint(shape, pose, x, y, z), (select(4, d3.closestPoint(shape, pose, x, y, z)))
		if shape:getType() == "segment" or shape:getType() == "triangle" then
			check(not inside, what)
			return
		end
		counts[inside] = counts[inside] + 1
		if math.abs(distance) > FLOAT * size then lu.assertEquals(inside, distance < 0, what) end
	end)
	check(counts[true] > 500 and counts[false] > 500, "both")
end

function TestSpaceRay.test_by_hand()
	local function ray(shape, ...) return { d3.raycast(shape, nil, ...) } end
	lu.assertEquals(ray(d3.box(2, 2, 2), -3, 0, 0, 5, 0, 0), { 0.25, -1, 0, 0, -1, 0, 0 })
	lu.assertEquals(ray(d3.box(2, 2, 2), -3, 5, 0, 5, 5, 0), {})
	lu.assertEquals(ray(d3.sphere(1, 0, 10, 0), 0, 10, 0, 0, 10, 4), { 0, 0, 10, 0, 0, 0, -1 })
	lu.assertEquals(ray(d3.sphere(1), 0, 5, 0, 0, -5, 0), { 0.4, 0, 1, 0, 0, 1, 0 })
	-- Grazing counts as a hit.
	lu.assertEquals(ray(d3.sphere(1), -4, 0, 1, 4, 0, 1), { 0.5, 0, 0, 1, 0, 0, 1 })
	lu.assertEquals(ray(d3.capsule(0, -1, 0, 0, 1, 0, 0.5), 4, 0.5, 0, -4, 0.5, 0), { 0.4375, 0.5, 0.5, 0, 1, 0, 0 })
	lu.assertEquals(ray(d3.capsule(0, -1, 0, 0, 1, 0, 0.5), 0, 4, 0, 0, -4, 0), { 0.3125, 0, 1.5, 0, 0, 1, 0 })
	lu.assertEquals(ray(d3.cylinder(1, 4), 0.5, 6, 0, 0.5, -2, 0), { 0.5, 0.5, 2, 0, 0, 1, 0 })
	lu.assertEquals(ray(d3.cylinder(1, 4), 0, 0, 3, 0, 0, -1), { 0.5, 0, 0, 1, 0, 0, 1 })
	-- The cone's side rises by 2 for each 1 inwards; it is hit at half the height, where the radius is 0.5.
	local t, x, y, z, nx, ny, nz = d3.raycast(d3.cone(1, 2), nil, 2.5, 0, 0, -1.5, 0, 0)
	lu.assertEquals({ t, x, y, z, nz }, { 0.5, 0.5, 0, 0, 0 })
	near(nx, 2 / math.sqrt(5), 1e-15, "nx")
	near(ny, 1 / math.sqrt(5), 1e-15, "ny")
	lu.assertEquals(ray(d3.cone(1, 2), 0.25, -3, 0, 0.25, 1, 0), { 0.5, 0.25, -1, 0, 0, -1, 0 })
	lu.assertEquals((d3.raycast(d3.cone(1, 2), nil, 0, 3, 0, 0, -1, 0)), 0.5)
	lu.assertEquals(ray(d3.ellipsoid(1, 2, 3), 0, 0, 9, 0, 0, -3), { 0.5, 0, 0, 3, 0, 0, 1 })
	lu.assertEquals(ray(d3.halfSpace(0, 1, 0, 1), 3, 4, 5, 3, -2, 5), { 0.5, 3, 1, 5, 0, 1, 0 })
	lu.assertEquals(ray(d3.halfSpace(0, 1, 0, 1), 3, 4, 5, 3, 6, 5), {})
	-- A triangle is hit from both sides; a segment not at all.
	local triangle = d3.triangle(-1, 0, -1, 3, 0, -1, -1, 0, 3)
	lu.assertEquals(ray(triangle, 0, 2, 0, 0, -2, 0), { 0.5, 0, 0, 0, 0, 1, 0 })
	lu.assertEquals(ray(triangle, 0, -2, 0, 0, 2, 0), { 0.5, 0, 0, 0, 0, -1, 0 })
	lu.assertEquals(ray(d3.segment(-1, 0, 0, 1, 0, 0), 0, 2, 0, 0, -2, 0), {})
	-- A ray without length hits only if it starts inside.
	lu.assertEquals(ray(d3.sphere(1), 0, 0.5, 0, 0, 0.5, 0), { 0, 0, 0.5, 0, 0, 0, 0 })
	lu.assertEquals(ray(d3.sphere(1), 0, 1.5, 0, 0, 1.5, 0), {})
	-- From far away, and far away: the precision stays.
	near(d3.raycast(d3.sphere(1), nil, -1e6, 0, 0, 1e6, 0, 0) * 2e6, 1e6 - 1, 1e-9, "far")
	near(d3.raycast(d3.sphere(1), d3.pose(1e6, 0, 0), 1e6 - 3, 0.5, 0, 1e6 + 1, 0.5, 0) * 4, 3 - math.sqrt(0.75), 1e-9, "there")
end

-- Triangles as lists of corners, and a ray against them: the plane, then the sides.
local function ray_by_hand(corners, x, y, z, dx, dy, dz)
	local best
	for i = 1, #corners do
		local c = corners[i]
		local ux, uy, uz, vx, vy, vz = c[4] - c[1], c[5] - c[2], c[6] - c[3], c[7] - c[1], c[8] - c[2], c[9] - c[3]
		local nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
		local t = (nx * (c[1] - x) + ny * (c[2] - y) + nz * (c[3] - z)) / (nx * dx + ny * dy + nz * dz)
		if t >= 0 and t <= 1 and (not best or t < best) then
			local px, py, pz, inside = x + t * dx, y + t * dy, z + t * dz, true
			for k = 0, 2 do
				local a, b = 3 * k, 3 * ((k + 1) % 3)
				local ex, ey, ez = c[b + 1] - c[a + 1], c[b + 2] - c[a + 2], c[b + 3] - c[a + 3]
				local fx, fy, fz = px - c[a + 1], py - c[a + 2], pz - c[a + 3]
				inside = inside and nx * (ey * fz - ez * fy) + ny * (ez * fx - ex * fz) + nz * (ex * fy - ey * fx) >= 0
			end
			if inside then best = t end
		end
	end
	return best
end

local function float(x) return d3.sphere(1, x, 0, 0):getPoints()[1] end

-- The same bumpy ground as a mesh, a height field and a list of triangles.
local function grounds(number, columns, rows, bump)
	local vertices, indices, heights, corners = {}, {}, {}, {}
	for k = 0, rows - 1 do
		for i = 0, columns - 1 do
			local h = float(number(-bump, bump))
			heights[#heights + 1] = h
			vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = i, h, k
		end
	end
	local function add(...)
		local triangle = {}
		for _, v in ipairs { ... } do
			indices[#indices + 1] = v
			for c = 3 * v - 2, 3 * v do triangle[#triangle + 1] = vertices[c] end
		end
		corners[#corners + 1] = triangle
	end
	for k = 0, rows - 2 do
		for i = 1, columns - 1 do
			local v = k * columns + i
			add(v, v + columns + 1, v + 1)
			add(v, v + columns, v + columns + 1)
		end
	end
	return d3.mesh(vertices, indices), d3.heightField { columns = columns, rows = rows, cellWidth = 1, cellDepth = 1, heights = heights }, corners
end

function TestSpaceRay.test_meshes_and_height_fields_by_brute_force()
	local number = random_numbers(63)
	local hits, misses = 0, 0
	for _ = 1, 6 do
		local mesh, field, corners = grounds(number, 9, 7, 1)
		for _ = 1, 150 do
			local x, y, z = number(-1, 10), number(-3, 3), number(-1, 8)
			local dx, dy, dz = number(-4, 4), -3 * y + number(-1, 1), number(-4, 4)
			local expected = ray_by_hand(corners, x, y, z, dx, dy, dz)
			for _, shape in ipairs { mesh, field } do
				local t, px, py, pz, nx, ny, nz = d3.raycast(shape, nil, x, y, z, x + dx, y + dy, z + dz)
				if not expected then
					misses = misses + 1
					lu.assertNil(t)
				else
					hits = hits + 1
					near(t, expected, 1e-12, "t")
					check(nx * dx + ny * dy + nz * dz < 0 and px and py and pz, "against the way")
				end
			end
		end
	end
	check(hits > 300 and misses > 300, "both")
end

-- Rays through shared edges and corners, from above, vertical and oblique: none slips through.
function TestSpaceRay.test_meshes_are_watertight()
	local number, pick = random_numbers(64)
	local mesh, field, corners = grounds(number, 12, 12, 0.5)
	for _ = 1, 4000 do
		local c = corners[pick(#corners)]
		local a, b, part = 3 * (pick(3) - 1), 3 * (pick(3) - 1), ({ 0, 0.5, number(0, 1) })[pick(3)]
		local x, y, z = c[a + 1] + part * (c[b + 1] - c[a + 1]), c[a + 2] + part * (c[b + 2] - c[a + 2]), c[a + 3] + part * (c[b + 3] - c[a + 3])
		if x > 0 and x < 11 and z > 0 and z < 11 then
			local ox, oz = 0, 0
			if pick(2) == 1 then ox, oz = number(-0.2, 0.2), number(-0.2, 0.2) end
			local up = number(2, 5)
			check(d3.raycast(mesh, nil, x + ox * up, y + up, z + oz * up, x - ox * up, y - up, z - oz * up), "the mesh leaks")
			check(d3.raycast(field, nil, x + ox * up, y + up, z + oz * up, x - ox * up, y - up, z - oz * up), "the field leaks")
		end
	end
end

-- A hull is its faces, seen from outside; a compound its children.
function TestSpaceRay.test_hulls_and_compounds_by_brute_force()
	local number, pick = random_numbers(65)
	for round = 1, 60 do
		local shape, corners = new_shape("hull", 1, number, pick), {}
		local points = shape:getPoints()
		for _, face in ipairs(shape:getFaces()) do
			for i = 2, #face - 1 do
				local triangle = {}
				for _, v in ipairs { face[1], face[i], face[i + 1] } do
					for c = 3 * v - 2, 3 * v do triangle[#triangle + 1] = points[c] end
				end
				corners[#corners + 1] = triangle
			end
		end
		local parts = {}
		for i = 1, 12 do
			parts[i] = { shape = new_shape(kinds[pick(#kinds)], 0.5, number, pick), pose = d3.pose(number(-3, 3), number(-3, 3), number(-3, 3), rotation(number)) }
		end
		local compound = d3.compound(parts)
		for _ = 1, 30 do
			local x, y, z = direction(number)
			x, y, z = 4 * x, 4 * y, 4 * z
			local dx, dy, dz = 2 * (number(-1, 1) - x), 2 * (number(-1, 1) - y), 2 * (number(-1, 1) - z)
			local t = d3.raycast(shape, nil, x, y, z, x + dx, y + dy, z + dz)
			local expected = ray_by_hand(corners, x, y, z, dx, dy, dz)
			if t and expected then near(t, expected, 1e-5, "round " .. round) end
			local best
			for _, part in ipairs(parts) do
				local own = d3.raycast(part.shape, part.pose, x, y, z, x + dx, y + dy, z + dz)
				if own and (not best or own < best) then best = own end
			end
			t = d3.raycast(compound, nil, x, y, z, x + dx, y + dy, z + dz)
			if best and t then near(t, best, 1e-5, "round " .. round) end
			if not best then check(not t, "round " .. round) end
		end
	end
end

-- --- Casts -----------------------------------------------------------------------------------------------------------------------

TestSpaceCast = {}

-- Along a straight path the distance is convex: if it is positive before t there is no earlier contact. At t it is 0. For grazing motions the distance is flat
-- at its minimum and t uncertain, so the distance is compared instead of t.
function TestSpaceCast.test_the_first_contact_is_at_distance_0_and_nothing_before()
	local hits, misses = 0, 0
	each_pair(71, 1200, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local ax, ay, az = pa:getPosition()
		local bx, by, bz = pb:getPosition()
		local reach = number(0.5, 2)
		local dx, dy, dz = reach * (bx - ax + number(-1, 1) * size), reach * (by - ay + number(-1, 1) * size), reach * (bz - az + number(-1, 1) * size)
		local length = math.sqrt(dx * dx + dy * dy + dz * dz)
		local hit, t, nx, ny, nz, px, py, pz, last = d3.cast(a, pa, dx, dy, dz, b, pb)
		local function at(s) return (d3.distance(a, moved(pa, s * dx, s * dy, s * dz), b, pb)) end
		if at(0) <= 0 then
			local _, mx, my, mz = d3.distance(a, pa, b, pb)
			check(hit and t == 0 and nx == mx and ny == my and nz == mz, what)
		elseif hit then
			hits = hits + 1
			near(at(t), 0, FLOAT * size, what)
			for i = 1, 9 do check(at(t * i / 10) > 0, what) end
			near(nx * nx + ny * ny + nz * nz, 1, 1e-13, what)
			check(nx * dx + ny * dy + nz * dz > -1e-6 * length, what)
			near(select(4, d3.closestPoint(b, pb, px, py, pz)), 0, FLOAT * size, what)
			near(select(4, d3.closestPoint(a, moved(pa, t * dx, t * dy, t * dz), px, py, pz)), 0, FLOAT * size, what)
		else
			misses = misses + 1
			lu.assertEquals({ t, nx }, { 1 }, what)
			for i = 0, 40 do check(at(i / 40) > -1e-9 * size, what) end
		end
		if hit then
			-- The last contact: the shapes are separated after it, but not before.
			near(at(last), 0, FLOAT * size, what)
			check(last >= t and at(last + 0.01) > 0, what)
			near(math.max(0, at((t + last) / 2)), 0, FLOAT * size, what)
		end
	end)
	check(hits > 200 and misses > 200, hits .. " hits, " .. misses .. " misses")
end

-- Segments and triangles have no inside: moved straight at each other they hit along the direction of the distance, not the opposite one.
function TestSpaceCast.test_the_normal_of_flat_shapes()
	local number = random_numbers(87)
	for i = 1, 3000 do
		local size = 10 ^ -math.floor(number(0, 4))
		local function points(count, scale)
			local list = {}
			for k = 1, 3 * count do list[k] = number(-scale, scale) end
			return (table.unpack or unpack)(list)
		end
		local a, b = d3.segment(points(2, 1)), i % 3 == 0 and d3.triangle(points(3, size)) or d3.segment(points(2, size))
		local pose, far = d3.pose(points(1, 2)), number(2, 22)
		local d, nx, ny, nz = d3.distance(a, nil, b, pose)
		local hit, _, hx, hy, hz = d3.cast(a, nil, nx * d * far, ny * d * far, nz * d * far, b, pose)
		check(not hit or hx * nx + hy * ny + hz * nz > 0, i)
	end
end

-- Grazing motions have a last contact, too.
function TestSpaceCast.test_grazing_has_a_last_contact()
	local function graze(a, b, offset, first, last)
		local hit, t, _, _, _, _, _, _, leave = d3.cast(a, d3.pose(-5, offset, 0), 10, 0, 0, b, nil)
		lu.assertTrue(hit)
		near(t, first, 1e-9, "first")
		near(leave, last, 1e-9, "last")
	end
	graze(d3.box(1, 1, 1), d3.box(1, 1, 1), 1, 0.4, 0.6)
	graze(d3.cylinder(0.5, 1), d3.cylinder(0.5, 1), 1, 0.4, 0.6)
	graze(d3.box(1, 1, 1), d3.cylinder(0.5, 1), 1, 0.4, 0.6)
	graze(d3.cone(0.5, 1), d3.box(1, 1, 1), 1, 0.4, 0.6)
	graze(d3.box(1, 1, 1), d3.segment(-1, 0, 0, 1, 0, 0), 0.5, 0.35, 0.65)
	local number, pick = random_numbers(78)
	for round = 1, 4000 do
		local a, b = new_shape(kinds[pick(#kinds)], 1, number, pick), new_shape(kinds[pick(#kinds)], 1, number, pick)
		local hit, t, _, _, _, _, _, _, last = d3.cast(a, d3.pose(-5, pick(9) / 4 - 1.25, pick(9) / 4 - 1.25), 10, 0, 0, b, nil)
		check(not hit or (last and last >= t), ("round %d: %s, %s"):format(round, a:getType(), b:getType()))
	end
end

-- Flat features against flat ones: a line on a line, a face or a rim. The point is on both surfaces all the same.
function TestSpaceCast.test_the_contact_point_lies_on_both_surfaces()
	local number, pick = random_numbers(79)
	local flat, hits = { "cylinder", "cone", "segment", "triangle", "box", "hull" }, 0
	for round = 1, 4000 do
		local a, b = new_shape(flat[pick(2)], number(0.5, 3), number, pick), new_shape(flat[pick(#flat)], number(0.5, 3), number, pick)
		local x, y, z = number(-6, 6), number(-6, 6), number(-6, 6)
		local pa = pick(2) == 1 and d3.pose(0, 0, 0) or d3.pose(0, 0, 0, rotation(number))
		local pb = pick(2) == 1 and d3.pose(x, y, z) or d3.pose(x, y, z, rotation(number))
		local dx, dy, dz = 2 * x + number(-1, 1), 2 * y + number(-1, 1), 2 * z + number(-1, 1)
		local hit, t, _, _, _, px, py, pz = d3.cast(a, pa, dx, dy, dz, b, pb)
		if hit and t > 0 then
			hits = hits + 1
			local what = ("round %d: %s, %s"):format(round, a:getType(), b:getType())
			near(select(4, d3.closestPoint(b, pb, px, py, pz)), 0, 1e-5 * size_of(b), what)
			near(select(4, d3.closestPoint(a, moved(pa, t * dx, t * dy, t * dz), px, py, pz)), 0, 1e-5 * size_of(a), what)
		end
	end
	check(hits > 2000, hits .. " hits")
end

function TestSpaceCast.test_is_symmetric()
	each_pair(72, 1200, { far = 1e6 }, function(a, pa, b, pb, what, number)
		local dx, dy, dz = number(-9, 9), number(-9, 9), number(-9, 9)
		local hit, t, nx, ny, nz, _, _, _, last = d3.cast(a, pa, dx, dy, dz, b, pb)
		local hit2, t2, mx, my, mz, _, _, _, last2 = d3.cast(b, pb, -dx, -dy, -dz, a, pa)
		check(hit == hit2 and t == t2 and last == last2 and (not hit or (nx == -mx and ny == -my and nz == -mz)), what)
	end)
end

-- Three methods: closed forms of the separation, Newton iterations on GJK's distance, and bisection of the swept test.
function TestSpaceCast.test_methods_agree()
	each_pair(73, 1000, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy, dz = number(-3, 3) * size, number(-3, 3) * size, number(-3, 3) * size
		local length = math.sqrt(dx * dx + dy * dy + dz * dz)
		local hit, t, nx, ny, nz = d3.cast(a, pa, dx, dy, dz, b, pb)
		local hit2, t2, _, _, _, _, _, _, iterations = d3.gjkCast(a, pa, dx, dy, dz, b, pb)
		local hit3, t3, halvings = d3.bisection(a, pa, dx, dy, dz, b, pb, 1e-6 * size)
		check(iterations >= 1 and iterations <= 129, what)
		-- For grazing motions one method may hit where another just misses, and t has the square root of the precision.
		local grazes = hit and t > 0 and (nx * dx + ny * dy + nz * dz) / length < 1e-2
		if grazes or hit ~= hit2 or hit ~= hit3 then
			local least = math.huge
			for i = 0, 200 do
				local s = i / 200
				least = math.min(least, (d3.distance(a, moved(pa, s * dx, s * dy, s * dz), b, pb)))
			end
			check(grazes or least > -1e-2 * size, what)
			return
		end
		near(t2, t, 1e-7, what)
		near(t3, t, 1e-6 * size / length + 1e-7, what)
		check(halvings <= 2 + math.ceil(math.log(length / (1e-6 * size)) / math.log(2)), what)
	end)
end

-- With both shapes and the displacement moved rigidly: the same t, and a rotated normal. Poses are floats.
function TestSpaceCast.test_is_invariant_under_rigid_motion()
	each_pair(74, 600, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy, dz = number(-3, 3) * size, number(-3, 3) * size, number(-3, 3) * size
		local length = math.sqrt(dx * dx + dy * dy + dz * dz)
		local hit, t, nx, ny, nz = d3.cast(a, pa, dx, dy, dz, b, pb)
		local qx, qy, qz, qw = select(4, d3.pose(0, 0, 0, rotation(number)):getTransform())
		local norm = math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw)
		qx, qy, qz, qw = qx / norm, qy / norm, qz / norm, qw / norm
		local function turn(x, y, z)
			local px, py, pz, pw = product(qx, qy, qz, qw, x, y, z, 0)
			local rx, ry, rz = product(px, py, pz, pw, -qx, -qy, -qz, qw)
			return rx, ry, rz
		end
		local ox, oy, oz = number(-1e3, 1e3), number(-1e3, 1e3), number(-1e3, 1e3)
		local function placed(pose)
			local x, y, z, rx, ry, rz, rw = pose:getTransform()
			x, y, z = turn(x, y, z)
			return d3.pose(x + ox, y + oy, z + oz, product(qx, qy, qz, qw, rx, ry, rz, rw))
		end
		local ex, ey, ez = turn(dx, dy, dz)
		local hit2, t2, mx, my, mz = d3.cast(a, placed(pa), ex, ey, ez, b, placed(pb))
		local cosine = hit and t > 0 and (nx * dx + ny * dy + nz * dz) / length or 1
		if cosine < 0.05 then return end
		if hit ~= hit2 then
			-- Close to grazing a float decides.
			check(hit2 and (mx * ex + my * ey + mz * ez) / length < 0.05 or t == 0, what)
			return
		end
		if not hit then return end
		near(t2, t, 4 * FLOAT * size / (cosine * length), what)
	end)
end

-- Integer coordinates: the slab method.
function TestSpaceCast.test_E1_aligned_boxes()
	local box = d3.box(2, 2, 2)
	lu.assertFalse((d3.cast(box, nil, 10, 0, 0, box, d3.pose(5, 98, 0))))
	lu.assertFalse((d3.cast(box, nil, -10, 0, 0, box, d3.pose(5, 0, 0))))
	lu.assertFalse((d3.cast(box, nil, 0, 0, 0, box, d3.pose(5, 0, 0))))
	lu.assertFalse((d3.cast(box, nil, 2, 0, 0, box, d3.pose(4.86, 0, 0))))
	local number = random_numbers(75)
	local function integer(low, high) return math.floor(number(low, high + 1)) end
	for _ = 1, 4000 do
		local a, b, at, way, t0, t1, free = {}, {}, {}, {}, -math.huge, math.huge, false
		for i = 1, 3 do
			a[i], b[i], at[i], way[i] = 2 * integer(1, 4), 2 * integer(1, 4), integer(-9, 9), integer(-9, 9)
			local e = (a[i] + b[i]) / 2
			if way[i] == 0 then
				free = free or math.abs(at[i]) > e
			else
				local s0, s1 = (at[i] - e) / way[i], (at[i] + e) / way[i]
				t0, t1 = math.max(t0, math.min(s0, s1)), math.min(t1, math.max(s0, s1))
			end
		end
		local what = table.concat({ a[1], a[2], a[3], b[1], b[2], b[3], at[1], at[2], at[3], way[1], way[2], way[3] }, " ")
		local hit, t, _, _, _, _, _, _, last = d3.cast(d3.box(a[1], a[2], a[3]), nil, way[1], way[2], way[3], d3.box(b[1], b[2], b[3]), d3.pose(at[1], at[2], at[3]))
		lu.assertEquals(hit, not free and t0 <= t1 and t1 >= 0 and t0 <= 1, what)
		if hit then
			near(t, math.max(t0, 0), 1e-11, what)
			if way[1] ~= 0 or way[2] ~= 0 or way[3] ~= 0 then near(last, t1, 1e-11, what) end
		end
	end
end

-- Roots of the quadratic outside [0, 1], no root, and a double one.
function TestSpaceCast.test_E2_E32_spheres()
	local sphere = d3.sphere(1)
	local function cast(x, y, dx) return d3.cast(sphere, nil, dx, 0, 0, sphere, d3.pose(x, y, 0)) end
	local hit, t, _, _, _, _, _, _, last = cast(10, 0, 10)
	lu.assertTrue(hit)
	near(t, 0.8, 1e-15, "t")
	near(last, 1.2, 1e-15, "last")
	lu.assertFalse((cast(10, 0, 1)))
	lu.assertFalse((cast(10, 0, -10)))
	lu.assertFalse((cast(10, 0, 0)))
	lu.assertFalse((cast(10, 3, 20)))
	-- Grazing counts as a hit.
	hit, t = cast(10, 2, 20)
	lu.assertTrue(hit)
	near(t, 0.5, 1e-8, "graze")
	-- Initial overlap.
	hit, t, _, _, _, _, _, _, last = cast(1, 0, 10)
	lu.assertEquals({ hit, t }, { true, 0 })
	near(last, 0.3, 1e-15, "last")
	-- From far away the roots keep their precision.
	hit, t = cast(1e6, 1, 2e6)
	near(t * 2e6, 1e6 - math.sqrt(3), 1e-9, "far")
	lu.assertTrue(hit)
end

function TestSpaceCast.test_half_spaces()
	local ground, sphere = d3.halfSpace(0, 1, 0, 0), d3.sphere(1)
	lu.assertEquals({ d3.cast(sphere, d3.pose(3, 5, 2), 0, -8, 0, ground, nil) }, { true, 0.5, 0, -1, 0, 3, 0, 2 })
	lu.assertEquals({ d3.cast(ground, nil, 0, 8, 0, sphere, d3.pose(3, 5, 2)) }, { true, 0.5, 0, 1, 0, 3, 4, 2 })
	-- Contact at the end is a hit; behind the plane is inside; a shape that starts inside leaves at 1.5 / 2.
	lu.assertEquals((select(2, d3.cast(sphere, d3.pose(0, 3, 0), 0, -2, 0, ground))), 1)
	lu.assertEquals((select(2, d3.cast(sphere, d3.pose(0, -30, 0), 0, 2, 0, ground))), 0)
	lu.assertEquals(select(9, d3.cast(sphere, d3.pose(0, -0.5, 0), 0, 2, 0, ground, nil)), 0.75)
	lu.assertNil((select(9, d3.cast(sphere, d3.pose(0, -0.5, 0), 0, -2, 0, ground, nil))))
	-- Two half-spaces are separated only if they face each other.
	local sky = d3.halfSpace(0, -1, 0, -2)
	lu.assertEquals({ (d3.cast(ground, nil, 7, 4, 3, sky, nil)) }, { true })
	lu.assertEquals((select(2, d3.cast(ground, nil, 7, 4, 3, sky, nil))), 0.5)
	lu.assertFalse((d3.cast(ground, nil, 7, -4, 3, sky, nil)))
end

-- With an initial overlap the first contact is 0, and the last one still exact; A moves by d, not against it.
function TestSpaceCast.test_E7_E17_by_hand()
	local box = d3.box(2, 2, 2)
	local _, t, _, _, _, _, _, _, last = d3.cast(box, nil, 20, 0, 0, box, d3.pose(0, 0.5, 0))
	lu.assertEquals(t, 0)
	near(last, 0.1, 1e-12, "last")
	local hit, nx, ny, nz, px
	hit, t, nx, ny, nz, px = d3.cast(box, nil, 10, 0, 0, d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }, d3.pose(8, 0, 0))
	lu.assertEquals({ hit, nx, ny, nz }, { true, 1, 0, 0 })
	near(t, 0.7, 1e-12, "t")
	near(px, 8, 1e-11, "px")
	lu.assertFalse((d3.cast(box, nil, -10, 0, 0, box, d3.pose(8, 0, 0))))
	-- Crossed edges: sqrt 2 each from the centres.
	local q = math.pi / 8
	hit, t, nx, ny, nz = d3.cast(box, d3.pose(0, 0, 0, math.sin(q), 0, 0, math.cos(q)), 0, 8, 0, box, d3.pose(0, 6, 0, 0, 0, math.sin(q), math.cos(q)))
	lu.assertTrue(hit)
	near(t * 8, 6 - 2 * math.sqrt(2), 4 * FLOAT, "edges")
	near(ny, 1, 1e-9, "normal")
	near(math.abs(nx) + math.abs(nz), 0, 4 * FLOAT, "normal")
end

-- Flat contacts form parallelograms: wherever edges cross, and wherever a corner hits a face, t, normal and point equal the closed form, in both orders.
function TestSpaceCast.test_contacts_all_over_a_parallelogram()
	local box, q, r = d3.box(2, 2, 2), math.pi / 8, math.sqrt(2)
	local corner = d3.hull { 0, 0, 0, 1, 0.3, 0, 1, -0.3, 0.2, 1, -0.2, -0.3 }
	for i = -9, 9, 2 do
		for k = -9, 9, 2 do
			local y, z, what = i / 10, k / 10, ("%d, %d"):format(i, k)
			local pa, pb = d3.pose(0, 0, 0, 0, 0, math.sin(q), math.cos(q)), d3.pose(5, y, z, 0, math.sin(q), 0, math.cos(q))
			for _, case in ipairs {
				{ (5 - 2 * r) / 6, r, 0, z, 5 - r, 0, z, box, pa, 6, box, pb, FLOAT },
				{ 2 / 3, 1, y, z, 3, y, z, box, nil, 3, corner, d3.pose(3, y, z), 0 },
			} do
				local t, ax, ay, az, bx, by, bz, a, from, way, b, to, slack = (table.unpack or unpack)(case)
				slack = 4 * slack + 1e-11
				local hit, at, nx, _, _, px, py, pz = d3.cast(a, from, way, 0, 0, b, to)
				lu.assertTrue(hit, what)
				near(at, t, slack, what)
				near(nx, 1, slack, what)
				near(math.abs(px - bx) + math.abs(py - by) + math.abs(pz - bz), 0, 4 * slack, what)
				hit, at, nx, _, _, px, py, pz = d3.cast(b, to, -way, 0, 0, a, from)
				lu.assertTrue(hit, what)
				near(at, t, slack, what)
				near(nx, -1, slack, what)
				near(math.abs(px - ax) + math.abs(py - ay) + math.abs(pz - az), 0, 4 * slack, what)
			end
		end
	end
end

-- Any pair of kinds, including the half-space: moving by the distance along the normal ends in a hit, by the cast, the GJK cast and the time of impact;
-- overlapping shapes are separated by the depth along the normal.
function TestSpaceCast.test_any_pair_has_a_distance_a_depth_a_cast_and_a_time_of_impact()
	local apart, deep, seen = 0, 0, {}
	each_pair(76, 1500, {}, function(a, pa, b, pb, what, number, pick)
		local function half_space() return d3.halfSpace(number(-1, 1), number(-1, 1), number(0.1, 1), number(-6, 0)) end
		if pick(8) == 1 then a = half_space() end
		if a:getType() ~= "halfSpace" and pick(8) == 1 then b = half_space() end
		seen[a:getType() .. b:getType()] = true
		local size = (a:getType() == "halfSpace" and 0 or size_of(a)) + (b:getType() == "halfSpace" and 0 or size_of(b))
		local slack = 1e-6 * size
		local d, nx, ny, nz = d3.distance(a, pa, b, pb)
		if d <= 0 then
			deep = deep + 1
			near(d3.distance(a, moved(pa, d * nx, d * ny, d * nz), b, pb), 0, slack, what)
			return
		end
		apart = apart + 1
		for _, cast in ipairs { d3.cast, d3.gjkCast } do
			local hit, t = cast(a, pa, 2 * d * nx, 2 * d * ny, 2 * d * nz, b, pb)
			check(hit, what)
			near(t * 2 * d, d, slack, what)
			check(not cast(a, pa, -2 * d * nx, -2 * d * ny, -2 * d * nz, b, pb), what)
		end
		local state, t = d3.timeOfImpact(a, pa, moved(pa, 2 * d * nx, 2 * d * ny, 2 * d * nz), b, pb, pb)
		lu.assertEquals(state, "hit", what)
		near(t * 2 * d, d, 2 * slack, what)
		lu.assertEquals((d3.timeOfImpact(a, pa, moved(pa, -2 * d * nx, -2 * d * ny, -2 * d * nz), b, pb, pb)), "separated", what)
	end)
	local count = 0
	for _ in pairs(seen) do count = count + 1 end
	check(apart > 300 and deep > 100 and count == 10 * 10 + 2 * 10, count .. " kinds")
end

-- A shape with children is hit where the first child is.
local function children(number, pick)
	local mesh, field, corners = grounds(number, 6, 6, 0.6)
	local triangles, parts = {}, {}
	for i, c in ipairs(corners) do triangles[i] = { shape = d3.triangle(c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]) } end
	for i = 1, 8 do
		parts[i] = { shape = new_shape(kinds[pick(#kinds)], 0.7, number, pick), pose = d3.pose(number(0, 6), number(-3, 3), number(0, 6)) }
	end
	return { { mesh, triangles }, { field, triangles }, { d3.compound(parts), parts } }
end

function TestSpaceCast.test_children_by_brute_force()
	local number, pick = random_numbers(77)
	local hits, misses = 0, 0
	for _ = 1, 2 do
		for _, case in ipairs(children(number, pick)) do
			for _ = 1, 25 do
				local shape, own = case[1], new_shape(kinds[pick(#kinds)], 0.5, number, pick)
				local x, y, z = number(-1, 6), number(-4, 4), number(-1, 6)
				local from = d3.pose(x, y, z, rotation(number))
				local dx, dy, dz = number(-4, 4), -y * number(0, 2), number(-4, 4)
				local first = math.huge
				for _, part in ipairs(case[2]) do
					local hit, t = d3.cast(own, from, dx, dy, dz, part.shape, part.pose)
					if hit then first = math.min(first, t) end
				end
				local hit, t = d3.cast(own, from, dx, dy, dz, shape, nil)
				local hit2, t2 = d3.cast(shape, nil, -dx, -dy, -dz, own, from)
				check(hit == hit2 and t == t2, "symmetric")
				local hit3, t3 = d3.bisection(own, from, dx, dy, dz, shape, nil, 1e-7)
				lu.assertEquals(hit, first < math.huge)
				if hit then
					hits = hits + 1
					-- A compound's children are rounded to floats at their poses.
					near(t, first, 1e-5, "t")
					check(hit3, "bisection")
					near(t3, t, 1e-5, "bisection")
				else
					misses = misses + 1
				end
			end
		end
	end
	check(hits > 50 and misses > 20, hits .. " hits, " .. misses .. " misses")
end

-- Testing single poses would miss a thin wall; the swept test is monotone. Starting inside: 0.
function TestSpaceCast.test_E41_E42_bisection_by_the_sweep()
	local ball, wall = d3.sphere(0.1), d3.triangle(0, -1, -1, 0, 2, -1, 0, -1, 2)
	local hit, t, iterations = d3.bisection(ball, d3.pose(-3, 0, 0), 100, 0, 0, wall, nil, 1e-6)
	lu.assertTrue(hit)
	near(t * 100, 2.9, 1.1e-6, "t")
	lu.assertTrue(t * 100 <= 2.9 + 1e-8)
	lu.assertEquals(iterations, 2 + math.ceil(math.log(100 / 1e-6) / math.log(2)))
	lu.assertEquals({ d3.bisection(ball, d3.pose(-3, 0, 0), 2, 0, 0, wall) }, { false, 1, 2 })
	lu.assertEquals({ d3.bisection(ball, nil, 2, 0, 0, wall) }, { true, 0, 1 })
	-- d . m = 0: either pose has the support point; a path across the face must not be lost.
	local box = d3.box(2, 2, 2)
	lu.assertTrue((d3.bisection(box, nil, 10, 0, 0, box, d3.pose(5, 2, 0))))
	lu.assertTrue((d3.cast(box, nil, 10, 0, 0, box, d3.pose(5, 2, 0))))
	lu.assertFalse((d3.bisection(box, nil, 10, 0, 0, box, d3.pose(5, 2.001, 0))))
end

-- A motion that starts 1e-16 apart and enters is hit immediately: neither missed nor hit on leaving.
function TestSpaceCast.test_starts_touching()
	local hull = d3.hull({ 2, 1, -2, 1.2176599783235593, -1.0625795529046838, -1.5045765050216295, -1, -2, 0.5, 2, 0.96465650044015216, -1 }, 0.43241567105815)
	local ball = d3.sphere(1.4556136568968241)
	local start = d3.pose(-0.036800620136113071, -0.91343404415341078, -0.096529481063695854,
		-0.059471242259646839, -0.51581067084041843, -0.036211076865252378, 0.25275112628517871)
	local still = d3.pose(-1.8905970775872387, 0.84287065646492454, -0.57996932943302215)
	local rod = d3.capsule(-200, 0, -81.686226551444733, 0, 17.714261563698173, 100, 50)
	local segment = d3.segment(-177.50594896404354, -111.76424191400555, 117.41646466817835, 200, 162.70501002621481, 50)
	local from, to = d3.pose(200, -31.527963487203039, 200), d3.pose(220.4719648590322, -64.432451633668975, 180.67264466364469)
	for _, case in ipairs({ { ball, start, hull, still, -5.0917717716597597, -3, -1.2507080223982872 },
		{ rod, from, segment, to, 0.04660788073131808, -0.031578606307085873, -0.035448206638292221 } }) do
		local a, pose_a, b, pose_b, x, y, z = case[1], case[2], case[3], case[4], case[5], case[6], case[7]
		local hit, t = d3.cast(a, pose_a, x, y, z, b, pose_b)
		check(hit and t < 1e-9, "t")
		hit, t = d3.cast(b, pose_b, -x, -y, -z, a, pose_a)
		check(hit and t < 1e-9, "t of the reverse")
	end
end

-- A ball that stops just before a triangle's corner does not hit it. A hit of another triangle limits the path.
function TestSpaceCast.test_stops_before_a_triangle()
	local number = random_numbers(47)
	local corner, ball = d3.triangle(0, 0, 0, 1, 0, 1, 1, 0, -1), d3.sphere(1)
	local entry = 1.2 - math.sqrt(1 - 0.3 ^ 2)
	for _, part in ipairs { 0.9, 0.99, 0.995, 0.999, 1 - 1e-9 } do
		check(not d3.cast(ball, d3.pose(-1.2, 0.3, 0), part * entry, 0, 0, corner), ("part %g of the way: a hit"):format(part))
	end
	near((select(2, d3.cast(ball, d3.pose(-1.2, 0.3, 0), 2 * entry, 0, 0, corner))), 0.5, 1e-7, "twice the way")
	for round = 1, 10000 do
		local mesh = d3.mesh({ 0, number(-0.2, 0.2), 0, 0, number(-0.2, 0.2), 1, 1, number(-0.2, 0.2), 1, 1, 0, 0 }, { 1, 2, 3, 1, 3, 4 })
		local radius = 10 ^ number(-1, 1)
		local moving, x, y, z = d3.sphere(radius), number(-2, 2) * radius, number(-2, 2) * radius, number(-2, 2) * radius
		local dx, dy, dz = 2 * (number(-0.5, 1.5) - x), 2 * (number(-0.5, 0.5) - y), 2 * (number(-0.5, 1.5) - z)
		local hit, t = d3.cast(moving, d3.pose(x, y, z), dx, dy, dz, mesh)
		if hit and t > 0 then
			near((d3.distance(moving, d3.pose(x + t * dx, y + t * dy, z + t * dz), mesh)), 0, 1e-6 * (1 + radius), "round " .. round)
		end
	end
end

-- --- Times of impact -------------------------------------------------------------------------------------------------------------

TestSpaceTimeOfImpact = {}

local space = { d = d3, axes = 3, size_of = size_of, moved = moved, pose_at = pose_at, slack = 5e-7 }

-- Float errors of poses and shapes add to the tolerance.
function TestSpaceTimeOfImpact.test_leaves_a_gap_and_nothing_touches_before()
	local tally = toolbox.new_tally()
	each_pair(81, 900, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local ax, ay, az = pa:getPosition()
		local bx, by, bz = pb:getPosition()
		-- Roughly towards each other.
		local function later(pose, sign)
			local part = sign * number(0, 1)
			local dx, dy, dz = part * (bx - ax) + number(-1, 1) * size / 2, part * (by - ay) + number(-1, 1) * size / 2, part * (bz - az)
			return turned(pose, dx, dy, dz, number(-3, 3), direction(number))
		end
		local pa1, pb1 = later(pa, 1), later(pb, -1)
		toolbox.check_impact(space, tally, a, pa, pa1, b, pb, pb1, what)
	end)
	toolbox.check_tally(tally, 200, 100, 100)
end

-- The least distance of the whole motion is one of the tolerances' order, at random.
function TestSpaceTimeOfImpact.test_grazing()
	local gaps, tally = toolbox.grazes, toolbox.new_tally()
	each_pair(83, 350, { low = 0.1, high = 10 }, function(a, pa, b, pb, what, number, pick)
		local size = size_of(a) + size_of(b)
		local function later(pose, angle)
			return turned(pose, number(-1, 1) * size, number(-1, 1) * size, number(-1, 1) * size, angle, direction(number))
		end
		local pa1, pb1 = later(pa, number(-3, 3)), later(pb, pick(3) == 1 and 0 or number(-3, 3))
		toolbox.check_graze(space, tally, a, pa, pa1, b, pb, pb1, gaps[pick(#gaps)], what)
	end)
	toolbox.check_tally(tally, 50, 50, 200)
end

-- Shapes that orbit at a constant distance, ride on a common carousel, or spin about their axis or on a face rest in some frame. First-order steps would all be
-- as small as the separation.
function TestSpaceTimeOfImpact.test_at_a_constant_distance()
	local identity, half = d3.pose(0, 0, 0), turned(d3.pose(0, 0, 0), 0, 0, 0, 3, 0, 1, 0)
	for _, gap in ipairs { 2e-6, 1e-5 } do
		local function ends(...)
			local state, _, _, _, _, _, _, _, iterations = d3.conservativeAdvancement(...)
			lu.assertEquals(state, "separated")
			check(iterations <= 6, iterations .. " iterations")
		end
		ends(d3.box(2, 2, 2, { x = 5 }), nil, half, d3.box(2, 2, 2, { x = 7 + gap }), nil, half)
		ends(d3.sphere(0.25, 1.25 + 2 * gap, 0, 0), nil, half, d3.sphere(1), identity, identity)
		ends(d3.sphere(0.25, 5, 0, 0), d3.pose(0, 5, 0), turned(d3.pose(0, 5, 0), 0, 0, 0, 3, 0, 1, 0), d3.sphere(4.75 - gap, 3, 4, 0), d3.pose(-3, 1, 0),
			d3.pose(-3, 1, 0))
		ends(d3.cylinder(1, 2), nil, half, d3.box(2, 2, 2), d3.pose(2 + gap, 0, 0), d3.pose(2 + gap, 0, 0))
		ends(d3.box(2, 2, 2), nil, half, d3.box(6, 2, 6), d3.pose(0, -2 - gap, 0), d3.pose(1, -2 - gap, 0))
	end
end

-- Edges that are almost parallel: the normal rotates faster than either of them.
function TestSpaceTimeOfImpact.test_edges_that_are_almost_parallel()
	local rod = d3.box(4, 0.2, 0.2, { qx = math.sin(math.pi / 8), qy = 0, qz = 0, qw = math.cos(math.pi / 8) })
	for i = 1, 60 do
		local tilt = 0.02 * i / 60
		local pb, pb1 = turned(d3.pose(0, 1, 0), 0, 0, 0, tilt, 0, 1, 0), turned(d3.pose(0, -1, 0), 0, 0, 0, -0.3, 0, 1, 0)
		local state, t, _, _, _, _, _, _, iterations = d3.conservativeAdvancement(rod, nil, nil, rod, pb, pb1)
		lu.assertEquals(state, "hit")
		check(t > 0.3 and t < 0.5 and iterations < 30, iterations .. " iterations")
	end
end

-- Without rotation it is the cast.
function TestSpaceTimeOfImpact.test_without_rotation_it_is_the_cast()
	each_pair(82, 600, { far = 1e6 }, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy, dz = number(-2, 2) * size, number(-2, 2) * size, number(-2, 2) * size
		local length = math.sqrt(dx * dx + dy * dy + dz * dz)
		local hit, t, nx, ny, nz = d3.cast(a, pa, dx, dy, dz, b, pb)
		local state, t2 = d3.timeOfImpact(a, pa, moved(pa, dx, dy, dz), b, pb, pb)
		local cosine = hit and t > 0 and (nx * dx + ny * dy + nz * dz) / length or 1
		if cosine < 1e-2 then return end
		lu.assertEquals(state == "hit" or state == "overlapping", hit, what)
		if hit then near(t2, t, 1e-6 * size / (cosine * length) + 1e-9, what) end
	end)
end

-- A receding shape misses; an approaching one hits, at the exact time; one that recedes and rotates may still hit.
function TestSpaceTimeOfImpact.test_E15_the_sum_decides()
	local box = d3.box(2, 2, 2)
	local still = d3.pose(6, 0, 0)
	local state, t, nx = d3.timeOfImpact(box, nil, d3.pose(8, 0, 0), box, still, still)
	lu.assertEquals({ state, nx }, { "hit", 1 })
	near(t, 0.5, 1e-6, "t")
	local iterations
	state, t, _, _, _, _, _, _, iterations = d3.conservativeAdvancement(box, nil, d3.pose(-8, 0, 0), box, still, still)
	lu.assertEquals({ state, t, iterations }, { "separated", 1, 1 })
	-- The centre of the rod recedes by 1; its end swings around and hits.
	local rod, upright = d3.box(8, 0.2, 0.2), turned(d3.pose(0, 0, 0), 0, 0, 0, math.pi / 2, 0, 0, 1)
	state, t = d3.timeOfImpact(rod, upright, d3.pose(-1, 0, 0), d3.sphere(0.5), d3.pose(2, 0, 0), d3.pose(2, 0, 0))
	lu.assertEquals(state, "hit")
	lu.assertTrue(t > 0 and t < 1)
end

function TestSpaceTimeOfImpact.test_E16_ends_and_says_when_it_starts_overlapping()
	local box, far = d3.box(2, 2, 2), d3.pose(5, 0, 0)
	local state, t, nx = d3.timeOfImpact(box, nil, nil, box, d3.pose(1, 0, 0), d3.pose(9, 0, 0))
	lu.assertEquals({ state, t, nx }, { "overlapping", 0, 1 })
	lu.assertEquals((d3.timeOfImpact(box, nil, nil, box, far, far)), "separated")
	-- Sliding along at almost no distance is no hit; nor is separating from it.
	local close = d3.pose(2 + 1e-9, 0, 0)
	lu.assertEquals((d3.timeOfImpact(box, nil, d3.pose(0, 5, 0), box, close, close)), "separated")
	lu.assertEquals((d3.timeOfImpact(box, nil, d3.pose(-5, 0, 0), box, close, close)), "separated")
	lu.assertEquals((d3.timeOfImpact(box, nil, d3.pose(5, 0, 0), box, close, close)), "hit")
	-- The tolerance scales with the size.
	for _, scale in ipairs { 1e-3, 1, 1e3 } do
		local small, there = d3.box(2 * scale, 2 * scale, 2 * scale), d3.pose(6 * scale, 0, 0)
		state, t = d3.timeOfImpact(small, nil, d3.pose(8 * scale, 0, 0), small, there, there)
		lu.assertEquals(state, "hit")
		near(t, 0.5, 1e-6, "t")
	end
	-- About the pose's origin: a long arm sweeps far.
	local arm, peg = d3.sphere(0.5, 10, 0, 0), d3.pose(10.5, 0, 0)
	local from, to = turned(d3.pose(0, 0, 0), 0, 0, 0, -0.2, 0, 1, 0), turned(d3.pose(0, 0, 0), 0, 0, 0, 0.2, 0, 1, 0)
	lu.assertEquals((d3.timeOfImpact(arm, from, to, d3.sphere(0.5), peg, peg)), "hit")
end

-- A thin rod that rotates by 170 degrees about its middle, past a peg, without translation: tests of poses would miss the peg.
function TestSpaceTimeOfImpact.test_E18_E33_what_spins_does_not_tunnel()
	local rod, peg, at = d3.box(10, 0.01, 0.01), d3.sphere(0.01), d3.pose(0, 4, 0)
	local after = turned(d3.pose(0, 0, 0), 0, 0, 0, 170 / 180 * math.pi, 0, 0, 1)
	local state, t = d3.timeOfImpact(rod, nil, after, peg, at, at)
	lu.assertEquals(state, "hit")
	-- asin((0.005 + 0.01) / 4) before the vertical
	near(t, (90 - math.deg(math.asin(0.015 / 4))) / 170, 1e-6, "t")
	lu.assertFalse((d3.cast(rod, nil, 0.5, 0, 0, peg, at)))
	-- The shorter rotation: by 170 degrees, not by 190, with which the other end would hit.
	local back = turned(d3.pose(0, 0, 0), 0, 0, 0, 190 / 180 * math.pi, 0, 0, 1)
	state, t = d3.timeOfImpact(rod, nil, back, peg, at, at)
	lu.assertEquals(state, "hit")
	near(t, (90 - math.deg(math.asin(0.015 / 4))) / 170, 1e-6, "t")
end

-- A rod of length 2 makes a quarter turn about its end onto a wall of height 1, which it hits at the angle asin(1/2): 30 of 90 degrees. Or the wall rotates.
function TestSpaceTimeOfImpact.test_a_turning_rod_by_hand()
	local origin = d3.pose(0, 0, 0)
	local rod, wall = d3.segment(0, 0, 0, 2, 0, 0), d3.halfSpace(0, -1, 0, -1)
	local state, t, nx, ny, nz = d3.timeOfImpact(rod, nil, turned(origin, 0, 0, 0, math.pi / 2, 0, 0, 1), wall, nil, nil)
	lu.assertEquals({ state, nx, ny, nz }, { "hit", 0, 1, 0 })
	near(t, 1 / 3, 1e-6, "t")
	local ball = d3.pose(10, 6, 0)
	state, t = d3.timeOfImpact(d3.halfSpace(0, 1, 0, 0), nil, turned(origin, 0, 0, 0, math.pi / 4, 0, 0, 1), d3.sphere(1), ball, ball)
	lu.assertEquals(state, "hit")
	-- 6 cos q - 10 sin q = 1
	near(t, (math.acos(1 / math.sqrt(136)) - (math.atan2 or math.atan)(10, 6)) / (math.pi / 4), 1e-6, "t")
	-- Two half-spaces that do not rotate alike hit immediately; two that do stay separated.
	local sky = d3.halfSpace(0, -1, 0, -2)
	lu.assertEquals((select(2, d3.timeOfImpact(d3.halfSpace(0, 1, 0, 0), nil, nil, sky, nil, turned(origin, 0, 0, 0, 0.1, 1, 0, 0)))), 0)
	lu.assertEquals((d3.timeOfImpact(d3.halfSpace(0, 1, 0, 0), nil, nil, sky, nil, d3.pose(50, -1, 0))), "separated")
end

function TestSpaceTimeOfImpact.test_children_by_brute_force()
	local number, pick = random_numbers(84)
	local hits, misses = 0, 0
	for _, case in ipairs(children(number, pick)) do
		for round = 1, 20 do
			local shape, own = case[1], new_shape(kinds[pick(#kinds)], 0.5, number, pick)
			local x, y, z = number(-1, 6), number(-4, 4), number(-1, 6)
			local from = d3.pose(x, y, z, rotation(number))
			local to = turned(from, number(-3, 3), -y * number(0, 2), number(-3, 3), number(-3, 3), direction(number))
			local origin, still = d3.pose(0, 0, 0), round % 2 == 0
			local after = still and origin or turned(origin, number(-1, 1), number(-1, 1), 0, number(-1, 1), direction(number))
			local first = math.huge
			for _, part in ipairs(case[2]) do
				-- A child rotates about the origin of the whole.
				local child = part.pose and d3.transform(part.shape, part.pose) or part.shape
				local state, t = d3.timeOfImpact(own, from, to, child, origin, after)
				if state ~= "separated" then first = math.min(first, t) end
			end
			local state, t = d3.timeOfImpact(own, from, to, shape, origin, after)
			check(state ~= "failed", "failed")
			if first < math.huge then
				hits = hits + 1
				check(state == (first == 0 and "overlapping" or "hit"), state)
				near(t, first, 1e-5, "t")
			else
				misses = misses + 1
				lu.assertEquals(state, "separated")
			end
		end
	end
	check(hits > 20 and misses > 10, hits .. " hits, " .. misses .. " misses")
end

-- The iterations on request: t grows, and each distance is the one at t.
function TestSpaceTimeOfImpact.test_steps()
	local a, b = d3.box(2, 2, 2), d3.box(1, 3, 1)
	local pa, pb = d3.pose(0, 0, 0), d3.pose(6, 0, 0)
	local pa1 = turned(pa, 8, 0, 0, 2, 0.6, 0, 0.8)
	local state, t, nx, ny, nz, _, _, _, iterations, steps = d3.conservativeAdvancement(a, pa, pa1, b, pb, pb, { steps = true })
	lu.assertEquals({ state, #steps }, { "hit", iterations })
	local last = steps[#steps]
	lu.assertEquals({ steps[1].t, last.t, last.nx, last.ny, last.nz }, { 0, t, nx, ny, nz })
	for i, step in ipairs(steps) do
		near(d3.distance(a, pose_at(pa, pa1, step.t), b, pb), step.distance, 1e-6, "step " .. i)
		if i > 1 then check(step.t > steps[i - 1].t, "t grows") end
	end
end

-- A motion that starts in contact, to rounding, ends before the iterations run out.
function TestSpaceTimeOfImpact.test_touching_but_for_rounding()
	local a, b = d3.box(0.895066202, 0.895066202, 0.898238182), d3.box(1.064942002, 1.064942002, 1.064942002)
	local x, y, z = -580.53861491981309, -22.932277915922228, -272.46606995367142
	local half = 0.70710676908493042
	local from = d3.pose(x, y, z, 0, 0, half, half)
	local at = { -579.55860738744991, -22.932277915866376, -272.46607743900387 }
	local start = d3.pose(at[1], at[2], at[3], 7.4616937126847915e-06, 3.8190178202057723e-06, 0, 1)
	local number = random_numbers(93)
	for i = 1, 120 do
		local way = i % 3 == 0 and 1 or 0
		local to = d3.pose(x + number(-way, way), y + number(-way, way), z + number(-way, way), half, 0, 0, half)
		local turned = d3.pose(at[1], at[2], at[3], number(-way, way), number(-way, way), number(-way, way), 1)
		local state = d3.timeOfImpact(a, from, to, b, start, turned)
		check(state ~= "failed", state)
	end
end

TestCompoundImpact = {}

-- One child is in contact to rounding, another one deep inside: the overlap is reported, whichever child is tested first.
function TestCompoundImpact.test_d3_overlap_of_a_later_child_is_reported()
	local a = d3.compound { d3.box(2, 2, 2), { shape = d3.box(2, 2, 2), pose = d3.pose(5, 0, 0) } }
	local b = d3.compound { { shape = d3.sphere(1), pose = d3.pose(0, 2, 0) }, { shape = d3.box(1, 1, 1), pose = d3.pose(5, 0, 0) } }
	for _, gap in ipairs { 0, 1e-14, 1e-12, 1e-9 } do
		local place = d3.pose(0, gap, 0)
		lu.assertEquals((d3.timeOfImpact(a, nil, d3.pose(0, 1, 0), b, place, place)), "overlapping")
		lu.assertEquals((d3.timeOfImpact(b, place, place, a, nil, d3.pose(0, 1, 0))), "overlapping")
	end
end
