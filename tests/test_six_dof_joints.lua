-- Six-DOF joints: equal to the joints of one purpose, and each axis by the law of its limits. Springs and motors are in test_joint_table.lua.
local lu = require "luaunit"
local d3 = require("collide").d3

local DT, G = 1 / 60, 10
local NAMES = { "x", "y", "z", "rotationX", "rotationY", "rotationZ" }

TestSixDofJoints = {}

local function new_world(gravity) return d3.newWorld { gravity = gravity or { 0, 0, 0 }, sleeping = false } end

local function run(world, seconds)
	for _ = 1, math.floor(seconds / DT + 0.5) do world:step(DT) end
end

-- A ball of mass and inertia 1 about every axis, and a joint that frees the named axis alone.
local function new_ball(name, axis)
	local world = new_world()
	local ball = world:newBody { shape = d3.sphere(0.5) }
	local unit = name:find "rotation" and 0.4 * ball:getMass() * 0.25 or ball:getMass()
	return world, world:newSixDofJoint { bodyB = ball, x = 0, y = 0, z = 0, freedom = { [name] = axis } }, ball, unit
end

-- Pushes the ball along the axis, or about it.
local function push(ball, name, load)
	local v = { 0, 0, 0 }
	v[({ x = 1, y = 2, z = 3, rotationX = 1, rotationY = 2, rotationZ = 3 })[name]] = load
	if name:find "rotation" then ball:applyTorque(v[1], v[2], v[3]) else ball:applyForce(v[1], v[2], v[3]) end
end

-- A block beside its anchor, spinning under gravity, moves as on the joint that frees the same axes.
function TestSixDofJoints.test_equals_other_joints()
	local all = { rotationX = "free", rotationY = "free", rotationZ = "free" }
	for _, case in ipairs {
		{ "Weld", {}, { 0, 0, 1 } }, { "Spherical", all, { 0, 0, 1 } }, { "Prismatic", { z = "free" }, { 0, -1, 0.3 } },
		{ "Revolute", { rotationZ = "free" }, { 0.2, 0.1, 1 } }, { "Cylindrical", { z = "free", rotationZ = "free" }, { 0.1, 1, 0.1 } },
	} do
		local ends = {}
		for i, name in ipairs { case[1], "SixDof" } do
			local world = new_world { 0, -G, 0 }
			local block = world:newBody { x = 0.5, shape = d3.box(1, 0.4, 0.6), angularVelocity = { 1, 2, 3 } }
			world["new" .. name .. "Joint"](world, { bodyB = block, x = 0, y = 0, z = 0, axis = case[3], freedom = i == 2 and case[2] or nil })
			run(world, 1.5)
			local x, y, z = block:getPosition()
			ends[i] = { x, y, z, block:getRotation() }
		end
		for k = 1, 7 do lu.assertAlmostEquals(ends[2][k], ends[1][k], 2e-3, case[1]) end
	end
end

-- Each axis alone: pushed by 1, it moves by t^2 / 2 while the others stay, up to its limits.
function TestSixDofJoints.test_limits()
	for _, name in ipairs(NAMES) do
		local world, joint, ball, unit = new_ball(name, { lower = -0.2, upper = 0.5 })
		for _ = 1, 30 do
			push(ball, name, unit)
			world:step(DT)
		end
		lu.assertAlmostEquals(joint:getCoordinate(name), 0.125, 5e-3, name)
		lu.assertAlmostEquals(joint:getSpeed(name), 0.5, 1e-3, name)
		for _, way in ipairs { 1, -1 } do
			for _ = 1, 90 do
				push(ball, name, 4 * way * unit)
				world:step(DT)
				lu.assertTrue(joint:getCoordinate(name) < 0.51 and joint:getCoordinate(name) > -0.21, name)
			end
			lu.assertAlmostEquals(joint:getCoordinate(name), way > 0 and 0.5 or -0.2, 1e-3, name)
		end
		for _, other in ipairs(NAMES) do
			if other ~= name then lu.assertAlmostEquals(joint:getCoordinate(other), 0, 1e-4, other) end
		end
		lu.assertEquals({ joint:getLimits "x" }, name == "x" and { joint:getLimits "x" } or { 0, 0 })
	end
end

-- The angle about the only axis that turns counts turns, under load, and is held at a limit many turns away.
function TestSixDofJoints.test_angles_count_turns()
	for k = 1, 3 do
		local name = NAMES[3 + k]
		local world = new_world { 0, -G, 0 }
		local load = world:newBody { x = k == 1 and 0 or 1, y = k == 1 and 1 or 0, shape = d3.sphere(0.3) }
		local joint = world:newSixDofJoint { bodyB = load, x = 0, y = 0, z = 0, freedom = { [name] = { motorSpeed = 5, maxMotorTorque = 20, lower = -1, upper = 20 } } }
		run(world, 0.5)
		local first = joint:getCoordinate(name)
		for tick = 1, 150 do
			world:step(DT)
			lu.assertAlmostEquals(joint:getCoordinate(name), first + 5 * tick * DT, 0.05, name)
			for i = 1, 3 do lu.assertAlmostEquals(joint:getCoordinate(NAMES[i]), 0, 5e-3, name) end
		end
		run(world, 3)
		lu.assertAlmostEquals(joint:getCoordinate(name), 20, 0.05, name)
	end
end

-- Two free rotations: a ball on a cross does not twist. The coordinates are the rotation vector.
function TestSixDofJoints.test_two_rotations()
	local world = new_world()
	local ball = world:newBody { shape = d3.sphere(0.5) }
	local joint = world:newSixDofJoint { bodyB = ball, x = 0, y = 0, z = 0, freedom = { rotationX = "free", rotationY = { lower = -0.4, upper = 0.4 } } }
	ball:setAngularVelocity(1, 0.5, 2)
	run(world, 1)
	local qx, qy, qz, qw = joint:getRotation()
	local length = math.sqrt(qx ^ 2 + qy ^ 2 + qz ^ 2)
	local scale = 2 * math.asin(length) / length
	lu.assertTrue(qw > 0)
	lu.assertAlmostEquals(qz, 0, 1e-3)
	lu.assertAlmostEquals(joint:getCoordinate "rotationX", scale * qx, 1e-4)
	lu.assertAlmostEquals(joint:getCoordinate "rotationY", scale * qy, 1e-4)
	lu.assertAlmostEquals(joint:getCoordinate "rotationY", 0.4, 0.01)
	-- The rates are those of the coordinates.
	local before = {}
	for i, name in ipairs(NAMES) do before[i] = joint:getCoordinate(name) + joint:getSpeed(name) * DT end
	world:step(DT)
	for i, name in ipairs(NAMES) do lu.assertAlmostEquals(joint:getCoordinate(name), before[i], 2e-3, name) end
end

-- Locked, freed, limited and locked again while it sleeps.
function TestSixDofJoints.test_changes()
	local world = d3.newWorld { gravity = { 0, -G, 0 } }
	local box = world:newBody { shape = d3.box(1, 1, 1) }
	local joint = world:newSixDofJoint { bodyB = box, x = 0, y = 0, z = 0 }
	local function height() return (select(2, box:getPosition())) end
	run(world, 2)
	lu.assertFalse(box:isAwake())
	lu.assertAlmostEquals(height(), 0, 1e-3)
	joint:setLimits("y", nil)
	lu.assertTrue(box:isAwake())
	run(world, 0.5)
	lu.assertAlmostEquals(joint:getSpeed "y", -G / 2, 1e-2)
	joint:setLimits("y", -3, 1)
	run(world, 3)
	lu.assertAlmostEquals(joint:getCoordinate "y", -3, 2e-3)
	lu.assertFalse(box:isAwake())
	joint:setLimits("y", -2, -2)
	run(world, 3)
	lu.assertAlmostEquals(joint:getCoordinate "y", -2, 1e-3)
	lu.assertAlmostEquals(height(), -2, 1e-3)
	lu.assertAlmostEquals(select(2, joint:getReactionForce()), box:getMass() * G, 1e-2 * box:getMass() * G)
	joint:setEnabled(false)
	run(world, 0.5)
	lu.assertAlmostEquals(select(2, box:getLinearVelocity()), -G / 2, 1e-2)
	world:validate()
end

function TestSixDofJoints.test_bad_options()
	local world = new_world()
	local box = world:newBody { shape = d3.box(1, 1, 1) }
	for _, row in ipairs {
		{ 3, "freedom must be a table" }, { { x = 3 }, 'x must be "free", "locked" or a table, got 3' }, { { x = "fre" }, 'must be "free", "locked" or a table' },
		{ { rotationx = "free" }, "did you mean 'rotationX'" }, { { x = { maxMotorTorque = 1 } }, "did you mean 'maxMotorForce'" },
		{ { y = { lower = 1 } }, "newSixDofJoint: y: lower and upper must be given together" },
		{ { rotationZ = { lower = 1, upper = 0 } }, "rotationZ: upper must be >= lower, got 0" }, { { z = { hertz = 0 / 0 } }, "z: hertz must be a finite number" },
		{ { z = { dampingRatio = 1 } }, "z: hertz is missing" }, { { z = { motorSpeed = 1 } }, "z: maxMotorForce is missing" },
	} do
		lu.assertErrorMsgContains(row[2], world.newSixDofJoint, world, { bodyB = box, x = 0, y = 0, z = 0, freedom = row[1] })
	end
	lu.assertErrorMsgContains("unknown key 'lower'", world.newSixDofJoint, world, { bodyB = box, x = 0, y = 0, z = 0, lower = 1 })
	lu.assertEquals(world:getJointCount(), 0)
	local joint = world:newSixDofJoint { bodyB = box, x = 0, y = 0, z = 0 }
	lu.assertEquals(joint:getType(), "sixDof")
	lu.assertErrorMsgContains("did you mean 'rotationX'", joint.getCoordinate, joint, "rotatonX")
	lu.assertErrorMsgContains("coordinate must be the name of a coordinate", joint.getSpeed, joint)
	lu.assertErrorMsgContains("a sixDof joint has no such method; it has getSpeed, getCoordinate, getLimits", joint.getAngle, joint)
end
