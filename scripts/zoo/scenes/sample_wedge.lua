return {
	about = "Box2D's sample Continuous, Wedge",
	dimension = 2, seconds = 4, rest = true, closed = true, bounds = { -4, 0, 0, 12 },
	bodies = {
		{ type = "static", shapes = { { shape = { "segment", -4, 8, 0, 0 } }, { shape = { "segment", 0, 0, 0, 8 } } } },
		{ x = -0.45, y = 10.75, shape = { "circle", 0.3 }, friction = 0.2, linearVelocity = { 0, -200 } },
	},
	peer = {
		[30] = { rest = 2.30, deep = 0.003, gain = 4.2, escaped = 0 },
		[60] = { rest = 2.13, deep = 0.0041, gain = 0.82, escaped = 0 },
		[120] = { rest = 2.38, deep = 0.00048, gain = 0.82, escaped = 0 },
	},
	-- Friction jams the ball between both sides. Box2D throws it out, 0.8 to 4 m up, and it comes back slowly; if it falls at 50 m/s, it jams as well, 10 mm
	-- deep. The mean of 16 speeds from 10 to 300 m/s is 5, 9, 11 mm at 30, 60, 120 Hz (Box2D: 4, 3, 1.5). Without friction against the push at points deeper
	-- than a slop in a static body it is 7, 5, 4 mm; but then a capsule thrown obliquely at a floor loses 0.1 m of a step's path.
	-- Most of the depth arises in the step after the sweep has stopped the ball, when the contacts take its speed: at 120 Hz the largest depth on the way is
	-- 145 mm in the median of those speeds, 37 mm if friction in the push is unchanged. If friction fades out between one and two slops of the current depth,
	-- not of the depth at the start of the step, that is 68 mm, and 1.2 mm at the end (11.3); but then a pile stays awake at 120 Hz, and discs in funnels
	-- roll for 7.7 s (6.6).
	open = { [30] = { deep = 0.0147 }, [60] = { deep = 0.0159 }, [120] = { deep = 0.0071 } },
}
