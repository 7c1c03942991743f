/* words.c - errors for names that an object or a module does not have, with the word that was probably meant.
 * The tables of methods and the tables of modules have a metatable whose __index raises: only look-ups that fail come here. */
#include "bind/lua/words.h"
#include "bind/lua/names.h"

#include <stdio.h>
#include <stdlib.h>

const struct class module_collide = {.name = "collide"}, module_d2 = {.name = "d2"}, module_d3 = {.name = "d3"};

/* Names that other libraries have, and the words of this one. */
struct foreign {
	const char *owners; /* names of classes; "module": of `collide`, `d2` and `d3` */
	const char *names;
	/* Words that the owner does not have are not shown, so that one row serves both dimensions. Those with a . : or { belong to
	 * something else. */
	const char *words;
};

/* Read by tests/test_words.lua. Sources: the APIs of LÖVE (love.physics), LÖVR (lovr.physics), Box2D, windfield, bump.lua and
 * HC. */
static const struct foreign foreigners[] = {
	{"world body collider joint", "getUserData setUserData userData user_data", "data"},
	{"world body collider joint", "isDestroyed", "isValid"},
	{"world", "remove removeBody", "body:destroy"},
	{"world body collider joint", "release remove", "destroy"},
	{"body joint shape index", "type typeOf", "getType"},
	/* worlds */
	{"world", "update simulate", "step advance"},
	{"world", "interpolate", "advance interpolated"},
	{"world", "getTickRate setTickRate", "getTimestep setTimestep"},
	{"world", "getTickLimit setTickLimit", "getMaxTicks setMaxTicks"},
	{"world", "getCallbacks setCallbacks setContactListener getContactEvents",
		"beginContacts endContacts hits beginOverlaps endOverlaps"},
	{"world", "setContactFilter getContactFilter setFilterFunction setCustomFilterCallback", "setFilter"},
	{"world", "getSensorEvents", "beginOverlaps endOverlaps"},
	{"world", "getBodyEvents", "moved"},
	{"world", "getJointEvents", "jointEvents"},
	{"world", "queryBoundingBox queryShapesInArea getShapesInArea queryAABB overlapAABB queryBox queryRect queryRectangleArea",
		"overlapBox"},
	{"world", "querySphere queryCircleArea queryPolygonArea queryTriangle overlap overlapCircle", "overlapShape"},
	{"world", "queryPoint shapesAt pointQuery", "overlapPoint"},
	{"world", "rayCastClosest raycastClosest castRay castRayClosest", "raycast"},
	{"world", "rayCastAny", "raycastAny"},
	{"world", "queryLine querySegment querySegmentWithCoords", "raycastAll"},
	{"world", "castShape shapeCast", "shapecast"},
	{"world", "getBody getBodyList getColliders getItems", "getBodies"},
	{"world", "countItems", "getBodyCount"},
	{"world", "hasItem", "body:isValid"},
	{"world", "getRect", "body:getPosition"},
	{"world", "translateOrigin", "body:setPosition"},
	{"world", "toCell toWorld", "collide.newGrid"},
	{"world", "getContacts getContactList computeOverlaps", "contacts"},
	{"world", "setPreSolveCallback", "setPreSolve"},
	{"world", "addResponse", "setFilter"},
	{"world", "getStepCount", "getTick"},
	{"world",
		"createBody createStaticBody addBody add addRectangle newCircle newBox newFixture newCollider newBoxCollider "
		"newSphereCollider newCapsuleCollider newCylinderCollider newConvexCollider newMeshCollider "
		"newTerrainCollider newRectangleCollider newBSGRectangleCollider newCircleCollider newPolygonCollider "
		"newLineCollider newChainCollider newCircleBody newRectangleBody newPolygonBody newEdgeBody newChainBody",
		"newBody"},
	{"world", "createJoint addJoint newHingeJoint", "newRevoluteJoint newSphericalJoint"},
	{"world", "newBallJoint newConeJoint", "newSphericalJoint newRevoluteJoint"},
	{"world", "destroyBody", "body:destroy"},
	{"world", "destroyJoint removeJoint", "joint:destroy"},
	{"world", "move check castMover", "d2.slideShape d3.slideShape"},
	{"world", "project", "d2.cast d3.cast"},
	{"world", "disableCollisionBetween enableCollisionBetween addCollisionClass", "setLayersMeet newWorld{layers}"},
	{"world", "isCollisionEnabledBetween", "layersMeet"},
	{"world", "getTags", "newWorld{layers}"},
	{"world", "getMeter setMeter", "newWorld{lengthScale}"},
	{"world", "drawDebug drawDebugData debugDraw setDebugDraw", "draw"},
	{"world", "getCounters", "getBodyCount getContactCount getIslandCount getByteCount"},
	{"world", "getMaximumLinearSpeed setMaximumLinearSpeed", "getMaximumSpeed setMaximumSpeed"},
	{"world", "getHitEventThreshold setHitEventThreshold", "getHitSpeed setHitSpeed"},
	{"world", "enableSleeping setAllowSleeping isAllowSleeping", "setSleepingAllowed isSleepingAllowed"},
	{"world", "enableContinuous getContinuousPhysics setContinuousPhysics", "setContinuous isContinuous"},
	/* bodies */
	{"body", "x y z pos getX getY getZ getWorldPosition", "getPosition"},
	{"body", "setX setY setZ translate", "setPosition"},
	{"body", "getPose", "getTransform"},
	{"body", "setPose", "setTransform"},
	{"body", "rotation quaternion getOrientation getRotation getAngle", "getAngle getRotation"},
	{"body", "lookAt", "d3.lookRotation"},
	{"body", "rotate setOrientation setRotation setAngle", "setAngle setRotation"},
	{"body", "vx vy vz speed velocity getVelocity getLinearVelocityX getLinearVelocityY", "getLinearVelocity"},
	{"body", "setVelocity setLinearVelocityX setLinearVelocityY", "setLinearVelocity"},
	{"body", "getKinematicState", "getTransform getLinearVelocity getAngularVelocity"},
	{"body", "setKinematicState", "setTransform setLinearVelocity setAngularVelocity"},
	{"body", "getWorldCenter getWorldCenterOfMass", "getCenter"},
	{"body", "getLocalCenterOfMass getCenterOfMass", "getLocalCenter"},
	{"body", "setMass setInertia setCenterOfMass", "setMassData"},
	{"body", "getMassData", "getMass getLocalCenter getInertia"},
	{"body", "getRotationalInertia", "getInertia"},
	{"body", "hasCustomMassData getAutomaticMass setAutomaticMass applyMassFromShapes", "resetMassData"},
	{"body", "applyLinearImpulse applyLinearImpulseToCenter", "applyImpulse"},
	{"body", "applyForceToCenter", "applyForce"},
	{"body", "getWorldPoints", "getWorldPoint"},
	{"body", "getLocalPoints", "getLocalPoint"},
	{"body",
		"getLinearVelocityFromWorldPoint getLinearVelocityFromLocalPoint getPointVelocity "
		"getWorldPointVelocity getLocalPointVelocity",
		"getVelocityAt"},
	{"body", "isActive", "isEnabled"},
	{"body", "setActive enable disable", "setEnabled"},
	{"body", "wake wakeUp wakeTouching sleep putToSleep", "setAwake"},
	{"body", "enableSleep", "setSleepingAllowed"},
	{"body", "setSensor", "collider:setSensor"},
	{"body", "width height size radius", "collider:getBox"},
	{"body", "isSleeping", "isAwake"},
	{"body", "isFixedRotation getDegreesOfFreedom getMotionLocks", "getLocks"},
	{"body", "fixedRotation setFixedRotation setDegreesOfFreedom setMotionLocks", "setLocks"},
	{"body", "isContinuous", "isBullet"},
	{"body", "setContinuous", "setBullet"},
	{"body", "isKinematic isStatic isDynamic getBodyType", "getType"},
	{"body", "setKinematic setStatic setDynamic", "setType"},
	{"body", "moveKinematic move setTargetTransform", "moveTo"},
	{"body", "isGravityIgnored", "getGravityScale"},
	{"body", "setGravityIgnored setGravity", "setGravityScale"},
	{"body", "getShape getShapes getShapeList getFixture getFixtures getFixtureList getCollider", "getColliders"},
	{"body", "addShape addCollider addFixture createShape createFixture createCollider newShape newFixture", "newCollider"},
	{"body", "removeShape destroyShape destroyFixture", "collider:destroy"},
	{"body", "isTouching getContacts getContactList getContactData", "world:contacts"},
	{"body", "enter exit stay", "world:beginContacts world:endContacts world:contacts"},
	{"body", "getJointList", "getJoints"},
	{"body", "getAABB computeAABB getBoundingBox", "collider:getBox"},
	{"body", "tag getTag setTag setCollisionClass", "collider:getLayer collider:setLayer"},
	/* colliders */
	{"collider", "getFilterData getFilter getCategory getMask getTag", "getLayer getCollidesWith getGroup"},
	{"collider", "setFilterData setFilter setCategory setMask setTag setCollisionClass", "setLayer setCollidesWith setGroup"},
	{"collider", "getGroupIndex", "getGroup"},
	{"collider", "setGroupIndex", "setGroup"},
	{"collider", "testPoint contains", "containsPoint"},
	{"collider", "x y z position getX getY getZ getPosition", "body:getPosition"},
	{"collider", "enter exit stay", "world:beginContacts world:endContacts world:contacts"},
	{"collider", "intersectsRay rayCast", "raycast"},
	{"body collider world", "getClosestPoint pointQueryNearest", "closestPoint nearest"},
	{"collider", "getAABB computeAABB getBoundingBox bbox", "getBox"},
	{"collider", "computeMass getMassData", "shape:getMass"},
	{"collider", "collidesWith", "d2.overlaps d3.overlaps"},
	{"collider", "isTouching", "world:contacts"},
	{"collider", "setRadius setPoint setSize setDimensions setLength", "setShape"},
	{"collider", "getSurfaceVelocity", "getTangentSpeed getTangentVelocity"},
	{"collider", "setSurfaceVelocity", "setTangentSpeed setTangentVelocity"},
	/* movers */
	{"mover", "x y z pos position getX getY getZ", "getPosition"},
	{"mover", "setX setY setZ translate teleport warp", "setPosition"},
	{"mover", "vx vy vz speed getLinearVelocity", "getVelocity"},
	{"mover", "isOnGround isOnFloor is_on_floor onGround grounded isSupported", "isGrounded"},
	{"mover", "isOnWall isOnCeiling is_on_wall is_on_ceiling getHits getContacts getActiveContacts getSlideCollision",
		"contacts"},
	{"mover", "getGroundBody getGroundNormal getGroundVelocity getFloorNormal getPlatformVelocity", "getGround"},
	{"mover", "jump update slide setVelocity setLinearVelocity moveAndSlide move_and_slide moveAndCollide", "move"},
	{"mover", "fallThrough", "dropThrough"},
	{"mover", "canStand canStandUp", "fits"},
	/* joints */
	{"joint", "getBodies getColliders", "getBodyA getBodyB"},
	{"joint", "getAnchor getAnchors", "getAnchorA getAnchorB"},
	{"joint", "getJointAngle", "getAngle"},
	{"joint", "getJointSpeed", "getSpeed"},
	{"joint", "breakForce getBreakForce setBreakForce breakingForce", "getForceThreshold setForceThreshold setBreakable"},
	{"joint", "getForce", "getReactionForce"},
	{"joint", "getTorque", "getReactionTorque"},
	{"joint",
		"isMotorEnabled getMotorSpeed getMaxMotorTorque getMotorTarget getMotorMode getMotorSpring getFriction getMaxTorque",
		"getMotor"},
	{"joint",
		"enableMotor setMotorEnabled setMotorSpeed setMaxMotorTorque setMotorTarget setMotorMode setMotorSpring setFriction "
		"setMaxTorque",
		"setMotor"},
	{"joint", "areLimitsEnabled hasLimitsEnabled isLimitEnabled getUpperLimit getLowerLimit getLimit",
		"getLimits getConeLimit"},
	{"joint", "enableLimit setLimitsEnabled setUpperLimit setLowerLimit setLimit", "setLimits setConeLimit"},
	{"joint", "isSpringEnabled getStiffness getDamping getFrequency getDampingRatio getSpringHertz getSpringDampingRatio",
		"getSpring"},
	{"joint", "enableSpring setStiffness setDamping setFrequency setDampingRatio setSpringHertz setSpringDampingRatio",
		"setSpring"},
	{"joint", "getAxis", "getAxisA getAxisB"},
	/* shapes and poses */
	{"shape", "getDimensions getSize getWidth getHeight getLength getAABB computeAABB getBoundingBox bbox", "getBox"},
	{"shape", "getVolume getArea getMassData computeMass getInertia getCenterOfMass center centroid area", "getMass"},
	{"shape",
		"getPoint getPointCount getVertices getVertexCount getNextVertex getPreviousVertex getChildEdge getChildCount unpack",
		"getPoints"},
	{"shape", "setRadius setDimensions setSize setLength setPoint setPoints scale", "scaled"},
	{"shape", "move moveTo rotate setRotation setPosition getPosition getOffset setOffset", "d2.pose d3.pose"},
	{"shape", "contains testPoint containsPoint", "d2.containsPoint d3.containsPoint"},
	{"shape", "collidesWith", "d2.overlaps d3.overlaps"},
	{"shape", "rayCast raycast intersectsRay intersectionsWithRay", "d2.raycast d3.raycast"},
	{"shape", "outcircle", "d2.boundingRadius d3.boundingRadius"},
	{"shape", "draw", "world:draw"},
	{"pose", "x y z getX getY getZ", "getPosition"},
	{"pose", "qx qy qz qw angle rotation getOrientation getRotation getAngle", "getAngle getRotation"},
	{"pose", "lerp nlerp slerp", "interpolate"},
	/* indexes */
	{"index", "add register", "insert"},
	{"index", "update", "move"},
	{"index", "query queryRect queryBoundingBox inSameCells", "queryBox"},
	{"index", "querySegment rayCast raycast intersectionsWithSegment", "queryRay"},
	{"index", "countItems getItems size", "getCount"},
	{"index", "hasItem", "contains"},
	{"index", "getRect getAABB", "getBox"},
	{"index", "neighbors", "nearest"},
	{"index", "collisions", "pairs"},
	/* modules */
	{"module", "newWorld createWorld World new", "newWorld"},
	{"module", "cube roundedBox rectangle rect newRectangle newRectangleShape newBoxShape newBox", "box"},
	{"module", "ball newCircle newCircleShape newSphereShape circle sphere point newPointShape", "circle sphere"},
	{"module", "newPolygon newPolygonShape newConvexShape newConvexPolygonShape newHullShape polygon convex", "polygon hull"},
	{"module", "newCapsuleShape", "capsule"},
	{"module", "newCylinderShape", "cylinder"},
	{"module", "newMeshShape", "mesh"},
	{"module", "newTerrainShape terrain", "heightField chain"},
	{"module", "newEdgeShape edge line", "segment"},
	{"module", "newChainShape polyline loop", "chain"},
	{"module", "triangle regularPolygon", "polygon"},
	{"module", "plane newPlaneShape halfPlane halfSpace", "halfPlane halfSpace"},
	{"module", "ellipse ellipsoid", "ellipse ellipsoid"},
	{"module", "quaternion quat newQuat axisAngle fromAxisAngle angleAxis", "rotation"},
	{"module", "lookAt", "lookRotation"},
	{"module", "fromEuler", "euler"},
	{"module", "transformOf", "pose"},
	{"module",
		"newBody createBody register newBoxCollider newCircleBody newRectangleBody newPolygonBody newEdgeBody newChainBody",
		"world:newBody"},
	{"module", "newFixture createFixture", "body:newCollider"},
	{"module", "remove", "body:destroy"},
	{"module", "update", "world:step"},
	{"module", "getMeter setMeter", "newWorld{lengthScale}"},
	{"module", "getDistance computeDistance shapeDistance", "distance"},
	{"module", "testOverlap intersects collides collidesWith", "overlaps"},
	{"module", "collisions", "world:contacts"},
	{"module", "shapesAt", "world:overlapPoint"},
	{"module", "neighbors", "world:overlapBox"},
	{"module", "rayCast castRay", "raycast"},
	{"module", "shapeCast castShape", "cast"},
	{"module", "triangulate splitConvex", "decompose"},
	{"module", "computeAABB", "aabb"},
	{"module", "computeMass", "mass"},
	{"module", "spatialhash spatialHash hash", "collide.newGrid"},
	{"module", "random randomNormal newRandomGenerator", "collide.newRandom world:random"},
	{"generator", "setSeed", "collide.newRandom"},
	{"generator", "getSeed", "getState"},
};

/* A message's list of words. */
struct words {
	lua_State *L;
	const struct class *class; /* of the object; or a module */
	bool assigned; /* the name was assigned to, not read */
	const char *prefix; /* before words of the class: "world:" for one who asks the module for them; else empty */
	int count;
	char text[320];
};

static bool is_module(const struct class *class)
{
	return class->metatable == 0;
}

/* Pushes the table of the class's methods, or that of the module; an empty one if a script has put something else in its
 * place. */
static void table_push(lua_State *L, const struct class *class)
{
	shared_push(L, is_module(class) ? SHARED_MODULE : class->metatable);
	if (class == &module_collide)
		return;
	lua_pushstring(L, is_module(class) ? class->name : "__index");
	lua_rawget(L, -2);
	lua_replace(L, -2);
	if (lua_istable(L, -1))
		return;
	lua_pop(L, 1);
	lua_newtable(L);
}

static bool has(lua_State *L, const struct class *class, const char *name)
{
	table_push(L, class);
	lua_pushstring(L, name);
	lua_rawget(L, -2);
	bool found = !lua_isnil(L, -1);
	lua_pop(L, 2);
	return found;
}

static void word_add(struct words *words, const char *prefix, const char *word)
{
	size_t used = strlen(words->text);
	snprintf(words->text + used, sizeof words->text - used, "%s'%s%s'", words->count++ ? ", " : "", prefix, word);
}

/* In the order in which words are looked for, in 2D and in 3D. */
static const struct class *const kinds[2][10] = {
	{&class_body, &class_collider, &class_joint, &class_world, &class_field, &class_mover, &class_shape, &class_pose,
		&module_d2, &module_collide},
	{&class_d3_body, &class_d3_collider, &class_d3_joint, &class_d3_world, &class_d3_field, &class_d3_mover, &class_d3_shape,
		&class_d3_pose, &module_d3, &module_collide},
};

static bool in_space(const struct class *class)
{
	for (size_t i = 0; i + 1 < LENGTH(kinds[1]); ++i)
		if (kinds[1][i] == class)
			return true;
	return false;
}

/* Adds the word if the class has it, or it belongs to something else. Of an assigned name's words, the setter if there is
 * one. */
static void word_try(struct words *words, const char *word)
{
	char setter[64] = "";
	size_t stem = strncmp(word, "get", 3) == 0 ? 3 : strncmp(word, "is", 2) == 0 ? 2 : 0;
	if (strpbrk(word, ".:{") != NULL) {
		bool other = strncmp(word, in_space(words->class) ? "d2." : "d3.", 3) == 0;
		if (!other || is_module(words->class))
			word_add(words, "", word);
		return;
	}
	if (words->class == &module_collide) {
		for (int space = 0; space < 2; ++space)
			if (has(words->L, space ? &module_d3 : &module_d2, word))
				word_add(words, space ? "d3." : "d2.", word);
		return;
	}
	if (words->assigned && stem > 0)
		snprintf(setter, sizeof setter, "set%s", word + stem);
	if (setter[0] && has(words->L, words->class, setter))
		word_add(words, words->prefix, setter);
	else if (has(words->L, words->class, word) || (words->class->has_data && strcmp(word, "data") == 0))
		word_add(words, words->prefix, word);
}

/* Looks the name up in the table above. */
static void foreign_find(struct words *words, const char *name)
{
	const char *owner = is_module(words->class) ? "module" : words->class->name;
	for (size_t i = 0; i < LENGTH(foreigners) && words->count == 0; ++i) {
		if (!name_listed(foreigners[i].owners, owner) || !name_listed(foreigners[i].names, name))
			continue;
		for (const char *at = foreigners[i].words; *at;) {
			char word[64];
			int length = (int)strcspn(at, " ");
			snprintf(word, sizeof word, "%.*s", length, at);
			word_try(words, word);
			at += length + (at[length] == ' ');
		}
	}
}

static int upper(char letter)
{
	return letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
}

/* Of `mass`, `getMass` or `isMass`: the accessors of that stem that there are. */
static void accessor_find(struct words *words, const char *name)
{
	static const char *const prefixes[] = {"get", "is", "set", "has", "new"};
	char word[72];
	size_t skip = 0;
	for (size_t i = 0; i < LENGTH(prefixes); ++i) {
		size_t length = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], length) == 0 && name[length] >= 'A' && name[length] <= 'Z')
			skip = length;
	}
	for (size_t i = 0; i < LENGTH(prefixes) && words->count == 0 && name[skip] != '\0'; ++i) {
		snprintf(word, sizeof word, "%s%c%.60s", prefixes[i], upper(name[skip]), name + skip + 1);
		word_try(words, word);
	}
}

/* Completes the words by all ways but a resemblance of the name. */
static void words_find(struct words *words, const char *name)
{
	const struct class *class = words->class;
	foreign_find(words, name);
	if (words->count == 0 && words->assigned && name[0] != '\0') {
		char setter[64];
		snprintf(setter, sizeof setter, "set%c%.48s", upper(name[0]), name + 1);
		foreign_find(words, setter);
	}
	if (words->count == 0)
		accessor_find(words, name);
	words->class = is_module(class) ? &module_collide : class; /* the other dimension, too */
	if (words->count == 0)
		foreign_find(words, name);
	if (words->count == 0 && class == &module_collide)
		word_try(words, name);
	words->class = class;
}

static int order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum { NAMES = 256 };

/* Writes the names in the class's table that begin with `begin` and end with `end`, sorted. Pushes the table. */
static uint32_t names_gather(
	lua_State *L, const struct class *class, const char *begin, const char *end, const char *names[NAMES])
{
	uint32_t count = 0;
	table_push(L, class);
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
		size_t length = strlen(name), tail = strlen(end);
		if (count < NAMES && length >= tail && strncmp(name, begin, strlen(begin)) == 0 &&
			strcmp(name + length - tail, end) == 0)
			names[count++] = name;
	}
	qsort(names, count, sizeof *names, order);
	return count;
}

static bool is_joint(const char *name)
{
	size_t length = strlen(name);
	return length > 8 && strncmp(name, "new", 3) == 0 && strcmp(name + length - 5, "Joint") == 0;
}

/* Completes the message "unknown ...": with words of the same class, a class that has the name, or the most similar name. */
static void hint_find(lua_State *L, const struct class *class, const char *name, bool assigned, char hint[400])
{
	struct words words = {L, class, assigned, "", 0, ""};
	const char *names[NAMES];
	const struct class *const *of = kinds[in_space(class)];
	hint[0] = '\0';
	words_find(&words, name);
	if (words.count == 0 && name[0] >= 'A' && name[0] <= 'Z') { /* Box2D's CreateBody */
		char lowered[64];
		snprintf(lowered, sizeof lowered, "%c%.60s", name[0] - 'A' + 'a', name + 1);
		word_try(&words, lowered);
		if (words.count == 0)
			words_find(&words, lowered);
	}
	if (words.count == 0 && is_joint(name) && is_module(class)) {
		words.class = of[3];
		words.prefix = "world:";
		word_try(&words, name);
		if (words.count == 0)
			foreign_find(&words, name);
	}
	if (words.count > 0) {
		snprintf(hint, 400, ", use %s", words.text);
		return;
	}
	if (is_joint(name) && (class->handles == 0)) {
		uint32_t count = names_gather(L, of[3], "new", "Joint", names);
		for (uint32_t i = 0; i < count; ++i)
			word_add(&words, is_module(class) ? "world:" : "", names[i]);
		snprintf(hint, 400, " (there are: %s)", words.text);
		return;
	}
	const struct class *other = class == &module_d2 ? &module_d3 : class == &module_d3 ? &module_d2 : NULL;
	for (size_t i = 0; i < LENGTH(kinds[0]) && (other == NULL || !has(L, other, name)); ++i)
		other = of[i] != class ? of[i] : NULL;
	if (other != NULL && has(L, other, name)) {
		snprintf(hint, 400, is_module(other) ? ", use '%s.%s'" : ", a %s has '%s'", other->name, name);
		return;
	}
	uint32_t count = names_gather(L, class, "", "", names);
	const char *near = name_near(name, names, count, false);
	if (near)
		snprintf(hint, 400, ", did you mean '%s'?", near);
}

/* __newindex of the module: a script may add functions of its own, but a misspelt `warn` would be ignored. */
static int module_assign(lua_State *L)
{
	static const char *const known[] = {"warn"};
	char text[VALUE_TEXT];
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 3);
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
	if (strcmp(name, "warn") != 0 && name_near(name, known, 1, false))
		raise_error(L, "unknown field %s of collide, did you mean 'warn'?", value_text(L, 2, text));
	lua_rawset(L, 1);
	return 0;
}

_Noreturn void raise_missing(lua_State *L, const struct class *class, int key)
{
	char what[VALUE_TEXT], hint[400] = "";
	const char *of = is_module(class) ? "function" : "method or field", *a = strchr("ai", class->name[0]) ? "an " : "a ";
	if (lua_type(L, key) == LUA_TSTRING)
		hint_find(L, class, lua_tostring(L, key), false, hint);
	const char *value = value_text(L, key, what);
	if (is_module(class))
		raise_error(L, "unknown %s %s of %s%s%s", of, value, class == &module_collide ? "" : "collide.", class->name, hint);
	raise_error(L, "unknown %s %s of %s%s%s", of, value, a, class->name, hint);
}

_Noreturn void raise_assigned(lua_State *L, const struct class *class, int key)
{
	char text[VALUE_TEXT], hint[400] = "";
	if (lua_type(L, key) == LUA_TSTRING)
		hint_find(L, class, lua_tostring(L, key), true, hint);
	const char *a = strchr("ai", class->name[0]) ? "an" : "a";
	const char *own = hint[0] == '\0' && class->has_data ? "; what is yours goes into its field data" : "";
	raise_error(L, "%s %s has no field %s to assign%s%s", a, class->name, value_text(L, key, text), hint, own);
}

/* __index of tables of methods and of modules. Upvalues: the shared table, the class, and "data" or an address that is no key.
 * Modules have no other keys than strings: ipairs ends, as with any table. */
static int missing(lua_State *L)
{
	if (lua_rawequal(L, 2, lua_upvalueindex(3)))
		return 0;
	const struct class *class = upvalue_address(L, 2);
	if (is_module(class) && lua_type(L, 2) != LUA_TSTRING)
		return 0;
	lua_settop(L, 2);
	if (class == &module_collide && strcmp(lua_tostring(L, 2), "warn") == 0)
		return warn_push(L);
	raise_missing(L, class, 2);
}

void words_guard(lua_State *L, int shared, const struct class *class)
{
	lua_createtable(L, 0, 3);
	if (class == &module_collide) {
		lua_pushcfunction(L, module_assign);
		lua_setfield(L, -2, "__newindex");
	}
	lua_pushvalue(L, shared);
	lua_pushlightuserdata(L, (void *)class);
	if (class->has_data)
		lua_pushliteral(L, "data");
	else
		lua_pushlightuserdata(L, (void *)class);
	lua_pushcclosure(L, missing, 3);
	lua_setfield(L, -2, "__index");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
}
