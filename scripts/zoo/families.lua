-- Random scenes by family: families.NAME(seed) returns a scene in the format of zoo.lua, the same for the same seed. The families cover what scenes seldom
-- have: one-sided surfaces, kinematic machines, and the rarer shapes, in both dimensions.
local pi, sin, cos, sqrt, floor = math.pi, math.sin, math.cos, math.sqrt, math.floor

local families = {}
local random, scene

-- Park and Miller, "Random number generators: good ones are hard to find", 1988.
local function seeded(seed)
	local state = (seed * 7919 + 1) % 2147483647
	return function(low, high)
		state = state * 16807 % 2147483647
		return low + (high - low) * state / 2147483647
	end
end

local function pick(list) return list[floor(random(1, #list + 0.999999))] end

local function add(body)
	scene.bodies[#scene.bodies + 1] = body
	return #scene.bodies
end

-- A static body.
local function fixed(shape, options)
	options = options or {}
	options.type, options.shape = options.type or "static", shape
	return add(options)
end

local function turned(x, y, z, angle)
	local s = sin(angle / 2) / sqrt(x * x + y * y + z * z)
	return { x * s, y * s, z * s, cos(angle / 2) }
end

local function any_rotation()
	local a, b, c = random(0, 1), random(0, 2 * pi), random(0, 2 * pi)
	return { sqrt(1 - a) * sin(b), sqrt(1 - a) * cos(b), sqrt(a) * sin(c), sqrt(a) * cos(c) }
end

-- Convex shapes of about the radius r.
local function any_flat(r)
	local kind = floor(random(0, 5.999))
	if kind == 0 then return { "circle", r } end
	if kind == 1 then return { "capsule", -0.7 * r, 0, 0.7 * r, 0, random(0.3, 0.7) * r } end
	if kind == 2 then return { "box", random(1, 2) * r, random(1, 2) * r } end
	if kind == 3 then return { "box", random(1.2, 2) * r, random(1.2, 2) * r, { radius = random(0.05, 0.4) * r } } end
	if kind == 4 then return { "ellipse", r, random(0.4, 0.9) * r } end
	local points, n, first = {}, floor(random(3, 6.999)), random(0, 6)
	for i = 0, n - 1 do
		local a = first + 2 * pi * (i + random(-0.2, 0.2)) / n
		points[2 * i + 1], points[2 * i + 2] = r * cos(a), r * sin(a)
	end
	return { "polygon", points, pick { 0, 0.1 * r } }
end

local function any_solid(r)
	local kind = floor(random(0, 7.999))
	if kind == 0 then return { "sphere", r } end
	if kind == 1 then return { "capsule", -0.7 * r, 0, 0, 0.7 * r, 0, 0, random(0.3, 0.6) * r } end
	if kind == 2 then return { "box", random(0.8, 1.8) * r, random(0.8, 1.8) * r, random(0.8, 1.8) * r } end
	if kind == 3 then return { "box", random(1.2, 1.8) * r, random(1.2, 1.8) * r, random(1.2, 1.8) * r, { radius = random(0.05, 0.3) * r } } end
	if kind == 4 then return { "cylinder", random(0.4, 0.9) * r, random(0.5, 1.6) * r } end
	if kind == 5 then return { "cone", random(0.5, 0.9) * r, random(0.8, 1.4) * r } end
	if kind == 6 then return { "ellipsoid", r, random(0.5, 0.9) * r, random(0.5, 0.9) * r } end
	return { "taperedCapsule", 0, -0.6 * r, 0, random(0.4, 0.7) * r, 0, 0.6 * r, 0, random(0.15, 0.4) * r }
end

-- Several colliders in one body: T, cross, dumbbell.
local function compound(r, dimension)
	local t, kind = random(0.2, 0.35) * r, floor(random(0, 2.999))
	local function bar(w, h, x, y)
		if dimension == 2 then return { shape = { "box", w, h, { x = x, y = y } } } end
		return { shape = { "box", w, h, random(1, 2) * t, { x = x, y = y } } }
	end
	if kind == 0 then return { bar(2 * r, 2 * t, 0, r - t), bar(2 * t, 2 * r - 2 * t, 0, -t) } end
	if kind == 1 then return { bar(2 * r, 2 * t, 0, 0), bar(2 * t, r - t, 0, (r + t) / 2), bar(2 * t, r - t, 0, -(r + t) / 2) } end
	local ball = dimension == 2 and "circle" or "sphere"
	local a, b = random(0.3, 0.5) * r, random(0.3, 0.5) * r
	local function at(radius, x) return { shape = dimension == 2 and { ball, radius, x, 0 } or { ball, radius, x, 0, 0 }, rollingResistance = 0.05 } end
	return { at(a, -0.7 * r), at(b, 0.7 * r), bar(1.4 * r, t, 0, 0) }
end

-- n bodies in layers of `wide` a side above (0, y), each within its cell of 2.2 r. `make(r)` gives a shape, or a list of colliders.
local function crowd(n, wide, y, low, high, make, options)
	local cell, flat = 2.2 * high, scene.dimension == 2
	local per = flat and wide or wide * wide
	for i = 0, n - 1 do
		local k = i % per
		local body = {}
		for key, value in pairs(options or {}) do body[key] = value end
		body.x, body.y = (k % wide - (wide - 1) / 2) * cell, y + high + floor(i / per) * cell
		if flat then body.angle = random(0, 6.28) else body.z, body.rotation = (floor(k / wide) - (wide - 1) / 2) * cell, any_rotation() end
		local made = make(random(low, high))
		if type(made[1]) == "table" then
			body.shapes, body.rollingResistance, body.friction = made, nil, nil
		else
			body.shape, body.rollingResistance = made, 0.05
		end
		add(body)
	end
end

-- An open bin: inner width (and depth) w, height h, floor's top at y = 0.
local function bin(w, h)
	if scene.dimension == 2 then
		fixed({ "box", w + 2, 1 }, { y = -0.5 })
		for side = -1, 1, 2 do fixed({ "box", 1, h }, { x = side * (w + 1) / 2, y = h / 2 }) end
		scene.bounds = { -w / 2 - 0.1, -0.1, w / 2 + 0.1, 50 }
	else
		fixed({ "box", w + 2, 1, w + 2 }, { y = -0.5 })
		for side = -1, 1, 2 do
			fixed({ "box", 1, h, w + 2 }, { x = side * (w + 1) / 2, y = h / 2 })
			fixed({ "box", w, h, 1 }, { z = side * (w + 1) / 2, y = h / 2 })
		end
		scene.bounds = { -w / 2 - 0.1, -0.1, -w / 2 - 0.1, w / 2 + 0.1, 50, w / 2 + 0.1 }
	end
end

local function family(name, dimension, seconds, make)
	families[#families + 1] = name
	families[name] = function(seed)
		random = seeded(seed)
		random(0, 1)
		scene = { about = name .. " " .. seed, dimension = dimension, seconds = seconds, bodies = {}, joints = {}, motion = {} }
		make(seed)
		return scene
	end
end

-- One-sided surfaces --------------------------------------------------------------------------------------------------------------

-- Waves, higher at the sides.
local function hills()
	local a, f, g = random(0.1, 0.4), random(0.5, 1.2), random(0.5, 1.2)
	return function(x, z) return a * sin(f * x) * cos(g * (z or 0)) + 0.004 * (x ^ 4 + (z or 0) ^ 4) / 4 end
end

family("chain_hills", 2, 10, function()
	local height, points = hills(), {}
	for i = 40, -40, -1 do points[#points + 1], points[#points + 2] = i / 4, height(i / 4) end
	scene.rest, scene.closed, scene.bounds = true, true, { -10, -1, 10, 50 }
	fixed { "chain", points }
	crowd(30, 10, 3, 0.2, 0.4, any_flat)
end)

-- A one-sided mesh, solid below, or a one-sided height field.
local function ground_of(kind, height, half, cells)
	local step, vertices, indices, heights = 2 * half / cells, {}, {}, {}
	for j = 0, cells do
		for i = 0, cells do
			local x, z = i * step - half, j * step - half
			local y = height(x, z)
			heights[#heights + 1] = y
			vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = x, y, z
		end
	end
	for j = 0, cells - 1 do
		for i = 1, cells do
			local a = j * (cells + 1) + i
			local b = a + cells + 1
			for _, k in ipairs { a, b, a + 1, a + 1, b, b + 1 } do indices[#indices + 1] = k end
		end
	end
	if kind == "mesh" then return fixed { "mesh", vertices, indices, { oneSided = true } } end
	return fixed({ "heightField", { columns = cells + 1, rows = cells + 1, cellWidth = step, cellDepth = step, heights = heights, oneSided = true } }, { x = -half, z = -half })
end

for _, kind in ipairs { "mesh", "field" } do
	family(kind .. "_hills", 3, 8, function()
		scene.rest, scene.closed, scene.bounds = true, true, { -8, -1, -8, 8, 50, 8 }
		ground_of(kind, hills(), 8, 24)
		crowd(32, 4, 2, 0.2, 0.4, any_solid)
	end)
end

-- A closed room of one-sided surfaces with free inside: no thrown body may leave it.
family("chain_room", 2, 4, function()
	local points, n, r = {}, floor(random(5, 12.999)), 5
	for i = 0, n - 1 do points[2 * i + 1], points[2 * i + 2] = r * cos(-2 * pi * i / n), r * sin(-2 * pi * i / n) end
	scene.closed, scene.bounds = true, { -r, -r, r, r }
	fixed { "chain", points, { loop = true } }
	for _ = 1, 6 do
		local a, v = random(0, 6.28), random(20, 60)
		add { x = random(-2, 2), y = random(-2, 2), angularVelocity = random(-20, 20), linearVelocity = { v * cos(a), v * sin(a) }, bullet = true, shape = any_flat(random(0.2, 0.4)) }
	end
end)

family("mesh_room", 3, 4, function()
	local r = 4
	scene.closed, scene.bounds = true, { -r, -r, -r, r, r, r }
	fixed { "mesh", { -r, -r, -r, r, -r, -r, r, -r, r, -r, -r, r, -r, r, -r, r, r, -r, r, r, r, -r, r, r },
		{ 1, 4, 3, 1, 3, 2, 5, 6, 7, 5, 7, 8, 1, 2, 6, 1, 6, 5, 4, 8, 7, 4, 7, 3, 1, 5, 8, 1, 8, 4, 2, 3, 7, 2, 7, 6 }, { oneSided = true } }
	for i = 0, 5 do
		local v = {}
		for axis = 1, 3 do v[axis] = random(-30, 30) end
		add { x = i % 2 * 2 - 1, y = floor(i / 2) * 2 - 2, linearVelocity = v, angularVelocity = { random(-9, 9), random(-9, 9), random(-9, 9) }, rotation = any_rotation(), bullet = true, shape = any_solid(random(0.2, 0.5)) }
	end
end)

-- Kinematic machines --------------------------------------------------------------------------------------------------------------

-- Teeth of a wheel as colliders, for a rim of radius r; `depth` in 3D.
local function wheel(r, teeth, length, depth)
	local shapes = {}
	for i = 0, teeth - 1 do
		local a = 2 * pi * i / teeth
		local x, y, w, h = (r + length / 2) * cos(a), (r + length / 2) * sin(a), length + 0.1, 0.25
		shapes[i + 1] = { shape = depth and { "box", w, h, depth, { x = x, y = y, qx = 0, qy = 0, qz = sin(a / 2), qw = cos(a / 2) } } or { "box", w, h, { x = x, y = y, angle = a } } }
	end
	local hub = depth and { "cylinder", r, depth, { qx = sin(pi / 4), qy = 0, qz = 0, qw = cos(pi / 4) } } or { "circle", r }
	shapes[teeth + 1] = { shape = hub }
	return shapes
end

local function spin(body, from, to, speed)
	scene.motion[#scene.motion + 1] = { body = body, from = from, to = to, angularVelocity = scene.dimension == 2 and speed or { 0, 0, speed } }
end

local function slide(body, from, to, x, y)
	scene.motion[#scene.motion + 1] = { body = body, from = from, to = to, linearVelocity = scene.dimension == 2 and { x, y } or { x, y, 0 } }
end

-- Two toothed wheels above a bin pull falling bodies in between them, and through.
for dimension = 2, 3 do
	local suffix = dimension == 3 and "3d" or ""
	local depth = dimension == 3 and 3 or nil
	local make = dimension == 2 and any_flat or any_solid

	family("gears" .. suffix, dimension, 12, function()
		scene.rest = true
		bin(dimension == 2 and 7 or 4, 8)
		local gap, speed = random(0.7, 0.95), random(0.5, 1.5)
		for side = -1, 1, 2 do
			spin(add { type = "kinematic", x = side * (1.25 + gap / 2), y = 3, shapes = wheel(0.8, 6, 0.4, depth) }, 0, 8, side * speed)
		end
		crowd(dimension == 2 and 12 or 16, dimension == 2 and 4 or 3, 4.8, 0.15, 0.3, make)
	end)

	-- A wheel with gondolas that hang from it, a load in each.
	family("ferris" .. suffix, dimension, 14, function()
		local r, n = 3, floor(random(4, 6.999))
		local axle = fixed(dimension == 2 and { "box", 40, 1 } or { "box", 40, 1, 40 }, { y = -5.5 }) and
			add { type = "kinematic", y = 0, shape = dimension == 2 and { "circle", 0.4 } or { "sphere", 0.4 } }
		spin(axle, 1, 11, random(0.3, 0.9))
		scene.rest, scene.bounds = true, dimension == 2 and { -6, -6, 6, 6 } or { -6, -6, -3, 6, 6, 3 }
		for i = 0, n - 1 do
			local a = 2 * pi * i / n
			local x, y, tray = r * cos(a), r * sin(a), {}
			for _, b in ipairs { { 1.2, 0.1, 0, -0.85 }, { 0.1, 0.5, -0.6, -0.6 }, { 0.1, 0.5, 0.6, -0.6 }, { 0.06, 0.9, 0, -0.4 } } do
				tray[#tray + 1] = { shape = dimension == 2 and { "box", b[1], b[2], { x = b[3], y = b[4] } } or { "box", b[1], b[2], 1, { x = b[3], y = b[4] } } }
			end
			local gondola = add { x = x, y = y, shapes = tray, angularDamping = 0.5 }
			scene.joints[#scene.joints + 1] = dimension == 2 and { "Revolute", bodyA = axle, bodyB = gondola, x = x, y = y } or
				{ "Revolute", bodyA = axle, bodyB = gondola, x = x, y = y, z = 0, axis = { 0, 0, 1 } }
			for side = -1, 1, 2 do
				add { x = x + side * 0.3, y = y - 0.62, shape = dimension == 2 and { "box", 0.3, 0.3 } or { "box", 0.3, 0.3, 0.3 } }
			end
		end
	end)

	-- Belts carry their cargo down into a bin.
	family("belts" .. suffix, dimension, 14, function()
		scene.rest = true
		local u, w = random(0.8, 2.5), dimension == 3 and 2 or nil
		local function belt(x, y, speed)
			fixed(w and { "box", 5, 0.3, w } or { "box", 5, 0.3 }, { x = x, y = y, friction = 0.8, tangentSpeed = not w and speed or nil, tangentVelocity = w and { speed, 0, 0 } or nil })
		end
		belt(-3, 4, u)
		belt(1.5, 2.5, u)
		fixed(w and { "box", 5, 0.4, 5 } or { "box", 5, 0.4 }, { x = 7, y = -0.2 })
		fixed(w and { "box", 0.4, 2, 3 } or { "box", 0.4, 2 }, { x = -5.8, y = 5 })
		for side = -1, 1, 2 do
			local high = side < 0 and 1.6 or 3.2
			fixed(w and { "box", 0.4, high, 5 } or { "box", 0.4, high }, { x = 7 + side * 2.7, y = high / 2 - 0.2 })
			if w then fixed({ "box", 17, 6, 0.4 }, { x = 2, y = 2.6, z = side * 1.2 }) end
		end
		for i = 0, 7 do
			add { x = -5 + i * 0.6, y = 4.6, angle = not w and random(0, 6) or nil, rollingResistance = 0.1, shape = make(random(0.15, 0.25)) }
		end
		scene.bounds = w and { -8, -0.2, -3, 10, 20, 3 } or { -8, -0.2, 10, 20 }
	end)

	-- A kinematic sweeper pushes through doors on hinges with friction and limits, and through the boxes behind them.
	family("doors" .. suffix, dimension, 10, function()
		scene.rest = true
		scene.bounds = dimension == 2 and { -30, -0.2, 30, 30 } or { -30, -0.2, -30, 30, 30, 30 }
		fixed(dimension == 2 and { "box", 80, 1 } or { "box", 80, 1, 80 }, { y = -0.5 })
		for i = 0, 2 do
			local x = 2 * i
			local frame = fixed(dimension == 2 and { "box", 0.3, 0.3 } or { "box", 0.3, 0.3, 2 }, { x = x, y = 3.2 })
			local door = add { x = x, y = 1.8, shape = dimension == 2 and { "box", 0.15, 2.2 } or { "box", 0.15, 2.2, 1.5 } }
			local hinge = { "Revolute", bodyA = frame, bodyB = door, x = x, y = 2.9, lowerAngle = -1.2, upperAngle = 1.2, maxMotorTorque = random(0, 2) }
			if dimension == 3 then hinge.z, hinge.axis = 0, { 0, 0, 1 } end
			scene.joints[#scene.joints + 1] = hinge
			for k = 0, 1 do add { x = x + 0.8, y = 0.25 + 0.5 * k, shape = dimension == 2 and { "box", 0.5, 0.5 } or { "box", 0.5, 0.5, 0.5 } } end
		end
		local sweeper = add { type = "kinematic", x = -3, y = 0.8, shape = dimension == 2 and { "box", 0.4, 1.4 } or { "box", 0.4, 1.4, 1 } }
		local v = random(0.5, 2)
		local time = floor(30 * 7 / v + 0.5) / 30
		slide(sweeper, 1, math.min(1 + time, 6), v, 0)
		slide(sweeper, 6, 7, -1, 0)
	end)

	-- A piston compresses a crowd that has some room left, and goes back.
	family("press" .. suffix, dimension, 10, function()
		scene.rest = true
		local w = dimension == 2 and 3 or 2
		bin(w, 8)
		local n = dimension == 2 and 12 or 18
		crowd(n, dimension == 2 and 3 or 2, 0.05, 0.2, 0.32, make)
		local piston = add { type = "kinematic", y = 5, shape = dimension == 2 and { "box", w - 0.1, 0.5 } or { "box", w - 0.1, 0.5, w - 0.1 } }
		slide(piston, 2, 4, 0, -random(1.6, dimension == 2 and 1.75 or 1.85))
		slide(piston, 5, 6.5, 0, 2)
	end)

	-- The rarer shapes in a bin, and compounds of several.
	family("crowd" .. suffix, dimension, 10, function()
		scene.rest, scene.closed = true, true
		bin(dimension == 2 and 5 or 3, 8)
		crowd(dimension == 2 and 40 or 36, dimension == 2 and 6 or 3, 0.1, 0.25, 0.4, make, { friction = random(0.3, 0.9) })
	end)

	family("compounds" .. suffix, dimension, 10, function()
		scene.rest, scene.closed = true, true
		bin(dimension == 2 and 5 or 3.4, 8)
		crowd(dimension == 2 and 24 or 27, dimension == 2 and 5 or 3, 0.1, 0.3, 0.45, function(r) return compound(r, dimension) end)
	end)

	-- A valley between half-spaces.
	family("valley" .. suffix, dimension, 10, function()
		scene.rest, scene.closed = true, true
		scene.bounds = dimension == 2 and { -9, -0.2, 9, 50 } or { -9, -0.2, -9, 9, 50, 9 }
		local a = random(0.3, 1)
		if dimension == 2 then
			fixed { "halfPlane", sin(a), cos(a), 0 }
			fixed { "halfPlane", -sin(a), cos(a), 0 }
		else
			for i = 0, 2 do fixed { "halfSpace", sin(a) * cos(2 * pi * i / 3), cos(a), sin(a) * sin(2 * pi * i / 3), 0 } end
		end
		crowd(dimension == 2 and 16 or 18, dimension == 2 and 4 or 3, 4, 0.2, 0.4, make)
	end)

	-- Stacks of the rarer shapes, flat face on flat face.
	family("piles" .. suffix, dimension, 6, function()
		scene.rest, scene.closed = true, true
		scene.bounds = dimension == 2 and { -20, -0.2, 20, 20 } or { -20, -0.2, -20, 20, 20, 20 }
		fixed(dimension == 2 and { "halfPlane", 0, 1, 0 } or { "halfSpace", 0, 1, 0, 0 })
		for i = 0, 3 do
			local y, r, kind = 0, random(0.4, 0.7), pick { 1, 2, 3 }
			for _ = 1, 4 do
				local h = random(0.2, 0.5)
				local shape
				if dimension == 2 then
					shape = kind == 1 and { "box", 2 * r, h, { radius = 0.3 * h } } or kind == 2 and { "polygon", { -r, -h / 2, r, -h / 2, 0.8 * r, h / 2, -0.8 * r, h / 2 } } or { "polygon", { -r, -h / 2 + 0.05, r, -h / 2 + 0.05, r, h / 2 - 0.05, -r, h / 2 - 0.05 }, 0.05 }
				else
					shape = kind == 1 and { "cylinder", r, h } or kind == 2 and { "box", 2 * r, h, 1.6 * r, { radius = 0.2 * h } } or { "hull", { -r, -h / 2, -r, r, -h / 2, -r, r, -h / 2, r, -r, -h / 2, r, -0.8 * r, h / 2, -0.8 * r, 0.8 * r, h / 2, -0.8 * r, 0.8 * r, h / 2, 0.8 * r, -0.8 * r, h / 2, 0.8 * r } }
				end
				add { x = 3 * i - 4.5, y = y + h / 2, stands = true, density = random(0.5, 2), shape = shape }
				y, r = y + h, 0.9 * r
			end
		end
	end)
end

return families
