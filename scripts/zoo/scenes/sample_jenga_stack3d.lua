return {
	about = "Box3D's sample Stacking, Jenga Stack",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -20, -0.1, -20, 20, 60, 20 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		-- The lowest layer starts 5 cm deep in the ground, as in Box3D.
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
	-- Thirty layers of crossed beams sink and come up again; columns of boxes, and parallel beams, do not. Without gaps between them they sink by 182 mm at
	-- 60 Hz, and 110 mm remain; in Box3D they sink by 113 mm, and then to 139. One solver sweep over a step's contacts is too few. With the impulse changes
	-- scaled by 0.6 they gain 1.16 with sub-steps of 1/120 s, by 0.8 0.68, unscaled 0.42, by 1.2 0.27, by 1.4 0.15.
	-- If crossed beams are pushed by the mean of both directions over their points, they gain 0.031, 0.046 and 0.021; but then grids of four beams a layer
	-- never rest.
	open = { [30] = { gain = 0.063 }, [60] = { gain = 0.095 }, [120] = { gain = 0.024 } },
}
