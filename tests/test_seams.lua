-- Laws of seams: bodies slide and roll over a floor of tiles as over a single floor.
--
-- A body slides over tiles as over one box, whatever its shape, speed, step and tiles; the run over the box is the reference. Without friction the speed stays,
-- so a loss means a bump: the final speeds differ by at most 1 part in 1000, and no body rises by more than RISE. A step between tiles of up to one slop is a
-- seam and lifts the body; one of two slops is an edge.
local lu, collide, planes = require "luaunit", require "collide", require("support").planes

local SLOP, RISE = 0.005, 0.001

-- Shapes with the height of their centre over their lowest point.
local shapes = {
	d2 = {
		ball = function(d) return d.circle(0.5), 0.5 end,
		box = function(d) return d.box(1, 1), 0.5 end,
		lying = function(d) return d.capsule(-0.5, 0, 0.5, 0, 0.25), 0.25 end,
		standing = function(d) return d.capsule(0, -0.25, 0, 0.25, 0.25), 0.5 end,
		rounded = function(d) return d.box(1, 1, { radius = 0.1 }), 0.5 end,
		octagon = function(d)
			local points = {}
			for i = 0, 7 do
				points[2 * i + 1] = 0.5 * math.cos((i + 0.5) * math.pi / 4) / math.cos(math.pi / 8)
				points[2 * i + 2] = 0.5 * math.sin((i + 0.5) * math.pi / 4) / math.cos(math.pi / 8)
			end
			return d.polygon(points), 0.5
		end,
		ellipse = function(d) return d.ellipse(0.6, 0.4), 0.4 end,
	},
}
shapes.d3 = { cylinder = function() return collide.d3.cylinder(0.5, 1), 0.5 end }
for name, new_shape in pairs(shapes.d2) do shapes.d3[name] = new_shape end

-- Positions in a frame rotated by quarter turns: floor, wall, ceiling, wall.
local function turned(x, y, quarters)
	for _ = 1, quarters or 0 do x, y = -y, x end
	return x, y
end

TestSeams = {}

for _, dim in ipairs { "d2", "d3" } do
	local d, LENGTH = planes[dim], 44

	-- A floor from 0 to LENGTH, its top at y = 0; every second tile is `step` higher. Tiles that end before `from` or begin after `to` are left out.
	local function new_floor(world, options, from, to)
		local width, friction, count = options.tile, options.friction or 0, 0
		local whole = (options.kind == "colliders" or options.kind == "dynamic") and world:newBody { type = options.kind == "dynamic" and "dynamic" or "static",
			angle = (options.turn or 0) * math.pi / 2, locks = { x = true, y = true, rotation = true } }
		for left = 0, LENGTH - width, width do
			count = count + 1
			local step = count % 2 == 0 and options.step or 0
			if left + width < from or left > to then -- out of reach
			elseif whole then
				whole:newCollider(d.polygon { left, step - 1, left + width, step - 1, left + width, step, left, step }, { friction = friction, group = -1 })
			else
				local x, y = turned(left + width / 2, step - 0.5, options.turn)
				world:newBody { type = options.kind or "static", x = x, y = y, angle = (options.turn or 0) * math.pi / 2, friction = friction,
					shape = d.box(width, 1) }
			end
		end
	end

	-- Slides a shape along the floor, or the floor rotated to a wall or ceiling; gravity still points down.
	local function slide(name, options)
		local shape, height = shapes[dim][name](d)
		local world = d.newWorld { gravity = { 0, -10 }, sleeping = false }
		local seconds = math.min(options.seconds or 1.2, 24 / options.speed)
		local spare = 2 + (options.turn and 5 * seconds ^ 2 or 0) -- it falls along walls
		new_floor(world, options, 8 - spare, 8 + options.speed * seconds + spare)
		-- With these the slider has more contacts than the floor.
		for _ = 1, options.sensors or 0 do world:newBody { type = "static", sensor = true, group = -1, shape = d.box(100, 100) } end
		local x, y = turned(8, height + (options.above or 0), options.turn)
		local vx, vy = turned(options.speed, -(options.fall or 0), options.turn)
		local body = world:newBody { x = x, y = y, angle = (options.turn or 0) * math.pi / 2, linearVelocity = { vx, vy }, friction = options.friction or 0,
			shape = shape, locks = { rotation = options.locked } }
		if options.rolls then body:setAngularVelocity(-options.speed / height) end
		local steps = math.floor(seconds * options.hz)
		local top, bottom, hits = -math.huge, math.huge, 0
		for _ = 1, steps do
			local px, py = turned(0, -10 * (options.press or 0) * body:getMass(), options.turn)
			body:applyForce(px, py)
			world:step(1 / options.hz)
			for _ in world:hits() do hits = hits + 1 end
			x, y = body:getPosition()
			x, y = turned(x, y, 4 - (options.turn or 0))
			top, bottom = math.max(top, y - height), math.min(bottom, y - height)
		end
		vx, vy = body:getLinearVelocity()
		return { speed = turned(vx, vy, 4 - (options.turn or 0)), x = x, top = top, bottom = bottom, hits = hits, way = options.speed * steps / options.hz }
	end

	local function each(speeds, tiles, visit)
		for _, speed in ipairs(speeds) do
			for _, hz in ipairs { 30, 60, 120 } do
				for _, width in ipairs(tiles) do visit(speed, hz, width) end
			end
		end
	end

	-- The run over one floor does not depend on the tiles' width: it is made once for each combination of the other options.
	local references = {}
	local function reference(name, options)
		local key = table.concat({ name, options.speed, options.hz, tostring(options.locked), options.press or 0, options.friction or 0, options.turn or 0,
			tostring(options.rolls), options.kind or "" }, " ")
		options.tile, options.step = LENGTH, nil
		references[key] = references[key] or slide(name, options)
		return references[key]
	end

	local function assert_like_one_floor(name, options)
		local run = slide(name, options)
		local text = ("%s at %g m/s, %d Hz, tiles of %g"):format(name, options.speed, options.hz, options.tile)
		local one = reference(name, options)
		-- The end of a leaning cylinder pushes along its own normal: a slope of 0.1 mrad over a run of 1.2 s.
		local lean = dim == "d3" and name == "cylinder" and not options.locked and 1e-4 or 0
		lu.assertAlmostEquals(run.speed, one.speed, 1e-3 * options.speed + 10 * lean * 1.2, text)
		lu.assertAlmostEquals(run.x, one.x, 1e-3 * run.way + 1e-4 + 5 * lean * 1.2 ^ 2, text)
		lu.assertTrue(run.top <= one.top + (options.rise or RISE), text .. (": rises by %g"):format(run.top - one.top))
		lu.assertTrue(run.bottom >= one.bottom - RISE, text .. (": sinks by %g"):format(one.bottom - run.bottom))
		lu.assertEquals(run.hits, one.hits, text)
	end

	for name in pairs(shapes[dim]) do
		-- A body on a round end would fall over.
		for _, locked in ipairs((name == "standing") and { true } or { true, false }) do
			TestSeams[("test_%s_%s_%s_feels_no_seam"):format(dim, name, locked and "locked" or "free")] = function()
				each({ 0.1, 2, 20 }, { 0.1, 0.5, 1, 5 }, function(speed, hz, width)
					assert_like_one_floor(name, { speed = speed, hz = hz, tile = width, locked = locked, press = locked and 3 or 0 })
				end)
			end
		end

		TestSeams[("test_%s_%s_slides_over_parts_of_one_body_and_kinematic_ones"):format(dim, name)] = function()
			for _, kind in ipairs { "colliders", "kinematic", "dynamic" } do
				each({ 0.1, 2, 20 }, { 0.5 }, function(speed, hz, width)
					assert_like_one_floor(name, { speed = speed, hz = hz, tile = width, locked = true, kind = kind, sensors = kind == "dynamic" and 9 })
				end)
			end
		end

		-- Along a wall down, along a ceiling, and up a wall, pressed against it.
		TestSeams[("test_%s_%s_slides_along_walls_and_ceilings_of_tiles"):format(dim, name)] = function()
			for turn = 1, 3 do
				each({ 2, 20 }, { 0.5 }, function(speed, hz, width)
					assert_like_one_floor(name, { speed = speed, hz = hz, tile = width, locked = true, turn = turn, press = 4 })
				end)
			end
		end

		-- With friction a pressed body slows down as on one floor.
		TestSeams[("test_%s_%s_brakes_as_on_one_floor"):format(dim, name)] = function()
			each({ 2, 20 }, { 0.5 }, function(speed, hz, width)
				assert_like_one_floor(name, { speed = speed, hz = hz, tile = width, locked = true, friction = 0.3, press = 0.5 })
			end)
		end

		-- It lands on a seam as beside it: the part that is deep in the floor then is in all of its tiles.
		TestSeams[("test_%s_%s_lands_on_seams"):format(dim, name)] = function()
			for _, fall in ipairs { 1, 3, 6 } do
				each({ 2 }, { 0.3, 1 }, function(speed, hz, width)
					local run = slide(name, { speed = speed, hz = hz, tile = width, locked = true, above = 0.13, fall = fall })
					lu.assertAlmostEquals(run.speed, speed, 1e-3 * speed, ("%s falls at %g, %d Hz, tiles of %g"):format(name, fall, hz, width))
				end)
			end
		end

		-- A step of a slop lifts the body and takes no speed.
		TestSeams[("test_%s_%s_takes_a_step_of_one_slop_as_a_seam"):format(dim, name)] = function()
			each({ 0.5, 2, 20 }, { 3 }, function(speed, hz, width)
				local options = { speed = speed, hz = hz, tile = width, seconds = 3, locked = true, step = SLOP, press = 2 }
				local run = slide(name, options)
				local text = ("%s at %g m/s, %d Hz"):format(name, speed, hz)
				lu.assertAlmostEquals(run.speed, speed, 1e-3 * speed, text)
				lu.assertTrue(run.top < SLOP + RISE, text)
			end)
		end
	end

	-- A ball that rolls keeps rolling.
	TestSeams["test_" .. dim .. "_a_ball_rolls_over_seams"] = function()
		each({ 0.1, 2, 20 }, { 0.1, 0.5, 5 }, function(speed, hz, width)
			assert_like_one_floor("ball", { speed = speed, hz = hz, tile = width, friction = 0.6, rolls = true })
		end)
	end

	-- An upright face stops at an edge of two slops. A ball would have to climb: its v^2 is less than 2 g h, with three times the weight.
	TestSeams["test_" .. dim .. "_a_step_of_two_slops_is_an_edge"] = function()
		for _, hz in ipairs { 30, 60, 120 } do
			local options = { speed = 0.5, hz = hz, tile = 3, seconds = 3, locked = true, step = 2 * SLOP, press = 2 }
			lu.assertTrue(math.abs(slide("box", options).speed) < 0.01)
			lu.assertTrue(slide("ball", options).speed < 0.1)
		end
	end

	-- An edge without a neighbour stays an edge. A ball of radius r between two boxes w apart rests on both corners:
	--   its centre is sqrt(r^2 - w^2/4) above them.        With w = 0.1 m it is 2.5 mm lower, with 0.2 m 10 mm.
	TestSeams["test_" .. dim .. "_a_ball_rests_on_two_corners"] = function()
		for _, width in ipairs { 0.05, 0.1, 0.2, 0.4 } do
			local world = d.newWorld { gravity = { 0, -10 }, sleeping = false }
			for side = -1, 1, 2 do world:newBody { type = "static", x = side * (width / 2 + 1), y = -0.5, shape = d.box(2, 1) } end
			local shape, radius = shapes[dim].ball(d)
			local ball = world:newBody { y = 0.5, shape = shape }
			for _ = 1, 120 do world:step(1 / 60) end
			local lowest, highest = math.huge, -math.huge
			for _ = 1, 60 do
				world:step(1 / 60)
				local _, y = ball:getPosition()
				lowest, highest = math.min(lowest, y), math.max(highest, y)
			end
			lu.assertAlmostEquals(lowest, math.sqrt(radius ^ 2 - width ^ 2 / 4), 0.001)
			lu.assertTrue(highest - lowest < 1e-4)
		end
	end

	-- A plank rests on the last five millimetres of two walls, as on 60 mm.
	TestSeams["test_" .. dim .. "_a_plank_rests_on_narrow_ledges"] = function()
		for _, ledge in ipairs { 0.005, 0.06 } do
			local world = d.newWorld { gravity = { 0, -10 }, sleeping = false }
			for side = -1, 1, 2 do world:newBody { type = "static", x = side * 2, y = -0.5, shape = d.box(2, 1) } end
			local plank = world:newBody { y = 0.1, shape = d.box(2 + 2 * ledge, 0.2) }
			for _ = 1, 120 do world:step(1 / 60) end
			local x, y = plank:getPosition()
			lu.assertAlmostEquals(x, 0, 0.001)
			lu.assertAlmostEquals(y, 0.1, 0.002)
		end
	end
end

-- 3D only.
local d3 = collide.d3
local solids = {
	ball = { d3.sphere(0.5), 0.5 },
	box = { d3.box(1, 1, 1), 0.5 },
	small_box = { d3.box(0.3, 0.3, 0.3), 0.15 },
	capsule = { d3.capsule(-0.5, 0, 0, 0.5, 0, 0, 0.25), 0.25 },
	standing_capsule = { d3.capsule(0, -0.25, 0, 0, 0.25, 0, 0.25), 0.5 },
	cylinder = { d3.cylinder(0.5, 1), 0.5 },
	cone = { d3.cone(0.5, 1), 0.5 },
	log = { d3.cylinder(0.3, 1, { qx = math.sqrt(0.5), qy = 0, qz = 0, qw = math.sqrt(0.5) }), 0.3 },
}

-- Speeds along x and z after half a second over a floor with its top at y = 0, and optionally along a wall with its face at z = 0. There is no friction, so the
-- speeds stay, except that across the wall.
local function slide_over(name, options)
	local shape, height = (table.unpack or unpack)(solids[name])
	local world = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }
	options.build(world)
	local body = world:newBody { x = 2, y = height, z = options.z, linearVelocity = { options.speed, 0, options.across or 0 }, friction = 0, shape = shape,
		rotation = options.turn and { 0, math.sin(options.turn / 2), 0, math.cos(options.turn / 2) },
		locks = { rotationX = true, rotationY = true, rotationZ = true } }
	local top = 0
	for _ = 1, options.hz / 2 do
		if options.push then body:applyForce(0, 0, -options.push * body:getMass(), body:getPosition()) end
		world:step(1 / options.hz)
		local _, y = body:getPosition()
		top = math.max(top, y - height)
	end
	local vx, _, vz = body:getLinearVelocity()
	local text = ("%s at %g m/s, %d Hz"):format(name, options.speed, options.hz)
	lu.assertAlmostEquals(vx, options.speed, 1e-3 * options.speed, text)
	lu.assertAlmostEquals(vz, options.across or 0, 1e-3 * options.speed, text)
	lu.assertTrue(top < RISE, text)
end

local function tiles(world, width)
	for x = 0, 12, width do
		for z = 0, 4, width do
			world:newBody { type = "static", x = x + width / 2, y = -0.5, z = z + width / 2, shape = d3.box(width, 1, width), friction = 0 }
		end
	end
end

local function each_speed(visit)
	for _, speed in ipairs { 0.2, 2, 18 } do
		for _, hz in ipairs { 30, 60, 120 } do visit(speed, hz) end
	end
end

for name in pairs(solids) do
	-- Obliquely over tiles that end in both directions.
	TestSeams["test_d3_" .. name .. "_slides_obliquely_over_tiles"] = function()
		each_speed(function(speed, hz)
			slide_over(name, { speed = speed, across = 0.2 * speed, hz = hz, z = 2.03, turn = 0.3, build = function(world) tiles(world, 0.5) end })
		end)
	end
end

for _, name in ipairs { "ball", "box", "standing_capsule", "cylinder", "cone" } do
	-- In the corner of a floor and a wall, both of tiles, pushed against the wall by half its weight. A cone has only its rim there, at the lower edge of the
	-- wall.
	TestSeams["test_d3_" .. name .. "_slides_along_a_wall_on_a_floor"] = function()
		each_speed(function(speed, hz)
			local radius = name == "standing_capsule" and 0.25 or 0.5
			slide_over(name, { speed = speed, hz = hz, z = radius, push = 5, build = function(world)
				tiles(world, 0.5)
				for x = 0.25, 12, 0.5 do
					for y = 0.25, 2, 0.5 do
						world:newBody { type = "static", x = x, y = y, z = -0.5, shape = d3.box(0.5, 0.5, 1), friction = 0 }
					end
				end
			end })
		end)
	end

	-- From a mesh onto a box. A round body also has contact with the last edge of the mesh.
	if name == "box" or name == "cylinder" then
		TestSeams["test_d3_" .. name .. "_slides_from_a_mesh_onto_a_box"] = function()
			each_speed(function(speed, hz)
				slide_over(name, { speed = speed, hz = hz, z = 0, build = function(world)
					local edge = 2 + 0.25 * speed
					world:newBody { type = "static", shape = d3.mesh({ -2, 0, -2, -2, 0, 2, edge, 0, 2, edge, 0, -2 }, { 1, 2, 3, 1, 3, 4 }), friction = 0 }
					world:newBody { type = "static", x = edge + 5, y = -0.5, shape = d3.box(10, 1, 4), friction = 0 }
				end })
			end)
		end
	end
end
