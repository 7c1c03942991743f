return {
	about = "Box2D's sample Bodies, Set Velocity: a box is pressed into the ground",
	dimension = 2, seconds = 4, bounds = { -20, -0.1, 20, 2 },
	bodies = {
		{ type = "static", y = -0.25, shape = { "box", 40, 0.5 } },
		{ y = 0.5, shape = { "box", 1, 1 }, stands = true },
	},
	motion = {
		{ linearVelocity = { 0, -20 }, body = 2 },
	},
	peer = {
		[30] = { deep = 0.019, moved = 0.058, escaped = 0 },
		[60] = { deep = 0.0095, moved = 0.13, escaped = 0 },
		[120] = { deep = 0.02, moved = 0.21, escaped = 0 },
	},
}
