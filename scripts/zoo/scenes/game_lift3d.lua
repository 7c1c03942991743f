return {
	about = "Eight crates in two heights on a lift that rises 4 m, waits, and comes down",
	dimension = 3, seconds = 12, rest = true, bounds = { -2, 0.6, -2, 2, 3, 2 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ type = "kinematic", y = 0.25, shape = { "box", 4, 0.3, 4 } },
		{ x = -0.8, y = 0.8, z = -0.8, copies = { { 2, 1.6, 0, 0 }, { 2, 0, 0, 1.6 } }, shape = { "box", 0.8, 0.8, 0.8 } },
		{ x = -0.75, y = 1.55, z = -0.8, copies = { { 2, 1.6, 0, 0 }, { 2, 0, 0, 1.6 } }, shape = { "box", 0.7, 0.7, 0.7 } },
	},
	motion = {
		{ linearVelocity = { 0, 2, 0 }, body = 2, from = 1, to = 3 },
		{ linearVelocity = { 0, -2, 0 }, body = 2, from = 5, to = 7 },
	},
	should = { rest = 8.5, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 7.60, deep = 0.0021, drift = 0, escaped = 0 },
		[60] = { rest = 7.60, deep = 0.0005, drift = 0, escaped = 0 },
	},
}
