-- collide.rollback: ends that learn inputs late, reordered or not at first reach the same worlds as one that has all of them on time.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local rollback = require "collide.rollback"
local random_numbers = support.random_numbers

TestRollback, TestRollbackInSpace = {}, {}

-- A game of up to four players, who push a body each, create, join and destroy others, beside a mover and a body that nothing touches. Its own state is the
-- number of shots. cheat: the tick in which the world differs from those of honest ends.
local function new_game(d, cheat)
	local space = d == collide.d3
	local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 }, seed = 3 }
	local ball, cube = space and d.sphere(0.4) or d.circle(0.4), space and d.box(0.8, 0.8, 0.8) or d.box(0.8, 0.8)
	local zero = space and { 0, 0, 0 } or { 0, 0 }
	world:newBody { type = "static", y = -1, shape = space and d.box(60, 2, 60) or d.box(60, 2) }
	local moon = world:newBody { y = 50, shape = ball, gravityScale = 0, name = "moon" }
	local mover, bodies, shots = world:newMover { shape = ball, x = -8, y = 0.4 }, {}, {}
	for player = 1, 4 do bodies[player] = world:newBody { x = 2 * player - 5, y = 0.4, shape = cube } end
	local game = { world = world, count = 0, hashes = {} }

	local function act(player, input)
		local body = bodies[player]
		if space then body:applyForce(input.push, 0, 0) else body:applyForce(input.push, 0) end
		if input.fire then
			game.count = game.count + 1
			local x, y = body:getPosition()
			local shot = world:newBody { x = x, y = y + 1.5 + game.count % 3, shape = ball, data = "shot" }
			if game.count % 3 == 0 then
				world:newDistanceJoint { bodyA = body, bodyB = shot, anchorA = zero, anchorB = zero, minLength = 1, maxLength = 3, hertz = 2, dampingRatio = 0.5 }
			end
		elseif input.clear then
			shots = world:getBodies(shots)
			for i = #shots, 1, -1 do
				if shots[i].data then return shots[i]:destroy() end
			end
		end
	end

	function game.tick(_, inputs)
		local tick = game.session and game.session:getTick() + 1
		for player, input in ipairs(inputs) do
			if input then act(player, input) end
		end
		if tick == cheat and cheat then moon:setAngularVelocity(space and 0 or 1e-6, space and 1e-6 or nil, space and 0 or nil) end
		if space then mover:move(world:random() * 0.1 - 0.05, -0.02, 0, 1 / 60) else mover:move(world:random() * 0.1 - 0.05, -0.02, 1 / 60) end
		world:step(1 / 60)
		if tick then game.hashes[tick] = world:hash() end
	end
	function game.save() return game.count end
	function game.load(count) game.count = count end
	return game
end

-- What a player does in a tick; false before its delay has passed, as nothing is known of it then.
local function input_of(player, tick, delay)
	if tick <= delay then return false end
	local number = random_numbers(player + 97 * math.floor(tick / 6))
	number(0, 1)
	local what = number(0, 1)
	return { push = number(-30, 30), fire = tick % 6 == 0 and what < 0.4, clear = tick % 6 == 3 and what < 0.42 }
end

-- The hashes of a world that has all inputs on time.
local function truth(d, delays, ticks)
	local game, hashes = new_game(d), {}
	for tick = 1, ticks do
		local inputs = {}
		for player, delay in ipairs(delays) do inputs[player] = input_of(player, tick, delay) end
		game.tick(game.world, inputs)
		hashes[tick] = game.world:hash()
	end
	return hashes
end

-- Ends with one player each, by a network that loses, delays and reorders packets. options.delays: of each player's inputs.
local function new_match(d, options)
	local number, choice = random_numbers(options.seed or 1)
	local match, count = { ends = {}, frame = 0, steps = 0, blocked = 0, bytes = 0 }, #options.delays
	for i, delay in ipairs(options.delays) do
		local game = new_game(d, options.cheat and i == count and options.cheat or nil)
		local players, mail = {}, {}
		for player = 1, count do players[player] = player == i and "local" or "remote" end
		local session = rollback.newSession {
			world = game.world, players = players, delay = delay, window = options.window, onTick = game.tick, save = game.save, load = game.load,
			send = function(bytes)
				match.bytes = math.max(match.bytes, #bytes)
				for other, one in ipairs(match.ends) do
					if other ~= i and number(0, 1) >= options.loss then
						one.mail[#one.mail + 1] = { due = match.frame + math.floor(number(options.latency, options.latency + options.jitter + 1)), bytes = bytes }
					end
				end
			end,
		}
		game.session = session
		match.ends[i] = { game = game, session = session, mail = mail, delay = delay }
	end

	-- A frame of all ends; each takes the packets that are due, in any order.
	function match.go(before)
		match.frame = match.frame + 1
		for i, one in ipairs(match.ends) do
			local waiting = {}
			while #one.mail > 0 do
				local packet = table.remove(one.mail, choice(#one.mail))
				if packet.due > match.frame then waiting[#waiting + 1] = packet else lu.assertTrue(one.session:receive(packet.bytes)) end
			end
			one.mail = waiting
			if before then before(one) end
			one.session:addInput(i, input_of(i, one.session:getTick() + 1 + one.delay, one.delay))
			if one.session:advance() then match.steps = match.steps + 1 else match.blocked = match.blocked + 1 end
		end
	end
	return match
end

local function check_truth(d, match, options, ticks)
	local hashes = truth(d, options.delays, ticks)
	for _, one in ipairs(match.ends) do
		lu.assertTrue(one.session:getConfirmedTick() >= ticks)
		for tick = 1, ticks do lu.assertTrue(one.game.hashes[tick] == hashes[tick], tick) end
		lu.assertTrue(one.session:isSynchronized())
		one.game.world:validate()
	end
end

local function laws(suite, d)
	local function plays(options, ticks)
		local match = new_match(d, options)
		local least = 0
		while least < ticks do
			match.go()
			lu.assertTrue(match.frame < 12 * ticks)
			least = math.huge
			for _, one in ipairs(match.ends) do
				local tick, confirmed = one.session:getTick(), one.session:getConfirmedTick()
				least = math.min(least, confirmed)
				lu.assertTrue(tick >= confirmed and tick <= confirmed + (options.window or 8))
			end
		end
		check_truth(d, match, options, ticks)
		return match
	end

	function suite.test_a_minute_of_two_players()
		local match = plays({ delays = { 2, 2 }, loss = 0.1, latency = 3, jitter = 3 }, 3600)
		lu.assertTrue(match.bytes < 400)
		lu.assertTrue(match.blocked < match.steps / 20)
	end

	function suite.test_four_players_with_any_delay()
		plays({ delays = { 0, 3, 6, 1 }, loss = 0.3, latency = 1, jitter = 6, seed = 5 }, 400)
	end

	function suite.test_windows()
		plays({ delays = { 0, 0 }, window = 1, loss = 0.3, latency = 0, jitter = 2, seed = 2 }, 100)
		local match = plays({ delays = { 0, 0 }, window = 30, loss = 0.3, latency = 10, jitter = 10, seed = 2 }, 150)
		lu.assertTrue(match.blocked < match.steps / 20)
	end

	-- Both ends name the tick and the body.
	function suite.test_a_desync_is_found_and_named()
		local match = new_match(d, { delays = { 1, 1 }, loss = 0.3, latency = 2, jitter = 3, cheat = 100 })
		for _ = 1, 250 do match.go() end
		for _, one in ipairs(match.ends) do
			local fine, tick, body, id = one.session:isSynchronized()
			lu.assertEquals({ fine, tick, body:getName(), id }, { false, 100, "moon", body:getId() })
		end
	end

	function suite.test_damaged_packets_are_refused()
		local options = { delays = { 1, 2 }, loss = 0.1, latency = 1, jitter = 2 }
		local match, ticks = new_match(d, options), 120
		local number, choice = random_numbers(11)
		local refused = 0
		local function harm(session, bytes)
			local fine, why = session:receive(bytes)
			lu.assertFalse(fine)
			lu.assertStrContains(why, "the packet is refused: ")
			refused = refused + 1
		end
		while match.ends[1].session:getConfirmedTick() < ticks or match.ends[2].session:getConfirmedTick() < ticks do
			match.go(function(one)
				local packet = one.mail[1]
				if not packet then return end
				local bytes, at = packet.bytes, choice(#packet.bytes)
				harm(one.session, bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + choice(255)) % 256) .. bytes:sub(at + 1))
				harm(one.session, bytes:sub(1, at - 1))
				harm(one.session, bytes .. string.char(choice(256) - 1))
				local noise = {}
				for i = 1, choice(60) do noise[i] = string.char(choice(256) - 1) end
				harm(one.session, table.concat(noise))
				if number(0, 1) < 0.5 then lu.assertTrue(one.session:receive(bytes)) end -- twice
			end)
		end
		lu.assertTrue(refused > 200)
		check_truth(d, match, options, ticks)
	end
end

laws(TestRollback, collide.d2)
laws(TestRollbackInSpace, collide.d3)

-- Packets with a right checksum and anything else in them never raise, and leave a session that works.
function TestRollback.test_malicious_packets()
	local function checksum(bytes)
		local sum = #bytes
		for i = 1, #bytes do sum = (sum * 65599 + bytes:byte(i) + 1) % 2147483629 end
		return string.char(sum % 256, math.floor(sum / 256) % 256, math.floor(sum / 65536) % 256, math.floor(sum / 16777216))
	end
	local number, choice = random_numbers(23)
	local sent = {}
	local function session_of(i, values)
		local world = collide.d2.newWorld {}
		world:newBody { shape = collide.d2.circle(1), angularVelocity = i }
		local session
		session = rollback.newSession { world = world, players = { i == 1 and "local" or "remote", i == 2 and "local" or "remote" }, window = 4, delay = 3,
			send = function(bytes) sent[i] = bytes end,
			onTick = function() world:step(1 / 60) end }
		return session, values
	end
	local one, other = session_of(1), session_of(2)
	local taken, refused = 0, 0
	for round = 1, 20000 do
		if round % 40 == 0 then
			one:addInput(1, { x = choice(9), [choice(3)] = "text", y = number(-1, 1) })
			other:addInput(2, { choice(2) == 1, -choice(1000), 1e300 })
			one:advance()
			other:advance()
			other:receive(sent[1])
			if choice(2) == 1 then one:receive(sent[2]) end
		elseif sent[2] then
			local body = sent[2]:sub(5)
			for _ = 1, choice(3) do
				local at = choice(#body)
				local what = choice(3)
				body = body:sub(1, at - 1) .. (what == 1 and "" or string.char(what == 2 and choice(256) - 1 or body:byte(at) - body:byte(at) % 2 + choice(2) - 1)) .. body:sub(at + (what == 3 and 1 or 1))
				if #body == 0 then body = "x" end
			end
			local fine, why = one:receive(checksum(body) .. body)
			if fine then taken = taken + 1 else refused = refused + 1 end
			lu.assertTrue(fine or type(why) == "string")
		end
	end
	lu.assertTrue(taken > 100 and refused > 1000)
	lu.assertTrue(one:getTick() > 10)
	lu.assertFalse((other:isSynchronized())) -- their bodies turn at other speeds
end

-- Each end sees the same values, whatever it does to the tables that it has given.
function TestRollback.test_values_of_inputs()
	local values = {
		true, false, 0, -1, 127, 128, 2 ^ 53, -2 ^ 53, 2 ^ 60, 0.1, -1 / 3, 1e300, -1e300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, "", "text", ("x"):rep(250), "\0\255",
		{}, { 1, 2, 3 }, { left = true, x = -0.25, name = "a", [7] = "seven", [-1] = false },
	}
	local seen, sent = { {}, {} }, {}
	local sessions = {}
	for i = 1, 2 do
		local world = collide.d2.newWorld {}
		sessions[i] = rollback.newSession { world = world, players = { i == 1 and "local" or "remote", i == 2 and "local" or "remote" }, send = function(bytes) sent[i] = bytes end,
			onTick = function(_, inputs)
				seen[i][sessions[i]:getTick() + 1] = inputs[1]
				world:step(1 / 60)
			end }
	end
	for _, value in ipairs(values) do
		sessions[1]:addInput(1, value)
		if type(value) == "table" then sessions[1]:addInput(1, value) end
		for i = 1, 2 do lu.assertTrue(sessions[i]:advance()) end
		for i = 1, 2 do lu.assertTrue(sessions[i]:receive(sent[3 - i])) end
	end
	sessions[2]:advance()
	for i = 1, 2 do
		for tick, value in ipairs(values) do lu.assertEquals(seen[i][tick], value) end
	end
	sessions[1]:addInput(1, -0.0)
	sessions[1]:advance()
	lu.assertEquals(1 / seen[1][#values + 1], 1 / -0.0)
	-- An input that is not given again stays.
	sessions[1]:addInput(1, "held")
	sessions[1]:advance()
	sessions[1]:advance()
	lu.assertEquals({ seen[1][#values + 2], seen[1][#values + 3] }, { "held", "held" })
end

-- The demo: two processes over UDP, once with honest players and once with one that cheats.
function TestRollback.test_two_processes()
	if support.windows or support.host_is_foreign then return end
	if not pcall(require, "socket") then
		print "test_rollback: luasocket is not installed (lua-socket); two processes are not tested"
		return
	end
	local script = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../scripts/network/rollback.lua"
	local port = 20000 + tonumber(tostring {}:match "%x+$", 16) / 16 % 40000
	local function play(cheat)
		local function command(player, tick) return ("%s %s %d 0.05 %d %d"):format(support.quote(support.host), support.quote(script), player, tick, port) end
		return support.shell(("(%s & %s; wait) 2>&1"):format(command(1, 0), command(2, cheat)))
	end
	lu.assertEquals(select(2, play(0):gsub("player %d: 1[89]%d ticks [^\n]*; synchronized\n", "")), 2)
	lu.assertEquals(select(2, play(100):gsub("; differs after tick 100: balloon\n", "")), 2)
end

function TestRollback.test_all_players_here()
	local world, count = collide.d2.newWorld {}, 0
	local session = rollback.newSession { world = world, players = { "local", "local" }, delay = 1, send = function() lu.fail "nobody listens" end, onTick = function(_, inputs)
		count = count + (inputs[1] == 1 and inputs[2] == 2 and 1 or 0)
		world:step(1 / 60)
	end }
	for _ = 1, 200 do
		session:addInput(1, 1)
		session:addInput(2, 2)
		lu.assertTrue(session:advance())
	end
	lu.assertEquals({ count, session:getTick(), session:getConfirmedTick(), tostring(session) }, { 199, 200, 200, "rollback session" })
end

function TestRollback.test_errors()
	local world = collide.d2.newWorld {}
	local function fails(message, change)
		local options = { world = world, players = { "local", "remote" }, onTick = function() end, send = function() end }
		for key, value in pairs(change) do options[key] = value end
		lu.assertErrorMsgContains(message, rollback.newSession, options)
	end
	lu.assertErrorMsgContains("newSession: options must be a table, got nil", rollback.newSession)
	lu.assertErrorMsgContains("newSession: world is missing", rollback.newSession, { players = { "local" }, onTick = print, send = print })
	fails("newSession: unknown key 'delays' (there are: delay, load, onTick, players, save, send, window, world)", { delays = 1 })
	fails("newSession: world must be a world, got 3", { world = 3 })
	fails("newSession: players[2] must be \"local\" or \"remote\", got far", { players = { "local", "far" } })
	fails("newSession: players has no \"local\" one", { players = { "remote" } })
	fails("newSession: players must have 1 to 32 elements, got 0", { players = {} })
	fails("newSession: delay must be a whole number from 0 to 30, got 31", { delay = 31 })
	fails("newSession: window must be a whole number from 1 to 60, got 0", { window = 0 })
	fails("newSession: window must be a whole number from 1 to 60, got 1.5", { window = 1.5 })
	fails("newSession: onTick must be a function, got 1", { onTick = 1 })
	fails("newSession: save and load go together", { save = function() end })

	local steps = 1
	local session = rollback.newSession { world = world, players = { "local", "remote" }, send = function() end, onTick = function()
		for _ = 1, steps do world:step(1 / 60) end
		if steps == 0 then error "a fault" end
	end }
	local function refuses(message, ...) lu.assertErrorMsgContains("addInput: " .. message, session.addInput, session, ...) end
	refuses("player must be a local player, got 2", 2, true)
	refuses("input must have finite numbers, got", 1, 0 / 0)
	refuses("input must have finite numbers, got inf", 1, { x = 1 / 0 })
	refuses("input must be a number, string or boolean, or a table of these, got a nil", 1)
	refuses("input must be a number, string or boolean, or a table of these, got a table in a table", 1, { {} })
	refuses("input must have keys that are strings or whole numbers, got 0.5", 1, { [0.5] = 1 })
	refuses("input must have keys that are strings or whole numbers, got true", 1, { [true] = 1 })
	refuses("input takes 303 bytes; there is room for 255", 1, ("x"):rep(300))
	lu.assertErrorMsgContains("addInput: expected a rollback session, got nil", session.addInput)
	lu.assertErrorMsgContains("receive: bytes must be a string, got nil", session.receive, session)
	lu.assertTrue(session:advance())
	steps = 2
	lu.assertErrorMsgContains("advance: onTick must make one step of the world, made 2", session.advance, session)
	lu.assertErrorMsgContains("advance: called from inside onTick, save or load, or one of these has raised an error", session.advance, session)
end
