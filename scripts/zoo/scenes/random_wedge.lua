return {
	about = "Random: wedge, seed 2",
	dimension = 2, seconds = 8, rest = true, closed = true, bounds = { -30, -2, 60, 30 },
	bodies = {
		{ type = "static", shapes = { { shape = { "polygon", { 0, 0, 6, 3.4912, 6, -1, 0, -1 } }, friction = 0.885791 }, { shape = { "polygon", { 0, 0, -6,
			3.4912, -6, -1, 0, -1 } }, friction = 0.885791 } } },
		{ y = 2.19824, shape = { "box", 2, 0.8 }, friction = 0.885791 },
		{ y = 4.69824, shape = { "polygon", { 0, -1, 0.9, 0.6, -0.9, 0.6 } }, density = 3, friction = 0.885791 },
		{ x = 0.3, y = 6.58187, shape = { "circle", 0.6 }, density = 2, friction = 0.885791 },
	},
	peer = {
		[30] = { rest = 4.07, deep = 0.011, drift = 0, gain = 0.042, escaped = 0 },
		[60] = { rest = 3.35, deep = 0.0026, drift = 0, gain = 0.028, escaped = 0 },
		[120] = { rest = 3.61, deep = 0.002, drift = 0, gain = 0.015, escaped = 0 },
	},
}
