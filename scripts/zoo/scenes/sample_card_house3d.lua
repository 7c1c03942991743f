return {
	about = "Box3D's sample Stacking, Card House",
	dimension = 3, seconds = 8, rest = true, closed = true, bounds = { -10, -0.1, -10, 10, 60, 10 },
	bodies = {
		{ type = "static", y = -1, shape = { "box", 20, 2, 20 } },
		{ x = 0.25, y = 0.365, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0, y = 0.18, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands =
			true },
		{ x = 0.175, y = 0.18, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.6, y = 0.365, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.35, y = 0.18, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.525, y = 0.18, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.95, y = 0.365, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.7, y = 0.18, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.875, y = 0.18, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.3, y = 0.365, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.05, y = 0.18, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.225, y = 0.18, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.4, y = 0.18, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.575, y = 0.18, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.425, y = 0.735, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.175, y = 0.55, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.35, y = 0.55, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.775, y = 0.735, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.525, y = 0.55, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.7, y = 0.55, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands =
			true },
		{ x = 1.125, y = 0.735, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.875, y = 0.55, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 1.05, y = 0.55, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.225, y = 0.55, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 1.4, y = 0.55, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands =
			true },
		{ x = 0.6, y = 1.105, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.35, y = 0.92, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.525, y = 0.92, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.95, y = 1.105, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.7, y = 0.92, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.875, y = 0.92, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.05, y = 0.92, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 1.225, y = 0.92, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.775, y = 1.475, rotation = { 0, 0, 0.707107, 0.707107 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.525, y = 1.29, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 0.7, y = 1.29, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands =
			true },
		{ x = 0.875, y = 1.29, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05,
			stands = true },
		{ x = 1.05, y = 1.29, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.7, y = 1.66, rotation = { 0, 0, -0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
		{ x = 0.875, y = 1.66, rotation = { 0, 0, 0.21644, 0.976296 }, shape = { "box", 0.002, 0.4, 0.2 }, friction = 0.7, rollingResistance = 0.05, stands
			= true },
	},
	peer = {
		[30] = { rest = 1.20, deep = 0.0055, drift = 0, moved = 0.048, gain = 0.0086, escaped = 0 },
		[60] = { rest = 0.78, deep = 0.0023, drift = 0, moved = 0.027, gain = 0.0026, escaped = 0 },
		[120] = { rest = 0.63, deep = 0.0028, drift = 0, moved = 0.026, gain = 0.0004, escaped = 0 },
	},
}
