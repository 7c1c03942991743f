-- 1,764 boxes, balls, capsules and pyramids fall on a mesh of steep waves, 300 by 300 in size: shapes, positions, friction and restitution of Jolt's scene
-- "ConvexVsMesh". The first argument is the motion quality, discrete, statics or bullets; the second how many columns stand on each side of the middle one,
-- 10.
local d3 = require("collide").d3
local twins = require "twins"

local scenario = { name = "convex_vs_mesh3d", duration = 500 / 60, brief = { duration = 4, args = { "statics", "2" } } }
local surface = { friction = 0.5, restitution = 0.6 }
local height, cells, cell = 5, 100, 3 -- [m], [1], [m]
local bodies, ground

function scenario.setup(args)
	local quality = twins.quality(args)
	local world = twins.newWorld(quality)
	ground = world:newBody { type = "static", y = height }:newCollider(twins.waves(cells, cell, height, 50 / (cells * cell), 0), surface)
	local shapes = {
		d3.box(1, 1.5, 2), d3.sphere(0.5), d3.capsule(0, -0.75, 0, 0, 0.75, 0, 0.5),
		d3.hull { 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1 },
	}
	bodies = twins.newColumns(world, quality, tonumber(args and args[2]) or 10, 15, shapes, surface)
	return world
end

function scenario.measure()
	return { escaped = twins.under(bodies, ground, 3 * height) }
end

function scenario.check()
	local escaped = scenario.measure().escaped
	assert(escaped == 0, ("convex_vs_mesh3d: %d bodies have gone through the mesh"):format(escaped))
end

return scenario
