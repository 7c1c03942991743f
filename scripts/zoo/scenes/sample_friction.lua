return {
	about = "Box2D's sample Shapes, Friction",
	dimension = 2, seconds = 10, closed = true, bounds = { -40, -0.1, 40, 29 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -40, 0, 40, 0 }, friction = 0.2 }, { shape = { "box", 26, 0.5, { x = -4, y = 22, angle = -0.25 } },
			friction = 0.2 }, { shape = { "box", 0.5, 2, { x = 10.5, y = 19 } }, friction = 0.2 }, { shape = { "box", 26, 0.5, { x = 4, y = 14, angle = 0.25 } },
			friction = 0.2 }, { shape = { "box", 0.5, 2, { x = -10.5, y = 11 } }, friction = 0.2 }, { shape = { "box", 26, 0.5, { x = -4, y = 6, angle = -0.25 } },
			friction = 0.2 } } },
		{ x = -15, y = 28, shape = { "box", 1, 1 }, density = 25, friction = 0.75 },
		{ x = -11, y = 28, shape = { "box", 1, 1 }, density = 25, friction = 0.5 },
		{ x = -7, y = 28, shape = { "box", 1, 1 }, density = 25, friction = 0.35 },
		{ x = -3, y = 28, shape = { "box", 1, 1 }, density = 25, friction = 0.1 },
		{ x = 1, y = 28, shape = { "box", 1, 1 }, density = 25, friction = 0 },
	},
	peer = {
		[30] = { deep = 0.00043, gain = 0.036, escaped = 0 },
		[60] = { deep = 0.0036, gain = 0, escaped = 0 },
		[120] = { deep = 0.00011, gain = 0, escaped = 0 },
	},
}
