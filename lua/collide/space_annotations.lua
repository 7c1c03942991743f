---@meta collide.d3
-- LuaCATS annotations of 3D worlds: the functions with a third number, a quaternion instead of an angle, or other objects than in 2D. All else,
-- shapes, poses, geometry without a world, units and conventions are in annotations.lua.
--
-- A rotation is a quaternion qx, qy, qz, qw: for the angle a about a unit axis it is (axis sin(a / 2), cos(a / 2)), and d3.rotation returns it. Arguments may
-- have any length; results have length 1. Angular velocities, torques and angular impulses are vectors, counter-clockwise about their direction. An
-- inertia tensor is six numbers, xx, yy, zz, xy, xz, yz; the last three are the entries of the matrix: -sum m x y.

---@class collide.d3
local d3 = {}

-- 3D worlds ------------------------------------------------------------------------------------------------------------------

---@class collide.d3.WorldOptions : collide.AnyWorldOptions
---@field gravity? number[] { x, y, z }, default { 0, -10, 0 } [length/s^2]
---@field preSolve? fun(contact: collide.d3.Contact) decides on the contacts of colliders with `preSolve`, before they are solved: see setPreSolve
---@field filter? fun(a: collide.d3.Collider, b: collide.d3.Collider): boolean? decides whether two colliders whose AABBs overlap may touch: false or nil for no

---A 3D world.
---@class collide.d3.World : collide.AnyWorld
local SpaceWorld = {}

---@param options? collide.d3.WorldOptions
---@return collide.d3.World
---Raises on unknown keys, unknown layer names, and when memory runs out.
---Example: `local world = d3.newWorld { gravity = { 0, -10, 0 } }`
function d3.newWorld(options) end

---@class collide.d3.ColliderOptions : collide.AnyColliderOptions
---@field material? collide.d3.Material its properties, except those that are given directly
---@field tangentVelocity? number[] { x, y, z } of its surface in the body's frame, as on a conveyor belt, default { 0, 0, 0 } [length/s]
---@field shape? collide.d3.Shape in the entries of `shapes`: required

---A kind of cells of voxels.
---@class collide.d3.VoxelKind
---@field name? string that getCell and cellAt return
---@field shape? collide.d3.Shape a hull or box without radius, of at most 8 corners, in the frame of the cell, from its lower corner (0, 0, 0) to (cellSize, cellSize, cellSize); default: the whole cell. Corners are rounded to 1/16384 of the cell
---@field material? collide.d3.Material its properties; the others are those of the collider
---@field sensor? boolean whether its cells report overlaps and stop nothing, default false
---@field oneWay? number[] { x, y, z }: its cells are solid from this side alone, see setOneWay of colliders. Kinds of a map have at most 6 different ones

---Takes the options of a collider too, except shape, density and sensor.
---@class collide.d3.VoxelsOptions : collide.d3.ColliderOptions
---@field cellSize? number default 1 [length]
---@field kinds collide.d3.VoxelKind[] at most 1023

---Locks along and about the world's axes.
---@class collide.d3.LocksOptions
---@field x? boolean no motion along x, default false
---@field y? boolean no motion along y, default false
---@field z? boolean no motion along z, default false
---@field rotationX? boolean no rotation about x, default false
---@field rotationY? boolean no rotation about y, default false
---@field rotationZ? boolean no rotation about z, default false

---The options of a single collider may be given directly; several colliders go into `shapes`.
---@class collide.d3.BodyOptionsButPosition : collide.AnyBodyOptions
---@field material? collide.d3.Material see collide.d3.ColliderOptions
---@field rotation? collide.d3.Rotation default no rotation
---@field axis? number[] instead of rotation, with angle: { x, y, z } of any length but 0
---@field angle? number counter-clockwise about the axis [rad]
---@field qx? number instead of rotation, all four of them
---@field qy? number
---@field qz? number
---@field qw? number
---@field linearVelocity? number[] { x, y, z }, default { 0, 0, 0 } [length/s]
---@field angularVelocity? number[] { x, y, z }, default { 0, 0, 0 } [rad/s]
---@field locks? collide.d3.LocksOptions
---@field inertia? number[] { xx, yy, zz, xy, xz, yz } about the centre of mass, in the body's frame [mass length^2]: positive definite, or all 0 for no rotation
---@field tangentVelocity? number[] { x, y, z }: see collide.d3.ColliderOptions [length/s]
---@field center? number[] { x, y, z }: centre of mass in the body's frame [length]
---@field shapes? collide.d3.ColliderOptions[] several colliders
---@field shape? collide.d3.Shape of the only collider

---@class collide.d3.BodyOptions : collide.d3.BodyOptionsButPosition
---@field x? number default 0 [length]
---@field y? number default 0 [length]
---@field z? number default 0 [length]
---@field position? number[] { x, y, z }, instead of x, y and z [length]

---Creates a body with its colliders, all or nothing.
---@param options collide.d3.BodyOptions
---@return collide.d3.Body
---Raises on unknown keys (with a suggestion), on values out of range, on a mesh, height field or half-space that is not a sensor on a dynamic body, in
---hooks, and when memory runs out.
---Example: `local ball = world:newBody { y = 8, shape = d3.sphere(0.5), restitution = 0.6 }`
function SpaceWorld:newBody(options) end

---@class collide.d3.BodiesOptions : collide.d3.BodyOptionsButPosition
---@field positions number[] flat list x, y, z of each body [length]

---Creates a body at each of the positions, all or none, with one reading of the options.
---@param options collide.d3.BodiesOptions
---@return collide.d3.Body[] list in the order of the positions
---Raises as newBody, and on a number in positions that is missing or out of range, with its index.
---Example: `local crates = world:newBodies { positions = { 0, 1, 0, 0, 2, 0 }, shape = d3.box(1, 1, 1) }`
function SpaceWorld:newBodies(options) end

---@return number x, number y, number z [length/s^2]
---Example: `local gx, gy, gz = world:getGravity()`
function SpaceWorld:getGravity() end

---Wakes all bodies.
---@param x number [length/s^2]
---@param y number [length/s^2]
---@param z number [length/s^2]
---Raises in hooks.
---Example: `world:setGravity(0, -1.6, 0)`
function SpaceWorld:setGravity(x, y, z) end

---Sets the function that decides whether two colliders may touch. It is called once, during a step, when their AABBs begin to overlap.
---@param filter? fun(a: collide.d3.Collider, b: collide.d3.Collider): boolean? false or nil for no
---Raises in hooks.
---Example: `world:setFilter(function(a, b) return a:getBody().data ~= b:getBody().data end)`
function SpaceWorld:setFilter(filter) end

---Sets the function that decides on contacts before they are solved. In each step it is called for every contact with points, of awake bodies, of which a collider
---has `preSolve`: after the narrow phase, in the order of the contacts; then during continuous collision for pairs that would stop a fast body and have no such
---contact yet. It may disable the contact or change its material, each for this step alone. Restrictions are those of the filter. Without such colliders it
---costs nothing; with them, fast bodies are swept by one worker.
---@param preSolve? fun(contact: collide.d3.Contact)
---Raises in hooks and when preSolve is neither a function nor nil.
---Example: `world:setPreSolve(function(contact) if contact:getSpeed() > 10 then contact:setEnabled(false) end end)`
function SpaceWorld:setPreSolve(preSolve) end

---@return collide.d3.Body[] bodies in the order of their ids
---Example: `for _, body in ipairs(world:getBodies()) do ... end`
function SpaceWorld:getBodies() end

---@return collide.d3.Joint[] joints in the order of their ids
---Example: `for _, joint in ipairs(world:getJoints()) do ... end`
function SpaceWorld:getJoints() end

---Loops over the contacts that began in the last step. The normal points from a to b; (x, y, z) is the contact point.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number rows a, b, nx, ny, nz, x, y, z
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, nx, ny, nz, x, y, z in world:beginContacts() do ... end`
function SpaceWorld:beginContacts() end

---Loops over the contacts that ended: exactly one for each that began, also when a collider was destroyed, disabled or moved away. A
---destroyed collider is the same Lua object as before: isValid() is false, and its data stays until the next step.
---@return fun(): collide.d3.Collider, collide.d3.Collider rows a, b
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b in world:endContacts() do ... end`
function SpaceWorld:endContacts() end

---Loops over the pairs of colliders that approached faster than the hit speed: once for each pair in a step, for its fastest contact.
---The energy is m speed^2 / 2 with the mass m that both bodies together oppose to the impact at the point, along the normal: what an impact without bounce
---and friction would dissipate. If the normal passes through both centres of mass, m is their reduced mass, ma mb / (ma + mb). materialA, materialB: the names of the materials there.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number, number, number, string?, string? rows a, b, x, y, z, nx, ny, nz, speed, energy, materialA, materialB [length/s, mass length^2/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, x, y, z, nx, ny, nz, speed, energy, materialA, materialB in world:hits() do ... end`
function SpaceWorld:hits() end

---Loops over the colliders that began to overlap a sensor.
---@return fun(): collide.d3.Collider, collide.d3.Collider rows sensor, visitor
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for sensor, visitor in world:beginOverlaps() do ... end`
function SpaceWorld:beginOverlaps() end

---Loops over the colliders that ceased to overlap a sensor: exactly one for each that began.
---@return fun(): collide.d3.Collider, collide.d3.Collider rows sensor, visitor
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for sensor, visitor in world:endOverlaps() do ... end`
function SpaceWorld:endOverlaps() end

---Loops over the bodies that were awake in the last step.
---@return fun(): collide.d3.Body, number, number, number, number, number, number, number, boolean rows body, x, y, z, qx, qy, qz, qw, fellAsleep
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body, x, y, z, qx, qy, qz, qw, fellAsleep in world:moved() do ... end`
function SpaceWorld:moved() end

---@class collide.d3.PredictOptions
---@field timestep? number of the steps, default the world's [s]
---@field linearVelocity? number[] with which the body starts instead of its own, { x, y, z } [length/s]
---@field angularVelocity? number[] the same, { x, y, z } [rad/s]
---@field into? table list to be filled instead of a new one, entries after the results are removed

---As World:predict.
---@param body collide.d3.Body
---@param seconds number 0 to 3600, and at most 2^20 steps; the last one is complete
---@param options? collide.d3.PredictOptions
---@return number[] flat x, y, z, qx, qy, qz, qw of the body after each step [length, none]
---@return integer count of the steps
---Raises as World:predict.
---Example: `local path = world:predict(ball, 1.5, { linearVelocity = { 8, 6, 0 } })`
function SpaceWorld:predict(body, seconds, options) end

---The transforms of many bodies in one call, by all workers.
---@param bodies collide.d3.Body[]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return number[] flat x, y, z, qx, qy, qz, qw of each body [length, none]
---Raises when an element is no body of this world, and names its index.
---Example: `flat = world:getTransforms(bodies, flat)`
function SpaceWorld:getTransforms(bodies, into) end

---As setTransform for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.d3.Body[]
---@param flat number[] x, y, z, qx, qy, qz, qw of each body [length, none]
---Raises when an element is wrong, and names its index; in hooks.
---Example: `world:setTransforms(bodies, flat)`
function SpaceWorld:setTransforms(bodies, flat) end

---@param bodies collide.d3.Body[]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return number[] flat vx, vy, vz, wx, wy, wz of each body [length/s, rad/s]
---Raises when an element is no body of this world, and names its index.
---Example: `flat = world:getVelocities(bodies, flat)`
function SpaceWorld:getVelocities(bodies, into) end

---As setLinearVelocity and setAngularVelocity for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.d3.Body[]
---@param flat number[] vx, vy, vz, wx, wy, wz of each body [length/s, rad/s]
---Raises when an element is wrong, and names its index; in hooks.
---Example: `world:setVelocities(bodies, flat)`
function SpaceWorld:setVelocities(bodies, flat) end

---As applyForce at the centre of mass for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.d3.Body[]
---@param flat number[] fx, fy, fz of each body [mass length/s^2]
---Raises when an element is wrong or too strong for so light a body, and names its index; in hooks.
---Example: `world:applyForces(bodies, wind)`
function SpaceWorld:applyForces(bodies, flat) end

---The rows of moved as a flat list, with the body's getId in its place, and without fellAsleep.
---@param into table list to be filled: id, x, y, z, qx, qy, qz, qw of each body; entries after the results are removed
---@return integer count of bodies
---Raises in hooks.
---Example: `local count = world:getMoved(flat)`
function SpaceWorld:getMoved(into) end

---Loops over the bodies that were awake in the last step, or in a step of the last advance that made some, with their render poses: see getRenderTransform. All
---other bodies are where getTransform says. Also lists them after an advance without a step, as alpha has changed.
---@return fun(): collide.d3.Body, number, number, number, number, number, number, number rows body, x, y, z, qx, qy, qz, qw
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body, x, y, z, qx, qy, qz, qw in world:interpolated() do models[body]:draw(x, y, z, qx, qy, qz, qw) end`
function SpaceWorld:interpolated() end

---Loops over the contact points of all touching pairs: one to four for each contact, none for sensors. Impulses are those of the last step: along the normal, and of
---friction, without direction, as its last sub-step times the number of sub-steps. A part is the number of the triangle of a mesh or height field with the deepest point, or of the shape of a compound, as in ray hits, or nil.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, nz, x, y, z, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, nx, ny, nz, x, y, z, separation, impulse, tangentImpulse, partA, partB in world:contacts() do ... end`
function SpaceWorld:contacts() end

---Loops over the pairs of colliders that slide or roll on each other faster than 1 cm/s (times `lengthScale`), for sounds and dust: one row a pair, with means
---over its contact points, weighted by impulse. slipSpeed: of one surface along the other, relative to surfaces that move by themselves, as belts do. rollSpeed:
---at which the contact point moves along both surfaces; a ball that rolls at v has v, and what only slides has 0. A body without a round shape counts as a
---wheel with its centre of mass as the hub. force: of friction at the end of the step.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number, number, number, number rows a, b, x, y, z, nx, ny, nz, slipSpeed, rollSpeed, force [length/s, mass length/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, x, y, z, nx, ny, nz, slipSpeed, rollSpeed, force in world:slides() do ... end`
function SpaceWorld:slides() end

---Loops over the enabled joints whose reaction force or torque, in the last sub-step, exceeded its threshold, in the order of their ids. A breakable one has
---been destroyed: it is the same Lua object as before, isValid() is false, and its data stays until the next step.
---@return fun(): collide.d3.Joint, number, number, boolean rows joint, force, torque, broken [mass length/s^2, mass length^2/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for joint, force, torque, broken in world:jointEvents() do ... end`
function SpaceWorld:jointEvents() end

---A contact that the world's preSolve function decides on: always the same object. It is valid in that function only; elsewhere its methods raise.
---@class collide.d3.Contact : collide.AnyContact
local SpaceContact = {}

---@return collide.d3.Collider a, collide.d3.Collider b
---Raises outside preSolve.
---Example: `local a, b = contact:getColliders()`
function SpaceContact:getColliders() end

---@return number nx, number ny, number nz of unit length, from a to b
---Raises outside preSolve.
---Example: `local nx, ny, nz = contact:getNormal()`
function SpaceContact:getNormal() end

---@return number ... x1, y1, z1, x2, y2, z2, ...: the contact points, one to four, as the bodies stand. In continuous collision there is one, at the impact: where the line from the body's centre of mass along the normal leaves its shape
---Raises outside preSolve.
---Example: `local x, y, z = contact:getPoints()`
function SpaceContact:getPoints() end

---@param x number velocity of a's surface minus that of b's in this step, in the world: friction gives b this velocity relative to a [length/s]
---@param y number
---@param z number
---Raises outside preSolve and on other values.
---Example: `contact:setTangentVelocity(2, 0, 0)`
function SpaceContact:setTangentVelocity(x, y, z) end
---Loops over the bodies that are awake, and were asleep when the step before ended: woken by a script or by another body. In the order of their ids.
---@return fun(): collide.d3.Body
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body in world:wokeBodies() do ... end`
function SpaceWorld:wokeBodies() end

---Loops over the bodies that are asleep, and were awake when the step before ended.
---@return fun(): collide.d3.Body
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body in world:sleptBodies() do ... end`
function SpaceWorld:sleptBodies() end

---@class collide.d3.QueryOptions : collide.AnyQueryOptions
---@field filter? fun(collider: collide.d3.Collider): boolean? false or nil: the collider is ignored
---@field exclude? collide.d3.Body|collide.d3.Collider|(collide.d3.Body|collide.d3.Collider)[] ignored

---@class collide.d3.RayHit
---@field collider collide.d3.Collider
---@field x number hit point [length]
---@field y number
---@field z number
---@field nx number outward normal
---@field ny number
---@field nz number
---@field fraction number of the path, 0 to 1
---@field part? integer see kind
---@field kind? "triangle"|"child"|"cell" what `part` counts: triangles or children, in the order given to the shape, or cells of voxels, see Collider:cellOf; nil for shapes without parts

---The first collider that the ray from (x1, y1, z1) to (x2, y2, z2) hits.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when there is none; for part and kind see collide.d3.RayHit
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, z, nx, ny, nz, fraction = world:raycast(0, 10, 0, 0, -10, 0, { layers = { "ground" } })`
function SpaceWorld:raycast(x1, y1, z1, x2, y2, z2, options) end

---All colliders that the ray hits, each with its first hit, sorted by fraction.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one; tables in it become hits, entries after the results are removed
---@return collide.d3.RayHit[] hits
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `for _, hit in ipairs(world:raycastAll(0, 10, 0, 0, -10, 0)) do print(hit.collider, hit.fraction) end`
function SpaceWorld:raycastAll(x1, y1, z1, x2, y2, z2, options, into) end

---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param options? collide.d3.QueryOptions
---@return boolean hit whether the ray hits anything: the cheapest query
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local visible = not world:raycastAny(x1, y1, z1, x2, y2, z2, { layers = { "wall" } })`
function SpaceWorld:raycastAny(x1, y1, z1, x2, y2, z2, options) end

---The closest hits of many rays, on all workers of the world; the result does not depend on their number. For each ray a row of 9 values, one after the other:
---the collider, or false if there is none; x, y, z of the hit or of the ray's end; nx, ny, nz, 0 without a hit; the fraction, 1 without a hit; the part (see
---collide.d3.RayHit), or false.
---@param rays number[] flat: { x1, y1, z1, x2, y2, z2, ... } [length]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@param options? collide.d3.QueryOptions with a filter the rays are cast on one thread
---@return table hits
---Raises the error of the filter function, on unknown keys or layers, when the list does not have 6 numbers for each ray, and when `into` is not a table.
---Example: `for i = 1, #world:raycasts(rays, hits), 9 do local collider, x, y = hits[i], hits[i + 1], hits[i + 2] end`
function SpaceWorld:raycasts(rays, into, options) end

---The colliders whose shapes (not just their AABBs) overlap the box, in the order of their ids.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.d3.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local near = world:overlapBox(-1, -1, -1, 1, 1, 1)`
function SpaceWorld:overlapBox(x1, y1, z1, x2, y2, z2, options, into) end

---The colliders whose shapes overlap the shape at the pose, in the order of their ids.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.d3.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local hit = world:overlapShape(d3.sphere(3), d3.pose(x, y, z))`
function SpaceWorld:overlapShape(shape, pose, options, into) end

---The first collider that the shape hits while it moves from the pose. The point is on the collider, the normal points to the shape. Those that it overlaps
---at the start are hit at fraction 0. One-sided triangles are hit only by motion against their front.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param dz number
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when there is none
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, z, nx, ny, nz, fraction = world:shapecast(d3.sphere(0.5), d3.pose(0, 10, 0), 0, -20, 0)`
function SpaceWorld:shapecast(shape, pose, dx, dy, dz, options) end

---All colliders that the moving shape hits, each with its first hit, sorted by fraction.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param dz number
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one; tables in it become hits, entries after the results are removed
---@return collide.d3.RayHit[] hits
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `for _, hit in ipairs(world:shapecastAll(d3.sphere(0.5), d3.pose(0, 10, 0), 0, -20, 0)) do print(hit.collider, hit.fraction) end`
function SpaceWorld:shapecastAll(shape, pose, dx, dy, dz, options, into) end

---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param dz number
---@param options? collide.d3.QueryOptions
---@return boolean hit whether the moving shape hits anything
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local free = not world:shapecastAny(d3.sphere(0.5), d3.pose(0, 10, 0), 0, -20, 0)`
function SpaceWorld:shapecastAny(shape, pose, dx, dy, dz, options) end

---The collider with the least signed distance from the point, and the point of its surface that is closest. The distance is < 0 inside. The normal points
---from the surface to the point or, from inside, the way out.
---@param x number in the world [length]
---@param y number
---@param z number
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number distance, number nx, number ny, number nz, integer? part, string? kind nil when there is none
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, cx, cy, cz, distance = world:nearest(x, y, z, { maxDistance = 5 })`
function SpaceWorld:nearest(x, y, z, options) end

---The colliders that have the point inside or on their surface, in the order of their ids. Segments, triangles, meshes and height fields have no inside.
---@param x number in the world [length]
---@param y number
---@param z number
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.d3.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local picked = world:overlapPoint(mouseX, mouseY, 0)[1]`
function SpaceWorld:overlapPoint(x, y, z, options, into) end

---The functions that SpaceWorld:draw calls, with the names of those of collide.DrawTarget. Faces of boxes, hulls and meshes are polygons of
---3 to 64 points whose radius is 0; rounded edges are capsules; cylinders, cones and ellipsoids are made of polygons; a half-space is the
---part of its plane that is in view; a height field of more than 128 cells on a side is drawn without some of its heights.
---@class collide.d3.DrawTarget
---@field solidPolygon? fun(meaning: collide.Meaning|string, radius: number, x1: number, y1: number, z1: number, ...: number) a flat face: 3 to 64 points, convex, counter-clockwise from outside; the radius is 0
---@field polygon? fun(meaning: collide.Meaning|string, radius: number, x1: number, y1: number, z1: number, ...: number) its outline only
---@field solidCircle? fun(meaning: collide.Meaning|string, x: number, y: number, z: number, radius: number, qx: number, qy: number, qz: number, qw: number) a ball
---@field circle? fun(meaning: collide.Meaning|string, x: number, y: number, z: number, radius: number, qx: number, qy: number, qz: number, qw: number) its outline only
---@field solidCapsule? fun(meaning: collide.Meaning|string, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, radius: number)
---@field capsule? fun(meaning: collide.Meaning|string, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, radius: number) its outline only
---@field segment? fun(meaning: collide.Meaning|string, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number)
---@field point? fun(meaning: collide.Meaning|string, x: number, y: number, z: number, size: number) size: its diameter in pixels
---@field text? fun(meaning: collide.Meaning|string, x: number, y: number, z: number, string: string)

---A body is in view when the AABB of one of its colliders is, which is slightly larger than the shape.
---@class collide.d3.DrawOptions : collide.AnyDrawOptions
---@field view? number[] { x1, y1, z1, x2, y2, z2 } with the first corner below the second: draws only what is within. Without it everything is drawn; half-spaces extend 10 times lengthScale beyond everything else [length]

---Draws the world by calls of the target's functions: each collider in view once (a compound by its children), then the overlays that the options
---select. Makes no garbage. The target's functions are hooks: changes of the world raise there; getters, queries and nested draws are allowed. The
---cost depends on what is in view.
---@param target collide.d3.DrawTarget
---@param options? collide.d3.DrawOptions
---Raises the error of a target's function unchanged; when one of them is not a function; on unknown keys; when memory runs out.
---Example: `world:draw({ circle = function(meaning, x, y, z, radius) ... end }, { contacts = true })`
function SpaceWorld:draw(target, options) end

-- 3D bodies ------------------------------------------------------------------------------------------------------------------

---A 3D body.
---@class collide.d3.Body : collide.AnyBody
local SpaceBody = {}

---@return collide.d3.World
---Example: `body:getWorld():step(1 / 60)`
function SpaceBody:getWorld() end

---@return number x, number y, number z of the body's origin, which need not be its centre of mass [length]
---Example: `local x, y, z = body:getPosition()`
function SpaceBody:getPosition() end

---Teleports the body. It keeps its velocity. The body and those that it touched wake up.
---@param x number [length]
---@param y number [length]
---@param z number [length]
---Raises in hooks.
---Example: `body:setPosition(0, 4, 0)`
function SpaceBody:setPosition(x, y, z) end

---@return number qx, number qy, number qz, number qw
---Example: `local qx, qy, qz, qw = body:getRotation()`
function SpaceBody:getRotation() end

---Rotates the body at once, about its origin.
---@param qx number
---@param qy number
---@param qz number
---@param qw number
---Raises in hooks, and when all four are 0.
---Example: `body:setRotation(d3.rotation(0, 1, 0, math.pi / 4))`
function SpaceBody:setRotation(qx, qy, qz, qw) end

---@return number x, number y, number z, number qx, number qy, number qz, number qw [length, none]
---Example: `local x, y, z, qx, qy, qz, qw = body:getTransform()`
function SpaceBody:getTransform() end

---Where the body is to be shown: at getAlpha between its poses before and after the last step. The centre of mass moves straight, and the body turns by the
---smaller angle. A body that sleeps, or has been put elsewhere since, is shown where it is.
---@return number x, number y, number z [length]
---Example: `local x, y, z = body:getRenderPosition()`
function SpaceBody:getRenderPosition() end

---@return number qx, number qy, number qz, number qw as in getRenderTransform
---Example: `local qx, qy, qz, qw = body:getRenderRotation()`
function SpaceBody:getRenderRotation() end

---See getRenderPosition.
---@return number x, number y, number z, number qx, number qy, number qz, number qw [length, none]
---Example: `local x, y, z, qx, qy, qz, qw = body:getRenderTransform()`
function SpaceBody:getRenderTransform() end

---@param x number [length]
---@param y number [length]
---@param z number [length]
---@param qx number
---@param qy number
---@param qz number
---@param qw number
---Raises in hooks, and when the quaternion is 0.
---Example: `body:setTransform(0, 4, 0, 0, 0, 0, 1)`
function SpaceBody:setTransform(x, y, z, qx, qy, qz, qw) end

---Sets the velocities that take a kinematic or dynamic body there in dt, rotating in the shorter direction: exactly 0 if it is there but for rounding errors.
---@param x number [length]
---@param y number [length]
---@param z number [length]
---@param qx number
---@param qy number
---@param qz number
---@param qw number
---@param dt number [s] from 1e-6 to 60
---Raises in hooks, when the quaternion is 0, and when that needs a speed of more than 1e9.
---Example: `platform:moveTo(5, 2, 0, 0, 0, 0, 1, 1 / 60)`
function SpaceBody:moveTo(x, y, z, qx, qy, qz, qw, dt) end

---@class collide.d3.Meeting : collide.AnyMeeting
---@field z number
---@field nz number
---@field goalZ number
---@field collider collide.d3.Collider

---As Body:moveAndCollide.
---@param x number goal [length]
---@param y number
---@param z number
---@param filter? fun(other: collide.d3.Collider): string? name of the response; false or nil: it is not met. Default: "slide", and "cross" for sensors
---@param into? collide.d3.Meeting[] list to be filled with what was met, its tables are used again; entries after that are removed
---@return number x, number y, number z the new position [length]
---@return integer count of colliders met
---Raises as Body:moveAndCollide.
---Example: `local x, y, z = body:moveAndCollide(x + vx * dt, y + vy * dt, z + vz * dt)`
function SpaceBody:moveAndCollide(x, y, z, filter, into) end

---@return number x, number y, number z velocity of the centre of mass [length/s]
---Example: `local vx, vy, vz = body:getLinearVelocity()`
function SpaceBody:getLinearVelocity() end

---Wakes the body unless the velocity is zero. No effect on static bodies.
---@param x number [length/s]
---@param y number [length/s]
---@param z number [length/s]
---Raises when a number is not finite.
---Example: `body:setLinearVelocity(3, 0, 0)`
function SpaceBody:setLinearVelocity(x, y, z) end

---@return number x, number y, number z in the world [rad/s]
---Example: `local wx, wy, wz = body:getAngularVelocity()`
function SpaceBody:getAngularVelocity() end

---@param x number [rad/s]
---@param y number [rad/s]
---@param z number [rad/s]
---Raises when a number is not finite.
---Example: `top:setAngularVelocity(0, 40, 0)`
function SpaceBody:setAngularVelocity(x, y, z) end

---@param x number world point [length]
---@param y number
---@param z number
---@return number vx, number vy, number vz velocity of the body at that point [length/s]
---Example: `local vx, vy, vz = wheel:getVelocityAt(x, y - 0.4, z)`
function SpaceBody:getVelocityAt(x, y, z) end

---Acts during the next step, and wakes the body. Dynamic bodies only.
---@param fx number [mass length/s^2]
---@param fy number
---@param fz number
---@param x? number world point where it acts, default the centre of mass [length]
---@param y? number
---@param z? number
---Raises when it is too strong for the body's mass to stay within the range of floats.
---Example: `body:applyForce(0, 20, 0)`
function SpaceBody:applyForce(fx, fy, fz, x, y, z) end

---Acts during the next step, and wakes the body. Dynamic bodies only.
---@param tx number in the world [mass length^2/s^2]
---@param ty number
---@param tz number
---Raises when it is too strong for the body's mass.
---Example: `wheel:applyTorque(0, 0, -5)`
function SpaceBody:applyTorque(tx, ty, tz) end

---Changes the velocity at once, and wakes the body. Dynamic bodies only.
---@param ix number [mass length/s]
---@param iy number
---@param iz number
---@param x? number world point where it acts, default the centre of mass [length]
---@param y? number
---@param z? number
---Raises when it is too strong for the body's mass.
---Example: `player:applyImpulse(0, player:getMass() * 5, 0)`
function SpaceBody:applyImpulse(ix, iy, iz, x, y, z) end

---Changes the angular velocity at once, and wakes the body. Dynamic bodies only.
---@param ix number in the world [mass length^2/s]
---@param iy number
---@param iz number
---Raises when it is too strong for the body's mass.
---Example: `body:applyAngularImpulse(0, 0.5, 0)`
function SpaceBody:applyAngularImpulse(ix, iy, iz) end

---@return number xx, number yy, number zz, number xy, number xz, number yz inertia about the centre of mass, in the body's frame [mass length^2]
---Example: `local xx, yy, zz, xy, xz, yz = body:getInertia()`
function SpaceBody:getInertia() end

---@return number x, number y, number z angular momentum about the centre of mass, in the world: constant for a free body [mass length^2/s]
---Example: `local lx, ly, lz = top:getAngularMomentum()`
function SpaceBody:getAngularMomentum() end

---@return number x, number y, number z centre of mass in the world [length]
---Example: `local x, y, z = body:getCenter()`
function SpaceBody:getCenter() end

---@return number x, number y, number z centre of mass in the body's frame [length]
---Example: `local x, y, z = body:getLocalCenter()`
function SpaceBody:getLocalCenter() end

---Overrides the mass properties of the shapes until resetMassData.
---@param mass number [mass] 0: immovable
---@param cx number centre of mass in the body's frame [length]
---@param cy number
---@param cz number
---@param ixx number inertia about the centre of mass, in the body's frame: positive definite, or all 0 for no rotation [mass length^2]
---@param iyy number
---@param izz number
---@param ixy number
---@param ixz number
---@param iyz number
---Raises when the mass is negative, when the inertia is neither positive definite nor 0, and in hooks.
---Example: `car:setMassData(1200, 0, -0.3, 0, 1800, 2000, 500, 0, 0, 0)`
function SpaceBody:setMassData(mass, cx, cy, cz, ixx, iyy, izz, ixy, ixz, iyz) end

---Cuts the body along the plane, and replaces it by the pieces: see Body:slice. Round parts become hulls.
---@param nx number the normal of the plane, of any length but 0
---@param ny number
---@param nz number
---@param offset number the plane's distance from the origin along the normal [length]
---@param options collide.BreakOptions?
---@return collide.d3.Body[] pieces those on the side against the normal come first; empty if nothing is cut: the body stays as it is
---Raises in hooks and when memory runs out; when the body has a mesh, height field, triangle, segment or half-space; when a piece would have more than 256 corners.
---Example: `local halves = log:slice(1, 0, 0, x)`
function SpaceBody:slice(nx, ny, nz, offset, options) end

---Breaks the body into the cells of points (Voronoi): see Body:shatter.
---@param points number[] x1, y1, z1, x2, y2, z2, ... in the world, 1 to 4096 points
---@param options collide.BreakOptions?
---@return collide.d3.Body[] pieces in the order of their points; empty if all of the body is in one cell: it stays as it is
---Raises as slice.
---Example: `vase:shatter(points)`
function SpaceBody:shatter(points, options) end

---@return boolean x, boolean y, boolean z, boolean rotationX, boolean rotationY, boolean rotationZ
---Example: `local x, y, z, rotationX, rotationY, rotationZ = body:getLocks()`
function SpaceBody:getLocks() end

---@param x boolean no motion along the world's x
---@param y boolean
---@param z boolean
---@param rotationX boolean no rotation about the world's x
---@param rotationY boolean
---@param rotationZ boolean
---Raises in hooks.
---Example: `player:setLocks(false, false, false, true, true, true)`
function SpaceBody:setLocks(x, y, z, rotationX, rotationY, rotationZ) end

---@param x number in the body's frame [length]
---@param y number
---@param z number
---@return number x, number y, number z in the world [length]
---Example: `local x, y, z = ship:getWorldPoint(0, 1, 0)`
function SpaceBody:getWorldPoint(x, y, z) end

---@param x number in the world [length]
---@param y number
---@param z number
---@return number x, number y, number z in the body's frame [length]
---Example: `local x, y, z = ship:getLocalPoint(target:getPosition())`
function SpaceBody:getLocalPoint(x, y, z) end

---@param x number in the body's frame
---@param y number
---@param z number
---@return number x, number y, number z rotated into the world
---Example: `local dx, dy, dz = ship:getWorldVector(0, 0, 1)`
function SpaceBody:getWorldVector(x, y, z) end

---@param x number in the world
---@param y number
---@param z number
---@return number x, number y, number z rotated into the body's frame
---Example: `local vx, vy, vz = car:getLocalVector(car:getLinearVelocity())`
function SpaceBody:getLocalVector(x, y, z) end

---Attaches a shape. The body's mass is recomputed.
---@param shape collide.d3.Shape
---@param options? collide.d3.ColliderOptions without shape
---@return collide.d3.Collider
---Raises on unknown keys, on a mesh, height field or half-space that is not a sensor on a dynamic body, in hooks, and when memory runs out.
---Example: `local foot = player:newCollider(d3.sphere(0.2, 0, -0.5, 0), { sensor = true })`
function SpaceBody:newCollider(shape, options) end

---Attaches cells on a lattice as one collider, empty at first, whose cells may change at any time. Cell i, j, k is the cube from (i, j, k) to (i + 1, j + 1, k + 1) times
---cellSize in the body's frame. Bodies collide with the surface of the solid cells: nothing is felt between cells. Memory and time are those of the surface, however
---much is solid or empty. Like a mesh it is hollow and stops what comes from outside; a shape whose centre gets into a cell at the surface is pushed out.
---@param options collide.d3.VoxelsOptions
---@return collide.d3.Collider voxels, collide.d3.Collider? sensors, collide.d3.Collider? oneWay those of the solid cells; of sensor kinds, if there are; one for each of the normals that one-way kinds have, at most 6, in the order of the kinds. All have the same cells: setCell of any changes all
---Raises on unknown keys, on a dynamic body, in hooks, and when memory runs out.
---Example: `local map = ground:newVoxels { kinds = { { name = "earth" }, { name = "slope", shape = d3.hull { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1 } } } }`
function SpaceBody:newVoxels(options) end

---@return collide.d3.Collider[] colliders in the order of their ids
---Example: `for _, collider in ipairs(body:getColliders()) do ... end`
function SpaceBody:getColliders() end

---Loops over the contact points of the body: rows as those of the world's contacts(), with a collider of this body as a, so that the normal points away from it.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, nz, x, y, z, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for own, other, nx, ny, nz in body:contacts() do ... end`
function SpaceBody:contacts() end

---@return collide.d3.Joint[] joints of the body, the oldest first
---Example: `for _, joint in ipairs(body:getJoints()) do joint:destroy() end`
function SpaceBody:getJoints() end

---The first of the body's colliders that the ray hits. Those of a disabled body are hit, too.
---@param x1 number in the world [length]
---@param y1 number
---@param z1 number
---@param x2 number
---@param y2 number
---@param z2 number
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when it misses
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, z = body:raycast(0, 10, 0, 0, -10, 0)`
function SpaceBody:raycast(x1, y1, z1, x2, y2, z2, options) end

---The first of the body's colliders that the shape hits while it moves from the pose: see World:shapecast.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param dz number
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when it misses
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, z = body:shapecast(d3.sphere(0.5), d3.pose(0, 10, 0), 0, -20, 0)`
function SpaceBody:shapecast(shape, pose, dx, dy, dz, options) end

---The body's colliders that overlap the shape at the pose, in the order of their ids.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.d3.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local parts = body:overlapShape(d3.sphere(3), d3.pose(x, y, z))`
function SpaceBody:overlapShape(shape, pose, options, into) end

---The point of the body's surface that is closest to the point: see World:nearest.
---@param x number in the world [length]
---@param y number
---@param z number
---@param options? collide.d3.QueryOptions
---@return collide.d3.Collider? collider, number x, number y, number z, number distance, number nx, number ny, number nz, integer? part, string? kind nil when no collider is chosen
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, cx, cy, cz, distance = body:closestPoint(x, y, z)`
function SpaceBody:closestPoint(x, y, z, options) end

-- 3D colliders ---------------------------------------------------------------------------------------------------------------

---A 3D collider.
---@class collide.d3.Collider : collide.AnyCollider
local SpaceCollider = {}

---Loops over the colliders that overlap this sensor: see collide.Collider.
---@return fun(): collide.d3.Collider
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for visitor in goal:overlaps() do ... end`
function SpaceCollider:overlaps() end

---@return collide.d3.Body
---Example: `local body = collider:getBody()`
function SpaceCollider:getBody() end

---Loops over the contact points of the collider: rows as those of the world's contacts(), with this collider as a, so that the normal points away from it.
---@return fun(): collide.d3.Collider, collide.d3.Collider, number, number, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, nz, x, y, z, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for own, other, nx, ny, nz in collider:contacts() do ... end`
function SpaceCollider:contacts() end

---@return collide.d3.Shape? shape nil for voxels, and for a height field once setHeights has changed it
---Example: `print(collider:getShape():getType())`
function SpaceCollider:getShape() end

---Sets a cell of voxels. Wakes what rests there, and bodies that the cell may overlap.
---@param i integer along x, -65536 to 65535
---@param j integer along y
---@param k integer along z
---@param kind integer 0: empty
---@param flags? string words with spaces between them, each of which flips or turns the cell once more, counter-clockwise about the axis: "flipX", "flipY", "flipZ", "turnX90", "turnX180", "turnX270", and those for y and z
---Raises on colliders that are not voxels, in hooks, and when memory runs out.
---Example: `map:setCell(10, 2, -3, 2, "turnY90")`
function SpaceCollider:setCell(i, j, k, kind, flags) end

---Sets the cells of a box of voxels, at most 2^28. Faster than cell by cell.
---@param i1 integer
---@param j1 integer
---@param k1 integer
---@param i2 integer at least i1
---@param j2 integer at least j1
---@param k2 integer at least k1
---@param kind integer 0: empty
---@param flags? string as of setCell
---Raises as setCell.
---Example: `map:fillCells(-20, 0, -20, 19, 3, 19, 1)`
function SpaceCollider:fillCells(i1, j1, k1, i2, j2, k2, kind, flags) end

---@param i integer
---@param j integer
---@param k integer
---@return integer kind 0: empty
---@return string? flags words that turn the cell as it is
---@return string? name of the kind
---Raises on colliders that are not voxels.
---Example: `local kind, flags = map:getCell(10, 2, -3)`
function SpaceCollider:getCell(i, j, k) end

---@param x number in the world [length]
---@param y number
---@param z number
---@return integer? i nothing outside -65536 to 65535
---@return integer? j
---@return integer? k
---@return integer? kind, string? flags, string? name as of getCell
---Raises on colliders that are not voxels.
---Example: `local i, j, k, kind = map:cellAt(x, y, z)`
function SpaceCollider:cellAt(x, y, z) end

---The cell that a contact, a ray or a cast has hit: of its `part`, a number that each cell has.
---@param part integer
---@return integer i
---@return integer j
---@return integer k
---@return integer kind, string? flags, string? name as of getCell
---Raises on colliders that are not voxels.
---Example: `local i, j, k, kind = map:cellOf(part)`
function SpaceCollider:cellOf(part) end

---@return integer bytes of the voxels: their cells and faces
---Raises on colliders that are not voxels.
---Example: `print(map:getByteCount())`
function SpaceCollider:getByteCount() end

---@param column integer from 1
---@param row integer from 1
---@return number height [length]
---Raises on colliders without a height field.
---Example: `local height = ground:getHeight(10, 20)`
function SpaceCollider:getHeight(column, row) end

---Sets heights of the collider's height field, such as those of a crater. Wakes what rests there, and bodies that the new surface may overlap. With the first call the collider
---gets a field of its own, which takes the time of a copy: the shape that was given stays what it is. The time of other calls depends on the number of the heights alone.
---@param column integer of the first height, from 1
---@param row integer of the first height, from 1
---@param columns integer at least 1
---@param rows integer at least 1
---@param heights number[] row by row, columns * rows numbers [length]
---Raises for points outside the field, on colliders without a height field, in hooks, and when memory runs out.
---Example: `ground:setHeights(10, 20, 2, 2, { -1, -1.5, -1.5, -1 })`
function SpaceCollider:setHeights(column, row, columns, rows, heights) end

---Replaces the shape. The body's mass is recomputed.
---@param shape collide.d3.Shape
---Raises on a mesh, height field or half-space on a dynamic body unless the collider is a sensor, on voxels and height fields that setHeights has changed, in hooks, and when memory runs out.
---Example: `collider:setShape(d3.sphere(1))`
function SpaceCollider:setShape(shape) end

---@return number x, number y, number z velocity of the surface in the body's frame [length/s]
---Example: `local vx, vy, vz = belt:getTangentVelocity()`
function SpaceCollider:getTangentVelocity() end

---Sets the velocity of the surface, as on a conveyor belt: it drives the bodies that lie on it. Only its component along the surface counts.
---@param x number in the body's frame [length/s]
---@param y number
---@param z number
---Raises in hooks.
---Example: `belt:setTangentVelocity(2, 0, 0)`
function SpaceCollider:setTangentVelocity(x, y, z) end

---@return number x1, number y1, number z1, number x2, number y2, number z2 the AABB in the world [length]
---Example: `local x1, y1, z1, x2, y2, z2 = collider:getBox()`
function SpaceCollider:getBox() end

---@param x number in the world [length]
---@param y number
---@param z number
---@return boolean inside always false for segments, triangles, meshes and height fields
---Example: `if collider:containsPoint(x, y, z) then ... end`
function SpaceCollider:containsPoint(x, y, z) end

---Where the ray hits this collider. Ignores all others.
---@param x1 number in the world [length]
---@param y1 number
---@param z1 number
---@param x2 number
---@param y2 number
---@param z2 number
---@param options? collide.d3.QueryOptions only startInside
---@return number? x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when it misses
---Example: `local x, y, z, nx, ny, nz, fraction = collider:raycast(0, 10, 0, 0, -10, 0)`
function SpaceCollider:raycast(x1, y1, z1, x2, y2, z2, options) end

---Where the shape hits this collider while it moves from the pose: see World:shapecast.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param dz number
---@param options? collide.d3.QueryOptions only startInside
---@return number? x, number y, number z, number nx, number ny, number nz, number fraction, integer? part, string? kind nil when it misses
---Example: `local x, y, z, nx, ny, nz, fraction = collider:shapecast(d3.sphere(0.5), d3.pose(0, 10, 0), 0, -20, 0)`
function SpaceCollider:shapecast(shape, pose, dx, dy, dz, options) end

---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@return boolean overlap whether the shape at the pose overlaps this collider
---Example: `if zone:overlapShape(d3.sphere(3), d3.pose(x, y, z)) then ... end`
function SpaceCollider:overlapShape(shape, pose) end

---The point of this collider's surface that is closest to the point: see World:nearest.
---@param x number in the world [length]
---@param y number
---@param z number
---@param options? collide.d3.QueryOptions only maxDistance
---@return number? x, number y, number z, number distance, number nx, number ny, number nz, integer? part, string? kind nil when it is farther than maxDistance
---Example: `local cx, cy, cz, distance = collider:closestPoint(x, y, z)`
function SpaceCollider:closestPoint(x, y, z, options) end

-- 3D joints ------------------------------------------------------------------------------------------------------------------

---Options of all joints.
---@class collide.d3.AnyJointOptions
---@field collideConnected? boolean whether the two bodies may collide with each other, default false; without bodyA bodyB collides with all others in any case
---@field enabled? boolean whether the joint is solved, default true
---@field forceThreshold? number > 0: world:jointEvents lists the joint after each step in which its reaction force is larger, default none [mass length/s^2]
---@field torqueThreshold? number > 0: the same for the reaction torque [mass length^2/s^2]
---@field breakable? boolean whether a larger reaction destroys the joint; needs a threshold, default false
---@field name? string for messages
---@field data? any user data: becomes the joint's field data

---Each body has a joint frame at its anchor, whose z axis is the joint's axis. The rotation of B relative to A is a twist about the axis and then a
---swing of it. Only one of axis, axisA with axisB, and rotationA with rotationB may be given.
---@class collide.d3.PlacedJointOptions : collide.d3.AnyJointOptions
---@field x? number the anchor in the world; with y and z, instead of anchorA and anchorB [length]
---@field y? number
---@field z? number
---@field anchorA? number[] the anchor in bodyA's frame { x, y, z } [length]
---@field anchorB? number[] the anchor in bodyB's frame: the joint pulls both together
---@field pointA? number[] the anchor on bodyA as a point in the world, { x, y, z } [length]
---@field pointB? number[] the anchor on bodyB as a point in the world: the joint pulls both together
---@field axis? number[] in the world { x, y, z }, of any length, default { 0, 0, 1 }; the bodies' current rotations have no twist
---@field axisA? number[] the axis in bodyA's frame; the bodies' current rotations have no twist
---@field axisB? number[] the axis in bodyB's frame: the joint aligns both axes
---@field rotationA? collide.d3.Rotation of the joint frame in bodyA's: its z axis is the axis, and there is no twist when both frames agree
---@field rotationB? collide.d3.Rotation of the joint frame in bodyB's

---@class collide.d3.JointOptions : collide.d3.PlacedJointOptions
---@field bodyA? collide.d3.Body nil: the joint holds bodyB to the world, whose frame is meant below
---@field bodyB collide.d3.Body another body of the same world

---The softness of joints that hold something together.
---@class collide.d3.JointSoftnessOptions
---@field jointHertz? number its stiffness, and that of its limits, at most a quarter of the rate of the sub-steps, default the world's [1/s]
---@field jointDampingRatio? number default the world's

---Options of joints that hold something together.
---@class collide.d3.LockedJointOptions : collide.d3.JointOptions, collide.d3.JointSoftnessOptions

---@class collide.d3.RevoluteJointOptions : collide.d3.LockedJointOptions
---@field hertz? number frequency of a spring that rotates B towards its target [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field maxMotorTorque? number maximum torque of a motor; without it there is no motor [mass length^2/s^2]
---@field lowerAngle? number limits of the angle, both or none; any number of turns [rad]
---@field upperAngle? number
---@field targetAngle? number of the spring, default 0 [rad]
---@field motorSpeed? number of B relative to A that the motor maintains, default 0: friction [rad/s]
---@field motorTarget? number angle to which a position motor turns B, at most at motorSpeed: see Joint:setMotor [rad]

---@class collide.d3.SphericalJointOptions : collide.d3.LockedJointOptions
---@field hertz? number frequency of a spring that rotates B towards its target [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field maxMotorTorque? number maximum torque of a motor; without it there is no motor [mass length^2/s^2]
---@field coneAngle? number the greatest swing, the angle between B's axis and A's, between 0 and 3.1 [rad]
---@field coneAngles? number[] instead of coneAngle: an elliptic cone { a, b }, with the greatest swings about the x and the y axis of A's joint frame, above 0, up to 3.1. See rotationA; with `axis` these axes are the world's, turned with the least rotation from { 0, 0, 1 } to it [rad]
---@field lowerTwistAngle? number limits of the twist, both or none; any number of turns [rad]
---@field upperTwistAngle? number
---@field targetRotation? collide.d3.Rotation of the spring: of B's joint frame relative to A's, default none
---@field motorVelocity? number[] of B relative to A that the motor maintains, in bodyA's frame, default { 0, 0, 0 }: friction [rad/s]

---A rod, if there is neither a spring nor a limit; with maxLength alone a rope.
---@class collide.d3.DistanceJointOptions : collide.d3.LockedJointOptions
---@field length? number of the rod, or of the spring at rest, default: the current distance of the anchors [length]
---@field minLength? number limits of the length, either or both [length]
---@field maxLength? number
---@field hertz? number frequency of a spring towards `length` [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field lowerSpringForce? number least force of the spring, negative: it pulls; with upperSpringForce, default: any [mass length/s^2]
---@field upperSpringForce? number greatest force of the spring, which pushes [mass length/s^2]
---@field motorSpeed? number rate of the length that a motor maintains, default 0: friction [length/s]
---@field maxMotorForce? number maximum force of the motor; without it there is no motor [mass length/s^2]
---@field motorTarget? number length to which a position motor goes, at most at motorSpeed [length]

---@class collide.d3.PrismaticJointOptions : collide.d3.LockedJointOptions
---@field lowerTranslation? number limits of the translation, both or none [length]
---@field upperTranslation? number
---@field hertz? number frequency of a spring towards targetTranslation [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field targetTranslation? number of the spring, default 0 [length]
---@field motorSpeed? number that a motor maintains, default 0: friction [length/s]
---@field maxMotorForce? number maximum force of the motor; without it there is no motor [mass length/s^2]
---@field motorTarget? number translation to which a position motor goes, at most at motorSpeed [length]

---@class collide.d3.WeldJointOptions : collide.d3.LockedJointOptions
---@field linearHertz? number frequency of a spring that replaces the lock of the anchors, default 0: locked [1/s]
---@field linearDampingRatio? number default 1
---@field angularHertz? number the same for the rotation, default 0: locked [1/s]
---@field angularDampingRatio? number default 1

---@class collide.d3.WheelJointOptions : collide.d3.LockedJointOptions
---@field spinAxis? number[] the wheel's axis in the world, { x, y, z }, perpendicular to the suspension's, which is `axis`
---@field lowerSuspension? number limits of the translation along the axis, both or none [length]
---@field upperSuspension? number
---@field suspensionHertz? number frequency of the suspension's spring; its stiffness is that for the mass of the wheel, nearly: under a heavy car it needs more [1/s]
---@field suspensionDampingRatio? number default 1
---@field spinSpeed? number that a motor maintains, default 0: a brake [rad/s]
---@field maxSpinTorque? number maximum torque of the motor; without it the wheel turns freely [mass length^2/s^2]
---@field lowerSteeringAngle? number limits of the steering about the suspension's axis, both or none [rad]
---@field upperSteeringAngle? number
---@field steeringHertz? number frequency of a spring towards targetSteeringAngle; without it and limits there is no steering [1/s]
---@field steeringDampingRatio? number default 1
---@field targetSteeringAngle? number default 0 [rad]
---@field maxSteeringTorque? number greatest torque of that spring, default 0: any [mass length^2/s^2]

---Springs pull B's anchor and rotation to A's; motors maintain a velocity relative to A, in A's frame.
---@class collide.d3.MotorJointOptions : collide.d3.JointOptions
---@field linearHertz? number [1/s]
---@field linearDampingRatio? number default 1
---@field maxSpringForce? number greatest force of the spring, default 0: any [mass length/s^2]
---@field linearVelocity? number[] { x, y, z }, default { 0, 0, 0 } [length/s]
---@field maxVelocityForce? number greatest force of the motor; without it there is none [mass length/s^2]
---@field angularHertz? number [1/s]
---@field angularDampingRatio? number default 1
---@field maxSpringTorque? number default 0: any [mass length^2/s^2]
---@field angularVelocity? number[] { x, y, z }, default { 0, 0, 0 } [rad/s]
---@field maxVelocityTorque? number [mass length^2/s^2]

---@class collide.d3.MouseJointOptions : collide.d3.PlacedJointOptions
---@field body collide.d3.Body the body that is pulled, by its point at x, y and z
---@field hertz number frequency of the spring towards the target [1/s]
---@field dampingRatio? number default 1
---@field maxForce? number greatest force of the spring, default 0: any [mass length/s^2]

---@class collide.d3.FrictionJointOptions : collide.d3.JointOptions
---@field maxForce? number against the anchors' relative velocity [mass length/s^2]
---@field maxTorque? number against the relative angular velocity [mass length^2/s^2]

---@class collide.d3.CylindricalJointOptions : collide.d3.LockedJointOptions
---@field lowerTranslation? number limits of the translation along the axis, both or none [length]
---@field upperTranslation? number
---@field translationHertz? number frequency of a spring towards targetTranslation [1/s]
---@field translationDampingRatio? number default 1
---@field targetTranslation? number default 0 [length]
---@field translationSpeed? number that a motor maintains, default 0: friction [length/s]
---@field maxTranslationForce? number maximum force of the motor; without it there is none [mass length/s^2]
---@field translationMotorTarget? number translation to which a position motor goes [length]
---@field lowerAngle? number limits of the angle about the axis, both or none [rad]
---@field upperAngle? number
---@field angleHertz? number frequency of a spring towards targetAngle [1/s]
---@field angleDampingRatio? number default 1
---@field targetAngle? number default 0 [rad]
---@field angleSpeed? number that a motor maintains, default 0: friction [rad/s]
---@field maxAngleTorque? number maximum torque of the motor; without it there is none [mass length^2/s^2]
---@field angleMotorTarget? number angle to which a position motor turns [rad]

---@class collide.d3.UniversalJointOptions : collide.d3.LockedJointOptions
---@field secondAxis number[] B's axis in the world, { x, y, z }, perpendicular to `axis`, which is A's
---@field lowerFirstAngle? number limits of the angle about A's axis, both or none [rad]
---@field upperFirstAngle? number
---@field firstHertz? number frequency of a spring towards targetFirstAngle [1/s]
---@field firstDampingRatio? number default 1
---@field targetFirstAngle? number default 0 [rad]
---@field firstSpeed? number that a motor maintains, default 0: friction [rad/s]
---@field maxFirstTorque? number maximum torque of the motor; without it there is none [mass length^2/s^2]
---@field firstMotorTarget? number angle to which a position motor turns [rad]
---@field lowerSecondAngle? number the same about B's axis [rad]
---@field upperSecondAngle? number
---@field secondHertz? number
---@field secondDampingRatio? number
---@field targetSecondAngle? number
---@field secondSpeed? number
---@field maxSecondTorque? number
---@field secondMotorTarget? number

---One axis of a six-DOF joint. Limits that are equal lock it, and its spring and motor do nothing then.
---@class collide.d3.AxisFreedom
---@field lower? number limits, both or none [length] or [rad]
---@field upper? number
---@field hertz? number frequency of a spring towards `target` [1/s]
---@field dampingRatio? number default 1
---@field target? number default 0 [length] or [rad]
---@field motorSpeed? number that a motor maintains, default 0: friction [length/s] or [rad/s]
---@field maxMotorForce? number of x, y and z: maximum force of the motor; without it there is none [mass length/s^2]
---@field maxMotorTorque? number of rotations: maximum torque of the motor; without it there is none [mass length^2/s^2]
---@field motorTarget? number to which a position motor goes, at most at motorSpeed [length] or [rad]

---The axes are those of A's joint frame: see rotationA. Each is "free", "locked", which is the default, or has a table.
---@class collide.d3.Freedom
---@field x? "free"|"locked"|collide.d3.AxisFreedom translation of B's anchor from A's [length]
---@field y? "free"|"locked"|collide.d3.AxisFreedom
---@field z? "free"|"locked"|collide.d3.AxisFreedom
---@field rotationX? "free"|"locked"|collide.d3.AxisFreedom rotation of B's frame [rad]
---@field rotationY? "free"|"locked"|collide.d3.AxisFreedom
---@field rotationZ? "free"|"locked"|collide.d3.AxisFreedom

---If only one rotation is not locked, it is the angle about that axis, and counts turns. Else the three are the rotation vector of B's frame in A's, of at most half a turn:
---beyond it they jump to the opposite vector, so limits and targets should stay well below that.
---@class collide.d3.SixDofJointOptions : collide.d3.LockedJointOptions
---@field freedom? collide.d3.Freedom default: all axes are locked

---Without a place, the joint is at the bodies' origins: it holds no point.
---@class collide.d3.ParallelJointOptions : collide.d3.JointOptions
---@field hertz number frequency of the spring [1/s]
---@field dampingRatio? number default 1
---@field maxTorque? number greatest torque of the spring, default 0: any [mass length^2/s^2]

---@class collide.d3.PathJointOptions : collide.d3.AnyJointOptions, collide.d3.JointSoftnessOptions
---@field bodyA? collide.d3.Body nil: the path is fixed in the world
---@field bodyB collide.d3.Body another body of the same world
---@field points number[] of the curve, { x1, y1, z1, x2, y2, z2, ... }, in the world as bodyA is now: 2 to 4096 points, in a loop at least 3, neighbours not the same
---@field loop? boolean the curve closes, default false
---@field follow? "none"|"tangent" "tangent": B turns with the curve, default "none": it turns freely
---@field anchorB? number[] the point that stays on the curve, in bodyB's frame, default: its origin. It starts at the nearest place of the curve
---@field lowerDistance? number limits of the arc length from the first point, both or none, default: the ends of an open curve [length]
---@field upperDistance? number
---@field hertz? number frequency of a spring towards targetDistance [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field targetDistance? number of the spring, default 0 [length]
---@field motorSpeed? number that a motor maintains, default 0: friction [length/s]
---@field maxMotorForce? number maximum force of the motor; without it there is no motor [mass length/s^2]
---@field motorTarget? number arc length to which a position motor goes, at most at motorSpeed [length]

---Without a place, the joint is at the bodies' origins: it holds no point.
---@class collide.d3.RatchetJointOptions : collide.d3.LockedJointOptions
---@field toothAngle number angle between teeth, not 0; negative: the angle may fall, and not grow [rad]
---@field phase? number angle of a tooth, default 0 [rad]

---A gear holds a + ratio b as it finds it, where a and b are coordinates of two joints: the angle of a revolute or cylindrical joint, a wheel's spin, the translation of a prismatic joint.
---@class collide.d3.GearJointOptions : collide.d3.AnyJointOptions, collide.d3.JointSoftnessOptions
---@field jointA collide.d3.Joint a revolute, prismatic, cylindrical or wheel joint
---@field jointB collide.d3.Joint another one
---@field ratio? number other than 0, default 1: B turns against A as fast; of a rack and a pinion, a length or 1 / length
---@field collideConnected? boolean whether getBodyA and getBodyB may collide with each other, default false
---@field enabled? boolean default true; enabled again, the gear holds the sum that it then finds, as a clutch does

---A rope from A's anchor over two points of the world to B's. It holds lengthA + ratio lengthB as it begins; with a limit, within its limits. An anchor that
---is pulled up to its point of the world stays there.
---@class collide.d3.PulleyJointOptions : collide.d3.LockedJointOptions
---@field groundA number[] the point of the world from which A hangs, { x, y, z } [length]
---@field groundB number[] that from which B hangs
---@field ratio? number > 0, default 1; with 2 a tackle: A moves twice as far as B, with half the force
---@field minLength? number limits of lengthA + ratio lengthB, either or both; with maxLength alone a rope that may be slack [length]
---@field maxLength? number
---@field collideConnected? boolean default true

---@class collide.d3.FilterJointOptions : collide.d3.AnyJointOptions
---@field bodyA collide.d3.Body
---@field bodyB collide.d3.Body
---@field forceThreshold? number without effect: the joint exerts no force

---Holds two bodies, or a body and the world, together at a point and at an axis about which they may rotate: a hinge, a wheel's axle, a ragdoll's knee.
---Wakes both bodies. Jointed bodies go to sleep and wake together.
---@param options collide.d3.RevoluteJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newRevoluteJoint { bodyA = wall, bodyB = door, x = 1, y = 0, z = 0, axis = { 0, 1, 0 }, lowerAngle = 0, upperAngle = 2 }`
function SpaceWorld:newRevoluteJoint(options) end

---Holds two bodies, or a body and the world, together at a point about which they may rotate: a pendulum, a chain's link, a ragdoll's shoulder.
---Wakes both bodies. Jointed bodies go to sleep and wake together.
---@param options collide.d3.SphericalJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newSphericalJoint { bodyA = chest, bodyB = arm, anchorA = { 0.2, 0.3, 0 }, anchorB = { 0, 0.3, 0 }, axis = { 0, -1, 0 }, coneAngle = 1 }`
function SpaceWorld:newSphericalJoint(options) end

---Keeps two anchors at a distance, or within a range of distances: a rod, a rope, a spring, a hydraulic ram. Wakes both bodies.
---@param options collide.d3.DistanceJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newDistanceJoint { bodyA = crane, bodyB = load, anchorA = { 2, 0, 0 }, anchorB = { 0, 0, 0 }, maxLength = 5 }`
function SpaceWorld:newDistanceJoint(options) end

---Lets B slide along an axis without turning: a lift, a piston, a drawer. Wakes both bodies.
---@param options collide.d3.PrismaticJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newPrismaticJoint { bodyB = lift, x = 0, y = 0, z = 0, axis = { 0, 1, 0 }, motorSpeed = 1, maxMotorForce = 500, motorTarget = 4 }`
function SpaceWorld:newPrismaticJoint(options) end

---Lets B slide along an axis and turn about it. Its coordinates are "translation" and "angle", which getLimits, getSpring, getMotor and their setters take first. Wakes both bodies.
---@param options collide.d3.CylindricalJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newCylindricalJoint { bodyA = barrel, bodyB = bolt, x = 0, y = 0, z = 0, axis = { 1, 0, 0 } }`
function SpaceWorld:newCylindricalJoint(options) end

---Holds two bodies together at a point, and turns about two axes, one of each body: a drive shaft's joint. Its coordinates are "first" and "second". Wakes both bodies.
---@param options collide.d3.UniversalJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newUniversalJoint { bodyA = engine, bodyB = shaft, x = 0, y = 1, z = 0, axis = { 0, 1, 0 }, secondAxis = { 0, 0, 1 } }`
function SpaceWorld:newUniversalJoint(options) end

---Holds two bodies together without any freedom, or springily. Wakes both bodies.
---@param options collide.d3.WeldJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newWeldJoint { bodyA = plank, bodyB = post, x = 1, y = 0, z = 0, angularHertz = 5 }`
function SpaceWorld:newWeldJoint(options) end

---A wheel on a suspension: B slides along an axis, turns about its own, and can be steered. Its coordinates are "suspension", "spin" and "steering". Wakes both bodies.
---@param options collide.d3.WheelJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newWheelJoint { bodyA = car, bodyB = wheel, x = 1, y = 0, z = 1, axis = { 0, 1, 0 }, spinAxis = { 0, 0, 1 }, suspensionHertz = 4 }`
function SpaceWorld:newWheelJoint(options) end

---Drives B relative to A by springs and motors of limited force. Its coordinates are "linear" and "angular". Wakes both bodies.
---@param options collide.d3.MotorJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newMotorJoint { bodyB = drone, x = 0, y = 0, z = 0, linearHertz = 2, maxSpringForce = 100 }`
function SpaceWorld:newMotorJoint(options) end

---Pulls a point of a body to a point of the world by a spring: see setTarget. Wakes both bodies.
---@param options collide.d3.MouseJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `local grip = world:newMouseJoint { body = crate, x = x, y = y, z = z, hertz = 5, maxForce = 1000 }`
function SpaceWorld:newMouseJoint(options) end

---Slows the motion of B relative to A. Wakes both bodies.
---@param options collide.d3.FrictionJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newFrictionJoint { bodyB = puck, x = 0, y = 0, z = 0, maxForce = 2, maxTorque = 1 }`
function SpaceWorld:newFrictionJoint(options) end

---Locks, limits or frees each of the six axes along and about which B moves relative to A. Its coordinates are "x", "y", "z", "rotationX", "rotationY" and "rotationZ", which
---getCoordinate, getSpeed, getLimits, getSpring, getMotor and their setters take first. setLimits(name, 0, 0) locks an axis, setLimits(name) frees it. Wakes both bodies.
---@param options collide.d3.SixDofJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newSixDofJoint { bodyA = car, bodyB = seat, x = 0, y = 1, z = 0, freedom = { y = { hertz = 2, lower = -0.1, upper = 0.1 }, rotationY = "free" } }`
function SpaceWorld:newSixDofJoint(options) end

---Turns B's axis towards A's by a spring of limited torque: a balloon, a buoy or a character that rights itself. B still turns about its axis and moves as it likes, from any
---rotation. Without bodyA A's axis is that of the world: for a body that does not stand upright yet, give `axisA = { 0, 1, 0 }` and `axisB`. Wakes both bodies.
---@param options collide.d3.ParallelJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newParallelJoint { bodyB = buoy, axisA = { 0, 1, 0 }, axisB = { 0, 1, 0 }, hertz = 1, maxTorque = 20 }`
function SpaceWorld:newParallelJoint(options) end

---Keeps a point of B on a smooth curve: a bead on a wire, a roller coaster, a lift around corners. The curve is the cubic spline through the
---points, and moves with bodyA. Without limits B goes on straight beyond the ends. In a loop distances count laps. Wakes both bodies.
---@param options collide.d3.PathJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Source: de Boor, "A Practical Guide to Splines", 1978.
---Example: `world:newPathJoint { bodyB = cart, points = { 0, 5, 0, 4, 1, 2, 8, 3, 0 }, follow = "tangent" }`
function SpaceWorld:newPathJoint(options) end

---Lets the twist of B relative to A about the axis grow freely, but not fall below the last tooth that it has reached: a winch's pawl, a wrench, a turnstile. It holds no point: use it beside a
---revolute joint. Wakes both bodies.
---@param options collide.d3.RatchetJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newRatchetJoint { bodyA = frame, bodyB = drum, toothAngle = math.pi / 8 }`
function SpaceWorld:newRatchetJoint(options) end

---Couples two joints by a ratio: wheels in mesh, a belt, a rack and a pinion. It acts on the bodies of both, and is destroyed with either joint, as
---world:jointEvents() reports. Of the bodies of each joint getBodyA and getBodyB return one. Wakes both.
---@param options collide.d3.GearJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on joints that are destroyed, of other worlds or of other types, in hooks, and when
---memory runs out.
---Example: `world:newGearJoint { jointA = axle, jointB = rack, ratio = -0.5 }`
function SpaceWorld:newGearJoint(options) end

---Hangs two bodies on one rope over two points of the world. Wakes both bodies.
---@param options collide.d3.PulleyJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newPulleyJoint { bodyA = load, bodyB = weight, groundA = { 0, 9, 0 }, groundB = { 4, 9, 0 }, pointA = { 0, 2, 0 }, pointB = { 4, 5, 0 } }`
function SpaceWorld:newPulleyJoint(options) end

---Keeps two bodies from colliding, and does nothing else. Wakes both bodies.
---@param options collide.d3.FilterJointOptions
---@return collide.d3.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newFilterJoint { bodyA = player, bodyB = vehicle }`
function SpaceWorld:newFilterJoint(options) end

---A 3D joint.
---@class collide.d3.Joint : collide.AnyJoint
local SpaceJoint = {}

---@return collide.d3.World
---Example: `joint:getWorld():getGravity()`
function SpaceJoint:getWorld() end

---@return "revolute"|"spherical"
---Example: `print(joint:getType())`
function SpaceJoint:getType() end

---@return collide.d3.Joint jointA of a gear
---Raises for other types.
---Example: `local axle = gear:getJointA()`
function SpaceJoint:getJointA() end

---@return collide.d3.Joint jointB of a gear
---Raises for other types.
---Example: `local rack = gear:getJointB()`
function SpaceJoint:getJointB() end

---@return collide.d3.Body? bodyA nil when the joint holds body B to the world
---Example: `local arm = joint:getBodyA()`
function SpaceJoint:getBodyA() end

---@return collide.d3.Body
---Example: `local hand = joint:getBodyB()`
function SpaceJoint:getBodyB() end

---@return number x, number y, number z A's anchor, in the world [length]
---Example: `local x, y, z = joint:getAnchorA()`
function SpaceJoint:getAnchorA() end

---@return number x, number y, number z B's anchor, in the world: close to A's, unless the joint is overloaded [length]
---Example: `local x, y, z = joint:getAnchorB()`
function SpaceJoint:getAnchorB() end

---@return number x, number y, number z A's axis of the joint, a unit vector in the world
---Example: `local x, y, z = hinge:getAxisA()`
function SpaceJoint:getAxisA() end

---@return number x, number y, number z B's axis of the joint, a unit vector in the world: that of A, unless the joint is spherical or overloaded
---Example: `local x, y, z = hinge:getAxisB()`
function SpaceJoint:getAxisB() end

---Where setFrames puts a joint. Each key means what it means for the function that creates such joints.
---@class collide.d3.FrameOptions
---@field x? number the anchor in the world; with y and z [length]
---@field y? number
---@field z? number
---@field anchorA? number[] the anchor in bodyA's frame, without bodyA in the world, { x, y, z } [length]
---@field anchorB? number[] the anchor in bodyB's frame
---@field pointA? number[] the anchor on bodyA as a point in the world, { x, y, z } [length]
---@field pointB? number[] the anchor on bodyB as a point in the world
---@field axis? number[] in the world { x, y, z }, of any length; the bodies' current rotations have no twist
---@field axisA? number[] the axis in bodyA's frame; the bodies' current rotations have no twist
---@field axisB? number[] the axis in bodyB's frame
---@field rotationA? collide.d3.Rotation of the joint frame in bodyA's
---@field rotationB? collide.d3.Rotation of the joint frame in bodyB's
---@field spinAxis? number[] of wheel joints, in the world, perpendicular to the axis
---@field secondAxis? number[] of universal joints, in the world, perpendicular to the axis

---Moves the joint on its bodies: its anchors and the rotations of its frames. Keeps what is not given. Coordinates start anew from there, angles within
---half a turn, and gears hold what they find. Limits, lengths and springs' targets stay; the impulses of the last step are
---forgotten. Wakes both bodies.
---@param options collide.d3.FrameOptions
---Raises on unknown keys, on keys that such a joint does not have, on values out of range, on mouse, path, gear and filter joints, and in hooks.
---Example: `crane:setFrames { x = 0, y = 4, z = 0, axis = { 0, 1, 0 } }`
function SpaceJoint:setFrames(options) end

---@return number qx, number qy, number qz, number qw of B's joint frame relative to A's
---Example: `local qx, qy, qz, qw = shoulder:getRotation()`
function SpaceJoint:getRotation() end

---@return number fx, number fy, number fz force of the joint on B in the last sub-step; A had the opposite one [mass length/s^2]
---Example: `if joint:getReactionForce() > 1000 then joint:destroy() end`
function SpaceJoint:getReactionForce() end

---@return number tx, number ty, number tz torque of the joint on B in the last sub-step, without that of the force at its anchor [mass length^2/s^2]
---Example: `print(joint:getReactionTorque())`
function SpaceJoint:getReactionTorque() end

---@return number x, number y, number z target of a mouse joint in the world [length]
---Raises for other types.
---Example: `print(grip:getTarget())`
function SpaceJoint:getTarget() end

---Moves the target of a mouse joint, and wakes its body.
---@param x number
---@param y number
---@param z number
---Raises in hooks, and for other types.
---Example: `grip:setTarget(x, y, z)`
function SpaceJoint:setTarget(x, y, z) end

---@return number angle of a universal joint about A's axis; it counts turns [rad]
---Raises for other types.
---Example: `print(shaft:getFirstAngle())`
function SpaceJoint:getFirstAngle() end

---@return number angle of a universal joint about B's axis; it counts turns [rad]
---Raises for other types.
---Example: `print(shaft:getSecondAngle())`
function SpaceJoint:getSecondAngle() end

---@return number angle by which a wheel is steered about its suspension's axis [rad]
---Raises for other types.
---Example: `print(axle:getSteeringAngle())`
function SpaceJoint:getSteeringAngle() end

---@return number angle of B's twist about its axis, counter-clockwise seen against it. It counts turns [rad]
---Raises for revolute joints.
---Example: `print(math.deg(shoulder:getTwistAngle()))`
function SpaceJoint:getTwistAngle() end

---@return number angle between both axes, between 0 and pi [rad]
---Raises for revolute joints.
---Example: `print(math.deg(shoulder:getSwingAngle()))`
function SpaceJoint:getSwingAngle() end

---@return number? coneAngle nil without this limit; of an elliptic cone about the x axis of A's joint frame [rad]
---@return number? secondConeAngle of an elliptic cone about the y axis, nil of others [rad]
---Raises for revolute joints.
---Example: `local cone = shoulder:getConeLimit()`
function SpaceJoint:getConeLimit() end

---Wakes both bodies.
---@param coneAngle? number between 0 and 3.1; nil: no limit [rad]
---@param secondConeAngle? number makes it an elliptic cone, see coneAngles; both above 0, up to 3.1 [rad]
---Raises in hooks, and for revolute joints.
---Example: `shoulder:setConeLimit(1.2, 0.5)`
function SpaceJoint:setConeLimit(coneAngle, secondConeAngle) end

---@return number? lowerTwistAngle, number? upperTwistAngle nil without limits [rad]
---Raises for revolute joints.
---Example: `local lower, upper = shoulder:getTwistLimits()`
function SpaceJoint:getTwistLimits() end

---Wakes both bodies.
---@param lowerTwistAngle? number any number of turns; nil: no limits [rad]
---@param upperTwistAngle? number >= lowerTwistAngle
---Raises in hooks, and for revolute joints.
---Example: `shoulder:setTwistLimits(-0.5, 0.5)`
function SpaceJoint:setTwistLimits(lowerTwistAngle, upperTwistAngle) end

---@return number? hertz, number? dampingRatio, number? target nil without a spring [1/s], [1]; the target angle [rad], or qx, qy, qz, qw for a spherical joint
---Example: `local hertz = door:getSpring()`
function SpaceJoint:getSpring() end

---Wakes both bodies.
---@param hertz? number its frequency; nil: no spring [1/s]
---@param dampingRatio? number default 1
---@param target? number the target angle, default 0 [rad]; for a spherical joint qx, qy, qz, qw of the target rotation, default none
---@param ... number
---Raises in hooks.
---Example: `door:setSpring(2, 0.7)`
function SpaceJoint:setSpring(hertz, dampingRatio, target, ...) end

---@return number? speed, number? maxTorque, number? target nil without a motor [rad/s], [mass length^2/s^2], [rad]; for a spherical joint wx, wy, wz, maxTorque
---Example: `local speed = axle:getMotor()`
function SpaceJoint:getMotor() end

---Wakes both bodies. With a target it is a position motor: see collide.Joint:setMotor.
---@param speed? number to maintain, 0: friction; nil: no motor [rad/s]; for a spherical joint wx, wy, wz in bodyA's frame
---@param maxTorque? number maximum torque of the motor [mass length^2/s^2]
---@param ... number angle to turn to [rad]; not of spherical joints
---Raises in hooks.
---Example: `axle:setMotor(-10, 50)`
function SpaceJoint:setMotor(speed, maxTorque, ...) end

---@return number torque of the motor on B in the last sub-step, about the axis; for a spherical joint tx, ty, tz in the world [mass length^2/s^2]
---@return number? ty, number? tz
---Example: `if math.abs(hinge:getMotorTorque()) > 40 then ... end`
function SpaceJoint:getMotorTorque() end

---@class collide.d3.FieldVortexOptions : collide.FieldPullOptions
---@field axis? number[] through the field's position, in the field's frame, default { 0, 1, 0 }

---@class collide.d3.FieldWindOptions : collide.AnyFieldWindOptions
---@field velocity? number[] { x, y, z }, default 0 [length/s]

---@class collide.d3.FieldFluidOptions : collide.AnyFieldFluidOptions
---@field velocity? number[] { x, y, z }, default 0 [length/s]

---Vectors are in the field's frame.
---@class collide.d3.FieldOptions : collide.AnyFieldOptions
---@field z? number
---@field rotation? number[]|{ axis: number[], angle: number } quaternion { qx, qy, qz, qw } of any length, or axis and angle [rad]
---@field qx? number quaternion, instead of rotation; all four are needed
---@field qy? number
---@field qz? number
---@field qw? number
---@field axis? number[] with angle, instead of rotation
---@field angle? number [rad]
---@field shape? collide.d3.Shape a solid shape, compound or half-space, default: everywhere
---@field body? collide.d3.Body the field moves with it, does not act on it, and is destroyed with it
---@field gravity? number[] an acceleration { x, y, z }, multiplied by the bodies' gravityScale [length/s^2]
---@field vortex? collide.d3.FieldVortexOptions acceleration around the axis
---@field wind? collide.d3.FieldWindOptions
---@field fluid? collide.d3.FieldFluidOptions its surface is perpendicular to gravity, at the highest point of `shape`; of a half-space its boundary

---@class collide.d3.MoverOptions : collide.AnyMoverOptions
---@field z? number
---@field rotation? number[] quaternion { qx, qy, qz, qw } of any length but 0
---@field shape collide.d3.Shape convex and bounded

---As World:newMover.
---@param options collide.d3.MoverOptions
---@return collide.d3.Mover
---Raises as World:newMover.
---Example: `local player = world:newMover { shape = d3.capsule(0, -0.5, 0, 0, 0.5, 0, 0.4), y = 2, stepHeight = 0.3 }`
function SpaceWorld:newMover(options) end

---@return collide.d3.Mover[] movers in the order of their ids
---Example: `print(#world:getMovers())`
function SpaceWorld:getMovers() end

---@class collide.d3.ContactPlane : collide.AnyContactPlane
---@field z number
---@field nz number
---@field collider collide.d3.Collider
---@field kind? "triangle"|"child"|"cell" what `part` counts: triangles or children, in the order given to the shape, or cells of voxels, see Collider:cellOf; nil for shapes without parts

---As World:contactPlanes.
---@param shape collide.d3.Shape convex and bounded
---@param pose? collide.d3.Pose
---@param options? collide.d3.QueryOptions
---@param into? table list to be filled instead of a new one, with its tables used again; entries after the results are removed
---@return collide.d3.ContactPlane[] planes
---Raises as World:contactPlanes.
---Example: `local planes = world:contactPlanes(d3.sphere(1), d3.pose(x, y, z))`
function SpaceWorld:contactPlanes(shape, pose, options, into) end

---As World:newField.
---@param options collide.d3.FieldOptions
---@return collide.d3.Field
---Raises as World:newField.
---Example: `world:newField { shape = d3.box(40, 10, 40), y = -5, fluid = { density = 1000, linearDrag = 1, angularDrag = 1 } }`
function SpaceWorld:newField(options) end

---@class collide.d3.ExplosionOptions
---@field x? number its center; with y and z, or position [length]
---@field y? number
---@field z? number
---@field position? number[] instead of x, y and z, { x, y, z }
---@field radius number beyond which it does nothing [length]
---@field impulse number on each unit of area that faces the center; negative: an implosion
---@field falloff? number a multiple of 0.5 between 0 and 8: the impulse falls with (1 - distance / radius)^falloff, default 0
---@field layers? string[] whose colliders are pushed, default all
---@field occlusion? boolean whether bodies in between protect what is behind them; takes a ray for each facet, default false

---As World:explode.
---@param options collide.d3.ExplosionOptions
---@return integer count of the bodies pushed
---Raises as World:explode.
---Example: `world:explode { x = 3, y = 1, z = 0, radius = 5, impulse = 20 }`
function SpaceWorld:explode(options) end

---@return collide.d3.Field[] fields in the order of their ids
---Example: `print(#world:getFields())`
function SpaceWorld:getFields() end

---A 3D field.
---@class collide.d3.Field : collide.AnyField
local SpaceField = {}

---@return collide.d3.World
---Example: `field:getWorld():getGravity()`
function SpaceField:getWorld() end

---@return collide.d3.Body? body that it moves with
---Example: `local planet = field:getBody()`
function SpaceField:getBody() end

---@return number x, number y, number z as in the options: in the frame of its body, if it has one [length]
---Example: `local x, y, z = field:getPosition()`
function SpaceField:getPosition() end

---@param x number [length]
---@param y number
---@param z number
---Raises on numbers that are not finite, and in hooks.
---Example: `field:setPosition(0, tide, 0)`
function SpaceField:setPosition(x, y, z) end

---@return number qx, number qy, number qz, number qw
---Example: `print(field:getRotation())`
function SpaceField:getRotation() end

---@param qx number quaternion of any length
---@param qy number
---@param qz number
---@param qw number
---Raises on numbers that are not finite or all 0, and in hooks.
---Example: `field:setRotation(0, 0, 0, 1)`
function SpaceField:setRotation(qx, qy, qz, qw) end

---@return number? x, number y, number z [length/s^2]; nil: none
---Example: `local x, y, z = field:getGravity()`
function SpaceField:getGravity() end

---@param x? number [length/s^2]
---@param y? number
---@param z? number
---Raises on numbers out of range, and in hooks.
---Example: `field:setGravity(0, 5, 0)`
function SpaceField:setGravity(x, y, z) end

---@return number? x, number y, number z, number drag, number lift nil: none
---Example: `print(field:getWind())`
function SpaceField:getWind() end

---@param x? number [length/s]
---@param y? number
---@param z? number
---@param drag? number
---@param lift? number
---Raises on numbers out of range, and in hooks.
---Example: `gust:setWind(10, 0, 0)`
function SpaceField:setWind(x, y, z, drag, lift) end

---@return number? density, number linearDrag, number angularDrag, number x, number y, number z nil: none; x, y, z: velocity
---Example: `print(lake:getFluid())`
function SpaceField:getFluid() end

---@param density? number
---@param linearDrag? number
---@param angularDrag? number
---@param x? number velocity [length/s]
---@param y? number
---@param z? number
---Raises on numbers out of range, and in hooks.
---Example: `river:setFluid(1000, 2, 1, 3, 0, 0)`
function SpaceField:setFluid(density, linearDrag, angularDrag, x, y, z) end

---A 3D mover.
---@class collide.d3.Mover : collide.AnyMover
local SpaceMover = {}

---@return collide.d3.World
---Example: `mover:getWorld():getGravity()`
function SpaceMover:getWorld() end

---@return collide.d3.Body body with the mover's collider; more may be added
---Example: `local body = mover:getBody()`
function SpaceMover:getBody() end

---As Mover:move.
---@param dx number [length]
---@param dy number
---@param dz number
---@param dt number > 0 [s]
---@return number x, number y, number z the new position [length]
---@return integer hits number of contacts, see contacts
---Raises as Mover:move.
---Example: `local x, y, z, hits = player:move(5 * dt, vy * dt, 0, dt)`
function SpaceMover:move(dx, dy, dz, dt) end

---@return number x, number y, number z of its body's origin [length]
---Example: `local x, y, z = mover:getPosition()`
function SpaceMover:getPosition() end

---As Mover:setPosition.
---@param x number [length]
---@param y number
---@param z number
---Raises in hooks.
---Example: `mover:setPosition(3, 2, 0)`
function SpaceMover:setPosition(x, y, z) end

---@return number x, number y, number z as Mover:getVelocity [length/s]
---Example: `local vx, vy, vz = mover:getVelocity()`
function SpaceMover:getVelocity() end

---@return number x, number y, number z a unit vector, or 0, 0, 0: nothing is ground
---Example: `print(mover:getUp())`
function SpaceMover:getUp() end

---As Mover:setUp, by the smallest rotation.
---@param x number of any length but 0
---@param y number
---@param z number
---Raises as Mover:setUp.
---Example: `mover:setUp(x, y, z)`
function SpaceMover:setUp(x, y, z) end

---As Mover:setShape.
---@param shape collide.d3.Shape convex and bounded
---@return boolean fitted false: the old shape stays
---Raises as Mover:move.
---Example: `if not player:setShape(standing) then duck = true end`
function SpaceMover:setShape(shape) end

---@param shape collide.d3.Shape convex and bounded
---@param x? number position, default: its own [length]
---@param y? number
---@param z? number
---@return boolean fits whether the mover, with the shape, would overlap no obstacle. A one-sided surface is one from both sides, a collider with oneWay only from its own
---Raises as Mover:move.
---Example: `if player:fits(standing) then ... end`
function SpaceMover:fits(shape, x, y, z) end

---As Mover:getGround.
---@return collide.d3.Collider? collider, number x, number y, number z, number nx, number ny, number nz, number vx, number vy, number vz nil in the air
---Example: `local collider = player:getGround()`
function SpaceMover:getGround() end

---As Mover:contacts.
---@return fun(): collide.d3.Collider, number, number, number, number, number, number, number iterator of rows collider, x, y, z, nx, ny, nz, fraction
---Example: `for collider, x, y, z, nx, ny, nz, fraction in player:contacts() do ... end`
function SpaceMover:contacts() end

return d3
