-- Shared by several test files: random numbers that are the same everywhere, steps, a count of garbage, and the shell.
require("collide").warn = false -- the worlds of many tests are odd; see test_warnings.lua

local support = {}

-- A Lehmer generator: the same numbers everywhere, exact in doubles. Returns number(low, high) and choice(count), from 1 to count.
function support.random_numbers(seed)
	local state = seed
	local function number(low, high)
		state = (state * 16807) % 2147483647
		return low + (high - low) * state / 2147483647
	end
	return number, function(count) return math.min(count, 1 + math.floor(number(0, count))) end
end

-- The differences between the dimensions.
support.wings = {
	d2 = {
		vector = function(x, y) return { x, y } end,
		numbers = function(x, y) return x, y end,
		ball = function(d, radius) return d.circle(radius) end,
		cube = function(d, size) return d.box(size, size) end,
		floor = function(d) return d.box(100, 2) end,
	},
	d3 = {
		vector = function(x, y) return { x, y, 0 } end,
		numbers = function(x, y) return x, y, 0 end,
		ball = function(d, radius) return d.sphere(radius) end,
		cube = function(d, size) return d.box(size, size, size) end,
		floor = function(d) return d.box(100, 2, 100) end,
	},
}

-- The API of 2D, and the same names for the plane z = 0 in 3D: see plane.lua.
support.planes = { d2 = require("collide").d2, d3 = require "plane" }

-- Whether a collider's kind is forbidden to dynamic bodies. Segments of 2D are meshes in 3D.
function support.terrain(dim, shape, sensor)
	local type = shape:getType()
	return not sensor and (type == "chain" or type == "halfPlane" or dim == "d3" and type == "segment")
end

-- The mass of round shapes of density 1, and their inertia in units of mass radius^2, differ between 2D and 3D.
support.round = {
	d2 = { mass = function(radius) return math.pi * radius ^ 2 end, inertia = 1 / 2 },
	d3 = { mass = function(radius) return 4 / 3 * math.pi * radius ^ 3 end, inertia = 2 / 5 },
}

-- The area of a polygon, a flat list from index `first` on (1 by default); negative if it is clockwise.
function support.polygon_area(list, first)
	first = first or 1
	local x, y, sum = list[first], list[first + 1], 0
	for i = first, #list, 2 do
		local j = i + 2 > #list and first or i + 2
		sum = sum + (list[i] - x) * (list[j + 1] - y) - (list[j] - x) * (list[i + 1] - y)
	end
	return sum / 2
end

-- An object whose finalizer runs f.
function support.finalized(f)
	if _VERSION == "Lua 5.1" then
		local proxy = newproxy(true)
		getmetatable(proxy).__gc = f
		return proxy
	end
	return setmetatable({}, { __gc = f })
end

-- Calls f(prepare()) with a finalizer pending that calls act(prepare()), several times: each time the collector is nearer to that finalizer when f begins, so
-- that it runs in one of f's allocations after the other. Returns how often it ran within f.
function support.interrupted(prepare, act, f)
	local struck, steps, ran = 0, 0, false
	local function round(advance)
		collectgarbage "stop"
		local first, second = prepare()
		collectgarbage()
		ran = false
		support.finalized(function()
			ran = true
			act(first, second)
		end)
		local multiplier = collectgarbage("setstepmul", jit and 5000 or 1000)
		if not jit then collectgarbage("incremental", 0, 0, 6) end
		while not ran and advance > 0 do
			collectgarbage("step", 0)
			advance, steps = advance - 1, steps + 1
		end
		if not ran then
			collectgarbage "restart"
			pcall(f, first, second)
			if ran then struck = struck + 1 end
		end
		if not jit then collectgarbage("incremental", 0, 0, 13) end
		collectgarbage("setstepmul", multiplier)
		collectgarbage "restart"
	end
	round(math.huge)
	local all = steps
	-- Objects that earlier rounds made lengthen a cycle of the collector, so some rounds begin beyond the first length.
	for left = 9, -3, jit and -1 or -2 do round(math.max(0, all - left)) end
	return struck
end

-- Where LuaUnit looks for tests.
support.suites = _G

-- A class of tests, for 2D or 3D. only: the dimension in which they hold; in the other one they are not run.
function support.suite(name, dim, only)
	local suites = support.suites
	if only and dim ~= only then return {} end
	name = dim == "d2" and name or name .. "InSpace"
	suites[name] = suites[name] or {}
	return suites[name]
end

-- So many steps of 1/60 s; calls before(i) before each of them.
function support.steps(world, count, before)
	for i = 1, count do
		if before then before(i) end
		world:step(1 / 60)
	end
end

-- The bytes of garbage that `calls` calls of f leave. A first round lets tables and buffers grow to their sizes, a second one regrows what the collection has
-- shrunk inside Lua. LuaJIT's compiler is off, as it allocates, too. Garbage of every call appears in both measured rounds, a Lua table that happens to grow in
-- one: the lesser counts.
function support.bytes_of(calls, f)
	if jit then jit.off() end
	for _ = 1, 10 do f() end
	collectgarbage() collectgarbage()
	collectgarbage "stop"
	for _ = 1, 10 do f() end
	local least = math.huge
	for _ = 1, 2 do
		local before = collectgarbage "count"
		for _ = 1, calls do f() end
		least = math.min(least, collectgarbage "count" - before)
	end
	collectgarbage "restart"
	if jit then jit.on() end
	return least * 1024
end

-- Whether the list has the value.
function support.has(list, value)
	for _, one in ipairs(list) do
		if one == value then return true end
	end
	return false
end

-- The momenta of bodies of the plane: x, y, and angular about the origin.
function support.momenta(bodies)
	local px, py, l = 0, 0, 0
	for _, body in ipairs(bodies) do
		local m, x, y = body:getMass(), body:getCenter()
		local vx, vy = body:getLinearVelocity()
		px, py, l = px + m * vx, py + m * vy, l + m * (x * vy - y * vx) + body:getInertia() * body:getAngularVelocity()
	end
	return px, py, l
end

-- The text quoted as one word of the shell.
function support.quote(text)
	return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Windows has another shell, so the tests that run commands are left out there. `make CROSS=... test` runs them in Linux, with the name of the host for Windows
-- in TESTED_HOST.
support.windows = package.config:sub(1, 1) == "\\"
support.host = os.getenv "TESTED_HOST" or arg[-1]
support.host_is_foreign = support.host ~= arg[-1]
support.is_a_folder = support.host_is_foreign and "Permission denied" or "Is a directory" -- the C library on opening a folder

-- On Windows os.tmpname names files in the root folder.
function support.tmpname()
	return (support.windows and os.getenv "TEMP" or "") .. os.tmpname()
end

-- The names of the Lua files in a folder, without .lua, in alphabetical order.
function support.scripts(folder)
	local pipe = assert(io.popen(support.windows and 'dir /b "' .. folder:gsub("/", "\\") .. '"' or 'ls "' .. folder .. '"'))
	local names = {}
	for name in pipe:lines() do names[#names + 1] = name:match "^(.+)%.lua" end
	pipe:close()
	table.sort(names)
	return names
end

-- The command's output.
function support.shell(command)
	local pipe = assert(io.popen(command))
	local said = pipe:read "*a"
	pipe:close()
	return said
end

-- The file's text; nil when there is no such file.
function support.read(path)
	local file = io.open(path, "rb")
	if not file then return nil end
	local text = file:read "*a"
	file:close()
	return text
end

-- Returns the path.
function support.write(path, text)
	local file = assert(io.open(path, "wb"))
	file:write(text)
	file:close()
	return path
end

return support
