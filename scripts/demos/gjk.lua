-- GJK and EPA step by step. On the left two shapes; on the right, faintly, the difference b - a of their cores, and the origin. GJK looks for the point of
-- the difference nearest to the origin. It shows a simplex of up to three points of the difference (yellow), the simplex's nearest point (green), and the
-- next support point, the farthest in the direction of the origin (white). If the origin is inside, EPA expands a polygon (red) at the edge nearest to the
-- origin, until that is an edge of the difference. One iteration a second.
-- Right and left step by hand; the mouse drags B; a and b change the shapes; return resumes the automatic run: build/host --view.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "gjk", duration = 40, timestep = 1 / 60, theme = "dark", camera = { x = 0, y = 0, height = 10.5 } }

local blue, orange, white, grey, dim, red, green, yellow = -- A's, B's, and others
	"#5a9df0", "#ff8140", "#f2f2f0", "#8892a0", "#454c57", "#ff5470", "#6fe08f", "#f5b82e"
local home_x, origin_x = -5, 3.8 -- A's position, and the x at which the origin of the difference is drawn
local function regular(n, rx, ry)
	local points = {}
	for i = 1, n do points[2 * i - 1], points[2 * i] = rx * collide.cos(i * 2 * math.pi / n), ry * collide.sin(i * 2 * math.pi / n) end
	return d2.polygon(points)
end
local kinds = {
	regular(24, 1.4, 0.8), regular(9, 1.2, 1.2), d2.box(2, 1.3), regular(3, 1.2, 1.2), d2.box(1.8, 1.4, { radius = 0.25 }),
}
local places = { 2.4, 1.6, 0.7, 0.4, -1.8, -1.4, -0.5, 0.6, 2.1, -1.9, 0.4, -0.6 } -- positions of B relative to A: x, y

local world, state, now, worst

-- The support point of the difference in a direction.
local function support(dx, dy)
	local ax, ay = d2.support(now.a, now.poseA, -dx, -dy)
	local bx, by = d2.support(now.b, now.poseB, dx, dy)
	local back = now.radius / math.max(math.sqrt(dx * dx + dy * dy), 1e-30) -- of the cores: without their radii
	return bx - ax - back * dx, by - ay - back * dy
end

-- The result of an iteration: the nearest point of its simplex, or of its polygon's edges, and the distance of that point.
local function look(frame)
	local points, x, y, best, sign = frame.points, 0, 0, math.huge, frame.epa and -1 or 1
	if not frame.epa then
		for i, weight in ipairs(frame.weights) do x, y = x + weight * points[2 * i - 1], y + weight * points[2 * i] end
	else
		for i = 1, #points, 2 do
			local j = (i + 1) % #points + 1
			local ex, ey = points[j] - points[i], points[j + 1] - points[i + 1]
			if ex * points[i + 1] - ey * points[i] > 0 then sign = 1 end -- EPA's first polygons may miss the origin
			local t = math.max(0, math.min(1, -(points[i] * ex + points[i + 1] * ey) / (ex * ex + ey * ey)))
			local px, py = points[i] + t * ex, points[i + 1] + t * ey
			if px * px + py * py < best then
				x, y, best, frame.dx, frame.dy = px, py, px * px + py * py, ey, -ex -- outwards
			end
		end
	end
	frame.x, frame.y, frame.distance = x, y, math.sqrt(x * x + y * y) * sign - now.radius
	if not frame.epa then frame.dx, frame.dy = -x, -y end
end

local function note(difference) worst = math.max(worst, difference) end

-- Runs all iterations and checks the laws: within a method the distance falls with each iteration, and it ends at that of d2.distance.
local function run()
	now = { a = kinds[state.a], b = kinds[state.b], poseA = d2.pose(home_x, 0, 0.3), poseB = d2.pose(state.x, state.y, state.angle) }
	now.radius = now.a:getRadius() + now.b:getRadius()
	local gjk = d2.gjk(now.a, now.poseA, now.b, now.poseB, { steps = true })
	local epa = d2.epa(now.a, now.poseA, now.b, now.poseB, { steps = true })
	local frames, last = {}, math.huge
	for _, simplex in ipairs(gjk.steps) do
		local frame = { points = {}, weights = {} }
		for i, v in ipairs(simplex) do frame.points[2 * i - 1], frame.points[2 * i], frame.weights[i] = v.x, v.y, v.weight end
		frames[#frames + 1] = frame
	end
	for _, polygon in ipairs(epa and epa.iterations > 0 and epa.steps or {}) do -- none if only the radii overlap
		frames[#frames + 1] = { points = polygon, epa = true }
	end
	for i, frame in ipairs(frames) do
		look(frame)
		frame.label = ("%s, iteration %d of %d"):format(frame.epa and "EPA" or "GJK", frame.epa and i - #gjk.steps or i,
			frame.epa and #frames - #gjk.steps or #gjk.steps)
		note(i == #gjk.steps + 1 and 0 or frame.distance - last)
		last = frame.distance
	end
	now.frames, now.gjk, now.distance = frames, gjk, d2.distance(now.a, now.poseA, now.b, now.poseB)
	note(math.abs(gjk.distance - now.distance))
	note(math.abs(last - now.distance))
	note(epa and math.abs(epa.depth + now.distance) or now.distance < -1e-5 and 1 or 0)
	state.step = math.min(state.step, #frames)
end

local function place(number)
	local i = 2 * (number % (#places / 2)) + 1
	state.number, state.step, state.since = number, 1, 0
	state.x, state.y, state.angle = home_x + places[i], places[i + 1], 0.7 * number
	state.a, state.b = number % #kinds + 1, (2 * number + 1) % #kinds + 1
	run()
end

function scenario.setup()
	world = d2.newWorld {}
	state, worst = { auto = true }, 0
	place(0)
	return world
end

function scenario.update()
	state.since = state.since + scenario.timestep
	if state.auto and state.since > (state.step == #now.frames and 2 or 1) then
		state.step, state.since = state.step + 1, 0
		if state.step > #now.frames then place(state.number + 1) end
	end
end

function scenario.key(name, down)
	local by = name == "right" and 1 or name == "left" and -1 or 0
	if by == 0 and name ~= "a" and name ~= "b" and name ~= "return" then return false end
	if down then
		state.auto, state.since = name == "return", 0
		if name == "a" or name == "b" then state[name] = state[name] % #kinds + 1 end
		state.step = math.max(1, state.step + by)
		run()
	end
	return true
end

function scenario.mouse(kind, x, y, button)
	if kind == "pressed" and button == "left" and d2.containsPoint(now.b, now.poseB, x, y) then
		state.auto, state.grip = false, { x - state.x, y - state.y }
	elseif kind == "moved" and state.grip then
		state.x, state.y = x - state.grip[1], y - state.grip[2]
		run()
	elseif state.grip then
		state.grip = nil
	else
		return false
	end
	return true
end

-- A convex shape by its support points in 64 directions, filled transparently.
local function outline(canvas, color, alpha, farthest)
	local points = {}
	for i = 1, 64 do points[2 * i - 1], points[2 * i] = farthest(collide.cos(i * math.pi / 32), collide.sin(i * math.pi / 32)) end
	canvas.fillPolygon(color .. alpha, 0, (table.unpack or unpack)(points))
	canvas.polygon(color, 0, (table.unpack or unpack)(points))
end

function scenario.draw(canvas)
	canvas.segment(dim, origin_x - 4.8, 0, origin_x + 4.8, 0)
	canvas.segment(dim, origin_x, -4.8, origin_x, 4.8)
	outline(canvas, blue, "38", function(x, y) return d2.support(now.a, now.poseA, x, y) end)
	outline(canvas, orange, "38", function(x, y) return d2.support(now.b, now.poseB, x, y) end)
	outline(canvas, dim, "30", function(dx, dy)
		local x, y = support(dx, dy)
		return origin_x + x, y
	end)

	local frame = now.frames[state.step]
	local points, color = {}, frame.epa and red or yellow
	for i = 1, #frame.points, 2 do points[i], points[i + 1] = origin_x + frame.points[i], frame.points[i + 1] end
	if #points >= 6 and #points <= 128 then canvas.fillPolygon(color .. "28", 0, (table.unpack or unpack)(points)) end
	for i = 1, #points, 2 do
		local j = (i + 1) % #points + 1
		canvas.solidCapsule(color, points[i], points[i + 1], points[j], points[j + 1], 0.025)
		canvas.point(color, points[i], points[i + 1], 9)
	end
	local x, y, length = origin_x + frame.x, frame.y, math.sqrt(frame.dx ^ 2 + frame.dy ^ 2)
	canvas.solidCapsule(green, origin_x, 0, x, y, 0.025)
	if length > 1e-6 then -- the direction and its support point, on the line that bounds the difference
		local nx, ny, sx, sy = frame.dx / length, frame.dy / length, support(frame.dx, frame.dy)
		canvas.segment(white, x, y, x + nx, y + ny)
		canvas.segment(white, x + nx, y + ny, x + 0.8 * nx - 0.1 * ny, y + 0.8 * ny + 0.1 * nx)
		canvas.segment(white, x + nx, y + ny, x + 0.8 * nx + 0.1 * ny, y + 0.8 * ny - 0.1 * nx)
		canvas.segment(grey, origin_x + sx - 1.5 * ny, sy + 1.5 * nx, origin_x + sx + 1.5 * ny, sy - 1.5 * nx)
		canvas.circle(white, origin_x + sx, sy, 0.14)
	end
	canvas.point(green, x, y, 9)
	canvas.point(white, origin_x, 0, 11)
	local done = state.step == #now.frames
	if done then
		canvas.solidCapsule(green, now.gjk.ax, now.gjk.ay, now.gjk.bx, now.gjk.by, 0.025)
		canvas.point(blue, now.gjk.ax, now.gjk.ay, 9)
		canvas.point(orange, now.gjk.bx, now.gjk.by, 9)
	end
	canvas.text(blue, home_x, 0, "A")
	canvas.text(orange, state.x, state.y, "B")
	canvas.text(grey, origin_x - 4.8, -4.5, "B - A")
	canvas.label("label", 20, 20, ("%s\ndistance so far  %+.4f%s"):format(frame.label, frame.distance, done and "\ndone" or ""))
end

-- In every run of both methods the distance fell from iteration to iteration, and ended at that of d2.distance.
function scenario.check()
	assert(worst < 1e-5, ("gjk: the distances differ by %g"):format(worst))
end

return scenario
