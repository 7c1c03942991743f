return {
	about = "A ball rolls into ten pins between walls",
	dimension = 3, seconds = 12, rest = true, closed = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "static", x = 8, y = 0.5, shape = { "box", 0.5, 2, 3 } },
		{ type = "static", x = 3, y = 0.1, z = -0.9, shape = { "box", 11, 0.6, 0.2 } },
		{ type = "static", x = 3, y = 0.1, z = 0.9, shape = { "box", 11, 0.6, 0.2 } },
		{ x = 5, y = 0.19, z = 0, copies = { 1, 0, 0, 0.3 }, shapes = { { shape = { "cylinder", 0.055, 0.26, { y = -0.06 } }, rollingResistance = 0.1 }, {
			shape = { "sphere", 0.04, 0, 0.14, 0 }, rollingResistance = 0.1 } } },
		{ x = 5.26, y = 0.19, z = -0.15, copies = { 2, 0, 0, 0.3 }, shapes = { { shape = { "cylinder", 0.055, 0.26, { y = -0.06 } }, rollingResistance =
			0.1 }, { shape = { "sphere", 0.04, 0, 0.14, 0 }, rollingResistance = 0.1 } } },
		{ x = 5.52, y = 0.19, z = -0.3, copies = { 3, 0, 0, 0.3 }, shapes = { { shape = { "cylinder", 0.055, 0.26, { y = -0.06 } }, rollingResistance = 0.1
			}, { shape = { "sphere", 0.04, 0, 0.14, 0 }, rollingResistance = 0.1 } } },
		{ x = 5.78, y = 0.19, z = -0.45, copies = { 4, 0, 0, 0.3 }, shapes = { { shape = { "cylinder", 0.055, 0.26, { y = -0.06 } }, rollingResistance =
			0.1 }, { shape = { "sphere", 0.04, 0, 0.14, 0 }, rollingResistance = 0.1 } } },
		{ x = -2, y = 0.11, z = 0.04, shape = { "sphere", 0.11 }, density = 6, rollingResistance = 0.05, linearVelocity = { 8, 0, 0 }, angularVelocity = {
			0, 0, -72 } },
	},
	should = { rest = 6, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 2.83, deep = 0.0023, drift = 0, gain = 0.00023, escaped = 0 },
		[60] = { rest = 3.28, deep = 0.0013, drift = 0, gain = 0.00027, escaped = 0 },
	},
}
