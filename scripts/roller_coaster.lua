-- A train of five cars on a closed track through the air: path joints keep the cars on the curve and turn them with it, rods couple them. The train starts on
-- the highest hill and runs without friction. The arrow up pushes it, the arrow down brakes: build/host --view scripts/roller_coaster.lua.
-- Law: speeds follow from heights alone: kinetic and potential energy keep their sum, lap after lap, within 0.5 % of the drop's.
local collide = require "collide"
local d3 = collide.d3
local sin, cos = collide.sin, collide.cos

local scenario = { name = "roller_coaster", duration = 30, timestep = 1 / 60, theme = "dark", brief = { duration = 6 } }
scenario.camera = { x = 0, y = 6, z = 0, distance = 62, yaw = 0.5, pitch = 0.35 }

local knots, gap, mass_of_car, gravity = 48, 1.6, 500, 10
local around = 140 -- length of the track, roughly [m]
local colors = { "#f5b82e", "#58a6ff", "#7ee787", "#ff7b72", "#d2a8ff" }
local cars, track, start, drop, most, fastest

-- Three hills; the highest is at 0. Turns and hills have radii of 5 m and more.
local function place(part)
	local t = 2 * math.pi * part
	return 26 * cos(t) + 3 * sin(2 * t), 10 + 5 * cos(t) + 2 * cos(3 * t), 17 * sin(t)
end

local function add_supports(world)
	for i = 0, knots - 1, 3 do
		local x, y, z = place(i / knots)
		world:newBody { type = "static", x = x, y = (y - 1) / 2, z = z, shape = d3.box(0.25, y - 1, 0.25), color = "#3d4450", sensor = true }
	end
end

local function energy()
	local sum = 0
	for _, car in ipairs(cars) do sum = sum + car.body:getKineticEnergy() + mass_of_car * gravity * select(2, car.body:getPosition()) end
	return sum
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, sleeping = false, layers = { "car" }, collide = { car = {} } }
	local points, low = {}, math.huge
	track, cars = {}, {}
	for i = 0, knots - 1 do
		for _, number in ipairs { place(i / knots) } do points[#points + 1] = number end
	end
	for i = 0, 400 do
		track[i] = { place(i / 400) }
		low = math.min(low, track[i][2])
	end
	add_supports(world)
	local shape = d3.box(1.3, 0.6, 0.8)
	for i = 1, 5 do
		local part = -gap * (i - 3) / around
		local x, y, z = place(part)
		local bx, by, bz = place(part + 0.001)
		local dx, dy, dz = bx - x, by - y, bz - z
		local speed = 3 / math.sqrt(dx * dx + dy * dy + dz * dz)
		local body = world:newBody { x = x, y = y, z = z, rotation = { d3.lookRotation(-dz, 0, dx) }, shape = shape, mass = mass_of_car,
			color = colors[i], layer = "car", linearVelocity = { speed * dx, speed * dy, speed * dz } }
		cars[i] = { body = body, joint = world:newPathJoint { bodyB = body, points = points, loop = true, follow = "tangent" } }
		if i > 1 then world:newDistanceJoint { bodyA = cars[i - 1].body, bodyB = body, anchorA = { 0, 0, 0 }, anchorB = { 0, 0, 0 } } end
	end
	start, most, fastest = nil, 0, 0
	drop = #cars * mass_of_car * gravity * (select(2, place(0)) - low)
	return world
end

function scenario.key(key, pressed)
	local push = key == "up" and 8 or key == "down" and -8
	if not push or not pressed then return end
	for _, car in ipairs(cars) do
		local x, y, z = car.body:getLinearVelocity()
		local k = 1 + push / car.joint:getSpeed() / 10
		car.body:setLinearVelocity(k * x, k * y, k * z)
	end
	start = nil
	return true
end

function scenario.update(_, tick)
	if tick < 10 then return end -- until the train has settled on the track
	start = start or energy()
	most = math.max(most, math.abs(energy() - start) / drop)
	fastest = math.max(fastest, cars[3].joint:getSpeed())
end

function scenario.check()
	local distance = cars[3].joint:getDistance()
	print(("roller_coaster: %.1f m, %.1f m/s at most; the energy is %.4f of the drop off at most"):format(distance, fastest, most))
	assert(most < 0.005, "roller_coaster: the energy changes")
	for i, car in ipairs(cars) do
		local ax, ay, az = car.joint:getAnchorA()
		local x, y, z = car.body:getPosition()
		local off = math.sqrt((x - ax) ^ 2 + (y - ay) ^ 2 + (z - az) ^ 2)
		assert(off < 0.02, ("roller_coaster: car %d is %.3f m off the track"):format(i, off))
	end
end

function scenario.draw(canvas)
	for i = 1, 400 do
		local a, b = track[i - 1], track[i]
		canvas.segment("#8892a0", a[1], a[2] - 0.4, a[3], b[1], b[2] - 0.4, b[3])
	end
end

return scenario
