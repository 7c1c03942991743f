return {
	about = "Ten logs of 2.6 m between posts",
	dimension = 3, seconds = 6, rest = true, closed = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "static", x = -1.05, y = 0.6, z = -0.8, shape = { "box", 0.1, 1.2, 0.1 } },
		{ type = "static", x = -1.05, y = 0.6, z = 0.8, shape = { "box", 0.1, 1.2, 0.1 } },
		{ type = "static", x = 1.05, y = 0.6, z = -0.8, shape = { "box", 0.1, 1.2, 0.1 } },
		{ type = "static", x = 1.05, y = 0.6, z = 0.8, shape = { "box", 0.1, 1.2, 0.1 } },
		{ x = -0.75, y = 0.25, rotation = { 0.707107, 0, 0, 0.707107 }, copies = { 4, 0.5, 0 }, shape = { "cylinder", 0.25, 2.6 }, stands = true },
		{ x = -0.5, y = 0.685, rotation = { 0.707107, 0, 0, 0.707107 }, copies = { 3, 0.5, 0 }, shape = { "cylinder", 0.25, 2.6 }, stands = true },
		{ x = -0.25, y = 1.12, rotation = { 0.707107, 0, 0, 0.707107 }, copies = { 2, 0.5, 0 }, shape = { "cylinder", 0.25, 2.6 }, stands = true },
		{ x = 0, y = 1.555, rotation = { 0.707107, 0, 0, 0.707107 }, copies = { 1, 0.5, 0 }, shape = { "cylinder", 0.25, 2.6 }, stands = true },
	},
	should = { rest = 1.5, moved = 0.03, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.67, deep = 0.0072, drift = 0, moved = 0.028, gain = 0.00049, escaped = 0 },
		[60] = { rest = 0.63, deep = 0.0053, drift = 0, moved = 0.025, gain = 3.2e-06, escaped = 0 },
	},
}
