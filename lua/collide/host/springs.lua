-- Contacts as springs, for the checks of scenarios: their rate, and their compression under loads; and the number of sub-steps of a step.
local springs = {}

---How many sub-steps a step has.
---@param world collide.AnyWorld
---@param timestep number of the step [s]
---@return integer
function springs.substeps(world, timestep)
	return math.min(64, math.floor(world:getSubsteps() * math.max(1, 60 * timestep) + 0.5))
end

---The rate of contacts between movable bodies, in Hz; on a fixed body contacts have twice the rate. No spring is faster than a seventh of the sub-steps'
---rate; of the additional sub-steps of a step longer than 1/60 s only the square root counts.
---@param world collide.AnyWorld
---@param timestep number of each step [s]
---@return number
function springs.hertz(world, timestep)
	return math.min(world:getContactHertz(), math.sqrt(springs.substeps(world, timestep) * world:getSubsteps()) / timestep / 7)
end

---The compression of each contact of a pile at rest under its load, from the ground up [m].
---@param world collide.AnyWorld
---@param timestep number of each step [s]
---@param masses number[] from the ground up [kg]
---@param gravity number [m/s^2]
---@param share number of the reduced mass that the points of a face feel together: 4/5 for boxes in 2D, 1 for cubes in 3D
---@return number[]
function springs.settling(world, timestep, masses, gravity, share)
	local w = 2 * math.pi * springs.hertz(world, timestep)
	local give, load = {}, 0
	for i = #masses, 1, -1 do
		load = load + masses[i] * gravity
		local below = masses[i - 1]
		local stiffness = below and masses[i] * below / (masses[i] + below) * w ^ 2 or masses[i] * (2 * w) ^ 2
		give[i] = load / (share * stiffness)
	end
	return give
end

return springs
