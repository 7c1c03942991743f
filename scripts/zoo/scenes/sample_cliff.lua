return {
	about = "Box2D's sample Stacking, Cliff",
	dimension = 2, seconds = 8, closed = true, bounds = { -60, -0.1, 60, 8 },
	bodies = {
		{ type = "static", shapes = { { shape = { "box", 200, 2, { y = -1 } } }, { shape = { "segment", -14, 4, -8, 4 } }, { shape = { "box", 6, 1, { y = 4 } } },
			{ shape = { "capsule", 8.5, 4, 13.5, 4, 0.5 } } } },
		{ x = -9, y = 4.25, shape = { "capsule", -0.25, 0, 0.25, 0, 0.25 }, friction = 0.01, linearVelocity = { 2, 0 } },
		{ x = 2, y = 4.75, copies = { 2, 11, 0 }, shape = { "capsule", -0.25, 0, 0.25, 0, 0.25 }, friction = 0.01, linearVelocity = { 2, 0 } },
		{ x = -11, y = 4.5, shape = { "box", 1, 1 }, friction = 0.01, linearVelocity = { 2.5, 0 } },
		{ y = 5, copies = { 2, 11, 0 }, shape = { "box", 1, 1 }, friction = 0.01, linearVelocity = { 2.5, 0 } },
		{ x = -13, y = 4.5, shape = { "circle", 0.5 }, friction = 0.2, linearVelocity = { 1.5, 0 } },
		{ x = -2, y = 5, copies = { 2, 11, 0 }, shape = { "circle", 0.5 }, friction = 0.2, linearVelocity = { 1.5, 0 } },
	},
	peer = {
		[30] = { deep = 0.0011, gain = 0.03, escaped = 0 },
		[60] = { deep = 0.0011, gain = 0.0089, escaped = 0 },
		[120] = { deep = 0.0011, gain = 0.0045, escaped = 0 },
	},
}
