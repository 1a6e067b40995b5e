/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpmd_sample.h"

#include "../linux/machine/clock.h"

#include <interrupted.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { TRIALS = 3 };

static bool sees_timer(int timer)
{
	const struct itimerspec soon = { .it_value = timespec_of(NS_PER_MS / 2) };
	int64_t end_ns = now_ns() + 2 * NS_PER_MS;

	if (timerfd_settime(timer, 0, &soon, NULL) != 0)
		return false;
	watch_interrupts();
	while (now_ns() < end_ns)
		;
	return was_interrupted();
}

bool sees_interrupts(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	bool sees = timer >= 0;

	for (int i = 0; i < TRIALS && sees; i++)
		sees = sees_timer(timer);
	if (timer >= 0)
		close(timer);
	return sees;
}

struct pass watched_pass(const struct set *set, bool *is_cut)
{
	struct pass pass;

	watch_interrupts();
	pass = pass_through(set);
	*is_cut = was_interrupted();
	return pass;
}

void print_sample(const struct sample *s)
{
	printf("sample %d %d %" PRId64 " %" PRId64 " %" PRId64 " %d %" PRId64 " %" PRId64
	       " %d %" PRId64 " %" PRId64 " %" PRId64 "\n",
	       s->from, s->to, s->away_ns, s->warm.time_ns, s->warm.chunk_ns, s->warm_cut,
	       s->after.time_ns, s->after.chunk_ns, s->after_cut, s->fault_count, s->left_count,
	       s->stolen_ns);
}
