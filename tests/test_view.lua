-- The OpenGL canvas: the pixels that its shapes cover, in 2D and 3D, against distances computed here. Tolerances: an edge fades over half a pixel to both
-- sides, which at a corner of 57 degrees reaches 1.05 pixels (sharper ones are drawn as lines, which reach 1); outlines of circles have an error of a tenth of
-- a pixel.
local lu, support = require "luaunit", require "support"
local unpack = unpack or table.unpack

local found, view = pcall(require, "collide.view")
if not found then
	print "test_view: left out, the view module is not built: make view"
	return
end

local width, height = 240, 160
local palette = { background = "#000000", awake = "#ffffff", other = "#00ff00", clear = "#ff000080" }

local function new_canvas(options)
	options = options or {}
	return view.newCanvas { width = options.width or width, height = options.height or height, palette = options.palette or palette }
end

-- The canvas with draw's picture on it.
local function picture(canvas, draw)
	canvas.begin()
	draw(canvas)
	canvas.finish()
	return canvas
end

local function is_background(canvas, x, y)
	local r, g, b = canvas.pixel(x, y)
	return r + g + b == 0
end

local function is_full(canvas, x, y) -- the fill, or the outline in 0.65 of its brightness
	local r, g, b = canvas.pixel(x, y)
	return r == g and g == b and r >= math.floor(0.65 * 255)
end

-- Compares every pixel with distance(px, py), the signed distance of its centre from the shape in pixels.
local function check_covered(canvas, distance, label)
	local inside, outside = 0, 0
	for y = 0, height - 1 do
		for x = 0, width - 1 do
			local d = distance(x + 0.5, y + 0.5)
			if d > 1.05 then
				outside = outside + 1
				if not is_background(canvas, x, y) then lu.fail(("%s: pixel %d, %d is drawn, %.2f outside"):format(label, x, y, d)) end
			elseif d < -1.05 then
				inside = inside + 1
				if not is_full(canvas, x, y) then lu.fail(("%s: pixel %d, %d is empty, %.2f inside"):format(label, x, y, -d)) end
			end
		end
	end
	return inside, outside
end

local function segment_distance(px, py, ax, ay, bx, by)
	local dx, dy = bx - ax, by - ay
	local t = math.max(0, math.min(1, ((px - ax) * dx + (py - ay) * dy) / math.max(dx * dx + dy * dy, 1e-30)))
	return math.sqrt((px - ax - t * dx) ^ 2 + (py - ay - t * dy) ^ 2)
end

-- Signed distance from a convex polygon given as x1, y1, x2, y2, ..., in either winding.
local function polygon_distance(px, py, points)
	local least, inside, area = math.huge, true, 0
	local n = #points / 2
	for i = 1, n do
		local j = i % n + 1
		area = area + points[2 * i - 1] * points[2 * j] - points[2 * j - 1] * points[2 * i]
	end
	for i = 1, n do
		local j = i % n + 1
		local ax, ay, bx, by = points[2 * i - 1], points[2 * i], points[2 * j - 1], points[2 * j]
		least = math.min(least, segment_distance(px, py, ax, ay, bx, by))
		if ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) * area < 0 then inside = false end
	end
	return inside and -least or least
end

-- A class of tests, each with its own canvas and random numbers.
local function with_canvas()
	local class = {}
	function class:setUp()
		self.canvas = new_canvas()
		self.random, self.choose = support.random_numbers(7)
	end
	function class:tearDown() self.canvas.close() end
	return class
end

TestViewPlane = with_canvas()

-- A random camera that sees about 12 by 8 lengths somewhere in the world, and its map to pixels.
local function random_camera(self, far)
	local random = self.random
	local cx, cy, scale, up = random(-far, far), random(-far, far), random(15, 25), self.choose(2) == 1 and 1 or -1
	self.canvas.setCamera(cx, cy, scale, up)
	return cx, cy, scale, function(x, y)
		return (x - cx) * scale + width / 2, (y - cy) * scale * -up + height / 2
	end
end

function TestViewPlane:testACircleCoversItsPixels()
	local random = self.random
	for trial = 1, 12 do
		local cx, cy, scale, to_pixel = random_camera(self, 10 ^ self.random(0, 9))
		local x, y, r = cx + random(-4, 4), cy + random(-3, 3), random(0.2, 3)
		picture(self.canvas, function(canvas) canvas.solidCircle("awake", x, y, r, trial % 2 == 0 and 1 or nil) end)
		local px, py = to_pixel(x, y)
		local inside = check_covered(self.canvas, function(qx, qy)
			return math.sqrt((qx - px) ^ 2 + (qy - py) ^ 2) - r * scale
		end, "circle " .. trial)
		lu.assertTrue(inside > 0)
	end
end

function TestViewPlane:testACapsuleCoversItsPixels()
	local random = self.random
	for trial = 1, 12 do
		local cx, cy, scale, to_pixel = random_camera(self, 100)
		local x1, y1, x2, y2, r = cx + random(-4, 4), cy + random(-3, 3), cx + random(-4, 4), cy + random(-3, 3), random(0.2, 2)
		if trial == 1 then x2, y2 = x1, y1 end
		picture(self.canvas, function(canvas) canvas.solidCapsule("awake", x1, y1, x2, y2, r) end)
		local ax, ay = to_pixel(x1, y1)
		local bx, by = to_pixel(x2, y2)
		check_covered(self.canvas, function(qx, qy) return segment_distance(qx, qy, ax, ay, bx, by) - r * scale end, "capsule " .. trial)
	end
end

function TestViewPlane:testAPolygonCoversItsPixelsEitherWayRoundSharpOrRounded()
	local random = self.random
	for trial = 1, 24 do
		local cx, cy, scale, to_pixel = random_camera(self, 100)
		local n, radius = 2 + self.choose(7), trial % 3 == 0 and random(0.1, 1) or 0
		local angles = {}
		for i = 1, n do angles[i] = random(0, 2 * math.pi) end
		table.sort(angles)
		local x, y, rx, ry, points, pixels = cx + random(-2, 2), cy + random(-2, 2), random(0.5, 4), random(0.5, 3), {}, {}
		for i = 1, n do
			local angle = trial % 2 == 0 and angles[i] or angles[n + 1 - i]
			points[2 * i - 1], points[2 * i] = x + rx * math.cos(angle), y + ry * math.sin(angle)
			pixels[2 * i - 1], pixels[2 * i] = to_pixel(points[2 * i - 1], points[2 * i])
		end
		picture(self.canvas, function(canvas) canvas.solidPolygon("awake", radius, unpack(points)) end)
		check_covered(self.canvas, function(qx, qy) return polygon_distance(qx, qy, pixels) - radius * scale end, "polygon " .. trial)
	end
end

function TestViewPlane:testOutlinesAreOnlyLines()
	self.canvas.setCamera(0, 0, 20)
	picture(self.canvas, function(canvas) canvas.circle("awake", 0, 0, 3) end)
	local drawn = 0
	for y = 0, height - 1 do
		for x = 0, width - 1 do
			local d = math.sqrt((x + 0.5 - width / 2) ^ 2 + (y + 0.5 - height / 2) ^ 2) - 60
			if not is_background(self.canvas, x, y) then
				drawn = drawn + 1
				lu.assertTrue(d > -4 and d < 1, ("pixel %d, %d"):format(x, y))
			end
			if d > -1.2 and d < -0.3 then lu.assertFalse(is_background(self.canvas, x, y)) end
		end
	end
	lu.assertTrue(drawn > 2 * math.pi * 60)
end

function TestViewPlane:testAFillHasNoOutline()
	self.canvas.setCamera(0, 0, 20)
	for _, radius in ipairs { 0, 0.5 } do
		picture(self.canvas, function(canvas) canvas.fillPolygon("other", radius, -2, -2, 2, -2, 2, 2, -2, 2) end)
		for x = 0, width - 1 do
			local r, g, b = self.canvas.pixel(x, height / 2)
			local d = math.abs(x + 0.5 - width / 2) - 40 - 20 * radius
			lu.assertEquals({ r, b }, { 0, 0 })
			if d < -1 then lu.assertEquals(g, 255, x) elseif d > 1 then lu.assertEquals(g, 0, x) end
		end
	end
end

function TestViewPlane:testASegmentIsDrawnFromEndToEnd()
	local random = self.random
	for trial = 1, 12 do
		local cx, cy, _, to_pixel = random_camera(self, 100)
		local x1, y1, x2, y2 = cx + random(-9, 9), cy + random(-6, 6), cx + random(-9, 9), cy + random(-6, 6)
		picture(self.canvas, function(canvas) canvas.segment("awake", x1, y1, x2, y2) end)
		local ax, ay = to_pixel(x1, y1)
		local bx, by = to_pixel(x2, y2)
		for y = 0, height - 1 do
			for x = 0, width - 1 do
				local d = segment_distance(x + 0.5, y + 0.5, ax, ay, bx, by)
				if d > 2.2 then lu.assertTrue(is_background(self.canvas, x, y), trial) end
				if d < 0.2 then lu.assertFalse(is_background(self.canvas, x, y), trial) end -- ends extend by a quarter of a pixel more
			end
		end
	end
end

-- Shapes far larger than the picture are cut exactly at its edge.
function TestViewPlane:testHugeShapesKeepTheirEdges()
	for _, size in ipairs { 1e3, 1e6, 1e9, 1e12 } do
		self.canvas.setCamera(0, 0, 20)
		picture(self.canvas, function(canvas) canvas.solidPolygon("awake", 0, -size, -size, size, -size, size, 0.5, -size, 0.5) end)
		check_covered(self.canvas, function(_, qy) return height / 2 - 10 - qy end, "a floor of " .. size)
		picture(self.canvas, function(canvas) canvas.segment("awake", -size, -size, size, size) end)
		lu.assertFalse(is_background(self.canvas, width / 2, height / 2))
		lu.assertFalse(is_background(self.canvas, width / 2 + 40, height / 2 - 41))
		lu.assertTrue(is_background(self.canvas, width / 2 + 40, height / 2 + 40))
	end
	-- The lowest part of a circle of 1e4 lengths, which is 20 times as many pixels, with an error of 1 of 850,000 of them, see view.h.
	picture(self.canvas, function(canvas) canvas.solidCircle("awake", 0, 1e4, 1e4) end)
	check_covered(self.canvas, function(qx, qy)
		local x, y = (qx - width / 2) / 20, (height / 2 - qy) / 20
		return ((x * x + y * y) / 2e4 - y) * 20
	end, "a circle of 10,000 lengths")
end

function TestViewPlane:testTheSamePictureFarAway()
	local function draw(canvas, x, y)
		canvas.setCamera(x, y, 32)
		picture(canvas, function()
			canvas.solidPolygon("awake", 0.125, x - 1, y - 1, x + 1, y - 1, x, y + 1)
			canvas.solidCircle("other", x + 2, y, 0.5, 0.5)
			canvas.segment("awake", x - 3, y, x - 2, y + 1)
		end)
		return canvas.pixels()
	end
	lu.assertTrue(draw(self.canvas, 0, 0) == draw(self.canvas, 2 ^ 30, -2 ^ 33))
end

function TestViewPlane:testSmallShapesAreVisible()
	for _, size in ipairs { 1, 0.3, 0.01, 1e-6 } do
		self.canvas.setCamera(0, 0, 1)
		picture(self.canvas, function(canvas) canvas.solidPolygon("awake", 0, 0, 0, size, 0, size, size, 0, size) end)
		local seen = false
		for y = height / 2 - 3, height / 2 + 3 do
			for x = width / 2 - 3, width / 2 + 3 do seen = seen or not is_background(self.canvas, x, y) end
		end
		lu.assertTrue(seen, size)
	end
end

function TestViewPlane:testLaterShapesCoverEarlierOnesAndTransparentOnesBlend()
	self.canvas.setCamera(0, 0, 20)
	picture(self.canvas, function(canvas)
		canvas.solidCircle("awake", 0, 0, 3)
		canvas.solidCircle("other", 0, 0, 2)
		canvas.panel("clear", width / 2, 0, width / 2, height)
	end)
	lu.assertEquals({ self.canvas.pixel(width / 2 - 10, height / 2) }, { 0, 255, 0 })
	local r, g, b = self.canvas.pixel(width / 2 + 10, height / 2) -- half red over green
	lu.assertAlmostEquals(r, 128, 1)
	lu.assertAlmostEquals(g, 127, 1)
	lu.assertEquals(b, 0)
end

function TestViewPlane:testManyBatches()
	local count = 20000
	self.canvas.setCamera(width / 2, height / 2, 1, -1)
	picture(self.canvas, function(canvas)
		for i = 0, count - 1 do canvas.solidPolygon("other", 0, 0, 0, 20, 0, 20, 20, 0, 20 + i % 2) end
		canvas.solidPolygon("awake", 0, 100, 100, 120, 100, 120, 120, 100, 120)
	end)
	lu.assertEquals({ self.canvas.pixel(10, 10) }, { 0, 255, 0 })
	lu.assertEquals({ self.canvas.pixel(110, 110) }, { 255, 255, 255 })
end

TestViewText = with_canvas()

function TestViewText:testTextStaysWithinItsSize()
	for _, text in ipairs { "M", "bodies 5,050", "two\nlines, the second longer", "Ångström ω", "日本語", "\255\254", "" } do
		local w, h = self.canvas.getTextSize(text)
		picture(self.canvas, function(canvas) canvas.label("awake", 20, 30, text) end)
		local drawn = 0
		for y = 0, height - 1 do
			for x = 0, width - 1 do
				if not is_background(self.canvas, x, y) then
					drawn = drawn + 1
					lu.assertTrue(x >= 20 and x < 20 + w and y >= 30 and y < 30 + h, text)
				end
			end
		end
		lu.assertEquals(drawn > 0, text ~= "", text)
	end
end

function TestViewText:testLettersDiffer()
	local seen = {}
	for _, text in ipairs { "a", "b", "A", "1", "ä", "ω", "日" } do
		picture(self.canvas, function(canvas) canvas.label("awake", 0, 0, text) end)
		local pixels = self.canvas.pixels()
		lu.assertNil(seen[pixels], text)
		seen[pixels] = true
	end
end

function TestViewText:testTextIsBesideItsPoint()
	self.canvas.setCamera(0, 0, 20)
	picture(self.canvas, function(canvas) canvas.text("awake", 1, 1, "here") end)
	local lowest, highest, left = 0, height, width
	for y = 0, height - 1 do
		for x = 0, width - 1 do
			if not is_background(self.canvas, x, y) then lowest, highest, left = math.max(lowest, y), math.min(highest, y), math.min(left, x) end
		end
	end
	lu.assertTrue(left > width / 2 + 20 and left < width / 2 + 32)
	lu.assertTrue(highest < height / 2 - 20 and lowest > height / 2 - 20 - 8)
end

TestViewSpace = with_canvas()

local function brightness(canvas, x, y)
	local r, g, b = canvas.pixel(math.floor(x), math.floor(y))
	return r + g + b
end

-- Counts the drawn pixels of the row or column through the middle.
local function extent(canvas, along_x)
	local count = 0
	for i = 0, (along_x and width or height) - 1 do
		local x, y = along_x and i or width / 2, along_x and height / 2 or i
		if not is_background(canvas, x, y) then count = count + 1 end
	end
	return count
end

function TestViewSpace:testASphereCoversItsCircleByParallelRays()
	for _, eye in ipairs { { 10, 0, 0 }, { 3, 7, 5 }, { 0, -10, 1 } } do
		self.canvas.setCamera3(eye[1], eye[2], eye[3], 0, 0, 0, 0, 1, 0, 0, 8) -- 20 pixels a length
		picture(self.canvas, function(canvas) canvas.solidCircle("awake", 0, 0, 0, 3) end)
		local rim = 3 * 20
		for y = 0, height - 1 do
			for x = 0, width - 1 do
				local d = math.sqrt((x + 0.5 - width / 2) ^ 2 + (y + 0.5 - height / 2) ^ 2) - rim
				if d > 1.2 then lu.assertTrue(is_background(self.canvas, x, y)) end
				if d < -1.2 then lu.assertFalse(is_background(self.canvas, x, y)) end
			end
		end
	end
end

-- In perspective a sphere of radius r at distance d covers the angle asin(r / d).
function TestViewSpace:testPerspective()
	for _, distance in ipairs { 5, 10, 20 } do
		self.canvas.setCamera3(0, 0, distance, 0, 0, 0, 0, 1, 0, 0.8)
		picture(self.canvas, function(canvas) canvas.solidCircle("awake", 0, 0, 0, 1) end)
		local expected = math.tan(math.asin(1 / distance)) / math.tan(0.4) * height / 2 * 2
		lu.assertAlmostEquals(extent(self.canvas, true), expected, 2.5)
		lu.assertAlmostEquals(extent(self.canvas, false), expected, 2.5)
	end
end

function TestViewSpace:testTheNearerHidesTheFartherInAnyOrder()
	local function near(canvas) canvas.solidCircle("awake", 0, 0, 3, 1) end
	local function far(canvas) canvas.solidCircle("other", 0, 0, -3, 2) end
	for _, fov in ipairs { 0, 0.8 } do
		self.canvas.setCamera3(0, 0, 20, 0, 0, 0, 0, 1, 0, fov, 8)
		for _, order in ipairs { { near, far }, { far, near } } do
			picture(self.canvas, function(canvas)
				order[1](canvas)
				order[2](canvas)
			end)
			local r, g = self.canvas.pixel(width / 2, height / 2)
			lu.assertTrue(r > 50 and r == g)
			local side = fov == 0 and 30 or 14 -- beside the near one, within the far one
			local red, green = self.canvas.pixel(width / 2 + side, height / 2)
			lu.assertTrue(red < 10 and green > 50)
		end
	end
end

function TestViewSpace:testLightComesFromAbove()
	for _, up in ipairs { { 0, 1, 0 }, { 0, 0, 1 } } do
		self.canvas.setCamera3(10 - 9 * up[2], 0.001, 0.001 + 10 * up[2], 0, 0, 0, up[1], up[2], up[3], 0, 8)
		picture(self.canvas, function(canvas) canvas.solidCircle("awake", 0, 0, 0, 3) end)
		lu.assertTrue(brightness(self.canvas, width / 2, height / 2 - 40) > 1.3 * brightness(self.canvas, width / 2, height / 2 + 40))
	end
end

function TestViewSpace:testFacesAreSeenFromBothSidesAndLitAlike()
	local seen = {}
	for i, order in ipairs { { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 }, { -1, 1, 0, 1, 1, 0, 1, -1, 0, -1, -1, 0 } } do
		self.canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, 0, 8)
		picture(self.canvas, function(canvas) canvas.solidPolygon("awake", 0, unpack(order)) end)
		seen[i] = brightness(self.canvas, width / 2, height / 2)
		lu.assertTrue(seen[i] > 100)
		lu.assertAlmostEquals(extent(self.canvas, true), 40, 2)
	end
	lu.assertEquals(seen[1], seen[2])
end

-- A square of 80 pixels cut into n x n facets looks like one face, but for outlines of facets that are wide enough to have them.
function TestViewSpace:testOutlinesDoNotCoverNarrowFacets()
	for _, fov in ipairs { 0, 2 * math.atan(0.4) } do -- 20 pixels a length at the origin
		local dark, fill = {}
		for i, n in ipairs { 1, 40, 8 } do
			self.canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, fov, 8)
			picture(self.canvas, function(canvas)
				for k = 0, n * n - 1 do
					local x, y, size = -2 + 4 / n * (k % n), -2 + 4 / n * math.floor(k / n), 4 / n
					canvas.solidPolygon("awake", 0, x, y, 0, x + size, y, 0, x + size, y + size, 0, x, y + size, 0)
				end
			end)
			fill, dark[i] = fill or brightness(self.canvas, width / 2, height / 2), 0
			for py = height / 2 - 35, height / 2 + 34 do
				for px = width / 2 - 35, width / 2 + 34 do
					if brightness(self.canvas, px, py) < 0.9 * fill then dark[i] = dark[i] + 1 end
				end
			end
		end
		lu.assertEquals(dark[1], 0)
		lu.assertEquals(dark[2], 0)
		lu.assertTrue(dark[3] > 70) -- facets of ten pixels keep their outlines
	end
end

function TestViewSpace:testShapesBehindTheEyeAreNotDrawn()
	self.canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, 0.8)
	picture(self.canvas, function(canvas)
		canvas.point("awake", 0, 0, 11, 20)
		canvas.text("awake", 0, 0, 11, "behind")
		canvas.segment("awake", 0, 0, 12, 0, 0.1, 30)
		canvas.solidCircle("awake", 0, 0, 15, 1)
	end)
	for y = 0, height - 1 do
		for x = 0, width - 1 do lu.assertTrue(is_background(self.canvas, x, y)) end
	end
	-- A line through the eye's plane is cut there; the part in front of the eye is drawn.
	picture(self.canvas, function(canvas) canvas.segment("awake", 0, 1, 0, 0, 1, 100) end)
	lu.assertFalse(is_background(self.canvas, width / 2, height / 2 - 40))
end

function TestViewSpace:testCapsulesAndLabels()
	self.canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, 0, 8)
	picture(self.canvas, function(canvas)
		canvas.solidCapsule("awake", -2, 0, 0, 2, 0, 0, 1)
		canvas.label("other", 0, 0, "x")
	end)
	for y = 0, height - 1 do
		for x = 12, width - 1 do
			local d = segment_distance(x + 0.5, y + 0.5, width / 2 - 40, height / 2, width / 2 + 40, height / 2) - 20
			if d > 1.2 then lu.assertTrue(is_background(self.canvas, x, y)) end
			if d < -1.2 then lu.assertFalse(is_background(self.canvas, x, y)) end
		end
	end
	local _, green = self.canvas.pixel(3, 8)
	local labelled = false
	for y = 0, 16 do
		for x = 0, 10 do
			_, green = self.canvas.pixel(x, y)
			labelled = labelled or green > 0
		end
	end
	lu.assertTrue(labelled)
end

-- 2D after 3D: the same picture as without.
-- The colours at the pixels of points, in a picture drawn by draw(canvas) with the camera at the eye, which looks at the origin.
local function shades(canvas, eye, fov, points, draw)
	local ex, ey, ez = eye[1], eye[2], eye[3]
	canvas.setCamera3(ex, ey, ez, 0, 0, 0, 0, 1, 0, fov, 8)
	picture(canvas, draw)
	local far = math.sqrt(ex * ex + ey * ey + ez * ez)
	local bx, by, bz = ex / far, ey / far, ez / far
	local rx, rz = bz / math.sqrt(bx * bx + bz * bz), -bx / math.sqrt(bx * bx + bz * bz)
	local ux, uy, uz = by * rz, bz * rx - bx * rz, -by * rx
	local result = {}
	for i, p in ipairs(points) do
		local depth = far - (p[1] * bx + p[2] * by + p[3] * bz)
		local scale = height / (fov > 0 and 2 * depth * math.tan(fov / 2) or 8)
		local px, py = width / 2 + scale * (p[1] * rx + p[3] * rz), height / 2 - scale * (p[1] * ux + p[2] * uy + p[3] * uz)
		result[i] = { canvas.pixel(math.floor(px), math.floor(py)) }
	end
	return result
end

local function draw_floor(canvas, y)
	canvas.fillPolygon("#c0b090", 0, -6, y, -6, -6, y, 6, 6, y, 6, 6, y, -6)
end

local function draw_box(canvas, x, y, z, wide, high, deep)
	local function p(i, j, k) return x + i * wide / 2, y + j * high / 2, z + k * deep / 2 end
	local function face(a, b, c, d)
		local ax, ay, az = p(a[1], a[2], a[3])
		local bx, by, bz = p(b[1], b[2], b[3])
		local cx, cy, cz = p(c[1], c[2], c[3])
		canvas.fillPolygon("#2060f0", 0, ax, ay, az, bx, by, bz, cx, cy, cz, p(d[1], d[2], d[3]))
	end
	face({ -1, 1, -1 }, { -1, 1, 1 }, { 1, 1, 1 }, { 1, 1, -1 })
	face({ -1, -1, -1 }, { 1, -1, -1 }, { 1, -1, 1 }, { -1, -1, 1 })
	face({ -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 })
	face({ -1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 }, { 1, -1, -1 })
	face({ 1, -1, -1 }, { 1, 1, -1 }, { 1, 1, 1 }, { 1, -1, 1 })
	face({ -1, -1, -1 }, { -1, -1, 1 }, { -1, 1, 1 }, { -1, 1, -1 })
end

local eyes = { { 0, 8, 10 }, { 9, 5, -4 }, { -3, 12, 1 } }

-- However high it is, what is above a point shades it, and only straight below.
function TestViewSpace:testShadowsAreStraightBelow()
	for _, eye in ipairs(eyes) do
		for _, fov in ipairs { 0, 0.8 } do
			for _, height in ipairs { 0.8, 2.5 } do
				for _, draw in ipairs {
					function(c) c.solidCircle("#2060f0", 1, height, -1, 0.5) end,
					function(c) c.solidCapsule("#2060f0", 0.7, height, -1, 1.3, height, -1, 0.4) end,
					function(c) draw_box(c, 1, height, -1, 1, 0.2, 1) end,
				} do
					local points = { { -1, 0, -1 }, { 2, 0, -1 }, { 1, 0, -2 }, { 1.3, 0, -0.7 }, { 0.8, 0, -1.2 }, { 1.2, 0, -1.2 } }
					local lit = shades(self.canvas, eye, fov, points, function(c) draw_floor(c, 0) end)
					local found = shades(self.canvas, eye, fov, points, function(c) draw_floor(c, 0) draw(c) end)
					local hidden = shades(self.canvas, eye, fov, points, draw)
					local dark = 0
					for i, color in ipairs(found) do
						local covered = hidden[i][3] > hidden[i][1] + 20 -- the body is blue
						if not covered and i <= 3 then
							lu.assertEquals(color, lit[i])
						elseif not covered then
							dark = dark + 1
							for k = 1, 3 do lu.assertAlmostEquals(color[k], 0.58 * lit[i][k], 2) end
						end
					end
					lu.assertTrue(dark > 0 or height < 1)
				end
			end
		end
	end
end

-- A shadow falls on the highest thing below, and on a floor far under it only outside of that.
function TestViewSpace:testShadowsFallOnThingsInBetween()
	local points = { { 0.5, 1.1, 0.5 }, { 1, 0, 2.1 }, { -0.5, 1.1, 1.2 }, { 4, 0, 4 } }
	local found = shades(self.canvas, { 0.5, 12, 6 }, 0.8, points, function(c)
		draw_floor(c, 0)
		draw_box(c, 0, 1, 0.8, 4, 0.2, 2.8)
		draw_box(c, 0.5, 3.4, -0.2, 0.8, 0.1, 2)
	end)
	local top, floor = found[3], found[4]
	for k = 1, 3 do
		lu.assertAlmostEquals(found[1][k], 0.58 * top[k], 2)
		lu.assertAlmostEquals(found[2][k], 0.58 * floor[k], 2)
	end
end

-- Nothing shades itself or what it stands on, also where surfaces of several bodies end in the same plane.
function TestViewSpace:testFlushBodiesDoNotShadeEachOther()
	for _, eye in ipairs { { 0, 3, 10 }, { 7, 2, 9 }, { -6, 1, 8 } } do
		for _, fov in ipairs { 0, 0.8 } do
			local points = {}
			for i = -9, 9 do
				for k = 0, 19 do points[#points + 1] = { i / 10 + 0.013, -1 + k / 10 + 0.017, 0.5 } end
			end
			local found = shades(self.canvas, eye, fov, points, function(c)
				draw_floor(c, -1)
				for i = 0, 1 do
					for k = 0, 3 do draw_box(c, i - 0.5, -0.75 + 0.5 * k, 0, 1, 0.5, 1) end
				end
			end)
			local whole = shades(self.canvas, eye, fov, points, function(c)
				draw_floor(c, -1)
				draw_box(c, 0, 0, 0, 2, 2, 1)
			end)
			for i, color in ipairs(found) do -- a shadow would take 42 %; the bright upper faces show a little between the boxes
				for k = 1, 3 do lu.assertTrue(color[k] >= 0.9 * whole[i][k] and color[k] <= 1.15 * whole[i][k]) end
			end
		end
	end
end

-- Text and panels over a shadow keep their colour, and so does a picture in 2D after one in 3D.
function TestViewSpace:testShadowsAreUnderPanels()
	local canvas = self.canvas
	canvas.setCamera3(0.01, 10, 0, 0, 0, 0, 0, 1, 0, 0, 8)
	picture(canvas, function(c)
		draw_floor(c, 0)
		draw_box(c, 0, 2, 0, 6, 0.1, 6)
		c.panel("#ff0000", 0, 0, 30, 30)
	end)
	lu.assertEquals({ canvas.pixel(10, 10) }, { 255, 0, 0 })
	-- Drawn by two cameras, and in 2D at the end.
	picture(canvas, function(c)
		draw_floor(c, 0)
		c.setCamera3(0, 10, 0.01, 0, 0, 0, 0, 1, 0, 0.8)
		draw_box(c, 0, 2, 0, 1, 0.1, 1)
		c.setCamera(0, 0, 20, 1)
		c.solidPolygon("#00ff00", 0, -1, -1, 1, -1, 1, 1, -1, 1)
	end)
	lu.assertEquals({ canvas.pixel(width / 2, height / 2) }, { 0, 255, 0 })
end

function TestViewSpace:testThePlaneAfterSpace()
	local function plane(canvas)
		canvas.setCamera(0, 0, 20)
		picture(canvas, function() canvas.solidPolygon("awake", 0.5, -1, -1, 1, -1, 0, 1) end)
		return canvas.pixels()
	end
	local before = plane(self.canvas)
	self.canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, 0.8)
	picture(self.canvas, function(canvas) canvas.solidCircle("awake", 0, 0, 0, 3) end)
	lu.assertTrue(plane(self.canvas) == before)
end

-- The camera may change to 3D in the middle of a picture, and back.
function TestViewSpace:testPlaneThenSpaceThenPlaneInOnePicture()
	local canvas = new_canvas()
	canvas.setCamera(0, 0, 20)
	picture(canvas, function()
		canvas.solidCircle("other", -4, 0, 1)
		canvas.setCamera3(0, 0, 10, 0, 0, 0, 0, 1, 0, 0, 8)
		canvas.solidCircle("awake", 0, 0, 0, 1)
		canvas.setCamera(0, 0, 20)
		canvas.solidCircle("other", 4, 0, 1)
	end)
	lu.assertEquals({ canvas.pixel(width / 2 - 80, height / 2) }, { 0, 255, 0 })
	lu.assertEquals({ canvas.pixel(width / 2 + 80, height / 2) }, { 0, 255, 0 })
	local r, g, b = canvas.pixel(width / 2, height / 2)
	lu.assertTrue(r > 100 and r == g and g == b)
	lu.assertTrue(is_background(canvas, width / 2 + 40, height / 2))
	canvas.close()
end

TestViewCanvas = {}

function TestViewCanvas:testPixelsAndPixelAgree()
	local canvas = new_canvas()
	canvas.setCamera(0, 0, 20)
	picture(canvas, function() canvas.solidCircle("other", 1, 1, 2, 1) end)
	local pixels = canvas.pixels()
	lu.assertEquals(#pixels, width * height * 3)
	for _, at in ipairs { { 0, 0 }, { 140, 60 }, { 239, 159 }, { 120, 41 } } do
		lu.assertEquals({ canvas.pixel(at[1], at[2]) }, { pixels:byte((at[2] * width + at[1]) * 3 + 1, (at[2] * width + at[1]) * 3 + 3) })
	end
	canvas.close()
end

function TestViewCanvas:testSavesAPNG()
	local canvas, path = new_canvas(), os.tmpname()
	picture(canvas, function() canvas.panel("other", 0, 0, 10, 10) end)
	canvas.save(path)
	local file = assert(io.open(path, "rb"))
	local head = file:read(24)
	file:close()
	os.remove(path)
	lu.assertEquals(head:sub(1, 8), "\137PNG\r\n\26\n")
	lu.assertEquals({ head:byte(17, 24) }, { 0, 0, 0, width, 0, 0, 0, height })
	lu.assertErrorMsgContains("save: cannot write /nowhere/at/all.png", canvas.save, "/nowhere/at/all.png")
	lu.assertErrorMsgContains("save: path must be a string, got no value", canvas.save)
	canvas.close()
end

function TestViewCanvas:testTwoAtOnce()
	local a, b = new_canvas(), new_canvas { width = 50, height = 40 }
	a.begin()
	b.begin()
	a.panel("awake", 0, 0, 20, 20)
	b.panel("other", 0, 0, 20, 20)
	b.finish()
	a.finish()
	lu.assertEquals({ a.pixel(5, 5) }, { 255, 255, 255 })
	lu.assertEquals({ b.pixel(5, 5) }, { 0, 255, 0 })
	lu.assertEquals({ a.getSize() }, { width, height })
	lu.assertEquals({ b.getSize() }, { 50, 40 })
	a.close()
	lu.assertEquals({ b.pixel(5, 5) }, { 0, 255, 0 })
	b.close()
end

function TestViewCanvas:testTheme()
	local canvas = new_canvas()
	canvas.setPalette { background = "#102030", awake = "#405060" }
	picture(canvas, function() canvas.panel("awake", 0, 0, 10, 10) end)
	lu.assertEquals({ canvas.pixel(0, 0) }, { 0x40, 0x50, 0x60 })
	lu.assertEquals({ canvas.pixel(100, 100) }, { 0x10, 0x20, 0x30 })
	lu.assertErrorMsgContains("palette['awake'] must be '#rrggbb' or '#rrggbbaa', got blue", canvas.setPalette, { background = "#ffffff", awake = "blue" })
	picture(canvas, function() canvas.panel("#a1B2c3", 0, 0, 10, 10) end)
	lu.assertEquals({ canvas.pixel(0, 0) }, { 0xa1, 0xb2, 0xc3 })
	canvas.close()
end

function TestViewCanvas:testErrors()
	local canvas = new_canvas()
	local nan = 0 / 0
	lu.assertErrorMsgContains("solidCircle: only between begin and finish", canvas.solidCircle, "awake", 0, 0, 1)
	lu.assertErrorMsgContains("finish: only between begin and finish", canvas.finish)
	for _, name in ipairs { "pixels", "pixel", "save" } do
		lu.assertErrorMsgContains(name .. ": only after finish", canvas[name], 0, 0)
	end
	canvas.begin()
	lu.assertErrorMsgContains("begin: the picture before is not finished", canvas.begin)
	for _, case in ipairs {
		{ "circle: color must be a name of the palette, '#rrggbb' or '#rrggbbaa', got 'pink'", "circle", "pink", 0, 0, 1 },
		{ "circle: color must be a name of the palette, '#rrggbb' or '#rrggbbaa', got '#12345'", "circle", "#12345", 0, 0, 1 },
		{ "circle: color must be a string, got number", "circle", 7, 0, 0, 1 },
		{ "circle: x must be finite", "circle", "awake", nan, 0, 1 },
		{ "circle: y must be finite", "circle", "awake", 0, math.huge, 1 },
		{ "circle: y must be a number, got string", "circle", "awake", 0, "1", 1 },
		{ "circle: radius must be >= 0, got -1", "circle", "awake", 0, 0, -1 },
		{ "circle: radius must be a number, got n", "circle", "awake", 0, 0 },
		{ "solidPolygon: needs 3 to 64 points of 2 numbers, got 4", "solidPolygon", "awake", 0, 1, 2, 3, 4 },
		{ "solidPolygon: needs 3 to 64 points of 2 numbers, got 7", "solidPolygon", "awake", 0, 1, 2, 3, 4, 5, 6, 7 },
		{ "point: size must be between", "point", "awake", 0, 0, -1 },
		{ "text: expected a string, got table", "text", "awake", 0, 0, {} },
		{ "setCamera: scale must be between", "setCamera", 0, 0, 0 },
		{ "setCamera: up must be 1 or -1, got 0", "setCamera", 0, 0, 1, 0 },
		{ "setPalette: the palette's names must be strings, got a number", "setPalette", { "#ffffff" } },
		{ "setCamera3: the eye must be apart from the target", "setCamera3", 1, 1, 1, 1, 1, 1, 0, 1, 0, 1 },
		{ "pixel: only after finish", "pixel", 0, 0 },
	} do
		lu.assertErrorMsgContains(case[1], canvas[case[2]], unpack(case, 3))
	end
	canvas.finish()
	lu.assertErrorMsgContains("pixel: px must be between", canvas.pixel, width, 0)
	lu.assertErrorMsgContains("pixel: px and py must be whole numbers, got 0.5", canvas.pixel, 0.5, 0)
	lu.assertErrorMsgContains("save: path must have no zero byte in it", canvas.save, "a\0b.png")
	canvas.close()
	canvas.close()
	lu.assertErrorMsgContains("begin: the canvas is closed", canvas.begin)
	for _, case in ipairs {
		{ "newCanvas: expected a table of options, got nil" },
		{ "newCanvas: width must be a whole number of pixels between 1 and 8192", {} },
		{ "newCanvas: height must be a whole number", { width = 10, height = 0.5 } },
		{ "newCanvas: unknown key 'hight'", { width = 10, height = 10, hight = 1 } },
		{ "setPalette: palette must be a table, got nil", { width = 10, height = 10 } },
		{ "newCanvas: the palette has no color 'background'", { width = 10, height = 10, palette = {} } },
	} do
		lu.assertErrorMsgContains(case[1], view.newCanvas, case[2])
	end
end

-- The camera may look along its own up direction: it still draws a picture.
function TestViewCanvas:testOddCameras()
	local canvas = new_canvas()
	for _, eye in ipairs { { 0, 10, 0 }, { 0, -10, 0 }, { 1e6, 10, 0 }, { 0, 1e-3, 1e-3 } } do
		canvas.setCamera3(eye[1], eye[2], eye[3], 0, 0, 0, 0, 1, 0, 0.8)
		picture(canvas, function() canvas.solidCircle("awake", 0, 0, 0, 0.3 * math.sqrt(eye[1] ^ 2 + eye[2] ^ 2 + eye[3] ^ 2)) end)
		lu.assertFalse(is_background(canvas, width / 2, height / 2))
	end
	canvas.close()
end

function TestViewCanvas:testDrawingMakesNoGarbage()
	local canvas = new_canvas()
	canvas.setCamera(0, 0, 20)
	local function draw()
		canvas.begin()
		for i = 1, 200 do
			canvas.solidPolygon("awake", 0, -1, -1, 1, -1, 0, 1)
			canvas.solidCircle("other", i, 0, 1, 0.5)
			canvas.text("awake", 0, i, "name")
		end
		canvas.finish()
	end
	lu.assertEquals(support.bytes_of(20, draw), 0)
	canvas.close()
end

function TestViewCanvas:testForgottenCanvasesAreFreed()
	for _ = 1, 10 do
		new_canvas { width = 16, height = 16 }.begin()
		collectgarbage()
	end
	local canvas = new_canvas()
	picture(canvas, function() canvas.panel("other", 0, 0, 10, 10) end)
	lu.assertEquals({ canvas.pixel(5, 5) }, { 0, 255, 0 })
	canvas.close()
end
