return {
	about = "Box2D's sample Bodies, Bad: a capsule without mass, overlapped by one with",
	dimension = 2, seconds = 6, bounds = { -20, -0.1, 20, 8 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -20, 0, 20, 0 } } } },
		{ y = 3, angle = 0.785398, shape = { "capsule", 0, -1, 0, 1, 1 }, density = 0, angularVelocity = 0.5 },
		{ x = 2, y = 3, angle = 0.785398, shape = { "capsule", 0, -1, 0, 1, 1 } },
	},
	peer = {
		[30] = { deep = 0.00024, escaped = 0 },
		[60] = { deep = 6.1e-05, escaped = 0 },
		[120] = { deep = 6.3e-05, escaped = 0 },
	},
}
