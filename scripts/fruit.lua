-- Fruits fly up, and blades slice them in the air. The halves, which may be sliced again, fall into a bowl. The first argument is the number of fruits, from 1
-- to 200.
-- Laws. The halves of a slice together have the fruit's mass, momentum and energy, and each is on its side of the blade. All that was thrown ends in the bowl.
local collide = require "collide"
local d2 = collide.d2
local arguments = require "collide.host.arguments"

local scenario = { name = "fruit", duration = 30, timestep = 1 / 60, camera = { x = 0, y = 4, height = 13 }, brief = { duration = 20, args = { "20" } } }

local kinds = {
	{ name = "apple", color = "#dc2626", shapes = { { shape = d2.circle(0.45), friction = 0.3 } } },
	{ name = "lemon", color = "#facc15", shapes = { { shape = d2.ellipse(0.55, 0.35), friction = 0.3 } } },
	{ name = "melon", color = "#16a34a", shapes = { { shape = d2.ellipse(0.9, 0.7), friction = 0.3 } } },
	{ name = "banana", color = "#fde047", shapes = { { shape = d2.capsule(-0.5, 0.1, 0, -0.05, 0.16) }, { shape = d2.capsule(0, -0.05, 0.5, 0.1, 0.16) } } },
	{ name = "pear", color = "#a3e635", shapes = { { shape = d2.circle(0.42, 0, -0.2) }, { shape = d2.circle(0.26, 0, 0.3) } } },
}
local count, thrown, mass, blades, cuts

function scenario.setup(args)
	count = arguments.whole(args, 1, 40, 1, 200, "fruit: the number of fruits")
	local world = d2.newWorld { gravity = { 0, -10 }, seed = 9 }
	local bowl = world:newBody { type = "static", color = "#64748b", shape = d2.box(12.4, 0.4, { y = -2.2 }), friction = 0.5 }
	for side = -1, 1, 2 do bowl:newCollider(d2.box(0.4, 12, { x = 6.2 * side, y = 3.6 }), { friction = 0.2 }) end
	thrown, mass, cuts, blades = 0, 0, 0, {}
	return world
end

local function throw(world)
	thrown = thrown + 1
	local kind = kinds[world:random(#kinds)]
	local x = 8 * world:random() - 4
	local body = world:newBody {
		x = x, y = -1, angle = 6 * world:random() - 3, angularVelocity = 8 * world:random() - 4,
		linearVelocity = { -0.5 * x + 2 * world:random() - 1, 11 + 3 * world:random() },
		shapes = kind.shapes, name = kind.name, color = kind.color, data = { slices = 0 },
	}
	mass = mass + body:getMass()
end

local function sums(bodies)
	local m, px, py, energy = 0, 0, 0, 0
	for _, body in ipairs(bodies) do
		local vx, vy = body:getLinearVelocity()
		m, px, py, energy = m + body:getMass(), px + body:getMass() * vx, py + body:getMass() * vy, energy + body:getKineticEnergy()
	end
	return m, px, py, energy
end

-- A blade through the body, near its centre, which drives the halves apart.
local function slice(world, body)
	local x, y = body:getCenter()
	local angle, away = 1.4 * world:random() - 0.7, 0.2 * world:random() - 0.1
	local dx, dy = collide.cos(angle), collide.sin(angle)
	x, y = x - away * dy, y + away * dx
	local m, px, py, energy = sums { body }
	local slices = body.data.slices + 1
	local halves = body:slice(x - dx, y - dy, x + dx, y + dy, { onPiece = function(piece) piece.data = { slices = slices } end })
	blades[#blades + 1] = { x = x, y = y, dx = dx, dy = dy, tick = world:getTick() }
	if #halves == 0 then return end
	cuts = cuts + 1
	local m2, px2, py2, energy2 = sums(halves)
	assert(math.abs(m2 / m - 1) < 1e-6 and math.abs(energy2 / energy - 1) < 1e-5, "a slice has changed the mass or the energy")
	assert(math.abs(px2 - px) < 1e-5 * m and math.abs(py2 - py) < 1e-5 * m, "a slice has changed the momentum")
	local left
	for _, half in ipairs(halves) do
		local cx, cy = half:getCenter()
		local side = dx * (cy - y) - dy * (cx - x)
		assert(left ~= false or side < 0, "the halves left of the blade come first")
		left = side > 0
		local push = left and 0.6 or -0.6
		half:applyImpulse(-push * dy * half:getMass(), push * dx * half:getMass())
	end
end

function scenario.update(world, tick)
	if tick % 12 == 1 and thrown < count then throw(world) end
	while blades[1] and world:getTick() - blades[1].tick > 8 do table.remove(blades, 1) end
	for _, body in ipairs(world:getBodies()) do
		local _, vy = body:getLinearVelocity()
		local _, y = body:getCenter()
		if body.data and body.data.slices < 2 and y > 2.5 and math.abs(vy) < 2 and tick % 4 == 0 and body:getMass() > 0.1 then slice(world, body) end
	end
end

function scenario.draw(canvas)
	for _, blade in ipairs(blades) do
		canvas.segment("label", blade.x - 1.5 * blade.dx, blade.y - 1.5 * blade.dy, blade.x + 1.5 * blade.dx, blade.y + 1.5 * blade.dy)
	end
end

function scenario.check(world)
	local found, bodies = 0, 0
	for _, body in ipairs(world:getBodies()) do
		if body.data then
			local x, y = body:getCenter()
			bodies, found = bodies + 1, found + body:getMass()
			assert(math.abs(x) < 6.1 and y > -2.1, ("a piece of %s is at %.2f, %.2f"):format(body:getName(), x, y))
		end
	end
	assert(thrown == count, ("%d of %d fruits were thrown"):format(thrown, count))
	assert(cuts >= count / 2 and bodies >= count + cuts, ("%d slices made %d bodies of %d fruits"):format(cuts, bodies, count))
	assert(math.abs(found / mass - 1) < 1e-5, ("%.6f of the mass is left"):format(found / mass))
	world:validate()
end

return scenario
