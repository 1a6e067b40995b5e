/* SPDX-License-Identifier: MIT */
#include "spare.h"

#include "../machine/clock.h"
#include "memory.h"
#include "team.h"

static int64_t processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return nanoseconds(time);
}

void *run_spare(void *argument)
{
	struct team *team = argument;
	const struct spare *spare = &team->plan->spare;
	int64_t before;
	int error;

	touch_stack();
	error = pthread_locks.attach(spare->priority, spare->cpu, 0);
	if (error != 0)
		team_refuses("spare", "it cannot become a real-time thread", error);
	team_wait_for_go(team, false);
	error = pthread_locks.sleep_until(team->zero_ns);
	if (error != 0)
		team_fails(team, "spare", pthread_locks.sleep_call, error);
	before = processor_time();
	while (now_ns() < team->zero_ns + spare->time_ns)
		;
	team->record->spare_ns = processor_time() - before;
	return NULL;
}
