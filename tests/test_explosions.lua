-- world:explode pushes bodies by the area, in 2D the length, that faces it, as integrals over their surfaces say.
local lu, collide, support = require "luaunit", require "collide", require "support"
local d2, d3 = collide.d2, collide.d3

TestExplosions = {}

local function both(name, test)
	for dim, wing in pairs(support.wings) do
		TestExplosions["test_" .. name .. "_in_" .. dim] = function() test(collide[dim], wing, dim) end
	end
end

local function weightless(d, wing, options)
	options = options or {}
	options.gravity = wing.vector(0, 0)
	return d.newWorld(options)
end

local function at_origin(dim, options)
	options.x, options.y, options.z = 0, 0, dim == "d3" and 0 or nil
	return options
end

-- Calls add(x, y, z, nx, ny, nz, size) for small pieces of the surface of a ball, by rings about the x axis.
local function ball_pieces(dim, r, distance, add)
	local n = 4000
	for i = 1, n do
		local a = math.pi * (i - 0.5) / n
		local c, s = math.cos(a), math.sin(a)
		if dim == "d2" then
			for side = -1, 1, 2 do add(distance + r * c, side * r * s, 0, c, side * s, 0, math.pi * r / n) end
		else -- the parts of a ring across x cancel: one point stands for it
			add(distance + r * c, r * s, 0, c, s, 0, 2 * math.pi * r * s * math.pi * r / n)
		end
	end
end

-- Of a box turned by no angle with these half extents, the face at x = cx - hx and, above or below it, the face at y = cy - hy.
local function box_pieces(dim, cx, cy, hx, hy, hz, add)
	local n, m = 200, dim == "d2" and 1 or 200
	for i = 1, n do
		for k = 1, m do
			local u, z = 2 * (i - 0.5) / n - 1, dim == "d2" and 0 or hz * (2 * (k - 0.5) / m - 1)
			local across = dim == "d2" and 1 or 2 * hz / m
			add(cx - hx, cy + u * hy, z, -1, 0, 0, 2 * hy / n * across)
			add(cx + u * hx, cy - hy, z, 0, -1, 0, 2 * hx / n * across)
		end
	end
end

-- The impulse on the pieces, and its angular part about (cx, cy), of an explosion of strength 1 at the origin.
local function integral(pieces, falloff, radius, cx, cy)
	local sum = { 0, 0, 0 }
	pieces(function(x, y, z, nx, ny, nz, size)
		local d = math.sqrt(x * x + y * y + z * z)
		local facing = -(nx * x + ny * y + nz * z) / d
		if facing <= 0 or d >= radius then return end
		local p = facing * size * (1 - d / radius) ^ falloff / d
		sum[1], sum[2], sum[3] = sum[1] + p * x, sum[2] + p * y, sum[3] + p * ((x - cx) * y - (y - cy) * x)
	end)
	return sum
end

-- Within 1 % of the integral: a body's surface is divided into facets. A ball that is all within reach, and not next to the centre, is integrated as a whole.
both("the_impulse_on_a_ball_is_the_integral", function(d, wing, dim)
	for _, case in ipairs { { 0.5, 2, 0, 10 }, { 0.5, 1.1, 0.5, 2 }, { 1, 1.5, 1, 4 }, { 0.3, 5, 2, 6 }, { 1, 3, 0.5, 3.5 } } do
		local r, distance, falloff, radius = case[1], case[2], case[3], case[4]
		local world = weightless(d, wing)
		local body = world:newBody { position = wing.vector(distance, 0), shape = wing.ball(d, r), mass = 2 }
		lu.assertEquals(world:explode(at_origin(dim, { radius = radius, impulse = 3, falloff = falloff })), 1)
		local expected = integral(function(add) ball_pieces(dim, r, distance, add) end, falloff, radius, distance, 0)
		local vx, vy, vz = body:getLinearVelocity()
		local tolerance = (distance > 2 * r and distance + r < radius and 1e-5 or 0.01) * 3 * expected[1]
		lu.assertAlmostEquals(2 * vx, 3 * expected[1], tolerance)
		lu.assertAlmostEquals(2 * math.sqrt(vy ^ 2 + (vz or 0) ^ 2), 0, tolerance)
	end
end)

both("the_impulse_on_a_box_and_its_torque_are_the_integrals", function(d, wing, dim)
	for _, falloff in ipairs { 0, 1 } do
		local world = weightless(d, wing)
		local shape = dim == "d2" and d.box(1.2, 0.8) or d.box(1.2, 0.8, 0.6)
		local body = world:newBody { position = wing.vector(1.5, 1.1), shape = shape, mass = 3 }
		lu.assertEquals(world:explode(at_origin(dim, { radius = 6, impulse = 5, falloff = falloff })), 1)
		local expected = integral(function(add) box_pieces(dim, 1.5, 1.1, 0.6, 0.4, 0.3, add) end, falloff, 6, 1.5, 1.1)
		local vx, vy = body:getLinearVelocity()
		local tolerance = 0.01 * 5 * math.sqrt(expected[1] ^ 2 + expected[2] ^ 2)
		lu.assertAlmostEquals(3 * vx, 5 * expected[1], tolerance)
		lu.assertAlmostEquals(3 * vy, 5 * expected[2], tolerance)
		local spin = select(dim == "d2" and 1 or 3, body:getAngularVelocity())
		local inertia = dim == "d2" and body:getInertia() or 3 * (1.2 ^ 2 + 0.8 ^ 2) / 12
		lu.assertAlmostEquals(inertia * spin, 5 * expected[3], tolerance * 0.7) -- an arm of 0.7
	end
end)

both("an_implosion_is_the_opposite", function(d, wing, dim)
	local velocities = {}
	for side = -1, 1, 2 do
		local world = weightless(d, wing)
		local body = world:newBody { position = wing.vector(2, 1), shape = dim == "d2" and d.box(1, 2) or d.box(1, 2, 1) }
		world:explode(at_origin(dim, { radius = 5, impulse = 4 * side }))
		velocities[side] = { body:getLinearVelocity() }
	end
	for i = 1, #velocities[1] do lu.assertEquals(velocities[1][i], -velocities[-1][i]) end
	lu.assertTrue(velocities[1][1] > 0)
end)

both("what_is_hidden_beyond_reach_or_of_another_layer_is_left_alone", function(d, wing, dim)
	local function blast(options)
		local world = weightless(d, wing, { layers = { "crate", "ghost" } })
		local function box(w, h) return dim == "d2" and d.box(w, h) or d.box(w, h, h) end
		world:newBody { type = "static", position = wing.vector(-2, 0), shape = box(0.2, 6), layer = "crate" }
		local bodies = {
			hidden = world:newBody { position = wing.vector(-4, 0), shape = box(1, 1), layer = "crate" },
			ghost = world:newBody { position = wing.vector(0, 3), shape = box(1, 1), layer = "ghost" },
			free = world:newBody { position = wing.vector(3, 0), shape = box(1, 1), layer = "crate" },
			far = world:newBody { position = wing.vector(9.6, 0), shape = box(1, 1), layer = "crate" },
			sensor = world:newBody { position = wing.vector(3, -3), shape = box(1, 1), layer = "crate", sensor = true, mass = 1 },
		}
		options.radius, options.impulse = 9, 2
		local moved = { count = world:explode(at_origin(dim, options)) }
		for name, body in pairs(bodies) do
			local x, y = body:getLinearVelocity()
			moved[name] = x ~= 0 or y ~= 0
		end
		world:validate()
		return moved
	end
	lu.assertEquals(blast {}, { count = 3, hidden = true, ghost = true, free = true, far = false, sensor = false })
	lu.assertEquals(blast { occlusion = true }, { count = 2, hidden = false, ghost = true, free = true, far = false, sensor = false })
	lu.assertEquals(blast { layers = { "ghost" } }, { count = 1, hidden = false, ghost = true, free = false, far = false, sensor = false })
end)

-- 500 balls in rings: each is pushed straight away, as fast as any other at its distance, asleep or not.
both("five_hundred_balls_fly_apart", function(d, wing, dim)
	local world = weightless(d, wing)
	local balls = {}
	for i = 0, 499 do
		local ring, a = 1 + math.floor(i / 100), 2 * math.pi * (i % 100) / 100
		balls[i] = world:newBody { position = wing.vector(3 * ring * math.cos(a), 3 * ring * math.sin(a)), shape = wing.ball(d, 0.05), awake = i % 2 == 0 }
	end
	lu.assertEquals(world:explode(at_origin(dim, { radius = 20, impulse = 1, falloff = 1 })), 500)
	for i = 0, 499 do
		local x, y = balls[i]:getPosition()
		local vx, vy = balls[i]:getLinearVelocity()
		local first = { balls[i - i % 100]:getLinearVelocity() }
		local speed, expected = math.sqrt(vx * vx + vy * vy), math.sqrt(first[1] ^ 2 + first[2] ^ 2)
		lu.assertTrue(balls[i]:isAwake())
		lu.assertAlmostEquals(speed, expected, 0.02 * expected)
		lu.assertAlmostEquals((vx * y - vy * x) / (speed * math.sqrt(x * x + y * y)), 0, 0.02)
	end
end)

both("bad_input", function(d, wing, dim)
	local world = weightless(d, wing)
	local body = world:newBody { position = wing.vector(2, 0), shape = wing.ball(d, 0.5) }
	local bad = {
		{ nil, "options must be a table" },
		{ {}, "radius is missing" },
		{ { radius = 1 }, "impulse is missing" },
		{ { radius = 0, impulse = 1 }, "radius" },
		{ { radius = -1, impulse = 1 }, "radius" },
		{ { radius = 1, impulse = 0 / 0 }, "impulse" },
		{ { radius = 1, impulse = 1, falloff = 0.3 }, "falloff" },
		{ { radius = 1, impulse = 1, falloff = -1 }, "falloff" },
		{ { radius = 1, impulse = 1, layers = { "nowhere" } }, "nowhere" },
		{ { radius = 1, impulse = 1, occlusion = 1 }, "occlusion" },
		{ { radius = 1, impulse = 1, power = 1 }, "unknown key 'power'" },
	}
	for _, row in ipairs(bad) do
		local options = row[1] and at_origin(dim, row[1])
		lu.assertErrorMsgContains("explode", world.explode, world, options)
		lu.assertErrorMsgContains(row[2], world.explode, world, options)
	end
	lu.assertEquals({ body:getLinearVelocity() }, dim == "d2" and { 0, 0 } or { 0, 0, 0 })
	world:destroy()
	lu.assertErrorMsgContains("destroyed", world.explode, world, at_origin(dim, { radius = 1, impulse = 1 }))
end)
