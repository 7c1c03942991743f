-- Runs the worlds of tests/escape_worlds.lua for a number of body-seconds in each dimension. In every second world bullets do not stop at each other. Prints each escape with its world, then counts by kind.
--
--   host tests/deep/escapes.lua [body-seconds, 1000] [first world, 1] [2 or 3: one dimension alone] [a kind alone: "room", "piston", "linked" or "plates"]
local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path
local worlds = require "escape_worlds"

local seconds, first, only, kind = tonumber((...)) or 1000, tonumber((select(2, ...))) or 1, tonumber((select(3, ...))), (select(4, ...))

local counts, passed, broken = {}, { [2] = 0, [3] = 0 }, 0
for n = 2, 3 do
	local number = first
	while passed[n] < seconds and (not only or only == n) do
		local key, time, escapes = worlds.run(n, number, kind, number % 2 == 0)
		if key then
			local count = counts[key] or { seconds = 0, escapes = 0 }
			counts[key] = count
			count.seconds, count.escapes = count.seconds + time, count.escapes + #escapes
			passed[n], broken = passed[n] + time, broken + #escapes
			for _, line in ipairs(escapes) do print(line) end
		end
		number = number + 1
	end
end

local keys = {}
for key in pairs(counts) do keys[#keys + 1] = key end
table.sort(keys)
for _, key in ipairs(keys) do
	print(("%-40s %6d escapes in %9.0f body-seconds"):format(key, counts[key].escapes, counts[key].seconds))
end
print(("escapes: %d in %.0f body-seconds"):format(broken, passed[2] + passed[3]))
os.exit(broken == 0)
