-- What touching bodies report for sounds and dust: slip, rolling and friction of slides(), the energy of hits(), and the contacts of one body or collider.
-- Both dimensions by one loop; the x-y plane of 3D is that of 2D.

local lu, support, collide = require "luaunit", require "support", require "collide"

local bytes_of, random_numbers, steps = support.bytes_of, support.random_numbers, support.steps
local ROW = { "a", "b" } -- then the numbers' names, by loop and dimension
local POINT, NORMAL = { d2 = { "x", "y" }, d3 = { "x", "y", "z" } }, { d2 = { "nx", "ny" }, d3 = { "nx", "ny", "nz" } }

local function joined(...)
	local names = {}
	for _, list in ipairs { ... } do
		for _, name in ipairs(list) do names[#names + 1] = name end
	end
	return names
end

-- The rows of a loop, as tables with the names of their values.
local function rows_of(names, loop, state, control)
	local rows = {}
	local function take(first, ...)
		if first == nil then return false end
		local row, values = {}, { first, ... }
		lu.assertEquals(select("#", first, ...), #names)
		for i, name in ipairs(names) do row[name] = values[i] end
		rows[#rows + 1], control = row, first
		return true
	end
	while take(loop(state, control)) do end
	return rows
end

for dim, wing in pairs(support.wings) do
	local d, Slides = collide[dim], support.suite("TestSlides", dim)
	local slide_names = joined(ROW, POINT[dim], NORMAL[dim], { "slipSpeed", "rollSpeed", "force" })
	local hit_names = joined(ROW, POINT[dim], NORMAL[dim], { "speed", "energy", "materialA", "materialB" })
	local contact_names = joined(ROW, NORMAL[dim], POINT[dim], { "separation", "impulse", "tangentImpulse", "partA", "partB" })
	local flat = dim == "d2"

	local function slides(world) return rows_of(slide_names, world:slides()) end
	local function contacts(owner) return rows_of(contact_names, owner:contacts()) end
	local function spin(w) return flat and w or { 0, 0, w } end

	local function floor_world(gx, gy, friction, options)
		options = options or {}
		options.gravity = wing.vector(gx, gy)
		local world = d.newWorld(options)
		local floor = world:newBody { type = "static", y = -1, shape = flat and d.box(4000, 2) or d.box(4000, 2, 40), friction = friction }
		return world, floor
	end

	-- Coulomb: a crate that slides down a slope by the angle t is braked by friction * m g cos t, whatever its speed. 500 crates of random friction at once. Their
	-- points share the load differently in each sub-step while they settle, for half a second; then the force is exact to the tolerance of the solver, 0.1 %.
	function Slides.test_a_sliding_crate_reports_the_friction_of_coulombs_law()
		local number, angle, g = random_numbers(11), math.rad(40), 10
		local world, floor = floor_world(g * math.sin(angle), -g * math.cos(angle), 1, { frictionMixing = "minimum" })
		local crates = {}
		for i = 1, 500 do
			local friction = number(0.05, 0.5)
			local crate = world:newBody { x = 3 * i - 1900, y = 0.5, shape = wing.cube(d, 1), friction = friction }
			crates[crate] = friction * crate:getMass() * g * math.cos(angle)
		end
		steps(world, 60)
		local rows = slides(world)
		lu.assertEquals(#rows, 500)
		for _, row in ipairs(rows) do
			local crate, other = row.a:getBody(), row.b:getBody()
			if crate == floor then crate, other = other, crate end
			lu.assertEquals(other, floor)
			lu.assertAlmostEquals(row.force, crates[crate], 1e-3 * crates[crate])
			lu.assertAlmostEquals(row.slipSpeed, (crate:getLinearVelocity()), 1e-3)
			lu.assertAlmostEquals(row.rollSpeed, 0, 1e-3)
			lu.assertAlmostEquals(math.abs(row.ny), 1, 1e-5)
			crates[crate] = nil
		end
	end

	-- A ball that rolls at v: the contact point moves at v along the ground and along the ball, and nothing slips. So does a wheel of 24 corners, nearly.
	function Slides.test_rolling_is_not_slipping()
		local world = floor_world(0, -10, 0.9)
		for i = 1, 5 do
			local radius = 0.2 * i
			world:newBody { x = 10 * i, y = radius, shape = wing.ball(d, radius), friction = 0.9, linearVelocity = wing.vector(i, 0), angularVelocity = spin(-i / radius) }
		end
		steps(world, 30)
		local rows = slides(world)
		lu.assertEquals(#rows, 5)
		for _, row in ipairs(rows) do
			local ball = row.a:getBody():getType() == "dynamic" and row.a:getBody() or row.b:getBody()
			local v = ball:getLinearVelocity()
			lu.assertAlmostEquals(row.rollSpeed, v, 1e-3 * v)
			lu.assertAlmostEquals(row.slipSpeed, 0, 1e-3 * v)
			lu.assertAlmostEquals(row.force, 0, 0.02 * 10 * ball:getMass())
		end
	end

	-- A ball without rotation slips at v and does not roll; one that spins on the spot slips at w r and does not roll; when friction has done its work, both roll.
	function Slides.test_a_ball_slips_until_it_rolls()
		for _, motion in ipairs { { v = 4, w = 0 }, { v = 0, w = -8 } } do
			local world = floor_world(0, -10, 0.1)
			local ball = world:newBody { y = 0.5, shape = wing.ball(d, 0.5), friction = 0.1, linearVelocity = wing.vector(motion.v, 0), angularVelocity = spin(motion.w) }
			steps(world, 2)
			local row = slides(world)[1]
			-- after two steps friction has changed v by 2 g friction / 60, and slip and rolling by less than four times that
			local change = 4 * 2 * 10 * 0.1 / 60
			lu.assertAlmostEquals(row.slipSpeed, 4, change)
			lu.assertAlmostEquals(row.rollSpeed, 0, change)
			lu.assertAlmostEquals(row.force, 0.1 * 10 * ball:getMass(), 0.01 * ball:getMass())
			steps(world, 300)
			row = slides(world)[1]
			lu.assertAlmostEquals(row.slipSpeed, 0, 1e-3)
			lu.assertAlmostEquals(row.rollSpeed, (ball:getLinearVelocity()), 1e-3)
			lu.assertTrue(row.rollSpeed > 1)
		end
	end

	-- Two equal wheels on fixed axles that turn against each other at w: the contact point moves along both rims at w r.
	function Slides.test_gear_wheels_roll_on_each_other()
		local world = d.newWorld { gravity = wing.vector(0, 0) }
		local shape = flat and d.circle(0.5) or d.sphere(0.5)
		local wheels = {}
		for i = 1, 2 do
			wheels[i] = world:newBody { x = i == 1 and -0.499 or 0.499, shape = shape, friction = 1, angularVelocity = spin(i == 1 and 4 or -4) }
			world:newRevoluteJoint(flat and { bodyB = wheels[i], x = i == 1 and -0.499 or 0.499, y = 0 }
				or { bodyB = wheels[i], x = i == 1 and -0.499 or 0.499, y = 0, z = 0, axis = { 0, 0, 1 } })
		end
		steps(world, 10)
		local row = slides(world)[1]
		lu.assertAlmostEquals(row.rollSpeed, 4 * 0.5, 0.02)
		lu.assertAlmostEquals(row.slipSpeed, 0, 0.02)
	end

	-- On a belt that moves at 2, a crate at rest slips at 2 with the force of friction, and a crate that the belt carries does not slip.
	function Slides.test_slip_is_relative_to_a_moving_surface()
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local belt = { type = "static", y = -1, shape = wing.floor(d), friction = 0.5 }
		belt[flat and "tangentSpeed" or "tangentVelocity"] = flat and 2 or { 2, 0, 0 }
		world:newBody(belt)
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1), friction = 0.5 }
		steps(world, 3)
		local row, v = slides(world)[1], crate:getLinearVelocity()
		lu.assertAlmostEquals(row.slipSpeed, 2 - v, 1e-3)
		lu.assertAlmostEquals(row.force, 0.5 * 10 * crate:getMass(), 0.05 * crate:getMass())
		steps(world, 120)
		lu.assertAlmostEquals((crate:getLinearVelocity()), 2, 1e-3)
		lu.assertEquals(slides(world), {})
	end

	-- A crate that slides over many segments or triangles is one row, with the force of Coulomb's law.
	function Slides.test_the_parts_of_a_collider_are_merged()
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		local shape
		if flat then
			local points = {}
			for i = 40, 0, -1 do points[#points + 1], points[#points + 2] = i * 0.25, 0 end
			shape = d.chain(points)
		else
			local vertices, indices = {}, {}
			for i = 0, 40 do
				for _, z in ipairs { -2, 2 } do
					vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = i * 0.25, 0, z
				end
				if i > 0 then
					local k = 2 * i
					for _, index in ipairs { k - 1, k, k + 1, k, k + 2, k + 1 } do indices[#indices + 1] = index end
				end
			end
			shape = d.mesh(vertices, indices)
		end
		world:newBody { type = "static", shape = shape, friction = 0.5 }
		local crate = world:newBody { x = 1, y = 0.5, shape = wing.cube(d, 1), friction = 0.5, linearVelocity = wing.vector(6, 0) }
		steps(world, 30)
		local rows, m = slides(world), crate:getMass()
		lu.assertEquals(#rows, 1)
		lu.assertAlmostEquals(rows[1].force, 0.5 * m * 10, 0.01 * m * 10)
		local parts = {}
		for _, row in ipairs(contacts(crate)) do
			lu.assertNil(row.partA)
			parts[row.partB] = true
			-- the part, from its number: segments are numbered from right to left, pairs of triangles from left to right
			local cell = flat and 41 - row.partB or math.floor((row.partB + 1) / 2)
			lu.assertTrue(row.x > (cell - 1) * 0.25 - 1 and row.x < cell * 0.25 + 1)
		end
		lu.assertNotNil(next(parts))
	end

	-- Nothing is reported of bodies at rest, asleep, or that touch without load.
	function Slides.test_rest_is_silent()
		local world = floor_world(0, -10, 0.5)
		for i = 1, 20 do world:newBody { x = i, y = 0.5, shape = wing.cube(d, 1), friction = 0.5 } end
		steps(world, 20)
		lu.assertEquals(slides(world), {})
		steps(world, 60)
		lu.assertEquals(slides(world), {})
	end

	-- The energy of a central impact is that of the relative motion: m_a m_b / (m_a + m_b) v^2 / 2; against the ground m v^2 / 2.
	function Slides.test_hit_energy_is_that_of_the_reduced_mass()
		for _, case in ipairs { { 1, 3, 0 }, { 2, 0.5, 0.5 }, { 1, nil, 0 }, { 4, nil, 0.5 } } do
			local world = d.newWorld { gravity = wing.vector(0, 0) }
			local ball = world:newBody { x = -2, shape = wing.ball(d, 0.5), density = case[1], restitution = case[3], linearVelocity = wing.vector(4, 0) }
			local other = world:newBody { type = not case[2] and "static" or nil, x = 2, shape = wing.ball(d, 0.5), density = case[2], restitution = case[3],
				linearVelocity = wing.vector(case[2] and -1 or 0, 0) }
			local found
			for _ = 1, 90 do
				world:step(1 / 60)
				local rows = rows_of(hit_names, world:hits())
				if rows[1] then found = rows[1] end
			end
			local m, speed = ball:getMass(), case[2] and 5 or 4
			if case[2] then m = m * other:getMass() / (m + other:getMass()) end
			lu.assertAlmostEquals(found.speed, speed, 1e-5)
			lu.assertAlmostEquals(found.energy, m * speed ^ 2 / 2, 1e-5 * m * speed ^ 2)
		end
	end

	-- Names of materials, also of a bounce within the step.
	function Slides.test_hits_name_the_materials()
		for _, v in ipairs { 5, 200 } do
			local world = d.newWorld { gravity = wing.vector(0, 0) }
			world:newBody { type = "static", y = -1, shape = wing.floor(d), material = { name = "ice" } }
			world:newBody { y = 2, shape = wing.ball(d, 0.5), material = { name = "rubber" }, restitution = 0.5, linearVelocity = wing.vector(0, -v) }
			world:newBody { x = 5, y = 2, shape = wing.ball(d, 0.5), linearVelocity = wing.vector(0, -v) }
			local names = {}
			for _ = 1, 40 do
				world:step(1 / 60)
				for _, row in ipairs(rows_of(hit_names, world:hits())) do
					local ball_first = row.a:getBody():getType() == "dynamic"
					names[#names + 1] = tostring(row[ball_first and "materialA" or "materialB"]) .. " on " .. tostring(row[ball_first and "materialB" or "materialA"])
				end
			end
			table.sort(names)
			lu.assertEquals(names, { "nil on ice", "rubber on ice" })
		end
	end

	-- A rod hit at its end, at the distance r from its centre of mass, resists there with 1 / (1/m + r^2/I). The ball is so heavy that it counts as immovable. A fast
	-- crate that bounces flat within a step has m v^2 / 2.
	function Slides.test_hit_energy_of_an_eccentric_impact_and_of_a_bounce_within_the_step()
		local world = d.newWorld { gravity = wing.vector(0, 0) }
		local rod = world:newBody { shape = flat and d.box(2, 0.2) or d.box(2, 0.2, 0.2) }
		world:newBody { type = "kinematic", x = 0.8, y = 1, shape = wing.ball(d, 0.25), linearVelocity = wing.vector(0, -3) }
		local found
		for _ = 1, 60 do
			world:step(1 / 60)
			found = found or rows_of(hit_names, world:hits())[1]
		end
		local m = rod:getMass()
		local inertia = m * (2 ^ 2 + 0.2 ^ 2) / 12
		lu.assertAlmostEquals(found.energy, 3 ^ 2 / 2 / (1 / m + 0.8 ^ 2 / inertia), 1e-3 * m)
		world = floor_world(0, 0, 0)
		local crate = world:newBody { y = 3, shape = wing.cube(d, 1), restitution = 0.5, linearVelocity = wing.vector(0, -150) }
		found = nil
		for _ = 1, 3 do
			world:step(1 / 60)
			found = found or rows_of(hit_names, world:hits())[1]
		end
		lu.assertAlmostEquals(found.energy, crate:getMass() * 150 ^ 2 / 2, 1)
	end

	-- A pile of 500 bodies: the contacts of each body and collider are those rows of world:contacts() that name it, with it as a.
	function Slides.test_the_contacts_of_a_body_are_its_rows_of_all_contacts()
		local number = random_numbers(5)
		local world = floor_world(0, -10, 0.5)
		local bodies = {}
		for i = 1, 500 do
			local left = { shape = wing.cube(d, 0.4) }
			bodies[i] = world:newBody { x = i % 25 - 12 + number(0, 0.3), y = 0.5 + math.floor(i / 25), shapes = i % 3 == 0 and { left, { shape = wing.ball(d, 0.45) } } or { left } }
		end
		steps(world, 150)
		local function key(row, turned)
			local sign = turned and -1 or 1
			local text = { tostring(turned and row.b or row.a), tostring(turned and row.a or row.b), tostring(row[turned and "partB" or "partA"]), tostring(row[turned and "partA" or "partB"]) }
			for _, name in ipairs(NORMAL[dim]) do text[#text + 1] = ("%.17g"):format(sign * row[name] + 0) end
			for _, name in ipairs(joined(POINT[dim], { "separation", "impulse", "tangentImpulse" })) do text[#text + 1] = ("%.17g"):format(row[name]) end
			return table.concat(text, " ")
		end
		local expected, all = {}, contacts(world)
		for _, row in ipairs(all) do
			for _, turned in ipairs { false, true } do
				local collider = turned and row.b or row.a
				expected[collider] = expected[collider] or {}
				expected[collider][key(row, turned)] = true
			end
		end
		local count = 0
		for _, body in ipairs(world:getBodies()) do
			local of_body = {}
			for _, collider in ipairs(body:getColliders()) do
				local found = {}
				for _, row in ipairs(contacts(collider)) do found[key(row)], of_body[key(row)] = true, true end
				lu.assertEquals(found, expected[collider] or {})
			end
			local found = {}
			for _, row in ipairs(contacts(body)) do
				found[key(row)] = true
				count = count + 1
				lu.assertEquals(row.a:getBody(), body)
			end
			lu.assertEquals(found, of_body)
		end
		lu.assertEquals(count, 2 * #all)
		lu.assertTrue(#all > 500)
	end

	-- Objects may be destroyed during the loop: contacts that still stand are visited once each.
	function Slides.test_contacts_may_end_during_the_loop()
		local world, floor = floor_world(0, -10, 0.5)
		for i = 1, 30 do world:newBody { x = 2 * i, y = 0.5, shape = wing.cube(d, 1) } end
		steps(world, 10)
		local seen, count = {}, 0
		for _, b in floor:contacts() do
			local body = b:isValid() and b:getBody()
			if body and not seen[body] then
				seen[body], count = true, count + 1
				local x = body:getPosition()
				for _, other in ipairs(world:getBodies()) do
					local at = other:getPosition()
					if other ~= floor and not seen[other] and math.abs(at - x) < 5 then other:destroy() end
				end
			end
		end
		lu.assertTrue(count > 3)
		local left = 0
		for body in pairs(seen) do left = left + (body:isValid() and 1 or 0) end
		lu.assertEquals(left, world:getBodyCount() - 1)
		local body = next(seen)
		lu.assertErrorMsgContains("stepped during a loop", function()
			for _ in floor:contacts() do world:step(1 / 60) end
		end)
		body:destroy()
		lu.assertErrorMsgContains("contacts: body is destroyed", body.contacts, body)
		lu.assertErrorMsgContains("contacts: expected a body", floor.contacts, world)
	end

	-- The friction of a crate at rest on a slope is its weight's part along the slope: m g sin t per second.
	function Slides.test_tangent_impulse_holds_a_crate_on_a_slope()
		local angle = math.rad(20)
		local world = floor_world(10 * math.sin(angle), -10 * math.cos(angle), 0.9, { sleeping = false })
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1), friction = 0.9 }
		steps(world, 120)
		local normal, tangent, m = 0, 0, crate:getMass()
		for _, row in ipairs(contacts(crate)) do normal, tangent = normal + row.impulse, tangent + row.tangentImpulse end
		lu.assertAlmostEquals(normal * 60, m * 10 * math.cos(angle), 1e-3 * m * 10)
		lu.assertAlmostEquals(tangent * 60, m * 10 * math.sin(angle), 1e-3 * m * 10)
	end

	function Slides.test_loops_make_no_garbage()
		local world, floor = floor_world(3, -10, 0.2)
		local colliders = {}
		for i = 1, 20 do
			local body = world:newBody { x = 2 * i, y = 0.5, shape = i % 2 == 0 and wing.ball(d, 0.5) or wing.cube(d, 1), sleepingAllowed = false }
			colliders[i] = body:getColliders()[1]
		end
		local floor_collider, rows = floor:getColliders()[1], 0
		local function count(loop, state, first)
			for _ in loop, state, first do rows = rows + 1 end
		end
		lu.assertEquals(bytes_of(100, function()
			world:step(1 / 60)
			count(world:slides()) count(floor:contacts()) count(floor_collider:contacts()) count(colliders[1]:contacts())
		end), 0)
		lu.assertTrue(rows > 4000)
	end
end
