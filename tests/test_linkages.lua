-- Jointed bodies that would pass through another: the whole linkage is moved, so that no joint opens.
local lu = require "luaunit"
local support = require "support"
local planes, suite = support.planes, support.suite

local SLOP = 0.005

for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]
	local TestLinkages = suite("TestLinkages", dim)

	local function gap(joint)
		local ax, ay = joint:getAnchorA()
		local bx, by = joint:getAnchorB()
		return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2)
	end

	-- A chain of eight links from (x, y) on, at an angle. All links have the given velocity, or with a pivot in proportion to their distance from it.
	local function new_chain(world, x, y, angle, vx, vy, pivot, options)
		local bodies, joints, c, s = {}, {}, math.cos(angle), math.sin(angle)
		for i = 1, 8 do
			local part = pivot and i / 8 or 1
			bodies[i] = world:newBody { x = x + 0.5 * (i - 0.5) * c, y = y + 0.5 * (i - 0.5) * s, angle = angle, shape = d.capsule(-0.2, 0, 0.2, 0, 0.05),
				bullet = options.bullet, restitution = options.restitution, linearVelocity = { part * vx, part * vy } }
			local holder = bodies[i - 1] or pivot
			if holder then
				joints[#joints + 1] = world:newRevoluteJoint { bodyA = holder, bodyB = bodies[i], x = x + 0.5 * (i - 1) * c, y = y + 0.5 * (i - 1) * s }
			end
		end
		return bodies, joints
	end

	-- Chains at 50 m/s hit a wall of 1 cm, or a box that flies towards them, in their first step. The same step without continuous collision differs only by
	-- the stop: no joint is open by more than a slop more.
	function TestLinkages.test_a_stop_opens_no_joint()
		local number, choice = support.random_numbers(27)
		local stopped = 0
		for case = 1, 200 do
			local hz, anchored, angle, start = ({ 30, 60, 120 })[choice(3)], choice(2) == 1, number(-math.pi, math.pi), number(0, 1)
			local bullet, restitution, moves = choice(2) == 1, choice(2) == 1 and 0.5 or 0, choice(3) == 1
			local vx, vy = 50, number(-20, 20)
			if anchored then vx, vy = -50 * math.sin(angle), 50 * math.cos(angle) end
			local widest, places = {}, {}
			for i, continuous in ipairs { true, false } do
				local world = d.newWorld { gravity = { 0, -10 }, continuous = continuous }
				local side = vx < 0 and -1 or 1
				local reach = side * math.max(0, 4 * side * math.cos(angle))
				world:newBody { type = moves and "dynamic" or "static", x = reach + side * (0.06 + start * math.abs(vx) / hz), shape = d.box(0.01, 40),
					linearVelocity = moves and { -side * 20, 0 } or nil }
				local bodies, joints = new_chain(world, 0, 0, angle, vx, vy, anchored and world:newBody { type = "static" }, { bullet = bullet, restitution = restitution })
				world:step(1 / hz)
				widest[i], places[i] = 0, { bodies[8]:getPosition() }
				for _, joint in ipairs(joints) do widest[i] = math.max(widest[i], gap(joint)) end
			end
			if places[1][1] ~= places[2][1] then stopped = stopped + 1 end
			lu.assertTrue(widest[1] <= widest[2] + SLOP, ("case %d, %d Hz: %.4f m, %.4f m without the stop"):format(case, hz, widest[1], widest[2]))
		end
		lu.assertTrue(stopped > 50, stopped)
	end

	-- The sleeping body has no state in that step.
	function TestLinkages.test_a_bullet_on_a_rope_hits_a_sleeping_body()
		local world = d.newWorld { gravity = { 0, 0 } }
		local bullet = world:newBody { y = 1, bullet = true, shape = d.circle(0.1), linearVelocity = { 200, 0 } }
		world:newDistanceJoint { bodyB = bullet, anchorA = { 0, 0 }, anchorB = { 0, 0 }, maxLength = 100 }
		local box = world:newBody { x = 1.5, y = 1, shape = d.box(0.1, 2) }
		box:setAwake(false)
		for _ = 1, 5 do
			world:step(1 / 60)
			lu.assertTrue(bullet:getPosition() < box:getPosition())
		end
		lu.assertTrue(box:isAwake())
		lu.assertTrue(box:getPosition() > 1.6)
	end

	-- A flipper hits a ball: as a bullet it keeps its hinge and its limits as well as otherwise, and the ball flies.
	function TestLinkages.test_a_flipper_that_is_a_bullet_stays_on_its_hinge()
		for _, hz in ipairs { 30, 60, 120 } do
			local widest, beyond, far = {}, {}, {}
			for i, bullet in ipairs { true, false } do
				widest[i], beyond[i], far[i] = 0, 0, math.huge
				for phase = 0, 19 do
					local world = d.newWorld { gravity = { 0, -10 }, bulletsHitBullets = true }
					local pivot, flipper = world:newBody { type = "static" }, world:newBody { x = 1, shape = d.box(2, 0.4), density = 1, bullet = bullet }
					local joint = world:newRevoluteJoint { bodyA = pivot, bodyB = flipper, x = 0, y = 0, motorSpeed = 25, maxMotorTorque = 1000,
						lowerAngle = -0.5, upperAngle = 1.2 }
					local ball = world:newBody { x = 1.6, y = 0.6 + 0.05 * phase, shape = d.circle(0.25), bullet = bullet }
					for _ = 1, hz do
						world:step(1 / hz)
						widest[i] = math.max(widest[i], gap(joint))
						beyond[i] = math.max(beyond[i], -0.5 - joint:getAngle(), joint:getAngle() - 1.2)
					end
					local x, y = ball:getPosition()
					far[i] = math.min(far[i], math.sqrt(x * x + y * y))
				end
			end
			lu.assertTrue(widest[1] <= widest[2] + SLOP, ("%d Hz: %.4f m"):format(hz, widest[1]))
			lu.assertTrue(beyond[1] <= beyond[2] + 0.02, ("%d Hz: %.4f rad"):format(hz, beyond[1]))
			lu.assertTrue(far[1] > 3, ("%d Hz: a ball is %.2f m away"):format(hz, far[1]))
		end
	end

	-- Chains on a pivot and flying ones at 50 m/s do not pass a wall of 1 cm in a second, and lose no link: a link is 0.5 m long, and the impact itself, in
	-- which the first link stops eight, opens joints by less than half of that.
	function TestLinkages.test_chains_pass_no_wall_and_lose_no_link()
		for _, hz in ipairs { 30, 60, 120 } do for _, bullet in ipairs { true, false } do for phase = 0, 11 do
			for _, anchored in ipairs { true, false } do
				local world, angle = d.newWorld { gravity = { 0, 0 } }, anchored and math.pi / 2 + 0.3 * phase or phase * math.pi / 6
				world:newBody { type = "static", x = 3, shape = d.box(0.01, 40) }
				local vx, vy = 50, 10 * math.sin(phase)
				if anchored then vx, vy = 50 * math.sin(angle), -50 * math.cos(angle) end
				local bodies, joints = new_chain(world, anchored and 0 or -4, 0, angle, vx, vy, anchored and world:newBody { type = "static" }, { bullet = bullet })
				for _ = 1, hz do
					world:step(1 / hz)
					for _, joint in ipairs(joints) do lu.assertTrue(gap(joint) < 0.25, ("%d Hz, phase %d: %.3f m"):format(hz, phase, gap(joint))) end
				end
				for _, body in ipairs(bodies) do lu.assertTrue(body:getPosition() < 3) end
			end
		end end end
	end

	-- A long chain of bullets hits another one from below and pushes it towards a ceiling: no link gets into the ceiling.
	function TestLinkages.test_nothing_is_pushed_through_a_wall()
		for _, hz in ipairs { 15, 30, 60 } do for phase = 0, 7 do
			local world = d.newWorld { gravity = { 0, 0 }, bulletsHitBullets = true }
			world:newBody { type = "static", y = 8.5, shape = d.box(40, 1) }
			local pair = new_chain(world, -2, 5.3, 0, 20, -22, nil, { bullet = true })
			local chain = new_chain(world, -2 + 0.1 * phase, 3, 0, 0, 80, nil, { bullet = true })
			for _ = 1, 6 do
				world:step(1 / hz)
				for _, bodies in ipairs { pair, chain } do for _, body in ipairs(bodies) do
					local _, y = body:getPosition()
					lu.assertTrue(y < 8, ("%d Hz, phase %d: y = %.3f"):format(hz, phase, y))
				end end
			end
		end end
	end
end
