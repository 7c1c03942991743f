return {
	about = "Box3D's sample Stacking, Single Box",
	dimension = 3, seconds = 4, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		{ y = 0.5, shape = { "box", 1, 1, 1 }, density = 1000, stands = true },
	},
	peer = {
		[30] = { rest = 0.50, deep = 0.00028, drift = 0, moved = 0.00028, gain = 0, escaped = 0 },
		[60] = { rest = 0.50, deep = 7e-05, drift = 0, moved = 7.1e-05, gain = 2.9e-14, escaped = 0 },
		[120] = { rest = 0.51, deep = 7e-05, drift = 0, moved = 7.1e-05, gain = 5.6e-15, escaped = 0 },
	},
}
