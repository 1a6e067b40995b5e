/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SERVER_BUDGET_H
#define PLF_TEST_SERVER_BUDGET_H

/* The budget of a server, as its tasks see and use it. */
#include "check.h"
#include "plf_clock.h"

static inline uint64_t left(ServerType server)
{
	uint64_t left_ns = 0;

	ALLOWED(GetBudget(server, &left_ns));
	return left_ns;
}

/* Spend time until at most left_ns is left. */
static inline void use_up_to(ServerType server, uint64_t left_ns)
{
	while (left(server) > left_ns)
		plf_spend(1000);
}

/* Wait until a period of the server begins while its task runs; return the time. */
static inline uint64_t await_budget(ServerType server)
{
	uint64_t before = left(server), now;

	while ((now = left(server)) <= before) {
		plf_spend(1000);
		before = now;
	}
	return plf_user_now_ns();
}

#endif
