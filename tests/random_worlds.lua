-- Prints the hashes of random worlds in 2D and 3D, and of a ship with many bodies. Their bodies bounce, roll, slide, ride on belts, are slender, locked, driven by
-- torques, jointed, blown up, filtered and decided on by preSolve, so that SIMD lanes in which a feature is active stand beside lanes in which it is not. Also
-- prints a sum of the events of their sensors, and of the bytes of a snapshot, which is restored. The output must not depend on the number of lanes and workers, the compiler and its level: `make hash` and
-- test_determinism compare it.
--
--   [COLLIDE_LANES=1, 4 or 8] host tests/random_worlds.lua [worlds of each dimension] [workers]
local collide = require "collide"
local random_numbers = require("support").random_numbers

local count, workers = tonumber(arg and arg[1]) or 20, tonumber(arg and arg[2]) or 1

-- A random number with this chance, else nil.
local function perhaps(number, chance, low, high)
	local drawn, value = number(0, 1), number(low, high)
	return drawn < chance and value or nil
end

local shapes = {
	d2 = {
		function(d, n) return d.circle(n(0.2, 0.5)) end,
		function(d, n) return d.box(n(0.4, 1), n(0.4, 1)) end,
		function(d, n) return d.box(n(1.5, 2), 0.1) end,
		function(d, n) return d.capsule(-0.3, 0, 0.3, 0, n(0.1, 0.3)) end,
		function(d, n) return d.polygon({ -0.4, -0.3, 0.4, -0.3, 0.1, 0.5 }, 0.05) end,
		function(d, n) return d.ellipse(n(0.3, 0.5), 0.25) end,
	},
	d3 = {
		function(d, n) return d.sphere(n(0.2, 0.5)) end,
		function(d, n) return d.box(n(0.4, 1), n(0.4, 1), n(0.4, 1)) end,
		function(d, n) return d.box(n(1.5, 2.5), 0.05, n(0.05, 0.1)) end,
		function(d, n) return d.capsule(-0.9, 0, 0, 0.9, 0, 0, 0.04) end,
		function(d, n) return d.cylinder(n(0.1, 0.4), n(0.2, 0.8)) end,
		function(d, n) return d.hull { -0.4, -0.3, -0.3, 0.4, -0.3, -0.3, 0.1, 0.5, 0, 0, -0.3, 0.4 } end,
	},
}

local mixings = { "geometric", "average", "minimum", "multiply", "maximum" }

local function options_of(dim, number, choice, i)
	local flat = dim == "d2"
	local options = {
		x = 1.1 * (i % 8) - 4, y = 0.6 + 0.9 * math.floor(i / 8) + number(0, 0.2), friction = perhaps(number, 0.8, 0, 1),
		restitution = perhaps(number, 0.3, 0, 1), rollingResistance = perhaps(number, 0.3, 0, 0.1), linearDamping = perhaps(number, 0.2, 0, 1),
		gravityScale = perhaps(number, 0.1, -1, 1),
	}
	if number(0, 1) < 0.2 then
		options.material = { friction = 0.3, frictionMixing = mixings[choice(5)], restitutionMixing = mixings[choice(5)] }
	end
	local lock = number(0, 1)
	if flat then
		options.angle, options.angularVelocity = perhaps(number, 0.7, -2, 2), perhaps(number, 0.7, -8, 8)
		options.linearVelocity = { number(-2, 2), number(-4, 1) }
		if lock < 0.1 then options.locks = { rotation = true } elseif lock < 0.2 then options.locks = { x = true } end
	else
		options.z = number(-1, 1)
		options.rotation = { number(-1, 1), number(-1, 1), number(-1, 1), number(1, 2) }
		options.linearVelocity = { number(-2, 2), number(-4, 1), number(-1, 1) }
		if number(0, 1) < 0.7 then options.angularVelocity = { number(-8, 8), number(-8, 8), number(-8, 8) } end
		if lock < 0.1 then
			options.locks = { rotationX = true, rotationZ = true }
		elseif lock < 0.2 then
			options.locks = { x = true, rotationY = true }
		end
	end
	return options
end

local function floors(world, d, dim, number)
	local belt = perhaps(number, 0.5, -3, 3)
	for i = -1, 1 do
		local floor = { type = "static", x = 6 * i, y = -0.5, rollingResistance = perhaps(number, 0.2, 0, 0.05) }
		if dim == "d2" then
			floor.shape, floor.tangentSpeed = d.box(6, 1), i == 0 and belt or nil
		else
			floor.shape, floor.tangentVelocity = d.box(6, 1, 12), i == 0 and belt and { belt, 0, 0 } or nil
		end
		world:newBody(floor)
	end
end

-- A joint of any type but the revolute and the spherical one, with these bodies and anchors.
local function other_joint_of(world, dim, number, options)
	local names, plane = { "Distance", "Prismatic", "Weld", "Wheel", "Motor", "Friction", "Ratchet", "Path", "Parallel", "SixDof", "Cylindrical" }, dim == "d2"
	local name, some, more = names[math.floor(number(1, plane and 8.99 or 11.99))], number(0, 1) < 0.5, number(0, 1) < 0.5
	if name == "Distance" then
		options.hertz, options.maxLength = some and number(1, 6) or nil, more and number(0, 1) or nil
	elseif name == "Prismatic" or name == "Cylindrical" then
		options.axis = plane and { number(-1, 1), 1 } or { number(-1, 1), 1, number(-1, 1) }
		if some then options.lowerTranslation, options.upperTranslation = number(-0.5, 0), number(0, 0.5) end
	elseif name == "Weld" then
		options.linearHertz, options.angularHertz = some and number(1, 6) or nil, more and number(1, 6) or nil
	elseif name == "Wheel" then
		options.axis, options.spinAxis = plane and { 0, 1 } or { 0, 1, 0 }, not plane and { 0, 0, 1 } or nil
		options.suspensionHertz, options.maxSpinTorque = some and number(1, 6) or nil, more and number(0, 5) or nil
		options.steeringHertz = not plane and number(0, 1) < 0.5 and number(1, 6) or nil
	elseif name == "Parallel" then
		options.hertz, options.maxTorque = number(1, 6), some and number(0, 2) or nil
	elseif name == "SixDof" then
		options.freedom = { y = some and "free" or nil, rotationX = more and { lower = -0.5, upper = 0.5, hertz = number(1, 6) } or nil,
			rotationZ = { maxMotorTorque = number(0, 2), motorSpeed = number(-2, 2) } }
	elseif name == "Path" then
		local points = { options.bodyA:getPosition() }
		for _, number_of in ipairs { number(-2, 2), number(0, 2), number(1, 3), number(2, 4) } do points[#points + 1] = number_of end
		if not plane then points[#points + 1], points[#points + 2] = number(-2, 2), number(0, 2) end
		options.anchorA, options.points, options.loop, options.follow = nil, points, some, more and "tangent" or nil
		if number(0, 1) < 0.5 then options.motorSpeed, options.maxMotorForce = number(-3, 3), number(0, 20) end
	elseif name == "Ratchet" then
		options.toothAngle, options.phase = number(-0.5, 0.5), number(-1, 1)
	elseif name == "Motor" then
		options.linearHertz, options.maxVelocityTorque = some and number(1, 6) or nil, more and number(0, 5) or nil
	else
		options.maxForce, options.maxTorque = number(0, 5), some and number(0, 5) or nil
	end
	return world["new" .. name .. "Joint"](world, options)
end

local function joint_of(world, dim, number, a, b)
	local options = { bodyA = a, bodyB = b, collideConnected = number(0, 1) < 0.3 }
	local half = number(0.3, 0.6)
	options.anchorA = dim == "d2" and { half, 0 } or { half, 0, 0 }
	options.anchorB = dim == "d2" and { -half, 0 } or { -half, 0, 0 }
	if number(0, 1) < 0.4 then return other_joint_of(world, dim, number, options) end
	options.hertz, options.maxMotorTorque = perhaps(number, 0.3, 0, 6), perhaps(number, 0.3, 0, 5)
	local limited, hinge = number(0, 1) < 0.4, dim == "d2" or number(0, 1) < 0.5
	if hinge then
		options.motorSpeed = options.maxMotorTorque and number(-4, 4) or nil
		if limited then options.lowerAngle, options.upperAngle = number(-0.5, 0), number(0, 0.5) end
		return world:newRevoluteJoint(options)
	end
	if limited then
		options.lowerTwistAngle, options.upperTwistAngle = -0.2, 0.3
		if number(0, 1) < 0.5 then options.coneAngle = number(0, 1) else options.coneAngles = { number(0.05, 1), number(0.05, 1) } end
	end
	return world:newSphericalJoint(options)
end

-- A gear over this joint and the one before, if they can have one, or a pulley between their bodies.
local function coupling_of(world, dim, number, joints)
	local geared, a, b = { revolute = true, prismatic = true, wheel = true, cylindrical = true }, joints[#joints - 1], joints[#joints]
	local ratio, drawn = number(0.3, 2), number(0, 1)
	if geared[a:getType()] and geared[b:getType()] then return world:newGearJoint { jointA = a, jointB = b, ratio = drawn < 0.5 and ratio or -ratio } end
	if a:getBodyA() == b:getBodyB() then return nil end
	local up = dim == "d2" and { 0, 9 } or { 0, 9, 1 }
	local here = dim == "d2" and { 0, 0.2 } or { 0, 0.2, 0 }
	return world:newPulleyJoint { bodyA = a:getBodyA(), bodyB = b:getBodyB(), groundA = up, groundB = up, anchorA = here, anchorB = here, ratio = ratio,
		maxLength = drawn < 0.5 and 9 * ratio + 9 or nil }
end

-- Changes torques, rolling resistance, restitution and joints on the way: an impulse must end with its cause, also in a lane beside others in which the cause
-- persists.
local function stir(bodies, joints, dim, number)
	for _, body in ipairs(bodies) do
		if number(0, 1) < 0.2 then
			if dim == "d2" then body:applyTorque(number(-3, 3)) else body:applyTorque(number(-3, 3), number(-3, 3), number(-3, 3)) end
		end
		if number(0, 1) < 0.1 then
			for _, collider in ipairs(body:getColliders()) do
				collider:setRollingResistance(number(0, 1) < 0.5 and 0 or 0.05)
				collider:setRestitution(number(0, 1) < 0.5 and 0 or 0.7)
			end
		end
	end
	for _, joint in ipairs(joints) do
		if number(0, 1) < 0.1 then
			local kind, on = joint:getType(), number(0, 1) < 0.5
			if kind == "revolute" then
				joint:setMotor(number(-3, 3), on and 0 or 4)
			elseif kind == "spherical" or kind == "prismatic" or kind == "distance" then
				joint:setSpring()
			elseif kind == "wheel" then
				joint:setMotor("spin", on and 2 or nil, 5)
			else
				joint:setEnabled(on)
			end
		end
	end
end

-- Water over the floor, wind with lift, and an attraction and a vortex on a body.
local function fields(world, d, dim, number, body)
	local plane = dim == "d2"
	local function vector(x, y, z) return plane and { x, y } or { x, y, z } end
	world:newField { shape = plane and d.box(20, number(1, 3)) or d.box(20, number(1, 3), 20), fluid = { density = number(0.5, 3), linearDrag = number(0, 3),
		angularDrag = number(0, 3), velocity = vector(number(-2, 2), 0, 0) } }
	world:newField { wind = { velocity = vector(number(-9, 9), number(-9, 9), 2), drag = number(0, 0.3), lift = number(0, 0.3) }, priority = 1, layers = { "default" } }
	world:newField { body = body, shape = plane and d.circle(3) or d.sphere(3), attraction = { strength = number(-5, 5), falloff = 1.5 },
		vortex = { strength = number(-5, 5) }, replace = number(0, 1) < 0.5 }
end

-- Sensors on the way, on a body and of bodies; bodies that do not collide with those of the other layer. Returns what to do before some steps, and after each: the
-- latter returns a sum of all events so far, in their order.
local function sensors(world, d, dim, number, bodies)
	local plane, sum, index = dim == "d2", 0, {}
	local gate = plane and d.box(0.5, 6) or d.box(0.5, 6, 6)
	for i = -1, 1 do
		local layers = ({ [-1] = { "default" }, { "other" } })[i]
		world:newBody { type = i == 0 and "kinematic" or "static", x = 3 * i, y = 2, z = not plane and 0 or nil, shape = gate, sensor = true, collidesWith = layers,
			linearVelocity = i == 0 and (plane and { 1, 0 } or { 1, 0, 0 }) or nil }
	end
	bodies[5]:newCollider(plane and d.circle(1) or d.sphere(1), { sensor = true })
	bodies[9]:getColliders()[1]:setSensor(true)
	for i, body in ipairs(world:getBodies()) do
		for _, collider in ipairs(body:getColliders()) do index[collider] = i end
	end
	local function change()
		local collider = bodies[math.floor(number(1, #bodies + 0.99))]:getColliders()[1]
		if number(0, 1) < 0.5 then collider:setSensor(not collider:isSensor()) else collider:setCollidesWith { number(0, 1) < 0.5 and "default" or "other" } end
		local x, y, z = number(-4, 4), number(0, 3), not plane and number(-1, 1) or nil
		world:explode { x = x, y = y, z = z, radius = 3, impulse = number(-1, 2), falloff = 1, occlusion = number(0, 1) < 0.5 }
	end
	local function watch()
		for sensor, visitor in world:beginOverlaps() do sum = (31 * sum + 1000 * index[sensor] + 10 * index[visitor]) % 2 ^ 40 end
		for sensor, visitor in world:endOverlaps() do sum = (31 * sum + 1000 * index[sensor] + 10 * index[visitor] + 1) % 2 ^ 40 end
		return ("%.0f"):format(sum)
	end
	return change, watch
end

-- Three movers among the bodies.
local function movers(world, d, dim, number)
	local list = {}
	for i = 1, 3 do
		local shape = dim == "d2" and d.capsule(0, -0.3, 0, 0.3, 0.3) or d.capsule(0, -0.3, 0, 0, 0.3, 0, 0.3)
		list[i] = world:newMover { shape = shape, x = 3 * i - 6, y = number(2, 5), stepHeight = 0.4, mass = number(1, 100), maxForce = number(0, 500) }
	end
	return list
end

local function movers_move(list, dim, number)
	for _, mover in ipairs(list) do
		local x, y, z = number(-0.1, 0.1), number(-0.2, 0.05), number(-0.1, 0.1)
		if dim == "d2" then mover:move(x, y, 1 / 60) else mover:move(x, y, z, 1 / 60) end
	end
end

-- Disables every seventh contact, and changes the materials of others.
local function decide(dim)
	local count = 0
	return function(contact)
		count = count + 1
		contact:setEnabled(count % 7 ~= 0)
		if count % 3 == 0 then contact:setFriction(count % 2) end
		if count % 5 == 0 then contact:setRestitution(0.4) end
		if count % 4 == 0 then
			if dim == "d2" then contact:setTangentSpeed(1) else contact:setTangentVelocity(1, 0, contact:getSpeed()) end
		end
	end
end

-- Hills of tiles or voxels, on a static body and on one that moves.
local function tiles(world, d, dim, number, choice)
	local slope = dim == "d2" and d.polygon { 0, 0, 0.7, 0, 0.7, 0.7 } or d.hull { 0, 0, 0, 0.7, 0, 0, 0.7, 0.7, 0, 0, 0, 0.7, 0.7, 0, 0.7, 0.7, 0.7, 0.7 }
	local kinds = { { name = "earth" }, { name = "slope", shape = slope, material = { friction = 0.1 } }, { name = "water", sensor = true } }
	local maps = {}
	for i, type in ipairs { "static", "kinematic" } do
		local body = world:newBody { type = type, x = i == 1 and -5 or -2, y = i - 1, linearVelocity = { 0.5 * (i - 1), 0, dim == "d3" and 0 or nil } }
		if dim == "d2" then
			maps[i] = body:newTiles { columns = 16, rows = 6, cellSize = 0.7, kinds = kinds }
			for column = 1, 16 do maps[i]:setCell(column, choice(3), choice(3), number(0, 1) < 0.5 and "flipX" or nil) end
		else
			maps[i] = body:newVoxels { cellSize = 0.7, kinds = kinds }
			maps[i]:fillCells(0, -1, -8, 15, 0, 7, 1)
			for _ = 1, 64 do maps[i]:setCell(choice(16) - 1, 1 + choice(2), choice(16) - 9, choice(3), number(0, 1) < 0.5 and "turnY90" or nil) end
		end
	end
	return maps
end

-- Breaks every fourth body into the cells of points around its centre.
local function break_some(bodies, number)
	for i = 1, #bodies, 4 do
		local points = {}
		for _ = 1, 4 do
			for _, x in ipairs { bodies[i]:getCenter() } do points[#points + 1] = x + number(-0.3, 0.3) end
		end
		bodies[i] = bodies[i]:shatter(points)[1] or bodies[i]
	end
end

local function checksum(bytes)
	local sum = 0
	for i = 1, #bytes do sum = (31 * sum + bytes:byte(i)) % 2147483647 end
	return ("%d"):format(sum)
end

-- A push of one body in any direction, all by the world's own random numbers and the module's sine.
local function push_one(world, dim, bodies)
	local body, angle = bodies[world:random(#bodies)], -10 + 20 * world:random()
	if not body:isValid() then return end
	local x, y = 2 * body:getMass() * collide.cos(angle), 2 * body:getMass() * collide.sin(angle)
	body:applyImpulse(x, y, dim == "d3" and 0 or nil)
end

local function world_hashes(dim, seed)
	local d, number, choice = collide[dim], random_numbers(1000 * seed + 17)
	local world = d.newWorld { gravity = dim == "d2" and { 0, -10 } or { 0, -10, 0 }, workers = workers, jointSolver = seed % 3 == 0 and "direct" or "iterative",
		preSolve = seed % 2 == 0 and decide(dim) or nil, layers = { "default", "other" }, seed = seed }
	floors(world, d, dim, number)
	local bodies, joints = {}, {}
	local own_shapes, linked = shapes[dim], number(0, 1) < 0.6
	for i = 1, 40 do
		local options = options_of(dim, number, choice, i)
		options.shape = own_shapes[choice(#own_shapes)](d, number)
		options.preSolve, options.layer = i % 4 == 0, i % 3 == 0 and "other" or nil
		bodies[i] = world:newBody(options)
		if linked and i > 1 and number(0, 1) < 0.3 then
			joints[#joints + 1] = joint_of(world, dim, number, bodies[i - 1], bodies[i])
			if #joints > 1 and number(0, 1) < 0.3 then joints[#joints + 1] = coupling_of(world, dim, number, joints) end
		end
	end
	local maps = seed % 5 == 0 and tiles(world, d, dim, number, choice) or {}
	if seed % 4 == 0 then fields(world, d, dim, number, bodies[7]) end
	local change, watch = function() end, function() end
	if seed % 5 < 2 then change, watch = sensors(world, d, dim, number, bodies) end
	local moved = seed % 5 == 3 and movers(world, d, dim, number) or {}
	local hashes, history = {}, seed % 3 == 2 and #maps == 0 and world:newHistory { ticks = 10 }
	for i = 1, 90 do
		movers_move(moved, dim, number)
		if i % 15 == 0 then
			stir(bodies, joints, dim, number)
			change()
		end
		if seed % 3 == 1 and i % 9 == 0 then push_one(world, dim, bodies) end
		if seed % 5 == 4 and i % 40 == 0 then break_some(bodies, number) end
		for _, map in ipairs(maps) do
			local column, row = choice(16), choice(4)
			if dim == "d2" then map:setCell(column, row, choice(4) - 1) else map:setCell(column - 1, row - 1, choice(16) - 9, choice(4) - 1) end
		end
		world:step(1 / 60)
		hashes[4] = watch()
		if history and i < 60 then history:push() end
		if history and i == 58 then history:rewind(select(2, history:getRange()) - 5) end
		-- A world that is restored goes on as it was; the bytes that tell all of it are the same everywhere, but for its own number at their head.
		if i == 50 and seed % 3 == 1 then
			local saved = world:save()
			world:restore(saved)
			hashes[5] = checksum(saved:sub(25))
		end
		if i % 30 == 0 then hashes[i / 30] = world:hash() end
	end
	return table.concat(hashes, " ")
end

-- A ship with so many bodies that its contacts are solved in shares: see src/core/hub.h.
local function ship_hash(dim)
	local d, number, choice = collide[dim], random_numbers(77)
	local world = d.newWorld { gravity = dim == "d2" and { 0, -10 } or { 0, -10, 0 }, workers = workers }
	world:newBody { shape = dim == "d2" and d.box(330, 2) or d.box(330, 2, 6), y = -1, gravityScale = 0, restitution = 0.1, rollingResistance = 0.01 }
	for i = 1, 200 do
		local options, own = options_of(dim, number, choice, i), { shape = shapes[dim][choice(6)](d, number), restitution = perhaps(number, 0.3, 0, 1) }
		options.x, options.y, options.friction, options.restitution, options.rollingResistance = 1.6 * i - 160, number(0.5, 1.5)
		own.material, options.material = options.material, nil
		options.shapes = i % 2 == 0 and { own, { shape = shapes[dim][2](d, number), rollingResistance = perhaps(number, 0.3, 0, 0.1) } } or { own }
		world:newBody(options)
	end
	for _ = 1, 90 do world:step(1 / 60) end
	return world:hash()
end

for seed = 1, count do
	for _, dim in ipairs { "d2", "d3" } do print(dim, seed, world_hashes(dim, seed)) end
end
for _, dim in ipairs { "d2", "d3" } do print(dim, "ship", ship_hash(dim)) end
