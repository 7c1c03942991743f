-- The 3D geometry API in Lua: parameters and results of each function, in cases computed by hand, and errors for wrong arguments. General correctness is tested
-- for each method elsewhere.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2, d3 = collide.d2, collide.d3
local unpack = table.unpack or unpack

-- Values are floats inside: a number of about 1 has an error of up to 2^-24, a result computed from several a few times that.
local FLOAT = 5e-7

local function pack(...) return { n = select("#", ...), ... } end

-- Numbers must be close, all else equal; as many results as expected, nils as "nil".
local function gives(expected, ...)
	local got = pack(...)
	lu.assertEquals(got.n, #expected, "number of results")
	for i, value in ipairs(expected) do
		local what = "result " .. i
		if type(value) == "number" then
			lu.assertIsNumber(got[i], what)
			lu.assertAlmostEquals(got[i], value, FLOAT * math.max(1, math.abs(value)), what)
		elseif value == "nil" then
			lu.assertNil(got[i], what)
		else
			lu.assertEquals(got[i], value, what)
		end
	end
end

local tetrahedron = { 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2 }
local quarter = math.sqrt(0.5)
local function hills(options)
	local all = { columns = 3, rows = 2, cellWidth = 1, cellDepth = 2, heights = { 0, 1, 0, 0, 1, 0 } }
	for key, value in pairs(options or {}) do all[key] = value end
	return all
end

local function shapes()
	return {
		sphere = d3.sphere(0.5, 1, 2, 3), capsule = d3.capsule(0, 0, 0, 1, 2, 3, 0.25), upright = d3.capsule(0.5, 3),
		segment = d3.segment(0, 0, 0, 1, 2, 3), triangle = d3.triangle(0, 0, 0, 1, 0, 0, 0, 1, 0), box = d3.box(1, 2, 3),
		placed = d3.box(1, 2, 3, { x = 1, y = 2, z = 3, qx = 0, qy = 0, qz = 1, qw = 1, radius = 0.125 }), hull = d3.hull(tetrahedron, 0.25),
		cylinder = d3.cylinder(0.5, 2), cone = d3.cone(0.5, 2, { y = 1 }), ellipsoid = d3.ellipsoid(1, 2, 3),
		taperedCapsule = d3.taperedCapsule(0, 0, 0, 0.5, 0, 2, 0, 0.25),
		halfSpace = d3.halfSpace(0, 2, 0, 1), mesh = d3.mesh(tetrahedron, { 1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4 }),
		heightField = d3.heightField(hills { x = -1, z = -1 }),
		compound = d3.compound { d3.sphere(1), { shape = d3.box(2, 2, 2), pose = d3.pose(4, 0, 0) } },
	}
end

-- Shapes --------------------------------------------------------------------------------------------------------------------------

TestSpaceShapes = {}

local described = {
	-- name, type, radius, number of points, faces, box
	{ "sphere", "sphere", 0.5, 1, 0, { 0.5, 1.5, 2.5, 1.5, 2.5, 3.5 } },
	{ "capsule", "capsule", 0.25, 2, 0, { -0.25, -0.25, -0.25, 1.25, 2.25, 3.25 } },
	{ "upright", "capsule", 0.5, 2, 0, { -0.5, -1.5, -0.5, 0.5, 1.5, 0.5 } },
	{ "segment", "segment", 0, 2, 0, { 0, 0, 0, 1, 2, 3 } },
	{ "triangle", "triangle", 0, 3, 1, { 0, 0, 0, 1, 1, 0 } },
	{ "box", "box", 0, 8, 6, { -0.5, -1, -1.5, 0.5, 1, 1.5 } },
	{ "placed", "box", 0.125, 8, 6, { 0, 1.5, 1.5, 2, 2.5, 4.5 } },
	{ "hull", "hull", 0.25, 4, 4, { -0.25, -0.25, -0.25, 2.25, 2.25, 2.25 } },
	{ "cylinder", "cylinder", 0.5, 0, 0, { -0.5, -1, -0.5, 0.5, 1, 0.5 } },
	{ "taperedCapsule", "taperedCapsule", 0.5, 2, 0, { -0.5, -0.5, -0.5, 0.5, 2.25, 0.5 } },
	{ "cone", "cone", 0.5, 0, 0, { -0.5, 0, -0.5, 0.5, 2, 0.5 } },
	{ "ellipsoid", "ellipsoid", 0, 0, 0, { -1, -2, -3, 1, 2, 3 } },
	{ "halfSpace", "halfSpace", 0, 0, 0, { -1e18, -1e18, -1e18, 1e18, 1e18, 1e18 } },
	{ "mesh", "mesh", 0, 4, 4, { 0, 0, 0, 2, 2, 2 } },
	{ "heightField", "heightField", 0, 6, 4, { -1, 0, -1, 1, 1, 1 } },
	{ "compound", "compound", 0, 9, 6, { -1, -1, -1, 5, 1, 1 } },
}

for _, row in ipairs(described) do
	TestSpaceShapes["test_getters_of_" .. row[1]] = function()
		local shape = shapes()[row[1]]
		lu.assertEquals(shape:getType(), row[2])
		lu.assertAlmostEquals(shape:getRadius(), row[3], FLOAT)
		lu.assertEquals(#shape:getPoints(), 3 * row[4])
		lu.assertEquals(#shape:getFaces(), row[5])
		for _, face in ipairs(shape:getFaces()) do
			for _, point in ipairs(face) do lu.assertTrue(point >= 1 and point <= row[4]) end
		end
		gives(row[6], shape:getBox())
		gives(row[6], d3.aabb(shape))
		lu.assertEquals(tostring(shape), "shape (" .. row[2] .. ")")
	end
end

-- The sum of x1 (x2 x x3) / 6 over the triangles of all faces is the volume if the faces are counter-clockwise from outside and closed.
local function volume_of(points, faces)
	local sum = 0
	local function at(k) return points[3 * k - 2], points[3 * k - 1], points[3 * k] end
	for _, face in ipairs(faces) do
		for i = 2, #face - 1 do
			local ax, ay, az = at(face[1])
			local bx, by, bz = at(face[i])
			local cx, cy, cz = at(face[i + 1])
			sum = sum + ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
		end
	end
	return sum / 6
end

local function faces_of(triangles)
	local faces = {}
	for i = 1, #triangles, 3 do faces[#faces + 1] = { triangles[i], triangles[i + 1], triangles[i + 2] } end
	return faces
end

function TestSpaceShapes.test_faces_enclose_the_volume()
	for _, row in ipairs { { d3.box(1, 2, 3), 6 }, { d3.box(1, 2, 3, { qx = 1, qy = 2, qz = 3, qw = 4, x = 5 }), 6 }, { d3.hull(tetrahedron), 4 / 3 } } do
		lu.assertAlmostEquals(volume_of(row[1]:getPoints(), row[1]:getFaces()), row[2], 1e-5)
	end
	local mesh = shapes().mesh
	lu.assertAlmostEquals(volume_of(mesh:getPoints(), mesh:getFaces()), 4 / 3, 1e-6)
end

function TestSpaceShapes.test_points_and_faces_of_a_mesh_stay_in_the_order_given()
	local mesh = d3.mesh(tetrahedron, { 1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4 })
	lu.assertEquals(mesh:getPoints(), tetrahedron)
	lu.assertEquals(mesh:getFaces(), { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } })
end

function TestSpaceShapes.test_masses()
	gives({ 4 / 3 * math.pi / 8, 1, 2, 3, math.pi / 60, math.pi / 60, math.pi / 60, 0, 0, 0 }, shapes().sphere:getMass(1))
	gives({ 12, 0, 0, 0, 13, 10, 5, 0, 0, 0 }, shapes().box:getMass(2))
	gives({ math.pi / 2, 0, 0, 0, math.pi / 2 * (0.75 + 4) / 12, math.pi / 16, math.pi / 2 * (0.75 + 4) / 12, 0, 0, 0 }, d3.mass(shapes().cylinder, 1))
	-- A cone's centre of mass is a quarter of its height above its base.
	lu.assertAlmostEquals(select(3, shapes().cone:getMass(1)), 0.5, FLOAT)
	for _, name in ipairs { "segment", "triangle", "mesh", "heightField", "halfSpace" } do
		local m = pack(shapes()[name]:getMass(1))
		lu.assertEquals(m.n, 10)
		for _, i in ipairs { 1, 5, 6, 7, 8, 9, 10 } do lu.assertEquals(m[i], 0) end
	end
	local all = d3.compound { d3.box(1, 1, 1), { shape = d3.box(1, 1, 1), pose = d3.pose(2, 0, 0) } }
	gives({ 2, 1, 0, 0, 1 / 3, 2 + 1 / 3, 2 + 1 / 3, 0, 0, 0 }, all:getMass(1))
end

function TestSpaceShapes.test_products_of_inertia_have_the_sign_of_the_tensor()
	-- Two balls along x = y: xy is -sum m x y.
	local all = d3.compound { d3.sphere(0.5, 1, 1, 0), d3.sphere(0.5, -1, -1, 0) }
	local m, _, _, _, _, _, _, ixy, ixz, iyz = all:getMass(1)
	lu.assertAlmostEquals(ixy, -m, 1e-5)
	lu.assertAlmostEquals(ixz, 0, 1e-5)
	lu.assertAlmostEquals(iyz, 0, 1e-5)
end

-- Upright capsules have the same short form in 2D.
function TestSpaceShapes.test_upright_capsules()
	lu.assertEquals(d3.capsule(0.5, 3):getPoints(), { 0, -1, 0, 0, 1, 0 })
	lu.assertEquals(d2.capsule(0.5, 3):getPoints(), { 0, -1, 0, 1 })
	gives({ -0.5, -0.5, -0.5, 0.5, 0.5, 0.5 }, d3.aabb(d3.capsule(0.5, 1)))
end

-- A hull may have more input points than corners allowed, but not more corners.
function TestSpaceShapes.test_hulls_of_many_points()
	local points, number = {}, support.random_numbers(5)
	for i = 1, 3000 do points[i] = number(-0.5, 0.5) end
	for _, x in ipairs { -1, 1 } do
		for _, y in ipairs { -1, 1 } do
			for _, z in ipairs { -1, 1 } do
				for _, value in ipairs { x, y, z } do points[#points + 1] = value end
			end
		end
	end
	local cube = d3.hull(points)
	lu.assertEquals(#cube:getPoints(), 24)
	lu.assertEquals(#cube:getFaces(), 6)
	points = {}
	for i = 1, 257 do
		local y = (i - 129) / 130
		local r, q = math.sqrt(1 - y * y), i * 2.4
		for _, value in ipairs { r * math.cos(q), y, r * math.sin(q) } do points[#points + 1] = value end
	end
	lu.assertErrorMsgContains("hull: it must have at most 256 corners", d3.hull, points)
	for _ = 1, 3 do table.remove(points) end
	lu.assertEquals(#d3.hull(points):getPoints(), 768)
end

-- A compound of compounds contains their shapes, and keeps them alive.
function TestSpaceShapes.test_compounds_hold_their_shapes()
	local all = d3.compound { d3.compound { d3.box(1, 1, 1), { shape = d3.sphere(1), pose = d3.pose(0, 5, 0) } },
		{ shape = d3.compound { d3.cylinder(1, 1) }, pose = d3.pose(0, 0, 9, quarter, 0, 0, quarter) } }
	collectgarbage() collectgarbage()
	gives({ -1, -1, -1, 1, 6, 9.5 }, all:getBox())
	lu.assertEquals(all:getType(), "compound")
	lu.assertTrue(d3.containsPoint(all, nil, 0, 0, 9.4))
end

-- Finalizers run during any allocation, and may remove a list's elements.
function TestSpaceShapes.test_finalizers_that_empty_the_list()
	local list, mesh, numbers
	local function empty()
		for i = #list, 1, -1 do list[i] = nil end
		for i = #mesh, 1, -1 do mesh[i] = nil end
		for i = #numbers, 1, -1 do numbers[i] = nil end
	end
	for round = 1, 300 do
		list, mesh, numbers = { d3.sphere(1), { shape = d3.box(1, 1, 1) } }, { unpack(tetrahedron) }, { 1, 2, 3 }
		for _ = 1, round % 7 do
			if newproxy then
				getmetatable(newproxy(true)).__gc = empty
			else
				setmetatable({}, { __gc = empty })
			end
		end
		local made, shape = pcall(d3.compound, list)
		if made then lu.assertEquals(shape:getType(), "compound") end
		made, shape = pcall(d3.mesh, mesh, numbers)
		if made then lu.assertEquals(#shape:getPoints(), 12) end
		made, shape = pcall(d3.hull, mesh)
		if made then lu.assertEquals(#shape:getPoints(), 12) end
		pcall(d3.convexHull, mesh)
	end
	collectgarbage()
end

-- Poses ---------------------------------------------------------------------------------------------------------------------------

TestSpacePoses = {}

function TestSpacePoses.test_getters()
	local pose = d3.pose(1, 2, 3, 0, 0, 5, 5)
	gives({ 1, 2, 3 }, pose:getPosition())
	gives({ 0, 0, quarter, quarter }, pose:getRotation())
	gives({ 1, 2, 3, 0, 0, quarter, quarter }, pose:getTransform())
	gives({ 0, 0, 0, 1 }, d3.pose(1, 2, 3):getRotation())
	gives({ 0, 0, 0, 1 }, d3.pose(1, 2, 3, nil, nil, nil, nil):getRotation())
	gives({ 0.5, 0.5, -0.5, 0.5 }, d3.pose(0, 0, 0, 1e-200, 1e-200, -1e-200, 1e-200):getRotation())
	gives({ 0.5, 0.5, -0.5, 0.5 }, d3.pose(0, 0, 0, 1e300, 1e300, -1e300, 1e300):getRotation())
	lu.assertStrContains(tostring(d3.pose(1.5, 2.5, 3.5, 0.5, 0.5, 0.5, -0.5)), "pose (1.5, 2.5, 3.5, 0.5, 0.5, 0.5, -0.5)")
end

function TestSpacePoses.test_rotations_are_as_documented()
	-- A quarter turn about z takes x to y.
	gives({ 0, 1, 0 }, d3.support(d3.segment(0, 0, 0, 1, 0, 0), d3.pose(0, 0, 0, 0, 0, quarter, quarter), 0.1, 1, 0))
	gives({ -1, -0.5, -1.5, 1, 0.5, 1.5 }, d3.aabb(d3.box(1, 2, 3), d3.pose(0, 0, 0, 0, 0, 1, 1)))
end

-- Functions of boxes take a pose instead of the seven numbers.
function TestSpacePoses.test_box_functions_take_poses()
	local pose, x, y, z, qx, qy, qz, qw = d3.pose(1, 2, 3, 1, 2, 3, 4), 1, 2, 3, 1, 2, 3, 4
	gives({ d3.boxBounds(1, 2, 3, x, y, z, qx, qy, qz, qw) }, d3.boxBounds(1, 2, 3, pose))
	gives({ d3.boxBounds(1, 2, 3, x, y, z) }, d3.boxBounds(1, 2, 3, d3.pose(x, y, z)))
	gives({ d3.boxPlane(1, 2, 3, x, y, z, qx, qy, qz, qw, 0, 1, 0, 4) }, d3.boxPlane(1, 2, 3, pose, 0, 1, 0, 4))
	gives({ d3.boxBoxOverlap(1, 2, 3, nil, 2, 2, 2, x, y, z, qx, qy, qz, qw) }, d3.boxBoxOverlap(1, 2, 3, nil, 2, 2, 2, pose))
	lu.assertErrorMsgContains("boxBounds: pose must be a 3D pose or nil, got a 2D pose", d3.boxBounds, 1, 1, 1, d2.pose(0, 0))
	lu.assertErrorMsgContains("boxBoxOverlap: apose must be a pose or nil, got \"x\"", d3.boxBoxOverlap, 1, 1, 1, "x", 1, 1, 1)
end

-- Functions -----------------------------------------------------------------------------------------------------------------------

TestSpaceFunctions = {}

local cube = d3.box(2, 2, 2)

function TestSpaceFunctions.test_distance()
	gives({ 3, 0, 0.6, 0.8, 0, 0.6, 0.8, 0, 2.4, 3.2, 1, 1 }, d3.distance(d3.sphere(1), nil, d3.sphere(1), d3.pose(0, 3, 4)))
	local r = pack(d3.distance(cube, nil, d3.sphere(0.5), d3.pose(3, 0, 0)))
	gives({ 1.5, 1, 0, 0, 1, 0, 0, 2.5, 0, 0 }, unpack(r, 1, 10))
	-- The closest feature of the cube is the face whose points all have x = 1.
	lu.assertTrue(r[11] < 0)
	local points = cube:getPoints()
	for _, point in ipairs(cube:getFaces()[-r[11]]) do lu.assertEquals(points[3 * point - 2], 1) end
	lu.assertEquals(r[12], 1)
	-- Off an edge: two points.
	r = pack(d3.distance(cube, nil, d3.sphere(0.5), d3.pose(4, 5, 0)))
	gives({ 4.5, 0.6, 0.8, 0, 1, 1, 0 }, unpack(r, 1, 7))
	local first, second = r[11] % 2 ^ 24, math.floor(r[11] / 2 ^ 24)
	lu.assertTrue(first < second)
	for _, point in ipairs { first, second } do
		lu.assertEquals({ points[3 * point - 2], points[3 * point - 1] }, { 1, 1 })
	end
	-- Inside.
	gives({ -0.75, 1, 0, 0 }, unpack(pack(d3.distance(cube, nil, d3.sphere(0.5), d3.pose(0.75, 0, 0))), 1, 4))
end

function TestSpaceFunctions.test_overlaps()
	lu.assertTrue(d3.overlaps(cube, nil, cube, d3.pose(2, 0, 0)))
	lu.assertFalse(d3.overlaps(cube, nil, cube, d3.pose(2.001, 0, 0)))
	gives({ true }, d3.overlaps(cube, nil, d3.halfSpace(0, 1, 0, 0)))
end

function TestSpaceFunctions.test_manifold()
	local m = d3.manifold(cube, nil, d3.box(1, 1, 1), d3.pose(0, 1.25, 0))
	gives({ 0, 1, 0, 4 }, m.nx, m.ny, m.nz, #m)
	local ids = {}
	for _, point in ipairs(m) do
		gives({ 0.5, 0.875, 0.5, -0.25 }, math.abs(point.x), point.y, math.abs(point.z), point.separation)
		lu.assertNil(ids[point.id])
		ids[point.id] = true
	end
	gives({ "nil" }, d3.manifold(cube, nil, cube, d3.pose(3, 0, 0)))
end

function TestSpaceFunctions.test_raycast()
	gives({ 0.4, -1, 0, 0, -1, 0, 0 }, d3.raycast(d3.sphere(1), nil, -5, 0, 0, 5, 0, 0))
	gives({ 0, 0, 0.5, 0, 0, -1, 0 }, d3.raycast(cube, nil, 0, 0.5, 0, 0, 3, 0))
	gives({ "nil" }, d3.raycast(cube, nil, 0, 5, 0, 5, 5, 0))
end

function TestSpaceFunctions.test_casts()
	local there = d3.pose(8, 0, 0)
	gives({ true, 0.6, 1, 0, 0 }, unpack(pack(d3.cast(cube, nil, 10, 0, 0, cube, there)), 1, 5))
	gives({ true, 0.65, 1, 0, 0, 7.5, 0, 0, 0.95 }, d3.cast(d3.sphere(1), nil, 10, 0, 0, d3.sphere(0.5), there))
	gives({ false, 1, "nil", "nil", "nil", "nil", "nil", "nil", "nil" }, d3.cast(cube, nil, 0, 10, 0, cube, there))
	local r = pack(d3.gjkCast(d3.sphere(1), nil, 10, 0, 0, d3.sphere(0.5), there))
	gives({ true, 0.65, 1, 0, 0, 7.5, 0, 0 }, unpack(r, 1, 8))
	lu.assertTrue(r.n == 9 and r[9] >= 1)
	r = pack(d3.bisection(cube, nil, 10, 0, 0, cube, there))
	lu.assertTrue(r[1] and r[2] <= 0.6 and r[2] > 0.6 - 1e-6 and r[3] > 1 and r.n == 3)
	lu.assertAlmostEquals(select(2, d3.bisection(cube, nil, 10, 0, 0, cube, there, 0.1)), 0.6, 0.02)
end

function TestSpaceFunctions.test_times_of_impact()
	local there = d3.pose(8, 0, 0)
	local r = pack(d3.timeOfImpact(d3.sphere(1), nil, d3.pose(10, 0, 0), d3.sphere(0.5), there, there))
	lu.assertEquals(r.n, 8)
	lu.assertEquals(r[1], "hit")
	lu.assertTrue(r[2] <= 0.65 and r[2] > 0.65 - 1e-6)
	gives({ 1, 0, 0 }, r[3], r[4], r[5])
	lu.assertAlmostEquals(r[6], 7.5, 1e-5)
	lu.assertEquals((d3.timeOfImpact(cube, nil, nil, cube, there, there)), "separated")
	lu.assertEquals((d3.timeOfImpact(cube, nil, nil, cube, d3.pose(1, 0, 0), there)), "overlapping")
	local c = pack(d3.conservativeAdvancement(d3.sphere(1), nil, d3.pose(10, 0, 0), d3.sphere(0.5), there, there))
	lu.assertEquals(c.n, 9)
	for i = 1, 8 do lu.assertEquals(c[i], r[i]) end
	local steps = select(10, d3.conservativeAdvancement(d3.sphere(1), nil, d3.pose(10, 0, 0), d3.sphere(0.5), there, there, { steps = true }))
	lu.assertEquals(#steps, c[9])
	for i, step in ipairs(steps) do
		gives({ 1, 0, 0 }, step.nx, step.ny, step.nz)
		lu.assertTrue(step.distance >= 0 and step.t >= 0 and (i == 1 or step.t > steps[i - 1].t))
	end
end

function TestSpaceFunctions.test_minkowski()
	local vertices, radius, triangles = d3.minkowskiDifference(cube, nil, d3.box(1, 1, 1, { radius = 0.25 }), d3.pose(3, 0, 0))
	gives({ 24, 0.25, 36 }, #vertices, radius, #triangles)
	lu.assertAlmostEquals(volume_of(vertices, faces_of(triangles)), 2.5 ^ 3, 1e-5)
	for i = 1, 24, 3 do
		gives({ 1.25, 1.25, 1.25 }, math.abs(vertices[i] - 3), math.abs(vertices[i + 1]), math.abs(vertices[i + 2]))
	end
	-- The sum of a and b is at the sum of their positions.
	vertices, radius, triangles = d3.minkowskiSum(cube, d3.pose(1, 2, 3), d3.segment(0, 0, 0, 0, 0, 2), d3.pose(10, 20, 30))
	gives({ 24, 0, 36 }, #vertices, radius, #triangles)
	for i = 1, 24, 3 do
		gives({ 1, 1, 2 }, math.abs(vertices[i] - 11), math.abs(vertices[i + 1] - 22), math.abs(vertices[i + 2] - 34))
	end
	-- Flat sums have no triangles.
	vertices, radius, triangles = d3.minkowskiSum(d3.segment(0, 0, 0, 1, 0, 0), nil, d3.segment(0, 0, 0, 0, 1, 0))
	gives({ 12, 0, 0 }, #vertices, radius, #triangles)
end

function TestSpaceFunctions.test_supports()
	gives({ 1, 1, 1 }, d3.support(cube, nil, 1, 2, 3))
	gives({ 1, 1, 1 }, d3.supportVertices(cube, nil, 1e-200, 2e-200, 3e-200))
	lu.assertEquals(select("#", d3.supportVertices(cube, nil, 1, 1, 0)), 6)
	local face = { d3.supportVertices(cube, d3.pose(5, 0, 0), -1, 0, 0) }
	lu.assertEquals(#face, 12)
	for i = 1, 12, 3 do gives({ 4, 1, 1 }, face[i], math.abs(face[i + 1]), math.abs(face[i + 2])) end
	lu.assertEquals(select("#", d3.support(cube, nil, 1, 0, 0)), 3)
	gives({ 0, 1, 0 }, d3.support(d3.cone(1, 2), nil, 0, 1, 0))
end

function TestSpaceFunctions.test_points()
	gives({ 1, 0, 0, 2, 1, 0, 0 }, d3.closestPoint(cube, nil, 3, 0, 0))
	gives({ 1, 0, 0, -0.25, 1, 0, 0 }, d3.closestPoint(cube, nil, 0.75, 0, 0))
	gives({ true }, d3.containsPoint(cube, nil, 1, 1, 1))
	gives({ false }, d3.containsPoint(cube, nil, 1, 1, 1.001))
	gives({ false }, d3.containsPoint(shapes().mesh, nil, 0.1, 0.1, 0.1))
end

function TestSpaceFunctions.test_convex_hulls()
	local corners, triangles = d3.convexHull { 0, 0, 0, 2, 0, 0, 0.1, 0.1, 0.1, 0, 2, 0, 0, 0, 2, 1, 0, 0 }
	gives({ 12, 12 }, #corners, #triangles)
	lu.assertAlmostEquals(volume_of(corners, faces_of(triangles)), 4 / 3, 1e-12)
	corners, triangles = d3.convexHull { 0, 0, 5, 2, 0, 5, 2, 2, 5, 0, 2, 5, 1, 1, 5 }
	gives({ 12, 0 }, #corners, #triangles)
	corners, triangles = d3.convexHull { 0, 0, 0, 1, 1, 1, 2, 2, 2 }
	gives({ 6, 0 }, #corners, #triangles)
	lu.assertEquals(d3.convexHull { 1, 2, 3, 1, 2, 3 }, { 1, 2, 3 })
	lu.assertEquals(d2.convexHull { 0, 0, 2, 0, 1, 1, 1, 0.5 }, d2.hull { 0, 0, 2, 0, 1, 1, 1, 0.5 })
	-- More corners than a shape may have.
	local points, number = {}, support.random_numbers(8)
	for i = 1, 1000 do
		local x, y, z = number(-1, 1), number(-1, 1), number(-1, 1)
		local length = math.sqrt(x * x + y * y + z * z)
		points[3 * i - 2], points[3 * i - 1], points[3 * i] = x / length, y / length, z / length
	end
	corners, triangles = d3.convexHull(points)
	lu.assertEquals(#corners, 3000)
	lu.assertEquals(#triangles, 3 * (2 * 1000 - 4))
end

function TestSpaceFunctions.test_transform()
	local pose = d3.pose(1, 2, 3, 1, 2, 3, 4)
	for name, shape in pairs(shapes()) do
		local moved = d3.transform(shape, pose)
		-- Tilted, a height field becomes a mesh.
		local kind = name == "heightField" and "mesh" or shape:getType()
		lu.assertEquals(moved:getType(), kind, name)
		lu.assertAlmostEquals(moved:getRadius(), shape:getRadius(), FLOAT, name)
		if name ~= "halfSpace" then
			local expected, got = { shape:getBox(pose) }, { moved:getBox() }
			for i = 1, 6 do lu.assertAlmostEquals(got[i], expected[i], 5e-6, name) end
		end
		lu.assertEquals(d3.transform(shape):getType(), kind, name)
	end
end

function TestSpaceFunctions.test_gjk_and_epa()
	local r = d3.gjk(cube, nil, d3.sphere(0.5), d3.pose(4, 5, 0), { steps = true })
	gives({ 4.5, false, 0.6, 0.8, 0, 1, 1, 0, 3.7, 4.6, 0 }, r.distance, r.overlaps, r.nx, r.ny, r.nz, r.ax, r.ay, r.az, r.bx, r.by, r.bz)
	lu.assertEquals(#r.steps, r.iterations)
	local sum, x, y, z = 0, 0, 0, 0
	for _, v in ipairs(r.simplex) do
		gives({ v.bx - v.ax, v.by - v.ay, v.bz - v.az }, v.x, v.y, v.z)
		sum, x, y, z = sum + v.weight, x + v.weight * v.x, y + v.weight * v.y, z + v.weight * v.z
	end
	gives({ 1, 3, 4, 0 }, sum, x, y, z)
	lu.assertNil(d3.gjk(cube, nil, cube).steps)
	local overlaps, iterations = d3.gjkOverlaps(cube, nil, cube, d3.pose(1.5, 0, 0))
	lu.assertTrue(overlaps and iterations >= 1)
	gives({ "nil" }, d3.epa(cube, nil, cube, d3.pose(3, 0, 0)))
	r = d3.epa(cube, nil, cube, d3.pose(1.5, 0.5, 0.25), { steps = true })
	gives({ 0.5, 1, 0, 0 }, r.depth, r.nx, r.ny, r.nz)
	gives({ 0.5 }, r.ax - r.bx)
	lu.assertTrue(#r.steps >= 1)
	-- Each polytope is closed, and larger than the one before.
	local before = 0
	for _, step in ipairs(r.steps) do
		local volume = volume_of(step.vertices, faces_of(step.triangles))
		lu.assertTrue(volume >= before - 1e-9)
		lu.assertEquals(#step.triangles / 3, 2 * #step.vertices / 3 - 4)
		before = volume
	end
	lu.assertNil(d3.epa(cube, nil, cube).steps)
end

function TestSpaceFunctions.test_sat()
	local far = d3.sat(cube, nil, cube, d3.pose(3, 0, 0))
	gives({ false, 1, "nil", 1, 0, 0, "a" }, far.overlaps, far.distance, far.depth, far.nx, far.ny, far.nz, far.owner)
	lu.assertEquals(d3.sat(cube, nil, cube, d3.pose(3.1, 0, 0), far).checks, 1)
	local near = d3.sat(cube, nil, cube, d3.pose(1.5, 0.5, 0.25))
	gives({ true, 0.5, 1, 0, 0 }, near.overlaps, near.depth, near.nx, near.ny, near.nz)
	-- The axis that it returns is accepted as the next cache.
	local number = support.random_numbers(11)
	local owners = {}
	for _ = 1, 300 do
		local a, b = d3.box(number(0.1, 2), number(0.1, 2), number(0.1, 2)), d3.hull(tetrahedron)
		if number(0, 1) < 0.3 then b = d3.sphere(0.2) end
		local pose = d3.pose(number(-2, 2), number(-2, 2), number(-2, 2), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1))
		local result = d3.sat(a, nil, b, pose)
		owners[result.owner] = true
		local again = d3.sat(a, nil, b, pose, result)
		lu.assertEquals(again.overlaps, result.overlaps)
		if not result.overlaps then lu.assertEquals(again.checks, 1) end
	end
	lu.assertTrue(owners.a and owners.b and owners.edges and owners.corners)
end

-- Exchanging A and B exchanges their results, to the bit.
function TestSpaceFunctions.test_methods_are_symmetric()
	local number = support.random_numbers(23)
	local all = { d3.sphere(0.7), d3.capsule(0.3, 2), d3.box(1, 2, 3), d3.hull(tetrahedron, 0.1), d3.cylinder(0.5, 2), d3.cone(1, 1), d3.ellipsoid(1, 0.5, 2) }
	local function new_pose()
		return d3.pose(number(-2, 2), number(-2, 2), number(-2, 2), number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1))
	end
	for i = 1, 300 do
		local a, b, p, q = all[i % 7 + 1], all[math.floor(i / 7) % 7 + 1], new_pose(), new_pose()
		for _, method in ipairs { d3.gjk, d3.epa } do
			local r, s = method(a, p, b, q), method(b, q, a, p)
			lu.assertEquals(r == nil, s == nil)
			if r then
				lu.assertEquals({ r.distance or r.depth, r.nx, r.ny, r.nz, r.iterations }, { s.distance or s.depth, 0 - s.nx, 0 - s.ny, 0 - s.nz, s.iterations })
				lu.assertEquals({ r.ax, r.ay, r.az, r.bx, r.by, r.bz }, { s.bx, s.by, s.bz, s.ax, s.ay, s.az })
			end
		end
		local steps, other = (d3.epa(a, p, b, q, { steps = true }) or {}).steps, (d3.epa(b, q, a, p, { steps = true }) or {}).steps
		for k, step in ipairs(steps or {}) do
			lu.assertAlmostEquals(volume_of(step.vertices, faces_of(step.triangles)), volume_of(other[k].vertices, faces_of(other[k].triangles)), 1e-9)
		end
		lu.assertEquals({ d3.gjkOverlaps(a, p, b, q) }, { d3.gjkOverlaps(b, q, a, p) })
		if i % 7 < 4 and math.floor(i / 7) % 7 < 4 then
			local r, s = d3.sat(a, p, b, q), d3.sat(b, q, a, p)
			local turned = { a = "b", b = "a", edges = "edges", corners = "corners" }
			lu.assertEquals({ r.depth, r.distance, r.nx, r.ny, r.nz, r.owner, r.checks }, { s.depth, s.distance, 0 - s.nx, 0 - s.ny, 0 - s.nz, turned[s.owner], s.checks })
			-- The axis that it returns is tested first, for either order of A and B.
			if not r.overlaps then lu.assertEquals(d3.sat(a, p, b, q, r).checks, 1) lu.assertEquals(d3.sat(b, q, a, p, s).checks, 1) end
		end
	end
end

function TestSpaceFunctions.test_shapes_in_indexes()
	for _, make in ipairs { "newTree", "newSweep", "newGrid" } do
		local index = collide[make] { dimensions = 3, cellSize = make == "newGrid" and 1 or nil }
		for i = 1, 5 do index:insert(i, i, 0, 0, i + 0.5, 1, 1) end
		lu.assertItemsEquals(index:queryShape(d3.sphere(1), d3.pose(2.75, 0.5, 0.5)), { 2, 3 })
		lu.assertItemsEquals(index:queryShape(d3.halfSpace(1, 0, 0, 2.1)), { 1, 2 })
		lu.assertItemsEquals(index:queryShape(d3.mesh(tetrahedron, { 2, 3, 4 })), { 1, 2 })
		lu.assertItemsEquals(index:queryShape(shapes().compound, d3.pose(0, 0, 0)), { 1, 3, 4, 5 })
	end
end

-- Frequent calls make no garbage.
function TestSpaceFunctions.test_no_garbage()
	local all, p, q = shapes(), d3.pose(1, 0.2, 0.3), d3.pose(3, 1, 1, 0.2, 0.1, 0.3, 1)
	local list = { all.box, all.sphere, all.ellipsoid, all.compound, all.mesh }
	lu.assertEquals(support.bytes_of(100, function()
		for _, a in ipairs(list) do
			d3.overlaps(a, p, cube, q) d3.distance(a, p, cube, q) d3.raycast(a, p, 0, 0, 0, 5, 5, 5) d3.cast(a, nil, 10, 0, 0, cube, q)
			d3.gjkCast(a, nil, 10, 0, 0, cube, q) d3.timeOfImpact(a, nil, p, cube, q, q) d3.bisection(a, nil, 10, 0, 0, cube, q)
			d3.conservativeAdvancement(a, nil, p, cube, q, q) d3.support(a, p, 1, 1, 1) d3.supportVertices(a, p, 1, 0, 0)
			d3.closestPoint(a, p, 1, 1, 1) d3.containsPoint(a, p, 1, 1, 1) d3.mass(a, 1) d3.aabb(a, p)
		end
		d3.gjkOverlaps(all.box, p, cube, q)
	end), 0)
end

-- Errors --------------------------------------------------------------------------------------------------------------------------

TestSpaceErrors = {}

local box, plane, mesh, egg, disc = d3.box(1, 1, 1), d3.halfSpace(0, 1, 0, 0), shapes().mesh, d3.ellipsoid(1, 2, 3), d2.circle(1)
local nan, huge = 0 / 0, math.huge
local function without(key)
	local options = hills()
	options[key] = nil
	return options
end
local function many(count)
	local list = {}
	for i = 1, count do list[i] = i end
	return list
end

local errors = {
	{ "sphere: radius must be > 0, got 0", d3.sphere, 0 },
	{ "sphere: radius must be > 0, got -1", d3.sphere, -1 },
	{ "sphere: radius must be a finite number, got nan", d3.sphere, nan },
	{ "sphere: radius must be a finite number, got inf", d3.sphere, huge },
	{ "sphere: radius must be between 1e-06 and 1e+07, got 100000000", d3.sphere, 1e8 },
	{ "sphere: z must be a finite number, got nothing", d3.sphere, 1, 2, 3 },
	{ "sphere: x must be between -1e+07 and 1e+07, got 20000000", d3.sphere, 1, 2e7, 0, 0 },
	{ "capsule: height must be at least twice the radius, got 1", d3.capsule, 1, 1 },
	{ "capsule: height must be at least twice the radius, got 1", d2.capsule, 1, 1 },
	{ "capsule: radius must be a finite number, got nothing", d3.capsule },
	{ "capsule: x2 must be a finite number, got nothing", d3.capsule, 0, 1, 2 },
	{ "capsule: radius must be > 0, got 0", d3.capsule, 0, 0, 0, 1, 1, 1, 0 },
	{ "segment: its two ends must be at least 1e-06 apart", d3.segment, 1, 2, 3, 1, 2, 3 },
	{ "segment: z2 must be a finite number, got \"1\"", d3.segment, 1, 2, 3, 1, 2, "1" },
	{ "triangle: its corners must not lie on a line", d3.triangle, 0, 0, 0, 1, 1, 1, 3, 3, 3 },
	{ "triangle: its corners must not lie on a line", d3.triangle, 0, 0, 0, 1, 1, 1, 1, 1, 1 },
	{ "triangle: z3 must be a finite number, got nothing", d3.triangle, 0, 0, 0, 1, 1, 1, 3, 3 },
	{ "box: depth must be a finite number, got nothing", d3.box, 1, 1 },
	{ "box: depth must be a finite number, got a table", d3.box, 1, 1, { radius = 0.1 } },
	{ "box: height must be > 0, got 0", d3.box, 1, 0, 1 },
	{ "box: radius must be less than half of width, height and depth, got 0.5", d3.box, 2, 1, 2, { radius = 0.5 } },
	{ "box: radius must be >= 0, got -1", d3.box, 2, 1, 2, { radius = -1 } },
	{ "box: qx, qy, qz and qw must be given together", d3.box, 1, 1, 1, { qx = 1 } },
	{ "box: the quaternion qx, qy, qz, qw must not be zero", d3.box, 1, 1, 1, { qx = 0, qy = 0, qz = 0, qw = 0 } },
	{ "box: qw must be a finite number, got nan", d3.box, 1, 1, 1, { qw = nan } },
	{ "box: unknown key 'angles'", d3.box, 1, 1, 1, { angles = 1 } },
	{ "box: options must be a table, got 1", d3.box, 1, 1, 1, 1 },
	{ "cylinder: height must be > 0, got -2", d3.cylinder, 1, -2 },
	{ "cylinder: radius and height must be within a factor of 100000, got 1.5 and 1000000", d3.cylinder, 1.5, 1e6 },
	{ "cylinder: unknown key 'radius'", d3.cylinder, 1, 1, { radius = 1 } },
	{ "cone: radius must be a finite number, got nil", d3.cone, nil, 1 },
	{ "cone: y must be a finite number, got true", d3.cone, 1, 1, { y = true } },
	{ "ellipsoid: rz must be a finite number, got nothing", d3.ellipsoid, 1, 2 },
	{ "ellipsoid: rx, ry and rz must be within a factor of 1000, got 1.5, 2.5 and 3000", d3.ellipsoid, 1.5, 2.5, 3000 },
	{ "halfSpace: the normal nx, ny, nz must be at least", d3.halfSpace, 0, 0, 0, 1 },
	{ "halfSpace: offset must be a finite number, got nothing", d3.halfSpace, 0, 0, 1 },
	{ "hull: points must be a list, got nothing", d3.hull },
	{ "hull: points must be a flat list {x1, y1, z1, x2, y2, z2, ...}, got 13 numbers", d3.hull, many(13) },
	{ "hull: there must be 4 to 65536 points, got 3", d3.hull, many(9) },
	{ "hull: points must contain at least four different ones", d3.hull, { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0 } },
	{ "hull: points must not lie in a plane", d3.hull, { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 } },
	{ "hull: points must not lie in a plane", d3.hull, { 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0 } },
	{ "hull: points[5] must be a finite number, got \"b\"", d3.hull, { 0, 0, 0, 1, "b", 0, 0, 1, 0, 0, 0, 1 } },
	{ "hull: radius must be >= 0, got -1", d3.hull, tetrahedron, -1 },
	{ "mesh: vertices must be a list, got a 3D shape", d3.mesh, box, { 1, 2, 3 } },
	{ "mesh: there must be 3 to 16777215 vertices, got 2", d3.mesh, many(6), { 1, 2, 3 } },
	{ "mesh: vertices must be a flat list {x1, y1, z1, x2, y2, z2, ...}, got 10 numbers", d3.mesh, many(10), { 1, 2, 3 } },
	{ "mesh: indices must be a list, got nil", d3.mesh, tetrahedron },
	{ "mesh: indices must be a flat list of three for each of 1 to 16777216 triangles, got 0", d3.mesh, tetrahedron, {} },
	{ "mesh: indices must be a flat list of three for each of 1 to 16777216 triangles, got 4", d3.mesh, tetrahedron, { 1, 2, 3, 4 } },
	{ "mesh: indices[3] must be a whole number between 1 and 4, got 5", d3.mesh, tetrahedron, { 1, 2, 5 } },
	{ "mesh: indices[1] must be a whole number between 1 and 4, got 0", d3.mesh, tetrahedron, { 0, 2, 3 } },
	{ "mesh: indices[2] must be a whole number between 1 and 4, got 1.5", d3.mesh, tetrahedron, { 1, 1.5, 3 } },
	{ "mesh: triangle 2 has no area", d3.mesh, tetrahedron, { 1, 2, 3, 4, 4, 1 } },
	{ "mesh: vertices[12] must be a finite number, got nan", d3.mesh, { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, nan }, { 1, 2, 3 } },
	{ "mesh: options must be a table, got true", d3.mesh, tetrahedron, { 1, 2, 3 }, true },
	{ "mesh: unknown key 'onesided', did you mean 'oneSided'?", d3.mesh, tetrahedron, { 1, 2, 3 }, { onesided = true } },
	{ "mesh: oneSided must be true or false, got 1", d3.mesh, tetrahedron, { 1, 2, 3 }, { oneSided = 1 } },
	{ "mesh: scale must not be 0, got 0", d3.mesh, tetrahedron, { 1, 2, 3 }, { scale = 0 } },
	{ "mesh: scale must be a number or a list {x, y, z}, got a table", d3.mesh, tetrahedron, { 1, 2, 3 }, { scale = { 1, 2 } } },
	{ "mesh: scale[2] must be a finite number, got nan", d3.mesh, tetrahedron, { 1, 2, 3 }, { scale = { 1, nan, 1 } } },
	{ "mesh: vertex 2, scaled, must stay within 10000000", d3.mesh, { 0, 0, 0, 1e6, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, { scale = 20 } },
	{ "mesh: triangle 1 has no area", d3.mesh, tetrahedron, { 1, 2, 3 }, { scale = { 1e6, 1e-6, 1 } } },
	{ "mesh: weld must be > 0, got 0", d3.mesh, tetrahedron, { 1, 2, 3 }, { weld = 0 } },
	{ "mesh: no triangle has an area, once vertices within weld of each other are one", d3.mesh, tetrahedron, { 1, 2, 3 }, { weld = 1000 } },
	{ "mesh: materials and triangleMaterials must be given together", d3.mesh, tetrahedron, { 1, 2, 3 }, { materials = {} } },
	{ "mesh: triangleMaterials must have a number for each, 1, got 2", d3.mesh, tetrahedron, { 1, 2, 3 }, { materials = {}, triangleMaterials = { 0, 0 } } },
	{ "mesh: triangleMaterials[1] must be a whole number between 0 and 1, got 2", d3.mesh, tetrahedron, { 1, 2, 3 },
		{ materials = { {} }, triangleMaterials = { 2 } } },
	{ "mesh: materials[1] must be a table, got 1", d3.mesh, tetrahedron, { 1, 2, 3 }, { materials = { 1 }, triangleMaterials = { 1 } } },
	{ "mesh: materials[1].friction must be >= 0, got -1", d3.mesh, tetrahedron, { 1, 2, 3 },
		{ materials = { { friction = -1 } }, triangleMaterials = { 1 } } },
	{ "mesh: materials[1].tangentVelocity must be a list {x, y, z}, got a table", d3.mesh, tetrahedron, { 1, 2, 3 },
		{ materials = { { tangentVelocity = { 1, 2 } } }, triangleMaterials = { 1 } } },
	{ "heightField: holes[1] must be a whole number between 1 and 2, got 3", d3.heightField, hills { holes = { 3 } } },
	{ "heightField: one cell at least must not be a hole", d3.heightField, hills { holes = { 1, 2, 1 } } },
	{ "heightField: holes must be a list, got 1", d3.heightField, hills { holes = 1 } },
	{ "heightField: cellMaterials must have a number for each, 2, got 0", d3.heightField, hills { materials = {}, cellMaterials = {} } },
	{ "heightmap: unknown key 'holes'", d3.heightmap, hills { holes = { 1 } } },
	{ "taperedCapsule: radius2 must be > 0, got 0", d3.taperedCapsule, 0, 0, 0, 1, 1, 0, 0, 0 },
	{ "taperedCapsule: x2 must be a finite number, got nothing", d3.taperedCapsule, 0, 0, 0, 1 },
	{ "getFaceEdges: the shape must be a mesh or a height field, got one of type box", box.getFaceEdges, box, 1 },
	{ "getFaceMaterial: face must be a whole number between 1 and 1, got 2", box.getFaceMaterial, d3.mesh(tetrahedron, { 1, 2, 3 }), 2 },
	{ "heightField: options must be a table, got nil", d3.heightField },
	{ "heightField: there must be columns * rows heights, at most 16777216, got 2", d3.heightField, hills { heights = { 1, 2 } } },
	{ "heightField: columns must be given", d3.heightField, without "columns" },
	{ "heightField: cellDepth must be given", d3.heightField, without "cellDepth" },
	{ "heightField: heights must be a list, got nil", d3.heightField, without "heights" },
	{ "heightField: rows must be a whole number between 2 and 16777216, got 1", d3.heightField, hills { rows = 1 } },
	{ "heightField: heights[2] must be a finite number, got inf", d3.heightField, hills { heights = { 0, huge, 0, 0, 0, 0 } } },
	{ "heightField: it must stay within 10000000", d3.heightField, hills { x = 1e7 } },
	{ "heightField: cellDepth must be at least a millionth of how far out it reaches along z", d3.heightField, hills { z = 9e6 } },
	{ "heightField: unknown key 'cellHeight', did you mean 'cellWidth'?", d3.heightField, hills { cellHeight = 1 } },
	{ "compound: shapes must be a list, got a 3D shape", d3.compound, box },
	{ "compound: there must be 1 to 65536 shapes, got 0", d3.compound, {} },
	{ "compound: shapes[2] must be a shape, got 1", d3.compound, { box, 1 } },
	{ "compound: shapes[1] must be a 3D shape, got a 2D shape", d3.compound, { disc } },
	{ "compound: shapes[1].shape must be given", d3.compound, { { pose = d3.pose(0, 0, 0) } } },
	{ "compound: shapes[1].shape must be a shape, got a 3D pose", d3.compound, { { shape = d3.pose(0, 0, 0) } } },
	{ "compound: shapes[1].pose must be a 3D pose or nil, got a 2D pose", d3.compound, { { shape = box, pose = d2.pose(0, 0) } } },
	{ "compound: shapes[1]: unknown key 'poes', did you mean 'pose'?", d3.compound, { { shape = box, poes = 1 } } },
	{ "compound: shapes[1] must be convex with an end, or a compound, not of type halfSpace", d3.compound, { plane } },
	{ "compound: shapes[2] must be convex with an end, or a compound, not of type mesh", d3.compound, { box, { shape = mesh } } },
	{ "compound: the shape must stay within 10000000", d3.compound, { { shape = box, pose = d3.pose(0, 1e8, 0) } } },
	{ "pose: z must be a finite number, got nothing", d3.pose, 0, 0 },
	{ "pose: x must be between -1e+15 and 1e+15, got 1e+16", d3.pose, 1e16, 0, 0 },
	{ "pose: qy must be a finite number, got nothing", d3.pose, 0, 0, 0, 1 },
	{ "pose: qx must be a finite number, got nil", d3.pose, 0, 0, 0, nil, 0, 0, 1 },
	{ "pose: the quaternion qx, qy, qz, qw must not be zero", d3.pose, 0, 0, 0, 0, 0, 0, 0 },
	{ "getType: expected a 3D shape, got a 2D shape; methods are called with ':'", box.getType, disc },
	{ "getType: expected a shape, got a 3D shape; methods are called with ':'", disc.getType, box },
	{ "getFaces: expected a 3D shape, got nothing", box.getFaces },
	{ "getMass: density must be >= 0, got -1", box.getMass, box, -1 },
	{ "getBox: pose must be a pose or nil, got a 3D shape", box.getBox, box, box },
	{ "getRotation: expected a 3D pose, got a 2D pose", d3.pose(0, 0, 0).getRotation, d2.pose(0, 0) },
	{ "a 3D shape never changes: it has no field \"radius\" to assign", function() box.radius = 1 end },
	{ "a 3D pose never changes: it has no field \"x\" to assign", function() d3.pose(0, 0, 0).x = 1 end },
	{ "distance: a must be a 3D shape, got a 2D shape", d3.distance, disc },
	{ "distance: a must be a 2D shape, got a 3D shape", d2.distance, box },
	{ "distance: poseA must be a 3D pose or nil, got a 2D pose", d3.distance, box, d2.pose(0, 0), box },
	{ "distance: poseB must be a 2D pose or nil, got a 3D pose", d2.distance, disc, nil, disc, d3.pose(0, 0, 0) },
	{ "distance: b must be a shape, got nothing", d3.distance, box },
	{ "newBody: shape must be a 2D shape, got a 3D shape", function() d2.newWorld():newBody { shape = box } end },
	{ "overlaps: poseB must be a pose or nil, got 1", d3.overlaps, box, nil, box, 1 },
	{ "manifold: b must be a shape, got a table", d3.manifold, box, nil, {} },
	{ "raycast: z2 must be a finite number, got inf", d3.raycast, box, nil, 0, 0, 0, 0, 0, huge },
	{ "raycast: y1 must be a finite number, got nothing", d3.raycast, box, nil, 0 },
	{ "cast: dz must be between -1e+15 and 1e+15, got 1e+16", d3.cast, box, nil, 0, 0, 1e16, box },
	{ "cast: dz must be a finite number, got a 3D shape", d3.cast, box, nil, 0, 0, box },
	{ "cast: b must be a shape, got nothing", d3.cast, box, nil, 0, 1, 0 },
	{ "gjkCast: dx must be a finite number, got nan", d3.gjkCast, box, nil, nan, 0, 0, box },
	{ "timeOfImpact: poseA1 must be a pose or nil, got 1", d3.timeOfImpact, box, nil, 1, box },
	{ "timeOfImpact: b must be a shape, got nothing", d3.timeOfImpact, box },
	{ "conservativeAdvancement: unknown key 'step', did you mean 'steps'?", d3.conservativeAdvancement, box, nil, nil, box, nil, nil, { step = true } },
	{ "bisection: a must be a shape with an end, not a half-space, got a 3D shape", d3.bisection, plane, nil, 1, 0, 0, box },
	{ "bisection: b must be a shape with an end, not a half-space", d3.bisection, box, nil, 1, 0, 0, plane },
	{ "bisection: tolerance must be > 0, got 0", d3.bisection, box, nil, 1, 0, 0, box, nil, 0 },
	{ "minkowskiDifference: a must be convex, not a mesh, height field or compound", d3.minkowskiDifference, mesh, nil, box },
	{ "minkowskiSum: b must have points, not be a cylinder, cone, ellipsoid or tapered capsule", d3.minkowskiSum, box, nil, egg },
	{ "minkowskiSum: b must be a shape with an end, not a half-space", d3.minkowskiSum, box, nil, plane },
	{ "support: the direction dx, dy, dz must not be 0", d3.support, box, nil, 0, 0, 0 },
	{ "support: shape must be a shape with an end, not a half-space", d3.support, plane, nil, 1, 0, 0 },
	{ "supportVertices: dz must be a finite number, got nothing", d3.supportVertices, box, nil, 0, 1 },
	{ "closestPoint: z must be a finite number, got nothing", d3.closestPoint, box, nil, 1, 2 },
	{ "containsPoint: x must be a finite number, got \"x\"", d3.containsPoint, box, nil, "x", 0, 0 },
	{ "convexHull: points must be a flat list {x1, y1, z1, x2, y2, z2, ...}, got 4 numbers", d3.convexHull, { 1, 2, 3, 4 } },
	{ "convexHull: there must be 1 to 16777216 points, got 0", d3.convexHull, {} },
	{ "convexHull: points[3] must be between -1e+15 and 1e+15, got 1e+16", d3.convexHull, { 0, 0, 1e16 } },
	{ "mass: shape must be a 3D shape, got a 2D shape", d3.mass, disc, 1 },
	{ "aabb: pose must be a pose or nil, got 1", d3.aabb, box, 1 },
	{ "transform: the shape must stay within 10000000", d3.transform, box, d3.pose(1e8, 0, 0) },
	{ "transform: the shape must stay within 10000000", d3.transform, plane, d3.pose(0, 1e8, 0) },
	{ "transform: the ends of a segment must be at least 1e-06 apart, but are not", d3.transform, d3.segment(0, 0, 0, 1e-3, 0, 0), d3.pose(9e6, 0, 0) },
	{ "transform: triangle 1 has no area", d3.transform, d3.triangle(0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0), d3.pose(9e6, 9e6, 0) },
	{ "transform: triangle 2 has no area", d3.transform, d3.mesh({ 0, 0, 0, 1e6, 0, 0, 0, 1e6, 0, 1e-3, 0, 0, 0, 1e-3, 0 }, { 1, 2, 3, 1, 4, 5 }), d3.pose(8e6, 8e6, 0) },
	{ "transform: the points are so far out that they lie in a plane", d3.transform, d3.hull { 0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3 }, d3.pose(9e6, 9e6, 9e6) },
	{ "gjk: a must be convex, not a mesh, height field or compound", d3.gjk, mesh, nil, box },
	{ "gjk: options must be a table, got 1", d3.gjk, box, nil, box, nil, 1 },
	{ "gjkOverlaps: b must be a shape with an end, not a half-space", d3.gjkOverlaps, box, nil, plane },
	{ "epa: steps must be true or false, got 1", d3.epa, box, nil, box, nil, { steps = 1 } },
	{ "sat: a must have points, not be a cylinder, cone, ellipsoid or tapered capsule", d3.sat, egg, nil, box },
	{ "sat: cache must be an earlier result of sat, or nil, got 1", d3.sat, box, nil, box, nil, 1 },
	{ "sat: cache.owner must be \"a\", \"b\", \"edges\" or \"corners\", got nil", d3.sat, box, nil, box, nil, {} },
	{ "sat: cache.index must be a whole number between 1 and 1536, got 0", d3.sat, box, nil, box, nil, { owner = "a", index = 0 } },
	{ "sat: cache.other must be a whole number between 1 and 1536, got nil", d3.sat, box, nil, box, nil, { owner = "edges", index = 1 } },
	{ "sat: cache.dy must be a finite number, got nil", d3.sat, box, nil, box, nil, { owner = "corners", dx = 1 } },
	{ "sat: the direction cache.dx, cache.dy, cache.dz must not be 0", d3.sat, box, nil, box, nil, { owner = "corners", dx = 0, dy = 0, dz = 0 } },
}

for i, entry in ipairs(errors) do
	TestSpaceErrors[("test_%03d_%s"):format(i, entry[1]:match "^%w+")] = function()
		local most = 2
		for k in pairs(entry) do most = math.max(most, k) end
		local ok, message = pcall(entry[2], unpack(entry, 3, most))
		lu.assertFalse(ok)
		lu.assertStrContains(message, entry[1])
	end
end

-- A cache of other shapes is useless, but harmless.
function TestSpaceErrors.test_caches_of_other_shapes()
	local plain = d3.sat(box, nil, d3.hull(tetrahedron), d3.pose(3, 0, 0))
	for _, cache in ipairs { { owner = "a", index = 1536 }, { owner = "b", index = 1536 }, { owner = "edges", index = 1536, other = 1536 },
		{ owner = "edges", index = 1, other = 1 }, { owner = "corners", dx = 1e15, dy = -1e15, dz = 3 } } do
		for _, a in ipairs { box, d3.sphere(1), d3.segment(0, 0, 0, 1, 1, 1), d3.triangle(0, 0, 0, 1, 0, 0, 0, 1, 0) } do
			lu.assertFalse(d3.sat(a, nil, d3.hull(tetrahedron), d3.pose(3, 0, 0), cache).overlaps)
			lu.assertFalse(d3.sat(d3.hull(tetrahedron), d3.pose(3, 0, 0), a, nil, cache).overlaps)
		end
	end
	lu.assertFalse(plain.overlaps)
end
