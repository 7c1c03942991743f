/* inertia.c - see inertia.h. */
#include "d3/dynamics/inertia.h"

enum { SWEEPS = 16 }; /* of Jacobi's method; each squares the off-diagonal entries: about five are enough for doubles */

/* Rotates the axes p and q so that m[p][q] becomes 0, with t the tangent of the smaller of the two possible angles:
 *   t = sign(theta) / (|theta| + sqrt(theta^2 + 1)),  theta = (m_qq - m_pp) / (2 m_pq)
 * Source: Jacobi 1846; Golub, Van Loan, "Matrix Computations", 8.4. */
static void axes_turn(double m[3][3], double axes[3][3], int p, int q)
{
	if (m[p][q] == 0.0)
		return;
	double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
	double t = (theta < 0.0 ? -1.0 : 1.0) / (abs_d(theta) + sqrt(theta * theta + 1.0)), c = 1.0 / sqrt(t * t + 1.0), s = t * c;
	int r = 3 - p - q;
	double pq = m[p][q], rp = m[r][p], rq = m[r][q];
	m[p][p] -= t * pq;
	m[q][q] += t * pq;
	m[p][q] = m[q][p] = 0.0;
	m[r][p] = m[p][r] = c * rp - s * rq;
	m[r][q] = m[q][r] = s * rp + c * rq;
	for (int i = 0; i < 3; ++i) {
		double ip = axes[i][p], iq = axes[i][q];
		axes[i][p] = c * ip - s * iq;
		axes[i][q] = s * ip + c * iq;
	}
}

/* Returns the quaternion of a rotation given by its columns, from its largest component, to avoid dividing by a small one.
 * Source: Shepperd, "Quaternion from Rotation Matrix", 1978. */
static struct d3_quat quat_of(const struct d3_vec_d *x, const struct d3_vec_d *y, const struct d3_vec_d *z)
{
	double trace = x->x + y->y + z->z, a, b, c, d;
	if (trace > 0.0) {
		d = 1.0 + trace, a = y->z - z->y, b = z->x - x->z, c = x->y - y->x;
	} else if (x->x >= y->y && x->x >= z->z) {
		a = 1.0 + x->x - y->y - z->z, b = x->y + y->x, c = z->x + x->z, d = y->z - z->y;
	} else if (y->y >= z->z) {
		a = x->y + y->x, b = 1.0 + y->y - x->x - z->z, c = y->z + z->y, d = z->x - x->z;
	} else {
		a = z->x + x->z, b = y->z + z->y, c = 1.0 + z->z - x->x - y->y, d = x->y - y->x;
	}
	double scale = 1.0 / sqrt(a * a + b * b + c * c + d * d);
	return (struct d3_quat){(float)(scale * a), (float)(scale * b), (float)(scale * c), (float)(scale * d)};
}

struct d3_principal d3_principal(const struct d3_symmetric *tensor)
{
	double m[3][3] = {
		{tensor->xx, tensor->xy, tensor->xz}, {tensor->xy, tensor->yy, tensor->yz}, {tensor->xz, tensor->yz, tensor->zz}};
	double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int sweep = 0; sweep < SWEEPS; ++sweep) {
		axes_turn(m, axes, 0, 1);
		axes_turn(m, axes, 0, 2);
		axes_turn(m, axes, 1, 2);
	}
	int order[3] = {0, 1, 2};
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 2; ++k)
			if (m[order[k]][order[k]] > m[order[k + 1]][order[k + 1]]) {
				int swapped = order[k];
				order[k] = order[k + 1];
				order[k + 1] = swapped;
			}
	struct d3_vec_d x = {axes[0][order[0]], axes[1][order[0]], axes[2][order[0]]};
	struct d3_vec_d y = {axes[0][order[1]], axes[1][order[1]], axes[2][order[1]]}, z = d3_cross_d(x, y);
	return (struct d3_principal){{m[order[0]][order[0]], m[order[1]][order[1]], m[order[2]][order[2]]}, quat_of(&x, &y, &z)};
}

struct d3_symmetric d3_tensor(struct d3_quat frame, struct d3_vec moments)
{
	struct d3_rot q = d3_quat_rot(frame);
	struct d3_vec x = d3_scale(moments.x, q.x), y = d3_scale(moments.y, q.y), z = d3_scale(moments.z, q.z);
	return (struct d3_symmetric){
		x.x * q.x.x + y.x * q.y.x + z.x * q.z.x,
		x.y * q.x.y + y.y * q.y.y + z.y * q.z.y,
		x.z * q.x.z + y.z * q.y.z + z.z * q.z.z,
		x.x * q.x.y + y.x * q.y.y + z.x * q.z.y,
		x.x * q.x.z + y.x * q.y.z + z.x * q.z.z,
		x.y * q.x.z + y.y * q.y.z + z.y * q.z.z,
	};
}

/* Inverse of m = [[a, c], [c, b]]. */
static void invert_two(float a, float b, float c, float *inverse_a, float *inverse_b, float *inverse_c)
{
	double determinant = (double)a * (double)b - (double)c * (double)c, scale = determinant > 0.0 ? 1.0 / determinant : 0.0;
	*inverse_a = (float)(scale * (double)b);
	*inverse_b = (float)(scale * (double)a);
	*inverse_c = (float)(scale * -(double)c);
}

static struct d3_symmetric invert_three(const struct d3_symmetric *m)
{
	double xx = m->xx, yy = m->yy, zz = m->zz, xy = m->xy, xz = m->xz, yz = m->yz;
	double cx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
	double determinant = xx * cx + xy * cxy + xz * cxz, scale = determinant > 0.0 ? 1.0 / determinant : 0.0;
	return (struct d3_symmetric){
		(float)(scale * cx),
		(float)(scale * (xx * zz - xz * xz)),
		(float)(scale * (xx * yy - xy * xy)),
		(float)(scale * cxy),
		(float)(scale * cxz),
		(float)(scale * (xy * xz - xx * yz)),
	};
}

struct d3_symmetric d3_tensor_inverse(const struct d3_symmetric *tensor, unsigned free)
{
	const struct d3_symmetric *m = tensor;
	struct d3_symmetric inverse = {0};
	switch (free & 7u) {
	case 1: inverse.xx = m->xx > 0.0f ? 1.0f / m->xx : 0.0f; break;
	case 2: inverse.yy = m->yy > 0.0f ? 1.0f / m->yy : 0.0f; break;
	case 4: inverse.zz = m->zz > 0.0f ? 1.0f / m->zz : 0.0f; break;
	case 3: invert_two(m->xx, m->yy, m->xy, &inverse.xx, &inverse.yy, &inverse.xy); break;
	case 5: invert_two(m->xx, m->zz, m->xz, &inverse.xx, &inverse.zz, &inverse.xz); break;
	case 6: invert_two(m->yy, m->zz, m->yz, &inverse.yy, &inverse.zz, &inverse.yz); break;
	case 7: return invert_three(tensor);
	default: break;
	}
	return inverse;
}
