-- A box turns at 25 degrees a second, with 2,025 small boxes tumbling in it. Nothing escapes.
-- Sizes and speed are those of Box2D's benchmark "tumbler", except that the container is kinematic here; there a motor turns it.
-- The argument is the number of small boxes along each side, 45 by default; 47 fit into the container.
local d2 = require("collide").d2
local arguments = require "collide.host.arguments"

local scenario = { name = "tumbler", duration = 12.5, timestep = 1 / 60, brief = { duration = 6, args = { "15" } } }

local gravity, speed = 10, math.rad(25)
local half, wall, size = 10, 1, 0.25 -- half of the container, to the middle of a wall; a wall's thickness; a box's size
local drum, boxes, ticks

function scenario.setup(args)
	local side = arguments.whole(args, 1, 45, 1, 47, "tumbler: the number of boxes along a side")
	local world = d2.newWorld { gravity = { 0, -gravity } }
	drum = world:newBody {
		type = "kinematic", y = 10, angularVelocity = speed,
		shapes = {
			{ shape = d2.box(wall, 2 * half, { x = half }) },
			{ shape = d2.box(wall, 2 * half, { x = -half }) },
			{ shape = d2.box(2 * half, wall, { y = half }) },
			{ shape = d2.box(2 * half, wall, { y = -half }) },
		},
	}
	local shape = d2.box(size, size)
	boxes, ticks = {}, 0
	for i = 1, side do
		for j = 1, side do
			boxes[#boxes + 1] = world:newBody { x = (j - (side + 1) / 2) * 0.4, y = 10 + (i - (side + 1) / 2) * 0.4, shape = shape }
		end
	end
	return world
end

function scenario.update(_, tick)
	ticks = tick
end

function scenario.check()
	-- The container is kinematic: its angle is exact but for float rounding errors in each sub-step, whatever hits it.
	local lag = (drum:getAngle() - speed * ticks * scenario.timestep + math.pi) % (2 * math.pi) - math.pi
	assert(math.abs(lag) < 1e-3, ("tumbler: the container is %.4f rad off its time"):format(lag))
	-- A box falls at most 27 m, from corner to corner, and gets the speed of a wall's end on the way.
	local room = half - wall / 2
	local fastest = math.sqrt(2 * gravity * 2 * math.sqrt(2) * room) + 2 * speed * math.sqrt(2) * half
	for i, box in ipairs(boxes) do
		local x, y = drum:getLocalPoint(box:getPosition())
		assert(math.abs(x) < room and math.abs(y) < room, ("tumbler: box %d has escaped: it is at %.2f, %.2f"):format(i, x, y))
		local vx, vy = box:getLinearVelocity()
		local v = math.sqrt(vx * vx + vy * vy)
		assert(v < fastest, ("tumbler: box %d moves at %.1f m/s, and nothing here gives it more than %.1f"):format(i, v, fastest))
	end
end

return scenario
