-- world:draw with `fields`: the outline, the origin, the arrows and the surface of a force field.
local lu, support = require "luaunit", require "support"
local d2, d3 = require("collide").d2, require("collide").d3

TestDrawFields = {}

-- The calls with the meaning "field", each a list: the function, then its numbers.
local function calls_of(world, options)
	local calls = {}
	local target = setmetatable({}, { __index = function(_, name)
		return function(meaning, ...)
			if meaning == "field" then calls[#calls + 1] = { name, ... } end
		end
	end })
	options = options or {}
	options.fields = true
	world:draw(target, options)
	return calls
end

local function named(calls, name)
	local found = {}
	for _, call in ipairs(calls) do
		if call[1] == name then found[#found + 1] = call end
	end
	return found
end

local function assert_near(found, expected)
	lu.assertEquals(#found, #expected)
	for i = 1, #expected do
		if type(expected[i]) == "number" then lu.assertAlmostEquals(found[i], expected[i], 1e-5) else lu.assertEquals(found[i], expected[i]) end
	end
end

function TestDrawFields.test_nothing_without_the_option_or_a_field()
	local world = d2.newWorld()
	lu.assertEquals(calls_of(world), {})
	local field = world:newField { shape = d2.circle(1), gravity = { 1, 0 } }
	lu.assertEquals(calls_of(world, { fields = false, shapes = true }) and #calls_of(world), 3)
	local calls = 0
	world:draw { segment = function() calls = calls + 1 end, circle = function() calls = calls + 1 end, point = function() calls = calls + 1 end }
	lu.assertEquals(calls, 0)
	field:setEnabled(false)
	lu.assertEquals(calls_of(world), {})
	field:setEnabled(true)
	field:destroy()
	lu.assertEquals(calls_of(world), {})
end

-- The arrow is 0.1 of the vector, turned with the field.
for dim, wing in pairs(support.wings) do
	TestDrawFields["test_arrows_of_" .. dim] = function()
		local d = dim == "d2" and d2 or d3
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local turn = dim == "d2" and { angle = math.pi / 2 } or { rotation = { axis = { 0, 0, 1 }, angle = math.pi / 2 } }
		for _, effect in ipairs { "gravity", "wind", "fluid" } do
			local vector = wing.vector(20, 10)
			local options = { position = wing.vector(3, 4), [effect] = effect == "gravity" and vector or effect == "wind" and { velocity = vector, drag = 1 }
				or { velocity = vector, density = 1 }, angle = turn.angle, rotation = turn.rotation }
			local field = world:newField(options)
			local calls = calls_of(world)
			lu.assertEquals(#calls, 2)
			assert_near(calls[1], dim == "d2" and { "point", 3, 4, 5 } or { "point", 3, 4, 0, 5 })
			assert_near(calls[2], dim == "d2" and { "segment", 3, 4, 2, 6 } or { "segment", 3, 4, 0, 2, 6, 0 })
			field:destroy()
		end
	end
end

-- The outline is that of a sensor in the same place, also of a field on a body that has moved since.
for dim, wing in pairs(support.wings) do
	TestDrawFields["test_outlines_of_" .. dim] = function()
		local d = dim == "d2" and d2 or d3
		local shapes = dim == "d2" and { d.circle(1), d.box(2, 1), d.capsule(0, 0, 1, 0, 0.5), d.ellipse(2, 1), d.halfPlane(0, 1, 0) }
			or { d.sphere(1), d.box(2, 1, 3), d.capsule(0, 0, 0, 1, 0, 0, 0.5), d.cylinder(1, 2), d.halfSpace(0, 1, 0, 0),
				d.compound { { shape = d.sphere(1) }, { shape = d.box(1, 1, 1), pose = d.pose(2, 0, 0) } } }
		for _, shape in ipairs(shapes) do
			local world = d.newWorld { gravity = wing.vector(0, 0) }
			local body = world:newBody { type = "kinematic", shape = wing.ball(d, 0.1), position = wing.vector(5, 5) }
			world:newField { shape = shape, body = body, attraction = { strength = 1 } }
			body:setPosition(wing.numbers(-3, 2))
			local view = dim == "d2" and { -20, -20, 20, 20 } or { -20, -20, -20, 20, 20, 20 }
			local calls = calls_of(world, { view = view, shapes = false })
			lu.assertEquals(table.remove(calls)[1], "point")
			local sensors, other = {}, d.newWorld { gravity = wing.vector(0, 0) }
			other:newBody { type = "static", position = wing.vector(-3, 2), shape = shape, sensor = true }
			other:draw(setmetatable({}, { __index = function(_, name) return function(_, ...) sensors[#sensors + 1] = { name, ... } end end }), { view = view })
			lu.assertEquals(#calls, #sensors)
			for i = 1, #calls do assert_near(calls[i], sensors[i]) end
			lu.assertTrue(#calls > 0)
			view = dim == "d2" and { 40, -60, 60, -50 } or { 40, -60, -20, 60, -50, 20 }
			lu.assertEquals(#calls_of(world, { view = view }) > 0, shape:getType() == "halfPlane")
			world:destroy()
			other:destroy()
		end
	end
end

-- The surface is at the highest point of the shape against gravity, and as wide as the shape.
function TestDrawFields.test_the_surface_of_a_fluid()
	for _, case in ipairs { { d2.box(8, 4), 0, 3, 8 }, { d2.box(8, 4), math.pi / 2, 5, 4 }, { d2.circle(2), 1, 3, 4 } } do
		local world = d2.newWorld { gravity = { 0, -10 } }
		world:newField { shape = case[1], x = 5, y = 1, angle = case[2], fluid = { density = 1 } }
		local surface = named(calls_of(world), "segment")
		lu.assertEquals(#surface, 1)
		lu.assertAlmostEquals(surface[1][3], case[3], 1e-5)
		lu.assertAlmostEquals(surface[1][5], case[3], 1e-5)
		lu.assertAlmostEquals(math.abs(surface[1][4] - surface[1][2]), case[4], 1e-5)
		lu.assertAlmostEquals(surface[1][4] + surface[1][2], 10, 1e-5)
	end
	local world = d3.newWorld { gravity = { -10, 0, 0 } }
	world:newField { shape = d3.sphere(2), x = 1, y = 2, z = 3, rotation = { axis = { 1, 2, 3 }, angle = 1 }, fluid = { density = 1 } }
	local edges, sums = named(calls_of(world), "segment"), { 0, 0, 0 }
	lu.assertEquals(#edges, 4)
	for _, edge in ipairs(edges) do
		for k = 1, 3 do sums[k] = sums[k] + edge[1 + k] / 4 end
		lu.assertAlmostEquals(edge[2], 3, 1e-5)
		lu.assertAlmostEquals(math.sqrt((edge[6] - edge[3]) ^ 2 + (edge[7] - edge[4]) ^ 2), 4, 1e-5)
	end
	assert_near(sums, { 3, 2, 3 })
	world = d2.newWorld { gravity = { 0, -10 } }
	world:newField { shape = d2.halfPlane(0, 1, 0), fluid = { density = 1 } } -- its outline is the surface
	lu.assertEquals(#named(calls_of(world, { view = { -5, -5, 5, 5 } }), "segment"), 0)
end
