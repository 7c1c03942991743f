-- body:moveAndCollide: moves with a response to each collider met. Boxes along the axes follow the rules of bump.lua, all other shapes the same rules.

local lu, support = require "luaunit", require "support"
local collide = require "collide"

for dim, wing in pairs(support.wings) do
	local d, flat = collide[dim], dim == "d2"
	local suite = support.suite("TestResponses", dim)
	local n = wing.numbers

	local function new_world()
		return d.newWorld { gravity = wing.vector(0, 0) }
	end

	local function box(width, height)
		return flat and d.box(width, height) or d.box(width, height, 2)
	end

	local function obstacle(world, x, y, shape, data, options)
		options = options or {}
		options.type, options.x, options.y, options.shape, options.data = options.type or "static", x, y, shape, data
		return world:newBody(options)
	end

	-- Returns x, y and count in both dimensions.
	local function go(body, x, y, filter, into)
		local x2, y2, z, count
		if flat then x2, y2, count = body:moveAndCollide(x, y, filter, into) else x2, y2, z, count = body:moveAndCollide(x, y, 0, filter, into) end
		return x2, y2, count
	end

	-- A unit box at the origin among boxes of 2 by 2. Each row: the boxes' positions and responses, the goal, the end, and what is met: number, type, fraction,
	-- normal, touch.
	local cases = {
		{ "slide along a wall", { { 3, 0, "slide" } }, { 4, 1 }, { 1.5, 1 }, { { 1, "slide", 0.375, -1, 0, 1.5, 0.375 } } },
		{ "touch", { { 3, 0, "touch" } }, { 4, 1 }, { 1.5, 0.375 }, { { 1, "touch", 0.375, -1, 0, 1.5, 0.375 } } },
		{ "cross", { { 3, 0, "cross" } }, { 4, 1 }, { 4, 1 }, { { 1, "cross", 0.375, -1, 0, 1.5, 0.375 } } },
		{ "bounce", { { 3, 0, "bounce" } }, { 4, 1 }, { -1, 1 }, { { 1, "bounce", 0.375, -1, 0, 1.5, 0.375 } } },
		{ "ignored", { { 3, 0 } }, { 4, 1 }, { 4, 1 }, {} },
		{ "a corner of two walls", { { 3, 0, "slide" }, { 1.5, 2.5, "slide" } }, { 4, 4 }, { 1.5, 1 },
			{ { 1, "slide", 0.375, -1, 0, 1.5, 1.5 }, { 2, "slide", 1, 0, -1, 1.5, 1 } }, corner = true },
		{ "the nearer of two at the same time", { { 3, 1.2, "touch" }, { 3, -0.5, "touch" } }, { 4, 0 }, { 1.5, 0 }, { { 2, "touch", 0.375, -1, 0, 1.5, 0 } } },
		{ "past a corner", { { 2.5, 2.5, "touch" } }, { 3, 0 }, { 3, 0 }, {} },
		{ "along a side that it touches", { { 0, -1.5, "touch" } }, { 3, 0 }, { 3, 0 }, {} },
		{ "off a side that it touches", { { 0, -1.5, "touch" } }, { 0, 3 }, { 0, 3 }, {} },
		{ "into a side that it touches", { { 0, -1.5, "touch" } }, { 0, -1 }, { 0, 0 }, { { 1, "touch", 0, 0, 1, 0, 0 } } },
		{ "out of an overlap, back on the way", { { 1, 0.2, "slide" } }, { 2, 0 }, { -0.5, 0 }, { { 1, "slide", -0.5, -1, 0, -0.5, 0, true } } },
		{ "overlaps come first", { { 3, 0, "touch" }, { -1.25, 0.2, "cross" } }, { 4, 0 }, { 1.5, 0 },
			{ { 2, "cross", -0.25, -1, 0, -2.75, 0, true }, { 1, "touch", 0.375, -1, 0, 1.5, 0 } } },
	}

	for _, case in ipairs(cases) do
		suite["test_boxes_" .. case[1]:gsub(",", ""):gsub(" ", "_")] = function()
			local world, types, list = new_world(), {}, {}
			for i, at in ipairs(case[2]) do types[obstacle(world, at[1], at[2], box(2, 2), i)] = at[3] end
			local body = world:newBody { type = "kinematic", shape = box(1, 1) }
			local x, y, count = go(body, case[3][1], case[3][2], function(collider) return types[collider:getBody()] end, list)
			local bx, by = body:getPosition()
			lu.assertEquals({ bx, by }, { x, y })
			lu.assertEquals(count, #list)
			if case.corner then return lu.assertEquals(count, 2) end -- the numbers are those of the next test
			lu.assertAlmostEquals(x, case[4][1], 1e-12)
			lu.assertAlmostEquals(y, case[4][2], 1e-12)
			lu.assertEquals(count, #case[5])
			for i, row in ipairs(case[5]) do
				local met = list[i]
				lu.assertEquals(met.collider:getBody().data, row[1])
				lu.assertEquals(met.type, row[2])
				local third = flat and 1 or 2 -- the overlap is an area in 2D, a volume in 3D
				lu.assertAlmostEquals(met.fraction, row[3] < 0 and row[3] * third or row[3], 1e-12)
				lu.assertEquals({ met.nx, met.ny, met.overlaps }, { row[4], row[5], row[8] or false })
				lu.assertAlmostEquals(met.x, row[6], 1e-12)
				lu.assertAlmostEquals(met.y, row[7], 1e-12)
			end
		end
	end

	function suite.test_a_slide_goes_on_from_the_touch_to_the_next_wall()
		local world, list = new_world(), {}
		obstacle(world, 3, 0, box(2, 8), 1)
		obstacle(world, 0, 3, box(20, 2), 2)
		local body = world:newBody { type = "kinematic", shape = box(1, 1) }
		local x, y, count = go(body, 4, 4, nil, list)
		lu.assertEquals({ x, y, count }, { 1.5, 1.5, 2 })
		lu.assertEquals({ list[1].collider:getBody().data, list[2].collider:getBody().data }, { 1, 2 })
		lu.assertAlmostEquals(list[1].fraction, 1.5 / 4, 1e-12)
		lu.assertAlmostEquals(list[1].goalX, 1.5, 1e-12)
		lu.assertAlmostEquals(list[1].goalY, 4, 1e-12)
		lu.assertAlmostEquals(list[2].fraction, 0, 1e-12)
	end

	-- Without a way, an overlap ends by the least displacement if the response is touch.
	function suite.test_what_overlaps_and_does_not_move_gets_the_least_way_out()
		local world, list = new_world(), {}
		obstacle(world, 1.2, 0.4, box(2, 2), 1)
		local body = world:newBody { type = "kinematic", shape = box(1, 1) }
		local x, y = go(body, 0, 0, function() return "touch" end, list)
		lu.assertAlmostEquals(x, -0.3, 1e-6)
		lu.assertAlmostEquals(y, 0, 1e-12)
		lu.assertTrue(list[1].overlaps)
	end

	-- A slide along a slope ends at the goal's projection; a bounce mirrors the rest of the way. Any convex shape, against any.
	function suite.test_all_shapes_slide_and_bounce_by_the_normal()
		local balls = { wing.ball(d, 0.5), flat and d.capsule(-0.3, 0, 0.3, 0, 0.4) or d.capsule(-0.3, 0, 0, 0.3, 0, 0, 0.4), box(1, 1), flat and d.ellipse(0.5, 0.3) or d.cylinder(0.5, 1) }
		for _, shape in ipairs(balls) do
			for _, angle in ipairs { 0.3, -0.7, 1.2 } do
				local c, s = math.cos(angle), math.sin(angle)
				local world, list = new_world(), {}
				local options = flat and { angle = angle } or { axis = { 0, 0, 1 }, angle = angle }
				obstacle(world, 3 * -s, 3 * c, flat and d.box(30, 1) or d.box(30, 1, 30), 1, options)
				local body = world:newBody { type = "kinematic", shape = shape }
				local x, y, count = go(body, 1 - 6 * s, 6 * c, nil, list)
				lu.assertEquals(count, 1)
				local met = list[1]
				lu.assertAlmostEquals(met.nx, s, 1e-6)
				lu.assertAlmostEquals(met.ny, -c, 1e-6)
				-- the goal and the touch have the same height over the slope, and the end is the goal moved along the normal
				lu.assertAlmostEquals((x - met.x) * -s + (y - met.y) * c, 0, 1e-6)
				lu.assertAlmostEquals((x - (1 - 6 * s)) * c + (y - 6 * c) * s, 0, 1e-6)
				body:setPosition(n(0, 0))
				local bx, by = go(body, 1 - 6 * s, 6 * c, function() return "bounce" end)
				lu.assertAlmostEquals((bx + 1 - 6 * s) / 2, x, 1e-6)
				lu.assertAlmostEquals((by + 6 * c) / 2, y, 1e-6)
			end
		end
	end

	-- Balls and boxes among random obstacles: no slide ends inside one, and none is met twice.
	function suite.test_slides_never_end_inside()
		local number, choice = support.random_numbers(5)
		for _ = 1, 40 do
			local world, list, found = new_world(), {}, {}
			for i = 1, 10 do
				local kind = choice(3)
				local shape = kind == 1 and wing.ball(d, number(0.3, 1)) or box(number(0.5, 2), number(0.5, 2))
				local options = kind == 3 and (flat and { angle = number(0, 3) } or { axis = { 0, 0, 1 }, angle = number(0, 3) }) or {}
				obstacle(world, number(-6, 6), number(-6, 6), shape, i, options)
			end
			local shape = choice(2) == 1 and wing.ball(d, 0.4) or box(0.7, 0.7)
			local body = world:newBody { type = "kinematic", shape = shape }
			local options = { exclude = body }
			-- The shape without its outermost thousandth.
			local core = shape:getType() == "box" and box(0.699, 0.699) or wing.ball(d, 0.399)
			local free = #world:overlapShape(core, nil, options, found) == 0
			for _ = 1, 25 do
				local x, y, count = go(body, number(-6, 6), number(-6, 6), nil, list)
				local seen = {}
				for i = 1, count do
					lu.assertNil(seen[list[i].collider])
					seen[list[i].collider] = true
					free = free or list[i].overlaps
				end
				if free and not (list[1] and list[1].overlaps) then
					lu.assertEquals(#world:overlapShape(core, flat and d.pose(x, y) or d.pose(x, y, 0), options, found), 0)
				end
			end
		end
	end

	function suite.test_own_responses()
		local world = new_world()
		local wall = obstacle(world, 3, 0, box(2, 2), "ice")
		local body = world:newBody { type = "kinematic", shape = box(1, 1) }
		local seen
		collide.response("half", function(own, row, x, y)
			lu.assertIs(own, body)
			seen = { row.collider:getBody().data, row.type, row.nx, row.x }
			return n((x + row.x) / 2, y)
		end)
		collide.response("stop", function() end)
		local list = {}
		local x, y = go(body, 4, 1, function() return "half" end, list)
		lu.assertAlmostEquals(x, (4 + 1.5) / 2, 1e-12)
		lu.assertAlmostEquals(y, 1, 1e-12)
		lu.assertEquals(seen, { "ice", "half", -1, 1.5 })
		lu.assertAlmostEquals(list[1].goalX, x, 1e-12)
		body:setPosition(n(0, 0))
		lu.assertAlmostEquals(go(body, 4, 1, function() return "stop" end), 1.5, 1e-12)
		collide.response("half", nil)
		body:setPosition(n(0, 0))
		lu.assertErrorMsgContains("there is no response 'half': see collide.response", go, body, 4, 1, function() return "half" end)
		collide.response("stop", nil)
		wall:destroy()
	end

	function suite.test_layers_and_sensors()
		local world = d.newWorld { layers = { "a", "b" }, collide = { a = { "a" }, b = { "b" } } }
		obstacle(world, 3, 0, box(2, 2), 1, { layer = "b" })
		obstacle(world, 6, 0, box(2, 2), 2, { sensor = true, layer = "a" })
		obstacle(world, 9, 0, box(2, 2), 3, { layer = "a" })
		local body = world:newBody { type = "kinematic", shape = box(1, 1), layer = "a" }
		local list = {}
		local x, _, count = go(body, 12, 0, nil, list)
		lu.assertAlmostEquals(x, 7.5, 1e-12)
		lu.assertEquals({ count, list[1].type, list[1].collider:getBody().data, list[2].type }, { 2, "cross", 2, "slide" })
	end

	function suite.test_many_are_met_without_garbage()
		local world, list = new_world(), {}
		for i = 1, 100 do obstacle(world, 2 * i, 0, box(1, 1), i) end
		local body = world:newBody { type = "kinematic", shape = box(1, 1) }
		local _, _, count = go(body, 300, 0, function() return "cross" end, list)
		lu.assertEquals(count, 100)
		for i = 1, 100 do lu.assertEquals(list[i].collider:getBody().data, i) end
		local filter, other = function() return "cross" end, {}
		lu.assertEquals(support.bytes_of(100, function()
			body:setPosition(n(0, 0))
			go(body, 41, 0, filter, list)
			go(body, 30, 5, nil, other)
		end), 0)
		lu.assertEquals(#list, 20)
	end

	function suite.test_bad_input_is_named()
		local world = new_world()
		obstacle(world, 3, 0, box(2, 2))
		local body = world:newBody { type = "kinematic", shape = box(1, 1) }
		lu.assertErrorMsgContains("moveAndCollide: x must be a finite number", go, body, 0 / 0, 0)
		lu.assertErrorMsgContains("moveAndCollide: filter must be a function or nil, got 1", go, body, 1, 0, 1)
		lu.assertErrorMsgContains("filter must return the name of a response, false or nil", go, body, 4, 0, function() return 1 end)
		lu.assertErrorMsgContains("there is no response 'fly'", go, body, 4, 0, function() return "fly" end)
		lu.assertErrorMsgContains("moveAndCollide: body is destroyed", go, body, 4, 0, function() body:destroy() return "slide" end)
		lu.assertErrorMsgContains("response: name must not be the name of one of the module's responses", collide.response, "slide", print)
		lu.assertErrorMsgContains("response: f must be a function or nil", collide.response, "half", 1)
		local ground = world:newBody { type = "kinematic", shape = flat and d.halfPlane(0, 1, 0) or d.halfSpace(0, 1, 0, 0) }
		lu.assertErrorMsgContains("the shapes of the body must be convex and have an end", go, ground, 1, 0)
	end
end
