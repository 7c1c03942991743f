/* predict.c - world:predict: the path of a body if nobody interferes. A copy of the world takes the steps, with the hooks of
 * the script: meanwhile it stands in the object's place, so that the handles that hooks get find the copy's state. It shares
 * the shapes, which no step changes, and borrows the workers. */
#include "bind/lua/callback.h"
#include "bind/world/dimension.h"
#include "core/snapshot.h"

#include <math.h>

enum { AT_BODY = 2, AT_SECONDS, AT_OPTIONS, AT_INTO, AT_LINEAR, AT_ANGULAR, AT_END, STEPS_MOST = 1 << 20 };

struct prediction {
	struct world_object *object;
	struct world *own, *copy; /* the object's world while the copy stands in its place; the copy; or NULL */
	struct archive archive;
	double timestep;
	uint32_t body, steps;
	double velocities[6]; /* that the body starts with */
	bool given;
	int slots[AT_END]; /* each slot's own number */
};

/* Whether the world could be copied. */
static bool world_copy(struct prediction *prediction)
{
	struct world_object *object = prediction->object;
	struct archive *writer = &prediction->archive;
	*writer = archive_writer(&object->memory);
	writer->shapes_shared = true;
	world_pass(writer, object->world);
	struct archive reader = archive_reader(&object->memory, writer->bytes, writer->at);
	reader.shapes_shared = true;
	if (!writer->no_memory)
		prediction->copy =
			world_create(&object->memory, object->dimension->wing, &object->world->settings, (const float[3]){0}, 1);
	if (prediction->copy != NULL)
		world_pass(&reader, prediction->copy);
	return prediction->copy != NULL && archive_good(&reader);
}

/* Under lua_pcall. Arguments: the world and those up to AT_END; the prediction. */
int prediction_run(lua_State *L)
{
	struct prediction *prediction = lua_touserdata(L, AT_END);
	struct world_object *object = prediction->object;
	const struct rows *rows = &object->dimension->rows[ROWS_TRANSFORMS];
	double row[7];
	if (!world_copy(prediction))
		raise_memory(L, "predict");
	if (prediction->given)
		object->dimension->rows[ROWS_VELOCITIES].write(prediction->copy, prediction->body, prediction->velocities);
	prediction->own = object->world;
	object->world = prediction->copy;
	world_take_workers(prediction->copy, prediction->own);
	for (uint32_t i = 0; i < prediction->steps; ++i) {
		if (!world_step_hooked(L, object, prediction->timestep, false))
			raise_memory(L, "predict");
		lua_settop(L, AT_END);
		rows->read(object->world, &prediction->body, 1, row);
		for (int k = 0; k < rows->width; ++k) {
			lua_pushnumber(L, row[k]);
			lua_rawseti(L, AT_INTO, (int)i * rows->width + k + 1);
		}
	}
	return 0;
}

static void prediction_end(struct prediction *prediction)
{
	if (prediction->own != NULL) {
		prediction->object->world = prediction->own;
		world_take_workers(prediction->own, prediction->copy);
	}
	if (prediction->copy != NULL)
		world_destroy(prediction->copy);
	archive_free(&prediction->archive);
}

static void options_read(lua_State *L, struct prediction *prediction)
{
	static const struct option_member options[] = {
		{"timestep", FIELD_NUMBER, offsetof(struct prediction, timestep), &range_duration},
		{"linearVelocity", FIELD_VALUE, offsetof(struct prediction, slots[AT_LINEAR]), NULL},
		{"angularVelocity", FIELD_VALUE, offsetof(struct prediction, slots[AT_ANGULAR]), NULL},
		{"into", FIELD_VALUE, offsetof(struct prediction, slots[AT_INTO]), NULL},
	};
	const struct dimension *dimension = prediction->object->dimension;
	const struct rows *rows = &dimension->rows[ROWS_VELOCITIES];
	const struct path angular = {"predict", NULL, 0, "angularVelocity", 0};
	double *velocities = prediction->velocities;
	fields_read(L, AT_OPTIONS, PATH("predict", "options"), options, LENGTH(options), prediction);
	if (!lua_isnil(L, AT_INTO) && !lua_istable(L, AT_INTO))
		raise_value(L, AT_INTO, PATH("predict", "into"), "be a table");
	prediction->given = !lua_isnil(L, AT_LINEAR) || !lua_isnil(L, AT_ANGULAR);
	if (!prediction->given)
		return;
	rows->read(prediction->object->world, &prediction->body, 1, velocities);
	if (!lua_isnil(L, AT_LINEAR))
		value_vector(L, AT_LINEAR, *PATH("predict", "linearVelocity"), rows->range, dimension->axes, velocities);
	if (!lua_isnil(L, AT_ANGULAR) && dimension->axes == 2)
		velocities[2] = value_number(L, AT_ANGULAR, &angular, rows->turn_range);
	else if (!lua_isnil(L, AT_ANGULAR))
		value_vector(L, AT_ANGULAR, angular, rows->turn_range, 3, velocities + 3);
}

int world_predict(lua_State *L)
{
	static const struct range range_seconds = {0, 3600, ">= 0"};
	struct world_object *object = check_world_change(L, "predict");
	struct prediction prediction = {.object = object, .timestep = object->world->settings.timestep};
	lua_settop(L, AT_OPTIONS);
	lua_settop(L, AT_END - 1);
	luaL_checkstack(L, 40, "predict");
	for (int i = 0; i < AT_END; ++i)
		prediction.slots[i] = i;
	prediction.body = value_body(L, object, AT_BODY, PATH("predict", "body"));
	double seconds = arg_number(L, AT_SECONDS, "predict", "seconds", &range_seconds);
	options_read(L, &prediction);
	double steps = ceil(seconds / prediction.timestep * (1 - 1e-9));
	if (steps > STEPS_MOST)
		raise_error(L, "predict: seconds must be at most %d steps of %f s, got %f", STEPS_MOST, prediction.timestep, seconds);
	prediction.steps = (uint32_t)steps;
	int length = (int)prediction.steps * object->dimension->rows[ROWS_TRANSFORMS].width;
	int before = list_open(L, AT_INTO, length);
	lua_pushlightuserdata(L, &prediction);
	/* No finalizer can run from here to the copy. */
	check_world_again(L, object, "predict");
	prediction.body = value_body(L, object, AT_BODY, PATH("predict", "body"));
	object_weighed(object);
	shared_push(L, SHARED_PREDICTION);
	for (int i = 1; i <= AT_END; ++i)
		lua_pushvalue(L, i);
	int status = lua_pcall(L, AT_END, 0, 0);
	prediction_end(&prediction);
	if (status != 0)
		lua_error(L);
	list_cut(L, AT_INTO, length, before);
	lua_pushinteger(L, prediction.steps);
	return 2;
}
