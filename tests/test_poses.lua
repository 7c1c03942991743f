-- A list of numbers where a pose is wanted: the same as the pose of these numbers.
local lu, support = require "luaunit", require "support"
local d2, d3 = require("collide").d2, require("collide").d3

TestPoses = {}

local function numbers_of(dim, number, turned)
	if dim == "d2" then return { number(-3, 3), number(-3, 3), turned and number(-4, 4) or nil } end
	local list = { number(-3, 3), number(-3, 3), number(-3, 3) }
	if turned then
		for i = 4, 7 do list[i] = number(-1, 1) end
	end
	return list
end

local function results(...) return { ... } end

for dim, wing in pairs(support.wings) do
	local d = dim == "d2" and d2 or d3
	local unpack = table.unpack or unpack

	TestPoses["test_a_list_is_the_pose_of_its_numbers_in_" .. dim] = function()
		local number = support.random_numbers(11)
		local a, b = wing.cube(d, 1), dim == "d2" and d.box(2, 0.5) or d.box(2, 0.5, 1)
		local world = d.newWorld()
		for _ = 1, 20 do world:newBody { type = "static", position = numbers_of(dim, number), shape = b } end
		for i = 1, 100 do
			local list, other = numbers_of(dim, number, i % 2 == 0), numbers_of(dim, number, i % 3 == 0)
			local pose, second = d.pose(unpack(list)), d.pose(unpack(other))
			lu.assertEquals(results(d.distance(a, list, b, other)), results(d.distance(a, pose, b, second)))
			lu.assertEquals(results(a:getBox(list)), results(a:getBox(pose)))
			lu.assertEquals(world:overlapShape(a, list), world:overlapShape(a, pose))
			local dx, dy, dz = wing.numbers(number(-5, 5), number(-5, 5))
			if dim == "d2" then
				lu.assertEquals(results(world:shapecast(a, list, dx, dy)), results(world:shapecast(a, pose, dx, dy)))
			else
				lu.assertEquals(results(world:shapecast(a, list, dx, dy, dz)), results(world:shapecast(a, pose, dx, dy, dz)))
			end
		end
	end

	TestPoses["test_wrong_lists_in_" .. dim] = function()
		local ball = wing.ball(d, 1)
		local must = dim == "d2" and "be a list {x, y} or {x, y, angle}" or "be a list {x, y, z} or {x, y, z, qx, qy, qz, qw}"
		for _, list in ipairs { {}, { 1 }, { 1, 2, 3, 4 }, { x = 1, y = 2 } } do
			lu.assertErrorMsgContains("getBox: pose must " .. must .. ", got a table", ball.getBox, ball, list)
		end
		local list = { 1, 0 / 0, 2 }
		lu.assertErrorMsgContains("getBox: pose[2] must be a finite number, got nan", ball.getBox, ball, list)
		list = { 1, "2", 3 }
		lu.assertErrorMsgContains("getBox: pose[2] must be a finite number, got \"2\"", ball.getBox, ball, list)
		list = { 1, 2, 3, x = 4 }
		lu.assertErrorMsgContains("getBox: pose must be a list, but has other keys", ball.getBox, ball, list)
		lu.assertErrorMsgContains("getBox: pose must be a plain table", ball.getBox, ball, setmetatable({ 1, 2, 3 }, {}))
	end

	TestPoses["test_a_list_filled_anew_makes_no_garbage_in_" .. dim] = function()
		local world, ball, at, found, x = d.newWorld(), wing.ball(d, 1), { wing.numbers(0, 0) }, {}, 0
		for i = 1, 10 do world:newBody { type = "static", position = wing.vector(3 * i, 0), shape = ball } end
		local dx, dy, dz = wing.numbers(40, 0)
		if dim == "d2" then dz = nil end
		lu.assertEquals(support.bytes_of(500, function()
			x = (x + 0.37) % 30
			at[1] = x
			if dz then world:shapecast(ball, at, dx, dy, dz) else world:shapecast(ball, at, dx, dy) end
			world:overlapShape(ball, at, nil, found)
			ball:getBox(at)
		end), 0)
	end
end

function TestPoses.test_a_rotation_of_zero()
	lu.assertErrorMsgContains("getBox: the quaternion qx, qy, qz, qw must not be zero", d3.sphere(1).getBox, d3.sphere(1), { 1, 2, 3, 0, 0, 0, 0 })
end
