-- The game without its window: towers, throws, score. It knows nothing of LÖVE, so it can be stepped by a test or by build/host. The same throws before the same
-- steps give the same game, on every machine.
local collide = require "collide"
local d2 = collide.d2

local game = { timestep = 1 / 60, gravity = 10, throws = 4, sling = { x = -7.5, y = 2.2 }, top_speed = 20, ball_radius = 0.32, crown_radius = 0.3 }

-- Each tower is a list of calls: what, x and y of its middle, and of a box width and height. A crown has to come down to the ground.
local levels = {
	{
		"wood", 5, 1, 0.5, 2, "wood", 8, 1, 0.5, 2, "wood", 6.5, 2.2, 4, 0.4, "crown", 6.5, 2.7,
	},
	{
		"wood", 4, 1.2, 0.5, 2.4, "wood", 6.4, 1.2, 0.5, 2.4, "wood", 5.2, 2.6, 3.2, 0.4, "crown", 4.6, 3.1,
		"wood", 5.2, 3.6, 0.5, 1.6, "wood", 5.2, 4.6, 2, 0.4, "crown", 5.2, 5.1,
	},
	{
		"stone", 3.5, 0.75, 1.5, 1.5, "wood", 3.5, 2.5, 0.5, 2, "crown", 3.5, 3.8,
		"stone", 7, 0.75, 1.5, 1.5, "wood", 7, 3, 0.5, 3, "crown", 7, 4.8,
		"stone", 10.5, 0.75, 1.5, 1.5, "wood", 10.5, 3.5, 0.5, 4, "crown", 10.5, 5.8,
	},
	{
		"wood", 4.5, 1, 0.5, 2, "wood", 7, 1, 0.5, 2, "wood", 9.5, 1, 0.5, 2, "wood", 5.75, 2.2, 2.4, 0.4, "wood", 8.25, 2.2, 2.4, 0.4,
		"wood", 5.75, 3.4, 0.5, 2, "wood", 8.25, 3.4, 0.5, 2, "wood", 7, 4.6, 3.4, 0.4, "crown", 5.9, 5.1, "crown", 8.1, 5.1,
		"stone", 7, 2.9, 1, 1, "crown", 7, 3.7,
	},
	{
		"stone", 3, 1.5, 0.8, 3, "crown", 3, 3.3, "stone", 11, 1.5, 0.8, 3, "stone", 7, 1.5, 0.8, 3, "wood", 5, 3.2, 3.2, 0.4, "wood", 9, 3.2, 3.2, 0.4,
		"wood", 5, 4.2, 0.5, 1.6, "wood", 9, 4.2, 0.5, 1.6, "wood", 7, 5.2, 4.8, 0.4, "wood", 7, 6.2, 0.5, 1.6, "crown", 7, 7.3, "crown", 7.9, 5.7,
	},
}
game.levels = #levels

local material = {
	wood = { density = 0.6, friction = 0.6 },
	stone = { density = 2.4, friction = 0.7 },
	crown = { density = 1, friction = 0.5, rollingResistance = 0.05 },
}

local function add(state, kind, x, y, width, height)
	local shape = width and d2.box(width, height) or d2.circle(game.crown_radius)
	local options = { x = x, y = y, shape = shape, data = { kind = kind, width = width, height = height } }
	for key, value in pairs(material[kind]) do options[key] = value end
	state.bodies[#state.bodies + 1] = state.world:newBody(options)
end

-- A new game at the start of the level: a table that step and throw change, and that a picture reads.
function game.new(level, score)
	local state = { level = level, score = score or 0, throws = game.throws, bodies = {}, crowns = {}, remaining = 0, quiet = 0, phase = "aim" }
	state.world = d2.newWorld { gravity = { 0, -game.gravity } }
	state.ground = state.world:newBody { type = "static", x = 0, y = -2, shape = d2.box(200, 4), friction = 0.8, name = "ground" }
	local list, i = levels[level], 1
	while i <= #list do
		if list[i] == "crown" then
			add(state, "crown", list[i + 1], list[i + 2])
			state.crowns[state.bodies[#state.bodies]] = true
			state.remaining = state.remaining + 1
			i = i + 3
		else
			add(state, list[i], list[i + 1], list[i + 2], list[i + 3], list[i + 4])
			i = i + 5
		end
	end
	return state
end

-- The velocity that a throw with this drag has: opposite to it, limited.
function game.velocity(dx, dy)
	local speed = 6 * math.sqrt(dx * dx + dy * dy)
	local share = speed > game.top_speed and game.top_speed / speed or 1
	return -6 * share * dx, -6 * share * dy
end

-- Throws a ball from the sling; false when there is none left, or the level has ended.
function game.throw(state, vx, vy)
	if state.phase ~= "aim" or state.throws == 0 then return false end
	state.throws = state.throws - 1
	local ball = state.world:newBody {
		x = game.sling.x, y = game.sling.y, shape = d2.circle(game.ball_radius), linearVelocity = { vx, vy }, density = 4, friction = 0.6, restitution = 0.2,
		rollingResistance = 0.05, bullet = true, data = { kind = "ball" },
	}
	state.bodies[#state.bodies + 1] = ball
	state.quiet = 0
	return true
end

local function drop(state, body)
	if not state.crowns[body] then return end
	state.crowns[body] = nil
	body.data.kind = "fallen"
	state.remaining, state.score = state.remaining - 1, state.score + 100
end

-- One step of 1/60 s. The phase becomes "won" or "lost" when the level ends.
function game.step(state)
	state.world:step(game.timestep)
	for a, b in state.world:beginContacts() do
		local one, other = a:getBody(), b:getBody()
		if one == state.ground then drop(state, other) elseif other == state.ground then drop(state, one) end
	end
	state.quiet = state.quiet + 1
	for body, x, _, _, asleep in state.world:moved() do
		if not asleep and math.abs(x) < 20 then -- what rolls away is not waited for
			local vx, vy = body:getLinearVelocity()
			if vx * vx + vy * vy > 0.05 then state.quiet = 0 end
		end
	end
	if state.phase ~= "aim" then return end
	if state.remaining == 0 then
		state.phase, state.score = "won", state.score + 50 * state.throws
	elseif state.throws == 0 and state.quiet > 60 then
		state.phase = "lost"
	end
end

return game
