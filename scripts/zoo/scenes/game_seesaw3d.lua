return {
	about = "A plank on a hinge; a crate on one end, a heavier one falls on the other",
	dimension = 3, seconds = 10, rest = true, closed = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "static", shape = { "hull", { -0.3, 0, -0.3, 0.3, 0, -0.3, 0, 0.5, -0.3, -0.3, 0, 0.3, 0.3, 0, 0.3, 0, 0.5, 0.3 } } },
		{ y = 0.55, shape = { "box", 4, 0.1, 0.6 } },
		{ x = -1.7, y = 0.85, shape = { "box", 0.5, 0.5, 0.5 } },
		{ x = 1.6, y = 1.8, shape = { "box", 0.5, 0.5, 0.5 }, density = 1.5 },
	},
	joints = {
		{ "Revolute", x = 0, y = 0.55, z = 0, bodyA = 2, bodyB = 3, axis = { 0, 0, 1 } },
	},
	should = { rest = 4, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 2.30, deep = 0.0025, drift = 0, gain = 0.0092, escaped = 0, joint = 0.0026 },
		[60] = { rest = 2.52, deep = 0.00067, drift = 0, gain = 0.00025, escaped = 0, joint = 0.00086 },
	},
}
