return {
	about = "A trolley on four wheels with twelve boxes rolls into a buffer",
	dimension = 3, seconds = 10, rest = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "static", x = 6, y = 0.5, shape = { "box", 1, 1, 3 } },
		{ y = 0.5, shapes = { { shape = { "box", 2, 0.1, 1 } }, { shape = { "box", 0.1, 0.5, 1, { x = -0.95, y = 0.3 } } }, { shape = { "box", 0.1, 0.5, 1,
			{ x = 0.95, y = 0.3 } } }, { shape = { "box", 1.8, 0.5, 0.1, { y = 0.3, z = -0.45 } } }, { shape = { "box", 1.8, 0.5, 0.1, { y = 0.3, z = 0.45 }
			} } }, linearVelocity = { 2.5, 0, 0 } },
		{ x = -0.7, y = 0.25, z = -0.6, rotation = { 0.707107, 0, 0, 0.707107 }, shape = { "cylinder", 0.25, 0.1 }, rollingResistance = 0.02,
			linearVelocity = { 2.5, 0, 0 }, angularVelocity = { 0, 0, -10 } },
		{ x = -0.7, y = 0.25, z = 0.6, rotation = { 0.707107, 0, 0, 0.707107 }, shape = { "cylinder", 0.25, 0.1 }, rollingResistance = 0.02, linearVelocity
			= { 2.5, 0, 0 }, angularVelocity = { 0, 0, -10 } },
		{ x = 0.7, y = 0.25, z = -0.6, rotation = { 0.707107, 0, 0, 0.707107 }, shape = { "cylinder", 0.25, 0.1 }, rollingResistance = 0.02, linearVelocity
			= { 2.5, 0, 0 }, angularVelocity = { 0, 0, -10 } },
		{ x = 0.7, y = 0.25, z = 0.6, rotation = { 0.707107, 0, 0, 0.707107 }, shape = { "cylinder", 0.25, 0.1 }, rollingResistance = 0.02, linearVelocity
			= { 2.5, 0, 0 }, angularVelocity = { 0, 0, -10 } },
		{ x = -0.6, y = 0.755, z = -0.2, copies = { { 3, 0.6, 0, 0 }, { 2, 0, 0.4, 0 }, { 2, 0, 0, 0.4 } }, shape = { "box", 0.4, 0.4, 0.38 }, density =
			0.5, linearVelocity = { 2.5, 0, 0 } },
	},
	joints = {
		{ "Revolute", x = -0.7, y = 0.25, z = -0.6, bodyA = 3, bodyB = 4, axis = { 0, 0, 1 } },
		{ "Revolute", x = -0.7, y = 0.25, z = 0.6, bodyA = 3, bodyB = 5, axis = { 0, 0, 1 } },
		{ "Revolute", x = 0.7, y = 0.25, z = -0.6, bodyA = 3, bodyB = 6, axis = { 0, 0, 1 } },
		{ "Revolute", x = 0.7, y = 0.25, z = 0.6, bodyA = 3, bodyB = 7, axis = { 0, 0, 1 } },
	},
	should = { rest = 7, drift = 0 },
	-- Box3D has no cylinders. On prisms of 24 sides its trolley jolts, loses 0.6 m/s in each half second, and stops 2 m before the buffer. Rolling resistance
	-- alone decelerates by 0.19 m/s^2, so a trolley on round wheels reaches the buffer after 2 s: Box3D's time to rest is no measure.
	peer = {
		[30] = { deep = 0.0033, drift = 0, escaped = 0, joint = 0.021 },
		[60] = { deep = 0.00064, drift = 0, escaped = 0, joint = 0.0035 },
	},
	-- A wheel's joint opens when the buffer stops the trolley from 2.3 m/s within a sub-step, a path of 10 mm, and closes in the next step. The measured
	-- opening depends on the time of arrival within a step. From 24 starts shifted by up to 10 cm it is 2.6 to 6.3 mm.
	open = { [60] = { joint = 0.0063 } },
}
