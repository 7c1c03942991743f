-- Which colliders may collide: layers by name, groups, and a filter function.
--
-- Without `collide` all layers collide with each other. With it, a layer that it names (as a key or in a list) collides with the layers in its own entry and
-- with those whose entries name it; a layer that it does not name collides with all. Colliders without a layer are on the first. An equal group that is not 0
-- takes precedence over layers: > 0 collides, < 0 does not. The filter is called last and can only refuse.
local lu, collide = require "luaunit", require "collide"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local DT = 1 / 60

	local random_numbers = require("support").random_numbers

	local function count_rows(...)
		local count = 0
		for _ in ... do count = count + 1 end
		return count
	end

	-- Whether two overlapping circles with the given collider options make contact. No gravity; the second can be a sensor.
	local function touch(world, options_a, options_b)
		local function body(options)
			options.shape = d.circle(0.5)
			return world:newBody(options)
		end
		local a, b = body(options_a), body(options_b)
		world:step(DT)
		local found = false
		for one, two in world:contacts() do
			found = found or one:getBody() == a and two:getBody() == b or one:getBody() == b and two:getBody() == a
		end
		for sensor, visitor in world:beginOverlaps() do
			found = found or sensor:getBody() == b and visitor:getBody() == a
		end
		a:destroy()
		b:destroy()
		return found
	end

	local TestLayers = suite("TestLayers", dim)

	function TestLayers.test_without_collide_all_layers_collide()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" } }
		for _, a in ipairs { "a", "b" } do
			for _, b in ipairs { "a", "b" } do
				lu.assertTrue(world:layersMeet(a, b))
				lu.assertTrue(touch(world, { layer = a }, { layer = b }))
			end
		end
		local plain = d.newWorld { gravity = { 0, 0 } }
		lu.assertTrue(plain:layersMeet("default", "default"))
		lu.assertTrue(touch(plain, {}, {}))
	end

	function TestLayers.test_the_rules_of_collide()
		local world = d.newWorld {
			gravity = { 0, 0 }, layers = { "ground", "player", "coin", "ghost", "cloud" },
			collide = { player = { "ground", "coin" }, ghost = {} },
		}
		local meets = {
			ground = { player = true, cloud = true },
			player = { ground = true, coin = true, cloud = true },
			coin = { player = true, cloud = true },
			ghost = { cloud = true },
			-- In no entry: collides with all layers, including itself.
			cloud = { ground = true, player = true, coin = true, ghost = true, cloud = true },
		}
		for a, row in pairs(meets) do
			for b in pairs(meets) do
				lu.assertEquals(world:layersMeet(a, b), row[b] or false, a .. " and " .. b)
				lu.assertEquals(touch(world, { layer = a }, { layer = b }), row[b] or false, a .. " and " .. b)
				lu.assertEquals(touch(world, { layer = a }, { layer = b, sensor = true }), row[b] or false, b .. " as a sensor")
			end
		end
	end

	function TestLayers.test_colliders_are_on_the_first_layer()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "first", "second" }, collide = { first = { "second" } } }
		local body = world:newBody { shape = d.circle(1) }
		lu.assertEquals(body:getColliders()[1]:getLayer(), "first")
		lu.assertEquals(body:newCollider(d.circle(1)):getLayer(), "first")
		lu.assertEquals(body:newCollider(d.circle(1), { layer = "second" }):getLayer(), "second")
		body:destroy()
		lu.assertFalse(touch(world, {}, {}))
		lu.assertTrue(touch(world, {}, { layer = "second" }))
	end

	-- 64 layers with random rules: layersMeet follows the rules, and 300 separate pairs of circles collide as layersMeet says.
	function TestLayers.test_64_layers()
		local number, pick = random_numbers(41)
		local names, entries, named, meets = {}, {}, {}, {}
		for i = 1, 64 do
			names[i] = "layer " .. i
			meets[i] = {}
		end
		for i = 1, 60 do
			if pick(3) > 1 then
				local list = {}
				for k = 1, pick(6) do
					local j = pick(60)
					list[k] = names[j]
					named[i], named[j] = true, true
					meets[i][j], meets[j][i] = true, true
				end
				entries[names[i]] = list
			end
		end
		local world = d.newWorld { gravity = { 0, 0 }, layers = names, collide = entries }
		local yes = 0
		for i = 1, 64 do
			for j = 1, 64 do
				meets[i][j] = meets[i][j] or not named[i] or not named[j] or false
				lu.assertEquals(world:layersMeet(names[i], names[j]), meets[i][j], names[i] .. ", " .. names[j])
				if meets[i][j] then yes = yes + 1 end
			end
		end
		lu.assertTrue(yes > 300 and yes < 3500)
		lu.assertFalse(named[64] or false)
		local pairs_of, expected, found = {}, {}, {}
		for k = 1, 300 do
			local i, j = pick(64), pick(64)
			for _, layer in ipairs { i, j } do
				local body = world:newBody { x = 5 * k, y = number(0, 0.2), shape = d.circle(0.5), layer = names[layer] }
				lu.assertEquals(body:getColliders()[1]:getLayer(), names[layer])
				pairs_of[body] = k
			end
			expected[k], found[k] = meets[i][j], false
		end
		world:step(DT)
		for a in world:beginContacts() do found[pairs_of[a:getBody()]] = true end
		lu.assertEquals(found, expected)
		lu.assertErrorMsgContains("layer", function()
			names[65] = "one too many"
			d.newWorld { layers = names }
		end)
	end

	function TestLayers.test_unknown_names_are_errors()
		local world = d.newWorld { layers = { "ground", "player" } }
		local body = world:newBody { shape = d.circle(1) }
		for _, call in ipairs {
			function() world:layersMeet("ground", "playr") end,
			function() world:setLayersMeet("grund", "player", true) end,
			function() world:newBody { shape = d.circle(1), layer = "coin" } end,
			function() body:newCollider(d.circle(1), { layer = "coin" }) end,
			function() body:getColliders()[1]:setLayer("coin") end,
			function() world:raycast(0, 0, 1, 1, { layers = { "coin" } }) end,
			function() d.newWorld { layers = { "a" }, collide = { b = { "a" } } } end,
			function() d.newWorld { layers = { "a" }, collide = { a = { "b" } } } end,
			function() d.newWorld { layers = { "a", "a" } } end,
		} do
			lu.assertError(call)
		end
		lu.assertEquals(world:getBodyCount(), 1)
		lu.assertTrue(world:validate())
	end

	-- --- Changes at rest -------------------------------------------------------------------------------------------------------

	local TestLayerChanges = suite("TestLayerChanges", dim)

	-- A box that rests on a floor, awake or asleep, loses its contact by `part` and falls. Then it is put back, `join` reverts the change, and it rests again.
	local function check_floor_lost(part, join)
		for _, asleep in ipairs { false, true } do
			local world = d.newWorld { layers = { "ground", "box", "air" }, collide = { box = { "ground" }, air = {} } }
			local floor = world:newBody { type = "static", y = -1, shape = d.box(20, 2), layer = "ground" }:getColliders()[1]
			local body = world:newBody { y = 0.5, shape = d.box(1, 1), layer = "box" }
			local box = body:getColliders()[1]
			for _ = 1, asleep and 120 or 10 do world:step(DT) end
			lu.assertEquals(body:isAwake(), not asleep)
			part(world, floor, box)
			world:step(DT)
			lu.assertEquals(count_rows(world:endContacts()), 1)
			lu.assertEquals(count_rows(world:contacts()), 0)
			lu.assertTrue(world:validate())
			for _ = 1, 29 do world:step(DT) end
			-- Free fall over 30 steps: g t^2 / 2 = 1.25 m, less the effect of the push-out or of the rest before.
			local _, y = body:getPosition()
			lu.assertAlmostEquals(y, 0.5 - 1.25, 0.1)
			body:setTransform(0, 0.5, 0)
			body:setLinearVelocity(0, 0)
			join(world, floor, box)
			world:step(DT)
			lu.assertEquals(count_rows(world:beginContacts()), 1)
			for _ = 1, 60 do world:step(DT) end
			_, y = body:getPosition()
			lu.assertAlmostEquals(y, 0.5, 0.005)
		end
	end

	function TestLayerChanges.test_setLayersMeet_under_a_resting_box()
		check_floor_lost(function(world) world:setLayersMeet("box", "ground", false) end,
			function(world) world:setLayersMeet("ground", "box", true) end)
	end

	function TestLayerChanges.test_setLayer_under_a_resting_box()
		check_floor_lost(function(_, floor) floor:setLayer("air") end, function(_, floor) floor:setLayer("ground") end)
		check_floor_lost(function(_, _, box) box:setLayer("air") end, function(_, _, box) box:setLayer("box") end)
	end

	function TestLayerChanges.test_setGroup_under_a_resting_box()
		check_floor_lost(function(_, floor, box)
			floor:setGroup(-7)
			box:setGroup(-7)
		end, function(_, floor) floor:setGroup(0) end)
	end

	function TestLayerChanges.test_setLayersMeet_both_ways_and_for_one_layer()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" } }
		world:setLayersMeet("a", "b", false)
		lu.assertFalse(world:layersMeet("a", "b"))
		lu.assertFalse(world:layersMeet("b", "a"))
		lu.assertTrue(world:layersMeet("a", "a"))
		lu.assertFalse(touch(world, { layer = "a" }, { layer = "b" }))
		world:setLayersMeet("a", "a", false)
		lu.assertFalse(touch(world, { layer = "a" }, { layer = "a" }))
		lu.assertTrue(touch(world, { layer = "b" }, { layer = "b" }))
		world:setLayersMeet("b", "a", true)
		world:setLayersMeet("a", "a", true)
		lu.assertTrue(touch(world, { layer = "a" }, { layer = "b" }))
		lu.assertTrue(touch(world, { layer = "a" }, { layer = "a" }))
	end

	-- Two bodies that already overlap begin to collide when their layers are allowed to, though neither moves.
	function TestLayerChanges.test_setLayersMeet_on_overlapping_bodies_at_rest()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" }, collide = { a = {}, b = {} } }
		local a = world:newBody { x = -0.45, shape = d.circle(0.5), layer = "a" }
		local b = world:newBody { x = 0.45, shape = d.circle(0.5), layer = "b" }
		for _ = 1, 60 do world:step(DT) end
		lu.assertFalse(a:isAwake() or b:isAwake())
		world:setLayersMeet("a", "b", true)
		for _ = 1, 60 do world:step(DT) end
		local distance = b:getPosition() - a:getPosition()
		-- Pushed apart to within the slop of 5 mm.
		lu.assertTrue(distance > 1 - 0.005, distance)
	end

	-- --- Groups ----------------------------------------------------------------------------------------------------------------

	local TestGroups = suite("TestGroups", dim)

	function TestGroups.test_the_same_group_decides_before_the_layers()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" }, collide = { a = { "a" }, b = {} } }
		for _, case in ipairs {
			-- Group of both, whether they collide both on layer "a" (which collides with itself) and both on "b" (which does not).
			{ 0, 0, true, false }, { 1, 1, true, true }, { -1, -1, false, false }, { 1, 2, true, false }, { -1, -2, true, false },
			{ 1, -1, true, false }, { 0, 5, true, false }, { 0, -5, true, false }, { 2147483647, 2147483647, true, true },
			{ -2147483648, -2147483648, false, false },
		} do
			local what = case[1] .. ", " .. case[2]
			for i, layer in ipairs { "a", "b" } do
				local expected = case[2 + i]
				lu.assertEquals(touch(world, { layer = layer, group = case[1] }, { layer = layer, group = case[2] }), expected, what)
				lu.assertEquals(touch(world, { layer = layer, group = case[1] }, { layer = layer, group = case[2], sensor = true }),
					expected, what .. ", sensor")
			end
		end
	end

	function TestGroups.test_group_is_kept_and_changes()
		local world = d.newWorld { gravity = { 0, 0 } }
		local a = world:newBody { shape = d.circle(0.5), group = -3 }:getColliders()[1]
		local b = world:newBody { shape = d.circle(0.5), x = 0.5 }:getColliders()[1]
		lu.assertEquals(a:getGroup(), -3)
		lu.assertEquals(b:getGroup(), 0)
		world:step(0)
		lu.assertEquals(count_rows(world:beginContacts()), 1)
		b:setGroup(-3)
		lu.assertEquals(b:getGroup(), -3)
		world:step(0)
		lu.assertEquals(count_rows(world:endContacts()), 1)
		a:setGroup(4)
		world:step(0)
		lu.assertEquals(count_rows(world:beginContacts()), 1)
	end

	-- --- Continuous collision --------------------------------------------------------------------------------------------------

	-- A ball at 100 m/s (1.7 m a step) and a wall of 0.1 m: it stops if the two may collide and flies through if not.
	function TestGroups.test_fast_bodies_respect_layers_and_groups()
		for _, case in ipairs {
			{ "a", 0, nil, true }, { "b", 0, nil, false }, { "b", 3, nil, true }, { "a", -3, nil, false },
			{ "a", 0, function() return false end, false }, { "a", 0, function() return true end, true },
		} do
			local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" }, collide = { a = { "a" }, b = {} }, filter = case[3] }
			world:newBody { type = "static", x = 10, shape = d.box(0.1, 4), layer = case[1], group = case[2] }
			local ball = world:newBody { shape = d.circle(0.1), linearVelocity = { 100, 0 }, layer = case[1], group = case[2] }
			for _ = 1, 30 do world:step(DT) end
			local x = ball:getPosition()
			if case[4] then
				lu.assertAlmostEquals(x, 10 - 0.05 - 0.1, 0.01)
			else
				lu.assertAlmostEquals(x, 50, 1e-3)
			end
		end
	end

	-- --- Filter ----------------------------------------------------------------------------------------------------------------

	local TestFilter = suite("TestFilter", dim)

	function TestFilter.test_is_called_last()
		local world = d.newWorld { gravity = { 0, 0 }, layers = { "a", "b" }, collide = { a = { "a" }, b = {} } }
		local answer, asked = true, 0
		world:setFilter(function(a, b)
			lu.assertTrue(a ~= b and a:isValid() and b:isValid())
			asked = asked + 1
			return answer
		end)
		for _, case in ipairs {
			-- Layer, group, whether the filter is called, that is, whether they collide if it returns true.
			{ "a", 0, true }, { "b", 0, false }, { "a", -1, false }, { "b", 1, true },
		} do
			for _, says in ipairs { true, false } do
				answer, asked = says, 0
				local touched = touch(world, { layer = case[1], group = case[2] }, { layer = case[1], group = case[2] })
				lu.assertEquals(asked > 0, case[3], "asked only when layers and groups allow")
				lu.assertEquals(touched, case[3] and says, "it can refuse, not allow")
				local seen = touch(world, { layer = case[1], group = case[2] }, { layer = case[1], group = case[2], sensor = true })
				lu.assertEquals(seen, case[3] and says, "sensors, too")
			end
		end
		answer = false
		lu.assertFalse(touch(world, {}, {}))
		world:setFilter(nil)
		lu.assertTrue(touch(world, {}, {}), "without it all is as before")
	end

	function TestFilter.test_as_an_option_and_by_data()
		local world = d.newWorld {
			gravity = { 0, 0 },
			filter = function(a, b) return a:getBody().data ~= b:getBody().data end,
		}
		local red = { data = "red" }
		lu.assertFalse(touch(world, red, { data = "red" }))
		lu.assertTrue(touch(world, { data = "red" }, { data = "blue" }))
	end

	-- One-way platform: only bodies from above collide with it.
	function TestFilter.test_decides_by_the_bodies_state()
		local world = d.newWorld {}
		local platform = world:newBody { type = "static", y = 2, shape = d.box(4, 0.2) }
		world:setFilter(function(a, b)
			local other = a:getBody() == platform and b:getBody() or a:getBody()
			local _, vy = other:getLinearVelocity()
			return vy <= 0
		end)
		local below = world:newBody { x = -1, y = 0.5, shape = d.circle(0.25), linearVelocity = { 0, 9 } }
		local above = world:newBody { x = 1, y = 3.5, shape = d.circle(0.25) }
		local _, top = nil, 0
		for _ = 1, 40 do
			world:step(DT)
			local _, y = below:getPosition()
			top = math.max(top, y)
		end
		lu.assertTrue(top > 4, "through from below")
		for _ = 1, 120 do world:step(DT) end
		local _, y1 = below:getPosition()
		local _, y2 = above:getPosition()
		-- 2.1 is the top; 5 mm of slop.
		lu.assertAlmostEquals(y1, 2.35, 0.005)
		lu.assertAlmostEquals(y2, 2.35, 0.005)
	end

	function TestFilter.test_may_not_change_the_world_and_may_fail()
		local world = d.newWorld { gravity = { 0, 0 } }
		local a = world:newBody { shape = d.circle(0.5) }
		local b = world:newBody { shape = d.circle(0.5) }
		local locked
		world:setFilter(function()
			locked = world:isLocked()
			a:destroy()
		end)
		lu.assertError(function() world:step(DT) end)
		lu.assertTrue(locked)
		lu.assertFalse(world:isLocked())
		lu.assertTrue(a:isValid() and b:isValid())
		lu.assertTrue(world:validate())
		world:setFilter(nil)
		world:step(DT)
		lu.assertTrue(world:validate())
	end
end
