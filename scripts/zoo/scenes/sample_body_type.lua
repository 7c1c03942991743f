return {
	about = "Box2D's sample Bodies, Body Type: as it starts, with the platform static; joints between two static bodies are left out",
	dimension = 2, seconds = 5, rest = true, closed = true, bounds = { -20, -0.1, 20, 13 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -20, 0, 20, 0 } } } },
		{ x = -2, y = 3, shape = { "box", 1, 4 }, stands = true },
		{ type = "static", x = 3, y = 3, shape = { "box", 1, 4 } },
		{ type = "static", x = -4, y = 5, shape = { "box", 8, 1, { x = 4 } } },
		{ x = -3, y = 8, shape = { "box", 1.5, 1.5 }, density = 2 },
		{ type = "static", x = 2, y = 8, shape = { "box", 1.5, 1.5 } },
		{ type = "static", x = 8, y = 0.2, shape = { "capsule", 0, 0, 1, 0, 0.25 } },
		{ type = "static", x = 8.5, y = 0.2, shape = { "capsule", 0, 0, 1, 0, 0.5 } },
		{ type = "static", x = -8, y = 12, shape = { "circle", 0.25, 0, 0.5 } },
	},
	joints = {
		{ "Revolute", x = -2, y = 5, bodyA = 2, bodyB = 4, maxMotorTorque = 50 },
	},
	peer = {
		[30] = { rest = 1.33, deep = 0.00067, drift = 0, moved = 0.00028, gain = 0.03, escaped = 0, joint = 0.00028 },
		[60] = { rest = 1.27, deep = 9e-05, drift = 0, moved = 7e-05, gain = 0.025, escaped = 0, joint = 7e-05 },
		[120] = { rest = 1.12, deep = 9.1e-05, drift = 0, moved = 7e-05, gain = 0.0033, escaped = 0, joint = 7e-05 },
	},
}
