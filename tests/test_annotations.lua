-- The annotations in lua/collide/annotations.lua and space_annotations.lua name exactly what the binding exports: functions, methods and
-- option keys. Those in view_annotations.lua do so for canvases.

local lu, collide = require "luaunit", require "collide"
local d2, d3 = collide.d2, collide.d3

TestAnnotations = {}

local folder = debug.getinfo(1, "S").source:match("^@(.-)[^/]*$") .. "../lua/collide/"
local paths = { folder .. "annotations.lua", folder .. "space_annotations.lua", folder .. "view_annotations.lua" }

-- functions[class][name] = { comment lines above }, fields[class][name] = true, defaults[class][name] = "the number after the word default". Adds to the
-- tables.
local function parse(path, functions, fields, defaults, parents)
	local comment, class = {}, nil
	for line in io.lines(path) do
		local owner, name = line:match "^function (%w+)[.:](%w+)%("
		local opened, parent = line:match "^%-%-%-@class ([%w.]+) ?:? ?([%w.]*)"
		local field = line:match "^%-%-%-@field (%w+)"
		if opened then class, fields[opened], defaults[opened], parents[opened] = opened, {}, {}, parent end
		if field then fields[class][field], defaults[class][field] = true, tonumber(line:match "default ([%d.]+)") end
		if owner then
			functions[owner] = functions[owner] or {}
			assert(not rawget(functions[owner], name), "annotated twice: " .. name)
			functions[owner][name] = comment
		end
		if line:match "^%-%-%-" then comment[#comment + 1] = line else comment = {} end
	end
	return functions
end

local functions, fields, defaults, parents = {}, {}, {}, {}
parse(paths[1], functions, fields, defaults, parents)
parse(paths[2], functions, fields, defaults, parents)
local view_functions = parse(paths[3], {}, {}, {}, {})

-- Fields and defaults are inherited from the class named behind the colon.
for class, parent in pairs(parents) do
	setmetatable(fields[class], { __index = fields[parent] })
	setmetatable(defaults[class], { __index = defaults[parent] })
end

-- The methods are in an upvalue of the metatable's __index, or are the __index itself.
local function methods_of(object)
	local index = debug.getmetatable(object).__index
	if type(index) == "table" then return index end
	local _, methods = debug.getupvalue(index, 1)
	return methods
end

-- Names of the table and of the class that it inherits from.
local function names_of(table)
	local names, seen = {}, {}
	while table do
		for name in pairs(table) do
			if type(name) ~= "string" then error "a name that is no string" end
			if not seen[name] then names[#names + 1] = name end
			seen[name] = true
		end
		local meta = getmetatable(table)
		table = meta and type(meta.__index) == "table" and meta.__index or nil
	end
	return names
end

-- The methods of worlds, bodies, colliders and joints that both dimensions share are annotated once.
for _, class in ipairs { "World", "Body", "Collider", "Joint" } do
	for _, owner in ipairs { class, "Space" .. class } do
		functions[owner] = setmetatable(functions[owner], { __index = functions["Any" .. class] })
	end
end

local function objects()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1) }
	local joint = world:newRevoluteJoint { bodyA = body, bodyB = world:newBody {}, x = 0, y = 0 }
	local space = d3.newWorld()
	local solid = space:newBody { shape = d3.sphere(1) }
	return { World = world, Body = body, Collider = body:getColliders()[1], Joint = joint, Shape = d2.circle(1), Pose = d2.pose(0, 0),
		SpaceWorld = space, SpaceBody = solid, SpaceCollider = solid:getColliders()[1],
		SpaceJoint = space:newSphericalJoint { bodyA = solid, bodyB = space:newBody {}, x = 0, y = 0, z = 0 },
		SpaceShape = d3.sphere(1), SpacePose = d3.pose(0, 0, 0),
		Index = collide.newTree(), Heightmap = d2.heightmap { cellWidth = 1, heights = { 0, 0 } } }
end

for _, class in ipairs { "World", "Body", "Collider", "Joint", "Shape", "Pose", "SpaceWorld", "SpaceBody", "SpaceCollider", "SpaceJoint", "SpaceShape",
	"SpacePose", "Index", "Heightmap" } do
	TestAnnotations["test_methods_of_" .. class] = function()
		lu.assertItemsEquals(names_of(functions[class]), names_of(methods_of(objects()[class])))
	end
end

function TestAnnotations.test_functions_of_the_plane()
	lu.assertItemsEquals(names_of(functions.d2), names_of(d2))
end

function TestAnnotations.test_functions_of_space()
	lu.assertItemsEquals(names_of(functions.d3), names_of(d3))
	lu.assertIs(require "collide.d3", d3)
end

function TestAnnotations.test_fields_of_the_module()
	local names = names_of(fields.collide)
	for name in pairs(functions.collide) do names[#names + 1] = name end
	lu.assertItemsEquals(names, names_of(collide))
	lu.assertEquals(collide.version, "0.1.0")
end

-- For an unknown key that resembles none, the error message lists the known ones.
local function known_keys(f)
	local ok, message = pcall(f, { ["?"] = 1 })
	lu.assertFalse(ok)
	local keys = {}
	for key in message:match("%(there are: (.*)%)$"):gmatch "%w+" do keys[#keys + 1] = key end
	return keys
end

local options = {
	WorldOptions = d2.newWorld,
	BodyOptions = function(keys) d2.newWorld():newBody(keys) end,
	ColliderOptions = function(keys) d2.newWorld():newBody { shapes = { keys } } end,
	LocksOptions = function(keys) d2.newWorld():newBody { locks = keys } end,
	BoxOptions = function(keys) d2.box(1, 1, keys) end,
	EllipseOptions = function(keys) d2.ellipse(1, 1, keys) end,
	ChainOptions = function(keys) d2.chain({ 0, 0, 1, 0 }, keys) end,
	QueryOptions = function(keys) d2.newWorld():raycast(0, 0, 1, 1, keys) end,
	RevoluteJointOptions = function(keys) d2.newWorld():newRevoluteJoint(keys) end,
	["d3.RevoluteJointOptions"] = function(keys) d3.newWorld():newRevoluteJoint(keys) end,
	["d3.SphericalJointOptions"] = function(keys) d3.newWorld():newSphericalJoint(keys) end,
	SlideOptions = function(keys) d3.slide(0, 0, 0, 1, 1, 1, print, keys) end,
	["d2.HeightmapOptions"] = d2.heightmap,
	["d3.HeightmapOptions"] = d3.heightmap,
	["d3.HeightFieldOptions"] = d3.heightField,
	["d3.MeshOptions"] = function(keys) d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, keys) end,
	["d3.Material"] = function(keys) d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, { materials = { keys }, triangleMaterials = { 1 } }) end,
	["d3.BoxOptions"] = function(keys) d3.box(1, 1, 1, keys) end,
	["d3.PlaceOptions"] = function(keys) d3.cone(1, 1, keys) end,
	["d3.Part"] = function(keys) d3.compound { keys } end,
	DrawOptions = function(keys) d2.newWorld():draw({}, keys) end,
	["d3.WorldOptions"] = d3.newWorld,
	["d3.BodyOptions"] = function(keys) d3.newWorld():newBody(keys) end,
	["d3.ColliderOptions"] = function(keys) d3.newWorld():newBody { shapes = { keys } } end,
	["d3.LocksOptions"] = function(keys) d3.newWorld():newBody { locks = keys } end,
	["d3.QueryOptions"] = function(keys) d3.newWorld():raycast(0, 0, 0, 1, 1, 1, keys) end,
	["d3.DrawOptions"] = function(keys) d3.newWorld():draw({}, keys) end,
	DecomposeOptions = function(keys) d3.decompose({}, {}, 1, keys) end,
	StepsOptions = function(keys) d2.gjk(d2.circle(1), nil, d2.circle(1), nil, keys) end,
	TreeOptions = collide.newTree,
	SweepOptions = collide.newSweep,
	GridOptions = collide.newGrid,
}

for class, f in pairs(options) do
	TestAnnotations["test_keys_of_" .. class] = function()
		lu.assertItemsEquals(names_of(fields["collide." .. class]), known_keys(f))
	end
end

-- The documented default is the property of an object made without the option.
local function check_defaults(class, object)
	local checked = 0
	for _, name in ipairs(names_of(defaults["collide." .. class])) do
		local value = defaults["collide." .. class][name]
		local get = object["get" .. name:sub(1, 1):upper() .. name:sub(2)]
		if get then
			lu.assertAlmostEquals(get(object), value, 1e-6, name)
			checked = checked + 1
		end
	end
	return checked
end

function TestAnnotations.test_defaults()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1) }
	lu.assertEquals(check_defaults("WorldOptions", world), 9)
	lu.assertEquals(check_defaults("BodyOptions", body), 6)
	lu.assertEquals(check_defaults("ColliderOptions", body:getColliders()[1]), 5)
	world = d3.newWorld()
	body = world:newBody { shape = d3.sphere(1) }
	lu.assertEquals(check_defaults("d3.WorldOptions", world), 9)
	lu.assertEquals(check_defaults("d3.BodyOptions", body), 4)
	lu.assertEquals(check_defaults("d3.ColliderOptions", body:getColliders()[1]), 4)
end

function TestAnnotations.test_keys_of_ray_hits()
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.circle(1) }
	lu.assertItemsEquals(names_of(fields["collide.RayHit"]), names_of(world:raycastAll(-5, 0, 5, 0)[1]))
	world = d3.newWorld()
	world:newBody { type = "static", shape = d3.sphere(1) }
	lu.assertItemsEquals(names_of(fields["collide.d3.RayHit"]), names_of(world:raycastAll(-5, 0, 0, 5, 0, 0)[1]))
end

function TestAnnotations.test_keys_of_profiles()
	lu.assertItemsEquals(names_of(fields["collide.Profile"]), names_of(d2.newWorld():getProfile()))
end

function TestAnnotations.test_functions_of_draw_targets()
	local asked = {}
	for world, class in pairs { [d2.newWorld()] = "collide.DrawTarget", [d3.newWorld()] = "collide.d3.DrawTarget" } do
		asked = {}
		world:draw(setmetatable({}, { __index = function(_, name) asked[name] = true end }))
		lu.assertItemsEquals(names_of(fields[class]), names_of(asked))
	end
end

function TestAnnotations.test_functions_of_svg_canvases()
	local canvas = require("collide.svg").newCanvas { width = 8, height = 8 }
	lu.assertItemsEquals(names_of(view_functions.Canvas), names_of(canvas))
end

function TestAnnotations.test_functions_of_opengl_canvases()
	local found, view = pcall(require, "collide.view")
	if not found then
		print "test_annotations: OpenGL's canvases are left out, the view module is not built: make view"
		return
	end
	local canvas = view.newCanvas { width = 8, height = 8, palette = require("collide.palette").light }
	local names = names_of(view_functions.Canvas)
	for name in pairs(view_functions.OpenGLCanvas) do names[#names + 1] = name end
	lu.assertItemsEquals(names, names_of(canvas))
	lu.assertItemsEquals(names_of(view_functions.view), names_of(view))
	canvas.close()
end

-- Each function documents its parameters by name, an example that calls it, and errors if it takes parameters or changes its object.
local texts = {}
for _, owners in ipairs { functions, view_functions } do
	for owner, list in pairs(owners) do texts[owner] = list end
end
for owner, list in pairs(texts) do
	for name, comment in pairs(list) do
		TestAnnotations["test_text_of_" .. owner .. "_" .. name] = function()
			local text = table.concat(comment, "\n")
			local example = text:match "\n?%-%-%-Example: `([^\n]*)`"
			lu.assertNotNil(example, "no example: " .. name)
			lu.assertStrContains(example, name)
			if name:match "^set" or name:match "^new" or name:match "^apply" then lu.assertStrContains(text, "---Raises ") end
		end
	end
end

local function check_parameters(path)
	local comment = {}
	for line in io.lines(path) do
		local arguments = line:match "^function [%w.:]+%((.*)%)"
		if arguments then
			local annotated = {}
			for _, text in ipairs(comment) do annotated[#annotated + 1] = text:match "^%-%-%-@param ([%w.]+)" end
			lu.assertEquals(table.concat(annotated, ", "), arguments)
		end
		if line:match "^%-%-%-" then comment[#comment + 1] = line else comment = {} end
	end
end

function TestAnnotations.test_parameters_are_annotated_by_name()
	for _, path in ipairs(paths) do check_parameters(path) end
end

-- The files contain only annotations, so loading them is harmless.
function TestAnnotations.test_it_is_lua()
	for _, path in ipairs(paths) do lu.assertNotNil(assert(loadfile(path))()) end
end
