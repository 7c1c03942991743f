-- The calls of a 3D world to a draw target. Behaviour shared with 2D (order, locks, errors) is tested in test_draw.lua.
local lu = require "luaunit"
local d3 = require("collide").d3
local random_numbers = require("support").random_numbers

local functions = { "solidPolygon", "polygon", "solidCircle", "circle", "solidCapsule", "capsule", "segment", "point", "text" }

local function draw(world, options)
	local calls, target = {}, {}
	for _, name in ipairs(functions) do
		target[name] = function(...) calls[#calls + 1] = { name, ... } end
	end
	world:draw(target, options)
	return calls
end

local function length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

local shapes = {
	box = d3.box(1, 2, 3, { x = 0.5 }), hull = d3.hull { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 }, cylinder = d3.cylinder(0.5, 1.5),
	cone = d3.cone(0.5, 1.5), ellipsoid = d3.ellipsoid(0.3, 0.5, 0.8), mesh = d3.mesh({ 0, 0, 0, 2, 0, 0, 2, 2, 2, 0, 1, 2 }, { 1, 3, 2, 1, 4, 3 }),
	heightField = d3.heightField { columns = 3, rows = 2, cellWidth = 1, cellDepth = 1, heights = { 0, 1, 0, 1, 0, 2 } },
}
local faces = { box = 6, hull = 4, cylinder = 34, cone = 33, ellipsoid = 512, mesh = 2, heightField = 4 }

TestSpaceDraw = {}

-- Each face is flat, has its corners on the surface, and runs counter-clockwise from outside. All faces enclose the volume by Gauss's theorem: V = sum of
-- corner . (area vector) / 3 over triangles. A round shape is drawn as a polyhedron inside of it: 32 sides around have 0.6 % less area.
for name, shape in pairs(shapes) do
	TestSpaceDraw["test_faces_of_a_" .. name] = function()
		local number = random_numbers(81)
		for _, far in ipairs { 0, 1e6 } do
			local world = d3.newWorld()
			local body = world:newBody { type = "static", x = far, y = number(-5, 5), rotation = { number(-1, 1), number(-1, 1), number(-1, 1), 1 }, shape = shape }
			local pose, volume = d3.pose(body:getTransform()), 0
			local calls = draw(world)
			lu.assertEquals(#calls, faces[name])
			for _, call in ipairs(calls) do
				lu.assertEquals({ call[1], call[2], call[3] }, { "solidPolygon", "static", 0 })
				local corners = {}
				for i = 4, #call, 3 do
					corners[#corners + 1] = { call[i] - far, call[i + 1], call[i + 2] }
					local distance = select(4, d3.closestPoint(shape, pose, call[i], call[i + 1], call[i + 2]))
					lu.assertAlmostEquals(distance, 0, 1e-6, name)
				end
				lu.assertTrue(#corners >= 3)
				for i = 2, #corners - 1 do
					local a, b, c = corners[1], corners[i], corners[i + 1]
					local ux, uy, uz, vx, vy, vz = b[1] - a[1], b[2] - a[2], b[3] - a[3], c[1] - a[1], c[2] - a[2], c[3] - a[3]
					volume = volume + (a[1] * (uy * vz - uz * vy) + a[2] * (uz * vx - ux * vz) + a[3] * (ux * vy - uy * vx)) / 6
				end
			end
			local mass = shape:getMass(1)
			if mass > 0 then lu.assertTrue(volume > 0.98 * mass and volume < 1.0001 * mass, name .. ": " .. volume / mass) end
		end
	end
end

function TestSpaceDraw.test_round_shapes_are_named()
	local world = d3.newWorld()
	local q = { 0, 0.6, 0, 0.8 }
	world:newBody { type = "static", x = 1, y = 2, z = 3, rotation = q, shape = d3.sphere(0.5) }
	local call = draw(world)[1]
	lu.assertEquals({ call[1], call[2], call[3], call[4], call[5], call[6] }, { "solidCircle", "static", 1, 2, 3, 0.5 })
	for i, number in ipairs(q) do lu.assertAlmostEquals(call[6 + i], number, 1e-6) end
	world = d3.newWorld()
	world:newBody { x = 1, shape = d3.capsule(0, -1, 0, 0, 1, 0.5, 0.25), sensor = true }
	lu.assertEquals(draw(world), { { "capsule", "sensor", 1, -1, 0, 1, 1, 0.5, 0.25 } })
	world = d3.newWorld()
	world:newBody { shape = d3.segment(1, 2, 3, 4, 5, 6), mass = 1, enabled = false }
	lu.assertEquals(draw(world), { { "segment", "disabled", 1, 2, 3, 4, 5, 6 } })
end

-- A rounded box: six faces moved outwards, and twelve edges.
function TestSpaceDraw.test_a_rounded_box()
	local world = d3.newWorld()
	world:newBody { shape = d3.box(2, 2, 2, { radius = 0.25 }) }
	local count = { solidPolygon = 0, solidCapsule = 0 }
	for _, call in ipairs(draw(world)) do
		count[call[1]] = count[call[1]] + 1
		if call[1] == "solidCapsule" then
			lu.assertEquals(call[9], 0.25)
			for i = 3, 8 do lu.assertAlmostEquals(math.abs(call[i]), 0.75, 1e-6) end
		else
			local on = 0
			for i = 4, #call do if math.abs(math.abs(call[i]) - 1) < 1e-6 then on = on + 1 end end
			lu.assertEquals(on, 4, "one number of each corner is on the outside")
		end
	end
	lu.assertEquals(count, { solidPolygon = 6, solidCapsule = 12 })
end

-- A compound is drawn by its children, a half-space by the visible part of its plane.
function TestSpaceDraw.test_children_and_planes()
	local world = d3.newWorld()
	world:newBody { shape = d3.compound { { shape = d3.sphere(0.3), pose = d3.pose(0.5, 0, 0) }, { shape = d3.box(0.4, 0.4, 0.4) } } }
	lu.assertEquals(#draw(world), 7)
	local number = random_numbers(82)
	for _ = 1, 50 do
		world = d3.newWorld()
		local nx, ny, nz, offset = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
		local n = length(nx, ny, nz)
		world:newBody { type = "static", shape = d3.halfSpace(nx, ny, nz, offset) }
		local view = { -1, -2, -3, 3, 2, 1 }
		local calls = draw(world, { view = view })
		local least, most = math.huge, -math.huge
		for corner = 0, 7 do
			local d = (nx * view[corner % 2 == 0 and 1 or 4] + ny * view[corner % 4 < 2 and 2 or 5] + nz * view[corner < 4 and 3 or 6]) / n - offset
			least, most = math.min(least, d), math.max(most, d)
		end
		lu.assertEquals(#calls, least < 0 and most > 0 and 1 or 0)
		for _, call in ipairs(calls) do
			for i = 4, #call, 3 do
				local p = { call[i], call[i + 1], call[i + 2] }
				lu.assertAlmostEquals((nx * p[1] + ny * p[2] + nz * p[3]) / n, offset, 1e-6)
				for k = 1, 3 do lu.assertTrue(p[k] >= view[k] - 1e-9 and p[k] <= view[3 + k] + 1e-9) end
			end
		end
	end
end

function TestSpaceDraw.test_only_shapes_in_view_are_drawn()
	local world = d3.newWorld()
	for x = -5, 5 do
		for z = -5, 5 do world:newBody { x = 2 * x, z = 2 * z, shape = d3.sphere(0.5) } end
	end
	lu.assertEquals(#draw(world), 121)
	lu.assertEquals(#draw(world, { view = { -2.6, -1, -0.6, 2.6, 1, 0.6 } }), 3)
	lu.assertEquals(#draw(world, { view = { -2.6, 1, -0.6, 2.6, 2, 0.6 } }), 0)
end

function TestSpaceDraw.test_overlays()
	local world = d3.newWorld { sleeping = false }
	world:newBody { type = "static", y = -1, shape = d3.box(10, 2, 10) }
	local box = world:newBody { y = 0.5, shape = d3.box(1, 1, 1), name = "crate" }
	for _ = 1, 60 do world:step(1 / 60) end
	box:setLinearVelocity(1, 2, 3)
	local count = {}
	local x, y, z = box:getPosition()
	for _, call in ipairs(draw(world, { shapes = false, contacts = true, boxes = true, centers = true, velocities = true, names = true, islands = true })) do
		local kind = call[2] .. " " .. call[1]
		count[kind] = (count[kind] or 0) + 1
		if call[2] == "velocity" then
			lu.assertAlmostEquals(call[6] - call[3], 0.1, 1e-6)
			lu.assertAlmostEquals(call[7] - call[4], 0.2, 1e-6)
			lu.assertAlmostEquals(call[8] - call[5], 0.3, 1e-6)
		elseif call[2] == "center" then
			lu.assertEquals({ call[3], call[4], call[5], call[6] }, { x, y, z, 5 })
		elseif call[2] == "name" then
			lu.assertEquals({ call[3], call[4], call[5], call[6] }, { x, y, z, "crate" })
		elseif call[2] == "normal" then
			lu.assertAlmostEquals(call[7] - call[4], 0.2, 1e-6)
		end
	end
	lu.assertEquals(count, { ["contact point"] = 4, ["normal segment"] = 4, ["impulse segment"] = 4, ["box segment"] = 24, ["island segment"] = 12,
		["center point"] = 1, ["velocity segment"] = 1, ["name text"] = 1 })
end
