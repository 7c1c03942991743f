-- setFrames: a joint that is moved on its bodies is the joint that would have been created there.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local suite = support.suite

-- By dimension: how bodies are made, where they are given, and the types with keys of their own, the keys for
-- another frame, besides the place, and those that a type cannot do without.
local cases = {
	{
		d = collide.d2, name = "d2", gravity = { 1, -10 },
		place = function(at) return { x = at[1], y = at[2] } end,
		shape = collide.d2.box(1, 0.6),
		turn = function(body, angle) body:setAngle(angle) end,
		types = {
			{ "newRevoluteJoint", { lowerAngle = -0.4, upperAngle = 0.4 }, { referenceAngle = 0.2 } },
			{ "newDistanceJoint", { length = 1.3 }, {} },
			{ "newPrismaticJoint", { lowerTranslation = -0.5, upperTranslation = 0.5 }, { axis = { 3, 4 }, referenceAngle = 0.1 } },
			{ "newWeldJoint", {}, { referenceAngle = 0.3 } },
			{ "newWheelJoint", { suspensionHertz = 3 }, { axis = { 1, 2 } } },
			{ "newMotorJoint", { maxVelocityForce = 5, maxVelocityTorque = 2 }, { referenceAngle = 0.3 } },
			{ "newFrictionJoint", { maxForce = 3, maxTorque = 1 }, {} },
			{ "newRatchetJoint", { toothAngle = 0.3 }, { referenceAngle = 0.1 } },
		},
	},
	{
		d = collide.d3, name = "d3", gravity = { 1, -10, 2 },
		place = function(at) return { x = at[1], y = at[2], z = at[3] } end,
		shape = collide.d3.box(1, 0.6, 0.8),
		turn = function(body, angle)
			local s = math.sin(angle / 2) / 3
			body:setRotation(s, 2 * s, 2 * s, math.cos(angle / 2))
		end,
		types = {
			{ "newRevoluteJoint", { lowerAngle = -0.4, upperAngle = 0.4 }, { axis = { 1, 2, 3 } } },
			{ "newSphericalJoint", { coneAngle = 0.3, lowerTwistAngle = -0.2, upperTwistAngle = 0.2 }, { axis = { 0, 1, 1 } } },
			{ "newDistanceJoint", { length = 1.3 }, {} },
			{ "newPrismaticJoint", { lowerTranslation = -0.5, upperTranslation = 0.5 }, { axis = { 3, 4, 1 } } },
			{ "newWeldJoint", {}, { rotationA = { 0, 0, 0, 1 }, rotationB = { 0.6, 0, 0, 0.8 } } },
			{ "newWheelJoint", { suspensionHertz = 3 }, { axis = { 0, 1, 0 }, spinAxis = { 1, 0, 0 } } },
			{ "newMotorJoint", { maxVelocityForce = 5, maxVelocityTorque = 2 }, { axis = { 1, 1, 0 } } },
			{ "newFrictionJoint", { maxForce = 3, maxTorque = 1 }, {} },
			{ "newRatchetJoint", { toothAngle = 0.3 }, { axis = { 1, 1, 1 } } },
			{ "newCylindricalJoint", { lowerTranslation = -0.5, upperTranslation = 0.5 }, { axis = { 1, 0, 1 } } },
			{ "newUniversalJoint", {}, { axis = { 0, 1, 0 }, secondAxis = { 1, 0, 0 } }, { axis = { 1, 0, 0 }, secondAxis = { 0, 0, 1 } } },
			{ "newParallelJoint", { hertz = 2, dampingRatio = 1 }, { axis = { 0, 1, 1 } } },
			{ "newSixDofJoint", { freedom = { rotationY = "free", z = { lower = -0.2, upper = 0.2 } } }, { axis = { 0, 1, 1 } } },
		},
	},
}

local function merge(...)
	local all = {}
	for _, options in ipairs { ... } do
		for key, value in pairs(options) do all[key] = value end
	end
	return all
end

for _, case in ipairs(cases) do
	local d, axes = case.d, #case.gravity
	local TestJointFrames = suite("TestJointFrames", case.name)

	local function vector(x, y, z) return axes == 2 and { x, y } or { x, y, z } end

	-- Two bodies, of which the second one is free; held: the joint holds it to the world.
	local function new_world(held, settings)
		local world = d.newWorld(merge({ gravity = case.gravity, sleeping = false }, settings or {}))
		local a = world:newBody { type = held and "static" or "kinematic", position = vector(-1, 0.5, 0.2), shape = case.shape, angularVelocity = axes == 2 and 0.7 or { 0, 0.3, 0.7 } }
		local b = world:newBody { position = vector(1, 0.2, -0.3), shape = case.shape }
		case.turn(a, 0.4)
		case.turn(b, -0.3)
		return world, a, b
	end

	local function anchors_of(joint) return { joint:getAnchorA() }, { joint:getAnchorB() } end

	local function assert_near(a, b, tolerance)
		for i = 1, math.max(#a, #b) do lu.assertAlmostEquals(a[i], b[i], tolerance) end
	end

	function TestJointFrames.test_a_moved_joint_is_the_joint_created_there()
		for _, held in ipairs { false, true } do
			for _, row in ipairs(case.types) do
				local create, own, frame = row[1], row[2], row[3]
				local places = {
					case.place { 0.3, -0.2, 0.1 },
					{ anchorA = vector(0.5, 0.1, 0.2), anchorB = vector(-0.4, 0.2, 0.1) },
					{ pointA = vector(0.1, 0.2, 0.3), pointB = vector(0.15, 0.1, 0.2) },
				}
				for _, place in ipairs(places) do
					local hashes = {}
					for moved = 0, 1 do
						local world, a, b = new_world(held)
						local ends = { bodyA = not held and a or nil, bodyB = b }
						local joint
						if moved == 1 then
							joint = world[create](world, merge(ends, own, case.place { -2, 3, 1 }, row[4] or {}))
							joint:setFrames(merge(place, frame))
						else
							joint = world[create](world, merge(ends, own, place, frame))
						end
						world:validate()
						for tick = 1, 40 do
							world:step(1 / 60)
							if tick % 10 == 0 then hashes[#hashes + 1] = world:hash() end
						end
						world:validate()
					end
					for i = 1, 4 do lu.assertEquals(hashes[i], hashes[4 + i], create) end
				end
			end
		end
	end

	function TestJointFrames.test_what_is_not_given_stays()
		for _, held in ipairs { false, true } do
			for _, row in ipairs(case.types) do
				local world, a, b = new_world(held)
				local joint = world[row[1]](world, merge({ bodyA = not held and a or nil, bodyB = b }, row[2], case.place { 0.3, -0.2, 0.1 }, row[3]))
				local anchor_a, anchor_b = anchors_of(joint)
				local axis_a, axis_b = { joint:getAxisA() }, { joint:getAxisB() }
				joint:setFrames {}
				assert_near({ joint:getAnchorA() }, anchor_a, 1e-6)
				assert_near({ joint:getAnchorB() }, anchor_b, 1e-6)
				assert_near({ joint:getAxisA() }, axis_a, 1e-6)
				assert_near({ joint:getAxisB() }, axis_b, 1e-6)
				joint:setFrames(case.place { -0.5, 0.7, 0.4 })
				assert_near({ joint:getAnchorA() }, vector(-0.5, 0.7, 0.4), 1e-6)
				assert_near({ joint:getAnchorB() }, vector(-0.5, 0.7, 0.4), 1e-6)
				assert_near({ joint:getAxisA() }, axis_a, 1e-6)
				assert_near({ joint:getAxisB() }, axis_b, 1e-6)
				joint:setFrames(row[3])
				assert_near({ joint:getAnchorA() }, vector(-0.5, 0.7, 0.4), 1e-6)
				assert_near({ joint:getAnchorB() }, vector(-0.5, 0.7, 0.4), 1e-6)
				world:validate()
			end
		end
	end

	-- A pendulum is held to the world a million metres away, and then far from there: its anchors agree to the rounding of its own length.
	function TestJointFrames.test_a_joint_to_the_world_is_exact_everywhere()
		local world = d.newWorld { gravity = case.gravity }
		local far = 1e6
		local ball = world:newBody { position = vector(far, 0, 0), shape = axes == 2 and d.circle(0.2) or d.sphere(0.2) }
		local joint = world:newRevoluteJoint(merge({ bodyB = ball }, case.place { far, 1, 0 }))
		ball:setPosition(-far, 5, axes == 3 and 7 or nil)
		joint:setFrames(case.place { -far + 0.3, 5.4, 7 })
		world:validate()
		for _ = 1, 120 do world:step(1 / 60) end
		local anchor_a, anchor_b = anchors_of(joint)
		assert_near(anchor_a, vector(-far + 0.3, 5.4, 7), 1e-9)
		assert_near(anchor_b, anchor_a, 1e-3)
		local x, y, z = ball:getPosition()
		lu.assertAlmostEquals(math.sqrt((x + far - 0.3) ^ 2 + (y - 5.4) ^ 2 + (axes == 3 and z - 7 or 0) ^ 2), 0.5, 1e-3)
	end

	function TestJointFrames.test_bodies_wake()
		local world = d.newWorld { gravity = { 0, -10, axes == 3 and 0 or nil } }
		local ball = world:newBody { shape = axes == 2 and d.circle(0.2) or d.sphere(0.2) }
		local joint = world:newDistanceJoint { bodyB = ball, anchorA = vector(0, 1, 0), anchorB = vector(0, 0, 0), length = 1 }
		for _ = 1, 120 do world:step(1 / 60) end
		lu.assertFalse(ball:isAwake())
		joint:setFrames { anchorA = vector(0, 2, 0), anchorB = vector(0, 0, 0) }
		lu.assertTrue(ball:isAwake())
		for _ = 1, 1200 do world:step(1 / 60) end
		lu.assertAlmostEquals(select(2, ball:getPosition()), 1, 0.01)
	end

	-- Two wheels turn about axles, with the second one geared to the first: when the angle of one starts anew, both go on as they were.
	function TestJointFrames.test_gears_hold_what_they_find()
		local world = d.newWorld { gravity = axes == 2 and { 0, 0 } or { 0, 0, 0 }, sleeping = false }
		local axles, wheels = {}, {}
		for i = 1, 2 do
			wheels[i] = world:newBody { position = vector(3 * i, 0, 0), shape = axes == 2 and d.circle(1) or d.sphere(1) }
			axles[i] = world:newRevoluteJoint(merge({ bodyB = wheels[i] }, case.place { 3 * i, 0, 0 }))
		end
		world:newGearJoint { jointA = axles[1], jointB = axles[2], ratio = 1 }
		if axes == 2 then wheels[1]:setAngularVelocity(4) else wheels[1]:setAngularVelocity(0, 0, 4) end
		for _ = 1, 60 do world:step(1 / 60) end
		local speed = axles[1]:getSpeed()
		lu.assertTrue(speed > 1.9)
		axles[1]:setFrames(axes == 2 and { referenceAngle = 2 } or { axis = { 0, 0, 1 } })
		for _ = 1, 60 do world:step(1 / 60) end
		lu.assertAlmostEquals(axles[1]:getSpeed(), speed, 0.01)
		lu.assertAlmostEquals(axles[2]:getSpeed(), -speed, 0.01)
		world:validate()
	end

	function TestJointFrames.test_bad_input()
		local world, a, b = new_world()
		local joint = world:newRevoluteJoint(merge({ bodyA = a, bodyB = b }, case.place { 0, 0, 0 }))
		local before = { { joint:getAnchorA() }, { joint:getAxisA() }, joint:getAngle() }
		local bad = {
			{ nil, "options must be a table, got nil" },
			{ 3, "options must be a table, got 3" },
			{ { hertz = 1 }, "unknown key 'hertz'" },
			{ { bodyA = a }, "unknown key 'bodyA'" },
			{ { x = 1 }, (axes == 2 and "x and y" or "x, y and z") .. " must be given together" },
			{ { anchorA = vector(0, 0, 0) }, "anchorA and anchorB" },
			{ merge(case.place { 0, 0, 0 }, { anchorA = vector(0, 0, 0), anchorB = vector(0, 0, 0) }), "either" },
			{ { anchorA = vector(0 / 0, 0, 0), anchorB = vector(0, 0, 0) }, "anchorA" },
			{ { anchorA = vector(1e9, 0, 0), anchorB = vector(0, 0, 0) }, "anchorA" },
			{ { pointA = vector(1e9, 0, 0), pointB = vector(0, 0, 0) }, "pointA" },
			{ axes == 2 and { axis = { 1, 0 } } or { spinAxis = { 1, 0, 0 } }, "a revolute joint's frames have no " .. (axes == 2 and "axis" or "spinAxis") },
			{ axes == 2 and { referenceAngle = 1 / 0 } or { axis = { 0, 0, 0 } }, axes == 2 and "referenceAngle" or "axis" },
			{ axes == 2 and { z = 1 } or { referenceAngle = 1 }, "have no " .. (axes == 2 and "z" or "referenceAngle") },
		}
		for _, row in ipairs(bad) do
			lu.assertErrorMsgContains("setFrames", joint.setFrames, joint, row[1])
			lu.assertErrorMsgContains(row[2], joint.setFrames, joint, row[1])
		end
		lu.assertEquals({ { joint:getAnchorA() }, { joint:getAxisA() }, joint:getAngle() }, before)
		local mouse = world:newMouseJoint { body = b, x = 1, y = 0, z = axes == 3 and 0 or nil, hertz = 1, maxForce = 10 }
		local filter = world:newFilterJoint { bodyA = a, bodyB = b }
		lu.assertErrorMsgContains("a mouse joint has no frames to set", mouse.setFrames, mouse, {})
		lu.assertErrorMsgContains("a filter joint has no frames to set", filter.setFrames, filter, {})
		joint:destroy()
		lu.assertErrorMsgContains("destroyed", joint.setFrames, joint, {})
		world:validate()
	end

	function TestJointFrames.test_not_in_hooks()
		local joint, message
		local world = d.newWorld { gravity = case.gravity, filter = function()
			message = message or select(2, pcall(joint.setFrames, joint, {}))
			return true
		end }
		local a = world:newBody { shape = case.shape }
		local b = world:newBody { shape = case.shape, position = vector(0.1, 0, 0) }
		joint = world:newRevoluteJoint(merge({ bodyA = a, bodyB = b, collideConnected = true }, case.place { 0, 0, 0 }))
		world:step(1 / 60)
		lu.assertStrContains(message, "setFrames")
	end
end
