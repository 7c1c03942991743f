-- Islands under random stress: every invariant after each batch of operations, and the number of islands by union-find.
--
-- Islands are the connected components of the dynamic, enabled bodies, linked by contacts that touch. Contacts merge them immediately; splitting is lazy: only
-- components whose bodies have all rested for half a second become islands of their own. So there are at most as many islands as components, each component
-- lies in one island (all awake or all asleep), and only split islands sleep: when all sleep, islands and components are equal in number.
local lu, collide = require "luaunit", require "collide"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local DT = 1 / 60

	local random_numbers = require("support").random_numbers

	-- Components by union-find over the contacts: their number, the number of sleeping ones, and whether any is awake. Raises an error for one that is partly
	-- asleep.
	local function components(world)
		local parent = {}
		local function find(body)
			while parent[body] ~= body do
				parent[body] = parent[parent[body]]
				body = parent[body]
			end
			return body
		end
		local bodies = {}
		for _, body in ipairs(world:getBodies()) do
			if body:getType() == "dynamic" and body:isEnabled() then
				parent[body] = body
				bodies[#bodies + 1] = body
			end
		end
		for a, b in world:contacts() do
			local one, two = a:getBody(), b:getBody()
			if parent[one] and parent[two] then parent[find(one)] = find(two) end
		end
		local count, asleep, awake_of = 0, 0, {}
		for _, body in ipairs(bodies) do
			local root = find(body)
			local awake = body:isAwake()
			if awake_of[root] == nil then
				awake_of[root] = awake
				count = count + 1
				if not awake then asleep = asleep + 1 end
			elseif awake_of[root] ~= awake then
				lu.fail("a component that is half asleep")
			end
		end
		return count, asleep
	end

	local function check(world)
		lu.assertTrue(world:validate())
		local count, asleep = components(world)
		local islands = world:getIslandCount()
		if islands > count then lu.fail(("%d islands of %d components"):format(islands, count)) end
		local least = asleep + (count > asleep and 1 or 0)
		if islands < least then lu.fail(("%d islands, but %d components sleep apart"):format(islands, asleep)) end
		return count, asleep
	end

	-- --- Small -----------------------------------------------------------------------------------------------------------------

	local TestIslands = suite("TestIslands", dim)

	function TestIslands.test_a_body_alone_is_an_island()
		local world = d.newWorld { gravity = { 0, 0 } }
		lu.assertEquals(world:getIslandCount(), 0)
		local body = world:newBody { shape = d.circle(0.5) }
		world:newBody { type = "static", shape = d.circle(0.5) }
		world:newBody { type = "kinematic", shape = d.circle(0.5) }
		lu.assertEquals(world:getIslandCount(), 1)
		world:newBody { x = 5 }
		lu.assertEquals(world:getIslandCount(), 2)
		body:setEnabled(false)
		lu.assertEquals(world:getIslandCount(), 1)
		body:setEnabled(true)
		body:setType("static")
		lu.assertEquals(world:getIslandCount(), 1)
		body:setType("dynamic")
		lu.assertEquals(world:getIslandCount(), 2)
		body:destroy()
		lu.assertEquals(world:getIslandCount(), 1)
		lu.assertTrue(world:validate())
	end

	-- Merging alone is exact at all times. Balls in a row at random distances, some in contact.
	function TestIslands.test_merged_immediately()
		local number = random_numbers(61)
		for _ = 1, 20 do
			local world = d.newWorld { gravity = { 0, 0 } }
			local x, expected = 0, 1
			world:newBody { x = 0, shape = d.circle(0.5) }
			for _ = 2, 30 do
				local gap = number(-0.05, 0.1)
				-- Not within a millimetre of the speculative margin of 2 cm.
				if math.abs(gap - 0.02) < 0.001 then gap = 0.05 end
				x = x + 1 + gap
				if gap > 0.02 then expected = expected + 1 end
				world:newBody { x = x, shape = d.circle(0.5) }
			end
			world:step(0)
			lu.assertEquals(world:getIslandCount(), expected)
			lu.assertEquals(check(world), expected)
		end
	end

	-- Static and kinematic bodies, sensors and colliders of one body do not link islands.
	function TestIslands.test_links_that_do_not_connect()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(60, 2) }
		world:newBody { type = "kinematic", x = 20, y = -1, shape = d.box(20, 2) }
		for i = 1, 10 do world:newBody { x = 2 * i - 10, y = 0.5, shape = d.box(1, 1) } end
		world:newBody { y = 0.5, gravityScale = 0, shape = d.box(40, 1), sensor = true }
		for _ = 1, 5 do world:step(DT) end
		lu.assertEquals(world:getIslandCount(), 11)
		lu.assertEquals(check(world), 11)
	end

	-- A row of boxes in contact is one island. With every second one destroyed, disabled or moved away, the rest are ten islands, and each sleeps by itself.
	function TestIslands.test_split_before_they_sleep()
		for _, way in ipairs { "destroy", "disable", "lift", "static", "layer" } do
			local world = d.newWorld { layers = { "solid", "ghost" }, collide = { solid = { "solid" }, ghost = {} } }
			world:newBody { type = "static", y = -1, shape = d.box(60, 2) }
			local boxes = {}
			for i = 1, 20 do boxes[i] = world:newBody { x = i - 10, y = 0.5, shape = d.box(1, 1) } end
			for _ = 1, 120 do world:step(DT) end
			lu.assertEquals(world:getAwakeCount(), 0)
			lu.assertEquals(world:getIslandCount(), 1)
			for i = 2, 20, 2 do
				if way == "destroy" then
					boxes[i]:destroy()
				elseif way == "disable" then
					boxes[i]:setEnabled(false)
				elseif way == "lift" then
					boxes[i]:setTransform(3 * i, 3, 0)
					boxes[i]:setGravityScale(0)
				elseif way == "static" then
					boxes[i]:setType("static")
				else
					boxes[i]:getColliders()[1]:setLayer("ghost")
				end
				check(world)
			end
			for _ = 1, 150 do
				world:step(DT)
				check(world)
			end
			if way ~= "layer" then
				lu.assertEquals(world:getAwakeCount(), 0, way)
				lu.assertEquals(world:getIslandCount(), way == "lift" and 20 or 10, way)
				boxes[1]:setAwake(true)
				lu.assertEquals(world:getAwakeCount(), 1, way)
			end
		end
	end

	-- A component whose bodies have all rested for half a second falls asleep within two steps, whatever the rest of its former island does: here the bodies
	-- that may not sleep keep awake exactly their components of a graph of joints, which are destroyed and made at random.
	function TestIslands.test_each_component_at_rest_sleeps()
		local STEPS = 32
		local number, pick = random_numbers(61)
		local world = d.newWorld { gravity = { 0, 0 } }
		local bodies, calm, joints, slept = {}, {}, {}, 0
		for i = 1, 60 do
			bodies[i] = world:newBody { x = 3 * i, shape = d.circle(0.5), sleepingAllowed = i % 12 ~= 0 }
			calm[i] = 0
		end
		local function roots()
			local parent = {}
			for i = 1, #bodies do parent[i] = i end
			local function find(i)
				while parent[i] ~= i do i = parent[i] end
				return i
			end
			for _, joint in ipairs(joints) do parent[find(joint.a)] = find(joint.b) end
			local root = {}
			for i = 1, #bodies do root[i] = find(i) end
			return root
		end
		local function stir(a, b)
			local root = roots()
			for i = 1, #bodies do
				if root[i] == root[a] or root[i] == root[b] then calm[i] = 0 end
			end
		end
		local function link()
			local a, b = pick(#bodies), pick(#bodies)
			if a == b then return end
			stir(a, b)
			local joint = world:newRevoluteJoint { bodyA = bodies[a], bodyB = bodies[b], x = 1.5 * (a + b), y = 0 }
			joints[#joints + 1] = { a = a, b = b, joint = joint }
		end
		for _ = 1, 100 do link() end
		for step = 1, 600 do
			if pick(5) == 1 then
				local at = pick(#joints)
				stir(joints[at].a, joints[at].b)
				joints[at].joint:destroy()
				table.remove(joints, at)
				if pick(3) == 1 then link() end
			end
			world:step(DT)
			local root, least, may = roots(), {}, {}
			for i = 1, #bodies do
				calm[i] = calm[i] + 1
				least[root[i]] = math.min(least[root[i]] or calm[i], calm[i])
				may[root[i]] = may[root[i]] ~= false and i % 12 ~= 0
			end
			for i = 1, #bodies do
				local asleep = not bodies[i]:isAwake()
				if asleep and not may[root[i]] then lu.fail(("step %d: body %d sleeps beside a restless one"):format(step, i)) end
				if not asleep and may[root[i]] and least[root[i]] > STEPS then lu.fail(("step %d: body %d is awake"):format(step, i)) end
				if asleep then slept = slept + 1 end
			end
			lu.assertTrue(world:validate())
			if #joints < 20 then break end
		end
		lu.assertTrue(slept > 1000, slept)
	end

	-- A body that passes along a row of bodies at rest, and touches one after the other, keeps awake only those that it touches: each falls asleep half a second
	-- after it has been left.
	function TestIslands.test_bodies_left_behind_sleep()
		local world = d.newWorld { gravity = { 0, -10 } }
		world:newBody { type = "static", shape = d.halfPlane(0, 1, 0) }
		local row = {}
		for i = 1, 12 do
			row[i] = world:newBody { x = i, y = 0.5, awake = false, shapes = { { shape = d.box(0.9, 1), density = 100, friction = 0 } } }
		end
		local slider = world:newBody { x = 1, y = 1.5, shapes = { { shape = d.box(1.5, 1, { radius = 0.2 }), density = 0.1, friction = 0 } } }
		slider:setLinearVelocity(1, 0)
		local left, met = {}, 0
		for step = 1, 600 do
			world:step(DT)
			local touched = {}
			for a, b in world:contacts() do
				local one, two = a:getBody(), b:getBody()
				if one == slider then touched[two] = true elseif two == slider then touched[one] = true end
			end
			for i, body in ipairs(row) do
				if touched[body] then
					left[i] = step
					lu.assertTrue(body:isAwake())
				elseif left[i] and step > left[i] + 32 then
					lu.assertFalse(body:isAwake(), ("body %d, left in step %d, is awake in step %d"):format(i, left[i], step))
					met = met + 1
				end
			end
		end
		lu.assertTrue(met > 11 * 100, met)
	end

	-- --- At random -------------------------------------------------------------------------------------------------------------

	local TestIslandStress = suite("TestIslandStress", dim)

	local shapes = {
		d.circle(0.4), d.capsule(-0.4, 0, 0.4, 0.1, 0.2), d.box(0.8, 0.8), d.box(0.9, 0.5, { radius = 0.1 }),
		d.polygon { -0.5, -0.4, 0.5, -0.4, 0, 0.6 }, d.ellipse(0.5, 0.35), d.segment(-0.6, 0, 0.6, 0.1),
		d.chain({ -0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5 }, { loop = true }),
	}
	local layers, types = { "one", "two", "three" }, { "dynamic", "dynamic", "dynamic", "dynamic", "kinematic", "static" }

	-- Batches of random operations, `visit` after each. Every second batch is followed by a step; sometimes nothing happens for two seconds, so that many
	-- bodies go to sleep.
	local function stress(seed, batches, options, visit)
		local number, pick = random_numbers(seed)
		options.layers, options.collide = layers, { one = { "one", "two" }, two = { "two" }, three = { "one" } }
		local world = d.newWorld(options)
		world:newBody { type = "static", shape = d.halfPlane(0, 1, 0) }
		world:newBody { type = "static", x = -8, y = 2, shape = d.box(1, 6) }
		world:newBody { type = "static", x = 8, y = 2, shape = d.box(1, 6) }
		local bodies, done = {}, 0
		local function terrain(shape, sensor) return require("support").terrain(dim, shape, sensor) end
		local function collider_options()
			return {
				shape = shapes[pick(#shapes)], layer = layers[pick(3)], group = pick(5) == 1 and pick(5) - 3 or 0, sensor = pick(8) == 1,
				friction = number(0, 1), restitution = pick(4) == 1 and number(0, 0.6) or 0,
			}
		end
		local function add()
			local parts = {}
			for i = 1, pick(2) do parts[i] = collider_options() end
			local type = types[pick(#types)]
			for _, part in ipairs(parts) do
				if terrain(part.shape, part.sensor) and type == "dynamic" then type = "static" end
			end
			bodies[#bodies + 1] = world:newBody {
				type = type, x = number(-7, 7), y = number(0.5, 5), angle = number(-3, 3), shapes = parts,
				awake = pick(5) > 1, enabled = pick(8) > 1, sleepingAllowed = pick(12) > 1,
			}
		end
		local function take() return bodies[pick(#bodies)] end
		local function take_collider()
			local colliders = take():getColliders()
			return colliders[math.min(#colliders, pick(2))]
		end
		local function with_collider(change)
			return function()
				local collider = take_collider()
				if collider then change(collider) end
			end
		end
		local operations = {
			add, add,
			function()
				local i = pick(#bodies)
				bodies[i]:destroy()
				table.remove(bodies, i)
			end,
			function() take():setEnabled(pick(3) > 1) end,
			function()
				local body, type = take(), types[pick(#types)]
				for _, collider in ipairs(body:getColliders()) do
					if terrain(collider:getShape(), collider:isSensor()) and type == "dynamic" then type = "static" end
				end
				body:setType(type)
			end,
			function() take():setPosition(number(-7, 7), number(0.5, 5)) end,
			function() take():setAngle(number(-3, 3)) end,
			function() take():setLinearVelocity(number(-4, 4), number(-4, 4)) end,
			function() take():applyImpulse(number(-1, 1), number(-1, 1), 0, 0) end,
			function() take():setAwake(pick(2) == 1) end,
			function() take():setSleepingAllowed(pick(6) > 1) end,
			function() take():setLocks(pick(6) == 1, pick(6) == 1, pick(6) == 1) end,
			function() take():setMassData(number(0, 2), number(-0.1, 0.1), 0, number(0, 1)) end,
			function() take():resetMassData() end,
			function()
				local body, part = take(), collider_options()
				local shape = part.shape
				part.shape = nil
				if #body:getColliders() < 3 and not (body:getType() == "dynamic" and terrain(shape, part.sensor)) then body:newCollider(shape, part) end
			end,
			with_collider(function(collider) collider:destroy() end),
			with_collider(function(collider)
				local shape = shapes[pick(#shapes)]
				if not (collider:getBody():getType() == "dynamic" and terrain(shape, collider:isSensor())) then collider:setShape(shape) end
			end),
			with_collider(function(collider) collider:setLayer(layers[pick(3)]) end),
			with_collider(function(collider) collider:setGroup(pick(5) - 3) end),
			with_collider(function(collider) collider:setDensity(number(0, 2)) end),
			with_collider(function(collider) collider:setFriction(number(0, 1)) end),
			function() world:setLayersMeet(layers[pick(3)], layers[pick(3)], pick(3) > 1) end,
			function() world:setGravity(number(-1, 1), -10) end,
		}
		for _ = 1, 50 do add() end
		for batch = 1, batches do
			for _ = 1, pick(12) do
				-- The last two operations change settings of the whole world: they are rarer.
				operations[pick(pick(4) == 1 and #operations or #operations - 2)]()
				done = done + 1
				if #bodies < 25 then add() end
				if #bodies > 70 then operations[3]() end
			end
			visit(world)
			if batch % 2 == 0 then
				world:step(pick(10) == 1 and 0 or DT)
				visit(world)
			end
			if batch % 100 == 0 then
				for _ = 1, 120 do world:step(DT) end
				visit(world)
			end
		end
		-- In the end everything may sleep: no restitution, sleeping allowed everywhere, nothing is thrown.
		for _, body in ipairs(bodies) do
			body:setSleepingAllowed(true)
			if body:getType() == "kinematic" then
				body:setLinearVelocity(0, 0)
				body:setAngularVelocity(0)
			end
		end
		world:setGravity(0, -10)
		return world, bodies, done
	end

	function TestIslandStress.test_invariants_and_components()
		local done, most, slept, split = 0, 0, 0, 0
		for _, seed in ipairs { 71, 72, 73 } do
			local _, _, count = stress(seed, 500, {}, function(world)
				local components_found, asleep = check(world)
				most, slept = math.max(most, components_found), math.max(slept, asleep)
				if world:getIslandCount() < components_found then split = split + 1 end
			end)
			done = done + count
		end
		-- The test means something: thousands of operations, many islands, sleeping ones, and ones not yet split.
		lu.assertTrue(done > 8000, done)
		lu.assertTrue(most > 15 and slept > 5 and split > 0, ("%d, %d, %d"):format(most, slept, split))
	end

	-- When all bodies sleep, islands equal components.
	function TestIslandStress.test_exact_when_all_sleep()
		local exact = 0
		for _, seed in ipairs { 81, 82, 83 } do
			local world, bodies = stress(seed, 60, {}, function() end)
			-- With damping a heap soon rests.
			for _, body in ipairs(bodies) do
				body:setLinearDamping(2)
				body:setAngularDamping(2)
			end
			for _ = 1, 300 do world:step(DT) end
			-- Bodies that still rock are put to sleep.
			for _, body in ipairs(bodies) do body:setAwake(false) end
			local count, asleep = check(world)
			lu.assertEquals(asleep, count)
			lu.assertEquals(world:getIslandCount(), count)
			exact = exact + count
		end
		lu.assertTrue(exact > 20)
	end

	-- With sleeping off no body sleeps.
	function TestIslandStress.test_without_sleeping()
		stress(91, 80, { sleeping = false }, function(world) check(world) end)
	end

	function TestIslandStress.test_counts_agree()
		stress(92, 120, {}, function(world)
			local bodies, colliders, awake, touching = 0, 0, 0, {}
			for _, body in ipairs(world:getBodies()) do
				bodies = bodies + 1
				colliders = colliders + #body:getColliders()
				if body:isAwake() then awake = awake + 1 end
			end
			if bodies ~= world:getBodyCount() then lu.fail("getBodyCount") end
			if colliders ~= world:getColliderCount() then lu.fail("getColliderCount") end
			if awake ~= world:getAwakeCount() then lu.fail("getAwakeCount") end
			-- Touching contacts are counted per segment of a chain and with sensors: at least as many as the listed pairs, at most as many as all pairs.
			local listed = 0
			for a, b in world:contacts() do
				touching[a] = touching[a] or {}
				if not touching[a][b] then listed = listed + 1 end
				touching[a][b] = true
			end
			if world:getTouchingCount() < listed then lu.fail("getTouchingCount") end
			if world:getContactCount() < world:getTouchingCount() then lu.fail("getContactCount") end
		end)
	end

	-- The same operations give the same world.
	function TestIslandStress.test_repeats_to_the_bit()
		local function run()
			local hashes = {}
			stress(93, 60, {}, function(world) hashes[#hashes + 1] = world:hash() end)
			return hashes
		end
		lu.assertEquals(run(), run())
	end
end
