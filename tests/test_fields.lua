-- Force fields: gravity, attraction, vortices, wind and fluids act as their equations say, in 2D and 3D.

local lu, collide, support, engines = require "luaunit", require "collide", require "support", require "engines"
local bytes_of, random_numbers = support.bytes_of, support.random_numbers
local d2, d3 = collide.d2, collide.d3

TestFields = {}

local function both(name, test)
	for dim, wing in pairs(support.wings) do
		TestFields["test_" .. name .. "_in_" .. dim] = function() test(collide[dim], wing, dim) end
	end
end

local function steps(world, seconds, rate)
	for _ = 1, math.floor(seconds * (rate or 60) + 0.5) do world:step(1 / (rate or 60)) end
end

local function weightless(d, wing)
	return d.newWorld { gravity = wing.vector(0, 0) }
end

-- A field that is destroyed with a name, and a collider of the same number: events still name the collider.
both("destroyed_fields_are_not_taken_for_colliders", function(d, wing)
	local world = weightless(d, wing)
	local a = world:newBody { shape = wing.ball(d, 0.5), data = "a" }
	world:newBody { shape = wing.ball(d, 0.5), position = wing.vector(0.9, 0) }
	local field, collider = world:newField { name = "breeze", gravity = wing.vector(0, 0), data = {} }, a:getColliders()[1]
	collider.data = "collider"
	world:step(1 / 60)
	a:destroy()
	field:destroy()
	world:newBody { shape = wing.ball(d, 0.5), position = wing.vector(9, 0) }:getColliders() -- takes the number
	world:step(1 / 60)
	local ends = 0
	for one, other in world:endContacts() do
		ends = ends + 1
		lu.assertTrue(rawequal(one, collider) or rawequal(other, collider))
		lu.assertEquals(collider.data, "collider")
	end
	lu.assertEquals(ends, 1)
end)

-- --- Gravity, attraction, vortex ----------------------------------------------------------------------------------------------

-- As the world's own gravity, to the bit: also with damping, a gravity scale, and forces.
both("gravity_everywhere_is_the_worlds", function(d, wing)
	local function run(own)
		local world = d.newWorld { gravity = own and wing.vector(0, 0) or wing.vector(3, -7) }
		if own then world:newField { gravity = wing.vector(3, -7) } end
		local body = world:newBody { shape = wing.ball(d, 0.5), linearDamping = 0.3, gravityScale = 0.5, linearVelocity = wing.vector(1, 2) }
		for _ = 1, 60 do
			body:applyForce(wing.numbers(0.5, 1))
			world:step(1 / 60)
		end
		return { body:getPosition() }
	end
	local own, worlds = run(true), run(false)
	for i = 1, #own do lu.assertAlmostEquals(own[i], worlds[i], 1e-5) end
end)

-- A field that replaces keeps the world's gravity and lower priorities from acting, and others not; only inside its shape.
both("priorities", function(d, wing)
	local world = d.newWorld { gravity = wing.vector(0, -10) }
	world:newField { gravity = wing.vector(1, 0) }
	world:newField { gravity = wing.vector(2, 0), priority = 1, replace = true, shape = wing.cube(d, 10), x = 100 }
	world:newField { gravity = wing.vector(4, 0), priority = 1, shape = wing.cube(d, 10), x = 100 }
	world:newField { gravity = wing.vector(8, 0), priority = 2, shape = wing.cube(d, 10), x = 100 }
	local inside = world:newBody { x = 100, shape = wing.ball(d, 0.1) }
	local outside = world:newBody { x = 50, shape = wing.ball(d, 0.1) }
	steps(world, 0.5)
	local ax, ay = inside:getLinearVelocity()
	local bx, by = outside:getLinearVelocity()
	for name, pair in pairs { ax = { ax, 7 }, ay = { ay, 0 }, bx = { bx, 0.5 }, by = { by, -5 } } do lu.assertAlmostEquals(pair[1], pair[2], 1e-4, name) end
end)

both("layers", function(d, wing)
	local world = d.newWorld { gravity = wing.vector(0, 0), layers = { "iron", "wood" } }
	local magnet = world:newField { attraction = { strength = 5, falloff = 0 }, layers = { "iron" } }
	local iron = world:newBody { x = 10, shape = wing.ball(d, 0.1), layer = "iron" }
	local wood = world:newBody { x = -10, shape = wing.ball(d, 0.1), layer = "wood" }
	steps(world, 0.5)
	lu.assertAlmostEquals(iron:getLinearVelocity(), -2.5, 1e-4)
	lu.assertEquals(wood:getLinearVelocity(), 0)
	magnet:setLayers { "wood" }
	steps(world, 0.5)
	lu.assertAlmostEquals(iron:getLinearVelocity(), -2.5, 1e-4)
	lu.assertAlmostEquals(wood:getLinearVelocity(), 2.5, 1e-4)
end)

-- Circular orbits of radius 10 in attractions strength / d^falloff, with v^2 = strength / d^(falloff - 1): after 100 turns radius and phase are within 1 %.
-- Semi-implicit Euler is symplectic, so errors do not grow but for the phase, by some (h w)^2/24 of a turn a turn: 1e-6 here.
both("orbits", function(d, wing)
	for _, falloff in ipairs { 0, 1, 2 } do
		local world, r, w = weightless(d, wing), 10, 1
		world:newField { attraction = { strength = w ^ 2 * r ^ (falloff + 1), falloff = falloff } }
		local moon = world:newBody { x = r, shape = wing.ball(d, 0.1), linearVelocity = wing.vector(0, w * r) }
		for _ = 1, 100 * 377 do world:step(2 * math.pi / 377) end
		local x, y = moon:getPosition()
		lu.assertAlmostEquals(x, r, 0.01 * r)
		lu.assertAlmostEquals(y, 0, 0.01 * r)
	end
end)

-- An ellipse keeps its energy, v^2/2 - strength/d, and its angular momentum.
both("ellipses_keep_energy", function(d, wing)
	local world = weightless(d, wing)
	world:newField { attraction = { strength = 1000 } }
	local comet = world:newBody { x = 10, shape = wing.ball(d, 0.1), linearVelocity = wing.vector(0, 12) }
	local function state()
		local x, y = comet:getPosition()
		local vx, vy = comet:getLinearVelocity()
		return (vx ^ 2 + vy ^ 2) / 2 - 1000 / math.sqrt(x ^ 2 + y ^ 2), x * vy - y * vx
	end
	local energy, momentum = state()
	for _ = 1, 3000 do
		world:step(1 / 240)
		local e, m = state()
		lu.assertAlmostEquals(e, energy, 0.01 * math.abs(energy))
		lu.assertAlmostEquals(m, momentum, 1e-3 * momentum)
	end
end)

-- Inside minDistance the attraction is a spring: of angular frequency w with w^2 = strength / minDistance^(falloff + 1).
both("minimum_distance", function(d, wing)
	local world = weightless(d, wing)
	world:newField { attraction = { strength = 4 * 3 ^ 3, minDistance = 3 } }
	local body = world:newBody { x = 2, shape = wing.ball(d, 0.1) }
	steps(world, math.pi / 2, 240) -- half a period of w = 2
	lu.assertAlmostEquals(body:getPosition(), -2, 0.01)
end)

-- In a vortex of strength s and falloff f a wall of radius r drives a ball around: its tangential acceleration at the start is s / r^f.
both("vortex", function(d, wing)
	local world = weightless(d, wing)
	world:newField { vortex = { strength = 6, falloff = 0.5 }, rotation = d == d3 and { axis = { 1, 0, 0 }, angle = math.pi / 2 } or nil }
	local body = world:newBody { x = 4, shape = wing.ball(d, 0.1) }
	world:step(0.01)
	local vx, vy, vz = body:getLinearVelocity()
	lu.assertAlmostEquals(vy, 0.01 * 6 / 4 ^ 0.5, 1e-4)
	lu.assertAlmostEquals(vx, 0, 1e-3)
	lu.assertAlmostEquals(vz or 0, 0, 1e-5)
end)

-- The field of a planet moves with it, does not act on it, and dies with it.
both("fields_on_bodies", function(d, wing)
	local world = weightless(d, wing)
	local planet = world:newBody { type = "kinematic", x = 5, shape = wing.ball(d, 1), linearVelocity = wing.vector(2, 0) }
	local field = world:newField { body = planet, y = 1, attraction = { strength = 9 * 3, falloff = 1 }, data = { 1 }, name = "pull" }
	local moon = world:newBody { x = 8, y = 1, shape = wing.ball(d, 0.1), linearVelocity = wing.vector(2, 27 ^ 0.5) }
	for _ = 1, 600 do
		world:step(1 / 240)
		local x, y = moon:getPosition()
		local px, py = planet:getPosition()
		lu.assertAlmostEquals(math.sqrt((x - px) ^ 2 + (y - py - 1) ^ 2), 3, 0.03)
	end
	lu.assertIs(field:getBody(), planet)
	planet:destroy()
	lu.assertFalse(field:isValid())
	lu.assertEquals(world:getFields(), {})
	local vx, vy = moon:getLinearVelocity()
	world:step(1 / 60)
	local wx, wy = moon:getLinearVelocity()
	lu.assertEquals({ wx, wy }, { vx, vy })
end)

-- --- Wind -------------------------------------------------------------------------------------------------------------------

-- A body that falls in still air with the drag k P v^2 approaches the speed sqrt(m g / (k P)); P: its width, or its area seen from below.
both("terminal_speed_in_air", function(d, wing, dim)
	local flat = dim == "d2"
	local cases = {
		{ wing.ball(d, 0.5), flat and 1 or math.pi / 4, flat and math.pi / 4 or math.pi / 6 },
		{ flat and d.box(2, 0.5) or d.box(2, 0.5, 3), flat and 2 or 6, flat and 1 or 3 },
		{ flat and d.capsule(-1, 0, 1, 0, 0.5) or d.capsule(-1, 0, 0, 1, 0, 0, 0.5), nil, nil },
	}
	for _, case in ipairs(cases) do
		local world = d.newWorld { gravity = wing.vector(0, -10) }
		world:newField { wind = { drag = 0.2 } }
		local body = world:newBody { shape = case[1], density = 2, locks = flat and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true } }
		steps(world, 20)
		local shown = case[2] or (flat and 3 or 2 + math.pi / 4)
		local _, vy = body:getLinearVelocity()
		-- round ends are facets: their number makes an error of some percent of the area that they show
		lu.assertAlmostEquals(vy, -math.sqrt(body:getMass() * 10 / (0.2 * shown)), case[2] and 1e-3 or 0.15)
	end
end)

-- Wind at rest relative to a body exerts no force; a light plate follows strong wind without overshooting.
both("wind_carries", function(d, wing)
	local world = weightless(d, wing)
	world:newField { wind = { velocity = wing.vector(50, 0), drag = 10 } }
	local body = world:newBody { shape = wing.cube(d, 1), density = 1e-3 }
	local fastest = 0
	for _ = 1, 600 do
		world:step(1 / 60)
		fastest = math.max(fastest, (body:getLinearVelocity()))
	end
	lu.assertTrue(fastest <= 50)
	lu.assertAlmostEquals(body:getLinearVelocity(), 50, 0.5)
end)

-- Lift: a plate at an angle a to the wind is pushed across it by lift P w^2 cos a, P = A sin a; and along it by drag P w^2.
both("lift", function(d, wing, dim)
	local world, a = weightless(d, wing), 0.3
	world:newField { wind = { velocity = wing.vector(10, 0), drag = 0.1, lift = 0.4 } }
	local rotation = dim == "d2" and { angle = -a } or { rotation = { axis = { 0, 0, 1 }, angle = -a } }
	local options = { shape = dim == "d2" and d.box(2, 0.001) or d.box(2, 0.001, 3), density = 1000, y = 0 }
	for key, value in pairs(rotation) do options[key] = value end
	local plate = world:newBody(options)
	world:step(1 / 960)
	local vx, vy = plate:getLinearVelocity()
	local shown = (dim == "d2" and 2 or 6) * math.sin(a) * 100 / plate:getMass() / 960
	lu.assertAlmostEquals(vx / shown, 0.1, 2e-3)
	lu.assertAlmostEquals(vy / shown, 0.4 * math.cos(a), 4e-3)
end)

-- Drag alone never raises a body's kinetic energy relative to the wind, however long the steps: thin plates and rods that tumble at up to 50 rad/s and 85 m/s.
both("drag_takes_energy", function(d, wing, dim)
	local random = support.random_numbers(5)
	for case = 1, 240 do
		local world = weightless(d, wing)
		local wind = { random(-20, 20), random(-20, 20), random(-20, 20) }
		world:newField { wind = { velocity = dim == "d2" and { wind[1], wind[2] } or wind, drag = ({ 0.1, 1, 10 })[case % 3 + 1] } }
		local a, b, c = random(0.2, 4), random(0.2, 4), random(0.01, 0.1)
		if case % 5 == 0 then b = c end
		local body = world:newBody { shape = dim == "d2" and d.box(a, c) or d.box(a, c, b), density = random(1, 50),
			linearVelocity = dim == "d2" and { random(-50, 50), random(-50, 50) } or { random(-50, 50), random(-50, 50), random(-50, 50) },
			angularVelocity = dim == "d2" and random(-30, 30) or { random(-30, 30), random(-30, 30), random(-30, 30) } }
		local mass = body:getMass()
		local function energy()
			local sum = body:getKineticEnergy()
			for i, v in ipairs { body:getLinearVelocity() } do sum = sum + mass * wind[i] * (wind[i] / 2 - v) end
			return sum
		end
		local first, rate = energy(), ({ 8, 15, 30, 60 })[case % 4 + 1]
		local before = first
		for _ = 1, 2 * rate do
			world:step(1 / rate)
			lu.assertTrue(energy() <= before + 1e-6 * first)
			before = energy()
		end
	end
end)

-- --- Fluids -----------------------------------------------------------------------------------------------------------------

local function water(d, dim, options)
	local world = d.newWorld { gravity = dim == "d2" and { 0, -10 } or { 0, -10, 0 } }
	local fluid = { density = 2, linearDrag = 2, angularDrag = 1 }
	for key, value in pairs(options or {}) do fluid[key] = value end
	local field = world:newField { shape = dim == "d2" and d.box(60, 20) or d.box(60, 20, 60), y = -10, fluid = fluid }
	return world, field
end

-- A body of the density q of the fluid's floats so deep that q of its volume is below the surface, measured by points on a grid. It sleeps there.
local floats = {
	d2 = { d2.circle(0.7), d2.box(1.5, 0.6), d2.polygon({ -1, 0, 1, 0, 0.3, 1.2 }), d2.polygon({ -1, 0, 1, 0, 0.3, 1.2 }, 0.3), d2.capsule(-0.8, 0, 0.8, 0, 0.4),
		d2.ellipse(1, 0.5), d2.box(1.2, 0.9, { radius = 0.3 }) },
	d3 = { d3.sphere(0.7), d3.box(1.5, 0.6, 1), d3.hull { -1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0.2, 1, 0.1 }, d3.capsule(-0.8, 0, 0, 0.8, 0, 0, 0.4),
		d3.ellipsoid(1, 0.5, 0.7), d3.cylinder(0.7, 0.5), d3.cone(0.8, 1), d3.taperedCapsule(-0.7, 0, 0, 0.5, 0.7, 0, 0, 0.3), d3.box(1.2, 0.9, 1.5, { radius = 0.3 }) },
}

local function share_below(d, body, dim)
	local shape, pose = body:getColliders()[1]:getShape(), dim == "d2" and d.pose(body:getTransform()) or d.pose(body:getTransform())
	local box, below, all = { shape:getBox(pose) }, 0, 0
	local axes = dim == "d2" and 2 or 3
	local cells = axes == 2 and { 200, 400 } or { 40, 200, 40 }
	local function at(k, i) return box[k] + (box[k + axes] - box[k]) * (i - 0.5) / cells[k] end
	for i = 1, cells[1] do
		for j = 1, cells[2] do
			for k = 1, cells[3] or 1 do
				local x, y = at(1, i), at(2, j)
				local inside
				if axes == 2 then inside = d.containsPoint(shape, pose, x, y) else inside = d.containsPoint(shape, pose, x, y, at(3, k)) end
				if inside then
					all = all + 1
					if y < 0 then below = below + 1 end
				end
			end
		end
	end
	return below / all
end

for dim, shapes in pairs(floats) do
	for i, shape in ipairs(shapes) do
		TestFields["test_archimedes_" .. dim .. "_" .. i .. "_" .. shape:getType()] = function()
			local d = collide[dim]
			local world = water(d, dim)
			local options = { y = 0.3, shape = shape, density = 0.7 }
			if dim == "d2" then options.angle = 0.2 else options.rotation = { 0.1, 0.05, 0.1, 1 } end
			local body = world:newBody(options)
			for _ = 1, 100 do
				steps(world, 0.5)
				if not body:isAwake() then break end
			end
			lu.assertFalse(body:isAwake())
			lu.assertAlmostEquals(share_below(d, body, dim), 0.35, 5e-3) -- a layer of the grid is 1/200
		end
	end
end

-- A square of half the fluid's density floats with a corner down, one of a tenth with an edge: the stable attitudes.
for _, case in ipairs { { 1, math.pi / 4 }, { 0.2, 0 } } do
	TestFields["test_attitude_of_a_square_of_density_" .. case[1]] = function()
		local world = water(d2, "d2")
		local crate = world:newBody { y = 1, angle = 0.3, shape = d2.box(1, 1), density = case[1] }
		steps(world, 60)
		lu.assertFalse(crate:isAwake())
		local quarter = math.pi / 2
		lu.assertAlmostEquals((crate:getAngle() + math.pi / 4 - case[2]) % quarter, math.pi / 4, 0.02)
	end
end

-- A log of a square section floats likewise, and along the surface.
function TestFields.test_attitude_of_a_log()
	local world = water(d3, "d3")
	local log = world:newBody { y = 1, rotation = { axis = { 1, 0.3, 0.8 }, angle = 0.5 }, shape = d3.box(1, 1, 5), density = 1 }
	steps(world, 60)
	lu.assertFalse(log:isAwake())
	local _, along = log:getWorldVector(0, 0, 1)
	local _, side = log:getWorldVector(1, 0, 0)
	lu.assertAlmostEquals(along, 0, 0.02)
	lu.assertAlmostEquals(math.abs(side), math.sqrt(0.5), 0.02)
end

-- A field may be on a body of a world in which nothing has ever been able to move.
function TestFields.test_a_field_on_the_first_body()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local planet = world:newBody { type = "static", x = 3, y = 4, shape = d2.circle(1) }
	world:newField { body = planet, attraction = { strength = 10 } }
	local moon = world:newBody { x = 3, y = 14, shape = d2.circle(0.1) }
	world:step(1 / 60)
	lu.assertAlmostEquals(select(2, moon:getLinearVelocity()), -10 / 100 / 60, 1e-6)
end

-- A box that floats upright bobs with w^2 = density g A / m, without drag for ever: its amplitude after 20 periods is the first one.
both("bobbing", function(d, wing, dim)
	local world = water(d, dim, { linearDrag = 0, angularDrag = 0 })
	local lock = dim == "d2" and { rotation = true } or { rotationX = true, rotationY = true, rotationZ = true }
	local body = world:newBody { y = 0.25, shape = wing.cube(d, 2), density = 1, locks = lock, sleepingAllowed = false }
	local w = math.sqrt(2 * 10 * 2 ^ (dim == "d2" and 1 or 2) / body:getMass())
	local crossings, before, first, last, highest = 0, 0.25, nil, nil, 0
	for i = 1, math.floor(20 * 2 * math.pi / w * 240) do
		world:step(1 / 240)
		local _, y = body:getPosition()
		if before > 0 and y <= 0 then
			crossings, last = crossings + 1, i - 1 + before / (before - y)
			first = first or last
			highest = 0
		end
		before, highest = y, math.max(highest, y)
	end
	lu.assertAlmostEquals((last - first) / 240 / (crossings - 1), 2 * math.pi / w, 1e-3)
	lu.assertAlmostEquals(highest, 0.25, 0.005)
end)

-- A body of the mass M that displaces m sinks at v = (M/m - 1) g / linearDrag, and a current carries it along.
both("terminal_speed_in_water", function(d, wing, dim)
	local world = d.newWorld { gravity = wing.vector(0, -10) }
	world:newField { fluid = { density = 2, linearDrag = 3, angularDrag = 2, velocity = wing.vector(4, 0) } }
	local body = world:newBody { shape = wing.cube(d, 1), density = 5 }
	steps(world, 10)
	local vx, vy = body:getLinearVelocity()
	lu.assertAlmostEquals(vx, 4, 1e-3)
	lu.assertAlmostEquals(vy, -(5 / 2 - 1) * 10 / 3, 1e-3)
end)

-- A spin decays at the rate angularDrag m / M under water.
both("spin_decays", function(d, wing, dim)
	local world = weightless(d, wing)
	world:newField { fluid = { density = 2, angularDrag = 1.5 } }
	local body = world:newBody { shape = wing.ball(d, 0.5), density = 4, angularVelocity = dim == "d2" and 10 or { 0, 0, 10 } }
	steps(world, 2)
	local x, _, z = body:getAngularVelocity()
	lu.assertAlmostEquals(z or x, 10 * math.exp(-1.5 * 0.5 * 2), 0.03)
end)

-- The volume below a plane by shape, against points drawn at random: a body held in the surface feels that much buoyancy in its first sub-step. The tolerance
-- is four standard deviations of the share.
for dim, shapes in pairs(floats) do
	TestFields["test_volume_below_against_monte_carlo_" .. dim] = function()
		local d, number, count = collide[dim], random_numbers(5), 20000
		for _, shape in ipairs(shapes) do
			local world = water(d, dim, { linearDrag = 0, angularDrag = 0 })
			local options = { y = number(-0.4, 0.4), shape = shape, density = 1, gravityScale = 0 }
			if dim == "d2" then
				options.angle = number(-3, 3)
			else
				options.rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) }
			end
			local body = world:newBody(options)
			local pose = d.pose(body:getTransform())
			local box, below, all, sum_x = { shape:getBox(pose) }, 0, 0, 0
			local cx, cy, cz = body:getCenter()
			for _ = 1, count do
				local inside, x, y, z
				if dim == "d2" then
					x, y = number(box[1], box[3]), number(box[2], box[4])
					inside = d.containsPoint(shape, pose, x, y)
				else
					x, y, z = number(box[1], box[4]), number(box[2], box[5]), number(box[3], box[6])
					inside = d.containsPoint(shape, pose, x, y, z)
				end
				if inside then
					all = all + 1
					if y < 0 then below, sum_x = below + 1, sum_x + x - cx end
				end
			end
			world:step(1e-4)
			local _, vy = body:getLinearVelocity()
			local share = vy / 1e-4 / 20
			lu.assertAlmostEquals(share, below / all, 4 * math.sqrt(0.25 / all) + 1e-3, shape:getType())
			if dim == "d2" then
				local width = box[3] - box[1]
				local torque = body:getAngularVelocity() / 1e-4 * body:getInertia() / body:getMass() / 20
				lu.assertAlmostEquals(torque, sum_x / all, 4 * 0.3 * width / math.sqrt(all) + 1e-3, shape:getType())
			end
		end
	end
end

-- The share below by a fine integration that shares nothing with the engine: a rounded box against a sum over its slices, to 1e-3 of its volume.
function TestFields.test_rounded_boxes_against_slices()
	local r, w, h, depth = 0.3, 1.2, 0.9, 1.5
	for _, y in ipairs { -0.3, -0.1, 0.05, 0.2, 0.4 } do
		local world = water(d3, "d3", { linearDrag = 0 })
		local body = world:newBody { y = y, shape = d3.box(w, h, depth, { radius = r }), density = 1, gravityScale = 0 }
		world:step(1e-4)
		local _, vy = body:getLinearVelocity()
		local below, all, n = 0, 0, 20000
		for i = 1, n do
			local at = -h / 2 + h * (i - 0.5) / n
			local into = math.max(math.abs(at) - (h / 2 - r), 0)
			local round = math.sqrt(r ^ 2 - into ^ 2)
			local area = (w - 2 * r) * (depth - 2 * r) + 2 * round * (w + depth - 4 * r) + math.pi * round ^ 2
			all = all + area
			if at + y < 0 then below = below + area end
		end
		lu.assertAlmostEquals(vy / 1e-4 / 20, below / all, 1e-3)
	end
end

-- Compounds float by parts, as separate colliders do.
function TestFields.test_compounds_by_part()
	local places = {}
	for i = 1, 2 do
		local world, parts = water(d3, "d3"), { d3.box(1, 1, 1), { shape = d3.sphere(0.5), pose = d3.pose(2, 0.5, 0) } }
		local options = { y = 0.4, density = 1 }
		if i == 1 then
			options.shape = d3.compound(parts)
		else
			options.shapes = { { shape = parts[1], density = 1 }, { shape = d3.sphere(0.5, 2, 0.5, 0), density = 1 } }
			options.density = nil
		end
		local body = world:newBody(options)
		steps(world, 2)
		places[i] = { body:getTransform() }
	end
	for k = 1, 7 do lu.assertAlmostEquals(places[1][k], places[2][k], 1e-4) end
end

-- A very light body in a dense fluid, at the limit of what a sub-step can follow, comes to rest at its depth.
both("light_bodies_are_stable", function(d, wing, dim)
	local world = water(d, dim, { density = 1000 })
	local body = world:newBody { y = -5, shape = wing.cube(d, 0.1), density = 1 }
	steps(world, 30)
	local _, y = body:getPosition()
	local _, vy = body:getLinearVelocity()
	lu.assertAlmostEquals(y, 0.05, 0.025)
	lu.assertAlmostEquals(vy, 0, 0.05)
end)

-- --- Sleep --------------------------------------------------------------------------------------------------------------------

-- A floating body sleeps, and each change of the field wakes it; so does a field that moves with a body.
both("changes_wake", function(d, wing, dim)
	local world, field = water(d, dim)
	local ball = world:newBody { y = 0, shape = wing.ball(d, 0.5), density = 1 }
	local changes = {
		function() field:setEnabled(false) end, function() field:setEnabled(true) end, function() field:setPosition(wing.numbers(0, -9)) end,
		function() field:setFluid(2.5) end, function() field:setPriority(3) end, function() field:setReplace(true) end, function() field:setLayers(nil) end,
		function() field:setWind(wing.numbers(1, 0)) end, function() field:setWind() end, function() field:setGravity(wing.numbers(0, 1)) end, function() field:setGravity() end,
		function() world:newField { shape = wing.cube(d, 1), y = select(2, ball:getPosition()) } end,
		function() field:destroy() end,
	}
	world:newBody { type = "static", y = -9, shape = wing.floor(d) }
	for i, change in ipairs(changes) do
		for _ = 1, 60 * 60 do
			if not ball:isAwake() then break end
			world:step(1 / 60)
		end
		lu.assertFalse(ball:isAwake(), "before change " .. i)
		change()
		lu.assertTrue(ball:isAwake(), "change " .. i)
	end
end)

both("moving_fields_wake", function(d, wing)
	local world = weightless(d, wing)
	local sleeper = world:newBody { x = 20, shape = wing.ball(d, 0.5) }
	local far = world:newBody { x = 40, shape = wing.ball(d, 0.5) }
	local fan = world:newBody { type = "kinematic", shape = wing.ball(d, 0.5), linearVelocity = wing.vector(5, 0) }
	world:newField { body = fan, x = 5, shape = wing.cube(d, 4), wind = { velocity = wing.vector(0, 8), drag = 1 } }
	steps(world, 2)
	lu.assertFalse(sleeper:isAwake())
	steps(world, 1)
	lu.assertTrue(sleeper:isAwake())
	lu.assertFalse(far:isAwake())
	local _, vy = sleeper:getLinearVelocity()
	lu.assertTrue(vy > 0.5)
end)

-- --- The whole ----------------------------------------------------------------------------------------------------------------

-- 500 fields and 500 bodies: each body is driven by its own field, exactly; the result is the same for 1 and 3 workers, and with the fields' state in the hash.
both("five_hundred_fields", function(d, wing)
	local hashes = {}
	for i, workers in ipairs { 1, 3 } do
		local world = d.newWorld { gravity = wing.vector(0, -10), workers = workers }
		local bodies = {}
		for k = 1, 500 do
			world:newField { x = 10 * k, shape = wing.cube(d, 9), gravity = wing.vector(0, 2 + k / 100), replace = true, priority = k % 7 }
			bodies[k] = world:newBody { x = 10 * k, shape = wing.ball(d, 0.5) }
		end
		steps(world, 0.5)
		for k = 1, 500 do
			local _, vy = bodies[k]:getLinearVelocity()
			lu.assertAlmostEquals(vy, 1 + k / 200, 1e-4)
		end
		hashes[i] = world:hash()
		world:validate()
		local field = world:getFields()[1]
		field:setPriority(9)
		lu.assertNotEquals(world:hash(), hashes[i])
		field:setPriority(1)
		lu.assertEquals(world:hash(), hashes[i])
	end
	lu.assertEquals(hashes[1], hashes[2])
end)

both("no_garbage", function(d, wing, dim)
	local world, field = water(d, dim)
	world:newField { attraction = { strength = 1 }, vortex = { strength = 1 }, wind = { velocity = wing.vector(1, 0), drag = 1, lift = 1 } }
	for i = 1, 20 do world:newBody { x = 2 * i, shape = wing.cube(d, 1), density = 1, sleepingAllowed = false } end
	world:step(1 / 60)
	lu.assertEquals(bytes_of(100, function()
		world:step(1 / 60)
		field:setPosition(wing.numbers(0, -10)) field:setFluid(2, 1) field:setWind(wing.numbers(1, 2)) field:setWind() field:setEnabled(true) field:setGravity()
		field:getPosition() field:getFluid() field:getWind() field:getPriority() field:isEnabled() field:getWorld() field:getBody() field:isValid() field:getName()
	end), 0)
end)

both("handles", function(d, wing)
	local world = d.newWorld()
	local field = world:newField { name = "lake", data = 7, wind = { velocity = wing.vector(1, 2), drag = 3, lift = 4 }, attraction = { strength = 2 } }
	lu.assertEquals({ field:getName(), field.data, tostring(field), field:getWorld() == world }, { "lake", 7, 'field 0 "lake"', true })
	lu.assertEquals({ field:getAttraction() }, { 2, 2, 0.1 })
	lu.assertNil((field:getFluid()))
	field:setAttraction(3, 1.5, 0.2)
	lu.assertEquals({ field:getAttraction() }, { 3, 1.5, 0.2 })
	field:setAttraction()
	lu.assertNil((field:getAttraction()))
	lu.assertIs(world:getFields()[1], field)
	field:destroy()
	field:destroy()
	lu.assertFalse(field:isValid())
	lu.assertErrorMsgContains('getWind: field is destroyed (it was field 0 "lake")', field.getWind, field)
	local again = world:newField {}
	lu.assertFalse(field:isValid())
	lu.assertTrue(again:isValid())
	world:destroy()
	lu.assertFalse(again:isValid())
end)

-- --- Bad input ----------------------------------------------------------------------------------------------------------------

both("errors", function(d, wing, dim)
	local world, other = d.newWorld(), d.newWorld()
	local body = other:newBody {}
	local gone = world:newBody {}
	gone:destroy()
	local nan, huge = 0 / 0, math.huge
	local cases = {
		{ nil, "newField: options must be a table" },
		{ { gravty = {} }, "newField: unknown key 'gravty', did you mean 'gravity'?" },
		{ { gravity = { 1 } }, "newField: gravity must be a list {x, y" },
		{ { gravity = wing.vector(nan, 0) }, "newField: gravity[1] must be a finite number, got nan" },
		{ { x = huge }, "newField: x must be a finite number, got inf" },
		{ { x = 1, position = wing.vector(0, 0) }, "newField: position and x, y" },
		{ { shape = 3 }, "newField: shape must be a" },
		{ { body = 3 }, "newField: body must be a body, got 3" },
		{ { body = body }, "newField: body must be a body of this world" },
		{ { body = gone }, "newField: body is destroyed" },
		{ { layers = { "sky" } }, "newField: layers[1]" },
		{ { priority = 0.5 }, "newField: priority must be a whole number between -1000000 and 1000000, got 0.5" },
		{ { replace = 1 }, "newField: replace must be true or false, got 1" },
		{ { attraction = 5 }, "newField: attraction: options must be a table, got 5" },
		{ { attraction = {} }, "newField: attraction: strength is missing" },
		{ { attraction = { strength = 1, falloff = 0.3 } }, "newField: attraction: falloff must be a multiple of 0.5 between 0 and 8, got 0.3" },
		{ { attraction = { strength = 1, minDistance = 0 } }, "newField: attraction: minDistance must be > 0, got 0" },
		{ { vortex = { strength = "a" } }, 'newField: vortex: strength must be a finite number, got "a"' },
		{ { wind = { drag = -1 } }, "newField: wind: drag must be >= 0, got -1" },
		{ { fluid = { density = -2 } }, "newField: fluid: density must be >= 0, got -2" },
		{ { fluid = { velocty = 1 } }, "unknown key 'velocty', did you mean 'velocity'?" },
		{ { name = 5 }, "newField: name must be a string or nil, got 5" },
	}
	for _, case in ipairs(cases) do lu.assertErrorMsgContains(case[2], world.newField, world, case[1]) end
	local chain = dim == "d2" and d.chain { 2, 0, 1, 0, 0, 0 } or d.mesh({ 0, 0, 0, 1, 0, 0, 0, 0, 1 }, { 1, 2, 3 })
	lu.assertErrorMsgContains("newField: shape must be solid, got a", world.newField, world, { shape = chain })
	lu.assertEquals(#world:getFields(), 0)
	local field = world:newField { gravity = wing.vector(0, 1) }
	lu.assertErrorMsgContains("setGravity: x must be a finite number, got nan", field.setGravity, field, nan)
	lu.assertErrorMsgContains("setAttraction: falloff must be a multiple of 0.5", field.setAttraction, field, 1, -1)
	lu.assertErrorMsgContains("setPosition: y must be a finite number", field.setPosition, field, 0)
	lu.assertErrorMsgContains("setEnabled: enabled must be true or false", field.setEnabled, field, 0)
	lu.assertErrorMsgContains("setLayers: layers must be a list", field.setLayers, field, "default")
	lu.assertErrorMsgContains("setGravity: expected a field, got a " .. (dim == "d3" and "3D " or "") .. "world", field.setGravity, world)
	lu.assertEquals(select(2, field:getGravity()), 1)
end)

-- The world is locked in hooks.
both("hooks", function(d, wing)
	local world, field, messages
	messages = {}
	world = d.newWorld { filter = function()
		for _, f in ipairs { function() world:newField {} end, function() field:setEnabled(false) end, function() field:destroy() end } do
			messages[#messages + 1] = select(2, pcall(f))
		end
		return true
	end }
	field = world:newField {}
	world:newBody { shape = wing.ball(d, 0.5) }
	world:newBody { x = 0.2, shape = wing.ball(d, 0.5) }
	world:step(1 / 60)
	lu.assertStrContains(messages[1], "newField: world is locked")
	lu.assertStrContains(messages[2], "setEnabled: world is locked")
	lu.assertStrContains(messages[3], "destroy: world is locked")
end)
