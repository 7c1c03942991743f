-- The arguments of scenarios: a number each, with a default and limits.
local error, math, tonumber = error, math, tonumber

local arguments = {}

---Argument i as a number, or the default if it is missing. For any other text, and outside the limits, raises one line that states the limits.
---@param args string[]?
---@param i integer
---@param default number
---@param least number
---@param most number
---@param what string with the scenario's name, for the error: "wall: the speed"
---@return number
function arguments.number(args, i, default, least, most, what)
	local text = args and args[i] or default
	local n = tonumber(text)
	if n and n >= least and n <= most then return n end
	error(("%s must be a number from %g to %g, got '%s'"):format(what, least, most, text), 0)
end

---As `number`, for whole numbers.
---@param args string[]?
---@param i integer
---@param default integer
---@param least integer
---@param most integer
---@param what string
---@return integer
function arguments.whole(args, i, default, least, most, what)
	local text = args and args[i] or default
	local n = tonumber(text)
	if n and n >= least and n <= most and n == math.floor(n) then return math.floor(n) end
	error(("%s must be a whole number from %.0f to %.0f, got '%s'"):format(what, least, most, text), 0)
end

return arguments
