-- The colour of each meaning, in two themes: "#rrggbb", or "#rrggbbaa" for transparent ones. The colours of bodies are distinct for the colour-blind, too:
-- similar hues differ in lightness.

return {
	light = {
		static = "#bcb2a2",
		kinematic = "#2f9e78",
		awake = "#4a8fe0",
		sleeping = "#a9b7c6",
		bullet = "#e8622a",
		sensor = "#0c8f95",
		disabled = "#e2e0db",

		box = "#b0761f99",
		tree = "#7d8f2a73",
		contact = "#c4162f",
		normal = "#c4162f",
		impulse = "#e08a00",
		joint = "#6b3fa0",
		island = "#8a4fbf99",
		center = "#22262b",
		velocity = "#0f7a3a",
		name = "#3a3f45",

		background = "#faf8f4",
		grid = "#ebe7df",
		scale = "#6b6459",
		label = "#2b2f36",
		panel = "#ffffffdd",
		drag = "#d01c8b",
	},
	dark = {
		static = "#5c5851",
		kinematic = "#37b98b",
		awake = "#5a9df0",
		sleeping = "#52677e",
		bullet = "#ff8140",
		sensor = "#3cc7cc",
		disabled = "#404550",

		box = "#e0b04c8c",
		tree = "#b9cc5566",
		contact = "#ff5470",
		normal = "#ff5470",
		impulse = "#ffc145",
		joint = "#c3a0f5",
		island = "#b48ae899",
		center = "#f2f2f0",
		velocity = "#6fe08f",
		name = "#d0d4da",

		background = "#17191d",
		grid = "#24272d",
		scale = "#a3a9b3",
		label = "#e6e8eb",
		panel = "#22252bdd",
		drag = "#ff6ec7",
	},
}
