-- The scenes of scripts/zoo: the reader's worlds, the measured figures, and that each scene behaves at least as well as in the peer, whose figures are in its
-- file.
local lu, support = require "luaunit", require "support"
local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
local folder = here .. "../scripts/zoo/"
local zoo = dofile(folder .. "zoo.lua")

TestZoo = {}

local found = support.scripts(folder .. "scenes")

function TestZoo.test_scenes_are_here()
	local dimensions, games, peers = { 0, 0, 0 }, 0, 0
	for _, name in ipairs(found) do
		local scene = zoo.load(folder .. "scenes/" .. name .. ".lua")
		lu.assertIsString(scene.about)
		lu.assertIsTable(scene.peer)
		dimensions[scene.dimension] = dimensions[scene.dimension] + 1
		if name:match "^game_" then games = games + 1 else peers = peers + 1 end
		lu.assertTrue(scene.dimension == (name:match "3d$" and 3 or 2), name)
	end
	lu.assertTrue(games >= 20 and peers >= 30)
	lu.assertTrue(dimensions[2] >= 20 and dimensions[3] >= 20)
end

-- Bodies pressed through the surface of these one-sided hills come out above it. In each of these scenes some capsules and boxes lay 0.1 m deep, were pushed
-- further down, and gained 10 m/s in each second without moving.
function TestZoo.test_no_body_is_pushed_through_one_sided_hills()
	local families = dofile(folder .. "families.lua")
	for _, seed in ipairs { 104, 113, 148, 149, 169, 170 } do
		local run, places, stays = zoo.build(families.mesh_hills(seed)), {}, {}
		for step = 1, 75 do
			zoo.move(run, (step - 1) / 15, 1 / 15)
			run.world:step(1 / 15)
			for i, body in ipairs(run.bodies) do
				local place, vx, vy, vz = table.concat({ body:getCenter() }, " "), body:getLinearVelocity()
				stays[i] = place == places[i] and vx * vx + vy * vy + vz * vz > 1 and (stays[i] or 0) + 1 or 0
				places[i] = place
				lu.assertTrue(stays[i] < 5, ("seed %d, body %d at %s"):format(seed, i, place))
			end
		end
		for _, _, _, _, _, x, y, z, separation in run.world:contacts() do
			lu.assertTrue(separation > -0.05, ("seed %d: %g m at %g, %g, %g"):format(seed, separation, x, y, z))
		end
		run.world:destroy()
	end
end

-- Scenes are data: they cannot call anything.
function TestZoo.test_scenes_cannot_call_anything()
	local path = support.tmpname()
	local file = assert(io.open(path, "w"))
	file:write "return { about = tostring(1) }"
	file:close()
	local fine, message = pcall(zoo.load, path)
	os.remove(path)
	lu.assertFalse(fine)
	lu.assertStrContains(message, "tostring")
end

function TestZoo.test_copies_make_rows_and_grids()
	local run = zoo.build {
		dimension = 3,
		bodies = {
			{ position = { 1, 2, 3 }, copies = { { 3, 1, 0, 0 }, { 2, 0, 0.5, -1 } }, shape = { "sphere", 0.1 } },
			{ y = -1, copies = { 2, 0, 4 }, shape = { "box", 1, 1, 1 } },
		},
	}
	local places = {}
	for i, body in ipairs(run.bodies) do places[i] = ("%g %g %g"):format(body:getPosition()) end
	lu.assertEquals(places, { "1 2 3", "1 2.5 2", "2 2 3", "2 2.5 2", "3 2 3", "3 2.5 2", "0 -1 0", "0 3 0" })
end

local function vector(dimension, x, y)
	return dimension == 2 and { x, y } or { x, y, 0 }
end

local function ball(dimension, options)
	options.shape = dimension == 2 and { "circle", 0.5 } or { "sphere", 0.5 }
	return options
end

local function held(dimension)
	return dimension == 2 and { x = true, y = true, rotation = true } or
		{ x = true, y = true, z = true, rotationX = true, rotationY = true, rotationZ = true }
end

-- A kinematic body follows the same path at all rates, and stops.
function TestZoo.test_kinematic_motion_is_the_same_at_all_rates()
	for dimension = 2, 3 do
		local scene = {
			dimension = dimension,
			bodies = { ball(dimension, { type = "kinematic" }) },
			motion = {
				{ body = 1, from = 1, to = 2, linearVelocity = vector(dimension, 3, 0) },
				{ body = 1, from = 2, to = 2.5, linearVelocity = vector(dimension, 0, -1) },
			},
		}
		for _, hertz in ipairs { 30, 60, 120 } do
			local run = zoo.build(scene)
			for step = 0, 3 * hertz - 1 do
				zoo.move(run, step / hertz, 1 / hertz)
				run.world:step(1 / hertz)
			end
			local x, y = run.bodies[1]:getPosition()
			lu.assertAlmostEquals(x, 3, 1e-4)
			lu.assertAlmostEquals(y, -0.5, 1e-4)
		end
	end
end

-- A ball flies for 4 s at 1 m/s from x = 2 and past x = 5.
function TestZoo.test_figures_of_a_flight()
	for dimension = 2, 3 do
		local figures = zoo.run({
			dimension = dimension, seconds = 4, rest = true, closed = true, gravity = vector(dimension, 0, 0),
			bounds = dimension == 2 and { -5, -5, 5, 5 } or { -5, -5, -5, 5, 5, 5 },
			bodies = { ball(dimension, { x = 2, linearVelocity = vector(dimension, 1, 0), stands = true }), ball(dimension, { x = -4, type = "static" }) },
		}, 60)
		lu.assertEquals(figures.rest, 4)
		lu.assertAlmostEquals(figures.drift, 3, 1e-4)
		lu.assertAlmostEquals(figures.moved, 4, 1e-4)
		lu.assertEquals(figures.escaped, 1)
		lu.assertAlmostEquals(figures.gain, 0, 1e-6)
		lu.assertEquals(figures.deep, 0)
		lu.assertNil(figures.joint)
	end
end

-- Two balls of 0.5 whose centres are held 0.7 apart, and a joint whose anchors are 0.4 apart.
function TestZoo.test_figures_of_held_bodies()
	for dimension = 2, 3 do
		local scene = {
			dimension = dimension, seconds = 4, rest = true,
			bodies = { ball(dimension, { x = 0.7, locks = held(dimension) }), ball(dimension, { type = "static" }) },
		}
		local figures = zoo.run(scene, 60)
		lu.assertAlmostEquals(figures.deep, 0.3, 1e-6)
		lu.assertEquals(figures.drift, 0)
		lu.assertTrue(figures.rest <= 1)
		scene.joints = { { "Revolute", bodyA = 1, bodyB = 2, anchorA = vector(dimension, 1, 0), anchorB = vector(dimension, 1.3, 0) } }
		figures = zoo.run(scene, 60)
		lu.assertAlmostEquals(figures.joint, 0.4, 1e-6)
		lu.assertEquals(figures.deep, 0) -- jointed bodies may overlap
	end
end

-- A speed of 2 given from outside can lift its body by v^2 / (2 g) = 0.2 m, and a scene of two such bodies by half of that.
function TestZoo.test_energy_from_outside_is_measured()
	for dimension = 2, 3 do
		local run = zoo.build { dimension = dimension, seconds = 1, closed = true, bodies = { ball(dimension, {}), ball(dimension, { x = 20 }) } }
		zoo.watch(run)
		zoo.look(run, 0, 1 / 60)
		run.bodies[1]:setLinearVelocity((table.unpack or unpack)(vector(dimension, 2, 0)))
		zoo.look(run, 1 / 60, 1 / 60)
		lu.assertAlmostEquals(zoo.figures(run).gain, 0.1, 1e-6)
	end
end

-- The displacement of a box that has rotated about its middle is that of its corners: 0.5 rad at the distance of half its size.
function TestZoo.test_rotation_counts_as_displacement()
	for dimension = 2, 3 do
		local box = dimension == 2 and { "box", 2, 1 } or { "box", 2, 1, 1 }
		local run = zoo.build { dimension = dimension, seconds = 1, bodies = { { shape = box, stands = true } } }
		zoo.watch(run)
		if dimension == 2 then run.bodies[1]:setAngle(0.5) else run.bodies[1]:setRotation(0, 0, math.sin(0.25), math.cos(0.25)) end
		lu.assertAlmostEquals(zoo.figures(run).moved, 2 * math.sin(0.25), 1e-6)
	end
end

function TestZoo.test_bounds_allow_a_tenth_and_imperceptible_amounts()
	local scene = { should = { rest = 2 }, peer = { [60] = { rest = 1, deep = 0.1 } } }
	lu.assertEquals(#zoo.worse(scene, 60, { rest = 1.3, deep = 0.11 }), 0)
	lu.assertEquals(#zoo.worse(scene, 60, { rest = 1.5, deep = 0.12 }), 2)
	lu.assertEquals(#zoo.worse(scene, 60, { rest = 2.1, deep = 0 }), 2)
	lu.assertEquals(#zoo.worse(scene, 30, { rest = 1.9, deep = 1 }), 0)
	lu.assertEquals(#zoo.worse(scene, 30, { rest = 0 / 0, deep = 1 }), 1)
end

-- An open figure may be as bad as stated and no worse; and it must not be stated as open if it meets the peer's bound.
function TestZoo.test_open_figures_must_match_their_statement()
	local scene = { peer = { [60] = { rest = 1, deep = 0.1 } }, open = { [60] = { rest = 3 } } }
	for rest, worse in pairs { [1.3] = 1, [1.5] = 0, [3.5] = 0, [3.7] = 1, [9] = 1 } do
		lu.assertEquals(#zoo.worse(scene, 60, { rest = rest, deep = 0 }), worse, rest)
		lu.assertEquals(#zoo.worse(scene, 60, { rest = rest, deep = 0.2 }), worse + 1, rest)
	end
end

-- Families give the same scene for the same seed, another one for another seed, and the reader builds all of them.
function TestZoo.test_families_are_scenes()
	local families = dofile(folder .. "families.lua")
	lu.assertTrue(#families >= 20)
	local function text(value)
		if type(value) ~= "table" then return tostring(value) end
		local parts = {}
		for key, item in pairs(value) do parts[#parts + 1] = tostring(key) .. "=" .. text(item) end
		table.sort(parts)
		return table.concat(parts, " ")
	end
	for _, name in ipairs(families) do
		lu.assertEquals(text(families[name](3)), text(families[name](3)), name)
		lu.assertNotEquals(text(families[name](3)), text(families[name](4)), name)
		zoo.build(families[name](5)).world:destroy()
	end
end

-- Each scene meets its own bounds and, to within a tenth and imperceptible amounts, those of the peer (Box2D 617d32ab, Box3D 30c67b5), or its `open`.
for _, name in ipairs(found) do
	TestZoo["test_scene_" .. name] = function()
		local scene, lines = zoo.load(folder .. "scenes/" .. name .. ".lua"), {}
		for _, hertz in ipairs { 30, 60, 120 } do
			for _, line in ipairs(scene.peer[hertz] and zoo.misses(scene, hertz) or {}) do lines[#lines + 1] = line end
		end
		lu.assertEquals(table.concat(lines, "\n"), "")
	end
end
