-- Twenty boxes on top of each other stand, and go to sleep.
-- Contacts are springs, and a column of springs buckles under its own weight q [N/m] at a height of (7.84 E / q)^(1/3), where E is its bending stiffness
-- (Greenhill, 1881). For unit boxes of density 1 whose edge's ends each give way with a stiffness of m_point w^2 (see below), E = w^2 / 10 [N m^2]. So a
-- column buckles at 14 boxes with contacts of 30 Hz, at 17 with 40 Hz, and at 22 with the 60 Hz used here, which is also the stiffest that four sub-steps can
-- follow. (A stack that goes to sleep in time stands in any case.)
local d2 = require("collide").d2
local springs = require "collide.host.springs"

local scenario = { name = "stack", duration = 12, timestep = 1 / 60 }

local gravity, count = 10, 20
local boxes

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity }, contactHertz = 30 }
	world:newBody { type = "static", y = -1, shape = d2.box(40, 2) }
	boxes = {}
	for i = 1, count do
		boxes[i] = world:newBody { y = i - 0.5, shape = d2.box(1, 1), density = 1 }
	end
	return world
end

-- A contact is a spring of angular frequency w = 2 pi hertz on the effective mass of its points. For two points at both ends of a unit box's edge, box on
-- box: 1 / m_point = 2 (1/m + (1/4) / (m/6)) = 5 / m. Under the load F they give way by F / (2 m_point w^2). On the ground there is only one mass, and the
-- spring is twice as fast: an eighth of that.
local function settling(world)
	local w = 2 * math.pi * springs.hertz(world, scenario.timestep)
	local give = {}
	for i = 1, count do
		local load = (count - i + 1) * gravity
		give[i] = load / (2 / 5 * w * w) / (i == 1 and 8 or 1)
	end
	return give
end

function scenario.check(world)
	local give, sunk = settling(world), 0
	for i, box in ipairs(boxes) do
		local x, y = box:getPosition()
		sunk = sunk + give[i]
		-- So close to its buckling height the column sways far until it sleeps, but by less than a twentieth of a box.
		assert(math.abs(x) < 0.05, ("stack: box %d has gone %.1f mm aside"):format(i, 1000 * x))
		assert(math.abs(box:getAngle()) < math.rad(1), ("stack: box %d is turned by %.2f degrees"):format(i, math.deg(box:getAngle())))
		-- A twentieth for motion that has not settled when sleep comes, and half a millimetre for the lowest boxes.
		local drop = i - 0.5 - y
		assert(math.abs(drop - sunk) < 0.05 * sunk + 5e-4,
			("stack: box %d has sunk by %.1f mm, and its load makes it %.1f"):format(i, 1000 * drop, 1000 * sunk))
		assert(not box:isAwake(), ("stack: box %d is awake after %g s"):format(i, scenario.duration))
	end
end

return scenario
