-- Ragdolls fall on 100 meshes, each a floor with an upright ring, 30 more about every 16th step up to 300; then each new one replaces the oldest: bodies,
-- masses, joints, sizes and steps of Box3D's benchmark "rain". A ragdoll has 14 bones, nine spherical joints and four revolute ones with limits, springs and
-- friction. The argument is the number of floors a side, 10.
-- Source of a ragdoll's measures: Box3D's shared/human.c (Catto, 2026).
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "rain3d", duration = 400 / 60, brief = { duration = 0.6, args = { "2" } } }
local count, size, group_size = 10, 15, 3
local world, groups, made, oldest

-- place and turn: of the bone in the ragdoll's frame; capsule: from, to, radius; rotationA and B: of the joint's frame, whose z axis is the axis of the twist
-- or of the hinge; swing (of spherical joints), lower and upper [degrees]; friction: share of the torque. Bones of a group do not collide with each other.
local bones = {
	{
		name = "pelvis", place = { 0, 0.932087, -0.051708 }, turn = { 0.739169, 0, 0, 0.67352 },
		capsule = { 0.07, 0, -0.08, -0.07, 0, -0.08, 0.13 },
	},
	{
		name = "spine 01", parent = 1, place = { 0, 1.113505, -0.03481 }, turn = { 0.739973, 0, 0, 0.672637 },
		capsule = { 0.06, 0, -0.052264, -0.06, 0, -0.052264, 0.12 }, grouped = true,
		anchorA = { 0, 0, -0.182204 }, rotationA = { -0.999999, 0, 0, 0.001194 },
		anchorB = { 0, 0, -0.007736 }, rotationB = { -1, 0, 0, 0 },
		swing = 25, lower = -15, upper = 15,
	},
	{
		name = "spine 02", parent = 2, place = { 0, 1.194336, -0.027087 }, turn = { 0.703611, 0, 0, 0.710586 },
		capsule = { 0.08, -0.015133, -0.091801, -0.08, -0.015133, -0.091801, 0.1 },
		anchorA = { 0, 0, -0.088935 }, rotationA = { -0.998619, 0, 0, -0.05254 },
		anchorB = { 0, 0, -0.008199 }, rotationB = { -1, 0, 0, 0 },
		swing = 25, lower = -15, upper = 15,
	},
	{
		name = "spine 03", parent = 3, place = { 0, 1.31043, -0.028232 }, turn = { 0.669856, 0.000001, -0.000001, 0.742491 },
		capsule = { 0.11, -0.039753, -0.13, -0.11, -0.039753, -0.13, 0.145 },
		anchorA = { 0, 0, -0.124298 }, rotationA = { -0.998921, 0.000001, -0.000001, -0.046434 },
		anchorB = { 0, 0, 0 }, rotationB = { -1, 0, -0.000001, 0 },
		swing = 15, lower = -10, upper = 10,
	},
	{
		name = "neck", parent = 4, place = { 0, 1.575582, -0.055837 }, turn = { 0.879922, 0, 0, 0.475118 },
		capsule = { -0.000001, 0, -0.02, 0, -0.005, -0.08, 0.07 },
		anchorA = { 0.000001, -0.000259, -0.266585 }, rotationA = { -0.942192, -0.000001, 0, 0.335074 },
		anchorB = { 0, 0, 0 }, rotationB = { -1, 0, -0.000001, 0 },
		swing = 45, lower = -15, upper = 15, friction = 0.8,
	},
	{
		name = "head", parent = 5, place = { 0, 1.653348, -0.003241 }, turn = { 0.750288, 0, 0, 0.661111 },
		capsule = { -0.000001, 0.016892, -0.05869, 0, -0.003629, -0.115072, 0.0975 },
		anchorA = { 0, 0.001321, -0.093873 }, rotationA = { -0.974301, 0, 0, -0.225251 },
		anchorB = { 0, 0.001268, -0.005104 }, rotationB = { -1, 0, 0, 0 },
		swing = 15, lower = -15, upper = 15, friction = 0.4,
	},
	{
		name = "thigh l", parent = 1, place = { 0.090416, 0.986104, -0.03509 }, turn = { -0.703287, -0.070715, 0.053866, 0.705327 },
		capsule = { 0.023719, 0.006008, -0.039068, -0.064492, -0.004664, -0.424718, 0.09 }, grouped = true,
		anchorA = { 0.05, 0.011537, -0.055325 }, rotationA = { -0.714896, -0.022305, -0.698361, -0.02679 },
		anchorB = { 0, 0, 0 }, rotationB = { -0.002064, 0.758987, 0.017046, 0.65088 },
		swing = 10, lower = -60, upper = 40,
	},
	{
		name = "calf l", parent = 7, place = { 0.101198, 0.527027, -0.037374 }, turn = { -0.653328, -0.06686, 0.058582, 0.751838 },
		capsule = { 0.001778, 0, 0.009841, -0.078577, 0.014707, -0.41816, 0.075 },
		anchorA = { -0.069989, 0.000253, -0.453844 }, rotationA = { -0.000677, 0.760087, 0.105674, 0.641171 },
		anchorB = { 0, 0, 0 }, rotationB = { -0.044589, 0.76554, 0.053368, 0.639619 },
		lower = -5, upper = 45,
	},
	{
		name = "thigh r", parent = 1, place = { -0.090416, 0.986104, -0.03509 }, turn = { -0.703287, 0.070715, -0.053865, 0.705326 },
		capsule = { -0.023719, 0.006008, -0.039068, 0.064492, -0.004664, -0.424718, 0.09 }, grouped = true,
		anchorA = { -0.05, 0.011537, -0.055326 }, rotationA = { -0.039089, -0.714094, 0.043177, 0.697623 },
		anchorB = { 0, 0, 0 }, rotationB = { 0.758805, -0.019886, -0.651012, -0.001759 },
		swing = 10, lower = -30, upper = 60,
	},
	{
		name = "calf r", parent = 9, place = { -0.101198, 0.527027, -0.037373 }, turn = { -0.653327, 0.06686, -0.058582, 0.751839 },
		capsule = { -0.00182, 0, 0.010071, 0.077883, 0.014825, -0.418047, 0.075 },
		anchorA = { 0.069988, 0.000253, -0.453844 }, rotationA = { 0.760086, -0.000675, -0.641171, -0.105676 },
		anchorB = { 0, 0, 0 }, rotationB = { 0.76554, -0.044589, -0.639619, -0.053368 },
		lower = -45, upper = 5,
	},
	{
		name = "upper arm l", parent = 4, place = { 0.20378, 1.484275, -0.115897 }, turn = { 0.143082, 0.69598, -0.69013, 0.13733 },
		capsule = { 0, 0, 0, -0.091118, 0.037775, 0.229719, 0.075 },
		anchorA = { 0.20378, -0.069369, -0.181921 }, rotationA = { -0.278486, 0.4456, -0.097014, 0.845266 },
		anchorB = { 0, 0, 0 }, rotationB = { -0.201396, -0.001586, 0.90185, 0.382234 },
		swing = 60, lower = -5, upper = 5,
	},
	{
		name = "lower arm l", parent = 11, place = { 0.305614, 1.242908, -0.117599 }, turn = { 0.165048, 0.563437, -0.802002, 0.109959 },
		capsule = { 0, 0, 0, -0.142406, 0.039392, 0.261092, 0.05 },
		anchorA = { -0.095482, 0.039584, 0.240723 }, rotationA = { 0.512487, -0.180629, 0.839474, 0.003742 },
		anchorB = { 0, 0, 0 }, rotationB = { 0.503803, -0.029831, 0.858168, 0.094017 },
		lower = -5, upper = 60,
	},
	{
		name = "upper arm r", parent = 4, place = { -0.20378, 1.484276, -0.115899 }, turn = { 0.143083, -0.695978, 0.690132, 0.137329 },
		capsule = { 0, 0, 0, 0.091118, 0.037775, 0.229718, 0.075 },
		anchorA = { -0.203779, -0.069371, -0.181922 }, rotationA = { -0.253621, -0.414842, 0.106962, 0.867261 },
		anchorB = { 0, 0, 0 }, rotationB = { -0.201397, 0.001587, -0.90185, 0.382233 },
		swing = 60, lower = -5, upper = 5,
	},
	{
		name = "lower arm r", parent = 13, place = { -0.305614, 1.242907, -0.117599 }, turn = { 0.165048, -0.563437, 0.802002, 0.109959 },
		capsule = { 0, 0, 0, 0.142406, 0.039392, 0.261092, 0.05 },
		anchorA = { 0.095484, 0.039585, 0.240723 }, rotationA = { -0.180627, 0.512487, -0.003744, -0.839474 },
		anchorB = { 0, 0, 0 }, rotationB = { -0.029831, 0.503803, -0.094017, -0.858169 },
		lower = -60, upper = 5,
	},
}
for _, bone in ipairs(bones) do bone.shape = d3.capsule((table.unpack or unpack)(bone.capsule)) end
local friction_torque = 5

local function new_joint(bone, parent, body)
	local joint = {
		bodyA = parent, bodyB = body, anchorA = bone.anchorA, rotationA = bone.rotationA, anchorB = bone.anchorB, rotationB = bone.rotationB,
		hertz = 1, dampingRatio = 0.7, maxMotorTorque = (bone.friction or 1) * friction_torque,
	}
	local lower, upper = math.rad(bone.lower), math.rad(bone.upper)
	if bone.swing then
		joint.coneAngle, joint.lowerTwistAngle, joint.upperTwistAngle = math.rad(bone.swing), lower, upper
		return world:newSphericalJoint(joint)
	end
	joint.lowerAngle, joint.upperAngle = lower, upper
	return world:newRevoluteJoint(joint)
end

local function new_ragdoll(x, y, z, group)
	local bodies = {}
	for i, bone in ipairs(bones) do
		bodies[i] = world:newBody {
			x = x + bone.place[1], y = y + bone.place[2], z = z + bone.place[3], rotation = bone.turn,
			shape = bone.shape, density = 1000, rollingResistance = 0.2, group = bone.grouped and -group or 0,
		}
		if bone.parent then new_joint(bone, bodies[bone.parent], bodies[i]) end
	end
	return bodies
end

local function new_group(row, column)
	local x, z, ragdolls = (column + 0.5 - count / 2) * size, (row + 0.5 - count / 2) * size, {}
	for i = 1, group_size do ragdolls[i] = new_ragdoll(x + (i - 1) * 0.75, 20, z, row * count + column + 1) end
	groups[row * count + column] = ragdolls
end

local function destroy_group(row, column)
	for _, bodies in ipairs(groups[row * count + column]) do
		for _, body in ipairs(bodies) do body:destroy() end
	end
end

-- A quad of four points as two triangles.
local function add_quad(indices, a, b, c, d)
	for _, index in ipairs { a, b, c, c, d, a } do indices[#indices + 1] = index end
end

local function new_floor()
	local cells, points, indices = 8, {}, {}
	for i = 0, cells do
		for k = 0, cells do
			for _, coordinate in ipairs { size * (i / cells - 0.5), 0, size * (k / cells - 0.5) } do points[#points + 1] = coordinate end
		end
	end
	for i = 0, cells - 1 do
		for k = 1, cells do
			local a = i * (cells + 1) + k
			add_quad(indices, a, a + 1, a + cells + 2, a + cells + 1)
		end
	end
	return d3.mesh(points, indices, { oneSided = true })
end

-- A torus that stands upright, sunk to its middle.
local function new_ring()
	local steps, points, indices = 16, {}, {}
	for i = 0, steps - 1 do
		local v = 2 * math.pi * i / steps
		for k = 0, steps - 1 do
			local u, radius = 2 * math.pi * k / steps, 0.25 * size + collide.cos(v)
			for _, coordinate in ipairs { radius * collide.cos(u), radius * collide.sin(u), collide.sin(v) } do points[#points + 1] = coordinate end
		end
	end
	for i = 0, steps - 1 do
		local line, next_line = i * steps, (i + 1) % steps * steps
		for k = 0, steps - 1 do
			local next_k = (k + 1) % steps
			add_quad(indices, line + k + 1, line + next_k + 1, next_line + next_k + 1, next_line + k + 1)
		end
	end
	return d3.mesh(points, indices, { oneSided = true })
end

function scenario.setup(args)
	count = tonumber(args and args[1]) or 10
	world = d3.newWorld { gravity = { 0, -10, 0 } }
	local floor, ring = new_floor(), new_ring()
	for i = 0, count - 1 do
		for k = 0, count - 1 do
			world:newBody {
				type = "static", x = (i + 0.5 - count / 2) * size, z = (k + 0.5 - count / 2) * size, shapes = { { shape = floor }, { shape = ring } },
			}
		end
	end
	groups, made, oldest = {}, 0, 0
	return world
end

-- Steps 0, 16, 64, 80, 128, 144 ... make a column.
function scenario.update(_, tick)
	local step = tick - 1
	if step % 64 ~= 0 and step % 64 ~= 16 then return end
	if made < count then
		for row = 0, count - 1 do new_group(row, made) end
		made = made + 1
		return
	end
	for row = 0, count - 1 do
		destroy_group(row, oldest)
		new_group(row, oldest)
	end
	oldest = (oldest + 1) % count
end

-- By how much a joint exceeds its limits [rad].
local function excess(joint)
	if joint:getType() == "revolute" then
		local angle, lower, upper = joint:getAngle(), joint:getLimits()
		return math.max(lower - angle, angle - upper)
	end
	local twist, lower, upper = joint:getTwistAngle(), joint:getTwistLimits()
	return math.max(lower - twist, twist - upper, joint:getSwingAngle() - joint:getConeLimit())
end

-- The largest excess, the number of joints that exceed by a tenth or more, and the number of bones that have fallen past the floors.
function scenario.measure()
	local most, exceeded, below = 0, 0, 0
	for _, joint in ipairs(world:getJoints()) do
		local over = excess(joint)
		most = math.max(most, over)
		if over >= 0.1 then exceeded = exceeded + 1 end
	end
	for _, body in ipairs(world:getBodies()) do
		local _, y = body:getPosition()
		if y < -0.3 then below = below + 1 end
	end
	return { limitsExceeded = exceeded, limitsExceededBy = most, below = below }
end

-- In Box3D the joints of this rain are 39 mm apart at most at the end, 56 mm over the run.
function scenario.check()
	local sum, most, joints, found = 0, 0, world:getJoints(), scenario.measure()
	for _, joint in ipairs(joints) do
		local ax, ay, az = joint:getAnchorA()
		local bx, by, bz = joint:getAnchorB()
		local d = math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2)
		sum, most = sum + d, math.max(most, d)
	end
	print(("rain3d: joints are %.2f mm apart on average, %.1f mm at most; limits exceeded by %.2f rad at most; %d bones under the floors")
		:format(1000 * sum / #joints, 1000 * most, found.limitsExceededBy, found.below))
	assert(most < 0.2, "rain3d: a ragdoll is torn")
	assert(found.below == 0, "rain3d: bones have gone through the floors")
end

return scenario
