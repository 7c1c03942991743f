-- Ragdolls fall on five floors, 25 more every eighth step up to 1,000; then each new one replaces the oldest: bodies, joints, sizes and steps of Box2D's
-- benchmark of the same name. A ragdoll has 11 bones and 10 revolute joints with limits, springs and friction. Ragdolls with the same number in their groups
-- of five do not collide with each other.
local d2 = require("collide").d2

local scenario = { name = "rain", duration = 1000 / 60, brief = { duration = 0.5, args = {} } }
local rows, columns, group_size, span = 5, 40, 5, 250
local world, groups, made, oldest

local function capsule(y1, y2, radius) return d2.capsule(0, y1, 0, y2, radius) end

local foot = d2.polygon({ -0.03, -0.185, 0.11, -0.185, 0.11, -0.16, -0.03, -0.14 }, 0.015)
local pi = math.pi
-- name, parent, height, damping, shape, pivot, limits, friction of the joint, angle of the parent's frame, foot
local bones = {
	{ "hip", nil, 0.95, 0, capsule(-0.02, 0.02, 0.095) },
	{ "torso", 1, 1.2, 0, capsule(-0.135, 0.135, 0.09), 1.0, -0.25 * pi, 0, 0.5, 0 },
	{ "head", 2, 1.475, 0.1, capsule(-0.038, 0.039, 0.075), 1.4, -0.3 * pi, 0.1 * pi, 0.25, 0 },
	{ "upper left leg", 1, 0.775, 0, capsule(-0.125, 0.125, 0.06), 0.9, -0.05 * pi, 0.4 * pi, 1, 0 },
	{ "lower left leg", 4, 0.475, 0, capsule(-0.155, 0.125, 0.045), 0.625, -0.5 * pi, -0.02 * pi, 0.5, 0, true },
	{ "upper right leg", 1, 0.775, 0, capsule(-0.125, 0.125, 0.06), 0.9, -0.05 * pi, 0.4 * pi, 1, 0 },
	{ "lower right leg", 6, 0.475, 0, capsule(-0.155, 0.125, 0.045), 0.625, -0.5 * pi, -0.02 * pi, 0.5, 0, true },
	{ "upper left arm", 2, 1.225, 0, capsule(-0.125, 0.125, 0.035), 1.35, -0.1 * pi, 0.8 * pi, 0.5, 0 },
	{ "lower left arm", 8, 0.975, 0.1, capsule(-0.125, 0.125, 0.03), 1.1, -0.2 * pi, 0.3 * pi, 0.1, 0.25 * pi },
	{ "upper right arm", 2, 1.225, 0, capsule(-0.125, 0.125, 0.035), 1.35, -0.1 * pi, 0.8 * pi, 0.5, 0 },
	{ "lower right arm", 10, 0.975, 0.1, capsule(-0.125, 0.125, 0.03), 1.1, -0.2 * pi, 0.3 * pi, 0.1, 0.25 * pi },
}

local function new_ragdoll(x, y, group)
	local bodies = {}
	for i, bone in ipairs(bones) do
		local _, parent, height, damping, shape, pivot, lower, upper, friction, angle, with_foot = (table.unpack or unpack)(bone, 1, 11)
		local body = world:newBody {
			x = x, y = y + height, linearDamping = damping, sleepThreshold = 0.1,
			shape = shape, friction = 0.2, group = -group, layer = "bone",
		}
		if with_foot then body:newCollider(foot, { friction = 0.05, group = -group, layer = "foot" }) end
		if parent then
			world:newRevoluteJoint {
				bodyA = bodies[parent], bodyB = body, x = x, y = y + pivot, referenceAngle = angle, lowerAngle = lower, upperAngle = upper,
				hertz = 5, dampingRatio = 0.5, motorSpeed = 0, maxMotorTorque = friction * 0.05,
			}
		end
		bodies[i] = body
	end
	return bodies
end

local function new_group(row, column)
	local x, ragdolls = -span / 2 + span / columns * (column + 0.5), {}
	for i = 1, group_size do ragdolls[i] = new_ragdoll(x + (i - 1) * 0.5, 40 + 45 * row, i) end
	groups[row * columns + column] = ragdolls
end

local function destroy_group(row, column)
	for _, bodies in ipairs(groups[row * columns + column]) do
		for _, body in ipairs(bodies) do body:destroy() end
	end
end

function scenario.setup()
	world = d2.newWorld {
		gravity = { 0, -10 }, layers = { "ground", "bone", "foot" },
		collide = { ground = { "bone", "foot" }, bone = { "bone" } },
	}
	local ground = world:newBody { type = "static" }
	for row = 0, rows - 1 do
		for j = 0, 500 do ground:newCollider(d2.box(0.5, 0.5, { x = -span / 2 + j * 0.5, y = 45 * row }), { layer = "ground" }) end
	end
	groups, made, oldest = {}, 0, 0
	return world
end

function scenario.update(_, tick)
	if (tick - 1) % 8 ~= 0 then return end
	if made < columns then
		for row = 0, rows - 1 do new_group(row, made) end
		made = made + 1
		return
	end
	for row = 0, rows - 1 do
		destroy_group(row, oldest)
		new_group(row, oldest)
	end
	oldest = (oldest + 1) % columns
end

-- By how much joints exceed their limits, at most [rad], and how many do so by a tenth or more.
function scenario.measure()
	local most, count = 0, 0
	for _, joint in ipairs(world:getJoints()) do
		local angle, lower, upper = joint:getAngle(), joint:getLimits()
		local over = math.max(lower - angle, angle - upper)
		most = math.max(most, over)
		if over >= 0.1 then count = count + 1 end
	end
	return { limitsExceeded = count, limitsExceededBy = most }
end

-- In Box2D the joints of this rain are 13 mm apart at most at the end, 38 mm over the run, and limits are exceeded by 0.41 rad.
function scenario.check()
	local sum, most, joints, over = 0, 0, world:getJoints(), scenario.measure().limitsExceededBy
	for _, joint in ipairs(joints) do
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		local d = math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2)
		sum, most = sum + d, math.max(most, d)
	end
	print(("rain: joints are %.2f mm apart on average, %.1f mm at most; limits exceeded by %.2f rad at most")
		:format(1000 * sum / #joints, 1000 * most, over))
	assert(most < 0.2 and over < 1, "rain: a ragdoll is torn")
end

return scenario
