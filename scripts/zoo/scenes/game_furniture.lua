return {
	about = "A table with plates and a vase, two chairs, a cushion",
	dimension = 2, seconds = 6, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ x = 0, shapes = { { shape = { "box", 1.6, 0.05, { y = 0.725 } } }, { shape = { "box", 0.06, 0.7, { x = -0.7, y = 0.35 } } }, { shape = { "box",
			0.06, 0.7, { x = 0.7, y = 0.35 } } } }, stands = true },
		{ x = -1.2, shapes = { { shape = { "box", 0.45, 0.04, { y = 0.45 } } }, { shape = { "box", 0.04, 0.43, { x = -0.2, y = 0.215 } } }, { shape = {
			"box", 0.04, 0.43, { x = 0.2, y = 0.215 } } }, { shape = { "box", 0.04, 0.5, { x = -0.2, y = 0.72 } } } }, stands = true },
		{ x = 1.2, shapes = { { shape = { "box", 0.45, 0.04, { y = 0.45 } } }, { shape = { "box", 0.04, 0.43, { x = -0.2, y = 0.215 } } }, { shape = {
			"box", 0.04, 0.43, { x = 0.2, y = 0.215 } } }, { shape = { "box", 0.04, 0.5, { x = 0.2, y = 0.72 } } } }, stands = true },
		{ x = -0.4, y = 0.765, copies = { 4, 0, 0.03 }, shape = { "polygon", { -0.1, -0.015, 0.1, -0.015, 0.14, 0.015, -0.14, 0.015 } }, density = 2,
			stands = true },
		{ x = 0.3, y = 0.75, shapes = { { shape = { "polygon", { -0.06, 0, 0.06, 0, 0.09, 0.12, -0.09, 0.12 } } }, { shape = { "polygon", { -0.09, 0.12,
			0.09, 0.12, 0.03, 0.25, -0.03, 0.25 } } } }, stands = true },
		{ x = 1.2, y = 0.54, shape = { "box", 0.38, 0.1, { radius = 0.045 } }, density = 0.2 },
	},
	should = { rest = 1.5, moved = 0.03, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.67, deep = 0.0092, drift = 0, moved = 0.023, gain = 0, escaped = 0 },
		[60] = { rest = 0.57, deep = 0.0025, drift = 0, moved = 0.0063, gain = 4.8e-07, escaped = 0 },
	},
}
