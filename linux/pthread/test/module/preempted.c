/* SPDX-License-Identifier: MIT */
/* Owners that are preempted at any moment. */
#define _GNU_SOURCE
#include "module.h"
#include "tests.h"

static _Atomic int least; /* the owner's ceiling is at least this */

/* Just after `least` is lowered the section may be open or closed. */
static void go_in_and_out_of_two(void *over)
{
	while (!*(_Atomic bool *)over) {
		assert_ok(pthread_mutex_lock(&inner));
		least = 20;
		assert_ok(pthread_mutex_lock(&mutex));
		least = CEILING;
		least = 20;
		assert_ok(pthread_mutex_unlock(&mutex));
		least = 0;
		assert_ok(pthread_mutex_unlock(&inner));
		assert_int_equal(effective_priority(), LOW);
	}
	expect_outside(LOW);
}

void a_preempted_owner_is_raised(void **state)
{
	_Atomic bool over = false;
	struct timespec time = { .tv_sec = 0 };
	struct member owner;
	int seen;

	UNUSED(state);
	assert_ok(pthread_setschedprio(pthread_self(), 90));
	least = 0;
	start(&owner, LOW, go_in_and_out_of_two, &over);
	for (int i = 0; i < 2000; i++) {
		time.tv_nsec = 20000 + i * 37 % 9001;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
		seen = owner.tid == 0 ? LOW : kernel_priority(owner.tid);
		assert_true(seen >= least);
		assert_true(seen == LOW || seen == 20 || seen == CEILING);
	}
	over = true;
	join(&owner);
}
