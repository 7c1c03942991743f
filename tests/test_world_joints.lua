-- Joints without bodyA hold bodyB to the world, in both dimensions and for all types of joints.

local lu, collide, support = require "luaunit", require "collide", require "support"
local d3 = collide.d3

TestWorldJoints = {}

local number = support.random_numbers(5)

-- A test for each dimension; w has what differs: see support.wings.
local function test(name, f)
	for dim, wing in pairs(support.wings) do
		TestWorldJoints["test_" .. dim .. "_" .. name] = function()
			local w = setmetatable({ d = collide[dim], space = dim == "d3" }, { __index = wing })
			f(w)
		end
	end
end

-- Creates a joint at (x, y). kind: the constructor's name.
local function joint_at(w, world, kind, x, y, options)
	options.x, options.y = x, y
	if w.space then options.z = 0 end
	return world[kind](world, options)
end

local function kinds(w) return w.space and { "newRevoluteJoint", "newSphericalJoint" } or { "newRevoluteJoint" } end

local function body_at(w, world, x, y, shape) return world:newBody { position = w.vector(x, y), shape = shape or w.cube(w.d, 0.4) } end

-- The world is like a static body at the anchor, to the bit: positions, rotations, forces.
test("moves_as_on_a_static_body", function(w)
	for _, kind in ipairs(kinds(w)) do
		local worlds, states = {}, {}
		for i = 1, 2 do
			local world = w.d.newWorld()
			local ax, ay = 3.25, -2
			local anchor = i == 1 and world:newBody { type = "static", position = w.vector(ax, ay) } or nil
			local body = body_at(w, world, ax + 1, ay + 0.5)
			local joint = joint_at(w, world, kind, ax, ay, { bodyA = anchor, bodyB = body, hertz = 0.5, dampingRatio = 0.1, maxMotorTorque = 0.02 })
			lu.assertIs(joint:getBodyA(), anchor)
			lu.assertIs(joint:getBodyB(), body)
			states[i] = {}
			for tick = 1, 120 do
				world:step(1 / 60)
				local state = { body:getTransform() }
				for _, value in ipairs { joint:getReactionForce() } do state[#state + 1] = value end
				for _, value in ipairs { joint:getReactionTorque() } do state[#state + 1] = value end
				for _, value in ipairs { joint:getAnchorB() } do state[#state + 1] = value end
				states[i][tick] = state
			end
			worlds[i] = world
			world:validate()
		end
		lu.assertEquals(states[2], states[1])
	end
end)

test("is_not_seen", function(w)
	local bare, world = w.d.newWorld(), w.d.newWorld()
	body_at(w, bare, 1, 0)
	local body = body_at(w, world, 1, 0)
	local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body })
	lu.assertEquals(world:hash(), bare:hash())
	lu.assertNil(joint:getBodyA())
	lu.assertIs(joint:getBodyB(), body)
	lu.assertEquals(world:getBodyCount(), 1)
	lu.assertEquals(world:getBodies(), { body })
	lu.assertEquals(world:getJoints(), { joint })
	lu.assertEquals(body:getJoints(), { joint })
	lu.assertEquals(world:getColliderCount(), 1)
	lu.assertEquals(tostring(world), "world (1 bodies)")
	lu.assertEquals({ joint:getAnchorA() }, w.vector(0, 0))
	world:step(1 / 60)
	local moved = 0
	for b in world:moved() do
		lu.assertIs(b, body)
		moved = moved + 1
	end
	lu.assertEquals(moved, 1)
	lu.assertEquals(world:getContactCount(), 0)
	lu.assertEquals(world:getIslandCount(), 1)
	world:validate()
end)

test("is_drawn_from_its_body_alone", function(w)
	local world = w.d.newWorld()
	local body = body_at(w, world, 1, 0, w.ball(w.d, 0.2))
	joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body })
	local segments, points = {}, {}
	world:draw({ segment = function(meaning, ...) if meaning == "joint" then segments[#segments + 1] = { ... } end end,
		point = function(meaning, ...) if meaning == "joint" then points[#points + 1] = { ... } end end }, { joints = true, shapes = false })
	lu.assertEquals(segments[1], w.space and { 1, 0, 0, 0, 0, 0 } or { 1, 0, 0, 0 })
	lu.assertEquals(#segments, w.space and 2 or 1) -- in 3D the axis, too
	lu.assertEquals(#points, 2)
end)

-- Destroyed with the joint, with its body and with the world; what is made afterwards is whole, whatever ids it gets.
test("ends_with_its_joint", function(w)
	local world = w.d.newWorld()
	for _ = 1, 60 do
		local bodies = {}
		for i = 1, 6 do
			bodies[i] = body_at(w, world, 2 * i, 0)
			joint_at(w, world, "newRevoluteJoint", 2 * i, 1, { bodyB = bodies[i], collideConnected = i % 2 == 0 })
		end
		world:step(1 / 60)
		lu.assertEquals(world:getJointCount(), 6)
		lu.assertEquals(world:getBodyCount(), 6)
		world:getJoints()[math.floor(number(1, 6.99))]:destroy()
		world:validate()
		bodies[math.floor(number(1, 6.99))]:destroy()
		world:step(1 / 60)
		world:validate()
		for _, body in ipairs(world:getBodies()) do body:destroy() end
		lu.assertEquals(world:getJointCount(), 0)
		lu.assertEquals(world:getBodies(), {})
		world:validate()
	end
	local body = body_at(w, world, 0, 0)
	local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body, data = "kept" })
	lu.assertEquals(joint.data, "kept")
	world:destroy()
	lu.assertFalse(joint:isValid())
end)

test("sleeps_and_wakes", function(w)
	local world = w.d.newWorld()
	local body = body_at(w, world, 0, -1)
	local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body })
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertFalse(body:isAwake())
	lu.assertEquals(world:getAwakeCount(), 0)
	world:validate()
	body:applyImpulse(w.numbers(0.2, 0))
	for _ = 1, 30 do world:step(1 / 60) end
	lu.assertTrue(body:isAwake())
	joint:destroy()
	for _ = 1, 60 do world:step(1 / 60) end
	lu.assertTrue(select(2, body:getPosition()) < -3)
	world:validate()
end)

-- The body collides with everything else, whatever collideConnected says.
test("does_not_stop_collisions", function(w)
	for _, collides in ipairs { true, false } do
		local world = w.d.newWorld()
		world:newBody { type = "static", position = w.vector(1.5, -1), shape = w.cube(w.d, 1) }
		local body = body_at(w, world, 1.5, 0)
		local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body, collideConnected = collides })
		lu.assertEquals(joint:isCollideConnected(), collides)
		joint:setCollideConnected(not collides)
		for _ = 1, 60 do world:step(1 / 60) end
		lu.assertAlmostEquals(select(2, body:getPosition()), -0.3, 0.05)
		world:validate()
	end
end)

test("with_bodies_that_are_disabled_or_change_type", function(w)
	local world = w.d.newWorld()
	local body = body_at(w, world, 1, 0)
	local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body })
	local function run(ticks)
		for _ = 1, ticks do world:step(1 / 60) end
		world:validate()
	end
	body:setEnabled(false)
	run(3)
	body:setEnabled(true)
	body:setType "static"
	run(3)
	body:setType "dynamic"
	run(10)
	local x, y = body:getPosition()
	lu.assertAlmostEquals(x * x + y * y, 1, 0.01)
	lu.assertTrue(y < -0.05)
	lu.assertIs(world:getJoints()[1], joint)
end)

-- The anchor is exact at any distance from the origin.
test("far_from_the_origin", function(w)
	for _, far in ipairs { 1e6 + 0.125, 1e9 + 0.125, 1e12 + 0.125 } do
		local world = w.d.newWorld()
		local body = body_at(w, world, far + 1, 0)
		local joint = joint_at(w, world, "newRevoluteJoint", far, 0, { bodyB = body })
		for _ = 1, 60 do world:step(1 / 60) end
		lu.assertEquals(joint:getAnchorA(), far)
		local x, y = joint:getAnchorB()
		lu.assertAlmostEquals(x, far, 1e-3)
		lu.assertAlmostEquals(y, 0, 1e-3)
	end
end)

test("by_anchors", function(w)
	local world = w.d.newWorld()
	local body = body_at(w, world, 5, 5)
	local joint = world:newRevoluteJoint { bodyB = body, anchorA = w.vector(5, 6), anchorB = w.vector(0, 1) }
	lu.assertEquals({ joint:getAnchorA() }, w.vector(5, 6))
	lu.assertEquals({ joint:getAnchorB() }, w.vector(5, 6))
	for _ = 1, 60 do world:step(1 / 60) end
	lu.assertAlmostEquals(select(2, body:getPosition()), 5, 0.01)
end)

test("limits_springs_and_motors", function(w)
	local world = w.d.newWorld { gravity = w.vector(0, 0) }
	local body = body_at(w, world, 0, 0)
	local joint = joint_at(w, world, "newRevoluteJoint", 0, 0, { bodyB = body, motorSpeed = 3, maxMotorTorque = 0.1 })
	for _ = 1, 15 do world:step(1 / 60) end
	lu.assertAlmostEquals(joint:getSpeed(), 3, 0.01)
	joint:setLimits(-0.5, 0.75)
	for _ = 1, 60 do world:step(1 / 60) end
	lu.assertAlmostEquals(joint:getAngle(), 0.75, 0.01)
	joint:setMotor(nil)
	joint:setSpring(4, 1, -0.25)
	for _ = 1, 120 do world:step(1 / 60) end
	lu.assertAlmostEquals(joint:getAngle(), -0.25, 0.01)
end)

test("errors", function(w)
	local world, other = w.d.newWorld(), w.d.newWorld()
	local body, dead = body_at(w, world, 0, 0), body_at(w, world, 1, 0)
	dead:destroy()
	local before = world:hash()
	for _, kind in ipairs(kinds(w)) do
		local function raises(message, options) lu.assertErrorMsgContains(kind .. ": " .. message, joint_at, w, world, kind, 0, 0, options) end
		raises("bodyB is missing", {})
		raises("bodyB is missing", { bodyA = body })
		raises("bodyA is destroyed", { bodyA = dead, bodyB = body })
		raises("bodyA must be a body, got false", { bodyA = false, bodyB = body })
		raises("bodyB must be a body of this world", { bodyB = body_at(w, other, 0, 0) })
		raises(w.space and "x, y and z must be within" or "x and y must be within", { bodyB = body_at(w, world, 2e7, 0) })
		lu.assertEquals(world:getJointCount(), 0)
		world:validate()
		world:getBodies()[2]:destroy()
	end
	lu.assertErrorMsgContains("either x", world.newRevoluteJoint, world, { bodyB = body })
	lu.assertEquals(world:hash(), before)
end)

-- A door on a hinge, held by a latch until a push breaks it.
function TestWorldJoints.test_door_with_a_latch_that_breaks()
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	local door = world:newBody { position = { 0.5, 1, 0 }, shape = d3.box(1, 2, 0.1), density = 100 }
	local hinge = world:newRevoluteJoint { bodyB = door, x = 0, y = 1, z = 0, axis = { 0, 1, 0 }, lowerAngle = 0, upperAngle = 2 }
	local latch, loads = world:newSphericalJoint { bodyB = door, x = 1, y = 1, z = 0, forceThreshold = 200, breakable = true }, {}
	local function push(force, ticks)
		for _ = 1, ticks do
			local x, y, z = door:getWorldPoint(0.5, 0, 0)
			local fx, fy, fz = door:getWorldVector(0, 0, -force)
			door:applyForce(fx, fy, fz, x, y, z)
			world:step(1 / 60)
			for joint, load, _, broken in world:jointEvents() do
				lu.assertTrue(joint == latch and broken)
				loads[#loads + 1] = load
			end
		end
	end
	push(100, 60)
	lu.assertEquals(loads, {})
	lu.assertAlmostEquals(hinge:getAngle(), 0, 0.01)
	lu.assertAlmostEquals(select(3, latch:getReactionForce()), 100, 1)
	push(500, 5)
	lu.assertEquals(#loads, 1)
	lu.assertTrue(loads[1] > 200 and loads[1] < 505)
	push(5, 300)
	lu.assertEquals({ #loads, latch:isValid() }, { 1, false })
	lu.assertAlmostEquals(hinge:getAngle(), 2, 0.02)
end

-- The frame of the joint in the world: by axisA and rotationA.
function TestWorldJoints.test_axes_in_the_world()
	local world = d3.newWorld()
	local body = world:newBody { axis = { 1, 2, 3 }, angle = 0.5 }
	for _, options in ipairs {
		{ axis = { 0, 3, 4 } }, { axisA = { 0, 3, 4 }, axisB = { body:getLocalVector(0, 3, 4) } },
		{ rotationA = { d3.lookRotation(0, 3, 4) }, rotationB = { axis = { 1, 0, 0 }, angle = 1 } },
	} do
		options.bodyB, options.x, options.y, options.z = body, 0, 0, 0
		local x, y, z = world:newRevoluteJoint(options):getAxisA()
		lu.assertAlmostEquals(x, 0, 1e-6)
		lu.assertAlmostEquals(y, 0.6, 1e-6)
		lu.assertAlmostEquals(z, 0.8, 1e-6)
	end
end
