-- A trough of static boxes, a unit apart and a tenth longer, whose floor's middle is the origin: of Box2D's benchmarks compounds and junkyard.
local d2 = require("collide").d2

local trough = {}

-- From wall to wall it is 2 * half long. others: shapes of the same body.
function trough.add(world, half, height, others)
	local shapes = {}
	for x = -half, half do shapes[#shapes + 1] = d2.box(1.1, 1, { x = x }) end
	for _, x in ipairs { -half, half } do
		for y = 1, height do shapes[#shapes + 1] = d2.box(1, 1.1, { x = x, y = y }) end
	end
	for _, shape in ipairs(others or {}) do shapes[#shapes + 1] = shape end
	local parts = {}
	for i, shape in ipairs(shapes) do parts[i] = { shape = shape } end
	world:newBody { type = "static", shapes = parts }
end

-- How many bodies are beyond a wall or under the floor.
function trough.escaped(bodies, half)
	local count = 0
	for _, body in ipairs(bodies) do
		local x, y = body:getCenter()
		if not (math.abs(x) < half and y > 0) then count = count + 1 end
	end
	return count
end

return trough
