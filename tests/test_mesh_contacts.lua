-- Contact points on meshes that are not flat: a body across a crest is held along the crest, and has contact points on either side of it.
local lu = require "luaunit"
local d3 = require("collide").d3

local SLOP = 0.005

-- A roof of `rows` strips whose crest runs along z through the origin, descending by that angle to either side.
local function roof(degrees, rows)
	local vertices, indices = {}, {}
	for k = 0, rows do for i = -1, 1 do
		for _, c in ipairs { 2 * i, -2 * math.abs(i) * math.tan(math.rad(degrees)), 4 * k / rows - 2 } do vertices[#vertices + 1] = c end
	end end
	for k = 0, rows - 1 do for i = 1, 2 do
		local a = 3 * k + i
		for _, index in ipairs { a, a + 3, a + 4, a, a + 4, a + 1 } do indices[#indices + 1] = index end
	end end
	return d3.mesh(vertices, indices)
end

local function turned(yaw, tilt)
	local y, z = math.rad(yaw) / 2, math.rad(tilt) / 2
	return { math.sin(y) * math.sin(z), math.sin(y) * math.cos(z), math.cos(y) * math.sin(z), math.cos(y) * math.cos(z) }
end

TestMeshContacts = {}

-- The box's ends on the crest are at z = +-0.3. Its edges, 0.5 beside the crest, are 4 to 13 mm above the roof, within the speculative margin.
function TestMeshContacts.test_a_box_on_a_gentle_crest_has_contacts_on_either_side()
	for _, degrees in ipairs { 0.5, 1, 1.5 } do for rows = 1, 12 do
		local world = d3.newWorld { gravity = { 0, 0, 0 } }
		world:newBody { type = "static", shape = roof(degrees, rows) }
		world:newBody { y = 0.149, shape = d3.box(1, 0.3, 0.6) }
		world:step(1 / 60)
		local left, right, front, back = 0, 0, 0, 0
		for _, _, _, _, _, x, _, z, separation in world:contacts() do
			left, right = math.min(left, x), math.max(right, x)
			if separation < SLOP then front, back = math.min(front, z), math.max(back, z) end
		end
		local message = ("%g degrees, %d rows: x %.3f to %.3f, z %.3f to %.3f"):format(degrees, rows, left, right, front, back)
		lu.assertAlmostEquals(left, -0.5, 0.01, message)
		lu.assertAlmostEquals(right, 0.5, 0.01, message)
		lu.assertAlmostEquals(front, -0.3, 0.01, message)
		lu.assertAlmostEquals(back, 0.3, 0.01, message)
	end end
end

-- A box laid down tilted rocks on the crest, and has a contact wherever it comes down: it is at most a slop deep, and rests.
function TestMeshContacts.test_a_box_that_rocks_on_a_crest_does_not_sink_in()
	for _, degrees in ipairs { 1, 3 } do for _, yaw in ipairs { 0, 30, 77 } do for _, hz in ipairs { 60, 120 } do
		local world = d3.newWorld { gravity = { 0, -10, 0 } }
		local ground, shape = roof(degrees, 4), d3.box(1, 0.3, 0.6)
		world:newBody { type = "static", shape = ground }
		local body = world:newBody { y = 0.17, z = 0.013, shape = shape, rotation = turned(yaw, 1) }
		local deepest = 0
		for _ = 1, 3 * hz do
			world:step(1 / hz)
			deepest = math.max(deepest, -d3.distance(ground, nil, shape, d3.pose(body:getTransform())))
		end
		local message = ("%d degrees, yaw %d, %d Hz: %.1f mm deep"):format(degrees, yaw, hz, 1000 * deepest)
		lu.assertTrue(deepest <= SLOP, message)
		lu.assertFalse(body:isAwake(), message)
	end end end
end

-- A plate that has sunk in to its middle on a crest, tilted along it, is held along the crest, not by one of its ends: it comes out and rests.
function TestMeshContacts.test_a_plate_deep_in_a_crest_comes_out()
	local ground, shape = roof(2.9, 1), d3.box(2, 0.1, 1)
	for _, hz in ipairs { 30, 60, 120 } do for _, degrees in ipairs { 0.5, 1, 2, 3 } do
		local world, half = d3.newWorld { gravity = { 0, -10, 0 } }, math.rad(degrees) / 2
		world:newBody { type = "static", shape = ground }
		local body = world:newBody { y = 0.005, shape = shape, rotation = { math.sin(half), 0, 0, math.cos(half) } }
		for _ = 1, 4 * hz do world:step(1 / hz) end
		local depth = -d3.distance(ground, nil, shape, d3.pose(body:getTransform()))
		local message = ("%g degrees, %d Hz: %.1f mm deep"):format(degrees, hz, 1000 * depth)
		lu.assertTrue(depth <= SLOP, message)
		lu.assertFalse(body:isAwake(), message)
	end end
end

local random = require("support").random_numbers(1)

-- Hills of that height every 6 m, on cells of 1 m; all x are stored as multiples of `unit`.
local function hills(height, unit)
	local vertices, indices, count = {}, {}, 12
	for i = 0, count do for k = 0, count do
		local y = height * math.sin(math.pi * i / 3) * math.sin(math.pi * k / 3)
		vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = (i - 6) * unit, y, k - 6
		local a = (count + 1) * i + k + 1
		if i < count and k < count then
			for _, index in ipairs { a, a + 1, a + count + 2, a, a + count + 2, a + count + 1 } do indices[#indices + 1] = index end
		end
	end end
	return d3.mesh(vertices, indices)
end

-- The deepest separation and its normal after a step without gravity.
local function touched(ground, shape, x, y, z, rotation)
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	world:newBody { type = "static", shape = ground }
	world:newBody { shape = shape, x = x, y = y, z = z, rotation = rotation }
	world:step(1 / 240)
	local deepest, nx, ny, nz
	for _, _, a, b, c, _, _, _, separation in world:contacts() do
		if deepest == nil or separation < deepest then deepest, nx, ny, nz = separation, a, b, c end
	end
	return deepest, nx, ny, nz
end

-- A mesh scaled along one axis equals one built at that size, but its triangles are tested one by one: both have the same contacts.
function TestMeshContacts.test_triangles_tested_one_by_one_have_the_same_contacts()
	local shapes = { d3.box(1, 0.6, 0.8), d3.box(2.4, 0.2, 1.8), d3.box(1, 0.6, 0.8, { radius = 0.1 }), d3.hull { 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1 } }
	for _, height in ipairs { 0.02, 0.1, 0.3 } do
		local together, alone = hills(height, 1), hills(height, 0.5):scaled(2, 1, 1)
		for s, shape in ipairs(shapes) do for try = 1, 40 do
			local flat, x, z = try % 2 == 0, random(-3, 3), random(-3, 3)
			local rotation = flat and turned(random(0, 360), random(-3, 3)) or turned(random(0, 360), random(-180, 180))
			local y = 3
			for _ = 1, 60 do y = y - d3.distance(together, nil, shape, d3.pose(x, y, z, (table.unpack or unpack)(rotation))) end
			local depth = random(0, 0.004)
			local one, nx, ny, nz = touched(together, shape, x, y - depth, z, rotation)
			local other, ox, oy, oz = touched(alone, shape, x, y - depth, z, rotation)
			local message = ("height %g, shape %d, try %d: %s and %s deep"):format(height, s, try, one, other)
			lu.assertEquals(one == nil, other == nil, message)
			if one then
				lu.assertAlmostEquals(one, other, 2 * 0.0005, message) -- twice the tolerance of contact points
				lu.assertTrue(nx * ox + ny * oy + nz * oz > 0.99, message)
			end
		end end
	end
end
