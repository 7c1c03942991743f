-- What a call from Lua costs, in ns, for each function and pair of shapes, apart and overlapping, with the mean number of iterations of
-- those that tell it. build/host scripts/bench/toolbox.lua [seconds per line]
local d2 = require("collide").d2
local seconds = tonumber((...)) or 0.01

local corners = {}
for i = 0, 7 do corners[2 * i + 1], corners[2 * i + 2] = math.cos(i * math.pi / 4), math.sin(i * math.pi / 4) end
local round_points = {}
for i = 0, 63 do round_points[2 * i + 1], round_points[2 * i + 2] = math.cos(i * math.pi / 32), math.sin(i * math.pi / 32) end

local shapes = {
	{ "circle", d2.circle(1) },
	{ "capsule", d2.capsule(-0.5, 0, 0.5, 0, 0.5) },
	{ "box", d2.box(2, 2) },
	{ "polygon 8", d2.polygon(corners) },
	{ "polygon 64", d2.polygon(round_points) },
	{ "ellipse", d2.ellipse(1, 0.5) },
}

-- Poses that differ, so that no branch is learnt by heart.
local POSES = 64
local state = 1
local function number(low, high)
	state = state * 16807 % 2147483647
	return low + (high - low) * state / 2147483647
end
local sets = { apart = {}, overlapping = {} }
for i = 1, POSES do
	local q = number(0, 6.28)
	sets.apart[i] = d2.pose(4 * math.cos(q), 4 * math.sin(q), number(-3, 3))
	sets.overlapping[i] = d2.pose(0.8 * math.cos(q), 0.8 * math.sin(q), number(-3, 3))
end
local turned = {}
for i = 1, POSES do turned[i] = d2.pose(number(2, 6), number(-1, 1), number(-3, 3)) end

-- ns a call of f(pose, other pose)
local function time(f, poses)
	local calls, clock = 0, os.clock
	for i = 1, POSES do f(poses[i], turned[i]) end
	local start = clock()
	repeat
		for i = 1, POSES do f(poses[i], turned[i]) end
		calls = calls + POSES
	until clock() - start > seconds
	return (clock() - start) / calls * 1e9
end

local empty = time(function() end, sets.apart)

local function mean(f, poses)
	local sum = 0
	for i = 1, POSES do sum = sum + (f(poses[i], turned[i]) or 0) end
	return sum / POSES
end

local distance, overlaps, manifold, cast, gjk_cast, toi = d2.distance, d2.overlaps, d2.manifold, d2.cast, d2.gjkCast, d2.timeOfImpact
local gjk, gjk_overlaps, epa, sat, advancement, bisection = d2.gjk, d2.gjkOverlaps, d2.epa, d2.sat, d2.conservativeAdvancement, d2.bisection

local function way_to(pose)
	local x, y = pose:getPosition()
	return 1.5 * x, 1.5 * y
end

-- name, function of a pair, iterations of a pair
local pair_functions = {
	{ "overlaps", function(a, b) return function(p) overlaps(a, nil, b, p) end end },
	{ "distance", function(a, b) return function(p) distance(a, nil, b, p) end end },
	{ "manifold", function(a, b) return function(p) manifold(a, nil, b, p) end end },
	{ "gjk", function(a, b) return function(p) gjk(a, nil, b, p) end end, function(a, b) return function(p) return gjk(a, nil, b, p).iterations end end },
	{ "gjkOverlaps", function(a, b) return function(p) gjk_overlaps(a, nil, b, p) end end,
		function(a, b) return function(p) return (select(2, gjk_overlaps(a, nil, b, p))) end end },
	{ "epa", function(a, b) return function(p) epa(a, nil, b, p) end end, function(a, b) return function(p)
		local result = epa(a, nil, b, p)
		return result and result.iterations
	end end },
	{ "sat", function(a, b) return function(p) sat(a, nil, b, p) end end, function(a, b) return function(p) return sat(a, nil, b, p).checks end end },
	{ "minkowskiDifference", function(a, b) return function(p) d2.minkowskiDifference(a, nil, b, p) end end },
	{ "cast", function(a, b) return function(p) cast(a, nil, 5, 0.5, b, p) end end },
	{ "gjkCast", function(a, b) return function(p) gjk_cast(a, nil, 5, 0.5, b, p) end end,
		function(a, b) return function(p) return (select(7, gjk_cast(a, nil, 5, 0.5, b, p))) end end },
	{ "bisection", function(a, b) return function(p) bisection(a, nil, 5, 0.5, b, p) end end,
		function(a, b) return function(p) return (select(3, bisection(a, nil, 5, 0.5, b, p))) end end },
	{ "timeOfImpact", function(a, b) return function(p, q) toi(a, nil, q, b, p, p) end end,
		function(a, b) return function(p, q) return (select(7, advancement(a, nil, q, b, p, p))) end end },
}

print(("%-20s %-24s %12s %12s %10s %10s"):format("ns a call", "pair", "apart", "overlapping", "iterations", "iterations"))
for _, entry in ipairs(pair_functions) do
	for i, a in ipairs(shapes) do
		for k = i, #shapes do
			local b = shapes[k]
			local f = entry[2](a[2], b[2])
			if pcall(f, sets.apart[1], turned[1]) then
				local count = entry[3] and entry[3](a[2], b[2])
				local function rounds(poses) return count and ("%10.1f"):format(mean(count, poses)) or "" end
				print(("%-20s %-24s %12.0f %12.0f %10s %10s"):format(entry[1], a[1] .. ", " .. b[1], time(f, sets.apart) - empty,
					time(f, sets.overlapping) - empty, rounds(sets.apart), rounds(sets.overlapping)))
			end
		end
	end
end

local points = {}
for i = 1, 2000 do points[i] = number(-1, 1) end
local shape_functions = {
	{ "raycast", function(a) return function(p) d2.raycast(a, p, -5, 0, 5, 0) end end },
	{ "closestPoint", function(a) return function(p) d2.closestPoint(a, p, 0.5, 0.25) end end },
	{ "containsPoint", function(a) return function(p) d2.containsPoint(a, p, 0.5, 0.25) end end },
	{ "support", function(a) return function(p) d2.support(a, p, 0.5, 0.25) end end },
	{ "aabb", function(a) return function(p) d2.aabb(a, p) end end },
	{ "mass", function(a) return function() d2.mass(a, 1) end end },
	{ "transform", function(a) return function(p) d2.transform(a, p) end end },
}
for _, entry in ipairs(shape_functions) do
	for _, a in ipairs(shapes) do
		local f = entry[2](a[2])
		if pcall(f, sets.apart[1]) then
			print(("%-20s %-24s %12.0f %12.0f"):format(entry[1], a[1], time(f, sets.apart) - empty, time(f, sets.overlapping) - empty))
		end
	end
end
print(("%-20s %-24s %12.0f"):format("hull", "1000 points", time(function() d2.hull(points) end, sets.apart)))
