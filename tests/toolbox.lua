-- Shared by the tests of geometry without a world: random shapes and poses, and a brute-force distance that is independent of the engine.
--
-- Along a direction n two convex sets have the separation s(n) = min n.b - max n.a. The maximum of s(n) over all unit n is their signed distance, both when
-- they are separated (along the closest points) and when they overlap (the least translation that separates them). Between two outlines the maximum is at the
-- normal of an edge or along the line of two corners. With ellipses it is found by sampling and narrowing.
local d2 = require("collide").d2
local random_numbers = require("support").random_numbers

local toolbox = {}

-- Raises an error in the caller unless got is within the tolerance. Faster than LuaUnit's, for tests of many thousand cases.
function toolbox.near(got, expected, tolerance, what)
	if not (got and math.abs(got - expected) <= tolerance) then
		error(("%s: expected %.17g, got %.17g, allowed %g"):format(what, expected, got or 0 / 0, tolerance), 2)
	end
end

function toolbox.check(condition, what)
	if not condition then error(what, 2) end
end

-- Pose of the placed ellipses: { half axes, x, y, angle }
local placed = setmetatable({}, { __mode = "k" })

-- The shape as a convex set in world coordinates: corners {x, y}, radius, and for an ellipse its half axes and pose.
function toolbox.set_of(shape, pose)
	local x, y, angle = 0, 0, 0
	if pose then x, y, angle = pose:getTransform() end
	local c, s = math.cos(angle), math.sin(angle)
	local set = { radius = shape:getRadius(), x = x, y = y, c = c, s = s }
	if placed[shape] then
		local own = placed[shape]
		local ca, sa = math.cos(own[5]), math.sin(own[5])
		set.a, set.b, set.c, set.s = own[1], own[2], c * ca - s * sa, s * ca + c * sa
		set.x, set.y = x + c * own[3] - s * own[4], y + s * own[3] + c * own[4]
		return set
	end
	if shape:getType() == "ellipse" then
		local x1, y1, x2, y2 = d2.aabb(shape)
		set.a, set.b = (x2 - x1) / 2, (y2 - y1) / 2
		return set
	end
	local points = shape:getPoints()
	for i = 1, #points, 2 do
		set[#set + 1] = { x + c * points[i] - s * points[i + 1], y + s * points[i] + c * points[i + 1] }
	end
	return set
end

-- max n.p over the set
function toolbox.extent(set, nx, ny)
	if set.a then
		local u, v = set.c * nx + set.s * ny, set.c * ny - set.s * nx
		return nx * set.x + ny * set.y + math.sqrt((set.a * u) ^ 2 + (set.b * v) ^ 2)
	end
	local far = -math.huge
	for _, p in ipairs(set) do far = math.max(far, nx * p[1] + ny * p[2]) end
	return far + set.radius
end

function toolbox.separation(A, B, nx, ny)
	return -toolbox.extent(B, -nx, -ny) - toolbox.extent(A, nx, ny)
end

local function try(best, A, B, nx, ny)
	local length = math.sqrt(nx * nx + ny * ny)
	if length < 1e-12 then return best end
	return math.max(best, toolbox.separation(A, B, nx / length, ny / length))
end

local function by_sampling(A, B)
	local count, best, at = 720, -math.huge, 0
	local function value(q) return toolbox.separation(A, B, math.cos(q), math.sin(q)) end
	local values = {}
	for i = 0, count - 1 do values[i] = value(2 * math.pi * i / count) end
	-- Narrow each local maximum that may be the greatest.
	for i = 0, count - 1 do
		local before, after = values[(i - 1) % count], values[(i + 1) % count]
		if values[i] >= before and values[i] >= after then
			local low, high = 2 * math.pi * (i - 1) / count, 2 * math.pi * (i + 1) / count
			for _ = 1, 60 do
				local p, q = low + (high - low) / 3, high - (high - low) / 3
				if value(p) < value(q) then low = p else high = q end
			end
			best = math.max(best, value((low + high) / 2), values[i])
		end
	end
	return best, at
end

function toolbox.brute_distance(a, pose_a, b, pose_b)
	local A, B = toolbox.set_of(a, pose_a), toolbox.set_of(b, pose_b)
	if A.a or B.a then return (by_sampling(A, B)) end
	local best = -math.huge
	for _, set in ipairs { A, B } do
		for i, p in ipairs(set) do
			local q = set[i % #set + 1]
			best = try(best, A, B, q[2] - p[2], p[1] - q[1])
			best = try(best, A, B, p[2] - q[2], q[1] - p[1])
		end
	end
	for _, p in ipairs(A) do
		for _, q in ipairs(B) do
			best = try(best, A, B, q[1] - p[1], q[2] - p[2])
			best = try(best, A, B, p[1] - q[1], p[2] - q[2])
		end
	end
	if best == -math.huge then best = -A.radius - B.radius end
	return best
end

-- Half of the longer side of its AABB.
function toolbox.size_of(shape)
	local x1, y1, x2, y2 = d2.aabb(shape)
	return math.max(x2 - x1, y2 - y1) / 2
end

toolbox.kinds = { "circle", "capsule", "segment", "box", "rounded box", "polygon", "rounded polygon", "ellipse",
	"placed ellipse" }

-- A shape of the kind, about as large as size.
function toolbox.new_shape(kind, size, number, pick)
	local function at() return number(-size, size) end
	if kind == "circle" then return d2.circle(size * number(0.1, 1), at() / 2, at() / 2) end
	if kind == "capsule" then return d2.capsule(at(), at(), at(), at(), size * number(0.05, 0.5)) end
	if kind == "segment" then return d2.segment(at(), at() - size, at(), at() + size * 1.1) end
	if kind == "box" then return d2.box(size * number(0.2, 2), size * number(0.2, 2), { x = at() / 4, angle = pick(2) == 1 and number(-3, 3) or 0 }) end
	if kind == "rounded box" then return d2.box(size * number(0.5, 2), size * number(0.5, 2), { radius = size * number(0.01, 0.2) }) end
	if kind == "ellipse" then return d2.ellipse(size * number(0.05, 1), size * number(0.05, 1)) end
	if kind == "placed ellipse" then
		local own = { size * number(0.05, 1), size * number(0.05, 1), at(), at(), number(-3, 3) }
		local shape = d2.ellipse(own[1], own[2], { x = own[3], y = own[4], angle = own[5] })
		placed[shape] = own
		return shape
	end
	local points, n = {}, 3 + pick(7)
	for i = 1, n do
		local q = 2 * math.pi * (i + number(-0.3, 0.3)) / n
		points[2 * i - 1], points[2 * i] = size * math.cos(q), size * number(0.3, 1) * math.sin(q)
	end
	return d2.polygon(points, kind == "rounded polygon" and size * number(0.05, 0.4) or nil)
end

-- Calls f(a, pose_a, b, pose_b, round) with random pairs of all kinds, about half of which overlap. options: sizes, far
function toolbox.each_pair(seed, rounds, options, f)
	local number, pick = random_numbers(seed)
	local low, high = options.low or 0.3, options.high or 3
	for round = 1, rounds do
		local function size() return low * (high / low) ^ number(0, 1) end
		local sa, sb = size(), size()
		local kinds = options.kinds or toolbox.kinds
		local a, b = toolbox.new_shape(kinds[pick(#kinds)], sa, number, pick), toolbox.new_shape(kinds[pick(#kinds)], sb, number, pick)
		local reach = (sa + sb) * number(0, 2)
		local q, ox, oy = number(0, 2 * math.pi), 0, 0
		if options.far then ox, oy = number(-options.far, options.far), number(-options.far, options.far) end
		-- A third of the pairs are aligned.
		local aligned = pick(3) == 1
		local pa = d2.pose(ox, oy, aligned and 0 or number(-3, 3))
		local pb = d2.pose(ox + reach * math.cos(q), oy + reach * math.sin(q), aligned and 0 or number(-3, 3))
		f(a, pa, b, pb, ("round %d: %s, %s"):format(round, a:getType(), b:getType()), number, pick)
	end
end

-- --- Times of impact, in both dimensions -----------------------------------------------------------------------------------------
--
-- wing: the differences between the dimensions.
--   d, axes         collide.d2 or d3, and the number of coordinates
--   size_of         half of the longest side of a shape's AABB
--   moved, pose_at  a pose translated; the pose at fraction t between two poses
--   slack           relative tolerance for poses and shapes that are floats, as a fraction of the size

-- Counts of each state, and the most iterations.
function toolbox.new_tally() return { hit = 0, separated = 0, overlapping = 0, failed = 0, most = 0 } end

local function count(tally, state, iterations)
	tally[state] = tally[state] + 1
	tally.most = math.max(tally.most, iterations)
end

-- Requires more hits and misses than given, and fewer iterations.
function toolbox.check_tally(tally, hits, misses, most)
	toolbox.check(tally.hit > hits and tally.separated > misses and tally.failed == 0,
		("%d hit, %d separated, %d failed"):format(tally.hit, tally.separated, tally.failed))
	toolbox.check(tally.most < most, tally.most .. " iterations")
end

-- The distance of A and B at fraction t of their motions, with its normal and points.
local function distance_along(wing, a, pa, pa1, b, pb, pb1)
	return function(t) return wing.d.distance(a, wing.pose_at(pa, pa1, t), b, wing.pose_at(pb, pb1, t)) end
end

-- Argument of the minimum of `at`'s first result on [0, 1]: the least of 31 samples, narrowed.
local function least_of(at)
	local best, value = 0, (at(0))
	for i = 1, 30 do
		local d = at(i / 30)
		if d < value then best, value = i / 30, d end
	end
	local low, high = math.max(0, best - 1 / 30), math.min(1, best + 1 / 30)
	for _ = 1, 25 do
		local p, q = low + (high - low) / 3, high - (high - low) / 3
		if at(p) < at(q) then high = q else low = p end
	end
	return (low + high) / 2
end

-- No contact before t; at t the separation is within the tolerance, 1e-6 of the smaller size.
function toolbox.check_impact(wing, tally, a, pa, pa1, b, pb, pb1, what)
	local d, axes, check = wing.d, wing.axes, toolbox.check
	local slack = wing.slack * (wing.size_of(a) + wing.size_of(b))
	local at = distance_along(wing, a, pa, pa1, b, pb, pb1)
	local steps, result = { d.conservativeAdvancement(a, pa, pa1, b, pb, pb1) }, { d.timeOfImpact(a, pa, pa1, b, pb, pb1) }
	local state, t = result[1], result[2]
	count(tally, state, steps[3 + 2 * axes])
	for i = 1, 2 + 2 * axes do check(result[i] == steps[i], what) end
	-- The result is symmetric in A and B.
	local turned = { d.timeOfImpact(b, pb, pb1, a, pa, pa1) }
	check(turned[1] == state and turned[2] == t, what)
	for i = 3, 2 + axes do check(turned[i] == -result[i], what) end
	if state == "overlapping" then
		check((at(0)) <= 0 and t == 0, what)
		return
	end
	check((at(0)) > 0, what)
	for i = 1, 60 do check((at(t * i / 60)) > -slack, what) end
	if state == "hit" then
		toolbox.near(at(t), 0, 1e-6 * math.min(wing.size_of(a), wing.size_of(b)) + slack, what)
		local px, py, pz = result[3 + axes], result[4 + axes], result[5 + axes]
		toolbox.near(select(axes + 1, d.closestPoint(a, wing.pose_at(pa, pa1, t), px, py, pz)), 0, 2 * slack, what)
	else
		check(state == "separated" and t == 1, what)
	end
end

-- Shifts B along the normal until the least distance of the whole motion is `gap`. The algorithm must end, with the right state. Pairs that overlap at the
-- start are left out.
function toolbox.check_graze(wing, tally, a, pa, pa1, b, pb, pb1, gap, what)
	local size, smaller = wing.size_of(a) + wing.size_of(b), math.min(wing.size_of(a), wing.size_of(b))
	local at
	for _ = 1, 2 do
		at = distance_along(wing, a, pa, pa1, b, pb, pb1)
		-- In 2D nz is not part of the normal, and `moved` takes no z.
		local d, nx, ny, nz = at(least_of(at))
		local by = gap * smaller - d
		pb, pb1 = wing.moved(pb, by * nx, by * ny, by * nz), wing.moved(pb1, by * nx, by * ny, by * nz)
	end
	at = distance_along(wing, a, pa, pa1, b, pb, pb1)
	if at(0) <= 0 then return end
	local result = { wing.d.conservativeAdvancement(a, pa, pa1, b, pb, pb1) }
	local state, t, least = result[1], result[2], (at(least_of(at)))
	count(tally, state, result[3 + 2 * wing.axes])
	if state == "hit" then
		toolbox.near(at(t), 0, 1e-6 * smaller + wing.slack * size, what)
	else
		toolbox.check(least > -wing.slack * size, what)
	end
	toolbox.check(least >= -wing.slack * size or state == "hit", what)
end

-- Separations for grazing motions, as fractions of the smaller size: from almost none to a hit.
toolbox.grazes = { 1e-9, 1e-7, 5e-7, 1e-6, 2e-6, 1e-5, -1e-7, -1e-4 }

-- --- Poses in 2D -----------------------------------------------------------------------------------------------------------------

-- The pose, translated.
function toolbox.moved(pose, dx, dy)
	local x, y, angle = pose:getTransform()
	return d2.pose(x + dx, y + dy, angle)
end

function toolbox.turned(pose, dx, dy, turn)
	local x, y, angle = pose:getTransform()
	return d2.pose(x + dx, y + dy, angle + turn)
end

return toolbox
