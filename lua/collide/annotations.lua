---@meta collide
-- LuaCATS annotations of the whole module, for editors and for readers. Nothing here runs. A test checks that these names are exactly
-- those that the binding exports.
--
-- Units: any consistent length; seconds; any mass; angles in radians, counter-clockwise from x to y. Speeds are length/s, forces
-- mass length/s^2, impulses mass length/s, torques mass length^2/s^2, inertia mass length^2.
--
-- Every number must be finite. World positions range up to 1e15, lengths of shapes from 1e-6 to 1e7, positions within a body up to
-- 1e7, velocities up to 1e9. An invalid value raises an error that names the function, the argument or key, and the value.
-- Methods of a destroyed object raise an error; isValid never does, and a second destroy does nothing.
-- A body, collider or joint lives in its world until it is destroyed, whether a script holds it or not. Its Lua object is made when a script asks for it. As
-- long as a variable or table of the script, a name, its data or an event to be read needs that object, it is the same each time, and can be a table key; then
-- it is collected. So a table with weak keys or values loses bodies that nothing else holds: what belongs to a body goes into body.data, which lasts as long
-- as the body. (In Lua 5.4 a finalizer can revive an object that was being collected; it stays usable, but is no longer the one that the world returns.)
-- Reading a method or field that an object does not have raises, and so does assigning one: the error names the word to use, also for names of LÖVE, LÖVR,
-- Box2D, bump.lua and HC. `data` of worlds, bodies, colliders and joints is nil until it is set. The tables collide, collide.d2 and collide.d3 raise likewise;
-- a script may add functions to them. To ask whether a name exists, use rawget(collide.d2, name), or pcall for objects.
-- Inside a hook (a filter or preSolve function, a function that draws) functions that change the world raise "world is locked"; getters,
-- queries, velocities, forces and impulses are allowed.

---@class collide
---@field version string "0.1.0"
---@field d2 collide.d2 2D; the same table as `require "collide.d2"`.
---@field d3 collide.d3 3D; the same table as `require "collide.d3"`.
local collide = {}

---Called with a line of text after a step of a world in which something does not fit; once in the life of a world for each of these:
---- An enabled dynamic body has no mass: its density is 0, it has no shape, or only segments and terrain. Nothing moves it but a velocity that is set.
---- Sizes, gravity or speeds are not those for which the world's tolerances are made, mostly as lengthScale is missing. With a lengthScale of s, contacts
---  begin at 0.02 s, resting bodies overlap by 0.005 s (by more under tall stacks), and dynamic bodies move at most at maximumSpeed, 400 s unless it is set. So this is told when a dynamic
---  body without sensors is smaller than 0.02 s, or larger than it moves in 0.2 s at 400 s or at maximumSpeed, if that is more; when a fall would reach
---  that speed within 2 s; when a body has reached a maximumSpeed that was not set; and when gravity is 9.7 to 10.1, though s is 8 or more.
---- A step of 5 s or more was made: dt is in seconds.
---
---By default the line is written to the standard error stream. Assign a function of your own, or false to silence it; nil restores the default. An error that
---the function raises passes through world:step, which has completed. Any other name that resembles `warn` raises when it is assigned.
---@param text string
---Example: `collide.warn = function(text) log("physics: " .. text) end`
function collide.warn(text) end

---Makes a world from a snapshot. It goes on as the saved one would, to the bit, but has no filter and no hooks.
---@param snapshot string of AnyWorld:save
---@param options? collide.LoadOptions
---@return collide.AnyWorld world of the snapshot's dimension
---Raises when the string is damaged, truncated or of another format, and for unknown keys.
---Example: `local world = collide.load(io.open("level.world", "rb"):read "*a")`
function collide.load(snapshot, options) end

---The sine, bit for bit the same on every machine. math.sin is not: C libraries differ by version and processor. Compute the inputs of a simulation that must be
---reproducible elsewhere, such as a lockstep game, by collide.sin, cos, atan2 and newRandom. + - * / and math.sqrt are the same everywhere by themselves; `^`
---and other functions of math are not. The error is less than 2e-16 up to |angle| = 1e15, where doubles are an eighth of a radian apart; the bits are the same
---beyond that, too.
---@param angle number [rad] up to 1e300
---@return number sine
---Example: `local x, y = r * collide.cos(angle), r * collide.sin(angle)`
function collide.sin(angle) end

---The cosine: see collide.sin.
---@param angle number [rad] up to 1e300
---@return number cosine
---Example: `local width = 2 * r * collide.cos(slope)`
function collide.cos(angle) end

---The angle of the point (x, y), bit for bit the same on every machine: see collide.sin. The error is less than 3e-16 times the angle.
---@param y number
---@param x number
---@return number angle between -pi and pi; 0 for (0, 0) [rad]
---Example: `local heading = collide.atan2(vy, vx)`
function collide.atan2(y, x) end

---A generator of random numbers: equal seeds give equal numbers on every machine, and those of other seeds have nothing in common with them. It does not depend
---on math.random. For numbers that a simulation needs while it runs, use AnyWorld:random.
---@param seed integer from -(2^53 - 1) to 2^53 - 1
---@return collide.Generator
---Raises when the seed is no such number.
---Example: `local random = collide.newRandom(7)`
function collide.newRandom(seed) end

---Random numbers by xoshiro256** (Blackman and Vigna, 2021). Not for secrets.
---@class collide.Generator
local Generator = {}

---The next number, by the rules of math.random: without arguments from 0 to 1, 1 excluded; with one a whole number from 1 to m; with two one from m to n. Each has
---the same probability.
---@param m? integer up to 2^53 - 1
---@param n? integer up to 2^53 - 1
---@return number
---Raises, and draws nothing, when a bound is not a whole number, or there is none between them.
---Example: `local x, die = -5 + 10 * random:random(), random:random(6)`
function Generator:random(m, n) end

---@return string state for setState: 64 hexadecimal digits
---Example: `local state = random:getState()`
function Generator:getState() end

---Continues the sequence from where getState was called.
---@param state string
---Raises when it is not a string of getState.
---Example: `random:setState(state)`
function Generator:setState(state) end

---@class collide.Difference
---@field body? collide.AnyBody the first body, by id, that differs: of `a`, or of `b` if only that has it; nil: no body differs
---@field field string of a body: in this order "valid", "type", "enabled", "colliders" (their number), "mass", "linearDamping", "angularDamping", "gravityScale", "position" (of the centre of mass), "angle" or in 3D "rotation", "linearVelocity", "angularVelocity", "awake", "restTime" (how long it has been at rest) or "mover"; of the rest: "gravity", "contacts", "touching", "joints", "fields", "random" or "tick"
---@field a any value in `a`: a number, boolean, string or list; nil for "mover", "fields" and "random"
---@field b any

---Which body of two worlds that should be equal differs first, and in what, bit by bit; nil if they are equal in all that is named there. For worlds of different
---machines, exchange AnyWorld:bodyHashes.
---@param a collide.AnyWorld
---@param b collide.AnyWorld of the same dimension
---@return collide.Difference?
---Raises when one of them is no world, or destroyed, or of the other dimension.
---Example: `local found = collide.compare(world, replayed); if found then print(found.body, found.field, found.a, found.b) end`
function collide.compare(a, b) end

---Makes a function the response of that name in Body:moveAndCollide, in all worlds. It gets the body, what it has met, and the goal (3 numbers in 3D), and returns
---the next goal: the way goes on from the touch. Without results, the move ends at the touch.
---@param name string
---@param f? fun(body: collide.AnyBody, met: collide.AnyMeeting, goalX: number, goalY: number, goalZ?: number): number?, number?, number? nil: the name has no response any more
---Raises on the names of the module's responses, and when f is no function.
---Example: `collide.response("climb", function(body, met, goalX, goalY) return goalX, met.y + 1 end)`
function collide.response(name, f) end

---The 2D functions.
---@class collide.d2
local d2 = {}

-- Shapes ---------------------------------------------------------------------------------------------------------------------

---A 2D shape: an immutable value. Many colliders and worlds may share one.
---@class collide.Shape
local Shape = {}

---A disc.
---@param radius number [length] > 0
---@param x? number centre in the body's frame, default 0 [length]
---@param y? number default 0 [length]
---@return collide.Shape
---Raises when the radius is not > 0.
---Example: `local wheel = d2.circle(0.4)`
function d2.circle(radius, x, y) end

---All points within `radius` of the segment from (x1, y1) to (x2, y2). With two arguments, radius and full height, it is centred and upright (along y).
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param radius number [length] > 0
---@return collide.Shape
---@overload fun(radius: number, height: number): collide.Shape
---Raises when the radius is not > 0, and when the height is less than twice the radius.
---Example: `local body = d2.capsule(0, -0.5, 0, 0.5, 0.25)`
function d2.capsule(x1, y1, x2, y2, radius) end

---A two-sided line segment, without mass. Two segments are kept a slop apart. For ground whose vertices must not snag bodies, see d2.chain.
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@return collide.Shape
---Raises when both ends are the same point.
---Example: `local floor = d2.segment(-20, 0, 20, 0)`
function d2.segment(x1, y1, x2, y2) end

---@class collide.BoxOptions
---@field x? number centre in the body's frame, default 0 [length]
---@field y? number default 0 [length]
---@field angle? number of its axes, default 0 [rad]
---@field radius? number of its rounded corners, which stay within the full sizes, default 0 [length]

---A rectangle given by its full sizes, centred on the body's origin unless the options say otherwise.
---@param width number [length] > 0
---@param height number [length] > 0
---@param options? collide.BoxOptions
---@return collide.Shape
---Raises when the radius is not less than half of the smaller size, and on unknown keys.
---Example: `local crate = d2.box(1, 1, { radius = 0.05 })`
function d2.box(width, height, options) end

---The convex hull of 3 to 64 points in any order, widened by the radius.
---@param points number[] flat: { x1, y1, x2, y2, ... } [length]
---@param radius? number added outside of the hull, default 0 [length]
---@return collide.Shape
---Raises when the points lie on a line, and when the list has holes.
---Example: `local rock = d2.polygon({ 0, 0, 2, 0, 1, 1.5 })`
function d2.polygon(points, radius) end

---@class collide.ChainOptions
---@field loop? boolean the last point is connected to the first, default false
---@field oneSided? boolean bodies and rays collide on the right of the direction only; false: on both sides, and with the ends. Default true
---@field materials? collide.Material[] at most 254
---@field segmentMaterials? integer[] for each segment the number of its material, or 0 for the collider's
---@field previousPoint? number[] {x, y} of an open one-sided chain: how it goes on before its first point, as Box2D's ghost vertex; default: straight on. Nothing collides there, but bodies slide on from another chain without a bump [length]
---@field nextPoint? number[] {x, y}: how it goes on after its last point [length]

---Segments from point to point. A chain is one-sided: solid to the left of its direction, whichever way y points on the screen. Bodies on the left fall
---through. With y up, list a floor from right to left and a ceiling from left to right; with y down, a floor from left to right. A loop is solid inside
---if its area is on the left (y up: counter-clockwise), else a hollow room. Pictures mark the solid side by strokes. With `oneSided = false` the winding
---does not matter. A body is then on the side where its centre is, so bodies thinner than two slops are kept up to 10 mm (times lengthScale) away.
---Bodies that slide over the joints of a chain do not snag. It has no mass. On a dynamic body it must be a sensor.
---@param points number[] flat: { x1, y1, x2, y2, ... }; at least 2 points, 3 for a loop [length]
---@param options? collide.ChainOptions
---@return collide.Shape
---Raises when two neighbouring points are the same, and when the list has holes.
---Example: `local hills = d2.chain({ 20, 0, 10, 2, 0, 0, -10, 1, -20, 0 })` solid below, for gravity { 0, -10 }
---Example: `local rope = d2.chain({ -2, 3, 0, 2, 2, 3 }, { oneSided = false })`
function d2.chain(points, options) end

---@class collide.EllipseOptions
---@field x? number centre in the body's frame, default 0 [length]
---@field y? number default 0 [length]
---@field angle? number of its axes, default 0 [rad]

---An ellipse, centred on the body's origin with its half axes along x and y unless the options say otherwise.
---@param rx number [length] > 0
---@param ry number [length] > 0
---@param options? collide.EllipseOptions
---@return collide.Shape
---Raises when one half axis is more than 1000 times the other, and on unknown keys.
---Example: `local egg = d2.ellipse(0.5, 0.35, { angle = 0.3 })`
function d2.ellipse(rx, ry, options) end

---Everything on one side of a line: solid where nx x + ny y <= offset. It is unbounded and has no mass. On a dynamic body it must be a sensor.
---@param nx number the normal, away from the solid; of any length but 0
---@param ny number
---@param offset number distance of the line from the origin along the normal [length]
---@return collide.Shape
---Raises when the normal is too short to have a direction.
---Example: `local ground = d2.halfPlane(0, 1, 0)`
function d2.halfPlane(nx, ny, offset) end

---@return "circle"|"capsule"|"segment"|"box"|"polygon"|"chain"|"ellipse"|"halfPlane"
---Example: `if shape:getType() == "circle" then ... end`
function Shape:getType() end

---A copy of the shape, scaled about its origin. Raises when a factor is not finite or closer to 0 than 1e-6, when the factors differ (except in sign)
---for a shape with a radius, when an ellipse's axes would not stay at right angles, and when the copy would be too flat, too small or too large.
---@param sx number # along x; a negative one mirrors
---@param sy? number # along y; sx if left out
---@return collide.Shape
---Example: `local wide = shape:scaled(2, 1)`
function Shape:scaled(sx, sy) end

---The memory that the shape uses. Data that scaled shapes share counts for each of them.
---@return integer # [bytes]
---Example: `print(shape:getByteCount())`
function Shape:getByteCount() end

---The radius of a circle or capsule, or of the rounding of a box or polygon.
---@return number radius [length]; 0 for an ellipse
---Example: `local r = shape:getRadius()`
function Shape:getRadius() end

---The points of the core in the body's frame: the centre of a circle or ellipse, the ends of a capsule or segment, the corners of a box or polygon,
---the points of a chain, none for a half-plane.
---@return number[] points flat: { x1, y1, ... } [length]
---Example: `for i, x in ipairs(shape:getPoints()) do ... end`
function Shape:getPoints() end

---The outward unit normals of the edges from each point to the next, in the body's frame: two for a segment or capsule (both sides), one for each
---segment of a chain, none for shapes without edges.
---@return number[] normals flat: { x1, y1, ... }
---Example: `local normals = d2.box(1, 2):getNormals()`
function Shape:getNormals() end

---Whether the shape is a chain that collides only on the right of its direction: see d2.chain.
---@return boolean oneSided
---Example: `if not floor:isOneSided() then ... end`
function Shape:isOneSided() end

---The material of a segment of a chain.
---@param segment integer from 1
---@return integer number in the list of materials, 0 for the collider's
---@return number? friction, number? restitution, number? rollingResistance, number? tangentSpeed nil: the collider's
---@return string? name, collide.Mixing? frictionMixing, collide.Mixing? restitutionMixing
---Raises for other shapes, and on invalid numbers.
---Example: `local number, friction = hills:getSegmentMaterial(3)`
function Shape:getSegmentMaterial(segment) end

---The mass properties of the shape. All 0 for segments, chains and half-planes.
---@param density number [mass/length^2, in 3D mass/length^3] 0, or from 1e-9 to 1e7
---@return number mass, number cx, number cy, number inertia centre of mass, and inertia about it
---Raises when the density is negative.
---Example: `local mass = d2.circle(1):getMass(1)`
function Shape:getMass(density) end

---The AABB of the shape at the pose. That of a half-plane reaches to +-1e18.
---@param pose? collide.Pose|number[]
---@return number x1, number y1, number x2, number y2 [length]
---Example: `local x1, y1, x2, y2 = shape:getBox(d2.pose(3, 0))`
function Shape:getBox(pose) end

-- Poses ----------------------------------------------------------------------------------------------------------------------

---A position and a rotation: an immutable value. As an argument, nil is the identity, and a list of the arguments of d2.pose is as good: filled anew for each call,
---it makes no garbage, as in `at[1], at[2] = x, y; world:shapecast(ball, at, 5, 0)`.
---@class collide.Pose
local Pose = {}

---@param x number [length]
---@param y number [length]
---@param angle? number default 0 [rad]
---@return collide.Pose
---Raises when a number is not finite.
---Example: `local pose = d2.pose(3, 0, math.pi / 2)`
function d2.pose(x, y, angle) end

---@return number x, number y [length]
---Example: `local x, y = pose:getPosition()`
function Pose:getPosition() end

---@return number angle from -pi to pi [rad]
---Example: `local angle = pose:getAngle()`
function Pose:getAngle() end

---@return number x, number y, number angle [length, length, rad]
---Example: `local x, y, angle = pose:getTransform()`
function Pose:getTransform() end

---The pose at the fraction t of the motion of timeOfImpact: in a straight line, rotated in the shorter direction at a constant rate.
---@param to collide.Pose
---@param t number fraction of the motion, 0 to 1
---@return collide.Pose
---Raises when t is out of range.
---Example: `local state, t = d2.timeOfImpact(a, from, to, b) local there = from:interpolate(to, t)`
function Pose:interpolate(to, t) end

-- Geometry without a world ---------------------------------------------------------------------------------------------------
--
-- Functions of shapes and poses. Normals are unit vectors from A to B. Distances are signed: < 0 is the penetration depth along the
-- normal. Touching (distance 0) counts as overlap. Exchanging A and B exchanges the results bit for bit. Results are accurate to 1e-5 of
-- the smaller shape's size, within the float precision of the shapes, at any distance from the origin. A chain counts as two-sided
-- segments, of which the nearest decides. Only functions that return tables make garbage.
-- Sources: Gilbert, Johnson, Keerthi 1988 (GJK); van den Bergen 2001, 2004 (EPA, casts); Mirtich 1996 (conservative advancement);
-- Gottschalk, Lin, Manocha 1996 (separating axes); Firth 2011 (Minkowski difference); Souto, "Video Game Physics Tutorial", II.

---Whether A and B touch or overlap.
---@param a collide.Shape
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return boolean overlaps
---Raises when an argument is not a shape or pose.
---Example: `if d2.overlaps(a, nil, b, d2.pose(3, 0)) then ... end`
function d2.overlaps(a, poseA, b, poseB) end

---The signed distance, its direction and the closest points. If A and B overlap: the shortest translation of B that separates them.
---@param a collide.Shape
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return number distance signed; -1e18 for two half-planes that overlap [length]
---@return number nx, number ny from A to B; for concentric circles { 0, 1 } in the frame of one of them
---@return number ax, number ay, number bx, number by closest points on the surfaces of A and B: b = a + distance n [length]
---@return integer featureA k > 0: point k of getPoints; k < 0: the edge from point -k to the next; 0: an ellipse or half-plane
---@return integer featureB the same for B
---Raises when an argument is not a shape or pose.
---Example: `local dist, nx, ny, ax, ay, bx, by = d2.distance(a, nil, b, d2.pose(3, 0, 0.3))`
function d2.distance(a, poseA, b, poseB) end

---@class collide.ManifoldPoint
---@field x number midway between the surfaces, in the world [length]
---@field y number [length]
---@field separation number along the normal, at most 0 [length]
---@field id integer of the features in contact: constant while they stay in contact, unique within a manifold

---@class collide.Manifold
---@field nx number from A to B
---@field ny number
---@field [integer] collide.ManifoldPoint one point, or two where edges lie on each other

---The contact manifold of overlapping shapes: the one that a world solves, computed in floats. For a chain it is that of the segment with the deepest
---overlap (the first of equals). Where a world makes no contact, behind a chain or between two chains, the segment counts as a d2.segment. For two
---half-planes, whose overlap is infinite, it is one point far out.
---@param a collide.Shape
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return collide.Manifold? manifold nil when separated
---Raises when an argument is not a shape or pose.
---Example: `local m = d2.manifold(a, nil, b, d2.pose(1.2, 0))`
function d2.manifold(a, poseA, b, poseB) end

---Where the ray from (x1, y1) to (x2, y2) enters the shape. A ray that starts inside hits at fraction 0; its normal is opposite to the ray, or 0, 0
---if the ray has no length. A one-sided chain is hit only from its right.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@return number? fraction, number x, number y, number nx, number ny fraction of the ray; nil when it misses; the normal is outward
---@return integer? part the number of a chain's segment; nothing for others
---Raises when a number is not finite.
---Example: `local fraction, x, y, nx, ny = d2.raycast(d2.circle(1), nil, -5, 0, 5, 0)`
function d2.raycast(shape, pose, x1, y1, x2, y2) end

---Shape cast: the times of the first and last contact with B while A moves by (dx, dy) without rotation. Exact, except for ellipses, whose times are
---roots found to the last digits.
---@param a collide.Shape
---@param poseA? collide.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return boolean hit
---@return number t of first contact, 0 to 1; 0 when they overlap at the start; 1 when not hit
---@return number? nx, number? ny, number? px, number? py the normal and a point of contact, in the world; nil when not hit
---@return number? t1 of last contact, which may exceed 1; valid also if they overlap at the start. nil when not hit, without motion, for chains, and when a half-plane is never left
---Raises when a number is not finite.
---Example: `local hit, t, nx, ny, px, py = d2.cast(a, nil, 10, 0, b, d2.pose(8, 0))`
function d2.cast(a, poseA, dx, dy, b, poseB) end

---The time of impact of two shapes that move and rotate. Each moves in a straight line from its first pose to its second and rotates about the pose's
---origin at a constant rate, in the shorter direction. By conservative advancement: there is no contact before t. Two separated half-planes that
---rotate differently hit at t = 0, infinitely far out.
---@param a collide.Shape
---@param poseA0? collide.Pose|number[]
---@param poseA1? collide.Pose|number[]
---@param b collide.Shape
---@param poseB0? collide.Pose|number[]
---@param poseB1? collide.Pose|number[]
---@return "hit"|"separated"|"overlapping"|"failed" state overlapping: at the start; failed: 1000 iterations did not suffice, no contact before t; no pair is known to fail
---@return number t 0 to 1; at a hit the remaining separation is at most 1e-6 of the smaller size, or the resolution of t
---@return number nx, number ny from A to B, of the last iteration; for a miss possibly that of the bounding circles
---@return number px, number py midway between the closest points [length]
---Raises when an argument is not a shape or pose.
---Example: `local state, t = d2.timeOfImpact(a, d2.pose(0, 0), d2.pose(10, 0, 3), b, d2.pose(8, 0), d2.pose(8, 0, -3))`
function d2.timeOfImpact(a, poseA0, poseA1, b, poseB0, poseB1) end

---The Minkowski difference: all points b - a. Its distance from the origin is that of A and B; its closest point to the origin is distance times normal.
---@param a collide.Shape circle, capsule, segment, box or polygon
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return number[] vertices flat, counter-clockwise; of the cores of round shapes [length]
---@return number radius to widen the vertices by: the sum of both radii [length]
---Raises for ellipses, chains and half-planes.
---Example: `local md = d2.minkowskiDifference(a, nil, b, d2.pose(3, 0))`
function d2.minkowskiDifference(a, poseA, b, poseB) end

---The Minkowski sum: all points a + b.
---@param a collide.Shape circle, capsule, segment, box or polygon
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return number[] vertices flat, counter-clockwise; of the cores of round shapes [length]
---@return number radius to widen the vertices by: the sum of both radii [length]
---Raises for ellipses, chains and half-planes.
---Example: `local grown = d2.minkowskiSum(room, nil, d2.box(1, 1))`
function d2.minkowskiSum(a, poseA, b, poseB) end

---The support point: the farthest along a direction.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number direction, of any length but 0
---@param dy number
---@return number x, number y in the world [length]
---Raises when the direction is 0, and for half-planes.
---Example: `local x, y = d2.support(d2.box(2, 2), nil, 1, 0.5)`
function d2.support(shape, pose, dx, dy) end

---The support point, or both ends of an edge that is perpendicular to the direction within 1e-6 rad, counter-clockwise.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number direction, of any length but 0
---@param dy number
---@return number x1, number y1, number? x2, number? y2 in the world [length]
---Raises when the direction is 0, and for half-planes.
---Example: `local x1, y1, x2, y2 = d2.supportVertices(d2.box(2, 2), nil, 1, 0)`
function d2.supportVertices(shape, pose, dx, dy) end

---The closest point on the surface to (x, y).
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param x number [length]
---@param y number [length]
---@return number px, number py, number distance, number nx, number ny distance < 0: inside; the normal is outward [length]
---Raises when a number is not finite.
---Example: `local px, py, distance = d2.closestPoint(d2.box(2, 2), nil, 3, 0)`
function d2.closestPoint(shape, pose, x, y) end

---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param x number [length]
---@param y number [length]
---@return boolean inside or on it; always false for segments and chains
---Raises when a number is not finite.
---Example: `if d2.containsPoint(button, nil, mouseX, mouseY) then ... end`
function d2.containsPoint(shape, pose, x, y) end

---The corners of the convex hull of any number of points. d3.hull, unlike this, makes a shape; convexHull means the same in 2D and 3D. As a shape: d2.polygon.
---@param points number[] flat: { x1, y1, x2, y2, ... } [length]
---@return number[] corners flat, counter-clockwise from the leftmost; two if all points are collinear, one if all are the same
---Raises when the list is empty, of odd length or has holes.
---Example: `local corners = d2.hull { 0, 0, 2, 0, 1, 1, 1, 0.5 }`
function d2.hull(points) end

---The corners of the convex hull of any number of points: d2.hull, by the name that means the same in 3D. As a shape: d2.polygon.
---@param points number[] flat: { x1, y1, x2, y2, ... } [length]
---@return number[] corners flat, counter-clockwise
---Raises when the list is empty, of odd length or has holes.
---Example: `local corners = d2.convexHull { 0, 0, 2, 0, 1, 1, 1, 0.5 }`
function d2.convexHull(points) end

---The smallest circle around points. Around a shape with corners: that of shape:getPoints(), its radius enlarged by shape:getRadius().
---@param points number[] flat, at least one point: { x1, y1, x2, y2, ... } [length]
---@return number x, number y centre [length]
---@return number radius the greatest distance of a point from the centre; at most 1e-12 of it above the least possible
---Raises when the list is empty, of odd length or has holes.
---Example: `local x, y, radius = d2.smallestCircle(rock:getPoints())`
function d2.smallestCircle(points) end

---The box of least area, at any angle, around points. A size may be 0, or as little as the rounding of the angle.
---@param points number[] flat, at least one point: { x1, y1, x2, y2, ... } [length]
---@return number width, number height full sizes along the pose's axes [length]
---@return collide.Pose pose of its centre; the angle is from -pi/4 to pi/4
---Raises when the list is empty, of odd length or has holes.
---Example: `local width, height, pose = d2.fittedBox { 0, 0, 3, 1, 2, 4 }`
function d2.fittedBox(points) end

---Whether an outline, in either winding, is convex: it turns one way only, and winds around once. Exact. It may have straight angles and repeated points; points
---on a line must lead there and back.
---@param points number[] flat, at least one point: { x1, y1, x2, y2, ... }, up to 1e7 in size [length]
---@return boolean convex
---Raises when the list is empty, of odd length or has holes.
---Example: `if not d2.isConvex(outline) then pieces = d2.decompose(outline) end`
function d2.isConvex(points) end

---@param shape collide.Shape
---@param density number [mass/length^2, in 3D mass/length^3] 0, or from 1e-9 to 1e7
---@return number mass, number cx, number cy, number inertia as Shape:getMass
---Raises when the density is negative.
---Example: `local mass = d2.mass(d2.circle(1), 1)`
function d2.mass(shape, density) end

---The farthest distance of the shape from the point that it rotates about: the radius that conservative advancement uses. A round shape counts as its
---bounding circle unless the point is its centre.
---@param shape collide.Shape bounded
---@param x? number the point in the body's frame, default its origin [length]
---@param y? number
---@return number radius [length]
---Raises when the shape is unbounded.
---Example: `local r = d2.boundingRadius(d2.box(3, 4))`
function d2.boundingRadius(shape, x, y) end

---The AABB. Unlike that of Shape:getBox it is not rounded outwards. That of a half-plane reaches to +-1e18.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@return number x1, number y1, number x2, number y2 [length]
---Raises when an argument is not a shape or pose.
---Example: `local x1, y1, x2, y2 = d2.aabb(d2.box(2, 2), d2.pose(1e6, 0, 0.5))`
function d2.aabb(shape, pose) end

---A copy of the shape with the pose applied to its points, which are rounded to floats.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@return collide.Shape
---Raises when the points would be farther out than 1e7 or too close together.
---Example: `local placed = d2.transform(d2.box(2, 1), d2.pose(3, 0, 0.5))`
function d2.transform(shape, pose) end

---@class collide.StepsOptions
---@field steps? boolean also returns each iteration, default false

---@class collide.SimplexVertex
---@field ax number point of A's core, in the world [length]
---@field ay number
---@field bx number point of B's core
---@field by number
---@field x number b - a: a point of the Minkowski difference
---@field y number
---@field weight number barycentric: the sum of weight times a is the closest point of A's core

---@class collide.GjkResult
---@field distance number signed; by EPA if the cores overlap [length]
---@field overlaps boolean
---@field nx number from A to B
---@field ny number
---@field ax number on the surface of A, in the world
---@field ay number
---@field bx number on the surface of B
---@field by number
---@field iterations integer
---@field simplex collide.SimplexVertex[] the last one: 1 or 2 vertices, or 3 around the origin if the cores overlap
---@field steps? collide.SimplexVertex[][] the simplex of each iteration

---The distance by GJK (Gilbert, Johnson, Keerthi), with its simplex and iterations. Exchanging A and B exchanges their results bit for bit. The same
---holds for d2.gjkOverlaps, d2.epa and d2.sat.
---@param a collide.Shape convex: no chain, no half-plane
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@param options? collide.StepsOptions
---@return collide.GjkResult
---Raises for chains and half-planes.
---Example: `local simplex = d2.gjk(a, nil, b, d2.pose(3, 0), { steps = true }).simplex`
function d2.gjk(a, poseA, b, poseB, options) end

---GJK as an overlap test: stops as soon as a bound decides.
---@param a collide.Shape convex: no chain, no half-plane
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return boolean overlaps, integer iterations
---Raises for chains and half-planes.
---Example: `local overlaps, iterations = d2.gjkOverlaps(a, nil, b, d2.pose(3, 0))`
function d2.gjkOverlaps(a, poseA, b, poseB) end

---The shape cast by van den Bergen's method: repeatedly advances along the path to the separating line at the closest points.
---@param a collide.Shape
---@param poseA? collide.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@return boolean hit, number t, number? nx, number? ny, number? px, number? py as d2.cast
---@return integer iterations distance computations, over all segments of chains
---Raises when a number is not finite.
---Example: `local hit, t, nx, ny, px, py, iterations = d2.gjkCast(a, nil, 10, 0, b, d2.pose(8, 0))`
function d2.gjkCast(a, poseA, dx, dy, b, poseB) end

---@class collide.EpaResult
---@field depth number >= 0 [length]
---@field nx number from A to B
---@field ny number
---@field ax number on the surface of A, in the world
---@field ay number
---@field bx number on the surface of B
---@field by number
---@field iterations integer 0 if only the radii overlap: GJK on the cores then gives the result
---@field steps? number[][] the polygon within the Minkowski difference b - a before each iteration, flat, counter-clockwise. The first one has the
---support points along both axes of one of the frames, without duplicates (1 to 4), and need not contain the origin. Each iteration adds a point beyond
---the edge closest to the origin. One empty polygon if only the radii overlap.

---The penetration depth by EPA (expanding polytope algorithm), with its iterations.
---@param a collide.Shape convex: no chain, no half-plane
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@param options? collide.StepsOptions
---@return collide.EpaResult? result nil when separated
---Raises for chains and half-planes.
---Example: `local result = d2.epa(a, nil, b, d2.pose(0.5, 0))`
function d2.epa(a, poseA, b, poseB, options) end

---@class collide.SatResult
---@field overlaps boolean no axis separates
---@field distance? number when separated: along the axis, so at most the true distance [length]
---@field depth? number when overlapping: exact [length]
---@field nx number the axis, from A to B
---@field ny number
---@field owner "a"|"b"|"corners" the shape whose edge normal the axis is; "corners": it runs from corner to corner
---@field index integer the edge from this point to the next; for "corners": the point of A
---@field other? integer for "corners": the point of B
---@field checks integer axes tested

---The separating axis test (SAT); it stops at the first separating axis.
---@param a collide.Shape circle, capsule, segment, box or polygon
---@param poseA? collide.Pose|number[]
---@param b collide.Shape
---@param poseB? collide.Pose|number[]
---@param cache? collide.SatResult an earlier result: its axis is tested first, then its neighbours
---@return collide.SatResult
---Raises for ellipses, chains and half-planes.
---Example: `cache = d2.sat(a, nil, b, d2.pose(3, 0), cache)`
function d2.sat(a, poseA, b, poseB, cache) end

---d2.timeOfImpact with its iterations.
---@param a collide.Shape
---@param poseA0? collide.Pose|number[]
---@param poseA1? collide.Pose|number[]
---@param b collide.Shape
---@param poseB0? collide.Pose|number[]
---@param poseB1? collide.Pose|number[]
---@param options? collide.StepsOptions
---@return "hit"|"separated"|"overlapping"|"failed" state, number t, number nx, number ny, number px, number py
---@return integer iterations
---@return { t: number, distance: number, nx: number, ny: number }[]? steps when the options ask for them
---Raises on unknown keys.
---Example: `local state, t, _, _, _, _, iterations = d2.conservativeAdvancement(a, nil, d2.pose(9, 0, 1), b, d2.pose(8, 0), d2.pose(8, 0))`
function d2.conservativeAdvancement(a, poseA0, poseA1, b, poseB0, poseB1, options) end

---The shape cast by bisection: GJK tests the swept shape, the hull of A at the start and at the middle of each interval. A simple reference, slower
---than d2.cast.
---@param a collide.Shape no half-plane
---@param poseA? collide.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param b collide.Shape no half-plane
---@param poseB? collide.Pose|number[]
---@param tolerance? number distance before the contact at which it may stop, default 1e-6 [length]
---@return boolean hit, number t, integer iterations t is the last time known to be free; 1 when not hit
---Raises for half-planes, and when the tolerance is not > 0.
---Example: `local hit, t, iterations = d2.bisection(a, nil, 10, 0, b, d2.pose(8, 0))`
function d2.bisection(a, poseA, dx, dy, b, poseB, tolerance) end

-- Worlds ---------------------------------------------------------------------------------------------------------------------

---"direct" holds trees of joints exactly together, whatever they carry: see setJointSolver.
---@alias collide.JointSolver "iterative"|"direct"

---How the friction or restitution of two colliders combine. Of the rules that two materials have of their own, the later one in this order decides.
---@alias collide.Mixing "geometric"|"average"|"minimum"|"multiply"|"maximum"

---The surface of a collider or of a part of a shape: a segment of a chain, a triangle of a mesh, a cell of a height field, a shape of a compound. A part has
---the collider's material, except for the properties that its own gives.
---@class collide.AnyMaterial
---@field name? string of at most 1 MiB; a program may use 65,535 different names
---@field friction? number Coulomb's coefficient
---@field restitution? number speed after / speed before
---@field rollingResistance? number as a fraction of the radius
---@field frictionMixing? collide.Mixing a rule of its own, before that of the world; of two materials with different rules, the later one of collide.Mixing decides
---@field restitutionMixing? collide.Mixing likewise

---@class collide.Material : collide.AnyMaterial
---@field tangentSpeed? number of the surface, as on a conveyor belt, to the right of its outward normal [length/s]

---The last ticks of a world: made by AnyWorld:newHistory, for rollback and rewinding. A tick takes memory for what has changed in it: what sleeps takes none. It
---holds the handles, names and `data` of objects that its ticks contain, also if they are destroyed. Collected as any object; its world does not need it.
---@class collide.History
local History = {}

---Adds the world as it is now, between two steps. Ticks that the history has already, from the present one on, are replaced.
---@return integer tick steps that the world has made
---Raises in hooks, and when the world is destroyed.
---Example: `history:push(); world:step(1 / 60)`
function History:push() end

---Takes the world back to a tick, to the bit. Later ticks are forgotten. Objects that have been destroyed since are there again, under their handles; what was
---made since is invalid for ever. `data` and names are those of now: they are held, not copied. There are no events until the next step.
---@param tick integer that the history has
---Raises when it does not have the tick, in hooks, and when the world is destroyed.
---Example: `history:rewind(tick - 8)`
function History:rewind(tick) end

---@return integer? first tick that it holds; nothing if it is empty
---@return integer? last tick
---Raises when the world is destroyed.
---Example: `local first, last = history:getRange()`
function History:getRange() end

---@return integer bytes of memory
---Raises when the world is destroyed.
---Example: `print(history:getByteCount() / 1e6)`
function History:getByteCount() end

---Forgets all ticks.
---Raises when the world is destroyed.
---Example: `history:clear()`
function History:clear() end

---Defaults that are lengths or speeds are multiplied by lengthScale.
---@class collide.AnyWorldOptions
---@field substeps? integer per step of 1/60 s or less, 1 to 64, default 4; longer steps have proportionally more, at most 64
---@field timestep? number length of the steps that advance makes, from 1e-6 to 60, default 1/60 [s]
---@field maxTicks? integer steps that one advance makes at most, 1 to 10000, default 5
---@field layers? string[] up to 64 names; the first is the layer of colliders without one. Default { "default" }
---@field collide? table<string, string[]> which layers collide: a layer with those in its own list and those whose list names it. A layer that is neither a key nor in a list collides with all. Default: all collide
---@field lengthScale? number length of a metre, default 1: 100 for a world in centimetres. Tolerances scale with it: resting shapes may overlap by up to 0.005 of it. Use a smaller one if shapes are much smaller than 0.01 of it.
---@field workers? integer threads, 1 to 64, default 1; the result does not depend on it
---@field sleeping? boolean bodies at rest go to sleep, default true
---@field continuous? boolean continuous collision: fast bodies are stopped at bodies that do not move, default true
---@field bulletsHitBullets? boolean bullets are stopped at other bullets, too, default false: fast ones may pass through each other
---@field contactHertz? number stiffness of contacts, at most a seventh of the rate of the sub-steps, less in steps longer than 1/60 s, default 40 [1/s]
---@field contactDampingRatio? number default 10
---@field contactSpeed? number maximum speed at which overlap is pushed out, also that of bodies created in overlap, default 3 [length/s]
---@field jointHertz? number stiffness of what joints hold together, and of their limits, at most a quarter of the rate of the sub-steps, default 60 [1/s]
---@field jointDampingRatio? number default 2
---@field jointSolver? collide.JointSolver default "iterative"
---@field restitutionThreshold? number slower approaches do not bounce, default 1 [length/s]
---@field hitSpeed? number faster approaches are reported by hits(), default 1 [length/s]
---@field maximumSpeed? number of a dynamic body, default 400 [length/s]
---@field maximumAngularSpeed? number of a dynamic body, default 240 [rad/s]: one radian per sub-step at 60 Hz. No body ever rotates by more than one radian per sub-step
---@field frictionMixing? collide.Mixing of two colliders' friction, default "geometric"
---@field restitutionMixing? collide.Mixing default "maximum"
---@field seed? integer of AnyWorld:random, default 0: see collide.newRandom

---@class collide.WorldOptions : collide.AnyWorldOptions
---@field gravity? number[] { x, y }, default { 0, -10 } [length/s^2]
---@field preSolve? fun(contact: collide.Contact) decides on the contacts of colliders with `preSolve`, before they are solved: see setPreSolve
---@field filter? fun(a: collide.Collider, b: collide.Collider): boolean? decides whether two colliders whose AABBs overlap may touch: false or nil for no

---A world holds bodies and steps them. It lives as long as it or one of its bodies is referenced, or until it is destroyed. These
---methods are the same in 2D and 3D.
---@class collide.AnyWorld
---@field data any user data; any other field raises
local AnyWorld = {}

---A 2D world. A 3D world (collide.d3.World) has the same methods, with a third number for coordinates.
---@class collide.World : collide.AnyWorld
local World = {}

---@param options? collide.WorldOptions
---@return collide.World
---Raises on unknown keys, unknown layer names, and when memory runs out.
---Example: `local world = d2.newWorld { gravity = { 0, -10 } }`
function d2.newWorld(options) end

---Advances time by dt. Discards the events of the previous step.
---@param dt number [s] 0, or from 1e-6 to 60
---Raises the first error of the filter function, after the step; when called from inside a step; when memory runs out.
---Example: `world:step(1 / 60)`
function AnyWorld:step(dt) end

---Makes as many steps of `timestep` as fit into the time that has passed since the last advance: in all, to the bit, those that a fixed loop would make. Sums of
---dt do not drift. Steps beyond `maxTicks` are not made up for: their time is dropped. Loops then list the events of all steps of this advance, in order; moved
---lists each body once. An advance without a step has no events. `onTick` is called before each step; it may change the world, but not step it, and its loops
---list the events of the steps before it in this advance. Its first error ends the advance: earlier steps are made, and the time of the others is dropped.
---@param dt number time that has passed, from 0 to 1e9 [s]
---@param onTick? fun(world: collide.AnyWorld, tick: integer) tick: number of the step to come
---@return integer ticks steps made
---@return number alpha see getAlpha
---Raises the error of `onTick`; that of the filter function, after the step; when called from `onTick` or from inside a step; when memory runs out.
---Example: `local ticks, alpha = world:advance(love.timer.getDelta(), function(_, tick) body:applyForce(10, 0) end)`
function AnyWorld:advance(dt, onTick) end

---@return number time sum of all steps made [s]
---Example: `if world:getTime() > 60 then ... end`
function AnyWorld:getTime() end

---How far the time to be shown is from the last step but one to the last: 0 <= alpha < 1 after advance, the part of a step for which no step has been made
---yet; 1, the present poses, after step. Render poses are interpolated by it.
---@return number alpha
---Example: `local alpha = world:getAlpha()`
function AnyWorld:getAlpha() end

---@return number timestep of the steps that advance makes [s]
---Example: `local ticksPerSecond = 1 / world:getTimestep()`
function AnyWorld:getTimestep() end

---From the next advance on. Keeps alpha.
---@param timestep number from 1e-6 to 60 [s]
---Raises in hooks.
---Example: `world:setTimestep(1 / 120)`
function AnyWorld:setTimestep(timestep) end

---@return integer ticks steps that one advance makes at most
---Example: `local limit = world:getMaxTicks()`
function AnyWorld:getMaxTicks() end

---From the next advance on.
---@param ticks integer 1 to 10000
---Raises in hooks.
---Example: `world:setMaxTicks(10)`
function AnyWorld:setMaxTicks(ticks) end

---@class collide.AnyColliderOptions
---@field density? number default 1 [mass/length^2, in 3D mass/length^3] 0, or from 1e-9 to 1e7
---@field friction? number Coulomb's coefficient, default 0.6
---@field restitution? number speed after / speed before, default 0
---@field rollingResistance? number as a fraction of the radius, default 0
---@field layer? string one of the world's, default the first
---@field group? integer two of the same group collide always (> 0) or never (< 0); 0, the default, leaves it to the layers
---@field collidesWith? string[] the layers of this collider alone, whatever the world says of its layer; of two colliders with lists each must list the other's layer
---@field sensor? boolean only reports overlaps, default false: it sees the colliders of other bodies, sensors, too, except those of static ones if its body is static
---@field preSolve? boolean the world's preSolve function decides on its contacts, default false
---@field oneWay? number[] { x, y }, in 3D { x, y, z }: normal of the side from which it is solid, in the body's frame. All that comes from elsewhere passes
---@field data? any user data

---@class collide.ColliderOptions : collide.AnyColliderOptions
---@field material? collide.Material its properties, except those that are given directly
---@field tangentSpeed? number of its surface, as on a conveyor belt, default 0 [length/s]
---@field shape? collide.Shape in the entries of `shapes`: required

---A kind of cells of tiles.
---@class collide.TileKind
---@field name? string that getCell and cellAt return
---@field shape? collide.Shape a polygon or box without radius, of at most 8 corners, in the frame of the cell, from its lower corner (0, 0) to (cellSize, cellSize); default: the whole cell. Corners are rounded to 1/16384 of the cell
---@field material? collide.Material its properties; the others are those of the collider
---@field sensor? boolean whether its cells report overlaps and stop nothing, default false
---@field oneWay? number[] { x, y }: its cells are solid from this side alone, see setOneWay of colliders. Kinds of a map have at most 6 different ones

---Takes the options of a collider too, except shape, density and sensor.
---@class collide.TilesOptions : collide.ColliderOptions
---@field columns integer of cells, 1 to 65536
---@field rows integer of cells, 1 to 65536; at most 2^28 cells in all
---@field cellSize? number default 1 [length]
---@field x? number the grid's lower corner in the body's frame, default 0 [length]
---@field y? number default 0
---@field kinds collide.TileKind[] at most 8191
---@field cells? integer[] the kind of each cell, row by row from the lowest up; 0: empty, the default

---@class collide.LocksOptions
---@field x? boolean no motion along x, default false
---@field y? boolean no motion along y, default false
---@field rotation? boolean no rotation, default false

---The options that 2D and 3D bodies share.
---@class collide.AnyBodyOptions
---@field type? "static"|"kinematic"|"dynamic" default "dynamic"
---@field linearDamping? number default 0 [1/s]
---@field angularDamping? number default 0 [1/s]
---@field gravityScale? number default 1
---@field sleepThreshold? number speed below which a dynamic body counts as at rest, default 0.05 times lengthScale [length/s]
---@field sleepingAllowed? boolean default true
---@field awake? boolean default true
---@field enabled? boolean default true
---@field bullet? boolean continuous collision against moving bodies, too, except other bullets: see bulletsHitBullets of collide.AnyWorldOptions. Default false
---@field name? string of at most 1 MiB
---@field color? string "#rrggbb" or "#rrggbbaa", in which World:draw draws the body, default by the meaning
---@field mass? number instead of the mass of the shapes [mass]; 0: immovable
---@field density? number see collide.ColliderOptions
---@field friction? number
---@field restitution? number
---@field rollingResistance? number
---@field layer? string
---@field group? integer
---@field collidesWith? string[]
---@field sensor? boolean
---@field preSolve? boolean
---@field oneWay? number[]
---@field data? any user data: becomes the body's field data

---The options of a single collider may be given directly; several colliders go into `shapes`.
---@class collide.BodyOptionsButPosition : collide.AnyBodyOptions
---@field material? collide.Material see collide.ColliderOptions
---@field tangentSpeed? number [length/s]
---@field angle? number default 0 [rad]
---@field linearVelocity? number[] { x, y }, default { 0, 0 } [length/s]
---@field angularVelocity? number default 0 [rad/s]
---@field locks? collide.LocksOptions
---@field inertia? number about the centre of mass [mass length^2]; 0: no rotation
---@field center? number[] { x, y }: centre of mass in the body's frame [length]
---@field shapes? collide.ColliderOptions[] several colliders
---@field shape? collide.Shape of the only collider

---@class collide.BodyOptions : collide.BodyOptionsButPosition
---@field x? number default 0 [length]
---@field y? number default 0 [length]
---@field position? number[] { x, y }, instead of x and y [length]

---Creates a body with its colliders, all or nothing.
---@param options collide.BodyOptions
---@return collide.Body
---Raises on unknown keys (with a suggestion), on values out of range, on a chain or half-plane that is not a sensor on a dynamic body, in hooks, and when
---memory runs out.
---Example: `local ball = world:newBody { y = 8, shape = d2.circle(0.5), restitution = 0.6 }`
function World:newBody(options) end

---@class collide.BodiesOptions : collide.BodyOptionsButPosition
---@field positions number[] flat list x, y of each body [length]

---Creates a body at each of the positions, all or none, with one reading of the options.
---@param options collide.BodiesOptions
---@return collide.Body[] list in the order of the positions
---Raises as newBody, and on a number in positions that is missing or out of range, with its index.
---Example: `local crates = world:newBodies { positions = { 0, 1, 0, 2, 0, 3 }, shape = d2.box(1, 1) }`
function World:newBodies(options) end

---Frees the world and everything in it at once. A second call does nothing.
---Raises from inside a hook.
---Example: `world:destroy()`
function AnyWorld:destroy() end

---@return boolean valid false when destroyed
---Example: `if world:isValid() then world:step(dt) end`
function AnyWorld:isValid() end

---@return boolean locked true inside a hook: a step or a query is in progress
---Example: `assert(not world:isLocked())`
function AnyWorld:isLocked() end

---@return number x, number y [length/s^2]
---Example: `local gx, gy = world:getGravity()`
function World:getGravity() end

---Wakes all bodies.
---@param x number [length/s^2]
---@param y number [length/s^2]
---Raises in hooks.
---Example: `world:setGravity(0, -1.6)`
function World:setGravity(x, y) end

---@return integer substeps
---Example: `local n = world:getSubsteps()`
function AnyWorld:getSubsteps() end

---More sub-steps are stiffer and slower. A step longer than 1/60 s has proportionally more: twice as many at 30 Hz, at most 64.
---@param substeps integer per step of 1/60 s or less, 1 to 64
---Raises in hooks.
---Example: `world:setSubsteps(8)`
function AnyWorld:setSubsteps(substeps) end

---@return boolean allowed
---Example: `if world:isSleepingAllowed() then ... end`
function AnyWorld:isSleepingAllowed() end

---@param allowed boolean false wakes all bodies
---Raises in hooks.
---Example: `world:setSleepingAllowed(false)`
function AnyWorld:setSleepingAllowed(allowed) end

---@return boolean continuous
---Example: `if world:isContinuous() then ... end`
function AnyWorld:isContinuous() end

---@param continuous boolean continuous collision: fast bodies are stopped at bodies that do not move
---Raises in hooks.
---Example: `world:setContinuous(false)`
function AnyWorld:setContinuous(continuous) end

---@return boolean hit
---Example: `if world:isBulletsHitBullets() then ... end`
function AnyWorld:isBulletsHitBullets() end

---@param hit boolean bullets are stopped at other bullets, too; this costs more with many bullets
---Raises in hooks.
---Example: `world:setBulletsHitBullets(true)`
function AnyWorld:setBulletsHitBullets(hit) end

---@return number hertz stiffness of contacts [1/s]
---Example: `local hertz = world:getContactHertz()`
function AnyWorld:getContactHertz() end

---@return number dampingRatio
---Example: `local ratio = world:getContactDampingRatio()`
function AnyWorld:getContactDampingRatio() end

---@return number speed maximum at which overlap is pushed out [length/s]
---Example: `local speed = world:getContactSpeed()`
function AnyWorld:getContactSpeed() end

---@param hertz number [1/s] > 0
---@param dampingRatio number >= 0
---@param speed number maximum at which overlap is pushed out [length/s] >= 0
---Raises in hooks.
---Example: `world:setContactSoftness(60, 10, 3)`
function AnyWorld:setContactSoftness(hertz, dampingRatio, speed) end

---@return number hertz stiffness of what joints hold together, and of their limits [1/s]
---Example: `local hertz = world:getJointHertz()`
function AnyWorld:getJointHertz() end

---A force F opens a joint by F / (m (2 pi hertz)^2), m the effective mass of its bodies. At most a quarter of the rate of the sub-steps: stiffer joints need
---more sub-steps.
---@param hertz number [1/s] > 0
---Raises in hooks.
---Example: `world:setJointHertz(240)`
function AnyWorld:setJointHertz(hertz) end

---@return number dampingRatio of what joints hold together
---Example: `local ratio = world:getJointDampingRatio()`
function AnyWorld:getJointDampingRatio() end

---@param dampingRatio number >= 0
---Raises in hooks.
---Example: `world:setJointDampingRatio(5)`
function AnyWorld:setJointDampingRatio(dampingRatio) end

---@return collide.JointSolver
---Example: `local solver = world:getJointSolver()`
function AnyWorld:getJointSolver() end

---How trees of joints (ragdolls, chains, cranes, vehicles) are solved. "iterative": one joint after the other; a joint gives way under loads that are heavy for
---its bodies. "direct": what the joints of a tree hold together is solved at once, and stays together to within rounding, in time linear in their number. A step
---with many ragdolls on stairs takes a third longer, one of jointed bodies alone two to three times as long, one of a single long chain ten to twenty times: trees of
---the same shape are solved side by side, the joints of one tree one after the other. Masses may differ by a factor of some thousands. Limits, springs, motors, contacts, gears, pulleys, joints with a softness of their own or to
---a body with locked axes, and one joint of each loop between moving bodies are solved iteratively still, as are all joints of a net with more than one loop to two
---joints. A chain between two walls needs slack: stretched straight, it may gain energy.
---@param solver collide.JointSolver
---Raises in hooks.
---Source: Baraff, "Linear-Time Dynamics using Lagrange Multipliers", 1996.
---Example: `world:setJointSolver("direct")`
function AnyWorld:setJointSolver(solver) end

---@return number speed slower approaches do not bounce [length/s]
---Example: `local speed = world:getRestitutionThreshold()`
function AnyWorld:getRestitutionThreshold() end

---@param speed number [length/s] >= 0
---Raises in hooks.
---Example: `world:setRestitutionThreshold(0.5)`
function AnyWorld:setRestitutionThreshold(speed) end

---@return number speed faster approaches are reported by hits() [length/s]
---Example: `local speed = world:getHitSpeed()`
function AnyWorld:getHitSpeed() end

---@param speed number [length/s] >= 0
---Raises in hooks.
---Example: `world:setHitSpeed(5)`
function AnyWorld:setHitSpeed(speed) end

---@return number speed maximum of a dynamic body, whatever contacts, joints and forces do [length/s]
---Example: `local speed = world:getMaximumSpeed()`
function AnyWorld:getMaximumSpeed() end

---@param speed number [length/s] > 0
---Raises in hooks.
---Example: `world:setMaximumSpeed(1000)`
function AnyWorld:setMaximumSpeed(speed) end

---@return number angular speed: the maximum of a dynamic body, whatever contacts, joints and torques do [rad/s]
---Example: `local speed = world:getMaximumAngularSpeed()`
function AnyWorld:getMaximumAngularSpeed() end

---@param speed number [rad/s] > 0; in any case no body rotates by more than one radian per sub-step
---Raises in hooks.
---Example: `world:setMaximumAngularSpeed(100)`
function AnyWorld:setMaximumAngularSpeed(speed) end

---@return collide.Mixing
---Example: `local rule = world:getFrictionMixing()`
function AnyWorld:getFrictionMixing() end

---@param mixing collide.Mixing how the frictions of two colliders combine; affects existing contacts, too
---Raises in hooks.
---Example: `world:setFrictionMixing("minimum")`
function AnyWorld:setFrictionMixing(mixing) end

---@return collide.Mixing
---Example: `local rule = world:getRestitutionMixing()`
function AnyWorld:getRestitutionMixing() end

---@param mixing collide.Mixing how the restitutions of two colliders combine; affects existing contacts, too
---Raises in hooks.
---Example: `world:setRestitutionMixing("average")`
function AnyWorld:setRestitutionMixing(mixing) end

---Sets the function that decides whether two colliders may touch. It is called once, during a step, when their AABBs begin to overlap.
---@param filter? fun(a: collide.Collider, b: collide.Collider): boolean? false or nil for no
---Raises in hooks.
---Example: `world:setFilter(function(a, b) return a:getBody().data ~= b:getBody().data end)`
function World:setFilter(filter) end

---Sets the function that decides on contacts before they are solved. In each step it is called for every contact with points, of awake bodies, of which a collider
---has `preSolve`: after the narrow phase, in the order of the contacts; then during continuous collision for pairs that would stop a fast body and have no such
---contact yet. It may disable the contact or change its material, each for this step alone. Restrictions are those of the filter. Without such colliders it
---costs nothing; with them, fast bodies are swept by one worker. A function that takes the place of another one, and nil, wake all bodies; the first one wakes none:
---a world that has been loaded goes on as the saved one did.
---@param preSolve? fun(contact: collide.Contact)
---Raises in hooks and when preSolve is neither a function nor nil.
---Example: `world:setPreSolve(function(contact) if contact:getSpeed() > 10 then contact:setEnabled(false) end end)`
function World:setPreSolve(preSolve) end

---@return integer workers threads that step this world
---Example: `local n = world:getWorkers()`
function AnyWorld:getWorkers() end

---@param workers integer 1 to 64; the result of a step does not depend on it
---Raises in hooks, and when threads or memory run out.
---Example: `world:setWorkers(4)`
function AnyWorld:setWorkers(workers) end

---@return integer count
---Example: `print(world:getBodyCount())`
function AnyWorld:getBodyCount() end

---@return integer count of bodies that are awake
---Example: `print(world:getAwakeCount())`
function AnyWorld:getAwakeCount() end

---@return integer count
---Example: `print(world:getColliderCount())`
function AnyWorld:getColliderCount() end

---@return integer count of pairs whose AABBs overlap; each segment of a chain counts
---Example: `print(world:getContactCount())`
function AnyWorld:getContactCount() end

---@return integer count of pairs that touch, including sensors; each segment of a chain counts
---Example: `print(world:getTouchingCount())`
function AnyWorld:getTouchingCount() end

---@return integer count of islands, awake and asleep: bodies linked by contacts or joints, also by those that ended since one of the bodies was last at rest
---Example: `print(world:getIslandCount())`
function AnyWorld:getIslandCount() end

---@return integer tick number of steps done
---Example: `print(world:getTick())`
function AnyWorld:getTick() end

---@return integer bytes of the engine's memory for this world
---Example: `print(world:getByteCount())`
function AnyWorld:getByteCount() end

---@return collide.Body[] bodies in the order of their ids
---Example: `for _, body in ipairs(world:getBodies()) do ... end`
function World:getBodies() end

---Whether the two layers collide.
---@param a string a layer
---@param b string a layer
---@return boolean meet
---Raises when there is no such layer.
---Example: `if world:layersMeet("player", "coin") then ... end`
function AnyWorld:layersMeet(a, b) end

---Sets whether the two layers collide.
---@param a string a layer
---@param b string a layer
---@param meet boolean
---Raises when there is no such layer, and in hooks.
---Example: `world:setLayersMeet("player", "ghost", false)`
function AnyWorld:setLayersMeet(a, b, meet) end

---Loops over the contacts that began in the last step. The normal points from a to b; (x, y) is the contact point. A collider destroyed since then, as by an earlier
---row, is in its rows: isValid() is false. So it is in all loops over events.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number rows a, b, nx, ny, x, y
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, nx, ny, x, y in world:beginContacts() do ... end`
function World:beginContacts() end

---Loops over the contacts that ended: exactly one for each that began, also when a collider was destroyed, disabled or moved away. A
---destroyed collider is the same Lua object as before: isValid() is false, and its data stays until the next step.
---@return fun(): collide.Collider, collide.Collider rows a, b
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b in world:endContacts() do ... end`
function World:endContacts() end

---Loops over the pairs of colliders that approached faster than the hit speed: once for each pair in a step, for its fastest contact.
---The energy is m speed^2 / 2 with the mass m that both bodies together oppose to the impact at the point, along the normal: what an impact without bounce
---and friction would dissipate. If the normal passes through both centres of mass, m is their reduced mass, ma mb / (ma + mb). materialA, materialB: the names of the materials there.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number, number, number, string?, string? rows a, b, x, y, nx, ny, speed, energy, materialA, materialB [length/s, mass length^2/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, x, y, nx, ny, speed, energy, materialA, materialB in world:hits() do ... end`
function World:hits() end

---Loops over the colliders that began to overlap a sensor, also of those that fast bodies passed within the step: these end in it, too. Of two sensors each
---is a visitor of the other: two rows. Overlaps are found where bodies are when a step begins; a fast body, see `continuous` of collide.AnyWorldOptions, is
---also seen on its straight way through the step.
---@return fun(): collide.Collider, collide.Collider rows sensor, visitor
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for sensor, visitor in world:beginOverlaps() do ... end`
function World:beginOverlaps() end

---Loops over the colliders that ceased to overlap a sensor: exactly one for each that began.
---@return fun(): collide.Collider, collide.Collider rows sensor, visitor
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for sensor, visitor in world:endOverlaps() do ... end`
function World:endOverlaps() end

---Loops over the bodies that were awake in the last step.
---@return fun(): collide.Body, number, number, number, boolean rows body, x, y, angle, fellAsleep
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body, x, y, angle, fellAsleep in world:moved() do ... end`
function World:moved() end

---@class collide.PredictOptions
---@field timestep? number of the steps, default the world's [s]
---@field linearVelocity? number[] with which the body starts instead of its own, { x, y } [length/s]
---@field angularVelocity? number the same [rad/s]
---@field into? table list to be filled instead of a new one, entries after the results are removed

---The path that a body will take if nobody interferes, with all collisions: to the bit, it is the one that it then takes. The world stays as it is. A copy of the
---world takes the steps, so a call costs as much as these, and about two more for the copy. `filter` and `preSolve` decide in it as in World:step; the handles
---that they get stand for the copy's objects until they return. A velocity that is given wakes the body in the copy.
---@param body collide.Body
---@param seconds number 0 to 3600, and at most 2^20 steps; the last one is complete
---@param options? collide.PredictOptions
---@return number[] flat x, y, angle of the body after each step [length, rad]
---@return integer count of the steps
---Raises on another world's body, on unknown keys (with a suggestion), on values out of range, in hooks, on an error in a hook, and when memory runs out.
---Example: `local path = world:predict(ball, 1.5, { linearVelocity = { 8, 6 } })`
function World:predict(body, seconds, options) end

---The transforms of many bodies in one call, by all workers.
---@param bodies collide.Body[]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return number[] flat x, y, angle of each body [length, rad]
---Raises when an element is no body of this world, and names its index.
---Example: `flat = world:getTransforms(bodies, flat)`
function World:getTransforms(bodies, into) end

---As setTransform for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.Body[]
---@param flat number[] x, y, angle of each body [length, rad]
---Raises when an element is wrong, and names its index; in hooks.
---Example: `world:setTransforms(bodies, flat)`
function World:setTransforms(bodies, flat) end

---@param bodies collide.Body[]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return number[] flat vx, vy, angularVelocity of each body [length/s, rad/s]
---Raises when an element is no body of this world, and names its index.
---Example: `flat = world:getVelocities(bodies, flat)`
function World:getVelocities(bodies, into) end

---As setLinearVelocity and setAngularVelocity for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.Body[]
---@param flat number[] vx, vy, angularVelocity of each body [length/s, rad/s]
---Raises when an element is wrong, and names its index; in hooks.
---Example: `world:setVelocities(bodies, flat)`
function World:setVelocities(bodies, flat) end

---As applyForce at the centre of mass for each of the bodies; all or, if an element is wrong, none.
---@param bodies collide.Body[]
---@param flat number[] fx, fy of each body [mass length/s^2]
---Raises when an element is wrong or too strong for so light a body, and names its index; in hooks.
---Example: `world:applyForces(bodies, wind)`
function World:applyForces(bodies, flat) end

---The rows of moved as a flat list, with the body's getId in its place, and without fellAsleep.
---@param into table list to be filled: id, x, y, angle of each body; entries after the results are removed
---@return integer count of bodies
---Raises in hooks.
---Example: `local count = world:getMoved(flat)`
function World:getMoved(into) end

---Loops over the bodies that were awake in the last step, or in a step of the last advance that made some, with their render poses: see getRenderTransform. All
---other bodies are where getTransform says. Also lists them after an advance without a step, as alpha has changed.
---@return fun(): collide.Body, number, number, number rows body, x, y, angle
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body, x, y, angle in world:interpolated() do sprites[body]:draw(x, y, angle) end`
function World:interpolated() end

---Loops over the contact points of all touching pairs: one or two for each contact, none for sensors. Impulses are those of the last step: along the normal, and of
---friction, without direction, as its last sub-step times the number of sub-steps. A part is the number of the segment of a chain that touches, as in ray hits, or nil.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, x, y, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, nx, ny, x, y, separation, impulse, tangentImpulse, partA, partB in world:contacts() do ... end`
function World:contacts() end

---Loops over the pairs of colliders that slide or roll on each other faster than 1 cm/s (times `lengthScale`), for sounds and dust: one row a pair, with means
---over its contact points, weighted by impulse. slipSpeed: of one surface along the other, relative to surfaces that move by themselves, as belts do. rollSpeed:
---at which the contact point moves along both surfaces; a ball that rolls at v has v, and what only slides has 0. A body without a round shape counts as a
---wheel with its centre of mass as the hub. force: of friction at the end of the step.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number, number, number, number rows a, b, x, y, nx, ny, slipSpeed, rollSpeed, force [length/s, mass length/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for a, b, x, y, nx, ny, slipSpeed, rollSpeed, force in world:slides() do ... end`
function World:slides() end

---Loops over the enabled joints whose reaction force or torque, in the last sub-step, exceeded its threshold, in the order of their ids. A breakable one has
---been destroyed: it is the same Lua object as before, isValid() is false, and its data stays until the next step.
---@return fun(): collide.Joint, number, number, boolean rows joint, force, torque, broken [mass length/s^2, mass length^2/s^2]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for joint, force, torque, broken in world:jointEvents() do ... end`
function World:jointEvents() end

---The methods that contacts of 2D and 3D share.
---@class collide.AnyContact
local AnyContact = {}

---@return number speed of the fastest approaching point; negative when they separate [length/s]
---Raises outside preSolve.
---Example: `local speed = contact:getSpeed()`
function AnyContact:getSpeed() end

---@return boolean enabled false after setEnabled(false)
---Raises outside preSolve.
---Example: `local enabled = contact:isEnabled()`
function AnyContact:isEnabled() end

---A disabled contact does not touch in this step: it has no effect and no events, and stops no fast body.
---@param enabled boolean
---Raises outside preSolve.
---Example: `contact:setEnabled(false)`
function AnyContact:setEnabled(enabled) end

---@param friction number of this contact in this step, >= 0
---Raises outside preSolve and on other values.
---Example: `contact:setFriction(0)`
function AnyContact:setFriction(friction) end

---@param restitution number of this contact in this step, >= 0
---Raises outside preSolve and on other values.
---Example: `contact:setRestitution(1)`
function AnyContact:setRestitution(restitution) end

---A contact that the world's preSolve function decides on: always the same object. It is valid in that function only; elsewhere its methods raise.
---@class collide.Contact : collide.AnyContact
local Contact = {}

---@return collide.Collider a, collide.Collider b
---Raises outside preSolve.
---Example: `local a, b = contact:getColliders()`
function Contact:getColliders() end

---@return number nx, number ny of unit length, from a to b
---Raises outside preSolve.
---Example: `local nx, ny = contact:getNormal()`
function Contact:getNormal() end

---@return number ... x1, y1, x2, y2: the contact points, one or two, as the bodies stand. In continuous collision there is one, at the impact: where the line from the body's centre of mass along the normal leaves its shape
---Raises outside preSolve.
---Example: `local x, y = contact:getPoints()`
function Contact:getPoints() end

---@param speed number of the surfaces in this step, the sum of both sides' as with `tangentSpeed` [length/s]
---Raises outside preSolve and on other values.
---Example: `contact:setTangentSpeed(2)`
function Contact:setTangentSpeed(speed) end
---Loops over the bodies that are awake, and were asleep when the step before ended: woken by a script or by another body. In the order of their ids.
---@return fun(): collide.Body
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body in world:wokeBodies() do ... end`
function World:wokeBodies() end

---Loops over the bodies that are asleep, and were awake when the step before ended.
---@return fun(): collide.Body
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for body in world:sleptBodies() do ... end`
function World:sleptBodies() end

---@alias collide.PairReason "touch"|"overlap"|"passes"|"pending"|"asleep"|"apart"|"filter"|"joint"|"layers"|"group"|"types"|"disabled"|"empty"|"body"

---@class collide.PairDetails
---@field a? collide.AnyCollider the collider of the first one that the answer is about
---@field b? collide.AnyCollider of the second one
---@field distance? number between the two; below 0 they overlap [length]
---@field joint? collide.AnyJoint that keeps their bodies from colliding

---Why two bodies or colliders do not collide, or that they do. For bodies the answer is about the two of their colliders that come nearest to a contact. The
---reasons are tested in this order: "body", the two are one body's; "empty", a body has no collider; "types", neither is dynamic, and no sensor moves;
---"group"; "layers", or collidesWith; "joint"; but "disabled" goes before all from "types" on. Then "touch", or "overlap" with a sensor; "passes", the contact is one-way or disabled by preSolve; "filter", the world's
---function, which is called, refuses them; "apart"; "asleep", no step tests them; "pending", the next step will find them, unless a one-sided shape is met
---from behind, or another face continues the surface. For development: it makes tables.
---@param a collide.AnyBody|collide.AnyCollider
---@param b collide.AnyBody|collide.AnyCollider
---@return string text, collide.PairReason reason, collide.PairDetails details
---Raises when one is of another world, the error of the filter, and in hooks.
---Example: `print(world:explain(ghost, wall))` their layers, or the lists of collidesWith, do not collide, layers, table: 0x5581
function AnyWorld:explain(a, b) end

---@class collide.AnyQueryOptions
---@field layers? string[] only colliders on these; default all
---@field sensors? boolean includes sensors, default false
---@field limit? integer greatest length of a list of results: the first hits or, of overlaps, those with the lowest ids; default all
---@field maxDistance? number of nearest and closestPoint: nil beyond it; default any distance [length]
---@field startInside? boolean of rays and shape casts; false: parts that contain the ray's start or overlap the shape at its start are ignored. Default true

---@class collide.QueryOptions : collide.AnyQueryOptions
---@field filter? fun(collider: collide.Collider): boolean? false or nil: the collider is ignored. queries for one result ask again for another part of a collider
---@field exclude? collide.Body|collide.Collider|(collide.Body|collide.Collider)[] ignored

---@class collide.RayHit
---@field collider collide.Collider
---@field x number hit point [length]
---@field y number
---@field nx number outward normal
---@field ny number
---@field fraction number of the path, 0 to 1
---@field part? integer see kind
---@field kind? "segment"|"cell" what `part` counts: segments of a chain, in the order given to the shape, or cells of tiles, see Collider:cellOf; nil for shapes without parts

---The first collider that the ray from (x1, y1) to (x2, y2) hits.
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when there is none; for part and kind see collide.RayHit
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, nx, ny, fraction = world:raycast(0, 10, 0, -10, { layers = { "ground" } })`
function World:raycast(x1, y1, x2, y2, options) end

---All colliders that the ray hits, each with its first hit, sorted by fraction.
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one; tables in it become hits, entries after the results are removed
---@return collide.RayHit[] hits
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `for _, hit in ipairs(world:raycastAll(0, 10, 0, -10)) do print(hit.collider, hit.fraction) end`
function World:raycastAll(x1, y1, x2, y2, options, into) end

---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param options? collide.QueryOptions
---@return boolean hit whether the ray hits anything: the cheapest query
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local visible = not world:raycastAny(x1, y1, x2, y2, { layers = { "wall" } })`
function World:raycastAny(x1, y1, x2, y2, options) end

---The closest hits of many rays, on all workers of the world; the result does not depend on their number. For each ray a row of 7 values, one after the other:
---the collider, or false if there is none; x, y of the hit or of the ray's end; nx, ny, 0 without a hit; the fraction, 1 without a hit; the part (see
---collide.RayHit), or false.
---@param rays number[] flat: { x1, y1, x2, y2, ... } [length]
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@param options? collide.QueryOptions with a filter the rays are cast on one thread
---@return table hits
---Raises the error of the filter function, on unknown keys or layers, when the list does not have 4 numbers for each ray, and when `into` is not a table.
---Example: `for i = 1, #world:raycasts(rays, hits), 7 do local collider, x, y = hits[i], hits[i + 1], hits[i + 2] end`
function World:raycasts(rays, into, options) end

---The colliders whose shapes (not just their AABBs) overlap the box, in the order of their ids.
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local near = world:overlapBox(-1, -1, 1, 1)`
function World:overlapBox(x1, y1, x2, y2, options, into) end

---The colliders whose shapes overlap the shape at the pose, in the order of their ids.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local hit = world:overlapShape(d2.circle(3), d2.pose(x, y))`
function World:overlapShape(shape, pose, options, into) end

---The first collider that the shape hits while it moves from the pose. The point is on the collider, the normal points to the shape. Those that it overlaps
---at the start are hit at fraction 0. One-sided chains are hit only by motion against their right side.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when there is none
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y, nx, ny, fraction = world:shapecast(d2.circle(0.5), d2.pose(0, 10), 0, -20)`
function World:shapecast(shape, pose, dx, dy, options) end

---All colliders that the moving shape hits, each with its first hit, sorted by fraction.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one; tables in it become hits, entries after the results are removed
---@return collide.RayHit[] hits
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `for _, hit in ipairs(world:shapecastAll(d2.circle(0.5), d2.pose(0, 10), 0, -20)) do print(hit.collider, hit.fraction) end`
function World:shapecastAll(shape, pose, dx, dy, options, into) end

---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param options? collide.QueryOptions
---@return boolean hit whether the moving shape hits anything
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local free = not world:shapecastAny(d2.circle(0.5), d2.pose(0, 10), 0, -20)`
function World:shapecastAny(shape, pose, dx, dy, options) end

---The collider with the least signed distance from the point, and the point of its surface that is closest. The distance is < 0 inside. The normal points
---from the surface to the point or, from inside, the way out.
---@param x number in the world [length]
---@param y number
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number distance, number nx, number ny, integer? part, string? kind nil when there is none
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, cx, cy, distance = world:nearest(x, y, { maxDistance = 5 })`
function World:nearest(x, y, options) end

---The colliders that have the point inside or on their surface, in the order of their ids. Segments and chains have no inside.
---@param x number in the world [length]
---@param y number
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local picked = world:overlapPoint(mouseX, mouseY)[1]`
function World:overlapPoint(x, y, options, into) end

---The meaning of a drawn item, which names its colour. For shapes: the first that applies of "disabled", "sensor", "static",
---"kinematic", "sleeping", "bullet", "awake"; the other meanings are those of overlays.
---@alias collide.Meaning "static"|"kinematic"|"awake"|"sleeping"|"bullet"|"sensor"|"disabled"|"box"|"tree"|"contact"|"normal"|"impulse"|"joint"|"limit"|"spring"|"island"|"center"|"velocity"|"name"|"field"

---The functions that World:draw calls: a table of plain functions, without self, or any object with an __index. Missing functions are not called. Shapes of a
---body with a colour of its own have that colour, as "#f5b82e", instead of the meaning. All
---positions are in the world [length]. Sensors use the outline functions, all other shapes the solid ones. Segments, and those of chains, use
---`segment`; an ellipse is a polygon of 32 points; a half-plane is the part of the view that it covers.
---@class collide.DrawTarget
---@field solidPolygon? fun(meaning: collide.Meaning|string, radius: number, x1: number, y1: number, x2: number, y2: number, ...: number) filled, with its outline: 3 to 64 points, convex, counter-clockwise, widened by the radius [length]
---@field polygon? fun(meaning: collide.Meaning|string, radius: number, x1: number, y1: number, x2: number, y2: number, ...: number) its outline only
---@field solidCircle? fun(meaning: collide.Meaning|string, x: number, y: number, radius: number, angle: number) filled, with its outline and a line from the centre to the rim at the angle [rad]
---@field circle? fun(meaning: collide.Meaning|string, x: number, y: number, radius: number, angle: number) outline and line only
---@field solidCapsule? fun(meaning: collide.Meaning|string, x1: number, y1: number, x2: number, y2: number, radius: number) filled, with its outline
---@field capsule? fun(meaning: collide.Meaning|string, x1: number, y1: number, x2: number, y2: number, radius: number) its outline only
---@field segment? fun(meaning: collide.Meaning|string, x1: number, y1: number, x2: number, y2: number)
---@field point? fun(meaning: collide.Meaning|string, x: number, y: number, size: number) size: its diameter in pixels
---@field text? fun(meaning: collide.Meaning|string, x: number, y: number, string: string)

---A body is in view when the AABB of one of its colliders is, which is slightly larger than the shape.
---@class collide.AnyDrawOptions
---@field shapes? boolean the colliders, default true
---@field boxes? boolean the fat AABBs of the broad phase: polygon "box", in 3D segments, default false
---@field tree? boolean the inner nodes of the broad phase's trees: polygon "tree", in 3D segments, default false
---@field contacts? boolean contact points: point "contact", segment "normal" 0.2 times lengthScale long, and segment "impulse": 1 times lengthScale for the largest in view, the others in proportion. Default false
---@field joints? boolean segments "joint" from the centres of mass of each joint's bodies to their anchors, a point "joint" there, and the joint's axes, rods, ropes and paths. Segments "limit": where the joint stops, as marks across an axis, an arc about a hand that turns with body B, or a cone. Segments "spring": springs, and marks at their targets. Arcs and cones are 0.25 times lengthScale large. Default false
---@field islands? boolean a polygon "island", in 3D segments, around the AABBs of all bodies of each island, default false. A separated island is split when a part comes to rest
---@field centers? boolean centres of mass of bodies that are not static: point "center", default false
---@field velocities? boolean segment "velocity", from the centre of mass to where it will be in 0.1 s, default false
---@field names? boolean names of bodies at their origins: text "name", default false
---@field fields? boolean enabled force fields: the outline of the shape "field", a point at the origin, segments "field" from there along gravity, wind and current, 0.1 of each, and the surface of a fluid, perpendicular to the world's gravity. Default false

---@class collide.DrawOptions : collide.AnyDrawOptions
---@field view? number[] { x1, y1, x2, y2 } with x1 <= x2 and y1 <= y2: draws only what is within. Without it everything is drawn; half-planes extend 10 times lengthScale beyond everything else [length]

---Draws the world by calls of the target's functions: each collider in view once (a chain by its segments, a one-sided one with strokes on its solid
---side: a 60th of the view's height long and apart, without a view 0.2 times lengthScale), then the overlays that the options
---select. Makes no garbage. The target's functions are hooks: changes of the world raise there; getters, queries and nested draws are allowed. The
---cost depends on what is in view.
---@param target collide.DrawTarget
---@param options? collide.DrawOptions
---Raises the error of a target's function unchanged; when one of them is not a function; on unknown keys; when memory runs out.
---Example: `world:draw({ circle = function(meaning, x, y, radius) ... end }, { view = { -10, -10, 10, 10 }, contacts = true })`
function World:draw(target, options) end

---Wall-clock times of the last step [ms]. The phases add up to the step; before the first step all are 0.
---@class collide.HistoryOptions
---@field ticks? integer most ticks that it holds, 1 to 1e6, default 120

---@class collide.SaveOptions
---@field data? boolean also saves `data` of the world and its objects, default false: it must be plain, of numbers, strings, booleans, tables without metatables
---(with cycles) and objects of this world

---@class collide.LoadOptions
---@field workers? integer threads of the step, 1 to 64, default 1

---@class collide.Profile
---@field step number the whole step
---@field pairs number pairs whose AABBs begin to overlap; the filter function runs here
---@field collide number narrow phase: contact points
---@field contacts number begin and end of contacts: events and islands
---@field solve number velocities and positions
---@field finish number new AABBs, hits, move events, sleeping
---@field sweep number continuous collision
---@field lost number simulated time, summed over all bodies, during which they did not move because impacts held them up; not a phase [ms]

---Measuring is always on: it takes less than a microsecond of a step, and does not change its result.
---@param into? table to be filled in place, so that no garbage is made
---@return collide.Profile profile the table given, or a new one
---Raises when `into` is not a table.
---Example: `print(world:getProfile().solve)`
function AnyWorld:getProfile(into) end

---The next random number of the world's own generator, as by Generator:random: the first is that of `collide.newRandom(seed)`. Its state is a part of the
---world, and of its hash from the first number on. The engine draws none.
---@param m? integer up to 2^53 - 1
---@param n? integer up to 2^53 - 1
---@return number
---Raises as Generator:random, and in hooks.
---Example: `if world:random(6) == 6 then ball:applyImpulse(0, 5) end`
function AnyWorld:random(m, n) end

---@return string hash 16 hexadecimal digits: equal for equal states of all bodies, movers, fields and random numbers, on every machine
---Example: `print(world:hash())`
function AnyWorld:hash() end

---A hash of each body, of all that AnyWorld:hash sums of it: worlds of two machines that differ find the first body that does.
---@param into? table to be filled instead of a new list
---@return integer[] hashes flat: { id, hash, ... } by id; a hash has 53 bits
---Raises when `into` is not a table.
---Example: `local hashes = world:bodyHashes(hashes)`
function AnyWorld:bodyHashes(into) end

---Saves all that decides the world's future: bodies, contacts with their impulses, joints with their turns, sleep, movers, fields, tiles, random numbers, time
---and settings, as well as names and colours. Not filters, hooks and events. Worlds that got the same calls, queries among them, give
---equal strings on every machine but for 24 bytes at their head.
---@param options? collide.SaveOptions
---@return string snapshot for AnyWorld:restore and collide.load
---Raises for unknown keys, in hooks, and for data that is not plain.
---Example: `local before = world:save()`
function AnyWorld:save(options) end

---Takes the world back to a snapshot, or makes it the world of another process: it goes on from there to the same bits, with any number of workers. Handles stand
---for the same objects as before: those of objects that the snapshot contains work again, also if they were destroyed meanwhile; those of objects made since are
---invalid for ever. A snapshot of another world makes all handles invalid, and its bodies get new ones. Filters, hooks and, unless the snapshot has data, `data`
---stay as they are. There are no events until the next step, and what touches already does not begin again. Shapes are new objects.
---@param snapshot string of AnyWorld:save, of a world of the same dimension
---Raises when the string is damaged, truncated, of another format or dimension; the world then stays as it is. Raises in hooks.
---Example: `world:restore(before)`
function AnyWorld:restore(snapshot) end

---Makes an empty history of this world: its last ticks, to go back to.
---@param options? collide.HistoryOptions
---@return collide.History
---Raises for unknown keys, and in hooks.
---Example: `local history = world:newHistory { ticks = 60 }`
function AnyWorld:newHistory(options) end

---Checks every invariant of the engine. For tests: it takes time linear in the world.
---@return true
---Raises when an invariant is broken, and names it.
---Example: `world:validate()`
function AnyWorld:validate() end

-- Bodies ---------------------------------------------------------------------------------------------------------------------

---A rigid body. While anything holds its Lua object, that is the same each time, so it can be a table key. These methods are the same in 2D and 3D.
---@class collide.AnyBody
---@field data any user data, kept as long as the body lives; any other field raises
local AnyBody = {}

---A 2D body.
---@class collide.Body : collide.AnyBody
local Body = {}

---Destroys the body and its colliders. A second call does nothing.
---Raises in hooks.
---Example: `body:destroy()`
function AnyBody:destroy() end

---@return boolean valid false when it or its world is destroyed
---Example: `if body:isValid() then ... end`
function AnyBody:isValid() end

---@return collide.World
---Example: `body:getWorld():step(1 / 60)`
function Body:getWorld() end

---A small number that no other body of this world has while this one lives; a later body may get that of a destroyed one.
---@return integer id 0 or more
---Example: `sprites[body:getId()] = sprite`
function AnyBody:getId() end

---@return number x, number y of the body's origin, which need not be its centre of mass [length]
---Example: `local x, y = body:getPosition()`
function Body:getPosition() end

---Teleports the body. It keeps its velocity. The body and those that it touched wake up.
---@param x number [length]
---@param y number [length]
---Raises in hooks.
---Example: `body:setPosition(0, 4)`
function Body:setPosition(x, y) end

---@return number angle from -pi to pi [rad]
---Example: `local angle = body:getAngle()`
function Body:getAngle() end

---@param angle number [rad]
---Raises in hooks.
---Example: `body:setAngle(math.pi / 2)`
function Body:setAngle(angle) end

---@return number x, number y, number angle [length, length, rad]
---Example: `local x, y, angle = body:getTransform()`
function Body:getTransform() end

---Where the body is to be shown: at getAlpha between its poses before and after the last step. The centre of mass moves straight, and the body turns by the
---smaller angle. A body that sleeps, or has been put elsewhere since, is shown where it is.
---@return number x, number y [length]
---Example: `local x, y = body:getRenderPosition()`
function Body:getRenderPosition() end

---@return number angle as in getRenderTransform, in [-pi, pi] [rad]
---Example: `local angle = body:getRenderAngle()`
function Body:getRenderAngle() end

---See getRenderPosition.
---@return number x, number y, number angle [length, length, rad]
---Example: `local x, y, angle = body:getRenderTransform()`
function Body:getRenderTransform() end

---@param x number [length]
---@param y number [length]
---@param angle number [rad]
---Raises in hooks.
---Example: `body:setTransform(0, 4, 0)`
function Body:setTransform(x, y, angle) end

---Sets the velocities that take a kinematic or dynamic body there in dt, rotating in the shorter direction: exactly 0 if it is there but for rounding errors.
---@param x number [length]
---@param y number [length]
---@param angle number [rad]
---@param dt number [s] from 1e-6 to 60
---Raises in hooks, and when that needs a speed of more than 1e9.
---Example: `platform:moveTo(5, 2, 0, 1 / 60)`
function Body:moveTo(x, y, angle, dt) end

---@class collide.AnyMeeting
---@field type string name of the response
---@field overlaps boolean at the start of the way
---@field fraction number of the way, at the touch; if they overlap, minus the area, in 3D the volume, by which their AABBs do
---@field x number position of the body at the touch; of colliders that overlap it is back on the way, where they do not [length]
---@field y number
---@field nx number unit normal, towards the body
---@field ny number
---@field goalX number where the way leads after the response [length]
---@field goalY number

---@class collide.Meeting : collide.AnyMeeting
---@field collider collide.Collider

---Moves the body's origin towards (x, y) at once, with a response to each collider that its shapes meet, in the order in which they meet them:
---"slide" goes on along the surface, "touch" ends there, "cross" goes on, "bounce" mirrors the rest of the way; other names are those of collide.response.
---No collider gets two responses. For bodies that a script moves, as kinematic ones: layers and groups count, forces and joints do not. The rules, the order and
---the numbers of boxes along the axes are those of bump.lua: colliders that overlap at the start come first, and then get a way back.
---@param x number goal [length]
---@param y number
---@param filter? fun(other: collide.Collider): string? name of the response; false or nil: it is not met. Default: "slide", and "cross" for sensors
---@param into? collide.Meeting[] list to be filled with what was met, its tables are used again; entries after that are removed
---@return number x, number y the new position [length]
---@return integer count of colliders met
---Raises the error of the filter and of responses, when a shape is not convex or unbounded, on unknown names, in hooks, and when memory runs out.
---Example: `local x, y, count = body:moveAndCollide(x + vx * dt, y + vy * dt, function(other) return other:getBody().data == "coin" and "cross" or "slide" end, met)`
function Body:moveAndCollide(x, y, filter, into) end

---@return number x, number y velocity of the centre of mass [length/s]
---Example: `local vx, vy = body:getLinearVelocity()`
function Body:getLinearVelocity() end

---Wakes the body unless the velocity is zero. No effect on static bodies.
---@param x number [length/s]
---@param y number [length/s]
---Raises when a number is not finite.
---Example: `body:setLinearVelocity(3, 0)`
function Body:setLinearVelocity(x, y) end

---@return number angularVelocity [rad/s]
---Example: `local w = body:getAngularVelocity()`
function Body:getAngularVelocity() end

---@param angularVelocity number [rad/s]
---Raises when the number is not finite.
---A dynamic body rotates by at most 1 rad per sub-step: 240 rad/s at 60 Hz and 4 sub-steps.
---Example: `body:setAngularVelocity(2)`
function Body:setAngularVelocity(angularVelocity) end

---@param x number world point [length]
---@param y number
---@return number vx, number vy velocity of the body at that point [length/s]
---Example: `local vx, vy = wheel:getVelocityAt(x, y - 0.4)`
function Body:getVelocityAt(x, y) end

---@return number damping [1/s]
---Example: `local damping = body:getLinearDamping()`
function AnyBody:getLinearDamping() end

---@param damping number >= 0 [1/s]
---Raises in hooks.
---Example: `body:setLinearDamping(0.5)`
function AnyBody:setLinearDamping(damping) end

---@return number damping [1/s]
---Example: `local damping = body:getAngularDamping()`
function AnyBody:getAngularDamping() end

---@param damping number >= 0 [1/s]
---Raises in hooks.
---Example: `body:setAngularDamping(0.5)`
function AnyBody:setAngularDamping(damping) end

---@return number scale
---Example: `local scale = body:getGravityScale()`
function AnyBody:getGravityScale() end

---@param scale number 0 floats, negative rises; wakes the body
---Raises in hooks.
---Example: `balloon:setGravityScale(-0.2)`
function AnyBody:setGravityScale(scale) end

---Acts during the next step, and wakes the body. Dynamic bodies only.
---@param fx number [mass length/s^2]
---@param fy number
---@param x? number world point where it acts, default the centre of mass [length]
---@param y? number
---Raises when it is too strong for the body's mass to stay within the range of floats.
---Example: `body:applyForce(0, 20)`
function Body:applyForce(fx, fy, x, y) end

---Acts during the next step, and wakes the body. Dynamic bodies only.
---@param torque number [mass length^2/s^2]
---Raises when it is too strong for the body's mass.
---Example: `wheel:applyTorque(-5)`
function Body:applyTorque(torque) end

---Changes the velocity at once, and wakes the body. Dynamic bodies only.
---@param ix number [mass length/s]
---@param iy number
---@param x? number world point where it acts, default the centre of mass [length]
---@param y? number
---Raises when it is too strong for the body's mass.
---Example: `player:applyImpulse(0, player:getMass() * 5)`
function Body:applyImpulse(ix, iy, x, y) end

---Changes the angular velocity at once, and wakes the body. Dynamic bodies only.
---@param impulse number [mass length^2/s]
---Raises when it is too strong for the body's mass.
---Example: `body:applyAngularImpulse(0.5)`
function Body:applyAngularImpulse(impulse) end

---@return number mass [mass]
---Example: `local mass = body:getMass()`
function AnyBody:getMass() end

---@return number inertia about the centre of mass [mass length^2]
---Example: `local inertia = body:getInertia()`
function Body:getInertia() end

---@return number x, number y centre of mass in the world [length]
---Example: `local x, y = body:getCenter()`
function Body:getCenter() end

---@return number x, number y centre of mass in the body's frame [length]
---Example: `local x, y = body:getLocalCenter()`
function Body:getLocalCenter() end

---Overrides the mass properties of the shapes until resetMassData.
---@param mass number [mass] 0: immovable
---@param cx number centre of mass in the body's frame [length]
---@param cy number
---@param inertia number about the centre of mass [mass length^2] 0: no rotation
---Raises when mass or inertia is negative, and in hooks.
---Example: `car:setMassData(1200, 0, -0.3, 1500)`
function Body:setMassData(mass, cx, cy, inertia) end

---Takes mass, centre and inertia from the shapes again.
---Raises in hooks.
---Example: `body:resetMassData()`
function AnyBody:resetMassData() end

---@return "static"|"kinematic"|"dynamic"
---Example: `if body:getType() == "dynamic" then ... end`
function AnyBody:getType() end

---@param type "static"|"kinematic"|"dynamic"
---Raises when a body would become dynamic with a chain, half-plane, mesh, height field or half-space that is not a sensor, in hooks, and when memory runs out.
---Example: `body:setType("static")`
function AnyBody:setType(type) end

---@return boolean enabled
---Example: `if body:isEnabled() then ... end`
function AnyBody:isEnabled() end

---A disabled body takes no part in the simulation: it has no contacts and does not move.
---@param enabled boolean
---Raises in hooks, and when memory runs out.
---Example: `body:setEnabled(false)`
function AnyBody:setEnabled(enabled) end

---@return boolean awake false for static and disabled bodies, and for kinematic ones whose velocity has been exactly zero for half a second
---Example: `if not body:isAwake() then ... end`
function AnyBody:isAwake() end

---@alias collide.BodyReason "static"|"disabled"|"kinematic"|"asleep"|"immovable"|"awake"|"moving"|"resting"|"connected"

---@class collide.BodyDetails
---@field restTime number time for which it has been slower than its sleep threshold; from half a second on it may sleep [s]
---@field body? collide.AnyBody for "connected": one that does not rest

---Why a body does not move, sleep or wake. "immovable": it has no mass, or locks on all axes; "awake": it, or its world, does not allow it to sleep; "moving":
---it is faster than its sleep threshold; "resting": not long enough yet; "connected": a body that it touches or is jointed to, directly or not, does not rest.
---For development: it makes tables.
---@return string text, collide.BodyReason reason, collide.BodyDetails details
---Raises in hooks.
---Example: `print(crate:explain())` it is awake, and has not rested for half a second yet, resting, table: 0x5581
function AnyBody:explain() end

---@param awake boolean false puts its whole island to sleep
---Raises in hooks.
---Example: `body:setAwake(true)`
function AnyBody:setAwake(awake) end

---@return boolean allowed
---Example: `if body:isSleepingAllowed() then ... end`
function AnyBody:isSleepingAllowed() end

---@param allowed boolean false wakes the body
---Raises in hooks.
---Example: `player:setSleepingAllowed(false)`
function AnyBody:setSleepingAllowed(allowed) end

---@return number speed below which a dynamic body counts as at rest [length/s]
---Example: `local speed = body:getSleepThreshold()`
function AnyBody:getSleepThreshold() end

---@param speed number >= 0 [length/s]
---Raises in hooks.
---Example: `body:setSleepThreshold(0.1)`
function AnyBody:setSleepThreshold(speed) end

---@return boolean bullet
---Example: `if body:isBullet() then ... end`
function AnyBody:isBullet() end

---@param bullet boolean continuous collision against moving bodies, too, except other bullets: see AnyWorld:setBulletsHitBullets
---Raises in hooks.
---Example: `bullet:setBullet(true)`
function AnyBody:setBullet(bullet) end

---Lets the body fall through the one-way colliders that it stands on. It passes all of them for some steps, and longer until it is halfway through.
---@param ticks integer? default 1
---Raises in hooks and when memory runs out.
---Example: `if down then player:dropThrough() end`
function AnyBody:dropThrough(ticks) end

---@class collide.BreakOptions
---@field onPiece? fun(piece: collide.AnyBody, parent: collide.AnyBody) called for each piece; the body that breaks, the parent, is still valid, but disabled

---Cuts the body along the line through two points, and replaces it by its pieces, which are new bodies. Parts on one side that do not touch each other become
---separate pieces. The pieces together have the body's mass, centre of mass, momentum, angular momentum and kinetic energy. A piece has the frame of the body,
---so that a local point of the body is the same local point of the piece, and its type, name, color, data, damping and locks. Its colliders have the material,
---layer, data and so on of those that were cut. Joints move to the piece nearest to their anchor. A round shape that is cut becomes a polygon; one that is not
---cut stays as it is. At the end the body is destroyed, with the fields on it, also when onPiece raises.
---@param x1 number [length]
---@param y1 number [length]
---@param x2 number [length] another point
---@param y2 number [length]
---@param options collide.BreakOptions?
---@return collide.Body[] pieces those on the left of the way from the first point to the second come first; empty if nothing is cut: the body stays as it is
---Raises in hooks and when memory runs out; when the body has a chain, segment, half-plane or tiles; when a piece would have more than 64 corners.
---Example: `for _, half in ipairs(melon:slice(x1, y1, x2, y2)) do half:applyImpulse(0, 1) end`
function Body:slice(x1, y1, x2, y2, options) end

---Breaks the body into the cells of points (Voronoi): each piece is the part that is nearer to its point than to the others. Otherwise as slice.
---@param points number[] x1, y1, x2, y2, ... in the world, 1 to 4096 points; cells of points outside of the body may be empty, and of equal points only the first has one
---@param options collide.BreakOptions?
---@return collide.Body[] pieces in the order of their points; empty if all of the body is in one cell: it stays as it is
---Raises as slice.
---Example: `window:shatter(points, { onPiece = function(piece) piece:setName("shard") end })`
function Body:shatter(points, options) end

---@return boolean x, boolean y, boolean rotation
---Example: `local x, y, rotation = body:getLocks()`
function Body:getLocks() end

---@param x boolean no motion along the world's x
---@param y boolean
---@param rotation boolean
---Raises in hooks.
---Example: `player:setLocks(false, false, true)`
function Body:setLocks(x, y, rotation) end

---@return string? name
---Example: `print(body:getName())`
function AnyBody:getName() end

---@param name? string of at most 1 MiB
---Raises when the name is too long.
---Example: `body:setName("player")`
function AnyBody:setName(name) end

---@return string? color
---Example: `print(body:getColor())`
function AnyBody:getColor() end

---Sets the colour in which World:draw draws the body's colliders. The simulation does not depend on it.
---@param color? string "#rrggbb", or "#rrggbbaa" with an opacity; nil: a colour by the meaning
---Raises when it is not such a string.
---Example: `body:setColor("#f5b82e")`
function AnyBody:setColor(color) end

---@param x number in the body's frame [length]
---@param y number
---@return number x, number y in the world [length]
---Example: `local x, y = ship:getWorldPoint(0, 1)`
function Body:getWorldPoint(x, y) end

---@param x number in the world [length]
---@param y number
---@return number x, number y in the body's frame [length]
---Example: `local x, y = ship:getLocalPoint(mouseX, mouseY)`
function Body:getLocalPoint(x, y) end

---@param x number in the body's frame
---@param y number
---@return number x, number y rotated into the world
---Example: `local dx, dy = ship:getWorldVector(0, 1)`
function Body:getWorldVector(x, y) end

---@param x number in the world
---@param y number
---@return number x, number y rotated into the body's frame
---Example: `local vx, vy = car:getLocalVector(car:getLinearVelocity())`
function Body:getLocalVector(x, y) end

---Attaches a shape. The body's mass is recomputed.
---@param shape collide.Shape
---@param options? collide.ColliderOptions without shape
---@return collide.Collider
---Raises on unknown keys, on a chain or half-plane that is not a sensor on a dynamic body, in hooks, and when memory runs out.
---Example: `local foot = player:newCollider(d2.circle(0.2, 0, -0.5), { sensor = true })`
function Body:newCollider(shape, options) end

---Attaches a grid of cells as one collider, whose cells may change at any time. Bodies collide with the outline of the solid cells, as with chains: nothing is
---felt between cells. Like a chain it is hollow and stops what comes from outside; a shape whose centre gets into a cell at the surface is pushed out.
---@param options collide.TilesOptions
---@return collide.Collider tiles, collide.Collider? sensors, collide.Collider? oneWay those of the solid cells; of sensor kinds, if there are; one for each of the normals that one-way kinds have, at most 6, in the order of the kinds. All have the same cells: setCell of any changes all
---Raises on unknown keys, on a dynamic body, in hooks, and when memory runs out.
---Example: `local map = ground:newTiles { columns = 100, rows = 20, kinds = { { name = "earth" }, { name = "slope", shape = d2.polygon { 0, 0, 1, 0, 1, 1 } } } }`
function Body:newTiles(options) end

---@return collide.Collider[] colliders in the order of their ids
---Example: `for _, collider in ipairs(body:getColliders()) do ... end`
function Body:getColliders() end

---Loops over the contact points of the body: rows as those of the world's contacts(), with a collider of this body as a, so that the normal points away from it.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, x, y, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for own, other, nx, ny in body:contacts() do ... end`
function Body:contacts() end

---@return number energy linear and angular [mass length^2/s^2]
---Example: `print(body:getKineticEnergy())`
function AnyBody:getKineticEnergy() end

-- Joints ---------------------------------------------------------------------------------------------------------------------

---Options of all joints.
---@class collide.AnyJointOptions
---@field collideConnected? boolean whether the two bodies may collide with each other, default false; without bodyA bodyB collides with all others in any case
---@field enabled? boolean whether the joint is solved, default true
---@field forceThreshold? number > 0: world:jointEvents lists the joint after each step in which its reaction force is larger, default none [mass length/s^2]
---@field torqueThreshold? number > 0: the same for the reaction torque [mass length^2/s^2]
---@field breakable? boolean whether a larger reaction destroys the joint; needs a threshold, default false
---@field name? string for messages
---@field data? any user data: becomes the joint's field data

---Options of joints that have a place. Give it by x and y, by anchorA and anchorB, or by pointA and pointB.
---@class collide.PlacedJointOptions : collide.AnyJointOptions
---@field x? number the anchor in the world; with y [length]
---@field y? number
---@field anchorA? number[] the anchor in bodyA's frame, without bodyA in the world, { x, y } [length]
---@field anchorB? number[] the anchor in bodyB's frame
---@field pointA? number[] the anchor on bodyA as a point in the world, { x, y } [length]
---@field pointB? number[] the anchor on bodyB as a point in the world
---@field referenceAngle? number angle of B relative to A that counts as 0, default: the current angle [rad]

---@class collide.JointOptions : collide.PlacedJointOptions
---@field bodyA? collide.Body nil: the joint holds bodyB to the world
---@field bodyB collide.Body another body of the same world

---The softness of joints that hold something together.
---@class collide.JointSoftnessOptions
---@field jointHertz? number its stiffness, and that of its limits, at most a quarter of the rate of the sub-steps, default the world's [1/s]
---@field jointDampingRatio? number default the world's

---Options of joints that hold something together.
---@class collide.LockedJointOptions : collide.JointOptions, collide.JointSoftnessOptions

---@class collide.RevoluteJointOptions : collide.LockedJointOptions
---@field lowerAngle? number limits of the angle, both or none; any number of turns [rad]
---@field upperAngle? number
---@field hertz? number frequency of a spring that rotates B towards targetAngle [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field targetAngle? number of the spring, default 0 [rad]
---@field motorSpeed? number of B relative to A that a motor maintains, default 0: friction [rad/s]
---@field maxMotorTorque? number maximum torque of the motor; without it there is no motor [mass length^2/s^2]
---@field motorTarget? number angle to which a position motor turns B, at most at motorSpeed: see Joint:setMotor [rad]

---A rod, if there is neither a spring nor a limit; with maxLength alone a rope.
---@class collide.DistanceJointOptions : collide.LockedJointOptions
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

---@class collide.PrismaticJointOptions : collide.LockedJointOptions
---@field axis? number[] along which B slides, in the world as the bodies are now, { x, y } of any length, default: bodyA's x axis
---@field axisA? number[] the axis in bodyA's frame
---@field axisB? number[] the axis in bodyB's frame: the joint aligns both
---@field lowerTranslation? number limits of the translation, both or none [length]
---@field upperTranslation? number
---@field hertz? number frequency of a spring towards targetTranslation [1/s]
---@field dampingRatio? number of the spring, 1: no overshoot, default 1
---@field targetTranslation? number of the spring, default 0 [length]
---@field motorSpeed? number that a motor maintains, default 0: friction [length/s]
---@field maxMotorForce? number maximum force of the motor; without it there is no motor [mass length/s^2]
---@field motorTarget? number translation to which a position motor goes, at most at motorSpeed [length]

---@class collide.WeldJointOptions : collide.LockedJointOptions
---@field linearHertz? number frequency of a spring that replaces the lock of the anchors, default 0: locked [1/s]
---@field linearDampingRatio? number default 1
---@field angularHertz? number the same for the angle, default 0: locked [1/s]
---@field angularDampingRatio? number default 1

---@class collide.WheelJointOptions : collide.LockedJointOptions
---@field axis? number[] of the suspension, in the world as the bodies are now, { x, y } of any length, default: bodyA's x axis
---@field axisA? number[] the axis in bodyA's frame
---@field axisB? number[] the axis in bodyB's frame, from which the spin is measured
---@field lowerSuspension? number limits of the translation along the axis, both or none [length]
---@field upperSuspension? number
---@field suspensionHertz? number frequency of the suspension's spring; its stiffness is that for the mass of the wheel, nearly: under a heavy car it needs more [1/s]
---@field suspensionDampingRatio? number default 1
---@field spinSpeed? number that a motor maintains, default 0: a brake [rad/s]
---@field maxSpinTorque? number maximum torque of the motor; without it the wheel turns freely [mass length^2/s^2]

---Springs pull B's anchor and angle to A's; motors maintain a velocity relative to A, in A's frame.
---@class collide.MotorJointOptions : collide.JointOptions
---@field linearHertz? number [1/s]
---@field linearDampingRatio? number default 1
---@field maxSpringForce? number greatest force of the spring, default 0: any [mass length/s^2]
---@field linearVelocity? number[] { x, y }, default { 0, 0 } [length/s]
---@field maxVelocityForce? number greatest force of the motor; without it there is none [mass length/s^2]
---@field angularHertz? number [1/s]
---@field angularDampingRatio? number default 1
---@field maxSpringTorque? number default 0: any [mass length^2/s^2]
---@field angularVelocity? number default 0 [rad/s]
---@field maxVelocityTorque? number [mass length^2/s^2]

---@class collide.MouseJointOptions : collide.PlacedJointOptions
---@field body collide.Body the body that is pulled, by its point at x and y
---@field hertz number frequency of the spring towards the target [1/s]
---@field dampingRatio? number default 1
---@field maxForce? number greatest force of the spring, default 0: any [mass length/s^2]

---@class collide.FrictionJointOptions : collide.JointOptions
---@field maxForce? number against the anchors' relative velocity [mass length/s^2]
---@field maxTorque? number against the relative angular velocity [mass length^2/s^2]

---@class collide.PathJointOptions : collide.AnyJointOptions, collide.JointSoftnessOptions
---@field bodyA? collide.Body nil: the path is fixed in the world
---@field bodyB collide.Body another body of the same world
---@field points number[] of the curve, { x1, y1, x2, y2, ... }, in the world as bodyA is now: 2 to 4096 points, in a loop at least 3, neighbours not the same
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
---@class collide.RatchetJointOptions : collide.LockedJointOptions
---@field toothAngle number angle between teeth, not 0; negative: the angle may fall, and not grow [rad]
---@field phase? number angle of a tooth, default 0 [rad]

---A gear holds a + ratio b as it finds it, where a and b are coordinates of two joints: the angle of a revolute joint, a wheel's spin, the translation of a prismatic joint.
---@class collide.GearJointOptions : collide.AnyJointOptions, collide.JointSoftnessOptions
---@field jointA collide.Joint a revolute, prismatic or wheel joint
---@field jointB collide.Joint another one
---@field ratio? number other than 0, default 1: B turns against A as fast; of a rack and a pinion, a length or 1 / length
---@field collideConnected? boolean whether getBodyA and getBodyB may collide with each other, default false
---@field enabled? boolean default true; enabled again, the gear holds the sum that it then finds, as a clutch does

---A rope from A's anchor over two points of the world to B's. It holds lengthA + ratio lengthB as it begins; with a limit, within its limits. An anchor that
---is pulled up to its point of the world stays there.
---@class collide.PulleyJointOptions : collide.LockedJointOptions
---@field groundA number[] the point of the world from which A hangs, { x, y } [length]
---@field groundB number[] that from which B hangs
---@field ratio? number > 0, default 1; with 2 a tackle: A moves twice as far as B, with half the force
---@field minLength? number limits of lengthA + ratio lengthB, either or both; with maxLength alone a rope that may be slack [length]
---@field maxLength? number
---@field collideConnected? boolean default true

---@class collide.FilterJointOptions : collide.AnyJointOptions
---@field bodyA collide.Body
---@field bodyB collide.Body
---@field forceThreshold? number without effect: the joint exerts no force

---Holds two bodies, or a body and the world, together at a point about which they may rotate: a hinge, a wheel's axle, a ragdoll's elbow.
---Wakes both bodies. Jointed bodies go to sleep and wake together.
---@param options collide.RevoluteJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newRevoluteJoint { bodyA = car, bodyB = wheel, x = 1, y = 0.5, motorSpeed = -10, maxMotorTorque = 50 }`
function World:newRevoluteJoint(options) end

---Keeps two anchors at a distance, or within a range of distances: a rod, a rope, a spring, a hydraulic ram. Wakes both bodies.
---@param options collide.DistanceJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newDistanceJoint { bodyA = crane, bodyB = load, anchorA = { 2, 0 }, anchorB = { 0, 0 }, maxLength = 5 }`
function World:newDistanceJoint(options) end

---Lets B slide along an axis without turning: a lift, a piston, a drawer. Wakes both bodies.
---@param options collide.PrismaticJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newPrismaticJoint { bodyB = lift, x = 0, y = 0, axis = { 0, 1 }, motorSpeed = 1, maxMotorForce = 500, motorTarget = 4 }`
function World:newPrismaticJoint(options) end

---Holds two bodies together without any freedom, or springily. Wakes both bodies.
---@param options collide.WeldJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newWeldJoint { bodyA = plank, bodyB = post, x = 1, y = 0, angularHertz = 5 }`
function World:newWeldJoint(options) end

---A wheel on a suspension: B slides along an axis, and turns. Its coordinates are "suspension" and "spin", which getLimits, getSpring, getMotor and their setters take first. Wakes both bodies.
---@param options collide.WheelJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newWheelJoint { bodyA = car, bodyB = wheel, x = 1, y = 0, axis = { 0, 1 }, suspensionHertz = 4, spinSpeed = -20, maxSpinTorque = 40 }`
function World:newWheelJoint(options) end

---Drives B relative to A by springs and motors of limited force. Its coordinates are "linear" and "angular". Wakes both bodies.
---@param options collide.MotorJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newMotorJoint { bodyA = ground, bodyB = ship, x = 0, y = 0, linearVelocity = { 3, 0 }, maxVelocityForce = 100 }`
function World:newMotorJoint(options) end

---Pulls a point of a body to a point of the world by a spring: see setTarget. Wakes both bodies.
---@param options collide.MouseJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `local grip = world:newMouseJoint { body = crate, x = x, y = y, hertz = 5, maxForce = 1000 }`
function World:newMouseJoint(options) end

---Slows the motion of B relative to A, as a table seen from above does. Wakes both bodies.
---@param options collide.FrictionJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newFrictionJoint { bodyB = puck, x = 0, y = 0, maxForce = 2, maxTorque = 1 }`
function World:newFrictionJoint(options) end

---Keeps a point of B on a smooth curve: a bead on a wire, a roller coaster, a lift around corners. The curve is the cubic spline through the
---points, and moves with bodyA. Without limits B goes on straight beyond the ends. In a loop distances count laps. Wakes both bodies.
---@param options collide.PathJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Source: de Boor, "A Practical Guide to Splines", 1978.
---Example: `world:newPathJoint { bodyB = cart, points = { 0, 5, 4, 1, 8, 3 }, follow = "tangent" }`
function World:newPathJoint(options) end

---Lets the angle of B relative to A grow freely, but not fall below the last tooth that it has reached: a winch's pawl, a wrench, a turnstile. It holds no point: use it beside a
---revolute joint. Wakes both bodies.
---@param options collide.RatchetJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newRatchetJoint { bodyA = frame, bodyB = drum, toothAngle = math.pi / 8 }`
function World:newRatchetJoint(options) end

---Couples two joints by a ratio: wheels in mesh, a belt, a rack and a pinion. It acts on the bodies of both, and is destroyed with either joint, as
---world:jointEvents() reports. Of the bodies of each joint getBodyA and getBodyB return one. Wakes both.
---@param options collide.GearJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on joints that are destroyed, of other worlds or of other types, in hooks, and when
---memory runs out.
---Example: `world:newGearJoint { jointA = axle, jointB = rack, ratio = -0.5 }`
function World:newGearJoint(options) end

---Hangs two bodies on one rope over two points of the world. Wakes both bodies.
---@param options collide.PulleyJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newPulleyJoint { bodyA = load, bodyB = weight, groundA = { 0, 9 }, groundB = { 4, 9 }, pointA = { 0, 2 }, pointB = { 4, 5 } }`
function World:newPulleyJoint(options) end

---Keeps two bodies from colliding, and does nothing else. Wakes both bodies.
---@param options collide.FilterJointOptions
---@return collide.Joint
---Raises on unknown keys (with a suggestion), on values out of range, on bodies that are destroyed or of other worlds, in hooks, and when memory
---runs out.
---Example: `world:newFilterJoint { bodyA = player, bodyB = vehicle }`
function World:newFilterJoint(options) end

---@return integer count
---Example: `print(world:getJointCount())`
function AnyWorld:getJointCount() end

---@return collide.Joint[] joints in the order of their ids
---Example: `for _, joint in ipairs(world:getJoints()) do ... end`
function World:getJoints() end

---@return collide.Joint[] joints of the body, the oldest first
---Example: `for _, joint in ipairs(body:getJoints()) do joint:destroy() end`
function Body:getJoints() end

---The first of the body's colliders that the ray hits. Those of a disabled body are hit, too.
---@param x1 number in the world [length]
---@param y1 number
---@param x2 number
---@param y2 number
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when it misses
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y = body:raycast(0, 10, 0, -10)`
function Body:raycast(x1, y1, x2, y2, options) end

---The first of the body's colliders that the shape hits while it moves from the pose: see World:shapecast.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when it misses
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, x, y = body:shapecast(d2.circle(0.5), d2.pose(0, 10), 0, -20)`
function Body:shapecast(shape, pose, dx, dy, options) end

---The body's colliders that overlap the shape at the pose, in the order of their ids.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one, entries after the results are removed
---@return collide.Collider[] colliders
---Raises the error of the filter function, on unknown keys or layers, and when `into` is not a table.
---Example: `local parts = body:overlapShape(d2.circle(3), d2.pose(x, y))`
function Body:overlapShape(shape, pose, options, into) end

---The point of the body's surface that is closest to the point: see World:nearest.
---@param x number in the world [length]
---@param y number
---@param options? collide.QueryOptions
---@return collide.Collider? collider, number x, number y, number distance, number nx, number ny, integer? part, string? kind nil when no collider is chosen
---Raises the error of the filter function, and on unknown keys or layers.
---Example: `local collider, cx, cy, distance = body:closestPoint(x, y)`
function Body:closestPoint(x, y, options) end

---Holds two bodies together, or a body and the world. It lives whether a script holds it or not. It is destroyed with either body; while one of them is
---disabled it has no effect.
---@class collide.AnyJoint
---@field data any user data, kept as long as the joint lives; any other field raises
local AnyJoint = {}

---A 2D joint.
---@class collide.Joint : collide.AnyJoint
local Joint = {}

---Destroys the joint and wakes both bodies. A second call does nothing.
---Raises in hooks.
---Example: `joint:destroy()`
function AnyJoint:destroy() end

---@return boolean valid false when it, one of its bodies or its world is destroyed
---Example: `if joint:isValid() then ... end`
function AnyJoint:isValid() end

---@return collide.World
---Example: `joint:getWorld():getGravity()`
function Joint:getWorld() end

---@return "revolute"
---Example: `print(joint:getType())`
function Joint:getType() end

---@return collide.Body? bodyA nil when the joint holds body B to the world
---Example: `local arm = joint:getBodyA()`
function Joint:getBodyA() end

---@return collide.Body
---Example: `local hand = joint:getBodyB()`
function Joint:getBodyB() end

---@return number x, number y A's anchor, in the world [length]
---Example: `local x, y = joint:getAnchorA()`
function Joint:getAnchorA() end

---@return number x, number y B's anchor, in the world: close to A's, unless the joint is overloaded [length]
---Example: `local x, y = joint:getAnchorB()`
function Joint:getAnchorB() end

---@return number x, number y A's axis of the joint, a unit vector in the world: the x axis of its frame on body A
---Example: `local x, y = slider:getAxisA()`
function Joint:getAxisA() end

---@return number x, number y B's axis of the joint, a unit vector in the world
---Example: `local x, y = slider:getAxisB()`
function Joint:getAxisB() end

---Where setFrames puts a joint. Each key means what it means for the function that creates such joints.
---@class collide.FrameOptions
---@field x? number the anchor in the world; with y [length]
---@field y? number
---@field anchorA? number[] the anchor in bodyA's frame, without bodyA in the world, { x, y } [length]
---@field anchorB? number[] the anchor in bodyB's frame
---@field pointA? number[] the anchor on bodyA as a point in the world, { x, y } [length]
---@field pointB? number[] the anchor on bodyB as a point in the world
---@field referenceAngle? number angle of B relative to A that counts as 0 [rad]
---@field axis? number[] of prismatic and wheel joints, in the world, { x, y }, of any length
---@field axisA? number[] in bodyA's frame
---@field axisB? number[] in bodyB's frame

---Moves the joint on its bodies: its anchors, its axis, the angle that counts as 0. Keeps what is not given. Coordinates start anew from there, angles
---within half a turn, and gears hold what they find. Limits, lengths and springs' targets stay; the impulses of the last step are
---forgotten. Wakes both bodies.
---@param options collide.FrameOptions
---Raises on unknown keys, on keys that such a joint does not have, on values out of range, on mouse, path, gear and filter joints, and in hooks.
---Example: `winch:setFrames { anchorA = { 0, 2 }, anchorB = { 0, 0.5 } }`
function Joint:setFrames(options) end

---@return number fx, number fy force of the joint on B in the last sub-step; A had the opposite one [mass length/s^2]
---Example: `if joint:getReactionForce() > 1000 then joint:destroy() end`
function Joint:getReactionForce() end

---@return number torque of spring, limits and motor on B in the last sub-step [mass length^2/s^2]
---Example: `print(joint:getReactionTorque())`
function Joint:getReactionTorque() end

---@return boolean collide whether the two bodies may collide with each other
---Example: `print(joint:isCollideConnected())`
function AnyJoint:isCollideConnected() end

---false ends contacts between the two bodies.
---@param collide boolean
---Raises in hooks.
---Example: `joint:setCollideConnected(true)`
function AnyJoint:setCollideConnected(collide) end

---@return boolean enabled whether the joint is solved
---Example: `if not joint:isEnabled() then ... end`
function AnyJoint:isEnabled() end

---Wakes both bodies. A disabled joint exerts no forces, and its bodies go to sleep and wake alone; whether they collide is still up to collideConnected. Its
---angles count no turns meanwhile.
---@param enabled boolean
---Raises in hooks.
---Example: `joint:setEnabled(false)`
function AnyJoint:setEnabled(enabled) end

---@return number? forceThreshold nil: none [mass length/s^2]
---Example: `local most = joint:getForceThreshold()`
function AnyJoint:getForceThreshold() end

---After each step, world:jointEvents lists the joint if its reaction force was larger. Wakes both bodies.
---@param forceThreshold? number > 0; nil: none [mass length/s^2]
---Raises in hooks, when memory runs out, and when a breakable joint would lose its last threshold.
---Example: `joint:setForceThreshold(500)`
function AnyJoint:setForceThreshold(forceThreshold) end

---@return number? torqueThreshold nil: none [mass length^2/s^2]
---Example: `local most = joint:getTorqueThreshold()`
function AnyJoint:getTorqueThreshold() end

---After each step, world:jointEvents lists the joint if its reaction torque was larger. Wakes both bodies.
---@param torqueThreshold? number > 0; nil: none [mass length^2/s^2]
---Raises in hooks, when memory runs out, and when a breakable joint would lose its last threshold.
---Example: `joint:setTorqueThreshold(50)`
function AnyJoint:setTorqueThreshold(torqueThreshold) end

---@return boolean breakable whether a reaction above a threshold destroys the joint
---Example: `if joint:isBreakable() then ... end`
function AnyJoint:isBreakable() end

---@param breakable boolean
---Raises in hooks, and when the joint has no threshold.
---Example: `joint:setBreakable(true)`
function AnyJoint:setBreakable(breakable) end

---@return number? hertz stiffness of what the joint holds together, and of its limits; nil: the world's [1/s]
---Raises for joints that hold nothing together, like motor joints.
---Example: `local hertz = joint:getJointHertz()`
function AnyJoint:getJointHertz() end

---Wakes both bodies.
---@param hertz? number > 0; nil: the world's [1/s]
---Raises for joints that hold nothing together, like motor joints, and in hooks.
---Example: `joint:setJointHertz(240)`
function AnyJoint:setJointHertz(hertz) end

---@return number? dampingRatio of what the joint holds together; nil: the world's
---Raises for joints that hold nothing together, like motor joints.
---Example: `local ratio = joint:getJointDampingRatio()`
function AnyJoint:getJointDampingRatio() end

---Wakes both bodies.
---@param dampingRatio? number >= 0; nil: the world's
---Raises for joints that hold nothing together, like motor joints, and in hooks.
---Example: `joint:setJointDampingRatio(5)`
function AnyJoint:setJointDampingRatio(dampingRatio) end

---@return string? name nil without one
---Example: `print(joint:getName())`
function AnyJoint:getName() end

---@param name? string nil: none
---Raises when the name is not a string.
---Example: `joint:setName("left knee")`
function AnyJoint:setName(name) end

---@return number angle of B relative to A or the world, minus the reference angle; in 3D about the axis, counter-clockwise seen against it. It counts turns [rad]
---Raises for spherical joints.
---Example: `print(math.deg(door:getAngle()))`
function AnyJoint:getAngle() end

---@param coordinate? string its name, of a type with several
---@return number speed rate of change of the angle [rad/s], or of the length or the translation [length/s]
---Raises for types without such a coordinate.
---Example: `print(axle:getSpeed())`
function AnyJoint:getSpeed(coordinate) end

---@param coordinate string its name, of a type with several
---@return number value [rad] or [length]
---Raises for types with one coordinate or none.
---Example: `print(axle:getCoordinate "spin")`
function AnyJoint:getCoordinate(coordinate) end

---@return number length distance of a distance joint's anchors [length]
---Raises for other types.
---Example: `print(rope:getLength())`
function AnyJoint:getLength() end

---@return number distance arc length of a path joint from the first point; in a loop it counts laps [length]
---Raises for other types.
---Example: `print(coaster:getDistance())`
function AnyJoint:getDistance() end

---@return number translation of a prismatic, wheel or cylindrical joint along its axis [length]
---Raises for other types.
---Example: `print(lift:getTranslation())`
function AnyJoint:getTranslation() end

---@return number angle by which a wheel has turned; it counts turns [rad]
---Raises for other types.
---Example: `print(axle:getSpinAngle())`
function AnyJoint:getSpinAngle() end

---@return number speed at which a wheel turns [rad/s]
---Raises for other types.
---Example: `print(axle:getSpinSpeed())`
function AnyJoint:getSpinSpeed() end

---@return number x, number y target of a mouse joint in the world [length]
---Raises for other types.
---Example: `print(grip:getTarget())`
function Joint:getTarget() end

---Moves the target of a mouse joint, and wakes its body.
---@param x number
---@param y number
---Raises in hooks, and for other types.
---Example: `grip:setTarget(mouseX, mouseY)`
function Joint:setTarget(x, y) end

---@return collide.Joint jointA of a gear
---Raises for other types.
---Example: `local axle = gear:getJointA()`
function Joint:getJointA() end

---@return collide.Joint jointB of a gear
---Raises for other types.
---Example: `local rack = gear:getJointB()`
function Joint:getJointB() end

---@return number ratio of a gear or pulley
---Raises for other types.
---Example: `print(gear:getRatio())`
function AnyJoint:getRatio() end

---Changes the ratio of a gear or pulley, which then holds the sum that it finds. Wakes both bodies.
---@param ratio number other than 0; of a pulley > 0
---Raises in hooks, and for other types.
---Example: `gear:setRatio(1 / 3)`
function AnyJoint:setRatio(ratio) end

---@return number length of a pulley's rope between groundA and A's anchor [length]
---Raises for other types.
---Example: `print(pulley:getLengthA())`
function AnyJoint:getLengthA() end

---@return number length of a pulley's rope between groundB and B's anchor [length]
---Raises for other types.
---Example: `print(pulley:getLengthB())`
function AnyJoint:getLengthB() end

---@param coordinate? string its name, of a type with several
---@return number force of the motor in the last sub-step [mass length/s^2]; of a motor or friction joint fx, fy[, fz], in A's frame
---Raises for types without such a motor.
---Example: `print(lift:getMotorForce())`
function AnyJoint:getMotorForce(coordinate) end

---@return number? toothAngle, number? phase nil without teeth [rad]
---Raises for types other than ratchets.
---Example: `local toothAngle = pawl:getRatchet()`
function AnyJoint:getRatchet() end

---Wakes both bodies. The joint holds at the last of the new teeth that its angle has reached.
---@param toothAngle? number not 0; nil: no teeth, the joint holds nothing [rad]
---@param phase? number default 0 [rad]
---Raises in hooks, and for types other than ratchets.
---Example: `pawl:setRatchet(-math.pi / 8)`
function AnyJoint:setRatchet(toothAngle, phase) end

---@return number? lowerAngle, number? upperAngle nil without limits [rad]
---Raises for spherical joints: see getConeLimit and getTwistLimits.
---Example: `local lower, upper = door:getLimits()`
function AnyJoint:getLimits() end

---Wakes both bodies.
---@param lowerAngle? number any number of turns; nil: no limits [rad]
---@param upperAngle? number >= lowerAngle
---Raises in hooks, and for spherical joints.
---Example: `door:setLimits(0, 1.5)`
function AnyJoint:setLimits(lowerAngle, upperAngle) end

---@return number? hertz, number? dampingRatio, number? targetAngle nil without a spring [1/s], [1], [rad]
---Example: `local hertz = door:getSpring()`
function Joint:getSpring() end

---Wakes both bodies.
---@param hertz? number its frequency; nil: no spring [1/s]
---@param dampingRatio? number default 1
---@param targetAngle? number default 0 [rad]
---Raises in hooks.
---Example: `door:setSpring(2, 0.7)`
function Joint:setSpring(hertz, dampingRatio, targetAngle) end

---@return number? speed, number? maxTorque, number? target nil without a motor [rad/s], [mass length^2/s^2]; target: of a position motor only [rad]
---Example: `local speed = axle:getMotor()`
function Joint:getMotor() end

---Wakes both bodies. With a target it is a position motor: it turns B to that angle at most at that speed, slows down on its way there, and holds it.
---@param speed? number to maintain, 0: friction; nil: no motor [rad/s]
---@param maxTorque? number maximum torque of the motor [mass length^2/s^2]
---@param target? number angle to turn to [rad]
---Raises in hooks.
---Example: `axle:setMotor(-10, 50)`
function Joint:setMotor(speed, maxTorque, target) end

---@return number torque of the motor on B in the last sub-step [mass length^2/s^2]
---Example: `if math.abs(axle:getMotorTorque()) > 40 then ... end`
function Joint:getMotorTorque() end

-- Colliders ------------------------------------------------------------------------------------------------------------------

---An acceleration strength / d^falloff at the distance d; below minDistance it falls to 0 in proportion to d.
---@class collide.FieldPullOptions
---@field strength number of any sign [length^(1 + falloff)/s^2]
---@field falloff? number a multiple of 0.5 between 0 and 8, default 2, of a vortex 1
---@field minDistance? number > 0, default 0.1 m [length]

---The force on each edge or face that faces the wind. With u the wind relative to it, n its normal and P the length or area that it shows to the wind:
---drag P |u| u + lift P |u|^2 t, where t is the part of -n across u. So a body falls at the speed where drag P |u|^2 is its weight.
---@class collide.AnyFieldWindOptions
---@field drag? number default 0; of a plate in air at 1.2 kg/m^3 about 0.6 [mass/length^3, in 2D mass/length^2]
---@field lift? number default 0 [as drag]

---@class collide.FieldWindOptions : collide.AnyFieldWindOptions
---@field velocity? number[] { x, y }, default 0 [length/s]

---Buoyancy is the weight of the fluid that the part of a body below the surface displaces: shape by shape, at the centroid of that part. Drag and the weight of
---a body that floats balance at the speed v with drag: linearDrag m v = (M - m) g, for a mass M that displaces a mass m.
---@class collide.AnyFieldFluidOptions
---@field density? number >= 0, default 1; bodies of a lower density float [mass/length^2, in 3D mass/length^3]
---@field linearDrag? number rate at which a body of the fluid's density takes on the fluid's velocity, default 0 [1/s]
---@field angularDrag? number the same for its rotation, which comes to rest, default 0 [1/s]

---@class collide.FieldFluidOptions : collide.AnyFieldFluidOptions
---@field velocity? number[] { x, y }, default 0 [length/s]

---@class collide.AnyFieldOptions
---@field x? number position, default 0; in the frame of `body`, if given [length]
---@field y? number
---@field position? number[] instead of x, y (z)
---@field layers? string[] the field acts on colliders of these layers; gravity, attraction and vortex on bodies that have one, default: all
---@field priority? integer from -1e6 to 1e6, default 0
---@field replace? boolean where this field acts, fields of lower priority do not, effect by effect, nor does the world's gravity if this one has gravity or
---attraction; default false: all add up
---@field enabled? boolean default true
---@field attraction? collide.FieldPullOptions towards the field's position, as a planet; multiplied by the bodies' gravityScale
---@field name? string for messages
---@field data? any user data: becomes the field's field data

---Vectors are in the field's frame.
---@class collide.FieldOptions : collide.AnyFieldOptions
---@field shape? collide.Shape a solid shape or half-plane, default: everywhere
---@field angle? number [rad]
---@field body? collide.Body the field moves with it, does not act on it, and is destroyed with it
---@field gravity? number[] an acceleration { x, y }, multiplied by the bodies' gravityScale [length/s^2]
---@field vortex? collide.FieldPullOptions acceleration around the field's position, counter-clockwise
---@field wind? collide.FieldWindOptions
---@field fluid? collide.FieldFluidOptions its surface is perpendicular to gravity, at the highest point of `shape`; of a half-plane its boundary

---Creates a force field. It acts on the dynamic bodies whose centre of mass is in its shape, in each sub-step; a fluid on shapes of which the centroid of the
---part below its surface is in the shape. Wakes the bodies in it; so do all changes of it, and the motion of its body. A body may sleep in a field.
---@param options collide.FieldOptions
---@return collide.Field
---Raises on unknown keys (with a suggestion), on values out of range, on a body that is destroyed or of another world, in hooks, and when memory runs out.
---Example: `world:newField { shape = d2.box(40, 10), y = -5, fluid = { density = 2, linearDrag = 2, angularDrag = 1 } }`
function World:newField(options) end

---@class collide.AnyMoverOptions
---@field x? number position, default 0 [length]
---@field y? number
---@field position? number[] instead of x, y (z)
---@field up? number[] a direction, default: against gravity; without gravity none: nothing is ground, as in games seen from above
---@field layer? string the first layer by default; the mover is stopped by what its layer collides with
---@field collidesWith? string[] layers that it collides with, instead of those of its layer
---@field maxSlopeAngle? number of the steepest slope that it stands on and climbs, default 0.87 [rad]
---@field stepHeight? number of the highest step that it climbs, default 0 [length]
---@field snapDistance? number how far down it keeps to the ground, as when it walks down stairs, default stepHeight; at 0 it leaves the ground in each step down a slope [length]
---@field skin? number distance that it keeps from obstacles, default 0.01 times lengthScale [length]
---@field mass? number inertia against bodies that hit it, and weight on bodies that it stands on, default 70
---@field maxForce? number with which it pushes dynamic bodies, default 100; a crate slides when that is more than its friction times its weight: 17 kg at 0.6 and 10 m/s^2
---@field enabled? boolean default true
---@field name? string of its body
---@field color? string of its body
---@field data? any user data: becomes the field data of the mover and of its body

---@class collide.MoverOptions : collide.AnyMoverOptions
---@field shape collide.Shape convex and bounded
---@field angle? number [rad]

---Creates a mover: a kinematic body with a controller, for characters. Rays, sensors, events and pictures know it as a body. It moves only by its method move.
---@param options collide.MoverOptions
---@return collide.Mover
---Raises on unknown keys (with a suggestion), on values out of range, when the shape is not convex or unbounded, in hooks, and when memory runs out.
---Example: `local player = world:newMover { shape = d2.capsule(0, -0.4, 0, 0.4, 0.4), x = 3, y = 2, stepHeight = 0.3 }`
function World:newMover(options) end

---@return collide.Mover[] movers in the order of their ids
---Example: `for _, mover in ipairs(world:getMovers()) do mover:move(0, -0.1, 1 / 60) end`
function World:getMovers() end

---@class collide.AnyContactPlane
---@field x number point of the collider [length]
---@field y number
---@field nx number unit normal, towards the shape
---@field ny number
---@field distance number of the shape from it; negative: overlap [length]
---@field part? integer see kind

---@class collide.ContactPlane : collide.AnyContactPlane
---@field collider collide.Collider
---@field kind? "segment" what `part` counts, in the order given to the shape; nil for shapes without parts

---The planes of the colliders near a convex shape, from the nearest on: for d2.solvePlanes, in movers of one's own. Each convex part of a collider has one plane;
---edges and corners inside a surface of several parts have none. maxDistance is 4 slops by default, 0.02 times lengthScale.
---@param shape collide.Shape convex and bounded
---@param pose? collide.Pose
---@param options? collide.QueryOptions
---@param into? table list to be filled instead of a new one, with its tables used again; entries after the results are removed
---@return collide.ContactPlane[] planes
---Raises the error of the filter function, on unknown keys or layers, when the shape is not convex or unbounded, and when `into` is not a table.
---Example: `dx, dy = d2.solvePlanes(dx, dy, world:contactPlanes(shape, d2.pose(x, y), { maxDistance = 0.1 }, planes))`
function World:contactPlanes(shape, pose, options, into) end

---@class collide.ExplosionOptions
---@field x? number its center; with y, or position [length]
---@field y? number
---@field position? number[] instead of x and y, { x, y }
---@field radius number beyond which it does nothing [length]
---@field impulse number on each unit of length, in 3D of area, that faces the center; negative: an implosion
---@field falloff? number a multiple of 0.5 between 0 and 8: the impulse falls with (1 - distance / radius)^falloff, default 0
---@field layers? string[] whose colliders are pushed, default all
---@field occlusion? boolean whether bodies in between protect what is behind them; takes a ray for each facet, default false

---Pushes the dynamic bodies nearby away from the center, and turns them: each facet of their surfaces by its area and as much as it faces the center. Wakes them.
---Sensors are left alone.
---@param options collide.ExplosionOptions
---@return integer count of the bodies pushed
---Raises on unknown keys (with a suggestion), on values out of range, in hooks, and when memory runs out.
---Example: `world:explode { x = 3, y = 1, radius = 5, impulse = 20, falloff = 1, occlusion = true }`
function World:explode(options) end

---@return collide.Field[] fields in the order of their ids
---Example: `for _, field in ipairs(world:getFields()) do field:setEnabled(false) end`
function World:getFields() end

---A force field: gravity, attraction, a vortex, wind or a fluid, everywhere or in a shape. It lives whether a script holds it or not.
---Setters of an effect keep the values of arguments that are left out or nil; without a first argument the effect ends.
---@class collide.AnyField
---@field data any user data, kept as long as the field lives; any other field raises
local AnyField = {}

---A 2D field.
---@class collide.Field : collide.AnyField
local Field = {}

---Destroys the field and wakes the bodies in it. A second call does nothing.
---Raises in hooks.
---Example: `field:destroy()`
function AnyField:destroy() end

---@return boolean valid false when it, its body or its world is destroyed
---Example: `if field:isValid() then ... end`
function AnyField:isValid() end

---@return collide.World
---Example: `field:getWorld():getGravity()`
function Field:getWorld() end

---@return collide.Body? body that it moves with
---Example: `local planet = field:getBody()`
function Field:getBody() end

---@return boolean
---Example: `print(field:isEnabled())`
function AnyField:isEnabled() end

---@param enabled boolean
---Raises in hooks.
---Example: `fan:setEnabled(false)`
function AnyField:setEnabled(enabled) end

---@return string? name
---Example: `print(field:getName())`
function AnyField:getName() end

---@param name string?
---Raises on anything else.
---Example: `field:setName("lake")`
function AnyField:setName(name) end

---@return integer
---Example: `print(field:getPriority())`
function AnyField:getPriority() end

---@param priority integer
---Raises on other values, and in hooks.
---Example: `field:setPriority(1)`
function AnyField:setPriority(priority) end

---@return boolean
---Example: `print(field:isReplace())`
function AnyField:isReplace() end

---@param replace boolean
---Raises in hooks.
---Example: `field:setReplace(true)`
function AnyField:setReplace(replace) end

---@param layers string[]? nil: all
---Raises on unknown names, and in hooks.
---Example: `magnet:setLayers { "iron" }`
function AnyField:setLayers(layers) end

---@return number x, number y position as in the options: in the frame of its body, if it has one [length]
---Example: `local x, y = field:getPosition()`
function Field:getPosition() end

---@param x number [length]
---@param y number
---Raises on numbers that are not finite, and in hooks.
---Example: `field:setPosition(0, tide)`
function Field:setPosition(x, y) end

---@return number angle [rad]
---Example: `print(field:getAngle())`
function Field:getAngle() end

---@param angle number [rad]
---Raises on numbers that are not finite, and in hooks.
---Example: `field:setAngle(math.pi / 2)`
function Field:setAngle(angle) end

---@return number? x, number y [length/s^2]; nil: none
---Example: `local x, y = field:getGravity()`
function Field:getGravity() end

---@param x? number [length/s^2]
---@param y? number
---Raises on numbers out of range, and in hooks.
---Example: `field:setGravity(0, 5)`
function Field:setGravity(x, y) end

---@return number? strength, number falloff, number minDistance nil: none
---Example: `print(field:getAttraction())`
function AnyField:getAttraction() end

---@param strength? number
---@param falloff? number
---@param minDistance? number
---Raises on numbers out of range, and in hooks.
---Example: `planet:setAttraction(2000)`
function AnyField:setAttraction(strength, falloff, minDistance) end

---@return number? strength, number falloff, number minDistance nil: none
---Example: `print(field:getVortex())`
function AnyField:getVortex() end

---@param strength? number
---@param falloff? number
---@param minDistance? number
---Raises on numbers out of range, and in hooks.
---Example: `whirlpool:setVortex(20, 1)`
function AnyField:setVortex(strength, falloff, minDistance) end

---@return number? x, number y, number drag, number lift nil: none
---Example: `local x, y, drag, lift = field:getWind()`
function Field:getWind() end

---@param x? number [length/s]
---@param y? number
---@param drag? number
---@param lift? number
---Raises on numbers out of range, and in hooks.
---Example: `gust:setWind(10 + 5 * collide.sin(t), 0)`
function Field:setWind(x, y, drag, lift) end

---@return number? density, number linearDrag, number angularDrag, number x, number y nil: none; x, y: velocity
---Example: `print(lake:getFluid())`
function Field:getFluid() end

---@param density? number
---@param linearDrag? number
---@param angularDrag? number
---@param x? number velocity [length/s]
---@param y? number
---Raises on numbers out of range, and in hooks.
---Example: `river:setFluid(1, 2, 1, 3, 0)`
function Field:setFluid(density, linearDrag, angularDrag, x, y) end

---A kinematic body with a controller. It keeps a skin's distance from obstacles: the colliders that its collider may collide with, other movers among them, but
---no sensors. It lives as long as its body, whether a script holds it or not.
---@class collide.AnyMover
---@field data any user data, kept as long as the mover lives; any other field raises
local AnyMover = {}

---A 2D mover.
---@class collide.Mover : collide.AnyMover
local Mover = {}

---Destroys the mover and its body. A second call does nothing.
---Raises in hooks.
---Example: `mover:destroy()`
function AnyMover:destroy() end

---@return boolean valid false when it, its body or its world is destroyed
---Example: `if mover:isValid() then ... end`
function AnyMover:isValid() end

---@return collide.World
---Example: `mover:getWorld():getGravity()`
function Mover:getWorld() end

---@return collide.Body body with the mover's collider; more may be added
---Example: `mover:getBody():newCollider(d2.circle(3), { sensor = true })`
function Mover:getBody() end

---@return string? name of the mover, not that of its body
---Example: `print(mover:getName())`
function AnyMover:getName() end

---@param name string?
---Raises on anything else.
---Example: `mover:setName("guard")`
function AnyMover:setName(name) end

---@return boolean
---Example: `print(mover:isEnabled())`
function AnyMover:isEnabled() end

---@param enabled boolean of its body
---Raises in hooks.
---Example: `mover:setEnabled(false)`
function AnyMover:setEnabled(enabled) end

---Moves by (dx, dy), as far as obstacles let it. Call it once before each step, with the step's dt, also for a mover that stands still.
---It slides along walls, ceilings and slopes. On ground, slopes of up to maxSlopeAngle, it keeps its speed along the plane of `up`, does not slide down, and
---follows the ground down by up to snapDistance unless the motion leads up. Steeper slopes are walls from below. It climbs steps of up to stepHeight while it
---stands on the ground. Obstacles that have come too near push it away, kinematic ones by up to its length in a move. In the step after, it moves with its
---ground, as the point under its feet and the surface of a belt do, and pushes dynamic bodies in its way up to its speed, by at most maxForce, and presses with
---its weight on those it stands on. Those that hit it push it: both go on at their common speed, less by its force, as long as they follow it.
---The mover is at its new position at once. In the step after, sensors and render positions see its body move there; to the contacts of other bodies it is there
---already, and moves only with its ground: what lies on its head is not carried along. Only a mover with joints makes its whole motion in the step, with what hangs on them.
---@param dx number [length]
---@param dy number
---@param dt number > 0 [s]
---@return number x, number y the new position [length]
---@return integer hits number of contacts, see contacts
---Raises when the body is disabled or not kinematic, the error of the world's filter, in hooks, and when memory runs out.
---Example: `local x, y, hits = player:move(5 * dt, vy * dt, dt)`
function Mover:move(dx, dy, dt) end

---@return number x, number y of its body's origin [length]
---Example: `local x, y = mover:getPosition()`
function Mover:getPosition() end

---Puts it somewhere else, without regard to obstacles.
---@param x number [length]
---@param y number
---Raises in hooks.
---Example: `mover:setPosition(3, 2)`
function Mover:setPosition(x, y) end

---@return number x, number y what became of the last move, divided by its dt, without the motion of the ground [length/s]
---Example: `local vx, vy = mover:getVelocity()`
function Mover:getVelocity() end

---@return number x, number y a unit vector, or 0, 0: nothing is ground
---Example: `print(mover:getUp())`
function Mover:getUp() end

---Sets the direction that is up, as for walks on a planet, and rotates the body about its origin by the same angle.
---@param x number of any length but 0
---@param y number
---Raises when both are 0, and in hooks.
---Example: `mover:setUp(x - planetX, y - planetY)`
function Mover:setUp(x, y) end

---Replaces the shape, unless it would overlap an obstacle: to stand up, or to duck. The body's origin stays where it is: both shapes must end at the same feet,
---as d2.capsule(0, -0.5, 0, 0.5, 0.3) and d2.capsule(0, -0.5, 0, -0.1, 0.3) do.
---@param shape collide.Shape convex and bounded
---@return boolean fitted false: the old shape stays
---Raises as move.
---Example: `if not player:setShape(standing) then duck = true end`
function Mover:setShape(shape) end

---@param shape collide.Shape convex and bounded
---@param x? number position, default: its own [length]
---@param y? number
---@return boolean fits whether the mover, with the shape, would overlap no obstacle. A one-sided surface is one from both sides, a collider with oneWay only from its own
---Raises as move.
---Example: `if player:fits(standing) then ... end`
function Mover:fits(shape, x, y) end

---@return "ground"|"steep"|"air" state after the last move: whether it stands on ground, touches only steeper slopes below it, or nothing. Between steep slopes that
---hold it, it stands. An edge that it passes on its way up is no ground, nor is a surface from which the move leads up and away
---Example: `if mover:getGroundState() == "steep" then ... end`
function AnyMover:getGroundState() end

---@return boolean grounded whether the state is "ground"
---Example: `vy = player:isGrounded() and (jump and 8 or 0) or vy - 20 * dt`
function AnyMover:isGrounded() end

---As AnyBody:dropThrough of its body.
---@param ticks integer? default 1
---Raises in hooks and when memory runs out.
---Example: `if down then player:dropThrough() end`
function AnyMover:dropThrough(ticks) end

---The ground on which it stands, or slides down.
---@return collide.Collider? collider, number x, number y, number nx, number ny, number vx, number vy point, normal of the contact, and velocity of the ground there; nil in the air
---Example: `local collider, x, y, nx, ny, vx, vy = player:getGround()`
function Mover:getGround() end

---@return boolean crushed whether the last move ended inside a static or kinematic obstacle, as there was no room
---Example: `if player:isCrushed() then die() end`
function AnyMover:isCrushed() end

---Iterates over what the last move was stopped or deflected by, in this order; the ground on which it only stands is not among them. At most 16.
---@return fun(): collide.Collider, number, number, number, number, number iterator of rows collider, x, y, nx, ny, fraction: point, normal towards the mover, part of the move
---Example: `for collider, x, y, nx, ny, fraction in player:contacts() do ... end`
function Mover:contacts() end

---@return number angle [rad]
---Example: `print(mover:getMaxSlopeAngle())`
function AnyMover:getMaxSlopeAngle() end

---@param angle number 0 to 1.5707 [rad]
---Raises when it is out of range, and in hooks.
---Example: `mover:setMaxSlopeAngle(0.8)`
function AnyMover:setMaxSlopeAngle(angle) end

---@return number height [length]
---Example: `print(mover:getStepHeight())`
function AnyMover:getStepHeight() end

---@param height number >= 0 [length]
---Raises when it is out of range, and in hooks.
---Example: `mover:setStepHeight(0.3)`
function AnyMover:setStepHeight(height) end

---@return number distance [length]
---Example: `print(mover:getSnapDistance())`
function AnyMover:getSnapDistance() end

---@param distance number >= 0 [length]
---Raises when it is out of range, and in hooks.
---Example: `mover:setSnapDistance(0.5)`
function AnyMover:setSnapDistance(distance) end

---@return number skin [length]
---Example: `print(mover:getSkin())`
function AnyMover:getSkin() end

---@param skin number > 0 [length]
---Raises when it is out of range, and in hooks.
---Example: `mover:setSkin(0.02)`
function AnyMover:setSkin(skin) end

---@return number mass
---Example: `print(mover:getMass())`
function AnyMover:getMass() end

---@param mass number >= 0
---Raises when it is out of range, and in hooks.
---Example: `mover:setMass(80)`
function AnyMover:setMass(mass) end

---@return number force
---Example: `print(mover:getMaxForce())`
function AnyMover:getMaxForce() end

---@param force number >= 0
---Raises when it is out of range, and in hooks.
---Example: `mover:setMaxForce(500)`
function AnyMover:setMaxForce(force) end

---A shape attached to a body. These methods are the same in 2D and 3D.
---@class collide.AnyCollider
---@field data any user data, kept as long as the collider lives; any other field raises
local AnyCollider = {}

---A 2D collider.
---@class collide.Collider : collide.AnyCollider
local Collider = {}

---Removes the collider from its body. A second call does nothing.
---Raises in hooks.
---Example: `collider:destroy()`
function AnyCollider:destroy() end

---@return boolean valid false when it, its body or its world is destroyed
---Example: `if collider:isValid() then ... end`
function AnyCollider:isValid() end

---@return collide.Body
---Example: `local body = collider:getBody()`
function Collider:getBody() end

---Loops over the contact points of the collider: rows as those of the world's contacts(), with this collider as a, so that the normal points away from it.
---@return fun(): collide.Collider, collide.Collider, number, number, number, number, number, number, number, integer?, integer? rows a, b, nx, ny, x, y, separation, impulse, tangentImpulse, partA, partB [length, mass length/s]
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for own, other, nx, ny in collider:contacts() do ... end`
function Collider:contacts() end

---@return collide.Shape? shape nil for tiles
---Example: `print(collider:getShape():getType())`
function Collider:getShape() end

---Sets a cell of tiles. Wakes what rests there, and bodies that the cell may overlap.
---@param i integer column, from 1
---@param j integer row, from 1, the lowest
---@param kind integer 0: empty
---@param flags? string words with spaces between them, each of which flips or turns the cell once more, counter-clockwise: "flipX", "flipY", "turn90", "turn180", "turn270"
---Raises for cells outside the grid, on colliders that are not tiles, in hooks, and when memory runs out.
---Example: `map:setCell(10, 2, 2, "flipX")`
function Collider:setCell(i, j, kind, flags) end

---Sets the cells of a rectangle of tiles. Faster than cell by cell.
---@param i1 integer column
---@param j1 integer row
---@param i2 integer column, at least i1
---@param j2 integer row, at least j1
---@param kind integer 0: empty
---@param flags? string as of setCell
---Raises as setCell.
---Example: `map:fillCells(1, 1, 40, 2, 1)`
function Collider:fillCells(i1, j1, i2, j2, kind, flags) end

---@param i integer column, from 1
---@param j integer row, from 1, the lowest
---@return integer kind 0: empty
---@return string? flags at most one flip and one turn
---@return string? name of the kind
---Raises for cells outside the grid, and on colliders that are not tiles.
---Example: `local kind, flags = map:getCell(10, 2)`
function Collider:getCell(i, j) end

---@param x number in the world [length]
---@param y number
---@return integer? i column; nothing outside the grid
---@return integer? j row
---@return integer? kind, string? flags, string? name as of getCell
---Raises on colliders that are not tiles.
---Example: `local i, j, kind = map:cellAt(mouseX, mouseY)`
function Collider:cellAt(x, y) end

---The cell that a contact, a ray or a cast has hit: of its `part`, which is (j - 1) * columns + i.
---@param part integer
---@return integer i column
---@return integer j row
---@return integer kind, string? flags, string? name as of getCell
---Raises on colliders that are not tiles.
---Example: `local i, j, kind = map:cellOf(part)`
function Collider:cellOf(part) end

---@return integer bytes of the tiles: their cells and faces; those of the faces in the broad phase are in world:getByteCount()
---Raises on colliders that are not tiles.
---Example: `print(map:getByteCount() / (columns * rows))`
function Collider:getByteCount() end

---Replaces the shape. The body's mass is recomputed.
---@param shape collide.Shape
---Raises on a chain or half-plane on a dynamic body unless the collider is a sensor, on tiles, in hooks, and when memory runs out.
---Example: `collider:setShape(d2.circle(1))`
function Collider:setShape(shape) end

---@return number density [mass/length^2, in 3D mass/length^3]
---Example: `local density = collider:getDensity()`
function AnyCollider:getDensity() end

---@param density number [mass/length^2, in 3D mass/length^3] 0, or from 1e-9 to 1e7
---Raises in hooks.
---Example: `collider:setDensity(2)`
function AnyCollider:setDensity(density) end

---@return number friction
---Example: `local friction = collider:getFriction()`
function AnyCollider:getFriction() end

---@param friction number >= 0; affects existing contacts, too
---Raises in hooks.
---Example: `ice:setFriction(0.02)`
function AnyCollider:setFriction(friction) end

---@return number restitution
---Example: `local restitution = collider:getRestitution()`
function AnyCollider:getRestitution() end

---@param restitution number >= 0; affects existing contacts, too
---Raises in hooks.
---Example: `collider:setRestitution(0.8)`
function AnyCollider:setRestitution(restitution) end

---@return number rollingResistance as a fraction of the radius
---Example: `local resistance = collider:getRollingResistance()`
function AnyCollider:getRollingResistance() end

---@param rollingResistance number >= 0; affects existing contacts, too
---Raises in hooks.
---Example: `collider:setRollingResistance(0.01)`
function AnyCollider:setRollingResistance(rollingResistance) end

---@return string? name of its material, not of those of its shape's parts
---Example: `if collider:getMaterialName() == "ice" then ... end`
function AnyCollider:getMaterialName() end

---@param name string? of the material
---Raises in hooks, and when the program has used 65,535 other names.
---Example: `collider:setMaterialName("ice")`
function AnyCollider:setMaterialName(name) end

---@return collide.Mixing? mixing its own rule; nil: the world's
---Example: `local rule = collider:getFrictionMixing()`
function AnyCollider:getFrictionMixing() end

---@param mixing collide.Mixing? a rule of its own, see collide.AnyMaterial; nil: the world's; affects existing contacts, too
---Raises in hooks.
---Example: `ice:setFrictionMixing("minimum")`
function AnyCollider:setFrictionMixing(mixing) end

---@return collide.Mixing? mixing its own rule; nil: the world's
---Example: `local rule = collider:getRestitutionMixing()`
function AnyCollider:getRestitutionMixing() end

---@param mixing collide.Mixing? a rule of its own, see collide.AnyMaterial; nil: the world's; affects existing contacts, too
---Raises in hooks.
---Example: `mattress:setRestitutionMixing("multiply")`
function AnyCollider:setRestitutionMixing(mixing) end

---@return number speed of the surface [length/s]
---Example: `local speed = belt:getTangentSpeed()`
function Collider:getTangentSpeed() end

---@param speed number of the surface, as on a conveyor belt; affects existing contacts, too [length/s]
---Raises in hooks.
---Example: `belt:setTangentSpeed(2)`
function Collider:setTangentSpeed(speed) end

---@return string layer
---Example: `if collider:getLayer() == "coin" then ... end`
function AnyCollider:getLayer() end

---@param layer string one of the world's
---Raises when there is no such layer (with a suggestion), and in hooks.
---Example: `collider:setLayer("ghost")`
function AnyCollider:setLayer(layer) end

---@return integer group
---Example: `local group = collider:getGroup()`
function AnyCollider:getGroup() end

---@param group integer two of the same group collide always (> 0) or never (< 0); 0 leaves it to the layers
---Raises in hooks.
---Example: `collider:setGroup(-1)`
function AnyCollider:setGroup(group) end

---@return string[]? layers a new list of the layers of this collider alone; nil: the world's decide
---Example: `local layers = collider:getCollidesWith()`
function AnyCollider:getCollidesWith() end

---The layers that this collider collides with, whatever the world says of its layer. Of two colliders with lists, each must list the other's layer. Groups go
---before lists.
---@param layers string[]? nil: the world's decide
---Raises when there is no such layer (with a suggestion), and in hooks.
---Example: `ghost:setCollidesWith { "ground" }`
function AnyCollider:setCollidesWith(layers) end

---@return boolean sensor
---Example: `if collider:isSensor() then ... end`
function AnyCollider:isSensor() end

---@return boolean preSolve
---Example: `local decides = collider:isPreSolve()`
function AnyCollider:isPreSolve() end

---Whether the world's preSolve function decides on this collider's contacts. Wakes its body, and the bodies that touch it.
---@param preSolve boolean
---Raises in hooks.
---Example: `collider:setPreSolve(true)`
function AnyCollider:setPreSolve(preSolve) end

---The normal of the side from which it is solid, in the body's frame.
---@return number? x, number? y, number? z nil: it is solid from all sides
---Example: `local nx, ny = platform:getOneWay()`
function AnyCollider:getOneWay() end

---Makes the collider solid from the side of the normal alone: what comes from there stops, stacks on it too; what comes from below, beside or within passes.
---Wakes its body, and the bodies that touch it.
---@param x number? of the normal, of any length, in the body's frame; nil: solid from all sides
---@param y number?
---@param z number? in 3D
---Raises when the normal is 0, and in hooks.
---Example: `platform:setOneWay(0, 1)`
function AnyCollider:setOneWay(x, y, z) end

---Makes a collider a sensor, or solid, from the next step on: its contacts or overlaps end.
---@param sensor boolean must be true for terrain on a dynamic body
---Raises on tiles, whose kinds say what is a sensor, and in hooks.
---Example: `door:setSensor(true)`
function AnyCollider:setSensor(sensor) end

---Loops over the colliders that overlap this sensor: those whose overlaps have begun and not ended. None if it is solid. Visitors destroyed during the loop
---are left out.
---@return fun(): collide.Collider
---Raises in hooks; the loop raises when the world is stepped meanwhile.
---Example: `for visitor in goal:overlaps() do ... end`
function Collider:overlaps() end

---@return number x1, number y1, number x2, number y2 the AABB in the world [length]
---Example: `local x1, y1, x2, y2 = collider:getBox()`
function Collider:getBox() end

---@param x number in the world [length]
---@param y number
---@return boolean inside always false for segments and chains
---Example: `if collider:containsPoint(mouseX, mouseY) then ... end`
function Collider:containsPoint(x, y) end

---Where the ray hits this collider. Ignores all others.
---@param x1 number in the world [length]
---@param y1 number
---@param x2 number
---@param y2 number
---@param options? collide.QueryOptions only startInside
---@return number? x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when it misses
---Example: `local x, y, nx, ny, fraction = collider:raycast(0, 10, 0, -10)`
function Collider:raycast(x1, y1, x2, y2, options) end

---Where the shape hits this collider while it moves from the pose: see World:shapecast.
---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@param dx number displacement of the shape, which does not rotate [length]
---@param dy number
---@param options? collide.QueryOptions only startInside
---@return number? x, number y, number nx, number ny, number fraction, integer? part, string? kind nil when it misses
---Example: `local x, y, nx, ny, fraction = collider:shapecast(d2.circle(0.5), d2.pose(0, 10), 0, -20)`
function Collider:shapecast(shape, pose, dx, dy, options) end

---@param shape collide.Shape
---@param pose? collide.Pose|number[]
---@return boolean overlap whether the shape at the pose overlaps this collider
---Example: `if zone:overlapShape(d2.circle(3), d2.pose(x, y)) then ... end`
function Collider:overlapShape(shape, pose) end

---The point of this collider's surface that is closest to the point: see World:nearest.
---@param x number in the world [length]
---@param y number
---@param options? collide.QueryOptions only maxDistance
---@return number? x, number y, number distance, number nx, number ny, integer? part, string? kind nil when it is farther than maxDistance
---Example: `local cx, cy, distance = collider:closestPoint(x, y)`
function Collider:closestPoint(x, y, options) end

-- Indexes --------------------------------------------------------------------------------------------------------------------
--
-- Spatial indexes without a world: any Lua value may have an AABB, in 2D or 3D. A tree, a sweep and a grid take the same calls and
-- return the same results in the same order; they differ only in speed. Results are exact for the given numbers at any distance from
-- the origin; touching boxes overlap. In 3D every point has a third number, and every box two corners of three numbers.
--
-- Queries return lists, in the order of insertion unless stated otherwise. The last argument, `into`, is a table to be filled from 1
-- instead of a new one; its entries after the results are cleared. With it no call makes garbage.

---@class collide.TreeOptions
---@field dimensions? integer 2 (the default) or 3
---@field margin? number by which the tree enlarges its own boxes, so that smaller moves cost almost nothing, default 0 [length]

---@class collide.SweepOptions
---@field dimensions? integer 2 (the default) or 3

---@class collide.GridOptions
---@field dimensions? integer 2 (the default) or 3
---@field cellSize number side of a cell: about the size of most boxes, required [length]

---@class collide.Index
local Index = {}

---A tree of AABBs (dynamic bounding volume hierarchy): for boxes of any sizes, and for queries of any kind between changes.
---@param options? collide.TreeOptions
---@return collide.Index
---Raises on unknown keys, and when memory runs out.
---Example: `local index = collide.newTree { dimensions = 3 }`
function collide.newTree(options) end

---Sort and sweep: boxes sorted along the axis on which they spread most. Best for finding all pairs of boxes that move little between queries. A
---query after a change costs a pass over all boxes.
---@param options? collide.SweepOptions
---@return collide.Index
---Raises on unknown keys, and when memory runs out.
---Example: `local index = collide.newSweep()`
function collide.newSweep(options) end

---An unbounded grid of cells (spatial hash): for many boxes of similar size. Every query tests the boxes that overlap more than 64 cells.
---@param options collide.GridOptions
---@return collide.Index
---Raises without a cellSize, on unknown keys, and when memory runs out.
---Example: `local index = collide.newGrid { cellSize = 2 }`
function collide.newGrid(options) end

---@param item any but nil and nan; not in the index yet
---@param x1 number lower corner [length]
---@param y1 number
---@param x2 number upper corner, not below the lower one [length]
---@param y2 number
---@overload fun(self: collide.Index, item: any, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number)
---Raises when the item is in the index already, on a box whose upper corner is below the lower one, and when memory runs out.
---Example: `index:insert(player, x, y, x + 1, y + 2)`
function Index:insert(item, x1, y1, x2, y2) end

---Gives an item another box.
---@param item any in the index
---@param x1 number lower corner [length]
---@param y1 number
---@param x2 number upper corner [length]
---@param y2 number
---@overload fun(self: collide.Index, item: any, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number)
---Raises as insert does, and when the item is not in the index.
---Example: `index:move(player, x, y, x + 1, y + 2)`
function Index:move(item, x1, y1, x2, y2) end

---@param item any
---@return boolean removed false when it was not in the index
---Example: `index:remove(player)`
function Index:remove(item) end

---Removes all items; keeps the memory for later ones.
---Example: `index:clear()`
function Index:clear() end

---@param item any
---@return boolean contains
---Example: `if not index:contains(player) then ... end`
function Index:contains(item) end

---@param item any in the index
---@return number x1, number y1, number x2, number y2 as given; in 3D x1, y1, z1, x2, y2, z2 [length]
---Raises when the item is not in the index.
---Example: `local x1, y1, x2, y2 = index:getBox(player)`
function Index:getBox(item) end

---@return integer count of items
---Example: `print(index:getCount())`
function Index:getCount() end

---@return "tree"|"sweep"|"grid"
---Example: `assert(index:getType() == "tree")`
function Index:getType() end

---@param x1 number lower corner [length]
---@param y1 number
---@param x2 number upper corner [length]
---@param y2 number
---@param into? table
---@return any[] items whose boxes overlap the box
---@overload fun(self: collide.Index, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, into?: table): any[]
---Raises when the upper corner is below the lower one.
---Example: `for _, item in ipairs(index:queryBox(0, 0, 10, 10, list)) do ... end`
function Index:queryBox(x1, y1, x2, y2, into) end

---@param x number [length]
---@param y number
---@param into? table
---@return any[] items whose boxes contain the point
---@overload fun(self: collide.Index, x: number, y: number, z: number, into?: table): any[]
---Example: `local under = index:queryPoint(mouseX, mouseY)`
function Index:queryPoint(x, y, into) end

---@param x1 number start of the ray [length]
---@param y1 number
---@param x2 number its end [length]
---@param y2 number
---@param into? table
---@return any[] hits item, fraction, item, fraction, ...: the boxes that the ray hits, nearest first, and the ray fraction of each, 0 to 1; 0 if it starts inside. Equal ones by order of insertion
---@overload fun(self: collide.Index, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, into?: table): any[]
---Example: `local hits = index:queryRay(0, 0, 100, 0) local first, fraction = hits[1], hits[2]`
function Index:queryRay(x1, y1, x2, y2, into) end

---@param shape collide.Shape|collide.d3.Shape of as many dimensions as the index
---@param pose? collide.Pose|collide.d3.Pose of the shape
---@param into? table
---@return any[] items whose boxes the shape itself overlaps
---Raises when the shape or the pose is of another dimension.
---Example: `local near = index:queryShape(d2.circle(3), d2.pose(x, y))`
function Index:queryShape(shape, pose, into) end

---@param x number [length]
---@param y number
---@param count? integer the most items to return, default 1
---@param into? table
---@return any[] found item, distance, item, distance, ...: those whose boxes are nearest to the point, nearest first; 0 for boxes around it. Equal ones by order of insertion [length]
---@overload fun(self: collide.Index, x: number, y: number, z: number, count?: integer, into?: table): any[]
---Example: `local found = index:nearest(x, y, 3) local item, distance = found[1], found[2]`
function Index:nearest(x, y, count, into) end

---@param into? table
---@return any[] pairs a, b, a, b, ...: all pairs of items whose boxes overlap, each once, a inserted before b; sorted by a, then by b
---Example: `local list = index:pairs(list) for i = 1, #list, 2 do collide_them(list[i], list[i + 1]) end`
function Index:pairs(into) end

---Measures of an index's efficiency; each kind has its own.
---@class collide.IndexStatistics
---@field height? integer of a tree: from the root to the deepest item, at least the logarithm to base 2 of the count
---@field cost? number of a tree: the sum of the perimeters (in 3D sums of sides) of all inner nodes, divided by that of the root. The time of a query grows with it
---@field replaced? integer of a tree: moves since its creation that reinserted an item; the others stayed within the margin
---@field axis? "x"|"y"|"z" of a sweep: the current sort axis, that of the centres' greatest variance. It changes when another axis has 1.5 times its variance
---@field comparisons? integer of a sweep: pairs of boxes that overlap along the axis, which `pairs` compares
---@field entries? integer of a grid: the number of cells of each item, summed up. Many cells per item: the cells are too small
---@field large? integer of a grid: items over more than 64 cells, which every query tests

---Measures for choosing the kind of index and its options for the given boxes. They cost a pass over the whole tree, and more for a sweep.
---@param into? table to be filled in place, so that no garbage is made
---@return collide.IndexStatistics statistics the table given, or a new one
---Raises when `into` is not a table.
---Example: `local statistics = index:getStatistics() print(statistics.height, statistics.cost)`
function Index:getStatistics(into) end

---Checks every invariant of the index, for tests of the engine itself.
---Raises when one is broken.
---Example: `index:validate()`
function Index:validate() end

-- Geometry on plain numbers --------------------------------------------------------------------------------------------------
--
-- These functions need no shapes and no world, and make no garbage. Boxes are given by their full sizes, which may be 0. Touching counts as overlap.
-- Sources: Gomez, "Simple Intersection Tests for Games", 1999; Firth, "Collision Detection for Dummies", 2011; both with corrections. Negative sizes,
-- and numbers that are not finite, raise an error.

---When two moving discs touch: A moves from (ax0, ...) to (ax1, ...) while B moves from (bx0, ...) to (bx1, ...). Only hits within the motion count.
---Discs that overlap at the start hit at u0 = 0, with the normal at the start (concentric: +x).
---@param ax0 number [length]
---@param ay0 number
---@param ax1 number [length]
---@param ay1 number
---@param ra number >= 0 [length]
---@param bx0 number [length]
---@param by0 number
---@param bx1 number [length]
---@param by1 number
---@param rb number >= 0 [length]
---@return boolean hit
---@return number u0, number u1 fractions of the motion: first contact, 0 to 1, and last contact, which may exceed 1 and is math.huge if they never separate
---@return number nx, number ny unit, from A to B, at the first contact
---Example: `local hit, u0, u1, nx, ny = d2.circleCircleSweep(0, 0, 4, 0, 1, 5, 0, 5, 0, 1)`
function d2.circleCircleSweep(ax0, ay0, ax1, ay1, ra, bx0, by0, bx1, by1, rb) end

---When a moving disc touches a line, from either side of it.
---@param x0 number [length]
---@param y0 number
---@param x1 number [length]
---@param y1 number
---@param radius number >= 0 [length]
---@param nx number the line's normal, of any length but 0
---@param ny number
---@param offset number distance of the line from the origin along the normal [length]
---@return boolean hit
---@return number u fraction of the motion; 0 when it touches at the start
---@return number nx, number ny unit, from the disc to the line
---@return number cx, number cy its centre at that time [length]
---Raises when the normal is zero.
---Example: `local hit, u = d2.circlePlaneSweep(0, 5, 0, -5, 1, 0, 1, 0)`
function d2.circlePlaneSweep(x0, y0, x1, y1, radius, nx, ny, offset) end

---When a moving disc touches the inner side of a line, where normal . p <= offset. A disc wholly inside touches at u = 0, too.
---@param x0 number [length]
---@param y0 number
---@param x1 number [length]
---@param y1 number
---@param radius number >= 0 [length]
---@param nx number the line's normal, of any length but 0
---@param ny number
---@param offset number distance of the line from the origin along the normal [length]
---@return boolean hit
---@return number u fraction of the motion; 0 when it touches at the start
---@return number nx, number ny unit, inwards
---@return number cx, number cy its centre at that time [length]
---Raises when the normal is zero.
---Example: `local hit, u = d2.circleHalfPlaneSweep(0, 5, 0, -5, 1, 0, 1, 0)`
function d2.circleHalfPlaneSweep(x0, y0, x1, y1, radius, nx, ny, offset) end

---When two moving axis-aligned boxes touch. Boxes that overlap at the start hit at u0 = 0, with the normal of least depth.
---@param ax0 number centre of A at the start [length]
---@param ay0 number
---@param ax1 number [length]
---@param ay1 number
---@param aw number >= 0 [length]
---@param ah number >= 0
---@param bx0 number [length]
---@param by0 number
---@param bx1 number [length]
---@param by1 number
---@param bw number >= 0 [length]
---@param bh number >= 0
---@return boolean hit
---@return number u0, number u1 fractions of the motion: first contact, 0 to 1, and last contact, which may exceed 1 and is math.huge if they never separate
---@return number nx, number ny along the axis on which they touch, from A to B
---Example: `local hit, u0, u1, nx, ny = d2.boxBoxSweep(0, 0, 4, 0, 2, 2, 5, 0, 5, 0, 2, 2)`
function d2.boxBoxSweep(ax0, ay0, ax1, ay1, aw, ah, bx0, by0, bx1, by1, bw, bh) end

---Whether a disc and a solid box overlap (Arvo's test), and the box's closest point to the centre: inside, the centre itself.
---@param cx number [length]
---@param cy number
---@param radius number >= 0 [length]
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@return boolean overlap
---@return number distanceSquared of the centre from the box [length^2]
---@return number px, number py [length]
---@overload fun(cx: number, cy: number, radius: number, width: number, height: number, x: number, y: number, angle?: number): boolean, number, number, number
---Example: `local overlap, d2, px, py = d2.circleBoxOverlap(3, 0, 1, 2, 2, 1, 0, math.pi / 4)`
function d2.circleBoxOverlap(cx, cy, radius, width, height, pose) end

---The signed distance of a point from a box's surface, negative inside. With B's centre as the point and the sums of both boxes' sizes, it gives the
---least translation that separates two axis-aligned boxes or brings them into contact.
---@param px number [length]
---@param py number
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@return number distance [length]
---@return number nx, number ny unit, outwards; inside, of the first of the nearest faces
---@return number sx, number sy closest point of the surface [length]
---@overload fun(px: number, py: number, width: number, height: number, x: number, y: number, angle?: number): number, number, number, number, number
---Example: `local distance, nx, ny = d2.boxSignedDistance(0.5, 0, 2, 2)`
function d2.boxSignedDistance(px, py, width, height, pose) end

---Whether two boxes of any orientation overlap, by separating axes.
---@param aw number >= 0 [length]
---@param ah number >= 0
---@param apose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@param bw number >= 0 [length]
---@param bh number >= 0
---@param bpose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@return boolean overlap
---@return integer? axis the first that separates: 1, 2 are A's, 3, 4 B's; nil when they overlap
---@overload fun(aw: number, ah: number, apose?: collide.Pose, bw: number, bh: number, bx: number, by: number, bangle?: number): boolean, integer?
---@overload fun(aw: number, ah: number, ax: number, ay: number, aangle?: number, bw: number, bh: number, bpose?: collide.Pose): boolean, integer?
---@overload fun(aw: number, ah: number, ax: number, ay: number, aangle?: number, bw: number, bh: number, bx: number, by: number, bangle?: number): boolean, integer?
---Example: `local overlap, axis = d2.boxBoxOverlap(2, 2, nil, 2, 2, 2.3, 0, math.pi / 4)`
function d2.boxBoxOverlap(aw, ah, apose, bw, bh, bpose) end

---Whether a solid box and a segment overlap: line of sight.
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@param x1 number [length]
---@param y1 number
---@param x2 number [length]
---@param y2 number
---@return boolean overlap
---@return integer? axis the first that separates: 1, 2 are the box's, 3 the segment's normal; nil when they overlap
---@overload fun(width: number, height: number, x: number, y: number, angle?: number, x1: number, y1: number, x2: number, y2: number): boolean, integer?
---Example: `local blocked = d2.boxSegmentOverlap(2, 2, nil, -3, 0, 3, 0.5)`
function d2.boxSegmentOverlap(width, height, pose, x1, y1, x2, y2) end

---Whether a box overlaps a line. It overlaps the half-plane behind the line when distance <= radius.
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@param nx number the line's normal, of any length but 0
---@param ny number
---@param offset number distance of the line from the origin along the normal [length]
---@return boolean overlap
---@return number distance of the centre, signed [length]
---@return number radius half the box's projection on the normal [length]
---@overload fun(width: number, height: number, x: number, y: number, angle?: number, nx: number, ny: number, offset: number): boolean, number, number
---Raises when the normal is zero.
---Example: `local overlap, distance, radius = d2.boxPlane(2, 2, nil, 0, 1, -3)`
function d2.boxPlane(width, height, pose, nx, ny, offset) end

---The AABB of a box of any orientation.
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@return number x1, number y1, number x2, number y2 [length]
---@overload fun(width: number, height: number, x: number, y: number, angle?: number): number, number, number, number
---Example: `local x1, y1, x2, y2 = d2.boxBounds(2, 1, 0, 0, math.pi / 4)`
function d2.boxBounds(width, height, pose) end

---Half the length of a box's projection on a direction, times the direction's length, which need not be 1.
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@param lx number the direction
---@param ly number
---@return number radius
---@overload fun(width: number, height: number, x: number, y: number, angle?: number, lx: number, ly: number): number
---Example: `local r = d2.projectionRadius(2, 1, nil, 1, 1)`
function d2.projectionRadius(width, height, pose, lx, ly) end

---The AABB of a box, or of a shape inside it, while its centre moves and it rotates about the centre. Rotation moves no point farther than its arc,
---angle times radius, and no point is ever farther than radius from the centre.
---@param width number >= 0 [length]
---@param height number >= 0
---@param pose? collide.Pose or the three numbers x, y, angle; nil: at the origin
---@param dx number translation of the centre [length]
---@param dy number
---@param turn? number the greatest rotation in either direction, default 0 [rad]
---@param radius? number of the shape's farthest point from the centre, default that of the box's corners [length]
---@return number x1, number y1, number x2, number y2 [length]
---@overload fun(width: number, height: number, x: number, y: number, angle?: number, dx: number, dy: number, turn?: number, radius?: number): number, number, number, number
---Example: `local x1, y1, x2, y2 = d2.sweptBounds(2, 1, nil, 5, 0, math.pi)`
function d2.sweptBounds(width, height, pose, dx, dy, turn, radius) end

---The AABB of a list of points.
---@param points number[] flat, at least one point: { x1, y1, ... } [length]
---@return number x1, number y1, number x2, number y2 [length]
---Raises when the list is empty.
---Example: `local x1, y1, x2, y2 = d2.buildAabb { 1, 5, -2, 3 }`
function d2.buildAabb(points) end

---The AABB of two AABBs.
---@param ax1 number [length]
---@param ay1 number
---@param ax2 number [length]
---@param ay2 number
---@param bx1 number [length]
---@param by1 number
---@param bx2 number [length]
---@param by2 number
---@return number x1, number y1, number x2, number y2 [length]
---Raises when the upper corner of one is below its lower corner.
---Example: `local x1, y1, x2, y2 = d2.combineAabbs(0, 0, 1, 1, 2, 2, 3, 3)`
function d2.combineAabbs(ax1, ay1, ax2, ay2, bx1, by1, bx2, by2) end

---The line through two points. Its normal is to the right of the direction from the first to the second: outwards for counter-clockwise outlines,
---with the solid on the left, as for chains.
---@param x1 number [length]
---@param y1 number
---@param x2 number [length]
---@param y2 number
---@return number nx, number ny unit
---@return number offset normal . p = offset on it [length]
---Raises when the points are the same.
---Example: `local nx, ny, offset = d2.planeFromPoints(5, 3, 1, 3)`
function d2.planeFromPoints(x1, y1, x2, y2) end

---The real roots of a x^2 + b x + c, ascending, accurate to the last digits. A double root counts twice; with a = 0 there is at most one. A
---root that overflows is left out.
---@param a number
---@param b number
---@param c number
---@return number? r1, number? r2 nothing when there are none
---Example: `local r1, r2 = d2.quadratic(1, -3, 2)`
function d2.quadratic(a, b, c) end

---The closest point to p on the segment from a to b, as wa a + wb b. Both ends may be the same.
---@param px number [length]
---@param py number
---@param ax number [length]
---@param ay number
---@param bx number [length]
---@param by number
---@return number x, number y [length]
---@return number wa, number wb weights, 0 to 1, of sum 1
---Example: `local x, y, wa, wb = d2.closestPointOnSegment(1, 5, 0, 0, 4, 0)`
function d2.closestPointOnSegment(px, py, ax, ay, bx, by) end

---The closest point to p on the solid triangle, as wa a + wb b + wc c. Corners may be the same or collinear.
---@param px number [length]
---@param py number
---@param ax number [length]
---@param ay number
---@param bx number [length]
---@param by number
---@param cx number [length]
---@param cy number
---@return number x, number y [length]
---@return number wa, number wb, number wc weights, 0 to 1, of sum 1
---Example: `local x, y, wa, wb, wc = d2.closestPointOnTriangle(1, 5, 0, 0, 4, 0, 0, 4)`
function d2.closestPointOnTriangle(px, py, ax, ay, bx, by, cx, cy) end

---@class collide.SlideOptions
---@field skin? number distance kept from obstacles, > 0, default 0.01 [length]
---@field iterations? integer the most segments of the path, 1 to 64, default 8

---Collide and slide: moves by (dx, ...) and slides along obstacles. Each plane hit removes the component of the motion into it (projection, no
---reflection); two planes stop the mover. `cast` finds the first obstacle. It gets the mover's position and a motion, slightly longer than the
---remaining one, and returns whether the mover hits an obstacle, the fraction of that motion, and the normal from the mover to the obstacle, as the
---sweeps here do. It should ignore obstacles that the motion leaves (normal . motion <= 0), so that the mover can leave them. The mover moves only
---where cast found no obstacle, and never backwards: it never penetrates, and comes to rest in corners.
---@param px number [length]
---@param py number
---@param dx number the motion [length]
---@param dy number
---@param cast fun(x: number, y: number, dx: number, dy: number): boolean, number?, number?, number?
---@param options? collide.SlideOptions
---@return number x, number y the end position [length]
---@return integer iterations segments of the path
---@return integer planes that deflected or stopped it
---Raises what cast raises, when it returns something else, and on unknown keys.
---Example: `x, y = d2.slide(x, y, dx, dy, cast, { skin = 0.01 })`
function d2.slide(px, py, dx, dy, cast, options) end

---Collide and slide for a shape among shapes: moves by (dx, dy) without rotation and slides along obstacles, as d2.slide does with d2.cast. One plane
---leaves the motion along it, two planes stop the shape. The shape keeps a skin's distance from obstacles, never penetrates those that it did not
---overlap at the start, and comes to rest in corners. If it starts in overlap, or closer to an obstacle than half of the skin, it is first pushed off
---to a skin's distance, along the normal of the deepest overlap, in at most 64 rounds. Where there is not enough room, it ends at the position with
---the least maximum overlap found, and then moves only where no overlap gets deeper. Obstacles whose bounds are out of reach cost little; up to 64
---within reach make no garbage.
---@param shape collide.Shape convex and bounded
---@param pose? collide.Pose|number[]
---@param dx number the motion [length]
---@param dy number
---@param obstacles (collide.Shape|{ shape: collide.Shape, pose: collide.Pose? })[] of any type; other fields are the script's own
---@param options? collide.SlideOptions
---@return number x, number y the end position of the pose's origin [length]
---@return integer iterations segments of the path
---@return integer planes that deflected or stopped it
---Raises when the shape is unbounded or not convex, when the list has holes, and on unknown options.
---Example: `x, y = d2.slideShape(capsule, d2.pose(x, y), dx, dy, { ground, { shape = rock, pose = d2.pose(5, 1) } })`
function d2.slideShape(shape, pose, dx, dy, obstacles, options) end

---The displacement nearest to (dx, dy) that keeps a shape in front of planes: one with `distance` < 0 pushes it out.
---@param dx number [length]
---@param dy number
---@param planes { nx: number, ny: number, distance: number }[] at most 64, as those of world:contactPlanes; normals of any length but 0, towards the shape
---@return number x, number y 0, 0 if there is no such displacement
---@return boolean solved whether there is one
---Raises when the list has holes or too many entries, and when a number is missing or a normal is zero.
---Example: `local x, y = d2.solvePlanes(1, 0, { { nx = -0.6, ny = 0.8, distance = 0 } })`
function d2.solvePlanes(dx, dy, planes) end

---@class collide.d2.HeightmapOptions
---@field heights number[] at equal steps, at least 2 [length]
---@field cellWidth number distance between heights, > 0 [length]
---@field x? number of the first height, default 0 [length]
---@field columns? integer number of heights, default that of the list

---A heightmap: heights at equal steps along x, as an immutable value. It has one height for each x, so no overhangs.
---@param options collide.d2.HeightmapOptions
---@return collide.Heightmap
---Raises when there are too few heights, and on unknown keys.
---Example: `local hills = d2.heightmap { cellWidth = 2, heights = { 0, 1, 1, -2 } }`
function d2.heightmap(options) end

---Decomposes a simple polygon of either winding into convex pieces, exactly: no new points, no gaps, no overlaps (ear clipping, Delaunay diagonals,
---then Hertel and Mehlhorn: at most four times the least number of pieces). Duplicate points, and points on the line between their neighbours, are
---skipped.
---@param points number[] flat: { x1, y1, x2, y2, ... }; 3 to 16384 points [length]
---@param holes? table nil or an empty list: holes are not supported
---@return number[][] pieces flat lists of 3 to 64 points, counter-clockwise, strictly convex
---Raises when edges cross or touch, when the outline doubles back on itself, when all points are collinear, on coordinates other than 0 below 1e-140
---in size, and on holes.
---Example: `for _, piece in ipairs(d2.decompose(points)) do shapes[#shapes + 1] = { shape = d2.polygon(piece) } end`
function d2.decompose(points, holes) end

---Simplifies a polyline or a loop (Ramer, Douglas, Peucker). Each removed point is within the tolerance of the segment that replaces it. A loop that
---nearly crosses itself may do so afterwards. The time grows slightly faster than the number of points, for any input: about a second for 300,000.
---@param points number[] flat: { x1, y1, x2, y2, ... }; at least 2 points, 3 for a loop [length]
---@param tolerance number >= 0; at 0, only points on the line between their neighbours are removed [length]
---@param loop? boolean the last point is connected to the first, default false; at least three points stay
---@return number[] points flat [length]
---Raises when the tolerance is negative.
---Example: `local chain = d2.chain(d2.simplify(outline, 0.05, true), { loop = true })`
function d2.simplify(points, tolerance, loop) end

---@class collide.OutlinesOptions
---@field cellSize? number side of a sample's cell, default 1 [length]
---@field x? number lower left corner of the first cell, default 0 [length]
---@field y? number
---@field threshold? number values from here on are solid, default 0.5
---@field tolerance? number of d2.simplify, which each outline goes through, default 0 [length]

---The outlines of the solid part of a bitmap or of a grid of numbers, as loops for d2.chain, with the solid part inside and holes outside (marching squares).
---Values are at the middle of their cells; between them outlines lie where the threshold does if values change evenly: midway between pixels that are only
---solid or empty, as at the edge of the bitmap, around which all is empty. Solid pixels that meet at a corner are connected if the mean of the four pixels there
---reaches the threshold. Loops neither cross nor touch; with a tolerance, those that nearly do may.
---@param values (number|boolean)[] row by row, from the lowest row up; true is 1 and false 0
---@param columns integer values in a row
---@param options? collide.OutlinesOptions
---@return number[][] loops each a flat list of points { x1, y1, x2, y2, ... }: counter-clockwise, or clockwise around a hole [length]
---Raises when rows are incomplete, and on more than 2^24 values.
---Example: `for _, points in ipairs(d2.outlines(pixels, 64)) do ground:newCollider(d2.chain(points, { loop = true })) end`
function d2.outlines(values, columns, options) end

---The area within an outline: negative if it runs clockwise (y up).
---@param points number[] flat: { x1, y1, ... }, 3 or more
---@return number area [length^2]
---Raises when there are too few points.
---Example: `if d2.signedArea(points) < 0 then ... end`
function d2.signedArea(points) end

---The 3D functions. 3D worlds are in space_annotations.lua.
---@class collide.d3
local d3 = {}

-- 3D shapes ------------------------------------------------------------------------------------------------------------------

---A 3D shape: an immutable value. 2D shapes are another class: neither can replace the other.
---@class collide.d3.Shape
local SpaceShape = {}

---Position and rotation of a shape in the body's frame; without them it is centred on the origin.
---@class collide.d3.PlaceOptions
---@field x? number centre, default 0 [length]
---@field y? number default 0 [length]
---@field z? number default 0 [length]
---@field rotation? collide.d3.Rotation of its axes, default no rotation
---@field axis? number[] instead of rotation, with angle: { x, y, z } of any length but 0
---@field angle? number counter-clockwise about the axis [rad]
---@field qx? number instead of rotation, all four of them: a quaternion of any length but 0
---@field qy? number
---@field qz? number
---@field qw? number

---@class collide.d3.BoxOptions
---@field x? number centre in the body's frame, default 0 [length]
---@field y? number default 0 [length]
---@field z? number default 0 [length]
---@field rotation? collide.d3.Rotation of its axes, default no rotation
---@field axis? number[] instead of rotation, with angle: { x, y, z } of any length but 0
---@field angle? number counter-clockwise about the axis [rad]
---@field qx? number instead of rotation, all four of them: a quaternion of any length but 0
---@field qy? number
---@field qz? number
---@field qw? number
---@field radius? number of its rounded edges, which stay within the full sizes, default 0 [length]

---A ball.
---@param radius number [length] > 0
---@param x? number centre in the body's frame, default 0 [length]
---@param y? number default 0 [length]
---@param z? number default 0 [length]
---@return collide.d3.Shape
---Raises when the radius is not > 0.
---Example: `local ball = d3.sphere(0.5)`
function d3.sphere(radius, x, y, z) end

---All points within `radius` of the segment from (x1, y1, z1) to (x2, y2, z2). With two arguments, radius and full height, it is centred and upright (along y).
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param radius number [length] > 0
---@return collide.d3.Shape
---@overload fun(radius: number, height: number): collide.d3.Shape
---Raises when the radius is not > 0, and when the height is less than twice the radius.
---Example: `local player = d3.capsule(0.3, 1.8)`
function d3.capsule(x1, y1, z1, x2, y2, z2, radius) end

---The convex hull of two balls, for limbs and the like. With equal radii it is a capsule; if one ball contains the other, it is that sphere.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param radius1 number of the ball about (x1, y1, z1) [length] > 0
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param radius2 number of the other ball [length] > 0
---@return collide.d3.Shape
---Raises when a radius is not > 0.
---Example: `local calf = d3.taperedCapsule(0, 0.4, 0, 0.08, 0, 0, 0, 0.05)`
function d3.taperedCapsule(x1, y1, z1, radius1, x2, y2, z2, radius2) end

---A line segment. It has no mass, no width and no interior.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@return collide.d3.Shape
---Raises when both ends are the same point.
---Example: `local wire = d3.segment(-2, 0, 0, 2, 0, 0)`
function d3.segment(x1, y1, z1, x2, y2, z2) end

---A two-sided triangle. It has no mass and no interior.
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@param x3 number [length]
---@param y3 number [length]
---@param z3 number [length]
---@return collide.d3.Shape
---Raises when its height is less than a millionth of its longest side.
---Example: `local sail = d3.triangle(0, 0, 0, 2, 0, 0, 0, 3, 0)`
function d3.triangle(x1, y1, z1, x2, y2, z2, x3, y3, z3) end

---A box given by its full sizes, centred on the body's origin unless the options say otherwise.
---@param width number along x [length] > 0
---@param height number along y [length] > 0
---@param depth number along z [length] > 0
---@param options? collide.d3.BoxOptions
---@return collide.d3.Shape
---Raises when the radius is not less than half of the smallest size, and on unknown keys.
---Example: `local crate = d3.box(1, 1, 1, { radius = 0.05 })`
function d3.box(width, height, depth, options) end

---A cylinder along y.
---@param radius number [length] > 0
---@param height number full [length] > 0
---@param options? collide.d3.PlaceOptions
---@return collide.d3.Shape
---Raises when radius and height differ by more than a factor of 100,000, and on unknown keys.
---Example: `local can = d3.cylinder(0.3, 1)`
function d3.cylinder(radius, height, options) end

---A cone along y, with its apex half the height above the centre.
---@param radius number of its base [length] > 0
---@param height number full [length] > 0
---@param options? collide.d3.PlaceOptions
---@return collide.d3.Shape
---Raises when radius and height differ by more than a factor of 100,000, and on unknown keys.
---Example: `local tip = d3.cone(0.3, 1)`
function d3.cone(radius, height, options) end

---@param rx number half axis along x [length] > 0
---@param ry number along y [length] > 0
---@param rz number along z [length] > 0
---@param options? collide.d3.PlaceOptions
---@return collide.d3.Shape
---Raises when one half axis is more than 1000 times another, and on unknown keys.
---Example: `local egg = d3.ellipsoid(0.35, 0.5, 0.35)`
function d3.ellipsoid(rx, ry, rz, options) end

---Everything on one side of a plane: solid where nx x + ny y + nz z <= offset. It is unbounded and has no mass. On a dynamic body it must be a sensor.
---@param nx number the normal, away from the solid; of any length but 0
---@param ny number
---@param nz number
---@param offset number distance of the plane from the origin along the normal [length]
---@return collide.d3.Shape
---Raises when the normal is too short to have a direction.
---Example: `local ground = d3.halfSpace(0, 1, 0, 0)`
function d3.halfSpace(nx, ny, nz, offset) end

---The convex hull of 4 to 65,536 points in any order, with at most 256 corners, widened by the radius. Points closer together than 1e-5 of its extent
---are merged, and corners that protrude by less than 1e-6 of it are left out. It is a shape, unlike d2.hull, which returns a list of corners; the 2D
---shape is d2.polygon. For the corners of any number of points, also coplanar ones: d3.convexHull, which means the same in 2D and 3D.
---@param points number[] flat: { x1, y1, z1, x2, ... } [length]
---@param radius? number added outside of the hull, default 0 [length]
---@return collide.d3.Shape
---Raises when the points are coplanar, when the hull has more than 256 corners, and when the list has holes.
---Example: `local rock = d3.hull { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2 }`
function d3.hull(points, radius) end

---@class collide.d3.Material : collide.AnyMaterial
---@field tangentVelocity? number[] {x, y, z} of the surface, as on a conveyor belt, in the frame of the body or shape [length/s]

---@class collide.d3.MeshOptions
---@field oneSided? boolean collides only on the front, from where a triangle's vertices run counter-clockwise; default false
---@field scale? number|number[] factor of the vertices, or {x, y, z}; one or three negative factors mirror, and fronts stay outside; default 1
---@field weld? number vertices no farther apart than this are merged, and triangles that lose their area are left out; default: merges equal vertices [length]
---@field materials? collide.d3.Material[] at most 254
---@field triangleMaterials? integer[] for each triangle the number of its material, or 0 for the collider's

---A triangle mesh, without mass and interior. Rays, casts, slides and times of impact hit a one-sided mesh only from the front: when they move
---against a triangle's front, whether they start in front of it or in overlap. Distances, overlaps and manifolds count both sides of any mesh. Any
---number of bodies may share one mesh. On a dynamic body it must be a sensor.
---@param vertices number[] flat: { x1, y1, z1, x2, ... } [length]
---@param indices integer[] flat, three for each triangle: vertex numbers, from 1
---@param options? collide.d3.MeshOptions
---@return collide.d3.Shape
---Raises when a triangle's height is less than a millionth of its longest side (with its number), on invalid vertex numbers, and on unknown keys.
---Example: `local tent = d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0 }, { 1, 4, 2, 1, 3, 4 }, { oneSided = true })`
function d3.mesh(vertices, indices, options) end

---@class collide.d3.HeightFieldOptions: collide.d3.HeightmapOptions
---@field oneSided? boolean collides only from above, as d3.mesh does on the front; default false
---@field holes? integer[] numbers of missing cells, which must not be all. The cell at column i, row k of columns - 1 by rows - 1 is (k - 1) (columns - 1) + i
---@field materials? collide.d3.Material[] at most 254
---@field cellMaterials? integer[] for each cell the number of its material, or 0 for the collider's

---A height field: heights along y on a regular grid over x and z. Each cell has two triangles, on either side of the diagonal from its first corner
---to the opposite one. It has no mass and no interior. Cell c has the faces 2 c - 1 and 2 c, also if it is a hole; nothing collides with a hole. The
---options of d3.heightmap have the same meaning here. On a dynamic body it must be a sensor.
---@param options collide.d3.HeightFieldOptions
---@return collide.d3.Shape
---Raises when the number of heights is not columns * rows, when it reaches beyond 1e7, when all cells are holes, and on unknown keys.
---Example: `local hills = d3.heightField { columns = 3, rows = 2, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 1, 1, 0, 0 }, holes = { 2 } }`
function d3.heightField(options) end

---@class collide.d3.Part
---@field shape collide.d3.Shape
---@field pose? collide.d3.Pose|number[]
---@field material? collide.d3.Material where its own parts have none, if it is a compound; a tangentVelocity is in the new compound's frame

---Several shapes as one, each at its pose. Its mass is their sum, even where they overlap.
---@param shapes (collide.d3.Shape|collide.d3.Part)[] convex and bounded, or compounds, whose shapes become this one's
---@return collide.d3.Shape
---Raises for half-spaces, meshes and height fields, on unknown keys, and when a shape would be farther out than 1e7.
---Example: `local desk = d3.compound { d3.box(2, 0.1, 1), { shape = d3.cylinder(0.1, 1), pose = d3.pose(0, -0.5, 0) } }`
function d3.compound(shapes) end

---@return "sphere"|"capsule"|"segment"|"triangle"|"box"|"hull"|"cylinder"|"cone"|"ellipsoid"|"taperedCapsule"|"halfSpace"|"mesh"|"heightField"|"compound"
---Example: `if shape:getType() == "sphere" then ... end`
function SpaceShape:getType() end

---The shape, scaled about its origin: a mesh or height field that shares the data of this one, or a copy of any other shape. Raises when a factor is
---not finite or closer to 0 than 1e-6, when the factors differ (except in sign) for a shape with a radius, when the axes of a cylinder, cone or
---ellipsoid would not stay at right angles or its ends not round, and when the result would be too flat, too small or too large.
---@param sx number # along x; a negative one mirrors
---@param sy? number # along y; both are sx if left out
---@param sz? number # along z
---@return collide.d3.Shape
---Example: `local tall = shape:scaled(1, 2, 1)`
function SpaceShape:scaled(sx, sy, sz) end

---The memory that the shape uses. Data that scaled shapes share counts for each of them.
---@return integer # [bytes]
---Example: `print(shape:getByteCount())`
function SpaceShape:getByteCount() end

---The radius of a sphere, capsule, cylinder or cone, or of the rounding of a box or hull; for a tapered capsule that of its larger end.
---@return number radius [length]; 0 for all others
---@return number? smaller of a tapered capsule's smaller end
---Example: `local r = shape:getRadius()`
function SpaceShape:getRadius() end

---The points of the core in the body's frame: a sphere's centre, a capsule's ends, the corners of shapes with corners; for a compound those of all its
---shapes; for a tapered capsule the centres of its larger and its smaller end; none for cylinder, cone, ellipsoid and half-space.
---@return number[] points flat: { x1, y1, z1, ... } [length]
---Example: `local points = d3.box(1, 2, 3):getPoints()`
function SpaceShape:getPoints() end

---The faces of a hull or box, or the triangles of shapes that have them. Equal vertices of a mesh have the number of the first. A triangle that was left
---out, by welding or in a hole, is an empty list, so that the others keep their numbers.
---@return integer[][] faces each the numbers of its points, counter-clockwise from outside: point k is at 3 k - 2 of getPoints
---Example: `for _, face in ipairs(shape:getFaces()) do ... end`
function SpaceShape:getFaces() end

---The outward unit normals of the faces, in the order of getFaces, in the body's frame; 0, 0, 0 for a triangle that was left out.
---@return number[] normals flat: { x1, y1, z1, ... }
---Example: `local normals = d3.box(1, 2, 3):getNormals()`
function SpaceShape:getNormals() end

---Whether a mesh or height field collides only on the front of its triangles. False for all other shapes.
---@return boolean oneSided
---Example: `if not level:isOneSided() then ... end`
function SpaceShape:isOneSided() end

---The material of a triangle of a mesh or height field.
---@param face integer as in getFaces, from 1
---@return integer? number in the list of materials, 0 for the collider's; nothing if the triangle was left out
---@return number? friction, number? restitution, number? rollingResistance, number? vx, number? vy, number? vz nil: the collider's
---@return string? name, collide.Mixing? frictionMixing, collide.Mixing? restitutionMixing
---Raises for other shapes, and on invalid face numbers.
---Example: `local number, friction = level:getFaceMaterial(12)`
function SpaceShape:getFaceMaterial(face) end

---The material of a shape of a compound.
---@param part integer in the order given, from 1
---@return number? friction, number? restitution, number? rollingResistance, number? vx, number? vy, number? vz nil: the collider's
---@return string? name, collide.Mixing? frictionMixing, collide.Mixing? restitutionMixing
---Raises for other shapes, and on invalid numbers.
---Example: `local friction = sledge:getPartMaterial(2)`
function SpaceShape:getPartMaterial(part) end

---How a triangle's edges, from each corner to the next, affect bodies that slide over a mesh or height field: "convex" and "boundary" edges may push
---them, "flat" edges (bent by less than 5e-4 rad) and "concave" ones do not.
---@param face integer as in getFaces, from 1
---@param back? boolean as seen from the back, default false
---@return "flat"|"concave"|"convex"|"boundary"? first, string? second, string? third nothing if the triangle was left out
---@return integer? face1, integer? face2, integer? face3 on the other side of each edge; nil if there is none, or more than one
---Raises for other shapes, and on invalid face numbers.
---Example: `local first, second, third = level:getFaceEdges(12)`
function SpaceShape:getFaceEdges(face, back) end

---The mass properties of the shape. All 0 for segments, triangles, meshes, height fields and half-spaces.
---@param density number [mass/length^3] 0, or from 1e-9 to 1e7
---@return number mass, number cx, number cy, number cz centre of mass
---@return number ixx, number iyy, number izz, number ixy, number ixz, number iyz inertia about it, along the body's axes; ixy is -sum m x y
---Raises when the density is negative.
---Example: `local mass = d3.sphere(1):getMass(1)`
function SpaceShape:getMass(density) end

---The AABB of the shape at the pose. That of a half-space reaches to +-1e18.
---@param pose? collide.d3.Pose|number[]
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---Example: `local x1, y1, z1, x2, y2, z2 = shape:getBox(d3.pose(3, 0, 0))`
function SpaceShape:getBox(pose) end

-- 3D poses -------------------------------------------------------------------------------------------------------------------

---A position and a rotation: an immutable value. As an argument, nil is the identity, and a list of the arguments of d3.pose, without garbage, is as good.
---@class collide.d3.Pose
local SpacePose = {}

---@param x number [length]
---@param y number [length]
---@param z number [length]
---@param qx? number a quaternion of any length but 0, which is normalised; default: no rotation. d3.rotation, lookRotation and euler return one
---@param qy? number
---@param qz? number
---@param qw? number
---@return collide.d3.Pose
---Raises when a number is not finite, and when the quaternion is zero.
---Example: `local pose = d3.pose(3, 0, 0, d3.rotation(0, 1, 0, math.pi / 2))`
function d3.pose(x, y, z, qx, qy, qz, qw) end

---@return number x, number y, number z [length]
---Example: `local x, y, z = pose:getPosition()`
function SpacePose:getPosition() end

---@return number qx, number qy, number qz, number qw a unit quaternion, rounded to floats
---Example: `local qx, qy, qz, qw = pose:getRotation()`
function SpacePose:getRotation() end

---@return number x, number y, number z, number qx, number qy, number qz, number qw
---Example: `local x, y, z, qx, qy, qz, qw = pose:getTransform()`
function SpacePose:getTransform() end

---The pose at the fraction t of the motion of timeOfImpact: in a straight line, rotated in the shorter direction about a fixed axis at a constant rate.
---@param to collide.d3.Pose
---@param t number fraction of the motion, 0 to 1
---@return collide.d3.Pose
---Raises when t is out of range.
---Example: `local state, t = d3.timeOfImpact(a, from, to, b) local there = from:interpolate(to, t)`
function SpacePose:interpolate(to, t) end

-- Rotations ------------------------------------------------------------------------------------------------------------------
--
-- Functions that return a quaternion, of length 1 within 1e-12, for d3.pose, Body:setRotation and setTransform; in braces it is the value of an option
-- `rotation`. They are computed by the engine's own sine, so that they are the same to the bit on every machine.

---A rotation as one value: a quaternion { qx, qy, qz, qw } of any length but 0, or { axis = { x, y, z }, angle = }, the axis of any length but 0 [rad].
---@alias collide.d3.Rotation number[]|{ axis: number[], angle: number }

---The rotation about an axis, counter-clockwise seen against it.
---@param ax number the axis, of any length but 0
---@param ay number
---@param az number
---@param angle number [rad]
---@return number qx, number qy, number qz, number qw
---Raises when the axis is zero.
---Example: `door:setRotation(d3.rotation(0, 1, 0, math.pi / 2))`
function d3.rotation(ax, ay, az, angle) end

---The rotation that turns the z axis to a direction, and the y axis as near as possible to another. For something that looks along -z, give the opposite
---direction. If both are parallel (within 1e-9 rad), the x axis stays as near as possible to the world's x, or to the world's z if they are closer than about
---0.45 rad to the world's x.
---@param fx number forward: where z points afterwards, of any length but 0
---@param fy number
---@param fz number
---@param ux? number up: y is turned towards it; of any length but 0, all three numbers or none; default 0, 1, 0
---@param uy? number
---@param uz? number
---@return number qx, number qy, number qz, number qw with qw >= 0
---Raises when a direction is zero.
---Example: `turret:setRotation(d3.lookRotation(tx - x, ty - y, tz - z))`
function d3.lookRotation(fx, fy, fz, ux, uy, uz) end

---The rotation by three angles about the axes of the world: first about z, then about x, then about y. With y up and z ahead these are roll, pitch (above 0:
---down) and heading, in the order of Unity and Godot. It is also the rotation about y, then about the own x axis, then about the own z axis.
---@param x number angle about x [rad]
---@param y number angle about y [rad]
---@param z number angle about z [rad]
---@return number qx, number qy, number qz, number qw
---Raises when an angle is not finite.
---Example: `body:setRotation(d3.euler(0, heading, 0))`
function d3.euler(x, y, z) end

-- 3D geometry without a world ------------------------------------------------------------------------------------------------
--
-- As in 2D: the same names, the same order of results, the same guarantees, with a third number everywhere. Of shapes with children (meshes, height
-- fields, compounds) the nearest child counts; triangles are two-sided and have no interior.
--
-- Features: k > 0, up to 2^24: point k of getPoints; k < 0: face -k of getFaces; above 2^24: the edge between two points, b * 2^24 + a with a < b; 0: a
-- smooth part of the surface.
-- Sources: Gilbert, Johnson, Keerthi 1988 (GJK); van den Bergen 2001, 2004 (EPA, casts); Mirtich 1996 (conservative advancement); Gregorius 2013
-- (separating axes); Barber, Dobkin, Huhdanpaa 1996 (hulls).

---Whether A and B touch or overlap.
---@param a collide.d3.Shape
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return boolean overlaps
---Raises when an argument is not a 3D shape or pose.
---Example: `if d3.overlaps(a, nil, b, d3.pose(3, 0, 0)) then ... end`
function d3.overlaps(a, poseA, b, poseB) end

---The signed distance, its direction and the closest points. If A and B overlap: the shortest translation of B that separates them.
---@param a collide.d3.Shape
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return number distance signed; -1e18 for two half-spaces that overlap [length]
---@return number nx, number ny, number nz from A to B
---@return number ax, number ay, number az, number bx, number by, number bz closest points on the surfaces of A and B: b = a + distance n [length]
---@return integer featureA closest feature of A: see above
---@return integer featureB the same for B
---Raises when an argument is not a 3D shape or pose.
---Example: `local dist, nx, ny, nz, ax, ay, az, bx, by, bz = d3.distance(a, nil, b, d3.pose(3, 0, 0))`
function d3.distance(a, poseA, b, poseB) end

---@class collide.d3.ManifoldPoint
---@field x number midway between the surfaces, in the world [length]
---@field y number [length]
---@field z number [length]
---@field separation number along the normal, at most 0 [length]
---@field id integer of the features in contact: constant while they stay in contact, unique within a manifold

---@class collide.d3.Manifold
---@field nx number from A to B
---@field ny number
---@field nz number
---@field [integer] collide.d3.ManifoldPoint one to four points in order around; for faces that lie on each other those that span nearly the largest area

---The contact manifolds of overlapping shapes: those that a world solves, computed in floats. They treat the rims of cylinders and cones as 16
---corners. For compounds: that of the pair of children that overlaps most. A mesh or height field has a manifold for each direction in which it
---touches a convex shape. Where a world makes no contact, behind a one-sided one or between two, the triangle with the deepest overlap counts
---as a d3.triangle.
---@param a collide.d3.Shape
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return collide.d3.Manifold? manifold nil when separated
---@return collide.d3.Manifold? ... up to three more, of meshes and height fields
---Raises when an argument is not a 3D shape or pose.
---Example: `local m = d3.manifold(a, nil, b, d3.pose(1.2, 0, 0))`
function d3.manifold(a, poseA, b, poseB) end

---Where the ray from (x1, y1, z1) to (x2, y2, z2) enters the shape. A ray that starts inside hits at fraction 0; its normal is opposite to the ray,
---or 0, 0, 0 if the ray has no length. A segment is never hit.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param x1 number [length]
---@param y1 number [length]
---@param z1 number [length]
---@param x2 number [length]
---@param y2 number [length]
---@param z2 number [length]
---@return number? fraction, number x, number y, number z, number nx, number ny, number nz fraction of the ray; nil when it misses; the normal is outward
---@return integer? part the face of a mesh or height field (see getFaces and getFaceMaterial), the number of a compound's shape; nothing for others
---Raises when a number is not finite.
---Example: `local fraction, x, y, z, nx, ny, nz = d3.raycast(d3.sphere(1), nil, -5, 0, 0, 5, 0, 0)`
function d3.raycast(shape, pose, x1, y1, z1, x2, y2, z2) end

---Shape cast: the times of the first and last contact with B while A moves by (dx, dy, dz) without rotation.
---@param a collide.d3.Shape
---@param poseA? collide.d3.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param dz number [length]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return boolean hit
---@return number t of first contact, 0 to 1; 0 when they overlap at the start; 1 when not hit
---@return number? nx, number? ny, number? nz, number? px, number? py, number? pz the normal and a point of contact, in the world; nil when not hit
---@return number? t1 of last contact, which may exceed 1; valid also if they overlap at the start. nil when not hit, without motion, for shapes with children, and when a half-space is never left
---Raises when a number is not finite.
---Example: `local hit, t, nx, ny, nz, px, py, pz = d3.cast(a, nil, 10, 0, 0, b, d3.pose(8, 0, 0))`
function d3.cast(a, poseA, dx, dy, dz, b, poseB) end

---The time of impact of two shapes that move and rotate. Each moves in a straight line from its first pose to its second and rotates about the pose's
---origin at a constant rate about a fixed axis, in the shorter direction. By conservative advancement: there is no contact before t.
---@param a collide.d3.Shape
---@param poseA0? collide.d3.Pose|number[]
---@param poseA1? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB0? collide.d3.Pose|number[]
---@param poseB1? collide.d3.Pose|number[]
---@return "hit"|"separated"|"overlapping"|"failed" state overlapping: at the start; failed: 1000 iterations did not suffice, no contact before t
---@return number t 0 to 1; at a hit the remaining separation is at most 1e-6 of the smaller size
---@return number nx, number ny, number nz from A to B, of the last iteration
---@return number px, number py, number pz midway between the closest points [length]
---Raises when an argument is not a 3D shape or pose.
---Example: `local state, t = d3.timeOfImpact(a, nil, d3.pose(10, 0, 0, 0, 1, 0, 1), b, d3.pose(8, 0, 0), d3.pose(8, 0, 0))`
function d3.timeOfImpact(a, poseA0, poseA1, b, poseB0, poseB1) end

---The Minkowski difference: all points b - a. Its distance from the origin is that of A and B; its closest point to the origin is distance times normal.
---@param a collide.d3.Shape sphere, capsule, segment, triangle, box or hull
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return number[] vertices flat; of the cores of round shapes [length]
---@return number radius to widen the vertices by: the sum of both radii [length]
---@return integer[] triangles flat: numbers of vertices, from 1, counter-clockwise from outside; none if all are coplanar
---Raises for cylinders, cones, ellipsoids, half-spaces and shapes with children.
---Example: `local vertices, radius, triangles = d3.minkowskiDifference(a, nil, b, d3.pose(3, 0, 0))`
function d3.minkowskiDifference(a, poseA, b, poseB) end

---The Minkowski sum: all points a + b.
---@param a collide.d3.Shape sphere, capsule, segment, triangle, box or hull
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return number[] vertices flat; of the cores of round shapes [length]
---@return number radius to widen the vertices by: the sum of both radii [length]
---@return integer[] triangles flat: numbers of vertices, from 1, counter-clockwise from outside; none if all are coplanar
---Raises for cylinders, cones, ellipsoids, half-spaces and shapes with children.
---Example: `local vertices = d3.minkowskiSum(room, nil, d3.box(1, 1, 1))`
function d3.minkowskiSum(a, poseA, b, poseB) end

---The support point: the farthest along a direction.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number direction, of any length but 0
---@param dy number
---@param dz number
---@return number x, number y, number z in the world [length]
---Raises when the direction is 0, and for half-spaces.
---Example: `local x, y, z = d3.support(d3.box(2, 2, 2), nil, 1, 0.5, 0)`
function d3.support(shape, pose, dx, dy, dz) end

---The support point, or both ends of an edge or up to 16 corners of a face that is perpendicular to the direction within 1e-6 rad, in order around
---it. For a flat round end: its four points along the shape's axes.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param dx number direction, of any length but 0
---@param dy number
---@param dz number
---@return number x1, number y1, number z1, number? ... in the world [length]
---Raises when the direction is 0, and for half-spaces.
---Example: `local corners = { d3.supportVertices(d3.box(2, 2, 2), nil, 1, 0, 0) }`
function d3.supportVertices(shape, pose, dx, dy, dz) end

---The closest point on the surface to (x, y, z).
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param x number [length]
---@param y number [length]
---@param z number [length]
---@return number px, number py, number pz, number distance, number nx, number ny, number nz distance < 0: inside; the normal is outward [length]
---Raises when a number is not finite.
---Example: `local px, py, pz, distance = d3.closestPoint(d3.box(2, 2, 2), nil, 3, 0, 0)`
function d3.closestPoint(shape, pose, x, y, z) end

---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@param x number [length]
---@param y number [length]
---@param z number [length]
---@return boolean inside or on it; always false for segments, triangles, meshes and height fields
---Raises when a number is not finite.
---Example: `if d3.containsPoint(room, nil, x, y, z) then ... end`
function d3.containsPoint(shape, pose, x, y, z) end

---The corners of the convex hull of any number of points, as d2.convexHull, and the triangles between them. As a shape: d3.hull.
---@param points number[] flat: { x1, y1, z1, x2, ... } [length]
---@return number[] corners flat; in order around for coplanar points; two if all are collinear, one if all are the same
---@return integer[] triangles flat: numbers of corners, from 1, counter-clockwise from outside; none if all points are coplanar
---Raises when the list is empty, when its length is not a multiple of 3, and when it has holes.
---Example: `local corners, triangles = d3.convexHull { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0.1, 0.1, 0.1 }`
function d3.convexHull(points) end

---The smallest sphere around points. Around a shape with corners: that of shape:getPoints(), its radius enlarged by shape:getRadius().
---@param points number[] flat, at least one point: { x1, y1, z1, x2, ... } [length]
---@return number x, number y, number z centre [length]
---@return number radius the greatest distance of a point from the centre; at most 1e-12 of it above the least possible
---Raises when the list is empty or has holes, and when its length is no multiple of three.
---Example: `local x, y, z, radius = d3.smallestSphere(rock:getPoints())`
function d3.smallestSphere(points) end

---A box of small volume, at any rotation, around points: the least for boxes and tetrahedra, and seldom a few percent above the least for others. Flat points
---get the flat box of least area. A size may be 0, or as little as the rounding of the rotation.
---@param points number[] flat, at least one point: { x1, y1, z1, x2, ... } [length]
---@return number width, number height, number depth full sizes along the pose's axes [length]
---@return collide.d3.Pose pose of its centre; of the rotations that describe the box, the smallest
---Raises when the list is empty or has holes, when its length is no multiple of three, and when memory runs out.
---Example: `local width, height, depth, pose = d3.fittedBox(rock:getPoints())`
function d3.fittedBox(points) end

---Whether a mesh is the closed surface of a convex solid, in either winding. Exact, except that a solid a trillion times thinner than it is large, or than it is
---far from the origin, may count as not convex. Its triangles may be coplanar, and vertices at the same position count as one. Open meshes, and those whose
---triangles do not agree on which side is outside, are not convex.
---@param vertices number[] flat: { x1, y1, z1, x2, ... }, up to 1e7 in size [length]
---@param indices integer[] flat, three for each triangle: vertex numbers, from 1
---@return boolean convex
---Raises when a triangle has no area (with its number), on invalid vertex numbers, and when memory runs out.
---Example: `if not d3.isConvex(vertices, indices) then pieces = d3.decompose(vertices, indices, 0.01) end`
function d3.isConvex(vertices, indices) end

---@param shape collide.d3.Shape
---@param density number [mass/length^3] 0, or from 1e-9 to 1e7
---@return number mass, number cx, number cy, number cz
---@return number ixx, number iyy, number izz, number ixy, number ixz, number iyz as SpaceShape:getMass
---Raises when the density is negative.
---Example: `local mass = d3.mass(d3.sphere(1), 1)`
function d3.mass(shape, density) end

---The farthest distance of the shape from the point that it rotates about: the radius that conservative advancement uses. A round shape counts as its
---bounding sphere unless the point is its centre.
---@param shape collide.d3.Shape bounded
---@param x? number the point in the body's frame, default its origin [length]
---@param y? number
---@param z? number
---@return number radius [length]
---Raises when the shape is unbounded.
---Example: `local r = d3.boundingRadius(d3.box(2, 3, 6))`
function d3.boundingRadius(shape, x, y, z) end

---The AABB, as SpaceShape:getBox. That of a half-space reaches to +-1e18.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---Raises when an argument is not a 3D shape or pose.
---Example: `local x1, y1, z1, x2, y2, z2 = d3.aabb(d3.box(2, 2, 2), d3.pose(1e6, 0, 0))`
function d3.aabb(shape, pose) end

---A copy of the shape with the pose applied to its points, which are rounded to floats. A height field becomes a mesh.
---@param shape collide.d3.Shape
---@param pose? collide.d3.Pose|number[]
---@return collide.d3.Shape
---Raises when the points would be farther out than 1e7 or too close together.
---Example: `local placed = d3.transform(d3.box(2, 1, 1), d3.pose(3, 0, 0))`
function d3.transform(shape, pose) end

---@class collide.d3.SimplexVertex
---@field ax number point of A's core, in the world [length]
---@field ay number
---@field az number
---@field bx number point of B's core
---@field by number
---@field bz number
---@field x number b - a: a point of the Minkowski difference
---@field y number
---@field z number
---@field weight number barycentric: the sum of weight times a is the closest point of A's core

---@class collide.d3.GjkResult
---@field distance number signed; by EPA if the cores overlap [length]
---@field overlaps boolean
---@field nx number from A to B
---@field ny number
---@field nz number
---@field ax number on the surface of A, in the world
---@field ay number
---@field az number
---@field bx number on the surface of B
---@field by number
---@field bz number
---@field iterations integer
---@field simplex collide.d3.SimplexVertex[] the last one: 1 to 3 vertices, or 4 around the origin if the cores overlap
---@field steps? collide.d3.SimplexVertex[][] the simplex of each iteration

---The distance by GJK (Gilbert, Johnson, Keerthi), with its simplex and iterations. Exchanging A and B exchanges their results bit for bit. The same
---holds for d3.gjkOverlaps, d3.epa and, except for the frame of dx, dy, dz, d3.sat.
---@param a collide.d3.Shape convex: no half-space, nothing with children
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@param options? collide.StepsOptions
---@return collide.d3.GjkResult
---Raises for half-spaces and shapes with children.
---Example: `local simplex = d3.gjk(a, nil, b, d3.pose(3, 0, 0), { steps = true }).simplex`
function d3.gjk(a, poseA, b, poseB, options) end

---GJK as an overlap test: stops as soon as a bound decides.
---@param a collide.d3.Shape convex: no half-space, nothing with children
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return boolean overlaps, integer iterations
---Raises for half-spaces and shapes with children.
---Example: `local overlaps, iterations = d3.gjkOverlaps(a, nil, b, d3.pose(3, 0, 0))`
function d3.gjkOverlaps(a, poseA, b, poseB) end

---The shape cast by van den Bergen's method: repeatedly advances along the path to the separating plane at the closest points.
---@param a collide.d3.Shape
---@param poseA? collide.d3.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param dz number [length]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@return boolean hit, number t
---@return number? nx, number? ny, number? nz, number? px, number? py, number? pz as d3.cast
---@return integer iterations distance computations, over all children
---Raises when a number is not finite.
---Example: `local hit, t, nx, ny, nz, px, py, pz, iterations = d3.gjkCast(a, nil, 10, 0, 0, b, d3.pose(8, 0, 0))`
function d3.gjkCast(a, poseA, dx, dy, dz, b, poseB) end

---@class collide.d3.EpaResult
---@field depth number >= 0 [length]
---@field nx number from A to B
---@field ny number
---@field nz number
---@field ax number on the surface of A, in the world
---@field ay number
---@field az number
---@field bx number on the surface of B
---@field by number
---@field bz number
---@field iterations integer 0 if only the radii overlap: GJK on the cores then gives the result
---@field steps? { vertices: number[], triangles: integer[] }[] the polytope in the Minkowski difference b - a before each iteration, and the last one; flat, vertex numbers from 1, counter-clockwise from outside. None if only the radii overlap

---The penetration depth by EPA (expanding polytope algorithm), with its iterations.
---@param a collide.d3.Shape convex: no half-space, nothing with children
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@param options? collide.StepsOptions
---@return collide.d3.EpaResult? result nil when separated
---Raises for half-spaces and shapes with children.
---Example: `local result = d3.epa(a, nil, b, d3.pose(0.5, 0, 0))`
function d3.epa(a, poseA, b, poseB, options) end

---@class collide.d3.SatResult
---@field overlaps boolean no axis separates
---@field distance? number when separated: along the axis, so at most the true distance [length]
---@field depth? number when overlapping: exact [length]
---@field nx number the axis, from A to B
---@field ny number
---@field nz number
---@field owner "a"|"b"|"edges"|"corners" the shape whose face normal the axis is; "edges": perpendicular to an edge of each; "corners": between closest points
---@field index? integer the face of getFaces; for "edges": the edge of A, by an internal number
---@field other? integer for "edges": the edge of B
---@field dx? number for "corners": the axis in A's frame
---@field dy? number
---@field dz? number
---@field checks integer axes tested

---The separating axis test (SAT); it stops at the first separating axis.
---@param a collide.d3.Shape sphere, capsule, segment, triangle, box or hull
---@param poseA? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB? collide.d3.Pose|number[]
---@param cache? collide.d3.SatResult an earlier result for the same shapes: its axis is tested first
---@return collide.d3.SatResult
---Raises for cylinders, cones, ellipsoids, half-spaces and shapes with children.
---Example: `cache = d3.sat(a, nil, b, d3.pose(3, 0, 0), cache)`
function d3.sat(a, poseA, b, poseB, cache) end

---d3.timeOfImpact with its iterations.
---@param a collide.d3.Shape
---@param poseA0? collide.d3.Pose|number[]
---@param poseA1? collide.d3.Pose|number[]
---@param b collide.d3.Shape
---@param poseB0? collide.d3.Pose|number[]
---@param poseB1? collide.d3.Pose|number[]
---@param options? collide.StepsOptions
---@return "hit"|"separated"|"overlapping"|"failed" state, number t, number nx, number ny, number nz, number px, number py, number pz
---@return integer iterations
---@return { t: number, distance: number, nx: number, ny: number, nz: number }[]? steps when the options ask for them
---Raises on unknown keys.
---Example: `local state, t = d3.conservativeAdvancement(a, nil, d3.pose(9, 0, 0), b, d3.pose(8, 0, 0), d3.pose(8, 0, 0))`
function d3.conservativeAdvancement(a, poseA0, poseA1, b, poseB0, poseB1, options) end

---The shape cast by bisection: GJK tests the swept shape, the hull of A at the start and at the middle of each interval. A simple reference, slower
---than d3.cast.
---@param a collide.d3.Shape no half-space
---@param poseA? collide.d3.Pose|number[]
---@param dx number [length]
---@param dy number [length]
---@param dz number [length]
---@param b collide.d3.Shape no half-space
---@param poseB? collide.d3.Pose|number[]
---@param tolerance? number distance before the contact at which it may stop, default 1e-6 [length]
---@return boolean hit, number t, integer iterations t is the last time known to be free; 1 when not hit
---Raises for half-spaces, and when the tolerance is not > 0.
---Example: `local hit, t, iterations = d3.bisection(a, nil, 10, 0, 0, b, d3.pose(8, 0, 0))`
function d3.bisection(a, poseA, dx, dy, dz, b, poseB, tolerance) end

-- 3D geometry on plain numbers -----------------------------------------------------------------------------------------------
---@class collide.DecomposeOptions
---@field pieces? integer the maximum number of pieces, 1 to 1024, default 256

---Decomposes the solid within a closed mesh into convex pieces that protrude from it by no more than an error, and merges pieces again where the
---error allows. Each point of the solid is in a piece. No point of a piece's surface is farther than the error from the solid, and none inside a
---piece farther than twice that: bounds, not samples, to within 1e-7 of the solid's size. Pieces overlap by no more than they protrude, or within the
---solid. A mesh made for rendering, with several vertices at one position, is accepted; triangles are counter-clockwise from outside. 5,000 triangles
---take about a second; smaller errors take longer.
---@param vertices number[] flat: { x1, y1, z1, x2, ... } [length]
---@param indices integer[] three for each triangle, from 1; at most 65536 triangles
---@param error number > 0; raised to at least 1e-8 of the size [length]
---@param options? collide.DecomposeOptions
---@return number[][] pieces flat lists of 4 to 256 corners, for d3.hull
---@return number error the bound that was reached: more than requested if `pieces` did not suffice, or if parts became too thin to be cut [length]
---Raises when the mesh is open, inside out or without a volume, when an edge belongs to more than two triangles or to two of different winding, when a
---triangle has no area, and on unknown keys. The message names the edge or triangle.
---Example: `for _, corners in ipairs(d3.decompose(vertices, indices, 0.02)) do shapes[#shapes + 1] = { shape = d3.hull(corners) } end`
function d3.decompose(vertices, indices, error, options) end

---A mesh with fewer triangles. No point of its surface is farther than the error from the old surface, and vice versa; likewise the borders of an
---open mesh. These are bounds, not samples, to within 1e-9 of the size. Vertices at one position are merged; the others are removed or keep their
---positions. A closed mesh stays closed; triangles neither flip nor lose their area. Edges of more than two triangles stay. Parts of a mesh closer
---together than twice the error may intersect afterwards.
---@param vertices number[] flat: { x1, y1, z1, x2, ... } [length]
---@param indices integer[] three for each triangle, from 1; at most 1048576 triangles
---@param error number >= 0; at 0 only flat regions are simplified [length]
---@return number[] vertices flat [length]
---@return integer[] indices three for each triangle, from 1
---Raises when the error is negative, or a triangle has no area.
---Example: `local mesh = d3.mesh(d3.simplify(vertices, indices, 0.01))`
function d3.simplify(vertices, indices, error) end

---The volume within a closed mesh: negative if its triangles run clockwise as seen from outside.
---@param vertices number[] flat: { x1, y1, z1, ... } [length]
---@param indices integer[] three for each triangle, from 1
---@return number volume [length^3]
---Raises when there is no triangle.
---Example: `if d3.signedVolume(vertices, indices) < 0 then ... end`
function d3.signedVolume(vertices, indices) end

---When two moving balls touch: A moves from (ax0, ...) to (ax1, ...) while B moves from (bx0, ...) to (bx1, ...). Only hits within the motion count.
---Balls that overlap at the start hit at u0 = 0, with the normal at the start (concentric: +x).
---@param ax0 number [length]
---@param ay0 number
---@param az0 number
---@param ax1 number [length]
---@param ay1 number
---@param az1 number
---@param ra number >= 0 [length]
---@param bx0 number [length]
---@param by0 number
---@param bz0 number
---@param bx1 number [length]
---@param by1 number
---@param bz1 number
---@param rb number >= 0 [length]
---@return boolean hit
---@return number u0, number u1 fractions of the motion: first contact, 0 to 1, and last contact, which may exceed 1 and is math.huge if they never separate
---@return number nx, number ny, number nz unit, from A to B, at the first contact
---Example: `local hit, u0, u1, nx, ny, nz = d3.sphereSphereSweep(0, 0, 0, 4, 0, 0, 1, 5, 0, 0, 5, 0, 0, 1)`
function d3.sphereSphereSweep(ax0, ay0, az0, ax1, ay1, az1, ra, bx0, by0, bz0, bx1, by1, bz1, rb) end

---When a moving ball touches a plane, from either side of it.
---@param x0 number [length]
---@param y0 number
---@param z0 number
---@param x1 number [length]
---@param y1 number
---@param z1 number
---@param radius number >= 0 [length]
---@param nx number the plane's normal, of any length but 0
---@param ny number
---@param nz number
---@param offset number distance of the plane from the origin along the normal [length]
---@return boolean hit
---@return number u fraction of the motion; 0 when it touches at the start
---@return number nx, number ny, number nz unit, from the ball to the plane
---@return number cx, number cy, number cz its centre at that time [length]
---Raises when the normal is zero.
---Example: `local hit, u = d3.spherePlaneSweep(0, 5, 0, 0, -5, 0, 1, 0, 1, 0, 0)`
function d3.spherePlaneSweep(x0, y0, z0, x1, y1, z1, radius, nx, ny, nz, offset) end

---When a moving ball touches the inner side of a plane, where normal . p <= offset. A ball wholly inside touches at u = 0, too.
---@param x0 number [length]
---@param y0 number
---@param z0 number
---@param x1 number [length]
---@param y1 number
---@param z1 number
---@param radius number >= 0 [length]
---@param nx number the plane's normal, of any length but 0
---@param ny number
---@param nz number
---@param offset number distance of the plane from the origin along the normal [length]
---@return boolean hit
---@return number u fraction of the motion; 0 when it touches at the start
---@return number nx, number ny, number nz unit, inwards
---@return number cx, number cy, number cz its centre at that time [length]
---Raises when the normal is zero.
---Example: `local hit, u = d3.sphereHalfSpaceSweep(0, 5, 0, 0, -5, 0, 1, 0, 1, 0, 0)`
function d3.sphereHalfSpaceSweep(x0, y0, z0, x1, y1, z1, radius, nx, ny, nz, offset) end

---When two moving axis-aligned boxes touch. Boxes that overlap at the start hit at u0 = 0, with the normal of least depth.
---@param ax0 number centre of A at the start [length]
---@param ay0 number
---@param az0 number
---@param ax1 number [length]
---@param ay1 number
---@param az1 number
---@param aw number >= 0 [length]
---@param ah number >= 0
---@param ad number >= 0
---@param bx0 number [length]
---@param by0 number
---@param bz0 number
---@param bx1 number [length]
---@param by1 number
---@param bz1 number
---@param bw number >= 0 [length]
---@param bh number >= 0
---@param bd number >= 0
---@return boolean hit
---@return number u0, number u1 fractions of the motion: first contact, 0 to 1, and last contact, which may exceed 1 and is math.huge if they never separate
---@return number nx, number ny, number nz along the axis on which they touch, from A to B
---Example: `local hit, u0 = d3.boxBoxSweep(0, 0, 0, 4, 0, 0, 2, 2, 2, 5, 0, 0, 5, 0, 0, 2, 2, 2)`
function d3.boxBoxSweep(ax0, ay0, az0, ax1, ay1, az1, aw, ah, ad, bx0, by0, bz0, bx1, by1, bz1, bw, bh, bd) end

---Whether a ball and a solid box overlap (Arvo's test), and the box's closest point to the centre: inside, the centre itself.
---@param cx number [length]
---@param cy number
---@param cz number
---@param radius number >= 0 [length]
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@return boolean overlap
---@return number distanceSquared of the centre from the box [length^2]
---@return number px, number py, number pz [length]
---@overload fun(cx: number, cy: number, cz: number, radius: number, width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number): boolean, number, number, number, number
---Example: `local overlap = d3.sphereBoxOverlap(3, 0, 0, 1, 2, 2, 2)`
function d3.sphereBoxOverlap(cx, cy, cz, radius, width, height, depth, pose) end

---The signed distance of a point from a box's surface, negative inside. With B's centre as the point and the sums of both boxes' sizes, it gives the
---least translation that separates two axis-aligned boxes or brings them into contact.
---@param px number [length]
---@param py number
---@param pz number
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@return number distance [length]
---@return number nx, number ny, number nz unit, outwards; inside, of the first of the nearest faces
---@return number sx, number sy, number sz closest point of the surface [length]
---@overload fun(px: number, py: number, pz: number, width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number): number, number, number, number, number, number, number
---Example: `local distance, nx, ny, nz = d3.boxSignedDistance(0.5, 0, 0, 2, 2, 2)`
function d3.boxSignedDistance(px, py, pz, width, height, depth, pose) end

---Whether two boxes of any orientation overlap, by separating axes. The cross products of nearly parallel edges are skipped.
---@param aw number >= 0 [length]
---@param ah number >= 0
---@param ad number >= 0
---@param apose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@param bw number >= 0 [length]
---@param bh number >= 0
---@param bd number >= 0
---@param bpose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@return boolean overlap
---@return integer? axis the first that separates: 1 to 3 are A's, 4 to 6 B's, 3 i + k + 3 is A's axis i x B's axis k; nil when they overlap
---@overload fun(aw: number, ah: number, ad: number, apose?: collide.d3.Pose, bw: number, bh: number, bd: number, bx: number, by: number, bz: number, bqx?: number, bqy?: number, bqz?: number, bqw?: number): boolean, integer?
---@overload fun(aw: number, ah: number, ad: number, ax: number, ay: number, az: number, aqx?: number, aqy?: number, aqz?: number, aqw?: number, bw: number, bh: number, bd: number, bpose?: collide.d3.Pose): boolean, integer?
---@overload fun(aw: number, ah: number, ad: number, ax: number, ay: number, az: number, aqx?: number, aqy?: number, aqz?: number, aqw?: number, bw: number, bh: number, bd: number, bx: number, by: number, bz: number, bqx?: number, bqy?: number, bqz?: number, bqw?: number): boolean, integer?
---Example: `local overlap, axis = d3.boxBoxOverlap(2, 2, 2, nil, 2, 2, 2, 2.3, 0, 0, 0, 0, 0.4, 0.9)`
function d3.boxBoxOverlap(aw, ah, ad, apose, bw, bh, bd, bpose) end

---Whether a solid box and a segment overlap: line of sight.
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@param x1 number [length]
---@param y1 number
---@param z1 number
---@param x2 number [length]
---@param y2 number
---@param z2 number
---@return boolean overlap
---@return integer? axis the first that separates: 1 to 3 are the box's, 4 to 6 the segment x those; nil when they overlap
---@overload fun(width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number, x1: number, y1: number, z1: number, x2: number, y2: number, z2: number): boolean, integer?
---Example: `local blocked = d3.boxSegmentOverlap(2, 2, 2, nil, -3, 0, 0, 3, 0.5, 0)`
function d3.boxSegmentOverlap(width, height, depth, pose, x1, y1, z1, x2, y2, z2) end

---Whether a box overlaps a plane. It overlaps the half-space behind the plane when distance <= radius.
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@param nx number the plane's normal, of any length but 0
---@param ny number
---@param nz number
---@param offset number distance of the plane from the origin along the normal [length]
---@return boolean overlap
---@return number distance of the centre, signed [length]
---@return number radius half the box's projection on the normal [length]
---@overload fun(width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number, nx: number, ny: number, nz: number, offset: number): boolean, number, number
---Raises when the normal is zero.
---Example: `local overlap, distance, radius = d3.boxPlane(2, 2, 2, nil, 0, 1, 0, -3)`
function d3.boxPlane(width, height, depth, pose, nx, ny, nz, offset) end

---The AABB of a box of any orientation.
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---@overload fun(width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number): number, number, number, number, number, number
---Example: `local x1, y1, z1, x2, y2, z2 = d3.boxBounds(2, 1, 1, 0, 0, 0, 0, 0, 0.4, 0.9)`
function d3.boxBounds(width, height, depth, pose) end

---Half the length of a box's projection on a direction, times the direction's length, which need not be 1.
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@param lx number the direction
---@param ly number
---@param lz number
---@return number radius
---@overload fun(width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number, lx: number, ly: number, lz: number): number
---Example: `local r = d3.projectionRadius(2, 1, 1, nil, 1, 1, 0)`
function d3.projectionRadius(width, height, depth, pose, lx, ly, lz) end

---The AABB of a box, or of a shape inside it, while its centre moves and it rotates about the centre. Rotation moves no point farther than its arc,
---angle times radius, and no point is ever farther than radius from the centre.
---@param width number >= 0 [length]
---@param height number >= 0
---@param depth number >= 0
---@param pose? collide.d3.Pose or the seven numbers x, y, z, qx, qy, qz, qw, the last four of which may be nil; nil: at the origin
---@param dx number translation of the centre [length]
---@param dy number
---@param dz number
---@param turn? number the greatest rotation about any axis, in either direction, default 0 [rad]
---@param radius? number of the shape's farthest point from the centre, default that of the box's corners [length]
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---@overload fun(width: number, height: number, depth: number, x: number, y: number, z: number, qx?: number, qy?: number, qz?: number, qw?: number, dx: number, dy: number, dz: number, turn?: number, radius?: number): number, number, number, number, number, number
---Example: `local x1, y1, z1, x2, y2, z2 = d3.sweptBounds(2, 1, 1, nil, 5, 0, 0, math.pi)`
function d3.sweptBounds(width, height, depth, pose, dx, dy, dz, turn, radius) end

---The AABB of a list of points.
---@param points number[] flat, at least one point: { x1, y1, z1, ... } [length]
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---Raises when the list is empty.
---Example: `local x1, y1, z1, x2, y2, z2 = d3.buildAabb { 1, 5, 0, -2, 3, 7 }`
function d3.buildAabb(points) end

---The AABB of two AABBs.
---@param ax1 number [length]
---@param ay1 number
---@param az1 number
---@param ax2 number [length]
---@param ay2 number
---@param az2 number
---@param bx1 number [length]
---@param by1 number
---@param bz1 number
---@param bx2 number [length]
---@param by2 number
---@param bz2 number
---@return number x1, number y1, number z1, number x2, number y2, number z2 [length]
---Raises when the upper corner of one is below its lower corner.
---Example: `local x1, y1, z1, x2, y2, z2 = d3.combineAabbs(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)`
function d3.combineAabbs(ax1, ay1, az1, ax2, ay2, az2, bx1, by1, bz1, bx2, by2, bz2) end

---The plane through three points, which are counter-clockwise as seen from the side that the normal points to.
---@param x1 number [length]
---@param y1 number
---@param z1 number
---@param x2 number [length]
---@param y2 number
---@param z2 number
---@param x3 number [length]
---@param y3 number
---@param z3 number
---@return number nx, number ny, number nz unit
---@return number offset normal . p = offset on it [length]
---Raises when the points are collinear.
---Example: `local nx, ny, nz, offset = d3.planeFromPoints(0, 0, 2, 1, 0, 2, 0, 1, 2)`
function d3.planeFromPoints(x1, y1, z1, x2, y2, z2, x3, y3, z3) end

---The real roots of a x^2 + b x + c, ascending, accurate to the last digits. A double root counts twice; with a = 0 there is at most one. A
---root that overflows is left out.
---@param a number
---@param b number
---@param c number
---@return number? r1, number? r2 nothing when there are none
---Example: `local r1, r2 = d3.quadratic(1, -3, 2)`
function d3.quadratic(a, b, c) end

---The closest point to p on the segment from a to b, as wa a + wb b. Both ends may be the same.
---@param px number [length]
---@param py number
---@param pz number
---@param ax number [length]
---@param ay number
---@param az number
---@param bx number [length]
---@param by number
---@param bz number
---@return number x, number y, number z [length]
---@return number wa, number wb weights, 0 to 1, of sum 1
---Example: `local x, y, z, wa, wb = d3.closestPointOnSegment(1, 5, 0, 0, 0, 0, 4, 0, 0)`
function d3.closestPointOnSegment(px, py, pz, ax, ay, az, bx, by, bz) end

---The closest point to p on the solid triangle, as wa a + wb b + wc c. Corners may be the same or collinear.
---@param px number [length]
---@param py number
---@param pz number
---@param ax number [length]
---@param ay number
---@param az number
---@param bx number [length]
---@param by number
---@param bz number
---@param cx number [length]
---@param cy number
---@param cz number
---@return number x, number y, number z [length]
---@return number wa, number wb, number wc weights, 0 to 1, of sum 1
---Example: `local x, y, z, wa, wb, wc = d3.closestPointOnTriangle(1, 1, 5, 0, 0, 0, 4, 0, 0, 0, 4, 0)`
function d3.closestPointOnTriangle(px, py, pz, ax, ay, az, bx, by, bz, cx, cy, cz) end

---The closest point to p on the solid tetrahedron, as wa a + wb b + wc c + wd d. The tetrahedron may be flat.
---@param px number [length]
---@param py number
---@param pz number
---@param ax number [length]
---@param ay number
---@param az number
---@param bx number [length]
---@param by number
---@param bz number
---@param cx number [length]
---@param cy number
---@param cz number
---@param dx number [length]
---@param dy number
---@param dz number
---@return number x, number y, number z [length]
---@return number wa, number wb, number wc, number wd weights, 0 to 1, of sum 1
---Example: `local x, y, z, wa, wb, wc, wd = d3.closestPointOnTetrahedron(1, 1, 5, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4)`
function d3.closestPointOnTetrahedron(px, py, pz, ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz) end

---Collide and slide: moves by (dx, ...) and slides along obstacles. Each plane hit removes the component of the motion into it (projection, no
---reflection); two planes leave the motion along their crease, three stop the mover. `cast` finds the first obstacle. It gets the mover's position
---and a motion, slightly longer than the remaining one, and returns whether the mover hits an obstacle, the fraction of that motion, and the normal
---from the mover to the obstacle, as the sweeps here do. It should ignore obstacles that the motion leaves (normal . motion <= 0), so that the mover
---can leave them. The mover moves only where cast found no obstacle, and never backwards: it never penetrates, and comes to rest in corners.
---@param px number [length]
---@param py number
---@param pz number
---@param dx number the motion [length]
---@param dy number
---@param dz number
---@param cast fun(x: number, y: number, z: number, dx: number, dy: number, dz: number): boolean, number?, number?, number?, number?
---@param options? collide.SlideOptions
---@return number x, number y, number z the end position [length]
---@return integer iterations segments of the path
---@return integer planes that deflected or stopped it
---Raises what cast raises, when it returns something else, and on unknown keys.
---Example: `x, y, z = d3.slide(x, y, z, dx, dy, dz, cast, { skin = 0.01 })`
function d3.slide(px, py, pz, dx, dy, dz, cast, options) end

---Collide and slide for a shape among shapes: moves by (dx, dy, dz) without rotation and slides along obstacles, as d3.slide does with d3.cast. One
---plane leaves the motion along it, two planes that along their crease, three planes stop the shape. The shape keeps a skin's distance from
---obstacles, never penetrates those that it did not overlap at the start, and comes to rest in corners. If it starts in overlap, or closer to an
---obstacle than half of the skin, it is first pushed off to a skin's distance, along the normal of the deepest overlap, in at most 64 rounds. Where
---there is not enough room, it ends at the position with the least maximum overlap found, and then moves only where no overlap gets deeper. Obstacles
---whose bounds are out of reach cost little; up to 64 within reach make no garbage.
---@param shape collide.d3.Shape convex and bounded
---@param pose? collide.d3.Pose|number[]
---@param dx number the motion [length]
---@param dy number
---@param dz number
---@param obstacles (collide.d3.Shape|{ shape: collide.d3.Shape, pose: collide.d3.Pose? })[] of any type; other fields are the script's own
---@param options? collide.SlideOptions
---@return number x, number y, number z the end position of the pose's origin [length]
---@return integer iterations segments of the path
---@return integer planes that deflected or stopped it
---Raises when the shape is unbounded or not convex, when the list has holes, and on unknown options.
---Example: `x, y, z = d3.slideShape(capsule, d3.pose(x, y, z), dx, dy, dz, { ground, { shape = rock, pose = d3.pose(5, 1, 0) } })`
function d3.slideShape(shape, pose, dx, dy, dz, obstacles, options) end

---As d2.solvePlanes.
---@param dx number [length]
---@param dy number
---@param dz number
---@param planes { nx: number, ny: number, nz: number, distance: number }[] at most 64
---@return number x, number y, number z 0, 0, 0 if there is no such displacement
---@return boolean solved whether there is one
---Raises as d2.solvePlanes.
---Example: `local x, y, z = d3.solvePlanes(1, 0, 0, world:contactPlanes(shape, d3.pose(x, y, z)))`
function d3.solvePlanes(dx, dy, dz, planes) end

---@class collide.d3.HeightmapOptions
---@field heights number[] columns * rows of them, row by row: along x first, then along z [length]
---@field columns integer number of heights along x, >= 2
---@field rows integer along z, >= 2
---@field cellWidth number distance between heights along x, > 0 [length]
---@field cellDepth number along z, > 0 [length]
---@field x? number of the first height, default 0 [length]
---@field z? number default 0 [length]

---A heightmap: heights on a regular grid over x and z, as an immutable value. It has one height for each (x, z), so no caves and no overhangs.
---@param options collide.d3.HeightmapOptions
---@return collide.Heightmap
---Raises when the number of heights is not columns * rows, and on unknown keys.
---Example: `local hills = d3.heightmap { columns = 2, rows = 2, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 1, 0 } }`
function d3.heightmap(options) end

---@class collide.Heightmap
local Heightmap = {}

---The height and normal of the surface at (x, z); nothing outside of the map. In a cell, "bilinear" makes a saddle, and "triangles" two flat
---triangles on either side of the diagonal from the cell's first corner to the opposite one: the surfaces differ. In 2D: `heightAt(x)` -> y, nx, ny.
---@param x number [length]
---@param z? number in 3D [length]
---@param surface? "bilinear"|"triangles" in 3D, default "bilinear"
---@return number? y, number nx, number ny, number nz unit normal, upwards
---Example: `local y, nx, ny, nz = map:heightAt(x, z, "triangles")`
function Heightmap:heightAt(x, z, surface) end

-- Maps of Tiled --------------------------------------------------------------------------------------------------------------

---A map in a world.
---@class collide.TiledLevel
---@field body collide.Body the static body of all tiles
---@field tiles table<string, collide.Collider> by name of the layer: its tiles, if there are any that collide
---@field sensors table<string, collide.Collider> by name of the layer: the sensors among them
---@field objects collide.TiledObject[] in the order of the map

---@class collide.TiledObject
---@field object table as in the map, with its properties; also `data` of the body
---@field name string
---@field layer string name of its layer
---@field x number its point in the world [length]
---@field y number
---@field body? collide.Body of objects with a shape

---@class collide.TiledOptions
---@field scale? number length of a pixel of the map, > 0, default 1
---@field flipY? boolean y points up in the world, default false: down, as in Tiled
---@field x? number the map's upper left corner in the world, default 0 [length]
---@field y? number

---`require "collide.tiled"`: reads maps of Tiled that were exported as Lua: orthogonal ones, of fixed size or infinite, with embedded tilesets and layers as CSV.
---@class collide.tiled
local tiled = {}

---Creates the tiles and objects of a map. A tile collides if it has collision shapes, or if it, or its layer, has the property `solid`; a layer with `solid`
---false is left out. Each layer with such tiles becomes one collider of tiles, with the layer's properties `layer`, `material`, `friction`, `restitution`,
---`rollingResistance` and `tangentSpeed`; of a tile, all but `layer`, and `sensor`. A tile whose shapes are not one convex polygon within its cell becomes colliders beside it. An object
---becomes a body about its own point, with its properties `body` ("static", "dynamic", "kinematic" or "none"), `density`, `friction`, `restitution`,
---`rollingResistance`, `material`, `sensor` and `layer`; points become none.
---@param world collide.World
---@param map table
---@param options? collide.TiledOptions
---@return collide.TiledLevel
---Raises for other kinds of maps, packed layers, tilesets that are not embedded, tiles that are not square, and what newBody and newTiles raise for; then the world is as before.
---Example: `local level = require("collide.tiled").load(world, dofile "level.lua", { scale = 1 / 32, flipY = true })`
function tiled.load(world, map, options) end

-- Rollback -------------------------------------------------------------------------------------------------------------------

---@alias collide.RollbackInput boolean|number|string|table<string|integer, boolean|number|string>

---@class collide.RollbackOptions
---@field world collide.AnyWorld the same at all ends: isSynchronized tells if it is not
---@field players ("local"|"remote")[] up to 32; which of them give their inputs here. Each is local at one end
---@field delay? integer ticks after which inputs of local players take effect, 0 to 30, default 0. Each tick of delay spares others a prediction
---@field window? integer ticks that are simulated ahead of the last confirmed one at most, 1 to 60, default 8
---@field onTick fun(world: collide.AnyWorld, inputs: table<integer, collide.RollbackInput>) makes the one step of a tick with the inputs by player, false until a player's first. Called again for ticks that are repeated
---@field send fun(bytes: string) gives the bytes to all other ends, each of which passes them to RollbackSession:receive. They may be lost, doubled or reordered
---@field save? fun(): any returns a copy of what onTick keeps outside the world
---@field load? fun(state: any) goes back to a copy; must not change it

---One end of a game of several machines, each of which simulates the world from the inputs of all players. Inputs of others that have not arrived are predicted to
---stay as they were; when one arrives that differs, the world goes back, and the ticks since are repeated. Ticks are numbered from 1.
---
---onTick must do the same at all ends: it depends on the world, the inputs and what save returns, and on nothing else, so not on the time, math.random or the order of
---pairs. It creates, changes and destroys whatever it likes in the world, but for cells of tiles and heights, whose edits empty histories. It makes one step, and reads the events of that step
---after it, not in the next tick: there are none after the world has gone back. `data` and names do not go back: a state that changes belongs into save and load.
---Between two calls of advance the world must not be changed. What comes from other ends is checked for its form alone: onTick checks what an input means.
---@class collide.RollbackSession
local RollbackSession = {}

---Sets the input of a local player for the ticks to come: until it is set again, each advance adds it once more. The table is copied.
---@param player integer a local one
---@param input collide.RollbackInput of up to 255 bytes: a byte for each value and each seven bits of a whole number, ten for other numbers
---Raises for players that are not local, nested tables, numbers that are not finite, and what is too long.
---Example: `session:addInput(1, { x = joystick:getAxis(1), jump = joystick:isDown(1) })`
function RollbackSession:addInput(player, input) end

---Takes a packet of another end. Any bytes are safe to pass: what is damaged, or no packet of this game, is refused and changes nothing. But packets are not signed: whoever can
---send them can play for others.
---@param bytes string
---@return boolean taken
---@return string? reason if it is refused
---Raises when `bytes` is not a string.
---Example: `session:receive(udp:receive())`
function RollbackSession:receive(bytes) end

---Repeats ticks whose inputs were predicted wrongly, simulates the next tick, and sends a packet. Call it once for each tick of the game's clock.
---@return boolean stepped false: this end is already `window` ticks ahead of the last confirmed one, and waits for inputs of others
---Raises what onTick, save, load and send raise; then the session has ended. Raises when onTick does not make one step, and inside it.
---Example: `if not session:advance() then show "waiting" end`
function RollbackSession:advance() end

---@return integer tick the last one simulated; in onTick the one before
---Example: `local lead = session:getTick() - session:getConfirmedTick()`
function RollbackSession:getTick() end

---@return integer tick the last one that was simulated with the true inputs of all players: it will not be repeated
---Example: `if session:getConfirmedTick() >= finish then show(winner) end`
function RollbackSession:getConfirmedTick() end

---Whether the hashes of confirmed ticks that ends exchange have all been equal. If not, the ends exchange hashes of single bodies.
---@return boolean synchronized
---@return integer? tick the first one after which they differ
---@return collide.AnyBody? body the first one by id that differs, once it is known, if it is still in this world; nil if no body differs, but random numbers or movers
---@return integer? id of that body: see AnyBody:getId
---Example: `local fine, tick, body = session:isSynchronized()`
function RollbackSession:isSynchronized() end

---`require "collide.rollback"`: games over a network that do not wait for it, by prediction and repetition of ticks, as GGPO does it.
---@class collide.rollback
local rollback = {}

---@param options collide.RollbackOptions
---@return collide.RollbackSession
---Raises for unknown keys, values out of range, and players none of whom is local.
---Example: `local session = require("collide.rollback").newSession { world = world, players = { "local", "remote" }, onTick = tick, send = send }`
function rollback.newSession(options) end

return collide
