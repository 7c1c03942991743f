-- All methods of a body: types, mass, locks, enabling, poses, velocities, forces, damping, energy, and colliders that are added and removed.
--
-- The engine integrates by semi-implicit Euler in s sub-steps of h = dt / s: v += h a, then x += h v. Velocities, masses and the displacement within a step are
-- floats with a relative rounding error of 2^-24 = 6.0e-8; FLOAT = 1e-5 allows for 160 roundings in a row.
local lu = require "luaunit"
local planes, suite = require("support").planes, require("support").suite

-- These laws hold in 2D and in 3D.
for _, dim in ipairs { "d2", "d3" } do
	local d, round = planes[dim], require("support").round[dim]

	local FLOAT, DT = 1e-5, 1 / 60
	local TURN = 2 * math.pi

	local function near(actual, expected, scale, what)
		lu.assertAlmostEquals(actual, expected, FLOAT * math.max(1, scale or math.abs(expected)), what)
	end

	-- Angles are equal modulo whole turns.
	local function near_angle(actual, expected, what)
		local difference = (actual - expected) % TURN
		lu.assertTrue(math.min(difference, TURN - difference) < FLOAT, what or (actual .. " instead of " .. expected))
	end

	local support = require "support"
	local random_numbers, steps = support.random_numbers, support.steps

	local function empty_space() return d.newWorld { gravity = { 0, 0 } } end

	local function cross(ax, ay, bx, by) return ax * by - ay * bx end

	-- Mass, centre and inertia of shapes of the given densities, by the theorem of Huygens and Steiner: I = sum I_i + m_i |c_i - c|^2.
	local function combined(parts)
		local mass, x, y, inertia = 0, 0, 0, 0
		for _, part in ipairs(parts) do
			local m, cx, cy = part[1]:getMass(part[2])
			mass, x, y = mass + m, x + m * cx, y + m * cy
		end
		x, y = x / mass, y / mass
		for _, part in ipairs(parts) do
			local m, cx, cy, i = part[1]:getMass(part[2])
			inertia = inertia + i + m * ((cx - x) ^ 2 + (cy - y) ^ 2)
		end
		return mass, x, y, inertia
	end

	-- --- Setters are read back -------------------------------------------------------------------------------------------------

	local TestBodyState = suite("TestBodyState", dim)

	-- Colliders given at creation and added one by one make the same body, for each type; also after a change of type.
	function TestBodyState.test_colliders_at_once_and_one_by_one()
		for _, type in ipairs { "static", "kinematic", "dynamic" } do
			local world, list = empty_space(), {}
			for i = 1, 20 do list[i] = { shape = d.circle(0.3 + i / 50, i % 5, 2 * i), density = i } end
			local at_once, one_by_one = world:newBody { type = type, shapes = list, x = 100 }, world:newBody { type = type }
			for _, entry in ipairs(list) do one_by_one:newCollider(entry.shape, { density = entry.density }) end
			for _ = 1, 2 do
				near(one_by_one:getMass(), at_once:getMass())
				near(one_by_one:getInertia(), at_once:getInertia())
				local x, y = at_once:getLocalCenter()
				local x2, y2 = one_by_one:getLocalCenter()
				near(x2, x)
				near(y2, y)
				x, y = at_once:getPosition()
				near(x, 100, 100)
				near(y, 0, 100)
				for _, body in ipairs { at_once, one_by_one } do body:getColliders()[7]:destroy() end
				world:validate()
			end
			at_once:setType "dynamic"
			one_by_one:setType "dynamic"
			near(one_by_one:getMass(), at_once:getMass())
			near(one_by_one:getInertia(), at_once:getInertia())
		end
	end

	-- An object has its methods, and nil for other fields, before, while and after it has data.
	function TestBodyState.test_methods_with_and_without_data()
		local world = empty_space()
		local a, b = world:newBody { shape = d.circle(1) }, world:newBody { shape = d.circle(1), data = false }
		local joint = dim == "d2" and world:newRevoluteJoint { bodyA = a, bodyB = b, x = 0, y = 0 } or nil
		lu.assertIs(b.data, false)
		for _, object in ipairs { world, a, b, a:getColliders()[1], joint } do
			for _, value in ipairs { "nothing yet", 1, false, "again" } do
				if value ~= "nothing yet" then
					object.data = value
					lu.assertIs(object.data, value)
				end
				lu.assertTrue(object:isValid())
				lu.assertErrorMsgContains('unknown method or field "dat"', function() return object.dat end)
				lu.assertErrorMsgContains('no field "dat" to assign', function() object.dat = 1 end)
			end
			object.data = nil
			lu.assertNil(object.data)
			lu.assertTrue(object:isValid())
		end
	end

	function TestBodyState.test_defaults()
		local world = d.newWorld {}
		local body = world:newBody {}
		lu.assertEquals(body:getType(), "dynamic")
		lu.assertEquals({ body:getTransform() }, { 0, 0, 0 })
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 0 })
		lu.assertEquals(body:getAngularVelocity(), 0)
		lu.assertEquals({ body:getLinearDamping(), body:getAngularDamping(), body:getGravityScale() }, { 0, 0, 1 })
		lu.assertTrue(body:isEnabled() and body:isAwake() and body:isSleepingAllowed())
		lu.assertFalse(body:isBullet())
		lu.assertEquals({ body:getLocks() }, { false, false, false })
		near(body:getSleepThreshold(), 0.05)
		lu.assertNil(body:getName())
		lu.assertNil(body.data)
		lu.assertEquals(body:getColliders(), {})
		lu.assertTrue(body:getWorld() == world)
		lu.assertEquals(body:getKineticEnergy(), 0)
		local collider = body:newCollider(d.circle(1))
		lu.assertEquals({ collider:getDensity(), collider:getRestitution(), collider:getRollingResistance(), collider:getTangentSpeed(),
			collider:getGroup() }, { 1, 0, 0, 0, 0 })
		near(collider:getFriction(), 0.6)
		lu.assertFalse(collider:isSensor())
		lu.assertEquals(collider:getLayer(), "default")
		lu.assertTrue(collider:getBody() == body)
	end

	function TestBodyState.test_options_and_setters_are_read_back()
		local world = d.newWorld {}
		local given = world:newBody {
			type = "kinematic", position = { 3, -4 }, angle = 0.5, linearVelocity = { 0, 2 }, angularVelocity = 3, linearDamping = 0.25,
			angularDamping = 0.5, gravityScale = -2, sleepThreshold = 0.125, sleepingAllowed = false, bullet = true,
			locks = { x = true }, name = "lift", data = { 1 },
		}
		local set = world:newBody {}
		set:setType("kinematic")
		set:setTransform(3, -4, 0.5)
		set:setLinearVelocity(0, 2)
		set:setAngularVelocity(3)
		set:setLinearDamping(0.25)
		set:setAngularDamping(0.5)
		set:setGravityScale(-2)
		set:setSleepThreshold(0.125)
		set:setSleepingAllowed(false)
		set:setBullet(true)
		set:setLocks(true, false, false)
		set:setName("lift")
		set.data = given.data
		for _, body in ipairs { given, set } do
			lu.assertEquals(body:getType(), "kinematic")
			lu.assertEquals({ body:getPosition() }, { 3, -4 })
			near(body:getAngle(), 0.5)
			lu.assertEquals({ body:getLinearVelocity() }, { 0, 2 })
			lu.assertEquals(body:getAngularVelocity(), 3)
			lu.assertEquals({ body:getLinearDamping(), body:getAngularDamping(), body:getGravityScale() }, { 0.25, 0.5, -2 })
			lu.assertEquals(body:getSleepThreshold(), 0.125)
			lu.assertFalse(body:isSleepingAllowed())
			lu.assertTrue(body:isBullet())
			lu.assertEquals({ body:getLocks() }, { true, false, false })
			lu.assertEquals(body:getName(), "lift")
			lu.assertTrue(body.data == given.data)
		end
		set:setName(nil)
		lu.assertNil(set:getName())
		set.data = nil
		lu.assertNil(set.data)
		lu.assertError(function() set.speed = 3 end)
		local disabled = world:newBody { enabled = false, shape = d.circle(1) }
		lu.assertFalse(disabled:isEnabled())
		local asleep = world:newBody { awake = false, shape = d.circle(1) }
		lu.assertFalse(asleep:isAwake())
	end

	function TestBodyState.test_collider_options_and_setters_are_read_back()
		local world = d.newWorld { layers = { "a", "b" } }
		local body = world:newBody {}
		local shape = d.box(1, 2)
		local given = body:newCollider(shape, {
			density = 3, friction = 0.25, restitution = 0.5, rollingResistance = 0.125, tangentSpeed = -2, layer = "b", group = -9, data = 7,
		})
		local set = body:newCollider(d.circle(1))
		set:setShape(shape)
		set:setDensity(3)
		set:setFriction(0.25)
		set:setRestitution(0.5)
		set:setRollingResistance(0.125)
		set:setTangentSpeed(-2)
		set:setLayer("b")
		set:setGroup(-9)
		set.data = 7
		for _, collider in ipairs { given, set } do
			lu.assertTrue(collider:getShape() == shape)
			lu.assertEquals({ collider:getDensity(), collider:getFriction(), collider:getRestitution() }, { 3, 0.25, 0.5 })
			lu.assertEquals({ collider:getRollingResistance(), collider:getTangentSpeed() }, { 0.125, -2 })
			lu.assertEquals({ collider:getLayer(), collider:getGroup(), collider.data }, { "b", -9, 7 })
		end
	end

	function TestBodyState.test_counts_lists_and_the_end()
		local world = d.newWorld {}
		local bodies = {}
		for i = 1, 5 do bodies[i] = world:newBody { x = 10 * i, shapes = { { shape = d.circle(1) }, { shape = d.box(1, 1) } } } end
		lu.assertEquals(world:getBodyCount(), 5)
		lu.assertEquals(world:getColliderCount(), 10)
		local colliders = bodies[2]:getColliders()
		lu.assertEquals(#colliders, 2)
		bodies[2]:destroy()
		bodies[2]:destroy()
		lu.assertFalse(bodies[2]:isValid())
		lu.assertFalse(colliders[1]:isValid() or colliders[2]:isValid())
		lu.assertError(function() bodies[2]:getPosition() end)
		lu.assertError(function() colliders[1]:getFriction() end)
		colliders[1]:destroy()
		lu.assertEquals(world:getBodyCount(), 4)
		lu.assertEquals(world:getColliderCount(), 8)
		local listed = {}
		for _, body in ipairs(world:getBodies()) do listed[body] = true end
		for i, body in ipairs(bodies) do lu.assertEquals(listed[body] or false, i ~= 2) end
		world:destroy()
		lu.assertFalse(bodies[1]:isValid())
	end

	-- --- Poses -----------------------------------------------------------------------------------------------------------------

	local TestBodyPose = suite("TestBodyPose", dim)

	-- A setter moves the origin of a body with a centre of mass elsewhere exactly, and keeps the angle and the velocity.
	function TestBodyPose.test_setters_move_the_origin_and_keep_the_velocity()
		for _, type in ipairs { "dynamic", "kinematic" } do
			local world = empty_space()
			local body = world:newBody { type = type, x = 1, y = 2, angle = 0.25, shape = d.box(1, 1, { x = 3, y = -2 }) }
			body:setLinearVelocity(3, 4)
			body:setAngularVelocity(5)
			body:setPosition(-7.5, 1e5)
			local x, y = body:getPosition()
			-- The stored position is the centre of mass: the origin follows by a float rotation of an arm of 3.6 m.
			near(x, -7.5)
			lu.assertAlmostEquals(y, 1e5, FLOAT)
			near_angle(body:getAngle(), 0.25)
			body:setAngle(-2.5)
			near_angle(body:getAngle(), -2.5)
			x, y = body:getPosition()
			near(x, -7.5)
			lu.assertAlmostEquals(y, 1e5, FLOAT)
			body:setTransform(5, 6, 3)
			x, y = body:getPosition()
			near(x, 5)
			near(y, 6)
			near_angle(body:getAngle(), 3)
			lu.assertEquals({ body:getLinearVelocity() }, { 3, 4 })
			lu.assertEquals(body:getAngularVelocity(), 5)
		end
	end

	function TestBodyPose.test_angles_beyond_a_turn()
		local world = empty_space()
		local body = world:newBody {}
		for _, angle in ipairs { 0, 1, 3.14159, 3.1416, -3.1416, 4, 7, -100, 12345.678 } do
			body:setAngle(angle)
			-- Error: one float rounding of the rotation.
			near_angle(body:getAngle(), angle)
			local pose = d.pose(0, 0, angle)
			near_angle(pose:getAngle(), angle)
		end
	end

	function TestBodyPose.test_points_and_vectors()
		local number = random_numbers(51)
		local world = empty_space()
		for _, far in ipairs { 0, 1e6 } do
			for _ = 1, 50 do
				local x, y, angle = far + number(-9, 9), number(-9, 9), number(-3, 3)
				local body = world:newBody { x = x, y = y, angle = angle, shape = d.circle(1, 2, 3) }
				local px, py = number(-5, 5), number(-5, 5)
				local c, s = math.cos(angle), math.sin(angle)
				local wx, wy = body:getWorldPoint(px, py)
				lu.assertAlmostEquals(wx, x + c * px - s * py, FLOAT)
				lu.assertAlmostEquals(wy, y + s * px + c * py, FLOAT)
				local lx, ly = body:getLocalPoint(wx, wy)
				near(lx, px)
				near(ly, py)
				local vx, vy = body:getWorldVector(px, py)
				near(vx, c * px - s * py)
				near(vy, s * px + c * py)
				lx, ly = body:getLocalVector(vx, vy)
				near(lx, px)
				near(ly, py)
				local cx, cy = body:getCenter()
				wx, wy = body:getWorldPoint(body:getLocalCenter())
				lu.assertAlmostEquals(cx, wx, FLOAT)
				lu.assertAlmostEquals(cy, wy, FLOAT)
			end
		end
	end

	-- v(p) = v + w x (p - c), p in the world.
	function TestBodyPose.test_velocity_at_points()
		local number = random_numbers(52)
		local world = empty_space()
		for _ = 1, 50 do
			local body = world:newBody { x = number(-9, 9), y = number(-9, 9), angle = number(-3, 3), shape = d.box(1, 2, { x = 1, y = 3 }) }
			local vx, vy, w = number(-5, 5), number(-5, 5), number(-5, 5)
			body:setLinearVelocity(vx, vy)
			body:setAngularVelocity(w)
			local cx, cy = body:getCenter()
			local px, py = number(-9, 9), number(-9, 9)
			local gx, gy = body:getVelocityAt(px, py)
			near(gx, vx - w * (py - cy), 100)
			near(gy, vy + w * (px - cx), 100)
			-- The point moves accordingly: to first order in a short step, with an error of w^2 |p - c| dt^2 / 2.
			local lx, ly = body:getLocalPoint(px, py)
			world:step(1e-3)
			local qx, qy = body:getWorldPoint(lx, ly)
			lu.assertAlmostEquals(qx - px, gx * 1e-3, 25 * 30 * 1e-6)
			lu.assertAlmostEquals(qy - py, gy * 1e-3, 25 * 30 * 1e-6)
			body:destroy()
		end
	end

	-- moveTo sets the velocities that move the body there in one step: float sub-steps, 4 roundings each.
	function TestBodyPose.test_moveTo_arrives_in_one_step()
		local number = random_numbers(53)
		for _, type in ipairs { "kinematic", "dynamic" } do
			local world = empty_space()
			world:setMaximumSpeed(1e4)
			local body = world:newBody { type = type, x = 1, y = 2, angle = 3, shape = d.box(1, 2, { x = 0.5, y = 0.25 }) }
			for _ = 1, 40 do
				local x, y, angle = number(-5, 5), number(-5, 5), number(-9, 9)
				body:moveTo(x, y, angle, DT)
				world:step(DT)
				local gx, gy, gangle = body:getTransform()
				lu.assertAlmostEquals(gx, x, FLOAT)
				lu.assertAlmostEquals(gy, y, FLOAT)
				near_angle(gangle, angle)
			end
			-- The shorter turn: from 3 to -3 it is 2 pi - 6 forwards.
			body:setTransform(0, 0, 3)
			body:moveTo(0, 0, -3, 0.5)
			near(body:getAngularVelocity(), (TURN - 6) / 0.5)
			-- Many steps along a known path follow it: errors do not add up.
			for i = 1, 120 do
				local t = i / 120 * TURN
				body:moveTo(10 * math.cos(t), 10 * math.sin(t), t, DT)
				world:step(DT)
			end
			local x, y, angle = body:getTransform()
			lu.assertAlmostEquals(x, 10, FLOAT)
			lu.assertAlmostEquals(y, 0, FLOAT)
			near_angle(angle, 0)
		end
	end

	function TestBodyPose.test_a_kinematic_body_is_not_pushed()
		local world = d.newWorld {}
		local lift = world:newBody { type = "kinematic", shape = d.box(4, 1), linearVelocity = { 0.5, 1 }, angularVelocity = 0.25 }
		world:newBody { y = 2, shape = d.box(2, 2), density = 250, linearVelocity = { 0, -20 } }
		steps(world, 60)
		local x, y, angle = lift:getTransform()
		near(x, 0.5)
		near(y, 1)
		near_angle(angle, 0.25)
		lu.assertEquals({ lift:getLinearVelocity() }, { 0.5, 1 })
		lu.assertEquals(lift:getAngularVelocity(), 0.25)
	end

	function TestBodyPose.test_a_static_body_never_moves()
		local world = d.newWorld {}
		local rock = world:newBody { type = "static", x = 1, y = 2, angle = 0.5, shape = d.box(4, 1) }
		local before = { rock:getTransform() }
		rock:setLinearVelocity(3, 4)
		rock:setAngularVelocity(5)
		rock:applyForce(1e6, 1e6)
		rock:applyImpulse(1e6, 1e6, 9, 9)
		rock:applyTorque(1e6)
		rock:applyAngularImpulse(1e6)
		world:newBody { y = 4, shape = d.box(2, 2), density = 1000, linearVelocity = { 0, -20 } }
		steps(world, 60)
		lu.assertEquals({ rock:getTransform() }, before)
		lu.assertEquals({ rock:getLinearVelocity() }, { 0, 0 })
		lu.assertEquals(rock:getAngularVelocity(), 0)
		lu.assertFalse(rock:isAwake())
	end

	-- --- Types -----------------------------------------------------------------------------------------------------------------

	local TestBodyType = suite("TestBodyType", dim)

	function TestBodyType.test_motion_of_each_type()
		local world = d.newWorld {}
		local body = world:newBody { shape = d.circle(0.5), density = 2 }
		local mass, inertia = body:getMass(), body:getInertia()
		near(mass, 2 * round.mass(0.5))
		body:setLinearVelocity(1, 0)
		body:setType("static")
		lu.assertEquals(body:getType(), "static")
		steps(world, 30)
		lu.assertEquals({ body:getPosition() }, { 0, 0 })
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 0 })
		lu.assertEquals(world:getAwakeCount(), 0)
		body:setType("kinematic")
		body:setLinearVelocity(2, 0)
		steps(world, 30)
		local x, y = body:getPosition()
		near(x, 1)
		lu.assertEquals(y, 0)
		body:setType("dynamic")
		lu.assertEquals({ body:getMass(), body:getInertia() }, { mass, inertia })
		steps(world, 30)
		x, y = body:getPosition()
		near(x, 2)
		-- g t^2 / 2, and half a sub-step's fall more.
		near(y, -10 / 8 - 10 * 0.5 * DT / 8)
		lu.assertTrue(world:validate())
	end

	function TestBodyType.test_same_type_changes_nothing()
		local world = d.newWorld {}
		local body = world:newBody { shape = d.circle(0.5), linearVelocity = { 3, 4 } }
		body:setType("dynamic")
		lu.assertEquals({ body:getLinearVelocity() }, { 3, 4 })
	end

	-- A box on the shelf falls when the shelf becomes dynamic, and is carried when it is kinematic.
	function TestBodyType.test_under_load()
		local world = d.newWorld {}
		local shelf = world:newBody { type = "static", shape = d.box(4, 1) }
		local box = world:newBody { y = 1, shape = d.box(1, 1) }
		steps(world, 120)
		lu.assertFalse(box:isAwake())
		shelf:setType("kinematic")
		shelf:setLinearVelocity(0, 1)
		steps(world, 60)
		local _, y = box:getPosition()
		-- Carried by one metre, to 1 mm of overlap.
		lu.assertAlmostEquals(y, 2, 2e-3)
		shelf:setType("dynamic")
		shelf:setLinearVelocity(0, 0)
		box:setLinearVelocity(0, 0)
		steps(world, 60)
		local _, shelf_y = shelf:getPosition()
		_, y = box:getPosition()
		lu.assertAlmostEquals(shelf_y, 1 - 5, 0.1)
		lu.assertAlmostEquals(y, 2 - 5, 0.1)
		shelf:setType("static")
		steps(world, 120)
		_, y = box:getPosition()
		local _, stopped = shelf:getPosition()
		lu.assertEquals(stopped, shelf_y)
		lu.assertAlmostEquals(y, shelf_y + 1, 2e-3)
		lu.assertTrue(world:validate())
	end

	function TestBodyType.test_back_and_forth_at_random()
		local number, pick = random_numbers(54)
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local types, bodies = { "static", "kinematic", "dynamic" }, {}
		for i = 1, 20 do
			bodies[i] = world:newBody { x = number(-4, 4), y = number(0, 6), shape = i % 2 == 0 and d.box(1, 1) or d.circle(0.5), density = i }
		end
		for _ = 1, 150 do
			local i = pick(20)
			local body, type = bodies[i], types[pick(3)]
			local x, y, angle = body:getTransform()
			body:setType(type)
			lu.assertEquals(body:getType(), type)
			lu.assertEquals({ body:getTransform() }, { x, y, angle })
			if type == "dynamic" then near(body:getMass(), i * (i % 2 == 0 and 1 or round.mass(0.5))) end
			world:step(DT)
			if type == "static" then lu.assertEquals({ body:getTransform() }, { x, y, angle }) end
			lu.assertTrue(world:validate())
		end
	end

	function TestBodyType.test_static_bodies_keep_properties_of_moving_ones()
		local world = d.newWorld {}
		local options = { type = "static", linearDamping = 0.25, angularDamping = 0.5, gravityScale = -2, mass = 3 }
		local given, set, plain = world:newBody(options), world:newBody { type = "static" }, world:newBody { type = "static" }
		set:setLinearDamping(0.25)
		set:setAngularDamping(0.5)
		set:setGravityScale(-2)
		set:setMassData(3, 0, 0, 1)
		for _, type in ipairs { "static", "dynamic", "static", "kinematic" } do
			for _, body in ipairs { given, set, plain } do
				body:setType(type)
				local own = body ~= plain
				lu.assertEquals({ body:getLinearDamping(), body:getAngularDamping(), body:getGravityScale(), body:getMass() },
					own and { 0.25, 0.5, -2, 3 } or { 0, 0, 1, 0 })
			end
			world:step(DT)
			lu.assertTrue(world:validate())
		end
		set:destroy()
		local new = world:newBody { type = "static" }
		lu.assertEquals({ new:getLinearDamping(), new:getAngularDamping(), new:getGravityScale(), new:getMass() }, { 0, 0, 1, 0 })
	end

	-- --- Mass ------------------------------------------------------------------------------------------------------------------

	-- Of the engine's memory, with one collider of a shared shape. Records that only moving bodies need are not kept for static ones.
	function TestBodyType.test_a_static_body_takes_little_memory()
		local world, shape, count = d.newWorld {}, d.box(1, 1), 5000
		local before = world:getByteCount()
		for i = 1, count do world:newBody { type = "static", x = 2 * i, shape = shape } end
		lu.assertTrue((world:getByteCount() - before) / count < (dim == "d2" and 470 or 520))
	end

	local TestBodyMass = suite("TestBodyMass", dim)

	function TestBodyMass.test_sum_of_shapes()
		local world = empty_space()
		local parts = { { d.circle(0.5, 1, 0), 2 }, { d.box(1, 2, { x = -1, y = 1, angle = 0.3 }), 1 }, { d.capsule(0, 0, 0, 3, 0.25), 0.5 },
			{ d.polygon { 0, 0, 2, 0, 0, 1 }, 3 } }
		local body = world:newBody { x = 5, y = 6, angle = 1 }
		local used, colliders = {}, {}
		local function check()
			local mass, x, y, inertia = combined(used)
			near(body:getMass(), mass)
			near(body:getInertia(), inertia)
			local cx, cy = body:getLocalCenter()
			near(cx, x)
			near(cy, y)
		end
		for i, part in ipairs(parts) do
			colliders[i] = body:newCollider(part[1], { density = part[2] })
			used[i] = part
			check()
		end
		colliders[2]:setDensity(7)
		used[2] = { parts[2][1], 7 }
		check()
		colliders[3]:setShape(d.ellipse(1, 0.5))
		used[3] = { d.ellipse(1, 0.5), 0.5 }
		check()
		colliders[1]:destroy()
		table.remove(used, 1)
		check()
		-- Segments, chains and half-planes have no mass.
		body:newCollider(d.segment(0, 0, 9, 9), { density = 100, sensor = true })
		check()
		lu.assertEquals(#body:getColliders(), 4)
	end

	function TestBodyMass.test_override_and_reset()
		local world = empty_space()
		local body = world:newBody { shape = d.box(2, 2) }
		body:setMassData(3, 0.5, -0.25, 7)
		lu.assertEquals({ body:getMass(), body:getInertia(), body:getLocalCenter() }, { 3, 7, 0.5, -0.25 })
		body:newCollider(d.circle(1, 4, 4))
		lu.assertEquals({ body:getMass(), body:getInertia(), body:getLocalCenter() }, { 3, 7, 0.5, -0.25 }, "it stays")
		body:setType("static")
		body:setType("dynamic")
		lu.assertEquals({ body:getMass(), body:getInertia(), body:getLocalCenter() }, { 3, 7, 0.5, -0.25 }, "it stays")
		-- The override is used: v = J / m, w = r x J / I.
		body:applyImpulse(6, 0, 0.5, 1.75)
		near(body:getLinearVelocity(), 2)
		near(body:getAngularVelocity(), -2 * 6 / 7)
		body:resetMassData()
		local mass, x, y, inertia = combined { { d.box(2, 2), 1 }, { d.circle(1, 4, 4), 1 } }
		near(body:getMass(), mass)
		near(body:getInertia(), inertia)
		local cx, cy = body:getLocalCenter()
		near(cx, x)
		near(cy, y)
		local given = world:newBody { shape = d.box(2, 2), mass = 10, inertia = 3, center = { 0.25, 0.5 } }
		lu.assertEquals({ given:getMass(), given:getInertia(), given:getLocalCenter() }, { 10, 3, 0.25, 0.5 })
	end

	-- When the centre of mass changes, the body stays in place and every point of it keeps its velocity.
	local function check_points_keep_velocity(what, change)
		local world = empty_space()
		local body = world:newBody { x = 3, y = -2, angle = 0.7, shapes = { { shape = d.box(1, 1) }, { shape = d.circle(0.5, 1, 1) } } }
		body:setLinearVelocity(3, -1)
		body:setAngularVelocity(4)
		local points, before = { { 0, 0 }, { 5, 1 }, { -2, -7 } }, {}
		for i, p in ipairs(points) do before[i] = { body:getVelocityAt(p[1], p[2]) } end
		local x, y, angle = body:getTransform()
		local cx, cy = body:getLocalCenter()
		change(body, body:getColliders())
		local dx, dy = body:getLocalCenter()
		lu.assertTrue(math.abs(dx - cx) + math.abs(dy - cy) > 0.1, what .. " moves the centre")
		for i, p in ipairs(points) do
			local vx, vy = body:getVelocityAt(p[1], p[2])
			near(vx, before[i][1], 40, what)
			near(vy, before[i][2], 40, what)
		end
		lu.assertEquals(body:getAngularVelocity(), 4)
		local x2, y2, angle2 = body:getTransform()
		near(x2, x)
		near(y2, y)
		lu.assertEquals(angle2, angle)
		lu.assertTrue(world:validate())
	end

	function TestBodyMass.test_moving_the_centre_keeps_the_velocity_of_points()
		check_points_keep_velocity("newCollider", function(body) body:newCollider(d.box(1, 1, { x = 5 })) end)
		check_points_keep_velocity("destroy", function(_, colliders) colliders[2]:destroy() end)
		check_points_keep_velocity("setDensity", function(_, colliders) colliders[2]:setDensity(9) end)
		check_points_keep_velocity("setShape", function(_, colliders) colliders[2]:setShape(d.circle(1, -3, 2)) end)
		check_points_keep_velocity("setMassData", function(body) body:setMassData(1, 2, 3, 1) end)
		check_points_keep_velocity("resetMassData", function(body)
			body:setMassData(1, 0.4, -2, 1)
			local vx, vy = body:getVelocityAt(0, 0)
			body:resetMassData()
			local ux, uy = body:getVelocityAt(0, 0)
			near(ux, vx, 40)
			near(uy, vy, 40)
			body:setMassData(1, -1, 0, 1)
		end)
	end

	-- A body without mass or inertia does no harm.
	function TestBodyMass.test_a_body_without_mass_does_no_harm()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local light = world:newBody { y = 0.5, shape = d.box(1, 1), density = 0 }
		local none = world:newBody { x = 5, y = 0.5, shape = d.box(1, 1) }
		none:setMassData(0, 0, 0, 0)
		local thread = world:newBody { x = 10, y = 0.2, shape = d.segment(-1, 0, 1, 0), sensor = true }
		world:newBody { y = 2, shape = d.circle(0.5) }
		for _, body in ipairs { light, none, thread } do
			body:applyForce(1, 1)
			body:applyImpulse(1, 1, 3, 3)
			body:applyTorque(1)
		end
		steps(world, 120)
		for _, body in ipairs(world:getBodies()) do
			local x, y, angle = body:getTransform()
			lu.assertTrue(x == x and y == y and angle == angle and math.abs(x) + math.abs(y) < 100)
		end
		lu.assertTrue(world:validate())
	end

	-- --- Locks -----------------------------------------------------------------------------------------------------------------

	local TestBodyLocks = suite("TestBodyLocks", dim)

	function TestBodyLocks.test_free_motion_on_the_other_axes()
		local world = d.newWorld { gravity = { 2, -10 } }
		local bodies = {}
		for i, locks in ipairs { {}, { x = true }, { y = true }, { rotation = true }, { x = true, y = true, rotation = true } } do
			bodies[i] = world:newBody { x = 100 * i, angle = 0.5, shape = d.box(1, 1), locks = locks }
			bodies[i]:applyImpulse(1, 2, 100 * i + 1, 1)
			bodies[i]:applyAngularImpulse(0.5)
		end
		local function free(body) return { body:getLinearVelocity() }, body:getAngularVelocity() end
		steps(world, 30, function()
			for _, body in ipairs(bodies) do
				body:applyTorque(0.25)
				body:applyForce(0.5, 0.5)
			end
		end)
		local v, w = free(bodies[1])
		near(v[1], 1 + (2 + 0.5) / 2)
		near(v[2], 2 + (-10 + 0.5) / 2)
		lu.assertTrue(w > 1)
		lu.assertEquals({ bodies[2]:getLinearVelocity() }, { 0, v[2] })
		lu.assertEquals(bodies[2]:getPosition(), 200)
		lu.assertEquals(bodies[2]:getAngularVelocity(), w)
		lu.assertEquals({ bodies[3]:getLinearVelocity() }, { v[1], 0 })
		lu.assertEquals(select(2, bodies[3]:getPosition()), 0)
		lu.assertEquals({ bodies[4]:getLinearVelocity() }, v)
		lu.assertEquals(bodies[4]:getAngularVelocity(), 0)
		near_angle(bodies[4]:getAngle(), 0.5)
		lu.assertEquals({ bodies[5]:getPosition() }, { 500, 0 })
		near_angle(bodies[5]:getAngle(), 0.5)
		lu.assertEquals({ bodies[5]:getLinearVelocity() }, { 0, 0 })
	end

	function TestBodyLocks.test_locking_stops_and_setters_respect_locks()
		local world = empty_space()
		local body = world:newBody { shape = d.circle(1), linearVelocity = { 3, 4 }, angularVelocity = 5 }
		body:setLocks(true, false, false)
		lu.assertEquals({ body:getLocks() }, { true, false, false })
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 4 })
		body:setLinearVelocity(7, 8)
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 8 })
		body:setLocks(false, true, true)
		lu.assertEquals({ body:getLocks() }, { false, true, true })
		lu.assertEquals({ body:getLinearVelocity() }, { 0, 0 })
		lu.assertEquals(body:getAngularVelocity(), 0)
		body:setLinearVelocity(7, 8)
		body:setAngularVelocity(9)
		lu.assertEquals({ body:getLinearVelocity() }, { 7, 0 })
		lu.assertEquals(body:getAngularVelocity(), 0)
		body:setLocks(false, false, false)
		body:setLinearVelocity(7, 8)
		body:setAngularVelocity(9)
		lu.assertEquals({ body:getLinearVelocity() }, { 7, 8 })
		lu.assertEquals(body:getAngularVelocity(), 9)
	end

	-- The solver treats a locked body as immovable along that axis: it does not move by a bit, and carries a body on it as a floor does.
	function TestBodyLocks.test_locked_in_y_it_carries_any_load()
		local world = d.newWorld {}
		local shelf = world:newBody { shape = d.box(4, 1), density = 0.1, locks = { y = true, rotation = true } }
		local load = world:newBody { y = 3, shape = d.box(1, 1), density = 1000 }
		for _ = 1, 180 do
			world:step(DT)
			lu.assertEquals(select(2, shelf:getPosition()), 0)
			lu.assertEquals(select(2, shelf:getLinearVelocity()), 0)
		end
		local _, y = load:getPosition()
		lu.assertAlmostEquals(y, 1, 2e-3)
		-- Unlocked, both fall.
		shelf:setLocks(false, false, false)
		steps(world, 30)
		lu.assertTrue(select(2, shelf:getPosition()) < -1)
		lu.assertTrue(select(2, load:getPosition()) < 0)
	end

	-- A ball that hits a body locked in x rebounds as from a wall, though the body is free in y.
	function TestBodyLocks.test_locked_in_x_it_acts_as_a_wall()
		local world = empty_space()
		local wall = world:newBody { x = 3, shape = d.box(1, 4), density = 0.01, locks = { x = true, rotation = true }, friction = 0 }
		local ball = world:newBody { shape = d.circle(0.5), density = 100, linearVelocity = { 5, 0 }, restitution = 1, friction = 0 }
		steps(world, 60)
		near(ball:getLinearVelocity(), -5)
		lu.assertEquals({ wall:getPosition() }, { 3, 0 })
		wall:applyImpulse(0, wall:getMass() * 2)
		near(select(2, wall:getLinearVelocity()), 2)
	end

	-- Hit off its centre, a body with locked rotation responds as a point mass: e = 1 between equal masses swaps velocities.
	function TestBodyLocks.test_locked_in_rotation_it_does_not_turn()
		local world = empty_space()
		local one = world:newBody { shape = d.box(1, 1), linearVelocity = { 4, 0 }, restitution = 1, friction = 0, locks = { rotation = true } }
		local two = world:newBody { x = 3, y = 0.6, shape = d.box(1, 1), restitution = 1, friction = 0, locks = { rotation = true } }
		steps(world, 90)
		lu.assertAlmostEquals(one:getLinearVelocity(), 0, 1e-3)
		lu.assertAlmostEquals(two:getLinearVelocity(), 4, 1e-3)
		lu.assertEquals(one:getAngle(), 0)
		lu.assertEquals(two:getAngle(), 0)
	end

	-- --- Enabled ---------------------------------------------------------------------------------------------------------------

	local TestBodyEnabled = suite("TestBodyEnabled", dim)

	function TestBodyEnabled.test_a_disabled_body_has_no_effect()
		local world = d.newWorld {}
		local shelf = world:newBody { shape = d.box(4, 1), type = "static" }
		local ball = world:newBody { y = 3, shape = d.circle(0.5), linearVelocity = { 1, 2 }, angularVelocity = 3 }
		local before = { ball:getTransform() }
		ball:setEnabled(false)
		lu.assertFalse(ball:isEnabled())
		shelf:setEnabled(false)
		local other = world:newBody { y = 1, shape = d.box(1, 1) }
		steps(world, 30)
		lu.assertEquals({ ball:getTransform() }, before)
		lu.assertTrue(select(2, other:getPosition()) < 0, "nothing holds the box")
		lu.assertNil(world:raycast(0, 3, 0.1, 3))
		lu.assertEquals(world:getBodyCount(), 3)
		ball:setEnabled(true)
		shelf:setEnabled(true)
		lu.assertEquals({ ball:getLinearVelocity() }, { 1, 2 })
		lu.assertEquals(ball:getAngularVelocity(), 3)
		other:destroy()
		world:step(DT)
		near(ball:getLinearVelocity(), 1)
		near(select(2, ball:getLinearVelocity()), 2 - 10 * DT)
		steps(world, 120)
		lu.assertAlmostEquals(select(2, ball:getPosition()), 1, 0.005)
		lu.assertTrue(world:validate())
	end

	function TestBodyEnabled.test_a_disabled_body_can_be_changed()
		local world = d.newWorld {}
		local body = world:newBody { enabled = false, shape = d.circle(0.5) }
		body:setTransform(3, 4, 1)
		body:setLinearVelocity(1, 2)
		body:setType("kinematic")
		body:newCollider(d.box(1, 1))
		body:getColliders()[1]:setShape(d.circle(1))
		body:getColliders()[1]:setLayer("default")
		body:getColliders()[1]:setFriction(0.5)
		lu.assertEquals({ body:getPosition() }, { 3, 4 })
		lu.assertFalse(body:isAwake())
		lu.assertTrue(world:validate())
		world:step(DT)
		body:setEnabled(true)
		lu.assertEquals(body:getType(), "kinematic")
		lu.assertEquals(#body:getColliders(), 2)
		steps(world, 60)
		near(body:getPosition(), 4)
		body:setEnabled(false)
		body:destroy()
		lu.assertTrue(world:validate())
	end

	-- --- Forces ----------------------------------------------------------------------------------------------------------------

	local TestBodyForces = suite("TestBodyForces", dim)

	-- A body of known mass and inertia, with its centre of mass off its origin, without gravity.
	local function test_body(options)
		local world = d.newWorld { gravity = { 0, 0 } }
		options = options or {}
		options.shape, options.mass, options.inertia, options.center = d.box(1, 1), 2, 0.5, { 0.25, -0.5 }
		options.x, options.y = 4, 7
		local body = world:newBody(options)
		return world, body, body:getCenter()
	end

	-- v = J / m, w = r x J / I, immediately; the default point is the centre of mass.
	function TestBodyForces.test_impulses()
		local number = random_numbers(55)
		for _ = 1, 30 do
			local _, body, cx, cy = test_body()
			local jx, jy, px, py = number(-5, 5), number(-5, 5), number(0, 9), number(0, 9)
			body:applyImpulse(jx, jy, px, py)
			local vx, vy = body:getLinearVelocity()
			near(vx, jx / 2)
			near(vy, jy / 2)
			local w = cross(px - cx, py - cy, jx, jy) / 0.5
			near(body:getAngularVelocity(), w, 300)
			body:applyImpulse(jx, jy)
			body:applyAngularImpulse(1.5)
			vx, vy = body:getLinearVelocity()
			near(vx, jx)
			near(vy, jy)
			near(body:getAngularVelocity(), w + 3, 300)
		end
	end

	-- A force acts during one step only: v = F dt / m, and in n sub-steps x = F h^2 n (n + 1) / (2 m).
	function TestBodyForces.test_forces()
		local number = random_numbers(56)
		for _ = 1, 30 do
			local world, body, cx, cy = test_body()
			local fx, fy, px, py, torque = number(-9, 9), number(-9, 9), number(0, 9), number(0, 9), number(-3, 3)
			body:applyForce(fx, fy, px, py)
			body:applyForce(1, 2)
			body:applyTorque(torque)
			lu.assertEquals({ body:getLinearVelocity() }, { 0, 0 }, "not before the step")
			world:step(DT)
			local vx, vy = body:getLinearVelocity()
			near(vx, (fx + 1) / 2 * DT)
			near(vy, (fy + 2) / 2 * DT)
			local w = (cross(px - cx, py - cy, fx, fy) + torque) / 0.5 * DT
			near(body:getAngularVelocity(), w, 10)
			local x, y = body:getCenter()
			local h = DT / 4
			near(x - cx, (fx + 1) / 2 * h * h * 10)
			near(y - cy, (fy + 2) / 2 * h * h * 10)
			world:step(DT)
			lu.assertEquals({ body:getLinearVelocity() }, { vx, vy }, "the force is gone")
			near(body:getAngularVelocity(), w, 10)
		end
	end

	-- (1 + c h)^-n after n sub-steps. The factor is a float, and so is each product: 2 n roundings of 2^-24 are 3e-5.
	function TestBodyForces.test_damping()
		local world, body = test_body { linearDamping = 0.5, angularDamping = 2 }
		body:setLinearVelocity(3, -4)
		body:setAngularVelocity(5)
		steps(world, 60)
		local h, n = DT / 4, 240
		local keep, keep_w = (1 + 0.5 * h) ^ -n, (1 + 2 * h) ^ -n
		local vx, vy = body:getLinearVelocity()
		lu.assertAlmostEquals(vx, 3 * keep, 3e-5 * 3)
		lu.assertAlmostEquals(vy, -4 * keep, 3e-5 * 4)
		lu.assertAlmostEquals(body:getAngularVelocity(), 5 * keep_w, 3e-5 * 5)
		body:setLinearDamping(0)
		steps(world, 60)
		lu.assertEquals({ body:getLinearVelocity() }, { vx, vy })
	end

	function TestBodyForces.test_gravity_scale()
		local world, body = test_body { gravityScale = -0.5 }
		world:setGravity(4, -10)
		lu.assertEquals({ world:getGravity() }, { 4, -10 })
		steps(world, 30)
		local vx, vy = body:getLinearVelocity()
		near(vx, -1)
		near(vy, 2.5)
		body:setGravityScale(0)
		steps(world, 30)
		lu.assertEquals({ body:getLinearVelocity() }, { vx, vy })
		body:setGravityScale(2)
		steps(world, 30)
		near(select(2, body:getLinearVelocity()), vy - 10)
		lu.assertEquals(body:getAngularVelocity(), 0, "gravity does not turn")
	end

	-- T = (m v^2 + I w^2) / 2.
	function TestBodyForces.test_kinetic_energy()
		local _, body = test_body()
		body:setLinearVelocity(3, -4)
		near(body:getKineticEnergy(), 25)
		body:setAngularVelocity(6)
		near(body:getKineticEnergy(), 25 + 9)
		body:setType("static")
		lu.assertEquals(body:getKineticEnergy(), 0)
	end

	function TestBodyForces.test_maximum_speed()
		local world, body = test_body()
		world:setMaximumSpeed(20)
		body:setLinearVelocity(300, 400)
		world:step(DT)
		local vx, vy = body:getLinearVelocity()
		near(vx, 12)
		near(vy, 16)
	end

	-- --- Adding and removing colliders -----------------------------------------------------------------------------------------

	local TestBodyColliders = suite("TestBodyColliders", dim)

	function TestBodyColliders.test_a_shape_grows_out_of_the_floor()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local body = world:newBody { y = 0.25, shape = d.box(0.5, 0.5) }
		local collider = body:getColliders()[1]
		steps(world, 120)
		lu.assertFalse(body:isAwake())
		collider:setShape(d.box(1, 1))
		lu.assertTrue(body:isAwake())
		near(body:getMass(), 1)
		local top = 0
		for _ = 1, 180 do
			world:step(DT)
			top = math.max(top, (select(2, body:getPosition())))
		end
		-- Pushed out at contactSpeed = 3 m/s at most, it may hop by v^2 / 2 g = 0.45 m; then it rests on the floor.
		lu.assertTrue(top < 0.5 + 0.45)
		lu.assertAlmostEquals(select(2, body:getPosition()), 0.5, 2e-3)
		collider:setShape(d.box(0.5, 0.5))
		steps(world, 60)
		lu.assertAlmostEquals(select(2, body:getPosition()), 0.25, 2e-3)
	end

	function TestBodyColliders.test_legs_are_added_and_removed()
		local world = d.newWorld {}
		world:newBody { type = "static", y = -1, shape = d.box(40, 2) }
		local table_top = world:newBody { y = 1.2, shape = d.box(3, 0.2) }
		local legs = {
			table_top:newCollider(d.box(0.2, 1, { x = -1.2, y = -0.6 })), table_top:newCollider(d.box(0.2, 1, { x = 1.2, y = -0.6 })),
		}
		steps(world, 120)
		lu.assertAlmostEquals(select(2, table_top:getPosition()), 1.1, 3e-3)
		lu.assertAlmostEquals(table_top:getAngle(), 0, 1e-3)
		lu.assertFalse(table_top:isAwake())
		legs[2]:destroy()
		lu.assertTrue(table_top:isAwake())
		steps(world, 90)
		lu.assertTrue(table_top:getAngle() < -0.2, "it tips to where the leg is missing")
		legs[1]:destroy()
		steps(world, 180)
		lu.assertAlmostEquals(select(2, table_top:getPosition()), 0.1, 3e-3)
		lu.assertEquals(#table_top:getColliders(), 1)
		table_top:getColliders()[1]:destroy()
		lu.assertEquals(table_top:getColliders(), {})
		steps(world, 10)
		lu.assertTrue(world:validate())
	end

	function TestBodyColliders.test_aabbs_follow()
		local world = empty_space()
		local body = world:newBody { x = 1, y = 2, angle = math.pi / 2, shape = d.box(4, 2, { x = 1 }), linearVelocity = { 60, 0 } }
		local function check(x)
			local box = { body:getColliders()[1]:getBox() }
			-- Rounded outwards to floats: 1e-6 at this size.
			for i, value in ipairs { x - 1, 1, x + 1, 5 } do lu.assertAlmostEquals(box[i], value, FLOAT) end
		end
		check(1)
		world:step(DT)
		check(2)
		body:setPosition(-5, 2)
		check(-5)
	end

	-- A far centre of mass moves the pose by a rounding error. AABBs of static bodies have no margin for it.
	function TestBodyMass.test_a_far_centre_of_mass_keeps_the_world_valid()
		for i = 1, 50 do
			local world = d.newWorld {}
			local body = world:newBody { type = i % 2 == 0 and "static" or "dynamic", shape = d.box(0.01, 0.01), x = 0.01 * i, y = 0.02, angle = 0.7 * i }
			body:setMassData(1, 1, 1e7, 1)
			lu.assertTrue(world:validate())
		end
	end
end
