-- A house of cards of three storeys and two rows, in 3D. See scripts/card_house.lua for the law of cards that lean on each other at an angle a: they need a
-- friction between tan(a) / 2 and tan(a). The argument is the friction: 0.9 stands, 0.1 falls flat.
local collide = require "collide"
local d3 = collide.d3
local arguments = require "collide.host.arguments"

local scenario = { name = "card_house3d", duration = 5 }

local length, thickness, width, lean, storeys, depths = 1, 0.02, 0.7, math.rad(20), 3, 2
local slope = collide.sin(lean) / collide.cos(lean)
local friction, cards

-- Half extents of a leaning card: from its middle to its lowest and highest corners, sideways and up.
local across = (length * collide.sin(lean) + thickness * collide.cos(lean)) / 2
local up = (length * collide.cos(lean) + thickness * collide.sin(lean)) / 2
-- Two lying cards share the top of an inner tent, and one covers both peaks of an outer one: a tent's tops are 2 thickness cos(a) apart.
local pitch = length - 3 * thickness

function scenario.setup(args)
	friction = arguments.number(args, 1, 0.9, 0, 10, "card_house3d: the friction")
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40), friction = friction }
	local shape = d3.box(thickness, length, width)
	cards = {}
	local function card(x, y, z, angle)
		local body = world:newBody { x = x, y = y, z = z, axis = { 0, 0, 1 }, angle = angle, shape = shape, friction = friction }
		cards[#cards + 1] = { body = body, x = x, y = y, z = z, axis = { body:getWorldVector(0, 1, 0) }, side = { body:getWorldVector(0, 0, 1) } }
	end
	for depth = 1, depths do
		local z, floor = (depth - (depths + 1) / 2) * (width + 0.1), 0
		for storey = 1, storeys do
			local tents = storeys - storey + 1
			for i = 1, tents do
				local x = (i - (tents + 1) / 2) * pitch
				card(x - across, floor + up, z, -lean)
				card(x + across, floor + up, z, lean)
			end
			floor = floor + 2 * up
			for i = 1, tents - 1 do card((i - tents / 2) * (length + 0.002), floor + thickness / 2, z, math.pi / 2) end
			floor = floor + thickness
		end
	end
	return world
end

local function cosine(body, vector, x, y, z)
	local a, b, c = body:getWorldVector(x, y, z)
	return a * vector[1] + b * vector[2] + c * vector[3]
end

function scenario.measure()
	local most = 0
	for _, card in ipairs(cards) do
		local x, y, z = card.body:getPosition()
		most = math.max(most, math.sqrt((x - card.x) ^ 2 + (y - card.y) ^ 2 + (z - card.z) ^ 2))
	end
	return { drift = most }
end

function scenario.check()
	if friction > slope then
		for i, card in ipairs(cards) do
			local x, y, z = card.body:getPosition()
			local drift = math.sqrt((x - card.x) ^ 2 + (y - card.y) ^ 2 + (z - card.z) ^ 2)
			assert(drift < 0.1 * length, ("card_house3d: card %d has drifted by %.3f m"):format(i, drift))
			local least = math.min(cosine(card.body, card.axis, 0, 1, 0), cosine(card.body, card.side, 0, 0, 1))
			assert(least > collide.cos(math.rad(10)), ("card_house3d: card %d is turned by %.1f degrees"):format(i, math.deg(math.acos(least))))
		end
		print(("card_house3d: the farthest card has gone %.1f mm"):format(1000 * scenario.measure().drift))
	elseif friction < slope / 2 then
		for i, card in ipairs(cards) do
			local _, y = card.body:getPosition()
			-- The top storey was 2 storeys up. Collapsed, all nine and three cards of a row are less than one storey high.
			assert(y < 2 * up, ("card_house3d: friction %g cannot hold it, and yet card %d is at %.2f m"):format(friction, i, y))
		end
	end
end

return scenario
