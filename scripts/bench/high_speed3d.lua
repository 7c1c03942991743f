-- 5,000 balls, boxes and shapes of two parts fly at up to 250 m/s in a box of thin walls, almost without energy loss: shapes, sizes, speed, friction and
-- restitution of Jolt's scene "HighSpeed", with other positions. The first argument is the motion quality, discrete, statics or bullets; the second the
-- number of bodies.
local collide = require "collide"
local d3 = collide.d3
local twins = require "twins"

local scenario = { name = "high_speed3d", duration = 500 / 60, brief = { duration = 1, args = { "statics", "200" } } }
local half, thickness, speed, size = 50, 0.4, 250, 0.5 -- [m], [m], [m/s], [m]
local bodies, quality

-- Source: Shoemake, "Uniform Random Rotations", Graphics Gems III, 1992.
local function new_rotation(number)
	local share, a, b = number(0, 1), number(0, 2 * math.pi), number(0, 2 * math.pi)
	local r1, r2 = math.sqrt(1 - share), math.sqrt(share)
	return { collide.sin(a) * r1, collide.cos(a) * r1, collide.sin(b) * r2, collide.cos(b) * r2 }
end

local function new_direction(number)
	local up, around = number(-1, 1), number(0, 2 * math.pi)
	local aside = math.sqrt(1 - up * up)
	return aside * collide.cos(around), up, aside * collide.sin(around)
end

local function new_walls(world)
	for axis = 1, 3 do
		local extent = { 2 * half, 2 * half, 2 * half }
		extent[axis] = thickness
		for side = -half, half, 2 * half do
			local position = { 0, 0, 0 }
			position[axis] = side
			world:newBody { type = "static", position = position, shape = d3.box(extent[1], extent[2], extent[3]), friction = 1, restitution = 1 }
		end
	end
end

function scenario.setup(args)
	quality = twins.quality(args)
	local world, number = twins.newWorld(quality), twins.numbers()
	new_walls(world)
	local thin = size / 2
	local shapes = {
		d3.sphere(size), d3.box(size, 2 * size, 2 * size),
		d3.compound {
			d3.capsule(0, 0, 0, 0, 2 * size, 0, thin / 2), { shape = d3.box(2 * size, thin, thin), pose = d3.pose(size, 0, 0, 0, 0, 0, 1) },
		},
	}
	bodies = {}
	for i = 1, tonumber(args and args[2]) or 5000 do
		local x, y, z = number(-0.9 * half, 0.9 * half), number(-0.9 * half, 0.9 * half), number(-0.9 * half, 0.9 * half)
		local rotation = new_rotation(number)
		local friction, restitution = number(0.5, 1), number(0.9, 1)
		local dx, dy, dz = new_direction(number)
		bodies[i] = world:newBody {
			x = x, y = y, z = z, rotation = rotation, shape = shapes[(i - 1) % 3 + 1], density = twins.density, friction = friction, restitution = restitution,
			linearVelocity = { speed * dx, speed * dy, speed * dz }, linearDamping = twins.damping, angularDamping = twins.damping, bullet = quality.bullet,
		}
	end
	return world
end

function scenario.measure()
	return { escaped = twins.outside(bodies, half) }
end

function scenario.check()
	local escaped = scenario.measure().escaped
	print(("high_speed3d: %d of %d bodies have left the box"):format(escaped, #bodies))
	assert(escaped == 0 or not quality.continuous, ("high_speed3d: %d bodies have left the box"):format(escaped))
end

return scenario
