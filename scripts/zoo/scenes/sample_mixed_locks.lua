return {
	about = "Box2D's sample Bodies, Mixed Locks",
	dimension = 2, seconds = 6, rest = true, closed = true, bounds = { -40, -0.3, 40, 10 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -40, 0, 40, 0 } } } },
		{ type = "static", x = 2, y = 1, shape = { "box", 1, 1 } },
		{ x = 1, y = 1, shape = { "box", 1, 1 } },
		{ x = 1, y = 3, shape = { "box", 1, 1 } },
		{ x = -1, y = 1, shape = { "box", 1, 1 }, locks = { rotation = true } },
		{ x = -2, y = 2, shape = { "box", 1, 1 }, locks = { x = true } },
		{ x = -1, y = 2.5, shape = { "box", 1, 1 }, locks = { y = true, rotation = true } },
		{ y = 1, shape = { "box", 1, 1 }, locks = { x = true, y = true, rotation = true } },
	},
	-- The gain at 30 Hz is the median of 12 starts that differ by up to 1 cm in x: Box2D's gains are 0.0057 to 0.030, and 0.0065 from this start.
	peer = {
		[30] = { rest = 1.57, deep = 0.012, drift = 0, gain = 0.028, escaped = 0 },
		[60] = { rest = 1.22, deep = 0.017, drift = 0, gain = 0.00096, escaped = 0 },
		[120] = { rest = 1.34, deep = 0.007, drift = 0, gain = 0.0019, escaped = 0 },
	},
}
