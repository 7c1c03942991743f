-- A robot arm of six hinges, each turned by a position motor, leads its drill along a curve over a dome. The angles come from geometry: yaw, shoulder and
-- elbow bring the wrist to its place, two hinges of the wrist aim the drill, the sixth turns it. The arrows and w, s move the curve:
-- build/host --view scripts/robot_arm.lua.
-- Law: after each step the tip is at the target of that time and points along its direction, whatever weight and inertia pull the arm away. At 60 Hz it is
-- 6 mm and 0.01 rad off at most, at 60 Hz with two sub-steps 19 mm: hinges yield.
local collide = require "collide"
local d3 = collide.d3
local sin, cos, atan2, sqrt = collide.sin, collide.cos, collide.atan2, math.sqrt

local scenario = { name = "robot_arm", duration = 20, timestep = 1 / 60, theme = "dark" }
scenario.camera = { x = 0.6, y = 0.9, z = 0, distance = 5.2, yaw = 0.6, pitch = 0.35 }

local height, upper, fore, tool = 0.8, 1.2, 1, 0.4 -- of the shoulder; lengths of the arm's parts [m]
local center, size = { 1.25, 0.5, 0 }, 0.5 -- the dome's
local speed, torque = 8, 3000 -- the motors' greatest [rad/s], [N m]
local gold, grey = "#f5b82e", "#8892a0"
local joints, hand, trail, farthest, steepest, moved, goal, time

-- The tip's target, and the direction of the tool there.
local function target(t)
	local tilt, around = 0.5 + 0.35 * sin(1.9 * t), 0.8 * t
	local ux, uy, uz = sin(tilt) * cos(around), cos(tilt), sin(tilt) * sin(around)
	local dx, dy, dz = -0.5 * ux, -1, -0.5 * uz
	local length = sqrt(dx * dx + dy * dy + dz * dz)
	return center[1] + size * ux + moved[1], center[2] + size * uy + moved[2], center[3] + size * uz + moved[3], dx / length, dy / length, dz / length
end

-- The angle of a cosine, from 0 to pi.
local function acos(c)
	c = math.max(-1, math.min(1, c))
	return atan2(sqrt(1 - c * c), c)
end

-- The hinges' angles that bring the tip there.
local function solve(x, y, z, dx, dy, dz)
	x, y, z = x - tool * dx, y - tool * dy - height, z - tool * dz -- the wrist, from the shoulder
	local yaw, r = atan2(-z, x), sqrt(x * x + z * z)
	local elbow = -acos((r * r + y * y - upper * upper - fore * fore) / (2 * upper * fore))
	local shoulder = atan2(y, r) - atan2(fore * sin(elbow), upper + fore * cos(elbow))
	-- The direction in the frame of the forearm, which is its x axis.
	local pitch = shoulder + elbow
	local fx, fz = cos(yaw) * dx - sin(yaw) * dz, sin(yaw) * dx + cos(yaw) * dz
	local lx, ly = cos(pitch) * fx + sin(pitch) * dy, cos(pitch) * dy - sin(pitch) * fx
	return yaw, shoulder, elbow, atan2(fz, ly), acos(lx)
end

local function add_arm(world)
	local last = world:newBody { type = "static", shapes = {
		{ shape = d3.box(0.8, 0.2, 0.8, { y = 0.1 }) }, { shape = d3.cylinder(0.2, height - 0.35, { y = 0.2 + (height - 0.35) / 2 }) },
	} }
	local y = height
	for _, part in ipairs { -- where its hinge is, the hinge's axis, its shape about the hinge
		{ 0, { 0, 1, 0 }, d3.sphere(0.22), 3000 }, -- a hinge yields, the less the heavier its parts are
		{ 0, { 0, 0, 1 }, d3.capsule(0, 0, 0, upper, 0, 0, 0.12) },
		{ upper, { 0, 0, 1 }, d3.capsule(0, 0, 0, 0.5, 0, 0, 0.1) },
		{ upper + 0.5, { 1, 0, 0 }, d3.capsule(0, 0, 0, fore - 0.5, 0, 0, 0.08) },
		{ upper + fore, { 0, 0, 1 }, d3.box(0.2, 0.14, 0.14, { x = 0.1 }) },
		{ upper + fore + 0.2, { 1, 0, 0 }, d3.box(0.2, 0.03, 0.1, { x = 0.1 }) },
	} do
		local body = world:newBody { x = part[1], y = y, shape = part[3], density = part[4] or 300, group = -1, color = part[1] == 0 and gold or grey }
		joints[#joints + 1] = world:newRevoluteJoint { bodyA = last, bodyB = body, x = part[1], y = y, z = 0, axis = part[2], maxMotorTorque = torque,
			motorSpeed = speed, motorTarget = 0 }
		last = body
	end
	hand = last
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	joints, trail, farthest, steepest, moved, goal, time = {}, {}, 0, 0, { 0, 0, 0 }, { 0, 0, 0 }, 0
	world:newBody { type = "static", y = -0.1, shape = d3.box(6, 0.2, 4) }
	world:newBody { type = "static", x = center[1], y = center[2] - 0.1, z = center[3], shape = d3.sphere(size - 0.12), group = -1 }
	add_arm(world)
	return world
end

function scenario.key(key, down)
	local step = ({ left = { 1, -0.05 }, right = { 1, 0.05 }, up = { 3, -0.05 }, down = { 3, 0.05 }, w = { 2, 0.05 }, s = { 2, -0.05 } })[key]
	if not step then return false end
	if down then goal[step[1]] = math.max(-0.3, math.min(0.3, goal[step[1]] + step[2])) end
	return true
end

function scenario.update(_, tick)
	if time > 2 then
		local x, y, z = hand:getWorldPoint(tool - 0.2, 0, 0)
		local ax, ay, az = hand:getWorldVector(1, 0, 0)
		local tx, ty, tz, dx, dy, dz = target(time)
		farthest = math.max(farthest, sqrt((x - tx) ^ 2 + (y - ty) ^ 2 + (z - tz) ^ 2))
		steepest = math.max(steepest, sqrt((ax - dx) ^ 2 + (ay - dy) ^ 2 + (az - dz) ^ 2))
		if tick % 3 == 0 then trail[#trail % 250 + 1] = { x, y, z } end
	end
	time = tick * scenario.timestep
	for i = 1, 3 do moved[i] = moved[i] + 4 * scenario.timestep * (goal[i] - moved[i]) end
	local angles = { solve(target(time)) }
	angles[6] = 2 * time
	for i, joint in ipairs(joints) do
		local turns = i == 4 and math.floor((joint:getAngle() - angles[i]) / (2 * math.pi) + 0.5) or 0 -- the shortest way
		joint:setMotor(speed, torque, angles[i] + turns * 2 * math.pi)
	end
end

function scenario.draw(canvas)
	for _, point in ipairs(trail) do canvas.point("#6fe08f", point[1], point[2], point[3], 4) end
	local x, y, z = target(time)
	canvas.point("#ff5470", x, y, z, 10)
end

function scenario.check()
	print(("robot_arm: the tip was %.1f mm and %.4f rad off at most; the drill lags by %.4f rad"):format(1000 * farthest, steepest,
		2 * time - joints[6]:getAngle()))
	assert(farthest < 0.025 and steepest < 0.03, "robot_arm: the drill does not follow its target")
	assert(math.abs(2 * time - joints[6]:getAngle()) < 0.1, "robot_arm: the drill does not turn")
end

return scenario
