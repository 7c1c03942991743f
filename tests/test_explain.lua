-- world:explain and body:explain: their reasons, against the rules and against what the world does.
local lu, collide, support = require "luaunit", require "collide", require "support"
local planes, suite = support.planes, support.suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = collide[dim]
	local flat = dim == "d2"
	local ball = flat and d.circle or d.sphere
	local DT = 1 / 60
	local TestExplain = suite("TestExplain", dim)

	local function place(options, x, y)
		options.x, options.y = x, y
		return options
	end

	-- Random pairs of all combinations of types, states, sensors, layers, lists, groups, joints and filters, near and apart.
	local layers, types = { "a", "b", "c" }, { "static", "kinematic", "dynamic", "dynamic" }

	local function random_options(number, pick)
		local options = { type = types[pick(4)], shape = ball(number(0.5, 1)), layer = layers[pick(3)], gravityScale = 0, enabled = pick(8) > 1,
			awake = pick(4) > 1, sensor = pick(4) == 1, group = pick(2) == 1 and pick(3) - 2 or 0, data = pick(12) == 1 and "refused" or nil }
		if pick(5) == 1 then
			options.collidesWith = {}
			for _, layer in ipairs(layers) do
				if pick(2) == 1 then table.insert(options.collidesWith, layer) end
			end
		end
		return options
	end

	local function layers_allow(world, a, b)
		if not a.collidesWith and not b.collidesWith then return world:layersMeet(a.layer, b.layer) end
		return (not a.collidesWith or support.has(a.collidesWith, b.layer)) and (not b.collidesWith or support.has(b.collidesWith, a.layer))
	end

	-- The first reason by the documented rules; nil: they may collide.
	local function rule(world, a, b, jointed)
		local sensor = a.sensor or b.sensor
		local function moves(options) return options.type == "dynamic" or sensor and options.type == "kinematic" end
		if not a.enabled or not b.enabled then return "disabled" end
		if not moves(a) and not moves(b) then return "types" end
		if a.group ~= 0 and a.group == b.group then
			if a.group < 0 then return "group" end
		elseif not layers_allow(world, a, b) then
			return "layers"
		end
		if jointed then return "joint" end
		if a.data == "refused" or b.data == "refused" then return "filter" end
	end

	-- 1,000 pairs. Bodies stay where they are but for the push of the contact, so that the pairs of a world keep apart.
	function TestExplain.test_1000_random_pairs_against_the_rules_and_the_world()
		local number, pick = support.random_numbers(23)
		local world = d.newWorld { layers = layers, collide = { a = { "a", "b" }, b = { "b" } },
			filter = function(a, b) return a:getBody().data ~= "refused" and b:getBody().data ~= "refused" end }
		local made, counts = {}, {}
		for i = 1, 1000 do
			local a, b = random_options(number, pick), random_options(number, pick)
			local x, y = 20 * (i % 40), 20 * math.floor(i / 40)
			local gap = pick(4) == 1 and number(0.1, 2) or number(-0.5, -0.05)
			local bounds = { ball(1):getBox() }
			local one = world:newBody(place(a, x, y))
			local ra, rb = a.shape:getRadius(), b.shape:getRadius()
			local two = world:newBody(place(b, x + ra + rb + gap, y))
			lu.assertEquals(#bounds, flat and 4 or 6)
			local collides = pick(2) == 1
			local jointed = pick(6) == 1 and (a.type == "dynamic" or b.type == "dynamic")
			if jointed then world:newFilterJoint { bodyA = one, bodyB = two, collideConnected = collides or nil } end
			made[i] = { one, two, a, b, gap, jointed and not collides }
		end
		world:step(DT)
		local touching, overlapping = {}, {}
		for a, b in world:contacts() do touching[a:getBody()], touching[b:getBody()] = true, true end
		for sensor, visitor in world:beginOverlaps() do overlapping[sensor:getBody()], overlapping[visitor:getBody()] = true, true end
		for i, pair in ipairs(made) do
			local one, two, a, b, gap, jointed = pair[1], pair[2], pair[3], pair[4], pair[5], pair[6]
			local text, reason, details = world:explain(one, two)
			local why = ("pair %d: %s, %s"):format(i, reason, text)
			counts[reason] = (counts[reason] or 0) + 1
			lu.assertEquals(reason == "touch", touching[one] or false, why)
			lu.assertEquals(reason == "overlap", overlapping[one] or false, why)
			local refused = rule(world, a, b, jointed)
			if refused then
				lu.assertEquals(reason, refused, why)
			elseif gap > 0 then
				lu.assertEquals(reason, "apart", why)
				lu.assertAlmostEquals(details.distance, gap, 1e-3)
			else
				lu.assertTrue(reason == "touch" or reason == "overlap" or reason == "asleep", why)
			end
			lu.assertIs(details.a, one:getColliders()[1])
			lu.assertIs(details.b, two:getColliders()[1])
			lu.assertEquals({ world:explain(details.b, one) }, { text, reason, { a = details.b, b = details.a, distance = details.distance, joint = details.joint } })
			if reason == "joint" then lu.assertEquals(details.joint:getType(), "filter") end
		end
		for _, reason in ipairs { "disabled", "types", "group", "layers", "joint", "filter", "apart", "asleep", "touch", "overlap" } do
			lu.assertTrue((counts[reason] or 0) >= 5, reason .. ": " .. (counts[reason] or 0))
		end
	end

	-- Once the fault that an answer names is mended, the answer is another one.
	function TestExplain.test_mending_what_it_names()
		local world = d.newWorld { layers = { "a", "b" }, collide = { a = {} }, filter = function() return false end }
		local one = world:newBody { shape = ball(1), enabled = false, type = "static", layer = "a", group = -1 }
		local two = world:newBody { shape = ball(1), type = "static", layer = "a", group = -1, gravityScale = 0 }
		local joint = world:newFilterJoint { bodyA = one, bodyB = world:newBody {} }
		joint:destroy()
		local mended = {
			{ "disabled", function() one:setEnabled(true) end },
			{ "types", function() two:setType "dynamic" end },
			{ "group", function() two:getColliders()[1]:setGroup(0) end },
			{ "layers", function() world:setLayersMeet("a", "a", true) end },
			{ "filter", function() world:setFilter(nil) end },
			{ "pending", function() world:step(DT) end },
			{ "touch", function() two:getColliders()[1]:setSensor(true) world:step(DT) end },
			{ "overlap", function() two:setPosition(9, 0, not flat and 0 or nil) world:step(DT) end },
			{ "apart", function() two:getColliders()[1]:destroy() end },
			{ "empty", function() end },
		}
		for _, case in ipairs(mended) do
			lu.assertEquals((select(2, world:explain(one, two))), case[1])
			case[2]()
		end
		lu.assertEquals((select(2, world:explain(one, one))), "body")
	end

	function TestExplain.test_errors()
		local world, other = d.newWorld(), d.newWorld()
		local body, foreign = world:newBody { shape = ball(1) }, other:newBody { shape = ball(1) }
		lu.assertErrorMsgContains("explain: a must be a body or a collider, got 3", world.explain, world, 3, body)
		lu.assertErrorMsgContains("explain: b must be a body or a collider, got nil", world.explain, world, body)
		lu.assertErrorMsgContains("explain: b must be of this world", world.explain, world, body, foreign)
		foreign:destroy()
		lu.assertErrorMsgContains("explain: b is a destroyed body", world.explain, world, body, foreign)
		lu.assertErrorMsgContains("destroyed", foreign.explain, foreign)
		world:newBody { shape = ball(1) }
		world:setFilter(function() error "no" end)
		lu.assertErrorMsgContains("no", world.explain, world, world:getBodies()[1], world:getBodies()[2])
		world:setFilter(nil)
		world:step(DT)
	end

	-- Bodies ---------------------------------------------------------------------------------------------------------------------

	local function word(body) return (select(2, body:explain())) end

	function TestExplain.test_bodies()
		local world = d.newWorld()
		local floor = world:newBody { type = "static", y = -1, shape = flat and d.box(90, 2) or d.box(90, 2, 90) }
		local box = flat and d.box(1, 1) or d.box(1, 1, 1)
		local crate = world:newBody { y = 0.5, shape = box }
		local upper = world:newBody { y = 1.5, shape = box, angularVelocity = not flat and { 0, 0.3, 0 } or nil, sleepingAllowed = true }
		local insomniac = world:newBody { x = 5, y = 0.5, shape = box, sleepingAllowed = false }
		local lift = world:newBody { type = "kinematic", x = 9, shape = box }
		local anchor = world:newBody { x = 12, y = 3, shape = box, mass = 0 }
		local hidden = world:newBody { x = 15, shape = box, enabled = false }
		local faller = world:newBody { x = 20, y = 300, shape = box }
		world:step(DT)
		lu.assertEquals({ word(floor), word(lift), word(hidden), word(faller) }, { "static", "kinematic", "disabled", "moving" })
		for _ = 1, 20 do world:step(DT) end
		lu.assertEquals({ word(crate), word(insomniac), word(anchor) }, { "resting", "awake", "immovable" })
		for _ = 1, 100 do world:step(DT) end
		lu.assertEquals({ word(crate), word(upper), word(faller) }, { "asleep", "asleep", "moving" })
		lu.assertTrue(select(3, insomniac:explain()).restTime == 0)
		world:destroy()
		world = d.newWorld { sleeping = false }
		crate = world:newBody { shape = box, gravityScale = 0 }
		for _ = 1, 100 do world:step(DT) end
		lu.assertEquals(word(crate), "awake")
	end

	-- 500 chains of boxes in which the last one does not rest: each other one names a body of its island as the reason, and the events of sleep agree.
	function TestExplain.test_500_bodies_kept_awake_by_others()
		local world = d.newWorld {}
		local box, floor = flat and d.box(1, 1) or d.box(1, 1, 1), flat and d.box(9000, 2) or d.box(9000, 2, 9)
		world:newBody { type = "static", y = -1, shape = floor }
		local resting, restless = {}, {}
		for i = 1, 500 do
			resting[i] = world:newBody { x = 4 * i - 1000, y = 0.5, shape = box }
			restless[i] = world:newBody { x = 4 * i - 1000, y = 1.5, shape = box, sleepingAllowed = i % 2 == 0 }
		end
		for _ = 1, 90 do world:step(DT) end
		for i = 1, 500 do
			local _, reason, details = resting[i]:explain()
			if i % 2 == 0 then
				lu.assertEquals({ reason, resting[i]:isAwake() }, { "asleep", false })
			else
				lu.assertEquals({ reason, resting[i]:isAwake() }, { "connected", true })
				lu.assertIs(details.body, restless[i])
			end
		end
	end
end
