-- A door with a closing spring and a latch. A ram pushes with 300 N, and the latch holds; then with 1200 N, and it breaks. When the ram leaves, the spring
-- closes the door.
local d3 = require("collide").d3

local scenario = { name = "door", duration = 10, camera = { x = 0, y = 1.2, z = 0.2, distance = 5, yaw = 2.5, pitch = 0.35 } }

local strength = 700 -- of the latch [N]
local hinge, latch, ram, time, phase, widest, loads, broken_at

-- The ram's motor from these times on [s]: speed [m/s] and force [N].
local phases = { { 0.5, 0.2, 300 }, { 3, 0.6, 1200 }, { 4.5, -1, 300 } }

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -0.5, shape = d3.box(12, 1, 12), name = "floor" }
	for _, post in ipairs { { -1.3, 1.25, 1.5, 2.5 }, { 1.3, 1.25, 1.5, 2.5 }, { 0, 2.3, 1.1, 0.4 } } do
		world:newBody { type = "static", x = post[1], y = post[2], shape = d3.box(post[3], post[4], 0.2), name = "wall", color = "#9a8c7c" }
	end
	local door = world:newBody { x = 0, y = 1.03, shape = d3.box(1, 2, 0.08), density = 300, name = "door", color = "#8a5a2b" }
	hinge = world:newRevoluteJoint {
		bodyB = door, x = -0.5, y = 1.03, z = 0, axis = { 0, 1, 0 }, lowerAngle = 0, upperAngle = 1.8, hertz = 0.4, dampingRatio = 0.8,
	}
	latch = world:newSphericalJoint { bodyB = door, x = 0.5, y = 1.03, z = 0, forceThreshold = strength, breakable = true, name = "latch" }
	local head = world:newBody { x = 0.35, y = 1.03, z = 0.8, shape = d3.box(0.2, 0.2, 1), density = 100, friction = 0.1, name = "ram", color = "#4f6d8f" }
	ram = world:newPrismaticJoint { bodyB = head, x = 0.35, y = 1.03, z = 0.8, axis = { 0, 0, -1 }, lowerTranslation = 0, upperTranslation = 1.4 }
	time, phase, widest, loads, broken_at = 0, 0, { 0, 0, 0, [0] = 0 }, {}, nil
	return world
end

local function watch(world)
	widest[phase] = math.max(widest[phase], hinge:getAngle())
	for joint, force, _, broken in world:jointEvents() do
		assert(joint == latch and broken and not joint:isValid())
		loads[#loads + 1], broken_at = force, phase
	end
end

function scenario.update(world)
	watch(world)
	local tick = world:getTick()
	time = tick * (scenario.timestep or 1 / 60)
	local next_phase = phases[phase + 1]
	if next_phase and time >= next_phase[1] then
		phase = phase + 1
		ram:setMotor(next_phase[2], next_phase[3])
	end
end

function scenario.measure() return { hingeAngle = hinge:getAngle(), widestAngle = widest[2], latchForce = loads[1] or 0 } end

function scenario.check(world)
	watch(world)
	assert(#loads == 1 and broken_at == 2, "the latch did not break once, under the second push")
	assert(loads[1] > strength and loads[1] < 2 * strength, loads[1])
	assert(widest[1] < 0.01, "the latch gave way to the first push: " .. widest[1])
	print(("door: the latch broke at %.0f N; the door opened to %.2f rad"):format(loads[1], widest[2]))
	assert(widest[2] > 0.6, "the door opened by " .. widest[2])
	assert(math.abs(hinge:getAngle()) < 0.03, "the door is open by " .. hinge:getAngle())
end

return scenario
