-- The outlines of a grid of cells as chains, found in another way than the engine's: all sides of all cells, less those that two
-- cells share, joined end to end.

local tile_outline = {}

-- Polygons of kinds in their cell, as lists of integers out of `unit`; flags as of setCell.
local unit = 8

local function turned(points, flags)
	local result = points
	for word in (flags or ""):gmatch "%S+" do
		local list = {}
		for i, p in ipairs(result) do
			local x, y = p[1], p[2]
			if word == "flipX" then x = unit - x elseif word == "flipY" then y = unit - y end
			for _ = 1, (tonumber(word:match "turn(%d+)") or 0) / 90 do x, y = unit - y, x end
			list[word:sub(1, 4) == "flip" and #result + 1 - i or i] = { x, y }
		end
		result = list
	end
	return result
end

local function key(x, y) return x * 100000 + y end

-- Splits the sides of the cells at all corners that lie on them, and returns those that no other side covers in the other direction.
local function free_sides(get, columns, rows)
	local sides = {}
	local function add(x1, y1, x2, y2)
		local steps = (x1 == x2 or y1 == y2) and math.max(math.abs(x2 - x1), math.abs(y2 - y1)) or 1
		local dx, dy = (x2 - x1) / steps, (y2 - y1) / steps
		for i = 0, steps - 1 do
			local a, b = key(x1 + i * dx, y1 + i * dy), key(x1 + (i + 1) * dx, y1 + (i + 1) * dy)
			if sides[b] and sides[b][a] then
				sides[b][a] = nil
			else
				sides[a] = sides[a] or {}
				sides[a][b] = true
			end
		end
	end
	for j = 1, rows do
		for i = 1, columns do
			local points = get(i, j)
			for k = 1, points and #points or 0 do
				local p, q = points[k], points[k % #points + 1]
				add((i - 1) * unit + p[1], (j - 1) * unit + p[2], (i - 1) * unit + q[1], (j - 1) * unit + q[2])
			end
		end
	end
	return sides
end

local function place(k)
	local x = math.floor(k / 100000 + 0.5)
	return x, k - x * 100000
end

local function turn(from, at, to)
	local x0, y0 = place(from)
	local x1, y1 = place(at)
	local x2, y2 = place(to)
	local ax, ay, bx, by = x1 - x0, y1 - y0, x2 - x1, y2 - y1
	return math.atan2 and math.atan2(ax * by - ay * bx, ax * bx + ay * by) or math.atan(ax * by - ay * bx, ax * bx + ay * by)
end

-- A list of loops, each a flat list of points, in cells of the size `size`; points within straight sides only at corners of cells.
-- get(i, j): the polygon of a cell from tile_outline.polygon, or nil.
function tile_outline.loops(get, columns, rows, size)
	local sides, loops = free_sides(get, columns, rows), {}
	local starts = {}
	for a in pairs(sides) do starts[#starts + 1] = a end
	table.sort(starts)
	for _, start in ipairs(starts) do
		while next(sides[start]) do
			local ends = {}
			for b in pairs(sides[start]) do ends[#ends + 1] = b end
			table.sort(ends)
			local path, from, at = { start }, start, ends[1]
			sides[start][at] = nil
			repeat
				path[#path + 1] = at
				local best, least
				for b in pairs(sides[at]) do
					local angle = turn(from, at, b)
					if not best or angle < least then best, least = b, angle end
				end
				if best and not (at == start and turn(from, at, path[2]) <= least) then
					sides[at][best] = nil
					from, at = at, best
				else
					best = nil
				end
			until not best
			assert(at == start, "an outline is closed")
			path[#path] = nil
			local points = {}
			for i, k in ipairs(path) do
				local x, y = place(k)
				local before, after = path[(i - 2) % #path + 1], path[i % #path + 1]
				if (x % unit == 0 and y % unit == 0) or math.abs(turn(before, k, after)) > 1e-9 then
					points[#points + 1] = x / unit * size
					points[#points + 1] = y / unit * size
				end
			end
			loops[#loops + 1] = points
		end
	end
	return loops
end

-- The polygon of a kind in the orientation; points: in units of 1 / 8 of a cell, counter-clockwise.
tile_outline.polygon = turned
tile_outline.square = { { 0, 0 }, { unit, 0 }, { unit, unit }, { 0, unit } }

-- The same polygon for newTiles.
function tile_outline.shape(d2, points, size)
	local flat = {}
	for _, p in ipairs(points) do
		flat[#flat + 1] = p[1] / unit * size
		flat[#flat + 1] = p[2] / unit * size
	end
	return d2.polygon(flat)
end

return tile_outline
