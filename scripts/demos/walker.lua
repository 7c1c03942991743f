-- A capsule walks over hills and rocks, without being a body: each step is cast through the shapes and slides along what it meets, by
-- d2.slide over d2.cast; gravity is added by hand. The red lines are the normals met in the last step, the dots the way it came.
-- Left and right (a, d) walk, up (w, space) jumps, return starts anew. Until a key is pressed an autopilot walks.
local d2 = require("collide").d2

local scenario = { name = "walker", duration = 24, timestep = 1 / 60, theme = "dark" }

local speed, jump_speed, gravity, skin, steep = 4, 8.5, 20, 0.01, 0.6
local first, goal, half, radius = -6, 58, 0.45, 0.35 -- half the length of the capsule's core
local earth, grass, gold, blue, red, grey =
  "#222c27", "#58b368", "#ffc145", "#5a9df0", "#ff5470", "#8892a0"

local heights = {}
for i = 0, 72 do
  local x = first + i
  heights[i + 1] = 0.9 * math.sin(0.31 * x) + 0.5 * math.sin(0.83 * x + 1) + (i < 3 and 3 * (3 - i) or i > 68 and 3 * (i - 68) or 0)
end
local map = d2.heightmap { heights = heights, cellWidth = 1, x = first }

local body = d2.capsule(0, -half, 0, half, radius)
local solids, walker, eye -- the ground and the rocks: { shape =, pose =, points = of a rock in the world }
local meaning = { left = "left", a = "left", right = "right", d = "right", up = "jump", w = "jump", space = "jump" }
local held, autopilot, reached, nearest, jumps = {}, true, false, 1e9, 0 -- nearest: the smallest gap of the run

local function start()
  walker = { x = 0, y = 3, vx = 0, vy = 0, ground = 0, jump = 0, stuck = 0, facing = 1, met = {}, trail = {}, ticks = 0 }
end

-- What is first in the way, as d2.slide asks for it.
local function cast(x, y, dx, dy)
  local pose, t, nx, ny, px, py = d2.pose(x, y), nil, nil, nil, nil, nil
  for _, solid in ipairs(solids) do
    local hit, ht, hnx, hny, hpx, hpy = d2.cast(body, pose, dx, dy, solid.shape, solid.pose)
    if hit and hnx * dx + hny * dy > 0 and (not t or ht < t) then t, nx, ny, px, py = ht, hnx, hny, hpx, hpy end
  end
  if t then walker.met[#walker.met + 1] = { px, py, nx, ny } end
  return t ~= nil, t, nx, ny
end

local function walk(dt)
  local w = walker
  local direction = (held.right and 1 or 0) - (held.left and 1 or 0)
  w.vx = w.vx + math.max(-30 * dt, math.min(30 * dt, speed * direction - w.vx))
  if direction ~= 0 then w.facing = direction end
  w.jump, w.ground = w.jump - 1, w.ground - 1
  if w.jump > 0 and w.ground > 0 then w.vy, w.jump, w.ground = jump_speed, 0, 0 end
  local stood = w.ground > 0
  w.vy, w.met = w.vy - gravity * dt, {}
  local dx, dy = w.vx * dt, w.vy * dt
  if stood then dy = w.nx and -w.nx / w.ny * dx or 0 end -- on the ground the way is along it
  local x, y = d2.slide(w.x, w.y, dx, dy, cast, { skin = skin })
  local climbed = y - w.y
  if not stood then w.vy = climbed / dt end -- what is in the way stops it
  w.vx = math.max(-speed, math.min(speed, (x - w.x) / dt))
  w.x, w.y = x, y
  local reach = stood and 0.2 or 2 * skin -- it does not let go of it downhill
  local below, t, nx, ny = cast(x, y, 0, -reach)
  if below and -ny > steep and w.vy < 1 then
    w.y = y - math.max(0, t * reach - skin)
    w.vy, w.ground, w.nx, w.ny = 0, 5, nx, ny -- just after an edge it can still jump
  elseif not stood and dy < 0 and climbed > 0.2 * dy then
    w.ground, w.nx = 5, nil -- between two slopes
  elseif stood then
    w.vy = 0
  end
end

local function press(what, down)
  if what == "jump" and down and not held.jump then walker.jump = 8 end -- is meant for so many steps
  held[what] = down
end

function scenario.key(name, down)
  if name ~= "return" and not meaning[name] then return false end
  if autopilot then autopilot, held = false, {} end
  if meaning[name] then press(meaning[name], down) elseif down then start() end
  return true
end

function scenario.setup()
  local world = d2.newWorld { gravity = { 0, -gravity } }
  local points = {}
  for i = #heights, 1, -1 do points[#points + 1], points[#points + 2] = first + i - 1, heights[i] end
  solids, held, autopilot, eye = { { shape = d2.chain(points) } }, {}, true, { x = 3, y = 2, height = 9 }
  for i = 1, 14 do -- rocks, half in the ground
    local x, size, corners = 1 + 3.7 * i, 0.7 + 0.6 * math.abs(math.sin(5 * i)), {}
    local y = map:heightAt(x) + 0.2 * math.sin(3 * i)
    for k = 0, 6 do
      local angle = (k + 0.5 * math.sin(7 * i + 3 * k)) * 2 * math.pi / 7
      corners[#corners + 1], corners[#corners + 2] = 1.1 * size * math.cos(angle), size * math.sin(angle)
    end
    solids[#solids + 1] = { shape = d2.polygon(corners), pose = d2.pose(x, y), x = x, y = y }
  end
  for _, s in ipairs(solids) do world:newBody { type = "static", x = s.x, y = s.y, shape = s.shape } end
  start()
  reached, nearest, jumps = false, 1e9, 0
  return world
end

function scenario.update(_, tick)
  local w = walker
  if autopilot then
    press("right", w.x < goal)
    w.stuck = w.x < goal and w.vx < 1.5 and w.stuck + 1 or 0
    press("jump", w.stuck > 14)
    if held.jump then jumps, w.stuck = jumps + 1, 0 end
    if w.x >= goal then w.ticks = w.ticks + 1 end
    if w.ticks > 240 then start() end
  end
  walk(scenario.timestep)
  w = walker
  if tick % 6 == 0 and #w.trail < 600 then w.trail[#w.trail + 1] = { w.x, w.y } end
  reached = reached or w.x >= goal
  local pose = d2.pose(w.x, w.y)
  for _, s in ipairs(solids) do nearest = math.min(nearest, (d2.distance(body, pose, s.shape, s.pose))) end
  if w.y < map:heightAt(w.x) then nearest = -1e9 end -- a chain has no inside
  eye.x, eye.y = eye.x + 0.06 * (w.x + 1.5 * w.facing - eye.x), eye.y + 0.05 * (w.y + 0.6 - eye.y)
end

function scenario.camera() return eye end

function scenario.draw(canvas)
  local w = walker
  for i = 1, #heights - 1 do
    local x = first + i - 1
    canvas.fillPolygon(earth, 0.02, x, -9, x + 1, -9, x + 1, heights[i + 1], x, heights[i])
    canvas.segment(grass, x, heights[i], x + 1, heights[i + 1])
  end
  local top = map:heightAt(goal)
  canvas.segment(grey, goal, top, goal, top + 2.6)
  canvas.solidPolygon(gold, 0, goal, top + 1.8, goal + 1.1, top + 2.2, goal, top + 2.6)
  for _, p in ipairs(w.trail) do canvas.point("#ffc14570", p[1], p[2], 4) end
  canvas.solidCapsule(blue, w.x, w.y - half, w.x, w.y + half, radius)
  canvas.solidCircle("#f2f2f0", w.x + 0.15 * w.facing, w.y + half, 0.09)
  for _, m in ipairs(w.met) do
    canvas.segment(red, m[1], m[2], m[1] - 0.9 * m[3], m[2] - 0.9 * m[4])
    canvas.point(red, m[1], m[2], 7)
  end
  canvas.label("label", 20, 20, ("%s   speed %.1f"):format(w.ground > 4 and "on the ground" or "in the air", w.vx))
  canvas.label(grey, 20, 44, autopilot and "autopilot: arrows or a, d, w walk" or "a, d: walk   w: jump   return: anew")
end

function scenario.check()
  assert(nearest > -1e-3, ("walker: %g deep in a shape"):format(-nearest))
  assert(reached, ("walker: the end was not reached; it is at %.1f, %.1f"):format(walker.x, walker.y))
  assert(nearest < skin + 1e-3 and jumps > 0, "walker: nothing was in the way")
end

return scenario
