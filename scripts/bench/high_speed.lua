-- 1,000 discs, boxes and capsules fly at up to 250 m/s in a box of thin walls, almost without energy loss. The first argument is the motion quality,
-- discrete, statics or bullets; the second the number of bodies.
local collide = require "collide"
local d2 = collide.d2
local twins = require "twins"

local scenario = { name = "high_speed", duration = 500 / 60, brief = { duration = 1, args = { "statics", "200" } } }
local half, thickness, speed = 50, 0.4, 250 -- [m], [m], [m/s]
local bodies, quality

function scenario.setup(args)
	quality = twins.quality(args)
	local world, number = d2.newWorld { gravity = { 0, -10 }, continuous = quality.continuous, bulletsHitBullets = true }, twins.numbers()
	for side = -half, half, 2 * half do
		world:newBody { type = "static", y = side, shape = d2.box(2 * half, thickness), friction = 1, restitution = 1 }
		world:newBody { type = "static", x = side, shape = d2.box(thickness, 2 * half), friction = 1, restitution = 1 }
	end
	local shapes, count = { d2.circle(0.5), d2.box(0.5, 1), d2.capsule(0, -0.4, 0, 0.4, 0.2) }, tonumber(args and args[2]) or 1000
	local columns = math.ceil(math.sqrt(count))
	local spacing = 1.8 * half / columns
	bodies = {}
	for i = 0, count - 1 do
		local angle, friction, restitution, around = number(-math.pi, math.pi), number(0.5, 1), number(0.9, 1), number(0, 2 * math.pi)
		bodies[i + 1] = world:newBody {
			x = -0.9 * half + (i % columns + 0.5) * spacing, y = -0.9 * half + (math.floor(i / columns) + 0.5) * spacing, angle = angle,
			shape = shapes[i % 3 + 1], friction = friction, restitution = restitution, bullet = quality.bullet,
			linearVelocity = { speed * collide.cos(around), speed * collide.sin(around) },
		}
	end
	return world
end

function scenario.measure()
	return { escaped = twins.outside(bodies, half) }
end

function scenario.check()
	local escaped = scenario.measure().escaped
	print(("high_speed: %d of %d bodies have left the box"):format(escaped, #bodies))
	assert(escaped == 0 or not quality.continuous, ("high_speed: %d bodies have left the box"):format(escaped))
end

return scenario
