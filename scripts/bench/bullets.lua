-- The cost of bullets: 200 a frame are shot at 1,000 boxes and live 30 frames, so 6,000 fly or lie around. Prints times in us, of a step and of the calls that
-- make and destroy the bullets: median, 99th and 99.9th percentile. Then the engine's bytes at the end. apart: bullets have no contacts with each other, by
-- their group. hit: they stop at each other, by bulletsHitBullets.
--
--   build/host scripts/bench/bullets.lua           200 bullets a frame, 2D and 3D
--   build/host scripts/bench/bullets.lua 50 2      another number, and two workers
local collide = require "collide"
local twins = require "twins"

local clock, dt, frames, life = os.clock, 1 / 60, 120, 30
local shots, workers = tonumber((...)) or 200, tonumber((select(2, ...))) or 1

local function percentiles(times)
	table.sort(times)
	return times[#times / 2], times[math.ceil(0.99 * #times)], times[math.ceil(0.999 * #times)]
end

local function measure(d, apart, hit)
	local flat, number = d == collide.d2, twins.numbers()
	local world = d.newWorld { gravity = flat and { 0, -10 } or { 0, -10, 0 }, workers = workers, bulletsHitBullets = hit }
	local ground, box, ball = flat and d.box(400, 2) or d.box(400, 2, 400), flat and d.box(1, 1) or d.box(1, 1, 1), flat and d.circle(0.1) or d.sphere(0.1)
	world:newBody { type = "static", y = -1, shape = ground }
	for i = 0, 999 do
		world:newBody { x = math.floor(i / 10) % 50 * 2, y = 0.5 + i % 10, z = not flat and math.floor(i / 500) * 2 or nil, shape = box }
	end
	for _ = 1, 200 do world:step(dt) end
	local flights, steps, calls, profile = {}, {}, {}, {}
	for frame = 1, frames do
		local start, flight = clock(), {}
		for i = 1, shots do
			flight[i] = world:newBody {
				x = number(-25, -20), y = number(0.2, 12.2), z = not flat and number(-3, 7) or nil, shape = ball, bullet = true, density = 2,
				group = apart and -1 or nil, linearVelocity = flat and { 100, 0 } or { 100, 0, 0 },
			}
		end
		flights[frame] = flight
		for _, body in ipairs(flights[frame - life] or {}) do body:destroy() end
		flights[frame - life] = nil
		calls[frame] = (clock() - start) * 1e6
		world:step(dt)
		steps[frame] = world:getProfile(profile).step * 1e3
	end
	local bytes = world:getByteCount()
	world:destroy()
	local a, b, c = percentiles(steps)
	local e, f, g = percentiles(calls)
	return a, b, c, e, f, g, bytes
end

print(("%-12s%10s%10s%10s%12s%10s%10s%12s"):format("bullets", "step", "99 %", "99.9 %", "calls", "99 %", "99.9 %", "bytes"))
for _, d in ipairs { collide.d2, collide.d3 } do
	for _, case in ipairs { "", "apart", "hit" } do
		local name = ("%s %s"):format(d == collide.d2 and "2D" or "3D", case)
		print(("%-12s%10.0f%10.0f%10.0f%12.0f%10.0f%10.0f%12.0f"):format(name, measure(d, case == "apart", case == "hit")))
		collectgarbage()
	end
end
