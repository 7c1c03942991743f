-- A grid of bodies that hangs by its upper row, whose neighbours are tied by joints of all types in turn: those that carry downwards, all others sideways.
-- Bodies do not collide; sleeping off. The first argument is d2 or d3, the second the number of bodies a side.
local collide = require "collide"

local scenario = { name = "mixed_joints", duration = 2, brief = { duration = 1, args = { "d3", "14" } } }
local places, locks -- the bodies, with their first positions; the joints that lock a point

-- Those that carry: a body below another.
local carrying = {
	{ "Revolute", { hertz = 2, lowerAngle = -0.5, upperAngle = 0.5 } }, { "Distance", {} }, { "Weld", { angularHertz = 3 } },
	{ "Prismatic", { hertz = 4, lowerTranslation = -0.1, upperTranslation = 0.1 } },
	{ "Revolute", { maxMotorTorque = 1 } }, { "Wheel", { suspensionHertz = 5, lowerSuspension = -0.1, upperSuspension = 0.1 } },
	{ "Distance", { hertz = 5, minLength = 0.9, maxLength = 1.1 } }, { "Weld", { linearHertz = 8, angularHertz = 5 } },
	d3 = {
		{ "Spherical", { coneAngle = 0.5, lowerTwistAngle = -0.5, upperTwistAngle = 0.5 } },
		{ "Cylindrical", { lowerTranslation = -0.1, upperTranslation = 0.1, lowerAngle = -0.5, upperAngle = 0.5 } },
		{ "SixDof", { freedom = { x = "locked", y = { lower = -0.1, upper = 0.1, hertz = 4 }, z = "locked", rotationX = { lower = -0.5, upper = 0.5 } } } },
		{ "Universal", { secondAxis = { 0, 0, 1 }, lowerFirstAngle = -0.5, upperFirstAngle = 0.5 } },
	},
}
-- All others: a body on the right of another.
local others = {
	{ "Motor", { linearHertz = 1, angularHertz = 1 } }, { "Friction", { maxForce = 1, maxTorque = 1 } }, { "Distance", { maxLength = 1.2 } }, { "Filter", {} },
	{ "Gear", {} }, { "Pulley", {} }, { "Ratchet", { toothAngle = 0.2 } }, { "Mouse", { hertz = 1, maxForce = 2 } },
	d3 = { { "Parallel", { hertz = 1, maxTorque = 1 } } },
}

local function types_of(list, name)
	local result = {}
	for _, part in ipairs { list, list[name] or {} } do
		for _, tie in ipairs(part) do result[#result + 1] = tie end
	end
	return result
end

function scenario.setup(args)
	local name, count = args and args[1] or "d2", tonumber(args and args[2]) or 60
	local d, flat = collide[name], name == "d2"
	local world = d.newWorld { gravity = { 0, -10, not flat and 0 or nil }, sleeping = false, layers = { "body" }, collide = { body = {} } }
	local function point(x, y) return { x, y, not flat and 0 or nil } end
	local revolutes = {}
	local function join(tie, a, b, ax, ay, bx, by)
		local kind, options = tie[1], { bodyA = a, bodyB = b }
		for key, value in pairs(tie[2]) do options[key] = value end
		if kind == "Distance" or kind == "Pulley" then
			options.pointA, options.pointB = point(ax, ay), point(bx, by)
			if kind == "Pulley" then options.groundA, options.groundB = point(ax, ay + 3), point(bx, by + 3) end
		elseif kind == "Gear" then
			if #revolutes < 2 then return end
			options.bodyA, options.bodyB, options.jointA, options.jointB = nil, nil, revolutes[#revolutes - 1], revolutes[#revolutes]
		elseif kind ~= "Filter" then
			options.x, options.y, options.z = (ax + bx) / 2, (ay + by) / 2, not flat and 0 or nil
			if kind == "Prismatic" or kind == "Wheel" or kind == "Cylindrical" then options.axis = point(0, 1) end
			if kind == "Universal" then options.axis = point(1, 0) end
			if kind == "Wheel" and not flat then options.spinAxis = { 0, 0, 1 } end
			if kind == "Mouse" then options.bodyA, options.bodyB, options.body = nil, nil, b end
		end
		local joint = world["new" .. kind .. "Joint"](world, options)
		if kind == "Revolute" then revolutes[#revolutes + 1] = joint end
		if kind == "Revolute" or kind == "Spherical" or kind == "Universal" then locks[#locks + 1] = joint end
	end
	places, locks = {}, {}
	local down, aside, number = types_of(carrying, name), types_of(others, name), 0
	local shape, grid = flat and d.box(0.6, 0.6) or d.box(0.6, 0.6, 0.6), {}
	for k = 0, count - 1 do
		for i = 0, count - 1 do
			local body = world:newBody { type = i == 0 and "static" or "dynamic", x = k, y = -i, shape = shape, layer = "body" }
			if i > 0 then join(down[(k + 3 * i) % #down + 1], grid[#grid], body, k, 1 - i, k, -i) end
			if k > 0 and i > 0 then
				number = number + 1
				join(aside[number % #aside + 1], grid[#grid + 1 - count], body, k - 1, -i, k, -i)
			end
			grid[#grid + 1] = body
			places[#places + 1] = { body, k, -i }
		end
	end
	return world
end

-- The farthest that a body has moved, and the largest separation of anchors that a joint locks [m].
function scenario.measure()
	local moved, apart = 0, 0
	for _, place in ipairs(places) do
		local x, y, z = place[1]:getPosition()
		moved = math.max(moved, math.sqrt((x - place[2]) ^ 2 + (y - place[3]) ^ 2 + (z or 0) ^ 2))
	end
	for _, joint in ipairs(locks) do
		local ax, ay, az = joint:getAnchorA()
		local bx, by, bz = joint:getAnchorB()
		apart = math.max(apart, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + ((bz or 0) - (az or 0)) ^ 2))
	end
	return { moved = moved, lockSeparation = apart }
end

function scenario.check(world)
	local found, types, count = scenario.measure(), {}, 0
	for _, joint in ipairs(world:getJoints()) do
		if not types[joint:getType()] then types[joint:getType()], count = true, count + 1 end
	end
	print(("mixed_joints: %d joints of %d types; bodies have moved by %.2f m at most; locked points are %.1f mm apart at most"):format(world:getJointCount(),
		count, found.moved, 1000 * found.lockSeparation))
	assert(found.lockSeparation < 0.1 and found.moved < 5, "mixed_joints: the grid is torn")
end

return scenario
