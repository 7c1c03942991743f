-- Meshes and height fields of the same hills: bytes a triangle or a cell, the time to build them, and the time of queries and contacts: ns a ray straight
-- down, a ray along the hills, a cast of a ball, the distance of a box, and ns a body and step for boxes and balls that roll over the hills. Each query is
-- run on the mesh, on the field, and on a copy of each at another scale, which shares their lists.
--
--   build/host scripts/bench/meshes.lua          1000 by 1000 cells, 2 million triangles
--   build/host scripts/bench/meshes.lua 100      another number of cells each way
local wanted = ...
local cells = tonumber(wanted or 1000)
assert(cells and cells >= 10 and cells % 1 == 0, "meshes: the argument must be a number of cells, at least 10")

local collide = require("collide")
local d3, sin, cos = collide.d3, collide.sin, collide.cos
local cell, columns, clock = 0.5, cells + 1, os.clock
local size = cells * cell

local function height(i, k) return 3 * sin(i * 0.031) * cos(k * 0.027) + 0.3 * sin(i * 0.7 + k * 0.9) end

local seed = 1
local function random(low, high)
	seed = (seed * 16807) % 2147483647
	return low + (high - low) * seed / 2147483647
end

local vertices, indices, heights = {}, {}, {}
for k = 0, cells do
	for i = 0, cells do
		local n = #heights
		heights[n + 1] = height(i, k)
		vertices[3 * n + 1], vertices[3 * n + 2], vertices[3 * n + 3] = i * cell, heights[n + 1], k * cell
	end
end
for k = 0, cells - 1 do
	for i = 0, cells - 1 do
		local a, n = k * columns + i + 1, #indices
		indices[n + 1], indices[n + 2], indices[n + 3] = a, a + columns + 1, a + 1
		indices[n + 4], indices[n + 5], indices[n + 6] = a, a + columns, a + columns + 1
	end
end

local function build(name, parts, make)
	collectgarbage()
	local start = clock()
	local shape = make()
	local seconds = clock() - start
	local bytes = shape.getByteCount and ("%.1f bytes a %s, "):format(shape:getByteCount() / parts, name == "mesh" and "triangle" or "cell") or ""
	print(("%-12s %sbuilt in %.3f s"):format(name, bytes, seconds))
	return shape
end

local mesh = build("mesh", 2 * cells * cells, function() return d3.mesh(vertices, indices) end)
local field = build("height field", cells * cells, function()
	return d3.heightField { heights = heights, columns = columns, rows = columns, cellWidth = cell, cellDepth = cell }
end)

local count, ball, box = 20000, d3.sphere(0.5), d3.box(1, 1, 1)
local places = {}
for i = 1, count do places[i] = { random(1, size - 1), random(1, size - 1), random(0, 2 * math.pi) } end

-- Each returns the number of queries, and a value computed from the answers.
local questions = {
	{ "ray down", function(shape)
		local sum = 0
		for i = 1, count do
			local p = places[i]
			sum = sum + (d3.raycast(shape, nil, p[1], 20, p[2], p[1], -20, p[2]) or 1)
		end
		return count, sum / count
	end },
	{ "ray along", function(shape)
		local sum = 0
		for i = 1, count do
			local p = places[i]
			sum = sum + (d3.raycast(shape, nil, p[1], 2, p[2], p[1] + 200 * cos(p[3]), -6, p[2] + 200 * sin(p[3])) or 1)
		end
		return count, sum / count
	end },
	{ "ball cast", function(shape)
		local sum, n = 0, count / 10
		for i = 1, n do
			local p = places[i]
			sum = sum + select(2, d3.cast(ball, d3.pose(p[1], 6, p[2]), 20 * cos(p[3]), -10, 20 * sin(p[3]), shape, nil))
		end
		return n, sum / n
	end },
	{ "box distance", function(shape)
		local sum, n = 0, count / 10
		for i = 1, n do
			local p = places[i]
			sum = sum + d3.distance(shape, nil, box, d3.pose(p[1], 5, p[2]))
		end
		return n, sum / n
	end },
	{ "body, a step", function(shape)
		local world, steps = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }, 120
		world:newBody { type = "static", shape = shape }
		local bodies = {}
		for i = 0, 399 do
			local x, z = size / 2 + (i % 20 - 10) * 1.5, size / 2 + (math.floor(i / 20) - 10) * 1.5
			if x > 1 and z > 1 and x < size - 1 and z < size - 1 then
				bodies[#bodies + 1] = world:newBody {
					x = x, y = 5, z = z, shape = i % 2 == 0 and ball or box, linearVelocity = { random(-4, 4), 0, random(-4, 4) },
				}
			end
		end
		for _ = 1, 60 do world:step(1 / 60) end
		local start, sum = clock(), 0
		for _ = 1, steps do world:step(1 / 60) end
		local seconds = clock() - start
		for i = 1, #bodies do sum = sum + select(2, bodies[i]:getPosition()) end
		return steps * #bodies, sum / #bodies, seconds
	end },
}

local shapes = { { "mesh", mesh }, { "field", field } }
if mesh.scaled then
	shapes[3], shapes[4] = { "mesh, scaled", mesh:scaled(1, 0.75, 1) }, { "field, scaled", field:scaled(1, 0.75, 1) }
end
for _, question in ipairs(questions) do
	for _, entry in ipairs(shapes) do
		local best, answer = math.huge, nil
		for _ = 1, 3 do
			local start = clock()
			local n, sum, seconds = question[2](entry[2])
			seconds = seconds or clock() - start
			best, answer = math.min(best, seconds / n * 1e9), sum
		end
		print(("%-14s %-14s %9.0f ns   mean answer %.6f"):format(question[1], entry[1], best, answer))
	end
end
