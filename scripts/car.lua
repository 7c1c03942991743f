-- A car with two sprung wheels drives over hills, a hanging bridge and a see-saw, and pushes crates. Left and right (a, d) drive it, space brakes:
-- build/host --view scripts/car.lua. Until a key is pressed it drives to the right, and stops before the hill at the end.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "car", duration = 30, brief = { duration = 12 }, theme = "dark" }

local top = 18 -- of the wheels [rad/s]
local world, car, wheels, steering, least, most

local function add_ground()
	local points, x = { -20, 12, -12, 0 }, -12
	local function to(dx, y)
		x = x + dx
		points[#points + 1], points[#points + 2] = x, y
	end
	to(12, 0)
	for i = 1, 40 do to(1, 1.2 * (1 - collide.cos(i * math.pi / 10))) end -- two hills
	to(6, 0) to(0.01, -4) to(12, -4) to(0.01, 0) -- a gap of 12 m, from 46 m on
	to(30, 0) to(20, 0) to(8, 3) to(6, 3) to(0.01, 12)
	-- The solid side of a chain is on the right of its direction: list it from the right.
	local turned = {}
	for i = #points - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = points[i], points[i + 1] end
	world:newBody { type = "static", shapes = { { shape = d2.chain(turned), friction = 0.9 } } }
	return 46, 58.02
end

local function add_bridge(from, to)
	local count, before = 12, nil
	local length = (to - from) / count
	for i = 1, count do
		local plank = world:newBody { x = from + (i - 0.5) * length, shape = d2.box(length, 0.2), density = 2, friction = 0.9 }
		world:newRevoluteJoint { bodyA = before, bodyB = plank, x = from + (i - 1) * length, y = 0 }
		before = plank
	end
	world:newRevoluteJoint { bodyB = before, x = to, y = 0 }
end

local function add_wheel(x, torque)
	local wheel = world:newBody { x = x, y = 0.5, shape = d2.circle(0.45), friction = 1.1 }
	return world:newWheelJoint {
		bodyA = car, bodyB = wheel, x = x, y = 0.5, axis = { 0, 1 }, suspensionHertz = 3, suspensionDampingRatio = 0.6,
		lowerSuspension = -0.25, upperSuspension = 0.25, maxSpinTorque = torque,
	}
end

function scenario.setup()
	world, steering, least, most = d2.newWorld { gravity = { 0, -10 } }, nil, 0, 0
	local from, to = add_ground()
	add_bridge(from, to)
	local seesaw = world:newBody { x = 69.6, y = 0.4, shape = d2.box(8, 0.2), angle = 0.08, friction = 0.9 }
	world:newRevoluteJoint { bodyB = seesaw, x = 70, y = 0.4, referenceAngle = 0, lowerAngle = -0.15, upperAngle = 0.15 }
	for i = 0, 4 do world:newBody { x = 84, y = 0.35 + 0.7 * i, shape = d2.box(0.7, 0.7), density = 0.1 } end
	car = world:newBody { x = -6, y = 1, name = "car", shape = d2.polygon { -1.8, -0.4, 1.8, -0.4, 1.9, 0, 0.6, 0.6, -1.2, 0.6, -1.9, 0.1 } }
	wheels = { add_wheel(-7.2, 30), add_wheel(-4.8, 15) }
	return world
end

function scenario.key(key, pressed)
	local way = ({ left = 1, a = 1, right = -1, d = -1, space = 0 })[key]
	if not way then return false end
	steering = pressed and way or 0
	return true
end

function scenario.update()
	local way, torques = steering or (car:getPosition() < 95 and -1 or 0), { 30, 15 }
	for i, wheel in ipairs(wheels) do
		wheel:setMotor("spin", way * top, torques[i])
		local translation = wheel:getTranslation()
		least, most = math.min(least, translation), math.max(most, translation)
	end
end

function scenario.check()
	local x = car:getPosition()
	print(("car: it has come to %.1f m; suspensions from %.3f to %.3f m"):format(x, least, most))
	assert(math.abs(car:getAngle()) < 1, "the car has turned over")
	assert(x > 40, "it is stuck")
	assert(least > -0.35 and most < 0.35, "a wheel has left its suspension")
end

return scenario
