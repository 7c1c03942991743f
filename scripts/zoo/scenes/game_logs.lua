return {
	about = "Ten logs between posts",
	dimension = 2, seconds = 6, rest = true, closed = true, bounds = { -30, -0.2, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "static", x = -1.05, y = 0.6, shape = { "box", 0.1, 1.2 } },
		{ type = "static", x = 1.05, y = 0.6, shape = { "box", 0.1, 1.2 } },
		{ x = -0.75, y = 0.25, copies = { 4, 0.5, 0 }, shape = { "circle", 0.25 }, stands = true },
		{ x = -0.5, y = 0.685, copies = { 3, 0.5, 0 }, shape = { "circle", 0.25 }, stands = true },
		{ x = -0.25, y = 1.12, copies = { 2, 0.5, 0 }, shape = { "circle", 0.25 }, stands = true },
		{ x = 0, y = 1.555, copies = { 1, 0.5, 0 }, shape = { "circle", 0.25 }, stands = true },
	},
	should = { rest = 1.5, moved = 0.03, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.53, deep = 0.0021, drift = 0, moved = 0.011, gain = 0, escaped = 0 },
		[60] = { rest = 0.55, deep = 0.0006, drift = 0, moved = 0.0074, gain = 0, escaped = 0 },
	},
}
