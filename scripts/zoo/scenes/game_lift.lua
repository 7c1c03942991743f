return {
	about = "Six crates in two heights on a lift that rises 4 m, waits, and comes down",
	dimension = 2, seconds = 12, rest = true, bounds = { -2.5, 0.6, 2.5, 3 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1 } },
		{ type = "kinematic", y = 0.25, shape = { "box", 5, 0.3 } },
		{ x = -1.6, y = 0.8, copies = { 3, 1.6, 0 }, shape = { "box", 0.8, 0.8 } },
		{ x = -1.5, y = 1.55, copies = { 3, 1.55, 0 }, shape = { "box", 0.7, 0.7 } },
	},
	motion = {
		{ linearVelocity = { 0, 2 }, body = 2, from = 1, to = 3 },
		{ linearVelocity = { 0, -2 }, body = 2, from = 5, to = 7 },
	},
	should = { rest = 8.5, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 7.67, deep = 0.0028, drift = 0, escaped = 0 },
		[60] = { rest = 7.63, deep = 0.00069, drift = 0, escaped = 0 },
	},
}
