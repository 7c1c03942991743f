-- Mechanisms of several joints, in both dimensions: closed loops keep their geometry, joints yield to side loads by their law, bodies on arms far longer than
-- themselves and joints that contradict each other gain no energy and come to rest.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local planes, suite = support.planes, support.suite

local G, SLOP = 10, 0.005

local function yield_of(acceleration, hertz) return acceleration / (2 * math.pi * hertz) ^ 2 end

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestMechanisms = suite("TestMechanisms", dim)

	-- A world whose bodies do not collide.
	local function new_world(options)
		options = options or {}
		options.gravity, options.layers, options.collide = { 0, -(options.g or G) }, { "part" }, { part = {} }
		options.g = nil
		return d.newWorld(options)
	end

	local function new_bar(world, x1, y1, x2, y2)
		return world:newBody { x = (x1 + x2) / 2, y = (y1 + y2) / 2, angle = collide.atan2(y2 - y1, x2 - x1), mass = 1,
			shape = d.box(math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2), 0.1) }
	end

	local function widest(joints)
		local most = 0
		for _, joint in ipairs(joints) do
			local ax, ay = joint:getAnchorA()
			local bx, by = joint:getAnchorB()
			most = math.max(most, math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2))
		end
		return most
	end

	local function energy(bodies, g)
		local sum = 0
		for _, body in ipairs(bodies) do sum = sum + body:getKineticEnergy() + body:getMass() * g * select(2, body:getPosition()) end
		return sum
	end

	-- --- Loops ----------------------------------------------------------------------------------------------------------------

	-- A crank of 1 m, pinned at (0, 0), turns a rocker about (4, 0). The ends of both are as far apart as the coupler is long, up to the gaps of two hinges.
	function TestMechanisms.test_a_four_bar_linkage()
		local world = new_world { sleeping = false }
		local crank, coupler, rocker = new_bar(world, 0, 0, 0, 1), new_bar(world, 0, 1, 3.5, 2.6), new_bar(world, 4, 0, 3.5, 2.6)
		local drive = world:newRevoluteJoint { bodyB = crank, x = 0, y = 0, motorSpeed = 5, maxMotorTorque = 1000 }
		local swing = world:newRevoluteJoint { bodyB = rocker, x = 4, y = 0 }
		local joints = { drive, swing, world:newRevoluteJoint { bodyA = crank, bodyB = coupler, x = 0, y = 1 },
			world:newRevoluteJoint { bodyA = coupler, bodyB = rocker, x = 3.5, y = 2.6 } }
		local length, arm, start = math.sqrt(3.5 ^ 2 + 1.6 ^ 2), math.sqrt(0.5 ^ 2 + 2.6 ^ 2), collide.atan2(2.6, -0.5)
		support.steps(world, 30)
		for _ = 1, 300 do
			world:step(1 / 60)
			local gap, a, b = widest(joints), math.pi / 2 + drive:getAngle(), start + swing:getAngle()
			lu.assertTrue(gap < SLOP, gap)
			local x, y = 4 + arm * math.cos(b) - math.cos(a), arm * math.sin(b) - math.sin(a)
			lu.assertAlmostEquals(math.sqrt(x * x + y * y), length, 4 * gap)
		end
		lu.assertAlmostEquals(drive:getAngle(), 5 * 5.5, 0.1)
	end

	-- Four storeys of crossed bars of 4 m on a fixed and a sliding foot, w apart, lift a platform to 4 sqrt(16 - w^2). On each storey the gaps of both
	-- bars at three hinges add to it, those along x by their part w / h.
	function TestMechanisms.test_a_scissor_lift()
		local world, joints, storeys, w = new_world { sleeping = false, substeps = 8, jointHertz = 120 }, {}, 4, 3
		local h = math.sqrt(16 - w * w)
		local function pin(a, b, x, y) joints[#joints + 1] = world:newRevoluteJoint { bodyA = a, bodyB = b, x = x, y = y } end
		local function shoe(y) return world:newBody { x = w, y = y, mass = 1, shape = d.box(0.2, 0.2) } end
		local foot = shoe(0)
		local slide = world:newPrismaticJoint { bodyB = foot, x = w, y = 0, axis = { 1, 0 }, motorSpeed = 0, maxMotorForce = 5000 }
		local left, right
		for i = 0, storeys - 1 do
			local up, down = new_bar(world, 0, i * h, w, i * h + h), new_bar(world, 0, i * h + h, w, i * h)
			pin(left, up, 0, i * h)
			pin(right or foot, down, w, i * h)
			pin(up, down, w / 2, i * h + h / 2)
			left, right = down, up
		end
		local platform, runner = world:newBody { x = w / 2, y = storeys * h, mass = 1, shape = d.box(w, 0.2) }, shoe(storeys * h)
		pin(left, platform, 0, storeys * h)
		pin(right, runner, w, storeys * h)
		world:newPrismaticJoint { bodyA = platform, bodyB = runner, x = w, y = storeys * h, axis = { 1, 0 } }
		for t = 1, 240 do
			slide:setMotor(-0.4 * math.sin(2 * math.pi * t / 240), 5000)
			world:step(1 / 60)
			local gap = widest(joints)
			lu.assertTrue(gap < SLOP, gap)
			local x, y = foot:getPosition(), select(2, platform:getPosition())
			local height = math.sqrt(16 - x * x)
			lu.assertAlmostEquals(y, storeys * height, 6 * storeys * (1 + x / height) * gap)
			lu.assertAlmostEquals(platform:getAngle(), 0, 8 * gap / w + 1e-3)
		end
	end

	-- --- Side loads -----------------------------------------------------------------------------------------------------------

	-- A slider that glides at 2 m/s under a hundred times its weight at an arm of 1 m, and a spinning wheel under as much beside its suspension: locks yield by
	-- F / (m w^2) and tau / (I w^2), and what is free stays free.
	function TestMechanisms.test_side_loads()
		local world = new_world { g = 0, sleeping = false }
		local slider = world:newBody { shape = d.box(1, 0.4), mass = 1, linearVelocity = { 2, 0 } }
		local wheel = world:newBody { x = 20, shape = d.circle(0.5), mass = 1, angularVelocity = 10 }
		world:newPrismaticJoint { bodyB = slider, x = 0, y = 0, axis = { 1, 0 } }
		local joint = world:newWheelJoint { bodyB = wheel, x = 20, y = 0, axis = { 0, 1 }, suspensionHertz = 4, suspensionDampingRatio = 0.7 }
		for _ = 1, 120 do
			local x, y = slider:getWorldPoint(1, 0)
			slider:applyForce(0, -1000, x, y)
			wheel:applyForce(1000, -100)
			world:step(1 / 60)
		end
		local x, y = slider:getPosition()
		lu.assertAlmostEquals(y, -yield_of(1000, 60), 0.01 * yield_of(1000, 60))
		lu.assertAlmostEquals(slider:getAngle(), -yield_of(1000 / slider:getInertia(), 60), 0.01 * yield_of(1000 / slider:getInertia(), 60))
		lu.assertAlmostEquals(x, 4, 1e-3)
		lu.assertAlmostEquals(wheel:getPosition() - 20, yield_of(1000, 60), 0.01 * yield_of(1000, 60))
		lu.assertAlmostEquals(joint:getTranslation(), -yield_of(100, 4), 0.01 * yield_of(100, 4))
		lu.assertAlmostEquals(joint:getSpinSpeed(), 10, 1e-3)
	end

	-- --- Arms far longer than their bodies ------------------------------------------------------------------------------------

	-- A ball of a radius of 0.05.
	local function tiny(world, x, y, damping)
		return world:newBody { x = x, y = y, shape = d.circle(0.05), mass = 0.01, linearDamping = damping, angularDamping = damping }
	end
	-- Joints of a ball at (arm, 0) with its anchor at the origin.
	local far = { { "Revolute", { x = 0, y = 0 } }, { "Weld", { x = 0, y = 0 } }, { "Distance", { pointA = { 0, 1 }, pointB = { 0, 0 } } },
		{ "Distance", { pointA = { 0, 1 }, pointB = { 0, 0 }, maxLength = 1 } }, { "Revolute", { x = 0, y = 0 }, pair = true } }

	-- Returns the ball; of a pair, also another one that is pinned to it at (10, 0), below.
	local function new_far(world, case, arm, damping)
		local ball, options = tiny(world, arm, 0, damping), {}
		for key, value in pairs(case[2]) do options[key] = value end
		options.bodyB = ball
		world["new" .. case[1] .. "Joint"](world, options)
		if not case.pair then return { ball } end
		local other = tiny(world, 10, -arm, damping)
		world:newRevoluteJoint { bodyA = ball, bodyB = other, x = 10, y = 0 }
		return { ball, other }
	end

	-- Without damping the energy never grows by more than a hundredth of m g arm; with it, all comes to rest. A rod, a rope and two pins got 1 to 700 times
	-- m g arm.
	function TestMechanisms.test_far_anchors_gain_no_energy()
		for i, case in ipairs(far) do
			for _, arm in ipairs { 20, 26, 30 } do
				local world = new_world { sleeping = false }
				local bodies = new_far(world, case, arm, 0)
				local start, scale = energy(bodies, G), 0.01 * G * arm
				for t = 1, 600 do
					world:step(1 / 60)
					local gained = energy(bodies, G) - start
					lu.assertTrue(gained < 1e-2 * scale, ("case %d, %d m: %g of m g arm after %d steps"):format(i, arm, gained / scale, t))
				end
			end
			local world = new_world()
			new_far(world, case, 20, 2)
			for _ = 1, 1800 do
				world:step(1 / 60)
				if world:getAwakeCount() == 0 then break end
			end
			lu.assertEquals(world:getAwakeCount(), 0, i)
		end
	end

	-- A ball on an arm of 20 m swings with 2 pi sqrt(arm / g) (1 + A^2 / 16), A = 0.1, up to half of the thousandth of m arm^2 that the solver adds.
	function TestMechanisms.test_a_far_pendulums_period()
		local world, arm = new_world { sleeping = false }, 20
		local ball = tiny(world, arm * math.sin(0.1), -arm * math.cos(0.1), 0)
		world:newRevoluteJoint { bodyB = ball, x = 0, y = 0 }
		local before, crossings = ball:getPosition(), {}
		for t = 1, 1200 do
			world:step(1 / 60)
			local now = ball:getPosition()
			if (now > 0) ~= (before > 0) then crossings[#crossings + 1] = (t - now / (now - before)) / 60 end
			before = now
		end
		local period, expected = crossings[3] - crossings[1], 2 * math.pi * math.sqrt(arm / G) * (1 + 0.01 / 16)
		lu.assertTrue(period > expected and period < 1.001 * expected, period / expected)
	end

	-- A body has its own inertia again when a joint with a far anchor is disabled, or destroyed; joints that do not act at their anchors never change it.
	function TestMechanisms.test_far_anchors_leave_no_trace()
		local world = new_world { g = 0, sleeping = false }
		local function rate(change)
			local ball = tiny(world, 20, 0, 0)
			local joint = change(ball)
			if joint then joint:setEnabled(false) end
			ball:applyTorque(1e-3)
			world:step(1 / 60)
			return ball:getAngularVelocity()
		end
		local expected = rate(function() end)
		lu.assertEquals(rate(function(ball) world:newRevoluteJoint { bodyB = ball, x = 0, y = 0 }:destroy() end), expected)
		lu.assertEquals(rate(function(ball) return world:newRevoluteJoint { bodyB = ball, x = 0, y = 0 } end), expected)
		lu.assertEquals(rate(function(ball)
			world:newRatchetJoint { bodyB = ball, x = 0, y = 0, toothAngle = 1 }
			world:newFilterJoint { bodyA = tiny(world, 0, 5, 0), bodyB = ball }
		end), expected)
	end

	-- --- Contradictions -------------------------------------------------------------------------------------------------------

	-- Two boxes, free or with one pinned to the world, joined twice where only one of both joints can hold. Their forces are equal and opposite, so nothing
	-- moves for ever: within 2 s all rests. Boxes that were welded twice, 0.5 m apart, turned for ever at 6 rad/s; Box2D's and Box3D's do.
	function TestMechanisms.test_contradicting_joints_of_two_bodies_settle()
		local cases = {
			{ "Weld", { x = 1, y = 0 }, "Weld", { pointA = { 1, 0.5 }, pointB = { 1, 0 } } },
			{ "Weld", { x = 1, y = 0 }, "Weld", { pointA = { 1, 0.1 }, pointB = { 1, 0 } } },
			{ "Revolute", { x = 1, y = 0 }, "Revolute", { pointA = { 1, 1 }, pointB = { 1, 0.1 } } },
			{ "Weld", { x = 1, y = 0 }, "Revolute", { pointA = { 1, 0.5 }, pointB = { 1, 0 } } },
			{ "Weld", { x = 1, y = 0 }, "Prismatic", { pointA = { 1, 0.5 }, pointB = { 1, 0 }, axis = { 1, 0 } } },
			{ "Distance", { pointA = { 0, 0 }, pointB = { 2, 0 }, length = 2 }, "Distance", { pointA = { 0, 0 }, pointB = { 2, 0 }, length = 2.5 } },
		}
		for _, rate in ipairs { 30, 60, 120 } do
			for i, case in ipairs(cases) do
				for _, pinned in ipairs { true, false } do
					local world = new_world { g = 0 }
					local a, b = world:newBody { shape = d.box(1, 0.5), mass = 1 }, world:newBody { x = 2, shape = d.box(1, 0.5), mass = 1 }
					if pinned then world:newRevoluteJoint { bodyB = a, x = 0, y = 0 } end
					for k = 1, 3, 2 do
						local options = { bodyA = a, bodyB = b }
						for key, value in pairs(case[k + 1]) do options[key] = value end
						world["new" .. case[k] .. "Joint"](world, options)
					end
					for _ = 1, 2 * rate do world:step(1 / rate) end
					lu.assertEquals(world:getAwakeCount(), 0, ("case %d at %d Hz: %g J"):format(i, rate, energy({ a, b }, 0)))
				end
			end
		end
	end

	-- Between two anchors of the world that are too far apart for two rods, or for a chain of two bars, bodies come to rest; rods that are not open by more
	-- than they can close yield alike.
	function TestMechanisms.test_chains_that_are_too_short_settle()
		for _, length in ipairs { 1, 1.4 } do
			local world = new_world()
			local ball = world:newBody { x = 1.5, shape = d.circle(0.3), mass = 1, linearDamping = 1 }
			for x = 0, 3, 3 do world:newDistanceJoint { bodyB = ball, pointA = { x, 0 }, pointB = { 1.5, 0 }, length = length } end
			local chain = new_world()
			local a, b = new_bar(chain, 0, 0, 1, 0), new_bar(chain, 2, 0, 3, 0)
			chain:newRevoluteJoint { bodyB = a, x = 0, y = 0 }
			chain:newRevoluteJoint { bodyB = b, x = 3, y = 0 }
			chain:newRevoluteJoint { bodyA = a, bodyB = b, pointA = { 1, 0 }, pointB = { 2, 0 } }
			support.steps(world, 600)
			support.steps(chain, 120)
			lu.assertEquals({ world:getAwakeCount(), chain:getAwakeCount() }, { 0, 0 }, length)
			lu.assertAlmostEquals((ball:getPosition()), 1.5, length == 1 and 0.5 or 1e-3)
		end
	end
end
