-- 2,000 rocks about two planets with fields of attraction: half of them circle, half fall. The first argument is the number of rocks, from 8 to 4000.
-- Laws. Gravity falls with the square of the distance: a rock in a circle of radius r has the speed sqrt(strength / r), and keeps r and its energy. Slow
-- rocks fall, pile up around their planet, and sleep there; the heap is equally deep on all sides.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = {
	name = "planets", duration = 20, timestep = 1 / 60, theme = "dark", camera = { x = 0, y = 5, height = 110 }, brief = { duration = 12, args = { "800" } },
}

local strength, radius = 2000, 8
local planets = { { -55, 0 }, { 55, 10 } }
local orbiters, fallers

function scenario.setup(args)
	local count = arguments.whole(args, 1, 2000, 8, 4000, "planets: the number of rocks")
	local world = d2.newWorld { gravity = { 0, 0 }, seed = 7 }
	orbiters, fallers = {}, {}
	for _, at in ipairs(planets) do
		local planet = world:newBody { type = "static", x = at[1], y = at[2], shape = d2.circle(radius), friction = 0.8, rollingResistance = 0.1, color = "#d97706" }
		world:newField { body = planet, shape = d2.circle(52), attraction = { strength = strength } }
	end
	local rocks = {}
	for i = 1, 6 do
		local points = {}
		for k = 0, 2 * i + 2, 2 do
			local r, angle = 0.3 + 0.15 * world:random(), k * math.pi / (i + 2)
			points[k + 1], points[k + 2] = r * collide.cos(angle), r * collide.sin(angle)
		end
		rocks[i] = d2.polygon(points)
	end
	-- A rock in a ring of radius r, with a part of the speed of a circle.
	local function rock(i, r, turn, part, color)
		local planet = planets[i % 2 + 1]
		local c, s, v = collide.cos(2 * math.pi * turn), collide.sin(2 * math.pi * turn), part * math.sqrt(strength / r)
		return world:newBody {
			x = planet[1] + r * c, y = planet[2] + r * s, linearVelocity = { -v * s, v * c }, shape = rocks[math.floor(i / 2) % 6 + 1], friction = 0.8, color = color,
		}
	end
	local half = math.floor(count / 4)
	for i = 0, 2 * half - 1 do
		local k = math.floor(i / 2)
		local ring, per_ring = k % 16, math.ceil(half / 16)
		orbiters[#orbiters + 1] = { rock(i, 26 + 1.5 * ring, math.floor(k / 16) / per_ring + ring * 0.38, 1, "#22d3ee"), 26 + 1.5 * ring, planets[i % 2 + 1] }
	end
	for i = 0, count - 2 * half - 1 do
		local k = math.floor(i / 2)
		local ring, per_ring = k % 12, math.ceil(half / 12)
		fallers[#fallers + 1] = { rock(i, 10 + 1.2 * ring, math.floor(k / 12) / per_ring + ring * 0.38, 0.4 * world:random()), planets[i % 2 + 1] }
	end
	return world
end

local function height(body, planet)
	local x, y = body:getPosition()
	return math.sqrt((x - planet[1]) ^ 2 + (y - planet[2]) ^ 2)
end

function scenario.check(world)
	for i, orbiter in ipairs(orbiters) do
		local body, r = orbiter[1], orbiter[2]
		local h, vx, vy = height(body, orbiter[3]), body:getLinearVelocity()
		local energy = ((vx ^ 2 + vy ^ 2) / 2 - strength / h) / (-strength / r / 2)
		assert(math.abs(h / r - 1) < 0.01, ("orbiter %d is at %.3f instead of %.3f"):format(i, h, r))
		assert(math.abs(energy - 1) < 0.01, ("orbiter %d has %.4f of its energy"):format(i, energy))
	end
	local area, highest = 0, 0
	for i, faller in ipairs(fallers) do
		assert(not faller[1]:isAwake(), ("faller %d is still awake"):format(i))
		area, highest = area + faller[1]:getMass() / #planets, math.max(highest, height(faller[1], faller[2]))
	end
	-- A heap fills about 0.8 of a ring around its planet.
	local even = math.sqrt(radius ^ 2 + area / (0.8 * math.pi))
	assert(highest < even + 2, ("a heap reaches %.2f, and %.2f if it were even"):format(highest, even))
end

return scenario
