-- Events: every begin has exactly one end, whatever happens in between, and events have the right objects and data.
--
-- Contacts are found with the poses at the begin of a step, and begin at a separation of SPECULATIVE = 2 cm (four slops of 5 mm); sensors need an overlap.
-- Where an event of a step is compared with a query, the query is made right before that step.
local lu, collide, support = require "luaunit", require "collide", require "support"
local planes, suite, random_numbers = support.planes, support.suite, support.random_numbers

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local DT, SPECULATIVE = 1 / 60, 0.02


	-- The rows of an iterator, as a list of lists.
	local function rows(...)
		local list = {}
		for a, b, c, d, e, f, g in ... do list[#list + 1] = { a, b, c, d, e, f, g } end
		return list
	end

	-- A number for each object, in the order of first use.
	local function new_registry()
		local numbers, count = {}, 0
		return function(object)
			if numbers[object] == nil then
				count = count + 1
				numbers[object] = count
			end
			return numbers[object]
		end
	end

	-- Pairs begins with ends and raises an error for one without a partner. Ends are processed first: a contact that ended before a step may begin again in it. A
	-- bounce within a step begins and ends in it: then the begin comes first. ordered: (a, b) and (b, a) are two pairs, as with two sensors.
	local function new_ledger(number_of, ordered)
		local ledger = { open = {}, begins = 0, ends = 0 }
		function ledger.key(a, b)
			local i, j = number_of(a), number_of(b)
			if not ordered then i, j = math.min(i, j), math.max(i, j) end
			return i * 65536 + j
		end
		function ledger.finish(a, b)
			local key = ledger.key(a, b)
			if not ledger.open[key] then lu.fail("an end without a begin") end
			ledger.open[key] = nil
			ledger.ends = ledger.ends + 1
		end
		function ledger.begin(a, b)
			local key = ledger.key(a, b)
			if ledger.open[key] then lu.fail("a second begin without an end") end
			ledger.open[key] = { a, b }
			ledger.begins = ledger.begins + 1
		end
		function ledger.follow(begins, ends)
			local bounced = {}
			for _, row in ipairs(ends) do
				local key = ledger.key(row[1], row[2])
				if ledger.open[key] then ledger.finish(row[1], row[2]) else bounced[key] = row end
			end
			for _, row in ipairs(begins) do
				local key = ledger.key(row[1], row[2])
				ledger.begin(row[1], row[2])
				if bounced[key] then
					ledger.finish(row[1], row[2])
					bounced[key] = nil
				end
			end
			for _, pair in pairs(bounced) do ledger.finish(pair[1], pair[2]) end
		end
		function ledger.follow_contacts(world) ledger.follow(rows(world:beginContacts()), rows(world:endContacts())) end
		function ledger.follow_overlaps(world) ledger.follow(rows(world:beginOverlaps()), rows(world:endOverlaps())) end
		return ledger
	end

	-- A ball of radius 0.5 in contact with a floor whose top is y = 0, in a world of the given options.
	local function ball_on_floor(options)
		local world = d.newWorld(options or {})
		local floor = world:newBody { type = "static", y = -1, shape = d.box(20, 2) }
		local ball = world:newBody { y = 0.5, shape = d.circle(0.5) }
		return world, floor:getColliders()[1], ball:getColliders()[1]
	end

	-- --- Contacts --------------------------------------------------------------------------------------------------------------

	local TestContactEvents = suite("TestContactEvents", dim)

	function TestContactEvents.test_one_begin_on_landing_and_one_end_on_leaving()
		local world = d.newWorld {}
		local floor = world:newBody { type = "static", y = -1, shape = d.box(20, 2) }:getColliders()[1]
		local ball = world:newBody { x = 3, y = 2, shape = d.circle(0.5), sleepingAllowed = false }:getColliders()[1]
		local begins = {}
		for _ = 1, 120 do
			world:step(DT)
			for _, row in ipairs(rows(world:beginContacts())) do begins[#begins + 1] = row end
			lu.assertEquals(#rows(world:endContacts()), 0)
		end
		lu.assertEquals(#begins, 1)
		local a, b, nx, ny, x, y = (table.unpack or unpack)(begins[1])
		lu.assertTrue(a == floor and b == ball or a == ball and b == floor)
		-- A flat floor has an exact normal; the point lies between both surfaces, which are at most SPECULATIVE apart (or overlap as much).
		lu.assertAlmostEquals(nx, 0, 1e-6)
		lu.assertAlmostEquals(ny, a == floor and 1 or -1, 1e-6)
		lu.assertAlmostEquals(x, 3, 1e-5)
		lu.assertAlmostEquals(y, 0, SPECULATIVE)
		ball:getBody():setPosition(3, 5)
		world:step(DT)
		local ends = rows(world:endContacts())
		lu.assertEquals(#ends, 1)
		lu.assertTrue(ends[1][1] == a and ends[1][2] == b)
		world:step(DT)
		lu.assertEquals(#rows(world:endContacts()), 0, "events are those of the last step")
	end

	-- Separations 1 mm below and above the speculative margin.
	function TestContactEvents.test_contacts_begin_at_the_speculative_distance()
		for _, case in ipairs { { SPECULATIVE - 0.001, 1 }, { SPECULATIVE + 0.001, 0 } } do
			local world = d.newWorld { gravity = { 0, 0 } }
			world:newBody { type = "static", y = -1, shape = d.box(20, 2) }
			world:newBody { y = 0.5 + case[1], shape = d.circle(0.5) }
			world:step(DT)
			lu.assertEquals(#rows(world:beginContacts()), case[2], "gap " .. case[1])
		end
	end

	-- Two shapes with a small overlap, b in all directions from a: for circles the normal is exactly along the centres (1e-5 allows for some tens of float
	-- roundings); for all convex shapes it must not point backwards.
	function TestContactEvents.test_normals_point_from_a_to_b()
		local shapes = {
			d.circle(0.5), d.capsule(-0.3, 0, 0.3, 0, 0.3), d.box(1, 0.8), d.box(0.9, 0.9, { radius = 0.2 }), d.ellipse(0.6, 0.4),
			d.polygon { -0.5, -0.4, 0.5, -0.4, 0, 0.6 }, d.polygon({ -0.3, -0.3, 0.4, -0.2, 0, 0.4 }, 0.1),
		}
		local random = random_numbers(11)
		local seen = 0
		for i, first in ipairs(shapes) do
			for j, second in ipairs(shapes) do
				for _ = 1, 6 do
					local angle, distance = random(-math.pi, math.pi), random(0.7, 1)
					local dx, dy = math.cos(angle), math.sin(angle)
					local world = d.newWorld { gravity = { 0, 0 } }
					local one = world:newBody { x = 7, y = 5, angle = random(-3, 3), shape = first }
					local two = world:newBody { x = 7 + distance * dx, y = 5 + distance * dy, angle = random(-3, 3), shape = second }
					world:step(0)
					for a, b, nx, ny, x, y in world:beginContacts() do
						seen = seen + 1
						local sign = a:getBody() == one and 1 or -1
						lu.assertTrue(b:getBody() == (sign > 0 and two or one))
						lu.assertAlmostEquals(nx * nx + ny * ny, 1, 1e-5)
						lu.assertTrue(sign * (nx * dx + ny * dy) > 0, ("shapes %d and %d"):format(i, j))
						if first:getType() == "circle" and second:getType() == "circle" then
							lu.assertAlmostEquals(nx, sign * dx, 1e-5)
							lu.assertAlmostEquals(ny, sign * dy, 1e-5)
							lu.assertAlmostEquals(x, 7 + distance * dx / 2, 1e-5)
							lu.assertAlmostEquals(y, 5 + distance * dy / 2, 1e-5)
						end
					end
					for a, _, nx, ny in world:contacts() do
						lu.assertTrue((a:getBody() == one and 1 or -1) * (nx * dx + ny * dy) > 0)
					end
				end
			end
		end
		lu.assertTrue(seen > 150, "most of the 294 pairs touch")
	end

	-- Contacts that begin, end and persist when one thing is changed under a resting ball. `open`: whether they touch afterwards.
	function TestContactEvents.test_each_change_ends_the_contacts_it_separates()
		local cases = {
			destroy_ball = { change = function(_, _, ball) ball:getBody():destroy() end, open = false },
			destroy_floor = { change = function(_, floor) floor:getBody():destroy() end, open = false },
			destroy_collider = { change = function(_, _, ball) ball:destroy() end, open = false },
			disable = { change = function(_, _, ball) ball:getBody():setEnabled(false) end, open = false },
			disable_and_enable = {
				change = function(_, _, ball)
					ball:getBody():setEnabled(false)
					ball:getBody():setEnabled(true)
				end,
				open = true,
			},
			teleport_away = { change = function(_, _, ball) ball:getBody():setPosition(0, 9) end, open = false },
			teleport_the_floor = { change = function(_, floor) floor:getBody():setPosition(0, -9) end, open = false },
			teleport_along = { change = function(_, _, ball) ball:getBody():setPosition(2, 0.5) end, open = true },
			turn = { change = function(_, _, ball) ball:getBody():setAngle(2) end, open = true },
			layer = { change = function(_, _, ball) ball:setLayer("ghost") end, open = false },
			layer_and_back = {
				change = function(_, _, ball)
					ball:setLayer("ghost")
					ball:setLayer("solid")
				end,
				open = true,
			},
			layers_part = { change = function(world) world:setLayersMeet("solid", "solid", false) end, open = false },
			negative_group = {
				change = function(_, floor, ball)
					floor:setGroup(-4)
					ball:setGroup(-4)
				end,
				open = false,
			},
			positive_group = {
				change = function(_, floor, ball)
					floor:setGroup(4)
					ball:setGroup(4)
				end,
				open = true,
			},
			smaller_shape = { change = function(_, _, ball) ball:setShape(d.circle(0.3)) end, open = false },
			other_shape = { change = function(_, _, ball) ball:setShape(d.box(1, 1)) end, open = true },
			becomes_static = { change = function(_, _, ball) ball:getBody():setType("static") end, open = false },
			becomes_kinematic = { change = function(_, _, ball) ball:getBody():setType("kinematic") end, open = false },
			floor_becomes_kinematic = { change = function(_, floor) floor:getBody():setType("kinematic") end, open = true },
			floor_becomes_dynamic = { change = function(_, floor) floor:getBody():setType("dynamic") end, open = true },
			asleep = { change = function(_, _, ball) ball:getBody():setAwake(false) end, open = true },
		}
		for name, case in pairs(cases) do
			for _, sleeping in ipairs { false, true } do
				local world, floor, ball = ball_on_floor {
					layers = { "solid", "ghost" }, collide = { solid = { "solid" }, ghost = {} },
				}
				local ledger = new_ledger(new_registry())
				for _ = 1, 5 do
					world:step(DT)
					ledger.follow_contacts(world)
				end
				lu.assertEquals(ledger.begins - ledger.ends, 1, name)
				ball:getBody():setAwake(not sleeping)
				case.change(world, floor, ball)
				world:step(DT)
				ledger.follow_contacts(world)
				lu.assertEquals(ledger.begins - ledger.ends, case.open and 1 or 0, name .. (sleeping and ", asleep" or ", awake"))
				-- Without an end in between there is no second begin.
				lu.assertTrue(ledger.begins <= 2, name)
				world:validate()
			end
		end
	end

	function TestContactEvents.test_ends_name_the_same_objects_after_their_destruction()
		local world, floor, ball = ball_on_floor {}
		local notes = { [floor] = "floor", [ball] = "ball" }
		world:step(DT)
		lu.assertEquals(#rows(world:beginContacts()), 1)
		ball:getBody():destroy()
		floor:getBody():destroy()
		-- The ids are free again: new bodies must not be mistaken for the old ones.
		local new_floor = world:newBody { type = "static", y = -1, shape = d.box(20, 2) }:getColliders()[1]
		local new_ball = world:newBody { y = 0.5, shape = d.circle(0.5) }:getColliders()[1]
		collectgarbage()
		world:step(DT)
		local ends, begins = rows(world:endContacts()), rows(world:beginContacts())
		lu.assertEquals(#ends, 1)
		local named = { notes[ends[1][1]], notes[ends[1][2]] }
		table.sort(named)
		lu.assertEquals(named, { "ball", "floor" })
		lu.assertFalse(ends[1][1]:isValid())
		lu.assertFalse(ends[1][2]:isValid())
		lu.assertEquals(#begins, 1)
		lu.assertTrue(begins[1][1] == new_floor and begins[1][2] == new_ball or begins[1][1] == new_ball and begins[1][2] == new_floor)
		lu.assertTrue(begins[1][1]:isValid())
	end

	-- Copied iterators can be read again, also while their bodies are being destroyed.
	function TestContactEvents.test_events_stay_until_the_next_step()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		for i = 1, 10 do world:newBody { x = 2 * i - 10, y = 0.5, shape = d.circle(0.5) } end
		world:step(DT)
		local first, second = rows(world:beginContacts()), rows(world:beginContacts())
		lu.assertEquals(#first, 10)
		lu.assertEquals(#second, 10)
		for i, row in ipairs(first) do
			for k, value in ipairs(row) do lu.assertTrue(second[i][k] == value) end
		end
		for _, body in ipairs(world:getBodies()) do body:destroy() end
		local third = rows(world:beginContacts())
		lu.assertEquals(#third, 10)
		for i, row in ipairs(first) do
			lu.assertTrue(third[i][1] == row[1] and third[i][2] == row[2])
			lu.assertFalse(row[1]:isValid())
		end
		world:step(DT)
		lu.assertEquals(#rows(world:beginContacts()), 0)
		lu.assertEquals(#rows(world:endContacts()), 10)
	end

	-- --- Chains ----------------------------------------------------------------------------------------------------------------

	-- A floor of segments 0.25 long, listed from right to left: solid below.
	local function chain_floor(from, to)
		local points = {}
		for i = 0, (to - from) * 4 do
			points[#points + 1] = to - i / 4
			points[#points + 1] = 0
		end
		return d.chain(points)
	end

	function TestContactEvents.test_a_collider_touches_a_chain_once()
		local world = d.newWorld { sleeping = false }
		local chain = world:newBody { type = "static", shape = chain_floor(-5, 5) }:getColliders()[1]
		local plank = world:newBody { x = -3, y = 0.26, shape = d.box(2, 0.5), linearVelocity = { 4, 0 }, friction = 0 }
		local ball = world:newBody { x = 2, y = 0.51, shape = d.circle(0.5), linearVelocity = { 1, 0 }, angularVelocity = -2 }
		local begins, ends = {}, {}
		-- The plank slides over 7 m and the ball rolls; both stay on the chain for a second: 4 m from -3 is 1, with its half length 2,
		-- and the ball is at 3.
		ball:setPosition(2.2, 0.51)
		for _ = 1, 45 do
			world:step(DT)
			for a, b in world:beginContacts() do
				local body = (a == chain and b or a):getBody()
				begins[body] = (begins[body] or 0) + 1
			end
			for a, b in world:endContacts() do
				local body = (a == chain and b or a):getBody()
				ends[body] = (ends[body] or 0) + 1
			end
		end
		local x = plank:getPosition()
		lu.assertTrue(x > -0.5, "the plank has passed ten segments")
		lu.assertEquals({ begins[plank], begins[ball] }, { 1, 1 })
		lu.assertEquals({ ends[plank], ends[ball] }, {})
		-- Destroyed, it ends both contacts at once.
		chain:getBody():destroy()
		world:step(DT)
		lu.assertEquals(#rows(world:endContacts()), 2)
	end

	-- --- Hits ------------------------------------------------------------------------------------------------------------------

	local TestHits = suite("TestHits", dim)

	-- Without gravity the speed is the approach speed to float precision (1e-5: some tens of roundings). Only its normal component counts.
	function TestHits.test_speed_is_that_of_approach()
		for _, case in ipairs {
			{ v = { 0, -5 }, speed = 5 }, { v = { 3, -5 }, speed = 5 }, { v = { -20, -1.5 }, speed = 1.5 }, { v = { 0, -60 }, speed = 60 },
			{ v = { 0, -2 }, floor = { 0, 3 }, speed = 5 }, { v = { 0, -2 }, floor = { 7, 3 }, speed = 5, spin = 30 },
		} do
			local world = d.newWorld { gravity = { 0, 0 } }
			local floor = world:newBody { type = "kinematic", y = -1, shape = d.box(60, 2), linearVelocity = case.floor or { 0, 0 } }
			local ball = world:newBody {
				y = 1, shape = d.circle(0.5), linearVelocity = case.v, angularVelocity = case.spin or 0, friction = 0,
			}
			local hits = {}
			for _ = 1, 60 do
				world:step(DT)
				for _, row in ipairs(rows(world:hits())) do hits[#hits + 1] = row end
			end
			lu.assertEquals(#hits, 1, "one impact")
			local a, b, x, y, nx, ny, speed = (table.unpack or unpack)(hits[1])
			local sign = a:getBody() == floor and 1 or -1
			lu.assertTrue((sign > 0 and b or a):getBody() == ball)
			lu.assertAlmostEquals(speed, case.speed, 1e-5 * case.speed)
			lu.assertAlmostEquals(nx, 0, 1e-5)
			lu.assertAlmostEquals(ny, sign, 1e-5)
			lu.assertTrue(x > -30 and x < 30 and y > -1 and y < 4)
		end
	end

	-- From H the speed at the floor is sqrt(2 g H). It is measured when a step begins, which may be the step before or after the surface is reached: each step
	-- is worth g dt, and semi-implicit Euler half a sub-step, g dt / 8.
	function TestHits.test_a_fall_hits_with_the_speed_of_its_height()
		local g = 10
		for _, height in ipairs { 0.5, 1, 3.3, 5, 12.7 } do
			local world = d.newWorld { gravity = { 0, -g } }
			world:newBody { type = "static", y = -1, shape = d.box(20, 2) }
			world:newBody { y = 0.5 + height, shape = d.circle(0.5) }
			local hits = {}
			for _ = 1, 120 do
				world:step(DT)
				for _, row in ipairs(rows(world:hits())) do hits[#hits + 1] = row end
			end
			lu.assertEquals(#hits, 1)
			lu.assertAlmostEquals(hits[1][7], math.sqrt(2 * g * height), 2.125 * g * DT, "from " .. height)
		end
	end

	function TestHits.test_only_faster_than_the_hit_speed()
		for _, case in ipairs { { 1.9, 0 }, { 2.1, 1 } } do
			local world = d.newWorld { gravity = { 0, 0 }, hitSpeed = 2 }
			lu.assertEquals(world:getHitSpeed(), 2)
			world:newBody { type = "static", y = -1, shape = d.box(20, 2) }
			local ball = world:newBody { y = 0.6, shape = d.circle(0.5), linearVelocity = { 0, -case[1] }, restitution = 1 }
			local count = 0
			for _ = 1, 30 do
				world:step(DT)
				count = count + #rows(world:hits())
			end
			lu.assertEquals(count, case[2], "at " .. case[1])
			-- The same again with another threshold.
			world:setHitSpeed(4 - case[1])
			ball:setTransform(0, 0.6, 0)
			ball:setLinearVelocity(0, -2)
			count = 0
			for _ = 1, 30 do
				world:step(DT)
				count = count + #rows(world:hits())
			end
			lu.assertEquals(count, case[2], "threshold " .. 4 - case[1])
		end
	end

	-- A ball falls into a groove and hits both of its sides in one step, with its speed's component along their normals: on one collider that is one impact, on
	-- two it is two.
	function TestHits.test_an_impact_on_several_parts_of_a_collider_is_one()
		for impacts, chains in ipairs { { { 4, 4, 0, 0, -4, 4 } }, { { 4, 4, 0, 0 }, { 0, 0, -4, 4 } } } do
			local world = d.newWorld { gravity = { 0, 0 } }
			local groove = world:newBody { type = "static" }
			for _, points in ipairs(chains) do groove:newCollider(d.chain(points)) end
			world:newBody { y = 2, shape = d.circle(0.5), linearVelocity = { 0, -5 } }
			local hits = {}
			for _ = 1, 30 do
				world:step(DT)
				for _, row in ipairs(rows(world:hits())) do hits[#hits + 1] = row end
			end
			lu.assertEquals(#hits, impacts)
			for _, hit in ipairs(hits) do lu.assertAlmostEquals(hit[7], 5 * math.sqrt(0.5), 1e-4) end
		end
	end

	-- --- Overlaps --------------------------------------------------------------------------------------------------------------

	local TestOverlapEvents = suite("TestOverlapEvents", dim)

	-- An overlap begins when the surfaces touch and ends when they separate: a ball of radius 0.5 at 3 m/s through a box from -1 to 1. The poses at a step's
	-- begin determine which step reports it.
	function TestOverlapEvents.test_a_sensor_reports_who_enters_and_who_leaves()
		for _, type in ipairs { "static", "kinematic", "dynamic" } do
			local world = d.newWorld { gravity = { 0, 0 } }
			local sensor = world:newBody { type = type, shape = d.box(2, 2), sensor = true }:getColliders()[1]
			local visitor = world:newBody { x = -3, shape = d.circle(0.5), linearVelocity = { 3, 0 } }:getColliders()[1]
			lu.assertTrue(sensor:isSensor())
			lu.assertFalse(visitor:isSensor())
			local began, ended
			for step = 1, 180 do
				local x = visitor:getBody():getPosition()
				world:step(DT)
				lu.assertEquals(#rows(world:beginContacts()), 0)
				for a, b in world:beginOverlaps() do
					lu.assertNil(began)
					lu.assertTrue(a == sensor and b == visitor)
					began = step
					lu.assertAlmostEquals(x, -1.5, 3 * DT)
					lu.assertTrue(x >= -1.5 - 1e-5)
				end
				for a, b in world:endOverlaps() do
					lu.assertNil(ended)
					lu.assertTrue(a == sensor and b == visitor)
					ended = step
					lu.assertAlmostEquals(x, 1.5, 3 * DT)
					lu.assertTrue(x >= 1.5 - 1e-5)
				end
			end
			lu.assertNotNil(began, type)
			lu.assertNotNil(ended, type)
			-- The sensor stopped nothing.
			lu.assertEquals({ visitor:getBody():getLinearVelocity() }, { 3, 0 })
			lu.assertEquals({ sensor:getBody():getLinearVelocity() }, { 0, 0 })
		end
	end

	function TestOverlapEvents.test_a_near_collider_does_not_overlap()
		for _, case in ipairs { { 0.001, 0 }, { -0.001, 1 } } do
			local world = d.newWorld { gravity = { 0, 0 } }
			world:newBody { type = "static", y = -1, shape = d.box(20, 2), sensor = true }
			world:newBody { y = 0.5 + case[1], shape = d.circle(0.5) }
			world:step(DT)
			lu.assertEquals(#rows(world:beginOverlaps()), case[2], "gap " .. case[1])
			lu.assertEquals(#rows(world:contacts()), 0)
		end
	end

	-- Two sensors are visitors of each other.
	function TestOverlapEvents.test_sensors_see_each_other()
		local world = d.newWorld { gravity = { 0, 0 } }
		for _ = 1, 3 do world:newBody { shape = d.circle(1), sensor = true } end
		world:step(DT)
		lu.assertEquals(#rows(world:beginOverlaps()), 6)
		world:getBodies()[1]:destroy()
		world:step(DT)
		lu.assertEquals(#rows(world:endOverlaps()), 4)
	end

	-- A sleeping visitor counts like a moving one: sensors are created, destroyed and moved over it.
	function TestOverlapEvents.test_sleeping_bodies_overlap()
		for _, type in ipairs { "static", "kinematic", "dynamic" } do
			local world, _, ball = ball_on_floor {}
			local ledger = new_ledger(new_registry())
			local function step()
				world:step(DT)
				ledger.follow_overlaps(world)
				return ledger.begins - ledger.ends
			end
			for _ = 1, 60 do step() end
			ball:getBody():setAwake(false)
			local sensor = world:newBody { type = type, gravityScale = 0, x = 9, y = 0.5, shape = d.circle(0.3), sensor = true }
			lu.assertEquals(step(), 0)
			sensor:setPosition(0, 0.5)
			lu.assertEquals(step(), 1, type .. " sensor moved onto a sleeper")
			sensor:setPosition(9, 0.5)
			lu.assertEquals(step(), 0, type .. " sensor moved off a sleeper")
			local other = world:newBody { type = type, gravityScale = 0, y = 0.5, shape = d.circle(0.3), sensor = true }
			lu.assertEquals(step(), 1, type .. " sensor made around a sleeper")
			other:destroy()
			lu.assertEquals(step(), 0, type .. " sensor destroyed around a sleeper")
			lu.assertFalse(ball:getBody():isAwake(), "sensors wake nobody")
		end
	end

	-- --- Moves -----------------------------------------------------------------------------------------------------------------

	local TestMoved = suite("TestMoved", dim)

	function TestMoved.test_lists_awake_bodies_with_poses_and_those_gone_to_sleep()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local bodies = {}
		for i = 1, 3 do
			bodies[#bodies + 1] = world:newBody { x = -6, y = i - 0.5, shape = d.box(1, 1) }
			bodies[#bodies + 1] = world:newBody { x = 4 * i, y = 0.5 + i, shape = d.box(1, 1), angularVelocity = i }
		end
		local kinematic = world:newBody { type = "kinematic", y = 20, shape = d.circle(1), linearVelocity = { 0.25, 0 } }
		bodies[#bodies + 1] = kinematic
		local fell = {}
		for _ = 1, 360 do
			local before = {}
			for _, body in ipairs(bodies) do before[body] = body:isAwake() end
			world:step(DT)
			local listed = {}
			for body, x, y, angle, fell_asleep in world:moved() do
				lu.assertNil(listed[body], "listed twice")
				listed[body] = true
				lu.assertEquals({ x, y, angle }, { body:getTransform() })
				lu.assertEquals(fell_asleep, not body:isAwake())
				if fell_asleep then
					lu.assertNil(fell[body], "fell asleep twice")
					fell[body] = true
				end
			end
			for _, body in ipairs(bodies) do
				lu.assertEquals(listed[body] or false, before[body])
			end
		end
		for _, body in ipairs(bodies) do
			if body ~= kinematic then lu.assertTrue(fell[body], "all sleep after six seconds") end
		end
		lu.assertEquals(#rows(world:moved()), 1, "only the kinematic body moves on")
	end

	-- --- Everything at once ----------------------------------------------------------------------------------------------------

	local TestEventStress = suite("TestEventStress", dim)

	local shapes = {
		d.circle(0.4), d.circle(0.25, 0.2, 0.1), d.capsule(-0.4, 0, 0.4, 0.1, 0.2), d.box(0.8, 0.6),
		d.box(0.6, 0.7, { radius = 0.1, angle = 0.4 }), d.polygon { -0.5, -0.4, 0.5, -0.4, 0, 0.6 },
		d.polygon({ -0.3, -0.3, 0.4, -0.2, 0, 0.4 }, 0.1), d.ellipse(0.5, 0.3), d.segment(-0.6, 0, 0.6, 0.1),
		d.chain({ -0.5, -0.5, 0.5, -0.5, 0.6, 0.4, 0, 0.7, -0.5, 0.4 }, { loop = true }),
	}
	if dim == "d3" then table.remove(shapes, 9) end -- in 3D a segment is a band with a border
	local layers, types = { "one", "two", "three" }, { "dynamic", "dynamic", "dynamic", "kinematic", "static" }

	-- The documented rules of which colliders may collide.
	local function may_meet(world, a, b)
		local body_a, body_b, sensor = a:getBody(), b:getBody(), a:isSensor() or b:isSensor()
		if body_a == body_b then return false end
		local type_a, type_b = body_a:getType(), body_b:getType()
		if type_a ~= "dynamic" and type_b ~= "dynamic" and not (sensor and (type_a == "kinematic" or type_b == "kinematic")) then
			return false
		end
		local group = a:getGroup()
		if group ~= 0 and group == b:getGroup() then return group > 0 end
		local of_a, of_b = a:getCollidesWith(), b:getCollidesWith()
		if not of_a and not of_b then return world:layersMeet(a:getLayer(), b:getLayer()) end
		return (not of_a or support.has(of_a, b:getLayer())) and (not of_b or support.has(of_b, a:getLayer()))
	end

	local function terrain(shape, sensor) return support.terrain(dim, shape, sensor) end

	-- A pit with all kinds of ground, into which bodies are thrown and in which they are changed at random.
	local function new_pit(seed)
		local number, pick = random_numbers(seed)
		local pit = { bodies = {}, pick = pick }
		local world = d.newWorld { layers = layers, collide = { one = { "one", "two", "three" }, two = { "two" }, three = {} } }
		pit.world = world
		world:newBody { type = "static", shape = d.halfPlane(0, 1, -1) }
		world:newBody { type = "static", shape = chain_floor(-3, 3), layer = "one" }
		world:newBody { type = "static", x = -6, shape = d.box(2, 4) }
		world:newBody { type = "static", x = 6, shape = d.box(2, 4) }

		local function collider_options()
			return {
				shape = shapes[pick(#shapes)], sensor = pick(5) == 1, layer = layers[pick(3)], group = pick(4) == 1 and pick(5) - 3 or 0,
				restitution = number(0, 0.5),
			}
		end
		local function place()
			return number(-4.5, 4.5), number(0, 4)
		end
		local function take()
			return pit.bodies[pick(#pit.bodies)]
		end
		local function take_collider()
			local colliders = take():getColliders()
			return colliders[math.min(#colliders, pick(2))]
		end
		local function add()
			local x, y = place()
			local options = { type = types[pick(#types)], x = x, y = y, angle = number(-3, 3), shapes = { collider_options() } }
			if pick(3) == 1 then options.shapes[2] = collider_options() end
			for _, entry in ipairs(options.shapes) do
				if terrain(entry.shape, entry.sensor) and options.type == "dynamic" then options.type = "kinematic" end
			end
			local body = world:newBody(options)
			pit.bodies[#pit.bodies + 1] = dim == "d2" and body or d.hold(body)
		end
		local operations = {
			add,
			function()
				if #pit.bodies > 35 then
					local i = pick(#pit.bodies)
					pit.bodies[i]:destroy()
					table.remove(pit.bodies, i)
				end
			end,
			function()
				local collider = take_collider()
				if collider then collider:destroy() end
			end,
			function()
				local options = collider_options()
				local shape = options.shape
				options.shape = nil
				local body = take()
				if #body:getColliders() < 3 and not (body:getType() == "dynamic" and terrain(shape, options.sensor)) then
					body:newCollider(shape, options)
				end
			end,
			function() take():setEnabled(pick(3) > 1) end,
			function()
				local body, type = take(), types[pick(#types)]
				for _, collider in ipairs(body:getColliders()) do
					if terrain(collider:getShape(), collider:isSensor()) and type == "dynamic" then type = "static" end
				end
				body:setType(type)
			end,
			function() take():setPosition(place()) end,
			function() take():setAngle(number(-3, 3)) end,
			function() take():setLinearVelocity(number(-5, 5), number(-5, 5)) end,
			function() take():setAwake(pick(2) == 1) end,
			function() world:setLayersMeet(layers[pick(3)], layers[pick(3)], pick(3) > 1) end,
			function()
				local collider = take_collider()
				if collider then collider:setLayer(layers[pick(3)]) end
			end,
			function()
				local collider = take_collider()
				if collider then collider:setGroup(pick(5) - 3) end
			end,
			function()
				local collider = take_collider()
				local list = {}
				for _, layer in ipairs(layers) do
					if pick(3) > 1 then list[#list + 1] = layer end
				end
				if collider then collider:setCollidesWith(pick(5) == 1 and list or nil) end
			end,
			function()
				local collider, sensor = take_collider(), pick(5) == 1
				if collider and (sensor or collider:getBody():getType() ~= "dynamic" or not terrain(collider:getShape(), false)) then
					collider:setSensor(sensor)
				end
			end,
			function()
				local collider = take_collider()
				local shape = shapes[pick(#shapes)]
				if collider and not (collider:getBody():getType() == "dynamic" and terrain(shape, collider:isSensor())) then collider:setShape(shape) end
			end,
		}
		for _ = 1, 36 do add() end
		function pit.change(count)
			for _ = 1, count do operations[pick(#operations)]() end
			if #pit.bodies < 20 then add() end
		end
		function pit.colliders()
			local list = {}
			for _, body in ipairs(world:getBodies()) do
				if body:isEnabled() then
					for _, collider in ipairs(body:getColliders()) do list[#list + 1] = collider end
				end
			end
			return list
		end
		return pit
	end

	-- Calls visit for all overlapping pairs that may collide and of which at least one is awake and moves by itself. A step does not test pairs of sleeping
	-- bodies, or of a sleeping and a static one. Chains take part only as sensors and visitors: they are one-sided.
	local function for_overlaps(pit, visit)
		local world = pit.world
		for _, one in ipairs(pit.colliders()) do
			local body = one:getBody()
			local type = one:getShape():getType()
			for _, two in ipairs(world:overlapShape(one:getShape(), d.pose(body:getTransform()), { sensors = true })) do
				local other = two:getBody()
				local sensor = one:isSensor() or two:isSensor()
				local awake = body:isAwake() and (sensor or body:getType() == "dynamic")
					or other:isAwake() and (sensor or other:getType() == "dynamic")
				local one_sided = not sensor and (type == "chain" or two:getShape():getType() == "chain")
				if awake and not one_sided and may_meet(world, one, two) then visit(one, two, sensor) end
			end
		end
	end

	-- Whether a shift by 0.1 mm (or `by`) in some direction changes whether two shapes overlap: then rounding may decide.
	local function close_call(one, two, by)
		local world = d.newWorld {}
		world:newBody { type = "static", x = two.x, y = two.y, angle = two.angle, shape = two.shape }
		local count = 0
		for _, shift in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
			count = count + #world:overlapShape(one.shape, d.pose(one.x + (by or 1e-4) * shift[1], one.y + (by or 1e-4) * shift[2], one.angle))
		end
		world:destroy()
		return count > 0 and count < 4
	end

	-- Whether an overlap may be a seam: a body in contact with another face is not stopped by the border of a face that continues it, up to 1.5 slops (7.5 mm)
	-- high. A depth of 7.5 mm in any direction is at most 10.6 mm along one of the axes.
	local function seam(bodies, places, pair)
		return (bodies[pair[1]:getBody()] or bodies[pair[2]:getBody()]) and close_call(places[pair[1]], places[pair[2]], 0.0107)
	end

	function TestEventStress.test_every_begin_has_exactly_one_end()
		local number_of = new_registry()
		local contacts, overlaps = new_ledger(number_of), new_ledger(number_of, true)
		local seeds = dim == "d2" and { 1, 2, 3 } or { 1 }
		for _, seed in ipairs(seeds) do
			local pit = new_pit(seed)
			local world = pit.world
			for step = 1, 100 do
				if step > 20 then pit.change(pit.pick(3) - 1) end
				local solid, seen = {}, {}
				for_overlaps(pit, function(a, b, sensor)
					if sensor then
						if a:isSensor() then seen[overlaps.key(a, b)] = { a, b } end
						if b:isSensor() then seen[overlaps.key(b, a)] = { b, a } end
					else
						solid[contacts.key(a, b)] = { a, b }
					end
				end)
				local places = {}
				for _, collider in ipairs(pit.colliders()) do
					local body = collider:getBody()
					local x, y, angle = body:getTransform()
					places[collider] = { shape = collider:getShape(), x = x, y = y, angle = angle, awake = body:isAwake() }
				end
				world:step(DT)
				contacts.follow_contacts(world)
				overlaps.follow_overlaps(world)
				-- Events, the list of contacts, and geometry agree on the pairs in contact.
				local touching, touching_bodies = {}, {}
				for a, b in world:contacts() do
					local key = contacts.key(a, b)
					touching[key] = true
					touching_bodies[a:getBody()], touching_bodies[b:getBody()] = true, true
					if not contacts.open[key] then lu.fail("a contact without a begin") end
					if not may_meet(world, a, b) then lu.fail("a contact of two that do not meet") end
				end
				for key in pairs(contacts.open) do
					if not touching[key] then lu.fail("a contact without an end") end
				end
				for key in pairs(solid) do
					if not touching[key] and not seam(touching_bodies, places, solid[key]) then lu.fail("an overlap without a contact") end
				end
				for key, pair in pairs(seen) do
					if not overlaps.open[key] and not close_call(places[pair[1]], places[pair[2]]) then
						lu.fail("an overlap without a begin, step " .. step)
					end
				end
				for key, pair in pairs(overlaps.open) do
					if not pair[1]:isSensor() then lu.fail("the sensor goes first") end
					if not may_meet(world, pair[1], pair[2]) then lu.fail("an overlap of two that do not meet") end
					local one, two = places[pair[1]], places[pair[2]]
					if (one.awake or two.awake) and not seen[key] and not close_call(one, two) then
						lu.fail("an overlap without an end, step " .. step)
					end
				end
				-- The lists of sensors are the overlaps that have begun and not ended.
				local listed = 0
				for _, collider in ipairs(pit.colliders()) do
					for visitor in collider:overlaps() do
						listed = listed + 1
						if not overlaps.open[overlaps.key(collider, visitor)] then lu.fail("a visitor that has not come") end
					end
				end
				for _ in pairs(overlaps.open) do listed = listed - 1 end
				lu.assertEquals(listed, 0)
				lu.assertTrue(world:validate())
			end
			for _, body in ipairs(world:getBodies()) do body:destroy() end
			world:step(DT)
			contacts.follow_contacts(world)
			overlaps.follow_overlaps(world)
			lu.assertNil(next(contacts.open), "all contacts have ended")
			lu.assertNil(next(overlaps.open), "all overlaps have ended")
		end
		-- There are enough events for the test to mean something.
		lu.assertTrue(contacts.begins > 80 * #seeds, "contacts: " .. contacts.begins)
		lu.assertTrue(overlaps.begins > 33 * #seeds, "overlaps: " .. overlaps.begins)
	end

	-- The events tell exactly how isAwake differs between the ends of two steps, for bodies that have been enabled and of one type meanwhile.
	function TestEventStress.test_wakes_and_sleeps_are_the_differences_between_steps()
		local pit = new_pit(5)
		local world = pit.world
		local before, events = {}, 0
		for _ = 1, 200 do
			local known = {}
			for _, body in ipairs(world:getBodies()) do known[body] = body:isEnabled() and body:getType() end
			if pit.pick(3) == 1 then pit.change(1) end
			for body, kind in pairs(known) do
				if not kind or not body:isValid() or not body:isEnabled() or body:getType() ~= kind then before[body] = nil end
			end
			world:step(DT)
			local told = {}
			for body in world:wokeBodies() do told[body] = true end
			for body in world:sleptBodies() do
				if told[body] then lu.fail("both") end
				told[body] = false
			end
			for _, body in ipairs(world:getBodies()) do
				local awake = body:isAwake()
				if before[body] ~= nil then
					if before[body] ~= awake then events = events + 1 end
					if before[body] ~= awake and told[body] ~= awake then lu.fail("not told") end
					if before[body] == awake and told[body] ~= nil then lu.fail("told of no change") end
				end
				before[body] = nil
				if body:isEnabled() then before[body] = awake end
			end
		end
		lu.assertTrue(events > 20, events .. " events")
	end

	function TestEventStress.test_moved_lists_awake_bodies()
		local pit = new_pit(4)
		local world = pit.world
		for step = 1, 150 do
			pit.change(pit.pick(3) - 1)
			local before, places, listed = {}, {}, {}
			for _, body in ipairs(world:getBodies()) do before[body], places[body] = body:isAwake(), { body:getTransform() } end
			world:step(DT)
			for body, x, y, angle, fell_asleep in world:moved() do
				if listed[body] then lu.fail("listed twice") end
				listed[body] = true
				local bx, by, bangle = body:getTransform()
				if x ~= bx or y ~= by or angle ~= bangle then lu.fail("not where it is") end
				if fell_asleep == body:isAwake() then lu.fail("fell asleep and did not") end
			end
			for body, awake in pairs(before) do
				-- A sleeping body may be woken in the step by a contact; all others stay as before.
				if awake and not listed[body] then lu.fail("not listed, step " .. step) end
				-- A body reached by a kinematic one wakes when all have moved, and moves from the next step on.
				local x, y, turn = body:getTransform()
				local here = places[body]
				if not listed[body] and not (x == here[1] and y == here[2] and turn == here[3]) then lu.fail("moved unlisted, step " .. step) end
				if listed[body] and body:getType() == "static" then lu.fail("a static body moved") end
			end
		end
	end

	function TestEventStress.test_the_same_events_in_the_same_order()
		local function record(seed)
			local pit = new_pit(seed)
			local world, number_of, lines = pit.world, new_registry(), {}
			local function note(kind, ...)
				local words = { kind }
				for i = 1, select("#", ...) do
					local value = select(i, ...)
					words[#words + 1] = type(value) == "number" and ("%.17g"):format(value)
						or type(value) == "userdata" and "#" .. number_of(value) or tostring(value)
				end
				lines[#lines + 1] = table.concat(words, " ")
			end
			for _ = 1, 100 do
				pit.change(pit.pick(3) - 1)
				world:step(DT)
				for a, b, nx, ny, x, y in world:beginContacts() do note("begin", a, b, nx, ny, x, y) end
				for a, b in world:endContacts() do note("end", a, b) end
				for a, b, x, y, nx, ny, speed in world:hits() do note("hit", a, b, x, y, nx, ny, speed) end
				for a, b in world:beginOverlaps() do note("enter", a, b) end
				for a, b in world:endOverlaps() do note("leave", a, b) end
				for body, x, y, angle, fell in world:moved() do note("moved", body, x, y, angle, fell) end
				for a, b, nx, ny, x, y, separation, impulse in world:contacts() do
					note("contact", a, b, nx, ny, x, y, separation, impulse)
				end
				note("hash " .. world:hash())
			end
			return lines
		end
		local first = record(5)
		collectgarbage()
		local second = record(5)
		lu.assertTrue(#first > 1000)
		lu.assertEquals(#second, #first)
		for i, line in ipairs(first) do
			if second[i] ~= line then lu.assertEquals(second[i], line) end
		end
	end

	-- A chain's segments may come before or after another collider in the order of the engine's ids; the order of a and b must not depend on it.
	function TestContactEvents.test_begin_and_end_name_a_and_b_in_the_same_order()
		local world = d.newWorld { gravity = { 0, -10 } }
		local early = world:newBody { type = "static", shape = d.circle(1), x = 100 }
		local box = world:newBody { shape = d.box(1, 1), friction = 0, x = 5, y = 0.5 }
		early:destroy() -- its id is the next to be used
		world:newBody { type = "static", shape = d.chain { 10, 0, 0, 0, -10, 0, -20, 0 } }
		box:setLinearVelocity(-4, 0)
		local begins, ends = {}, {}
		for tick = 1, 260 do
			if tick == 250 then box:setPosition(0, 50) end
			world:step(DT)
			for a, b, _, ny in world:beginContacts() do
				begins[#begins + 1] = { a, b }
				local up = b:getBody() == box and 1 or -1
				lu.assertAlmostEquals(ny, up, 1e-3)
			end
			for a, b in world:endContacts() do ends[#ends + 1] = { a, b } end
		end
		lu.assertEquals({ #begins, #ends }, { 1, 1 })
		lu.assertIs(ends[1][1], begins[1][1])
		lu.assertIs(ends[1][2], begins[1][2])
	end

	-- Contacts are those of the last step: a body that has been moved since has its points where it was.
	function TestContactEvents.test_contacts_keep_their_points_after_a_body_is_moved()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local box = world:newBody { y = 0.5, shape = d.box(1, 1) }
		for _ = 1, 30 do world:step(1 / 60) end
		for _, place in ipairs { { 0, 0.5, 0 }, { 1000, 0.5, 0 }, { 1e15, -1e15, 0.3 } } do
			box:setTransform(place[1], place[2], place[3])
			local sum, count = 0, 0
			for _, _, _, ny, x, y, separation in world:contacts() do
				lu.assertEquals(math.abs(ny), 1)
				lu.assertAlmostEquals(y, 0, 0.005)
				lu.assertAlmostEquals(separation, 0, 0.005)
				sum, count = sum + x, count + 1
			end
			lu.assertEquals(count, dim == "d2" and 2 or 4)
			lu.assertAlmostEquals(sum, 0, 0.01)
		end
		world:step(1 / 60)
		for _ in world:contacts() do lu.fail "nothing touches any more" end
	end

	-- Ends between two steps are reported by the next one.
	function TestContactEvents.test_ends_between_steps_wait_for_the_next()
		local world, pairs_of = d.newWorld { gravity = { 0, 0 } }, {}
		for i = 1, 4 do
			pairs_of[i] = {}
			for k = 1, 2 do pairs_of[i][k] = world:newBody { x = 10 * i + k, shape = d.circle(0.5) } end
		end
		local function ended()
			local list = {}
			for a in world:endContacts() do list[#list + 1] = a:getBody() end
			return list
		end
		world:step(DT)
		lu.assertEquals(world:getTouchingCount(), 4)
		pairs_of[1][1]:setTransform(0, 100, 0)
		lu.assertEquals(ended(), {})
		world:step(DT)
		lu.assertEquals(ended(), { pairs_of[1][1] })
		pairs_of[2][2]:setEnabled(false)
		pairs_of[3][2]:destroy()
		pairs_of[4][1]:setTransform(0, 200, 0)
		world:validate()
		lu.assertEquals(ended(), { pairs_of[1][1] })
		world:step(DT)
		lu.assertEquals(ended(), { pairs_of[2][1], pairs_of[3][1], pairs_of[4][1] })
		world:step(DT)
		lu.assertEquals(ended(), {})
		world:validate()
	end

	-- 72 bytes for each begin event, in a step in which all begin.
	function TestContactEvents.test_memory_of_a_peak_of_events_is_released()
		local world, count, shape = d.newWorld { gravity = { 0, 0 } }, 3000, d.circle(0.5)
		for i = 1, count + 1 do world:newBody { x = 1.01 * i, shape = shape } end
		world:step(DT)
		lu.assertEquals(#rows(world:beginContacts()), count)
		local bytes = world:getByteCount()
		for _ = 1, 20 do world:step(DT) end
		lu.assertEquals(world:getTouchingCount(), count)
		lu.assertTrue(bytes - world:getByteCount() > 70 * count)
		world:validate()
	end
end
