return {
	about = "A plank on a hinge; a crate on one end, a heavier one falls on the other",
	dimension = 2, seconds = 10, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "static", shape = { "polygon", { -0.3, 0, 0.3, 0, 0, 0.5 } } },
		{ y = 0.55, shape = { "box", 4, 0.1 } },
		{ x = -1.7, y = 0.85, shape = { "box", 0.5, 0.5 } },
		{ x = 1.6, y = 1.8, shape = { "box", 0.5, 0.5 }, density = 1.5 },
	},
	joints = {
		{ "Revolute", x = 0, y = 0.55, bodyA = 2, bodyB = 3 },
	},
	should = { rest = 4, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 2.50, deep = 0.0034, drift = 0, gain = 0.013, escaped = 0, joint = 0.0034 },
		[60] = { rest = 3.33, deep = 0.00067, drift = 0, gain = 0.00026, escaped = 0, joint = 0.0013 },
	},
}
