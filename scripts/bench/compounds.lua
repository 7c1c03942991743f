-- 3,000 arrowheads of two triangles each fall into a trough: bodies, masses, sizes and steps of Box2D's benchmark of the same name. The argument is the
-- number of rows.
local d2 = require("collide").d2
local trough = require "trough"

local scenario = { name = "compounds", duration = 500 / 60, brief = { duration = 2, args = { "8" } } }
local half = 40
local arrows

function scenario.setup(args)
	local rows = tonumber(args and args[1]) or 150
	local world = d2.newWorld { gravity = { 0, -10 } }
	trough.add(world, half, 100, { d2.segment(-800, -80, 800, -80) })
	local parts = {}
	for i, side in ipairs { -1, 1 } do
		parts[i] = { shape = d2.polygon { side, 0, -0.5 * side, 1, 0, 2 }, friction = 0.5 }
	end
	arrows = {}
	local aside = 0.25
	for column = 0, 19 do
		for row = 0, rows - 1 do
			arrows[#arrows + 1] = world:newBody { x = 2 * column - 19 + aside, y = 5.575 + 2.25 * row, shapes = parts }
			aside = -aside
		end
	end
	return world
end

function scenario.measure()
	return { escaped = trough.escaped(arrows, half) }
end

function scenario.check()
	local count = trough.escaped(arrows, half)
	assert(count == 0, ("compounds: %d arrowheads have left the trough"):format(count))
end

return scenario
