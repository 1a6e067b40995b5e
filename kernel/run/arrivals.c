/* SPDX-License-Identifier: MIT */
/*
 * The arrivals of a description, drawn before the image was built: an interrupt of their own
 * activates the tasks. One that finds its task with as many activations as it may have is
 * dropped, as pending = "skip" says.
 */
#include "cores.h"
#include "interrupt.h"
#include "port.h"
#include "recording.h"
#include "service.h"
#include "trace.h"

static const uint32_t ends[PLF_CPUS] = PLF_ARRIVALS_TO;
static uint32_t taken[PLF_CPUS] = PLF_ARRIVALS_FROM; /* before this one, of each core */
static uint64_t zero_ns;

static const struct plf_arrival_config *next_of(const struct plf_core *core)
{
	return &plf_arrival_config[taken[plf_index_of(core)]];
}

static uint64_t next_arrival_ns(const struct plf_core *core)
{
	return zero_ns + next_of(core)->time_ns;
}

static void set_next(struct plf_core *core)
{
	uint64_t next_ns = next_arrival_ns(core);

	plf_port_set_arrival(next_ns);
	plf_timer_is_set(core, PLF_TIMER_ARRIVALS, next_ns);
}

/* Of all cores the same time. */
void plf_arrivals_start(struct plf_core *core, uint64_t at_ns)
{
	zero_ns = at_ns;
	set_next(core);
}

/* What is left is the time at which the run is cut. */
bool plf_arrivals_are_over(const struct plf_core *core)
{
	return taken[plf_index_of(core)] == ends[plf_index_of(core)] - 1;
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

	if (plf_arrivals_are_over(core))
		plf_trace_end("limit");
	plf_begin_interrupt(core);
	for (; !plf_arrivals_are_over(core) && next_arrival_ns(core) <= now_ns;
	     taken[plf_index_of(core)]++)
		take(core, next_arrival_ns(core), next_of(core)->task);
	set_next(core);
	plf_end_interrupt(core);
}
