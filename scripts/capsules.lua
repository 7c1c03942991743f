-- Capsules fall into a bowl that is a mesh of triangles, roll together and come to rest. None falls through, and none is left standing on an end.
local collide = require "collide"
local d3 = collide.d3
local arguments = require "collide.host.arguments"

local scenario = { name = "capsules", duration = 20, brief = { duration = 12, args = { "60" } } }
scenario.camera = { x = 0, y = 2, z = 0, distance = 36, yaw = 0.5, pitch = 0.8 }

local gravity, radius, rings, sectors = 10, 12, 16, 48
local steepness = 0.045 -- of the bowl y = steepness r^2 [1/length]
local capsules, energy

local function energy_of(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

-- A fan in the middle, rings of quads around it, each split into two triangles, and a steep rim.
local function new_bowl()
	local points, indices = { 0, 0, 0 }, {}
	local function triangle(a, b, c)
		local n = #indices
		indices[n + 1], indices[n + 2], indices[n + 3] = a, b, c
	end
	for ring = 1, rings + 1 do
		local r = radius * math.min(ring, rings) / rings
		local y = steepness * r * r + (ring > rings and 4 or 0)
		if ring > rings then r = r + 1 end
		for sector = 0, sectors - 1 do
			local q, n = 2 * math.pi * sector / sectors, #points
			points[n + 1], points[n + 2], points[n + 3] = r * collide.cos(q), y, r * collide.sin(q)
		end
	end
	local function point(ring, sector) return 2 + (ring - 1) * sectors + sector % sectors end
	for sector = 0, sectors - 1 do
		triangle(1, point(1, sector + 1), point(1, sector))
		for ring = 1, rings do
			triangle(point(ring, sector), point(ring, sector + 1), point(ring + 1, sector))
			triangle(point(ring + 1, sector), point(ring, sector + 1), point(ring + 1, sector + 1))
		end
	end
	return d3.mesh(points, indices)
end

function scenario.setup(args)
	local count = arguments.whole(args, 1, 300, 1, 1000, "capsules: their number")
	local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
	world:newBody { type = "static", shape = new_bowl(), friction = 0.5 }
	capsules, energy = {}, 0
	for i = 0, count - 1 do
		-- Sunflower positions in layers of 60, each capsule with its own rotation.
		local place, layer = i % 60, math.floor(i / 60)
		local r, q = math.sqrt((place + 0.5) / 60) * 0.8 * radius, 2.39996 * i
		local turn = 0.7 * i
		local size = 0.2 + 0.04 * (i % 4)
		capsules[i + 1] = world:newBody {
			x = r * collide.cos(q), y = steepness * r * r + 2 + 1.6 * layer, z = r * collide.sin(q), shape = d3.capsule(-0.4, 0, 0, 0.4, 0, 0, size),
			rotation = { 0.3 * collide.cos(turn), collide.sin(turn), 0.3 * collide.sin(turn), collide.cos(turn) }, friction = 0.5, rollingResistance = 0.02,
		}
		energy = energy + energy_of(capsules[i + 1])
	end
	return world
end

function scenario.measure(world)
	local mass, kinetic = 0, 0
	for _, body in ipairs(capsules) do mass, kinetic = mass + body:getMass(), kinetic + body:getKineticEnergy() end
	return { speed = math.sqrt(2 * kinetic / mass), awake = world:getAwakeCount() }
end

function scenario.check(world)
	local left = 0
	for i, capsule in ipairs(capsules) do
		local x, y, z = capsule:getCenter()
		local r = math.sqrt(x * x + z * z)
		-- The bowl's chords lie above its curve, and a capsule's middle lies above its contacts.
		assert(r < radius + 1, ("capsules: number %d has left the bowl: %.2f m from its middle"):format(i, r))
		assert(y > steepness * r * r or r > radius, ("capsules: number %d has fallen through, to %.3f, %.3f, %.3f"):format(i, x, y, z))
		left = left + energy_of(capsule)
	end
	local found = scenario.measure(world)
	print(("capsules: mean speed %.4f m/s, %d awake"):format(found.speed, found.awake))
	assert(found.speed < 0.05, ("capsules: they still move, at a mean of %.3f m/s"):format(found.speed))
	assert(left < energy, ("capsules: they have %.1f J, and started with %.1f"):format(left, energy))
end

return scenario
