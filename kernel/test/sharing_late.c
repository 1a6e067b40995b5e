/* SPDX-License-Identifier: MIT */
/*
 * A budget that ends inside a section while an interrupt keeps the processor: the kernel sees the
 * overrun late. The time before the kernel sees the overrun belongs to the overrun, too.
 */
#include "server_budget.h"

enum { US = 1000, BUDGET = 300 * US, SLACK = 15 * US, OF_LONG = 1 << 5 };

volatile uint64_t interrupt_ns;

TASK(ASKS)
{
	ALLOWED(GetResource(SHARED));
	ALLOWED(ReleaseResource(SHARED));
	TerminateTask();
}

/*
 * With 20 us left, use `late_ns` in an interrupt, and `more_ns` after it in a section. The next
 * budget must lack all time beyond the budget, except the kernel's overhead.
 */
static void pays_back(uint64_t late_ns, uint64_t more_ns)
{
	uint64_t began_ns = await_budget(LO), beyond_ns, owed_ns;

	use_up_to(LO, 20 * US);
	ALLOWED(GetResource(SHARED));
	interrupt_ns = 20 * US + late_ns;
	raise_interrupts(OF_LONG);
	plf_spend(more_ns);
	beyond_ns = plf_user_now_ns() - began_ns - BUDGET;
	CHECK(beyond_ns < 120 * US);
	CHECK(beyond_ns + SLACK > late_ns);
	ALLOWED(ReleaseResource(SHARED));
	owed_ns = BUDGET - left(LO);
	CHECK(owed_ns + SLACK > beyond_ns);
	CHECK(owed_ns < beyond_ns + SLACK);
}

TASK(MAIN)
{
	pays_back(60 * US, 20 * US);
	pays_back(80 * US, 0);
	pays_back(0, 60 * US);
	ShutdownOS(E_OK);
}
