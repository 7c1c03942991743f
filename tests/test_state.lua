-- Snapshots: a world that is saved and restored goes on as if nothing had happened, to the bit; handles follow serial numbers; damaged snapshots are refused.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local random_numbers = support.random_numbers

TestState, TestStateInSpace = {}, {}

-- One scene for both dimensions: piles of several shapes, joints, a mover, a field, sensors, names.
local function scene(d, options)
	local space = d == collide.d3
	options = options or {}
	options.gravity = space and { 0, -10, 0 } or { 0, -10 }
	options.layers = options.layers or { "default", "ghost" }
	local world = d.newWorld(options)
	local box, ball = space and d.box(0.9, 0.9, 0.9) or d.box(0.9, 0.9), space and d.sphere(0.45) or d.circle(0.45)
	local flat = space and d.capsule(-0.4, 0, 0, 0.4, 0, 0, 0.2) or d.capsule(-0.4, 0, 0.4, 0, 0.2)
	world:newBody { type = "static", y = -1, shape = space and d.box(40, 2, 40) or d.box(40, 2), friction = 0.7, name = "ground", color = "#888888" }
	world:newBody { type = "static", x = 3, y = 2, shape = ball, sensor = true, name = "gate" }
	local bodies = {}
	for i = 1, 36 do
		bodies[i] = world:newBody { x = 0.8 * (i % 6), y = 0.5 + 1.05 * math.floor(i / 6), shape = ({ box, ball, flat })[i % 3 + 1], friction = 0.5,
			restitution = i % 5 == 0 and 0.4 or 0, layer = i % 7 == 0 and "ghost" or nil, material = { name = i % 2 == 0 and "wood" or "stone" } }
	end
	local at = space and { x = 0.4, y = 1.5, z = 0, axis = { 0, 0, 1 } } or { x = 0.4, y = 1.5 }
	at.bodyA, at.bodyB = bodies[6], bodies[7]
	world:newRevoluteJoint(at)
	world:newDistanceJoint { bodyA = bodies[20], bodyB = bodies[33], anchorA = space and { 0, 0, 0 } or { 0, 0 }, anchorB = space and { 0, 0, 0 } or { 0, 0 }, length = 2, hertz = 3, dampingRatio = 0.3, forceThreshold = 50, breakable = true }
	world:newField { shape = space and d.box(4, 4, 4) or d.box(4, 4), x = -6, y = 1, wind = { velocity = space and { 5, 0, 0 } or { 5, 0 }, drag = 1 }, name = "breeze" }
	local mover = world:newMover { shape = space and d.capsule(0, -0.4, 0, 0, 0.4, 0, 0.3) or d.capsule(0, -0.4, 0, 0.4, 0.3), x = -4, y = 0.8 }
	return world, bodies, mover
end

local function go(world, steps)
	for _ = 1, steps do world:step(1 / 60) end
	return world:hash()
end

local function laws(suite, d)
	local space = d == collide.d3

	-- Also worlds whose bodies have just gone to sleep, woken, or left the broad phase's trees for both, and are destroyed.
	function suite.test_destroyed_after_they_slept_or_woke()
		local ends = {
			function(body) body:setAwake(false) end,
			function(body) body:setAwake(false) body:setAwake(true) end,
			function(body) body:setAwake(false) body:setEnabled(false) end,
			function(body) body:setEnabled(false) body:setEnabled(true) end,
			function() end,
		}
		for _, change in ipairs(ends) do
			for steps = 0, 3 do
				local world, bodies = scene(d, {})
				go(world, 20)
				for i = 1, #bodies, 3 do
					change(bodies[i])
					bodies[i]:destroy()
				end
				for _ = 1, steps do world:step(1 / 60) end
				local other = collide.load(world:save())
				other:validate()
				lu.assertEquals(go(other, 30), go(world, 30))
				world:validate()
			end
		end
		-- and of a body that falls asleep by itself
		local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 } }
		world:newBody { type = "static", shape = space and d.box(10, 1, 10) or d.box(10, 1) }
		local box = world:newBody { y = 1, shape = space and d.box(1, 1, 1) or d.box(1, 1) }
		go(world, 120)
		lu.assertFalse(box:isAwake())
		box:destroy()
		collide.load(world:save()):validate()
	end

	-- Also worlds whose movers are not kinematic any more: these cannot move, but live on.
	function suite.test_movers_of_any_type()
		for _, type in ipairs { "static", "dynamic", "kinematic" } do
			local world, _, mover = scene(d, {})
			mover:getBody():setType(type)
			go(world, 10)
			local saved = world:save()
			local other, after = collide.load(saved), go(world, 30)
			other:validate()
			lu.assertEquals(other:getMovers()[1]:getBody():getType(), type)
			lu.assertEquals(go(other, 30), after)
			world:restore(saved)
			lu.assertEquals(go(world, 30), after)
		end
	end

	function suite.test_goes_on_to_the_bit()
		local number = random_numbers(5)
		for trial = 1, 4 do
			local world, bodies, mover = scene(d, { workers = trial, jointSolver = trial % 2 == 0 and "direct" or nil })
			go(world, math.floor(number(0, 90)))
			mover:move(0.05, 0, space and 0 or 1 / 60, space and 1 / 60 or nil)
			local saved, before = world:save(), world:hash()
			local after = go(world, 60)
			bodies[3]:destroy()
			go(world, 20)
			world:restore(saved)
			world:validate()
			lu.assertEquals(world:hash(), before)
			lu.assertEquals(world:save(), saved)
			lu.assertEquals(go(world, 60), after)
			for workers = 1, 3 do
				local other = collide.load(saved, { workers = workers })
				other:validate()
				lu.assertEquals(other:hash(), before)
				lu.assertEquals(other:getWorkers(), workers)
				lu.assertEquals(go(other, 60), after)
				other:destroy()
			end
			world:destroy()
		end
	end

	-- The inverses of the least masses and inertias are great numbers.
	function suite.test_the_least_bodies()
		local world = d.newWorld {}
		local warn = collide.warn
		collide.warn = function() end
		world:newBody { shape = space and d.box(1e-6, 1e-6, 1e-6) or d.box(1e-6, 1e-6), density = 1e-9 }
		go(world, 3)
		local hash = world:hash()
		world:restore(world:save())
		collide.warn = warn
		lu.assertEquals(world:hash(), hash)
	end

	-- One mover stands on a raft on a spring, one is pushed by a heavy ball.
	-- The inertia of the largest is infinite in single precision.
	function suite.test_the_largest_bodies()
		for _, case in ipairs { { 1e7, 1e7 }, { 1e7, 1 }, { 1e6, 1000 } } do
			local size, density = case[1], case[2]
			local world = d.newWorld {}
			world:newBody { shape = space and d.box(size, size, size) or d.box(size, size), density = density }
			world:newBody { shape = space and d.box(size, size / 2, size / 3) or d.box(size, size / 3), density = density }
			for _ = 1, 3 do
				local loaded = collide.load(world:save())
				world:step(1 / 60)
				loaded:step(1 / 60)
				lu.assertEquals(loaded:hash(), world:hash())
				world:restore(world:save())
			end
		end
	end

	-- A light body under a heavy one has a burden, which ends with its type.
	function suite.test_loaded_bodies_of_another_type()
		for _, kind in ipairs { "kinematic", "static" } do
			local world, box = d.newWorld {}, space and d.box(1, 1, 1) or d.box(1, 1)
			world:newBody { type = "static", y = -1, shape = space and d.box(20, 2, 20) or d.box(20, 2) }
			local light = world:newBody { y = 0.5, shape = box }
			world:newBody { y = 1.5, shape = box, density = 200 }
			for _ = 1, 30 do world:step(1 / 60) end
			light:setType(kind)
			for _ = 1, 2 do
				local loaded = collide.load(world:save())
				world:step(1 / 60)
				loaded:step(1 / 60)
				lu.assertEquals(loaded:hash(), world:hash(), kind)
				light:setType("dynamic")
			end
		end
	end

	function suite.test_movers_on_and_before_bodies_go_on_to_the_bit()
		local function upright(y) return space and { 0, y, 0 } or { 0, y } end
		local world = d.newWorld { gravity = upright(-10) }
		world:newBody { type = "static", y = -1, shape = space and d.box(60, 2, 60) or d.box(60, 2) }
		local raft = world:newBody { y = 2, shape = space and d.box(4, 0.4, 4) or d.box(4, 0.4), mass = 90 }
		world:newPrismaticJoint { bodyB = raft, x = 0, y = 2, z = space and 0 or nil, axis = upright(1), hertz = 1, dampingRatio = 0.2 }
		world:newBody { x = 6, y = 0.8, shape = space and d.sphere(0.8) or d.circle(0.8), mass = 600, linearVelocity = space and { 6, 0, 0 } or { 6, 0 } }
		local capsule = space and d.capsule(0, -0.4, 0, 0, 0.4, 0, 0.3) or d.capsule(0, -0.4, 0, 0.4, 0.3)
		world:newMover { shape = capsule, y = 2.92 }
		world:newMover { shape = capsule, x = 8.2, y = 0.72 }
		local function tick(which)
			for _, mover in ipairs(which:getMovers()) do
				if space then mover:move(0, -0.05, 0, 1 / 60) else mover:move(0, -0.05, 1 / 60) end
			end
			which:step(1 / 60)
		end
		local far = 8.2
		for _ = 1, 90 do
			local saved = world:save()
			local copy, other = collide.load(saved), d.newWorld {}
			other:restore(saved) -- its objects get numbers of that world
			tick(world)
			tick(copy)
			tick(other)
			lu.assertEquals(copy:hash(), world:hash())
			lu.assertEquals(other:hash(), world:hash())
			local hash = world:hash()
			world:restore(saved)
			tick(world)
			lu.assertEquals(world:hash(), hash)
			copy:destroy()
			other:destroy()
			far = math.max(far, (world:getMovers()[2]:getPosition()))
		end
		lu.assertTrue(far > 10, far)
	end

	-- Bodies that meet and leave kinematic ones, alone and in pairs on joints: the step after each save is that of the loaded world.
	function suite.test_each_step_is_that_of_a_loaded_world()
		local center = space and { 0, 0, 0 } or { 0, 0 }
		local function box(width, height) return space and d.box(width, height, 3) or d.box(width, height) end
		for seed = 1, 6 do
			local random, lifts, bodies = random_numbers(seed), {}, {}
			local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 } }
			world:newBody { type = "static", y = -1, shape = box(60, 2) }
			for i = 1, 4 do lifts[i] = world:newBody { type = "kinematic", x = 6 * i - 15, y = 1, shape = box(3, 0.5) } end
			for i = 1, 16 do
				bodies[i] = world:newBody { x = random(-12, 12), y = random(2, 6), z = space and 0 or nil, shape = i % 2 == 0 and box(0.6, 0.6) or space and d.sphere(0.35) or d.circle(0.35) }
			end
			for i = 1, 12, 4 do
				local x, y, z = bodies[i]:getPosition()
				bodies[i + 1]:setPosition(x + 1, y, z)
				world:newDistanceJoint { bodyA = bodies[i], bodyB = bodies[i + 1], anchorA = center, anchorB = center }
			end
			for tick = 1, 240 do
				if tick % 40 == 1 then
					for _, lift in ipairs(lifts) do lift:setLinearVelocity(random(-3, 3), random(-1, 1), space and 0 or nil) end
				end
				local copy = tick % 2 == 0 and collide.load(world:save())
				world:step(1 / 60)
				if copy then
					copy:step(1 / 60)
					lu.assertEquals(copy:hash(), world:hash(), seed .. " " .. tick)
					copy:destroy()
				end
			end
		end
	end

	-- Pieces, and pieces of pieces, keep their shapes, to the order of the faces; a body that slowly drops through a platform goes on with it.
	function suite.test_broken_bodies_and_drops_go_on_to_the_bit()
		local number = random_numbers(5)
		local world = d.newWorld { gravity = space and { 0, -1, 0 } or { 0, -1 } }
		local function box(w, h) return space and d.box(w, h, w) or d.box(w, h) end
		local function points(x, y, count)
			local list = {}
			for i = 1, count do
				list[#list + 1], list[#list + 2] = x + number(-1, 1), y + number(-1, 1)
				if space then list[#list + 1] = number(-1, 1) end
			end
			return list
		end
		world:newBody { type = "static", y = -1, shape = box(40, 2) }
		world:newBody { type = "static", y = 0.5, x = 10, shape = box(8, 0.2), oneWay = space and { 0, 1, 0 } or { 0, 1 } }
		local slow = world:newBody { y = 0.9, x = 10, shape = box(0.6, 0.6), gravityScale = 0.02, sleepingAllowed = false }
		go(world, 60)
		slow:dropThrough()
		for i = 1, 3 do
			local pieces = world:newBody { x = 5 * i - 12, y = 1.2, shape = i == 1 and (space and d.sphere(1) or d.circle(1)) or box(2, 2) }:shatter(points(5 * i - 12, 1.2, 20))
			local x, y = pieces[1]:getCenter()
			pieces[1]:shatter(points(x, y, 4))
		end
		go(world, 40)
		local saved = world:save()
		local other = collide.load(saved)
		local function shapes(of)
			local list = {}
			for i, body in ipairs(of:getBodies()) do
				local shape = body:getColliders()[1]:getShape()
				list[i] = { shape:getPoints(), space and shape:getFaces(), space and shape:getNormals() }
			end
			return list
		end
		lu.assertEquals(shapes(other), shapes(world))
		local after = go(world, 240)
		lu.assertEquals(go(other, 240), after)
		world:restore(saved)
		lu.assertEquals(go(world, 240), after)
		lu.assertTrue(select(2, slow:getPosition()) < 0.9 - 0.15)
	end

	function suite.test_sleeping_worlds_stay_asleep()
		local world = scene(d)
		go(world, 900)
		local saved = world:save()
		local awake = 0
		for _, body in ipairs(world:getBodies()) do awake = awake + (body:isAwake() and 1 or 0) end
		world:restore(saved)
		local now = 0
		for _, body in ipairs(world:getBodies()) do now = now + (body:isAwake() and 1 or 0) end
		lu.assertEquals(now, awake)
		local a, b = go(world, 30), nil
		world:restore(saved)
		b = go(world, 30)
		lu.assertEquals(a, b)
	end

	-- Against a model: each handle stands for one object for ever; a snapshot revives the objects that were alive in it, and no others.
	function suite.test_handles_stand_for_one_object_for_ever()
		local number, choice = random_numbers(11)
		local world = d.newWorld {}
		local ball = space and d.sphere(0.2) or d.circle(0.2)
		local all, alive, saves = {}, {}, {}
		for round = 1, 400 do
			local what = number(0, 1)
			if what < 0.5 then
				local body = world:newBody { x = round, shape = number(0, 1) < 0.8 and ball or nil }
				all[#all + 1], alive[#all + 1] = body, true
			elseif what < 0.75 and #all > 0 then
				local i = choice(#all)
				if alive[i] then
					all[i]:destroy()
					alive[i] = nil
				end
			elseif what < 0.85 then
				local copy = {}
				for i in pairs(alive) do copy[i] = true end
				saves[#saves + 1] = { bytes = world:save(), alive = copy, x = {} }
			elseif what < 0.95 and #saves > 0 then
				local save = saves[choice(#saves)]
				world:restore(save.bytes)
				alive = {}
				for i in pairs(save.alive) do alive[i] = true end
			else
				world:step(1 / 60)
				if number(0, 1) < 0.3 then collectgarbage() end
			end
			for i, body in ipairs(all) do lu.assertEquals(body:isValid(), alive[i] == true) end
		end
		world:validate()
		local listed = {}
		for _, body in ipairs(world:getBodies()) do listed[body] = true end
		for i, body in ipairs(all) do lu.assertEquals(listed[body] == true, alive[i] == true) end
	end

	function suite.test_names_colours_and_layers()
		local world = scene(d)
		local other = collide.load(world:save())
		local names = {}
		for _, body in ipairs(other:getBodies()) do names[body:getName() or "none"] = body end
		lu.assertEquals(names.ground:getColor(), "#888888")
		lu.assertNotNil(names.gate)
		local body = other:newBody { layer = "ghost", shape = space and d.sphere(1) or d.circle(1) }
		lu.assertEquals(body:getColliders()[1]:getLayer(), "ghost")
		lu.assertErrorMsgContains("layer", function() other:newBody { layer = "missing", shape = space and d.sphere(1) or d.circle(1) } end)
		local material = names.ground:getColliders()[1]:getMaterialName()
		lu.assertNil(material)
	end

	function suite.test_shapes_are_shared_as_before()
		local world, bodies = scene(d)
		local first = bodies[3]:getColliders()[1]:getShape()
		lu.assertTrue(first == bodies[6]:getColliders()[1]:getShape())
		world:restore(world:save())
		local restored = bodies[3]:getColliders()[1]:getShape()
		lu.assertTrue(restored == bodies[6]:getColliders()[1]:getShape())
		lu.assertEquals(restored:getType(), first:getType())
		lu.assertFalse(restored == bodies[4]:getColliders()[1]:getShape())
	end

	function suite.test_plain_data()
		local world, bodies = scene(d)
		local shared = { "shared" }
		local data = { 1, 2.5, -0.25, "text", true, false, shared, shared, [10] = shared, [true] = "yes", [bodies[2]] = "a body as a key", world = world, next = bodies[3] }
		data.self = data
		bodies[1].data, world.data, bodies[2].data = data, { bodies = { bodies[1], bodies[2] } }, 7
		bodies[1]:getColliders()[1].data = "of a collider"
		local chain = {}
		for _ = 1, 20000 do chain = { chain } end
		bodies[4].data = chain
		local saved = world:save { data = true }
		bodies[1].data, bodies[2].data, world.data, bodies[5].data = nil, "other", nil, "new"
		world:restore(saved)
		local back = bodies[1].data
		lu.assertEquals({ back[1], back[2], back[3], back[4], back[5], back[6] }, { 1, 2.5, -0.25, "text", true, false })
		lu.assertTrue(back[7] == back[8] and back[8] == back[10] and back[7] ~= shared and back[7][1] == "shared")
		lu.assertTrue(back.self == back and back.world == world and back.next == bodies[3] and back[bodies[2]] == "a body as a key" and back[true] == "yes")
		lu.assertEquals(bodies[2].data, 7)
		lu.assertNil(bodies[5].data)
		lu.assertTrue(world.data.bodies[1] == bodies[1])
		lu.assertEquals(bodies[1]:getColliders()[1].data, "of a collider")
		local other = collide.load(saved)
		lu.assertTrue(other.data.bodies[2] ~= bodies[2] and other.data.bodies[2].data == 7 and other.data.bodies[1].data.world == other)
		if math.type then lu.assertEquals(math.type(other.data.bodies[1].data[1]), "integer") end
		-- Without data in the snapshot, data stays.
		world:restore(world:save())
		lu.assertEquals(bodies[2].data, 7)
	end

	function suite.test_data_that_is_not_plain_is_named()
		local world, bodies = scene(d)
		for _, case in ipairs { { print, "function" }, { coroutine.create(print), "coroutine" }, { setmetatable({}, {}), "metatable" }, { { { io.stdout } }, "plain" },
			{ scene(d), "plain" } } do
			bodies[8].data = case[1]
			lu.assertErrorMsgContains(case[2], function() world:save { data = true } end)
			lu.assertErrorMsgContains("save: data of body", function() world:save { data = true } end)
		end
		local gone = bodies[9]
		bodies[8].data = { gone }
		gone:destroy()
		lu.assertErrorMsgContains("live objects", function() world:save { data = true } end)
		world.data, bodies[8].data = print, nil
		lu.assertErrorMsgContains("save: data of the world", function() world:save { data = true } end)
		world:save()
	end

	function suite.test_restored_from_another_world()
		local world, bodies = scene(d)
		go(world, 30)
		local saved = world:save()
		local after = go(world, 30)
		local other, others = scene(d, {})
		go(other, 5)
		other:restore(saved)
		for _, body in ipairs(others) do lu.assertFalse(body:isValid()) end
		lu.assertEquals(go(other, 30), after)
		other:validate()
		lu.assertTrue(bodies[1]:isValid())
	end

	function suite.test_events_are_empty_and_nothing_begins_twice()
		local world = scene(d)
		go(world, 200)
		local saved = world:save()
		world:restore(saved)
		local count = 0
		for _ in world:beginContacts() do count = count + 1 end
		for _ in world:endContacts() do count = count + 1 end
		lu.assertEquals(count, 0)
		local function begins()
			local list = {}
			for _ = 1, 20 do
				world:step(1 / 60)
				for a, b in world:beginContacts() do list[#list + 1] = tostring(a) .. tostring(b) end
			end
			return table.concat(list, " ")
		end
		local first = begins()
		world:restore(saved)
		lu.assertEquals(begins(), first)
	end

	function suite.test_what_is_refused()
		local world = scene(d)
		local saved = world:save()
		local hash = world:hash()
		local other = (space and collide.d2 or collide.d3).newWorld {}
		local function refused(text, ...) lu.assertErrorMsgContains(text, ...) end
		refused("restore: snapshot must be a string, got nil", world.restore, world)
		refused("restore: snapshot must be a string, got 5", world.restore, world, 5)
		refused("load: snapshot must be a string", collide.load, {})
		refused("restore: the string is not a snapshot", world.restore, world, "")
		refused("restore: the string is not a snapshot", world.restore, world, "hello world, how are you")
		refused("format 9", world.restore, world, saved:sub(1, 7) .. "\9" .. saved:sub(9))
		refused("truncated or damaged", world.restore, world, saved .. "x")
		refused("restore: the snapshot is of a", other.restore, other, saved)
		refused("save: unknown key 'dat', did you mean 'data'?", world.save, world, { dat = true })
		refused("save: data must be", world.save, world, { data = 1 })
		refused("load: workers must be", collide.load, saved, { workers = 0 })
		for length = 0, #saved - 1, 97 do lu.assertFalse((pcall(world.restore, world, saved:sub(1, length)))) end
		local number, choice = random_numbers(3)
		for _ = 1, 300 do
			local at, by = choice(#saved), choice(255)
			local byte = (saved:byte(at) + by) % 256
			if not (at >= 17 and at <= 24) then
				lu.assertFalse((pcall(world.restore, world, saved:sub(1, at - 1) .. string.char(byte) .. saved:sub(at + 1))))
			end
		end
		lu.assertEquals(world:hash(), hash)
		world:validate()
		world:setFilter(function()
			refused("world is locked", world.save, world)
			refused("world is locked", world.restore, world, saved)
			return true
		end)
		world:newBody { y = 3, shape = space and d.sphere(1) or d.circle(1) }
		world:step(1 / 60)
		world:destroy()
		refused("world is destroyed", world.save, world)
		refused("world is destroyed", world.restore, world, saved)
	end

	function suite.test_finalizers_that_change_the_world_meanwhile()
		local world, bodies = scene(d)
		local saved = world:save { data = true }
		local budget = 40
		local function bomb()
			setmetatable({}, { __gc = function()
				if budget == 0 or not world:isValid() then return end
				budget = budget - 1
				local body = world:newBody { y = 50, shape = space and d.sphere(1) or d.circle(1), name = "late" }
				if budget % 2 == 0 then body:destroy() end
				bomb()
			end })
		end
		for _ = 1, 5 do
			bomb()
			pcall(collectgarbage, "generational") -- of Lua 5.4 alone
			pcall(world.restore, world, saved)
			pcall(world.save, world, { data = true })
			collectgarbage()
		end
		pcall(collectgarbage, "incremental")
		budget = 0
		world:restore(saved)
		world:validate()
		lu.assertEquals(#world:getBodies(), #collide.load(saved):getBodies())
		lu.assertTrue(bodies[1]:isValid())
	end
end

laws(TestState, collide.d2)
laws(TestStateInSpace, collide.d3)

function TestState.test_tiles_and_one_way_platforms()
	local d2 = collide.d2
	local world = d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 30, rows = 10, kinds = { { name = "rock" }, { name = "plank", oneWay = { 0, 1 } }, { shape = d2.polygon { 0, 0, 1, 0, 1, 1 } } } }
	local number, choice = random_numbers(8)
	for _ = 1, 120 do map:setCell(choice(30), choice(10), choice(4) - 1) end
	for i = 1, 40 do world:newBody { x = number(1, 29), y = number(10, 16), shape = i % 2 == 0 and d2.circle(0.3) or d2.box(0.5, 0.5) } end
	go(world, 60)
	for _ = 1, 20 do map:setCell(choice(30), choice(10), choice(4) - 1) end
	local saved = world:save()
	local cells = {}
	local function edits()
		local draw, pick = random_numbers(9)
		for _ = 1, 30 do
			map:setCell(pick(30), pick(10), pick(4) - 1)
			world:step(1 / 60)
		end
		return world:hash()
	end
	local after = edits()
	world:restore(saved)
	lu.assertTrue(map:isValid())
	lu.assertEquals(edits(), after)
	world:validate()
	local other = collide.load(saved)
	for _, body in ipairs(other:getBodies()) do
		local collider = body:getColliders()[1]
		if collider:getShape() == nil then cells[#cells + 1] = collider end
	end
	lu.assertTrue(#cells >= 1)
	other:validate()
end

-- A loaded world is whole, whatever its bytes, and can be stepped.
local function try(bytes)
	local done, other = pcall(collide.load, bytes)
	if not done then return false end
	other:validate()
	other:step(1 / 60)
	other:step(1 / 60)
	other:destroy()
	return true
end

local function tiles_world()
	local world = collide.d2.newWorld { gravity = { 0, -10 } }
	local map = world:newBody { type = "static" }:newTiles { columns = 12, rows = 4, kinds = { { name = "rock" }, { name = "plank", oneWay = { 0, 1 } } } }
	map:fillCells(1, 1, 12, 1, 1)
	map:fillCells(4, 3, 8, 3, 2)
	for i = 1, 4 do world:newBody { x = 2 * i, y = 4, shape = collide.d2.circle(0.3) } end
	return world
end

-- A snapshot has the names of the materials that its world uses, whatever else has been named; one that is refused leaves none behind.
function TestState.test_names_of_materials()
	local function world(names)
		local made = collide.d2.newWorld()
		for i, name in ipairs(names) do made:newBody { x = 3 * i, shape = collide.d2.circle(1), material = { name = name } } end
		return made
	end
	local one = world { "names 1", "names 2", "names 1" }
	local saved = one:save()
	for i = 1, 500 do one:getBodies()[1]:getColliders()[1]:setMaterialName("names of others " .. i) end
	local other = collide.load(saved)
	lu.assertTrue(other:save():sub(25) == saved:sub(25))
	lu.assertEquals(other:getBodies()[2]:getColliders()[1]:getMaterialName(), "names 2")
	lu.assertTrue(saved:find("names 2", 1, true) ~= nil)
	lu.assertNil(other:save():find("names of others", 1, true))
	if not math.type then return end -- it takes 64-bit integers to compute the checksum
	local checksum = require "snapshot_checksum"
	-- 70,000 names in all: more than can be stored
	for i = 1, 70 do
		local many = {}
		local bytes = saved:gsub("names (%d)", function(n) return ("%05d"):format(i) .. "s" .. n end)
		for k = 1, 1000 do many[k] = string.pack("<s4", ("never %d %d"):format(i, k)) end
		local at = assert(bytes:find(string.pack("<I4s4", 2, ("%05ds1"):format(i)), 1, true))
		local refused = bytes:sub(1, at - 1) .. string.pack("<I4", 1002) .. table.concat(many) .. bytes:sub(at + 4)
		lu.assertTrue((pcall(collide.load, checksum.seal(refused .. "x"))) == false)
	end
	one:getBodies()[1]:getColliders()[1]:setMaterialName "still possible"
	local twice = saved:gsub("names %d", "names 3")
	lu.assertErrorMsgContains("a name is there twice", collide.load, checksum.seal(twice))
	one:restore(saved)
	one:validate()
end

-- A negative size or mass is refused: here the sign of each number of four bytes in turn.
function TestState.test_negative_sizes_with_a_right_checksum()
	if not math.type then return end -- it takes 64-bit integers to compute the checksum
	local checksum = require "snapshot_checksum"
	for _, d in ipairs { collide.d2, collide.d3 } do
		local world = d.newWorld()
		world:newBody { shape = d == collide.d2 and d.circle(0.625) or d.sphere(0.625), linearVelocity = d == collide.d2 and { 3, 0 } or { 3, 0, 0 } }
		local saved, refused = world:save(), 0
		for at = 26, #saved - 4 do
			local bytes = saved:sub(1, at - 1) .. string.pack("<f", -0x1p60) .. saved:sub(at + 4)
			local done, message = pcall(collide.load, checksum.seal(bytes))
			if done then try(checksum.seal(bytes)) elseif message:find("a size or a mass is negative", 1, true) then refused = refused + 1 end
		end
		lu.assertTrue(refused >= 3)
	end
end

-- Every byte of three snapshots flipped in turn; here one in 101, SNAPSHOT_STRIDE=1 for all.
function TestState.test_flipped_bytes_with_a_right_checksum()
	if not math.type then return end -- it takes 64-bit integers to compute the checksum
	local checksum, stride = require "snapshot_checksum", tonumber(os.getenv "SNAPSHOT_STRIDE") or 101
	local whole, tried = 0, 0
	for _, world in ipairs { (scene(collide.d2)), (scene(collide.d3)), (tiles_world()) } do
		go(world, 30)
		local saved = world:save()
		for at = 26, #saved, stride do
			tried, whole = tried + 1, whole + (try(checksum.seal(checksum.flip(saved, at, at % 8))) and 1 or 0)
		end
	end
	lu.assertTrue(whole > 0 and whole < tried)
end

-- Worlds without joints, contacts or bodies: a snapshot that counts or names one is refused.
function TestState.test_bytes_of_small_worlds_with_a_right_checksum()
	if not math.type then return end -- it takes 64-bit integers to compute the checksum
	local checksum, stride = require "snapshot_checksum", os.getenv "SNAPSHOT_STRIDE" and 1 or 3
	local whole, tried = 0, 0
	for n, d in ipairs { collide.d2, collide.d3, collide.d2, collide.d2 } do
		local world = d.newWorld()
		local ball = d == collide.d2 and d.circle(1) or d.sphere(1)
		if n <= 2 then world:newBody { shape = ball } elseif n == 3 then world:newMover { shape = ball } end
		local saved = world:save()
		for _, byte in ipairs { 1, 4, 255 } do
			for at = 26 + byte % stride, #saved, stride do
				tried, whole = tried + 1, whole + (try(checksum.seal(saved:sub(1, at - 1) .. string.char(byte) .. saved:sub(at + 1))) and 1 or 0)
			end
		end
		world:destroy()
	end
	lu.assertTrue(whole > 0 and whole < tried)
end

-- Bytes of which the checksum is right: a fault is found by the checks of each record, or the world is whole.
function TestState.test_mutations_with_a_right_checksum()
	if not math.type then return end -- it takes 64-bit integers to compute the checksum
	local load_checksum = require "snapshot_checksum"
	local world = scene(collide.d2)
	go(world, 30)
	local saved = world:save()
	local number, choice = random_numbers(21)
	local whole = 0
	for _ = 1, tonumber(os.getenv "SNAPSHOT_MUTATIONS") or 1500 do
		whole = whole + (try(load_checksum.mutate(saved, number, choice)) and 1 or 0)
	end
	lu.assertTrue(whole > 0)
end
