-- Materials: mixing, surface speeds, the restitution threshold, rolling resistance.
--
-- The tests measure the resulting motion: a sliding box decelerates by mu g, a ball leaves a wall at e times its speed. SLIDE = 2 %: the sum of the normal
-- impulses is m g t up to the change of m v_y, some mm/s of 5 m/s after half a second.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d, round = planes[dim], require("support").round[dim]

	local DT, SLIDE = 1 / 60, 0.02
	local rules = {
		geometric = function(a, b) return math.sqrt(a * b) end,
		average = function(a, b) return (a + b) / 2 end,
		minimum = math.min,
		maximum = math.max,
		multiply = function(a, b) return a * b end,
	}

	local steps = require("support").steps

	-- A flat box on a floor; box_first: which is created first, and so is a in their contact.
	local function box_on_floor(world, floor_options, box_options, box_first)
		local floor, box
		floor_options.type, floor_options.y, floor_options.shape = "static", -1, d.box(100, 2)
		box_options.y, box_options.shape = 0.25, d.box(1, 0.5)
		if box_first then
			box = world:newBody(box_options)
			floor = world:newBody(floor_options)
		else
			floor = world:newBody(floor_options)
			box = world:newBody(box_options)
		end
		return floor:getColliders()[1], box:getColliders()[1], box
	end

	-- --- Mixing ----------------------------------------------------------------------------------------------------------------

	local TestMixing = suite("TestMixing", dim)

	function TestMixing.test_friction_by_all_rules()
		for name, rule in pairs(rules) do
			for _, pair in ipairs { { 0.2, 0.8 }, { 0.8, 0.2 }, { 0, 0.7 }, { 0.5, 0.5 } } do
				local world = d.newWorld { frictionMixing = name, sleeping = false }
				lu.assertEquals(world:getFrictionMixing(), name)
				local _, _, box = box_on_floor(world, { friction = pair[1] }, { friction = pair[2], linearVelocity = { 10, 0 } })
				steps(world, 30)
				local lost = rule(pair[1], pair[2]) * 10 * 0.5
				lu.assertAlmostEquals(10 - box:getLinearVelocity(), lost, SLIDE * lost + 1e-3, name)
			end
		end
	end

	function TestMixing.test_geometric_friction_and_maximum_restitution_by_default()
		local world = d.newWorld {}
		lu.assertEquals(world:getFrictionMixing(), "geometric")
		lu.assertEquals(world:getRestitutionMixing(), "maximum")
	end

	-- Newton's law holds to float precision: v' = -e v, 1e-4 of v.
	function TestMixing.test_restitution_by_all_rules()
		for name, rule in pairs(rules) do
			for _, pair in ipairs { { 0.3, 0.7 }, { 0.7, 0.3 }, { 0, 1 }, { 0.5, 0.5 } } do
				local world = d.newWorld { restitutionMixing = name, gravity = { 0, 0 } }
				lu.assertEquals(world:getRestitutionMixing(), name)
				world:newBody { type = "static", x = 3, shape = d.box(1, 4), restitution = pair[1] }
				local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { 5, 0 }, restitution = pair[2], friction = 0 }
				steps(world, 60)
				lu.assertAlmostEquals(ball:getLinearVelocity(), -5 * rule(pair[1], pair[2]), 5e-4, name)
			end
		end
	end

	-- Persistent contacts use new rules and new materials immediately: 10 m/s lose 0.4 * 5 in the first half second, and then 0.8 * 5.
	function TestMixing.test_changes_affect_persistent_contacts()
		local changes = {
			setFrictionMixing = function(world) world:setFrictionMixing("maximum") end,
			floor = function(_, floor) floor:setFriction(3.2) end,
			box = function(_, _, box) box:setFriction(0.8) end,
		}
		for name, change in pairs(changes) do
			local world = d.newWorld { sleeping = false }
			local floor, collider, box = box_on_floor(world, { friction = 0.8 }, { friction = 0.2, linearVelocity = { 10, 0 } })
			steps(world, 30)
			local v1 = box:getLinearVelocity()
			lu.assertAlmostEquals(10 - v1, 2, SLIDE * 2)
			change(world, floor, collider)
			steps(world, 30)
			lu.assertAlmostEquals(v1 - box:getLinearVelocity(), 4, SLIDE * 4, name)
		end
	end

	-- A body that rests on a slope begins to slide when the friction is removed, even if asleep.
	function TestMixing.test_friction_removed_from_under_a_sleeping_body()
		local world = d.newWorld { gravity = { 3, -10 } }
		local floor, _, box = box_on_floor(world, { friction = 0.6 }, { friction = 0.6 })
		steps(world, 90)
		lu.assertFalse(box:isAwake())
		local x = box:getPosition()
		lu.assertAlmostEquals(x, 0, 1e-3)
		floor:setFriction(0)
		steps(world, 30)
		lu.assertAlmostEquals(box:getLinearVelocity(), 1.5, 0.01)
	end

	-- --- Rules of materials ----------------------------------------------------------------------------------------------------

	-- The later rule of two materials decides, one rule goes before none, and without rules the world's holds: all 36 pairs.
	function TestMixing.test_friction_by_the_rules_of_both_materials()
		local names = { "geometric", "average", "minimum", "multiply", "maximum" }
		for i = 0, 5 do
			for k = 0, 5 do
				local world = d.newWorld { frictionMixing = "average", sleeping = false }
				local floor, collider, box = box_on_floor(world, { material = { friction = 0.8, frictionMixing = names[i] } },
					{ material = { friction = 0.3, frictionMixing = names[k] }, linearVelocity = { 10, 0 } }, k % 2 == 0)
				lu.assertEquals({ floor:getFrictionMixing(), collider:getFrictionMixing() }, { names[i], names[k] })
				steps(world, 30)
				local lost = rules[names[math.max(i, k)] or "average"](0.8, 0.3) * 10 * 0.5
				lu.assertAlmostEquals(10 - box:getLinearVelocity(), lost, SLIDE * lost + 1e-3)
			end
		end
	end

	function TestMixing.test_restitution_by_the_rules_of_both_materials()
		local names = { "geometric", "average", "minimum", "multiply", "maximum" }
		for i = 0, 5 do
			for k = 0, 5 do
				local world = d.newWorld { gravity = { 0, 0 } }
				world:newBody { type = "static", x = 3, shape = d.box(1, 4), material = { restitution = 0.9, restitutionMixing = names[i] } }
				local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { 5, 0 }, friction = 0,
					material = { friction = 1, restitution = 0.4, restitutionMixing = names[k] } }
				lu.assertEquals(ball:getColliders()[1]:getRestitutionMixing(), names[k])
				lu.assertEquals(ball:getColliders()[1]:getFriction(), 0) -- given directly
				steps(world, 60)
				lu.assertAlmostEquals(ball:getLinearVelocity(), -5 * rules[names[math.max(i, k)] or "maximum"](0.9, 0.4), 5e-4)
			end
		end
	end

	function TestMixing.test_a_new_rule_affects_persistent_contacts()
		for _, side in ipairs { "floor", "box" } do
			local world = d.newWorld { sleeping = false }
			local floor, collider, box = box_on_floor(world, { friction = 0.8 }, { friction = 0.2, linearVelocity = { 10, 0 } })
			steps(world, 30)
			local changed, v1 = side == "floor" and floor or collider, box:getLinearVelocity()
			lu.assertAlmostEquals(10 - v1, 2, SLIDE * 2)
			changed:setFrictionMixing "minimum"
			changed:setRestitutionMixing "multiply"
			lu.assertEquals({ changed:getFrictionMixing(), changed:getRestitutionMixing() }, { "minimum", "multiply" })
			steps(world, 30)
			lu.assertAlmostEquals(v1 - box:getLinearVelocity(), 1, SLIDE)
			v1 = box:getLinearVelocity()
			changed:setFrictionMixing(nil)
			lu.assertNil(changed:getFrictionMixing())
			steps(world, 30)
			lu.assertAlmostEquals(v1 - box:getLinearVelocity(), 2, SLIDE * 2)
		end
	end

	-- --- Names and parts -------------------------------------------------------------------------------------------------------

	local TestMaterials = suite("TestMaterials", dim)

	function TestMaterials.test_names()
		local world = d.newWorld {}
		local body = world:newBody { shape = d.circle(1), material = { name = "rubber" } }
		local rubber = body:getColliders()[1]
		local ice = body:newCollider(d.circle(1), { material = { name = "ice", friction = 0.25 }, restitution = 0.5 })
		local several = world:newBody { shapes = { { shape = d.circle(1) }, { shape = d.circle(2), material = { name = "ice" } } } }
		local second, first = several:getColliders()[1], several:getColliders()[2]
		if second:getMaterialName() == nil then first, second = second, first end
		lu.assertEquals({ rubber:getMaterialName(), ice:getMaterialName(), second:getMaterialName(), first:getMaterialName() }, { "rubber", "ice", "ice" })
		lu.assertEquals({ ice:getFriction(), ice:getRestitution() }, { 0.25, 0.5 })
		rubber:setMaterialName "ice"
		ice:setMaterialName(nil)
		lu.assertEquals({ rubber:getMaterialName() }, { "ice" })
		lu.assertNil(ice:getMaterialName())
	end

	function TestMaterials.test_getters_make_no_garbage()
		local raw = require("collide")[dim]
		local collider = raw.newWorld():newBody { shape = dim == "d2" and raw.circle(1) or raw.sphere(1), material = { name = "ice", frictionMixing = "minimum" } }:getColliders()[1]
		lu.assertEquals(require("support").bytes_of(100, function()
			collider:getMaterialName() collider:getFrictionMixing() collider:getRestitutionMixing()
			collider:setMaterialName "ice"
			collider:setFrictionMixing "minimum"
		end), 0)
	end

	function TestMaterials.test_errors()
		local world = d.newWorld {}
		local collider = world:newBody { shape = d.circle(1) }:getColliders()[1]
		local function refused(message, material)
			lu.assertErrorMsgContains("newBody: material" .. message, world.newBody, world, { shape = d.circle(1), material = material })
			lu.assertErrorMsgContains("newBody: shapes[1].material" .. message, world.newBody, world, { shapes = { { shape = d.circle(1), material = material } } })
			lu.assertErrorMsgContains("newCollider: material" .. message, collider:getBody().newCollider, collider:getBody(), d.circle(1), { material = material })
		end
		refused(" must be a table, got 3", 3)
		refused(": unknown key 'frictoin', did you mean 'friction'?", { frictoin = 1 })
		refused(": name must be a string, got 3", { name = 3 })
		refused(": friction must be a finite number, got nan", { friction = 0 / 0 })
		refused(": restitution must be >= 0, got -1", { restitution = -1 })
		refused(': frictionMixing must be "geometric", "average", "minimum", "multiply" or "maximum"', { frictionMixing = "least" })
		lu.assertErrorMsgContains("newBody: shape is missing", world.newBody, world, { material = {} })
		lu.assertErrorMsgContains("setMaterialName: name must be a string, got true", collider.setMaterialName, collider, true)
		lu.assertErrorMsgContains("setFrictionMixing: mixing must be \"geometric\"", collider.setFrictionMixing, collider, 1)
		lu.assertEquals(world:getBodyCount(), 1)
	end

	-- Boxes at rest on belts: each of 500 parts of one shape has a friction of its own in 0.1 .. 0.8 and moves to one side or the other, so its box
	-- accelerates by mu g. "multiply", with a friction of 1 of the boxes, decides over the geometric mean.
	local function check_belts(terrain, count)
		local world, bodies = d.newWorld { sleeping = false }, {}
		terrain(world)
		for i = 1, count do
			bodies[i] = world:newBody { x = 8 * i, y = 0.25, shape = d.box(1, 0.5), friction = 1 }
		end
		steps(world, 15)
		for i, body in ipairs(bodies) do
			local speed = (0.1 + 0.7 * (i * 37 % 100) / 100) * 10 * 0.25
			lu.assertAlmostEquals(body:getLinearVelocity(), i % 3 == 0 and -speed or speed, SLIDE * speed + 1e-3, "part " .. i)
		end
	end

	local function belt(i)
		local speed = i % 3 == 0 and -5 or 5
		local material = { name = "belt " .. i, friction = 0.1 + 0.7 * (i * 37 % 100) / 100, frictionMixing = "multiply" }
		if dim == "d2" then material.tangentSpeed = speed else material.tangentVelocity = { speed, 0, 0 } end
		return material
	end

	-- The materials of the parts from the last to the first, 200 different ones, and their numbers by part.
	local function belts(first, last)
		local materials, of, known = {}, {}, {}
		for i = last, first, -1 do
			local key = i * 37 % 100 .. (i % 3 == 0 and "left" or "right")
			if not known[key] then
				materials[#materials + 1] = belt(i)
				known[key] = #materials
			end
			of[#of + 1] = known[key]
		end
		return materials, of
	end

	if dim == "d2" then
		function TestMaterials.test_of_500_segments()
			check_belts(function(world)
				local points = {}
				for i = 500, 0, -1 do points[#points + 1], points[#points + 2] = 8 * i + 4, 0 end
				local materials, of = belts(1, 500)
				local chain = require("collide").d2.chain(points, { materials = materials, segmentMaterials = of })
				lu.assertEquals(select(6, chain:getSegmentMaterial(500)), materials[of[500]].name)
				world:newBody { type = "static", shape = chain, friction = 9 }
			end, 500)
		end

		-- Segments keep their materials when a chain is scaled, mirrored or moved, open or closed.
		function TestMaterials.test_of_segments_of_copies()
			local d2 = require("collide").d2
			for _, loop in ipairs { false, true } do
				local points, materials, of = {}, { { friction = 0.25, name = "a" }, { tangentSpeed = 2, restitutionMixing = "average" } }, {}
				for i = 1, 9 do points[2 * i - 1], points[2 * i] = math.cos(i / 2), math.sin(i / 2) end
				for i = 1, loop and 9 or 8 do of[i] = i % 3 end
				local chain = d2.chain(points, { loop = loop, materials = materials, segmentMaterials = of })
				local function check(copy, number_of)
					for i = 1, #of do
						local number, friction, restitution, rolling, speed, name, mixing, bouncing = copy:getSegmentMaterial(number_of(i))
						lu.assertEquals(number, of[i])
						lu.assertEquals({ friction, name }, of[i] == 1 and { 0.25, "a" } or {})
						lu.assertEquals({ speed, bouncing }, of[i] == 2 and { 2, "average" } or {})
						lu.assertEquals({ restitution, rolling, mixing }, {})
					end
				end
				check(chain, function(i) return i end)
				check(chain:scaled(2, 3), function(i) return i end)
				check(d2.transform(chain, d2.pose(1, 2, 3)), function(i) return i end)
				check(chain:scaled(-2, 3), function(i) return i <= 8 and 9 - i or i end)
				lu.assertTrue(chain:getByteCount() > d2.chain(points, { loop = loop }):getByteCount())
			end
		end
	else
		local d3 = require("collide").d3

		function TestMaterials.test_of_1000_triangles()
			check_belts(function(world)
				local vertices, indices, of = {}, {}, {}
				for i = 0, 500 do
					for _, z in ipairs { -4, 4 } do
						for _, c in ipairs { 8 * i + 4, 0, z } do vertices[#vertices + 1] = c end
					end
				end
				local materials, of_quads = belts(1, 500)
				for i = 1, 500 do
					local a = 2 * i - 1
					for _, index in ipairs { a, a + 1, a + 2, a + 1, a + 3, a + 2 } do indices[#indices + 1] = index end
					of[2 * i - 1], of[2 * i] = of_quads[501 - i], of_quads[501 - i]
				end
				local mesh = d3.mesh(vertices, indices, { materials = materials, triangleMaterials = of })
				lu.assertEquals(select(8, mesh:getFaceMaterial(999)), materials[of[999]].name)
				world:newBody { type = "static", shape = mesh, friction = 9 }
			end, 500)
		end

		-- The compound is made of two nested ones, the second without materials of its own but one given for all.
		function TestMaterials.test_of_500_parts_of_a_compound()
			check_belts(function(world)
				local parts, ghosts = {}, {}
				for i = 1, 500 do parts[i] = { shape = d3.box(8, 1, 8), pose = d3.pose(8 * i, -0.5, 0), material = belt(i) } end
				for i = 1, 5 do ghosts[i] = { shape = d3.box(8, 1, 8), pose = d3.pose(8 * i, -50, 0) } end
				local whole = d3.compound { { shape = d3.compound(parts), material = { friction = 7, restitution = 0.5 } },
					{ shape = d3.compound(ghosts), material = { name = "ghost", friction = 7 } } }
				lu.assertEquals(select(7, whole:getPartMaterial(500)), "belt 500")
				lu.assertEquals(select(2, whole:getPartMaterial(1)), 0.5)
				lu.assertEquals({ whole:getPartMaterial(503), (select(7, whole:getPartMaterial(503))) }, { 7, "ghost" })
				world:newBody { type = "static", shape = whole, friction = 9 }
			end, 500)
		end

		-- A quarter turn about y maps x to -z.
		function TestMaterials.test_of_parts_of_copies()
			local sledge = d3.compound { { shape = d3.box(1, 1, 1), material = { tangentVelocity = { 1, 2, 3 }, name = "runner" } }, d3.sphere(1) }
			local turned = d3.pose(5, 6, 7, 0, math.sqrt(0.5), 0, math.sqrt(0.5))
			for copy, expected in pairs { [d3.transform(sledge, turned)] = { 3, 2, -1 }, [d3.compound { { shape = sledge, pose = turned } }] = { 3, 2, -1 },
				[sledge:scaled(2)] = { 1, 2, 3 } } do
				local found = { copy:getPartMaterial(1) }
				for k = 1, 3 do lu.assertAlmostEquals(found[3 + k], expected[k], 1e-6) end
				lu.assertEquals(found[7], "runner")
				lu.assertEquals({ copy:getPartMaterial(2) }, {})
			end
		end
	end

	-- A ball that is swept in continuous collision bounces by the material of the part that it hits.
	function TestMaterials.test_fast_balls_bounce_by_the_part_they_hit()
		local world, balls = d.newWorld { gravity = { 0, 0 } }, {}
		local materials, of, points, parts = {}, {}, {}, {}
		for i = 1, 50 do
			materials[i], of[51 - i] = { restitution = i / 50, restitutionMixing = "multiply" }, i
			balls[i] = world:newBody { x = 4 * i, y = 3, shape = d.circle(0.25), linearVelocity = { 0, -300 }, restitution = 1, friction = 0 }
		end
		if dim == "d2" then
			for i = 50, 0, -1 do points[#points + 1], points[#points + 2] = 4 * i + 2, 0 end
			world:newBody { type = "static", shape = require("collide").d2.chain(points, { materials = materials, segmentMaterials = of }) }
		else
			local d3 = require("collide").d3
			for i = 1, 50 do parts[i] = { shape = d3.box(4, 1, 4), pose = d3.pose(4 * i, -0.5, 0), material = materials[i] } end
			world:newBody { type = "static", shape = d3.compound(parts) }
		end
		steps(world, 4)
		for i, ball in ipairs(balls) do lu.assertAlmostEquals(select(2, ball:getLinearVelocity()), 300 * i / 50, 0.1, i) end
	end

	-- --- Surface speed ---------------------------------------------------------------------------------------------------------

	-- A speed all around a body: in 3D a surface has a velocity vector, see test_space_world.lua.
	local TestTangentSpeed = suite("TestTangentSpeed", dim, "d2")

	-- A surface of positive speed moves to the right of its outward normal: a box on a belt is carried to +x, whichever of the two is a in the contact. A box
	-- with such a surface drives itself to +x, too. It gains mu g per second up to the surface speed, then keeps it.
	function TestTangentSpeed.test_belts_and_tracks_drive_the_same_way()
		for _, box_first in ipairs { false, true } do
			for _, speed in ipairs { 2, -2 } do
				for _, which in ipairs { "floor", "box" } do
					local world = d.newWorld { sleeping = false }
					local on_floor, on_box = { friction = 0.5 }, { friction = 0.5 };
					(which == "floor" and on_floor or on_box).tangentSpeed = speed
					local _, _, box = box_on_floor(world, on_floor, on_box, box_first)
					local what = which .. (box_first and ", box first" or "")
					steps(world, 15)
					local v = box:getLinearVelocity()
					lu.assertAlmostEquals(v, 0.5 * 10 * 15 * DT * speed / 2, 0.05, what)
					steps(world, 60)
					lu.assertAlmostEquals(box:getLinearVelocity(), speed, 1e-3, what)
				end
			end
		end
	end

	-- The speeds of both surfaces add up.
	function TestTangentSpeed.test_sum_of_both()
		local world = d.newWorld { sleeping = false }
		local floor, _, box = box_on_floor(world, { friction = 1, tangentSpeed = 1 }, { friction = 1, tangentSpeed = 0.5 })
		steps(world, 60)
		lu.assertAlmostEquals(box:getLinearVelocity(), 1.5, 1e-3)
		floor:setTangentSpeed(-0.5)
		lu.assertEquals(floor:getTangentSpeed(), -0.5)
		steps(world, 60)
		lu.assertAlmostEquals(box:getLinearVelocity(), 0, 1e-3)
	end

	-- Around the belt: on its top to +x, at its underside to -x, at its right-hand side down and at its left-hand side up.
	function TestTangentSpeed.test_all_sides_of_a_belt()
		for _, case in ipairs { { 0, 1, 1, 0 }, { 0, -1, -1, 0 }, { 1, 0, 0, -1 }, { -1, 0, 0, 1 } } do
			local nx, ny, tx, ty = case[1], case[2], case[3], case[4]
			for _, first in ipairs { true, false } do
				local world = d.newWorld { gravity = { -10 * nx, -10 * ny }, sleeping = false }
				local body
				local function make_body() body = world:newBody { x = 3 * nx, y = 3 * ny, shape = d.box(1, 1), friction = 1 } end
				if first then make_body() end
				world:newBody { type = "static", shape = d.box(5, 5), tangentSpeed = 0.5, friction = 1 }
				if not first then make_body() end
				steps(world, 60)
				local vx, vy = body:getLinearVelocity()
				lu.assertAlmostEquals(vx, 0.5 * tx, 2e-3)
				lu.assertAlmostEquals(vy, 0.5 * ty, 2e-3)
			end
		end
	end

	-- A belt free to move is pushed in the opposite direction: momentum is kept.
	function TestTangentSpeed.test_reaction()
		local world = d.newWorld { gravity = { 0, 0 }, sleeping = false }
		local belt = world:newBody { shape = d.box(10, 1), tangentSpeed = 3, friction = 1, locks = { y = true, rotation = true } }
		local box = world:newBody { y = 1, shape = d.box(1, 1), friction = 1, locks = { rotation = true } }
		steps(world, 60, function() box:applyForce(0, -10) end)
		local v1, v2 = box:getLinearVelocity(), belt:getLinearVelocity()
		lu.assertAlmostEquals(v1 - v2, 3, 1e-3)
		lu.assertAlmostEquals(v1 * box:getMass() + v2 * belt:getMass(), 0, 1e-4)
	end

	-- --- Restitution -----------------------------------------------------------------------------------------------------------

	local TestRestitution = suite("TestRestitution", dim)

	function TestRestitution.test_threshold()
		for _, threshold in ipairs { 1, 3 } do
			for _, case in ipairs { { 0.95, 0 }, { 1.05, 1 } } do
				local world = d.newWorld { gravity = { 0, 0 } }
				world:setRestitutionThreshold(threshold)
				lu.assertEquals(world:getRestitutionThreshold(), threshold)
				world:newBody { type = "static", x = 2, shape = d.box(1, 4), restitution = 0.5 }
				local v = case[1] * threshold
				local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { v, 0 } }
				steps(world, 120)
				lu.assertAlmostEquals(ball:getLinearVelocity(), -0.5 * v * case[2], 5e-3)
			end
		end
		lu.assertEquals(d.newWorld({}):getRestitutionThreshold(), 1)
		lu.assertEquals(d.newWorld({ lengthScale = 50 }):getRestitutionThreshold(), 50)
		lu.assertEquals(d.newWorld({ restitutionThreshold = 0.25 }):getRestitutionThreshold(), 0.25)
	end

	function TestRestitution.test_setRestitution()
		local world = d.newWorld { gravity = { 0, 0 } }
		world:newBody { type = "static", x = 3, shape = d.box(1, 4) }
		local ball = world:newBody { shape = d.circle(0.5), linearVelocity = { 5, 0 } }
		ball:getColliders()[1]:setRestitution(0.75)
		steps(world, 60)
		lu.assertAlmostEquals(ball:getLinearVelocity(), -3.75, 5e-4)
	end

	-- --- Rolling resistance ----------------------------------------------------------------------------------------------------

	local TestRollingResistance = suite("TestRollingResistance", dim)

	-- Torque c r N against the rotation. A disc (I = k m r^2, k = 1/2; of a ball 2/5) that rolls without slipping decelerates by c g / (1 + k) and stops after
	-- v (1 + k) / (c g). Both materials have resistances c.
	function TestRollingResistance.test_stops_a_rolling_ball()
		for _, radius in ipairs { 0.25, 0.5, 1 } do
			for _, c in ipairs { 0.05, 0.1 } do
				local world = d.newWorld { sleeping = false }
				world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = c }
				local ball = world:newBody {
					y = radius, shape = d.circle(radius), rollingResistance = c, friction = 1, linearVelocity = { 1, 0 },
					angularVelocity = -1 / radius,
				}
				local deceleration = c * 10 / (1 + round.inertia)
				steps(world, 60)
				local expected = math.max(0, 1 - deceleration)
				lu.assertAlmostEquals(ball:getLinearVelocity(), expected, 0.03, "radius " .. radius)
				lu.assertAlmostEquals(ball:getAngularVelocity(), -expected / radius, 0.03 / radius)
				-- 3 % of the time to stop.
				steps(world, math.ceil(1.03 / deceleration / DT) - 60 + 2)
				lu.assertAlmostEquals(ball:getLinearVelocity(), 0, 1e-3)
				local x = ball:getPosition()
				lu.assertAlmostEquals(x, 0.5 / deceleration, 0.03 * 0.5 / deceleration + DT)
				steps(world, 60)
				lu.assertAlmostEquals(ball:getPosition(), x, 1e-3, "it does not roll back")
			end
		end
	end

	-- Without friction only that torque acts: alpha = c r m g / (k m r^2) = c g / (k r).
	function TestRollingResistance.test_torque_is_c_r_N()
		for _, radius in ipairs { 0.25, 1 } do
			local c = 0.1
			local world = d.newWorld { sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = c, friction = 0 }
			local ball = world:newBody { y = radius, shape = d.circle(radius), rollingResistance = c, friction = 0, angularVelocity = 10 }
			steps(world, 30)
			local lost = c * 10 / (round.inertia * radius) * 0.5
			lu.assertAlmostEquals(ball:getAngularVelocity(), math.max(0, 10 - lost), SLIDE * lost, "radius " .. radius)
			lu.assertAlmostEquals(ball:getLinearVelocity(), 0, 1e-6)
		end
	end

	-- A ball rolls on the floor and does not sink in, however fast it turns. The slop is 5 mm; at rest it overlaps by 0.1 mm.
	function TestRollingResistance.test_a_rolling_ball_does_not_sink_in()
		for _, case in ipairs { { 0.5, 1 }, { 0.5, 20 }, { 0.1, 10 } } do
			local radius, speed = case[1], case[2]
			local world = d.newWorld { sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(200, 2), friction = 1 }
			local ball = world:newBody {
				y = radius, shape = d.circle(radius), friction = 1, linearVelocity = { speed, 0 }, angularVelocity = -speed / radius,
			}
			local lowest = 0
			steps(world, 120, function() lowest = math.min(lowest, select(2, ball:getPosition()) - radius) end)
			lu.assertTrue(lowest > -0.001, ("radius %g at %g m/s sinks by %g"):format(radius, speed, -lowest))
			-- Without resistance it keeps its speed.
			lu.assertAlmostEquals(ball:getLinearVelocity(), speed, 1e-3 * speed)
		end
	end

	-- On a slope of tan = 0.1 a ball with c = 0.12 stays, and with c = 0.05 it rolls at g (sin - c cos) / (1 + k).
	function TestRollingResistance.test_holds_a_ball_on_a_slope()
		local k = round.inertia
		for _, case in ipairs { { 0.12, 0 }, { 0.05, (1 - 0.05 * 10) / (1 + k) }, { 0, 1 / (1 + k) } } do
			local world = d.newWorld { gravity = { 1, -10 }, sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(100, 2), rollingResistance = case[1], friction = 1 }
			local ball = world:newBody { y = 0.5, shape = d.circle(0.5), rollingResistance = case[1], friction = 1 }
			steps(world, 120)
			lu.assertAlmostEquals(ball:getLinearVelocity(), 2 * case[2], 0.03 * 2 * case[2] + 2e-3)
		end
	end
end

-- Names are numbered in 16 bits, for a whole Lua state: a program of its own uses them all.
if not require("support").windows then
	function TestMaterials.test_the_greatest_number_of_names()
		local support = require "support"
		local path = support.tmpname()
		support.write(path, [[
			local d2 = require("collide").d2
			local collider = d2.newWorld():newBody { shape = d2.circle(1) }:getColliders()[1]
			for i = 1, 65535 do collider:setMaterialName("n" .. i) end
			print(collider:getMaterialName(), pcall(collider.setMaterialName, collider, "one more"))
			collider:setMaterialName "n7"
			print(collider:getMaterialName())
		]])
		lu.assertEquals(support.shell(support.quote(support.host) .. " --quiet " .. support.quote(path)),
			"n65535\tfalse\tsetMaterialName: there must be at most 65535 names of materials\nn7\n")
		os.remove(path)
	end
end
