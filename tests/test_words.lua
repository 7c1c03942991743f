-- Names that an object or a module does not have: reading or assigning them raises, with the word to use instead.

local lu, collide = require "luaunit", require "collide"
local d2, d3 = collide.d2, collide.d3

TestWords = {}

local function raises(text, f)
	local ok, message = pcall(f)
	if ok or not tostring(message):find(text, 1, true) then lu.fail(("expected an error with: %s\ngot: %s"):format(text, tostring(message))) end
	return message
end

-- The objects of a dimension, by the names of their classes. With `data`, those that can have data have some.
local function objects(d, data)
	local space = d == d3
	local world = d.newWorld()
	world.data = data
	local body = world:newBody { shape = space and d.sphere(1) or d.circle(1), data = data }
	local collider = body:getColliders()[1]
	collider.data = data
	return { world = world, body = body, collider = collider, shape = space and d.sphere(1) or d.circle(1), pose = space and d.pose(0, 0, 0) or d.pose(0, 0),
		mover = world:newMover { shape = space and d.sphere(1) or d.circle(1), data = data }, joint = world:newRevoluteJoint { bodyA = body, bodyB = world:newBody {}, x = 0, y = 0, z = space and 0 or nil, data = data },
		index = collide.newTree(), generator = collide.newRandom(1), heightmap = space and d.heightmap { cellWidth = 1, cellDepth = 1, columns = 2, rows = 2, heights = { 0, 0, 0, 0 } } or d.heightmap { cellWidth = 1, heights = { 0, 0 } }, loop = select(2, world:contacts()) }
end

local function has(object, name)
	return (pcall(function() return object[name] end))
end

-- The rows of the table in words.c: { owners, names, words }, each a list.
local function rows()
	local path = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../src/bind/lua/words.c"
	local file = assert(io.open(path))
	local text = file:read "*a":match "foreigners%[%] = {\n(.-)\n};":gsub('"%s*\n%s*"', "")
	file:close()
	local list = {}
	for owners, names, words in text:gmatch '{"([^"]*)",%s*"([^"]*)",%s*"([^"]*)"}' do
		local row = { {}, {}, {} }
		for i, of in ipairs { owners, names, words } do for word in of:gmatch "%S+" do table.insert(row[i], word) end end
		list[#list + 1] = row
	end
	local _, count = text:gsub("\n?\t{", "")
	lu.assertEquals(#list, count)
	return list
end

-- Whether the word of a message exists: a method of the object, or as written, such as d2.box, world:step or newWorld{layers}.
local function exists(word, object, all)
	local owner, name = word:match "^(%w+)[.:](%w+)$"
	local constructor, key = word:match "^(%w+){(%w+)}$"
	if constructor then
		local _, message = pcall(constructor == "newWorld" and d2.newWorld or function(options) return all.body:newCollider(d2.circle(1), options) end,
			{ [key] = print })
		return not message:find "unknown key"
	end
	if owner then return has(rawget(collide, owner) or (owner == "collide" and collide) or all[owner], name) end
	return word == "data" or has(object, word)
end

-- Every foreign name of the table raises in at least one dimension, with a word to use there, and every word in a message exists.
function TestWords.test_foreign_names()
	local told, shown = {}, {}
	for _, d in ipairs { d2, d3 } do
		local all = objects(d)
		for i, row in ipairs(rows()) do
			for _, owner in ipairs(row[1]) do
				for _, object in ipairs(owner == "module" and { d, collide } or { all[owner] }) do
					for _, name in ipairs(row[2]) do
						local ok, message = pcall(function() return object[name] end)
						for word in (ok and "" or message):gmatch "'([^']+)'" do
							lu.assertStrContains(message, ('unknown %s "%s" of'):format(owner == "module" and "function" or "method or field", name))
							lu.assertTrue(exists(word, object, all), message)
							told[owner .. "." .. name], shown[i .. (word:match "^d[23]%.(.*)" or word)] = true, true
						end
					end
				end
			end
		end
	end
	for i, row in ipairs(rows()) do
		for _, name in ipairs(row[2]) do for _, owner in ipairs(row[1]) do lu.assertTrue(told[owner .. "." .. name], owner .. "." .. name) end end
		for _, word in ipairs(row[3]) do lu.assertTrue(shown[i .. (word:match "^d[23]%.(.*)" or word)], "never shown: " .. word) end
	end
end

local function check(list, all)
	for _, case in ipairs(list) do
		local object = all[case[1]]
		raises(case[3], function() return object[case[2]] end)
	end
end

function TestWords.test_methods_and_fields()
	for _, data in ipairs { false, "yours" } do
		local plane, space = objects(d2, data or nil), objects(d3, data or nil)
		check({
			{ "world", "newScrewJoint", [[unknown method or field "newScrewJoint" of a world (there are: 'newDistanceJoint']] },
			{ "world", "newScrewJoint", "'newRevoluteJoint'" },
			{ "world", "update", "use 'step'" },
			{ "world", "queryBoundingBox", "use 'overlapBox'" },
			{ "world", "stepp", "did you mean 'step'?" },
			{ "body", "x", [[unknown method or field "x" of a body, use 'getPosition']] },
			{ "body", "getX", "use 'getPosition'" },
			{ "world", "remove", "use 'body:destroy'" },
			{ "world", "move", "use 'd2.slideShape'" },
			{ "world", "CreateBody", "use 'newBody'" },
			{ "world", "QueryAABB", "use 'overlapBox'" },
			{ "world", "GetGravity", "use 'getGravity'" },
			{ "world", "getBody", "use 'getBodies'" },
			{ "body", "ApplyForceToCenter", "use 'applyForce'" },
			{ "body", "CreateFixture", "use 'newCollider'" },
			{ "collider", "TestPoint", "use 'containsPoint'" },
			{ "joint", "EnableLimit", "use 'setLimits'" },
			{ "body", "applyLinearImpulse", "use 'applyImpulse'" },
			{ "body", "angularVelocity", "use 'getAngularVelocity'" },
			{ "body", "getAwake", "use 'isAwake'" },
			{ "body", "name", "use 'getName'" },
			{ "body", "setFriction", "a collider has 'setFriction'" },
			{ "body", "aplyForce", "did you mean 'applyForce'?" },
			{ "body", "", [[unknown method or field "" of a body]] },
			{ "body", ("x"):rep(5000), "of a body" },
			{ "body", 1, "unknown method or field 1 of a body" },
			{ "body", true, "unknown method or field true of a body" },
			{ "collider", "applyForce", "a body has 'applyForce'" },
			{ "joint", "setMotorSpeed", "use 'setMotor'" },
			{ "joint", "x", "of a joint" },
			{ "shape", "move", ".pose'" },
			{ "pose", "x", "use 'getPosition'" },
			{ "index", "add", [[unknown method or field "add" of an index, use 'insert']] },
			{ "heightmap", "heightAtt", "did you mean 'heightAt'?" },
			{ "loop", "next", [[unknown method or field "next" of a loop]] },
		}, plane)
		check({
			{ "world", "newBallJoint", "use 'newSphericalJoint'" },
			{ "world", "castMover", "use 'd3.slideShape'" },
			{ "world", "newScrewJoint", "'newSphericalJoint'" },
			{ "body", "getAngle", "use 'getRotation'" },
			{ "body", "rotation", "use 'getRotation'" },
			{ "collider", "setSurfaceVelocity", "use 'setTangentVelocity'" },
			{ "pose", "getAngle", "use 'getRotation'" },
		}, space)
		lu.assertEquals(plane.body.data, data or nil)
		lu.assertEquals(space.world.data, data or nil)
	end
end

function TestWords.test_assignments()
	for _, d in ipairs { d2, d3 } do
		for _, data in ipairs { false, 7 } do
			local all = objects(d, data or nil)
			for _, case in ipairs {
				{ "body", "x", [[a body has no field "x" to assign, use 'setPosition']] },
				{ "body", "linearVelocity", "use 'setLinearVelocity'" },
				{ "body", "awake", "use 'setAwake'" },
				{ "body", "mass", "use 'setMassData'" },
				{ "body", "health", [[a body has no field "health" to assign; what is yours goes into its field data]] },
				{ "collider", "friction", "use 'setFriction'" },
				{ "world", "gravity", "use 'setGravity'" },
				{ "joint", "motorSpeed", "use 'setMotor'" },
				{ "index", "x", "an index has no field \"x\" to assign" },
				{ "shape", "radius", "never changes" },
			} do
				raises(case[3], function() all[case[1]][case[2]] = 1 end)
			end
			lu.assertEquals(all.body.data, data or nil)
		end
	end
end

function TestWords.test_modules()
	for text, f in pairs {
		["unknown function \"rectangle\" of collide.d2, use 'box'"] = function() d2.rectangle(1, 2) end,
		["unknown function \"rectangle\" of collide, use 'd2.box', 'd3.box'"] = function() collide.rectangle(1, 2) end,
		["unknown function \"newWorld\" of collide, use 'd2.newWorld', 'd3.newWorld'"] = function() collide.newWorld() end,
		["of collide.d2, use 'circle'"] = function() d2.sphere(1) end,
		["of collide.d3, use 'sphere'"] = function() d3.newCircleShape(1) end,
		["of collide.d2, use 'd3.cylinder'"] = function() d2.cylinder(1, 2) end,
		["of collide.d2, use 'collide.newTree'"] = function() d2.newTree() end,
		["of collide.d3 (there are: 'world:newCylindricalJoint', 'world:newDistanceJoint'"] = function() d3.newScrewJoint() end,
		["unknown function \"ball\" of collide.d2, use 'circle'"] = function() d2.ball(1) end,
		["unknown function \"ball\" of collide.d3, use 'sphere'"] = function() d3.ball(1) end,
		["unknown function \"cube\" of collide.d3, use 'box'"] = function() d3.cube(1) end,
		["of collide.d3, use 'world:newRevoluteJoint', 'world:newSphericalJoint'"] = function() d3.newHingeJoint() end,
		["of collide.d2, use 'world:newRevoluteJoint'"] = function() d2.newRevoluteJoint() end,
		["did you mean 'minkowskiSum'?"] = function() d2.minkowskiSumm() end,
		["unknown function \"frobnicate\" of collide.d2"] = function() d2.frobnicate() end,
	} do raises(text, f) end
	-- A wrong word is worse than none.
	local all = objects(d3)
	for _, case in ipairs { { d3, "mat4" }, { collide, "vec2" }, { all.joint, "getReferenceAngle" } } do
		local _, message = pcall(function() return case[1][case[2]] end)
		lu.assertNil(message:find "use '" or message:find "did you mean", message)
	end
end

-- Libraries that print, copy or compare values do not stumble over the tables and objects.
function TestWords.test_tables_can_be_walked()
	for _, module in ipairs { collide, d2, d3 } do
		local count, listed = 0, 0
		for name, value in pairs(module) do
			lu.assertEquals(type(name), "string")
			lu.assertTrue(rawequal(module[name], value))
			count = count + 1
		end
		lu.assertTrue(count > 8)
		for _ in ipairs(module) do listed = listed + 1 end
		lu.assertEquals({ listed, #module }, { 0, 0 })
		lu.assertNil(rawget(module, "love"))
		lu.assertTrue(#lu.prettystr(module) > 100)
		lu.assertTrue(lu.private.__genSortedIndex == nil or #lu.private.__genSortedIndex(module) == count)
		lu.assertEquals(module, module)
		lu.assertStrContains(tostring(module), "table")
		lu.assertFalse(getmetatable(module))
	end
	d2.mine = function() return 4 end -- a script may add functions of its own
	lu.assertEquals(d2.mine(), 4)
	d2.mine = nil
	raises("unknown function", function() return d2.mine end)
	for _, d in ipairs { d2, d3 } do
		for class, object in pairs(objects(d, {})) do
			local name = class == "loop" and _VERSION == "Lua 5.1" and "userdata" or class -- 5.1 knows no __name
			lu.assertStrContains(lu.prettystr(object), name)
			lu.assertStrContains(lu.prettystr { object }, name)
			lu.assertTrue(pcall(tostring, object))
		end
	end
end

-- The metamethods stand calls with anything, as the debug library allows.
function TestWords.test_metamethods_called_by_hand()
	local body = objects(d2, {}).body
	local plain = objects(d2).body
	local index = debug.getmetatable(body).__index
	for _, value in ipairs { 1, "x", {}, d2, body } do
		pcall(index, value, "x")
		pcall(debug.getmetatable(debug.getmetatable(plain).__index).__index, value, "x")
		pcall(debug.getmetatable(d2).__index, value, value)
		if value ~= d2 then pcall(debug.getmetatable(collide).__newindex, value, value, value) end
	end
	pcall(debug.getmetatable(d2).__index)
	pcall(index)
	lu.assertEquals(body.data, {})
end

-- The error comes as well where a script has put something else in place of the tables in which the words are looked for.
function TestWords.test_tables_that_a_script_replaced()
	for _, value in ipairs { false, 5, "x", print } do
		local body, world = objects(d3).body, d2.newWorld()
		local meta = debug.getmetatable(body)
		local methods = meta.__index
		collide.d2, collide.d3, meta.__index = value or nil, value or nil, value or nil
		local ok, message = pcall(function()
			raises("unknown function \"rectangle\" of collide.d2", function() return d2.rectangle end)
			raises("unknown function \"rectangle\" of collide", function() return collide.rectangle end)
			raises("unknown method or field \"getX\" of a world", function() return world.getX end)
			raises("a body has no field \"mass\" to assign", function() body.mass = 1 end)
		end)
		collide.d2, collide.d3, meta.__index = d2, d3, methods
		if not ok then error(message, 0) end
	end
end
