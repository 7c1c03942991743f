-- Queries of worlds, bodies and colliders against brute force: the stateless functions of the toolbox, on every collider.
--
-- Both use the same shapes at the same poses, so the results agree to the rounding of doubles, EXACT, except for normals, which worlds round to floats. A world
-- stores a body's centre of mass, from which its position is computed: that moves a shape by some 1e-7 of the distance between the two at most.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local d2, d3 = collide.d2, collide.d3

local EXACT, COLLIDERS = 1e-6, 500

local loop = d2.chain({ -0.6, -0.6, 0.6, -0.6, 0.6, 0.6, -0.6, 0.6 }, { loop = true })

local spaces = { d2 = { d = d2, axes = 2 }, d3 = { d = d3, axes = 3 } }

-- Shapes of each type.
function spaces.d2.shapes()
	return {
		d2.circle(0.7), d2.circle(0.3, 0.5, 0.1), d2.capsule(-0.5, 0, 0.5, 0.2, 0.3), d2.box(1.6, 0.5), d2.box(1, 0.8, { x = 0.2, angle = 0.5, radius = 0.2 }),
		d2.polygon { -1, -0.5, 0.7, -0.7, 1, 0.5, 0, 1 }, d2.polygon({ -0.5, -0.5, 0.5, -0.2, 0, 0.5 }, 0.2), d2.ellipse(0.9, 0.4), d2.segment(-1, 0, 0.8, 0.3),
		d2.chain { 1, 0, 0.3, 0.4, -0.4, -0.1, -1, 0.2 }, loop,
		d2.chain({ -1, 0, 0, 0.5, 1, 0 }, { oneSided = false }),
	}
end

function spaces.d3.shapes()
	local heights, vertices, indices = {}, {}, {}
	for i = 1, 25 do heights[i] = 0.3 * math.sin(2.4 * i) end
	for i = 0, 3 do
		for k = 0, 3 do
			vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = 0.5 * i - 0.75, 0.2 * math.cos(3.1 * i + k), 0.5 * k - 0.75
			if i < 3 and k < 3 then
				local a = 4 * i + k + 1
				for _, n in ipairs { a, a + 1, a + 4, a + 1, a + 5, a + 4 } do indices[#indices + 1] = n end
			end
		end
	end
	return {
		d3.sphere(0.7), d3.sphere(0.3, 0.5, 0.1, 0), d3.capsule(-0.5, 0, 0, 0.5, 0.2, 0.1, 0.3), d3.box(1.6, 0.5, 0.9), d3.box(1, 0.8, 0.7, { radius = 0.2 }),
		d3.hull { -1, -0.5, 0, 0.7, -0.7, 0.3, 1, 0.5, -0.4, 0, 1, 0.2, 0, 0, 0.9 }, d3.cylinder(0.5, 1), d3.cone(0.6, 1.2), d3.ellipsoid(0.9, 0.4, 0.6),
		d3.taperedCapsule(0, -0.5, 0, 0.5, 0, 0.5, 0, 0.2), d3.triangle(-1, 0, 0, 1, 0.2, 0.3, 0, 0.6, -0.8),
		d3.mesh(vertices, indices), d3.mesh(vertices, indices, { oneSided = true }),
		d3.heightField { columns = 5, rows = 5, cellWidth = 0.4, cellDepth = 0.4, x = -0.8, z = -0.8, heights = heights },
		d3.compound { d3.sphere(0.4), { shape = d3.box(1, 0.2, 0.2), pose = d3.pose(0.6, 0, 0) }, { shape = d3.cone(0.3, 0.6), pose = d3.pose(0, 0.7, 0) } },
	}
end

local compounds = { chain = true, mesh = true, heightField = true, compound = true, segment = true, triangle = true }

for dim, space in pairs(spaces) do
	local d, axes = space.d, space.axes
	local suite = support.suite("TestWorldCasts", dim)

	local function unpack_point(p) return (table.unpack or unpack)(p, 1, #p) end

	local function rotated(number)
		if axes == 2 then return { number(-3, 3) } end
		return { number(-1, 1), number(-1, 1), number(-1, 1), number(0.2, 1) }
	end

	local function new_pose(point, rotation)
		local list = {}
		for i = 1, axes do list[i] = point[i] end
		for i = 1, #rotation do list[axes + i] = rotation[i] end
		return d.pose(unpack_point(list))
	end

	local function random_point(number, size)
		local point = {}
		for i = 1, axes do point[i] = number(-size, size) end
		return point
	end

	local layers = { "one", "two", "three" }

	-- A world of colliders of all types, and their list; each has its shape, pose, layer and whether it is a sensor.
	local function new_scene(seed, size)
		local number, pick = support.random_numbers(seed)
		local world = d.newWorld { layers = layers }
		local shapes, list = space.shapes(), {}
		for i = 1, COLLIDERS do
			local point, rotation, shape = random_point(number, size), rotated(number), shapes[(i - 1) % #shapes + 1]
			local options = { type = pick(2) == 1 and "static" or "kinematic", position = point, shape = shape, layer = layers[pick(3)], sensor = pick(6) == 1 }
			if axes == 2 then options.angle = rotation[1] else options.rotation = rotation end
			local body = world:newBody(options)
			list[i] = {
				collider = body:getColliders()[1], body = body, shape = shape, type = shape:getType(), pose = new_pose(point, rotation), sensor = options.sensor,
				layer = options.layer, id = i,
			}
		end
		return world, list, number, pick
	end

	local size = axes == 2 and 22 or 5

	-- The numbers of a point or vector, and another argument after them.
	local function with(point, options)
		local list = { unpack_point(point) }
		list[axes + 1] = options
		return unpack_point(list)
	end

	local function add(a, b)
		local sum = {}
		for i = 1, axes do sum[i] = a[i] + b[i] end
		return sum
	end

	local function concat(a, b)
		local list = {}
		for i = 1, axes do list[i], list[axes + i] = a[i], b[i] end
		return unpack_point(list)
	end

	-- A result row after the collider: the point, the normal, the fraction, the part and its kind.
	local function row(collider, ...)
		if collider == nil then return nil end
		local list = { ... }
		return {
			collider = collider, point = { unpack_point(list, 1) }, normal = { (table.unpack or unpack)(list, axes + 1, 2 * axes) }, fraction = list[2 * axes + 1],
			part = list[2 * axes + 2], kind = list[2 * axes + 3],
		}
	end

	local kinds = { chain = "segment", mesh = "triangle", heightField = "triangle", compound = "child" }

	-- Brute force: the hits of a ray, or of a moving shape, by fraction, then by id.
	local function sorted(hits)
		table.sort(hits, function(a, b) return a.fraction < b.fraction or a.fraction == b.fraction and a.id < b.id end)
		return hits
	end

	local function brute_rays(list, from, to)
		local hits = {}
		for _, item in ipairs(list) do
			local result = { d.raycast(item.shape, item.pose, concat(from, to)) }
			if result[1] then
				hits[#hits + 1] = {
					id = item.id, item = item, fraction = result[1], normal = { (table.unpack or unpack)(result, axes + 2, 2 * axes + 1) }, part = result[2 * axes + 2],
				}
			end
		end
		return sorted(hits)
	end

	-- The first hit of a moving shape, as fraction and normal. A one-sided chain's segments are cast singly, and only those that the motion faces: d2.cast takes
	-- both sides.
	local function brute_cast(shape, pose, delta, item)
		local args = { with(delta, item.shape) }
		args[axes + 2] = item.pose
		if axes == 3 or item.type ~= "chain" or not item.shape:isOneSided() then
			local result = { d.cast(shape, pose, unpack_point(args)) }
			return result[1] and result[2] or nil, { (table.unpack or unpack)(result, 3, 2 + axes) }
		end
		local points, first, normal = item.shape:getPoints(), nil, nil
		local angle = item.pose:getAngle()
		local c, s = math.cos(angle), math.sin(angle)
		for i = 1, #points - (item.shape == loop and 0 or 2), 2 do
			local k = (i + 1) % #points + 1
			local x, y = points[k] - points[i], points[k + 1] - points[i + 1]
			local nx, ny = c * y + s * x, s * y - c * x
			if nx * delta[1] + ny * delta[2] < 0 then
				args[3] = d2.segment(points[i], points[i + 1], points[k], points[k + 1])
				local result = { d2.cast(shape, pose, unpack_point(args)) }
				if result[1] and (first == nil or result[2] < first) then first, normal = result[2], { result[3], result[4] } end
			end
		end
		return first, normal
	end

	local function chosen(hits, allowed)
		local list = {}
		for _, hit in ipairs(hits) do
			if allowed(hit.item) then list[#list + 1] = hit end
		end
		return list
	end

	local function solid(item) return not item.sensor end

	local function assert_hit(hit, expected, message)
		lu.assertTrue(hit.collider == expected.item.collider, message)
		lu.assertAlmostEquals(hit.fraction, expected.fraction, EXACT)
	end

	suite["test_rays"] = function()
		local world, list, number = new_scene(31, size)
		local hits, parts, later = 0, 0, 0
		for _ = 1, 160 do
			local from, to = random_point(number, size), random_point(number, size)
			local expected = brute_rays(list, from, to)
			local all = { concat(from, to) }
			all[#all + 1] = { sensors = true }
			local got = world:raycastAll(unpack_point(all))
			lu.assertEquals(#got, #expected)
			for i, hit in ipairs(got) do
				local other = expected[i]
				assert_hit(hit, other)
				lu.assertEquals(hit.kind, kinds[other.item.type])
				if hit.fraction > 0 then lu.assertEquals(hit.part, other.part) end
				hits, parts = hits + 1, parts + (hit.part and 1 or 0)
				local alone = { other.item.collider:raycast(concat(from, to)) }
				lu.assertAlmostEquals(alone[2 * axes + 1], other.fraction, EXACT)
				local of_body = row(other.item.body:raycast(unpack_point(all)))
				assert_hit(of_body, other)
			end
			local first = row(world:raycast(concat(from, to)))
			local visible = chosen(expected, solid)
			lu.assertEquals(first ~= nil, #visible > 0)
			lu.assertEquals(world:raycastAny(concat(from, to)), #visible > 0)
			if first then assert_hit(first, visible[1]) end
			-- without what contains the start; the parts of a compound count singly, so it may be hit later
			local outside = chosen(visible, function(item) return not d.containsPoint(item.shape, item.pose, with(from)) end)
			all[#all] = { startInside = false }
			local after = world:raycastAll(unpack_point(all))
			local at = 1
			for _, hit in ipairs(after) do
				if outside[at] and hit.collider == outside[at].item.collider then at = at + 1
				else lu.assertEquals(hit.kind, "child") end
			end
			lu.assertEquals(at, #outside + 1)
			later = later + #visible - #outside
		end
		lu.assertTrue(hits > 500 and parts > 100 and later > 3, ("%d hits, %d parts, %d starts inside"):format(hits, parts, later))
	end

	suite["test_shapes_that_move"] = function()
		local world, list, number = new_scene(32, size)
		local movers = space.shapes()
		local hits, inside = 0, 0
		for i = 1, 90 do
			local shape, point, delta = movers[i % #movers + 1], random_point(number, size), random_point(number, size / 2)
			local pose = new_pose(point, rotated(number))
			local expected = {}
			for _, item in ipairs(list) do
				local fraction, normal = brute_cast(shape, pose, delta, item)
				if fraction then expected[#expected + 1] = { item = item, id = item.id, fraction = fraction, normal = normal } end
			end
			sorted(expected)
			-- a mover that is a one-sided chain or mesh is not compared: d2.cast takes both of its sides
			local sided = compounds[shape:getType()] and axes == 2 and shape:getType() == "chain" and shape:isOneSided()
			local got = world:shapecastAll(shape, pose, with(delta, { sensors = true }))
			if not sided then
				lu.assertEquals(#got, #expected, shape:getType())
				for k, hit in ipairs(got) do
					local other = expected[k]
					assert_hit(hit, other, shape:getType())
					local alone = { other.item.collider:shapecast(shape, pose, with(delta)) }
					lu.assertAlmostEquals(alone[2 * axes + 1], other.fraction, EXACT)
					if hit.fraction > 0 and not compounds[shape:getType()] and not compounds[other.item.type] then
						lu.assertAlmostEquals(hit.nx, -other.normal[1], 1e-5)
						lu.assertAlmostEquals(hit.ny, -other.normal[2], 1e-5)
					end
					hits, inside = hits + 1, inside + (hit.fraction == 0 and 1 or 0)
				end
				local visible = chosen(expected, solid)
				local first = row(world:shapecast(shape, pose, with(delta)))
				lu.assertEquals(first ~= nil, #visible > 0)
				lu.assertEquals(world:shapecastAny(shape, pose, with(delta)), #visible > 0)
				if first then lu.assertAlmostEquals(first.fraction, visible[1].fraction, EXACT) end
				-- What it overlaps at the start is ignored, part by part.
				local found = {}
				for _, hit in ipairs(world:shapecastAll(shape, pose, with(delta, { startInside = false }))) do
					lu.assertTrue(hit.fraction > 0)
					found[hit.collider] = true
				end
				for _, hit in ipairs(visible) do
					if hit.fraction > 0 then lu.assertTrue(found[hit.item.collider]) end
					if hit.fraction == 0 and not compounds[hit.item.type] and not compounds[shape:getType()] then lu.assertNil(found[hit.item.collider]) end
				end
			end
		end
		lu.assertTrue(hits > 400 and inside > 20, hits .. " hits, " .. inside .. " overlaps at the start")
	end

	-- A ball of radius r touches the plane through a ray's hit, on whose far side a convex shape is, at most r / cos before the ray's point does.
	suite["test_a_small_ball_moves_like_a_ray"] = function()
		local world, list, number = new_scene(33, size)
		local by, same = {}, 0
		for _, item in ipairs(list) do by[item.collider] = item end
		local radius = 1e-4
		local ball = axes == 2 and d2.circle(radius) or d3.sphere(radius)
		for _ = 1, 300 do
			local from, delta = random_point(number, size), random_point(number, size)
			local ray = row(world:raycast(concat(from, add(from, delta))))
			local cast = row(world:shapecast(ball, new_pose(from, axes == 2 and { 0 } or { 0, 0, 0, 1 }), with(delta)))
			if ray then
				lu.assertTrue(cast and cast.fraction <= ray.fraction + EXACT, "the ball hits what the ray hits, or something before")
				local length, along = 0, 0
				for k = 1, axes do length, along = length + delta[k] ^ 2, along - delta[k] * ray.normal[k] end
				local cosine = along / math.sqrt(length)
				if cast.collider == ray.collider and not compounds[by[ray.collider].type] and ray.fraction > 0 then
					lu.assertTrue((ray.fraction - cast.fraction) * math.sqrt(length) <= radius / cosine * (1 + 1e-3) + 1e-6)
					same = same + 1
				end
			end
		end
		lu.assertTrue(same > 100)
	end

	suite["test_nearest"] = function()
		local world, list, number = new_scene(34, size)
		local inside, parts = 0, 0
		for _ = 1, 150 do
			local point, best, least = random_point(number, size * 1.2), nil, math.huge
			for _, item in ipairs(list) do
				if solid(item) then
					local result = { d.closestPoint(item.shape, item.pose, unpack_point(point)) }
					local distance = result[axes + 1]
					if distance < least then best, least = item, distance end
					local alone = { item.collider:closestPoint(unpack_point(point)) }
					lu.assertAlmostEquals(alone[axes + 1], distance, EXACT)
					lu.assertEquals(alone[2 * axes + 3], kinds[item.type])
				end
			end
			local found = { world:nearest(unpack_point(point)) }
			lu.assertTrue(found[1] == best.collider)
			lu.assertAlmostEquals(found[axes + 2], least, EXACT)
			lu.assertEquals(found[2 * axes + 4], kinds[best.type])
			if least < 0 then inside = inside + 1 end
			if found[2 * axes + 3] then parts = parts + 1 end
			-- The point is on the surface, and the normal leads from it to the point.
			for k = 1, axes do lu.assertAlmostEquals(found[1 + k] + found[axes + 2 + k] * least, point[k], 2e-6 + 1e-6 * math.abs(least)) end
			local of_body = { best.body:closestPoint(unpack_point(point)) }
			lu.assertAlmostEquals(of_body[axes + 2], least, EXACT)
			lu.assertTrue(world:nearest(with(point, { maxDistance = math.max(least, 0) + 1e-6 })) == best.collider)
			if least > 1e-5 then
				lu.assertNil(world:nearest(with(point, { maxDistance = least - 1e-6 })))
				-- The second nearest is found when the nearest is left out.
				local second = { world:nearest(with(point, { exclude = best.collider })) }
				lu.assertTrue(second[1] ~= best.collider and second[axes + 2] >= found[axes + 2])
			end
		end
		lu.assertTrue(inside > 5 and parts > 5, inside .. " points inside, " .. parts .. " parts")
	end

	suite["test_overlaps"] = function()
		local world, list, number = new_scene(35, size)
		local movers = space.shapes()
		local points, shapes = 0, 0
		for i = 1, 150 do
			local point = random_point(number, size)
			local pose, shape = new_pose(point, rotated(number)), movers[i % #movers + 1]
			local expected, overlapped = {}, {}
			for _, item in ipairs(list) do
				if d.containsPoint(item.shape, item.pose, with(point)) then expected[#expected + 1] = item.collider end
				local overlaps = d.overlaps(shape, pose, item.shape, item.pose)
				if overlaps then overlapped[#overlapped + 1] = item.collider end
				lu.assertEquals(item.collider:overlapShape(shape, pose), overlaps)
				if overlaps then lu.assertTrue(item.body:overlapShape(shape, pose, { sensors = true })[1] == item.collider) end
			end
			local got = world:overlapPoint(with(point, { sensors = true }))
			lu.assertEquals(#got, #expected)
			for k, collider in ipairs(expected) do lu.assertTrue(got[k] == collider) end
			got = world:overlapShape(shape, pose, { sensors = true })
			lu.assertEquals(#got, #overlapped)
			for k, collider in ipairs(overlapped) do lu.assertTrue(got[k] == collider) end
			points, shapes = points + #expected, shapes + #overlapped
		end
		lu.assertTrue(points > 15 and shapes > 150, points .. " " .. shapes)
	end

	suite["test_options"] = function()
		local world, list, number, pick = new_scene(36, size)
		local cut = 0
		for _ = 1, 60 do
			local from, to = random_point(number, size), random_point(number, size)
			local all = { concat(from, to) }
			local whole = world:raycastAll(unpack_point(all))
			-- What is excluded is missing, and nothing else.
			local exclude, gone = {}, {}
			for i = 1, 250 do
				local item = list[pick(#list)]
				exclude[i] = pick(2) == 1 and item.body or item.collider
				gone[item.collider] = true
			end
			all[2 * axes + 1] = { exclude = exclude }
			local rest, at = world:raycastAll(unpack_point(all)), 1
			for _, hit in ipairs(whole) do
				if not gone[hit.collider] then
					lu.assertTrue(rest[at].collider == hit.collider)
					at = at + 1
				end
			end
			lu.assertEquals(#rest, at - 1)
			local closest = world:raycast(unpack_point(all))
			lu.assertTrue(closest == (rest[1] and rest[1].collider))
			if whole[1] then
				all[2 * axes + 1] = { exclude = whole[1].collider:getBody() }
				lu.assertTrue(world:raycast(unpack_point(all)) == (whole[2] and whole[2].collider))
			end
			-- The limit keeps the first.
			local limit = pick(5)
			all[2 * axes + 1] = { limit = limit }
			local few = world:raycastAll(unpack_point(all))
			lu.assertEquals(#few, math.min(limit, #whole))
			for i, hit in ipairs(few) do lu.assertTrue(hit.collider == whole[i].collider) end
			cut = cut + #whole - #few
			all[2 * axes + 1] = nil
			local overlaps = world:overlapBox(unpack_point(all))
			all[2 * axes + 1] = { limit = limit }
			local first = world:overlapBox(unpack_point(all))
			lu.assertEquals(#first, math.min(limit, #overlaps))
			for i, collider in ipairs(first) do lu.assertTrue(collider == overlaps[i]) end
			-- A reused list loses the parts of earlier hits.
			all[2 * axes + 1], all[2 * axes + 2] = { limit = 1 }, few
			for _, hit in ipairs(world:raycastAll(unpack_point(all))) do lu.assertEquals(hit.kind == nil, hit.part == nil) end
		end
		lu.assertTrue(cut > 50)
	end

	-- A ball of radius r reaches the half-space n . p <= offset when its centre's height is r; the nearest point is below the centre.
	suite["test_half_spaces"] = function()
		local number = support.random_numbers(39)
		local hits, inside, radius = 0, 0, 0.25
		local ball = axes == 2 and d2.circle(radius) or d3.sphere(radius)
		for _ = 1, COLLIDERS do
			local normal, point, delta, offset, length = random_point(number, 1), random_point(number, 5), random_point(number, 9), number(-3, 3), 0
			for k = 1, axes do length = length + normal[k] ^ 2 end
			for k = 1, axes do normal[k] = normal[k] / math.sqrt(length) end
			local world = d.newWorld {}
			local half = (axes == 2 and d2.halfPlane or d3.halfSpace)(with(normal, offset))
			local collider = world:newBody { type = "static", shape = half }:getColliders()[1]
			local height, speed = -offset, 0
			for k = 1, axes do height, speed = height + normal[k] * point[k], speed - normal[k] * delta[k] end
			local found = { world:nearest(unpack_point(point)) }
			lu.assertTrue(found[1] == collider)
			lu.assertAlmostEquals(found[axes + 2], height, EXACT)
			for k = 1, axes do
				lu.assertAlmostEquals(found[1 + k], point[k] - height * normal[k], EXACT)
				lu.assertAlmostEquals(found[axes + 2 + k], normal[k], EXACT)
			end
			lu.assertEquals(#world:overlapPoint(unpack_point(point)), height <= 0 and 1 or 0)
			local cast = row(world:shapecast(ball, new_pose(point, axes == 2 and { 0 } or { 0, 0, 0, 1 }), with(delta)))
			local t = (height - radius) / speed
			if height <= radius then
				lu.assertEquals(cast.fraction, 0)
				lu.assertNil(world:shapecast(ball, new_pose(point, axes == 2 and { 0 } or { 0, 0, 0, 1 }), with(delta, { startInside = false })))
				inside = inside + 1
			elseif speed > 0 and t <= 1 then
				lu.assertAlmostEquals(cast.fraction, t, 1e-5)
				for k = 1, axes do lu.assertAlmostEquals(cast.normal[k], normal[k], EXACT) end
				hits = hits + 1
			else
				lu.assertNil(cast)
			end
		end
		lu.assertTrue(hits > 50 and inside > 50, hits .. " " .. inside)
	end

	-- Rows of raycasts are those of raycast, for any number of workers; a ray without a hit ends where it ends.
	suite["test_many_rays"] = function()
		local world, list, number = new_scene(38, size)
		for _, item in ipairs(list) do -- some move
			if item.id % 3 == 0 then item.body:setAngularVelocity(axes == 2 and 1 or 0.5, 0, 1) end
		end
		world:step(1 / 60)
		local flat, rows, count, missed = {}, 2 * axes + 3, 700, 0
		for i = 1, count * 2 * axes do flat[i] = number(-size, size) end
		local function filter(collider) return collider:getLayer() ~= "two" end
		for _, options in ipairs { {}, { sensors = true, layers = { "one", "three" } }, { exclude = list[7].body, startInside = false }, { filter = filter } } do
			local first
			for workers = 1, 3 do
				world:setWorkers(workers)
				local hits = world:raycasts(flat, first and { false, 1, list } or nil, options)
				lu.assertEquals(#hits, count * rows)
				if first then lu.assertEquals(hits, first) end
				first = hits
			end
			for i = 0, count - 1 do
				local ray, row = {}, {}
				for k = 1, 2 * axes do ray[k] = flat[2 * axes * i + k] end
				for k = 1, rows do row[k] = first[rows * i + k] end
				ray[2 * axes + 1] = options
				local single = { world:raycast(unpack_point(ray)) }
				if single[1] == nil then
					missed = missed + 1
					lu.assertTrue(row[1] == false and row[rows] == false and row[rows - 1] == 1)
					for k = 1, axes do
						lu.assertAlmostEquals(row[1 + k], ray[axes + k], 1e-12)
						lu.assertEquals(row[1 + axes + k], 0)
					end
				else
					lu.assertTrue(row[1] == single[1])
					for k = 2, rows - 1 do lu.assertEquals(row[k], single[k]) end
					lu.assertEquals(row[rows], single[rows] or false)
				end
			end
		end
		lu.assertTrue(missed > 20 and missed < 2000, missed)
		-- Calls within a filter function have their own rays; the errors of a filter leave nothing behind.
		local few, inner = {}, nil
		for i = 1, 2 * axes * 9 do few[i] = flat[i] end
		local outer = world:raycasts(few, nil, { filter = function()
			inner = world:raycasts(flat)
			return true
		end })
		lu.assertEquals(outer, world:raycasts(few))
		lu.assertEquals(#inner, count * rows)
		lu.assertErrorMsgContains("no more", world.raycasts, world, few, nil, { filter = function() error "no more" end })
		lu.assertErrorMsgContains("is locked", world.raycasts, world, few, nil, { filter = function() world:newBody {} end })
		lu.assertEquals(world:raycasts {}, {})
		lu.assertErrorMsgContains(("rays must have %d numbers for each ray, got 3"):format(2 * axes), world.raycasts, world, { 1, 2, 3 })
		few[5] = 0 / 0
		lu.assertErrorMsgContains("raycasts: rays[5] must be a finite number", world.raycasts, world, few)
		lu.assertErrorMsgContains("into must be a table or nil", world.raycasts, world, flat, 1)
		lu.assertErrorMsgContains("'limit' has no meaning here", world.raycasts, world, flat, nil, { limit = 1 })
	end

	-- Each query with the arguments before its options; all find the ball about the origin.
	local function queries(world, body)
		local collider = body:getColliders()[1]
		local ball = axes == 2 and d2.circle(1) or d3.sphere(1)
		local zero, far, delta = axes == 2 and { 0, 0 } or { 0, 0, 0 }, axes == 2 and { -5, 0 } or { -5, 0, 0 }, axes == 2 and { 9, 0 } or { 9, 0, 0 }
		local ray, cast = { concat(far, delta) }, { ball, new_pose(far, axes == 2 and { 0 } or { 0, 0, 0, 1 }), unpack_point(delta) }
		local list = {}
		for _, name in ipairs { "raycast", "raycastAll", "raycastAny" } do list[#list + 1] = { world, name, ray } end
		for _, name in ipairs { "shapecast", "shapecastAll", "shapecastAny" } do list[#list + 1] = { world, name, cast } end
		for _, name in ipairs { "nearest", "overlapPoint" } do list[#list + 1] = { world, name, zero } end
		list[#list + 1] = { world, "overlapShape", { ball, new_pose(zero, axes == 2 and { 0 } or { 0, 0, 0, 1 }) } }
		list[#list + 1] = { body, "raycast", ray }
		list[#list + 1] = { body, "shapecast", cast }
		list[#list + 1] = { body, "closestPoint", zero }
		list[#list + 1] = { body, "overlapShape", { ball, new_pose(zero, axes == 2 and { 0 } or { 0, 0, 0, 1 }) } }
		return list, collider
	end

	local function call(query, options)
		local args = {}
		for i, value in ipairs(query[3]) do args[i] = value end
		args[#args + 1] = options
		return query[1][query[2]](query[1], unpack_point(args))
	end

	local function found(result) return result ~= nil and result ~= false and (type(result) ~= "table" or #result > 0) end

	suite["test_filters_that_raise_yield_or_change_the_world"] = function()
		local world = d.newWorld {}
		local body = world:newBody { type = "static", shape = axes == 2 and d2.circle(1) or d3.sphere(1) }
		for _, query in ipairs((queries(world, body))) do
			local asked = 0
			lu.assertTrue(found(call(query)), query[2])
			lu.assertFalse(found(call(query, { filter = function() asked = asked + 1 return false end })), query[2])
			lu.assertTrue(asked > 0)
			lu.assertFalse(found(call(query, { exclude = body })), query[2])
			lu.assertErrorMsgContains("no more", call, query, { filter = function() error "no more" end })
			lu.assertErrorMsgContains("is locked", call, query, { filter = function() body:destroy() end })
			lu.assertErrorMsgContains("is locked", call, query, { filter = function() world:step(0.1) end })
			local ok, message = coroutine.resume(coroutine.create(function() call(query, { filter = function() coroutine.yield() end }) end))
			lu.assertFalse(ok)
			lu.assertStrContains(message, "yield")
			-- Queries within a filter have their own hits and exclusions.
			local inner
			lu.assertTrue(found(call(query, { exclude = {}, filter = function()
				inner = call(query, { exclude = { body } })
				return true
			end })))
			lu.assertFalse(found(inner))
			lu.assertFalse(world:isLocked())
			lu.assertTrue(found(call(query)), query[2])
		end
	end

	suite["test_errors"] = function()
		local world, other = d.newWorld {}, d.newWorld {}
		local body = world:newBody { type = "static", shape = axes == 2 and d2.circle(1) or d3.sphere(1) }
		local stranger, dead = other:newBody {}, world:newBody {}
		dead:destroy()
		for _, query in ipairs((queries(world, body))) do
			for value, message in pairs { [1] = "got 1", [stranger] = "of another world", [dead] = "destroyed" } do
				lu.assertErrorMsgContains("exclude must be a body or collider of this world", call, query, { exclude = value })
				lu.assertErrorMsgContains(message, call, query, { exclude = value })
				lu.assertErrorMsgContains("exclude[2] must be a body or collider", call, query, { exclude = { body, value } })
			end
			lu.assertErrorMsgContains("must be a list", call, query, { exclude = { body = body } })
		end
		local list, collider = queries(world, body)
		local ray, cast = list[1], list[4]
		lu.assertErrorMsgContains("limit must be a whole number between 1 and", call, list[2], { limit = 0 })
		lu.assertErrorMsgContains("'limit' has no meaning here", call, ray, { limit = 1 })
		lu.assertErrorMsgContains("'maxDistance' has no meaning here", call, ray, { maxDistance = 1 })
		lu.assertErrorMsgContains("maxDistance must be >= 0", call, list[7], { maxDistance = -1 })
		lu.assertErrorMsgContains("startInside must be true or false", call, ray, { startInside = 1 })
		lu.assertErrorMsgContains("'startInside' has no meaning here", call, list[7], { startInside = true })
		lu.assertErrorMsgContains("'layers' has no meaning here", call, { collider, "raycast", ray[3] }, { layers = {} })
		lu.assertErrorMsgContains("dx must be a finite number", world.shapecast, world, cast[3][1], nil, 0 / 0, 0, 0)
		lu.assertErrorMsgContains("shapecast: shape must be", world.shapecast, world, 3, nil, 1, 0, 0)
		lu.assertErrorMsgContains("nearest: x must be", world.nearest, world)
		body:destroy()
		lu.assertErrorMsgContains("destroyed", call, { body, "raycast", ray[3] })
		lu.assertErrorMsgContains("destroyed", call, { collider, "closestPoint", list[7][3] })
	end

	suite["test_they_make_no_garbage"] = function()
		local world, list = new_scene(37, size / 2)
		local colliders = {} -- the handles, so that they are not collected
		for i, item in ipairs(list) do colliders[i] = item.collider end
		local ball = axes == 2 and d2.circle(0.5) or d3.sphere(0.5)
		local start = new_pose(axes == 2 and { -9, 0 } or { -9, 0, 0 }, axes == 2 and { 0 } or { 0, 0, 0, 1 })
		local options, into, more = { exclude = { list[1].body, list[2].collider }, filter = function() return true end }, {}, {}
		local listing, rays, hits = { exclude = list[3].body, limit = 20 }, {}, {}
		for i = 1, 40 * axes do rays[i] = (i * 37 % 19) - 9 end
		lu.assertEquals(support.bytes_of(50, function()
			world:raycasts(rays, hits, options)
			if axes == 2 then
				world:shapecast(ball, start, 20, 1, options) world:shapecastAny(ball, start, 20, 1) world:shapecastAll(ball, start, 20, 1, listing, into)
				world:nearest(0, 30, options) world:overlapPoint(0, 0, listing, more)
				list[5].body:raycast(-9, 0, 9, 0) list[5].collider:shapecast(ball, start, 9, 0) list[5].collider:closestPoint(3, 4)
			else
				world:shapecast(ball, start, 20, 1, 0, options) world:shapecastAny(ball, start, 20, 1, 0) world:shapecastAll(ball, start, 20, 1, 0, listing, into)
				world:nearest(0, 30, 0, options) world:overlapPoint(0, 0, 0, listing, more)
				list[5].body:raycast(-9, 0, 0, 9, 0, 0) list[5].collider:shapecast(ball, start, 9, 0, 0) list[5].collider:closestPoint(3, 4, 0)
			end
		end), 0)
		lu.assertTrue(#into == 20)
	end
end
