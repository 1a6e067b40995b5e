/* SPDX-License-Identifier: MIT */
#include "wait.h"

#include "clock.h"
#include "gate.h"
#include "keeper.h"
#include "server.h"

#include <time.h>

int plf_wait_begin(struct plf_thread *t, uint32_t kept)
{
	if (!plf_is_attached(t))
		return EPERM;
	if (kept == 0)
		return 0;
	if (t->strength == PLF_STRENGTH_STRICT)
		return EBUSY;
	plf_slot_of(t)->stats.waits_in_section++;
	return 0;
}

void plf_wait_sleep(struct plf_thread *t)
{
	plf_supply_sleeps_till(plf_slot_of(t));
}

int plf_wake_hook_slow(void)
{
	struct plf_thread *t = plf_self;

	if (!plf_is_attached(t))
		return EPERM;
	if (!plf_is_at_home(t))
		return EXDEV;
	plf_supply_pass(plf_slot_of(t));
	return plf_wait_uncovered(t, PLF_WITHOUT_END);
}

int plf_wait_end(int error)
{
	int hook_error;

	plf_supply_wakes(plf_slot_of(plf_self));
	hook_error = plf_wake_hook();
	return hook_error != 0 ? hook_error : error;
}

uint64_t plf_now(void)
{
	return plf_clock_ns();
}

int plf_sleep_until(uint64_t time_ns)
{
	struct timespec until = plf_timespec(time_ns);
	int error = plf_wait_begin(plf_self, plf_held(plf_self));

	if (error != 0)
		return error;
	plf_wait_sleep(plf_self);
	return plf_wait_end(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
}

int plf_periodic_init(struct plf_periodic *periodic, uint64_t first_ns, uint64_t period_ns)
{
	if (period_ns == 0)
		return EINVAL;
	*periodic = (struct plf_periodic) { .next_ns = first_ns, .period_ns = period_ns };
	return 0;
}

int plf_periodic_wait(struct plf_periodic *periodic)
{
	uint64_t now_ns = plf_now();
	int error;

	if (now_ns > periodic->next_ns && !periodic->interrupted) {
		uint64_t missed = (now_ns - periodic->next_ns - 1) / periodic->period_ns + 1;

		periodic->missed += missed;
		periodic->next_ns += missed * periodic->period_ns;
	}
	error = plf_sleep_until(periodic->next_ns);
	periodic->interrupted = error == EINTR;
	if (error == 0)
		periodic->next_ns += periodic->period_ns;
	return error;
}
