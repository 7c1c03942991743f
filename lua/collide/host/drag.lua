-- Mouse dragging in the window: a soft spring between a point of a body and the pointer. Before each step it applies one impulse to the body. It uses only
-- the methods of bodies and needs no window.
--
-- The grabbed point p follows the pointer as a damped oscillator of angular frequency w = 2 pi hertz, for any mass of the body and any grabbed point. With
-- the stretch C = p - pointer [length], the velocity v of p [length/s] and the step h [s]:
--   impulse = -s K^-1 (v + b C)                              [mass length/s]
--   K = 1/m - [r] I^-1 [r]                                   inverse effective mass of the point with the lever r [1/mass]
--   b = w^2 / (2 zeta w + h w^2)                             the fraction of the stretch that is removed per second [1/s]
--   s = h (2 zeta w + h w^2) / (1 + h (2 zeta w + h w^2))    the impulse factor of the softness
-- This is the implicit step of the oscillator (gamma and beta with stiffness K^-1 w^2), stable for every h, m and I.
-- Source: Catto, "Soft Constraints", GDC 2011.
--
-- Static sag: a body that hangs from the spring rests g / w^2 below the pointer: 10 mm at 5 Hz and 10 m/s^2, for any mass.

local ipairs, math, setmetatable, unpack = ipairs, math, setmetatable, unpack or table.unpack
local springs = require "collide.host.springs"

local hertz, damping_ratio = 5, 0.7
local w = 2 * math.pi * hertz -- [rad/s]

-- From far away the spring moves the body no faster than this fraction of the world's maximum speed, or than the speed at which the damping balances a force
-- of this many times its weight, whichever is more (gravity may be 0). The limit is on the speed b C, not on the impulse: so the damping stays complete, and
-- the body does not overshoot from any distance. The pull on a stuck body is at most 2 zeta w times that speed and its mass.
local speed_share, weights = 1 / 16, 100
-- Angular damping of a held body [1/s].
local turning = 4

-- The distance from the pointer within which a body is still grabbed [pixels].
local reach = 6

local drag = {}
drag.__index = drag

local function can_be_dragged(body)
	return body:isValid() and body:getType() == "dynamic" and body:isEnabled() and body:getMass() > 0
end

-- Holds the body at a point in world coordinates.
function drag.new(body, x, y, z)
	local self = setmetatable({ body = body, x = x, y = y, z = z }, drag)
	self.px, self.py, self.pz = body:getLocalPoint(x, y, z)
	return self
end

-- Holds a draggable body of a 2D world at the point, if there is one; `pixel` is the size of one. The body drawn last has precedence.
function drag.grab(world, x, y, pixel)
	local d = reach * pixel
	local near
	local found = world:overlapBox(x - d, y - d, x + d, y + d)
	for i = #found, 1, -1 do
		local body = found[i]:getBody()
		if can_be_dragged(body) then
			if found[i]:containsPoint(x, y) then return drag.new(body, x, y) end
			near = near or body
		end
	end
	return near and drag.new(near, x, y)
end

-- Holds the draggable body of a 3D world that is seen at the pixel, or else at one around it.
function drag.grabSeen(world, cam, px, py, width, height)
	for i = -1, 7 do
		local angle, away = i * math.pi / 4, i < 0 and 0 or reach
		local qx, qy = px + away * math.cos(angle), py + away * math.sin(angle)
		local collider, hx, hy, hz = world:raycast(cam:getSight(qx, qy, width, height))
		if collider and can_be_dragged(collider:getBody()) then return drag.new(collider:getBody(), hx, hy, hz) end
	end
end

-- Moves the pointer.
function drag:moveTo(x, y, z)
	self.x, self.y, self.z = x, y, z
end

function drag:isValid()
	return can_be_dragged(self.body)
end

-- The held point, in world coordinates.
function drag:getPoint()
	return self.body:getWorldPoint(self.px, self.py, self.pz)
end

---------------------------------------------------------------------------------------------------------------------------------
-- K^+ u: the impulse that changes the velocity of a point by u, as far as it can move

-- The lever is (rx, ry). Locked axes have no inverse mass. If only one direction is free, K has rank 1, and its pseudo-inverse is K / trace(K)^2.
local function impulse_in_plane(body, rx, ry, ux, uy)
	local m, i = body:getMass(), body:getInertia()
	local no_x, no_y, no_turn = body:getLocks()
	local by_turn = (no_turn or i <= 0) and 0 or 1 / i
	local xx = (no_x and 0 or 1 / m) + by_turn * ry * ry
	local yy = (no_y and 0 or 1 / m) + by_turn * rx * rx
	local xy = -by_turn * rx * ry
	local determinant, trace = xx * yy - xy * xy, xx + yy
	if trace <= 0 then return 0, 0 end
	if determinant <= 1e-9 * trace * trace then return (xx * ux + xy * uy) / trace ^ 2, (xy * ux + yy * uy) / trace ^ 2 end
	return (yy * ux - xy * uy) / determinant, (xx * uy - xy * ux) / determinant
end

-- Symmetric matrices of 3 x 3 are lists: xx, yy, zz, xy, xz, yz.
local function multiply(m, x, y, z)
	return m[1] * x + m[4] * y + m[5] * z, m[4] * x + m[2] * y + m[6] * z, m[5] * x + m[6] * y + m[3] * z
end

-- The solution of m s = (x, y, z), for a positive definite m.
local function solve(m, x, y, z)
	local xx, yy, zz, xy, xz, yz = m[1], m[2], m[3], m[4], m[5], m[6]
	local a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
	local scale = 1 / (xx * a + xy * b + xz * c)
	local adjugate = { scale * a, scale * (xx * zz - xz * xz), scale * (xx * yy - xy * xy), scale * b, scale * c, scale * (xy * xz - xx * yz) }
	return multiply(adjugate, x, y, z)
end

local function cross(ax, ay, az, bx, by, bz)
	return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
end

local pairs_of_axes = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } }

-- The symmetric matrix of the products of three vectors with three others.
local function products(a, b)
	local result = {}
	for i, axes in ipairs(pairs_of_axes) do
		local p, q = a[axes[1]], b[axes[2]]
		result[i] = p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
	end
	return result
end

-- The inertia about the world's axes, R I R^T.
local function inertia_of(body)
	local inertia, axes, turned = { body:getInertia() }, {}, {}
	for i = 1, 3 do
		axes[i] = { body:getLocalVector(i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0) }
		turned[i] = { multiply(inertia, unpack(axes[i])) }
	end
	return products(axes, turned)
end

local heavy = 1e8 -- inertia about a locked axis, relative to the sum of the others
local singular = 1e-6 -- a direction in which K is smaller than this fraction of its trace cannot move

-- The lever is (rx, ry, rz). An inertia of 0 counts as a lock.
local function impulse_in_space(body, inertia, rx, ry, rz, ux, uy, uz)
	local locks, columns = { body:getLocks() }, {}
	local all = inertia[1] + inertia[2] + inertia[3]
	local I = { unpack(inertia) }
	for i = 1, 3 do
		if locks[3 + i] or all <= 0 then I[i] = I[i] + heavy * (all > 0 and all or 1) end
	end
	for i = 1, 3 do
		local ax, ay, az = solve(I, cross(rx, ry, rz, i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0))
		columns[i] = { cross(ax, ay, az, rx, ry, rz) }
		columns[i][i] = columns[i][i] + (locks[i] and 0 or 1 / body:getMass())
	end
	local trace = columns[1][1] + columns[2][2] + columns[3][3]
	if trace <= 0 then return 0, 0, 0 end
	for i = 1, 3 do
		for k = 1, 3 do columns[i][k] = columns[i][k] / trace end
	end
	-- K (K^2 + e^2)^-1 tends to the pseudo-inverse.
	local square = products(columns, columns)
	for i = 1, 3 do square[i] = square[i] + singular ^ 2 end
	local a, b, c = unpack(columns)
	local x, y, z = solve(square, a[1] * ux + b[1] * uy + c[1] * uz, a[2] * ux + b[2] * uy + c[2] * uz, a[3] * ux + b[3] * uy + c[3] * uz)
	return x / trace, y / trace, z / trace
end

---------------------------------------------------------------------------------------------------------------------------------

-- The maximum speed of the pull [length/s].
local function fastest(world)
	local gx, gy, gz = world:getGravity()
	local by_weight = weights * math.sqrt(gx * gx + gy * gy + (gz or 0) ^ 2) / (2 * damping_ratio * w)
	return math.max(by_weight, speed_share * world:getMaximumSpeed())
end

-- Applies the impulse of a step of h seconds; call it before the step. Returns whether the body can still be dragged.
function drag:pull(h)
	local body = self.body
	if not can_be_dragged(body) then return false end
	local braking, inertia = -h * turning / (1 + h * turning), nil
	local wx, wy, wz = body:getAngularVelocity()
	if wy then
		inertia = inertia_of(body)
		local lx, ly, lz = multiply(inertia, wx, wy, wz)
		body:applyAngularImpulse(braking * lx, braking * ly, braking * lz)
	else
		body:applyAngularImpulse(braking * body:getInertia() * wx)
	end

	local world, stiff = body:getWorld(), 2 * damping_ratio * w + h * w * w
	local x, y, z = self:getPoint()
	local back, soft = w * w / stiff, h * stiff / (1 + h * stiff)
	local bx, by, bz = back * (x - self.x), back * (y - self.y), z and back * (z - self.z) or 0
	local speed, most = math.sqrt(bx * bx + by * by + bz * bz), fastest(world)
	if speed > most then bx, by, bz = bx * most / speed, by * most / speed, bz * most / speed end

	-- Gravity is added in each of the step's n sub-steps. With the mean velocity that the point would have over them the sag is g / w^2 for every h.
	local n, vx, vy, vz = springs.substeps(world, h), body:getVelocityAt(x, y, z)
	local gx, gy, gz = world:getGravity()
	local fall = h * body:getGravityScale() * (n + 1) / (2 * n)
	local ux, uy, uz = -soft * (vx + fall * gx + bx), -soft * (vy + fall * gy + by), z and -soft * (vz + fall * gz + bz) or 0

	local mx, my, mz = body:getCenter()
	if z then
		local ix, iy, iz = impulse_in_space(body, inertia, x - mx, y - my, z - mz, ux, uy, uz)
		body:applyImpulse(ix, iy, iz, x, y, z)
	else
		local ix, iy = impulse_in_plane(body, x - mx, y - my, ux, uy)
		body:applyImpulse(ix, iy, x, y)
	end
	return true
end

function drag:draw(canvas)
	if not can_be_dragged(self.body) then return end
	local point, pointer = { self:getPoint() }, { self.x, self.y, self.z }
	local n = #point
	for i = 1, n do point[n + i] = pointer[i] end
	canvas.segment("drag", unpack(point))
	point[n + 1] = 8
	canvas.point("drag", unpack(point, 1, n + 1))
	pointer[n + 1] = 5
	canvas.point("drag", unpack(pointer))
end

return drag
