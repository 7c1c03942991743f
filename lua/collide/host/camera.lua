-- The camera of a picture. In 2D: the point in the middle, and the height of the picture in units of length. In 3D: the point in the middle, and the eye at a
-- distance from it, rotated by yaw about "up" and raised by pitch.
-- Up on the picture is opposite to gravity as far as possible: in 2D y points up, or down if gravity's y is positive.

local error, ipairs, math, pairs, select, setmetatable, table, tostring, type, unpack =
	error, ipairs, math, pairs, select, setmetatable, table, tostring, type, unpack or table.unpack
local nearest = require "collide.draw.nearest"
local floor, max, min, huge = math.floor, math.max, math.min, math.huge

local camera = {}
local Camera = {}
Camera.__index = Camera

local default_height = 10 -- for an empty world
local default_fov = 0.8 -- [rad]
local steepest = math.pi / 2 - 1e-4 -- pitch with which up and the view are still two directions [rad]
local lowest = 0.03 -- pitch at which the orbit ends above the ground [rad]
local margin = 1.12 -- size of the picture relative to its content
local smallest_share = 6 -- the picture is at least this many times as high as the smallest dynamic body
-- The static scene around movable bodies is shown as far as the picture is at most so many times as large as all of them, or as the smallest dynamic one.
local scene_shares, floor_shares = { all = 3, smallest = 30 }, { all = 2, smallest = 12 }
local endless = 1e17 -- larger boxes are those of half-planes
local sight = 1000 -- how far a 3D world is seen, in distances of the target
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

-- Whether the box extends beyond the bounds on all sides, across the axis of gravity: a floor, or a landscape.
local function spans(box, bounds, vertical, n)
	for i = 1, n do
		if i ~= vertical and (box[i] > bounds[i] or box[n + i] < bounds[n + i]) then return false end
	end
	return true
end

local function vertical_axis(gravity)
	local axis = 0
	for i, g in ipairs(gravity) do
		if math.abs(g) > math.abs(gravity[axis] or 0) then axis = i end
	end
	return axis
end

-- The bounds of a picture of the whole scene: movable bodies, the ground below, and the static scene around them, as far as the shares allow.
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
	local function room(shares) return max(shares.all * size, shares.smallest * smallest) - size end
	local vertical, near = vertical_axis { world:getGravity() }, grown(bounds, room(floor_shares) / 2, n)
	-- All of the room may be on one side of the bodies; where it is not enough for both sides, each has half.
	for share = 1, 2 do
		local whole, around = grown(bounds, 0, n), grown(bounds, room(scene_shares) / share, n)
		for _, box in ipairs(fixed) do
			local part = common(box, spans(box, near, vertical, n) and near or around, n)
			if part then widen(whole, part, n) end
		end
		if share == 2 or largest_side(whole, n) <= size + room(scene_shares) then return whole, smallest end
	end
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
	local pitch = min(max(self.pitch, -steepest), steepest)
	local cy, sy, cp, sp = math.cos(self.yaw), math.sin(self.yaw), math.cos(pitch), math.sin(pitch)
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

-- The distance from which all corners of the bounds are in the picture, with their middle as the target.
local function fitting_distance(self, bounds, aspect)
	local back, right, above = directions(self)
	local high = math.tan((self.fov > 0 and self.fov or default_fov) / 2)
	local distance = 0
	for corner = 0, 7 do
		local near, x, y = 0, 0, 0
		for i = 1, 3 do
			local half = (bounds[3 + i] - bounds[i]) / 2
			local d = floor(corner / 2 ^ (i - 1)) % 2 == 0 and half or -half
			near, x, y = near + d * back[i], x + d * right[i], y + d * above[i]
		end
		if self.fov == 0 then near = 0 end
		distance = max(distance, near + max(math.abs(x) / aspect, math.abs(y)) / high)
	end
	return distance
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
		self.distance = max(fitting_distance(self, bounds, width / height) * margin, least)
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

-- Other names of a field, in lower case.
local other_names = {
	[2] = { zoom = "height", scale = "height", size = "height", distance = "height", dist = "height", h = "height" },
	[3] = { zoom = "distance", scale = "distance", dist = "distance", height = "distance", target = "x", fieldofview = "fov" },
}

local function check_keys(spec, n)
	for key in pairs(spec) do
		local known = false
		for _, name in ipairs(fields[n]) do known = known or name == key end
		if not known then
			local text = tostring(key)
			local near = other_names[n][text:lower()] or nearest(text, fields[n])
			error(("unknown key '%s' of the camera%s%s"):format(text, checks[key] and (" in %dD"):format(n) or "", near and (", did you mean '%s'?"):format(near)
				or " (there are: " .. table.concat(fields[n], ", ") .. ")"), 0)
		end
	end
end

-- Sets the given fields. Raises if there are others, or if they are not valid numbers for a camera.
function Camera:set(spec)
	if spec == nil then return end
	if type(spec) ~= "table" then error(("the camera must be a table, got %s"):format(tostring(spec)), 0) end
	check_keys(spec, self.dimensions)
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
		local gx, gy, gz = world:getGravity()
		self.up, self.across, self.ahead = frame_of(gx, gy, gz)
		self.grounded = gx ~= 0 or gy ~= 0 or gz ~= 0
		self.yaw, self.pitch, self.fov = 0.6, 0.35, default_fov
		if type(spec) == "table" then self:set { yaw = spec.yaw, pitch = spec.pitch, fov = spec.fov } end
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
		local back, up = directions(self), self.up
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

-- The point of the world at a pixel. In 3D: at a distance from the eye along the view, which is that of the target by default.
function Camera:toWorld(px, py, width, height, depth)
	local unit = visible_height(self) / height
	if self.dimensions == 2 then return self.x + (px - width / 2) * unit, self.y - self.up * (py - height / 2) * unit end
	local back, right, above = directions(self)
	depth = depth or self.distance
	if self.fov > 0 then unit = unit * depth / self.distance end
	local across, up, near = (px - width / 2) * unit, (height / 2 - py) * unit, self.distance - depth
	return self.x + across * right[1] + up * above[1] + near * back[1], self.y + across * right[2] + up * above[2] + near * back[2],
		self.z + across * right[3] + up * above[3] + near * back[3]
end

-- The points of the world at a pixel: the one of a 2D world, or the ends of the ray along which a 3D world is seen.
function Camera:getSight(px, py, width, height)
	if self.dimensions == 2 then return self:toWorld(px, py, width, height) end
	local x, y, z = self:toWorld(px, py, width, height, 0)
	return x, y, z, self:toWorld(px, py, width, height, sight * self.distance)
end

-- The distance of a point from the eye along the view. 3D only.
function Camera:depthOf(x, y, z)
	local back = directions(self)
	return self.distance - (x - self.x) * back[1] - (y - self.y) * back[2] - (z - self.z) * back[3]
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

-- With gravity, the eye stays above the target, and so above the ground. 3D only.
function Camera:orbit(dyaw, dpitch)
	self.yaw = (self.yaw + dyaw) % (2 * math.pi)
	local least = self.grounded and min(lowest, self.pitch) or -math.pi / 2
	self.pitch = min(max(self.pitch + dpitch, least), math.pi / 2)
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

local function grid_step(self)
	return round_distance(visible_height(self) / 6)
end

-- A grid of lines at round distances.
function Camera:drawGround(canvas)
	local step = grid_step(self)
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

-- The scale of the grid: in 2D the coordinates of its lines along the left and the lower edge, in 3D the size of its squares.
function Camera:drawScale(canvas)
	local step = grid_step(self)
	local width, height = canvas.getSize()
	if self.dimensions == 3 then
		local text = ("grid %.14g"):format(step)
		local wide, high = canvas.getTextSize(text)
		canvas.panel("panel", 0, height - high - 6, wide + 12, high + 6)
		canvas.label("scale", 6, height - high - 3, text)
		return
	end
	local x1, y1, x2, y2 = self:getView(width, height)
	local digit, high = canvas.getTextSize "0"
	-- As many lines have a label as leave a digit's width between labels: every one, or every second, fifth, tenth.
	local widest, every = 0, 1
	for x in multiples(x1, x2, step) do widest = math.max(widest, (canvas.getTextSize(("%.14g"):format(x + 0)))) end
	while every * step * width / (x2 - x1) < widest + digit do every = every * (every % 5 == 2 and 2.5 or 2) end
	for x in multiples(x1, x2, every * step) do
		local text, px = ("%.14g"):format(x + 0), self:toScreen(x, 0, width, height) + 4 -- + 0: no -0
		if px + canvas.getTextSize(text) <= width then canvas.label("scale", px, height - high - 2, text) end
	end
	for y in multiples(y1, y2, step) do
		local _, py = self:toScreen(0, y, width, height)
		if py < height - 2 * high - 4 then canvas.label("scale", 4, py + 1, ("%.14g"):format(y + 0)) end
	end
end

return camera
