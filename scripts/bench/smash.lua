-- A heavy box flies into 9,600 small ones that sleep, without gravity: bodies, sizes and steps of Box2D's benchmark of the same name.
local d2 = require("collide").d2

local scenario = { name = "smash", duration = 300 / 60, brief = { duration = 1.5, args = { "10" } } }
local momentum

-- Without gravity and ground the momentum is conserved.
local function momentum_of(world)
	local sum_x, sum_y = 0, 0
	for _, body in ipairs(world:getBodies()) do
		local vx, vy = body:getLinearVelocity()
		sum_x, sum_y = sum_x + body:getMass() * vx, sum_y + body:getMass() * vy
	end
	return sum_x, sum_y
end

function scenario.setup(args)
	local world = d2.newWorld { gravity = { 0, 0 } }
	local columns = tonumber(args and args[1]) or 120
	world:newBody { x = -20, shape = d2.box(8, 8), density = 8, linearVelocity = { 40, 0 } }
	local box = d2.box(0.4, 0.4)
	for i = 0, columns - 1 do
		for j = 0, 79 do world:newBody { x = 30 + i * 0.4, y = (j - 40) * 0.4, shape = box, awake = false } end
	end
	momentum = momentum_of(world)
	return world
end

function scenario.measure(world)
	local x, y = momentum_of(world)
	return { momentumLost = math.sqrt((x - momentum) ^ 2 + y * y) / momentum }
end

function scenario.check(world)
	local x, y = momentum_of(world)
	print(("smash: momentum %.2f of %.2f, aside %.3f"):format(x, momentum, y))
	assert(math.abs(x - momentum) < 1e-3 * momentum and math.abs(y) < 1e-3 * momentum, "smash: momentum is lost")
end

return scenario
