-- world:predict: the path that a body then takes, while the world stays as it is.
local lu = require "luaunit"
local collide = require "collide"
local support = require "support"

for _, dim in ipairs { "d2", "d3" } do
	local d, wing, space = collide[dim], support.wings[dim], dim == "d3"
	local suite = support.suite("TestPredict", dim)
	local gravity = wing.vector(0, -10)
	local width = space and 7 or 3

	local function ground(world) return world:newBody { type = "static", y = -1, shape = wing.floor(d) } end

	-- Piles, a chain, a motor, a field, a mover, a bullet, cells: all kinds of what moves bodies.
	local function scene(workers)
		local random = collide.newRandom(7)
		local world, bodies = d.newWorld { gravity = gravity, workers = workers }, {}
		ground(world)
		for i = 1, 40 do
			local shape = i % 3 == 0 and wing.ball(d, 0.5) or wing.cube(d, 1)
			bodies[i] = world:newBody { position = wing.vector(8 * random:random() - 4, 1 + 12 * random:random()), shape = shape }
		end
		for i = 1, 5 do world:newDistanceJoint { bodyA = bodies[i], bodyB = bodies[i + 1], pointA = { bodies[i]:getPosition() }, pointB = { bodies[i + 1]:getPosition() } } end
		world:newField { shape = wing.ball(d, 4), position = wing.vector(-2, 3), wind = { velocity = wing.vector(4, 0), drag = 1 } }
		bodies[41] = world:newBody { position = wing.vector(-20, 1), bullet = true, shape = wing.ball(d, 0.2), linearVelocity = wing.vector(90, 1) }
		world:newMover { position = wing.vector(8, 2), shape = wing.ball(d, 0.4) }
		local map = world:newBody { type = "static", position = wing.vector(4, 0) }
		if space then
			map:newVoxels { kinds = { {} } }:fillCells(0, 0, -3, 4, 1, 3, 1)
		else
			map:newTiles { columns = 5, rows = 3, kinds = { {} } }:fillCells(1, 1, 5, 2, 1)
		end
		for _ = 1, 40 do world:step(1 / 60) end
		return world, bodies
	end

	-- The rows of a list that has one for each step.
	local function follow(world, body, list, count)
		for i = 1, count do
			world:step(1 / 60)
			local row = world:getTransforms { body }
			for k = 1, width do
				if row[k] ~= list[(i - 1) * width + k] then lu.fail(("step %d, number %d: %.17g, predicted %.17g"):format(i, k, row[k], list[(i - 1) * width + k])) end
			end
		end
	end

	function suite.test_the_path_is_the_one_taken()
		for workers = 1, 3 do
			for _, i in ipairs { 1, 3, 6, 20, 41 } do
				local world, bodies = scene(workers)
				local before, hash = world:save():sub(26), world:hash()
				local list, count = world:predict(bodies[i], 1.5)
				lu.assertEquals({ count, #list }, { 90, 90 * width })
				lu.assertEquals(world:hash(), hash)
				lu.assertTrue(world:save():sub(26) == before)
				world:validate()
				follow(world, bodies[i], list, count)
				world:validate()
			end
		end
	end

	function suite.test_the_world_stays_as_it_is()
		local world, bodies = scene()
		local function events()
			local list = {}
			for a, b in world:beginContacts() do list[#list + 1] = tostring(a) .. tostring(b) end
			for body in world:moved() do list[#list + 1] = tostring(body) end
			for contact in world:contacts() do list[#list + 1] = tostring(contact) end
			return table.concat(list, " ")
		end
		local told, tick, bytes = events(), world:getTick(), world:getByteCount()
		world:predict(bodies[9], 3)
		lu.assertEquals(events(), told)
		lu.assertEquals(world:getTick(), tick)
		lu.assertEquals(world:getByteCount(), bytes)
		local rope = world:newDistanceJoint { bodyA = bodies[1], bodyB = bodies[9], pointA = { bodies[1]:getPosition() }, pointB = { bodies[9]:getPosition() }, breakable = true, forceThreshold = 1e-6 }
		world:predict(bodies[9], 1)
		lu.assertTrue(rope:isValid())
		world:step(1 / 60)
		world:step(1 / 60)
		lu.assertFalse(rope:isValid())
	end

	-- In free fall the symplectic Euler method with n sub-steps has an exact sum.
	function suite.test_velocities_are_those_of_a_throw()
		local world = d.newWorld { gravity = gravity }
		local ball = world:newBody { shape = wing.ball(d, 0.5) }
		for _ = 1, 60 do world:step(1 / 60) end
		local hash = world:hash()
		local x0, y0 = ball:getPosition()
		local list, count = world:predict(ball, 2, { linearVelocity = wing.vector(3, 8), timestep = 1 / 64 })
		lu.assertEquals(count, 128)
		lu.assertEquals(world:hash(), hash)
		local n = world:getSubsteps()
		for i = 1, count do
			-- Each sub-step rounds a velocity of at most 12 m/s to float, which acts for the rest of the 2 s.
			local h, rounding = 1 / 64 / n, 1e-6 + i * n * 2 ^ -24 * 12 * 2
			lu.assertAlmostEquals(list[(i - 1) * width + 1], x0 + 3 * i * 1 / 64, rounding + 2 ^ -24 * math.abs(x0))
			lu.assertAlmostEquals(list[(i - 1) * width + 2], y0 + 8 * i * 1 / 64 - 10 * h * h * i * n * (i * n + 1) / 2, rounding + 2 ^ -24 * math.abs(y0))
		end
		local spin = space and { 0, 0, 2 } or 2
		local turned = world:predict(ball, 1, { angularVelocity = spin, linearVelocity = wing.vector(1, 1) })
		ball:setLinearVelocity(wing.numbers(1, 1))
		if space then ball:setAngularVelocity(0, 0, 2) else ball:setAngularVelocity(2) end
		follow(world, ball, turned, 60)
	end

	function suite.test_hooks_decide_in_predictions_too()
		local calls, seen, failing = 0, {}, nil
		local world = d.newWorld {
			gravity = gravity,
			filter = function(a, b)
				calls = calls + 1
				seen[a:getBody()], seen[b:getBody()] = true, true
				if failing then failing(a) end
				return a:getBody():getName() ~= "ghost" and b:getBody():getName() ~= "ghost"
			end,
			preSolve = function(contact)
				calls = calls + 1
				if failing then failing() end
				contact:setFriction(0)
			end,
		}
		local floor = ground(world)
		local ghost = world:newBody { name = "ghost", position = wing.vector(0, 3), shape = wing.ball(d, 0.5) }
		local ball = world:newBody { position = wing.vector(3, 0.6), shape = wing.cube(d, 1), preSolve = true, linearVelocity = wing.vector(2, 0) }
		local list = world:predict(ghost, 3)
		lu.assertTrue(list[#list - width + 2] < -20)
		local slide, count = world:predict(ball, 2)
		lu.assertAlmostEquals(slide[#slide - width + 1], 3 + 2 * 2, 0.02)
		lu.assertTrue(calls > 0 and seen[floor] and seen[ball])
		-- Errors, and what is not allowed in a hook: the world is whole, and steps as if nothing had been.
		local hash = world:hash()
		for _, f in ipairs {
			function() error "not today" end, function() world:step(1 / 60) end, function() world:predict(ball, 1) end, function() ball:destroy() end,
			function() world:destroy() end, function() world:restore "" end,
		} do
			failing = f
			lu.assertFalse((pcall(world.predict, world, ball, 1)))
			failing = nil
			world:validate()
			lu.assertEquals(world:hash(), hash)
		end
		failing = function() collectgarbage() end
		world:predict(ball, 0.2)
		failing = nil
		follow(world, ball, slide, count)
		lu.assertTrue(ghost:isValid())
	end

	function suite.test_any_body_and_any_time()
		local world, bodies = scene()
		local still = world:newBody { type = "static", position = wing.vector(100, 5), shape = wing.ball(d, 1) }
		local list, count = world:predict(still, 1 / 60)
		lu.assertEquals({ count, list[1], list[2] }, { 1, 100, 5 })
		local into = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 }
		local same, none = world:predict(bodies[1], 0, { into = into })
		lu.assertEquals({ same == into, none, #into }, { true, 0, 0 })
		lu.assertEquals(select(2, world:predict(bodies[1], 0.1, { timestep = 0.03 })), 4)
		bodies[2]:setEnabled(false)
		local away = world:predict(bodies[2], 0.1)
		lu.assertEquals(away[2], select(2, bodies[2]:getPosition()))
		bodies[3]:setAwake(false)
		local asleep = bodies[3]:isAwake()
		world:predict(bodies[3], 0.5, { linearVelocity = wing.vector(0, 5) })
		lu.assertEquals(bodies[3]:isAwake(), asleep)
	end

	function suite.test_no_garbage()
		local world, bodies = scene()
		local options = { into = {} }
		lu.assertEquals(support.bytes_of(5, function() world:predict(bodies[5], 0.2, options) end), 0)
	end

	function suite.test_bad_input()
		local world, bodies = scene()
		local hash = world:hash()
		local other = d.newWorld():newBody {}
		local gone = world:newBody {}
		gone:destroy()
		for message, arguments in pairs {
			["predict: body must be a body of this world, got nil"] = {},
			["predict: body must be a body of this world, got 3"] = { 3, 1 },
			["predict: body must be a body of this world, got a body of another world"] = { other, 1 },
			["predict: body must be a body of this world, got a destroyed body"] = { gone, 1 },
			["predict: seconds must be >= 0"] = { bodies[1], -1 },
			["predict: seconds must be a finite number, got \"1\""] = { bodies[1], "1" },
			["predict: seconds must be a finite number"] = { bodies[1], 0 / 0 },
			["predict: seconds must be at most 1048576 steps"] = { bodies[1], 3000, { timestep = 1e-6 } },
			["predict: unknown key 'timeStep', did you mean 'timestep'?"] = { bodies[1], 1, { timeStep = 1 } },
			["predict: timestep must be > 0"] = { bodies[1], 1, { timestep = 0 } },
			["predict: into must be a table"] = { bodies[1], 1, { into = 1 } },
			["predict: linearVelocity"] = { bodies[1], 1, { linearVelocity = 3 } },
			["predict: angularVelocity must be"] = { bodies[1], 1, { angularVelocity = "a" } },
		} do
			lu.assertErrorMsgContains(message, world.predict, world, (table.unpack or unpack)(arguments, 1, 3))
		end
		lu.assertEquals(world:hash(), hash)
	end
end
