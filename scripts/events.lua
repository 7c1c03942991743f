-- Layers, sensors, events, queries: a player rolls over the ground and picks up coins.
-- Coins collide with nothing: they are sensors that detect the player only. Coin and ground ignore each other.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "events", duration = 4, camera = { x = 0, y = 3, height = 12 } }

local coins = 5
local player, picked, left, landings

function scenario.setup()
	local world = d2.newWorld {
		gravity = { 0, -10 },
		layers = { "ground", "player", "coin" },
		collide = { player = { "ground", "coin" } },
	}
	world:newBody { type = "static", y = -1, shape = d2.box(40, 2), layer = "ground", data = "the ground" }
	-- It starts rolling (v = -w r), so that friction does no work.
	player = world:newBody {
		x = -6, y = 1.5, linearVelocity = { 4, 0 }, angularVelocity = -8,
		shape = d2.circle(0.5), layer = "player", data = "the player",
	}
	for i = 1, coins do
		world:newBody { type = "static", x = 2 * i - 6, y = 0.5, shape = d2.circle(0.2), layer = "coin", sensor = true, data = "coin " .. i }
	end
	picked, left, landings = 0, 0, 0
	return world
end

-- Events are those of the step before, until the next step.
local function read_events(world, tick)
	for a, b, _, _, x, y in world:beginContacts() do -- a, b: colliders; the script sets their bodies' data
		landings = landings + 1
		print(("%3d  %s meets %s at %.2f, %.2f"):format(tick, a:getBody().data, b:getBody().data, x, y))
	end
	local taken = {}
	for sensor, visitor in world:beginOverlaps() do
		print(("%3d  %s picks up %s"):format(tick, visitor:getBody().data, sensor:getBody().data))
		taken[#taken + 1] = sensor:getBody()
	end
	for sensor, visitor in world:endOverlaps() do -- every begin has its end, also if the coin is destroyed
		left = left + 1
		print(("%3d  %s leaves %s"):format(tick, visitor:getBody().data, sensor:isValid() and sensor:getBody().data or "a coin of the past"))
	end
	for body in world:moved() do -- all bodies that moved in this step
		assert(body == player)
	end
	for _, coin in ipairs(taken) do
		picked = picked + 1
		coin:destroy()
	end
end

function scenario.update(world, tick) read_events(world, tick - 1) end

function scenario.check(world)
	local collider, x, y, _, ny, fraction = world:raycast(0, 10, 0, -10, { layers = { "ground" } })
	print(("looking down from 0, 10: %s at %.2f, %.2f, fraction %.2f"):format(collider:getBody().data, x, y, fraction))
	assert(math.abs(y) < 1e-4 and ny > 0.999, "the ray hits the top of the ground")
	assert(picked == coins and left == coins, "each coin is picked up once and left once")
	assert(landings == 1, "the player lands once and never leaves the ground again")
	-- It is never slowed down: 4 m/s from x = -6.
	local seconds = world:getTick() * (scenario.timestep or 1 / 60)
	assert(math.abs(player:getPosition() - (4 * seconds - 6)) < 0.05, "what rolls goes on rolling")
end

return scenario
