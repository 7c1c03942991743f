-- How joints are drawn, by what the drawing means: limits where the joint stops, springs at their targets. Directions are measured about anchors.
local lu, support = require "luaunit", require "support"
local collide = require "collide"

local SIZE = 0.25 -- of arcs, cones and axes, times lengthScale

for _, dim in ipairs { "d2", "d3" } do
	local d, space = collide[dim], dim == "d3"
	local TestDrawJoints = support.suite("TestDrawJoints", dim)
	local axes = space and 3 or 2

	local function point(x, y, z) return { x, y, space and (z or 0) or nil } end
	local function box(width, height) return space and d.box(width, height, 0.5) or d.box(width, height) end
	local function at(options, x, y) options.x, options.y, options.z = x, y, space and 0 or nil return options end

	-- The segments and points of each meaning; segments are { x1, y1, [z1,] x2, ... }.
	local function drawn(world)
		local found = { joint = {}, limit = {}, spring = {}, points = {} }
		local function add(list, ...)
			for _, number in ipairs { ... } do assert(number - number == 0, "a number that is not finite") end
			list[#list + 1] = { ... }
		end
		world:draw({ segment = function(meaning, ...) add(found[meaning], ...) end, point = function(_, ...) add(found.points, ...) end },
			{ joints = true, shapes = false })
		return found
	end

	local function ends(segment)
		local from, to = {}, {}
		for i = 1, axes do from[i], to[i] = segment[i], segment[axes + i] end
		return from, to
	end

	local function distance(p, q)
		local sum = 0
		for i = 1, axes do sum = sum + (p[i] - q[i]) ^ 2 end
		return math.sqrt(sum)
	end

	-- Whether some segment goes from p to q, or back.
	local function has(list, p, q)
		for _, segment in ipairs(list) do
			local from, to = ends(segment)
			if math.max(distance(from, p), distance(to, q)) < 1e-5 or math.max(distance(from, q), distance(to, p)) < 1e-5 then return true end
		end
		return false
	end

	-- Whether the middle of some segment is at p.
	local function marks(list, p)
		for _, segment in ipairs(list) do
			local from, to = ends(segment)
			local middle = {}
			for i = 1, axes do middle[i] = (from[i] + to[i]) / 2 end
			if distance(middle, p) < 1e-5 then return true end
		end
		return false
	end

	local function polar(radius, angle) return point(radius * math.cos(angle), radius * math.sin(angle)) end

	-- A rod along x from the origin, turned by an angle about it, on a joint there.
	local function new_rod(kind, options, angle)
		local world = d.newWorld()
		local rod = world:newBody { position = point(1, 0), shape = box(2, 0.2) }
		options.bodyB, options.anchorA, options.anchorB = rod, point(0, 0), point(-1, 0)
		local joint = world[kind](world, options)
		rod:setPosition(math.cos(angle), math.sin(angle), space and 0 or nil)
		if space then rod:setRotation(0, 0, math.sin(angle / 2), math.cos(angle / 2)) else rod:setAngle(angle) end
		return world, joint, rod
	end

	function TestDrawJoints.test_limits_of_an_angle_are_where_they_stop_the_body()
		for _, angle in ipairs { -0.5, 0, 0.8 } do
			local found = drawn((new_rod("newRevoluteJoint", { lowerAngle = -0.5, upperAngle = 0.8 }, angle)))
			lu.assertTrue(has(found.joint, polar(SIZE, angle), point(0, 0)), "the hand is along the rod")
			for _, limit in ipairs { -0.5, 0.8 } do lu.assertTrue(has(found.limit, point(0, 0), polar(SIZE, limit))) end
			for _, segment in ipairs(found.limit) do
				local from, to = ends(segment)
				lu.assertAlmostEquals(distance(to, point(0, 0)), SIZE, 1e-6)
				local direction = (math.atan2 or math.atan)(to[2], to[1])
				lu.assertTrue(direction > -0.5 - 1e-5 and direction < 0.8 + 1e-5)
				lu.assertTrue(distance(from, point(0, 0)) < 1e-6 or distance(from, to) < SIZE * 0.2)
			end
			lu.assertEquals(found.spring, {})
		end
	end

	-- A ratchet has one limit, the tooth that holds it.
	function TestDrawJoints.test_a_ratchet()
		local world, joint = new_rod("newRatchetJoint", { toothAngle = 0.5 }, 0)
		local found = drawn(world)
		lu.assertEquals(#found.limit, 1)
		lu.assertTrue(has(found.limit, point(0, 0), polar(SIZE, 0)))
		lu.assertEquals(joint:getType(), "ratchet")
	end

	function TestDrawJoints.test_the_spring_of_an_angle()
		local found = drawn((new_rod("newRevoluteJoint", { hertz = 1, targetAngle = 1 }, -0.3)))
		lu.assertTrue(has(found.spring, point(0, 0), polar(0.7 * SIZE, 1)))
		for _, segment in ipairs(found.spring) do
			local _, to = ends(segment)
			local direction = (math.atan2 or math.atan)(to[2], to[1])
			lu.assertTrue(direction > -0.3 and direction < 1 + 1e-5, "from the rod to the target")
		end
		lu.assertTrue(#found.spring > 3)
		lu.assertEquals(found.limit, {})
	end

	-- Of many turns only the ends are told.
	function TestDrawJoints.test_limits_of_many_turns()
		local found = drawn((new_rod("newRevoluteJoint", { lowerAngle = -50, upperAngle = 50 }, 0)))
		lu.assertEquals(#found.limit, 34)
		lu.assertTrue(has(found.limit, point(0, 0), polar(SIZE, 50)))
	end

	function TestDrawJoints.test_a_slide()
		local world = d.newWorld()
		local body = world:newBody { position = point(2, 1), shape = box(1, 1) }
		world:newPrismaticJoint(at({ bodyB = body, axis = point(0.6, 0.8), lowerTranslation = -1, upperTranslation = 2, hertz = 2, targetTranslation = 0.5 }, 2, 1))
		body:setPosition(2.6, 1.8, space and 0 or nil)
		local found = drawn(world)
		lu.assertTrue(has(found.joint, point(1.4, 0.2), point(3.2, 2.6)), "the axis from limit to limit")
		lu.assertTrue(marks(found.limit, point(1.4, 0.2)) and marks(found.limit, point(3.2, 2.6)))
		lu.assertEquals(#found.limit, 2 * (axes - 1))
		lu.assertTrue(marks(found.spring, point(2.3, 1.4)))
		lu.assertEquals(#found.spring, axes - 1 + 9)
	end

	function TestDrawJoints.test_distances()
		local world = d.newWorld()
		local body = world:newBody { position = point(3, 0), shape = box(1, 1) }
		local joint = world:newDistanceJoint { bodyB = body, pointA = point(0, 0), pointB = point(3, 0) }
		local found = drawn(world)
		lu.assertTrue(has(found.joint, point(0, 0), point(3, 0)))
		lu.assertEquals({ #found.limit, #found.spring, #found.points }, { 0, 0, 2 })
		joint:setLimits(1, 4)
		joint:setSpring(1, 0.5, 2)
		found = drawn(world)
		lu.assertTrue(marks(found.limit, point(1, 0)) and marks(found.limit, point(4, 0)) and marks(found.spring, point(2, 0)))
		lu.assertFalse(has(found.joint, point(0, 0), point(3, 0)), "a spring instead of the rod")
		local turns, last = 0, nil
		for i = axes, #found.spring do
			local from, to = ends(found.spring[i])
			lu.assertTrue(last == nil or distance(last, from) == 0)
			turns, last = turns + 1, to
		end
		lu.assertEquals({ turns, last }, { 9, point(3, 0) })
	end

	function TestDrawJoints.test_gears_and_ropes()
		local world = d.newWorld()
		local joints, bodies = {}, {}
		for i = 1, 2 do
			bodies[i] = world:newBody { position = point(3 * i, 1), shape = box(1, 1) }
			joints[i] = world:newRevoluteJoint(at({ bodyB = bodies[i] }, 3 * i, 0))
		end
		lu.assertFalse(has(drawn(world).joint, point(3, 0), point(6, 0)))
		local gear = world:newGearJoint { jointA = joints[1], jointB = joints[2] }
		lu.assertTrue(has(drawn(world).joint, point(3, 0), point(6, 0)))
		gear:destroy()
		world:newPulleyJoint { bodyA = bodies[1], bodyB = bodies[2], pointA = point(3, 1), pointB = point(6, 1), groundA = point(3, 5), groundB = point(6, 5) }
		local found = drawn(world)
		for _, segment in ipairs { { point(3, 1), point(3, 5) }, { point(3, 5), point(6, 5) }, { point(6, 5), point(6, 1) } } do
			lu.assertTrue(has(found.joint, segment[1], segment[2]))
		end
	end

	-- One line through all points of a path, moved with its body; marks at its ends.
	function TestDrawJoints.test_paths()
		local world = d.newWorld()
		local track = world:newBody { type = "kinematic", position = point(1, 0) }
		local body = world:newBody { position = point(2, 2), shape = box(0.5, 0.5) }
		local points, flat = { { 0, 0 }, { 2, 2 }, { 5, 1 } }, {}
		for _, p in ipairs(points) do for i = 1, axes do flat[#flat + 1] = point(p[1], p[2])[i] end end
		world:newPathJoint { bodyA = track, bodyB = body, points = flat }
		track:setPosition(1, 3, space and 0 or nil)
		local found, left, last = drawn(world), 3, nil
		for _, segment in ipairs(found.joint) do
			local from, to = ends(segment)
			if last == nil or distance(last, from) > 0 then left = 3 end
			for _, p in ipairs { from, to } do
				local q = points[4 - left]
				if q and distance(p, point(q[1], q[2] + 3)) < 1e-5 then left = left - 1 end
			end
			if left == 0 then break end
			last = to
		end
		lu.assertEquals(left, 0)
		lu.assertTrue(marks(found.limit, point(0, 3)) and marks(found.limit, point(5, 4)))
	end

	-- A mouse joint pulls by a spring from its target.
	function TestDrawJoints.test_springs_of_drives()
		local world = d.newWorld()
		local body = world:newBody { position = point(2, 1), shape = box(1, 1) }
		local mouse = world:newMouseJoint(at({ body = body, hertz = 1 }, 2, 1))
		mouse:setTarget(4, 5, space and 0 or nil)
		local found = drawn(world)
		lu.assertEquals((ends(found.spring[1])), point(4, 5))
		lu.assertEquals({ #found.spring, select(2, ends(found.spring[9])) }, { 9, point(2, 1) })
		mouse:destroy()
		world:newWeldJoint(at({ bodyB = body, angularHertz = 1 }, 2, 1))
		if space then body:setRotation(math.sin(0.2), 0, 0, math.cos(0.2)) else body:setAngle(0.4) end
		found = drawn(world)
		local c, s = SIZE * math.cos(0.4), SIZE * math.sin(0.4)
		local target, now = space and { 2, 1, SIZE } or { 2 + SIZE, 1 }, space and { 2, 1 - s, c } or { 2 + c, 1 + s }
		lu.assertTrue(has(found.spring, point(2, 1), target) and has(found.spring, target, now) and has(found.joint, point(2, 1), now))
	end

	-- All types, between bodies in any pose, with all limits and springs: numbers that are finite, two points each, and no garbage.
	function TestDrawJoints.test_all_types()
		local world, number = d.newWorld { gravity = space and { 0, 0, 0 } or { 0, 0 } }, support.random_numbers(3)
		local rows = {
			{ "Revolute", { lowerAngle = -1, upperAngle = 1, hertz = 2 } }, { "Revolute", {} }, { "Distance", { minLength = 0.1, hertz = 1 } }, { "Filter", {} },
			{ "Prismatic", { lowerTranslation = -1, upperTranslation = 1, hertz = 1 } }, { "Weld", { linearHertz = 2, angularHertz = 2 } },
			{ "Wheel", { lowerSuspension = -1, upperSuspension = 1, suspensionHertz = 3 } }, { "Motor", { linearHertz = 1, angularHertz = 1 } },
			{ "Friction", { maxForce = 1, maxTorque = 1 } }, { "Ratchet", { toothAngle = 0.2 } }, { "Mouse", { hertz = 1 } }, { "Gear", {} }, { "Pulley", {} }, { "Path", {} },
		}
		if space then
			for _, row in ipairs {
				{ "Spherical", { coneAngle = 0.5, lowerTwistAngle = -1, upperTwistAngle = 1, hertz = 2 } }, { "Spherical", { coneAngles = { 2, 0.3 } } },
				{ "Cylindrical", { lowerTranslation = -1, upperTranslation = 1, lowerAngle = -1, upperAngle = 1 } },
				{ "Universal", { lowerFirstAngle = -1, upperFirstAngle = 1, lowerSecondAngle = -1, upperSecondAngle = 1 } }, { "Parallel", { hertz = 1 } },
				{ "SixDof", { freedom = { x = "free", y = { lower = -1, upper = 1, hertz = 1 }, rotationX = { lower = -1, upper = 1 }, rotationZ = "free" } } },
			} do rows[#rows + 1] = row end
		end
		local joints = {}
		for _, row in ipairs(rows) do
			local a = world:newBody { position = point(number(-9, 9), number(-9, 9), number(-9, 9)), shape = box(1, 1) }
			local b = world:newBody { position = point(number(-9, 9), number(-9, 9), number(-9, 9)), shape = box(1, 1) }
			for _, body in ipairs { a, b } do
				if space then body:setRotation(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)) else body:setAngle(number(-3, 3)) end
			end
			local kind, options = row[1], { bodyA = a, bodyB = b }
			for key, value in pairs(row[2]) do options[key] = value end
			if kind == "Gear" then options = { jointA = joints[1], jointB = joints[2] }
			elseif kind == "Mouse" then at(options, 1, 2) options.bodyA, options.bodyB, options.body = nil, nil, b
			elseif kind == "Path" then options.points = space and { 0, 0, 0, 1, 2, 3, 4, 4, 4 } or { 0, 0, 1, 2, 4, 4 } options.loop = true
			elseif kind ~= "Filter" then options.anchorA, options.anchorB = point(0.3, 0.2, 0.1), point(-0.5, 0, 0.2) end
			if kind == "Pulley" then options.groundA, options.groundB = point(0, 20), point(3, 20) end
			if kind == "Wheel" and space then options.axis, options.spinAxis = { 0, 1, 0 }, { 1, 0, 0 } end
			if kind == "Universal" then options.axis, options.secondAxis = { 0, 1, 0 }, { 1, 0, 0 } end
			joints[#joints + 1] = world["new" .. kind .. "Joint"](world, options)
		end
		for _ = 1, 3 do
			lu.assertEquals(#drawn(world).points, 2 * #rows)
			world:step(1 / 60)
		end
		local target = { segment = function() end, point = function() end }
		local options = { joints = true, shapes = false }
		lu.assertEquals(support.bytes_of(10, function() world:draw(target, options) end), 0)
	end
end

-- Every direction of B's axis on the drawn rim is at the limit: the swing's rotation vector is on the ellipse.
function TestDrawJointsInSpace.test_cones()
	local d3 = collide.d3
	for _, angles in ipairs { { 1, 1 }, { 0.4, 1.5 }, { 3, 0.5 } } do
		local world = d3.newWorld()
		local body = world:newBody { shape = d3.box(1, 1, 1) }
		world:newSphericalJoint { bodyB = body, x = 0, y = 0, z = 0, coneAngles = angles }
		local rim, spokes = 0, 0
		world:draw({ segment = function(meaning, x1, y1, z1, x2, y2, z2)
			if meaning ~= "limit" then return end
			if x1 == 0 and y1 == 0 and z1 == 0 then spokes = spokes + 1 else rim = rim + 1 end
			local across = math.sqrt(x2 * x2 + y2 * y2)
			local swing = (math.atan2 or math.atan)(across, z2)
			-- The axis z x b turns z towards b.
			local vx, vy = -y2 / across * swing, x2 / across * swing
			lu.assertAlmostEquals((vx / angles[1]) ^ 2 + (vy / angles[2]) ^ 2, 1, 1e-5)
			lu.assertAlmostEquals(math.sqrt(x2 * x2 + y2 * y2 + z2 * z2), SIZE, 1e-9)
		end }, { joints = true, shapes = false })
		lu.assertEquals({ rim, spokes }, { 32, 4 })
	end
end
