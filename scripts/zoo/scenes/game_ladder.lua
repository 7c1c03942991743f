return {
	about = "A ladder at 70 degrees against a wall, and a bucket beside it",
	dimension = 2, seconds = 5, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "static", x = -0.5, y = 3, shape = { "box", 1, 6 } },
		{ x = 0.550618, y = 1.42322, angle = -1.22173, shape = { "box", 3, 0.08 }, stands = true },
		{ x = 1.8, y = 0.15, shape = { "polygon", { -0.11, -0.15, 0.11, -0.15, 0.14, 0.15, -0.14, 0.15 } }, stands = true },
	},
	should = { rest = 1, moved = 0.002, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.50, deep = 0.00033, drift = 0, moved = 0.00041, gain = 0, escaped = 0 },
		[60] = { rest = 0.50, deep = 8.4e-05, drift = 0, moved = 0.0001, gain = 3.5e-09, escaped = 0 },
	},
}
