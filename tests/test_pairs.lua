-- Which shapes collide: any two, one of them on a dynamic body. Terrain (chain, half-plane, mesh, height field, half-space) has no contacts with terrain, so a
-- dynamic body may have it only as a sensor: every way to break that raises an error.
local lu, collide = require "luaunit", require "collide"
local support = require "support"

TestCollidingPairs = {}

local d2, d3 = collide.d2, collide.d3

-- Each has its top at about y = 0 above the origin, and its bottom at -1 or higher.
local shapes = {
	d2 = {
		circle = d2.circle(0.5, 0, -0.5), capsule = d2.capsule(-2, -0.5, 2, -0.5, 0.5), segment = d2.segment(-2, 0, 2, 0),
		box = d2.box(4, 1, { y = -0.5 }), polygon = d2.polygon { -2, 0, 2, 0, 0, -1 }, ellipse = d2.ellipse(2, 0.5, { y = -0.5 }),
		chain = d2.chain { 9, 0, 0.1, 0, -9, 0 }, halfPlane = d2.halfPlane(0, 1, 0),
	},
	d3 = {
		sphere = d3.sphere(0.5, 0, -0.5, 0), box = d3.box(4, 1, 4, { y = -0.5 }), capsule = d3.capsule(-2, -0.5, 0, 2, -0.5, 0, 0.5),
		cylinder = d3.cylinder(2, 1, { y = -0.5 }), cone = d3.cone(2, 1, { y = -0.5 }), ellipsoid = d3.ellipsoid(2, 0.5, 2, { y = -0.5 }),
		taperedCapsule = d3.taperedCapsule(-1, -0.4, 0, 0.5, 1, -0.4, 0, 0.5), hull = d3.hull { -2, 0, -2, 2, 0, -2, 0, 0, 2, 0, -1, 0 },
		triangle = d3.triangle(-4, 0, -4, 4, 0, -4, 0, 0, 4), segment = d3.segment(-2, 0, 0, 2, 0, 0), halfSpace = d3.halfSpace(0, 1, 0, 0),
		mesh = d3.mesh({ -9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9 }, { 1, 3, 2, 1, 4, 3 }),
		heightField = d3.heightField { heights = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, columns = 3, rows = 3, cellWidth = 9, cellDepth = 9, x = -9, z = -9 },
		compound = d3.compound { d3.box(4, 1, 4, { y = -0.5 }) },
	},
}
local terrain = { chain = true, halfPlane = true, mesh = true, heightField = true, halfSpace = true }

local function names(dim)
	local list = {}
	for name in pairs(shapes[dim]) do list[#list + 1] = name end
	table.sort(list)
	return list
end

-- Whether the event happens within so many steps.
local function happens(world, event, steps)
	local found = false
	for _ = 1, steps do
		world:step(1 / 60)
		for _ in world[event](world) do found = true end
	end
	return found
end

local function unit_mass(dim, body)
	if dim == "d2" then body:setMassData(1, 0, 0, 1) else body:setMassData(1, 0, 0, 0, 1, 1, 1, 0, 0, 0) end
end

for _, dim in ipairs { "d2", "d3" } do
	local d, vector = collide[dim], support.wings[dim].vector

	-- Upside down, half a metre above the other's top, it falls for 0.32 s until contact: 19 steps.
	TestCollidingPairs["test_" .. dim .. "_every_pair_collides_or_is_refused"] = function()
		for _, upper in ipairs(names(dim)) do
			for _, lower in ipairs(names(dim)) do
				for _, type in ipairs { "static", "kinematic", "dynamic" } do
					local world = d.newWorld { gravity = vector(0, type == "dynamic" and 0 or -10) }
					local function add(name, kind, options)
						options.type, options.shape = kind, shapes[dim][name]
						local made, body = pcall(world.newBody, world, options)
						lu.assertEquals(made, kind ~= "dynamic" or not terrain[name], ("%s, %s"):format(name, kind))
						if made and kind == "dynamic" then unit_mass(dim, body) end
						return made and body
					end
					local options = { y = 0.5, linearVelocity = vector(0, type == "dynamic" and -3 or 0) }
					if dim == "d2" then options.angle = math.pi else options.rotation = { 1, 0, 0, 0 } end
					if add(upper, "dynamic", options) and add(lower, type, {}) then
						lu.assertTrue(happens(world, "beginContacts", 25), upper .. " on " .. lower .. ", " .. type)
						world:validate()
					end
				end
			end
		end
	end

	-- Crossing shapes overlap, of whatever kind, except two infinite ones: those have no AABBs to be found by.
	TestCollidingPairs["test_" .. dim .. "_sensors_sense_every_pair"] = function()
		local endless = { halfPlane = true, halfSpace = true }
		for _, one in ipairs(names(dim)) do
			for _, two in ipairs(names(dim)) do
				local world = d.newWorld { gravity = vector(0, 0) }
				world:newBody { type = "static", shape = shapes[dim][one], sensor = true }
				local turn = dim == "d2" and { angle = 1 } or { rotation = { 0.3, 0.2, 0.5, 1 } }
				turn.type, turn.shape = "kinematic", shapes[dim][two]
				world:newBody(turn)
				lu.assertEquals(happens(world, "beginOverlaps", 2), not (endless[one] and endless[two]), one .. " and " .. two)
			end
		end
	end

	TestCollidingPairs["test_" .. dim .. "_terrain_on_dynamic_bodies_is_refused"] = function()
		for name in pairs(terrain) do
			local shape = shapes[dim][name]
			if shape then
				local world = d.newWorld()
				local ball = support.wings[dim].ball(d, 1)
				local body, ground = world:newBody { shape = ball }, world:newBody { type = "static", shape = shape }
				local count, hash = world:getBodyCount(), world:hash()
				local must = " must be solid, or a sensor's, on a dynamic body, got a " .. name
				for message, make in pairs {
					["newBody: shape" .. must] = function() world:newBody { shape = shape, mass = 1 } end,
					["newBody: shapes[2].shape" .. must] = function() world:newBody { shapes = { { shape = ball }, { shape = shape } } } end,
					["newCollider: shape" .. must] = function() body:newCollider(shape) end,
					["setShape: shape" .. must] = function() body:getColliders()[1]:setShape(shape) end,
					['setType: type must be "static" or "kinematic" for a body with a ' .. name .. ', got "dynamic"'] = function()
						ground:setType "dynamic"
					end,
				} do
					lu.assertErrorMsgContains(message, make)
				end
				lu.assertEquals({ world:getBodyCount(), world:hash(), #body:getColliders(), ground:getType() }, { count, hash, 1, "static" })
				body:newCollider(shape, { sensor = true })
				ground:setType "kinematic"
				world:newBody { type = "static", shape = ball }:setType "dynamic"
				world:step(1 / 60)
			end
		end
	end
end

-- Sticks without thickness stay above ground without thickness, at any angle and rate; and on each other.
function TestCollidingPairs.test_segments_hold_segments_and_chains()
	for _, hz in ipairs { 30, 60, 120 } do
		for name, ground in pairs { chain = d2.chain { 50, 0, 20, 0, 0, 0, -20, 0, -50, 0 }, segment = d2.segment(-50, 0, 50, 0), plane = d2.halfPlane(0, 1, 0) } do
			local world, sticks = d2.newWorld(), {}
			world:newBody { type = "static", shape = ground }
			for i = 1, 20 do
				local stick = world:newBody { x = (i - 10) * 2.1, y = 1.5 + i * 0.03, angle = i * 0.37, shape = d2.segment(-1, 0, 1, 0), angularVelocity = i % 9 - 4,
					linearVelocity = { i % 7 - 3, -(i % 5) * 3 } }
				stick:setMassData(1, 0, 0, 1 / 3)
				sticks[i] = stick
			end
			for _ = 1, 4 * hz do world:step(1 / hz) end
			for i, stick in ipairs(sticks) do
				local _, y = stick:getPosition()
				lu.assertTrue(y > -0.03, ("stick %d on a %s at %d Hz: %g"):format(i, name, hz, y))
			end
		end
	end
end

-- Among many awake bodies at rest, a sensor that appears senses exactly those that it overlaps, whatever its size and type, and wherever they are; also
-- those that were moved since.
for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], support.wings[dim]
	TestCollidingPairs["test_" .. dim .. "_newcomers_meet_bodies_at_rest"] = function()
		local number, choice = support.random_numbers(7)
		local world, ball = d.newWorld { gravity = wing.vector(0, 0), sleeping = false }, wing.ball(d, 0.5)
		local places, balls, moved = {}, {}, 1
		local function place(spread) return { number(-spread, spread), number(-spread, spread), dim == "d3" and number(-spread, spread) or 0 } end
		local function at(p, options) options.x, options.y, options.z = p[1], p[2], dim == "d3" and p[3] or nil return options end
		for i = 1, 300 do
			places[i] = place(i % 50 == 0 and i > 64 and 1e4 or i > 64 and 15 or 0.7) -- the first 64 are a heap
			balls[i] = world:newBody(at(places[i], { shape = ball, group = -1 }))
		end
		world:step(1 / 60)
		for i = 1, 120 do
			local p, radius, sensors, expected = places[i % 2 == 0 and moved or choice(#places)], ({ 0.01, 0.3, 2, 12, 200 })[i % 5 + 1], {}, 0
			for k = 1, 35 do -- one near a ball, small ones far from all
				radius = k == 1 and radius or 0.01
				local from = place(k == 1 and radius or 5e4)
				local center = { p[1] + from[1], p[2] + from[2], p[3] + from[3] }
				local type = ({ "dynamic", "kinematic", "static" })[i % 3 + 1]
				sensors[k] = world:newBody(at(center, { type = type, sensor = true, shape = wing.ball(d, radius) }))
				for _, q in ipairs(places) do
					local square = (q[1] - center[1]) ^ 2 + (q[2] - center[2]) ^ 2 + (q[3] - center[3]) ^ 2
					expected = expected + (square < (radius + 0.5) ^ 2 and 1 or 0)
				end
			end
			world:step(1 / 60)
			local sensed = 0
			for _, visitor in world:beginOverlaps() do sensed = sensed + (visitor:isSensor() and 0 or 1) end
			lu.assertEquals(sensed, expected, ("%s, radius %g"):format(i, radius))
			for _, sensor in ipairs(sensors) do sensor:destroy() end
			moved = choice(64)
			places[moved] = place(0.7)
			places[moved][1] = number(-5, 5)
			balls[moved]:setPosition(places[moved][1], places[moved][2], dim == "d3" and places[moved][3] or nil)
		end
	end
end

-- The contacts of a few bodies that rest and move through each other are the same beside hundreds of others far away.
for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], support.wings[dim]
	-- The number of contacts after each step of a world with these groups: `count` bodies about x.
	local function contacts(groups)
		local world, bodies, counts = d.newWorld { gravity = wing.vector(0, 0) }, {}, {}
		for _, group in ipairs(groups) do
			local number = support.random_numbers(group.count)
			for i = 1, group.count do
				local reach, speed = 0.8 * group.count ^ 0.5, i % 3 == 0 and 0 or 3
				bodies[#bodies + 1] = world:newBody {
					type = ({ "dynamic", "dynamic", "kinematic", "dynamic", "static" })[i % 5 + 1],
					x = group.x + number(-reach, reach), y = number(-reach, reach), z = dim == "d3" and number(-0.5, 0.5) or nil,
					linearVelocity = i % 5 ~= 4 and wing.vector(number(-speed, speed), number(-speed, speed)) or nil,
					shape = wing.ball(d, 0.5), sensor = i % 2 == 0, group = i % 2 == 1 and -1 or 0,
				}
			end
		end
		for i = 1, 90 do
			if i % 20 == 0 then
				for _, body in ipairs(bodies) do
					local x, y, z = body:getPosition()
					if body:getType() == "static" then body:setPosition(x, y + 0.7, dim == "d3" and z or nil) end
				end
			end
			world:step(1 / 60)
			counts[i] = world:getContactCount()
		end
		return counts
	end
	TestCollidingPairs["test_" .. dim .. "_contacts_of_a_few_do_not_depend_on_many"] = function()
		local many = { x = 1000, count = 300 }
		local of_many = contacts { many }
		for count = 2, 20, 3 do
			local few = { x = 0, count = count }
			local alone, together = contacts { few }, contacts { few, many }
			for i, n in ipairs(together) do lu.assertEquals(n, alone[i] + of_many[i], ("%d bodies, step %d"):format(count, i)) end
		end
	end
end
