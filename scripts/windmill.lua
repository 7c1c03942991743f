-- A motor drives a wheel of six blades, which lift 60 balls from a pond over a weir. The blades hang on springy hinges, so they yield when balls jam. Up and
-- down change the speed: build/host --view scripts/windmill.lua.
-- Laws. The motor keeps its speed as long as its torque suffices. Its work, the integral of torque times speed, is at least the energy that lifts the balls
-- over the weir; the rest is friction, impacts and balls that are lifted too high. When all are over, the wheel turns without torque.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "windmill", duration = 45, timestep = 1 / 60, theme = "dark", camera = { x = 1.5, y = 5.5, height = 17 } }

local gravity, count, friction = 10, 60, 0.1
local hub, radius, inner = 6, 5, 2.5 -- the hub's height; the wheel's radius, and that of the blades' hinges
local first, last = -1.92, -0.17 -- angles at which the wall below the wheel begins and ends, at the weir
local rotor, motor, balls, speed, torque, work, slowest

local function add_ground(world)
	local points = { -12, 9, -12, 2.8 }
	for i = 0, 24 do
		local angle = first + (last - first) * i / 24
		points[#points + 1], points[#points + 2] = radius * collide.cos(angle), hub + radius * collide.sin(angle)
	end
	for _, value in ipairs { 5.5, 3.2, 15, 1.6, 15, 9 } do points[#points + 1] = value end
	local turned = {} -- the solid side of a chain is on the right of its direction: list it from the right
	for i = #points - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = points[i], points[i + 1] end
	world:newBody { type = "static", shape = d2.chain(turned), friction = friction }
end

local function add_wheel(world)
	local spokes, places = { { shape = d2.circle(0.6), group = -1 } }, {}
	for i = 1, 6 do
		local angle = i * math.pi / 3
		local x, y = inner * collide.cos(angle), inner * collide.sin(angle)
		spokes[i + 1], places[i] = { shape = d2.capsule(0, 0, x, y, 0.1), group = -1, friction = friction }, { x, hub + y, angle }
	end
	rotor = world:newBody { y = hub, shapes = spokes }
	motor = world:newRevoluteJoint { bodyB = rotor, x = 0, y = hub, motorSpeed = speed, maxMotorTorque = torque }
	for _, place in ipairs(places) do
		local x, y, angle = place[1], place[2], place[3]
		local blade = world:newBody { x = x, y = y, angle = angle, shape = d2.capsule(0, 0, radius - inner - 0.25, 0, 0.12), group = -1, friction = friction }
		world:newRevoluteJoint { bodyA = rotor, bodyB = blade, x = x, y = y, hertz = 8, dampingRatio = 0.5, lowerAngle = -1.2, upperAngle = 1.2 }
	end
end

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity } }
	balls, work, speed, torque, slowest = {}, 0, 0.6, 3000, math.huge
	add_ground(world)
	add_wheel(world)
	for i = 0, count - 1 do
		local row = math.floor(i / 10)
		balls[i + 1] = world:newBody { x = 0.62 * (i % 10) + 0.05 * row - 11.5, y = 3.2 + 0.6 * row, shape = d2.circle(0.28), friction = friction, density = 2 }
	end
	return world
end

function scenario.key(key, down)
	local change = ({ up = 0.1, down = -0.1 })[key]
	if not change then return false end
	if down then
		speed = math.max(0, math.min(1.5, speed + change))
		motor:setMotor(speed, torque)
	end
	return true
end

function scenario.update(_, tick)
	local turning = motor:getSpeed()
	work = work + motor:getMotorTorque() * turning * scenario.timestep
	if tick * scenario.timestep > 1 then slowest = math.min(slowest, turning) end
end

-- The number of balls that are over the weir, and the energy that has lifted them there from the bottom.
local function lifted()
	local n = 0
	for _, ball in ipairs(balls) do n = n + (ball:getPosition() > radius and 1 or 0) end
	return n, n * balls[1]:getMass() * gravity * radius * (1 + collide.sin(last))
end

function scenario.draw(canvas)
	local n, energy = lifted()
	canvas.label("label", 60, 20, ("balls   %d\nlift    %.0f J\nwork    %.0f J\ntorque  %.0f N m"):format(n, energy, work, motor:getMotorTorque()))
end

function scenario.check()
	local n, energy = lifted()
	print(("windmill: %d balls are over the weir, which takes %.0f J; the motor has done %.0f J, at %.4f rad/s at least; torque %.2f N m"):format(n, energy, work,
		slowest, motor:getMotorTorque()))
	assert(n >= count - 2, "windmill: balls are left") -- one may go round on the hub
	assert(slowest > 0.999 * speed, "windmill: the motor does not keep its speed")
	assert(work > energy and work < 5 * energy, "windmill: the motor's work does not fit")
	assert(n < count or math.abs(motor:getMotorTorque()) < 1, "windmill: an empty wheel needs torque")
end

return scenario
