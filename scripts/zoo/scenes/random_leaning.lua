return {
	about = "Random: leaning, seed 1",
	dimension = 2, seconds = 10, rest = true, closed = true, bounds = { -60, -0.3, 60, 30 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 200, 2 } },
		{ y = 1, shape = { "box", 2, 2 }, density = 4 },
		{ x = -1.94328, y = 1.08211, angle = 0.903811, shape = { "box", 2.5, 0.1 }, friction = 0.75179 },
		{ x = -1.80215, y = 1.24026, angle = 1.14865, shape = { "box", 2.5, 0.1 }, friction = 0.767936 },
		{ x = -1.77949, y = 1.29414, angle = 1.27072, shape = { "box", 2.5, 0.1 }, friction = 0.540285 },
		{ x = -2.02654, y = 1.24715, angle = 1.1623, shape = { "box", 2.5, 0.1 }, friction = 0.863889 },
		{ x = 8, y = 1, shape = { "circle", 1 }, density = 5 },
		{ x = 6.2, y = 1, angle = 0.8, shape = { "capsule", -1.3, 0, 1.3, 0, 0.08 } },
		{ x = 13, y = 1.5, angle = 0.2, shape = { "box", 0.15, 3 } },
		{ x = 14, y = 1.5, angle = -0.2, shape = { "box", 0.15, 3 } },
		{ x = 12.4, y = 1.5, angle = 0.45, shape = { "box", 0.15, 3.2 } },
	},
	peer = {
		[30] = { rest = 1.93, deep = 0.0086, drift = 0, gain = 8.5e-05, escaped = 0 },
		[60] = { rest = 1.93, deep = 0.0018, drift = 0, gain = 0.00015, escaped = 0 },
		[120] = { rest = 1.93, deep = 0.002, drift = 0, gain = 7.3e-05, escaped = 0 },
	},
}
