/* vector.h - vectors and rotations of one precision. math.h includes this file for floats, with names such as d2_add, and for
 * doubles, with names such as d2_add_d. Its parameters:
 *   REAL      the type of numbers
 *   ROOT      the square root function of that type
 *   D2(name)  the name of a type or function in this precision
 * Pure functions, any thread. */

struct D2(vec) {
	REAL x, y;
};

struct D2(rot) {
	REAL c, s; /* cosine and sine of the angle */
};

static inline struct D2(vec) D2(add)(struct D2(vec) a, struct D2(vec) b)
{
	return (struct D2(vec)){a.x + b.x, a.y + b.y};
}

static inline struct D2(vec) D2(sub)(struct D2(vec) a, struct D2(vec) b)
{
	return (struct D2(vec)){a.x - b.x, a.y - b.y};
}

static inline struct D2(vec) D2(neg)(struct D2(vec) a)
{
	return (struct D2(vec)){-a.x, -a.y};
}

static inline struct D2(vec) D2(scale)(REAL s, struct D2(vec) a)
{
	return (struct D2(vec)){s * a.x, s * a.y};
}

/* a + s b */
static inline struct D2(vec) D2(mul_add)(struct D2(vec) a, REAL s, struct D2(vec) b)
{
	return (struct D2(vec)){a.x + s * b.x, a.y + s * b.y};
}

static inline REAL D2(dot)(struct D2(vec) a, struct D2(vec) b)
{
	return a.x * b.x + a.y * b.y;
}

/* The z component of a x b: positive when b is counter-clockwise of a. */
static inline REAL D2(cross)(struct D2(vec) a, struct D2(vec) b)
{
	return a.x * b.y - a.y * b.x;
}

static inline REAL D2(length)(struct D2(vec) a)
{
	return ROOT(D2(dot)(a, a));
}

/* The composition of two rotations: applies b, then a. */
static inline struct D2(rot) D2(mul_rot)(struct D2(rot) a, struct D2(rot) b)
{
	return (struct D2(rot)){a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}

/* The rotation of frame b relative to frame a. */
static inline struct D2(rot) D2(inv_mul_rot)(struct D2(rot) a, struct D2(rot) b)
{
	return (struct D2(rot)){a.c * b.c + a.s * b.s, a.c * b.s - a.s * b.c};
}

#undef REAL
#undef ROOT
#undef D2
