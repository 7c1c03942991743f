-- 2,025 small boxes in a square drum that a motor turns at 25 degrees a second: bodies, sizes and steps of Box2D's benchmark of the same name.
local d2 = require("collide").d2

local scenario = { name = "tumbler", duration = 750 / 60, brief = { duration = 2, args = { "10" } } }
local boxes

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 45
	local world = d2.newWorld { gravity = { 0, -10 } }
	local walls = {}
	for i, wall in ipairs { { 1, 20, 10, 0 }, { 1, 20, -10, 0 }, { 20, 1, 0, 10 }, { 20, 1, 0, -10 } } do
		walls[i] = { shape = d2.box(wall[1], wall[2], { x = wall[3], y = wall[4] }), density = 50 }
	end
	local drum = world:newBody { y = 10, shapes = walls }
	local ground = world:newBody { type = "static" }
	world:newRevoluteJoint { bodyA = ground, bodyB = drum, x = 0, y = 10, motorSpeed = math.rad(25), maxMotorTorque = 1e8 }
	local box = d2.box(0.25, 0.25)
	boxes = {}
	for i = 0, count - 1 do
		for j = 0, count - 1 do
			boxes[#boxes + 1] = world:newBody { x = -0.2 * count + 0.4 * j, y = -0.2 * count + 10 + 0.4 * i, shape = box }
		end
	end
	return world
end

local function escaped()
	local count = 0
	for _, box in ipairs(boxes) do
		local x, y = box:getPosition()
		if not (x * x + (y - 10) ^ 2 < 14.5 ^ 2) then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { escaped = escaped() }
end

function scenario.check()
	local count = escaped()
	assert(count == 0, ("tumbler: %d boxes have left the drum"):format(count))
end

return scenario
