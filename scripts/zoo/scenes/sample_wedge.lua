return {
	about = "Box2D's sample Continuous, Wedge",
	dimension = 2, seconds = 4, rest = true, closed = true, bounds = { -4, 0, 0, 12 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -4, 8, 0, 0 } }, { shape = { "segment", 0, 0, 0, 8 } } } },
		{ x = -0.45, y = 10.75, shape = { "circle", 0.3 }, friction = 0.2, linearVelocity = { 0, -200 } },
	},
	peer = {
		[30] = { rest = 2.30, deep = 0.003, gain = 4.2, escaped = 0 },
		[60] = { rest = 2.13, deep = 0.0041, gain = 0.82, escaped = 0 },
		[120] = { rest = 2.38, deep = 0.00048, gain = 0.82, escaped = 0 },
	},
}
