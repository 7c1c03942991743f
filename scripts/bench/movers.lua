-- The time of a move, and of a step with the movers in it, in us: 1 and 500 movers walk among 500 balls, in 2D on a row of boxes and on hills of a chain, in 3D on
-- a lattice of 6,400 boxes and on hills of a mesh. The first query after a step updates the tree of the balls: with one mover that is in its move. In 2D also so
-- near each other that the balls are wedged between them.
--
--   build/host scripts/bench/movers.lua [frames]
local collide = require "collide"

local FRAMES, BALLS, SIDE, ROW, SPEED, DT = tonumber(arg and arg[1]) or 200, 500, 80, 1010, 5, 1 / 60

local function hill(x, z) return 0.3 * collide.sin(0.7 * x) * collide.cos(0.6 * z) end

local floors = {
	d2 = {
		boxes = function(world, d)
			for i = -ROW, ROW - 1 do world:newBody { type = "static", x = i + 0.5, y = -0.5, shape = d.box(1, 1) } end
		end,
		hills = function(world, d)
			local points = {}
			for i = ROW, -ROW, -1 do points[#points + 1], points[#points + 2] = i, hill(i, 0) end
			world:newBody { type = "static", shape = d.chain(points) }
		end,
	},
	d3 = {
		boxes = function(world, d)
			local box = d.box(1, 1, 1)
			for i = 0, SIDE - 1 do
				for k = 0, SIDE - 1 do world:newBody { type = "static", x = i - SIDE / 2 + 0.5, y = -0.5, z = k - SIDE / 2 + 0.5, shape = box } end
			end
		end,
		hills = function(world, d)
			local vertices, indices = {}, {}
			for i = 0, SIDE do
				for k = 0, SIDE do
					vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = i - SIDE / 2, hill(i, k), k - SIDE / 2
				end
			end
			for i = 0, SIDE - 1 do
				for k = 1, SIDE do
					local a = i * (SIDE + 1) + k
					for _, corner in ipairs { a, a + 1, a + SIDE + 1, a + 1, a + SIDE + 2, a + SIDE + 1 } do indices[#indices + 1] = corner end
				end
			end
			world:newBody { type = "static", shape = d.mesh(vertices, indices) }
		end,
	},
}

local function measure(dim, kind, count, pitch)
	local d, flat = collide[dim], dim == "d2"
	local world = d.newWorld { gravity = flat and { 0, -20 } or { 0, -20, 0 } }
	floors[dim][kind](world, d)
	local ball = flat and d.circle(0.15) or d.sphere(0.3)
	local capsule = flat and d.capsule(0, -0.5, 0, 0.5, 0.3) or d.capsule(0, -0.4, 0, 0, 0.4, 0, 0.4)
	local function place(i, shift)
		if flat then return (i - BALLS / 2 + shift) * pitch end
		return (i % 23 - 11 + shift) * 3, (math.floor(i / 23) - 11 + shift) * 3
	end
	for i = 0, BALLS - 1 do
		local x, z = place(i, 0.5)
		world:newBody { x = x, y = 1.5, z = z, shape = ball }
	end
	local movers, falls = {}, {}
	for i = 1, count do
		local x, z = place(i - 1, 0)
		movers[i], falls[i] = world:newMover { x = x, y = 1.2, z = z, shape = capsule }, 0
	end
	local moves, steps = 0, 0
	for frame = -20, FRAMES - 1 do
		if frame == 0 then moves, steps = 0, 0 end
		local dx, dz = SPEED * DT * collide.sin(0.05 * frame), SPEED * DT * collide.cos(0.05 * frame)
		local before = os.clock()
		for i, mover in ipairs(movers) do
			local fall = mover:isGrounded() and 0 or falls[i] - 20 * DT
			falls[i] = fall
			if flat then mover:move(dx, fall * DT, DT) else mover:move(dx, fall * DT, dz, DT) end
		end
		local middle = os.clock()
		world:step(DT)
		moves, steps = moves + middle - before, steps + os.clock() - middle
	end
	print(("%s %-5s  %3d movers%s: move %6.2f  step %7.1f"):format(
		dim, kind, count, flat and pitch < 1 and ", wedged" or "", 1e6 * moves / FRAMES / count, 1e6 * steps / FRAMES))
end

for _, dim in ipairs { "d2", "d3" } do
	for _, kind in ipairs { "boxes", "hills" } do
		for _, count in ipairs { 1, 500 } do measure(dim, kind, count, 4) end
	end
end
measure("d2", "boxes", 500, 0.78)
