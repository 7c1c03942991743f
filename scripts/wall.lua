-- A wall of bricks in running bond stands and goes to sleep; then a ball is shot at it. The argument is the ball's speed, 25 m/s; 0: no ball.
-- At most 60: a ball of 100 m/s passes through between two steps, as only a `bullet` is swept against bodies that move.
local d3 = require("collide").d3
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "wall", duration = 9, timestep = 1 / 60 }
scenario.camera = { x = 0, y = 2, z = -4, distance = 26, yaw = -0.7, pitch = 0.35 }

local gravity, courses, columns = 10, 14, 10
local length, height, depth = 1, 0.5, 0.5
local shot = 5 -- time of the shot [s]
local speed, bricks, ball, energy

local function energy_of(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup(args)
	speed = arguments.number(args, 1, 25, 0, 60, "wall: the speed")
	local world = d3.newWorld { gravity = { 0, -gravity, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(80, 2, 300), friction = 0.6 }
	local whole, half = d3.box(length, height, depth), d3.box(length / 2, height, depth)
	bricks, ball, energy = {}, nil, nil
	local function brick(x, course, shape)
		local y = (course - 0.5) * height
		bricks[#bricks + 1] = { x = x, y = y, z = 0, body = world:newBody { x = x, y = y, shape = shape, friction = 0.6, density = 2 } }
	end
	for course = 1, courses do
		local left = -columns * length / 2
		if course % 2 == 1 then
			for i = 1, columns do brick(left + (i - 0.5) * length, course, whole) end
		else
			brick(left + length / 4, course, half)
			for i = 1, columns - 1 do brick(left + i * length, course, whole) end
			brick(-left - length / 4, course, half)
		end
	end
	return world
end

local function way(brick)
	local x, y, z = brick.body:getPosition()
	return math.sqrt((x - brick.x) ^ 2 + (y - brick.y) ^ 2 + (z - brick.z) ^ 2)
end

-- A course sinks into the one below by less than 5/2 g / w^2 for each course above it, as in scripts/stack.lua: 105 of them in all.
local function check_stands(world)
	local hertz = springs.hertz(world, scenario.timestep)
	local give = 5 / 2 * gravity / (2 * math.pi * hertz) ^ 2
	for i, brick in ipairs(bricks) do
		assert(way(brick) < courses * (courses + 1) / 2 * give, ("wall: brick %d has gone %.4f m before the shot"):format(i, way(brick)))
		assert(not brick.body:isAwake(), ("wall: brick %d does not sleep"):format(i))
	end
end

function scenario.update(world, tick)
	if speed == 0 or tick ~= math.floor(shot / scenario.timestep + 0.5) then return end
	check_stands(world)
	ball = world:newBody { x = 0.3, y = 3, z = 15, shape = d3.sphere(0.8), density = 4, linearVelocity = { 0, 2, -speed }, friction = 0.6 }
	energy = energy_of(ball)
	for _, brick in ipairs(bricks) do energy = energy + energy_of(brick.body) end
end

function scenario.measure()
	local moved, farthest = 0, 0
	for _, brick in ipairs(bricks) do
		local far = way(brick)
		if far > length / 2 then moved = moved + 1 end
		farthest = math.max(farthest, far)
	end
	return { moved = moved, farthest = farthest }
end

function scenario.check(world)
	if speed == 0 then return check_stands(world) end
	local left = energy_of(ball)
	for i, brick in ipairs(bricks) do
		local _, y = brick.body:getPosition()
		-- In any orientation a brick's middle is at least half of its least side above the floor, but for the compliance of contacts.
		assert(y > 0.45 * height, ("wall: brick %d is in the floor, at a height of %.3f m"):format(i, y))
		left = left + energy_of(brick.body)
	end
	assert(left < energy, ("wall: it has %.1f J, and had %.1f when the ball was shot"):format(left, energy))
	local found = scenario.measure()
	print(("wall: %d of %d bricks shot away, the farthest by %.1f m"):format(found.moved, #bricks, found.farthest))
	-- From 10 m/s on it reaches the wall.
	if speed >= 10 then assert(found.farthest > 0.1, "wall: the ball has hit nothing, or has gone through without a trace") end
end

return scenario
