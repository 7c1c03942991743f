-- Two thousand bodies of eight shapes rain on a terrain of ten basins, one static chain. Nothing falls through, the energy does not grow, and at the end most
-- bodies sleep. The argument is the number of bodies.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = { name = "rain", duration = 25, brief = { duration = 20, args = { "800" } } }

local gravity = 10
local basins, width, depth, step = 10, 12, 9, 0.5
local half = basins * width / 2
local count, bodies, energy, shapes

local function corner(x)
	if math.abs(x) > half then return 40 end
	return depth / 2 * (1 + collide.cos(2 * math.pi * (x + half) / width))
end

local function height(x)
	local left = math.floor(x / step) * step
	return corner(left) + (x - left) / step * (corner(left + step) - corner(left))
end

local function energyOf(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup(args)
	count = arguments.whole(args, 1, 2000, 1, 5000, "rain: the number of bodies")
	shapes = {
		d2.circle(0.2), d2.box(0.4, 0.3), d2.capsule(-0.15, 0, 0.15, 0, 0.12), d2.box(0.35, 0.35, { radius = 0.08 }),
		d2.polygon { -0.25, -0.15, 0.25, -0.15, 0, 0.28 }, d2.ellipse(0.25, 0.15),
		d2.polygon { 0.22, 0, 0.07, 0.21, -0.18, 0.13, -0.18, -0.13, 0.07, -0.21 }, d2.polygon({ -0.15, -0.1, 0.15, -0.1, 0, 0.15 }, 0.06),
	}
	local points = {}
	for i = math.floor(half / step) + 1, -math.floor(half / step) - 1, -1 do -- both ends rise to a high wall
		points[#points + 1], points[#points + 2] = i * step, corner(i * step)
	end
	local world = d2.newWorld { gravity = { 0, -gravity }, seed = 7 }
	world:newBody { type = "static", shape = d2.chain(points) }
	bodies, energy = {}, 0
	return world
end

-- Eight a tick, in eighty lanes. Each lane is used every tenth tick; by then its previous body has fallen 1.7 m.
function scenario.update(world, tick)
	for lane = tick % 10, 79, 10 do
		if #bodies < count then
			local body = world:newBody {
				x = (lane + 0.5 - 40) * (2 * half - 2) / 80 + 0.8 * (world:random() - 0.5), y = 15 + world:random() / 2, angle = 6.28 * world:random(),
				linearVelocity = { 0, -10 }, angularVelocity = 10 * (world:random() - 0.5),
				shape = shapes[world:random(#shapes)], rollingResistance = 0.05,
			}
			bodies[#bodies + 1] = body
			energy = energy + energyOf(body)
		end
	end
end

function scenario.check(world)
	assert(#bodies == count, "rain: it is still raining")
	local left = 0
	for i, body in ipairs(bodies) do
		local x, y = body:getPosition()
		assert(math.abs(x) < half + step and y > height(x), ("rain: body %d has fallen through: it is at %.2f, %.2f"):format(i, x, y))
		left = left + energyOf(body)
	end
	assert(left < energy, ("rain: the bodies have %.0f J, and fell with %.0f"):format(left, energy))
	local awake = world:getAwakeCount()
	assert(awake < count / 2, ("rain: %d of %d bodies are awake"):format(awake, count))
end

return scenario
