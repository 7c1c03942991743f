-- Shared by the twins of Jolt's scenes: motion qualities, Jolt's settings, pseudo-random numbers, waves of triangles, and measures of the result.
local collide = require "collide"
local d3 = collide.d3

local twins = {}

-- Motion qualities. discrete: no continuous collision, as Jolt's EMotionQuality::Discrete. statics: fast bodies stop at static bodies, the engine's default.
-- bullets: they stop at moving bodies, too, and at each other. Jolt's LinearCast stops them at all of these.
local qualities = { discrete = { continuous = false }, statics = { continuous = true }, bullets = { continuous = true, bullet = true } }

---The quality that the first argument names: { continuous =, bullet =, name = }.
---@param args? string[]
---@return table
function twins.quality(args)
	local name = args and args[1] or "statics"
	local quality = assert(qualities[name], "the quality must be discrete, statics or bullets")
	return { continuous = quality.continuous, bullet = quality.bullet or false, name = name }
end

-- Jolt's defaults: PhysicsSystem.h, BodyCreationSettings.h, and the density of ConvexShape.h.
local gravity, maximum_speed, maximum_angular_speed = 9.81, 500, 0.25 * math.pi * 60 -- [m/s^2], [m/s], [rad/s]
twins.density, twins.friction, twins.damping = 1000, 0.2, 0.05 -- [kg/m^3], [1], [1/s]

---A 3D world with Jolt's gravity and speed limits.
---@param quality table
---@return collide.d3.World
function twins.newWorld(quality)
	return d3.newWorld {
		gravity = { 0, -gravity, 0 }, continuous = quality.continuous, bulletsHitBullets = true, maximumSpeed = maximum_speed,
		maximumAngularSpeed = maximum_angular_speed,
	}
end

---Pseudo-random numbers, the same in each run: a function (low, high).
---Source: Park and Miller, "Random Number Generators: Good Ones Are Hard to Find", 1988, first multiplier.
---@return fun(low: number, high: number): number
function twins.numbers()
	local state = 1
	return function(low, high)
		state = state * 16807 % 2147483647
		return low + (high - low) * state / 2147483647
	end
end

---A mesh of n by n cells about the origin, two triangles each, with waves of sin(k x) cos(k z), where x and z count from its corner.
---@param n integer
---@param cell number width of a cell [m]
---@param height number of the waves [m]
---@param k number [rad/m]
---@param first number phase of the corner [rad]
---@return collide.d3.Shape
function twins.waves(n, cell, height, k, first)
	local points, indices, half = {}, {}, n * cell / 2
	for row = 0, n do
		local across = height * collide.cos(first + k * cell * row)
		for column = 0, n do
			local i = #points
			points[i + 1], points[i + 2], points[i + 3] = cell * column - half, across * collide.sin(first + k * cell * column), cell * row - half
		end
	end
	for row = 0, n - 1 do
		for column = 1, n do
			local a, i = row * (n + 1) + column, #indices
			local b = a + n + 1
			indices[i + 1], indices[i + 2], indices[i + 3] = a, b, a + 1
			indices[i + 4], indices[i + 5], indices[i + 6] = a + 1, b, b + 1
		end
	end
	return d3.mesh(points, indices, { oneSided = true })
end

---Columns of bodies over the ground, 7.5 m apart in both directions. Each has the shapes above each other, every 2 m from the bottom up.
---@param world collide.d3.World
---@param quality table
---@param side integer how many columns are on each side of the middle one
---@param bottom number height of the lowest bodies [m]
---@param shapes collide.d3.Shape[]
---@param surface table { friction =, restitution = } of the bodies
---@return collide.d3.Body[]
function twins.newColumns(world, quality, side, bottom, shapes, surface)
	local bodies = {}
	for x = -side, side do
		for i, shape in ipairs(shapes) do
			for z = -side, side do
				bodies[#bodies + 1] = world:newBody {
					x = 7.5 * x, y = bottom + 2 * (i - 1), z = 7.5 * z, shape = shape, density = twins.density, bullet = quality.bullet,
					friction = surface.friction, restitution = surface.restitution, linearDamping = twins.damping, angularDamping = twins.damping,
				}
			end
		end
	end
	return bodies
end

---How many bodies have their centre of mass beyond the middle of a wall of a box about the origin.
---@param bodies collide.AnyBody[]
---@param half number of the box's width [m]
---@return integer
function twins.outside(bodies, half)
	local count = 0
	for _, body in ipairs(bodies) do
		local x, y, z = body:getCenter()
		if not (math.max(math.abs(x), math.abs(y), math.abs(z or 0)) < half) then count = count + 1 end
	end
	return count
end

---How many bodies have their centre of mass under the ground or beside it, by a ray from above each.
---@param bodies collide.d3.Body[]
---@param ground collide.d3.Collider
---@param top number a height above the ground [m]
---@return integer
function twins.under(bodies, ground, top)
	local count = 0
	for _, body in ipairs(bodies) do
		local x, y, z = body:getCenter()
		local _, surface = ground:raycast(x, top, z, x, -top, z)
		if not (surface and y > surface) then count = count + 1 end
	end
	return count
end

return twins
