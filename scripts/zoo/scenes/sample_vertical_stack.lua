return {
	about = "Box2D's sample Stacking, Vertical Stack",
	dimension = 2, seconds = 8, rest = true, closed = true, bounds = { -30, -0.1, 30, 20 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", 10, 0, 10, 20 } }, { shape = { "segment", -30, 0, 30, 0 } } } },
		{ x = 7.99, y = 0.5, copies = { 6, 0, 2 }, shape = { "box", 1, 1, { radius = 0.05 } }, friction = 0.3, stands = true },
		{ x = 8.01, y = 1.5, copies = { 6, 0, 2 }, shape = { "box", 1, 1, { radius = 0.05 } }, friction = 0.3, stands = true },
	},
	peer = {
		[30] = { rest = 1.30, deep = 0.025, drift = 0, moved = 0.16, gain = 0, escaped = 0 },
		[60] = { rest = 0.75, deep = 0.0065, drift = 0, moved = 0.04, gain = 0, escaped = 0 },
		[120] = { rest = 0.79, deep = 0.0064, drift = 0, moved = 0.04, gain = 0, escaped = 0 },
	},
}
