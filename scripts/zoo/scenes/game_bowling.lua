return {
	about = "A ball rolls into six pins before a wall",
	dimension = 2, seconds = 10, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "static", x = 9, y = 1, shape = { "box", 1, 3 } },
		{ type = "static", x = -9, y = 0.5, shape = { "box", 1, 1 } },
		{ x = 4, y = 0.2, copies = { 6, 0.35, 0 }, shape = { "polygon", { -0.04, -0.2, 0.04, -0.2, 0.06, -0.05, 0.03, 0.2, -0.03, 0.2, -0.06, -0.05 } } },
		{ x = -6, y = 0.12, shape = { "circle", 0.12 }, density = 4, rollingResistance = 0.02, linearVelocity = { 9, 0 }, angularVelocity = -75 },
	},
	should = { rest = 6, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 4.53, deep = 0.0057, drift = 0, gain = 0, escaped = 0 },
		[60] = { rest = 3.18, deep = 0.0015, drift = 0, gain = 0.00069, escaped = 0 },
	},
}
