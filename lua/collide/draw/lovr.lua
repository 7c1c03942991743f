-- A draw target for LÖVR 0.18 and later: pictures of a 3D world for debugging. In lovr.draw, within the transformation of the pass:
--   function lovr.draw(pass) require("collide.draw.lovr").draw(world, pass, { contacts = true }) end
-- Surfaces are lit from above and over the shoulder of one who looks along -z. Overlays (contacts, joints, names ...) are seen through them. A collide world
-- of metres is at LÖVR's scale.

local error, ipairs, pcall, select, tostring, type = error, ipairs, pcall, select, tostring, type
local atan2, cos, max, pi, sin, sqrt = math.atan2 or math.atan, math.cos, math.max, math.pi, math.sin, math.sqrt
local palettes, shared = require "collide.palette", require "collide.draw.shared"

---@type collide.draw.lovr
local target = {}

local milliradian = 1e-3 -- points and text have sizes in pixels: of so much each [rad]
local text_height = 16 -- [pixels]
local lift = 1.005 -- lines about a ball are so many radii from its centre
local light_x, light_y, light_z = 0.4 / sqrt(1.65), 1 / sqrt(1.65), 0.7 / sqrt(1.65)
local most_draws = 60000 -- a pass holds 65,536, some of them the game's; draws beyond are left out

local colors = shared.colors_of(palettes.dark)
local pass, draws = nil, 0

-- Sets the colour, dimmed, for some draws. False: there is no room for them.
local function use(color, brightness, count)
	if draws + count > most_draws then return false end
	draws = draws + count
	local channels = colors[color]
	pass:setColor(channels[1] * brightness, channels[2] * brightness, channels[3] * brightness, channels[4])
	return true
end

---------------------------------------------------------------------------------------------------------------------------------
-- Faces

local function brightness_of(nx, ny, nz)
	return 0.38 + 0.11 * (1 + ny) + 0.45 * max(0, nx * light_x + ny * light_y + nz * light_z)
end

local function face_brightness(x1, y1, z1, x2, y2, z2, x3, y3, z3)
	local ax, ay, az, bx, by, bz = x2 - x1, y2 - y1, z2 - z1, x3 - x1, y3 - y1, z3 - z1
	local nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
	local length = sqrt(nx * nx + ny * ny + nz * nz)
	if length == 0 then return 1 end
	return brightness_of(nx / length, ny / length, nz / length)
end

local loops = {} -- tables that hold the points of closed lines, by their number of coordinates; kept, so that they make no garbage

-- A closed line through the points.
local function draw_loop(...)
	local count = select("#", ...)
	local points = loops[count] or {}
	loops[count] = points
	for i = 1, count do points[i] = select(i, ...) end
	for i = 1, 3 do points[count + i] = points[i] end
	pass:line(points)
end

function target.solidPolygon(color, _, ...)
	local brightness = face_brightness(...)
	if not use(color, brightness, 2) then return end
	pass:polygon(...)
	use(color, brightness * shared.outline_shade, 0)
	draw_loop(...)
end

function target.polygon(color, _, ...)
	if use(color, 1, 1) then draw_loop(...) end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Balls and capsules

local arc_steps = 12 -- of half a circle
local outline = {}

-- Two half circles and the lines between them, in the plane of two unit vectors: about the first point towards -v, about the second towards v. One point is a
-- circle.
local function draw_stadium(x1, y1, z1, x2, y2, z2, radius, ux, uy, uz, vx, vy, vz)
	local at = 0
	for half = 0, 1 do
		for k = 0, arc_steps do
			local c, s = radius * cos(pi * (half + k / arc_steps)), radius * sin(pi * (half + k / arc_steps))
			local x, y, z = x2, y2, z2
			if half == 1 then x, y, z = x1, y1, z1 end
			outline[at + 1], outline[at + 2], outline[at + 3] = x + c * ux + s * vx, y + c * uy + s * vy, z + c * uz + s * vz
			at = at + 3
		end
	end
	outline[at + 1], outline[at + 2], outline[at + 3] = outline[1], outline[2], outline[3]
	pass:line(outline)
end

-- The axes of a unit quaternion's frame.
local function axes_of(x, y, z, w)
	return 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
		2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
		2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)
end

local ball_brightness = brightness_of(0, 0.5, 0) -- LÖVR's own shapes have one colour

local function draw_rings(color, brightness, x, y, z, radius, qx, qy, qz, qw)
	if not use(color, brightness, 2) then return end
	local ux, uy, uz, vx, vy, vz, wx, wy, wz = axes_of(qx or 0, qy or 0, qz or 0, qw or 1)
	draw_stadium(x, y, z, x, y, z, radius, ux, uy, uz, vx, vy, vz)
	draw_stadium(x, y, z, x, y, z, radius, vx, vy, vz, wx, wy, wz)
end

function target.solidCircle(color, x, y, z, radius, qx, qy, qz, qw)
	if not use(color, ball_brightness, 1) then return end
	pass:sphere(x, y, z, radius)
	draw_rings(color, ball_brightness * shared.outline_shade, x, y, z, radius * lift, qx, qy, qz, qw)
end

function target.circle(color, x, y, z, radius, qx, qy, qz, qw)
	draw_rings(color, 1, x, y, z, radius, qx, qy, qz, qw)
end

-- The outlines of a capsule in two planes along it.
local function draw_sides(color, brightness, x1, y1, z1, x2, y2, z2, radius, dx, dy, dz)
	if not use(color, brightness, 2) then return end
	local ux, uy, uz = 0, dz, -dy -- across x
	if dx * dx > 0.5 then ux, uy, uz = -dz, 0, dx end -- across y
	local length = sqrt(ux * ux + uy * uy + uz * uz)
	ux, uy, uz = ux / length, uy / length, uz / length
	draw_stadium(x1, y1, z1, x2, y2, z2, radius, ux, uy, uz, dx, dy, dz)
	draw_stadium(x1, y1, z1, x2, y2, z2, radius, dy * uz - dz * uy, dz * ux - dx * uz, dx * uy - dy * ux, dx, dy, dz)
end

local function draw_capsule(solid, color, x1, y1, z1, x2, y2, z2, radius)
	local dx, dy, dz = x2 - x1, y2 - y1, z2 - z1
	local length = sqrt(dx * dx + dy * dy + dz * dz)
	if length == 0 then return (solid and target.solidCircle or target.circle)(color, x1, y1, z1, radius) end
	dx, dy, dz = dx / length, dy / length, dz / length
	if not solid then return draw_sides(color, 1, x1, y1, z1, x2, y2, z2, radius, dx, dy, dz) end
	if not use(color, ball_brightness, 1) then return end
	-- LÖVR's capsule lies along z: it turns about z cross d.
	local across = sqrt(dx * dx + dy * dy)
	local ax, ay = 1, 0
	if across > 0 then ax, ay = -dy / across, dx / across end
	pass:capsule((x1 + x2) / 2, (y1 + y2) / 2, (z1 + z2) / 2, radius, length, atan2(across, dz), ax, ay, 0)
	draw_sides(color, ball_brightness * shared.outline_shade, x1, y1, z1, x2, y2, z2, radius * lift, dx, dy, dz)
end

function target.solidCapsule(...) draw_capsule(true, ...) end
function target.capsule(...) draw_capsule(false, ...) end

---------------------------------------------------------------------------------------------------------------------------------
-- Lines, points and text

function target.segment(color, x1, y1, z1, x2, y2, z2)
	if use(color, 1, 1) then pass:line(x1, y1, z1, x2, y2, z2) end
end

-- The size of a pixel at this point, and the rotation of the eye.
local function pixel_at(x, y, z)
	local ex, ey, ez, angle, ax, ay, az = pass:getViewPose(1)
	return milliradian * sqrt((x - ex) ^ 2 + (y - ey) ^ 2 + (z - ez) ^ 2), angle, ax, ay, az
end

function target.point(color, x, y, z, size)
	if use(color, 1, 1) then pass:sphere(x, y, z, size / 2 * pixel_at(x, y, z), 0, 0, 1, 0, 8, 4) end
end

function target.text(color, x, y, z, text)
	if not use(color, 1, 1) then return end
	local pixel, angle, ax, ay, az = pixel_at(x, y, z)
	pass:text(shared.text(text), x, y, z, text_height * pixel, angle, ax, ay, az, 0, "left", "middle")
end

---------------------------------------------------------------------------------------------------------------------------------
-- The world

local function polygon_of(value) return value.polygon end

local function is_pass(value)
	local ok, polygon = pcall(polygon_of, value)
	return ok and type(value) ~= "string" and polygon ~= nil
end

function target.setPass(value)
	if not is_pass(value) then error("setPass: the pass must be a Pass of LÖVR 0.18 or later, got " .. tostring(value), 2) end
	pass, draws = value, 0
end

local own, passed = { palette = true }, {}
local overlays = { "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields" }

local none = {}

local function draw(world, options)
	shared.check_world(world, 3)
	options = shared.check_options(options) or none
	shared.check_keys(options, own)
	colors = shared.colors_of(options.palette or palettes.dark)
	shared.split(options, own, passed)
	local some = false
	for _, name in ipairs(overlays) do some = some or passed[name] end
	pass:setShader()
	if passed.shapes ~= false then
		for _, name in ipairs(overlays) do passed[name] = nil end
		pass:setDepthOffset(-1, -1) -- surfaces go away from the eye: their outlines lie on them
		local ok, message = pcall(world.draw, world, target, passed)
		if not ok then error(message, 0) end
	end
	if some then
		shared.split(options, own, passed).shapes = false
		pass:setDepthTest "none"
		local ok, message = pcall(world.draw, world, target, passed)
		if not ok then error(message, 0) end
	end
end

function target.draw(world, value, options)
	if not is_pass(value) then error("draw: the pass must be a Pass of LÖVR 0.18 or later, got " .. tostring(value), 2) end
	target.setPass(value)
	pass:push "state"
	local ok, message = pcall(draw, world, options)
	pass:pop "state"
	if not ok then error(message, 2) end
end

return shared.guardNames(target, "collide.draw.lovr")
