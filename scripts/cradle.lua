-- Newton's cradle, three times: as many balls leave on one side as come in on the other. A ball hangs by two rods. Balls hang 3 cm apart: contacts begin at
-- 2 cm, and balls that are closer are hit as one, which shares out the energy.
-- Law: of equal balls in a row, one takes over the whole momentum and energy of another. After the first impact the balls that leave have 98 % of the energy
-- of those that came in, at any rate. Later the rate counts: a step has one impact of a ball at most. At 120 Hz 99 % of the energy is left after 12 s and six
-- impacts of one ball, and 97 % are with the ball that flies; at 60 Hz all balls swing together by then, and 42 % are left.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "cradle", duration = 12, timestep = 1 / 120, camera = { x = 0, y = 2.3, z = 0, distance = 13, yaw = 0.5, pitch = 0.15 } }

local gravity, length, radius, gap, lift = 10, 4, 0.5, 0.03, 0.7 -- lift: of the incoming balls [rad]
local cradles

-- Its energy, 0 at rest.
local function energy_of(ball)
	local _, y = ball:getPosition()
	return ball:getKineticEnergy() + ball:getMass() * gravity * (y - 5 + length)
end

local function new_cradle(world, z, count)
	local cradle = { balls = {}, rods = {}, count = count, shares = {} }
	for i = 1, 5 do
		local x, angle = (2 * radius + gap) * (i - 3), i <= count and lift or 0
		local bx, by = x - length * collide.sin(angle), -length * collide.cos(angle)
		cradle.balls[i] = world:newBody { x = bx, y = 5 + by, z = z, shape = d3.sphere(radius), restitution = 1, friction = 0, angularDamping = 0 }
		for _, side in ipairs { -0.8, 0.8 } do
			table.insert(cradle.rods, world:newDistanceJoint { bodyB = cradle.balls[i], pointA = { x, 5, z + side }, pointB = { bx, 5 + by, z } })
		end
	end
	cradle.energy = energy_of(cradle.balls[1])
	cradles[count] = cradle
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, sleeping = false }
	cradles = {}
	for count = 1, 3 do new_cradle(world, 3 * (count - 2), count) end
	return world
end

function scenario.update(_, tick)
	if tick ~= math.floor(1.6 / scenario.timestep) then return end
	for _, cradle in ipairs(cradles) do
		for i, ball in ipairs(cradle.balls) do cradle.shares[i] = energy_of(ball) / cradle.energy end
	end
end

function scenario.check()
	for _, cradle in ipairs(cradles) do
		local count, left = cradle.count, 0
		for i, share in ipairs(cradle.shares) do
			local wanted = i > #cradle.balls - count and 1 or 0
			assert(math.abs(share - wanted) < 0.02, ("cradle: of %d, ball %d has %.3f of a ball's energy, not %d"):format(count, i, share, wanted))
			left = left + energy_of(cradle.balls[i]) / cradle.energy / count
		end
		print(("cradle: %d in, %d out; the last one with %.4f of its energy. Now %.3f are left"):format(count, count, cradle.shares[5], left))
	end
end

function scenario.draw(canvas)
	for _, cradle in ipairs(cradles) do
		for i, rod in ipairs(cradle.rods) do
			local ax, ay, az = rod:getAnchorA()
			canvas.segment("#8892a0", ax, ay, az, rod:getAnchorB())
			if i > 2 then canvas.segment("#8892a0", ax, ay, az, cradle.rods[i - 2]:getAnchorA()) end
		end
	end
end

return scenario
