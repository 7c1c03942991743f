-- The cost of bodies for Lua's collector: the bytes that stay in Lua for a body; and the time of a frame's calls that replace some bodies of many, with the
-- collector's work in it, as median, 99th and 99.9th percentile of the frames.
--
--   build/host scripts/bench/garbage.lua                   10,000 bodies, 100 replaced a frame, 3,000 frames
--   build/host scripts/bench/garbage.lua 1000 10 10000     other numbers
--   build/host scripts/bench/garbage.lua 10000 100 3000 generational    the collector's mode; else incremental
local d2 = require("collide").d2

local count, replaced, frames, mode = ...
count, replaced, frames = tonumber(count or 10000), tonumber(replaced or 100), tonumber(frames or 3000)
assert(count and replaced and frames, "garbage: the arguments must be numbers of bodies and frames")
if mode then collectgarbage(mode) end

local clock, shape = os.clock, d2.circle(0.5)

local function bytes()
	collectgarbage() collectgarbage()
	return collectgarbage "count" * 1024
end

local function make(world, i)
	return world:newBody { x = i % 100 * 2, y = math.floor(i / 100) * 2, shape = shape }
end

-- Bodies that the script holds, and bodies that nothing holds.
local function bytes_a_body()
	local world, bodies = d2.newWorld(), {}
	for i = 1, count do bodies[i] = false end
	local before = bytes()
	for i = 1, count do bodies[i] = make(world, i) end
	local held = bytes() - before
	for i = 1, count do bodies[i] = false end
	local left = bytes() - before
	world:destroy()
	return held / count, left / count
end

local function frame_times()
	local world, bodies, times, state = d2.newWorld { gravity = { 0, 0 } }, {}, {}, 1
	for i = 1, count do bodies[i] = make(world, i) end
	for frame = 1, frames do times[frame] = 0 end
	for frame = 1, frames do
		local start = clock()
		for _ = 1, replaced do
			state = state * 16807 % 2147483647
			local i = state % count + 1
			bodies[i]:destroy()
			bodies[i] = make(world, i)
		end
		times[frame] = clock() - start
		world:step(1 / 60)
	end
	table.sort(times)
	return times
end

local held, left = bytes_a_body()
print(("bytes a body: %.0f held, %.0f not held"):format(held, left))
local times = frame_times()
local function percentile(fraction) return 1000 * times[math.max(1, math.ceil(#times * fraction))] end
print(("ms a frame: median %.3f, 99 %% %.3f, 99.9 %% %.3f, max %.3f"):format(percentile(0.5), percentile(0.99), percentile(0.999), percentile(1)))
