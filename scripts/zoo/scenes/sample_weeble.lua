return {
	about = "Box2D's sample Bodies, Weeble: its centre of mass lies half a metre above its foot",
	dimension = 2, seconds = 10, closed = true, bounds = { -20, -0.1, 20, 8 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -20, 0, 20, 0 }, friction = 0.1, restitution = 1 } } },
		{ y = 3, angle = 0.785398, shape = { "capsule", 0, -1, 0, 1, 1 }, friction = 0.1, restitution = 1, mass = 7.14159, center = { 0, -1.5 },
			inertia = 26.1143 },
	},
	peer = {
		[30] = { deep = 0, gain = 0.032, escaped = 0 },
		[60] = { deep = 0, gain = 0.014, escaped = 0 },
		[120] = { deep = 0, gain = 0.00096, escaped = 0 },
	},
}
