-- 100 x 100 balls, each tied to its neighbours by spherical joints (19,800), hung from the upper row: bodies, masses, sizes and steps of Box3D's benchmark
-- "joint_grid". Balls do not collide with each other; sleeping off. The argument is the number of balls a side.
local d3 = require("collide").d3

local scenario = { name = "joint_grid3d", duration = 100 / 60, brief = { duration = 1, args = { "15" } } }

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 100
	local world = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false, layers = { "ball" }, collide = { ball = {} } }
	local ball, bodies = d3.sphere(0.4), {}
	for k = 0, count - 1 do
		for i = 0, count - 1 do
			local body = world:newBody { type = i == 0 and "static" or "dynamic", x = k, y = -i, shape = ball, density = 1000, layer = "ball" }
			if i > 0 then
				world:newSphericalJoint { bodyA = bodies[#bodies], bodyB = body, anchorA = { 0, -0.5, 0 }, anchorB = { 0, 0.5, 0 } }
			end
			if k > 0 then
				world:newSphericalJoint {
					bodyA = bodies[#bodies + 1 - count], bodyB = body, anchorA = { 0.5, 0, 0 }, anchorB = { -0.5, 0, 0 },
				}
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
		local ax, ay, az = joint:getAnchorA()
		local bx, by, bz = joint:getAnchorB()
		local d = math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2)
		sum, most = sum + d, math.max(most, d)
	end
	return sum / #joints, most
end

-- In Box3D the separation in the same grid is 4.1 mm on average over its run, 16 mm at most.
function scenario.check(world)
	local mean, most = separation(world)
	print(("joint_grid3d: joints are %.1f mm apart on average, %.1f mm at most"):format(1000 * mean, 1000 * most))
	assert(mean < 0.01 and most < 0.1, "joint_grid3d: the grid is torn")
end

return scenario
