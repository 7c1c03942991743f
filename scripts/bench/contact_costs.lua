-- The cost of the narrow phase for one moving contact of each shape type: on a large triangle of a mesh, on the hills of a mesh and of a height field with
-- cells of 1 m, on the face of a box, and anywhere around a box. Prints a table in units of a sphere in the same column, then in ns.
--
--   build/host scripts/bench/contact_costs.lua [ROUNDS [SHAPE ...]]     rounds (default 5); "cone" and so on: a sphere and these alone
--
-- Before each step every body is set to its next pose, turned by 6 degrees and moved by 5 cm, 1 mm deep: too far for a contact to be kept from the step
-- before. The time is that of the step's phase "collide": the mean of a round, and the least of these means. Shapes take turns, so that all have the same
-- noise.
local collide = require "collide"
local d3 = collide.d3

local bodies, poses, depth = 100, 20, 0.001
local columns, spacing = 10, 8

-- Pseudo-random numbers, the same in each run.
local state = 1
local function number(low, high)
	state = state * 16807 % 2147483647
	return low + (high - low) * state / 2147483647
end

local function random_points(count)
	local points = {}
	while #points < 3 * count do
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local length = math.sqrt(x * x + y * y + z * z)
		if length > 0.1 and length < 1 then
			points[#points + 1], points[#points + 2], points[#points + 3] = 0.6 * x / length, 0.4 * y / length, 0.5 * z / length
		end
	end
	return points
end

local shapes = {
	{ "sphere", d3.sphere(0.5) }, { "capsule", d3.capsule(-0.4, 0, 0, 0.4, 0, 0, 0.25) }, { "box", d3.box(1, 0.6, 0.8) }, { "hull", d3.hull(random_points(16)) },
	{ "rounded box", d3.box(1, 0.6, 0.8, { radius = 0.1 }) }, { "tapered capsule", d3.taperedCapsule(-0.4, 0, 0, 0.3, 0.4, 0, 0, 0.2) },
	{ "cone", d3.cone(0.4, 1) }, { "cylinder", d3.cylinder(0.4, 1) }, { "ellipsoid", d3.ellipsoid(0.6, 0.4, 0.5) },
}

local function new_mesh(count, cell, height)
	local points, indices = {}, {}
	for i = 0, count do for k = 0, count do
		points[#points + 1], points[#points + 2], points[#points + 3] = cell * i, height(i, k), cell * k
		local a = (count + 1) * i + k + 1
		if i < count and k < count then
			for _, index in ipairs { a, a + 1, a + count + 2, a + count + 2, a + count + 1, a } do indices[#indices + 1] = index end
		end
	end end
	return d3.mesh(points, indices)
end

-- Cells of 1 m, hills of 0.4 m every 10 m.
local cells = columns * spacing
local function height_at(i, k) return 0.2 * collide.sin(0.2 * math.pi * i) * collide.sin(0.15 * math.pi * k) end

local function new_field()
	local heights = {}
	for k = 0, cells do for i = 0, cells do heights[#heights + 1] = height_at(i, k) end end
	return d3.heightField { columns = cells + 1, rows = cells + 1, cellWidth = 1, cellDepth = 1, heights = heights }
end

local mesh = new_mesh(columns, spacing, function() return 0 end)
local hills, field, box = new_mesh(cells, 1, height_at), new_field(), d3.box(4, 1, 4)

-- The point of the ground below a body.
local function cell_of(i) return (i % columns + 0.5) * spacing, (math.floor(i / columns) + 0.5) * spacing end

-- Moves the shape down (or along the unit vector, towards the ground's middle) until it is `depth` deep. Converges as the distance shrinks by at most the
-- motion.
local function approach(ground, place, shape, x, y, z, nx, ny, nz, q)
	for _ = 1, 100 do
		local gap = d3.distance(ground, place, shape, d3.pose(x, y, z, q[1], q[2], q[3], q[4])) + depth
		if math.abs(gap) < 1e-5 then break end
		x, y, z = x + gap * nx, y + gap * ny, z + gap * nz
	end
	return x, y, z
end

local function turned(q, x, y, z)
	local half = 0.05
	local px, py, pz, pw = x * half, y * half, z * half, 1
	local a, b, c, d = pw * q[1] + px * q[4] + py * q[3] - pz * q[2], pw * q[2] - px * q[3] + py * q[4] + pz * q[1],
		pw * q[3] + px * q[2] - py * q[1] + pz * q[4], pw * q[4] - px * q[1] - py * q[2] - pz * q[3]
	local length = math.sqrt(a * a + b * b + c * c + d * d)
	return { a / length, b / length, c / length, d / length }
end

local function direction()
	while true do
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local length = math.sqrt(x * x + y * y + z * z)
		if length > 0.1 and length < 1 then return x / length, y / length, z / length end
	end
end

-- The body's poses. On hills and around a box it starts far away.
local function path(ground, shape, i, around)
	local cx, cz = cell_of(i)
	local place = ground == box and d3.pose(cx, -0.5, cz) or nil
	local dx, dy, dz = direction()
	local sx, sy, sz = direction()
	local q, list = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) }, {}
	q = turned(q, 0, 0, 0)
	for k = 1, poses do
		local x, y, z, nx, ny, nz = cx - 1.5 + 0.05 * k, 3, cz + 0.8, 0, -1, 0
		if around then
			-- Starts in a fixed direction from the box, and moves towards its middle; shifted a little for each pose.
			x, y, z = cx + 4 * dx + 0.05 * k * sx, -0.5 + 4 * dy + 0.05 * k * sy, cz + 4 * dz + 0.05 * k * sz
			nx, ny, nz = -dx, -dy, -dz
		end
		q = turned(q, sx, sy, sz)
		x, y, z = approach(ground, place, shape, x, y, z, nx, ny, nz, q)
		list[k] = { x, y, z, q[1], q[2], q[3], q[4] }
	end
	return list
end

local function new_scene(ground, shape, around)
	state = 1
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	if ground ~= box then world:newBody { type = "static", shape = ground } end
	local scene = { world = world, bodies = {}, paths = {}, least = math.huge }
	for i = 0, bodies - 1 do
		local x, z = cell_of(i)
		if ground == box then world:newBody { type = "static", shape = ground, x = x, y = -0.5, z = z } end
		scene.bodies[i + 1] = world:newBody { shape = shape }
		scene.paths[i + 1] = path(ground, shape, i, around)
	end
	return scene
end

-- Back and forth through the poses.
local profile, steps = {}, 2 * poses - 2
local function run(scene)
	local time = 0
	for tick = 1, steps do
		local k = tick <= poses and tick or 2 * poses - tick
		for i, body in ipairs(scene.bodies) do
			body:setTransform(table.unpack(scene.paths[i][k]))
			body:setLinearVelocity(0, 0, 0)
			body:setAngularVelocity(0, 0, 0)
		end
		scene.world:step(1 / 60)
		time = time + scene.world:getProfile(profile).collide
	end
	scene.least = math.min(scene.least, 1e6 * time / (steps * bodies))
end

local rounds, only = tonumber(arg and arg[1]) or 5, {}
for i = 2, #(arg or {}) do only[arg[i]] = true end
local grounds = { { "large triangle", mesh }, { "hills", hills }, { "height field", field }, { "face of a box", box }, { "around a box", box, true } }
local chosen, scenes = {}, {}
for _, shape in ipairs(shapes) do
	if shape[1] == "sphere" or only[shape[1]] or next(only) == nil then
		chosen[#chosen + 1] = shape[1]
		for _, ground in ipairs(grounds) do scenes[#scenes + 1] = new_scene(ground[2], shape[2], ground[3]) end
	end
end
for _ = 1, rounds do for _, scene in ipairs(scenes) do run(scene) end end

local heads, spheres = {}, {}
for g, ground in ipairs(grounds) do heads[g] = ("%16s"):format(ground[1]) end
print(("%-16s%s"):format("", table.concat(heads)))
for s, name in ipairs(chosen) do
	local cells_of = {}
	for g = 1, #grounds do
		local ns = scenes[#grounds * (s - 1) + g].least
		spheres[g] = spheres[g] or ns
		cells_of[g] = ("%7.1f%9.0f"):format(ns / spheres[g], ns)
	end
	print(("%-16s%s"):format(name, table.concat(cells_of)))
end
