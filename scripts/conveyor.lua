-- Three conveyor belts carry boxes, discs and capsules down to a bin. A belt is a static body whose surface has a tangentSpeed: its top moves to the right if
-- that is positive.
-- Laws. A box put on a belt of speed u slips until t = u / (friction g), over a distance of u^2 / (2 friction g), then moves at u. A disc (I = k m r^2, k =
-- 1/2) spins up as well: friction gives it the velocity v, and its rim the speed v / k about its middle, until v + v / k = u. So it rolls at u k / (1 + k) =
-- u / 3.
local d2 = require("collide").d2

local scenario = { name = "conveyor", duration = 30, timestep = 1 / 60 }

local gravity, friction, u = 10, 0.5, 3
local box, disc, goods, seen

local items = {
	d2.box(0.5, 0.5), d2.circle(0.25), d2.box(0.8, 0.3), d2.capsule(-0.2, 0, 0.2, 0, 0.15),
}

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity } }
	local function fixed(x, y, width, height, speed)
		world:newBody {
			type = "static", x = x, y = y, shape = d2.box(width, height, { radius = 0.1 }), friction = friction, tangentSpeed = speed,
		}
	end
	fixed(-3, 5.8, 10, 0.4, u) -- tops at 6, 4 and 2
	fixed(2, 3.8, 10, 0.4, -u)
	fixed(-3, 1.8, 10, 0.4, u)
	fixed(7.2, 4.6, 0.4, 2) -- items that land with backspin must not roll off at the wrong end
	fixed(-8.2, 2.6, 0.4, 2)
	fixed(5.25, -1, 10, 0.5) -- the bin
	fixed(0.5, 0, 0.5, 2)
	fixed(10, 1, 0.5, 4)
	box = world:newBody { x = -6, y = 6.25, shape = items[1], friction = friction }
	disc = world:newBody { x = 5, y = 4.25, shape = items[2], friction = friction }
	goods, seen = { box, disc }, {}
	return world
end

function scenario.update(world, tick)
	local second = math.floor(1 / scenario.timestep + 0.5)
	if tick > second and tick % math.floor(second / 2) == 1 and #goods < 22 then
		-- Rolling resistance stops the spin; without it a disc could spin on the belt and stay in place.
		goods[#goods + 1] = world:newBody {
			x = -6, y = 6.6, shape = items[#goods % #items + 1], friction = friction, rollingResistance = 0.1,
		}
	end
	if tick == second + 1 then -- both have moved for one second
		seen.x, seen.v = box:getPosition(), box:getLinearVelocity()
		seen.discV, seen.discSpin = disc:getLinearVelocity(), disc:getAngularVelocity() * 0.25
		disc:getColliders()[1]:setRollingResistance(0.1) -- as the goods have; they may push it to where it would spin for ever
	end
end

local function near(value, wanted, what)
	assert(math.abs(value - wanted) <= 0.03 * math.abs(wanted), ("conveyor: %s is %.4f, not %.4f"):format(what, value, wanted))
end

function scenario.check()
	assert(seen.x, "conveyor: run it for more than a second")
	near(seen.v, u, "the speed of the box")
	near(u * 1 - (seen.x + 6), u ^ 2 / (2 * friction * gravity), "the way that the box slipped")
	near(seen.discV, -u / 3, "the speed of the disc")
	near(seen.discSpin, -u * 2 / 3, "the speed at which the disc spins")
	assert(#goods == 22, "conveyor: not all goods are on their way")
	for i, item in ipairs(goods) do
		local x, y = item:getPosition()
		assert(x > 0.5 and x < 10 and y > -0.75 and y < 4, ("conveyor: item %d is not in the bin but at %.2f, %.2f"):format(i, x, y))
	end
end

return scenario
