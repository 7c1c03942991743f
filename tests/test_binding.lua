-- The Lua binding: identity, data, lifetimes, options, layer names, events, loading.

local lu, collide = require "luaunit", require "collide"
local d2 = collide.d2

local circle, box = d2.circle(0.5), d2.box(1, 1)

local function step(world, count)
	for _ = 1, count or 1 do world:step(1 / 60) end
end

-- A world without gravity: bodies at rest stay where they are put.
local function still(options)
	options = options or {}
	options.gravity = options.gravity or { 0, 0 }
	return d2.newWorld(options)
end

local function near(actual, expected, margin)
	lu.assertAlmostEquals(actual, expected, margin or 1e-6 * math.max(1, math.abs(expected)))
end

TestLoading = {}

function TestLoading.test_plane_and_space_are_modules_of_their_own()
	lu.assertIs(require "collide.d2", collide.d2)
	lu.assertIs(require "collide.d3", collide.d3)
	lu.assertEquals(collide.version, "0.1.0")
end

-- Loading it again, as after package.loaded was cleared, returns the same tables: both create the same kinds of handles.
function TestLoading.test_loading_twice_is_loading_once()
	package.loaded["collide"], package.loaded["collide.d2"] = nil, nil
	local plane = require "collide.d2"
	local again = require "collide"
	lu.assertIs(again, collide)
	lu.assertIs(plane, d2)
end

TestIdentity = {}

function TestIdentity.test_the_same_object_each_time()
	local world = still()
	local body = world:newBody { shape = circle }
	local collider = body:getColliders()[1]
	lu.assertIs(world:getBodies()[1], body)
	lu.assertIs(collider:getBody(), body)
	lu.assertIs(body:getColliders()[1], collider)
	lu.assertIs(body:getWorld(), world)
	lu.assertIs(collider:getShape(), circle)
	lu.assertIs((world:raycast(-5, 0, 5, 0)), collider)
	local keys = { [body] = 1, [collider] = 2 }
	lu.assertEquals(keys[world:getBodies()[1]], 1)
	lu.assertEquals(keys[world:overlapBox(-1, -1, 1, 1)[1]], 2)
end

function TestIdentity.test_types_and_texts()
	local world = still()
	local body = world:newBody { shape = circle, name = "hero" }
	local nameless = world:newBody { shape = circle }
	lu.assertEquals(type(body), "userdata")
	lu.assertEquals(tostring(body), "body 0 \"hero\"")
	lu.assertEquals(tostring(nameless), "body 1")
	lu.assertEquals(tostring(nameless:getColliders()[1]), "collider 1")
	lu.assertEquals(tostring(world), "world (2 bodies)")
	lu.assertEquals(tostring(circle), "shape (circle)")
	lu.assertStrContains(tostring(d2.pose(1, 2, 0)), "pose (1")
	lu.assertFalse(getmetatable(body))
	lu.assertErrorMsgContains('unknown method or field "nothing" of a body', function() return body.nothing end)
end

function TestIdentity.test_lists_are_in_the_order_of_ids()
	local world = still()
	local bodies = {}
	for i = 1, 10 do bodies[i] = world:newBody { shapes = { { shape = circle }, { shape = box }, { shape = circle } } } end
	lu.assertEquals(world:getBodies(), bodies)
	for _, body in ipairs(bodies) do
		local ids = {}
		for i, collider in ipairs(body:getColliders()) do ids[i] = tonumber(tostring(collider):match "%d+") end
		lu.assertEquals(#ids, 3)
		lu.assertTrue(ids[1] < ids[2] and ids[2] < ids[3])
	end
	bodies[4]:destroy()
	table.remove(bodies, 4)
	lu.assertEquals(world:getBodies(), bodies)
end

TestData = {}

function TestData.test_any_value_on_any_object()
	local world = still()
	local body = world:newBody { shapes = { { shape = circle, data = "first" }, { shape = circle } }, data = 5 }
	local colliders = body:getColliders()
	lu.assertEquals(body.data, 5)
	lu.assertEquals(colliders[1].data, "first")
	lu.assertNil(colliders[2].data)
	lu.assertNil(world.data)
	for _, object in ipairs { world, body, colliders[2] } do
		for _, value in ipairs { "text", {}, print, object, false, 1.5 } do
			object.data = value
			lu.assertIs(object.data, value)
		end
		object.data = nil
		lu.assertNil(object.data)
	end
	lu.assertEquals(colliders[1].data, "first")
end

function TestData.test_of_one_collider_beside_the_body()
	local body = still():newBody { shape = circle, data = "body" }
	lu.assertEquals(body.data, "body")
	lu.assertNil(body:getColliders()[1].data)
	lu.assertEquals(body:newCollider(circle, { data = "collider" }).data, "collider")
end

function TestData.test_dies_with_its_object()
	local world = still()
	local weak = setmetatable({}, { __mode = "v" })
	local body = world:newBody { shape = circle, data = {} }
	weak[1] = body.data
	do
		local data = {}
		weak[2] = data
		body:getColliders()[1].data = data
	end
	collectgarbage() collectgarbage()
	lu.assertNotNil(weak[1])
	lu.assertNotNil(weak[2])
	body:destroy()
	step(world, 2)
	collectgarbage() collectgarbage()
	lu.assertNil(weak[1])
	lu.assertNil(weak[2])
	lu.assertNil(body.data)
end

function TestData.test_a_new_body_with_an_old_id_has_none()
	local world = still()
	local old = world:newBody { data = 1, name = "old" }
	old:destroy()
	local new = world:newBody {}
	lu.assertNil(new.data)
	lu.assertNil(new:getName())
	lu.assertEquals(old.data, 1)
end

TestLifetime = {}

function TestLifetime.test_a_body_keeps_its_world()
	local body
	do
		local world = still()
		body = world:newBody { shape = circle, linearVelocity = { 60, 0 } }
	end
	collectgarbage() collectgarbage()
	step(body:getWorld())
	near(body:getPosition(), 1)
end

function TestLifetime.test_an_unreferenced_world_is_collected()
	local weak = setmetatable({}, { __mode = "k" })
	do
		local world = still { filter = function() return true end }
		world.data = world
		weak[world] = true
		weak[world:newBody { shape = circle, data = world }] = true
	end
	collectgarbage() collectgarbage() collectgarbage()
	lu.assertNil(next(weak))
end

function TestLifetime.test_a_destroyed_world_releases_its_values()
	local weak = setmetatable({}, { __mode = "k" })
	local world = still()
	local body = world:newBody { data = {} }
	weak[body.data] = true
	world:destroy()
	world:destroy()
	collectgarbage() collectgarbage()
	lu.assertNil(next(weak))
	lu.assertFalse(body:isValid())
end

function TestLifetime.test_a_shape_outlives_its_variable()
	local world = still()
	do world:newBody { shape = d2.polygon { 0, 0, 1, 0, 0, 1 } } end
	collectgarbage() collectgarbage()
	local shape = world:getBodies()[1]:getColliders()[1]:getShape()
	lu.assertEquals(shape:getType(), "polygon")
	world:destroy()
	collectgarbage()
	lu.assertEquals(#shape:getPoints(), 6)
end

function TestLifetime.test_worlds_close_with_their_scope()
	if _VERSION == "Lua 5.1" then return end
	local world = load [[
		local d2 = ...
		local outer
		do
			local world <close> = d2.newWorld()
			outer = world
		end
		return outer
	]] (d2)
	lu.assertFalse(world:isValid())
end

function TestLifetime.test_many_worlds_at_once()
	local worlds = {}
	for i = 1, 5000 do worlds[i] = still() end
	local body = worlds[5000]:newBody {}
	lu.assertIs(body:getWorld(), worlds[5000])
	for _, world in ipairs(worlds) do world:destroy() end
	lu.assertFalse(body:isValid())
end

TestOptions = {}

function TestOptions.test_defaults_of_a_world()
	local world = d2.newWorld()
	local gx, gy = world:getGravity()
	lu.assertEquals({ gx, gy }, { 0, -10 })
	lu.assertEquals(world:getSubsteps(), 4)
	lu.assertEquals(world:getWorkers(), 1)
	lu.assertTrue(world:isSleepingAllowed())
	lu.assertTrue(world:isContinuous())
	lu.assertFalse(world:isBulletsHitBullets())
	lu.assertEquals(world:getFrictionMixing(), "geometric")
	lu.assertEquals(world:getRestitutionMixing(), "maximum")
	lu.assertEquals(world:getTick(), 0)
	lu.assertEquals(world:getBodyCount(), 0)
	lu.assertTrue(world:getByteCount() > 0)
	lu.assertFalse(world:isLocked())
end

function TestOptions.test_of_a_world()
	local world = d2.newWorld { gravity = { 1, 2 }, substeps = 8, workers = 2, sleeping = false, continuous = false, bulletsHitBullets = true,
		contactHertz = 60, contactDampingRatio = 5, contactSpeed = 4, jointHertz = 90, jointDampingRatio = 3, jointSolver = "direct", restitutionThreshold = 0.5, hitSpeed = 2,
		maximumSpeed = 100, maximumAngularSpeed = 30,
		frictionMixing = "minimum", restitutionMixing = "average" }
	local gx, gy = world:getGravity()
	lu.assertEquals({ gx, gy }, { 1, 2 })
	lu.assertEquals(world:getSubsteps(), 8)
	lu.assertEquals(world:getWorkers(), 2)
	lu.assertFalse(world:isSleepingAllowed())
	lu.assertFalse(world:isContinuous())
	lu.assertTrue(world:isBulletsHitBullets())
	lu.assertEquals(world:getContactHertz(), 60)
	lu.assertEquals(world:getContactDampingRatio(), 5)
	lu.assertEquals(world:getContactSpeed(), 4)
	lu.assertEquals({ world:getJointHertz(), world:getJointDampingRatio(), world:getJointSolver() }, { 90, 3, "direct" })
	lu.assertEquals(world:getRestitutionThreshold(), 0.5)
	lu.assertEquals(world:getHitSpeed(), 2)
	lu.assertEquals(world:getMaximumSpeed(), 100)
	lu.assertEquals(world:getMaximumAngularSpeed(), 30)
	lu.assertEquals(world:getFrictionMixing(), "minimum")
	lu.assertEquals(world:getRestitutionMixing(), "average")
end

function TestOptions.test_lengths_follow_the_scale()
	local world = d2.newWorld { lengthScale = 100, hitSpeed = 7 }
	lu.assertEquals(world:getContactSpeed(), 300)
	lu.assertEquals(world:getRestitutionThreshold(), 100)
	lu.assertEquals(world:getMaximumSpeed(), 40000)
	lu.assertEquals(world:getHitSpeed(), 7)
	near(world:newBody {}:getSleepThreshold(), 5)
end

function TestOptions.test_setters_of_a_world()
	local world = d2.newWorld()
	world:setGravity(3, 4)
	world:setSubsteps(2)
	world:setSleepingAllowed(false)
	world:setContinuous(false)
	world:setBulletsHitBullets(true)
	world:setContactSoftness(20, 3, 2)
	world:setJointHertz(30)
	world:setJointDampingRatio(0)
	world:setJointSolver("direct")
	world:setRestitutionThreshold(0)
	world:setHitSpeed(0)
	world:setMaximumSpeed(50)
	world:setFrictionMixing("multiply")
	world:setRestitutionMixing("minimum")
	world:setWorkers(2)
	local gx, gy = world:getGravity()
	lu.assertEquals({ gx, gy, world:getSubsteps(), world:getContactHertz(), world:getContactDampingRatio(), world:getContactSpeed() },
		{ 3, 4, 2, 20, 3, 2 })
	lu.assertEquals({ world:getJointHertz(), world:getJointDampingRatio(), world:getJointSolver() }, { 30, 0, "direct" })
	lu.assertEquals({ world:getRestitutionThreshold(), world:getHitSpeed(), world:getMaximumSpeed(), world:getWorkers() }, { 0, 0, 50, 2 })
	lu.assertEquals({ world:getFrictionMixing(), world:getRestitutionMixing() }, { "multiply", "minimum" })
	lu.assertFalse(world:isSleepingAllowed())
	lu.assertFalse(world:isContinuous())
	lu.assertTrue(world:isBulletsHitBullets())
end

function TestOptions.test_defaults_of_a_body()
	local body = still():newBody { shape = box }
	local x, y, angle = body:getTransform()
	lu.assertEquals({ x, y, angle }, { 0, 0, 0 })
	lu.assertEquals(body:getType(), "dynamic")
	near(body:getMass(), 1)
	near(body:getInertia(), 1 / 6)
	lu.assertTrue(body:isAwake())
	lu.assertTrue(body:isEnabled())
	lu.assertTrue(body:isSleepingAllowed())
	lu.assertFalse(body:isBullet())
	lu.assertEquals(body:getGravityScale(), 1)
	near(body:getSleepThreshold(), 0.05)
	lu.assertNil(body:getName())
	local collider = body:getColliders()[1]
	near(collider:getDensity(), 1)
	near(collider:getFriction(), 0.6)
	lu.assertEquals({ collider:getRestitution(), collider:getRollingResistance(), collider:getTangentSpeed(), collider:getGroup() },
		{ 0, 0, 0, 0 })
	lu.assertEquals(collider:getLayer(), "default")
	lu.assertFalse(collider:isSensor())
end

function TestOptions.test_of_a_body()
	local body = still():newBody { type = "kinematic", position = { 3, 4 }, angle = 0.5, linearVelocity = { 1, 2 }, angularVelocity = 3,
		linearDamping = 0.1, angularDamping = 0.2, gravityScale = 0.3, sleepThreshold = 0.4, sleepingAllowed = false, bullet = true,
		locks = { x = true, rotation = true }, name = "lift", data = 9, shape = box, density = 2, friction = 0.7, restitution = 0.8,
		rollingResistance = 0.9, tangentSpeed = 1.5, group = -3, sensor = true }
	local x, y, angle = body:getTransform()
	lu.assertEquals({ x, y }, { 3, 4 })
	near(angle, 0.5)
	local vx, vy = body:getLinearVelocity()
	lu.assertEquals({ vx, vy, body:getAngularVelocity() }, { 1, 2, 3 })
	near(body:getLinearDamping(), 0.1)
	near(body:getAngularDamping(), 0.2)
	near(body:getGravityScale(), 0.3)
	near(body:getSleepThreshold(), 0.4)
	lu.assertFalse(body:isSleepingAllowed())
	lu.assertTrue(body:isBullet())
	local lx, ly, rotation = body:getLocks()
	lu.assertEquals({ lx, ly, rotation }, { true, false, true })
	lu.assertEquals(body:getName(), "lift")
	lu.assertEquals(body.data, 9)
	local collider = body:getColliders()[1]
	near(collider:getDensity(), 2)
	near(collider:getFriction(), 0.7)
	near(collider:getRestitution(), 0.8)
	near(collider:getRollingResistance(), 0.9)
	lu.assertEquals(collider:getTangentSpeed(), 1.5)
	lu.assertEquals(collider:getGroup(), -3)
	lu.assertTrue(collider:isSensor())
end

function TestOptions.test_asleep_and_disabled()
	local world = still()
	lu.assertFalse(world:newBody { shape = box, awake = false }:isAwake())
	local off = world:newBody { x = 5, shape = box, enabled = false, linearVelocity = { 1, 0 } }
	lu.assertFalse(off:isEnabled())
	step(world, 10)
	lu.assertEquals((off:getPosition()), 5)
	lu.assertFalse(world:raycastAny(5, 5, 5, -5))
	off:setEnabled(true)
	step(world, 60)
	near(off:getPosition(), 6, 1e-5)
end

function TestOptions.test_mass_overrides()
	local world = still()
	local heavy = world:newBody { shape = box, mass = 12 }
	near(heavy:getMass(), 12)
	near(heavy:getInertia(), 2) -- 12 times that of a unit box of mass 1
	local off = world:newBody { shape = box, mass = 2, inertia = 3, center = { 0.25, 0 } }
	near(off:getMass(), 2)
	near(off:getInertia(), 3)
	local cx, cy = off:getLocalCenter()
	lu.assertEquals({ cx, cy }, { 0.25, 0 })
	off:resetMassData()
	near(off:getMass(), 1)
	near(off:getLocalCenter(), 0)
	off:setMassData(5, 0.5, 0.25, 7)
	near(off:getMass(), 5)
	near(off:getInertia(), 7)
	near(off:getCenter(), 0.5)
	near(world:newBody { mass = 3 }:getMass(), 3)
end

-- Creation is atomic: a body with all its shapes, or none.
function TestOptions.test_a_bad_shape_in_the_list_makes_no_body()
	local world = still()
	local hash, bytes = world:hash(), world:getByteCount()
	lu.assertFalse((pcall(world.newBody, world, { shapes = { { shape = circle }, { shape = box }, { shape = box, friction = -1 } } })))
	lu.assertEquals(world:getBodyCount(), 0)
	lu.assertEquals(world:getColliderCount(), 0)
	lu.assertEquals(world:hash(), hash)
	lu.assertEquals(world:getByteCount(), bytes)
end

TestBodies = {}

function TestBodies.test_setters_read_back()
	local body = still():newBody { shape = box }
	body:setTransform(1, 2, 3)
	local x, y, angle = body:getTransform()
	lu.assertEquals({ x, y }, { 1, 2 })
	near(angle, 3)
	body:setPosition(4, 5)
	body:setAngle(-1)
	x, y, angle = body:getTransform()
	near(x, 4)
	near(y, 5)
	near(angle, -1)
	body:setLinearVelocity(6, 7)
	body:setAngularVelocity(8)
	local vx, vy = body:getLinearVelocity()
	lu.assertEquals({ vx, vy, body:getAngularVelocity() }, { 6, 7, 8 })
	body:setLinearDamping(1)
	body:setAngularDamping(2)
	body:setGravityScale(-3)
	body:setSleepThreshold(4)
	body:setSleepingAllowed(false)
	body:setBullet(true)
	lu.assertEquals({ body:getLinearDamping(), body:getAngularDamping(), body:getGravityScale(), body:getSleepThreshold() }, { 1, 2, -3, 4 })
	lu.assertFalse(body:isSleepingAllowed())
	lu.assertTrue(body:isBullet())
	body:setLocks(true, true, false)
	local lx, ly, rotation = body:getLocks()
	lu.assertEquals({ lx, ly, rotation }, { true, true, false })
	for _, type in ipairs { "static", "kinematic", "dynamic" } do
		body:setType(type)
		lu.assertEquals(body:getType(), type)
	end
	body:setName("name with \0 in it")
	lu.assertEquals(body:getName(), "name with \0 in it")
	body:setName(nil)
	lu.assertNil(body:getName())
	body:setAwake(false)
	lu.assertFalse(body:isAwake())
	body:setAwake(true)
	lu.assertTrue(body:isAwake())
end

function TestBodies.test_frames()
	local body = still():newBody { x = 10, y = 20, angle = math.pi / 2, shape = box }
	local x, y = body:getWorldPoint(1, 0)
	near(x, 10)
	near(y, 21)
	x, y = body:getLocalPoint(10, 21)
	near(x, 1)
	near(y, 0)
	x, y = body:getWorldVector(1, 0)
	near(x, 0)
	near(y, 1)
	x, y = body:getLocalVector(0, 1)
	near(x, 1)
	near(y, 0)
	body:setAngularVelocity(2)
	x, y = body:getVelocityAt(10, 21)
	near(x, -2)
	near(y, 0)
	near(body:getKineticEnergy(), 0.5 * body:getInertia() * 4)
end

function TestBodies.test_forces_and_impulses()
	local world = still()
	local body = world:newBody { shape = box, mass = 2, inertia = 4 }
	body:applyImpulse(4, 0)
	near(body:getLinearVelocity(), 2)
	body:applyImpulse(0, 2, 1, 0)
	near(body:getAngularVelocity(), 0.5)
	body:applyAngularImpulse(2)
	near(body:getAngularVelocity(), 1)
	body:setLinearVelocity(0, 0)
	body:setAngularVelocity(0)
	body:applyForce(120, 0)
	body:applyTorque(240)
	step(world)
	near(body:getLinearVelocity(), 1, 1e-5)
	near(body:getAngularVelocity(), 1, 1e-5)
	step(world)
	near(body:getLinearVelocity(), 1, 1e-5)
end

function TestBodies.test_move_to_arrives()
	local world = still()
	local lift = world:newBody { type = "kinematic", shape = box }
	lift:moveTo(1, 2, 0.5, 1 / 60)
	step(world)
	local x, y, angle = lift:getTransform()
	near(x, 1, 1e-5)
	near(y, 2, 1e-5)
	near(angle, 0.5, 1e-4)
end

function TestBodies.test_positions_are_doubles()
	local body = still():newBody { x = 123456789.125, y = -987654321.5, shape = box }
	local x, y = body:getPosition()
	lu.assertEquals({ x, y }, { 123456789.125, -987654321.5 })
end

TestColliders = {}

function TestColliders.test_setters_read_back()
	local world = still { layers = { "a", "b" } }
	local body = world:newBody { shape = box }
	local collider = body:getColliders()[1]
	collider:setDensity(3)
	near(body:getMass(), 3)
	collider:setFriction(0.25)
	collider:setRestitution(0.5)
	collider:setRollingResistance(0.75)
	collider:setTangentSpeed(-2)
	collider:setLayer("b")
	collider:setGroup(7)
	lu.assertEquals({ collider:getDensity(), collider:getFriction(), collider:getRestitution(), collider:getRollingResistance(),
		collider:getTangentSpeed(), collider:getLayer(), collider:getGroup() }, { 3, 0.25, 0.5, 0.75, -2, "b", 7 })
	collider:setShape(d2.box(2, 2))
	near(body:getMass(), 12)
	lu.assertEquals(#collider:getShape():getPoints(), 8)
end

function TestColliders.test_are_added_and_removed()
	local world = still()
	local body = world:newBody { shape = box }
	local second = body:newCollider(d2.circle(1, 3, 0), { density = 2 })
	lu.assertEquals(#body:getColliders(), 2)
	near(body:getMass(), 1 + 2 * math.pi)
	second:destroy()
	near(body:getMass(), 1)
	lu.assertEquals(world:getColliderCount(), 1)
	body:destroy()
	lu.assertEquals(world:getColliderCount(), 0)
	world:validate()
end

function TestColliders.test_geometry()
	local world = still()
	local collider = world:newBody { x = 10, shape = d2.box(2, 4) }:getColliders()[1]
	local x1, y1, x2, y2 = collider:getBox()
	near(x1, 9, 1e-5)
	near(y1, -2, 1e-5)
	near(x2, 11, 1e-5)
	near(y2, 2, 1e-5)
	lu.assertTrue(collider:containsPoint(10.5, 1))
	lu.assertFalse(collider:containsPoint(11.5, 1))
	local x, y, nx, ny, fraction = collider:raycast(0, 1, 20, 1)
	near(x, 9)
	near(y, 1)
	near(nx, -1)
	near(ny, 0)
	near(fraction, 0.45)
	lu.assertNil(collider:raycast(0, 10, 20, 10))
end

TestEvents = {}

-- The handles of begin and end events after a step, as { begins, ends }.
local function contact_events(world)
	local begins, ends = {}, {}
	for a, b in world:beginContacts() do begins[#begins + 1] = { a, b } end
	for a, b in world:endContacts() do ends[#ends + 1] = { a, b } end
	return begins, ends
end

function TestEvents.test_destroyed_colliders_are_named_by_the_handles_that_were_known()
	local world = still()
	local a = world:newBody { shape = box, data = "a" }:getColliders()[1]
	local coin = world:newBody { x = 0.9, shape = box, data = "coin", name = "coin" }
	local b = coin:getColliders()[1]
	b.data = "collider"
	step(world)
	local begins = contact_events(world)
	lu.assertEquals(#begins, 1)
	coin:destroy()
	lu.assertEquals(b.data, "collider")
	lu.assertEquals(coin.data, "coin")
	local again = contact_events(world)
	lu.assertIs(again[1][2] == b and again[1][2] or again[1][1], b)
	step(world)
	local _, ends = contact_events(world)
	lu.assertEquals(#ends, 1)
	local dead = ends[1][1] == a and ends[1][2] or ends[1][1]
	lu.assertIs(dead, b)
	lu.assertFalse(dead:isValid())
	lu.assertEquals(dead.data, "collider")
	lu.assertFalse((pcall(dead.getBody, dead)))
	step(world)
	lu.assertEquals(#select(2, contact_events(world)), 0)
	lu.assertNil(b.data)
end

-- The dead body's id is in use again when its end event is reported.
function TestEvents.test_a_reused_id_does_not_receive_the_old_end_event()
	local world = still()
	world:newBody { shape = box }
	local old = world:newBody { x = 0.9, shape = box }
	local dead = old:getColliders()[1]
	step(world)
	old:destroy()
	local new = world:newBody { x = 50, shape = box }:getColliders()[1]
	lu.assertEquals(tostring(new), "collider 1")
	step(world)
	local _, ends = contact_events(world)
	lu.assertEquals(#ends, 1)
	lu.assertTrue(ends[1][1] == dead or ends[1][2] == dead)
	lu.assertFalse(ends[1][1] == new or ends[1][2] == new)
end

function TestEvents.test_objects_may_be_destroyed_in_the_loop()
	local world = still()
	for i = 1, 20 do world:newBody { x = i * 0.9, shape = box, data = i } end
	step(world)
	local rows = 0
	for a, b in world:beginContacts() do
		rows = rows + 1
		if a:isValid() then a:getBody():destroy() end
		lu.assertEquals(type(b), "userdata")
	end
	lu.assertEquals(rows, 19)
	for a, b in world:contacts() do
		if a:isValid() then a:getBody():destroy() end
		if b:isValid() then b:getBody():destroy() end
	end
	for body in world:moved() do body:destroy() end
	lu.assertEquals(world:getBodyCount(), 0)
	step(world)
	local _, ends = contact_events(world)
	lu.assertEquals(#ends, 19)
	world:validate()
end

function TestEvents.test_loops_nest()
	local world = still()
	for i = 1, 5 do world:newBody { x = 3 * i, shape = box } end
	step(world)
	local pairs_seen = 0
	for a in world:moved() do
		for b in world:moved() do
			for c in world:moved() do
				if a ~= b and b ~= c and a ~= c then pairs_seen = pairs_seen + 1 end
			end
		end
	end
	lu.assertEquals(pairs_seen, 5 * 4 * 3)
end

function TestEvents.test_more_loops_at_once_than_the_pool_has()
	local world = still()
	for i = 1, 2 do world:newBody { x = 3 * i, shape = box } end
	step(world)
	local function nest(depth)
		if depth == 0 then return 1 end
		local sum = 0
		for _ in world:moved() do sum = sum + nest(depth - 1) end
		return sum
	end
	lu.assertEquals(nest(12), 2 ^ 12)
end

function TestEvents.test_stepping_in_a_loop_is_an_error()
	local world = still()
	for i = 1, 3 do world:newBody { x = 3 * i, shape = box } end
	step(world)
	local ok, err = pcall(function()
		for _ in world:moved() do step(world) end
	end)
	lu.assertFalse(ok)
	lu.assertStrContains(err, "the world was stepped during a loop over its events")
	ok, err = pcall(function()
		for _ in world:moved() do
			step(world)
			for _ in world:moved() do end
			for _ in world:moved() do end
		end
	end)
	lu.assertFalse(ok)
	lu.assertStrContains(err, "the world was stepped during a loop over its events")
end

function TestEvents.test_a_loop_that_is_over_stays_over()
	local world = still()
	world:newBody { shape = box }
	step(world)
	local loop, cursor = world:moved()
	local body = loop(cursor, nil)
	lu.assertNotNil(body)
	lu.assertNil(loop(cursor, body))
	lu.assertNil(loop(cursor, nil))
	for _, junk in ipairs { 5, "x", {}, world, body } do
		lu.assertFalse((pcall(loop, junk)))
		lu.assertFalse((pcall(loop, cursor, junk)))
	end
	lu.assertFalse((pcall(loop)))
end

function TestEvents.test_moved_reports_poses_and_going_to_sleep()
	local world = still()
	local body = world:newBody { shape = box, linearVelocity = { 6, 0 }, linearDamping = 20 }
	local asleep = 0
	for _ = 1, 300 do
		step(world)
		for moved, x, y, angle, fell_asleep in world:moved() do
			lu.assertIs(moved, body)
			local bx, by = body:getPosition()
			lu.assertEquals({ x, y, angle }, { bx, by, 0 })
			if fell_asleep then asleep = asleep + 1 end
		end
	end
	lu.assertEquals(asleep, 1)
	lu.assertFalse(body:isAwake())
end

function TestEvents.test_contacts_have_rows_for_points()
	local world = d2.newWorld()
	local floor = world:newBody { type = "static", y = -0.5, shape = d2.box(10, 1) }:getColliders()[1]
	local crate = world:newBody { y = 0.5, shape = box }
	step(world, 30)
	local rows, impulse = 0, 0
	for a, b, nx, ny, x, y, separation, point_impulse in world:contacts() do
		rows = rows + 1
		impulse = impulse + point_impulse
		lu.assertIs(a, floor)
		lu.assertIs(b, crate:getColliders()[1])
		near(nx, 0, 1e-4)
		near(ny, 1, 1e-4)
		near(math.abs(x), 0.5, 1e-2)
		near(y, 0, 1e-2)
		near(separation, 0, 1e-2)
	end
	lu.assertEquals(rows, 2)
	lu.assertTrue(impulse > 0)
end

TestLayerNames = {}

local function meets(world, a, b)
	return world:layersMeet(a, b) and world:layersMeet(b, a)
end

function TestLayerNames.test_without_collide_all_layers_collide()
	local world = still { layers = { "a", "b" } }
	lu.assertTrue(meets(world, "a", "a") and meets(world, "a", "b") and meets(world, "b", "b"))
end

function TestLayerNames.test_a_layer_in_collide_collides_only_with_those_listed()
	local world = still { layers = { "ground", "player", "coin", "other" }, collide = { player = { "ground", "coin" } } }
	lu.assertTrue(meets(world, "player", "ground"))
	lu.assertTrue(meets(world, "player", "coin"))
	lu.assertFalse(meets(world, "player", "player"))
	lu.assertFalse(meets(world, "ground", "coin"))
	for _, layer in ipairs { "ground", "player", "coin", "other" } do lu.assertTrue(meets(world, "other", layer)) end
end

function TestLayerNames.test_are_changeable()
	local world = still { layers = { "a", "b" } }
	world:setLayersMeet("a", "b", false)
	lu.assertFalse(meets(world, "a", "b"))
	world:newBody { shape = box, layer = "a" }
	world:newBody { x = 0.5, shape = box, layer = "b" }
	step(world)
	lu.assertEquals(world:getTouchingCount(), 0)
	world:setLayersMeet("b", "a", true)
	step(world, 2)
	lu.assertEquals(world:getTouchingCount(), 1)
end

function TestLayerNames.test_there_are_64()
	local names = {}
	for i = 1, 64 do names[i] = "layer " .. i end
	local world = still { layers = names, collide = { ["layer 64"] = { "layer 1" } } }
	lu.assertTrue(meets(world, "layer 64", "layer 1"))
	lu.assertFalse(meets(world, "layer 64", "layer 64"))
	local body = world:newBody { shape = box, layer = "layer 64" }
	lu.assertEquals(body:getColliders()[1]:getLayer(), "layer 64")
	lu.assertTrue(world:raycastAny(-5, 0, 5, 0, { layers = { "layer 64" } }))
	lu.assertFalse(world:raycastAny(-5, 0, 5, 0, { layers = { "layer 63" } }))
	lu.assertFalse(world:raycastAny(-5, 0, 5, 0, { layers = {} }))
	names[65] = "layer 65"
	lu.assertFalse((pcall(still, { layers = names })))
end

TestShapes = {}

function TestShapes.test_types_points_and_radii()
	local shapes = {
		{ d2.circle(2, 3, 4), "circle", 2, { 3, 4 } },
		{ d2.capsule(0, 1, 2, 3, 0.5), "capsule", 0.5, { 0, 1, 2, 3 } },
		{ d2.segment(0, 1, 2, 3), "segment", 0, { 0, 1, 2, 3 } },
		{ d2.ellipse(2, 1), "ellipse", 0, { 0, 0 } },
		{ d2.halfPlane(0, 2, 1), "halfPlane", 0, {} },
		{ d2.chain { 0, 0, 1, 0, 2, 1 }, "chain", 0, { 0, 0, 1, 0, 2, 1 } },
	}
	for _, row in ipairs(shapes) do
		lu.assertEquals(row[1]:getType(), row[2])
		near(row[1]:getRadius(), row[3])
		lu.assertEquals(row[1]:getPoints(), row[4])
	end
	lu.assertEquals(d2.box(1, 2):getType(), "box")
	lu.assertEquals(d2.polygon({ 0, 0, 1, 0, 0, 1 }, 0.25):getType(), "polygon")
	near(d2.polygon({ 0, 0, 1, 0, 0, 1 }, 0.25):getRadius(), 0.25)
	lu.assertEquals(#d2.polygon { 0, 0, 1, 0, 0.2, 0.2, 0, 1 }:getPoints(), 6)
end

function TestShapes.test_masses_and_bounds()
	local mass, cx, cy, inertia = d2.circle(2, 1, 0):getMass(3)
	near(mass, 12 * math.pi, 1e-4)
	lu.assertEquals({ cx, cy }, { 1, 0 })
	near(inertia, mass * 2, 1e-4)
	local x1, y1, x2, y2 = d2.box(2, 4):getBox(d2.pose(10, 20, math.pi / 2))
	near(x1, 8, 1e-5)
	near(y1, 19, 1e-5)
	near(x2, 12, 1e-5)
	near(y2, 21, 1e-5)
	x1, y1, x2, y2 = d2.chain { 0, 0, 5, 1, 9, -2 }:getBox()
	near(x1, 0, 1e-5)
	near(y1, -2, 1e-5)
	near(x2, 9, 1e-5)
	near(y2, 1, 1e-5)
end

function TestShapes.test_poses()
	local pose = d2.pose(1e9 + 0.5, -2, 7)
	local x, y, angle = pose:getTransform()
	lu.assertEquals({ x, y }, { 1e9 + 0.5, -2 })
	near(angle, 7 - 2 * math.pi)
	lu.assertEquals({ pose:getPosition() }, { 1e9 + 0.5, -2 })
	lu.assertEquals(pose:getAngle(), angle)
	lu.assertEquals(d2.pose(0, 0):getAngle(), 0)
end

-- One shape serves in many bodies and worlds.
function TestShapes.test_are_shared()
	local shape = d2.box(1, 1)
	local worlds = {}
	for i = 1, 3 do
		worlds[i] = d2.newWorld()
		for j = 1, 3 do worlds[i]:newBody { x = j * 2, shape = shape } end
	end
	for _, world in ipairs(worlds) do
		step(world, 10)
		for _, body in ipairs(world:getBodies()) do lu.assertIs(body:getColliders()[1]:getShape(), shape) end
	end
	lu.assertEquals(worlds[1]:hash(), worlds[3]:hash())
end

TestQueries = {}

local function three()
	local world = still { layers = { "wall", "ghost" } }
	local bodies = {}
	for i = 1, 3 do
		bodies[i] = world:newBody { x = 3 * i, shape = box, data = i, layer = i == 2 and "ghost" or "wall", sensor = i == 3 }
	end
	return world, bodies
end

function TestQueries.test_closest_all_and_any()
	local world, bodies = three()
	local collider, x, y, nx, ny, fraction = world:raycast(0, 0, 10, 0)
	lu.assertIs(collider:getBody(), bodies[1])
	near(x, 2.5)
	lu.assertEquals({ y, nx, ny }, { 0, -1, 0 })
	near(fraction, 0.25)
	local hits = world:raycastAll(0, 0, 10, 0)
	lu.assertEquals({ #hits, hits[1].collider:getBody().data, hits[2].collider:getBody().data }, { 2, 1, 2 })
	near(hits[2].x, 5.5)
	near(hits[2].fraction, 0.55)
	lu.assertEquals({ hits[2].nx, hits[2].ny }, { -1, 0 })
	lu.assertTrue(world:raycastAny(0, 0, 10, 0))
	lu.assertNil(world:raycast(0, 5, 10, 5))
	lu.assertEquals(world:raycastAll(0, 5, 10, 5), {})
	lu.assertFalse(world:raycastAny(0, 5, 10, 5))
end

function TestQueries.test_options()
	local world, bodies = three()
	lu.assertIs(world:raycast(0, 0, 10, 0, { layers = { "ghost" } }):getBody(), bodies[2])
	lu.assertIs(world:raycast(10, 0, 0, 0, { sensors = true }):getBody(), bodies[3])
	local function third(collider) return collider:getBody().data == 3 end
	lu.assertIs(world:raycast(0, 0, 10, 0, { sensors = true, filter = third }):getBody(), bodies[3])
	lu.assertNil(world:raycast(0, 0, 10, 0, { filter = function() end }))
	lu.assertEquals(#world:raycastAll(0, 0, 10, 0, { sensors = true }), 3)
	lu.assertEquals(#world:overlapBox(0, -1, 10, 1), 2)
	lu.assertEquals(#world:overlapBox(10, 1, 0, -1, { sensors = true }), 3)
	lu.assertEquals(#world:overlapShape(circle, d2.pose(3.2, 0)), 1)
	lu.assertEquals(#world:overlapShape(d2.circle(20)), 2)
	lu.assertEquals(#world:overlapShape(d2.circle(20), nil, { layers = { "ghost" } }), 1)
	lu.assertEquals(#world:overlapBox(3, 0, 3, 0), 1)
	lu.assertEquals(#world:overlapBox(2.4, 0.6, 2.45, 0.7), 0)
end
