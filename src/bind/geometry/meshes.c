/* meshes.c - triangle meshes and points as lists of numbers: convex decomposition, simplification, volume, fits. Input is read
 * into userdata. Output is engine memory, which is freed even if Lua runs out of memory: the lists are built under lua_pcall.
 */
#include "bind/geometry/toolbox.h"
#include "d3/process/decompose.h"
#include "d3/process/fitted_box.h"
#include "d3/process/is_convex.h"
#include "d3/process/simplify.h"

struct mesh {
	const char *function;
	uint32_t vertex_count, triangle_count;
	struct d3_vec_d *vertices;
	uint32_t *indices;
};

/* Reads the flat lists at stack indices 1 and 2 into two userdata, and pushes these. */
static struct mesh mesh_push(lua_State *L, const char *function, uint32_t most)
{
	struct mesh mesh = {.function = function};
	mesh.vertex_count = points_count(L, 1, function, "vertices", 3, 0, UINT32_MAX);
	uint32_t indices = value_list(L, 2, PATH(function, "indices"));
	if (indices % 3)
		raise_error(L, "%s: indices must be three for each triangle, got %d", function, (int)indices);
	mesh.triangle_count = indices / 3;
	if (mesh.triangle_count < 1 || mesh.triangle_count > most)
		raise_error(L, "%s: there must be 1 to %d triangles, got %d", function, (int)most, (int)mesh.triangle_count);
	if (mesh.vertex_count > 3 * most)
		raise_error(L, "%s: there must be at most %d vertices, got %d", function, (int)(3 * most), (int)mesh.vertex_count);
	mesh.vertices = userdata_create(L, (mesh.vertex_count + (size_t)1) * sizeof *mesh.vertices);
	mesh.indices = userdata_create(L, indices * sizeof *mesh.indices);
	points_read(L, 1, function, "vertices", &range_local, 3 * mesh.vertex_count, &mesh.vertices->x);
	indices_read(L, 2, function, "indices", mesh.vertex_count, indices, mesh.indices);
	return mesh;
}

static void refuse(lua_State *L, const struct mesh *mesh, enum d3_surface_result result, const uint32_t where[3])
{
	const char *f = mesh->function;
	int a = (int)where[0] + 1, b = (int)where[1] + 1, t = (int)where[2] + 1;
	switch (result) {
	case D3_SURFACE_OK: return;
	case D3_SURFACE_OUT_OF_MEMORY: raise_memory(L, f);
	case D3_SURFACE_FLAT: raise_error(L, "%s: triangle %d has no area", f, a);
	case D3_SURFACE_OPEN:
		raise_error(
			L, "%s: the mesh must be closed, but the edge from vertex %d to %d belongs to triangle %d alone", f, a, b, t);
	case D3_SURFACE_CROWDED:
		raise_error(L, "%s: two triangles must share each edge, but that from vertex %d to %d belongs to more", f, a, b);
	case D3_SURFACE_TWISTED:
		raise_error(L,
			"%s: triangles must be counter-clockwise from outside, but the two at the edge from vertex %d to %d, one of them "
			"triangle %d, do not agree",
			f, a, b, t);
	case D3_SURFACE_EMPTY: raise_error(L, "%s: the mesh must enclose a volume", f);
	case D3_SURFACE_INVERTED:
		raise_error(L, "%s: triangles must be counter-clockwise from outside, but the mesh is inside out", f);
	}
}

static void push_pieces(lua_State *L, const struct d3_pieces *pieces)
{
	lua_createtable(L, (int)pieces->count, 0);
	for (uint32_t i = 0; i < pieces->count; ++i) {
		uint32_t first = pieces->start[i], count = pieces->start[i + 1] - first;
		points_push(L, 3 * count, &pieces->points[first].x);
		lua_rawseti(L, -2, (int)i + 1);
	}
	lua_pushnumber(L, pieces->error);
}

static void push_simplified(lua_State *L, const struct d3_simplified *simplified, const struct d3_vec_d *vertices)
{
	lua_createtable(L, (int)simplified->vertex_count * 3, 0);
	for (uint32_t i = 0; i < simplified->vertex_count; ++i)
		list_set(L, 3, i, &vertices[simplified->vertices[i]].x);
	indices_push(L, 3 * simplified->triangle_count, simplified->indices);
}

/* Engine memory to convert to Lua values: pieces or simplified, of which the other is NULL. */
struct mesh_output {
	const struct d3_pieces *pieces;
	const struct d3_simplified *simplified; /* indexes `vertices` */
	const struct d3_vec_d *vertices;
};

/* Called under lua_pcall with a struct mesh_output. Returns the pieces and their error, or the simplified mesh's lists of
 * vertices and indices. */
int mesh_list_build(lua_State *L)
{
	const struct mesh_output *output = lua_touserdata(L, 1);
	luaL_checkstack(L, 8, NULL);
	if (output->pieces)
		push_pieces(L, output->pieces);
	else
		push_simplified(L, output->simplified, output->vertices);
	return 2;
}

/* Pushes the list builder and its argument, for lua_pcall(L, 1, 2, 0). Called before there is output to leak, since in LuaJIT
 * even a light userdata may need memory. */
static void builder_push(lua_State *L, struct mesh_output *output)
{
	luaL_checkstack(L, 8, NULL);
	shared_push(L, SHARED_MESH_LIST);
	lua_pushlightuserdata(L, output);
}

static uint32_t decompose_options(lua_State *L)
{
	static const struct range range_pieces = {1, D3_DECOMPOSE_PIECES, NULL};
	static const struct option_member fields[] = {{"pieces", FIELD_INTEGER, 0, &range_pieces}};
	uint32_t most = 256;
	fields_read(L, 4, PATH("decompose", "options"), fields, LENGTH(fields), &most);
	return most;
}

static int decompose(lua_State *L)
{
	struct d3_pieces pieces;
	struct mesh_output output = {.pieces = &pieces};
	double error = arg_number(L, 3, "decompose", "error", &range_length);
	uint32_t most = decompose_options(L);
	struct mesh mesh = mesh_push(L, "decompose", D3_DECOMPOSE_TRIANGLES);
	struct memory *memory = &shared_state(L)->memory;
	builder_push(L, &output);
	refuse(L, &mesh,
		d3_decompose(memory, mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count, error, most, &pieces),
		pieces.where);
	bool built = lua_pcall(L, 1, 2, 0) == 0;
	d3_pieces_free(&pieces);
	return built ? 2 : lua_error(L);
}

/* 6 V = sum of (a - o) . ((b - o) x (c - o)) over the triangles. o is a vertex, so that no precision is lost far from the
 * origin. */
static int signed_volume(lua_State *L)
{
	struct mesh mesh = mesh_push(L, "signedVolume", 1 << 22);
	struct d3_vec_d o = mesh.vertices[mesh.indices[0]];
	double six = 0;
	for (uint32_t i = 0; i < 3 * mesh.triangle_count; i += 3) {
		struct d3_vec_d a = d3_sub_d(mesh.vertices[mesh.indices[i]], o), b = d3_sub_d(mesh.vertices[mesh.indices[i + 1]], o);
		six += d3_dot_d(a, d3_cross_d(b, d3_sub_d(mesh.vertices[mesh.indices[i + 2]], o)));
	}
	lua_pushnumber(L, six / 6);
	return 1;
}

static int simplify(lua_State *L)
{
	struct d3_simplified simplified;
	double error = arg_number(L, 3, "simplify", "error", &range_radius);
	struct mesh mesh = mesh_push(L, "simplify", D3_SIMPLIFY_TRIANGLES);
	struct mesh_output output = {.simplified = &simplified, .vertices = mesh.vertices};
	struct memory *memory = &shared_state(L)->memory;
	builder_push(L, &output);
	refuse(L, &mesh,
		d3_simplify(memory, mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count, error, &simplified),
		simplified.where);
	bool built = lua_pcall(L, 1, 2, 0) == 0;
	d3_simplified_free(&simplified);
	return built ? 2 : lua_error(L);
}

static int is_convex(lua_State *L)
{
	uint32_t where[3];
	bool convex = false;
	struct mesh mesh = mesh_push(L, "isConvex", 1 << 22);
	refuse(L, &mesh,
		d3_is_convex(
			&shared_state(L)->memory, mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count, &convex, where),
		where);
	lua_pushboolean(L, convex);
	return 1;
}

static int smallest_sphere(lua_State *L)
{
	return push_smallest_ball(L, "smallestSphere", 3);
}

static int fitted_box(lua_State *L)
{
	uint32_t count;
	struct d3_fitted_box box;
	struct d3_vec_d *points = (void *)point_list_push(L, "fittedBox", 3, &count);
	double scale = 1 / points_enlarge(3, count, &points->x);
	if (!d3_fit_box(&shared_state(L)->memory, points, count, &box))
		raise_memory(L, "fittedBox");
	box.size = d3_scale_d(scale, box.size);
	box.pose = (struct d3_pose){scale * box.pose.x, scale * box.pose.y, scale * box.pose.z, box.pose.q};
	push_numbers(L, 3, &box.size.x);
	return 3 + d3_push_pose(L, box.pose);
}

const luaL_Reg mesh_functions[] = {
	{"isConvex", is_convex},
	{"smallestSphere", smallest_sphere},
	{"fittedBox", fitted_box},
	{"decompose", decompose},
	{"simplify", simplify},
	{"signedVolume", signed_volume},
	{NULL, NULL},
};
