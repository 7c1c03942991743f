-- A platformer: tiles with slopes, planks to jump through, a lift, crates to push, coins and a flag. Left and right (a, d) walk, up, w and space jump, down and s
-- drop through planks; on a gamepad the left stick or the pad, and a. Return starts anew. Until a key is pressed an autopilot plays: build/host --view.
-- Laws. The walker keeps a skin from the tiles, and its feet at their height; it climbs slopes of 45 degrees and no walls; planks hold what comes from above.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "platformer", duration = 18, timestep = 1 / 60, theme = "dark" }

-- #: ground, / and \: slopes, =: a plank, o: a coin, c: a crate, F: the flag.
local level = {
	"................................................................",
	"................................................................",
	".............................................................o..",
	"................................................................",
	"...............................o.............................F..",
	"..............................===........................./#####",
	".........o....................................o........../######",
	"........===...............o..o..............====......../#######",
	"........................./####\\......................../########",
	"...o......../##\\......../######\\.......c............../#########",
	"#########################################....###################",
	"#########################################....###################",
	"#########################################....###################",
}
local gravity, walk, jump, friction = 25, 6, 11.5, 30 -- [m/s^2], [m/s], [m/s], [m/s^2]
local coyote, early = 6, 6 -- a jump counts for so many ticks after the edge, and before the landing

local shape = d2.capsule(0.7 / 2, 1.5)
local game, world, player, lift
local keys = { left = "left", a = "left", right = "right", d = "right", up = "jump", w = "jump", space = "jump", down = "drop", s = "drop", ["return"] = "restart" }
local pads = { dpleft = "left", dpright = "right", a = "jump", dpdown = "drop", start = "restart" }

local function add_level()
	local kinds = {
		{ name = "ground", material = { friction = 0.8 } },
		{ name = "slope", shape = d2.polygon { 0, 0, 1, 0, 1, 1 }, material = { friction = 0.8 } },
		{ name = "plank", shape = d2.polygon { 0, 0.75, 1, 0.75, 1, 1, 0, 1 }, oneWay = { 0, 1 } },
	}
	local map = world:newBody { type = "static" }:newTiles { columns = #level[1], rows = #level, kinds = kinds, layer = "ground" }
	for row, line in ipairs(level) do
		local j = #level + 1 - row
		for i = 1, #line do
			local cell = line:sub(i, i)
			if cell == "#" then map:setCell(i, j, 1) elseif cell == "/" then map:setCell(i, j, 2) elseif cell == "\\" then map:setCell(i, j, 2, "flipX") elseif cell == "=" then map:setCell(i, j, 3) end
			local x, y = i - 0.5, j - 0.5
			if cell == "o" then
				world:newBody { type = "static", x = x, y = y, shape = d2.circle(0.25), sensor = true, layer = "trigger", color = "#f5b82e", data = "coin" }
				game.total = game.total + 1
			elseif cell == "F" then
				world:newBody { type = "static", x = x, y = y, shape = d2.box(0.2, 1), sensor = true, layer = "trigger", color = "#e5484d", data = "flag" }
			elseif cell == "c" then
				world:newBody { x = x, y = y, shape = d2.box(0.9, 0.9), density = 2, friction = 0.3 }
			end
		end
	end
end

local function restart()
	for _, body in ipairs(world:getBodies()) do body:destroy() end
	game = { coins = 0, total = 0, falls = 0, grounded = 0, wanted = 0, won = false, stick = 0, slow = 0 }
	add_level()
	lift = world:newBody { type = "kinematic", x = 43, y = 2.7, shape = d2.box(3, 0.4), friction = 1 }
	player = world:newMover { shape = shape, x = 2, y = 4, layer = "player", stepHeight = 0.3, maxSlopeAngle = 0.9, color = "#4cc2ff", name = "player" }
	game.vx, game.vy = 0, 0
end

function scenario.setup()
	world = d2.newWorld { gravity = { 0, -gravity }, layers = { "default", "ground", "player", "trigger" }, collide = {
		default = { "default", "ground", "player" }, player = { "ground", "trigger" },
	} }
	game = {}
	restart()
	return world
end

local held, autopilot = {}, true

local function press(action, value)
	if autopilot then autopilot, held = false, {} end
	if action == "restart" then
		if value then restart() end
	elseif action == "jump" then
		if value and not held.jump then game.wanted = early end
	elseif action == "drop" and value then
		player:dropThrough()
	end
	held[action] = value or nil
end

function scenario.key(name, down)
	if not keys[name] then return false end
	press(keys[name], down)
	return true
end

function scenario.pad(control, value)
	if pads[control] then press(pads[control], value == 1) elseif control == "leftx" then
		autopilot = autopilot and value == 0
		game.stick = value
	end
end

-- Runs to the right; jumps before walls and gaps, from the edge when the lift is near, and when it gets no farther.
local function think(dt)
	local x, y = player:getPosition()
	held.right = true
	local ahead = world:raycast(x, y - 0.3, x + 1.1, y - 0.3, { layers = { "ground" }, exclude = player:getBody() })
	local floor = world:raycast(x + 0.6, y, x + 0.6, y - 2, { layers = { "ground", "default" }, exclude = player:getBody() })
	if not floor and x < 46 and x > 40 then
		held.right = math.abs(lift:getPosition() - x) < 2.6 and select(2, lift:getPosition()) < y or nil
	end
	game.slow = held.right and game.vx < walk / 3 and game.slow + dt or 0
	if player:isGrounded() and (ahead or not floor and held.right or game.slow > 0.4) then game.wanted, game.slow = early, 0 end
end

function scenario.update(_, tick)
	local dt = scenario.timestep or 1 / 60
	lift:setLinearVelocity(0, 1.2 * collide.cos(tick * dt * 1.2))
	if autopilot and not game.won then think(dt) end
	local target = walk * math.max(-1, math.min(1, (held.right and 1 or 0) - (held.left and 1 or 0) + game.stick))
	if game.won then target = 0 end
	game.vx = game.vx + math.max(-friction * dt, math.min(friction * dt, target - game.vx))
	if player:isGrounded() then game.grounded, game.vy = coyote, 0 end
	game.vy = game.vy - gravity * dt
	if game.wanted > 0 and game.grounded > 0 then game.vy, game.wanted, game.grounded = jump, 0, 0 end
	if game.vy > 0 and not held.jump and not autopilot then game.vy = game.vy - gravity * dt end -- a short jump
	game.wanted, game.grounded = game.wanted - 1, game.grounded - 1
	player:move(game.vx * dt, game.vy * dt, dt)
	local vx, vy = player:getVelocity()
	if math.abs(vx) < math.abs(game.vx) then game.vx = vx end
	if game.vy > 0 and vy < game.vy - gravity * dt then game.vy = math.max(0, vy) end -- the head
	for sensor, visitor in world:beginOverlaps() do
		local trigger = sensor:getBody()
		if visitor:getBody() == player:getBody() and trigger.data == "coin" then
			game.coins = game.coins + 1
			trigger:destroy()
		elseif visitor:getBody() == player:getBody() and trigger.data == "flag" then
			game.won = true
		end
	end
	local x, y = player:getPosition()
	if y < -5 then
		game.falls, game.vx, game.vy = game.falls + 1, 0, 0
		player:setPosition(math.max(2, x - 8), 8)
	end
end

function scenario.camera()
	local x, y = player:getPosition()
	return { x = math.max(11, x + 3), y = math.max(5.5, 0.5 * y + 3), height = 12 }
end

function scenario.draw(canvas)
	canvas.label("label", 12, 12, ("coins %d of %d%s"):format(game.coins, game.total, game.won and "   the flag!" or ""))
end

function scenario.check()
	assert(game.won and game.falls == 0, "the flag was not reached")
	assert(game.coins >= 2, game.coins .. " coins")
	local x, y = player:getPosition()
	assert(player:isGrounded() and math.abs(y - 8.75) < 0.03, ("stands at %.3f, %.3f"):format(x, y))
	world:validate()
end

return scenario
