return {
	about = "Random: tables, seed 1",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -20, -0.5, -20, 20, 10, 20 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 40, 1, 40 } },
		{ x = -2.5, y = 0.72574, rotation = { 0, 0.0887918, 0, 0.99605 }, shapes = { { shape = { "box", 1.4, 0.05, 0.8, { x = 0, y = 0.025, z = 0 } },
			density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72,
			0.06, { x = 0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = 0.32 } }, density
			= 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = 0.62, y = -0.36, z = 0.32 } }, density = 600 } } },
		{ x = -2.51215, y = 0.451155, z = -0.9, rotation = { 0, -0.187553, 0, 0.982254 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y =
			0.02, z = 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box",
			0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 }
			}, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45,
			0.04, { x = 0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = -2.68291, y = 0.458558, z = 0.9, rotation = { 0, 0.999858, 0, 0.0168352 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y = 0.02,
			z = 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box", 0.04,
			0.45, 0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 } },
			density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04,
			{ x = 0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = -2.82359, y = 0.96, z = -0.117597, shape = { "cylinder", 0.04, 0.1 }, density = 800, rollingResistance = 0.02 },
		{ x = -2.30878, y = 1.1, z = 0.0757989, shape = { "cylinder", 0.04, 0.1 }, density = 800, rollingResistance = 0.02 },
		{ x = -2.47941, y = 1.24, z = -0.195066, shape = { "cylinder", 0.04, 0.1 }, density = 800, rollingResistance = 0.02 },
		{ y = 0.75473, rotation = { 0, -0.00179317, 0, 0.999998 }, shapes = { { shape = { "box", 1.4, 0.05, 0.8, { x = 0, y = 0.025, z = 0 } }, density =
			600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x =
			0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = 0.32 } }, density = 600 }, {
			shape = { "box", 0.06, 0.72, 0.06, { x = 0.62, y = -0.36, z = 0.32 } }, density = 600 } } },
		{ x = -0.183656, y = 0.487912, z = -0.9, rotation = { 0, 0.122649, 0, 0.99245 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y = 0.02,
			z = 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box", 0.04,
			0.45, 0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 } },
			density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04,
			{ x = 0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = 0.173203, y = 0.454136, z = 0.9, rotation = { 0, 0.996267, 0, -0.0863238 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y =
			0.02, z = 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box",
			0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 }
			}, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45,
			0.04, { x = 0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = -0.296359, y = 0.96, z = -0.0502357, shape = { "box", 0.2, 0.04, 0.14 }, density = 800, rollingResistance = 0.02 },
		{ x = 0.275863, y = 1.1, z = -0.182149, shape = { "cylinder", 0.12, 0.02 }, density = 800, rollingResistance = 0.02 },
		{ x = -0.112644, y = 1.24, z = 0.197713, shape = { "sphere", 0.05 }, density = 800, rollingResistance = 0.02 },
		{ x = 2.5, y = 0.725317, rotation = { 0, 0.0752584, 0, 0.997164 }, shapes = { { shape = { "box", 1.4, 0.05, 0.8, { x = 0, y = 0.025, z = 0 } },
			density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72,
			0.06, { x = 0.62, y = -0.36, z = -0.32 } }, density = 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = -0.62, y = -0.36, z = 0.32 } }, density
			= 600 }, { shape = { "box", 0.06, 0.72, 0.06, { x = 0.62, y = -0.36, z = 0.32 } }, density = 600 } } },
		{ x = 2.5866, y = 0.471418, z = -0.9, rotation = { 0, -0.116157, 0, 0.993231 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y = 0.02,
			z = 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box", 0.04,
			0.45, 0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 } },
			density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04,
			{ x = 0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = 2.63515, y = 0.49915, z = 0.9, rotation = { 0, 0.99886, 0, -0.0477343 }, shapes = { { shape = { "box", 0.46, 0.04, 0.46, { x = 0, y = 0.02, z
			= 0 } }, density = 600 }, { shape = { "box", 0.46, 0.5, 0.04, { x = 0, y = 0.29, z = -0.21 } }, density = 600 }, { shape = { "box", 0.04, 0.45,
			0.04, { x = -0.2, y = -0.225, z = -0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = 0.2, y = -0.225, z = -0.2 } }, density =
			600 }, { shape = { "box", 0.04, 0.45, 0.04, { x = -0.2, y = -0.225, z = 0.2 } }, density = 600 }, { shape = { "box", 0.04, 0.45, 0.04, { x =
			0.2, y = -0.225, z = 0.2 } }, density = 600 } } },
		{ x = 2.84905, y = 0.96, z = 0.040541, shape = { "sphere", 0.05 }, density = 800, rollingResistance = 0.02 },
		{ x = 2.7173, y = 1.1, z = 0.0574055, shape = { "box", 0.2, 0.04, 0.14 }, density = 800, rollingResistance = 0.02 },
		{ x = 2.34044, y = 1.24, z = -0.0998203, shape = { "cylinder", 0.04, 0.1 }, density = 800, rollingResistance = 0.02 },
	},
	peer = {
		[30] = { rest = 1.00, deep = 0.0075, drift = 0, gain = 0.00019, escaped = 0 },
		[60] = { rest = 1.25, deep = 0.0007, drift = 0, gain = 0.00028, escaped = 0 },
		[120] = { rest = 1.32, deep = 0.00079, drift = 0, gain = 8.2e-05, escaped = 0 },
	},
}
