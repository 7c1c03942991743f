-- The camera of a picture. In 2D: the point in the middle, and the height of the picture in units of length. In 3D: the point in the middle, and the eye at a
-- distance from it, rotated by yaw about "up" and raised by pitch.
-- Up on the picture is opposite to gravity as far as possible: in 2D y points up, or down if gravity's y is positive.

local error, ipairs, math, select, setmetatable, tostring, type, unpack =
	error, ipairs, math, select, setmetatable, tostring, type, unpack or table.unpack
local floor, max, min, huge = math.floor, math.max, math.min, math.huge

local camera = {}
local Camera = {}
Camera.__index = Camera

local default_height = 10 -- for an empty world
local default_fov = 0.8 -- [rad]
local margin = 1.12 -- size of the picture relative to its content
local smallest_share = 6 -- the picture is at least this many times as high as the smallest dynamic body
local endless = 1e17 -- larger boxes are those of half-planes
local drop = 40 -- how far down the ground is searched, in sizes of the movable bodies

---------------------------------------------------------------------------------------------------------------------------------
-- Bounds: flat lists of the lower, then the upper corner, as getBox gives them

local function widen(bounds, box, n)
	for i = 1, n do
		bounds[i] = min(bounds[i] or huge, box[i])
		bounds[n + i] = max(bounds[n + i] or -huge, box[n + i])
	end
end

local function grown(bounds, by, n)
	local result = {}
	for i = 1, n do
		result[i], result[n + i] = bounds[i] - by, bounds[n + i] + by
	end
	return result
end

local function largest_side(box, n)
	local side = 0
	for i = 1, n do side = max(side, box[n + i] - box[i]) end
	return side
end

-- The intersection; nil if it is empty.
local function common(a, b, n)
	local result = {}
	for i = 1, n do
		result[i], result[n + i] = max(a[i], b[i]), min(a[n + i], b[n + i])
		if result[i] > result[n + i] then return nil end
	end
	return result
end

-- The box that the body covers as it rotates.
local function sweep(body, box)
	local x, y = body:getCenter()
	local dx, dy = max(x - box[1], box[3] - x), max(y - box[2], box[4] - y)
	return grown({ x, y, x, y }, math.sqrt(dx * dx + dy * dy), 2)
end

-- The collider's box. Far away, where single precision would enlarge it by more than a thousandth of a unit of length, it is computed from the corners of the
-- shape's own box.
local function box_of(body, collider, n)
	local box = { collider:getBox() }
	local far = 0
	for i = 1, 2 * n do far = max(far, math.abs(box[i])) end
	if far < 1e4 or far > endless or n ~= 2 then return box end
	local x1, y1, x2, y2 = collider:getShape():getBox()
	box = {}
	for i = 0, 3 do
		local x, y = body:getWorldPoint(i % 2 == 0 and x1 or x2, i < 2 and y1 or y2)
		widen(box, { x, y, x, y }, 2)
	end
	return box
end

-- The boxes of all colliders of movable or of static bodies, without half-planes, and the size of the smallest dynamic body among them.
local function boxes_of(world, movable, n)
	local boxes, smallest = {}, huge
	for _, body in ipairs(world:getBodies()) do
		if (body:getType() ~= "static") == movable then
			local whole = {}
			for _, collider in ipairs(body:getColliders()) do
				local box = box_of(body, collider, n)
				if largest_side(box, n) < endless then
					boxes[#boxes + 1] = box
					widen(whole, box, n)
				end
			end
			if whole[1] and body:getType() == "dynamic" then
				smallest = min(smallest, largest_side(whole, n))
			elseif whole[1] and n == 2 and body:getAngularVelocity() ~= 0 then
				boxes[#boxes + 1] = sweep(body, whole)
			end
		end
	end
	return boxes, smallest < huge and smallest or 0
end

-- The point of the ground under the middle of the bounds.
local function ground_under(world, bounds, n)
	local gravity, length = { world:getGravity() }, 0
	for i = 1, n do length = length + gravity[i] ^ 2 end
	if length == 0 then return nil end
	local reach = min(drop * max(largest_side(bounds, n), 1e-3), 1e6) / math.sqrt(length)
	local way = {}
	for i = 1, n do
		way[i] = (bounds[i] + bounds[n + i]) / 2
		way[n + i] = way[i] + reach * gravity[i]
	end
	way[2 * n + 1] = { filter = function(collider) return collider:getBody():getType() == "static" end }
	local hit = { world:raycast(unpack(way)) }
	if not hit[1] then return nil end
	local box = {}
	for i = 1, n do
		box[i], box[n + i] = hit[1 + i], hit[1 + i]
	end
	return box
end

-- The bounds of a picture of the whole scene: movable bodies, the static ones around them, and the ground below. Static colliders up to about the same size
-- (the walls of a bin) count within half of that size around; larger ones (a floor, a landscape) within a tenth.
local function bounds_of(world, n)
	local bounds = {}
	local movable, smallest = boxes_of(world, true, n)
	for _, box in ipairs(movable) do widen(bounds, box, n) end
	local fixed = boxes_of(world, false, n)
	if not bounds[1] then
		for _, box in ipairs(fixed) do widen(bounds, box, n) end
		return bounds[1] and bounds, 0
	end
	local ground = ground_under(world, bounds, n)
	if ground then widen(bounds, ground, n) end
	local size = largest_side(bounds, n)
	local around, near = grown(bounds, size / 2, n), grown(bounds, size / 10, n)
	for _, box in ipairs(fixed) do
		local part = common(box, largest_side(box, n) <= 1.5 * size and around or near, n)
		if part then widen(bounds, part, n) end
	end
	return bounds, smallest
end

---------------------------------------------------------------------------------------------------------------------------------
-- Two and three dimensions

-- Directions of a 3D picture: up, and two across it.
local function frame_of(gx, gy, gz)
	local length = math.sqrt(gx * gx + gy * gy + gz * gz)
	local ux, uy, uz = 0, 1, 0
	if length > 0 then ux, uy, uz = -gx / length, -gy / length, -gz / length end
	local ax, ay, az = 1, 0, 0
	if math.abs(ux) > 0.9 then ax, az = 0, 1 end
	local along = ax * ux + ay * uy + az * uz
	ax, ay, az = ax - along * ux, ay - along * uy, az - along * uz
	local size = math.sqrt(ax * ax + ay * ay + az * az)
	ax, ay, az = ax / size, ay / size, az / size
	return { ux, uy, uz }, { ax, ay, az }, { ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux }
end

-- Directions from the target to the eye, to the right of the picture, and upwards on it.
local function directions(self)
	local cy, sy, cp, sp = math.cos(self.yaw), math.sin(self.yaw), math.cos(self.pitch), math.sin(self.pitch)
	local back, right, above = {}, {}, {}
	for i = 1, 3 do
		local u, a, b = self.up[i], self.across[i], self.ahead[i]
		back[i] = cp * (sy * a + cy * b) + sp * u
		right[i] = cy * a - sy * b
		above[i] = cp * u - sp * (sy * a + cy * b)
	end
	return back, right, above
end

-- The height of the picture at the target, in units of length.
local function visible_height(self)
	if self.dimensions == 2 then return self.height end
	return 2 * self.distance * math.tan((self.fov > 0 and self.fov or default_fov) / 2)
end

function Camera:fit(world, width, height)
	local n = self.dimensions
	local bounds, smallest = bounds_of(world, n)
	bounds = bounds or grown({ 0, 0, 0, 0, 0, 0 }, default_height / 2 / margin, n)
	local far = 0
	local names = { "x", "y", "z" }
	for i = 1, n do
		self[names[i]] = (bounds[i] + bounds[n + i]) / 2
		far = max(far, math.abs(bounds[i]), math.abs(bounds[n + i]))
	end
	-- Lower bounds: a minimum, the smallest body, and the rounding of coordinates that far away.
	local least = max(1e-6, smallest * smallest_share, far * 1e-12)
	if n == 2 then
		local w, h = bounds[3] - bounds[1], bounds[4] - bounds[2]
		self.height = max(h * margin, w * margin * height / width, least)
	else
		local radius = 0
		for i = 1, 3 do radius = radius + ((bounds[3 + i] - bounds[i]) / 2) ^ 2 end
		local half = (self.fov > 0 and self.fov or default_fov) / 2
		local narrow = math.atan(math.tan(half) * min(1, width / height))
		self.distance = max(math.sqrt(radius) / math.sin(narrow), least)
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Fields

local checks = {
	x = { -1e15, 1e15 }, y = { -1e15, 1e15 }, z = { -1e15, 1e15 },
	height = { 1e-9, 1e15 }, distance = { 1e-9, 1e15 },
	yaw = { -1e6, 1e6 }, pitch = { -math.pi / 2, math.pi / 2 }, fov = { 0, 3 },
}
local fields = { [2] = { "x", "y", "height" }, [3] = { "x", "y", "z", "distance", "yaw", "pitch", "fov" } }

-- Sets the given fields. Raises if they are not valid numbers for a camera.
function Camera:set(spec)
	if spec == nil then return end
	if type(spec) ~= "table" then error(("the camera must be a table, got %s"):format(tostring(spec)), 0) end
	for _, name in ipairs(fields[self.dimensions]) do
		local value, range = spec[name], checks[name]
		if value ~= nil then
			if type(value) ~= "number" or not (value >= range[1] and value <= range[2]) then
				error(("the camera's %s must be a number between %g and %g, got %s"):format(name, range[1], range[2], tostring(value)), 0)
			end
			self[name] = value
		end
	end
end

-- A camera for pictures of this size [pixels]; fields that `spec` lacks fit the scene.
function camera.new(world, spec, width, height)
	local n = select("#", world:getGravity())
	local self = setmetatable({ dimensions = n }, Camera)
	if n == 2 then
		local _, gy = world:getGravity()
		self.up = gy > 0 and -1 or 1
	else
		self.up, self.across, self.ahead = frame_of(world:getGravity())
		self.yaw, self.pitch, self.fov = 0.6, 0.35, default_fov
		if type(spec) == "table" then self:set { fov = spec.fov } end
	end
	self:fit(world, width, height)
	self:set(spec)
	return self
end

function Camera:apply(canvas)
	if self.dimensions == 2 then
		local _, height = canvas.getSize()
		canvas.setCamera(self.x, self.y, height / self.height, self.up)
	else
		local back, _, up = directions(self)
		canvas.setCamera3(self.x + self.distance * back[1], self.y + self.distance * back[2], self.z + self.distance * back[3],
			self.x, self.y, self.z, up[1], up[2], up[3], self.fov, visible_height(self))
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Pixels and the world

function Camera:getView(width, height)
	if self.dimensions ~= 2 then return nil end
	local h = self.height / 2
	local w = h * width / height
	return self.x - w, self.y - h, self.x + w, self.y + h
end

function Camera:toWorld(px, py, width, height)
	local unit = self.height / height
	return self.x + (px - width / 2) * unit, self.y - self.up * (py - height / 2) * unit
end

function Camera:toScreen(x, y, width, height)
	local scale = height / self.height
	return width / 2 + (x - self.x) * scale, height / 2 - self.up * (y - self.y) * scale
end

-- The scene follows the pointer: by dx to the right, dy down.
function Camera:pan(dx, dy, width, height)
	local unit = visible_height(self) / height
	if self.dimensions == 2 then
		self.x, self.y = self.x - dx * unit, self.y + self.up * dy * unit
		return
	end
	local _, right, above = directions(self)
	self.x = self.x - unit * (dx * right[1] - dy * above[1])
	self.y = self.y - unit * (dx * right[2] - dy * above[2])
	self.z = self.z - unit * (dx * right[3] - dy * above[3])
end

-- Enlarges the scene by the factor; the point under the pixel stays in place (in 2D).
function Camera:zoom(factor, px, py, width, height)
	if self.dimensions == 3 then
		self.distance = min(max(self.distance / factor, 1e-9), 1e15)
		return
	end
	local x, y = self:toWorld(px, py, width, height)
	self.height = min(max(self.height / factor, 1e-9), 1e15)
	local nowX, nowY = self:toWorld(px, py, width, height)
	self.x, self.y = self.x + x - nowX, self.y + y - nowY
end

function Camera:orbit(dyaw, dpitch)
	if self.dimensions == 2 then return end
	self.yaw = (self.yaw + dyaw) % (2 * math.pi)
	self.pitch = min(max(self.pitch + dpitch, -math.pi / 2), math.pi / 2)
end

---------------------------------------------------------------------------------------------------------------------------------
-- The ground

-- The largest of 1, 2, 5, 10, 20, ... that is not above this.
local function round_distance(most)
	local power = 10 ^ floor(math.log(most) / math.log(10))
	local digit = most / power
	return (digit >= 5 and 5 or digit >= 2 and 2 or 1) * power
end

-- The multiples of the step from low to high. None beyond 2^53 steps, where neighbours are the same number.
local function multiples(low, high, step)
	local i, last = math.ceil(low / step) - 1, floor(high / step)
	local countable = max(math.abs(i), math.abs(last)) < 2 ^ 53
	return function()
		i = i + 1
		if countable and i <= last then return i * step end
	end
end

-- A grid of lines at round distances.
function Camera:drawGround(canvas)
	local step = round_distance(visible_height(self) / 6)
	local segment = canvas.segment
	if self.dimensions == 2 then
		local x1, y1, x2, y2 = self:getView(canvas.getSize())
		for x in multiples(x1, x2, step) do segment("grid", x, y1, x, y2) end
		for y in multiples(y1, y2, step) do segment("grid", x1, y, x2, y) end
		return
	end
	-- On the plane through 0 perpendicular to gravity, around the target.
	local a, b, p, q = self.across, self.ahead, 0, 0
	for i, name in ipairs { "x", "y", "z" } do
		p, q = p + self[name] * a[i], q + self[name] * b[i]
	end
	local function line(p1, q1, p2, q2)
		segment("grid", p1 * a[1] + q1 * b[1], p1 * a[2] + q1 * b[2], p1 * a[3] + q1 * b[3],
			p2 * a[1] + q2 * b[1], p2 * a[2] + q2 * b[2], p2 * a[3] + q2 * b[3])
	end
	local reach = 20 * step
	p, q = floor(p / step + 0.5) * step, floor(q / step + 0.5) * step
	for s in multiples(p - reach, p + reach, step) do line(s, q - reach, s, q + reach) end
	for s in multiples(q - reach, q + reach, step) do line(p - reach, s, p + reach, s) end
end

return camera
