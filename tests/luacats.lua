-- Reads files of LuaCATS annotations as language servers do, as far as lua/collide uses them:
--   @meta, @class, @field, @alias, @param, @return, @overload; types of names, lists, unions, functions, tables and strings.
-- Blanks separate nothing: `number < 1` begins the arguments of a generic type, and is an error.

local error, io, ipairs, pairs, pcall, setmetatable, tonumber = error, io, ipairs, pairs, pcall, setmetatable, tonumber

local luacats = {}

local builtin = {}
for name in ("any boolean false function integer nil number string table thread true unknown userdata"):gmatch "%a+" do builtin[name] = true end

-- The text of one annotation after its tag, read from left to right.
local Reader = {}
Reader.__index = Reader

function Reader:fail(what)
	error(("expected %s before '%s'"):format(what, self.text:sub(self.at)), 0)
end

-- Reads the text if it is next, after blanks.
function Reader:take(text)
	local _, last = self.text:find("^%s*", self.at)
	if self.text:sub(last + 1, last + #text) ~= text then return false end
	self.at = last + #text + 1
	return true
end

-- Reads the pattern, after blanks; nil if something else is next.
function Reader:match(pattern)
	local _, last, found = self.text:find("^%s*(" .. pattern .. ")", self.at)
	if found then self.at = last + 1 end
	return found
end

function Reader:expect(text)
	return self:take(text) or self:fail("'" .. text .. "'")
end

-- Reads items separated by commas, up to the text that closes the list.
function Reader:list(close, item)
	if self:take(close) then return end
	repeat item(self) until not self:take ","
	self:expect(close)
end

-- A parameter, or a field of a table: name: type, name?: type, [type]: type.
local function member(self)
	if self:take "[" then
		self:type()
		self:expect "]"
	else
		local _ = self:match "%.%.%." or self:match "[%a_][%w_]*" or self:fail "a name"
		self:take "?"
	end
	self:expect ":"
	self:type()
end

function Reader:unit()
	local name = self:match "[%a_][%w_.]*"
	if name == "fun" then
		self:expect "("
		self:list(")", member)
		if self:take ":" then
			repeat self:type() until not self:take ","
		end
	elseif name then
		self.names[#self.names + 1] = name
		if self:take "<" then self:list(">", self.type) end
	elseif self:take "(" then
		self:type()
		self:expect ")"
	elseif self:take "{" then
		self:list("}", member)
	elseif not self:match '"[^"]*"' then
		self:fail "a type"
	end
	while self:take "[]" or self:take "?" do end
end

function Reader:type()
	repeat self:unit() until not self:take "|"
end

function Reader:rest()
	return self.text:sub(self.at)
end

local read = {}

function read.meta(reader, file)
	file.meta = reader:match "[%w.]+" or reader:fail "a name"
end

function read.class(reader, file)
	local name = reader:match "[%a_][%w_.]*" or reader:fail "a name"
	local class = file.classes[name] or { parents = {}, fields = {}, defaults = {}, functions = {} }
	file.classes[name], file.class = class, class
	if reader:take ":" then
		repeat
			class.parents[#class.parents + 1] = reader:match "[%a_][%w_.]*" or reader:fail "a name"
			reader.names[#reader.names + 1] = class.parents[#class.parents]
		until not reader:take ","
	end
	if reader:match "%S" then reader:fail "the end" end
end

function read.field(reader, file)
	local class = file.class or reader:fail "a class"
	local name = reader:match "[%a_][%w_]*"
	if not name then
		reader:expect "["
		reader:type()
		reader:expect "]"
	end
	reader:take "?"
	reader:type()
	if not name then return end
	if class.fields[name] then error("the field stands twice: " .. name, 0) end
	local default, divisor = reader:rest():match "default ([%d.]+)([/%d]*)"
	class.fields[name], class.defaults[name] = true, default and tonumber(default) / (tonumber(divisor:match "%d+") or 1)
end

function read.alias(reader, file)
	file.aliases[reader:match "[%a_][%w_.]*" or reader:fail "a name"] = true
	reader:type()
end

function read.param(reader, file)
	file.params[#file.params + 1] = reader:match "%.%.%." or reader:match "[%a_][%w_]*" or reader:fail "a name"
	reader:take "?"
	reader:type()
end

-- Several results: type name, type name, ... and then words. A result that follows words would be lost in them.
read["return"] = function(reader)
	repeat
		reader:type()
		local _ = reader:match "%.%.%." or reader:match "[%a_][%w_]*"
	until not reader:take ","
	for word in reader:rest():gmatch ", ([%w.]+)%?? %w" do
		if word == "number" or word == "integer" or word == "boolean" or word:find "^collide%." then error("a result after words: " .. word, 0) end
	end
end

function read.overload(reader)
	if not reader:rest():find "^%s*fun%(" then reader:fail "fun(" end
	reader:type()
end

local function unknown()
	error("the annotation is unknown", 0)
end

-- Returns the annotations of the file: { meta =, names = { { name, line }, ... }, problems = { text, ... }, aliases = { [name] = true },
-- classes = { [name] = { parents = {}, fields = { [name] = true }, defaults = { [name] = number }, functions = { [name] = { comment =, params =, arguments = } } } } }.
-- A number or fraction after the word "default" is a field's default. A function belongs to the class of its table: that annotated where the local variable is set.
function luacats.parse(path)
	local file = { classes = {}, aliases = {}, names = {}, problems = {}, params = {} }
	local owners, comment, number = {}, {}, 0
	local function problem(text) file.problems[#file.problems + 1] = ("%s:%d: %s"):format(path, number, text) end
	for line in io.lines(path) do
		number = number + 1
		local tag, text = line:match "^%-%-%-@(%a+)(.*)$"
		if tag then
			local reader = setmetatable({ text = text, at = 1, names = {} }, Reader)
			local fine, message = pcall(read[tag] or unknown, reader, file)
			if not fine then problem(message) end
			for _, name in ipairs(reader.names) do file.names[#file.names + 1] = { name, ("%s:%d"):format(path, number) } end
		elseif line:match "^%s*%-%-%-%s*@" then
			problem "the annotation is indented"
		end
		if line:match "^%-%-%-" then
			comment[#comment + 1] = line
		else
			local variable, owner, name, arguments = line:match "^local (%w+) = ", line:match "^function (%w+)[.:](%w+)%((.*)%)"
			if variable and file.class then owners[variable] = file.class end
			if owner and not owners[owner] then
				problem(owner .. " has no class")
			elseif owner then
				local functions = owners[owner].functions
				if functions[name] then problem("annotated twice: " .. name) end
				functions[name] = { comment = comment, params = file.params, arguments = arguments }
			end
			comment, file.class, file.params = {}, nil, {}
		end
	end
	return file
end

-- Joins the annotations of files: classes that stand in several, names of types used, problems, and `known`, the set of names of all types.
function luacats.join(files)
	local all = { classes = {}, known = {}, names = {}, problems = {} }
	for name in pairs(builtin) do all.known[name] = true end
	local function add(to, from, kind)
		for key, value in pairs(from[kind]) do
			if to[kind][key] and kind ~= "parents" then all.problems[#all.problems + 1] = "annotated in two files: " .. key end
			to[kind][key] = value
		end
	end
	for _, file in ipairs(files) do
		for _, entry in ipairs(file.names) do all.names[#all.names + 1] = entry end
		for _, entry in ipairs(file.problems) do all.problems[#all.problems + 1] = entry end
		for name in pairs(file.aliases) do all.known[name] = true end
		for name, class in pairs(file.classes) do
			all.known[name] = true
			all.classes[name] = all.classes[name] or { parents = {}, fields = {}, defaults = {}, functions = {} }
			for _, kind in ipairs { "parents", "fields", "defaults", "functions" } do add(all.classes[name], class, kind) end
		end
	end
	return all
end

-- The fields, defaults or functions of a class and of those that it inherits from.
function luacats.inherited(all, name, kind)
	local result = {}
	if not all.classes[name] then return result end
	for _, parent in ipairs(all.classes[name].parents) do
		for key, value in pairs(luacats.inherited(all, parent, kind)) do result[key] = value end
	end
	for key, value in pairs(all.classes[name][kind]) do result[key] = value end
	return result
end

return luacats
