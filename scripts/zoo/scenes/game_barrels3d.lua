return {
	about = "Barrels: four stand, four on a board on them, three lie in a row between stops",
	dimension = 3, seconds = 6, rest = true, closed = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 60, 1, 60 } },
		{ x = -2.4, y = 0.45, z = -0.4, copies = { { 2, 0.9, 0, 0 }, { 2, 0, 0, 0.9 } }, shape = { "cylinder", 0.3, 0.9 }, stands = true },
		{ x = -1.95, y = 0.93, z = 0.05, shape = { "box", 1.7, 0.06, 1.7 }, stands = true },
		{ x = -2.35, y = 1.41, z = -0.4, copies = { { 2, 0.8, 0, 0 }, { 2, 0, 0, 0.8 } }, shape = { "cylinder", 0.3, 0.9 }, stands = true },
		{ type = "static", x = 0.95, y = 0.15, shape = { "box", 0.1, 0.3, 2 } },
		{ type = "static", x = 3.05, y = 0.15, shape = { "box", 0.1, 0.3, 2 } },
		{ x = 1.33, y = 0.31, rotation = { 0.707107, 0, 0, 0.707107 }, copies = { 3, 0.66, 0 }, shape = { "cylinder", 0.3, 0.9 } },
	},
	should = { rest = 1.5, moved = 0.01, drift = 0, escaped = 0 },
	peer = {
		[30] = { rest = 0.57, deep = 0.0028, drift = 0, moved = 0.0043, gain = 0.00014, escaped = 0 },
		[60] = { rest = 0.55, deep = 0.0026, drift = 0, moved = 0.0012, gain = 1e-05, escaped = 0 },
	},
}
