-- The annotations in lua/collide name exactly what the binding exports: functions, methods and option keys; those in view_annotations.lua do so for canvases
-- and scenarios. They are read as a language server reads them, and by one, if one is installed.

local lu, collide, luacats, support, engines = require "luaunit", require "collide", require "luacats", require "support", require "engines"
local d2, d3 = collide.d2, collide.d3

TestAnnotations = {}

local folder = debug.getinfo(1, "S").source:match("^@(.-)[^/]*$") .. "../lua/collide/"
local paths, files = {}, {}
for i, name in ipairs { "annotations", "plane_annotations", "space_annotations", "view_annotations" } do
	paths[i] = folder .. name .. ".lua"
	files[i] = luacats.parse(paths[i])
end
local annotations = luacats.join(files)
local classes = annotations.classes

-- The names of a class's fields or functions, also of inherited ones, sorted.
local function annotated(class, kind)
	local names = {}
	for name in pairs(luacats.inherited(annotations, class, kind)) do names[#names + 1] = name end
	table.sort(names)
	return names
end

function TestAnnotations.test_every_annotation_is_read_as_language_servers_read_it()
	lu.assertEquals(annotations.problems, {})
end

function TestAnnotations.test_every_type_named_is_defined()
	local unknown = {}
	for _, use in ipairs(annotations.names) do
		if not annotations.known[use[1]] then unknown[#unknown + 1] = use[2] .. ": " .. use[1] end
	end
	lu.assertEquals(unknown, {})
end

-- The problem that the test's reader finds in a class with this line.
local function problem_of(line)
	local path = support.tmpname()
	local file = assert(io.open(path, "w"))
	file:write("---@class A\n", line, "\n")
	file:close()
	local problems = luacats.parse(path).problems
	os.remove(path)
	lu.assertTrue(#problems <= 1)
	return problems[1] and problems[1]:match ":2: (.*)"
end

function TestAnnotations.test_mistakes_are_found()
	lu.assertEquals(problem_of "---@field a number <= 0, of it", "expected a type before '= 0, of it'")
	lu.assertEquals(problem_of "---@field a {x: number", "expected '}' before ''")
	lu.assertEquals(problem_of "---@field number", "expected a type before ''")
	lu.assertEquals(problem_of "---@param x? fun(a: number b: number)", "expected ')' before ' b: number)'")
	lu.assertEquals(problem_of "---@return number? share of the ray, number x, number y", "a result after words: number")
	lu.assertEquals(problem_of "---@overload function(a: number)", "expected fun( before ' function(a: number)'")
	lu.assertEquals(problem_of "---@retrun number", "the annotation is unknown")
	lu.assertEquals(problem_of "--- @return number", "the annotation is indented")
	lu.assertEquals(problem_of "function B.c() end", "B has no class")
	lu.assertNil(problem_of "---@return { t: number, [string]: any }[]? steps, (A|fun(x?: A, ...: number): A?, nil) f words < 1, of any kind")
end

-- The faults that a language server finds in the annotations, none, and in a script that uses them: each line that ends with the name of a fault.
function TestAnnotations.test_with_a_language_server()
	local folder_of_tests, quote = folder .. "../../tests/", support.quote
	if support.shell "command -v lua-language-server" == "" then
		print "test_annotations: no language server is installed (lua-language-server); the test's own reader has read the annotations"
		return
	end
	local project = support.shell("mktemp -d"):match "[^\n]+"
	support.shell(("cp %suse_*.lua %s && mkdir %s/collide && cp %s*.lua %s/collide && lua-language-server --check=%s --logpath=%s --check_out_path=%s/faults.json 2>&1")
		:format(quote(folder_of_tests), project, project, quote(folder), project, project, project, project))
	local faults, file = {}, nil
	for line in support.read(project .. "/faults.json"):gmatch "[^\n]+" do
		file = line:match '"file://[^"]*/([%w_]+%.lua)": %[' or file
		local code, at = line:match '"code": "(.*)"', line:match '"line": (%d+)'
		if code then faults[#faults + 1] = { file = file, code = code } elseif at then faults[#faults].line = at + 1 end
	end
	support.shell("rm -r " .. project)
	local found, expected, number = {}, {}, 0
	for _, fault in ipairs(faults) do
		if fault.file:match "annotations" then found[#found + 1] = ("%s:%d: %s"):format(fault.file, fault.line, fault.code) end
	end
	for line in io.lines(folder_of_tests .. "use_annotations.lua") do
		number = number + 1
		local code = line:match " %-%- ([%l-]+)$"
		if code then expected[#expected + 1] = ("use_annotations.lua:%d: %s"):format(number, code) end
	end
	lu.assertTrue(#expected > 5)
	lu.assertItemsEquals(found, expected)
end

-- The methods are in an upvalue of the metatable's __index, or are the __index itself.
local function methods_of(object)
	local index = debug.getmetatable(object).__index
	if type(index) == "table" then return index end
	local _, methods = debug.getupvalue(index, 2)
	return methods
end

local function names_of(table)
	local names = {}
	for name in pairs(table) do
		if type(name) ~= "string" then error "a name that is no string" end
		names[#names + 1] = name
	end
	return names
end

-- The contact that preSolve gets.
local function contact_of(d, shape)
	local kept
	local world = d.newWorld { preSolve = function(contact) kept = contact end }
	world:newBody { type = "static", shape = shape, preSolve = true }
	world:newBody { shape = shape, y = 1.5 }
	world:step(1 / 60)
	return kept
end

local function objects()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.circle(1) }
	local joint = world:newRevoluteJoint { bodyA = body, bodyB = world:newBody {}, x = 0, y = 0 }
	local space = d3.newWorld()
	local solid = space:newBody { shape = d3.sphere(1) }
	return {
		World = world, Body = body, Collider = body:getColliders()[1], Joint = joint, Shape = d2.circle(1), Pose = d2.pose(0, 0),
		["d3.World"] = space, ["d3.Body"] = solid, ["d3.Collider"] = solid:getColliders()[1],
		["d3.Joint"] = space:newSphericalJoint { bodyA = solid, bodyB = space:newBody {}, x = 0, y = 0, z = 0 },
		["d3.Shape"] = d3.sphere(1), ["d3.Pose"] = d3.pose(0, 0, 0),
		Contact = contact_of(d2, d2.circle(1)), ["d3.Contact"] = contact_of(d3, d3.sphere(1)),
		Field = world:newField {}, ["d3.Field"] = space:newField {},
		Mover = world:newMover { shape = d2.circle(1) }, ["d3.Mover"] = space:newMover { shape = d3.sphere(1) },
		Index = collide.newTree(), Generator = collide.newRandom(1), History = world:newHistory(),
		RollbackSession = require("collide.rollback").newSession { world = world, players = { "local" }, onTick = print, send = print }, Heightmap = d2.heightmap { cellWidth = 1, heights = { 0, 0 } },
	}
end

for class in pairs(objects()) do
	TestAnnotations["test_methods_of_" .. class] = function()
		lu.assertItemsEquals(annotated("collide." .. class, "functions"), names_of(methods_of(objects()[class])))
	end
end

function TestAnnotations.test_functions_of_the_plane()
	lu.assertItemsEquals(annotated("collide.d2", "functions"), names_of(d2))
end

function TestAnnotations.test_functions_of_space()
	lu.assertItemsEquals(annotated("collide.d3", "functions"), names_of(d3))
end

function TestAnnotations.test_functions_of_tiled()
	lu.assertItemsEquals(annotated("collide.tiled", "functions"), names_of(require "collide.tiled"))
end

function TestAnnotations.test_functions_of_rollback()
	lu.assertItemsEquals(annotated("collide.rollback", "functions"), names_of(require "collide.rollback"))
end

-- Every class with functions is that of an object above, of a canvas below, or inherited by one.
function TestAnnotations.test_no_class_is_left_out()
	local checked = {}
	local function check(name)
		checked[name] = true
		for _, parent in ipairs(classes[name].parents) do check(parent) end
	end
	for _, name in ipairs { "collide", "collide.d2", "collide.d3", "collide.view", "collide.Window", "collide.draw.love", "collide.draw.lovr", "collide.tiled", "collide.rollback" } do check(name) end
	for class in pairs(objects()) do check("collide." .. class) end
	for name, class in pairs(classes) do lu.assertTrue(checked[name] or next(class.functions) == nil, name) end
end

-- `require` returns an object of the class that the annotations file of that name declares.
function TestAnnotations.test_names_to_require()
	lu.assertIs(require "collide.d2", d2)
	lu.assertIs(require "collide.d3", d3)
	local names = {}
	for _, file in ipairs(files) do names[#names + 1] = file.meta end
	lu.assertItemsEquals(names, { "collide", "collide.d2", "collide.d3", "collide.view" })
	lu.assertIs(loadfile(paths[2])(), d2)
end

-- The settings of a checkout for editors find the Lua files that scripts require, and leave out the builds, which link to them.
function TestAnnotations.test_settings_of_editors()
	local root = folder .. "../../"
	local settings = support.read(root .. ".luarc.json")
	for _, name in ipairs { "collide.svg", "collide.palette", "collide.host.camera" } do
		local found = false
		for pattern in settings:match('"runtime.path": (%b[])'):gmatch '"([^"]*)"' do
			found = found or support.read(root .. pattern:gsub("%?", (name:gsub("%.", "/")))) ~= nil
		end
		lu.assertTrue(found, name)
	end
	lu.assertStrContains(settings:match '"workspace.ignoreDir": (%b[])', '"build"')
end

function TestAnnotations.test_fields_of_the_module()
	local names = annotated("collide", "fields")
	for _, name in ipairs(annotated("collide", "functions")) do names[#names + 1] = name end
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
	BodiesOptions = function(keys) d2.newWorld():newBodies(keys) end,
	ColliderOptions = function(keys) d2.newWorld():newBody { shapes = { keys } } end,
	LocksOptions = function(keys) d2.newWorld():newBody { locks = keys } end,
	BoxOptions = function(keys) d2.box(1, 1, keys) end,
	EllipseOptions = function(keys) d2.ellipse(1, 1, keys) end,
	ChainOptions = function(keys) d2.chain({ 0, 0, 1, 0 }, keys) end,
	QueryOptions = function(keys) d2.newWorld():raycast(0, 0, 1, 1, keys) end,
	SlideOptions = function(keys) d3.slide(0, 0, 0, 1, 1, 1, print, keys) end,
	["d2.HeightmapOptions"] = d2.heightmap,
	["d3.HeightmapOptions"] = d3.heightmap,
	["d3.HeightFieldOptions"] = d3.heightField,
	["d3.MeshOptions"] = function(keys) d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, keys) end,
	["d3.Material"] = function(keys) d3.mesh({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3 }, { materials = { keys }, triangleMaterials = { 1 } }) end,
	Material = function(keys) d2.newWorld():newBody { material = keys } end,
	["d3.BoxOptions"] = function(keys) d3.box(1, 1, 1, keys) end,
	["d3.PlaceOptions"] = function(keys) d3.cone(1, 1, keys) end,
	["d3.Part"] = function(keys) d3.compound { keys } end,
	DrawOptions = function(keys) d2.newWorld():draw({}, keys) end,
	MoverOptions = function(keys) d2.newWorld():newMover(keys) end,
	["d3.MoverOptions"] = function(keys) d3.newWorld():newMover(keys) end,
	["d3.WorldOptions"] = d3.newWorld,
	["d3.BodyOptions"] = function(keys) d3.newWorld():newBody(keys) end,
	["d3.BodiesOptions"] = function(keys) d3.newWorld():newBodies(keys) end,
	["d3.ColliderOptions"] = function(keys) d3.newWorld():newBody { shapes = { keys } } end,
	["d3.LocksOptions"] = function(keys) d3.newWorld():newBody { locks = keys } end,
	["d3.QueryOptions"] = function(keys) d3.newWorld():raycast(0, 0, 0, 1, 1, 1, keys) end,
	["d3.DrawOptions"] = function(keys) d3.newWorld():draw({}, keys) end,
	OutlinesOptions = function(keys) d2.outlines({}, 1, keys) end,
	DecomposeOptions = function(keys) d3.decompose({}, {}, 1, keys) end,
	StepsOptions = function(keys) d2.gjk(d2.circle(1), nil, d2.circle(1), nil, keys) end,
	TreeOptions = collide.newTree,
	SweepOptions = collide.newSweep,
	GridOptions = collide.newGrid,
}

for dim, d in pairs { d2 = d2, d3 = d3 } do
	for method in pairs(methods_of(d.newWorld())) do
		local name = method:match "^new(%a+Joint)$"
		if name then options[(dim == "d3" and "d3." or "") .. name .. "Options"] = function(keys) d.newWorld()[method](d.newWorld(), keys) end end
	end
end

for class, f in pairs(options) do
	TestAnnotations["test_keys_of_" .. class] = function()
		lu.assertItemsEquals(annotated("collide." .. class, "fields"), known_keys(f))
	end
end

-- The documented default is the property of an object made without the option.
local function check_defaults(class, object)
	local checked = 0
	for name, value in pairs(luacats.inherited(annotations, "collide." .. class, "defaults")) do
		local get = rawget(type(object) == "userdata" and methods_of(object) or object, "get" .. name:sub(1, 1):upper() .. name:sub(2))
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
	lu.assertEquals(check_defaults("WorldOptions", world), 13)
	lu.assertEquals(check_defaults("BodyOptions", body), 6)
	lu.assertEquals(check_defaults("ColliderOptions", body:getColliders()[1]), 5)
	lu.assertEquals(check_defaults("MoverOptions", world:newMover { shape = d2.circle(1) }), 5)
	world = d3.newWorld()
	body = world:newBody { shape = d3.sphere(1) }
	lu.assertEquals(check_defaults("d3.WorldOptions", world), 13)
	lu.assertEquals(check_defaults("d3.BodyOptions", body), 4)
	lu.assertEquals(check_defaults("d3.ColliderOptions", body:getColliders()[1]), 4)
end

function TestAnnotations.test_keys_of_ray_hits()
	local world = d2.newWorld()
	world:newBody { type = "static", shape = d2.chain({ 0, -1, 0, 1 }, { oneSided = false }) }
	lu.assertItemsEquals(annotated("collide.RayHit", "fields"), names_of(world:raycastAll(-5, 0, 5, 0)[1]))
	world = d3.newWorld()
	world:newBody { type = "static", shape = d3.compound { d3.sphere(1) } }
	lu.assertItemsEquals(annotated("collide.d3.RayHit", "fields"), names_of(world:raycastAll(-5, 0, 0, 5, 0, 0)[1]))
	local met = {}
	world:newBody { type = "kinematic", x = -5, shape = d3.sphere(0.5) }:moveAndCollide(5, 0, 0, nil, met)
	lu.assertItemsEquals(annotated("collide.d3.Meeting", "fields"), names_of(met[1]))
	lu.assertItemsEquals(annotated("collide.d3.ContactPlane", "fields"), names_of(world:contactPlanes(d3.sphere(1))[1]))
end

function TestAnnotations.test_keys_of_profiles()
	lu.assertItemsEquals(annotated("collide.Profile", "fields"), names_of(d2.newWorld():getProfile()))
end

function TestAnnotations.test_functions_of_draw_targets()
	local asked = {}
	for world, class in pairs { [d2.newWorld()] = "collide.DrawTarget", [d3.newWorld()] = "collide.d3.DrawTarget" } do
		asked = {}
		world:draw(setmetatable({}, { __index = function(_, name) asked[name] = true end }))
		lu.assertItemsEquals(annotated(class, "fields"), names_of(asked))
	end
end

function TestAnnotations.test_functions_of_svg_canvases()
	local canvas = require("collide.svg").newCanvas { width = 8, height = 8 }
	lu.assertItemsEquals(annotated("collide.Canvas", "functions"), names_of(canvas))
end

function TestAnnotations.test_functions_of_opengl_canvases()
	local found, view = pcall(require, "collide.view")
	if not found then
		print "test_annotations: OpenGL's canvases are left out, the view module is not built: make view"
		return
	end
	local canvas = view.newCanvas { width = 8, height = 8, palette = require("collide.palette").light }
	lu.assertItemsEquals(annotated("collide.OpenGLCanvas", "functions"), names_of(canvas))
	lu.assertItemsEquals(annotated("collide.view", "functions"), names_of(view))
	canvas.close()
end

for name, dimensions in pairs { love = d2, lovr = d3 } do
	TestAnnotations["test_functions_of_draw_" .. name] = function()
		local expected = annotated("collide.draw." .. name, "functions")
		for _, field in ipairs(annotated("collide.draw." .. name, "fields")) do expected[#expected + 1] = field end
		local target = name == "lovr" and require "collide.draw.lovr" or engines.require_love(engines.new_love_graphics(100, 100))
		lu.assertItemsEquals(expected, names_of(target))
		-- Its own options: all but those of World:draw.
		local class = classes["collide." .. (name == "love" and "LoveDrawOptions" or "LovrDrawOptions")]
		for option in pairs(class.fields) do
			lu.assertFalse(pcall(function() dimensions.newWorld():draw({}, { [option] = 1 }) end))
			local _, problem = pcall(target.draw, dimensions.newWorld(), name == "love" and { [option] = {} } or engines.new_lovr_pass(), { [option] = {} })
			lu.assertNotStrContains(tostring(problem), "unknown key")
		end
	end
end

-- The host checks each field that is annotated. `setup` is the only one that a scenario must have.
function TestAnnotations.test_fields_of_scenarios()
	local set_up = require("collide.host.scenario").setUp
	local function fails(field)
		local scenario = { setup = function() return d2.newWorld() end }
		scenario[field] = true
		lu.assertErrorMsgContains("scenario." .. field .. " must be ", set_up, scenario, {})
	end
	for name in pairs(classes["collide.Scenario"].fields) do fails(name) end
end

function TestAnnotations.test_fields_of_cameras()
	local camera = require "collide.host.camera"
	for name in pairs(classes["collide.Camera"].fields) do
		local spec = { [name] = "far" }
		local checked = 0
		for _, world in ipairs { d2.newWorld(), d3.newWorld() } do
			local fine, message = pcall(camera.new, world, spec, 8, 8)
			if not fine and not message:find "unknown key" then -- of the other dimension
				lu.assertStrContains(message, "the camera's " .. name .. " must be a number")
				checked = checked + 1
			end
		end
		lu.assertTrue(checked > 0, name)
	end
	local made = camera.new(d3.newWorld(), nil, 8, 8)
	lu.assertEquals({ made.yaw, made.pitch, made.fov }, { 0.6, 0.35, 0.8 })
	lu.assertEquals(check_defaults("Camera", { getYaw = function() return made.yaw end, getPitch = function() return made.pitch end,
		getFov = function() return made.fov end }), 3)
end

-- Each function documents its parameters by name, an example that calls it, and errors if it takes parameters or changes its object.
for owner, class in pairs(classes) do
	for name, f in pairs(class.functions) do
		TestAnnotations["test_text_of_" .. owner .. "_" .. name] = function()
			local text = table.concat(f.comment, "\n")
			local example = text:match "\n?%-%-%-Example: `([^\n]*)`"
			lu.assertNotNil(example, "no example: " .. name)
			lu.assertStrContains(example, name)
			if name:match "^set" or name:match "^new" or name:match "^apply" then lu.assertStrContains(text, "---Raises ") end
			lu.assertEquals(table.concat(f.params, ", "), f.arguments)
		end
	end
end

-- The files contain only annotations, so loading them is harmless.
function TestAnnotations.test_it_is_lua()
	for _, path in ipairs(paths) do lu.assertNotNil(assert(loadfile(path))()) end
end
