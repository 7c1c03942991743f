-- Rooms with thin walls, full of fast bodies: nothing gets out, and no bullet's centre passes through a plate without contact. A world is drawn at random from
-- its number alone, by `distributions`.
local collide, support = require "collide", require "support"
local pi, sqrt, abs, max, min, floor = math.pi, math.sqrt, math.abs, math.max, math.min, math.floor
local unpack = table.unpack or unpack

local distributions = {
	kind = { "room", "room", "room", "room", "piston", "linked", "plates" },
	hertz = { 15, 30, 60, 60, 60, 120 },
	uneven = 0.1, -- chance that steps of 1/60 s alternate with steps of 0.15 to 0.25 s
	substeps = { 1, 2, 4, 4, 4, 8 },
	seconds = 2,
	half = { 1.5, 6 }, -- half extent of the room [m]
	thickness = 0.01, -- of box walls [m]
	walls = { { "box", "segment", "chain", "bumps" }, { "box", "triangle", "mesh", "one-sided", "field", "bumps" } },
	motion = { "static", "static", "static", "moving", "turning" },
	wall_speed = { 1, 20 }, -- of moving walls, and of the corners of turning rooms [m/s]
	size = { 0.03, 0.5 }, -- half extent of a body, log-uniform [m]
	count = { 1, 40 }, -- of bodies
	filled = 0.25, -- most of the room's volume that the bodies' bounding balls fill
	speed = { 1, 400 }, -- log-uniform [m/s]
	linked_speed = { 1, 50 }, -- of jointed groups [m/s]
	spin = { 0, 240 }, -- [rad/s]
	unlimited = 0.3, -- chance that maximumAngularSpeed does not limit
	bullet = 0.3, -- chance
	throw = 20, -- steps between throws of a body
}

-- How far x lies outside the box; negative inside.
local function outside(p, half)
	local most = -math.huge
	for k = 1, #p do most = max(most, abs(p[k]) - half) end
	return most
end

local function draws(seed)
	local number, choice = support.random_numbers((seed * 48271 + 11) % 2147483646 + 1)
	for _ = 1, 5 do number(0, 1) end
	local draw = { number = number, choice = choice }
	function draw.of(list) return list[choice(#list)] end
	function draw.between(pair) return number(pair[1], pair[2]) end
	function draw.log(pair) return pair[1] * (pair[2] / pair[1]) ^ number(0, 1) end
	function draw.chance(part) return number(0, 1) < part end
	-- A uniformly distributed unit vector.
	function draw.direction(n)
		local v, square
		repeat
			v, square = {}, 0
			for k = 1, n do
				v[k] = number(-1, 1)
				square = square + v[k] ^ 2
			end
		until square > 0.01 and square <= 1
		for k = 1, n do v[k] = v[k] / sqrt(square) end
		return v
	end
	return draw
end

local function scaled(v, s)
	local result = {}
	for k = 1, #v do result[k] = v[k] * s end
	return result
end

-- --- Bodies --------------------------------------------------------------------------------------------------------------------

-- Convex shapes of radius about `r` around their middle.
local convex = {
	[2] = {
		function(d, n, r) return d.circle(r) end,
		function(d, n, r) return d.capsule(-0.7 * r, 0, 0.7 * r, 0, 0.3 * r) end,
		function(d, n, r) return d.box(1.4 * r, 1.4 * r) end,
		function(d, n, r) return d.box(2 * r, n(0.02, 0.3) * r) end,
		function(d, n, r) return d.polygon { n(-1, -0.3) * r, -0.5 * r, n(0.3, 1) * r, n(-0.5, 0) * r, n(-0.3, 0.3) * r, n(0.3, 1) * r } end,
		function(d, n, r) return d.polygon({ -0.6 * r, -0.4 * r, 0.6 * r, -0.4 * r, n(-0.3, 0.3) * r, 0.6 * r }, 0.2 * r) end,
		function(d, n, r) return d.ellipse(r, n(0.2, 0.9) * r) end,
		function(d, n, r) return d.ellipse(r, max(0.001, n(0.004, 0.03) * r)) end,
	},
	[3] = {
		function(d, n, r) return d.sphere(r) end,
		function(d, n, r) return d.capsule(-0.7 * r, 0, 0, 0.7 * r, 0, 0, 0.3 * r) end,
		function(d, n, r) return d.box(1.2 * r, 1.2 * r, 1.2 * r) end,
		function(d, n, r) return d.box(1.4 * r, n(0.02, 0.2) * r, 1.4 * r) end,
		function(d, n, r) return d.box(2 * r, n(0.02, 0.2) * r, n(0.02, 0.2) * r) end,
		function(d, n, r) return d.box(1.2 * r, 0.8 * r, 0.6 * r, { radius = 0.1 * r }) end,
		function(d, n, r) return d.cylinder(n(0.1, 0.8) * r, n(0.1, 1.2) * r) end,
		function(d, n, r) return d.cone(n(0.3, 0.8) * r, n(0.4, 1.2) * r) end,
		function(d, n, r) return d.taperedCapsule(-0.6 * r, 0, 0, 0.4 * r, 0.6 * r, 0, 0, n(0.1, 0.3) * r) end,
		function(d, n, r) return d.ellipsoid(r, n(0.2, 0.9) * r, n(0.2, 0.9) * r) end,
		function(d, n, r) return d.ellipsoid(r, max(0.001, n(0.004, 0.03) * r), n(0.3, 0.9) * r) end,
		function(d, n, r)
			local points = {}
			for i = 1, 24 do points[i] = n(-0.6, 0.6) * r end
			return d.hull(points)
		end,
	},
}

-- Bodies of several shapes: L, T, dumbbell, cross.
local compounds = {
	[2] = {
		function(d, n, r) return { d.box(1.4 * r, 0.3 * r, { y = -0.5 * r }), d.box(0.3 * r, 1.2 * r, { x = -0.5 * r }) } end,
		function(d, n, r) return { d.box(1.6 * r, 0.1 * r, { y = 0.5 * r }), d.box(0.1 * r, 1.2 * r) } end,
		function(d, n, r) return { d.circle(0.4 * r, -0.6 * r, 0), d.circle(0.4 * r, 0.6 * r, 0) } end,
		function(d, n, r) return { d.box(1.8 * r, 0.1 * r), d.box(0.1 * r, 1.8 * r) } end,
	},
	[3] = {
		function(d, n, r) return { d.box(1.2 * r, 0.3 * r, 0.3 * r, { y = -0.5 * r }), d.box(0.3 * r, 1.2 * r, 0.3 * r, { x = -0.5 * r }) } end,
		function(d, n, r) return { d.box(1.4 * r, 0.1 * r, 0.6 * r, { y = 0.5 * r }), d.box(0.1 * r, 1.2 * r, 0.6 * r) } end,
		function(d, n, r) return { d.sphere(0.4 * r, -0.6 * r, 0, 0), d.sphere(0.4 * r, 0.6 * r, 0, 0) } end,
		function(d, n, r)
			local a, b = d.box(1.8 * r, 0.1 * r, 0.1 * r), d.box(0.1 * r, 1.8 * r, 0.1 * r)
			return { d.compound { a, b, d.box(0.1 * r, 0.1 * r, 1.8 * r) } }
		end,
	},
}

local function turned(w, draw, options)
	if w.n == 2 then options.angle = draw.number(-pi, pi) else options.rotation = { unpack(draw.direction(4)) } end
	return options
end

local function throw(w, draw, entry)
	local v = scaled(draw.direction(w.n), draw.log(entry.linked and distributions.linked_speed or distributions.speed))
	entry.body:setLinearVelocity(unpack(v))
	if entry.linked then return end
	local spin = draw.between(distributions.spin)
	if w.n == 2 then
		entry.body:setAngularVelocity(draw.chance(0.5) and spin or -spin)
	else
		entry.body:setAngularVelocity(unpack(scaled(draw.direction(3), spin)))
	end
end

local function new_body(w, draw, at, r, options)
	local n, options = draw.number, options or {}
	local entry = { reach = r }
	options.position = at
	options.bullet = options.bullet or draw.chance(distributions.bullet)
	options.restitution, options.friction, options.density = draw.of { 0, 0.3, 0.7, 1 }, n(0, 1), draw.log { 0.1, 10 }
	if not options.shape and draw.chance(0.25) then
		entry.kind = draw.choice(#compounds[w.n])
		options.shapes = {}
		for i, shape in ipairs(compounds[w.n][entry.kind](w.d, n, r)) do options.shapes[i] = { shape = shape, density = options.density, restitution = options.restitution, friction = options.friction } end
		options.restitution, options.friction, options.density = nil, nil, nil
		entry.compound, entry.kind = true, "compound " .. entry.kind
	elseif not options.shape then
		options.shape = draw.of(convex[w.n])(w.d, n, r)
		entry.kind = options.shape:getType()
	end
	entry.body = w.world:newBody(turned(w, draw, options))
	entry.kind = (options.bullet and "bullet " or "") .. (entry.kind or "plate")
	w.bodies[#w.bodies + 1] = entry
	return entry
end

-- Places so many bodies, without overlap, on a grid from `low` to `high`.
local function fill(w, draw, low, high, make)
	local count, volume = floor(draw.between(distributions.count) + 0.5), 1
	for k = 1, w.n do volume = volume * (high[k] - low[k]) end
	local ball = w.n == 2 and pi or 4 / 3 * pi
	local narrow = math.huge
	for k = 1, w.n do narrow = min(narrow, high[k] - low[k]) end
	local r = min(draw.log(distributions.size), 0.2 * narrow)
	count = max(1, min(count, floor(distributions.filled * volume / (ball * r ^ w.n))))
	local cells, places = {}, {}
	for k = 1, w.n do cells[k] = max(1, floor((high[k] - low[k]) / (2.2 * r))) end
	for i = 0, cells[1] - 1 do
		for j = 0, cells[2] - 1 do
			for m = 0, (cells[3] or 1) - 1 do
				if #places >= 20000 then break end
				local p = { i, j, w.n == 3 and m or nil }
				for k = 1, w.n do p[k] = low[k] + (p[k] + 0.5) * (high[k] - low[k]) / cells[k] end
				places[#places + 1] = p
			end
		end
	end
	for _ = 1, min(count, #places) do
		local i = draw.choice(#places)
		local at = places[i]
		places[i] = places[#places]
		places[#places] = nil
		make(at, r)
	end
end

-- --- Rooms ---------------------------------------------------------------------------------------------------------------------

-- Heights of bumps on a wall, at the points of a regular grid; 0 at the border.
local function bump_heights(draw, cells, most, flat)
	local heights = {}
	for i = 0, cells do
		for k = 0, flat and 0 or cells do
			local edge = i == 0 or i == cells or (not flat and (k == 0 or k == cells))
			heights[k * (cells + 1) + i] = edge and 0 or draw.number(0, most)
		end
	end
	return heights
end

-- The point at u, v along, and h above, the wall with normal s along axis k; in the room's frame.
local function wall_point(w, k, s, u, v, h)
	local p = {}
	p[k] = s * (h - w.half)
	p[k % w.n + 1] = u
	if w.n == 3 then p[(k + 1) % 3 + 1] = v end
	return p
end

local function box_walls(w)
	local d, h, t, list = w.d, w.half, distributions.thickness, {}
	for k = 1, w.n do
		for s = -1, 1, 2 do
			local size, at = {}, { 0, 0, 0 }
			for i = 1, w.n do size[i] = i == k and t or 2 * h + 2 * t end
			at[k] = -s * (h + 0.5 * t)
			list[#list + 1] = w.n == 2 and d.box(size[1], size[2], { x = at[1], y = at[2] })
				or d.box(size[1], size[2], size[3], { x = at[1], y = at[2], z = at[3] })
		end
	end
	return list
end

local function plane_walls(w, draw)
	local d, h, cells = w.d, w.half, w.wall == "bumps" and 6 or draw.of { 1, 4 }
	local most, step, list = w.wall == "bumps" and 0.4 * 2 * h / cells or 0, 2 * h / cells, {}
	w.cells, w.step, w.bumps = cells, step, {}
	local loop = {}
	-- The room's loop runs clockwise, so it is solid outside.
	for _, side in ipairs { { 1, 1 }, { 2, -1 }, { 1, -1 }, { 2, 1 } } do
		local k, s = side[1], side[2]
		local heights = bump_heights(draw, cells, most, true)
		w.bumps[k * s] = heights
		local along = (k == 1 and s == 1 or k == 2 and s == -1) and 1 or -1
		for i = along > 0 and 0 or cells, along > 0 and cells - 1 or 1, along do
			local p = wall_point(w, k, s, -h + i * step, nil, heights[i])
			loop[#loop + 1], loop[#loop + 2] = p[1], p[2]
		end
	end
	if w.wall == "segment" then
		for i = 1, #loop, 2 do
			local j = i + 2 <= #loop and i + 2 or 1
			list[#list + 1] = d.segment(loop[i], loop[i + 1], loop[j], loop[j + 1])
		end
	else
		list[1] = d.chain(loop, { loop = true })
	end
	return list
end

local function space_walls(w, draw)
	local d, h, cells = w.d, w.half, w.wall == "bumps" and 5 or draw.of { 1, 4 }
	local most, step, list = w.wall == "bumps" and 0.4 * 2 * h / cells or 0, 2 * h / cells, {}
	w.cells, w.step, w.bumps = cells, step, {}
	local vertices, indices = {}, {}
	for k = 1, 3 do
		for s = -1, 1, 2 do
			local heights, base = bump_heights(draw, cells, most), #vertices / 3
			w.bumps[k * s] = heights
			for j = 0, cells do
				for i = 0, cells do
					local p = wall_point(w, k, s, -h + i * step, -h + j * step, heights[j * (cells + 1) + i])
					vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = p[1], p[2], p[3]
				end
			end
			for j = 0, cells - 1 do
				for i = 0, cells - 1 do
					local a = base + j * (cells + 1) + i + 1
					local b, c, e = a + 1, a + cells + 1, a + cells + 2
					local quad = s > 0 and { a, b, e, a, e, c } or { a, e, b, a, c, e }
					for n = 1, 6 do indices[#indices + 1] = quad[n] end
				end
			end
		end
	end
	if w.wall ~= "triangle" then return { d.mesh(vertices, indices, { oneSided = w.wall == "one-sided" }) } end
	for i = 1, #indices, 3 do
		local corners = {}
		for c = 0, 2 do
			for k = 1, 3 do corners[#corners + 1] = vertices[3 * (indices[i + c] - 1) + k] end
		end
		list[#list + 1] = d.triangle(unpack(corners))
	end
	return list
end

-- A height field's heights are along its y: each wall is a body, turned so that its y is the wall's normal.
local function field_bodies(w, draw, type)
	local d, h, cells = w.d, w.half, draw.of { 1, 4 }
	local root = sqrt(0.5)
	local bodies = {}
	for _, place in ipairs { { 0, -h, 0, 0, 0, 0, 1 }, { 0, h, 0, 1, 0, 0, 0 }, { -h, 0, 0, 0, 0, -root, root }, { h, 0, 0, 0, 0, root, root },
		{ 0, 0, -h, root, 0, 0, root }, { 0, 0, h, -root, 0, 0, root } } do
		local heights = {}
		for i = 1, (cells + 1) ^ 2 do heights[i] = 0 end
		local step = 2 * h / cells
		bodies[#bodies + 1] = w.world:newBody { type = type, x = place[1], y = place[2], z = place[3], rotation = { place[4], place[5], place[6], place[7] },
			shape = d.heightField { heights = heights, columns = cells + 1, rows = cells + 1, cellWidth = step, cellDepth = step, x = -h, z = -h, oneSided = draw.chance(0.5) } }
	end
	return bodies
end

-- The depth of a point of the room below the bumps of its walls, at most.
local function behind_bumps(w, p)
	local most = -math.huge
	local cells, step, h = w.cells, w.step, w.half
	for k = 1, w.n do
		for s = -1, 1, 2 do
			local heights = w.bumps[k * s]
			local u = min(cells, max(0, (p[k % w.n + 1] + h) / step))
			local i = min(cells - 1, floor(u))
			u = u - i
			local height
			if w.n == 2 then
				height = (1 - u) * heights[i] + u * heights[i + 1]
			else
				local v = min(cells, max(0, (p[(k + 1) % 3 + 1] + h) / step))
				local j = min(cells - 1, floor(v))
				v = v - j
				local a, b = heights[j * (cells + 1) + i], heights[j * (cells + 1) + i + 1]
				local c, e = heights[(j + 1) * (cells + 1) + i], heights[(j + 1) * (cells + 1) + i + 1]
				height = u > v and a + u * (b - a) + v * (e - b) or a + v * (c - a) + u * (e - c)
			end
			most = max(most, height - (s * p[k] + h))
		end
	end
	return most
end

local function new_room(w, draw)
	w.wall, w.motion = draw.of(distributions.walls[w.n - 1]), draw.of(distributions.motion)
	if w.wall == "field" and w.motion == "turning" then w.motion = "moving" end
	local type = w.motion == "static" and "static" or "kinematic"
	if w.wall == "field" then
		w.rooms = field_bodies(w, draw, type)
		return
	end
	local shapes = w.wall == "box" and box_walls(w) or w.n == 2 and plane_walls(w, draw) or w.n == 3 and space_walls(w, draw)
	local colliders = {}
	for i, shape in ipairs(shapes) do colliders[i] = { shape = shape, friction = draw.number(0, 1), restitution = draw.of { 0, 0, 0.5, 1 } } end
	w.rooms = { w.world:newBody { type = type, shapes = colliders } }
end

-- Back and forth along a line, or around an axis, reversed every second.
local function start_motion(w, draw)
	if w.motion == "moving" then
		local speed, rate, way = draw.between(distributions.wall_speed), draw.log { 1, 15 }, draw.direction(w.n)
		w.move = function(t)
			local v = scaled(way, speed * math.cos(rate * t))
			for _, room in ipairs(w.rooms) do room:setLinearVelocity(unpack(v)) end
		end
	elseif w.motion == "turning" then
		local rate = draw.between(distributions.wall_speed) / (w.half * sqrt(w.n))
		local axis = w.n == 3 and draw.direction(3)
		w.move = function(t)
			local s = floor(t) % 2 == 0 and rate or -rate
			if axis then w.rooms[1]:setAngularVelocity(unpack(scaled(axis, s))) else w.rooms[1]:setAngularVelocity(s) end
		end
	end
end

local function in_room(w, center)
	if #w.rooms == 1 then return { w.rooms[1]:getLocalPoint(unpack(center)) } end
	local at = { w.rooms[1]:getPosition() } -- floor of a room of height fields, which does not turn
	return { center[1] - at[1], center[2] - at[2] - w.half, center[3] - at[3] }
end

-- How far the body's centre of mass is out of the room, beyond the thickness of its walls.
local function out_of_room(w, entry)
	local p = in_room(w, { entry.body:getCenter() })
	local out = outside(p, w.half + distributions.thickness)
	-- A body that is not convex may straddle a bump, with its centre below the surface.
	if w.wall == "bumps" and not entry.compound and not entry.linked then out = max(out, behind_bumps(w, p) - distributions.thickness) end
	return out
end

-- The point in the pose's frame.
local function in_frame(pose, p)
	local t = { pose:getTransform() }
	if #p == 2 then
		local x, y, c, s = p[1] - t[1], p[2] - t[2], math.cos(t[3]), math.sin(t[3])
		return { c * x + s * y, c * y - s * x }
	end
	local x, y, z, qx, qy, qz, qw = p[1] - t[1], p[2] - t[2], p[3] - t[3], -t[4], -t[5], -t[6], t[7]
	local ux, uy, uz = 2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)
	return { x + qw * ux + qy * uz - qz * uy, y + qw * uy + qz * ux - qx * uz, z + qw * uz + qx * uy - qy * ux }
end

local kinds = {}

function kinds.room(w, draw)
	new_room(w, draw)
	local gap = w.wall == "bumps" and 0.35 * w.half or 0.01 * w.half
	local low, high = {}, {}
	for k = 1, w.n do low[k], high[k] = gap - w.half, w.half - gap end
	fill(w, draw, low, high, function(at, r) throw(w, draw, new_body(w, draw, at, r)) end)
	start_motion(w, draw)
	w.out = out_of_room
end

-- A plate moves back and forth at wall speed. It leaves free at least three times the volume of the bodies' bounding balls.
function kinds.piston(w, draw)
	w.wall, w.motion = "box", "static"
	w.rooms = { w.world:newBody { type = "static", shapes = (function()
		local colliders = {}
		for i, shape in ipairs(box_walls(w)) do colliders[i] = { shape = shape } end
		return colliders
	end)() } }
	local size, h, t = {}, w.half, distributions.thickness
	for k = 1, w.n do size[k] = k == 1 and t or 2 * h + 2 * t end
	local kind = draw.of(w.n == 2 and { "box", "segment", "chain" } or { "box", "mesh", "one-sided" })
	local shape
	if kind == "box" then
		shape = w.d.box(unpack(size))
	elseif w.n == 2 then
		shape = kind == "segment" and w.d.segment(0, -h - t, 0, h + t) or w.d.chain { 0, -h - t, 0, h + t }
	else
		local e = h + t
		shape = w.d.mesh({ 0, -e, -e, 0, e, -e, 0, e, e, 0, -e, e }, { 1, 2, 3, 1, 3, 4 }, { oneSided = kind == "one-sided" })
	end
	w.wall, w.motion = "piston of " .. kind, "moving"
	local plate = w.world:newBody { type = "kinematic", x = -h, shape = shape }
	local low, high = {}, {}
	for k = 1, w.n do low[k], high[k] = 0.01 * h - h, 0.99 * h end
	low[1] = 0.05 * h
	fill(w, draw, low, high, function(at, r) throw(w, draw, new_body(w, draw, at, r)) end)
	local speed = draw.between { 5, 20 }
	-- From -0.9 to 0 of the half extent, and back.
	w.move = function(t_now)
		local phase = (t_now * speed / (0.9 * h)) % 2
		local x = plate:getPosition()
		local wanted = -0.9 * h + 0.9 * h * (phase < 1 and phase or 2 - phase)
		if t_now == 0 then plate:setPosition(unpack { -0.9 * h, 0, w.n == 3 and 0 or nil }) x = -0.9 * h end
		plate:setLinearVelocity(unpack { (wanted - x) / w.next_dt, 0, w.n == 3 and 0 or nil })
	end
	w.out = function(_, entry)
		local p = { entry.body:getCenter() }
		return max(outside(p, h + t), plate:getPosition() - t - p[1])
	end
end

-- Chains and stars of jointed bodies.
function kinds.linked(w, draw)
	new_room(w, draw)
	local r = min(draw.log { 0.05, 0.3 }, 0.12 * w.half)
	local groups = draw.choice(4)
	for g = 1, groups do
		local count, before = 1 + draw.choice(5), nil
		local y = -0.6 * w.half + 1.2 * w.half * (g - 0.5) / groups
		for i = 1, count do
			local x = 2 * r * (i - 0.5 * (count + 1))
			local at = { x, y, w.n == 3 and 0 or nil }
			local shape = w.n == 2 and draw.of { w.d.box(2 * r, 0.5 * r), w.d.capsule(-0.8 * r, 0, 0.8 * r, 0, 0.2 * r), w.d.circle(0.8 * r) }
				or draw.of { w.d.box(2 * r, 0.5 * r, 0.5 * r), w.d.capsule(-0.8 * r, 0, 0, 0.8 * r, 0, 0, 0.2 * r), w.d.sphere(0.8 * r),
					w.d.taperedCapsule(-0.7 * r, 0, 0, 0.3 * r, 0.8 * r, 0, 0, 0.2 * r) }
			local body = w.world:newBody { position = at, shape = shape, friction = draw.number(0, 1), restitution = draw.of { 0, 0, 0.5 }, bullet = draw.chance(distributions.bullet) }
			local entry = { body = body, reach = r, linked = true, kind = (body:isBullet() and "bullet " or "") .. "linked " .. shape:getType() }
			w.bodies[#w.bodies + 1] = entry
			if before then
				local options = { bodyA = before, bodyB = body, x = x - r, y = y }
				if w.n == 3 then options.z = 0 end
				local make = w.n == 3 and draw.chance(0.5) and w.world.newSphericalJoint or w.world.newRevoluteJoint
				make(w.world, options)
			end
			before = body
		end
	end
	for _, entry in ipairs(w.bodies) do throw(w, draw, entry) end
	start_motion(w, draw)
	w.out = out_of_room
end

-- Parts of a step for the test of passing a plate. A bullet that moves 100 m while the plate makes half a turn stays within 2 cm of its chord over one part.
local PARTS = 64

-- Bullets against floating plates: a bullet is out if it passed a plate without contact.
function kinds.plates(w, draw)
	w.wall, w.motion = "plates", "moving"
	w.plates = {}
	local spacing, wide = draw.number(0.5, 3), draw.number(1, 4)
	for i = 1, draw.choice(5) do
		local size = { distributions.thickness, wide, wide }
		local plate = w.world:newBody { x = 6 + spacing * i, shape = w.d.box(size[1], size[2], w.n == 3 and size[3] or nil), density = draw.log { 1, 100 } }
		local v = scaled(draw.direction(w.n), draw.number(0, 10))
		plate:setLinearVelocity(unpack(v))
		if draw.chance(0.5) then
			if w.n == 2 then plate:setAngularVelocity(draw.number(-10, 10)) else plate:setAngularVelocity(unpack(scaled(draw.direction(3), draw.number(0, 10)))) end
		end
		w.plates[i] = { body = plate, wide = wide, touched = {} }
	end
	local low, high = { -4, -0.5 * wide, -0.5 * wide }, { 4, 0.5 * wide, 0.5 * wide }
	fill(w, draw, low, high, function(at, r)
		local entry = new_body(w, draw, at, min(r, 0.15), { bullet = true })
		local way = scaled(draw.direction(w.n), 0.2)
		way[1] = way[1] + 1
		entry.body:setLinearVelocity(unpack(scaled(way, draw.log { 20, 400 })))
		local spin = draw.between(distributions.spin)
		if w.n == 2 then entry.body:setAngularVelocity(spin) else entry.body:setAngularVelocity(unpack(scaled(draw.direction(3), spin))) end
	end)
	w.never_thrown = true
	-- Between two steps a plate moves straight and turns. A bullet's centre moves straight unless the bullet hits another body: then its path is unknown.
	local function goes_straight(entry, from, to, dt)
		local v, off, way = entry.velocity, 0, 0
		for k = 1, w.n do
			off = off + (to[k] - from[k] - v[k] * dt) ^ 2
			way = way + (v[k] * dt) ^ 2
		end
		return off < (0.02 ^ 2) * way
	end
	-- The plate's pose at each part of a step: linear, with the shorter turn, if its angular velocity at both ends is too small for half a turn. In 2D also
	-- beyond that, if the angular velocity stayed the same. Else unknown: nil.
	local function places_between(plate, place, dt)
		local pose, before, after = plate.pose, plate.spin, { plate.body:getAngularVelocity() }
		local places, square_before, square_after = {}, 0, 0
		for k = 1, #after do square_before, square_after = square_before + before[k] ^ 2, square_after + after[k] ^ 2 end
		local far = max(square_before, square_after) * dt ^ 2 > (0.5 * pi) ^ 2
		if far and (w.n == 3 or abs(before[1] - after[1]) * dt > 0.1) then return nil end
		local x, y, angle = pose:getTransform()
		local x1, y1 = place:getTransform()
		for i = 0, PARTS do
			local u = i / PARTS
			places[i] = far and w.d.pose(x + u * (x1 - x), y + u * (y1 - y), angle + u * after[1] * dt) or pose:interpolate(place, u)
		end
		return places
	end
	-- Whether the point passes through the plate, in the plate's frame.
	local function goes_through(plate, from, to, places)
		local before
		for i = 0, PARTS do
			local u, at, p = i / PARTS, {}, nil
			for k = 1, w.n do at[k] = from[k] + u * (to[k] - from[k]) end
			p = in_frame(places[i], at)
			if before and before[1] * p[1] < 0 then
				local v, inside = before[1] / (before[1] - p[1]), true
				for k = 2, w.n do inside = inside and abs(before[k] + v * (p[k] - before[k])) < 0.5 * plate.wide - 0.02 end
				if inside then return true end
			end
			before = p
		end
		return false
	end
	w.after = function()
		for a, b in w.world:beginContacts() do
			local p, q = a:getBody(), b:getBody()
			for _, plate in ipairs(w.plates) do
				if p == plate.body then plate.touched[q] = true elseif q == plate.body then plate.touched[p] = true end
			end
		end
		for _, plate in ipairs(w.plates) do
			local place = w.d.pose(plate.body:getTransform())
			local places = plate.pose and places_between(plate, place, w.next_dt)
			for _, entry in ipairs(w.bodies) do
				local from, to = entry.center, { entry.body:getCenter() }
				if entry.passed == plate and not plate.touched[entry.body] then entry.through = true end
				-- A bullet that has its contact in the next step had it, in time, on the far side.
				if places and not plate.touched[entry.body] and goes_straight(entry, from, to, w.next_dt) and goes_through(plate, from, to, places) then entry.passed = plate end
			end
			plate.pose, plate.spin = place, { plate.body:getAngularVelocity() }
		end
		for _, entry in ipairs(w.bodies) do entry.center, entry.velocity = { entry.body:getCenter() }, { entry.body:getLinearVelocity() } end
	end
	w.out = function(_, entry) return entry.through and 1 or -1 end
end

-- --- Runs ----------------------------------------------------------------------------------------------------------------------

local function new_world(n, number, kind_alone, apart)
	local draw = draws(2 * number + n)
	local kind = draw.of(distributions.kind)
	local w = { n = n, d = collide["d" .. n], kind = kind, bodies = {}, half = draw.between(distributions.half), number = number }
	w.hertz, w.uneven = draw.of(distributions.hertz), draw.chance(distributions.uneven)
	local gravity = draw.chance(0.5) and -10 or 0
	w.world = w.d.newWorld { gravity = n == 2 and { 0, gravity } or { 0, gravity, 0 }, substeps = draw.of(distributions.substeps),
		maximumAngularSpeed = draw.chance(distributions.unlimited) and 1e5 or nil, bulletsHitBullets = not apart }
	if kind_alone and kind ~= kind_alone then return w end
	kinds[kind](w, draw)
	w.draw = draw
	return w
end

-- Runs a world; given `kind_alone`, worlds of other kinds return nothing. apart: its bullets do not stop at each other. Returns the world's description, its body seconds, and a line for each escape.
local function run(n, number, kind_alone, apart)
	local w = new_world(n, number, kind_alone, apart)
	if not w.draw then
		w.world:destroy()
		return
	end
	local key = ("%dD %s of %s, %s"):format(n, w.kind, w.wall, w.motion)
	local t, step, passed, escapes = 0, 0, 0, {}
	while t < distributions.seconds and #w.bodies > 0 do
		local dt = 1 / w.hertz
		if w.uneven then dt = step % 2 == 0 and 1 / 60 or w.draw.number(0.15, 0.25) end
		w.next_dt = dt
		if w.move then w.move(t) end
		if not w.never_thrown then
			for i, entry in ipairs(w.bodies) do
				if (step + i) % distributions.throw == 0 then throw(w, w.draw, entry) end
			end
		end
		w.world:step(dt)
		t, step = t + dt, step + 1
		if w.after then w.after() end
		passed = passed + #w.bodies * dt
		for i = #w.bodies, 1, -1 do
			local entry = w.bodies[i]
			local out = w.out(w, entry)
			if not (out <= 0) then
				escapes[#escapes + 1] = ("%s, world %d, step %d of %s: %s of %.3f m is %.3f m out"):format(key, number, step, w.uneven and "uneven length" or w.hertz .. " Hz",
					entry.kind, entry.reach, out)
				if not entry.linked then entry.body:destroy() end
				w.bodies[i] = w.bodies[#w.bodies]
				w.bodies[#w.bodies] = nil
			end
		end
	end
	w.world:destroy()
	return key, passed, escapes
end

return { run = run, distributions = distributions }
