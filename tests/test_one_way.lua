-- One-way colliders: they stop what comes from the side of their normal, and do not touch the motion of anything else.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local suite, wings, random_numbers = support.suite, support.wings, support.random_numbers

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	local axes = dim == "d2" and 2 or 3
	local OneWay = suite("TestOneWay", dim)
	local vector, up = wing.vector, wing.vector(0, 1)
	local locks = dim == "d3" and { z = true, rotationX = true, rotationY = true } or nil
	local function plank(width, height) return dim == "d2" and d.box(width, height) or d.box(width, height, 4) end
	local function thing(i, size) return i % 2 == 0 and wing.cube(d, size) or wing.ball(d, size / 2) end
	local function position(body) return { body:getPosition() } end

	-- A strip of ground at height 0: a chain in 2D, a mesh in 3D.
	local function strip(left, right, segments)
		local points, triangles = {}, {}
		for i = 0, segments do
			local x = left + (right - left) * i / segments
			for _, z in ipairs(axes == 3 and { 2, -2 } or { 0 }) do
				for _, value in ipairs(axes == 3 and { x, 0, z } or { left + right - x, 0 }) do points[#points + 1] = value end
			end
		end
		if axes == 2 then return d.chain(points) end
		for i = 1, 2 * segments, 2 do
			for _, k in ipairs { i, i + 2, i + 1, i + 1, i + 2, i + 3 } do triangles[#triangles + 1] = k end
		end
		return d.mesh(points, triangles)
	end

	-- Each of 500 bodies passes the platforms below the height v^2 / 2g of its throw, falls back on the highest one that it has passed, and stays.
	function OneWay.test_500_bodies_jump_through_platforms_and_stay_on_them()
		for _, shape in ipairs { plank(2000, 0.5), strip(-1000, 1000, 100) } do
			local world = d.newWorld { gravity = vector(0, -10) }
			local top = shape:getType() == "box" and 0.25 or 0
			for level = 1, 4 do world:newBody { type = "static", y = 4 * level - top, shape = shape, oneWay = up } end
			local bodies = {}
			for i = 1, 500 do
				local level = i % 5
				bodies[i] = { level = level, body = world:newBody { x = 2 * i - 500, shape = thing(i, 0.8), bullet = i % 3 == 0, locks = locks,
					linearVelocity = vector(0, math.sqrt(2 * 10 * (4 * level + 2))) } }
			end
			for _ = 1, 300 do world:step(1 / 60) end
			for _, entry in ipairs(bodies) do
				local _, y = entry.body:getPosition()
				if entry.level == 0 then lu.assertTrue(y < -10) else lu.assertAlmostEquals(y, 4 * entry.level + 0.4, 0.02) end
			end
			world:validate()
		end
	end

	-- From the solid side all stop, at any speed, rate and shape of the platform.
	function OneWay.test_stops_at_any_speed_and_rate()
		for _, rate in ipairs { 30, 60, 144 } do
			for _, shape in ipairs { plank(2000, 0.1), strip(-1000, 1000, 7) } do
				local world = d.newWorld { gravity = vector(0, -10) }
				local top = shape:getType() == "box" and 0.05 or 0
				world:newBody { type = "static", y = -top, shape = shape, oneWay = up }
				local bodies = {}
				for i = 1, 40 do
					bodies[i] = world:newBody { x = 4 * i - 80, y = 4 + 0.13 * i, shape = thing(i, 0.5), linearVelocity = vector(0, -(1.15 ^ i) * 0.5), locks = locks,
						bullet = i % 3 == 0 }
				end
				for _ = 1, 4 * rate do world:step(1 / rate) end
				for _, body in ipairs(bodies) do lu.assertAlmostEquals(select(2, body:getPosition()), 0.25, 0.02) end
			end
		end
	end

	-- Bodies that come from any other side move, to the bit, as if the platform were not there.
	function OneWay.test_other_sides_do_not_touch_the_motion()
		for _, rate in ipairs { 30, 60, 144 } do
			local random = random_numbers(3)
			local entries = {}
			for i = 1, 60 do
				local speed = 1.1 ^ i
				entries[i] = i % 3 == 0 and { x = 10 * i, y = -2 - random(0, 3), vx = random(-1, 1), vy = speed } -- from below
					or i % 3 == 1 and { x = 10 * i - 3 - random(0, 1), y = -0.15, vx = speed, vy = 0 } -- from the side
					or { x = 10 * i, y = -random(0.35, 0.5) + 0.5, vx = 0, vy = -random(0, 1) } -- halfway
			end
			local worlds = {}
			for w = 1, 2 do
				local world = d.newWorld { gravity = vector(0, 0), sleeping = false }
				for i, entry in ipairs(entries) do
					if w == 1 then world:newBody { type = "static", x = 10 * i, y = -0.15, shape = plank(2, 0.3), oneWay = up } end
					entry[w] = world:newBody { x = entry.x, y = entry.y, shape = thing(i, 0.6), linearVelocity = vector(entry.vx, entry.vy), bullet = i % 4 == 0, group = -1 }
				end
				worlds[w] = world
			end
			for _ = 1, rate do
				for _, world in ipairs(worlds) do world:step(1 / rate) end
				for _, entry in ipairs(entries) do
					local x1, y1, z1 = entry[1]:getPosition()
					local x2, y2, z2 = entry[2]:getPosition()
					if x1 ~= x2 or y1 ~= y2 or z1 ~= z2 then lu.fail(("at %d Hz from %g, %g at %g, %g: %g, %g not %g, %g"):format(rate, entry.x, entry.y, entry.vx, entry.vy, x1, y1, x2, y2)) end
				end
			end
		end
	end

	-- Stacks rest on platforms as they do on ground, and ride on one that moves up and down.
	function OneWay.test_stacks_rest_and_ride()
		local heights = {}
		for w = 1, 2 do
			local world = d.newWorld { gravity = vector(0, -10) }
			local fixed = world:newBody { type = "static", y = -0.25, shape = plank(4, 0.5), oneWay = w == 1 and up or nil }
			local lift = world:newBody { type = "kinematic", x = 10, y = -0.25, shape = plank(4, 0.5), oneWay = w == 1 and up or nil }
			local list = {}
			for i = 1, 10 do
				list[i] = world:newBody { y = i - 0.5, shape = wing.cube(d, 1), locks = locks }
				list[10 + i] = world:newBody { x = 10, y = i - 0.5, shape = wing.cube(d, 1), locks = locks }
			end
			for i = 1, 600 do
				lift:setLinearVelocity(wing.numbers(0, 2 * math.sin(i / 60)))
				world:step(1 / 60)
			end
			lu.assertIsTrue(fixed:isValid())
			heights[w] = {}
			for i, body in ipairs(list) do
				heights[w][i] = select(2, body:getPosition()) - (i > 10 and select(2, lift:getPosition()) + 0.25 or 0)
				lu.assertAlmostEquals(heights[w][i], (i - 1) % 10 + 0.5, 0.05)
			end
		end
		lu.assertEquals(heights[1], heights[2])
	end

	-- The normal turns with the body: seen from a platform at any angle, bodies stop on one side and pass on the other.
	function OneWay.test_normal_turns_with_the_body()
		for k = 0, 7 do
			local angle = k * math.pi / 4 + 0.1
			local nx, ny = -math.sin(angle), math.cos(angle)
			local world = d.newWorld { gravity = vector(0, 0) }
			local platform = { type = "static", shape = plank(10, 0.3), oneWay = up, angle = angle }
			if axes == 3 then platform.axis = { 0, 0, 1 } end
			world:newBody(platform)
			local front = world:newBody { x = 3 * nx, y = 3 * ny, shape = wing.ball(d, 0.3), linearVelocity = vector(-6 * nx, -6 * ny) }
			local back = world:newBody { x = -3 * nx + ny, y = -3 * ny - nx, shape = wing.ball(d, 0.3), linearVelocity = vector(6 * nx, 6 * ny) }
			for _ = 1, 60 do world:step(1 / 60) end
			local x, y = front:getPosition()
			lu.assertTrue(x * nx + y * ny > 0.44)
			x, y = back:getPosition()
			lu.assertAlmostEquals(x * nx + y * ny, 3, 1e-3)
		end
	end

	-- A body drops through the platforms that it stands on, and no others: also through a chain or mesh of short pieces, at any gravity and rate.
	function OneWay.test_drops_through_one_platform()
		for _, gravity in ipairs { 1.6, 10, 40 } do
			for _, rate in ipairs { 30, 60, 240 } do
				for _, shape in ipairs { plank(40, 0.2), strip(-20, 20, 57) } do
					local world = d.newWorld { gravity = vector(0, -gravity) }
					local top = shape:getType() == "box" and 0.1 or 0
					for level = 0, 2 do world:newBody { type = "static", y = -1.5 * level - top, shape = shape, oneWay = up } end
					local bodies = {}
					for i = 1, 12 do bodies[i] = world:newBody { x = 3 * i - 20, y = 0.3, shape = thing(i, 0.6), locks = locks } end
					for _ = 1, rate do world:step(1 / rate) end
					for i, body in ipairs(bodies) do if i % 3 ~= 0 then body:dropThrough() end end
					for _ = 1, 3 * rate do world:step(1 / rate) end
					for i, body in ipairs(bodies) do lu.assertAlmostEquals(select(2, body:getPosition()), i % 3 == 0 and 0.3 or -1.2, 0.02) end
					for i, body in ipairs(bodies) do if i % 3 == 1 then body:dropThrough(4 * rate) end end
					for _ = 1, 3 * rate do world:step(1 / rate) end
					for i, body in ipairs(bodies) do
						local y = select(2, body:getPosition())
						if i % 3 == 1 then lu.assertTrue(y < -3.5) else lu.assertAlmostEquals(y, i % 3 == 0 and 0.3 or -1.2, 0.02) end
					end
				end
			end
		end
	end

	-- However slowly a body gets deeper, a drop goes on. One that another floor stops ends.
	function OneWay.test_drops_in_weak_gravity()
		for _, gravity in ipairs { 0.01, 0.05 } do
			for _, rate in ipairs { 30, 60 } do
				local world = d.newWorld { gravity = vector(0, -gravity) }
				world:newBody { type = "static", y = -0.1, shape = plank(40, 0.2), oneWay = up }
				world:newBody { type = "static", y = -0.1, x = 40, shape = plank(40, 0.2) }
				world:newBody { type = "static", y = -0.1, x = 40, shape = plank(40, 0.2), oneWay = up }
				local bodies, held = {}, {}
				for i = 1, 6 do
					bodies[i] = world:newBody { x = 3 * i - 12, y = 0.3, shape = thing(i, 0.6), locks = locks, sleepingAllowed = false }
					held[i] = world:newBody { x = 3 * i + 28, y = 0.3, shape = thing(i, 0.6), locks = locks, sleepingAllowed = false }
				end
				for _ = 1, rate do world:step(1 / rate) end
				for i = 1, 6 do bodies[i]:dropThrough() held[i]:dropThrough() end
				for _ = 1, 10 * rate do world:step(1 / rate) end
				for i = 1, 6 do
					lu.assertTrue(select(2, bodies[i]:getPosition()) < 0.3 - 0.5 * gravity * 9 ^ 2)
					lu.assertAlmostEquals(select(2, held[i]:getPosition()), 0.3, 0.02)
					held[i]:setPosition(wing.numbers(3 * i - 12, 0.31))
				end
				for _ = 1, 5 * rate do world:step(1 / rate) end
				for i = 1, 6 do lu.assertAlmostEquals(select(2, held[i]:getPosition()), 0.3, 0.02) end
			end
		end
	end

	-- Set and taken back while a body rests on it, which wakes: then it falls when it is pushed up and comes back as through nothing.
	function OneWay.test_can_be_changed()
		local world = d.newWorld { gravity = vector(0, -10) }
		local ground = world:newBody { type = "static", y = -0.5, shape = plank(10, 1) }
		local collider = ground:getColliders()[1]
		lu.assertNil(collider:getOneWay())
		local box = world:newBody { y = 0.5, shape = wing.cube(d, 1), locks = locks }
		for _ = 1, 120 do world:step(1 / 60) end
		lu.assertFalse(box:isAwake())
		collider:setOneWay(wing.numbers(0, -3))
		lu.assertEquals({ collider:getOneWay() }, vector(0, -1))
		lu.assertTrue(box:isAwake())
		for _ = 1, 30 do world:step(1 / 60) end
		lu.assertAlmostEquals(select(2, box:getPosition()), 0.5 - 10 * 0.25 / 2, 0.1) -- it falls
		local text, reason = world:explain(ground, box)
		lu.assertEquals(reason, "passes")
		lu.assertStrContains(text, "one-way")
		box:setPosition(wing.numbers(0, 0.5))
		collider:setOneWay()
		lu.assertNil(collider:getOneWay())
		for _ = 1, 30 do world:step(1 / 60) end
		lu.assertAlmostEquals(select(2, box:getPosition()), 0.5, 0.02)
	end

	-- Random bodies among platforms that move and turn: with any number of workers the same, and none is stuck or lost within one.
	function OneWay.test_random_scenes_with_any_number_of_workers()
		for seed = 1, 4 do
			local hashes = {}
			for w, workers in ipairs { 1, 3 } do
				local world = d.newWorld { gravity = vector(0, -10), workers = workers }
				local random, pick = random_numbers(seed)
				world:newBody { type = "static", y = -1, shape = wing.floor(d) }
				local platforms, bodies = {}, {}
				for i = 1, 12 do
					platforms[i] = world:newBody { type = i % 3 == 0 and "kinematic" or "static", x = random(-10, 10), y = random(1, 8), shape = plank(random(1, 5), random(0.1, 0.5)), oneWay = up,
						angularVelocity = i % 3 == 0 and (axes == 2 and random(-1, 1) or { 0, 0, random(-1, 1) }) or nil }
				end
				for i = 1, 80 do
					bodies[i] = world:newBody { x = random(-10, 10), y = random(1, 12), shape = thing(i, random(0.3, 0.9)), bullet = i % 5 == 0, oneWay = i % 7 == 0 and up or nil }
				end
				for step = 1, 300 do
					local body = bodies[pick(80)]
					if step % 3 == 0 then body:setLinearVelocity(wing.numbers(random(-5, 5), random(-5, 15))) elseif step % 3 == 1 then body:dropThrough(pick(9)) end
					if step % 50 == 0 then platforms[pick(12)]:getColliders()[1]:setOneWay(wing.numbers(random(-1, 1), 1)) end
					world:step(1 / 60)
				end
				world:validate()
				hashes[w] = world:hash()
				for i, body in ipairs(bodies) do -- one-way bodies pass the floor, too
					if i % 7 ~= 0 then lu.assertTrue(select(2, body:getPosition()) > -0.1) end
				end
			end
			lu.assertEquals(hashes[1], hashes[2])
		end
	end

	-- A row of planks is as one: what does not come out above it falls back as through nothing, with its edges between two planks, at any speed sideways. The same
	-- for segments of a chain and for triangles.
	function OneWay.test_what_does_not_come_out_falls_back()
		for _, rate in ipairs { 30, 60, 144 } do
			for _, vx in ipairs { 0, 3, 12, 40 } do
				for row = 1, 2 do
					local worlds = {}
					for w = 1, 2 do
						local world = d.newWorld { gravity = vector(0, -10) }
						if w == 1 and row == 1 then
							for i = -20, 60 do world:newBody { type = "static", x = i, y = -0.1, shape = plank(1, 0.2), oneWay = up } end
						elseif w == 1 then
							world:newBody { type = "static", shape = strip(-20, 60, 40), oneWay = up }
						end
						local bodies = {}
						for i = 1, 24 do
							local rise = -0.27 + 0.5 * i / 24 -- the highest point of the centre, on a ball of radius 0.3
							bodies[i] = world:newBody { x = 0.137 * i, y = -1.5, shape = wing.ball(d, 0.3), friction = 0, linearVelocity = vector(vx, math.sqrt(20 * (rise + 1.5))),
								locks = axes == 2 and { rotation = true } or { z = true, rotationX = true, rotationY = true, rotationZ = true }, group = -1 }
						end
						for _ = 1, rate do world:step(1 / rate) end
						worlds[w] = bodies
					end
					for i = 1, 24 do
						local x, y = worlds[1][i]:getPosition()
						local fx, fy = worlds[2][i]:getPosition()
						if math.abs(x - fx) + math.abs(y - fy) > 1e-3 then lu.fail(("%d Hz, %g m/s, row %d, ball %d: %g, %g, not %g, %g"):format(rate, vx, row, i, x, y, fx, fy)) end
					end
				end
			end
		end
	end

	-- A long box that spins meets the platform with a corner that overlaps it far within its first step.
	function OneWay.test_spinning_boxes_stop()
		for _, rate in ipairs { 60, 144 } do
			local world = d.newWorld { gravity = vector(0, -10) }
			world:newBody { type = "static", y = -0.1, shape = plank(2000, 0.2), oneWay = up }
			local bodies = {}
			for i = 1, 40 do
				local spin = 8 + i % 5 * 7
				bodies[i] = world:newBody { x = 8 * i - 160, y = 3 + 0.05 * i, shape = dim == "d2" and d.box(4, 0.3) or d.box(4, 0.3, 0.5), angularVelocity = axes == 2 and spin or { 0, 0, spin }, locks = locks }
			end
			for _ = 1, 4 * rate do world:step(1 / rate) end
			for _, body in ipairs(bodies) do lu.assertTrue(select(2, body:getPosition()) > 0.1) end
		end
	end

	function OneWay.test_bad_input()
		local world = d.newWorld()
		local shape = wing.cube(d, 1)
		local collider = world:newBody { type = "static", shape = shape }:getColliders()[1]
		for _, bad in ipairs { { { 0, 0, axes == 3 and 0 or nil }, "oneWay must not be zero" }, { 3, "oneWay must be" }, { { 1 }, "oneWay" }, { { 0 / 0, 1, 1 }, "oneWay" }, { { math.huge, 1, 1 }, "oneWay" } } do
			lu.assertErrorMsgContains(bad[2], world.newBody, world, { type = "static", shape = shape, oneWay = bad[1] })
		end
		for _, bad in ipairs { { 0, 0, 0, "the normal must not be zero" }, { 1, "x", 0, "ny must" }, { 0 / 0, 1, 1, "nx must" }, { 1, math.huge, 1, "ny must" } } do
			lu.assertErrorMsgContains("setOneWay: " .. bad[4], collider.setOneWay, collider, bad[1], bad[2], bad[3])
		end
		local body = collider:getBody()
		for _, bad in ipairs { 0, -1, 1.5, "x" } do lu.assertErrorMsgContains("dropThrough: ticks must", body.dropThrough, body, bad) end
		body:dropThrough()
		body:destroy()
		lu.assertErrorMsgContains("destroyed", body.dropThrough, body)
		world:newBody { shape = shape }
		world:step(1 / 60)
		lu.assertEquals(#position(world:getBodies()[1]), axes)
	end
end

-- Cells of one-way kinds hold what comes from above, let all else pass, and do not hide the sides of solid cells beside them.
function TestOneWay.test_one_way_tiles()
	local d2 = collide.d2
	local world = d2.newWorld { gravity = { 0, -10 } }
	local kinds = { { name = "earth" }, { name = "plank", oneWay = { 0, 2 } }, { name = "thin", shape = d2.polygon { 0, 0.5, 1, 0.5, 1, 1, 0, 1 }, oneWay = { 0, 1 } }, { sensor = true } }
	local map, sensors, planks = world:newBody { type = "static" }:newTiles { columns = 40, rows = 12, kinds = kinds }
	lu.assertTrue(sensors:isSensor())
	lu.assertEquals({ planks:getOneWay() }, { 0, 1 })
	map:fillCells(1, 1, 40, 1, 1)
	map:fillCells(1, 4, 20, 4, 2) -- a solid row
	planks:fillCells(21, 4, 38, 4, 3)
	map:fillCells(39, 2, 39, 12, 1)
	lu.assertEquals({ (map:getCell(5, 4)), (planks:getCell(30, 4)), (sensors:getCell(30, 4)) }, { 2, 3, 3 })
	local bodies, free = {}, {}
	for i = 1, 36 do
		local up = i % 3 == 0
		bodies[i] = world:newBody { x = i + 0.5 + 0.013 * i, y = up and 1.5 or 6, shape = i % 2 == 0 and d2.circle(0.3) or d2.box(0.5, 0.5), group = -1,
			linearVelocity = { 0, up and (i % 2 == 0 and 12 or 5) or 0 }, locks = { rotation = true } }
	end
	for _ = 1, 300 do world:step(1 / 60) end
	for i, body in ipairs(bodies) do
		local half = i % 2 == 0 and 0.3 or 0.25
		lu.assertAlmostEquals(select(2, body:getPosition()), half + (i % 3 == 0 and i % 2 == 1 and 1 or 4), 0.02, "body " .. i)
	end
	-- A cart within a plank's cell meets the wall beside the plank.
	local cart = world:newBody { x = 36.3, y = 3.75, shape = d2.box(0.4, 0.4), gravityScale = 0, linearVelocity = { 2, 0 } }
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertAlmostEquals(cart:getPosition(), 38 - 0.2, 0.02)
	-- Digging the planks away drops what rests there.
	map:fillCells(1, 4, 38, 4, 0)
	for _ = 1, 240 do world:step(1 / 60) end
	for i, body in ipairs(bodies) do lu.assertAlmostEquals(select(2, body:getPosition()), (i % 2 == 0 and 0.3 or 0.25) + 1, 0.02, "body " .. i) end
	world:validate()
	local body = world:newBody { type = "static", x = 500 }
	local function raises(text, list) lu.assertErrorMsgContains(text, body.newTiles, body, { columns = 2, rows = 2, kinds = list }) end
	lu.assertEquals(#{ body:newTiles { columns = 2, rows = 2, kinds = { { oneWay = { 0, 1 } }, { oneWay = { -0.0, 1 } }, { oneWay = { 0, 2 } } } } }, 2)
	local seven = {}
	for i = 1, 7 do seven[i] = { oneWay = { 1, i } } end
	raises("newTiles: kinds[7].oneWay must be one of at most 6 that kinds of a map have, got a seventh", seven)
	raises("newTiles: kinds[1].oneWay must not be given for a sensor", { { oneWay = { 0, 1 }, sensor = true } })
	raises("newTiles: kinds[1].oneWay must not be zero", { { oneWay = { 0, 0 } } })
end

-- Kinds of one map, each solid from a side of its own: of balls that come from all sides, each stops those against its normal.
for _, dim in ipairs { "d2", "d3" } do
	support.suite("TestOneWay", dim).test_kinds_of_cells_with_different_normals = function()
		local d, axes = collide[dim], dim == "d2" and 2 or 3
		local sides, kinds = {}, { {}, { sensor = true } }
		local function vector(scale, side, add)
			local v = {}
			for i = 1, axes do v[i] = scale * side[i] + (add and add[i] or 0) end
			return v
		end
		for axis = 1, axes do
			for sign = -1, 1, 2 do
				local side = { 0, 0, 0 }
				side[axis] = sign
				sides[#sides + 1] = side
				kinds[#kinds + 1] = { oneWay = vector(2, side) }
			end
		end
		local world = d.newWorld { gravity = vector(0, sides[1]) }
		local ground = world:newBody { type = "static" }
		local maps
		if axes == 2 then maps = { ground:newTiles { columns = 100, rows = 10, kinds = kinds } } else maps = { ground:newVoxels { kinds = kinds } } end
		lu.assertEquals({ #maps, #ground:getColliders(), maps[2]:isSensor(), maps[3]:isSensor() }, { 2 + #sides, 2 + #sides, true, false })
		for k, side in ipairs(sides) do lu.assertEquals({ maps[2 + k]:getOneWay() }, vector(1, side)) end
		local balls = {}
		for k, normal in ipairs(sides) do
			local center = { 12 * k + 0.5, 5.5, 0.5 }
			if axes == 2 then maps[1]:setCell(12 * k + 1, 6, k + 2) else maps[1]:setCell(12 * k, 5, 0, k + 2) end
			for _, way in ipairs(sides) do
				local dot = way[1] * normal[1] + way[2] * normal[2] + way[3] * normal[3]
				local body = world:newBody { position = vector(-3, way, center), linearVelocity = vector(4, way), shape = axes == 2 and d.circle(0.2) or d.sphere(0.2), group = -1, restitution = 0 }
				balls[#balls + 1] = { body, vector(dot < 0 and -0.7 or 5, way, center) }
			end
		end
		local other = collide.load(world:save())
		for _ = 1, 120 do
			world:step(1 / 60)
			other:step(1 / 60)
		end
		world:validate()
		lu.assertEquals(other:hash(), world:hash())
		for i, ball in ipairs(balls) do
			local at = { ball[1]:getPosition() }
			for axis = 1, axes do lu.assertAlmostEquals(at[axis], ball[2][axis], 0.02, "ball " .. i) end
		end
	end
end
