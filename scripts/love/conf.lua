function love.conf(t)
	t.identity = "collide-towers" -- names the save directory, where LÖVE also looks for collide.so
	t.version = "11.4"
	t.window.title = "Towers"
	t.window.width, t.window.height = 1280, 720
	t.window.resizable = true
	t.window.msaa = 4
	t.modules.audio, t.modules.sound, t.modules.physics, t.modules.joystick, t.modules.video = false, false, false, false, false
end
