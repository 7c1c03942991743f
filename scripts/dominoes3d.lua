-- A hundred dominoes in a spiral. The first is pushed so that it turns about its edge; see scripts/dominoes.lua for the push that topples it. The argument is
-- the push as a multiple of that: 1.1 fells all of them, in order; at 0.9 the first falls back.
local collide = require "collide"
local d3 = collide.d3
local arguments = require "collide.host.arguments"

local scenario = { name = "dominoes3d", duration = 30, timestep = 1 / 60 }
scenario.camera = { x = 0, y = 0.5, z = 0, distance = 32, yaw = 0.4, pitch = 0.7 }

local gravity, count, thickness, height, width, spacing = 10, 100, 0.2, 2, 1, 1
local turn = 2.5 -- distance between arms of the spiral [m]: a fallen domino, 2 m long, reaches no other arm
local tip = height / math.sqrt(thickness * thickness + height * height) -- a domino that leans more falls
local push, dominoes, fallen

-- Along the spiral r = turn / (2 pi) q, so that the distance between neighbours is the spacing.
local function places()
	local result, q, a = {}, 4 * math.pi, turn / (2 * math.pi)
	for i = 1, count do
		local r = a * q
		-- The tangent: the derivative of (r cos q, r sin q) by q.
		local tx, tz = a * collide.cos(q) - r * collide.sin(q), a * collide.sin(q) + r * collide.cos(q)
		result[i] = { x = r * collide.cos(q), z = r * collide.sin(q), heading = collide.atan2(-tz, tx) }
		q = q + spacing / math.sqrt(tx * tx + tz * tz)
	end
	return result
end

function scenario.setup(args)
	push = arguments.number(args, 1, 1.1, 0, 3, "dominoes3d: the push")
	local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(60, 2, 60) }
	local shape = d3.box(thickness, height, width)
	dominoes, fallen = {}, {}
	for i, place in ipairs(places()) do
		dominoes[i] = world:newBody {
			x = place.x, y = height / 2, z = place.z, shape = shape, axis = { 0, 1, 0 }, angle = place.heading,
		}
	end
	local squares = thickness * thickness + height * height
	local rise = (math.sqrt(squares) - height) / 2
	local w = push * math.sqrt(2 * gravity * rise / (squares / 3))
	-- It turns over its front edge, which does not move.
	local first = dominoes[1]
	first:setAngularVelocity(first:getWorldVector(0, 0, -w))
	first:setLinearVelocity(first:getWorldVector(w * height / 2, w * thickness / 2, 0))
	return world
end

local function upright(domino)
	local _, y = domino:getWorldVector(0, 1, 0)
	return y
end

function scenario.update(_, tick)
	for i, domino in ipairs(dominoes) do
		if not fallen[i] and upright(domino) < tip then fallen[i] = tick end
	end
end

function scenario.check()
	if push < 1 then
		for i, domino in ipairs(dominoes) do
			assert(not fallen[i], ("dominoes3d: number %d has fallen, from a push of %g of what it takes"):format(i, push))
			assert(upright(domino) > collide.cos(math.rad(1)), ("dominoes3d: number %d has not come back upright"):format(i))
		end
		return
	end
	for i, domino in ipairs(dominoes) do
		assert(fallen[i], ("dominoes3d: number %d stands"):format(i))
		assert(i == 1 or fallen[i] >= fallen[i - 1], ("dominoes3d: number %d fell before number %d"):format(i, i - 1))
		local leaning = math.deg(math.acos(math.max(-1, math.min(1, upright(domino)))))
		assert(leaning > 45 and leaning < 95, ("dominoes3d: number %d leans by %.1f degrees"):format(i, leaning))
	end
	assert(upright(dominoes[count]) < collide.cos(math.rad(85)), "dominoes3d: the last, with nothing to lean on, does not lie flat")
	print(("dominoes3d: the wave ran at %.2f m/s"):format((count - 1) * spacing / ((fallen[count] - fallen[1]) * scenario.timestep)))
end

return scenario
