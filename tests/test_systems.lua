-- The page of the collision systems, lua/collide/systems.md: every row is there, and the functions and tests that it names exist.
local lu, collide, support = require "luaunit", require "collide", require "support"
local d2, d3 = collide.d2, collide.d3
local atan2 = math.atan2 or math.atan

TestSystems = {}

local root = debug.getinfo(1, "S").source:match "^@(.*)tests/[^/]*$"
local rows = {} -- [id] = { functions, tests }
for line in support.read(root .. "lua/collide/systems.md"):gmatch "[^\n]+" do
	local id, rest = line:match "^| ([SE][0-9][0-9b-]*) | (.*) |$"
	if id then
		assert(not rows[id], id)
		local cells = {}
		for cell in (rest .. " | "):gmatch "(.-) | " do cells[#cells + 1] = cell end
		rows[id] = { functions = #cells == 3 and cells[2] or nil, tests = cells[#cells] }
	end
end

function TestSystems.test_every_row_is_there()
	local missing = {}
	for source, last in pairs { [0] = 36, 18, 13, 29, 18 } do
		for number = 1, last do
			local id = ("S%d-%02d"):format(source, number)
			if not (rows[id] and rows[id].functions) then missing[#missing + 1] = id end
		end
	end
	for number = 1, 45 do
		if not rows["E" .. number] and number ~= 36 then missing[#missing + 1] = "E" .. number end
	end
	if not rows.E29b then missing[#missing + 1] = "E29b" end
	table.sort(missing)
	lu.assertEquals(missing, {})
end

local function method_of(object, name)
	local found, value = pcall(function() return object[name] end)
	return found and value
end

function TestSystems.test_every_function_is_there()
	local world, index, shape = d2.newWorld(), collide.newTree(), d2.circle(1)
	local heightmap = d2.heightmap { cellWidth = 1, heights = { 0, 0 } }
	local owners = { collide = collide, d2 = d2, d3 = collide.d3, world = world, index = index, shape = shape, pose = d2.pose(0, 0),
		heightmap = heightmap }
	local missing = {}
	for id, row in pairs(rows) do
		for name in (row.functions or ""):gmatch "[^, ]+" do
			local owner, separator, own = name:match "^(%w+)([.:])(%w+)$"
			local found
			if name:match "^scripts/" then
				local file = io.open(root .. name)
				found = file and file:close()
			elseif owner then
				found = owners[owner] and type(method_of(owners[owner], own)) == "function" and (separator == ":") == (type(owners[owner]) ~= "table")
			else
				found = type(d2[name]) == "function" and type(collide.d3[name]) == "function"
			end
			if not found then missing[#missing + 1] = id .. ": " .. name end
		end
	end
	world:destroy()
	table.sort(missing)
	lu.assertEquals(missing, {})
end

-- The classes of a test file, loaded separately from those that run. nil: the file does not exist, or has no tests.
local function classes_of(file)
	local classes = setmetatable({}, { __index = _G })
	local chunk = loadfile(root .. "tests/test_" .. file .. ".lua", "t", classes)
	if not chunk then return nil end
	support.suites = classes
	chunk()
	support.suites = _G
	return setmetatable(classes, nil)
end

function TestSystems.test_every_test_is_there()
	local loaded, missing = { systems = { TestSystems = TestSystems } }, {}
	for id, row in pairs(rows) do
		lu.assertTrue(row.tests:match "%S" ~= nil, id)
		for name in row.tests:gmatch "[^, ]+" do
			local file, class, test = name:match "^([%w_]+)%.?([%w_]*)%.?([%w_]*)$"
			loaded[file] = loaded[file] or classes_of(file) or {}
			local found = next(loaded[file]) ~= nil
			if class ~= "" then found = type(loaded[file][class]) == "table" end
			if found and test ~= "" then found = type(loaded[file][class][test]) == "function" end
			if not found then missing[#missing + 1] = id .. ": " .. name end
		end
	end
	table.sort(missing)
	lu.assertEquals(missing, {})
end

-- The motion of a time of impact, sampled: at the hit the shapes are almost in contact, before it they are separated.
function TestSystems.test_S1_03_poses_on_the_way()
	local number = support.random_numbers(103)
	local hits = 0
	for round = 1, 400 do
		local function turn() return number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1) end
		local d, a, b, from, to, place
		if round % 2 == 0 then
			d, a, b = d2, d2.box(2, 0.5), d2.polygon { 0, 0, 1, 0, 0.5, 1 }
			from, to, place = d2.pose(-4, number(-1, 1), number(-3, 3)), d2.pose(4, number(-1, 1), number(-3, 3)), d2.pose(0, 0, number(-3, 3))
		else
			d, a, b = d3, d3.box(2, 0.5, 0.3), d3.cone(0.7, 1)
			from, to = d3.pose(-4, number(-1, 1), 0, turn()), d3.pose(4, number(-1, 1), 0, turn())
			place = d3.pose(0, 0, 0, turn())
		end
		local state, t = d.timeOfImpact(a, from, to, b, place, place)
		for k = 0, 9 do
			lu.assertTrue(d.distance(a, from:interpolate(to, t * k / 10), b, place) > 0 or state == "overlapping")
		end
		if state == "hit" then
			hits = hits + 1
			local gap = d.distance(a, from:interpolate(to, t), b, place)
			lu.assertTrue(gap >= -1e-6 and gap < 2e-6, ("a gap of %g"):format(gap))
		end
	end
	lu.assertTrue(hits > 100)
	local middle = d3.pose(0, 0, 0):interpolate(d3.pose(2, 4, 6, 1, 0, 0, 0), 0.5)
	local x, y, z, qx, _, _, qw = middle:getTransform()
	lu.assertEquals({ x, y, z }, { 1, 2, 3 })
	lu.assertAlmostEquals(qx * qx, 0.5, 1e-6)
	lu.assertAlmostEquals(qw * qw, 0.5, 1e-6)
	local _, _, angle = d2.pose(0, 0, 3):interpolate(d2.pose(0, 0, -3), 0.5):getTransform()
	lu.assertAlmostEquals(math.abs(angle), math.pi, 1e-6) -- the shorter rotation
end

-- No point of the shape is farther from the centre than the radius, and one is as far.
function TestSystems.test_S0_27_bounding_radius()
	local number = support.random_numbers(27)
	lu.assertAlmostEquals(d2.boundingRadius(d2.box(3, 4)), 2.5, 1e-6)
	lu.assertAlmostEquals(d3.boundingRadius(d3.box(2, 3, 6)), 3.5, 1e-6)
	lu.assertAlmostEquals(d3.boundingRadius(d3.sphere(1, 2, 0, 0), 0, 0, 1), math.sqrt(5) + 1, 1e-6)
	for _, shape in ipairs { d2.capsule(0, 0, 1, 2, 0.5), d2.polygon { 0, 0, 3, 0, 0, 1 }, d2.box(1, 2, { x = 3, radius = 0.2 }), d2.ellipse(2, 1), d2.circle(1, 1, 1) } do
		local x, y, most = number(-2, 2), number(-2, 2), 0
		local radius = d2.boundingRadius(shape, x, y)
		for i = 0, 3600 do
			local px, py = d2.support(shape, nil, math.cos(i * math.pi / 1800), math.sin(i * math.pi / 1800))
			most = math.max(most, math.sqrt((px - x) ^ 2 + (py - y) ^ 2))
		end
		-- Off its middle an ellipse's radius is that of its bounding circle.
		local least = shape:getType() == "ellipse" and 0.9 or 1 - 1e-5
		lu.assertTrue(most <= radius * (1 + 1e-6) and most > radius * least, ("%s: %g for %g"):format(shape:getType(), radius, most))
	end
	for _, shape in ipairs { d3.capsule(0, 0, 0, 1, 2, 0, 0.5), d3.cone(1, 2), d3.cylinder(1, 2), d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3 }, d3.box(1, 2, 3, { radius = 0.2 }) } do
		local radius, most = d3.boundingRadius(shape), 0
		for _ = 1, 2000 do
			local px, py, pz = d3.support(shape, nil, number(-1, 1), number(-1, 1), number(-1, 1))
			most = math.max(most, math.sqrt(px * px + py * py + pz * pz))
		end
		lu.assertTrue(most <= radius * (1 + 1e-6) and most > radius * 0.95, ("%s: %g for %g"):format(shape:getType(), radius, most))
	end
	for _, bad in ipairs { { d2, d2.halfPlane(0, 1, 0) }, { d3, d3.halfSpace(0, 1, 0, 0) } } do
		lu.assertErrorMsgContains("be a shape with an end", bad[1].boundingRadius, bad[2])
	end
end

-- Normals are unit vectors perpendicular to their edges or faces; all other points are behind them.
function TestSystems.test_S0_14_normals()
	for _, shape in ipairs { d2.box(1, 2, { angle = 0.3 }), d2.polygon { 0, 0, 3, 0, 4, 2, 1, 5 }, d2.segment(0, 0, 1, 1), d2.capsule(0, 0, 1, 1, 0.5) } do
		local points, normals = shape:getPoints(), shape:getNormals()
		lu.assertEquals(#normals, #points)
		for i = 1, #points, 2 do
			local nx, ny, k = normals[i], normals[i + 1], i % #points + 1
			k = i + 2 > #points and 1 or i + 2
			lu.assertAlmostEquals(nx * nx + ny * ny, 1, 1e-6)
			lu.assertAlmostEquals(nx * (points[k] - points[i]) + ny * (points[k + 1] - points[i + 1]), 0, 1e-6)
			for j = 1, #points, 2 do lu.assertTrue(nx * (points[j] - points[i]) + ny * (points[j + 1] - points[i + 1]) < 1e-6) end
		end
	end
	lu.assertEquals(d2.circle(1):getNormals(), {})
	lu.assertEquals(#d2.chain({ 0, 0, 1, 0, 1, 1 }):getNormals(), 4)
	for _, shape in ipairs { d3.box(1, 2, 3, { qx = 1, qy = 0, qz = 0, qw = 2 }), d3.hull { 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 2, 2, 2 }, d3.triangle(0, 0, 0, 1, 0, 0, 0, 1, 1) } do
		local points, faces, normals = shape:getPoints(), shape:getFaces(), shape:getNormals()
		lu.assertEquals(#normals, 3 * #faces)
		for f, face in ipairs(faces) do
			local nx, ny, nz = normals[3 * f - 2], normals[3 * f - 1], normals[3 * f]
			lu.assertAlmostEquals(nx * nx + ny * ny + nz * nz, 1, 1e-9)
			local function height(point) return nx * points[3 * point - 2] + ny * points[3 * point - 1] + nz * points[3 * point] end
			for _, point in ipairs(face) do lu.assertAlmostEquals(height(point), height(face[1]), 1e-5) end
			for point = 1, #points / 3 do
				if shape:getType() ~= "triangle" then lu.assertTrue(height(point) < height(face[1]) + 1e-5) end
			end
		end
	end
end

-- Winding: reversed by a reflection.
function TestSystems.test_S0_15_signed_area_and_volume()
	local L = { 0, 0, 2, 0, 2, 1, 1, 1, 1, 3, 0, 3 }
	lu.assertAlmostEquals(d2.signedArea(L), 4, 1e-12)
	local back = {}
	for i = 1, #L, 2 do back[#L - i], back[#L - i + 1] = L[i], L[i + 1] end
	lu.assertAlmostEquals(d2.signedArea(back), -4, 1e-12)
	for i = 1, #L do L[i] = L[i] + 1e6 end
	lu.assertAlmostEquals(d2.signedArea(L), 4, 1e-9)
	local vertices, indices = d3.convexHull { 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 }
	lu.assertAlmostEquals(d3.signedVolume(vertices, indices), 1, 1e-12)
	for i = 1, #indices, 3 do indices[i], indices[i + 1] = indices[i + 1], indices[i] end
	lu.assertAlmostEquals(d3.signedVolume(vertices, indices), -1, 1e-12)
	lu.assertErrorMsgContains("there must be 3 to", d2.signedArea, { 0, 0, 1, 1 })
	lu.assertErrorMsgContains("there must be 1 to", d3.signedVolume, {}, {})
end

-- A chain of n points approximates an arc of radius R to within its sagitta, R (1 - cos(step / 2)).
function TestSystems.test_S0_34_an_arc_is_a_chain_of_its_points()
	local R, n, from, to = 2, 129, 0.3, 2.6
	local points, step = {}, (to - from) / (n - 1)
	for i = 0, n - 1 do points[2 * i + 1], points[2 * i + 2] = R * math.cos(from + i * step), R * math.sin(from + i * step) end
	local arc, sagitta = d2.chain(points), R * (1 - math.cos(step / 2)) + 1e-6
	local number = support.random_numbers(34)
	for round = 1, 2000 do
		local x, y, r = number(-4, 4), number(-4, 4), number(0.01, 0.5)
		local angle, expected = atan2(y, x), nil
		if angle >= from and angle <= to then
			expected = math.abs(math.sqrt(x * x + y * y) - R)
		else
			expected = math.huge
			for _, q in ipairs { from, to } do
				expected = math.min(expected, math.sqrt((x - R * math.cos(q)) ^ 2 + (y - R * math.sin(q)) ^ 2))
			end
		end
		local got = d2.distance(d2.circle(r), d2.pose(x, y), arc)
		lu.assertTrue(math.abs(got - (expected - r)) <= sagitta, ("circle at %g, %g: %g, %g"):format(x, y, got, expected - r))
		-- A square: its distance is that of its nearest sampled point, to the samples' spacing.
		if round <= 50 then
			local nearest, side, count = math.huge, r, 400
			for i = 0, count do
				local u = (i / count - 0.5) * side
				for _, p in ipairs { { x + u, y - side / 2 }, { x + u, y + side / 2 }, { x - side / 2, y + u }, { x + side / 2, y + u } } do
					local a = atan2(p[2], p[1])
					if a >= from and a <= to then nearest = math.min(nearest, math.abs(math.sqrt(p[1] ^ 2 + p[2] ^ 2) - R)) end
					for _, q in ipairs { from, to } do
						nearest = math.min(nearest, math.sqrt((p[1] - R * math.cos(q)) ^ 2 + (p[2] - R * math.sin(q)) ^ 2))
					end
				end
			end
			local square = d2.distance(d2.box(side, side), d2.pose(x, y), arc)
			if square > 0 then lu.assertTrue(math.abs(square - nearest) <= sagitta + side / count, "square") end
		end
	end
end
