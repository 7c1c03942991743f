-- An explosion under the table of a furnished room, beside a room with the same furniture. Walls hide things from it; with the argument "through" they do not.
-- Laws. The impulses on what stands in the room point away from the explosion. Nothing in the next room moves, nothing leaves its room, and the lamps stay on
-- their cords. All comes to rest.
local d3 = require("collide").d3

local scenario = { name = "explosion", duration = 10, camera = { x = 0, y = 0.9, z = 0, distance = 7.4, yaw = 0.1, pitch = 0.7 } }

local width, depth, height = 4, 3.4, 2.6 -- of a room, inside [m]
local at = 1.5 -- the time of the explosion [s]
local center = { 0.2, 0.3, 0.1 } -- in the room
local rooms, through, before

-- Boards are { x, y, z, width, height, depth }, relative to the middle of the furniture's base.
local function boards(list, density)
	local shapes = {}
	for i, b in ipairs(list) do
		shapes[i] = { shape = d3.box(b[4], b[5], b[6], { x = b[1], y = b[2], z = b[3] }), density = density, friction = 0.5 }
	end
	return shapes
end

local function with_legs(list, x, z, leg, tall)
	for sx = -1, 1, 2 do
		for sz = -1, 1, 2 do list[#list + 1] = { sx * (x - leg / 2), tall / 2, sz * (z - leg / 2), leg, tall, leg } end
	end
	return list
end

local table_boards = with_legs({ { 0, 0.73, 0, 1.4, 0.04, 0.8 } }, 0.7, 0.4, 0.06, 0.71)
local chair_boards = with_legs({ { 0, 0.45, 0, 0.44, 0.04, 0.44 }, { 0, 0.72, 0.2, 0.44, 0.5, 0.04 } }, 0.22, 0.22, 0.05, 0.43)
local shelf_boards = { { -0.78, 0.9, 0, 0.04, 1.8, 0.3 }, { 0.78, 0.9, 0, 0.04, 1.8, 0.3 } }
for k = 0, 3 do shelf_boards[#shelf_boards + 1] = { 0, 0.2 + 0.5 * k, 0, 1.52, 0.04, 0.3 } end

local function furnish(world, x0)
	local room = { x = x0, things = {} }
	local function add(options)
		options.x = x0 + options.x
		local body = world:newBody(options)
		room.things[#room.things + 1] = body
		return body
	end
	add { name = "table", x = 0, y = 0, shapes = boards(table_boards, 600), color = "#8a5a2b" }
	for i, c in ipairs { { -0.4, 0.62, 0 }, { 0.4, 0.62, 0 }, { -0.4, -0.62, math.pi }, { 0.4, -0.62, math.pi } } do
		add { name = "chair " .. i, x = c[1], z = c[2], y = 0, rotation = { axis = { 0, 1, 0 }, angle = c[3] }, shapes = boards(chair_boards, 500), color = "#b7793f" }
	end
	local z = -depth / 2 + 0.18
	add { name = "shelf", x = 0, y = 0, z = z, shapes = boards(shelf_boards, 600), color = "#6b4423" }
	for row = 0, 2 do
		for i = 1, 14 do
			local thick, tall = 0.04 + 0.02 * ((i * 5 + row) % 3), 0.26 + 0.03 * ((i * 3 + row) % 4)
			add {
				name = "book", x = -0.7 + 0.1 * i - 0.05, y = 0.22 + 0.5 * row + tall / 2, z = z, shape = d3.box(thick, tall, 0.2), density = 500, friction = 0.5,
				color = ({ "#b91c1c", "#1d4ed8", "#047857", "#a16207" })[(i + row) % 4 + 1],
			}
		end
	end
	for i = -1, 1, 2 do add { name = "cup", x = 0.45 * i, y = 0.8, z = 0.1 * i, shape = d3.cylinder(0.04, 0.1), density = 500, friction = 0.5, rollingResistance = 0.05, color = "#e5e7eb" } end
	room.lamp = add {
		name = "lamp", x = 0, y = 1.7, shapes = { { shape = d3.cone(0.25, 0.25), density = 60 }, { shape = d3.capsule(0, 0.1, 0, 0, 0.85, 0, 0.01), density = 300 } },
		angularDamping = 0.4, color = "#facc15",
	}
	world:newSphericalJoint { bodyB = room.lamp, x = x0, y = height, z = 0 }
	room.cord = height - select(2, room.lamp:getCenter())
	return room
end

function scenario.setup(args)
	through, before = args and args[1] == "through", nil
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local function wall(x, y, z, w, h, d, color) world:newBody { type = "static", x = x, y = y, z = z, shape = d3.box(w, h, d), friction = 0.5, color = color } end
	local span, brick = 2 * width + 0.6, "#a8a29e"
	wall(0, -0.1, 0, span, 0.2, depth + 0.4, "#d6d3d1")
	wall(0, height / 2, -depth / 2 - 0.1, span, height, 0.2, brick)
	for side = -1, 1 do wall(side * (width + 0.2), height / 2, 0, 0.2, height, depth, brick) end
	rooms = { furnish(world, -width / 2 - 0.1), furnish(world, width / 2 + 0.1) }
	world:newBody { type = "static", shape = d3.halfSpace(0, 0, -1, -depth / 2) } -- the front wall and the ceiling
	world:newBody { type = "static", shape = d3.halfSpace(0, -1, 0, -height) }
	return world
end

local function each_thing(call)
	for _, room in ipairs(rooms) do
		for i, body in ipairs(room.things) do call(room, body, i) end
	end
end

function scenario.update(world, tick)
	if tick ~= math.floor(at / (scenario.timestep or 1 / 60)) then return end
	before = {}
	each_thing(function(_, body)
		assert(not body:isAwake(), body:getName() .. " does not stand still")
		before[body] = { body:getPosition() }
	end)
	local x, y, z = rooms[1].x + center[1], center[2], center[3]
	before.hit = world:explode { x = x, y = y, z = z, radius = 7, falloff = 1, impulse = 450, occlusion = not through }
	each_thing(function(_, body)
		local vx, vy, vz = body:getLinearVelocity()
		local cx, cy, cz = body:getCenter()
		assert(vx * (cx - x) + vy * (cy - y) + vz * (cz - z) >= 0, body:getName() .. " is pushed towards the explosion")
	end)
end

local function way(body)
	local x, y, z = body:getPosition()
	local from = before[body]
	return math.sqrt((x - from[1]) ^ 2 + (y - from[2]) ^ 2 + (z - from[3]) ^ 2)
end

function scenario.check()
	local moved = { 0, 0 }
	each_thing(function(room, body)
		local x, y, z = body:getCenter()
		local name = body:getName()
		assert(math.abs(x - room.x) < width / 2 and math.abs(z) < depth / 2 and y > 0 and y < height, ("%s is at %.2f, %.2f, %.2f"):format(name, x, y, z))
		if body == room.lamp then
			local cord = math.sqrt((x - room.x) ^ 2 + (y - height) ^ 2 + z ^ 2)
			assert(math.abs(cord / room.cord - 1) < 0.01, ("the lamp hangs at %.3f instead of %.3f"):format(cord, room.cord))
		else
			assert(not body:isAwake(), name .. " has not come to rest")
		end
		local k = room == rooms[1] and 1 or 2
		if way(body) > 0 then moved[k] = moved[k] + 1 end
	end)
	print(("explosion: %d things were hit; %d of %d moved in the room, %d in the next"):format(before.hit, moved[1], #rooms[1].things, moved[2]))
	assert(moved[1] > 45, "only " .. moved[1] .. " things have moved")
	if through then
		assert(moved[2] > 45, "only " .. moved[2] .. " things have moved in the next room")
	else
		assert(moved[2] == 0, moved[2] .. " things have moved in the next room")
	end
end

return scenario
