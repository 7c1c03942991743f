return {
	about = "Box3D's sample Continuous, Thin Wall",
	dimension = 3, seconds = 4, closed = true, bounds = { -200, -100, 0, 200, 60, 200 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 80, 2, 80 } },
		{ type = "static", y = 10, rotation = { 0.707107, 0, 0, 0.707107 }, shape = { "box", 20, 0.2, 20 } },
		-- None may go through the wall; the last two may slide along it and off the ground.
		{ position = { -5, 10, 20 }, shape = { "sphere", 0.1 }, density = 1000, rollingResistance = 0.1, linearVelocity = { 0, 0, -180 },
			angularVelocity = { 20, 0, 0 } },
		{ position = { 0, 10, 20 }, shape = { "capsule", -0.3, 0, 0, 0.3, 0, 0, 0.1 }, density = 1000, rollingResistance = 0.1, linearVelocity = { 0, 0,
			-180 }, angularVelocity = { 20, -5, 0 } },
		{ position = { 5, 10, 20 }, shape = { "box", 0.8, 0.2, 0.2 }, density = 1000, rollingResistance = 0.1, linearVelocity = { 0, 0, -180 },
			angularVelocity = { 20, 5, 0 } },
	},
	peer = {
		[30] = { deep = 0.00055, gain = 0.17, escaped = 0 },
		[60] = { deep = 0.00045, gain = 0.025, escaped = 0 },
		[120] = { deep = 0.00057, gain = 0.0092, escaped = 0 },
	},
}
