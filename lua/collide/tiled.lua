-- Reads maps of Tiled (mapeditor.org), exported as Lua, into a 2D world: orthogonal maps, tile layers and object layers, collision shapes of tiles, and flips.
--
--   local tiled = require "collide.tiled"
--   local level = tiled.load(world, dofile "level.lua", { scale = 1 / 32, flipY = true })     -- 32 pixels a metre, y up
--   level.tiles.ground:setCell(3, 4, 0)
--
-- A tile collides if it has collision shapes (Tiled's collision editor), or if it, or its layer, has the property `solid`. Each layer with such tiles becomes one
-- collider of tiles. Shapes that are not one convex polygon within the cell become colliders beside it, one for each place.

local error, floor, ipairs, max, min, pairs, pcall, pi, setmetatable, tostring, type =
	error, math.floor, ipairs, math.max, math.min, pairs, pcall, math.pi, setmetatable, tostring, type
local collide = require "collide"
local d2, cosine, sine = collide.d2, collide.cos, collide.sin

local tiled = {}

local ellipse_points = 8 -- of a polygon that stands for an ellipse in a cell

local function fail(message, ...) error("tiled.load: " .. message:format(...), 0) end

-- The properties that become those of a collider.
local function material_of(properties)
	local material, given = { name = properties.material }, properties.material ~= nil
	for _, key in ipairs { "friction", "restitution", "rollingResistance", "tangentSpeed" } do
		material[key] = properties[key]
		given = given or properties[key] ~= nil
	end
	return given and material or nil
end

-- --- Shapes -------------------------------------------------------------------------------------------------------------------

-- The corners of an object in pixels, y down, about the object's own point, turned: a flat list; a second result is true if they are open.
local function corners_of(object)
	local points, shape = {}, object.shape
	if shape == "rectangle" then
		points = { 0, 0, object.width, 0, object.width, object.height, 0, object.height }
	elseif shape == "ellipse" then
		for i = 0, ellipse_points - 1 do
			local angle = 2 * pi * i / ellipse_points
			points[2 * i + 1], points[2 * i + 2] = object.width / 2 * (1 + cosine(angle)), object.height / 2 * (1 + sine(angle))
		end
	elseif shape == "polygon" or shape == "polyline" then
		for i, p in ipairs(object[shape]) do points[2 * i - 1], points[2 * i] = p.x, p.y end
	else
		return nil
	end
	local angle = (object.rotation or 0) * pi / 180
	local c, s = cosine(angle), sine(angle)
	for i = 1, #points, 2 do points[i], points[i + 1] = c * points[i] - s * points[i + 1], s * points[i] + c * points[i + 1] end
	return points, shape == "polyline"
end

-- The points, moved and brought to the units of the world, about (x, y); flipped: y up.
local function placed(points, x, y, scale, up)
	local list = {}
	for i = 1, #points, 2 do
		list[i], list[i + 1] = (points[i] + x) * scale, (points[i + 1] + y) * scale * up
	end
	return list
end

local function is_flat(points)
	local area = 0
	for i = 1, #points, 2 do
		local j = i + 2 > #points and 1 or i + 2
		area = area + points[i] * points[j + 1] - points[j] * points[i + 1]
	end
	return area == 0
end

-- Shapes with these corners: polygons, several if they are not convex; or a chain.
local function shapes_of(points, open)
	if open or #points < 6 or is_flat(points) then return { d2.chain(points, { oneSided = false }) } end
	local shapes = {}
	local pieces = d2.isConvex(points) and #points <= 128 and { points } or d2.decompose(points)
	for i, piece in ipairs(pieces) do shapes[i] = d2.polygon(piece) end
	return shapes
end

-- --- Tiles --------------------------------------------------------------------------------------------------------------------

local flips = { 2 ^ 31, 2 ^ 30, 2 ^ 29 } -- of Tiled: horizontal, vertical, along the diagonal

-- The tile's number, and whether it is flipped along the diagonal first, then horizontally and vertically. Numbers of 2^28 mark turned hexagons.
local function split(gid)
	local flipped = {}
	for i, flag in ipairs(flips) do
		flipped[i] = gid % (2 * flag) >= flag
		if flipped[i] then gid = gid - flag end
	end
	return gid % 2 ^ 28, flipped[1], flipped[2], flipped[3]
end

-- The same as flags of setCell.
local function flags_of(horizontal, vertical, diagonal, up)
	local flags = diagonal and (up > 0 and "flipX turn270" or "flipX turn90") or ""
	if horizontal then flags = flags .. " flipX" end
	if vertical then flags = flags .. " flipY" end
	return flags:match "^%s*(.-)$"
end

-- Flips points within a tile, as Tiled does.
local function flipped(points, width, height, horizontal, vertical, diagonal)
	local list = {}
	for i = 1, #points, 2 do
		local x, y = points[i], points[i + 1]
		if diagonal then x, y = y * width / height, x * height / width end
		if horizontal then x = width - x end
		if vertical then y = height - y end
		list[i], list[i + 1] = x, y
	end
	return list
end

-- By number of a tile in the map: { tileset =, tile =, properties =, parts = its collision shapes, lists of corners }.
local function read_tilesets(map)
	local tiles = {}
	for _, tileset in ipairs(map.tilesets) do
		if not tileset.tiles then fail("the tileset %s is not embedded: export with 'Embed tilesets'", tostring(tileset.name)) end
		local width, height = tileset.tilewidth, tileset.tileheight
		for id = 0, tileset.tilecount - 1 do tiles[tileset.firstgid + id] = { tileset = tileset, width = width, height = height, properties = {}, parts = {}, name = tileset.name } end
		for _, tile in ipairs(tileset.tiles) do
			local entry = tiles[tileset.firstgid + tile.id] or { tileset = tileset, width = width, height = height, parts = {} }
			tiles[tileset.firstgid + tile.id] = entry
			entry.properties, entry.name = tile.properties or {}, tile.class and tile.class ~= "" and tile.class or tile.type and tile.type ~= "" and tile.type or tileset.name
			entry.width, entry.height = tile.width or width, tile.height or height
			for _, object in ipairs(tile.objectGroup and tile.objectGroup.objects or {}) do
				local corners, open = corners_of(object)
				if corners then entry.parts[#entry.parts + 1] = { points = placed(corners, object.x, object.y, 1, 1), open = open } end
			end
		end
	end
	return tiles
end

-- Calls each(column, row, gid) for the tiles of a layer, columns and rows from 0.
local function each_tile(layer, each)
	local chunks = layer.chunks or { { x = layer.x or 0, y = layer.y or 0, width = layer.width, height = layer.height, data = layer.data } }
	for _, chunk in ipairs(chunks) do
		if type(chunk.data) ~= "table" then fail("the layer %s is packed: choose the tile layer format CSV in the map's properties", tostring(layer.name)) end
		for i, gid in ipairs(chunk.data) do
			if gid ~= 0 then each(chunk.x + (i - 1) % chunk.width, chunk.y + floor((i - 1) / chunk.width), gid) end
		end
	end
end

-- Whether the corners are those of one convex polygon within the cell, of at most 8 corners.
local function fits(part, size)
	local points = part.points
	if part.open or #points < 6 or #points > 16 or is_flat(points) or not d2.isConvex(points) then return false end
	for i = 1, #points do
		if points[i] < -1e-4 * size or points[i] > (1 + 1e-4) * size then return false end
	end
	return true
end

local loader = {}
loader.__index = loader

-- The kind of a tile in tiles, made when it is first met; nil: the tile has no kind.
function loader:kind_of(kinds, tile, solid)
	local size, scale = self.map.tilewidth, self.scale
	local whole = #tile.parts == 0
	if whole and not (tile.properties.solid or solid and tile.properties.solid == nil) then return nil end
	if not whole and (#tile.parts > 1 or tile.width ~= size or tile.height ~= size or not fits(tile.parts[1], size)) then return nil end
	if kinds[tile] then return kinds[tile] end
	local shape
	if not whole then
		local points = {}
		for i, number in ipairs(tile.parts[1].points) do points[i] = min(max(i % 2 == 0 and self.up < 0 and size - number or number, 0), size) * scale end
		shape = d2.polygon(points)
	end
	kinds.list[#kinds.list + 1] = { name = tile.name, shape = shape, material = material_of(tile.properties), sensor = tile.properties.sensor }
	kinds[tile] = #kinds.list
	return kinds[tile]
end

-- Adds the collision shapes of a tile that has no kind, as colliders of their own.
function loader:add_parts(layer, tile, column, row, horizontal, vertical, diagonal)
	local map = self.map
	local x, y = column * map.tilewidth + (layer.offsetx or 0), (row + 1) * map.tileheight - tile.height + (layer.offsety or 0) -- Tiled puts large tiles on the cell's lower left corner
	for _, part in ipairs(tile.parts) do
		local points = placed(flipped(part.points, tile.width, tile.height, horizontal, vertical, diagonal), x, y, self.scale, self.up)
		for _, shape in ipairs(shapes_of(points, part.open)) do
			self.level.body:newCollider(shape, { layer = layer.properties.layer, material = material_of(tile.properties), sensor = tile.properties.sensor })
		end
	end
end

function loader:tile_layer(layer)
	local map, scale = self.map, self.scale
	layer.properties = layer.properties or {}
	local kinds, cells = { list = {} }, {}
	local left, top, right, bottom
	each_tile(layer, function(column, row, gid)
		local number, horizontal, vertical, diagonal = split(gid)
		local tile = self.tiles[number] or fail("the layer %s has the tile %d, which is in no tileset", tostring(layer.name), number)
		local kind = self:kind_of(kinds, tile, layer.properties.solid)
		if kind then
			cells[#cells + 1] = { column, row, kind, flags_of(horizontal, vertical, diagonal, self.up) }
			left, top = min(left or column, column), min(top or row, row)
			right, bottom = max(right or column, column), max(bottom or row, row)
		else
			self:add_parts(layer, tile, column, row, horizontal, vertical, diagonal)
		end
	end)
	if #cells == 0 then return end
	if map.tilewidth ~= map.tileheight then fail("tiles must be square, and those of the map are %g x %g", map.tilewidth, map.tileheight) end
	if not layer.chunks then left, top, right, bottom = 0, 0, layer.width - 1, layer.height - 1 end
	local size, rows = map.tilewidth * scale, bottom - top + 1
	local y = self.up > 0 and top * size or -(bottom + 1) * size
	local solid, sensors = self.level.body:newTiles {
		columns = right - left + 1, rows = rows, cellSize = size, x = left * size + (layer.offsetx or 0) * scale, y = y + (layer.offsety or 0) * scale * self.up,
		kinds = kinds.list, layer = layer.properties.layer, material = material_of(layer.properties),
	}
	for _, cell in ipairs(cells) do
		solid:setCell(cell[1] - left + 1, self.up > 0 and cell[2] - top + 1 or bottom - cell[2] + 1, cell[3], cell[4])
	end
	self.level.tiles[layer.name], self.level.sensors[layer.name] = solid, sensors
end

-- --- Objects ------------------------------------------------------------------------------------------------------------------

-- The shapes of an object about its own point, in the units of the world.
function loader:object_shapes(object)
	local scale, up = self.scale, self.up
	if object.shape == "ellipse" and object.width > 0 and object.height > 0 then
		local points = corners_of { shape = "polygon", rotation = object.rotation, polygon = { { x = object.width / 2, y = object.height / 2 } } }
		local x, y = points[1] * scale, points[2] * scale * up
		if object.width == object.height then return { d2.circle(object.width / 2 * scale, x, y) } end
		return { d2.ellipse(object.width / 2 * scale, object.height / 2 * scale, { x = x, y = y, angle = (object.rotation or 0) * pi / 180 * up }) }
	end
	if object.gid then
		local number, horizontal, vertical, diagonal = split(object.gid)
		local tile = self.tiles[number] or fail("an object has the tile %d, which is in no tileset", number)
		local shapes, sx, sy = {}, object.width / tile.width, object.height / tile.height
		local whole = { 0, 0, tile.width, 0, tile.width, tile.height, 0, tile.height }
		for _, part in ipairs(#tile.parts > 0 and tile.parts or { { points = whole } }) do
			local points, list = flipped(part.points, tile.width, tile.height, horizontal, vertical, diagonal), {}
			for i = 1, #points, 2 do list[(i + 1) / 2] = { x = points[i] * sx, y = points[i + 1] * sy - object.height } end
			local corners = corners_of { shape = "polygon", rotation = object.rotation, polygon = list }
			for _, shape in ipairs(shapes_of(placed(corners, 0, 0, scale, up), part.open)) do shapes[#shapes + 1] = shape end
		end
		return shapes
	end
	local corners, open = corners_of(object)
	if not corners or #corners < 4 or not open and is_flat(corners) then return {} end
	return shapes_of(placed(corners, 0, 0, scale, up), open)
end

function loader:object(layer, object)
	local properties = object.properties or {}
	local list = {}
	for i, shape in ipairs(self:object_shapes(object)) do
		list[i] = {
			shape = shape, density = properties.density, friction = properties.friction, restitution = properties.restitution,
			rollingResistance = properties.rollingResistance, material = properties.material and { name = properties.material } or nil,
			sensor = properties.sensor, layer = properties.layer or layer.properties.layer,
		}
	end
	local x, y = (object.x + (layer.offsetx or 0)) * self.scale, (object.y + (layer.offsety or 0)) * self.scale * self.up
	local entry = { object = object, name = object.name, x = self.x + x, y = self.y + y, layer = layer.name }
	if #list > 0 and properties.body ~= "none" then
		entry.body = self.world:newBody { type = properties.body or "static", x = entry.x, y = entry.y, shapes = list, name = object.name ~= "" and object.name or nil, data = object }
	end
	self.level.objects[#self.level.objects + 1] = entry
end

-- --- Maps ---------------------------------------------------------------------------------------------------------------------

function loader:layers(layers, offsetx, offsety)
	for _, source in ipairs(layers) do
		local layer = {}
		for key, value in pairs(source) do layer[key] = value end
		layer.offsetx, layer.offsety, layer.properties = (layer.offsetx or 0) + offsetx, (layer.offsety or 0) + offsety, layer.properties or {}
		if layer.properties.solid == false then
			-- for show
		elseif layer.type == "tilelayer" then
			self:tile_layer(layer)
		elseif layer.type == "objectgroup" then
			for _, object in ipairs(layer.objects) do self:object(layer, object) end
		elseif layer.type == "group" then
			self:layers(layer.layers, layer.offsetx, layer.offsety)
		end
	end
end

local known = { scale = true, flipY = true, x = true, y = true }

function tiled.load(world, map, options)
	options = options or {}
	if type(map) ~= "table" or type(map.layers) ~= "table" then fail("map must be the table of a map that Tiled has exported as Lua, got %s", tostring(map)) end
	for key in pairs(options) do
		if not known[key] then fail("unknown key '%s' (there are: flipY, scale, x, y)", tostring(key)) end
	end
	if map.orientation ~= "orthogonal" then fail("the map must be orthogonal, got %s", tostring(map.orientation)) end
	local scale, x, y = options.scale or 1, options.x or 0, options.y or 0
	if type(scale) ~= "number" or not (scale > 0 and scale < math.huge) then fail("scale must be > 0, got %s", tostring(scale)) end
	local tiles, level = read_tilesets(map), { tiles = {}, sensors = {}, objects = {} }
	level.body = world:newBody { type = "static", x = x, y = y, name = "map" }
	local self = setmetatable({ world = world, map = map, scale = scale, x = x, y = y, up = options.flipY and -1 or 1, level = level, tiles = tiles }, loader)
	local ok, message = pcall(self.layers, self, map.layers, 0, 0)
	if ok then return level end
	level.body:destroy()
	for _, entry in ipairs(level.objects) do if entry.body then entry.body:destroy() end end
	error(message, 0)
end

return tiled
