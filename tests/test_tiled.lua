-- collide.tiled: maps as Tiled exports them, against each tile placed and flipped as Tiled's documentation says, one polygon for each.

local lu, random_numbers = require "luaunit", require("support").random_numbers
local d2 = require("collide").d2
local tiled = require "collide.tiled"

TestTiled = {}

local size = 32

-- Collision shapes by number of the tile in the tileset: a whole tile by its property, slopes, a rectangle, a turned one, two shapes, one that is not convex.
local function tileset()
	local function shapes(...) return { type = "objectgroup", objects = { ... } } end
	local function polygon(x, y, ...)
		local list, numbers = {}, { ... }
		for i = 1, #numbers, 2 do list[#list + 1] = { x = numbers[i], y = numbers[i + 1] } end
		return { shape = "polygon", x = x, y = y, width = 0, height = 0, rotation = 0, polygon = list, properties = {} }
	end
	local function rectangle(x, y, width, height, rotation) return { shape = "rectangle", x = x, y = y, width = width, height = height, rotation = rotation or 0, properties = {} } end
	return {
		name = "land", firstgid = 1, tilewidth = size, tileheight = size, tilecount = 8, columns = 4,
		tiles = {
			{ id = 0, class = "stone", properties = { solid = true, friction = 0.2 } },
			{ id = 1, objectGroup = shapes(polygon(0, 32, 0, 0, 32, 0, 32, -32)) },
			{ id = 2, objectGroup = shapes(polygon(0, 0, 0, 32, 32, 32, 32, 24, 0, 8)) },
			{ id = 3, objectGroup = shapes(rectangle(4, 8, 20, 16)) },
			{ id = 4, objectGroup = shapes(rectangle(16, 4, 10, 12, 90)) },
			{ id = 5, objectGroup = shapes(rectangle(0, 16, 8, 16), rectangle(20, 0, 12, 6)) },
			{ id = 6, objectGroup = shapes(polygon(0, 0, 0, 0, 32, 0, 32, 8, 8, 8, 8, 32, 0, 32)) },
			{ id = 7, class = "spring", properties = { sensor = true, solid = true } },
		},
	}
end

local function map_of(layers, width, height)
	return { version = "1.10", luaversion = "5.1", orientation = "orthogonal", width = width, height = height, tilewidth = size, tileheight = size, properties = {}, tilesets = { tileset() }, layers = layers }
end

local function tile_layer(name, width, height, data, more)
	local layer = { type = "tilelayer", name = name, x = 0, y = 0, width = width, height = height, encoding = "lua", data = data, properties = {} }
	for key, value in pairs(more or {}) do layer[key] = value end
	return layer
end

-- The parts of tiles by number in the map, as lists of corners in pixels, y down.
local parts = {
	{ { 0, 0, 32, 0, 32, 32, 0, 32 } },
	{ { 0, 32, 32, 32, 32, 0 } },
	{ { 0, 32, 32, 32, 32, 24, 0, 8 } },
	{ { 4, 8, 24, 8, 24, 24, 4, 24 } },
	{ { 16, 4, 16, 14, 4, 14, 4, 4 } }, -- turned clockwise, as y points down
	{ { 0, 16, 8, 16, 8, 32, 0, 32 }, { 20, 0, 32, 0, 32, 6, 20, 6 } },
	{ { 0, 0, 32, 0, 32, 8, 0, 8 }, { 0, 8, 8, 8, 8, 32, 0, 32 } },
}

-- Bodies of polygons, one for each part of a tile.
local function place_all(world, cells, scale, up, x, y)
	for _, cell in ipairs(cells) do
		for _, part in ipairs(parts[cell.id]) do
			local points = {}
			for i = 1, #part, 2 do
				local px, py = part[i], part[i + 1]
				if cell.diagonal then px, py = py, px end
				if cell.horizontal then px = size - px end
				if cell.vertical then py = size - py end
				points[i], points[i + 1] = x + (px + cell.column * size) * scale, y + (py + cell.row * size) * scale * up
			end
			world:newBody { type = "static", shape = d2.polygon(points) }
		end
	end
end

-- Every tile in every orientation, in both directions of y: rays and overlaps are those of single polygons. Both as one layer and in the chunks of an infinite map.
function TestTiled.test_tiles_lie_where_tiled_draws_them()
	local number, choice = random_numbers(9)
	for _, case in ipairs { { 1, false, false }, { 1 / 32, true, false }, { 1 / 16, true, true } } do
		local scale, flip, chunked = case[1], case[2], case[3]
		local width, height = 16, 12
		local data, cells = {}, {}
		for i = 1, width * height do
			local cell = { column = (i - 1) % width, row = math.floor((i - 1) / width), id = choice(7), horizontal = choice(2) == 1, vertical = choice(2) == 1, diagonal = choice(2) == 1 }
			data[i] = 0
			if number(0, 1) < 0.5 then
				cells[#cells + 1] = cell
				data[i] = cell.id + (cell.horizontal and 2 ^ 31 or 0) + (cell.vertical and 2 ^ 30 or 0) + (cell.diagonal and 2 ^ 29 or 0)
			end
		end
		local layer = tile_layer("ground", width, height, data)
		if chunked then layer = { type = "tilelayer", name = "ground", encoding = "lua", properties = {}, chunks = { { x = 0, y = 0, width = width, height = height, data = data } } } end
		local options = { lengthScale = 32 * scale }
		local world, other = d2.newWorld(options), d2.newWorld(options)
		local up, x, y = flip and -1 or 1, 3 * scale, -7 * scale
		local level = tiled.load(world, map_of({ layer }, width, height), { scale = scale, flipY = flip, x = x, y = y })
		place_all(other, cells, scale, up, x, y)
		world:validate()
		local hits = 0
		for _ = 1, 400 do
			-- from outside: from within, tiles are hollow
			local angle, offset = number(0, 2 * math.pi), number(-150, 150)
			local cx, cy, far = x + width * size / 2 * scale, y + height * size / 2 * scale * up, 600 * scale
			local c, s = math.cos(angle), math.sin(angle)
			local x1, y1, x2, y2 = cx - c * far - s * offset * scale, cy - s * far + c * offset * scale, cx + c * far - s * offset * scale, cy + s * far + c * offset * scale
			local hit, _, _, _, _, t = world:raycast(x1, y1, x2, y2)
			local wanted, _, _, _, _, u = other:raycast(x1, y1, x2, y2)
			lu.assertEquals(hit ~= nil, wanted ~= nil)
			if hit then
				hits = hits + 1
				lu.assertAlmostEquals(t, u, 1e-5)
			end
		end
		lu.assertTrue(hits > 250)
		lu.assertEquals(level.tiles.ground:getBody(), level.body)
	end
end

function TestTiled.test_properties_become_those_of_colliders()
	local world = d2.newWorld { layers = { "all", "ground" } }
	local layers = {
		tile_layer("sky", 2, 1, { 1, 1 }, { properties = { solid = false } }),
		{ type = "group", name = "deep", offsetx = 32, offsety = 64, properties = {}, layers = { tile_layer("ground", 2, 2, { 0, 1, 8, 1 }, { properties = { layer = "ground", friction = 0.7 } }) } },
	}
	local level = tiled.load(world, map_of(layers, 2, 2), { scale = 1 / 32, flipY = true })
	lu.assertNil(level.tiles.sky)
	local ground, sensors = level.tiles.ground, level.sensors.ground
	lu.assertEquals({ ground:getCell(1, 1) }, { 2, nil, "spring" })
	lu.assertEquals({ ground:getCell(2, 2) }, { 1, nil, "stone" })
	lu.assertEquals(ground:getLayer(), "ground")
	lu.assertAlmostEquals(ground:getFriction(), 0.7, 1e-6)
	lu.assertTrue(sensors:isSensor())
	lu.assertEquals({ ground:getBox() }, { 1, -4, 3, -2 })
	lu.assertEquals(#world:overlapPoint(1.5, -3.5, { sensors = true }), 1)
end

local export = [[
return {
	version = "1.10", luaversion = "5.1", tiledversion = "1.10.2", class = "", orientation = "orthogonal", renderorder = "right-down",
	width = 10, height = 10, tilewidth = 32, tileheight = 32, nextlayerid = 3, nextobjectid = 9, properties = {}, tilesets = {},
	layers = {
		{
			type = "objectgroup", draworder = "topdown", id = 2, name = "things", class = "", visible = true, opacity = 1, offsetx = 0, offsety = 0, properties = {},
			objects = {
				{ id = 1, name = "crate", type = "", shape = "rectangle", x = 64, y = 64, width = 32, height = 64, rotation = 90, visible = true, properties = { body = "dynamic", density = 2 } },
				{ id = 2, name = "ball", type = "", shape = "ellipse", x = 160, y = 32, width = 32, height = 32, rotation = 0, visible = true, properties = {} },
				{ id = 3, name = "start", type = "", shape = "point", x = 16, y = 48, width = 0, height = 0, rotation = 0, visible = true, properties = {} },
				{ id = 4, name = "wire", type = "", shape = "polyline", x = 0, y = 320, width = 0, height = 0, rotation = 0, visible = true,
					polyline = { { x = 0, y = 0 }, { x = 160, y = -32 }, { x = 320, y = 0 } }, properties = {} },
				{ id = 5, name = "corner", type = "", shape = "polygon", x = 224, y = 160, width = 0, height = 0, rotation = 0, visible = true,
					polygon = { { x = 0, y = 0 }, { x = 64, y = 0 }, { x = 64, y = 32 }, { x = 32, y = 32 }, { x = 32, y = 64 }, { x = 0, y = 64 } }, properties = {} },
			}
		}
	}
}
]]

function TestTiled.test_objects_become_bodies()
	local map = (loadstring or load)(export)()
	for _, flip in ipairs { false, true } do
		local up = flip and -1 or 1
		local world = d2.newWorld { gravity = { 0, 0 } }
		local level = tiled.load(world, map, { scale = 1 / 32, flipY = flip })
		local by_name = {}
		for _, entry in ipairs(level.objects) do by_name[entry.name] = entry end
		local crate = by_name.crate.body -- turned clockwise on the screen about its upper left corner
		lu.assertEquals({ crate:getType(), crate:getName(), crate:getMass() }, { "dynamic", "crate", 4 })
		local x, y = crate:getWorldPoint(crate:getLocalCenter())
		lu.assertAlmostEquals(x, 2 - 1, 1e-6)
		lu.assertAlmostEquals(y, (2 + 0.5) * up, 1e-6)
		lu.assertEquals(crate.data.id, 1)
		lu.assertNil(by_name.start.body)
		lu.assertEquals({ by_name.start.x, by_name.start.y }, { 0.5, 1.5 * up })
		local function solid(px, py) return #world:overlapPoint(px, py * up) > 0 and 1 or 0 end
		lu.assertEquals({ solid(5.5, 1.5), solid(5.05, 1.05) }, { 1, 0 })
		lu.assertEquals({ solid(7.5, 5.5), solid(8.5, 5.5), solid(7.5, 6.5), solid(8.5, 6.5) }, { 1, 1, 1, 0 })
		local hit, _, hity = world:raycast(2.5, 8 * up, 2.5, 12 * up)
		lu.assertEquals(hit:getBody():getName(), "wire")
		lu.assertAlmostEquals(hity, 9.5 * up, 1e-6)
	end
end

function TestTiled.test_errors_leave_the_world_as_it_was()
	local world = d2.newWorld {}
	local function fails(text, ...)
		lu.assertErrorMsgContains(text, tiled.load, world, ...)
		lu.assertEquals(world:getBodyCount(), 0)
	end
	fails("tiled.load: map must be the table of a map that Tiled has exported as Lua, got nil", nil)
	fails("tiled.load: unknown key 'size' (there are: flipY, scale, x, y)", map_of({}, 1, 1), { size = 1 })
	fails("tiled.load: scale must be > 0, got 0", map_of({}, 1, 1), { scale = 0 })
	local map = map_of({ tile_layer("packed", 1, 1, "AAAA") }, 1, 1)
	fails("the layer packed is packed", map)
	map = map_of({ tile_layer("far", 1, 1, { 99 }) }, 1, 1)
	fails("the layer far has the tile 99, which is in no tileset", map)
	map.orientation = "isometric"
	fails("the map must be orthogonal, got isometric", map)
	map = map_of({}, 1, 1)
	map.tilesets[1].tiles = nil
	fails("the tileset land is not embedded", map)
	map = map_of({ tile_layer("flat", 1, 1, { 1 }) }, 1, 1)
	map.tileheight = 16
	fails("tiles must be square, and those of the map are 32 x 16", map)
end
