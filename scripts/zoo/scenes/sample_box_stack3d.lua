return {
	about = "Box3D's sample Stacking, Box Stack",
	dimension = 3, seconds = 10, rest = true, closed = true, bounds = { -40, -0.1, -40, 40, 60, 40 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 80, 2, 80 } },
		{ y = 0.75, copies = { 40, 0, 1.25 }, shape = { "box", 1, 1, 1 }, density = 1000, rollingResistance = 0.1 },
	},
	peer = {
		[30] = { rest = 10.00, deep = 0.055, gain = 1.8, escaped = 0 },
		[60] = { rest = 3.88, deep = 0.023, drift = 0, gain = 0.84, escaped = 0 },
		[120] = { rest = 3.40, deep = 0.023, drift = 0, gain = 0.54, escaped = 0 },
	},
}
