-- Shared by the tests of 3D geometry: random solids and poses, and a brute-force distance that is independent of the engine.
--
-- Along a direction n two convex sets have the separation s(n) = min n.b - max n.a. The maximum of s(n) over all unit n is their signed distance, both when
-- they are separated (along the closest points) and when they overlap (the least translation that separates them). Between two sets of corners the maximum is
-- at the normal of a face, across two edges, from a corner to an edge or along the line of two corners. With round shapes it is approached from below by
-- sampling and hill climbing.
local d3 = require("collide").d3
local random_numbers = require("support").random_numbers

local solids = {}

-- Vectors ---------------------------------------------------------------------------------------------------------------------------

local sqrt, abs, max, min = math.sqrt, math.abs, math.max, math.min

function solids.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
function solids.add(a, s, b) return { a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3] } end
function solids.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function solids.cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
function solids.scale(s, a) return { s * a[1], s * a[2], s * a[3] } end
function solids.length(a) return sqrt(solids.dot(a, a)) end
function solids.unit(a) return solids.scale(1 / solids.length(a), a) end
local sub, add, dot, cross = solids.sub, solids.add, solids.dot, solids.cross

-- The columns of the rotation of a quaternion of any length.
local function rotation(x, y, z, w)
	local l = x * x + y * y + z * z + w * w
	local s = 2 / l
	return { { 1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y) },
		{ s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x) },
		{ s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y) } }
end

local function turn(q, p)
	return { q[1][1] * p[1] + q[2][1] * p[2] + q[3][1] * p[3], q[1][2] * p[1] + q[2][2] * p[2] + q[3][2] * p[3],
		q[1][3] * p[1] + q[2][3] * p[2] + q[3][3] * p[3] }
end

-- Sets ------------------------------------------------------------------------------------------------------------------------------

-- { kind, sizes, place } of each round shape: getPoints does not return them.
local round = setmetatable({}, { __mode = "k" })

-- The shape as a convex set in world coordinates.
function solids.set_of(shape, pose)
	local x, y, z, qx, qy, qz, qw = 0, 0, 0, 0, 0, 0, 1
	if pose then x, y, z, qx, qy, qz, qw = pose:getTransform() end
	local set = { p = { x, y, z }, q = rotation(qx, qy, qz, qw), radius = shape:getRadius() }
	local own = round[shape]
	if own then
		set.kind, set.sizes, set.radius = own.kind, own.sizes, 0
		set.p = add(set.p, 1, turn(set.q, own.place))
		return set
	end
	local points = shape:getPoints()
	for i = 1, #points, 3 do
		set[#set + 1] = add(set.p, 1, turn(set.q, { points[i], points[i + 1], points[i + 2] }))
	end
	return set
end

-- max n.p over the set, n a unit vector
local function extent(set, nx, ny, nz)
	local far = -math.huge
	if not set.kind then
		for i = 1, #set do
			local p = set[i]
			local along = nx * p[1] + ny * p[2] + nz * p[3]
			if along > far then far = along end
		end
		return far + set.radius
	end
	local q, p, s = set.q, set.p, set.sizes
	local x, y, z = q[1][1] * nx + q[1][2] * ny + q[1][3] * nz, q[2][1] * nx + q[2][2] * ny + q[2][3] * nz, q[3][1] * nx + q[3][2] * ny + q[3][3] * nz
	local middle, across = nx * p[1] + ny * p[2] + nz * p[3], sqrt(x * x + z * z)
	if set.kind == "cylinder" then return middle + s[1] * across + s[2] * abs(y) end
	if set.kind == "cone" then return middle + max(s[2] * y, s[1] * across - s[2] * y) end
	if set.kind == "tapered capsule" then return middle + max(s[1] - s[3] * y, s[2] + s[3] * y) end
	return middle + sqrt((s[1] * x) ^ 2 + (s[2] * y) ^ 2 + (s[3] * z) ^ 2)
end

function solids.separation(A, B, n)
	return -extent(B, -n[1], -n[2], -n[3]) - extent(A, n[1], n[2], n[3])
end
local separation = solids.separation

-- Distance of p outside the set, by sampled directions: 0 or less inside.
function solids.outside(set, p, number)
	local most = -math.huge
	for _ = 1, 20 do
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local l = sqrt(x * x + y * y + z * z)
		if l > 0.1 then most = max(most, (x * p[1] + y * p[2] + z * p[3]) / l - extent(set, x / l, y / l, z / l)) end
	end
	return most
end

-- Brute force -----------------------------------------------------------------------------------------------------------------------

local function try(best, A, B, n)
	local l = sqrt(dot(n, n))
	if l < 1e-13 then return best end
	local m = { n[1] / l, n[2] / l, n[3] / l }
	return max(best, separation(A, B, m), separation(A, B, { -m[1], -m[2], -m[3] }))
end

-- A direction perpendicular to v.
local function across(v)
	local x, y, z = abs(v[1]), abs(v[2]), abs(v[3])
	return cross(v, x <= y and x <= z and { 1, 0, 0 } or y <= z and { 0, 1, 0 } or { 0, 0, 1 })
end

local function by_corners(A, B)
	local best = -math.huge
	for _, set in ipairs { A, B } do
		local other = set == A and B or A
		for i = 1, #set do
			for k = 1, i - 1 do
				local u = sub(set[i], set[k])
				local square = dot(u, u)
				for l = 1, k - 1 do best = try(best, A, B, cross(u, sub(set[l], set[k]))) end
				for l = 1, #other do
					local w = sub(other[l], set[k])
					best = try(best, A, B, add(w, -dot(w, u) / square, u))
				end
				if #set == 2 then best = try(best, A, B, across(u)) end
			end
		end
	end
	for i = 1, #A do
		for k = 1, #B do
			best = try(best, A, B, sub(B[k], A[i]))
			for l = 1, i - 1 do
				for m = 1, k - 1 do best = try(best, A, B, cross(sub(A[i], A[l]), sub(B[k], B[m]))) end
			end
		end
	end
	if best == -math.huge then best = -A.radius - B.radius end
	return best
end

-- Hill climbing from n: goes on while a step to one of eight sides increases the separation.
local function climb(A, B, n, value)
	local step = 0.1
	while step > 1e-5 do
		local u = across(n)
		local l = sqrt(dot(u, u))
		u = { u[1] / l, u[2] / l, u[3] / l }
		local v, better = cross(n, u), false
		for k = 0, 7 do
			local c, s = step * math.cos(k * math.pi / 4), step * math.sin(k * math.pi / 4)
			local m = add(add(n, c, u), s, v)
			l = sqrt(dot(m, m))
			m = { m[1] / l, m[2] / l, m[3] / l }
			local now = separation(A, B, m)
			if now > value then
				n, value, better = m, now, true
				break
			end
		end
		step = better and min(step * 1.5, 0.2) or step / 2
	end
	return value
end

local function by_sampling(A, B)
	local count, tops = 300, {}
	local function consider(n)
		tops[#tops + 1] = { n = n, value = separation(A, B, n) }
	end
	for i = 0, count - 1 do
		local z, q = 1 - (2 * i + 1) / count, i * 2.399963229728653
		local r = sqrt(1 - z * z)
		consider { r * math.cos(q), r * math.sin(q), z }
	end
	for _, set in ipairs { A, B } do
		for k = 1, 3 do
			consider(set.q[k])
			consider { -set.q[k][1], -set.q[k][2], -set.q[k][3] }
		end
	end
	table.sort(tops, function(a, b) return a.value > b.value end)
	local best = tops[1].value
	for i = 1, 3 do best = max(best, climb(A, B, tops[i].n, tops[i].value)) end
	return best
end

-- The signed distance of two convex shapes, no half-spaces, and whether it is exact or only a close lower bound.
function solids.brute_distance(a, pose_a, b, pose_b)
	local A, B = solids.set_of(a, pose_a), solids.set_of(b, pose_b)
	if A.kind or B.kind then return by_sampling(A, B), false end
	return by_corners(A, B), true
end

-- Random ----------------------------------------------------------------------------------------------------------------------------

-- Half of the longest side of its AABB.
function solids.size_of(shape)
	local x1, y1, z1, x2, y2, z2 = d3.aabb(shape)
	return max(x2 - x1, y2 - y1, z2 - z1) / 2
end

solids.pointed = { "sphere", "capsule", "segment", "triangle", "box", "rounded box", "hull", "rounded hull" }
solids.round = { "cylinder", "cone", "ellipsoid", "ball", "tapered capsule" }
solids.kinds = {}
for _, list in ipairs { solids.pointed, solids.round } do
	for _, kind in ipairs(list) do solids.kinds[#solids.kinds + 1] = kind end
end

-- A float near x, with 22 or 23 bits.
local function float(x)
	if x == 0 then return 0 end
	local unit = 2 ^ (math.floor(math.log(abs(x)) / math.log(2)) - 22)
	return math.floor(x / unit + 0.5) * unit
end

local function new_round(kind, size, number, pick)
	local a, b, c = float(size * number(0.2, 1)), float(size * number(0.2, 1)), float(size * number(0.2, 1))
	local place = pick(2) == 1 and { float(size * number(-1, 1)), float(size * number(-1, 1)), float(size * number(-1, 1)) } or { 0, 0, 0 }
	local options = { x = place[1], y = place[2], z = place[3] }
	local shape
	if kind == "cylinder" or kind == "cone" then
		shape = d3[kind](a, 2 * b, options)
		round[shape] = { kind = kind, sizes = { a, b, a }, place = place }
		return shape
	end
	if kind == "tapered capsule" then
		-- Along y, from the end of radius a at -h to that of radius b at h. h is exact, as the radii are.
		local h = float(max(c, abs(a - b)))
		shape = d3.taperedCapsule(0, -h, 0, a, 0, h, 0, b)
		if options.x ~= 0 or options.y ~= 0 then
			place[1], place[2], place[3] = float(place[1]), 0, float(place[3])
			shape = d3.taperedCapsule(place[1], -h, place[3], a, place[1], h, place[3], b)
		end
		round[shape] = { kind = kind, sizes = { a, b, h }, place = place }
		return shape
	end
	if kind == "ball" then b, c = a, a elseif pick(3) == 1 then c = a end
	shape = d3.ellipsoid(a, b, c, options)
	round[shape] = { kind = "ellipsoid", sizes = { a, b, c }, place = place }
	return shape
end

-- A shape of the kind, about as large as size.
function solids.new_solid(kind, size, number, pick)
	local function at() return size * number(-1, 1) end
	local function place()
		return { x = at() / 4, y = at() / 4, z = at() / 4, qx = number(-1, 1), qy = number(-1, 1), qz = number(-1, 1), qw = 1 }
	end
	if kind == "sphere" then return d3.sphere(size * number(0.1, 1), at() / 2, at() / 2, at() / 2) end
	if kind == "capsule" then return d3.capsule(at(), at(), at(), at(), at(), at(), size * number(0.05, 0.5)) end
	if kind == "segment" then return d3.segment(at(), at(), at() - size, at(), at(), at() + size * 1.1) end
	if kind == "triangle" then return d3.triangle(at(), at(), -size, at() + size, at(), size, at() - size, at(), size) end
	if kind == "box" then
		return d3.box(size * number(0.2, 2), size * number(0.2, 2), size * number(0.2, 2), pick(2) == 1 and place() or nil)
	end
	if kind == "rounded box" then
		return d3.box(size * number(0.5, 2), size * number(0.5, 2), size * number(0.5, 2), { radius = size * number(0.01, 0.2) })
	end
	if kind == "hull" or kind == "rounded hull" then
		local points = { size, 0, 0, -size / 2, size, 0, -size / 2, -size, 0, 0, 0, size }
		for i = 13, 12 + 3 * (pick(4) - 1) do points[i] = at() end
		return d3.hull(points, kind == "rounded hull" and size * number(0.02, 0.3) or nil)
	end
	return new_round(kind, size, number, pick)
end

-- The quaternion that a pose was made from: the one that the pose returns is rounded to floats, and would be rounded again.
local turns = setmetatable({}, { __mode = "k" })

function solids.new_pose(x, y, z, qx, qy, qz, qw)
	local pose = d3.pose(x, y, z, qx, qy, qz, qw)
	turns[pose] = { qx, qy, qz, qw }
	return pose
end

-- A pose with the rotation of `pose` (from new_pose) at another position.
function solids.placed(pose, x, y, z)
	local q = turns[pose]
	return solids.new_pose(x, y, z, q[1], q[2], q[3], q[4])
end

function solids.moved(pose, dx, dy, dz)
	local x, y, z = pose:getPosition()
	return solids.placed(pose, x + dx, y + dy, z + dz)
end

-- Calls f(a, pose_a, b, pose_b, what, number, pick) with random pairs, about half of which overlap. options: low, high (sizes), kinds,
-- straight (axis-aligned)
function solids.each_pair(seed, rounds, options, f)
	local number, pick = random_numbers(seed)
	local low, high, kinds = options.low or 0.3, options.high or 3, options.kinds or solids.kinds
	for i = 1, rounds do
		local sa, sb = low * (high / low) ^ number(0, 1), low * (high / low) ^ number(0, 1)
		local kind_a, kind_b = kinds[pick(#kinds)], kinds[pick(#kinds)]
		local a, b = solids.new_solid(kind_a, sa, number, pick), solids.new_solid(kind_b, sb, number, pick)
		-- A third of the pairs are axis-aligned, some of them one above the other or at one position.
		local straight, reach = options.straight or pick(3) == 1, (sa + sb) * number(0, 1.5)
		local above = straight and pick(3)
		local function pose(x, y, z)
			if straight then return solids.new_pose(x, y, z, 0, 0, 0, 1) end
			return solids.new_pose(x, y, z, number(-1, 1), number(-1, 1), number(-1, 1), number(0.05, 1))
		end
		local x, y, z = reach * number(-1, 1), reach * number(-1, 1), reach * number(-1, 1)
		if above == 2 then x, z = 0, 0 elseif above == 3 then x, y, z = 0, 0, 0 end
		f(a, pose(0, 0, 0), b, pose(x, y, z), ("round %d: %s, %s"):format(i, kind_a, kind_b), number, pick)
	end
end


return solids
