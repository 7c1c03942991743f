-- The cost of calls from Lua: ns a call, or a row of a loop, over bodies that all move, and the bytes of garbage a step. Fails if there is any garbage; so it
-- holds the colliders: a collider that no script holds gets a new object whenever an event names it. Each call is measured twice in a row, as the first run also
-- pays for the cache contents that the step left. The first entry calls a function that does nothing, to compare machines. For the cost of creating bodies see
-- scripts/bench/creation.lua.
--
--   build/host scripts/bench/lua.lua             10,000 bodies in 2D
--   build/host scripts/bench/lua.lua 100000      another number
--   build/host scripts/bench/lua.lua 10000 d3    bodies in 3D
local wanted, dimension = ...
local count = tonumber(wanted or 10000)
assert(count and count >= 1 and count % 1 == 0, "lua: the argument must be a number of bodies")
local space = dimension == "d3"
local d = require("collide")[dimension or "d2"]
assert(d, "lua: the second argument must be d2 or d3")

local dt, rounds, warm = 1 / 60, 40, 10 -- times: the minimum over the rounds; counts and bytes: the mean; warm: rounds before
local clock, rawequal = os.clock, rawequal
local ball = space and d.sphere(0.5) or d.circle(0.5)

local function vector(x, y) return { x, y, space and 0 or nil } end
local columns = math.ceil(math.sqrt(count))
local colliders = {}

-- A grid without gravity. `lively`: every second body moves back and forth between its neighbours, so that contacts begin and end.
local function grid(lively, data)
	local world, bodies = d.newWorld { gravity = vector(0, 0), sleeping = false }, {}
	for i = 1, count do
		local x, y = (i - 1) % columns, math.floor((i - 1) / columns)
		local speed = lively and ((x + y) % 2 == 0 and 6 or -6) or 0
		bodies[i] = world:newBody {
			x = 1.3 * x, y = 1.3 * y, shape = ball, restitution = 1, friction = 0, linearVelocity = vector(speed, 0), data = data and i,
		}
		colliders[#colliders + 1] = bodies[i]:getColliders()[1]
	end
	return world, bodies
end

local world, bodies = grid(true)
local _, pushed = grid(false)
local _, bodies_with_data = grid(false, true)

local function positions(list)
	local sum = 0
	for i = 1, count do
		local x, y = list[i]:getPosition()
		sum = sum + x + y
	end
	return count, sum
end

-- Name and function; each returns the number of calls, and a value computed from the results.
local questions = {
	{ "rawequal(a, b)", function()
		local list, same = bodies, 0
		for i = 1, count do if rawequal(list[i], list) then same = same + 1 end end
		return count, same
	end },
	{ "body:getPosition()", function() return positions(bodies) end },
	{ "body:getPosition(), has data", function() return positions(bodies_with_data) end },
	{ space and "body:getRotation()" or "body:getAngle()", function()
		local list, sum = bodies, 0
		if space then
			for i = 1, count do
				local qx, qy, qz, qw = list[i]:getRotation()
				sum = sum + qx + qy + qz + qw
			end
		else
			for i = 1, count do sum = sum + list[i]:getAngle() end
		end
		return count, sum
	end },
	{ "body:getTransform()", function()
		local list, sum = bodies, 0
		for i = 1, count do
			local x, y, angle = list[i]:getTransform()
			sum = sum + x + y + angle
		end
		return count, sum
	end },
	{ "body:getLinearVelocity()", function()
		local list, sum = bodies, 0
		for i = 1, count do
			local x, y = list[i]:getLinearVelocity()
			sum = sum + x + y
		end
		return count, sum
	end },
	{ "body:setLinearVelocity(x, y)", function()
		local list = pushed
		if space then
			for i = 1, count do list[i]:setLinearVelocity(i, -i, 0) end
		else
			for i = 1, count do list[i]:setLinearVelocity(i, -i) end
		end
		return count
	end },
	{ "body:applyForce(fx, fy)", function()
		local list = pushed
		if space then
			for i = 1, count do list[i]:applyForce(i, -i, 0) end
		else
			for i = 1, count do list[i]:applyForce(i, -i) end
		end
		return count
	end },
	{ "body.data", function()
		local list, sum = bodies_with_data, 0
		for i = 1, count do sum = sum + list[i].data end
		return count, sum
	end },
	{ "world:raycast(...)", function()
		local sum, rays = 0, math.ceil(count / 10)
		for i = 0, rays - 1 do
			local y = i % columns
			local _, x
			if space then
				_, x = world:raycast(-2, y, 0, columns, y, 0)
			else
				_, x = world:raycast(-2, y, columns, y)
			end
			sum = sum + (x or 0)
		end
		return rays, sum
	end },
	{ "world:moved()", function()
		local found, sum = 0, 0
		for _, x, y, angle in world:moved() do found, sum = found + 1, sum + x + y + angle end
		return found, sum
	end },
	{ "world:interpolated()", function()
		local found, sum = 0, 0
		for _, x, y, angle in world:interpolated() do found, sum = found + 1, sum + x + y + angle end
		return found, sum
	end },
	{ "world:contacts()", function()
		local found, sum = 0, 0
		for _, _, nx, ny, x, y, separation in world:contacts() do found, sum = found + 1, sum + nx + ny + x + y + separation end
		return found, sum
	end },
	{ "world:beginContacts()", function()
		local found, sum = 0, 0
		for _, _, nx, ny in world:beginContacts() do found, sum = found + 1, sum + nx + ny end
		return found, sum
	end },
	{ "world:endContacts()", function()
		local found = 0
		for _ in world:endContacts() do found = found + 1 end
		return found
	end },
	{ "world:hits()", function()
		local found, sum = 0, 0
		for _, _, x, y, nx, ny, speed in world:hits() do found, sum = found + 1, sum + x + y + nx + ny + speed end
		return found, sum
	end },
	{ "world:advance()", function() -- alternately one step and two
		return (world:advance(1.5 * dt))
	end },
}

local times, seen, garbage = {}, {}, {}
for k = 1, #questions do times[k], seen[k], garbage[k] = math.huge, 0, 0 end
for round = 1, rounds + warm do
	collectgarbage()
	collectgarbage "stop"
	for k = #questions, 1, -1 do -- the step first
		local ask = questions[k][2]
		for _ = 1, 2 do
			local held, start = collectgarbage "count", clock()
			local found = ask()
			local seconds = clock() - start
			local bytes = 1024 * (collectgarbage "count" - held)
			if round > warm then
				if found > 0 then times[k] = math.min(times[k], seconds / found) end
				seen[k], garbage[k] = seen[k] + found / 2, garbage[k] + bytes / 2
			end
		end
	end
	collectgarbage "restart"
end

print(("%-32s%10s%14s%16s"):format(count .. " bodies", "ns each", "each a step", "bytes a step"))
local litter = 0
for k, question in ipairs(questions) do
	print(("%-32s%10s%14.0f%16.0f"):format(question[1], seen[k] > 0 and ("%.1f"):format(1e9 * times[k]) or "-", seen[k] / rounds,
		garbage[k] / rounds))
	litter = litter + garbage[k]
end
assert(jit or litter == 0, ("lua: %.0f bytes of garbage"):format(litter)) -- LuaJIT keeps compiled code
