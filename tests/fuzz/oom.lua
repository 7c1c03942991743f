-- What oom.c runs while allocations fail: a bit of everything, in sections that each survive the failure of another. `worlds` has all
-- worlds for the checks after, `indexes` all indexes; `failures` what went wrong for another reason than memory.

-- LuaJIT's compiler (2.1 of 2022) may crash when memory runs out in a C function that is called, under pcall, from a loop it has compiled.
if jit then jit.off() end

worlds, failures = {}, {}
local indexes = {}

local collide, d2

-- Whatever happened, every world and index is whole. Called with memory at hand again.
function check()
	for i = 1, #worlds do
		local world = worlds[i]
		if world and world:isValid() then
			world:setFilter(nil)
			world:validate()
			for _ = 1, 10 do world:step(1 / 60) end
			world:validate()
			local body = world:newBody { shape = select("#", world:getGravity()) == 2 and d2.circle(0.5) or collide.d3.sphere(0.5), data = 1 }
			if body:getColliders()[1]:getBody() ~= body then error "the handles are mixed up" end
			for _, each in ipairs(world:getBodies()) do
				if not each:isValid() then error "a dead handle in the list" end
				for _, collider in ipairs(each:getColliders()) do
					local shape = collider:getShape() -- tiles have none
					if shape then shape:getType() end
				end
			end
			body:destroy()
			world:step(1 / 60)
			world:validate()
		end
	end
	for _, index in ipairs(indexes) do
		index:validate()
		local list, inside = index:queryPoint(0, 0), {}
		if #list ~= index:getCount() then error "items of an index are lost" end
		for _, item in ipairs(list) do
			if not index:contains(item) or index:getBox(item) > 0 then error "an index mixes up its items" end
			index:remove(item)
		end
		if index:getCount() ~= 0 then error "items stay in an index" end
	end
	if failures[1] then error(failures[1], 0) end
end

collide = require "collide"
collide.warn = function() end -- some of the worlds have bodies without mass
d2 = collide.d2

local function is_memory(err)
	return type(err) == "string" and (err:find("memory", 1, true) or err:find("error in error handling", 1, true))
end

local function section(f)
	local ok, err = pcall(f)
	if not ok and not is_memory(err) then failures[#failures + 1] = err end
end

local function new_world(options, d)
	local place = #worlds + 1
	worlds[place] = false
	local world = (d or d2).newWorld(options)
	worlds[place] = world
	return world
end

-- Makes something of the world's, which must be there whole or not at all.
local function make(world, f, ...)
	local bodies, colliders, tick = world:getBodyCount(), world:getColliderCount(), world:getTick()
	local ok, result = pcall(f, ...)
	if ok then return result end
	if world:getBodyCount() ~= bodies or world:getColliderCount() ~= colliders or world:getTick() ~= tick then
		failures[#failures + 1] = "something was left of what failed"
	end
	error(result, 0)
end

local function shapes()
	return { d2.circle(0.5), d2.capsule(-0.5, 0, 0.5, 0, 0.25), d2.box(1, 1, { radius = 0.1 }), d2.polygon({ 0, 0, 1, 0, 0.5, 1 }, 0.05),
		d2.ellipse(0.5, 0.3), d2.segment(-0.5, 0, 0.5, 0), d2.chain({ 30, -1, 0, -2, -30, -1 }), d2.halfPlane(0, 1, -10),
		d2.chain({ -40, -40, 40, -40, 40, 40, -40, 40 }, { loop = true, oneSided = false,
			materials = { { name = "oil", friction = 0.1 }, { tangentSpeed = 1 } }, segmentMaterials = { 1, 2, 0, 1 } }) }
end

-- All shapes, falling on each other: pairs, islands, colours, events.
section(function()
	local world = new_world { gravity = { 0, -10 }, layers = { "ground", "thing" }, collide = { thing = { "thing", "ground" } } }
	for i, shape in ipairs(shapes()) do
		local kind = i > 5 and "static" or "dynamic"
		make(world, world.newBody, world, { type = kind, x = kind == "dynamic" and i * 0.9 or 0, y = kind == "dynamic" and i * 0.3 or -3,
			shape = shape, layer = kind == "static" and "ground" or "thing", name = "body " .. i, color = "#12345" .. i, data = { i } })
	end
	local circle = d2.circle(0.3)
	for i = 1, 12 do
		make(world, world.newBody, world, { x = i * 0.5, y = 3 + i * 0.1, shapes = { { shape = circle, data = i },
			{ shape = circle, friction = 0.1, material = { name = "body " .. i, frictionMixing = "minimum" } } } })
	end
	local count = world:getBodyCount()
	local ok, list = pcall(world.newBodies, world, { positions = { 1, 8, 2, 8, 3, 8 }, data = "many", name = "many", shapes = { { shape = circle, data = 1 }, { shape = circle } } })
	if world:getBodyCount() ~= count + (ok and 3 or 0) or ok and #list ~= 3 then error "some of the bodies are there" end
	for _ = 1, 30 do
		world:step(1 / 60)
		for a, b in world:beginContacts() do if not a or not b then error "no handle" end end
		for a, b in world:endContacts() do if not a or not b then error "no handle" end end
		for _ in world:contacts() do end
		for _ in world:slides() do end
		for _ in world:getBodies()[1]:contacts() do end
		for a, b in world:contacts() do world:explain(a, b:getBody()) end
		world:predict(world:getBodies()[1], 1 / 60)
		local hashes = world:bodyHashes()
		if #hashes ~= 2 * world:getBodyCount() then failures[#failures + 1] = "hashes of bodies are lost" end
		for body in world:wokeBodies() do body:explain() end
		for body in world:sleptBodies() do body:isAwake() end
		for body in world:moved() do body:getTransform() end
	end
end)

-- Several steps at once, whose events are told together, while a callback creates and destroys what they name.
section(function()
	local world = new_world { gravity = { 0, -10 }, maxTicks = 8 }
	world:newBody { type = "static", y = -1, shape = d2.box(20, 2), data = "floor" }
	local bodies, joints = {}, {}
	for i = 1, 8 do bodies[i] = make(world, world.newBody, world, { x = i, y = 0.5, shape = d2.circle(0.5), data = i }) end
	for i = 1, 8 do
		joints[i] = make(world, world.newDistanceJoint, world, { bodyA = bodies[1], bodyB = bodies[i == 1 and 2 or i], pointA = { 1, 3 }, pointB = { i, 3 },
			forceThreshold = 1e-3, breakable = i % 2 == 0, data = i })
	end
	for round = 1, 4 do
		local ok, err = pcall(world.advance, world, 0.11, function(_, tick)
			local i = tick % 8 + 1
			if bodies[i]:isValid() and i > 2 then bodies[i]:destroy() end
			if joints[i]:isValid() then joints[i]:destroy() end
			bodies[i] = world:newBody { x = i, y = 2, shape = d2.circle(0.5), data = { tick } }
			bodies[i]:setPosition(i, 1)
		end)
		if world:getAlpha() < 0 or world:getAlpha() >= 1 then failures[#failures + 1] = "a rest of more than a step" end
		for a, b in world:beginContacts() do if not a or not b then error "no handle" end end
		for a, b in world:endContacts() do if not a or not b then error "no handle" end end
		for joint in world:jointEvents() do joint:isValid() end
		for body in world:moved() do body:getRenderTransform() end
		for body in world:interpolated() do body:getTransform() end
		world:validate()
		if not ok then error(err, 0) end
	end
end)

-- A function that decides on contacts, at rest and in sweeps.
section(function()
	local world = new_world { preSolve = function(contact)
		local a, b = contact:getColliders()
		contact:setEnabled(a:isValid() and b:isValid() and contact:getSpeed() < 150)
		contact:setRestitution(0.5)
	end }
	make(world, world.newBody, world, { type = "static", y = -1, shape = d2.box(100, 2), preSolve = true })
	make(world, world.newBody, world, { type = "static", y = 0.5, shape = d2.box(4, 0.2), oneWay = { 0, 1 } })
	for i = 1, 8 do make(world, world.newBody, world, { x = i, y = 0.4 * i, shape = d2.circle(0.3), linearVelocity = { 0, -30 * i }, bullet = i % 2 == 0 }) end
	for _ = 1, 8 do
		world:step(1 / 60)
		for _, body in ipairs(world:getBodies()) do body:dropThrough() end
	end
	world:setPreSolve(nil)
	world:setPreSolve(function() end)
	world:step(1 / 60)
end)

-- Bodies that break: completely or not at all.
for _, axes in ipairs { 2, 3 } do
	section(function()
		local d = axes == 2 and d2 or collide.d3
		local function box(x, y) return axes == 2 and d.box(x, y) or d.box(x, y, 1) end
		local world = new_world({ gravity = { 0, -10, axes == 3 and 0 or nil } }, d)
		local body = make(world, world.newBody, world, { y = 2, name = "loaf", data = { 1 }, shapes = { { shape = box(4, 1), data = "crust" }, { shape = box(1, 3) } } })
		local other = make(world, world.newBody, world, { y = 4, shape = box(1, 1), data = 2 })
		make(world, world.newWeldJoint, world, { bodyA = body, bodyB = other, y = 3, x = 0, z = axes == 3 and 0 or nil, data = "joint" })
		world:step(1 / 60)
		local function parts(what, ...)
			local count = world:getBodyCount()
			local ok, pieces = pcall(body[what], body, ...)
			local broken = not body:isValid()
			if ok ~= broken or (not ok and world:getBodyCount() ~= count) then failures[#failures + 1] = what .. " was done by half" end
			if not ok then error(pieces, 0) end
			if #pieces < 2 or world:getBodyCount() ~= count + #pieces - 1 or world:getJoints()[1].data ~= "joint" then failures[#failures + 1] = "pieces are missing" end
			body = pieces[1]
		end
		if axes == 2 then parts("slice", 0.2, 0, 0.2, 1) else parts("slice", 1, 0, 0, 0.2) end
		local x, y = body:getCenter()
		parts("shatter", axes == 2 and { x - 0.3, y, x + 0.3, y, x, y + 1 } or { x - 0.3, y, 0, x + 0.3, y, 0, x, y + 1, 0 })
		for _ = 1, 3 do world:step(1 / 60) end
	end)
end

-- Explosions.
section(function()
	local world = new_world()
	make(world, world.newBody, world, { x = 2, shape = d2.box(1, 1) })
	local ok, err = pcall(world.explode, world, { x = 0, y = 0, radius = 5, impulse = 2, layers = { "default" }, occlusion = true })
	if not ok and world:getBodies()[1]:getLinearVelocity() ~= 0 then failures[#failures + 1] = "a failed explosion pushed a body" end
	if not ok then error(err, 0) end
end)

-- Flat lists.
section(function()
	local world, bodies = new_world(), {}
	for i = 1, 20 do bodies[i] = make(world, world.newBody, world, { x = i, shape = d2.circle(0.3) }) end
	local flat = world:getTransforms(bodies)
	local hash = world:hash()
	local ok, err = pcall(world.setTransforms, world, bodies, flat)
	if not ok and world:hash() ~= hash then failures[#failures + 1] = "a part of a list was set" end
	if not ok then error(err, 0) end
	world:setVelocities(bodies, world:getVelocities(bodies))
	world:step(1 / 60)
	if world:getMoved(flat) ~= 20 or #flat ~= 80 then error "rows are missing" end
end)

-- Objects that come and go while events name them.
section(function()
	local world = new_world { gravity = { 0, 0 } }
	local box = d2.box(1, 1)
	for round = 1, 4 do
		local bodies = {}
		for i = 1, 8 do bodies[i] = make(world, world.newBody, world, { x = i * 0.9, shape = box, sensor = i % 3 == 0, data = round,
			collidesWith = i % 2 == 0 and { "default" } or nil }) end
		make(world, world.newBody, world, { x = -2, shape = d2.circle(0.1), linearVelocity = { 390, 0 }, bullet = true })
		world:step(1 / 60)
		for _, body in ipairs(bodies) do
			for visitor in body:getColliders()[1]:overlaps() do if not visitor:isValid() then error "a dead visitor" end end
			body:getColliders()[1]:setCollidesWith(body:getColliders()[1]:getCollidesWith())
		end
		for a, b in world:beginContacts() do
			if a:isValid() and a:getBody():isValid() then a:getBody():destroy() end
			if b:isValid() then b.data = round end
		end
		for sensor, visitor in world:beginOverlaps() do if not (sensor and visitor) then error "no handle" end end
		for i = 1, 8 do bodies[i]:destroy() end
		world:step(1 / 60)
		for a, b in world:endContacts() do if a:isValid() and b:isValid() then error "not dead" end end
	end
end)

-- Colliders and settings that change.
section(function()
	local world = new_world()
	local list = shapes()
	local body = make(world, world.newBody, world, { shape = list[1] })
	local other = make(world, world.newBody, world, { y = 0.8, shape = list[3], awake = false })
	world:step(1 / 60)
	for i = 1, 5 do
		local collider = make(world, body.newCollider, body, list[i], { density = 2, data = i })
		collider:setShape(list[i % 5 + 1])
		other:setEnabled(i % 2 == 0)
		other:setType(i % 2 == 0 and "static" or "dynamic")
		other:setName("other " .. i)
		other:setColor("#65432" .. i)
		collider:setFriction(0.5)
		collider:setGroup(i)
		world:step(1 / 60)
		if i % 2 == 0 then collider:destroy() end
	end
	for _, collider in ipairs(body:getColliders()) do collider:destroy() end
	world:setFrictionMixing "average"
	world:step(1 / 60)
end)

-- Tiles that change under bodies.
section(function()
	local world = new_world()
	local body = make(world, world.newBody, world, { type = "static", x = -4, y = -2 })
	local kinds = { { name = "earth", material = { name = "soil", friction = 1 } }, { name = "water", sensor = true }, { name = "plank", oneWay = { 0, 1 } }, { shape = d2.polygon { 0, 0, 1, 0, 1, 1 } } }
	local map, water = make(world, body.newTiles, body, { columns = 9, rows = 4, kinds = kinds, data = 1 })
	map:fillCells(1, 1, 9, 1, 1)
	map:fillCells(3, 2, 6, 3, 2)
	for i = 1, 5 do make(world, world.newBody, world, { x = i - 3, y = 1, shape = d2.circle(0.3) }) end
	for i = 1, 9 do
		world:step(1 / 60)
		map:setCell(i, 1 + i % 3, i % 4, i % 2 == 0 and "flipX turn90" or nil)
		if water then water:setCell(10 - i, 2, i % 3) end
	end
	body:setEnabled(false)
	map:fillCells(1, 1, 9, 4, 3)
	body:setEnabled(true)
	world:step(1 / 60)
end)

-- Voxels that change under bodies, and a height field.
section(function()
	local d3 = collide.d3
	local world = new_world({ gravity = { 0, -10, 0 } }, d3)
	local body = make(world, world.newBody, world, { type = "static" })
	local slope = d3.hull { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1 }
	local kinds = { { name = "earth", material = { name = "soil", friction = 1 } }, { name = "water", sensor = true }, { name = "plank", oneWay = { 0, 1, 0 } }, { shape = slope } }
	local map, water = make(world, body.newVoxels, body, { kinds = kinds, data = 1 })
	map:fillCells(-4, 0, -2, 4, 0, 2, 1)
	map:fillCells(-2, 1, -1, 1, 2, 1, 2)
	for i = 1, 5 do make(world, world.newBody, world, { x = i - 3, y = 1.5, z = 0.5, shape = d3.sphere(0.3) }) end
	for i = 1, 9 do
		world:step(1 / 60)
		map:setCell(i - 5, i % 3, 0, i % 5, i % 2 == 0 and "flipX turnY90" or nil)
		if water then water:setCell(5 - i, 1, 0, i % 3) end
	end
	body:setEnabled(false)
	map:fillCells(-9, 0, -3, 9, 3, 3, 3)
	body:setEnabled(true)
	local heights = {}
	for i = 1, 64 do heights[i] = 0 end
	local field = make(world, body.newCollider, body, d3.heightField { columns = 8, rows = 8, cellWidth = 1, cellDepth = 1, heights = heights })
	field:setHeights(2, 2, 2, 2, { 1, 2, 3, 4 })
	field:setHeights(1, 1, 8, 8, heights)
	world:step(1 / 60)
end)

-- Hooks: filters of steps and queries, with queries inside, an error among them.
section(function()
	local world, calls = nil, 0
	world = new_world { filter = function(a, b)
		calls = calls + 1
		if calls == 7 then error "memory is not the matter here" end
		a:getBody():setLinearVelocity(0, calls)
		return #world:overlapBox(-1, -1, 1, 1) >= 0 and a ~= b
	end }
	for i = 1, 10 do make(world, world.newBody, world, { x = i * 0.7, shape = d2.circle(0.5) }) end
	for _ = 1, 3 do pcall(world.step, world, 1 / 60) end
	if world:isLocked() then failures[#failures + 1] = "the world stayed locked" end
	local options = { layers = { "default" }, filter = function(collider) return tostring(collider) ~= "" end }
	world:raycast(-5, 0, 15, 0, options)
	world:raycastAny(-5, 0, 15, 0, options)
	for _, hit in ipairs(world:raycastAll(-5, 0, 15, 0, options)) do if not hit.collider:isValid() then error "no handle" end end
	world:overlapShape(d2.ellipse(3, 2), d2.pose(1, 1, 1), options)
	local into = { {}, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }
	world:raycastAll(-5, 0, 15, 0, options, into)
	local some = { exclude = { world:getBodies()[1], world:getBodies()[2]:getColliders()[1] }, limit = 3, sensors = true }
	world:shapecastAll(d2.circle(0.5), nil, 15, 0, some, into)
	world:shapecast(d2.box(1, 1), nil, 15, 0, { filter = options.filter, startInside = false })
	world:overlapPoint(0, 0, some, into)
	world:raycasts({ -5, 0, 15, 0, 3, 5, 3, -5 }, nil, { exclude = some.exclude })
	world:raycasts({ -5, 0, 15, 0, 3, 5, 3, -5 }, into, options)
	if world:nearest(3, 40) then world:getBodies()[1]:closestPoint(3, 4) end
	world:overlapBox(-5, -1, 3, 1, nil, into)
	pcall(world.raycast, world, -5, 0, 15, 0, { filter = function() error {} end })
	if world:isLocked() then failures[#failures + 1] = "the world stayed locked" end
	world:setFilter(nil)
	world:step(1 / 60)
end)

-- Joints: made, listed, slept with, destroyed with their bodies.
section(function()
	local world = new_world()
	local ground, before = make(world, world.newBody, world, { type = "static" }), nil
	before = ground
	for i = 1, 5 do
		local link = make(world, world.newBody, world, { x = i, shape = d2.box(0.8, 0.2) })
		local count = world:getJointCount()
		local ok, err = pcall(world.newRevoluteJoint, world, { bodyA = i ~= 3 and before or nil, bodyB = link, x = i - 0.5, y = 0, lowerAngle = -1, upperAngle = 1,
			hertz = 2, maxMotorTorque = 1, data = i, name = i ~= 2 and "link" or nil, enabled = i ~= 4 })
		if not ok then
			world:validate()
			if world:getJointCount() ~= count then failures[#failures + 1] = "a joint was left of what failed" end
			error(err, 0)
		end
		before = link
	end
	for _ = 1, 5 do world:step(1 / 60) end
	for i, joint in ipairs(world:getJoints()) do
		joint:setMotor(i, 1)
		joint:setName("link " .. i)
		joint:setEnabled(i ~= 2)
		if #joint:getBodyB():getJoints() < 1 or joint.data ~= i then error "a joint is lost" end
	end
	before:destroy()
	local made, gear = pcall(world.newGearJoint, world, { jointA = world:getJoints()[1], jointB = world:getJoints()[3], ratio = -2, data = "gear" })
	if not made then
		world:validate()
		error(gear, 0)
	end
	world:step(1 / 60)
	gear:destroy()
	gear = world:newGearJoint { jointA = world:getJoints()[1], jointB = world:getJoints()[2], name = "gear" }
	world:getJoints()[2]:destroy()
	world:step(1 / 60)
	ground:destroy()
end)

-- Fields: made, on a body, that act on many bodies in a step, and are destroyed.
section(function()
	local world = new_world { gravity = { 0, -10 } }
	for i = 1, 12 do make(world, world.newBody, world, { x = i, y = i % 3, shape = d2.box(0.8, 0.5) }) end
	local planet = make(world, world.newBody, world, { type = "kinematic", x = 5 })
	for i = 1, 6 do
		local count = #world:getFields()
		local ok, err = pcall(world.newField, world, { shape = i % 3 > 0 and d2.box(9, 3) or nil, body = i % 2 == 0 and planet or nil, x = i, data = i,
			name = i ~= 2 and "field" or nil, fluid = { density = 2 }, wind = { velocity = { 1, 0 }, drag = 1 }, attraction = { strength = i } })
		if not ok then
			world:validate()
			if #world:getFields() ~= count then failures[#failures + 1] = "a field was left of what failed" end
			error(err, 0)
		end
	end
	for _ = 1, 3 do world:step(1 / 60) end
	for i, field in ipairs(world:getFields()) do
		field:setName("field " .. i)
		field:setEnabled(i ~= 1)
		field:setPosition(i, 1)
		if field.data ~= i then error "a field is lost" end
	end
	world:step(1 / 60)
	world:getFields()[3]:destroy()
	planet:destroy()
	if #world:getFields() ~= 2 then error "a field outlives its body" end
	world:step(1 / 60)
end)

-- Movers: made, moved among many pieces, with planes and a filter, and destroyed.
section(function()
	local world = new_world { gravity = { 0, -10 }, filter = function() return true end }
	for i = 1, 12 do make(world, world.newBody, world, { type = "static", x = i, y = i % 2 * 0.2 - 0.5, shape = d2.box(1, 1) }) end
	for i = 1, 4 do
		local count = #world:getMovers()
		local ok, err = pcall(world.newMover, world, { shape = d2.capsule(0, -0.4, 0, 0.4, 0.4), x = 2 * i, y = 1, stepHeight = 0.3, data = i, name = i ~= 2 and "mover" or nil })
		if not ok then
			world:validate()
			if #world:getMovers() ~= count then failures[#failures + 1] = "a mover was left of what failed" end
			error(err, 0)
		end
	end
	local planes = {}
	for _ = 1, 3 do
		for i, mover in ipairs(world:getMovers()) do
			mover:move(0.3, -0.1, 1 / 60)
			mover:fits(d2.circle(0.3))
			mover:setShape(d2.box(0.8, 1.6))
			for collider in mover:contacts() do collider:getBody() end
			if mover.data ~= i then error "a mover is lost" end
		end
		world:contactPlanes(d2.circle(1), d2.pose(3, 1), { maxDistance = 3 }, planes)
		d2.solvePlanes(1, 0, planes)
		world:step(1 / 60)
	end
	collide.response("own", function(_, _, x, y) return x, y end)
	world:getMovers()[2]:getBody():moveAndCollide(9, 0, function(other) return other:getBody().data == 1 and "own" or "cross" end, planes)
	world:getMovers()[3]:destroy()
	world:getMovers()[1]:getBody():destroy()
	if #world:getMovers() ~= 2 then error "a mover outlives its body" end
	world:step(1 / 60)
end)

-- Joints with thresholds: some hold, some break, and events name them.
section(function()
	local world = new_world { gravity = { 0, -10 } }
	for i = 1, 6 do
		local ball = make(world, world.newBody, world, { x = i, shape = d2.circle(0.3) })
		local count = world:getJointCount()
		local ok, joint = pcall(world.newRevoluteJoint, world, { bodyB = ball, x = i, y = 1, forceThreshold = i % 3 > 0 and 0.1 or nil, breakable = i % 3 == 1,
			name = "joint " .. i, data = i })
		if not ok then
			world:validate()
			if world:getJointCount() ~= count then failures[#failures + 1] = "a joint was left of what failed" end
			error(joint, 0)
		end
		if i % 3 == 0 then
			joint:setForceThreshold(0.1)
			joint:setBreakable(i == 6)
		end
	end
	for _ = 1, 4 do
		world:step(1 / 60)
		for joint, force, _, broken in world:jointEvents() do
			if joint:isValid() == broken or not (force > 0.1) or joint.data == nil then error "a mistaken event" end
			if joint.data == 2 then joint:destroy() end
		end
		world:validate()
		make(world, world.newRevoluteJoint, world, { bodyB = world:getBodies()[1], x = 0, y = 0, data = 2 })
	end
end)

-- Joints in space, of both types.
section(function()
	local d3 = collide.d3
	local place = #worlds + 1
	worlds[place] = false
	local world = d3.newWorld { gravity = { 0, -10, 0 }, jointSolver = "direct" }
	worlds[place] = world
	local before = make(world, world.newBody, world, { type = "static" })
	for i = 1, 4 do
		local link = make(world, world.newBody, world, { x = i, shape = d3.box(0.8, 0.2, 0.3) })
		local count, kind = world:getJointCount(), i % 2 == 0 and "newRevoluteJoint" or "newSphericalJoint"
		local ok, err = pcall(world[kind], world, { bodyA = i % 4 < 2 and before or nil, bodyB = link, x = i - 0.5, y = 0, z = 0, axis = { i, 0, 1 }, hertz = 2,
			coneAngle = i % 2 == 1 and 1 or nil, maxMotorTorque = 1, data = i })
		if not ok then
			world:validate()
			if world:getJointCount() ~= count then failures[#failures + 1] = "a joint was left of what failed" end
			error(err, 0)
		end
		before = link
	end
	for _ = 1, 3 do world:step(1 / 60) end
	for i, joint in ipairs(world:getJoints()) do
		joint:setSpring(i)
		if #joint:getBodyB():getJoints() < 1 or joint.data ~= i then error "a joint is lost" end
	end
	before:destroy()
	world:getJoints()[2]:destroy()
	world:step(1 / 60)
end)

-- A world of space: all shapes, falling on a mesh and a height field; queries, changes, a draw.
section(function()
	local d3 = collide.d3
	local place = #worlds + 1
	worlds[place] = false
	local world = d3.newWorld { gravity = { 0, -10, 0 }, filter = function(a, b) return a ~= b end }
	worlds[place] = world
	local ground = make(world, world.newBody, world, { type = "static", name = "ground", shapes = {
		{ shape = d3.mesh({ -9, 0, -9, -9, 0, 9, 9, 0, 9, 9, 0, -9 }, { 1, 2, 3, 1, 3, 4 }), data = 1 },
		{ shape = d3.heightField { columns = 3, rows = 3, cellWidth = 2, cellDepth = 2, heights = { 0, 1, 0, 1, 0, 1, 0, 1, 0 } } },
		{ shape = d3.halfSpace(0, 1, 0, -3) } } })
	local list = { d3.sphere(0.5), d3.box(1, 1, 1), d3.capsule(0.3, 1), d3.cylinder(0.4, 1), d3.cone(0.4, 1), d3.ellipsoid(0.3, 0.4, 0.5),
		d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }, d3.compound { { shape = d3.sphere(0.3), pose = d3.pose(0.5, 0, 0) }, d3.box(0.4, 0.4, 0.4) } }
	for i, shape in ipairs(list) do
		make(world, world.newBody, world, { x = 0.6 * i - 3, y = 0.4 + 0.1 * i, rotation = { 0, i, 1, 2 }, shape = shape, data = { i }, sensor = i == 4 })
	end
	for _ = 1, 12 do
		world:step(1 / 60)
		for a, b in world:beginContacts() do if not a or not b then error "no handle" end end
		for _ in world:contacts() do end
		for _ in world:slides() do end
		for _ in world:getBodies()[1]:contacts() do end
		for body in world:moved() do body:getTransform() end
	end
	for _, hit in ipairs(world:raycastAll(-9, 0.5, 0, 9, 0.5, 0)) do if not hit.collider:isValid() then error "no handle" end end
	world:overlapShape(list[2], d3.pose(0, 0, 0), { filter = function(collider) return tostring(collider) ~= "" end })
	world:overlapBox(-1, -1, -1, 1, 1, 1)
	world:shapecastAll(list[2], nil, 9, 0, 0, { exclude = world:getBodies(), limit = 2 })
	world:nearest(0, 5, 0)
	world:overlapPoint(0, 0, 0)
	local target = {}
	for _, name in ipairs { "solidPolygon", "solidCircle", "segment" } do target[name] = function() end end
	pcall(world.draw, world, target, { contacts = true, islands = true })
	local body = world:getBodies()[2]
	make(world, body.newCollider, body, list[1], { tangentVelocity = { 1, 0, 0 } })
	body:setType "kinematic"
	body:setEnabled(false)
	ground:destroy()
	world:step(1 / 60)
	world:hash()
end)

-- Steps in coroutines.
section(function()
	local world = new_world { filter = function() return true end }
	local thread = coroutine.wrap(function()
		for i = 1, 6 do
			make(world, world.newBody, world, { x = i * 0.8, shape = d2.box(1, 1) })
			world:step(1 / 60)
			coroutine.yield(#world:getBodies())
		end
	end)
	for _ = 1, 6 do thread() end
	world:hash()
end)

-- Sleep and waking up, which must not need memory; more workers.
section(function()
	local world = new_world { workers = 2 }
	make(world, world.newBody, world, { type = "static", shape = d2.box(20, 1) })
	local boxes = {}
	for i = 1, 6 do boxes[i] = make(world, world.newBody, world, { x = i * 1.5, y = 1, shape = d2.box(1, 1) }) end
	for _ = 1, 60 do world:step(1 / 60) end
	for i = 1, 6 do boxes[i]:applyImpulse(0.1, 0) end
	boxes[1]:setTransform(3, 2, 0.1)
	for _ = 1, 5 do world:step(1 / 60) end
	world:setWorkers(1)
	world:step(1 / 60)
end)

-- Worlds that go, one way or another.
section(function()
	local world = new_world()
	local body = make(world, world.newBody, world, { shape = d2.circle(1), data = "x" })
	world:destroy()
	if body:isValid() then error "not dead" end
	for _ = 1, 3 do d2.newWorld():newBody { shape = d2.circle(1) } end
	collectgarbage()
end)

-- Draws: nested, with an error, with queries inside.
section(function()
	local world = new_world()
	local list = shapes()
	for i, shape in ipairs(list) do
		make(world, world.newBody, world, { type = i > 5 and "static" or "dynamic", x = i, y = i, shape = shape, name = "body " .. i, enabled = i % 4 > 0 })
	end
	world:step(1 / 60)
	local all = { boxes = true, tree = true, contacts = true, islands = true, centers = true, velocities = true, names = true }
	local calls, target = 0, {}
	local function call(meaning)
		calls = calls + 1
		if calls % 10 == 0 and calls < 100 then world:draw({ segment = function() world:overlapBox(-1, -1, 1, 1) end }, all) end
		if calls == 47 then error "memory is not the matter here" end
	end
	for _, name in ipairs { "solidPolygon", "polygon", "solidCircle", "solidCapsule", "segment", "point", "text" } do target[name] = call end
	for i = 1, 4 do
		pcall(world.draw, world, target, i > 2 and all or nil)
		if world:isLocked() then failures[#failures + 1] = "the world stayed locked by a draw" end
		make(world, world.newBody, world, { x = i, y = 20, shape = list[1], enabled = false })
		world:getProfile()
	end
end)

-- Indexes: what fails to go in is not in, what fails to move has not moved, and nothing that they list is anything but an item. All boxes
-- hold the origin.
local function change(index, method, item, size)
	local count, there = index:getCount(), index:contains(item)
	local box = there and index:getBox(item)
	local ok, err = pcall(method, index, item, -size, -size, size, size)
	if ok then return end
	if index:getCount() ~= count or index:contains(item) ~= there or there and index:getBox(item) ~= box then
		failures[#failures + 1] = "a change of an index failed half-way"
	end
	error(err, 0)
end

for _, make in ipairs { "newTree", "newSweep", "newGrid" } do
	section(function()
		local options = { dimensions = 2 }
		if make == "newGrid" then options.cellSize = 1 end
		local index = collide[make](options)
		indexes[#indexes + 1] = index
		for i = 1, 20 do change(index, index.insert, i % 2 == 0 and i or { i }, i / 2) end
		for i = 2, 20, 2 do change(index, index.move, i, 12 - i / 2) end
		local circle, into = d2.circle(2), {}
		local function listed(list, step)
			for i = 1, #list, step do if not index:contains(list[i]) then failures[#failures + 1] = "a list has what is no item" end end
		end
		listed(index:pairs(), 1)
		listed(index:pairs(into), 1)
		listed(index:queryBox(-1, -1, 9, 9), 1)
		listed(index:queryRay(-9, -9, 9, 9), 2)
		listed(index:nearest(20, 5, 7, into), 2)
		listed(index:queryShape(circle), 1)
		for i = 2, 20, 4 do index:remove(i) end
		for i = 30, 36 do change(index, index.insert, i, i) end
		if #tostring(index) == 0 then error "no name" end
	end)
end

-- What works without a world: work space and results in userdata and tables.
section(function()
	local d3 = require "collide.d3"
	d2.decompose { 0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4 }
	d2.fittedBox { 0, 0, 4, 0, 4, 1 }
	d2.smallestCircle { 0, 0, 4, 0, 4, 1 }
	d2.isConvex { 0, 0, 4, 0, 4, 1 }
	d2.outlines({ 1, 0, true, false, 1, 1 }, 3, { tolerance = 0.1 })
	d2.simplify({ 0, 0, 1, 0, 2, 0, 2, 2, 0, 2 }, 0.1, true)
	d2.heightmap({ cellWidth = 1, heights = { 0, 1, 2 } }):heightAt(1.5)
	d3.heightmap({ columns = 2, rows = 2, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 2, 3 } }):heightAt(0.5, 0.5)
	d3.slide(0, 0, 0, 1, 2, 3, function() return false end)
	local many = {}
	for i = 1, 70 do many[i] = { shape = d2.box(1, 1), pose = d2.pose(0.1 * i, -0.5) } end
	d2.slideShape(d2.transform(d2.ellipse(1, 0.5, { angle = 1 }), d2.pose(2, 3, 4)), nil, 4, -5, many)
end)

-- Space: shapes that hold others, and whose blocks are the engine's own.
section(function()
	local d3 = require "collide.d3"
	local points = { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0.1, 0.1, 0.1 }
	local pose = d3.pose(0.5, 0.25, 0, d3.rotation(1, 2, 3, 4))
	local box, hull = d3.box(1, 2, 3, { radius = 0.1, axis = { 0, 1, 0 }, angle = 1 }), d3.hull(points, 0.05)
	local mesh = d3.mesh(points, { 1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4 })
	local compound = d3.compound { box, { shape = hull, pose = pose, material = { name = "hull" } }, d3.compound { d3.cone(1, 1), d3.triangle(0, 0, 0, 1, 0, 0, 0, 1, 0) } }
	local field = d3.heightField { columns = 3, rows = 3, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 0, 1, 0, 1, 0, 1, 0 } }
	local rough = d3.mesh(points, { 1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 5, 4 }, { oneSided = true, scale = { 1, -2, 1 }, weld = 0.01,
		materials = { { friction = 1 }, { tangentVelocity = { 1, 2, 3 } } }, triangleMaterials = { 0, 1, 2, 1 } })
	local holed = d3.heightField { columns = 3, rows = 2, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 0, 1, 0, 1 }, holes = { 2 },
		materials = { { restitution = 1 } }, cellMaterials = { 1, 0 } }
	if rough:getFaceMaterial(3) ~= 2 or d3.transform(holed, pose):getFaceMaterial(1) ~= 1 then failures[#failures + 1] = "materials are lost" end
	for _, shape in ipairs { box, hull, mesh, rough, compound, d3.ellipsoid(1, 2, 3, { rotation = { axis = { 1, 0, 0 }, angle = 1 } }), d3.cylinder(1, 2), d3.halfSpace(0, 1, 0, 0),
		d3.taperedCapsule(0, 0, 0, 1, 0, 3, 0, 0.5) } do
		local moved = d3.transform(shape, pose)
		if moved:getType() ~= shape:getType() or #moved:getPoints() ~= #shape:getPoints() then failures[#failures + 1] = "a shape is not whole" end
		shape:getFaces()
		d3.manifold(shape, nil, field)
	end
	d3.convexHull(points)
	d3.smallestSphere(points)
	d3.fittedBox(points)
	d3.isConvex(points, { 1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4 })
	d3.minkowskiDifference(box, nil, hull)
	d3.minkowskiSum(box, nil, hull, pose)
	d3.gjk(box, nil, hull, d3.pose(5, 0, 0), { steps = true })
	d3.epa(box, nil, hull, pose, { steps = true })
	d3.sat(box, nil, hull, pose, d3.sat(box, nil, hull, pose))
	d3.conservativeAdvancement(box, nil, pose, hull, d3.pose(9, 0, 0), nil, { steps = true })
	local one, other = new_world(), new_world()
	local body = make(one, one.newBody, one, { x = 1 })
	make(other, other.newBody, other, { x = 2 })
	local found = collide.compare(one, other)
	if found.body ~= body or found.field ~= "position" or found.b[1] ~= 2 then failures[#failures + 1] = "a difference is lost" end
	local random = collide.newRandom(1)
	local state = random:getState()
	local first = random:random(100)
	random:setState(state)
	if random:random(100) ~= first then failures[#failures + 1] = "a state of random numbers is lost" end
	local index = collide.newTree { dimensions = 3 }
	for i = 1, 5 do index:insert(i, i, 0, 0, i + 1, 1, 1) end
	index:queryShape(compound, pose)
	-- A prism over an L
	local vertices = { 0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0, 0, 0, 1, 2, 0, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 0, 2, 1 }
	local indices = { 1, 4, 2, 2, 4, 3, 1, 6, 4, 4, 6, 5, 7, 8, 10, 8, 9, 10, 7, 10, 12, 10, 11, 12 }
	for i = 1, 6 do
		local k = i % 6 + 1
		for _, index in ipairs { i, k, k + 6, i, k + 6, i + 6 } do indices[#indices + 1] = index end
	end
	d3.decompose(vertices, indices, 0.01)
	d3.simplify(vertices, indices, 0.1)
end)

-- Snapshots: saved, restored with handles to revive and to retire, loaded.
section(function()
	local d3 = require "collide.d3"
	for _, d in ipairs { d2, d3 } do
		local space = d == d3
		local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 } }
		worlds[#worlds + 1] = world
		local ball, box = space and d.sphere(0.5) or d.circle(0.5), space and d.box(1, 1, 1) or d.box(1, 1)
		world:newBody { type = "static", y = -1, shape = space and d.box(20, 1, 20) or d.box(20, 1), name = "ground" }
		local bodies = {}
		for i = 1, 6 do bodies[i] = world:newBody { x = 0.3 * i, y = 1.1 * i, shape = i % 2 == 0 and ball or box, data = { i, bodies } } end
		world:newWeldJoint { bodyA = bodies[1], bodyB = bodies[2], anchorA = space and { 0, 0, 0 } or { 0, 0 }, anchorB = space and { 0, 0, 0 } or { 0, 0 } }
		for _ = 1, 10 do world:step(1 / 60) end
		local saved, hash = world:save { data = true }, world:hash()
		bodies[3]:destroy()
		world:newBody { y = 9, shape = ball, name = "late" }
		world:restore(saved)
		if world:hash() ~= hash or not bodies[3]:isValid() or bodies[3].data[1] ~= 3 then failures[#failures + 1] = "a snapshot lost something" end
		local history = world:newHistory { ticks = 4 }
		for _ = 1, 6 do
			history:push()
			world:step(1 / 60)
		end
		hash = world:hash()
		bodies[4]:destroy()
		world:newBody { y = 12, shape = box, name = "later" }
		history:push()
		history:rewind(select(2, history:getRange()) - 1)
		world:step(1 / 60)
		if world:hash() ~= hash or not bodies[4]:isValid() or bodies[4].data[1] ~= 4 then failures[#failures + 1] = "a history lost something" end
		-- A push that fails and is made again, of so many falling bodies that the sets of their pages take memory.
		local positions = {}
		for i = 1, (space and 3 or 2) * 700 do positions[i] = 0 end
		world:newBodies { positions = positions }
		if not pcall(history.push, history) then history:push() end
		world:step(1 / 60)
		history:push()
		history:rewind(select(2, history:getRange()) - 1)
		world:restore(saved)
		hash = world:hash()
		local other = collide.load(saved, { workers = 2 })
		worlds[#worlds + 1] = other
		other:getBodies()[2]:getColliders()[1]:getShape()
		if other:hash() ~= hash then failures[#failures + 1] = "a loaded world differs" end
	end
end)
