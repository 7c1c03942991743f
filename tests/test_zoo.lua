-- The scenes of scripts/zoo: what the reader builds, what the figures measure, and that each scene goes at least as well as in the peer, whose figures
-- stand in its file.
local lu = require "luaunit"
local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
local folder = here .. "../scripts/zoo/"
local zoo = dofile(folder .. "zoo.lua")

TestZoo = {}

local found = {}
do
  local list = assert(io.popen('ls "' .. folder .. 'scenes"'))
  for file in list:lines() do
    local name = file:match "^(.+)%.lua$"
    if name then found[#found + 1] = name end
  end
  list:close()
end

function TestZoo.test_scenes_are_here()
  local dimensions, games, peers = { 0, 0, 0 }, 0, 0
  for _, name in ipairs(found) do
    local scene = zoo.load(folder .. "scenes/" .. name .. ".lua")
    lu.assertIsString(scene.about)
    lu.assertIsTable(scene.peer)
    dimensions[scene.dimension] = dimensions[scene.dimension] + 1
    if name:match "^game_" then games = games + 1 else peers = peers + 1 end
    lu.assertTrue(scene.dimension == (name:match "3d$" and 3 or 2), name)
  end
  lu.assertTrue(games >= 20 and peers >= 30)
  lu.assertTrue(dimensions[2] >= 20 and dimensions[3] >= 20)
end

-- Scenes are data: they can call nothing.
function TestZoo.test_scenes_reach_nothing()
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write "return { about = tostring(1) }"
  file:close()
  local fine, message = pcall(zoo.load, path)
  os.remove(path)
  lu.assertFalse(fine)
  lu.assertStrContains(message, "tostring")
end

function TestZoo.test_copies_make_rows_and_grids()
  local run = zoo.build {
    dimension = 3,
    bodies = {
      { position = { 1, 2, 3 }, copies = { { 3, 1, 0, 0 }, { 2, 0, 0.5, -1 } }, shape = { "sphere", 0.1 } },
      { y = -1, copies = { 2, 0, 4 }, shape = { "box", 1, 1, 1 } },
    },
  }
  local places = {}
  for i, body in ipairs(run.bodies) do places[i] = ("%g %g %g"):format(body:getPosition()) end
  lu.assertEquals(places, { "1 2 3", "1 2.5 2", "2 2 3", "2 2.5 2", "3 2 3", "3 2.5 2", "0 -1 0", "0 3 0" })
end

local function vector(dimension, x, y)
  return dimension == 2 and { x, y } or { x, y, 0 }
end

local function ball(dimension, options)
  options.shape = dimension == 2 and { "circle", 0.5 } or { "sphere", 0.5 }
  return options
end

local function held(dimension)
  return dimension == 2 and { x = true, y = true, rotation = true } or
    { x = true, y = true, z = true, rotationX = true, rotationY = true, rotationZ = true }
end

-- A kinematic body goes the same way at all rates, and stops.
function TestZoo.test_motion_is_the_same_way_at_all_rates()
  for dimension = 2, 3 do
    local scene = {
      dimension = dimension,
      bodies = { ball(dimension, { type = "kinematic" }) },
      motion = {
        { body = 1, from = 1, to = 2, linearVelocity = vector(dimension, 3, 0) },
        { body = 1, from = 2, to = 2.5, linearVelocity = vector(dimension, 0, -1) },
      },
    }
    for _, hertz in ipairs { 30, 60, 120 } do
      local run = zoo.build(scene)
      for step = 0, 3 * hertz - 1 do
        zoo.move(run, step / hertz, 1 / hertz)
        run.world:step(1 / hertz)
      end
      local x, y = run.bodies[1]:getPosition()
      lu.assertAlmostEquals(x, 3, 1e-4)
      lu.assertAlmostEquals(y, -0.5, 1e-4)
    end
  end
end

-- A ball flies for 4 s at 1 m/s from x = 2 and past x = 5.
function TestZoo.test_figures_of_a_flight()
  for dimension = 2, 3 do
    local figures = zoo.run({
      dimension = dimension, seconds = 4, rest = true, closed = true, gravity = vector(dimension, 0, 0),
      bounds = dimension == 2 and { -5, -5, 5, 5 } or { -5, -5, -5, 5, 5, 5 },
      bodies = { ball(dimension, { x = 2, linearVelocity = vector(dimension, 1, 0), stands = true }), ball(dimension, { x = -4, type = "static" }) },
    }, 60)
    lu.assertEquals(figures.rest, 4)
    lu.assertAlmostEquals(figures.drift, 3, 1e-4)
    lu.assertAlmostEquals(figures.moved, 4, 1e-4)
    lu.assertEquals(figures.escaped, 1)
    lu.assertAlmostEquals(figures.gain, 0, 1e-6)
    lu.assertEquals(figures.deep, 0)
    lu.assertNil(figures.joint)
  end
end

-- Two balls of 0.5 whose centres are held 0.7 apart, and a joint whose anchors are 0.4 apart.
function TestZoo.test_figures_of_what_is_held()
  for dimension = 2, 3 do
    local scene = {
      dimension = dimension, seconds = 4, rest = true,
      bodies = { ball(dimension, { x = 0.7, locks = held(dimension) }), ball(dimension, { type = "static" }) },
    }
    local figures = zoo.run(scene, 60)
    lu.assertAlmostEquals(figures.deep, 0.3, 1e-6)
    lu.assertEquals(figures.drift, 0)
    lu.assertTrue(figures.rest <= 1)
    scene.joints = { { "Revolute", bodyA = 1, bodyB = 2, anchorA = vector(dimension, 1, 0), anchorB = vector(dimension, 1.3, 0) } }
    figures = zoo.run(scene, 60)
    lu.assertAlmostEquals(figures.joint, 0.4, 1e-6)
    lu.assertEquals(figures.deep, 0) -- what a joint ties may overlap
  end
end

-- A speed of 2 from outside lifts what has it by v^2 / (2 g) = 0.2 m, and a scene of two such bodies by half of that.
function TestZoo.test_energy_from_outside_is_seen()
  for dimension = 2, 3 do
    local run = zoo.build { dimension = dimension, seconds = 1, closed = true, bodies = { ball(dimension, {}), ball(dimension, { x = 20 }) } }
    zoo.watch(run)
    zoo.look(run, 0, 1 / 60)
    run.bodies[1]:setLinearVelocity((table.unpack or unpack)(vector(dimension, 2, 0)))
    zoo.look(run, 1 / 60, 1 / 60)
    lu.assertAlmostEquals(zoo.figures(run).gain, 0.1, 1e-6)
  end
end

-- A box that has turned about its middle has moved by its corners' way: 0.5 rad at the distance of half its size.
function TestZoo.test_turning_counts_as_a_way()
  for dimension = 2, 3 do
    local box = dimension == 2 and { "box", 2, 1 } or { "box", 2, 1, 1 }
    local run = zoo.build { dimension = dimension, seconds = 1, bodies = { { shape = box, stands = true } } }
    zoo.watch(run)
    if dimension == 2 then run.bodies[1]:setAngle(0.5) else run.bodies[1]:setRotation(0, 0, math.sin(0.25), math.cos(0.25)) end
    lu.assertAlmostEquals(zoo.figures(run).moved, 2 * math.sin(0.25), 1e-6)
  end
end

function TestZoo.test_bars_allow_a_tenth_and_what_nobody_sees()
  local scene = { should = { rest = 2 }, peer = { [60] = { rest = 1, deep = 0.1 } } }
  lu.assertEquals(#zoo.worse(scene, 60, { rest = 1.3, deep = 0.11 }), 0)
  lu.assertEquals(#zoo.worse(scene, 60, { rest = 1.5, deep = 0.12 }), 2)
  lu.assertEquals(#zoo.worse(scene, 60, { rest = 2.1, deep = 0 }), 2)
  lu.assertEquals(#zoo.worse(scene, 30, { rest = 1.9, deep = 1 }), 0)
  lu.assertEquals(#zoo.worse(scene, 30, { rest = 0 / 0, deep = 1 }), 1)
end

-- Families give the same scene for the same seed, another one for another, and the reader builds all of them.
function TestZoo.test_families_are_scenes()
  local families = dofile(folder .. "families.lua")
  lu.assertTrue(#families >= 20)
  local function text(value)
    if type(value) ~= "table" then return tostring(value) end
    local parts = {}
    for key, item in pairs(value) do parts[#parts + 1] = tostring(key) .. "=" .. text(item) end
    table.sort(parts)
    return table.concat(parts, " ")
  end
  for _, name in ipairs(families) do
    lu.assertEquals(text(families[name](3)), text(families[name](3)), name)
    lu.assertNotEquals(text(families[name](3)), text(families[name](4)), name)
    zoo.build(families[name](5)).world:destroy()
  end
end

-- Rates at which a scene is still worse than in the peer. Each is a fault to mend: once it is, the test says so, and the rate goes from here.
local open = {
  game_bowling = { 30 }, -- gains 2 % of its energy; from 12 starts up to 1 mm apart 0.6 % in the median (0.07)
  -- Gains 3.6 % (2.4). From 24 starts, all bodies up to 0.5 mm off each way, 3.4 in the median (2.4), and discs roll for 10 s (4.7). At 60 and 120 Hz its bars
  -- are a matter of chance: from those starts the gain is 2.4 and 0.4 % (3.6, 1.1), and the last disc stops after 8.4 and 7.9 s (10, 10).
  random_pipes = { 30 },
  sample_arch = { 30 }, -- falls, as there; the heap rests after 8.8 s (5.6), from 12 starts 8.5 in the median (5.5)
  -- Gains 18 and 3 % (16, 1): the impact from below comes up slower than what is above falls, and the overlap of that is pushed out again. All 20 together sink
  -- by 366 and 70 mm, and end 167 and 30 mm deep. With contacts of 30, 25 and 20 Hz at 120 Hz they gain 1.7, 1 and 0.1 %, and end 54, 77 and 119 mm deep.
  sample_capsule_stack3d = { 30, 120 },
  -- Falls from 12 of 12 starts up to 0.2 mm apart (2; 5 where nothing may sleep). Without friction while overlap is pushed out 4 do. At 60 Hz none does (2).
  sample_card_house = { 30 },
  -- 15 mm deep (0.5): friction jams the ball between both sides. There it is thrown out, 0.8 to 4 m up, and comes back gently; it jams as well, 10 mm deep,
  -- where it falls at 50 m/s. The mean of 16 speeds from 10 to 300 m/s is 5, 9, 11 mm at 30, 60, 120 Hz (4, 3, 1.5). Without friction against the push at points
  -- deeper than a slop in what is fixed it is 7, 5, 4 mm; but a capsule thrown at a floor at a slant loses 0.1 m of a step's way.
  -- Most of the depth comes in the step after the sweep has stopped the ball, when the contacts take its speed: at 120 Hz the deepest on the way is 145 mm in
  -- the median of those speeds, 37 mm where friction in the push stays as it is. If it fades out between one and two slops of the depth at that moment, not
  -- when the step began, that is 68 mm, and 1.2 mm at the end (11.3); but then a pile stays awake at 120 Hz, and discs in funnels roll for 7.7 s (6.6).
  sample_wedge = { 120 },
  -- A joint of a wheel opens by 6 mm (3.5) when the trolley is stopped by the buffer at 2.3 m/s within a sub-step of its way of 10 mm, and is closed in the step
  -- after: how much of it is seen depends on when in a step it arrives. From 24 starts up to 10 cm aside 2.6 to 6.3 mm.
  game_trolley3d = { 60 },
}

-- Each scene goes as it should and, but for a tenth and what nobody sees, at least as well as in the peer (Box2D 617d32ab, Box3D 30c67b5).
for _, name in ipairs(found) do
  TestZoo["test_scene_" .. name] = function()
    local scene, lines, misses = zoo.load(folder .. "scenes/" .. name .. ".lua"), {}, {}
    for _, hertz in ipairs(open[name] or {}) do misses[hertz] = true end
    for _, hertz in ipairs { 30, 60, 120 } do
      if scene.peer[hertz] then
        local worse = zoo.misses(scene, hertz)
        if misses[hertz] and #worse == 0 then lines[1 + #lines] = ("%d Hz: meets the bars now: no longer open"):format(hertz) end
        for _, line in ipairs(misses[hertz] and {} or worse) do lines[#lines + 1] = line end
      end
    end
    lu.assertEquals(table.concat(lines, "\n"), "")
  end
end
