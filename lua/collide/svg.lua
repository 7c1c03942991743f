-- Pictures in two dimensions as SVG, drawn through the functions of a canvas:
--   local svg = require "collide.svg"
--   local canvas = svg.newCanvas { width = 640, height = 360 }
--   canvas.setCamera(0, 4, 40)
--   canvas.begin()
--   world:draw(canvas)
--   canvas.finish()
--   canvas.save "world.svg"
-- Shapes keep their exact outlines: circles stay circles, rounded corners arcs. Elements outside of the picture are left out.

local error, io, ipairs, math, select, string, table, tonumber, tostring, type =
	error, io, ipairs, math, select, string, table, tonumber, tostring, type
local floor, max, min, sqrt, cos, sin, pi, huge = math.floor, math.max, math.min, math.sqrt, math.cos, math.sin, math.pi, math.huge
local concat, format = table.concat, string.format
local palettes, shared = require "collide.palette", require "collide.draw.shared"

local svg = {}

local outline_width, outline_shade = shared.outline_width, shared.outline_shade -- [pixels]; less for shapes smaller than this:
local small = 10 -- [pixels]
local font_size, line_height, letter_width, ascent = 13, 16, 7.83, 12 -- [pixels]; the SVG viewer chooses the font
local safe = 1e5 -- SVG viewers use single precision: shapes are cut off beyond this [pixels]

---------------------------------------------------------------------------------------------------------------------------------
-- Text

-- With at most two decimals, and a decimal point in any locale.
local function number(value)
	local cents = floor(value * 100 + 0.5) + 0 -- no -0
	local sign = ""
	if cents < 0 then sign, cents = "-", -cents end
	local whole, rest = format("%.0f", floor(cents / 100)), cents % 100
	if rest == 0 then return sign .. whole end
	if rest % 10 == 0 then return sign .. whole .. "." .. format("%.0f", rest / 10) end
	return sign .. whole .. "." .. format("%02.0f", rest)
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function lines_of(text)
	local lines = {}
	for line in (shared.text(text) .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
	return lines
end

---------------------------------------------------------------------------------------------------------------------------------
-- Geometry, in pixels

-- A circle as a polygon whose points are dense near the picture.
local function flatten_circle(x, y, radius, width, height)
	local dx, dy = width / 2 - x, height / 2 - y
	local distance, reach = sqrt(dx * dx + dy * dy), width + height
	local points = {}
	local function arc(from, to, steps)
		for k = 0, steps - 1 do
			local angle = from + (to - from) * k / steps
			points[#points + 1], points[#points + 2] = x + radius * cos(angle), y + radius * sin(angle)
		end
	end
	if distance <= reach then
		arc(0, 2 * pi, 256)
	else
		local middle, half = math.atan2 and math.atan2(dy, dx) or math.atan(dy, dx), math.asin(reach / distance)
		arc(middle - half, middle + half, 256)
		arc(middle + half, middle - half + 2 * pi, 64)
	end
	return points
end

-- The points of a convex polygon widened by the radius: the hull of circles at its corners, by Andrew's monotone chain (1979).
local function flatten(points, radius, width, height)
	if radius <= 0 then return points end
	local sorted = {}
	for i = 1, #points, 2 do
		local circle = flatten_circle(points[i], points[i + 1], radius, width, height)
		for k = 1, #circle, 2 do sorted[#sorted + 1] = { circle[k], circle[k + 1] } end
	end
	table.sort(sorted, function(p, q) return p[1] < q[1] or p[1] == q[1] and p[2] < q[2] end)
	local hull = {}
	local function walk(first, last, step)
		local base = #hull
		for i = first, last, step do
			local p = sorted[i]
			while #hull >= base + 2 do
				local a, b = hull[#hull - 1], hull[#hull]
				if (b[1] - a[1]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[1] - a[1]) > 0 then break end
				hull[#hull] = nil
			end
			hull[#hull + 1] = p
		end
		hull[#hull] = nil
	end
	walk(1, #sorted, 1)
	walk(#sorted, 1, -1)
	local flat = {}
	for i, p in ipairs(hull) do flat[2 * i - 1], flat[2 * i] = p[1], p[2] end
	return flat
end

-- The part of a convex polygon that is within `safe` pixels (Sutherland and Hodgman, 1974).
local function cut(points)
	for axis = 0, 1 do
		for side = -1, 1, 2 do
			local result, count = {}, #points
			for i = 1, count, 2 do
				local j = i + 2 > count and 1 or i + 2
				local a, b = side * points[i + axis] - safe, side * points[j + axis] - safe
				if a <= 0 then result[#result + 1], result[#result + 2] = points[i], points[i + 1] end
				if a < 0 and b > 0 or a > 0 and b < 0 then
					local share = a / (a - b)
					result[#result + 1] = points[i] + share * (points[j] - points[i])
					result[#result + 1] = points[i + 1] + share * (points[j + 1] - points[i + 1])
				end
			end
			points = result
		end
	end
	return points
end

-- The bounds of a polygon widened by the radius; the diameter of a circle with the same ratio of area to perimeter; and the winding on the picture: 1
-- clockwise.
local function measure(points, radius)
	local x1, y1, x2, y2, area, perimeter, count = huge, huge, -huge, -huge, 0, 0, #points
	for i = 1, count, 2 do
		local x, y = points[i], points[i + 1]
		local j = i + 2 > count and 1 or i + 2
		area = area + (x - points[1]) * (points[j + 1] - points[2]) - (y - points[2]) * (points[j] - points[1])
		perimeter = perimeter + sqrt((points[j] - x) ^ 2 + (points[j + 1] - y) ^ 2)
		x1, y1, x2, y2 = min(x1, x), min(y1, y), max(x2, x), max(y2, y)
	end
	local thickness = (perimeter > 0 and 2 * math.abs(area) / perimeter or 0) + 2 * radius
	return x1 - radius, y1 - radius, x2 + radius, y2 + radius, thickness, area >= 0 and 1 or -1
end

-- A polygon widened by the radius as a path.
local function path_of(points, radius, turning)
	local count, parts = #points, {}
	if radius <= 0 then
		for i = 1, count, 2 do parts[#parts + 1] = (i == 1 and "M" or "L") .. number(points[i]) .. " " .. number(points[i + 1]) end
		return concat(parts) .. "Z"
	end
	local arc = "A" .. number(radius) .. " " .. number(radius) .. " 0 0 " .. (turning > 0 and "1 " or "0 ")
	for i = 1, count, 2 do
		local j = i + 2 > count and 1 or i + 2
		local x, y = points[i], points[i + 1]
		local dx, dy = points[j] - x, points[j + 1] - y
		local length = sqrt(dx * dx + dy * dy)
		if length > 0 then
			local nx, ny = turning * radius * dy / length, -turning * radius * dx / length -- to the outside
			parts[#parts + 1] = (#parts == 0 and "M" or arc) .. number(x + nx) .. " " .. number(y + ny)
			parts[#parts + 1] = "L" .. number(points[j] + nx) .. " " .. number(points[j + 1] + ny)
		end
	end
	if #parts == 0 then return nil end
	return concat(parts) .. arc .. parts[1]:sub(2) .. "Z"
end

---------------------------------------------------------------------------------------------------------------------------------
-- The canvas

local function check(name, first, ...)
	for i = 1, select("#", ...) do
		local value = select(i, ...)
		if type(value) ~= "number" or not (value > -huge and value < huge) then
			error(format("%s: argument %d must be a finite number, got %s", name, first + i - 1, tostring(value)), 3)
		end
	end
end

local function check_text(name, at, text)
	if type(text) ~= "string" and type(text) ~= "number" then
		error(format("%s: argument %d must be a string, got %s", name, at, tostring(text)), 3)
	end
	return tostring(text)
end

local function check_size(name, value)
	if type(value) ~= "number" or not (value >= 1 and value <= 65536) then
		error(format("newCanvas: %s must be a number between 1 and 65536, got %s", name, tostring(value)), 3)
	end
	return floor(value)
end

---@param options collide.CanvasOptions palette: default the light one of collide.palette
---@return collide.Canvas
function svg.newCanvas(options)
	if type(options) ~= "table" then error("newCanvas: the options must be a table, got " .. tostring(options), 2) end
	local width, height = check_size("width", options.width), check_size("height", options.height)
	local palette = options.palette or palettes.light
	local cx, cy, scale, up = 0, 0, 1, 1
	local parts, paints, drawing, finished = {}, {}, false, false
	local canvas = {}

	local function emit(...)
		local at = #parts
		for i = 1, select("#", ...) do parts[at + i] = select(i, ...) end
	end

	-- A color's attributes for filled elements, for filled ones with an outline, and for lines.
	local function paint_of(name, color)
		local paint = paints[color]
		if not drawing then error(name .. ": only between begin and finish", 3) end
		if paint then return paint end
		local red, green, blue, alpha = shared.find_color(palette, color)
		if not red then error(format('%s: there is no color "%s"', name, tostring(color)), 3) end
		local function dim(channel) return floor(channel * outline_shade + 0.5) end
		local channels = format("#%02x%02x%02x", red, green, blue)
		local dark = format("#%02x%02x%02x", dim(red), dim(green), dim(blue))
		local opacity = alpha < 255 and ' opacity="' .. number(alpha / 255) .. '"' or ""
		paint = {
			fill = ' fill="' .. channels .. '"' .. opacity .. "/>\n",
			solid = ' fill="' .. channels .. '" stroke="' .. dark .. '"' .. opacity .. ' stroke-width="',
			line = ' fill="none" stroke="' .. channels .. '"' .. opacity .. ' stroke-width="',
			mark = ' stroke="' .. dark .. '"' .. opacity .. ' stroke-width="',
			text = ' fill="' .. channels .. '"' .. opacity .. ">",
		}
		paints[color] = paint
		return paint
	end

	-- Coordinates beyond this count as infinite.
	local function limited(pixels) return max(-1e18, min(1e18, pixels)) end

	local function pixel(x, y)
		return limited(width / 2 + (x - cx) * scale), limited(height / 2 - up * (y - cy) * scale)
	end

	local function is_outside(x1, y1, x2, y2)
		return x2 < -outline_width or y2 < -outline_width or x1 > width + outline_width or y1 > height + outline_width
	end

	local function stroke_width(thickness)
		return number(max(0.1, outline_width * min(1, thickness / small))) .. '"/>\n'
	end

	local function draw_points(points, radius, style, stroked)
		local x1, y1, x2, y2, thickness, turning = measure(points, radius)
		if is_outside(x1, y1, x2, y2) then return end
		if max(-x1, -y1, x2, y2) > safe then
			points, radius = cut(flatten(points, radius, width, height)), 0
			if #points == 0 then return end
		end
		local path = path_of(points, radius, turning)
		if path then emit('<path d="', path, '"', style, stroked and stroke_width(thickness) or "") end
	end

	local function draw_polygon(name, kind, color, radius, ...)
		check(name, 2, radius, ...)
		local count = select("#", ...)
		if count < 6 or count % 2 ~= 0 then error(name .. ": a polygon has at least 3 points, each of two numbers", 3) end
		local points = { ... }
		for i = 1, count, 2 do points[i], points[i + 1] = pixel(points[i], points[i + 1]) end
		draw_points(points, limited(radius * scale), paint_of(name, color)[kind], kind ~= "fill")
	end

	local function draw_line(x1, y1, x2, y2, style, thickness)
		-- The part of the line that is in the picture (Liang and Barsky, 1984).
		local from, to, dx, dy = 0, 1, x2 - x1, y2 - y1
		local function limit(step, room) -- where from + t step <= room
			if step > 0 then to = min(to, room / step)
			elseif step < 0 then from = max(from, room / step)
			elseif room < 0 then to = -1 end
		end
		limit(dx, width + small - x1)
		limit(-dx, x1 + small)
		limit(dy, height + small - y1)
		limit(-dy, y1 + small)
		if from > to then return end
		emit('<line x1="', number(x1 + from * dx), '" y1="', number(y1 + from * dy), '" x2="', number(x1 + to * dx), '" y2="',
			number(y1 + to * dy), '"', style, number(thickness), '"/>\n')
	end

	local function draw_circle(name, kind, color, x, y, radius, angle)
		check(name, 2, x, y, radius)
		if angle ~= nil then check(name, 5, angle) end
		local paint = paint_of(name, color)
		local px, py = pixel(x, y)
		local r = limited(radius * scale)
		if r < 0 or is_outside(px - r, py - r, px + r, py + r) then return end
		if r > safe then
			local points = cut(flatten_circle(px, py, r, width, height))
			if #points == 0 then return end
			emit('<path d="', path_of(points, 0, 1), '"', paint[kind], stroke_width(r))
		else
			emit('<circle cx="', number(px), '" cy="', number(py), '" r="', number(r), '"', paint[kind], stroke_width(2 * r))
		end
		if angle then
			draw_line(px, py, px + r * cos(angle), py - up * r * sin(angle), kind == "solid" and paint.mark or paint.line,
				outline_width * min(1, 2 * r / small))
		end
	end

	local function draw_capsule(name, kind, color, x1, y1, x2, y2, radius)
		check(name, 2, x1, y1, x2, y2, radius)
		if x1 == x2 and y1 == y2 then return draw_circle(name, kind, color, x1, y1, radius) end
		local points = {}
		points[1], points[2] = pixel(x1, y1)
		points[3], points[4] = pixel(x2, y2)
		draw_points(points, limited(radius * scale), paint_of(name, color)[kind], true)
	end

	local function draw_text(name, color, px, py, text)
		local paint = paint_of(name, color)
		for i, line in ipairs(lines_of(text)) do
			local top = py + (i - 1) * line_height
			if line ~= "" and not is_outside(px, top, px + letter_width * 2 * #line, top + line_height) then
				emit('<text x="', number(px), '" y="', number(top + ascent), '"', paint.text, (line:gsub('[&<>"]', entities)), "</text>\n")
			end
		end
	end

	-- Tail calls, so that errors name the line of the caller.
	function canvas.solidPolygon(color, radius, ...) return draw_polygon("solidPolygon", "solid", color, radius, ...) end
	function canvas.polygon(color, radius, ...) return draw_polygon("polygon", "line", color, radius, ...) end
	function canvas.fillPolygon(color, radius, ...) return draw_polygon("fillPolygon", "fill", color, radius, ...) end
	function canvas.solidCircle(color, x, y, radius, angle) return draw_circle("solidCircle", "solid", color, x, y, radius, angle) end
	function canvas.circle(color, x, y, radius, angle) return draw_circle("circle", "line", color, x, y, radius, angle) end
	function canvas.solidCapsule(color, x1, y1, x2, y2, radius) return draw_capsule("solidCapsule", "solid", color, x1, y1, x2, y2, radius) end
	function canvas.capsule(color, x1, y1, x2, y2, radius) return draw_capsule("capsule", "line", color, x1, y1, x2, y2, radius) end

	function canvas.segment(color, x1, y1, x2, y2)
		check("segment", 2, x1, y1, x2, y2)
		local ax, ay = pixel(x1, y1)
		local bx, by = pixel(x2, y2)
		draw_line(ax, ay, bx, by, paint_of("segment", color).line, color == "grid" and 1 or outline_width)
	end

	function canvas.point(color, x, y, size)
		check("point", 2, x, y, size)
		local paint = paint_of("point", color)
		local px, py = pixel(x, y)
		local r = size / 2
		if is_outside(px - r, py - r, px + r, py + r) then return end
		emit('<circle cx="', number(px), '" cy="', number(py), '" r="', number(r), '"', paint.fill)
	end

	function canvas.text(color, x, y, text)
		check("text", 2, x, y)
		local px, py = pixel(x, y)
		return draw_text("text", color, px + 4, py - line_height / 2, check_text("text", 4, text)) -- beside the point
	end

	function canvas.label(color, px, py, text)
		check("label", 2, px, py)
		return draw_text("label", color, px, py, check_text("label", 4, text))
	end

	function canvas.panel(color, px, py, w, h)
		check("panel", 2, px, py, w, h)
		if w <= 0 or h <= 0 or is_outside(px, py, px + w, py + h) then return end
		emit('<rect x="', number(px), '" y="', number(py), '" width="', number(w), '" height="', number(h), '"',
			paint_of("panel", color).fill)
	end

	function canvas.begin()
		if drawing then error("begin: the picture before is not finished", 2) end
		parts, drawing, finished = {}, true, false
		emit('<rect width="', number(width), '" height="', number(height), '"', paint_of("begin", "background").fill)
	end

	function canvas.finish()
		if not drawing then error("finish: only between begin and finish", 2) end
		drawing, finished = false, true
	end

	function canvas.save(path)
		if not finished then error("save: only after finish", 2) end
		local file, problem = io.open(path, "wb")
		if not file then error("cannot write " .. problem, 2) end
		local w, h = number(width), number(height)
		local _, wrong = file:write('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="', w,
			'" height="', h, '" viewBox="0 0 ', w, " ", h, '" font-family="monospace" font-size="', number(font_size),
			'" stroke-linecap="round" stroke-linejoin="round" xml:space="preserve">\n', concat(parts), "</svg>\n")
		local closed, unclosed = file:close()
		if wrong or not closed then error(format("cannot write %s: %s", path, wrong or unclosed), 2) end
	end

	function canvas.getSize() return width, height end

	function canvas.setCamera(x, y, pixels, direction)
		check("setCamera", 1, x, y, pixels)
		if pixels <= 0 then error("setCamera: argument 3 must be above 0, got " .. tostring(pixels), 2) end
		cx, cy, scale, up = x, y, pixels, direction == -1 and -1 or 1
	end

	function canvas.setPalette(colors)
		if type(colors) ~= "table" then error("setPalette: the palette must be a table, got " .. tostring(colors), 2) end
		palette, paints = colors, {}
	end

	function canvas.getTextSize(text)
		local longest, lines = 0, lines_of(check_text("getTextSize", 1, text))
		for _, line in ipairs(lines) do longest = max(longest, #shared.characters(line)) end
		return letter_width * longest, line_height * #lines
	end

	function canvas.close() parts = {} end

	return shared.guardCanvas(canvas)
end

return svg
