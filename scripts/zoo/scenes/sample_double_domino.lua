return {
	about = "Box2D's sample Stacking, Double Domino",
	dimension = 2, seconds = 8, rest = true, closed = true, bounds = { -50, -0.3, 50, 5 },
	bodies = {
		{ type = "static", shapes = { { shape = { "box", 200, 2, { y = -1 } } } } },
		{ x = -7.5, y = 0.5, shape = { "box", 0.25, 1 }, linearVelocity = { 0.8, 0 }, angularVelocity = -4.51765 },
		{ x = -6.5, y = 0.5, copies = { 14, 1, 0 }, shape = { "box", 0.25, 1 } },
	},
	peer = {
		[30] = { rest = 8.00, deep = 0.012, gain = 0, escaped = 0 },
		[60] = { rest = 8.00, deep = 0.0042, gain = 0, escaped = 0 },
		[120] = { rest = 8.00, deep = 0.0062, gain = 0, escaped = 0 },
	},
}
