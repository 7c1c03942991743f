-- Kites on lines in a wind that blows in gusts. Lift carries them, drag stretches the lines.
-- Laws. Lines keep their length. A kite hangs where lift, drag, weight and the line's pull balance: the line points along the wind and up. Wings that are bent
-- back bring it back above its peg.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "kites", duration = 20, timestep = 1 / 60, camera = { x = -14, y = 5, z = 0, distance = 34, yaw = 0.7, pitch = 0.2 } }

local count, length, bend = 12, 12, 0.3
local kites, wind

-- Where the lines of a kite begin, across the wind.
local function peg(i) return 2.5 * (i - count / 2) end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -0.5, shape = d3.box(80, 1, 60) }
	wind = world:newField { wind = { velocity = { 10, 0, 0 }, drag = 0.6, lift = 0.6 } }
	kites = {}
	local wings = {}
	for side = -1, 1, 2 do
		wings[#wings + 1] = { density = 4, shape = d3.box(0.05, 1.2, 0.5, { x = 0.25 * collide.sin(bend), z = side * 0.25 * collide.cos(bend), rotation = { axis = { 0, 1, 0 }, angle = side * bend } }) }
	end
	for i = 1, count do
		local z = peg(i)
		local kite = world:newBody { x = -20 + 9.5, y = 6, z = z, rotation = { axis = { 0, 0, 1 }, angle = 1 }, shapes = wings, angularDamping = 2 }
		-- two lines to the kite's upper and lower edge hold its angle to the wind
		for _, edge in ipairs { { 0.6, 0 }, { -0.6, 0.4 } } do
			world:newDistanceJoint { bodyB = kite, pointA = { -20, 0, z }, pointB = { kite:getWorldPoint(0, edge[1], 0) }, maxLength = length + edge[2] }
		end
		kites[i] = kite
	end
	return world
end

function scenario.update(world, tick)
	wind:setWind(10 + 2 * collide.sin(tick * (scenario.timestep or 1 / 60)), 0, 0)
end

function scenario.check()
	for i, kite in ipairs(kites) do
		local x, y, z = kite:getPosition()
		local far = math.sqrt((x + 20) ^ 2 + y ^ 2 + (z - peg(i)) ^ 2)
		assert(y > 5 and x > -20, ("kite %d is at %.2f, %.2f"):format(i, x, y))
		assert(math.abs(z - peg(i)) < 0.5, ("kite %d is %.2f m beside its peg"):format(i, z - peg(i)))
		assert(far < length + 1.2, ("line %d has stretched to %.2f"):format(i, far))
	end
end

return scenario
