-- Laws of the numbers that are the same on every machine: sine, cosine and arc tangent, and random numbers of generators and worlds.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2, d3 = collide.d2, collide.d3
local floor, abs, pi = math.floor, math.abs, math.pi

TestTrigonometry = {}

-- Numbers as sums of two doubles, high + low, of some 106 bits: an independent way to sines, of the errors of which nothing is left in a double.

local function sum(a, b)
	local s = a + b
	local part = s - a
	return s, (a - (s - part)) + (b - part)
end

-- a b exactly, as the sum of two doubles (Dekker, 1971).
local function product(a, b)
	local p = a * b
	local c, d = 134217729 * a, 134217729 * b
	local ah, bh = c - (c - a), d - (d - b)
	local al, bl = a - ah, b - bh
	return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl
end

local function double_sum(a, al, b, bl)
	local s, e = sum(a, b)
	return sum(s, e + al + bl)
end

local function double_product(a, al, b, bl)
	local p, e = product(a, b)
	return sum(p, e + (a * bl + al * b))
end

-- Pi / 2 to 160 bits.
local quarter = { 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33 }

-- 1 - z / k1 (1 - z / k2 (1 - ...)), high + low: the first three in sums of two doubles, the others, whose errors hardly count, in doubles.
local function series(z, zl, factors)
	local tail = 1
	for i = #factors, 4, -1 do tail = 1 - tail * z / factors[i] end
	local high, low = tail, 0
	for i = 3, 1, -1 do
		high, low = double_product(high, low, z, zl)
		local h = high / factors[i]
		local p, e = product(h, factors[i])
		high, low = double_sum(1, 0, -h, -((high - p) - e + low) / factors[i])
	end
	return high, low
end

local sine_factors, cosine_factors = { 6, 20, 42, 72, 110, 156, 210, 272, 342 }, { 2, 12, 30, 56, 90, 132, 182, 240, 306, 380 }

-- The sine and cosine of any |angle| <= 1e15, each as high, low.
local function exact_sin_cos(angle)
	local n = floor(angle / quarter[1] + 0.5) + 0.0 -- a double, in every Lua
	local p1, e1 = product(n, quarter[1])
	local p2, e2 = product(n, quarter[2])
	local r, l = double_sum(angle, 0, -p1, -e1)
	r, l = double_sum(r, l, -p2, -e2 - n * quarter[3])
	local z, zl = double_product(r, l, r, l)
	local s, sl = series(z, zl, sine_factors)
	local c, cl = series(z, zl, cosine_factors)
	s, sl = double_product(s, sl, r, l)
	local turn = n % 4
	if turn == 0 then return s, sl, c, cl end
	if turn == 1 then return c, cl, -s, -sl end
	if turn == 2 then return -s, -sl, -c, -cl end
	return -c, -cl, s, sl
end

-- Angles and coordinates of all sizes.
local function wide(random, most)
	return (random:random() < 0.5 and -1 or 1) * most * 2 ^ -floor(60 * random:random()) * (1 + random:random()) / 2
end

-- A double below 1 is at most 1.11e-16 away from the exact sine; the rest are the rounding errors of the smaller terms.
function TestTrigonometry.test_sines_and_cosines_of_a_hundred_thousand_angles()
	local random = collide.newRandom(3)
	for _, most in ipairs { 1, 100, 1e6, 1e15 } do
		local worst = 0
		for i = 1, 25000 do
			local angle = i % 2 == 0 and wide(random, most) or most * (2 * random:random() - 1)
			local s, sl, c, cl = exact_sin_cos(angle)
			worst = math.max(worst, abs((collide.sin(angle) - s) - sl), abs((collide.cos(angle) - c) - cl))
		end
		lu.assertTrue(worst < 2e-16, ("error %.3g up to %g"):format(worst, most))
	end
end

-- Near multiples of pi / 2 a sine or cosine is small, and as exact in its own size.
function TestTrigonometry.test_sines_near_zero_are_exact_in_their_own_size()
	for n = 1, 1000 do
		local angle = n * quarter[1]
		local s, sl, c, cl = exact_sin_cos(angle)
		if n % 2 == 0 then
			lu.assertTrue(abs((collide.sin(angle) - s) - sl) < 3e-16 * abs(s))
		else
			lu.assertTrue(abs((collide.cos(angle) - c) - cl) < 3e-16 * abs(c))
		end
	end
	for i = 1, 300 do lu.assertEquals(collide.sin(2 ^ -27 / i), 2 ^ -27 / i) end
end

-- The arc tangent of (y, x) is the angle a for which y cos a - x sin a = 0. A small error d of it leaves d hypot(x, y).
function TestTrigonometry.test_arc_tangents_of_a_hundred_thousand_points()
	local random, worst = collide.newRandom(4), 0
	for i = 1, 100000 do
		local most = i % 3 == 0 and 1e12 or 1
		local x, y = wide(random, most), wide(random, most)
		if i % 2 == 0 then x, y = 2 * random:random() - 1, 2 * random:random() - 1 end
		local angle = collide.atan2(y, x)
		local s, sl, c, cl = exact_sin_cos(angle)
		local p, pl = double_product(y, 0, c, cl)
		local q, ql = double_product(x, 0, s, sl)
		local error = double_sum(p, pl, -q, -ql) / math.sqrt(x * x + y * y)
		worst = math.max(worst, abs(error / angle))
	end
	lu.assertTrue(worst < 3e-16, ("error %.3g"):format(worst))
end

function TestTrigonometry.test_identities()
	local random = collide.newRandom(5)
	for _ = 1, 20000 do
		local a = wide(random, 1e6)
		local s, c = collide.sin(a), collide.cos(a)
		lu.assertTrue(abs(s * s + c * c - 1) < 9e-16) -- twice 2e-16 in each, and three roundings
		lu.assertEquals(collide.sin(-a), -s)
		lu.assertEquals(collide.cos(-a), c)
		local y, x = wide(random, 1e6), wide(random, 1e6)
		local angle = collide.atan2(y, x)
		lu.assertTrue(abs(angle) <= pi)
		lu.assertEquals(collide.atan2(-y, x), -angle)
		lu.assertTrue(abs(collide.atan2(x, y) + angle - pi / 2) < 1.2e-15 or abs(collide.atan2(x, y) + angle + 3 * pi / 2) < 2e-15)
	end
	for _, case in ipairs { { 0, 1, 0 }, { 1, 0, pi / 2 }, { 0, -1, pi }, { -1, 0, -pi / 2 }, { 1, 1, pi / 4 }, { -1, -1, -3 * pi / 4 }, { 0, 0, 0 } } do
		lu.assertEquals(collide.atan2(case[1], case[2]), case[3])
	end
	lu.assertEquals(collide.sin(0), 0)
	lu.assertEquals(collide.cos(0), 1)
end

-- Folds the bits of numbers between -2^20 and 2^20 into a sum, by exact operations.
local function folded(state, value)
	for _ = 1, 3 do
		local whole = floor(value * 2 ^ 24)
		state = (state * 31 + whole) % 2147483647
		value = value * 2 ^ 24 - whole
	end
	return state
end

-- The same bits from every compiler, level, Lua and processor. Up to 1e300, where angles mean nothing any more.
function TestTrigonometry.test_the_bits_of_a_hundred_thousand_results()
	local random, state = collide.newRandom(6), 0
	for i = 1, 100000 do
		local a, b = wide(random, i % 10 == 0 and 1e300 or 1e7), wide(random, 1e3)
		state = folded(folded(folded(state, collide.sin(a)), collide.cos(a)), collide.atan2(a, b))
	end
	lu.assertEquals(state, 2101362140)
end

function TestTrigonometry.test_invalid_angles()
	for _, name in ipairs { "sin", "cos" } do
		for _, bad in ipairs { 0 / 0, 1 / 0, -1 / 0, "1", {}, true } do
			lu.assertErrorMsgContains(name .. ": angle must be a", collide[name], bad)
		end
		lu.assertErrorMsgContains(name .. ": angle must be a finite number", collide[name])
	end
	lu.assertErrorMsgContains("atan2: y must be a finite number", collide.atan2, nil, 1)
	lu.assertErrorMsgContains("atan2: x must be a finite number", collide.atan2, 1)
end

TestRandom = {}

-- Generators of which both have the method `random`.
local function sources(seed)
	return { generator = collide.newRandom(seed), plane = d2.newWorld { seed = seed }, space = d3.newWorld { seed = seed } }
end

-- Published vectors: xoshiro256** from the state 1, 2, 3, 4 gives 11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600,
-- 16172922978634559625, 8476171486693032832, 10595114339597558777, 2904607092377533576. A fraction has the upper 53 bits.
function TestRandom.test_the_generator_is_xoshiro256()
	local random = collide.newRandom(0)
	local state = ("0"):rep(15) .. "1" .. ("0"):rep(15) .. "2" .. ("0"):rep(15) .. "3" .. ("0"):rep(15) .. "4"
	random:setState(state)
	lu.assertEquals(random:getState(), state)
	for _, upper in ipairs { 5, 0, 737294, 593736278999059, 593834050068499, 296869273806965, 7896935048161406, 4138755608736832, 5173395673631620,
		1418265181824967 } do
		lu.assertEquals(random:random(), upper * 2 ^ -53)
	end
	random:setState(state)
	-- 2^64 = 6 modulo 10: the numbers below 6 are drawn again, and 0 is one of them.
	for _, last in ipairs { 0, 0, 0, 0, 0, 5, 2, 7, 6 } do lu.assertEquals(random:random(10), 1 + last) end
	random:setState(state)
	for _, last in ipairs { 0, 0, 0, 0 } do lu.assertEquals(random:random(-8, 7), last - 8) end -- of 16 numbers none is drawn again
end

-- A seed gives the state of SplitMix64. Of 1234567 it is published: 6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431.
function TestRandom.test_seeds_are_mixed_by_splitmix64()
	lu.assertEquals(collide.newRandom(1234567):getState(), "599ed017fb08fc852c73f08458540fa5883ebce5a3f27c773fbef740e9177b3f")
end

function TestRandom.test_equal_seeds_give_equal_numbers()
	for _, seed in ipairs { 0, 1, -1, 2 ^ 53 - 1, 1 - 2 ^ 53 } do
		local all, random = sources(seed), collide.newRandom(seed)
		for i = 1, 1000 do
			local m, n = -i * i, 1000 * i
			local a, b, c = random:random(), random:random(i), random:random(m, n)
			lu.assertTrue(a >= 0 and a < 1 and b >= 1 and b <= i and c >= m and c <= n and b == floor(b) and c == floor(c))
			for name, source in pairs(all) do
				lu.assertEquals({ source:random(), source:random(i), source:random(m, n) }, { a, b, c }, name)
			end
		end
	end
end

-- Chi-square of `draws` numbers in k classes of equal chance. Its mean is k - 1, its variance 2 (k - 1): six standard deviations above are passed with a chance
-- of 1e-7 at most for the numbers of classes here, and 6 below with less.
local function check_even(what, k, draws, class)
	local counts, chi = {}, 0
	for i = 1, k do counts[i] = 0 end
	for _ = 1, draws do
		local i = class()
		counts[i] = counts[i] + 1
	end
	for i = 1, k do chi = chi + (counts[i] - draws / k) ^ 2 / (draws / k) end
	lu.assertTrue(abs(chi - (k - 1)) < 6 * math.sqrt(2 * (k - 1)), ("%s: chi-square %.1f of %d classes"):format(what, chi, k))
end

function TestRandom.test_numbers_are_even()
	local random = collide.newRandom(11)
	check_even("fractions", 1000, 500000, function() return 1 + floor(1000 * random:random()) end)
	check_even("pairs", 400, 200000, function() return 1 + floor(20 * random:random()) + 20 * floor(20 * random:random()) end)
	check_even("the last bits", 256, 200000, function() return 1 + random:random() * 2 ^ 53 % 256 end)
	check_even("1 to 7", 7, 200000, function() return random:random(7) end)
	check_even("-50 to 50", 101, 200000, function() return 51 + random:random(-50, 50) end)
end

-- A remainder or product of 32 random bits would favour some numbers of 3 2^30: a third would be as frequent as the others together.
function TestRandom.test_wide_intervals_are_even()
	local random = collide.newRandom(12)
	for _, count in ipairs { 2 ^ 31 - 1, 2 ^ 31, 2 ^ 31 + 1, 3 * 2 ^ 30, 3 * 2 ^ 51, 2 ^ 53 - 1 } do
		local low = count < 2 ^ 53 - 1 and -floor(count / 2) or 1
		local high = low + count - 1
		check_even(count .. " numbers", 96, 50000, function() return 1 + floor((random:random(low, high) - low) / count * 96) end)
		check_even("the last bits of " .. count, 16, 50000, function() return 1 + random:random(low, high) % 16 end)
	end
	local low, high = 1 - 2 ^ 53, 2 ^ 53 - 1 -- as wide as possible
	check_even("all whole numbers", 64, 50000, function() return 1 + floor((random:random(low, high) + 2 ^ 53) / 2 ^ 54 * 64) end)
end

-- Two generators do not disturb each other, and those of neighbouring seeds have nothing in common: their correlation has a standard deviation of 1 / sqrt(n).
function TestRandom.test_generators_are_independent()
	local a, b, alone = collide.newRandom(1), collide.newRandom(2), collide.newRandom(1)
	local n, products = 100000, 0
	for _ = 1, n do
		local x, y = a:random(), b:random()
		lu.assertEquals(alone:random(), x)
		products = products + (x - 0.5) * (y - 0.5) * 12
	end
	lu.assertTrue(abs(products / n) < 6 / math.sqrt(n))
	check_even("first numbers of seeds", 100, 20000, (function()
		local seed = 0
		return function()
			seed = seed + 1
			return 1 + floor(100 * collide.newRandom(seed):random())
		end
	end)())
end

function TestRandom.test_a_state_continues_the_sequence()
	local random = collide.newRandom(8)
	for _ = 1, 10 do random:random() end
	local state, expected = random:getState(), {}
	for i = 1, 10 do expected[i] = random:random(i) end
	local other = collide.newRandom(9)
	other:setState(state)
	for i = 1, 10 do lu.assertEquals(other:random(i), expected[i]) end
	lu.assertEquals(other:getState(), random:getState())
	for _, bad in ipairs { "", ("0"):rep(64), ("g"):rep(64), ("1"):rep(63), ("1"):rep(65), ("\0"):rep(64), 12, {}, true } do
		lu.assertErrorMsgContains("setState: state must be a string that getState returned, got", other.setState, other, bad)
	end
	lu.assertErrorMsgContains("setState: state must be a string that getState returned", other.setState, other)
	lu.assertEquals(other:getState(), random:getState())
end

function TestRandom.test_invalid_intervals()
	for name, source in pairs(sources(1)) do
		local function raises(text, ...)
			lu.assertErrorMsgContains("random: " .. text, source.random, source, ...)
		end
		for _, bad in ipairs { 0, -1, 1.5, 0 / 0, 1 / 0, 2 ^ 53, "6", {}, true } do raises("m must be a whole number between 1 and 9007199254740991, got", bad) end
		raises("m must be a whole number", nil)
		raises("n must be a whole number", 1, nil)
		raises("n must be a whole number between 5 and 9007199254740991, got 4", 5, 4)
		raises("m must be a whole number", -2 ^ 53, 0)
		raises("n must be a whole number", 0, 2 ^ 53)
		raises("takes at most two numbers, got 3", 1, 2, 3)
		lu.assertEquals(source:random(), collide.newRandom(1):random(), name .. ": a call that raises draws nothing")
		lu.assertEquals(source:random(5, 5), 5)
	end
	lu.assertErrorMsgContains("random: expected a generator", collide.newRandom(1).random, 1)
	for _, bad in ipairs { 1.5, 0 / 0, 1 / 0, 2 ^ 53, -2 ^ 53, "1", {}, false } do
		lu.assertErrorMsgContains("newRandom: seed must be a whole number between", collide.newRandom, bad)
		lu.assertErrorMsgContains("newWorld: seed must be a whole number between", d2.newWorld, { seed = bad })
	end
	lu.assertErrorMsgContains("newRandom: seed must be a whole number", collide.newRandom)
	lu.assertEquals(tostring(collide.newRandom(1)), "generator")
end

for dim, d in pairs { d2 = d2, d3 = d3 } do
	local suite = support.suite("TestWorldRandom", dim)

	-- The state of the random numbers is hashed, but a world that has no seed and has drawn none has the hash of a world without them.
	function suite.test_hashes()
		local function hash(options, draws)
			local world = d.newWorld(options)
			for _ = 1, draws do world:random() end
			world:step(1 / 60)
			return world:hash()
		end
		lu.assertEquals(hash(nil, 0), "cbf29ce484222325")
		lu.assertEquals(hash({ seed = 0 }, 0), hash(nil, 0))
		local seen = {}
		for seed = 0, 3 do
			for draws = 0, 3 do
				local found = hash({ seed = seed }, draws)
				lu.assertEquals(found, hash({ seed = seed }, draws))
				lu.assertNil(seen[found], ("seed %d, %d draws"):format(seed, draws))
				seen[found] = true
			end
		end
	end

	-- A world draws none itself, and its steps depend on none.
	function suite.test_steps_draw_no_numbers()
		local function run(seed)
			local world, list = d.newWorld { seed = seed }, {}
			world:newBody { type = "static", y = -1, shape = support.wings[dim].floor(d) }
			local body = world:newBody { y = 2, shape = support.wings[dim].cube(d, 1), angularVelocity = dim == "d2" and 3 or { 3, 1, 2 } }
			for i = 1, 60 do
				world:step(1 / 60)
				list[i] = { body:getTransform() }
			end
			return list, world:random()
		end
		local one, drawn = run(1)
		lu.assertEquals(drawn, collide.newRandom(1):random())
		lu.assertEquals((run(2)), one)
	end

	-- A number drawn in a hook would depend on the order of its calls, or on whether somebody looks.
	function suite.test_hooks_draw_no_numbers()
		local world, called
		local function draw()
			called = true
			lu.assertErrorMsgContains("random: world is locked", world.random, world)
			return true
		end
		world = d.newWorld { filter = draw, seed = 5 }
		for i = 0, 1 do world:newBody { y = 0.9 * i, shape = support.wings[dim].cube(d, 1) } end
		world:step(1 / 60)
		lu.assertTrue(called)
		called = false
		world:draw { solidPolygon = draw, solidMesh = draw, solidBox = draw, segment = draw }
		lu.assertTrue(called)
		lu.assertEquals(world:random(), collide.newRandom(5):random())
		world:destroy()
		lu.assertErrorMsgContains("random: world is destroyed", world.random, world)
	end

	function suite.test_numbers_make_no_garbage()
		local world, random = d.newWorld { seed = 1 }, collide.newRandom(1)
		lu.assertEquals(support.bytes_of(1000, function()
			random:random() random:random(6) random:random(-3, 3)
			world:random() world:random(6) world:random(-3, 3)
			collide.sin(1) collide.cos(1) collide.atan2(1, 2)
		end), 0)
	end
end
