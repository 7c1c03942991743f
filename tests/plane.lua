-- The plane z = 0 of a 3D world with the API of `collide.d2`. A law of 2D that also holds in 3D is one test for both: see `planes` and `suite` in support.lua.
--
-- Circles are balls, half-planes are half-spaces, segments and chains are meshes; chains are one-sided. Boxes and polygons are 1 deep: their mass and their
-- inertia about z are those of 2D. Bodies are free to leave the plane: a body that rocks on an edge drifts aside by millimetres, since its corners are not
-- solved together. Third coordinates are left out.
-- All objects are wrapper tables, one for each object, so that they compare and serve as keys.
local collide = require "collide"
local d2, d3 = collide.d2, collide.d3

local plane = { axes = 3 }

local depth = 1

local function quaternion(angle)
	return 0, 0, collide.sin((angle or 0) / 2), collide.cos((angle or 0) / 2)
end

local function angle_of(_, _, qz, qw)
	local angle = 2 * (math.atan2 or math.atan)(qz, qw)
	if angle > math.pi then return angle - 2 * math.pi elseif angle <= -math.pi then return angle + 2 * math.pi end
	return angle
end

-- --- Wrappers --------------------------------------------------------------------------------------------------------------

-- By the object. In Lua 5.1 a value that refers to its own key would never be collected: there the values are weak, too.
local stand_ins = setmetatable({}, { __mode = _VERSION == "Lua 5.1" and "kv" or "k" })
local flats = setmetatable({}, { __mode = "k" }) -- 2D shapes and poses, by the 3D ones that represent them

local function real(object)
	return type(object) == "table" and rawget(object, "real") or object
end

local function reals(...)
	local count, list = select("#", ...), { ... }
	for i = 1, count do list[i] = real(list[i]) end
	return (table.unpack or unpack)(list, 1, count)
end

-- A class of wrappers with these methods. All others are the object's own, with wrapped results.
local stand_in
local function new_class(methods)
	local others = setmetatable({}, { __mode = "v" })
	return {
		__index = function(self, key)
			if methods[key] then return methods[key] end
			local value = self.real[key]
			if type(value) ~= "function" then return value end
			others[key] = others[key] or function(...) return stand_in(select(1, reals(...))[key](reals(...))) end
			return others[key]
		end,
		__newindex = function(self, key, value) self.real[key] = value end,
		__tostring = function(self) return tostring(self.real) end,
	}
end

local World, Body, Collider, Joint, Shape, Pose = {}, {}, {}, {}, {}, {}
local classes = { world = new_class(World), body = new_class(Body), collider = new_class(Collider), joint = new_class(Joint), shape = new_class(Shape),
	pose = new_class(Pose) }

local function class_of(object)
	return classes[debug.getmetatable(object).__name]
end

-- Wraps each argument; lists element by element.
function stand_in(...)
	local count, list = select("#", ...), { ... }
	for i = 1, count do
		local object = list[i]
		if type(object) == "userdata" and class_of(object) then
			stand_ins[object] = stand_ins[object] or setmetatable({ real = object, flat = flats[object] }, class_of(object))
			list[i] = stand_ins[object]
		elseif type(object) == "table" and type(object[1]) == "userdata" then
			list[i] = { stand_in((table.unpack or unpack)(object)) }
		end
	end
	return (table.unpack or unpack)(list, 1, count)
end

-- --- Shapes ----------------------------------------------------------------------------------------------------------------

local function place(options)
	local qx, qy, qz, qw = quaternion(options.angle)
	return { x = options.x, y = options.y, qx = qx, qy = qy, qz = qz, qw = qw, radius = options.radius }
end

-- Wraps a 3D shape or pose that represents a 2D one; the 2D one is kept for its points.
local function shape(solid, flat)
	flats[solid] = flat
	return (stand_in(solid))
end

function plane.circle(radius, x, y) return shape(d3.sphere(radius, x or 0, y or 0, 0), d2.circle(radius, x or 0, y or 0)) end

function plane.box(width, height, options)
	return shape(d3.box(width, height, depth, options and place(options)), d2.box(width, height, options))
end

function plane.capsule(x1, y1, x2, y2, radius)
	return shape(d3.capsule(x1, y1, 0, x2, y2, 0, radius), d2.capsule(x1, y1, x2, y2, radius))
end

function plane.halfPlane(nx, ny, offset) return shape(d3.halfSpace(nx, ny, 0, offset), d2.halfPlane(nx, ny, offset)) end

function plane.ellipse(rx, ry, options)
	return shape(d3.ellipsoid(rx, ry, rx, options and place(options)), d2.ellipse(rx, ry, options))
end

function plane.polygon(points, radius)
	local prism = {}
	for i = 1, #points, 2 do
		for _, z in ipairs { -depth / 2, depth / 2 } do
			prism[#prism + 1], prism[#prism + 2], prism[#prism + 3] = points[i], points[i + 1], z
		end
	end
	return shape(d3.hull(prism, radius), d2.polygon(points, radius))
end

for _, name in ipairs { "getType", "getPoints", "getNormals", "getRadius", "getBox" } do
	Shape[name] = function(self, pose) return self.flat[name](self.flat, pose and pose.flat) end
end

-- A deep band for each two neighbouring points; its front is on the right of the direction from the first to the second.
local function bands(points, loop, options)
	local vertices, indices, count = {}, {}, #points / 2
	for i = 1, count do
		for _, z in ipairs { -20, 20 } do
			vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = points[2 * i - 1], points[2 * i], z
		end
		local a, b = 2 * i - 1, i < count and 2 * i + 1 or 1
		if i < count or loop then
			for _, index in ipairs { a, b, b + 1, a, b + 1, a + 1 } do indices[#indices + 1] = index end
		end
	end
	return d3.mesh(vertices, indices, options)
end

function plane.segment(x1, y1, x2, y2) return shape(bands { x1, y1, x2, y2 }, d2.segment(x1, y1, x2, y2)) end

function plane.chain(points, options)
	return shape(bands(points, options and options.loop, { oneSided = true }), d2.chain(points, options))
end

function plane.pose(x, y, angle) return shape(d3.pose(x, y, 0, quaternion(angle)), d2.pose(x, y, angle)) end

function Pose:getAngle() return angle_of(self.real:getRotation()) end

function Shape:getMass(density)
	local mass, x, y, _, _, _, zz = self.real:getMass(density)
	return mass, x, y, zz
end

-- --- Worlds ----------------------------------------------------------------------------------------------------------------

-- A third coordinate may be given: of an axis that leaves the plane.
local function vector(list)
	return list and { list[1], list[2], list[3] or 0 }
end

local function filter_of(filter)
	return filter and function(...) return filter(stand_in(...)) end
end

local function copy(options, changes)
	local result = {}
	for key, value in pairs(options or {}) do result[key] = value end
	for key, value in pairs(changes) do result[key] = value end
	return result
end

function plane.newWorld(options)
	options = options or {}
	return stand_in(d3.newWorld(copy(options, { gravity = vector(options.gravity), filter = filter_of(options.filter) })))
end

local function locks_of(locks)
	local rotation = locks.rotation
	return { x = locks.x, y = locks.y, rotationX = rotation, rotationY = rotation, rotationZ = rotation }
end

-- A tangent speed is along +x, the right direction for a body on a floor.
local function shape_options(options)
	local speed = options.tangentSpeed
	local result = copy(options, { shape = real(options.shape), tangentVelocity = speed and { speed, 0, 0 } })
	result.tangentSpeed = nil
	return result
end

function World:newBody(options)
	local result = shape_options(options)
	if options.angle then
		result.rotation = { quaternion(options.angle) }
		result.angle = nil
	end
	result.position, result.linearVelocity, result.center = vector(options.position), vector(options.linearVelocity), vector(options.center)
	if options.angularVelocity then result.angularVelocity = { 0, 0, options.angularVelocity } end
	if options.inertia then result.inertia = { options.inertia, options.inertia, options.inertia, 0, 0, 0 } end
	if options.locks then result.locks = locks_of(options.locks) end
	for i, entry in ipairs(options.shapes or {}) do
		if i == 1 then result.shapes = {} end
		result.shapes[i] = shape_options(entry)
	end
	return stand_in(self.real:newBody(result))
end

local function drop_third(x, y) return x, y end

function World:getGravity() return drop_third(self.real:getGravity()) end

function World:setGravity(x, y) self.real:setGravity(x, y, 0) end

function World:setFilter(filter) self.real:setFilter(filter_of(filter)) end

local function query_options(options)
	return options and copy(options, { filter = filter_of(options.filter) })
end

local function flat_hit(collider, x, y, _, nx, ny, _, fraction)
	if not collider then return nil end
	return stand_in(collider), x, y, nx, ny, fraction
end

function World:raycast(x1, y1, x2, y2, options)
	return flat_hit(self.real:raycast(x1, y1, 0, x2, y2, 0, query_options(options)))
end

function World:raycastAll(x1, y1, x2, y2, options)
	local hits = self.real:raycastAll(x1, y1, 0, x2, y2, 0, query_options(options))
	for _, hit in ipairs(hits) do hit.collider, hit.z, hit.nz = stand_in(hit.collider), nil, nil end
	return hits
end

function World:raycastAny(x1, y1, x2, y2, options) return self.real:raycastAny(x1, y1, 0, x2, y2, 0, query_options(options)) end

function World:overlapBox(x1, y1, x2, y2, options)
	return stand_in(self.real:overlapBox(x1, y1, -depth / 2, x2, y2, depth / 2, query_options(options)))
end

function World:overlapShape(shape, pose, options) return stand_in(self.real:overlapShape(real(shape), real(pose), query_options(options))) end

-- Loops over events, with 2D rows. The real iterator needs its own first value back.
local function loop_of(flat, next_row, state, control)
	local function take(first, ...)
		control = first
		if first ~= nil then return flat(stand_in(first, ...)) end
	end
	return function() return take(next_row(state, control)) end
end

local function loop(name, flat)
	World[name] = function(self) return loop_of(flat, self.real[name](self.real)) end
end

local function pair(a, b) return a, b end

loop("beginContacts", function(a, b, nx, ny, _, x, y) return a, b, nx, ny, x, y end)
loop("endContacts", pair)
loop("hits", function(a, b, x, y, _, nx, ny, _, ...) return a, b, x, y, nx, ny, ... end)
loop("beginOverlaps", pair)
loop("endOverlaps", pair)
loop("wokeBodies", function(body) return body end)
loop("sleptBodies", function(body) return body end)
loop("jointEvents", function(...) return ... end)
loop("moved", function(body, x, y, _, qx, qy, qz, qw, fell_asleep) return body, x, y, angle_of(qx, qy, qz, qw), fell_asleep end)
loop("interpolated", function(body, x, y, _, qx, qy, qz, qw) return body, x, y, angle_of(qx, qy, qz, qw) end)
loop("contacts", function(a, b, nx, ny, _, x, y, _, ...) return a, b, nx, ny, x, y, ... end)

-- --- Bodies ----------------------------------------------------------------------------------------------------------------

function Body:getPosition() return drop_third(self.real:getPosition()) end

function Body:setPosition(x, y) self.real:setPosition(x, y, 0) end

function Body:getAngle() return angle_of(self.real:getRotation()) end

function Body:setAngle(angle) self.real:setRotation(quaternion(angle)) end

function Body:getTransform()
	local x, y = self:getPosition()
	return x, y, self:getAngle()
end

function Body:setTransform(x, y, angle) self.real:setTransform(x, y, 0, quaternion(angle)) end

function Body:moveTo(x, y, angle, dt)
	local qx, qy, qz, qw = quaternion(angle)
	self.real:moveTo(x, y, 0, qx, qy, qz, qw, dt)
end

function Body:getLinearVelocity() return drop_third(self.real:getLinearVelocity()) end

function Body:setLinearVelocity(x, y) self.real:setLinearVelocity(x, y, 0) end

function Body:getAngularVelocity() return (select(3, self.real:getAngularVelocity())) end

function Body:setAngularVelocity(w) self.real:setAngularVelocity(0, 0, w) end

function Body:getVelocityAt(x, y) return drop_third(self.real:getVelocityAt(x, y, 0)) end

function Body:applyForce(fx, fy, x, y) self.real:applyForce(fx, fy, 0, x, y, x and 0) end

function Body:applyTorque(torque) self.real:applyTorque(0, 0, torque) end

function Body:applyImpulse(ix, iy, x, y) self.real:applyImpulse(ix, iy, 0, x, y, x and 0) end

function Body:applyAngularImpulse(impulse) self.real:applyAngularImpulse(0, 0, impulse) end

function Body:getInertia() return (select(3, self.real:getInertia())) end

function Body:getCenter() return drop_third(self.real:getCenter()) end

function Body:getLocalCenter() return drop_third(self.real:getLocalCenter()) end

function Body:setMassData(mass, x, y, inertia) self.real:setMassData(mass, x, y, 0, inertia, inertia, inertia, 0, 0, 0) end

function Body:getLocks()
	local x, y, _, _, _, rotation = self.real:getLocks()
	return x, y, rotation
end

function Body:setLocks(x, y, rotation) self.real:setLocks(x, y, false, rotation, rotation, rotation) end

for _, name in ipairs { "getWorldPoint", "getLocalPoint", "getWorldVector", "getLocalVector" } do
	Body[name] = function(self, x, y) return drop_third(self.real[name](self.real, x, y, 0)) end
end

function Body:newCollider(shape, options) return stand_in(self.real:newCollider(real(shape), options and shape_options(options))) end

-- Keeps the body in the plane by locks. Returns it.
function plane.hold(body)
	body.real:setLocks(false, false, true, true, true, false)
	return body
end

-- --- Colliders -------------------------------------------------------------------------------------------------------------

function Collider:getBox()
	local x1, y1, _, x2, y2 = self.real:getBox()
	return x1, y1, x2, y2
end

function Collider:overlaps() return loop_of(function(visitor) return visitor end, self.real:overlaps()) end

function Collider:getTangentSpeed() return (self.real:getTangentVelocity()) end

function Collider:setTangentSpeed(speed) self.real:setTangentVelocity(speed, 0, 0) end

function Collider:containsPoint(x, y) return self.real:containsPoint(x, y, 0) end

function Collider:raycast(x1, y1, x2, y2)
	local x, y, _, nx, ny, _, fraction = self.real:raycast(x1, y1, 0, x2, y2, 0)
	if not x then return nil end
	return x, y, nx, ny, fraction
end

-- --- Joints ----------------------------------------------------------------------------------------------------------------

local function joint_options(options)
	if type(options) ~= "table" then return options end
	local angle, anchored = options.referenceAngle, options.x == nil -- anchored: by anchors or points
	local result = copy(options, { z = not anchored and 0 or nil, anchorA = vector(options.anchorA), anchorB = vector(options.anchorB),
		pointA = vector(options.pointA), pointB = vector(options.pointB),
		bodyA = real(options.bodyA), bodyB = real(options.bodyB) })
	result.referenceAngle = nil
	if angle then result.rotationA, result.rotationB = { quaternion() }, { quaternion(-angle) } end
	return result
end

-- The options of the joint in 3D.
function plane.joint_options(name, options)
	local result = joint_options(options)
	if name == "Revolute" or name == "Spherical" then return result end
	for _, key in ipairs { "axis", "axisA", "axisB", "secondAxis", "pointA", "pointB", "linearVelocity", "groundA", "groundB" } do result[key] = vector(options[key]) end
	if options.angularVelocity then result.angularVelocity = { 0, 0, options.angularVelocity } end
	if name == "Wheel" then result.spinAxis = { 0, 0, 1 } end
	if name == "Mouse" then result.body = real(options.body) end
	if name == "Gear" then result.jointA, result.jointB, result.z = real(options.jointA), real(options.jointB), nil end
	if name == "Path" and type(options.points) == "table" then
		result.z, result.points = nil, {}
		for i = 1, #options.points, 2 do
			for _, number in ipairs { options.points[i], options.points[i + 1], 0 } do result.points[#result.points + 1] = number end
		end
	end
	return result
end

for _, name in ipairs { "Distance", "Prismatic", "Weld", "Wheel", "Motor", "Mouse", "Friction", "Filter", "Ratchet", "Gear", "Pulley", "Path", "Cylindrical",
	"Universal", "Parallel", "SixDof", "Revolute", "Spherical" } do
	World["new" .. name .. "Joint"] = function(self, options)
		return stand_in(self.real["new" .. name .. "Joint"](self.real, plane.joint_options(name, options)))
	end
end

function Joint:setTarget(x, y) return self.real:setTarget(x, y, 0) end

function Joint:getAnchorA() return drop_third(self.real:getAnchorA()) end

function Joint:getAnchorB() return drop_third(self.real:getAnchorB()) end

function Joint:getReactionForce() return drop_third(self.real:getReactionForce()) end

function Joint:getReactionTorque() return (select(3, self.real:getReactionTorque())) end

return plane
