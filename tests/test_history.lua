-- Histories: a world that goes back to a tick goes on from there as it did, to the bit; handles and data come back with their objects.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local random_numbers = support.random_numbers

TestHistory, TestHistoryInSpace = {}, {}

local function scene(d, options)
	local space = d == collide.d3
	options = options or {}
	options.gravity = space and { 0, -10, 0 } or { 0, -10 }
	local world = d.newWorld(options)
	local box, ball = space and d.box(0.9, 0.9, 0.9) or d.box(0.9, 0.9), space and d.sphere(0.45) or d.circle(0.45)
	world:newBody { type = "static", y = -1, shape = space and d.box(60, 2, 60) or d.box(60, 2), friction = 0.7 }
	local bodies = {}
	for i = 1, 30 do bodies[i] = world:newBody { x = 1.05 * (i % 6), y = 0.5 + 1.05 * math.floor(i / 6), shape = i % 2 == 0 and box or ball, friction = 0.5 } end
	world:newBody { type = "static", x = 2, y = 8, shape = ball, sensor = true }
	local mover = world:newMover { shape = space and d.capsule(0, -0.4, 0, 0, 0.4, 0, 0.3) or d.capsule(0, -0.4, 0, 0.4, 0.3), x = -4, y = 0.8 }
	return world, bodies, mover, { box = box, ball = ball }
end

local function laws(suite, d)
	local space = d == collide.d3
	local zero = space and { 0, 0, 0 } or { 0, 0 }

	local function push_sideways(body, force)
		if space then body:applyForce(force, 0, 0) else body:applyForce(force, 0) end
	end

	-- Random operations, each drawn from the tick and the world alone, so that a replay repeats them.
	local function tick_of(world, mover, shapes)
		return function(tick)
			local number, choice = random_numbers(1000 + tick)
			for _ = 1, 3 do
				local what, listed = number(0, 1), {}
				for _, body in ipairs(world:getBodies()) do
					if body:getType() == "dynamic" then listed[#listed + 1] = body end
				end
				local body, other = listed[choice(#listed)], listed[choice(#listed)]
				local joints, fields = body:getJoints(), world:getFields()
				if what < 0.3 then
					push_sideways(body, number(-80, 80))
				elseif what < 0.4 then
					if #listed > 20 then body:destroy() end
				elseif what < 0.55 then
					if #listed < 45 then
						world:newBody { x = number(-3, 8), y = number(4, 9), shape = number(0, 1) < 0.5 and shapes.box or shapes.ball, data = tick, bullet = number(0, 1) < 0.2 }
					end
				elseif what < 0.7 then
					if body ~= other then
						world:newDistanceJoint { bodyA = body, bodyB = other, anchorA = zero, anchorB = zero, minLength = 0.5, maxLength = 3, hertz = 2, dampingRatio = 0.5 }
					end
				elseif what < 0.78 then
					if joints[1] then joints[1]:destroy() end
				elseif what < 0.82 then
					body:setEnabled(number(0, 1) < 0.7)
				elseif what < 0.88 then
					body:getColliders()[1]:setShape(number(0, 1) < 0.5 and shapes.box or shapes.ball)
				elseif what < 0.92 then
					if #fields < 5 then world:newField { shape = shapes.box, x = number(-2, 6), y = 2, wind = { velocity = space and { 3, 0, 0 } or { 3, 0 }, drag = 1 } } end
				elseif what < 0.95 then
					if fields[1] then fields[1]:destroy() end
				else
					world:setGravity((table.unpack or unpack)(space and { number(-1, 1), -10, 0 } or { number(-1, 1), -10 }))
				end
			end
			if space then mover:move(number(-0.05, 0.05), -0.02, 0, 1 / 60) else mover:move(number(-0.05, 0.05), -0.02, 1 / 60) end
			world:step(1 / 60)
			if number(0, 1) < 0.2 then collectgarbage() end
			return world:random()
		end
	end

	-- A push records each edit of what is awake, and a rewind takes it back.
	function suite.test_takes_back_each_edit()
		local world, bodies, mover, shapes = scene(d, { sleeping = false })
		local joint = world:newDistanceJoint { bodyA = bodies[1], bodyB = bodies[2], anchorA = zero, anchorB = zero, minLength = 0.5, maxLength = 3, hertz = 2, dampingRatio = 0.5 }
		local field = world:newField { shape = shapes.box, x = 2, y = 2, wind = { velocity = space and { 3, 0, 0 } or { 3, 0 }, drag = 1 } }
		-- Pages of records are compared whole: those of the body are its own.
		local function fill()
			for i = 1, 64 do world:newBody { type = "static", x = 20 + i, y = -9, shape = shapes.box } end
		end
		fill()
		local body, collider = world:newBody { x = 15, y = 0.45, shape = shapes.box }, bodies[8]:getColliders()[1]
		fill()
		for _ = 1, 60 do world:step(1 / 60) end
		local function vector(object, method, x, y)
			return function() object[method](object, x, y, space and 0.5 or nil) end
		end
		local function call(object, method, ...)
			local arguments = { ... }
			return function() object[method](object, (table.unpack or unpack)(arguments)) end
		end
		local edits = {
			call(body, "setBullet", true), call(body, "setSleepingAllowed", false), call(body, "setSleepThreshold", 0.4),
			call(body, "setLinearDamping", 0.3), call(body, "setAngularDamping", 0.2), call(body, "setGravityScale", 0.5),
			call(body, "setType", "kinematic"), call(body, "setType", "static"), call(body, "setEnabled", false),
			space and call(body, "setMassData", 7, 0, 0, 0, 2, 2, 2, 0, 0, 0) or call(body, "setMassData", 7, 0, 0, 2),
			vector(body, "setLinearVelocity", 1, 2), vector(body, "setPosition", 4, 9), vector(body, "applyForce", 3, 0),
			call(collider, "setFriction", 0.1), call(collider, "setRestitution", 0.3), call(collider, "setDensity", 3), call(collider, "setSensor", true),
			call(collider, "setGroup", -3), call(collider, "setPreSolve", true), call(collider, "setShape", shapes.box),
			call(joint, "setEnabled", false), call(joint, "setForceThreshold", 9), call(joint, "setCollideConnected", true),
			call(field, "setEnabled", false), call(field, "setPriority", 2), vector(field, "setPosition", 1, 1),
			call(mover, "setSkin", 0.02), call(mover, "setMass", 3), call(mover, "setMaxForce", 5), call(mover, "setShape", shapes.ball),
			call(mover, "setEnabled", false), vector(mover, "setUp", 0.1, 1), vector(mover, "setPosition", 3, 9),
			call(world, "setSubsteps", 2), call(world, "setContinuous", false), vector(world, "setGravity", 1, 1),
		}
		-- Serial numbers are not taken back: a snapshot behind one that makes something differs.
		local making = {
			call(body, "newCollider", shapes.ball),
			function() world:newBody { x = 1, y = 7, shape = shapes.box } end,
			function() world:newMover { x = 9, y = 3, shape = shapes.ball } end,
			function() world:newDistanceJoint { bodyA = bodies[4], bodyB = bodies[3], anchorA = zero, anchorB = zero, length = 3 } end,
			call(body, "destroy"), call(collider, "destroy"), call(joint, "destroy"), call(field, "destroy"), call(mover, "destroy"),
		}
		local history = world:newHistory { ticks = 4 }
		local function check(edit, name, look)
			world:step(1 / 60)
			history:push()
			local tick, before = select(2, history:getRange()), look()
			history:rewind(tick)
			local saved = world:save()
			edit()
			lu.assertFalse(world:save() == saved, name .. " changes nothing")
			world:step(1 / 60)
			history:push()
			history:rewind(tick)
			lu.assertTrue(look() == before, name)
		end
		for number, edit in ipairs(edits) do check(edit, "edit " .. number, function() return world:save() end) end
		local function future()
			for _ = 1, 5 do world:step(1 / 60) end
			return world:hash()
		end
		for number, edit in ipairs(making) do check(edit, "making " .. number, future) end
		world:validate()
	end

	-- A heavy body gives the light one below it a burden, which an edit ends.
	function suite.test_takes_back_edits_of_what_bears_a_load()
		local edits = {
			function(light) light:destroy() end,
			function(light) light:setType("static") end,
			function(light) light:setType("static") light:setType("dynamic") end,
			function(light) light:setEnabled(false) end,
			function(light, world, shape)
				light:destroy()
				world:newBody { x = 30, y = 5, shape = shape }
			end,
		}
		local function future(world)
			local hashes = {}
			for i = 1, 20 do
				world:step(1 / 60)
				hashes[i] = world:hash()
			end
			return table.concat(hashes, " ")
		end
		for number, edit in ipairs(edits) do
			for steps = 0, 1 do
				local world, box = d.newWorld {}, space and d.box(1, 1, 1) or d.box(1, 1)
				world:newBody { type = "static", y = -1, shape = space and d.box(60, 2, 60) or d.box(60, 2) }
				local light = world:newBody { y = 0.5, shape = box }
				world:newBody { y = 1.5, shape = box, density = 300 }
				for _ = 1, 2 do world:step(1 / 60) end
				local history = world:newHistory()
				history:push()
				local tick, expected = world:getTick(), future(collide.load(world:save()))
				edit(light, world, box)
				for _ = 1, steps do
					world:step(1 / 60)
					history:push()
				end
				history:rewind(tick)
				lu.assertEquals(future(world), expected, number)
			end
		end
	end

	function suite.test_replays_to_the_bit()
		for workers = 1, 2 do
			local world, _, mover, shapes = scene(d, { workers = workers, seed = 5 })
			local history = world:newHistory { ticks = 50 }
			local play = tick_of(world, mover, shapes)
			local hashes, saves = {}, {}
			local number, choice = random_numbers(3)
			local tick, furthest = 0, 0
			for _ = 1, 250 do
				hashes[tick] = hashes[tick] or world:hash()
				lu.assertEquals(world:hash(), hashes[tick])
				lu.assertEquals(history:push(), tick)
				if number(0, 1) < 0.2 then
					world:validate()
					saves[tick] = world:save():sub(26)
				end
				play(tick)
				tick = tick + 1
				furthest = math.max(furthest, tick)
				if number(0, 1) < 0.025 then
					local first, last = history:getRange()
					lu.assertEquals(last, tick - 1)
					lu.assertTrue(last - first < 50)
					tick = math.min(last, first + choice(last - first + 1) - 1)
					history:rewind(tick)
					world:validate()
					lu.assertEquals(world:hash(), hashes[tick])
					if saves[tick] then
						-- all but the serial numbers, which are never restored
						local again = collide.load(world:save())
						lu.assertEquals(again:hash(), hashes[tick])
						again:destroy()
					end
				end
			end
			world:destroy()
		end
	end

	-- A history goes on in a world that takes the place of the one it was made for, and brings back nothing of that one.
	function suite.test_goes_on_after_a_restore()
		local flat = d == collide.d2
		for _, back in ipairs { 1, 5, 17 } do
			local world = d.newWorld { gravity = flat and { 0, -20 } or { 0, -20, 0 } }
			local floor, box = flat and d.box(40, 1) or d.box(40, 1, 40), flat and d.box(0.8, 0.8) or d.box(0.8, 0.8, 0.8)
			world:newBody { type = "static", y = -0.5, shape = floor }
			for i = 1, 4 do world:newBody { x = 0.3 * i, y = 0.5 + i, shape = box } end
			local saved, history, hashes = world:save(), world:newHistory { ticks = 20 }, {}
			for _ = 1, 40 do
				history:push()
				world:step(1 / 60)
			end
			world:restore(saved)
			for _ = 1, 24 do
				hashes[history:push()] = world:save():sub(26)
				world:step(1 / 60)
			end
			local _, last = history:getRange()
			history:rewind(last - back)
			world:validate()
			lu.assertTrue(world:save():sub(26) == hashes[last - back])
			collide.load(world:save()):destroy()
			world:destroy()
		end
	end

	-- Each handle stands for one object for ever: against a model.
	function suite.test_handles_against_a_model()
		local number, choice = random_numbers(17)
		local world, _, _, shapes = scene(d)
		local history = world:newHistory { ticks = 30 }
		local all, alive, ticks, tick = {}, {}, {}, 0
		for _ = 1, 300 do
			local what = number(0, 1)
			if what < 0.35 then
				all[#all + 1] = world:newBody { x = number(-9, 9), y = 3 + number(0, 6), shape = shapes.ball, data = { #all + 1 }, name = "body " .. #all + 1 }
				alive[#all] = true
			elseif what < 0.6 and #all > 0 then
				local i = choice(#all)
				if alive[i] then
					all[i]:destroy()
					alive[i] = nil
				end
			elseif what < 0.85 then
				local copy = {}
				for i in pairs(alive) do copy[i] = true end
				ticks[tick] = copy
				history:push()
				world:step(1 / 60)
				tick = tick + 1
			elseif history:getRange() then
				local first, last = history:getRange()
				tick = first + choice(last - first + 1) - 1
				history:rewind(tick)
				alive = {}
				for i in pairs(ticks[tick]) do alive[i] = true end
			end
			if number(0, 1) < 0.1 then collectgarbage() end
			for i, body in ipairs(all) do
				lu.assertEquals(body:isValid(), alive[i] == true)
				if alive[i] then lu.assertTrue(body.data[1] == i and body:getName() == "body " .. i) end
			end
		end
		local listed = {}
		for _, body in ipairs(world:getBodies()) do listed[body] = true end
		for i, body in ipairs(all) do lu.assertEquals(listed[body] == true, alive[i] == true) end
		world:validate()
	end

	-- The history alone holds a destroyed body's handle and data.
	function suite.test_holds_handles_and_data()
		local world, _, _, shapes = scene(d)
		local history = world:newHistory { ticks = 20 }
		world:newBody { y = 20, shape = shapes.ball, name = "held", data = { 5 } }
		local watch = setmetatable({}, { __mode = "v" })
		history:push()
		for _, body in ipairs(world:getBodies()) do
			if body:getName() == "held" then
				watch[1] = body.data
				body:destroy()
			end
		end
		for _ = 1, 10 do
			world:step(1 / 60)
			collectgarbage()
			history:push()
		end
		lu.assertNotNil(watch[1])
		history:rewind(0)
		local found
		for _, body in ipairs(world:getBodies()) do found = body:getName() == "held" and body or found end
		lu.assertEquals(found.data[1], 5)
		found:destroy()
		found = nil
		for _ = 1, 40 do
			history:push()
			world:step(1 / 60)
		end
		collectgarbage()
		collectgarbage()
		lu.assertNil(watch[1])
	end

	function suite.test_events_are_empty_after_a_rewind()
		local world = scene(d)
		local history = world:newHistory {}
		local begins = {}
		for i = 0, 99 do
			history:push()
			world:step(1 / 60)
			local count = 0
			for _ in world:beginContacts() do count = count + 1 end
			begins[i] = count
		end
		history:rewind(40)
		for _ in world:beginContacts() do lu.fail "an event after a rewind" end
		for _ in world:endContacts() do lu.fail "an event after a rewind" end
		for i = 40, 99 do
			world:step(1 / 60)
			local count = 0
			for _ in world:beginContacts() do count = count + 1 end
			lu.assertEquals(count, begins[i])
		end
	end

	function suite.test_range_and_size()
		local world = scene(d)
		local history = world:newHistory { ticks = 10 }
		lu.assertNil(history:getRange())
		for i = 0, 24 do
			lu.assertEquals(history:push(), i)
			world:step(1 / 60)
		end
		lu.assertEquals({ history:getRange() }, { 15, 24 })
		lu.assertEquals(tostring(history), "history")
		local size = history:getByteCount()
		history:clear()
		lu.assertTrue(history:getByteCount() < size)
		lu.assertNil(history:getRange())
		lu.assertErrorMsgContains("rewind: the history is empty", history.rewind, history, 3)
		history:push()
		lu.assertErrorMsgContains("rewind: the history has no tick 3; it has 25 to 25", history.rewind, history, 3)
		lu.assertErrorMsgContains("rewind: tick must be", history.rewind, history, -1)
		lu.assertErrorMsgContains("rewind: tick must be", history.rewind, history, 2.5)
		lu.assertErrorMsgContains("newHistory: ticks must be", world.newHistory, world, { ticks = 0 })
		lu.assertErrorMsgContains("unknown key 'tick'", world.newHistory, world, { tick = 3 })
		lu.assertErrorMsgContains("push: expected a history", history.push, world)
		-- A world that is restored has other ticks: its histories are empty.
		world:restore(world:save())
		lu.assertNil(history:getRange())
		history:push()
		world:setFilter(function()
			lu.assertErrorMsgContains("world is locked", history.push, history)
			lu.assertErrorMsgContains("world is locked", history.rewind, history, 25)
			return true
		end)
		world:newBody { y = 9, shape = space and d.sphere(1) or d.circle(1) }
		world:newBody { y = 9, shape = space and d.sphere(1) or d.circle(1) }
		world:step(1 / 60)
		world:destroy()
		lu.assertErrorMsgContains("push: the history's world is destroyed", history.push, history)
	end

	function suite.test_no_garbage()
		local world = scene(d, { sleeping = false })
		local history = world:newHistory { ticks = 20 }
		lu.assertEquals(support.bytes_of(100, function()
			history:push()
			world:step(1 / 60)
			history:rewind(select(2, history:getRange()))
			world:step(1 / 60)
		end), 0)
	end

	-- Trees grow by more than what is asked for; their marks must have room for all of it.
	function suite.test_takes_back_many_bodies_created_one_by_one()
		local world, bodies = scene(d)
		local shape, history = space and d.sphere(0.2) or d.circle(0.2), world:newHistory { ticks = 3 }
		local hashes = {}
		history:push()
		for i = 1, 20000 do
			world:newBody { type = i % 3 == 0 and "dynamic" or "static", x = 30 + i, y = 50, shape = shape, awake = false }
			if i % 5000 == 0 then
				world:step(1 / 60)
				history:push()
				hashes[#hashes + 1] = world:hash()
			end
		end
		lu.assertEquals(#world:getBodies(), 20000 + #bodies + 3)
		for tick = 3, 2, -1 do
			history:rewind(tick)
			lu.assertTrue(world:validate())
			lu.assertEquals(world:hash(), hashes[tick])
			lu.assertEquals(#world:getBodies(), 5000 * tick + #bodies + 3)
		end
	end

	-- Nothing wakes a disabled body, so that all of its changes need marks of their own.
	function suite.test_takes_back_edits_of_disabled_bodies()
		local world = d.newWorld { gravity = zero }
		local ball = space and d.sphere(0.3) or d.circle(0.3)
		local function fill(y)
			for i = 1, 64 do world:newBody { type = "static", x = 2 * i, y = y, shape = ball } end
		end
		local far, near = space and { 9, 0, 0 } or { 9, 0 }, space and { -9, 0, 0 } or { -9, 0 }
		fill(20)
		local one = world:newBody { shape = ball }
		fill(40)
		local body = world:newBody { x = 18, shape = ball }
		fill(60)
		local joint = world:newRevoluteJoint { bodyA = one, bodyB = body, anchorA = far, anchorB = near }
		local collider = body:getColliders()[1]
		body:setEnabled(false)
		local awake = world:newBody { y = -9, shape = ball, sleepingAllowed = false }
		for _ = 1, 90 do world:step(1 / 60) end
		lu.assertTrue(awake:isAwake())
		local numbers = space and { 1, 2, 3, 4, 5, 6 } or { 1, 2, 3 }
		local transform = space and { 1, 2, 3, 0, 0, 0, 1 } or { 1, 2, 3 }
		local edits = {
			setVelocities = function() world:setVelocities({ body }, numbers) end,
			setTransforms = function() world:setTransforms({ body }, transform) end,
			setDensity = function() collider:setDensity(3) end,
			setShape = function() collider:setShape(space and d.box(1, 2, 3) or d.box(1, 2)) end,
			newCollider = function() body:newCollider(ball, { density = 5 }) end,
			setFrames = function() joint:setFrames { anchorA = far, anchorB = space and { -30, 0, 0 } or { -30, 0 } } end,
			setJointEnabled = function() joint:setEnabled(false) end,
			destroyJoint = function() joint:destroy() end,
		}
		local history, other = world:newHistory { ticks = 3 }, world:newHistory { ticks = 3 }
		-- Of a copy: a call of one of the body's methods would mark it.
		local function future()
			local loaded = collide.load(world:save())
			local twin = loaded:getBodies()[130]
			local hashes = { tostring(twin:getMass()), tostring(twin:getLinearVelocity()) }
			twin:setEnabled(true)
			if space then twin:setAngularVelocity(0, 0, 3) else twin:setAngularVelocity(3) end
			for i = 1, 5 do
				loaded:step(1 / 60)
				hashes[#hashes + 1] = loaded:hash()
			end
			loaded:destroy()
			return table.concat(hashes, " ")
		end
		for name, edit in pairs(edits) do
			history:push()
			local tick, expected = world:getTick(), future()
			world:step(1 / 60)
			other:push()
			edit()
			lu.assertNotEquals(future(), expected, name)
			other:push()
			history:rewind(tick)
			lu.assertEquals(future(), expected, name)
			lu.assertTrue(world:validate())
		end
	end

	-- The solver's states have no memory before the first dynamic body.
	function suite.test_goes_back_to_before_the_first_dynamic_body()
		for _, static in ipairs { true, false } do
			local world, ball = d.newWorld {}, space and d.sphere(1) or d.circle(1)
			local history = world:newHistory()
			if static then world:newBody { type = "static", y = -9, shape = ball } end
			history:push()
			local hash = world:hash()
			world:newBody { shape = ball }
			world:step(1 / 60)
			if static then history:push() end
			history:rewind(0)
			lu.assertTrue(world:validate())
			lu.assertEquals(world:hash(), hash)
		end
	end

	-- Two histories of one world, each of which goes back behind the other: each brings its own objects back, with their shapes and data.
	function suite.test_histories_of_two_branches()
		local points = space and { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2 } or { 0, 0, 2, 0, 1, 1.5 }
		local solid, ball = space and d.hull or d.polygon, space and d.sphere(1) or d.circle(1)
		local function drop_shapes()
			collectgarbage()
			collectgarbage()
			for i = 1, 100 do
				points[#points] = 1.5 + i
				solid(points)
			end
			points[#points] = 1.5
		end
		for _, first_ends in ipairs { false, true } do
			local world = d.newWorld {}
			world:newBody { y = 50, shape = ball }
			local one, two = world:newHistory(), world:newHistory()
			one:push()
			world:step(1 / 60)
			local body = world:newBody { shape = solid(points), data = { "mine" } }
			local count = #body:getColliders()[1]:getShape():getPoints()
			two:push()
			local hash = world:hash()
			one:rewind(0)
			lu.assertFalse(body:isValid())
			if first_ends then
				world:newBody { shape = ball }:destroy()
				one:clear()
			end
			drop_shapes()
			two:rewind(1)
			lu.assertTrue(body:isValid())
			lu.assertEquals(body.data, { "mine" })
			lu.assertTrue(world:validate())
			lu.assertEquals(world:hash(), hash)
			one, two = nil, nil
			drop_shapes()
			local kept = body:getColliders()[1]:getShape():getPoints()
			lu.assertEquals(#kept, count)
			lu.assertTrue(math.max((table.unpack or unpack)(kept)) <= 2)
			world:step(1 / 60)
			body:destroy()
			world:destroy()
		end
		local world = d.newWorld {}
		local body = world:newBody { shape = ball }
		local one, two = world:newHistory(), world:newHistory()
		one:push()
		body:getColliders()[1]:setShape(solid(points))
		two:push()
		one:rewind(0)
		two:rewind(0)
		drop_shapes()
		world:step(1 / 60)
		lu.assertTrue(world:validate())
		body:destroy()
		one, two = nil, nil
		drop_shapes()
		lu.assertTrue(world:validate())
	end

	-- A filter's refusal changes what the search for pairs knows of both colliders, of which one may sleep.
	function suite.test_takes_back_refused_pairs()
		local world = d.newWorld { gravity = zero, filter = function() return false end }
		local box = space and d.box(1, 1, 1) or d.box(1, 1)
		world:newBody { shape = box }
		for i = 1, 70 do world:newBody { x = 9 + i, shape = space and d.sphere(0.3) or d.circle(0.3) } end
		local body = world:newBody { x = -9, shape = box, sleepingAllowed = false }
		for _ = 1, 90 do world:step(1 / 60) end
		local history, other = world:newHistory(), world:newHistory()
		history:push()
		local tick, saved = world:getTick(), world:save()
		world:step(1 / 60)
		other:push()
		if space then body:setPosition(-0.5, 0, 0) else body:setPosition(-0.5, 0) end
		world:step(1 / 60)
		other:push()
		history:rewind(tick)
		lu.assertTrue(world:save() == saved)
	end

	-- Three histories, pushed and rewound at random: each brings back its own ticks, though these are of different pasts.
	function suite.test_random_branches()
		local box = space and d.box(1, 1, 1) or d.box(1, 1)
		for seed = 1, 100 do
			local number, choice = random_numbers(seed)
			local world = d.newWorld {}
			world:newBody { type = "static", y = -1, shape = space and d.box(50, 2, 20) or d.box(50, 2) }
			for i = 1, 4 do world:newBody { x = 0.7 * i, y = 0.5, shape = box } end
			local histories, hashes = {}, {}
			for i = 1, 3 do histories[i], hashes[i] = world:newHistory { ticks = 20 }, {} end
			local function dynamic()
				local bodies = world:getBodies()
				return #bodies > 1 and bodies[1 + choice(#bodies - 1)] or nil
			end
			local operations = {
				function() world:step(1 / 60) end,
				function() world:newBody { x = number(-3, 3), y = 1.5, shape = box } end,
				function() if dynamic() then dynamic():destroy() end end,
				function()
					local body, at = dynamic(), number(-0.2, 0.2)
					if body == nil or #world:getBodies() > 12 then return end
					local x, y = body:getPosition()
					if space then body:slice(1, 0, 0, x + at) else body:slice(x + at, y - 1, x - at, y + 1) end
				end,
				function()
					local i = choice(3)
					local tick = histories[i]:push()
					for known in pairs(hashes[i]) do
						if known > tick then hashes[i][known] = nil end
					end
					hashes[i][tick] = world:hash()
				end,
				function()
					local i = choice(3)
					local first, last = histories[i]:getRange()
					local tick = first and first + choice(last - first + 1) - 1
					if tick == nil or hashes[i][tick] == nil then return end
					histories[i]:rewind(tick)
					for known in pairs(hashes[i]) do
						if known > tick then hashes[i][known] = nil end
					end
					lu.assertEquals(world:hash(), hashes[i][tick])
					lu.assertTrue(world:validate())
				end,
			}
			for _ = 1, 80 do operations[choice(#operations)]() end
			collide.load(world:save()):destroy()
			world:destroy()
		end
	end

	-- Objects that a rewind has brought back may be destroyed again.
	function suite.test_destroys_again_what_has_come_back()
		local world = d.newWorld {}
		local history, shape = world:newHistory(), space and d.box(1, 1, 1) or d.box(1, 1)
		for i = 1, 50 do world:newBody { x = 2 * i, shape = shape } end
		history:push()
		for _ = 1, 4 do
			for _, body in ipairs(world:getBodies()) do body:destroy() end
			lu.assertEquals(world:getBodyCount(), 0)
			history:rewind(0)
			lu.assertEquals(world:getBodyCount(), 50)
		end
		for _, body in ipairs(world:getBodies()) do body:destroy() end
		lu.assertTrue(world:validate())
	end

	-- A collider that takes the place of one that a rewind has made undone shows its own shape.
	function suite.test_shapes_of_pieces_after_a_rewind()
		local world = d.newWorld { gravity = zero }
		local body = world:newBody { shape = space and d.box(1, 1, 1) or d.box(1, 1) }
		local history = world:newHistory()
		history:push()
		for _, x in ipairs { 0.1, 0.3, -0.2 } do
			local pieces = space and body:slice(1, 0, 0, x) or body:slice(x, -1, x, 1)
			local volume = 0
			for _, piece in ipairs(pieces) do
				local shape = piece:getColliders()[1]:getShape()
				lu.assertAlmostEquals(shape:getMass(1), piece:getMass(), 1e-6)
				volume = volume + shape:getMass(1)
			end
			lu.assertAlmostEquals(volume, 1, 1e-5)
			history:rewind(0)
		end
	end

	-- Static bodies beside it keep its record away from others that have changed.
	function suite.test_a_disabled_body_that_is_woken()
		local ball = space and d.sphere(0.5) or d.circle(0.5)
		for name, wake in pairs {
			setGravity = function(world) if space then world:setGravity(0, -1, 0) else world:setGravity(0, -1) end end,
			setSleepingAllowed = function(world) world:setSleepingAllowed(false) end,
		} do
			local world = d.newWorld { gravity = zero }
			local function fill() for i = 1, 70 do world:newBody { type = "static", x = 2 * i, y = 9, shape = ball } end end
			fill()
			local body = world:newBody { shape = ball }
			fill()
			for _ = 1, 120 do world:step(1 / 60) end
			body:setEnabled(false)
			local history = world:newHistory {}
			history:push()
			local tick, saved = world:getTick(), world:save()
			world:step(1 / 60)
			wake(world)
			history:push()
			history:rewind(tick)
			lu.assertTrue(world:save() == saved, name)
		end
	end

	-- A static body takes over its id, and has no pose at the begin of a step.
	function suite.test_the_pose_between_steps_of_a_destroyed_body_comes_back()
		local ball = space and d.sphere(0.5) or d.circle(0.5)
		local world = d.newWorld { gravity = zero }
		local lift = world:newBody { type = "kinematic", shape = ball, linearVelocity = space and { 1, 0, 0 } or { 1, 0 } }
		for _ = 1, 5 do world:advance(1 / 60) end
		world:advance(1 / 120)
		local history = world:newHistory {}
		history:push()
		local tick, x = world:getTick(), lift:getRenderTransform()
		world:step(1 / 60)
		local id = lift:getId()
		lift:destroy()
		lu.assertEquals(world:newBody({ type = "static", x = -50, shape = ball }):getId(), id)
		history:rewind(tick)
		lu.assertEquals(lift:getRenderTransform(), x)
	end

	function suite.test_two_histories_and_collection()
		local world, bodies = scene(d)
		local one, two = world:newHistory { ticks = 5 }, world:newHistory { ticks = 50 }
		for _ = 1, 40 do
			one:push()
			two:push()
			world:step(1 / 60)
		end
		local hash
		bodies[1]:destroy()
		one = nil
		collectgarbage()
		collectgarbage()
		two:rewind(2)
		lu.assertTrue(bodies[1]:isValid())
		hash = world:hash()
		world:step(1 / 60)
		two:rewind(2)
		lu.assertEquals(world:hash(), hash)
		world:validate()
		two = nil
		collectgarbage()
		world:step(1 / 60)
		world:validate()
	end
end

laws(TestHistory, collide.d2)
laws(TestHistoryInSpace, collide.d3)

-- Edits of shapes cannot be undone: they empty all histories, also while the body is disabled.
local function edits_clear(world, body, edit)
	for _, enabled in ipairs { true, false } do
		body:setEnabled(enabled)
		for _ = 1, 2 do
			local history = world:newHistory {}
			history:push()
			world:step(1 / 60)
			edit()
			lu.assertNil(history:getRange())
			history:push()
			world:step(1 / 60)
			history:rewind(select(2, history:getRange()))
			collectgarbage()
			collectgarbage()
			lu.assertTrue(world:validate())
			collide.load(world:save()):destroy()
		end
	end
end

function TestHistory.test_edits_of_tiles_clear_it()
	local world, kind = collide.d2.newWorld {}, 0
	local body = world:newBody { type = "static" }
	local map = body:newTiles { columns = 8, rows = 8, kinds = { { name = "rock" } } }
	edits_clear(world, body, function()
		kind = 1 - kind
		map:setCell(3, 3, kind)
	end)
end

function TestHistoryInSpace.test_edits_of_voxels_clear_it()
	local world, kind = collide.d3.newWorld {}, 0
	local body = world:newBody { type = "static" }
	local map = body:newVoxels { kinds = { { name = "rock" } } }
	edits_clear(world, body, function()
		kind = 1 - kind
		map:setCell(3, 3, 3, kind)
	end)
end

function TestHistoryInSpace.test_edits_of_heights_clear_it()
	local d3 = collide.d3
	local world, heights, depth = d3.newWorld {}, {}, 0
	for i = 1, 144 do heights[i] = 0 end
	local field = d3.heightField { heights = heights, columns = 12, rows = 12, cellWidth = 1, cellDepth = 1 }
	world:newBody { y = 3, shape = d3.sphere(1) }
	local body = world:newBody { type = "static", shape = field }
	field = nil
	edits_clear(world, body, function()
		depth = depth - 1
		body:getColliders()[1]:setHeights(3, 3, 2, 2, { depth, depth, depth, depth })
	end)
	lu.assertEquals(body:getColliders()[1]:getHeight(3, 3), depth)
end

-- Paths belong to their joints: a history keeps those of destroyed ones.
function TestHistory.test_joints_come_back()
	for _, d in ipairs { collide.d2, collide.d3 } do
		local space = d == collide.d3
		local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 } }
		local body = world:newBody { shape = space and d.sphere(0.5) or d.circle(0.5) }
		local joint = world:newPathJoint { bodyB = body, points = space and { 0, 0, 0, 5, 0, 0, 9, 3, 0 } or { 0, 0, 5, 0, 9, 3 }, motorSpeed = 2, maxMotorForce = 500 }
		local history = world:newHistory { ticks = 100 }
		for _ = 1, 20 do
			history:push()
			world:step(1 / 60)
		end
		local hash = world:hash()
		history:rewind(10)
		joint:destroy()
		world:step(1 / 60)
		history:push()
		history:rewind(10)
		lu.assertTrue(joint:isValid())
		for _ = 1, 10 do world:step(1 / 60) end
		lu.assertEquals(world:hash(), hash)
		world:validate()
		history:rewind(10)
		body:destroy()
		history:push()
		world:destroy()
	end
end

-- A gear counts on its joints and engages by their frames, also where these are disabled and far from it in all lists.
function TestHistory.test_gears_on_disabled_joints()
	for _, d in ipairs { collide.d2, collide.d3 } do
		for _, disabled in ipairs { "joint", "gear" } do
			local space = d == collide.d3
			local world = d.newWorld {}
			local middle, z, axis = space and { 0, 0, 0 } or { 0, 0 }, space and 0 or nil, space and { 0, 0, 1 } or nil
			local ground = world:newBody { type = "static" }
			local bodies = {}
			for i = 1, 3 do bodies[i] = world:newBody { x = 2 * i - 2, shape = space and d.sphere(0.5) or d.circle(0.5) } end
			local function fill()
				for i = 1, 60 do
					world:newDistanceJoint { bodyA = i % 2 == 0 and bodies[1] or ground, bodyB = bodies[3], minLength = 0.1, maxLength = 50, anchorA = middle, anchorB = middle, enabled = false }
				end
			end
			local one = world:newRevoluteJoint { bodyA = ground, bodyB = bodies[1], x = 0, y = 0, z = z, axis = axis }
			fill()
			local two = world:newRevoluteJoint { bodyA = ground, bodyB = bodies[2], x = 2, y = 0, z = z, axis = axis }
			local gear = disabled == "gear" and world:newGearJoint { jointA = one, jointB = two, ratio = 1 }
			fill()
			world:step(1 / 60);
			(gear or one):setEnabled(false)
			local history = world:newHistory {}
			history:push()
			local tick, hash = world:getTick(), world:hash()
			world:step(1 / 60)
			history:push()
			if gear then one:setFrames { x = 0.1, y = 0, z = z } else world:newGearJoint { jointA = one, jointB = two, ratio = 1 } end
			world:step(1 / 60)
			history:push()
			history:rewind(tick)
			lu.assertEquals(world:hash(), hash)
			collide.load(world:save()):destroy()
			one:destroy()
			world:validate()
			world:destroy()
		end
	end
end

-- A rewind forgets what preSolve has said of the sweeps since.
function TestHistory.test_decisions_on_sweeps_are_asked_again()
	for _, d in ipairs { collide.d2, collide.d3 } do
		local space = d == collide.d3
		local calls, solid = 0, false
		local world = d.newWorld {
			gravity = space and { 0, 0, 0 } or { 0, 0 },
			preSolve = function(contact)
				calls = calls + 1
				contact:setEnabled(solid)
			end,
		}
		world:newBody { type = "static", x = 5, shape = space and d.box(0.1, 4, 4) or d.box(0.1, 4), preSolve = true }
		local ball = world:newBody { x = 4.17, shape = space and d.sphere(0.2) or d.circle(0.2), linearVelocity = space and { 50, 0, 0 } or { 50, 0 }, bullet = true }
		local history = world:newHistory {}
		history:push()
		for _, wall in ipairs { false, true, false } do
			calls, solid = 0, wall
			world:step(1 / 60)
			lu.assertEquals(ball:getPosition() < 5, wall)
			lu.assertTrue(calls > 0)
			history:rewind(0)
		end
	end
end
