-- Twenty dominoes. The first is pushed so that it turns about its edge. To topple, its centre must rise over the edge, by dH = (sqrt(w^2 + h^2) - h) / 2.
-- This takes the angular velocity sqrt(2 m g dH / I), with I = m (w^2 + h^2) / 3 about the edge.
-- The argument is the push as a multiple of that: 1.1 fells all of them, in order; at 0.9 the first falls back.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = { name = "dominoes", duration = 10 }

local gravity, count, width, height, spacing = 10, 20, 0.2, 2, 1
local tip = collide.atan2(width, height) -- past this angle it falls
local push, dominoes, fallen

function scenario.setup(args)
	push = arguments.number(args, 1, 1.1, 0, 3, "dominoes: the push")
	local world = d2.newWorld { gravity = { 0, -gravity } }
	world:newBody { type = "static", x = count * spacing / 2, y = -1, shape = d2.box(2 * count * spacing, 2) }
	local shape = d2.box(width, height)
	dominoes, fallen = {}, {}
	for i = 1, count do
		dominoes[i] = world:newBody { x = i * spacing, y = height / 2, shape = shape }
	end
	local squares = width * width + height * height
	local rise = (math.sqrt(squares) - height) / 2
	local w = push * math.sqrt(2 * gravity * rise / (squares / 3))
	-- It turns clockwise about its right edge, which does not move.
	dominoes[1]:setAngularVelocity(-w)
	dominoes[1]:setLinearVelocity(w * height / 2, w * width / 2)
	return world
end

function scenario.update(_, tick)
	for i, domino in ipairs(dominoes) do
		if not fallen[i] and domino:getAngle() < -tip then fallen[i] = tick end
	end
end

function scenario.check()
	if push < 1 then
		for i, domino in ipairs(dominoes) do
			assert(not fallen[i], ("dominoes: number %d has fallen, from a push of %g of what it takes"):format(i, push))
			assert(math.abs(domino:getAngle()) < math.rad(1), ("dominoes: number %d has not come back upright"):format(i))
		end
		return
	end
	for i, domino in ipairs(dominoes) do
		assert(fallen[i], ("dominoes: number %d stands"):format(i))
		assert(i == 1 or fallen[i] > fallen[i - 1], ("dominoes: number %d fell before number %d"):format(i, i - 1))
		local leaning = math.deg(-domino:getAngle())
		assert(leaning > 45 and leaning < 95, ("dominoes: number %d leans by %.1f degrees"):format(i, leaning))
	end
	assert(math.deg(-dominoes[count]:getAngle()) > 85, "dominoes: the last, with nothing to lean on, does not lie flat")
end

return scenario
