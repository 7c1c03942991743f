return {
	about = "Box3D's sample Stacking, Sphere Stack",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -15, -0.1, -15, 15, 60, 15 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 30, 2, 30 } },
		{ y = 0.75, copies = { 30, 0, 1.5 }, shape = { "sphere", 0.5 }, density = 1000, rollingResistance = 0.1 },
	},
	peer = {
		[30] = { rest = 3.90, deep = 0.065, drift = 0, gain = 1.5, escaped = 0 },
		[60] = { rest = 2.90, deep = 0.016, drift = 0, gain = 0.38, escaped = 0 },
		[120] = { rest = 3.03, deep = 0.016, drift = 0, gain = 0.34, escaped = 0 },
	},
}
