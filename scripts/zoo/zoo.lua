-- Reads the scenes of scripts/zoo/scenes, builds their worlds, applies their motion, and measures their figures. One program for both dimensions.
--
-- A scene is plain data: a Lua file that returns a table and cannot call any function.
--   about       its origin, in a line
--   dimension   2 or 3
--   seconds     how long it runs
--   gravity     default { 0, -10 } or { 0, -10, 0 }
--   bodies      options of world:newBody, with these differences: a shape is { "box", 1, 1 }, the name of its constructor and its arguments; `copies` =
--               { n, dx, dy } makes n bodies, each shifted by { dx, dy }, or a list of such rows for a grid; `stands` marks a body that should not move
--   joints      { "Revolute", options of world:newRevoluteJoint, with numbers of bodies (copies count) for bodyA and bodyB }
--   motion      { body = number, from = s, to = s, linearVelocity, angularVelocity, hertz }: velocities that a body has while the time is in [from, to); then 0.
--               With hertz, times sin(2 pi hertz (t - from)).
--   rest        all should come to rest        closed    no energy comes in
--   bounds      { x1, y1, x2, y2 } or { x1, y1, z1, x2, y2, z2 }: a body that ends outside has escaped
--   should      bounds of figures at every rate, independent of the peer: { rest = 2, moved = 0.01 }
--   peer        the peer's figures by rate: { [60] = { rest = 1.2, deep = 0.004 } }; tests/test_zoo.lua holds the engine's to them.
--               A failure of the peer's is no measure: a drift above 5 cm, or a displacement above half a metre of a body that should stand, is left out.
--   open        figures by rate that are worse than the peer's, faults to fix: { [30] = { rest = 4 } }. They are held to these values until they meet the peer's.
local collide = require "collide"

local unpack = table.unpack or unpack
local zoo = {}

-- { "capsule", 0, 0, 1, 0, 0.2 } as a shape of the wing.
local function new_shape(wing, description)
	return wing[description[1]](unpack(description, 2))
end

-- An entry of `bodies` as options of newBody, without its copies.
function zoo.describe(wing, options)
	local result = {}
	for key, value in pairs(options) do result[key] = value end
	result.copies, result.stands = nil, nil
	if options.shape then result.shape = new_shape(wing, options.shape) end
	if options.shapes then
		result.shapes = {}
		for i, collider in ipairs(options.shapes) do result.shapes[i] = zoo.describe(wing, collider) end
	end
	return result
end

-- Calls place(options, offset) for each copy of an entry of `bodies`.
local function each_copy(entry, place)
	local rows = entry.copies or {}
	if type(rows[1]) == "number" then rows = { rows } end
	local offset = { 0, 0, 0 }
	local function walk(level)
		local row = rows[level]
		if not row then return place(entry, offset) end
		for i = 0, row[1] - 1 do
			for axis = 1, 3 do offset[axis] = offset[axis] + i * (row[axis + 1] or 0) end
			walk(level + 1)
			for axis = 1, 3 do offset[axis] = offset[axis] - i * (row[axis + 1] or 0) end
		end
	end
	walk(1)
end

-- The table that a file returns. The file sees no globals.
function zoo.load(path)
	local chunk = assert(loadfile(path, "t", {}))
	if setfenv then setfenv(chunk, {}) end
	return chunk()
end

-- A world with the scene's bodies and joints, and lists of both. `options` are added to those of newWorld.
function zoo.build(scene, options)
	local wing = collide["d" .. scene.dimension]
	local settings = { gravity = scene.gravity or (scene.dimension == 2 and { 0, -10 } or { 0, -10, 0 }) }
	for key, value in pairs(options or {}) do settings[key] = value end
	local world, bodies, stands, joints = wing.newWorld(settings), {}, {}, {}
	for _, entry in ipairs(scene.bodies) do
		local description = zoo.describe(wing, entry)
		each_copy(entry, function(_, offset)
			local at = entry.position or { entry.x or 0, entry.y or 0, entry.z or 0 }
			description.x, description.y, description.position = nil, nil, { at[1] + offset[1], at[2] + offset[2] }
			if scene.dimension == 3 then description.z, description.position[3] = nil, at[3] + offset[3] end
			local body = world:newBody(description)
			bodies[#bodies + 1] = body
			if entry.stands then stands[body] = true end
		end)
	end
	for i, entry in ipairs(scene.joints or {}) do
		local description = {}
		for key, value in pairs(entry) do description[key] = value end
		description[1], description.bodyA, description.bodyB = nil, bodies[entry.bodyA], bodies[entry.bodyB]
		joints[i] = world["new" .. entry[1] .. "Joint"](world, description)
	end
	return { scene = scene, wing = wing, world = world, bodies = bodies, stands = stands, joints = joints }
end

local function scaled(velocity, by)
	if type(velocity) == "number" then return velocity * by end
	local result = {}
	for axis, value in ipairs(velocity) do result[axis] = value * by end
	return unpack(result)
end

-- Sets the velocities of the step from `time` on. Times are rounded to steps, so a displacement is the same at all rates at which they are whole steps.
function zoo.move(run, time, dt)
	for _, entry in ipairs(run.scene.motion or {}) do
		local body, late = run.bodies[entry.body], time - (entry.from or 0)
		local ends = entry.to and time >= entry.to - dt / 2
		if late > -dt / 2 and (not ends or time < entry.to + dt / 2) then
			local by = ends and 0 or entry.hertz and math.sin(2 * math.pi * entry.hertz * (late + dt / 2)) or 1
			if entry.linearVelocity then body:setLinearVelocity(scaled(entry.linearVelocity, by)) end
			if entry.angularVelocity then body:setAngularVelocity(scaled(entry.angularVelocity, by)) end
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Figures: smaller is better; lengths in metres, times in seconds.
--   rest      when the last body went to sleep; the whole time if one has not
--   deep      the deepest overlap at the end, by the distance of the shapes
--   drift     the largest displacement of a point in the last three seconds
--   moved     the largest displacement of a point, since the start, of the bodies that should stand
--   gain      the largest rise of energy above an earlier value, as a height to which it would lift the whole weight, or as a fraction if nothing has weight
--   share     the same rise as a fraction of the largest kinetic energy so far plus the energy that lifts all weights by 2 % of their reach
--   escaped   how many bodies ended out of bounds
--   joint     the largest separation of a joint's anchors over the run

-- The largest extent of a body along its axes, and whether it is a ball.
local function reach(run, body)
	local radius, round, dimension = 0, true, run.scene.dimension
	for _, collider in ipairs(body:getColliders()) do
		local shape = collider:getShape()
		local box = { shape:getBox() }
		for i = 1, dimension do radius = math.max(radius, math.abs(box[i]), math.abs(box[i + dimension])) end
		local kind = shape:getType()
		round = round and (kind == "circle" or kind == "sphere")
	end
	return radius, round
end

-- The centre and, unless the body is a ball, the end of each axis: their displacements show any rotation.
local function marks(run, body)
	local dimension, radius, round = run.scene.dimension, reach(run, body)
	local points = { { body:getWorldPoint(body:getLocalCenter()) } }
	if not round then
		for axis = 1, dimension do
			local point = { 0, 0, dimension == 3 and 0 or nil }
			point[axis] = radius
			points[axis + 1] = { body:getWorldPoint(unpack(point)) }
		end
	end
	return points
end

local function way(a, b)
	local most = 0
	for i, p in ipairs(a) do
		local sum = 0
		for axis, value in ipairs(p) do sum = sum + (value - b[i][axis]) ^ 2 end
		most = math.max(most, math.sqrt(sum))
	end
	return most
end

local function all_marks(run)
	local result = {}
	for i, body in ipairs(run.dynamic) do result[i] = marks(run, body) end
	return result
end

-- Begins to measure a new world.
function zoo.watch(run)
	run.dynamic = {}
	for _, body in ipairs(run.bodies) do
		if body:getType() == "dynamic" then run.dynamic[#run.dynamic + 1] = body end
	end
	run.first, run.rest, run.joint, run.gain, run.weight = all_marks(run), 0, 0, 0, 0
	run.gravity = { run.world:getGravity() }
	local g = 0
	for _, value in ipairs(run.gravity) do g = g + value * value end
	run.lift, run.kinetic = 0, 0
	for _, body in ipairs(run.dynamic) do
		local weight = math.sqrt(g) * body:getMass() * math.abs(body:getGravityScale())
		run.weight, run.lift = run.weight + weight, run.lift + 0.02 * weight * reach(run, body)
	end
end

-- The total energy, and its kinetic part.
local function energy(run)
	local sum, kinetic = 0, 0
	for _, body in ipairs(run.dynamic) do
		kinetic = kinetic + body:getKineticEnergy()
		local center, fall = { body:getCenter() }, 0
		for axis, value in ipairs(run.gravity) do fall = fall + value * center[axis] end
		sum = sum - body:getMass() * body:getGravityScale() * fall
	end
	return kinetic + sum, kinetic
end

-- Measures the world after a step. `awake`: whether any dynamic body is awake; if nil, it is computed here.
function zoo.look(run, time, dt, awake)
	if awake == nil then
		awake = false
		for _, body in ipairs(run.dynamic) do awake = awake or body:isAwake() end
	end
	if awake then run.rest = math.min(time + dt, run.scene.seconds) end
	if run.scene.closed and (awake or not run.least) then
		local now, kinetic = energy(run)
		run.kinetic = math.max(run.kinetic, kinetic)
		run.initial = run.initial or math.abs(now)
		run.least = math.min(run.least or now, now)
		run.gain = math.max(run.gain, now - run.least)
	end
	for _, joint in ipairs(run.joints) do
		run.joint = math.max(run.joint, way({ { joint:getAnchorA() } }, { { joint:getAnchorB() } }))
	end
	if not run.before and time >= run.scene.seconds - 3 - dt / 2 then run.before = all_marks(run) end
end

local function pose_of(run, body)
	return run.wing.pose(body:getTransform())
end

local function overlap_boxes(a, b, dimension)
	for i = 1, dimension do
		if a[i] > b[i + dimension] or b[i] > a[i + dimension] then return false end
	end
	return true
end

-- The deepest overlap of colliders of two bodies without a joint between them, at least one of them dynamic.
local function deepest(run)
	local list, tied, most = {}, {}, 0
	for _, joint in ipairs(run.joints) do
		local a, b = joint:getBodyA(), joint:getBodyB()
		tied[a], tied[b] = tied[a] or {}, tied[b] or {}
		tied[a][b], tied[b][a] = true, true
	end
	for _, body in ipairs(run.bodies) do
		local pose = pose_of(run, body)
		for _, collider in ipairs(body:getColliders()) do
			local shape = collider:getShape()
			list[#list + 1] = { body = body, pose = pose, shape = shape, box = { shape:getBox(pose) }, dynamic = body:getType() == "dynamic" }
		end
	end
	for i, a in ipairs(list) do
		for j = i + 1, #list do
			local b = list[j]
			if a.body ~= b.body and (a.dynamic or b.dynamic) and not (tied[a.body] and tied[a.body][b.body]) and overlap_boxes(a.box, b.box, run.scene.dimension) then
				most = math.max(most, -(run.wing.distance(a.shape, a.pose, b.shape, b.pose)))
			end
		end
	end
	return most
end

-- The figures of a finished run, as far as its scene asks for them.
function zoo.figures(run)
	local scene, last = run.scene, all_marks(run)
	local result = { deep = deepest(run) }
	if scene.rest then
		result.rest, result.drift = run.rest, 0
		for i, points in ipairs(last) do result.drift = math.max(result.drift, way(run.before[i], points)) end
	end
	if next(run.stands) then
		result.moved = 0
		for i, body in ipairs(run.dynamic) do
			if run.stands[body] then result.moved = math.max(result.moved, way(run.first[i], last[i])) end
		end
	end
	if scene.closed then result.gain = run.gain / (run.weight > 0 and run.weight or run.initial) end
	if scene.closed then result.share = run.gain / (run.kinetic + run.lift) end
	if scene.bounds then
		result.escaped = 0
		for _, body in ipairs(run.dynamic) do
			local center = { body:getCenter() }
			local fine = true
			for axis, value in ipairs(center) do fine = fine and value > scene.bounds[axis] and value < scene.bounds[axis + #center] end
			if not fine then result.escaped = result.escaped + 1 end
		end
	end
	if #run.joints > 0 then result.joint = run.joint end
	return result
end

-- Runs a scene at a rate; returns its figures.
function zoo.run(scene, hertz, options)
	local run, dt = zoo.build(scene, options), 1 / hertz
	zoo.watch(run)
	for step = 1, math.floor(scene.seconds * hertz + 0.5) do
		zoo.move(run, (step - 1) * dt, dt)
		run.world:step(dt)
		zoo.look(run, step * dt, dt)
	end
	run.world:validate()
	local figures = zoo.figures(run)
	run.world:destroy()
	return figures
end

-- The bar: a tenth above the peer's figure, plus an invisible amount.
local unseen = { rest = 0.3, deep = 0.003, drift = 0.003, moved = 0.005, gain = 0.005, escaped = 0, joint = 0.002 }

function zoo.bar(name, peer)
	return 1.1 * peer + unseen[name]
end

-- The figures above the bars, a line each.
function zoo.worse(scene, hertz, figures)
	local lines = {}
	local function compare(bars, allowed, whose)
		for name, bar in pairs(bars or {}) do
			local value = assert(figures[name], "no figure named " .. name)
			if not (value <= allowed(name, bar)) then lines[#lines + 1] = ("%d Hz: %s is %.4g, %s %.4g"):format(hertz, name, value, whose, bar) end
		end
	end
	local peer, open, bars = scene.peer and scene.peer[hertz] or {}, scene.open and scene.open[hertz] or {}, {}
	for name, bar in pairs(peer) do bars[name] = open[name] == nil and bar or nil end
	compare(scene.should, function(_, bar) return bar end, "and should be at most")
	compare(bars, zoo.bar, "the peer's")
	compare(open, zoo.bar, "and was")
	for name in pairs(open) do
		assert(peer[name], ("%s is open at %d Hz, where the peer has no such figure"):format(name, hertz))
		if figures[name] <= zoo.bar(name, peer[name]) then lines[#lines + 1] = ("%d Hz: %s meets the peer's: it is no longer open"):format(hertz, name) end
	end
	table.sort(lines)
	return lines
end

-- The scene with all dynamic bodies and all joints shifted by dx.
local function put_aside(scene, dx)
	local function moved(entries)
		local result = {}
		for i, entry in ipairs(entries or {}) do
			local copy = {}
			for key, value in pairs(entry) do copy[key] = value end
			if entry.position then copy.position = { entry.position[1] + dx, unpack(entry.position, 2) } end
			if entry.x or entry.shape or entry.shapes then copy.x = not entry.position and (entry.x or 0) + dx or nil end
			result[i] = (entry.type == "static" or entry.type == "kinematic") and entry or copy
		end
		return result
	end
	return setmetatable({ bodies = moved(scene.bodies), joints = moved(scene.joints) }, { __index = scene })
end

-- Runs a scene at a rate; returns the figures above the bars, a line each. Some figures depend on chance, so the median decides: if the first start is above
-- a bar, the median of eleven starts, shifted by up to 5 mm, counts.
function zoo.misses(scene, hertz)
	local first = zoo.run(scene, hertz)
	if #zoo.worse(scene, hertz, first) == 0 then return {} end
	local starts, medians = { first }, {}
	for i = 1, 5 do
		starts[#starts + 1] = zoo.run(put_aside(scene, 0.001 * i), hertz)
		starts[#starts + 1] = zoo.run(put_aside(scene, -0.001 * i), hertz)
	end
	for name in pairs(first) do
		local values = {}
		for i, figures in ipairs(starts) do values[i] = figures[name] end
		table.sort(values)
		medians[name] = values[6]
	end
	return zoo.worse(scene, hertz, medians)
end

return zoo
