return {
	about = "Box2D's sample Stacking, Single Box",
	dimension = 2, seconds = 5, rest = true, closed = true, bounds = { -66, -0.1, 66, 3 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -66, 0, 66, 0 } } } },
		{ y = 1, shape = { "box", 2, 2 }, linearVelocity = { 5, 0 } },
	},
	peer = {
		[30] = { rest = 1.30, deep = 0.00035, drift = 0, gain = 5.9e-05, escaped = 0 },
		[60] = { rest = 1.32, deep = 8.8e-05, drift = 0, gain = 1.5e-05, escaped = 0 },
		[120] = { rest = 1.33, deep = 8.8e-05, drift = 0, gain = 4.1e-06, escaped = 0 },
	},
}
