/* segment_box.c - see segment_box.h. */
#include "spatial/segment_box.h"

/* An exact sum of non-overlapping doubles, smallest first. */
struct expansion {
	double part[12];
	int count;
};

/* Adds one double. Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997,
 * GROW-EXPANSION with Knuth's TWO-SUM. */
static void expansion_add(struct expansion *sum, double x)
{
	for (int i = 0; i < sum->count; ++i) {
		double part = sum->part[i], total = x + part;
		double of_part = total - x, of_x = total - of_part;
		sum->part[i] = (x - of_x) + (part - of_part);
		x = total;
	}
	sum->part[sum->count++] = x;
}

/* Splits into two halves of 26 bits. Source: Veltkamp 1968; Dekker, "A floating-point technique for extending the available
 * precision", 1971. */
static void split(double a, double *high, double *low)
{
	double c = 134217729.0 * a; /* 2^27 + 1 */
	*high = c - (c - a);
	*low = a - *high;
}

static void expansion_add_product(struct expansion *sum, double a, double b)
{
	double product = a * b, a_high, a_low, b_high, b_low;
	split(a, &a_high, &a_low);
	split(b, &b_high, &b_low);
	double error = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
	expansion_add(sum, a_low * b_low - error);
	expansion_add(sum, product);
}

static int side_exact(const double a[2], const double b[2], const double c[2])
{
	struct expansion sum = {{0}, 0};
	expansion_add_product(&sum, b[0], c[1]);
	expansion_add_product(&sum, -b[0], a[1]);
	expansion_add_product(&sum, -a[0], c[1]);
	expansion_add_product(&sum, -b[1], c[0]);
	expansion_add_product(&sum, b[1], a[0]);
	expansion_add_product(&sum, a[1], c[0]);
	for (int i = sum.count - 1; i >= 0; --i)
		if (sum.part[i] != 0)
			return sum.part[i] > 0 ? 1 : -1;
	return 0;
}

/*   area = (b - a) x (c - a), error at most (3 + 16 e) e (|left| + |right|), e = 2^-53
 * Source: Shewchuk 1997, bound A of the two-dimensional orientation test. */
static int segment_side(const double a[2], const double b[2], const double c[2])
{
	double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
	double area = left - right, bound = 3.3306690738754716e-16 * (abs_d(left) + abs_d(right));
	if (abs_d(area) > bound)
		return area > 0 ? 1 : -1;
	return side_exact(a, b, c);
}

/* Whether the line, projected along the third axis, passes through the rectangle on axes u and v: the corners farthest to its
 * left and to its right are not both on one side. */
static bool line_meets_rectangle(const double from[3], const double to[3], const struct box_d *box, int u, int v)
{
	if (from[u] == to[u] || from[v] == to[v])
		return true; /* parallel to a side: the interval tests have decided already */
	const double a[2] = {from[u], from[v]}, b[2] = {to[u], to[v]};
	bool right = b[0] > a[0], up = b[1] > a[1];
	const double left_most[2] = {up ? box->lower[u] : box->upper[u], right ? box->upper[v] : box->lower[v]};
	const double right_most[2] = {up ? box->upper[u] : box->lower[u], right ? box->lower[v] : box->upper[v]};
	return segment_side(a, b, left_most) >= 0 && segment_side(a, b, right_most) <= 0;
}

/* Separating axes: those of the box, and their cross products with the segment, each of which is a 2D test. Source: Gottschalk,
 * Lin, Manocha, "OBBTree", 1996, with one of the two boxes a segment. */
bool segment_overlaps_box(const double from[3], const double to[3], const struct box_d *box)
{
	for (int i = 0; i < 3; ++i)
		if (max_d(from[i], to[i]) < box->lower[i] || min_d(from[i], to[i]) > box->upper[i])
			return false;
	return line_meets_rectangle(from, to, box, 0, 1) && line_meets_rectangle(from, to, box, 0, 2) &&
		line_meets_rectangle(from, to, box, 1, 2);
}

/* A segment enters the box when it has entered the intervals of all axes. Source: Kay, Kajiya, "Ray Tracing Complex Scenes",
 * 1986. */
double segment_entry(const double from[3], const double to[3], const struct box_d *box)
{
	double entry = 0;
	for (int i = 0; i < 3; ++i) {
		double side = from[i] < box->lower[i] ? box->lower[i] : from[i] > box->upper[i] ? box->upper[i] : from[i];
		if (side != from[i])
			entry = max_d(entry, (side - from[i]) / (to[i] - from[i]));
	}
	return min_d(entry, 1);
}
