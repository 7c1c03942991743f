return {
	about = "Box3D's sample Stacking, Jenga Stack",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		-- The lowest layer starts 5 cm deep in the ground, as there.
		{ x = -0.8, y = 0.05, rotation = { 0, 0.707107, 0, 0.707107 }, copies = { { 15, 0, 0.42 }, { 2, 1.6, 0 } }, shape = { "box", 2, 0.2, 0.2 },
			density = 1000, rollingResistance = 0.05, stands = true },
		{ y = 0.26, z = -0.8, copies = { { 15, 0, 0.42 }, { 2, 0, 0, 1.6 } }, shape = { "box", 2, 0.2, 0.2 }, density = 1000, rollingResistance = 0.05,
			stands = true },
	},
	peer = {
		[30] = { rest = 5.03, deep = 0.038, drift = 0.0014, gain = 0.035, escaped = 0 },
		[60] = { rest = 5.40, deep = 0.0095, drift = 0.0082, moved = 0.38, gain = 0.029, escaped = 0 },
		[120] = { rest = 8.00, deep = 0.011, drift = 0.0022, moved = 0.38, gain = 0.0057, escaped = 0 },
	},
	-- Its layers fall by a centimetre each, sink by 166 mm at 120 Hz and come up again by 21, to stand 40 mm higher than in Box3D.
	open = { [60] = { gain = 0.0455 }, [120] = { gain = 0.021 } },
}
