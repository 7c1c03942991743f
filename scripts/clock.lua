-- A clock with the train of a longcase clock: a weight turns the great wheel, which turns the minute hand; two stages of wheels turn the second hand 60 times
-- as fast, two others the hour hand a twelfth as fast. A brake lets the second hand turn once in a sixth of a second: the clock runs 360 times too fast.
-- Up and down change its rate: build/host --view scripts/clock.lua.
-- Laws. Hands keep their ratios, 60 to 1 and 12 to 1, over all turns. The weight falls as the great wheel unwinds; it pulls the brake with its weight times
-- the drum's radius over the ratio of the train, and the brake takes the energy that it loses.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "clock", duration = 20, timestep = 1 / 60, theme = "dark", camera = { x = 0, y = -3, height = 15.4 } }

local gravity, drum = 10, 1
local world, weight, slide, hands, brake, rate, work, worst

-- An arbor at (x, y) with wheels of these radii that turns as so many second hands.
local function new_arbor(x, y, radii, turns)
	local shapes = {}
	for i, radius in ipairs(radii) do shapes[i] = { shape = d2.circle(radius), group = -1, density = 0.2 } end
	local arbor = world:newBody { x = x, y = y, shapes = shapes, angularVelocity = -rate * turns }
	return world:newRevoluteJoint { bodyB = arbor, x = x, y = y }
end

-- Two wheels in mesh roll on each other: the radius of one times its angle is the other's, turned back.
local function mesh(a, radius_a, b, radius_b) return world:newGearJoint { jointA = a, jointB = b, ratio = radius_b / radius_a } end

function scenario.setup()
	world, rate, work, worst = d2.newWorld { gravity = { 0, -gravity } }, 12 * math.pi, 0, 0
	local great, third, motion = new_arbor(0, -3.5, { 3, drum }, -1 / 360), new_arbor(3.06, 0, { 2.7, 0.34 }, -1 / 7.5), new_arbor(-2, 0, { 1.5, 0.4 }, -1 / 180)
	local minute, hour, second = new_arbor(0, 0, { 2.72, 0.5 }, 1 / 60), new_arbor(0, 0, { 1.6 }, 1 / 720), new_arbor(0, 0, { 0.36 }, 1)
	mesh(great, 3, minute, 0.5)
	mesh(minute, 2.72, third, 0.34) -- 8 to 1
	mesh(third, 2.7, second, 0.36) -- 7.5 to 1
	mesh(minute, 0.5, motion, 1.5) -- 1 to 3
	mesh(motion, 0.4, hour, 1.6) -- 1 to 4
	weight = world:newBody { x = -drum, y = -7.6, shape = d2.box(0.8, 1.2), density = 20, group = -1, linearVelocity = { 0, -rate / 360 * drum } }
	slide = world:newPrismaticJoint { bodyB = weight, x = -drum, y = -7.6, axis = { 0, 1 } }
	world:newGearJoint { jointA = slide, jointB = great, ratio = drum }
	hands, brake = { hour = hour, minute = minute, second = second }, second
	brake:setMotor(-rate, 100)
	return world
end

function scenario.key(key, down)
	local change = ({ up = math.pi, down = -math.pi })[key]
	if not change then return false end
	if down then
		rate = math.max(0, math.min(100, rate + change))
		brake:setMotor(-rate, 100)
	end
	return true
end

-- By how much the second hand is off the minute hand, and the minute hand off the hour hand [rad].
local function errors()
	local hour, minute, second = hands.hour:getAngle(), hands.minute:getAngle(), hands.second:getAngle()
	return math.abs(second - 60 * minute), math.abs(minute - 12 * hour)
end

function scenario.update()
	work = work - brake:getMotorTorque() * brake:getSpeed() * scenario.timestep
	worst = math.max(worst, errors())
end

-- The time that the hands show [s]: the hour and the minute from their own hands.
local function shown() return -hands.hour:getAngle() / (2 * math.pi) * 12 * 3600 end

function scenario.draw(canvas)
	for i = 1, 60 do
		local x, y = collide.sin(i * math.pi / 30), collide.cos(i * math.pi / 30)
		local inner = i % 5 == 0 and 3.7 or 3.85
		canvas.segment("label", inner * x, inner * y, 4 * x, 4 * y)
	end
	for name, length in pairs { hour = 2.2, minute = 3.4, second = 3.9 } do
		local angle = hands[name]:getAngle()
		local x, y = collide.sin(angle), collide.cos(angle)
		local wide = name == "second" and 0 or 0.09
		for _, side in ipairs { -wide, wide } do canvas.segment("label", side * y, side * x, -length * x, length * y) end
	end
	local time = shown()
	canvas.label("label", 60, 20, ("%02d:%02d\ntorque  %.3f N m\nwork    %.0f J"):format(math.floor(time / 3600), math.floor(time / 60) % 60,
		brake:getMotorTorque(), work))
end

function scenario.check()
	local seconds, minutes = errors()
	local torque, pull = brake:getMotorTorque(), weight:getMass() * gravity * drum / (6 * 60)
	local wound, unwound = -slide:getTranslation(), -hands.minute:getAngle() / 6 * drum
	local lost = weight:getMass() * gravity * wound
	print(("clock: shows %.1f s; the second hand has turned %.1f times, off by %.1e rad, at most %.1e, the minute hand by %.1e; torque %.4f of %.4f N m; work %.1f of %.1f J")
		:format(shown(), -hands.second:getAngle() / (2 * math.pi), seconds, worst, minutes, torque, pull, work, lost))
	assert(hands.second:getAngle() < -1 and worst < 0.01, "clock: the second hand is off")
	assert(minutes < 0.002, "clock: the minute hand is off")
	assert(math.abs(wound - unwound) < 0.002, "clock: the weight is off")
	assert(math.abs(hands.second:getSpeed() + rate) < 1e-3 * rate, "clock: the brake does not keep the rate")
	assert(math.abs(torque - pull) < 0.02 * pull, "clock: the brake's torque does not fit")
	assert(math.abs(work - lost) < 0.02 * lost, "clock: the brake's work does not fit")
end

return scenario
