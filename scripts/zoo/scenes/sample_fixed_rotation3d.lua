return {
	about = "Box3D's sample Bodies, Fixed Rotation",
	dimension = 3, seconds = 5, bounds = { -2, 0, -2, 2, 2, 2 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 40, 2, 40 } },
		{ type = "static", y = 0.5, shape = { "capsule", 0, 0, 0, 0, 1, 0, 0.3 } },
		-- Starts 20 cm deep in the previous body, as in Box3D.
		{ x = 0.3, y = 0.5, shape = { "capsule", 0, 0, 0, 0, 1, 0, 0.2 }, density = 1000, gravityScale = 0, sleepingAllowed = false,
			locks = { rotationX = true, rotationY = true, rotationZ = true } },
	},
	peer = {
		[30] = { deep = 1e-06, escaped = 0 },
		[60] = { deep = 1.5e-08, escaped = 0 },
		[120] = { deep = 4.5e-08, escaped = 0 },
	},
}
