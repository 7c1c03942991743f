-- Top-down: 200 chasers and a runner in an arena with pillars and crates. The arrows (w, a, s, d) run; on a gamepad the left stick. Until a key is pressed the
-- runner circles by itself. The first argument is the number of chasers, from 1 to 1000.
-- Laws. Movers keep a skin from walls and from each other, and stay in the arena, however many press from behind. Crates move only when they are pushed.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = { name = "arena", duration = 20, timestep = 1 / 60, theme = "dark", camera = { x = 0, y = 0, height = 27 }, brief = { duration = 6, args = { "80" } } }

local width, height, radius, skin = 44, 24, 0.35, 0.01
local world, runner, chasers, crates, stick, held, autopilot
local pillars = { { -12, 5 }, { -12, -5 }, { 0, 0 }, { 12, 5 }, { 12, -5 } }

local function new_mover(x, y, color)
	return world:newMover { shape = d2.circle(radius), x = x, y = y, skin = skin, maxForce = 60, mass = 20, color = color }
end

function scenario.setup(args)
	local count = arguments.whole(args, 1, 200, 1, 1000, "arena: the number of chasers")
	world = d2.newWorld { gravity = { 0, 0 }, seed = 3 }
	local ground = world:newBody { type = "static" }
	ground:newCollider(d2.chain({ -width / 2, -height / 2, -width / 2, height / 2, width / 2, height / 2, width / 2, -height / 2 }, { loop = true }))
	for i, at in ipairs(pillars) do
		world:newBody { type = "static", x = at[1], y = at[2], shape = i % 2 == 1 and d2.circle(1.5) or d2.box(2.6, 2.6), angle = i }
	end
	crates, chasers, stick, held, autopilot = {}, {}, { 0, 0 }, {}, true
	for i = 1, 12 do
		crates[i] = world:newBody { x = -18 + 3 * i, y = (i % 2 == 0 and 1 or -1) * (7.5 + 2.5 * world:random()), shape = d2.box(1, 1), density = 4, linearDamping = 3, angularDamping = 3 }
	end
	runner = new_mover(-8, 0, "#f5b82e")
	while #chasers < count do
		local x, y = (width - 2) * (world:random() - 0.5), (height - 2) * (world:random() - 0.5)
		if world:overlapShape(d2.circle(radius + 0.05), { x, y, 0 })[1] == nil then chasers[#chasers + 1] = new_mover(x, y, "#e5484d") end
	end
	return world
end

local keys = { left = { -1, 0 }, a = { -1, 0 }, right = { 1, 0 }, d = { 1, 0 }, up = { 0, 1 }, w = { 0, 1 }, down = { 0, -1 }, s = { 0, -1 } }

function scenario.key(name, down)
	if not keys[name] then return false end
	autopilot = false
	held[name] = down or nil
	return true
end

function scenario.pad(control, value)
	local axis = control == "leftx" and 1 or control == "lefty" and 2
	if not axis then return end
	autopilot = autopilot and value == 0
	stick[axis] = value
end

local function steering(tick, dt)
	if autopilot then
		local turn = 0.5 * tick * dt
		local x, y = runner:getPosition()
		local dx, dy = 17 * collide.sin(turn) - x, 9 * collide.cos(turn) - y
		local far = math.max(1, math.sqrt(dx * dx + dy * dy))
		return dx / far, dy / far
	end
	local dx, dy = stick[1], stick[2]
	for name in pairs(held) do dx, dy = dx + keys[name][1], dy + keys[name][2] end
	local far = math.max(1, math.sqrt(dx * dx + dy * dy))
	return dx / far, dy / far
end

function scenario.update(_, tick)
	local dt = scenario.timestep or 1 / 60
	local dx, dy = steering(tick, dt)
	runner:move(5 * dx * dt, 5 * dy * dt, dt)
	local x, y = runner:getPosition()
	for i, chaser in ipairs(chasers) do
		local cx, cy = chaser:getPosition()
		dx, dy = x - cx, y - cy
		local pace = (2 + i % 5 / 4) * dt / math.max(0.1, math.sqrt(dx * dx + dy * dy))
		chaser:move(pace * dx, pace * dy, dt)
	end
end

function scenario.check()
	local all = { runner }
	for i, chaser in ipairs(chasers) do all[i + 1] = chaser end
	for i, mover in ipairs(all) do
		local x, y = mover:getPosition()
		assert(math.abs(x) < width / 2 - radius and math.abs(y) < height / 2 - radius, ("mover %d is outside, at %.2f, %.2f"):format(i, x, y))
		assert(not mover:isCrushed())
		for k = i + 1, #all do
			local kx, ky = all[k]:getPosition()
			local apart = math.sqrt((x - kx) ^ 2 + (y - ky) ^ 2) - 2 * radius
			assert(apart > -skin, ("movers %d and %d overlap by %.4f"):format(i, k, -apart))
		end
		for _, at in ipairs(pillars) do assert((x - at[1]) ^ 2 + (y - at[2]) ^ 2 > 1.3 ^ 2) end
	end
	local near = 0
	for _, chaser in ipairs(chasers) do
		local x, y = chaser:getPosition()
		local rx, ry = runner:getPosition()
		if (x - rx) ^ 2 + (y - ry) ^ 2 < 64 then near = near + 1 end
	end
	assert(near > #chasers / 3, near .. " have come near")
	world:validate()
end

return scenario
