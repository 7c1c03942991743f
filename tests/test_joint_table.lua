-- The table of all types of joints and of what each must do: each cell is the law that is tested, or says why there is none. A type that the module has and
-- the table lacks fails, and so does a reason where the joint has the methods. See joint_rows.lua for how the joints are made.
local lu, support = require "luaunit", require "support"
local collide, kit = require "collide", require "joint_rows"
local planes, suite = support.planes, support.suite

local DT = 1 / 60

-- --- One joint ---------------------------------------------------------------------------------------------------------------

local function new_world(dim, settings)
	settings = settings or {}
	settings.gravity, settings.sleeping = settings.gravity or { 0, 0 }, settings.sleeping or false
	return planes[dim].newWorld(settings)
end

-- A world with a ball on a joint of the row whose coordinate c has these values. Returns the world, the joint, the ball, and the other body.
local function new_joint(case, c, values, settings)
	local world = new_world(case.dim, settings)
	return world, kit.make(case.dim, world, case.row, c and kit.options_of(case.dim, c, values) or values)
end

local function in_space(object) return type(object) == "table" and object.real or nil end

-- Calls a method of the ball with a vector along the coordinate's axis: `linear`, or `angular` if the coordinate turns.
local function act(ball, c, amount, linear, angular)
	local v, space, method = { 0, 0, 0 }, in_space(ball), c.turns and angular or linear
	v[c.axis] = amount * (c.sign or 1)
	if space then
		space[method](space, v[1], v[2], v[3])
	elseif c.turns then
		ball[method](ball, v[3])
	else
		ball[method](ball, v[1], v[2])
	end
end

local function push(ball, c, load) act(ball, c, load, "applyForce", "applyTorque") end

local function throw(ball, c, speed) act(ball, c, speed, "setLinearVelocity", "setAngularVelocity") end

-- How far the ball has moved or turned since it was made, and its velocity.
local function moved(case, ball, c)
	local space, place, rate = in_space(ball), nil, nil
	if space and c.turns then
		local q = { space:getRotation() }
		place, rate = 2 * math.asin(q[c.axis]) * (q[4] < 0 and -1 or 1), select(c.axis, space:getAngularVelocity())
	elseif c.turns then
		place, rate = ball:getAngle(), ball:getAngularVelocity()
	else
		local body = space or ball
		place, rate = select(c.axis, body:getPosition()), select(c.axis, body:getLinearVelocity())
		if c.axis == 1 then place = place - (case.row.at or 0) end
	end
	local sign = c.sign or 1
	return sign * place, sign * rate
end

-- The mass or inertia that resists a load.
local function unit_of(ball, c) return c.turns and ball:getInertia() or ball:getMass() end

-- The coordinate as the joint says it.
local function value_of(joint, c)
	if type(c.value) == "function" then return c.value(joint) end
	return joint[c.value](joint, c.name)
end

-- Calls a method for the coordinate.
local function call(joint, c, method, ...)
	if c.name then return joint[method](joint, c.name, ...) end
	return joint[method](joint, ...)
end

local function length_of(...)
	local sum = 0
	for _, x in ipairs { ... } do sum = sum + x * x end
	return math.sqrt(sum)
end

-- Runs the law for each coordinate that has these keys, at least for one.
local function each(case, keys, law)
	local count = 0
	for _, c in ipairs(case.row.coordinates) do
		local has = not c.only or c.only == case.dim
		for _, key in ipairs(keys) do has = has and c.keys[key] ~= nil end
		if has then
			law(c, c.label)
			count = count + 1
		end
	end
	lu.assertTrue(count > 0, "no coordinate")
end

-- --- Laws --------------------------------------------------------------------------------------------------------------------

-- Pushed by 4 units, the ball moves by 2 t^2 while it is between its limits, and stays at them.
local function limits(case)
	each(case, { "upper" }, function(c, what)
		local lower, upper = c.keys.lower and -0.2 or -0.3, 0.3
		local world, joint, ball = new_joint(case, c, { lower = c.start + lower, upper = c.start + upper })
		for _, way in ipairs { 1, -1 } do
			for tick = 1, 90 do
				push(ball, c, 4 * way * unit_of(ball, c))
				world:step(DT)
				local place = moved(case, ball, c)
				lu.assertTrue(place < upper + 0.01 and place > lower - 0.01, what)
				if way == 1 and tick == 15 then lu.assertAlmostEquals(place, 2 * 0.25 ^ 2, 5e-3, what) end
			end
			local place = moved(case, ball, c)
			lu.assertAlmostEquals(place, way == 1 and upper or lower, 1e-3, what)
			lu.assertAlmostEquals(value_of(joint, c), c.start + (c.keys.lower and place or math.abs(place)), 1e-3, what)
		end
	end)
end

-- The angle grows freely, and does not fall below the last tooth that it has reached. Slowed by 4 rad/s^2, the ball turns on from 1 rad to 1.125.
local function teeth(case)
	local world, joint, ball = new_joint(case, nil, { toothAngle = 0.25, phase = 0.1 })
	ball:setAngularVelocity(1)
	for _ = 1, 60 do world:step(DT) end
	lu.assertAlmostEquals(joint:getAngle(), 1, 1e-3)
	for _ = 1, 60 do
		ball:applyTorque(-4 * ball:getInertia())
		world:step(DT)
	end
	lu.assertAlmostEquals(joint:getAngle(), 1.1, 1e-3)
end

-- A damped spring yields by load / (m w^2) from its target. An undamped one that is thrown with 0.1 w swings by 0.1, and is back after two periods.
local function spring(case)
	local w = 2 * math.pi * 2
	each(case, { "hertz" }, function(c, what)
		local target = c.keys.target and 0.1 or 0
		local world, joint, ball = new_joint(case, c, { hertz = 2, ratio = 1, target = not c.rotation and c.start + target or target })
		for _ = 1, 120 do
			push(ball, c, 0.1 * w ^ 2 * unit_of(ball, c))
			world:step(DT)
		end
		lu.assertAlmostEquals(moved(case, ball, c), target + 0.1, 2e-3, what)
		if c.value then lu.assertAlmostEquals(value_of(joint, c), c.start + target + 0.1, 2e-3, what) end
		world, joint, ball = new_joint(case, c, { hertz = 2, ratio = 0, target = c.start })
		throw(ball, c, 0.1 * w)
		local most = 0
		for _ = 1, 60 do
			world:step(DT)
			most = math.max(most, math.abs((moved(case, ball, c))))
		end
		lu.assertAlmostEquals(most, 0.1, 2e-3, what)
		lu.assertAlmostEquals(moved(case, ball, c), 0, 5e-3, what)
	end)
end

local function motor_load(joint, c)
	return length_of(call(joint, c, c.turns and "getMotorTorque" or "getMotorForce"))
end

-- A new joint whose motor has a greatest force, in units of the mass, or a torque.
local function new_motor(case, c, most, values)
	local probe = new_world(case.dim)
	local _, ball = kit.make(case.dim, probe, case.row, false)
	values.most = most * unit_of(ball, c)
	local world, joint
	world, joint, ball = new_joint(case, c, values)
	return world, joint, ball, unit_of(ball, c)
end

-- The motor's greatest force accelerates the ball until it has the motor's speed.
local function motor(case)
	each(case, { "most", "speed" }, function(c, what)
		local world, joint, ball, unit = new_motor(case, c, 1, { speed = 0.5 })
		for _ = 1, 15 do world:step(DT) end
		lu.assertAlmostEquals(select(2, moved(case, ball, c)), 0.25, 1e-3, what)
		lu.assertAlmostEquals(motor_load(joint, c), unit, 1e-3 * unit, what)
		for _ = 1, 45 do world:step(DT) end
		lu.assertAlmostEquals(select(2, moved(case, ball, c)), 0.5, 1e-3, what)
		lu.assertAlmostEquals(motor_load(joint, c), 0, 1e-2 * unit, what)
	end)
end

-- A position motor goes to its place, not faster than its speed, and stays there under less than its greatest force.
local function aim(case)
	each(case, { "aim" }, function(c, what)
		local world, joint, ball, unit = new_motor(case, c, 10, { speed = 1, aim = c.start + 0.25 })
		for tick = 1, 210 do
			if tick > 120 then push(ball, c, (tick > 180 and 15 or 9) * unit) end
			world:step(DT)
			local place, rate = moved(case, ball, c)
			lu.assertTrue(tick > 180 or math.abs(rate) < 1.001, what)
			if tick == 120 or tick == 180 then lu.assertAlmostEquals(place, 0.25, 2e-3, what) end
		end
		lu.assertTrue(moved(case, ball, c) > 0.7, what)
		lu.assertEquals(select(3, call(joint, c, "getMotor")), c.start + 0.25, what)
	end)
end

-- A motor of speed 0 is friction: it takes off 2 units a second until the ball stands, and holds it against less.
local function friction(case)
	each(case, { "most" }, function(c, what)
		local world, _, ball, unit = new_motor(case, c, 2, {})
		throw(ball, c, 1)
		local function run(ticks, load)
			for _ = 1, ticks do
				push(ball, c, load * unit)
				world:step(DT)
			end
			return select(2, moved(case, ball, c))
		end
		lu.assertAlmostEquals(run(15, 0), 0.5, 5e-3, what)
		lu.assertAlmostEquals(run(30, 0), 0, 1e-3, what)
		lu.assertAlmostEquals(run(30, 1.9), 0, 2e-2, what)
		lu.assertAlmostEquals(run(30, 3), 0.5, 2e-2, what)
	end)
end

local function rows_of(world)
	local list = {}
	for joint, force, torque, broken in world:jointEvents() do list[#list + 1] = { joint, force, torque, broken } end
	return list
end

-- The coordinate along which the row's joint holds a force or a torque, and the options for it; or nil.
local function hold_of(case, kind)
	local hold, options = case.row.holds[kind], {}
	hold = hold[case.dim] or hold
	if type(hold) == "string" then return nil end
	for key, value in pairs(hold) do
		if key ~= "axis" and key ~= "sign" then options[key] = value end
	end
	return { axis = hold.axis, sign = hold.sign, turns = kind == "torque" }, options
end

-- A load grows by half a unit in each step, which static loads follow: the joint breaks at a hundred units. It is reported once, and is gone.
local function breaks(case)
	for i, kind in ipairs { "force", "torque" } do
		local c, options = hold_of(case, kind)
		if c then
			options.breakable, options[kind .. "Threshold"] = true, 100
			local load, found, what = 0, {}, case.name .. ", " .. kind
			local world, joint, ball = new_joint(case, nil, options)
			local count = world:getJointCount()
			while #found == 0 and load < 200 do
				load = load + 0.5
				push(ball, c, load)
				world:step(DT)
				found = rows_of(world)
			end
			lu.assertEquals(#found, 1, what)
			lu.assertTrue(math.abs(load - 100) < 5, what .. " at " .. load)
			lu.assertIs(found[1][1], joint)
			lu.assertTrue(found[1][4], what)
			lu.assertTrue(found[1][i + 1] > 100 and found[1][i + 1] < 105, what)
			lu.assertFalse(joint:isValid(), what)
			lu.assertEquals({ world:getJointCount(), #world:getJoints() }, { count - 1, count - 1 }, what)
			world:validate()
			local _, before = moved(case, ball, c)
			push(ball, c, 100)
			world:step(DT)
			local _, after = moved(case, ball, c)
			lu.assertAlmostEquals((after - before) * unit_of(ball, c), 100 * DT, 1e-2, what)
			lu.assertEquals(rows_of(world), {}, what)
			world:validate()
		end
	end
end

local function reaction_of(joint)
	local real = in_space(joint) or joint
	return length_of(real:getReactionForce()) + length_of(real:getReactionTorque())
end

-- A load of 10 units sags by 10 / (2 pi hertz)^2, with the joint's jointHertz or the world's.
local function soft(case)
	for _, kind in ipairs { "force", "torque" } do
		local c, options = hold_of(case, kind)
		local world, joint, ball
		if c then
			options.jointHertz, options.jointDampingRatio = 20, 1
			world, joint, ball = new_joint(case, nil, options)
		end
		for i = 1, c and 3 or 0 do
			if i > 1 then joint:setJointHertz(i == 2 and 30 or nil) end
			for _ = 1, 90 do
				push(ball, c, 10 * unit_of(ball, c))
				world:step(DT)
			end
			local hertz = ({ 20, 30, 60 })[i]
			lu.assertAlmostEquals(moved(case, ball, c), 10 / (2 * math.pi * hertz) ^ 2, 0.02 * 10 / (2 * math.pi * 20) ^ 2, kind)
		end
	end
end

-- A disabled joint leaves no trace; enabled, it acts; disabled again, it has no reaction.
local function disabled(case)
	local hashes, world, joint, ball = {}, nil, nil, nil
	for i, options in ipairs { false, case.row.acts or {} } do
		if options then options.enabled = false end
		world = new_world(case.dim, { gravity = { 0, -10 } })
		joint, ball = kit.make(case.dim, world, case.row, options)
		ball:setLinearVelocity(1, 2)
		ball:setAngularVelocity(-3)
		hashes[i] = {}
		for tick = 1, 40 do
			if tick == 21 and joint then joint:setEnabled(true) end
			world:step(DT)
			hashes[i][tick] = world:hash()
			if joint and tick == 20 then lu.assertEquals(reaction_of(joint), 0) end
		end
	end
	lu.assertEquals(hashes[2][20], hashes[1][20])
	lu.assertTrue(hashes[2][40] ~= hashes[1][40])
	joint:setEnabled(false)
	world:step(DT)
	lu.assertEquals(reaction_of(joint), 0)
	world:validate()
end

-- --- Sleep -------------------------------------------------------------------------------------------------------------------

-- The ball sleeps. Calls the setter, which must wake it. Returns how far the ball has moved after a second, and its velocity.
local function change(case, c, values, set)
	local world, joint, ball, other = new_joint(case, c, values, { sleeping = true })
	local mass = c and unit_of(ball, c)
	for _ = 1, 2 do world:step(DT) end
	ball:setAwake(false)
	lu.assertFalse(ball:isAwake())
	set(joint, mass)
	lu.assertTrue(ball:isAwake(), case.name)
	if other and not case.row.held then lu.assertTrue(other:isAwake(), case.name) end
	world:validate()
	for _ = 1, 60 do world:step(DT) end
	if c then return moved(case, ball, c) end
end

local function quaternion(angle) return 0, 0, math.sin(angle / 2), math.cos(angle / 2) end

-- Each change of a coordinate's limits, spring and motor takes effect. nil switches it off, and also wakes.
local function coordinate_changes(case)
	local row, dim = case.row, case.dim
	for _, c in ipairs(row.coordinates) do
		local what, keys = c.label, c.keys
		if c.only and c.only ~= dim then keys = {} end
		if keys.upper then
			local name = c.limits or "Limits"
			local span = keys.lower and { c.start + 0.1, c.start + 0.2 } or { 0.5 }
			local place = change(case, c, {}, function(joint)
				call(joint, c, "set" .. name, (table.unpack or unpack)(span))
				for i, limit in ipairs { call(joint, c, "get" .. name) } do lu.assertAlmostEquals(limit, span[i], 1e-6, what) end
			end)
			lu.assertAlmostEquals(place, keys.lower and 0.1 or 0, 2e-3, what)
			change(case, c, { lower = c.start, upper = c.start + 1 }, function(joint)
				call(joint, c, "set" .. name, nil)
				if row.type ~= "pulley" then lu.assertNil(call(joint, c, "get" .. name), what) end
			end)
		end
		if keys.hertz then
			local place = change(case, c, { hertz = 1 }, function(joint)
				if c.rotation then
					call(joint, c, "setSpring", 2, 1, quaternion(0.1))
				elseif keys.target then
					call(joint, c, "setSpring", 2, 1, c.start + 0.1)
				else
					call(joint, c, "setSpring", 2, 1, c.unlimited)
				end
				lu.assertEquals((call(joint, c, "getSpring")), 2, what)
			end)
			lu.assertAlmostEquals(place, keys.target and 0.1 or 0, 2e-3, what)
			change(case, c, { hertz = 1 }, function(joint)
				call(joint, c, "setSpring", nil)
				lu.assertNil(call(joint, c, "getSpring"), what)
			end)
		end
		if keys.most then
			local args = c.still and {} or c.vector and c.vector(dim, 0.5) or { 0.5 }
			local _, rate = nil, nil
			_, rate = change(case, c, {}, function(joint, mass)
				args[#args + 1] = 10 * mass
				call(joint, c, "setMotor", (table.unpack or unpack)(args))
				lu.assertAlmostEquals(select(-1, call(joint, c, "getMotor")), 10 * mass, 1e-4 * mass, what)
			end)
			lu.assertAlmostEquals(rate, c.still and 0 or 0.5, 2e-3, what)
			change(case, c, { most = 1 }, function(joint)
				call(joint, c, "setMotor", nil)
				lu.assertNil(call(joint, c, "getMotor"), what)
			end)
		end
	end
end

-- Each setter that changes how the joint acts wakes its bodies.
local function asleep(case)
	coordinate_changes(case)
	local common = { setForceThreshold = 5, setTorqueThreshold = 5, setEnabled = false, destroy = false }
	if not case.row.unlocked then common.setJointHertz, common.setJointDampingRatio = 30, 1 end
	if case.row.type == "gear" or case.row.type == "pulley" then common.setRatio = 2 end
	if case.row.type == "ratchet" then common.setRatchet = 0.125 end
	if case.row.type == "mouse" then common.setTarget = 0.5 end
	for name, value in pairs(common) do
		change(case, nil, {}, function(joint)
			joint[name](joint, value, name == "setTarget" and 0 or nil)
			local getter = name:gsub("^set", name == "setEnabled" and "is" or "get")
			if name ~= "destroy" then lu.assertEquals((joint[getter](joint)), value, name) end
		end)
	end
	change(case, nil, { forceThreshold = 1e6 }, function(joint) joint:setBreakable(true) end)
end

-- A new joint wakes its bodies, and so does its end. In between they sleep and wake together.
local function wakes(case)
	local world = new_world(case.dim, { sleeping = true })
	local place = case.row.other_at or { -3, 0 }
	local joint, ball, other = kit.make(case.dim, world, case.row, {}, { x = place[1], y = place[2], shape = planes[case.dim].circle(0.5) })
	local bodies = { ball, other }
	for _, body in ipairs(bodies) do
		body:setAwake(false)
		for _, each_body in ipairs(bodies) do lu.assertFalse(each_body:isAwake()) end
		body:applyImpulse(1e-3, 0)
		for _, each_body in ipairs(bodies) do lu.assertTrue(each_body:isAwake()) end
		world:validate()
	end
	ball:setAwake(false)
	joint:destroy()
	for _, body in ipairs(bodies) do
		lu.assertTrue(body:isAwake())
		body:setAwake(false)
	end
	world:validate()
	world:step(DT)
	world:validate()
end

-- --- Draw --------------------------------------------------------------------------------------------------------------------

-- The numbers of each call that has the meaning of a joint.
local function drawn_joints(world)
	local calls = {}
	local target = setmetatable({}, { __index = function(_, name)
		return function(meaning, ...)
			if meaning == "joint" then calls[#calls + 1] = { name, ... } end
		end
	end })
	world:draw(target, { shapes = false, joints = true })
	return calls
end

-- A point at each anchor, and lines from the bodies to them. A joint that is gone draws nothing.
local function drawn(case)
	local world, joint = new_joint(case, nil, {})
	local count = #drawn_joints(world)
	local real = in_space(joint) or joint
	for _, anchor in ipairs { { real:getAnchorA() }, { real:getAnchorB() } } do
		local found = false
		for _, drawing in ipairs(drawn_joints(world)) do
			found = found or drawing[1] == "point" and length_of(drawing[2] - anchor[1], drawing[3] - anchor[2], (anchor[3] and drawing[4] - anchor[3])) < 1e-6
		end
		lu.assertTrue(found)
	end
	joint:destroy()
	lu.assertTrue(#drawn_joints(world) < count)
end

-- --- The table ---------------------------------------------------------------------------------------------------------------

local lanes_only = {} -- hashes of a type, by the number of lanes, as a process of its own prints them

local function said_by(lanes)
	if not lanes_only[lanes] then
		local host, script = support.quote(support.host), support.quote(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "joint_rows.lua")
		lanes_only[lanes] = {}
		for line in support.shell(("COLLIDE_LANES=%d %s %s"):format(lanes, host, script)):gmatch "[^\n]+" do
			local what, hash = line:match "^(d%d %a+) (%x+)$"
			lanes_only[lanes][what] = hash
		end
	end
	return lanes_only[lanes]
end

-- Worlds of the type alone have the same bits for any number of lanes.
local function lanes(case)
	local hash = kit.hash_of(case.dim, { case.row }, 1)
	if support.windows then return end
	local what = case.dim .. " " .. case.row.name
	lu.assertEquals({ said_by(1)[what], said_by(8)[what] }, { hash, hash })
end

local columns = { "limits", "spring", "motor", "position_motor", "friction", "break", "disable", "change_asleep", "draw", "wake", "lanes", "softness" }

local coupled, rest = "the joints that it couples have them", "a spring with a target and a greatest force does it"
local bound, rope, unlocked = "it has no coordinate", "a rope has none", "it locks nothing"

local cells = {
	Cylindrical = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Distance = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Filter = { bound, bound, bound, bound, bound, "it holds no load", "it exerts no force", "it has no settings", drawn, "it ties no bodies", lanes, unlocked },
	Friction = { bound, bound, "its speed is 0", "it has no place", friction, breaks, disabled, asleep, drawn, wakes, lanes, unlocked },
	Gear = { coupled, coupled, coupled, coupled, coupled, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Motor = { "its springs hold a pose", spring, motor, rest, friction, breaks, disabled, asleep, drawn, wakes, lanes, unlocked },
	Mouse = { "its spring has a greatest force", spring, rest, rest, rest, breaks, disabled, asleep, drawn, wakes, lanes, unlocked },
	Parallel = { "its spring has a greatest torque", spring, rest, rest, rest, breaks, disabled, asleep, drawn, wakes, lanes, unlocked },
	Path = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Prismatic = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Pulley = { limits, rope, rope, rope, rope, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Ratchet = { teeth, bound, bound, bound, bound, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Revolute = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	SixDof = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Spherical = { limits, spring, motor, rest, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Universal = { limits, spring, motor, aim, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Weld = { "it is locked", spring, "it is locked", "it is locked", "it is locked", breaks, disabled, asleep, drawn, wakes, lanes, soft },
	Wheel = { limits, spring, motor, "its spin has no place to stop, its steering " .. rest, friction, breaks, disabled, asleep, drawn, wakes, lanes, soft },
}

-- Methods that a joint has if the cell of the column is a law, and the key of the coordinates that have them.
local methods = {
	limits = { "getLimits", "getConeLimit", "getTwistLimits", "getRatchet", key = "upper" }, spring = { "getSpring", key = "hertz" },
	motor = { "getMotor", key = "most" }, friction = { "getMotor", key = "most" }, softness = { "getJointHertz" },
}

-- The names of the coordinates that the method is for, in alphabetical order; one without a name if there is one; nil if the joint has no such method.
local function names_of(joint, method)
	local ok, message = pcall(function() return joint[method](joint, "?") end)
	if ok then return { "" } end
	if message:find "has no such method" or message:find "unknown method" then return nil end
	local names = {}
	for name in message:match("unknown coordinate '%?' %(there are: (.*)%)"):gmatch "%w+" do names[#names + 1] = name end
	table.sort(names)
	return names
end

-- Fails unless the row has the coordinates for which the joint has methods, and the cell is a law if there are some.
local function check_methods(dim, row, column, cell, joint)
	local expected, own, found = {}, in_space(joint) or joint, {}
	if not methods[column] then return end
	for _, c in ipairs(row.coordinates) do
		if c.keys[methods[column].key] and (not c.only or c.only == dim) then expected[#expected + 1] = c.name or "" end
	end
	for _, method in ipairs(methods[column]) do
		for _, name in ipairs(names_of(own, method) or {}) do found[#found + 1] = name end
	end
	table.sort(expected)
	if methods[column].key and row.type ~= "ratchet" then lu.assertEquals(found, expected, row.name .. ", " .. column) end
	lu.assertEquals(type(cell), (#found > 0 and not (row.type == "friction" and column == "motor")) and "function" or "string", row.name .. ", " .. column)
end

for _, dim in ipairs { "d2", "d3" } do
	local TestJointTable = suite("TestJointTable", dim)

	for _, row in ipairs(kit.types_of(dim)) do
		for i, column in ipairs(columns) do
			local law = cells[row.name] and cells[row.name][i]
			if type(law) == "function" then
				TestJointTable["test_" .. row.type .. "_" .. column] = function() law { dim = dim, row = row, name = row.name } end
			end
		end
	end

	-- Joints of all types in one world: the number of workers changes no bit.
	function TestJointTable.test_workers()
		lu.assertEquals(kit.hash_of(dim, kit.types_of(dim), 3), kit.hash_of(dim, kit.types_of(dim), 1))
	end

	-- The table has each type of the module and no other, a cell for each column, and a law in each for which the joint has methods.
	function TestJointTable.test_the_table_is_complete()
		local world, found = new_world(dim), 0
		for method in pairs(debug.getmetatable(collide[dim].newWorld()).__index) do
			local name = method:match "^new(%a+)Joint$"
			lu.assertTrue(name == nil or cells[name] ~= nil, tostring(name))
			found = found + (name and 1 or 0)
		end
		lu.assertEquals(found, #kit.types_of(dim))
		for _, row in ipairs(kit.types_of(dim)) do
			local joint = kit.make(dim, world, row, {})
			lu.assertEquals(joint:getType(), row.type)
			lu.assertEquals(#cells[row.name], #columns, row.name)
			for i, column in ipairs(columns) do
				local cell = cells[row.name][i]
				lu.assertTrue(type(cell) == "function" or type(cell) == "string", row.name .. ", " .. column)
				check_methods(dim, row, column, cell, joint)
			end
		end
	end
end
