-- The cost of a step of ten rolling balls beside static bodies, by their number, in us: median, 99th and 99.9th percentile. The curves must be flat, also when
-- a static body is added, moved or removed before each step. Then the first step [ms], creation [us a body] and memory [bytes a body, without Lua's].
--
--   build/host scripts/bench/statics.lua           1,000 to 1,000,000 static bodies, 2D and 3D
--   build/host scripts/bench/statics.lua 5000      another number
local collide = require "collide"

local clock, dt, steps = os.clock, 1 / 60, 1000

local sizes = {}
for i, argument in ipairs { ... } do
	sizes[i] = assert(tonumber(argument), "statics: the arguments must be numbers of bodies")
end
if #sizes == 0 then sizes = { 1000, 10000, 100000, 1000000 } end

-- A floor of boxes, `x` and `along` in its plane.
local function options_at(flat, x, along, shape)
	if flat then return { type = "static", x = x, y = -along, shape = shape } end
	return { type = "static", x = x, y = 0, z = along, shape = shape }
end

local function measure(d, count, change)
	local flat = d == collide.d2
	local world, bodies, side = d.newWorld(), {}, math.ceil(math.sqrt(count))
	local box, ball = flat and d.box(1, 1) or d.box(1, 1, 1), flat and d.circle(0.3) or d.sphere(0.3)
	local empty, start = world:getByteCount(), clock()
	for i = 1, count do bodies[i] = world:newBody(options_at(flat, i % side * 1.1, math.floor(i / side) * 1.1, box)) end
	local creation, memory = (clock() - start) / count * 1e6, (world:getByteCount() - empty) / count
	for i = 1, 10 do
		local options = options_at(flat, 2 * i, flat and -1.5 or 2 * i, ball)
		options.type, options.y, options.restitution = "dynamic", 1.5, 0.9
		options.linearVelocity = flat and { 6, 0 } or { 6, 0, 0 }
		world:newBody(options)
	end
	start = clock()
	world:step(dt)
	local first, times = (clock() - start) * 1e3, {}
	for i = 1, steps do
		if change == "added" then
			world:newBody(options_at(flat, -2 - 1.1 * i, 0, box))
		elseif change == "moved" then
			bodies[1]:setPosition(-2 - 1.1 * i, 0, 0)
		elseif change == "removed" then
			bodies[#bodies]:destroy()
			bodies[#bodies] = nil
		end
		start = clock()
		world:step(dt)
		times[i] = (clock() - start) * 1e6
	end
	table.sort(times)
	world:destroy()
	return times[steps / 2], times[math.ceil(0.99 * steps)], times[math.ceil(0.999 * steps)], first, creation, memory
end

print(("%-22s%10s%10s%10s%10s%12s%10s"):format("static bodies", "median", "99 %", "99.9 %", "first ms", "creation us", "bytes"))
for _, d in ipairs { collide.d2, collide.d3 } do
	for _, count in ipairs(sizes) do
		for _, change in ipairs { "", "added", "moved", "removed" } do
			local name = ("%s %d %s"):format(d == collide.d2 and "2D" or "3D", count, change)
			print(("%-22s%10.1f%10.1f%10.1f%10.2f%12.2f%10.0f"):format(name, measure(d, count, change)))
			collectgarbage()
		end
	end
end
