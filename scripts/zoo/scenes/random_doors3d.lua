return {
	about = "families.lua, doors3d, seed 1",
	dimension = 3, seconds = 10, rest = true, bounds = { -30, -0.2, -30, 30, 30, 30 },
	bodies = {
		{ type = "static", y = -0.5, shape = { "box", 80, 1, 80 } },
		{ type = "static", x = 0, y = 3.2, shape = { "box", 0.3, 0.3, 2 } },
		{ x = 0, y = 1.8, shape = { "box", 0.15, 2.2, 1.5 } },
		{ x = 0.8, y = 0.25, shape = { "box", 0.5, 0.5, 0.5 } },
		{ x = 0.8, y = 0.75, shape = { "box", 0.5, 0.5, 0.5 } },
		{ type = "static", x = 2, y = 3.2, shape = { "box", 0.3, 0.3, 2 } },
		{ x = 2, y = 1.8, shape = { "box", 0.15, 2.2, 1.5 } },
		{ x = 2.8, y = 0.25, shape = { "box", 0.5, 0.5, 0.5 } },
		{ x = 2.8, y = 0.75, shape = { "box", 0.5, 0.5, 0.5 } },
		{ type = "static", x = 4, y = 3.2, shape = { "box", 0.3, 0.3, 2 } },
		{ x = 4, y = 1.8, shape = { "box", 0.15, 2.2, 1.5 } },
		{ x = 4.8, y = 0.25, shape = { "box", 0.5, 0.5, 0.5 } },
		{ x = 4.8, y = 0.75, shape = { "box", 0.5, 0.5, 0.5 } },
		{ type = "kinematic", x = -3, y = 0.8, shape = { "box", 0.4, 1.4, 1 } },
	},
	joints = {
		{ "Revolute", x = 0, y = 2.9, z = 0, bodyA = 2, bodyB = 3, axis = { 0, 0, 1 }, lowerAngle = -1.2, maxMotorTorque = 1.55856, upperAngle = 1.2 },
		{ "Revolute", x = 2, y = 2.9, z = 0, bodyA = 6, bodyB = 7, axis = { 0, 0, 1 }, lowerAngle = -1.2, maxMotorTorque = 0.788304, upperAngle = 1.2 },
		{ "Revolute", x = 4, y = 2.9, z = 0, bodyA = 10, bodyB = 11, axis = { 0, 0, 1 }, lowerAngle = -1.2, maxMotorTorque = 1.01809, upperAngle = 1.2 },
	},
	motion = {
		{ linearVelocity = { 1.27478, 0, 0 }, body = 14, from = 1, to = 6 },
		{ linearVelocity = { -1, 0, 0 }, body = 14, from = 6, to = 7 },
	},
	peer = {
		[30] = { rest = 7.50, deep = 0.0026, drift = 0.00041, escaped = 0, joint = 0.00097 },
		[60] = { rest = 7.50, deep = 0.001, drift = 0.00069, escaped = 0, joint = 0.00036 },
		[120] = { rest = 7.52, deep = 0.0014, drift = 0.00093, escaped = 0, joint = 0.00043 },
	},
}
