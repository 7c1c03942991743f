-- 100 cars, each a chassis with two wheels on springs, drive over hills; cars do not collide with each other. The argument is the number of cars.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "vehicles", duration = 10, brief = { duration = 3, args = { "10" } } }

local spacing, top = 5, 15 -- [m], [rad/s]
local cars, wheels, from

local function height(x) return 0.8 * collide.sin(0.35 * x) + 0.15 * collide.sin(1.7 * x) end

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 100
	local world = d2.newWorld { gravity = { 0, -10 }, layers = { "ground", "car" }, collide = { ground = { "car" } } }
	local points, right = {}, spacing * count + 120
	for x = right, -10, -0.5 do points[#points + 1], points[#points + 2] = x, height(x) end -- solid on the right of the direction
	world:newBody { type = "static", shape = d2.chain(points), friction = 0.9, layer = "ground" }
	cars, wheels, from = {}, {}, {}
	local body, wheel = d2.polygon { -1.6, -0.35, 1.6, -0.35, 1.7, 0, 0.6, 0.5, -1.1, 0.5, -1.7, 0.1 }, d2.circle(0.4)
	for i = 1, count do
		local x = spacing * i
		local y = height(x) + 1.2
		cars[i] = world:newBody { x = x, y = y, shape = body, layer = "car" }
		for _, side in ipairs { -1.1, 1.1 } do
			local tyre = world:newBody { x = x + side, y = y - 0.35, shape = wheel, friction = 1, layer = "car" }
			wheels[#wheels + 1] = world:newWheelJoint {
				bodyA = cars[i], bodyB = tyre, x = x + side, y = y - 0.35, axis = { 0, 1 }, suspensionHertz = 3, suspensionDampingRatio = 0.6,
				lowerSuspension = -0.25, upperSuspension = 0.25, spinSpeed = -top, maxSpinTorque = 15,
			}
		end
		from[i] = x
	end
	return world
end

function scenario.measure()
	local sum, least, most = 0, 0, 0
	for i, car in ipairs(cars) do sum = sum + car:getPosition() - from[i] end
	for _, wheel in ipairs(wheels) do least, most = math.min(least, wheel:getTranslation()), math.max(most, wheel:getTranslation()) end
	return { meanWay = sum / #cars, leastSuspension = least, greatestSuspension = most }
end

function scenario.check()
	local found = scenario.measure()
	print(("vehicles: the cars have come %.1f m on average; suspensions are from %.3f to %.3f m"):format(found.meanWay, found.leastSuspension,
		found.greatestSuspension))
	assert(found.meanWay > 5, "vehicles: the cars are stuck")
	assert(found.leastSuspension > -0.3 and found.greatestSuspension < 0.3, "vehicles: a wheel has left its suspension")
	for i, car in ipairs(cars) do
		local x, y = car:getPosition()
		assert(y > height(x) - 0.5, ("vehicles: car %d has fallen through the ground"):format(i))
	end
end

return scenario
