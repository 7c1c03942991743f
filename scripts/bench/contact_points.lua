-- The number of contact points between two shapes that lie on each other, 1 mm deep, by the tilt of the upper one.
--
--   build/host scripts/bench/contact_points.lua            a table: pairs of shape types by angles in degrees
--   build/host scripts/bench/contact_points.lua cases      the cases as text, for a program that queries a peer's engine: a number and shapes a line
--   build/host scripts/bench/contact_points.lua FILE       beside a peer's counts, "number count" a line; < marks where ours has fewer
--
-- The upper shape is 2 long, along x. "pitch" rotates it about z, "yaw" about y; 2D has pitch alone.
local collide = require "collide"

local angles = { 0, 0.01, 0.05, 0.2, 0.5, 1, 2, 3, 4, 5 }
local depth = 0.001

-- A regular prism of radius r and length l, along x.
local function prism(r, l, n)
	local points = {}
	for i = 1, n do
		local y, z = r * math.cos(2 * math.pi * (i - 0.5) / n), r * math.sin(2 * math.pi * (i - 0.5) / n)
		for _, p in ipairs { -l / 2, y, z, l / 2, y, z } do points[#points + 1] = p end
	end
	return points
end

local function corners(w, h, d)
	local points = {}
	for i = 0, 7 do
		points[3 * i + 1], points[3 * i + 2], points[3 * i + 3] = (i % 2 - 0.5) * w, (math.floor(i / 2) % 2 - 0.5) * h, (math.floor(i / 4) - 0.5) * d
	end
	return points
end

local function rectangle(w, h) return { -w / 2, -h / 2, w / 2, -h / 2, w / 2, h / 2, -w / 2, h / 2 } end

-- For each shape: its name, the peer's name and numbers for it (nil: the peer has none), and the shape.
local worlds = { d2 = { tilts = { "pitch" } }, d3 = { tilts = { "pitch", "yaw" } } }
do
	local d = collide.d2
	local function polygon(points, radius) return { "polygon", radius or 0, table.unpack(points) }, d.polygon(points, radius) end
	local hexagon = {}
	for i = 0, 5 do hexagon[2 * i + 1], hexagon[2 * i + 2] = 0.3 * math.cos((i + 0.5) * math.pi / 3), 0.3 * math.sin((i + 0.5) * math.pi / 3) end
	local function list(...)
		local shapes = {}
		for i = 1, select("#", ...), 3 do
			local name, peer, shape = select(i, ...)
			shapes[#shapes + 1] = { name = name, peer = peer or nil, shape = shape }
		end
		return shapes
	end
	local function pair(name, peer, shape) return name, peer, shape end
	local function solid(name, points, radius) return pair(name, polygon(points, radius)) end
	local function gather(...)
		local all = {}
		for _, part in ipairs { ... } do for _, value in ipairs(part) do all[#all + 1] = value end end
		return list(table.unpack(all))
	end
	worlds.d2.below = gather({ solid("wide box", rectangle(4, 1)) }, { solid("narrow box", rectangle(0.4, 1)) },
		{ "capsule", { "capsule", -1, 0, 1, 0, 0.15 }, d.capsule(-1, 0, 1, 0, 0.15) }, { "circle", { "circle", 0.3 }, d.circle(0.3) },
		{ "segment", { "segment", -1, 0, 1, 0 }, d.segment(-1, 0, 1, 0) }, { "chain", { "chain", 3, 0, 1, 0, -1, 0, -3, 0 }, d.chain { 3, 0, 1, 0, -1, 0, -3, 0 } },
		{ "ellipse", false, d.ellipse(1, 0.2) }, { "half-plane", false, d.halfPlane(0, 1, 0) })
	worlds.d2.above = gather({ solid("box", rectangle(2, 0.3)) }, { solid("rounded box", rectangle(1.8, 0.2), 0.1) }, { solid("polygon", hexagon) },
		{ "capsule", { "capsule", -0.85, 0, 0.85, 0, 0.15 }, d.capsule(-0.85, 0, 0.85, 0, 0.15) }, { "circle", { "circle", 0.3 }, d.circle(0.3) },
		{ "ellipse", false, d.ellipse(1, 0.2) })
end
do
	local d = collide.d3
	local along = { qx = 0, qy = 0, qz = math.sqrt(0.5), qw = math.sqrt(0.5) }
	local function hull(name, points) return { name = name, peer = { "hull", table.unpack(points) }, shape = d.hull(points) } end
	local function box(name, w, h, l) return { name = name, peer = { "hull", table.unpack(corners(w, h, l)) }, shape = d.box(w, h, l) } end
	local sphere = { name = "sphere", peer = { "sphere", 0.3 }, shape = d.sphere(0.3) }
	local capsule = { name = "capsule", peer = { "capsule", -0.85, 0, 0, 0.85, 0, 0, 0.15 }, shape = d.capsule(-0.85, 0, 0, 0.85, 0, 0, 0.15) }
	local cylinder = { name = "cylinder", shape = d.cylinder(0.15, 2, along) }
	local cone = { name = "cone", shape = d.cone(0.15, 2, along) }
	local ellipsoid = { name = "ellipsoid", shape = d.ellipsoid(1, 0.15, 0.15) }
	local tapered = { name = "tapered capsule", shape = d.taperedCapsule(-0.85, 0, 0, 0.15, 0.85, 0, 0, 0.1) }
	local log, long = hull("prism", prism(0.15, 2, 12)), box("long box", 2, 0.3, 0.3)
	local grid, indices, heights = {}, {}, {}
	for i = 0, 4 do for k = 0, 4 do
		grid[#grid + 1], grid[#grid + 2], grid[#grid + 3] = i - 2, 0, k - 2
		heights[#heights + 1] = 0
		local a = 5 * i + k + 1
		if i < 4 and k < 4 then for _, index in ipairs { a, a + 1, a + 6, a + 6, a + 5, a } do indices[#indices + 1] = index end end
	end end
	worlds.d3.above = { sphere, capsule, cylinder, cone, tapered, ellipsoid, log, long }
	worlds.d3.below = { box("wide box", 4, 1, 4), box("narrow box", 0.4, 1, 1), sphere, capsule, cylinder, cone, tapered, ellipsoid, log,
		hull("narrow hull", { -0.2, 0.3, -0.5, 0.2, 0.3, -0.5, -0.2, 0.3, 0.5, 0.2, 0.3, 0.5, -0.4, -0.3, 0, 0.4, -0.3, 0 }),
		{ name = "segment", shape = d.segment(-1, 0, 0, 1, 0, 0) }, { name = "triangle", shape = d.triangle(-2, 0, -2, 0, 0, 2, 2, 0, -2) },
		{ name = "half-space", shape = d.halfSpace(0, 1, 0, 0) }, { name = "mesh", peer = { "floor" }, shape = d.mesh(grid, indices) },
		{ name = "height field", peer = { "field" },
			shape = d.heightField { columns = 5, rows = 5, cellWidth = 1, cellDepth = 1, heights = heights, x = -2, z = -2 } } }
end

local function pose(dim, tilt, degrees, y)
	local half = math.rad(degrees) / 2
	if dim == "d2" then return collide.d2.pose(0, y, 2 * half) end
	local s, c = math.sin(half), math.cos(half)
	return collide.d3.pose(0, y, 0, 0, tilt == "yaw" and s or 0, tilt == "pitch" and s or 0, c)
end

-- The height at which the upper shape is `depth` deep, by bisection: the distance falls monotonically with the height.
local function height(dim, a, b, tilt, degrees)
	local d, low, high = collide[dim], 0, 4
	for _ = 1, 50 do
		local y = (low + high) / 2
		if d.distance(a, nil, b, pose(dim, tilt, degrees, y)) < -depth then low = y else high = y end
	end
	return high
end

local function count(dim, a, b, tilt, degrees, y)
	local world = collide[dim].newWorld { gravity = dim == "d2" and { 0, 0 } or { 0, 0, 0 } }
	world:newBody { type = "static", shape = a }
	local body = world:newBody { shape = b }
	body:setTransform(pose(dim, tilt, degrees, y):getTransform())
	world:step(1 / 60)
	local points = 0
	for _ in world:contacts() do points = points + 1 end
	return points
end

local file = arg and arg[1]
local peer = {}
if file and file ~= "cases" then
	for line in io.lines(file) do
		local number, points = line:match "(%d+) (%d+)"
		peer[tonumber(number)] = tonumber(points)
	end
elseif not file then
	print(("%-48s%s"):format("points at degrees", ("%7s"):rep(#angles):format(table.unpack(angles))))
end

local number, fewer = 0, 0
for _, dim in ipairs { "d2", "d3" } do
	for _, below in ipairs(worlds[dim].below) do for _, above in ipairs(worlds[dim].above) do for _, tilt in ipairs(worlds[dim].tilts) do
		local cells = {}
		for _, degrees in ipairs(angles) do
			number = number + 1
			local y = height(dim, below.shape, above.shape, tilt, degrees)
			if file == "cases" then
				if below.peer and above.peer then
					print(number, dim, table.concat(below.peer, " "), ";", table.concat(above.peer, " "), ";", tilt, math.rad(degrees), y)
				end
			else
				local ours, theirs = count(dim, below.shape, above.shape, tilt, degrees, y), peer[number]
				cells[#cells + 1] = theirs and ("%d/%d%s"):format(ours, theirs, ours < theirs and "<" or " ") or ("%d "):format(ours)
				if theirs and ours < theirs then fewer = fewer + 1 end
			end
		end
		if file ~= "cases" then print(("%-48s%s"):format(("%s: %s on %s, %s"):format(dim, above.name, below.name, tilt), ("%7s"):rep(#cells):format(table.unpack(cells)))) end
	end end end
end
if next(peer) then print(("%d cases with fewer points than the peer's"):format(fewer)) end
