return {
	about = "Box2D's sample Stacking, Tilted Stack",
	dimension = 2, seconds = 10, rest = true, closed = true, bounds = { -60, -0.1, 60, 20 },
	bodies = {
		{ type = "static", shapes = { { shape = { "box", 2000, 2, { y = -1 } } } } },
		{ x = -22.5, y = 0.5, copies = { { 10, 5, 0 }, { 10, 0.2, 1 } }, shape = { "box", 1, 1, { radius = 0.05 } }, friction = 0.3 },
	},
	peer = {
		[30] = { rest = 6.17, deep = 0.0067, drift = 0, gain = 0.00032, escaped = 0 },
		[60] = { rest = 5.57, deep = 0.0029, drift = 0, gain = 0.032, escaped = 0 },
		[120] = { rest = 5.69, deep = 0.002, drift = 0, gain = 1.5e-05, escaped = 0 },
	},
	-- Chance: three boxes on each other balance on an edge for a second, and tip over. Of 20 scenes that lean by 0.191 to 0.21 m a box, the median rests
	-- after 5.9 s; 6.2 s in Box2D.
}
