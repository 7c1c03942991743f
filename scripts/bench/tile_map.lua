-- 2,000 balls and boxes that run back and forth over hills of tiles, 1,000 by 64 cells, as one collider. Arguments: `tiles`; `chain`,
-- the same outline as a chain with a point at each corner of a cell; or `long`, with points at the corners of the outline alone.
-- And `dig`: a cell goes and comes back in each step.
local d2 = require("collide").d2

local scenario = { name = "tile_map", duration = 10, camera = { x = 500, y = 10, height = 60 }, brief = { duration = 1, args = { "tiles", "200" } } }
local columns, rows = 1000, 64
local movers, map, tick_of_dig

-- The height of the ground in cells: slopes, plateaus and steps.
local function height(i)
	if i == 1 or i == columns then return rows - 1 end
	return math.floor(12 + 5 * math.sin(i * 0.02) + 2 * math.sin(i * 0.11))
end

local function ground_points(each)
	local points = {}
	local function add(x, y) points[#points + 1], points[#points + 2] = x, y end
	add(columns, 0)
	for i = columns, 1, -1 do
		local y, left = height(i), i > 1 and height(i - 1) or 0
		if i == columns then
			for k = each and 1 or y, y do add(columns, k) end
		end
		if left ~= y or each then add(i - 1, y) end
		local step = left > y and 1 or -1
		if left ~= y then
			for k = each and y + step or left, left, step do
				if not (i == 1 and k == 0) then add(i - 1, k) end
			end
		end
	end
	add(0, 0)
	return points
end

function scenario.setup(args)
	local kind, count = args and args[1] or "tiles", tonumber(args and args[2]) or 2000
	local world = d2.newWorld { gravity = { 0, -10 } }
	local ground = world:newBody { type = "static" }
	map, tick_of_dig = nil, args and args[3] == "dig" and 0 or nil
	if kind == "tiles" then
		map = ground:newTiles { columns = columns, rows = rows, friction = 0.3, kinds = { { name = "earth" } } }
		for i = 1, columns do map:fillCells(i, 1, i, height(i), 1) end
	else
		ground:newCollider(d2.chain(ground_points(kind == "chain"), { loop = true }), { friction = 0.3 })
	end
	local shapes = { d2.circle(0.4), d2.box(0.7, 0.7), d2.capsule(0, -0.3, 0, 0.3, 0.3) }
	movers = {}
	for i = 1, count do
		movers[i] = world:newBody { x = 5 + (i * 97 % count) / count * (columns - 10), y = 24 + i % 20, shape = shapes[i % 3 + 1], friction = 0.3, sleepingAllowed = false, linearVelocity = { i % 2 == 0 and 5 or -5, 0 } }
	end
	return world
end

function scenario.update(world, tick)
	for i, body in ipairs(movers) do
		if (tick + i) % 60 == 0 then
			local vx, vy = body:getLinearVelocity()
			body:setLinearVelocity((math.floor((tick + i) / 240) + i) % 2 == 0 and 5 or -5, vy + 3)
		end
	end
	if map and tick_of_dig then
		local i = 2 + tick * 37 % (columns - 2)
		map:setCell(i, height(i), tick % 2)
	end
end

function scenario.check()
	for _, body in ipairs(movers) do
		local x, y = body:getPosition()
		assert(x > 0 and x < columns and y > 0, "a body is lost")
	end
end

return scenario
