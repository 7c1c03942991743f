-- 100 cars, each a chassis with four wheels on springs, the front ones steered, drive over a height field of hills; cars do not collide with each other. The
-- argument is the number of cars.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "vehicles3d", duration = 10, brief = { duration = 3, args = { "10" } } }

local top, cells, cell = 15, 120, 2 -- [rad/s]; the field's cells along a side and their width [m]
local cars, wheels, from

local function height(x, z) return 0.8 * collide.sin(0.2 * x) * collide.cos(0.17 * z) + 0.2 * collide.sin(0.5 * x + 0.4 * z) end

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 100
	local world = d3.newWorld { gravity = { 0, -10, 0 }, layers = { "ground", "car" }, collide = { ground = { "car" } } }
	local heights, middle, side = {}, cells * cell / 2, math.ceil(math.sqrt(count))
	for row = 0, cells do
		for column = 0, cells do heights[#heights + 1] = height(column * cell - middle, row * cell - middle) end
	end
	world:newBody { type = "static", friction = 1, layer = "ground", shape = d3.heightField {
		columns = cells + 1, rows = cells + 1, cellWidth = cell, cellDepth = cell, x = -middle, z = -middle, heights = heights,
	} }
	cars, wheels, from = {}, {}, {}
	local body, wheel = d3.box(3.6, 0.5, 1.6), d3.cylinder(0.4, 0.3, { rotation = { axis = { 1, 0, 0 }, angle = math.pi / 2 } })
	for i = 0, count - 1 do
		local x, z = 8 * (i % side - (side - 1) / 2), 5 * (math.floor(i / side) - (side - 1) / 2)
		local y = height(x, z) + 1.4
		local car = world:newBody { x = x, y = y, z = z, shape = body, density = 150, layer = "car" }
		for _, place in ipairs { { -1.2, -0.8 }, { -1.2, 0.8 }, { 1.2, -0.8 }, { 1.2, 0.8 } } do
			local wx, wz, front = x + place[1], z + place[2], place[1] > 0
			local tyre = world:newBody { x = wx, y = y - 0.4, z = wz, shape = wheel, density = 60, friction = 1.2, layer = "car" }
			wheels[#wheels + 1] = world:newWheelJoint {
				bodyA = car, bodyB = tyre, x = wx, y = y - 0.4, z = wz, axis = { 0, 1, 0 }, spinAxis = { 0, 0, 1 }, suspensionHertz = 6,
				suspensionDampingRatio = 0.6, lowerSuspension = -0.25, upperSuspension = 0.25, spinSpeed = -top, maxSpinTorque = front and 0 or 250,
				steeringHertz = front and 8 or nil, targetSteeringAngle = front and 0.1 * collide.sin(i) or nil,
			}
		end
		cars[i + 1], from[i + 1] = car, { x, z }
	end
	return world
end

function scenario.measure()
	local sum, least, most = 0, 0, 0
	for i, car in ipairs(cars) do
		local x, _, z = car:getPosition()
		sum = sum + math.sqrt((x - from[i][1]) ^ 2 + (z - from[i][2]) ^ 2)
	end
	for _, wheel in ipairs(wheels) do least, most = math.min(least, wheel:getTranslation()), math.max(most, wheel:getTranslation()) end
	return { meanWay = sum / #cars, leastSuspension = least, greatestSuspension = most }
end

function scenario.check()
	local found = scenario.measure()
	print(("vehicles3d: the cars have come %.1f m on average; suspensions are from %.3f to %.3f m"):format(found.meanWay, found.leastSuspension,
		found.greatestSuspension))
	assert(found.meanWay > 5, "vehicles3d: the cars are stuck")
	assert(found.leastSuspension > -0.3 and found.greatestSuspension < 0.3, "vehicles3d: a wheel has left its suspension")
	for i, car in ipairs(cars) do
		local x, y, z = car:getPosition()
		assert(y > height(x, z) - 0.5, ("vehicles3d: car %d has fallen through the ground"):format(i))
	end
end

return scenario
