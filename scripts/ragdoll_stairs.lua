-- Eight ragdolls of eleven bones tumble down stairs. Waist, neck, hips and shoulders are spherical joints with a cone and limits of the twist, knees and
-- elbows are hinges with limits; all have a little friction. Where a whole body lands on a forearm its limit yields for some hundredths of a second. At rest
-- all limits hold within 0.02 rad at 60 Hz, within 0.1 with two sub-steps.
local d3 = require("collide").d3

local scenario = { name = "ragdoll_stairs", duration = 8, camera = { x = 2, y = 2, z = 0, distance = 17, yaw = 0.9, pitch = 0.25 } }

local steps, tread, rise = 16, 0.42, 0.36
local joints, bones, torn, excess, most -- torn, most: the greatest separation and excess so far; excess: of the last step

local function bone(world, x, y, z, shape, name)
	local body = world:newBody { x = x, y = y, z = z, shape = shape, density = 1000, friction = 0.3, name = name }
	bones[#bones + 1] = body
	return body
end

local function add_ragdoll(world, x, y, z)
	local function capsule(bx, by, bz, dx, dy, radius, name)
		return bone(world, x + bx, y + by, z + bz, d3.capsule(-dx, -dy, 0, dx, dy, 0, radius), name)
	end
	local function spherical(a, b, jx, jy, jz, axis, cone, twist)
		joints[#joints + 1] = world:newSphericalJoint { bodyA = a, bodyB = b, x = x + jx, y = y + jy, z = z + jz, axis = axis, coneAngle = cone,
			lowerTwistAngle = -twist, upperTwistAngle = twist, maxMotorTorque = 1 }
	end
	local function hinge(a, b, jx, jy, jz, lower, upper)
		joints[#joints + 1] = world:newRevoluteJoint { bodyA = a, bodyB = b, x = x + jx, y = y + jy, z = z + jz, axis = { 0, 0, 1 },
			lowerAngle = lower, upperAngle = upper, maxMotorTorque = 1 }
	end
	local hips = bone(world, x, y + 1, z, d3.capsule(0, 0, -0.08, 0, 0, 0.08, 0.12), "hips")
	local chest = bone(world, x, y + 1.35, z, d3.capsule(0, 0, -0.1, 0, 0, 0.1, 0.15), "chest")
	local head = bone(world, x, y + 1.72, z, d3.sphere(0.13), "head")
	spherical(hips, chest, 0, 1.17, 0, { 0, 1, 0 }, 0.6, 0.5)
	spherical(chest, head, 0, 1.55, 0, { 0, 1, 0 }, 0.7, 0.8)
	for _, side in ipairs { -1, 1 } do
		local thigh, shin = capsule(0, 0.72, side * 0.12, 0, 0.14, 0.08, "thigh"), capsule(0, 0.28, side * 0.12, 0, 0.18, 0.06, "shin")
		spherical(hips, thigh, 0, 0.92, side * 0.12, { 0, -1, 0 }, 1, 0.4)
		hinge(thigh, shin, 0, 0.5, side * 0.12, -2, 0.05)
		local upper, fore = capsule(0, 1.3, side * 0.27, 0, 0.08, 0.075, "upper arm"), capsule(0, 1, side * 0.27, 0, 0.1, 0.055, "forearm")
		spherical(chest, upper, 0, 1.44, side * 0.25, { 0, -1, 0 }, 1.4, 0.8)
		hinge(upper, fore, 0, 1.15, side * 0.27, -0.05, 2.2)
	end
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	joints, bones, torn, excess, most = {}, {}, 0, 0, 0
	local stairs = world:newBody { type = "static", shape = d3.box(40, 1, 30, { x = 10, y = -0.5 }), friction = 0.3 }
	for i = 1, steps do
		local top = rise * i
		stairs:newCollider(d3.box(tread, top, 8, { x = (steps / 2 - i) * tread, y = top / 2 }), { friction = 0.3 })
	end
	stairs:newCollider(d3.box(4, rise * steps, 8, { x = -(steps / 2 + 0.5) * tread - 2, y = rise * steps / 2 }), { friction = 0.3 })
	for i = 0, 7 do
		add_ragdoll(world, -3.8 - 0.9 * math.floor(i / 4), rise * steps + 0.1, 1.6 * (i % 4) - 2.4)
	end
	for i, body in ipairs(bones) do body:setLinearVelocity((body:getName() == "chest" and 5 or 3) + 0.15 * (i / 11 % 4), 0, 0) end
	return world
end

-- By how much a joint exceeds its limits [rad].
local function excess_of(joint)
	if joint:getType() == "revolute" then
		local angle, lower, upper = joint:getAngle(), joint:getLimits()
		return math.max(lower - angle, angle - upper)
	end
	local twist, lower, upper = joint:getTwistAngle(), joint:getTwistLimits()
	return math.max(lower - twist, twist - upper, joint:getSwingAngle() - joint:getConeLimit())
end

function scenario.update()
	excess = 0
	for _, joint in ipairs(joints) do
		local ax, ay, az = joint:getAnchorA()
		local bx, by, bz = joint:getAnchorB()
		torn, excess = math.max(torn, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2)), math.max(excess, excess_of(joint))
	end
	most = math.max(most, excess)
end

function scenario.check()
	local highest, moving = 0, 0
	for _, bone in ipairs(bones) do highest, moving = math.max(highest, (select(2, bone:getPosition()))), moving + (bone:isAwake() and 1 or 0) end
	print(("ragdoll_stairs: joints came apart by %.1f mm, and exceeded limits by %.3f rad, at rest by %.3f; %d bones are awake, the highest at %.2f m"):format(
		1000 * torn, most, excess, moving, highest))
	assert(torn < 0.15, "ragdoll_stairs: a joint is torn")
	assert(most < 0.8 and excess < 0.15, "ragdoll_stairs: a joint is out of its limits")
	assert(highest < rise * steps and moving == 0, "ragdoll_stairs: they do not come to rest")
end

return scenario
