/* SPDX-License-Identifier: MIT */
/* Nested sections. */
#define _GNU_SOURCE
#include "module.h"
#include "tests.h"

static pthread_mutex_t *const nested[] = { &inner, &mutex, &middle };
static const int ceilings[] = { 20, CEILING, 30 };
static const int orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
				 { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

enum { ORDERS = sizeof(orders) / sizeof(orders[0]) };

static int highest(const bool *open)
{
	int ceiling = LOW;

	for (int i = 0; i < 3; i++)
		if (open[i] && ceilings[i] > ceiling)
			ceiling = ceilings[i];
	return ceiling;
}

/* Once raised, the thread is lowered with the claim, with or without a query. */
static void open_and_close(const int *opening, const int *closing, bool asked)
{
	bool open[3] = { false, false, false };

	for (int i = 0; i < 3; i++) {
		assert_ok(pthread_mutex_lock(nested[opening[i]]));
		open[opening[i]] = true;
		if (asked || i == 2)
			assert_int_equal(effective_priority(), highest(open));
		if (asked || i == 2)
			assert_int_equal(kernel_own(), highest(open));
	}
	for (int i = 0; i < 3; i++) {
		assert_ok(pthread_mutex_unlock(nested[closing[i]]));
		open[closing[i]] = false;
		assert_int_equal(kernel_own(), highest(open));
		if (asked)
			assert_int_equal(effective_priority(), highest(open));
	}
}

void the_highest_open_one_counts(void **state)
{
	UNUSED(state);
	for (int i = 0; i < ORDERS; i++)
		for (int j = 0; j < ORDERS; j++)
			for (int asked = 0; asked < 2; asked++)
				open_and_close(orders[i], orders[j], asked);
}

/* More sections than a thread has accounts for. */
void deeper_than_any_account(void **state)
{
	static pthread_mutex_t many[80];

	UNUSED(state);
	for (int i = 0; i < 80; i++) {
		make_mutex(&many[i], LOW + 1 + i, PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&many[i]));
	}
	assert_int_equal(effective_priority(), LOW + 80);
	for (int i = 79; i >= 0; i--) {
		assert_ok(pthread_mutex_unlock(&many[i]));
		assert_int_equal(effective_priority(), LOW + i);
	}
	expect_outside(LOW);
	lock_often(1);
	expect_outside(LOW);
}
