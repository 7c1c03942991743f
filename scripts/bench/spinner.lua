-- A bar that turns in a drum of 6,076 capsules, balls and boxes: bodies, sizes and steps of Box2D's benchmark of the same name.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "spinner", duration = 500 / 60, brief = { duration = 1, args = { "300" } } }
local bodies, spinner

function scenario.setup(args)
	local world, points = d2.newWorld { gravity = { 0, -10 } }, {}
	for i = 0, 359 do
		local angle = -2 * math.pi * i / 360
		points[2 * i + 1], points[2 * i + 2] = 40 * collide.cos(angle), 32 + 40 * collide.sin(angle)
	end
	local ground = world:newBody { type = "static" }
	ground:newCollider(d2.chain(points, { loop = true }), { friction = 0.1 })
	local bar = world:newBody { y = 12, sleepingAllowed = false, shape = d2.box(1.2, 40.4, { radius = 0.2 }), friction = 0 }
	spinner = world:newRevoluteJoint { bodyA = ground, bodyB = bar, x = 0, y = 12, motorSpeed = 5, maxMotorTorque = 1e18 }
	local shapes = { d2.capsule(-0.25, 0, 0.25, 0, 0.25), d2.circle(0.35), d2.box(0.7, 0.7) }
	local x, y = -23, 2
	bodies = {}
	for i = 1, tonumber(args and args[1]) or 2 * 3038 do
		bodies[i] = world:newBody { x = x, y = y, shape = shapes[(i - 1) % 3 + 1], density = 0.25, friction = 0.1, restitution = 0.1 }
		x = x + 0.5
		if x >= 23 then x, y = -23, y + 0.5 end
	end
	return world
end

local function escaped()
	local count = 0
	for _, body in ipairs(bodies) do
		local x, y = body:getPosition()
		if not (x * x + (y - 32) ^ 2 < 40.5 ^ 2) then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { escaped = escaped() }
end

function scenario.check()
	local count = escaped()
	assert(count == 0, ("spinner: %d bodies have left the drum"):format(count))
	print(("spinner: the bar stands at %.4f rad"):format(spinner:getAngle()))
end

return scenario
