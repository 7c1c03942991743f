/* d3_shape_parts.h - internals shared by d3_compound_shapes.c and d3_shape.c. */
#pragma once
#include "bind/geometry/toolbox.h"

#include <string.h>

static const char *const type_names[D3_SHAPE_TYPES] = {
	[D3_SPHERE] = "sphere",
	[D3_CAPSULE] = "capsule",
	[D3_SEGMENT] = "segment",
	[D3_TRIANGLE] = "triangle",
	[D3_BOX] = "box",
	[D3_HULL] = "hull",
	[D3_CYLINDER] = "cylinder",
	[D3_CONE] = "cone",
	[D3_ELLIPSOID] = "ellipsoid",
	[D3_TAPERED_CAPSULE] = "taperedCapsule",
	[D3_HALF_SPACE] = "halfSpace",
	[D3_MESH] = "mesh",
	[D3_HEIGHT_FIELD] = "heightField",
	[D3_COMPOUND] = "compound",
};

/* Gives the shape to the object, which must be on top of the stack; raises if there was no memory for the shape. */
int d3_shapes_shape_give(lua_State *L, struct d3_shape_object *object, struct d3_shape *shape, const char *function);

/* Whether the direction between the points is lost in rounding errors: they are closer than range_length.low. */
bool d3_shapes_too_near(struct d3_vec a, struct d3_vec b);

/* Whether the normal is lost in rounding errors: the triangle is lower than a millionth of its longest side. */
bool d3_shapes_too_flat(struct d3_vec a, struct d3_vec b, struct d3_vec c);

int d3_shapes_make_mesh(lua_State *L);

int d3_shapes_make_height_field(lua_State *L);

/* Reading the list allocates nothing, so no finalizer can take a shape from it before the compound holds it. */
int d3_shapes_make_compound(lua_State *L);

int d3_shapes_scaled(lua_State *L);
