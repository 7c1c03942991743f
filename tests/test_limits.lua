-- Laws of impossible demands: joints that contradict each other, motors and contacts that would exceed the maximum speeds, impulses that overflow.
local lu, collide, support = require "luaunit", require "collide", require "support"
local wings, random_numbers, steps = support.wings, support.random_numbers, support.steps

TestLimits = {}

-- A velocity at the maximum may exceed it by a rounding error.
local ROUNDED = 1 + 1e-6

local function length(x, y, z) return math.sqrt(x * x + (y or 0) ^ 2 + (z or 0) ^ 2) end

for _, dim in ipairs { "d2", "d3" } do
	local d, wing, flat = collide[dim], wings[dim], dim == "d2"
	local vector = wing.vector

	local function test(name, f) TestLimits["test_" .. dim .. "_" .. name] = f end
	local function joint_of(world, options)
		return flat and world:newRevoluteJoint(options) or world:newSphericalJoint(options)
	end
	local function spin(body, w) if flat then body:setAngularVelocity(w) else body:setAngularVelocity(0, 0, w) end end
	local function mass_of(mass, inertia)
		if flat then return mass, 0, 0, inertia end
		return mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0
	end

	-- A pinned body that can only rotate has only its rotational energy: without gravity and springs it must not grow. The joint's matrix J M^-1 J^T has rank
	-- one in 2D, two in 3D.
	test("a_pinned_body_that_can_only_turn_does_not_spin_up", function()
		for _, make in ipairs {
			function(world) return world:newBody { x = 2, y = 1, shape = wing.cube(d, 1), locks = { x = true, y = true, z = not flat and true or nil } } end,
			function(world)
				local body = world:newBody { x = 2, y = 1, shape = wing.cube(d, 1) }
				body:setMassData(mass_of(0, 1))
				return body
			end,
		} do
			local number = random_numbers(5)
			for i = 1, 60 do
				local world = d.newWorld { gravity = vector(0, 0) }
				local wall, body = world:newBody { type = "static" }, make(world)
				local options = { bodyA = wall, bodyB = body, x = number(-3, 3), y = number(-3, 3) }
				if not flat then options.z = number(-3, 3) end
				joint_of(world, options)
				spin(body, 1)
				local most = 0
				steps(world, 60, function() most = math.max(most, length(body:getAngularVelocity())) end)
				lu.assertTrue(most <= 1 + 1e-5, ("pin %d: %g rad/s"):format(i, most))
			end
		end
	end)

	-- Neither by the getters nor by the displacement in a step; angular speed is also limited to a radian a sub-step, at any rate.
	test("no_motor_makes_a_body_faster_than_the_greatest_speeds", function()
		for _, rate in ipairs { 30, 60, 120 } do
			for _, limits in ipairs { { 400, 240 }, { 20, 1000 }, { 1000, 15 } } do
				local world = d.newWorld { maximumSpeed = limits[1], maximumAngularSpeed = limits[2] }
				local wall = world:newBody { type = "static" }
				local bar = world:newBody { x = 0.5, shape = flat and d.box(1, 0.4) or d.box(1, 0.4, 0.4) }
				world:newRevoluteJoint {
					bodyA = wall, bodyB = bar, anchorA = vector(0, 0), anchorB = vector(-0.5, 0), motorSpeed = 1e6, maxMotorTorque = 1e6,
				}
				local most_w = math.min(limits[2], 4 * math.max(rate, 60))
				for i = 1, 60 do
					local x, y = bar:getPosition()
					world:step(1 / rate)
					local x1, y1 = bar:getPosition()
					lu.assertTrue(length(bar:getLinearVelocity()) <= limits[1] * ROUNDED)
					lu.assertTrue(length(bar:getAngularVelocity()) <= most_w * ROUNDED)
					lu.assertTrue(length(x1 - x, y1 - y) <= limits[1] / rate * (1 + 1e-5), "as fast as it says")
				end
			end
		end
	end)

	-- A ball confined to x, on a frictionless plate that is inclined by 1e-6 and rises at 30 m/s, would have to move at 3e7 m/s.
	test("no_contact_makes_a_body_faster_than_the_greatest_speed", function()
		local world = d.newWorld { gravity = vector(0, 0) }
		world:newBody {
			type = "kinematic", shape = flat and d.box(10, 1) or d.box(10, 1, 10), friction = 0, linearVelocity = vector(0, 30),
			angle = flat and 1e-6 or nil, rotation = not flat and { 0, 0, 5e-7, 1 } or nil,
		}
		local ball = world:newBody { y = 1, shape = wing.ball(d, 0.5), friction = 0, locks = { y = true, z = not flat and true or nil } }
		local most = 0
		steps(world, 60, function() most = math.max(most, length(ball:getLinearVelocity())) end)
		lu.assertTrue(most > 100 and most <= 400 * ROUNDED, most)
	end)

	-- Kinematic bodies keep the velocity that is set.
	test("kinematic_bodies_have_no_greatest_speed", function()
		local world = d.newWorld { maximumSpeed = 1, maximumAngularSpeed = 1 }
		local body = world:newBody { type = "kinematic", shape = wing.cube(d, 1), linearVelocity = vector(30, 0) }
		spin(body, 5)
		local other = world:newBody { x = 50, shape = wing.cube(d, 1), linearVelocity = vector(30, 0) }
		steps(world, 60)
		lu.assertAlmostEquals((body:getPosition()), 30, 1e-4)
		lu.assertAlmostEquals(length(body:getAngularVelocity()), 5, 1e-5)
		lu.assertTrue(length(other:getLinearVelocity()) <= ROUNDED)
	end)

	test("the_greatest_angular_speed_is_a_setting", function()
		local world = d.newWorld {}
		lu.assertEquals(world:getMaximumAngularSpeed(), 240)
		world:setMaximumAngularSpeed(7)
		lu.assertEquals(world:getMaximumAngularSpeed(), 7)
		lu.assertErrorMsgContains("setMaximumAngularSpeed: speed must be > 0, got 0", world.setMaximumAngularSpeed, world, 0)
		lu.assertErrorMsgContains("newWorld: maximumAngularSpeed must be > 0, got -1", d.newWorld, { maximumAngularSpeed = -1 })
		local body = world:newBody { shape = wing.cube(d, 1) }
		spin(body, 50)
		steps(world, 1)
		lu.assertAlmostEquals(length(body:getAngularVelocity()), 7, 1e-5)
	end)

	-- Impulses of such masses overflow. Overflowed ones are dropped: getters never return NaN or infinity, and bodies with less mass fall again.
	test("impulses_that_overflow_do_not_stay", function()
		for _, mass in ipairs { 1e22, 1e25 } do
			local world = d.newWorld {}
			local bodies = {}
			for i = 1, 2 do
				bodies[i] = world:newBody { x = 3 * i, shape = wing.cube(d, 1) }
				bodies[i]:setMassData(mass_of(mass, mass))
			end
			local joint = joint_of(world, { bodyA = bodies[1], bodyB = bodies[2], anchorA = vector(100, 0), anchorB = vector(-100, 7) })
			local function told()
				local sum = length(joint:getReactionForce())
				lu.assertTrue(sum == sum and sum < math.huge)
			end
			steps(world, 60, told)
			for _, body in ipairs(bodies) do body:setMassData(mass_of(1, 1)) end
			steps(world, 600, told)
			local _, before = bodies[1]:getPosition()
			steps(world, 60, told)
			local _, after = bodies[1]:getPosition()
			lu.assertTrue(after < before - 5, ("falls from %g to %g"):format(before, after))
		end
	end)

	local function kinetic(bodies)
		local sum = 0
		for _, body in ipairs(bodies) do sum = sum + body:getKineticEnergy() end
		return sum
	end

	-- Two pins that demand two positions of the cube come to rest between both, at any rate.
	test("joints_that_contradict_each_other_settle", function()
		for _, rate in ipairs { 30, 60, 120 } do
			for _, mismatch in ipairs { 0.5, 1, 1.5, 2 } do
				local world = d.newWorld { gravity = vector(0, 0) }
				local wall, cube = world:newBody { type = "static" }, world:newBody { shape = wing.cube(d, 1) }
				for side = -1, 1, 2 do
					world:newRevoluteJoint {
						bodyA = wall, bodyB = cube, anchorA = vector(side * mismatch / 6, 0.5), anchorB = vector(side * mismatch * 2 / 3, 0),
					}
				end
				for _ = 1, 5 * rate do world:step(1 / rate) end
				lu.assertTrue(cube:getKineticEnergy() < 1e-6, ("%g J with %g m at %d Hz"):format(cube:getKineticEnergy(), mismatch, rate))
			end
		end
	end)

	-- Joints pull at 16 m/s at most: a cube of 1 kg in three or four contradicting joints is no faster than the sum of these.
	test("random_joints_gain_limited_energy", function()
		for seed = 1, 8 do
			local number = random_numbers(77 * seed + 1)
			local function place(reach) return flat and { number(-reach, reach), number(-reach, reach) } or { number(-reach, reach), number(-reach, reach), number(-reach, reach) } end
			local world = d.newWorld { gravity = vector(0, 0) }
			local bodies = {}
			for i = 1, 6 do bodies[i] = world:newBody { position = place(2), shape = wing.cube(d, 1) } end
			for i = 1, 10 do
				joint_of(world, { bodyA = bodies[i % 6 + 1], bodyB = bodies[(i + 1 + i % 4) % 6 + 1], anchorA = place(2), anchorB = place(2) })
			end
			local bound = 6 * 0.5 * (4 * 16) ^ 2
			steps(world, 300, function() lu.assertTrue(kinetic(bodies) < bound, kinetic(bodies)) end)
		end
	end)

	-- A load that swings from 0.5 rad on 4.5 m cannot be faster than sqrt(2 g l (1 - cos 0.5)) = 3.3 m/s, nor taut links of 0.5 m turn faster than twice that
	-- over their length. In Box2D at 30 Hz they whirl at 829 rad/s and the load falls to -17 m.
	test("links_under_three_hundred_times_their_weight_do_not_whirl", function()
		for _, rate in ipairs { 30, 60 } do
			local world, a = d.newWorld {}, 0.5
			local ux, uy, half = math.sin(a), -math.cos(a), a - math.pi / 2
			local function at(way, shape, mass)
				return world:newBody {
					x = way * ux, y = way * uy, angle = flat and half or nil,
					rotation = not flat and { 0, 0, math.sin(half / 2), math.cos(half / 2) } or nil, shape = shape, mass = mass,
				}
			end
			local previous, links = world:newBody { type = "static" }, {}
			local link = flat and d.box(0.45, 0.1) or d.box(0.45, 0.1, 0.1)
			for i = 1, 9 do
				local body = i < 9 and at(0.5 * i - 0.25, link, 1) or at(4.5, wing.cube(d, 1), 300)
				joint_of(world, {
					bodyA = previous, bodyB = body, anchorA = vector(i > 1 and 0.25 or 0, 0), anchorB = vector(i < 9 and -0.25 or -0.5, 0),
				})
				previous, links[i] = body, body
			end
			local spin_most, low = 0, 0
			for _ = 1, 5 * rate do
				world:step(1 / rate)
				for i = 1, 9 do spin_most = math.max(spin_most, length(links[i]:getAngularVelocity())) end
				low = math.min(low, select(2, previous:getPosition()))
			end
			lu.assertTrue(spin_most < 2 * 3.3 / 0.5, ("%g rad/s at %d Hz"):format(spin_most, rate))
			lu.assertTrue(low > -8, low)
		end
	end)
end

-- A body's mass is computed when it is first read: adding a collider costs the same however many there are, and the result is the same.
for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	local function shape_at(d, x, y) return dim == "d2" and d.box(1, 2, { x = x, y = y }) or d.box(1, 2, 1, { x = x, y = y }) end

	TestLimits["test_" .. dim .. "_colliders_added_one_by_one_give_the_same_mass"] = function()
		local world = d.newWorld {}
		local function body_of(grows)
			local list = {}
			for i = 1, 5 do list[i] = { shape = shape_at(d, i * i, -i), density = i } end
			local body = world:newBody { linearVelocity = wing.vector(1, 2), shapes = not grows and list or nil }
			if dim == "d2" then body:setAngularVelocity(3) else body:setAngularVelocity(0, 0, 3) end
			if grows then
				for i = 5, 1, -1 do body:newCollider(list[i].shape, { density = i }) end
			end
			return body
		end
		-- A separate body for each getter: the first one computes the mass.
		for name, get in pairs {
			mass = function(body) return body:getMass() end,
			inertia = function(body) return body:getInertia() end,
			center = function(body) return body:getCenter() end,
		} do
			local once, grown = { get(body_of(false)) }, { get(body_of(true)) }
			for i = 1, #once do lu.assertAlmostEquals(grown[i], once[i], 1e-5 * math.max(1, math.abs(once[i])), name .. i) end
		end
		-- When the centre of mass moves, every point keeps its velocity: v + w x r with the body's origin at the origin.
		local grown = body_of(true)
		local x, y = grown:getPosition()
		lu.assertAlmostEquals(length(x, y), 0, 1e-5)
		local cx, cy = grown:getCenter()
		local vx, vy = grown:getLinearVelocity()
		lu.assertAlmostEquals(length(vx - (1 - 3 * cy), vy - (2 + 3 * cx)), 0, 1e-4)
	end

	TestLimits["test_" .. dim .. "_colliders_cost_the_same_however_many_there_are"] = function()
		local world = d.newWorld {}
		local body, shape, start = world:newBody {}, wing.cube(d, 1), os.clock()
		for _ = 1, 20000 do body:newCollider(shape) end
		lu.assertEquals(body:getMass(), 20000)
		lu.assertTrue(os.clock() - start < 4, "20,000 colliders in less than 4 s; each looking at all takes 20 s and more")
	end
end
