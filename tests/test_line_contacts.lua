-- Contacts along a line: logs, legs and planks on narrower bodies, parallel round bodies, and long thin bodies that roll. Bounds that are Box3D's figures
-- (30c67b5, the same scene) are marked.
local lu = require "luaunit"
local d3 = require("collide").d3

local SLOP, MARGIN = 0.005, 0.02 -- resting penetration of contacts, and speculative margin [m]

local along_x = { qx = 0, qy = 0, qz = math.sqrt(0.5), qw = math.sqrt(0.5) }

-- A log of that radius and length, along x.
local logs = {
	capsule = function(r, l) return d3.capsule(r - l / 2, 0, 0, l / 2 - r, 0, 0, r) end,
	cylinder = function(r, l) return d3.cylinder(r, l, along_x) end,
	["tapered capsule"] = function(r, l) return d3.taperedCapsule(r - l / 2, 0, 0, r, l / 2 - r, 0, 0, 0.999 * r) end,
	prism = function(r, l)
		local points = {}
		for i = 1, 12 do
			local angle = (i - 0.5) * math.pi / 6
			for _, x in ipairs { -l / 2, l / 2 } do
				local n = #points
				points[n + 1], points[n + 2], points[n + 3] = x, r * math.cos(angle), r * math.sin(angle)
			end
		end
		return d3.hull(points)
	end,
}
local round = { "capsule", "cylinder" }
local kinds = { "capsule", "cylinder", "tapered capsule", "prism" }

local function about(axis, angle)
	local s = math.sin(angle / 2)
	return { axis == "x" and s or 0, axis == "y" and s or 0, axis == "z" and s or 0, math.cos(angle / 2) }
end

local function pose(y, q) return d3.pose(0, y, 0, q[1], q[2], q[3], q[4]) end

local function pose_of(body) return d3.pose(body:getTransform()) end

-- The contact points of b on top of a at the penetration `deep`.
local function points_of(a, b, q, deep)
	local low, high = 0, 3
	for _ = 1, 50 do
		local y = (low + high) / 2
		if d3.distance(a, nil, b, pose(y, q)) < -deep then low = y else high = y end
	end
	local world = d3.newWorld { gravity = { 0, 0, 0 } }
	world:newBody { type = "static", shape = a }
	world:newBody { y = high, rotation = q, shape = b }
	world:step(1 / 60)
	local points = {}
	for _, _, nx, ny, nz, x, y, z, separation in world:contacts() do
		points[#points + 1] = { x = x, y = y, z = z, nx = nx, ny = ny, nz = nz, separation = separation }
	end
	table.sort(points, function(p, k) return p.x < k.x end)
	return points
end

local function run(world, hz, seconds, each)
	for i = 1, math.ceil(seconds * hz) do
		world:step(1 / hz)
		if each then each(i) end
		if world:getAwakeCount() == 0 then return i / hz end
	end
	return math.huge
end

TestLineContacts = {}

-- A log across a board 0.4 wide has contact at both edges, whatever its yaw or slope: points 0.4 / cos(angle) apart. Along the board's normal their separations
-- differ by the line's rise between them. Each edge counts as wider by 0.5 mm.
function TestLineContacts.test_two_points_across_a_board()
	local board = d3.box(0.4, 1, 1)
	for _, kind in ipairs(kinds) do for _, axis in ipairs { "y", "z" } do for _, degrees in ipairs { 0, 0.01, 0.05, 0.3, 1, 2, 3, 5 } do
		local angle = math.rad(degrees)
		local points = points_of(board, logs[kind](0.15, 2), about(axis, angle), 0.001)
		local what = ("%s, %g degrees about %s"):format(kind, degrees, axis)
		lu.assertTrue(#points >= 2, what .. ": " .. #points)
		local first, last = points[1], points[#points]
		lu.assertAlmostEquals(last.x - first.x, 0.4, 0.4 * (1 / math.cos(angle) - 1) + 1.1e-3, what)
		-- A prism's points also lie aside of its middle, so their height varies with the yaw. By the face a line of radius r is deeper by r (1 - cosine).
		lu.assertAlmostEquals(math.abs(last.separation - first.separation), axis == "z" and 0.4 * math.tan(angle) or 0, 2e-3, what)
		lu.assertTrue(math.min(first.separation, last.separation) > -0.001 - 0.16 * (1 - math.cos(angle)) - 1e-4, what)
	end end end
end

-- Two logs of radius r at an angle: at x along them the axes are x sin(angle) aside, and the surfaces x^2 sin^2 / (4 r) farther apart than in the middle. There
-- are two points, as far from the middle as this is at most a slop, and on both surfaces to within it.
function TestLineContacts.test_two_points_of_crossing_logs()
	for _, r in ipairs { 0.05, 0.3 } do for _, a in ipairs(round) do for _, b in ipairs(round) do for _, degrees in ipairs { 0, 0.01, 0.05, 0.5, 1, 2, 3, 5 } do
		local sine = math.sin(math.rad(degrees))
		local points = points_of(logs[a](r, 3), logs[b](r, 3), about("y", math.rad(degrees)), 0.002)
		local what = ("%s on %s of radius %g, %g degrees"):format(b, a, r, degrees)
		lu.assertEquals(#points, 2, what)
		local reach = points[2].x - points[1].x
		local bend = (reach / 2 * sine) ^ 2 / (4 * r)
		lu.assertTrue(bend <= 1.02 * SLOP, ("%s: the surfaces bend away by %g mm"):format(what, 1e3 * bend))
		-- As far apart as that, or the logs' length, allows: the lines are 3, or 3 - 2 r.
		local allowed = math.min(3 - 2 * r, 2 * math.sqrt(4 * r * SLOP) / math.max(sine, 1e-9))
		lu.assertTrue(reach >= 0.98 * allowed, ("%s: %g apart, %g would do"):format(what, reach, allowed))
		for _, point in ipairs(points) do
			lu.assertAlmostEquals(point.separation, -0.002, 6e-4, what)
			-- Below 0.06 degrees the closest point is at an end, half of 3 sin(angle) aside.
			lu.assertTrue(math.abs(point.nz) < 1e-3 + (degrees < 0.06 and 1.5 * sine / (2 * r) or 0), what)
		end
	end end end end
end

-- A log across another still has one contact point.
function TestLineContacts.test_one_point_of_crossed_logs()
	for _, a in ipairs(round) do for _, b in ipairs(round) do for _, degrees in ipairs { 15, 45, 90 } do
		lu.assertEquals(#points_of(logs[a](0.2, 2), logs[b](0.2, 2), about("y", math.rad(degrees)), 0.002), 1)
	end end end
end

-- If a face or line inclined by less than 6 degrees has one point within the margin, it has all of them.
function TestLineContacts.test_all_points_exist_as_soon_as_one_is_within_the_margin()
	for _, kind in ipairs(kinds) do for _, degrees in ipairs { 1, 2, 4 } do
		local points = points_of(d3.box(4, 1, 4), logs[kind](0.15, 2), about("z", math.rad(degrees)), 0.001)
		local high = points[#points].separation
		lu.assertTrue(#points >= 2 and high > MARGIN, ("%s, %g degrees: %d points, %g"):format(kind, degrees, #points, high))
	end end
end

-- A wedge on its edge, 1 m long, has contact points at both ends of the edge, however it leans over it and while the higher end is within the margin. The
-- wedge's ends rise from the edge by 45 degrees, less than its sides do.
local function wedge() return d3.hull { -1, 0.5, -0.1, 1, 0.5, -0.1, -1, 0.5, 0.1, 1, 0.5, 0.1, -0.5, 0, 0, 0.5, 0, 0 } end

function TestLineContacts.test_two_points_of_a_wedge_on_its_edge()
	for name, ground in pairs { box = d3.box(4, 1, 4), ["half-space"] = d3.halfSpace(0, 1, 0, 0), cylinder = d3.cylinder(3, 1) } do
		for _, lean in ipairs { 0, 0.1, 2, 10, 40 } do for _, degrees in ipairs { 0, 0.01, 0.1, 0.5, 1 } do
			local a, b = math.rad(lean) / 2, math.rad(degrees) / 2
			local sa, ca, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
			local points = points_of(ground, wedge(), { sa * cb, sa * sb, ca * sb, ca * cb }, 0.001) -- about x, and then about z
			local case = ("%s, %g degrees over, %g along"):format(name, lean, degrees)
			lu.assertEquals(#points, 2, case)
			lu.assertAlmostEquals(points[2].x - points[1].x, math.cos(math.rad(degrees)), 1e-3, case)
			lu.assertAlmostEquals(math.abs(points[2].separation - points[1].separation), math.sin(math.rad(degrees)), 1e-4, case)
		end end
	end
end

-- A wedge that lands on its edge does not turn: the floor's two impulses are equal.
function TestLineContacts.test_a_wedge_lands_on_its_edge()
	for _, hz in ipairs { 30, 60, 120 } do
		local world = d3.newWorld()
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
		local body = world:newBody { y = 1.5, shape = wedge() }
		local rested = run(world, hz, 3, function()
			local wx, wy, wz = body:getAngularVelocity()
			lu.assertTrue(math.abs(wx) + math.abs(wy) + math.abs(wz) < 1e-3, ("turns by %g, %g, %g rad/s at %d Hz"):format(wx, wy, wz, hz))
		end)
		lu.assertTrue(rested < 1.3, ("%d Hz: rests after %g s (Box3D 1.07 to 1.10)"):format(hz, rested))
	end
end

-- The greatest spin with which a tilted box of 0.7 x 0.6 x 0.7 leaves the ground after landing at 5 m/s: Box3D's. With a contact at one edge only it would be v
-- (1 + I / (m d^2))^-1 / d = 7 rad/s.
function TestLineContacts.test_a_tilted_box_lands_without_turning()
	local bars = { [0.03] = { [30] = 0.613, [60] = 1.134, [120] = 1.649 }, [0.05] = { [30] = 1.114, [60] = 0.950, [120] = 3.298 } }
	for tilt, rates in pairs(bars) do for hz, bar in pairs(rates) do
		local world, most = d3.newWorld { gravity = { 0, -10, 0 } }, 0
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
		local box = world:newBody { y = 0.4, rotation = about("z", tilt), linearVelocity = { 0, -5, 0 }, shape = d3.box(0.7, 0.6, 0.7) }
		run(world, hz, 1, function() most = math.max(most, math.abs((select(3, box:getAngularVelocity())))) end)
		lu.assertTrue(most <= bar, ("%g rad at %d Hz: %g rad/s, Box3D %g"):format(tilt, hz, most, bar))
	end end
end

-- A log of 2 m on a crate of 0.6 m, with a yaw or slope. Box3D: asleep after 1.07 s at the latest (30 Hz).
function TestLineContacts.test_a_log_on_a_crate_rests()
	for _, hz in ipairs { 30, 60, 120 } do for _, kind in ipairs(round) do for _, axis in ipairs { "y", "z" } do for degrees = 0, 5 do
		local angle = math.rad(degrees)
		local world = d3.newWorld { gravity = { 0, -10, 0 } }
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
		local crate = world:newBody { y = 0.3, shape = d3.box(0.6, 0.6, 0.6) }
		local shape = logs[kind](0.12, 2)
		local log = world:newBody { x = 0.03, y = 0.722 + (axis == "z" and 0.3 * math.sin(angle) or 0), rotation = about(axis, angle), shape = shape }
		local rest = run(world, hz, 3)
		local what = ("%s, %d degrees about %s, %d Hz"):format(kind, degrees, axis, hz)
		lu.assertTrue(rest <= 1.1 * 1.07, ("%s: asleep after %g s"):format(what, rest))
		local deep = -d3.distance(shape, pose_of(log), d3.box(0.6, 0.6, 0.6), pose_of(crate))
		lu.assertTrue(deep < SLOP and deep > -1e-3, ("%s: %g mm deep"):format(what, 1e3 * deep))
	end end end end
end

-- A plank of 2.4 m with a crate at either end lies across a log: it stays up, at most 2 mm deep (Box3D 1.5), and is asleep within 1 s. At 30 Hz contacts have
-- half the frequency, so they yield four times as much.
function TestLineContacts.test_a_plank_stays_up_on_a_log()
	for _, hz in ipairs { 30, 60, 120 } do for _, kind in ipairs(round) do for _, r in ipairs { 0.15, 0.3 } do
		local world = d3.newWorld { gravity = { 0, -10, 0 } }
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40), friction = 0.8 }
		for _, x in ipairs { -0.8, 0.8 } do for _, z in ipairs { -1, 1 } do
			world:newBody { type = "static", x = x, y = 0.4, z = z * (r + 0.06), shape = d3.box(0.1, 0.8, 0.1) }
		end end
		world:newBody { y = r, shape = logs[kind](r, 1.2), friction = 0.8, density = 600 }
		local plank = world:newBody { y = 2 * r + 0.041, rotation = about("y", 0.03), shape = d3.box(0.4, 0.08, 2.4), friction = 0.8, density = 500 }
		for _, side in ipairs { -1, 1 } do
			world:newBody { x = 0.027 * side, y = 2 * r + 0.282, z = 0.9 * side, shape = d3.box(0.4, 0.4, 0.4), friction = 0.8, density = 400 }
		end
		local rest, _, y = run(world, hz, 4), plank:getPosition()
		lu.assertTrue(rest <= 1 and y > 2 * r + 0.04 - 0.002 * math.max(1, (60 / hz) ^ 2), ("%s of %g, %d Hz: asleep after %g s, %g mm down"):format(kind, r, hz, rest, 1e3 * (2 * r + 0.04 - y)))
	end end end
end

-- Ten logs between posts are asleep within 1.3 s and at most 10 mm deep, also with soft contacts: a contact of frequency f yields by g / (2 pi f)^2 for each
-- log above, 1.1 mm at 15 Hz. (Box3D: 1.02 s, 3 mm.)
function TestLineContacts.test_piles_of_logs_rest()
	for _, hz in ipairs { 30, 60 } do for _, hertz in ipairs { 15, 30 } do for _, kind in ipairs(round) do
		local world, r, bodies = d3.newWorld { gravity = { 0, -10, 0 }, contactHertz = hertz }, 0.25, {}
		local shape = logs[kind](r, 3)
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
		for _, z in ipairs { -1, 1 } do for _, x in ipairs { -0.8, 0.8 } do
			world:newBody { type = "static", x = x, y = 0.6, z = z * (4 * r + 0.06), shape = d3.box(0.1, 1.2, 0.1) }
		end end
		for level = 0, 3 do for i = 1, 4 - level do
			bodies[#bodies + 1] = world:newBody { y = r + level * (r * math.sqrt(3) + 0.002) + 0.001, z = (i - (5 - level) / 2) * (2 * r + 0.002), shape = shape,
				rotation = about("y", 0.004 * ((3 * i + level) % 5 / 2 - 1)), density = 600 }
		end end
		local rest, deep = run(world, hz, 5), 0
		for i = 1, #bodies do for k = i + 1, #bodies do
			deep = math.max(deep, -d3.distance(shape, pose_of(bodies[i]), shape, pose_of(bodies[k])))
		end end
		lu.assertTrue(rest <= 1.3 and deep < 0.01, ("%s, %d Hz, contacts of %d Hz: asleep after %g s, %g mm deep"):format(kind, hz, hertz, rest, 1e3 * deep))
	end end end
end

TestThinBodies = {}

-- A sleeping body has no point faster than its threshold, 0.05 m/s, about whatever axis it turns: about its own axis the arm is its radius.
function TestThinBodies.test_the_arm_is_that_about_the_axis()
	local slant = 1.1 / math.sqrt(2)
	local shapes = {
		capsule = d3.capsule(-1.1, 0, 0, 1.1, 0, 0, 0.05), slanting = d3.capsule(-slant, -slant, 0, slant, slant, 0, 0.05), box = d3.box(2.2, 0.07, 0.07),
		cylinder = d3.cylinder(0.05, 2.2, along_x), hull = logs.prism(0.05, 2.2),
		compound = d3.compound { d3.capsule(-1.1, 0, 0, 0, 0, 0, 0.05), d3.capsule(0, 0, 0, 1.1, 0, 0, 0.05) },
	}
	for name, shape in pairs(shapes) do
		local x, y = 1, name == "slanting" and 1 or 0
		local length = math.sqrt(x * x + y * y)
		local function sleeps(wx, wy, wz)
			local world = d3.newWorld { gravity = { 0, 0, 0 } }
			world:newBody { shape = shape, angularVelocity = { wx, wy, wz } }
			return run(world, 60, 1) < 1
		end
		-- For round shapes the arm is bounded by that of the square around them.
		local slow, fast, across = 0.95 * 0.05 / (0.05 * math.sqrt(2)), 1.05 * 0.05 / 0.05, 0.05 / 1.1
		lu.assertTrue(sleeps(slow * x / length, slow * y / length, 0), name .. " turns slowly about its axis")
		lu.assertFalse(sleeps(fast * x / length, fast * y / length, 0), name .. " turns fast about its axis")
		lu.assertTrue(sleeps(0, 0, 0.9 * across), name .. " turns slowly across its axis")
		lu.assertFalse(sleeps(0, 0, 1.1 * across), name .. " turns fast across its axis")
	end
end

-- Rolling continues above the threshold, and sleeps below it. (Box3D: after 0.5 s.)
function TestThinBodies.test_a_thin_log_that_rolls_slowly_sleeps()
	for _, kind in ipairs(round) do for _, speed in ipairs { 0.004, 0.02, 0.06 } do
		local world = d3.newWorld { gravity = { 0, -10, 0 } }
		world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
		local log = world:newBody { y = 0.05, shape = logs[kind](0.05, 2.3), linearVelocity = { 0, 0, speed }, angularVelocity = { speed / 0.05, 0, 0 } }
		run(world, 60, 1)
		lu.assertEquals(log:isAwake(), speed > 0.05, ("%s at %g m/s"):format(kind, speed))
	end end
end

-- A log of length l that lies flat presses evenly along its line: friction slows its spin about the vertical with the arm l/4, dw/dt = -mu m g (l/4) / I. It
-- stops within two steps of that time, of some 200.
function TestLineContacts.test_a_log_that_spins_flat_is_braked_along_its_line()
	local mu, g, spin, hz, flat = 0.5, 10, 6, 240, {}
	for i = 0, 4 do for k = 0, 4 do for _, c in ipairs { 2 * i - 4, 0, 2 * k - 4 } do flat[#flat + 1] = c end end end
	local indices = {}
	for i = 0, 3 do for k = 1, 4 do
		local a = 5 * i + k
		for _, index in ipairs { a, a + 1, a + 6, a, a + 6, a + 5 } do indices[#indices + 1] = index end
	end end
	for name, ground in pairs { box = d3.box(20, 2, 20, { y = -1 }), ["half-space"] = d3.halfSpace(0, 1, 0, 0), mesh = d3.mesh(flat, indices) } do
		for _, kind in ipairs(round) do for _, length in ipairs { 1, 2 } do
			local world = d3.newWorld { gravity = { 0, -g, 0 }, sleeping = false }
			world:newBody { type = "static", shape = ground, friction = mu }
			local body = world:newBody { x = 0.1, y = 0.15, z = 0.2, shape = logs[kind](0.15, length), friction = mu, angularVelocity = { 0, spin, 0 } }
			local _, inertia = body:getInertia()
			local line = kind == "capsule" and length - 0.3 or length
			local expected, stopped = spin * inertia / (mu * body:getMass() * g * line / 4), nil
			for i = 1, 2 * hz do
				world:step(1 / hz)
				local _, w = body:getAngularVelocity()
				if w < 0.01 * spin then
					stopped = i / hz
					break
				end
			end
			lu.assertAlmostEquals(stopped or 2, expected, 0.01 * expected + 2 / hz, ("%s of %g on a %s"):format(kind, length, name))
		end end
	end
end
