-- 160 ragdolls of 23 bones fall on a mesh of low waves in 16 piles of ten, and motors hold them in a pose: bones, masses, joints, pose, positions and
-- friction of Jolt's scene "Ragdoll", on another ground. The first argument is the motion quality, discrete, statics or bullets; the second the number of
-- piles a side.
-- Source of the measures: Jolt's ragdoll of Aloy from Horizon Zero Dawn, which Guerrilla Games released under the MIT licence, as Jolt stabilizes it.
local collide = require "collide"
local d3 = collide.d3
local twins = require "twins"

local scenario = { name = "ragdolls3d", duration = 500 / 60, brief = { duration = 2, args = { "statics", "1" } } }
local pile_size, spacing, rise = 10, 4, 0.6 -- [1], [m], [m]
local friction, restitution = 0.15, 0.05
local bodies, ground

-- place and turn: the bone's position and rotation in the pose; center and inertia (xx, yy, zz, xy, xz, yz): in the bone's frame, whose origin is its joint;
-- anchorA: in the parent's frame; rotationA and B: of the joint's frame, whose z axis is the twist axis; swing, lower and upper: limits [rad], where Jolt's
-- cone is an ellipse and swing is its geometric mean; target: of the motors. Grouped bones of a ragdoll do not collide with each other.
local bones = {
	{
		name = "hips", place = { 0, 0, 0 }, turn = { -0.58091, 0.66246, 0.47293, -0.00529 },
		mass = 5.37161, center = { 0.0001, -0.03911, 0.00002 }, inertia = { 0.10756, 0.10756, 0.10756, 0, 0, 0 },
		shapes = { d3.capsule(-0.07299, -0.03881, -0.0002, 0.07319, -0.0394, 0.00024, 0.10589) },
	},
	{
		name = "thigh right", parent = 1, place = { 0.03421, 0.0813, 0.05669 }, turn = { -0.08347, 0.41169, -0.67646, 0.60493 },
		mass = 4.51018, center = { 0.0042, 0.23969, -0.01152 }, inertia = { 0.07803, 0.07092, 0.07803, 0.00013, 0, -0.00017 },
		shapes = { d3.taperedCapsule(0.00126, 0.39642, -0.00768, 0.06, 0.00677, 0.10295, -0.01488, 0.08) },
		anchorA = { -0.10485, -0.00022, 0.00008 }, rotationA = { 0.59765, -0.09557, -0.06461, 0.79341 },
		rotationB = { 0.70641, -0.01118, -0.03126, -0.70702 },
		swing = 0.6839, lower = -0.5781, upper = 0.5781, target = { -0.13241, -0.13748, 0.08759, -0.9777 },
	},
	{
		name = "calf right", parent = 2, place = { 0.38043, 0.11403, -0.24717 }, turn = { 0.3674, 0.01825, -0.72908, 0.57717 },
		mass = 3.60814, center = { -0.00068, 0.18395, 0.00233 }, inertia = { 0.05684, 0.01411, 0.05681, -0.00002, 0, 0.00124 },
		shapes = { d3.taperedCapsule(-0.00058, 0.35545, -0.00263, 0.04, -0.00076, 0.03244, 0.00672, 0.06) },
		anchorA = { 0, 0.46181, 0 }, rotationA = { -0.25709, 0.00603, -0.01507, 0.96625 },
		rotationB = { -0.70701, 0.01144, -0.01184, 0.70701 },
		swing = 0.5358, lower = -0.1745, upper = 0.1745, target = { 0.06928, -0.03924, 0.13732, 0.98732 },
	},
	{
		name = "foot right", parent = 3, place = { 0.71232, -0.01527, -0.09287 }, turn = { -0.05302, -0.40886, 0.79599, -0.44319 },
		mass = 2.88651, center = { -0.00034, 0.07952, 0.00707 }, inertia = { 0.01343, 0.00555, 0.01168, 0, 0, 0.00452 },
		shapes = { d3.box(0.08887, 0.07226, 0.22494, { x = -0.00034, y = 0.07952, z = 0.00707, qx = 0.51569, qy = -0.00004, qz = -0.00033, qw = 0.85677 }) },
		anchorA = { 0, 0.38817, 0 }, rotationA = { 0.97145, 0.00103, -0.00587, -0.23718 },
		rotationB = { 0.70704, 0.01845, 0.01006, -0.70686 },
		swing = 0.7192, lower = -0.3505, upper = 0.3505, target = { 0.08891, 0.25929, 0.10545, 0.9559 },
	},
	{
		name = "thigh left", parent = 1, place = { -0.03395, -0.08115, -0.05706 }, turn = { -0.624, 0.62931, 0.40788, -0.21959 },
		mass = 4.51209, center = { -0.00453, -0.23962, 0.01148 }, inertia = { 0.07812, 0.07095, 0.07812, 0.00014, 0, -0.00018 },
		shapes = { d3.taperedCapsule(-0.00151, -0.39644, 0.00763, 0.06, -0.00717, -0.10279, 0.01483, 0.08) },
		anchorA = { 0.10485, -0.00023, 0.00008 }, rotationA = { 0.59626, 0.11141, 0.08444, 0.79053 },
		rotationB = { 0.70706, 0.04946, 0.00678, 0.70539 },
		swing = 0.6825, lower = -0.5781, upper = 0.5781, target = { 0.07554, -0.01554, -0.21052, 0.97454 },
	},
	{
		name = "calf left", parent = 5, place = { 0.24602, -0.02966, -0.4207 }, turn = { -0.68133, 0.69201, -0.08721, 0.22206 },
		mass = 3.60967, center = { 0.00058, -0.18388, -0.00237 }, inertia = { 0.05687, 0.01411, 0.05683, 0, 0, 0.00124 },
		shapes = { d3.taperedCapsule(0.00057, -0.35538, 0.00259, 0.04, 0.00059, -0.03237, -0.00676, 0.06) },
		anchorA = { 0, -0.46181, 0 }, rotationA = { -0.96631, 0.01102, 0.00471, -0.2571 },
		rotationB = { -0.70705, 0.00863, 0.00863, -0.70705 },
		swing = 0.5046, lower = -0.1745, upper = 0.1745, target = { 0.15074, -0.08571, -0.01311, 0.98476 },
	},
	{
		name = "foot left", parent = 6, place = { 0.59702, -0.05154, -0.25639 }, turn = { 0.7557, -0.60532, -0.22833, 0.10189 },
		mass = 2.88774, center = { 0.00326, -0.09258, -0.01385 }, inertia = { 0.01343, 0.00611, 0.01113, 0, 0, 0.00485 },
		shapes = { d3.box(0.08887, 0.07226, 0.22494, { x = 0.00326, y = -0.09258, z = -0.01385, qx = 0.87173, qy = 0, qz = 0, qw = -0.48999 }) },
		anchorA = { 0, -0.38817, 0 }, rotationA = { 0.23717, -0.00747, -0.00121, 0.97144 },
		rotationB = { 0.70705, -0.0197, 0.00895, 0.70683 },
		swing = 0.7034, lower = -0.3137, upper = 0.3137, target = { -0.07838, 0.06902, 0.00317, -0.99453 },
	},
	{
		name = "spine 1", parent = 1, place = { -0.04239, -0.00678, 0.03508 }, turn = { -0.58126, 0.67637, 0.45217, 0.01383 },
		mass = 4.29729, center = { 0, 0.01907, 0.00826 }, inertia = { 0.05359, 0.05359, 0.05359, 0, 0, 0 },
		shapes = { d3.capsule(-0.07517, 0.01907, 0.00826, 0.07517, 0.01907, 0.00826, 0.06883) },
		anchorA = { 0, 0.05544, 0 }, rotationA = { -0.70711, -0.00043, 0.00043, 0.70711 },
		rotationB = { -0.70626, -0.00043, 0.00043, 0.70795 },
		swing = 0.4649, lower = -0.4439, upper = 0.4439, target = { 0.03263, 0.00109, -0.00056, 0.99947 },
	},
	{
		name = "spine 2", parent = 8, place = { -0.08154, -0.01092, 0.06427 }, turn = { -0.58534, 0.69933, 0.40712, 0.05077 },
		mass = 3.43783, center = { 0, 0.06776, 0.01164 }, inertia = { 0.03474, 0.03474, 0.03474, 0, 0, 0 },
		shapes = { d3.capsule(-0.06968, 0.06776, 0.01164, 0.06968, 0.06776, 0.01164, 0.06016) },
		anchorA = { 0, 0.049, 0 }, rotationA = { -0.70704, 0.00611, -0.00594, 0.70712 },
		rotationB = { -0.70705, 0.00608, -0.00594, 0.70712 },
		swing = 0.5313, lower = -0.3731, upper = 0.3731, target = { 0.0622, 0.00671, 0.0044, 0.99803 },
	},
	{
		name = "spine 3", parent = 9, place = { -0.12368, -0.01174, 0.08925 }, turn = { -0.5869, 0.72788, 0.33788, 0.10755 },
		mass = 4.12539, center = { 0, 0.12401, 0.01649 }, inertia = { 0.05483, 0.05483, 0.05483, 0, 0, 0 },
		shapes = { d3.capsule(-0.04494, 0.12401, 0.01649, 0.04494, 0.12401, 0.01649, 0.09763) },
		anchorA = { 0, 0.049, 0 }, rotationA = { -0.7071, -0.00197, 0.00196, 0.7071 },
		rotationB = { -0.70626, -0.00197, 0.00196, 0.70795 },
		swing = 0.4965, lower = -0.4238, upper = 0.4238, target = { 0.0944, 0.01101, 0.00237, 0.99547 },
	},
	{
		name = "chest", grouped = true, parent = 10, place = { -0.21453, -0.00363, 0.12509 }, turn = { -0.58444, 0.74965, 0.26499, 0.16201 },
		mass = 3.30032, center = { 0, 0.10048, -0.00151 }, inertia = { 0.03346, 0.03346, 0.03346, 0, 0, 0 },
		shapes = { d3.capsule(-0.02297, 0.10048, -0.00151, 0.02297, 0.10048, -0.00151, 0.09708) },
		anchorA = { 0, 0.098, 0 }, rotationA = { -0.70711, 0.00016, -0.00016, 0.70711 },
		rotationB = { -0.70626, 0.00016, -0.00016, 0.70795 },
		swing = 0.4106, lower = -0.4264, upper = 0.4264, target = { 0.09383, 0.01167, 0.00468, 0.99551 },
	},
	{
		name = "collar left", grouped = true, parent = 11, place = { -0.41945, 0.04544, 0.13972 }, turn = { 0.28919, 0.27354, -0.31028, 0.86329 },
		mass = 2.64025, center = { 0.02348, -0.10322, 0.01959 }, inertia = { 0.00846, 0.00846, 0.00846, 0, 0, 0 },
		shapes = { d3.capsule(0.02404, -0.10683, 0.0346, 0.02292, -0.09961, 0.00458, 0.05278) },
		anchorA = { 0.0073, 0.20886, 0.03068 }, rotationA = { -0.84069, 0.07645, -0.53585, -0.01617 },
		rotationB = { -0.36678, -0.52304, 0.43311, -0.63586 },
		swing = 0.6927, lower = -0.3491, upper = 0.3491, target = { 0.09579, 0.15573, -0.18904, 0.9648 },
	},
	{
		name = "upper arm left", parent = 12, place = { -0.47598, -0.08153, 0.04811 }, turn = { 0.54786, 0.49663, 0.43399, 0.51465 },
		mass = 3.1683, center = { 0.00277, -0.11805, 0.00193 }, inertia = { 0.03129, 0.02171, 0.03133, 0.00066, 0.00002, -0.00024 },
		shapes = { d3.taperedCapsule(-0.00519, -0.00287, 0.00476, 0.05, 0.01104, -0.23771, -0.00102, 0.04551) },
		anchorA = { 0.07046, -0.1507, 0.00582 }, rotationA = { -0.32664, -0.68117, 0.2136, -0.61943 },
		rotationB = { -0.47322, -0.4737, 0.52545, -0.52495 },
		swing = 0.9947, lower = -1.373, upper = 1.373, target = { -0.24549, 0.19087, -0.56867, 0.76152 },
	},
	{
		name = "lower arm left", parent = 13, place = { -0.50138, -0.08753, -0.21121 }, turn = { 0.66092, 0.71514, -0.22615, 0.02488 },
		mass = 2.53464, center = { 0.00534, -0.12671, 0.00244 }, inertia = { 0.01837, 0.0033, 0.01836, 0.00013, 0, -0.00032 },
		shapes = { d3.taperedCapsule(0.00631, -0.24036, 0.00002, 0.02959, 0.00446, -0.02346, 0.00465, 0.04) },
		anchorA = { 0, -0.26063, 0 }, rotationA = { 0.98902, 0.00048, -0.00007, 0.14781 },
		rotationB = { 0.7071, -0.00543, 0.00526, 0.70708 },
		swing = 0.7105, lower = -0.3927, upper = 0.3927, target = { 0.22553, -0.12231, 0.16535, 0.95228 },
	},
	{
		name = "hand left", parent = 14, place = { -0.73313, -0.09336, -0.14082 }, turn = { 0.64531, 0.74549, -0.15466, -0.0624 },
		mass = 2.02771, center = { 0.02774, -0.06703, 0 }, inertia = { 0.00316, 0.001, 0.00329, 0.00055, 0, 0 },
		shapes = { d3.capsule(0.03794, -0.10953, 0, 0.01754, -0.02454, 0, 0.03025) },
		anchorA = { 0.00001, -0.24227, 0 }, rotationA = { 0.55844, 0.43365, -0.43422, 0.55817 },
		rotationB = { 0.56095, 0.43051, -0.4309, 0.56064 },
		swing = 0.8494, lower = -0.9202, upper = 0.9202, target = { -0.04733, 0.01304, 0.10117, -0.99366 },
	},
	{
		name = "collar right", grouped = true, parent = 11, place = { -0.41559, 0.05698, 0.14779 }, turn = { -0.09909, 0.89722, 0.42857, 0.03883 },
		mass = 2.64025, center = { -0.0251, 0.10049, -0.02179 }, inertia = { 0.00846, 0.00846, 0.00846, 0, 0, 0 },
		shapes = { d3.capsule(-0.02453, 0.09688, -0.00678, -0.02566, 0.1041, -0.0368, 0.05278) },
		anchorA = { -0.0073, 0.20886, 0.03068 }, rotationA = { -0.83922, -0.08503, 0.53436, -0.05416 },
		rotationB = { -0.63941, 0.42589, 0.52082, 0.3722 },
		swing = 0.6927, lower = -0.3491, upper = 0.3491, target = { 0.15075, 0.00856, 0.048, 0.98737 },
	},
	{
		name = "upper arm right", parent = 16, place = { -0.37845, 0.15503, 0.27709 }, turn = { 0.60418, 0.72397, -0.30828, 0.12571 },
		mass = 3.1683, center = { -0.0024, 0.11874, -0.00172 }, inertia = { 0.03128, 0.02171, 0.03133, 0.00067, 0.00002, -0.00024 },
		shapes = { d3.taperedCapsule(0.00567, 0.00357, -0.00463, 0.05, -0.01079, 0.23839, 0.0013, 0.04551) },
		anchorA = { -0.07046, 0.1507, -0.00582 }, rotationA = { -0.45041, 0.21357, 0.76719, 0.40365 },
		rotationB = { -0.47233, 0.47418, 0.52621, 0.52455 },
		swing = 0.9947, lower = -1.373, upper = 1.373, target = { -0.50154, -0.36208, -0.33762, 0.70949 },
	},
	{
		name = "lower arm right", parent = 17, place = { -0.13025, 0.17584, 0.20034 }, turn = { -0.28724, -0.55078, 0.72589, 0.29533 },
		mass = 2.53464, center = { -0.00525, 0.12745, -0.00233 }, inertia = { 0.01836, 0.0033, 0.01836, 0.00015, 0, -0.00033 },
		shapes = { d3.taperedCapsule(-0.00634, 0.2411, 0.00017, 0.02959, -0.00425, 0.02421, -0.00459, 0.04) },
		anchorA = { 0, 0.26063, 0 }, rotationA = { -0.12561, -0.02541, 0.00213, 0.99175 },
		rotationB = { -0.70624, -0.03505, -0.03507, 0.70624 },
		swing = 0.7067, lower = -0.3927, upper = 0.3927, target = { -0.03178, 0.22452, -0.28612, 0.93098 },
	},
	{
		name = "hand right", parent = 18, place = { -0.15746, 0.12283, -0.03449 }, turn = { -0.41799, -0.38553, 0.73484, 0.36968 },
		mass = 2.02771, center = { -0.02369, 0.07197, -0.00162 }, inertia = { 0.00316, 0.001, 0.00329, 0.00055, 0, 0 },
		shapes = { d3.capsule(-0.03393, 0.11446, -0.0016, -0.01344, 0.02949, -0.00165, 0.03025) },
		anchorA = { 0, 0.24227, 0 }, rotationA = { -0.55834, 0.4345, 0.43339, 0.55825 },
		rotationB = { -0.56082, 0.43118, 0.43025, 0.56076 },
		swing = 0.8494, lower = -0.9202, upper = 0.9202, target = { 0.03906, 0.12131, -0.17652, -0.97601 },
	},
	{
		name = "neck 1", grouped = true, parent = 11, place = { -0.41051, 0.01041, 0.19876 }, turn = { -0.60342, 0.75496, 0.11702, 0.22853 },
		mass = 2.64025, center = { 0, 0.01904, 0.00591 }, inertia = { 0.01142, 0.01142, 0.01142, 0, 0, 0 },
		shapes = { d3.capsule(0, 0.02856, 0.03091, 0, 0.00952, -0.01909, 0.05485) },
		anchorA = { 0, 0.20635, -0.03812 }, rotationA = { -0.56499, 0.02653, -0.01568, 0.82452 },
		rotationB = { -0.70677, 0.02179, -0.02179, 0.70677 },
		swing = 0.5347, lower = -0.5, upper = 0.5, target = { -0.03726, 0.05978, 0.02779, 0.99713 },
	},
	{
		name = "neck 2", grouped = true, parent = 20, place = { -0.4626, 0.02361, 0.19341 }, turn = { 0.68131, -0.66879, -0.29419, -0.04468 },
		mass = 2.1122, center = { 0.0001, 0.02893, -0.00178 }, inertia = { 0.0075, 0.0075, 0.0075, 0, 0, 0 },
		shapes = {
			d3.capsule(-0.0286, 0.03312, -0.02658, -0.0286, 0.02473, 0.02302, 0.03049),
			d3.capsule(0.02881, 0.03312, -0.02658, 0.02881, 0.02473, 0.02302, 0.03049),
		},
		anchorA = { 0, 0.054, 0 }, rotationA = { -0.84499, 0.02026, -0.03151, 0.53347 },
		rotationB = { -0.70661, 0.02649, -0.02649, 0.70661 },
		swing = 0.4703, lower = -0.5012, upper = 0.5012, target = { -0.05629, 0.04291, 0.0271, 0.99712 },
	},
	{
		name = "neck 3", parent = 21, place = { -0.51323, 0.01813, 0.21137 }, turn = { 0.6994, -0.63141, -0.33421, -0.02177 },
		mass = 2.35039, center = { 0.00076, 0.02607, 0.02624 }, inertia = { 0.01015, 0.01015, 0.01015, 0, 0, 0 },
		shapes = {
			d3.capsule(-0.0221, 0.01283, 0.07194, -0.0221, 0.0393, -0.01946, 0.02681),
			d3.capsule(0.02363, 0.01283, 0.07194, 0.02363, 0.0393, -0.01946, 0.02681),
		},
		anchorA = { 0, 0.054, 0 }, rotationA = { -0.70318, -0.0068, 0.00684, 0.71094 },
		rotationB = { -0.70623, -0.00683, 0.00681, 0.70792 },
		swing = 0.548, lower = -0.4086, upper = 0.4086, target = { -0.05862, 0.02899, -0.00744, 0.99783 },
	},
	{
		name = "head", grouped = true, parent = 22, place = { -0.56171, 0.00724, 0.23251 }, turn = { 0.80522, -0.5385, -0.24621, -0.03192 },
		mass = 2.82047, center = { 0, 0.048, 0.01854 }, inertia = { 0.01031, 0.00955, 0.00906, 0, 0, 0.00097 },
		shapes = { d3.capsule(0, 0.05928, 0.00408, 0, 0.03673, 0.03299, 0.08324) },
		anchorA = { 0, 0.054, 0 }, rotationA = { -0.59827, 0.00933, -0.0125, 0.80114 },
		rotationB = { -0.70696, 0.01421, -0.01421, 0.70696 },
		swing = 0.7278, lower = -0.5, upper = 0.5, target = { -0.11554, 0.1529, 0.06824, 0.97909 },
	},
}

-- A vector and a quaternion rotated about y, from sine and cosine of half the angle.
local function turn_vector(v, s, c)
	local sine, cosine = 2 * s * c, c * c - s * s
	return cosine * v[1] + sine * v[3], v[2], cosine * v[3] - sine * v[1]
end

local function turn_rotation(q, s, c)
	return { c * q[1] + s * q[3], c * q[2] + s * q[4], c * q[3] - s * q[1], c * q[4] - s * q[2] }
end

local function new_joint(world, bone, parent, body)
	world:newSphericalJoint {
		bodyA = parent, bodyB = body, anchorA = bone.anchorA, rotationA = bone.rotationA, anchorB = { 0, 0, 0 }, rotationB = bone.rotationB,
		coneAngle = bone.swing, lowerTwistAngle = bone.lower, upperTwistAngle = bone.upper, hertz = 20, dampingRatio = 2, targetRotation = bone.target,
	}
end

local function new_ragdoll(world, x, y, z, turn, number, quality)
	local s, c, ragdoll = collide.sin(turn / 2), collide.cos(turn / 2), {}
	for i, bone in ipairs(bones) do
		local dx, dy, dz = turn_vector(bone.place, s, c)
		local shapes = {}
		for k, shape in ipairs(bone.shapes) do
			shapes[k] = { shape = shape, friction = friction, restitution = restitution, group = bone.grouped and -number or 0 }
		end
		ragdoll[i] = world:newBody {
			x = x + dx, y = y + dy, z = z + dz, rotation = turn_rotation(bone.turn, s, c), shapes = shapes,
			mass = bone.mass, center = bone.center, inertia = bone.inertia, linearDamping = twins.damping, angularDamping = twins.damping, bullet = quality.bullet,
		}
		if bone.parent then new_joint(world, bone, ragdoll[bone.parent], ragdoll[i]) end
		bodies[#bodies + 1] = ragdoll[i]
	end
end

function scenario.setup(args)
	local quality, side = twins.quality(args), tonumber(args and args[2]) or 4
	local world = twins.newWorld(quality)
	ground = world:newBody { type = "static" }:newCollider(twins.waves(100, 0.5, 0.5, 0.5, 0), { friction = twins.friction })
	bodies = {}
	for row = 0, side - 1 do
		for column = 0, side - 1 do
			local x, z = spacing * (column - (side - 1) / 2), spacing * (row - (side - 1) / 2)
			local _, y = ground:raycast(x, 100, z, x, -100, z)
			for i = 0, pile_size - 1 do
				new_ragdoll(world, x, y + rise * (i + 1), z, 2 * math.pi * i / pile_size, (row * side + column) * pile_size + i + 1, quality)
			end
		end
	end
	return world
end

function scenario.measure()
	return { escaped = twins.under(bodies, ground, 20) }
end

-- The largest separation of a joint's anchors [m].
local function widest_joint(world)
	local most = 0
	for _, joint in ipairs(world:getJoints()) do
		local ax, ay, az = joint:getAnchorA()
		local bx, by, bz = joint:getAnchorB()
		most = math.max(most, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2 + (bz - az) ^ 2))
	end
	return most
end

function scenario.check(world)
	local escaped, most = scenario.measure().escaped, widest_joint(world)
	print(("ragdolls3d: joints are %.1f mm apart at most; %d bones under the ground"):format(1000 * most, escaped))
	assert(most < 0.2, "ragdolls3d: a ragdoll is torn")
	assert(escaped == 0, ("ragdolls3d: %d bones have gone through the ground"):format(escaped))
end

return scenario
