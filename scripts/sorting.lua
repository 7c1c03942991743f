-- A belt carries crates of four kinds past three flaps. A sensor before each flap sees one kind alone, and opens the flap until the sensor of the bin below
-- has seen the crate. The last kind goes to the end. The first argument is the number of crates, from 1 to 64.
-- Laws. Each crate lands in the bin of its kind, and the sensors of the bins have counted all. Crates ride to the first flap at the belt's speed.
local d2 = require("collide").d2
local arguments = require "collide.host.arguments"

local scenario = { name = "sorting", duration = 100, timestep = 1 / 60, camera = { x = 0.5, y = 2.6, height = 15 }, brief = { duration = 32, args = { "16" } } }

local kinds = { "red", "green", "blue", "yellow" }
local colors = { red = "#dc2626", green = "#16a34a", blue = "#2563eb", yellow = "#eab308" }
local shapes = { d2.box(0.7, 0.7), d2.box(0.9, 0.5), d2.polygon { -0.4, -0.3, 0.4, -0.3, 0.3, 0.3, -0.3, 0.3 }, d2.box(0.5, 0.8) }
local speed, interval, gap, pitch = 2.5, 1.4, 1.5, 5 -- of the belt [m/s]; between crates [s]; length of a flap, distance of bins [m]
local left = -10 -- the start of the belt; the top of the belt is at y = 6
local count, made, passing, bins

-- A flap is hinged at its far end. Open, it hangs down, and stops the crate that falls past it.
local function add_flap(world, bin, x)
	bin.flap = world:newBody {
		type = "kinematic", x = x + gap, y = 5.9, friction = 0.8, tangentSpeed = speed, shape = d2.box(gap - 0.04, 0.2, { x = -gap / 2 }), color = "#64748b",
	}
	bin.eye = world:newBody {
		type = "static", x = x - 0.3, y = 6.6, shape = d2.box(0.2, 1), sensor = true, layer = "factory", collidesWith = { bin.kind }, color = colors[bin.kind],
	}:getColliders()[1]
end

function scenario.setup(args)
	count = arguments.whole(args, 1, 64, 1, 64, "sorting: the number of crates")
	local world = d2.newWorld { gravity = { 0, -10 }, seed = 5, layers = { "factory", kinds[1], kinds[2], kinds[3], kinds[4] } }
	local function fixed(x, y, width, height, tangent_speed)
		world:newBody { type = "static", x = x + width / 2, y = y + height / 2, shape = d2.box(width, height), friction = 0.8, tangentSpeed = tangent_speed }
	end
	bins, made, passing = {}, {}, {}
	local start = left
	for i, kind in ipairs(kinds) do
		local x = left + pitch * i - 1
		bins[i] = { kind = kind, x = x + gap / 2, crates = 0, expected = 0 }
		fixed(start, 5.8, x - start, 0.2, speed)
		start = x + gap
		if i < #kinds then add_flap(world, bins[i], x) end
		for side = -1, 1, 2 do fixed(bins[i].x + side * (pitch - 0.4) / 2 - 0.1, -2, 0.2, 6) end
		bins[i].inside = world:newBody {
			type = "static", x = bins[i].x, y = 0.9, shape = d2.box(pitch - 0.6, 5.6), sensor = true, layer = "factory", color = colors[kind],
		}:getColliders()[1]
	end
	fixed(left, -2.2, pitch * 5, 0.2)
	fixed(left + 4 * pitch + 0.9, 4, 0.2, 4) -- the wall at the end
	return world
end

local function add_crate(world)
	local i = #made + 1
	local kind = kinds[world:random(#kinds)]
	made[i] = world:newBody { x = left + 0.6, y = 6.4, shape = shapes[1 + i % #shapes], friction = 0.3, layer = kind, color = colors[kind] }
	made[i].data = kind
end

local function read_sensors(world)
	for sensor in world:beginOverlaps() do
		for _, bin in ipairs(bins) do
			if sensor == bin.eye then bin.expected = bin.expected + 1 end
			if sensor == bin.inside then bin.crates, bin.expected = bin.crates + 1, bin.expected - 1 end
		end
	end
	for sensor in world:endOverlaps() do
		for _, bin in ipairs(bins) do
			if sensor == bin.inside then bin.crates = bin.crates - 1 end
		end
	end
end

function scenario.update(world, tick)
	local dt = scenario.timestep or 1 / 60
	read_sensors(world)
	if tick * dt > interval * #made and #made < count then add_crate(world) end
	for _, bin in ipairs(bins) do
		if bin.flap then
			local angle, target = bin.flap:getAngle(), bin.expected > 0 and 1.4 or 0
			bin.flap:setAngularVelocity(math.max(-6, math.min(6, (target - angle) / dt)))
		end
	end
	for _, crate in ipairs(made) do
		if not passing[crate] and crate:getPosition() > left + 3 then passing[crate] = crate:getLinearVelocity() end
	end
end

function scenario.check(world)
	read_sensors(world)
	local wanted = { red = 0, green = 0, blue = 0, yellow = 0 }
	for i, crate in ipairs(made) do
		wanted[crate.data] = wanted[crate.data] + 1
		assert(math.abs(passing[crate] / speed - 1) < 0.03, ("crate %d rides at %.3f m/s"):format(i, passing[crate]))
		for _, bin in ipairs(bins) do
			local x, y = crate:getPosition()
			local inside = math.abs(x - bin.x) < pitch / 2 - 0.3 and y < 4
			assert(inside == (bin.kind == crate.data), ("crate %d, %s, is at %.2f, %.2f"):format(i, crate.data, x, y))
		end
	end
	for _, bin in ipairs(bins) do
		local listed = 0
		for _ in bin.inside:overlaps() do listed = listed + 1 end
		assert(bin.crates == wanted[bin.kind] and listed == bin.crates, ("%s: %d counted, %d listed, %d made"):format(bin.kind, bin.crates, listed, wanted[bin.kind]))
	end
	assert(#made == count)
end

return scenario
