-- Spinning tops, and T-handles that turn over in the air.
-- A top with a fixed tip has the inertia I_1 about the tip across its axis and I_3 along the axis, and its centre of mass at the distance l. It precesses at
-- a constant tilt q if its rate W solves I_1 cos(q) W^2 - I_3 w_3 W + m g l = 0 (Lagrange, 1788): the slower root. Three tops are held by joints on stands,
-- high enough for their discs to clear the floor, and start so. One stands free on a floor without friction. One does not spin, and falls over.
-- A body that rotates about the axis of its middle moment turns over, again and again (Euler, 1758; Poinsot, 1834). The times are compared with Euler's
-- equations I dw/dt = (I w) x w, solved by the method of Runge and Kutta.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "tops", duration = 10, timestep = 1 / 60, camera = { x = 0, y = 1.6, z = 0, distance = 15, yaw = 0.25, pitch = 0.3 } }

local gravity, stand = 10, 0.5
local cases = { { x = -4, spin = 60, tilt = 0.3 }, { x = -2, spin = 40, tilt = 0.6 }, { x = 0, spin = 50, tilt = 1.1 } }
local floor, tops, handles, still, free
local lowest -- height of the rim of a disc above the floor, at any time [m]

local function new_top(world, x, y, tilt)
	return world:newBody {
		x = x, y = y, z = 0, axis = { 0, 0, 1 }, angle = -tilt, angularDamping = 0,
		shapes = {
			{ shape = d3.capsule(0, 0.05, 0, 0, 1.3, 0, 0.05), friction = 0 },
			{ shape = d3.cylinder(0.5, 0.2, { y = 0.7 }) },
			{ shape = d3.box(0.3, 0.1, 1.05, { y = 0.7 }), density = 0.01 }, -- light, only to make the rotation visible
		},
	}
end

-- Starts a top so that it keeps its tilt: w = W up + (w_3 - W cos q) axis. Returns W.
local function spin(top, w3, tilt)
	local _, l = top:getLocalCenter()
	local across, along = top:getInertia()
	local mass, c = top:getMass(), collide.cos(tilt)
	local a, b = (across + mass * l * l) * c, along * w3
	local W = (b - math.sqrt(b * b - 4 * a * mass * gravity * l)) / (2 * a)
	local ax, ay, az = top:getWorldVector(0, 1, 0)
	local s = w3 - W * c
	local wx, wy, wz = s * ax, W + s * ay, s * az
	top:setAngularVelocity(wx, wy, wz)
	local rx, ry, rz = top:getWorldVector(0, l, 0)
	top:setLinearVelocity(wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx)
	return W
end

-- The direction in which it leans, about up, and the angle.
local function lean(top)
	local ax, ay, az = top:getWorldVector(0, 1, 0)
	return collide.atan2(-az, ax), math.acos(math.max(-1, math.min(1, ay)))
end

-- Euler's equations: the angular velocity of a handle, in its own frame, after a time.
local function rate(I, w)
	return { (I[2] - I[3]) * w[2] * w[3] / I[1], (I[3] - I[1]) * w[3] * w[1] / I[2], (I[1] - I[2]) * w[1] * w[2] / I[3] }
end

local function moved(w, k, h)
	return { w[1] + h * k[1], w[2] + h * k[2], w[3] + h * k[3] }
end

local function euler(I, w, time)
	local parts = 32
	local h = time / parts
	for _ = 1, parts do
		local k1 = rate(I, w)
		local k2 = rate(I, moved(w, k1, h / 2))
		local k3 = rate(I, moved(w, k2, h / 2))
		local k4 = rate(I, moved(w, k3, h))
		w = moved(moved(moved(moved(w, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6)
	end
	return w
end

local function new_handle(world, x, speed)
	local body = world:newBody {
		x = x, y = 3.5, z = -1, gravityScale = 0, angularDamping = 0,
		shapes = { { shape = d3.cylinder(0.1, 1, { y = 0.5 }) }, { shape = d3.capsule(-0.6, 0, 0, 0.6, 0, 0, 0.12) } },
	}
	local I = { body:getInertia() }
	-- The axes of the least, the middle and the greatest moment; the handle rotates about the second.
	local order = { 1, 2, 3 }
	table.sort(order, function(a, b) return I[a] < I[b] end)
	local w = { 0.02 * speed, 0.02 * speed, 0.02 * speed }
	w[order[2]] = speed
	body:setAngularVelocity(w[1], w[2], w[3])
	return {
		body = body, inertia = I, axis = order[2], expected = w, flips = 0, expected_flips = 0, late = 0, energy = body:getKineticEnergy(),
		momentum = { body:getAngularMomentum() },
	}
end

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, sleeping = false }
	lowest = math.huge
	floor = world:newBody { type = "static", y = -1, shape = d3.box(14, 2, 14), friction = 0 }
	tops = {}
	for i, case in ipairs(cases) do
		floor:newCollider(d3.cone(0.12, stand, { x = case.x, y = 1 + stand / 2 }))
		local top = new_top(world, case.x, stand, case.tilt)
		world:newSphericalJoint { bodyA = floor, bodyB = top, x = case.x, y = stand, z = 0 }
		tops[i] = { body = top, tilt = case.tilt, rate = spin(top, case.spin, case.tilt), angle = 0, last = 0 }
	end
	free = new_top(world, 2, 0, 0.1)
	spin(free, 60, 0.1)
	free:setLinearVelocity(0, 0, 0)
	still = new_top(world, 4.5, 0, 0.1)
	handles = { new_handle(world, -2.5, 8), new_handle(world, 0, 10), new_handle(world, 2.5, 12) }
	return world
end

-- It has turned over when its angular velocity about the axis, in its own frame, has changed its sign.
local function watch(handle, tick)
	local before = handle.sign or 1
	local w = { handle.body:getLocalVector(handle.body:getAngularVelocity()) }
	handle.sign = w[handle.axis] < 0 and -1 or 1
	if handle.sign ~= before then
		handle.flips = handle.flips + 1
		handle.flip = tick
	end
	before = handle.expected[handle.axis] < 0
	handle.expected = euler(handle.inertia, handle.expected, scenario.timestep)
	if (handle.expected[handle.axis] < 0) ~= before then
		handle.expected_flips = handle.expected_flips + 1
		handle.expected_flip = tick
	end
end

-- The lower face of its disc is 0.6 m from the tip, and its radius is 0.5 m.
local function rim(top)
	local _, y = top:getPosition()
	local _, tilt = lean(top)
	return y + 0.6 * collide.cos(tilt) - 0.5 * collide.sin(tilt)
end

function scenario.update(_, tick)
	for _, top in ipairs { tops[1].body, tops[2].body, tops[3].body, free, still } do lowest = math.min(lowest, rim(top)) end
	if tick > 1 then
		for _, top in ipairs(tops) do
			local angle = lean(top.body)
			top.angle = top.angle + (angle - top.last + math.pi) % (2 * math.pi) - math.pi
			top.last = angle
		end
	end
	for _, handle in ipairs(handles) do watch(handle, tick) end
end

function scenario.measure()
	local result = {}
	for i, top in ipairs(tops) do
		local ticks = scenario.duration / scenario.timestep - 1
		result["top" .. i .. "Rate"] = top.angle / (ticks * scenario.timestep * top.rate)
		local _, tilt = lean(top.body)
		result["top" .. i .. "Tilt"] = tilt - top.tilt
	end
	for i, handle in ipairs(handles) do
		result["handle" .. i .. "Flips"] = handle.flips
		result["handle" .. i .. "Energy"] = handle.body:getKineticEnergy() / handle.energy - 1
	end
	return result
end

function scenario.check()
	local found = scenario.measure()
	for i, top in ipairs(tops) do
		print(("tops: number %d goes round at %.4f rad/s, of %.4f; its tilt has changed by %.4f rad"):format(i, found["top" .. i .. "Rate"] * top.rate, top.rate,
			found["top" .. i .. "Tilt"]))
	end
	for i, handle in ipairs(handles) do
		print(("tops: handle %d has turned over %d times, of %d; the last time in step %d, of %d; energy %+.1e"):format(i, handle.flips, handle.expected_flips,
			handle.flip or 0, handle.expected_flip or 0, found["handle" .. i .. "Energy"]))
	end
	-- The error of semi-implicit Euler is a fraction of the rotation per sub-step, W h: 0.8 % at 1.8 rad/s.
	for i in ipairs(tops) do
		assert(math.abs(found["top" .. i .. "Rate"] - 1) < 0.02, ("tops: number %d goes round at %.4f of its rate"):format(i, found["top" .. i .. "Rate"]))
		assert(math.abs(found["top" .. i .. "Tilt"]) < 0.02, ("tops: number %d leans by %.4f rad more than at first"):format(i, found["top" .. i .. "Tilt"]))
	end
	assert(lowest > -0.02, ("tops: a disc is %.3f m in the floor"):format(-lowest))
	local _, tilt = lean(free)
	-- Its disc is 0.5 m wide and 0.6 m above the tip: it touches the floor at 0.88 rad.
	assert(tilt < 0.8, ("tops: the free one leans by %.3f rad"):format(tilt))
	_, tilt = lean(still)
	assert(tilt > 0.8, ("tops: the one that does not spin leans by %.3f rad only"):format(tilt))
	for i, handle in ipairs(handles) do
		assert(handle.flips > 2 and handle.flips == handle.expected_flips, ("tops: handle %d has turned over %d times, and should have %d times"):format(i,
			handle.flips, handle.expected_flips))
		assert(math.abs(found["handle" .. i .. "Energy"]) < 1e-3, ("tops: handle %d has %+.5f of its energy more"):format(i, found["handle" .. i .. "Energy"]))
		local x, y, z = handle.body:getAngularMomentum()
		local m = handle.momentum
		local off = math.sqrt(((x - m[1]) ^ 2 + (y - m[2]) ^ 2 + (z - m[3]) ^ 2) / (m[1] ^ 2 + m[2] ^ 2 + m[3] ^ 2))
		assert(off < 1e-3, ("tops: handle %d has lost %.5f of its angular momentum"):format(i, off))
	end
end

return scenario
