return {
	about = "Box2D's sample Stacking, Confined: more discs than there is room for",
	dimension = 2, seconds = 8, rest = true, bounds = { -10.5, 0, 10.5, 20.5 },
	bodies = {
		{ type = "static", shapes = { { shape = { "capsule", -10.5, 0, 10.5, 0, 0.5 } }, { shape = { "capsule", -10.5, 0, -10.5, 20.5, 0.5 } }, { shape = {
			"capsule", 10.5, 0, 10.5, 20.5, 0.5 } }, { shape = { "capsule", -10.5, 20.5, 10.5, 20.5, 0.5 } } } },
		{ x = -8.75, y = 1.5, copies = { { 25, 0.72, 0 }, { 25, 0, 0.72 } }, shape = { "circle", 0.5 }, gravityScale = 0 },
	},
	peer = {
		[30] = { rest = 1.97, deep = 0.31, drift = 0, escaped = 0 },
		[60] = { rest = 1.40, deep = 0.31, drift = 0, escaped = 0 },
		[120] = { rest = 0.99, deep = 0.27, drift = 0, escaped = 0 },
	},
	-- The discs have an area of 491 m^2, the room 400: pairs of them end almost on top of each other. Depenetration that separates them may make other
	-- overlaps deeper. If deep ones may not get deeper, in as many sweeps again, they end 0.36, 0.84 and 0.82 m deep.
	open = { [30] = { rest = 4.9, deep = 0.94 }, [60] = { rest = 5.3, deep = 0.9 }, [120] = { rest = 8, drift = 0.7, deep = 0.98 } },
}
