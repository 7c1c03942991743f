-- 500 hulls of six to thirteen corners fall into water, and float. The argument is their number.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "floating3d", duration = 12, brief = { duration = 12, args = { "25" } } }
local side = 25 -- hulls in a row
local hulls

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 500
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newField { shape = d3.box(200, 10, 200), y = -5, fluid = { density = 1, linearDrag = 2, angularDrag = 2 } }
	hulls = {}
	for i = 1, count do
		local points, corners = {}, 6 + i % 8
		for k = 0, corners - 1 do -- a spiral on an ellipsoid
			local y = 1 - (2 * k + 1) / corners
			local r, angle = math.sqrt(1 - y * y), 2.4 * k
			points[3 * k + 1], points[3 * k + 2], points[3 * k + 3] = 0.7 * r * collide.cos(angle), 0.4 * y, 0.5 * r * collide.sin(angle)
		end
		hulls[i] = world:newBody {
			x = 2 * (i % side), y = 0.5 + i % 4, z = 2 * math.floor(i / side), rotation = { axis = { 1, 2, 3 }, angle = 0.3 * i }, shape = d3.hull(points),
			density = 0.3 + 0.1 * (i % 6),
		}
	end
	return world
end

local function slow()
	local count = 0
	for _, hull in ipairs(hulls) do
		local _, y = hull:getPosition()
		local vx, vy, vz = hull:getLinearVelocity()
		local wx, wy, wz = hull:getAngularVelocity()
		if math.abs(y) < 0.5 and vx * vx + vy * vy + vz * vz < 0.05 ^ 2 and wx * wx + wy * wy + wz * wz < 0.1 ^ 2 then count = count + 1 end
	end
	return count
end

function scenario.measure() return { afloat = slow() } end

function scenario.check()
	assert(slow() == #hulls, ("floating3d: %d of %d hulls float quietly"):format(slow(), #hulls))
end

return scenario
