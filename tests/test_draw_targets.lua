-- The draw targets of LÖVE and LÖVR, on stand-ins of these (engines.lua), and LÖVE itself where it is installed. The laws: outlines lie on the surfaces of the
-- shapes, fills cover their areas, colours are those of the meanings, and the engine's state is as before.

local lu, support, engines, palettes = require "luaunit", require "support", require "engines", require "collide.palette"
local collide = require "collide"
local d2, d3 = collide.d2, collide.d3
local random_numbers, bytes_of, quote, shell, write = support.random_numbers, support.bytes_of, support.quote, support.shell, support.write
local unpack = table.unpack or unpack

local function channels(code, opacity)
	local red, green, blue, alpha = code:match "^#(%x%x)(%x%x)(%x%x)(%x*)$"
	local function share(hex) return tonumber(hex, 16) / 255 end
	return { share(red), share(green), share(blue), (alpha == "" and 1 or share(alpha)) * (opacity or 1.0) }
end

-- The target with a stand-in as LÖVE, 800 x 600 pixels.
local function new_love()
	local graphics = engines.new_love_graphics(800, 600)
	return engines.require_love(graphics), graphics
end

local function calls_of(list, name, mode)
	local found = {}
	for _, call in ipairs(list) do
		if (not name or call.name == name) and (not mode or call.mode == mode) then found[#found + 1] = call end
	end
	return found
end

local function area_of(points) return math.abs(support.polygon_area(points)) end

local function raises_here(message, f, ...)
	local arguments, line = { n = select("#", ...), ... }, debug.getinfo(1, "l").currentline + 1
	local ok, problem = pcall(function() f(unpack(arguments, 1, arguments.n)) end)
	lu.assertFalse(ok, "must raise: " .. message)
	lu.assertStrContains(problem, "test_draw_targets.lua:" .. line .. ": " .. message)
end

-- LÖVE ---------------------------------------------------------------------------------------------------------------------------

TestLove = {}

local flat = {
	circle = d2.circle(0.75), placedCircle = d2.circle(0.25, 0.5, 0.125), capsule = d2.capsule(-0.5, 0, 0.5, 0.25, 0.375), box = d2.box(2, 0.5),
	roundedBox = d2.box(1.5, 1, { x = 0.25, angle = 0.5, radius = 0.25 }), polygon = d2.polygon { -1, -0.5, 0.75, -0.75, 1, 0.5, 0, 1 },
	roundedPolygon = d2.polygon({ -0.5, -0.5, 0.5, -0.25, 0, 0.5 }, 0.25), ellipse = d2.ellipse(1.2, 0.6),
}

-- At random poses, cameras of any scale, and within random transformations. The largest error is that of a circle, 0.1 pixels; an ellipse has 32 points.
for name, shape in pairs(flat) do
	TestLove["test_outline_and_fill_of_a_" .. name] = function()
		local target, graphics = new_love()
		local number = random_numbers(3)
		for i = 1, 12 do
			local sensor, up, scale = i % 3 == 0, i % 2 == 0 and 1 or -1, 10 ^ number(0.5, 2.2)
			local x, y, turn = number(-50, 50), number(-50, 50), number(-3, 3)
			local world = d2.newWorld()
			graphics.setShader "some"
			graphics.setBlendMode "add"
			local body = world:newBody { x = x + 0.1, y = y - 0.1, angle = number(-9, 9), shape = shape, sensor = sensor }
			graphics.calls = {}
			if i <= 6 then
				target.draw(world, { x = x, y = y, scale = scale, up = up })
			else
				graphics.push()
				graphics.translate(400, 300)
				graphics.rotate(turn)
				graphics.scale(scale, up * scale)
				graphics.translate(-x, -y)
				target.draw(world)
				graphics.pop()
			end
			local function back(px, py)
				px, py = px - 400, py - 300
				if i <= 6 then return x + px / scale, y - up * py / scale end
				local c, s = math.cos(turn), math.sin(turn)
				return x + (c * px + s * py) / scale, y + up * (c * py - s * px) / scale
			end
			local pose = d2.pose(body:getTransform())
			local limit = name == "ellipse" and 0.01 or 1e-4
			local outlines, fills = calls_of(graphics.calls, nil, "line"), calls_of(graphics.calls, nil, "fill")
			lu.assertEquals(#fills, sensor and 0 or 1)
			lu.assertEquals(#outlines, shape:getType() == "circle" and 2 or 1) -- with the line that shows the angle
			local points, px, py = outlines[1].points, nil, nil
			for k = 1, #points, 2 do
				local wx, wy = back(points[k], points[k + 1])
				local _, _, distance = d2.closestPoint(shape, pose, wx, wy)
				lu.assertAlmostEquals(distance, 0, limit)
				if px then -- between two points, too
					_, _, distance = d2.closestPoint(shape, pose, (wx + px) / 2, (wy + py) / 2)
					lu.assertTrue(distance > -0.11 / scale - limit, name .. ": an edge is within by " .. distance * scale .. " pixels")
				end
				px, py = wx, wy
			end
			for _, call in ipairs(fills) do
				local missing = 1 - area_of(call.points) / scale ^ 2 / shape:getMass(1)
				local limit = 0.01 + 0.1 / scale * 8 / shape:getMass(1) -- 0.1 pixels along 8 m
				lu.assertTrue(missing > -1e-5 and missing < limit, name .. ": the area lacks " .. missing)
			end
			for _, call in ipairs(outlines) do lu.assertAlmostEquals(call.width, 1.5, 1e-6) end
			lu.assertEquals(outlines[1].color, channels(palettes.dark[sensor and "sensor" or "awake"]))
			lu.assertEquals({ outlines[1].style, outlines[1].shader, outlines[1].blend }, { "smooth", "none", "alpha" })
			if fills[1] then lu.assertEquals(fills[1].color, channels(palettes.dark.awake, 0.5)) end
		end
	end
end

-- A circle of any size in pixels deviates by 0.1 pixels at most, while that takes no more than 1024 points.
function TestLove.test_circles_have_as_many_points_as_they_need()
	local target, graphics = new_love()
	for _, pixels in ipairs { 0.01, 1, 30, 1000, 10000, 1e9 } do
		graphics.calls = {}
		graphics.push()
		graphics.scale(pixels)
		target.circle("awake", 0, 0, 1)
		graphics.pop()
		local count = #graphics.calls[1].points / 2
		lu.assertTrue(count == 1024 or count >= 8 and pixels * (1 - math.cos(math.pi / count)) <= 0.1 + 1e-6, pixels .. ": " .. count)
		lu.assertTrue(count <= 1024 and count <= 8 + 8 * math.sqrt(pixels))
	end
end

function TestLove.test_terrain_is_drawn_as_far_as_it_is_in_the_picture()
	local target, graphics = new_love()
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.halfPlane(0, 1, 2) }
	world:newBody { type = "static", shape = d2.chain({ 3, 0, 1, 1, -1, 1, -1000, 0 }, { oneSided = false }) }
	world:newBody { type = "static", x = 30, shape = d2.chain({ 3, 0, 1, 1, -1, 1, -3, 0 }, { oneSided = false }) }
	world:newBody { type = "static", x = 30, shape = d2.box(1, 1) }
	target.draw(world, { x = 0, y = 0, scale = 50 }) -- from -8 to 8, and from -6 to 6
	lu.assertEquals(#calls_of(graphics.calls, "line"), 3)
	local fills = calls_of(graphics.calls, "polygon", "fill")
	lu.assertEquals(#fills, 1)
	lu.assertAlmostEquals(area_of(fills[1].points), 800 * 400, 1e-3)
	lu.assertEquals(fills[1].color, channels(palettes.dark.static, 0.5))
end

-- Of a picture turned by 45 degrees, too.
function TestLove.test_only_what_is_in_the_picture_is_drawn()
	local target, graphics = new_love()
	local world = d2.newWorld()
	for x = -100, 100, 10 do
		for y = -100, 100, 10 do world:newBody { x = x, y = y, shape = d2.box(0.2, 0.2) } end
	end
	local function count(options, turn)
		graphics.calls = {}
		graphics.push()
		graphics.translate(400, 300)
		graphics.rotate(turn or 0)
		graphics.scale(10)
		target.draw(world, options)
		graphics.pop()
		return #calls_of(graphics.calls, "polygon", "fill")
	end
	lu.assertEquals(count(), 63) -- from -40 to 40, and from -30 to 30
	lu.assertEquals(count { x = 0, y = 0, scale = 20 }, 15)
	lu.assertEquals(count({}, math.pi / 4), 81) -- the AABB of the picture, from -49.5 to 49.5
	lu.assertEquals(count { view = { -1, -1, 11, 1 } }, 2)
end

function TestLove.test_each_meaning_has_its_colour()
	for _, theme in ipairs { "light", "dark" } do
		local target, graphics = new_love()
		local world = d2.newWorld { gravity = { 0, 0 } }
		local kinds = {
			awake = {}, sleeping = { awake = false }, static = { type = "static" }, kinematic = { type = "kinematic" }, bullet = { bullet = true },
			disabled = { enabled = false }, sensor = { sensor = true },
		}
		local at = 0
		for _, options in pairs(kinds) do
			at = at + 2
			options.x, options.shape = at, d2.box(1, 1)
			world:newBody(options)
		end
		target.draw(world, { x = 0, y = 0, scale = 10, palette = palettes[theme] })
		for name, options in pairs(kinds) do
			local found
			for _, call in ipairs(calls_of(graphics.calls, "polygon", "line")) do
				if math.abs(call.points[1] - 400 - 10 * options.x) < 6 then found = call end
			end
			lu.assertEquals(found.color, channels(palettes[theme][name]), name)
		end
		lu.assertEquals(#calls_of(graphics.calls, "polygon", "fill"), at / 2 - 1) -- not the sensor
	end
end

function TestLove.test_the_colour_of_a_body()
	local target, graphics = new_love()
	local world = d2.newWorld()
	world:newBody { shape = d2.box(1, 1), color = "#ff8000" }
	target.draw(world, { x = 0, y = 0, scale = 10 })
	lu.assertEquals(graphics.calls[1].color, { 1, 128 / 255, 0, 0.5 })
	lu.assertEquals(graphics.calls[2].color, { 1, 128 / 255, 0, 1 })
end

function TestLove.test_overlays()
	local target, graphics = new_love()
	local world = d2.newWorld()
	local ground = world:newBody { type = "static", y = -1, shape = d2.box(10, 2), name = "ground" }
	local crate = world:newBody { y = 0.5, shape = d2.box(1, 1), name = "crate \255", linearVelocity = { 1, 0 } }
	world:newRevoluteJoint { bodyA = ground, bodyB = crate, x = 0, y = 2 }
	world:step(1 / 60)
	target.draw(world, { x = 0, y = 0, scale = 20, shapes = false, contacts = true, joints = true, centers = true, velocities = true, names = true, boxes = true })
	local counts = {}
	for _, call in ipairs(graphics.calls) do
		for name, code in pairs(palettes.dark) do
			if table.concat(call.color, " ") == table.concat(channels(code), " ") then
				counts[name .. " " .. call.name] = (counts[name .. " " .. call.name] or 0) + 1
			end
		end
	end
	lu.assertEquals(counts["box polygon"], 2)
	lu.assertEquals(counts["joint line"], 2)
	lu.assertEquals(counts["joint circle"], 2)
	lu.assertEquals(counts["velocity line"], 1)
	lu.assertEquals(counts["name print"], 2)
	local texts = calls_of(graphics.calls, "print")
	table.sort(texts, function(p, q) return p.text < q.text end)
	lu.assertEquals(texts[1].text, "crate \239\191\189") -- LÖVE raises on invalid UTF-8
	lu.assertEquals(texts[2].text, "ground")
	lu.assertEquals(texts[2].transform, { 1, 0, 0, 1, 0, 0 }) -- upright and not scaled
	lu.assertEquals(texts[2].points, { 404, 313 }) -- beside the point (0, -1), the middle of its height there
end

function TestLove.test_points_have_their_size_in_pixels()
	local target, graphics = new_love()
	for _, scale in ipairs { 0.1, 20, 3000 } do
		graphics.calls = {}
		graphics.push()
		graphics.scale(scale, -scale)
		target.point("center", 0, 0, 6)
		graphics.pop()
		local points = graphics.calls[1].points
		lu.assertAlmostEquals(math.sqrt(points[1] ^ 2 + points[2] ^ 2), 3, 1e-9)
	end
end

-- Without `draw`, too: as a target in the game's own transformation.
function TestLove.test_it_is_a_target_of_any_draw()
	local target, graphics = new_love()
	local world = d2.newWorld()
	world:newBody { x = 3, y = 2, shape = d2.box(1, 1, { radius = 0.1 }) }
	world:newBody { x = 6, y = 2, shape = d2.circle(1), sensor = true }
	target.draw(world, { x = 0, y = 0, scale = 1 })
	graphics.calls = {}
	graphics.push()
	graphics.scale(40, 40)
	world:draw(target, { centers = true })
	graphics.pop()
	for _, call in ipairs(graphics.calls) do
		if call.mode == "line" then lu.assertAlmostEquals(call.width, 1.5, 1e-9) end
	end
	lu.assertEquals(#graphics.calls, 6)
	graphics.calls = {}
	target.solidCapsule("#ff0000", 1, 1, 1, 1, 2) -- of no length: a circle
	target.segment("#00ff0080", 0, 0, 1, 1)
	lu.assertEquals(graphics.calls[1].color, { 1, 0, 0, 0.5 })
	lu.assertEquals(graphics.calls[3].color, { 0, 1, 0, 128 / 255 })
end

local wrong_options = {
	{ "draw: unknown key 'contcts', did you mean 'contacts'?", { contcts = true } }, { "draw: the options must be a table, got 3", 3 },
	{ "draw: palette must be a table, got dark", { palette = "dark" } }, { 'draw: there is no color "awake" in the palette', { palette = {} } },
}

local function assert_refused(state, draw, ...)
	for _, case in ipairs(wrong_options) do
		local before, arguments = state(), { ... }
		arguments[#arguments + 1] = case[2]
		raises_here(case[1], draw, unpack(arguments))
		lu.assertEquals(state(), before)
	end
end

function TestLove.test_state_is_as_before_also_after_errors()
	local target, graphics = new_love()
	local world = d2.newWorld()
	world:newBody { shape = d2.box(1, 1), name = "box" }
	graphics.translate(30, 40)
	graphics.setColor(0.1, 0.2, 0.3, 0.4)
	graphics.setLineWidth(7)
	graphics.setLineStyle "rough"
	graphics.setShader "some"
	graphics.setBlendMode "add"
	local before = graphics.getState()
	local function state() return { graphics.getState(), graphics.depth } end
	target.draw(world, { x = 0, y = 0, scale = 10, names = true, contacts = true })
	lu.assertEquals(state(), { before, 0 })
	assert_refused(state, target.draw, world)
	for _, case in ipairs {
		{ "draw: the world must be a world, got nil", nil }, { "draw: the world must be a 2D world, got a 3D world", d3.newWorld() },
		{ "draw: the world must be a world, got " .. tostring(d2.circle(1)), d2.circle(1) },
		{ "draw: scale must be a finite number, got nil (a camera is x, y and scale)", world, { x = 1, y = 2 } },
		{ "draw: x must be a finite number, got inf (a camera is x, y and scale)", world, { x = math.huge, y = 2, scale = 1 } },
		{ "draw: unknown key 'scle', did you mean 'scale'?", world, { scle = 4 } },
		{ "draw: unknown key 'colour' (there are: boxes, centers, contacts, fields, islands, joints, names, palette, scale, shapes, tree, up, velocities, view, x, y)",
			world, { colour = 4 } },
		{ "draw: scale must be above 0, got 0", world, { x = 1, y = 2, scale = 0 } },
		{ "draw: up must be 1 or -1, got 2", world, { x = 1, y = 2, scale = 1, up = 2 } },
	} do
		raises_here(case[1], target.draw, case[2], case[3])
		lu.assertEquals(state(), { before, 0 })
	end
	lu.assertErrorMsgContains("unknown function 'Draw' of collide.draw.love, did you mean 'draw'?", function() target.Draw(world) end)
	graphics.scale(0, 1) -- all of the world on a line: nothing is drawn
	graphics.calls = {}
	target.draw(world)
	lu.assertEquals(graphics.calls, {})
	lu.assertEquals(graphics.depth, 0)
end

function TestLove.test_without_love_it_says_so()
	package.loaded["collide.draw.love"] = nil
	local ok, problem = pcall(require, "collide.draw.love")
	lu.assertFalse(ok)
	lu.assertStrContains(problem, "collide.draw.love: there is no love.graphics; it needs LÖVE")
end

local function crowd(d, ball, cube)
	local world = d.newWorld()
	for i = 1, 20 do world:newBody { x = i % 5, y = math.floor(i / 5), shape = i % 2 == 0 and ball or cube, name = "body" } end
	for _ = 1, 10 do world:step(1 / 60) end
	return world
end

function TestLove.test_drawing_makes_no_garbage()
	local target, graphics = new_love()
	local world = crowd(d2, d2.circle(0.5), d2.box(0.8, 0.8, { radius = 0.1 }))
	graphics.calls = nil
	local options = { x = 2, y = 2, scale = 50, contacts = true, centers = true, velocities = true, boxes = true, names = true }
	lu.assertTrue(bytes_of(20, function() target.draw(world, options) end) < 20)
	lu.assertTrue(graphics.draws > 1000)
end

-- LÖVR ---------------------------------------------------------------------------------------------------------------------------

TestLovr = {}

local solids = {
	sphere = d3.sphere(0.7, 0.2, 0, 0.1), box = d3.box(1, 2, 3, { x = 0.5 }), roundedBox = d3.box(1, 2, 3, { radius = 0.25 }), capsule = d3.capsule(0, -1, 0, 0.3, 1, 0.5, 0.25),
	upright = d3.capsule(0, 0, -1, 0, 0, 1, 0.25), downright = d3.capsule(0, 0, 1, 0, 0, -1, 0.25), hull = d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	cylinder = d3.cylinder(0.5, 1.5), cone = d3.cone(0.5, 1.5), ellipsoid = d3.ellipsoid(0.3, 0.5, 0.8), tapered = d3.taperedCapsule(0, -0.7, 0, 0.3, 0, 0.8, 0, 0.6),
	mesh = d3.mesh({ 0, 0, 0, 2, 0, 0, 2, 2, 2, 0, 1, 2 }, { 1, 3, 2, 1, 4, 3 }),
}

local function distance(shape, pose, x, y, z) return (select(4, d3.closestPoint(shape, pose, x, y, z))) end

for name, shape in pairs(solids) do
	TestLovr["test_surface_of_a_" .. name] = function()
		local number = random_numbers(5)
		for i = 1, 6 do
			local sensor = i % 3 == 0
			local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
			local world = d3.newWorld()
			local body = world:newBody {
				type = "static", x = number(-5, 5), y = number(-5, 5), z = number(-5, 5), shape = shape, sensor = sensor,
				rotation = i == 1 and { 0, 0, 0, 1 } or { number(-1, 1), number(-1, 1), number(-1, 1), 1 },
			}
			local pose = d3.pose(body:getTransform())
			target.draw(world, pass)
			lu.assertTrue(#pass.calls > 0)
			local solid = 0
			for _, call in ipairs(pass.calls) do
				lu.assertEquals({ call.depth, call.shader }, { "gequal", "none" })
				if call.name ~= "line" then solid = solid + 1 end
				for k = 1, call.name == "line" and 3 or 0 do lu.assertEquals(call.points[#call.points - 3 + k], call.points[k]) end -- closed
				-- Lines about balls are lifted by 0.5 % of the radius.
				for k = 1, call.points and #call.points or 0, 3 do
					local d = distance(shape, pose, call.points[k], call.points[k + 1], call.points[k + 2])
					lu.assertTrue(d < 0.005 and (d > -1e-4 or name == "tapered" or name == "roundedBox"), name .. ": " .. call.name .. " at " .. d)
				end
				if call.name == "sphere" and name == "sphere" then
					lu.assertAlmostEquals(distance(shape, pose, unpack(call.center)), -call.radius, 1e-5)
				end
				if call.name == "capsule" then -- a cap's end touches the surface, the axis is a radius within
					lu.assertEquals(call.radius, 0.25)
					lu.assertAlmostEquals(distance(shape, pose, unpack(call.from)), -call.radius, 1e-5)
					lu.assertAlmostEquals(distance(shape, pose, unpack(call.to)), -call.radius, 1e-5)
					local way = { call.to[1] - call.from[1], call.to[2] - call.from[2], call.to[3] - call.from[3] }
					local length = math.sqrt(way[1] ^ 2 + way[2] ^ 2 + way[3] ^ 2)
					if name ~= "roundedBox" then
						for k, point in ipairs { call.from, call.to } do
							local share = (k == 1 and -1 or 1) * call.radius / length
							lu.assertAlmostEquals(distance(shape, pose, point[1] + share * way[1], point[2] + share * way[2], point[3] + share * way[3]), 0, 1e-5)
						end
					end
				end
			end
			lu.assertEquals(solid == 0, sensor)
			lu.assertEquals(pass.level, 0)
		end
	end
end

-- The rings of a ball turn with it; those of a capsule are along it, each through both ends.
function TestLovr.test_lines_of_balls_and_capsules()
	local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
	target.setPass(pass)
	local s = math.sqrt(0.5)
	target.circle("sensor", 1, 2, 3, 2, 0, 0, s, s) -- a quarter turn about z: x becomes y
	local first = pass.calls[1].points
	lu.assertEquals(#first, 3 * (2 * 13 + 1))
	for i, expected in ipairs { 1, 4, 3 } do lu.assertAlmostEquals(first[i], expected, 1e-12) end
	for i = 1, 3 do lu.assertEquals(first[#first - 3 + i], first[i]) end
	pass.calls = {}
	target.capsule("sensor", 0, 0, 0, 0, 4, 0, 1)
	for _, call in ipairs(pass.calls) do
		local low, high = math.huge, -math.huge
		for k = 2, #call.points, 3 do low, high = math.min(low, call.points[k]), math.max(high, call.points[k]) end
		lu.assertAlmostEquals(low, -1, 1e-12)
		lu.assertAlmostEquals(high, 5, 1e-12)
	end
	lu.assertEquals(#pass.calls, 2)
end

-- Faces towards the light are brighter; each has the hue of its meaning.
function TestLovr.test_colours()
	local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
	local world = d3.newWorld()
	world:newBody { shape = d3.box(1, 1, 1) }
	target.draw(world, pass, { palette = palettes.light })
	local full, brightness = channels(palettes.light.awake), {}
	for _, call in ipairs(calls_of(pass.calls, "polygon")) do
		local share = call.color[1] / full[1]
		for k = 1, 3 do lu.assertAlmostEquals(call.color[k], share * full[k], 1e-12) end
		lu.assertEquals(call.color[4], 1)
		local p = call.points
		local y = (p[2] + p[5] + p[8]) / 3
		brightness[y > 0.4 and "top" or y < -0.4 and "bottom" or #brightness + 1] = share
	end
	lu.assertEquals(#brightness, 4)
	lu.assertTrue(brightness.top > 0.9 and brightness.top <= 1)
	lu.assertAlmostEquals(brightness.bottom, 0.38, 1e-9)
	for _, side in ipairs(brightness) do lu.assertTrue(side > brightness.bottom and side < brightness.top) end
end

-- They are drawn after the shapes, and not hidden by them. The eye is 10 m from the origin.
function TestLovr.test_overlays()
	local pass, target = engines.new_lovr_pass { 0, 0, 10, math.pi / 2, 0, 1, 0 }, require "collide.draw.lovr"
	local world = d3.newWorld()
	local ground = world:newBody { type = "static", y = -1, shape = d3.box(10, 2, 10) }
	local crate = world:newBody { y = 0.5, shape = d3.box(1, 1, 1), name = "crate \255", linearVelocity = { 1, 0, 0 } }
	world:newRevoluteJoint { bodyA = ground, bodyB = crate, x = 0, y = 0, z = 0 }
	world:step(1 / 60)
	target.draw(world, pass, { contacts = true, joints = true, centers = true, velocities = true, names = true })
	local overlay, spheres = false, 0
	for _, call in ipairs(pass.calls) do
		overlay = overlay or call.depth == "none"
		lu.assertEquals(call.depth, overlay and "none" or "gequal")
		if call.name ~= "polygon" and call.name ~= "line" then lu.assertTrue(overlay) end
		if call.name == "sphere" then spheres = spheres + 1 end
		if call.name == "sphere" then lu.assertTrue(call.radius > 2.5e-3 * 8 and call.radius < 2.5e-3 * 12) end
	end
	local count = 0
	for _ in world:contacts() do count = count + 1 end
	lu.assertEquals({ spheres, #calls_of(pass.calls, "text") }, { count + 3, 1 }) -- points of contact, the joint's two, the crate's centre
	local x, y, z = crate:getPosition()
	local text = calls_of(pass.calls, "text")[1]
	lu.assertEquals(text.text, "crate \239\191\189")
	lu.assertEquals(text.center, { x, y, z })
	lu.assertAlmostEquals(text.scale, 16e-3 * math.sqrt(x * x + y * y + (z - 10) ^ 2), 1e-9)
	lu.assertAlmostEquals(text.right[3], -1, 1e-9) -- it faces the eye, whose right is -z
	pass.calls = {}
	target.draw(world, pass, { shapes = false, centers = true })
	lu.assertEquals(#pass.calls, 1)
end

function TestLovr.test_a_pass_is_not_filled()
	local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
	pass.calls = nil
	local world, shape = d3.newWorld(), d3.ellipsoid(0.3, 0.5, 0.8)
	for i = 1, 100 do world:newBody { x = i, shape = shape } end -- 512 faces each, and their outlines
	target.draw(world, pass)
	lu.assertTrue(pass.draws > 59990 and pass.draws <= 60000)
end

function TestLovr.test_state_is_as_before_also_after_errors()
	local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
	local world = d3.newWorld()
	world:newBody { shape = d3.box(1, 1, 1), name = "box" }
	pass:setColor(0.1, 0.2, 0.3, 0.4)
	pass:setShader "some"
	pass:setDepthOffset(3, 2)
	local before = pass.getState()
	local function state() return { pass.getState(), pass.level } end
	target.draw(world, pass, { names = true, contacts = true })
	lu.assertEquals(state(), { before, 0 })
	assert_refused(state, target.draw, world, pass)
	raises_here("draw: the world must be a 3D world, got a 2D world", target.draw, d2.newWorld(), pass)
	raises_here("draw: the world must be a world, got nil", target.draw, nil, pass)
	for _, wrong in ipairs { { nil }, { 3 }, { "pass" }, { {} }, { d3.newWorld() } } do
		raises_here("draw: the pass must be a Pass of LÖVR 0.18 or later, got " .. tostring(wrong[1]), target.draw, world, wrong[1])
		raises_here("setPass: the pass must be a Pass of LÖVR 0.18 or later, got " .. tostring(wrong[1]), target.setPass, wrong[1])
	end
	lu.assertEquals(state(), { before, 0 })
	lu.assertErrorMsgContains("draw: unknown key 'palete', did you mean 'palette'?", target.draw, world, pass, { palete = {} })
	lu.assertErrorMsgContains("unknown function 'setpass' of collide.draw.lovr, did you mean 'setPass'?", function() target.setpass(pass) end)
end

function TestLovr.test_drawing_makes_no_garbage()
	local pass, target = engines.new_lovr_pass(), require "collide.draw.lovr"
	local world = crowd(d3, d3.sphere(0.5), d3.box(0.8, 0.8, 0.8))
	pass.calls = nil
	local options = { contacts = true, centers = true, velocities = true, boxes = true }
	lu.assertTrue(bytes_of(20, function()
		pass.draws = 0
		target.draw(world, pass, options)
	end) < 20)
	lu.assertTrue(pass.draws > 100)
end

-- The example for LÖVE -----------------------------------------------------------------------------------------------------------

TestLoveExample = {}

local root = debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "../"
local game = assert(loadfile(root .. "scripts/love/game.lua"))()

function TestLoveExample.test_towers_stand()
	for level = 1, game.levels do
		local state = game.new(level)
		local crowns = state.remaining
		for _, body in ipairs(state.bodies) do -- what the picture needs
			local kind = body.data.kind
			lu.assertTrue(kind == "crown" or kind == "wood" or kind == "stone")
			lu.assertEquals({ type(body.data.width), type(body.data.height) }, kind == "crown" and { "nil", "nil" } or { "number", "number" })
		end
		for _ = 1, 240 do game.step(state) end
		lu.assertEquals({ state.remaining, state.phase, state.score, state.throws }, { crowns, "aim", 0, game.throws })
		lu.assertTrue(crowns >= 1 and state.quiet >= 180, "tower " .. level .. " moves")
	end
end

-- Throws at full speed, each so that the ball flies about through one of the crowns. Returns the state at the end, and how many steps that took.
local function play(level, number)
	local state, steps = game.new(level), 0
	while state.phase == "aim" do
		if state.throws > 0 then
			local chosen, greatest
			for _, body in ipairs(state.bodies) do
				local share = number(0, 1)
				if state.crowns[body] and share > (greatest or 0) then chosen, greatest = body, share end
			end
			local x, y = chosen:getPosition()
			local dx, dy, v, g = x - game.sling.x, y - game.sling.y + number(-0.7, 0.3), game.top_speed, game.gravity
			local slope = (v * v - math.sqrt(v ^ 4 - g * (g * dx * dx + 2 * dy * v * v))) / (g * dx)
			local share = v / math.sqrt(1 + slope * slope)
			lu.assertTrue(game.throw(state, share, share * slope))
		else
			lu.assertFalse(game.throw(state, 1, 1))
		end
		for _ = 1, 150 do game.step(state) end
		steps = steps + 150
		lu.assertTrue(steps < 3000, "tower " .. level .. " does not end")
	end
	return state, steps
end

function TestLoveExample.test_each_tower_can_be_won_and_lost()
	local number = random_numbers(5)
	for level = 1, game.levels do
		local won
		for _ = 1, 12 do
			local state = play(level, number)
			won = won or state.phase == "won"
			if state.phase == "won" then
				lu.assertEquals({ state.remaining, next(state.crowns) }, { 0 })
				lu.assertEquals(state.score % 50, 0)
				break
			end
		end
		lu.assertTrue(won, "tower " .. level)
		local state = game.new(level)
		for _ = 1, game.throws do
			lu.assertTrue(game.throw(state, -1, 0)) -- backwards
			for _ = 1, 120 do game.step(state) end
		end
		for _ = 1, 300 do game.step(state) end
		lu.assertEquals({ state.phase, state.score }, { "lost", 0 })
	end
end

function TestLoveExample.test_the_same_throws_give_the_same_game()
	local function hash() return play(4, random_numbers(9)).world:hash() end
	lu.assertEquals(hash(), hash())
end

function TestLoveExample.test_throws_go_against_the_drag_and_are_limited()
	local vx, vy = game.velocity(-1, -0.5)
	lu.assertEquals({ vx, vy }, { 6, 3 })
	vx, vy = game.velocity(-30, 40)
	lu.assertAlmostEquals(vx, 0.6 * game.top_speed, 1e-12)
	lu.assertAlmostEquals(vy, -0.8 * game.top_speed, 1e-12)
end

-- LÖVE itself --------------------------------------------------------------------------------------------------------------------

-- A game of LÖVE, which runs LuaJIT, in a window of 400 x 300 pixels: first two pictures of a world, then the example. It prints some of their pixels.
local driver = [[
local d2 = require("collide").d2
local target = require "collide.draw.love"
local world = d2.newWorld()
world:newBody { type = "static", y = -2, shape = d2.box(6, 1) }
world:newBody { x = -2, y = 1, shape = d2.circle(0.8) }
world:newBody { x = 2, y = 1, shape = d2.box(1, 1, { radius = 0.3 }), awake = false }

local function draw_scene(palette)
	love.graphics.clear(0, 0, 0)
	love.graphics.setColor(1, 0, 1)
	target.draw(world, { x = 0, y = 0, scale = 50, palette = palette })
	assert(love.graphics.getColor() == 1 and love.graphics.getStackDepth() == 0)
end

local function show(name, points)
	love.graphics.captureScreenshot(function(image)
		for i = 1, #points, 2 do
			local red, green, blue = image:getPixel(points[i], points[i + 1])
			print(("%s %d %d: %d %d %d"):format(name, points[i], points[i + 1], red * 255 + 0.5, green * 255 + 0.5, blue * 255 + 0.5))
		end
	end)
end

local frame, game_draw = 0
function love.draw()
	frame = frame + 1
	if frame <= 2 then draw_scene(require("collide.palette")[frame == 1 and "dark" or "light"]) else game_draw() end
	if frame <= 2 then show("scene" .. frame, { 200, 250, 80, 92, 100, 60, 300, 100, 200, 100, 200, 225, 347, 53 }) end
	if frame == 2 then
		local canvas = love.graphics.newCanvas(100, 100)
		love.graphics.setCanvas(canvas)
		target.draw(world, { x = 0, y = 0, scale = 10 })
		love.graphics.setCanvas()
		local red, green, blue, alpha = canvas:newImageData():getPixel(50, 70)
		print(("canvas 50 70: %d %d %d %d"):format(red * 255 + 0.5, green * 255 + 0.5, blue * 255 + 0.5, alpha * 255 + 0.5))
		local draw = love.draw
		love.mouse.getPosition = function() return 20, 200 end -- of the drag below
		assert(loadfile(EXAMPLE .. "/main.lua"))()
		game_draw, love.draw = love.draw, draw
		love.load()
	end
	if frame == 3 then
		love.mousepressed(80, 200, 1)
		show("aim", { 10, 120 })
	end
	if frame == 4 then
		love.mousereleased(20, 200, 1)
		love.keypressed "f1"
	end
	if frame == 8 then show("debug", { 330, 290, 390, 90 }) end
	if frame == 10 then love.keypressed "escape" end
end
]]

local home = shell("cd " .. quote(root) .. " && pwd"):match "[^\n]+"

-- Runs what is in the folder, whose name is also that of LÖVE's data. Returns what it printed.
local function run_love(folder, name)
	return shell(("XDG_DATA_HOME=%s timeout 60 xvfb-run -a -s '-screen 0 400x300x24' love %s/%s 2>&1"):format(quote(folder), quote(folder), name))
end

local function run_driver()
	local folder = shell "mktemp -d":match "[^\n]+"
	local module = shell("realpath " .. quote(package.searchpath("collide", package.cpath))):match "[^\n]+"
	write(folder .. "/conf.lua", "function love.conf(t) t.window.width, t.window.height, t.window.vsync, t.modules.audio = 400, 300, 0, false end")
	write(folder .. "/main.lua", ("package.path, package.cpath, EXAMPLE = %q .. package.path, %q .. package.cpath, %q\n"):format(
		home .. "/lua/?.lua;" .. home .. "/scripts/love/?.lua;", module .. ";", home .. "/scripts/love") .. driver)
	local said = run_love(folder, "")
	shell("rm -r " .. quote(folder))
	return said
end

-- Packs the example as `make love` does, but with a main.lua that runs the example's own for two pictures; places collide.so in this folder beside it, if any.
local function run_packed(place)
	local folder = shell "mktemp -d":match "[^\n]+"
	write(folder .. "/main.lua", [[
love.filesystem.load "example.lua"()
local draw, frame = love.draw, 0
function love.draw()
	draw()
	frame = frame + 1
	if frame == 2 then
		print("from " .. (package.loaded.collide and "the module" or "nothing") .. (": %.2f %.2f %.2f"):format(love.graphics.getBackgroundColor()))
		love.event.quit()
	end
end]])
	shell(([[cd %s && cp %s/scripts/love/game.lua %s/scripts/love/conf.lua . && cp %s/scripts/love/main.lua example.lua && zip -q packed.love *.lua && rm *.lua &&
		cd %s/lua && zip -q %s/packed.love collide/palette.lua collide/draw/*.lua]]):format(quote(folder), quote(home), quote(home), quote(home), quote(home), quote(folder)))
	if place then shell(("mkdir -p %s/%s && cp %s %s/%s"):format(quote(folder), place, quote(package.searchpath("collide", package.cpath)), quote(folder), place)) end
	local said = run_love(folder, "packed.love")
	shell("rm -r " .. quote(folder))
	return said
end

if jit and shell "command -v love && command -v xvfb-run":match "love.*xvfb%-run" then
	function TestLove.test_love_itself()
		local said = run_driver()
		local function assert_pixel(name, x, y, color, margin)
			local channel = {}
			for value in (said:match(("%s %d %d: ([%%d ]+)"):format(name, x, y)) or error("LÖVE said: " .. said)):gmatch "%d+" do channel[#channel + 1] = tonumber(value) end
			for i = 1, 3 do lu.assertAlmostEquals(channel[i], color[i] * 255, margin or 2, ("%s %d %d: %s"):format(name, x, y, table.concat(channel, " "))) end
		end
		local static = channels(palettes.dark.static)
		assert_pixel("canvas", 50, 70, { static[1] / 2, static[2] / 2, static[3] / 2, 0.5 }) -- the middle of the picture is that of the canvas
		for i, theme in ipairs { "dark", "light" } do
			local name, palette = "scene" .. i, palettes[theme]
			local function half(meaning)
				local color = channels(palette[meaning])
				return { color[1] / 2, color[2] / 2, color[3] / 2 }
			end
			assert_pixel(name, 200, 250, half "static")
			assert_pixel(name, 80, 92, half "awake") -- above and left of the circle's middle: y is upwards
			assert_pixel(name, 300, 100, half "sleeping")
			assert_pixel(name, 200, 100, { 0, 0, 0 })
			assert_pixel(name, 347, 53, { 0, 0, 0 }) -- between the round corner and its square
			assert_pixel(name, 200, 225, channels(palette.static), 12) -- the upper edge, y = -1.5
			assert_pixel(name, 100, 60, channels(palette.awake), 12) -- the top of the circle
		end
		assert_pixel("aim", 10, 120, { 0.53, 0.74, 0.86 }) -- sky
		assert_pixel("debug", 330, 290, { (0.36 + static[1]) / 2, (0.28 + static[2]) / 2, (0.22 + static[3]) / 2 }) -- earth under the debug view
		assert_pixel("debug", 390, 90, { 0.53, 0.74, 0.86 })
	end

	function TestLove.test_the_packed_example_finds_the_module()
		if shell "command -v zip" == "" then return print "test_draw_targets: the packed example is left out, zip is not installed" end
		lu.assertStrContains(run_packed ".", "from the module: 0.53 0.74 0.86")
		lu.assertStrContains(run_packed "love/collide-towers", "from the module: 0.53 0.74 0.86") -- the save directory
		local said = run_packed()
		lu.assertStrContains(said, "from nothing")
		lu.assertStrContains(said, "collide.so cannot be loaded. Build it for LÖVE's LuaJIT:")
		lu.assertStrContains(said, "/love/collide-towers\nor beside the game:  /")
	end
elseif jit then
	print "test_draw_targets: LÖVE itself is left out, love and xvfb are not both installed"
end
