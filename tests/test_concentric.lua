-- Nearly concentric solids of revolution: the penetration is nearly equal all around. It must be exact, without a search that creeps.
local lu = require "luaunit"
local support = require "support"
local d3 = require("collide").d3
local sqrt, abs, max, min, cos, sin, pi = math.sqrt, math.abs, math.max, math.min, math.cos, math.sin, math.pi

-- { shape, its extent along a unit vector with component y along the axis and `across` perpendicular to it }
local solids = {
	cylinder = { d3.cylinder(0.375, 1), function(y, across) return 0.375 * across + 0.5 * abs(y) end },
	cone = { d3.cone(0.375, 1), function(y, across) return max(0.5 * y, 0.375 * across - 0.5 * y) end },
	tapered = { d3.taperedCapsule(0, -0.5, 0, 0.375, 0, 0.5, 0, 0.125), function(y) return max(0.375 - 0.5 * y, 0.125 + 0.5 * y) end },
	capsule = { d3.capsule(0, -0.5, 0, 0, 0.5, 0, 0.25), function(y) return 0.25 + 0.5 * abs(y) end },
}
local names = { "capsule", "cone", "cylinder", "tapered" }
local offsets = { 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1 }

local function pairs_of(each)
	for i, a in ipairs(names) do for k = i, #names do
		if names[k] ~= "capsule" then each(a, names[k]) end -- capsule pairs have a closed form
	end end
end

-- The quaternion of a small random rotation: its x, y, z are up to `most` times its w.
local function tilt(number, most)
	local x, y, z = number(-most, most), number(-most, most), number(-most, most)
	local l = sqrt(1 + x * x + y * y + z * z)
	return { x / l, y / l, z / l, 1 / l }
end

-- The y axis turned by q.
local function axis_of(q)
	local square = q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]
	return 2 * (q[1] * q[2] - q[4] * q[3]) / square, 1 - 2 * (q[1] * q[1] + q[3] * q[3]) / square, 2 * (q[2] * q[3] + q[4] * q[1]) / square
end

TestConcentric = {}

-- Descents that crept took up to 10,635 iterations. From 0.5 apart on, overlapping pairs took 33 to 53.
function TestConcentric.test_the_search_is_short()
	local number, most = support.random_numbers(3), 0
	pairs_of(function(a, b) for _, e in ipairs(offsets) do for _, turn in ipairs { 0, 1e-6, 1e-3 } do
		local q = tilt(number, turn)
		local found = d3.epa(solids[a][1], nil, solids[b][1], d3.pose(e * number(-1, 1), e * number(-1, 1), e * number(-1, 1), q[1], q[2], q[3], q[4]))
		most = max(most, found.iterations)
		lu.assertTrue(found.iterations <= 1024, ("%s and %s, %g apart, turned by %g: %d"):format(a, b, e, turn, found.iterations))
	end end end)
	lu.assertTrue(most > 0)
end

-- Offset by `aside` across the axis and by y along it: the least translation is across the side, or over an end.
function TestConcentric.test_parallel_cylinders_by_the_formula()
	local number = support.random_numbers(5)
	local function eighths(least, most) return math.floor(number(least, most + 1)) / 8 end
	for _, e in ipairs(offsets) do for _ = 1, 10 do
		local r, h, s, k = eighths(1, 8), eighths(1, 16), eighths(1, 8), eighths(1, 16)
		local a, b = d3.cylinder(r, h), d3.cylinder(s, k)
		local x, y, z = e * number(-1, 1), e * number(-1, 1), e * number(-1, 1)
		local expected = -min(r + s - sqrt(x * x + z * z), (h + k) / 2 - abs(y))
		local got = d3.distance(a, nil, b, d3.pose(x, y, z))
		lu.assertTrue(abs(got - expected) <= 1e-14 * (r + s + h + k), ("%g: %.17g instead of %.17g"):format(e, got, expected))
	end end
end

-- No direction has a smaller penetration: random directions, and directions near the one found.
function TestConcentric.test_no_direction_has_less_penetration()
	local number = support.random_numbers(7)
	pairs_of(function(a, b) for _, e in ipairs(offsets) do for _, turn in ipairs { 0, 1e-6, 1e-3, 1 } do
		local q, x, y, z = tilt(number, turn), e * number(-1, 1), e * number(-1, 1), e * number(-1, 1)
		local pose = d3.pose(x, y, z, q[1], q[2], q[3], q[4])
		x, y, z, q[1], q[2], q[3], q[4] = pose:getTransform() -- rounded to floats
		local ux, uy, uz = axis_of(q)
		local got, gx, gy, gz = d3.distance(solids[a][1], nil, solids[b][1], pose)
		local function out(nx, ny, nz)
			local l = sqrt(nx * nx + ny * ny + nz * nz)
			nx, ny, nz = nx / l, ny / l, nz / l
			local along = nx * ux + ny * uy + nz * uz
			return solids[a][2](ny, sqrt(max(0, 1 - ny * ny))) + solids[b][2](-along, sqrt(max(0, 1 - along * along))) - (nx * x + ny * y + nz * z)
		end
		local function try(nx, ny, nz)
			lu.assertTrue(-got <= out(nx, ny, nz) + 1e-12, ("%s and %s, %g apart, turned by %g: %.17g deep, along (%g, %g, %g) %.17g"):format(a, b, e,
				turn, -got, nx, ny, nz, out(nx, ny, nz)))
		end
		lu.assertAlmostEquals(out(gx, gy, gz), -got, 1e-12)
		for i = 1, 64 do
			try(cos(i * pi / 32), 0, sin(i * pi / 32))
			try(number(-1, 1), number(-1, 1), number(-1, 1))
			local small = 10 ^ number(-8, -1)
			try(gx + small * number(-1, 1), gy + small * number(-1, 1), gz + small * number(-1, 1))
		end
	end end end)
end
