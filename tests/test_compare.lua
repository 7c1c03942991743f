-- Laws of comparisons: equal worlds do not differ, and any change of a body is found, in that body and by its name.
local lu, collide = require "luaunit", require "collide"
local support = require "support"

for dim, d in pairs { d2 = collide.d2, d3 = collide.d3 } do
	local suite, wing = support.suite("TestCompare", dim), support.wings[dim]
	local turned = dim == "d2" and "angle" or "rotation"

	local function spin(speed)
		if dim == "d2" then return speed end
		return speed, 0, 0
	end

	-- Twenty bodies after a second: some lie on the floor, some fall.
	local function new_world(seed)
		local world, bodies = d.newWorld { gravity = wing.vector(0, -10), seed = seed }, {}
		world:newBody { type = "static", y = -1, shape = wing.floor(d) }
		local ball, cube = wing.ball(d, 0.4), wing.cube(d, 0.8)
		for i = 1, 20 do
			bodies[i] = world:newBody { x = i - 10, y = 0.5 + i % 5 * 3, shape = i % 2 == 0 and ball or cube, linearVelocity = wing.vector(0.1 * i, 0) }
		end
		world:newRevoluteJoint { bodyA = bodies[19], bodyB = bodies[20], x = 9.5, y = 8, z = dim == "d3" and 0 or nil }
		for _ = 1, 60 do world:step(1 / 60) end
		return world, bodies
	end

	function suite.test_equal_worlds_do_not_differ()
		local a, b = new_world(), new_world()
		for _ = 1, 30 do
			lu.assertNil(collide.compare(a, b))
			lu.assertNil(collide.compare(a, a))
			lu.assertEquals(a:bodyHashes(), b:bodyHashes())
			lu.assertEquals(a:hash(), b:hash())
			a:step(1 / 60)
			b:step(1 / 60)
		end
	end

	-- Changes of a body, by the field that is named.
	local changes = {
		valid = function(body) body:destroy() end,
		type = function(body) body:setType "kinematic" end,
		enabled = function(body) body:setEnabled(false) end,
		position = function(body)
			local x, y, z = body:getPosition()
			body:setPosition(x + 2 ^ -40, y, z)
		end,
		[turned] = function(body)
			if dim == "d2" then
				body:setAngle(body:getAngle() + 1e-6)
			else
				local qx, qy, qz, qw = body:getRotation()
				body:setRotation(qx + 1e-6, qy, qz, qw)
			end
		end,
		linearVelocity = function(body)
			local x, y, z = body:getLinearVelocity()
			body:setLinearVelocity(x, y + 1e-6, z)
		end,
		angularVelocity = function(body)
			local x, y, z = body:getAngularVelocity()
			body:setAngularVelocity(x + 1e-6, y, z)
		end,
		awake = function(body) body:setAwake(not body:isAwake()) end,
		mass = function(body)
			local x, y, z = body:getLocalCenter()
			if dim == "d2" then body:setMassData(2 * body:getMass(), x, y, body:getInertia())
			else body:setMassData(2 * body:getMass(), x, y, z, body:getInertia()) end
		end,
		linearDamping = function(body) body:setLinearDamping(0.25) end,
		angularDamping = function(body) body:setAngularDamping(0.5) end,
		gravityScale = function(body) body:setGravityScale(0.5) end,
		colliders = function(body) body:newCollider(wing.ball(d, 0.1), { sensor = true, density = 0 }) end,
	}

	function suite.test_any_change_of_any_body_is_found()
		for field, change in pairs(changes) do
			local tested = 0
			for i = 1, 20 do
				local a, bodies_a = new_world()
				local b, bodies_b = new_world()
				-- Islands sleep together, and moving bodies stop. A box turns about its origin, and rounding moves its centre.
				local alone = field ~= "awake" or i < 19 and bodies_b[i]:getLinearVelocity() == 0
				if alone and (field ~= turned or i % 2 == 0) then
					tested = tested + 1
					change(bodies_b[i])
					if i % 2 == 0 then change(bodies_b[20]) end -- the first one counts
					local found = collide.compare(a, b)
					lu.assertNotNil(found, field .. i)
					lu.assertEquals(found.field, field, i)
					lu.assertIs(found.body, bodies_a[i])
					lu.assertNotEquals(found.a, found.b)
					local back = collide.compare(b, a)
					lu.assertEquals({ back.field, back.a, back.b }, { field, found.b, found.a })
					lu.assertIs(back.body, field == "valid" and bodies_a[i] or bodies_b[i])
				end
				a:destroy()
				b:destroy()
			end
			lu.assertTrue(tested > 1, field)
		end
	end

	-- Two bodies that lie still, of which one has been woken, will fall asleep at different times.
	function suite.test_times_of_rest()
		local worlds, bodies = {}, {}
		for i = 1, 2 do
			worlds[i] = d.newWorld { gravity = wing.vector(0, -10) }
			worlds[i]:newBody { type = "static", y = -1, shape = wing.floor(d) }
			bodies[i] = worlds[i]:newBody { y = 0.4, shape = wing.cube(d, 0.8) }
			for _ = 1, 20 do worlds[i]:step(1 / 60) end
		end
		lu.assertNil(collide.compare(worlds[1], worlds[2]))
		bodies[2]:setAwake(true)
		local found = collide.compare(worlds[1], worlds[2])
		lu.assertEquals({ found.field, found.b }, { "restTime", 0 })
		lu.assertTrue(found.a > 0.2)
	end

	-- Values are those of the getters.
	function suite.test_values()
		local function numbers(...) return select("#", ...) > 1 and { ... } or (...) end
		local a, bodies_a = new_world()
		local b, bodies_b = new_world()
		bodies_b[7]:setLinearVelocity(wing.numbers(1, 2))
		local found = collide.compare(a, b)
		lu.assertEquals({ found.a, found.b }, { numbers(bodies_a[7]:getLinearVelocity()), numbers(wing.numbers(1, 2)) })
		bodies_b[7]:setLinearVelocity(bodies_a[7]:getLinearVelocity())
		bodies_b[5]:setType "static"
		found = collide.compare(a, b)
		lu.assertEquals({ found.field, found.a, found.b }, { "type", "dynamic", "static" })
		bodies_a[3]:setEnabled(false)
		found = collide.compare(a, b)
		lu.assertEquals({ found.field, found.a, found.b }, { "enabled", false, true })
	end

	-- The list has id and hash of each body, in the order of ids; where it differs the body does. Movers have more than a body.
	function suite.test_hashes_of_bodies()
		local a, bodies_a = new_world()
		local b, bodies_b = new_world()
		bodies_b[4]:setAngularVelocity(spin(3))
		bodies_b[9]:setPosition(bodies_b[9]:getPosition(), 50, dim == "d3" and 0 or nil)
		bodies_a[12]:destroy()
		bodies_b[12]:destroy()
		local one, other = a:bodyHashes(), b:bodyHashes()
		lu.assertEquals(#one, 2 * a:getBodyCount())
		for i = 1, #one, 2 do
			lu.assertEquals(one[i], other[i])
			lu.assertTrue(i == 1 or one[i] > one[i - 2])
			lu.assertTrue(one[i + 1] >= 0 and one[i + 1] < 2 ^ 53 and one[i + 1] == math.floor(one[i + 1]))
			lu.assertEquals(one[i + 1] ~= other[i + 1], one[i] == bodies_a[4]:getId() or one[i] == bodies_a[9]:getId())
		end
		local into = { "kept" }
		for i = 1, 100 do into[i] = i end
		lu.assertIs(a:bodyHashes(into), into)
		lu.assertEquals(into, one)
		local function hash_of(world, body)
			local list = world:bodyHashes()
			for i = 1, #list, 2 do
				if list[i] == body:getId() then return list[i + 1] end
			end
		end
		local mover, moved = a:newMover { shape = wing.ball(d, 0.3), y = 30 }, b:newMover { shape = wing.ball(d, 0.3), y = 30 }
		lu.assertEquals(hash_of(a, mover:getBody()), hash_of(b, moved:getBody()))
		if dim == "d2" then moved:move(0.1, 0, 1 / 60) else moved:move(0.1, 0, 0, 1 / 60) end
		lu.assertNotEquals(hash_of(a, mover:getBody()), hash_of(b, moved:getBody()))
	end

	-- Without a body that differs: the rest of the world.
	function suite.test_the_rest_of_a_world()
		local function check(field, change, a_value, b_value)
			local a, b = new_world(), new_world()
			for _, world in ipairs { a, b } do for _, body in ipairs(world:getBodies()) do body:setAwake(true) end end
			change(b, b:getBodies())
			local found = collide.compare(a, b)
			lu.assertNotNil(found, field)
			lu.assertEquals({ found.field, found.a, found.b }, { field, a_value, b_value })
			lu.assertNil(found.body)
		end
		check("random", function(world) world:random() end)
		check("fields", function(world) world:newField { gravity = wing.vector(0, 1) } end)
		check("tick", function(world) world:step(0) end, 60, 61)
		check("joints", function(world, bodies) world:newFilterJoint { bodyA = bodies[2], bodyB = bodies[6] } end, 1, 2)
		local a, b = new_world(), new_world()
		b:setGravity(wing.numbers(0, -9))
		for _, body in ipairs(a:getBodies()) do body:setAwake(true) end
		lu.assertEquals(collide.compare(a, b).field, "gravity")
	end

	function suite.test_hashes_make_no_garbage()
		local world = new_world()
		local into = world:bodyHashes()
		lu.assertEquals(support.bytes_of(200, function() world:bodyHashes(into) end), 0)
	end

	function suite.test_invalid_arguments()
		local world, dead = new_world(), d.newWorld()
		dead:destroy()
		for _, bad in ipairs { 1, "w", {}, world:getBodies()[1], true } do
			lu.assertErrorMsgContains("compare: b must be a world, got", collide.compare, world, bad)
			lu.assertErrorMsgContains("compare: a must be a world, got", collide.compare, bad, world)
		end
		lu.assertErrorMsgContains("compare: b must be a world", collide.compare, world)
		lu.assertErrorMsgContains("compare: b is destroyed", collide.compare, world, dead)
		lu.assertErrorMsgContains("compare: one world is 2D, the other 3D", collide.compare, world, collide[dim == "d2" and "d3" or "d2"].newWorld())
		lu.assertErrorMsgContains("bodyHashes: into must be a table", world.bodyHashes, world, 1)
		lu.assertErrorMsgContains("bodyHashes: world is destroyed", dead.bodyHashes, dead)
	end
end
