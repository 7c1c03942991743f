-- Rows of touching cubes fall freely, so that there are as many contacts as bodies: layout, mass and damping of Jolt's scene "MaxBodies", which has Jolt's
-- maximum of 8,388,608 bodies. The first argument is the motion quality, discrete, statics or bullets; the second the number of cubes in a row, of rows in a
-- layer and of layers, 32.
local d3 = require("collide").d3
local twins = require "twins"

local scenario = { name = "max_bodies3d", duration = 500 / 60, brief = { duration = 0.5, args = { "bullets", "5" } } }
local bodies, side

function scenario.setup(args)
	local quality = twins.quality(args)
	side = tonumber(args and args[2]) or 32
	local world = twins.newWorld(quality)
	local cube = d3.box(1, 1, 1)
	bodies = {}
	for z = 0, side - 1 do
		for y = 0, side - 1 do
			for x = 0, side - 1 do
				bodies[#bodies + 1] = world:newBody {
					x = x, y = 2 * y, z = 2 * z, shape = cube, density = twins.density, friction = twins.friction,
					linearDamping = twins.damping, angularDamping = twins.damping, bullet = quality.bullet,
				}
			end
		end
	end
	return world
end

-- The largest displacement of a cube from its position in its row, layer and stack relative to the first one [m].
local function farthest()
	local x1, y1, z1 = bodies[1]:getPosition()
	local most = 0
	for i, body in ipairs(bodies) do
		local x, y, z = body:getPosition()
		local column, row, layer = (i - 1) % side, math.floor((i - 1) / side) % side, math.floor((i - 1) / side ^ 2)
		most = math.max(most, math.abs(x - x1 - column), math.abs(y - y1 - 2 * row), math.abs(z - z1 - 2 * layer))
	end
	return most
end

function scenario.measure()
	return { farthest = farthest() }
end

-- All cubes fall alike, except for the rounding of coordinates of up to 400 m, 3e-5 m each.
function scenario.check()
	local most = farthest()
	assert(most < 1e-3, ("max_bodies3d: a cube has left its place by %.6f m"):format(most))
end

return scenario
