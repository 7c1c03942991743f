-- A crane lifts a load by a rope over two sheaves. In its mast a rack hangs on the rope's other end; a motor drives it down by a wheel in mesh with the
-- pinion's. The tackle doubles the way: the load rises by twice the rack's. Up and down lift and lower it: build/host --view scripts/crane.lua.
-- Laws. The rope keeps its length, so the load is lifted by the motor's angle times the ratios of wheels, pinion and tackle. The motor holds the load's
-- weight, less the rack's, over the same ratios. Its work lifts the load and lowers the rack.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "crane", duration = 14, timestep = 1 / 60, theme = "dark", camera = { x = 3.5, y = 5.2, height = 14 } }

local gravity, height, pinion, wheel, small, speed, force = 10, 6, 0.5, 1, 0.25, 8, 1000
local goal = height / 2 / pinion * wheel / small -- angle of the motor when the load is up
local rack, slide, motor, gears, load, pulley, work, total, manual

local function frame()
	return {
		{ shape = d2.box(30, 1, { x = 3, y = -0.5 }) },
		{ shape = d2.box(0.2, 10, { x = -1, y = 5 }), group = -1 }, { shape = d2.box(0.2, 10, { x = 1, y = 5 }), group = -1 },
		{ shape = d2.box(11.4, 0.4, { x = 3.6, y = 10.2 }), group = -1 },
		{ shape = d2.polygon { -0.2, 10.4, 0.2, 10.4, 0, 12 }, group = -1 },
	}
end

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity }, sleeping = false }
	local mast = world:newBody { type = "static", shapes = frame() }
	rack = world:newBody { x = -0.35, y = 7, shape = d2.box(0.6, 4.4), density = 15, group = -1 }
	slide = world:newPrismaticJoint { bodyA = mast, bodyB = rack, x = -0.35, y = 7, axis = { 0, 1 }, lowerTranslation = -4.5, upperTranslation = 0 }
	local function arbor(x, radii, options)
		local shapes = {}
		for i, radius in ipairs(radii) do shapes[i] = { shape = d2.circle(radius), group = -1, density = 20 } end
		options.bodyA, options.bodyB, options.x, options.y = mast, world:newBody { x = x, y = 5, shapes = shapes }, x, 5
		return world:newRevoluteJoint(options)
	end
	local shaft = arbor(-0.05 + pinion, { pinion, wheel }, {})
	motor = arbor(-0.05 + pinion + wheel + small, { small }, {})
	gears = {
		world:newGearJoint { jointA = slide, jointB = shaft, ratio = -pinion }, -- the pinion is on the rack's right: it goes down as that turns back
		world:newGearJoint { jointA = shaft, jointB = motor, ratio = small / wheel },
	}
	load = world:newBody { x = 8, y = 0.75, shape = d2.box(1.5, 1.5), density = 15, friction = 0.6 }
	pulley = world:newPulleyJoint { bodyA = rack, bodyB = load, pointA = { -0.35, 9.2 }, groundA = { -0.35, 10 }, pointB = { 8, 1.5 }, groundB = { 8, 10 },
		ratio = 0.5, maxLength = 0.8 + 0.5 * 8.5 }
	work, manual, total = 0, false, pulley:getLengthA() + 0.5 * pulley:getLengthB()
	return world
end

function scenario.key(key, down)
	local way = ({ up = speed, down = -speed })[key]
	if not way then return false end
	manual = true
	motor:setMotor(down and way or 0, force)
	return true
end

function scenario.update(_, tick)
	if not manual then -- starts and stops softly
		motor:setMotor(math.max(0.2, math.min(speed, speed * tick * scenario.timestep / 2, goal - motor:getAngle())), force, goal)
	end
	work = work + motor:getMotorTorque() * motor:getSpeed() * scenario.timestep
end

-- The heights by which the motor has lifted the load, and the load has risen.
local function lifted() return 2 * motor:getAngle() * small / wheel * pinion, select(2, load:getPosition()) - 0.75 end

function scenario.draw(canvas)
	local x1, y1 = pulley:getAnchorA()
	local x2, y2 = pulley:getAnchorB()
	canvas.segment("label", x1, y1, -0.35, 10)
	canvas.segment("label", -0.35, 10, 8, 10)
	canvas.segment("label", 8, 10, x2, y2)
	canvas.label("label", 60, 20, ("lifted  %.2f m\ntorque  %.0f N m\nwork    %.0f J"):format(select(2, lifted()), motor:getMotorTorque(), work))
end

function scenario.check()
	local wound, risen = lifted()
	local length = pulley:getLengthA() + 0.5 * pulley:getLengthB()
	local torque, rope = motor:getMotorTorque(), select(2, pulley:getReactionForce())
	local weight, counter = load:getMass() * gravity, rack:getMass() * gravity
	local held = (2 * weight - counter) * pinion * small / wheel
	local energy = weight * risen - counter * risen / 2
	print(("crane: the motor has wound up %.3f m, and the load has risen by %.3f m; the rope is longer by %.1e m, and carries %.0f of %.0f N; torque %.1f of %.1f N m; work %.0f of %.0f J")
		:format(wound, risen, length - total, rope, weight, torque, held, work, energy))
	assert(math.abs(wound - height) < 0.01 and math.abs(risen - wound) < 0.02, "crane: the load is not where it should be")
	assert(length - total < 5e-3, "crane: the rope has stretched")
	assert(math.abs(rope - weight) < 0.02 * weight, "crane: the rope's force does not fit")
	assert(math.abs(torque - held) < 0.03 * math.abs(held), "crane: the motor's torque does not fit")
	assert(math.abs(work - energy) < 0.05 * energy, "crane: the motor's work does not fit")
	for _, gear in ipairs(gears) do assert(gear:isValid()) end
end

return scenario
