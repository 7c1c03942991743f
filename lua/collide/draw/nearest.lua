-- The known name that a misspelt one most likely means. As name_near in src/bind/lua/names.c, for the host, which may lack the module, and for drawing.
local ipairs, math = ipairs, math

-- The number of letters to insert, delete, replace, or exchange with their neighbour (Damerau's distance without overlaps).
local function distance(a, b)
	local before, last = {}, {}
	for j = 0, #b do last[j] = j end
	for i = 1, #a do
		local row = { [0] = i }
		for j = 1, #b do
			local same = a:byte(i) == b:byte(j)
			row[j] = math.min(last[j - 1] + (same and 0 or 1), last[j] + 1, row[j - 1] + 1)
			if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then row[j] = math.min(row[j], before[j - 2] + 1) end
		end
		before, last = last, row
	end
	return last[#b]
end

-- One of the list `known`; nil if none resembles the name.
return function(name, known)
	local best, least = nil, (#name < 5 and 1 or #name < 9 and 2 or math.floor(#name / 3)) + 1
	for _, other in ipairs(known) do
		local d = distance(name:lower(), other:lower())
		if d < least and d < #other then best, least = other, d end
	end
	return best
end
