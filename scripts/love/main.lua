-- Towers: throw balls at towers until all crowns are on the ground. Drag with the mouse to aim, release to throw.
--   love scripts/love            after `make LUA=luajit OUT=build/luajit`
--   make love                    packs build/love/towers.love; collide.so stands beside it
-- It looks for collide.so, in this order: in the save directory and in this folder (LÖVE does that), beside the .love or this folder, in the repository's build.

local extension = package.cpath:match "%?%.(%a+)" or "so"
local base = love.filesystem.getSourceBaseDirectory()
for _, folder in ipairs { "", "/../build/luajit", "/../build" } do
	package.cpath = package.cpath .. ";" .. base .. folder .. "/?." .. extension
end
package.path = package.path .. ";" .. base .. "/?.lua;" .. base .. "/../lua/?.lua"

local found, problem = pcall(require, "collide")
if not found then
	local text = ([[
collide.%s cannot be loaded. Build it for LÖVE's LuaJIT:

    make LUA=luajit OUT=build/luajit

and put it into the save directory:  %s
or beside the game:  %s

%s]]):format(extension, love.filesystem.getSaveDirectory(), base, problem)
	print(text)
	function love.load() love.graphics.setNewFont(18) end
	function love.draw() love.graphics.printf(text, 40, 40, love.graphics.getWidth() - 80) end
	function love.keypressed(key) if key == "escape" then love.event.quit(1) end end
	return
end

local game = require "game"
local debug_view = require "collide.draw.love"

local graphics = love.graphics
local view = { x = 2.5, y = 4.2, height = 13 } -- the picture's middle, and its height [m]
local state, debugging, left_over, fonts = game.new(1), false, 0, {}
local aim -- where the drag began [pixels], or nil

local colors = {
	sky = { 0.53, 0.74, 0.86 }, hill = { 0.45, 0.66, 0.60 }, grass = { 0.36, 0.56, 0.35 }, earth = { 0.36, 0.28, 0.22 },
	wood = { 0.80, 0.58, 0.34 }, stone = { 0.62, 0.64, 0.68 }, crown = { 0.98, 0.78, 0.20 }, fallen = { 0.75, 0.66, 0.40 }, ball = { 0.80, 0.22, 0.24 },
	ink = { 0.13, 0.15, 0.19 },
}

local function scale() return graphics.getHeight() / view.height end

function love.load()
	for name, size in pairs { small = 18, large = 44 } do fonts[name] = graphics.newFont(size) end
	graphics.setBackgroundColor(colors.sky)
end

-- Frames take any time, steps always 1/60 s: what is left over is kept for the next frame. After a pause of the whole program the game does not race.
function love.update(dt)
	left_over = math.min(left_over + dt, 0.1)
	while left_over >= game.timestep do
		game.step(state)
		left_over = left_over - game.timestep
	end
end

local function get_drag()
	local x, y = love.mouse.getPosition()
	return (x - aim.x) / scale(), -(y - aim.y) / scale()
end

function love.mousepressed(x, y, button)
	if button == 1 and state.phase == "aim" and state.throws > 0 then aim = { x = x, y = y } end
end

function love.mousereleased(_, _, button)
	if button ~= 1 or not aim then return end
	local dx, dy = get_drag()
	aim = nil
	if dx * dx + dy * dy > 0.04 then game.throw(state, game.velocity(dx, dy)) end
end

local function go_on()
	if state.phase == "won" and state.level < game.levels then
		state = game.new(state.level + 1, state.score)
	elseif state.phase == "won" then
		state = game.new(1)
	elseif state.phase == "lost" then
		state = game.new(state.level)
	end
end

function love.keypressed(key)
	if key == "escape" then love.event.quit() end
	if key == "f1" or key == "d" then debugging = not debugging end
	if key == "r" then state, aim = game.new(1), nil end
	if key == "space" or key == "return" then go_on() end
end

local function draw_body(body)
	local data, x, y = body.data, body:getPosition()
	graphics.push()
	graphics.translate(x, y)
	graphics.rotate(body:getAngle())
	graphics.setColor(colors[data.kind])
	if data.width then
		graphics.rectangle("fill", -data.width / 2, -data.height / 2, data.width, data.height)
		graphics.setColor(colors.ink)
		graphics.rectangle("line", -data.width / 2, -data.height / 2, data.width, data.height)
	else
		local radius = data.kind == "ball" and game.ball_radius or game.crown_radius
		graphics.circle("fill", 0, 0, radius)
		graphics.setColor(colors.ink)
		graphics.circle("line", 0, 0, radius)
		if data.kind ~= "ball" then graphics.polygon("line", -0.15, -0.1, -0.15, 0.12, -0.06, 0.02, 0, 0.15, 0.06, 0.02, 0.15, 0.12, 0.15, -0.1) end
	end
	graphics.pop()
end

-- The path of the next ball, as far as 1 s: points at the same intervals of time.
local function draw_aim()
	local vx, vy = game.velocity(get_drag())
	for i = 1, 20 do
		local t = i / 20
		graphics.setColor(1, 1, 1, 1 - t)
		graphics.circle("fill", game.sling.x + vx * t, game.sling.y + vy * t - game.gravity * t * t / 2, 0.09)
	end
end

local function draw_world()
	graphics.setLineWidth(0.05)
	graphics.setColor(colors.hill)
	for i = -3, 3 do graphics.circle("fill", i * 7 + 1, -2.5, 5.5 + i % 2) end
	graphics.setColor(colors.earth)
	graphics.rectangle("fill", -100, -10, 200, 10)
	graphics.setColor(colors.grass)
	graphics.rectangle("fill", -100, -0.35, 200, 0.35)
	graphics.setColor(colors.earth)
	graphics.rectangle("fill", game.sling.x - 0.12, 0, 0.24, game.sling.y - 0.25)
	for _, body in ipairs(state.bodies) do draw_body(body) end
	if state.throws > 0 and state.phase == "aim" then
		graphics.setColor(colors.ball)
		graphics.circle("fill", game.sling.x, game.sling.y, game.ball_radius)
	end
	if aim then draw_aim() end
end

local function draw_text()
	graphics.setFont(fonts.small)
	graphics.setColor(colors.ink)
	graphics.print(("tower %d of %d     crowns %d     balls %d     score %d"):format(state.level, game.levels, state.remaining, state.throws, state.score), 20, 16)
	graphics.print("drag and release: throw     r: restart     F1: debug view     escape: quit", 20, 42)
	local text = state.phase == "lost" and "Out of balls\nspace: try again"
		or state.phase == "won" and (state.level < game.levels and "All down!\nspace: next tower" or "You won with " .. state.score .. "\nspace: play again")
	if text then
		graphics.setFont(fonts.large)
		graphics.printf(text, 0, graphics.getHeight() * 0.16, graphics.getWidth(), "center")
	end
end

function love.draw()
	graphics.push()
	graphics.translate(graphics.getWidth() / 2, graphics.getHeight() / 2)
	graphics.scale(scale(), -scale())
	graphics.translate(-view.x, -view.y)
	draw_world()
	if debugging then debug_view.draw(state.world, { contacts = true, velocities = true, names = true }) end
	graphics.pop()
	draw_text()
end
