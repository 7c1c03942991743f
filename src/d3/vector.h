/* vector.h - vectors and rotations of one precision. math.h includes this file for floats, with names such as d3_add, and for
 * doubles, with names such as d3_add_d. The includer defines:
 *   REAL      the type of numbers
 *   ROOT      the square root function of that type
 *   D3(name)  the full name of a type or function for that type
 * Pure, any thread. */

struct D3(vec) {
	REAL x, y, z;
};

/* A quaternion; if of unit length, the rotation by 2 acos(w) about (x, y, z). */
struct D3(quat) {
	REAL x, y, z, w;
};

/* A rotation matrix by its columns: the images of the axes. */
struct D3(rot) {
	struct D3(vec) x, y, z;
};

/* The coordinate along axis 0, 1 or 2. */
static inline REAL D3(coordinate)(struct D3(vec) a, int axis)
{
	return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Componentwise minimum; max: maximum. */
static inline struct D3(vec) D3(min)(struct D3(vec) a, struct D3(vec) b)
{
	return (struct D3(vec)){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline struct D3(vec) D3(max)(struct D3(vec) a, struct D3(vec) b)
{
	return (struct D3(vec)){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline struct D3(vec) D3(add)(struct D3(vec) a, struct D3(vec) b)
{
	return (struct D3(vec)){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct D3(vec) D3(sub)(struct D3(vec) a, struct D3(vec) b)
{
	return (struct D3(vec)){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct D3(vec) D3(neg)(struct D3(vec) a)
{
	return (struct D3(vec)){-a.x, -a.y, -a.z};
}

static inline struct D3(vec) D3(scale)(REAL s, struct D3(vec) a)
{
	return (struct D3(vec)){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline struct D3(vec) D3(mul_add)(struct D3(vec) a, REAL s, struct D3(vec) b)
{
	return (struct D3(vec)){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline REAL D3(dot)(struct D3(vec) a, struct D3(vec) b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct D3(vec) D3(cross)(struct D3(vec) a, struct D3(vec) b)
{
	return (struct D3(vec)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline REAL D3(length)(struct D3(vec) a)
{
	return ROOT(D3(dot)(a, a));
}

/* A unit vector perpendicular to n, which may have any length but 0. */
static inline struct D3(vec) D3(across)(struct D3(vec) n)
{
	REAL x = n.x < 0 ? -n.x : n.x, y = n.y < 0 ? -n.y : n.y, z = n.z < 0 ? -n.z : n.z;
	int axis = x <= y && x <= z ? 0 : y <= z ? 1 : 2;
	struct D3(vec) c = D3(cross)(n, (struct D3(vec)){axis == 0, axis == 1, axis == 2});
	return D3(scale)(1 / D3(length)(c), c);
}

static inline struct D3(vec) D3(turn)(const struct D3(rot) *q, struct D3(vec) a)
{
	return (struct D3(vec)){q->x.x * a.x + q->y.x * a.y + q->z.x * a.z, q->x.y * a.x + q->y.y * a.y + q->z.y * a.z,
		q->x.z * a.x + q->y.z * a.y + q->z.z * a.z};
}

static inline struct D3(vec) D3(inv_turn)(const struct D3(rot) *q, struct D3(vec) a)
{
	return (struct D3(vec)){D3(dot)(q->x, a), D3(dot)(q->y, a), D3(dot)(q->z, a)};
}

/* The product a b: the rotation b, then a. */
static inline struct D3(rot) D3(mul_rot)(const struct D3(rot) *a, const struct D3(rot) *b)
{
	return (struct D3(rot)){D3(turn)(a, b->x), D3(turn)(a, b->y), D3(turn)(a, b->z)};
}

/* The rotation of b relative to a: a^-1 b. */
static inline struct D3(rot) D3(inv_mul_rot)(const struct D3(rot) *a, const struct D3(rot) *b)
{
	return (struct D3(rot)){D3(inv_turn)(a, b->x), D3(inv_turn)(a, b->y), D3(inv_turn)(a, b->z)};
}

/* The inverse rotation: the transpose. */
static inline struct D3(rot) D3(inv_rot)(const struct D3(rot) *q)
{
	return (struct D3(rot)){{q->x.x, q->y.x, q->z.x}, {q->x.y, q->y.y, q->z.y}, {q->x.z, q->y.z, q->z.z}};
}

/* The product a b: the rotation b, then a. */
static inline struct D3(quat) D3(mul_quat)(struct D3(quat) a, struct D3(quat) b)
{
	return (struct D3(quat)){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

/* The rotation matrix of a unit quaternion. */
static inline struct D3(rot) D3(quat_rot)(struct D3(quat) q)
{
	REAL xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	REAL wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return (struct D3(rot)){
		{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
		{2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
		{2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)},
	};
}

/* The unit quaternion, with w >= 0, of a rotation matrix. Source: Shepperd, "Quaternion from Rotation Matrix", 1978. */
static inline struct D3(quat) D3(rot_quat)(const struct D3(rot) *r)
{
	REAL x = r->x.x - r->y.y - r->z.z, y = r->y.y - r->x.x - r->z.z, z = r->z.z - r->x.x - r->y.y, w = r->x.x + r->y.y + r->z.z;
	struct D3(quat) q; /* four times its largest component, times the quaternion */
	if (w >= x && w >= y && w >= z)
		q = (struct D3(quat)){r->y.z - r->z.y, r->z.x - r->x.z, r->x.y - r->y.x, 1 + w};
	else if (x >= y && x >= z)
		q = (struct D3(quat)){1 + x, r->y.x + r->x.y, r->z.x + r->x.z, r->y.z - r->z.y};
	else if (y >= z)
		q = (struct D3(quat)){r->y.x + r->x.y, 1 + y, r->z.y + r->y.z, r->z.x - r->x.z};
	else
		q = (struct D3(quat)){r->z.x + r->x.z, r->z.y + r->y.z, 1 + z, r->x.y - r->y.x};
	REAL scale = (q.w < 0 ? -1 : 1) / ROOT(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (struct D3(quat)){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

#undef REAL
#undef ROOT
#undef D3
