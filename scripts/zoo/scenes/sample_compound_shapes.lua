return {
	about = "Box2D's sample Shapes, Compound Shapes",
	dimension = 2, seconds = 8, rest = true, closed = true, bounds = { -50, -0.3, 50, 20 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", 50, 0, -50, 0 } } } },
		{ x = -15, y = 1, shapes = { { shape = { "box", 6, 1, { y = 3.5 } } }, { shape = { "box", 1, 3, { x = -2.5, y = 1.5 } } }, { shape = { "box", 1, 3,
			{ x = 2.5, y = 1.5 } } } } },
		{ x = -5, y = 1, shapes = { { shape = { "box", 6, 1, { y = 3.5 } } }, { shape = { "box", 1, 4, { x = -2.5, y = 2 } } }, { shape = { "box", 1, 4, {
			x = 2.5, y = 2 } } } } },
		{ x = 5, y = 1, shapes = { { shape = { "polygon", { -2, 0, 0, 1.33333, 0, 4 } } }, { shape = { "polygon", { 2, 0, 0, 1.33333, 0, 4 } } } } },
		{ x = 15, y = 1, shapes = { { shape = { "polygon", { -2, 0, 1, 2, 0, 4 } } }, { shape = { "polygon", { 2, 0, -1, 2, 0, 4 } } } } },
	},
	peer = {
		[30] = { rest = 1.40, deep = 0.0011, drift = 0, gain = 0.071, escaped = 0 },
		[60] = { rest = 1.03, deep = 0.00016, drift = 0, gain = 0.011, escaped = 0 },
		[120] = { rest = 1.03, deep = 0.00017, drift = 0, gain = 0.011, escaped = 0 },
	},
}
