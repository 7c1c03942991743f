-- A hanging bridge of 160 planks and 161 hinges, on which 60 boxes fall. Hinges yield like springs: the bridge stretches by 25 mm a hinge, with two sub-steps
-- by more. It falls asleep while it still swings a little, so the laws hold within some per cent.
-- Laws at rest. Weights act downwards, so all hinges have the same horizontal force H, and the outer two carry the whole weight. The moments of all weights
-- on the left half about its lowest hinge are those of the left end's force: H is the greater the less the bridge sags.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "bridge", duration = 20, camera = { x = 0, y = -6, height = 96 } }

local gravity, count, span, sag = 10, 160, 160, 16
local hinges, planks, boxes, widest

-- The ends of planks at first, on a parabola.
local function curve(i)
	local x = span * (i / count - 0.5)
	return x, sag * (4 * x * x / (span * span) - 1)
end

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity } }
	hinges, planks, boxes, widest = {}, {}, {}, 0
	for _, side in ipairs { -1, 1 } do world:newBody { type = "static", x = side * (span / 2 + 6.5), y = -16, shape = d2.box(12, 32) } end
	local ends = world:newBody { type = "static" }
	for i = 0, count do
		local x1, y1 = curve(i)
		local x2, y2 = curve(i + 1)
		local dx, dy = x2 - x1, y2 - y1
		planks[i + 1] = i < count and world:newBody {
			x = (x1 + x2) / 2, y = (y1 + y2) / 2, angle = collide.atan2(dy, dx), shape = d2.box(math.sqrt(dx * dx + dy * dy), 0.25), density = 20,
			linearDamping = 1,
		} or nil
		-- The speed of the motor is 0: friction.
		hinges[i + 1] = world:newRevoluteJoint { bodyA = planks[i] or ends, bodyB = planks[i + 1] or ends, x = x1, y = y1, maxMotorTorque = 200 }
	end
	for i = 0, 59 do
		boxes[i + 1] = world:newBody { x = 1.8 * (i % 30 - 14.5), y = i % 3 - 11 + 4 * math.floor(i / 30), angle = i, shape = d2.box(1.5, 1.5) }
	end
	return world
end

function scenario.update()
	for _, hinge in ipairs(hinges) do
		local ax, ay = hinge:getAnchorA()
		local bx, by = hinge:getAnchorB()
		widest = math.max(widest, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2))
	end
end

-- The weight of all, and the moment of what is on the left about a point there.
local function loads(x)
	local weight, moment = 0, 0
	for _, list in ipairs { planks, boxes } do
		for _, body in ipairs(list) do
			local w = body:getMass() * gravity
			weight, moment = weight + w, moment + w * math.max(0, x - body:getPosition())
		end
	end
	return weight, moment
end

function scenario.measure()
	local least, most, x, y = math.huge, 0, 0, 0
	for _, hinge in ipairs(hinges) do
		local force = math.abs(hinge:getReactionForce())
		local hx, hy = hinge:getAnchorB()
		least, most = math.min(least, force), math.max(most, force)
		if hy < y then x, y = hx, hy end
	end
	local _, left = hinges[1]:getReactionForce()
	local _, right = hinges[#hinges]:getReactionForce() -- on the ground
	local weight, moment = loads(x)
	return { leastForce = least, greatestForce = most, force = (left * (x + span / 2) - moment) / -y, weight = weight, carried = left - right, sag = -y,
		widest = widest }
end

function scenario.check()
	local m = scenario.measure()
	print(("bridge: it sags by %.2f m and carries %.0f of %.0f N; horizontal forces from %.0f to %.0f N, of %.0f; hinges came apart by %.1f mm at most"):format(
		m.sag, m.carried, m.weight, m.leastForce, m.greatestForce, m.force, 1000 * m.widest))
	assert(m.widest < 0.2, "bridge: a hinge is torn")
	assert(m.greatestForce - m.leastForce < 0.05 * m.force, "bridge: horizontal forces differ")
	assert(math.abs(m.carried - m.weight) < 0.03 * m.weight, "bridge: the ends do not carry its weight")
	assert(math.abs(m.greatestForce - m.force) < 0.05 * m.force, "bridge: the force does not fit the sag")
	for i, box in ipairs(boxes) do
		local x, y = box:getPosition()
		for _, plank in ipairs(planks) do
			local px, py = plank:getPosition()
			assert(math.abs(px - x) > 0.5 or y > py + 0.5, ("bridge: box %d has fallen through"):format(i))
		end
	end
end

return scenario
