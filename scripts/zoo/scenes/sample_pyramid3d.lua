return {
	about = "Box3D's sample Stacking, Pyramid2D",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -40, -0.1, -40, 40, 60, 40 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 80, 2, 80 } },
		{ x = -10, y = 1.5, copies = { 12, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -9, y = 4, copies = { 11, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -8, y = 6.5, copies = { 10, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -7, y = 9, copies = { 9, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -6, y = 11.5, copies = { 8, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -5, y = 14, copies = { 7, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -4, y = 16.5, copies = { 6, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -3, y = 19, copies = { 5, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -2, y = 21.5, copies = { 4, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = -1, y = 24, copies = { 3, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = 0, y = 26.5, copies = { 2, 2, 0 }, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
		{ x = 1, y = 29, shape = { "box", 2, 2, 2 }, density = 1000, locks = { z = true, rotationX = true, rotationY = true } },
	},
	peer = {
		[30] = { rest = 3.33, deep = 0.013, drift = 0, gain = 0.08, escaped = 0 },
		[60] = { rest = 2.27, deep = 0.003, drift = 0, gain = 0.024, escaped = 0 },
		[120] = { rest = 1.80, deep = 0.0025, drift = 0, gain = 0.0064, escaped = 0 },
	},
}
