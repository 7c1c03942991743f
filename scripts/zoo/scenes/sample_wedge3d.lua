return {
	about = "Box3D's sample Stacking, Wedge",
	dimension = 3, seconds = 6, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		{ y = 1, shape = { "hull", { -1, 1, -0.1, 1, 1, -0.1, -1, 1, 0.1, 1, 1, 0.1, -0.5, 0.5, 0, 0.5, 0.5, 0 } } },
	},
	peer = {
		[30] = { rest = 1.10, deep = 0.00028, drift = 0, gain = 0.13, escaped = 0 },
		[60] = { rest = 1.07, deep = 6.9e-05, drift = 0, gain = 0.029, escaped = 0 },
		[120] = { rest = 1.07, deep = 6.9e-05, drift = 0, gain = 0.023, escaped = 0 },
	},
}
