-- The cost of bodies from Lua, in us: of creating one with its shape by one call, and of destroying it, by the number of bodies. The curves must be flat: no
-- cost may be quadratic; the script fails if one is steep. For the cost of other calls see scripts/bench/lua.lua.
--
--   build/host scripts/bench/creation.lua            1,000, 10,000 and 100,000 bodies
--   build/host scripts/bench/creation.lua 200 2000   other numbers
local d2 = require("collide").d2

local sizes = {}
for i, argument in ipairs { ... } do
	sizes[i] = assert(tonumber(argument), "creation: the arguments must be numbers of bodies")
end
if #sizes == 0 then sizes = { 1000, 10000, 100000 } end

local clock = os.clock

-- The collector runs between the timed parts, not in them.
local function timed(f)
	collectgarbage()
	collectgarbage "stop"
	local start = clock()
	f()
	local seconds = clock() - start
	collectgarbage "restart"
	return seconds
end

local spacing, dt = 1.5, 1 / 60
local ball, box = d2.circle(0.5), d2.box(1, 1)

-- In rows, apart; `near`: each overlaps the next, so that each has contacts.
local function places(count, near)
	local xs, ys, columns = {}, {}, math.ceil(math.sqrt(count))
	local step = near and 0.95 or spacing
	for i = 1, count do
		xs[i], ys[i] = (i - 1) % columns * step, math.floor((i - 1) / columns) * step
	end
	return xs, ys
end

local function make(world, bodies, xs, ys, shape)
	for i = 1, #xs do bodies[i] = world:newBody { x = xs[i], y = ys[i], shape = shape } end
end

local function make_by_one_table(world, bodies, xs, ys, shape)
	local options = { shape = shape }
	for i = 1, #xs do
		options.x, options.y = xs[i], ys[i]
		bodies[i] = world:newBody(options)
	end
end

local function destroy(bodies, first, last, by)
	for i = first, last, by do bodies[i]:destroy() end
end

-- In an order that follows neither age nor position.
local function shuffled(bodies)
	local result, state = {}, 1
	for i, body in ipairs(bodies) do result[i] = body end
	for i = #result, 2, -1 do
		state = state * 16807 % 2147483647
		local k = state % i + 1
		result[i], result[k] = result[k], result[i]
	end
	return result
end

local function measure(count)
	local xs, ys = places(count)
	local near_xs, near_ys = places(count, true)
	local world, bodies, result = d2.newWorld(), {}, {}
	local function per_body(name, f) result[name] = timed(f) / count * 1e6 end
	per_body("new, empty world", function() make(world, bodies, xs, ys, ball) end)
	per_body("destroy, newest first", function() destroy(bodies, count, 1, -1) end)
	per_body("new", function() make(world, bodies, xs, ys, ball) end)
	per_body("destroy, oldest first", function() destroy(bodies, 1, count, 1) end)
	per_body("new, one table", function() make_by_one_table(world, bodies, xs, ys, ball) end)
	per_body("first step", function() world:step(dt) end)
	local any = shuffled(bodies)
	per_body("destroy, stepped, any order", function() destroy(any, 1, count, 1) end)
	make(world, bodies, near_xs, near_ys, box)
	world:step(dt)
	any = shuffled(bodies)
	per_body("destroy, touching, any order", function() destroy(any, 1, count, 1) end)
	make(world, bodies, xs, ys, ball)
	world:step(dt)
	per_body("world:destroy", function() world:destroy() end)
	world = d2.newWorld()
	local ground, tiles, colliders = world:newBody { type = "static" }, {}, {}
	for i = 1, count do tiles[i] = d2.circle(0.5, xs[i], ys[i]) end
	per_body("newCollider, one static body", function()
		for i = 1, count do colliders[i] = ground:newCollider(tiles[i]) end
	end)
	per_body("collider:destroy, of one body", function()
		for i = count, 1, -1 do colliders[i]:destroy() end
	end)
	for i = 1, count do tiles[i] = { shape = tiles[i] } end
	per_body("new, one body of so many", function() world:newBody { shapes = tiles } end)
	world:destroy()
	return result
end

local rows = {
	"new, empty world", "new", "new, one table", "first step", "destroy, newest first", "destroy, oldest first", "destroy, stepped, any order",
	"destroy, touching, any order", "world:destroy", "newCollider, one static body", "collider:destroy, of one body", "new, one body of so many",
}

local results, head = {}, {}
for i, count in ipairs(sizes) do
	head[i] = ("%10d"):format(count)
	for _ = 1, math.max(3, math.min(20, 100000 / count)) do -- the best of several rounds
		local result = measure(count)
		results[i] = results[i] or result
		for name, time in pairs(result) do results[i][name] = math.min(results[i][name], time) end
	end
end
print(("%-32s%s"):format("us a body", table.concat(head)))
local steep = {}
for _, name in ipairs(rows) do
	local cells = {}
	for i, result in ipairs(results) do
		cells[i] = ("%10.3f"):format(result[name])
		-- A quadratic cost per body grows with the number of bodies. Caches and times too short for the clock explain less growth.
		local before = results[i - 1]
		if before and sizes[i - 1] >= 1000 and result[name] > 1 and result[name] > 0.5 * sizes[i] / sizes[i - 1] * math.max(before[name], 0.5) then steep[#steep + 1] = name end
	end
	print(("%-32s%s"):format(name, table.concat(cells)))
end
local pairs_of = {}
for i, result in ipairs(results) do
	pairs_of[i] = ("%10.3f"):format(result["new"] + result["destroy, oldest first"])
end
print(("%-32s%s"):format("new and destroy", table.concat(pairs_of)))

assert(#steep == 0, "creation: grows faster than the number of bodies: " .. table.concat(steep, "; "))
