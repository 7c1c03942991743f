-- A motorbike with a rider of seven parts rides over hills, a jump and a washboard. Feet and hands are fixed to it, and the seat's spring bends the rider.
-- Right and left (d, a) accelerate and brake, up and down (w, s) lean back and forward: build/host --view scripts/motorbike.lua. Until a key is pressed it
-- rides by itself.
-- Law: in the air nothing turns the whole. Whatever motors, springs and limits do, the angular momentum of all parts about their common centre stays.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "motorbike", duration = 20, timestep = 1 / 60, theme = "dark" }

local goal, top = 125, 34 -- [m]; of the rear wheel [rad/s]
local red, gold, grey = "#e5484d", "#f5b82e", "#8892a0"
local world, frame, rear, front, seat, parts, hinges, held, autopilot, seen, flight

local function add_ground()
	local points, x = { -20, 12, -12, 0 }, -12
	local function to(dx, y)
		x = x + dx
		points[#points + 1], points[#points + 2] = x, y
	end
	to(20, 0)
	for i = 1, 60 do to(0.5, 1.1 * (1 - collide.cos(i * math.pi / 10)) / 2) end -- three hills, up to 38 m
	to(8, 0)
	for i = 1, 12 do to(0.5, 1.3 * i * i / 144) end -- a ramp
	to(0.01, -0.3) to(3, -0.5)
	for i = 1, 12 do to(1, -0.5 - 1.5 * (1 - collide.cos(i * math.pi / 12)) / 2) end -- a long way down
	to(6, -2)
	for i = 1, 80 do to(0.5, 0.2 * (1 - collide.cos(i * math.pi / 4)) - 2) end -- washboard
	to(40, -2) to(8, 8)
	local turned = {} -- the solid side of a chain is on the right of its direction: list it from the right
	for i = #points - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = points[i], points[i + 1] end
	world:newBody { type = "static", shape = d2.chain(turned), friction = 1 }
end

local function part(x, y, shape, color, density, friction)
	parts[#parts + 1] = world:newBody { x = x, y = y, shape = shape, color = color, density = density, friction = friction, layer = "bike" }
	return parts[#parts]
end

-- A limb of the rider from point to point.
local function limb(x1, y1, x2, y2, radius)
	local cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
	return part(cx, cy, d2.capsule(x1 - cx, y1 - cy, x2 - cx, y2 - cy, radius), gold, 2)
end

local function hinge(a, b, x, y, lower, upper)
	hinges[#hinges + 1] = world:newRevoluteJoint { bodyA = a, bodyB = b, x = x, y = y, lowerAngle = lower, upperAngle = upper, maxMotorTorque = 0.2 }
end

local function wheel(x, axis, torque)
	local body = part(x, 0.36, d2.circle(0.36), grey, 2, 1.4)
	return world:newWheelJoint { bodyA = frame, bodyB = body, x = x, y = 0.36, axis = axis, suspensionHertz = 4, suspensionDampingRatio = 0.6,
		lowerSuspension = -0.12, upperSuspension = 0.15, maxSpinTorque = torque }
end

function scenario.setup()
	world = d2.newWorld { gravity = { 0, -10 }, layers = { "ground", "bike" }, collide = { ground = { "bike" } } }
	parts, hinges, held, autopilot, seen, flight = {}, {}, {}, true, { excess = 0, torn = 0, change = 0, longest = 0 }, nil
	add_ground()
	frame = part(0, 0.7, d2.polygon { -0.65, -0.05, -0.3, -0.3, 0.3, -0.3, 0.5, 0.25, 0.4, 0.35, -0.6, 0.2 }, red, 9)
	rear, front = wheel(-0.72, { 0.2, 1 }, 30), wheel(0.78, { -0.4, 1 })
	local torso, head = limb(-0.3, 1, -0.02, 1.5, 0.14), part(0.08, 1.8, d2.circle(0.15), gold, 2)
	local thigh, shin = limb(-0.3, 1, 0.12, 0.88, 0.09), limb(0.12, 0.88, -0.08, 0.5, 0.07)
	local upper, lower = limb(-0.02, 1.45, 0.1, 1, 0.06), limb(0.1, 1, 0.45, 1.1, 0.05)
	seat = world:newRevoluteJoint { bodyA = frame, bodyB = torso, x = -0.3, y = 0.95, hertz = 4, dampingRatio = 1, lowerAngle = -0.45, upperAngle = 0.45 }
	hinges[1] = seat
	hinge(torso, head, 0.05, 1.62, -0.5, 0.5)
	hinge(torso, thigh, -0.3, 1, -1, 1)
	hinge(thigh, shin, 0.12, 0.88, -0.6, 1.6)
	hinge(shin, frame, -0.08, 0.5)
	hinge(torso, upper, -0.02, 1.45, -1.5, 1.5)
	hinge(upper, lower, 0.1, 1, -1.5, 0.6)
	hinge(lower, frame, 0.45, 1.1)
	return world
end

local meaning = { right = "gas", d = "gas", left = "brake", a = "brake", up = "back", w = "back", down = "forward", s = "forward" }

function scenario.key(key, down)
	if not meaning[key] then return false end
	if autopilot then autopilot, held = false, {} end
	held[meaning[key]] = down
	return true
end

-- In the air it levels the frame by the rear wheel and by leaning.
local function ride(flying)
	local x, angle, speed = frame:getPosition(), frame:getAngle(), frame:getLinearVelocity()
	if flying then
		held.gas, held.brake = angle < 0, angle > 0.2
	else
		held.gas, held.brake = x < goal and speed < 9 and angle < 0.7, x >= goal or speed > 13
	end
	held.back, held.forward = angle < -0.2, angle > 0.35
end

-- The angular momentum of all parts about their common centre.
local function momentum()
	local mass, mx, my, px, py, l = 0, 0, 0, 0, 0, 0
	for _, body in ipairs(parts) do
		local m, x, y = body:getMass(), body:getCenter()
		local vx, vy = body:getLinearVelocity()
		mass, mx, my, px, py = mass + m, mx + m * x, my + m * y, px + m * vx, py + m * vy
		l = l + body:getInertia() * body:getAngularVelocity() + m * (x * vy - y * vx)
	end
	return l - (mx * py - my * px) / mass
end

local function watch(flying)
	if flying then
		local l = momentum()
		flight = flight or { momentum = l, time = 0 }
		seen.change, seen.longest = math.max(seen.change, math.abs(l - flight.momentum)), math.max(seen.longest, flight.time)
		flight.time = flight.time + scenario.timestep
	else
		flight = nil
	end
	for _, joint in ipairs(hinges) do
		local lower, upper = joint:getLimits()
		if lower then seen.excess = math.max(seen.excess, joint:getAngle() - upper, lower - joint:getAngle()) end
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		seen.torn = math.max(seen.torn, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2))
	end
end

function scenario.update()
	local flying = true
	for _ in world:contacts() do flying = false end
	if autopilot then ride(flying) end
	rear:setMotor("spin", held.gas and -top or 0, (held.gas or held.brake) and 14 or 0)
	front:setMotor("spin", 0, held.brake and 4 or 0)
	seat:setSpring(4, 1, (held.back and 0.35 or 0) - (held.forward and 0.35 or 0))
	watch(flying)
end

function scenario.camera()
	local x, y = frame:getPosition()
	return { x = x + 2, y = y + 1, height = 8 }
end

function scenario.check()
	local x = frame:getPosition()
	print(("motorbike: it has come to %.1f m; in the air, for up to %.2f s, its angular momentum changed by %.4f; limits exceeded by %.3f rad, hinges %.1f mm apart")
		:format(x, seen.longest, seen.change, seen.excess, 1000 * seen.torn))
	assert(x > goal and math.abs(frame:getAngle()) < 0.5, "motorbike: it has not come to the end")
	-- A wheel that spins at 30 rad/s has 1.6.
	assert(seen.longest > 0.8 and seen.change < 0.03, "motorbike: something turns it in the air")
	assert(seen.excess < 0.2, "motorbike: a limb is out of its limits")
	assert(seen.torn < 0.05, "motorbike: a hinge is torn")
end

return scenario
