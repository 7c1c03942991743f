-- The binding refuses bad input: each row is a call and the message that it must raise. Then errors in hooks.

local lu = require "luaunit"
local d2 = require("collide").d2

local nan, inf = 0 / 0, math.huge
local circle = d2.circle(1)
local layers = { "ground", "player" }

local function raises(message, f, ...)
	local ok, err = pcall(f, ...)
	lu.assertFalse(ok, "must raise: " .. message)
	lu.assertStrContains(tostring(err), message)
end

-- { message, function(world, body, collider) }
local rows = {
	shapes = {
		{ "circle: radius must be > 0, got -1", function() d2.circle(-1) end },
		{ "circle: radius must be > 0, got 0", function() d2.circle(0) end },
		{ "circle: radius must be a finite number, got nan", function() d2.circle(nan) end },
		{ "circle: radius must be a finite number, got inf", function() d2.circle(inf) end },
		{ "circle: radius must be a finite number, got \"1\"", function() d2.circle "1" end },
		{ "circle: radius must be a finite number, got nothing", function() d2.circle() end },
		{ "circle: radius must be between 1e-06 and 1e+07, got 1e-20", function() d2.circle(1e-20) end },
		{ "circle: radius must be between 1e-06 and 1e+07, got 1e+20", function() d2.circle(1e20) end },
		{ "circle: y must be a finite number, got nothing", function() d2.circle(1, 2) end },
		{ "circle: x must be between -1e+07 and 1e+07, got 1e+30", function() d2.circle(1, 1e30, 0) end },
		{ "capsule: radius must be > 0, got 0", function() d2.capsule(0, 0, 1, 0, 0) end },
		{ "capsule: x2 must be a finite number, got a table", function() d2.capsule(0, 0, {}, 0, 1) end },
		{ "segment: its two ends must be at least", function() d2.segment(1, 1, 1, 1) end },
		{ "box: width must be > 0, got -2", function() d2.box(-2, 1) end },
		{ "box: height must be a finite number, got true", function() d2.box(1, true) end },
		{ "box: radius must be less than half of width and height, got 0.5", function() d2.box(1, 2, { radius = 0.5 }) end },
		{ "box: unknown key 'radios', did you mean 'radius'?", function() d2.box(1, 2, { radios = 0.5 }) end },
		{ "newBody: unknown key 'velocity', did you mean 'linearVelocity'?", function() d2.newWorld():newBody { velocity = { 1, 2 } } end },
		{ "newBody: unknown key 'fixedRotation', did you mean 'locks'?", function() d2.newWorld():newBody { fixedRotation = true } end },
		{ "newBody: unknown key 'maskBits', did you mean 'layer'?", function() d2.newWorld():newBody { maskBits = 1 } end },
		{ "newBody: unknown key 'rotation', did you mean 'angle'?", function() d2.newWorld():newBody { rotation = 1 } end },
		{ "newRevoluteJoint: unknown key 'enableMotor', did you mean 'maxMotorTorque'?", function() d2.newWorld():newRevoluteJoint { enableMotor = true } end },
		{ "newWorld: unknown key 'scale', did you mean 'lengthScale'?", function() d2.newWorld { scale = 30 } end },
		{ "box: options must be a table, got 3", function() d2.box(1, 2, 3) end },
		{ "box: angle must be a finite number, got inf", function() d2.box(1, 2, { angle = inf }) end },
		{ "polygon: points must be a list, got nothing", function() d2.polygon() end },
		{ "polygon: points[3] must be a finite number, got a table", function() d2.polygon { 0, 0, {}, 1, 1, 1 } end },
		{ "polygon: points must be a flat list {x1, y1, x2, y2, ...}, got 5 numbers", function() d2.polygon { 0, 0, 1, 0, 1 } end },
		{ "polygon: points must be a flat list {x1, y1, x2, y2, ...}, got a list of tables", function() d2.polygon { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 0, 1 } } end },
		{ "polygon: there must be 3 to 64 points, got 2", function() d2.polygon { 0, 0, 1, 0 } end },
		{ "polygon: points must not lie on a line", function() d2.polygon { 0, 0, 1, 0, 2, 0 } end },
		{ "polygon: points must contain at least three different ones", function() d2.polygon { 0, 0, 0, 0, 0, 0 } end },
		{ "polygon: points must be a list, but has other keys", function() d2.polygon { 0, 0, 1, 0, 0, 1, loop = true } end },
		{ "polygon: radius must be >= 0, got -1", function() d2.polygon({ 0, 0, 1, 0, 0, 1 }, -1) end },
		{ "polygon: points", function() d2.polygon { 0, 0, nil, 0, 0, 1, 2, 2 } end },
		{ "chain: there must be 2 to", function() d2.chain { 0, 0 } end },
		{ "chain: there must be 3 to", function() d2.chain({ 0, 0, 1, 0 }, { loop = true }) end },
		{ "chain: loop must be true or false, got 1", function() d2.chain({ 0, 0, 1, 0 }, { loop = 1 }) end },
		{ "but points 2 and 3 are not", function() d2.chain { 0, 0, 1, 0, 1, 0 } end },
		{ "but points 3 and 1 are not", function() d2.chain({ 0, 0, 1, 0, 0, 0 }, { loop = true }) end },
		{ "chain: unknown key 'lop', did you mean 'loop'?", function() d2.chain({ 0, 0, 1, 0 }, { lop = true }) end },
		{ "ellipse: ry must be > 0, got 0", function() d2.ellipse(1, 0) end },
		{ "ellipse: rx and ry must be within a factor of 1000", function() d2.ellipse(1, 0.0001) end },
		{ "halfPlane: the normal nx, ny must be at least", function() d2.halfPlane(0, 0, 1) end },
		{ "pose: x must be a finite number, got nothing", function() d2.pose() end },
		{ "pose: angle must be a finite number, got nan", function() d2.pose(0, 0, nan) end },
		{ "getMass: density must be >= 0, got -1", function() circle:getMass(-1) end },
		{ "getBox: pose must be a pose or nil, got a 2D shape", function() circle:getBox(circle) end },
		{ "getType: expected a shape, got nothing; methods are called with ':'", function() circle.getType() end },
		{ "getAngle: expected a pose, got a 2D shape; methods are called with ':'", function() d2.pose(0, 0).getAngle(circle) end },
		{ "a 2D shape never changes: it has no field \"radius\"", function() circle.radius = 2 end },
		{ "a 2D pose never changes: it has no field \"x\"", function() d2.pose(0, 0).x = 2 end },
	},
	worlds = {
		{ "newWorld: options must be a table, got 10", function() d2.newWorld(10) end },
		{ "newWorld: unknown key 'gravitiy', did you mean 'gravity'?", function() d2.newWorld { gravitiy = { 0, 0 } } end },
		{ "newWorld: gravity must be a list {x, y}, got 10", function() d2.newWorld { gravity = 10 } end },
		{ "newWorld: gravity must be a list {x, y}, got a table", function() d2.newWorld { gravity = { x = 0, y = 1 } } end },
		{ "newWorld: gravity must be a list {x, y}, got a table", function() d2.newWorld { gravity = { 0, 0, 0 } } end },
		{ "newWorld: gravity[2] must be a finite number, got nan", function() d2.newWorld { gravity = { 0, nan } } end },
		{ "newWorld: substeps must be a whole number between 1 and 64, got 0", function() d2.newWorld { substeps = 0 } end },
		{ "newWorld: substeps must be a whole number between 1 and 64, got 2.5", function() d2.newWorld { substeps = 2.5 } end },
		{ "newWorld: workers must be a whole number between 1 and 64, got 65", function() d2.newWorld { workers = 65 } end },
		{ "newWorld: lengthScale must be > 0, got 0", function() d2.newWorld { lengthScale = 0 } end },
		{ "newWorld: sleeping must be true or false, got \"yes\"", function() d2.newWorld { sleeping = "yes" } end },
		{ "newWorld: frictionMixing must be \"geometric\"", function() d2.newWorld { frictionMixing = "mean" } end },
		{ "newWorld: filter must be a function, got true", function() d2.newWorld { filter = true } end },
		{ "newWorld: layers must have 1 to 64 names, got 0", function() d2.newWorld { layers = {} } end },
		{ "newWorld: layers[2] must be a string, got 5", function() d2.newWorld { layers = { "a", 5 } } end },
		{ "newWorld: layers[2] must be a name of its own, got \"a\"", function() d2.newWorld { layers = { "a", "a" } } end },
		{ "newWorld: layers must be a list, got \"a\"", function() d2.newWorld { layers = "a" } end },
		{ "newWorld: collide must be a table", function() d2.newWorld { collide = 1 } end },
		{ "newWorld: collide.player[1]: unknown layer 'grund', did you mean 'ground'?",
			function() d2.newWorld { layers = layers, collide = { player = { "grund" } } } end },
		{ "newWorld: collide: unknown layer 'plaier', did you mean 'player'?",
			function() d2.newWorld { layers = layers, collide = { plaier = { "ground" } } } end },
		{ "newWorld: options must be a plain table", function() d2.newWorld(setmetatable({}, { __index = {} })) end },
		{ "step: dt must be a finite number, got nothing", function(world) world:step() end },
		{ "step: dt must be >= 0, got -1", function(world) world:step(-1) end },
		{ "step: dt must be a finite number, got nan", function(world) world:step(nan) end },
		{ "step: dt must be a finite number, got \"1\"", function(world) world:step "1" end },
		{ "step: dt must be between 0 and 60, got 61", function(world) world:step(61) end },
		{ "step: dt must be 0 or at least 1e-06, got 1e-30", function(world) world:step(1e-30) end },
		{ "step: expected a world, got 0.1; methods are called with ':'", function(world) world.step(0.1) end },
		{ "step: expected a world, got a body", function(world, body) world.step(body, 0.1) end },
		{ "setGravity: y must be a finite number, got nothing", function(world) world:setGravity(0) end },
		{ "setSubsteps: substeps must be a whole number", function(world) world:setSubsteps(nan) end },
		{ "setFilter: filter must be a function or nil, got 1", function(world) world:setFilter(1) end },
		{ "setFrictionMixing: mixing must be", function(world) world:setFrictionMixing() end },
		{ "setContactSoftness: hertz must be > 0, got 0", function(world) world:setContactSoftness(0, 1, 1) end },
		{ "setMaximumSpeed: speed must be > 0, got 0", function(world) world:setMaximumSpeed(0) end },
		{ "setHitSpeed: speed must be >= 0, got -1", function(world) world:setHitSpeed(-1) end },
		{ "setWorkers: workers must be a whole number", function(world) world:setWorkers(1000) end },
		{ "layersMeet: a: unknown layer 'x' (there are: default)", function(world) world:layersMeet("x", "default") end },
		{ "setLayersMeet: meet must be true or false, got nothing", function(world) world:setLayersMeet("default", "default") end },
		{ "a world has no field \"gravity\"", function(world) world.gravity = 1 end },
	},
	queries = {
		{ "raycast: y2 must be a finite number, got nothing", function(world) world:raycast(0, 0, 1) end },
		{ "raycast: x1 must be a finite number, got inf", function(world) world:raycast(inf, 0, 1, 1) end },
		{ "raycast: unknown key 'layer', did you mean 'layers'?", function(world) world:raycast(0, 0, 1, 1, { layer = {} }) end },
		{ "raycast: layers must be a list, got \"default\"", function(world) world:raycast(0, 0, 1, 1, { layers = "default" }) end },
		{ "raycastAll: layers[1]: unknown layer 'defualt', did you mean 'default'?",
			function(world) world:raycastAll(0, 0, 1, 1, { layers = { "defualt" } }) end },
		{ "raycastAny: filter must be a function, got 1", function(world) world:raycastAny(0, 0, 1, 1, { filter = 1 }) end },
		{ "overlapBox: sensors must be true or false, got 0", function(world) world:overlapBox(0, 0, 1, 1, { sensors = 0 }) end },
		{ "overlapBox: options must be a table, got 7", function(world) world:overlapBox(0, 0, 1, 1, 7) end },
		{ "overlapShape: shape must be a shape, got nothing", function(world) world:overlapShape() end },
		{ "overlapShape: pose must be a list {x, y} or {x, y, angle}, got a table", function(world) world:overlapShape(circle, {}) end },
	},
	newBody = {
		{ "newBody: options must be a table, got nil", function(world) world:newBody() end },
		{ "newBody: unknown key 'freindship', did you mean 'friction'?", function(world) world:newBody { freindship = 1 } end },
		{ "newBody: unknown key 'x'", function(world) world:newBody { ["x\0"] = 1 } end },
		{ "newBody: unknown key 1", function(world) world:newBody { circle } end },
		{ "newBody: unknown key 'Density', did you mean 'density'?", function(world) world:newBody { Density = 1 } end },
		{ "newBody: unknown key 'qqq' (there are: shape, ", function(world) world:newBody { qqq = 1 } end },
		{ "newBody: type must be \"static\", \"kinematic\" or \"dynamic\", got \"dynmic\"",
			function(world) world:newBody { type = "dynmic" } end },
		{ "newBody: type must be", function(world) world:newBody { type = 1 } end },
		{ "newBody: x must be a finite number, got \"1\"", function(world) world:newBody { x = "1" } end },
		{ "newBody: x must be between -1e+15 and 1e+15, got 1e+16", function(world) world:newBody { x = 1e16 } end },
		{ "newBody: position and x, y must not both be given", function(world) world:newBody { y = 1, position = { 0, 0 } } end },
		{ "newBody: position must be a list {x, y}", function(world) world:newBody { position = { 1 } } end },
		{ "newBody: position", function(world) world:newBody { position = { nil, 1 } } end },
		{ "newBody: linearVelocity[1] must be a finite number, got inf", function(world) world:newBody { linearVelocity = { inf, 0 } } end },
		{ "newBody: linearVelocity[1] must be between", function(world) world:newBody { linearVelocity = { 1e30, 0 } } end },
		{ "newBody: linearDamping must be >= 0, got -1", function(world) world:newBody { linearDamping = -1 } end },
		{ "newBody: awake must be true or false, got 0", function(world) world:newBody { awake = 0 } end },
		{ "newBody: locks must be a table {x =, y =, rotation =}, got true", function(world) world:newBody { locks = true } end },
		{ "unknown key 'z'", function(world) world:newBody { locks = { z = true } } end },
		{ "x must be true or false, got 1", function(world) world:newBody { locks = { x = 1 } } end },
		{ "newBody: name must be a string or nil, got 5", function(world) world:newBody { name = 5 } end },
		{ "newBody: name must have at most 1048576 bytes", function(world) world:newBody { name = ("x"):rep(2 ^ 20 + 1) } end },
		{ "newBody: mass must be >= 0, got -1", function(world) world:newBody { mass = -1 } end },
		{ "newBody: mass must be 0 or at least 1e-15", function(world) world:newBody { mass = 1e-30 } end },
		{ "newBody: shape must be a shape, got a table", function(world) world:newBody { shape = {} } end },
		{ "newBody: shape must be a shape, got a userdata", function(world) world:newBody { shape = io.stdout } end },
		{ "newBody: shape must be a shape, got a 2D pose", function(world) world:newBody { shape = d2.pose(0, 0) } end },
		{ "newBody: density must be >= 0, got -1", function(world) world:newBody { shape = circle, density = -1 } end },
		{ "newBody: density must be 0 or at least 1e-09", function(world) world:newBody { shape = circle, density = 1e-30 } end },
		{ "newBody: friction must be >= 0, got -0.1", function(world) world:newBody { shape = circle, friction = -0.1 } end },
		{ "newBody: restitution must be a finite number, got nan", function(world) world:newBody { shape = circle, restitution = nan } end },
		{ "newBody: group must be a whole number", function(world) world:newBody { shape = circle, group = 1.5 } end },
		{ "newBody: group must be a whole number", function(world) world:newBody { shape = circle, group = 2 ^ 31 } end },
		{ "newBody: sensor must be true or false", function(world) world:newBody { shape = circle, sensor = 1 } end },
		{ "newBody: layer: unknown layer 'player' (there are: default)", function(world) world:newBody { shape = circle, layer = "player" } end },
		{ "newBody: layer must be the name of a layer, got 1", function(world) world:newBody { shape = circle, layer = 1 } end },
		{ "newBody: shape is missing", function(world) world:newBody { density = 1 } end },
		{ "newBody: shape and shapes must not both be given", function(world) world:newBody { shape = circle, shapes = {} } end },
		{ "newBody: density, friction and the like belong into the entries of shapes",
			function(world) world:newBody { density = 1, shapes = { { shape = circle } } } end },
		{ "newBody: shapes must be a list, got a 2D shape", function(world) world:newBody { shapes = circle } end },
		{ "newBody: shapes must be a list, but has other keys", function(world) world:newBody { shapes = { shape = circle } } end },
		{ "newBody: shapes[1] must be a table, got a 2D shape", function(world) world:newBody { shapes = { circle } } end },
		{ "newBody: shapes[2].shape is missing", function(world) world:newBody { shapes = { { shape = circle }, {} } } end },
		{ "newBody: shapes[2].density must be >= 0, got -1",
			function(world) world:newBody { shapes = { { shape = circle }, { shape = circle, density = -1 } } } end },
		{ "newBody: shapes[1]: unknown key 'denisty', did you mean 'density'?",
			function(world) world:newBody { shapes = { { shape = circle, denisty = 1 } } } end },
		{ "newBody: shapes", function(world) world:newBody { shapes = { { shape = circle }, nil, { shape = circle } } } end },
		{ "newBody: options must be a plain table", function(world) world:newBody(setmetatable({}, {})) end },
	},
	bodies = {
		{ "setPosition: x must be a finite number, got nan", function(_, body) body:setPosition(nan, 0) end },
		{ "setPosition: y must be a finite number, got nothing", function(_, body) body:setPosition(0) end },
		{ "setAngle: angle must be a finite number, got inf", function(_, body) body:setAngle(inf) end },
		{ "setTransform: angle must be a finite number, got nil", function(_, body) body:setTransform(0, 0, nil) end },
		{ "setLinearVelocity: x must be between -1e+09 and 1e+09, got 1e+20", function(_, body) body:setLinearVelocity(1e20, 0) end },
		{ "setAngularVelocity: angularVelocity must be a finite number", function(_, body) body:setAngularVelocity {} end },
		{ "applyForce: fx must be a finite number, got \"1\"", function(_, body) body:applyForce("1", 0) end },
		{ "applyForce: y must be a finite number, got nothing", function(_, body) body:applyForce(1, 0, 2) end },
		{ "applyImpulse: too strong for so light a body", function(world)
			world:newBody { shape = d2.circle(1e-6), density = 1e-9 }:applyImpulse(1e18, 0)
		end },
		{ "applyForce: too strong for so light a body", function(world)
			world:newBody { shape = d2.circle(1e-6), density = 1e-9 }:applyForce(1e18, 0)
		end },
		{ "setMassData: inertia must be >= 0, got -1", function(_, body) body:setMassData(1, 0, 0, -1) end },
		{ "setType: type must be \"static\", \"kinematic\" or \"dynamic\", got nothing", function(_, body) body:setType() end },
		{ "setEnabled: enabled must be true or false, got nil", function(_, body) body:setEnabled(nil) end },
		{ "setLocks: rotation must be true or false, got nothing", function(_, body) body:setLocks(true, false) end },
		{ "setName: name must be a string or nil, got 1", function(_, body) body:setName(1) end },
		{ "moveTo: dt must be > 0, got 0", function(_, body) body:moveTo(0, 0, 0, 0) end },
		{ "moveTo: that would take a speed of", function(_, body) body:moveTo(1e15, 0, 0, 0.1) end },
		{ "newCollider: shape must be a shape, got nil", function(_, body) body:newCollider() end },
		{ "newCollider: shape is the first argument, not an option", function(_, body) body:newCollider(circle, { shape = circle }) end },
		{ "newCollider: unknown key 'frction', did you mean 'friction'?", function(_, body) body:newCollider(circle, { frction = 1 }) end },
		{ "newCollider: options must be a table, got 5", function(_, body) body:newCollider(circle, 5) end },
		{ "getPosition: expected a body, got nothing; methods are called with ':'", function(_, body) body.getPosition() end },
		{ "getPosition: expected a body, got a collider", function(_, body, collider) body.getPosition(collider) end },
		{ "getPosition: expected a body, got a userdata", function(_, body) body.getPosition(io.stdout) end },
		{ "destroy: expected a body, got a world", function(world, body) body.destroy(world) end },
		{ "isValid: expected a body, got 5", function(_, body) body.isValid(5) end },
		{ "a body has no field \"x\" to assign", function(_, body) body.x = 1 end },
		{ "a body has no field \"getPosition\" to assign", function(_, body) body.getPosition = print end },
		{ "a body has no field 1 to assign", function(_, body) body[1] = 1 end },
		{ "a collider has no field \"friction\" to assign", function(_, _, collider) collider.friction = 1 end },
	},
	colliders = {
		{ "setShape: shape must be a shape, got \"circle\"", function(_, _, collider) collider:setShape "circle" end },
		{ "setDensity: density must be >= 0, got -1", function(_, _, collider) collider:setDensity(-1) end },
		{ "setFriction: friction must be a finite number, got nan", function(_, _, collider) collider:setFriction(nan) end },
		{ "setLayer: layer: unknown layer 'defaul', did you mean 'default'?", function(_, _, collider) collider:setLayer "defaul" end },
		{ "setGroup: group must be a whole number", function(_, _, collider) collider:setGroup "1" end },
		{ "containsPoint: x must be a finite number", function(_, _, collider) collider:containsPoint(nan, 0) end },
		{ "raycast: y1 must be a finite number", function(_, _, collider) collider:raycast(0, inf, 0, 0) end },
		{ "getBox: expected a collider, got a body", function(_, body, collider) collider.getBox(body) end },
	},
}

TestErrors = {}

for name, list in pairs(rows) do
	TestErrors["test_bad_input_of_" .. name] = function()
		local world = d2.newWorld()
		local body = world:newBody { shape = circle }
		local collider = body:getColliders()[1]
		local hash = world:hash()
		for _, row in ipairs(list) do
			raises(row[1], row[2], world, body, collider)
			world:validate()
		end
		-- Two rows create a body of their own to misuse.
		if name ~= "bodies" then
			lu.assertEquals(world:getBodyCount(), 1)
			lu.assertEquals(world:hash(), hash)
		end
		lu.assertEquals(#body:getColliders(), 1)
		world:step(1 / 60)
	end
end

function TestErrors.test_messages_name_the_callers_line()
	local ok, err = pcall(function() d2.circle(-1) end)
	lu.assertFalse(ok)
	lu.assertStrContains(err, "test_errors.lua:")
end

-- Accepted extremes stay finite: the limits of all ranges together.
function TestErrors.test_extremes_stay_finite()
	for _, size in ipairs { 1e-6, 1, 1e7 } do
		for _, density in ipairs { 1e-9, 1, 1e7 } do
			local world = d2.newWorld { gravity = { 0, -1e9 }, maximumSpeed = 1e9 }
			local body = world:newBody { shape = d2.box(size, size), density = density, linearVelocity = { 1e9, -1e9 },
				angularVelocity = 1e9, restitution = 1e6, friction = 1e6 }
			world:newBody { x = 0.6 * size, shape = d2.circle(size), density = density, linearVelocity = { -1e9, 1e9 } }
			world:newBody { type = "static", y = -size, shape = d2.box(size, size) }
			for _ = 1, 10 do
				world:step(1 / 60)
				for _, each in ipairs(world:getBodies()) do
					local x, y, angle = each:getTransform()
					local vx, vy = each:getLinearVelocity()
					local sum = x + y + angle + vx + vy + each:getAngularVelocity()
					lu.assertTrue(sum == sum and math.abs(sum) < 1e300)
				end
				world:validate()
			end
		end
	end
end

-- Destroyed objects ------------------------------------------------------------------------------------------------------------

TestDestroyed = {}

local function methods_of(object)
	local index = debug.getmetatable(object).__index
	if type(index) == "table" then return index end
	local _, methods = debug.getupvalue(index, 2)
	return methods
end

local function every_method_raises(object, message)
	for name, method in pairs(methods_of(object)) do
		if name == "isValid" then
			lu.assertFalse(method(object))
		elseif name == "destroy" then
			method(object)
		else
			raises(name .. ": " .. message, method, object)
		end
	end
	lu.assertNil(object.data)
	raises("is destroyed", function() object.data = 1 end)
end

function TestDestroyed.test_body()
	local world = d2.newWorld()
	local body = world:newBody { shape = circle, name = "hero" }
	local collider = body:getColliders()[1]
	body:destroy()
	raises("(it was body 0 \"hero\")", body.getAngle, body)
	every_method_raises(body, "body is destroyed")
	every_method_raises(collider, "collider is destroyed")
	lu.assertEquals(tostring(body), "destroyed body")
	lu.assertEquals(tostring(collider), "destroyed collider")
	lu.assertEquals(world:getColliderCount(), 0)
end

function TestDestroyed.test_collider()
	local body = d2.newWorld():newBody { shape = circle }
	local collider = body:getColliders()[1]
	collider:destroy()
	every_method_raises(collider, "collider is destroyed")
	lu.assertEquals(body:getColliders(), {})
end

function TestDestroyed.test_world()
	local world = d2.newWorld()
	local body = world:newBody { shape = circle }
	local collider = body:getColliders()[1]
	local loop, cursor = world:moved()
	world:destroy()
	every_method_raises(world, "world is destroyed")
	every_method_raises(body, "body is destroyed, and so is its world")
	every_method_raises(collider, "collider is destroyed, and so is its world")
	raises("world is destroyed", loop, cursor, nil)
	lu.assertEquals(tostring(world), "destroyed world")
end

-- A reused id does not revive the old handle.
function TestDestroyed.test_a_reused_id_is_another_body()
	local world = d2.newWorld()
	local old = world:newBody { shape = circle }
	local id = tostring(old)
	for _ = 1, 1000 do
		old:destroy()
		local new = world:newBody { shape = circle }
		lu.assertEquals(tostring(new), id)
		lu.assertFalse(old:isValid())
		lu.assertFalse(old == new)
		old = new
	end
end

function TestDestroyed.test_a_reused_world_slot_is_another_world()
	local first = d2.newWorld()
	local body = first:newBody {}
	first:destroy()
	local second = d2.newWorld()
	second:newBody {}
	lu.assertFalse(body:isValid())
	lu.assertFalse(first:isValid())
end

-- Hooks ------------------------------------------------------------------------------------------------------------------------

TestHooks = {}

-- Two discs that touch in the first step, and a filter that runs `hook` once.
local function hooked(hook)
	local world, ran
	world = d2.newWorld { filter = function(a, b)
		if not ran then
			ran = true
			return hook(world, a, b)
		end
		return true
	end }
	world:newBody { shape = circle }
	world:newBody { x = 1, shape = circle, linearVelocity = { 1, 0 } }
	return world
end

local function whole(world)
	lu.assertFalse(world:isLocked())
	world:validate()
	for _ = 1, 10 do world:step(1 / 60) end
	world:validate()
	world:newBody { shape = circle }:destroy()
end

function TestHooks.test_the_step_raises_an_error_with_its_traceback()
	local function culprit() error "oops" end
	local world = hooked(function() culprit() return true end)
	local ok, err = pcall(world.step, world, 1 / 60)
	lu.assertFalse(ok)
	lu.assertStrContains(err, "oops")
	lu.assertStrContains(err, "stack traceback:")
	lu.assertStrContains(err, "culprit")
	lu.assertEquals(world:getTick(), 1)
	whole(world)
end

function TestHooks.test_an_error_in_hooks_within_hooks_has_one_traceback()
	local world = d2.newWorld()
	world:newBody { shape = d2.circle(1) }
	local function ask(depth)
		if depth == 0 then error "too deep" end
		return world:raycast(-5, 0, 5, 0, { filter = function() return ask(depth - 1) end })
	end
	local _, err = pcall(ask, 20)
	lu.assertStrContains(err, "too deep")
	lu.assertEquals(select(2, err:gsub("stack traceback:", "")), 1)
end

function TestHooks.test_any_value_can_be_the_error()
	for _, value in ipairs { { code = 1 }, 5, true, print } do
		local world = hooked(function() error(value) end)
		local ok, err = pcall(world.step, world, 1 / 60)
		lu.assertFalse(ok)
		if type(value) == "number" then value, err = 5, tonumber((tostring(err):match "^%d$" or err:match ": (%d)\n")) end -- 5.1 adds its position
		lu.assertEquals(err, value)
		whole(world)
	end
	local world = hooked(function() error(nil) end)
	lu.assertFalse((pcall(world.step, world, 1 / 60)))
	whole(world)
end

function TestHooks.test_only_the_first_error_counts_and_the_hook_is_not_called_again()
	local calls = 0
	local world = d2.newWorld { filter = function()
		calls = calls + 1
		error("error " .. calls)
	end }
	for i = 1, 5 do world:newBody { x = i * 0.1, shape = circle } end
	raises("error 1", world.step, world, 1 / 60)
	lu.assertEquals(calls, 1)
end

function TestHooks.test_changes_are_refused_inside()
	local mutators = {
		function(world) world:newBody {} end,
		function(world) world:step(1 / 60) end,
		function(world) world:destroy() end,
		function(world) world:setGravity(0, 0) end,
		function(world) world:setFilter() end,
		function(world) world:setWorkers(2) end,
		function(world) world:validate() end,
		function(world) world:beginContacts() end,
		function(_, a) a:destroy() end,
		function(_, a) a:setFriction(1) end,
		function(_, a) a:setShape(circle) end,
		function(_, a) a:getBody():destroy() end,
		function(_, a) a:getBody():setPosition(0, 0) end,
		function(_, a) a:getBody():newCollider(circle) end,
		function(_, a) a:getBody():setEnabled(false) end,
		function(_, a) a:getBody():setAwake(false) end,
		function(_, a) a:getBody():setType "static" end,
	}
	for _, mutator in ipairs(mutators) do
		local world = hooked(mutator)
		raises("world is locked (called from inside a step)", world.step, world, 1 / 60)
		lu.assertEquals(world:getBodyCount(), 2)
		whole(world)
	end
end

function TestHooks.test_getters_velocities_and_queries_are_allowed_inside()
	local seen
	local world = hooked(function(world, a, b)
		lu.assertTrue(world:isLocked())
		local body = a:getBody()
		body:getTransform()
		body:setLinearVelocity(0, 1)
		body:setAngularVelocity(1)
		body:applyForce(1, 1)
		body:applyImpulse(0, 1)
		body:applyTorque(1)
		body.data = "seen"
		seen = #world:overlapBox(-5, -5, 5, 5) + #world:raycastAll(-5, 0, 5, 0)
		return a ~= b
	end)
	world:step(1 / 60)
	lu.assertEquals(seen, 4)
	whole(world)
end

function TestHooks.test_sleepers_may_be_woken_inside()
	local world, sleeper
	world = d2.newWorld { gravity = { 0, 0 }, filter = function()
		sleeper:setLinearVelocity(0, 1)
		return true
	end }
	sleeper = world:newBody { x = 50, shape = circle, awake = false }
	for i = 1, 3 do world:newBody { x = 50 + i * 1.9, shape = circle, awake = false } end
	world:newBody { shape = circle }
	world:newBody { x = 1, shape = circle }
	world:step(1 / 60)
	lu.assertTrue(sleeper:isAwake())
	whole(world)
end

function TestHooks.test_false_and_nil_reject()
	for _, case in ipairs { { true, 1 }, { 1, 1 }, { false, 0 }, { [2] = 0 } } do
		local world = d2.newWorld { filter = function() return case[1] end }
		world:newBody { shape = circle }
		world:newBody { x = 1, shape = circle }
		world:step(1 / 60)
		lu.assertEquals(world:getTouchingCount(), case[2])
	end
end

function TestHooks.test_a_filter_can_be_set_and_removed()
	local world = d2.newWorld()
	local calls = 0
	world:setFilter(function() calls = calls + 1 return true end)
	world:newBody { shape = circle }
	world:newBody { x = 1, shape = circle }
	world:step(1 / 60)
	lu.assertEquals(calls, 1)
	world:setFilter(nil)
	world:newBody { x = -1, shape = circle }
	world:step(1 / 60)
	lu.assertEquals(calls, 1)
end

function TestHooks.test_a_yield_is_only_an_error()
	local world = hooked(function() coroutine.yield() return true end)
	local step = coroutine.wrap(function() return pcall(world.step, world, 1 / 60) end)
	local ok, err = step()
	lu.assertFalse(ok)
	lu.assertStrContains(err, "yield")
	whole(world)
end

function TestHooks.test_a_step_in_a_coroutine_uses_its_stack()
	local world = hooked(function(_, a, b)
		lu.assertNotNil((coroutine.running()))
		return a ~= b
	end)
	local thread = coroutine.create(function()
		world:step(1 / 60)
		coroutine.yield()
		world:step(1 / 60)
	end)
	lu.assertTrue(coroutine.resume(thread))
	collectgarbage()
	lu.assertTrue(coroutine.resume(thread))
	whole(world)
end

function TestHooks.test_a_filter_set_by_a_dead_coroutine_lives()
	local world = d2.newWorld()
	local calls = 0
	coroutine.wrap(function() world:setFilter(function() calls = calls + 1 collectgarbage() return true end) end)()
	collectgarbage() collectgarbage()
	world:newBody { shape = circle }
	world:newBody { x = 1, shape = circle }
	world:step(1 / 60)
	lu.assertEquals(calls, 1)
end

-- The collector rests: Lua loses a finalizer that finds no room on the stack, and with it the memory that it would have freed.
function TestHooks.test_endless_recursion_is_an_error()
	local function deep(n) return 1 + deep(n + 1) end
	local world = hooked(function() return deep(1) end)
	collectgarbage "stop"
	raises("stack overflow", world.step, world, 1 / 60)
	collectgarbage "restart"
	whole(world)
end

-- A step inside a filter inside a step ..., each of a new world.
function TestHooks.test_nested_worlds_are_valid_or_an_error()
	local depth, worlds = 0, {}
	local function nest()
		depth = depth + 1
		if depth > 500 then return true end
		local world = d2.newWorld { filter = nest }
		worlds[#worlds + 1] = world
		world:newBody { shape = circle }
		world:newBody { x = 1, shape = circle }
		world:step(1 / 60)
		return true
	end
	pcall(nest)
	lu.assertTrue(#worlds > 10)
	depth = 1000
	for _, world in ipairs(worlds) do whole(world) end
end

function TestHooks.test_the_query_raises_errors_of_its_filter()
	local world = hooked(function() return true end)
	local calls = 0
	local function bad() calls = calls + 1 error "oops" end
	for _, query in ipairs { "raycast", "raycastAll", "raycastAny", "overlapBox" } do
		calls = 0
		raises("oops", world[query], world, -5, -0.1, 5, 0.1, { filter = bad })
		lu.assertEquals(calls, 1)
		lu.assertFalse(world:isLocked())
	end
	raises("oops", world.overlapShape, world, circle, nil, { filter = bad })
	whole(world)
end

function TestHooks.test_query_filters_may_read_but_not_change()
	local world = hooked(function() return true end)
	local inner = 0
	local list = world:overlapBox(-5, -5, 5, 5, { filter = function(collider)
		inner = inner + #world:overlapBox(-5, -5, 5, 5) + #world:raycastAll(-5, 0, 5, 0, { filter = function() return true end })
		return collider:getBody():getPosition() == 0
	end })
	lu.assertEquals(#list, 1)
	lu.assertEquals(inner, 8)
	for _, change in ipairs { world.step, world.destroy, function() list[1]:destroy() end, function() world:newBody {} end } do
		raises("world is locked (called from inside a query)", world.raycast, world, -5, 0, 5, 0,
			{ filter = function() change(world, 0) end })
	end
	whole(world)
end

-- A finalizer is script code that runs during any allocation.
function TestHooks.test_finalizers_may_destroy_objects_in_use()
	if _VERSION == "Lua 5.1" then return end -- tables have no finalizers there
	local world = d2.newWorld()
	for i = 1, 300 do
		local body = world:newBody { x = i, shape = circle, data = i }
		setmetatable({}, { __gc = function() body:destroy() end })
	end
	for _ = 1, 5 do
		collectgarbage()
		for i = 1, 100 do
			local body = world:newBody { x = i, shapes = { { shape = circle, data = i }, { shape = circle } } }
			setmetatable({}, { __gc = function() body:destroy() end })
			world:getBodies()
			world:overlapBox(0, 0, 50, 1)
			world:raycastAll(0, 0, 50, 0)
		end
		world:step(1 / 60)
		world:validate()
	end
end

-- Lists are read raw: a list with a metatable is refused, as the metatable's elements would be missed.
function TestErrors.test_a_list_with_a_metatable_is_refused()
	local world = d2.newWorld {}
	local shapes = setmetatable({}, { __index = function() return { shape = d2.circle(1) } end, __len = function() return 1 end })
	lu.assertErrorMsgContains("newBody: shapes must be a plain table, without a metatable", world.newBody, world, { shapes = shapes })
	lu.assertEquals(world:getBodyCount(), 0)
end

-- The debug library can remove upvalues and user values. The binding reports that as an error.
-- Points on a parabola, written from the last number to the first or from the first to the last, without one of them.
local function long_list(backwards, hole)
	local list = {}
	for i = backwards and 2000 or 1, backwards and 1 or 2000, backwards and -1 or 1 do
		local x = math.floor((i + 1) / 2)
		if i ~= hole then list[i] = i % 2 == 1 and x or x * x end
	end
	return list
end

-- Short lists are checked key by key, long ones by their ends.
function TestErrors.test_long_lists()
	for _, backwards in ipairs { false, true } do
		lu.assertEquals(d2.chain(long_list(backwards)):getPoints(), long_list())
		for _, hole in ipairs { 1, 2, 1000, 1936, 1937, 1999 } do
			raises("chain: points", d2.chain, long_list(backwards, hole))
		end
		for _, key in ipairs { "loop", 0, -1, 2002, 0.5, true } do
			local list = long_list(backwards)
			list[key] = 1
			raises("chain: points", d2.chain, list)
		end
	end
end

function TestErrors.test_values_removed_by_the_debug_library_are_reported()
	local world = d2.newWorld { filter = function() return true end }
	local body = world:newBody {}
	local step = world.step
	local name, shared = debug.getupvalue(step, 1)
	debug.setupvalue(step, 1, nil)
	lu.assertErrorMsgContains("lost its upvalue", step, world, 0.1)
	debug.setupvalue(step, 1, shared)
	world:step(0.1)
	-- Properties that cannot be set have no row of their own to serve a setter.
	local set, count = world.setRestitutionThreshold, world.getBodyCount
	local _, own = debug.getupvalue(set, 3)
	local _, other = debug.getupvalue(count, 3)
	debug.setupvalue(set, 3, other)
	lu.assertErrorMsgContains("lost its upvalue", set, world, 1)
	debug.setupvalue(set, 3, own)
	set(world, 1)
	if debug.setuservalue then
		debug.setuservalue(body, nil, 1)
		lu.assertErrorMsgContains("lost its user value", body.getWorld, body)
	end
end

-- A double root, a root beyond the range of doubles, and an equation without roots.
function TestErrors.test_roots_and_inertias_out_of_range()
	lu.assertEquals({ d2.quadratic(5e-324, 4, -2) }, { 0.5 })
	lu.assertEquals({ d2.quadratic(5e-324, 0, -1e300) }, {})
	local d3 = require("collide").d3
	lu.assertErrorMsgContains("mass: density must be less, for a shape of this size", d3.mass, d3.sphere(1e7), 1e7)
	lu.assertErrorMsgContains("got 10000000", d3.mass, d3.sphere(1e7), 1e7)
	lu.assertAlmostEquals(select(5, d3.mass(d3.sphere(1e6), 1e7)), 0.4 * 4 / 3 * math.pi * 1e37, 1e31)
end
