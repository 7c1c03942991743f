-- Bodies thrown fast and with spin gain no energy, and fall through nothing.
--
-- Energy E, kinetic plus potential, never grows. A body that is below the floor by d when a step begins may be pushed out: its centre rises by at most d and at
-- most 3 m/s times dt, E by that times m g. All else in a step takes or keeps energy. E starts at some 20 J a kg; 0.1 % of it is the oscillation of bodies with
-- three different moments in flight.
local lu, collide = require "luaunit", require "collide"
local d2, d3 = collide.d2, collide.d3
local random_numbers = require("support").random_numbers

local G, DT = 10, 1 / 60

-- --- Energy ------------------------------------------------------------------------------------------------------------------

TestThrows = {}

local function needle(radius)
	local points = { 0, -0.5, 0, 0, 0.5, 0 }
	for i = 0, 4 do
		local n, angle = #points, i * 2 * math.pi / 5
		points[n + 1], points[n + 2], points[n + 3] = radius * math.cos(angle), 0, radius * math.sin(angle)
	end
	return d3.hull(points)
end

-- The ratios of their moments of inertia are 1 to 1 .. 12000.
local thrown = {
	thread = d3.capsule(0.0037, 1), rod = d3.capsule(0.02, 1), limb = d3.capsule(0.1, 1), stick = d3.box(0.03, 1, 0.03), lath = d3.box(0.03, 1, 0.15),
	["rounded lath"] = d3.box(0.04, 1, 0.1, { radius = 0.015 }), plate = d3.box(1, 0.02, 1), sheet = d3.box(1, 0.01, 0.3),
	["round stick"] = d3.cylinder(0.015, 1), disc = d3.cylinder(0.5, 0.02), spike = d3.cone(0.03, 1), hat = d3.cone(0.5, 0.03),
	needle = needle(0.02), ["fine needle"] = needle(0.01), blade = d3.ellipsoid(0.02, 0.5, 0.04), lens = d3.ellipsoid(0.5, 0.02, 0.5),
	brick = d3.box(0.5, 0.2, 0.3), cube = d3.box(0.5, 0.5, 0.5),
}

local function wide_mesh()
	local points, triangles = {}, {}
	for k = -8, 8 do
		for i = -8, 8 do
			local n = #points
			points[n + 1], points[n + 2], points[n + 3] = 3 * i, 0, 3 * k
		end
	end
	for k = 0, 15 do
		for i = 1, 16 do
			local a = k * 17 + i
			for _, point in ipairs { a, a + 17, a + 18, a, a + 18, a + 1 } do triangles[#triangles + 1] = point end
		end
	end
	return d3.mesh(points, triangles)
end

local floors = { { shape = d3.halfSpace(0, 1, 0, 0) }, { shape = d3.box(200, 1, 200), y = -0.5 }, { shape = wide_mesh() } }

-- Returns the greatest relative excess of E over its bound.
local function throw(shape, number, pick, substeps)
	local friction, spin = ({ 0, 0.3, 0.6, 1, 2 })[pick(5)], ({ 10, 50 })[pick(2)]
	local world, ground = d3.newWorld { gravity = { 0, -G, 0 }, substeps = substeps }, floors[pick(3)]
	world:newBody { type = "static", y = ground.y, shape = ground.shape, friction = friction }
	local body = world:newBody {
		shape = shape, friction = friction, y = number(0.55, 1), rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) },
		linearVelocity = { number(-5, 5), number(-8, 0), number(-5, 5) },
		angularVelocity = { spin * number(-1, 1), spin * number(-1, 1), spin * number(-1, 1) },
	}
	local mass = body:getMass()
	local function energy() return body:getKineticEnergy() + mass * G * select(2, body:getCenter()) end
	local start, pushed, most = energy(), 0, 0
	for _ = 1, 90 do
		local _, low = d3.aabb(shape, d3.pose(body:getTransform()))
		pushed = pushed + mass * G * math.min(math.max(-low, 0), 3 * DT)
		world:step(DT)
		most = math.max(most, energy() / (start + pushed) - 1)
	end
	return most
end

function TestThrows.test_gain_no_energy()
	local names = {}
	for name in pairs(thrown) do names[#names + 1] = name end
	table.sort(names)
	local number, pick = random_numbers(2024)
	for _, substeps in ipairs { 1, 2, 4, 8 } do
		for _, name in ipairs(names) do
			for i = 1, 15 do
				local won = throw(thrown[name], number, pick, substeps)
				lu.assertTrue(won <= 1e-3, ("%s %d, %d sub-steps: %g"):format(name, i, substeps, won))
			end
		end
	end
end

-- Without gravity, between six walls: all bodies hit each other and the walls. A body pushed out of a wall may gain a little: in one step of a thousand more
-- than 0.1 % of all energy, and never more than 1 %. In each half second energy is lost.
function TestThrows.test_a_crowd_gains_no_energy()
	local steps, wins = 0, 0
	for draws = 1, 4 do
		local number = random_numbers(7 * draws)
		for _, friction in ipairs { 0, 0.6, 2 } do
			for _, substeps in ipairs { 1, 4, 8 } do
				local world, bodies = d3.newWorld { gravity = { 0, 0, 0 }, substeps = substeps }, {}
				for axis = 1, 3 do
					for side = -1, 1, 2 do
						world:newBody { type = "static", friction = friction,
							shape = d3.halfSpace(axis == 1 and side or 0, axis == 2 and side or 0, axis == 3 and side or 0, -2) }
					end
				end
				for i, name in ipairs { "thread", "rod", "lath", "disc", "spike", "needle", "stick", "rod", "thread", "lens", "rod", "lath" } do
					bodies[i] = world:newBody {
						shape = thrown[name], friction = friction, position = { number(-1.3, 1.3), number(-1.3, 1.3), number(-1.3, 1.3) },
						rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) },
						linearVelocity = { number(-5, 5), number(-5, 5), number(-5, 5) },
						angularVelocity = { number(-20, 20), number(-20, 20), number(-20, 20) },
					}
				end
				local function energy()
					local sum = 0
					for _, body in ipairs(bodies) do sum = sum + body:getKineticEnergy() end
					return sum
				end
				local start, before, earlier = energy(), energy(), energy()
				for i = 1, 120 do
					world:step(DT)
					local now, what = energy(), ("draws %d, friction %g, %d sub-steps, step %d"):format(draws, friction, substeps, i)
					lu.assertTrue(now <= before + 1e-2 * start, ("%s: %g to %g"):format(what, before, now))
					steps, wins, before = steps + 1, wins + (now > before + 1e-3 * start and 1 or 0), now
					if i % 30 == 0 then
						lu.assertTrue(now < earlier, ("%s: %g to %g"):format(what, earlier, now))
						earlier = now
					end
				end
				world:destroy()
			end
		end
	end
	lu.assertTrue(wins <= 1e-3 * steps, ("%d of %d steps"):format(wins, steps))
end

-- --- Flight ------------------------------------------------------------------------------------------------------------------

-- Moments from 1 to 10000, rotations of up to a radian in a sub-step: momentum is kept to rounding errors, 2e-7 a sub-step in either direction, energy to the
-- oscillation of bodies with three different moments.
function TestThrows.test_fly_freely()
	for _, moments in ipairs { { 1, 0.01, 1 }, { 1e-4, 1, 1 }, { 1, 1.00005, 1e-4 }, { 0.3, 1, 1.1 }, { 1, 1, 2 }, { 1, 2.2, 1.3 } } do
		for _, substeps in ipairs { 1, 4 } do
			local world = d3.newWorld { gravity = { 0, 0, 0 }, substeps = substeps }
			local body = world:newBody {
				shape = d3.sphere(0.1), mass = 1, inertia = { moments[1], moments[2], moments[3], 0, 0, 0 }, angularVelocity = { 20, 30, -10 },
			}
			local energy, x0, y0, z0 = body:getKineticEnergy(), body:getAngularMomentum()
			for _ = 1, 300 do
				world:step(DT)
				local x, y, z = body:getAngularMomentum()
				lu.assertAlmostEquals(body:getKineticEnergy(), energy, 2e-4 * energy)
				lu.assertTrue((x - x0) ^ 2 + (y - y0) ^ 2 + (z - z0) ^ 2 <= 1e-8 * (x0 ^ 2 + y0 ^ 2 + z0 ^ 2))
			end
		end
	end
end

-- A slat of 1 m rotates about its long axis, half a turn in 6 steps, and flies along a floor. The speed of its edges follows from their distance of 5 mm from
-- that axis, not from the slat's middle. They come no closer than 7 mm, more than the separation that sweeps keep: nothing slows the slat.
function TestThrows.test_fly_freely_along_a_floor()
	for _, height in ipairs { 0.012, 0.015, 0.02, 0.1 } do
		local world = d3.newWorld { gravity = { 0, 0, 0 } }
		world:newBody { type = "static", y = -1, shape = d3.box(20, 2, 20) }
		local slat = world:newBody { y = height, shape = d3.box(0.01, 0.00125, 1), linearVelocity = { 1, 0, 0 }, angularVelocity = { 0, 0, -31 } }
		for _ = 1, 60 do world:step(DT) end
		local x, y = slat:getPosition()
		lu.assertAlmostEquals(x, 1, 1e-5, "at " .. height)
		lu.assertAlmostEquals(y, height, 1e-6)
	end
end

-- --- Grounds -----------------------------------------------------------------------------------------------------------------

local R, cells = 16, {} -- a wavy ground of cells of 1 m
for k = -R, R do
	for i = -R, R do cells[#cells + 1] = 0.3 * math.sin(2 * i) * math.cos(2 * k) end
end

local function wavy_mesh(options)
	local points, triangles, columns = {}, {}, 2 * R + 1
	for i, y in ipairs(cells) do
		local n = #points
		points[n + 1], points[n + 2], points[n + 3] = (i - 1) % columns - R, y, math.floor((i - 1) / columns) - R
	end
	for k = 0, 2 * R - 1 do
		for i = 1, 2 * R do
			local a = k * columns + i
			for _, point in ipairs { a, a + columns, a + columns + 1, a, a + columns + 1, a + 1 } do triangles[#triangles + 1] = point end
		end
	end
	return d3.mesh(points, triangles, options)
end

local grounds = {
	["two-sided"] = wavy_mesh(), ["one-sided"] = wavy_mesh { oneSided = true }, plate = d3.box(2 * R, 0.02, 2 * R),
	heights = d3.heightField { heights = cells, columns = 2 * R + 1, rows = 2 * R + 1, cellWidth = 1, cellDepth = 1, x = -R, z = -R },
}

local solids = {
	function(size) return d3.box(size, size, size) end,
	function(size) return d3.box(size, size, size, { radius = 0.1 * size }) end,
	function(size) return d3.box(size, 0.2 * size, 0.7 * size) end,
	function(size) return d3.capsule(0.2 * size, size) end,
	function(size) return d3.cylinder(0.3 * size, size) end,
	function(size) return d3.cone(0.4 * size, size) end,
	function(size) return d3.ellipsoid(0.5 * size, 0.2 * size, 0.35 * size) end,
	function(size, number)
		local points = {}
		for i = 1, 42, 3 do
			local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
			local scale = size / 2 / (math.sqrt(x * x + y * y + z * z) + 1e-3)
			points[i], points[i + 1], points[i + 2] = scale * x, scale * y, scale * z
		end
		return d3.hull(points)
	end,
}

-- Sizes of 0.1 to 2 m, at 5 to 200 m/s. The lowest valleys are at -0.3.
function TestThrows.test_fall_through_nothing()
	for name, ground in pairs(grounds) do
		local number, pick = random_numbers(99)
		for i = 1, 250 do
			local size, speed, up = 0.1 * 20 ^ number(0, 1), 5 * 40 ^ number(0, 1), number(1.5, 4)
			local x, z, dx, dz = number(-3, 3), number(-3, 3), number(-0.6, 0.6), number(-0.6, 0.6)
			local part = speed / math.sqrt(dx * dx + 1 + dz * dz)
			local world = d3.newWorld {}
			world:newBody { type = "static", shape = ground }
			local body = world:newBody {
				shape = solids[pick(#solids)](size, number), position = { x - dx * up, up, z - dz * up }, linearVelocity = { part * dx, -part, part * dz },
				rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) },
				angularVelocity = { number(-10, 10), number(-10, 10), number(-10, 10) },
			}
			for _ = 1, 35 do
				world:step(DT)
				local cx, cy, cz = body:getCenter()
				if math.max(math.abs(cx), math.abs(cz)) > R - 1 then break end
				lu.assertTrue(cy > -0.32, ("%s %d: %.2f m, %.0f m/s"):format(name, i, size, speed))
			end
			world:destroy()
		end
	end
end

-- --- Rooms of tiles ----------------------------------------------------------------------------------------------------------

-- A room whose walls are tiles of 1 m, without gravity and friction: no body gains energy, also when it bounces off two tiles or a corner at once. A bounce may
-- leave 2 % too much energy, see RESTITUTION_PASSES, and a thrown body hits a seam that way up to twice.
local function check_tiles(dimension, hertz, thickness)
	local wing, half = dimension == 2 and d2 or d3, 4
	local world = wing.newWorld { gravity = dimension == 2 and { 0, 0 } or { 0, 0, 0 } }
	local walls = world:newBody { type = "static" }
	local function wall(w, h, depth, x, y, z)
		walls:newCollider(dimension == 2 and d2.box(w, h, { x = x, y = y }) or d3.box(w, h, depth, { x = x, y = y, z = z }), { restitution = 1, friction = 0 })
	end
	for i = 0.5 - half, half - 0.5 do
		for side = -half, half, 2 * half do
			wall(1, thickness, 2 * half, i, side, 0)
			wall(thickness, 1, 2 * half, side, i, 0)
		end
	end
	if dimension == 3 then
		for side = -half, half, 2 * half do wall(2 * half, 2 * half, thickness, 0, 0, side) end
	end
	local number, bodies, energy = random_numbers(5), {}, {}
	for i = 1, 200 do
		local r, speed, angle, up = number(0.05, 0.35), 3 * 100 ^ number(0, 1), number(0, 6.3), dimension == 3 and number(-0.7, 0.7) or 0
		local ball, bar, box
		if dimension == 2 then
			ball, bar, box = d2.circle(r), d2.capsule(-r, 0, r, 0, r / 2), d2.box(2 * r, 2 * r)
		else
			ball, bar, box = d3.sphere(r), d3.capsule(-r, 0, 0, r, 0, 0, r / 2), d3.box(2 * r, 2 * r, 2 * r)
		end
		local x, y, z = number(-3, 3), number(-3, 3), number(-3, 3)
		local body = world:newBody { x = x, y = y, shapes = { { shape = ({ ball, bar, box })[i % 3 + 1], group = -1, restitution = 1, friction = 0 } } }
		local vx, vy, w = speed * math.cos(angle), speed * math.sin(angle), number(-30, 30)
		if dimension == 2 then
			body:setLinearVelocity(vx, vy)
			body:setAngularVelocity(w)
		else
			body:setPosition(x, y, z)
			body:setLinearVelocity(vx, vy, up * speed)
			body:setAngularVelocity(w, number(-30, 30), number(-30, 30))
		end
		bodies[i], energy[i] = body, body:getKineticEnergy()
	end
	for _ = 1, 2 * hertz do
		world:step(1 / hertz)
		for i, body in ipairs(bodies) do
			local gain = body:getKineticEnergy() / energy[i] - 1
			lu.assertTrue(gain <= 0.05, ("%dD, %d Hz, %g m: %d wins %.3f"):format(dimension, hertz, thickness, i, gain))
		end
	end
	for _, body in ipairs(bodies) do
		for _, at in ipairs { body:getCenter() } do lu.assertTrue(math.abs(at) < half) end
	end
end

function TestThrows.test_tiles_add_no_energy()
	for dimension = 2, 3 do
		for _, hertz in ipairs { 30, 60 } do
			for _, thickness in ipairs { 0.01, 0.05 } do check_tiles(dimension, hertz, thickness) end
		end
	end
end

-- A rotating cube that hits two walls of a corner at once leaves both with its speed: 1e-3 is the precision of restitution.
function TestThrows.test_corners_add_no_energy()
	local number = random_numbers(11)
	for i = 1, 60 do
		local world = d3.newWorld { gravity = { 0, 0, 0 } }
		local walls = { restitution = 1, friction = 0 }
		local corner = world:newBody { type = "static" }
		corner:newCollider(d3.halfSpace(-1, 0, 0, 0), walls)
		corner:newCollider(d3.halfSpace(0, -1, 0, 0), walls)
		local body = world:newBody {
			x = -1, y = -1, restitution = 1, friction = 0, shape = d3.box(0.5, 0.5, 0.5), rotation = { number(-1, 1), number(-1, 1), number(-1, 1), 1 },
			linearVelocity = { number(4, 20), number(4, 20), 0 }, angularVelocity = { number(-60, 60), number(-60, 60), number(-60, 60) },
		}
		local before = body:getKineticEnergy()
		for _ = 1, 30 do world:step(DT) end
		lu.assertTrue(body:getKineticEnergy() <= 1.05 * before, ("%d wins %.3f"):format(i, body:getKineticEnergy() / before - 1))
		world:destroy()
	end
end

-- --- Moving rooms ------------------------------------------------------------------------------------------------------------

-- In a room with walls of 5 cm that sways at up to 2 m/s, no wall passes over a body that it has stopped: of 200 of each shape, at up to 150 m/s, none gets
-- out.
function TestThrows.test_no_wall_passes_over_bodies_it_stops()
	local shapes = {
		{ d3.box(0.4, 0.1, 0.3) }, { d3.capsule(0.06, 0.3) }, { d3.cone(0.15, 0.3) },
	}
	for which, parts in ipairs(shapes) do
		local number, world = random_numbers(which), d3.newWorld { gravity = { 0, -G, 0 } }
		local walls, bodies, entries, out = world:newBody { type = "kinematic" }, {}, {}, 0
		for side = -1, 1, 2 do
			walls:newCollider(d3.box(0.05, 10.1, 10.1, { x = 5.025 * side }), { restitution = 0.5 })
			walls:newCollider(d3.box(10.1, 0.05, 10.1, { y = 5.025 * side }), { restitution = 0.5 })
			walls:newCollider(d3.box(10.1, 10.1, 0.05, { z = 5.025 * side }), { restitution = 0.5 })
		end
		for i, part in ipairs(parts) do entries[i] = { shape = part, group = -1, restitution = 0.5 } end
		for i = 1, 200 do
			local angle, up, speed = number(0, 6.3), number(-1, 1), number(5, 150)
			local across = speed * math.sqrt(1 - up * up)
			bodies[i] = world:newBody {
				x = number(-4, 4), y = number(-4, 4), z = number(-4, 4), rotation = { number(-1, 1), number(-1, 1), number(-1, 1), 1 }, shapes = entries,
				linearVelocity = { across * math.cos(angle), speed * up, across * math.sin(angle) }, angularVelocity = { number(-60, 60), number(-60, 60), number(-60, 60) },
			}
		end
		for step = 1, 60 do
			walls:setLinearVelocity(2 * math.cos(0.4 * step), 1.5 * math.sin(0.3 * step), math.cos(0.35 * step))
			world:step(1 / 30)
		end
		for _, body in ipairs(bodies) do
			local x, y, z = walls:getLocalPoint(body:getCenter())
			if math.max(math.abs(x), math.abs(y), math.abs(z)) > 5.05 then out = out + 1 end
		end
		lu.assertEquals(out, 0, "shapes " .. which)
		world:destroy()
	end
end
