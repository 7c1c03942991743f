-- Rollback sessions: games of several players on several machines, each of which simulates the same world from the inputs of all. An end does not wait for inputs
-- of others: it predicts that they stay as they were, and when one arrives that differs, takes the world back and repeats the ticks since.
--
--   local session = require("collide.rollback").newSession { world = world, players = { "local", "remote" }, onTick = tick, send = function(bytes) udp:send(bytes) end }
--   session:addInput(1, { x = 1, jump = true })
--   session:advance()
--
-- Ticks count the steps of the session, from 1. Tables by tick keep what is needed between the oldest tick that a packet may still concern and the newest.
-- A packet, numbers as varints: a checksum, the format, the number of players, the sender's players; of each player the last tick whose input the sender knows;
-- inputs of the sender's players that not all others have acknowledged; hashes of its last confirmed ticks; after a desync, hashes of single bodies.

local error, floor, getmetatable, huge, ipairs, max, min, pairs, pcall, setmetatable, tonumber, tostring, type =
	error, math.floor, getmetatable, math.huge, ipairs, math.max, math.min, pairs, pcall, setmetatable, tonumber, tostring, type
local byte, char, concat, sort, sub = string.byte, string.char, table.concat, table.sort, string.sub

local rollback = {}

local format = 1
local most = { players = 32, delay = 30, window = 60, input = 255, inputs = 900, hashes = 8, bodies = 60, ahead = 256 } -- inputs: bytes of a packet
local exact = 2 ^ 53

local function fail(message, ...) error(message:format(...), 0) end

-- --- Bytes --------------------------------------------------------------------------------------------------------------------

-- Refuses any change of a single byte, and any other with a probability of 2^-31.
local function checksum_of(bytes, first)
	local sum = #bytes
	for i = first, #bytes do sum = (sum * 65599 + byte(bytes, i) + 1) % 2147483629 end
	return char(sum % 256, floor(sum / 256) % 256, floor(sum / 65536) % 256, floor(sum / 16777216))
end

-- A whole number 0 <= value <= 2^53: seven bits a byte, the lowest first.
local function put_whole(out, value)
	while value >= 128 do
		out[#out + 1] = char(value % 128 + 128)
		value = floor(value / 128)
	end
	out[#out + 1] = char(value)
end

-- Readers take what is left of bytes from reader.at on, or raise `refused`.
local refused = {}

local function refuse(why)
	refused.why = why
	error(refused, 0)
end

local function get_byte(reader)
	local value = byte(reader.bytes, reader.at)
	if not value then refuse "it is truncated" end
	reader.at = reader.at + 1
	return value
end

local function get_whole(reader, high)
	local value, scale = 0.0, 1.0
	repeat
		local digit = get_byte(reader)
		value, scale = value + digit % 128 * scale, scale * 128
		if value > high or digit >= 128 and scale > exact then refuse "a number is out of its range" end
	until digit < 128
	return floor(value)
end

local function get_text(reader, length)
	local text = sub(reader.bytes, reader.at, reader.at + length - 1)
	if #text < length then refuse "it is truncated" end
	reader.at = reader.at + length
	return text
end

-- --- Inputs -------------------------------------------------------------------------------------------------------------------

-- An input's first byte is its kind. Whole numbers are varints, others a sign, the exponent of two, and the digits.
local kinds = { no = 0, yes = 1, whole = 2, negative = 3, fraction = 4, minus_fraction = 5, text = 6, table = 7 }

local function put_number(out, value)
	value = value * 1.0
	if value ~= value or value == huge or value == -huge then fail("addInput: input must have finite numbers, got %s", tostring(value)) end
	local size = value < 0 and -value or value
	local minus = value < 0 or value == 0 and 1 / value < 0
	if size == floor(size) and size <= exact and not (size == 0 and minus) then
		out[#out + 1] = char(minus and kinds.negative or kinds.whole)
		return put_whole(out, size)
	end
	local exponent = 0
	while size > exact do size, exponent = size / 2, exponent + 1 end
	while size ~= floor(size) do size, exponent = size * 2, exponent - 1 end
	out[#out + 1] = char(minus and kinds.minus_fraction or kinds.fraction)
	put_whole(out, exponent + 1100)
	put_whole(out, size)
end

local function put_value(out, value, nested)
	local kind = type(value)
	if kind == "boolean" then
		out[#out + 1] = char(value and kinds.yes or kinds.no)
	elseif kind == "number" then
		put_number(out, value)
	elseif kind == "string" then
		out[#out + 1] = char(kinds.text)
		put_whole(out, #value)
		out[#out + 1] = value
	elseif kind == "table" and not nested then
		local count = 0
		for _ in pairs(value) do count = count + 1 end
		out[#out + 1] = char(kinds.table)
		put_whole(out, count)
		for key, element in pairs(value) do
			local whole = type(key) == "number" and key == floor(key) and key < exact and key > -exact
			if type(key) ~= "string" and not whole then fail("addInput: input must have keys that are strings or whole numbers, got %s", tostring(key)) end
			put_value(out, key, true)
			put_value(out, element, true)
		end
	else
		fail("addInput: input must be a number, string or boolean, or a table of these, got a %s%s", kind, nested and " in a table" or "")
	end
end

local function get_fraction(reader)
	local exponent = get_whole(reader, 2200) - 1100
	local size = get_whole(reader, exact) + 0.0
	while exponent > 0 do size, exponent = size * 2, exponent - 1 end
	while exponent < 0 do size, exponent = size / 2, exponent + 1 end
	if size == huge then refuse "a number is infinite" end
	return size
end

local get_value

local function get_table(reader)
	local value = {}
	for _ = 1, get_whole(reader, most.input) do
		local key = get_value(reader, true)
		if type(key) == "boolean" or value[key] ~= nil then refuse "a key is wrong" end
		value[key] = get_value(reader, true)
	end
	return value
end

function get_value(reader, nested)
	local kind = get_byte(reader)
	if kind == kinds.no or kind == kinds.yes then return kind == kinds.yes end
	if kind == kinds.whole then return get_whole(reader, exact) end
	if kind == kinds.negative then return -get_whole(reader, exact) end
	if kind == kinds.fraction then return get_fraction(reader) end
	if kind == kinds.minus_fraction then return -get_fraction(reader) end
	if kind == kinds.text then return get_text(reader, get_whole(reader, most.input)) end
	if kind == kinds.table and not nested then return get_table(reader) end
	refuse "a value has no kind"
end

local function value_of(text)
	local reader = { bytes = text, at = 1 }
	local value = get_value(reader)
	if reader.at ~= #text + 1 then refuse "an input is longer than its value" end
	return value
end

local nothing = char(kinds.no)

-- --- Sessions -----------------------------------------------------------------------------------------------------------------

-- tick: the last one simulated. confirmed: the last simulated from known inputs. wrong: the first simulated from a wrong prediction.
-- known[player]: the last tick whose input is known; acknowledged[player]: the last of our inputs that this remote player's end knows.
-- texts, values[player][tick]: inputs as bytes and as a value; used[player][tick]: the bytes that were simulated.
-- hashes[tick], bodies[tick]: of the world after the tick. theirs[player][tick]: hashes of ticks that are not confirmed here yet.
local session_methods = {}
local session_class = { __index = session_methods, __name = "rollback session", __tostring = function() return "rollback session" end }

local option_types = { world = "userdata", players = "table", delay = "number", window = "number", onTick = "function", send = "function", save = "function", load = "function" }

local function whole_option(options, name, low, default)
	local value = options[name]
	if value == nil then return default end
	if value ~= floor(value) or value < low or value > most[name] then fail("newSession: %s must be a whole number from %d to %d, got %s", name, low, most[name], tostring(value)) end
	return floor(value)
end

local function check_options(options)
	if type(options) ~= "table" then fail("newSession: options must be a table, got %s", tostring(options)) end
	for key, value in pairs(options) do
		if not option_types[key] then
			local names = {}
			for name in pairs(option_types) do names[#names + 1] = name end
			sort(names)
			fail("newSession: unknown key '%s' (there are: %s)", tostring(key), concat(names, ", "))
		end
		if type(value) ~= option_types[key] then
			fail("newSession: %s must be a %s, got %s", key, key == "world" and "world" or option_types[key], tostring(value))
		end
	end
	for _, key in ipairs { "world", "players", "onTick", "send" } do
		if options[key] == nil then fail("newSession: %s is missing", key) end
	end
	if (options.save == nil) ~= (options.load == nil) then fail "newSession: save and load go together" end
	if #options.players < 1 or #options.players > most.players then fail("newSession: players must have 1 to %d elements, got %d", most.players, #options.players) end
end

function rollback.newSession(options)
	check_options(options)
	local window = whole_option(options, "window", 1, 8)
	local self = setmetatable({
		world = options.world, on_tick = options.onTick, send = options.send, save = options.save, load = options.load,
		window = window, delay = whole_option(options, "delay", 0, 0), kept = 2 * (window + most.delay), history = options.world:newHistory { ticks = window + 2 },
		players = #options.players, own = {}, others = {}, tick = 0, confirmed = 0,
		known = {}, acknowledged = {}, added = {}, texts = {}, values = {}, used = {}, inputs = {}, hashes = {}, bodies = {}, spare = {}, states = {}, theirs = {},
	}, session_class)
	for player, where in ipairs(options.players) do
		if where ~= "local" and where ~= "remote" then fail("newSession: players[%d] must be \"local\" or \"remote\", got %s", player, tostring(where)) end
		local list = where == "local" and self.own or self.others
		list[#list + 1] = player
		self.texts[player], self.values[player], self.used[player] = { [0] = nothing }, { [0] = false }, {}
		self.known[player], self.acknowledged[player], self.theirs[player] = 0, 0, {}
		if where == "local" then
			self.added[player] = nothing
			for tick = 1, self.delay do self.texts[player][tick], self.values[player][tick] = nothing, false end
			self.known[player] = self.delay
		end
	end
	if #self.own == 0 then fail "newSession: players has no \"local\" one" end
	return self
end

local function check(self, name)
	if getmetatable(self) ~= session_class then fail("%s: expected a rollback session, got %s", name, tostring(self)) end
	return self
end

function session_methods:addInput(player, input)
	check(self, "addInput")
	if not self.added[player] then fail("addInput: player must be a local player, got %s", tostring(player)) end
	local out = {}
	put_value(out, input)
	local text = concat(out)
	if #text > most.input then fail("addInput: input takes %d bytes; there is room for %d", #text, most.input) end
	self.added[player] = text
end

-- --- Ticks --------------------------------------------------------------------------------------------------------------------

-- Notes the world's state after session.tick. The first time, its own tick is that before the session's first.
local function note(self)
	local tick, at = self.tick, self.history:push()
	self.first = self.first or at
	if at ~= self.first + tick then fail("advance: onTick must make one step of the world, made %d", at - self.first - tick + 1) end
	if self.save then self.states[tick] = self.save() end
	self.hashes[tick] = tonumber(sub(self.world:hash(), 1, 8), 16)
	self.bodies[tick] = self.world:bodyHashes(self.bodies[tick] or self.spare)
	self.spare = nil
end

-- Simulates the next tick, with predictions for inputs that are not known.
local function simulate(self)
	local tick, inputs = self.tick + 1, self.inputs
	for player = 1, self.players do
		local from = min(tick, self.known[player])
		inputs[player], self.used[player][tick] = self.values[player][from], self.texts[player][from]
	end
	self.on_tick(self.world, inputs)
	self.tick = tick
	note(self)
end

local function replay(self)
	local wrong, tick = self.wrong, self.tick
	self.wrong = nil
	if not wrong then return end
	self.history:rewind(self.first + wrong - 1)
	self.tick = wrong - 1
	if self.load then self.load(self.states[wrong - 1]) end
	while self.tick < tick do simulate(self) end
end

-- The first body whose hash differs in two lists of { id, hash, ... } by id, among the ids from `from` up to below `to`.
local function first_difference(a, b, from, to)
	local i, j = 1, 1
	while a[i] or b[j] do
		local one, other = a[i] or huge, b[j] or huge
		local id = min(one, other)
		if id >= to then return nil end
		if id >= from and (one ~= other or a[i + 1] ~= b[j + 1]) then return id end
		if one == id then i = i + 2 end
		if other == id then j = j + 2 end
	end
end

-- Notes that the world of another end differs after the tick.
local function differ(self, tick)
	if self.differing and self.differing.tick <= tick then return end
	local list, copy = self.bodies[tick], {}
	for i = 1, #list do copy[i] = list[i] end
	self.differing = { tick = tick, list = copy, sent = 1 }
end

local function compare(self, tick, hash)
	if self.hashes[tick] and self.hashes[tick] ~= hash then differ(self, tick) end
end

-- What has been known since the last call: confirmed ticks, and hashes of theirs that can be compared now.
local function confirm(self)
	local confirmed = self.tick
	for player = 1, self.players do confirmed = min(confirmed, self.known[player]) end
	for tick = self.confirmed + 1, confirmed do
		for _, player in ipairs(self.others) do
			local theirs = self.theirs[player]
			if theirs[tick] then compare(self, tick, theirs[tick]) end
			theirs[tick] = nil
		end
	end
	self.confirmed = confirmed
end

-- The last tick of our own inputs that all others know.
local function acknowledged_by_all(self)
	local least = huge
	for _, player in ipairs(self.others) do least = min(least, self.acknowledged[player]) end
	return least
end

-- Forgets what no packet may concern any more.
local function forget(self)
	local tick, seen = self.tick - self.kept, min(self.confirmed, acknowledged_by_all(self)) - 1
	self.spare, self.bodies[tick] = self.bodies[tick], nil
	self.hashes[tick], self.states[self.tick - self.window - 2] = nil, nil
	for player = 1, self.players do
		self.used[player][self.tick - self.window - 1] = nil
		local texts, values, old = self.texts[player], self.values[player], min(seen, self.known[player] - 1)
		while texts[old] do
			texts[old], values[old] = nil, nil
			old = old - 1
		end
	end
end

local function step(self)
	replay(self)
	confirm(self)
	if self.tick >= self.confirmed + self.window then return false end
	for _, player in ipairs(self.own) do
		local tick, text = self.known[player] + 1, self.added[player]
		self.texts[player][tick], self.values[player][tick] = text, value_of(text)
		self.known[player] = tick
	end
	simulate(self)
	confirm(self)
	forget(self)
	return true
end

-- --- Packets ------------------------------------------------------------------------------------------------------------------

local function put_inputs(self, out)
	local first, room = acknowledged_by_all(self) + 1, most.inputs
	for index, player in ipairs(self.own) do
		local texts, last, share = self.texts[player], self.known[player], floor(room / (#self.own - index + 1))
		local entries, size, tick, before = {}, 0, first, nil
		while tick <= last and (size < share - most.input or tick == first) do
			local text = texts[tick]
			entries[#entries + 1] = text == before and char(0) or char(#text) .. text
			size, before, tick = size + #entries[#entries], text, tick + 1
		end
		room = room - size
		put_whole(out, tick > first and first or 0)
		put_whole(out, #entries)
		out[#out + 1] = concat(entries)
	end
end

local function put_bodies(self, out)
	local differing = self.differing
	if not differing then
		out[#out + 1] = char(0)
		return
	end
	local list, first = differing.list, differing.sent
	local last = min(#list, first + 2 * most.bodies - 1)
	out[#out + 1] = char(1)
	put_whole(out, differing.tick)
	put_whole(out, first == 1 and 0 or list[first])
	put_whole(out, last == #list and exact or list[last + 1])
	put_whole(out, (last - first + 1) / 2)
	for i = first, last do put_whole(out, list[i]) end
	differing.sent = last == #list and 1 or last + 1
end

local function packet_of(self)
	local out = { char(format, self.players, #self.own) }
	for _, player in ipairs(self.own) do out[#out + 1] = char(player) end
	for player = 1, self.players do put_whole(out, self.known[player]) end
	put_inputs(self, out)
	local count = min(most.hashes, self.confirmed + 1)
	put_whole(out, self.confirmed)
	put_whole(out, count)
	for tick = self.confirmed - count + 1, self.confirmed do put_whole(out, self.hashes[tick]) end
	put_bodies(self, out)
	local body = concat(out)
	return checksum_of(body, 1) .. body
end

-- The players of the sender: all of them remote ones.
local function get_players(self, reader)
	local list = {}
	for i = 1, get_whole(reader, self.players) do
		local player = get_byte(reader)
		if not self.known[player] or self.added[player] then refuse "it comes from none of the remote players" end
		if i > 1 and player <= list[i - 1] then refuse "its players are not in order" end
		list[i] = player
	end
	if #list == 0 then refuse "it has no players" end
	return list
end

local function get_acknowledged(self, reader)
	local known, least = {}, huge
	for player = 1, self.players do known[player] = get_whole(reader, self.known[player] + (self.added[player] and 0 or most.ahead)) end
	for _, player in ipairs(self.own) do least = min(least, known[player]) end
	return least
end

local function get_inputs(self, reader)
	local first = get_whole(reader, self.tick + most.ahead)
	local count = get_whole(reader, self.tick + most.ahead - first + 1)
	local inputs, before = { first = first, texts = {}, values = {} }, nil
	for i = 1, count do
		local length = get_byte(reader)
		if length > 0 then before = get_text(reader, length) end
		if not before then refuse "it has no first input" end
		inputs.texts[i], inputs.values[i] = before, value_of(before)
	end
	return inputs
end

local function get_hashes(self, reader)
	local last = get_whole(reader, self.tick + most.ahead)
	local hashes, count = {}, get_whole(reader, min(most.hashes, last + 1))
	for i = 1, count do hashes[last - count + i] = get_whole(reader, 2 ^ 32 - 1) end
	return hashes
end

local function get_bodies(self, reader)
	local given = get_byte(reader)
	if given > 1 then refuse "its end is wrong" end
	if given == 0 then return nil end
	local bodies = { tick = get_whole(reader, self.tick + most.ahead), from = get_whole(reader, exact), to = get_whole(reader, exact), list = {} }
	for i = 1, 2 * get_whole(reader, most.bodies), 2 do
		bodies.list[i], bodies.list[i + 1] = get_whole(reader, exact), get_whole(reader, exact)
		if i > 1 and bodies.list[i] <= bodies.list[i - 2] then refuse "its bodies are not in order" end
	end
	return bodies
end

local function read(self, bytes)
	local reader = { bytes = bytes, at = 5 }
	if #bytes < 8 or sub(bytes, 1, 4) ~= checksum_of(sub(bytes, 5), 1) then refuse "it is damaged" end
	if get_byte(reader) ~= format then refuse "its format is another" end
	if get_byte(reader) ~= self.players then refuse "its number of players is another" end
	local packet = { inputs = {} }
	packet.players = get_players(self, reader)
	packet.acknowledged = get_acknowledged(self, reader)
	for i in ipairs(packet.players) do packet.inputs[i] = get_inputs(self, reader) end
	packet.hashes = get_hashes(self, reader)
	packet.bodies = get_bodies(self, reader)
	if reader.at ~= #bytes + 1 then refuse "it goes on behind its end" end
	return packet
end

-- Inputs that follow those that are known; others are known already, or come too early.
local function learn(self, player, inputs)
	for i, text in ipairs(inputs.texts) do
		local tick = inputs.first + i - 1
		if tick == self.known[player] + 1 then
			self.texts[player][tick], self.values[player][tick], self.known[player] = text, inputs.values[i], tick
			if tick <= self.tick and text ~= self.used[player][tick] then self.wrong = min(self.wrong or tick, tick) end
		end
	end
end

local function learn_bodies(self, bodies)
	local tick = bodies.tick
	if tick > self.confirmed or not self.bodies[tick] and not (self.differing and self.differing.tick == tick) then return end
	local own = self.differing and self.differing.tick == tick and self.differing.list or self.bodies[tick]
	local id = first_difference(own, bodies.list, bodies.from, bodies.to)
	if not id then return end
	differ(self, tick)
	if self.differing.tick == tick then self.differing.body = min(self.differing.body or id, id) end
end

function session_methods:receive(bytes)
	check(self, "receive")
	if type(bytes) ~= "string" then fail("receive: bytes must be a string, got %s", tostring(bytes)) end
	local fine, packet = pcall(read, self, bytes)
	if not fine and packet ~= refused then error(packet, 0) end
	if not fine then return false, "the packet is refused: " .. refused.why end
	for i, player in ipairs(packet.players) do
		learn(self, player, packet.inputs[i])
		self.acknowledged[player] = max(self.acknowledged[player], packet.acknowledged)
	end
	for tick, hash in pairs(packet.hashes) do
		if tick <= self.confirmed then compare(self, tick, hash) else self.theirs[packet.players[1]][tick] = hash end
	end
	if packet.bodies then learn_bodies(self, packet.bodies) end
	return true
end

-- --- A frame ------------------------------------------------------------------------------------------------------------------

function session_methods:advance()
	check(self, "advance")
	if self.advancing then fail "advance: called from inside onTick, save or load, or one of these has raised an error" end
	self.advancing = true
	if not self.first then note(self) end
	local stepped = step(self)
	self.advancing = false
	if #self.others > 0 then self.send(packet_of(self)) end
	return stepped
end

function session_methods:getTick() return check(self, "getTick").tick end

function session_methods:getConfirmedTick() return check(self, "getConfirmedTick").confirmed end

function session_methods:isSynchronized()
	local differing = check(self, "isSynchronized").differing
	if not differing then return true end
	for _, body in ipairs(differing.body and self.world:getBodies() or {}) do
		if body:getId() == differing.body then return false, differing.tick, body, differing.body end
	end
	return false, differing.tick, nil, differing.body
end

return rollback
