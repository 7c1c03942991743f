return {
	about = "Random: lift, seed 3",
	dimension = 2, seconds = 12, rest = true, bounds = { -30, -10, 30, 60 },
	bodies = {
		{ type = "kinematic", shape = { "box", 6, 0.4, { y = -0.2 } } },
		{ y = 0.3, shape = { "box", 0.655317, 0.6 } },
		{ x = 1.1, y = 0.3, shape = { "box", 0.564639, 0.6 } },
		{ x = -1.1, y = 0.3, shape = { "box", 0.731853, 0.6 } },
		{ y = 0.95, shape = { "box", 0.734577, 0.6 } },
		{ x = 1.1, y = 0.95, shape = { "box", 0.877145, 0.6 } },
		{ x = -1.1, y = 0.95, shape = { "box", 0.468848, 0.6 } },
		{ y = 1.6, shape = { "box", 0.728986, 0.6 } },
		{ x = 1.1, y = 1.6, shape = { "box", 0.443042, 0.6 } },
		{ x = -1.1, y = 1.6, shape = { "box", 0.51296, 0.6 } },
		{ y = 2.25, shape = { "box", 0.837098, 0.6 } },
		{ x = 1.1, y = 2.25, shape = { "box", 0.69758, 0.6 } },
		{ x = 2.4, y = 0.3, shape = { "circle", 0.3 } },
	},
	motion = {
		{ linearVelocity = { 0, 5.43761 }, body = 1, from = 1, to = 3 },
		{ linearVelocity = { 0, -5.43761 }, body = 1, from = 5, to = 7 },
	},
	peer = {
		[30] = { rest = 12.00, deep = 0.004, escaped = 4 },
		[60] = { rest = 9.48, deep = 0.0032, drift = 0.0027, escaped = 0 },
		[120] = { rest = 8.25, deep = 0.0026, drift = 0, escaped = 0 },
	},
}
