-- The calls that world:draw makes to its target, and the times that a step's profile reports.
local lu = require "luaunit"
local d2 = require("collide").d2

local functions = { "solidPolygon", "polygon", "solidCircle", "circle", "solidCapsule", "capsule", "segment", "point", "text" }

local support = require "support"
local random_numbers, bytes_of, polygon_area = support.random_numbers, support.bytes_of, support.polygon_area

-- A target that records its calls: { function, meaning, ... }.
local function new_recorder(calls)
	local target = {}
	for _, name in ipairs(functions) do
		target[name] = function(...) calls[#calls + 1] = { name, ... } end
	end
	return target
end

local function draw(world, options)
	local calls = {}
	world:draw(new_recorder(calls), options)
	return calls
end

-- Like assertEquals, which takes minutes to print the difference of long lists.
local function assert_calls(calls, expected)
	for i = 1, math.max(#calls, #expected) do lu.assertEquals(calls[i], expected[i]) end
end

-- The calls of one meaning.
local function calls_of(calls, meaning)
	local found = {}
	for _, call in ipairs(calls) do
		if call[2] == meaning then found[#found + 1] = call end
	end
	return found
end

local function overlay(world, meaning, options)
	options.shapes = false
	return calls_of(draw(world, options), meaning)
end

-- Sorts calls by their arguments: the order of the trees is unspecified.
local function sort_calls(calls)
	table.sort(calls, function(a, b)
		for i = 1, math.min(#a, #b) do
			if a[i] ~= b[i] then return a[i] < b[i] end
		end
		return #a < #b
	end)
	return calls
end

-- The AABB of a call polygon(meaning, 0, x1, y1, x2, y1, x2, y2, x1, y2).
local function box_of(call)
	lu.assertEquals(call[1], "polygon")
	lu.assertEquals(call[3], 0)
	local x1, y1, x2, y2 = call[4], call[5], call[8], call[9]
	lu.assertEquals({ call[6], call[7], call[10], call[11] }, { x2, y1, x1, y2 })
	lu.assertEquals(#call, 11)
	lu.assertTrue(x1 <= x2 and y1 <= y2)
	return { x1, y1, x2, y2 }
end

local function overlap(a, b)
	return a[1] <= b[3] and b[1] <= a[3] and a[2] <= b[4] and b[2] <= a[4]
end

local function around(boxes)
	local box = { math.huge, math.huge, -math.huge, -math.huge }
	for _, each in ipairs(boxes) do
		box = { math.min(box[1], each[1]), math.min(box[2], each[2]), math.max(box[3], each[3]), math.max(box[4], each[4]) }
	end
	return box
end

local function raises(message, f, ...)
	local ok, err = pcall(f, ...)
	lu.assertFalse(ok, "must raise: " .. message)
	lu.assertStrContains(tostring(err), message)
end

-- The calls expected for the only collider of a body; chains segment by segment.
local function expected_calls(body, meaning, sensor)
	local shape = body:getColliders()[1]:getShape()
	local type, points, radius = shape:getType(), shape:getPoints(), shape:getRadius()
	local places = {}
	for i = 1, #points, 2 do places[i], places[i + 1] = body:getWorldPoint(points[i], points[i + 1]) end
	local function named(solid, outlined) return sensor and outlined or solid end
	if type == "circle" then
		return { { named("solidCircle", "circle"), meaning, places[1], places[2], radius, body:getAngle() } }
	elseif type == "capsule" then
		return { { named("solidCapsule", "capsule"), meaning, places[1], places[2], places[3], places[4], radius } }
	elseif type == "segment" or type == "chain" then
		local calls = {}
		for i = 1, #places - 2, 2 do
			calls[#calls + 1] = { "segment", meaning, places[i], places[i + 1], places[i + 2], places[i + 3] }
		end
		return calls
	end
	local call = { named("solidPolygon", "polygon"), meaning, radius }
	for _, number in ipairs(places) do call[#call + 1] = number end
	return { call }
end

local function polygon_of(count)
	local points = {}
	for i = 1, count do
		points[2 * i - 1], points[2 * i] = 2 * math.cos(2 * math.pi * i / count), math.sin(2 * math.pi * i / count)
	end
	return d2.polygon(points, 0.125)
end

local shapes = {
	d2.circle(0.75), d2.circle(0.25, 0.5, 0.125), d2.capsule(-0.5, 0, 0.5, 0.25, 0.375), d2.box(2, 0.5),
	d2.box(1.5, 1, { x = 0.25, angle = 0.5, radius = 0.25 }), d2.polygon { -1, -0.5, 0.75, -0.75, 1, 0.5, 0, 1 },
	d2.polygon({ -0.5, -0.5, 0.5, -0.25, 0, 0.5 }, 0.25), polygon_of(64), d2.segment(-1, 0.5, 2, 0.25),
	d2.chain({ 3, 0, 1, 0.5, -1, 0.25, -4, 0 }, { oneSided = false }),
}

-- --- Shapes ----------------------------------------------------------------------------------------------------------------

TestDrawShapes = {}

-- Exact to the bit: coordinates are doubles, as exact as the position allows.
function TestDrawShapes.test_each_type_at_any_pose()
	local number = random_numbers(7)
	for _, reach in ipairs { 1, 1e3, 1e9, 1e15 } do
		for _, shape in ipairs(shapes) do
			for _, sensor in ipairs { false, true } do
				local world = d2.newWorld()
				local body = world:newBody { type = "static", x = number(-reach, reach), y = number(-reach, reach), angle = number(-9, 9),
					shape = shape, sensor = sensor }
				lu.assertEquals(sort_calls(draw(world)), sort_calls(expected_calls(body, sensor and "sensor" or "static", sensor)))
			end
		end
	end
end

function TestDrawShapes.test_far_away_a_box_is_still_a_box()
	local world = d2.newWorld()
	world:newBody { x = 1e9, y = -1e9, shape = d2.box(1, 2) }
	local call = draw(world)[1]
	lu.assertAlmostEquals(call[6] - call[4], 1, 2e-7)
	lu.assertAlmostEquals(call[9] - call[7], 2, 2e-7)
end

function TestDrawShapes.test_a_loop_has_one_more_segment()
	local world = d2.newWorld()
	world:newBody { type = "static", x = 3, shape = d2.chain({ 0, 0, 4, 0, 4, 4, 0, 4 }, { loop = true, oneSided = false }) }
	local calls = draw(world)
	lu.assertEquals(#calls, 4)
	local ends = {}
	for _, call in ipairs(calls) do ends[call[3] .. " " .. call[4]] = call end
	for _, call in ipairs(calls) do
		lu.assertNotNil(ends[call[5] .. " " .. call[6]], "each segment ends where one begins")
	end
end

function TestDrawShapes.test_only_the_segments_in_view()
	local points = {}
	for i = 0, 999 do points[2 * i + 1], points[2 * i + 2] = -i, 0 end
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.chain(points, { oneSided = false }) }
	lu.assertEquals(#draw(world), 999)
	local calls = draw(world, { view = { -10.5, -1, -8.5, 1 } })
	lu.assertEquals(#calls, 3)
end

-- Strokes mark the solid side of a one-sided chain, on its left: evenly spaced also over short segments, and only in view.
function TestDrawShapes.test_strokes_on_the_solid_side_of_chains()
	for _, case in ipairs {
		{ 40, { 0, 0, -20, 0 }, -1 }, { 40, { -20, 0, 0, 0 }, 1 }, { 6, { 0, 0, -20, 0 }, -1 }, { 1e-3, { 0, 0, -20, 0 }, -1 }, { 4000, { 1e6, 0, -1e6, 0 }, -1 },
	} do
		for _, pieces in ipairs { 1, 7, 391 } do
			local height, ends, points, world = case[1], case[2], {}, d2.newWorld()
			for i = 0, pieces do points[2 * i + 1], points[2 * i + 2] = ends[1] + (ends[3] - ends[1]) * i / pieces, 0 end
			world:newBody { type = "static", shape = d2.chain(points) }
			local size, strokes = height / 60, {}
			local x1, x2 = -10 - height / 2, -10 + height / 2
			for _, call in ipairs(draw(world, { view = { x1, -height / 2, x2, height / 2 } })) do
				lu.assertEquals({ call[1], call[2] }, { "segment", "static" })
				if call[6] ~= 0 then
					local x, dy = call[3], call[6] - call[4]
					lu.assertEquals(call[4], 0)
					lu.assertTrue(dy * case[3] > 0.5 * size and dy * case[3] < size)
					lu.assertTrue(x >= x1 - size and x <= x2 + size)
					strokes[#strokes + 1] = x
				end
			end
			table.sort(strokes)
			for i = 2, #strokes do lu.assertAlmostEquals(strokes[i] - strokes[i - 1], size, 0.01 * size) end
			local length = math.min(x2, math.max(ends[1], ends[3])) - math.max(x1, math.min(ends[1], ends[3]))
			lu.assertTrue(math.abs(#strokes - length / size) <= 1.5, #strokes .. " strokes, view of " .. height)
		end
	end
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.chain { 1e6, 0, -1e6, 0 } }
	lu.assertEquals(#draw(world), 257) -- without a view: at most 256 strokes, and the segment
	lu.assertEquals(#draw(world, { view = { -1e6, -1e-9, 1e6, 1e-9 } }), 257)
	lu.assertTrue(#draw(world, { view = { -1e-3, -1e-9, 1e-3, 1e-9 } }) <= 257)
	world:newBody { type = "static", y = 5, shape = d2.chain { 10, 0, -10, 0 }, sensor = true }
	lu.assertEquals(#draw(world), 258) -- sensors detect on both sides
	lu.assertEquals(#draw(world, { view = { 0, 0, 0, 0 } }), 1)
end

function TestDrawShapes.test_ellipse()
	local world = d2.newWorld()
	local body = world:newBody { x = 3, y = 4, angle = 0.7, shape = d2.ellipse(3, 0.5) }
	local call = draw(world)[1]
	lu.assertEquals({ call[1], call[2], call[3], #call }, { "solidPolygon", "awake", 0, 3 + 64 })
	for i = 0, 31 do
		local x, y = body:getLocalPoint(call[4 + 2 * i], call[5 + 2 * i])
		lu.assertAlmostEquals(x, 3 * math.cos(2 * math.pi * i / 32), 1e-7)
		lu.assertAlmostEquals(y, 0.5 * math.sin(2 * math.pi * i / 32), 1e-7)
	end
end

function TestDrawShapes.test_a_placed_ellipse()
	local world = d2.newWorld()
	local body = world:newBody { x = 3, y = 4, angle = 0.7, shape = d2.ellipse(3, 0.5, { x = 1, y = 2, angle = 0.5 }) }
	local call = draw(world)[1]
	for i = 0, 31 do
		local x, y = body:getLocalPoint(call[4 + 2 * i], call[5 + 2 * i])
		local u, v = 3 * math.cos(2 * math.pi * i / 32), 0.5 * math.sin(2 * math.pi * i / 32)
		lu.assertAlmostEquals(x, 1 + math.cos(0.5) * u - math.sin(0.5) * v, 1e-6)
		lu.assertAlmostEquals(y, 2 + math.sin(0.5) * u + math.cos(0.5) * v, 1e-6)
	end
end

function TestDrawShapes.test_a_colour_replaces_the_meaning()
	for _, dimension in ipairs { d2, require("collide").d3 } do
		local world = dimension.newWorld { gravity = dimension == d2 and { 0, -10 } or nil }
		local ball = dimension == d2 and d2.circle(0.5) or dimension.sphere(0.5)
		local body = world:newBody { shapes = { { shape = ball }, { shape = ball } }, color = "#F5b82e", name = "a" }
		local plain = world:newBody { x = 5, shape = ball }
		local function colors()
			local found = {}
			for i, call in ipairs(draw(world, { centers = true })) do found[i] = call[2] end
			table.sort(found)
			return table.concat(found, " ")
		end
		lu.assertEquals(body:getColor(), "#F5b82e")
		lu.assertEquals(colors(), "#F5b82e #F5b82e awake center center")
		body:setColor "#00ff0080"
		plain:setColor "#123456"
		lu.assertEquals(colors(), "#00ff0080 #00ff0080 #123456 center center")
		-- Also disabled, asleep, or of another type; it does not touch the simulation.
		local hash = world:hash()
		plain:setEnabled(false)
		body:setAwake(false)
		lu.assertEquals(colors(), "#00ff0080 #00ff0080 #123456 center center")
		plain:setEnabled(true)
		body:setAwake(true)
		body:setColor(nil)
		lu.assertNil(body:getColor())
		lu.assertEquals(world:hash(), hash)
		lu.assertEquals(colors(), "#123456 awake awake center center")
		-- The next body with the same id has no colour.
		plain:destroy()
		world:newBody { x = 5, shape = ball }
		lu.assertEquals(colors(), "awake awake awake center center")
		raises("getColor: body is destroyed", plain.getColor, plain)
	end
end

function TestDrawShapes.test_wrong_colours_are_refused()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1), color = "#010203" }
	for _, wrong in ipairs { "red", "", "#12345", "#1234567", "#12345g", "#123456789", "123456 ", "#12345\0", 7, true } do
		local message = 'color must be "#rrggbb", "#rrggbbaa" or nil, got '
		raises("setColor: " .. message, body.setColor, body, wrong)
		raises("newBody: " .. message, world.newBody, world, { shape = d2.circle(1), color = wrong })
	end
	lu.assertEquals({ body:getColor(), world:getBodyCount() }, { "#010203", 1 })
end

-- Of a name, a colour and data, which hold the body's handle, nothing is left behind when bodies are destroyed.
function TestDrawShapes.test_colours_of_destroyed_bodies_are_dropped()
	local world = d2.newWorld()
	local options = { shape = d2.circle(0.5), color = "#010203" }
	local function churn()
		for i = 1, 1000 do
			world:newBody(options):destroy()
			if i % 10 == 0 then world:step(1 / 60) end
		end
		collectgarbage()
		collectgarbage()
		return collectgarbage "count"
	end
	local before = churn()
	lu.assertTrue(churn() < before + 10)
end

local function only_meaning(make)
	local world = d2.newWorld { gravity = { 0, 0 } }
	make(world)
	local calls = draw(world)
	lu.assertEquals(#calls, 1)
	return calls[1][2], calls[1][1]
end

-- The first that applies of: disabled, sensor, static, kinematic, sleeping, bullet, awake.
function TestDrawShapes.test_meanings()
	local circle = d2.circle(1)
	for _, kind in ipairs { "static", "kinematic", "dynamic" } do
		for bits = 0, 15 do
			local function bit(n) return math.floor(bits / n) % 2 == 1 end
			local enabled, sensor, bullet, awake = bit(1), bit(2), bit(4), bit(8)
			local meaning, name = only_meaning(function(world)
				world:newBody { type = kind, shape = circle, enabled = enabled, sensor = sensor, bullet = bullet, awake = awake }
			end)
			local expected = not enabled and "disabled" or sensor and "sensor" or kind ~= "dynamic" and kind or not awake and "sleeping"
				or bullet and "bullet" or "awake"
			lu.assertEquals(meaning, expected)
			lu.assertEquals(name, sensor and "circle" or "solidCircle")
		end
	end
end

function TestDrawShapes.test_meanings_follow_changes()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { shape = d2.circle(1) }
	local function meaning() return draw(world)[1][2] end
	lu.assertEquals(meaning(), "awake")
	body:setAwake(false)
	lu.assertEquals(meaning(), "sleeping")
	body:setType "kinematic"
	lu.assertEquals(meaning(), "kinematic")
	body:setType "static"
	lu.assertEquals(meaning(), "static")
	body:setEnabled(false)
	lu.assertEquals(meaning(), "disabled")
	body:setType "dynamic"
	body:setBullet(true)
	lu.assertEquals(meaning(), "disabled")
	body:setEnabled(true)
	lu.assertEquals(meaning(), "bullet")
	body:destroy()
	lu.assertEquals(#draw(world), 0)
end

function TestDrawShapes.test_static_bodies_come_before_moving_ones()
	local world = d2.newWorld()
	for i = 1, 40 do
		world:newBody { type = i % 2 == 0 and "static" or "dynamic", x = i, shape = i % 4 == 0 and d2.halfPlane(0, 1, -i) or d2.circle(1) }
	end
	local moves = false
	for _, call in ipairs(draw(world)) do
		lu.assertFalse(moves and call[2] == "static")
		moves = call[2] == "awake"
	end
	lu.assertTrue(moves)
end

-- --- View ------------------------------------------------------------------------------------------------------------------

TestDrawView = {}

-- Bodies identified in the calls by their radii, multiples of 1/1024. Radius i is body i's, which may have several colliders.
local function new_scene(seed, count)
	local number, pick = random_numbers(seed)
	local world = d2.newWorld { gravity = { 0, 0 } }
	local bodies = {}
	for i = 1, count do
		local r = (i + 64) / 1024
		local makers = {
			function() return d2.circle(r) end,
			function() return d2.capsule(0, 0, number(0.1, 2), 1, r) end,
			function() return d2.box(2 * r + number(0.1, 2), 2 * r + number(0.1, 2), { radius = r }) end,
			function() return d2.polygon({ 0, 0, number(0.5, 2), 0, 0, number(0.5, 2) }, r) end,
		}
		bodies[i] = world:newBody { type = ({ "static", "kinematic", "dynamic" })[pick(3)], x = number(-30, 30), y = number(-30, 30),
			angle = number(-3, 3), linearVelocity = { number(-3, 3), number(-3, 3) }, enabled = pick(8) > 1, sensor = pick(8) == 1,
			shape = makers[pick(4)]() }
	end
	return world, bodies, number
end

local function radius_of(call)
	if call[1]:lower():find "circle" then return call[5] end
	if call[1]:lower():find "capsule" then return call[7] end
	return call[3]
end

-- { [body's number] = how often it was drawn }
local function drawn_bodies(calls)
	local drawn = {}
	for _, call in ipairs(calls) do
		local i = radius_of(call) * 1024 - 64
		drawn[i] = (drawn[i] or 0) + 1
	end
	return drawn
end

-- The fat AABBs by body number: boxes are in the order of their shapes; disabled bodies have no boxes and come last.
local function enlarged_boxes(world)
	local calls, boxes = draw(world, { boxes = true }), {}
	local found = calls_of(calls, "box")
	for i, call in ipairs(found) do boxes[radius_of(calls[i]) * 1024 - 64] = box_of(call) end
	return boxes
end

function TestDrawView.test_against_brute_force()
	for seed = 1, 5 do
		local world, bodies, number = new_scene(seed, 300)
		for _ = 1, 20 do world:step(1 / 60) end
		local boxes = enlarged_boxes(world)
		for _ = 1, 100 do
			local x, y = number(-35, 35), number(-35, 35)
			local view = { x, y, x + number(0, 15), y + number(0, 15) }
			local drawn = drawn_bodies(draw(world, { view = view }))
			for i, body in ipairs(bodies) do
				local tight = { body:getColliders()[1]:getBox() }
				lu.assertEquals(drawn[i], overlap(boxes[i] or tight, view) and 1 or nil)
				if overlap(tight, view) then lu.assertEquals(drawn[i], 1) end
			end
			for _, collider in ipairs(world:overlapBox(view[1], view[2], view[3], view[4], { sensors = true })) do
				lu.assertEquals(drawn[collider:getShape():getRadius() * 1024 - 64], 1)
			end
		end
	end
end

function TestDrawView.test_without_view_everything_is_drawn_once()
	local world, bodies = new_scene(11, 400)
	local drawn = drawn_bodies(draw(world))
	for i in ipairs(bodies) do lu.assertEquals(drawn[i], 1) end
	lu.assertEquals(#draw(world), 400)
end

function TestDrawView.test_boxes_enclose_the_shapes()
	local world, bodies = new_scene(12, 200)
	for _ = 1, 10 do world:step(1 / 60) end
	local boxes, count = enlarged_boxes(world), 0
	for i, body in ipairs(bodies) do
		lu.assertEquals(boxes[i] ~= nil, body:isEnabled())
		if boxes[i] then
			local x1, y1, x2, y2 = body:getColliders()[1]:getBox()
			lu.assertTrue(boxes[i][1] <= x1 and boxes[i][2] <= y1 and boxes[i][3] >= x2 and boxes[i][4] >= y2)
			count = count + 1
		end
	end
	lu.assertEquals(#overlay(world, "box", { boxes = true }), count)
end

function TestDrawView.test_a_small_view_of_many_bodies_is_cheap()
	local world = d2.newWorld()
	local box = d2.box(1, 1)
	for i = 0, 9999 do world:newBody { x = i % 100 * 2, y = math.floor(i / 100) * 2, shape = box, name = "box" } end
	world:newBody { type = "static", y = -1, shape = d2.box(1000, 1) }
	world:step(1 / 60)
	local calls = draw(world, { view = { 99.9, 99.9, 100.1, 100.1 }, boxes = true, contacts = true, islands = true, centers = true,
		velocities = true, names = true })
	lu.assertEquals(#calls, 6)
	lu.assertTrue(#draw(world, { view = { 99.9, 99.9, 100.1, 100.1 }, shapes = false, tree = true }) < 60)
	lu.assertEquals(#draw(world, { view = { 1e6, 1e6, 1e6, 1e6 }, boxes = true, tree = true, islands = true }), 0)
end

function TestDrawView.test_views_of_any_size()
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.halfPlane(0, 1, 0) }
	world:newBody { y = 1, shape = d2.circle(1) }
	lu.assertEquals(#draw(world, { view = { -1e300, -1e300, 1e300, 1e300 } }), 2)
	lu.assertEquals(#draw(world, { view = { 0, 1, 0, 1 } }), 1)
	lu.assertEquals(#draw(world, { view = { 0, -1, 1, -1 } }), 0)
	lu.assertEquals(#draw(world, { view = { 1e200, -1, 1e300, -1 } }), 0)
end

-- AABBs are floats, views are doubles: a separation below float precision counts.
function TestDrawView.test_views_are_exact()
	local world = d2.newWorld()
	world:newBody { type = "static", x = 1e6, shape = d2.box(1, 1) }
	local x2 = box_of(overlay(world, "box", { boxes = true })[1])[3]
	lu.assertEquals(#draw(world, { view = { x2, 0, x2 + 1, 0 } }), 1)
	lu.assertEquals(#draw(world, { view = { x2 + 1e-6, 0, x2 + 1, 0 } }), 0)
end

-- --- Half-planes -----------------------------------------------------------------------------------------------------------

TestDrawHalfPlanes = {}

local function inside(call, x, y)
	for i = 4, #call, 2 do
		local j = i + 2 > #call and 4 or i + 2
		if (call[j] - call[i]) * (y - call[i + 1]) - (call[j + 1] - call[i + 1]) * (x - call[i]) < -1e-7 then return false end
	end
	return true
end

local function area_of(call) return polygon_area(call, 4) end

-- The covered part of the view: its corners are in the view and in the half-plane, and every point in both is in it.
function TestDrawHalfPlanes.test_against_points()
	local number = random_numbers(3)
	local drawn = 0
	for i = 1, 400 do
		local world = d2.newWorld()
		local angle, offset = number(-4, 4), number(-4, 4)
		if i % 4 == 0 then angle = math.floor(angle) * math.pi / 2 end
		local body = world:newBody { type = "static", x = number(-4, 4), y = number(-4, 4), angle = number(-3, 3),
			shape = d2.halfPlane(math.cos(angle), math.sin(angle), offset) }
		local x, y = number(-9, 9), number(-9, 9)
		local w, h = number(0.5, 9), number(0.5, 9)
		local calls = draw(world, { view = { x, y, x + w, y + h } })
		local function depth(px, py)
			local lx, ly = body:getLocalPoint(px, py)
			return lx * math.cos(angle) + ly * math.sin(angle) - offset
		end
		lu.assertTrue(#calls <= 1)
		local call = calls[1]
		if call then
			drawn = drawn + 1
			lu.assertEquals({ call[1], call[2], call[3] }, { "solidPolygon", "static", 0 })
			lu.assertTrue(#call >= 9 and area_of(call) > 0)
			for k = 4, #call, 2 do
				lu.assertTrue(depth(call[k], call[k + 1]) < 1e-5)
				lu.assertTrue(call[k] >= x - 1e-9 and call[k] <= x + w + 1e-9 and call[k + 1] >= y - 1e-9 and call[k + 1] <= y + h + 1e-9)
			end
		end
		for a = 0, 8 do
			for b = 0, 8 do
				local px, py = x + a / 8 * w, y + b / 8 * h
				local d = depth(px, py)
				if d < -1e-5 then lu.assertTrue(call ~= nil and inside(call, px, py)) end
				if d > 1e-5 and call then lu.assertFalse(inside(call, px, py) and d > 1e-4) end
			end
		end
	end
	lu.assertTrue(drawn > 200 and drawn < 400)
end

function TestDrawHalfPlanes.test_without_view_they_reach_beyond_everything_else()
	local world = d2.newWorld { lengthScale = 2 }
	world:newBody { type = "static", shape = d2.halfPlane(0, 1, 0) }
	world:newBody { x = 5, y = 3, shape = d2.circle(1) }
	world:newBody { x = -7, y = 2, shape = d2.box(2, 2), enabled = false }
	world:newBody { type = "static", x = 50, y = 1, shape = d2.circle(1) }
	local box = around { box_of(overlay(world, "box", { boxes = true })[1]), box_of(overlay(world, "box", { boxes = true })[2]), { -8, 1, -6, 3 } }
	local call = calls_of(draw(world), "static")[1]
	local y2 = math.min(0, box[4] + 20)
	local place = { box[1] - 20, box[2] - 20, box[3] + 20, box[2] - 20, box[3] + 20, y2, box[1] - 20, y2 }
	lu.assertEquals({ call[1], call[2], call[3], #call }, { "solidPolygon", "static", 0, 3 + #place })
	for i, number in ipairs(place) do lu.assertAlmostEquals(call[3 + i], number, 1e-12) end
end

function TestDrawHalfPlanes.test_far_from_their_bodies()
	local number = random_numbers(8)
	for _ = 1, 50 do
		local world = d2.newWorld()
		local body = world:newBody { type = "static", angle = number(-3, 3), shape = d2.halfPlane(0, 1, 0) }
		local x, y = body:getWorldPoint(1e9, 0)
		local calls = draw(world, { view = { x - 1, y - 1, x + 1, y + 1 } })
		lu.assertEquals(#calls, 1)
		lu.assertAlmostEquals(area_of(calls[1]), 2, 1e-4)
	end
end

function TestDrawHalfPlanes.test_their_bodies_are_in_view_where_they_cover_it()
	local world = d2.newWorld()
	for _, enabled in ipairs { true, false } do
		world:newBody { type = "static", x = 7, shape = d2.halfPlane(0, 1, 0), name = "sea", enabled = enabled }
	end
	local function names(view) return #overlay(world, "name", { names = true, view = view }) end
	lu.assertEquals(names { -2, -1, -1, 1 }, 2)
	lu.assertEquals(names { -2, 0.5, 9, 1 }, 0)
	lu.assertEquals(names(nil), 2)
end

function TestDrawHalfPlanes.test_alone()
	local world = d2.newWorld()
	world:newBody { type = "static", x = 100, y = 50, shape = d2.halfPlane(0, 2, 3) }
	lu.assertEquals(draw(world), { { "solidPolygon", "static", 0, 90, 43, 110, 43, 110, 53, 90, 53 } })
end

function TestDrawHalfPlanes.test_sensors_and_disabled_ones()
	local world = d2.newWorld()
	local body = world:newBody { type = "static", shape = d2.halfPlane(0, 1, 0), sensor = true }
	local view = { -1, -2, 3, 4 }
	lu.assertEquals(draw(world, { view = view }), { { "polygon", "sensor", 0, -1, -2, 3, -2, 3, 0, -1, 0 } })
	body:setEnabled(false)
	lu.assertEquals(draw(world, { view = view }), { { "polygon", "disabled", 0, -1, -2, 3, -2, 3, 0, -1, 0 } })
	lu.assertEquals(draw(world, { view = { -1, 1, 1, 2 } }), {})
	lu.assertEquals(#draw(world), 1)
	lu.assertEquals(#draw(world, { shapes = false, boxes = true }), 0)
end

-- --- Disabled bodies -------------------------------------------------------------------------------------------------------

TestDrawDisabled = {}

function TestDrawDisabled.test_are_drawn_after_any_history()
	local number, pick = random_numbers(5)
	local world = d2.newWorld()
	local circle, chain, bodies = d2.circle(0.5), d2.chain({ 1, 0, 0, 0, -1, 0 }, { oneSided = false }), {}
	local types = { "static", "kinematic", "dynamic" }
	for round = 1, 400 do
		local i = pick(20)
		local body = bodies[i]
		if not body then
			local kind = types[pick(3)]
			bodies[i] = world:newBody { type = kind, x = number(-9, 9), shape = kind == "static" and chain or circle, enabled = pick(2) == 1 }
		elseif pick(4) == 1 then
			body:destroy()
			bodies[i] = nil
		elseif pick(3) == 1 then
			body:setType(types[pick(body:getColliders()[1]:getShape() == chain and 2 or 3)])
		else
			body:setEnabled(not body:isEnabled())
		end
		if round % 7 == 0 then world:step(1 / 60) end
		world:validate()
		local expected = 0
		for k = 1, 20 do
			if bodies[k] and not bodies[k]:isEnabled() then
				expected = expected + (bodies[k]:getColliders()[1]:getShape():getType() == "chain" and 2 or 1)
			end
		end
		lu.assertEquals(#calls_of(draw(world), "disabled"), expected)
	end
end

function TestDrawDisabled.test_overlays()
	local world = d2.newWorld()
	world:newBody { x = 1, y = 2, shape = d2.circle(1), name = "off", enabled = false, linearVelocity = { 1, 1 } }
	lu.assertEquals(draw(world, { shapes = false, boxes = true, tree = true, contacts = true, joints = true, islands = true,
		centers = true, velocities = true, names = true }), { { "point", "center", 1, 2, 5 }, { "text", "name", 1, 2, "off" } })
	lu.assertEquals(draw(world, { view = { 5, 5, 6, 6 }, names = true }), {})
end

-- --- Overlays --------------------------------------------------------------------------------------------------------------

TestDrawOverlays = {}

-- Boxes, balls and a bumpy floor, settled or still settling.
local function new_pile(steps, options)
	local world = d2.newWorld(options)
	local scale = options and options.lengthScale or 1
	world:newBody { type = "static", name = "floor", shapes = { { shape = d2.box(40 * scale, scale) }, { shape = d2.circle(scale, 0, 0) } } }
	for i = 0, 59 do
		world:newBody { x = (i % 10 * 1.5 - 7) * scale, y = (2 + math.floor(i / 10) * 1.3) * scale,
			shape = i % 3 == 0 and d2.circle(0.5 * scale) or d2.box(scale, scale), name = i % 2 == 0 and "thing " .. i or nil }
	end
	for _ = 1, steps do world:step(1 / 60) end
	return world
end

local function contact_rows(world, view)
	local rows, largest = {}, 0
	for _, _, nx, ny, x, y, _, impulse in world:contacts() do
		if not view or x >= view[1] and x <= view[3] and y >= view[2] and y <= view[4] then
			rows[#rows + 1] = { nx, ny, x, y, impulse }
			largest = math.max(largest, impulse)
		end
	end
	return rows, largest
end

local function check_contacts(world, view, scale)
	local rows, largest = contact_rows(world, view)
	local expected = {}
	for _, row in ipairs(rows) do
		local nx, ny, x, y, impulse = row[1] * scale, row[2] * scale, row[3], row[4], row[5]
		expected[#expected + 1] = { "point", "contact", x, y, 5 }
		expected[#expected + 1] = { "segment", "normal", x, y, x + 0.2 * nx, y + 0.2 * ny }
		if impulse > 0 then
			expected[#expected + 1] = { "segment", "impulse", x, y, x + impulse / largest * nx, y + impulse / largest * ny }
		end
	end
	assert_calls(sort_calls(draw(world, { shapes = false, contacts = true, view = view })), sort_calls(expected))
	return #rows
end

-- The same points as those of world:contacts(), each once.
function TestDrawOverlays.test_contacts()
	for _, scale in ipairs { 1, 50 } do
		local world = new_pile(60, { lengthScale = scale, gravity = { 0, -10 * scale } })
		lu.assertTrue(check_contacts(world, nil, scale) > 50)
		local number = random_numbers(9)
		local sum = 0
		for _ = 1, 50 do
			local x, y = number(-10, 8) * scale, number(-2, 6) * scale
			sum = sum + check_contacts(world, { x, y, x + 3 * scale, y + 2 * scale }, scale)
		end
		lu.assertTrue(sum > 50)
	end
end

function TestDrawOverlays.test_the_largest_impulse_is_a_length_long()
	local world = new_pile(60)
	local longest = 0
	for _, call in ipairs(overlay(world, "impulse", { contacts = true })) do
		longest = math.max(longest, math.sqrt((call[5] - call[3]) ^ 2 + (call[6] - call[4]) ^ 2))
	end
	lu.assertAlmostEquals(longest, 1, 1e-6)
end

function TestDrawOverlays.test_no_impulses_without_load()
	local world = d2.newWorld { gravity = { 0, 0 } }
	world:newBody { shape = d2.box(1, 1) }
	world:newBody { x = 1, shape = d2.box(1, 1) }
	world:step(0)
	lu.assertEquals(#overlay(world, "contact", { contacts = true }), 2)
	lu.assertEquals(#overlay(world, "impulse", { contacts = true }), 0)
end

function TestDrawOverlays.test_sensors_have_no_contacts()
	local world = d2.newWorld { gravity = { 0, 0 } }
	world:newBody { shape = d2.circle(1) }
	world:newBody { x = 0.5, shape = d2.circle(1), sensor = true }
	world:step(1 / 60)
	lu.assertEquals(world:getTouchingCount(), 1)
	lu.assertEquals(#draw(world, { shapes = false, contacts = true }), 0)
end

-- A tree of n leaves has n - 1 inner nodes; the root's box contains all. Static, resting and awake dynamic bodies have a tree each.
function TestDrawOverlays.test_tree()
	local world = new_scene(21, 250)
	local boxes, tree = overlay(world, "box", { boxes = true }), overlay(world, "tree", { tree = true })
	lu.assertEquals(#tree, #boxes - 3)
	local all, nodes = {}, {}
	for i, call in ipairs(boxes) do all[i] = box_of(call) end
	for i, call in ipairs(tree) do nodes[i] = box_of(call) end
	lu.assertEquals(around(all), around(nodes))
	local number = random_numbers(4)
	for _ = 1, 50 do
		local x, y = number(-30, 30), number(-30, 30)
		local view, expected = { x, y, x + number(0, 9), y + number(0, 9) }, 0
		for _, box in ipairs(nodes) do expected = expected + (overlap(box, view) and 1 or 0) end
		lu.assertEquals(#overlay(world, "tree", { tree = true, view = view }), expected)
	end
end

function TestDrawOverlays.test_small_trees_have_no_nodes()
	local world = d2.newWorld()
	lu.assertEquals(draw(world, { tree = true, boxes = true }), {})
	world:newBody { shape = d2.circle(1) }
	lu.assertEquals(#overlay(world, "tree", { tree = true }), 0)
	world:newBody { x = 5, shape = d2.circle(1) }
	lu.assertEquals(#overlay(world, "tree", { tree = true }), 1)
end

-- Columns of boxes, each an island, which is drawn whole if one of its boxes is in view.
function TestDrawOverlays.test_islands()
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.box(100, 1) }
	for column = 0, 4 do
		for row = 0, 3 do world:newBody { x = column * 5, y = 1 + row, shapes = { { shape = d2.box(1, 1) }, { shape = d2.circle(0.25, 0.25, 0) } } } end
	end
	for _ = 1, 30 do world:step(1 / 60) end
	lu.assertEquals(world:getIslandCount(), 5)
	local boxes, found = {}, {}
	for _, call in ipairs(overlay(world, "box", { boxes = true })) do
		local box = box_of(call)
		local column = math.floor((box[1] + box[3]) / 2 / 5 + 0.5)
		if box[3] - box[1] < 50 then
			boxes[column] = boxes[column] or {}
			table.insert(boxes[column], box)
		end
	end
	for _, call in ipairs(overlay(world, "island", { islands = true })) do
		local box = box_of(call)
		local column = math.floor((box[1] + box[3]) / 2 / 5 + 0.5)
		lu.assertEquals(#boxes[column], 8)
		lu.assertEquals(box, around(boxes[column]))
		found[column] = (found[column] or 0) + 1
	end
	lu.assertEquals(found, { [0] = 1, 1, 1, 1, 1 })
	local calls = overlay(world, "island", { islands = true, view = { 9.9, 3.9, 10.1, 4.1 } })
	lu.assertEquals(#calls, 1)
	lu.assertEquals(box_of(calls[1]), around(boxes[2]))
end

-- Once for each body, however many colliders it has.
function TestDrawOverlays.test_centers_velocities_and_names()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local shapes_of_one = {}
	for i = 1, 20 do shapes_of_one[i] = { shape = d2.circle(0.5, i, 0), density = i } end
	shapes_of_one[21] = { shape = d2.chain { 3, 0, 2, 0, 1, 0 }, sensor = true }
	local moving = world:newBody { x = 1, y = 2, angle = 0.5, linearVelocity = { 3, -4 }, name = "train", shapes = shapes_of_one }
	world:newBody { type = "static", x = 40, name = "wall", shapes = shapes_of_one }
	local lift = world:newBody { type = "kinematic", y = 20, linearVelocity = { 0, 1 }, shape = d2.box(1, 1) }
	local rock = world:newBody { y = 30, shape = d2.circle(1), angularVelocity = 3 }
	local expected = {}
	for i, body in ipairs { moving, lift, rock } do
		local x, y = body:getCenter()
		expected[i] = { "point", "center", x, y, 5 }
	end
	lu.assertItemsEquals(overlay(world, "center", { centers = true }), expected)
	for i, body in ipairs { moving, lift } do
		local x, y = body:getCenter()
		local vx, vy = body:getLinearVelocity()
		expected[i] = { "segment", "velocity", x, y, x + 0.1 * vx, y + 0.1 * vy }
	end
	expected[3] = nil
	lu.assertItemsEquals(overlay(world, "velocity", { velocities = true }), expected)
	lu.assertItemsEquals(draw(world, { shapes = false, names = true }), { { "text", "name", 1, 2, "train" }, { "text", "name", 40, 0, "wall" } })
	moving:setName(nil)
	lift:setName "lift \0 \195\169"
	lu.assertItemsEquals(draw(world, { shapes = false, names = true }), { { "text", "name", 40, 0, "wall" }, { "text", "name", 0, 20, "lift \0 \195\169" } })
	lu.assertItemsEquals(draw(world, { shapes = false, names = true, view = { -1, 19, 1, 21 } }), { { "text", "name", 0, 20, "lift \0 \195\169" } })
end

-- Each option draws its own meanings, and no others.
function TestDrawOverlays.test_options()
	local world = new_pile(60)
	local meanings = { boxes = { "box" }, tree = { "tree" }, contacts = { "contact", "normal", "impulse" }, joints = {}, islands = { "island" },
		centers = { "center" }, velocities = { "velocity" }, names = { "name" } }
	local function seen(calls)
		local set, list = {}, {}
		for _, call in ipairs(calls) do set[call[2]] = true end
		for meaning in pairs(set) do list[#list + 1] = meaning end
		return list
	end
	lu.assertItemsEquals(seen(draw(world)), { "static", "awake" })
	lu.assertItemsEquals(seen(draw(world, { shapes = true })), { "static", "awake" })
	lu.assertEquals(draw(world, { shapes = false }), {})
	for option, list in pairs(meanings) do
		lu.assertItemsEquals(seen(draw(world, { shapes = false, [option] = true })), list)
		lu.assertEquals(draw(world, { shapes = false, [option] = false }), {})
	end
end

-- --- Targets ---------------------------------------------------------------------------------------------------------------

TestDrawTargets = {}

local all = { shapes = true, boxes = true, tree = true, contacts = true, joints = true, islands = true, centers = true, velocities = true,
	names = true, fields = true }

function TestDrawTargets.test_missing_functions_are_not_called()
	local world = new_pile(30)
	world:draw({}, all)
	for _, name in ipairs(functions) do
		local calls = 0
		world:draw({ [name] = function() calls = calls + 1 end }, all)
		local expected = 0
		for _, call in ipairs(draw(world, all)) do expected = expected + (call[1] == name and 1 or 0) end
		lu.assertEquals(calls, expected)
	end
end

function TestDrawTargets.test_anything_with_an_index_metamethod()
	local world = new_pile(0)
	local calls, asked = {}, 0
	local recorder = new_recorder(calls)
	local target = setmetatable({}, { __index = function(_, name)
		asked = asked + 1
		return recorder[name]
	end })
	world:draw(target)
	lu.assertEquals(asked, #functions)
	assert_calls(calls, draw(world))
	if newproxy then
		local userdata = newproxy(true)
		getmetatable(userdata).__index = recorder
		world:draw(userdata)
		lu.assertEquals(#calls, 2 * #draw(world))
	end
end

function TestDrawTargets.test_messages()
	local world = d2.newWorld()
	local function wrong(message, ...) raises(message, world.draw, ...) end
	wrong("draw: expected a world, got a table; methods are called with ':'", {})
	wrong("draw: target must be a table of functions, got nil", world)
	wrong("draw: target must be a table of functions, got 5", world, 5)
	wrong("draw: target must be a table of functions, got \"x\"", world, "x")
	wrong("draw: target must be a table of functions, got a function", world, print)
	wrong("draw: target.polygon must be a function or nil, got 3", world, { polygon = 3 })
	wrong("draw: target.text must be a function or nil, got a table", world, { text = setmetatable({}, { __call = print }) })
	wrong("draw: target.solidCircle must be a function or nil, got false", world, { solidCircle = false })
	wrong("draw: options must be a table, got 7", world, {}, 7)
	wrong("draw: options must be a plain table", world, {}, setmetatable({}, {}))
	wrong("draw: unknown key 'contact', did you mean 'contacts'?", world, {}, { contact = true })
	wrong("draw: unknown key 'centres', did you mean 'centers'?", world, {}, { centres = true })
	wrong("draw: unknown key '?' (there are: view, shapes, boxes, tree, contacts, joints, islands, centers, velocities, names, fields)", world, {},
		{ ["?"] = true })
	for _, name in ipairs { "shapes", "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields" } do
		wrong("draw: " .. name .. " must be true or false, got 1", world, {}, { [name] = 1 })
	end
	local function view(message, value) wrong("draw: view" .. message, world, {}, { view = value }) end
	view(" must be a list {x1, y1, x2, y2}, got 3", 3)
	view(" must be a list {x1, y1, x2, y2}, got a table", {})
	view(" must be a list {x1, y1, x2, y2}, got a table", { 1, 2, 3 })
	view(" must be a list {x1, y1, x2, y2}, got a table", { 1, 2, 3, 4, 5 })
	view(" must be a list, but has other keys", { 1, 2, 3, 4, x = 5 })
	view("[2] must be a finite number, got nan", { 1, 0 / 0, 3, 4 })
	view("[4] must be a finite number, got inf", { 1, 2, 3, math.huge })
	view("[1] must be a finite number, got \"1\"", { "1", 2, 3, 4 })
	view("[3] must be at least x1, got 0", { 1, 2, 0, 4 })
	view("[4] must be at least y1, got 1.5", { 1, 2, 3, 1.5 })
	lu.assertFalse(world:isLocked())
end

function TestDrawTargets.test_destroyed_world()
	local world = d2.newWorld()
	world:newBody { shape = d2.circle(1) }
	raises("draw: world is destroyed", world.draw, world, setmetatable({}, { __index = function() world:destroy() end }))
	raises("draw: world is destroyed", world.draw, world, {})
	raises("getProfile: world is destroyed", world.getProfile, world)
end

-- --- While the functions run -----------------------------------------------------------------------------------------------

TestDrawLocked = {}

function TestDrawLocked.test_nothing_changes()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1), name = "ball" }
	local calls = 0
	local function locked(name, f, ...) raises(name .. ": world is locked (called from inside a draw)", f, ...) end
	world:draw { solidCircle = function()
		calls = calls + 1
		lu.assertTrue(world:isLocked())
		locked("newBody", world.newBody, world, { shape = d2.circle(1) })
		locked("destroy", world.destroy, world)
		locked("step", world.step, world, 1 / 60)
		locked("setGravity", world.setGravity, world, 0, 0)
		locked("destroy", body.destroy, body)
		locked("setPosition", body.setPosition, body, 0, 0)
		locked("setEnabled", body.setEnabled, body, false)
		locked("newCollider", body.newCollider, body, d2.circle(1))
		locked("validate", world.validate, world)
		lu.assertEquals({ body:getPosition() }, { 0, 0 })
		lu.assertEquals(body:getName(), "ball")
		lu.assertEquals(#world:overlapBox(-1, -1, 1, 1), 1)
		lu.assertEquals(#world:overlapBox(-1, -1, 1, 1, { filter = function() return false end }), 0)
		body:setLinearVelocity(1, 2)
		lu.assertEquals(#world:getBodies(), 1)
	end }
	lu.assertEquals(calls, 1)
	lu.assertFalse(world:isLocked())
	world:step(1 / 60)
	world:validate()
end

-- Nested draws share the buffer: each draws everything.
function TestDrawLocked.test_nested()
	local world = new_pile(60)
	local expected = draw(world, all)
	local calls, depth = {}, 0
	local target = {}
	for name, record in pairs(new_recorder(calls)) do
		target[name] = function(...)
			record(...)
			depth = depth + 1
			if depth == 1 or depth == 3 and #calls % 50 == 0 then
				depth = 2
				assert_calls(draw(world, all), expected)
			end
			depth = depth - 1
			lu.assertTrue(world:isLocked())
		end
	end
	world:draw(target, all)
	assert_calls(calls, expected)
	lu.assertFalse(world:isLocked())
end

function TestDrawLocked.test_other_worlds_are_free()
	local world, other = new_pile(0), d2.newWorld()
	world:draw { solidCircle = function()
		other:newBody { shape = d2.circle(1) }
		other:step(1 / 60)
	end }
	lu.assertEquals(other:getBodyCount(), 20 + 1)
end

function TestDrawLocked.test_waking_bodies_meanwhile()
	local world = new_pile(0)
	local bodies, calls = world:getBodies(), 0
	for _, body in ipairs(bodies) do body:setAwake(false) end
	lu.assertEquals(world:getAwakeCount(), 0)
	local function wake()
		calls = calls + 1
		bodies[calls % #bodies + 1]:setLinearVelocity(1, 0)
	end
	world:draw({ solidPolygon = wake, solidCircle = wake, polygon = wake, point = wake, segment = wake }, all)
	lu.assertTrue(world:getAwakeCount() > 0)
	world:validate()
end

function TestDrawLocked.test_inside_a_step()
	local calls, world = {}, nil
	world = d2.newWorld { filter = function()
		if #calls == 0 then world:draw(new_recorder(calls), all) end
		return true
	end }
	world:newBody { shape = d2.circle(1) }
	world:newBody { x = 1, shape = d2.circle(1) }
	world:step(1 / 60)
	lu.assertEquals(#calls_of(calls, "awake"), 2)
	lu.assertFalse(world:isLocked())
	world:validate()
end

function TestDrawLocked.test_inside_a_query()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1) }
	local drawn
	world:overlapBox(-1, -1, 1, 1, { filter = function()
		drawn = #draw(world)
		raises("called from inside a query", body.destroy, body)
		return true
	end })
	lu.assertEquals(drawn, 1)
end

-- --- Errors ----------------------------------------------------------------------------------------------------------------

TestDrawErrors = {}

local function check_whole(world)
	lu.assertFalse(world:isLocked())
	world:validate()
	world:newBody { shape = d2.circle(1) }:destroy()
	world:step(1 / 60)
end

function TestDrawErrors.test_are_passed_on_unchanged()
	local world = new_pile(30)
	local value = {}
	for _, err in ipairs { "plain", 5, value, false } do
		for at = 1, 200, 37 do
			local calls = 0
			local function fail()
				calls = calls + 1
				if calls == at then error(err, 0) end
			end
			local ok, got = pcall(world.draw, world, { solidPolygon = fail, polygon = fail, point = fail, segment = fail }, all)
			lu.assertFalse(ok)
			lu.assertTrue(got == err)
			lu.assertEquals(calls, at)
			check_whole(world)
		end
	end
	local expected = select(2, pcall(error, "here", 1))
	lu.assertEquals(select(2, pcall(world.draw, world, { solidPolygon = function() error(expected, 0) end })), expected)
end

function TestDrawErrors.test_in_nested_draws()
	local world = new_pile(10)
	local before = #draw(world, all)
	local depth = 0
	local target
	target = { solidPolygon = function()
		depth = depth + 1
		if depth == 5 then error("deep", 0) end
		world:draw(target, all)
	end }
	local ok, err = pcall(world.draw, world, target, all)
	lu.assertFalse(ok)
	lu.assertEquals(err, "deep")
	lu.assertEquals(depth, 5)
	lu.assertEquals(#draw(world, all), before)
	check_whole(world)
end

function TestDrawErrors.test_endless_recursion()
	local world = new_pile(0)
	local target
	target = { solidPolygon = function() world:draw(target) end }
	raises("overflow", world.draw, world, target)
	check_whole(world)
end

function TestDrawErrors.test_yields()
	local world = new_pile(0)
	local thread = coroutine.wrap(function()
		local ok, err = pcall(world.draw, world, { solidPolygon = coroutine.yield })
		return ok, err
	end)
	local ok, err = thread()
	lu.assertEquals(ok, false)
	lu.assertStrContains(tostring(err), "yield")
	check_whole(world)
	-- Draws work in coroutines, and coroutines in draws.
	local count = coroutine.wrap(function() return #draw(world) end)()
	lu.assertEquals(count, #draw(world))
	local inner = 0
	world:draw { solidPolygon = function()
		local steps = coroutine.wrap(function() coroutine.yield(1) return 2 end)
		inner = inner + steps() + steps()
	end }
	lu.assertTrue(inner > 0 and inner % 3 == 0)
end

function TestDrawErrors.test_collector_inside()
	local calls = 0
	local function collect()
		calls = calls + 1
		if calls % 20 == 1 then collectgarbage() end
	end
	new_pile(30):draw({ solidPolygon = collect, polygon = collect, point = collect, text = collect }, all)
	lu.assertTrue(calls > 100)
	local world, finalized = new_pile(0), 0
	world:draw { solidPolygon = function()
		local garbage = d2.newWorld()
		garbage:newBody { shape = d2.circle(1) }
		garbage.data = garbage
		if newproxy then
			getmetatable(newproxy(true)).__gc = function()
				finalized = finalized + 1
				pcall(world.destroy, world)
			end
		else
			setmetatable({}, { __gc = function()
				finalized = finalized + 1
				pcall(world.destroy, world)
			end })
		end
		collectgarbage()
		lu.assertTrue(world:isValid())
	end }
	lu.assertTrue(finalized > 0)
end

-- --- Garbage ---------------------------------------------------------------------------------------------------------------

TestDrawGarbage = {}

function TestDrawGarbage.test_draws_make_none()
	local world = new_pile(30)
	world:newBody { type = "static", shape = d2.halfPlane(0, 1, -3) }
	world:newBody { type = "static", shape = d2.chain { 9, 0, 3, 1, -5, 0 }, sensor = true }
	for i, shape in ipairs(shapes) do world:newBody { type = "static", x = i * 3, y = 20, shape = shape, enabled = i % 2 == 0 } end
	world:newBody { y = 30, shape = d2.ellipse(2, 1), linearVelocity = { 1, 0 } }
	world:step(1 / 60)
	local calls = 0
	local function count() calls = calls + 1 end
	local target = {}
	for _, name in ipairs(functions) do target[name] = count end
	local options, view = {}, { -5, -5, 5, 5 }
	for name in pairs(all) do options[name] = true end
	lu.assertEquals(bytes_of(200, function()
		options.view = nil
		world:draw(target, options)
		options.view = view
		world:draw(target, options)
		world:draw(target)
		world:draw {}
	end) - bytes_of(200, function() local _ = {} end), 0)
	lu.assertTrue(calls > 100000)
end

-- Not even after a collection of unreferenced strings: the strings are made once.
function TestDrawGarbage.test_no_string_is_made_again()
	local world = new_pile(5)
	local target = setmetatable({}, { __index = function() end })
	lu.assertEquals(bytes_of(1, function() world:draw(target, all) end), 0)
	collectgarbage() collectgarbage()
	collectgarbage "stop"
	select("#", (unpack or table.unpack)({}, 1, 1000)) -- regrows the stack, which the collection has shrunk
	local before = collectgarbage "count"
	world:draw(target, all)
	local after = collectgarbage "count"
	collectgarbage "restart"
	lu.assertEquals(after - before, 0)
end

function TestDrawGarbage.test_buffers_do_not_grow()
	local world = new_pile(5)
	world:draw({}, all)
	local bytes = world:getByteCount()
	for _ = 1, 1000 do
		world:draw({}, all)
		pcall(world.draw, world, { solidPolygon = error })
	end
	lu.assertEquals(world:getByteCount(), bytes)
end

function TestDrawGarbage.test_nested_draws_make_none()
	local world = new_pile(5)
	local inside = { solidCircle = function() end }
	local target = { solidCircle = function() world:draw(inside, all) end }
	lu.assertEquals(bytes_of(20, function() world:draw(target) end), 0)
end

function TestDrawGarbage.test_profiles_make_none()
	local world = new_pile(5)
	local into = {}
	lu.assertEquals(bytes_of(200, function()
		world:step(1 / 60)
		world:getProfile(into)
	end), 0)
end

-- --- Profile ---------------------------------------------------------------------------------------------------------------

TestProfile = {}

local phases = { "pairs", "collide", "contacts", "solve", "finish", "sweep" }

local function check_sum(profile)
	local sum = 0
	for _, phase in ipairs(phases) do
		lu.assertTrue(profile[phase] >= 0)
		sum = sum + profile[phase]
	end
	lu.assertAlmostEquals(sum, profile.step, 1e-9)
end

function TestProfile.test_phases_sum_up()
	local world = new_pile(0)
	world:newBody { shape = d2.circle(0.1), y = 50, linearVelocity = { 0, -100 } } -- is swept
	local sums, elapsed, steps = {}, 0, 0
	for _ = 1, 1000 do
		local start = os.clock()
		world:step(1 / 60)
		elapsed = elapsed + (os.clock() - start) * 1000
		local profile = world:getProfile()
		check_sum(profile)
		lu.assertTrue(profile.step > 0 and profile.solve > 0 and profile.collide > 0)
		steps = steps + profile.step
		for _, phase in ipairs(phases) do sums[phase] = (sums[phase] or 0) + profile[phase] end
	end
	for _, phase in ipairs(phases) do lu.assertTrue(sums[phase] > 0, phase) end
	-- Wall time is at least the CPU time of the only thread, but for the clocks' resolution, some ms where other processes run. On Windows os.clock is not the
	-- CPU time.
	if package.config:sub(1, 1) == "/" then lu.assertTrue(steps > elapsed * 0.2 - 2) end
end

function TestProfile.test_before_the_first_step_and_without_time()
	local world = d2.newWorld()
	local profile = world:getProfile()
	lu.assertEquals(profile, { step = 0, pairs = 0, collide = 0, contacts = 0, solve = 0, finish = 0, sweep = 0, lost = 0 })
	world = new_pile(3)
	world:step(0)
	profile = world:getProfile()
	check_sum(profile)
	lu.assertTrue(profile.pairs > 0)
	lu.assertEquals({ profile.solve, profile.finish, profile.sweep }, { 0, 0, 0 })
end

-- A step in which all sleep ends after the search for pairs, and wakes nobody; a body that is moved still wakes.
function TestProfile.test_a_world_asleep_does_nothing_else()
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newBody { type = "static", shape = d2.box(40, 1) }
	local body = world:newBody { y = 1, shape = d2.box(1, 1) }
	for _ = 1, 100 do world:step(1 / 60) end
	lu.assertEquals(world:getAwakeCount(), 0)
	local hash = world:hash()
	for _ = 1, 3 do
		world:step(1 / 60)
		local profile = world:getProfile()
		check_sum(profile)
		lu.assertEquals(profile.step, profile.pairs)
		lu.assertEquals(world:hash(), hash)
		world:validate()
	end
	body:setLinearVelocity(1, 0)
	world:step(1 / 60)
	lu.assertTrue(world:getProfile().solve > 0)
	lu.assertTrue(body:getPosition() > 0)
end

function TestProfile.test_fills_in_place()
	local world = new_pile(3)
	local into = { step = "old", mine = 5 }
	lu.assertTrue(world:getProfile(into) == into)
	lu.assertEquals(into.mine, 5)
	check_sum(into)
	lu.assertFalse(world:getProfile() == world:getProfile())
	raises("getProfile: into must be a table or nil, got 5", world.getProfile, world, 5)
end

function TestProfile.test_the_filter_belongs_to_pairs()
	local world = d2.newWorld { filter = function()
		local start = os.clock()
		while os.clock() - start < 0.005 do end
		return true
	end }
	world:newBody { shape = d2.circle(1) }
	world:newBody { x = 1, shape = d2.circle(1) }
	world:step(1 / 60)
	lu.assertTrue(world:getProfile().pairs >= 4)
end

function TestProfile.test_the_result_does_not_depend_on_it()
	local watched, alone = new_pile(0), new_pile(0)
	local into = {}
	for _ = 1, 60 do
		watched:step(1 / 60)
		watched:getProfile(into)
		watched:draw({}, all)
		alone:step(1 / 60)
	end
	lu.assertEquals(watched:hash(), alone:hash())
end
