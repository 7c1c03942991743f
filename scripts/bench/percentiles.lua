-- Shared by the benchmarks that print the times of single frames.

---The median, the 99th and the 99.9th percentile of these times, which are sorted: the smallest time that this fraction of them does not exceed.
---@param times number[]
---@return number median
---@return number p99
---@return number p999
return function(times)
	table.sort(times)
	local function percentile(fraction) return times[math.max(1, math.ceil(#times * fraction))] end
	return percentile(0.5), percentile(0.99), percentile(0.999)
end
