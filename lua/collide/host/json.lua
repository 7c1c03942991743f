-- JSON, as far as the host writes and reads it: objects, and lists of texts, numbers and booleans.

local error, ipairs, math, pairs, select, string, table, tonumber, type =
	error, ipairs, math, pairs, select, string, table, tonumber, type

local encode

local function quote(text)
	return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- Keys in alphabetical order.
local function encode_object(object)
	local keys, parts = {}, {}
	for key in pairs(object) do keys[#keys + 1] = key end
	table.sort(keys)
	for i, key in ipairs(keys) do parts[i] = quote(key) .. ":" .. encode(object[key]) end
	return "{" .. table.concat(parts, ",") .. "}"
end

-- The value as JSON, on one line. A table with a first element is a list; infinite numbers and NaN are null.
function encode(value)
	if type(value) == "table" and value[1] ~= nil then
		local parts = {}
		for i, item in ipairs(value) do parts[i] = encode(item) end
		return "[" .. table.concat(parts, ",") .. "]"
	elseif type(value) == "table" then
		return encode_object(value)
	elseif type(value) == "number" then
		if value ~= value or math.abs(value) == math.huge then return "null" end
		return value == math.floor(value) and ("%.0f"):format(value) or ("%.9g"):format(value)
	elseif type(value) == "boolean" then
		return value and "true" or "false"
	end
	return quote(value)
end

-- Reading: each function takes the text and a position in it, and returns the value there and the position after it.

local read

local function fail(text, at)
	error(("no JSON at character %d: '%s'"):format(at, text:sub(at, at + 20)), 0)
end

-- The items between two brackets, each read by item(text, position) -> position.
local function read_items(text, at, close, item)
	at = text:match("^%s*()", at + 1)
	if text:sub(at, at) == close then return at + 1 end
	while true do
		local mark
		at = item(text, at)
		mark, at = text:match("^%s*(.)%s*()", at)
		if mark == close then return at end
		if mark ~= "," then fail(text, at or #text) end
	end
end

local escapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function read_text(text, at)
	local finish = at + 1
	while text:sub(finish, finish) ~= '"' do
		if finish > #text then fail(text, at) end
		finish = finish + (text:sub(finish, finish) == "\\" and 2 or 1)
	end
	local value = text:sub(at + 1, finish - 1):gsub("\\(.)(%x?%x?%x?%x?)", function(kind, code)
		if kind ~= "u" then return (escapes[kind] or kind) .. code end
		return string.char(math.min(tonumber(code, 16) or 63, 255))
	end)
	return value, finish + 1
end

local words = { ["true"] = true, ["false"] = false }

function read(text, at)
	at = text:match("^%s*()", at)
	local first = text:sub(at, at)
	local result = {}
	if first == "{" then
		return result, read_items(text, at, "}", function(_, place)
			local key, value
			if text:sub(place, place) ~= '"' then fail(text, place) end
			key, place = read_text(text, place)
			value, place = read(text, text:match("^%s*:()", place) or fail(text, place))
			result[key] = value
			return place
		end)
	elseif first == "[" then
		return result, read_items(text, at, "]", function(_, place)
			result[#result + 1], place = read(text, place)
			return place
		end)
	elseif first == '"' then
		return read_text(text, at)
	end
	local word, after = text:match("^([%w.+-]+)()", at)
	if word == "null" then return nil, after end
	local value = words[word]
	if value == nil then value = word and tonumber(word) end
	if value == nil then fail(text, at) end
	return value, after
end

-- The value of the text; raises if it is not JSON.
local function decode(text)
	return (select(1, read(text, 1)))
end

return { encode = encode, decode = decode, quote = quote }
