-- preSolve: the script decides on contacts before they are solved. It may disable them for the step, or change friction, restitution and the surfaces' velocity.
-- Both dimensions by one loop; the x-y plane of 3D is that of 2D.

local lu, support, collide = require "luaunit", require "support", require "collide"

local bytes_of, steps = support.bytes_of, support.steps

for dim, wing in pairs(support.wings) do
	local d, PreSolve = collide[dim], support.suite("TestPreSolve", dim)
	local flat = dim == "d2"
	local axes = flat and 2 or 3

	local function new_world(gx, gy, options)
		options = options or {}
		options.gravity = wing.vector(gx, gy)
		return d.newWorld(options)
	end

	local upright = flat and { rotation = true } or { rotationX = true, rotationZ = true }

	local function plate(world, width, height, options)
		options.type, options.shape = options.type or "static", flat and d.box(width, height) or d.box(width, height, 20)
		return world:newBody(options)
	end

	local function set_velocity(contact, speed)
		if flat then
			contact:setTangentSpeed(speed)
			return
		end
		-- of a's surface minus that of b: the belt is the static body
		local a = contact:getColliders()
		contact:setTangentVelocity(a:getBody():getType() == "static" and speed or -speed, 0, 0)
	end

	-- What preSolve sets for each step is what the collider's own material does, to the bit: friction, restitution and the belt's velocity.
	local equals = {
		friction = { own = { friction = 0 }, plain = { friction = 0.9 }, decide = function(contact) contact:setFriction(0) end },
		restitution = { own = { restitution = 0.7 }, plain = {}, decide = function(contact) contact:setRestitution(0.7) end },
		belt = { own = flat and { tangentSpeed = 3 } or { tangentVelocity = { 3, 0, 0 } }, plain = {}, decide = function(contact) set_velocity(contact, 3) end },
	}
	for name, case in pairs(equals) do
		PreSolve["test_" .. name .. "_of_pre_solve_is_that_of_the_material"] = function()
			local hashes = {}
			for i = 1, 2 do
				local world = new_world(2, -10, { preSolve = i == 2 and case.decide or nil, restitutionMixing = "maximum", frictionMixing = "minimum" })
				local floor = { y = -1, preSolve = i == 2 }
				for key, value in pairs(i == 1 and case.own or case.plain) do floor[key] = value end
				plate(world, 400, 2, floor)
				for k = 1, 10 do
					world:newBody { x = 4 * k - 20, y = 0.5 + 0.3 * k, shape = k % 2 == 0 and wing.cube(d, 1) or wing.ball(d, 0.5), friction = 0.9,
						linearVelocity = wing.vector(0, k == 10 and -200 or -k) }
				end
				steps(world, 90)
				hashes[i] = world:hash()
			end
			lu.assertEquals(hashes[2], hashes[1])
		end
	end

	-- Without friction a crate on a slope gains g sin t per second, though its material is rough.
	function PreSolve.test_a_frictionless_crate_accelerates_freely()
		local angle = math.rad(30)
		local world = new_world(10 * math.sin(angle), -10 * math.cos(angle), { preSolve = function(contact) contact:setFriction(0) end })
		plate(world, 400, 2, { y = -1, friction = 0.9 })
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1), friction = 0.9, preSolve = true }
		steps(world, 60)
		lu.assertAlmostEquals((crate:getLinearVelocity()), 10 * math.sin(angle), 1e-3)
	end

	-- A change lasts for one step: a crate that preSolve freed from friction once is held again.
	function PreSolve.test_changes_last_for_one_step()
		local free = true
		local world = new_world(3, -10, { sleeping = false, preSolve = function(contact)
			if free then
				contact:setFriction(0)
				set_velocity(contact, 1)
			end
		end })
		plate(world, 400, 2, { y = -1, friction = 0.9 })
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1), friction = 0.9, preSolve = true }
		steps(world, 30)
		lu.assertAlmostEquals((crate:getLinearVelocity()), 1.5, 0.02)
		free = false
		steps(world, 60)
		lu.assertAlmostEquals((crate:getLinearVelocity()), 0, 1e-4)
		free = true
		steps(world, 30)
		world:setPreSolve(nil)
		steps(world, 60)
		lu.assertAlmostEquals((crate:getLinearVelocity()), 0, 1e-4)
	end

	-- A contact that is always disabled is none: bodies fall through the plate as if it were not there, to the bit, at any speed, bullets, too; it causes no
	-- events.
	function PreSolve.test_a_disabled_contact_is_none()
		local hashes, asked = {}, 0
		for i = 1, 2 do
			local world = new_world(0, -10, { preSolve = function(contact)
				asked = asked + 1
				contact:setEnabled(false)
				lu.assertFalse(contact:isEnabled())
			end })
			local bodies = {}
			for k = 1, 12 do
				bodies[k] = world:newBody { x = 3 * k - 18, y = 0.75 + 0.1 * k, shape = k % 2 == 0 and wing.cube(d, 0.5) or wing.ball(d, 0.25), bullet = k % 3 == 0,
					restitution = k % 4 == 0 and 0.5 or 0, linearVelocity = wing.vector(0, -k ^ 2) }
			end
			if i == 1 then plate(world, 100, 0.5, { y = 0, preSolve = true }) end
			for _ = 1, 60 do
				world:step(1 / 60)
				for _ in world:beginContacts() do lu.fail "a disabled contact begins" end
				for _ in world:hits() do lu.fail "a disabled contact hits" end
				for _ in world:contacts() do lu.fail "a disabled contact touches" end
			end
			local sums = {}
			for k, body in ipairs(bodies) do sums[k] = { body:getPosition() } end
			hashes[i] = sums
			world:validate()
		end
		lu.assertEquals(hashes[1], hashes[2])
		lu.assertTrue(asked > 12)
	end

	-- A body that is placed deep in a plate is not pushed out while their contact is disabled.
	function PreSolve.test_deep_overlaps_of_disabled_contacts_are_left_alone()
		local world = new_world(0, 0, { preSolve = function(contact) contact:setEnabled(false) end })
		plate(world, 10, 2, { preSolve = true })
		local crate = world:newBody { x = 0.3, y = 0.8, shape = wing.cube(d, 1) }
		steps(world, 30)
		local x, y = crate:getPosition()
		lu.assertEquals({ x, y }, { 0.3, 0.8 })
	end

	-- Decides as a platform that is solid from above: the normal points up from it, the body does not rise, and touches near its top, which it has reached within
	-- the last step.
	local function one_way(tops)
		return function(contact)
			local a, b = contact:getColliders()
			local values, ny = { contact:getPoints() }, select(2, contact:getNormal())
			local top = tops[a:getBody()]
			if not top then top, ny = tops[b:getBody()], -ny end
			contact:setEnabled(ny > 0.7 and values[2] > top - 0.03 - math.max(0, contact:getSpeed()) / 60 and contact:getSpeed() > -0.5)
		end
	end

	-- 500 bodies are thrown up through four platforms. Each passes those below the height v^2 / 2g of its throw, falls back on the highest one that it has passed,
	-- and stays there.
	function PreSolve.test_one_way_platforms_let_bodies_up_and_hold_them()
		local tops = {}
		local world = new_world(0, -10, { preSolve = one_way(tops) })
		for level = 1, 4 do tops[plate(world, 1200, 0.5, { y = 4 * level - 0.25, preSolve = true })] = 4 * level end
		local bodies = {}
		for i = 1, 500 do
			-- the centre rises to a height between the platforms, 2 above one of them: apart from platforms the motion is free
			local level = i % 5
			local height = 4 * level + 2
			bodies[i] = { level = level, body = world:newBody { x = 2 * i - 500, y = 0, shape = i % 2 == 0 and wing.cube(d, 0.8) or wing.ball(d, 0.4),
				linearVelocity = wing.vector(0, math.sqrt(2 * 10 * height)), bullet = i % 3 == 0, locks = upright } }
		end
		steps(world, 300)
		for _, entry in ipairs(bodies) do
			local _, y = entry.body:getPosition()
			if entry.level == 0 then
				lu.assertTrue(y < -10)
			else
				lu.assertAlmostEquals(y, 4 * entry.level + 0.4, 0.02)
			end
		end
		world:validate()
	end

	-- At 150 m/s, 2.5 in a step, a body crosses a thin platform within a step: from below it passes, from above it is held.
	function PreSolve.test_one_way_platforms_at_bullet_speeds()
		for _, bullet in ipairs { false, true } do
			local tops = {}
			local world = new_world(0, 0, { preSolve = one_way(tops) })
			tops[plate(world, 400, 0.1, { y = -0.05, preSolve = true })] = 0
			local up, down = {}, {}
			for i = 1, 20 do
				local shape = i % 2 == 0 and wing.cube(d, 0.5) or wing.ball(d, 0.25)
				up[i] = world:newBody { x = 4 * i - 40, y = -5.1 - 0.13 * i, shape = shape, linearVelocity = wing.vector(0, 150), bullet = bullet, locks = upright }
				down[i] = world:newBody { x = 4 * i - 38, y = 5.1 + 0.13 * i, shape = shape, linearVelocity = wing.vector(0, -150), bullet = bullet, locks = upright }
			end
			steps(world, 20)
			for i = 1, 20 do
				local _, y = up[i]:getPosition()
				lu.assertAlmostEquals(y, -5.1 - 0.13 * i + 150 / 3, 1e-3)
				_, y = down[i]:getPosition()
				lu.assertAlmostEquals(y, 0.25, 0.02)
			end
		end
	end

	-- The function sees each contact that has points once in a step, in both directions of the pair, as contacts() shows it afterwards; speed is that of approach.
	function PreSolve.test_what_the_function_sees()
		local seen = {}
		local world = new_world(0, -10, { sleeping = false, preSolve = function(contact)
			local a, b = contact:getColliders()
			local points, normal = { contact:getPoints() }, { contact:getNormal() }
			lu.assertEquals(#normal, axes)
			lu.assertEquals(#points % axes, 0)
			lu.assertTrue(contact:isEnabled())
			lu.assertNil(seen[tostring(a) .. tostring(b)])
			seen[tostring(a) .. tostring(b)] = { points = points, normal = normal, speed = contact:getSpeed() }
		end })
		plate(world, 100, 2, { y = -1, preSolve = true })
		for i = 1, 12 do world:newBody { x = 2 * i - 12, y = 0.5, shape = i % 2 == 0 and wing.cube(d, 1) or wing.ball(d, 0.5) } end
		local top = world:newBody { x = 0, y = 1.5, shape = wing.cube(d, 1) } -- touches no one who asks
		for _ = 1, 30 do
			seen = {}
			world:step(1 / 60)
			local shown = {}
			for a, b, n1, n2, n3, x1, x2, x3 in world:contacts() do
				local key = tostring(a) .. tostring(b)
				if a:getBody() ~= top and b:getBody() ~= top then
					shown[key] = shown[key] or { points = {}, normal = flat and { n1, n2 } or { n1, n2, n3 } }
					for _, value in ipairs(flat and { n3, x1 } or { x1, x2, x3 }) do table.insert(shown[key].points, value) end
				end
			end
			for key, row in pairs(shown) do
				for i, value in ipairs(row.points) do lu.assertAlmostEquals(seen[key].points[i], value, 1e-4) end
				for i, value in ipairs(row.normal) do lu.assertAlmostEquals(seen[key].normal[i], value, 1e-4) end
			end
		end
		-- a crate that falls at 4 m/s onto the floor approaches at 4 m/s
		seen = {}
		local speed
		world = new_world(0, 0, { preSolve = function(contact) speed = speed or contact:getSpeed() end })
		plate(world, 100, 2, { y = -1, preSolve = true })
		world:newBody { y = 1, shape = wing.cube(d, 1), linearVelocity = wing.vector(0, -4) }
		steps(world, 20)
		lu.assertAlmostEquals(speed, 4, 1e-5)
	end

	-- Either side may ask, sensors do not, and colliders that do not ask cost no call. The setters change who is asked.
	function PreSolve.test_who_is_asked()
		local calls = 0
		local world = new_world(0, -10, { sleeping = false, preSolve = function() calls = calls + 1 end })
		local floor = plate(world, 100, 2, { y = -1 }):getColliders()[1]
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1) }:getColliders()[1]
		plate(world, 3, 3, { y = 0, sensor = true, preSolve = true })
		local function calls_in(count)
			calls = 0
			steps(world, count)
			return calls
		end
		lu.assertEquals(calls_in(10), 0)
		lu.assertFalse(crate:isPreSolve())
		crate:setPreSolve(true)
		lu.assertTrue(crate:isPreSolve())
		lu.assertEquals(calls_in(10), 10)
		floor:setPreSolve(true)
		lu.assertEquals(calls_in(10), 10)
		crate:setPreSolve(false)
		lu.assertEquals(calls_in(10), 10)
		world:setPreSolve(nil)
		lu.assertEquals(calls_in(10), 0)
		world:setPreSolve(function(contact)
			calls = calls + 1
			contact:setEnabled(false)
		end)
		lu.assertTrue(calls_in(10) > 0)
		lu.assertTrue(select(2, crate:getBody():getPosition()) < 0.45)
		world:setPreSolve(nil)
		steps(world, 120)
		lu.assertAlmostEquals(select(2, crate:getBody():getPosition()), 0.5, 0.02)
		floor:destroy()
		lu.assertEquals(calls_in(10), 0)
	end

	-- Its errors are raised by the step, which completes with the contacts enabled; what changes the world is refused.
	function PreSolve.test_errors_and_changes_in_the_function()
		local fault
		local world = new_world(0, -10, { sleeping = false, preSolve = function(contact)
			contact:setEnabled(false)
			fault(contact)
		end })
		local floor = plate(world, 100, 2, { y = -1, preSolve = true })
		local crate = world:newBody { y = 0.5, shape = wing.cube(d, 1) }
		local other = world:newBody { x = 5, y = 0.5, shape = wing.cube(d, 1) }
		local faults = {
			["a fault"] = function() error "a fault" end,
			["yield"] = function() coroutine.yield() end,
			["newBody: world is locked"] = function() world:newBody {} end,
			["destroy: world is locked"] = function() crate:destroy() end,
			["step: world is locked"] = function() world:step(1 / 60) end,
			["setPreSolve: world is locked"] = function() floor:getColliders()[1]:setPreSolve(false) end,
			["setFriction: friction must be >= 0, got -1"] = function(contact) contact:setFriction(-1) end,
			["setRestitution: restitution must be"] = function(contact) contact:setRestitution(0 / 0) end,
			["setEnabled: enabled must be"] = function(contact) contact:setEnabled(1) end,
			[flat and "setTangentSpeed: speed must be" or "setTangentVelocity: y must be"] = function(contact)
				if flat then contact:setTangentSpeed "fast" else contact:setTangentVelocity(1) end
			end,
			["getSpeed: expected a contact, got "] = function(contact) contact.getSpeed(floor) end,
		}
		for message, f in pairs(faults) do
			local calls = 0
			fault = function(contact)
				calls = calls + 1
				f(contact)
			end
			local before = select(2, crate:getPosition())
			local run = coroutine.wrap(function() return pcall(world.step, world, 1 / 60) end)
			local ok, got = run()
			lu.assertFalse(ok)
			lu.assertStrContains(tostring(got), message)
			lu.assertEquals(calls, 1)
			lu.assertFalse(world:isLocked())
			world:validate()
			lu.assertAlmostEquals(select(2, crate:getPosition()), before, 0.01)
			lu.assertAlmostEquals(select(2, other:getPosition()), before, 0.01)
		end
	end

	-- The contact is valid in preSolve only.
	function PreSolve.test_a_contact_that_is_kept_is_of_no_use()
		local kept
		local world = new_world(0, -10, { preSolve = function(contact) kept = contact end })
		plate(world, 100, 2, { y = -1, preSolve = true })
		world:newBody { y = 0.5, shape = wing.cube(d, 1) }
		steps(world, 3)
		lu.assertEquals(tostring(kept), "contact")
		for _, name in ipairs { "getColliders", "getNormal", "getPoints", "getSpeed", "isEnabled", "setEnabled", "setFriction", "setRestitution",
			flat and "setTangentSpeed" or "setTangentVelocity" } do
			lu.assertErrorMsgContains(name .. ": a contact is valid in preSolve only", kept[name], kept, 1)
			lu.assertErrorMsgContains(name .. ": expected a contact", kept[name], world)
		end
		lu.assertErrorMsgContains("unknown method or field", function() return kept.getFriktion end)
		world:destroy()
		lu.assertErrorMsgContains("valid in preSolve only", kept.getSpeed, kept)
		lu.assertErrorMsgContains("newWorld: preSolve must be a function", d.newWorld, { preSolve = 1 })
		lu.assertErrorMsgContains("setPreSolve: preSolve must be a function or nil, got true", world.setPreSolve, d.newWorld(), true)
		lu.assertErrorMsgContains("newBody: preSolve must be", function() d.newWorld():newBody { shape = wing.cube(d, 1), preSolve = 1 } end)
	end

	-- A filter and preSolve together, each with its own colliders; the first error of either is raised.
	function PreSolve.test_with_a_filter()
		local filtered, decided = 0, 0
		local world = new_world(0, -10, {
			filter = function(a, b)
				filtered = filtered + 1
				lu.assertTrue(a ~= b and b:isValid())
				return true
			end,
			preSolve = function(contact)
				decided = decided + 1
				local a, b = contact:getColliders()
				lu.assertTrue(a ~= b and a:isValid() and b:isValid())
			end,
		})
		plate(world, 100, 2, { y = -1, preSolve = true })
		for i = 1, 5 do world:newBody { x = 2 * i, y = 2, shape = wing.cube(d, 1), linearVelocity = wing.vector(0, -100) } end
		steps(world, 10)
		lu.assertTrue(filtered >= 5 and decided >= 5)
	end

	-- A contact that ends takes along the velocity that preSolve has set for it: no snapshot names a contact that is gone.
	function PreSolve.test_a_contact_that_ends_takes_its_surface_along()
		local ends = {
			function(body) body:destroy() end,
			function(body) body:setEnabled(false) end,
			function(body) body:getColliders()[1]:setShape(wing.ball(d, 0.2)) end,
		}
		for _, ending in ipairs(ends) do
			local world = new_world(0, -10, { preSolve = function(contact) set_velocity(contact, 0.5) end })
			plate(world, 90, 2, { y = -1 })
			local bodies = {}
			for i = 1, 3 do bodies[i] = world:newBody { x = 3 * i, y = 0.5, shape = wing.cube(d, 1), preSolve = true } end
			steps(world, 10)
			lu.assertTrue(select(1, bodies[1]:getLinearVelocity()) ~= 0)
			ending(bodies[2])
			lu.assertTrue(world:validate())
			local loaded = collide.load(world:save())
			lu.assertEquals(loaded:hash(), world:hash())
		end
	end

	-- A loaded world, whose function is set again, sleeps on as the saved one does; another function may decide otherwise, and wakes all.
	function PreSolve.test_the_first_function_wakes_nothing()
		local function rough(contact) contact:setFriction(0.3) end
		local world = new_world(0, -10, { preSolve = rough })
		plate(world, 90, 2, { y = -1 })
		for i = 1, 3 do world:newBody { x = 3 * i, y = 0.5, shape = wing.cube(d, 1), preSolve = true } end
		steps(world, 120)
		lu.assertEquals(world:getAwakeCount(), 0)
		local loaded = collide.load(world:save())
		loaded:setPreSolve(rough)
		lu.assertEquals(loaded:getAwakeCount(), 0)
		steps(world, 3)
		steps(loaded, 3)
		lu.assertEquals(loaded:hash(), world:hash())
		loaded:setPreSolve(function(contact) contact:setEnabled(false) end)
		lu.assertEquals(loaded:getAwakeCount(), 3)
	end

	function PreSolve.test_calls_make_no_garbage()
		local calls = 0
		local world = new_world(0, -10, { sleeping = false, preSolve = function(contact)
			calls = calls + 1
			contact:getColliders()
			contact:getNormal()
			contact:getPoints()
			contact:setEnabled(contact:getSpeed() < 100)
			contact:setFriction(0.5)
			contact:setRestitution(0)
			set_velocity(contact, 0.1)
		end })
		local held = { plate(world, 100, 2, { y = -1, preSolve = true }):getColliders() }
		for i = 1, 20 do
			local body = world:newBody { x = 2 * i - 20, y = 0.5, shape = i % 2 == 0 and wing.cube(d, 1) or wing.ball(d, 0.5) }
			held[#held + 1] = { body, body:getColliders() }
		end
		lu.assertEquals(bytes_of(100, function() world:step(1 / 60) end), 0)
		lu.assertTrue(calls > 2000)
	end
end
