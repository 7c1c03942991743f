-- A car drives through gates in the hills of a height field: four wheels on springs, the front ones steered, the rear ones driven. The arrows or a, d, w, s
-- drive it: build/host --view scripts/car3d.lua. Until a key is pressed it steers itself, in pure pursuit: along the circle to a point before the next gate.
-- It must pass all gates near their middle. A wheel's axis stays perpendicular to the suspension; a rear one does not turn about the suspension, either.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "car3d", duration = 40, timestep = 1 / 60, brief = { duration = 16 } }

local cells, cell, radius = 80, 1.5, 0.42 -- the field's cells along a side and their width [m]; of the wheels
local count, half = 12, 3 -- number of gates; half their width [m]
local top, torque, wheelbase, lock = 20, 300, 2.6, 0.55 -- [rad/s], [N m], [m], greatest steering angle [rad]
local car, wheels, gates, passed, widest, held, autopilot, least, most, twist, eye

local function height(x, z)
	return 0.6 * collide.sin(0.12 * x + 0.5) * collide.cos(0.1 * z) + 0.25 * collide.sin(0.3 * x - 0.2 * z)
end

local function course(k)
	local a = 2 * math.pi * k / count
	local r = 36 + 6 * collide.sin(3 * a)
	return r * collide.cos(a), -r * collide.sin(a)
end

local function add_ground(world)
	local heights, middle = {}, cells * cell / 2
	for row = 0, cells do
		for column = 0, cells do heights[#heights + 1] = height(column * cell - middle, row * cell - middle) end
	end
	world:newBody { type = "static", friction = 1, shape = d3.heightField {
		columns = cells + 1, rows = cells + 1, cellWidth = cell, cellDepth = cell, x = -middle, z = -middle, heights = heights,
	} }
end

local function add_gates(world)
	gates = {}
	for k = 1, count do
		local x, z = course(k)
		local ax, az = course(k - 0.2)
		local bx, bz = course(k + 0.2)
		local length = math.sqrt((bx - ax) ^ 2 + (bz - az) ^ 2)
		local dx, dz = (bx - ax) / length, (bz - az) / length -- the way through
		for _, side in ipairs { -half, half } do
			local px, pz = x - side * dz, z + side * dx
			world:newBody { type = "static", x = px, y = height(px, pz), z = pz, shape = d3.capsule(0, -1, 0, 0, 2.2, 0, 0.15),
				color = side < 0 and "#e5484d" or "#4cc2ff" }
		end
		gates[k] = { x = x, z = z, dx = dx, dz = dz }
	end
end

local function add_wheel(world, x, z, y)
	local px, _, pz = car:getWorldPoint(x, 0, z)
	local wheel = world:newBody { x = px, y = y, z = pz, rotation = { car:getRotation() }, density = 60, friction = 1.2,
		shape = d3.cylinder(radius, 0.3, { rotation = { axis = { 1, 0, 0 }, angle = math.pi / 2 } }) }
	local sx, sy, sz = car:getWorldVector(0, 0, 1)
	local front = x > 0
	wheels[#wheels + 1] = world:newWheelJoint {
		bodyA = car, bodyB = wheel, x = px, y = y, z = pz, axis = { 0, 1, 0 }, spinAxis = { sx, sy, sz }, suspensionHertz = 6, suspensionDampingRatio = 0.5,
		lowerSuspension = -0.25, upperSuspension = 0.25, steeringHertz = front and 20 or nil, lowerSteeringAngle = front and -lock or nil,
		upperSteeringAngle = front and lock or nil, maxSpinTorque = front and 0 or torque,
	}
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	wheels, passed, widest, held, autopilot, least, most, twist, eye = {}, 0, 0, {}, true, 0, 0, 0, nil
	add_ground(world)
	add_gates(world)
	local x, z = course(0)
	local y = height(x, z) + radius
	car = world:newBody { x = x, y = y + 0.5, z = z, name = "car", axis = { 0, 1, 0 }, angle = math.pi / 2 + 0.4, color = "#f5b82e", shapes = {
		{ shape = d3.box(3.8, 0.4, 1.6, { radius = 0.1 }), density = 120 }, { shape = d3.box(1.8, 0.5, 1.4, { x = -0.2, y = 0.45, radius = 0.1 }), density = 20 },
	} }
	for _, side in ipairs { -0.85, 0.85 } do
		add_wheel(world, wheelbase / 2, side, y + 0.15)
		add_wheel(world, -wheelbase / 2, side, y + 0.15)
	end
	return world
end

local meaning = { left = "left", a = "left", right = "right", d = "right", up = "gas", w = "gas", down = "back", s = "back" }

function scenario.key(key, down)
	if not meaning[key] then return false end
	autopilot, held[meaning[key]] = false, down
	return true
end

local function drive()
	local way, steer = (held.gas and 1 or 0) - (held.back and 1 or 0), lock * 0.7 * ((held.left and 1 or 0) - (held.right and 1 or 0))
	if autopilot then
		local gate = gates[passed % count + 1]
		local cx, cy, cz = car:getPosition()
		local before = 0.4 * math.sqrt((gate.x - cx) ^ 2 + (gate.z - cz) ^ 2)
		local x, _, z = car:getLocalPoint(gate.x - before * gate.dx, cy, gate.z - before * gate.dz)
		way, steer = 1, collide.atan2(-2 * wheelbase * z, x * x + z * z)
		if x < 0 then way = 0 end
	end
	steer = math.max(-lock, math.min(lock, steer))
	for i, wheel in ipairs(wheels) do
		local ax, ay = car:getLocalVector(wheel:getBodyB():getWorldVector(0, 0, 1))
		if i % 2 == 1 then
			wheel:setSpring("steering", 20, 1, steer)
		else
			wheel:setMotor("spin", -way * top, way == 0 and 30 or torque)
			twist = math.max(twist, math.abs(ax))
		end
		local translation = wheel:getTranslation()
		least, most, twist = math.min(least, translation), math.max(most, translation), math.max(twist, math.abs(ay))
	end
end

function scenario.update()
	drive()
	local gate = gates[passed % count + 1]
	local x, _, z = car:getPosition()
	local along, across = (x - gate.x) * gate.dx + (z - gate.z) * gate.dz, (z - gate.z) * gate.dx - (x - gate.x) * gate.dz
	if along > 0 and along < 2 and math.abs(across) < half then
		passed, widest = passed + 1, math.max(widest, math.abs(across))
	end
end

function scenario.camera()
	local x, y, z = car:getPosition()
	local fx, _, fz = car:getWorldVector(1, 0, 0)
	local yaw = collide.atan2(-fx, -fz)
	eye = eye and eye + 0.1 * ((yaw - eye + math.pi) % (2 * math.pi) - math.pi) or yaw
	return { x = x, y = y + 0.8, z = z, distance = 13, yaw = eye, pitch = 0.3 }
end

function scenario.check()
	print(("car3d: %d gates, at most %.2f m from their middle; suspensions from %.3f to %.3f m; wheels tilted by at most %.4f rad"):format(passed, widest,
		least, most, twist))
	assert(passed >= 5, "car3d: it has missed a gate")
	assert(widest < 1.5, "car3d: it does not steer well")
	assert(least > -0.27 and most < 0.27, "car3d: a wheel has left its suspension")
	assert(twist < 0.15, "car3d: a wheel is tilted") -- 0.03 at 60 Hz; hinges yield more with two sub-steps
end

return scenario
