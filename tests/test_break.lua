-- body:slice and body:shatter. Pieces together are the body: their mass, centre, momenta and kinetic energy. Each keeps to its side of the plane, or to the
-- points nearest to its own.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local suite, wings, random_numbers = support.suite, support.wings, support.random_numbers

local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end

-- Mass, centre, momentum, angular momentum about `about` and kinetic energy, with three numbers in either dimension.
local function measures(bodies, about)
	local mass, center, momentum, spin, energy = 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0
	for _, body in ipairs(bodies) do
		local m, c, v = body:getMass(), { body:getCenter() }, { body:getLinearVelocity() }
		local own = #c == 3 and { body:getAngularMomentum() } or { 0, 0, body:getInertia() * body:getAngularVelocity() }
		c[3], v[3] = c[3] or 0, v[3] or 0
		local arm = { c[1] - about[1], c[2] - about[2], c[3] - (about[3] or 0) }
		local orbital = cross(arm, v)
		mass, energy = mass + m, energy + body:getKineticEnergy()
		for i = 1, 3 do
			center[i], momentum[i], spin[i] = center[i] + m * arm[i], momentum[i] + m * v[i], spin[i] + m * orbital[i] + own[i]
		end
	end
	for i = 1, 3 do center[i] = center[i] / mass end
	return mass, center, momentum, spin, energy
end

local function random_points(number, count, axes, x, y, z, size)
	local points, origin = {}, { x, y, z }
	for _ = 1, count do
		for i = 1, axes do points[#points + 1] = origin[i] + number(-size, size) end
	end
	return points
end

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	local plane = dim == "d2"
	local axes = plane and 2 or 3
	local Break = suite("TestBreak", dim)
	local vector = wing.vector
	local function position(x, y, z) return plane and { x, y } or { x, y, z } end
	local function slab(width, height) return plane and d.box(width, height) or d.box(width, height, 1) end
	local function anchors_of(joint)
		local list = { joint:getAnchorA() }
		for _, value in ipairs { joint:getAnchorB() } do list[#list + 1] = value end
		return list
	end
	local function static_floor(world) return world:newBody { type = "static", y = -1, shape = wing.floor(d) } end
	-- Cuts at the height y where the body stands upright, or at x.
	local function slice_at_y(body, y, options)
		if plane then return body:slice(0, y, -1, y, options) end
		return body:slice(0, 1, 0, y, options)
	end
	local function slice_at_x(body, x, options)
		if plane then return body:slice(x, 0, x, 1, options) end
		return body:slice(1, 0, 0, x, options)
	end
	local round = plane and {
		d.circle(0.7, 0.2, 0.1), d.capsule(-1, 0, 1, 0.3, 0.4), d.box(2, 1, { radius = 0.3, angle = 0.4 }), d.polygon({ 0, 0, 2, 0, 1, 2 }, 0.2), d.ellipse(1.5, 0.5),
	} or {
		d.sphere(0.7), d.capsule(-1, 0, 0, 1, 0.3, 0.2, 0.4), d.box(2, 1, 1.5, { radius = 0.3 }), d.hull({ 0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 1, 2 }, 0.2),
		d.ellipsoid(1.5, 0.5, 1), d.cylinder(0.5, 2), d.cone(1, 2), d.taperedCapsule(0, -1, 0, 0.6, 0, 1, 0.2, 0.3),
	}
	local sharp = plane and { d.box(3, 1, { x = 0.5, angle = 0.3 }), d.polygon { 0, 0, 3, 0, 4, 2, 1, 3, -1, 1 } }
		or { d.box(3, 1, 2), d.hull { 0, 0, 0, 3, 0, 0, 4, 2, 0, 1, 3, 1, -1, 1, 2, 1, 1, -2 } }
	-- Lists of the colliders of a body.
	local bodies = {}
	for _, shape in ipairs(round) do bodies[#bodies + 1] = { { shape = shape, density = 2 } } end
	for _, shape in ipairs(sharp) do bodies[#bodies + 1] = { { shape = shape, density = 2 } } end
	bodies[#bodies + 1] = {
		{ shape = sharp[1], density = 1 }, { shape = plane and d.capsule(-2, 0.5, -2, 2, 0.3) or d.capsule(-2, 0.5, 0, -2, 2, 0, 0.3), density = 3 },
		{ shape = sharp[2], density = 0.5 },
	}
	if not plane then
		bodies[#bodies + 1] = { { density = 2, shape = d.compound { { shape = sharp[1] }, { shape = round[1], pose = d.pose(1, 0.5, 0) }, { shape = round[6], pose = d.pose(-1, 1, 0) } } } }
	end

	-- Floats resolve 6e-8 of the corners of the pieces; the law's 1e-6 is that of the sums, in units of the body's size, mass and speeds.
	local function check_kept(world, body, broken, wanted, about, size, speed)
		local mass, center, momentum, spin, energy = measures(broken, about)
		lu.assertAlmostEquals(mass / wanted[1], 1, 1e-6)
		lu.assertAlmostEquals(energy / wanted[5], 1, 2e-6)
		for i = 1, 3 do
			lu.assertAlmostEquals(center[i], wanted[2][i], 1e-6 * size)
			lu.assertAlmostEquals(momentum[i] / mass, wanted[3][i] / mass, 1e-6 * speed)
			lu.assertAlmostEquals(spin[i] / mass, wanted[4][i] / mass, 1e-6 * speed * size)
		end
		lu.assertFalse(body:isValid())
		world:validate()
	end

	function Break.test_mass_centre_momenta_and_energy_are_kept()
		local number, choice = random_numbers(7)
		local most = 0
		for i, list in ipairs(bodies) do
			for round_of = 1, 12 do
				local world = d.newWorld { gravity = vector(0, 0) }
				local far = round_of % 3 == 0 and 1e4 or 3
				local x, y, z = number(-far, far), number(-far, far), number(-far, far)
				local options = { type = "dynamic", position = position(x, y, z), shapes = list, linearVelocity = position(number(-3, 3), number(-3, 3), number(-3, 3)),
					angularVelocity = plane and number(-4, 4) or { number(-4, 4), number(-4, 4), number(-4, 4) } }
				if plane then options.angle = number(-3, 3) else options.axis, options.angle = { number(-1, 1), number(-1, 1), number(-1, 1) }, number(-3, 3) end
				local body = world:newBody(options)
				local about = { body:getCenter() }
				local wanted = { measures({ body }, about) }
				local pieces
				if round_of % 2 == 0 then
					pieces = body:shatter(random_points(number, choice(30) + 1, axes, about[1], about[2], about[3], 2))
				else
					local shift = number(-0.3, 0.3)
					if plane then
						local angle = number(0, 6)
						pieces = body:slice(about[1] + shift, about[2], about[1] + shift + math.cos(angle), about[2] + math.sin(angle))
					else
						local nx, ny, nz = number(-1, 1), number(-1, 1), number(-1, 1)
						pieces = body:slice(nx, ny, nz, nx * about[1] + ny * about[2] + nz * about[3] + shift * math.sqrt(nx * nx + ny * ny + nz * nz))
					end
				end
				if #pieces > 0 then
					check_kept(world, body, pieces, wanted, about, 4, 12)
					most = math.max(most, #pieces)
				end
				lu.assertTrue(#pieces > 1 or body:isValid(), i)
			end
		end
		lu.assertTrue(most > 20)
	end

	-- The share of points of a box that are nearest to a point is the volume of its cell. The error of a count of n points with the chance p is
	-- sqrt(p (1 - p)/n); five of these are exceeded once in 2e6.
	function Break.test_cells_are_those_of_the_nearest_points()
		local number = random_numbers(11)
		local world = d.newWorld { gravity = vector(0, 0) }
		local count, samples = 25, 40000
		local points = random_points(number, count, axes, 0, 0, 0, 1.5)
		local body = world:newBody { shape = plane and d.box(3, 3) or d.box(3, 3, 3) }
		local pieces = body:shatter(points)
		lu.assertEquals(#pieces, count) -- in the order of the points, all of which are in the box
		local function nearest(p)
			local best, least = nil, math.huge
			for i = 1, count do
				local square = 0
				for k = 1, axes do square = square + (points[axes * (i - 1) + k] - p[k]) ^ 2 end
				if square < least then best, least = i, square end
			end
			return best, least
		end
		local found = {}
		for i = 1, count do found[i] = 0 end
		for _ = 1, samples do
			local i = nearest { number(-1.5, 1.5), number(-1.5, 1.5), number(-1.5, 1.5) }
			found[i] = found[i] + 1
		end
		for i, piece in ipairs(pieces) do
			local p = piece:getMass() / 3 ^ axes
			lu.assertAlmostEquals(found[i] / samples, p, 5 * math.sqrt(p * (1 - p) / samples))
			local list = piece:getColliders()[1]:getShape():getPoints()
			for k = 1, #list, axes do
				local corner, square = { list[k], list[k + 1], list[k + 2] }, 0
				for m = 1, axes do square = square + (points[axes * (i - 1) + m] - corner[m]) ^ 2 end
				local _, least = nearest(corner)
				lu.assertAlmostEquals(math.sqrt(square), math.sqrt(least), 1e-5)
			end
		end
		for i = 1, count do
			for k = 1, i - 1 do
				lu.assertTrue(d.distance(pieces[i]:getColliders()[1]:getShape(), nil, pieces[k]:getColliders()[1]:getShape(), nil) > -1e-5)
			end
		end
	end

	-- Points in clusters, on a line, at one place but for a hair, and far outside: the corners of each piece are nearest to its own point, and the pieces
	-- make up the whole.
	function Break.test_cells_of_uneven_points()
		local number = random_numbers(12)
		local function clusters(i) return 1.3 * math.cos(i % 4) + number(-0.02, 0.02) end
		local uneven = {
			function(i, axis) return axis == 1 and number(-1.5, 1.5) or 0 end,
			function(i) return clusters(i) end,
			function() return number(-1e-3, 1e-3) end,
			function(i) return i <= 3 and number(-1, 1) or number(-500, 500) end,
			function(i, axis) return axis == 2 and number(-1e-4, 1e-4) or number(-1.5, 1.5) end,
		}
		for _, place in ipairs(uneven) do
			local world, points, count = d.newWorld { gravity = vector(0, 0) }, {}, 60
			for i = 1, count do
				for axis = 1, axes do points[#points + 1] = place(i, axis) end
			end
			local volume = 0
			for _, piece in ipairs(world:newBody { shape = plane and d.box(3, 3) or d.box(3, 3, 3) }:shatter(points)) do
				local shape, center = piece:getColliders()[1]:getShape(), { piece:getCenter() }
				local function square(i, p)
					local sum = 0
					for m = 1, axes do sum = sum + (points[axes * (i - 1) + m] - p[m]) ^ 2 end
					return sum
				end
				local own = 1
				for i = 2, count do own = square(i, center) < square(own, center) and i or own end
				local list = shape:getPoints()
				for k = 1, #list, axes do
					local corner = { list[k], list[k + 1], list[k + 2] }
					for i = 1, count do lu.assertTrue(math.sqrt(square(own, corner)) <= math.sqrt(square(i, corner)) + 2e-4) end
				end
				volume = volume + piece:getMass()
			end
			lu.assertAlmostEquals(volume, 3 ^ axes, 1e-4 * 3 ^ axes)
		end
	end

	-- Finalizers that destroy the body, or a collider of it, at any moment while it breaks. Its colliders have no shape objects yet.
	function Break.test_finalizers_that_destroy_what_has_been_loaded()
		local box = plane and d.box(1, 1) or d.box(1, 1, 1)
		local points, struck, shapes = random_points(random_numbers(2), 4, axes, 0, 0, 0, 0.3), 0, {}
		for i = 1, 20 do shapes[i] = { shape = box } end
		local original = d.newWorld { gravity = vector(0, 0) }
		original:newBody { shapes = shapes }
		local saved = original:save()
		for _, victim in ipairs { "body", "collider" } do
			struck = struck + support.interrupted(function()
				local body = collide.load(saved):getBodies()[1]
				return body, body:getColliders()[20]
			end, function(body, collider) (victim == "body" and body or collider):destroy() end, function(body)
				local world = body:getWorld()
				pcall(body.shatter, body, points)
				world:validate()
			end)
		end
		lu.assertTrue(struck > 0, struck)
	end

	-- The shape of a piece is one object for ever, which its body need not outlive; a part that stays whole keeps its shape's.
	function Break.test_shapes_of_pieces()
		local world = d.newWorld { gravity = vector(0, 0) }
		local box = plane and d.box(1, 1) or d.box(1, 1, 1)
		local pieces = world:newBody { shape = box }:shatter(random_points(random_numbers(5), 9, axes, 0, 0, 0, 0.5))
		local collider = pieces[1]:getColliders()[1]
		local shape = collider:getShape()
		local area = shape:getMass(1)
		lu.assertIs(collider:getShape(), shape)
		for _, piece in ipairs(pieces) do piece:destroy() end
		collectgarbage()
		collectgarbage()
		lu.assertEquals(shape:getMass(1), area)
		lu.assertEquals(world:newBody { shape = shape }:getMass(), area)
		local left, right = plane and d.box(1, 1, { x = -2 }) or d.box(1, 1, 1, { x = -2 }), plane and d.box(1, 1, { x = 2 }) or d.box(1, 1, 1, { x = 2 })
		local pair = world:newBody { shapes = { { shape = left }, { shape = right } } }
		local halves = plane and pair:slice(0, -9, 0, 9) or pair:slice(1, 0, 0, 0)
		lu.assertEquals(#halves, 2)
		for _, half in ipairs(halves) do
			local own = half:getColliders()[1]:getShape()
			lu.assertTrue(own == left or own == right)
		end
	end

	-- A lattice of points cuts a cube into equal cubes.
	function Break.test_a_lattice_cuts_equal_cubes()
		local world = d.newWorld { gravity = vector(0, 0) }
		local points, n = {}, plane and 10 or 5
		for i = 1, n do
			for j = 1, n do
				for k = 1, plane and 1 or n do
					for a, index in ipairs(plane and { i, j } or { i, j, k }) do points[#points + 1] = index - (n + 1) / 2 end
				end
			end
		end
		local pieces = world:newBody { shape = wing.cube(d, n) }:shatter(points)
		lu.assertEquals(#pieces, n ^ axes)
		for i, piece in ipairs(pieces) do
			lu.assertAlmostEquals(piece:getMass(), 1, 1e-5)
			local center = { piece:getCenter() }
			for a = 1, axes do lu.assertAlmostEquals(center[a], points[axes * (i - 1) + a], 1e-5) end
		end
	end

	function Break.test_nothing_is_cut()
		local world = d.newWorld { gravity = vector(0, -10) }
		static_floor(world)
		local body = world:newBody { y = 0.5, shape = wing.cube(d, 1) }
		support.steps(world, 20)
		local hash = world:hash()
		lu.assertEquals(slice_at_x(body, 2), {})
		lu.assertEquals(slice_at_x(body, 0.5), {})
		lu.assertEquals(slice_at_x(body, 0.5 - 1e-7), {}) -- a sliver
		lu.assertEquals(body:shatter(position(3, 1, 2)), {})
		lu.assertEquals(body:shatter(plane and { 0, 0, 0, 0 } or { 0, 0, 0, 0, 0, 0 }), {})
		lu.assertEquals(body:shatter(plane and { 0, 0, 50, 0 } or { 0, 0, 0, 50, 0, 0 }), {})
		lu.assertEquals(world:newBody {}:shatter(plane and { 0, 0, 1, 0 } or { 0, 0, 0, 1, 0, 0 }), {})
		lu.assertTrue(body:isValid())
		world:getBodies()[3]:destroy()
		lu.assertEquals(world:hash(), hash)
	end

	-- A U cut through both of its arms; and a dumbbell whose rod is not cut, but lies between the points.
	function Break.test_parts_that_do_not_touch_part()
		local world = d.newWorld { gravity = vector(0, 0) }
		local function at(width, height, x, y) return plane and d.box(width, height, { x = x, y = y }) or d.box(width, height, 1, { x = x, y = y }) end
		local u = { { shape = at(3, 1, 0, 0), data = "base" }, { shape = at(1, 2, -1, 1.5), data = "left" }, { shape = at(1, 2, 1, 1.5), data = "right" } }
		local pieces = slice_at_y(world:newBody { shapes = u }, 1.5)
		lu.assertEquals(#pieces, 3)
		local masses, names = {}, {}
		for i, piece in ipairs(pieces) do
			masses[i] = piece:getMass()
			for _, collider in ipairs(piece:getColliders()) do names[#names + 1] = collider.data end
		end
		table.sort(masses)
		for i, mass in ipairs { 1, 1, 5 } do lu.assertAlmostEquals(masses[i], mass, 1e-5) end
		table.sort(names)
		lu.assertEquals(names, { "base", "left", "left", "right", "right" })
		-- between its parts
		pieces = slice_at_x(world:newBody { shapes = { { shape = at(1, 1, -3, 0) }, { shape = at(1, 1, 3, 0) } } }, 0)
		lu.assertEquals(#pieces, 2)
		for i, piece in ipairs(pieces) do lu.assertAlmostEquals(piece:getCenter(), i == 1 and -3 or 3, 1e-6) end
	end

	function Break.test_pieces_inherit()
		local world = d.newWorld { gravity = vector(0, -10), layers = { "rock", "air" } }
		local body = world:newBody { y = 5, name = "stone", color = "#112233", data = { 1 }, gravityScale = 0.5, linearDamping = 0.1, angularDamping = 0.2, bullet = true,
			sleepingAllowed = false, sleepThreshold = 0.3, linearVelocity = vector(1, 0), locks = { y = true }, shapes = { { shape = wing.cube(d, 1), density = 3, data = "skin",
			material = { name = "ice", friction = 0.1, restitution = 0.7, rollingResistance = 0.02 }, layer = "rock", group = -3, collidesWith = { "air" }, oneWay = vector(0, 1), preSolve = true } } }
		local data, frame = body.data, { body:getTransform() }
		for i, piece in ipairs(slice_at_x(body, 0)) do
			local collider = piece:getColliders()[1]
			lu.assertEquals({ piece:getName(), piece:getColor(), piece:getGravityScale(), piece:isBullet(), piece:isSleepingAllowed(), (piece:getLinearVelocity()) },
				{ "stone", "#112233", 0.5, true, false, 1 })
			lu.assertAlmostEquals(piece:getLinearDamping() + piece:getAngularDamping() + piece:getSleepThreshold(), 0.6, 1e-6)
			lu.assertIs(piece.data, data)
			lu.assertEquals({ piece:getTransform() }, frame)
			lu.assertTrue(select(2, piece:getLocks()))
			lu.assertEquals({ collider.data, collider:getMaterialName(), collider:getLayer(), collider:getGroup(), collider:getDensity() }, { "skin", "ice", "rock", -3, 3 })
			lu.assertAlmostEquals(collider:getFriction() + collider:getRestitution() + collider:getRollingResistance(), 0.82, 1e-6)
			lu.assertEquals({ collider:getOneWay() }, vector(0, 1))
			lu.assertEquals(collider:getCollidesWith(), { "air" })
			lu.assertEquals(piece:getType(), "dynamic")
			lu.assertAlmostEquals(piece:getCenter(), i == 1 and -0.25 or 0.25, 1e-6)
		end
		local wall = world:newBody { type = "static", x = 20, shape = wing.cube(d, 1) }
		for _, piece in ipairs(slice_at_x(wall, 20)) do lu.assertEquals(piece:getType(), "static") end
		local sensor = world:newBody { x = 30, shape = wing.cube(d, 1), sensor = true, enabled = false }
		for _, piece in ipairs(slice_at_x(sensor, 30)) do
			lu.assertTrue(piece:getColliders()[1]:isSensor())
			lu.assertFalse(piece:isEnabled())
		end
		-- a mass set by hand, and one without density
		for _, density in ipairs { 2, 0 } do
			local heavy = world:newBody { x = 40, shape = slab(2, 1), density = density, mass = 12 }
			local one, two = (table.unpack or unpack)(slice_at_x(heavy, 40.5))
			lu.assertAlmostEquals(one:getMass(), 9, 1e-5)
			lu.assertAlmostEquals(two:getMass(), 3, 1e-5)
		end
		world:validate()
	end

	-- A beam on two chains: each half stays on its own, at the same anchor.
	function Break.test_joints_pass_to_the_nearest_piece()
		local world = d.newWorld { gravity = vector(0, -10) }
		local beam = world:newBody { y = 0, shape = slab(4, 0.5) }
		local joints, anchors, handles = {}, {}, {}
		for i = 1, 2 do
			joints[i] = world:newRevoluteJoint { bodyA = i == 1 and beam or nil, bodyB = i == 2 and beam or world:newBody { y = 3, x = -1.5, shape = wing.cube(d, 0.2), type = "static" },
				position = nil, pointA = vector(i == 1 and -1.5 or 1.5, 0), pointB = vector(i == 1 and -1.5 or 1.5, 0), axis = not plane and { 0, 0, 1 } or nil }
			joints[i].data, handles[joints[i]] = i, i
			anchors[i] = anchors_of(joints[i])
		end
		local pieces = slice_at_x(beam, 0.2)
		lu.assertEquals(#pieces, 2)
		lu.assertIs(joints[1]:getBodyA(), pieces[1])
		lu.assertIs(joints[2]:getBodyB(), pieces[2])
		for i = 1, 2 do
			lu.assertEquals(#pieces[i]:getJoints(), 1)
			lu.assertEquals(handles[pieces[i]:getJoints()[1]], i)
			for k, value in ipairs(anchors_of(joints[i])) do lu.assertAlmostEquals(value, anchors[i][k], 1e-6) end
		end
		support.steps(world, 300)
		world:validate()
		for i = 1, 2 do
			local now = anchors_of(joints[i])
			for k = 1, axes do lu.assertAlmostEquals(now[k], now[axes + k], 0.01) end
			for k = 1, axes do lu.assertAlmostEquals(now[k], anchors[i][k], 0.02) end
		end
	end

	function Break.test_gears_follow_their_joints()
		local world = d.newWorld { gravity = vector(0, 0) }
		local axis = not plane and { 0, 0, 1 } or nil
		local wheel, other = world:newBody { shape = wing.ball(d, 1), group = -1 }, world:newBody { x = 2, shape = wing.ball(d, 1), group = -1 }
		local a = world:newRevoluteJoint { bodyB = wheel, x = 0, y = 0.1, z = not plane and 0 or nil, axis = axis }
		local b = world:newRevoluteJoint { bodyB = other, x = 2, y = 0, z = not plane and 0 or nil, axis = axis }
		local gear = world:newGearJoint { jointA = a, jointB = b, ratio = 1 }
		local pieces = slice_at_y(wheel, 0)
		lu.assertEquals(#pieces, 2)
		lu.assertIs(a:getBodyB(), pieces[2]) -- above
		lu.assertTrue(gear:isValid())
		world:validate()
		for _, piece in ipairs(pieces) do slice_at_x(piece, 0) end
		lu.assertTrue(gear:isValid())
		world:validate()
		local pushed = a:getBodyB()
		if plane then pushed:setAngularVelocity(20) else pushed:setAngularVelocity(0, 0, 20) end
		support.steps(world, 60)
		lu.assertAlmostEquals(a:getSpeed() + b:getSpeed(), 0, 0.05)
		lu.assertTrue(math.abs(a:getSpeed()) > 0.2)
		world:validate()
	end

	function Break.test_on_piece()
		local world = d.newWorld { gravity = vector(0, -10) }
		local body = world:newBody { y = 5, shape = wing.cube(d, 1), name = "parent" }
		local seen = {}
		local pieces = slice_at_x(body, 0, { onPiece = function(piece, parent)
			seen[#seen + 1] = piece
			lu.assertIs(parent, body)
			lu.assertEquals(parent:getName(), "parent")
			lu.assertFalse(parent:isEnabled())
			piece.data = #seen
			world:step(1 / 60) -- the parent does not meet the pieces
		end })
		lu.assertEquals(seen, pieces)
		lu.assertEquals({ pieces[1].data, pieces[2].data }, { 1, 2 })
		lu.assertFalse(body:isValid())
		lu.assertAlmostEquals(pieces[1]:getLinearVelocity(), 0, 0.05)
		-- an error ends the parent all the same
		body = pieces[1]
		local count = world:getBodyCount()
		lu.assertErrorMsgContains("no luck", slice_at_y, body, select(2, body:getCenter()), { onPiece = function() error("no luck") end })
		lu.assertFalse(body:isValid())
		lu.assertEquals(world:getBodyCount(), count + 1)
		-- all may be destroyed meanwhile
		body = pieces[2]
		slice_at_y(body, select(2, body:getCenter()), { onPiece = function(_, parent) parent:destroy() for _, one in ipairs(world:getBodies()) do one:destroy() end end })
		lu.assertEquals(world:getBodyCount(), 0)
		world:validate()
		body = world:newBody { shape = wing.cube(d, 1) }
		slice_at_x(body, 0, { onPiece = function() world:destroy() end })
		lu.assertFalse(body:isValid())
	end

	-- Half of a table's support is cut away while all sleep.
	function Break.test_wakes_what_rests_on_the_body()
		local world = d.newWorld { gravity = vector(0, -10) }
		static_floor(world)
		local block, crate = world:newBody { y = 0.5, shape = slab(2, 1) }, world:newBody { y = 1.25, x = 0.5, shape = wing.cube(d, 0.5) }
		support.steps(world, 120)
		lu.assertFalse(crate:isAwake())
		local pieces = slice_at_x(block, 0)
		lu.assertTrue(crate:isAwake())
		support.steps(world, 2)
		local touching = {}
		for a, b in world:contacts() do touching[a:getBody()], touching[b:getBody()] = true, true end
		lu.assertTrue(touching[pieces[1]] and touching[pieces[2]] and touching[crate])
		support.steps(world, 120)
		lu.assertAlmostEquals(select(2, crate:getPosition()), 1.25, 0.02)
		pieces[2]:destroy()
		support.steps(world, 120)
		lu.assertAlmostEquals(select(2, crate:getPosition()), 0.25, 0.02)
	end

	-- Each contact and overlap that has begun ends once, also for parents.
	function Break.test_events_stay_paired()
		local world = d.newWorld { gravity = vector(0, -10) }
		local number = random_numbers(3)
		static_floor(world)
		world:newBody { type = "static", y = 1, shape = wing.cube(d, 3), sensor = true }
		local open = 0
		for i = 1, 200 do
			if i % 10 == 1 then world:newBody { x = number(-2, 2), y = 5, shape = (i % 20 == 1 and sharp or round)[1], data = {} } end
			for _, body in ipairs(world:getBodies()) do
				local x, y = body:getCenter()
				if body:getType() == "dynamic" and body:getMass() > 0.3 and y < 2 and i % 3 == 0 then
					if i % 2 == 0 then slice_at_x(body, x) else slice_at_y(body, y) end
				end
			end
			world:step(1 / 60)
			for a, b in world:beginContacts() do open = open + 1 lu.assertTrue(a:getBody() ~= b:getBody()) end
			for a, b in world:endContacts() do open = open - 1 assert(a and b) end
			world:validate()
		end
		local contacts = {}
		for a, b in world:contacts() do contacts[tostring(a) .. tostring(b)] = true end
		lu.assertTrue(world:getBodyCount() > 30)
		lu.assertEquals(open >= 0, true)
		for _, body in ipairs(world:getBodies()) do body:destroy() end
		world:step(1 / 60)
		for _ in world:endContacts() do open = open - 1 end
		lu.assertEquals(open, 0)
	end

	function Break.test_bits_do_not_depend_on_workers()
		local hashes = {}
		for w, workers in ipairs { 1, 3 } do
			local number = random_numbers(5)
			local world = d.newWorld { gravity = vector(0, -10), workers = workers }
			static_floor(world)
			for i = 1, 6 do
				local x = 4 * i - 14
				local body = world:newBody { x = x, y = 1.5, shape = wing.cube(d, 3) }
				support.steps(world, 10)
				local _, y = body:getCenter()
				lu.assertTrue(#body:shatter(random_points(number, 20, axes, x, y, 0, 1.5)) > 15)
			end
			support.steps(world, 120)
			hashes[w] = world:hash()
		end
		lu.assertEquals(hashes[1], hashes[2])
	end

	-- Finalizers that destroy or move things while the pieces are allocated.
	function Break.test_finalizers()
		local broken, failed = 0, 0
		for round_of = 1, 36 do
			local world = d.newWorld { gravity = vector(0, 0) }
			local body = world:newBody { shapes = { { shape = wing.cube(d, 2), data = {} }, { shape = wing.ball(d, 0.5), data = {} } }, data = {}, name = "x" }
			local collider = body:getColliders()[2]
			local victim = ({ function() body:destroy() end, function() collider:destroy() end, function() world:destroy() end, function() world:newBody { shape = wing.cube(d, 1) } end,
				function() if body:isValid() then slice_at_x(body, 0.1) end end, function() body:newCollider(wing.cube(d, 1)) end })[round_of % 6 + 1]
			local left = round_of % 11
			collectgarbage()
			for i = 1, 40 do
				support.finalized(function()
					left = left - 1
					if left == 0 then pcall(victim) end
				end)
			end
			collectgarbage("setpause", 10) collectgarbage("setstepmul", 400)
			local ok, pieces = pcall(body.shatter, body, plane and { -0.5, 0, 0.5, 0, 0, 0.5 } or { -0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 0 })
			collectgarbage("setpause", 200) collectgarbage("setstepmul", 200)
			if ok then broken = broken + 1 lu.assertEquals(#pieces, 3) else failed = failed + 1 end
			if pcall(world.getTick, world) then world:validate() world:step(1 / 60) world:validate() end
		end
		lu.assertTrue(broken > 10)
	end

	function Break.test_bad_input()
		local world = d.newWorld()
		local body = world:newBody { shape = wing.cube(d, 1) }
		local bad = plane and {
			{ "slice: x1 must", "x", 0, 1, 0 }, { "slice: y2 must", 0, 0, 1, 0 / 0 }, { "slice: the points x1, y1 and x2, y2 must differ", 1, 2, 1, 2 },
			{ "slice: options must", 0, 0, 1, 0, 5 }, { "slice: onPiece must be a function", 0, 0, 1, 0, { onPiece = 1 } }, { "onPeace", 0, 0, 1, 0, { onPeace = print } },
		} or {
			{ "slice: nx must", "x", 0, 1, 0 }, { "slice: offset must", 0, 0, 1, 0 / 0 }, { "slice: nx, ny, nz must not be (0, 0, 0)", 0, 0, 0, 1 },
			{ "slice: options must", 0, 0, 1, 0, 5 }, { "slice: onPiece must be a function", 0, 0, 1, 0, { onPiece = 1 } }, { "onPeace", 0, 0, 1, 0, { onPeace = print } },
		}
		for _, case in ipairs(bad) do lu.assertErrorMsgContains(case[1], body.slice, body, (table.unpack or unpack)(case, 2)) end
		for _, case in ipairs { { "shatter: points must" }, { "shatter: points must", 3 }, { "shatter: there must be 1 to 4096 points", {} }, { "shatter: points", { 1 } }, { "shatter: points", { 1, "x", 2, 3, 4, 5 } },
			{ "shatter: points", { 1, math.huge, 2, 3, 4, 5 } }, { "shatter: onPiece", { 1, 2, 3, 4, 5, 6 }, { onPiece = {} } } } do
			lu.assertErrorMsgContains(case[1], body.shatter, body, case[2], case[3])
		end
		local floor = world:newBody { type = "static", shapes = { { shape = wing.cube(d, 1) }, { shape = plane and d.segment(0, 0, 1, 0) or d.segment(0, 0, 0, 1, 0, 0) } } }
		lu.assertErrorMsgContains("it has a segment", slice_at_x, floor, 0)
		local world_body = world:newBody { type = "static", shape = plane and d.halfPlane(0, 1, 0) or d.halfSpace(0, 1, 0, 0) }
		lu.assertErrorMsgContains(plane and "it has a halfPlane" or "it has a halfSpace", slice_at_x, world_body, 0)
		lu.assertEquals(world:getBodyCount(), 3)
		world:setFilter(function() slice_at_x(body, 0) end)
		world:newBody { shape = wing.cube(d, 1) }
		lu.assertErrorMsgContains("world is locked", world.step, world, 1 / 60)
		body:destroy()
		lu.assertErrorMsgContains("destroyed", slice_at_x, body, 0)
		lu.assertErrorMsgContains("destroyed", body.shatter, body, { 0, 0, 0 })
	end
end

-- The limit on the corners of a piece: nothing changes when it is exceeded.
local Break = suite("TestBreak", "d2")

function Break.test_too_many_corners()
	local d2 = collide.d2
	local points = {}
	for i = 1, 64 do points[2 * i - 1], points[2 * i] = math.cos(i * math.pi / 32), math.sin(i * math.pi / 32) end
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.polygon(points) }
	local angle = math.pi / 32 -- the line cuts one corner off, and makes two
	local cx, cy = (1 - 2e-3) * math.cos(angle), (1 - 2e-3) * math.sin(angle)
	lu.assertErrorMsgContains("slice: a piece would have more than 64 corners", body.slice, body, cx, cy, cx - math.sin(angle), cy + math.cos(angle))
	lu.assertTrue(body:isValid())
	lu.assertEquals(world:getBodyCount(), 1)
	lu.assertEquals(#body:slice(0, 0, 1, 0.01), 2)
	world:validate()
end

-- A child's own material goes to its fragments.
local BreakInSpace = suite("TestBreak", "d3")

function BreakInSpace.test_materials_of_a_compounds_children()
	local d3 = collide.d3
	local world = d3.newWorld()
	local body = world:newBody { friction = 0.2, restitution = 0.4, shape = d3.compound {
		{ shape = d3.box(1, 1, 1), material = { friction = 0.9, name = "rubber" } }, { shape = d3.box(1, 1, 1), pose = d3.pose(1, 0, 0) } } }
	local pieces = body:slice(0, 1, 0, 0)
	lu.assertEquals(#pieces, 2)
	for _, piece in ipairs(pieces) do
		local seen = {}
		for _, collider in ipairs(piece:getColliders()) do
			local x = collider:getShape():getMass(1) and select(2, collider:getShape():getMass(1))
			seen[x > 0.5] = true
			lu.assertAlmostEquals(collider:getFriction(), x > 0.5 and 0.2 or 0.9, 1e-6)
			lu.assertEquals(collider:getMaterialName(), x <= 0.5 and "rubber" or nil)
			lu.assertAlmostEquals(collider:getRestitution(), 0.4, 1e-6)
		end
		lu.assertTrue(seen[true] and seen[false])
	end
end

-- Pieces have the faces that the cuts have left. The hull of their corners is an independent way to find them; where corners are off a face's plane by about the
-- tolerance of 1e-6 of the extent, the two may decide otherwise.
function BreakInSpace.test_pieces_have_the_faces_of_their_hulls()
	local d3 = collide.d3
	local number = random_numbers(11)
	local function faces_of(shape)
		local list = {}
		for i, face in ipairs(shape:getFaces()) do
			local first = 1
			for k, corner in ipairs(face) do first = corner < face[first] and k or first end
			local text = {}
			for k = 1, #face do text[k] = face[(first + k - 2) % #face + 1] end
			list[i] = table.concat(text, " ")
		end
		table.sort(list)
		return table.concat(list, ", ")
	end
	-- All corners are below the planes of the faces, and the face's own on them.
	local function check_planes(shape, tolerance)
		local points, normals = shape:getPoints(), shape:getNormals()
		for i, face in ipairs(shape:getFaces()) do
			local function height(k) return normals[3 * i - 2] * points[3 * k - 2] + normals[3 * i - 1] * points[3 * k - 1] + normals[3 * i] * points[3 * k] end
			local top = height(face[1])
			for k = 1, #points / 3 do lu.assertTrue(height(k) < top + tolerance) end
			for _, k in ipairs(face) do lu.assertTrue(height(k) > top - tolerance) end
		end
	end
	local checked, equal = 0, 0
	for _, shape in ipairs { d3.box(3, 1, 2), d3.box(2, 2, 2, { x = 30 }), d3.sphere(1), d3.cylinder(1, 2), d3.hull { 0, 0, 0, 3, 0, 0, 4, 2, 0, 1, 3, 1, -1, 1, 2, 1, 1, -2 } } do
		local world = d3.newWorld()
		local body = world:newBody { shape = shape }
		local x, y, z = body:getCenter()
		local pieces = body:shatter(random_points(number, 40, 3, x, y, z, 1))
		for round_of = 1, 3 do -- and each again, down to small ones
			local smaller = {}
			for i, piece in ipairs(pieces) do
				local own = piece:getColliders()[1]:getShape()
				local hull = d3.hull(own:getPoints())
				local most = 0
				for _, value in ipairs(own:getPoints()) do most = math.max(most, math.abs(value)) end
				check_planes(own, 5e-7 * most + 5e-6)
				lu.assertEquals(own:getPoints(), hull:getPoints())
				for k, value in ipairs { own:getMass(1) } do lu.assertAlmostEquals(value, (select(k, hull:getMass(1))), 1e-6 * (1 + math.abs(value))) end
				checked, equal = checked + 1, equal + (faces_of(own) == faces_of(hull) and 1 or 0)
				local cx, cy, cz = piece:getCenter()
				if round_of < 3 and i % 4 == 0 then
					for _, part in ipairs(piece:shatter(random_points(number, 8, 3, cx, cy, cz, 0.3 ^ round_of))) do smaller[#smaller + 1] = part end
				end
			end
			pieces = smaller
		end
	end
	lu.assertTrue(checked > 500)
	lu.assertTrue(equal > 0.98 * checked)
end
