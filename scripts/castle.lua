-- A walk through a castle, in the first person: a gate, stairs, the walk on the walls and a lift to the top of the tower. w, a, s, d walk, left and right turn, up
-- and down look, space jumps; on a gamepad the left stick walks, the right one looks, a jumps. Return starts anew. Until a key is pressed an autopilot walks.
-- Laws. The castle is one mesh. The walker stands a skin above it, climbs its steps, passes no wall, and rides the lift up.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "castle", duration = 45, timestep = 1 / 60 }

local gravity, speed, jump, eye = 20, 4, 7, 0.7 -- [m/s^2], [m/s], [m/s], above the middle [m]
local radius, tall = 0.35, 1.8
local rest = tall / 2 + 0.01 -- height of the middle above the ground
local low, high = 4.15, 9 -- of the top of the lift [m]
-- The way: places, and whether the lift must be low before the walker leaves for one, or high.
local way = {
	{ 0, 9 }, { 0, 5 }, { -9, 6 }, { -9, -2.1 }, { -11, -2.1 }, { -11, -11 }, { 5.8, -11 }, { 7.9, -11, "low" }, { 11.5, -11.5, "high" },
}
local world, game

-- The boxes of the castle, from corner to corner: x1, y1, z1, x2, y2, z2.
local function boxes()
	local list = {
		{ -30, -1, -30, 30, 0, 30 }, -- the ground
		{ -12, 0, 10, -1.5, 4, 12 }, { 1.5, 0, 10, 12, 4, 12 }, { -1.5, 3, 10, 1.5, 4, 12 }, -- the south wall, and its gate
		{ -12, 0, -12, 12, 4, -10 }, { -12, 0, -10, -10, 4, 10 }, { 10, 0, -10, 12, 4, 10 },
		{ 9, 0, -14, 14, high, -9 }, -- the tower
		{ -3, 0, -6, 3, 5, 0 }, -- the keep
	}
	for k = 0, 15 do list[#list + 1] = { -10, 0, 4 - 0.4 * (k + 1), -8, 0.25 * (k + 1), 4 - 0.4 * k } end
	for i = -11, 11, 2 do -- merlons
		list[#list + 1] = { i, 4, -12, i + 1, 4.8, -11.7 }
		list[#list + 1] = { -12, 4, i, -11.7, 4.8, i + 1 }
		list[#list + 1] = { i, 4, 11.7, i + 1, 4.8, 12 }
	end
	for i = 9, 13, 2 do
		list[#list + 1] = { i, high, -14, i + 1, high + 0.8, -13.7 }
		list[#list + 1] = { 13.7, high, -i - 1, 14, high + 0.8, -i }
	end
	return list
end

local sides = { { 1, 3, 7, 5 }, { 2, 6, 8, 4 }, { 1, 5, 6, 2 }, { 3, 4, 8, 7 }, { 1, 2, 4, 3 }, { 5, 7, 8, 6 } }

local function castle()
	local vertices, indices = {}, {}
	for _, box in ipairs(boxes()) do
		local first = #vertices / 3
		for corner = 0, 7 do -- bits: x, y, z
			for k = 0, 2 do vertices[#vertices + 1] = box[1 + k + (math.floor(corner / 2 ^ k) % 2) * 3] end
		end
		for _, side in ipairs(sides) do
			for _, k in ipairs { 1, 2, 3, 1, 3, 4 } do indices[#indices + 1] = first + side[k] end
		end
	end
	return d3.mesh(vertices, indices)
end

local function restart()
	for _, body in ipairs(world:getBodies()) do body:destroy() end
	world:newBody { type = "static", shape = castle(), color = "#a8a29e" }
	game = {
		vy = 0, yaw = math.pi, look = 0, step = 1, forward = 0, side = 0, turn = 0, nod = 0, wanted = 0, inside = 0,
		lift = world:newBody { type = "kinematic", x = 7.9, y = low - 0.2, z = -11, shape = d3.box(2, 0.4, 1.8), friction = 1, color = "#b45309" },
		player = world:newMover { shape = d3.capsule(radius, tall), x = 0, y = rest, z = 18, stepHeight = 0.35, name = "walker", color = "#00000000" },
	}
end

function scenario.setup()
	world = d3.newWorld { gravity = { 0, -gravity, 0 } }
	restart()
	return world
end

local keys = { w = "ahead", s = "back", a = "left", d = "right", left = "turn left", right = "turn right", up = "look up", down = "look down", space = "jump" }
local held, autopilot = {}, true

function scenario.key(name, down)
	if name == "return" then
		if down then restart() end
		return true
	end
	if not keys[name] then return false end
	autopilot = false
	held[keys[name]] = down or nil
	if keys[name] == "jump" and down then game.wanted = 6 end
	return true
end

function scenario.pad(control, value)
	if value ~= 0 then autopilot = false end
	if control == "leftx" then game.side = value elseif control == "lefty" then game.forward = value
	elseif control == "rightx" then game.turn = value elseif control == "righty" then game.nod = value
	elseif control == "a" and value == 1 then game.wanted = 6 end
end

-- The direction in which the autopilot walks: x, z.
local function think()
	local x, _, z = game.player:getPosition()
	local place = way[game.step]
	if not place then return 0, 0 end
	local dx, dz = place[1] - x, place[2] - z
	local far = math.sqrt(dx * dx + dz * dz)
	if far < 0.25 then
		game.step = game.step + 1
		return 0, 0
	end
	local _, top = game.lift:getPosition()
	top = top + 0.2
	if place[3] == "low" and top > low + 0.2 or place[3] == "high" and top < high - 0.05 then
		local _, y = game.player:getPosition()
		if place[3] == "high" or y < low + rest - 0.1 then return 0, 0 end
	end
	local rate = math.min(1, far / 0.3 + 0.2)
	return rate * dx / far, rate * dz / far
end

local function hold(more, less, value)
	return math.max(-1, math.min(1, (held[more] and 1 or 0) - (held[less] and 1 or 0) + value))
end

function scenario.update(_, tick)
	local dt = scenario.timestep or 1 / 60
	local _, top = game.lift:getPosition()
	local target = low + (high - low) * (1 - collide.cos(2 * math.pi * tick * dt / 14)) / 2
	game.lift:setLinearVelocity(0, (target - 0.2 - top) / dt, 0)
	local dx, dz
	if autopilot then
		dx, dz = think()
		if dx ~= 0 or dz ~= 0 then
			local turn = collide.atan2(dx, dz) - game.yaw
			turn = turn - 2 * math.pi * math.floor(turn / (2 * math.pi) + 0.5)
			game.yaw = game.yaw + math.max(-4 * dt, math.min(4 * dt, turn))
		end
	else
		game.yaw = game.yaw - 2.5 * dt * hold("turn right", "turn left", game.turn)
		game.look = math.max(-1.4, math.min(1.4, game.look + 1.5 * dt * hold("look up", "look down", game.nod)))
		local s, c = collide.sin(game.yaw), collide.cos(game.yaw)
		local ahead, side = hold("ahead", "back", game.forward), hold("right", "left", game.side)
		dx, dz = ahead * s - side * c, ahead * c + side * s
	end
	local player = game.player
	if player:isGrounded() then
		game.vy = 0
		if game.wanted > 0 then game.vy, game.wanted = jump, 0 end
	end
	game.vy, game.wanted = game.vy - gravity * dt, game.wanted - 1
	player:move(speed * dx * dt, game.vy * dt, speed * dz * dt, dt)
	if player:isCrushed() then game.inside = game.inside + 1 end
end

function scenario.camera()
	local x, y, z = game.player:getPosition()
	local s, c, up, flat = collide.sin(game.yaw), collide.cos(game.yaw), collide.sin(game.look), collide.cos(game.look)
	return { x = x + s * flat, y = y + eye + up, z = z + c * flat, distance = 1, yaw = game.yaw + math.pi, pitch = -game.look, fov = 1.2 }
end

function scenario.check()
	assert(game.step > #way, "the way ends at place " .. game.step)
	assert(game.inside == 0, "the walker was crushed")
	local x, y, z = game.player:getPosition()
	assert(math.abs(y - high - rest) < 0.011 and x > 9 and z < -9, ("the walker is at %.3f, %.3f, %.3f"):format(x, y, z))
	world:validate()
end

return scenario
