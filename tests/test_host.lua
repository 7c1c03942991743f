-- The host, from outside: what it prints, where, and with which exit code. Worlds are stand-ins here, so that these tests are about
-- the host alone.

local lu, support = require "luaunit", require "support"
local quote, read, shell = support.quote, support.read, support.shell
local unpack = unpack or table.unpack

TestHost = {}

local host = arg[-1]
local folder -- of this test alone

local function write(name, text)
  return support.write(folder .. "/" .. name, text)
end

-- What the command prints, what it complains of, and its exit code.
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

-- A script with a stand-in for a world, `world`, and a scenario that returns it, `scenario`.
local function scenario(rest)
  return write("scenario.lua", [[
    local world = { steps = 0 }
    local numbers = { BodyCount = 7, AwakeCount = 6, ColliderCount = 5, ContactCount = 4, TouchingCount = 3, IslandCount = 2 }
    for name, number in pairs(numbers) do world["get" .. name] = function() return number end end
    function world:step(dt) self.steps, self.dt = self.steps + 1, dt end
    function world:hash() return ("%016x"):format(self.steps) end
    function world:setSubsteps(n) self.substeps = n end
    function world:setWorkers(n) self.workers = n end
    local scenario = { name = "stand-in", duration = 2, timestep = 1 / 50 }
    function scenario.setup(args, options) world.args, world.options = args, options return world end
  ]] .. rest .. "\nreturn scenario\n")
end

-- Plain scripts ------------------------------------------------------------------------------------------------------------------

function TestHost.test_a_script_simply_runs_with_its_arguments()
  local path = write("script.lua", "print(..., select('#', ...), arg[0], arg[1], arg[2], #arg)")
  local out, err, code = run(path, "one", "--json")
  lu.assertEquals(out, ("one\t2\t%s\tone\t--json\t2\n"):format(path))
  lu.assertEquals(err, "")
  lu.assertEquals(code, 0)
end

function TestHost.test_code_can_stand_in_the_call()
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

function TestHost.test_running_out_of_memory_or_stack_is_an_error_like_others()
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
    { { folder }, "cannot open " .. folder .. ": Is a directory" },
    { {}, "no script given (--help says how)" },
    { { "--quiet" }, "no script given (--help says how)" },
    { { "--sceonds", "2", script }, "unknown option '--sceonds' (--help lists them)" },
    { { "-q", script }, "unknown option '-q' (--help lists them)" },
    { { "--json=1", script }, "unknown option '--json=1' (--help lists them)" },
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
    { { "--steps", "1", "--seconds", "1", script }, "--seconds and --steps say the same: give one of them" },
  }
  for _, row in ipairs(rows) do
    local out, err, code = run(unpack(row[1]))
    lu.assertEquals({ out, err, code }, { "", "host: " .. row[2] .. "\n", 2 })
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

-- A check states what holds at the scenario's end; in a shorter run it would be wrong.
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

function TestHost.test_json_quotes_names()
  lu.assertStrContains(run("--json", scenario [[scenario.name = 'a "b"\\c\n']]), [["name":"a \u0022b\u0022\u005cc\u000a"]])
end

-- The first Ctrl-C ends the run between two steps, with what there is by then.
function TestHost.test_an_interrupt_sums_up_what_was_done()
  local path = scenario [[
    function scenario.update(_, tick) if tick == 5 then io.popen("kill -INT $PPID"):close() end end
    function scenario.check() error "checked" end
  ]]
  local out, err, code = run_command(("exec %s --json %s"):format(quote(host), quote(path)))
  lu.assertStrMatches(out, '{"name":"stand%-in","check":"interrupted","ticks":[45],.*}\n')
  lu.assertEquals({ err, code }, { "", 130 })
end

function TestHost.test_an_interrupt_ends_a_plain_script_where_it_is()
  local path = write("script.lua", "io.popen('kill -INT $PPID'):close()\nlocal n = 0\nfor i = 1, 10 do n = n + i end\nprint 'went on'")
  local out, err, code = run_command(("exec %s %s"):format(quote(host), quote(path)))
  lu.assertStrContains(err, "host: interrupted\nstack traceback:\n")
  lu.assertEquals({ out, code }, { "", 130 })
end

-- Finding the module -------------------------------------------------------------------------------------------------------------

function TestHost.test_the_module_is_found_from_anywhere_without_help()
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
  lu.assertStrMatches(out, "host %d+%.%d+%.%d+, Lua[JIT]* [%w.-]+, collide %d+%.%d+%.%d+\n")
  lu.assertEquals({ err, code }, { "", 0 })
  out, err, code = run "--help"
  lu.assertEquals({ err, code }, { "", 0 })
  for _, option in ipairs {
    "seconds", "steps", "hz", "substeps", "workers", "shot", "svg", "at", "film", "fps", "size", "camera", "theme", "draw", "view",
    "watch", "quiet", "json", "version", "help", "test",
  } do
    lu.assertStrContains(out, "\n  --" .. option)
  end
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
