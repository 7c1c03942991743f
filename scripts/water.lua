-- Boats, crates and a raft of 60 planks on a lake, after they have fallen into it.
-- Laws. A floating body displaces its own weight (Archimedes): a boat's depth follows from its mass. A crate of half the water's density floats with a corner down,
-- a flat one flat. The raft, planks jointed side by side, floats level. All come to rest, and sleep.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "water", duration = 60, timestep = 1 / 60, camera = { x = 0, y = 0, height = 50 } }

local density = 2
local crates, boats, planks

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newField { shape = d2.box(90, 10), y = -5, fluid = { density = density, linearDrag = 1.5, angularDrag = 1.5 } }
	world:newBody { type = "static", y = -5, shape = d2.box(90, 10), sensor = true, color = "#3b82f680", name = "lake" }
	world:newBody { type = "static", y = -10.5, shape = d2.box(90, 1) }
	for side = -1, 1, 2 do world:newBody { type = "static", x = 45.5 * side, y = -3, shape = d2.box(1, 16) } end
	crates, boats, planks = {}, {}, {}
	for i = 1, 6 do
		crates[i] = world:newBody { x = -26 + 4 * i, y = 1 + i % 3, angle = 0.2 * i, shape = d2.box(1.2, 1.2), density = density / 2 }
	end
	for i = 1, 4 do
		boats[i] = world:newBody { x = -43 + 4.2 * i, y = 1.5, angle = 0.2, shape = d2.polygon { -1.6, 0.6, -0.9, -0.6, 0.9, -0.6, 1.6, 0.6 }, density = 0.3 * i }
	end
	for i = 1, 60 do
		planks[i] = world:newBody { x = 2 + 0.6 * i, y = 2, shape = d2.box(0.56, 0.3), density = density / 2 }
		if i > 1 then world:newRevoluteJoint { bodyA = planks[i - 1], bodyB = planks[i], x = 2 + 0.6 * i - 0.3, y = 2 } end
	end
	return world
end

-- The area of the boat's hull up to the height y above its centre: a trapezium, whose width grows from 1.8 by 7/6 a metre.
local function hull_below(y)
	local h = y + 0.6
	return 1.8 * h + 0.5 * 1.4 / 1.2 * h ^ 2
end

function scenario.check(world)
	assert(world:getAwakeCount() == 0, "something is still awake")
	for i, crate in ipairs(crates) do
		local x, y = crate:getPosition()
		local turn = (crate:getAngle() + math.pi / 4) % (math.pi / 2)
		assert(math.abs(y) < 0.02 and math.min(turn, math.pi / 2 - turn) < 0.05, ("crate %d: height %.3f, angle %.3f"):format(i, y, turn))
	end
	for i, boat in ipairs(boats) do
		local _, y = boat:getWorldPoint(0, 0)
		local ratio = hull_below(-y) / (0.3 * i * hull_below(0.6) / density)
		assert(math.abs(ratio - 1) < 0.03 and math.abs(boat:getAngle()) < 0.03, ("boat %d displaces %.3f of its weight"):format(i, ratio))
	end
	for i, plank in ipairs(planks) do
		local _, y = plank:getPosition()
		assert(math.abs(y) < 0.03, ("plank %d is at %.3f"):format(i, y))
	end
end

return scenario
