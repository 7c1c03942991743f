return {
	about = "Box3D's sample Shapes, Inclined Plane",
	dimension = 3, seconds = 10, closed = true, bounds = { -50, -0.1, -50, 50, 60, 50 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 100, 2, 100 } },
		{ type = "static", y = 7.5, z = -5, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 32, 1, 20 }, friction = 1 },
		{ x = -10, y = 14.25, z = -10.6, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 2, 2, 2 }, density = 1000, friction = 0.04 },
		{ x = -5, y = 14.25, z = -10.6, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 2, 2, 2 }, density = 1000, friction = 0.16 },
		{ x = 0, y = 14.25, z = -10.6, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 2, 2, 2 }, density = 1000, friction = 0.36 },
		{ x = 5, y = 14.25, z = -10.6, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 2, 2, 2 }, density = 1000, friction = 0.64 },
		{ x = 10, y = 14.25, z = -10.6, rotation = { 0.34202, 0, 0, 0.939693 }, shape = { "box", 2, 2, 2 }, density = 1000, friction = 1, stands = true },
	},
	peer = {
		[30] = { deep = 0.00031, gain = 0.0045, escaped = 0 },
		[60] = { deep = 7.4e-05, gain = 0.0061, escaped = 0 },
		[120] = { deep = 7.1e-05, gain = 0, escaped = 0 },
	},
}
