return {
	about = "Box3D's sample Stacking, Capsule Stack",
	dimension = 3, seconds = 10, rest = true, closed = true, bounds = { -40, -0.1, -40, 40, 60, 40 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 80, 2, 80 } },
		{ y = 0.75, copies = { 20, 0, 1 }, shape = { "capsule", -1, 0, 0, 1, 0, 0, 0.5 }, locks = { z = true, rotationX = true, rotationY = true, rotationZ
			= true } },
	},
	peer = {
		[30] = { rest = 2.53, deep = 0.022, drift = 0, gain = 0.16, escaped = 0 },
		[60] = { rest = 1.72, deep = 0.0053, drift = 0, gain = 0.093, escaped = 0 },
		[120] = { rest = 0.82, deep = 0.0055, drift = 0, gain = 0.0093, escaped = 0 },
	},
	-- The impact travels up from below more slowly than the upper capsules fall, so they overlap, and the overlap is pushed out again. All 20 together sink
	-- by 366 and 70 mm, and end 167 and 30 mm deep. With contacts of 30, 25 and 20 Hz at 120 Hz they gain 1.7, 1 and 0.1 %, and end 54, 77 and 119 mm deep.
	open = { [120] = { gain = 0.022 } },
}
