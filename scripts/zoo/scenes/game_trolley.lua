return {
	about = "A trolley on wheels with nine boxes rolls into a buffer",
	dimension = 2, seconds = 10, rest = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "static", x = 6, y = 0.5, shape = { "box", 1, 1 } },
		{ x = 0, y = 0.5, shapes = { { shape = { "box", 2, 0.1 } }, { shape = { "box", 0.1, 0.5, { x = -0.95, y = 0.3 } } }, { shape = { "box", 0.1, 0.5, {
			x = 0.95, y = 0.3 } } } }, linearVelocity = { 2.5, 0 } },
		{ x = -0.7, y = 0.25, shape = { "circle", 0.25 }, rollingResistance = 0.02, linearVelocity = { 2.5, 0 }, angularVelocity = -10 },
		{ x = 0.7, y = 0.25, shape = { "circle", 0.25 }, rollingResistance = 0.02, linearVelocity = { 2.5, 0 }, angularVelocity = -10 },
		{ x = -0.6, y = 0.8, copies = { { 3, 0.6, 0 }, { 3, 0, 0.5 } }, shape = { "box", 0.5, 0.5 }, density = 0.5, linearVelocity = { 2.5, 0 } },
	},
	joints = {
		{ "Revolute", x = -0.7, y = 0.25, bodyA = 3, bodyB = 4 },
		{ "Revolute", x = 0.7, y = 0.25, bodyA = 3, bodyB = 5 },
	},
	should = { rest = 7, drift = 0 },
	peer = {
		[30] = { rest = 4.70, deep = 0.0055, drift = 0, escaped = 0, joint = 0.052 },
		[60] = { rest = 4.37, deep = 0.0016, drift = 0, escaped = 0, joint = 0.0039 },
	},
}
