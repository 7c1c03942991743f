-- A world of each dimension runs for a number of minutes of simulated time (the argument), while bodies of all kinds are created, destroyed, joined, woken,
-- pushed and changed. The world stays valid and leaks no memory, and two worlds, with one and with two workers, stay equal to the bit.
local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path
local collide, support = require "collide", require "support"
local families = dofile(here .. "../../scripts/zoo/families.lua")
local zoo = dofile(here .. "../../scripts/zoo/zoo.lua")

local minutes = tonumber((...)) or 1
local unpack = table.unpack or unpack

-- The dynamic bodies of a family's scene, which fall into the bin.
local function visitors(dimension, seed)
	local scene, result = families[dimension == 2 and (seed % 2 == 0 and "crowd" or "compounds") or (seed % 2 == 0 and "crowd3d" or "compounds3d")](seed), {}
	for _, body in ipairs(scene.bodies) do
		if not body.type then result[#result + 1] = body end
	end
	return result
end

local function soak(dimension)
	local most, worlds = 120, {}
	local bin = families[dimension == 2 and "crowd" or "crowd3d"](1)
	for i = #bin.bodies, 1, -1 do
		if not bin.bodies[i].type then table.remove(bin.bodies, i) end
	end
	bin.bodies[#bin.bodies + 1] = { type = "static", y = 8.5, shape = dimension == 2 and { "box", 9, 1 } or { "box", 9, 1, 9 } } -- a lid
	for i = 1, 2 do
		local run = zoo.build(bin, { workers = i })
		local number, choice = support.random_numbers(7)
		worlds[i] = { run = run, world = run.world, bodies = {}, joints = {}, number = number, choice = choice, seed = 1 }
	end

	local function change(w)
		local number, choice = w.number, w.choice
		local what = choice(10)
		if what <= 4 and #w.bodies < most then
			w.seed = w.seed + 1
			local all = visitors(dimension, w.seed)
			local entry = all[choice(#all)]
			entry.y, entry.x = 7, number(-0.8, 0.8)
			if dimension == 3 then entry.z = number(-0.8, 0.8) end
			w.bodies[#w.bodies + 1] = w.world:newBody(zoo.describe(collide["d" .. dimension], entry))
		elseif #w.bodies > 0 then
			local i = choice(#w.bodies)
			local body = w.bodies[i]
			if what <= 6 and #w.bodies > most / 2 then
				body:destroy()
				table.remove(w.bodies, i)
			elseif what == 7 then
				local v = { number(-3, 3), number(0, 8), dimension == 3 and number(-3, 3) or nil }
				body:setLinearVelocity(unpack(v))
			elseif what == 8 then
				local other = w.bodies[choice(#w.bodies)]
				if other ~= body then
					local at = { body:getPosition() }
					w.world:setJointSolver(choice(2) == 1 and "direct" or "iterative")
					w.joints[#w.joints + 1] = w.world:newRevoluteJoint { bodyA = body, bodyB = other, x = at[1], y = at[2], z = at[3] }
					if #w.joints > 5 then
						local oldest = table.remove(w.joints, 1)
						if oldest:isValid() then oldest:destroy() end
					end
				end
			elseif what == 9 then
				body:setAwake(number(0, 1) < 0.5)
			else
				body:setGravityScale(number(0.5, 1))
			end
		end
	end

	local steps, memory, limit = math.floor(minutes * 60 * 60), 0, nil
	for step = 1, steps do
		for _, w in ipairs(worlds) do
			if step % 6 == 0 then change(w) end
			w.world:step(1 / 60)
		end
		if step % 600 == 0 then
			assert(worlds[1].world:hash() == worlds[2].world:hash(), ("soak: other bits with two workers at step %d"):format(step))
			for _, w in ipairs(worlds) do
				w.world:validate()
				for _, body in ipairs(w.bodies) do
					local _, y = body:getPosition()
					assert(y > -0.5 and y < 8.5, ("soak: a body is at a height of %g at step %d"):format(y, step))
				end
			end
			collectgarbage()
			memory = collectgarbage "count" + (worlds[1].world:getByteCount() + worlds[2].world:getByteCount()) / 1024
			limit = limit or step >= 6000 and 2 * memory -- KiB: twice what it is after 100 s
			assert(not limit or memory < limit, ("soak: %.0f KiB are held at step %d"):format(memory, step))
		end
	end
	print(("soak: %dD, %d steps, %d bodies at the end, %.0f KiB held, %s"):format(dimension, steps, #worlds[1].bodies, memory, worlds[1].world:hash()))
end

soak(2)
soak(3)
