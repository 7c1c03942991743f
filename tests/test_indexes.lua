-- Trees, sweeps and grids without a world: each against brute force, and all by the same tests, as they differ only in speed.
--
-- Coordinates are multiples of a power of two, so that boxes often touch exactly, and the brute force is exact in doubles also where it computes: a cross
-- product of differences of such numbers is not rounded.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2, d3 = collide.d2, collide.d3
local random_numbers, bytes_of = support.random_numbers, support.bytes_of
local unpack = table.unpack or unpack

local kinds = { "tree", "sweep", "grid" }

local function new_index(kind, dimensions, cell)
	if kind == "tree" then return collide.newTree { dimensions = dimensions, margin = cell / 10 } end
	if kind == "sweep" then return collide.newSweep { dimensions = dimensions } end
	return collide.newGrid { dimensions = dimensions, cellSize = cell }
end

-- Runs f(kind, dimensions) for the three kinds and both dimensions.
local function for_all(f)
	for _, kind in ipairs(kinds) do
		for dimensions = 2, 3 do f(kind, dimensions) end
	end
end

-- --- Brute force -----------------------------------------------------------------------------------------------------------

-- A list of { item =, box = { lower corner, upper corner } } in order of insertion.
local Brute = {}
Brute.__index = Brute

local function new_brute(dimensions) return setmetatable({ dimensions = dimensions, entries = {} }, Brute) end

function Brute:place(item)
	for i, entry in ipairs(self.entries) do
		if entry.item == item then return i end
	end
end

function Brute:insert(item, box) self.entries[#self.entries + 1] = { item = item, box = box } end
function Brute:move(item, box) self.entries[self:place(item)].box = box end
function Brute:remove(item) table.remove(self.entries, self:place(item)) end

local function overlap(a, b, n)
	for i = 1, n do
		if a[i] > b[n + i] or b[i] > a[n + i] then return false end
	end
	return true
end

function Brute:box(box)
	local list = {}
	for _, entry in ipairs(self.entries) do
		if overlap(entry.box, box, self.dimensions) then list[#list + 1] = entry.item end
	end
	return list
end

function Brute:pairs()
	local list = {}
	for i, a in ipairs(self.entries) do
		for j = i + 1, #self.entries do
			local b = self.entries[j]
			if overlap(a.box, b.box, self.dimensions) then
				list[#list + 1] = a.item
				list[#list + 1] = b.item
			end
		end
	end
	return list
end

-- Sorts by value, then by order; returns a flat list of items and values.
local function flatten(found)
	table.sort(found, function(a, b)
		if a.value ~= b.value then return a.value < b.value end
		return a.order < b.order
	end)
	local list = {}
	for _, each in ipairs(found) do
		list[#list + 1] = each.item
		list[#list + 1] = each.value
	end
	return list
end

-- The intervals along each axis overlap, and the box's corners are not all on one side of the line.
local function ray_meets(ray, box, n)
	for i = 1, n do
		if math.max(ray[i], ray[n + i]) < box[i] or math.min(ray[i], ray[n + i]) > box[n + i] then return false end
	end
	for u = 1, n - 1 do
		for v = u + 1, n do
			local left, right = false, false
			for corner = 0, 3 do
				local x, y = box[u + corner % 2 * n], box[v + math.floor(corner / 2) * n]
				local side = (ray[n + u] - ray[u]) * (y - ray[v]) - (ray[n + v] - ray[v]) * (x - ray[u])
				left, right = left or side >= 0, right or side <= 0
			end
			if not (left and right) then return false end
		end
	end
	return true
end

function Brute:ray(ray)
	local found, n = {}, self.dimensions
	for order, entry in ipairs(self.entries) do
		if ray_meets(ray, entry.box, n) then
			local fraction = 0
			for i = 1, n do
				local from, way = ray[i], ray[n + i] - ray[i]
				if from < entry.box[i] then fraction = math.max(fraction, (entry.box[i] - from) / way) end
				if from > entry.box[n + i] then fraction = math.max(fraction, (entry.box[n + i] - from) / way) end
			end
			found[#found + 1] = { item = entry.item, value = fraction, order = order }
		end
	end
	return flatten(found)
end

function Brute:nearest(point, count)
	local found, n = {}, self.dimensions
	for order, entry in ipairs(self.entries) do
		local square = 0
		for i = 1, n do
			local out = math.max(entry.box[i] - point[i], point[i] - entry.box[n + i], 0)
			square = square + out * out
		end
		found[order] = { item = entry.item, value = math.sqrt(square), order = order }
	end
	local list = flatten(found)
	for i = #list, 2 * count + 1, -1 do list[i] = nil end
	return list
end

-- --- Scenes ----------------------------------------------------------------------------------------------------------------

-- grain: coordinates are multiples of it; center: of the scene; spread: half the scene's width, by axis; size: of most boxes.
local scenes = {
	usual = { grain = 1 / 64, center = 0, spread = { 8, 8, 4 }, size = 1 },
	coarse = { grain = 1, center = 0, spread = { 6, 6, 3 }, size = 2 }, -- equal boxes whose sides often touch
	line = { grain = 1 / 8, center = 5, spread = { 0, 30, 0 }, size = 1 },
	column = { grain = 1 / 8, center = -5, spread = { 0, 0, 30 }, size = 1 },
	points = { grain = 1 / 4, center = 0, spread = { 4, 4, 2 }, size = 0 },
	far = { grain = 1 / 64, center = 1e9, spread = { 8, 8, 4 }, size = 1 },
	farther = { grain = 1 / 4, center = -5e14, spread = { 40, 40, 20 }, size = 4 },
	tiny = { grain = 2 ^ -40, center = 0, spread = { 2 ^ -13, 2 ^ -13, 2 ^ -13 }, size = 2 ^ -16 },
}

local function scene_numbers(scene, dimensions, seed)
	local number, pick = random_numbers(seed)
	local function snap(x) return math.floor(x / scene.grain + 0.5) * scene.grain end
	local function coordinate(i) return scene.center + snap(number(-scene.spread[i], scene.spread[i])) end
	local function point()
		local p = {}
		for i = 1, dimensions do p[i] = coordinate(i) end
		return p
	end
	-- A box; one in 30 is huge, some have no extent.
	local function box(size)
		local b = point()
		local huge, flat = pick(30) == 1, pick(8) == 1
		for i = 1, dimensions do
			local extent = flat and 0 or snap(number(0, size))
			if huge then
				extent = 400 * scene.spread[2]
				b[i] = b[i] - extent / 2
			end
			b[dimensions + i] = b[i] + extent
		end
		return b
	end
	return number, pick, point, box
end

-- `count` items of all Lua types.
local function new_items(count)
	local items = {}
	for i = 1, count do
		local kind = i % 6
		items[i] = kind == 0 and i or kind == 1 and "item " .. i or kind == 2 and { i } or kind == 3 and i + 0.5
			or kind == 4 and function() return i end or d2.circle(i)
	end
	items[1], items[2] = false, true
	return items
end

TestIndexes = {}

local function check_queries(index, brute, scene, dimensions, numbers, into)
	local pick, point, box = numbers[2], numbers[3], numbers[4]
	local q, p = box(4 * scene.size), point()
	lu.assertEquals(index:queryBox(unpack(q)), brute:box(q))
	local degenerate = { unpack(p) }
	for i = 1, dimensions do degenerate[dimensions + i] = p[i] end
	p[dimensions + 1] = into
	local list = index:queryPoint(unpack(p, 1, dimensions + 1))
	lu.assertTrue(list == into)
	p[dimensions + 1] = nil
	lu.assertEquals(list, brute:box(degenerate))
	local ray, to = point(), point()
	for i = 1, dimensions do ray[dimensions + i] = pick(4) == 1 and ray[i] or to[i] end
	if pick(10) == 1 then -- a long ray, along an axis or a diagonal
		for i = 1, dimensions do ray[dimensions + i] = ray[i] + (pick(3) - 2) * 64 * scene.spread[2] end
	end
	lu.assertEquals(index:queryRay(unpack(ray)), brute:ray(ray))
	local count = pick(12)
	if pick(4) == 1 then p[1] = p[1] + 128 * scene.spread[2] end
	p[dimensions + 1] = count
	lu.assertEquals(index:nearest(unpack(p)), brute:nearest(p, count))
end

local function run_scene(kind, dimensions, scene, seed, steps)
	local index, brute = new_index(kind, dimensions, math.max(scene.size, scene.grain)), new_brute(dimensions)
	local numbers = { scene_numbers(scene, dimensions, seed) }
	local pick, box = numbers[2], numbers[4]
	local outside, into = new_items(90), {}
	local function method(name, item, b) return index[name](index, item, unpack(b)) end
	for step = 1, steps do
		local choice, inside = pick(10), brute.entries
		if (choice <= 4 and #outside > 0) or #inside == 0 then
			local item, b = table.remove(outside, pick(#outside)), box(scene.size)
			lu.assertFalse(index:contains(item))
			lu.assertFalse(index:remove(item))
			method("insert", item, b)
			brute:insert(item, b)
		elseif choice <= 8 then
			local entry = inside[pick(#inside)]
			local b = box(scene.size)
			if pick(2) == 1 then -- by a little
				for i = 1, 2 * dimensions do b[i] = entry.box[i] + scene.grain * (i % dimensions - 1) end
			end
			method("move", entry.item, b)
			brute:move(entry.item, b)
		else
			local entry = inside[pick(#inside)]
			lu.assertTrue(index:contains(entry.item))
			lu.assertEquals({ index:getBox(entry.item) }, entry.box)
			lu.assertTrue(index:remove(entry.item))
			brute:remove(entry.item)
			outside[#outside + 1] = entry.item
		end
		if step % 3 == 0 then check_queries(index, brute, scene, dimensions, numbers, into) end
		if step % 20 == 0 then
			lu.assertEquals(index:pairs(), brute:pairs())
			lu.assertEquals(index:getCount(), #brute.entries)
			index:validate()
		end
		if step % 500 == 0 then
			for _, entry in ipairs(brute.entries) do outside[#outside + 1] = entry.item end
			index:clear()
			brute.entries = {}
			lu.assertEquals(index:getCount(), 0)
			lu.assertEquals(index:pairs(), {})
			index:validate()
		end
	end
end

for name, scene in pairs(scenes) do
	TestIndexes["test_brute_force_" .. name] = function()
		for_all(function(kind, dimensions) run_scene(kind, dimensions, scene, 100 + dimensions, 700) end)
	end
end

-- Many more items than brute force allows: the three kinds against each other, and the pairs against a separate count.
function TestIndexes.test_many_items()
	for dimensions = 2, 3 do
		local scene = { grain = 1 / 1024, center = 0, spread = { 60, 60, 20 }, size = 1.5 }
		local results = {}
		for k, kind in ipairs(kinds) do
			local number, pick, point, box = scene_numbers(scene, dimensions, 7)
			local index = new_index(kind, dimensions, 1)
			for i = 1, 2000 do index:insert(i, unpack(box(1.5))) end
			results[k] = {}
			for round = 1, 4 do
				for i = round, 2000, 2 do index:move(i, unpack(box(1.5))) end
				for i = round, 2000, 9 do index:remove(i) end
				local list = results[k]
				list[#list + 1] = index:pairs()
				for _ = 1, 100 do
					local p, q = point(), point()
					p[dimensions + 1] = pick(300)
					list[#list + 1] = index:nearest(unpack(p))
					list[#list + 1] = index:queryBox(unpack(box(20)))
					for i = 1, dimensions do q[dimensions + i] = p[i] end
					list[#list + 1] = index:queryRay(unpack(q))
				end
				for i = round, 2000, 9 do index:insert(i, unpack(box(1.5))) end
				index:validate()
			end
		end
		lu.assertTrue(#results[1][1] > 1000)
		for i, list in ipairs(results[1]) do
			for k = 2, 3 do
				lu.assertEquals(#results[k][i], #list)
				for j = 1, #list do
					if results[k][i][j] ~= list[j] then lu.fail(kinds[k] .. " differs from tree") end
				end
			end
		end
	end
end

-- A ray that passes exactly through a corner hits it; one that misses it by the last bit of a double does not.
function TestIndexes.test_rays_are_exact()
	for _, kind in ipairs(kinds) do
		local number, pick = random_numbers(31)
		local index = new_index(kind, 2, 1)
		index:insert("box", 0, 0, 1, 1)
		for _ = 1, 2000 do
			-- Through the corner (1, 1), or past it: the line a x + b y = a + b + e.
			local a, b = pick(1000), pick(1000)
			local k = pick(5) / 7
			local x, y = 1 + b * 2 ^ -10, 1 - a * 2 ^ -10
			local meets = #index:queryRay(x, y, 2 - x, 2 - y) > 0
			lu.assertTrue(meets, "touches the corner")
			lu.assertEquals(#index:queryRay(x + 2 ^ -50, y, 2 - x + 2 ^ -50, 2 - y), 0)
			-- A ray with arbitrary coordinates: an exact test would need integers beyond Lua's. The result must be the same in both directions.
			local p, q, r, s = 1 + b * k, 1 - a * k, 1 - b / k, 1 + a / k
			lu.assertEquals(#index:queryRay(p, q, r, s), #index:queryRay(r, s, p, q))
		end
	end
end

function TestIndexes.test_the_last_bit_of_a_double_counts()
	for_all(function(kind, dimensions)
		for _, x in ipairs { 1, 1 / 3, 1e9 + 0.1, -9e14 + 0.25, 123456.789 } do
			local step = math.abs(x) * 2 ^ -52
			local index = new_index(kind, dimensions, 1)
			local b = { x - 1, x - 1, x - 1, x, x, x }
			if dimensions == 2 then b = { x - 1, x - 1, x, x } end
			index:insert("a", unpack(b))
			local function at(y) return dimensions == 2 and index:queryPoint(y, x) or index:queryPoint(y, x, x) end
			lu.assertEquals(at(x), { "a" })
			lu.assertEquals(at(x + step), {})
			lu.assertEquals(at(x - step), { "a" })
			local c = { x + step, x - 1, x - 1, x + 1, x, x }
			if dimensions == 2 then c = { x + step, x - 1, x + 1, x } end
			index:insert("b", unpack(c))
			lu.assertEquals(index:pairs(), {})
			c[1] = x
			index:move("b", unpack(c))
			lu.assertEquals(index:pairs(), { "a", "b" })
		end
	end)
end

-- --- Shapes ----------------------------------------------------------------------------------------------------------------

local function point_segment(px, py, ax, ay, bx, by)
	local wx, wy = bx - ax, by - ay
	local square = wx * wx + wy * wy
	local t = square > 0 and math.max(0, math.min(1, ((px - ax) * wx + (py - ay) * wy) / square)) or 0
	return math.sqrt((px - ax - t * wx) ^ 2 + (py - ay - t * wy) ^ 2)
end

local function point_box(x, y, b)
	return math.sqrt(math.max(b[1] - x, x - b[3], 0) ^ 2 + math.max(b[2] - y, y - b[4], 0) ^ 2)
end

-- The signed distance between the box and the hull of the points: the greatest separation over the axes of both. That is the distance except between corners,
-- where the true one is from a corner to a side.
local function polygon_box(points, b)
	local corners = { { b[1], b[2] }, { b[3], b[2] }, { b[3], b[4] }, { b[1], b[4] } }
	local apart = -math.huge
	local function axis(nx, ny)
		local most, least, low, high = -math.huge, math.huge, math.huge, -math.huge
		for _, p in ipairs(points) do most, least = math.max(most, p[1] * nx + p[2] * ny), math.min(least, p[1] * nx + p[2] * ny) end
		for _, p in ipairs(corners) do low, high = math.min(low, p[1] * nx + p[2] * ny), math.max(high, p[1] * nx + p[2] * ny) end
		apart = math.max(apart, low - most, least - high)
	end
	axis(1, 0)
	axis(0, 1)
	for i, p in ipairs(points) do
		local q = points[i % #points + 1]
		local length = math.sqrt((q[1] - p[1]) ^ 2 + (q[2] - p[2]) ^ 2)
		if length > 0 then axis((q[2] - p[2]) / length, (p[1] - q[1]) / length) end
	end
	if apart <= 0 then return apart end
	local nearest = math.huge
	for i, p in ipairs(points) do
		local q = points[i % #points + 1]
		nearest = math.min(nearest, point_box(p[1], p[2], b))
		for _, c in ipairs(corners) do nearest = math.min(nearest, point_segment(c[1], c[2], p[1], p[2], q[1], q[2])) end
	end
	return nearest
end

-- In coordinates in which the ellipse is the unit circle: the distance of the transformed box from the origin.
local function ellipse_box(rx, ry, x, y, angle, b)
	local c, s = math.cos(angle), math.sin(angle)
	local corners, inside = {}, b[1] <= x and x <= b[3] and b[2] <= y and y <= b[4]
	for i, p in ipairs { { b[1], b[2] }, { b[3], b[2] }, { b[3], b[4] }, { b[1], b[4] } } do
		local dx, dy = p[1] - x, p[2] - y
		corners[i] = { (c * dx + s * dy) / rx, (c * dy - s * dx) / ry }
	end
	local nearest = math.huge
	for i, p in ipairs(corners) do
		local q = corners[i % 4 + 1]
		nearest = math.min(nearest, point_segment(0, 0, p[1], p[2], q[1], q[2]))
	end
	return (inside and -1 or nearest - 1) * math.min(rx, ry)
end

local function placed(points, x, y, angle)
	local c, s, list = math.cos(angle), math.sin(angle), {}
	for i = 1, #points, 2 do
		list[#list + 1] = { x + c * points[i] - s * points[i + 1], y + s * points[i] + c * points[i + 1] }
	end
	return list
end

local function hull_gap(points, radius)
	return function(x, y, angle, b) return polygon_box(placed(points, x, y, angle), b) - radius end
end

-- Shapes, and functions of their signed distance to a box.
local shapes = {
	{ d2.circle(0.75, 0.25, 0.5), hull_gap({ 0.25, 0.5 }, 0.75) },
	{ d2.capsule(-1, 0, 0.5, 0.5, 0.25), hull_gap({ -1, 0, 0.5, 0.5 }, 0.25) },
	{ d2.segment(-1, -0.5, 1, 0.5), hull_gap({ -1, -0.5, 1, 0.5 }, 0) },
	{ d2.box(2, 1), hull_gap({ -1, -0.5, 1, -0.5, 1, 0.5, -1, 0.5 }, 0) },
	{ d2.polygon({ 0, 0, 2, 0.5, 0.5, 1.5 }, 0.25), hull_gap({ 0, 0, 2, 0.5, 0.5, 1.5 }, 0.25) },
	{ d2.ellipse(1.5, 0.5), function(x, y, angle, b) return ellipse_box(1.5, 0.5, x, y, angle, b) end },
	{ d2.ellipse(1.5, 0.5, { x = 0.5, y = -1, angle = 0.5 }), function(x, y, angle, b)
		local c, s = math.cos(angle), math.sin(angle)
		return ellipse_box(1.5, 0.5, x + 0.5 * c + s, y + 0.5 * s - c, angle + 0.5, b)
	end },
	{ d2.halfPlane(0, 1, 0.5), function(x, y, angle, b)
		local nx, ny, least = -math.sin(angle), math.cos(angle), math.huge
		for corner = 0, 3 do
			local px, py = b[1 + corner % 2 * 2], b[2 + math.floor(corner / 2) * 2]
			least = math.min(least, nx * (px - x) + ny * (py - y))
		end
		return least - 0.5
	end },
	{ d2.chain { -2, 0, -1, 1, 0, 0, 1.5, 0.5 }, function(x, y, angle, b)
		local list = { -2, 0, -1, 1, 0, 0, 1.5, 0.5 }
		local gap = math.huge
		for i = 1, 5, 2 do gap = math.min(gap, polygon_box(placed({ unpack(list, i, i + 3) }, x, y, angle), b)) end
		return gap
	end },
}

function TestIndexes.test_shapes_against_brute_force()
	for _, kind in ipairs(kinds) do
		for _, center in ipairs { 0, 2 ^ 23 } do
			local scene = { grain = 1 / 64, center = center, spread = { 5, 5 }, size = 1.5 }
			local number, pick, point, box = scene_numbers(scene, 2, 51)
			local index, boxes = new_index(kind, 2, 1), {}
			for i = 1, 60 do
				boxes[i] = box(1.5)
				index:insert(i, unpack(boxes[i]))
			end
			local seen, missed, list = 0, 0, {}
			for round = 1, 20 do
				for _, each in ipairs(shapes) do
					local p, angle = point(), round % 4 == 0 and 0 or number(-3, 3)
					local found = {}
					for _, i in ipairs(index:queryShape(each[1], d2.pose(p[1], p[2], angle), list)) do found[i] = true end
					for i, b in ipairs(boxes) do
						-- Relative to the pose: all coordinates are exact in doubles.
						local shifted = { b[1] - p[1], b[2] - p[2], b[3] - p[1], b[4] - p[2] }
						local gap = each[2](0, 0, angle, shifted)
						if math.abs(gap) > 1e-5 then
							lu.assertEquals(found[i] or false, gap < 0, each[1]:getType() .. " " .. gap)
							if gap < 0 then seen = seen + 1 elseif gap < 0.5 then missed = missed + 1 end
						end
					end
				end
			end
			lu.assertTrue(seen > 500 and missed > 250)
		end
	end
end

function TestIndexes.test_a_shape_that_touches_overlaps()
	for _, kind in ipairs(kinds) do
		local index = new_index(kind, 2, 1)
		index:insert("right", 1, -1, 2, 1)
		index:insert("point", 0, 1, 0, 1)
		index:insert("all", -1e15, -1e15, 1e15, 1e15)
		index:insert("beyond", 1.0001, 1.0001, 2, 2)
		lu.assertEquals(index:queryShape(d2.circle(1)), { "right", "point", "all" })
		lu.assertEquals(index:queryShape(d2.box(2, 2), nil, {}), { "right", "point", "all" })
		lu.assertEquals(index:queryShape(d2.halfPlane(0, 1, -2)), { "all" })
		lu.assertEquals(index:queryShape(d2.segment(0, 0, 0, 1)), { "point", "all" })
	end
end

-- --- Lists -----------------------------------------------------------------------------------------------------------------

function TestIndexes.test_into_is_filled_and_the_rest_cleared()
	for_all(function(kind, dimensions)
		local index = new_index(kind, dimensions, 1)
		local function numbers(...) return (function(a, b, c, d, e, f)
			if dimensions == 2 then return a, b, d, e end
			return a, b, c, d, e, f
		end)(...) end
		for i = 1, 5 do index:insert("i" .. i, numbers(i, 0, 0, i + 0.5, 1, 1)) end
		local into = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, name = "kept" }
		local a, b, c, d, e, f = numbers(2, 0, 0, 3, 1, 1)
		local list = dimensions == 2 and index:queryBox(a, b, c, d, into) or index:queryBox(a, b, c, d, e, f, into)
		lu.assertTrue(list == into)
		lu.assertEquals(list, { "i2", "i3", name = "kept" })
		lu.assertEquals(#list, 2)
		lu.assertEquals(index:pairs(into), { name = "kept" })
		lu.assertEquals({ index:pairs() }, { {} })
		local near = dimensions == 2 and index:nearest(4, -1, 2, into) or index:nearest(4, -1, 0.5, 2, into)
		lu.assertEquals(near, { "i4", 1, "i3", math.sqrt(1.25), name = "kept" })
		local one = dimensions == 2 and index:nearest(100, 0.5) or index:nearest(100, 0.5, 0.5)
		lu.assertEquals(one, { "i5", 94.5 })
	end)
end

function TestIndexes.test_order_is_that_of_insertion()
	for_all(function(kind, dimensions)
		local index = new_index(kind, dimensions, 1)
		local box = dimensions == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
		local ray = dimensions == 2 and { -1, 0.5, 2, 0.5 } or { -1, 0.5, 0.5, 2, 0.5, 0.5 }
		local expected = {}
		for i = 1, 300 do index:insert(i * 5 % 301, unpack(box)) end
		for i = 1, 300, 3 do index:remove(i) end
		for i = 1, 300, 3 do index:insert(-i, unpack(box)) end
		for i = 1, 300 do if i * 5 % 301 % 3 ~= 1 then expected[#expected + 1] = i * 5 % 301 end end
		for i = 1, 300, 3 do expected[#expected + 1] = -i end
		lu.assertEquals(index:queryBox(unpack(box)), expected)
		local pairs = index:pairs()
		lu.assertEquals(#pairs, 300 * 299)
		lu.assertEquals({ pairs[1], pairs[2], pairs[3], pairs[4] }, { expected[1], expected[2], expected[1], expected[3] })
		lu.assertEquals({ pairs[#pairs - 1], pairs[#pairs] }, { expected[299], expected[300] })
		local hits = index:queryRay(unpack(ray))
		for i, item in ipairs(expected) do
			lu.assertEquals(hits[2 * i - 1], item)
			lu.assertEquals(hits[2 * i], 1 / 3)
		end
	end)
end

-- Garbage is counted after a round in which all buffers grow to their sizes.
function TestIndexes.test_no_garbage()
	for_all(function(kind, dimensions)
		local index = new_index(kind, dimensions, 1)
		local items = {}
		local flat = dimensions == 2
		local function put(method, i, x, y)
			if flat then method(index, items[i], x, y, x + 1, y + 1) else method(index, items[i], x, y, 0, x + 1, y + 1, 1) end
		end
		for i = 1, 100 do
			items[i] = { i }
			put(index.insert, i, i % 10, i / 10)
		end
		local into, circle, pose = {}, d2.circle(2), d2.pose(4, 4)
		local round = 0
		local function all()
			round = round + 1
			for i = 1, 100 do put(index.move, i, (i + round) % 10, i / 10) end
			for i = 1, 100, 7 do
				index:remove(items[i])
				put(index.insert, i, i % 10, i / 10)
			end
			index:contains(items[3])
			index:getBox(items[3])
			index:getCount()
			index:pairs(into)
			if flat then
				index:queryBox(0, 0, 5, 5, into) index:queryPoint(3, 3, into) index:queryRay(0, 0, 9, 9, into)
				index:nearest(4, 4, 12, into) index:queryShape(circle, pose, into)
			else
				index:queryBox(0, 0, 0, 5, 5, 5, into) index:queryPoint(3, 3, 0, into) index:queryRay(0, 0, 0, 9, 9, 1, into)
				index:nearest(4, 4, 0, 12, into)
			end
		end
		-- Traces of the loops that filled the index would still run, and allocate at their exits.
		if jit then jit.flush() end
		lu.assertEquals(bytes_of(100, all), 0)
	end)
end

-- --- Methods -------------------------------------------------------------------------------------------------------------
--
-- All three kinds give the same answers; their statistics show how.

local function sum_of_sides(box, n)
	local sum = 0
	for k = 1, n do sum = sum + box[n + k] - box[k] end
	return sum
end

-- The cost of a tree built top-down: the list is halved across its longest side, recursively.
local function cost_of_halves(list, n)
	local function around(low, high)
		local box = {}
		for k = 1, n do
			box[k], box[n + k] = math.huge, -math.huge
			for i = low, high do
				box[k] = math.min(box[k], list[i][k])
				box[n + k] = math.max(box[n + k], list[i][n + k])
			end
		end
		return box
	end
	local function halve(low, high)
		if low == high then return 0 end
		local box, axis, part = around(low, high), 1, {}
		for k = 2, n do
			if box[n + k] - box[k] > box[n + axis] - box[axis] then axis = k end
		end
		for i = low, high do part[#part + 1] = list[i] end
		table.sort(part, function(a, b)
			if a[axis] ~= b[axis] then return a[axis] < b[axis] end
			return a.order < b.order
		end)
		for i = low, high do list[i] = part[i - low + 1] end
		local middle = math.floor((low + high) / 2)
		return sum_of_sides(box, n) + halve(low, middle) + halve(middle + 1, high)
	end
	return halve(1, #list) / sum_of_sides(around(1, #list), n)
end

local function tree_of(count, dimensions, box_at)
	local index, list = collide.newTree { dimensions = dimensions }, {}
	for i = 1, count do
		list[i] = box_at(i)
		list[i].order = i
		index:insert(i, unpack(list[i], 1, 2 * dimensions))
	end
	return index, list
end

-- Without rotations each box of a row is inserted beside the last one: a height of 2000, and a cost of 1000 times the root's. Rotations that only keep the
-- balance leave a height of 26, and twice the cost for a grid of boxes.
function TestIndexes.test_S3_08_rotations_keep_the_tree_good()
	local rows = {
		function(i) return { i, 0, i + 0.5, 0.5 } end,
		function(i) return { -i, 0, -i + 0.5, 0.5 } end,
		function(i) local x = i % 2 == 0 and i or -i return { 0, x, 0, x } end,
		function(i) return { 0, 0, i, 0, 1, i + 1 } end,
	}
	for k, row in ipairs(rows) do
		local dimensions = k == 4 and 3 or 2
		local index, list = tree_of(2000, dimensions, row)
		local statistics = index:getStatistics()
		lu.assertTrue(statistics.height >= 11 and statistics.height <= 14, statistics.height) -- 2^11 > 2000
		lu.assertTrue(statistics.cost <= 1.05 * cost_of_halves(list, dimensions), statistics.cost)
	end
	local number = random_numbers(808)
	local index, list = tree_of(2000, 2, function(i)
		local x, y = i % 45, math.floor(i / 45)
		return { x, y, x + 0.5, y + 0.5 }
	end)
	lu.assertTrue(index:getStatistics().cost <= 1.2 * cost_of_halves(list, 2))
	index, list = tree_of(2000, 3, function()
		local x, y, z = number(0, 12), number(0, 12), number(0, 12)
		return { x, y, z, x + 0.5, y + 0.5, z + 0.5 }
	end)
	lu.assertTrue(index:getStatistics().cost <= 1.0 * cost_of_halves(list, 3))
	-- The tree stays balanced when most items are removed.
	for i = 1, 2000 do
		if i % 32 ~= 0 and i < 1900 then index:remove(i) end
	end
	lu.assertTrue(index:getStatistics().height <= 26)
	index:validate()
end

-- The cost by hand: for two boxes, that of the box around them; for three, two of which are near each other, one more.
function TestIndexes.test_statistics_of_trees_by_hand()
	local index = collide.newTree()
	lu.assertEquals(index:getStatistics(), { height = 0, cost = 0, replaced = 0 })
	index:insert("a", 0, 0, 1, 1)
	lu.assertEquals(index:getStatistics(), { height = 0, cost = 0, replaced = 0 })
	index:insert("b", 1, 1, 2, 2)
	lu.assertEquals(index:getStatistics(), { height = 1, cost = 1, replaced = 0 })
	index:insert("c", 7, 7, 8, 8)
	lu.assertEquals(index:getStatistics(), { height = 2, cost = 1 + 4 / 16, replaced = 0 })
	index:move("c", 0, 0, 8, 8)
	lu.assertEquals(index:getStatistics().replaced, 1)
	index:clear()
	for i = 1, 9 do index:insert(i, 5, 5, 5, 5) end
	lu.assertEquals(index:getStatistics().cost, 0) -- boxes without extent
end

-- Nothing is rebuilt after a step: an item within its margin costs nothing, an item that leaves it is reinserted, alone. After many of these the tree is as
-- good as a new one.
function TestIndexes.test_E35_only_what_leaves_its_margin_gets_a_new_place()
	for dimensions = 2, 3 do
		local number, pick = random_numbers(35)
		local count, margin = 600, 0.25
		local index, at = collide.newTree { dimensions = dimensions, margin = margin }, {}
		local function place(method, i, p)
			local b = {}
			for k = 1, dimensions do b[k], b[dimensions + k] = p[k], p[k] + 1 end
			index[method](index, i, unpack(b))
		end
		for i = 1, count do
			at[i] = {}
			for k = 1, dimensions do at[i][k] = pick(400) / 8 end
			place("insert", i, at[i])
		end
		local function jiggle(by)
			for i = 1, count do
				local p = {}
				for k = 1, dimensions do p[k] = at[i][k] + by * (pick(3) - 2) end
				place("move", i, p)
			end
		end
		for _ = 1, 10 do jiggle(margin) end
		lu.assertEquals(index:getStatistics().replaced, 0)
		for i = 1, count do place("move", i, at[i]) end
		for i = 1, count, 5 do
			at[i][1] = at[i][1] + 1.25 * margin
			place("move", i, at[i])
		end
		lu.assertEquals(index:getStatistics().replaced, count / 5)
		for _ = 1, 10 do jiggle(margin) end
		lu.assertEquals(index:getStatistics().replaced, count / 5)
		-- A crowd in motion, each item in its own direction.
		local speed = {}
		for i = 1, count do speed[i] = { number(-0.3, 0.3), number(-0.3, 0.3), number(-0.3, 0.3) } end
		for _ = 1, 100 do
			for i = 1, count do
				for k = 1, dimensions do
					if at[i][k] < 0 or at[i][k] > 50 then speed[i][k] = at[i][k] < 0 and math.abs(speed[i][k]) or -math.abs(speed[i][k]) end
					at[i][k] = at[i][k] + speed[i][k]
				end
				place("move", i, at[i])
			end
		end
		local moved = index:getStatistics()
		lu.assertTrue(moved.replaced < 0.9 * 100 * count and moved.replaced > 0.1 * 100 * count) -- a margin of 0.25 lasts about two steps
		index:clear()
		for i = 1, count do place("insert", i, at[i]) end
		local new = index:getStatistics()
		lu.assertTrue(moved.cost < 1.25 * new.cost, ("%g to %g"):format(moved.cost, new.cost))
		lu.assertTrue(moved.height < new.height + 8)
	end
end

-- The number of overlapping pairs of intervals, by brute force.
local function overlaps_along(list, n, axis)
	local count = 0
	for i, a in ipairs(list) do
		for k = i + 1, #list do
			if a[axis] <= list[k][n + axis] and list[k][axis] <= a[n + axis] then count = count + 1 end
		end
	end
	return count
end

-- The axis is that of the centres' greatest variance: not that of the longest boxes, nor of the greatest extent.
function TestIndexes.test_S3_07_the_axis_of_greatest_variance()
	local names = { "x", "y", "z" }
	for dimensions = 2, 3 do
		for axis = 1, dimensions do
			local number, other = random_numbers(307), axis % dimensions + 1
			local index, list = collide.newSweep { dimensions = dimensions }, {}
			local function add(center, half)
				local box = {}
				for k = 1, dimensions do box[k], box[dimensions + k] = center[k] - half[k], center[k] + half[k] end
				list[#list + 1] = box
				index:insert(#list, unpack(box))
			end
			for i = 1, 300 do
				local center, half = {}, {}
				for k = 1, dimensions do center[k], half[k] = number(-3, 3), 0.5 end
				center[axis] = number(-40, 40)
				if i % 3 == 0 then half[other] = number(0, 100) end -- lower and upper ends vary more there
				if i <= 2 then center[other] = i == 1 and 190 or -190 end -- and the extent is greater
				add(center, half)
			end
			local statistics = index:getStatistics()
			lu.assertEquals(statistics.axis, names[axis])
			lu.assertEquals(statistics.comparisons, overlaps_along(list, dimensions, axis))
			lu.assertTrue(3 * statistics.comparisons < overlaps_along(list, dimensions, other))
			lu.assertEquals(index:getStatistics(statistics), statistics)
		end
	end
end

-- A long row that turns slowly: the axis of a step is that of the boxes of the step before, and changes only for half as much variance again.
function TestIndexes.test_S3_07_the_axis_follows_what_moves()
	local index, n = collide.newSweep(), 200
	local function place(method, angle)
		for i = 1, n do
			local x, y = (i - n / 2) * math.cos(angle), (i - n / 2) * math.sin(angle)
			index[method](index, i, x - 0.1, y - 0.1, x + 0.1, y + 0.1)
		end
	end
	place("insert", 0)
	local changes, axis = 0, "x"
	for step = 0, 1000 do
		local angle = step * math.pi / 1000
		place("move", angle)
		local statistics = index:getStatistics()
		if statistics.axis ~= axis then
			changes, axis = changes + 1, statistics.axis
			local ratio = math.tan(angle) ^ 2 -- of the variances
			if axis == "x" then ratio = 1 / ratio end
			lu.assertTrue(ratio > 1.5 and ratio < 1.6, ratio)
		end
		lu.assertTrue(statistics.comparisons < n) -- 19900 across the row
		index:move(1, 0, 0, 0, 0) -- and back in the next step: the row is dirty each time
		lu.assertEquals(#index:pairs() > 0, true)
	end
	lu.assertEquals(changes, 2)
	-- After a jump to another axis the items are sorted along it in the next step.
	place("move", math.pi / 2)
	index:pairs()
	place("move", math.pi / 2)
	lu.assertEquals(index:getStatistics().axis, "y")
end

function TestIndexes.test_statistics_of_grids_and_into()
	local index = collide.newGrid { cellSize = 1 }
	lu.assertEquals(index:getStatistics(), { entries = 0, large = 0 })
	index:insert("a", 0.25, 0.25, 0.5, 0.5)
	index:insert("b", 0.25, 0.25, 2.5, 1.5) -- 3 by 2
	index:insert("c", 0.5, 0.5, 7.5, 7.5) -- 8 by 8
	index:insert("d", 0.5, 0.5, 8.5, 7.5) -- 9 by 8
	lu.assertEquals(index:getStatistics(), { entries = 71, large = 1 })
	index:remove "b"
	index:move("d", 0, 0, 0, 0)
	local into = { large = 9 }
	lu.assertTrue(index:getStatistics(into) == into)
	lu.assertEquals(into, { entries = 66, large = 0 })
	for_all(function(kind, dimensions)
		local other = new_index(kind, dimensions, 1)
		local list = other:getStatistics()
		lu.assertEquals(bytes_of(100, function() other:getStatistics(list) end), 0)
	end)
end

-- --- Lua's side ------------------------------------------------------------------------------------------------------------

function TestIndexes.test_type_and_text()
	for_all(function(kind, dimensions)
		local index = new_index(kind, dimensions, 1)
		lu.assertEquals(index:getType(), kind)
		lu.assertEquals(tostring(index), "index (" .. kind .. ", 0 items)")
	end)
end

function TestIndexes.test_items_are_kept_alive_until_removed()
	for _, kind in ipairs(kinds) do
		local index = new_index(kind, 2, 1)
		local alive = setmetatable({}, { __mode = "v" })
		for i = 1, 30 do
			alive[i] = { i }
			index:insert(alive[i], i, 0, i, 0)
		end
		collectgarbage() collectgarbage()
		for i = 1, 30 do lu.assertNotNil(alive[i]) end
		for i = 1, 10 do index:remove(alive[i]) end
		collectgarbage() collectgarbage()
		for i = 1, 10 do lu.assertNil(alive[i]) end
		lu.assertNotNil(alive[11])
		index:clear()
		collectgarbage() collectgarbage()
		lu.assertNil(alive[11])
		-- An item that references its index does not keep it alive.
		local held = setmetatable({}, { __mode = "k" })
		do
			local other = new_index(kind, 2, 1)
			other:insert({ other }, 0, 0, 1, 1)
			held[other] = true
		end
		index = nil
		collectgarbage() collectgarbage()
		lu.assertNil(next(held))
	end
end

function TestIndexes.test_unreferenced_indexes_are_collected_in_time()
	local alive = setmetatable({}, { __mode = "k" })
	for round = 1, 300 do
		local index = new_index(kinds[round % 3 + 1], 2, 1)
		for i = 1, 2000 do index:insert(i, i, 0, i, 0) end
		alive[index] = true
	end
	local count = 0
	for _ in pairs(alive) do count = count + 1 end
	lu.assertTrue(count < 250)
end

-- Finalizers run during calls, wherever Lua allocates, and may use the index.
function TestIndexes.test_finalizers_may_use_the_index()
	for_all(function(kind, dimensions)
		local scene = scenes.usual
		local _, pick, point, box = scene_numbers(scene, dimensions, 77)
		local index, runs = new_index(kind, dimensions, 1), 0
		local function act()
			local item = pick(40)
			local what = pick(6)
			if what == 1 and index:contains(item) then index:remove(item)
			elseif what <= 3 and not index:contains(item) then index:insert(item, unpack(box(2)))
			elseif what == 4 and index:contains(item) then index:move(item, unpack(box(2)))
			elseif what == 5 then index:pairs()
			elseif pick(20) == 1 then index:clear()
			else index:queryBox(unpack(box(9))) end
		end
		local function guarded()
			runs = runs + 1
			local ok, message = pcall(act)
			-- Another finalizer may run between `contains` and `insert`.
			if not ok and not tostring(message):find("in the index", 1, true) then error(message) end
		end
		local steps = collectgarbage("setpause", 10)
		for _ = 1, 500 do
			support.finalized(guarded)
			guarded()
			for _, list in ipairs { index:pairs(), index:queryBox(unpack(box(9))), index:queryPoint(unpack(point())) } do
				for i = 1, #list do
					if type(list[i]) ~= "number" then lu.fail "no item" end
				end
			end
		end
		collectgarbage("setpause", steps)
		collectgarbage()
		index:validate()
		local count = 0
		for item = 1, 40 do if index:contains(item) then count = count + 1 end end
		lu.assertEquals(count, index:getCount())
		lu.assertTrue(runs > 800)
	end)
end

-- --- Errors ----------------------------------------------------------------------------------------------------------------

local function raises(message, f, ...)
	lu.assertErrorMsgContains(message, f, ...)
end

function TestIndexes.test_errors_of_options()
	raises("newTree: options must be a table, got 3", collide.newTree, 3)
	raises("newTree: unknown key 'dimension', did you mean 'dimensions'?", collide.newTree, { dimension = 2 })
	raises("newTree: unknown key 'cellSize' (there are: dimensions, margin)", collide.newTree, { cellSize = 2 })
	raises("newSweep: unknown key 'margin'", collide.newSweep, { margin = 1 })
	raises("newGrid: unknown key 'cellsize', did you mean 'cellSize'?", collide.newGrid, { cellsize = 1 })
	raises("newGrid: cellSize is missing", collide.newGrid)
	raises("newGrid: cellSize is missing", collide.newGrid, { dimensions = 3 })
	raises("newGrid: cellSize must be > 0, got 0", collide.newGrid, { cellSize = 0 })
	raises("newGrid: cellSize must be a finite number, got nan", collide.newGrid, { cellSize = 0 / 0 })
	raises("newTree: margin must be >= 0, got -1", collide.newTree, { margin = -1 })
	for _, value in ipairs { 1, 4, 2.5, "2", true } do
		raises("newSweep: dimensions must be 2 or 3, got ", collide.newSweep, { dimensions = value })
	end
end

function TestIndexes.test_errors_of_methods()
	for _, kind in ipairs(kinds) do
		local index, space = new_index(kind, 2, 1), new_index(kind, 3, 1)
		index:insert("in", 0, 0, 1, 1)
		space:insert("in", 0, 0, 0, 1, 1, 1)
		for _, name in ipairs { "insert", "move", "remove", "clear", "contains", "getBox", "getCount", "getType", "getStatistics", "queryBox", "queryPoint",
			"queryRay", "queryShape", "nearest", "pairs", "validate" } do
			raises(name .. ": expected an index, got a 2D shape; methods are called with ':'", index[name], d2.circle(1))
		end
		for _, name in ipairs { "insert", "move", "remove", "contains", "getBox" } do
			raises(name .. ": item must be a value other than nil and nan, got nil", index[name], index, nil, 0, 0, 1, 1)
			raises(name .. ": item must be a value other than nil and nan, got nan", index[name], index, 0 / 0, 0, 0, 1, 1)
		end
		raises('insert: item is in the index already, got "in"', index.insert, index, "in", 0, 0, 1, 1)
		raises('move: item is not in the index, got "out"', index.move, index, "out", 0, 0, 1, 1)
		raises("getBox: item is not in the index, got a table", index.getBox, index, {})
		raises("insert: x2 must be >= x1, got 0 < 1", index.insert, index, 1, 1, 0, 0, 1)
		raises("insert: y2 must be >= y1, got 0 < 1", index.insert, index, 1, 0, 1, 1, 0)
		raises("move: z2 must be >= z1, got 2 < 3", space.move, space, "in", 0, 0, 3, 1, 1, 2)
		raises("queryBox: x2 must be >= x1, got -1 < 0", index.queryBox, index, 0, 0, -1, 1)
		raises("insert: y1 must be a finite number, got nan", index.insert, index, 1, 0, 0 / 0, 1, 1)
		raises("insert: x2 must be a finite number, got inf", index.insert, index, 1, 0, 0, 1 / 0, 1)
		raises("insert: x1 must be between -1e+15 and 1e+15, got -2e+15", index.insert, index, 1, -2e15, 0, 1, 1)
		raises('move: x1 must be a finite number, got "0"', index.move, index, "in", "0", 0, 1, 1)
		raises("insert: y2 must be a finite number, got nothing", space.insert, space, 1, 0, 0, 1, 1)
		raises("insert: an index of 2 dimensions takes 4 numbers, got more", index.insert, index, 1, 0, 0, 0, 1, 1, 1)
		raises("queryPoint: z must be a finite number, got nothing", space.queryPoint, space, 1, 2)
		raises("queryPoint: into must be a table or nil, got 3", index.queryPoint, index, 1, 2, 3)
		raises("queryBox: into must be a table or nil, got 1", index.queryBox, index, 0, 0, 0, 1, 1, 1)
		raises("queryRay: y2 must be a finite number, got nil", index.queryRay, index, 0, 0, 0, nil)
		raises("nearest: count must be a whole number between 1 and 2147483647, got 0", index.nearest, index, 0, 0, 0)
		raises("nearest: count must be a whole number", index.nearest, index, 0, 0, {})
		raises("pairs: into must be a table or nil, got true", index.pairs, index, true)
		raises("getStatistics: into must be a table or nil, got 3", index.getStatistics, index, 3)
		raises("queryShape: shape must be a shape, got nothing", index.queryShape, index)
		raises("queryShape: pose must be a list {x, y} or {x, y, angle}, got a table", index.queryShape, index, d2.circle(1), {})
		raises("queryShape: shape must be a 3D shape, got a 2D shape", space.queryShape, space, d2.circle(1))
		raises("queryShape: shape must be a 2D shape, got a 3D shape", index.queryShape, index, d3.sphere(1))
		raises("queryShape: pose must be a 3D pose or nil, got a 2D pose", space.queryShape, space, d3.sphere(1), d2.pose(0, 0))
		raises("an index has no field", function() index.data = 1 end)
		raises('unknown method or field "nothing" of an index', function() return index.nothing end)
		lu.assertEquals(index:getCount(), 1)
		lu.assertEquals({ index:getBox "in" }, { 0, 0, 1, 1 })
		index:validate()
	end
end
