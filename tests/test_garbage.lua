-- Functions called every frame must leave no garbage: bytes are counted with the collector stopped.

local lu, bytes_of = require "luaunit", require("support").bytes_of
local d2 = require("collide").d2

TestGarbage = {}

-- Boxes on a floor, a rolling ball, an overlapping sensor: in each step there is something of each kind to solve or to query.
local function busy_world(options)
	local world = d2.newWorld(options)
	world:newBody { type = "static", shape = d2.box(100, 1) }
	for i = 1, 20 do
		world:newBody { x = i * 1.5 - 15, y = 1 + i % 3, shape = d2.box(1, 1), sleepingAllowed = false, name = "box", data = i }
	end
	world:newBody { type = "static", y = 2, shape = d2.box(10, 4), sensor = true }
	local ball = world:newBody { y = 8, shape = d2.circle(0.5), linearVelocity = { 1, 0 }, sleepingAllowed = false, bullet = true }
	return world, ball
end

function TestGarbage.test_getters_make_none()
	local world, ball = busy_world()
	local collider = ball:getColliders()[1]
	local shape, pose = collider:getShape(), d2.pose(1, 2, 3)
	world:step(1 / 60)
	lu.assertEquals(bytes_of(2000, function()
		ball:getPosition() ball:getAngle() ball:getTransform() ball:getLinearVelocity() ball:getAngularVelocity()
		ball:getVelocityAt(1, 2) ball:getMass() ball:getInertia() ball:getCenter() ball:getLocalCenter() ball:getLocks()
		ball:getType() ball:isAwake() ball:isEnabled() ball:isValid() ball:getName() ball:getWorld() ball:getKineticEnergy()
		ball:getWorldPoint(1, 2) ball:getLocalPoint(1, 2) ball:getWorldVector(1, 2) ball:getLocalVector(1, 2)
		ball:getLinearDamping() ball:getGravityScale() ball:getSleepThreshold() ball:isBullet()
		collider:getBody() collider:getShape() collider:getFriction() collider:getLayer() collider:getGroup() collider:isSensor()
		collider:getBox() collider:containsPoint(0, 8) collider:raycast(0, 10, 0, 0)
		world:getGravity() world:getBodyCount() world:getAwakeCount() world:getContactCount() world:getTick() world:getByteCount()
		world:getFrictionMixing() world:layersMeet("default", "default")
		shape:getType() shape:getRadius() shape:getMass(1) shape:getBox(pose) pose:getPosition() pose:getAngle()
	end), 0)
end

function TestGarbage.test_setters_make_none()
	local world, ball = busy_world()
	local collider = ball:getColliders()[1]
	local shape = d2.circle(0.4)
	lu.assertEquals(bytes_of(500, function()
		ball:setPosition(0, 8) ball:setAngle(1) ball:setTransform(0, 8, 0.5) ball:setLinearVelocity(1, 2)
		ball:setAngularVelocity(3) ball:applyForce(1, 2) ball:applyForce(1, 2, 0, 8) ball:applyTorque(1) ball:applyImpulse(0.1, 0)
		ball:applyAngularImpulse(0.1) ball:setLinearDamping(0.1) ball:setGravityScale(1) ball:setAwake(true) ball:setLocks(true, false, true)
		ball:setLocks(false, false, false) ball:setBullet(true) ball:moveTo(0, 8, 0, 1) ball:setName("ball")
		collider:setFriction(0.5) collider:setRestitution(0.1) collider:setDensity(2) collider:setLayer("default") collider:setGroup(0)
		collider:setShape(shape) world:setGravity(0, -10) world:setSubsteps(4) world:setHitSpeed(1)
	end), 0)
end

function TestGarbage.test_data_makes_none()
	local world, ball = busy_world()
	local value = { health = 1 }
	ball.data, world.data = value, value
	lu.assertEquals(bytes_of(2000, function()
		ball.data = value
		world.data = value
		assert(ball.data == world.data)
	end), 0)
end

function TestGarbage.test_steps_make_none()
	local world = busy_world()
	lu.assertEquals(bytes_of(300, function() world:step(1 / 60) end), 0)
end

function TestGarbage.test_advances_make_none()
	for _, d in ipairs { d2, require("collide").d3 } do
		local world = d == d2 and busy_world() or d.newWorld()
		local ball = world:newBody { y = 9, shape = d == d2 and d.circle(0.5) or d.sphere(0.5), sleepingAllowed = false, angularVelocity = d == d2 and 3 or { 1, 2, 3 } }
		local rotation = d == d2 and ball.getRenderAngle or ball.getRenderRotation
		local rows, calls, held = 0, 0, world:getBodies() -- handles that nothing holds are made anew
		local function on_tick(_, tick)
			calls = calls + 1
			ball:applyForce(tick % 2, 0, d ~= d2 and 0 or nil)
		end
		lu.assertEquals(bytes_of(300, function()
			world:advance(0.025, on_tick)
			for _ in world:interpolated() do rows = rows + 1 end
			for _ in world:moved() do rows = rows + 1 end
			ball:getRenderPosition() ball:getRenderTransform() rotation(ball)
			world:getTime() world:getAlpha() world:getTimestep() world:getMaxTicks() world:setMaxTicks(4)
			world:setTimestep(1 / 60)
		end), 0)
		lu.assertTrue(calls > 450 and rows > calls and held ~= nil)
	end
end

function TestGarbage.test_steps_with_a_filter_make_none()
	local calls = 0
	local world, ball = busy_world { filter = function(a, b)
		calls = calls + 1
		return a ~= b
	end }
	local held = {} -- handles that nothing holds would be made anew after each collection
	for i, body in ipairs(world:getBodies()) do held[i] = body:getColliders() end
	local steps = 0
	lu.assertEquals(bytes_of(300, function()
		steps = steps + 1
		ball:setPosition(steps % 7 * 5 - 15, 3)
		world:step(1 / 60)
	end), 0)
	lu.assertTrue(calls > 50)
end

-- Destroying bodies may make garbage (handles die); the steps that release them make none.
function TestGarbage.test_steps_after_destructions_make_none()
	local world = busy_world()
	local bodies, sum = {}, 0
	for i = 1, 300 do bodies[i] = world:newBody { x = i, y = 50, shape = d2.circle(0.1) } end
	if jit then jit.off() end -- LuaJIT's compilation counts, too
	collectgarbage() collectgarbage()
	collectgarbage "stop"
	for _, body in ipairs(bodies) do
		body:destroy()
		local before = collectgarbage "count"
		world:step(1 / 60)
		sum = sum + collectgarbage "count" - before
	end
	collectgarbage "restart"
	if jit then jit.on() end
	lu.assertEquals(sum, 0)
end

function TestGarbage.test_event_loops_make_none()
	local world, ball = busy_world()
	local events = 0
	local function count(loop, state, first, closing)
		for _ in loop, state, first, closing do events = events + 1 end
	end
	lu.assertEquals(bytes_of(300, function()
		ball:setPosition(events % 7, 3)
		ball:setLinearVelocity(0, -20)
		world:step(1 / 60)
		count(world:beginContacts()) count(world:endContacts()) count(world:hits()) count(world:beginOverlaps())
		count(world:endOverlaps()) count(world:moved()) count(world:contacts())
	end), 0)
	lu.assertTrue(events > 300 * 20)
end

function TestGarbage.test_nested_and_broken_loops_make_none()
	local world = busy_world()
	for _ = 1, 60 do world:step(1 / 60) end
	local rows = 0
	local function loops()
		for body in world:moved() do
			for other in world:moved() do
				if other == body then break end
				rows = rows + 1
			end
		end
	end
	-- Without to-be-closed variables a loop left early keeps its cursor until the next step, so some new ones are made.
	if _VERSION == "Lua 5.1" then
		lu.assertTrue(bytes_of(1, loops) < 21 * 200)
	else
		lu.assertEquals(bytes_of(50, loops), 0)
	end
	lu.assertTrue(rows > 0)
end

function TestGarbage.test_ray_casts_make_none()
	local world = busy_world()
	world:step(1 / 60)
	local options = { layers = { "default" }, sensors = true, filter = function(collider) return collider:isSensor() end }
	lu.assertEquals(bytes_of(500, function()
		world:raycast(-20, 1, 20, 1)
		world:raycast(-20, 1, 20, 1, options)
		world:raycastAny(-20, 1, 20, 1, options)
	end), 0)
end

-- Its handle and a slot for its shape are a body's only cost in Lua, and they are released.
function TestGarbage.test_made_and_destroyed_objects_leave_nothing()
	local world = d2.newWorld()
	local shape = d2.circle(1)
	local function round()
		for i = 1, 100 do
			local body = world:newBody { x = i, shape = shape, name = "n", data = shape }
			body:newCollider(shape, { data = world })
			body:destroy()
		end
		world:step(1 / 60) world:step(1 / 60) world:step(1 / 60)
	end
	for _ = 1, 5 do round() end
	collectgarbage() collectgarbage()
	local before, bytes = collectgarbage "count", world:getByteCount()
	for _ = 1, 20 do round() end
	collectgarbage() collectgarbage()
	lu.assertTrue(collectgarbage "count" - before < 4)
	lu.assertEquals(world:getByteCount(), bytes)
end

-- The engine's memory is not counted by Lua; unreferenced worlds must be collected all the same.
function TestGarbage.test_unreferenced_worlds_are_collected_in_time()
	local shape = d2.circle(0.1)
	local alive = setmetatable({}, { __mode = "k" })
	local made, most = 0, 0
	while made < 200e6 do
		local world = d2.newWorld()
		for i = 1, 200 do world:newBody { x = i, shape = shape } end
		made = made + world:getByteCount()
		alive[world] = world:getByteCount()
		local sum = 0
		for _, bytes in pairs(alive) do sum = sum + bytes end
		most = math.max(most, sum)
	end
	lu.assertTrue(most < 100e6)
end

function TestGarbage.test_unreferenced_shapes_are_collected_in_time()
	local points = {}
	for i = 1, 20000 do points[i] = i end
	local alive = setmetatable({}, { __mode = "k" })
	for _ = 1, 1000 do alive[d2.chain(points)] = true end -- 160 kB each
	local count = 0
	for _ in pairs(alive) do count = count + 1 end
	lu.assertTrue(count < 500)
end

-- Handles of destroyed objects wait for the next step, because events may name them; without a step they must not accumulate.
function TestGarbage.test_dead_handles_do_not_accumulate_without_steps()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local shape = d2.box(1, 1)
	world:newBody { shape = shape }
	world:newBody { x = 0.9, shape = shape, data = "first" }
	world:step(1 / 60)
	local dead
	for _, b in world:beginContacts() do dead = b end
	dead.data = "kept"
	dead:getBody():destroy()
	local function round()
		for i = 1, 40000 do world:newBody { x = i, shape = shape, data = {}, name = "n" }:destroy() end
		collectgarbage() collectgarbage()
		return collectgarbage "count"
	end
	local before = round()
	lu.assertTrue(round() - before < 3000)
	lu.assertTrue(round() - before < 3000)
	lu.assertEquals(dead.data, "kept")
	world:step(1 / 60)
	for a, b in world:endContacts() do lu.assertTrue(a == dead or b == dead) end
	lu.assertEquals(dead.data, "kept")
	world:step(1 / 60)
	lu.assertNil(dead.data)
	collectgarbage() collectgarbage()
	lu.assertTrue(collectgarbage "count" < before)
end
