return {
	about = "A ladder with rungs at 70 degrees against a wall, and a bucket beside it",
	dimension = 3, seconds = 5, rest = true, closed = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "static", x = -0.5, y = 3, shape = { "box", 1, 6, 6 } },
		{ x = 0.550618, y = 1.42322, rotation = { 0, 0, -0.573576, 0.819152 }, shapes = { { shape = { "box", 3, 0.08, 0.05, { z = -0.2 } } }, { shape = {
			"box", 3, 0.08, 0.05, { z = 0.2 } } }, { shape = { "capsule", -1.3, 0, -0.2, -1.3, 0, 0.2, 0.02 } }, { shape = { "capsule", -0.93, 0, -0.2,
			-0.93, 0, 0.2, 0.02 } }, { shape = { "capsule", -0.56, 0, -0.2, -0.56, 0, 0.2, 0.02 } }, { shape = { "capsule", -0.19, 0, -0.2, -0.19, 0, 0.2,
			0.02 } }, { shape = { "capsule", 0.18, 0, -0.2, 0.18, 0, 0.2, 0.02 } }, { shape = { "capsule", 0.55, 0, -0.2, 0.55, 0, 0.2, 0.02 } }, { shape =
			{ "capsule", 0.92, 0, -0.2, 0.92, 0, 0.2, 0.02 } }, { shape = { "capsule", 1.29, 0, -0.2, 1.29, 0, 0.2, 0.02 } } }, stands = true },
		{ x = 1.8, y = 0.15, z = 0.3, shape = { "cylinder", 0.13, 0.3 }, stands = true },
	},
	should = { rest = 1, moved = 0.002, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.50, deep = 0.00019, drift = 0, moved = 0.00037, gain = 0, escaped = 0 },
		[60] = { rest = 0.50, deep = 4.9e-05, drift = 0, moved = 9.1e-05, gain = 2.1e-08, escaped = 0 },
	},
}
