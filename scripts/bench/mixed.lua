-- Circles, boxes, capsules and polygons in a walled box. The argument is their number, by default 200, as in a busy scene of a game.
-- Every other second each of them is thrown, so that they fall, pile up and come to rest again and again.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "mixed", duration = 10, brief = { duration = 2, args = { "50" } } }
local bodies, half, number
local throw_interval = 120 -- [steps]

-- Pseudo-random numbers, the same in each run.
local function new_numbers()
	local state = 1
	return function(low, high)
		state = state * 16807 % 2147483647
		return low + (high - low) * state / 2147483647
	end
end

local function polygon(count, size)
	local points = {}
	for i = 0, count - 1 do
		local angle = 2 * math.pi * i / count
		points[2 * i + 1], points[2 * i + 2] = size * collide.cos(angle), size * collide.sin(angle)
	end
	return d2.polygon(points)
end

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 200
	assert(count >= 1 and count == math.floor(count), "mixed: the number of bodies must be a whole number of at least 1")
	number = new_numbers()
	half = 2 + 0.75 * math.sqrt(count) -- half the box's width [m]
	local world = d2.newWorld { gravity = { 0, -10 } }
	for _, wall in ipairs { { 0, -half - 1, 2 * half + 4, 2 }, { 0, half + 1, 2 * half + 4, 2 }, { -half - 1, 0, 2, 2 * half }, { half + 1, 0, 2, 2 * half } } do
		world:newBody { type = "static", x = wall[1], y = wall[2], shape = d2.box(wall[3], wall[4]) }
	end
	local shapes = {
		d2.circle(0.3), d2.box(0.6, 0.6), d2.capsule(-0.2, 0, 0.2, 0, 0.2), polygon(5, 0.35), d2.circle(0.45), d2.box(1, 0.4), d2.capsule(0, -0.4, 0, 0.4, 0.25),
		polygon(3, 0.45), d2.box(0.5, 0.8, { radius = 0.1 }), polygon(8, 0.4),
	}
	local columns = math.ceil(math.sqrt(count))
	local spacing = 2 * (half - 1) / columns
	bodies = {}
	for i = 0, count - 1 do
		bodies[i + 1] = world:newBody {
			x = -half + 1 + (i % columns + 0.5) * spacing, y = -half + 1 + (math.floor(i / columns) + 0.5) * spacing, angle = number(-3, 3),
			shape = shapes[i % #shapes + 1], friction = number(0.2, 0.8), restitution = number(0, 0.4),
		}
	end
	return world
end

function scenario.update(_, tick)
	if tick % throw_interval ~= 1 then return end
	for _, body in ipairs(bodies) do
		body:setLinearVelocity(number(-8, 8), number(2, 12))
		body:setAngularVelocity(number(-5, 5))
	end
end

local function escaped()
	local count = 0
	for _, body in ipairs(bodies) do
		local x, y = body:getPosition()
		if not (math.abs(x) < half and math.abs(y) < half) then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { escaped = escaped() }
end

-- No centre of mass may reach a wall, and within two seconds of a throw most have come down to the lower half.
function scenario.check()
	local count, low = escaped(), 0
	assert(count == 0, ("mixed: %d bodies have left the box"):format(count))
	for _, body in ipairs(bodies) do
		local _, y = body:getPosition()
		if y < 0 then low = low + 1 end
	end
	assert(low >= 0.5 * #bodies, ("mixed: only %d of %d bodies have come down"):format(low, #bodies))
end

return scenario
