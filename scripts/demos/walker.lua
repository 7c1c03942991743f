-- A capsule walks over hills and rocks, without being a body: in each step it slides along the shapes that it hits, by d2.slideShape; gravity is added by
-- hand. The red lines are the normals at contacts, the dots its path.
-- Left and right (a, d) walk, up (w, space) jumps, return restarts. Until a key is pressed an autopilot walks.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "walker", duration = 24, timestep = 1 / 60, theme = "dark" }

local speed, jump_speed, gravity, skin, steep = 4, 8.5, 20, 0.01, 0.6
local first, goal, half, radius = -6, 58, 0.45, 0.35 -- half the length of the capsule's core
local earth, grass, gold, blue, red, grey = "#222c27", "#58b368", "#ffc145", "#5a9df0", "#ff5470", "#8892a0"

local heights = {}
for x = first, 66 do
	heights[#heights + 1] = 0.9 * collide.sin(0.31 * x) + 0.5 * collide.sin(0.83 * x + 1) + 3 * math.max(0, -3 - x, x - 62)
end
local map = d2.heightmap { heights = heights, cellWidth = 1, x = first }
local body = d2.capsule(0, -half, 0, half, radius)
local solids, walker, eye -- the ground and the rocks: { shape =, pose =, x =, y = }
local meaning = { left = "left", a = "left", right = "right", d = "right", up = "jump", w = "jump", space = "jump" }
local held, autopilot, reached, nearest, jumps -- nearest: the smallest distance of the run

local function start() walker = { x = 0, y = 3, vx = 0, vy = 0, ground = 0, jump = 0, stuck = 0, met = {}, trail = {} } end

-- The distance to the ground below, and the normal there.
local function ground(x, y, reach)
	local pose, t, nx, ny = d2.pose(x, y), 1, 0, 0
	for _, solid in ipairs(solids) do
		local hit, ht, hnx, hny = d2.cast(body, pose, 0, -reach, solid.shape, solid.pose)
		if hit and hny < 0 and ht < t then t, nx, ny = ht, hnx, hny end
	end
	return t * reach, nx, ny
end

local function walk(dt)
	local w = walker
	local direction = (held.right and 1 or 0) - (held.left and 1 or 0)
	w.vx = w.vx + math.max(-30 * dt, math.min(30 * dt, speed * direction - w.vx))
	w.jump, w.ground = w.jump - 1, w.ground - 1
	if w.jump > 0 and w.ground > 0 then w.vy, w.jump, w.ground = jump_speed, 0, 0 end
	local stood, dx, dy = w.ground > 0, w.vx * dt, (w.vy - gravity * dt) * dt
	if stood then dy = w.nx and -w.nx / w.ny * dx or 0 end -- on the ground it moves along the ground
	local x, y, _, planes = d2.slideShape(body, d2.pose(w.x, w.y), dx, dy, solids, { skin = skin })
	w.x, w.y, w.vx, w.vy = x, y, math.max(-speed, math.min(speed, (x - w.x) / dt)), stood and 0 or (y - w.y) / dt
	local reach = stood and 0.2 or 2 * skin -- downhill it stays on the ground
	local height, nx, ny = ground(x, y, reach)
	if -ny > steep and w.vy < 1 then
		w.y = y - math.max(0, height - skin)
		w.vy, w.ground, w.nx, w.ny = 0, 5, nx, ny -- it can still jump just after leaving an edge
	elseif planes > 1 then w.ground, w.nx = 5, nil end -- between two slopes
end

local function press(what, down)
	if what == "jump" and down and not held.jump then walker.jump = 8 end -- the jump stays pending for 8 steps
	held[what] = down
end

function scenario.key(name, down)
	if name ~= "return" and not meaning[name] then return false end
	if autopilot then autopilot, held = false, {} end
	if meaning[name] then press(meaning[name], down) elseif down then start() end
	return true
end

function scenario.setup()
	local world, points = d2.newWorld { gravity = { 0, -gravity } }, {}
	for i = #heights, 1, -1 do points[#points + 1], points[#points + 2] = first + i - 1, heights[i] end
	solids, eye = { { shape = d2.chain(points) } }, { x = 3, y = 2, height = 9 }
	held, autopilot, reached, nearest, jumps = {}, true, false, 1e9, 0
	for i = 1, 14 do -- rocks, half in the ground
		local x, size, corners = 1 + 3.7 * i, 0.7 + 0.6 * math.abs(collide.sin(5 * i)), {}
		for k = 1, 7 do
			local angle = (k + 0.5 * collide.sin(7 * i + 3 * k)) * 2 * math.pi / 7
			corners[2 * k - 1], corners[2 * k] = 1.1 * size * collide.cos(angle), size * collide.sin(angle)
		end
		local y = map:heightAt(x) + 0.2 * collide.sin(3 * i)
		solids[#solids + 1] = { shape = d2.polygon(corners), pose = d2.pose(x, y), x = x, y = y }
	end
	for _, s in ipairs(solids) do world:newBody { type = "static", x = s.x, y = s.y, shape = s.shape } end
	start()
	return world
end

function scenario.update(_, tick)
	local w = walker
	if autopilot then
		w.stuck = (w.x >= goal or w.vx < 1.5) and w.stuck + 1 or 0
		press("right", w.x < goal)
		press("jump", w.x < goal and w.stuck > 14)
		if held.jump then jumps, w.stuck = jumps + 1, 0 end
		if w.stuck > 240 then start() end
	end
	walk(scenario.timestep)
	reached, w = reached or walker.x >= goal, walker
	if tick % 6 == 0 and #w.trail < 600 then w.trail[#w.trail + 1] = { w.x, w.y } end
	w.met = {}
	for _, s in ipairs(solids) do
		local gap, nx, ny, px, py = d2.distance(body, d2.pose(w.x, w.y), s.shape, s.pose)
		nearest = math.min(nearest, gap)
		if gap < 2 * skin then w.met[#w.met + 1] = { px, py, nx, ny } end
	end
	if w.y < map:heightAt(w.x) then nearest = -1e9 end -- below the ground; a chain has no inside
	eye.x, eye.y = eye.x + 0.06 * (w.x + 0.4 * w.vx - eye.x), eye.y + 0.05 * (w.y + 0.6 - eye.y)
end

function scenario.camera() return eye end

function scenario.draw(canvas)
	local w, top = walker, map:heightAt(goal)
	for i = 1, #heights - 1 do
		local x = first + i - 1
		canvas.fillPolygon(earth, 0.02, x, -9, x + 1, -9, x + 1, heights[i + 1], x, heights[i])
		canvas.segment(grass, x, heights[i], x + 1, heights[i + 1])
	end
	canvas.segment(grey, goal, top, goal, top + 2.6)
	canvas.solidPolygon(gold, 0, goal, top + 1.8, goal + 1.1, top + 2.2, goal, top + 2.6)
	for _, p in ipairs(w.trail) do canvas.point("#ffc14570", p[1], p[2], 4) end
	canvas.solidCapsule(blue, w.x, w.y - half, w.x, w.y + half, radius)
	canvas.solidCircle("#f2f2f0", w.x + (w.vx < 0 and -0.15 or 0.15), w.y + half, 0.09)
	for _, m in ipairs(w.met) do
		canvas.segment(red, m[1], m[2], m[1] - 0.9 * m[3], m[2] - 0.9 * m[4])
		canvas.point(red, m[1], m[2], 7)
	end
	local hint = autopilot and "autopilot: arrows or a, d, w walk" or "a, d: walk   w: jump   return: anew"
	canvas.label("label", 20, 20, ("%s   speed %.1f\n%s"):format(w.ground > 4 and "on the ground" or "in the air", w.vx, hint))
end

function scenario.check()
	assert(nearest > -1e-3, ("walker: %g deep in a shape"):format(-nearest))
	assert(reached, ("walker: the end was not reached; it is at %.1f, %.1f"):format(walker.x, walker.y))
	assert(nearest < skin + 1e-3 and jumps > 0, "walker: nothing was in the way")
end

return scenario
