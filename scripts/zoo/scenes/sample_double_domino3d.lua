return {
	about = "Box3D's sample Stacking, Double Domino",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		{ x = -7.5, y = 0.5, shape = { "box", 0.25, 1, 0.5 }, linearVelocity = { 0.4, 0, 0 }, angularVelocity = { 0, 0, -2.25882 } },
		{ x = -6.49, y = 0.5, copies = { 14, 1.01, 0 }, shape = { "box", 0.25, 1, 0.5 } },
	},
	peer = {
		[30] = { rest = 8.00, deep = 0.023, gain = 0, escaped = 0 },
		[60] = { rest = 8.00, deep = 0.0066, gain = 0, escaped = 0 },
		[120] = { rest = 8.00, deep = 0.0042, gain = 1.2e-05, escaped = 0 },
	},
}
