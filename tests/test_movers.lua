-- Movers: kinematic bodies with a controller. Laws of slopes, steps, seams, platforms, walls and pushes, in both dimensions by one loop.

local unpack = table.unpack or unpack
local lu, support = require "luaunit", require "support"
local collide = require "collide"

local SKIN, DT = 0.01, 1 / 60

-- Upright shapes 1.6 high and 0.8 wide.
local shapes = {
	d2 = {
		capsule = function(d) return d.capsule(0, -0.4, 0, 0.4, 0.4) end,
		box = function(d) return d.box(0.8, 1.6) end,
		rounded = function(d) return d.box(0.8, 1.6, { radius = 0.1 }) end,
		hull = function(d) return d.polygon { -0.4, -0.8, 0.4, -0.8, 0.4, 0.8, 0, 0.9, -0.4, 0.8 } end,
		ellipse = function(d) return d.ellipse(0.4, 0.8) end,
	},
	d3 = {
		capsule = function(d) return d.capsule(0, -0.4, 0, 0, 0.4, 0, 0.4) end,
		box = function(d) return d.box(0.8, 1.6, 0.8) end,
		rounded = function(d) return d.box(0.8, 1.6, 0.8, { radius = 0.1 }) end,
		hull = function(d)
			return d.hull { -0.4, -0.8, -0.4, 0.4, -0.8, -0.4, 0.4, -0.8, 0.4, -0.4, -0.8, 0.4, -0.4, 0.8, -0.4, 0.4, 0.8, -0.4, 0.4, 0.8, 0.4, -0.4, 0.8, 0.4 }
		end,
		ellipse = function(d) return d.ellipsoid(0.4, 0.8, 0.4) end,
		cylinder = function(d) return d.cylinder(0.4, 1.6) end,
	},
}

local function sorted(names)
	local list = {}
	for name in pairs(names) do list[#list + 1] = name end
	table.sort(list)
	return list
end

for dim, wing in pairs(support.wings) do
	local d, flat = collide[dim], dim == "d2"
	local suite = support.suite("TestMovers", dim)
	local v, n = wing.vector, wing.numbers

	local function new_world(options)
		options = options or {}
		options.gravity = options.gravity or v(0, -20)
		return d.newWorld(options)
	end

	-- A box of the plane, 10 m deep in 3D, at an angle.
	local function block(world, x, y, width, height, angle, options)
		options = options or {}
		options.type = options.type or "static"
		options.x, options.y = x, y
		options.shape = flat and d.box(width, height) or d.box(width, height, 10)
		if flat then options.angle = angle or 0 elseif angle then options.axis, options.angle = { 0, 0, 1 }, angle end
		return world:newBody(options)
	end

	local function new_mover(world, x, y, options)
		options = options or {}
		options.x, options.y = x, y
		options.shape = options.shape or shapes[dim].capsule(d)
		return world:newMover(options)
	end

	local function go(mover, dx, dy, dt)
		if flat then return mover:move(dx, dy, dt or DT) end
		return mover:move(dx, dy, 0, dt or DT)
	end

	-- Moves with gravity, as a game does, and steps the world. Returns the position.
	local function walk(world, mover, seconds, speed, before)
		local fall = 0
		for tick = 1, math.floor(seconds / DT + 0.5) do
			if before then before(tick) end
			fall = mover:isGrounded() and 0 or fall - 20 * DT
			go(mover, speed * DT, fall * DT)
			world:step(DT)
		end
		return mover:getPosition()
	end

	-- Heights of the origin over flat ground: half the shape's height and one skin.
	local REST = 0.8 + SKIN

	-- Ground of many pieces with its surface at y = 0, from x - 40 to x + 40.
	local floors = {
		boxes = function(world, x)
			for i = -40, 39 do block(world, x + i + 0.5, -0.5, 1, 1) end
		end,
		half = function(world)
			world:newBody { type = "static", shape = flat and d.halfPlane(0, 1, 0) or d.halfSpace(0, 1, 0, 0) }
		end,
	}
	if flat then
		for name, sides in pairs { chain = true, two_sided = false } do
			floors[name] = function(world, x)
				local points = {}
				for i = 40, -40, -1 do points[#points + 1], points[#points + 2] = i, 0 end
				world:newBody { type = "static", x = x, shape = d.chain(points, { oneSided = sides }) }
			end
		end
	else
		local function grid()
			local vertices, indices = {}, {}
			for i = -40, 40 do
				for k = -2, 2 do
					vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = i, 0, k
				end
			end
			for i = 0, 79 do
				for k = 1, 4 do
					local a = i * 5 + k
					for _, corner in ipairs { a, a + 1, a + 5, a + 1, a + 6, a + 5 } do indices[#indices + 1] = corner end
				end
			end
			return vertices, indices
		end
		for name, sides in pairs { mesh = true, two_sided = false } do
			floors[name] = function(world, x)
				local vertices, indices = grid()
				world:newBody { type = "static", x = x, shape = d.mesh(vertices, indices, { oneSided = sides }) }
			end
		end
		floors.heights = function(world, x)
			local heights = {}
			for i = 1, 81 * 5 do heights[i] = 0 end
			world:newBody { type = "static", x = x, shape = d.heightField { x = -40, z = -2, columns = 81, rows = 5, cellWidth = 1, cellDepth = 1, heights = heights } }
		end
	end

	function suite.test_no_seam_is_felt_at_any_speed_here_or_far_away()
		for _, kind in ipairs(sorted(floors)) do
			for _, name in ipairs(sorted(shapes[dim])) do
				for _, origin in ipairs { 0, 1e5 } do
					for _, speed in ipairs { 1.2, 7, 60, 400 } do
						local world = new_world()
						floors[kind](world, origin)
						local mover = new_mover(world, origin - 30.3, 0.9, { shape = shapes[dim][name](d) })
						local what = table.concat({ kind, name, origin, speed }, " ")
						walk(world, mover, 0.5, 0)
						local x0, rest = mover:getPosition()
						lu.assertAlmostEquals(rest, REST, 0.1 * SKIN, what)
						local ticks = math.min(60, math.floor(60 / (speed * DT)))
						for _ = 1, ticks do
							go(mover, speed * DT, -20 * DT * DT)
							local _, y = mover:getPosition()
							lu.assertAlmostEquals(y, rest, 1e-5, what)
							lu.assertTrue(mover:isGrounded(), what)
						end
						lu.assertAlmostEquals(mover:getPosition() - x0, ticks * speed * DT, 1e-6, what)
					end
				end
			end
		end
	end

	-- Walks up a slope from flat ground. Returns by how much it rose, and how far it went.
	local function climb(angle, name, options)
		local world = new_world()
		block(world, -5, -0.5, 10, 1)
		block(world, 10 * math.cos(angle) + 0.5 * math.sin(angle), 10 * math.sin(angle) - 0.5 * math.cos(angle), 20, 1, angle)
		options = options or {}
		options.shape = shapes[dim][name](d)
		local mover = new_mover(world, -2, 0.9, options)
		walk(world, mover, 0.2, 0)
		local x, y = walk(world, mover, 2, 3)
		return y - REST, x + 2, mover
	end

	function suite.test_slopes_are_climbed_up_to_the_limit_to_a_tenth_of_a_degree()
		for _, name in ipairs(sorted(shapes[dim])) do
			for _, limit in ipairs { 0.3, 0.87, 1.2 } do
				local options = { maxSlopeAngle = limit }
				local rise, way, mover = climb(limit - math.rad(0.1), name, options)
				lu.assertTrue(rise > 3.2 * math.tan(limit), name .. limit)
				lu.assertAlmostEquals(way, 6, 1e-6, name .. limit)
				lu.assertTrue(mover:isGrounded())
				rise = climb(limit + math.rad(0.1), name, options)
				lu.assertTrue(rise < 0.2 * SKIN, name .. limit .. " " .. rise)
			end
		end
	end

	-- On a slope of the ground, a mover neither slides nor is slowed down.
	function suite.test_a_mover_stands_on_slopes_and_walks_down_at_its_speed()
		for _, angle in ipairs { 0.2, 0.8 } do
			local world = new_world()
			block(world, 0, 0, 60, 1, angle)
			local mover = new_mover(world, 0, 3, { snapDistance = 0.3 })
			walk(world, mover, 1, 0)
			local x, y = mover:getPosition()
			walk(world, mover, 2, 0)
			lu.assertAlmostEquals(mover:getPosition(), x, 1e-9)
			lu.assertAlmostEquals(select(2, mover:getPosition()), y, 1e-6)
			local x2, y2 = walk(world, mover, 2, -4, function() lu.assertTrue(mover:isGrounded()) end)
			lu.assertAlmostEquals(x2 - x, -8, 1e-6)
			lu.assertAlmostEquals(y2 - y, -8 * math.tan(angle), 1e-4)
		end
	end

	function suite.test_a_mover_slides_down_what_is_too_steep()
		local world = new_world()
		block(world, 0, 0, 60, 1, 1.1)
		local mover = new_mover(world, 0, 4)
		walk(world, mover, 0.5, 0)
		lu.assertEquals(mover:getGroundState(), "steep")
		local x, y = mover:getPosition()
		local x2, y2 = walk(world, mover, 0.5, 0)
		lu.assertTrue(x2 < x - 0.3 and y2 < y - 0.6)
		lu.assertAlmostEquals((y2 - y) / (x2 - x), math.tan(1.1), 1e-3)
	end

	function suite.test_it_stands_between_steep_slopes()
		local world = new_world()
		block(world, -3, 3, 10, 1, -1.1)
		block(world, 3, 3, 10, 1, 1.1)
		local mover = new_mover(world, 0, 4)
		walk(world, mover, 2, 0)
		lu.assertEquals(mover:getGroundState(), "ground")
	end

	-- A step of the height in front of the mover. Returns how far it rises within 1 s.
	local function step_up(height, name, options)
		local world = new_world()
		block(world, 0, -0.5, 40, 1)
		block(world, 6, height / 2, 10, height)
		options.shape = shapes[dim][name](d)
		local mover = new_mover(world, 0, 0.9, options)
		walk(world, mover, 0.2, 0)
		local x, y = walk(world, mover, 1, 3)
		return y - REST, x, mover
	end

	function suite.test_steps_are_climbed_up_to_the_height_to_a_skin()
		for _, name in ipairs(sorted(shapes[dim])) do
			for _, height in ipairs { 0.3, 0.55 } do
				local rise, x, mover = step_up(height - 0.1 * SKIN, name, { stepHeight = height })
				lu.assertAlmostEquals(rise, height - 0.1 * SKIN, 0.1 * SKIN, name .. height)
				lu.assertAlmostEquals(x, 3, 0.1 * SKIN, name)
				lu.assertTrue(mover:isGrounded())
				rise, x = step_up(height + SKIN, name, { stepHeight = height })
				lu.assertTrue(rise < 0.2 * SKIN and x < (name == "ellipse" and 0.75 or 0.6 + SKIN), name .. " " .. rise .. " " .. x)
			end
		end
	end

	function suite.test_stairs_are_climbed_and_descended_on_the_ground()
		for _, name in ipairs(sorted(shapes[dim])) do
			local world = new_world()
			block(world, 0, -0.5, 60, 1)
			for i = 1, 12 do block(world, 1 + 0.4 * i + 10, 0.125 * i, 20, 0.25 * i) end
			local mover = new_mover(world, -1, 0.9, { stepHeight = 0.3, shape = shapes[dim][name](d) })
			walk(world, mover, 0.2, 0)
			local x, y = walk(world, mover, 2.5, 4, function() lu.assertTrue(mover:isGrounded(), name) end)
			lu.assertAlmostEquals(x, 9, 1e-6, name)
			lu.assertAlmostEquals(y, 3 + REST, 0.1 * SKIN, name)
			x, y = walk(world, mover, 2.5, -4, function() lu.assertTrue(mover:isGrounded(), name) end)
			lu.assertAlmostEquals(x, -1, 1e-6, name)
			lu.assertAlmostEquals(y, REST, 0.1 * SKIN, name)
		end
	end

	function suite.test_walls_and_ceilings_stop_it_without_jitter()
		for _, name in ipairs(sorted(shapes[dim])) do
			local world = new_world()
			block(world, 0, -0.5, 40, 1)
			block(world, 3, 2, 1, 6)
			block(world, 0, 3.5, 40, 1)
			local mover = new_mover(world, 0, 0.9, { shape = shapes[dim][name](d) })
			walk(world, mover, 1.5, 4)
			local x, y = mover:getPosition()
			lu.assertAlmostEquals(x, 2.1 - SKIN, 0.3 * SKIN, name)
			for _ = 1, 30 do
				walk(world, mover, DT, 4)
				lu.assertAlmostEquals(mover:getPosition(), x, 0.1 * SKIN, name)
				lu.assertAlmostEquals(select(2, mover:getPosition()), y, 1e-5, name)
			end
			for _ = 1, 60 do go(mover, 0, 0.2) end
			local top = name == "hull" and flat and 0.9 or 0.8
			lu.assertAlmostEquals(select(2, mover:getPosition()), 3 - top - SKIN, 0.3 * SKIN, name)
			lu.assertEquals(mover:getGroundState(), "air")
			lu.assertFalse(mover:isCrushed())
		end
	end

	-- Of a mover without steps or snaps: what a ledge is.
	function suite.test_a_fall_past_a_ledge_and_a_low_jump()
		local world = new_world()
		block(world, 0, -0.5, 8, 1)
		local mover = new_mover(world, 0, 0.9)
		walk(world, mover, 2, 4)
		lu.assertEquals(mover:getGroundState(), "air")
		lu.assertNil(mover:getGround())
		mover:setPosition(n(0, 0.9))
		walk(world, mover, 0.2, 0)
		lu.assertTrue(mover:isGrounded())
		go(mover, 0, 0.05)
		lu.assertFalse(mover:isGrounded())
		local _, vy = mover:getVelocity()
		lu.assertAlmostEquals(vy, 3, 1e-9)
	end

	-- 60 s at 5 m from the axis of a platform that turns at 0.5 rad/s.
	function suite.test_it_rides_a_turning_platform()
		local world = new_world()
		local platform
		if flat then
			platform = world:newBody { type = "kinematic", shape = d.box(12, 1), angularVelocity = 0.02 }
		else
			platform = world:newBody { type = "kinematic", shape = d.box(12, 1, 12), angularVelocity = { 0, 0.5, 0 } }
		end
		local mover = new_mover(world, flat and 3 or 5, 1.4)
		walk(world, mover, 0.3, 0)
		go(mover, 0, 0)
		local from = { platform:getLocalPoint(mover:getPosition()) }
		world:step(DT)
		for _ = 1, 3600 do
			go(mover, 0, 0)
			local at = { platform:getLocalPoint(mover:getPosition()) }
			for k = 1, flat and 2 or 3 do lu.assertAlmostEquals(at[k], from[k], flat and 2 or 0.1 * SKIN) end
			lu.assertTrue(mover:isGrounded())
			if flat and math.abs(platform:getAngle()) > 0.8 then break end
			world:step(DT)
		end
		if not flat then lu.assertAlmostEquals(math.sqrt(from[1] ^ 2 + from[3] ^ 2), 5, 0.5) end
	end

	-- After each step the mover is on its ground, whichever of them is moved first: on lifts, sideways, and on what turns. Between two steps, too.
	function suite.test_after_each_step_it_is_on_its_ground()
		for _, motion in ipairs { { 0, 6, 0 }, { 0, -6, 0 }, { 5, 0, 0 }, { -3, 4, 0 }, { 0, 0, 0.5 } } do
			for _, first in ipairs { true, false } do
				local world = new_world()
				local platform = block(world, 0, -0.5, 12, 1, nil, { type = "kinematic" })
				local mover = new_mover(world, 3, REST)
				walk(world, mover, 0.2, 0)
				local from = { platform:getLocalPoint(mover:getPosition()) }
				local function drive(on)
					platform:setLinearVelocity(n(on * motion[1], on * motion[2]))
					if flat then platform:setAngularVelocity(on * motion[3]) else platform:setAngularVelocity(0, on * motion[3], 0) end
				end
				local function check(x, y, z)
					local at = flat and { platform:closestPoint(x, y - 0.4) } or { platform:closestPoint(x, y - 0.4, z) }
					lu.assertAlmostEquals(at[flat and 4 or 5], 0.4 + SKIN, 0.3 * SKIN)
				end
				for tick = 1, 60 do
					local on = tick > 5 and tick <= 50 and 1 or 0
					if first then drive(on) end
					go(mover, 0, 0)
					if not first then drive(on) end
					world:step(DT)
					check(mover:getPosition())
					if not flat or motion[3] == 0 then
						local at = { platform:getLocalPoint(mover:getPosition()) }
						for k = 1, #at do lu.assertAlmostEquals(at[k], from[k], k == 2 and 0.3 * SKIN or 1e-5) end
					end
				end
				drive(1)
				for _ = 1, 3 do
					go(mover, 0, 0)
					world:step(DT)
				end
				go(mover, 0, 0)
				lu.assertEquals(world:advance(1.5 * DT), 1)
				local mx, my = mover:getBody():getRenderPosition()
				local px, py = platform:getRenderPosition()
				if motion[3] == 0 then
					lu.assertAlmostEquals(mx - px, 3, 1e-5)
					lu.assertAlmostEquals(my - py, 0.5 + REST, 0.3 * SKIN)
				end
			end
		end
	end

	-- A heavy wheel that turns under a mover, kinematic or dynamic, takes it along its surface, neither into it nor off it, up to the steepest ground.
	function suite.test_it_rides_a_turning_wheel()
		for _, type in ipairs { "kinematic", "dynamic" } do
			for _, rate in ipairs { 0.5, 2, -5 } do
				local world = new_world()
				local wheel = world:newBody { type = type, density = 1000, shape = flat and d.circle(1) or d.cylinder(1, 4), axis = not flat and { 1, 0, 0 } or nil, angle = not flat and math.pi / 2 or nil }
				if type == "dynamic" then world:newRevoluteJoint { bodyB = wheel, x = 0, y = 0, z = not flat and 0 or nil, axis = not flat and { 0, 0, 1 } or nil } end
				local mover = new_mover(world, 0, 1 + REST)
				walk(world, mover, 0.1, 0)
				if flat then wheel:setAngularVelocity(rate) else wheel:setAngularVelocity(0, 0, rate) end
				local last
				for _ = 1, 600 do
					local _, before = mover:getPosition()
					go(mover, 0, 0)
					if not mover:isGrounded() then break end
					world:step(DT)
					local x, y = mover:getPosition()
					last = math.atan2 and math.atan2(-x, y - 0.4) or math.atan(-x, y - 0.4)
					lu.assertAlmostEquals(math.sqrt(x ^ 2 + (y - 0.4) ^ 2), 1.4 + SKIN, 0.5 * SKIN)
					local spin = flat and wheel:getAngularVelocity() or select(3, wheel:getAngularVelocity())
					if type == "dynamic" then
						local energy = wheel:getMass() / 4 * (spin ^ 2 - rate ^ 2) + 70 / 2 * ((y - before) / DT) ^ 2
						local work = 70 * 20 * (1.4 + SKIN) * (1 - math.cos(last)) -- of its weight, as it goes down
						lu.assertAlmostEquals(energy, work, 0.05 * work + 0.005 * wheel:getMass() * rate ^ 2)
					end
				end
				lu.assertTrue(math.abs(last) > (math.abs(rate) > 1 and 0.8 or 0.3), last)
			end
		end
	end

	-- A mover on a body that falls, slides or is thrown adds its inertia to it, not only its weight: neither gets faster than the two would without friction.
	function suite.test_it_speeds_up_no_ground()
		for _, mass in ipairs { 10, 70, 1000 } do
			local world = new_world()
			local floor = block(world, 0, -0.25, 2, 0.5)
			local crate = block(world, 0, 0.2, 1, 0.4, nil, { type = "dynamic", mass = mass })
			local mover = new_mover(world, 0, 0.4 + REST)
			walk(world, mover, 0.5, 0)
			floor:destroy()
			walk(world, mover, 0.5, 0)
			local _, fall = crate:getLinearVelocity()
			-- one step passes before the mover knows that nothing bears it
			lu.assertTrue(fall < -9.9 and fall > -10 - 20 * DT * (70 / mass) - 0.5, ("%g kg: %g"):format(mass, fall))
			world:destroy()

			world = new_world()
			block(world, 0, -0.5, 40, 1)
			local plate = block(world, 0, 0.1, 3, 0.2, nil, { type = "dynamic", mass = mass })
			mover = new_mover(world, 0, 0.2 + REST)
			walk(world, mover, 0.5, 0)
			plate:setLinearVelocity(n(0, 15))
			for _ = 1, 60 do
				local _, y = mover:getPosition()
				walk(world, mover, DT, 0)
				lu.assertTrue(select(2, mover:getPosition()) - y < 15 * DT, mass)
				lu.assertTrue(select(2, plate:getLinearVelocity()) < 15, mass)
			end
		end
	end

	-- Along its slope a walker goes over hills of any curvature, and stays on the ground but for the ticks at a seam.
	function suite.test_moves_along_the_slope_stay_on_the_ground()
		for _, radius in ipairs { 20, 100 } do
			for _, speed in ipairs { 3, 6 } do
				local world = new_world()
				world:newBody { type = "static", y = -radius, shape = wing.ball(d, radius) }
				local mover = new_mover(world, -0.2 * radius, 0.1 - radius * (1 - math.cos(0.2)) + REST, { stepHeight = 0.2 })
				walk(world, mover, 0.3, 0)
				local air, ticks = 0, math.floor(0.2 * radius / speed / DT)
				for _ = 1, ticks do
					local vx, vy = speed, 0
					if mover:isGrounded() then
						local ground = { mover:getGround() }
						local nx, ny = ground[flat and 4 or 5], ground[flat and 5 or 6]
						vx, vy = speed * ny, -speed * nx
					else
						air, vy = air + 1, -0.5
					end
					go(mover, vx * DT, vy * DT)
					world:step(DT)
				end
				lu.assertTrue(air <= 0.1 * ticks, ("%g: %d of %d"):format(radius, air, ticks))
			end
		end
	end

	-- A mover that becomes a dynamic body in the middle of a ride has the velocity that it is given, and no more of the ride.
	function suite.test_a_rider_that_becomes_dynamic_is_free()
		local world = new_world()
		local train = block(world, 0, -0.5, 12, 1, nil, { type = "kinematic", linearVelocity = v(5, 0) })
		local mover = new_mover(world, 0, REST)
		for _ = 1, 10 do
			go(mover, 0, 0)
			world:step(DT)
		end
		local body = mover:getBody()
		body:setType "dynamic"
		body:setLinearVelocity(n(3, 10))
		world:step(DT)
		local vx, vy = body:getLinearVelocity()
		lu.assertAlmostEquals(vx, 3, 0.01)
		lu.assertAlmostEquals(vy, 10 - 20 * DT, 0.01)
		lu.assertTrue(train:isValid())
	end

	-- Movers that stand on each other on a lift or train, whichever was made first, keep their places; two that are each other's ground do not push each other on.
	function suite.test_stacks_of_movers()
		for _, motion in ipairs { { 0, 2 }, { 3, 0 }, { 0, -2 } } do
			for _, upwards in ipairs { true, false } do
				local world = new_world()
				local lift = block(world, 0, -0.5, 6, 1, nil, { type = "kinematic" })
				local stack = {}
				for i = upwards and 1 or 3, upwards and 3 or 1, upwards and 1 or -1 do stack[i] = new_mover(world, 0, REST + (i - 1) * (1.6 + SKIN)) end
				lift:setLinearVelocity(n(motion[1], motion[2]))
				for _ = 1, 60 do
					for i = 1, 3 do go(stack[i], 0, 0) end
					world:step(DT)
					local x, y = lift:getPosition()
					for i = 1, 3 do
						local mx, my = stack[i]:getPosition()
						lu.assertAlmostEquals(mx, x, 1e-4)
						lu.assertAlmostEquals(my - y, 0.5 + REST + (i - 1) * (1.6 + SKIN), SKIN)
					end
				end
			end
		end
		local world = d.newWorld { gravity = v(0, 0) }
		local one, two = new_mover(world, 0, 0, { up = v(0, 1) }), new_mover(world, 0, -1.6 - SKIN, { up = v(0, -1) })
		for _ = 1, 5 do
			go(one, 0, 0)
			go(two, 0, 0)
			world:step(DT)
		end
		go(one, 0.1, 0)
		for _ = 1, 60 do world:step(DT) end
		lu.assertTrue(one:getPosition() < 0.3)
		lu.assertTrue(two:getPosition() < 0.3)
	end

	-- Steps of different lengths: a crate on the head of a mover on a lift gets the lift's speed, 2. Where the lift turns down, the crate falls behind it, and
	-- meets it again at 6, and two steps of gravity.
	function suite.test_a_crate_on_its_head_goes_with_the_lift_at_any_rate()
		for _, times in ipairs { { 1 / 60 }, { 1 / 30, 1 / 240 }, { 1 / 60, 1e-6 }, { 1 / 20, 1 / 1000 } } do
			local world = new_world()
			local lift = block(world, 0, -0.5, 6, 1, nil, { type = "kinematic" })
			local mover = new_mover(world, 0, REST)
			local crate = block(world, 0, 1.6 + SKIN + 0.2, 0.5, 0.4, nil, { type = "dynamic", mass = 5, linearVelocity = v(0, 0) })
			local most = 0
			for tick = 1, 240 do
				local dt = times[tick % #times + 1]
				lift:setLinearVelocity(n(0, tick > 20 and tick % 120 < 60 and 2 or tick > 20 and -2 or 0))
				if flat then mover:move(0, 0, dt) else mover:move(0, 0, 0, dt) end
				world:step(dt)
				most = math.max(most, math.abs((select(2, crate:getLinearVelocity()))))
			end
			lu.assertTrue(most > 1.9 and most < 6 + 2 * 20 * times[1], ("%g, %g: %g"):format(times[1], times[2] or 0, most))
		end
	end

	-- An edge that a mover passes on its way up is no ground, whatever the direction of the jump: a script that sets the fall to 0 on the ground cuts no jump.
	function suite.test_a_jump_past_an_edge_is_not_cut()
		for _, rate in ipairs { 60, 240 } do
			for i = 0, 23 do
				for k, ahead in ipairs { 0.5, 4, 6, 8 } do
					local height, radius = 0.2 + 0.05 * i, k > 2 and 0.05 or 0
					local world = new_world()
					block(world, 0, -0.5, 40, 1)
					world:newBody { type = "static", x = 10, y = height / 2, shape = flat and d.box(18.59, height, { radius = radius }) or d.box(18.59, height, 10, { radius = radius }) } -- 0.3 m from the mover
					local mover = new_mover(world, 0, REST, { stepHeight = 0.15 })
					local rise, most = 7, 0
					for tick = 1, rate do
						if tick > 1 then
							if mover:isGrounded() then rise = 0 else rise = rise - 20 / rate end
						end
						if flat then mover:move(ahead / rate, rise / rate, 1 / rate) else mover:move(ahead / rate, rise / rate, 0, 1 / rate) end
						world:step(1 / rate)
						most = math.max(most, (select(2, mover:getPosition())))
					end
					-- the way up by the sum of the steps, 7^2 / 40 and half a step's way
					lu.assertTrue(most > REST + 49 / 40 - 0.05, ("%g m ahead at %g m/s, at %d Hz: %g"):format(height, ahead, rate, most))
				end
			end
		end
	end

	function suite.test_it_rides_lifts_and_is_stopped_by_walls_on_the_way()
		for _, speed in ipairs { -3, 3 } do
			local world = new_world()
			local lift = block(world, 0, 0, 4, 1, nil, { type = "kinematic" })
			local mover = new_mover(world, 0, 1.35)
			walk(world, mover, 0.3, 0)
			lift:setLinearVelocity(n(1, speed))
			for _ = 1, 60 do
				world:step(DT)
				go(mover, 0, 0)
				lu.assertTrue(mover:isGrounded())
			end
			local x, y = mover:getPosition()
			lu.assertAlmostEquals(x, 1, 1e-4)
			lu.assertAlmostEquals(y, 0.5 + REST + speed, 0.2 * SKIN)
			local _, _, _, _, _, _, vx, vy = mover:getGround()
			if flat then lu.assertAlmostEquals(select(6, mover:getGround()), 1, 1e-6) end
			block(world, x + 1, y, 0.4, 6)
			for _ = 1, 60 do
				world:step(DT)
				go(mover, 0, 0)
			end
			lu.assertAlmostEquals(mover:getPosition(), x + 0.4 - SKIN, 0.3 * SKIN)
			lu.assertFalse(mover:isCrushed())
		end
	end

	function suite.test_closing_walls_push_it_and_crush_it()
		local world = new_world()
		block(world, 0, -0.5, 40, 1)
		block(world, -3, 2, 1, 6)
		local wall = block(world, 3, 2, 1, 6, nil, { type = "kinematic" })
		wall:setLinearVelocity(n(-2, 0))
		local mover = new_mover(world, 1, 0.9)
		local crushed
		for tick = 1, 180 do
			go(mover, 0, -0.01)
			local x = mover:getPosition()
			local free = wall:getPosition() - 0.5 - -2.5
			if mover:isCrushed() then
				crushed = crushed or free
			else
				lu.assertTrue(x > -2.1 and x < wall:getPosition() - 0.9, x)
			end
			if free < 0.5 then break end
			world:step(DT)
		end
		lu.assertTrue(crushed and crushed < 0.8 and crushed > 0.8 - 2 * 2 * DT, crushed)
	end

	-- Several moves in a step push as one: what they push is never faster than they are.
	function suite.test_moves_of_one_step_push_together()
		for _, moves in ipairs { 1, 2, 5, 20 } do
			local world = new_world()
			block(world, 0, -0.5, 200, 1, nil, { friction = 0 })
			local crate = world:newBody { x = 2, y = 0.5, shape = wing.cube(d, 1), friction = 0, mass = 20, locks = flat and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true } }
			local mover = new_mover(world, 1, 0.9, { shape = shapes[dim].box(d) })
			local fastest = 0
			for _ = 1, 90 do
				for _ = 1, moves do go(mover, 0.6 * DT / moves, 0, DT / moves) end
				world:step(DT)
				fastest = math.max(fastest, (crate:getLinearVelocity()))
			end
			lu.assertTrue(fastest > 0.5 and fastest < 0.6 * 1.001, fastest)
			world:destroy()
		end
	end

	-- However far the wall comes in a step, up to the mover's length: with free space behind, it is never crushed.
	function suite.test_fast_walls_push_it_ahead()
		for _, speed in ipairs { 1, 3, 5, 12, 20, 40 } do
			for _, walk in ipairs { -2, 0, 2 } do
				local world = new_world()
				block(world, 0, -0.5, 400, 1)
				local wall = block(world, -2, 2, 1, 6, nil, { type = "kinematic" })
				wall:setLinearVelocity(n(speed, 0))
				local mover = new_mover(world, 0, 0.9)
				for _ = 1, 120 do
					go(mover, walk * DT, -0.01)
					lu.assertFalse(mover:isCrushed())
					world:step(DT)
				end
				go(mover, 0, -0.01)
				local gap = mover:getPosition() - (wall:getPosition() + 0.5)
				lu.assertTrue(gap > 0.4 + 0.7 * SKIN, gap)
				world:destroy()
			end
		end
	end

	-- A force F on ice gives a crate F t / m, up to the mover's speed.
	function suite.test_it_pushes_bodies_by_their_mass_and_its_force()
		for _, mass in ipairs { 20, 200 } do
			local world = new_world()
			block(world, 0, -0.5, 200, 1, nil, { friction = 0 })
			local crate = world:newBody { x = 2, y = 0.5, shape = wing.cube(d, 1), friction = 0, mass = mass, locks = flat and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true } }
			local mover = new_mover(world, 0, 0.9, { maxForce = 100, shape = shapes[dim].box(d) })
			walk(world, mover, 0.3, 0)
			local before
			for tick = 1, 90 do
				walk(world, mover, DT, 3)
				local speed = crate:getLinearVelocity()
				if before and speed > before + 1e-6 then lu.assertTrue(speed - before < 100 / mass * DT * 1.02 + 1e-6) end
				before = speed
			end
			if mass == 20 then
				lu.assertAlmostEquals(before, 3, 0.05)
			else
				lu.assertTrue(before > 0.2 and before < 0.75, before)
			end
		end
	end

	function suite.test_a_body_too_rough_for_the_force_stays()
		local world = new_world()
		block(world, 0, -0.5, 200, 1)
		local crate = world:newBody { x = 2, y = 0.5, shape = wing.cube(d, 1), friction = 0.6, mass = 50 }
		local mover = new_mover(world, 0, 0.9, { maxForce = 100, shape = shapes[dim].box(d) })
		local x = walk(world, mover, 2, 3)
		lu.assertAlmostEquals(crate:getPosition(), 2, 0.02)
		lu.assertAlmostEquals(x, 1.1 - SKIN, SKIN)
	end

	-- Below the limit of friction a crate that is pushed for 8 s does not creep; above it, it goes at the speed of the mover.
	function suite.test_friction_holds_a_crate_up_to_its_limit()
		for _, part in ipairs { 0.5, 0.95, 1.1 } do
			for _, name in ipairs { "box", "capsule" } do
				local world = new_world { gravity = v(0, -10) }
				block(world, 0, -0.5, 200, 1)
				local crate = world:newBody { x = 2, y = 0.5, shape = wing.cube(d, 1), friction = 0.6, mass = 20, locks = flat and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true } }
				local mover = new_mover(world, 0, name == "box" and 0.9 or 0.95, { maxForce = part * 0.6 * 20 * 10, shape = shapes[dim][name](d) })
				local x = walk(world, mover, 2, 4)
				local from = crate:getPosition()
				walk(world, mover, 8, 4)
				if part < 1 then
					lu.assertAlmostEquals(crate:getPosition(), from, 1e-4)
					lu.assertAlmostEquals(mover:getPosition(), x, 1e-4)
				else
					lu.assertTrue(crate:getPosition() > from + 20)
				end
			end
		end
	end

	-- A step up pushes a body only by what the mover's force allows: without force, a body of any mass stays where it is.
	function suite.test_steps_up_do_not_kick_what_they_climb()
		for _, mass in ipairs { 4, 54, 5000 } do
			for _, size in ipairs { 0.3, 3 } do
				for _, speed in ipairs { 2, 4, 6, 10 } do
					local world = new_world()
					block(world, 0, -0.5, 200, 1)
					local step = world:newBody { x = 2, y = 0.14, shape = flat and d.box(size, 0.28) or d.box(size, 0.28, 3), mass = mass }
					local mover = new_mover(world, 0, REST, { stepHeight = 0.3, mass = 0, maxForce = 0 })
					walk(world, mover, 0.3, 0)
					local before, climbed = mover:getPosition(), false
					for _ = 1, math.floor(4 / speed / DT) do
						local x, y = walk(world, mover, DT, speed)
						lu.assertTrue(x - before <= speed * DT + 1e-6, x - before)
						lu.assertTrue(y < REST + 0.28 + SKIN, y)
						before, climbed = x, climbed or y > REST + 0.27
						local vx, vy = step:getLinearVelocity()
						lu.assertTrue(math.abs(vx) + math.abs(vy) < 1e-2, vx)
					end
					lu.assertTrue(climbed)
					lu.assertAlmostEquals(step:getPosition(), 2, 1e-3)
				end
			end
		end
	end

	-- A crate on its head, of any mass, neither holds it back on a lift nor stores speed.
	function suite.test_what_lies_on_its_head()
		for _, mass in ipairs { 1, 500, 1e4 } do
			for _, speed in ipairs { 0, 0.5, 2 } do
				local world = new_world()
				local lift = block(world, 0, 0, 6, 1, nil, { type = "kinematic" })
				local mover = new_mover(world, 0, 0.5 + REST, { shape = shapes[dim].box(d) })
				local crate = world:newBody { y = 0.5 + REST + 0.8 + 0.31, shape = wing.cube(d, 0.6), mass = mass }
				walk(world, mover, 0.5, 0)
				lift:setLinearVelocity(n(0, speed))
				for _ = 1, 120 do
					walk(world, mover, DT, 0)
					local _, y = mover:getPosition()
					local _, floor = lift:getPosition()
					lu.assertTrue(math.abs(y - floor - 0.5 - REST) < SKIN + 1.5 * speed * DT, y - floor)
					lu.assertTrue(mover:isGrounded())
					lu.assertFalse(mover:isCrushed())
				end
				local _, before = crate:getLinearVelocity()
				lu.assertAlmostEquals(before, speed, 0.3)
				mover:destroy()
				world:step(DT)
				local _, after = crate:getLinearVelocity()
				lu.assertAlmostEquals(after, before - 20 * DT, 0.01)
			end
		end
	end

	-- A body welded to a walking mover has its speed, and keeps it when the mover lets go.
	function suite.test_joints_to_it_see_its_motion()
		local world = d.newWorld { gravity = v(0, 0) }
		local mover = new_mover(world, 0, 0, { up = v(0, 1) })
		local load = world:newBody { x = 1, shape = wing.ball(d, 0.2), mass = 5 }
		local joint = world:newWeldJoint { bodyA = mover:getBody(), bodyB = load, x = 0.5, y = 0, z = not flat and 0 or nil }
		for _ = 1, 30 do
			go(mover, 6 * DT, 0)
			world:step(DT)
			lu.assertAlmostEquals(load:getPosition() - mover:getPosition(), 1, SKIN)
			lu.assertAlmostEquals(load:getLinearVelocity(), 6, 0.01)
		end
		joint:destroy()
		mover:destroy()
		local x = load:getPosition()
		for _ = 1, 60 do world:step(DT) end
		lu.assertAlmostEquals(load:getPosition() - x, 6, 0.02)
	end

	-- A step of no time takes nothing of the motion: the next one reports the sensor that the mover has passed.
	function suite.test_a_step_of_no_time_loses_no_motion()
		local world = new_world()
		world:newBody { type = "static", x = 2, sensor = true, shape = flat and d.box(0.01, 4) or d.box(0.01, 4, 4), name = "gate" }
		local mover, begins = new_mover(world, 0, 0), 0
		world:step(DT)
		go(mover, 4, 0)
		for _, dt in ipairs { 0, DT } do
			world:step(dt)
			for _ in world:beginOverlaps() do begins = begins + 1 end
		end
		lu.assertEquals(begins, 1)
	end

	-- On a wheel that turns, the mover goes with the surface, w r, wherever its origin is.
	function suite.test_turning_ground_carries_it_at_its_feet()
		for _, rate in ipairs { 0.5, -2 } do
			local world = new_world()
			local wheel = world:newBody { type = "kinematic", shape = flat and d.circle(2) or d.cylinder(2, 4), angularVelocity = flat and rate or nil, axis = not flat and { 1, 0, 0 } or nil, angle = not flat and math.pi / 2 or nil }
			if not flat then wheel:setAngularVelocity(0, 0, rate) end
			local mover = new_mover(world, 0, 2 + REST)
			go(mover, 0, 0)
			world:step(DT)
			local from = mover:getPosition()
			for _ = 1, 3 do
				go(mover, 0, 0)
				world:step(DT)
			end
			lu.assertAlmostEquals((mover:getPosition() - from) / (3 * DT), -rate * 2, 0.02 * math.abs(rate))
			lu.assertTrue(mover:isGrounded())
		end
	end

	-- A ball of mass M and speed v that hits a mover of mass m shares its momentum: both go on at M v / (M + m).
	function suite.test_bodies_that_hit_it_push_it_by_their_mass()
		for _, mass in ipairs { 1, 70, 1000 } do
			local world = d.newWorld { gravity = v(0, 0) }
			local ball = world:newBody { x = -3, shape = wing.ball(d, 0.5), mass = mass, linearVelocity = v(6, 0), friction = 0 }
			local mover = new_mover(world, 0, 0, { maxForce = 0, up = v(0, 1) })
			local hit
			for _ = 1, 60 do
				go(mover, 0, 0)
				local before, pushed = ball:getLinearVelocity(), mover:getVelocity()
				if pushed > 0 and not hit then
					lu.assertAlmostEquals(mass * before + 70 * pushed, 6 * mass, 0.01 * mass)
					lu.assertTrue(pushed > 0.7 * 6 * mass / (mass + 70) and pushed < 6 * mass / (mass + 70) + 0.01, pushed)
					hit = true
				end
				world:step(DT)
			end
			lu.assertTrue(hit)
			if mass >= 70 then lu.assertAlmostEquals(ball:getLinearVelocity(), 6 * mass / (mass + 70), 0.01 * 6 * mass / (mass + 70)) end
		end
	end

	-- A box that hits it with a whole side pushes it as a ball does, also against its wish; before a wall it stops both; and a mover is no faster than what pushes it.
	function suite.test_it_goes_on_with_a_heavy_body()
		for _, walk_speed in ipairs { 0, -3 } do
			local world = d.newWorld { gravity = v(0, 0) }
			local crate = world:newBody { x = -3, shape = wing.cube(d, 1.6), mass = 2000, linearVelocity = v(8, 0), friction = 0 }
			local mover = new_mover(world, 0, 0, { up = v(0, 1) })
			block(world, 12, 0, 1, 6, nil, { type = "static" })
			local fastest, met = 0, 0
			for _ = 1, 112 do
				go(mover, walk_speed * DT, 0)
				world:step(DT)
				local x, at = crate:getPosition(), mover:getPosition()
				fastest = math.max(fastest, (mover:getVelocity()))
				if at < 10 and x > 0 then
					met = met + 1
					lu.assertTrue(crate:getLinearVelocity() > 0.9 * 8 * 2000 / 2070, crate:getLinearVelocity())
				end
				lu.assertTrue(at < 11.5 - 0.3 + 1e-3 and x < at - 0.8, at - x)
			end
			lu.assertTrue(fastest < 8 and fastest > 7.5, fastest)
			lu.assertTrue(met > 40, met)
			lu.assertTrue(math.abs((crate:getLinearVelocity())) < 0.5)
		end
	end

	-- A belt carries it at its speed, on any kind of ground, to a wall, and no farther than its end.
	function suite.test_belts_carry_it()
		local belt = { tangentSpeed = flat and 2 or nil, tangentVelocity = not flat and { 2, 0, 0 } or nil }
		local function with(options)
			for key, value in pairs(belt) do options[key] = value end
			return options
		end
		local grounds = {
			function(world) block(world, 0, -0.5, 20, 1, nil, with {}) end,
			function(world) block(world, 0, -0.5, 20, 1, nil, with { type = "kinematic", linearVelocity = v(1, 0) }) return 1 end,
			function(world)
				if flat then
					world:newBody { type = "static", shape = d.chain({ 10, 0, 0, 0, -10, 0 }, { materials = { belt }, segmentMaterials = { 1, 1 } }) }
				else
					world:newBody { type = "static", shape = d.mesh({ -10, 0, -10, -10, 0, 10, 10, 0, 10, 10, 0, -10 }, { 1, 2, 3, 1, 3, 4 }, { materials = { belt }, triangleMaterials = { 1, 1 } }) }
				end
			end,
			function(world)
				local kinds = { { name = "belt", material = belt } }
				if flat then
					world:newBody { type = "static", x = -10, y = -1 }:newTiles { columns = 20, rows = 1, kinds = kinds }:fillCells(1, 1, 20, 1, 1)
				else
					world:newBody { type = "static", x = -10, y = -1, z = -3 }:newVoxels { kinds = kinds }:fillCells(0, 0, 0, 19, 0, 5, 1)
				end
			end,
		}
		for number, ground in ipairs(grounds) do
			local world = new_world()
			local own = ground(world) or 0
			local mover = new_mover(world, -6, REST)
			walk(world, mover, 0.5, 0)
			local x = mover:getPosition()
			walk(world, mover, 2, 0)
			lu.assertAlmostEquals(mover:getPosition() - x, 2 * (2 + own), SKIN, number)
			lu.assertTrue(mover:isGrounded())
			lu.assertAlmostEquals((mover:getVelocity()), 0, 1e-3)
			walk(world, mover, 1, -2)
			lu.assertAlmostEquals(mover:getPosition() - x, 2 * (2 + own) + own, 2 * SKIN, number)
			local wall = block(world, mover:getPosition() + 2, 0, 1, 9, nil, { type = "static" })
			walk(world, mover, 2, 0)
			lu.assertTrue(mover:getPosition() < wall:getPosition() - 0.5 and not mover:isCrushed())
		end
		local world = new_world()
		block(world, 0, -0.5, 4, 1, nil, with {})
		local mover = new_mover(world, 0, REST)
		for _ = 1, 20 do
			go(mover, 0, -0.05)
			world:step(DT)
		end
		for _ = 1, 120 do world:step(DT) end -- no move says that there still is ground
		lu.assertTrue(mover:getPosition() < 1)
	end

	function suite.test_its_weight_presses_what_it_stands_on()
		local world = d.newWorld { gravity = v(0, -10) }
		local raft = world:newBody { y = 0, shape = flat and d.box(4, 0.5) or d.box(4, 0.5, 4), mass = 30, gravityScale = 0, locks = flat and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true } }
		local mover = new_mover(world, 0, 0.25 + REST, { mass = 60 })
		for _ = 1, 2 do -- the first shows how the raft moves by itself
			go(mover, 0, 0)
			world:step(DT)
		end
		local _, vy = raft:getLinearVelocity()
		lu.assertAlmostEquals(vy, -60 * 10 / (30 + 60) * DT, 1e-4)
	end

	-- A crate that falls under it, however light, falls as without it.
	function suite.test_it_does_not_push_what_falls()
		for _, mass in ipairs { 1, 70, 500 } do
			for _, rate in ipairs { 30, 240 } do
				local world = d.newWorld { gravity = v(0, -20) }
				local mover = new_mover(world, 0, REST)
				local crate = world:newBody { y = -0.5, shape = flat and d.box(2, 1) or d.box(2, 1, 2), mass = mass }
				local fall = 0
				for _ = 1, rate do
					fall = mover:isGrounded() and 0 or fall - 20 / rate
					if flat then mover:move(0, fall / rate, 1 / rate) else mover:move(0, fall / rate, 0, 1 / rate) end
					world:step(1 / rate)
				end
				local _, vy = crate:getLinearVelocity()
				lu.assertAlmostEquals(vy, -20, 20 / rate + 0.1, mass .. " " .. rate) -- it wants the speed that the crate has after the step
			end
		end
	end

	-- Floors of one-sided surfaces and cells, too, with their front or solid side up.
	local function floor_kinds()
		local kinds = {}
		for kind, make in pairs(floors) do kinds[kind] = make end
		kinds[flat and "tiles" or "voxels"] = function(world, x)
			local body = world:newBody { type = "static", x = x }
			if flat then
				body:newTiles({ columns = 80, rows = 3, x = -40, y = -3, kinds = { {} } }):fillCells(1, 1, 80, 3, 1)
			else
				body:newVoxels({ kinds = { {} } }):fillCells(-40, -3, -5, 40, -1, 5, 1)
			end
		end
		return kinds
	end

	-- At any depth at which it overlaps, it does not fit. Put there, it is pushed out; far deeper, pieces of a floor under its rim would push it aside.
	function suite.test_sunk_in_a_floor_it_does_not_fit_and_is_pushed_out()
		local kinds = floor_kinds()
		for _, kind in ipairs(sorted(kinds)) do
			for _, name in ipairs(sorted(shapes[dim])) do
				for _, depth in ipairs { -0.02, 0.001, 0.02, 0.05, 0.1, flat and 0.35 or 0.15 } do
					local world, what = new_world(), table.concat({ kind, name, depth }, " ")
					kinds[kind](world, 0)
					local shape = shapes[dim][name](d)
					local mover = new_mover(world, 0.3, 20, { shape = shape })
					lu.assertEquals(mover:fits(shape, n(0.3, 0.8 - depth)), depth < 0, what)
					mover:setPosition(n(0.3, 0.8 - depth))
					local _, y = walk(world, mover, 1, 0)
					lu.assertAlmostEquals(y, REST, 0.25 * SKIN, what)
					lu.assertTrue(mover:isGrounded() and not mover:isCrushed(), what)
				end
			end
		end
	end

	-- A jump through a one-sided floor from its back is not cut, pulled up or pressed; then the floor bears.
	function suite.test_it_comes_through_a_one_sided_floor_from_its_back()
		for _, speed in ipairs { 11, 15, 40 } do
			local world = new_world()
			floors[flat and "chain" or "mesh"](world, 0)
			local mover, y, v = new_mover(world, 0.3, -2), -2, speed
			for tick = 1, 60 do
				v = v - 20 * DT
				if v < 0 and y > 0.9 then break end
				y = y + v * DT
				go(mover, 0, v * DT)
				world:step(DT)
				lu.assertAlmostEquals(select(2, mover:getPosition()), y, 1e-6, tick)
				lu.assertFalse(mover:isCrushed() or mover:isGrounded())
			end
			lu.assertTrue(y > 0.9, y)
			local _, height = walk(world, mover, 6, 0)
			lu.assertAlmostEquals(height, REST, 0.25 * SKIN)
		end
	end

	-- A lift carries a mover that does not move itself through a one-sided floor from its back. It leaves the front by up to two skins at once.
	function suite.test_a_lift_carries_it_through_a_one_sided_floor()
		for _, speed in ipairs { 1, 5 } do
			local world = new_world()
			local lift = world:newBody { type = "kinematic", y = -6.5, shape = flat and d.box(2, 1) or d.box(2, 1, 2) }
			floors[flat and "chain" or "mesh"](world, 0)
			local mover = new_mover(world, 0.3, -6 + REST)
			for _ = 1, 5 do go(mover, 0, 0) world:step(DT) end
			lift:setLinearVelocity(n(0, speed))
			for _ = 1, math.floor(9 / speed / DT) do world:step(DT) end
			lu.assertAlmostEquals(select(2, mover:getPosition()) - select(2, lift:getPosition()), 0.5 + REST, 2 * SKIN)
		end
	end

	function suite.test_it_stands_up_only_where_it_fits()
		local world = new_world()
		block(world, 0, -0.5, 40, 1)
		block(world, 5, 1.8, 4, 1)
		local standing = shapes[dim].capsule(d)
		local ducked = flat and d.capsule(0, -0.4, 0, -0.2, 0.4) or d.capsule(0, -0.4, 0, 0, -0.2, 0, 0.4)
		local mover = new_mover(world, 0, 0.9, { shape = ducked })
		local x = walk(world, mover, 1, 5)
		lu.assertAlmostEquals(x, 5, 0.2)
		lu.assertFalse(mover:fits(standing))
		lu.assertFalse(mover:setShape(standing))
		lu.assertEquals(mover:getBody():getColliders()[1]:getShape(), ducked)
		lu.assertTrue(mover:fits(standing, n(0, REST)))
		walk(world, mover, 1, 5)
		lu.assertTrue(mover:setShape(standing))
		lu.assertEquals(mover:getBody():getColliders()[1]:getShape(), standing)
	end

	-- Around a planet of radius 10, at 5 m/s: once around one at rest; on one that turns it stands over one place, and walks as fast with the turn as against it.
	-- Within a step, walk and turn change each other's directions by the angle of a step.
	function suite.test_it_walks_around_a_planet()
		for _, case in ipairs { { 5, 0 }, { 0, 0.5 }, { 0, -0.3 }, { 5, 0.5 }, { 5, -0.5 }, { 5, 0.2 }, { 1, 0.1 }, { 1, 0.5 } } do
			local speed, w = case[1], case[2]
			local base, cross = 0.02 * (speed > 0 and 2 * math.pi or 0.05), 2 * math.abs(w) * speed / 10 * DT
			local world = d.newWorld { gravity = v(0, 0) }
			world:newBody { type = "kinematic", shape = wing.ball(d, 10), angularVelocity = flat and w or { 0, 0, w } }
			local mover = new_mover(world, 0, 10 + REST, { snapDistance = 0.2, up = v(0, 1) })
			local angle, before = 0, math.pi / 2
			for tick = 1, 1000 do
				local x, y = mover:getPosition()
				local r = math.sqrt(x * x + y * y)
				lu.assertAlmostEquals(r, 10 + REST, 0.3 * SKIN)
				mover:setUp(n(x, y))
				go(mover, speed * DT * y / r - 0.01 * x / r, -speed * DT * x / r - 0.01 * y / r)
				lu.assertTrue(mover:isGrounded())
				world:step(DT)
				x, y = mover:getPosition()
				local now = collide.atan2(y, x)
				angle = angle + (before - now + math.pi) % (2 * math.pi) - math.pi
				before = now
				lu.assertAlmostEquals(angle, (speed / (10 + REST) - w) * tick * DT, base + cross * tick * DT, tick)
			end
			local x, y = mover:getPosition()
			local ux, uy = mover:getBody():getWorldVector(n(0, 1))
			lu.assertTrue(ux * x + uy * y > 0.99 * (10 + REST))
		end
	end

	function suite.test_up_of_any_length()
		local world = new_world()
		for _, length in ipairs { 1e-299, 1e-160, 1e-30, 1, 1e30, 1e154, 1e300 } do
			local mover = new_mover(world, 0, 5, { up = v(length, length) })
			for _ = 1, 2 do
				local x, y = mover:getUp()
				lu.assertAlmostEquals(x, math.sqrt(0.5), 1e-15)
				lu.assertAlmostEquals(y, math.sqrt(0.5), 1e-15)
				mover:setUp(n(0, 1))
				mover:setUp(n(length, length))
			end
		end
	end

	-- Through a plank from below, onto it, and through it again when it is told to.
	function suite.test_one_way_platforms()
		local world = new_world()
		block(world, 0, -0.5, 40, 1)
		local plank = world:newBody { type = "static", y = 1.95, shape = flat and d.box(4, 0.1) or d.box(4, 0.1, 4), oneWay = v(0, 1) }
		local mover = new_mover(world, 0, REST)
		local up, highest = 11, 0
		for tick = 1, 90 do
			up = (tick == 1 or not mover:isGrounded()) and up - 20 * DT or 0
			go(mover, 0, up * DT)
			world:step(DT)
			highest = math.max(highest, (select(2, mover:getPosition())))
		end
		lu.assertAlmostEquals(highest, REST + 11 ^ 2 / 2 / 20, 0.15)
		lu.assertAlmostEquals(select(2, mover:getPosition()), 2 + REST, 0.1 * SKIN)
		lu.assertEquals(mover:getGround():getBody(), plank)
		local x, y = walk(world, mover, 0.3, 4)
		lu.assertAlmostEquals(x, 1.2, 1e-6)
		lu.assertAlmostEquals(y, 2 + REST, 0.1 * SKIN)
		mover:dropThrough()
		lu.assertAlmostEquals(select(2, walk(world, mover, 1, 0)), REST, 0.1 * SKIN)
	end

	function suite.test_movers_stop_each_other()
		local world = new_world()
		block(world, 0, -0.5, 100, 1)
		local movers = {}
		for i = 1, 10 do movers[i] = new_mover(world, 2 * i - 11, REST) end
		for _ = 1, 120 do
			for i, mover in ipairs(movers) do
				local x = mover:getPosition()
				go(mover, x > 0 and -0.05 or 0.05, -0.01)
			end
			world:step(DT)
			for i = 2, 10 do
				lu.assertTrue(movers[i]:getPosition() - movers[i - 1]:getPosition() > 0.8 + 0.5 * SKIN)
			end
		end
		lu.assertTrue(movers[10]:getPosition() - movers[1]:getPosition() < 9 * (0.8 + 1.5 * SKIN) + 0.1)
	end

	function suite.test_sensors_rays_and_render_positions_know_it()
		local world = new_world { layers = { "ground", "player" } }
		block(world, 0, -0.5, 100, 1, nil, { layer = "ground" })
		world:newBody { type = "static", x = 3, y = 1, shape = wing.cube(d, 0.1), sensor = true, data = "coin" }
		local mover = new_mover(world, 0, REST, { layer = "player", data = "hero", name = "Ada" })
		local seen = 0
		lu.assertEquals(mover.data, "hero")
		lu.assertEquals(mover:getBody().data, "hero")
		lu.assertEquals(mover:getBody():getName(), "Ada")
		go(mover, 6, 0) -- past the coin within one step
		world:step(DT)
		for sensor, visitor in world:beginOverlaps() do
			lu.assertEquals(visitor:getBody().data, "hero")
			seen = seen + 1
		end
		lu.assertEquals(seen, 1)
		lu.assertAlmostEquals(mover:getPosition(), 6, 1e-9)
		if flat then
			lu.assertEquals(world:raycast(6, 5, 6, -5):getBody(), mover:getBody())
			mover:move(1, 0, DT)
			lu.assertEquals(world:raycast(7, 5, 7, -5):getBody(), mover:getBody())
		else
			lu.assertEquals(world:raycast(6, 5, 0, 6, -5, 0):getBody(), mover:getBody())
			mover:move(1, 0, 0, DT)
			lu.assertEquals(world:raycast(7, 5, 0, 7, -5, 0):getBody(), mover:getBody())
		end
		world:advance(1.5 * DT)
		lu.assertAlmostEquals(mover:getBody():getRenderPosition(), 6.5, 1e-6)
		lu.assertEquals({ mover:getBody():getLinearVelocity() }, v(0, 0))
	end

	function suite.test_contacts_are_listed()
		local world = new_world()
		local floor = block(world, 0, -0.5, 100, 1):getColliders()[1]
		local wall = block(world, 3, 2, 1, 6):getColliders()[1]
		local mover = new_mover(world, 1, REST + 0.5)
		local _, _, hits, third = go(mover, 4, -3)
		lu.assertEquals(flat and hits or third, 2)
		local list = {}
		if flat then
			for collider, x, y, nx, ny, fraction in mover:contacts() do list[#list + 1] = { collider, nx, ny, fraction } end
		else
			for collider, x, y, z, nx, ny, nz, fraction in mover:contacts() do list[#list + 1] = { collider, nx, ny, fraction } end
		end
		lu.assertEquals(list[1][1], floor)
		lu.assertEquals(list[2][1], wall)
		lu.assertAlmostEquals(list[1][3], 1, 1e-9)
		lu.assertAlmostEquals(list[2][2], -1, 1e-9)
		lu.assertTrue(list[1][4] < list[2][4])
	end

	-- A room of 12 m with random obstacles in it, two of which move.
	local function random_room(number, choice)
		local world = new_world()
		local function obstacle(shape, options)
			options = options or {}
			options.type, options.shape = options.type or "static", shape
			options.x, options.y = number(-5, 5), number(-5, 5)
			if flat then
				options.angle = number(-3, 3)
			else
				options.z, options.rotation = number(-5, 5), { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) }
			end
			return world:newBody(options)
		end
		local function some()
			if flat then
				return ({
					function() return d.box(number(0.3, 3), number(0.3, 3)) end,
					function() return d.circle(number(0.2, 1.5)) end,
					function() return d.capsule(number(-1, 1), 0, 1, number(-1, 1), number(0.1, 0.5)) end,
					function() return d.polygon({ -1, 0, number(0, 1), -1, number(1, 2), 1 }, 0.1) end,
					function() return d.ellipse(number(0.5, 1.5), number(0.2, 0.5)) end,
					function() return d.chain({ -2, 0, -1, number(-1, 1), 0, 0, 1, number(-1, 1), 2, 0 }, { oneSided = false }) end,
				})[choice(6)]()
			end
			return ({
				function() return d.box(number(0.3, 3), number(0.3, 3), number(0.3, 3)) end,
				function() return d.sphere(number(0.2, 1.5)) end,
				function() return d.capsule(number(-1, 1), 0, 0, 1, number(-1, 1), 0, number(0.1, 0.5)) end,
				function() return d.hull({ -1, 0, 0, number(0, 1), -1, 0, number(1, 2), 1, 0, 0, 0, number(0.5, 1) }) end,
				function() return d.cylinder(number(0.3, 1), number(0.5, 2)) end,
				function() return d.mesh({ -2, 0, -2, 2, number(-1, 1), -2, 2, 0, 2, -2, number(-1, 1), 2 }, { 1, 2, 3, 1, 3, 4 }) end,
			})[choice(6)]()
		end
		for side = -1, 1, 2 do
			world:newBody { type = "static", x = 6.5 * side, shape = flat and d.box(1, 14) or d.box(1, 14, 14) }
			world:newBody { type = "static", y = 6.5 * side, shape = flat and d.box(14, 1) or d.box(14, 1, 14) }
			if not flat then world:newBody { type = "static", z = 6.5 * side, shape = d.box(14, 14, 1) } end
		end
		for _ = 1, 14 do obstacle(some()) end
		for _ = 1, 2 do
			obstacle(some(), { type = "kinematic", linearVelocity = v(number(-2, 2), number(-2, 2)), angularVelocity = flat and number(-1, 1) or { 0, number(-1, 1), 0 } })
		end
		for _ = 1, 3 do obstacle(wing.ball(d, number(0.2, 0.5))) end
		return world
	end

	-- Moves by up to 1 m, and now and then by 20 m; now and then put somewhere. Returns the moves that ended crushed, and asserts of all others that they ended
	-- in the room and not inside anything hard.
	local function random_moves(seed, count)
		local number, choice = support.random_numbers(seed)
		local world, list, crushed, names = random_room(number, choice), {}, 0, sorted(shapes[dim])
		local shape = shapes[dim][names[choice(#names)]](d)
		local mover = new_mover(world, 0, 0, { shape = shape, stepHeight = choice(2) == 1 and 0.3 or 0, skin = number(0.002, 0.03) })
		local options = { exclude = mover:getBody(), filter = function(collider) return collider:getBody():getType() ~= "dynamic" end }
		local before = true
		for tick = 1, count do
			if choice(40) == 1 then mover:setPosition(n(number(-5, 5), number(-5, 5))) end
			local size = choice(15) == 1 and 20 or 1
			local dx, dy, dz = number(-size, size), number(-size, size), number(-size, size)
			if flat then mover:move(dx, dy, DT) else mover:move(dx, dy, dz, DT) end
			local x, y, z = mover:getPosition()
			if mover:isCrushed() then
				crushed = crushed + 1
			elseif not before then
				lu.assertTrue(math.abs(x) < 5.7 and math.abs(y) < 5.7 and (flat or math.abs(z) < 5.7), seed .. " " .. tick)
			end
			before = mover:isCrushed()
			if not before then
				world:overlapShape(shape, flat and d.pose(x, y) or d.pose(x, y, z), options, list)
				lu.assertEquals(#list, 0, seed .. " " .. tick)
			end
			if choice(3) == 1 then world:step(DT) end
		end
		return crushed
	end

	function suite.test_random_moves_in_random_rooms_never_end_inside_a_wall()
		local moves = tonumber(os.getenv "MOVER_MOVES") or 10000
		local crushed = 0
		for seed = 1, moves / 250 do crushed = crushed + random_moves(seed, 250) end
		lu.assertTrue(crushed < 0.3 * moves, crushed)
	end

	function suite.test_moves_make_no_garbage()
		local world = new_world()
		floors.boxes(world, 0)
		block(world, 3, 1, 1, 0.4)
		local mover = new_mover(world, 0, REST, { stepHeight = 0.3 })
		local planes, pose = {}, d.pose(n(0, REST))
		local shape, options = mover:getBody():getColliders()[1]:getShape(), { exclude = mover:getBody() }
		local t = 0
		lu.assertEquals(support.bytes_of(500, function()
			t = t + 1
			go(mover, t % 200 < 100 and 0.1 or -0.1, -0.01)
			world:step(DT)
			mover:getPosition() mover:getVelocity() mover:isGrounded() mover:getGroundState() mover:isCrushed() mover:getGround() mover:getBody()
			for collider in mover:contacts() do collider:getBody() end
			mover:fits(shape)

		end), 0)
		lu.assertEquals(support.bytes_of(500, function() world:contactPlanes(shape, pose, options, planes) end), 0)
	end
end

-- The nearest displacement, by brute force: the best point on no plane, one plane, two or (in space) three.
TestPlanes = {}

for _, axes in ipairs { 2, 3 } do
	local d = axes == 2 and collide.d2 or collide.d3
	local keys = { "nx", "ny", "nz" }

	local function dot(a, b)
		local sum = 0
		for k = 1, axes do sum = sum + a[k] * b[k] end
		return sum
	end

	-- Solves the Gram system of the chosen planes for x = target + sum l_i n_i with n_i . x = -distance_i.
	local function on_planes(target, chosen)
		local count, rows = #chosen, {}
		for i, plane in ipairs(chosen) do
			rows[i] = {}
			for k, other in ipairs(chosen) do rows[i][k] = dot(plane.n, other.n) end
			rows[i][count + 1] = -plane.distance - dot(plane.n, target)
		end
		for i = 1, count do
			local pivot = i
			for k = i + 1, count do if math.abs(rows[k][i]) > math.abs(rows[pivot][i]) then pivot = k end end
			rows[i], rows[pivot] = rows[pivot], rows[i]
			if math.abs(rows[i][i]) < 1e-9 then return nil end
			for k = 1, count do
				if k ~= i then
					local factor = rows[k][i] / rows[i][i]
					for j = i, count + 1 do rows[k][j] = rows[k][j] - factor * rows[i][j] end
				end
			end
		end
		local x = {}
		for k = 1, axes do
			x[k] = target[k]
			for i, plane in ipairs(chosen) do x[k] = x[k] + rows[i][count + 1] / rows[i][i] * plane.n[k] end
		end
		return x
	end

	local function brute(target, planes)
		local best, least = nil, math.huge
		local function try(chosen)
			local x = on_planes(target, chosen)
			if not x then return end
			for _, plane in ipairs(planes) do if dot(plane.n, x) < -plane.distance - 1e-9 then return end end
			local square = 0
			for k = 1, axes do square = square + (x[k] - target[k]) ^ 2 end
			if square < least then best, least = x, square end
		end
		try {}
		for i = 1, #planes do
			try { planes[i] }
			for k = i + 1, #planes do
				try { planes[i], planes[k] }
				for j = k + 1, axes == 3 and #planes or 0 do try { planes[i], planes[k], planes[j] } end
			end
		end
		return best
	end

	TestPlanes["test_d" .. axes .. "_the_solution_is_the_nearest_one"] = function()
		local number, choice = support.random_numbers(11)
		local unsolved = 0
		for _ = 1, 1500 do
			local planes, target = {}, {}
			for k = 1, axes do target[k] = number(-1, 1) end
			for i = 1, choice(7) do
				local n = {}
				for k = 1, axes do n[k] = number(-1, 1) end
				local length = math.sqrt(dot(n, n))
				planes[i] = { n = n, distance = number(-0.2, 0.5) }
				for k = 1, axes do
					n[k] = n[k] / length
					planes[i][keys[k]] = n[k]
				end
			end
			local expected = brute(target, planes)
			local x, y, z, solved
			if axes == 2 then x, y, solved = d.solvePlanes(target[1], target[2], planes) else x, y, z, solved = d.solvePlanes(target[1], target[2], target[3], planes) end
			lu.assertEquals(solved, expected ~= nil)
			if expected then
				local found = { x, y, z }
				for k = 1, axes do lu.assertAlmostEquals(found[k], expected[k], 1e-7) end
			else
				unsolved = unsolved + 1
				lu.assertEquals({ x, y, z }, axes == 2 and { 0, 0 } or { 0, 0, 0 })
			end
		end
		lu.assertTrue(unsolved > 10)
	end
end

function TestPlanes.test_planes_of_a_floor_of_many_pieces_are_one()
	local d2, d3 = collide.d2, collide.d3
	local world = d2.newWorld()
	for i = -5, 5 do world:newBody { type = "static", x = i, y = -0.5, shape = d2.box(1, 1) } end
	local wall = world:newBody { type = "static", x = 2, y = 1, shape = d2.box(1, 3) }
	local planes = world:contactPlanes(d2.circle(0.5), d2.pose(0.49, 0.505), { maxDistance = 0.05 })
	lu.assertEquals(#planes, 1)
	lu.assertAlmostEquals(planes[1].ny, 1, 1e-9)
	lu.assertAlmostEquals(planes[1].distance, 0.005, 1e-6)
	local same, first = planes, planes[1]
	planes = world:contactPlanes(d2.circle(0.5), d2.pose(0.99, 0.505), { maxDistance = 0.05 }, planes)
	lu.assertIs(planes, same)
	lu.assertIs(planes[1], first)
	lu.assertEquals(#planes, 2)
	lu.assertEquals(planes[2].collider:getBody(), wall)
	local x, y = d2.solvePlanes(1, -1, planes)
	lu.assertAlmostEquals(x, 0.01, 1e-6)
	lu.assertAlmostEquals(y, -0.005, 1e-6)
	lu.assertEquals(#world:contactPlanes(d2.circle(0.5), d2.pose(0.99, 0.505), { maxDistance = 0.05, exclude = wall }), 1)

	local space = d3.newWorld()
	space:newBody { type = "static", shape = d3.mesh({ -5, 0, -5, 5, 0, -5, 5, 0, 5, -5, 0, 5, 0, 0, 0 }, { 1, 5, 2, 2, 5, 3, 3, 5, 4, 4, 5, 1 }) }
	planes = space:contactPlanes(d3.box(1, 1, 1), d3.pose(0.1, 0.51, 0.2))
	lu.assertEquals(#planes, 1)
	lu.assertEquals(planes[1].kind, "triangle")
	lu.assertAlmostEquals(planes[1].ny, 1, 1e-9)
end

-- The closed form for a capsule or sphere and a triangle gives what the general search gives, wherever they are.
function TestPlanes.test_capsules_and_triangles_as_by_the_general_search()
	local d3 = collide.d3
	local random, found = collide.newRandom(3), 0
	local function between(a, b) return a + (b - a) * random:random() end
	for i = 1, 2000 do
		local corners, reach = {}, i % 2 == 0 and 1 or 5
		for k = 1, 9 do corners[k] = between(-reach, reach) end
		local made, mesh = pcall(d3.mesh, corners, { 1, 2, 3 }, { oneSided = false })
		local radius, half = between(0.05, 0.4), i % 5 == 0 and 0 or between(0.1, 1)
		local shape = half == 0 and d3.sphere(radius) or d3.capsule(0, -half, 0, 0, half, 0, radius)
		local pose = d3.pose(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1), 1)
		if made then
			local world = d3.newWorld()
			world:newBody { type = "static", shape = mesh }
			local planes = world:contactPlanes(shape, pose, { maxDistance = 3 })
			local distance, nx, ny, nz = d3.distance(shape, pose, mesh)
			if distance > 0 and distance < 3 then
				found = found + 1
				lu.assertEquals(#planes, 1)
				lu.assertAlmostEquals(planes[1].distance, distance, 1e-9)
				lu.assertAlmostEquals(planes[1].nx, -nx, 1e-7)
				lu.assertAlmostEquals(planes[1].ny, -ny, 1e-7)
				lu.assertAlmostEquals(planes[1].nz, -nz, 1e-7)
			end
		end
	end
	lu.assertTrue(found > 1000, found)
end

function TestPlanes.test_bad_input_is_named()
	local d2 = collide.d2
	local world = d2.newWorld()
	local circle = d2.circle(1)
	lu.assertErrorMsgContains("solvePlanes: planes[2].nx must be a finite number, got nil", d2.solvePlanes, 1, 0, { { nx = 1, ny = 0, distance = 0 }, {} })
	lu.assertErrorMsgContains("solvePlanes: planes[1]: the normal must not be zero", d2.solvePlanes, 1, 0, { { nx = 0, ny = 0, distance = 0 } })
	lu.assertErrorMsgContains("solvePlanes: dx must be a finite number", d2.solvePlanes, 0 / 0, 0, {})
	lu.assertErrorMsgContains("contactPlanes: shape must be convex and have an end", world.contactPlanes, world, d2.halfPlane(0, 1, 0))
	lu.assertErrorMsgContains("contactPlanes: unknown key 'maxdistance'", world.contactPlanes, world, circle, nil, { maxdistance = 1 })
	for key, value in pairs { maxSlopeAngle = 2, stepHeight = -1, skin = 0, mass = -1, maxForce = 0 / 0, shape = d2.chain { 0, 0, 1, 0 }, up = { 0, 0 }, layer = "no" } do
		local options = { shape = circle, [key] = value }
		lu.assertErrorMsgContains("newMover: " .. key, world.newMover, world, options)
		lu.assertEquals(world:getBodyCount(), 0)
	end
	lu.assertErrorMsgContains("newMover: shape is missing", world.newMover, world, {})
	lu.assertErrorMsgContains("did you mean 'stepHeight'?", world.newMover, world, { shape = circle, stepheight = 1 })
	local mover = world:newMover { shape = circle }
	lu.assertErrorMsgContains("move: dt must be > 0, got 0", mover.move, mover, 0, 0, 0)
	lu.assertErrorMsgContains("move: dx must be a finite number", mover.move, mover, 1 / 0, 0, 1)
	lu.assertErrorMsgContains("setUp: up must not be zero", mover.setUp, mover, 0, 0)
	mover:setEnabled(false)
	lu.assertErrorMsgContains("move: the mover's body is disabled", mover.move, mover, 0, 0, 1)
	mover:setEnabled(true)
	mover:getBody():setType("dynamic")
	lu.assertErrorMsgContains("move: the mover's body must be kinematic", mover.move, mover, 0, 0, 1)
	mover:getBody():destroy()
	lu.assertFalse(mover:isValid())
	lu.assertErrorMsgContains("move: mover is destroyed", mover.move, mover, 0, 0, 1)
	mover = world:newMover { shape = circle }
	mover:getBody():getColliders()[1]:destroy()
	lu.assertFalse(mover:isValid())
end

-- Without gravity nothing is ground. A crowd that presses towards one point from all sides packs, and none is pressed into another or into the wall in its middle.
for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], support.wings[dim]
	support.suite("TestCrowds", dim).test_crowds_press_without_overlaps = function()
		local world, movers, random = d.newWorld { gravity = wing.vector(0, 0) }, {}, support.random_numbers(7)
		world:newBody { type = "static", shape = wing.cube(d, 1) }
		for i = 1, 60 do
			local turn = i * 2.4
			movers[i] = world:newMover { shape = wing.ball(d, 0.3), position = { (2 + i * 0.15) * math.cos(turn), (2 + i * 0.15) * math.sin(turn), dim == "d3" and random(-2, 2) or nil } }
		end
		lu.assertEquals({ movers[1]:getUp() }, wing.vector(0, 0))
		for _ = 1, 240 do
			for _, mover in ipairs(movers) do
				local at, way = { mover:getPosition() }, {}
				local far = math.sqrt(at[1] ^ 2 + at[2] ^ 2 + (at[3] or 0) ^ 2)
				for k = 1, #at do way[k] = -at[k] / far * 0.05 end
				way[#way + 1] = 1 / 60
				mover:move(unpack(way))
				lu.assertFalse(mover:isGrounded() or mover:isCrushed())
			end
			world:step(1 / 60)
		end
		for i, a in ipairs(movers) do
			local x, y, z = a:getPosition()
			local function beyond(v) return math.max(0, math.abs(v or 0) - 0.5) end
			lu.assertTrue(beyond(x) ^ 2 + beyond(y) ^ 2 + beyond(z) ^ 2 > 0.3 ^ 2)
			for k = i + 1, #movers do
				local kx, ky, kz = movers[k]:getPosition()
				if math.sqrt((x - kx) ^ 2 + (y - ky) ^ 2 + ((z or 0) - (kz or 0)) ^ 2) < 0.6 then lu.fail(("%d and %d overlap"):format(i, k)) end
			end
		end
	end
end

-- The filter of a world decides for movers, too; it can change nothing meanwhile, and its error ends the move.
function TestPlanes.test_filters_decide_for_movers()
	local d2 = collide.d2
	local mode = "stop"
	local world
	world = d2.newWorld { filter = function(a, b)
		if mode == "error" then error "oops" end
		if mode == "change" then world:newBody { shape = d2.circle(1) } end
		return mode == "stop"
	end }
	world:newBody { type = "static", x = 3, shape = d2.box(1, 9) }
	local mover = world:newMover { shape = d2.circle(0.5) }
	lu.assertAlmostEquals(mover:move(5, 0, 1), 2 - 0.01, 1e-3)
	mode = "pass"
	mover:setPosition(0, 0)
	lu.assertAlmostEquals(mover:move(5, 0, 1), 5, 1e-9)
	mover:setPosition(0, 0)
	mode = "error"
	lu.assertErrorMsgContains("oops", mover.move, mover, 5, 0, 1)
	mode = "change"
	lu.assertErrorMsgContains("newBody: world is locked", mover.move, mover, 5, 0, 1)
	mode = "pass"
	world:step(1 / 60)
end
