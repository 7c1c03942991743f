-- The cost of what games do beside falling boxes: bodies and joints replaced, moved and changed, ships with cargo, bodies of many colliders, sleep, queries,
-- many small worlds. Prints, in us, the median, 99th and 99.9th percentile of a frame's calls and of its step, or of one query; then the engine's bytes.
--
--   build/host scripts/bench/work.lua                      all kinds of work, 2D and 3D
--   build/host scripts/bench/work.lua ray                  those whose names contain the text
--   build/host scripts/bench/work.lua "" 2000 2            other numbers: bodies (10,000), workers (1)
local collide = require "collide"
local percentiles, twins = require "percentiles", require "twins"

local pattern, count, workers = ...
pattern, count, workers = pattern or "", tonumber(count or 10000), tonumber(workers or 1)
assert(count and count >= 100 and workers, "work: the arguments must be a text, a number of bodies (at least 100) and a number of workers")

local clock, dt, frames, queries = os.clock, 1 / 60, 300, 2000

-- What both dimensions share: shapes and vectors by the same calls.
local function dimension(d)
	local flat = d == collide.d2
	local dim = { flat = flat, number = twins.numbers(), name = flat and "2D" or "3D" }
	function dim.vector(x, y, z) return flat and { x, y } or { x, y, z } end
	function dim.box(x, y, z, at) return flat and d.box(x, y, at) or d.box(x, y, z, at) end
	function dim.pose(x, y, z) return flat and d.pose(x, y) or d.pose(x, y, z) end
	dim.ball = flat and d.circle or d.sphere
	dim.shapes = { dim.ball(0.5), dim.box(1, 1, 1), flat and d.capsule(0, -0.25, 0, 0.25, 0.25) or d.capsule(0, -0.25, 0, 0, 0.25, 0, 0.25) }
	function dim.world(options)
		options.workers, options.gravity = workers, options.gravity or dim.vector(0, -10, 0)
		return d.newWorld(options)
	end
	-- Makes a static box with its top at height 0.
	function dim.floor(world, width) world:newBody { type = "static", y = -1, shape = dim.box(width, 2, width) } end
	-- Calls make(i, x, y, z) for places in a grid, as high as wide.
	function dim.grid(places, gap, make)
		local side = math.ceil(places ^ (flat and 1 / 2 or 1 / 3) - 1e-9)
		for i = 0, places - 1 do
			local x, y, z = i % side, math.floor(i / side) % side, math.floor(i / side ^ 2)
			make(i + 1, (x - side / 2) * gap, y * gap, not flat and (z - side / 2) * gap or nil)
		end
		return side * gap
	end
	return dim
end

-- Mixed shapes that have fallen for 2 s, in a pit.
local function pile(dim, options)
	local world, bodies = dim.world(options or {}), {}
	local width = dim.grid(count, 1.1, function(i, x, y, z)
		bodies[i] = world:newBody { x = x + dim.number(-0.1, 0.1), y = y + 1, z = z, shape = dim.shapes[i % 3 + 1] }
	end)
	dim.floor(world, 4 * width)
	for side = -1, 1, 2 do
		world:newBody { type = "static", x = side * (width / 2 + 2), y = width, shape = dim.box(2, 2 * width, 2 * width) }
		if not dim.flat then world:newBody { type = "static", z = side * (width / 2 + 2), y = width, shape = dim.box(2 * width, 2 * width, 2) } end
	end
	for _ = 1, 120 do world:step(dt) end
	return world, bodies
end

local function any(dim, bodies)
	local i = math.min(#bodies, math.floor(dim.number(1, #bodies + 1)))
	return bodies[i], i
end

-- A kind of work whose frame calls change(dim, body, its index, bodies, world) for this share of the bodies of a pile.
local function changes(share, change)
	return function(dim)
		local world, bodies = pile(dim, { layers = { "even", "odd" } })
		return world, function()
			for _ = 1, math.floor(share * count) do
				local body, i = any(dim, bodies)
				change(dim, body, i, bodies, world)
			end
		end
	end
end

local function replace(dim, body, i, bodies, world)
	local x, y, z = body:getPosition()
	body:destroy()
	bodies[i] = world:newBody { x = x, y = y, z = not dim.flat and z or nil, shape = dim.shapes[i % 3 + 1] }
end

-- A kind of work whose frame asks `queries` questions of moving and static bodies. The times are of one question.
local function asks(ask)
	return function(dim)
		local world = dim.world { gravity = dim.vector(0, 0, 0) }
		local box, ball = dim.box(1, 1, 1), dim.ball(0.2)
		local width = dim.grid(10 * count, 2, function(i, x, y, z)
			world:newBody { type = "static", x = x, y = y, z = z, shape = box }
			if i % 10 ~= 0 then return end
			world:newBody { x = x + 1, y = y + 1, z = z, shape = ball, restitution = 1, linearVelocity = dim.vector(dim.number(-5, 5), dim.number(-5, 5), 0) }
		end)
		local probe = dim.ball(1.5)
		return world, function()
			for _ = 1, queries do
				local x, y = dim.number(-0.5, 0.5) * width, dim.number(0, 1) * width
				ask(dim, world, x, y, dim.flat and dim.number(-7, 7) or dim.number(-0.5, 0.5) * width, probe)
			end
		end, queries
	end
end

local function ray(method)
	return asks(function(dim, world, x, y, z)
		if dim.flat then return world[method](world, x, y, x + z, y + 7) end
		return world[method](world, x, y, z, x + 5, y + 5, z + 5)
	end)
end

-- Crates on a body that all of them touch, which lies on a floor.
local function ship(dim)
	local world, side = dim.world { sleeping = false }, dim.flat and count or math.ceil(math.sqrt(count))
	dim.floor(world, 3 * side)
	world:newBody { y = 1, shape = dim.box(1.2 * side, 2, 1.2 * side) }
	for i = 0, count - 1 do
		world:newBody { x = (i % side - side / 2) * 1.1, y = 2.5, z = not dim.flat and (math.floor(i / side) - side / 2) * 1.1 or nil, shape = dim.shapes[2] }
	end
	return world
end

-- One body of as many colliders, and balls that bounce beside it.
local function colliders(dim)
	local world, list = dim.world { sleeping = false }, {}
	dim.floor(world, 400)
	local width = dim.grid(count, 0.6, function(i, x, y, z) list[i] = { shape = dim.box(0.5, 0.5, 0.5, { x = x, y = y + 0.3, z = z }) } end)
	world:newBody { y = 0.1, shapes = list }
	for i = 1, 500 do world:newBody { x = width + i % 100 * 1.2, y = 1 + math.floor(i / 100) * 1.2, shape = dim.shapes[1], restitution = 0.9 } end
	return world
end

-- Bodies in pairs on joints, of which some get another joint in each frame.
local function joints(dim)
	local world, bodies, list = dim.world { gravity = dim.vector(0, 0, 0), sleeping = false }, {}, {}
	dim.grid(count, 1.3, function(i, x, y, z) bodies[i] = world:newBody { x = x, y = y, z = z, shape = dim.ball(0.4) } end)
	local function make(i)
		local x, y, z = bodies[2 * i - 1]:getPosition()
		local options = { bodyA = bodies[2 * i - 1], bodyB = bodies[2 * i], x = x + 0.65, y = y, z = not dim.flat and z or nil }
		list[i] = dim.flat and world:newRevoluteJoint(options) or world:newSphericalJoint(options)
	end
	for i = 1, math.floor(count / 2) do make(i) end
	return world, function()
		for _ = 1, math.floor(count / 20) do
			local joint, i = any(dim, list)
			joint:destroy()
			make(i)
		end
	end
end

-- Stacks of four that are put to sleep and woken in turns.
local function toggle(dim)
	local world, bodies, asleep = dim.world {}, {}, false
	dim.floor(world, 2 * count)
	for i = 0, count - 1 do bodies[i + 1] = world:newBody { x = 1.5 * math.floor(i / 4), y = 0.5 + i % 4, shape = dim.shapes[2] } end
	for _ = 1, 120 do world:step(dt) end
	return world, function()
		asleep = not asleep
		for _, body in ipairs(bodies) do body:setAwake(not asleep) end
	end
end

-- Many worlds of twenty bodies; the calls step all but one.
local function worlds(dim)
	local list = {}
	for k = 1, math.floor(count / 20) do
		local world = dim.world { sleeping = false }
		dim.floor(world, 20)
		for i = 1, 20 do world:newBody { x = i % 5 * 1.1, y = i * 1.1, shape = dim.shapes[i % 3 + 1] } end
		list[k] = world
	end
	return list[1], function() for k = 2, #list do list[k]:step(dt) end end
end

local kinds = {
	{ "pile", function(dim) return pile(dim, { sleeping = false }) end }, { "pile that may sleep", function(dim) return pile(dim) end },
	{ "1 % replaced", changes(0.01, replace) }, { "10 % replaced", changes(0.1, replace) },
	{ "10 % moved", changes(0.1, function(dim, body, _, bodies)
		local other = any(dim, bodies)
		local x, y, z = body:getPosition()
		body:setPosition(other:getPosition())
		other:setPosition(x, y, z)
	end) },
	{ "10 % of layers", changes(0.1, function(_, body, i) body:getColliders()[1]:setLayer(i % 2 == 0 and "even" or "odd") end) },
	{ "10 % of shapes", changes(0.1, function(dim, body) body:getColliders()[1]:setShape(any(dim, dim.shapes)) end) },
	{ "5 % disabled", changes(0.05, function(_, body) body:setEnabled(not body:isEnabled()) end) },
	{ "5 % made static", changes(0.05, function(_, body) body:setType(body:getType() == "static" and "dynamic" or "static") end) },
	{ "joints", joints }, { "ship", ship }, { "colliders", colliders }, { "asleep and awake", toggle }, { "small worlds", worlds },
	{ "ray", ray "raycast" }, { "any ray", ray "raycastAny" },
	{ "box", asks(function(dim, world, x, y, z)
		if dim.flat then return world:overlapBox(x, y, x + 3, y + 3) end
		return world:overlapBox(x, y, z, x + 3, y + 3, z + 3)
	end) },
	{ "ball", asks(function(dim, world, x, y, z, probe) return world:overlapShape(probe, dim.pose(x, y, z)) end) },
}

local function measure(dim, make)
	local world, change, divisor = make(dim)
	if type(change) ~= "function" then change = nil end
	local calls, steps, profile = {}, {}, {}
	for frame = 1, frames do
		local start = clock()
		if change then change() end
		calls[frame] = (clock() - start) * 1e6 / (divisor or 1)
		world:step(dt)
		steps[frame] = world:getProfile(profile).step * 1e3
	end
	local bytes = world:getByteCount()
	world:destroy()
	local a, b, c = percentiles(calls)
	local e, f, g = percentiles(steps)
	return a, b, c, e, f, g, bytes
end

print(("%-24s%10s%10s%10s%12s%10s%10s%12s"):format("work", "calls", "99 %", "99.9 %", "step", "99 %", "99.9 %", "bytes"))
for _, d in ipairs { collide.d2, collide.d3 } do
	for _, kind in ipairs(kinds) do
		local dim = dimension(d)
		local name = dim.name .. " " .. kind[1]
		if name:find(pattern, 1, true) then
			print(("%-24s%10.2f%10.2f%10.2f%12.1f%10.1f%10.1f%12.0f"):format(name, measure(dim, kind[2])))
			collectgarbage()
		end
	end
end
