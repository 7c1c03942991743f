-- Collide and slide for a shape among shapes, in both dimensions by the same tests: the 2D scenes are the 3D ones seen along z.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"

local near, check = toolbox.near, toolbox.check

-- The differences between the dimensions. A box has full sizes w, h, and in 3D d, along z.
local wings = {
	d2 = {
		axes = 2,
		box = function(w, h) return collide.d2.box(w, h) end,
		ball = collide.d2.circle,
		capsule = function(radius, height) return collide.d2.capsule(radius, height) end,
		pose = function(x, y, angle) return collide.d2.pose(x, y, angle or 0) end,
		half = function(nx, ny, offset) return collide.d2.halfPlane(nx, ny, offset) end,
		slide = function(shape, x, y, dx, dy, obstacles, options)
			local ex, ey, iterations, planes = collide.d2.slideShape(shape, collide.d2.pose(x, y), dx, dy, obstacles, options)
			return ex, ey, 0, iterations, planes
		end,
		distance = function(a, x, y, b, pose) return (collide.d2.distance(a, collide.d2.pose(x, y), b, pose)) end,
	},
	d3 = {
		axes = 3,
		box = function(w, h, d) return collide.d3.box(w, h, d or 100) end,
		ball = collide.d3.sphere,
		capsule = function(radius, height) return collide.d3.capsule(radius, height) end,
		pose = function(x, y, angle) return collide.d3.pose(x, y, 0, 0, 0, math.sin((angle or 0) / 2), math.cos((angle or 0) / 2)) end,
		half = function(nx, ny, offset) return collide.d3.halfSpace(nx, ny, 0, offset) end,
		slide = function(shape, x, y, dx, dy, obstacles, options)
			return collide.d3.slideShape(shape, collide.d3.pose(x, y, 0), dx, dy, 0, obstacles, options)
		end,
		distance = function(a, x, y, b, pose) return (collide.d3.distance(a, collide.d3.pose(x, y, 0), b, pose)) end,
	},
}

local SKIN = 0.01

TestSlideShape = {}

local function each(name, f)
	for dimension, wing in pairs(wings) do
		TestSlideShape[("test_%s_%s"):format(dimension, name)] = function() f(wing) end
	end
end

each("without_obstacles_the_motion_is_exact", function(wing)
	local ball = wing.ball(0.5)
	for _, obstacles in ipairs { {}, { { shape = wing.box(1, 1), pose = wing.pose(50, 0) } } } do
		local x, y, z, iterations, planes = wing.slide(ball, 1e6 + 0.1, -0.7, 0.1, 12.3, obstacles)
		lu.assertEquals({ x, y, z, iterations, planes }, { 1e6 + 0.1 + 0.1, -0.7 + 12.3, 0, 1, 0 })
	end
	lu.assertEquals({ wing.slide(ball, 1, 2, 0, 0, {}) }, { 1, 2, 0, 0, 0 })
end)

each("slides_along_a_floor_at_a_skin", function(wing)
	local capsule, floor = wing.capsule(0.3, 1.6), { shape = wing.half(0, 1, 0) }
	local x, y, _, _, planes = wing.slide(capsule, 0, 2, 5, -4, { floor })
	near(x, 5, 1e-12, "x")
	near(y, 0.8 + SKIN, 1e-7, "y")
	lu.assertEquals(planes, 1)
	-- Again: it keeps its distance, a skin, to the bit.
	local x2, y2 = wing.slide(capsule, x, y, 3, -1, { floor })
	lu.assertEquals({ x2, y2 }, { x + 3, y })
	-- A skin given as an option, and a floor given as a plain shape.
	near(select(2, wing.slide(capsule, 0, 2, 5, -4, { wing.half(0, 1, 0) }, { skin = 0.25 })), 1.05, 1e-6, "skin")
end)

each("a_corridor_leads_round_its_bend", function(wing)
	-- Between y = 0 and 1.2, closed at x = 10 by a wall that leans back at 45 degrees: it slides up along the wall.
	local walls = { wing.half(0, 1, 0), { shape = wing.box(9, 1), pose = wing.pose(4.5, 1.7) }, wing.half(-1, 1, -10) }
	local x, y, _, _, planes = wing.slide(wing.ball(0.5), 1, 0.6, 20, 0, walls, { iterations = 20 })
	check(planes >= 1 and x > 9 and y > 0.6, "it goes on, up the wall")
	check(wing.distance(wing.ball(0.5), x, y, walls[1]) > 0 and wing.distance(wing.ball(0.5), x, y, walls[2].shape, walls[2].pose) > 0, "free")
end)

each("stops_in_a_corner", function(wing)
	local corner = { wing.half(0, 1, 0), wing.half(-1, 0, -10) }
	local ball = wing.ball(0.5)
	local x, y, _, _, planes = wing.slide(ball, 5, 2, 30, -20, corner)
	near(x, 9.5 - SKIN, 1e-12, "x")
	near(y, 0.5 + SKIN, 1e-12, "y")
	lu.assertEquals(planes, 2)
	local x2, y2 = wing.slide(ball, x, y, 30, -20, corner)
	lu.assertEquals({ x2, y2 }, { x, y })
end)

each("ends_in_a_wedge", function(wing)
	-- Floor and a ceiling that descends at 30 degrees: no jitter, and no penetration.
	local wedge = { wing.half(0, 1, 0), { shape = wing.half(-0.5, -math.cos(math.pi / 6), -5) } }
	local ball, x, y = wing.ball(0.5), 0, 1
	for _ = 1, 60 do x, y = wing.slide(ball, x, y, 0.5, 0, wedge) end
	local floor, ceiling = wing.distance(ball, x, y, wedge[1]), wing.distance(ball, x, y, wedge[2].shape)
	check(floor > 0 and ceiling > 0 and ceiling < 3 * SKIN, ("%g %g"):format(floor, ceiling))
	local x2, y2 = wing.slide(ball, x, y, 0.5, 0, wedge)
	near(x2, x, 1e-9, "rests")
	near(y2, y, 1e-9, "rests")
end)

each("ramps_and_stairs", function(wing)
	local ball, angle = wing.ball(0.5), math.pi / 6
	local ramp = { wing.half(0, 1, 0), { shape = wing.half(-math.sin(angle), math.cos(angle), 0), pose = wing.pose(2, 0) } }
	local x, y = 0, 0.51
	for _ = 1, 50 do x, y = wing.slide(ball, x, y, 0.1, 0, ramp) end
	check(y > 1.2, "up the ramp")
	near(wing.distance(ball, x, y, ramp[2].shape, ramp[2].pose), SKIN, 1e-3, "at a skin")
	-- A ball of 0.5 climbs steps of 0.2, along their edges; a box does not.
	local stairs = {}
	for i = 1, 6 do stairs[i] = { shape = wing.box(20, 0.2), pose = wing.pose(10 + i, 0.2 * i - 0.1) } end
	stairs[7] = wing.half(0, 1, 0)
	x, y = 0, 0.51
	for _ = 1, 120 do x, y = wing.slide(ball, x, y, 0.1, -0.01, stairs) end
	check(x > 6 and y > 1.6, ("%g %g up the stairs"):format(x, y))
	x, y = -0.5, 0.51
	for _ = 1, 120 do x, y = wing.slide(wing.box(1, 1, 1), x, y, 0.1, -0.01, stairs) end
	near(x, 0.5 - SKIN, 1e-6, "the box stands before the step")
end)

each("what_overlaps_is_first_pushed_out", function(wing)
	local ball = wing.ball(0.5)
	-- 0.2 deep in the floor, then along it.
	local x, y = wing.slide(ball, 0, 0.3, 2, 0, { wing.half(0, 1, 0) })
	near(x, 2, 1e-12, "x")
	near(y, 0.5 + SKIN, 1e-12, "y")
	-- Its centre is deep inside a box: it is pushed out by the shortest translation, and does not enter again.
	x, y = wing.slide(ball, 0.4, 0.1, -0.01, 0, { { shape = wing.box(2, 4) } })
	near(x, 1.5 + SKIN, 1e-9, "out")
	near(y, 0.1, 1e-9, "y")
	-- Two walls at right angles.
	x, y = wing.slide(ball, 0.1, 0.2, 0, 0, { wing.half(0, 1, 0), wing.half(1, 0, 0) })
	check(x >= 0.5 and y >= 0.5 and x < 0.55 and y < 0.55, "out of both")
	-- Without enough room it ends at the least penetration, in the middle, and slides on along the walls.
	local low, high = wing.half(0, 1, 0), wing.half(0, -1, -0.8)
	x, y = wing.slide(ball, 0, 0.3, 3, 0, { low, high })
	near(x, 3, 1e-9, "along")
	check(math.min(wing.distance(ball, x, y, low), wing.distance(ball, x, y, high)) >= -0.2 - 1e-9, "no deeper than it was")
end)

-- Among 60 boxes and balls, in random directions: it starts free and never penetrates.
each("random_walks_never_penetrate", function(wing)
	local number, pick = support.random_numbers(5)
	local obstacles = {}
	for i = 1, 60 do
		local shape = pick(2) == 1 and wing.box(number(0.2, 2), number(0.2, 2), number(0.2, 2)) or wing.ball(number(0.1, 0.8))
		obstacles[i] = { shape = shape, pose = wing.pose(number(-6, 6), number(-6, 6), number(-3, 3)) }
	end
	local movers = { wing.ball(0.3), wing.capsule(0.2, 0.8), wing.box(0.5, 0.4, 0.5) }
	local walks, led = 0, 0
	while walks < 1000 do
		local mover, x, y = movers[pick(3)], number(-7, 7), number(-7, 7)
		local function least()
			local d = math.huge
			for _, o in ipairs(obstacles) do d = math.min(d, wing.distance(mover, x, y, o.shape, o.pose)) end
			return d
		end
		if least() > 0 then
			walks = walks + 1
			for step = 1, 3 do
				local planes
				x, y, _, _, planes = wing.slide(mover, x, y, number(-3, 3), number(-3, 3), obstacles)
				led = led + planes
				check(least() >= 0, ("walk %d, step %d: %g"):format(walks, step, least()))
			end
		end
	end
	check(led > 300, led .. " planes met")
end)

each("makes_no_garbage", function(wing)
	local few, many = {}, {}
	for i = 1, 200 do
		many[i] = { shape = wing.box(1, 1, 1), pose = wing.pose(3 * i, 0) }
		if i <= 40 then few[i] = { shape = wing.box(1, 1, 1), pose = wing.pose(0.1 * i, -1) } end
	end
	local slide = wing.axes == 2 and collide.d2.slideShape or collide.d3.slideShape
	local ball, pose = wing.ball(0.5), wing.pose(0.6, 2)
	local function go(obstacles)
		if wing.axes == 2 then slide(ball, pose, 1, -3, obstacles) else slide(ball, pose, 1, -3, 0, obstacles) end
	end
	check(support.bytes_of(100, function() go(few) go(many) end) == 0, "garbage")
end)

-- More obstacles than the stack buffer holds, all in reach.
each("many_obstacles", function(wing)
	local floor = {}
	for i = 1, 300 do floor[i] = { shape = wing.box(0.5, 1), pose = wing.pose(0.5 * i - 75, -0.5) } end
	local x, y, _, _, planes = wing.slide(wing.ball(0.5), -40, 3, 80, -5, floor)
	near(x, 40, 1e-9, "x")
	near(y, 0.5 + SKIN, 1e-9, "y")
	lu.assertEquals(planes, 1)
end)

each("errors", function(wing)
	local d = wing.axes == 2 and collide.d2 or collide.d3
	local function raises(message, shape, obstacles, options)
		local ok, said
		if wing.axes == 2 then
			ok, said = pcall(d.slideShape, shape, nil, 1, 0, obstacles, options)
		else
			ok, said = pcall(d.slideShape, shape, nil, 1, 0, 0, obstacles, options)
		end
		lu.assertFalse(ok)
		lu.assertStrContains(said, message)
	end
	local ball = wing.ball(1)
	raises("slideShape: shape must be a shape, got 1", 1, {})
	raises("slideShape: shape must be convex and have an end, got a " .. wing.axes .. "D shape", wing.half(0, 1, 0), {})
	raises("slideShape: obstacles must be a list, got nil", ball, nil)
	raises("slideShape: obstacles[2] must be a shape, got true", ball, { ball, true })
	raises("slideShape: obstacles[1].shape must be a shape, got nil", ball, { {} })
	raises("slideShape: obstacles[1].pose must be a pose or nil, got 7", ball, { { shape = ball, pose = 7 } })
	raises("slideShape: skin must be > 0, got 0", ball, {}, { skin = 0 })
	raises("slideShape: unknown key 'skim', did you mean 'skin'?", ball, {}, { skim = 1 })
end)

-- Two planes in 3D leave the crease.
function TestSlideShape.test_d3_slides_along_a_crease()
	local d3 = collide.d3
	local walls = { d3.halfSpace(0, 1, 0, 0), d3.halfSpace(-1, 0, 0, -5) }
	local x, y, z, _, planes = d3.slideShape(d3.capsule(0.3, 1.6), d3.pose(4, 1, 0), 6, -6, 3, walls)
	near(x, 4.7 - SKIN, 1e-6, "x")
	near(y, 0.8 + SKIN, 1e-6, "y")
	near(z, 3, 1e-6, "z")
	lu.assertEquals(planes, 2)
	-- A third wall stops it.
	walls[3] = d3.halfSpace(0, 0, -1, -2)
	x, y, z, _, planes = d3.slideShape(d3.capsule(0.3, 1.6), d3.pose(4, 1, 0), 6, -6, 3, walls)
	near(z, 1.7 - SKIN, 1e-6, "z")
	lu.assertEquals(planes, 3)
	-- Over a flat top.
	x, y, z = d3.slideShape(d3.sphere(0.5), d3.pose(0, 2, 0), 3, -3, 1, { { shape = d3.box(20, 1, 20), pose = d3.pose(0, -0.5, 0) } })
	near(x, 3, 1e-6, "x")
	near(y, 0.5 + SKIN, 1e-6, "y")
	near(z, 1, 1e-6, "z")
end

-- Over hills of a mesh with a heap of shapes on them that is one compound: a capsule walks randomly and never penetrates.
function TestSlideShape.test_d3_meshes_and_compounds()
	local d3, number = collide.d3, support.random_numbers(7)
	local points, triangles = {}, {}
	for j = 0, 8 do
		for i = 0, 8 do
			for _, v in ipairs { i - 4, 0.4 * math.sin(0.9 * i) * math.cos(0.7 * j), j - 4 } do points[#points + 1] = v end
			local a = 9 * j + i + 1
			if i < 8 and j < 8 then for _, k in ipairs { a, a + 9, a + 1, a + 1, a + 9, a + 10 } do triangles[#triangles + 1] = k end end
		end
	end
	local heap = d3.compound { { shape = d3.box(1, 1, 1), pose = d3.pose(2, 0.5, 0) }, d3.sphere(1), { shape = d3.cylinder(0.5, 2), pose = d3.pose(-2, 0.5, 1) } }
	local hills, place, capsule = d3.mesh(points, triangles), d3.pose(0, 0.2, 0), d3.capsule(0.3, 1.2)
	local x, y, z, met = -3, 3, -3, 0
	for step = 1, 200 do
		local dx, dz, planes = number(-0.6, 0.6) - 0.1 * x, number(-0.6, 0.6) - 0.1 * z, nil
		local _
		x, y, z, _, planes = d3.slideShape(capsule, d3.pose(x, y, z), dx, -0.3, dz, { hills, { shape = heap, pose = place } })
		local pose = d3.pose(x, y, z)
		check(d3.distance(capsule, pose, hills) >= 0 and d3.distance(capsule, pose, heap, place) >= 0, "inside at step " .. step)
		met = met + planes
	end
	check(met > 100 and y > 0, met .. " planes met")
end

-- A chain's segments are obstacles from both sides, and the segment under the mover does not hide the next ones.
function TestSlideShape.test_d2_chains()
	local d2 = collide.d2
	local points = {}
	for i = 0, 400 do points[2 * i + 1], points[2 * i + 2] = 40 - 0.2 * i, 0.3 * math.sin(0.2 * i) end
	local hills, walker = d2.chain(points), d2.capsule(0.3, 1.2)
	local x, y = -30, 2
	for _ = 1, 300 do
		x, y = d2.slideShape(walker, d2.pose(x, y), 0.2, -0.05, { hills })
		check(d2.distance(walker, d2.pose(x, y), hills) > 0, "free")
	end
	check(x > 25, x .. ": over the hills")
	-- In exact contact with one segment, with another ahead.
	local bend = d2.chain { 5, 5, 5, 0, 0, 0 }
	x, y = d2.slideShape(d2.circle(1), d2.pose(2, 1), 8, 0, { bend })
	near(x, 4 - SKIN, 1e-9, "stops before the wall")
	near(y, 1 + SKIN, 1e-9, "lifted")
end

-- A finalizer that runs while the obstacles are gathered makes their list longer.
function TestSlideShape.test_finalizers_that_change_the_list()
	local pause, multiplier = collectgarbage("setpause", 0), collectgarbage("setstepmul", 100)
	for _, dim in ipairs { "d2", "d3" } do
		local d, flat = collide[dim], dim == "d2"
		local mover = flat and d.circle(1) or d.sphere(1)
		local obstacle = { shape = flat and d.circle(0.5) or d.sphere(0.5), pose = d.pose(0, 3, 0) }
		for _ = 1, 20 do
			local list = {}
			for i = 1, 70 do list[i] = obstacle end
			setmetatable({}, { __gc = function()
				for i = #list + 1, 3000 do list[i] = obstacle end
			end })
			for _ = 1, 100 do
				local x
				if flat then x = d.slideShape(mover, nil, 10, -1, list) else x = d.slideShape(mover, nil, 10, -1, 0, list) end
				near(x, 10, 1e-9, "free way")
				if #list > 70 then break end
			end
		end
	end
	collectgarbage("setpause", pause)
	collectgarbage("setstepmul", multiplier)
end
