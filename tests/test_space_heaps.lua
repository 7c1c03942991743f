-- Bodies dropped in a heap come to rest and go to sleep: long, thin, flat and round ones, on floors of all kinds.
local lu = require "luaunit"
local d3 = require("collide").d3
local support = require "support"

local CELLS, SECONDS = 40, 30

local vertices, indices, heights = {}, {}, {}
for k = 0, CELLS do for i = 0, CELLS do
	for _, c in ipairs { 4 * i - 2 * CELLS, 0, 4 * k - 2 * CELLS } do vertices[#vertices + 1] = c end
	heights[#heights + 1] = 0
end end
for k = 0, CELLS - 1 do for i = 0, CELLS - 1 do
	local a = k * (CELLS + 1) + i + 1
	for _, j in ipairs { a, a + CELLS + 1, a + CELLS + 2, a, a + CELLS + 2, a + 1 } do indices[#indices + 1] = j end
end end

local floors = {
	box = d3.box(400, 1, 400, { y = -0.5 }),
	["half-space"] = d3.halfSpace(0, 1, 0, 0),
	mesh = d3.mesh(vertices, indices),
	field = d3.heightField { columns = CELLS + 1, rows = CELLS + 1, cellWidth = 4, cellDepth = 4, x = -2 * CELLS, z = -2 * CELLS, heights = heights },
}

local function box_of_corners(w, h, d)
	local points = {}
	for x = -1, 1, 2 do for y = -1, 1, 2 do for z = -1, 1, 2 do
		for _, c in ipairs { x * w / 2, y * h / 2, z * d / 2 } do points[#points + 1] = c end
	end end end
	return d3.hull(points)
end

-- Round shapes would roll for ever without rolling resistance.
local shapes = {
	plank = d3.box(2, 0.1, 0.2), cube = d3.box(1, 1, 1), plate = d3.box(1, 0.1, 0.8), ["rounded box"] = d3.box(0.8, 0.3, 0.5, { radius = 0.05 }),
	["plank of corners"] = box_of_corners(2, 0.1, 0.2), ["plate of corners"] = box_of_corners(1, 0.1, 0.8),
	prism = d3.hull { -1, -0.1, -0.2, -1, -0.1, 0.2, -1, 0.1, 0, 1, -0.1, -0.2, 1, -0.1, 0.2, 1, 0.1, 0 },
	cylinder = d3.cylinder(0.3, 1), disc = d3.cylinder(0.5, 0.1), cone = d3.cone(0.4, 0.8), capsule = d3.capsule(0.2, 1), ball = d3.sphere(0.3),
}

local function random_rotation(number)
	while true do
		local x, y, z, w = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
		local square = x * x + y * y + z * z + w * w
		if square > 0.01 and square < 1 then return { x, y, z, w } end
	end
end

-- The number of bodies awake in the end.
local function awake_of(floor, shape, count, seed)
	local world, number = d3.newWorld {}, support.random_numbers(7919 * seed + 13)
	world:newBody { type = "static", shape = floor }
	for i = 0, count - 1 do
		world:newBody { shape = shape, position = { number(-0.3, 0.3), 1 + 0.7 * i, number(-0.3, 0.3) }, rotation = random_rotation(number),
			rollingResistance = 0.05 }
	end
	for _ = 1, 60 * SECONDS do
		world:step(1 / 60)
		if world:getAwakeCount() == 0 then return 0 end
	end
	return world:getAwakeCount()
end

TestSpaceHeaps = {}

for name, shape in pairs(shapes) do
	TestSpaceHeaps["test_of_" .. name:gsub("%W", "_")] = function()
		for where, floor in pairs(floors) do for _, count in ipairs { 2, 10 } do for seed = 1, 4 do
			lu.assertEquals(awake_of(floor, shape, count, seed), 0, ("%d on a %s, seed %d"):format(count, where, seed))
		end end end
	end
end

-- A coin set down on its rim wobbles flat, faster and faster, with only friction below it.
function TestSpaceHeaps.test_a_wobbling_coin_comes_to_rest()
	for where, floor in pairs(floors) do
		local world = d3.newWorld {}
		world:newBody { type = "static", shape = floor }
		local lean, radius, half = 0.05, 0.3, 0.5
		local coin = world:newBody { shape = d3.cylinder(radius, 2 * half), rotation = { math.sin(lean / 2), 0, 0, math.cos(lean / 2) },
			position = { 1, half * math.cos(lean) + radius * math.sin(lean), 1 }, angularVelocity = { 0, 0, 0.6 } }
		support.steps(world, 300)
		lu.assertFalse(coin:isAwake(), where)
		lu.assertAlmostEquals(math.abs((select(2, coin:getWorldVector(0, 1, 0)))), 1, 1e-6, where)
	end
end

-- Thin bodies whose centre is slightly above one side of a ridge, and behind the plane of the other, stay on top, whether the surface is one-sided or
-- two-sided.
function TestSpaceHeaps.test_thin_bodies_stay_on_hills()
	local n, points, triangles, tops = 30, {}, {}, {}
	for k = 0, n do for i = 0, n do
		local y = 0.35 * math.sin(0.9 * i) * math.cos(0.7 * k) + 0.15 * math.sin(2.1 * i + 1.3 * k)
		for _, c in ipairs { i - n / 2, y, k - n / 2 } do points[#points + 1] = c end
		tops[#tops + 1] = y
	end end
	for k = 0, n - 1 do for i = 0, n - 1 do
		local a = k * (n + 1) + i + 1
		for _, j in ipairs { a, a + n + 1, a + n + 2, a, a + n + 2, a + 1 } do triangles[#triangles + 1] = j end
	end end
	local hills = { d3.mesh(points, triangles), d3.mesh(points, triangles, { oneSided = true }),
		d3.heightField { columns = n + 1, rows = n + 1, cellWidth = 1, cellDepth = 1, x = -n / 2, z = -n / 2, heights = tops } }
	local number = support.random_numbers(21)
	for i, hill in ipairs(hills) do for _, name in ipairs { "plank", "plate", "disc", "plate of corners" } do
		local world, bodies = d3.newWorld {}, {}
		world:newBody { type = "static", shape = hill }
		for k = 1, 16 do
			bodies[k] = world:newBody { shape = shapes[name], position = { 2.5 * (k % 4) - 4, 2, 2.5 * math.floor(k / 4) - 5 },
				rotation = random_rotation(number) }
		end
		support.steps(world, 300)
		for k, body in ipairs(bodies) do
			local _, y = body:getCenter()
			lu.assertTrue(y > -0.6, ("%s %d fell through hill %d: %g"):format(name, k, i, y))
		end
	end end
end
