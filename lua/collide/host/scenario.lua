-- Driving a scenario: a table with setup(args, options) -> world, and perhaps update(world, tick), check(world), name, duration and
-- timestep [s].

local error, io, math, pcall, table, tostring, type = error, io, math, pcall, table, tostring, type

local default_duration, default_timestep = 10, 1 / 60 -- [s]
local progress_interval = 0.1 -- [s]

---------------------------------------------------------------------------------------------------------------------------------
-- Before the run

-- Raises where the scenario's fields are not what they have to be.
local function check_fields(scenario)
  local function expect(name, fits, what)
    local value = scenario[name]
    if not fits(value) then error(("scenario.%s must be %s, got %s"):format(name, what, tostring(value)), 0) end
  end
  local function is_function(value) return type(value) == "function" end
  local function may_be_function(value) return value == nil or type(value) == "function" end
  local function finite(value) return type(value) == "number" and value >= 0 and value < math.huge end
  expect("setup", is_function, "a function")
  expect("update", may_be_function, "a function")
  expect("check", may_be_function, "a function")
  expect("name", function(value) return value == nil or type(value) == "string" end, "a string")
  expect("duration", function(value) return value == nil or finite(value) end, "a number of seconds")
  expect("timestep", function(value) return value == nil or finite(value) and value > 0 end, "a number of seconds above 0")
end

-- What has to be asked of a world can be asked of this.
local function is_world(value)
  if type(value) ~= "userdata" and type(value) ~= "table" then return false end
  local fine, step, hash = pcall(function() return value.step, value.hash end)
  return fine and type(step) == "function" and type(hash) == "function"
end

-- What the options ask of the world goes to setup, too, which may need it earlier.
local function set_up(scenario, options)
  check_fields(scenario)
  if options.hz then scenario.timestep = 1 / options.hz end -- for what the script reckons with it, too
  local world = scenario.setup(options.rest, { substeps = options.substeps, workers = options.workers })
  if not is_world(world) then
    error(("scenario.setup must return a world, got %s"):format(world == nil and "nothing" or tostring(world)), 0)
  end
  if options.substeps then world:setSubsteps(options.substeps) end
  if options.workers then world:setWorkers(options.workers) end
  return world
end

---------------------------------------------------------------------------------------------------------------------------------
-- The run

local function show_progress(run)
  io.stderr:write(("\r%s  step %d of %d  %.2f ms\27[K"):format(run.name, run.ticks, run.wanted, 1000 * run.times[run.ticks]))
end

-- Only the steps are timed; update is the script's own affair.
local function step_all(native, run, scenario, world)
  local update, dt, clock = scenario.update, run.timestep, native.clock
  local started = clock()
  local shown = started
  for tick = 1, run.wanted do
    if native.interrupted() then break end
    if update then update(world, tick) end
    local before = clock()
    world:step(dt)
    local after = clock()
    run.ticks, run.times[tick], run.wall = tick, after - before, after - started
    if run.watched and after - shown >= progress_interval then
      shown = after
      show_progress(run)
    end
  end
end

---------------------------------------------------------------------------------------------------------------------------------
-- After the run

-- The smallest time that is not exceeded by this share of the steps.
local function percentile(sorted, share)
  return sorted[math.max(1, math.ceil(share * #sorted))] or 0
end

local function sum_up(run, world)
  local total, sorted = 0, {}
  for tick = 1, run.ticks do
    total = total + run.times[tick]
    sorted[tick] = run.times[tick]
  end
  table.sort(sorted)
  return {
    name = run.name,
    ticks = run.ticks,
    simulated = run.ticks * run.timestep,
    wall = run.wall,
    mean = 1000 * total / math.max(1, run.ticks),
    p50 = 1000 * percentile(sorted, 0.5),
    p99 = 1000 * percentile(sorted, 0.99),
    max = 1000 * percentile(sorted, 1),
    bodies = world:getBodyCount(),
    awake = world:getAwakeCount(),
    colliders = world:getColliderCount(),
    contacts = world:getContactCount(),
    touching = world:getTouchingCount(),
    islands = world:getIslandCount(),
    hash = world:hash(),
    check = run.check,
  }
end

local text = [[
$name: $check
  ticks      $ticks
  time       $simulated s simulated in $wall s
  ms a step  $mean mean, $p50 p50, $p99 p99, $max max
  bodies     $bodies, $awake of them awake
  colliders  $colliders
  contacts   $contacts, $touching of them touching
  islands    $islands
  hash       $hash
]]

local json = [[{"name":$name,"check":$check,"ticks":$ticks,"simulated":$simulated,"wall":$wall,]]
  .. [["msPerStep":{"mean":$mean,"p50":$p50,"p99":$p99,"max":$max},"bodies":$bodies,"awake":$awake,"colliders":$colliders,]]
  .. [["contacts":$contacts,"touching":$touching,"islands":$islands,"hash":$hash}]] .. "\n"

-- Counts stay whole numbers; times are given to the microsecond, or to the microsecond's thousandth of a step.
local function format_number(value)
  return value == math.floor(value) and ("%.0f"):format(value) or ("%.6f"):format(value)
end

local function format_text(value)
  if type(value) == "string" then return value end
  return value == math.floor(value) and ("%.0f"):format(value) or ("%.3f"):format(value)
end

local function format_json(value)
  if type(value) == "number" then return format_number(value) end
  return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function print_summary(summary, options)
  local form, format = text, format_text
  if options.json then form, format = json, format_json end
  io.write((form:gsub("%$(%w+)", function(name) return format(summary[name]) end)))
end

---------------------------------------------------------------------------------------------------------------------------------

-- The run that the options and the scenario ask for.
local function plan(native, scenario, options)
  local timestep = scenario.timestep or default_timestep
  local wanted = options.steps or math.floor((options.seconds or scenario.duration or default_duration) / timestep + 0.5)
  return {
    name = scenario.name or options.script or "scenario",
    timestep = timestep,
    wanted = wanted, -- steps
    -- A check says what holds at the scenario's own end, not before.
    cut_short = (wanted + 0.5) * timestep < (scenario.duration or 0),
    watched = not options.quiet and native.isTerminal(),
    ticks = 0,
    times = {}, -- of each step [s]
    wall = 0, -- of all, updates included [s]
    check = "no check",
  }
end

-- Fills in how the check ended; returns what was wrong, if anything.
local function check(native, run, scenario, world, guard)
  if native.interrupted() then
    run.check = "interrupted"
  elseif scenario.check and run.cut_short then
    run.check = "cut short"
  elseif scenario.check then
    local fine, problem = guard(scenario.check, world)
    run.check = fine and "passed" or "failed"
    return not fine and problem or nil
  end
end

-- Returns the exit code.
return function(native, scenario, options, guard, complain)
  local run, world
  local function perform()
    world = set_up(scenario, options)
    run = plan(native, scenario, options)
    step_all(native, run, scenario, world)
  end
  native.catchInterrupts(true)
  local fine, problem = guard(perform)
  native.catchInterrupts(false)
  local interrupted = native.interrupted()
  if run and run.watched then io.stderr:write "\r\27[K" end

  if fine or interrupted and run then
    problem = check(native, run, scenario, world, guard)
    if options.json or not options.quiet then
      local summed, summary = guard(sum_up, run, world)
      if summed then print_summary(summary, options) else problem = problem or summary end
    end
  end
  if problem then complain("%s", problem) end
  return interrupted and 130 or problem and 1 or 0
end
