-- A marble's course over hills, dominoes, a moving platform, crates, a see-saw, spikes and a trampoline to the golden flag. Left and right (a, d) roll it;
-- up, w and space jump; spikes send it back to the last flag; return restarts: build/host --view.
-- Until a key is pressed an autopilot plays, by the same keys: so the script is a demonstration, and its own test.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "marble", duration = 40, timestep = 1 / 60, theme = "dark" }

local gravity, radius, top_speed, jump_speed = 10, 0.4, 8, 6.5
local torque, air_force = 8, 4 -- for a marble of mass 1 and radius 1, on the ground and in the air

-- The course, from left to right.
local course = { -30, 9, -8, 9, -8, 0, 0, 0 }
local function add(x, y) course[#course + 1], course[#course + 2] = x, y end
for i = 1, 48 do add(i / 2, 0.7 * (1 - collide.cos(2 * math.pi * i / 16))) end -- three hills
local pits = { { 38, 48 }, { 74, 78 } } -- with spikes
for _, pit in ipairs(pits) do
	add(pit[1], 0) add(pit[1], -3) add(pit[2], -3) add(pit[2], 0)
end
add(80, 0) add(85, 3) add(88, 3) add(88, 0) add(94, 0) add(94, 4.2) add(101, 4.2)
for i = 1, 30 do add(101 + i / 2, 2.1 + 2.1 * collide.cos(math.pi * i / 30)) end -- a long slope
add(128, 0) add(128, 9) add(150, 9)

local coins = { -- x, y
	2, 1.6, 4, 2.2, 6, 1.6, 12, 2.2, 20, 2.2, 27, 0.6, 35, 0.6, 41.5, 2.2, 43, 2.6, 44.5, 2.2, 50, 0.6, 56, 2.4, 63, 2.2, 65, 2.5,
	67, 2.2, 76, 2.4, 83, 2.8, 91, 2, 91, 4, 97, 5, 99, 5, 106, 3.8, 110, 2.2, 114, 1.2, 118, 0.6,
}
local checkpoints, goal = { -4, 36, 57, 71.5, 86.5, 97 }, 123
local fire, gold, sky, stone, earth, grass, violet, lilac = -- colours
	"#e5484d", "#f5b82e", "#4cc2ff", "#8892a0", "#222c27", "#58b368", "#8e5bd6", "#e3d0ff"

local world, marble, platform, trampoline, game, eye

-- A sensor; its data says which kind it is.
local function newTrigger(kind, shape, x, y, number)
	return world:newBody {
		type = "static", x = x, y = y, shape = shape, layer = "trigger", sensor = true,
		data = { kind = kind, x = x, y = y, number = number },
	}
end

local function heightAt(x)
	local _, _, y = world:raycast(x, 8, x, -8, { layers = { "ground" } })
	return y
end

local function build()
	for _, body in ipairs(world:getBodies()) do body:destroy() end
	local points = {} -- solid on the left of the winding: from right to left
	for i = #course - 1, 1, -2 do points[#points + 1], points[#points + 2] = course[i], course[i + 1] end
	world:newBody { type = "static", shape = d2.chain(points), friction = 0.9, layer = "ground" }
	trampoline = world:newBody { type = "static", x = 91, y = 0.2, shape = d2.capsule(-2.7, 0, 2.7, 0, 0.2), restitution = 1.2 }

	for i = 1, 6 do world:newBody { x = 27.5 + i, y = 0.8, shape = d2.box(0.2, 1.6), density = 0.4 } end
	for row = 1, 3 do
		for i = row, 3 do
			world:newBody { x = 53 + 0.9 * i - 0.45 * row, y = 0.8 * row - 0.4, shape = d2.box(0.8, 0.8), density = 0.15, friction = 0.4 }
		end
	end
	platform = world:newBody { type = "kinematic", x = 43, y = -0.2, shape = d2.box(3, 0.4, { radius = 0.1 }), friction = 1 }
	-- It cannot move, only turn: the hinge of a see-saw.
	world:newBody {
		x = 65, y = 0.9, angle = 0.25, shape = d2.box(7, 0.24, { radius = 0.08 }), density = 0.3, friction = 0.9, angularDamping = 2,
		locks = { x = true, y = true },
	}
	world:newBody { type = "static", x = 65, shape = d2.polygon { -0.5, 0, 0.5, 0, 0, 0.75 } }

	game = { coins = 0, total = #coins / 2, falls = 0, ticks = 0, checkpoint = 1, pickups = {}, spikes = {}, flash = 0, fresh = true }
	for i = 1, #coins, 2 do game.pickups[newTrigger("coin", d2.circle(0.3), coins[i], coins[i + 1])] = true end
	for _, pit in ipairs(pits) do
		for x = pit[1] + 0.5, pit[2] do
			game.spikes[#game.spikes + 1] = newTrigger("spike", d2.polygon { -0.4, 0, 0.4, 0, 0, 0.9 }, x, -3)
		end
	end
	for i, x in ipairs(checkpoints) do newTrigger("checkpoint", d2.box(0.1, 2.4), x, heightAt(x) + 1.2, i) end
	newTrigger("goal", d2.box(0.1, 4), goal, 2)

	marble = world:newBody {
		x = checkpoints[1], y = 1, shape = d2.circle(radius), friction = 1, restitution = 0.1, rollingResistance = 0.01,
		layer = "marble", bullet = true, sleepingAllowed = false, name = "marble",
	}
	eye = { x = checkpoints[1] + 4, y = 2.5, height = 13 }
end

local meaning = { left = "left", a = "left", right = "right", d = "right", up = "jump", w = "jump", space = "jump" }
local held, autopilot = {}, true

local function press(name, down)
	local what = meaning[name]
	if what == "jump" and down and not held.jump then game.jump = 8 end -- the jump stays pending for 8 steps
	held[what] = down
end

-- Any key of the game ends the autopilot.
function scenario.key(name, down)
	if name ~= "return" and not meaning[name] then return false end
	if autopilot then
		autopilot, held = false, {}
	end
	if name ~= "return" then
		press(name, down)
	elseif down then
		build()
	end
	return true
end

-- The marble is on the ground if a contact's normal points up.
local function isOnGround()
	for a, b, _, ny in world:contacts() do
		if a:getBody() == marble and ny < -0.5 or b:getBody() == marble and ny > 0.5 then return true end
	end
	return false
end

local function move()
	local mass = marble:getMass()
	local direction = (held.right and 1 or 0) - (held.left and 1 or 0)
	local vx, vy = marble:getLinearVelocity()
	game.standing = isOnGround() and 5 or math.max(0, (game.standing or 0) - 1) -- it can still jump just after leaving an edge
	if direction * -marble:getAngularVelocity() * radius < top_speed then marble:applyTorque(-direction * torque * mass * radius) end
	if game.standing == 0 and direction * vx < top_speed then marble:applyForce(direction * air_force * mass, 0) end
	game.jump = (game.jump or 0) - 1
	if game.jump > 0 and game.standing > 0 then
		marble:applyImpulse(0, mass * (jump_speed - math.max(0, math.min(vy, 2))))
		game.jump, game.standing = 0, 0
	end
end

local function respawn()
	local x = checkpoints[game.checkpoint]
	marble:setTransform(x, heightAt(x) + 1, 0)
	marble:setLinearVelocity(0, 0)
	marble:setAngularVelocity(0)
	game.falls = game.falls + 1
end

local function handleEvents()
	local taken, hurt = {}, false
	for sensor in world:beginOverlaps() do
		local trigger = sensor:getBody()
		local kind = trigger.data.kind
		if kind == "coin" then
			taken[#taken + 1] = trigger
		elseif kind == "spike" then
			hurt = true
		elseif kind == "checkpoint" then
			game.checkpoint = math.max(game.checkpoint, trigger.data.number)
		elseif not game.done then
			game.done = game.ticks * scenario.timestep
		end
	end
	for _, coin in ipairs(taken) do
		game.coins = game.coins + 1
		game.pickups[coin] = nil
		coin:destroy()
	end
	for a, b in world:beginContacts() do
		if a:getBody() == trampoline or b:getBody() == trampoline then game.flash = 1 end
	end
	local _, y = marble:getPosition()
	if hurt or y < -6 then respawn() end
end

-- The autopilot presses keys by the marble's position.
local function steer(x, vx, target, most)
	local wanted = math.max(-most, math.min(most, 2 * (target - x)))
	press("right", vx < wanted - 0.3)
	press("left", vx > wanted + 0.3)
end

local function fly()
	local x, y = marble:getPosition()
	local vx, vy = marble:getLinearVelocity()
	local px = platform:getPosition()
	local jump = false
	game.stuck = math.abs(vx) < 0.4 and (game.stuck or 0) + 1 or 0
	if game.done then
		steer(x, vx, goal + 1, 4)
	elseif x < 38.2 and x > 33 and px > 40.2 then -- waits for the platform
		steer(x, vx, 37, 5)
	elseif x > 37 and x < 46.5 and y > -1 and px < 45.4 then -- rides on it
		steer(x, vx, px, 4)
	elseif x > 87 and x < 94.3 then -- bounces until it is high enough
		steer(x, vx, y > 3.6 and 98 or 91.3, y > 3.6 and 5 or 3)
	else
		steer(x, vx, goal + 1, x > 80 and x < 87 and 3.5 or 7)
		jump = x > 72.8 and x < 73.8 or x > 50.5 and x < 51 or game.stuck > 20
	end
	press("up", jump)
end

function scenario.setup(_, options)
	world = d2.newWorld {
		gravity = { 0, -gravity }, substeps = options and options.substeps, workers = options and options.workers, maximumSpeed = 20,
		layers = { "thing", "ground", "marble", "trigger" },
		collide = { thing = { "thing", "ground", "marble" }, marble = { "ground", "trigger" } },
	}
	held, autopilot = {}, true
	build()
	return world
end

function scenario.update(_, tick)
	if game.fresh then game.fresh = false else handleEvents() end -- skip events of the previous bodies
	if autopilot then fly() end
	move()
	if not game.done then game.ticks = game.ticks + 1 end
	game.flash = game.flash * 0.93
	local dt = scenario.timestep
	platform:moveTo(43 + 3.3 * collide.sin(0.9 * tick * dt), -0.2, 0, dt)
	local x, y = marble:getPosition()
	local vx = marble:getLinearVelocity()
	eye.x = eye.x + 4 * dt * (x + 0.35 * vx + 1.5 - eye.x)
	eye.y = eye.y + 3 * dt * (y + 1.5 - eye.y)
end

function scenario.camera()
	return eye
end

function scenario.draw(canvas)
	for i = 1, #course - 3, 2 do
		local x1, y1, x2, y2 = course[i], course[i + 1], course[i + 2], course[i + 3]
		if x1 < x2 then canvas.fillPolygon(earth, 0.02, x1, -12, x2, -12, x2, y2, x1, y1) end
	end
	for i = 1, #course - 3, 2 do canvas.segment(grass, course[i], course[i + 1], course[i + 2], course[i + 3]) end
	for coin in pairs(game.pickups) do canvas.solidCircle(gold, coin.data.x, coin.data.y, 0.3) end
	for _, spike in ipairs(game.spikes) do
		local x, y = spike.data.x, spike.data.y
		canvas.solidPolygon(fire, 0, x - 0.4, y, x + 0.4, y, x, y + 0.9)
	end
	for i, x in ipairs(checkpoints) do
		local y = heightAt(x) + 1.8
		canvas.solidPolygon(i <= game.checkpoint and sky or stone, 0, x, y, x + 0.9, y + 0.3, x, y + 0.6)
	end
	canvas.solidPolygon(gold, 0, goal, 2.8, goal + 1.8, 3.4, goal, 4)
	canvas.solidCapsule(game.flash > 0.1 and lilac or violet, 88.3, 0.2, 93.7, 0.2, 0.2)

	local seconds = game.done or game.ticks * scenario.timestep
	local hint = game.done and "\ndone! return plays again" or autopilot and "\nautopilot: arrows or a, d, w play" or ""
	canvas.label("label", 20, 20,
		("coins  %d of %d\ntime   %.1f s\nfalls  %d\n%s"):format(game.coins, game.total, seconds, game.falls, hint))
end

function scenario.check()
	assert(game.done, ("marble: the goal was not reached; the marble is at %.1f, %.1f"):format(marble:getPosition()))
	assert(game.coins >= game.total / 2, ("marble: %d of %d coins only"):format(game.coins, game.total))
end

return scenario
