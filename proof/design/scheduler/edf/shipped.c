/* SPDX-License-Identifier: MIT */
#include "shipped.h"

#include "plf_schedule.h"

#include "configuration.h"

#include "ready.c"
#include "schedule.c"

static char slots[1]; /* unused: the queue holds its entries */
static uint64_t now_ns;

uint64_t plf_port_now_ns(void)
{
	return now_ns;
}

static struct plf_urgency_config of_urgency(uint64_t relative)
{
	return (struct plf_urgency_config) { .deadline_ns = relative, .least_ns = relative };
}

#include "common.h"

uint64_t shipped_entered(uint64_t now, uint64_t due)
{
	now_ns = now;
	plf_timer_is_set(plf_cores, PLF_TIMER_ARRIVALS, due);
	plf_take_time(plf_cores);
	return plf_cores[0].queue.instant;
}

void shipped_ages(void)
{
	for (unsigned i = 0; i < PLF_TASKS; i++) {
		plf_tasks[i].urgency.floor.deadline--;
		plf_tasks[i].urgency.latest--;
	}
	for (unsigned i = 0; i < plf_cores[0].queue.count; i++)
		plf_cores[0].queue.entries[i].deadline--;
}
