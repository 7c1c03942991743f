-- Handles of bodies, colliders and joints: they are made when a script asks for them, are the same object as long as anything needs them, and are collected
-- when nothing does. The objects in the world live on.

local lu, support = require "luaunit", require "support"
local collide = require "collide"

-- Two collections: the first may only finish one under way.
local function collect()
	collectgarbage() collectgarbage()
end

local function count_of(t)
	local count = 0
	for _ in pairs(t) do count = count + 1 end
	return count
end

-- Makes the collector run a whole cycle as often as it can, so that finalizers run within nearly every call.
local function eager(f)
	collect()
	local pause, multiplier = collectgarbage("setpause", 0), collectgarbage("setstepmul", 1000)
	local done, message = pcall(f)
	collectgarbage("setpause", pause)
	collectgarbage("setstepmul", multiplier)
	if not done then error(message, 0) end
end

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], support.wings[dim]
	local suite = support.suite("TestHandles", dim)
	local ball = wing.ball(d, 0.5)

	-- Two points.
	local function points(x1, y1, x2, y2)
		if dim == "d2" then return x1, y1, x2, y2 end
		return x1, y1, 0, x2, y2, 0
	end

	local function world_of(count, options)
		local world = d.newWorld(options)
		for i = 1, count do world:newBody { position = wing.vector(3 * i, 0), shape = ball } end
		return world
	end

	-- Two bodies that touch from the first step on.
	local function touching(options)
		local world = d.newWorld(options)
		local a = world:newBody { type = "static", shape = ball }
		local b = world:newBody { position = wing.vector(0.9, 0), shape = ball }
		return world, a, b
	end

	local function joined()
		local world = world_of(2)
		local bodies = world:getBodies()
		return world, world:newRevoluteJoint { bodyA = bodies[1], bodyB = bodies[2], anchorA = wing.vector(1.5, 0), anchorB = wing.vector(-1.5, 0) }
	end

	function suite.test_are_the_same_object_while_held()
		local world, joint = joined()
		local body = world:newBody { position = wing.vector(50, 0), shape = ball }
		local collider = body:getColliders()[1]
		local known = { [body] = "body", [collider] = "collider", [joint] = "joint" }
		for _ = 1, 3 do
			collect()
			world:step(1 / 60)
			lu.assertEquals(known[world:getBodies()[3]], "body")
			lu.assertEquals(known[collider:getBody()], "body")
			lu.assertEquals(known[body:getColliders()[1]], "collider")
			lu.assertEquals(known[world:overlapShape(ball, d.pose(body:getTransform()))[1]], "collider")
			lu.assertEquals(known[world:getJoints()[1]], "joint")
			lu.assertEquals(known[joint:getBodyA():getJoints()[1]], "joint")
			local moved
			for other in world:moved() do moved = moved or known[other] end
			lu.assertEquals(moved, "body")
		end
	end

	function suite.test_are_collected_when_nothing_holds_them()
		local world, joint = joined()
		local handles = setmetatable({ [joint] = true }, { __mode = "k" })
		for _, body in ipairs(world:getBodies()) do
			handles[body] = true
			handles[body:getColliders()[1]] = true
		end
		lu.assertEquals(count_of(handles), 5)
		collect()
		lu.assertEquals(count_of(handles), 1)
		joint = nil
		collect()
		lu.assertEquals(count_of(handles), 0)
		lu.assertEquals({ world:getBodyCount(), world:getColliderCount(), world:getJointCount() }, { 2, 2, 1 })
		lu.assertTrue(world:getJoints()[1]:getBodyB() == world:getBodies()[2])
		lu.assertTrue(world:getBodies()[2]:getColliders()[1]:getShape() == ball)
		world:step(1 / 60)
		world:validate()
	end

	function suite.test_their_name_and_data_stay()
		local world = d.newWorld()
		local data = { list = {} }
		do
			local body = world:newBody { shapes = { { shape = ball, data = data.list }, { shape = ball } }, name = "door", data = data }
			data.body = body
			body:newCollider(ball).data = "late"
		end
		for _ = 1, 2 do
			collect()
			world:step(1 / 60)
			local body = world:getBodies()[1]
			lu.assertTrue(body == data.body and body.data == data)
			lu.assertEquals(body:getName(), "door")
			local colliders = body:getColliders()
			lu.assertTrue(colliders[1].data == data.list)
			lu.assertEquals({ #colliders, colliders[3].data }, { 3, "late" })
			lu.assertNil(colliders[2].data)
		end
	end

	-- The data refer to the handle, and the handle has the data.
	function suite.test_a_cycle_through_data_is_collected_with_its_body()
		local world, joint = joined()
		local seen = setmetatable({}, { __mode = "k" })
		local function tie(object)
			object.data = { object }
			seen[object.data] = true
		end
		tie(world:getBodies()[1]) tie(world:getBodies()[1]:getColliders()[1]) tie(joint)
		joint = nil
		collect()
		lu.assertEquals(count_of(seen), 3)
		world:getBodies()[1]:destroy()
		for _ = 1, 3 do world:step(1 / 60) end
		collect()
		lu.assertEquals(count_of(seen), 0)
		tie(world:getBodies()[1])
		world = nil
		collect()
		lu.assertEquals(count_of(seen), 0)
	end

	function suite.test_events_of_destroyed_objects_name_one_handle()
		for _, held in ipairs { true, false } do
			local world, _, b = touching()
			world:step(1 / 60)
			local collider = held and b:getColliders()[1] or nil
			b:destroy()
			collect()
			for _ = 1, 2 do
				local named = {}
				for first, second in world:beginContacts() do named[#named + 1] = first:isValid() and second or first end
				world:step(1 / 60)
				for first, second in world:endContacts() do named[#named + 1] = first:isValid() and second or first end
				for first, second in world:endContacts() do named[#named + 1] = first:isValid() and second or first end
				if #named == 0 then break end
				lu.assertEquals(#named, 3)
				lu.assertFalse(named[1]:isValid())
				lu.assertTrue(named[1] == named[2] and named[2] == named[3])
				if held then lu.assertTrue(named[1] == collider) end
			end
		end
	end

	function suite.test_data_of_a_destroyed_collider_reach_its_end_event()
		local world, _, b = touching()
		b:getColliders()[1].data = "ball"
		world:step(1 / 60)
		b:destroy()
		b = nil
		collect()
		world:step(1 / 60)
		local data = {}
		for first, second in world:endContacts() do data = { first.data or second.data } end
		lu.assertEquals(data, { "ball" })
	end

	function suite.test_functions_of_the_script_get_the_same_handle()
		local seen = {}
		local world, a, b = touching { filter = function(first, second)
			seen[first], seen[second] = true, true
			return true
		end }
		world:step(1 / 60)
		world:raycast(points(-5, 0, 5, 0))
		collect()
		lu.assertEquals(count_of(seen), 2)
		lu.assertTrue(seen[a:getColliders()[1]] and seen[b:getColliders()[1]])
		for first, second in world:beginContacts() do lu.assertTrue(seen[first] and seen[second]) end
		for first, second in world:contacts() do lu.assertTrue(seen[first] and seen[second]) end
	end

	-- The new body has the old one's place in all tables.
	function suite.test_a_destroyed_body_is_none_of_the_living()
		local world = world_of(1)
		local old, last = world:getBodies()[1], nil
		local collider = old:getColliders()[1]
		for i = 1, 3 do
			(last or old):destroy()
			world:newBody { position = wing.vector(i, 0), shape = ball }
			collect()
			last = world:getBodies()[1]
			lu.assertTrue(last:isValid() and last ~= old and last:getColliders()[1] ~= collider)
			lu.assertFalse(old:isValid() or collider:isValid())
		end
	end

	function suite.test_a_body_that_nothing_holds_leaves_few_bytes()
		local world, before = d.newWorld(), nil
		local function make(count)
			for i = 1, count do world:newBody { position = wing.vector(3 * i, 0), shape = ball } end
			collect()
			return collectgarbage "count" * 1024
		end
		before = make(10)
		for _, count in ipairs { 1500, 2600, 4200 } do
			local left = (make(count) - before) / (world:getBodyCount() - 10)
			lu.assertTrue(left <= 64, left)
		end
	end

	-- Finalizers are code of the script. They run in any call that makes a handle, and may destroy what it is for.
	function suite.test_finalizers_change_the_world_while_handles_are_made()
		local world, fallen, busy = nil, 0, true
		local function strike()
			if not busy then return end
			fallen = fallen + 1
			support.finalized(strike)
			if not world:isValid() or world:isLocked() then return end
			local bodies = world:getBodies()
			local body = bodies[fallen * 7 % #bodies + 1]
			if fallen % 3 == 0 then body:destroy() end
			if fallen % 3 == 1 then world:newBody { position = wing.vector(fallen % 9 * 0.9, 1), shape = ball, data = {} } end
			if fallen % 3 == 2 and body:isValid() then body:newCollider(ball, { data = body }) end
		end
		for round = 1, 20 do
			world = d.newWorld()
			for i = 1, 20 do world:newBody { position = wing.vector(i * 0.9, 0), shapes = { { shape = ball, data = i }, { shape = ball } } } end
			for _ = 1, 3 do world:step(1 / 60) end
			support.finalized(strike)
			eager(function()
				for _ = 1, 5 do
					for _, body in ipairs(world:getBodies()) do
						pcall(body.getColliders, body) pcall(body.getJoints, body)
						if round % 4 == 0 and body:isValid() then body:destroy() end
					end
					for _, loop in ipairs { "moved", "contacts", "beginContacts", "endContacts", "hits" } do
						for a, b in world[loop](world) do lu.assertEquals(type(a), "userdata", b) end
					end
					world:overlapBox(points(-5, -5, 30, 5))
					world:raycast(points(-5, 0, 30, 0))
					if world:getBodyCount() > 1 then
						local bodies = world:getBodies()
						pcall(world.newRevoluteJoint, world, { bodyA = bodies[1], bodyB = bodies[#bodies], anchorA = wing.vector(0, 0), anchorB = wing.vector(0, 0) })
					end
					world:newBody { position = wing.vector(0, 9), shapes = { { shape = ball, data = {} } }, data = {} }
					world:validate()
					world:step(1 / 60)
				end
			end)
		end
		busy = false
		lu.assertTrue(fallen > 100)
	end

	function suite.test_a_finalizer_destroys_the_world_while_handles_are_made()
		local functions = {
			function(world) return world:getBodies() end,
			function(_, body) return body:getColliders() end,
			function(world) for _ in world:moved() do end end,
			function(world) for _ in world:contacts() do end end,
			function(world) for _ in world:beginContacts() do end end,
			function(world) return world:raycast(points(-5, 0, 30, 0)) end,
			function(world) return world:overlapBox(points(-5, -5, 30, 5)) end,
			function(world) return world:newBody { shapes = { { shape = ball, data = {} } }, data = {} } end,
			function(_, body) return body:newCollider(ball, { data = {} }) end,
		}
		local struck = 0
		for _, f in ipairs(functions) do
			struck = struck + support.interrupted(function()
				local world, body = touching()
				for k = 1, 4 do world:newBody { position = wing.vector(0.2 * k, 0.4), shape = ball } end
				world:step(1 / 60)
				return world, body
			end, function(world)
				if not world:isLocked() then world:destroy() end
			end, f)
		end
		lu.assertTrue(struck > 0)
	end

	-- A finalizer may make the body dynamic while a collider is made on it: a half-space still never gets on a dynamic body.
	function suite.test_a_finalizer_changes_the_bodys_type_while_a_collider_is_made()
		local floor = dim == "d2" and d.halfPlane(0, 1, 0) or d.halfSpace(0, 1, 0, 0)
		local struck, dynamic, wrong = 0, 0, 0
		for _ = 1, 5 do
			local worlds = {}
			struck = struck + support.interrupted(function()
				worlds[#worlds + 1] = d.newWorld()
				return worlds[#worlds]:newBody { type = "static" }
			end, function(body) pcall(body.setType, body, "dynamic") end, function(body)
				pcall(body.newCollider, body, floor, { data = 1 })
				if body:getType() == "dynamic" then dynamic = dynamic + 1 end
				if body:getType() == "dynamic" and #body:getColliders() > 0 then wrong = wrong + 1 end
			end)
		end
		lu.assertTrue(struck > 0 and dynamic > 0)
		lu.assertEquals(wrong, 0)
	end
end
