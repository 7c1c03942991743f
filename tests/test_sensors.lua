-- Sensors: whom they see, also within a step, their lists of visitors, and colliders that become sensors. test_events.lua tests the pairs of begins and ends at
-- random.
local lu, collide, support = require "luaunit", require "collide", require "support"
local planes, suite = support.planes, support.suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local DT, steps = 1 / 60, support.steps
	local TestSensors = suite("TestSensors", dim)

	local function count(...)
		local n = 0
		for _ in ... do n = n + 1 end
		return n
	end

	-- Of each two types, a sensor sees a visitor and another sensor unless both bodies are static.
	function TestSensors.test_all_pairs_of_types()
		local types = { "static", "kinematic", "dynamic" }
		for _, one in ipairs(types) do
			for _, two in ipairs(types) do
				for _, both in ipairs { false, true } do
					local world = d.newWorld { gravity = { 0, 0 } }
					local a = world:newBody { type = one, shape = d.circle(1), sensor = true }:getColliders()[1]
					local b = world:newBody { type = two, x = 1, shape = d.circle(1), sensor = both }:getColliders()[1]
					world:step(DT)
					local seen = (one ~= "static" or two ~= "static") and 1 or 0
					local name = one .. " and " .. two
					lu.assertEquals(count(world:beginOverlaps()), both and 2 * seen or seen, name)
					lu.assertEquals({ count(a:overlaps()), count(b:overlaps()) }, { seen, both and seen or 0 }, name)
					lu.assertEquals(count(world:beginContacts()), 0)
				end
			end
		end
	end

	-- Passing within a step ------------------------------------------------------------------------------------------------------

	-- 500 balls of 30 to 390 m/s, up to 30 times their diameter in a step, fly through ten gates of 2 cm: each gate tells of each ball once, that it came and
	-- that it left.
	function TestSensors.test_500_fast_bodies_through_thin_gates()
		local number = support.random_numbers(5)
		local world = d.newWorld { gravity = { 0, 0 } }
		local came, left = {}, {}
		for i = 1, 10 do
			world:newBody { type = i % 2 == 0 and "static" or "kinematic", x = 7.3 * i, shape = d.box(0.02, 2000), sensor = true, data = i }
		end
		for i = 1, 500 do
			local x, speed = number(-3, 5), number(30, 390)
			world:newBody { x = x, y = 1.5 * i - 375, shape = i % 2 == 0 and d.circle(0.1) or d.box(0.2, 0.2), linearVelocity = { speed, 0 }, data = i,
				bullet = i % 5 == 0, angularVelocity = number(-3, 3) }
		end
		local function note(list, sensor, visitor)
			local key = sensor:getBody().data * 1000 + visitor:getBody().data
			list[key] = (list[key] or 0) + 1
		end
		steps(world, 160, function()
			for sensor, visitor in world:beginOverlaps() do note(came, sensor, visitor) end
			for sensor, visitor in world:endOverlaps() do note(left, sensor, visitor) end
		end)
		for gate = 1, 10 do
			for ball = 1, 500 do
				local key = 1000 * gate + ball
				if came[key] ~= 1 or left[key] ~= 1 then
					lu.fail(("gate %d, ball %d: came %s times, left %s times"):format(gate, ball, tostring(came[key]), tostring(left[key])))
				end
			end
		end
		lu.assertTrue(world:validate())
	end

	-- A fast sensor sees static, kinematic, sleeping and moving bodies on its way, another fast sensor, and what a layer does not forbid.
	function TestSensors.test_a_fast_sensor_sees_what_it_passes()
		for _, type in ipairs { "kinematic", "dynamic" } do
			local world = d.newWorld { gravity = { 0, 0 }, layers = { "seen", "unseen" } }
			world:setLayersMeet("seen", "unseen", false)
			local names, box = {}, d.box(0.1, 1)
			local eye = world:newBody { type = type, shape = d.circle(0.1), sensor = true, linearVelocity = { 300, 0 } }
			world:newBody { type = "static", x = 1, shape = box, data = "static" }
			world:newBody { type = "kinematic", x = 2, shape = box, data = "kinematic" }
			world:newBody { x = 3, shape = box, awake = false, data = "asleep" }
			world:newBody { x = 3.5, shape = box, layer = "unseen", data = "unseen" }
			world:newBody { x = 4, shape = box, linearVelocity = { -1, 0 }, data = "slow" }
			world:newBody { x = 9, shape = d.circle(0.1), sensor = true, linearVelocity = { -300, 0 }, data = "fast sensor" }
			world:newBody { type = "static", x = 6.5, shape = box, sensor = true, data = "not there yet" }
			world:step(DT)
			for sensor, visitor in world:beginOverlaps() do
				if sensor:getBody() == eye then names[#names + 1] = visitor:getBody().data end
			end
			table.sort(names)
			lu.assertEquals(names, { "asleep", "fast sensor", "kinematic", "slow", "static" }, type)
			lu.assertEquals(count(eye:getColliders()[1]:overlaps()), 0)
		end
	end

	-- The paths of two balls cross, or only their boxes do.
	function TestSensors.test_a_near_miss_is_none()
		for _, case in ipairs { { 0.19, 1 }, { 0.21, 0 }, { -0.19, 1 }, { -0.21, 0 } } do
			local world = d.newWorld { gravity = { 0, 0 } }
			world:newBody { x = -2, y = -2, shape = d.circle(0.1), linearVelocity = { 240, 240 } }
			world:newBody { type = "static", x = case[1] * math.sqrt(0.5), y = -case[1] * math.sqrt(0.5), shape = d.circle(0.1), sensor = true }
			world:step(DT)
			lu.assertEquals({ count(world:beginOverlaps()), count(world:endOverlaps()) }, { case[2], case[2] }, case[1])
		end
	end

	function TestSensors.test_a_filter_decides_over_passing_visitors()
		for _, allowed in ipairs { false, true } do
			local calls = 0
			local world = d.newWorld { gravity = { 0, 0 }, filter = function() calls = calls + 1 return allowed end }
			world:newBody { x = -2, shape = d.circle(0.1), linearVelocity = { 240, 0 } }
			world:newBody { type = "static", shape = d.circle(0.1), sensor = true }
			world:step(DT)
			lu.assertEquals({ calls, count(world:beginOverlaps()) }, { 1, allowed and 1 or 0 })
		end
	end

	-- Lists of visitors ----------------------------------------------------------------------------------------------------------

	-- A field of 500 static sensors, into which 150 bodies fall, as in Box2D's sample BenchmarkSensor: their lists are what overlapShape finds.
	function TestSensors.test_500_lists_agree_with_queries()
		local number = support.random_numbers(8)
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(60, 2) }
		local sensors = {}
		for i = 0, 499 do
			sensors[i + 1] = world:newBody { type = "static", x = i % 25 - 12, y = math.floor(i / 25), shape = d.circle(0.45), sensor = true }:getColliders()[1]
		end
		local parts = { { shape = d.circle(0.3, -0.3, 0) }, { shape = d.circle(0.3, 0.3, 0) } }
		for _ = 1, 150 do world:newBody { x = number(-12, 12), y = number(2, 40), shapes = parts } end
		local seen = 0
		for round = 1, 8 do
			steps(world, 20)
			local expected = {}
			for i, sensor in ipairs(sensors) do
				expected[i] = {}
				local x, y = sensor:getBody():getPosition()
				for _, other in ipairs(world:overlapShape(d.circle(0.4499), d.pose(x, y))) do expected[i][other] = true end
			end
			world:step(1e-6) -- sensors know who was there when a step began
			for i, sensor in ipairs(sensors) do
				for visitor in sensor:overlaps() do
					seen = seen + 1
					expected[i][visitor] = nil
				end
				for other in pairs(expected[i]) do
					if other:getBody():isAwake() then lu.fail("round " .. round .. ", sensor " .. i .. ": a visitor is missing") end
				end
			end
		end
		lu.assertTrue(seen > 1000, seen)
	end

	-- Visitors may be destroyed on the way; loops may be nested and left early.
	function TestSensors.test_loops_that_change_the_world()
		local world = d.newWorld { gravity = { 0, 0 } }
		local sensor = world:newBody { type = "static", shape = d.box(20, 20), sensor = true }:getColliders()[1]
		for i = 1, 20 do world:newBody { x = i - 10, shape = d.circle(0.3), data = i } end
		lu.assertEquals(count(sensor:overlaps()), 0)
		world:step(DT)
		local pairs_seen, left = 0, 0
		for _ in sensor:overlaps() do
			for _ in sensor:overlaps() do
				pairs_seen = pairs_seen + 1
				if pairs_seen % 20 == 7 then break end
			end
		end
		lu.assertEquals(pairs_seen, 7 + 19 * 20)
		for visitor in sensor:overlaps() do
			left = left + 1
			for _, body in ipairs(world:getBodies()) do
				if body.data and body.data % 2 == left % 2 then body:destroy() end
			end
		end
		lu.assertTrue(left >= 1 and left <= 2)
		lu.assertEquals(count(sensor:overlaps()), 0)
		world:step(DT)
		lu.assertEquals(count(world:endOverlaps()), 20)
		lu.assertEquals(count(world:getBodies()[1]:getColliders()[1]:overlaps()), 0)
	end

	-- Becoming a sensor ----------------------------------------------------------------------------------------------------------

	-- 500 boxes lie on a floor in pairs; a floor that becomes a sensor lets all of them fall, and holds those that are not through when it is solid again.
	function TestSensors.test_a_floor_of_500_becomes_a_sensor_and_solid_again()
		local world = d.newWorld {}
		local floor = world:newBody { type = "static", y = -1, shape = d.box(1100, 2) }:getColliders()[1]
		for i = 1, 500 do world:newBody { x = 2 * i - 500, y = 0.5, shape = d.box(1, 1) } end
		steps(world, 60)
		lu.assertEquals(world:getAwakeCount(), 0)
		floor:setSensor(true)
		lu.assertTrue(floor:isSensor())
		world:step(DT)
		lu.assertEquals({ count(world:endContacts()), count(world:beginOverlaps()), count(world:wokeBodies()) }, { 500, 500, 500 })
		lu.assertEquals(count(floor:overlaps()), 500)
		steps(world, 6)
		floor:setSensor(false)
		world:step(DT)
		lu.assertEquals({ count(world:beginContacts()), count(world:endOverlaps()), count(floor:overlaps()) }, { 500, 500, 0 })
		steps(world, 60)
		for _, body in ipairs(world:getBodies()) do
			if body:getType() == "dynamic" then lu.assertAlmostEquals(select(2, body:getPosition()), 0.5, 0.02) end
		end
		lu.assertTrue(world:validate())
	end

	function TestSensors.test_errors()
		local raw, world = collide[dim], collide[dim].newWorld()
		local plane = dim == "d2" and raw.halfPlane(0, 1, 0) or raw.halfSpace(0, 1, 0, 0)
		local collider = world:newBody { shape = plane, sensor = true }:getColliders()[1]
		lu.assertErrorMsgContains("setSensor: sensor must be true for a half", collider.setSensor, collider, false)
		lu.assertErrorMsgContains("setSensor: sensor must be true or false, got nil", collider.setSensor, collider, nil)
		lu.assertErrorMsgContains("setCollidesWith: layers must be a list, got 3", collider.setCollidesWith, collider, 3)
		lu.assertErrorMsgContains("setCollidesWith: layers[1]: unknown layer 'x'", collider.setCollidesWith, collider, { "x" })
		lu.assertErrorMsgContains("newBody: collidesWith must be a list", world.newBody, world, { shape = plane, type = "static", collidesWith = "default" })
		local refused
		world:setFilter(function(a)
			refused = { pcall(a.setSensor, a, true), pcall(a.setCollidesWith, a, nil), pcall(a.overlaps, a) }
			return true
		end)
		world:newBody { shape = dim == "d2" and raw.circle(1) or raw.sphere(1) }
		world:step(DT)
		lu.assertEquals({ refused[1], refused[2], refused[3] }, { false, false, false })
		collider:destroy()
		lu.assertErrorMsgContains("destroyed", collider.overlaps, collider)
	end

	function TestSensors.test_loops_make_no_garbage()
		local raw = collide[dim]
		local world = raw.newWorld()
		local shape = dim == "d2" and raw.box(40, 40) or raw.box(40, 40, 40)
		local sensor = world:newBody { type = "static", shape = shape, sensor = true }:getColliders()[1]
		local keep = {}
		for i = 1, 50 do keep[i] = world:newBody { x = i / 2 - 12, shape = dim == "d2" and raw.circle(0.1) or raw.sphere(0.1) }:getColliders()[1] end
		world:step(DT)
		lu.assertEquals(support.bytes_of(100, function()
			count(sensor:overlaps())
			count(world:wokeBodies())
			count(world:sleptBodies())
			sensor:setSensor(true)
		end), 0)
		lu.assertEquals(count(sensor:overlaps()), 50)
	end

	-- Own layers -----------------------------------------------------------------------------------------------------------------

	local TestCollidesWith = suite("TestCollidesWith", dim)

	-- All 4 x 4 lists of two colliders of two layers, and none, against the rule: an own list goes before the world; two must agree. 500 pairs.
	function TestCollidesWith.test_500_pairs_against_the_rule()
		local lists = { false, {}, { "a" }, { "b" }, { "a", "b" } }
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" }, collide = { a = { "a" } } }
		local pairs_made, number = {}, 0
		for round = 1, 5 do
			for _, of_one in ipairs(lists) do
				for _, of_two in ipairs(lists) do
					for _, layers in ipairs { { "a", "a" }, { "a", "b" }, { "b", "a" }, { "b", "b" } } do
						number = number + 1
						local x, y = 5 * (number % 50), 5 * math.floor(number / 50)
						local first = world:newBody { x = x, y = y, shape = d.circle(1), layer = layers[1], collidesWith = round < 3 and of_one or nil }
						local second = world:newBody { x = x + 1.5, y = y, shape = d.circle(1), layer = layers[2], sensor = round == 5 }
						pairs_made[number] = { first:getColliders()[1], second:getColliders()[1], of_one, of_two, layers, round }
					end
				end
			end
		end
		world:step(DT)
		for _, pair in ipairs(pairs_made) do
			if pair[6] >= 3 then pair[1]:setCollidesWith(pair[3] or nil) end
			pair[2]:setCollidesWith(pair[4] or nil)
			lu.assertEquals(pair[1]:getCollidesWith(), pair[3] or nil)
		end
		world:step(DT)
		local touching = {}
		for a in world:contacts() do touching[a] = true end
		for i, pair in ipairs(pairs_made) do
			local one, two, layers = pair[3], pair[4], pair[5]
			local expected
			if not one and not two then
				expected = world:layersMeet(layers[1], layers[2])
			else
				expected = (not one or support.has(one, layers[2])) and (not two or support.has(two, layers[1]))
			end
			local found = touching[pair[1]] or touching[pair[2]] or false
			if pair[6] == 5 then found = count(pair[2]:overlaps()) == 1 end
			lu.assertEquals(found, expected, i)
		end
		lu.assertEquals(number, 500)
	end
end

-- Ghost ends of chains: a floor of two chains, each of which knows how the other goes on, is as smooth as one chain. -------------------

TestGhostEnds = {}

-- The greatest vertical speed of 250 boxes and 250 balls that slide over the joint of two chains, and for one chain.
local function bumps(make)
	local d2 = collide.d2
	local world = d2.newWorld { hitSpeed = 1e9 }
	local bodies, most = {}, 0
	for i = 1, 500 do
		local y = 5 * i
		make(d2, world, y)
		bodies[i] = world:newBody { x = -1.2, y = y + 0.25, shape = i % 2 == 0 and d2.box(0.5, 0.5) or d2.circle(0.25), friction = 0,
			linearVelocity = { 2 + i / 100, 0 }, sleepingAllowed = false }
	end
	for _ = 1, 60 do
		world:step(1 / 60)
		for _, body in ipairs(bodies) do most = math.max(most, math.abs(select(2, body:getLinearVelocity()))) end
	end
	for _, body in ipairs(bodies) do
		local x, y = body:getPosition()
		assert(x > 0.5)
	end
	return most
end

function TestGhostEnds.test_500_bodies_over_the_joint_of_two_chains()
	local one = bumps(function(d2, world, y) world:newBody { type = "static", y = y, shape = d2.chain { 9, 0, 0, 0, -9, 0 } } end)
	local two = bumps(function(d2, world, y)
		world:newBody { type = "static", y = y, shape = d2.chain({ 9, 0, 0, 0 }, { nextPoint = { -9, 0 } }) }
		world:newBody { type = "static", y = y, shape = d2.chain({ 0, 0, -9, 0 }, { previousPoint = { 9, 0 } }) }
	end)
	lu.assertTrue(two <= one + 0.02, ("%g, one chain %g"):format(two, one))
end

-- A ball on the rim of a cliff: without a ghost the end is flat, as if it went on straight; with one that goes down, the corner is hit from the side, too.
function TestGhostEnds.test_a_ghost_that_goes_down_is_a_corner()
	local d2 = collide.d2
	local function normal(options, x, y)
		local chain = d2.chain({ 0, 0, -9, 0 }, options)
		local m = d2.manifold(chain, nil, d2.circle(0.5), d2.pose(x, y))
		return m and { m.nx, m.ny }
	end
	for _, copy in ipairs { false, true } do
		local options = { previousPoint = { 0, -9 } }
		local x, y = 0.3, 0.3
		local found = copy and (function()
			local chain = d2.transform(d2.chain({ 0, 0, -9, 0 }, options), d2.pose(1, 2))
			local m = d2.manifold(chain, nil, d2.circle(0.5), d2.pose(x + 1, y + 2))
			return m and { m.nx, m.ny }
		end)() or normal(options, x, y)
		lu.assertAlmostEquals(found[1], math.sqrt(0.5), 1e-5)
		lu.assertAlmostEquals(found[2], math.sqrt(0.5), 1e-5)
	end
	local mirrored = d2.chain({ 0, 0, -9, 0 }, { previousPoint = { 0, -9 } }):scaled(-1, 1)
	local m = d2.manifold(mirrored, nil, d2.circle(0.5), d2.pose(-0.3, 0.3))
	lu.assertAlmostEquals(m.nx, -math.sqrt(0.5), 1e-5)
end

function TestGhostEnds.test_errors()
	local d2 = collide.d2
	local points = { 0, 0, -9, 0, -9, -9 }
	lu.assertErrorMsgContains("chain: previousPoint must be a list {x, y}, got 3", d2.chain, points, { previousPoint = 3 })
	lu.assertErrorMsgContains("chain: nextPoint is for open one-sided chains", d2.chain, points, { nextPoint = { 1, 1 }, loop = true })
	lu.assertErrorMsgContains("chain: nextPoint is for open one-sided chains", d2.chain, points, { nextPoint = { 1, 1 }, oneSided = false })
	lu.assertErrorMsgContains("chain: nextPoint must be at least", d2.chain, points, { nextPoint = { -9, -9 } })
	lu.assertErrorMsgContains("chain: previousPoint[2] must be a finite number, got nan", d2.chain, points, { previousPoint = { 1, 0 / 0 } })
end
