-- A semicircular arch of 17 wedges without mortar, 3 m deep, in 3D. See scripts/arch.lua for the law: it stands if its thickness is at least 0.1075 of the
-- radius of its centre line (Milankovitch, 1907). The argument is that ratio: 0.2 stands, 0.08 must fall.
local collide = require "collide"
local d3 = collide.d3
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "arch3d", duration = 10, timestep = 1 / 60 }

local radius, count, depth = 10, 17, 3
local thickness, stones

-- The bound of scripts/arch.lua: the peer's displacement, scaled by the springs' period.
local function allowed(world)
	local hertz = springs.hertz(world, scenario.timestep)
	return 1.1 * 0.051 * (30 / hertz) ^ 2
end

function scenario.setup(args)
	thickness = arguments.number(args, 1, 0.2, 0.02, 0.5, "arch3d: t / R") * radius
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(100, 2, 100), friction = 0.8 }
	local inner, outer, half = radius - thickness / 2, radius + thickness / 2, math.pi / count / 2
	local c, s = collide.cos(half), collide.sin(half)
	-- A wedge that points along x, with its middle at its own origin.
	local points = {}
	for _, z in ipairs { -depth / 2, depth / 2 } do
		for _, corner in ipairs { { inner, -s }, { outer, -s }, { outer, s }, { inner, s } } do
			local n = #points
			points[n + 1], points[n + 2], points[n + 3] = corner[1] * c - radius, corner[1] * corner[2], z
		end
	end
	local wedge = d3.hull(points)
	stones = {}
	for i = 1, count do
		local angle = (2 * i - 1) * half
		local x, y = radius * collide.cos(angle), radius * collide.sin(angle)
		local body = world:newBody { x = x, y = y, axis = { 0, 0, 1 }, angle = angle, shape = wedge, friction = 0.8 }
		stones[i] = { x = x, y = y, body = body }
	end
	return world
end

function scenario.measure()
	local most = 0
	for _, stone in ipairs(stones) do
		local x, y, z = stone.body:getPosition()
		most = math.max(most, math.sqrt((x - stone.x) ^ 2 + (y - stone.y) ^ 2 + z ^ 2))
	end
	return { way = most }
end

function scenario.check(world)
	if thickness / radius >= 0.1075 then
		local most, limit = scenario.measure().way, allowed(world)
		print(("arch3d: the stones have gone %.1f mm at most"):format(1000 * most))
		assert(most < limit, ("arch3d: a stone has gone %.3f m from its place, more than %.3f"):format(most, limit))
	else
		local _, y = stones[(count + 1) / 2].body:getPosition()
		assert(y < radius / 2, ("arch3d: the keystone is at %.2f m, in an arch too thin to stand"):format(y))
	end
end

return scenario
