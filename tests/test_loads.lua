-- Light bodies under heavy ones: how far contacts yield under a load of any mass ratio, and that energy and momentum are neither gained nor lost.
--
-- Bodies that carry far heavier ones have a greater mass in the solver meanwhile: see burden.h. A contact then yields by a slop, 5 mm.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d = planes[dim]

	local G, SLOP = 10, 0.005

	local function new_world(substeps)
		local world = d.newWorld { gravity = { 0, -G }, substeps = substeps }
		local ground = world:newBody { type = "static", y = -1, shape = d.box(100, 2) }
		return world, ground
	end

	local function box(world, x, y, width, height, density, vy)
		return world:newBody { x = x, y = y, shape = d.box(width, height), density = density, linearVelocity = { 0, vy or 0 } }
	end

	-- Each returns its bodies, the topmost last, and the number of contacts stacked under that one.
	local scenes = {
		column = function(world, ratio)
			return { box(world, 0, 0.25, 0.5, 0.5, 1), box(world, 0, 0.75, 0.5, 0.5, ratio) }, 2
		end,
		alternating = function(world, ratio)
			local bodies = {}
			for i = 0, 5 do bodies[i + 1] = box(world, 0, 0.25 + 0.5 * i, 0.5, 0.5, i % 2 == 0 and 1 or ratio) end
			return bodies, 6
		end,
		lights = function(world, ratio)
			local bodies = {}
			for i = 0, 4 do bodies[i + 1] = box(world, 0, 0.25 + 0.5 * i, 0.5, 0.5, i < 4 and 1 or ratio) end
			return bodies, 5
		end,
		plank = function(world, ratio)
			local posts = { box(world, -1, 0.25, 0.4, 0.5, 1), box(world, 1, 0.25, 0.4, 0.5, 1) }
			return { posts[1], posts[2], box(world, 0, 0.6, 3, 0.2, 1), box(world, 0.3, 0.95, 0.5, 0.5, ratio) }, 3
		end,
		storeys = function(world, ratio)
			local bodies = {}
			for k = 0, 2 do
				for side = -1, 1, 2 do bodies[#bodies + 1] = box(world, 0.7 * side, 0.7 * k + 0.25, 0.5, 0.5, 1) end
				bodies[#bodies + 1] = box(world, 0, 0.7 * k + 0.6, 2.4, 0.2, 1)
			end
			bodies[#bodies + 1] = box(world, 0, 2.35, 1, 0.5, ratio)
			return bodies, 7
		end,
	}

	-- Builds and runs a scene. Returns how far its topmost body sank at most and in the end, the number of contacts under it, and whether all sleep.
	local function settle(build, ratio, hz, substeps)
		local world = new_world(substeps)
		local bodies, contacts = build(world, ratio)
		local top = bodies[#bodies]
		local _, start = top:getPosition()
		local lowest = start
		for _ = 1, 3 * hz do
			world:step(1 / hz)
			local _, y = top:getPosition()
			lowest = math.min(lowest, y)
			if world:getAwakeCount() == 0 then break end
		end
		local _, y = top:getPosition()
		return start - lowest, start - y, contacts, world:getAwakeCount() == 0
	end

	local TestLoads = suite("TestLoads", dim)

	-- A contact keeps the overlap that it has when a burden begins, and reduces it by a slop a second: after some time it is at most a slop deep, however the
	-- body came down. It stayed 5 to 17 mm deep.
	function TestLoads.test_overlap_kept_under_a_load_is_reduced()
		for _, case in ipairs { { 30, 4 }, { 30, 8 }, { 60, 2 }, { 60, 4 } } do
			local world = new_world(case[2])
			world:setSleepingAllowed(false)
			local lower = box(world, 0, 0.5, 1, 1, 1)
			box(world, 0, 1.5, 1, 1, 100)
			for _ = 1, 7 * case[1] do world:step(1 / case[1]) end
			local _, y = lower:getPosition()
			lu.assertTrue(0.5 - y < SLOP + 5e-4, ("at %d Hz, %d sub-steps %.4f m deep"):format(case[1], case[2], 0.5 - y))
		end
	end

	-- A dynamic body of infinite mass is ground, as a static one is.
	function TestLoads.test_a_body_of_infinite_mass_is_ground()
		local function sunk(kind)
			local world = d.newWorld { gravity = { 0, -G } }
			local plate = world:newBody { type = kind, y = -1, shape = d.box(100, 2) }
			if kind == "dynamic" then
				plate:setGravityScale(0)
				plate:setMassData(0, 0, 0, 0)
			end
			box(world, 0, 0.25, 0.5, 0.5, 1)
			local load = box(world, 0, 0.75, 0.5, 0.5, 1000)
			for _ = 1, 120 do world:step(1 / 60) end
			local _, y = load:getPosition()
			return 0.75 - y
		end
		for _, kind in ipairs { "static", "kinematic", "dynamic" } do
			lu.assertTrue(sunk(kind) < 3 * SLOP, ("on a %s body %.4f m"):format(kind, sunk(kind)))
		end
	end

	-- In the end a slop a contact, the same for rounding and oscillation, and the sinking before the load is known, g dt^2 a contact; at most two slops more on
	-- the way.
	function TestLoads.test_loads_of_any_ratio_rest()
		for name, build in pairs(scenes) do
			for _, case in ipairs { { 30 }, { 60 }, { 120 }, { 60, 2 }, { 60, 8 } } do
				for _, ratio in ipairs { 1000, 10000 } do
					local hz, substeps = case[1], case[2]
					local lowest, ends, contacts, sleeps = settle(build, ratio, hz, substeps)
					local said = ("%s %g:1 at %d Hz, %s: %.4f, %.4f"):format(name, ratio, hz, substeps or "default", lowest, ends)
					lu.assertTrue(sleeps, said)
					lu.assertTrue(ends <= contacts * (2 * SLOP + G / hz ^ 2), said)
					lu.assertTrue(lowest <= contacts * (4 * SLOP + G / hz ^ 2), said)
				end
			end
		end
	end

	-- Contacts that become stiffer under a load do not throw it: it rises again by at most a quarter of a slop a contact, the springs' recoil.
	function TestLoads.test_loads_are_not_thrown()
		for name, build in pairs(scenes) do
			for _, hz in ipairs { 30, 60, 120 } do
				for _, ratio in ipairs { 100, 150, 200, 300, 1000, 10000 } do
					local lowest, ends, contacts = settle(build, ratio, hz)
					lu.assertTrue(lowest - ends <= 0.25 * SLOP * contacts, ("%s %g:1 at %d Hz: %.4f m"):format(name, ratio, hz, lowest - ends))
				end
			end
		end
	end

	-- A body that lands on a light box at 3 m/s rebounds no faster than Box2D's at a ratio of 100, which is 1.37 m/s at 60 Hz and 1.39 at 30 Hz.
	function TestLoads.test_heavy_landings_bounce_no_more()
		local function rebound(ratio, hz)
			local world = new_world()
			box(world, 0, 0.25, 0.5, 0.5, 1)
			local falls, fastest = box(world, 0, 0.76, 0.5, 0.5, ratio, -3), 0
			for _ = 1, 2 * hz do
				world:step(1 / hz)
				local _, vy = falls:getLinearVelocity()
				fastest = math.max(fastest, vy)
			end
			return fastest, world:getAwakeCount()
		end
		for _, hz in ipairs { 30, 60, 120 } do
			for _, ratio in ipairs { 100, 1000, 10000 } do
				local fastest, awake = rebound(ratio, hz)
				local said = ("%g:1 at %d Hz: %.2f"):format(ratio, hz, fastest)
				lu.assertTrue(fastest <= 1.37, said)
				lu.assertEquals(awake, 0, said)
			end
		end
	end

	-- The ground carries the total weight, whatever mass the solver gives to light bodies.
	function TestLoads.test_the_ground_bears_the_weight()
		for _, hz in ipairs { 30, 60 } do
			local world, ground = new_world()
			local bodies = scenes.column(world, 1000)
			local weight = 0
			for _, body in ipairs(bodies) do
				body:setSleepingAllowed(false)
				weight = weight + body:getMass() * G
			end
			for _ = 1, 2 * hz do world:step(1 / hz) end
			local sum = 0
			for _ = 1, hz do
				world:step(1 / hz)
				for a, b, _, _, _, _, _, impulse in world:contacts() do
					if a:getBody() == ground or b:getBody() == ground then sum = sum + impulse end
				end
			end
			lu.assertAlmostEquals(sum, weight, 0.001 * weight)
		end
	end

	-- Without a ground momentum is kept: a light box between two heavy ones that collide, and a row of light ones that is pushed along.
	function TestLoads.test_momentum_is_kept()
		for _, count in ipairs { 1, 6 } do
			local world = d.newWorld { gravity = { 0, 0 } }
			local bodies = { box(world, -1, 0, 0.5, 0.5, 1000) }
			bodies[1]:setLinearVelocity(4, 0)
			for i = 1, count do bodies[#bodies + 1] = box(world, 0.5 * i - 0.5, 0, 0.5, 0.5, 1) end
			bodies[#bodies + 1] = box(world, 0.5 * count + 0.1, 0, 0.5, 0.5, 1000)
			local function momentum()
				local sum = 0
				for _, body in ipairs(bodies) do sum = sum + body:getMass() * (body:getLinearVelocity()) end
				return sum
			end
			local before = momentum()
			for _ = 1, 60 do
				world:step(1 / 60)
				lu.assertAlmostEquals(momentum(), before, 1e-4 * before)
			end
		end
	end

	-- Light boxes under a load of 100:1 are thrown up together. In flight nothing opposes the load: they fall by their true mass from 0.05 s after leaving the
	-- ground on. Until then they may have 100 times their mass, and lose that much of g t. They fell with a quarter to two thirds of it.
	function TestLoads.test_boxes_flying_under_a_load_fall_by_their_weight()
		for _, count in ipairs { 1, 2, 8 } do for _, hz in ipairs { 30, 60, 120 } do
			local world, bodies, mass = new_world(), {}, 0
			for i = 0, count do
				bodies[i + 1] = box(world, 0, 0.25 + 0.5 * i, 0.5, 0.5, i < count and 1 or 100)
				mass = mass + bodies[i + 1]:getMass()
			end
			for _ = 1, hz / 2 do world:step(1 / hz) end
			for _, body in ipairs(bodies) do body:setLinearVelocity(0, 5) end
			local fallen, time, lost = 0, 0.4, 0.05 + 2 / hz
			for _ = 1, time * hz + 0.5 do world:step(1 / hz) end
			for _, body in ipairs(bodies) do fallen = fallen + body:getMass() * (5 - select(2, body:getLinearVelocity())) / mass end
			lu.assertTrue(fallen > G * (time - lost) and fallen < 1.01 * G * time, ("%d boxes at %d Hz: %.2f m/s of %g"):format(count, hz, fallen, G * time))
		end end
	end

	-- Wide boxes put under a load all at once sink in by up to half of their height before the load is known. They are pushed apart at less than 1 m/s, so the
	-- energy does not exceed that at the start. 28 of them threw the load up by 8 to 48 m.
	function TestLoads.test_boxes_sunk_under_a_load_do_not_throw_it()
		for _, count in ipairs { 26, 28, 40 } do for _, ratio in ipairs { 100, 1000 } do
			local world, bodies, weight, most, first = new_world(), {}, 0, 0, nil
			for i = 0, count do
				bodies[i + 1] = box(world, 0, 0.25 + 0.5 * i, 2, 0.5, i < count and 1 or ratio)
				weight = weight + bodies[i + 1]:getMass() * G
			end
			for _ = 0, 5 * 60 do
				local energy = 0
				for _, body in ipairs(bodies) do energy = energy + body:getKineticEnergy() + body:getMass() * G * select(2, body:getPosition()) end
				first = first or energy
				most = math.max(most, (energy - first) / weight)
				world:step(1 / 60)
			end
			lu.assertTrue(most < 0.01, ("%d boxes, %d:1: %.3f m"):format(count, ratio, most))
		end end
	end

	-- A load that is removed and put back twice a second leaves a column of light boxes in place. They floated up, drifted aside, and fell.
	function TestLoads.test_loads_put_on_and_removed_leave_the_column_in_place()
		for _, hz in ipairs { 30, 60 } do for _, ratio in ipairs { 300, 1000 } do for aside = -2, 2 do
			local world, bodies = new_world(), {}
			for i = 1, 3 do bodies[i] = box(world, 0.001 * aside * (i % 2), 0.5 * i - 0.25, 0.5, 0.5, 1) end
			for time = 1, 8 do
				local load = box(world, 0, select(2, bodies[3]:getPosition()) + 0.501, 0.5, 0.5, ratio)
				for _ = 1, hz / 2 do world:step(1 / hz) end
				if time < 8 then load:destroy() end
				for _ = 1, hz / 2 do world:step(1 / hz) end
			end
			for i, body in ipairs(bodies) do
				local x, y = body:getPosition()
				lu.assertTrue(math.abs(x) < 0.1 and math.abs(y - 0.5 * i + 0.25) < 0.1, ("%d Hz, %d:1, %d: box %d at %.3f, %.3f"):format(hz, ratio, aside, i, x, y))
			end
		end end end
	end

	-- A load slides on a slab on ice: along the ice momentum is kept to a few rounding errors, 2^-24 of it, in each of 240 sub-steps.
	function TestLoads.test_a_load_on_ice_keeps_its_momentum()
		for _, ratio in ipairs { 30, 1000, 1e5 } do
			local world, ground = new_world()
			ground:getColliders()[1]:setFriction(0)
			local slab, load = box(world, 0, 0.25, 6, 0.5, 1), box(world, -2, 0.75, 0.5, 0.5, 12 * ratio)
			load:setLinearVelocity(2, 0)
			local start = 2 * load:getMass()
			for _ = 1, 60 do
				world:step(1 / 60)
				local momentum = slab:getMass() * slab:getLinearVelocity() + load:getMass() * load:getLinearVelocity()
				lu.assertAlmostEquals(momentum / start, 1, 1e-4, tostring(ratio))
			end
		end
	end

	-- A load that lands on a ball on ice, off its top, presses it down and aside. There is ground only below.
	function TestLoads.test_a_load_leaning_on_ice_keeps_its_momentum()
		for _, ratio in ipairs { 100, 1000 } do for _, hz in ipairs { 30, 60, 120 } do for lean = 1, 19, 3 do
			local world = d.newWorld { gravity = { 0, -G }, sleeping = false }
			world:newBody { type = "static", y = -1, shape = d.box(100, 2), friction = 0 }
			local function ball(x, y, mass, vy)
				return world:newBody { x = x, y = y, shape = d.circle(0.5), friction = 0, mass = mass, linearVelocity = { 0, vy } }
			end
			local x = lean / 20
			local light, load = ball(0, 0.5, 1, 0), ball(-x, 0.52 + math.sqrt(1 - x * x), ratio, -2)
			for _ = 1, hz do
				world:step(1 / hz)
				local momentum = light:getLinearVelocity() + ratio * load:getLinearVelocity()
				lu.assertAlmostEquals(momentum / (2 * ratio), 0, 1e-4, ("%g:1 at %d Hz, %g aside"):format(ratio, hz, x))
			end
		end end end
	end

	-- On a slope that holds them by friction, a load presses the plank under it against the slope and down along it. The plank stays under its load: no body
	-- gets faster than by a fall through a slop at each of the two contacts.
	function TestLoads.test_a_plank_between_a_load_and_a_slope_is_not_thrown()
		for _, slope in ipairs { 0.1, 0.2, 0.3 } do for _, ratio in ipairs { 100, 1000, 1e4 } do for _, hz in ipairs { 30, 60, 120 } do
			local world = d.newWorld { gravity = { 0, -G } }
			local c, s = math.cos(slope), math.sin(slope)
			local function lay(height, width, thick, density, kind)
				local y = height + thick / 2
				return world:newBody { type = kind, x = s * y, y = c * y, angle = -slope, shape = d.box(width, thick), density = density, friction = 0.6 }
			end
			lay(-1, 20, 1, 1, "static")
			local plank, load = lay(0, 1, 0.2, 1, "dynamic"), lay(0.2, 1, 1, ratio, "dynamic")
			for _ = 1, hz do
				world:step(1 / hz)
				for _, body in ipairs { plank, load } do
					local vx, vy = body:getLinearVelocity()
					local speed = math.sqrt(vx * vx + vy * vy)
					lu.assertTrue(speed < math.sqrt(2 * G * 2 * SLOP), ("%g rad, %g:1, %d Hz: %.2f m/s"):format(slope, ratio, hz, speed))
				end
			end
		end end end
	end

	-- When a load is removed, the body under it rises by no more than it had yielded, and a slop.
	function TestLoads.test_a_body_without_its_load_stays_down()
		for _, ratio in ipairs { 100, 1e4, 1e5 } do for _, hz in ipairs { 30, 60 } do
			local world = new_world()
			local light = box(world, 0, 0.25, 0.5, 0.5, 1)
			for _ = 1, 3 do
				local load = box(world, 0.05, 0.755, 0.5, 0.5, ratio)
				for _ = 1, hz / 2 do world:step(1 / hz) end
				load:destroy()
				for _ = 1, hz / 2 do
					world:step(1 / hz)
					local _, y = light:getPosition()
					lu.assertTrue(y < 0.25 + SLOP, ("%g, %d Hz: %.3f m"):format(ratio, hz, y))
				end
			end
		end end
	end

	-- A light lever under a heavy weight yields as fast as the weight falls: its pivot is no ground that opposes it. A lever as heavy as the weight would halve
	-- that.
	function TestLoads.test_a_lever_is_no_heavier()
		local world, time = new_world(), 0.3
		world:newBody { type = "static", y = 0.5, shape = d.circle(0.2) }
		box(world, 0, 0.75, 4, 0.1, 1)
		local weight = box(world, 1.6, 1.06, 0.5, 0.5, 1000)
		local _, before = weight:getPosition()
		for _ = 1, 60 * time do world:step(1 / 60) end
		local _, y = weight:getPosition()
		lu.assertAlmostEquals(before - y, G * time ^ 2 / 2, 0.05 * G * time ^ 2 / 2)
	end
end
