-- 5,000 convex hulls of 8 to 20 corners are poured into a bin, and come to rest in a heap. The argument is their number.
-- Exempt: 30 Hz with 2 sub-steps: with springs of 12 Hz, the stiffest that these can follow, one of the 5,000 is pressed into the floor as the others fall on it.
local d3 = require("collide").d3
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "pile3d", duration = 20, timestep = 1 / 60, brief = { duration = 9, args = { "200" } } }

local gravity, kinds = 10, 20
local half -- of the bin's width
local bodies, energy, volume

-- Corners on an ellipsoid, so that all of them are corners of the hull.
local function new_hull(world)
	local a, b, c, points = 0.3 + 0.2 * world:random(), 0.3 + 0.2 * world:random(), 0.3 + 0.2 * world:random(), {}
	for _ = 1, world:random(8, 20) do
		local x, y, z, squares
		repeat
			x, y, z = 2 * world:random() - 1, 2 * world:random() - 1, 2 * world:random() - 1
			squares = x * x + y * y + z * z
		until squares <= 1 and squares > 0.01
		local n, length = #points, math.sqrt(squares)
		points[n + 1], points[n + 2], points[n + 3] = a * x / length, b * y / length, c * z / length
	end
	return d3.hull(points)
end

local function energy_of(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup(args)
	local count = arguments.whole(args, 1, 5000, 1, 10000, "pile3d: the number of hulls")
	local side = math.max(2, math.ceil(math.sqrt(count / 25)))
	half = 0.55 * side
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, seed = 7 }
	world:newBody {
		type = "static", name = "bin",
		shapes = {
			{ shape = d3.box(2 * half + 2, 1, 2 * half + 2, { y = -0.5 }) },
			{ shape = d3.box(1, 20, 2 * half + 2, { x = -half - 0.5, y = 9 }) }, { shape = d3.box(1, 20, 2 * half + 2, { x = half + 0.5, y = 9 }) },
			{ shape = d3.box(2 * half + 2, 20, 1, { z = -half - 0.5, y = 9 }) },
			-- The front is a half-space, so that one can look in.
			{ shape = d3.halfSpace(0, 0, -1, -half) },
		},
	}
	local shapes = {}
	for i = 1, kinds do shapes[i] = new_hull(world) end
	bodies, energy, volume = {}, 0, 0
	for i = 0, count - 1 do
		local layer, place = math.floor(i / (side * side)), i % (side * side)
		local body = world:newBody {
			x = 1.08 * (place % side - (side - 1) / 2), y = 0.7 + 1.08 * layer, z = 1.08 * (math.floor(place / side) - (side - 1) / 2),
			rotation = { world:random() - 0.5, world:random() - 0.5, world:random() - 0.5, world:random() - 0.5 }, shape = shapes[i % kinds + 1],
		}
		bodies[i + 1], energy, volume = body, energy + energy_of(body), volume + body:getMass()
	end
	return world
end

-- The velocity that an impulse of 1 along n gives the point where it acts: 1 / m_point = 1/m + t . I^-1 t with t = r x n.
local function response(body, nx, ny, nz, x, y, z)
	local cx, cy, cz = body:getCenter()
	local rx, ry, rz = x - cx, y - cy, z - cz
	local tx, ty, tz = body:getLocalVector(ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx)
	local xx, yy, zz, xy, xz, yz = body:getInertia()
	local a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy -- the adjugate's first row
	local det = xx * a + xy * b + xz * c
	local ux = (a * tx + b * ty + c * tz) / det
	local uy = (b * tx + (xx * zz - xz * xz) * ty + (xy * xz - xx * yz) * tz) / det
	local uz = (c * tx + (xy * xz - xx * yz) * ty + (xx * yy - xy * xy) * tz) / det
	return 1 / body:getMass() + tx * ux + ty * uy + tz * uz
end

function scenario.measure(world)
	local mass, kinetic, moment = 0, 0, 0
	for _, body in ipairs(bodies) do
		local _, y = body:getCenter()
		mass, kinetic, moment = mass + body:getMass(), kinetic + body:getKineticEnergy(), moment + body:getMass() * y
	end
	return { speed = math.sqrt(2 * kinetic / mass), height = moment / mass, awake = world:getAwakeCount() }
end

function scenario.check(world)
	local left = 0
	for i, body in ipairs(bodies) do
		local x, y, z = body:getCenter()
		assert(y > 0 and math.abs(x) < half and math.abs(z) < half, ("pile3d: hull %d is through a wall: %.3f, %.3f, %.3f"):format(i, x, y, z))
		left = left + energy_of(body)
	end
	-- Contacts are springs, on a wall of twice the rate, but no faster than a seventh of the sub-steps' rate. Under the force F a point at rest gives way by
	-- F / (m_point w^2). The smallest half axis is 0.3 m. A hull that is a tenth of that deep in a wall, and a tenth deeper than its load makes it, is being
	-- pressed through.
	local w = 4 * math.pi * springs.hertz(world, scenario.timestep)
	for a, b, nx, ny, nz, x, y, z, separation, impulse in world:contacts() do
		local hull = a:getBody():getType() == "static" and b:getBody() or b:getBody():getType() == "static" and a:getBody()
		if hull and separation <= -0.03 then
			local give = impulse / scenario.timestep * response(hull, nx, ny, nz, x, y, z) / w ^ 2
			assert(-separation < 1.1 * give, ("pile3d: a hull is %.3f m in a wall at %.3f, %.3f, %.3f; its load makes it %.3f"):format(-separation, x, y, z, give))
		end
	end
	local found = scenario.measure(world)
	-- A heap that fills the bin completely is as high as its volume over the floor's area, and its centre is at half of that. Only overlapping hulls could
	-- have a lower centre.
	local least = volume / (2 * half) ^ 2 / 2
	print(("pile3d: mean speed %.4f m/s, %d awake, centre at %.2f m, filling %.0f %%"):format(found.speed, found.awake, found.height, 100 * least / found.height))
	assert(found.height > least, ("pile3d: its centre is at %.3f m, lower than if it filled the bin without a gap: %.3f"):format(found.height, least))
	-- At rest: less than if all hulls moved at 5 cm/s, the speed below which a body may go to sleep.
	assert(found.speed < 0.05, ("pile3d: it still moves, at a mean of %.3f m/s"):format(found.speed))
	assert(left < energy, ("pile3d: it has %.1f J, and started with %.1f"):format(left, energy))
end

return scenario
