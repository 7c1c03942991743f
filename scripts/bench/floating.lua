-- 500 hulls of three to eight corners fall into water, and float. The argument is their number.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "floating", duration = 10, brief = { duration = 10, args = { "50" } } }
local hulls

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 500
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newField { shape = d2.box(2 * count + 10, 10), y = -5, fluid = { density = 1, linearDrag = 2, angularDrag = 2 } }
	hulls = {}
	for i = 1, count do
		local points, corners = {}, 3 + i % 6
		for k = 0, corners - 1 do
			local angle = 2 * math.pi * (k + 0.3 * (i % 3 - 1)) / corners
			points[2 * k + 1], points[2 * k + 2] = 0.7 * collide.cos(angle), 0.4 * collide.sin(angle)
		end
		hulls[i] = world:newBody { x = 2 * i - count, y = 0.5 + i % 4, angle = 0.3 * i, shape = d2.polygon(points), density = 0.3 + 0.1 * (i % 6) }
	end
	return world
end

local function slow()
	local count = 0
	for _, hull in ipairs(hulls) do
		local _, y = hull:getPosition()
		local vx, vy = hull:getLinearVelocity()
		if math.abs(y) < 0.5 and math.sqrt(vx * vx + vy * vy) < 0.05 and math.abs(hull:getAngularVelocity()) < 0.1 then count = count + 1 end
	end
	return count
end

function scenario.measure() return { afloat = slow() } end

function scenario.check()
	assert(slow() == #hulls, ("floating: %d of %d hulls float quietly"):format(slow(), #hulls))
end

return scenario
