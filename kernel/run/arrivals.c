/* SPDX-License-Identifier: MIT */
/*
 * The arrivals of a description, drawn before the image was built: an interrupt of their own
 * activates the tasks. One that finds its task with as many activations as it may have is
 * dropped, as pending = "skip" says.
 */
#include "interrupt.h"
#include "port.h"
#include "recording.h"
#include "service.h"
#include "trace.h"

enum { LIMIT = PLF_ARRIVALS - 1 };

static uint64_t zero_ns;
static uint32_t taken;

static uint64_t next_arrival_ns(void)
{
	return zero_ns + plf_arrival_config[taken].time_ns;
}

static void set_next(void)
{
	uint64_t next_ns = next_arrival_ns();

	plf_port_set_arrival(next_ns);
	plf_timer_is_set(plf_this_core(), PLF_TIMER_ARRIVALS, next_ns);
}

void plf_arrivals_start(uint64_t at_ns)
{
	zero_ns = at_ns;
	set_next();
}

bool plf_arrivals_are_over(void)
{
	return taken == LIMIT;
}

static void take(struct plf_core *core, uint64_t time_ns, unsigned task)
{
	if (task < PLF_TASKS) {
		plf_arrived(core, time_ns);
		plf_trace(PLF_TRACE_ARRIVAL, &plf_tasks[task]);
		(void)plf_activate(core, &plf_tasks[task]);
	}
}

void plf_arrival(void)
{
	struct plf_core *core = plf_this_core();
	uint64_t now_ns = plf_port_now_ns();

	if (taken == LIMIT)
		plf_trace_end("limit");
	plf_begin_interrupt(core);
	for (; taken != LIMIT && next_arrival_ns() <= now_ns; taken++)
		take(core, next_arrival_ns(), plf_arrival_config[taken].task);
	set_next();
	plf_end_interrupt(core);
}
