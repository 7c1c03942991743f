-- The cost of a call from Lua, in ns, for each function and pair of shapes of both dimensions, apart and overlapping, with the mean number of iterations of
-- the functions that return it. build/host scripts/bench/toolbox.lua [seconds per line]. From C: make bench-geometry.
local collide = require "collide"
local seconds = tonumber((...)) or 0.01

-- Different poses, so that the branch predictor cannot learn them.
local POSES = 64
local state = 1
local function number(low, high)
	state = state * 16807 % 2147483647
	return low + (high - low) * state / 2147483647
end

-- ns a call of f(pose, other pose)
local function time(f, poses, turned)
	local calls, clock = 0, os.clock
	for i = 1, POSES do f(poses[i], turned[i]) end
	local start = clock()
	repeat
		for i = 1, POSES do f(poses[i], turned[i]) end
		calls = calls + POSES
	until clock() - start > seconds
	return (clock() - start) / calls * 1e9
end

local function mean(f, poses, turned)
	local sum = 0
	for i = 1, POSES do sum = sum + (f(poses[i], turned[i]) or 0) end
	return sum / POSES
end

-- `count` points on a circle in 2D, or on a sphere
local function round(count, space)
	local points = {}
	for i = 0, count - 1 do
		local q, z = i * 2 * math.pi / count, 0
		if space then
			q, z = i * 2.39996, 1 - (2 * i + 1) / count
		end
		local r = math.sqrt(1 - z * z)
		points[#points + 1], points[#points + 2] = r * collide.cos(q), r * collide.sin(q)
		if space then points[#points + 1] = z end
	end
	return points
end

-- name, library, shapes, number of coordinates; a pose at a distance in any direction, the translation of casts, the ray, a point
local function plane()
	local d2 = collide.d2
	return "d2", d2, {
		{ "circle", d2.circle(1) },
		{ "capsule", d2.capsule(-0.5, 0, 0.5, 0, 0.5) },
		{ "box", d2.box(2, 2) },
		{ "polygon 8", d2.polygon(round(8)) },
		{ "polygon 64", d2.polygon(round(64)) },
		{ "ellipse", d2.ellipse(1, 0.5) },
	}, 2, function(far)
		local q = number(0, 6.28)
		return d2.pose(far * collide.cos(q), far * collide.sin(q), number(-3, 3))
	end, { 5, 0.5 }, { -5, 0, 5, 0 }, { 0.5, 0.25 }
end

local function space()
	local d3 = collide.d3
	return "d3", d3, {
		{ "sphere", d3.sphere(1) },
		{ "capsule", d3.capsule(-0.5, 0, 0, 0.5, 0, 0, 0.5) },
		{ "box", d3.box(2, 2, 2) },
		{ "hull 12", d3.hull(round(12, true)) },
		{ "hull 64", d3.hull(round(64, true)) },
		{ "cylinder", d3.cylinder(1, 2) },
		{ "cone", d3.cone(1, 2) },
		{ "ellipsoid", d3.ellipsoid(1, 0.5, 0.7) },
	}, 3, function(far)
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local scale = far / math.sqrt(x * x + y * y + z * z)
		return d3.pose(x * scale, y * scale, z * scale, number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1))
	end, { 5, 0.5, 0.2 }, { -5, 0, 0, 5, 0, 0 }, { 0.5, 0.25, 0.1 }
end

local unpack = table.unpack or unpack

local function measure(name, lib, shapes, numbers, place, way, ray, point)
	local poses = { apart = {}, overlapping = {} }
	local turned = {}
	for i = 1, POSES do
		poses.apart[i], poses.overlapping[i], turned[i] = place(4), place(0.8), place(4)
	end
	local empty = time(function() end, poses.apart, turned)
	local distance, overlaps, manifold, cast, gjk_cast, toi = lib.distance, lib.overlaps, lib.manifold, lib.cast, lib.gjkCast, lib.timeOfImpact
	local gjk, gjk_overlaps, epa, sat, advancement, bisection = lib.gjk, lib.gjkOverlaps, lib.epa, lib.sat, lib.conservativeAdvancement, lib.bisection
	local wx, wy, wz = way[1], way[2], way[3]
	local last = 3 + 2 * numbers -- results of casts: hit or state, t, normal, point, iterations
	local function casts(f)
		if numbers == 2 then return function(a, b, p) return f(a, nil, wx, wy, b, p) end end
		return function(a, b, p) return f(a, nil, wx, wy, wz, b, p) end
	end
	local function plain(f) return function(a, b, p) return f(a, nil, b, p) end end
	local function field(f, key)
		return function(a, b, p)
			local result = f(a, nil, b, p)
			return result and result[key]
		end
	end
	local function nth(f, n) return function(a, b, p) return (select(n, f(a, b, p))) end end
	-- name, function of a pair, iterations of a pair
	local pair_functions = {
		{ "overlaps", plain(overlaps) },
		{ "distance", plain(distance) },
		{ "manifold", plain(manifold) },
		{ "gjk", plain(gjk), field(gjk, "iterations") },
		{ "gjkOverlaps", plain(gjk_overlaps), nth(plain(gjk_overlaps), 2) },
		{ "epa", plain(epa), field(epa, "iterations") },
		{ "sat", plain(sat), field(sat, "checks") },
		{ "minkowskiDifference", plain(lib.minkowskiDifference) },
		{ "cast", casts(cast) },
		{ "gjkCast", casts(gjk_cast), nth(casts(gjk_cast), last) },
		{ "bisection", casts(bisection), nth(casts(bisection), 3) },
		{ "timeOfImpact", function(a, b, p, q) return toi(a, nil, q, b, p, p) end,
			function(a, b, p, q) return (select(last, advancement(a, nil, q, b, p, p))) end },
	}
	print(("%s %-20s %-24s %12s %12s %10s %10s"):format(name, "ns a call", "pair", "apart", "overlapping", "iterations", "iterations"))
	for _, entry in ipairs(pair_functions) do
		for i, first in ipairs(shapes) do
			for k = i, #shapes do
				local a, b = first[2], shapes[k][2]
				local call, tell = entry[2], entry[3]
				local function f(p, q) call(a, b, p, q) end
				local function rounds(set)
					return tell and ("%10.1f"):format(mean(function(p, q) return tell(a, b, p, q) end, poses[set], turned)) or ""
				end
				if pcall(f, poses.apart[1], turned[1]) then
					print(("%s %-20s %-24s %12.0f %12.0f %10s %10s"):format(name, entry[1], first[1] .. ", " .. shapes[k][1],
						time(f, poses.apart, turned) - empty, time(f, poses.overlapping, turned) - empty, rounds("apart"), rounds("overlapping")))
				end
			end
		end
	end
	local shape_functions = {
		{ "raycast", function(a, p) lib.raycast(a, p, unpack(ray)) end },
		{ "closestPoint", function(a, p) lib.closestPoint(a, p, unpack(point)) end },
		{ "containsPoint", function(a, p) lib.containsPoint(a, p, unpack(point)) end },
		{ "support", function(a, p) lib.support(a, p, unpack(point)) end },
		{ "aabb", function(a, p) lib.aabb(a, p) end },
		{ "mass", function(a) lib.mass(a, 1) end },
		{ "transform", function(a, p) lib.transform(a, p) end },
	}
	for _, entry in ipairs(shape_functions) do
		for _, shape in ipairs(shapes) do
			local function f(p) entry[2](shape[2], p) end
			if pcall(f, poses.apart[1]) then
				print(("%s %-20s %-24s %12.0f %12.0f"):format(name, entry[1], shape[1], time(f, poses.apart, turned) - empty,
					time(f, poses.overlapping, turned) - empty))
			end
		end
	end
end

measure(plane())
measure(space())

local points, points_in_space = {}, {}
for i = 1, 2000 do points[i] = number(-1, 1) end
for i = 1, 3000 do points_in_space[i] = number(-1, 1) end
local none = {}
print(("d2 %-20s %-24s %12.0f"):format("hull", "1000 points", time(function() collide.d2.hull(points) end, none, none)))
print(("d3 %-20s %-24s %12.0f"):format("convexHull", "1000 points", time(function() collide.d3.convexHull(points_in_space) end, none, none)))
