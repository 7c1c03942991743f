-- A wall that goes to and fro ploughs through 8,000 pentagons in a trough: bodies, sizes and steps of Box2D's benchmark of the same name. The argument is the
-- number of rows.
local collide = require "collide"
local d2 = collide.d2
local trough = require "trough"

local scenario = { name = "junkyard", duration = 800 / 60, brief = { duration = 3, args = { "2" } } }
local half, radius, timestep = 80, 0.25, 1 / 60
local rocks, wall

-- Five points of a circle, each a golden section of a full turn after the last.
local function new_pentagon()
	local points = {}
	for i = 0, 4 do
		local angle = math.pi * (math.sqrt(5) - 1) * i
		points[2 * i + 1], points[2 * i + 2] = radius * collide.cos(angle), radius * collide.sin(angle)
	end
	return d2.polygon(points)
end

function scenario.setup(args)
	local rows = tonumber(args and args[1]) or 40
	local world = d2.newWorld { gravity = { 0, -10 } }
	trough.add(world, half, 50)
	local pentagon, aside = new_pentagon(), -0.1
	rocks = {}
	for column = 0, 199 do
		for row = 0, rows - 1 do
			rocks[#rocks + 1] = world:newBody { x = 3 * radius * (column - 100) + aside, y = 15 + 4 * radius * row, shape = pentagon }
			aside = -aside
		end
	end
	wall = world:newBody { type = "kinematic", shape = d2.box(4, 8, { y = 4 }) }
	return world
end

local function wall_at(tick) return 60 * collide.sin(0.2 * timestep * (tick - 1)) end

function scenario.update(_, tick) wall:moveTo(wall_at(tick), 0, 0, timestep) end

function scenario.measure()
	return { escaped = trough.escaped(rocks, half) }
end

function scenario.check()
	local count = trough.escaped(rocks, half)
	assert(count == 0, ("junkyard: %d pentagons have left the trough"):format(count))
end

return scenario
