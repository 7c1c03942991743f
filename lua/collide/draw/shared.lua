-- Shared by the draw targets that are written in Lua: collide.svg, collide.draw.love and collide.draw.lovr.

local concat, error, floor, format, ipairs, pairs, pcall, select, setmetatable, sort, tonumber, tostring, type =
	table.concat, error, math.floor, string.format, ipairs, pairs, pcall, select, setmetatable, table.sort, tonumber, tostring, type
local nearest = require "collide.draw.nearest"

local shared = {
	outline_width = 1.5, -- [pixels]
	outline_shade = 0.65, -- of the fill's brightness
}

---------------------------------------------------------------------------------------------------------------------------------
-- Names

-- The functions that world:draw calls if the target has them.
local callable = {}
for name in ("solidPolygon polygon solidCircle circle solidCapsule capsule segment point text"):gmatch "%a+" do callable[name] = true end

-- The end of an error: the name that was meant, or all names.
local function did_you_mean(name, names)
	local near = nearest(name, names)
	if near then return format(", did you mean '%s'?", near) end
	sort(names)
	return format(" (there are: %s)", concat(names, ", "))
end

-- Lets the reading of functions that the table lacks raise, with the word to use. others: names elsewhere, with ours. Returns the table.
function shared.guardNames(target, of, others)
	return setmetatable(target, { __index = function(_, name)
		if type(name) ~= "string" or callable[name] then return nil end
		local names = {}
		for key in pairs(target) do names[#names + 1] = key end
		local use = others and others[name]
		error(format("unknown function '%s' of %s%s", name, of, use and ", use " .. use or did_you_mean(name, names)), 2)
	end })
end

local first_color = "the first argument of each function"
local of_love = {
	rectangle = "'panel' (in pixels) or 'polygon'", line = "'segment'", print = "'label' (in pixels) or 'text'", printf = "'label' (in pixels) or 'text'",
	ellipse = "'circle' or 'polygon'", arc = "'circle'", points = "'point'", setColor = first_color, setColour = first_color, setBackgroundColor = "'setPalette'",
	getWidth = "'getSize'", getHeight = "'getSize'", getDimensions = "'getSize'", clear = "'begin'",
}

function shared.guardCanvas(canvas) return shared.guardNames(canvas, "the canvas", of_love) end

---------------------------------------------------------------------------------------------------------------------------------
-- Colours

-- Red, green, blue and alpha of "#rrggbb" or "#rrggbbaa", each 0 to 255; nil if the code is not one.
function shared.channels(code)
	local hex, alpha = (type(code) == "string" and code or ""):match "^#(%x%x%x%x%x%x)(%x*)$"
	if not hex or #alpha ~= 0 and #alpha ~= 2 then return nil end
	local rgb = tonumber(hex, 16)
	return floor(rgb / 65536), floor(rgb / 256) % 256, rgb % 256, #alpha == 2 and tonumber(alpha, 16) or 255
end

-- The channels of a colour, which is a name in the palette or a code; nil if it is neither.
function shared.find_color(palette, color)
	local red, green, blue, alpha = shared.channels(color)
	if not red then red, green, blue, alpha = shared.channels(palette[color]) end
	return red, green, blue, alpha
end

-- A table of { red, green, blue, alpha } from 0 to 1 by colour, filled as colours are asked for.
local function new_colors(palette)
	return setmetatable({}, { __index = function(colors, color)
		local red, green, blue, alpha = shared.find_color(palette, color)
		if not red then error(format('draw: there is no color "%s" in the palette', tostring(color)), 0) end
		local channels = { red / 255, green / 255, blue / 255, alpha / 255 }
		colors[color] = channels
		return channels
	end })
end

local last_palette, last_colors

-- The table of new_colors for this palette. Changes of the palette are not seen while it is in use.
function shared.colors_of(palette)
	if type(palette) ~= "table" then error("draw: palette must be a table, got " .. tostring(palette), 0) end
	if palette ~= last_palette then last_palette, last_colors = palette, new_colors(palette) end
	return last_colors
end

---------------------------------------------------------------------------------------------------------------------------------
-- Text

local replacement = "\239\191\189" -- U+FFFD

local function follows(byte) return byte and byte >= 0x80 and byte < 0xC0 end

-- The length of the character that starts here; nil if it is not valid UTF-8, or not valid in XML.
local function character(text, at)
	local a, b, c, d = text:byte(at, at + 3)
	if a < 0x80 then return (a >= 32 and a ~= 127 or a == 9 or a == 10) and 1 end
	if a >= 0xC2 and a < 0xE0 then return follows(b) and 2 end
	if a >= 0xE0 and a < 0xF0 then
		if not (follows(b) and follows(c)) then return nil end
		local code = (a - 0xE0) * 4096 + (b - 0x80) * 64 + c - 0x80
		return code >= 0x800 and (code < 0xD800 or code > 0xDFFF) and code < 0xFFFE and 3
	end
	if a >= 0xF0 and a < 0xF5 then
		if not (follows(b) and follows(c) and follows(d)) then return nil end
		local code = (a - 0xF0) * 262144 + (b - 0x80) * 4096 + (c - 0x80) * 64 + d - 0x80
		return code >= 0x10000 and code < 0x110000 and 4
	end
end

-- The characters, with invalid ones replaced.
function shared.characters(text)
	local result, at = {}, 1
	while at <= #text do
		local length = character(text, at)
		result[#result + 1] = length and text:sub(at, at + length - 1) or replacement
		at = at + (length or 1)
	end
	return result
end

-- The text with invalid characters replaced; itself, and no garbage, if there are none.
function shared.text(text)
	local at = 1
	while at <= #text do
		local length = character(text, at)
		if not length then return concat(shared.characters(text)) end
		at = at + length
	end
	return text
end

---------------------------------------------------------------------------------------------------------------------------------
-- A world on a target of a game engine

local function dimensions_of(world) return select("#", world:getGravity()) end

-- Raises unless the world is one of so many dimensions.
function shared.check_world(world, dimensions)
	local ok, count = pcall(dimensions_of, world)
	if not ok or type(world) ~= "userdata" then error("draw: the world must be a world, got " .. tostring(world), 0) end
	if count ~= dimensions then error(format("draw: the world must be a %dD world, got a %dD world", dimensions, count), 0) end
end

function shared.check_options(options)
	if options ~= nil and type(options) ~= "table" then error("draw: the options must be a table, got " .. tostring(options), 0) end
	return options
end

local of_world = { "view", "shapes", "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields" }
local known = {}
for _, name in ipairs(of_world) do known[name] = true end

-- Raises for a key that is neither the target's own nor one of world:draw.
function shared.check_keys(options, own)
	for key in pairs(options) do
		if not own[key] and not known[key] then
			local names = {}
			for _, name in ipairs(of_world) do names[#names + 1] = name end
			for name in pairs(own) do names[#names + 1] = name end
			error(format("draw: unknown key '%s'%s", tostring(key), did_you_mean(tostring(key), names)), 0)
		end
	end
end

-- Makes options for world:draw in the table `into`: those of the script without the target's own.
function shared.split(options, own, into)
	for key in pairs(into) do into[key] = nil end
	for key, value in pairs(options) do
		if not own[key] then into[key] = value end
	end
	return into
end

return shared
