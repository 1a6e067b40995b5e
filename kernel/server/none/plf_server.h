/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_H
#define PLF_SERVER_H

/* No servers: see kernel/server.h. The port's timer serves alarms, and the budgets of tasks. */
#include "timing.h"

static inline void plf_prepare_queues(struct plf_core *core)
{
	plf_prepare_queue(core);
	if (PLF_BUDGETS)
		plf_prepare_budgets();
}

static inline void plf_start_servers(struct plf_core *core)
{
	(void)core;
}

static inline void plf_leave_kernel(struct plf_core *core)
{
	(void)core;
}

static inline bool plf_servers_are_done(const struct plf_core *core)
{
	(void)core;
	return true;
}

static inline StatusType plf_access(struct plf_core *core, uintptr_t number, uintptr_t id)
{
	(void)core, (void)number, (void)id;
	return E_OK;
}

static inline bool plf_timer_is_for_alarms(struct plf_core *core)
{
	return !PLF_BUDGETS || plf_timer_is_for_no_budget(core);
}

static inline void plf_masks_changed(struct plf_core *core)
{
	if (PLF_BUDGETS)
		plf_set_budget_timer(core);
}

static inline unsigned plf_list_of(unsigned alarm)
{
	(void)alarm;
	return 0;
}

static inline unsigned plf_list_now(const struct plf_core *core, unsigned counter)
{
	(void)core, (void)counter;
	return 0;
}

static inline unsigned plf_time_list(const struct plf_core *core)
{
	(void)core;
	return 0;
}

static inline void plf_next_alarm_is(struct plf_core *core, uint64_t at_ns)
{
	if (PLF_BUDGETS)
		plf_first_alarm_is(core, at_ns);
	else
		plf_port_set_timer(at_ns);
	plf_timer_is_set(core, PLF_TIMER_ALARMS, at_ns);
}

static inline void plf_set_timer_of(unsigned alarm)
{
	(void)alarm;
	plf_set_timer();
}

static inline void plf_next_arrival_is(struct plf_core *core, unsigned queue, uint64_t at_ns)
{
	(void)queue;
	plf_port_set_arrival(at_ns);
	plf_timer_is_set(core, PLF_TIMER_ARRIVALS, at_ns);
}

static inline unsigned plf_queue_number(const struct plf_core *core)
{
	return plf_index_of(core);
}

static inline unsigned plf_core_of_queue(unsigned queue)
{
	return queue;
}

#endif
