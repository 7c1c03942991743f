return {
	about = "Box3D's sample Continuous, Hump Mesh",
	dimension = 3, seconds = 5, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		{ type = "static", shape = { "mesh", { -4, 0, -8, -4, 0.4, 0, -4, 0, 8, 4, 0, -8, 4, 0.4, 0, 4, 0, 8 }, { 1, 2, 5, 5, 4, 1, 2, 3, 6, 6, 5, 2 } } },
		{ y = 5, shape = { "box", 1, 0.1, 2 }, linearVelocity = { 0, -50, 0 } },
	},
	peer = {
		[30] = { rest = 1.00, deep = 0, drift = 0, gain = 0.51, escaped = 0 },
		[60] = { rest = 1.20, deep = 0, drift = 0, gain = 0.51, escaped = 0 },
		[120] = { rest = 1.93, deep = 0, drift = 0, gain = 0.081, escaped = 0 },
	},
}
