return {
	about = "Box2D's sample Stacking, Capsule Stack",
	dimension = 2, seconds = 10, rest = true, closed = true, bounds = { -10, -0.1, 10, 20 },
	bodies = {
		{ type = "static", shapes = { { shape = { "box", 20, 2, { y = -1 } } } } },
		{ y = 0.5, copies = { 20, 0, 0.75 }, shape = { "capsule", -1, 0, 1, 0, 0.25 } },
	},
	peer = {
		[30] = { rest = 3.53, deep = 0.067, drift = 0, gain = 0.51, escaped = 0 },
		[60] = { rest = 3.60, deep = 0.016, drift = 0, gain = 0.19, escaped = 0 },
		[120] = { rest = 2.32, deep = 0.017, drift = 0, gain = 0.16, escaped = 0 },
	},
}
