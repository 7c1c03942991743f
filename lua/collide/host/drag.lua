-- Mouse dragging in the window: a soft spring between a point of a body and the pointer. Before each step it applies one impulse to the body. It uses only
-- the methods of bodies and needs no window. 2D only.
--
-- The grabbed point p follows the pointer as a damped oscillator of angular frequency w = 2 pi hertz, for any mass of the body and any grabbed point. With
-- the stretch C = p - pointer [length], the velocity v of p [length/s] and the step h [s]:
--   impulse = -s K^-1 (v + b C)                              [mass length/s]
--   K = 1/m + the lever's part in 1/I                        inverse effective mass of the point [1/mass]
--   b = w^2 / (2 zeta w + h w^2)                             the fraction of the stretch that is removed per second [1/s]
--   s = h (2 zeta w + h w^2) / (1 + h (2 zeta w + h w^2))    the impulse factor of the softness
-- This is the implicit step of the oscillator (gamma and beta with stiffness K^-1 w^2), stable for every h, m and I.
-- Source: Catto, "Soft Constraints", GDC 2011.
--
-- Static sag: a body that hangs from the spring rests g / w^2 below the pointer: 10 mm at 5 Hz and 10 m/s^2, for any mass.

local math, setmetatable = math, setmetatable
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
function drag.new(body, x, y)
	local self = setmetatable({ body = body, x = x, y = y }, drag)
	self.px, self.py = body:getLocalPoint(x, y)
	return self
end

-- Holds a draggable body at the point in world coordinates, if there is one; `pixel` is the size of one. The body drawn last has precedence.
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

-- Moves the pointer.
function drag:moveTo(x, y)
	self.x, self.y = x, y
end

function drag:isValid()
	return can_be_dragged(self.body)
end

-- The held point, in world coordinates.
function drag:getPoint()
	return self.body:getWorldPoint(self.px, self.py)
end

-- K^-1 of the point with the lever (rx, ry), as xx, xy, yy. Locked axes have no inverse mass. If only one direction is free, K has rank 1, and its
-- pseudo-inverse is K / trace(K)^2.
local function effective_mass(body, rx, ry)
	local m, i = body:getMass(), body:getInertia()
	local no_x, no_y, no_turn = body:getLocks()
	local by_turn = (no_turn or i <= 0) and 0 or 1 / i
	local xx = (no_x and 0 or 1 / m) + by_turn * ry * ry
	local yy = (no_y and 0 or 1 / m) + by_turn * rx * rx
	local xy = -by_turn * rx * ry
	local determinant, trace = xx * yy - xy * xy, xx + yy
	if trace <= 0 then return 0, 0, 0 end
	if determinant <= 1e-9 * trace * trace then return xx / trace ^ 2, xy / trace ^ 2, yy / trace ^ 2 end
	return yy / determinant, -xy / determinant, xx / determinant
end

-- The maximum speed of the pull [length/s].
local function fastest(world)
	local gx, gy = world:getGravity()
	local by_weight = weights * math.sqrt(gx * gx + gy * gy) / (2 * damping_ratio * w)
	return math.max(by_weight, speed_share * world:getMaximumSpeed())
end

-- Applies the impulse of a step of h seconds; call it before the step. Returns whether the body can still be dragged.
function drag:pull(h)
	local body = self.body
	if not can_be_dragged(body) then return false end
	body:applyAngularImpulse(-body:getInertia() * body:getAngularVelocity() * h * turning / (1 + h * turning))

	local world, stiff = body:getWorld(), 2 * damping_ratio * w + h * w * w
	local x, y = self:getPoint()
	local back, soft = w * w / stiff, h * stiff / (1 + h * stiff)
	local bx, by = back * (x - self.x), back * (y - self.y)
	local speed, most = math.sqrt(bx * bx + by * by), fastest(world)
	if speed > most then bx, by = bx * most / speed, by * most / speed end

	-- Gravity is added in each of the step's n sub-steps. With the mean velocity that the point would have over them the sag is g / w^2 for every h.
	local n, vx, vy = springs.substeps(world, h), body:getVelocityAt(x, y)
	local gx, gy = world:getGravity()
	local fall = h * body:getGravityScale() * (n + 1) / (2 * n)
	local ux, uy = -soft * (vx + fall * gx + bx), -soft * (vy + fall * gy + by)

	local mx, my = body:getCenter()
	local xx, xy, yy = effective_mass(body, x - mx, y - my)
	body:applyImpulse(xx * ux + xy * uy, xy * ux + yy * uy, x, y)
	return true
end

function drag:draw(canvas)
	if not can_be_dragged(self.body) then return end
	local x, y = self:getPoint()
	canvas.segment("drag", x, y, self.x, self.y)
	canvas.point("drag", x, y, 8)
	canvas.point("drag", self.x, self.y, 5)
end

return drag
