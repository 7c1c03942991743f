-- The drum of Box2D's and Box3D's benchmark washer: 36 plates in a ring, which overlap, and 4 vanes within.
local drum = {}

-- new_plate(inner, outer, from, to) gives the part of the ring between two radii and two angles, in steps of 10 degrees.
function drum.shapes(new_plate)
	local shapes = {}
	for i = 0, 35 do
		shapes[#shapes + 1] = { shape = new_plate(16, 18, i - 0.1, i + 1.1) }
		if i % 9 == 0 then shapes[#shapes + 1] = { shape = new_plate(14, 16, i, i + 1) } end
	end
	return shapes
end

return drum
