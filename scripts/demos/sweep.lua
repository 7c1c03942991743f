-- A convex shape moves from one pose to another, with rotation: when does it hit a second one? Shown are its start and end, the pose at the time of impact
-- with the contact and the normal, the poses that conservative advancement tested on the way, and the end of the cast, which does not rotate. Below: the root
-- of the distance at each iteration, over t.
-- The mouse moves the end; a and d turn it; 1 and 2 change the shapes. Without input for some seconds it moves by itself.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "sweep", duration = 20, theme = "dark", camera = { x = 0, y = -0.6, height = 10.4 } }

local hexagon = {}
for i = 1, 6 do hexagon[2 * i - 1], hexagon[2 * i] = 1.3 * collide.cos(i * math.pi / 3), 1.3 * collide.sin(i * math.pi / 3) end
local shapes = {
	d2.box(2.2, 0.7), d2.polygon(hexagon), d2.polygon({ -0.8, -0.5, 0.9, -0.4, -0.1, 0.9 }, 0.15), d2.capsule(-0.9, 0, 0.9, 0, 0.35),
	d2.circle(0.8), d2.polygon { -1.1, -0.1, 1.1, -0.6, 0.6, 0.7, -0.4, 0.9 },
}
local blue, violet, gold, red, green, grey, faint = "#5a9df0", "#8e6fd6", "#ffc145", "#ff5470", "#37b98b", "#8892a0", "#8892a060"

local sx, sy, start_angle = -6.4, 0.4, -0.6
local x, y, angle, a, b, poseB -- of the end; the shapes
local wanted, untouched, turning, ticks, seen, found -- found: the result that is drawn

local function poseAt(t) return d2.pose(sx + t * (x - sx), sy + t * (y - sy), start_angle + t * (angle - start_angle)) end

local function find()
	local f = {}
	f.state, f.t, f.nx, f.ny, f.px, f.py, f.iterations, f.steps = d2.conservativeAdvancement(
		shapes[a], poseAt(0), poseAt(1), shapes[b], poseB, poseB, { steps = true })
	f.hit, f.cast = d2.cast(shapes[a], poseAt(0), x - sx, y - sy, shapes[b], poseB)
	found = f
end

local function distanceAt(t) return (d2.distance(shapes[a], poseAt(t), shapes[b], poseB)) end

-- The laws: until t they are separate, at t they touch; and no tested time is beyond t.
local function verify()
	local f = found
	for i = 0, f.state == "hit" and 15 or 16 do assert(distanceAt(i / 16 * f.t) > 0, "sweep: they touch before the time") end
	assert(f.state == "hit" or f.state == "separated", "sweep: " .. f.state)
	assert(f.state ~= "hit" or math.abs(distanceAt(f.t)) < 1e-5, "sweep: they do not touch at the time of impact")
	if f.hit then
		local gap = d2.distance(shapes[a], d2.pose(sx + f.cast * (x - sx), sy + f.cast * (y - sy), start_angle), shapes[b], poseB)
		assert(math.abs(gap) < 1e-5, "sweep: they do not touch where the cast stops")
	end
	for i, step in ipairs(f.steps) do
		assert(i == 1 or step.t >= f.steps[i - 1].t and step.t <= f.t, "sweep: an iteration goes back, or too far")
		assert(math.abs(step.distance - distanceAt(step.t)) < 1e-5, "sweep: the distance of an iteration")
	end
	seen[f.state] = (seen[f.state] or 0) + 1
end

function scenario.setup()
	x, y, angle, a, b, poseB = 4, 1, 1.6, 1, 2, d2.pose(1.6, 0, 0.2)
	wanted, untouched, turning, ticks, seen = { x = x, y = y, angle = angle }, 1e9, 0, 0, {}
	find()
	return d2.newWorld {}
end

function scenario.update()
	untouched, wanted.angle = turning == 0 and untouched + 1 or 0, wanted.angle + 0.03 * turning
	if untouched > 300 then
		ticks = ticks + 1
		local phase = ticks / 60
		wanted.x, wanted.y = 3.8 + 2.6 * collide.cos(0.8 * phase), 3.1 * collide.sin(0.8 * phase)
		wanted.angle = 0.9 + 1.5 * collide.sin(0.53 * phase)
		if ticks % 480 == 0 then a, b = a % #shapes + 1, (b + 1) % #shapes + 1 end
	end
	wanted.angle = math.max(start_angle - 3, math.min(start_angle + 3, wanted.angle)) -- it turns the short way
	x, y, angle = x + 0.15 * (wanted.x - x), y + 0.15 * (wanted.y - y), angle + 0.15 * (wanted.angle - angle)
	find()
	if untouched > 300 then verify() end
end

function scenario.mouse(kind, mx, my)
	if kind ~= "moved" and kind ~= "pressed" then return false end
	wanted.x, wanted.y, untouched = mx, my, 0
	return true
end

function scenario.key(name, down)
	if name ~= "a" and name ~= "d" and name ~= "1" and name ~= "2" then return false end
	if name == "a" or name == "d" then turning = down and (name == "a" and 1 or -1) or 0 end
	if down and name == "1" then a = a % #shapes + 1 end
	if down and name == "2" then b = b % #shapes + 1 end
	untouched = 0
	return true
end

local function show(canvas, solid, color, shape, pose)
	local points, px, py, turned = shape:getPoints(), pose:getTransform()
	local c, s, r = collide.cos(turned), collide.sin(turned), shape:getRadius()
	for i = 1, #points, 2 do
		points[i], points[i + 1] = px + c * points[i] - s * points[i + 1], py + s * points[i] + c * points[i + 1]
	end
	local x1, y1, x2, y2 = points[1], points[2], points[3], points[4]
	if #points == 2 then return canvas[solid and "solidCircle" or "circle"](color, x1, y1, r, turned) end
	if #points == 4 then return canvas[solid and "solidCapsule" or "capsule"](color, x1, y1, x2, y2, r) end
	canvas[solid and "solidPolygon" or "polygon"](color, r, (table.unpack or unpack)(points))
end

function scenario.draw(canvas)
	local f, shape = found, shapes[a]
	canvas.segment(faint, sx, sy, x, y)
	show(canvas, true, faint, shape, poseAt(1))
	for _, step in ipairs(f.steps) do show(canvas, false, "#5a9df090", shape, poseAt(step.t)) end
	show(canvas, true, violet, shapes[b], poseB)
	show(canvas, true, faint, shape, poseAt(0))
	show(canvas, true, f.state == "hit" and gold or blue, shape, poseAt(f.t))
	if f.hit then show(canvas, false, green, shape, d2.pose(sx + f.cast * (x - sx), sy + f.cast * (y - sy), start_angle)) end
	if f.state == "hit" then
		canvas.segment(red, f.px, f.py, f.px + f.nx, f.py + f.ny)
		canvas.point(red, f.px, f.py, 9)
	end
	canvas.segment(faint, -6, -5.3, 6, -5.3)
	for i, step in ipairs(f.steps) do
		local px, py = -6 + 12 * step.t, -5.3 + 0.5 * math.sqrt(math.max(0, step.distance))
		canvas.segment(faint, px, -5.3, px, py)
		canvas.point(i == #f.steps and f.state == "hit" and red or blue, px, py, 6)
	end
	canvas.text(grey, -6.9, -5.3, "t = 0")
	canvas.text(grey, 6.15, -5.3, "1")
	canvas.label("label", 20, 20, ("%s   t = %.6f   iterations: %d"):format(f.state, f.t, f.iterations))
	canvas.label(green, 20, 44, f.hit and ("cast, without turning   t = %.6f"):format(f.cast) or "cast, without turning: passes")
	canvas.label(grey, 20, 68, "mouse: the end   a, d: turn it   1, 2: other shapes")
end

function scenario.check()
	assert((seen.hit or 0) > 100 and (seen.separated or 0) > 50, "sweep: too few of a kind")
end

return scenario
