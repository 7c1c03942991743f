-- 4,410 boxes fall on long waves of half a million triangles: boxes, positions, friction and restitution of Jolt's scene "LargeMesh". Its ground is the
-- largest mesh that Jolt supports, 4,000 by 4,000 cells; here it is the middle 500 by 500 of those. The first argument is the motion quality, discrete,
-- statics or bullets; the second how many columns of ten boxes stand on each side of the middle one, 10; the third the cells.
local d3 = require("collide").d3
local twins = require "twins"

local scenario = { name = "large_mesh3d", duration = 500 / 60, brief = { duration = 2, args = { "statics", "1", "60" } } }
local surface = { friction = 0.5, restitution = 0.6 }
local height, all_cells = 50, 4000 -- [m], [1]; a cell is 1 m wide
local bodies, ground

function scenario.setup(args)
	local quality, cells = twins.quality(args), tonumber(args and args[3]) or 500
	local world = twins.newWorld(quality)
	local k = 50 / all_cells
	ground = world:newBody { type = "static" }:newCollider(twins.waves(cells, 1, height, k, k * (all_cells - cells) / 2), surface)
	local box, shapes = d3.box(1, 1.5, 2), {}
	for i = 1, 10 do shapes[i] = box end
	bodies = twins.newColumns(world, quality, tonumber(args and args[2]) or 10, 55, shapes, surface)
	return world
end

function scenario.measure()
	return { escaped = twins.under(bodies, ground, 2 * height) }
end

function scenario.check()
	local escaped = scenario.measure().escaped
	assert(escaped == 0, ("large_mesh3d: %d boxes have gone through the mesh"):format(escaped))
end

return scenario
