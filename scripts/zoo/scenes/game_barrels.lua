return {
	about = "Barrels: three stand, two on a plank on them, three lie in a row against a stop",
	dimension = 2, seconds = 6, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ x = -2.4, y = 0.45, copies = { 3, 0.9, 0 }, shape = { "polygon", { -0.25, -0.45, 0.25, -0.45, 0.32, 0, 0.25, 0.45, -0.25, 0.45, -0.32, 0 } },
			stands = true },
		{ x = -1.5, y = 0.93, shape = { "box", 2.6, 0.06 }, stands = true },
		{ x = -2, y = 1.41, copies = { 2, 1, 0 }, shape = { "polygon", { -0.25, -0.45, 0.25, -0.45, 0.32, 0, 0.25, 0.45, -0.25, 0.45, -0.32, 0 } }, stands
			= true },
		{ type = "static", x = 0.95, y = 0.15, shape = { "box", 0.1, 0.3 } },
		{ type = "static", x = 3.05, y = 0.15, shape = { "box", 0.1, 0.3 } },
		{ x = 1.33, y = 0.32, copies = { 3, 0.66, 0 }, shape = { "circle", 0.32 } },
	},
	should = { rest = 1.5, moved = 0.01, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.53, deep = 0.0041, drift = 0, moved = 0.0072, gain = 0, escaped = 0 },
		[60] = { rest = 0.50, deep = 0.0011, drift = 0, moved = 0.0021, gain = 0, escaped = 0 },
	},
}
