-- Two convex shapes on the left; on the right all differences b - a of their points, the Minkowski difference. The distance of the origin, a white dot, from
-- it is the distance between the shapes. If the origin is inside, the shapes overlap, and the shortest path out of the difference is the translation that
-- separates B from A. Each edge of the difference has the colour of the shape that it comes from; A's edges are rotated by half a turn.
-- The mouse drags B, or the difference; a and b change the shapes, return resumes the automatic motion: build/host --view.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "minkowski", duration = 12, timestep = 1 / 60, theme = "dark", camera = { x = 0, y = 0, height = 10.5 } }

local blue, orange, white, grey, dim, red, green = -- A's, B's, and others
	"#5a9df0", "#ff8140", "#f2f2f0", "#8892a0", "#454c57", "#ff5470", "#6fe08f"
local home_x, origin_x = -5, 3.8 -- A's position, and the x at which the origin of the difference is drawn
local hexagon = {}
for i = 1, 6 do hexagon[2 * i - 1], hexagon[2 * i] = 1.2 * collide.cos(i * math.pi / 3), 1.2 * collide.sin(i * math.pi / 3) end
local kinds = {
	{ "box", d2.box(2, 1.4) }, { "triangle", d2.polygon { -1, -0.7, 1, -0.7, 0, 1.1 } }, { "hexagon", d2.polygon(hexagon) },
	{ "capsule", d2.capsule(-0.7, 0, 0.7, 0, 0.45) }, { "round box", d2.box(1.8, 1.5, { radius = 0.35 }) }, { "circle", d2.circle(0.8) },
}

local world, state, now, worst

-- The signed distance of a point from a counter-clockwise polygon of any number of corners: < 0 inside.
local function distanceOf(px, py, points)
	local best, inside = math.huge, #points >= 6
	for i = 1, #points, 2 do
		local x, y, j = points[i], points[i + 1], (i + 1) % #points + 1 -- j: the next point
		local ex, ey = points[j] - x, points[j + 1] - y
		local t = math.max(0, math.min(1, ((px - x) * ex + (py - y) * ey) / math.max(ex * ex + ey * ey, 1e-30)))
		best = math.min(best, math.sqrt((x + t * ex - px) ^ 2 + (y + t * ey - py) ^ 2))
		if ex * (py - y) - ey * (px - x) < 0 then inside = false end
	end
	return inside and -best or best
end

local function measure()
	now = { a = kinds[state.a], b = kinds[state.b], poseA = d2.pose(home_x, 0, 0.3), poseB = d2.pose(state.x, state.y, state.angle) }
	local a, b = now.a[2], now.b[2]
	now.points, now.radius = d2.minkowskiDifference(a, now.poseA, b, now.poseB)
	now.distance, now.nx, now.ny, now.ax, now.ay, now.bx, now.by = d2.distance(a, now.poseA, b, now.poseB)
	local of_origin = distanceOf(0, 0, now.points) - now.radius
	local of_nearest = distanceOf(now.distance * now.nx, now.distance * now.ny, now.points) - now.radius -- on the border: 0
	worst = math.max(worst, math.abs(of_origin - now.distance), math.abs(of_nearest))
end

function scenario.setup()
	world = d2.newWorld {}
	state, worst = { a = 1, b = 2, x = home_x + 2.3, y = 0, angle = 0, time = 0, auto = true }, 0
	measure()
	return world
end

function scenario.update()
	if state.auto then
		local t = state.time + scenario.timestep
		state.time, state.angle = t, 0.5 * t
		state.x, state.y = home_x + 2.2 * collide.cos(0.9 * t), 1.7 * collide.sin(1.3 * t)
		local turn = math.floor(t / 3) -- other shapes every 3 s
		state.a, state.b = turn % #kinds + 1, (2 * turn + 1 + math.floor(turn / 6)) % #kinds + 1
	end
	measure()
end

function scenario.key(name, down)
	if name ~= "a" and name ~= "b" and name ~= "return" then return false end
	if down then
		state.auto = name == "return"
		if not state.auto then state[name] = state[name] % #kinds + 1 end
	end
	return true
end

function scenario.mouse(kind, x, y, button)
	local dx, dy = x - origin_x - (state.x - home_x), y - state.y -- from the middle of the difference
	local touched = d2.containsPoint(now.b[2], now.poseB, x, y) or dx * dx + dy * dy < 2.5
	if kind == "pressed" and button == "left" and touched then
		state.auto, state.grip = false, { x - state.x, y - state.y }
	elseif kind == "moved" and state.grip then
		state.x, state.y = x - state.grip[1], y - state.grip[2]
	elseif state.grip then
		state.grip = nil
	else
		return false
	end
	return true
end

-- A convex shape by its support points in 64 directions, filled transparently.
local function outline(canvas, color, support)
	local points = {}
	for i = 1, 64 do points[2 * i - 1], points[2 * i] = support(collide.cos(i * math.pi / 32), collide.sin(i * math.pi / 32)) end
	canvas.fillPolygon(color .. "38", 0, (table.unpack or unpack)(points))
	canvas.polygon(color, 0, (table.unpack or unpack)(points))
end

function scenario.draw(canvas)
	local a, b, poseA, poseB, points, color = now.a[2], now.b[2], now.poseA, now.poseB, now.points, now.distance < 0 and red or green
	canvas.segment(dim, origin_x - 4.8, 0, origin_x + 4.8, 0)
	canvas.segment(dim, origin_x, -4.8, origin_x, 4.8)
	outline(canvas, blue, function(x, y) return d2.support(a, poseA, x, y) end)
	outline(canvas, orange, function(x, y) return d2.support(b, poseB, x, y) end)
	outline(canvas, grey, function(x, y)
		local ax, ay = d2.support(a, poseA, -x, -y)
		local bx, by = d2.support(b, poseB, x, y)
		return origin_x + bx - ax, by - ay
	end)
	for i = 1, #points > 2 and #points or 0, 2 do
		local j = (i + 1) % #points + 1
		local ex, ey = points[j] - points[i], points[j + 1] - points[i + 1]
		local length = math.sqrt(ex * ex + ey * ey)
		local nx, ny = ey / length, -ex / length
		local x, y = origin_x + points[i] + now.radius * nx, points[i + 1] + now.radius * ny
		local x1, y1, x2, y2 = d2.supportVertices(a, poseA, -nx, -ny) -- an edge of A, or a corner
		local t = x2 and math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) / length or 0 -- between 0 and 1 if both shapes have a parallel edge here
		if t > 0.001 then canvas.solidCapsule(blue, x, y, x + t * ex, y + t * ey, 0.03) end
		if t < 0.999 then canvas.solidCapsule(orange, x + t * ex, y + t * ey, x + ex, y + ey, 0.03) end
	end

	local dx, dy = now.distance * now.nx, now.distance * now.ny
	canvas.solidCapsule(color, now.ax, now.ay, now.bx, now.by, 0.03)
	canvas.solidCapsule(color, origin_x, 0, origin_x + dx, dy, 0.03)
	canvas.point(color, origin_x + dx, dy, 9)
	canvas.point(white, origin_x, 0, 11)
	canvas.point(blue, now.ax, now.ay, 9)
	canvas.point(orange, now.bx, now.by, 9)
	local x, y = math.max(now.distance, 0) * now.nx + now.ax, math.max(now.distance, 0) * now.ny + now.ay -- the farther one of the witness points along n
	canvas.segment(white, x, y, x + 1.4 * now.nx, y + 1.4 * now.ny)
	canvas.text(white, x + 1.4 * now.nx, y + 1.4 * now.ny, "n")
	canvas.text(blue, home_x, 0, "A")
	canvas.text(orange, state.x, state.y, "B")
	canvas.text(grey, origin_x - 4.8, -4.5, "B - A")
	canvas.label("label", 20, 20, ("A  %s\nB  %s\n%s  %+.3f"):format(now.a[1], now.b[1],
		now.distance < 0 and "depth" or "distance", now.distance))
end

-- In every frame the origin was as far from the difference as the shapes from each other, and its nearest point was on the border.
function scenario.check()
	assert(worst < 1e-5, ("minkowski: the distances differ by %g"):format(worst))
end

return scenario
