-- The methods called by name, against each other, and their internal results.
local lu, collide = require "luaunit", require "collide"
local toolbox = require "toolbox"
local d2 = collide.d2

local each_pair, size_of = toolbox.each_pair, toolbox.size_of

local near, check = toolbox.near, toolbox.check

TestMethods = {}

function TestMethods.test_gjk_epa_and_sat_agree_with_distance()
	local most = 0
	each_pair(61, 3000, { low = 0.1, high = 10 }, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local d = d2.distance(a, pa, b, pb)
		local gjk = d2.gjk(a, pa, b, pb)
		near(gjk.distance, d, 1e-9 * size, what)
		lu.assertEquals(gjk.overlaps, gjk.distance <= 0)
		most = math.max(most, gjk.iterations)
		near(gjk.bx, gjk.ax + gjk.distance * gjk.nx, 1e-9 * size, what)
		near(gjk.by, gjk.ay + gjk.distance * gjk.ny, 1e-9 * size, what)
		local epa = d2.epa(a, pa, b, pb)
		if math.abs(d) > 1e-9 * size then
			lu.assertEquals(epa == nil, d > 0, what)
			lu.assertEquals((d2.gjkOverlaps(a, pa, b, pb)), d <= 0, what)
		end
		if epa then near(epa.depth, -d, 1e-9 * size, what) end
		if a:getType() ~= "ellipse" and b:getType() ~= "ellipse" then
			local sat = d2.sat(a, pa, b, pb)
			if sat.overlaps then
				near(sat.depth, -d, 1e-9 * size, what)
			else
				check(sat.distance <= d + 1e-9 * size and sat.distance > 0, what)
			end
		end
	end)
	check(most <= 64, "iterations " .. most)
end

-- Symmetric to the bit: exchanging A and B reverses normals and exchanges points.
function TestMethods.test_are_symmetric()
	local function mirrored(u, v, what)
		check(u.nx == -v.nx and u.ny == -v.ny and u.distance == v.distance and u.depth == v.depth and u.iterations == v.iterations, what)
		check(u.ax == v.bx and u.ay == v.by and u.bx == v.ax and u.by == v.ay, what)
	end
	local function mirrored_simplexes(list, other, what)
		lu.assertEquals(#list, #other, what)
		for i, u in ipairs(list) do
			local v = other[i]
			check(u.ax == v.bx and u.ay == v.by and u.bx == v.ax and u.by == v.ay and u.x == -v.x and u.y == -v.y and u.weight == v.weight, what)
		end
	end
	local owners = { a = "b", b = "a", corners = "corners" }
	each_pair(65, 2000, { far = 1e3 }, function(a, pa, b, pb, what)
		local u, v = d2.gjk(a, pa, b, pb, { steps = true }), d2.gjk(b, pb, a, pa, { steps = true })
		mirrored(u, v, what)
		mirrored_simplexes(u.simplex, v.simplex, what)
		for i, simplex in ipairs(u.steps) do mirrored_simplexes(simplex, v.steps[i], what) end
		local overlaps, iterations = d2.gjkOverlaps(a, pa, b, pb)
		local overlaps2, iterations2 = d2.gjkOverlaps(b, pb, a, pa)
		check(overlaps == overlaps2 and iterations == iterations2, what)
		u, v = d2.epa(a, pa, b, pb, { steps = true }), d2.epa(b, pb, a, pa, { steps = true })
		lu.assertEquals(u == nil, v == nil, what)
		if u then
			mirrored(u, v, what)
			for i, polygon in ipairs(u.steps) do
				for k, x in ipairs(polygon) do check(x == -v.steps[i][k], what) end
			end
		end
		if a:getType() ~= "ellipse" and b:getType() ~= "ellipse" then
			u, v = nil, nil
			for _ = 1, 2 do
				u, v = d2.sat(a, pa, b, pb, u), d2.sat(b, pb, a, pa, v)
				mirrored(u, v, what)
				check(u.owner == owners[v.owner] and u.checks == v.checks, what)
				check(u.owner == "corners" and u.index == v.other and u.other == v.index or u.index == v.index and u.other == v.other, what)
			end
		end
	end)
end

-- The steps of epa for concentric cores, for cores whose difference is a point, and for rounding alone.
function TestMethods.test_epa_steps_of_special_cases()
	local circle = d2.circle(1)
	local same = d2.epa(circle, nil, circle, nil, { steps = true })
	lu.assertEquals({ same.depth, same.steps, same.iterations }, { 2, { { 0, 0 } }, 0 })
	local rounding = d2.epa(circle, nil, circle, d2.pose(1, 0), { steps = true })
	lu.assertEquals({ rounding.depth, rounding.steps, rounding.iterations }, { 1, { {} }, 0 })
	-- The first polygon misses the origin: it starts from the square of the farthest points, on its corners' side.
	local needle = d2.epa(d2.segment(-1, -1, 1, 1), nil, d2.box(2, 0.25), d2.pose(0.9, 0.9), { steps = true })
	check(#needle.steps >= 2 and #needle.steps == needle.iterations, "steps")
end

-- The weights combine the simplex into the closest points of the cores, from which the result comes.
function TestMethods.test_the_simplex_carries_the_nearest_points()
	each_pair(62, 1500, {}, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local gjk = d2.gjk(a, pa, b, pb, { steps = true })
		local sum, ax, ay, x, y = 0, 0, 0, 0, 0
		for _, v in ipairs(gjk.simplex) do
			sum, ax, ay, x, y = sum + v.weight, ax + v.weight * v.ax, ay + v.weight * v.ay, x + v.weight * v.x, y + v.weight * v.y
			near(v.x, v.bx - v.ax, 1e-9 * size, what)
			check(v.weight >= 0 and v.weight <= 1, what)
		end
		near(sum, 1, 1e-12, what)
		lu.assertEquals(#gjk.steps, gjk.iterations)
		-- S4-06: the distance never grows.
		local before = math.huge
		for _, simplex in ipairs(gjk.steps) do
			local px, py = 0, 0
			for _, v in ipairs(simplex) do px, py = px + v.weight * v.x, py + v.weight * v.y end
			local length = math.sqrt(px * px + py * py)
			check(length <= before + 1e-12 * size, what)
			before = length
		end
		if #gjk.simplex < 3 and gjk.distance > 0 and a:getType() ~= "ellipse" and b:getType() ~= "ellipse" then
			near(math.sqrt(x * x + y * y), gjk.distance + a:getRadius() + b:getRadius(), 1e-9 * size, what)
			near(ax + a:getRadius() * gjk.nx, gjk.ax, 1e-9 * size, what)
		end
	end)
end

-- The boolean needs fewer iterations than the distance, on average.
function TestMethods.test_the_boolean_stops_sooner()
	local distance, boolean = 0, 0
	each_pair(63, 1000, {}, function(a, pa, b, pb)
		local _, iterations = d2.gjkOverlaps(a, pa, b, pb)
		distance, boolean = distance + d2.gjk(a, pa, b, pb).iterations, boolean + iterations
	end)
	check(boolean < distance, boolean .. " of " .. distance)
end

-- Each polygon has one vertex more, and lies within the difference.
function TestMethods.test_epa_steps_grow_the_polygon()
	local a, b = d2.ellipse(2, 1), d2.box(2, 2)
	local epa = d2.epa(a, nil, b, d2.pose(0.5, 0.3, 0.4), { steps = true })
	check(#epa.steps >= 2, "steps")
	for i, polygon in ipairs(epa.steps) do
		lu.assertEquals(#polygon, #epa.steps[1] + 2 * (i - 1))
		for k = 1, #polygon, 2 do
			-- b - a = w for some points of the cores: moved by -w, B touches or overlaps A.
			check((d2.distance(a, nil, b, d2.pose(0.5 - polygon[k], 0.3 - polygon[k + 1], 0.4))) <= 1e-6, "inside")
		end
	end
	lu.assertEquals(epa.iterations, #epa.steps)
end

-- S3-15: an axis that separated before is tested first, and suffices; after a small rotation one is found nearby.
function TestMethods.test_sat_with_a_cached_axis()
	local points = {}
	for i = 1, 32 do points[2 * i - 1], points[2 * i] = math.cos(i * math.pi / 16), math.sin(i * math.pi / 16) end
	local a, b = d2.polygon(points), d2.polygon(points)
	local pose = d2.pose(-1.5, -1.9)
	local cold = d2.sat(a, nil, b, pose)
	lu.assertFalse(cold.overlaps)
	local warm = d2.sat(a, nil, b, pose, cold)
	lu.assertEquals({ warm.checks, warm.owner, warm.index, warm.distance }, { 1, cold.owner, cold.index, cold.distance })
	check(cold.checks > 3, "cold " .. cold.checks)
	each_pair(64, 1500, { kinds = { "circle", "capsule", "box", "polygon", "rounded polygon" } }, function(p, pp, q, pq, what)
		local first = d2.sat(p, pp, q, pq)
		local again = d2.sat(p, pp, q, pq, first)
		lu.assertEquals(again.overlaps, first.overlaps, what)
		if first.overlaps then
			near(again.depth, first.depth, 1e-12, what)
		else
			lu.assertEquals(again.checks, 1, what)
		end
		near(first.nx ^ 2 + first.ny ^ 2, 1, 1e-12, what)
		-- A cache of another pair is harmless.
		local other = d2.sat(p, pp, q, pq, { owner = "corners", index = 64, other = 63 })
		lu.assertEquals(other.overlaps, first.overlaps, what)
	end)
end

TestMethodCorrections = {}

-- Shapes overlap if no axis separates them.
function TestMethodCorrections.test_E5_overlap_is_no_separating_axis()
	local box = d2.box(2, 2)
	lu.assertEquals(d2.sat(box, nil, box, d2.pose(1, 0)).overlaps, true)
	lu.assertEquals(d2.sat(box, nil, box, d2.pose(2, 0)).overlaps, true)
	local apart = d2.sat(box, nil, box, d2.pose(0, -3))
	lu.assertEquals({ apart.overlaps, apart.distance, apart.nx, apart.ny, apart.owner }, { false, 1, 0, -1, "b" })
end

-- v = (1, 0), w = (1, 5): the closest feature is an edge, and w far from v. The duality gap ends the iteration.
function TestMethodCorrections.test_E28_gjk_ends_on_an_edge()
	local gjk = d2.gjk(d2.box(2, 20), nil, d2.box(2, 20), d2.pose(3, 4))
	lu.assertEquals({ gjk.distance, gjk.nx, gjk.ny }, { 1, 1, 0 })
	check(gjk.iterations <= 5, "iterations " .. gjk.iterations)
end

-- Contact: a point, an edge or a triangle of the simplex contains the origin; the normal is still that of a face.
function TestMethodCorrections.test_E31_epa_of_what_only_touches()
	for _, pose in ipairs { d2.pose(2, 0), d2.pose(2, 2), d2.pose(2, 1), d2.pose(0, 0) } do
		local epa = d2.epa(d2.box(2, 2), nil, d2.box(2, 2), pose)
		local d = d2.distance(d2.box(2, 2), nil, d2.box(2, 2), pose)
		near(epa.depth, -d, 1e-12, "depth")
		near(epa.nx ^ 2 + epa.ny ^ 2, 1, 1e-12, "normal")
		near(math.abs(epa.nx * epa.ny), 0, 1e-12, "a face's")
	end
	-- For smooth shapes it ends, too.
	local epa = d2.epa(d2.ellipse(1, 0.01), nil, d2.ellipse(0.01, 1), nil)
	check(epa.iterations < 256, "iterations " .. epa.iterations)
	near(epa.depth, toolbox.brute_distance(d2.ellipse(1, 0.01), nil, d2.ellipse(0.01, 1), nil) * -1, 1e-7, "depth")
end

-- Long thin rods, nearly parallel and overlapping by at least a quarter of their thickness, are never reported separated.
function TestMethodCorrections.test_E4_nearly_parallel_rods()
	local number = require("support").random_numbers(65)
	local rod = d2.box(2000, 0.02)
	for _ = 1, 2000 do
		local pose = d2.pose(number(-900, 900), number(-0.015, 0.015), number(-1, 1) * 1e-7)
		check(d2.sat(rod, nil, rod, pose).overlaps and d2.overlaps(rod, nil, rod, pose) and d2.gjkOverlaps(rod, nil, rod, pose), "rods")
	end
end

-- A tiny shape in the middle of a long thin one: the edge of the difference through the middle passes almost through the origin.
function TestMethods.test_a_tiny_shape_in_a_thin_one()
	local places = { d2.pose(0, 0), d2.pose(762.63113377849697, 529.55913027761574) }
	for _, long in ipairs { d2.box(639, 0.01), d2.box(1000, 0.001), d2.segment(-1000, 0, 1000, 0), d2.polygon { -500, 0, 0, -0.05, 500, 0, 0, 0.05 } } do
		for _, tiny in ipairs { d2.box(0.001, 0.001), d2.polygon { -0.001, 0, 0.001, -0.0002, 0.001, 0.0002 }, d2.segment(0, -0.001, 0, 0.001) } do
			for _, place in ipairs(places) do
				local x, y = place:getPosition()
				for _, angle in ipairs { 0, 1e-9, 1e-7, 1e-4, 0.3, math.pi / 2 } do
					for _, turn in ipairs { 0, 1e-7, math.pi / 2, 1 } do
						local pa, pb = d2.pose(x, y, angle), d2.pose(x, y, angle + turn)
						local d = d2.distance(long, pa, tiny, pb)
						if d < -1e-9 then
							check(d2.gjkOverlaps(long, pa, tiny, pb) and d2.gjkOverlaps(tiny, pb, long, pa), "gjkOverlaps")
							near(d2.gjk(long, pa, tiny, pb).distance, d, 1e-9, "gjk")
							near(-assert(d2.epa(long, pa, tiny, pb)).depth, d, 1e-9, "epa")
						end
					end
				end
			end
		end
	end
end

-- GJK casts stop at an overlap with t = 0, and never go back.
function TestMethodCorrections.test_E17_gjk_cast_of_what_overlaps()
	local hit, t = d2.gjkCast(d2.box(2, 2), nil, 5, 0, d2.circle(1), d2.pose(1, 0))
	lu.assertEquals({ hit, t }, { true, 0 })
	lu.assertEquals({ d2.gjkCast(d2.box(2, 2), nil, -5, 0, d2.circle(1), d2.pose(3, 0)) }, { false, 1, nil, nil, nil, nil, 1 })
end
