-- The driver of the host: reads the options, runs what they name, says what went wrong. The program in src/host calls the function
-- that this file returns, with its own path, a table of functions (src/host/native.h) and the arguments; the result is its exit code.

-- Scripts may change the globals; these stay.
local debug, io, math, package, table = debug, io, math, package, table
local load, loadfile, pcall, print, require, select, tonumber, tostring, type, unpack, xpcall =
  loadstring or load, loadfile, pcall, print, require, select, tonumber, tostring, type, unpack or table.unpack, xpcall

local version = "0.1.0"

-- Exit codes. An interrupted run ends with what the shell makes of SIGINT.
local done, failed, misused, interrupted = 0, 1, 2, 130

local help = [[
usage: host [options] scenario.lua [arguments]
       host [options] -e CODE [arguments]
       host --test PATH [LuaUnit's arguments]

Runs a Lua script ("-": the standard input). A script that returns a table with a function `setup` is a scenario: it is set up,
stepped at full speed, checked (unless the run is cut short of the scenario's own duration), and summed up.

  --seconds S    simulate S seconds, instead of the scenario's own duration
  --steps N      make N steps, instead
  --hz H         H steps a second, instead of the scenario's own timestep
  --substeps N   solve each step in N parts
  --workers N    step with N threads
  --quiet        no progress and no summary: errors only
  --json         the summary as one JSON object
  -e CODE        run CODE instead of a file
  --test PATH    run the LuaUnit tests of a file, or of all test_*.lua in a folder
  --version      say which host, Lua and collide this is
  --help         say this

Exit code: 0; 1 where the script, its check or a test failed; 2 where the call was wrong; 130 after Ctrl-C.
What the script prints goes to the standard output, before the summary.
]]

local function complain(format, ...)
  io.stdout:flush()
  io.stderr:write("host: ", format:format(...), "\n")
end

---------------------------------------------------------------------------------------------------------------------------------
-- Options

local function whole(least, most)
  return function(n) return n == math.floor(n) and n >= least and n <= (most or math.huge) end,
    most and ("a whole number between %d and %d"):format(least, most) or "a whole number of at least " .. least
end

local number_options = {
  seconds = { function(n) return n >= 0 end, "a number of at least 0" },
  steps = { whole(0) },
  hz = { function(n) return n >= 1 / 60 and n <= 1e6 end, "a number between 1/60 and 1e6" },
  substeps = { whole(1, 64) },
  workers = { whole(1, 64) },
}
local text_options = { e = "code", test = "a path" }
local flags = { quiet = true, json = true, version = true, help = true }

local function parse_number(name, text)
  local fits, what = unpack(number_options[name])
  local n = tonumber(text)
  if n and n == n and math.abs(n) < math.huge and fits(n) then return n end
  return nil, ("--%s must be %s, got '%s'"):format(name, what, text)
end

-- The options as a table, with the rest of the arguments in `rest`; or nil and what is wrong with them.
local function parse(arguments)
  local options, at = { rest = {} }, 1
  while at <= #arguments and arguments[at]:match "^%-." and not (options.e or options.test) do
    local argument = arguments[at]
    at = at + 1
    if argument == "--" then break end
    local name, value = argument:match "^%-%-([^=]+)=?(.*)$"
    if argument == "-e" then name = "e" elseif name == "e" then name = nil end
    local wanted = number_options[name] and "a number" or text_options[name]
    if wanted then
      if not argument:find("=", 1, true) then
        value = arguments[at]
        at = at + 1
      end
      if not value then return nil, ("%s needs %s"):format(argument, wanted) end
      local problem
      if number_options[name] then value, problem = parse_number(name, value) end
      if problem then return nil, problem end
      options[name] = value
    elseif flags[name] and argument == "--" .. name then
      options[name] = true
    else
      return nil, ("unknown option '%s' (--help lists them)"):format(argument)
    end
  end
  if options.seconds and options.steps then return nil, "--seconds and --steps say the same: give one of them" end
  if not (options.e or options.test or options.help or options.version) then
    options.script = arguments[at]
    at = at + 1
    if not options.script then return nil, "no script given (--help says how)" end
  end
  options.rest = { unpack(arguments, at) }
  return options
end

---------------------------------------------------------------------------------------------------------------------------------
-- Errors

-- An error of any kind as text.
local function describe(problem)
  if type(problem) == "string" or type(problem) == "number" then return tostring(problem) end
  local meta = debug.getmetatable(problem)
  if type(meta) == "table" and meta.__tostring then
    local fine, text = pcall(tostring, problem)
    if fine then return text end
  end
  return ("(error object is a %s value)"):format(type(problem))
end

-- The error and where it came from, without the driver's own part of the way.
local function trace(problem)
  local lines = {}
  for line in debug.traceback(describe(problem), 2):gmatch "[^\n]*" do
    if line:find("[C]: in function 'xpcall'", 1, true) then lines.last = #lines end
    if line ~= "" and not line:find "^\t.*lua/collide/host" then lines[#lines + 1] = line end
  end
  local last = lines.last or #lines
  if lines[last] == "\t(...tail calls...)" then last = last - 1 end
  return table.concat(lines, "\n", 1, last)
end

-- Calls f(...). Returns true and its first result, or false and a message with a traceback.
local function guard(f, ...)
  local arguments, count = { ... }, select("#", ...)
  local fine, result = xpcall(function() return f(unpack(arguments, 1, count)) end, trace)
  return fine, result
end

---------------------------------------------------------------------------------------------------------------------------------
-- Running

local function file_problem(path)
  if path == "-" then return nil end
  local file, problem = io.open(path)
  if not file then return problem end
  local _, unreadable = file:read(1)
  file:close()
  return unreadable and path .. ": " .. unreadable
end

-- Siblings of the script can be required.
local function add_folder(path)
  local folder = path:match "^(.*)/[^/]*$" or "."
  package.path = ("%s/?.lua;%s/?/init.lua;"):format(folder, folder) .. package.path
end

local function run(native, options)
  local chunk, problem
  if options.e then
    chunk, problem = load(options.e, "=(command line)")
  else
    local missing = file_problem(options.script)
    if missing then
      complain("cannot open %s", missing)
      return misused
    end
    add_folder(options.script)
    chunk, problem = loadfile(options.script ~= "-" and options.script or nil)
  end
  if not chunk then
    complain("%s", problem)
    return failed
  end

  native.catchInterrupts(true)
  local fine, result = guard(chunk, unpack(options.rest))
  native.catchInterrupts(false)
  if native.interrupted() then
    complain("%s", fine and "interrupted" or result)
    return interrupted
  elseif not fine then
    complain("%s", result)
    return failed
  elseif type(result) ~= "table" or result.setup == nil then
    return done
  end
  return require "collide.host.scenario" (native, result, options, guard, complain)
end

local function show_version(native)
  local found, collide = pcall(require, "collide")
  print(("host %s, %s, collide %s"):format(version, jit and jit.version or native.release, found and collide.version or "(not found)"))
  if found then return done end
  complain("%s", describe(collide))
  return failed
end

return function(program, native, arguments)
  local options, problem = parse(arguments)
  if not options then
    complain("%s", problem)
    return misused
  elseif options.help then
    io.write(help)
    return done
  elseif options.version then
    return show_version(native)
  end

  -- The same run gives the same numbers.
  math.randomseed(0)
  arg = options.rest
  arg[-1], arg[0] = program, options.script or options.test or "-e"
  if options.test then return require "collide.host.tests" (native, options, guard, complain) end
  return run(native, options)
end
