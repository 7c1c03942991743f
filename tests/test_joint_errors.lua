-- Bad input for all types of joints in both dimensions: each key of each type, as the module lists them, with values that it refuses. The message names the
-- function and the key, and the world is left as it was.
local lu, support = require "luaunit", require "support"
local collide, kit = require "collide", require "joint_rows"
local planes, suite = support.planes, support.suite

local NAN, INFINITY = 0 / 0, 1 / 0

local function copy(options, changes)
	local result = {}
	for key, value in pairs(options) do result[key] = value end
	for key, value in pairs(changes) do result[key] = value end
	return result
end

-- --- Kinds of keys -----------------------------------------------------------------------------------------------------------

local kinds = { data = "any", name = "name", points = "points", follow = "word", freedom = "freedom", jointA = "joint", jointB = "joint" }
for _, key in ipairs { "bodyA", "bodyB", "body" } do kinds[key] = "body" end
for _, key in ipairs { "collideConnected", "enabled", "breakable", "loop" } do kinds[key] = "boolean" end
for _, key in ipairs { "axis", "axisA", "axisB", "secondAxis", "spinAxis", "rotationA", "rotationB", "targetRotation" } do kinds[key] = "direction" end
for _, key in ipairs { "anchorA", "anchorB", "pointA", "pointB", "groundA", "groundB", "linearVelocity", "motorVelocity" } do kinds[key] = "vector" end

local function kind_of(dim, key) return kinds[key] or (dim == "d3" and key == "angularVelocity" and "vector") or "number" end

-- Whether a number must not be negative, and whether it must not be 0 either.
local function is_positive(key)
	key = key:lower()
	if key:find "threshold" or key == "jointhertz" then return true, true end
	return key:find "hertz" or key:find "dampingratio" or key:find "^max.*force" or key:find "^max.*torque" or key:find "^m%a%alength$" or key == "coneangle"
end

local function bad_values(dim, key, objects)
	local kind = kind_of(dim, key)
	local function list(...)
		local values = { ... }
		if dim == "d3" then table.insert(values, 2, 0) end
		if key:find "otation" then table.insert(values, 0) end
		return values
	end
	if kind == "any" then return {} end
	if kind == "name" then return { 1, {}, true } end
	if kind == "word" then return { 1, "sideways", {} } end
	if kind == "boolean" then return { 1, "true", {} } end
	if kind == "body" then return { 3, "body", false, objects.foreign, objects.dead, objects.flat, objects.joint } end
	if kind == "joint" then return { 3, "joint", false, objects.body, objects.dead_joint, objects.foreign_joint, objects.flat_joint, objects.weld } end
	if kind == "points" then return { 5, {}, { 0, 0 }, { 0 }, { 0, 0, 1, NAN, 2, 2 }, { 0, 0, 1, INFINITY, 2, 2 }, { 0, 0, "x", 0, 2, 2 }, "points" } end
	if kind == "freedom" then return { 3, { w = "free" }, { x = 3 }, { x = "open" } } end
	if kind ~= "number" then
		local values = { 5, "up", {}, { 1 }, list(NAN, 0), list(0, INFINITY), list("x", 0) }
		if kind == "direction" then values[#values + 1] = list(0, 0) end
		return values
	end
	local values, least, strict = { NAN, INFINITY, -INFINITY, "fast", {}, true }, is_positive(key)
	if least then values[#values + 1] = -1 end
	if strict then values[#values + 1] = 0 end
	return values
end

-- Keys that the rows give, and without which a joint can be made.
local optional = { axis = true, maxForce = true, spinAxis = true }

-- --- Errors ------------------------------------------------------------------------------------------------------------------

for _, dim in ipairs { "d2", "d3" } do
	local TestJointErrors = suite("TestJointErrors", dim)

	-- A world with a joint of the row, the options for another one as the module takes them, and objects that no option may name.
	local function new_case(row)
		local world = planes[dim].newWorld { gravity = { 0, -10 } }
		local options, ball = kit.prepare(dim, world, row, {})
		local case = { world = world, own = dim == "d2" and world or world.real, name = "new" .. row.name .. "Joint" }
		local other = planes[dim].newWorld {}
		local flat = planes[dim == "d2" and "d3" or "d2"].newWorld {}
		local function real(object) return type(object) == "table" and object.real or object end
		local function hinge(w, body) return real(w:newRevoluteJoint { bodyB = body, x = 0, y = 0 }) end
		local function new_body(w, d) return w:newBody { shape = d.circle(0.5) } end
		local foreign, flat_body = new_body(other, planes[dim]), new_body(flat, planes[dim == "d2" and "d3" or "d2"])
		local dead, dead_joint = new_body(world, planes[dim]), hinge(world, ball)
		dead_joint:destroy()
		dead:destroy()
		case.objects = { foreign = real(foreign), dead = real(dead), flat = real(flat_body), body = real(ball), dead_joint = dead_joint, joint = hinge(world, ball),
			foreign_joint = hinge(other, foreign), flat_joint = hinge(flat, flat_body), weld = real(world:newWeldJoint { bodyB = ball, x = 0, y = 0 }) }
		case.options = dim == "d2" and options or planes.d3.joint_options(row.name, options)
		case.count = world:getJointCount()
		return case
	end

	-- The keys of the type, as the module names them.
	local function keys_of(case)
		local _, message = pcall(case.own[case.name], case.own, { ["?"] = 1 })
		local keys = {}
		for key in message:match("unknown key '%?' %(there are: (.*)%)"):gmatch "%w+" do keys[#keys + 1] = key end
		return keys
	end

	local function assert_raises(case, options, ...)
		local ok, message = pcall(case.own[case.name], case.own, options)
		lu.assertFalse(ok, case.name .. ": " .. table.concat({ ... }, ", "))
		lu.assertStrContains(message, case.name .. ": ")
		for _, text in ipairs { ... } do lu.assertStrContains(message, text) end
		lu.assertEquals(case.world:getJointCount(), case.count)
	end

	local function bad_keys(case, row)
		local seen = {}
		for _, key in ipairs(keys_of(case)) do
			seen[key] = true
			for _, value in ipairs(bad_values(dim, key, case.objects)) do
				local named = kind_of(dim, key) == "freedom" and "" or key
				assert_raises(case, copy(case.options, { [key] = value }), named)
			end
			local suggestion = #key > 1 and ", did you mean '" .. key or " (there are: "
			assert_raises(case, copy(case.options, { [key .. "_"] = 1 }), ("unknown key '%s_'%s"):format(key, suggestion))
		end
		for _, c in ipairs(row.coordinates) do
			for _, key in pairs((c.nested or c.only and c.only ~= dim) and {} or c.keys) do lu.assertTrue(seen[key], key) end
		end
	end

	local function missing_keys(case)
		for key in pairs(case.options) do
			local options = copy(case.options, {})
			options[key] = nil
			if not optional[key] then assert_raises(case, options, key) end
		end
	end

	-- Options of a coordinate that do not agree.
	local function bad_pairs(case, row)
		for _, c in ipairs(row.coordinates) do
			local k = c.keys
			local function raises(options, ...)
				if c.nested then options = { freedom = { [c.nested] = options } } end
				assert_raises(case, copy(case.options, options), ...)
			end
			local alone = (k.upper == "maxLength" or k.upper == "coneAngle") -- may be given without the lower one
			if c.only and c.only ~= dim then k = {} end
			if k.lower then raises({ [k.lower] = 2, [k.upper] = 1 }, k.upper .. " must be >= " .. k.lower) end
			if k.lower and not alone then
				raises({ [k.lower] = 1 }, k.lower .. " and " .. k.upper .. " must be given together")
				raises({ [k.upper] = 1 }, k.lower .. " and " .. k.upper .. " must be given together")
			end
			if k.ratio and not case.options[k.hertz] then raises({ [k.ratio] = 1 }, k.hertz .. " is missing") end
			if k.target and k.hertz and not c.rotation and not c.free then raises({ [k.target] = 1 }, k.hertz .. " is missing") end
			if k.speed and not c.vector then raises({ [k.speed] = 1 }, k.most .. " is missing, but " .. k.speed) end
			if k.aim then raises({ [k.aim] = 1 }, k.most .. " is missing, but " .. k.aim) end
			if k.aim then raises({ [k.aim] = 1, [k.most] = 1 }, k.speed .. " is missing, but " .. k.aim) end
			for _, key in pairs(c.nested and k or {}) do
				for _, value in ipairs { NAN, INFINITY, "fast" } do raises({ [key] = value }, c.nested .. ": " .. key) end
				raises({ [key .. "_"] = 1 }, ("unknown key '%s_'%s"):format(key, #key > 1 and ", did you mean '" .. key or ""))
			end
		end
	end

	local own = {
		Distance = {
			{ "lowerSpringForce and upperSpringForce must be given together", hertz = 1, lowerSpringForce = -1 },
			{ "upperSpringForce must be > lowerSpringForce", hertz = 1, lowerSpringForce = 1, upperSpringForce = 1 },
			{ "hertz is missing", lowerSpringForce = -1, upperSpringForce = 1 },
		},
		Motor = { { "linearHertz is missing", maxSpringForce = 1 }, { "angularHertz is missing", maxSpringTorque = 1 } },
		Mouse = { { "unknown key 'bodyA'", bodyA = 1 }, { "unknown key 'bodyB'", bodyB = 1 } },
		Ratchet = { { "toothAngle must not be 0", toothAngle = 0 } },
		Universal = { { "secondAxis must be perpendicular to axis", secondAxis = { 1, 0, 1 } } },
	}

	local function bad_own(case, row)
		for _, options in ipairs(own[row.name] or {}) do
			local text = table.remove(options, 1)
			assert_raises(case, copy(case.options, options), text)
		end
	end

	local function bad_ends(case)
		local options, given = case.options, {}
		for _, key in ipairs(keys_of(case)) do given[key] = true end
		if given.bodyA and options.bodyB then assert_raises(case, copy(options, { bodyA = options.bodyB }), "bodyA and bodyB must be two bodies") end
		if options.jointA then
			assert_raises(case, copy(options, { jointB = options.jointA }), "jointA and jointB must be two joints")
			assert_raises(case, copy(options, { ratio = 0 }), "ratio must be other than 0, got 0")
		end
		if options.groundA then assert_raises(case, copy(options, { ratio = -1 }), "ratio must be > 0, got -1") end
		assert_raises(case, copy(options, { breakable = true }), "a breakable joint needs a forceThreshold or a torqueThreshold")
		for _, value in ipairs { 3, "options", false } do assert_raises(case, value or nil, "options must be a table") end
		if not options.x then return end
		local two, far = dim == "d2" and { 0, 0 } or { 0, 0, 0 }, dim == "d2" and { 1e9, 0 } or { 1e9, 0, 0 }
		local names = dim == "d2" and "x and y" or "x, y and z"
		assert_raises(case, copy(options, { x = 1e9 }), names .. " must be within")
		assert_raises(case, copy(options, { anchorA = two }), "either " .. names .. ", anchorA and anchorB, or pointA and pointB must be given")
		assert_raises(case, copy(options, { pointA = two }), "pointA and pointB must be given together")
		assert_raises(case, copy(options, { pointA = two, pointB = two }), "either " .. names)
		local placed = copy(options, { pointA = two, pointB = far })
		placed.x, placed.y, placed.z = nil, nil, nil
		assert_raises(case, placed, "pointB must be within")
		if given.axisA and not options.axisA then
			local axis = dim == "d2" and { 0, 1 } or { 0, 1, 0 }
			assert_raises(case, copy(options, { axisA = axis }), "axisA and axisB must be given together")
			assert_raises(case, copy(options, { axis = axis, axisA = axis, axisB = axis }), "only one of axis, axisA and axisB")
		end
	end

	-- Beside a world that was not asked for anything, it steps on with the same bits.
	for _, row in ipairs(kit.types_of(dim)) do
		TestJointErrors["test_" .. row.type] = function()
			local case, twin = new_case(row), new_case(row)
			bad_keys(case, row)
			missing_keys(case)
			bad_pairs(case, row)
			bad_own(case, row)
			bad_ends(case)
			case.world:validate()
			for _ = 1, 5 do
				lu.assertEquals(case.world:hash(), twin.world:hash())
				case.world:step(1 / 60)
				twin.world:step(1 / 60)
			end
		end
	end
end
