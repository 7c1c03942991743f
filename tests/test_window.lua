-- The window, from outside: the host with --view under Xvfb, with keys and mouse events by xdotool. The scripts in it log their events. Before that, the spring
-- by which the mouse drags bodies, which needs no window.

local lu, support = require "luaunit", require "support"
local quote, shell = support.quote, support.shell
local collide = require "collide"
local d2, d3 = collide.d2, collide.d3
local camera, drag = require "collide.host.camera", require "collide.host.drag"

-- The spring ---------------------------------------------------------------------------------------------------------------------

TestDrag = {}

local w, zeta = 2 * math.pi * 5, 0.7
local overshoot = math.exp(-math.pi * zeta / math.sqrt(1 - zeta ^ 2)) -- of a damped oscillator, as a fraction of the distance

-- Drags a box by a point of it (`lever` right of its middle and above it) for so many seconds. Returns the greatest overshoot past the pointer and the distance
-- from it at the end, both as fractions of the initial distance, and the body.
local function pull(options)
	local dt, lever = options.dt or 1 / 60, options.lever or 0
	local world = d2.newWorld { gravity = { 0, options.gravity or 0 } }
	local mass = options.mass or 1
	local body = world:newBody { shape = d2.box(1, 1), mass = mass, inertia = mass / 6, locks = options.locks }
	local hand = drag.new(body, lever, lever)
	local way = options.way or 1
	hand:moveTo(lever + way, lever)
	local past = 0
	for _ = 1, math.ceil((options.seconds or 4) / dt) do
		lu.assertTrue(hand:pull(dt))
		world:step(dt)
		past = math.max(past, hand:getPoint() - lever - way)
	end
	local x, y = hand:getPoint()
	return past / way, math.sqrt((x - lever - way) ^ 2 + (y - lever) ^ 2) / way, body
end

-- The implicit integration only adds damping, so the overshoot of the continuous spring is a bound.
function TestDrag.test_the_overshoot_is_that_of_its_damping_at_most()
	for _, dt in ipairs { 1 / 1000, 1 / 240, 1 / 60, 1 / 30, 1 / 10 } do
		for _, mass in ipairs { 1e-3, 1, 1e6 } do
			for _, way in ipairs { 0.1, 1, 300 } do
				local past, distance = pull { dt = dt, mass = mass, way = way, seconds = 30 }
				lu.assertTrue(past <= overshoot + 1e-4, ("dt %g, mass %g, way %g: overshoot %g"):format(dt, mass, way, past))
				lu.assertTrue(distance < 1e-3, ("dt %g, mass %g, way %g: %g from the pointer"):format(dt, mass, way, distance))
			end
		end
	end
end

-- Dragged by a corner, the body swings about the point and comes to rest, for any step length.
function TestDrag.test_it_is_stable_by_a_corner_for_every_step_and_mass()
	for _, dt in ipairs { 1 / 1000, 1 / 60, 1 / 10 } do
		for _, mass in ipairs { 1e-3, 1, 1e6 } do
			local past, distance, body = pull { dt = dt, mass = mass, lever = 0.5, seconds = 6 }
			lu.assertTrue(past < 2 * overshoot, ("dt %g, mass %g: overshoot %g"):format(dt, mass, past))
			lu.assertTrue(distance < 0.01, ("dt %g, mass %g: %g from the pointer"):format(dt, mass, distance))
			lu.assertTrue(math.abs(body:getAngularVelocity()) < 0.2)
		end
	end
end

-- Force k C = m w^2 C against m g.
function TestDrag.test_a_hanging_body_sags_by_g_over_w_squared_at_any_mass()
	for _, dt in ipairs { 1 / 1000, 1 / 60, 1 / 10 } do
		for _, mass in ipairs { 1e-3, 1, 1e6 } do
			local _, sag = pull { dt = dt, mass = mass, gravity = -10, seconds = 5 }
			lu.assertAlmostEquals(sag, 10 / w ^ 2, 1e-4)
		end
	end
end

function TestDrag.test_locked_axes_do_not_move()
	local _, _, body = pull { locks = { y = true, rotation = true }, lever = 0.5 }
	local x, y, angle = body:getTransform()
	lu.assertAlmostEquals(x, 1, 1e-3)
	lu.assertEquals({ y, angle }, { 0, 0 })
	-- Rotated about its middle, it points at the pointer.
	_, _, body = pull { locks = { x = true, y = true }, lever = 0.5, way = -1 }
	x, y, angle = body:getTransform()
	lu.assertEquals({ x, y }, { 0, 0 })
	lu.assertAlmostEquals(angle, math.pi / 2, 1e-2)
end

function TestDrag.test_its_pull_is_limited()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.box(1, 1) }
	local hand = drag.new(body, 0, 0)
	hand:moveTo(1e6, 0)
	hand:pull(1 / 60)
	local vx = body:getLinearVelocity()
	lu.assertTrue(vx > 1 and vx < 30, "the speed is " .. vx)
end

function TestDrag.test_it_holds_only_dynamic_enabled_bodies_and_wakes_them()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local wall = world:newBody { type = "static", x = 5, shape = d2.box(1, 1) }
	local sleeper = world:newBody { shape = d2.box(1, 1), awake = false }
	local ghost = world:newBody { x = 9, shape = d2.box(1, 1), sensor = true }
	lu.assertNil(drag.grab(world, 5, 0, 0.01))
	lu.assertNil(drag.grab(world, 9, 0, 0.01))
	lu.assertNil(drag.grab(world, 0.6, 0, 0.01))
	lu.assertEquals(drag.grab(world, 0.55, 0, 0.01).body, sleeper) -- 5 pixels beside it
	local hand = drag.grab(world, 0.2, 0, 0.01)
	lu.assertEquals(hand.body, sleeper)
	hand:moveTo(1, 0)
	lu.assertTrue(hand:pull(1 / 60))
	lu.assertTrue(sleeper:isAwake())
	lu.assertEquals({ wall:getPosition() }, { 5, 0 })
	lu.assertEquals({ ghost:getPosition() }, { 9, 0 })
	sleeper:setEnabled(false)
	lu.assertFalse(hand:pull(1 / 60))
end

function TestDrag.test_it_releases_destroyed_bodies()
	local world = d2.newWorld()
	local body = world:newBody { shape = d2.box(1, 1) }
	local hand = drag.new(body, 0, 0)
	lu.assertTrue(hand:isValid())
	body:destroy()
	lu.assertFalse(hand:isValid())
	lu.assertFalse(hand:pull(1 / 60))
	hand:draw { segment = error, point = error }
	body = world:newBody { shape = d2.box(1, 1) }
	hand = drag.new(body, 0, 0)
	world:destroy()
	lu.assertFalse(hand:pull(1 / 60))
end

-- One impulse at one point: other bodies are unaffected, and energy comes only from the pointer's motion.
function TestDrag.test_a_pointer_at_rest_only_takes_energy()
	local world = d2.newWorld { gravity = { 0, 0 } }
	local body = world:newBody { shape = d2.box(1, 0.4), angularVelocity = 20, linearVelocity = { 0, 4 } }
	local other = world:newBody { x = 5, shape = d2.box(1, 1), linearVelocity = { 1, 0 } }
	local hand = drag.new(body, 0.4, 0)
	local function energy()
		local x, y = hand:getPoint()
		-- The spring's energy: k <= w^2 m, as the effective mass of a point is at most the mass.
		return body:getKineticEnergy() + 0.5 * w ^ 2 * body:getMass() * ((x - 0.4) ^ 2 + y ^ 2)
	end
	local most = energy()
	for _ = 1, 600 do
		hand:pull(1 / 240)
		world:step(1 / 240)
		lu.assertTrue(energy() <= 1.3 * most)
	end
	lu.assertTrue(energy() < 1e-3 * most)
	lu.assertEquals({ other:getLinearVelocity() }, { 1, 0 })
end

-- In 3D: a box of three different moments, rotated, held by a point off its centre.
local function pull_in_space(options)
	local dt = options.dt or 1 / 60
	local world = d3.newWorld { gravity = { 0, options.gravity or 0, 0 } }
	local s = collide.sin(0.4)
	local body = world:newBody { shape = d3.box(1, 0.5, 2), mass = options.mass or 1, rotation = { 0.6 * s, 0, 0.8 * s, collide.cos(0.4) }, locks = options.locks,
		angularVelocity = options.angularVelocity, linearVelocity = options.linearVelocity }
	local x, y, z = body:getWorldPoint(options.lever or 0, 0, 0.7 * (options.lever or 0))
	local hand = drag.new(body, x, y, z)
	hand:moveTo(x + (options.way or 0), y, z)
	local past = 0
	for _ = 1, (options.seconds or 4) / dt do
		lu.assertTrue(hand:pull(dt))
		if options.watch then options.watch(body, hand) end
		world:step(dt)
		past = math.max(past, hand:getPoint() - x - (options.way or 0))
	end
	local px, py, pz = hand:getPoint()
	return past, px - hand.x, py - hand.y, pz - hand.z, body
end

function TestDrag.test_in_space_the_overshoot_and_the_sag_are_those_of_the_plane()
	for _, dt in ipairs { 1 / 240, 1 / 60, 1 / 10 } do
		for _, mass in ipairs { 1e-3, 1e6 } do
			local past, x, y, z = pull_in_space { dt = dt, mass = mass, way = 3 }
			lu.assertTrue(past <= 3 * (overshoot + 1e-3), past)
			lu.assertTrue(math.abs(x) + math.abs(y) + math.abs(z) < 1e-3)
			local _, _, sag = pull_in_space { dt = dt, mass = mass, gravity = -10, seconds = 5 }
			lu.assertAlmostEquals(sag, -10 / w ^ 2, 2e-4)
			-- By a corner, it swings and comes to rest.
			past, x, y, z = pull_in_space { dt = dt, mass = mass, lever = 0.5, way = 3, seconds = 6 }
			lu.assertTrue(past < 6 * overshoot and math.abs(x) + math.abs(y) + math.abs(z) < 0.02)
		end
	end
end

function TestDrag.test_in_space_locked_axes_do_not_move()
	local _, x, _, _, body = pull_in_space { locks = { y = true, z = true, rotationX = true, rotationY = true, rotationZ = true }, lever = 0.5, way = 1 }
	lu.assertAlmostEquals(x, 0, 1e-3)
	local bx, by, bz = body:getPosition()
	lu.assertAlmostEquals(bx, 1, 1e-3)
	lu.assertEquals({ by, bz }, { 0, 0 })
	_, _, _, _, body = pull_in_space { locks = { x = true, y = true, z = true, rotationX = true, rotationZ = true }, lever = 0.5, way = 2 }
	lu.assertEquals({ body:getPosition() }, { 0, 0, 0 })
	lu.assertTrue(math.abs(body:getAngularVelocity()) < 1e-6)
end

function TestDrag.test_in_space_a_pointer_at_rest_only_takes_energy()
	local most
	local _, _, _, _, body = pull_in_space { lever = 0.4, angularVelocity = { 3, -9, 15 }, linearVelocity = { 1, 4, -2 }, dt = 1 / 240, watch = function(body, hand)
		local x, y, z = hand:getPoint()
		local energy = body:getKineticEnergy() + 0.5 * w ^ 2 * body:getMass() * ((x - hand.x) ^ 2 + (y - hand.y) ^ 2 + (z - hand.z) ^ 2)
		most = most or energy
		lu.assertTrue(energy <= 1.3 * most)
	end }
	lu.assertTrue(body:getKineticEnergy() < 1e-3 * most)
end

function TestDrag.test_in_space_it_holds_the_body_that_is_seen_at_the_pixel()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local front = world:newBody { z = 2, shape = d3.sphere(0.5) }
	world:newBody { z = -2, shape = d3.sphere(0.5) }
	world:newBody { type = "static", x = 2, z = 3, shape = d3.box(1, 1, 1) }
	local hidden = world:newBody { x = 2, shape = d3.sphere(0.5) }
	for _, fov in ipairs { 0.8, 0 } do
		local cam = camera.new(world, { x = 0, y = 0, z = 0, distance = 10, yaw = 0, pitch = 0, fov = fov }, 800, 600)
		local hand = drag.grabSeen(world, cam, 400, 300, 800, 600)
		lu.assertEquals(hand.body, front)
		lu.assertAlmostEquals(hand.z, 2.5, 1e-5)
		-- The pointer's point keeps its distance along the view.
		lu.assertAlmostEquals(cam:depthOf(hand.x, hand.y, hand.z), 7.5, 1e-5)
		local x, y, z = cam:toWorld(500, 300, 800, 600, 7.5)
		lu.assertTrue(x > 1 and math.abs(y) < 1e-9)
		lu.assertAlmostEquals(z, 2.5, 1e-9)
		-- 4 pixels beside its edge it is held, too, and 40 pixels beside it nothing.
		local edge = 400 + 300 * (fov > 0 and 0.5 / math.sqrt(8 * 8 - 0.25) / math.tan(0.4) or 0.5 / (10 * math.tan(0.4)))
		lu.assertEquals(drag.grabSeen(world, cam, edge + 4, 300, 800, 600).body, front)
		lu.assertNil(drag.grabSeen(world, cam, edge + 40, 300, 800, 600))
		-- The static box is in front of it.
		local scale = fov > 0 and 300 / math.tan(0.4) / 6.5 or 300 / (10 * math.tan(0.4))
		lu.assertNil(drag.grabSeen(world, cam, 400 + 2 * scale, 300, 800, 600))
		lu.assertTrue(hidden:isValid())
	end
end

-- A window under Xvfb -------------------------------------------------------------------------------------------------------------

local patience = 20 -- time limit on slow machines [s]
local host -- its absolute path
local folder -- of the test
local display -- "" when there is none
local server, window -- pipes that hold their processes: when this process ends, they end, too

local function read(path)
	return support.read(path) or ""
end

local function write(name, text)
	return support.write(folder .. "/" .. name, text)
end

-- Calls `ask` until its result is neither nil nor false.
local function wait_for(what, ask)
	local deadline = os.time() + patience
	repeat
		local answer = ask()
		if answer then return answer end
		shell "sleep 0.03"
	until os.time() > deadline
	error(("waited in vain for %s\nit wrote:\n%s\nit complained:\n%s")
		:format(what, read(folder .. "/log"):sub(-2000), read(folder .. "/err")), 2)
end

local function missing()
	for _, program in ipairs { "Xvfb", "xdotool" } do
		if shell("command -v " .. program) == "" then return program .. " is not installed" end
	end
	local found, problem = pcall(require, "collide.view")
	return not found and "the view module is not there: " .. problem:match "[^\n]*" or nil
end

local function start_server()
	host = shell("readlink -f " .. quote(arg[-1])):match "[^\n]+"
	local lack = missing()
	if lack then
		io.stdout:write("TestWindow is left out: ", lack, "\n")
		display = ""
		return
	end
	local said = os.tmpname()
	server = io.popen(([[exec 2>/dev/null; Xvfb -displayfd 3 -screen 0 800x600x24 -nolisten tcp 3>%s >/dev/null &
    pid=$!; cat >/dev/null; kill $pid; wait $pid]]):format(said), "w")
	folder = folder or ""
	display = ":" .. wait_for("Xvfb", function() return read(said):match "(%d+)\n" end)
	os.remove(said)
end

TestWindow = {}

function TestWindow.setUp()
	if not display then start_server() end
	if display == "" then lu.skip "no window can be opened" end
	folder = shell("mktemp -d"):match "[^\n]+"
end

function TestWindow.tearDown()
	if window then window:close() end
	window = nil
	if folder and folder ~= "" then shell("rm -r " .. quote(folder)) end
end

local function log()
	return read(folder .. "/log")
end

-- A script that logs its events, a line each. A box of 2 x 2 floats in the middle of 400 x 300 pixels, 20 a length. The key x logs the colours of the last
-- picture at some pixels.
local preamble = [[
  local d2 = require("collide").d2
  local file = io.open("log", "a")
  local function write(...) file:write(table.concat({ ... }, " "), "\n") file:flush() end
  local scenario = { name = "under test", camera = { x = 0, y = 0, height = 15 }, duration = 0.1 }
  local body, canvas
  function scenario.setup()
    local world = d2.newWorld { gravity = { 0, 0 }, sleeping = false } -- a sleeping box has another colour
    body = world:newBody { shape = d2.box(2, 2), name = "box" }
    world:newBody { type = "static", x = 8, shape = d2.box(1, 1) }
    write("setup")
    return world
  end
  function scenario.update(world, tick)
    local x, y = body:getPosition()
    write("tick", tick, ("%.3f %.3f"):format(x, y))
  end
  local function probe(px, py)
    write("pixel", px, py, ("#%02x%02x%02x"):format(canvas.pixel(px, py)))
  end
  function scenario.draw(target)
    if canvas == nil then write("ready", target.getSize()) end
    canvas = target
  end
  function scenario.key(name, down)
    write("key", name, tostring(down))
    if name == "x" and down then
      probe(207, 143) -- the box, off its middle
      probe(100, 75) -- background, no grid line
      probe(200, 75) -- a grid line
      write("probed")
    end
  end
  function scenario.pad(control, value, player) write("pad", control, ("%.2f"):format(value), player) end
  function scenario.mouse(kind, x, y, button)
    write("mouse", kind, ("%.2f %.2f"):format(x, y), tostring(button))
  end
]]

-- Opens a window on the script, and returns when it is visible.
local id
local function open(script, options, environment)
	write("script.lua", preamble .. script .. "\nreturn scenario\n")
	window = io.popen(([[exec 2>/dev/null; cd %s
    { DISPLAY=%s SDL_VIDEODRIVER=x11 %s %s --view --size 400x300 %s script.lua </dev/null >out 2>err & echo $! >pid; wait $!
      echo $? >code.new; mv code.new code; } &
    cat >/dev/null; [ -e code ] || kill -9 $(cat pid); wait]]):format(quote(folder), display, environment or "", quote(host), options or ""), "w")
	wait_for("the first picture", function() return log():find "ready 400 300\n" or read(folder .. "/code") ~= "" end)
	id = wait_for("the window", function()
		return shell(("DISPLAY=%s xdotool search --name 'under test' 2>/dev/null"):format(display)):match "%d+"
	end)
end

-- Keys and mouse, in xdotool's own commands; %w stands for the window.
local function act(commands)
	shell(("DISPLAY=%s xdotool windowfocus --sync %s %s 2>&1"):format(display, id, (commands:gsub("%%w", "--window " .. id))))
end

-- Acts, and waits until a new line of the log matches the pattern. Returns the captures.
local function expect(commands, pattern)
	local before = #log()
	act(commands)
	local captures
	wait_for(pattern, function()
		captures = { log():sub(before + 1):match(pattern) }
		return captures[1]
	end)
	return (table.unpack or unpack)(captures)
end

local function exit_code()
	return tonumber(wait_for("the end", function() return read(folder .. "/code"):match "%d+" end))
end

-- Quits by the key, so that another window can be opened. stopped: an error keeps the script from seeing it.
local function quit(stopped)
	if stopped then act "key q" else expect("key q", "key q (true)\n") end
	lu.assertEquals(exit_code(), 0)
	window:close()
	window = nil
	os.remove(folder .. "/log")
	os.remove(folder .. "/code")
end

-- The colours of the box, of the background, and of the grid.
local function colors()
	return expect("key x", "pixel 207 143 (%S+)\npixel 100 75 (%S+)\npixel 200 75 (%S+)\nprobed\n")
end

local function wait_for_color(what, ask)
	wait_for(what, function() return ask(colors()) end)
end

function TestWindow.test_the_mouse_drags_a_body()
	open "function scenario.mouse() end"
	expect("mousemove %w 200 150", "tick (%d+) 0.000 0.000\n")
	act "mousedown 1 mousemove %w 240 150 mousemove %w 280 130"
	expect("", "tick (%d+) [34]%.%d+ [01]%.%d+\n") -- on its way to 4, 1
	expect("", "tick (%d+) [34]%.[90][90]%d [01]%.[90][90]%d\n")
	act "mouseup 1"
	-- Released, nothing pulls it any more.
	expect("mousemove %w 100 100", "tick (%d+)")
	shell "sleep 0.3"
	local x = log():match "tick %d+ (%S+) %S+\n$"
	lu.assertTrue(tonumber(x) > 3, "it has followed to " .. x)
end

function TestWindow.test_the_mouse_drags_a_body_in_space()
	open [[
    local d3 = require("collide").d3
    scenario.camera = { x = 0, y = 0, z = 0, distance = 20, yaw = 0, pitch = 0, fov = 0.8 }
    function scenario.setup()
      local world = d3.newWorld { gravity = { 0, 0, 0 }, sleeping = false }
      body = world:newBody { shape = d3.sphere(1) }
      write("setup")
      return world
    end
    function scenario.mouse(kind, x1, y1, z1, x2, y2, z2, button)
      write("sight", x1, y1, z1, x2, y2, z2, tostring(button), kind)
    end
  ]]
	expect("mousemove %w 200 150", "tick (%d+) 0.000 0.000\n")
	act "mousedown 1 mousemove %w 240 150 mousemove %w 280 130"
	-- The point at the distance 19 follows to 4.28, 1.07; the centre follows the point.
	expect("", "tick (%d+) [345]%.%d+ [01]%.%d+\n")
	act "mouseup 1"
	-- The script is told of the ray from the eye through the pointer.
	local sight = { expect("mousemove %w 230 140", ("sight" .. (" (%S+)"):rep(6) .. " nil (%S+)\n")) }
	for i = 1, 6 do sight[i] = tonumber(sight[i]) end
	local unit = 2 * math.tan(0.4) / 300 -- of a pixel, at the distance 1 from the eye
	for i, value in ipairs { 0, 0, 20, 30 * unit * 20000, 10 * unit * 20000, -19980 } do lu.assertAlmostEquals(sight[i], value, 0.02) end
	-- Beside the body, the mouse orbits.
	expect("mousemove %w 20 20", "tick (%d+)")
	act "mousedown 1 mousemove %w 60 20 mouseup 1"
	lu.assertTrue(tonumber((log():match ".*tick %d+ (%S+) %S+\n")) > 2)
end

function TestWindow.test_pause_stops_time_and_steps_are_single()
	open ""
	expect("key space", "key space (false)\n")
	local before
	wait_for("time to stand", function()
		before = log()
		shell "sleep 0.3"
		return log() == before
	end)
	local tick = tonumber(before:match ".*tick (%d+)" or 0)
	for i = 1, 3 do
		lu.assertEquals(tonumber((expect(i == 2 and "key Right" or "key period", "tick (%d+)"))), tick + i)
	end
	shell "sleep 0.2"
	lu.assertEquals(tonumber(log():match ".*tick (%d+)"), tick + 3)
	lu.assertNotEquals(shell(("DISPLAY=%s xdotool getwindowname %s"):format(display, id)):find("paused", 1, true), nil)
	-- A restart keeps the pause.
	expect("key r", "(setup)\n")
	lu.assertEquals(expect("key period", "tick (%d+)"), "1")
	expect("key space", "tick (%d+)")
end

function TestWindow.test_toggles_theme_and_pictures()
	open("scenario.mouse = nil", "--theme light")
	act "key i" -- the read-out
	-- The line is darker than the background, a panel over it lighter.
	wait_for_color("no read-out", function(box, nothing, line)
		return box == "#4a8fe0" and nothing == "#faf8f4" and line < "#faf8f4"
	end)
	act "key 1"
	wait_for_color("no shapes", function(box) return box == "#faf8f4" end)
	act "key 1"
	wait_for_color("shapes", function(box) return box == "#4a8fe0" end)
	act "key t"
	wait_for_color("the dark theme", function(box, nothing) return box == "#5a9df0" and nothing == "#17191d" end)
	act "key t key g"
	wait_for_color("no grid", function(_, _, line) return line == "#faf8f4" end)
	act "key F1"
	wait_for_color("the help", function(_, nothing) return nothing ~= "#faf8f4" and nothing ~= "#17191d" end)
	act "key h"
	wait_for_color("no help", function(_, nothing) return nothing == "#faf8f4" end)
	for number = 1, 2 do
		act "key p"
		local png = wait_for("a picture", function()
			local text = read(folder .. ("/collide-%d.png"):format(number))
			return #text > 24 and text:sub(-8, -5) == "IEND" and text
		end)
		lu.assertEquals(png:sub(1, 8), "\137PNG\r\n\26\n")
		lu.assertEquals(png:sub(17, 24), "\0\0\1\144\0\0\1\44") -- 400 x 300
	end
end

-- A library that is loaded before SDL connects a virtual gamepad, uses its controls one after the other, and takes it away: see pad.c.
function TestWindow.test_gamepads()
	local library = folder .. "/pad.so"
	if shell("cc -shared -fPIC -o " .. library .. " tests/fuzz/pad.c -ldl 2>&1") ~= "" then lu.skip "pad.c cannot be compiled" end
	open("", nil, "LD_PRELOAD=" .. library)
	wait_for("the gamepad's removal", function() return log():find "pad dpleft 0.00" end)
	local seen = {}
	for control, value, player in log():gmatch "pad (%S+) (%S+) (%S+)\n" do
		lu.assertEquals(player, "1")
		seen[#seen + 1] = control .. " " .. value
	end
	lu.assertEquals(seen, { "a 1.00", "a 0.00", "leftx 0.50", "lefty 1.00", "lefty 0.00", "righttrigger 1.00", "dpleft 1.00",
		"leftx 0.00", "lefty 0.00", "righttrigger 0.00", "dpleft 0.00" })
end

local moved = "mouse moved (%S+) (%S+) nil\n"

function TestWindow.test_wheel_and_right_button_move_the_camera()
	open ""
	lu.assertEquals({ expect("mousemove %w 240 150", moved) }, { "2.00", "0.00" })
	lu.assertEquals({ expect("mousemove %w 300 50", moved) }, { "5.00", "5.00" })
	-- The point under the pointer stays; a point 60 pixels left of it was 3 lengths away and is closer now.
	act "mousemove %w 300 50 click 4"
	shell "sleep 0.2"
	lu.assertAlmostEquals(tonumber((expect("mousemove %w 240 50", moved))), 5 - 3 / 1.15, 0.02)
	lu.assertEquals({ expect("mousemove %w 300 50", moved) }, { "5.00", "5.00" })
	act "click 5"
	shell "sleep 0.2"
	act "mousemove %w 300 50 mousedown 3 mousemove %w 280 90 mouseup 3"
	shell "sleep 0.2"
	-- The point under the pointer moved with it.
	local x, y = expect("mousemove %w 260 90", moved)
	lu.assertAlmostEquals(tonumber(x), 4, 0.02)
	lu.assertAlmostEquals(tonumber(y), 5, 0.02)
end

function TestWindow.test_the_script_handles_events_first()
	open [[
    local key, mouse = scenario.key, scenario.mouse
    function scenario.key(name, down) key(name, down) return name == "q" or name == "space" end
    function scenario.mouse(...) mouse(...) return true end
  ]]
	expect("mousemove %w 10 10 mousemove %w 200 150", moved)
	expect("keydown space", "key space (true)\n")
	expect("keyup space", "key space (false)\n")
	expect("key q", "key q (false)\n")
	expect("mousedown 1", "mouse pressed (0.00) 0.00 left\n")
	lu.assertEquals({ expect("mousemove %w 280 130", moved) }, { "4.00", "1.00" })
	expect("mouseup 1", "mouse released (4.00) 1.00 left\n")
	expect("click 2", "mouse released (4.00) 1.00 middle\n")
	expect("click 3", "mouse released (4.00) 1.00 right\n")
	-- The keys neither paused nor quit, and the mouse did not drag the body.
	expect("", "tick (%d+) 0.000 0.000\n")
	lu.assertEquals(read(folder .. "/code"), "")
end

-- The repetitions of a key that is held belong to whoever has taken it; nobody takes escape.
function TestWindow.test_a_key_that_the_script_takes_is_its_own_while_held()
	open [[
    local key = scenario.key
    function scenario.key(...) key(...) return true end
  ]]
	act "keydown Right"
	wait_for("the key", function() return log():find "key right true\n" end)
	shell "sleep 1" -- repeated keys come after 0.66 s
	expect("keyup Right", "key right (false)\n")
	local _, presses = log():gsub("key right true", "")
	lu.assertEquals(presses, 1)
	lu.assertNil(shell(("DISPLAY=%s xdotool getwindowname %s"):format(display, id)):find("paused", 1, true))
	expect("", "(tick %d+)")
	expect("key q", "key q (false)\n")
	lu.assertEquals(read(folder .. "/code"), "")
	act "key Escape"
	lu.assertEquals(exit_code(), 0)
	lu.assertNil(log():find "key escape")
end

function TestWindow.test_watch_reads_again_and_keeps_the_camera()
	open("", "--watch")
	act "mousemove %w 300 50 click 4 click 4"
	shell "sleep 0.2"
	local x = expect("mousemove %w 240 50", moved)
	lu.assertAlmostEquals(tonumber(x), 5 - 3 / 1.15 ^ 2, 0.02)
	write("script.lua", "return 1 +")
	wait_for("a complaint", function() return read(folder .. "/err"):find "script.lua:1: unexpected symbol" end)
	write("script.lua", (preamble:gsub('write%("setup"%)', 'write("setup anew")')) .. "\nreturn scenario\n")
	wait_for("the new script", function() return log():find "setup anew\n" and log():find "setup anew\n.*tick 1 " end)
	expect("mousemove %w 300 50", moved)
	lu.assertEquals(expect("mousemove %w 240 50", moved), x)
	expect("key q", "key q (true)\n")
	lu.assertEquals(exit_code(), 0)
end

-- Any object with a world's methods is a 3D world: here, a ball that the script draws itself.
function TestWindow.test_space_is_orbited()
	open [[
    local function zero() return 0 end
    local function ball(target) target.solidCircle("awake", 4, 0, 0, 1) end
    local space = {
      step = function() end, hash = function() return "0" end, getGravity = function() return 0, -10, 0 end,
      draw = function(_, target) ball(target) end, getProfile = function(_, into) return into end,
      getBodies = function() return {} end, raycast = function() end, setSubsteps = zero, setWorkers = zero,
    }
    for _, count in ipairs { "Body", "Awake", "Contact", "Touching", "Island" } do space["get" .. count .. "Count"] = zero end
    scenario.camera = { x = 0, y = 0, z = 0, distance = 20, yaw = 0, pitch = 0, fov = 0.8 }
    function scenario.setup() write("setup") return space end
    function scenario.update() end
    function scenario.key(name, down)
      if name ~= "x" or not down then return end
      local least, most, height = 400, -1, 0
      for px = 0, 399 do
        local r, _, b = canvas.pixel(px, 147) -- beside the ground, which is seen from its edge
        if b > 1.5 * r then least, most = math.min(least, px), math.max(most, px) end
      end
      write("ball", math.floor((least + most) / 2), most - least)
      write("probed")
    end
  ]]
	local function ball()
		local middle, size = expect("key x", "ball (%S+) (%S+)\nprobed\n")
		return tonumber(middle), tonumber(size)
	end
	-- 4 lengths to the right, at a distance of 20: 150 pixels are 20 tan 0.4 lengths.
	local scale = 150 / (20 * math.tan(0.4))
	act "key i"
	local middle, size
	wait_for("the ball", function() middle, size = ball() return size > 10 end)
	lu.assertAlmostEquals(middle, 200 + 4 * scale, 3)
	lu.assertAlmostEquals(size, 2 * scale, 4)
	-- Rotated by a right angle, it is in the middle and nearer or farther away, by 4 lengths.
	local function drag_by(button, dx) -- no faster than a hand
		for _, commands in ipairs { "mousemove %w 50 250", "mousedown " .. button, "mousemove %w 60 250",
			("mousemove %%w %d 250"):format(50 + dx), "mouseup " .. button } do
			act(commands)
			shell "sleep 0.1"
		end
	end
	drag_by(1, math.floor(math.pi / 2 / 0.008))
	wait_for("the turn", function() middle, size = ball() return math.abs(middle - 200) < 5 end)
	lu.assertTrue(math.abs(size - 2 * scale * 20 / 16) < 5 or math.abs(size - 2 * scale * 20 / 24) < 5, size)
	local before = size
	act "click 4 click 4"
	wait_for("the zoom", function() middle, size = ball() return size > 1.15 * before end)
	drag_by(3, 60)
	-- The target moves by 60 pixels; the ball is 4 lengths farther away or nearer.
	wait_for("the pan", function() middle = ball() return middle > 240 end)
end

function TestWindow.test_errors_do_not_end_it()
	for _, where in ipairs { "update", "draw" } do
		open(([[
      local key, set_up, broken = scenario.key, scenario.setup, false
      function scenario.key(name, down) key(name, down) if name == "b" then broken = true end end
      function scenario.setup() broken = false return set_up() end
      local old = scenario.%s
      function scenario.%s(...) if broken then error "oh no" end return old(...) end
    ]]):format(where, where))
		expect("key b", "key b (true)\n")
		wait_for("the error", function() return read(folder .. "/err"):find "script.lua:%d+: oh no\nstack traceback:\n" end)
		shell "sleep 0.4"
		local _, count = read(folder .. "/err"):gsub("oh no", "")
		lu.assertEquals(count, 1)
		lu.assertEquals(read(folder .. "/code"), "")
		-- Time stops; a restart recovers, by this script's setup.
		local before = log()
		shell "sleep 0.2"
		lu.assertEquals(log(), before)
		expect("key r", "setup\n.*tick (1) ")
		quit()
	end
end

function TestWindow.test_ways_to_end_and_exit_codes()
	open("", "--steps 40")
	lu.assertEquals(exit_code(), 0)
	lu.assertEquals(log():match ".*tick (%d+)", "40")
	window:close()
	os.remove(folder .. "/code")
	os.remove(folder .. "/log")
	open ""
	shell("kill -INT $(cat " .. quote(folder .. "/pid") .. ")")
	lu.assertEquals(exit_code(), 130)
	lu.assertEquals(read(folder .. "/err"), "")
end

-- The world is destroyed in the middle of it; the window stays, and r sets up a new one.
function TestWindow.test_a_destroyed_world_does_not_end_it()
	for _, where in ipairs { "update", "draw", "key", "mouse" } do
		open(([[
      local key, set_up, broken, world = scenario.key, scenario.setup, false
      function scenario.setup() broken, world = false, set_up() return world end
      function scenario.key(name, down) key(name, down) if name == "b" then broken = true end end
      local old = scenario.%s
      function scenario.%s(...)
        local result = old(...)
        if broken then world:destroy() end
        return result
      end
    ]]):format(where, where))
		expect("key b mousemove %w 30 30 mousemove %w 40 40", "key b (true)\n")
		wait_for("the error", function() return read(folder .. "/err") == "host: the scenario has destroyed its world\n" end)
		act "key f mousemove %w 200 150 click 1"
		expect("key r", "setup\n.*tick (1) ")
		quit()
	end
end

function TestWindow.test_functions_that_a_run_has_replaced_are_named()
	for name, event in pairs { mouse = "mousemove %w 40 40", key = "key c", update = "key c", draw = "key c" } do
		open(([[
      local key = scenario.key
      function scenario.key(name, down)
        key(name, down)
        if name == "b" and not down then scenario.%s = 5 end
      end
    ]]):format(name))
		expect("key b", "key b (false)\n")
		act(event)
		wait_for("the error", function() return read(folder .. "/err") == "host: scenario." .. name .. " must be a function, got 5\n" end)
		quit(true)
	end
end

function TestWindow.test_a_setup_that_fails_ends_it()
	local path = write("script.lua", "return { setup = function() error 'no world' end }")
	local code = shell(("DISPLAY=%s SDL_VIDEODRIVER=x11 %s --view %s 2>%s/err; echo $?")
		:format(display, quote(host), quote(path), quote(folder)))
	lu.assertEquals(code, "1\n")
	lu.assertStrContains(read(folder .. "/err"), "no world\nstack traceback:")
end

function TestWindow.test_without_a_display_there_is_an_error_in_one_line()
	local path = write("script.lua", "return { setup = function() return require('collide').d2.newWorld() end }")
	-- No display, an unreachable one, and SDL drivers that show nothing.
	for _, variables in ipairs { "", "DISPLAY=:4711", "SDL_VIDEODRIVER=offscreen", "SDL_VIDEODRIVER=dummy" } do
		local code = shell(("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER %s timeout 20 %s --view %s 2>%s/err; echo $?")
			:format(variables, quote(host), quote(path), quote(folder)))
		local said = read(folder .. "/err"):gsub("error: XDG_RUNTIME_DIR[^\n]*\n", "") -- Wayland's library, not ours
		lu.assertEquals(said, "host: --view needs a display: use --shot or --film on a machine without one\n", variables)
		lu.assertEquals(code, "1\n")
	end
end
