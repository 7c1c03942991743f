-- One picture of a world, on any canvas: shared by the pictures, films and the window of the host.

local error, select, type = error, select, type
local camera, run, shared = require "collide.host.camera", require "collide.host.scenario", require "collide.draw.shared"

local picture = { guardNames = shared.guardCanvas }

-- The camera of the options or else of the scenario; fields that they lack fit the scene.
function picture.newCamera(canvas, world, scenario, options)
	local width, height = canvas.getSize()
	local spec, given = options.camera or scenario.camera, options.camera
	local n = select("#", world:getGravity())
	if given and (given.distance ~= nil and n == 2 or given.height ~= nil and n == 3) then
		error(n == 2 and "--camera: in two dimensions it is X,Y,HEIGHT" or "--camera: in three dimensions it is X,Y,Z,DISTANCE,YAW,PITCH", 0)
	end
	if type(spec) == "function" then spec = spec(world, canvas) end
	return camera.new(world, spec, width, height)
end

-- options.draw: the options of world:draw; its `view` is set here. A camera function of the scenario is called for each picture, unless options.camera is
-- given or options.free says that the user has moved the camera. options.grid: false for none. `over(canvas)`, if given, draws last.
function picture.draw(canvas, cam, world, scenario, options, over)
	if type(scenario.camera) == "function" and not options.camera and not options.free then cam:set(scenario.camera(world, canvas)) end
	run.checkWorld(world)
	canvas.begin() -- first: it updates a window's size
	cam:apply(canvas)
	if options.grid ~= false then cam:drawGround(canvas) end

	local draw = options.draw
	if not draw then
		draw = {}
		options.draw = draw
	end
	if cam.dimensions == 2 then
		local view = draw.view
		if not view then
			view = {}
			draw.view = view
		end
		view[1], view[2], view[3], view[4] = cam:getView(canvas.getSize())
	end
	world:draw(canvas, draw)
	if options.grid ~= false then cam:drawScale(canvas) end

	local draw_over = run.functionOf(scenario, "draw")
	if draw_over then
		draw_over(canvas, world)
		run.checkWorld(world)
	end
	if over then over(canvas) end
	canvas.finish()
end

return picture
