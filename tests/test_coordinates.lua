-- The coordinates of joints, by their laws, in both dimensions: springs keep or lose their amplitude as the equation of motion says, at any rate; angles count
-- turns, and so do limits; a position motor arrives without exceeding its speed or its force.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestCoordinates = suite("TestCoordinates", dim)

	-- A disc that turns about its centre on a joint to the world.
	local function new_wheel(options, settings)
		settings = settings or {}
		settings.gravity, settings.sleeping = { 0, 0 }, false
		local world = d.newWorld(settings)
		local wheel = world:newBody { shape = d.circle(0.5) }
		options.bodyA, options.bodyB, options.x, options.y = world:newBody { type = "static" }, wheel, 0, 0
		return world, world:newRevoluteJoint(options), wheel
	end

	-- An undamped spring of any frequency within reach of the steps keeps its amplitude, and has the frequency of its scheme, Newmark's method:
	-- tan(a / 2) = w h / 2 with the angle a of a sub-step.
	function TestCoordinates.test_undamped_springs_swing_on()
		for _, substeps in ipairs { 1, 4 } do for _, hertz in ipairs { 1, 5, 15 } do
			local world, joint, wheel = new_wheel({ hertz = hertz, dampingRatio = 0 }, { substeps = substeps })
			wheel:setAngle(0.5)
			local h, most, before, first, last, crossings = 1 / 60 / substeps, 0, 0.5, nil, nil, 0
			for tick = 1, 600 do
				world:step(1 / 60)
				local now = joint:getAngle()
				if before > 0 and now <= 0 then
					last, crossings = tick - 1 + before / (before - now), crossings + 1
					first = first or last
				end
				if tick > 540 then most = math.max(most, math.abs(now)) end
				before = now
			end
			local what = ("%d sub-steps, %g Hz: "):format(substeps, hertz)
			lu.assertTrue(most > 0.45, what .. most)
			local scheme = 2 * math.atan(math.pi * hertz * h) / (2 * math.pi * h)
			local frequency = (crossings - 1) / (last - first) * 60
			lu.assertTrue(math.abs(frequency - scheme) < 0.01 * scheme, ("%s%g Hz, not %g"):format(what, frequency, scheme))
		end end
	end

	-- The energy of a damped one falls by exp(-2 z w t). Its amplitude is sqrt(x^2 + ((v + z w x) / w_d)^2); the mean over a period evens out that positions
	-- are half a sub-step ahead of velocities.
	function TestCoordinates.test_damped_springs_decay()
		for _, case in ipairs { { 1, 0.05 }, { 1, 0.3 }, { 5, 0.02 }, { 5, 0.1 }, { 15, 0.02 } } do
			local hertz, ratio = case[1], case[2]
			local w = 2 * math.pi * hertz
			local world, joint, wheel = new_wheel { hertz = hertz, dampingRatio = ratio }
			wheel:setAngle(0.5)
			local function amplitude()
				local sum, period = 0, math.floor(60 / hertz + 0.5)
				for _ = 1, period do
					world:step(1 / 60)
					local x, v = joint:getAngle(), joint:getSpeed()
					sum = sum + math.log(math.sqrt(x ^ 2 + ((v + ratio * w * x) / (w * math.sqrt(1 - ratio ^ 2))) ^ 2))
				end
				return sum / period, period
			end
			local first, period = amplitude()
			local between = period * math.max(1, math.floor(60 / (ratio * w) / period))
			for _ = 1, between do world:step(1 / 60) end
			local rate = (first - amplitude()) / ((between + period) / 60)
			lu.assertTrue(math.abs(rate - ratio * w) < 0.02 * ratio * w, ("%g Hz, %g: %g, not %g"):format(hertz, ratio, rate, ratio * w))
		end
	end

	-- At rest a spring yields to a torque by torque / (I w^2), whatever its damping, up to the square of the angle that it swings in a sub-step.
	function TestCoordinates.test_springs_yield()
		for _, hertz in ipairs { 1, 5, 15 } do for _, ratio in ipairs { 0.3, 1, 5 } do
			local world, joint, wheel = new_wheel { hertz = hertz, dampingRatio = ratio, targetAngle = 0.2 }
			local w, h = 2 * math.pi * hertz, 1 / 240
			for _ = 1, 1200 do
				wheel:applyTorque(0.1 * wheel:getInertia() * w ^ 2)
				world:step(1 / 60)
			end
			lu.assertAlmostEquals(joint:getAngle() - 0.2, 0.1, 0.1 * (w * h) ^ 2 / 4 + 1e-4)
		end end
	end

	-- Frequencies far above the rate of the sub-steps, alone and several on a body: the amplitude never grows, and with damping all comes to rest.
	function TestCoordinates.test_stiff_springs_are_stable()
		for _, hertz in ipairs { 60, 240, 1000, 1e6 } do for _, ratio in ipairs { 0, 0.5, 1, 20 } do for _, count in ipairs { 1, 6 } do
			local world, joint, wheel = new_wheel { hertz = hertz, dampingRatio = ratio }
			for _ = 2, count do
				world:newRevoluteJoint { bodyA = joint:getBodyA(), bodyB = wheel, x = 0, y = 0, hertz = hertz, dampingRatio = ratio }
			end
			wheel:setAngle(0.5)
			-- A swing that begins between two positions is longer than the first of these, by less than sqrt 2.
			local most, later = 0, 0
			for tick = 1, 120 do
				world:step(1 / 60)
				local angle = math.abs(joint:getAngle())
				if tick <= 60 then most = math.max(most, angle) else later = math.max(later, angle) end
			end
			lu.assertTrue(most < 0.5 * math.sqrt(2) and later < most * 1.001)
			lu.assertTrue(ratio == 0 or math.abs(joint:getAngle()) < 0.01, ("%g Hz, %g, %d: %g"):format(hertz, ratio, count, joint:getAngle()))
		end end end
	end

	function TestCoordinates.test_angles_count_turns()
		local world, joint, wheel = new_wheel {}
		wheel:setAngularVelocity(20)
		for tick = 1, 300 do
			world:step(1 / 60)
			lu.assertAlmostEquals(joint:getAngle(), tick / 3, 1e-3)
		end
		wheel:setAngularVelocity(-30)
		for _ = 1, 300 do world:step(1 / 60) end
		lu.assertAlmostEquals(joint:getAngle(), -50, 1e-3)
		-- A pose that the script sets is at most half a turn away.
		wheel:setAngle(wheel:getAngle() + 3)
		lu.assertAlmostEquals(joint:getAngle(), -47, 1e-3)
	end

	function TestCoordinates.test_limits_may_be_many_turns_away()
		local world, joint, wheel = new_wheel { lowerAngle = -20, upperAngle = 50 }
		for _, way in ipairs { 1, -1, 1 } do
			for _ = 1, 600 do
				wheel:applyTorque(way * wheel:getInertia() * 10)
				world:step(1 / 60)
				lu.assertTrue(joint:getAngle() < 50.2 and joint:getAngle() > -20.2)
			end
			lu.assertAlmostEquals(joint:getAngle(), way > 0 and 50 or -20, 0.02)
		end
	end

	-- A spring pulls to a target three turns away.
	function TestCoordinates.test_targets_may_be_many_turns_away()
		local world, joint = new_wheel { hertz = 1, dampingRatio = 1, targetAngle = 6 * math.pi }
		local most = 0
		for _ = 1, 300 do
			world:step(1 / 60)
			most = math.max(most, joint:getAngle())
		end
		lu.assertAlmostEquals(joint:getAngle(), 6 * math.pi, 1e-3)
		lu.assertTrue(most < 6 * math.pi + 0.01, "a critically damped spring does not swing over")
	end

	-- It gets there in about the time that its speed and its force allow, does not swing over, and holds its place against less than its force.
	function TestCoordinates.test_position_motors()
		for _, case in ipairs { { 3, 5, 100 }, { -8, 2, 100 }, { 30, 40, 20 } } do
			local target, speed, acceleration = case[1], case[2], case[3]
			local world, joint, wheel = new_wheel {}
			local torque = acceleration * wheel:getInertia()
			joint:setMotor(speed, torque, target)
			lu.assertEquals({ joint:getMotor() }, { speed, select(2, joint:getMotor()), target })
			local arrived
			for tick = 1, 600 do
				world:step(1 / 60)
				lu.assertTrue(math.abs(joint:getSpeed()) < speed * 1.001)
				lu.assertTrue(joint:getAngle() / target < 1 + 1e-3, "it swings over")
				if not arrived and math.abs(joint:getAngle() - target) < 0.01 then arrived = tick / 60 end
			end
			lu.assertAlmostEquals(joint:getAngle(), target, 1e-4)
			-- Half of the force brakes: the shortest time, and that of braking from the speed, which decays at the end.
			local least = math.abs(target) / speed
			lu.assertTrue(arrived > least and arrived < least + 4 * math.min(speed, math.sqrt(acceleration * math.abs(target))) / acceleration + 0.5,
				("%g s"):format(arrived))
			for _ = 1, 60 do
				wheel:applyTorque(0.9 * torque)
				world:step(1 / 60)
			end
			lu.assertAlmostEquals(joint:getAngle(), target, 1e-3)
			for _ = 1, 60 do
				wheel:applyTorque(1.5 * torque)
				world:step(1 / 60)
			end
			lu.assertTrue(joint:getAngle() > target + 1, "more than its force turns it away")
			joint:setMotor(1, torque)
			lu.assertEquals(select("#", joint:getMotor()), 2)
		end
	end
end
