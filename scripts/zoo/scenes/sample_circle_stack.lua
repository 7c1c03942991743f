return {
	about = "Box2D's sample Stacking, Circle Stack; its stiffer contacts are left out",
	dimension = 2, seconds = 6, gravity = { 0, -20 }, rest = true, closed = true, bounds = { -10, -0.1, 10, 8 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -10, 0, 10, 0 } } } },
		{ y = 0.75, shape = { "circle", 0.5 }, friction = 0, restitution = 0.8 },
		{ y = 2, shape = { "circle", 0.5 }, density = 5, friction = 0, restitution = 0.8 },
		{ y = 3.25, shape = { "circle", 0.5 }, density = 9, friction = 0, restitution = 0.8 },
		{ y = 4.5, shape = { "circle", 0.5 }, density = 13, friction = 0, restitution = 0.8 },
	},
	peer = {
		[30] = { rest = 1.63, deep = 0.076, drift = 0, gain = 0.21, escaped = 0 },
		[60] = { rest = 1.30, deep = 0.018, drift = 0, gain = 0.092, escaped = 0 },
		[120] = { rest = 1.02, deep = 0.017, drift = 0, gain = 0.011, escaped = 0 },
	},
}
