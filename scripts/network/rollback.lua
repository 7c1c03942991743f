-- Two players in two processes, over UDP on this machine, with delay, jitter and loss: collide.rollback keeps their worlds equal. Each plays on its own, as fast as
-- it can, with inputs that are drawn at random: it pushes a crate and a mover, and throws balls, some of them on ropes, or removes one.
--
--   build/host scripts/network/rollback.lua 1 10 & build/host scripts/network/rollback.lua 2 10; wait      -- both players, ten minutes of ticks each
--   build/host scripts/network/rollback.lua 1 1 & build/host scripts/network/rollback.lua 2 1 600; wait    -- player 2 cheats in tick 600
--
-- Needs luasocket: the package lua-socket in Debian.
local collide, rollback = require "collide", require "collide.rollback"
local d2 = collide.d2

local player, minutes, cheat, port = tonumber((...)), tonumber((select(2, ...))), tonumber((select(3, ...))), tonumber((select(4, ...))) or 34567
if player ~= 1 and player ~= 2 then return print "rollback.lua: player, 1 or 2, minutes, tick in which to cheat, port" end
local found, socket = pcall(require, "socket")
if not found then return print "rollback.lua: luasocket is not installed: apt install lua-socket" end

local latency, jitter, loss, delay = 3, 3, 0.1, 2 -- [ticks], [ticks], [1], [ticks]
local ticks = math.floor((minutes or 10) * 3600)

-- --- The game -----------------------------------------------------------------------------------------------------------------

local world = d2.newWorld { gravity = { 0, -10 }, seed = 1 }
local crate, ball = d2.box(0.8, 0.8), d2.circle(0.4)
world:newBody { type = "static", y = -1, shape = d2.box(80, 2) }
for side = -1, 1, 2 do world:newBody { type = "static", x = 31 * side, y = 9, shape = d2.box(2, 20) } end
for i = 0, 149 do world:newBody { x = i % 25 * 1.2 - 15, y = 0.5 + math.floor(i / 25), shape = i % 3 == 0 and ball or crate, name = "crate " .. i } end
local balloon = world:newBody { y = 40, shape = ball, gravityScale = 0, name = "balloon" } -- which nothing reaches
for chain = 1, 5 do
	local before = world:newBody { type = "static", x = 9 * chain - 27, y = 14 }
	for link = 1, 10 do
		local body = world:newBody { x = 9 * chain - 27 + link, y = 14, shape = d2.box(0.9, 0.2), name = ("link %d of chain %d"):format(link, chain) }
		world:newRevoluteJoint { bodyA = before, bodyB = body, x = 9 * chain - 27 + link - 0.5, y = 14 }
		before = body
	end
end
local heroes, movers = {}, {}
for i = 1, 2 do
	heroes[i] = world:newBody { x = 40 * i - 60, y = 10, shape = crate, name = "player " .. i }
	movers[i] = world:newMover { shape = d2.capsule(0.4, 1.4), x = 50 * i - 75, y = 1, stepHeight = 0.3 }
end

local session, repeated = nil, 0
local thrown = {} -- filled anew in each tick

local function act(hero, mover, input)
	hero:applyForce(input.push, 0)
	mover:move(input.push / 400, -0.05, 1 / 60)
	if input.throw then
		local x, y = hero:getPosition()
		local body = world:newBody { x = x, y = y + 1.5, shape = ball, linearVelocity = { input.push / 4, 8 }, data = "thrown" }
		if input.throw == "rope" then
			world:newDistanceJoint { bodyA = hero, bodyB = body, anchorA = { 0, 0 }, anchorB = { 0, 0 }, minLength = 0, maxLength = 3 }
		end
	elseif input.remove then
		thrown = world:getBodies(thrown)
		for i = 1, #thrown do
			if thrown[i].data then return thrown[i]:destroy() end
		end
	end
end

local function tick(_, inputs)
	for i, input in ipairs(inputs) do
		if input then act(heroes[i], movers[i], input) end
	end
	if cheat == session:getTick() + 1 then balloon:setLinearVelocity(0, 1e-3) end
	world:step(1 / 60)
	repeated = repeated + 1
end

-- --- The network --------------------------------------------------------------------------------------------------------------

local udp, random = assert(socket.udp()), collide.newRandom(player)
assert(udp:setsockname("127.0.0.1", port + player))
assert(udp:setpeername("127.0.0.1", port + 3 - player))
udp:settimeout(0)

local frame, mail = 0, {} -- packets that are on their way

local function send(bytes)
	if random:random() >= loss then mail[#mail + 1] = { bytes = bytes, due = frame + latency + random:random(0, jitter) } end
end

local function deliver()
	for i = #mail, 1, -1 do
		if mail[i].due <= frame then udp:send(table.remove(mail, i).bytes) end
	end
end

local heard = socket.gettime()

-- Takes all packets that are here.
local function take()
	while true do
		local bytes, reason = udp:receive()
		if bytes then
			session:receive(bytes)
			heard = socket.gettime()
		elseif reason == "timeout" then
			return
		end
	end
end

-- --- The frames ---------------------------------------------------------------------------------------------------------------

session = rollback.newSession { world = world, players = { player == 1 and "local" or "remote", player == 2 and "local" or "remote" }, delay = delay, onTick = tick, send = send }

local function frame_of(wait)
	frame = frame + 1
	if session:getTick() % 8 == 0 then
		session:addInput(player, { push = random:random(-60, 60), throw = random:random(40) == 1 and (random:random(3) == 1 and "rope" or "ball") or nil, remove = random:random(30) == 1 })
	end
	take()
	local stepped = session:advance()
	deliver()
	if wait or not stepped then socket.select({ udp }, nil, 0.002) end
	assert(socket.gettime() - heard < 60, "rollback.lua: the other player is silent")
end

local function named() return select("#", session:isSynchronized()) > 1 and select(4, session:isSynchronized()) end

local start = socket.gettime()
while session:getConfirmedTick() < ticks and not named() do frame_of(false) end
local seconds = socket.gettime() - start
local last = session:getTick()
for _ = 1, 500 do frame_of(true) end -- so that the other one hears the end

local fine, at, body = session:isSynchronized()
print(("player %d: %d ticks in %.1f s, %d repeated; %d bodies; %s"):format(player, last, seconds, repeated - session:getTick(), #world:getBodies(),
	fine and "synchronized" or ("differs after tick %d: %s"):format(at, body and body:getName() or "a body")))
