-- All types of joints by one description: how each is made on a ball at (0, 0), which coordinates it has, with their keys and methods, and which loads it
-- holds. For tests that state one law for many types. As a script it prints hashes of worlds with all types, one type in each world.
local collide, support = require "collide", require "support"
local planes = support.planes

local rows = {}

-- --- Coordinates -------------------------------------------------------------------------------------------------------------

-- A coordinate: its name, if the joint's methods take one; the axis along which, or about which if it turns, the ball moves; its keys; its getters and setters;
-- `start`, its value as the ball begins. Drives in one direction or in any are coordinates, too.
local function coordinate(fields, lower, upper, hertz, ratio, target, speed, most, aim)
	fields.keys = { lower = lower, upper = upper, hertz = hertz, ratio = ratio, target = target, speed = speed, most = most, aim = aim }
	fields.start, fields.sign = fields.start or 0, fields.sign or 1
	return fields
end

local function turn(fields, ...)
	fields.turns, fields.axis = true, fields.axis or 3
	return coordinate(fields, ...)
end

local function quaternion(angle) return { 0, 0, math.sin(angle / 2), math.cos(angle / 2) } end

local function along_x(dim, value) return dim == "d2" and { value, 0 } or { value, 0, 0 } end

local function about_z(dim, value) return dim == "d2" and { value } or { 0, 0, value } end

local function six_coordinates()
	local list = {}
	for i = 1, 6 do
		list[i] = coordinate({ name = ({ "x", "y", "z", "rotationX", "rotationY", "rotationZ" })[i], axis = (i - 1) % 3 + 1, turns = i > 3, value = "getCoordinate",
			nested = true }, "lower", "upper", "hertz", "dampingRatio", "target", "motorSpeed", i > 3 and "maxMotorTorque" or "maxMotorForce", "motorTarget")
	end
	return list
end

-- --- Rows --------------------------------------------------------------------------------------------------------------------

-- options: what the type needs. at: the ball's x. holds: by "force" and "torque", the axis along which a load is put on the ball that the joint holds, and
-- what else the joint needs for that; or why it holds none. unlocked: it has no softness. acts: options with which it exerts a force. base: creates what the
-- joint is made on, and returns the other body. held: it needs a body A. alone: it has one body. placeless: no x and y.

local bodies_turn, no_place = "the bodies turn freely", "it has no place"

rows.Revolute = {
	coordinates = { turn({ value = "getAngle" }, "lowerAngle", "upperAngle", "hertz", "dampingRatio", "targetAngle", "motorSpeed", "maxMotorTorque",
		"motorTarget") },
	holds = { force = { axis = 2 }, torque = { axis = 3, lowerAngle = 0, upperAngle = 0 } },
}

rows.Distance = {
	at = 1, options = { pointA = { 0, 0 }, pointB = { 1, 0 } },
	coordinates = { coordinate({ axis = 1, start = 1, value = "getLength", free = { minLength = 0, maxLength = 9 } }, "minLength", "maxLength", "hertz",
		"dampingRatio", "length", "motorSpeed", "maxMotorForce", "motorTarget") },
	holds = { force = { axis = 1 }, torque = bodies_turn },
}

rows.Prismatic = {
	options = { axis = { 1, 0 } },
	coordinates = { coordinate({ axis = 1, value = "getTranslation" }, "lowerTranslation", "upperTranslation", "hertz", "dampingRatio", "targetTranslation",
		"motorSpeed", "maxMotorForce", "motorTarget") },
	holds = { force = { axis = 2 }, torque = { axis = 3 } },
}

rows.Weld = {
	coordinates = { coordinate({ name = "linear", axis = 2 }, nil, nil, "linearHertz", "linearDampingRatio"),
		turn({ name = "angular" }, nil, nil, "angularHertz", "angularDampingRatio") },
	holds = { force = { axis = 2 }, torque = { axis = 3 } },
}

rows.Wheel = {
	options = { axis = { 0, 1 } },
	coordinates = {
		coordinate({ name = "suspension", axis = 2, value = "getTranslation" }, "lowerSuspension", "upperSuspension", "suspensionHertz",
			"suspensionDampingRatio"),
		turn({ name = "spin", value = "getSpinAngle" }, nil, nil, nil, nil, nil, "spinSpeed", "maxSpinTorque"),
		turn({ name = "steering", axis = 2, value = "getSteeringAngle", only = "d3" }, "lowerSteeringAngle", "upperSteeringAngle", "steeringHertz",
			"steeringDampingRatio", "targetSteeringAngle"),
	},
	holds = { force = { axis = 1 }, torque = { d2 = "it spins freely", d3 = { axis = 1 } } },
}

rows.Motor = {
	unlocked = true, acts = { maxVelocityForce = 1 },
	coordinates = {
		coordinate({ name = "linear", axis = 1, vector = along_x, unlimited = 1e6 }, nil, nil, "linearHertz", "linearDampingRatio", nil, "linearVelocity",
			"maxVelocityForce"),
		turn({ name = "angular", vector = about_z, number = true, unlimited = 1e6 }, nil, nil, "angularHertz", "angularDampingRatio", nil, "angularVelocity",
			"maxVelocityTorque"),
	},
	holds = { force = { axis = 2, maxVelocityForce = 1e3 }, torque = { axis = 3, maxVelocityTorque = 1e3 } },
}

rows.Mouse = {
	unlocked = true, alone = true, options = { hertz = 5 },
	coordinates = { coordinate({ axis = 2, unlimited = 1e6 }, nil, nil, "hertz", "dampingRatio") },
	holds = { force = { axis = 2 }, torque = bodies_turn },
}

rows.Friction = {
	unlocked = true, options = { maxForce = 0 }, acts = { maxForce = 1 },
	coordinates = { coordinate({ name = "linear", axis = 1, still = true }, nil, nil, nil, nil, nil, nil, "maxForce"),
		turn({ name = "angular", still = true }, nil, nil, nil, nil, nil, nil, "maxTorque") },
	holds = { force = { axis = 2, maxForce = 1e3 }, torque = { axis = 3, maxTorque = 1e3 } },
}

rows.Filter = { unlocked = true, held = true, placeless = true, coordinates = {}, holds = { force = no_place, torque = no_place } }

rows.Ratchet = {
	options = { toothAngle = 0.5 }, coordinates = {}, holds = { force = no_place, torque = { axis = 3, sign = -1 } },
}

-- The ball, or a rack, is of the second joint: reactions are its own.
rows.Gear = {
	placeless = true, coordinates = {}, holds = { force = { axis = 2, rack = true, kinematic = true }, torque = { axis = 3, kinematic = true } },
	base = function(d, world, ball, options)
		local other = world:newBody { type = options.kinematic and "kinematic" or nil, x = 3, shape = d.circle(0.5) }
		local first = world:newRevoluteJoint { bodyB = other, x = 3, y = 0 }
		local second = options.rack and world:newPrismaticJoint { bodyB = ball, x = 0, y = 0, axis = { 0, 1 } } or world:newRevoluteJoint { bodyB = ball, x = 0, y = 0 }
		options.rack, options.kinematic, options.bodyB, options.bodyA, options.jointA, options.jointB = nil, nil, nil, nil, first, second
		return other
	end,
}

-- The ball hangs below its point of the world. Alone, it hangs from a point below the other one.
rows.Pulley = {
	options = { groundA = { 3, 2 }, groundB = { 0, 2 }, pointA = { 3, 0 }, pointB = { 0, 0 } }, other_at = { 3, 0 },
	coordinates = { coordinate({ axis = 2, sign = -1, start = 4, value = function(joint) return joint:getLengthA() + joint:getLengthB() end }, "minLength",
		"maxLength") },
	holds = { force = { axis = 2, sign = -1 }, torque = bodies_turn },
}

rows.Path = {
	placeless = true, options = { points = { -5, 0, 5, 0 } },
	coordinates = { coordinate({ axis = 1, start = 5, value = "getDistance" }, "lowerDistance", "upperDistance", "hertz", "dampingRatio", "targetDistance",
		"motorSpeed", "maxMotorForce", "motorTarget") },
	holds = { force = { axis = 2 }, torque = { axis = 3, follow = "tangent" } },
}

-- --- Rows of 3D ---------------------------------------------------------------------------------------------------------------

rows.Spherical = {
	only = "d3",
	coordinates = {
		turn({ rotation = true, vector = about_z }, nil, nil, "hertz", "dampingRatio", "targetRotation", "motorVelocity", "maxMotorTorque"),
		turn({ value = "getTwistAngle", limits = "TwistLimits" }, "lowerTwistAngle", "upperTwistAngle"),
		turn({ axis = 1, value = "getSwingAngle", limits = "ConeLimit" }, nil, "coneAngle"),
	},
	holds = { force = { axis = 2 }, torque = { axis = 3, lowerTwistAngle = 0, upperTwistAngle = 0 } },
}

rows.Cylindrical = {
	only = "d3", options = { axis = { 0, 0, 1 } },
	coordinates = {
		coordinate({ name = "translation", axis = 3, value = "getTranslation" }, "lowerTranslation", "upperTranslation", "translationHertz",
			"translationDampingRatio", "targetTranslation", "translationSpeed", "maxTranslationForce", "translationMotorTarget"),
		turn({ name = "angle", value = "getAngle" }, "lowerAngle", "upperAngle", "angleHertz", "angleDampingRatio", "targetAngle", "angleSpeed",
			"maxAngleTorque", "angleMotorTarget"),
	},
	holds = { force = { axis = 2 }, torque = { axis = 1 } },
}

rows.Universal = {
	only = "d3", options = { axis = { 0, 0, 1 }, secondAxis = { 1, 0, 0 } },
	coordinates = {
		turn({ name = "first", value = "getFirstAngle" }, "lowerFirstAngle", "upperFirstAngle", "firstHertz", "firstDampingRatio", "targetFirstAngle",
			"firstSpeed", "maxFirstTorque", "firstMotorTarget"),
		turn({ name = "second", axis = 1, value = "getSecondAngle" }, "lowerSecondAngle", "upperSecondAngle", "secondHertz", "secondDampingRatio",
			"targetSecondAngle", "secondSpeed", "maxSecondTorque", "secondMotorTarget"),
	},
	holds = { force = { axis = 2 }, torque = { axis = 2 } },
}

rows.Parallel = {
	only = "d3", unlocked = true, options = { axisA = { 0, 1 }, axisB = { 0, 1 }, hertz = 60 },
	coordinates = { turn({ value = "getSwingAngle", unlimited = 1e6 }, nil, nil, "hertz", "dampingRatio") },
	holds = { force = no_place, torque = { axis = 3 } },
}

rows.SixDof = { only = "d3", coordinates = six_coordinates(), holds = { force = { axis = 2 }, torque = { axis = 3 } } }

for name, row in pairs(rows) do
	row.name, row.type = name, name:sub(1, 1):lower() .. name:sub(2)
	for _, c in ipairs(row.coordinates) do
		c.label = row.type .. (c.name and ", " .. c.name or c.limits or "")
		c.nested = c.nested and c.name
	end
end

-- The types of a dimension, in alphabetical order.
local function types_of(dim)
	local list = {}
	for _, row in pairs(rows) do
		if dim == "d3" or not row.only then list[#list + 1] = row end
	end
	table.sort(list, function(a, b) return a.name < b.name end)
	return list
end

-- --- Making ------------------------------------------------------------------------------------------------------------------

-- The coordinate's values by the names of `keys`, as the joint's options. Turns are of 0.3 rad at most, so that a rotation has one axis.
local function options_of(dim, c, values)
	local options = {}
	for name, value in pairs(values) do
		local key = c.keys[name]
		if key and name == "speed" and c.vector then
			value = not c.number and c.vector(dim, value) or value
		elseif key and name == "target" and c.rotation then
			value = quaternion(value)
		end
		if key then options[key] = value end
	end
	if c.free and not values.upper and not values.hertz then
		for key, value in pairs(c.free) do options[key] = value end
	end
	return c.nested and { freedom = { [c.nested] = next(options) and options or "free" } } or options
end

-- Creates all but the joint: a ball at the row's place, and a body A with the options `other`. Returns the joint's options, these among them, the ball, and the
-- other body, if there is one.
local function prepare(dim, world, row, options, other)
	local d, all = planes[dim], {}
	local ball = world:newBody { x = row.at, shape = d.circle(0.5) }
	for _, list in ipairs { row.options or {}, options } do
		for key, value in pairs(list) do all[key] = value end
	end
	all.bodyB = ball
	if row.alone then
		all.body, all.bodyB = ball, nil
	elseif not row.base and (other or row.held) then
		all.bodyA = world:newBody(other or { type = "static", x = -3 })
	end
	local second = row.base and row.base(d, world, ball, all) or all.bodyA
	if not row.placeless and not all.pointA then all.x, all.y = 0, 0 end
	return all, ball, second
end

-- Also creates the joint, unless options is false. Returns it, the ball, and the other body.
local function make(dim, world, row, options, other)
	local all, ball, second = prepare(dim, world, row, options or {}, other)
	return options and world["new" .. row.name .. "Joint"](world, all), ball, second
end

-- --- Hashes ------------------------------------------------------------------------------------------------------------------

-- The values of a coordinate that a variant sets; mass: the ball's mass or inertia.
local function variant(c, number, mass)
	if number == 1 then return { lower = c.start - 0.1, upper = c.start + 0.2 } end
	if number == 2 then return { hertz = 3, ratio = 0.2, target = c.start + 0.1 } end
	if number == 3 then return { speed = 2, most = 3 * mass } end
	return { speed = 3, most = 5 * mass, aim = c.start + 0.3 }
end

local function supports(c, values)
	for name in pairs(values) do
		if not c.keys[name] and name ~= "target" and name ~= "speed" then return false end
	end
	return true
end

-- Adds pairs of bodies on joints of the type, each with another limit, spring or motor, or disabled: these stand side by side in the lanes.
local function add_pairs(dim, world, row, number)
	local variants, types = { {} }, { "dynamic", "kinematic", "static" }
	for _, c in ipairs(row.coordinates) do
		for i = 1, 4 do
			local values = variant(c, i, 0.1)
			if (not c.only or c.only == dim) and supports(c, values) then variants[#variants + 1] = options_of(dim, c, values) end
		end
	end
	for i = 1, math.max(24, #variants) do
		local other = (i % 5 > 0 or row.held) and { type = types[i % 3 + 1], x = -1, y = 0.5, shape = planes[dim].circle(0.4), linearVelocity = { number(-1, 1), 0 } } or nil
		local options = {}
		for key, value in pairs(variants[i % #variants + 1]) do options[key] = value end
		options.enabled, options.jointHertz = i % 7 > 0, i % 4 == 0 and not row.unlocked and 20 or nil
		local _, ball = make(dim, world, row, options, other)
		ball:setLinearVelocity(number(-3, 3), number(-3, 3))
		ball:setAngularVelocity(number(-9, 9))
		if dim == "d3" then ball.real:setAngularVelocity(number(-5, 5), number(-5, 5), number(-5, 5)) end
	end
end

-- The hash of a world with joints of these types.
local function hash_of(dim, list, workers)
	local world, number = planes[dim].newWorld { gravity = { 1, -10 }, workers = workers, layers = { "all" }, collide = { all = {} } }, support.random_numbers(11)
	for _, row in ipairs(list) do add_pairs(dim, world, row, number) end
	for _ = 1, 40 do world:step(1 / 60) end
	world:validate()
	return world:hash()
end

-- A line with the hash for each type.
local function hashes()
	local lines = {}
	for _, dim in ipairs { "d2", "d3" } do
		for _, row in ipairs(types_of(dim)) do lines[#lines + 1] = ("%s %s %s\n"):format(dim, row.name, hash_of(dim, { row }, 1)) end
	end
	return table.concat(lines)
end

if not ... then io.write(hashes()) end

return { types_of = types_of, options_of = options_of, prepare = prepare, make = make, hash_of = hash_of }
