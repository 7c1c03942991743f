-- Distances in 3D without a world: against brute force over the features of polytopes, by certificates for any two convex shapes, by laws, and by simple cases.
--
-- Along a direction n two convex sets have the separation s(n) = min n.b - max n.a, and the maximum of s(n) over all unit n is their signed distance. So the
-- returned normal proves that they are at least so far apart, or overlap at most so deep; and points of both at that distance prove that they are not farther
-- apart. For overlapping shapes there is no such second proof; there directions are sampled. Extents are computed here from the sizes themselves, in doubles,
-- relative to A: nothing is lost far away, and a certificate is exact to 1e-12 of the coordinates.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"
local d3 = collide.d3
local near, check = toolbox.near, toolbox.check
local sqrt, abs, max, min, huge = math.sqrt, math.abs, math.max, math.min, math.huge

-- The number as the engine stores it.
local function float(x) return (d3.sphere(1, x, 0, 0):getPoints()[1]) end

-- Shapes with known extents --------------------------------------------------------------------------------------------------------------

local pointed = { "sphere", "capsule", "segment", "triangle", "box", "rounded box", "hull", "rounded hull" }
local kinds = { "cylinder", "cone", "ellipsoid", "tapered capsule" }
for _, kind in ipairs(pointed) do kinds[#kinds + 1] = kind end

local function new_points(kind, size, number, pick)
	local function at() return size * number(-1, 1) end
	if kind == "sphere" then return d3.sphere(size * number(0.2, 1), at(), at(), at()) end
	if kind == "capsule" then return d3.capsule(at(), at() - size, at(), at(), at() + 1.1 * size, at(), size * number(0.1, 0.5)) end
	if kind == "segment" then return d3.segment(at(), at() - size, at(), at(), at() + 1.1 * size, at()) end
	if kind == "triangle" then return d3.triangle(at() - size, at(), at(), at() + 1.1 * size, at(), at(), at(), at() + 2.1 * size, at()) end
	if kind == "box" then return d3.box(size * number(0.2, 2), size * number(0.2, 2), size * number(0.2, 2)) end
	if kind == "rounded box" then return d3.box(size * number(0.8, 2), size * number(0.8, 2), size * number(0.8, 2), { radius = size * number(0.01, 0.3) }) end
	local points = { 0.6 * size, 0, 0, -0.3 * size, 0.5 * size, 0, -0.3 * size, -0.5 * size, 0, 0, 0, 0.6 * size }
	for i = 13, 12 + 3 * pick(3) do points[i] = at() end
	return d3.hull(points, kind == "rounded hull" and size * number(0.05, 0.4) or nil)
end

-- { shape =, size =, reach = function(x, y, z) the extent along a unit vector, in the shape's frame }
local function new_solid(kind, size, number, pick)
	local p, q, r = float(size * number(0.2, 1)), float(size * number(0.2, 1)), float(size * number(0.2, 1))
	if kind == "cylinder" then
		return { shape = d3.cylinder(p, 2 * q), size = max(p, q), reach = function(x, y, z) return p * sqrt(x * x + z * z) + q * abs(y) end }
	elseif kind == "cone" then
		return { shape = d3.cone(p, 2 * q), size = max(p, q), reach = function(x, y, z) return max(q * y, p * sqrt(x * x + z * z) - q * y) end }
	elseif kind == "tapered capsule" then
		-- The difference of the radii is a float.
		local h, least = float(0.6 * (p + q)), min(p, q)
		local more = float(max(p, q) - least)
		p, q = p > q and least + more or p, q > p and least + more or q
		return { shape = d3.taperedCapsule(0, -h, 0, p, 0, h, 0, q), size = h + max(p, q), reach = function(_, y) return max(p - h * y, q + h * y) end }
	elseif kind == "ellipsoid" then
		return { shape = d3.ellipsoid(p, q, r), size = max(p, q, r),
			reach = function(x, y, z) return sqrt((p * x) ^ 2 + (q * y) ^ 2 + (r * z) ^ 2) end }
	end
	local shape = new_points(kind, size, number, pick)
	local points, radius = shape:getPoints(), shape:getRadius()
	return { shape = shape, size = size, points = points, radius = radius, reach = function(x, y, z)
		local far = -huge
		for i = 1, #points, 3 do far = max(far, points[i] * x + points[i + 1] * y + points[i + 2] * z) end
		return far + radius
	end }
end

-- The columns of the pose's rotation.
local function axes_of(pose)
	local _, _, _, x, y, z, w = pose:getTransform()
	local l = sqrt(x * x + y * y + z * z + w * w)
	x, y, z, w = x / l, y / l, z / l, w / l
	return { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
		2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) }
end

-- The solid's extents in a pose, relative to the point (ox, oy, oz).
local function placed(solid, pose, ox, oy, oz)
	local x, y, z = pose:getPosition()
	local q = axes_of(pose)
	x, y, z = x - ox, y - oy, z - oz
	return function(nx, ny, nz)
		return nx * x + ny * y + nz * z + solid.reach(q[1] * nx + q[2] * ny + q[3] * nz, q[4] * nx + q[5] * ny + q[6] * nz, q[7] * nx + q[8] * ny + q[9] * nz)
	end
end

local function random_pose(x, y, z, number, straight)
	if straight then return d3.pose(x, y, z) end
	return d3.pose(x, y, z, number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1))
end

-- Calls f(a, pa, b, pb, what, number, pick): a third of the pairs are axis-aligned, a third overlap deeply, a tenth are at one position.
local function each_pair(seed, rounds, options, f)
	local number, pick = support.random_numbers(seed)
	local list, low, high, far = options.kinds or kinds, options.low or 0.3, options.high or 3, options.far or 0
	for round = 1, rounds do
		local function size() return low * (high / low) ^ number(0, 1) end
		local kind_a, kind_b = list[pick(#list)], list[pick(#list)]
		local a, b = new_solid(kind_a, size(), number, pick), new_solid(kind_b, size(), number, pick)
		local ox, oy, oz, straight = number(-far, far), number(-far, far), number(-far, far), pick(3) == 1
		local reach = (a.size + b.size) * (pick(3) == 1 and 0.3 or 1.5)
		if pick(10) == 1 then reach = 0 end
		local pa = random_pose(ox, oy, oz, number, straight)
		local pb = random_pose(ox + reach * number(-1, 1), oy + reach * number(-1, 1), oz + reach * number(-1, 1), number, straight)
		f(a, pa, b, pb, ("round %d: %s, %s"):format(round, kind_a, kind_b), number, pick)
	end
end

local function between(pa, pb)
	local ax, ay, az = pa:getPosition()
	local bx, by, bz = pb:getPosition()
	return sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2)
end

-- Brute force ---------------------------------------------------------------------------------------------------------------------------

local function world_points(solid, pose)
	local x, y, z = pose:getPosition()
	local q, p, out = axes_of(pose), solid.points, {}
	for i = 1, #p, 3 do
		out[#out + 1] = { x + q[1] * p[i] + q[4] * p[i + 1] + q[7] * p[i + 2], y + q[2] * p[i] + q[5] * p[i + 1] + q[8] * p[i + 2],
			z + q[3] * p[i] + q[6] * p[i + 1] + q[9] * p[i + 2] }
	end
	return out
end

-- All possible edges: any two corners. Every direction is a lower bound of the distance, so superfluous ones do no harm.
local function ways_of(points)
	local ways = {}
	for i = 1, #points do
		for k = i + 1, #points do
			local p, q = points[i], points[k]
			ways[#ways + 1] = { q[1] - p[1], q[2] - p[2], q[3] - p[3], p }
		end
	end
	return ways
end

-- The minimum and maximum of the points along the direction.
local function extent(points, x, y, z)
	local low, high = huge, -huge
	for i = 1, #points do
		local p = points[i]
		local along = x * p[1] + y * p[2] + z * p[3]
		if along > high then high = along end
		if along < low then low = along end
	end
	return low, high
end

local function brute_distance(a, pa, b, pb)
	local A, B, best = world_points(a, pa), world_points(b, pb), -huge
	local function try(x, y, z)
		local l = sqrt(x * x + y * y + z * z)
		if l < 1e-9 then return end
		x, y, z = x / l, y / l, z / l
		local low_a, high_a = extent(A, x, y, z)
		local low_b, high_b = extent(B, x, y, z)
		best = max(best, low_b - high_a, low_a - high_b)
	end
	local ways_a, ways_b, all = ways_of(A), ways_of(B), {}
	for _, list in ipairs { ways_a, ways_b } do
		for _, way in ipairs(list) do all[#all + 1] = way end
	end
	for i, u in ipairs(all) do
		for k = i + 1, #all do
			local v = all[k]
			try(u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1])
		end
	end
	local function across(ways, points)
		for _, u in ipairs(ways) do
			local square = u[1] * u[1] + u[2] * u[2] + u[3] * u[3]
			for _, p in ipairs(points) do
				local x, y, z = p[1] - u[4][1], p[2] - u[4][2], p[3] - u[4][3]
				local part = (x * u[1] + y * u[2] + z * u[3]) / square
				try(x - part * u[1], y - part * u[2], z - part * u[3])
			end
		end
	end
	across(ways_a, B)
	across(ways_b, A)
	for _, p in ipairs(A) do
		for _, q in ipairs(B) do try(q[1] - p[1], q[2] - p[2], q[3] - p[3]) end
	end
	return (best > -huge and best or 0) - a.radius - b.radius
end

TestSpaceDistance = {}

function TestSpaceDistance.test_is_the_greatest_separation_of_all_features()
	local overlapping = 0
	local few = { "sphere", "capsule", "segment", "triangle", "hull", "rounded hull", "capsule", "triangle" }
	each_pair(21, 260, { kinds = few }, function(a, pa, b, pb, what)
		local d = d3.distance(a.shape, pa, b.shape, pb)
		near(d, brute_distance(a, pa, b, pb), 1e-9 * (a.size + b.size), what)
		if d <= 0 then overlapping = overlapping + 1 end
	end)
	each_pair(22, 12, { kinds = { "box", "rounded box" } }, function(a, pa, b, pb, what)
		near(d3.distance(a.shape, pa, b.shape, pb), brute_distance(a, pa, b, pb), 1e-9 * (a.size + b.size), what)
	end)
	check(overlapping > 60 and overlapping < 200, "overlapping: " .. overlapping)
end

-- Certificates --------------------------------------------------------------------------------------------------------------------------

local function certify(a, pa, b, pb, what, number)
	local d, nx, ny, nz, ax, ay, az, bx, by, bz = d3.distance(a.shape, pa, b.shape, pb)
	local ox, oy, oz = pa:getPosition()
	local reach_a, reach_b = placed(a, pa, ox, oy, oz), placed(b, pb, ox, oy, oz)
	local scale, far = a.size + b.size + between(pa, pb), abs(ox) + abs(oy) + abs(oz)
	local function separation(x, y, z) return -reach_b(-x, -y, -z) - reach_a(x, y, z) end
	near(nx * nx + ny * ny + nz * nz, 1, 1e-12, what)
	near(separation(nx, ny, nz), d, 1e-12 * scale, what)
	-- World points are rounded at their position.
	local rounding = 1e-15 * far + 1e-13 * scale
	near(sqrt((bx - ax - d * nx) ^ 2 + (by - ay - d * ny) ^ 2 + (bz - az - d * nz) ^ 2), 0, 4 * rounding, what)
	near(select(4, d3.closestPoint(a.shape, pa, ax, ay, az)), 0, 1e-6 * a.size + 4 * rounding, what .. ": on A")
	near(select(4, d3.closestPoint(b.shape, pb, bx, by, bz)), 0, 1e-6 * b.size + 4 * rounding, what .. ": on B")
	-- No other direction is better: random ones, and ones near the result.
	for i = 1, d <= 0 and 60 or 0 do
		local x, y, z, spread = number(-1, 1), number(-1, 1), number(-1, 1), 10 ^ number(-5, 0)
		if i > 30 then x, y, z = nx + spread * x, ny + spread * y, nz + spread * z end
		local l = sqrt(x * x + y * y + z * z)
		if l > 0.1 then check(separation(x / l, y / l, z / l) <= d + 1e-7 * scale, what .. ": there is a better way out") end
	end
	return d
end

function TestSpaceDistance.test_has_certificates()
	local deep = 0
	each_pair(23, 2500, {}, function(a, pa, b, pb, what, number)
		if certify(a, pa, b, pb, what, number) < 0 then deep = deep + 1 end
	end)
	check(deep > 600 and deep < 2000, "overlapping: " .. deep)
end

function TestSpaceDistance.test_of_all_sizes()
	each_pair(24, 2500, { low = 1e-3, high = 1e3 }, function(a, pa, b, pb, what, number) certify(a, pa, b, pb, what, number) end)
end

function TestSpaceDistance.test_far_away()
	each_pair(25, 1500, { far = 1e6 }, function(a, pa, b, pb, what, number) certify(a, pa, b, pb, what, number) end)
end

-- Deep inside a round shape almost all directions are equally good for a tiny shape.
function TestSpaceDistance.test_tiny_deep_inside()
	local number, pick = support.random_numbers(26)
	for round = 1, 600 do
		local kind_a, kind_b = kinds[pick(3)], kinds[pick(#kinds)]
		local a, b = new_solid(kind_a, 10 ^ number(0, 3), number, pick), new_solid(kind_b, 10 ^ number(-3, 0), number, pick)
		certify(a, random_pose(0, 0, 0, number), b, random_pose(0, 0, 0, number, pick(2) == 1), ("round %d: %s, %s"):format(round, kind_a, kind_b), number)
	end
	local d, _, ny, _, _, _, _, x, y, z = d3.distance(d3.cone(1, 1), nil, d3.box(1e-3, 1e-3, 1e-3), nil)
	near(d, -sqrt(0.125) - 1e-3 * sqrt(0.5), 1e-9, "box in a cone")
	near(ny, sqrt(0.5), 1e-6, "box in a cone")
	check(max(abs(x), abs(y), abs(z)) <= 0.5e-3 + 1e-9, "box in a cone")
end

-- Laws ----------------------------------------------------------------------------------------------------------------------------------

function TestSpaceDistance.test_is_symmetric_to_the_bit()
	each_pair(27, 1500, { far = 1e3 }, function(a, pa, b, pb, what)
		local d, nx, ny, nz, ax, ay, az, bx, by, bz, first, second = d3.distance(a.shape, pa, b.shape, pb)
		lu.assertEquals({ d3.distance(b.shape, pb, a.shape, pa) }, { d, -nx, -ny, -nz, bx, by, bz, ax, ay, az, second, first }, what)
	end)
end

-- Moved by multiples of 2^-10, which are exact, only the last digits of the points change.
-- At one pose only the contents of two surfaces tell them apart: here a hole, or the sides that are solid.
function TestSpaceDistance.test_of_surfaces_at_one_pose_is_symmetric()
	local function field(hole, one)
		return d3.heightField { columns = 4, rows = 4, cellWidth = 1, cellDepth = 1, holes = { hole }, oneSided = one,
			heights = { 0, 0.3, 0.1, 0, 0.2, 0, 0.5, 0.1, 0, 0.4, 0.2, 0.3, 0.1, 0, 0.3, 0.2 } }
	end
	local function mesh(one) return d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0.3, 1 }, { 1, 3, 2, 2, 3, 4 }, { oneSided = one }) end
	for i, pair in ipairs { { field(1), field(9) }, { field(9), field(1) }, { field(1), field(nil) }, { field(1, true), field(1) }, { mesh(true), mesh() } } do
		local a, b = pair[1], pair[2]
		local d = { d3.distance(a, nil, b, nil) }
		lu.assertEquals({ d3.distance(b, nil, a, nil) },
			{ d[1], 0 - d[2], 0 - d[3], 0 - d[4], d[8], d[9], d[10], d[5], d[6], d[7], d[12], d[11] }, "pair " .. i)
		local m, n = d3.manifold(a, nil, b, nil), d3.manifold(b, nil, a, nil)
		lu.assertEquals({ n.nx, n.ny, n.nz }, { 0 - m.nx, 0 - m.ny, 0 - m.nz }, "pair " .. i)
	end
end

function TestSpaceDistance.test_is_the_same_far_away()
	each_pair(28, 800, {}, function(a, pa, b, pb, what)
		local _, _, _, px, py, pz, pw = pa:getTransform()
		local x, y, z, qx, qy, qz, qw = pb:getTransform()
		x, y, z = math.floor(1024 * x) / 1024, math.floor(1024 * y) / 1024, math.floor(1024 * z) / 1024
		local d, nx, ny, nz, ax, ay, az = d3.distance(a.shape, d3.pose(0, 0, 0, px, py, pz, pw), b.shape, d3.pose(x, y, z, qx, qy, qz, qw))
		local e, mx, my, mz, cx, cy, cz = d3.distance(a.shape, d3.pose(1e6, -1e6, 5e5, px, py, pz, pw), b.shape,
			d3.pose(1e6 + x, y - 1e6, 5e5 + z, qx, qy, qz, qw))
		check(d == e and nx == mx and ny == my and nz == mz, what)
		near(max(abs(ax + 1e6 - cx), abs(ay - 1e6 - cy), abs(az + 5e5 - cz)), 0, 1e-9, what)
	end)
end

-- A rotated pose has other float errors: 1e-7 of the distance to the farthest point.
function TestSpaceDistance.test_is_invariant_under_rigid_motion()
	each_pair(29, 800, {}, function(a, pa, b, pb, what, number)
		local turn = random_pose(0, 0, 0, number)
		local q = axes_of(turn)
		local _, _, _, tx, ty, tz, tw = turn:getTransform()
		local function moved(pose)
			local x, y, z, px, py, pz, pw = pose:getTransform()
			return d3.pose(3 + q[1] * x + q[4] * y + q[7] * z, q[2] * x + q[5] * y + q[8] * z - 2, q[3] * x + q[6] * y + q[9] * z + 1,
				tw * px + tx * pw + ty * pz - tz * py, tw * py - tx * pz + ty * pw + tz * px, tw * pz + tx * py - ty * px + tz * pw,
				tw * pw - tx * px - ty * py - tz * pz)
		end
		near(d3.distance(a.shape, moved(pa), b.shape, moved(pb)), (d3.distance(a.shape, pa, b.shape, pb)), 2e-6 * (a.size + b.size), what)
	end)
end

-- Contact -------------------------------------------------------------------------------------------------------------------------------

-- One number decides about contact: all methods agree, also within rounding errors.
function TestSpaceDistance.test_overlaps_and_manifold_agree_with_the_distance()
	local number, pick = support.random_numbers(30)
	local s = sqrt(0.5)
	local turns = { { 0, 0, 0, 1 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { s, 0, 0, s }, { 0, s, 0, s }, { 0.5, 0.5, 0.5, 0.5 }, { 0.3, -0.5, 0.7, 0.2 } }
	local shapes = { d3.box(2, 4, 2), d3.box(1, 1, 1), d3.cylinder(1, 2), d3.cone(1, 2), d3.sphere(1), d3.capsule(0, -1, 0, 0, 1, 0, 1),
		d3.box(2, 2, 2, { radius = 0.5 }), d3.segment(-1, 0, 0, 1, 0, 0), d3.triangle(0, 0, 0, 1, 0, 0, 0, 0, 1), d3.ellipsoid(1, 2, 1),
		d3.hull { -1, -1, -1, 1, -1, -1, 1, -1, 1, -1, -1, 1, 0, 1, 0 }, d3.mesh({ -2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2 }, { 1, 2, 3, 1, 3, 4 }),
		d3.compound { { shape = d3.box(1, 1, 1), pose = d3.pose(1, 0, 0) }, d3.box(1, 1, 1) }, d3.halfSpace(0, 1, 0, 0) }
	local touching = 0
	for round = 1, 15000 do
		local a, b, p = shapes[pick(#shapes)], shapes[pick(#shapes)], turns[pick(#turns)]
		local q = pick(2) == 1 and p or turns[pick(#turns)]
		local x, y, z = (pick(13) - 7) / 2, (pick(13) - 7) / 2, (pick(13) - 7) / 2
		local pa, pb = d3.pose(0, 0, 0, p[1], p[2], p[3], p[4]), d3.pose(x, y, z, q[1], q[2], q[3], q[4])
		local d, nx, ny, nz = d3.distance(a, pa, b, pb)
		if pick(4) == 1 and d > -1e17 then
			pb = d3.pose(x - d * nx, y - d * ny, z - d * nz, q[1], q[2], q[3], q[4])
			d = d3.distance(a, pa, b, pb)
		end
		local m, what = d3.manifold(a, pa, b, pb), ("round %d: %s, %s"):format(round, a:getType(), b:getType())
		check(d3.overlaps(a, pa, b, pb) == (d <= 0) and (m ~= nil) == (d <= 0), what)
		local deepest = huge
		for _, point in ipairs(m or {}) do deepest = min(deepest, point.separation) end
		local least = d - 1e-5 * max(1, abs(d))
		-- A mesh is a surface that continues beyond the edges of its triangles: its contacts may be deeper.
		if a:getType() == "mesh" or b:getType() == "mesh" then least = -huge end
		if m then check(deepest <= 0 and deepest <= d + 1e-5 * max(1, abs(d)) and deepest >= least, what) end
		if abs(d) < 1e-13 then touching = touching + 1 end
	end
	check(touching > 2000, "touching: " .. touching)
end

-- Results for a box, computed by its sides, equal those for the hull of its corners, computed by faces.
function TestSpaceDistance.test_of_boxes_is_that_of_the_hulls_of_their_corners()
	local number, pick = support.random_numbers(33)
	local inside = 0
	for round = 1, 1200 do
		local x, y, z = number(0.2, 2), number(0.2, 2), number(0.2, 2)
		local box = d3.box(x, y, z)
		local hull, other = d3.hull(box:getPoints()), new_points(pointed[pick(3)], number(0.1, 1), number, pick)
		local far = number(0, 2)
		local pose = random_pose(far * number(-x, x), far * number(-y, y), far * number(-z, z), number)
		local what = "round " .. round
		local first, second = { d3.distance(box, nil, other, pose) }, { d3.distance(hull, nil, other, pose) }
		near(first[1], second[1], 1e-12, what)
		if d3.containsPoint(box, nil, pose:getPosition()) then inside = inside + 1 end
		-- Where two translations out are almost equally short, either is right.
		if abs(first[2] * second[2] + first[3] * second[3] + first[4] * second[4] - 1) > 1e-9 then
			check(first[1] < 0, what .. ": another normal")
		end
	end
	check(inside > 200 and inside < 1000, "inside: " .. inside)
end

function TestSpaceDistance.test_degenerate_shapes()
	local segment, plate = d3.segment(-1, 0, 0, 1, 0, 0), d3.triangle(0, 0, 0, 2, 0, 0, 0, 0, 2)
	local box, ball, needle = d3.box(2, 2, 2), d3.sphere(1), d3.box(1e-3, 10, 1e-3)
	local list = {
		{ "one sphere in another", ball, nil, ball, nil, -2 },
		{ "a box in itself", box, nil, box, nil, -2 },
		{ "a small box in the middle of another", box, nil, d3.box(0.5, 0.5, 0.5), nil, -1.25 },
		{ "a sphere around a corner", box, nil, d3.sphere(0.5), d3.pose(1, 1, 1), -0.5 },
		{ "a segment on itself", segment, nil, segment, nil, 0 },
		{ "segments that cross", segment, nil, segment, d3.pose(0, 0, 0, 0, 0, sqrt(0.5), sqrt(0.5)), 0 },
		{ "segments side by side", segment, nil, segment, d3.pose(0.5, 0, 2), 2 },
		{ "segments in a row", segment, nil, segment, d3.pose(5, 0, 0), 3 },
		{ "segments end to end", segment, nil, segment, d3.pose(2, 0, 0), 0 },
		{ "a triangle on itself", plate, nil, plate, nil, 0 },
		{ "triangles in a plane", plate, nil, plate, d3.pose(5, 0, 0), 3 },
		{ "a segment in a triangle's plane", plate, nil, d3.segment(0.1, 0, 0.1, 0.5, 0, 0.5), nil, 0 },
		{ "face to face", box, nil, box, d3.pose(2, 0, 0), 0 },
		{ "edge to edge", box, nil, box, d3.pose(2, 2, 0), 0 },
		{ "corner to corner", box, nil, box, d3.pose(2, 2, 2), 0 },
		{ "needles across", needle, nil, needle, d3.pose(0, 0, 0, sqrt(0.5), 0, 0, sqrt(0.5)), -1e-3 },
		{ "a cylinder in itself", d3.cylinder(1, 4), nil, d3.cylinder(1, 4), nil, -2 },
		{ "a cone on its own tip", d3.cone(1, 2), nil, d3.cone(1, 2), d3.pose(0, 2, 0), 0 },
		{ "an ellipsoid in itself", d3.ellipsoid(1, 2, 3), nil, d3.ellipsoid(1, 2, 3), nil, -2 },
	}
	for _, case in ipairs(list) do
		local d, nx, ny, nz, ax, ay, az, bx, by, bz = d3.distance(case[2], case[3], case[4], case[5])
		near(d, case[6], 1e-7, case[1])
		near(nx * nx + ny * ny + nz * nz, 1, 1e-12, case[1])
		near(sqrt((bx - ax - d * nx) ^ 2 + (by - ay - d * ny) ^ 2 + (bz - az - d * nz) ^ 2), 0, 1e-12, case[1])
		near(select(4, d3.closestPoint(case[2], case[3], ax, ay, az)), 0, 1e-6, case[1])
		near(select(4, d3.closestPoint(case[4], case[5], bx, by, bz)), 0, 1e-6, case[1])
	end
end
