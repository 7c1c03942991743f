-- 100 x 100 balls, each hinged to its neighbours by revolute joints (19,800), hung from seven: bodies, sizes and steps of Box2D's benchmark of the same name.
-- Balls do not collide with each other; sleeping off.
local d2 = require("collide").d2

local scenario = { name = "joint_grid", duration = 500 / 60, brief = { duration = 2, args = { "15" } } }
local count = 100

function scenario.setup(args)
	count = tonumber(args and args[1]) or count
	local world = d2.newWorld { gravity = { 0, -10 }, sleeping = false, layers = { "ball" }, collide = { ball = {} } }
	local ball, bodies = d2.circle(0.4), {}
	for k = 0, count - 1 do
		for i = 0, count - 1 do
			local fixed = i == 0 and k >= count / 2 - 3 and k <= count / 2 + 3
			local body = world:newBody { type = fixed and "static" or "dynamic", x = k, y = -i, shape = ball, layer = "ball" }
			if i > 0 then world:newRevoluteJoint { bodyA = bodies[#bodies], bodyB = body, anchorA = { 0, -0.5 }, anchorB = { 0, 0.5 } } end
			if k > 0 then
				world:newRevoluteJoint { bodyA = bodies[#bodies + 1 - count], bodyB = body, anchorA = { 0.5, 0 }, anchorB = { -0.5, 0 } }
			end
			bodies[#bodies + 1] = body
		end
	end
	return world
end

-- The mean and the largest separation of joint anchors [m].
local function separation(world)
	local sum, most, joints = 0, 0, world:getJoints()
	for _, joint in ipairs(joints) do
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		local d = math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2)
		sum, most = sum + d, math.max(most, d)
	end
	return sum / #joints, most
end

-- In Box2D the separation in the same grid is 15 mm on average over its run, 0.32 m at most.
function scenario.check(world)
	local mean, most = separation(world)
	print(("joint_grid: joints are %.1f mm apart on average, %.1f mm at most"):format(1000 * mean, 1000 * most))
	assert(mean < 0.05 and most < 1, "joint_grid: the grid is torn")
end

return scenario
