-- Laws of determinism: the same inputs give the same bits for any number of workers and lanes; another frame of reference gives the same motion; bad or extreme
-- input gives an error or a finite world; energy is not created.
local lu, collide = require "luaunit", require "collide"
local support = require "support"
local planes, suite = support.planes, support.suite

TestLanes = {}

-- The result of a SIMD lane must not depend on its neighbours, whether they bounce, roll, slide or turn, to the bit and to the sign of a zero. `make hash`
-- compares more worlds, in all builds.
function TestLanes.test_the_number_of_lanes_changes_nothing()
	lu.skipIf(support.windows, "a test in Linux")
	local host, worlds = support.quote(support.host), support.quote(debug.getinfo(1, "S").source:match "^@(.-)[^/]*$" .. "random_worlds.lua")
	local function said(lanes) return support.shell(("COLLIDE_LANES=%d %s %s 6"):format(lanes, host, worlds)) end
	local one = said(1)
	lu.assertEquals(select(2, one:gsub("\n", "\n")), 14)
	for _, lanes in ipairs { 4, 8 } do lu.assertEquals(said(lanes), one, lanes .. " lanes") end
end

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local G, DT = 10, 1 / 60

	local random = support.random_numbers

	local function assert_finite(bodies, what)
		for i, body in ipairs(bodies) do
			local x, y, angle = body:getTransform()
			local vx, vy = body:getLinearVelocity()
			local sum = x + y + angle + vx + vy + body:getAngularVelocity()
			lu.assertTrue(sum == sum and math.abs(sum) < math.huge, ("%s: body %d"):format(what, i))
		end
	end

	-- A stack, a chain floor, a kinematic mill, and 200 mixed bodies that fall on them.
	local function mixed_world(workers)
		local next = random(4711)
		local world = d.newWorld { gravity = { 0, -G }, workers = workers }
		local points = {}
		for i = 0, 60 do points[2 * i + 1], points[2 * i + 2] = 30 - i, 0.5 * collide.sin(0.7 * i) end
		world:newBody { type = "static", shape = d.chain(points) }
		world:newBody { type = "static", x = -30, y = 10, shape = d.box(1, 30) }
		world:newBody { type = "static", x = 30, y = 10, shape = d.box(1, 30) }
		local mill = world:newBody { type = "kinematic", x = 3, y = 4, angularVelocity = 1.5 }
		mill:newCollider(d.box(6, 0.4))
		mill:newCollider(d.box(0.4, 6))
		for i = 1, 8 do world:newBody { x = -10, y = 0.5 + i, shape = d.box(1, 1) } end
		for i = 0, 199 do
			local shape
			if i % 5 == 0 then
				shape = d.circle(next(0.2, 0.5))
			elseif i % 5 == 1 then
				shape = d.box(next(0.4, 1), next(0.4, 1))
			elseif i % 5 == 2 then
				shape = d.capsule(-0.3, 0, 0.3, 0, next(0.1, 0.3))
			elseif i % 5 == 3 then
				shape = d.polygon({ -0.4, -0.3, 0.4, -0.3, 0.1, 0.5 }, 0.05)
			else
				shape = d.ellipse(next(0.3, 0.5), next(0.2, 0.3))
			end
			world:newBody {
				x = (i % 20 - 9.5) * 1.5, y = 6 + math.floor(i / 20) * 1.2, angle = next(-3, 3), shape = shape,
				linearVelocity = { next(-2, 2), next(-2, 2) }, angularVelocity = next(-4, 4), restitution = next(0, 0.5), friction = next(0, 1),
			}
		end
		return world
	end

	-- The hash after each 60 steps.
	local function hashes(workers, steps)
		local world, list = mixed_world(workers), {}
		for i = 1, steps do
			world:step(DT)
			if i % 60 == 0 then list[#list + 1] = world:hash() end
		end
		world:validate()
		world:destroy()
		return list
	end

	local TestRepetition = suite("TestRepetition", dim)

	function TestRepetition.test_two_runs_give_the_same_bits()
		lu.assertEquals(hashes(1, 600), hashes(1, 600))
	end

	-- hash(workers): that of a world stepped by so many workers. ThreadSanitizer runs these tests, too, at a fiftieth of the speed.
	local function check_workers(hash)
		local one = hash(1)
		for workers = 2, 4, 2 do lu.assertEquals(hash(workers), one, workers .. " workers") end
	end

	function TestRepetition.test_any_number_of_workers_gives_the_same_bits()
		check_workers(function(workers) return hashes(workers, 120) end)
	end

	-- An island of 820 boxes, solved by all workers together, beside 120 stacks, each solved by one worker.
	function TestRepetition.test_large_and_small_islands_give_the_same_bits_to_any_number_of_workers()
		local function hash(workers)
			local world = d.newWorld { gravity = { 0, -G }, workers = workers }
			world:newBody { type = "static", y = -1, shape = d.box(1000, 2) }
			local box = d.box(1, 1)
			for i = 1, 40 do
				for j = 1, 41 - i do world:newBody { x = j - (42 - i) / 2, y = i - 0.5, shape = box } end
			end
			for i = 1, 120 do
				for j = 1, 5 do world:newBody { x = 30 + 3 * i + 0.1 * (j % 2), y = j - 0.4, shape = box } end
			end
			for _ = 1, 40 do world:step(DT) end
			world:validate()
			return world:hash()
		end
		check_workers(hash)
	end

	-- A net hung by one side swings: whether the AABBs of a fast body cover its path depends on the bodies that its joints tie it to.
	function TestRepetition.test_a_net_gives_the_same_bits_to_any_number_of_workers()
		check_workers(function(workers)
			local world, net, ball = d.newWorld { gravity = { 0, -G }, workers = workers }, {}, d.circle(0.3)
			for i = 0, 19 do
				for k = 0, 11 do
					local body = world:newBody { type = i == 0 and "static" or "dynamic", x = i, y = k, shape = ball }
					if i > 0 then world:newRevoluteJoint { bodyA = net[(i - 1) * 12 + k], bodyB = body, x = i - 0.5, y = k } end
					if i > 0 and k > 0 then world:newRevoluteJoint { bodyA = net[i * 12 + k - 1], bodyB = body, x = i, y = k - 0.5 } end
					net[i * 12 + k] = body
				end
			end
			for _ = 1, 60 do world:step(DT) end
			world:validate()
			lu.assertTrue(select(2, net[#net]:getLinearVelocity()) < -2)
			return world:hash()
		end)
	end

	-- All workers sweep bullets, which are moved one by one if they stop at each other: in a room of 4 m each of 200 bodies hits several others in a step. The
	-- hits are reported in the same order.
	function TestRepetition.test_bullets_give_the_same_bits_to_any_number_of_workers()
		local function run(workers, hit)
			local world, next, hits = d.newWorld { gravity = { 0, -G }, workers = workers, bulletsHitBullets = hit }, random(11), {}
			for side = -2.25, 2.25, 4.5 do
				world:newBody { type = "static", x = side, shape = d.box(0.5, 5) }
				world:newBody { type = "static", y = side, shape = d.box(5, 0.5) }
				if dim == "d3" then world:newBody { type = "static", position = { 0, 0, side }, shape = collide.d3.box(5, 5, 0.5) } end
			end
			local shapes = { d.circle(0.1), d.box(0.2, 0.1), d.capsule(-0.1, 0, 0.1, 0, 0.05) }
			for i = 1, 200 do
				world:newBody {
					x = next(-1.8, 1.8), y = next(-1.8, 1.8), shape = shapes[i % 3 + 1], bullet = i % 5 > 0, restitution = 0.9,
					linearVelocity = { next(-100, 100), next(-100, 100) }, name = tostring(i),
				}
			end
			for _ = 1, 15 do
				world:step(DT)
				for a, b, speed in world:hits() do hits[#hits + 1] = ("%s %s %.17g"):format(tostring(a:getBody():getName()), tostring(b:getBody():getName()), speed) end
			end
			world:validate()
			return { world:hash(), hits }
		end
		check_workers(function(workers) return run(workers, true) end)
		check_workers(function(workers) return run(workers, false) end)
	end

	-- Bullets side by side with the same velocity do not hit each other: they fall like other bodies.
	function TestRepetition.test_bullets_side_by_side_fall_like_other_bodies()
		local function places(bullet)
			local world, bodies, box, list = d.newWorld { gravity = { 0, -G }, bulletsHitBullets = true }, {}, d.box(0.5, 0.5), {}
			for i = 1, 50 do bodies[i] = world:newBody { x = 0.502 * i, shape = box, bullet = bullet, linearVelocity = { 300, -100 } } end
			for _ = 1, 60 do world:step(DT) end
			for i, body in ipairs(bodies) do list[i] = { body:getTransform() } end
			return list
		end
		lu.assertEquals(places(true), places(false))
	end

	-- The hash covers all state that the future depends on: one bit of one velocity changes it.
	function TestRepetition.test_the_hash_distinguishes_worlds()
		local function world_hash(change)
			local world = d.newWorld {}
			local body = world:newBody { x = 1, y = 2, shape = d.circle(1), linearVelocity = { 0.25, 0 } }
			if change then change(body) end
			return world:hash()
		end
		local plain = world_hash()
		lu.assertEquals(world_hash(), plain)
		lu.assertEquals(#plain, 16)
		lu.assertStrMatches(plain, "%x+")
		for name, change in pairs {
			position = function(body) body:setPosition(1 + 2 ^ -40, 2) end,
			angle = function(body) body:setAngle(1e-4) end,
			velocity = function(body) body:setLinearVelocity(0.25 + 2 ^ -24, 0) end,
			spin = function(body) body:setAngularVelocity(1e-6) end,
		} do
			lu.assertNotEquals(world_hash(change), plain, name)
		end
	end

	-- Another order of creation may change bits, but not the positions at rest: 1 cm.
	function TestRepetition.test_the_order_of_creation_does_not_change_positions_at_rest()
		local function heights(order)
			local world = d.newWorld { gravity = { 0, -G } }
			local bodies = {}
			local function make(i)
				if i == 0 then
					bodies[0] = world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
				else
					bodies[i] = world:newBody { x = (i % 2) * 6, y = math.floor((i - 1) / 2) * 1.1 + 0.55, shape = d.box(1, 1) }
				end
			end
			for _, i in ipairs(order) do make(i) end
			for _ = 1, 240 do world:step(DT) end
			local list = {}
			for i = 1, 10 do list[i] = select(2, bodies[i]:getPosition()) end
			return list
		end
		local up, down, mixed = {}, {}, { 5, 0, 9, 1, 8, 2, 10, 3, 7, 4, 6 }
		for i = 0, 10 do up[i + 1], down[i + 1] = i, 10 - i end
		local first = heights(up)
		for _, order in ipairs { down, mixed } do
			for i, y in ipairs(heights(order)) do lu.assertAlmostEquals(y, first[i], 0.01) end
		end
	end

	local TestFrames = suite("TestFrames", dim)

	-- A scene of contacts in a frame: place, direction and turn map the scene's positions, directions and angles to the world's. Returns the poses after 0.9 s,
	-- mapped back.
	local function framed(frame)
		local gx, gy = frame.direction(0, frame.gravity or -G)
		local world = d.newWorld { gravity = { gx, gy }, sleeping = false }
		local bodies = {}
		local function body(options)
			local x, y = frame.place(options.x, options.y)
			local vx, vy = frame.direction(options.vx or 0, options.vy or 0)
			if options.type ~= "static" then vx, vy = vx + (frame.vx or 0), vy + (frame.vy or 0) end
			bodies[#bodies + 1] = world:newBody {
				type = options.type, x = x, y = y, angle = frame.turn((options.angle or 0)), linearVelocity = { vx, vy },
				angularVelocity = frame.sign * (options.w or 0), shape = options.shape, restitution = 0.3, friction = 0.5,
			}
		end
		if not frame.empty then body { type = "static", x = 0, y = -1, shape = d.box(40, 2) } end
		if not frame.one_point then body { x = 0, y = 0.75, shape = d.box(1, 1), vx = 2, vy = -1 } end
		body { x = 3, y = 1.5, shape = d.circle(0.5), vx = -3, w = 2 }
		body { x = 1, y = 0.6, shape = d.circle(0.5), vy = -1 }
		body { x = -4, y = 1, angle = 0.3, shape = d.box(0.6, 1.4), vx = 1, w = -1 }
		for _ = 1, 54 do world:step(DT) end
		local list = {}
		for _, b in ipairs(bodies) do
			local x, y, angle = b:getTransform()
			x, y = x - (frame.vx or 0) * 0.9, y - (frame.vy or 0) * 0.9
			x, y = frame.back(x, y)
			list[#list + 1] = { x, y, frame.sign * (angle - frame.turn(0)) }
		end
		return list
	end

	local function identity(x, y) return x, y end

	local home = { place = identity, direction = identity, back = identity, turn = function(a) return a end, sign = 1 }

	local function with(changes)
		local frame = {}
		for key, value in pairs(home) do frame[key] = value end
		for key, value in pairs(changes) do frame[key] = value end
		return frame
	end

	local function assert_same(actual, expected, margin)
		for i = 1, #expected do
			local turn = (actual[i][3] - expected[i][3] + math.pi) % (2 * math.pi) - math.pi
			lu.assertAlmostEquals(actual[i][1], expected[i][1], margin, "x of body " .. i)
			lu.assertAlmostEquals(actual[i][2], expected[i][2], margin, "y of body " .. i)
			lu.assertAlmostEquals(turn, 0, margin, "angle of body " .. i)
		end
	end

	local function shift(dx, dy)
		return with {
			place = function(x, y) return x + dx, y + dy end,
			back = function(x, y) return x - dx, y - dy end,
		}
	end

	function TestFrames.test_a_shifted_scene_moves_the_same()
		assert_same(framed(shift(1000, -500)), framed(home), 1e-6)
	end

	-- How much contacts amplify differences of 1e-7 m in the start positions: an impact happens slightly earlier, or at another corner.
	local function growth()
		local expected, most = framed(home), 0
		for _, e in ipairs { -1e-7, 1e-7 } do
			for _, place in ipairs { function(x, y) return x + e * y, y - e * x end, function(x, y) return x + e * x, y + e * y end } do
				for i, pose in ipairs(framed(with { place = place })) do
					for k = 1, 3 do most = math.max(most, math.abs(pose[k] - expected[i][k])) end
				end
			end
		end
		return most / 1e-7
	end

	-- At 1e7 doubles are 1.9e-9 apart: 54 steps add up to 1e-7, which contacts amplify like any difference.
	function TestFrames.test_a_scene_ten_million_away_moves_the_same()
		assert_same(framed(shift(1e7, -1e7)), framed(home), 1e-7 * math.max(10, 2 * growth()))
	end

	-- All velocities + V without gravity: floats of up to 4 m/s are rounded to 2.4e-7.
	function TestFrames.test_a_scene_in_a_moving_frame_moves_the_same()
		local still = with { gravity = 0, empty = true }
		local moving = with { gravity = 0, empty = true, vx = 0.5, vy = 0.25 }
		assert_same(framed(moving), framed(still), 1e-6)
	end

	-- Contacts at one point: where two contacts are solved one after the other, the mirror swaps them.
	function TestFrames.test_a_mirrored_scene_moves_mirrored()
		local mirrored = with {
			one_point = true,
			place = function(x, y) return -x, y end,
			direction = function(x, y) return -x, y end,
			back = function(x, y) return -x, y end,
			turn = function(a) return -a end,
			sign = -1,
		}
		assert_same(framed(mirrored), framed(with { one_point = true }), 1e-5)
	end

	function TestFrames.test_a_scene_rotated_with_its_gravity_moves_the_same()
		local turned = with {
			place = function(x, y) return -y, x end,
			direction = function(x, y) return -y, x end,
			back = function(x, y) return y, -x end,
			turn = function(a) return a + math.pi / 2 end,
		}
		assert_same(framed(turned), framed(home), 1e-7 * math.max(100, 2 * growth()))
	end

	-- A stack that rests at the origin also rests far away, at the same height, where float positions would be 1 m apart. Its position along the floor is held
	-- only by friction: the other rounding errors may shift it by the tolerance of friction, a fifth of the slop.
	function TestFrames.test_a_stack_rests_ten_million_away()
		local function stack(x0, y0)
			local world = d.newWorld { gravity = { 0, -G } }
			world:newBody { type = "static", x = x0, y = y0 - 1, shape = d.box(20, 2) }
			local boxes, list = {}, {}
			for i = 1, 10 do boxes[i] = world:newBody { x = x0, y = y0 + i - 0.5, shape = d.box(1, 1) } end
			for _ = 1, 300 do world:step(DT) end
			for i, box in ipairs(boxes) do
				local x, y, angle = box:getTransform()
				list[i] = { x - x0, y - y0, angle }
			end
			lu.assertEquals(world:getAwakeCount(), 0)
			world:validate()
			return list
		end
		local near, far = stack(0, 0), stack(1e7, 1e7)
		for i = 1, 10 do
			lu.assertAlmostEquals(far[i][1], near[i][1], 1e-3)
			lu.assertAlmostEquals(far[i][2], near[i][2], 1e-4)
			lu.assertAlmostEquals(far[i][3], near[i][3], 1e-4)
		end
	end

	local TestExtremes = suite("TestExtremes", dim)

	local nan, inf = 0 / 0, 1 / 0

	-- NaN and infinity are refused everywhere, and the world stays as it was.
	function TestExtremes.test_nan_and_infinity_are_errors()
		local world = d.newWorld {}
		local body = world:newBody { shape = d.box(1, 1) }
		local collider = body:getColliders()[1]
		local before = world:hash()
		for _, bad in ipairs { nan, inf, -inf } do
			local calls = {
				function() body:setPosition(bad, 0) end,
				function() body:setPosition(0, bad) end,
				function() body:setAngle(bad) end,
				function() body:setTransform(0, 0, bad) end,
				function() body:setLinearVelocity(bad, 0) end,
				function() body:setAngularVelocity(bad) end,
				function() body:setLinearDamping(bad) end,
				function() body:setGravityScale(bad) end,
				function() body:applyForce(bad, 0) end,
				function() body:applyForce(0, 1, bad, 0) end,
				function() body:applyTorque(bad) end,
				function() body:applyImpulse(0, bad) end,
				function() body:applyAngularImpulse(bad) end,
				function() body:setMassData(bad, 0, 0, 1) end,
				function() body:moveTo(0, 0, 0, bad) end,
				function() collider:setFriction(bad) end,
				function() collider:setRestitution(bad) end,
				function() collider:setDensity(bad) end,
				function() world:step(bad) end,
				function() world:setGravity(bad, 0) end,
				function() world:raycast(0, 0, bad, 0) end,
				function() world:newBody { x = bad } end,
				function() world:newBody { linearVelocity = { bad, 0 } } end,
				function() world:newBody { shape = d.circle(1), density = bad } end,
				function() d.newWorld { gravity = { bad, 0 } } end,
				function() d.circle(bad) end,
				function() d.box(1, bad) end,
				function() d.capsule(0, 0, bad, 0, 1) end,
				function() d.polygon { 0, 0, 1, 0, bad, 1 } end,
				function() d.chain { 0, 0, bad, 0 } end,
				function() d.ellipse(1, bad) end,
				function() d.pose(0, bad) end,
			}
			for i, call in ipairs(calls) do
				lu.assertFalse((pcall(call)), ("call %d accepts %s"):format(i, tostring(bad)))
			end
		end
		lu.assertEquals(world:hash(), before)
		world:validate()
	end

	function TestExtremes.test_shapes_without_area_are_errors_or_have_none()
		for _, make in ipairs {
			function() return d.circle(0) end,
			function() return d.circle(-1) end,
			function() return d.box(0, 1) end,
			function() return d.box(1, -1) end,
			function() return d.polygon { 0, 0, 1, 0 } end,
			function() return d.polygon { 0, 0, 1, 1, 2, 2 } end,
			function() return d.polygon { 3, 3, 3, 3, 3, 3 } end,
			function() return d.ellipse(0, 1) end,
			function() return d.halfPlane(0, 0, 1) end,
			function() return d.chain { 0, 0 } end,
		} do
			lu.assertFalse((pcall(make)))
		end
	end

	-- A dynamic body without density still has some mass: it moves, and stays finite.
	function TestExtremes.test_a_dynamic_body_without_mass_stays_finite()
		local world = d.newWorld { gravity = { 0, -G } }
		world:newBody { type = "static", y = -1, shape = d.box(20, 2) }
		local bodies = {
			world:newBody {},
			world:newBody { x = 2, y = 1, shape = d.circle(0.5), density = 0 },
			world:newBody { x = 4, y = 1, shape = d.segment(-1, 0, 1, 0), sensor = dim == "d3" },
			world:newBody { x = 4, y = 3, shape = d.box(1, 1) },
		}
		for _, body in ipairs(bodies) do
			body:applyImpulse(0, 1)
			body:applyForce(1, 1, 3, 3)
			body:applyTorque(1)
		end
		for _ = 1, 120 do world:step(DT) end
		assert_finite(bodies, "massless")
		world:validate()
	end

	-- Sizes from 1e-6 to 1e6 in one world.
	function TestExtremes.test_tiny_and_huge_shapes_stay_finite()
		local world = d.newWorld { gravity = { 0, -G } }
		world:newBody { type = "static", y = -5e5, shape = d.box(1e6, 1e6) }
		local bodies = {}
		for i, size in ipairs { 1e-6, 1e-3, 1, 1e3 } do
			bodies[#bodies + 1] = world:newBody { x = 10 * i, y = size, shape = d.circle(size) }
			bodies[#bodies + 1] = world:newBody { x = -10 * i, y = size, shape = d.box(size, size) }
		end
		bodies[#bodies + 1] = world:newBody { y = 1e6, shape = d.box(1e6, 1e6) }
		for _ = 1, 120 do world:step(DT) end
		assert_finite(bodies, "sizes")
		world:validate()
	end

	-- A rotation is rounded to 2^-24 in each step, which moves the far end of a body of 1e6 by 6 cm although it does not turn: its AABB must contain that.
	function TestExtremes.test_large_bodies_stay_in_their_boxes()
		local number = require("support").random_numbers(1)
		for i = 1, 300 do
			local world = d.newWorld { gravity = { 0, 0 } }
			local size = 10 ^ number(4, 6.9)
			world:newBody {
				x = number(-1e4, 1e4), y = number(-1e4, 1e4), angle = number(-4, 4), shape = d.box(size, size * number(0.3, 1)),
				linearVelocity = { number(-1, 1), number(-1, 1) }, angularVelocity = i % 2 * number(-1e-3, 1e-3),
			}
			for _ = 1, 120 do
				world:step(DT)
				world:validate()
			end
		end
	end

	-- Many bodies at the same point: all pairs overlap, without a direction to separate in.
	function TestExtremes.test_a_hundred_bodies_at_one_point_stay_finite_and_separate()
		for name, shape in pairs { circle = d.circle(0.5), box = d.box(1, 1), capsule = d.capsule(-0.5, 0, 0.5, 0, 0.2) } do
			local world = d.newWorld { gravity = { 0, 0 } }
			local bodies = {}
			for i = 1, 100 do bodies[i] = world:newBody { shape = shape } end
			for _ = 1, 20 do world:step(DT) end
			assert_finite(bodies, name)
			world:validate()
			local least, most = math.huge, -math.huge
			for _, body in ipairs(bodies) do
				local x, y = body:getPosition()
				least, most = math.min(least, x, y), math.max(most, x, y)
			end
			lu.assertTrue(most - least > 0.1, name .. ": they part")
		end
	end

	-- Ten thousand bodies at one point that do not collide with each other.
	function TestExtremes.test_thousands_of_bodies_at_one_point()
		local world = d.newWorld { gravity = { 0, -G }, layers = { "a", "b" }, collide = { a = { "b" } } }
		world:newBody { type = "static", y = -1, shape = d.box(20, 2), layer = "b" }
		local shape, bodies = d.circle(0.5), {}
		for i = 1, 1000 do bodies[i] = world:newBody { y = 0.6, shape = shape, layer = "a" } end
		for _ = 1, 30 do world:step(DT) end
		assert_finite(bodies, "layers")
		for _, body in ipairs(bodies) do
			local x, y = body:getPosition()
			lu.assertEquals(x, 0)
			lu.assertAlmostEquals(y, 0.5, 0.005)
		end
		world:validate()
	end

	-- h = 0 changes nothing, to the bit.
	function TestExtremes.test_a_step_of_no_time_changes_nothing()
		local world = mixed_world(1)
		for _ = 1, 60 do world:step(DT) end
		local function state()
			local list = {}
			for _, body in ipairs(world:getBodies()) do
				local x, y, angle = body:getTransform()
				local vx, vy = body:getLinearVelocity()
				list[#list + 1] = { x, y, angle, vx, vy, body:getAngularVelocity() }
			end
			return list
		end
		local before = state()
		for _ = 1, 3 do world:step(0) end
		lu.assertEquals(state(), before)
		world:step(DT)
		world:validate()
	end

	-- Steps from a microsecond to a minute.
	function TestExtremes.test_steps_of_any_length_stay_finite()
		for _, dt in ipairs { 1e-6, 1e-3, 0.1, 1, 60 } do
			local world = mixed_world(1)
			for _ = 1, 10 do world:step(dt) end
			assert_finite(world:getBodies(), "dt = " .. dt)
			world:validate()
		end
	end

	-- The limits of accepted input: velocities and accelerations of 1e9, forces of 1e18, masses from 1e-14 to 1e22. An impulse too strong for its body is
	-- refused; an accepted one leaves the world finite.
	function TestExtremes.test_absurd_speeds_and_impulses_stay_finite()
		local world = d.newWorld { gravity = { 1e9, -1e9 }, maximumSpeed = 1e9 }
		world:newBody { type = "static", y = -3, shape = d.box(100, 2) }
		local bodies = {}
		for i = 1, 10 do
			bodies[i] = world:newBody {
				x = i, shape = d.box(1, 1), mass = 10 ^ (4 * i - 18), inertia = 10 ^ (4 * i - 18), linearVelocity = { 1e9, 0 }, angularVelocity = 1e9,
			}
		end
		for _ = 1, 20 do
			for _, body in ipairs(bodies) do
				local x, y = body:getPosition()
				pcall(body.applyForce, body, 1e18, -1e18)
				pcall(body.applyTorque, body, 1e18)
				pcall(body.applyImpulse, body, 1e18, 1e18, x + 1, y)
			end
			world:step(DT)
			assert_finite(bodies, "absurd")
		end
		world:validate()
	end

	local TestEnergy = suite("TestEnergy", dim)

	-- Mechanical energy of the dynamic bodies, and their mass.
	local function energy(bodies)
		local sum, mass = 0, 0
		for _, body in ipairs(bodies) do
			local _, y = body:getCenter()
			sum = sum + body:getKineticEnergy() + body:getMass() * G * y
			mass = mass + body:getMass()
		end
		return sum, mass
	end

	-- Scenes without motors: the energy above the floor never exceeds its start by more than 1 % and m g slop.
	function TestEnergy.test_no_scene_gains_energy()
		local scenes = {
			tower = function(world)
				for i = 1, 10 do world:newBody { x = 0.1 * (i % 3), y = 1.2 * i, shape = d.box(1, 1) } end
			end,
			bouncing = function(world)
				for i = 1, 20 do world:newBody { x = i - 10, y = 3 + i % 4, shape = d.circle(0.4), restitution = 1 } end
			end,
			rubble = function(world)
				local next = random(99)
				for i = 0, 59 do
					world:newBody {
						x = i % 6 - 3, y = 1 + math.floor(i / 6), angle = next(0, 6), angularVelocity = next(-5, 5), restitution = next(0, 1),
						friction = next(0, 1), shape = i % 2 == 0 and d.box(next(0.3, 0.9), next(0.3, 0.9)) or d.capsule(-0.2, 0, 0.2, 0, 0.2),
					}
				end
			end,
			pyramid = function(world)
				for row = 0, 9 do
					for i = 0, 9 - row do world:newBody { x = i - (9 - row) / 2, y = row + 0.5, shape = d.box(0.95, 1) } end
				end
			end,
			spinners = function(world)
				for i = 1, 12 do
					world:newBody { x = 1.5 * (i - 6), y = 1.5, shape = d.ellipse(0.7, 0.3), angularVelocity = 20, friction = 1, restitution = 0.5 }
				end
			end,
		}
		for name, fill in pairs(scenes) do
			local world = d.newWorld { gravity = { 0, -G } }
			world:newBody { type = "static", shape = d.box(100, 2, { y = -1 }) }
			fill(world)
			local bodies = {}
			for _, body in ipairs(world:getBodies()) do
				if body:getType() == "dynamic" then bodies[#bodies + 1] = body end
			end
			local start, mass = energy(bodies)
			local limit = 1.01 * start + mass * G * 0.005
			for i = 1, 300 do
				world:step(DT)
				local now = energy(bodies)
				lu.assertTrue(now <= limit, ("%s: %.5f of the start in step %d"):format(name, now / start, i))
			end
			world:validate()
		end
	end
end
