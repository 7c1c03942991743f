return {
	about = "Box3D's sample Stacking, Cylinder",
	dimension = 3, seconds = 5, rest = true, closed = true, bounds = { -10, -0.1, -10, 10, 60, 10 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 20, 2, 20 } },
		-- In Box3D a hull of 12 sides, whose base is at the origin.
		{ y = 2, shape = { "cylinder", 0.25, 1, { y = 0.5 } }, density = 1000, rollingResistance = 0.05 },
	},
	peer = {
		[30] = { rest = 1.43, deep = 0.00013, drift = 0, gain = 0.036, escaped = 0 },
		[60] = { rest = 1.20, deep = 3.5e-05, drift = 0, gain = 0.0085, escaped = 0 },
		[120] = { rest = 1.19, deep = 3.4e-05, drift = 0, gain = 0.0081, escaped = 0 },
	},
}
