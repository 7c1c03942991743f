-- Tiles: cells against a plain model, their outline against the same outline as chains, sliding without seams, edits under bodies.

local lu, support, outline = require "luaunit", require "support", require "tile_outline"
local d2 = require("collide").d2
local random_numbers = support.random_numbers

TestTiles = {}

-- Kinds: a whole cell, slopes, half a cell, one that touches its neighbours by parts of their sides.
local polygons = {
	outline.square,
	{ { 0, 0 }, { 8, 0 }, { 8, 8 } },
	{ { 0, 0 }, { 8, 0 }, { 8, 4 } },
	{ { 0, 0 }, { 8, 0 }, { 8, 8 }, { 0, 4 } },
	{ { 0, 0 }, { 8, 0 }, { 8, 4 }, { 0, 4 } },
	{ { 2, 0 }, { 6, 0 }, { 8, 3 }, { 4, 8 } },
}

local flags = { "turn90", "turn180", "turn270", "flipX", "flipX turn90", "flipY", "flipX turn270" }

local function kinds_of(size)
	local kinds = {}
	for i, points in ipairs(polygons) do
		kinds[i] = { name = "kind " .. i, shape = i > 1 and outline.shape(d2, points, size) or nil }
	end
	return kinds
end

-- A model: model[j][i] is { kind, flags }.
local function model_of(columns, rows)
	local model = { columns = columns, rows = rows }
	for j = 1, rows do
		model[j] = {}
		for i = 1, columns do model[j][i] = { 0 } end
	end
	function model.get(i, j)
		local cell = model[j][i]
		return cell[1] > 0 and outline.polygon(polygons[cell[1]], cell[2]) or nil
	end
	return model
end

-- Random edits of tiles and model: single cells, most of them whole, and rectangles.
local function edit(number, choice, map, model)
	local i, j = choice(model.columns), choice(model.rows)
	local kind = number(0, 1) < 0.4 and 0 or number(0, 1) < 0.6 and 1 or choice(#polygons)
	local flag = kind > 0 and number(0, 1) < 0.7 and flags[choice(#flags)] or nil
	local i2, j2 = i, j
	if number(0, 1) < 0.1 then
		i2, j2 = math.min(model.columns, i + choice(5)), math.min(model.rows, j + choice(4))
		map:fillCells(i, j, i2, j2, kind, flag)
	else
		map:setCell(i, j, kind, flag)
	end
	for y = j, j2 do
		for x = i, i2 do model[y][x] = { kind, flag } end
	end
	return i, j, i2, j2
end

local function chains(world, model, size, pose)
	local body = world:newBody(pose)
	for _, loop in ipairs(outline.loops(model.get, model.columns, model.rows, size)) do
		body:newCollider(d2.chain(loop, { loop = true }))
	end
	return body
end

function TestTiles.test_cells_are_those_of_a_plain_model()
	local number, choice = random_numbers(11)
	local world = d2.newWorld {}
	local map = world:newBody { type = "static", x = 3, y = -2, angle = 0.3 }:newTiles { columns = 23, rows = 17, cellSize = 0.5, x = 1, y = 2, kinds = kinds_of(0.5) }
	local model = model_of(23, 17)
	for _ = 1, 400 do
		edit(number, choice, map, model)
		local i, j = choice(23), choice(17)
		local kind, flag, name = map:getCell(i, j)
		lu.assertEquals({ kind, flag, name }, { model[j][i][1], model[j][i][2], model[j][i][1] > 0 and "kind " .. model[j][i][1] or nil })
		local x, y = map:getBody():getWorldPoint(1 + (i - 0.5) * 0.5, 2 + (j - 0.5) * 0.5)
		lu.assertEquals({ map:cellAt(x, y) }, { i, j, kind, flag, name })
		lu.assertEquals({ map:cellOf((j - 1) * 23 + i) }, { i, j, kind, flag, name })
	end
	lu.assertNil((map:cellAt(3, 20)))
	lu.assertTrue(map:getByteCount() > 2 * 23 * 17)
	world:validate()
end

-- Rays, casts, overlaps and nearest points are those of chains along the outline, after any number of edits, and those of tiles made at once with these cells.
function TestTiles.test_queries_are_those_of_chains_along_the_outline()
	local number, choice = random_numbers(5)
	local size, pose = 0.75, { type = "static", x = 5, y = 1, angle = -0.4 }
	local world = d2.newWorld {}
	local map = world:newBody(pose):newTiles { columns = 19, rows = 13, cellSize = size, kinds = kinds_of(size) }
	local model = model_of(19, 13)
	local hits = 0
	for round = 1, 12 do
		for _ = 1, 40 do edit(number, choice, map, model) end
		world:validate()
		local other = d2.newWorld {}
		local body = chains(other, model, size, pose)
		for _ = 1, 60 do
			local x1, y1 = map:getBody():getWorldPoint(number(-2, 16), number(-2, 12))
			local x2, y2 = map:getBody():getWorldPoint(number(-2, 16), number(-2, 12))
			local c, x, y, nx, ny, t, part, kind = world:raycast(x1, y1, x2, y2)
			local d, u, v, mx, my, s = other:raycast(x1, y1, x2, y2)
			lu.assertEquals(c ~= nil, d ~= nil)
			if c then
				hits = hits + 1
				lu.assertAlmostEquals(t, s, 1e-6)
				lu.assertAlmostEquals(nx * mx + ny * my, 1, 1e-6)
				lu.assertEquals(kind, "cell")
				local i, j = map:cellAt(x - 1e-4 * nx, y - 1e-4 * ny)
				lu.assertEquals({ map:cellOf(part) }, { map:cellAt(x - 1e-4 * nx, y - 1e-4 * ny) }, ("%d, %d"):format(i, j))
			end
			lu.assertEquals({ map:raycast(x1, y1, x2, y2) }, { select(2, world:raycast(x1, y1, x2, y2)) })
			local shape = choice(2) == 1 and d2.circle(0.3) or d2.box(0.5, 0.4)
			local at = d2.pose(x1, y1, number(-3, 3))
			c, x, y, nx, ny, t = world:shapecast(shape, at, x2 - x1, y2 - y1)
			d, u, v, mx, my, s = other:shapecast(shape, at, x2 - x1, y2 - y1)
			lu.assertEquals(c ~= nil, d ~= nil)
			if c then lu.assertAlmostEquals(t, s, 1e-5) end
			lu.assertEquals(#world:overlapShape(shape, at) > 0, #other:overlapShape(shape, at) > 0)
			c, x, y, t = world:nearest(x1, y1)
			d, u, v, s = other:nearest(x1, y1)
			lu.assertAlmostEquals(t, s, 1e-5)
			lu.assertAlmostEquals(select(3, map:closestPoint(x1, y1)), t, 1e-9)
		end
		body:destroy()
	end
	lu.assertTrue(hits > 200)
end

-- Bodies on tiles do what they do on chains of the same outline: the segments are the same.
function TestTiles.test_bodies_move_as_on_chains()
	local number, choice = random_numbers(77)
	local model = model_of(40, 12)
	for i = 1, 40 do
		local high = math.floor(3 + 2 * math.sin(i * 0.5))
		for j = 1, high do model[j][i] = { 1 } end
		if number(0, 1) < 0.4 then model[high + 1][i] = { 2 + choice(3), number(0, 1) < 0.5 and "flipX" or nil } end
	end
	local results = {}
	for pass = 1, 2 do
		local world = d2.newWorld { gravity = { 0, -10 } }
		if pass == 1 then
			local map = world:newBody { type = "static" }:newTiles { columns = 40, rows = 12, kinds = kinds_of(1) }
			for j = 1, 12 do
				for i = 1, 40 do map:setCell(i, j, model[j][i][1], model[j][i][2]) end
			end
		else
			chains(world, model, 1, { type = "static" })
		end
		local shapes, bodies = { d2.circle(0.3), d2.box(0.5, 0.6), d2.capsule(-0.3, 0, 0.3, 0, 0.2), d2.ellipse(0.4, 0.25) }, {}
		for i = 1, 16 do bodies[i] = world:newBody { x = 2 + i * 2.2, y = 9, angle = i, shape = shapes[i % 4 + 1], linearVelocity = { (i % 3 - 1) * 2, 0 } } end
		for _ = 1, 400 do world:step(1 / 60) end
		results[pass] = {}
		for i, body in ipairs(bodies) do results[pass][i] = { body:getPosition() } end
	end
	for i, at in ipairs(results[1]) do
		lu.assertAlmostEquals(at[1], results[2][i][1], 0.02, i)
		lu.assertAlmostEquals(at[2], results[2][i][2], 0.02, i)
	end
end

-- A body slides over 1,000 cells, of two heights joined by slopes of 1 in 8 cells, as over a plane: nothing slows it or lifts it. Near the origin and far from it.
function TestTiles.test_nothing_is_felt_between_cells_and_chunks()
	for _, far in ipairs { 0, 1e5 } do
		for _, speed in ipairs { 5, 60 } do
			for _, shape in ipairs { d2.circle(0.4), d2.box(0.9, 0.6), d2.box(3.3, 0.6), d2.capsule(-0.4, 0, 0.4, 0, 0.3), d2.ellipse(0.5, 0.3) } do
				local world = d2.newWorld { gravity = { 0, -10 } }
				local map = world:newBody { type = "static", x = far, y = far }:newTiles { columns = 1000, rows = 3, friction = 0, kinds = kinds_of(1) }
				map:fillCells(1, 1, 1000, 2, 1)
				local rest = select(4, shape:getBox())
				local body = world:newBody { x = far + 5, y = far + 2 + rest, shape = shape, friction = 0, linearVelocity = { speed, 0 }, locks = { rotation = true } }
				local lowest, highest = math.huge, -math.huge
				for tick = 1, math.floor(math.min(980 / speed, 8) * 60) do
					world:step(1 / 60)
					local _, y = body:getPosition()
					if tick > 30 then lowest, highest = math.min(lowest, y), math.max(highest, y) end
				end
				lu.assertAlmostEquals(body:getLinearVelocity(), speed, 1e-3 * speed)
				lu.assertTrue(highest - lowest < 1e-3, ("%g at %g: %s by %g"):format(speed, far, tostring(shape), highest - lowest))
			end
		end
	end
end

-- On a floor of slopes a ball keeps the energy that it has, and its path is that on a chain of three points.
function TestTiles.test_slopes_continue_each_other()
	for _, far in ipairs { 0, 1e5 } do
		local results = {}
		for pass = 1, 2 do
			local world = d2.newWorld { gravity = { 0, -10 } }
			local ground = world:newBody { type = "static", x = far }
			if pass == 1 then
				local half = { name = "low", shape = d2.polygon { 0, 0, 1, 0, 1, 0.5 } }
				local high = { name = "high", shape = d2.polygon { 0, 0, 1, 0, 1, 1, 0, 0.5 } }
				local map = ground:newTiles { columns = 120, rows = 40, friction = 0, kinds = { { name = "full" }, half, high } }
				for i = 1, 60 do -- down to the right by 1 in 2 cells, then flat
					local top = 30 - (i - 1) / 2
					local row = math.floor(top)
					if i % 2 == 1 then map:setCell(i, row, 3, "flipX") else map:setCell(i, row + 1, 2, "flipX") end
					local below = i % 2 == 1 and row - 1 or row
					if below > 0 then map:fillCells(i, 1, i, below, 1) end
				end
			else
				ground:newCollider(d2.chain { 60, 0, 0, 30, 0, 0 }, { friction = 0 })
			end
			local body = world:newBody { x = far + 3, y = 29.5, shape = d2.circle(0.4), friction = 0 }
			for _ = 1, 240 do world:step(1 / 60) end
			results[pass] = { body:getPosition() }
			results[pass][3], results[pass][4] = body:getLinearVelocity()
		end
		for k = 1, 4 do lu.assertAlmostEquals(results[1][k], results[2][k], 2e-3, ("%d at %g"):format(k, far)) end
	end
end

function TestTiles.test_edits_wake_what_rests_there()
	local world = d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 64, rows = 4, kinds = { { name = "earth" } } }
	map:fillCells(1, 1, 64, 2, 1)
	local balls = {}
	for i = 1, 60, 4 do balls[#balls + 1] = world:newBody { x = i + 0.5, y = 2.4, shape = d2.circle(0.4) } end
	for _ = 1, 120 do world:step(1 / 60) end
	for _, ball in ipairs(balls) do lu.assertFalse(ball:isAwake()) end
	map:setCell(10, 2, 0) -- below the third one
	lu.assertTrue(balls[3]:isAwake())
	lu.assertFalse(balls[2]:isAwake() or balls[4]:isAwake())
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertAlmostEquals(select(2, balls[3]:getPosition()), 1.4, 0.01)
	lu.assertAlmostEquals(select(2, balls[2]:getPosition()), 2.4, 0.01)
	map:fillCells(10, 2, 10, 2, 1) -- on it: it is pushed out, and comes to rest on the ground
	lu.assertTrue(balls[3]:isAwake())
	local fastest = 0
	for _ = 1, 300 do
		world:step(1 / 60)
		local vx, vy = balls[3]:getLinearVelocity()
		fastest = math.max(fastest, math.abs(vx), math.abs(vy))
	end
	lu.assertAlmostEquals(select(2, balls[3]:getPosition()), 2.4, 0.02)
	lu.assertTrue(fastest < 10, fastest)
	world:validate()
end

-- The contacts and their ends: each begin has one end, also when the cell below goes.
function TestTiles.test_events_and_contacts_name_the_cell()
	local world = d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 10, rows = 4, kinds = { { name = "earth", material = { name = "mud", friction = 0.1 } }, { name = "ice", material = { friction = 0 } } } }
	map:fillCells(1, 1, 5, 1, 1)
	map:fillCells(6, 1, 10, 1, 2)
	local ball, sledge = world:newBody { x = 2.5, y = 1.5, shape = d2.circle(0.4) }, world:newBody { x = 7, y = 1.3, shape = d2.box(0.4, 0.5), linearVelocity = { 1, 0 } }
	local begins, ends = 0, 0
	for _ = 1, 60 do
		world:step(1 / 60)
		for a, b in world:beginContacts() do begins = begins + ((a == map or b == map) and 1 or 0) end
		for a, b in world:endContacts() do ends = ends + ((a == map or b == map) and 1 or 0) end
	end
	lu.assertEquals({ begins, ends }, { 2, 0 })
	lu.assertAlmostEquals(sledge:getLinearVelocity(), 1, 1e-4)
	local found
	for _, other, _, _, _, _, _, _, _, _, part in ball:contacts() do
		if part then found = part end
	end
	for a, b, nx, ny, x, y, separation, impulse, tangent, partA, partB in ball:contacts() do found = partA or partB end
	lu.assertEquals({ map:cellOf(found) }, { 3, 1, 1, nil, "earth" })
	map:setCell(3, 1, 0)
	for _ = 1, 2 do
		world:step(1 / 60)
		for a, b in world:endContacts() do ends = ends + ((a == map or b == map) and 1 or 0) end
	end
	lu.assertEquals(ends, 1)
end

-- Sensors among the kinds are a second collider. It sees all of a cell, and cells that come and go.
function TestTiles.test_sensors_are_whole_cells()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local map, water = world:newBody { type = "static" }:newTiles { columns = 20, rows = 20, kinds = { { name = "earth" }, { name = "water", sensor = true }, { name = "wedge", sensor = true, shape = d2.polygon { 0, 0, 1, 0, 1, 1 } } } }
	lu.assertTrue(water:isSensor())
	lu.assertFalse(map:isSensor())
	map:fillCells(5, 5, 15, 15, 2)
	lu.assertEquals(water:getCell(10, 10), 2)
	local fish = world:newBody { x = 10.5, y = 10.5, shape = d2.circle(0.1), linearVelocity = { 1, 0 } }
	local log = {}
	for tick = 1, 600 do
		world:step(1 / 60)
		for s, v in world:beginOverlaps() do log[#log + 1] = (s == water and v:getBody() == fish) and "in" or "wrong" end
		for s, v in world:endOverlaps() do log[#log + 1] = (s == water and v:getBody() == fish) and "out" or "wrong" end
	end
	lu.assertEquals(log, { "in", "out" })
	lu.assertAlmostEquals(fish:getPosition(), 20.5, 0.02)
	fish:setPosition(2.25, 2.75)
	map:setCell(3, 3, 3)
	for _, case in ipairs { { nil, 0 }, { "flipX", 1 }, { "turn90", 1 } } do
		map:setCell(3, 3, 3, case[1])
		fish:setLinearVelocity(0, 0)
		for _ = 1, 2 do world:step(1 / 60) end
		local count = 0
		for _ in water:overlaps() do count = count + 1 end
		lu.assertEquals(count, case[2], case[1])
	end
	lu.assertEquals(#world:overlapPoint(12.5, 12.5, { sensors = true }), 1)
	lu.assertEquals(#world:overlapPoint(18.5, 12.5, { sensors = true }), 0)
	local _, x = world:raycast(0, 10.5, 20, 10.5, { sensors = true })
	lu.assertAlmostEquals(x, 4, 1e-6)
	world:validate()
end

-- A collider of tiles without cells meets nothing: no sensor on the way of a fast body, nor any other way.
function TestTiles.test_without_cells()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local raft = world:newBody { type = "kinematic", linearVelocity = { -300, 0 } }
	local map, water = raft:newTiles { columns = 4, rows = 4, kinds = { {}, { sensor = true } } }
	lu.assertErrorMsgContains("must be convex", raft.moveAndCollide, raft, 3, 3)
	map:setCell(1, 1, 1)
	local gate = world:newBody { x = -9, y = 1.15, shape = d2.circle(0.2), sensor = true, bullet = true, linearVelocity = { 300, 0 } }
	local seen = {}
	for _ = 1, 3 do
		world:step(1 / 60)
		for sensor, visitor in world:beginOverlaps() do
			lu.assertTrue(visitor ~= water and sensor ~= water)
			seen[#seen + 1] = visitor == map and sensor:getBody() == gate
		end
	end
	lu.assertEquals(seen, { true })
	world:validate()
end

-- Whom a body crosses among sensor cells of any shape: what overlaps it on the way.
function TestTiles.test_bodies_cross_sensors()
	local number, choice = random_numbers(17)
	local shape, met, some = d2.circle(0.2), {}, 0
	for _ = 1, 300 do
		local world = d2.newWorld { gravity = { 0, 0 } }
		local kinds = { { sensor = true }, { sensor = true, shape = d2.polygon { 0, 0, 1, 0, 1, 1 } }, { sensor = true, shape = d2.polygon { 0.2, 0, 0.8, 0, 1, 0.5, 0.8, 1, 0.2, 1, 0, 0.5 } } }
		local _, water = world:newBody { type = "static", angle = number(-3, 3) }:newTiles { columns = 6, rows = 6, x = -3, y = -3, kinds = kinds }
		for _ = 1, 10 do water:setCell(choice(6), choice(6), choice(3)) end
		local x, y, toX, toY = number(-4, 4), number(-4, 4), number(-4, 4), number(-4, 4)
		local body = world:newBody { type = "kinematic", x = x, y = y, shape = shape }
		local _, _, count = body:moveAndCollide(toX, toY, function() return "cross" end, met)
		local inside, near = false, false
		for k = 0, 400 do
			local pose = d2.pose(x + k / 400 * (toX - x), y + k / 400 * (toY - y), 0)
			inside = inside or water:overlapShape(d2.circle(0.198), pose)
			near = near or water:overlapShape(d2.circle(0.22), pose)
		end
		lu.assertTrue(count == 1 and near or count == 0 and not inside)
		if count == 1 then lu.assertTrue(met[1].collider == water) end
		some = some + count
	end
	lu.assertTrue(some > 100 and some < 290)
end

-- A kinematic raft of tiles carries a crate, and turns with its cells.
function TestTiles.test_tiles_move_with_a_kinematic_body()
	local world = d2.newWorld { gravity = { 0, -10 } }
	local raft = world:newBody { type = "kinematic", linearVelocity = { 2, 0 } }
	local map = raft:newTiles { columns = 8, rows = 2, kinds = { { name = "wood" } } }
	map:fillCells(1, 1, 8, 1, 1)
	local crate = world:newBody { x = 3, y = 1.25, shape = d2.box(0.5, 0.5), linearVelocity = { 2, 0 } }
	for tick = 1, 300 do
		world:step(1 / 60)
		if tick == 100 then map:setCell(7, 2, 1) end
	end
	lu.assertAlmostEquals(crate:getPosition() - raft:getPosition(), 3, 0.02)
	raft:setLinearVelocity(0, 0)
	raft:setAngle(math.pi / 2)
	local x, y = raft:getPosition()
	lu.assertEquals({ map:cellAt(x - 0.5, y + 2.5) }, { 3, 1, 1, nil, "wood" })
	local _, hit = world:raycast(x - 3, y + 2.5, x, y + 2.5)
	lu.assertAlmostEquals(hit, x - 1, 1e-6)
	world:validate()
end

-- A mover walks over cells as over a floor, is stopped by a block, and walks up slopes: it feels no seam.
function TestTiles.test_movers_walk_on_tiles()
	local world = d2.newWorld { gravity = { 0, -20 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 40, rows = 8, kinds = kinds_of(1) }
	map:fillCells(1, 1, 40, 1, 1)
	map:setCell(10, 2, 1)
	local player = world:newMover { shape = d2.capsule(0, -0.4, 0, 0.4, 0.4), x = 3, y = 2, stepHeight = 0.3 }
	local vy = 0
	local function play(seconds, walk)
		for _ = 1, seconds * 60 do
			vy = player:isGrounded() and 0 or vy - 20 / 60
			player:move(walk / 60, vy / 60, 1 / 60)
			world:step(1 / 60)
		end
		return player:getPosition()
	end
	local x, y = play(1, 5)
	lu.assertAlmostEquals(x, 8, 0.03) -- as far as on a plane
	lu.assertAlmostEquals(y, 1.8, 0.03)
	x, y = play(1, 5)
	lu.assertAlmostEquals(x, 8.6, 0.03)
	map:setCell(9, 2, 2) -- a slope up to the block
	player:setPosition(5, 2)
	x, y = play(3, 3)
	lu.assertAlmostEquals(y, 1.8, 0.05) -- over the block, and down behind it
	lu.assertTrue(x > 10.3)
end

-- Cells are set at random over and beside moving bodies: none is lost, none gets faster than gravity and the push make it.
function TestTiles.test_edits_under_moving_bodies_do_no_harm()
	local number, choice = random_numbers(3)
	local world = d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 30, rows = 20, kinds = kinds_of(1) }
	map:fillCells(1, 1, 30, 2, 1)
	map:fillCells(1, 1, 1, 20, 1)
	map:fillCells(30, 1, 30, 20, 1)
	local model, bodies = model_of(30, 20), {}
	for i = 1, 60 do bodies[i] = world:newBody { x = 2 + i % 26, y = 4 + 2 * math.floor(i / 10), shape = i % 2 == 0 and d2.circle(0.35) or d2.box(0.6, 0.5) } end
	local worst = 0
	for tick = 1, 900 do
		if tick % 3 == 0 then
			local i, j = 1 + choice(28), 2 + choice(12)
			map:setCell(i, j, number(0, 1) < 0.5 and 0 or choice(#polygons))
		end
		world:step(1 / 60)
		for _, body in ipairs(bodies) do
			local x, y = body:getPosition()
			local vx, vy = body:getLinearVelocity()
			worst = math.max(worst, math.abs(vx), math.abs(vy))
			lu.assertTrue(x == x and y == y)
		end
		if tick % 100 == 0 then world:validate() end
	end
	lu.assertTrue(worst < 30, worst)
end

function TestTiles.test_calls_make_no_garbage()
	local world = d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 20, rows = 4, kinds = kinds_of(1) }
	map:fillCells(1, 1, 20, 2, 1)
	for i = 1, 9 do world:newBody { x = 2 * i, y = 2.5, shape = d2.circle(0.4), sleepingAllowed = false } end
	local tick = 0
	lu.assertEquals(support.bytes_of(300, function()
		tick = tick + 1
		map:setCell(tick % 20 + 1, 2, tick % 4, "flipX turn90")
		map:fillCells(3, 2, 5, 2, 1)
		map:getCell(tick % 20 + 1, 2) map:cellAt(5, 1) map:cellOf(30)
		world:step(1 / 60)
	end), 0)
end

-- A picture has the faces as segments, and the cells of sensors as polygons.
function TestTiles.test_they_are_drawn()
	local world = d2.newWorld {}
	local map = world:newBody { type = "static", x = 1 }:newTiles { columns = 6, rows = 4, kinds = { {}, { sensor = true } } }
	map:fillCells(1, 1, 2, 1, 1)
	map:setCell(4, 2, 2)
	local segments, polygons_drawn = 0, {}
	local target = {
		segment = function() segments = segments + 1 end,
		polygon = function(meaning, radius, ...) polygons_drawn[#polygons_drawn + 1] = { ... } end,
		solidPolygon = function(meaning, radius, ...) polygons_drawn[#polygons_drawn + 1] = { ... } end,
	}
	world:draw(target, { view = { -10, -10, 10, 10 } })
	lu.assertTrue(segments >= 6)
	lu.assertEquals(#polygons_drawn, 1)
	local seen = {}
	for i = 1, 8, 2 do seen[polygons_drawn[1][i] .. " " .. polygons_drawn[1][i + 1]] = true end
	for _, corner in ipairs { { 4, 1 }, { 5, 1 }, { 5, 2 }, { 4, 2 } } do
		lu.assertTrue(seen[("%s %s"):format(tostring(corner[1] + 0.0), tostring(corner[2] + 0.0))] or seen[corner[1] .. " " .. corner[2]])
	end
	lu.assertEquals({ map:getBox() }, { 1, 0, 7, 4 })
end

function TestTiles.test_errors_name_what_is_wrong()
	local world = d2.newWorld {}
	local body = world:newBody { type = "static" }
	local function fails(text, options)
		lu.assertErrorMsgContains(text, body.newTiles, body, options)
		lu.assertEquals(#body:getColliders(), 0)
	end
	fails("newTiles: options must be a table", nil)
	fails("newTiles: columns must be given", { rows = 1, kinds = {} })
	fails("newTiles: rows must be a whole number between 1 and 65536, got 0", { columns = 1, rows = 0, kinds = {} })
	fails("newTiles: kinds must be given", { columns = 1, rows = 1 })
	fails("newTiles: cellSize must be > 0, got -1", { columns = 1, rows = 1, cellSize = -1, kinds = {} })
	fails("newTiles: there must be at most 268435456 cells", { columns = 65536, rows = 65536, kinds = {} })
	fails("newTiles: cells must have columns * rows numbers, 4, got 1", { columns = 2, rows = 2, kinds = {}, cells = { 0 } })
	fails("newTiles: cells[2] must be a whole number between 0 and 1, got 2", { columns = 2, rows = 1, kinds = { {} }, cells = { 0, 2 } })
	fails("newTiles: kinds[1] must be a table, got 3", { columns = 1, rows = 1, kinds = { 3 } })
	fails("newTiles: kinds[2].shape must be a polygon or box without radius, got circle", { columns = 1, rows = 1, kinds = { {}, { shape = d2.circle(1) } } })
	fails("newTiles: kinds[1].shape must be within the cell, from 0 to cellSize", { columns = 1, rows = 1, kinds = { { shape = d2.box(1, 1) } } })
	fails("newTiles: kinds[1].material: friction must be >= 0, got -1", { columns = 1, rows = 1, kinds = { { material = { friction = -1 } } } })
	fails("unknown key 'colums', did you mean 'columns'?", { colums = 1 })
	fails("unknown key 'sensors', did you mean 'sensor'?", { columns = 1, rows = 1, kinds = { { sensors = true } } })
	local ball = world:newBody { shape = d2.circle(1) }
	lu.assertErrorMsgContains("newTiles: tiles are for static and kinematic bodies, and this one is dynamic", ball.newTiles, ball, { columns = 1, rows = 1, kinds = {} })
	local map = body:newTiles { columns = 3, rows = 2, kinds = { {} } }
	lu.assertErrorMsgContains("setCell: i must be a whole number between 1 and 3, got 4", map.setCell, map, 4, 1, 1)
	lu.assertErrorMsgContains("setCell: j must be a whole number between 1 and 2, got 0", map.setCell, map, 1, 0, 1)
	lu.assertErrorMsgContains("setCell: kind must be a whole number between 0 and 1, got 2", map.setCell, map, 1, 1, 2)
	lu.assertErrorMsgContains("setCell: flags must be words", map.setCell, map, 1, 1, 1, "flip")
	lu.assertErrorMsgContains("fillCells: i2 and j2 must be at least i1 and j1, got 1, 1 and 2, 1", map.fillCells, map, 2, 1, 1, 1, 1)
	lu.assertErrorMsgContains("getCell: j must be", map.getCell, map, 1, 3)
	lu.assertErrorMsgContains("cellOf: part must be a whole number between 1 and 6, got 7", map.cellOf, map, 7)
	lu.assertErrorMsgContains("setShape: a collider of tiles has only setCell and fillCells to change it", map.setShape, map, d2.circle(1))
	lu.assertErrorMsgContains("setSensor: a collider of tiles", map.setSensor, map, true)
	lu.assertErrorMsgContains("setCell: the collider must be one of newTiles, and this one is a circle", ball:getColliders()[1].setCell, ball:getColliders()[1], 1, 1, 1)
	lu.assertErrorMsgContains("setType: ", body.setType, body, "dynamic")
	lu.assertNil(map:getShape())
	map:destroy()
	lu.assertErrorMsgContains("destroyed", map.setCell, map, 1, 1, 1)
end
