-- Pictures: the SVG of a scene, cameras, and the output of the host's --shot, --svg and --film. Pictures of the view module are compared with the scene pixel
-- by pixel, if it is built; films are tested if ffmpeg is installed.

local lu, support = require "luaunit", require "support"
local quote, read, shell, write = support.quote, support.read, support.shell, support.write
local d2, d3 = require("collide").d2, require("collide").d3
local camera, picture = require "collide.host.camera", require "collide.host.picture"
local palettes, svg = require "collide.palette", require "collide.svg"
local unpack = unpack or table.unpack
local has_view, view = pcall(require, "collide.view")

---------------------------------------------------------------------------------------------------------------------------------
-- Helpers

local function has(program)
	return shell("command -v " .. program) ~= ""
end

-- The canvas' picture as text, through a file.
local function text_of(canvas)
	local path = support.tmpname()
	pcall(canvas.finish)
	canvas.save(path)
	local text = read(path)
	os.remove(path)
	return text
end

-- The elements of an SVG picture in order, each a table of its attributes with its name and text. Raises an error for malformed XML.
local function parse(text)
	local elements, open, at = {}, {}, 1
	assert(text:match '^<%?xml version="1.0" encoding="UTF%-8"%?>\n', "no declaration")
	assert(not text:find "[%z\1-\8\11-\31\127]", "a control character")
	text = text:gsub("^<%?.-%?>\n", "")
	while at <= #text do
		local content, start, tag, stop = text:match("^([^<]*)()<([^>]*)>()", at)
		if not content then
			assert(not text:find("[^%s]", at), "something after the end: " .. text:sub(at, at + 40))
			break
		end
		assert(not content:gsub("&%a+;", ""):find "[&>]", "not escaped: " .. content)
		if open[#open] then open[#open].text = (open[#open].text or "") .. content end
		local closing, name, attributes, empty = tag:match "^(/?)(%a+)(.-)(/?)$"
		assert(name, ("no tag at %d: %s"):format(start, tag))
		if closing == "/" then
			local last = table.remove(open)
			assert(last and last.name == name, "</" .. name .. "> closes nothing")
		else
			local element = { name = name }
			local rest = attributes:gsub('%s+([%w:-]+)="([^"<]*)"', function(key, value)
				assert(not element[key], key .. " is there twice")
				assert(not value:gsub("&%a+;", ""):find "&", "not escaped: " .. value)
				element[key] = tonumber(value) or value
				return ""
			end)
			assert(not rest:find "%S", "not an attribute: " .. rest)
			elements[#elements + 1] = element
			if empty == "" then open[#open + 1] = element end
		end
		at = stop
	end
	assert(#open == 0, "not closed")
	return elements
end

local function find(elements, name, fill)
	local found = {}
	for _, element in ipairs(elements) do
		if element.name == name and (not fill or element.fill == fill or element.stroke == fill) then found[#found + 1] = element end
	end
	return found
end

-- The steps of a path: { "M", x, y }, { "L", x, y }, { "A", rx, ry, rotation, large, sweep, x, y }.
local function steps_of(path)
	local steps = {}
	for letter, numbers in path:gmatch "([MLA])([^MLAZ]*)" do
		local step = { letter }
		for n in numbers:gmatch "%-?[%d.]+" do step[#step + 1] = tonumber(n) end
		steps[#steps + 1] = step
	end
	assert(path:match "Z$")
	return steps
end

local function is_inside(steps, x, y)
	local inside = false
	for i, step in ipairs(steps) do
		local next_step = steps[i % #steps + 1]
		local ax, ay, bx, by = step[2], step[3], next_step[2], next_step[3]
		if (ay > y) ~= (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax) then inside = not inside end
	end
	return inside
end

local function new_svg(width, height)
	local canvas = svg.newCanvas { width = width or 400, height = height or 200 }
	canvas.begin()
	return canvas
end

---------------------------------------------------------------------------------------------------------------------------------

TestPalette = {}

function TestPalette.test_both_themes_have_a_colour_for_each_meaning()
	local names = {
		"static", "kinematic", "awake", "sleeping", "bullet", "sensor", "disabled", "box", "tree", "contact", "normal", "impulse", "joint", "limit", "spring",
		"island", "center", "velocity", "name", "field", "background", "grid", "scale", "label", "panel",
		"drag",
	}
	for _, theme in ipairs { "light", "dark" } do
		local count = 0
		for _, name in ipairs(names) do
			local color = palettes[theme][name]
			lu.assertTrue(color:match "^#%x%x%x%x%x%x$" ~= nil or color:match "^#%x%x%x%x%x%x%x%x$" ~= nil, name)
		end
		for _ in pairs(palettes[theme]) do count = count + 1 end
		lu.assertEquals(count, #names)
	end
end

-- As seen without the cones for long (protanopia) or medium (deuteranopia) wavelengths, in linear light; the matrices are those of
-- Vienot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of displays by dichromats", 1999.
function TestPalette.test_colours_of_bodies_differ_for_the_colour_blind()
	local function linear(hex)
		local v = tonumber(hex, 16) / 255
		return v <= 0.04045 and v / 12.92 or ((v + 0.055) / 1.055) ^ 2.4
	end
	local function gamma(v)
		v = math.max(0, math.min(1, v))
		return 255 * (v <= 0.0031308 and 12.92 * v or 1.055 * v ^ (1 / 2.4) - 0.055)
	end
	local seeing = {
		normal = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
		protan = { 0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1 },
		deutan = { 0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1 },
	}
	local bodies = { "static", "kinematic", "awake", "sleeping", "bullet", "disabled", "background" }
	for _, theme in ipairs { "light", "dark" } do
		for kind, m in pairs(seeing) do
			local seen = {}
			for i, name in ipairs(bodies) do
				local r, g, b = palettes[theme][name]:match "#(%x%x)(%x%x)(%x%x)"
				r, g, b = linear(r), linear(g), linear(b)
				seen[i] = {}
				for c = 1, 3 do seen[i][c] = gamma(m[3 * c - 2] * r + m[3 * c - 1] * g + m[3 * c] * b) end
			end
			for i = 1, #bodies do
				for j = i + 1, #bodies do
					local distance = 0
					for c = 1, 3 do distance = distance + (seen[i][c] - seen[j][c]) ^ 2 end
					lu.assertTrue(distance > 24 ^ 2, ("%s, %s: %s and %s are %.0f apart"):format(theme, kind, bodies[i], bodies[j], distance ^ 0.5))
				end
			end
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------

TestSvg = {}

function TestSvg.test_a_circle_is_where_it_is_in_the_world()
	for _, case in ipairs { { 0, 0, 1, 1 }, { 3, -2, 40, 1 }, { 3, -2, 40, -1 }, { 1e6, 1e6, 25, -1 }, { -0.001, 0.002, 3e4, 1 } } do
		local cx, cy, scale, up = unpack(case)
		local canvas = new_svg(400, 200)
		canvas.setCamera(cx, cy, scale, up)
		local x, y, r = cx + 60 / scale, cy + 30 / scale, 20 / scale
		canvas.solidCircle("awake", x, y, r, math.pi / 2)
		local elements = parse(text_of(canvas))
		local circle, line = find(elements, "circle")[1], find(elements, "line")[1]
		lu.assertAlmostEquals(circle.cx, 260, 0.011)
		lu.assertAlmostEquals(circle.cy, 100 - up * 30, 0.011)
		lu.assertAlmostEquals(circle.r, 20, 0.011)
		lu.assertEquals(circle.fill, palettes.light.awake)
		-- The mark shows the angle: along the world's y.
		lu.assertAlmostEquals(line.x2, 260, 0.011)
		lu.assertAlmostEquals(line.y2, 100 - up * 50, 0.011)
	end
end

function TestSvg.test_outlines_are_darker_and_thinner_for_small_shapes()
	local canvas = new_svg()
	canvas.solidCircle("#c86432", 200, 100, 30)
	canvas.solidCircle("#c86432", 200, 100, 1)
	canvas.circle("#c8643280", 200, 100, 30)
	local all = find(parse(text_of(canvas)), "circle")
	lu.assertEquals(all[1].stroke, "#824121")
	lu.assertEquals(all[1]["stroke-width"], 1.5)
	lu.assertAlmostEquals(all[2]["stroke-width"], 0.3, 1e-9)
	lu.assertEquals({ all[3].fill, all[3].stroke, all[3].opacity }, { "none", "#c86432", 0.5 })
end

-- Each arc's centre, at its radius from both ends on the inner side, is a corner.
function TestSvg.test_rounded_corners_are_arcs_about_the_corners()
	for _, up in ipairs { 1, -1 } do
		local canvas = new_svg()
		canvas.setCamera(0, 0, 10, up)
		local corners = { -4, -3, 5, -2, 1, 4 }
		canvas.solidPolygon("static", 2, unpack(corners))
		canvas.capsule("sensor", -4, -3, 5, -2, 1.5)
		for i, path in ipairs(find(parse(text_of(canvas)), "path")) do
			local steps, count = steps_of(path.d), 0
			for k, step in ipairs(steps) do
				if step[1] == "A" then
					local before, radius = steps[k - 1], i == 1 and 20 or 15
					local x1, y1, x2, y2, r, sweep = before[#before - 1], before[#before], step[7], step[8], step[2], step[6]
					lu.assertAlmostEquals(r, radius, 0.011)
					lu.assertEquals(step[5], 0)
					local dx, dy = x2 - x1, y2 - y1
					local chord = math.sqrt(dx * dx + dy * dy)
					local height = math.sqrt(math.max(0, r * r - chord * chord / 4)) * (sweep == 1 and 1 or -1)
					local cx, cy = (x1 + x2) / 2 - dy / chord * height, (y1 + y2) / 2 + dx / chord * height
					local nearest = math.huge
					for c = 1, #corners, 2 do
						nearest = math.min(nearest, math.sqrt((200 + 10 * corners[c] - cx) ^ 2 + (100 - up * 10 * corners[c + 1] - cy) ^ 2))
					end
					-- For half a circle the chord, rounded to two decimals, hardly determines the height above it.
					lu.assertTrue(nearest < (i == 1 and 0.05 or 1), ("a corner is %.2f pixels off"):format(nearest))
					count = count + 1
				end
			end
			lu.assertEquals(count, i == 1 and 3 or 2)
		end
	end
end

function TestSvg.test_text_of_any_kind_is_well_formed()
	local canvas = new_svg()
	local nasty = "<a href=\"x\">&amp;</a> ]]> \0\1\27[0m \127 \255\254 \192\128 \237\160\128 \239\191\191 \244\144\128\128 \226\130"
	canvas.label("label", 10, 10, nasty .. "\nsecond  line \240\159\152\128 \195\188")
	canvas.text("name", 0, 0, nasty)
	local texts = find(parse(text_of(canvas)), "text")
	lu.assertEquals(#texts, 3)
	local unescaped = texts[1].text:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&")
	local u = "\239\191\189"
	lu.assertEquals(unescaped, "<a href=\"x\">&amp;</a> ]]> " .. u .. u .. u .. "[0m " .. u .. " " .. u .. u .. " " .. u .. u .. " "
		.. u:rep(3) .. " " .. u:rep(3) .. " " .. u:rep(4) .. " " .. u:rep(2))
	lu.assertEquals(texts[2].text, "second  line \240\159\152\128 \195\188")
	lu.assertTrue(texts[2].y > texts[1].y)
	local width, height = canvas.getTextSize "two\nlines"
	lu.assertTrue(width > 20 and width < 80 and height > 20 and height < 60)
end

function TestSvg.test_the_locale_does_not_matter()
	local before = os.setlocale(nil, "numeric")
	local found = os.setlocale("de_DE.UTF-8", "numeric") or os.setlocale("de_DE", "numeric") or os.setlocale("fr_FR.UTF-8", "numeric")
	local canvas = new_svg()
	canvas.circle("awake", 10.25, 10.5, 3.75)
	local circle = find(parse(text_of(canvas)), "circle")[1]
	os.setlocale(before, "numeric")
	lu.assertEquals({ circle.cx, circle.r }, { 210.25, 3.75 }, found)
end

function TestSvg.test_shapes_out_of_view_are_left_out()
	local canvas = new_svg()
	local empty = #text_of(canvas)
	canvas.begin()
	canvas.solidCircle("awake", 1000, 0, 50)
	canvas.solidPolygon("awake", 1, 300, 0, 400, 0, 400, 10)
	canvas.segment("awake", -300, 150, 300, 150)
	canvas.segment("awake", 300, 0, 0, -400)
	canvas.point("contact", 0, 200, 4)
	canvas.text("name", 0, 1e6, "far")
	canvas.panel("panel", 500, 0, 10, 10)
	lu.assertEquals(#text_of(canvas), empty)
end

-- SVG viewers compute in floats: coordinates stay small, and the visible part stays exact.
function TestSvg.test_endless_shapes_are_cut_at_the_picture()
	for _, size in ipairs { 1e6, 1e9, 1e15, 1e300 } do
		for _, draw in ipairs {
			function(c) c.solidPolygon("static", 0, -size, -size, size, -size, size, 0, -size, 0) end,
			function(c) c.solidPolygon("static", size / 2, -size / 2, -size, size / 2, -size, 0, -size / 2) end,
			function(c) c.solidCircle("static", 0, -size, size) end,
			function(c) c.solidCapsule("static", -size, -size, size, -size, size) end,
		} do
			local canvas = new_svg()
			canvas.setCamera(0, 0, 3, 1)
			draw(canvas)
			local elements = parse(text_of(canvas))
			local path = find(elements, "path")[1]
			lu.assertNotNil(path)
			local steps = steps_of(path.d)
			for _, step in ipairs(steps) do
				lu.assertEquals(#step, 3)
				lu.assertTrue(math.abs(step[2]) <= 2e5 and math.abs(step[3]) <= 2e5)
			end
			-- Beyond 1e16 doubles do not distinguish neighbouring pixels.
			for _, x in ipairs(size < 1e16 and { 150, 200, 250 } or {}) do
				lu.assertTrue(is_inside(steps, x, 104), size)
				lu.assertFalse(is_inside(steps, x, 96), size)
			end
		end
		local canvas = new_svg()
		canvas.segment("static", -size, -size, size, size)
		local line = find(parse(text_of(canvas)), "line")[1]
		for _, key in ipairs { "x1", "y1", "x2", "y2" } do lu.assertTrue(math.abs(line[key]) < 1000) end
		if size < 1e16 then lu.assertAlmostEquals(line.x1 - 200, 100 - line.y1, 1) end
	end
end

function TestSvg.test_wrong_calls_raise_an_error()
	local canvas = new_svg()
	local rows = {
		{ "there is no color \"pink\"", canvas.solidCircle, "pink", 0, 0, 1 },
		{ "there is no color \"#12345\"", canvas.solidCircle, "#12345", 0, 0, 1 },
		{ "solidCircle: argument 4 must be a finite number, got nil", canvas.solidCircle, "awake", 0, 0 },
		{ "segment: argument 3 must be a finite number, got", canvas.segment, "awake", 0, 0 / 0, 1, 1 },
		{ "polygon: argument 5 must be a finite number, got inf", canvas.polygon, "awake", 0, 0, 0, math.huge, 0, 1, 1 },
		{ "solidPolygon: a polygon has at least 3 points", canvas.solidPolygon, "awake", 0, 0, 0, 1, 1 },
		{ "label: argument 4 must be a string, got nil", canvas.label, "label", 0, 0 },
		{ "setCamera: argument 3 must be above 0, got 0", canvas.setCamera, 0, 0, 0 },
		{ "newCanvas: width must be a number between 1 and 65536, got nil", svg.newCanvas, {} },
		{ "begin: the picture before is not finished", canvas.begin },
		{ "save: only after finish", canvas.save, "x.svg" },
	}
	for _, row in ipairs(rows) do lu.assertErrorMsgContains(row[1], unpack(row, 2)) end
	for _, name in ipairs { "solidPolygon", "polygon", "fillPolygon", "solidCircle", "circle", "solidCapsule", "capsule", "segment" } do
		lu.assertErrorMsgContains("test_pictures.lua:", function() canvas[name]("awake", 0, 0, {}) end)        -- not svg.lua
		lu.assertErrorMsgContains("test_pictures.lua:", function() canvas[name]("pink", 0, 0, 1, 1, 1, 1, 0) end)
	end
	for _, name in ipairs { "text", "label", "point", "panel" } do
		lu.assertErrorMsgContains("test_pictures.lua:", function() canvas[name]("pink", 0, 0, 1, 1) end)
		lu.assertErrorMsgContains("test_pictures.lua:", function() canvas[name]("awake", 0, 0, {}) end)
	end
	canvas.finish()
	lu.assertErrorMsgContains("cannot write /nowhere/x.svg: No such file or directory", canvas.save, "/nowhere/x.svg")
	lu.assertErrorMsgContains("finish: only between begin and finish", canvas.finish)
	lu.assertErrorMsgContains("circle: only between begin and finish", canvas.circle, "awake", 0, 0, 1)
end

function TestSvg.test_a_world_is_drawn_as_it_is()
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newBody { type = "static", y = -1, shape = d2.box(20, 2) }
	world:newBody { x = 2, y = 3, shape = d2.circle(0.5) }
	world:newBody { x = -2, y = 3, shape = d2.circle(0.25), awake = false }
	world:newBody { x = 5, y = 2, type = "static", shape = d2.circle(1), sensor = true }
	local canvas = svg.newCanvas { width = 640, height = 360, palette = palettes.dark }
	local cam = camera.new(world, { x = 0, y = 2, height = 9 }, 640, 360)
	picture.draw(canvas, cam, world, {}, {})
	local elements = parse(text_of(canvas))
	local dark = palettes.dark
	for _, row in ipairs { { dark.awake, 2, 3, 0.5 }, { dark.sleeping, -2, 3, 0.25 }, { dark.sensor, 5, 2, 1 } } do
		local circles = find(elements, "circle", row[1])
		lu.assertEquals(#circles, 1)
		lu.assertAlmostEquals(circles[1].cx, 320 + 40 * row[2], 0.011)
		lu.assertAlmostEquals(circles[1].cy, 180 - 40 * (row[3] - 2), 0.011)
		lu.assertAlmostEquals(circles[1].r, 40 * row[4], 0.011)
	end
	lu.assertEquals(#find(elements, "path", dark.static), 1)
	lu.assertEquals(elements[2].fill, dark.background)
end

---------------------------------------------------------------------------------------------------------------------------------

TestCamera = {}

local function boxes_in(world, movable)
	local bounds = { math.huge, math.huge, -math.huge, -math.huge }
	for _, body in ipairs(world:getBodies()) do
		if (body:getType() ~= "static") == movable then
			for _, collider in ipairs(body:getColliders()) do
				local x1, y1, x2, y2 = collider:getBox()
				if x2 - x1 < 1e17 then
					if math.abs(x1) > 1e8 then -- far away an AABB of floats is wide; the bodies there are upright boxes of 1 x 1
						local x, y = body:getPosition()
						x1, y1, x2, y2 = x - 0.5, y - 0.5, x + 0.5, y + 0.5
					end
					bounds = { math.min(bounds[1], x1), math.min(bounds[2], y1), math.max(bounds[3], x2), math.max(bounds[4], y2) }
				end
			end
		end
	end
	return bounds
end

-- Odd scenes: contents, the greatest height of the picture (at 16:9), and a point that must be visible.
local scenes = {
	nothing = { build = function() end, most = 20, sees = { 0, 0 } },
	a_ball = { build = function(w) w:newBody { x = 3, y = 4, shape = d2.circle(0.5) } end, most = 12 },
	a_ball_over_a_wide_floor = { most = 25, sees = { 3, 0 }, build = function(w)
		w:newBody { type = "static", y = -1, shape = d2.box(1000, 2) }
		w:newBody { x = 3, y = 8, shape = d2.circle(0.5) }
	end },
	a_ball_on_a_half_plane = { most = 12, sees = { 0, 0 }, build = function(w)
		w:newBody { type = "static", shape = d2.halfPlane(0, 1, 0) }
		w:newBody { y = 0.5, shape = d2.circle(0.5) }
	end },
	only_a_half_plane = { most = 20, sees = { 0, 0 }, build = function(w)
		w:newBody { type = "static", shape = d2.halfPlane(0, 1, 0) }
	end },
	all_static = { most = 70, sees = { 50, 3 }, build = function(w)
		w:newBody { type = "static", shape = d2.segment(-50, 0, 50, 3) }
		w:newBody { type = "static", shape = d2.halfPlane(0, 1, 0) }
	end },
	far_away = { most = 12, build = function(w)
		w:newBody { x = 1e9, y = -1e9, shape = d2.box(1, 1) }
		w:newBody { x = 1e9 + 4, y = -1e9, shape = d2.box(1, 1) }
	end },
	tiny = { most = 0.1, build = function(w) w:newBody { shape = d2.circle(1e-3) } end },
	huge = { most = 1e7, build = function(w) w:newBody { shape = d2.circle(5e5) } end },
	a_tower = { most = 130, sees = { 0, 0 }, build = function(w)
		w:newBody { type = "static", y = -1, shape = d2.box(1000, 2) }
		for i = 1, 100 do w:newBody { y = i - 0.5, shape = d2.box(1, 1) } end
	end },
	a_bin_around_a_ball = { most = 30, sees = { 5, 4 }, build = function(w)
		w:newBody { type = "static", shapes = {
			{ shape = d2.box(10, 0.5) }, { shape = d2.box(0.5, 8, { x = -5, y = 4 }) }, { shape = d2.box(0.5, 8, { x = 5, y = 4 }) },
		} }
		for i = 1, 5 do w:newBody { x = i * 1.5 - 4.5, y = 1, shape = d2.circle(0.5) } end
	end },
	two_far_apart = { most = 1500, build = function(w)
		w:newBody { x = -1000, shape = d2.circle(0.5) }
		w:newBody { x = 1000, shape = d2.circle(0.5) }
	end },
	a_moving_half_plane = { most = 20, build = function(w)
		w:newBody { type = "kinematic", shape = d2.halfPlane(0, 1, 0) }
		w:newBody { y = 1, shape = d2.circle(0.5) }
	end },
	a_drum_that_turns = { most = 20, sees = { 0, 6 }, build = function(w)
		w:newBody { type = "kinematic", angularVelocity = 1, shape = d2.box(10, 8) }
	end },
	a_level_around_a_player = { most = 25, sees = { 14, 8 }, build = function(w)
		w:newBody { type = "static", y = -0.5, shape = d2.box(30, 1) }
		for i = -2, 2 do w:newBody { type = "static", x = 6 * i, y = 4 + i, shape = d2.box(4, 0.5) } end
		w:newBody { type = "static", x = 14, y = 6, shape = d2.box(1, 5) }
		w:newBody { x = -3, y = 0.5, shape = d2.box(1, 1) }
	end },
	a_landscape_around_a_player = { most = 30, sees = { 5, 0 }, build = function(w)
		local points = {}
		for i = 0, 400 do points[2 * i + 1], points[2 * i + 2] = 1000 - 5 * i, i % 2 end
		w:newBody { type = "static", shape = d2.chain(points) }
		w:newBody { y = 3, shape = d2.box(1, 1) }
	end },
	a_body_without_shape = { build = function(w) w:newBody { x = 1e6 } end, most = 20 },
}

for name, scene in pairs(scenes) do
	for _, gravity in ipairs { { 0, -10 }, { 0, 10 }, { 0, 0 } } do
		TestCamera["test_fits_" .. name .. "_in_gravity_" .. gravity[2]] = function()
			local world = d2.newWorld { gravity = gravity }
			scene.build(world)
			local cam = camera.new(world, nil, 1280, 720)
			for _, key in ipairs { "x", "y", "height" } do
				lu.assertTrue(cam[key] == cam[key] and math.abs(cam[key]) < 1e16, key)
			end
			lu.assertTrue(cam.height > 0 and cam.height <= scene.most, ("the picture is %g high"):format(cam.height))
			local x1, y1, x2, y2 = cam:getView(1280, 720)
			local need = boxes_in(world, true)
			if need[1] > need[3] then need = boxes_in(world, false) end
			lu.assertTrue(x1 <= need[1] and y1 <= need[2] and x2 >= need[3] and y2 >= need[4], "it does not show all")
			if scene.sees and gravity[2] < 0 then
				local x, y = unpack(scene.sees)
				lu.assertTrue(x >= x1 and x <= x2 and y >= y1 and y <= y2, ("it does not show %g, %g"):format(x, y))
			end
			-- Each can be drawn.
			local canvas = svg.newCanvas { width = 1280, height = 720 }
			picture.draw(canvas, cam, world, {}, {})
			parse(text_of(canvas))
			world:destroy()
		end
	end
end

function TestCamera.test_pixels_and_points_are_inverse()
	for _, gy in ipairs { -10, 10 } do
		local world = d2.newWorld { gravity = { 0, gy } }
		local cam = camera.new(world, { x = 7, y = -3, height = 4 }, 800, 600)
		for _, p in ipairs { { 0, 0 }, { 800, 600 }, { 123, 456 } } do
			local x, y = cam:toWorld(p[1], p[2], 800, 600)
			local px, py = cam:toScreen(x, y, 800, 600)
			lu.assertAlmostEquals(px, p[1], 1e-9)
			lu.assertAlmostEquals(py, p[2], 1e-9)
		end
		-- Up is against gravity.
		local _, top = cam:toWorld(400, 0, 800, 600)
		lu.assertAlmostEquals(top, -3 + (gy < 0 and 2 or -2), 1e-9)
		local x1, y1, x2, y2 = cam:getView(800, 600)
		lu.assertAlmostEquals(x2 - x1, 4 * 800 / 600, 1e-9)
		lu.assertAlmostEquals(y2 - y1, 4, 1e-9)
		lu.assertTrue(y1 < y2)
	end
end

function TestCamera.test_the_canvas_shows_points_where_the_camera_says()
	for _, gy in ipairs { -10, 10 } do
		local world = d2.newWorld { gravity = { 0, gy } }
		local cam = camera.new(world, { x = 7, y = -3, height = 4 }, 800, 600)
		local canvas = svg.newCanvas { width = 800, height = 600 }
		cam:apply(canvas)
		canvas.begin()
		canvas.point("contact", 8, -2, 6)
		local point = find(parse(text_of(canvas)), "circle")[1]
		local px, py = cam:toScreen(8, -2, 800, 600)
		lu.assertAlmostEquals(point.cx, px, 0.011)
		lu.assertAlmostEquals(point.cy, py, 0.011)
	end
end

function TestCamera.test_zoom_keeps_the_point_and_pan_takes_it_along()
	for _, gy in ipairs { -10, 10 } do
		local world = d2.newWorld { gravity = { 0, gy } }
		local cam = camera.new(world, { x = 7, y = -3, height = 4 }, 800, 600)
		local x, y = cam:toWorld(700, 50, 800, 600)
		for _, factor in ipairs { 1.5, 0.1, 30, 1e-30, 1e60 } do
			cam:zoom(factor, 700, 50, 800, 600)
			local nowX, nowY = cam:toWorld(700, 50, 800, 600)
			local close = 1e-9 + 1e-12 * cam.height
			lu.assertTrue(math.abs(nowX - x) <= close and math.abs(nowY - y) <= close or cam.height >= 1e15)
			lu.assertTrue(cam.height >= 1e-9 and cam.height <= 1e15)
			if factor == 30 then
				cam:pan(31, -17, 800, 600)
				lu.assertAlmostEquals(select(1, cam:toScreen(x, y, 800, 600)), 731, 1e-6)
				lu.assertAlmostEquals(select(2, cam:toScreen(x, y, 800, 600)), 33, 1e-6)
				cam:set { x = 7, y = -3, height = 4 }
			end
			cam:set { x = 7, y = -3, height = 4 }
		end
	end
end

function TestCamera.test_wrong_fields_raise()
	local world = d2.newWorld()
	for _, row in ipairs {
		{ { height = 0 }, "the camera's height must be a number between" },
		{ { height = 0 / 0 }, "the camera's height must be a number between" },
		{ { x = math.huge }, "the camera's x must be a number between" },
		{ { y = "top" }, "the camera's y must be a number between" },
		{ 5, "the camera must be a table, got 5" },
		{ { hieght = 3 }, "unknown key 'hieght' of the camera, did you mean 'height'?" },
		{ { zoom = 3 }, "unknown key 'zoom' of the camera, did you mean 'height'?" },
		{ { distance = 3 }, "unknown key 'distance' of the camera in 2D, did you mean 'height'?" },
		{ { yaw = 3 }, "unknown key 'yaw' of the camera in 2D (there are: x, y, height)" },
	} do
		lu.assertErrorMsgContains(row[2], camera.new, world, row[1], 100, 100)
	end
	lu.assertErrorMsgContains("unknown key 'height' of the camera in 3D, did you mean 'distance'?", camera.new, d3.newWorld(), { height = 3 }, 100, 100)
	local cam = camera.new(world, { x = 5 }, 100, 100)
	cam:set(nil)
	lu.assertEquals(cam.x, 5)
end

function TestCamera.test_the_grid_has_round_distances()
	for _, height in ipairs { 1e-6, 0.3, 7, 1000, 3e9 } do
		local cam = camera.new(d2.newWorld(), { x = 0.1 * height, y = 0, height = height }, 800, 600)
		local upright, count = {}, 0
		cam:drawGround { getSize = function() return 800, 600 end, segment = function(color, x1, _, x2)
			lu.assertEquals(color, "grid")
			count = count + 1
			if x1 == x2 then upright[#upright + 1] = x1 end
		end }
		lu.assertTrue(count > 6 and count < 60, count)
		local step = upright[2] - upright[1]
		local digit = step / 10 ^ math.floor(math.log(step) / math.log(10) + 1e-9)
		lu.assertTrue(math.abs(digit - 1) < 1e-6 or math.abs(digit - 2) < 1e-6 or math.abs(digit - 5) < 1e-6, digit)
		for _, x in ipairs(upright) do lu.assertAlmostEquals(x / step, math.floor(x / step + 0.5), 1e-6) end
	end
end

function TestCamera.test_there_is_no_grid_too_far_away()
	local cam = camera.new(d2.newWorld(), { x = 1e15, y = 1e15, height = 1e-3 }, 800, 600)
	cam:drawGround { getSize = function() return 800, 600 end, segment = function() lu.fail "a line" end }
end

-- A mock world in 3D.
local function space(gravity, boxes)
	local world, bodies = {}, {}
	for i, box in ipairs(boxes) do
		local collider = { getBox = function() return unpack(box) end }
		bodies[i] = { getType = function() return box.type or "dynamic" end, getColliders = function() return { collider } end }
	end
	function world.getGravity() return unpack(gravity) end
	function world.getBodies() return bodies end
	function world.raycast() end
	return world
end

local function eye_of(cam)
	local eye
	cam:apply { getSize = function() return 1280, 720 end, setCamera3 = function(...) eye = { ... } end }
	return eye
end

function TestCamera.test_in_3d_all_is_in_front_of_the_eye_and_in_view()
	local box = { -3, 10, 2, 9, 14, 8 }
	for _, gravity in ipairs { { 0, -10, 0 }, { 0, 0, -10 }, { -9, 0, 0 }, { 0, 0, 0 }, { 3, 4, 5 } } do
		for _, fov in ipairs { 0.8, 0, 1.5 } do
			local world = space(gravity, { box })
			local cam = camera.new(world, { fov = fov }, 1280, 720)
			for _, turn in ipairs { { 0, 0 }, { 1, 0.5 }, { 2.5, -9 }, { -7, 20 } } do
				cam:orbit(unpack(turn))
				cam:fit(world, 1280, 720)
				local ex, ey, ez, tx, ty, tz, ux, uy, uz, angle, height = unpack(eye_of(cam))
				lu.assertEquals(angle, fov)
				local dx, dy, dz = tx - ex, ty - ey, tz - ez
				local far = math.sqrt(dx * dx + dy * dy + dz * dz)
				lu.assertAlmostEquals(far, cam.distance, 1e-6 * far)
				dx, dy, dz = dx / far, dy / far, dz / far
				-- Up is against gravity. Upwards on the picture is its part across the view, of which something is left even when looking straight down.
				lu.assertTrue(ux * gravity[1] + uy * gravity[2] + uz * gravity[3] <= -0.999 * math.sqrt(gravity[1] ^ 2 + gravity[2] ^ 2 + gravity[3] ^ 2))
				local along = dx * ux + dy * uy + dz * uz
				ux, uy, uz = ux - along * dx, uy - along * dy, uz - along * dz
				local across = math.sqrt(ux * ux + uy * uy + uz * uz)
				lu.assertTrue(across > 5e-5)
				ux, uy, uz = ux / across, uy / across, uz / across
				-- With gravity, the eye is above the target, and so above the ground.
				lu.assertTrue(dx * gravity[1] + dy * gravity[2] + dz * gravity[3] >= 0)
				local rx, ry, rz = dy * uz - dz * uy, dz * ux - dx * uz, dx * uy - dy * ux
				for corner = 0, 7 do
					local x = box[1 + 3 * (corner % 2)] - ex
					local y = box[2 + 3 * (math.floor(corner / 2) % 2)] - ey
					local z = box[3 + 3 * math.floor(corner / 4)] - ez
					local depth = x * dx + y * dy + z * dz
					lu.assertTrue(depth > 0)
					local half = fov > 0 and depth * math.tan(fov / 2) or height / 2
					lu.assertTrue(math.abs(x * ux + y * uy + z * uz) <= half * (1 + 1e-9))
					lu.assertTrue(math.abs(x * rx + y * ry + z * rz) <= half * 1280 / 720 * (1 + 1e-9))
				end
			end
		end
	end
end

function TestCamera.test_in_3d_the_grid_is_normal_to_gravity_through_the_origin()
	for _, gravity in ipairs { { 0, -10, 0 }, { 0, 0, 7 }, { 1, 2, -2 } } do
		local cam = camera.new(space(gravity, { { 0, 0, 0, 1, 1, 1 } }), nil, 1280, 720)
		local count = 0
		cam:drawGround { segment = function(_, ...)
			local p = { ... }
			lu.assertEquals(#p, 6)
			for i = 1, 4, 3 do
				lu.assertAlmostEquals(p[i] * gravity[1] + p[i + 1] * gravity[2] + p[i + 2] * gravity[3], 0, 1e-6)
			end
			count = count + 1
		end }
		lu.assertTrue(count > 10 and count < 200)
	end
end

function TestCamera.test_the_scale_is_that_of_the_grid()
	for _, gy in ipairs { -10, 10 } do
		local cam = camera.new(d2.newWorld { gravity = { 0, gy } }, { x = 1e6, y = -0.35, height = 2 }, 400, 200)
		local lines, labels = { x = {}, y = {} }, {}
		local canvas = { getSize = function() return 400, 200 end, getTextSize = function(text) return 8 * #text, 16 end }
		function canvas.segment(_, x1, y1, x2, y2)
			local axis = x1 == x2 and "x" or "y"
			lu.assertTrue(x1 == x2 or y1 == y2)
			table.insert(lines[axis], axis == "x" and x1 or y1)
		end
		function canvas.label(color, px, py, text)
			lu.assertEquals(color, "scale")
			labels[#labels + 1] = { px, py, tonumber(text) }
			lu.assertTrue(#text <= 9, text)
			lu.assertNotEquals(text, "-0")
		end
		cam:drawGround(canvas)
		cam:drawScale(canvas)
		-- Each number stands beside the line of that coordinate, and none on another: lines that are too near to one have none.
		lu.assertTrue(#labels > 6 and #labels <= #lines.x + #lines.y)
		local free = 0
		for _, label in ipairs(labels) do
			local axis, nearest = label[3] > 1e5 and "x" or "y", math.huge
			if axis == "x" then
				lu.assertTrue(label[1] >= free)
				free = label[1] + 8 * #("%.14g"):format(label[3])
			end
			for _, line in ipairs(lines[axis]) do nearest = math.min(nearest, math.abs(line - label[3])) end
			lu.assertTrue(nearest < 1e-9)
			local px, py = cam:toScreen(label[3], label[3], 400, 200)
			lu.assertAlmostEquals(axis == "x" and label[1] or label[2], axis == "x" and px + 4 or py + 1, 1e-3)
		end
	end
	local cam = camera.new(space({ 0, -10, 0 }, { { 0, 0, 0, 1, 1, 1 } }), { distance = 7.1 }, 400, 200)
	local said
	cam:drawScale { getSize = function() return 400, 200 end, getTextSize = function() return 40, 16 end, panel = function() end,
		label = function(_, _, _, text) said = text end }
	lu.assertEquals(said, "grid 1") -- 7.1 tan 0.4 / 3 lengths, rounded down
end

function TestCamera.test_the_orbit_stays_above_the_ground()
	local boxes = { { 0, 0, 0, 1, 1, 1 } }
	local cam = camera.new(space({ 0, -10, 0 }, boxes), nil, 400, 200)
	cam:orbit(0, -9)
	lu.assertTrue(cam.pitch > 0 and cam.pitch < 0.1)
	local _, ey, _, _, ty = unpack(eye_of(cam))
	lu.assertTrue(ey > ty)
	cam:orbit(0, 9)
	lu.assertEquals(cam.pitch, math.pi / 2)
	-- A scenario may look from below; the orbit goes up from there, and no farther down.
	cam = camera.new(space({ 0, -10, 0 }, boxes), { pitch = -1 }, 400, 200)
	cam:orbit(1, 0)
	lu.assertEquals(cam.pitch, -1)
	cam:orbit(0, -0.1)
	lu.assertEquals(cam.pitch, -1)
	-- Without gravity, there is no ground.
	cam = camera.new(space({ 0, 0, 0 }, boxes), nil, 400, 200)
	cam:orbit(0, -9)
	lu.assertEquals(cam.pitch, -math.pi / 2)
end

function TestCamera.test_the_scenarios_camera_is_used_unless_another_is_given()
	local world = d2.newWorld()
	local ball = world:newBody { x = 3, y = 4, shape = d2.circle(1) }
	local seen = 0
	local scenario = { camera = function(w, canvas)
		lu.assertTrue(w == world and canvas.getSize() == 400)
		seen = seen + 1
		local x, y = ball:getPosition()
		return { x = x, y = y, height = 8 }
	end }
	local canvas = new_svg()
	canvas.finish()
	local options = {}
	local cam = picture.newCamera(canvas, world, scenario, options)
	ball:setPosition(10, 20)
	picture.draw(canvas, cam, world, scenario, options)
	lu.assertEquals({ cam.x, cam.y, cam.height, seen }, { 10, 20, 8, 2 })
	ball:setPosition(0, 0)
	options.free = true
	picture.draw(canvas, cam, world, scenario, options)
	lu.assertEquals({ cam.x, seen }, { 10, 2 })
	cam = picture.newCamera(canvas, world, scenario, { camera = { x = 1 } })
	lu.assertEquals({ cam.x, cam.y, seen }, { 1, 0, 2 })
	cam = picture.newCamera(canvas, world, { camera = { height = 3 } }, {})
	lu.assertEquals({ cam.x, cam.height }, { 0, 3 })
end

function TestCamera.test_a_picture_is_drawn_in_order()
	local said = {}
	local canvas = { getSize = function() return 100, 100 end, getTextSize = function() return 8, 16 end }
	function canvas.label(color) if said[#said] ~= color then said[#said + 1] = color end end
	for _, name in ipairs { "setCamera", "begin", "finish" } do canvas[name] = function() said[#said + 1] = name end end
	function canvas.segment() if said[#said] ~= "ground" then said[#said + 1] = "ground" end end
	local world = setmetatable({}, { __index = function(_, name)
		if name == "draw" then
			return function(_, target, options)
				lu.assertTrue(target == canvas and options.contacts and #options.view == 4)
				said[#said + 1] = "world"
			end
		end
		return function() return 0, -10 end
	end })
	world.getBodies = function() return {} end
	local options = { draw = { contacts = true } }
	local cam = picture.newCamera(canvas, world, {}, options)
	picture.draw(canvas, cam, world, { draw = function(c, w)
		lu.assertTrue(c == canvas and w == world)
		said[#said + 1] = "scenario"
	end }, options, function(c)
		lu.assertTrue(c == canvas)
		said[#said + 1] = "over"
	end)
	lu.assertEquals(said, { "begin", "setCamera", "ground", "world", "scale", "scenario", "over", "finish" })
end

---------------------------------------------------------------------------------------------------------------------------------
-- Pixels: the view module's rendering of a scene

TestPixels = {}

local function channels(color)
	local r, g, b = color:match "^#(%x%x)(%x%x)(%x%x)"
	return { tonumber(r, 16), tonumber(g, 16), tonumber(b, 16) }
end

-- Whether the pixel has one of the two colours or one between them.
local function is_between(pixel, a, b)
	for i = 1, 3 do
		if pixel[i] < math.min(a[i], b[i]) - 2 or pixel[i] > math.max(a[i], b[i]) + 2 then return false end
	end
	return true
end

local function pixels_of(canvas)
	local bytes = canvas.pixels()
	local width = canvas.getSize()
	return function(px, py)
		local at = 3 * (py * width + px)
		return { bytes:byte(at + 1, at + 3) }
	end
end

local function draw_on(canvas, world, x, y, scale)
	canvas.setCamera(x, y, scale, 1)
	canvas.begin()
	world:draw(canvas)
	canvas.finish()
end

if has_view then
	for _, theme in ipairs { "light", "dark" } do
		TestPixels["test_a_circle_covers_its_pixels_and_no_others_" .. theme] = function()
			local palette = palettes[theme]
			local canvas = view.newCanvas { width = 160, height = 120, palette = palette }
			local world = d2.newWorld()
			local ball = world:newBody { x = 2, y = 1, shape = d2.circle(1), angle = 0.7 }
			for _, case in ipairs { { 2, 1, 40 }, { 1.3, 1.6, 31.4 }, { 2, 1, 5 } } do
				local x, y, scale = unpack(case)
				draw_on(canvas, world, x, y, scale)
				local at = pixels_of(canvas)
				local fill, background = channels(palette.awake), channels(palette.background)
				local edge = { fill[1] * 0.65, fill[2] * 0.65, fill[3] * 0.65 }
				local cx, cy, r = 80 + (2 - x) * scale, 60 - (1 - y) * scale, scale
				for py = 0, 119 do
					for px = 0, 159 do
						local distance = math.sqrt((px + 0.5 - cx) ^ 2 + (py + 0.5 - cy) ^ 2)
						if distance < r - 1.5 then
							lu.assertTrue(is_between(at(px, py), fill, edge), ("pixel %d, %d"):format(px, py))
						elseif distance > r + 1.5 then
							lu.assertEquals(at(px, py), background)
						end
					end
				end
				-- Half-way to the edge, off the mark, there is the fill colour.
				if r > 20 then lu.assertEquals(at(math.floor(cx - r / 2), math.floor(cy)), fill) end
			end
			ball:destroy()
			draw_on(canvas, world, 2, 1, 40)
			lu.assertEquals(pixels_of(canvas)(80, 60), channels(palette.background))
			canvas.close()
		end

		TestPixels["test_each_meaning_has_its_colour_" .. theme] = function()
			local palette = palettes[theme]
			local canvas = view.newCanvas { width = 160, height = 40, palette = palette }
			local world = d2.newWorld { gravity = { 0, 0 } }
			local kinds = {
				{ "awake", {} }, { "sleeping", { awake = false } }, { "static", { type = "static" } }, { "kinematic", { type = "kinematic" } },
				{ "bullet", { bullet = true } }, { "disabled", { enabled = false } }, { "background", { sensor = true } },
			}
			for i, kind in ipairs(kinds) do
				kind[2].x, kind[2].shape = i * 2 - 8, d2.box(1.2, 1.2)
				world:newBody(kind[2])
			end
			draw_on(canvas, world, 0, 0, 10)
			local at = pixels_of(canvas)
			for i, kind in ipairs(kinds) do lu.assertEquals(at(i * 20, 20), channels(palette[kind[1]]), kind[1]) end
			-- The sensor is an outline.
			local outline = at(7 * 20 - 6, 20)
			lu.assertTrue(is_between(outline, channels(palette.sensor), channels(palette.background)))
			lu.assertNotEquals(outline, channels(palette.background))
			canvas.close()
		end
	end

	-- Both kinds of canvas show the same scene at the same position.
	function TestPixels.test_svg_and_the_view_module_agree()
		if not (has "rsvg-convert" and has "ffmpeg") then return end
		local world = d2.newWorld()
		world:newBody { type = "static", shape = d2.halfPlane(0.2, 1, -2) }
		world:newBody { x = -4, y = 1, angle = 0.4, shape = d2.box(3, 2, { radius = 0.5 }) }
		world:newBody { x = 3, y = 0.5, angle = 2, shape = d2.capsule(-1, 0, 1.5, 1, 0.6), awake = false }
		world:newBody { x = 0, y = 2, shape = d2.ellipse(1.2, 0.6), type = "kinematic" }
		local folder = shell "mktemp -d":match "[^\n]+"
		local drawn = view.newCanvas { width = 320, height = 200, palette = palettes.light }
		local written = svg.newCanvas { width = 320, height = 200, palette = palettes.light }
		for _, canvas in ipairs { drawn, written } do draw_on(canvas, world, 0, 0, 25) end
		written.save(folder .. "/a.svg")
		drawn.save(folder .. "/a.png")
		shell(("cd %s && rsvg-convert a.svg -o b.png && for i in a b; do %s; done"):format(folder,
			"ffmpeg -loglevel error -i $i.png -f rawvideo -pix_fmt rgb24 $i.rgb"))
		local a, b = read(folder .. "/a.rgb"), read(folder .. "/b.rgb")
		shell("rm -r " .. folder)
		if not (a and b) then return end
		lu.assertEquals(a, drawn.pixels())
		local far = 0
		for i = 1, #a do
			if math.abs(a:byte(i) - b:byte(i)) > 40 then far = far + 1 end
		end
		-- In SVG outlines are centred on the edge, here they are inside it.
		lu.assertTrue(far < 0.03 * #a, ("%d of %d differ"):format(far, #a))
		drawn.close()
	end
else
	print "pictures by the view module are not tested: it is not built"
end

---------------------------------------------------------------------------------------------------------------------------------
-- The host

if support.windows then return end

TestPictures = {}

has_view = has_view and not support.host_is_foreign
local host = shell("readlink -f " .. quote(support.host)):match "[^\n]+"
local folder -- of this test alone

function TestPictures.setUp()
	folder = shell("mktemp -d"):match "[^\n]+"
end

function TestPictures.tearDown()
	shell("rm -r " .. quote(folder))
end

-- The command's standard output, standard error, and exit code.
local function run_command(command)
	local code = shell(("(cd %s && %s) >%s/out 2>%s/err; echo $?"):format(folder, command, folder, folder))
	return read(folder .. "/out"), read(folder .. "/err"), tonumber(code)
end

local function line_of(...)
	local words = { quote(host) }
	for i, word in ipairs { ... } do words[i + 1] = quote(word) end
	return table.concat(words, " ")
end

local function run(...)
	return run_command(line_of(...))
end

-- The folder's files, except those of every test.
local function files()
	return (shell("ls " .. folder):gsub("out\n", ""):gsub("err\n", ""):gsub("scenario.lua\n", ""))
end

local function scenario(rest)
	return write(folder .. "/scenario.lua", [[
    local d2 = require("collide").d2
    local scenario = { name = "falling", duration = 0.25 }
    function scenario.setup()
      local world = d2.newWorld()
      world:newBody { type = "static", y = -1, shape = d2.box(20, 2) }
      world:newBody { y = 3, shape = d2.circle(0.5) }
      return world
    end
  ]] .. (rest or "") .. "\nreturn scenario\n")
end

function TestPictures.test_wrong_calls_get_one_line_and_code_2()
	local script = scenario()
	local rows = {
		{ { "--shot", "x.jpg", script }, "--shot must be a file that ends in .png, got 'x.jpg'" },
		{ { "--shot", ".png", script }, "--shot must be a file that ends in .png, got '.png'" },
		{ { "--svg", "x.png", script }, "--svg must be a file that ends in .svg, got 'x.png'" },
		{ { "--film", "x.avi", script }, "--film must be a file that ends in .mp4, .gif or .webm, got 'x.avi'" },
		{ { "--film" }, "--film needs a file" },
		{ { "--svg", "x.svg", "--size", "10x10", script }, "--size must be WIDTHxHEIGHT, each between 16 and 8192 pixels, got '10x10'" },
		{ { "--svg", "x.svg", "--size", "640", script }, "--size must be WIDTHxHEIGHT, each between 16 and 8192 pixels, got '640'" },
		{ { "--svg=x.svg", "--size=640x9999", script }, "--size must be WIDTHxHEIGHT, each between 16 and 8192 pixels, got '640x9999'" },
		{ { "--svg", "x.svg", "--at", "-1", script }, "--at must be a number of at least 0, got '-1'" },
		{ { "--svg", "x.svg", "--at", "2", "--seconds", "1", script }, "--at is after the end that --seconds sets" },
		{ { "--svg", "x.svg", "--at", "2", "--steps", "60", script }, "--at 2 is after the end of the run, which is at 1 s" },
		{ { "--film", "x.gif", "--at", "2", script }, "--at goes with --shot or --svg" },
		{ { "--film", "x.mp4", "--fps", "0", script }, "--fps must be a number between 1 and 240, got '0'" },
		{ { "--film", "x.mp4", "--fps", "241", script }, "--fps must be a number between 1 and 240, got '241'" },
		{ { "--film", "x.gif", "--fps", "60", script }, "--fps must be at most 50 for a .gif" },
		{ { "--shot", "x.png", "--fps", "60", script }, "--fps goes with --film" },
		{ { "--svg", "x.svg", "--theme", "pink", script }, "--theme must be light or dark, got 'pink'" },
		{ { "--svg", "x.svg", "--draw", "contacts,boxen", script }, "--draw must be names out of boxes, tree, contacts, joints, islands, "
			.. "centers, velocities, names, fields, separated by commas, got 'contacts,boxen'" },
		{ { "--size", "64x64", script }, "--size goes with --shot, --svg, --film or --view" },
		{ { "--draw", "boxes", script }, "--draw goes with --shot, --svg, --film or --view" },
		{ { "--watch", script }, "--watch goes with --view" },
		{ { "--view", "--shot", "x.png", script }, "--view opens a window, and does not go with --shot" },
		{ { "--view", "--film", "x.gif", script }, "--view opens a window, and does not go with --film" },
		{ { "--view", "--json", script }, "--view opens a window, and does not go with --json" },
		{ { "--view", "-e", "" }, "--view opens a window, and does not go with -e" },
		{ { "--view", "--test", "x" }, "--view opens a window, and does not go with --test" },
		{ { "--svg", "x.svg", "--test", "x" }, "--svg does not go with --test" },
	}
	for _, list in ipairs { "1,2", "1,2,0", "1,2,-3", "1,2,nan", "1,inf,3", "1,2,3,4", "a,b,c", "", "1,2,3,4,5,9" } do
		rows[#rows + 1] = { { "--svg", "x.svg", "--camera", list, script },
			"--camera must be X,Y,HEIGHT with a HEIGHT above 0, or X,Y,Z,DISTANCE,YAW,PITCH, got '" .. list .. "'" }
	end
	for _, row in ipairs(rows) do
		local out, err, code = run(unpack(row[1]))
		lu.assertEquals({ out, err, code, files() }, { "", "host: " .. row[2] .. "\n", 2, "" })
	end
end

function TestPictures.test_an_svg_of_the_end_of_the_run()
	local out, err, code = run("--svg", "a.svg", "--size", "640x480", "--camera", "0,2,8", scenario(), "x")
	lu.assertEquals({ err, code }, { "", 0 })
	lu.assertStrContains(out, "wrote a.svg: 640x480 pixels, after 0.25 s\nfalling: no check\n")
	local elements = parse(read(folder .. "/a.svg"))
	lu.assertEquals({ elements[1].width, elements[1].height }, { 640, 480 })
	local ball = find(elements, "circle", palettes.light.awake)[1]
	lu.assertEquals({ ball.cx, ball.r }, { 320, 30 })
	-- After 15 ticks: y = 3 - g t^2 / 2, and the integrator's error g t h / 2.
	lu.assertAlmostEquals(ball.cy, 240 - 60 * (3 - 5 * 0.0625 - 5 * 0.25 / 240 - 2), 0.3)
end

function TestPictures.test_drawing_changes_nothing()
	local tests = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
	local script = quote(shell("readlink -f " .. quote(tests .. "/../scripts/pyramid.lua")):match "[^\n]+")
	local function hash_of(options)
		local out = run_command(("%s --json --steps 30 %s %s 8"):format(quote(host), options, script))
		return out:match '"hash":"(%x+)"'
	end
	local hash = hash_of ""
	lu.assertNotNil(hash)
	lu.assertEquals(hash_of "--svg a.svg --draw contacts,boxes,tree,islands,joints,centers,velocities,names,fields", hash)
	if has_view then lu.assertEquals(hash_of "--shot a.png", hash) end
end

function TestPictures.test_a_picture_of_a_moment_ends_the_run_there()
	local script = scenario "function scenario.check() error() end"
	local out, err, code = run("--svg", "a.svg", "--at", "0.1", "--camera", "0,2,8", "--json", script)
	lu.assertEquals({ err, code }, { "wrote a.svg: 1280x720 pixels, after 0.1 s\n", 0 })
	lu.assertStrContains(out, '"check":"cut short","ticks":6,')
	local early = read(folder .. "/a.svg")
	out = run("--svg", "a.svg", "--at", "0.1", "--seconds", "1", "--camera", "0,2,8", "--json", scenario())
	lu.assertStrContains(out, '"ticks":60,')
	lu.assertEquals(read(folder .. "/a.svg"), early)
	run("--svg", "a.svg", "--seconds", "1", "--camera", "0,2,8", scenario())
	lu.assertNotEquals(read(folder .. "/a.svg"), early)
	run("--svg", "a.svg", "--at", "0", "--camera", "0,2,8", scenario())
	lu.assertEquals(find(parse(read(folder .. "/a.svg")), "circle")[1].cy, 360 - 90 * (3 - 2))
end

function TestPictures.test_a_camera_for_other_dimensions_is_an_error()
	local out, err, code = run("--svg", "a.svg", "--camera", "0,0,0,10,0,0", scenario())
	lu.assertStrContains(err, "host: --camera: in two dimensions it is X,Y,HEIGHT\n")
	lu.assertEquals({ out, code, files() }, { "", 1, "" })
end

function TestPictures.test_an_svg_of_three_dimensions_is_an_error_of_one_line()
	local script = write(folder .. "/scenario.lua", "return { setup = function() return require('collide').d3.newWorld() end }")
	lu.assertEquals({ run("--svg", "a.svg", script) }, { "", "host: --svg draws two dimensions only: use --shot\n", 1 })
	lu.assertEquals(files(), "")
end

function TestPictures.test_options_take_precedence_over_the_scenarios_settings()
	local script = scenario [[
    scenario.theme, scenario.camera = "dark", { x = 0, y = 0, height = 100 }
    function scenario.draw(canvas, world) canvas.label("label", 5, 5, "tick " .. world:getTick()) end
  ]]
	run("--svg", "a.svg", "--draw", "names,boxes", script)
	local elements = parse(read(folder .. "/a.svg"))
	lu.assertEquals(elements[2].fill, palettes.dark.background)
	lu.assertAlmostEquals(find(elements, "circle", palettes.dark.awake)[1].r, 3.6, 0.01)
	lu.assertEquals(find(elements, "text", palettes.dark.label)[1].text, "tick 15")
	lu.assertTrue(#find(elements, "path", palettes.dark.box:sub(1, 7)) + #find(elements, "line", palettes.dark.box:sub(1, 7)) > 0)
	run("--svg", "a.svg", "--theme", "light", "--camera", "0,0,50", script)
	elements = parse(read(folder .. "/a.svg"))
	lu.assertEquals(elements[2].fill, palettes.light.background)
	lu.assertAlmostEquals(find(elements, "circle", palettes.light.awake)[1].r, 7.2, 0.01)
end

function TestPictures.test_wrong_fields_of_the_scenario_are_named()
	for _, row in ipairs {
		{ "scenario.theme = 'pink'", "scenario.theme must be \"light\" or \"dark\", got pink" },
		{ "scenario.camera = 5", "scenario.camera must be a table or a function, got 5" },
		{ "scenario.camera = { height = -1 }", "the camera's height must be a number between" },
		{ "scenario.camera = function() return { x = 'left' } end", "the camera's x must be a number between" },
		{ "scenario.draw = 5", "scenario.draw must be a function, got 5" },
		{ "scenario.key = 'q'", "scenario.key must be a function, got q" },
		{ "scenario.mouse = 1", "scenario.mouse must be a function, got 1" },
		{ "function scenario.draw(canvas) canvas.rectangle(0, 0) end", "scenario.lua:9: unknown function 'rectangle' of the canvas, use 'panel' (in pixels) or 'polygon'\n" },
		{ "function scenario.draw(canvas) canvas.lable('label', 0, 0, 'x') end", "unknown function 'lable' of the canvas, did you mean 'label'?\n" },
		{ "function scenario.draw(canvas, world) world:destroy() end", "the scenario has destroyed its world\n" },
		{ "function scenario.draw() error 'no colours left' end", "no colours left" },
		{ "function scenario.draw(canvas) canvas.point('pink', 0, 0, 1) end", "there is no color \"pink\"" },
	} do
		local _, err, code = run("--svg", "a.svg", scenario(row[1]))
		lu.assertStrContains(err, row[2])
		lu.assertEquals({ code, files() }, { 1, "" })
	end
end

function TestPictures.test_a_script_may_return_its_world()
	write(folder .. "/scenario.lua", [[
    local d2 = require("collide").d2
    local world = d2.newWorld()
    world:newBody { shape = d2.circle(1) }
    for i = 1, 7 do world:step(1 / 60) end
    print "done"
    return world
  ]])
	local out, err, code = run "scenario.lua"
	lu.assertEquals({ out, err, code }, { "done\n", "", 0 })
	out, err, code = run("--svg", "a.svg", "scenario.lua")
	lu.assertEquals({ err, code }, { "", 0 })
	lu.assertEquals(out, "done\nwrote a.svg: 1280x720 pixels\n")
	lu.assertEquals(#find(parse(read(folder .. "/a.svg")), "circle"), 1)
	lu.assertEquals({ run("scenario.lua", "--svg", "b.svg") }, { "done\nwrote b.svg: 1280x720 pixels\n", "", 0 })
	out, err, code = run("--quiet", "--svg", "a.svg", "-e", "return require('collide').d2.newWorld()")
	lu.assertEquals({ out, err, code }, { "", "", 0 })
end

function TestPictures.test_without_a_world_there_is_nothing_to_draw()
	for _, text in ipairs { "", "return 5", "return {}" } do
		local _, err, code = run("--svg", "a.svg", write(folder .. "/scenario.lua", text))
		lu.assertEquals(code, 1)
		lu.assertEquals(err, "host: " .. folder .. "/scenario.lua returns neither a scenario nor a world: there is nothing to draw\n")
	end
	lu.assertEquals(files(), "")
end

function TestPictures.test_unwritable_files_are_reported_before_the_run()
	shell("mkdir " .. folder .. "/x.svg")
	write(folder .. "/scenario.lua", "print 'it ran'")
	for _, row in ipairs {
		{ "/nowhere/a.svg", "cannot write /nowhere/a.svg: No such file or directory" }, { "x.svg", "cannot write x.svg: " .. support.is_a_folder },
	} do
		local out, err, code = run("--svg", row[1], "scenario.lua")
		lu.assertEquals({ out, err, code }, { "", "host: " .. row[2] .. "\n", 1 })
	end
end

-- /dev/full has no room for a byte.
function TestPictures.test_a_full_disk_is_an_error_of_one_line_and_leaves_no_picture()
	lu.skipIf(support.host_is_foreign or shell "test -c /dev/full || echo none" ~= "", "no full device")
	for _, name in ipairs { "svg", has_view and "shot" or nil } do
		local file = name == "svg" and "a.svg" or "a.png"
		shell(("ln -s /dev/full %s/%s"):format(folder, file))
		local out, err, code = run("--quiet", "--" .. name, file, scenario())
		lu.assertEquals({ out, code, files() }, { "", 1, "" })
		lu.assertStrMatches(err, "host: cannot write a%.%a+: [^\n]*\n")
	end
end

function TestPictures.test_a_failing_run_keeps_existing_files()
	write(folder .. "/a.svg", "old")
	local _, _, code = run("--svg", "a.svg", "--svg", "a.svg", scenario "function scenario.update() error 'oh' end")
	lu.assertEquals({ code, read(folder .. "/a.svg") }, { 1, "old" })
end

-- A host without its view module, as if the libraries were not installed.
function TestPictures.test_a_missing_view_module_is_reported_in_one_line()
	local build = host:match "^(.*)/"
	local lua = shell("readlink -f " .. quote(debug.getinfo(camera.new, "S").source:match "^@(.*)/collide/host/camera.lua$")):match "[^\n]+"
	shell(("cd %s && mkdir b; cp %s/host* %s/*.so %s/*.dll b 2>/dev/null; ln -s %s lua"):format(folder, quote(build), quote(build), quote(build), quote(lua)))
	local script = scenario()
	local advice = " needs the view module" .. (support.host_is_foreign and ", which does not exist for Windows\n" or ": make view\n")
	for _, row in ipairs { { "--shot", "a.png" }, { "--film", "a.gif" }, { "--view" } } do
		local out, err, code = run_command(("unset LUA_CPATH LUA_PATH; ./b/host %s %s %s"):format(row[1], row[2] or "", quote(script)))
		lu.assertEquals({ out, err, code }, { "", "host: " .. row[1] .. advice, 1 })
	end
	local _, err, code = run_command("./b/host --quiet --svg a.svg " .. quote(script))
	lu.assertEquals({ err, code }, { "", 0 })
end

if has_view then
	local function size_of_png(path)
		local text = read(folder .. "/" .. path)
		lu.assertEquals(text:sub(1, 8), "\137PNG\r\n\26\n")
		local a, b, c, d, e, f, g, h = text:byte(17, 24)
		return ((a * 256 + b) * 256 + c) * 256 + d, ((e * 256 + f) * 256 + g) * 256 + h
	end

	function TestPictures.test_a_png_has_the_requested_size()
		local _, err, code = run("--shot", "a.png", "--quiet", scenario())
		lu.assertEquals({ err, code, size_of_png "a.png" }, { "", 0, 1280, 720 })
		_, err, code = run("--shot", "a.png", "--size", "101x77", "--svg", "b.svg", "--quiet", scenario())
		lu.assertEquals({ err, code, size_of_png "a.png" }, { "", 0, 101, 77 })
		lu.assertEquals(files(), "a.png\nb.svg\n")
	end

	function TestPictures.test_pictures_need_no_display()
		local _, err, code = run_command("unset DISPLAY WAYLAND_DISPLAY; " .. line_of("--shot", "a.png", "--quiet", scenario()))
		lu.assertEquals({ err, code }, { "", 0 })
	end

	function TestPictures.test_without_ffmpeg_there_is_one_line()
		shell("mkdir " .. folder .. "/empty")
		local out, err, code = run_command("PATH=" .. folder .. "/empty " .. line_of("--film", "a.mp4", scenario()))
		lu.assertEquals({ out, err, code }, { "", "host: --film needs ffmpeg: apt-get install ffmpeg\n", 1 })
	end

	function TestPictures.test_cameras_of_any_height()
		for _, height in ipairs { "1e-9", "1e15" } do
			local _, err, code = run("--shot", "a.png", "--camera", "0,0," .. height, "--size", "16x16", "--quiet", scenario())
			lu.assertEquals({ err, code }, { "", 0 })
		end
		local _, err, code = run("--shot", "a.png", "--camera", "0,0,1e-9", "--size", "8192x16", "--quiet", scenario())
		lu.assertEquals({ err, code }, { "", 0 })
	end

	-- The message is the error that kept the first picture from being drawn, not that the film is empty.
	function TestPictures.test_an_error_in_the_first_picture_of_a_film_is_reported()
		for _, call in ipairs { "c.solidCircl('awake', 0, 0, 1)", "c.begin()", "c.segment('pink', 0, 0, 1, 1)", "c.close()" } do
			local path = write(folder .. "/broken.lua", ([[
        return { duration = 0.1, setup = function() return require("collide").d2.newWorld() end, draw = function(c)
          %s
        end }
      ]]):format(call))
			local out, err, code = run_command(line_of("--film", "a.mp4", "--shot", "a.png", "--quiet", path))
			lu.assertEquals({ out, code, files() }, { "", 1, "broken.lua\n" }, call)
			lu.assertEquals(err:find("it has no picture", 1, true), nil)
			lu.assertStrContains(err, call == "c.close()" and "the canvas is closed" or "broken.lua:2: ")
		end
	end

	-- Fake ffmpegs that fail: at once, after a while, by a signal, at the very end.
	function TestPictures.test_a_failing_ffmpeg_is_an_error_and_leaves_nothing()
		shell("mkdir " .. folder .. "/bin")
		for _, row in ipairs {
			{ "echo 'no tape' >&2; echo 'and more' >&2; exit 3", "no tape" },
			{ "head -c 99999 >/dev/null; echo 'tape full' >&2; exit 1", "tape full" },
			{ "head -c 99999 >/dev/null; kill -9 $$", "" },
			{ "cat >/dev/null; for last in; do true; done; exit 5", "it ended with exit code 5" },
			{ "cat >/dev/null; echo half >a.mp4.part; exit 5", "it ended with exit code 5" },
		} do
			write(folder .. "/bin/ffmpeg", "#!/bin/sh\n" .. row[1] .. "\n")
			shell(("chmod +x %s/bin/ffmpeg"):format(folder))
			local out, err, code = run_command(("PATH=%s/bin:$PATH %s"):format(folder, line_of("--film", "a.mp4", "--quiet", scenario())))
			lu.assertEquals({ out, code, files() }, { "", 1, "bin\n" })
			lu.assertStrMatches(err, "host: cannot write a%.mp4: ffmpeg: [^\n]*" .. row[2] .. "[^\n]*\n")
		end
	end
end

if has_view and has "ffmpeg" and has "ffprobe" then
	-- Width, height and the number of frames.
	local function probe(path)
		local said = shell(("cd %s && ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 %s")
			:format(folder, quote("file:" .. path)))
		local width, height, count = said:match "(%d+),(%d+),(%d+)"
		return tonumber(width), tonumber(height), tonumber(count)
	end

	-- At 0, 0.1, 0.2, and at the end. Video needs even sizes.
	for _, row in ipairs { { "a.mp4", 64, 48 }, { "a.webm", 64, 48 }, { "a.GIF", 65, 49 } } do
		TestPictures["test_a_film_" .. row[1]:match "%w+$":lower()] = function()
			local out, err, code = run("--film", row[1], "--fps", "10", "--size", "65x49", scenario())
			lu.assertEquals({ err, code }, { "", 0 })
			lu.assertStrContains(out, ("wrote %s: 4 frames of %dx%d pixels, 0.4 s\n"):format(unpack(row)))
			lu.assertStrContains(out, "ticks      15\n")
			lu.assertEquals({ probe(row[1]) }, { row[2], row[3], 4 })
			lu.assertEquals(files(), row[1] .. "\n")
		end
	end

	-- Its last picture equals that of --shot.
	function TestPictures.test_a_film_ends_with_the_end()
		local _, err, code = run("--film", "a.gif", "--fps", "7.5", "--size", "320x200", "--shot", "b.png", "--quiet",
			"--camera", "0,2,8", scenario())
		lu.assertEquals({ err, code }, { "", 0 })
		local width, height, count = probe "a.gif"
		lu.assertEquals({ width, height, count }, { 320, 200, 3 })
		shell(("cd %s && ffmpeg -loglevel error -i a.gif -vf select=eq'(n\\,2)' -vsync 0 -f rawvideo -pix_fmt rgb24 a.rgb"):format(folder))
		shell(("cd %s && ffmpeg -loglevel error -i b.png -f rawvideo -pix_fmt rgb24 b.rgb"):format(folder))
		local a, b, far = read(folder .. "/a.rgb"), read(folder .. "/b.rgb"), 0
		lu.assertEquals(#a, #b)
		for i = 1, #a do
			if math.abs(a:byte(i) - b:byte(i)) > 30 then far = far + 1 end
		end
		lu.assertTrue(far < 100, far)
	end

	function TestPictures.test_more_frames_than_steps_repeat_pictures()
		local _, err, code = run("--film", "a.mp4", "--fps", "240", "--size", "64x64", "--steps", "3", "--quiet", scenario())
		lu.assertEquals({ err, code }, { "", 0 })
		lu.assertEquals({ probe "a.mp4" }, { 64, 64, 13 })
	end

	function TestPictures.test_a_world_without_steps_is_a_film_of_one_frame()
		local out, err, code = run("--film", "a.gif", "--size", "64x64", "-e", "return require('collide').d2.newWorld()")
		lu.assertEquals({ err, code }, { "", 0 })
		lu.assertStrContains(out, "wrote a.gif: 1 frame of 64x64 pixels")
		lu.assertEquals({ probe "a.gif" }, { 64, 64, 1 })
	end

	function TestPictures.test_any_file_name_works()
		for _, name in ipairs { "-x.gif", "a 'b\" $HOME `id` ;& %d \195\188.gif", "c:d\ne.gif" } do
			local _, err, code = run("--film", name, "--size", "16x16", "--steps", "1", "--quiet", scenario())
			lu.assertEquals({ err, code }, { "", 0 })
			lu.assertEquals({ probe(name) }, { 16, 16, 2 })
			os.remove(folder .. "/" .. name)
			lu.assertEquals(files(), "")
		end
	end

	-- Ctrl-C reaches all programs of the terminal; ffmpeg must not be among them.
	function TestPictures.test_an_interrupted_film_is_complete_up_to_that_point()
		if not has "setsid" then return end
		local script = scenario "function scenario.update(_, tick) if tick == 8 then io.popen('kill -INT 0'):close() end end"
		local command = line_of("--film", "a.mp4", "--fps", "60", "--size", "64x64", "--quiet", script)
		local _, err, code = run_command("setsid --wait sh -c " .. quote("trap '' INT; exec env --default-signal=INT " .. command))
		lu.assertEquals({ err, code }, { "", 130 })
		local width, height, count = probe "a.mp4"
		lu.assertEquals({ width, height }, { 64, 64 })
		lu.assertTrue(count == 8 or count == 9, count)
		lu.assertEquals(files(), "a.mp4\n")
	end

	-- The film up to the error is kept.
	function TestPictures.test_a_script_that_fails_ends_its_film()
		local script = scenario "function scenario.update(_, tick) if tick == 8 then error 'oh' end end"
		local _, err, code = run("--film", "a.mp4", "--fps", "60", "--size", "64x64", "--quiet", script)
		lu.assertStrContains(err, "oh\nstack traceback")
		lu.assertEquals({ code, select(3, probe "a.mp4") }, { 1, 8 })
	end
else
	print "films are not tested: the view module or ffmpeg is not there"
end
