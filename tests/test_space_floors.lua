-- Floors of triangles: bodies that slide or roll over a flat one at 10 m/s do not bump on its edges, bodies that fall fast stop on it, and of many triangles
-- few contact points remain.
local lu = require "luaunit"
local d3 = require("collide").d3
local support = require "support"

local DT, SPEED, SECONDS = 1 / 60, 10, 1.5

-- From x = -3 to beyond 18, at least `width` wide, in cells of that size.
local function size_of(cell, width)
	return math.ceil(21 / cell), math.ceil(width / cell)
end

-- cut: "rising", "falling" or "both" diagonals, or "random" ones and irregular corners.
local function mesh(cell, cut, width)
	local columns, rows = size_of(cell, width)
	local number = support.random_numbers(7)
	local vertices, indices = {}, {}
	for k = 0, rows do for i = 0, columns do
		local inner = cut == "random" and i > 0 and k > 0 and i < columns and k < rows
		local dx, dz = inner and number(-0.35, 0.35) or 0, inner and number(-0.35, 0.35) or 0
		for _, c in ipairs { (i + dx) * cell - 3, 0, (k - rows / 2 + dz) * cell } do vertices[#vertices + 1] = c end
	end end
	-- Twice the area; a reflex corner needs the diagonal through it.
	local function area(a, b, c)
		local x, z = vertices[3 * a - 2], vertices[3 * a]
		return (vertices[3 * b - 2] - x) * (vertices[3 * c] - z) - (vertices[3 * b] - z) * (vertices[3 * c - 2] - x)
	end
	local function front_up(t)
		local least = 0.05 * cell * cell
		return area(t[1], t[2], t[3]) < -least and area(t[4], t[5], t[6]) < -least
	end
	for k = 0, rows - 1 do for i = 0, columns - 1 do
		local a = k * (columns + 1) + i + 1
		local b, c, d = a + 1, a + columns + 1, a + columns + 2
		local rising, falling = { a, c, d, a, d, b }, { a, c, b, b, c, d }
		local first = cut == "rising" or (cut == "both" and (i + k) % 2 == 0) or (cut == "random" and number(0, 1) < 0.5)
		local one, other = first and rising or falling, first and falling or rising
		for _, j in ipairs(cut == "random" and not front_up(one) and other or one) do indices[#indices + 1] = j end
	end end
	return d3.mesh(vertices, indices)
end

local function field(cell, width)
	local columns, rows = size_of(cell, width)
	local heights = {}
	for i = 1, (columns + 1) * (rows + 1) do heights[i] = 0 end
	return d3.heightField { columns = columns + 1, rows = rows + 1, cellWidth = cell, cellDepth = cell, x = -3, z = -rows * cell / 2, heights = heights }
end

local floors = {
	{ "triangles of 0.1, irregular", mesh(0.1, "random", 5) },
	{ "triangles of 1", mesh(1, "rising", 10) }, { "triangles of 1, cut otherwise", mesh(1, "falling", 10) },
	{ "triangles of 1, cut both ways", mesh(1, "both", 10) }, { "triangles of 1, irregular", mesh(1, "random", 10) },
	{ "triangles of 5, irregular", mesh(5, "random", 10) },
	{ "field of 0.1", field(0.1, 5) }, { "field of 1", field(1, 10) }, { "field of 5", field(5, 10) },
}

-- Upright, rotated about the vertical; lying, with the axis initially across the motion.
local function standing(heading) return { 0, math.sin(heading / 2), 0, math.cos(heading / 2) } end

local function lying(heading)
	local s, c = math.sin(heading / 2), math.cos(heading / 2)
	local r = math.sqrt(0.5)
	return { c * r, s * r, -s * r, c * r }
end

-- Flat below, at y = -0.4, irregular elsewhere.
local rock = d3.hull { -0.5, -0.4, -0.4, 0.5, -0.4, -0.3, 0.4, -0.4, 0.4, -0.45, -0.4, 0.5, 0.1, -0.4, 0.55, -0.3, 0.4, -0.2, 0.3, 0.5, -0.3, 0.3, 0.3, 0.35,
	-0.35, 0.45, 0.3 }

local half = math.pi / 2
-- height: of the origin; radius: of bodies that roll.
local bodies = {
	{ "ball", d3.sphere(0.5), height = 0.5, radius = 0.5 },
	{ "box", d3.box(1, 0.8, 1.2), height = 0.4 },
	{ "box, turned", d3.box(1, 0.8, 1.2), height = 0.4, rotation = standing(0.7) },
	{ "rounded box", d3.box(0.8, 0.6, 1, { radius = 0.1 }), height = 0.4, rotation = standing(0.3) },
	{ "plate", d3.box(1, 0.05, 1), height = 0.025, rotation = standing(0.2) },
	{ "hull", rock, height = 0.4 },
	{ "hull, turned", rock, height = 0.4, rotation = standing(1.1) },
	{ "capsule along", d3.capsule(0.3, 1), height = 0.3, rotation = lying(half) },
	{ "capsule across", d3.capsule(0.3, 1), height = 0.3, rotation = lying(0), radius = 0.3 },
	{ "capsule oblique", d3.capsule(0.3, 1), height = 0.3, rotation = lying(0.6), radius = 0.3 },
	{ "cylinder on its base", d3.cylinder(0.5, 0.8), height = 0.4 },
	{ "cylinder along", d3.cylinder(0.3, 1), height = 0.3, rotation = lying(half) },
	{ "cylinder across", d3.cylinder(0.3, 1), height = 0.3, rotation = lying(0), radius = 0.3 },
	{ "cylinder oblique", d3.cylinder(0.3, 1), height = 0.3, rotation = lying(0.6), radius = 0.3 },
	{ "cone on its base", d3.cone(0.5, 0.8), height = 0.4 },
	{ "ellipsoid", d3.ellipsoid(0.5, 0.3, 0.4), height = 0.3 },
}

-- The angular velocity of rolling; with an axis, y, only about that.
local function rolling(kind, body, side)
	if kind[1] == "ball" then return side / kind.radius, 0, -SPEED / kind.radius end
	local x, _, z = body:getWorldVector(0, 1, 0)
	local spin = (side * x - SPEED * z) / kind.radius
	return spin * x, 0, spin * z
end

-- The greatest vertical speed of the centre of mass and its greatest distance from its height at rest [m/s], [m]. rolls: with friction and the spin of rolling;
-- else it slides without friction.
local function slide(floor, kind, rolls, side)
	local world, friction = d3.newWorld { sleeping = false }, rolls and 0.6 or 0
	world:newBody { type = "static", shape = floor, friction = friction }
	local body = world:newBody { shape = kind[2], position = { 0.13, kind.height, 0.07 }, rotation = kind.rotation, friction = friction }
	support.steps(world, 30)
	local _, lay = body:getCenter()
	body:setLinearVelocity(SPEED, 0, side)
	if rolls then body:setAngularVelocity(rolling(kind, body, side)) end
	local fastest, farthest = 0, 0
	for _ = 1, SECONDS / DT do
		world:step(DT)
		local x, y, z = body:getCenter()
		if math.abs(z) > 1.7 then break end -- lying bodies reach 0.8 m to either side
		fastest, farthest = math.max(fastest, math.abs((select(2, body:getLinearVelocity())))), math.max(farthest, math.abs(y - lay))
		assert(x < 17, "the floor ends at 18")
	end
	return fastest, farthest
end

TestSpaceFloors = {}

-- 1 mm/s at most. A body with an axis that also slides along it is slowed by friction below its centre, which loads one end more than the other. Where that
-- sliding ends, so does the friction, from one step to the next, and the springs of both ends respond: on a half-space as here, by 2 mm/s in that step.
function TestSpaceFloors.test_nothing_bumps_on_flat_triangles()
	for _, floor in ipairs(floors) do for _, kind in ipairs(bodies) do for _, side in ipairs { 0, 0.8 } do
		for _, rolls in ipairs(kind.radius and { false, true } or { false }) do
			local fastest, farthest = slide(floor[2], kind, rolls, side)
			local braked = rolls and kind[1] ~= "ball" and (side ~= 0 or kind[1]:find "oblique")
			local what = ("%s on %s, %s, %g m/s aside: %.3g mm/s, %.3g mm"):format(kind[1], floor[1], rolls and "rolling" or "sliding", side, 1e3 * fastest,
				1e3 * farthest)
			lu.assertTrue(fastest < (braked and 3e-3 or 1e-3) and farthest < 2e-4, what)
		end
	end end end
end

-- A box at 150 m/s moves 2.5 m in a step, with random rotation and start. On a corner it may sink in to its centre, for one step.
function TestSpaceFloors.test_no_fast_box_falls_through()
	local number, pick = support.random_numbers(3)
	for round = 1, 120 do
		local floor = floors[pick(#floors)]
		local world = d3.newWorld {}
		world:newBody { type = "static", shape = floor[2] }
		local box = world:newBody { shape = d3.box(number(0.2, 1), number(0.2, 1), number(0.2, 1), { radius = pick(2) == 1 and 0.02 or 0 }),
			position = { number(0, 10), 2 + number(0, 2.5), number(-1, 1) },
			rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(0.1, 1) },
			linearVelocity = { number(-10, 10), -number(20, 150), number(-5, 5) }, angularVelocity = { number(-20, 20), number(-20, 20), number(-20, 20) } }
		for _ = 1, 60 do
			world:step(DT)
			local x, y, z = box:getCenter()
			if math.abs(z) > 2 or x < -2.5 or x > 17 then break end
			lu.assertTrue(y > 0, ("round %d on %s: at %g"):format(round, floor[1], y))
		end
	end
end

-- A plate of 2 m by 1 m on 400 triangles of 0.1 m rests on its four corners.
function TestSpaceFloors.test_contacts_with_many_triangles_are_reduced_to_four_points()
	for _, floor in ipairs { floors[1], floors[7] } do
		local world = d3.newWorld {}
		world:newBody { type = "static", shape = floor[2] }
		world:newBody { shape = d3.box(2, 0.1, 1), position = { 3.03, 0.05, 0.02 }, rotation = standing(0.1) }
		support.steps(world, 60)
		local count, c, s = 0, math.cos(0.1), math.sin(0.1)
		for _, _, _, ny, _, x, _, z in world:contacts() do
			lu.assertAlmostEquals(math.abs(ny), 1, 1e-6)
			local dx, dz = x - 3.03, z - 0.02
			lu.assertAlmostEquals(math.abs(c * dx - s * dz), 1, 1e-3)
			lu.assertAlmostEquals(math.abs(s * dx + c * dz), 0.5, 1e-3)
			count = count + 1
		end
		lu.assertEquals(count, 4, floor[1])
	end
end

-- A body that spins about its upright axis comes to rest in place: friction acts all over the contact area, and does not push it aside.
--   t = I w / (mu m g R), R the mean distance of the contact area from the axis: 2/3 of a disc's radius, 0.38260 of a square's side, 0.53039
--   of a rectangle of 2 by 0.5; I/m = r^2/2 of a disc, r^2 (2 + cos(2 pi/n))/6 of a prism of n corners
-- To within two steps, as friction differs in the first and the last one, and 2 %: rims are polygons of 16 corners.
function TestSpaceFloors.test_spinning_bodies_come_to_rest_in_place()
	local spin, friction, gravity, radius, corners = 10, 0.3, 10, 0.5, 32
	local prism = {}
	for i = 0, corners - 1 do
		for _, y in ipairs { -0.05, 0.05 } do
			local angle = 2 * math.pi * i / corners
			for _, c in ipairs { radius * math.cos(angle), y, radius * math.sin(angle) } do prism[#prism + 1] = c end
		end
	end
	local discs = {
		{ "disc", d3.cylinder(radius, 0.1), 0.05, radius * radius / 2, radius * 2 / 3 }, { "coin", d3.cylinder(0.1, 0.02), 0.01, 0.005, 0.2 / 3 },
		{ "prism", d3.hull(prism), 0.05, radius * radius * (2 + math.cos(2 * math.pi / corners)) / 6, radius * 2 / 3 },
		{ "crate", d3.box(0.6, 0.4, 0.6), 0.2, 0.06, 0.6 * 0.38260 }, { "plank", d3.box(2, 0.1, 0.5), 0.05, 4.25 / 12, 0.53039 },
	}
	for _, floor in ipairs(floors) do
		for _, disc in ipairs(discs) do
			local name, shape, height, inertia, arm = (table.unpack or unpack)(disc)
			local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
			world:newBody { type = "static", shape = floor[2], friction = friction }
			local x, z = 1.013, 0.027
			local body = world:newBody { x = x, y = height, z = z, shape = shape, friction = friction, angularVelocity = { 0, spin, 0 } }
			local steps, farthest = 0, 0
			while steps < 400 and body:isAwake() do
				world:step(DT)
				local px, _, pz = body:getPosition()
				farthest = math.max(farthest, math.sqrt((px - x) ^ 2 + (pz - z) ^ 2))
				local _, w = body:getAngularVelocity()
				if math.abs(w) < 0.01 then break end
				steps = steps + 1
			end
			local message = name .. " on " .. floor[1]
			local time = inertia * spin / (friction * gravity * arm)
			lu.assertAlmostEquals(steps * DT, time, 2 * DT + 0.02 * time, message)
			lu.assertTrue(farthest < 1e-3, message .. ": " .. farthest .. " m aside")
		end
	end
end

-- Friction opposes the sliding, although a long body yields more easily in other directions: it moves straight, by v^2/(2 mu g) (minus half a sub-step's
-- displacement).
function TestSpaceFloors.test_sliding_bodies_move_straight()
	local gravity, friction = 10, 0.5
	local shapes = { { d3.box(2.5, 1, 1), 0.5 }, { d3.box(4, 0.2, 0.5), 0.1 }, { d3.box(1.2, 0.6, 0.8), 0.3 }, { rock, 0.4 } }
	for _, shape in ipairs(shapes) do for _, degrees in ipairs { 0, 20, 45, 70, 90, 200 } do for _, speed in ipairs { 0.5, 5 } do
		local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
		world:newBody { type = "static", shape = d3.halfSpace(0, 1, 0, 0), friction = friction }
		local x, z = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
		local body = world:newBody { y = shape[2], shape = shape[1], friction = friction }
		local fromx, _, fromz = body:getCenter()
		body:setLinearVelocity(speed * x, 0, speed * z)
		support.steps(world, 120)
		local tox, _, toz = body:getCenter()
		local along, aside = (tox - fromx) * x + (toz - fromz) * z, (toz - fromz) * x - (tox - fromx) * z
		local way = speed * speed / (2 * friction * gravity)
		lu.assertAlmostEquals(along, way, speed * DT / 4 + 0.01 * way, degrees)
		lu.assertTrue(math.abs(aside) < 0.01 * way, ("%g aside of %g, shoved at %d degrees"):format(aside, way, degrees))
	end end end
end
