-- Tapered capsules: exact cases, and limiting cases. The laws that hold for any solid are tested with the others: test_solids, test_space_accuracy,
-- test_space_distance, test_space_manifold, test_space_motion.
local lu = require "luaunit"
local d3 = require("collide").d3
local support = require "support"

local FLOAT = 2e-7

-- The radii differ by 3 over a length of 5: the side's normal has components 4/5 across and 3/5 along the axis; t above the larger centre the side is at
-- distance 4 - 3/5 t from the axis along that normal.
local function tapered()
	return d3.taperedCapsule(0, 0, 0, 4, 0, 5, 0, 1)
end

local function gives(expected, ...)
	lu.assertEquals(select("#", ...), #expected)
	for i = 1, #expected do
		if type(expected[i]) == "number" then lu.assertAlmostEquals((select(i, ...)), expected[i], 1e-12, i) end
	end
end

TestTaperedCapsule = {}

function TestTaperedCapsule.test_getters()
	local shape = tapered()
	lu.assertEquals(shape:getType(), "taperedCapsule")
	lu.assertEquals({ shape:getRadius() }, { 4, 1 })
	lu.assertEquals(shape:getPoints(), { 0, 0, 0, 0, 5, 0 })
	lu.assertEquals({ shape:getBox() }, { -4, -4, -4, 4, 6, 4 })
	lu.assertEquals({ d3.taperedCapsule(0, 5, 0, 1, 0, 0, 0, 4):getRadius() }, { 4, 1 })
	lu.assertEquals(d3.taperedCapsule(0, 5, 0, 1, 0, 0, 0, 4):getPoints(), { 0, 0, 0, 0, 5, 0 })
	lu.assertEquals(tostring(shape), "shape (taperedCapsule)")
end

function TestTaperedCapsule.test_equal_ends_are_a_capsule_and_one_inside_the_other_is_a_sphere()
	local capsule = d3.taperedCapsule(1, 2, 3, 0.5, 4, 5, 6, 0.5)
	lu.assertEquals({ capsule:getType(), capsule:getPoints(), capsule:getRadius() }, { "capsule", { 1, 2, 3, 4, 5, 6 }, 0.5 })
	for _, inner in ipairs { d3.taperedCapsule(1, 2, 3, 2, 1, 2, 4, 1), d3.taperedCapsule(1, 2, 4, 1, 1, 2, 3, 2), d3.taperedCapsule(1, 2, 3, 2, 1, 2, 3, 1) } do
		lu.assertEquals({ inner:getType(), inner:getPoints(), inner:getRadius() }, { "sphere", { 1, 2, 3 }, 2 })
	end
	lu.assertEquals(d3.taperedCapsule(1, 2, 3, 2, 1, 2, 4.001, 1):getType(), "taperedCapsule")
end

function TestTaperedCapsule.test_rays()
	local shape = tapered()
	-- Against the side, half way; from within; both ends.
	gives({ 0.75, 2, 4, 0, 0.8, 0.6, 0 }, d3.raycast(shape, nil, 8, 8.5, 0, 0, 2.5, 0))
	gives({ 0, 1, 1, 0, -1, 0, 0 }, d3.raycast(shape, nil, 1, 1, 0, 10, 1, 0))
	gives({ 0.5, 0, 6, 0, 0, 1, 0 }, d3.raycast(shape, nil, 0, 10, 0, 0, 2, 0))
	gives({ 0.5, 0, -4, 0, 0, -1, 0 }, d3.raycast(shape, nil, 0, -8, 0, 0, 0, 0))
	-- Past the narrow end, but not past the wide one; along the side.
	gives({ 0.6, 2, -math.sqrt(12), 0, 0.5, -math.sqrt(0.75), 0 }, d3.raycast(shape, nil, 2, -math.sqrt(12) - 6, 0, 2, -math.sqrt(12) + 4, 0))
	lu.assertNil(d3.raycast(shape, nil, 4.8, 3.9, 0, 0.8 * 1.01, 5 + 0.6 * 1.6 + 3, 0))
	lu.assertNil(d3.raycast(shape, nil, 1.1, 9, 0, 1.1, 5.6, 0))
end

function TestTaperedCapsule.test_distances_and_depths()
	local shape, ball = tapered(), d3.sphere(0.5)
	for t = 0.5, 4.5, 1 do
		for _, out in ipairs { -0.75, 0, 0.25, 3 } do
			local along = 4 - 0.6 * t + 0.5 + out
			local d, nx, ny, nz = d3.distance(shape, nil, ball, d3.pose(0.8 * along, t + 0.6 * along, 0))
			gives({ out, 0.8, 0.6, 0 }, d, nx, ny, nz)
		end
	end
	gives({ -4.5, 0, -1, 0 }, (function(d, nx, ny, nz) return d, nx, ny, nz end)(d3.distance(shape, nil, ball, nil)))
	lu.assertTrue(d3.containsPoint(shape, nil, 1.6, 3.7, 0))
	lu.assertTrue(d3.containsPoint(shape, nil, 0.8 * 2.499, 2.5 + 0.6 * 2.499, 0))
	lu.assertFalse(d3.containsPoint(shape, nil, 0.8 * 2.501, 2.5 + 0.6 * 2.501, 0))
	lu.assertTrue(d3.containsPoint(shape, nil, 0, -3.999, 0))
	lu.assertFalse(d3.containsPoint(shape, nil, 0, 6.001, 0))
end

-- On its side on a floor it has two contact points, the ends of the line of contact; upright one.
function TestTaperedCapsule.test_lies_on_a_line()
	local floor = d3.box(40, 2, 40)
	-- Rotated about z until the side's normal points down.
	local lean = d3.pose(0, 5, 0, 0, 0, -math.sqrt(0.8), math.sqrt(0.2))
	for _, ground in ipairs { { floor, d3.pose(0, -1, 0) }, { d3.halfSpace(0, 1, 0, 0) } } do
		local turned = d3.transform(tapered(), lean)
		local low = select(2, turned:getBox())
		local m = d3.manifold(ground[1], ground[2], turned, d3.pose(0, -low - 1e-3, 0))
		lu.assertEquals(#m, 2)
		local x = { m[1].x, m[2].x }
		table.sort(x)
		lu.assertAlmostEquals(x[2] - x[1], 4, 1e-5) -- of a length of 5, times 4/5
		lu.assertEquals(#d3.manifold(ground[1], ground[2], tapered(), d3.pose(0, 3.999, 0)), 1)
	end
end

-- Between a capsule and a cone the mass changes continuously, for any pose.
function TestTaperedCapsule.test_mass_is_between_those_of_capsule_and_cone()
	local number = support.random_numbers(3)
	for _ = 1, 20 do
		local p = {}
		for i = 1, 6 do p[i] = number(-2, 2) end
		local r = number(0.2, 1)
		local capsule = { d3.capsule(p[1], p[2], p[3], p[4], p[5], p[6], r):getMass(1) }
		local nearly = { d3.taperedCapsule(p[1], p[2], p[3], r, p[4], p[5], p[6], r + 1e-6):getMass(1) }
		for i = 1, #capsule do lu.assertAlmostEquals(nearly[i], capsule[i], 1e-5 * capsule[1] * 10, i) end
		-- A tip so thin that the shape is a cone with a round base: the cap below the rim, of height R - R s, and a cone.
		local R, L = r, number(2, 3)
		local s = R / L
		local c = math.sqrt(1 - s * s)
		local foot, height = R * c, L - R * s
		local cap = math.pi * R ^ 3 * (2 / 3 + s - s ^ 3 / 3)
		local cone = math.pi / 3 * foot ^ 2 * height
		lu.assertAlmostEquals((d3.taperedCapsule(0, 0, 0, R, 0, 0, L, 1e-6):getMass(1)), cap + cone, 1e-5 * (cap + cone))
	end
end

-- In a compound it behaves as it does alone.
function TestTaperedCapsule.test_in_compounds()
	local shape = d3.taperedCapsule(0, 0, 0, 0.5, 0, 2, 0, 0.25)
	local pose = d3.pose(3, 4, 5, 1, 2, 3, 4)
	local moved, both = d3.transform(shape, pose), d3.compound { { shape = shape, pose = pose }, d3.box(1, 1, 1) }
	lu.assertEquals({ moved:getRadius() }, { 0.5, 0.25 })
	lu.assertEquals({ d3.compound({ { shape = shape, pose = pose } }):getMass(2) }, { moved:getMass(2) })
	lu.assertAlmostEquals((d3.distance(both, nil, d3.sphere(1), d3.pose(6, 6, 6))), (d3.distance(shape, pose, d3.sphere(1), d3.pose(6, 6, 6))), 1e-12)
	local t, x, y, z, nx, ny, nz, part = d3.raycast(both, nil, 3, 4, 9, 3, 4, 0)
	gives({ t, x, y, z, nx, ny, nz }, d3.raycast(shape, pose, 3, 4, 9, 3, 4, 0))
	lu.assertEquals(part, 1)
	lu.assertEquals((select(8, d3.raycast(both, nil, 0, 0, -3, 0, 0, 3))), 2)
	lu.assertAlmostEquals(moved:getPoints()[1], 3, FLOAT)
end
