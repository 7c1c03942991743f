-- Spheres roll in a valley of hills made of a height field with a hole in its rim; only the sphere over the hole falls through. Above it a level,
-- triangulated track without friction carries a ball, a box, a capsule and a hull that slide at 10 m/s across its triangles' edges without a bump.
local collide = require "collide"
local d3 = collide.d3
local arguments = require "collide.host.arguments"

local scenario = { name = "terrain3d", duration = 15, timestep = 1 / 60, brief = { duration = 15, args = { "100" } } }
scenario.camera = { x = 0, y = 3, z = 0, distance = 62, yaw = 0.5, pitch = 0.62 }

local gravity, cells, cell = 10, 96, 0.5 -- number of the field's cells along a side, and their width [m]
local track, first, last = 12, 0.5, 4.5 -- the track's height [m]; the time in which its sliders are watched [s]
local spheres, sliders, energy, field, hole

local function height(x, z)
	return 0.012 * (x * x + z * z) + 0.5 * collide.sin(0.7 * x) * collide.cos(0.6 * z + 0.3) + 0.25 * collide.sin(0.35 * x - 0.5 * z)
end

local function energy_of(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

local function new_field()
	local heights, half = {}, cells * cell / 2
	for row = 0, cells do
		for column = 0, cells do heights[#heights + 1] = height(column * cell - half, row * cell - half) end
	end
	local options = { columns = cells + 1, rows = cells + 1, cellWidth = cell, cellDepth = cell, x = -half, z = -half, heights = heights }
	field = d3.heightmap(options)
	-- Two cells by two in a corner, over which one sphere is dropped.
	hole = { x = -half + 2 * cell, z = -half + 2 * cell }
	options.holes = { cells + 2, cells + 3, 2 * cells + 2, 2 * cells + 3 }
	return d3.heightField(options)
end

-- Level; the triangles' edges run in three directions.
local function new_track()
	local points, indices, columns = {}, {}, 80
	for i = 0, columns do
		for k = 0, 12 do
			local n = #points
			points[n + 1], points[n + 2], points[n + 3] = 0.73 * i - 6, track, 0.61 * k - 3.66
		end
	end
	for i = 0, columns - 1 do
		for k = 1, 12 do
			local a, n = 13 * i + k, #indices
			local b = a + 13
			indices[n + 1], indices[n + 2], indices[n + 3], indices[n + 4], indices[n + 5], indices[n + 6] = a, a + 1, b, b, a + 1, b + 1
		end
	end
	return d3.mesh(points, indices)
end

function scenario.setup(args)
	local count = arguments.whole(args, 1, 400, 1, 2000, "terrain3d: the number of spheres")
	local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
	world:newBody { type = "static", shape = new_field(), friction = 0.8 }
	spheres, energy = {}, 0
	local side = math.ceil(math.sqrt(count))
	for i = 0, count - 1 do
		local x, z = 36 * ((i % side + 0.5) / side - 0.5), 36 * ((math.floor(i / side) + 0.5) / side - 0.5)
		local radius = 0.25 + 0.05 * (i % 5)
		spheres[i + 1] = world:newBody {
			x = x, y = height(x, z) + 1.5, z = z, shape = d3.sphere(radius), friction = 0.8, restitution = 0.2, rollingResistance = 0.01,
		}
		energy = energy + energy_of(spheres[i + 1])
	end
	hole.body = world:newBody { x = hole.x, y = height(hole.x, hole.z) + 1, z = hole.z, shape = d3.sphere(0.3) }

	world:newBody { type = "static", shape = new_track(), friction = 0 }
	local corners = { 0.5, -0.5, 0, -0.5, -0.5, 0, 0, -0.5, 0.5, 0, -0.5, -0.5, 0.3, 0.5, 0.3, -0.3, 0.5, 0.3, 0.3, 0.5, -0.3, -0.3, 0.5, -0.3 }
	sliders = {}
	for i, shape in ipairs { d3.sphere(0.5), d3.box(1, 1, 1), d3.capsule(-0.5, 0, 0, 0.5, 0, 0, 0.5), d3.hull(corners) } do
		local angle = 0.3 * i
		sliders[i] = { name = shape:getType(), bump = 0, loss = 0, body = world:newBody {
			y = track + 0.5, z = 1.5 * i - 3.75, linearVelocity = { 10, 0, 0 }, shape = shape, friction = 0,
			axis = { 0, 1, 0 }, angle = angle,
		} }
	end
	return world
end

function scenario.update(_, tick)
	local time = tick * scenario.timestep
	for _, slider in ipairs(sliders) do
		if time > first and time <= last then
			local vx, vy, vz = slider.body:getLinearVelocity()
			slider.bump = math.max(slider.bump, math.abs(vy))
			slider.loss = math.max(slider.loss, math.abs(vx - 10), math.abs(vz))
		elseif time > last then -- before the track ends
			slider.body:setEnabled(false)
		end
	end
end

function scenario.check()
	for _, slider in ipairs(sliders) do
		assert(slider.bump < 1e-3, ("terrain3d: the %s felt a bump of %.5f m/s on a level floor"):format(slider.name, slider.bump))
		assert(slider.loss < 1e-3, ("terrain3d: the %s lost %.5f m/s on a floor without friction"):format(slider.name, slider.loss))
	end
	local left = 0
	for i, sphere in ipairs(spheres) do
		local x, y, z = sphere:getPosition()
		assert(math.max(math.abs(x), math.abs(z)) < cells * cell / 2, ("terrain3d: sphere %d has left the valley: %.2f, %.2f"):format(i, x, z))
		assert(y > field:heightAt(x, z), ("terrain3d: sphere %d has fallen through: its middle is %.3f m under the floor"):format(i, field:heightAt(x, z) - y))
		left = left + energy_of(sphere)
	end
	assert(left < energy, ("terrain3d: the spheres have %.1f J, and started with %.1f"):format(left, energy))
	-- g t^2 / 2 for the time after the track's end.
	local _, y = hole.body:getPosition()
	assert(y < -10, ("terrain3d: what was dropped over the hole is at a height of %.2f m"):format(y))
end

return scenario
