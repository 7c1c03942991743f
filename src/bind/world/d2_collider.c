/* d2_collider.c - methods of 2D colliders. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "bind/world/dimension.h"
#include "d2/query/ray_cast.h"

#define POINT(v) (v).x, (v).y

#include "bind/world/collider_wing.h"
