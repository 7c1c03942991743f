-- A semicircular arch of 17 wedges without mortar. It stands if a line of thrust fits within it, so if its thickness t is
-- at least 0.1075 of the radius R of its centre line (Milankovitch, 1907; Heyman, "The safety of masonry arches", 1969).
-- The argument is t / R: 0.2 stands, 0.08 must fall.
local collide = require "collide"
local d2 = collide.d2
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "arch", duration = 10, timestep = 1 / 60 }

local radius, count = 10, 17
local thickness, stones

-- Contacts are springs, so displacements grow as the square of the springs' period. Box2D's crown sinks by 51 mm with contacts of 30 Hz. A tenth is added for
-- nonlinearity.
local function allowed(world)
	local hertz = springs.hertz(world, scenario.timestep)
	return 1.1 * 0.051 * (30 / hertz) ^ 2
end

function scenario.setup(args)
	thickness = arguments.number(args, 1, 0.2, 0.02, 0.5, "arch: t / R") * radius
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newBody { type = "static", y = -1, shape = d2.box(100, 2), friction = 0.8 }
	local inner, outer, half = radius - thickness / 2, radius + thickness / 2, math.pi / count / 2
	local c, s = collide.cos(half), collide.sin(half)
	-- A wedge that points along x, with its middle at its own origin.
	local wedge = d2.polygon {
		inner * c - radius, -inner * s, outer * c - radius, -outer * s,
		outer * c - radius, outer * s, inner * c - radius, inner * s,
	}
	stones = {}
	for i = 1, count do
		local angle = (2 * i - 1) * half
		local x, y = radius * collide.cos(angle), radius * collide.sin(angle)
		stones[i] = { x = x, y = y, body = world:newBody { x = x, y = y, angle = angle, shape = wedge, friction = 0.8 } }
	end
	return world
end

function scenario.check(world)
	if thickness / radius >= 0.1075 then
		local limit = allowed(world)
		for i, stone in ipairs(stones) do
			local x, y = stone.body:getPosition()
			local way = math.sqrt((x - stone.x) ^ 2 + (y - stone.y) ^ 2)
			assert(way < limit, ("arch: stone %d has gone %.3f m from its place, more than %.3f"):format(i, way, limit))
		end
	else
		local _, y = stones[(count + 1) / 2].body:getPosition()
		assert(y < radius / 2, ("arch: the keystone is at %.2f m, in an arch too thin to stand"):format(y))
	end
end

return scenario
