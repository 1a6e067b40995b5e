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

static struct {
	uint64_t zero_ns;
	uint32_t taken;
} cores[PLF_CPUS];

static const struct plf_arrivals_config *config_of(const struct plf_core *core)
{
	return &plf_arrivals_config[plf_index_of(core)];
}

static const struct plf_arrival *next_of(const struct plf_core *core)
{
	return &config_of(core)->list[cores[plf_index_of(core)].taken];
}

static uint64_t next_arrival_ns(const struct plf_core *core)
{
	return cores[plf_index_of(core)].zero_ns + next_of(core)->time_ns;
}

static void set_next(struct plf_core *core)
{
	uint64_t next_ns = next_arrival_ns(core);

	plf_port_set_arrival(next_ns);
	plf_timer_is_set(core, PLF_TIMER_ARRIVALS, next_ns);
}

void plf_arrivals_start(struct plf_core *core, uint64_t at_ns)
{
	cores[plf_index_of(core)].zero_ns = at_ns;
	set_next(core);
}

/* What is left is the time at which the run is cut. */
bool plf_arrivals_are_over(const struct plf_core *core)
{
	return cores[plf_index_of(core)].taken == config_of(core)->count - 1;
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
	while (!plf_arrivals_are_over(core) && next_arrival_ns(core) <= now_ns) {
		take(core, next_arrival_ns(core), next_of(core)->task);
		cores[plf_index_of(core)].taken++;
	}
	set_next(core);
	plf_end_interrupt(core);
}
