-- A house of cards of three storeys. Two cards lean on each other at an angle a from the vertical. Each carries its own weight w at its middle and a load W
-- at its top. The ground carries w + W at the card's lower end and resists the thrust (w / 2 + W) tan(a), so the friction must be between tan(a) / 2 (no
-- load) and tan(a) (large load). The argument is the friction: 0.9 stands; 0.1 falls flat. At 20 degrees the law leaves the range from 0.18 to 0.36 open: the
-- result there depends on how the load is shared.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = { name = "card_house", duration = 5 }

local length, thickness, lean, storeys = 1, 0.02, math.rad(20), 3
local slope = collide.sin(lean) / collide.cos(lean)
local friction, cards

-- Half extents of a leaning card: from its middle to its lowest and highest corners, sideways and up.
local across = (length * collide.sin(lean) + thickness * collide.cos(lean)) / 2
local up = (length * collide.cos(lean) + thickness * collide.sin(lean)) / 2
-- Two lying cards share the top of an inner tent, and one covers both peaks of an outer one: a tent's tops are 2 thickness cos(a) apart.
local pitch = length - 3 * thickness

function scenario.setup(args)
	friction = arguments.number(args, 1, 0.9, 0, 10, "card_house: the friction")
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newBody { type = "static", y = -1, shape = d2.box(40, 2), friction = friction }
	local shape = d2.box(thickness, length)
	cards = {}
	local function card(x, y, angle)
		local body = world:newBody { x = x, y = y, angle = angle, shape = shape, friction = friction }
		cards[#cards + 1] = { body = body, x = x, y = y, angle = angle }
	end
	local floor = 0
	for storey = 1, storeys do
		local tents = storeys - storey + 1
		for i = 1, tents do
			local x = (i - (tents + 1) / 2) * pitch
			card(x - across, floor + up, -lean)
			card(x + across, floor + up, lean)
		end
		floor = floor + 2 * up
		for i = 1, tents - 1 do
			card((i - tents / 2) * (length + 0.002), floor + thickness / 2, math.pi / 2)
		end
		floor = floor + thickness
	end
	return world
end

function scenario.check()
	if friction > slope then
		for i, card in ipairs(cards) do
			local x, y = card.body:getPosition()
			local drift = math.sqrt((x - card.x) ^ 2 + (y - card.y) ^ 2)
			assert(drift < 0.1 * length, ("card_house: card %d has drifted by %.3f m"):format(i, drift))
			local turn = math.deg(card.body:getAngle() - card.angle)
			assert(math.abs(turn) < 10, ("card_house: card %d is turned by %.1f degrees"):format(i, turn))
		end
	elseif friction < slope / 2 then
		local top = cards[#cards]
		local _, y = top.body:getPosition()
		-- The top storey was 2 storeys up. Collapsed, all nine and three cards are less than one storey high.
		assert(y < 2 * up, ("card_house: friction %g cannot hold it, and yet its top is at %.2f m"):format(friction, y))
	end
end

return scenario
