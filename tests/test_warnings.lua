-- Warnings of what does not fit in a world: dynamic bodies without mass, and sizes, gravity and speeds out of scale. Once per world each.

local lu, collide, support = require "luaunit", require "collide", require "support"
local d2, d3 = collide.d2, collide.d3

TestWarnings = {}

local function vector(d, x, y) return d == d2 and { x, y } or { x, y, 0 } end
local function ball(d, r) return d == d2 and d.circle(r) or d.sphere(r) end
local function stick(d) if d == d2 then return d.segment(0, 0, 1, 0) else return d.segment(0, 0, 0, 1, 0, 0) end end
local function box(d, size) return d == d2 and d.box(size, size) or d.box(size, size, size) end

-- The warnings of a world that `fill` fills, in 90 steps.
local function warnings(d, options, fill, steps)
	local told, before = {}, collide.warn
	collide.warn = function(text) told[#told + 1] = text end
	local ok, message = pcall(function()
		local world = d.newWorld(options)
		fill(world, d)
		for _ = 1, steps or 90 do world:step(1 / 60) end
	end)
	collide.warn = before
	if not ok then error(message, 0) end
	return told
end

local function each(name, f)
	TestWarnings["test_d2_" .. name] = function() f(d2) end
	TestWarnings["test_d3_" .. name] = function() f(d3) end
end

each("none_in_ordinary_worlds", function(d)
	local function fill(scale)
		return function(world)
			world:newBody { type = "static", y = -scale, shape = box(d, 2 * scale) }
			world:newBody { y = scale, shape = box(d, scale), linearVelocity = vector(d, 20 * scale, 0) }
			world:newBody { type = "kinematic", x = 200 * scale, shape = ball(d, 90 * scale), linearVelocity = vector(d, 900 * scale, 0) }
			world:newBody { type = "kinematic", x = -200 * scale }
			world:newBody { type = "static", y = 300 * scale, shape = stick(d) }
			local radar = world:newBody { x = -20 * scale, shape = ball(d, scale) }
			radar:newCollider(ball(d, 90 * scale), { sensor = true })
			world:newBody { shape = ball(d, scale), density = 0, enabled = false, y = 40 * scale }
			local later = world:newBody { x = 60 * scale } -- its shape comes later, but before a step
			later:getMass()
			later:newCollider(ball(d, scale))
		end
	end
	for _, scale in ipairs { 0.01, 1, 50 } do
		lu.assertEquals(warnings(d, { gravity = vector(d, 0, -10 * scale), lengthScale = scale }, fill(scale)), {})
	end
end)

each("bodies_without_mass", function(d)
	for what, options in pairs {
		["no density"] = { shape = ball(d, 1), density = 0 }, ["no shape"] = {},
		segment = { shape = stick(d) }, ["mass 0"] = { shape = ball(d, 1), mass = 0 },
	} do
		options.name = "ghost"
		local told = warnings(d, { gravity = vector(d, 0, -10) }, function(world)
			world:newBody { shape = ball(d, 1) }
			for _ = 1, 3 do world:newBody(options) end
		end)
		lu.assertEquals(#told, 1, what)
		lu.assertStrContains(told[1], 'body 1 "ghost" is dynamic but has no mass')
	end
	-- Those that come to have none: of another type, of another shape, enabled, with a shape less.
	for what, change in pairs {
		type = function(body) body:setType "dynamic" end, shape = function(body) body:getColliders()[1]:setShape(stick(d)) end,
		density = function(body) body:getColliders()[1]:setDensity(0) end, collider = function(body) body:getColliders()[1]:destroy() end,
	} do
		local told = {}
		local body
		told = warnings(d, {}, function(world)
			body = world:newBody { type = what == "type" and "static" or "dynamic", shape = ball(d, 1), density = what == "type" and 0 or 1 }
			world:step(1 / 60)
			change(body)
		end, 2)
		lu.assertEquals(#told, 1, what)
		lu.assertStrContains(told[1], "no mass")
	end
	local told = warnings(d, {}, function(world)
		local body = world:newBody { shape = ball(d, 1), density = 0, enabled = false }
		world:step(1 / 60)
		body:setEnabled(true)
		local gone = world:newBody {}
		gone:destroy()
	end)
	lu.assertEquals(#told, 1)
end)

-- The thresholds that the annotation of collide.warn gives, on both sides, at any scale.
each("thresholds", function(d)
	for _, scale in ipairs { 0.1, 1, 30 } do
		local function told(options, body)
			options.lengthScale, options.gravity = scale, options.gravity or vector(d, 0, 0)
			return #warnings(d, options, function(world) world:newBody(body) end, 30)
		end
		local function resting(radius) return { shape = ball(d, radius * scale) } end
		lu.assertEquals({ told({}, resting(0.0101)), told({}, resting(0.0099)) }, { 0, 1 })
		lu.assertEquals({ told({}, resting(39.9)), told({}, resting(40.1)), told({ maximumSpeed = 4000 * scale }, resting(399)), told({ maximumSpeed = 9 }, resting(39)) },
			{ 0, 1, 0, 0 })
		lu.assertEquals({ told({ gravity = vector(d, 0, 199 * scale) }, resting(1)), told({ gravity = vector(d, 0, -201 * scale) }, resting(1)),
			told({ gravity = vector(d, 201 * scale, 0), maximumSpeed = 800 * scale }, resting(1)) }, { 0, 1, 0 })
		local function flying(speed) return { shape = ball(d, scale), linearVelocity = vector(d, speed * scale, 0) } end
		lu.assertEquals({ told({}, flying(398)), told({}, flying(402)), told({ maximumSpeed = 100 * scale }, flying(402)) }, { 0, 1, 0 })
	end
end)

-- The world of pixels of the issue: 50 units under a gravity of 600.
each("pixels_without_a_scale", function(d)
	local function fill(world) world:newBody { shape = box(d, 50) } end
	local told = warnings(d, { gravity = vector(d, 0, 600) }, fill)
	lu.assertEquals(#told, 1)
	lu.assertStrContains(told[1], "gravity of 600")
	lu.assertStrContains(told[1], "maximumSpeed of 400 in 0.67 s")
	lu.assertStrContains(told[1], "lengthScale")
	lu.assertNil(told[1]:find "\n")
	lu.assertEquals(warnings(d, { gravity = vector(d, 0, 600), lengthScale = 60 }, fill), {})
	local later = warnings(d, { gravity = vector(d, 0, 0) }, function(world)
		world:newBody { shape = ball(d, 1) }
		world:step(1 / 60)
		if d == d2 then world:setGravity(0, 600) else world:setGravity(0, 600, 0) end
	end)
	lu.assertEquals(#later, 1)
end)

-- The function may raise, destroy the world or step it; false silences it, nil restores the default. It does not change what happens.
each("functions", function(d)
	local function world_of()
		local world = d.newWorld { gravity = vector(d, 0, 600) }
		return world, world:newBody { shape = ball(d, 1), density = 0 }, world:newBody { shape = ball(d, 1) }
	end
	local before = collide.warn
	collide.warn = function(text) error("told: " .. text, 0) end
	local world, _, falling = world_of()
	local messages = {}
	for i = 1, 4 do messages[i] = select(2, pcall(world.step, world, 1 / 60)) or false end
	lu.assertStrContains(messages[1], "told: with a gravity")
	lu.assertStrContains(messages[2], "no mass")
	lu.assertEquals({ messages[3], messages[4], world:getTick() }, { false, false, 4 })
	lu.assertTrue(select(2, falling:getPosition()) > 0)
	local hash = world:hash()
	local count = 0
	world = world_of()
	collide.warn = function() count = count + 1; world:step(1 / 60) end
	world:step(1 / 60)
	world:step(1 / 60)
	lu.assertEquals({ count, world:getTick(), world:hash() }, { 2, 4, hash })
	world = world_of()
	collide.warn = function() world:destroy() end
	world:step(1 / 60)
	lu.assertFalse(world:isValid())
	collide.warn = 5
	world = world_of()
	lu.assertErrorMsgContains("collide.warn must be a function, false (no warnings) or nil (the default), got 5", world.step, world, 1 / 60)
	lu.assertEquals(world:getTick(), 1)
	collide.warn = false
	world = world_of()
	for _ = 1, 4 do world:step(1 / 60) end
	lu.assertEquals(world:hash(), hash)
	collide.warn = nil
	lu.assertIsFunction(collide.warn)
	lu.assertIsFunction(rawget(collide, "warn"))
	collide.warn = before
end)

-- The default writes to the error stream, also after nil; nothing follows a misspelt name.
each("the_default", function(d)
	if support.windows then return end
	local code = ("local collide = require 'collide' collide.warn = false collide.warn = nil collide.%s.newWorld():step(60)"):format(d == d2 and "d2" or "d3")
	lu.assertEquals(support.shell(("%s -e %s 2>&1"):format(support.quote(support.host), support.quote(code))),
		"collide: a step of 60 s was made: dt is in seconds, such as 1 / 60\n")
	for _, name in ipairs { "wran", "Warn", "warm" } do
		lu.assertErrorMsgContains(("unknown field \"%s\" of collide, did you mean 'warn'?"):format(name), function() collide[name] = print end)
		lu.assertNil(rawget(collide, name))
	end
end)

-- Milliseconds, or a rate.
each("long_steps", function(d)
	local told = warnings(d, {}, function(world)
		world:step(4.9)
		for _ = 1, 3 do world:step(60) end
	end)
	lu.assertEquals(told, { "a step of 60 s was made: dt is in seconds, such as 1 / 60" })
end)

-- The earth's gravity in metres, in a world whose metre has many units.
each("gravity_in_metres", function(d)
	local function told(gravity, scale)
		return warnings(d, { gravity = vector(d, 0, gravity), lengthScale = scale }, function(world) world:newBody { shape = ball(d, scale) } end, 3)
	end
	for _, gravity in ipairs { -10, 9.81 } do
		local list = told(gravity, 30)
		lu.assertEquals(#list, 1)
		lu.assertStrContains(list[1], "gravity is in units of length")
		lu.assertEquals({ told(gravity, 1), told(gravity, 5), told(30 * gravity, 30), told(gravity / 9, 30) }, { {}, {}, {}, {} })
	end
end)

each("long_names", function(d)
	local name = ("n"):rep(2000)
	for text, shape in pairs { ["at which contacts begin; lengths"] = ball(d, 1e-4), ["at the greatest speed; lengths"] = ball(d, 1e4), ["or another type"] = false } do
		local told = warnings(d, {}, function(world) world:newBody { name = name, shape = shape or nil } end, 1)
		lu.assertEquals(#told, 1)
		lu.assertStrContains(told[1], "body 0 \"nnnnn")
		lu.assertStrContains(told[1], text)
	end
end)

-- The debug library lets a script set __tostring of bodies.
each("tostring_that_a_script_set", function(d)
	local meta = debug.getmetatable(d.newWorld():newBody {})
	local before = meta.__tostring
	local told = warnings(d, {}, function(world)
		world:newBody {}
		meta.__tostring = function() return nil end
	end, 1)
	local world = d.newWorld()
	world:newBody {}
	meta.__tostring = function() world:destroy() return "body" end
	local ok, message = pcall(world.step, world, 1 / 60)
	meta.__tostring = before
	lu.assertEquals({ ok, message }, { true })
	lu.assertFalse(world:isValid())
	lu.assertEquals(#told, 1)
	lu.assertStrContains(told[1], "a body is dynamic")
end)
