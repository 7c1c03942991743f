-- The softness of what joints hold together: jointHertz and jointDampingRatio, of worlds and of joints.
-- A force F opens a joint by F / (m w^2), m the effective mass of its bodies and w = 2 pi jointHertz: at rest, what the soft solution adds to the impulse
-- equals what it lets go. test_joint_table.lua has that law for each type.
local lu, support = require "luaunit", require "support"
local planes, suite = support.planes, support.suite

local DT, G = 1 / 60, 10

local function sag_of(acceleration, hertz) return acceleration / (2 * math.pi * hertz) ^ 2 end

local function steps(world, count)
	for _ = 1, count do world:step(DT) end
end

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestJointSoftness = suite("TestJointSoftness", dim)

	-- A body that the joint holds to the world by its centre of mass, with the sag of g / w^2.
	local function new_hung(name, options, settings)
		settings = settings or {}
		settings.gravity = { 0, -G }
		local world = d.newWorld(settings)
		local body = world:newBody { shape = d.circle(0.3) }
		options.bodyB = body
		if not options.pointA then options.x, options.y = 0, 0 end
		return world, world["new" .. name .. "Joint"](world, options), body
	end

	-- Ten links of 1 kg under 100 kg. each: the options of a joint, by its number.
	local function new_chain(settings, each, mass)
		settings.gravity, settings.sleeping = { 0, -G }, false
		local world, joints, bodies, before = d.newWorld(settings), {}, {}, nil
		for i = 1, 11 do
			local last = i == 11
			local body = world:newBody { y = last and -10.5 or 0.5 - i, shape = last and d.circle(0.5) or d.box(0.2, 1), mass = last and mass or 1 }
			local options = each and each(i) or {}
			options.bodyA, options.bodyB, options.x, options.y = before, body, 0, 1 - i
			joints[i], bodies[i], before = world:newRevoluteJoint(options), body, body
		end
		return world, joints, bodies
	end

	local function gap_of(joint)
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
	end

	-- Two links of 1 kg have an effective mass of 0.5 kg; the joint between the fifth and the sixth bears 105 kg. The inertia that heavy loads add raises the sag.
	function TestJointSoftness.test_a_loaded_chain_stretches_by_the_law()
		for _, hertz in ipairs { 60, 120, 240 } do
			local world, joints = new_chain({ substeps = 16, jointHertz = hertz }, nil, 100)
			steps(world, 180)
			local expected = sag_of(105 * G / 0.5, hertz)
			lu.assertAlmostEquals(gap_of(joints[6]), expected, 0.05 * expected, hertz)
		end
	end

	-- One joint of a chain is as soft as it says, and the others as the world says; if all say the same as the world, so do the bits.
	function TestJointSoftness.test_joints_of_their_own()
		local world, joints = new_chain({}, function(i) return { jointHertz = i == 6 and 30 or nil } end, 10)
		steps(world, 180)
		lu.assertAlmostEquals(gap_of(joints[6]), sag_of(15 * G / 0.5, 30), 0.05 * sag_of(15 * G / 0.5, 30))
		lu.assertAlmostEquals(gap_of(joints[5]), sag_of(16 * G / 0.5, 60), 0.05 * sag_of(16 * G / 0.5, 60))
		local hashes = {}
		for i, own in ipairs { false, true, false } do
			local softness = { jointHertz = 45, jointDampingRatio = 3 }
			world, joints = new_chain(own and {} or softness, function() return own and { jointHertz = 45, jointDampingRatio = 3 } or nil end, 20)
			if i == 3 then -- one with a softness that is taken from it, and one that is destroyed
				joints[2]:setJointHertz(10)
				joints[2]:setJointHertz(nil)
				joints[11]:setJointHertz(7)
			end
			joints[11]:destroy()
			steps(world, 30)
			hashes[i] = world:hash()
			world:validate()
		end
		lu.assertEquals(hashes[2], hashes[1])
		lu.assertEquals(hashes[3], hashes[1])
	end

	-- The frequency is at most a quarter of the rate of the sub-steps: 60 Hz in four of 1/240 s.
	function TestJointSoftness.test_the_rate_of_the_substeps_limits_the_frequency()
		local hashes = {}
		for i, options in ipairs { {}, { jointHertz = 1e9 }, { jointHertz = 60, jointDampingRatio = 2 } } do
			local world = new_chain(options, nil, 20)
			steps(world, 30)
			hashes[i] = world:hash()
		end
		lu.assertEquals(hashes, { hashes[1], hashes[1], hashes[1] })
		local world = d.newWorld()
		lu.assertEquals({ world:getJointHertz(), world:getJointDampingRatio() }, { 60, 2 })
	end

	-- No softness lets a chain that is pushed gain energy.
	function TestJointSoftness.test_chains_of_any_softness_gain_no_energy()
		for _, mass in ipairs { 1, 100 } do
			for _, dt in ipairs { 1 / 30, 1 / 240 } do
				for _, substeps in ipairs { 1, 8 } do
					for _, softness in ipairs { { 1, 0 }, { 60, 0 }, { 1e9, 0 }, { 1e9, 2 }, { 1e9, 10 }, { 1e-6, 1e6 } } do
						local world, _, bodies = new_chain({ substeps = substeps, jointHertz = softness[1], jointDampingRatio = softness[2] }, nil, mass)
						local most, first = 0, nil
						bodies[5]:applyImpulse(1, 0)
						for _ = 1, 60 do
							world:step(dt)
							local energy = 0
							for _, body in ipairs(bodies) do
								energy = energy + body:getKineticEnergy() + body:getMass() * G * select(2, body:getPosition())
							end
							first = first or energy
							most = math.max(most, energy - first)
						end
						-- The push gives up to half a joule. At rest, sagging joints oscillate by less.
						lu.assertTrue(most < 0.5, ("%g kg, 1/%g s, %d sub-steps, %g Hz, %g: %g J"):format(mass, 1 / dt, substeps, softness[1], softness[2], most))
					end
				end
			end
		end
	end

	function TestJointSoftness.test_errors()
		local world, joint = new_hung("Revolute", { jointHertz = 30 })
		local function raises(message, f, ...) lu.assertErrorMsgContains(message, f, ...) end
		lu.assertEquals({ joint:getJointHertz(), joint:getJointDampingRatio() }, { 30, nil })
		joint:setJointDampingRatio(0)
		lu.assertEquals({ joint:getJointHertz(), joint:getJointDampingRatio() }, { 30, 0 })
		raises("setJointHertz: hertz must be > 0, got 0", joint.setJointHertz, joint, 0)
		raises("setJointDampingRatio: dampingRatio must be >= 0, got -1", joint.setJointDampingRatio, joint, -1)
		raises("setJointHertz: hertz must be", joint.setJointHertz, joint, "60")
		raises("setJointHertz: hertz must be > 0, got 0", world.setJointHertz, world, 0)
		raises("newWorld: jointHertz must be > 0, got -1", d.newWorld, { jointHertz = -1 })
		raises("newWorld: jointDampingRatio must be >= 0", d.newWorld, { jointDampingRatio = -1 })
		raises("newRevoluteJoint: jointHertz must be > 0, got 0", function() new_hung("Revolute", { jointHertz = 0 }) end)
		raises("newFrictionJoint: unknown key 'jointHertz'", function() new_hung("Friction", { jointHertz = 1 }) end)
		local _, friction = new_hung("Friction", { maxForce = 1 })
		raises("getJointHertz: a friction joint has no such method", friction.getJointHertz, friction)
		raises("setJointDampingRatio: a friction joint has no such method", friction.setJointDampingRatio, friction, 1)
		lu.assertEquals(joint:getJointHertz(), 30)
		local errors, tried = {}, nil
		world:setFilter(function()
			for _, f in ipairs { joint.setJointHertz, joint.setJointDampingRatio } do errors[#errors + 1] = select(2, pcall(f, joint, 1)) end
			tried = select(2, pcall(world.setJointHertz, world, 1))
			return true
		end)
		world:newBody { shape = d.circle(0.3) }
		world:step(DT)
		for i = 1, 2 do lu.assertStrContains(errors[i], "world is locked") end
		lu.assertStrContains(tried, "world is locked")
		joint:destroy()
		raises("getJointHertz: joint is destroyed", joint.getJointHertz, joint)
		world:validate()
	end
end
