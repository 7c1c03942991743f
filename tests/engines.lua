-- Stand-ins of love.graphics (LÖVE 11) and of LÖVR's Pass (0.18), as far as collide.draw.love and collide.draw.lovr use them. They refuse the arguments that the
-- originals refuse, and record what is drawn, transformed as the originals do: in pixels, or in the world.
local unpack = table.unpack or unpack

local engines = {}

local function check_numbers(name, ...)
	for i = 1, select("#", ...) do
		local value = select(i, ...)
		if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then error(("%s: number %d is %s"):format(name, i, tostring(value)), 3) end
	end
end

local function check_one_of(name, value, ...)
	for i = 1, select("#", ...) do
		if value == select(i, ...) then return end
	end
	error(("%s: no such constant: %s"):format(name, tostring(value)), 3)
end

local function copy(list)
	local result = {}
	for key, value in pairs(list) do result[key] = value end
	return result
end

-- Points given as numbers or as one list of them.
local function numbers_of(first, ...)
	if type(first) == "table" then return first end
	return { first, ... }
end

-- LÖVE ---------------------------------------------------------------------------------------------------------------------------

-- The table of functions; `calls` lists what was drawn: { name, mode, points = in pixels, color, width = of lines in pixels, join, style, blend }. While `calls`
-- is nil nothing is recorded, and nothing is garbage.
function engines.new_love_graphics(width, height)
	local graphics = { calls = {}, depth = 0, draws = 0 }
	local state = { color = { 1, 1, 1, 1 }, width = 1, style = "smooth", join = "miter", blend = "alpha", shader = "none" }
	local a, b, c, d, e, f = 1, 0, 0, 1, 0, 0 -- x' = a x + c y + e, y' = b x + d y + f
	local stack = {}

	function graphics.push(kind)
		check_one_of("push", kind or "transform", "transform", "all")
		local level = stack[graphics.depth + 1] or {}
		graphics.depth = graphics.depth + 1
		stack[graphics.depth] = level
		if graphics.depth > 64 then error "Maximum stack depth reached! (More pushes than pops?)" end
		level[1], level[2], level[3], level[4], level[5], level[6], level.kind = a, b, c, d, e, f, kind
		if kind == "all" then
			level.color1, level.color2, level.color3, level.color4 = unpack(state.color)
			level.width, level.style, level.join, level.blend, level.shader = state.width, state.style, state.join, state.blend, state.shader
		end
	end

	function graphics.pop()
		local level = stack[graphics.depth] or error "Minimum stack depth reached! (More pops than pushes?)"
		graphics.depth = graphics.depth - 1
		a, b, c, d, e, f = level[1], level[2], level[3], level[4], level[5], level[6]
		if level.kind == "all" then
			state.color[1], state.color[2], state.color[3], state.color[4] = level.color1, level.color2, level.color3, level.color4
			state.width, state.style, state.join, state.blend, state.shader = level.width, level.style, level.join, level.blend, level.shader
		end
	end

	function graphics.origin() a, b, c, d, e, f = 1, 0, 0, 1, 0, 0 end

	function graphics.translate(x, y)
		check_numbers("translate", x, y)
		e, f = e + a * x + c * y, f + b * x + d * y
	end

	function graphics.scale(x, y)
		y = y or x
		check_numbers("scale", x, y)
		a, b, c, d = a * x, b * x, c * y, d * y
	end

	function graphics.rotate(angle)
		check_numbers("rotate", angle)
		local cosine, sine = math.cos(angle), math.sin(angle)
		a, b, c, d = a * cosine + c * sine, b * cosine + d * sine, c * cosine - a * sine, d * cosine - b * sine
	end

	function graphics.transformPoint(x, y)
		check_numbers("transformPoint", x, y)
		return a * x + c * y + e, b * x + d * y + f
	end

	function graphics.inverseTransformPoint(x, y)
		check_numbers("inverseTransformPoint", x, y)
		local area = a * d - b * c
		return (d * (x - e) - c * (y - f)) / area, (a * (y - f) - b * (x - e)) / area
	end

	function graphics.setColor(red, green, blue, alpha)
		check_numbers("setColor", red, green, blue, alpha)
		state.color[1], state.color[2], state.color[3], state.color[4] = red, green, blue, alpha
	end

	function graphics.setLineWidth(value)
		check_numbers("setLineWidth", value)
		if value <= 0 then error "Line width must be greater than 0." end
		state.width = value
	end

	function graphics.setLineStyle(style)
		check_one_of("setLineStyle", style, "rough", "smooth")
		state.style = style
	end

	function graphics.setLineJoin(join)
		check_one_of("setLineJoin", join, "none", "miter", "bevel")
		state.join = join
	end

	function graphics.setBlendMode(mode)
		check_one_of("setBlendMode", mode, "alpha", "add", "subtract", "multiply", "replace", "screen")
		state.blend = mode
	end

	function graphics.setShader(shader) state.shader = shader or "none" end
	function graphics.getCanvas() end
	function graphics.getDimensions() return width, height end

	local font = { getHeight = function() return 14 end }
	function graphics.getFont() return font end

	-- The state as a table.
	function graphics.getState()
		local result = copy(state)
		result.color, result.transform = copy(state.color), { a, b, c, d, e, f }
		return result
	end

	local function record(name, mode, points)
		local call = graphics.getState()
		call.name, call.mode, call.points, call.width = name, mode, points, state.width * math.sqrt(math.abs(a * d - b * c))
		for i = 1, #points, 2 do points[i], points[i + 1] = graphics.transformPoint(points[i], points[i + 1]) end
		graphics.calls[#graphics.calls + 1] = call
		return call
	end

	function graphics.polygon(mode, ...)
		check_one_of("polygon", mode, "fill", "line")
		graphics.draws = graphics.draws + 1
		if not graphics.calls then return end
		local points = copy(numbers_of(...))
		check_numbers("polygon", unpack(points))
		if #points < 6 or #points % 2 ~= 0 then error "Need at least three vertices to draw a polygon" end
		record("polygon", mode, points)
	end

	function graphics.line(...)
		graphics.draws = graphics.draws + 1
		if not graphics.calls then return end
		local points = copy(numbers_of(...))
		check_numbers("line", unpack(points))
		if #points < 4 or #points % 2 ~= 0 then error "Need at least two vertices to draw a line" end
		record("line", "line", points)
	end

	-- Recorded as the polygon that LÖVE makes of it.
	function graphics.circle(mode, x, y, radius, segments)
		check_one_of("circle", mode, "fill", "line")
		check_numbers("circle", x, y, radius, segments)
		if segments < 1 or segments % 1 ~= 0 then error "circle: the segments" end
		graphics.draws = graphics.draws + 1
		if not graphics.calls then return end
		local points = {}
		for k = 0, segments - 1 do
			local angle = 2 * math.pi * k / segments
			points[#points + 1], points[#points + 2] = x + radius * math.cos(angle), y + radius * math.sin(angle)
		end
		record("circle", mode, points)
	end

	function graphics.print(text, x, y)
		if type(text) ~= "string" then error "print: a string" end
		check_numbers("print", x, y)
		graphics.draws = graphics.draws + 1
		if graphics.calls then record("print", "fill", { x, y }).text = text end
	end

	return graphics
end

-- collide.draw.love, loaded within a LÖVE that has these graphics.
function engines.require_love(graphics)
	local before = love
	love, package.loaded["collide.draw.love"] = { graphics = graphics }, nil
	local target = require "collide.draw.love"
	love, package.loaded["collide.draw.love"] = before, nil
	return target
end

-- LÖVR ---------------------------------------------------------------------------------------------------------------------------

-- A rotation by an angle about a unit axis, as a function of vectors (Rodrigues). Without arguments: none, about y.
local function rotation(angle, ax, ay, az)
	angle, ax, ay, az = angle or 0, ax or 0, ay or 1, az or 0
	if math.abs(ax * ax + ay * ay + az * az - 1) > 1e-6 then error("the axis is no unit vector", 3) end
	local c, s = math.cos(angle), math.sin(angle)
	return function(x, y, z)
		local dot = (ax * x + ay * y + az * z) * (1 - c)
		return c * x + s * (ay * z - az * y) + dot * ax, c * y + s * (az * x - ax * z) + dot * ay, c * z + s * (ax * y - ay * x) + dot * az
	end
end

-- `calls` lists what was drawn: { name, color, depth = depth test, offset =, then points (polygon, line), or center, radius, from, to and so on }. Nothing is
-- recorded, and nothing is garbage, while `calls` is nil.
function engines.new_lovr_pass(eye)
	eye = eye or { 0, 0, 0, 0, 0, 1, 0 }
	local pass = { calls = {}, draws = 0, level = 0 }
	local state = { red = 1, green = 1, blue = 1, alpha = 1, depth = "gequal", offset = 0, shader = "none" }
	local stack = {}

	function pass.push(_, kind)
		check_one_of("push", kind or "transform", "transform", "state")
		pass.level = pass.level + 1
		if pass.level > 3 then error "state stack overflow (more pushes than pops?)" end
		local saved = stack[pass.level] or {}
		stack[pass.level] = saved
		for key, value in pairs(state) do saved[key] = value end
	end

	function pass.pop(_, kind)
		check_one_of("pop", kind or "transform", "transform", "state")
		local saved = stack[pass.level] or error "state stack underflow (more pops than pushes?)"
		pass.level = pass.level - 1
		for key, value in pairs(saved) do state[key] = value end
	end

	function pass.setColor(_, red, green, blue, alpha)
		check_numbers("setColor", red, green, blue, alpha)
		state.red, state.green, state.blue, state.alpha = red, green, blue, alpha
	end

	function pass.setDepthTest(_, test)
		check_one_of("setDepthTest", test or "none", "none", "equal", "notequal", "less", "lequal", "greater", "gequal")
		state.depth = test or "none"
	end

	function pass.setDepthOffset(_, offset, sloped)
		check_numbers("setDepthOffset", offset, sloped)
		state.offset = offset
	end

	function pass.setShader(_, shader) state.shader = shader or "none" end

	function pass.getViewPose(_, view)
		if view ~= 1 then error "Invalid view index" end
		return unpack(eye)
	end

	function pass.getState() return copy(state) end

	-- Counts a draw; returns its record, or nil while nothing is recorded.
	local function record(name)
		pass.draws = pass.draws + 1
		if pass.draws > 65536 then error "Pass has too many draws!" end
		if not pass.calls then return nil end
		local call = copy(state)
		call.name, call.color = name, { state.red, state.green, state.blue, state.alpha }
		pass.calls[#pass.calls + 1] = call
		return call
	end

	local function record_points(name, least, ...)
		local call = record(name)
		if not call then return end
		call.points = copy(numbers_of(...))
		check_numbers(name, unpack(call.points))
		if #call.points < 3 * least or #call.points % 3 ~= 0 then error(("%s: %d numbers"):format(name, #call.points)) end
	end

	function pass.line(_, ...) record_points("line", 2, ...) end
	function pass.polygon(_, ...) record_points("polygon", 3, ...) end

	function pass.sphere(_, x, y, z, radius, angle, ax, ay, az, longitudes, latitudes)
		check_numbers("sphere", x, y, z, radius, longitudes or 48, latitudes or 24)
		local call = record "sphere"
		if not call then return end
		rotation(angle, ax, ay, az)
		call.center, call.radius, call.segments = { x, y, z }, radius, longitudes or 48
	end

	-- Its axis is z before the rotation; the length is without the caps.
	function pass.capsule(_, x, y, z, radius, length, angle, ax, ay, az, segments)
		check_numbers("capsule", x, y, z, radius, length, segments or 32)
		local call = record "capsule"
		if not call then return end
		local dx, dy, dz = rotation(angle, ax, ay, az)(0, 0, length / 2)
		call.from, call.to, call.radius = { x - dx, y - dy, z - dz }, { x + dx, y + dy, z + dz }, radius
	end

	function pass.text(_, text, x, y, z, scale, angle, ax, ay, az, wrap, horizontal, vertical)
		if type(text) ~= "string" then error "text: a string" end
		check_numbers("text", x, y, z, scale, wrap)
		check_one_of("text", horizontal, "left", "center", "right")
		check_one_of("text", vertical, "top", "middle", "bottom")
		local call = record "text"
		if not call then return end
		call.text, call.center, call.scale, call.right = text, { x, y, z }, scale, { rotation(angle, ax, ay, az)(1, 0, 0) }
	end

	return pass
end

return engines
