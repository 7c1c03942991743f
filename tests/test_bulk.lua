-- Flat lists of many bodies: they do what the calls for single bodies do, and a bad element changes nothing.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local suite, wings, random_numbers = support.suite, support.wings, support.random_numbers
local unpack = table.unpack or unpack

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	local axes = dim == "d2" and 2 or 3
	local TestBulk = suite("TestBulk", dim)

	-- 500 bodies of all types, some asleep, disabled, off their centres or with locks.
	local function new_scene(workers)
		local world = d.newWorld { gravity = wing.vector(0, -10), workers = workers }
		local random, bodies = random_numbers(11), {}
		for i = 1, 500 do
			local shape = i % 4 == 0 and wing.cube(d, 0.6) or axes == 2 and d.circle(0.4, 0.1, 0.2) or d.sphere(0.4, 0.1, 0.2, 0)
			bodies[i] = world:newBody { type = i % 7 == 0 and "static" or i % 9 == 0 and "kinematic" or "dynamic", x = random(-20, 20), y = random(0, 20), shape = shape,
				linearVelocity = wing.vector(random(-2, 2), random(-2, 2)), angularVelocity = axes == 2 and random(-2, 2) or { random(-2, 2), 1, 2 },
				awake = i % 11 ~= 0, enabled = i % 13 ~= 0, locks = i % 17 == 0 and { x = true } or nil }
		end
		for _ = 1, 5 do world:step(1 / 60) end
		return world, bodies, random
	end

	local rotations, turns = axes == 2 and 1 or 4, axes == 2 and 1 or 3
	local function append(list, ...) for i = 1, select("#", ...) do list[#list + 1] = (select(i, ...)) end end

	-- The rows of single calls.
	local function transforms(bodies)
		local list = {}
		for _, body in ipairs(bodies) do append(list, body:getTransform()) end
		return list
	end

	local function velocities(bodies)
		local list = {}
		for _, body in ipairs(bodies) do
			append(list, body:getLinearVelocity())
			append(list, body:getAngularVelocity())
		end
		return list
	end

	function TestBulk.test_getters_equal_single_calls()
		for workers = 1, 3, 2 do
			local world, bodies = new_scene(workers)
			local many = {}
			for i = 1, 3000 do many[i] = bodies[i % 500 + 1] end -- several blocks of work, and bodies that are listed more than once
			lu.assertEquals(world:getTransforms(many), transforms(many))
			lu.assertEquals(world:getVelocities(many), velocities(many))
			local into = transforms(many)
			lu.assertIs(world:getTransforms(bodies, into), into)
			lu.assertEquals(into, transforms(bodies))
			lu.assertEquals(world:getTransforms({}, into), {})
			lu.assertEquals(world:getVelocities(bodies, bodies), velocities(world:getBodies()))
		end
	end

	-- Lists are filled without metamethods, with and without LuaJIT's compiler; a call from a hook in the middle changes nothing.
	function TestBulk.test_lists_are_filled_alike()
		local world, bodies = new_scene(1)
		world:step(1 / 60)
		local function moved(into) return { world:getMoved(into), into } end
		local function get(into) return { world:getTransforms(bodies, into) } end
		local refuse = { __index = function() error "read" end, __newindex = function() error "written" end }
		for _, fill in ipairs { moved, get } do
			local expected = fill {}
			local function check()
				lu.assertEquals(fill(setmetatable({}, refuse)), expected)
				local into = {}
				for i = 1, 5000 do into[i] = i end -- longer than the result, which cuts it
				lu.assertEquals(fill(into), expected)
				local calls, inner = 0, {}
				debug.sethook(function()
					calls = calls + 1
					if calls < 50 then inner[calls] = fill {} end
				end, "", 1)
				local outer = fill {}
				debug.sethook()
				lu.assertEquals(outer, expected)
				lu.assertTrue(calls > 0)
				for _, list in ipairs(inner) do lu.assertEquals(list, expected) end
			end
			for _ = 1, 100 do fill {} end -- until LuaJIT has compiled it
			check()
			if jit then
				jit.off()
				local ok, message = pcall(check)
				jit.on()
				lu.assertTrue(ok, message)
			end
		end
	end

	-- Bodies of one call are, to the bit, those of one call each, also on the ids of destroyed ones.
	function TestBulk.test_bodies_of_one_call_equal_single_calls()
		local shared = { tag = "shared" }
		local options = {
			function() return { shape = d[axes == 2 and "circle" or "sphere"](0.4), restitution = 0.3, data = shared, name = "ball", color = "#102030", bullet = true } end,
			function() return { type = "static", shapes = { { shape = wing.cube(d, 0.6), data = shared }, { shape = wing.cube(d, 0.3), friction = 0.1 }, { shape = wing.cube(d, 0.2), data = 3 } } } end,
			function() return { linearVelocity = wing.vector(1, 2), mass = 3, gravityScale = 0.5, enabled = false } end,
			function() return { shape = wing.cube(d, 0.5), awake = false, locks = { rotation = axes == 2 and true or nil, x = true }, layer = nil, linearDamping = 0.2 } end,
		}
		local worlds, positions = {}, {}
		local random = random_numbers(5)
		for i = 1, 300 * axes do positions[i] = random(-20, 20) end
		for w = 1, 2 do
			local world = new_scene(w)
			for i, body in ipairs(world:getBodies()) do if i % 3 == 0 then body:destroy() end end
			for _, make in ipairs(options) do
				local list
				if w == 1 then
					local given = make()
					given.positions = positions
					list = world:newBodies(given)
				else
					list = {}
					for i = 1, 300 do
						local given = make()
						given.position = { unpack(positions, (i - 1) * axes + 1, i * axes) }
						list[i] = world:newBody(given)
					end
				end
				lu.assertEquals(#list, 300)
				for i, body in ipairs(list) do
					local x, y = body:getPosition()
					if x ~= positions[(i - 1) * axes + 1] or y ~= positions[(i - 1) * axes + 2] then lu.fail("another position") end
					local given = make()
					if body.data ~= given.data or body:getName() ~= given.name or body:getColor() ~= given.color then lu.fail("other values") end
					local colliders = body:getColliders()
					for k, entry in ipairs(given.shapes or {}) do if colliders[k].data ~= entry.data then lu.fail("other data") end end
				end
			end
			worlds[w] = world
		end
		for _ = 1, 30 do
			lu.assertEquals(worlds[1]:hash(), worlds[2]:hash())
			for _, world in ipairs(worlds) do world:step(1 / 60) end
		end
		for _, world in ipairs(worlds) do world:validate() end
	end

	function TestBulk.test_bad_bodies_are_not_created()
		local world = new_scene(1)
		local count, hash = world:getBodyCount(), world:hash()
		local function raises(text, options)
			local ok, message = pcall(world.newBodies, world, options)
			lu.assertFalse(ok, text)
			lu.assertStrContains(message, text)
			lu.assertEquals(world:getBodyCount(), count)
			lu.assertEquals(world:hash(), hash)
		end
		local few = axes == 2 and { 1, 2, 3, 4, 5 } or { 1, 2, 3, 4, 5 }
		raises("newBodies: options must be a table", nil)
		raises("newBodies: positions is missing", { shape = wing.cube(d, 1) })
		raises("newBodies: positions must be a list, got 3", { positions = 3 })
		raises(axes == 2 and "newBodies: positions must have two numbers for each body, got 5" or "newBodies: positions must have three numbers for each body, got 5", { positions = few })
		for _, bad in ipairs { "x", 0 / 0, math.huge, 1e300 } do
			local list = { 1, 2, 3, 4, 5, 6 }
			list[5] = bad
			raises("newBodies: positions[5] must ", { positions = list })
		end
		for _, key in ipairs { "x", "y", "position", axes == 3 and "z" or "angel" } do
			raises(("newBodies: unknown key '%s'"):format(key), { positions = {}, [key] = wing.vector(1, 2) })
		end
		raises("newBodies: friction must ", { positions = {}, shape = wing.cube(d, 1), friction = -1 })
		raises("newBodies: shapes[1].shape is missing", { positions = {}, shapes = { {} } })
		raises("newBodies: locks", { positions = {}, locks = { q = true } })
		raises("newBodies: unknown key 'shap'", { positions = {}, shap = 1 })
		lu.assertErrorMsgContains("newBody: unknown key 'positions'", world.newBody, world, { positions = {} })
		lu.assertEquals(world:newBodies { positions = {} }, {})
		lu.assertEquals(world:hash(), hash)
	end

	-- Two worlds, one set by lists and one by single calls, stay the same to the bit.
	function TestBulk.test_setters_equal_single_calls()
		local world, bodies, random = new_scene(2)
		local twin, singles = new_scene(1)
		for round = 1, 4 do
			local poses, speeds, forces, chosen, chosen_singles = {}, {}, {}, {}, {}
			for i = round, 500, 3 do chosen[#chosen + 1], chosen_singles[#chosen_singles + 1] = bodies[i], singles[i] end
			for _ = 1, #chosen do
				for _ = 1, axes + rotations do poses[#poses + 1] = random(-9, 9) end
				for _ = 1, axes + turns do speeds[#speeds + 1] = random(-3, 3) end
				for _ = 1, axes do forces[#forces + 1] = random(-9, 9) end
			end
			world:setTransforms(chosen, poses)
			world:setVelocities(chosen, speeds)
			world:applyForces(chosen, forces)
			world:applyForces(chosen, forces)
			local function row(list, i, width) return unpack(list, (i - 1) * width + 1, i * width) end
			for i, body in ipairs(chosen_singles) do body:setTransform(row(poses, i, axes + rotations)) end
			for i, body in ipairs(chosen_singles) do
				local speed = { row(speeds, i, axes + turns) }
				body:setLinearVelocity(unpack(speed, 1, axes))
				body:setAngularVelocity(unpack(speed, axes + 1))
			end
			for _ = 1, 2 do for i, body in ipairs(chosen_singles) do body:applyForce(row(forces, i, axes)) end end
			lu.assertEquals(world:hash(), twin:hash())
			for _ = 1, 10 do
				world:step(1 / 60)
				twin:step(1 / 60)
			end
			lu.assertEquals(world:hash(), twin:hash())
			world:validate()
		end
	end

	-- getMoved has the rows of moved(), with getId in the place of the body.
	function TestBulk.test_moved_bodies()
		local world, bodies = new_scene(2)
		local by_id, into = {}, { "x", 2 }
		for _, body in ipairs(bodies) do by_id[body:getId()] = body end
		local count, width, least, most = nil, 1 + axes + rotations, math.huge, 0
		for step = 1, 60 do
			if step % 5 == 0 then world:advance(step % 10 == 0 and 0 or 0.05) else world:step(1 / 60) end
			if step == 30 then for i = 1, 100 do bodies[i]:destroy() end end
			count = world:getMoved(into)
			lu.assertEquals(#into, count * width)
			local row = 0
			for body, a, b, c, e, f, g, h in world:moved() do
				local values = { a, b, c, e, f, g, h }
				lu.assertIs(by_id[into[row * width + 1]], body)
				for k = 1, width - 1 do if into[row * width + 1 + k] ~= values[k] then lu.fail("another pose") end end
				row = row + 1
			end
			lu.assertEquals(row, count)
			least, most = math.min(least, count), math.max(most, count)
		end
		lu.assertTrue(least == 0 and most > 300)
		lu.assertFalse(pcall(world.getMoved, world))
	end

	-- Each bad element is named by its index; not even the good ones before it have changed anything.
	function TestBulk.test_bad_elements_change_nothing()
		local world, bodies = new_scene(1)
		local other = d.newWorld():newBody {}
		local dead = world:newBody {}
		dead:destroy()
		local hash = world:hash()
		local widths = { setTransforms = axes + rotations, setVelocities = axes + turns, applyForces = axes }
		local function flat(width, count)
			local list = {}
			for i = 1, width * count do list[i] = i % 5 + 1 end
			return list
		end
		local function raises(text, name, ...)
			local ok, message = pcall(world[name], world, ...)
			lu.assertFalse(ok, name .. ": " .. text)
			lu.assertStrContains(message, name .. ": " .. text)
			lu.assertEquals(world:hash(), hash)
		end
		for name, width in pairs(widths) do
			raises("bodies must be a list of bodies, got 3", name, 3, {})
			raises("flat must be a list of numbers, got nil", name, bodies, nil)
			raises(("flat must have %d numbers for each of the 500 bodies, got 7"):format(width), name, bodies, flat(7, 1))
			for _, bad in ipairs { "x", 0 / 0, math.huge, 1e300, false } do
				local list = flat(width, 500)
				list[width * 400 + 2] = bad
				raises(("flat[%d] must "):format(width * 400 + 2), name, bodies, list)
			end
		end
		for name, width in pairs { setTransforms = widths.setTransforms, setVelocities = widths.setVelocities, applyForces = axes, getTransforms = 0, getVelocities = 0 } do
			for bad, text in pairs { [other] = "a body of another world", [dead] = "a destroyed body", [7] = "7", [world] = "a", [d] = "a table" } do
				local list = { unpack(bodies, 1, 40) }
				list[33] = bad
				raises("bodies[33] must be a body of this world, got " .. text, name, list, width > 0 and flat(width, 40) or nil)
			end
		end
		local heavy = flat(axes, 500)
		heavy[axes * 99 + 1] = 1e18
		bodies[100]:setMassData(axes == 2 and 1e-6 or 1e-6, unpack(axes == 2 and { 0, 0, 1e-6 } or { 0, 0, 0, 1e-6, 1e-6, 1e-6, 0, 0, 0 }))
		bodies[100]:setType "dynamic"
		hash = world:hash()
		raises(("flat[%d]: too strong for so light a body"):format(axes * 99 + 1), "applyForces", bodies, heavy)
		if axes == 3 then
			local list = flat(7, 500)
			for k = 4, 7 do list[70 + k] = 0 end
			raises("flat[71]: the quaternion must not be zero", "setTransforms", bodies, list)
		end
		raises("into must be a table or nil, got 3", "getTransforms", bodies, 3)
		raises("into must be a table, got 3", "getMoved", 3)
	end

	function TestBulk.test_makes_no_garbage()
		local world, bodies = new_scene(2)
		local poses, speeds, moved = {}, {}, {}
		local forces = {}
		for i = 1, 500 * axes do forces[i] = 1 end
		lu.assertEquals(support.bytes_of(50, function()
			world:step(1 / 60)
			world:getTransforms(bodies, poses)
			world:setTransforms(bodies, poses)
			world:getVelocities(bodies, speeds)
			world:setVelocities(bodies, speeds)
			world:applyForces(bodies, forces)
			world:getMoved(moved)
			bodies[1]:getId()
		end), 0)
	end
end
