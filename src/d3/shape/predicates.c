/* predicates.c - see predicates.h. A number is kept as an expansion: an exact sum of doubles that do not overlap, in ascending
 * order of size and without zeros. Its sign is that of its last part. */
#include "d3/shape/predicates.h"

/* Sets *high to the rounded sum and returns its error a + b - *high, which is exact (Knuth). */
static inline double sum_tail(double a, double b, double *high)
{
	double sum = a + b, from_b = sum - a, from_a = sum - from_b;
	*high = sum;
	return (a - from_a) + (b - from_b);
}

/* Sets *high to the rounded product and returns its error a b - *high, which is exact. */
static inline double product_tail(double a, double b, double *high)
{
	*high = a * b;
	return scalar_product_error(a, b, *high);
}

/* An expansion, with room for the longest sum. */
struct expansion {
	int count;
	double part[192];
};

static inline void push(struct expansion *e, double part)
{
	if (part != 0)
		e->part[e->count++] = part;
}

static void difference(double a, double b, struct expansion *out)
{
	double high, tail = sum_tail(a, -b, &high);
	out->count = 0;
	push(out, tail);
	push(out, high);
}

/* *out = e + sign f, where sign is 1 or -1. Adds the parts in ascending size. */
static void add(const struct expansion *e, const struct expansion *f, double sign, struct expansion *out)
{
	int i = 0, k = 0;
	double sum = 0;
	out->count = 0;
	while (i < e->count || k < f->count) {
		bool from_e = k == f->count || (i < e->count && fabs(e->part[i]) < fabs(f->part[k]));
		double next = from_e ? e->part[i++] : sign * f->part[k++];
		double tail = sum_tail(sum, next, &sum);
		push(out, tail);
	}
	push(out, sum);
}

static void scale(const struct expansion *e, double b, struct expansion *out)
{
	double sum = 0;
	out->count = 0;
	for (int i = 0; i < e->count; ++i) {
		double high, low = product_tail(e->part[i], b, &high);
		push(out, sum_tail(sum, low, &sum));
		push(out, sum_tail(sum, high, &sum));
	}
	push(out, sum);
}

/* *out = e f; f has at most two parts. */
static void multiply(const struct expansion *e, const struct expansion *f, struct expansion *out)
{
	if (f->count < 2) {
		scale(e, f->count ? f->part[0] : 0, out);
		return;
	}
	struct expansion low, high;
	scale(e, f->part[0], &low);
	scale(e, f->part[1], &high);
	add(&low, &high, 1, out);
}

/* *out = a d - b c, for expansions of at most two parts each. */
static void determinant(const struct expansion *a, const struct expansion *b, const struct expansion *c,
	const struct expansion *d, struct expansion *out)
{
	struct expansion ad, bc;
	multiply(a, d, &ad);
	multiply(b, c, &bc);
	add(&ad, &bc, -1, out);
}

static int sign_of(const struct expansion *e)
{
	return e->count == 0 ? 0 : e->part[e->count - 1] > 0 ? 1 : -1;
}

int d3_orient(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d d)
{
	struct expansion u[3], v[3], w[3], minor, term, sums[2];
	struct d3_vec_d ends[3] = {b, c, d};
	struct expansion *rows[3] = {u, v, w};
	for (int i = 0; i < 3; ++i) {
		difference(ends[i].x, a.x, &rows[i][0]);
		difference(ends[i].y, a.y, &rows[i][1]);
		difference(ends[i].z, a.z, &rows[i][2]);
	}
	sums[1].count = 0;
	for (int i = 0; i < 3; ++i) {
		int k = (i + 1) % 3, l = (i + 2) % 3;
		determinant(&u[k], &u[l], &v[k], &v[l], &minor);
		multiply(&minor, &w[i], &term);
		add(&sums[(i + 1) % 2], &term, 1, &sums[i % 2]);
	}
	return sign_of(&sums[0]);
}
