-- The host, from outside: its output and exit codes. Worlds are mock objects here, so that the host is tested alone.

local lu, support = require "luaunit", require "support"
local quote, read, shell = support.quote, support.read, support.shell
local unpack = unpack or table.unpack

if support.windows then return end

TestHost = {}

local host = support.host
local folder -- of this test alone

local function write(name, text)
	return support.write(folder .. "/" .. name, text)
end

-- The command's standard output, standard error, and exit code.
local function run_command(command)
	local code = shell(("(%s) >%s/out 2>%s/err; echo $?"):format(command, folder, folder))
	return read(folder .. "/out"), read(folder .. "/err"), tonumber(code)
end

local function run(...)
	local words = { quote(host) }
	for i, word in ipairs { ... } do words[i + 1] = quote(word) end
	return run_command(table.concat(words, " "))
end

function TestHost.setUp()
	folder = shell("mktemp -d"):match "[^\n]+"
end

function TestHost.tearDown()
	shell("rm -r " .. quote(folder))
end

-- A script with a mock world, `world`, and a scenario that returns it, `scenario`.
local function scenario(rest)
	return write("scenario.lua", [[
    local world = { steps = 0 }
    local numbers = { BodyCount = 7, AwakeCount = 6, ColliderCount = 5, ContactCount = 4, TouchingCount = 3, IslandCount = 2 }
    for name in pairs(numbers) do world["get" .. name] = function() return numbers[name] end end
    function world:step(dt) self.steps, self.dt = self.steps + 1, dt end
    function world:hash() return ("%016x"):format(self.steps) end
    function world:setSubsteps(n) self.substeps = n end
    function world:setWorkers(n) self.workers = n end
    local scenario = { name = "stand-in", duration = 2, timestep = 1 / 50 }
    function scenario.setup(args, options) world.args, world.options = args, options return world end
  ]] .. rest .. "\nreturn scenario\n")
end

-- Plain scripts ------------------------------------------------------------------------------------------------------------------

-- When the state closes, LuaJIT unloads its libraries before it runs the last finalizers: a shape that one of them makes is freed by the module after that.
-- (Lua 5.4 never finalizes such a shape: a leak, but not ours.)
function TestHost.test_finalizers_that_run_as_the_state_closes_may_use_the_module()
	local path = write("script.lua", [[
		local d2 = require("collide").d2
		local function finalize() KEEP = d2.circle(1) end
		if newproxy then
			OBJECT = newproxy(true)
			getmetatable(OBJECT).__gc = finalize
		else
			OBJECT = setmetatable({}, { __gc = finalize })
		end
		print "done"
	]])
	local out, err, code = run_command("ASAN_OPTIONS=detect_leaks=0 " .. quote(host) .. " " .. quote(path))
	lu.assertEquals(out, "done\n")
	lu.assertEquals(err, "")
	lu.assertEquals(code, 0)
end

function TestHost.test_a_script_simply_runs_with_its_arguments()
	local path = write("script.lua", "print(..., select('#', ...), arg[0], arg[1], arg[2], #arg)")
	local out, err, code = run(path, "one", "--json")
	lu.assertEquals(out, ("one\t2\t%s\tone\t--json\t2\n"):format(path))
	lu.assertEquals(err, "")
	lu.assertEquals(code, 0)
end

function TestHost.test_code_can_be_an_argument()
	local out, err, code = run("-e", "print(...)", "a", "b c")
	lu.assertEquals({ out, err, code }, { "a\tb c\n", "", 0 })
end

function TestHost.test_code_can_come_from_the_standard_input()
	local out, _, code = run_command("echo 'print(7, ...)' | " .. quote(host) .. " - x")
	lu.assertEquals({ out, code }, { "7\tx\n", 0 })
end

function TestHost.test_siblings_of_the_script_can_be_required()
	write("sibling.lua", "return 'from beside'")
	lu.assertEquals((run(write("script.lua", "print((require 'sibling'))"))), "from beside\n")
end

-- Else a frame in which the collector works would be a lost one.
function TestHost.test_the_collector_works_in_small_steps()
	local script = write("many.lua", [[
		local many, steps = {}, 0
		for i = 1, 20000 do many[i] = { i } end
		collectgarbage()
		collectgarbage "stop"
		repeat steps = steps + 1 until collectgarbage("step", 0)
		print(steps)
	]])
	lu.assertTrue(tonumber((run(script))) >= 80)
end

function TestHost.test_random_numbers_are_the_same_in_each_run()
	local script = write("script.lua", "print(math.random(1e6), math.random(1e6))")
	lu.assertEquals((run(script)), (run(script)))
end

function TestHost.test_a_script_chooses_its_exit_code()
	local _, _, code = run("-e", "os.exit(7)")
	lu.assertEquals(code, 7)
end

-- Errors -------------------------------------------------------------------------------------------------------------------------

function TestHost.test_an_error_gives_a_traceback_of_the_script_alone()
	local path = write("script.lua", "local function deep() error 'too deep' end\nlocal function call() deep() end\ncall()")
	local out, err, code = run(path)
	lu.assertEquals({ out, code }, { "", 1 })
	lu.assertStrContains(err, path .. ":1: too deep\nstack traceback:\n")
	lu.assertStrContains(err, path .. ":2: in")
	lu.assertStrContains(err, path .. ":3: in main chunk")
	lu.assertNotStrContains(err, "collide/host")
	lu.assertNotStrContains(err, "xpcall")
end

function TestHost.test_any_value_can_be_an_error()
	local rows = {
		{ "error(setmetatable({}, { __tostring = function() return 'I speak' end }))", "host: I speak\n" },
		{ "error({})", "host: (error object is a table value)\n" },
		{ "error(setmetatable({}, { __tostring = function() error 'mute' end }))", "host: (error object is a table value)\n" },
		{ "error(nil)", "host: (error object is a nil value)\n" },
		{ "error(12, 0)", "host: 12\n" },
	}
	for _, row in ipairs(rows) do
		local _, err, code = run("-e", row[1])
		lu.assertStrContains(err, row[2])
		lu.assertEquals(code, 1)
	end
end

function TestHost.test_a_syntax_error_names_the_line()
	local path = write("script.lua", "local a =\n=")
	local _, err, code = run(path)
	lu.assertStrContains(err, path .. ":2: unexpected symbol near '='")
	lu.assertEquals(code, 1)
end

function TestHost.test_running_out_of_memory_or_stack_is_an_error()
	local _, err, code = run("-e", "local function f() return 1 + f() end f()")
	lu.assertStrContains(err, "stack overflow")
	lu.assertEquals(code, 1)
	_, err, code = run("-e", "error('not enough memory', 0)")
	lu.assertStrContains(err, "host: not enough memory")
	lu.assertEquals(code, 1)
end

function TestHost.test_a_wrong_call_gets_one_line_and_code_2()
	local script = write("script.lua", "")
	local rows = {
		{ { "nothing.lua" }, "cannot open nothing.lua: No such file or directory" },
		{ { folder }, "cannot open " .. folder .. ": " .. support.is_a_folder },
		{ {}, "no script given (--help says how)" },
		{ { "--quiet" }, "no script given (--help says how)" },
		{ { "--sceonds", "2", script }, "unknown option '--sceonds', did you mean '--seconds'?" },
		{ { "-q", script }, "unknown option '-q' (--help lists them)" },
		{ { "-view", script }, "unknown option '-view', did you mean '--view'?" },
		{ { "--json=1", script }, "unknown option '--json=1', did you mean '--json'?" },
		{ { "--nothing-like-it", script }, "unknown option '--nothing-like-it' (--help lists them)" },
		{ { "--steps" }, "--steps needs a number" },
		{ { "-e" }, "-e needs code" },
		{ { "--test" }, "--test needs a path" },
		{ { "--test", "nothing" }, "cannot open nothing: No such file or directory" },
		{ { "--steps", "1.5", script }, "--steps must be a whole number of at least 0, got '1.5'" },
		{ { "--steps=-1", script }, "--steps must be a whole number of at least 0, got '-1'" },
		{ { "--seconds", "nan", script }, "--seconds must be a number of at least 0, got 'nan'" },
		{ { "--seconds", "1e999", script }, "--seconds must be a number of at least 0, got '1e999'" },
		{ { "--hz", "0", script }, "--hz must be a number between 1/60 and 1e6, got '0'" },
		{ { "--hz", "0.001", script }, "--hz must be a number between 1/60 and 1e6, got '0.001'" },
		{ { "--hz", "1e9", script }, "--hz must be a number between 1/60 and 1e6, got '1e9'" },
		{ { "--substeps", "0", script }, "--substeps must be a whole number between 1 and 64, got '0'" },
		{ { "--substeps", "65", script }, "--substeps must be a whole number between 1 and 64, got '65'" },
		{ { "--workers", "two", script }, "--workers must be a whole number between 1 and 64, got 'two'" },
		{ { "--workers", "65", script }, "--workers must be a whole number between 1 and 64, got '65'" },
		{ { "--repeat", "2", script }, "--repeat goes with --bench" },
		{ { "--bench", "--repeat", "0", script }, "--repeat must be a whole number between 1 and 1000, got '0'" },
		{ { "--bench", "--view", script }, "--bench does not go with --view" },
		{ { "--bench", "--film", "a.mp4", script }, "--bench does not go with --film" },
		{ { "--bench", "--test", script }, "--bench does not go with --test" },
		{ { "--steps", "1", "--seconds", "1", script }, "--seconds and --steps say the same: give one of them" },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run(unpack(row[1]))
		lu.assertEquals({ out, err, code }, { "", "host: " .. row[2] .. "\n", 2 })
	end
end

-- Options after the script -------------------------------------------------------------------------------------------------------

function TestHost.test_options_may_stand_after_a_scenario()
	local path = scenario [[
    function scenario.check() print(#world.args, world.args[1], world.args[2], world.args[3], world.options.substeps) end
  ]]
	local rows = {
		{ { "--json", path, "20" }, "1\t20\tnil\tnil\tnil\n", 100 },
		{ { path, "20", "--json" }, "1\t20\tnil\tnil\tnil\n", 100 },
		{ { path, "--json", "--seconds", "3", "a", "b" }, "2\ta\tb\tnil\tnil\n", 150 },
		{ { path, "-5", "--seconds=3", "-", "--json", "--substeps", "3", "c" }, "3\t-5\t-\tc\t3\n", 150 },
		{ { "--json", path, "a", "--", "--seconds", "3" }, "3\ta\t--seconds\t3\tnil\n", 100 },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run(unpack(row[1]))
		lu.assertEquals({ err, code, out:match "^[^{]*" }, { "", 0, row[2] })
		lu.assertStrContains(out, ('"ticks":%d,'):format(row[3]))
	end
	lu.assertEquals({ run(path, "--quiet", "a") }, { "1\ta\tnil\tnil\tnil\n", "", 0 })
	lu.assertStrContains(run(path, "--help"), "usage: host ")
	lu.assertStrMatches((run(path, "--version")), "host .*")
end

function TestHost.test_a_wrong_option_after_a_scenario_is_reported()
	local path = scenario ""
	local rows = {
		{ { path, "--veiw" }, "unknown option '--veiw', did you mean '--view'?" },
		{ { path, "20", "-x" }, "unknown option '-x' (--help lists them)" },
		{ { path, "--steps" }, "--steps needs a number" },
		{ { path, "--steps", "x" }, "--steps must be a whole number of at least 0, got 'x'" },
		{ { path, "--repeat", "2" }, "--repeat goes with --bench" },
		{ { "--steps", "1", path, "--seconds", "1" }, "--seconds and --steps say the same: give one of them" },
		{ { path, "--svg", "a.png" }, "--svg must be a file that ends in .svg, got 'a.png'" },
		{ { path, "-e", "print(1)" }, "-e does not go with a script" },
		{ { path, "--test", "tests" }, "--test does not go with a script" },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run(unpack(row[1]))
		lu.assertEquals({ out, err, code }, { "", "host: " .. row[2] .. "\n", 2 })
	end
	local _, err, code = run(path, "--svg", folder .. "/nowhere/a.svg")
	lu.assertEquals({ err, code }, { ("host: cannot write %s/nowhere/a.svg: No such file or directory\n"):format(folder), 1 })
end

-- `...` and arg are all that stands after the script, whatever it returns.
function TestHost.test_a_script_sees_all_that_stands_after_it()
	local path = scenario "print(select('#', ...), (...), arg[1], #arg)"
	lu.assertEquals((run(path, "20", "--quiet")), "2\t20\t20\t2\n")
	path = write("plain.lua", "print(...)")
	lu.assertEquals({ run(path, "--json", "--veiw", "--", "x") }, { "--json\t--veiw\t--\tx\n", "", 0 })
	for _, option in ipairs { "--view", "--shot=a.png", "--bench" } do
		local note = ("host: %s returns neither a scenario nor a world: %s was its own argument\n"):format(path, option)
		lu.assertEquals({ run(path, "x", option) }, { "x\t" .. option .. "\n", note, 0 })
	end
end

-- Scenarios ----------------------------------------------------------------------------------------------------------------------

function TestHost.test_a_scenario_is_stepped_to_its_duration()
	local out, err, code = run("--json", scenario [[
    local updates = 0
    function scenario.update(w, tick)
      updates = updates + 1
      assert(w == world and tick == updates and world.steps == updates - 1)
    end
    function scenario.check(w) assert(w == world and updates == 100 and world.steps == 100 and world.dt == 1 / 50) end
  ]])
	lu.assertEquals({ err, code }, { "", 0 })
	lu.assertStrMatches(out, '{"name":"stand%-in","check":"passed","ticks":100,"simulated":2,"wall":[%d.]+,'
		.. '"msPerStep":{"mean":[%d.]+,"p50":[%d.]+,"p99":[%d.]+,"max":[%d.]+},"bodies":7,"awake":6,"colliders":5,'
		.. '"contacts":4,"touching":3,"islands":2,"hash":"0000000000000064"}\n')
end

function TestHost.test_the_summary_as_text()
	local out, err, code = run(scenario "")
	lu.assertEquals({ err, code }, { "", 0 })
	for _, line in ipairs {
		"stand%-in: no check\n", "ticks +100\n", "time +2 s simulated in [%d.]+ s\n", "ms a step +[%d.]+ mean, [%d.]+ p50, [%d.]+ p99, [%d.]+ max\n",
		"bodies +7, 6 of them awake\n", "colliders +5\n", "contacts +4, 3 of them touching\n", "islands +2\n", "hash +0000000000000064\n$",
	} do
		lu.assertStrContains(out, line, true)
	end
end

function TestHost.test_options_change_the_run()
	local path = scenario "function scenario.update() end"
	local rows = {
		{ { "--seconds", "3" }, "0000000000000096" },
		{ { "--seconds=0" }, "0000000000000000" },
		{ { "--steps", "17" }, "0000000000000011" },
		{ { "--hz", "10" }, "0000000000000014" },
		{ { "--hz", "100", "--seconds", "0.5" }, "0000000000000032" },
	}
	for _, row in ipairs(rows) do
		row[1][#row[1] + 1] = path
		local out = run("--json", unpack(row[1]))
		lu.assertStrContains(out, '"hash":"' .. row[2] .. '"')
	end
end

function TestHost.test_a_scenario_without_fields_makes_600_steps()
	local out = run("--json", scenario "scenario.duration, scenario.timestep, scenario.name = nil")
	lu.assertStrContains(out, '"ticks":600,"simulated":10,')
	lu.assertStrContains(out, ('"name":"%s/scenario.lua"'):format(folder))
end

function TestHost.test_setup_gets_the_arguments_and_the_options()
	local out, err, code = run("--substeps", "3", "--workers", "2", "--quiet", scenario [[
    function scenario.check()
      print(#world.args, world.args[1], world.args[2], world.options.substeps, world.options.workers, world.substeps, world.workers)
    end
  ]], "base", "20")
	lu.assertEquals({ out, err, code }, { "2\tbase\t20\t3\t2\t3\t2\n", "", 0 })
end

function TestHost.test_quiet_prints_nothing()
	local out, err, code = run("--quiet", scenario "")
	lu.assertEquals({ out, err, code }, { "", "", 0 })
end

function TestHost.test_a_failing_check_shows_the_summary_and_the_traceback()
	local path = scenario "function scenario.check() error 'it fell' end"
	local out, err, code = run(path)
	lu.assertStrContains(out, "stand-in: failed\n")
	lu.assertStrContains(err, "it fell\nstack traceback:\n")
	lu.assertNotStrContains(err, "collide/host")
	lu.assertEquals(code, 1)
	lu.assertStrContains(run("--json", path), '"check":"failed"')
end

-- A check tests the state at the scenario's end; in a shorter run it would fail.
function TestHost.test_a_run_cut_short_is_not_checked()
	local path = scenario "function scenario.check() error 'it fell' end"
	local out, err, code = run("--steps", "99", path)
	lu.assertStrContains(out, "stand-in: cut short\n")
	lu.assertEquals({ err, code }, { "", 0 })
	_, err, code = run("--steps", "101", path)
	lu.assertStrContains(err, "it fell")
	lu.assertEquals(code, 1)
end

function TestHost.test_errors_of_setup_update_and_step_end_the_run()
	for _, broken in ipairs { "scenario.setup = function() error 'broken' end", "scenario.update = function() error 'broken' end",
		"world.step = function() error 'broken' end" } do
		local out, err, code = run(scenario(broken))
		lu.assertEquals({ out, code }, { "", 1 })
		lu.assertStrContains(err, "scenario.lua:%d+: broken\nstack traceback:\n", true)
	end
end

function TestHost.test_wrong_fields_are_named()
	local rows = {
		{ "scenario.measure = 'x'", "scenario.measure must be a function, got x" },
		{ "scenario.setup = 1", "scenario.setup must be a function, got 1" },
		{ "scenario.update = 'x'", "scenario.update must be a function, got x" },
		{ "scenario.check = true", "scenario.check must be a function, got true" },
		{ "scenario.duration = -1", "scenario.duration must be a number of seconds, got -1" },
		{ "scenario.timestep = 0", "scenario.timestep must be a number of seconds above 0, got 0" },
		{ "scenario.timestep = 0/0", "scenario.timestep must be a number of seconds above 0, got" },
		{ "scenario.setup = function() end", "scenario.setup must return a world, got nothing" },
		{ "scenario.setup = function() return 5 end", "scenario.setup must return a world, got 5" },
		{ "scenario.setup = function() return {} end", "scenario.setup must return a world, got table" },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run(scenario(row[1]))
		lu.assertStrContains(err, "host: " .. row[2])
		lu.assertEquals({ out, code }, { "", 1 })
	end
end

function TestHost.test_misspelt_keys_of_a_scenario_are_named()
	local keys = " (there are: setup, update, check, measure, name, duration, timestep, camera, theme, draw, key, pad, mouse, brief)"
	local rows = {
		{ "return { setup = print, udpate = print }", "scenario: unknown key 'udpate', did you mean 'update'?" },
		{ "return { setup = print, Update = print }", "scenario: unknown key 'Update', did you mean 'update'?" },
		{ "return { setup = print, keys = print }", "scenario: unknown key 'keys', did you mean 'key'?" },
		{ "return { setup = print, durration = 3 }", "scenario: unknown key 'durration', did you mean 'duration'?" },
		{ "return { setpu = print }", "scenario: unknown key 'setpu', did you mean 'setup'?" },
		{ "return { load = print, update = print }", "scenario: unknown key 'load', did you mean 'setup'?" },
		{ "return { setup = print, keypressed = print }", "scenario: unknown key 'keypressed', did you mean 'key'?" },
		{ "return { setup = print, keyPressed = print }", "scenario: unknown key 'keyPressed', did you mean 'key'?" },
		{ "return { setup = print, mouseMoved = print }", "scenario: unknown key 'mouseMoved', did you mean 'mouse'?" },
		{ "return { setup = print, hz = 1 }", "scenario: unknown key 'hz', did you mean 'timestep'?" },
		{ "return { setup = print, cam = {} }", "scenario: unknown key 'cam', did you mean 'camera'?" },
		{ "return { load = print, keypressed = print }", "scenario: unknown key 'keypressed', did you mean 'key'?" },
		{ "return { init = print }", "scenario: unknown key 'init', did you mean 'setup'?" },
		{ "return { updat = print }", "scenario: unknown key 'updat', did you mean 'update'?" },
		{ "return { scene = require('collide').d2.newWorld() }", "scenario: unknown key 'scene': setup is the function that returns the world; or return the world alone" },
		{ "return { setup = print, ballistics = 1 }", "scenario: unknown key 'ballistics'" .. keys },
		{ "return { setup = print, 5 }", "scenario: unknown key '1'" .. keys },
		{ "return { setup = print, b = 1, a = 1 }", "scenario: unknown key 'a'" .. keys },
		{ "return { update = print }", "the scenario has update but no setup, the function that returns its world" },
		{ "return { duration = 2, check = print, update = print }", "the scenario has update but no setup, the function that returns its world" },
	}
	for _, row in ipairs(rows) do
		lu.assertEquals({ run(write("scenario.lua", row[1])) }, { "", "host: " .. row[2] .. "\n", 1 })
	end
	-- A module is no scenario.
	lu.assertEquals({ run(write("module.lua", "return { add = print, version = 1 }")) }, { "", "", 0 })
	lu.assertEquals({ run(write("module.lua", "return require('collide').d2")) }, { "", "", 0 })
	lu.assertEquals({ run(write("module.lua", "return setmetatable({ add = print }, { __index = function(_, name) error(name) end })")) }, { "", "", 0 })
end

function TestHost.test_a_scenario_may_inherit_its_functions()
	local path = scenario "scenario = setmetatable({ name = 'heir' }, { __index = scenario })"
	local out, err, code = run("--json", path)
	lu.assertStrContains(out, '"name":"heir","check":"no check","ticks":100,')
	lu.assertEquals({ err, code }, { "", 0 })
end

-- Errors of the script in one line that names its own words, not lines of the host's files.
function TestHost.test_what_a_run_does_to_its_scenario_is_named()
	local made = [[
		local s, world = { duration = 0.1 }
		function s.setup() world = require("collide").d2.newWorld() %s return world end
		function s.update() %s end
		function s.check() %s end
		function s.measure() %s return {} end
		return s
	]]
	local destroyed, rows = "the scenario has destroyed its world", {
		{ "world:destroy()", "", "", "" }, { "", "world:destroy()", "", "" }, { "", "", "world:destroy()", "" },
		{ "", "s.update = 5", "", "", "scenario.update must be a function, got 5" },
		{ "", "s.check = 'x'", "", "", "scenario.check must be a function, got x" },
		{ "s.draw = 5", "", "", "", "scenario.draw must be a function, got 5" },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run("--quiet", write("script.lua", made:format(unpack(row, 1, 4))))
		lu.assertEquals({ out, err, code }, { "", "host: " .. (row[5] or destroyed) .. "\n", 1 })
	end
	local _, err, code = run("--bench", write("script.lua", made:format("", "", "", "world:destroy()")))
	lu.assertEquals({ err, code }, { "host: " .. destroyed .. "\n", 1 })
end

function TestHost.test_a_summary_that_cannot_be_written_is_an_error()
	lu.skipIf(support.host_is_foreign or shell "test -c /dev/full || echo none" ~= "", "no full device")
	local path = scenario ""
	for _, options in ipairs { "--json", "" } do
		local _, err, code = run_command(("%s --steps 3 %s %s >/dev/full"):format(quote(host), options, quote(path)))
		lu.assertEquals({ err, code }, { "host: cannot write the summary: No space left on device\n", 1 })
	end
end

function TestHost.test_the_first_scripts_warn_of_nothing_however_long_they_run()
	local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
	for _, name in ipairs { "hello", "hello3d" } do
		local out, err, code = run("--quiet", "--seconds", "100", root .. "scripts/" .. name .. ".lua")
		lu.assertEquals({ out, err, code }, { "", "", 0 })
	end
end

-- A script may keep what it likes in its scenario as it runs.
function TestHost.test_keys_that_a_run_adds_are_not_checked()
	local _, err, code = run("--bench", "--quiet", "--steps", "3", "--repeat", "2", scenario [[
    function scenario.update(w, tick) scenario.last = tick end
    function world:destroy() self.steps = 0 end
    world.getProfile = function(_, into) for _, name in ipairs { "step", "pairs", "collide", "contacts", "solve", "finish", "sweep" } do into[name] = 0 end end
  ]])
	lu.assertEquals({ err, code }, { "", 0 })
end

-- The host raises it, or the script for its user, without a place: the frames would say nothing.
function TestHost.test_no_traceback_without_frames_of_the_script()
	local rows = {
		{ "scenario.setup = function() end", "scenario.setup must return a world, got nothing" },
		{ "scenario.duration = -1", "scenario.duration must be a number of seconds, got -1" },
		{ "scenario.setup = function() error('the base must be a number', 0) end", "the base must be a number" },
	}
	for _, row in ipairs(rows) do
		lu.assertEquals({ run(scenario(row[1])) }, { "", "host: " .. row[2] .. "\n", 1 })
	end
	lu.assertEquals({ run("-e", "error('plain', 0)") }, { "", "host: plain\n", 1 })
	local _, err = run("-e", "error 'with a place'")
	lu.assertStrContains(err, "host: (command line):1: with a place\nstack traceback:\n")
	_, err = run("-e", "error {}")
	lu.assertStrContains(err, "(error object is a table value)\nstack traceback:\n")
end

-- A run without steps has no times, a world without bodies no counts.
function TestHost.test_a_summary_leaves_out_zeros()
	local out = run("--steps", "0", scenario "numbers.ContactCount, numbers.TouchingCount = 0, 0")
	lu.assertEquals(out, "stand-in: no check\n  bodies     7, 6 of them awake\n  colliders  5\n  islands    2\n  hash       0000000000000000\n")
	out = run("--steps", "5", scenario "for name in pairs(numbers) do numbers[name] = 0 end")
	lu.assertStrMatches(out, "stand%-in: no check\n  ticks      5\n  time       0.100 s simulated in [%d.]+ s\n  hash       0000000000000005\n")
end

function TestHost.test_json_quotes_names()
	lu.assertStrContains(run("--json", scenario [[scenario.name = 'a "b"\\c\n']]), [["name":"a \u0022b\u0022\u005cc\u000a"]])
end

-- The first Ctrl-C ends the run between two steps, with a summary so far.
function TestHost.test_an_interrupt_prints_a_summary_so_far()
	lu.skipIf(support.host_is_foreign, "Windows has no signals between processes")
	local path = scenario [[
    function scenario.update(_, tick) if tick == 5 then io.popen("kill -INT $PPID"):close() end end
    function scenario.check() error "checked" end
  ]]
	local out, err, code = run_command(("exec %s --json %s"):format(quote(host), quote(path)))
	lu.assertStrMatches(out, '{"name":"stand%-in","check":"interrupted","ticks":[45],.*}\n')
	lu.assertEquals({ err, code }, { "", 130 })
end

function TestHost.test_an_interrupt_ends_a_plain_script_immediately()
	lu.skipIf(support.host_is_foreign, "Windows has no signals between processes")
	local path = write("script.lua", "io.popen('kill -INT $PPID'):close()\nlocal n = 0\nfor i = 1, 10 do n = n + i end\nprint 'went on'")
	local out, err, code = run_command(("exec %s %s"):format(quote(host), quote(path)))
	lu.assertStrContains(err, "host: interrupted\nstack traceback:\n")
	lu.assertEquals({ out, code }, { "", 130 })
end

-- Measuring ----------------------------------------------------------------------------------------------------------------------

-- A mock world for measuring: two contacts of which one overlaps, two joints with errors of 3 and 5, of which one holds no point, and three bodies.
local function measurable(rest)
	return scenario([[
    local values = { ByteCount = 7000, JointCount = 2, Workers = 1 }
    for name, value in pairs(values) do world["get" .. name] = function() return value end end
    local profiled = 0
    function world:getProfile(into)
      profiled = profiled + 1
      for i, name in ipairs { "pairs", "collide", "contacts", "solve", "finish", "sweep" } do into[name] = i end
      into.step = 21
      return into
    end
    function world:contacts()
      local row = 0
      return function()
        row = row + 1
        if row == 1 then return "a", "b", 0, 1, 0, 5, 5, 5, -0.25, 9, 1, nil, nil end
        if row == 2 then return "a", "c", 0, 1, 0, 5, 5, 5, 0.5, 9, 1, nil, nil end
      end
    end
    local function joint(kind, x)
      return { getType = function() return kind end, getAnchorA = function() return 0, 0, 0 end, getAnchorB = function() return x, 0, 4 end }
    end
    function world:getJoints() return { joint("revolute", 3), joint("other", 30) } end
    local function body(kind, awake, energy)
      return { getType = function() return kind end, isAwake = function() return awake end, getKineticEnergy = function() return energy end }
    end
    function world:getBodies() return { body("static", false, 0), body("dynamic", false, 0), body("dynamic", true, 2.5) } end
    function world:destroy() world.destroyed = (world.destroyed or 0) + 1 end
    local setup = scenario.setup
    function scenario.setup(...)
      world.steps = 0
      return setup(...)
    end
  ]] .. rest)
end

function TestHost.test_bench_measures_several_runs()
	local path = measurable [[
    function scenario.check(w) assert(w.steps == 100 and profiled % 100 == 0) end
    function scenario.measure(w) return { standing = 12, share = 0.5, destroyed = w.destroyed } end
  ]]
	local out, err, code = run("--bench", "--json", "--repeat", "3", path)
	lu.assertEquals({ err, code }, { "", 0 })
	local json = require "collide.host.json"
	local summary = json.decode(out)
	local times = summary.msPerStep
	for _, name in ipairs { "min", "p50", "p99", "mean", "frame", "setup" } do lu.assertIsNumber(times[name]) end
	lu.assertTrue(times.min <= times.p50 and times.p50 <= times.p99)
	summary.phases.update, summary.msPerStep = nil, nil
	if jit and summary.garbagePerStep < 100 then summary.garbagePerStep = 0 end -- LuaJIT's compilation
	lu.assertEquals(summary, {
		name = "stand-in", check = "passed", runs = 3, ticks = 100, workers = 1, hash = "0000000000000064",
		phases = { step = 21, pairs = 1, collide = 2, contacts = 3, solve = 4, finish = 5, sweep = 6 }, garbagePerStep = 0,
		bodies = 7, awake = 6, asleep = 1, colliders = 5, contacts = 4, touching = 3, joints = 2, islands = 2,
		bytes = 7000, bytesPerBody = 1000, bytesPerContact = 1750, penetration = { points = 1, mean = 0.25, deepest = 0.25 },
		jointSeparation = { mean = 5, largest = 5 }, kineticEnergy = 2.5, measures = { standing = 12, share = 0.5, destroyed = 2 },
	})
end

function TestHost.test_bench_as_text()
	local out, err, code = run("--bench", "--steps", "5", measurable "function scenario.measure() return { standing = 12, fallen = 3 } end")
	lu.assertEquals({ err, code }, { "", 0 })
	for _, line in ipairs {
		"stand-in: no check\n", "  runs         1 of 5 steps, 1 workers\n", " update, 1 pairs, 2 collide, 3 contacts, 4 solve, 5 finish, 6 sweep\n",
		"  bytes        7000, 1000 a body, 1750 a contact; of Lua's garbage ", "  penetration  0.25 mean, 0.25 deepest, of 1 points\n",
		"  separation   5 mean, 5 largest, of joints\n", "  measures     3 fallen, 12 standing\n",
	} do
		lu.assertStrContains(out, line)
	end
	lu.assertStrMatches(out, ".*ms a step +[%d.e-]+ min, [%d.e-]+ median, [%d.e-]+ p99; [%d.e-]+ mean of the median run\n.*")
end

-- Garbage is counted for the steps alone, not for updates.
function TestHost.test_bench_counts_garbage_of_steps()
	local path = measurable [[
    function scenario.update() world.litter = {} end
    local step = world.step
    function world:step(dt)
      step(self, dt)
      if self.steps % 2 == 0 then self.text = ("x"):rep(1000) .. self.steps end
    end
  ]]
	local out = run("--bench", "--json", "--steps", "40", path)
	local bytes = require "collide.host.json".decode(out).garbagePerStep
	lu.assertTrue(bytes >= 500 and bytes < 3000, out)
end

function TestHost.test_bench_reports_errors()
	local rows = {
		{ "function scenario.check() error 'it fell' end", "it fell\nstack traceback:\n", '"check":"failed"' },
		{ "function scenario.measure() return 5 end", "host: scenario.measure must return a table, got 5\n", "" },
		{ "function scenario.measure() return { a = 'b' } end", "host: scenario.measure must return numbers by name, got a = b\n", "" },
		{ "local n = 0 function world:hash() n = n + 1 return ('%016x'):format(n) end", "host: run 2 ends with hash 0000000000000002, the first with 0000000000000001\n", '"runs":2' },
		{ "function world.step() error 'broken' end", "broken\nstack traceback:\n", "" },
		{ "function scenario.setup() end", "host: scenario.setup must return a world, got nothing\n", "" },
	}
	for _, row in ipairs(rows) do
		local out, err, code = run("--bench", "--json", "--repeat", "2", measurable(row[1]))
		lu.assertStrContains(err, row[2])
		lu.assertStrContains(out, row[3])
		lu.assertEquals(code, 1)
		if row[3] == "" then lu.assertEquals(out, "") end
	end
	local out, err, code = run("--bench", write("script.lua", "return nil"))
	lu.assertEquals({ out, err, code }, { "", ("host: %s/script.lua returns no scenario: there is nothing to measure\n"):format(folder), 1 })
end

function TestHost.test_an_interrupt_ends_a_bench_with_results_so_far()
	lu.skipIf(support.host_is_foreign, "Windows has no signals between processes")
	local path = measurable [[function scenario.update(_, tick) if tick == 5 then io.popen("kill -INT $PPID"):close() end end]]
	local out, err, code = run_command(("exec %s --bench --repeat 3 --json %s"):format(quote(host), quote(path)))
	lu.assertStrContains(out, '"check":"interrupted"')
	lu.assertEquals({ err, code }, { "", 130 })
end

function TestHost.test_bench_of_a_real_world_with_two_workers()
	local path = write("real.lua", [[
    local d2 = require("collide").d2
    return { name = "real", duration = 1, setup = function()
      local world = d2.newWorld { gravity = { 0, -10 } }
      local ground = world:newBody { type = "static", y = -1, shape = d2.box(40, 2) }
      for i = 1, 10 do world:newBody { x = 2 * i - 10, y = 0.5, shape = d2.box(1, 1) } end
      world:newRevoluteJoint { bodyA = ground, bodyB = world:newBody { y = 10, shape = d2.circle(0.5) }, x = 0, y = 12 }
      return world
    end }
  ]])
	local out, err, code = run("--bench", "--json", "--repeat", "2", "--workers", "2", path)
	lu.assertEquals({ err, code }, { "", 0 })
	local summary = require "collide.host.json".decode(out)
	if jit and summary.garbagePerStep < 100 then summary.garbagePerStep = 0 end
	lu.assertEquals({ summary.bodies, summary.asleep + summary.awake, summary.workers, summary.garbagePerStep, summary.joints, summary.touching },
		{ 12, 11, 2, 0, 1, 10 })
	lu.assertTrue(summary.bytes > 1000 and summary.penetration.deepest < 0.01 and summary.jointSeparation.largest < 0.01)
	lu.assertAlmostEquals(summary.msPerStep.mean, summary.phases.step, 1)
end

function TestHost.test_json_survives_a_round_trip()
	local json = require "collide.host.json"
	local value = { a = { 1, 2.5, { b = "c \"d\"\n\\" } }, empty = {}, yes = true, no = false, ["key: 1"] = -1e-9 }
	lu.assertEquals(json.encode { b = 1, a = { "x" } }, '{"a":["x"],"b":1}')
	lu.assertEquals(json.decode(json.encode(value)), value)
	lu.assertEquals(json.decode ' { "a" : [ 1 , null, true ], "b": "\\u0041\\n" } ', { a = { 1, true }, b = "A\n" })
	lu.assertEquals(json.encode { 1 / 0, 0 / 0 }, "[null,null]")
	for _, wrong in ipairs { "", "{", "[1 2]", "{1:2}", '{"a" 1}', '"a', "nope", "[1," } do
		lu.assertErrorMsgContains("no JSON at character", json.decode, wrong)
	end
end

-- Finding the module -------------------------------------------------------------------------------------------------------------

function TestHost.test_the_module_is_found_from_any_folder()
	local absolute = shell("readlink -f " .. quote(host)):match "[^\n]+"
	local code = [[-e 'print(require("collide").version, require("collide.d2") == require("collide").d2)']]
	local link = folder .. "/a link"
	shell(("ln -s %s %s"):format(quote(absolute), quote(link)))
	for _, command in ipairs {
		("cd / && %s %s"):format(quote(absolute), code),
		("cd %s && './a link' %s"):format(quote(folder), code),
		("cd / && PATH=%s:$PATH 'a link' %s"):format(quote(folder), code),
		("cd / && unset LUA_PATH LUA_CPATH HOME && %s %s"):format(quote(absolute), code),
	} do
		local out, err, exit = run_command(command)
		lu.assertEquals({ out, err, exit }, { "0.1.0\ttrue\n", "", 0 })
	end
end

function TestHost.test_version_and_help()
	local out, err, code = run "--version"
	lu.assertStrMatches(out, "host %(the host of collide%) %d+%.%d+%.%d+, Lua[JIT]* [%w.-]+\n")
	lu.assertEquals({ err, code }, { "", 0 })
	out, err, code = run "--help"
	lu.assertEquals({ err, code }, { "", 0 })
	lu.assertEquals({ run "-h" }, { out, "", 0 })
	lu.assertEquals((run "-v"), (run "--version"))
	for _, option in ipairs {
		"seconds", "steps", "hz", "substeps", "workers", "shot", "svg", "at", "film", "fps", "size", "camera", "theme", "draw", "view",
		"watch", "quiet", "json", "version", "help", "test", "bench", "repeat",
	} do
		lu.assertStrContains(out, "\n  --" .. option)
	end
end

-- The installed program is named collide.
function TestHost.test_texts_use_the_name_by_which_the_program_was_called()
	lu.skipIf(support.host_is_foreign, "the script that calls wine calls host.exe")
	local link = folder .. "/collide"
	shell(("ln -s %s %s"):format(quote(shell("readlink -f " .. quote(host)):match "[^\n]+"), quote(link)))
	lu.assertStrMatches((run_command(quote(link) .. " --version")), "collide %(the host of collide%) %d+%.%d+%.%d+, Lua[JIT]* [%w.-]+\n")
	local out = run_command(("cd %s && PATH=.:$PATH collide --help"):format(quote(folder)))
	lu.assertStrContains(out, "usage: collide [options] scenario.lua [arguments, options]\n")
	lu.assertStrContains(run "--help", "usage: host [options] scenario.lua [arguments, options]\n")
	local _, err, code = run_command(quote(link) .. " nothing.lua")
	lu.assertEquals({ err, code }, { "collide: cannot open nothing.lua: No such file or directory\n", 2 })
end

-- Tests --------------------------------------------------------------------------------------------------------------------------

local passing = "local lu = require 'luaunit'\nTestGood = { test_a = function() lu.assertTrue(true) end, test_b = function() end }\n"

local function last_line(text)
	return text:match "([^\n]*)\n$"
end

function TestHost.test_tests_that_pass()
	write("test_good.lua", passing)
	write("other.lua", "error 'no test file'")
	local out, err, code = run("--test", folder)
	lu.assertEquals({ last_line(out), err, code }, { "2 passed, 0 failed", "", 0 })
end

function TestHost.test_one_file_and_luaunits_own_options()
	local path = write("test_good.lua", passing)
	write("test_bad.lua", "error 'not this one'")
	local out, err, code = run("--test", path, "-p", "test_b")
	lu.assertEquals({ last_line(out), err, code }, { "1 passed, 0 failed", "", 0 })
end

function TestHost.test_failures_and_errors_count_and_are_shown()
	write("test_bad.lua", "TestBad = { test_a = function() require('luaunit').assertEquals(1, 2) end, test_b = function() error 'oh' end }")
	write("test_good.lua", passing)
	local out, _, code = run("--test", folder .. "/")
	lu.assertEquals({ last_line(out), code }, { "2 passed, 2 failed", 1 })
	lu.assertStrContains(out, "test_bad.lua:1: expected: 2, actual: 1")
	lu.assertStrContains(out, "test_bad.lua:1: oh")
end

-- Output that is no terminal gets failures, skipped tests and the last line.
function TestHost.test_the_output_of_tests_is_short()
	write("test_a.lua", [[
		local lu = require "luaunit"
		TestA = { test_a = function() end, test_b = function() lu.assertEquals(1, 2) end, test_c = function() lu.skip "no tool" end, test_d = function() lu.skip "no tool" end }
	]])
	local out, err, code = run("--test", folder)
	lu.assertStrMatches(out, "FAIL TestA%.test_b\n[^\n]*test_a%.lua:2: expected: 2, actual: 1\nstack traceback:\n[^\n]+\n\n2 skipped: no tool\n1 passed, 1 failed\n")
	lu.assertEquals({ err, code }, { "", 1 })
	write("test_a.lua", passing)
	lu.assertEquals({ run("--test", folder) }, { "2 passed, 0 failed\n", "", 0 })
	lu.assertStrContains(run("--test", folder, "-v"), "TestGood.test_a ... Ok\n")
end

-- One line: each state returns to its begin and clears the rest.
function TestHost.test_a_terminal_shows_the_progress_of_tests_in_one_line()
	lu.skipIf(support.host_is_foreign, "wine knows no terminal")
	lu.skipIf(shell "script -qec true /dev/null </dev/null >/dev/null 2>&1 || echo none" ~= "", "no pseudo-terminal")
	local path = write("test_a.lua", "TestA = { test_a = function() end, ['test_' .. ('b'):rep(100)] = function() error 'oh' end, test_c = function() end }")
	local out = shell(("script -qec %s /dev/null </dev/null"):format(quote(quote(host) .. " --test " .. quote(path)))):gsub("\r\n", "\n")
	local shown, failure = {}, nil
	for state in out:gmatch "\r([^\r]*)" do
		local line, rest = state:match "^([^\27]*)\27%[K(.*)$"
		lu.assertTrue(#line < 80)
		if line ~= "" then shown[#shown + 1] = line else failure = (failure or "") .. rest end
	end
	lu.assertEquals(shown, { "1 of 3, 0 failed  TestA.test_a", ("2 of 3, 0 failed  TestA.test_%s"):format(("b"):rep(50)), "3 of 3, 1 failed  TestA.test_c" })
	lu.assertStrContains(failure, "test_a.lua:1: oh\nstack traceback:\n")
	lu.assertEquals(last_line(failure), "2 passed, 1 failed")
end

function TestHost.test_a_file_that_does_not_load_counts_as_a_failure()
	write("test_good.lua", passing)
	for _, broken in ipairs { "local = 1", "error 'oh'", "os.exit(0)" } do
		write("test_broken.lua", broken)
		local out, err, code = run("--test", folder)
		lu.assertEquals({ last_line(out), code }, { "2 passed, 1 failed", 1 })
		lu.assertStrContains(err, "test_broken.lua:1:")
	end
end

function TestHost.test_a_test_cannot_hide_behind_os_exit()
	write("test_bad.lua", "TestBad = { test_exit = function() os.exit(0) end }")
	local out, _, code = run("--test", folder)
	lu.assertEquals({ last_line(out), code }, { "0 passed, 1 failed", 1 })
end

function TestHost.test_tests_of_two_files_may_not_share_a_name()
	write("test_good.lua", passing)
	write("test_good_too.lua", passing)
	local out, err, code = run("--test", folder)
	lu.assertEquals({ last_line(out), code }, { "2 passed, 1 failed", 1 })
	lu.assertStrContains(err, "test_good_too.lua: TestGood is defined by " .. folder .. "/test_good.lua, too")
end

function TestHost.test_no_tests_are_a_failure()
	local out, err, code = run("--test", folder)
	lu.assertEquals({ last_line(out), code }, { "0 passed, 1 failed", 1 })
	lu.assertStrContains(err, "no tests found in " .. folder)
	write("test_good.lua", passing)
	out, _, code = run("--test", folder, "-p", "nothing_of_this_name")
	lu.assertEquals({ last_line(out), code }, { "0 passed, 1 failed", 1 })
end
