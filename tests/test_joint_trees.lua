-- Trees of joints, solved directly: jointSolver = "direct".
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite
local raises = lu.assertErrorMsgContains

local DT, G = 1 / 60, 10

local function gap_of(joint)
	local ax, ay, az = joint:getAnchorA()
	local bx, by, bz = joint:getAnchorB()
	return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2 + ((az or 0) - (bz or 0)) ^ 2)
end

local function widest(joints)
	local most = 0
	for _, joint in ipairs(joints) do most = math.max(most, gap_of(joint)) end
	return most
end

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestJointTrees = suite("TestJointTrees", dim)

	-- A level chain of links of 1 kg, 0.2 m long, held at the origin, with a ball of the mass at its end.
	local function new_chain(settings, links, mass)
		settings.gravity, settings.sleeping = { 0, -G }, false
		local world, joints, before = d.newWorld(settings), {}, nil
		for i = 1, links do
			local link = world:newBody { shape = d.capsule(-0.1, 0, 0.1, 0, 0.03), x = 0.2 * i - 0.1, mass = 1 }
			joints[i] = world:newRevoluteJoint { bodyA = before, bodyB = link, x = 0.2 * (i - 1), y = 0 }
			before = link
		end
		local ball = world:newBody { shape = d.circle(0.5), x = 0.2 * links, y = -0.6, mass = mass }
		joints[links + 1] = world:newRevoluteJoint { bodyA = before, bodyB = ball, x = 0.2 * links, y = 0 }
		return world, joints, ball
	end

	-- It swings down, and up again, with a tension of three times the weight. The bar is 1 % of the length; what is left is rounding of float positions.
	function TestJointTrees.test_a_chain_of_100_links_under_1000_times_their_mass_does_not_stretch()
		local world, joints, ball = new_chain({ jointSolver = "direct" }, 100, 1000)
		local worst, fastest = 0, 0
		for tick = 1, 300 do
			world:step(DT)
			if tick % 10 == 0 then
				local x, y = ball:getPosition()
				local vx, vy = ball:getLinearVelocity()
				worst, fastest = math.max(worst, widest(joints)), math.max(fastest, math.sqrt(vx * vx + vy * vy))
				lu.assertTrue(x * x + y * y < (20.6 * 1.001) ^ 2, tick)
			end
		end
		lu.assertTrue(worst < 1e-3, worst)
		lu.assertTrue(fastest > 15 and fastest < math.sqrt(2 * G * 20.6), fastest) -- of a point that falls as far
	end

	-- A random tree of boxes on joints of types with locks. fixed: the first one hangs on the world.
	local function new_tree(settings, count, seed, fixed)
		local world, number, bodies, joints = d.newWorld(settings), support.random_numbers(seed), {}, {}
		local function random() return number(0, 1) end
		for i = 1, count do
			local parent = bodies[math.ceil(random() * (i - 1))]
			local px, py = 0, 0
			if parent then px, py = parent:getPosition() end
			local body = world:newBody { shape = d.box(0.3, 0.3), x = px + random() - 0.5, y = py - 0.3 - random(), mass = 0.5 + 4 * random(), 
				linearVelocity = { random() - 0.5, random() - 0.5 } }
			local options = { bodyA = parent, bodyB = body, x = px + random() / 2, y = py - random() / 2 }
			bodies[i] = body
			if parent or fixed then
				local kind = math.floor(4 * random())
				if kind == 0 then
					joints[#joints + 1] = world:newWeldJoint(options)
				elseif kind == 1 then
					options.axis, options.lowerTranslation, options.upperTranslation = { 1, 0 }, -0.2, 0.2
					world:newPrismaticJoint(options)
				else
					if kind == 2 then options.lowerAngle, options.upperAngle = -1, 1 end
					joints[#joints + 1] = world:newRevoluteJoint(options)
				end
			end
		end
		return world, bodies, joints
	end

	-- Momentum about the origin and along both axes, all numbers of mass 1 to 50 kg and lengths of some metres. Each of the 480 sub-steps rounds velocities near
	-- 1 m/s by 2^-24.
	function TestJointTrees.test_free_trees_keep_their_momentum()
		local function momentum_of(bodies)
			local x, y, turn = 0, 0, 0
			for _, body in ipairs(bodies) do
				local m, px, py = body:getMass(), body:getPosition()
				local vx, vy = body:getLinearVelocity()
				local w = body:getAngularVelocity()
				local inertia = m * 0.3 ^ 2 / 6
				x, y, turn = x + m * vx, y + m * vy, turn + m * (px * vy - py * vx) + inertia * w
			end
			return x, y, turn
		end
		for seed = 1, 3 do
			local world, bodies = new_tree({ gravity = { 0, 0 }, jointSolver = "direct", sleeping = false, continuous = false, layers = { "a", "b" }, collide = { a = { "b" } } }, 20, seed)
			local x0, y0, turn0 = momentum_of(bodies)
			for _ = 1, 120 do world:step(DT) end
			local x1, y1, turn1 = momentum_of(bodies)
			lu.assertAlmostEquals(x1, x0, 1e-3)
			lu.assertAlmostEquals(y1, y0, 1e-3)
			lu.assertAlmostEquals(turn1, turn0, 0.02 * (1 + math.abs(turn0)), seed)
		end
	end

	-- Of trees that swing and strike each other, the joints of the direct solver are open by a tenth at most.
	function TestJointTrees.test_trees_hold_ten_times_as_well()
		local sums = {}
		for _, solver in ipairs { "iterative", "direct" } do
			local sum = 0
			for seed = 1, 4 do
				local world, _, joints = new_tree({ gravity = { 0, -G }, jointSolver = solver }, 15, seed, true)
				for tick = 1, 180 do
					world:step(DT)
					if tick % 6 == 0 then
						for _, joint in ipairs(joints) do sum = sum + gap_of(joint) end
					end
				end
			end
			sums[solver] = sum
		end
		lu.assertTrue(sums.direct < 0.1 * sums.iterative, sums.direct / sums.iterative)
	end

	-- Two bars on the world: without damping the energy stays, as no impulse does work.
	function TestJointTrees.test_a_double_pendulum_keeps_its_energy()
		local world = d.newWorld { gravity = { 0, -G }, jointSolver = "direct", sleeping = false }
		local bodies, before = {}, nil
		for i = 1, 2 do
			bodies[i] = world:newBody { shape = d.box(1, 0.2), x = i - 0.5, mass = 1 }
			world:newRevoluteJoint { bodyA = before, bodyB = bodies[i], x = i - 1, y = 0 }
			before = bodies[i]
		end
		local function energy()
			local sum = 0
			for _, body in ipairs(bodies) do
				local _, y = body:getPosition()
				local vx, vy = body:getLinearVelocity()
				local w = body:getAngularVelocity()
				sum = sum + G * y + 0.5 * (vx * vx + vy * vy) + 0.5 * (1 + 0.04) / 12 * w * w
			end
			return sum
		end
		local least, most = 0, 0
		for _ = 1, 600 do
			world:step(DT)
			local now = energy()
			least, most = math.min(least, now), math.max(most, now)
		end
		lu.assertTrue(least > -0.4 and most < 0.4, least .. " " .. most) -- of 15 J that swing to and fro
	end

	-- A ring that hangs on the world is a tree and one joint more, which is soft: together they are open by less than all soft joints.
	function TestJointTrees.test_rings_stay_closed()
		for _, count in ipairs { 3, 8 } do
			local sums = {}
			for _, solver in ipairs { "iterative", "direct" } do
				local world = d.newWorld { gravity = { 0, -G }, jointSolver = solver, sleeping = false }
				local bodies, joints, radius = {}, {}, 0.3 * count
				for i = 1, count do
					local angle = 2 * math.pi * i / count
					bodies[i] = world:newBody { shape = d.circle(0.5), x = radius * math.cos(angle), y = radius * math.sin(angle) }
				end
				for i = 1, count do
					local angle = 2 * math.pi * (i + 0.5) / count
					joints[i] = world:newRevoluteJoint { bodyA = bodies[i], bodyB = bodies[i % count + 1], x = radius * math.cos(angle),
						y = radius * math.sin(angle) }
				end
				joints[count + 1] = world:newRevoluteJoint { bodyB = bodies[1], x = radius, y = 0 }
				local sum = 0
				for _ = 1, 120 do
					world:step(DT)
					for _, joint in ipairs(joints) do sum = sum + gap_of(joint) end
				end
				sums[solver] = sum
			end
			lu.assertTrue(sums.direct < sums.iterative, sums.direct .. " " .. sums.iterative)
		end
	end

	-- Two hinges on one line to the world, and a body that is welded there twice: what one joint holds already needs nothing of the other.
	function TestJointTrees.test_joints_that_say_the_same_twice()
		local world = d.newWorld { gravity = { 0, -G }, jointSolver = "direct", sleeping = false }
		local body = world:newBody { shape = d.box(1, 1), mass = 10 }
		local joints = { world:newWeldJoint { bodyB = body, x = -0.5, y = 0, name = "one" }, world:newWeldJoint { bodyB = body, x = 0.5, y = 0 } }
		for _ = 1, 120 do
			world:step(DT)
			lu.assertTrue(widest(joints) < 1e-4, widest(joints))
		end
		local sum = 0
		for _, joint in ipairs(joints) do
			local fx, fy = joint:getReactionForce()
			sum = sum + fy
			lu.assertTrue(math.abs(fx) < 1, fx)
		end
		lu.assertAlmostEquals(sum, 10 * G, 0.1)
	end

	-- Welds of one body to two places: one of them cannot hold. Nothing moves for ever, and nothing flies away.
	function TestJointTrees.test_contradicting_joints()
		local world = d.newWorld { gravity = { 0, -G }, jointSolver = "direct" }
		local body = world:newBody { shape = d.box(1, 1), mass = 1 }
		world:newRevoluteJoint { bodyB = body, pointA = { 0, 0 }, pointB = { 0, 0 } }
		world:newRevoluteJoint { bodyB = body, pointA = { 0.3, 0 }, pointB = { 0.1, 0 } }
		for _ = 1, 600 do
			world:step(DT)
			local vx, vy = body:getLinearVelocity()
			lu.assertTrue(vx * vx + vy * vy < 4, vx .. " " .. vy)
		end
		local x, y = body:getPosition()
		lu.assertTrue(x * x + y * y < 0.1, x .. " " .. y)
	end

	-- Planks between two walls, with a twentieth of slack, sag and swing. Their energy never exceeds the first, and nothing moves faster than what falls by half
	-- the length. Where closing the joints took large moves, velocities solved for the poses before grew without end.
	function TestJointTrees.test_a_bridge_with_slack_gains_no_energy()
		for _, substeps in ipairs { 4, 16 } do
			local world, bodies, joints, before = d.newWorld { gravity = { 0, -G }, sleeping = false, jointSolver = "direct", substeps = substeps }, {}, {}, nil
			local count, length = 20, 0.5
			for i = 1, count do
				local plank = world:newBody { shape = d.box(length, 0.1), x = 0.95 * length * (i - 0.5), mass = 1 }
				joints[i] = world:newRevoluteJoint { bodyA = before, bodyB = plank, anchorA = before and { length / 2, 0 } or { 0, 0 }, anchorB = { -length / 2, 0 } }
				bodies[i], before = plank, plank
			end
			joints[count + 1] = world:newRevoluteJoint { bodyB = before, pointA = { 0.95 * length * count, 0 }, pointB = { 0.95 * length * count + 0.025 * length, 0 } }
			for _ = 1, 60 do world:step(DT) end -- to close the joints
			local function energy()
				local sum, fastest = 0, 0
				for _, body in ipairs(bodies) do
					local x, y = body:getLinearVelocity()
					sum, fastest = sum + body:getKineticEnergy() + G * select(2, body:getPosition()), math.max(fastest, x * x + y * y)
				end
				return sum, fastest
			end
			local first = energy()
			for tick = 1, 300 do
				world:step(DT)
				local now, fastest = energy()
				lu.assertTrue(now < first + 0.1, tick)
				lu.assertTrue(fastest < 2 * G * count * length / 2, tick)
			end
			lu.assertTrue(widest(joints) < 1e-3, widest(joints))
		end
	end

	-- A welded body whose rotation is locked, with another one on a slider: the locks depend on each other, so the weld is in no tree. Nothing but the slider moves,
	-- which falls to its limit.
	function TestJointTrees.test_locked_axes_gain_no_energy()
		local world = d.newWorld { gravity = { 0, -G }, sleeping = false, jointSolver = "direct" }
		local held = world:newBody { shape = d.box(0.3, 0.3), locks = dim == "d2" and { rotation = true } or { rotationX = true } }
		local slider = world:newBody { shape = d.box(0.3, 0.3), x = -0.2, y = -0.4 }
		world:newWeldJoint { bodyB = held, x = 0.06, y = 0.3 }
		local joint = world:newPrismaticJoint { bodyA = held, bodyB = slider, x = -0.1, y = -0.2, axis = { 0, 1 }, lowerTranslation = -0.3, upperTranslation = 0.3 }
		for tick = 1, 300 do
			world:step(DT)
			local x, y = slider:getLinearVelocity()
			lu.assertTrue(x * x + y * y < 2 * G * 0.3 * 1.05, tick)
		end
		lu.assertAlmostEquals(joint:getTranslation(), -0.3, 0.01)
	end

	-- A row of bodies on sliders whose limits hold them: the limits act on arms, and the locks counter them. It comes to rest, as with the iterative solver.
	function TestJointTrees.test_limits_of_sliders_come_to_rest()
		for _, upper in ipairs { 0, 0.05 } do
			local world, before = d.newWorld { gravity = { 0, -G }, jointSolver = "direct", sleeping = false }, nil
			for i = 1, 5 do
				local body = world:newBody { shape = d.box(0.8, 0.3), x = i - 0.5, mass = 1 }
				world:newPrismaticJoint { bodyA = before, bodyB = body, x = i - 1, y = 0, axis = { 0, 1 }, lowerTranslation = 0, upperTranslation = upper }
				before = body
			end
			for _ = 1, 300 do world:step(DT) end
			local vx, vy = before:getLinearVelocity()
			lu.assertTrue(vx * vx + vy * vy < 0.01 ^ 2, upper .. ": " .. vy)
		end
	end

	-- The bits depend neither on the number of workers nor on when the setting was made.
	function TestJointTrees.test_same_bits_for_any_number_of_workers()
		local function hash_of(workers)
			local world = new_tree({ gravity = { 0, -G }, workers = workers }, 40, 5, true)
			world:setJointSolver("direct")
			for _ = 1, 60 do world:step(DT) end
			return world:hash()
		end
		lu.assertEquals(hash_of(3), hash_of(1))
	end

	function TestJointTrees.test_the_setting_can_change_at_any_time()
		local world, joints = new_chain({}, 30, 100)
		for i = 1, 8 do
			world:setJointSolver(i % 2 == 0 and "direct" or "iterative")
			for _ = 1, 20 do world:step(DT) end
			if i % 2 == 0 then lu.assertTrue(widest(joints) < 0.01, widest(joints)) end
		end
		joints[10]:setEnabled(false)
		joints[20]:destroy()
		table.remove(joints, 20)
		table.remove(joints, 10)
		for _ = 1, 20 do world:step(DT) end
		lu.assertTrue(widest(joints) < 1e-3)
	end

	-- A joint with a softness of its own stays soft: it sags by g / w^2.
	function TestJointTrees.test_soft_joints_stay_soft()
		local world = d.newWorld { gravity = { 0, -G }, jointSolver = "direct", substeps = 16, sleeping = false }
		local body = world:newBody { shape = d.circle(0.3) }
		local joint = world:newRevoluteJoint { bodyB = body, x = 0, y = 0 }
		world:step(DT)
		lu.assertTrue(gap_of(joint) < 1e-5, gap_of(joint))
		joint:setJointHertz(20)
		joint:setJointDampingRatio(1)
		for _ = 1, 180 do world:step(DT) end
		local sag = G / (2 * math.pi * 20) ^ 2
		lu.assertAlmostEquals(gap_of(joint), sag, 0.05 * sag)
	end

	function TestJointTrees.test_errors()
		raises("newWorld: jointSolver must be \"iterative\" or \"direct\", got \"exact\"", d.newWorld, { jointSolver = "exact" })
		local world = d.newWorld {}
		lu.assertEquals(world:getJointSolver(), "iterative")
		raises("setJointSolver: solver must be \"iterative\" or \"direct\", got 1", function() world:setJointSolver(1) end)
		lu.assertEquals(world:getJointSolver(), "iterative")
	end
end
