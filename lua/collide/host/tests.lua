-- Runs LuaUnit files: one, or all test_*.lua of a folder in the order of their names. On a terminal one line says how far it is. Each failure is printed when it
-- happens, and at the end one line for each reason to skip tests; the last line is `N passed, N failed`.

local io, os, package, table, unpack = io, os, package, table, unpack or table.unpack
local error, ipairs, loadfile, pairs, pcall, require, setmetatable, tostring, type =
	error, ipairs, loadfile, pairs, pcall, require, setmetatable, tostring, type

local function test_files(native, path)
	local names = native.list(path)
	if not names then return { path } end
	local folder, files = path:gsub("/+$", ""), {}
	for _, name in ipairs(names) do
		if name:match "^test_.*%.lua$" then files[#files + 1] = folder .. "/" .. name end
	end
	table.sort(files)
	return files
end

local function is_test_name(name)
	return type(name) == "string" and name:sub(1, 4):lower() == "test"
end

-- LuaUnit finds tests among the globals, where a second file with the same name would silently replace the tests of the first. Returns the error, if any; may
-- also raise.
local function load_tests(path, owners)
	local before = {}
	for name, value in pairs(_G) do
		if is_test_name(name) then before[name] = value end
	end
	local chunk, problem = loadfile(path)
	if not chunk then return problem end
	chunk()
	for name, value in pairs(_G) do
		if is_test_name(name) and before[name] ~= value then
			if owners[name] then return ("%s: %s is defined by %s, too"):format(path, name, owners[name]) end
			owners[name] = path
		end
	end
end

-- LuaUnit's output: a class with its methods. See genericOutput in luaunit.lua.
local function new_output(luaunit, native)
	local shown = native.isTerminal()
	local Output = { __class__ = "host" }
	Output.__index = setmetatable(Output, { __index = luaunit.genericOutput })

	local function clear()
		if shown then io.stderr:write "\r\27[K" end
	end

	function Output.new(runner)
		return setmetatable({ result = runner.result, reasons = {}, skipped = {} }, Output)
	end

	function Output:startTest(name)
		if not shown then return end
		local result = self.result
		local line = ("%d of %d, %d failed  %s"):format(result.currentTestNumber, result.selectedCount, #result.failedTests + #result.errorTests, name)
		io.stderr:write("\r", line:sub(1, 79), "\27[K") -- in one line of any terminal
		io.stderr:flush()
	end

	function Output:endTest(node)
		if node:isSkipped() then
			local reason = tostring(node.msg)
			if not self.skipped[reason] then self.reasons[#self.reasons + 1] = reason end
			self.skipped[reason] = (self.skipped[reason] or 0) + 1
		elseif not node:isSuccess() then
			clear()
			io.stdout:write(node.status, " ", node.testName, "\n", tostring(node.msg), "\n", tostring(node.stackTrace), "\n\n")
			io.stdout:flush()
		end
	end

	function Output:endSuite()
		clear()
		for _, reason in ipairs(self.reasons) do
			io.stdout:write(("%d skipped: %s\n"):format(self.skipped[reason], reason))
		end
	end
	return Output
end

-- Returns the exit code.
return function(native, options, guard, complain)
	local path = options.test
	if not native.list(path) then
		local file, problem = io.open(path)
		if not file then
			complain("cannot open %s", problem)
			return 2
		end
		file:close()
	end

	-- A test that ends the process would hide its own result and all others.
	os.exit = function() error("os.exit was called in a test", 2) end
	local found, luaunit = pcall(require, "luaunit")
	if not found then
		complain "LuaUnit is not installed: apt-get install lua-unit, or luarocks install luaunit"
		return 2
	end

	local files = test_files(native, path)
	local folder = native.list(path) and path:gsub("/+$", "") or path:match "^(.*)/[^/]*$" or "."
	package.path = ("%s/?.lua;"):format(folder) .. package.path

	local failed, owners = 0, {}
	local function count_failure(problem)
		failed = failed + 1
		complain("%s", problem)
	end
	for _, file in ipairs(files) do
		local _, problem = guard(load_tests, file, owners)
		if problem then count_failure(problem) end
	end

	local runner, own = luaunit.LuaUnit.new(), false -- LuaUnit's output by its own options, -v and -o
	for _, word in ipairs(options.rest) do own = own or word:match "^%-+[vo]" ~= nil end
	if not own then runner.outputType = new_output(luaunit, native) end
	local fine, problem = guard(runner.runSuite, runner, unpack(options.rest))
	if not fine then count_failure(problem) end
	local result = runner.result or { successCount = 0, failedTests = {}, errorTests = {}, skippedTests = {} }
	failed = failed + #result.failedTests + #result.errorTests
	if result.successCount + failed + #result.skippedTests == 0 then count_failure(("no tests found in %s"):format(path)) end
	io.stdout:write(("%d passed, %d failed\n"):format(result.successCount, failed))
	return failed == 0 and 0 or 1
end
