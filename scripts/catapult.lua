-- A catapult throws a ball over a wall at a tower. The arm is held back by the position motor of its hinge; space lets the hinge's spring loose, and pulls the
-- arm back again; up and down change the spring: build/host --view scripts/catapult.lua.
-- Laws. The spring has the energy k a^2 / 2, with k = I w^2 for the arm's moment I about its centre. Arm and ball turn about the hinge and rise by the energy
-- that the spring loses up to the stop. Then the ball flies along a parabola.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "catapult", duration = 8, timestep = 1 / 60, theme = "dark", camera = { x = 14, y = 7, height = 24 } }

local gravity, radius, reach = 10, 0.35, 3.3 -- the ball's radius, and its distance from the hinge
local from, stop, target = 1.7, 0.7, -0.5 -- angles of the arm from the vertical: held, at the stop, of the spring at rest
local world, arm, hinge, ball, shot, hertz, blocks, manual

local function load_ball()
	local x, y = arm:getWorldPoint(0.12 + radius, reach)
	ball = world:newBody { x = x, y = y, shape = d2.circle(radius), density = 4, friction = 0.5, rollingResistance = 0.05, bullet = true }
	shot = nil
end

-- The speed at which spring and arm must throw the ball.
local function thrown_speed()
	local mass, cx, cy = arm:getMass(), arm:getLocalCenter()
	local bx, by = 0.12 + radius, reach
	local function height(angle, x, y) return collide.sin(angle) * x + collide.cos(angle) * y end
	local spring = arm:getInertia() * (2 * math.pi * hertz) ^ 2 * ((from - target) ^ 2 - (stop - target) ^ 2) / 2
	local lift = gravity * (mass * (height(stop, cx, cy) - height(from, cx, cy)) + ball:getMass() * (height(stop, bx, by) - height(from, bx, by)))
	local inertia = arm:getInertia() + mass * (cx * cx + cy * cy) + ball:getMass() * (bx * bx + by * by)
	return math.sqrt(2 * (spring - lift) / inertia * (bx * bx + by * by))
end

local function fire()
	hinge:setMotor(nil)
	hinge:setSpring(hertz, 0, target)
	shot = { expected = thrown_speed() }
end

local function pull_back()
	hinge:setSpring(nil)
	hinge:setMotor(1.5, 5000, from)
	shot = nil
	ball:destroy()
	ball = nil
end

function scenario.setup()
	world, hertz, blocks, manual = d2.newWorld { gravity = { 0, -gravity } }, 1.5, {}, false
	world:newBody { type = "static", shapes = {
		{ shape = d2.box(60, 2, { x = 20, y = -1 }) }, { shape = d2.polygon { -0.7, 0, 0.7, 0, 0.15, 1.7, -0.15, 1.7 }, group = -1 },
	} }
	arm = world:newBody { y = 1.6, angle = from, shapes = {
		{ shape = d2.box(0.24, 4.4, { y = 1.4 }), group = -1 },
		{ shape = d2.box(0.7, 0.2, { x = 0.35, y = reach + radius + 0.1 }) }, -- the spoon's outer wall; the inner one is lower
		{ shape = d2.box(0.3, 0.15, { x = 0.25, y = reach - radius - 0.1 }) },
	} }
	hinge = world:newRevoluteJoint { bodyB = arm, x = 0, y = 1.6, referenceAngle = 0, lowerAngle = stop, upperAngle = 2, motorSpeed = 1.5, motorTarget = from,
		maxMotorTorque = 5000 }
	local function block(x, y, width, height)
		blocks[#blocks + 1] = world:newBody { x = x, y = y, shape = d2.box(width, height), density = 0.3, data = y }
	end
	for row = 0, 11 do
		for i = 0, 1 do block(12 + i, 0.25 + 0.5 * row, 1, 0.5) end
	end
	for row = 0, 5 do
		for i = 0, 1 do block(25.5 + 2 * i, 0.8 + 2 * row, 0.4, 1.6) end
		block(26.5, 1.8 + 2 * row, 3, 0.4)
	end
	load_ball()
	return world
end

function scenario.key(key, down)
	if key ~= "space" and key ~= "up" and key ~= "down" then return false end
	manual = true
	if not down then return true end
	if key ~= "space" then
		hertz = math.max(1, math.min(5, hertz + (key == "up" and 0.1 or -0.1)))
	elseif shot then
		pull_back()
	elseif ball then
		fire()
	end
	return true
end

-- The greatest distance of the flying ball from its parabola, for 1.5 s: then it is beyond the wall.
local function fly(dt)
	local x, y = ball:getPosition()
	if not shot.time and hinge:getAngle() < stop + 0.1 and hinge:getSpeed() > -1 then
		shot.time, shot.x, shot.y, shot.off, shot.vx, shot.vy = 0, x, y, 0, ball:getLinearVelocity()
	elseif shot.time and shot.time < 1.5 then
		local t = shot.time + dt
		shot.time, shot.off = t, math.max(shot.off, math.abs(x - shot.x - shot.vx * t), math.abs(y - shot.y - shot.vy * t + gravity * t * t / 2))
		shot.beyond = x
	end
end

function scenario.update(_, tick)
	if tick == math.floor(1 / scenario.timestep) and not manual then fire() end
	if not ball and hinge:getAngle() > from - 0.01 then load_ball() end
	if shot then fly(scenario.timestep) end
end

function scenario.check()
	local speed = math.sqrt(shot.vx ^ 2 + shot.vy ^ 2)
	print(("catapult: the ball left at %.2f m/s, of %.2f; after %.2f s it was at %.2f m, and at most %.3f m off the parabola"):format(speed, shot.expected,
		shot.time, shot.beyond, shot.off))
	assert(math.abs(speed / shot.expected - 1) < 0.05, "catapult: the spring's energy is not the ball's")
	assert(shot.off < 0.1, "catapult: the ball has left its parabola") -- each sub-step of h moves it by the velocity at its end: by g h t / 2 too far
	assert(shot.beyond > 14, "catapult: the ball has not flown over the wall")
	local fallen = 0
	for _, block in ipairs(blocks) do fallen = fallen + (block.data - select(2, block:getPosition()) > 1 and 1 or 0) end
	assert(fallen > 3, "catapult: the tower stands")
end

return scenario
