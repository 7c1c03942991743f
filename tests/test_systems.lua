-- The page of the collision systems, lua/collide/systems.md, against what there is: every row is there, every function, every test.
local lu, collide, support = require "luaunit", require "collide", require "support"
local d2 = collide.d2
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
	local owners = { collide = collide, d2 = d2, d3 = collide.d3, world = world, index = index, shape = shape, heightmap = heightmap }
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

-- The classes of a file of tests, which is loaded beside those that run. nil: there is no such file, or it has no tests.
local function classes_of(file)
	local classes = setmetatable({}, { __index = _G })
	local chunk = loadfile(root .. "tests/test_" .. file .. ".lua", "t", classes)
	if not chunk then return nil end
	chunk()
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

-- An arc of radius R is met by the chain of n of its points to within its sagitta, R (1 - cos(step / 2)).
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
		-- A square beside it: as far as the nearest of its points that sampling finds, to the samples' distance.
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
