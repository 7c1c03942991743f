-- Height fields that change: queries against fields made anew, craters under bodies, the shape that was given.

local lu, support = require "luaunit", require "support"
local d3 = require("collide").d3
local random_numbers = support.random_numbers

TestCraters = {}

local function field_of(heights, columns, rows, holes)
	return d3.heightField { columns = columns, rows = rows, x = -3, z = 2, cellWidth = 0.7, cellDepth = 0.9, heights = heights, holes = holes }
end

-- Sets random rectangles of heights of the collider and of the list.
local function edit(number, choice, field, heights, columns, rows)
	local column, row = choice(columns), choice(rows)
	local wide, deep = choice(math.min(6, columns - column + 1)), choice(math.min(5, rows - row + 1))
	local list, level = {}, number(-2, 2)
	for k = 0, deep - 1 do
		for i = 0, wide - 1 do
			list[#list + 1] = level + number(-0.5, 0.5)
			heights[(row - 1 + k) * columns + column + i] = list[#list]
		end
	end
	field:setHeights(column, row, wide, deep, list)
end

-- Rays, casts, overlaps and nearest points are, to the bit, those of a field made with the same heights; of scaled fields nearly so.
function TestCraters.test_queries_are_those_of_a_new_field()
	for n, size in ipairs { { 2, 2 }, { 3, 9 }, { 23, 17 }, { 64, 5 } } do
		local columns, rows = size[1], size[2]
		local number, choice = random_numbers(n)
		local heights = {}
		for i = 1, columns * rows do heights[i] = number(-1, 1) end
		local pose = { type = n % 2 == 0 and "kinematic" or "static", x = 1, y = 2, z = 3, axis = { 1, 2, 1 }, angle = 0.3 }
		local world = d3.newWorld {}
		local holes = n == 3 and { 5, 80 } or nil
		local field = world:newBody(pose):newCollider(field_of(heights, columns, rows, holes))
		for _ = 1, 12 do
			for _ = 1, 6 do edit(number, choice, field, heights, columns, rows) end
			world:validate()
			local column, row = choice(columns), choice(rows)
			lu.assertAlmostEquals(field:getHeight(column, row), heights[(row - 1) * columns + column], 1e-6)
			local other = d3.newWorld {}
			local fresh = other:newBody(pose):newCollider(field_of(heights, columns, rows, holes))
			lu.assertEquals({ field:getBox() }, { fresh:getBox() })
			for _ = 1, 25 do
				local function place() return field:getBody():getWorldPoint(number(-4, columns * 0.7 - 2), number(-4, 4), number(1, rows * 0.9 + 3)) end
				local x1, y1, z1 = place()
				local x2, y2, z2 = place()
				lu.assertEquals({ field:raycast(x1, y1, z1, x2, y2, z2) }, { fresh:raycast(x1, y1, z1, x2, y2, z2) })
				lu.assertEquals({ select(2, world:raycast(x1, y1, z1, x2, y2, z2)) }, { select(2, other:raycast(x1, y1, z1, x2, y2, z2)) })
				local shape, at = choice(2) == 1 and d3.sphere(0.3) or d3.box(0.5, 0.4, 0.3), d3.pose(x1, y1, z1)
				lu.assertEquals({ select(2, world:shapecast(shape, at, x2 - x1, y2 - y1, z2 - z1)) }, { select(2, other:shapecast(shape, at, x2 - x1, y2 - y1, z2 - z1)) })
				lu.assertEquals(#world:overlapShape(shape, at), #other:overlapShape(shape, at))
				lu.assertEquals({ field:closestPoint(x1, y1, z1) }, { fresh:closestPoint(x1, y1, z1) })
			end
		end
	end
end

-- The shape that was given stays what it is, for other colliders and for scripts.
function TestCraters.test_the_given_shape_stays()
	local heights = {}
	for i = 1, 100 do heights[i] = 0 end
	local shape = field_of(heights, 10, 10)
	local world = d3.newWorld {}
	local one, two = world:newBody { type = "static" }:newCollider(shape), world:newBody { type = "static", x = 50 }:newCollider(shape)
	local scaled = world:newBody { type = "static", x = 100 }:newCollider(shape:scaled(2, 4, -2))
	lu.assertEquals(one:getShape(), shape)
	one:setHeights(5, 5, 1, 1, { 3 })
	scaled:setHeights(5, 5, 1, 1, { 3 })
	collectgarbage()
	collectgarbage()
	lu.assertEquals({ one:getHeight(5, 5), two:getHeight(5, 5), scaled:getHeight(5, 5), one:getHeight(5, 6) }, { 3, 0, 3, 0 })
	lu.assertNil(one:getShape())
	lu.assertEquals(two:getShape(), shape)
	local x, z = -3 + 4 * 0.7, 2 + 4 * 0.9
	lu.assertAlmostEquals(select(3, world:raycast(x, 9, z, x, -9, z)), 3, 1e-6)
	lu.assertAlmostEquals(select(3, world:raycast(50 + x, 9, z, 50 + x, -9, z)), 0, 1e-6)
	lu.assertAlmostEquals(select(3, world:raycast(100 + 2 * x, 9, -2 * z, 100 + 2 * x, -9, -2 * z)), 3, 1e-6)
	world:validate()
end

-- A crater under a ball wakes it, and it sinks in; others stay asleep. Raised ground lifts what lies on it.
function TestCraters.test_bodies_sink_into_craters()
	local heights = {}
	for i = 1, 41 * 41 do heights[i] = 0 end
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local field = world:newBody { type = "static" }:newCollider(d3.heightField { columns = 41, rows = 41, x = -20, z = -20, cellWidth = 1, cellDepth = 1, heights = heights })
	local balls = {}
	for i = 1, 5 do balls[i] = world:newBody { x = i * 6 - 18, y = 0.5, z = 0.3, shape = d3.sphere(0.5), rollingResistance = 0.05 } end
	for _ = 1, 90 do world:step(1 / 60) end
	for _, ball in ipairs(balls) do lu.assertFalse(ball:isAwake()) end
	local hole = {}
	for k = -3, 3 do
		for i = -3, 3 do hole[#hole + 1] = -math.max(0, 3 - math.sqrt(i * i + k * k)) end
	end
	field:setHeights(21 - 3, 21 - 3, 7, 7, hole) -- below the third one, at x = 0
	lu.assertTrue(balls[3]:isAwake())
	lu.assertFalse(balls[1]:isAwake() or balls[2]:isAwake() or balls[4]:isAwake() or balls[5]:isAwake())
	for _ = 1, 600 do world:step(1 / 60) end
	local x, y, z = balls[3]:getPosition()
	lu.assertTrue(math.abs(x) < 0.1 and math.abs(z) < 0.1 and y < -2 and y > -3, ("%g, %g, %g"):format(x, y, z))
	lu.assertAlmostEquals(select(2, balls[2]:getPosition()), 0.5, 0.01)
	for n = 1, 40 do -- the ground rises again by a centimetre in each step
		local rise = {}
		for i, h in ipairs(hole) do rise[i] = math.min(0, h + n * 0.1) end
		field:setHeights(21 - 3, 21 - 3, 7, 7, rise)
		for _ = 1, 10 do world:step(1 / 60) end
	end
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertAlmostEquals(select(2, balls[3]:getPosition()), 0.5, 0.02)
	world:validate()
end

function TestCraters.test_calls_make_no_garbage()
	local heights, list = {}, { 1, 2, 1, 0 }
	for i = 1, 400 do heights[i] = 0 end
	local world = d3.newWorld {}
	local field = world:newBody { type = "static" }:newCollider(field_of(heights, 20, 20))
	field:setHeights(1, 1, 2, 2, list)
	local tick = 0
	lu.assertEquals(support.bytes_of(300, function()
		tick = tick + 1
		field:setHeights(1 + tick % 19, 1 + tick % 17, 2, 2, list)
		field:getHeight(3, 4)
		world:step(1 / 60)
	end), 0)
end

function TestCraters.test_errors_name_what_is_wrong()
	local world = d3.newWorld {}
	local field = world:newBody { type = "static" }:newCollider(field_of({ 0, 0, 0, 0, 0, 0 }, 3, 2))
	local ball = world:newBody { shape = d3.sphere(1) }:getColliders()[1]
	local function fails(text, ...) lu.assertErrorMsgContains(text, field.setHeights, field, ...) end
	fails("setHeights: column must be a whole number between 1 and 3, got 4", 4, 1, 1, 1, { 0 })
	fails("setHeights: row must be a whole number between 1 and 2, got 0", 1, 0, 1, 1, { 0 })
	fails("setHeights: columns must be a whole number between 1 and 2, got 3", 2, 1, 3, 1, { 0, 0, 0 })
	fails("setHeights: rows must be a whole number between 1 and 1, got 2", 1, 2, 1, 2, { 0, 0 })
	fails("setHeights: heights must have columns * rows numbers, 2, got 1", 1, 1, 2, 1, { 0 })
	fails("setHeights: heights[2] must be", 1, 1, 2, 1, { 0, 0 / 0 })
	fails("setHeights: heights must be", 1, 1, 2, 1, 3)
	lu.assertErrorMsgContains("getHeight: row must be", field.getHeight, field, 1, 3)
	lu.assertErrorMsgContains("setHeights: the collider must have a height field, and this one is a sphere", ball.setHeights, ball, 1, 1, 1, 1, { 0 })
	lu.assertErrorMsgContains("getHeight: the collider must have a height field", ball.getHeight, ball, 1, 1)
	lu.assertNotNil(field:getShape()) -- nothing has changed
	field:setHeights(1, 1, 1, 1, { 2 })
	lu.assertErrorMsgContains("setShape: a collider of heightField has only setHeights to change it", field.setShape, field, d3.sphere(1))
	field:destroy()
	lu.assertErrorMsgContains("destroyed", field.setHeights, field, 1, 1, 1, 1, { 0 })
end
