-- Terrain made of chains. Wheels and capsules roll in a valley of hills, and nothing falls through. Under it lies a straight track of a hundred collinear
-- edges without friction, where a disc, a box and a capsule slide at 10 m/s over its joints without a bump.
-- A chain is solid on the left of its direction, so a floor is listed from right to left, and a rock counter-clockwise.
local collide = require "collide"
local d2 = collide.d2
local springs = require "collide.host.springs"

local scenario = { name = "terrain", duration = 12, timestep = 1 / 60 }

local gravity, track = 10, -10 -- the track's height
local wheels, sliders, energy

-- A valley with hills in it, 60 m wide, with a corner at each whole metre. A rock lies in its middle.
local function corner(x)
	return 0.012 * x * x + 0.8 * collide.sin(0.6 * x) + 0.3 * collide.sin(0.31 * x + 1)
end

local function height(x)
	local i = math.floor(x)
	return corner(i) + (x - i) * (corner(i + 1) - corner(i))
end

local rockX, rockY, rockRadius = 0, corner(0) + 0.2, 0.8

local function energyOf(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -gravity } }
	local points = {}
	for x = 30, -30, -1 do
		points[#points + 1], points[#points + 2] = x, corner(x)
	end
	local rock = {}
	for i = 0, 6 do
		rock[#rock + 1] = rockX + rockRadius * collide.cos(2 * math.pi * i / 7)
		rock[#rock + 1] = rockY + rockRadius * collide.sin(2 * math.pi * i / 7)
	end
	world:newBody {
		type = "static",
		shapes = { { shape = d2.chain(points), friction = 0.8 }, { shape = d2.chain(rock, { loop = true }) } },
	}
	wheels, energy = {}, 0
	for i = 1, 24 do
		local x = -26 + 2.2 * (i - 1)
		local radius = 0.25 + 0.05 * (i % 4)
		local shape = i % 3 == 0 and d2.capsule(-0.3, 0, 0.3, 0, radius) or d2.circle(radius)
		wheels[i] = world:newBody { x = x, y = height(x) + 3.2, shape = shape, friction = 0.8, restitution = 0.2, rollingResistance = 0.005 }
		energy = energy + energyOf(wheels[i])
	end

	local straight = {}
	for i = 100, 0, -1 do
		straight[#straight + 1], straight[#straight + 2] = i * 0.73 - 5, track
	end
	world:newBody { type = "static", shape = d2.chain(straight), friction = 0 }
	sliders = {}
	for i, shape in ipairs { d2.circle(0.5), d2.box(1, 1), d2.capsule(-0.5, 0, 0.5, 0, 0.5) } do
		sliders[i] = {
			name = shape:getType(), bump = 0, loss = 0,
			body = world:newBody { x = 2 * i - 4, y = track + 0.5, linearVelocity = { 10, 0 }, shape = shape, friction = 0 },
		}
	end
	return world
end

function scenario.update(_, tick)
	-- They settle in the first half second, and are watched for the next five. After that they leave the track at its end.
	local time = tick * scenario.timestep
	if time > 0.5 and time <= 5.5 then
		for _, slider in ipairs(sliders) do
			local vx, vy = slider.body:getLinearVelocity()
			slider.bump = math.max(slider.bump, math.abs(vy), math.abs(slider.body:getAngularVelocity()))
			slider.loss = math.max(slider.loss, math.abs(vx - 10))
		end
	elseif time > 5.5 then
		for _, slider in ipairs(sliders) do
			slider.body:setEnabled(false)
		end
	end
end

-- Contacts are springs, of angular frequency w on the fixed floor. A box on two points sinks by d = g / (4/5 w^2). Over a joint there are up to four points,
-- so the box sinks half as deep; it gets there at the springs' own rate, w / 10 with their damping ratio of 5. So a joint may cause a speed of d / 2 w / 10 =
-- g / (16 w): 1.5 mm/s with the 34 Hz that four sub-steps at 60 Hz can follow, a seventh of their rate.
function scenario.check(world)
	local w = 4 * math.pi * springs.hertz(world, scenario.timestep)
	local felt = gravity / (16 * w)
	for _, slider in ipairs(sliders) do
		assert(slider.bump < felt, ("terrain: the %s felt a bump of %.4f m/s on a straight floor"):format(slider.name, slider.bump))
		assert(slider.loss < 1e-3, ("terrain: the %s lost %.4f m/s on a floor without friction"):format(slider.name, slider.loss))
	end
	local left = 0
	for i, wheel in ipairs(wheels) do
		local x, y = wheel:getPosition()
		assert(math.abs(x) < 30, ("terrain: wheel %d has left the valley: x = %.2f"):format(i, x))
		assert(y > height(x), ("terrain: wheel %d has fallen through: its middle is %.3f m under the floor"):format(i, height(x) - y))
		local fromRock = math.sqrt((x - rockX) ^ 2 + (y - rockY) ^ 2)
		assert(fromRock > rockRadius * collide.cos(math.pi / 7), ("terrain: wheel %d is in the rock"):format(i))
		left = left + energyOf(wheel)
	end
	assert(left < energy, ("terrain: the wheels have %.1f J, and started with %.1f"):format(left, energy))
end

return scenario
