-- A tank on a track: 46 links on hinges around five sprung wheels, all of which drive it. It climbs stairs, crosses a trench that is narrower than the track,
-- rolls over logs and waves, and pushes a wall down. Left and right (a, d) drive it, space brakes: build/host --view scripts/tank.lua. Until a key is pressed
-- it drives to the right, and stops at the end.
-- Laws. Friction drives: wheels drive the track, and the track the tank. On level ground neither slips, so a wheel that turns by one radian moves the tank by
-- its radius, or by up to half of a link's thickness more, which is the radius of the track's hinges about the outer wheels.
local collide = require "collide"
local d2 = collide.d2

local scenario = { name = "tank", duration = 40, timestep = 1 / 60, brief = { duration = 26 }, theme = "dark" }

local radius, thickness, half, links = 0.5, 0.14, 2.4, 46 -- of the wheels, of the links; half the distance of the outer wheels; number of links
local top = 6 -- of the wheels [rad/s]
local world, hull, wheels, track, hinges, steering, worst, level

local function add_ground()
	local points, x, y = { -20, 8, -12, 0 }, -12, 0
	local function to(dx, dy)
		x, y = x + dx, y + dy
		points[#points + 1], points[#points + 2] = x, y
	end
	to(20, 0)
	for _ = 1, 4 do to(0.01, 0.35) to(1.6, 0) end -- stairs, from 8 m on
	to(4, 0) to(6, -1.4) to(4, 0)
	to(0.01, -3) to(1.8, 0) to(0.01, 3) -- a trench
	to(8, 0)
	for i = 1, 24 do to(0.6, 0.5 * (collide.sin(i * math.pi / 4) - collide.sin((i - 1) * math.pi / 4))) end -- waves
	to(20, 0) to(10, 6)
	local turned = {} -- the solid side of a chain is on the right of its direction: list it from the right
	for i = #points - 1, 1, -2 do turned[#turned + 1], turned[#turned + 2] = points[i], points[i + 1] end
	world:newBody { type = "static", shape = d2.chain(turned), friction = 0.9 }
end

-- A point of the loop around the outer wheels, along the middle of the links: position and direction.
local function loop(s)
	local r = radius + thickness / 2
	local straight, arc = 2 * half, math.pi * r
	s = s % (2 * (straight + arc))
	local side = s < straight + arc and 1 or -1
	if side < 0 then s = s - straight - arc end
	if s < straight then return side * (s - half), -side * r end
	local angle = (s - straight) / r - math.pi / 2
	return side * (half + r * collide.cos(angle)), side * r * collide.sin(angle)
end

local function add_track(y)
	local length = 2 * (2 * half + math.pi * (radius + thickness / 2))
	local size = length / links
	track = {}
	for i = 1, links do
		local x1, y1 = loop((i - 1) * size)
		local x2, y2 = loop(i * size)
		track[i] = world:newBody {
			x = (x1 + x2) / 2, y = y + (y1 + y2) / 2, angle = collide.atan2(y2 - y1, x2 - x1), layer = "track",
			shape = d2.box(size, thickness, { radius = 0.03 }), density = 4, friction = 1.2, color = "#f5b82e",
		}
	end
	for i = 1, links do
		hinges[i] = world:newRevoluteJoint { bodyA = track[i], bodyB = track[i % links + 1], anchorA = { size / 2, 0 }, anchorB = { -size / 2, 0 } }
	end
end

function scenario.setup()
	world, wheels, hinges, steering, worst, level = d2.newWorld {
		gravity = { 0, -10 }, layers = { "thing", "hull", "wheel", "track" },
		collide = { thing = { "thing", "hull", "track" }, wheel = { "track" } },
	}, {}, {}, nil, 0, {}
	add_ground()
	local y = radius + thickness
	hull = world:newBody { y = y, name = "tank", color = "#58b368", shapes = {
		{ shape = d2.polygon { -2.7, 0.2, 2.3, 0.2, 3, 0.7, 2.4, 1, -2.6, 1 }, layer = "hull" },
		{ shape = d2.polygon { -1.2, 1, 0.9, 1, 0.5, 1.6, -0.9, 1.6 }, layer = "hull" },
		{ shape = d2.box(2.4, 0.16, { x = 1.8, y = 1.35 }), density = 0.2, layer = "hull" },
	} }
	for i = 1, 5 do
		local x = half * (i - 3) / 2
		local wheel = world:newBody { x = x, y = y, shape = d2.circle(radius), layer = "wheel", friction = 1.2, color = "#8892a0" }
		wheels[i] = world:newWheelJoint { bodyA = hull, bodyB = wheel, x = x, y = y, axis = { 0, 1 }, suspensionHertz = 5, suspensionDampingRatio = 0.7,
			lowerSuspension = -0.15, upperSuspension = 0.15 }
	end
	add_track(y)
	for i = 0, 2 do world:newBody { x = 33 + 0.9 * i, y = 0.3, shape = d2.circle(0.3), density = 2, friction = 0.8 } end
	for i = 0, 7 do world:newBody { x = 58, y = 0.3 + 0.6 * i, shape = d2.box(0.6, 0.6), density = 0.3 } end
	return world
end

function scenario.key(key, down)
	local way = ({ left = 1, a = 1, right = -1, d = -1, space = 0 })[key]
	if not way then return false end
	steering = down and way or 0
	return true
end

function scenario.update()
	local x = hull:getPosition()
	local way = steering or (x < 62 and -1 or 0)
	for _, wheel in ipairs(wheels) do wheel:setMotor("spin", way * top, 25) end
	for _, hinge in ipairs(hinges) do
		local ax, ay = hinge:getAnchorA()
		local bx, by = hinge:getAnchorB()
		worst = math.max(worst, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2))
	end
	if x > 2 and x < 4.5 and not steering then level[#level + 1] = { x, wheels[3]:getSpinAngle() } end
end

function scenario.camera()
	local x, y = hull:getPosition()
	return { x = x + 2, y = y + 1.5, height = 12 }
end

function scenario.check()
	local x, y = hull:getPosition()
	local from, to = level[1], level[#level]
	local rolled = (to[1] - from[1]) / (from[2] - to[2])
	print(("tank: it has come to %.1f m, by %.3f m a radian on level ground; hinges were %.1f mm apart at most"):format(x, rolled, 1000 * worst))
	assert(x > 60 and math.abs(hull:getAngle()) < 0.5, "tank: it has not come to the end")
	assert(rolled > 0.97 * radius and rolled < 1.03 * (radius + thickness / 2), "tank: the track slips")
	assert(worst < 0.12, "tank: the track is torn")
	for _, link in ipairs(track) do
		local lx, ly = hull:getLocalPoint(link:getPosition())
		assert(math.abs(lx) < half + 2 * radius and math.abs(ly) < 2 * radius, "tank: the track has come off")
	end
end

return scenario
