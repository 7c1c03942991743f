-- Prints how exact joints are, in 2D and 3D at 60 Hz with four sub-steps: chains under load, a bridge, ragdolls, side loads, gears, energy, loops, anchors far
-- from small bodies, and joints that contradict each other. All but the bridge and the ragdolls lie in the plane z = 0, and nothing collides there.
--
--   build/host scripts/bench/joint_quality.lua             all scenes, in some seconds
--   build/host scripts/bench/joint_quality.lua chain far   those whose names contain one of the words
local collide = require "collide"
collide.warn = false -- many worlds are odd

local dt, gravity = 1 / 60, 10
local results, order = {}, {} -- figures by scene and name, in 2D and 3D
local flat, d, world, joints, bodies, scene

-- --- The two dimensions, and what is measured -------------------------------------------------------------------------------

local function vector(x, y) return flat and { x, y } or { x, y, 0 } end

local function new_world(options)
	options = options or {}
	options.gravity = vector(0, -(options.g or gravity))
	options.g, options.layers, options.collide = nil, { "ghost", "solid", "bone" }, { ghost = {}, solid = { "solid" }, bone = { "solid" } }
	world, joints, bodies = d.newWorld(options), {}, {}
end

local function box(width, height, depth) return flat and d.box(width, height) or d.box(width, height, depth or 1) end

local function ball(radius) return flat and d.circle(radius) or d.sphere(radius) end

local function new_body(options)
	options.layer = options.layer or "ghost"
	if not flat and options.angle then options.axis = { 0, 0, 1 } end
	bodies[#bodies + 1] = world:newBody(options)
	return bodies[#bodies]
end

local function new_bar(x1, y1, x2, y2)
	return new_body { x = (x1 + x2) / 2, y = (y1 + y2) / 2, angle = collide.atan2(y2 - y1, x2 - x1), mass = 1,
		shape = box(math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2), 0.1) }
end

-- A joint that the gaps below count, unless it is a distance joint. Its numbers become vectors.
local function join(kind, a, b, options)
	options.bodyA, options.bodyB = b and a, b or a
	for _, key in ipairs { "pointA", "pointB", "axis" } do options[key] = options[key] and vector(options[key][1], options[key][2]) end
	if not flat and options.x then options.z = 0 end
	if not flat and kind == "Wheel" then options.spinAxis = { 0, 0, 1 } end
	local joint = world["new" .. kind .. "Joint"](world, options)
	if kind ~= "Distance" and kind ~= "Prismatic" then joints[#joints + 1] = joint end
	return joint
end

local function pin(a, b, x, y) return join("Revolute", a, b, { x = x, y = y }) end

local function gap_of(joint)
	local ax, ay, az = joint:getAnchorA()
	local bx, by, bz = joint:getAnchorB()
	return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + ((az or 0) - (bz or 0)) ^ 2)
end

local function widest()
	local most = 0
	for _, joint in ipairs(joints) do most = math.max(most, gap_of(joint)) end
	return most
end

local function height(body) return (select(2, body:getPosition())) end

local function kinetic()
	local sum = 0
	for _, body in ipairs(bodies) do sum = sum + body:getKineticEnergy() end
	return sum
end

local function energy()
	local sum = kinetic()
	for _, body in ipairs(bodies) do sum = sum + body:getMass() * gravity * height(body) end
	return sum
end

local function report(name, value)
	local key = ("%-38s%-30s"):format(scene, name)
	if not results[key] then
		results[key] = {}
		order[#order + 1] = key
	end
	results[key][flat and 1 or 2] = value
end

-- Steps until all sleep, for so many seconds at most. Calls each(step), which may return true to end it. Reports the time to rest; without one, none.
local function run(seconds, each, quiet)
	for t = 1, seconds * 60 do
		world:step(dt)
		if each and each(t) then return end
		if world:getAwakeCount() == 0 then
			if not quiet then report("rest [s]", t * dt) end
			return t * dt
		end
	end
end

local scenes = {}
local function add(name, f) scenes[#scenes + 1] = { name, f } end

-- --- Chains, a bridge, ragdolls ---------------------------------------------------------------------------------------------

for _, links in ipairs { 10, 100 } do
	for _, load in ipairs { 1, 10, 100, 1000 } do
		add(("chain of %d, load %d"):format(links, load), function()
			new_world()
			local before, most = nil, 0
			for i = 0, links do
				local link = new_body(i < links and { y = -0.5 - i, shape = box(0.2, 1), mass = 1 } or { y = -0.5 - i, shape = ball(0.5), mass = load })
				join("Revolute", before or link, before and link, { x = 0, y = -i })
				before = link
			end
			run(30, function() most = math.max(most, widest()) end)
			report("stretch [%]", -100 * (height(before) + links + 0.5) / links)
			report("widest gap [mm]", 1000 * most)
		end)
	end
end

add("bridge", function()
	new_world()
	local count, span, sag, most, sum, low = 160, 160, 16, 0, 0, 0
	local function curve(i)
		local x = span * (i / count - 0.5)
		return x, sag * ((2 * x / span) ^ 2 - 1)
	end
	for side = -1, 1, 2 do new_body { type = "static", x = side * (span / 2 + 6.5), y = -16, shape = box(12, 32, 6), layer = "solid" } end
	local before
	for i = 0, count do
		local x1, y1 = curve(i)
		local x2, y2 = curve(i + 1)
		local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
		local plank = i < count and new_body { x = (x1 + x2) / 2, y = (y1 + y2) / 2, angle = collide.atan2(y2 - y1, x2 - x1), shape = box(length, 0.25, 6),
			mass = 5 * length, linearDamping = 1, layer = "solid" }
		join("Revolute", before or plank, before and plank or nil, { x = x1, y = y1, maxMotorTorque = 200 })
		before = plank
	end
	for i = 0, 59 do
		new_body { x = 1.8 * (i % 30 - 14.5), y = i % 3 - 11 + 4 * math.floor(i / 30), angle = i, shape = box(1.5, 1.5, 1.5), mass = 2.25, layer = "solid" }
	end
	run(120, function() most = math.max(most, widest()) end)
	for _, joint in ipairs(joints) do sum, low = sum + gap_of(joint), math.min(low, (select(2, joint:getAnchorB()))) end
	report("sag [m]", -low)
	report("sum of gaps [mm]", 1000 * sum)
	report("widest gap [mm]", 1000 * most)
end)

-- Bones: x, y, z, half of the axis, radius. Joints: bones, point, axis (0: a hinge about z; +-1: a cone about +-y), limits, limit of the twist.
local bones = {
	{ 0, 1, 0, 0, 0.08, 0.12 }, { 0, 1.35, 0, 0, 0.1, 0.15 }, { 0, 1.72, 0, 0, 0, 0.13 }, { 0, 0.72, -0.12, 0.14, 0, 0.08 }, { 0, 0.28, -0.12, 0.18, 0, 0.06 },
	{ 0, 1.3, -0.27, 0.08, 0, 0.075 }, { 0, 1, -0.27, 0.1, 0, 0.055 }, { 0, 0.72, 0.12, 0.14, 0, 0.08 }, { 0, 0.28, 0.12, 0.18, 0, 0.06 },
	{ 0, 1.3, 0.27, 0.08, 0, 0.075 }, { 0, 1, 0.27, 0.1, 0, 0.055 },
}
local ties = {
	{ 1, 2, 1.17, 0, 1, -0.6, 0.6, 0.5 }, { 2, 3, 1.55, 0, 1, -0.7, 0.7, 0.8 },
	{ 1, 4, 0.92, -0.12, -1, -1, 1, 0.4 }, { 4, 5, 0.5, -0.12, 0, -2, 0.05 }, { 2, 6, 1.44, -0.25, -1, -1.4, 1.4, 0.8 }, { 6, 7, 1.15, -0.27, 0, -0.05, 2.2 },
	{ 1, 8, 0.92, 0.12, -1, -1, 1, 0.4 }, { 8, 9, 0.5, 0.12, 0, -2, 0.05 }, { 2, 10, 1.44, 0.25, -1, -1.4, 1.4, 0.8 }, { 10, 11, 1.15, 0.27, 0, -0.05, 2.2 },
}

local function new_ragdoll(x, y, z, number, speed, layer)
	local parts = {}
	for i, bone in ipairs(bones) do
		local half_y, half_z, r = bone[4], flat and 0 or bone[5], bone[6]
		local half = math.sqrt(half_y ^ 2 + half_z ^ 2)
		local options = { x = x, y = y + bone[2], layer = layer, group = -number, friction = 0.3, shape = ball(r),
			mass = flat and 300 * r * (math.pi * r + 4 * half) or 1000 * math.pi * r * r * (4 / 3 * r + 2 * half) }
		if half > 0 then options.shape = flat and d.capsule(0, -half_y, 0, half_y, r) or d.capsule(0, -half_y, -half_z, 0, half_y, half_z, r) end
		if not flat then options.z = z + bone[3] end
		options.linearVelocity = vector(speed + (i == 2 and 2 or 0), 0)
		parts[i] = new_body(options)
	end
	for _, tie in ipairs(ties) do
		local hinge = flat or tie[5] == 0
		local options = { bodyA = parts[tie[1]], bodyB = parts[tie[2]], x = x, y = y + tie[3], maxMotorTorque = 1 }
		if not flat then options.z, options.axis = z + tie[4], hinge and { 0, 0, 1 } or { 0, tie[5], 0 } end
		if hinge then
			options.lowerAngle, options.upperAngle = tie[6], tie[7]
		else
			options.coneAngle, options.lowerTwistAngle, options.upperTwistAngle = tie[7], -tie[8], tie[8]
		end
		joints[#joints + 1] = hinge and world:newRevoluteJoint(options) or world:newSphericalJoint(options)
	end
end

-- By how much a joint exceeds its limits [rad].
local function excess_of(joint)
	if joint:getType() == "revolute" then
		local angle, lower, upper = joint:getAngle(), joint:getLimits()
		return math.max(0, lower - angle, angle - upper)
	end
	local twist, lower, upper = joint:getTwistAngle(), joint:getTwistLimits()
	return math.max(0, lower - twist, twist - upper, joint:getSwingAngle() - joint:getConeLimit())
end

-- Eight ragdolls fall down stairs, 20 times at other speeds: means over these.
for name, layer in pairs { ragdolls = "solid", ["ragdolls, each alone"] = "bone" } do
	add(name, function()
		local steps, tread, rise, seeds, sums, unrested = 16, 0.42, 0.36, 20, { 0, 0, 0, 0, 0 }, 0
		for seed = 1, seeds do
			new_world()
			new_body { type = "static", x = 10, y = -0.5, shape = box(80, 1, 30), layer = "solid", friction = 0.3 }
			for i = 1, steps do
				new_body { type = "static", x = (steps / 2 - i) * tread, y = rise * i / 2, shape = box(tread, rise * i, 8), layer = "solid", friction = 0.3 }
			end
			new_body { type = "static", x = -(steps / 2 + 0.5) * tread - 2, y = rise * steps / 2, shape = box(4, rise * steps, 8), layer = "solid", friction = 0.3 }
			for k = 0, 7 do
				local x, y = flat and -3.8 or -3.8 - 0.9 * math.floor(k / 4), rise * steps + 0.1 + (flat and 2.2 * k or 0)
				new_ragdoll(x, y, 1.6 * (k % 4) - 2.4, k + 1, 2.99 + 0.15 * k + 0.01 * seed, layer)
			end
			local most, torn, sum, count, last = 0, 0, 0, 0, 0
			local rest = run(20, function()
				last = 0
				for _, joint in ipairs(joints) do
					local excess = excess_of(joint)
					last, sum, count = math.max(last, excess), sum + excess, count + 1
				end
				most, torn = math.max(most, last), math.max(torn, widest())
			end, true)
			unrested = unrested + (rest and 0 or 1)
			for i, value in ipairs { most, 1000 * sum / count, last, 1000 * torn, rest or 20 } do sums[i] = sums[i] + value / seeds end
		end
		for i, figure in ipairs { "greatest excess [rad]", "mean excess [mrad]", "excess at the end [rad]", "widest gap [mm]", "rest [s]" } do
			report(figure, sums[i])
		end
		report("runs that never rest", unrested)
	end)
end

-- --- Side loads, gears, energy ----------------------------------------------------------------------------------------------

add("side load of 100 weights", function()
	new_world { g = 0, sleeping = false }
	local slider = new_body { shape = box(1, 0.4), mass = 1, linearVelocity = vector(2, 0) }
	local wheel = new_body { x = 20, shape = ball(0.5), mass = 1 }
	join("Prismatic", slider, nil, { x = 0, y = 0, axis = { 1, 0 } })
	local joint = join("Wheel", wheel, nil, { x = 20, y = 0, axis = { 0, 1 }, suspensionHertz = 4, suspensionDampingRatio = 0.7 })
	local z = not flat and 0 or nil
	run(2, function()
		local x, y = slider:getWorldPoint(1, 0, z)
		if flat then slider:applyForce(0, -1000, x, y) else slider:applyForce(0, -1000, 0, x, y, 0) end
		if flat then wheel:applyForce(1000, -100) else wheel:applyForce(1000, -100, 0) end
	end)
	local lever = slider:getWorldVector(1, 0, z)
	report("slider across [mm] (7.04)", -1000 * height(slider))
	report("slider's angle [mrad]", 1000 * math.acos(lever))
	report("slider along [m] (4)", (slider:getPosition()))
	report("wheel across [mm] (7.04)", 1000 * (wheel:getPosition() - 20))
	report("suspension [mm] (158.3)", -1000 * joint:getTranslation())
end)

add("ten wheels at 100 rad/s", function()
	new_world { g = 0, sleeping = false }
	local most, wheels = 0, {}
	for i = 1, 10 do
		wheels[i] = join("Revolute", new_body { x = i, shape = ball(0.4), mass = 1 }, nil,
			{ x = i, y = 0, motorSpeed = i == 1 and 100 or nil, maxMotorTorque = i == 1 and 200 or nil })
		if i > 1 then world:newGearJoint { jointA = wheels[i - 1], jointB = wheels[i], ratio = i % 2 == 0 and 2 or 0.5 } end
	end
	run(60)
	for i = 2, 10 do most = math.max(most, math.abs(wheels[i - 1]:getAngle() + (i % 2 == 0 and 2 or 0.5) * wheels[i]:getAngle())) end
	report("error after 60 s [urad]", 1e6 * most)
end)

for _, links in ipairs { 1, 2 } do
	add(("pendulum of %d"):format(links), function()
		new_world { sleeping = false }
		local before, scale, most, last, start
		for i = 0, links - 1 do
			local link = new_bar(i, 0, i + 1, 0)
			join("Revolute", before or link, before and link, { x = i, y = 0 })
			before, scale = link, (scale or 0) + gravity * (i + 0.5)
		end
		start, most = energy(), 0
		run(60, function()
			last = energy() - start
			most = math.max(most, last)
		end)
		report("energy after 60 s [%]", 100 * last / scale)
		report("most gained [%]", 100 * most / scale)
	end)
end

for _, hertz in ipairs { 1, 5, 15 } do
	add(("spring of %d Hz"):format(hertz), function()
		new_world { g = 0, sleeping = false }
		local body, late = new_body { x = 2.5, shape = ball(0.3), mass = 1 }, 0
		join("Distance", body, nil, { pointA = { 0, 0 }, pointB = { 2.5, 0 }, length = 2, hertz = hertz, dampingRatio = 0 })
		run(60, function(t) if t > 3480 then late = math.max(late, math.abs(body:getPosition() - 2)) end end)
		report("amplitude after 60 s [%]", 200 * late)
	end)
end

-- --- Loops ------------------------------------------------------------------------------------------------------------------

-- Reports the gaps of a minute, after its first second.
local function watch_gaps(each)
	local most, sum = 0, 0
	run(60, function(t)
		if each then each(t) end
		local gap = widest()
		if t > 60 then most, sum = math.max(most, gap), sum + gap / 3540 end
	end)
	report("widest gap [mm]", 1000 * most)
	report("mean gap [mm]", 1000 * sum)
end

add("four-bar linkage", function()
	new_world { sleeping = false }
	local crank, coupler, rocker = new_bar(0, 0, 0, 1), new_bar(0, 1, 3.5, 2.6), new_bar(4, 0, 3.5, 2.6)
	join("Revolute", crank, nil, { x = 0, y = 0, motorSpeed = 5, maxMotorTorque = 1000 })
	pin(crank, coupler, 0, 1)
	pin(coupler, rocker, 3.5, 2.6)
	pin(rocker, nil, 4, 0)
	watch_gaps()
end)

for _, options in ipairs { {}, { substeps = 8, jointHertz = 120 } } do
	add("scissor lift" .. (options.substeps and ", 120 Hz, 8 sub-steps" or ""), function()
		new_world { sleeping = false, substeps = options.substeps, jointHertz = options.jointHertz }
		local storeys, w = 4, 3
		local h = math.sqrt(16 - w * w)
		local function shoe(y) return new_body { x = w, y = y, mass = 1, shape = box(0.2, 0.2) } end
		local foot, left = shoe(0), nil
		local right, slide = foot, join("Prismatic", foot, nil, { x = w, y = 0, axis = { 1, 0 }, motorSpeed = 0, maxMotorForce = 5000 })
		for i = 0, storeys - 1 do
			local up, down = new_bar(0, i * h, w, i * h + h), new_bar(0, i * h + h, w, i * h)
			join("Revolute", left or up, left and up, { x = 0, y = i * h })
			pin(right, down, w, i * h)
			pin(up, down, w / 2, i * h + h / 2)
			left, right = down, up
		end
		local platform, runner = new_body { x = w / 2, y = storeys * h, mass = 1, shape = box(w, 0.2) }, shoe(storeys * h)
		pin(left, platform, 0, storeys * h)
		pin(right, runner, w, storeys * h)
		join("Prismatic", platform, runner, { x = w, y = storeys * h, axis = { 1, 0 } })
		watch_gaps(function(t) slide:setMotor(-0.4 * math.sin(2 * math.pi * t / 480), 5000) end)
	end)
end

-- --- Far anchors, and contradictions ----------------------------------------------------------------------------------------

-- Reports the greatest energy gained in a minute, in units of m g arm; with damping, the time to rest.
for _, case in ipairs { { "pin", "Revolute" }, { "weld", "Weld" }, { "rod", "Distance" }, { "rope", "Distance", maxLength = 1 }, { "pair of pins", "Revolute" } } do
	for _, damping in ipairs { 0, 1 } do
		add(("far %s%s"):format(case[1], damping > 0 and ", damped" or ""), function()
			local gained = 0
			for arm = 20, 30, 2 do
				new_world()
				local function tiny(x, y)
					return new_body { x = x, y = y, shape = ball(0.05), mass = 0.01, linearDamping = damping, angularDamping = damping }
				end
				local body, rod = tiny(arm, 0), case[2] == "Distance"
				join(case[2], body, nil, rod and { pointA = { 0, 1 }, pointB = { 0, 0 }, maxLength = case.maxLength } or { x = 0, y = 0 })
				if case[1] == "pair of pins" then pin(body, tiny(10, -arm), 10, 0) end
				local start = energy()
				run(60, function() gained = math.max(gained, (energy() - start) / (0.01 * gravity * arm)) end, damping == 0)
			end
			report("most gained [%]", 100 * gained)
		end)
	end
end

local function boxes()
	return new_body { shape = box(1, 0.5), mass = 1, linearDamping = 0.3, angularDamping = 0.3 },
		new_body { x = 2, shape = box(1, 0.5), mass = 1, linearDamping = 0.3, angularDamping = 0.3 }
end
local twice = {
	["two welds 0.5 m apart"] = { "Weld", "Weld", { pointA = { 1, 0.5 }, pointB = { 1, 0 } } },
	["two pins 0.9 m apart"] = { "Revolute", "Revolute", { pointA = { 1, 1 }, pointB = { 1, 0.1 } } },
	["weld and pin"] = { "Weld", "Revolute", { pointA = { 1, 0.5 }, pointB = { 1, 0 } } },
	["rods of 2 and 2.5 m"] = { "Distance", "Distance", { pointA = { 0, 0 }, pointB = { 2, 0 }, length = 2.5 } },
}
for name, case in pairs(twice) do
	add("contradiction: " .. name, function()
		new_world { g = 0 }
		local a, b = boxes()
		local most, last = 0, 0
		pin(a, nil, 0, 0)
		join(case[1], a, b, case[1] == "Distance" and { pointA = { 0, 0 }, pointB = { 2, 0 }, length = 2 } or { x = 1, y = 0 })
		local options = {}
		for key, value in pairs(case[3]) do options[key] = value end
		join(case[2], a, b, options)
		run(60, function()
			last = kinetic()
			most = math.max(most, last)
		end)
		report("greatest energy [J]", most)
		report("energy at the end [J]", last)
	end)
end

-- --- All scenes -------------------------------------------------------------------------------------------------------------

table.sort(scenes, function(x, y) return x[1] < y[1] end)
for _, name in ipairs { "d2", "d3" } do
	flat, d = name == "d2", collide[name]
	for _, entry in ipairs(scenes) do
		local asked = #arg == 0
		for _, word in ipairs(arg) do asked = asked or entry[1]:find(word, 1, true) ~= nil end
		scene = entry[1]
		if asked then entry[2]() end
	end
end
print(("%-68s%12s%12s"):format("", "2D", "3D"))
for _, key in ipairs(order) do
	local row = results[key]
	print(("%s%12s%12s"):format(key, row[1] and ("%.4g"):format(row[1]) or "-", row[2] and ("%.4g"):format(row[2]) or "-"))
end
