-- world:advance makes fixed steps of frames of any length: the steps, their events and the poses between them.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local suite, wings, random_numbers = support.suite, support.wings, support.random_numbers

local DT = 1 / 60
local huge = math.huge

for _, dim in ipairs { "d2", "d3" } do
	local d, wing = collide[dim], wings[dim]
	local vector, numbers, axes = wing.vector, wing.numbers, dim == "d2" and 2 or 3

	local function raises(text, f, ...)
		local ok, message = pcall(f, ...)
		lu.assertFalse(ok, "expected an error with: " .. text)
		lu.assertStrContains(tostring(message), text)
	end

	local function rotation_of(...)
		if axes == 2 then return (...) end
		local _, _, z, w = ...
		return 2 * (math.atan2 or math.atan)(z, w)
	end

	local function set_rotation(body, angle)
		if axes == 2 then body:setAngle(angle) else body:setRotation(0, 0, math.sin(angle / 2), math.cos(angle / 2)) end
	end

	-- --- Steps ------------------------------------------------------------------------------------------------------------------

	local TestAdvance = suite("TestAdvance", dim)

	-- 500 bodies that fall through sensors onto a lively floor, joints that overload and break, and a script that creates, destroys, disables, moves and pushes
	-- in each tick. All choices depend on the tick alone.
	local function new_scene(options)
		options.gravity = vector(0, -10)
		local world = d.newWorld(options)
		local random, choice = random_numbers(7)
		local bodies, joints, count = {}, {}, 0
		local function add(settings)
			count = count + 1
			settings.data, settings.name, settings.friction = count, "body " .. count, 0.5
			local body = world:newBody(settings)
			for i, collider in ipairs(body:getColliders()) do collider.data = count + i / 10 end
			return body
		end
		local function ball(x, y)
			return add { x = x, y = y, shape = wing.ball(d, 0.2), restitution = 0.3, linearVelocity = vector(random(-2, 2), random(-4, 0)) }
		end
		local function hang(body, load)
			local x, y = body:getPosition()
			joints[#joints + 1] = world:newDistanceJoint { bodyB = body, pointA = vector(x, y + 0.5), pointB = vector(x, y), forceThreshold = load, breakable = load > 3,
				data = #joints + 1, name = "joint " .. #joints + 1 }
		end
		add { type = "static", y = -1, shape = wing.floor(d) }
		add { type = "static", y = 1, shape = axes == 2 and d.box(30, 0.5) or d.box(30, 0.5, 30), sensor = true }
		local lift = add { type = "kinematic", y = 0.2, shape = wing.cube(d, 0.4), linearVelocity = vector(3, 0) }
		for i = 1, 496 do
			bodies[i] = ball(i % 40 * 0.5 - 10, 1 + math.floor(i / 40) * 0.5)
			if i % 25 == 0 then hang(bodies[i], i % 50 == 0 and 1.5 or 4) end
		end
		return world, function(_, tick)
			local i = choice(#bodies)
			local body = bodies[i]
			local kind = tick % 6
			lift:setLinearVelocity(numbers(tick % 120 < 60 and 3 or -3, 0))
			if kind == 0 then
				body:destroy()
				bodies[i] = ball(random(-10, 10), random(2, 8))
			elseif kind == 1 then
				body:setPosition(numbers(random(-10, 10), random(1, 8)))
			elseif kind == 2 then
				body:setEnabled(not body:isEnabled())
			elseif kind == 3 then
				body:applyImpulse(numbers(random(-1, 1), random(0, 1)))
			elseif kind == 4 then
				if body:isEnabled() then hang(body, random(1, 8)) end
			else
				body:setType(body:getType() == "dynamic" and "static" or "dynamic")
				local joint = joints[choice(#joints)]
				joint:destroy()
			end
		end
	end

	local function text_of(value)
		if type(value) == "number" then return ("%.17g"):format(value) end
		if type(value) == "userdata" then return tostring(value.data) end
		return tostring(value)
	end

	local loops = { "beginContacts", "endContacts", "hits", "beginOverlaps", "endOverlaps", "jointEvents" }

	-- Appends the rows of a loop as lines.
	local function read(world, name, lines)
		local next_row, state, control = world[name](world)
		while true do
			local row = { next_row(state, control) }
			control = row[1]
			if control == nil then return end
			for i = 1, #row do row[i] = text_of(row[i]) end
			lines[#lines + 1] = table.concat(row, " ")
		end
	end

	-- A run in single steps: by tick, the hash and the rows of each loop.
	local ticks_made, reference = 150, nil
	local function reference_run()
		if reference then return reference end
		reference = {}
		local world, update = new_scene { workers = 1 }
		for tick = 1, ticks_made do
			update(world, tick)
			world:step(DT)
			local record = { hash = world:hash(), moved = {} }
			for _, name in ipairs(loops) do
				record[name] = {}
				read(world, name, record[name])
			end
			for body, x, y, r in world:moved() do record.moved[#record.moved + 1] = { body.data, x, y, r } end
			reference[tick] = record
		end
		return reference
	end

	-- Frames of 1 ms to 0.3 s are the steps that a fixed loop makes, each tick's events are told once and in order, and a body that was awake in any tick is told
	-- once, with its pose after the last tick.
	for _, case in ipairs { { name = "all_time", maxTicks = 40 }, { name = "time_dropped", maxTicks = 5 } } do
		TestAdvance["test_frames_of_any_length_are_fixed_steps_with_" .. case.name] = function()
			local expected = reference_run()
			local world, update = new_scene { workers = 2, maxTicks = case.maxTicks, timestep = DT }
			local random = random_numbers(case.maxTicks)
			local told, due, frames_without = {}, 0, 0
			for _, name in ipairs(loops) do told[name] = 0 end
			local last, first = 0, 1
			while last + case.maxTicks < ticks_made do
				local dt = random(0, 1) < 0.5 and random(0.001, 0.02) or random(0.001, 0.3)
				local ticks, alpha = world:advance(dt, update)
				due = due + dt
				first, last = last + 1, last + ticks
				lu.assertEquals(world:getTick(), last)
				lu.assertTrue(ticks <= case.maxTicks and alpha >= 0 and alpha < 1 and alpha == world:getAlpha())
				if case.maxTicks == 40 then lu.assertAlmostEquals(due, (last + alpha) * DT, 1e-12) end
				if ticks == 0 then frames_without = frames_without + 1 else lu.assertEquals(world:hash(), expected[last].hash) end
				for _, name in ipairs(loops) do
					local lines, wanted = {}, {}
					read(world, name, lines)
					for tick = first, last do for _, line in ipairs(expected[tick][name]) do wanted[#wanted + 1] = line end end
					if table.concat(lines, "\n") ~= table.concat(wanted, "\n") then lu.assertEquals(lines, wanted, name .. " of ticks " .. first .. " to " .. last) end
					told[name] = told[name] + #lines
				end
				local awake, listed = {}, {}
				for tick = first, last do for _, row in ipairs(expected[tick].moved) do awake[row[1]] = true end end
				for body, x, y, r in world:moved() do
					lu.assertNil(listed[body.data])
					listed[body.data] = true
					lu.assertTrue(awake[body.data])
					local x1, y1, r1 = body:getTransform()
					lu.assertTrue(x == x1 and y == y1 and r == r1)
				end
				for _, row in ipairs(ticks > 0 and expected[last].moved or {}) do lu.assertTrue(listed[row[1]]) end
				world:validate()
			end
			for name, count in pairs(told) do lu.assertTrue(count >= 10, name .. " " .. count) end
			lu.assertTrue(frames_without >= 3)
		end
	end

	-- `fellAsleep` says whether the body sleeps after the last tick: one that slept and woke within one advance does not.
	function TestAdvance.test_moved_tells_what_sleeps_after_the_last_tick()
		local world = d.newWorld { gravity = vector(0, 0), maxTicks = 100 }
		local still = world:newBody { shape = wing.ball(d, 0.5), data = "still" }
		local woken = world:newBody { x = 5, shape = wing.ball(d, 0.5), data = "woken" }
		local gone = world:newBody { x = 9, shape = wing.ball(d, 0.5), data = "gone" }
		lu.assertEquals(world:advance(60.5 / 60, function(_, tick)
			if tick == 50 then
				lu.assertFalse(still:isAwake() or woken:isAwake())
				woken:setAwake(true)
				gone:destroy()
			end
		end), 60)
		local lines = {}
		read(world, "moved", lines)
		lu.assertEquals(lines, axes == 2 and { "still 0 0 0 true", "woken 5 0 0 false" } or { "still 0 0 0 0 0 0 1 true", "woken 5 0 0 0 0 0 1 false" })
	end

	-- --- Time -------------------------------------------------------------------------------------------------------------------

	-- Counted independently with integers: all durations are multiples of 2^-62 s, as a pair of numbers below 2^31 and 2^31.
	function TestAdvance.test_time_does_not_drift()
		local unit = 2 ^ 31
		local function parts(seconds)
			local high = math.floor(seconds * unit)
			return high, (seconds * unit - high) * unit
		end
		for _, timestep in ipairs { 1 / 60, 0.01, 1 / 144 } do
			local world = d.newWorld { timestep = timestep, maxTicks = 40 }
			local random = random_numbers(3)
			local step_high, step_low = parts(timestep)
			local high, low, count = 0, 0, 0
			for frame = 1, 20000 do
				-- cut to multiples of 2^-62, which durations below 2^-9 s need not be
				local h, l = parts(frame % 2 == 0 and 0.1 / 7 or random(0.002, 0.02))
				l = math.floor(l)
				high, low = high + h, low + l
				local ticks, alpha = world:advance((h + l / unit) / unit)
				if low >= unit then high, low = high + 1, low - unit end
				local made = 0
				while high > step_high or high == step_high and low >= step_low do
					high, low, made = high - step_high, low - step_low, made + 1
					if low < 0 then high, low = high - 1, low + unit end
				end
				count = count + made
				if ticks ~= made then lu.fail(("frame %d: %d ticks, not %d"):format(frame, ticks, made)) end
				lu.assertAlmostEquals(alpha, (high * unit + low) / (step_high * unit + step_low), 1e-15)
			end
			lu.assertEquals(world:getTick(), count)
			lu.assertAlmostEquals(world:getTime(), count * timestep, 1e-16 * count * timestep)
		end
	end

	function TestAdvance.test_time_is_the_sum_of_the_steps()
		local world = d.newWorld()
		lu.assertEquals({ world:getTime(), world:getAlpha(), world:getTimestep(), world:getMaxTicks() }, { 0, 1, DT, 5 })
		for _ = 1, 100000 do world:step(0.001) end
		lu.assertEquals(world:getTime(), 100000 * 0.001)
		local ticks, alpha = world:advance(2.5 * DT)
		lu.assertEquals(ticks, 2)
		lu.assertAlmostEquals(alpha, 0.5, 1e-15)
		lu.assertAlmostEquals(world:getTime(), 100 + 2 * DT, 1e-13)
		world:step(0.25)
		lu.assertEquals(world:getAlpha(), 1)
		lu.assertEquals({ world:advance(0) }, { 0, alpha })
	end

	-- What maxTicks steps cannot make up for is dropped but for the rest of a step.
	function TestAdvance.test_long_frames_drop_time()
		local world = d.newWorld { timestep = 1 / 64, maxTicks = 3 }
		lu.assertEquals({ world:advance(10 / 64 + 1 / 256) }, { 3, 0.25 })
		lu.assertEquals({ world:advance(0) }, { 0, 0.25 })
		lu.assertEquals({ world:advance(1e9) }, { 3, 0.25 })
		lu.assertEquals({ world:advance(0.75 / 64) }, { 1, 0 })
		world:setMaxTicks(12)
		lu.assertEquals({ world:advance(12.5 / 64) }, { 12, 0.5 })
		world:setTimestep(1 / 16)
		lu.assertEquals({ world:getTimestep(), world:getAlpha() }, { 1 / 16, 0.5 })
		lu.assertEquals({ world:advance(0.25 / 16) }, { 0, 0.75 })
		lu.assertEquals({ world:advance(0.25 / 16) }, { 1, 0 })
	end

	-- --- Poses ------------------------------------------------------------------------------------------------------------------

	local TestRenderPoses = suite("TestRenderPoses", dim)

	-- 500 bodies that fly and turn freely, their centres of mass off their origins: at any time shown, a render pose is the analytic one of that time, a step late.
	-- Floats lose 2^-24 of a sub-step's path and, in a rotation, some 2^-23 in each sub-step; a millimetre and a milliradian are 100 times as much.
	function TestRenderPoses.test_poses_between_steps_are_exact_for_uniform_motion()
		local world = d.newWorld { gravity = vector(0, 0), maxTicks = 20 }
		local random, list = random_numbers(5), {}
		for i = 1, 500 do
			local x, y, vx, vy, w = i * 3, random(-50, 50), random(-20, 20), random(-20, 20), random(-6, 6)
			local shape = axes == 2 and d.circle(0.5, 0.3, 0.4) or d.sphere(0.5, 0.3, 0.4, 0)
			local body = world:newBody { x = x, y = y, shape = shape, sensor = true, linearVelocity = vector(vx, vy),
				angularVelocity = axes == 2 and w or { 0, 0, w } }
			list[i] = { body = body, x = x + 0.3, y = y + 0.4, vx = vx, vy = vy, w = w }
		end
		local worst, worst_angle = 0, 0
		for _ = 1, 60 do
			local _, alpha = world:advance(random(0.001, 0.1))
			local t = math.max(0, world:getTime() - (1 - alpha) * DT)
			if world:getTick() == 0 then t = 0 end
			for _, each in ipairs(list) do
				local turned = each.w * t
				local c, s = math.cos(turned), math.sin(turned)
				local x, y = each.x + each.vx * t - (0.3 * c - 0.4 * s), each.y + each.vy * t - (0.3 * s + 0.4 * c)
				local px, py = each.body:getRenderPosition()
				local angle = rotation_of(each.body[axes == 2 and "getRenderAngle" or "getRenderRotation"](each.body))
				worst = math.max(worst, math.abs(px - x), math.abs(py - y))
				worst_angle = math.max(worst_angle, math.abs(math.sin(0.5 * (angle - turned))))
			end
		end
		lu.assertTrue(worst < 1e-3 and worst_angle < 1e-3, ("%g %g"):format(worst, worst_angle))
	end

	local function transform(body) return { body:getTransform() } end
	local function shown(body) return { body:getRenderTransform() } end

	-- At the share 0 the pose is that before the last step, to the bit; after world:step it is the pose itself.
	function TestRenderPoses.test_the_ends_are_the_poses_of_the_steps()
		local world = d.newWorld { timestep = 1 / 64 }
		local body = world:newBody { y = 5, shape = wing.cube(d, 1), linearVelocity = vector(3, 1), angularVelocity = axes == 2 and 2 or { 1, 2, 3 } }
		for _ = 1, 10 do
			local before = transform(body)
			lu.assertEquals({ world:advance(1 / 64) }, { 1, 0 })
			lu.assertEquals(shown(body), before)
			lu.assertNotEquals(transform(body), before)
		end
		world:step(1 / 64)
		lu.assertEquals(shown(body), transform(body))
		local x, y = body:getRenderPosition()
		lu.assertEquals({ x, y }, { body:getPosition(), (select(2, body:getPosition())) })
	end

	-- A body that is put elsewhere is shown there at once, and moves on from there.
	function TestRenderPoses.test_teleports_do_not_smear()
		local function lift(body) body:setPosition(numbers(70, 80)) end
		local cases = {
			lift,
			function(body) body:setTransform((table.unpack or unpack)(axes == 2 and { 70, 80, 1 } or { 70, 80, 0, 0, 0, 0, 1 })) end,
			function(body) set_rotation(body, 3) end,
			function(body) body:setEnabled(false) end,
			function(body) body:setEnabled(false) body:setEnabled(true) end,
			function(body) body:setType "static" end,
			function(body) body:setType "kinematic" end,
			function(body) body:setAwake(false) end,
			function(body) body:setAwake(false) body:setAwake(true) end,
		}
		for i, change in ipairs(cases) do
			local world = d.newWorld { gravity = vector(0, 0), timestep = 1 / 64 }
			local body = world:newBody { shape = wing.cube(d, 1), linearVelocity = vector(8, 0), angularVelocity = axes == 2 and 3 or { 0, 0, 3 } }
			world:advance(2.5 / 64)
			lu.assertNotEquals(shown(body), transform(body))
			change(body)
			lu.assertEquals(shown(body), transform(body), "case " .. i)
			local from = transform(body)[1]
			world:advance(1 / 64)
			lu.assertAlmostEquals(shown(body)[1], (from + transform(body)[1]) / 2, 1e-6)
		end
	end

	-- interpolated() lists the bodies of moved(), also after advances without a step, when moved() lists none.
	function TestRenderPoses.test_loops_over_poses()
		local world = d.newWorld { gravity = vector(0, -10), timestep = 1 / 64, maxTicks = 100 }
		world:newBody { type = "static", y = -1, shape = wing.floor(d) }
		local bodies = {}
		for i = 1, 20 do bodies[i] = world:newBody { x = 2 * i, y = i / 2, shape = wing.ball(d, 0.5), data = i } end
		local function rows(name)
			local list, count = {}, 0
			for body, x, y, r in world[name](world) do
				local first = name == "moved" and transform(body) or shown(body)
				lu.assertEquals({ x, y, r }, { first[1], first[2], first[3] })
				list[body], count = true, count + 1
			end
			return list, count
		end
		local asleep = 0
		for frame = 1, 400 do
			local ticks = world:advance(frame % 3 == 0 and 2 / 64 or 0.4 / 64)
			local moved, count = rows "moved"
			local interpolated, also = rows "interpolated"
			if ticks > 0 then lu.assertEquals(interpolated, moved) else lu.assertEquals({ count, world:getTick() == 0 or also > 0 or asleep == 20 }, { 0, true }) end
			if frame == 30 then
				bodies[20]:destroy()
				lu.assertNil(rows "interpolated"[bodies[20]])
			end
			asleep = 20 - world:getAwakeCount()
		end
		lu.assertEquals(world:getAwakeCount(), 0)
		lu.assertEquals(select(2, rows "interpolated"), 0)
	end

	-- --- What may go wrong --------------------------------------------------------------------------------------------------------

	local TestAdvanceErrors = suite("TestAdvanceErrors", dim)

	function TestAdvanceErrors.test_arguments()
		local world = d.newWorld()
		local advance = world.advance
		raises("advance: dt must be a finite number, got nan", advance, world, 0 / 0)
		raises("advance: dt must be >= 0, got -0.5", advance, world, -0.5)
		raises("advance: dt must be a finite number, got inf", advance, world, huge)
		raises("advance: dt must be", advance, world, 1e10)
		raises("advance: dt must be a finite number, got \"1\"", advance, world, "1")
		raises("advance: dt must be a finite number, got nothing", advance, world)
		raises("advance: onTick must be a function or nil, got 3", advance, world, 1, 3)
		for _, bad in ipairs { 0, -1, 61, 0 / 0, huge, "x" } do
			raises("setTimestep: timestep must be", world.setTimestep, world, bad)
			raises("newWorld: timestep must be", d.newWorld, { timestep = bad })
		end
		for _, bad in ipairs { 0, 1.5, 10001, "x" } do
			raises("setMaxTicks: ticks must be", world.setMaxTicks, world, bad)
			raises("newWorld: maxTicks must be", d.newWorld, { maxTicks = bad })
		end
		lu.assertEquals({ world:getTick(), world:getAlpha(), world:getTimestep(), world:getMaxTicks() }, { 0, 1, DT, 5 })
	end

	-- The ticks before an error are made and told; the time of the others is dropped.
	function TestAdvanceErrors.test_errors_of_the_callback_end_the_advance()
		local world = d.newWorld { gravity = vector(0, 0), timestep = 1 / 64 }
		world:newBody { type = "static", shape = wing.ball(d, 1) }
		world:newBody { x = 1.5, shape = wing.ball(d, 1), linearVelocity = vector(3, 0) }
		raises("no more", world.advance, world, 4.25 / 64, function(_, tick) if tick == 3 then error "no more" end end)
		lu.assertEquals({ world:getTick(), world:getAlpha(), world:isLocked() }, { 2, 0.25, false })
		local begins = 0
		for _ in world:beginContacts() do begins = begins + 1 end
		lu.assertEquals(begins, 1)
		local object = {}
		local ok, err = pcall(world.advance, world, 1 / 64, function() error(object) end)
		lu.assertEquals({ ok, err == object, world:getTick() }, { false, true, 2 })
		lu.assertEquals({ world:advance(0.75 / 64) }, { 1, 0 })
		world:validate()
	end

	function TestAdvanceErrors.test_no_step_within_the_callback()
		local world = d.newWorld()
		for _, name in ipairs { "step", "advance" } do
			raises(name .. ": called from inside the onTick of world:advance", world.advance, world, DT, function() world[name](world, DT) end)
		end
		lu.assertEquals(world:getTick(), 0)
		local other = d.newWorld()
		world:advance(DT, function() other:advance(2 * DT) end)
		lu.assertEquals({ world:getTick(), other:getTick() }, { 1, 2 })
		raises("advance: world is destroyed", world.advance, world, DT, function() world:destroy() end)
		raises("advance: world is destroyed", world.advance, world, DT)
		raises("attempt to yield", coroutine.wrap(function() other:advance(DT, coroutine.yield) end))
		lu.assertEquals({ other:getTick(), other:advance(DT) }, { 2, 1, 0 })
	end

	-- An error of the filter ends the advance after its step; a filter may not advance.
	function TestAdvanceErrors.test_errors_of_filters()
		local world
		world = d.newWorld { gravity = vector(0, 0), filter = function() world:advance(1) end }
		world:newBody { shape = wing.ball(d, 1) }
		world:newBody { x = 1, shape = wing.ball(d, 1) }
		raises("advance: world is locked", world.advance, world, 3.5 * DT)
		lu.assertEquals({ world:getTick(), world:isLocked() }, { 1, false })
		lu.assertAlmostEquals(world:getAlpha(), 0.5, 1e-12)
	end

	-- A loop begun before an advance does not go on after it, even without a step; events of earlier steps are not told again to the callback.
	function TestAdvanceErrors.test_loops_over_events_around_an_advance()
		local world = d.newWorld { gravity = vector(0, 0), timestep = 1 / 64 }
		for i = 1, 2 do world:newBody { x = i, shape = wing.ball(d, 1), sleepingAllowed = false } end
		world:advance(1 / 64)
		raises("the world was stepped during a loop", function() for _ in world:moved() do world:advance(0) end end)
		local counts = {}
		world:step(1 / 64)
		world:advance(2 / 64, function()
			local count = 0
			for _ in world:moved() do count = count + 1 end
			counts[#counts + 1] = count
		end)
		lu.assertEquals(counts, { 0, 2 })
		world:advance(0)
		for _ in world:moved() do lu.fail "told again" end
		local touching = 0
		for _ in world:contacts() do touching = touching + 1 end
		lu.assertTrue(touching > 0)
	end

	-- Objects that events of an earlier tick name stay the same Lua objects, with their data, when a later tick destroys them and uses their ids again.
	function TestAdvanceErrors.test_events_name_what_later_ticks_destroy()
		local world = d.newWorld { gravity = vector(0, -10), maxTicks = 10 }
		local a = world:newBody { type = "static", shape = wing.ball(d, 1) }
		local b = world:newBody { x = 1.5, shape = wing.ball(d, 1) }
		local ball = world:newBody { x = 50, y = -1, shape = wing.ball(d, 0.2) }
		local joint = world:newDistanceJoint { bodyB = ball, pointA = vector(50, 0), pointB = vector(50, -1), forceThreshold = 0.01, data = "joint" }
		local breaks = world:newDistanceJoint { bodyB = ball, pointA = vector(50, 0), pointB = vector(50, -1), forceThreshold = 0.01, breakable = true, data = "breaks" }
		local collider = b:getColliders()[1]
		collider.data = "collider"
		world:advance(8 * DT, function(_, tick)
			if tick == 3 then joint:destroy() end
			if tick == 4 then b:destroy() end
			if tick > 4 then
				world:newBody { x = 10 * tick, y = 30, shape = wing.ball(d, 1) }
				world:newDistanceJoint { bodyB = ball, pointA = vector(50, 0), pointB = vector(50, -1), data = tick }
			end
		end)
		local seen = {}
		for one, other in world:beginContacts() do seen[#seen + 1] = (one == collider or other == collider) and collider.data end
		for one, other in world:endContacts() do seen[#seen + 1] = (one == collider or other == collider) and collider.data end
		lu.assertEquals(seen, { "collider", "collider" })
		seen = {}
		for each, _, _, broken in world:jointEvents() do
			lu.assertTrue(each == joint or each == breaks)
			seen[#seen + 1] = each.data .. tostring(broken)
		end
		table.sort(seen)
		lu.assertEquals(seen, { "breakstrue", "jointfalse", "jointfalse" })
		lu.assertFalse(joint:isValid() or breaks:isValid() or collider:isValid())
		lu.assertEquals(a:isValid(), true)
	end
end
