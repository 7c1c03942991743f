-- Voxels: cells against a plain model, their surface against separate hulls, sliding without seams, edits under bodies.

local lu, support = require "luaunit", require "support"
local d3 = require("collide").d3
local random_numbers = support.random_numbers

TestVoxels = {}

-- Kinds, by corners in eighths of a cell: a whole cell; slopes; a slab; a slab on one side; a hull that covers parts of its sides; one that
-- touches its sides in points and edges.
local solids = {
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 8, 0 }, { 8, 8, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 0, 8, 8 }, { 8, 8, 8 } },
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 8, 8, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 8, 8, 8 } },
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 8, 4, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 8, 4, 8 } },
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 4, 0 }, { 8, 4, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 0, 4, 8 }, { 8, 4, 8 } },
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 8, 0 }, { 8, 8, 0 }, { 0, 0, 3 }, { 8, 0, 3 }, { 0, 8, 3 }, { 8, 8, 3 } },
	{ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 0, 8 }, { 0, 8, 0 } },
	{ { 2, 0, 3 }, { 6, 0, 2 }, { 4, 0, 6 }, { 4, 8, 4 }, { 0, 3, 4 }, { 8, 5, 4 } },
}

local function turned(points, flags)
	local result = points
	for word in (flags or ""):gmatch "%S+" do
		local kind, letter, angle = word:match "^(%a-)([XYZ])(%d*)$"
		local axis, list = ("XYZ"):find(letter), {}
		local b, c = axis % 3 + 1, (axis + 1) % 3 + 1
		for i, p in ipairs(result) do
			local q = { p[1], p[2], p[3] }
			if kind == "flip" then q[axis] = 8 - q[axis] end
			for _ = 1, (tonumber(angle) or 0) / 90 do q[b], q[c] = 8 - q[c], q[b] end
			list[i] = q
		end
		result = list
	end
	return result
end

local function hull_of(points, size, i, j, k)
	local flat = {}
	for _, p in ipairs(points) do
		flat[#flat + 1] = (i + p[1] / 8) * size
		flat[#flat + 1] = (j + p[2] / 8) * size
		flat[#flat + 1] = (k + p[3] / 8) * size
	end
	return d3.hull(flat)
end

local function kinds_of(size)
	local kinds = {}
	for i, points in ipairs(solids) do kinds[i] = { name = "kind " .. i, shape = i > 1 and hull_of(points, size, 0, 0, 0) or nil } end
	return kinds
end

local words = { "turnX90", "turnX180", "turnX270", "turnY90", "turnY180", "turnY270", "turnZ90", "turnZ180", "turnZ270", "flipX", "flipY", "flipZ" }

local function random_flags(number, choice)
	if number(0, 1) < 0.3 then return nil end
	return words[choice(#words)] .. (number(0, 1) < 0.5 and "  " .. words[choice(#words)] or "")
end

local function key(i, j, k) return i * 1000000 + j * 1000 + k end

-- Sets random cells of the voxels, and of a model: model[key] = { kind, flags, i, j, k }. side: the cells are from -side to side - 1.
local function edit(number, choice, map, model, side)
	local function place() return choice(2 * side) - side - 1 end
	local i, j, k = place(), place(), place()
	local kind = number(0, 1) < 0.4 and 0 or number(0, 1) < 0.5 and 1 or choice(#solids)
	local flags = kind > 0 and random_flags(number, choice) or nil
	local i2, j2, k2 = i, j, k
	if number(0, 1) < 0.1 then
		i2, j2, k2 = math.min(side - 1, i + choice(4)), math.min(side - 1, j + choice(3)), math.min(side - 1, k + choice(4))
		map:fillCells(i, j, k, i2, j2, k2, kind, flags)
	else
		map:setCell(i, j, k, kind, flags)
	end
	for x = i, i2 do
		for y = j, j2 do
			for z = k, k2 do model[key(x, y, z)] = { kind, flags, x, y, z } end
		end
	end
	return i, j, k
end

-- A body with a hull for each cell.
local function separate(world, model, size, pose)
	local body = world:newBody(pose)
	local keys = {}
	for at in pairs(model) do keys[#keys + 1] = at end
	table.sort(keys)
	for _, at in ipairs(keys) do
		local cell = model[at]
		if cell[1] > 0 then body:newCollider(hull_of(turned(solids[cell[1]], cell[2]), size, cell[3], cell[4], cell[5])) end
	end
	return body
end

function TestVoxels.test_cells_are_those_of_a_plain_model()
	local number, choice = random_numbers(11)
	local world = d3.newWorld {}
	local map = world:newBody { type = "static", x = 3, y = -2, z = 1, axis = { 1, 2, 3 }, angle = 0.3 }:newVoxels { cellSize = 0.5, kinds = kinds_of(0.5) }
	local model = {}
	for _ = 1, 600 do
		edit(number, choice, map, model, 6)
		local i, j, k = choice(12) - 7, choice(12) - 7, choice(12) - 7
		local cell = model[key(i, j, k)] or { 0 }
		local kind, flags, name = map:getCell(i, j, k)
		lu.assertEquals({ kind, name }, { cell[1], cell[1] > 0 and "kind " .. cell[1] or nil })
		if kind > 0 then -- the words may be others, but they turn the cell in the same way
			lu.assertEquals(turned(solids[1], flags), turned(solids[1], cell[2]))
			map:setCell(i, j, k, kind, flags)
			lu.assertEquals({ map:getCell(i, j, k) }, { kind, flags, name })
		end
		local x, y, z = map:getBody():getWorldPoint((i + 0.5) * 0.5, (j + 0.5) * 0.5, (k + 0.5) * 0.5)
		lu.assertEquals({ map:cellAt(x, y, z) }, { i, j, k, kind, flags, name })
	end
	world:validate()
	map:fillCells(-6, -6, -6, 5, 5, 5, 0)
	for _ in world:contacts() do end
	lu.assertNil((map:raycast(0, 0, 0, 9, 9, 9)))
	lu.assertNil((map:closestPoint(1, 2, 3)))
	lu.assertNil((world:nearest(1, 2, 3)))
	world:validate()
end

-- Cells of large boxes, at the ends of the lattice too, are what was set last.
function TestVoxels.test_large_boxes()
	local number, choice = random_numbers(3)
	local world = d3.newWorld {}
	local map = world:newBody { type = "static" }:newVoxels { kinds = { {}, {}, { shape = hull_of(solids[2], 1, 0, 0, 0) } } }
	local boxes = {}
	for n = 1, 40 do
		local low, high = {}, {}
		for a = 1, 3 do
			low[a] = choice(90) - 45
			high[a] = low[a] + choice(n % 3 == 0 and 40 or 6) - 1
		end
		local kind = n % 8 == 7 and 3 or n % 3
		if kind == 3 then high[1] = low[1] + 2 end
		map:fillCells(low[1], low[2], low[3], high[1], high[2], high[3], kind)
		boxes[#boxes + 1] = { low, high, kind }
		for _ = 1, 60 do
			local at, expected = { choice(120) - 60, choice(120) - 60, choice(120) - 60 }, 0
			for _, box in ipairs(boxes) do
				local inside = true
				for a = 1, 3 do inside = inside and at[a] >= box[1][a] and at[a] <= box[2][a] end
				if inside then expected = box[3] end
			end
			lu.assertEquals((map:getCell(at[1], at[2], at[3])), expected)
		end
		world:validate()
	end
	for _, at in ipairs { { -65536, -65536, -65536 }, { 65535, 65535, 65535 }, { -65536, 0, 65535 } } do
		map:setCell(at[1], at[2], at[3], 1)
		lu.assertEquals({ map:getCell(at[1], at[2], at[3]) }, { 1 })
		local c, x, y, z, nx, ny, nz, t, part, kind = world:raycast(at[1] + 0.5, at[2] + 9, at[3] + 0.5, at[1] + 0.5, at[2] - 9, at[3] + 0.5)
		lu.assertEquals({ y, ny, kind }, { at[2] + 1, 1, "cell" })
		lu.assertEquals({ map:cellOf(part) }, { at[1], at[2], at[3], 1 })
	end
	world:validate()
end

-- Rays, casts, overlaps and nearest points from outside are those of separate hulls, after any number of edits.
function TestVoxels.test_queries_are_those_of_separate_hulls()
	local number, choice = random_numbers(5)
	local size, pose = 0.75, { type = "static", x = 5, y = 1, z = -2, axis = { 1, -1, 2 }, angle = -0.4 }
	local world = d3.newWorld {}
	local map = world:newBody(pose):newVoxels { cellSize = size, kinds = kinds_of(size) }
	local model, hits, compared = {}, 0, 0
	for _ = 1, 10 do
		for _ = 1, 50 do edit(number, choice, map, model, 4) end
		world:validate()
		local other = d3.newWorld {}
		separate(other, model, size, pose)
		for _ = 1, 60 do
			local function outside() return map:getBody():getWorldPoint(number(-5, 5), number(-5, 5), number(-5, 5)) end
			local x1, y1, z1 = outside()
			local x2, y2, z2 = outside()
			if #other:overlapPoint(x1, y1, z1) == 0 then
				local c, x, y, z, nx, ny, nz, t, part, kind = world:raycast(x1, y1, z1, x2, y2, z2)
				local d, u, v, w, mx, my, mz, s = other:raycast(x1, y1, z1, x2, y2, z2)
				lu.assertEquals(c ~= nil, d ~= nil)
				if c then
					hits = hits + 1
					lu.assertAlmostEquals(t, s, 1e-5)
					lu.assertAlmostEquals(nx * mx + ny * my + nz * mz, 1, 1e-4)
					lu.assertEquals(kind, "cell")
					local i, j, k = map:cellAt(x - 1e-4 * nx, y - 1e-4 * ny, z - 1e-4 * nz)
					lu.assertEquals({ map:cellOf(part) }, { map:cellAt(x - 1e-4 * nx, y - 1e-4 * ny, z - 1e-4 * nz) }, ("%d, %d, %d"):format(i, j, k))
				end
				lu.assertEquals({ map:raycast(x1, y1, z1, x2, y2, z2) }, { select(2, world:raycast(x1, y1, z1, x2, y2, z2)) })
				c, x, y, z, t = world:nearest(x1, y1, z1)
				d, u, v, w, s = other:nearest(x1, y1, z1)
				lu.assertAlmostEquals(t, s, 1e-5)
				lu.assertAlmostEquals(select(4, map:closestPoint(x1, y1, z1)), t, 1e-9)
			end
			local shape = choice(2) == 1 and d3.sphere(0.3) or d3.box(0.5, 0.4, 0.3)
			local at = d3.pose(x1, y1, z1)
			if #other:overlapShape(shape, at) == 0 then
				compared = compared + 1
				lu.assertEquals(#world:overlapShape(shape, at), 0)
				local c, x, y, z, nx, ny, nz, t = world:shapecast(shape, at, x2 - x1, y2 - y1, z2 - z1)
				local d, u, v, w, mx, my, mz, s = other:shapecast(shape, at, x2 - x1, y2 - y1, z2 - z1)
				lu.assertEquals(c ~= nil, d ~= nil)
				if c then lu.assertAlmostEquals(t, s, 1e-4) end
			end
		end
	end
	lu.assertTrue(hits > 100 and compared > 100, ("%d, %d"):format(hits, compared))
end

-- A body slides over 500 cells as over a plane: nothing slows it, lifts it or turns it aside. Along a row, obliquely, near the origin and far from it; over voxels set one by
-- one, too.
function TestVoxels.test_nothing_is_felt_between_cells()
	for _, far in ipairs { 0, 1e5 } do
		for _, speed in ipairs { 5, 60 } do
			for n, shape in ipairs { d3.sphere(0.4), d3.box(0.9, 0.6, 0.7), d3.box(3.3, 0.6, 2.2), d3.capsule(-0.4, 0, 0, 0.4, 0, 0, 0.3), d3.cylinder(0.5, 0.6) } do
				local world = d3.newWorld { gravity = { 0, -10, 0 } }
				local map = world:newBody { type = "static", x = far, y = far, z = far }:newVoxels { friction = 0, kinds = { {}, { shape = hull_of(solids[4], 1, 0, 0, 0) } } }
				local top = n % 2 == 0 and 1.5 or 2
				local seconds = math.min(480 / speed, 5)
				local last, across_last = math.ceil(speed * seconds) + 5, math.ceil(0.1 * speed * seconds) + 5
				map:fillCells(-5, 0, -5, last, 0, across_last, 1)
				map:fillCells(-5, 1, -5, last, 1, across_last, n % 2 == 0 and 2 or 1)
				local across = n == 3 and 0 or 0.1 * speed
				local _, low = shape:getBox()
				local body = world:newBody { x = far, y = far + top - low, z = far + 0.3, shape = shape, friction = 0, linearVelocity = { speed, 0, across }, locks = { rotationX = true, rotationY = true, rotationZ = true } }
				local lowest, highest = math.huge, -math.huge
				for tick = 1, math.floor(seconds * 60) do
					world:step(1 / 60)
					local _, y = body:getPosition()
					if tick > 30 then lowest, highest = math.min(lowest, y), math.max(highest, y) end
				end
				local vx, vy, vz = body:getLinearVelocity()
				lu.assertAlmostEquals(vx, speed, 1e-3 * speed, ("%g at %g: %s"):format(speed, far, tostring(shape)))
				lu.assertAlmostEquals(vz, across, 1e-3 * speed)
				lu.assertTrue(highest - lowest < 1e-3, ("%g at %g: %s by %g"):format(speed, far, tostring(shape), highest - lowest))
			end
		end
	end
end

-- On a ramp of slopes a ball keeps its energy, and its path is that on a single plate.
function TestVoxels.test_slopes_continue_each_other()
	for _, far in ipairs { 0, 1e5 } do
		local results = {}
		for pass = 1, 2 do
			local world = d3.newWorld { gravity = { 0, -10, 0 } }
			local ground = world:newBody { type = "static", x = far }
			if pass == 1 then
				local high = hull_of({ { 0, 0, 0 }, { 8, 0, 0 }, { 0, 4, 0 }, { 8, 8, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 0, 4, 8 }, { 8, 8, 8 } }, 1, 0, 0, 0)
				local map = ground:newVoxels { friction = 0, kinds = { {}, { shape = hull_of(solids[3], 1, 0, 0, 0) }, { shape = high } } }
				for i = 1, 60 do -- down along x by 1 in 2 cells
					local top = 30 - (i - 1) / 2
					local row = math.floor(top)
					for k = -2, 2 do
						if i % 2 == 1 then map:setCell(i - 1, row - 1, k, 3, "flipX") else map:setCell(i - 1, row, k, 2, "flipX") end
					end
					local below = i % 2 == 1 and row - 2 or row - 1
					if below >= 0 then map:fillCells(i - 1, 0, -2, i - 1, below, 2, 1) end
				end
			else
				ground:newCollider(d3.hull { 0, 30, -2, 60, 0, -2, 0, 30, 3, 60, 0, 3, 0, 0, -2, 0, 0, 3 }, { friction = 0 })
			end
			local body = world:newBody { x = far + 3, y = 29.5, z = 0.3, shape = d3.sphere(0.4), friction = 0 }
			for _ = 1, 240 do world:step(1 / 60) end
			results[pass] = { body:getPosition() }
			for k = 1, 3 do results[pass][3 + k] = select(k, body:getLinearVelocity()) end
		end
		for k = 1, 6 do lu.assertAlmostEquals(results[1][k], results[2][k], 3e-3, ("%d at %g"):format(k, far)) end
	end
end

function TestVoxels.test_edits_wake_what_rests_there()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local map = world:newBody { type = "static" }:newVoxels { kinds = { { name = "earth" } } }
	map:fillCells(0, 0, 0, 63, 1, 3, 1)
	local balls = {}
	for i = 1, 60, 4 do balls[#balls + 1] = world:newBody { x = i + 0.5, y = 2.4, z = 1.5, shape = d3.sphere(0.4) } end
	for _ = 1, 120 do world:step(1 / 60) end
	for _, ball in ipairs(balls) do lu.assertFalse(ball:isAwake()) end
	map:setCell(9, 1, 1, 0) -- below the third one
	lu.assertTrue(balls[3]:isAwake())
	lu.assertFalse(balls[2]:isAwake() or balls[4]:isAwake())
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertAlmostEquals(select(2, balls[3]:getPosition()), 1.4, 0.01)
	lu.assertAlmostEquals(select(2, balls[2]:getPosition()), 2.4, 0.01)
	map:setCell(9, 1, 1, 1) -- on it: it is pushed out, and comes to rest on the ground
	lu.assertTrue(balls[3]:isAwake())
	local fastest = 0
	for _ = 1, 300 do
		world:step(1 / 60)
		local vx, vy, vz = balls[3]:getLinearVelocity()
		fastest = math.max(fastest, math.abs(vx), math.abs(vy), math.abs(vz))
	end
	lu.assertAlmostEquals(select(2, balls[3]:getPosition()), 2.4, 0.02)
	lu.assertTrue(fastest < 10, fastest)
	map:fillCells(0, 0, 0, 63, 1, 3, 0) -- all of it goes
	for _ = 1, 30 do world:step(1 / 60) end
	for _, ball in ipairs(balls) do lu.assertTrue(select(2, ball:getPosition()) < 1.5) end
	world:validate()
end

-- The contacts and their ends: each begin has one end, also when the cell below goes.
function TestVoxels.test_events_and_contacts_name_the_cell()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local map = world:newBody { type = "static" }:newVoxels { kinds = { { name = "earth", material = { name = "mud", friction = 0.1 } }, { name = "ice", material = { friction = 0 } } } }
	map:fillCells(0, 0, -1, 4, 0, 1, 1)
	map:fillCells(5, 0, -1, 9, 0, 1, 2)
	local ball, sledge = world:newBody { x = 2.5, y = 1.5, z = 0.5, shape = d3.sphere(0.4) }, world:newBody { x = 6.5, y = 1.3, z = 0.5, shape = d3.box(0.4, 0.5, 0.4), linearVelocity = { 1, 0, 0 } }
	local begins, ends = 0, 0
	local function count()
		world:step(1 / 60)
		for a, b in world:beginContacts() do begins = begins + ((a == map or b == map) and 1 or 0) end
		for a, b in world:endContacts() do ends = ends + ((a == map or b == map) and 1 or 0) end
	end
	for _ = 1, 60 do count() end
	lu.assertEquals({ begins, ends }, { 2, 0 })
	lu.assertAlmostEquals(sledge:getLinearVelocity(), 1, 1e-4)
	local found
	for a, b, nx, ny, nz, x, y, z, separation, impulse, tangent, partA, partB in ball:contacts() do found = partA or partB end
	lu.assertEquals({ map:cellOf(found) }, { 2, 0, 0, 1, nil, "earth" })
	map:setCell(2, 0, 0, 0)
	for _ in ball:contacts() do end -- the triangle is gone
	for _ = 1, 2 do count() end
	lu.assertEquals(ends, 1)
	local rays = world:raycasts { 6.5, 5, 0.5, 6.5, -5, 0.5, 50, 5, 0, 50, -5, 0 }
	lu.assertEquals({ map:cellOf(rays[9]) }, { 6, 0, 0, 2, nil, "ice" })
end

-- Sensors among the kinds are a second collider, solid, whose cells may come and go.
function TestVoxels.test_sensors_are_solid()
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	local wedge = hull_of(solids[2], 1, 0, 0, 0)
	local map, water = world:newBody { type = "static" }:newVoxels { kinds = { { name = "earth" }, { name = "water", sensor = true }, { name = "wedge", sensor = true, shape = wedge } } }
	lu.assertTrue(water:isSensor())
	lu.assertFalse(map:isSensor())
	map:fillCells(4, 4, 4, 14, 14, 14, 2)
	lu.assertEquals(water:getCell(9, 9, 9), 2)
	local fish = world:newBody { x = 9.5, y = 9.5, z = 9.5, shape = d3.sphere(0.1), linearVelocity = { 1, 0, 0 } }
	local log = {}
	for _ = 1, 600 do
		world:step(1 / 60)
		for s, v in world:beginOverlaps() do log[#log + 1] = (s == water and v:getBody() == fish) and "in" or "wrong" end
		for s, v in world:endOverlaps() do log[#log + 1] = (s == water and v:getBody() == fish) and "out" or "wrong" end
	end
	lu.assertEquals(log, { "in", "out" })
	fish:setPosition(2.25, 2.75, 2.5)
	for _, case in ipairs { { nil, 0 }, { "flipX", 1 }, { "turnZ90", 1 }, { "turnZ180", 1 } } do
		map:setCell(2, 2, 2, 3, case[1])
		fish:setLinearVelocity(0, 0, 0)
		for _ = 1, 2 do world:step(1 / 60) end
		local count = 0
		for _ in water:overlaps() do count = count + 1 end
		lu.assertEquals(count, case[2], case[1])
	end
	lu.assertEquals(#world:overlapPoint(12.5, 12.5, 12.5, { sensors = true }), 1)
	lu.assertEquals(#world:overlapPoint(18.5, 12.5, 12.5, { sensors = true }), 0)
	lu.assertEquals(#world:overlapBox(9.2, 9.2, 9.2, 9.4, 9.4, 9.4, { sensors = true }), 1)
	lu.assertEquals(#world:overlapShape(d3.sphere(0.2), d3.pose(9.5, 9.5, 9.5), { sensors = true }), 1)
	local _, x = world:raycast(0, 9.5, 9.5, 20, 9.5, 9.5, { sensors = true })
	lu.assertAlmostEquals(x, 4, 1e-6)
	world:validate()
end

-- Kinds with oneWay are a third collider: a ball passes from below and rests on it.
function TestVoxels.test_one_way_kinds()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local map, planks = world:newBody { type = "static" }:newVoxels { kinds = { {}, { name = "plank", oneWay = { 0, 1, 0 } } } }
	map:fillCells(-3, 3, -3, 3, 3, 3, 2)
	lu.assertEquals({ planks:getCell(0, 3, 0) }, { 2, nil, "plank" })
	local ball = world:newBody { x = 0.5, y = 0.5, z = 0.5, shape = d3.sphere(0.4), linearVelocity = { 0, 12, 0 } }
	for _ = 1, 240 do world:step(1 / 60) end
	lu.assertAlmostEquals(select(2, ball:getPosition()), 4.4, 0.01)
end

-- However voxels and height fields get larger, also while their body is disabled: in each step the broad phase has them where they are.
function TestVoxels.test_edited_bodies_turn()
	local cases = {
		{ 5, 5, 5 }, { 0, 0, 0, 5, 5, 5 }, { 0, 0, 0, -9, 0, 0, 0, 9, 0 },
	}
	for _, cells in ipairs(cases) do
		for _, disabled in ipairs { false, true } do
			local world = d3.newWorld { gravity = { 0, 0, 0 } }
			local body = world:newBody { type = "kinematic", angularVelocity = { 1, 1, 1 } }
			local map = body:newVoxels { kinds = { {}, { sensor = true } } }
			body:setEnabled(not disabled)
			for i = 1, #cells, 3 do map:setCell(cells[i], cells[i + 1], cells[i + 2], i % 2 + 1) end
			body:setEnabled(true)
			for _ = 1, 60 do
				world:step(1 / 60)
				world:validate()
			end
		end
	end
	for _, disabled in ipairs { false, true } do
		local world, heights = d3.newWorld { gravity = { 0, 0, 0 } }, {}
		for i = 1, 25 do heights[i] = 0 end
		local body = world:newBody { type = "kinematic", angularVelocity = { 1, 1, 1 }, shape = d3.heightField { columns = 5, rows = 5, cellWidth = 0.1, cellDepth = 0.1, heights = heights } }
		body:setEnabled(not disabled)
		local field = body:getColliders()[1]
		for height = 1, 30 do
			field:setHeights(3, 3, 1, 1, { 0.04 * height * height })
			if disabled and height == 20 then body:setEnabled(true) end
			world:step(1 / 60)
			world:validate()
		end
	end
end

-- A kinematic raft of voxels carries a crate, and turns with its cells.
function TestVoxels.test_voxels_move_with_a_kinematic_body()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local raft = world:newBody { type = "kinematic", linearVelocity = { 2, 0, 0 } }
	local map = raft:newVoxels { kinds = { { name = "wood" } } }
	map:fillCells(0, 0, 0, 7, 0, 3, 1)
	local crate = world:newBody { x = 3, y = 1.25, z = 2, shape = d3.box(0.5, 0.5, 0.5), linearVelocity = { 2, 0, 0 } }
	for tick = 1, 300 do
		world:step(1 / 60)
		if tick == 100 then map:setCell(7, 1, 2, 1) end
		if tick == 200 then map:setCell(60, 1, 2, 1) end -- far away: its AABB grows
	end
	lu.assertAlmostEquals(crate:getPosition() - raft:getPosition(), 3, 0.02)
	raft:setLinearVelocity(0, 0, 0)
	raft:setRotation(d3.rotation(0, 0, 1, math.pi / 2))
	local x, y = raft:getPosition()
	lu.assertEquals({ map:cellAt(x - 0.5, y + 2.5, 1.5) }, { 2, 0, 1, 1, nil, "wood" })
	local _, hit = world:raycast(x - 3, y + 2.5, 1.5, x, y + 2.5, 1.5)
	lu.assertAlmostEquals(hit, x - 1, 1e-6)
	world:validate()
end

-- A mover walks over cells as over a floor, is stopped by a block, and walks up a slope.
function TestVoxels.test_movers_walk_on_voxels()
	local world = d3.newWorld { gravity = { 0, -20, 0 } }
	local map = world:newBody { type = "static" }:newVoxels { kinds = { {}, { shape = hull_of(solids[2], 1, 0, 0, 0) } } }
	map:fillCells(0, 0, -3, 39, 0, 3, 1)
	map:fillCells(9, 1, -3, 9, 1, 3, 1)
	local player = world:newMover { shape = d3.capsule(0, -0.4, 0, 0, 0.4, 0, 0.4), x = 2, y = 2, z = 0.3, stepHeight = 0.3 }
	local vy = 0
	local function play(seconds, walk)
		for _ = 1, seconds * 60 do
			vy = player:isGrounded() and 0 or vy - 20 / 60
			player:move(walk / 60, vy / 60, 0, 1 / 60)
			world:step(1 / 60)
		end
		return player:getPosition()
	end
	local x, y = play(1, 5)
	lu.assertAlmostEquals(x, 7, 0.03) -- as far as on a plane
	lu.assertAlmostEquals(y, 1.8, 0.03)
	x, y = play(1, 5)
	lu.assertAlmostEquals(x, 8.6, 0.03)
	map:fillCells(8, 1, -3, 8, 1, 3, 2) -- a slope up to the block
	player:setPosition(4, 2, 0.3)
	x, y = play(3, 3)
	lu.assertAlmostEquals(y, 1.8, 0.05) -- over the block, and down behind it
	lu.assertTrue(x > 10.3)
end

-- Cells are set at random over and beside moving bodies: none is lost, none gets faster than gravity and the push make it.
function TestVoxels.test_edits_under_moving_bodies_do_no_harm()
	local number, choice = random_numbers(3)
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local map = world:newBody { type = "static" }:newVoxels { kinds = kinds_of(1) }
	map:fillCells(-1, -2, -1, 12, -1, 12, 1)
	for _, wall in ipairs { { -1, 0, -1, -1, 20, 12 }, { 12, 0, -1, 12, 20, 12 }, { -1, 0, -1, 12, 20, -1 }, { -1, 0, 12, 12, 20, 12 } } do map:fillCells(wall[1], wall[2], wall[3], wall[4], wall[5], wall[6], 1) end
	local bodies = {}
	for i = 1, 60 do bodies[i] = world:newBody { x = 1 + i * 3 % 10, y = 3 + 2 * math.floor(i / 10), z = 1 + i * 7 % 10, shape = i % 2 == 0 and d3.sphere(0.35) or d3.box(0.6, 0.5, 0.4) } end
	local worst = 0
	for tick = 1, 600 do
		if tick % 2 == 0 then
			map:setCell(choice(12) - 1, choice(6) - 1, choice(12) - 1, number(0, 1) < 0.5 and 0 or choice(#solids), random_flags(number, choice))
		end
		world:step(1 / 60)
		for _, body in ipairs(bodies) do
			local vx, vy, vz = body:getLinearVelocity()
			worst = math.max(worst, math.abs(vx), math.abs(vy), math.abs(vz))
		end
		if tick % 100 == 0 then world:validate() end
	end
	lu.assertTrue(worst < 30, worst)
	for _, body in ipairs(bodies) do
		local x, y, z = body:getPosition()
		lu.assertTrue(x > -1 and x < 13 and z > -1 and z < 13 and y > -2, ("%g, %g, %g"):format(x, y, z))
	end
end

-- A world of voxels and a height field that change goes on from a saved state to the same bits, in the same world and in a new one.
function TestVoxels.test_saved_worlds_go_on_to_the_same_bits()
	local number, choice = random_numbers(9)
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local kinds = kinds_of(1)
	kinds[#kinds + 1] = { name = "water", sensor = true }
	local body = world:newBody { type = "static" }
	local map = body:newVoxels { kinds = kinds }
	local heights = {}
	for i = 1, 100 do heights[i] = 0 end
	local field = body:newCollider(d3.heightField { columns = 10, rows = 10, x = 8, z = -5, cellWidth = 1, cellDepth = 1, heights = heights }:scaled(2, 2, 1))
	map:fillCells(-6, -2, -6, 7, 0, 6, 1)
	for i = 1, 30 do world:newBody { x = i % 8 * 3 - 5, y = 2 + i % 3, z = i * 7 % 9 - 4, shape = i % 2 == 0 and d3.sphere(0.35) or d3.box(0.6, 0.5, 0.4) } end
	local edits = {}
	for i = 1, 200 do edits[i] = { choice(14) - 7, choice(4) - 2, choice(13) - 7, choice(#kinds + 1) - 1, random_flags(number, choice), choice(9), choice(9), number(-1, 0) } end
	local function play(w, voxels, ground, first, last)
		for i = first, last do
			local e = edits[i]
			voxels:setCell(e[1], e[2], e[3], e[4], e[5])
			if i % 5 == 0 then ground:setHeights(e[6], e[7], 2, 2, { e[8], 0, 0, e[8] }) end
			w:step(1 / 60)
		end
		w:validate()
		return w:hash()
	end
	play(world, map, field, 1, 100)
	local state = world:save()
	local expected = play(world, map, field, 101, 200)
	world:restore(state)
	lu.assertEquals(world:save(), state)
	lu.assertEquals(play(world, map, field, 101, 200), expected)
	local other = require("collide").load(state)
	local voxels, ground
	for _, own in ipairs(other:getBodies()) do
		for _, collider in ipairs(own:getColliders()) do
			if pcall(collider.getCell, collider, 0, 0, 0) and not collider:isSensor() then voxels = collider end
			if pcall(collider.getHeight, collider, 1, 1) then ground = collider end
		end
	end
	lu.assertEquals(voxels:getByteCount() > 0, true)
	lu.assertNil(ground:getShape())
	lu.assertEquals(play(other, voxels, ground, 101, 200), expected)
	for at = 1, #state, math.max(1, math.floor(#state / 400)) do -- bytes that are not a state's raise, or make a whole world
		local bad = state:sub(1, at - 1) .. string.char((state:byte(at) + 1 + at % 255) % 256) .. state:sub(at + 1)
		local ok, result = pcall(require("collide").load, bad)
		if ok then result:validate() result:destroy() end
	end
end

function TestVoxels.test_calls_make_no_garbage()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local map = world:newBody { type = "static" }:newVoxels { kinds = kinds_of(1) }
	map:fillCells(0, 0, 0, 19, 1, 4, 1)
	for i = 1, 9 do world:newBody { x = 2 * i, y = 2.5, z = 2, shape = d3.sphere(0.4), sleepingAllowed = false } end
	local tick = 0
	lu.assertEquals(support.bytes_of(300, function()
		tick = tick + 1
		map:setCell(tick % 20, 1, 2, tick % 4, "flipX turnY90")
		map:fillCells(3, 1, 1, 5, 1, 3, 1)
		map:getCell(tick % 20, 2, 2) map:cellAt(5, 1, 1) map:cellOf(1125908496973825)
		world:step(1 / 60)
	end), 0)
end

-- A picture has the faces that are free, and nothing of those between cells.
function TestVoxels.test_they_are_drawn()
	local world = d3.newWorld {}
	local map = world:newBody { type = "static", x = 1 }:newVoxels { kinds = { {} } }
	map:fillCells(0, 0, 0, 1, 0, 0, 1)
	local triangles, area = 0, 0
	local function add(meaning, ...)
		local p = { ... }
		triangles = triangles + 1
		local ux, uy, uz, vx, vy, vz = p[4] - p[1], p[5] - p[2], p[6] - p[3], p[7] - p[1], p[8] - p[2], p[9] - p[3]
		area = area + 0.5 * math.sqrt((uy * vz - uz * vy) ^ 2 + (uz * vx - ux * vz) ^ 2 + (ux * vy - uy * vx) ^ 2)
	end
	world:draw({ polygon = function(meaning, radius, ...) add(meaning, ...) end, solidPolygon = function(meaning, radius, ...) add(meaning, ...) end, face = add, solidFace = add }, {})
	lu.assertEquals(triangles, 20)
	lu.assertAlmostEquals(area, 10, 1e-6)
	lu.assertEquals({ map:getBox() }, { 1, 0, 0, 3, 1, 1 })
end

function TestVoxels.test_errors_name_what_is_wrong()
	local world = d3.newWorld {}
	local body = world:newBody { type = "static" }
	local function fails(text, options)
		lu.assertErrorMsgContains(text, body.newVoxels, body, options)
		lu.assertEquals(#body:getColliders(), 0)
	end
	fails("newVoxels: options must be a table", nil)
	fails("newVoxels: kinds must be given", {})
	fails("newVoxels: cellSize must be > 0, got -1", { cellSize = -1, kinds = {} })
	fails("newVoxels: kinds[1] must be a table, got 3", { kinds = { 3 } })
	fails("newVoxels: kinds[2].shape must be a hull or box without radius, got sphere", { kinds = { {}, { shape = d3.sphere(1) } } })
	fails("newVoxels: kinds[1].shape must be within the cell, from 0 to cellSize", { kinds = { { shape = d3.box(1, 1, 1) } } })
	fails("newVoxels: kinds[1].material: friction must be >= 0, got -1", { kinds = { { material = { friction = -1 } } } })
	fails("newVoxels: kinds[1].oneWay must not be given for a sensor", { kinds = { { oneWay = { 0, 1, 0 }, sensor = true } } })
	local seven = {}
	for i = 1, 7 do seven[i] = { oneWay = { 0, 1, i } } end
	fails("newVoxels: kinds[7].oneWay must be one of at most 6 that kinds of a map have, got a seventh", { kinds = seven })
	fails("unknown key 'kind', did you mean 'kinds'?", { kind = {} })
	local many = {}
	for i = 1, 20 do
		local angle = i * 0.3141
		many[#many + 1], many[#many + 2], many[#many + 3] = 0.5 + 0.4 * math.cos(angle), i % 2, 0.5 + 0.4 * math.sin(angle)
	end
	fails("newVoxels: kinds[1].shape must have at most 8 corners", { kinds = { { shape = d3.hull(many) } } })
	local ball = world:newBody { shape = d3.sphere(1) }
	lu.assertErrorMsgContains("newVoxels: voxels are for static and kinematic bodies, and this one is dynamic", ball.newVoxels, ball, { kinds = {} })
	local map = body:newVoxels { kinds = { {} } }
	lu.assertErrorMsgContains("setCell: i must be a whole number between -65536 and 65535, got 65536", map.setCell, map, 65536, 1, 1, 1)
	lu.assertErrorMsgContains("setCell: k must be a whole number between -65536 and 65535, got 0.5", map.setCell, map, 1, 0, 0.5, 1)
	lu.assertErrorMsgContains("setCell: kind must be a whole number between 0 and 1, got 2", map.setCell, map, 1, 1, 1, 2)
	lu.assertErrorMsgContains("setCell: flags must be words", map.setCell, map, 1, 1, 1, 1, "turn90")
	lu.assertErrorMsgContains("fillCells: i2, j2 and k2 must be at least i1, j1 and k1, got 1, 1, 1 and 2, 1, 1", map.fillCells, map, 2, 1, 1, 1, 1, 1, 1)
	lu.assertErrorMsgContains("fillCells: there must be at most 268435456 cells", map.fillCells, map, 0, 0, 0, 999, 999, 999, 1)
	lu.assertErrorMsgContains("getCell: j must be", map.getCell, map, 1, 1e6, 3)
	lu.assertErrorMsgContains("cellOf: part must be a whole number between 1 and", map.cellOf, map, 0)
	lu.assertErrorMsgContains("setShape: a collider of voxels has only", map.setShape, map, d3.sphere(1))
	lu.assertErrorMsgContains("setSensor: a collider of voxels", map.setSensor, map, true)
	lu.assertErrorMsgContains("setCell: the collider must be one of newVoxels, and this one is a sphere", ball:getColliders()[1].setCell, ball:getColliders()[1], 1, 1, 1, 1)
	lu.assertErrorMsgContains("setHeights: the collider must have a height field, and this one is a voxels", map.setHeights, map, 1, 1, 1, 1, { 1 })
	lu.assertErrorMsgContains("setType: ", body.setType, body, "dynamic")
	lu.assertNil(map:getShape())
	map:setCell(0, 0, 0, 1)
	body:setEnabled(false)
	map:setCell(1, 0, 0, 1)
	body:setEnabled(true)
	world:validate()
	map:destroy()
	lu.assertErrorMsgContains("destroyed", map.setCell, map, 1, 1, 1, 1)
end
