-- A hundred regular 64-gons and a hundred ellipses fall into a pit of three half-planes, and come to rest in a heap.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "pile", duration = 15 }

local gravity, count, half = 10, 200, 5 -- half the pit's width
local bodies, energy

local function gon(radius)
	local points = {}
	for i = 0, 63 do
		points[#points + 1] = radius * collide.cos(2 * math.pi * i / 64)
		points[#points + 1] = radius * collide.sin(2 * math.pi * i / 64)
	end
	return d2.polygon(points)
end

local function energyOf(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity } }
	world:newBody {
		type = "static",
		shapes = { { shape = d2.halfPlane(0, 1, 0) }, { shape = d2.halfPlane(1, 0, -half) }, { shape = d2.halfPlane(-1, 0, -half) } },
	}
	local shapes = { gon(0.3), d2.ellipse(0.5, 0.25), gon(0.4), d2.ellipse(0.4, 0.3) }
	bodies, energy = {}, 0
	for i = 1, count do
		local row, column = math.floor((i - 1) / 8), (i - 1) % 8
		-- Each row is shifted a little, so that no body stands exactly on another one's top.
		bodies[i] = world:newBody {
			x = (column - 3.5) * 1.1 + 0.1 * (row % 3 - 1), y = 0.6 + 1.05 * row, angle = 0.7 * i,
			shape = shapes[(i + row) % 4 + 1], rollingResistance = 0.02,
		}
		energy = energy + energyOf(bodies[i])
	end
	return world
end

function scenario.check()
	local mass, kinetic, left = 0, 0, 0
	for i, body in ipairs(bodies) do
		local x, y = body:getPosition()
		-- The thinnest body has a half thickness of 0.25 m. A body whose middle is nearer to a wall than half of that is being pressed through.
		assert(y > 0.125 and math.abs(x) < half - 0.125, ("pile: body %d is through the wall: %.3f, %.3f"):format(i, x, y))
		mass, kinetic, left = mass + body:getMass(), kinetic + body:getKineticEnergy(), left + energyOf(body)
	end
	-- At rest: the remaining energy is less than if all bodies moved at 5 cm/s, the speed below which a body may go to sleep.
	local speed = math.sqrt(2 * kinetic / mass)
	assert(speed < 0.05, ("pile: it still moves, at a mean of %.3f m/s"):format(speed))
	assert(left < energy, ("pile: it has %.1f J, and started with %.1f"):format(left, energy))
end

return scenario
