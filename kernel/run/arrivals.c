/* SPDX-License-Identifier: MIT */
/*
 * The arrivals of a description, which were drawn before the image was built. A separate interrupt
 * activates the tasks. An arrival is dropped if its task has as many activations as it may have:
 * pending = "skip" of the description.
 */
#include "cores.h"
#include "interrupt.h"
#include "port.h"
#include "recording.h"
#include "server.h"
#include "service.h"
#include "timing.h"
#include "trace.h"

static const uint32_t queue_ends[PLF_QUEUES] = PLF_ARRIVALS_TO;
static uint32_t taken[PLF_QUEUES] = PLF_ARRIVALS_FROM; /* by queue: the index of the next arrival */
static uint64_t zero_ns;

static const struct plf_arrival_config *next_of(unsigned queue)
{
	return &plf_arrival_config[taken[queue]];
}

static uint64_t next_arrival_ns(unsigned queue)
{
	return zero_ns + next_of(queue)->time_ns;
}

/* Each core passes the same time. */
void plf_arrivals_start(struct plf_core *core, uint64_t at_ns)
{
	zero_ns = at_ns;
	for (unsigned queue = 0; queue < PLF_QUEUES; queue++)
		if (plf_core_of_queue(queue) == plf_index_of(core))
			plf_next_arrival_is(core, queue, next_arrival_ns(queue));
}

/* Only the last entry is left, the time at which the run is cut. */
static bool are_over(unsigned queue)
{
	return taken[queue] == queue_ends[queue] - 1;
}

/*
 * An entry without a task counts as taken when its time has passed, even if its queue is not in
 * force.
 */
static bool none_is_to_come(unsigned queue)
{
	bool is_last_and_of_no_task =
		taken[queue] == queue_ends[queue] - 2 && next_of(queue)->task == PLF_TASKS;

	return are_over(queue) ||
	       (is_last_and_of_no_task && next_arrival_ns(queue) <= plf_port_now_ns());
}

bool plf_arrivals_are_over(const struct plf_core *core)
{
	for (unsigned queue = 0; queue < PLF_QUEUES; queue++)
		if (plf_core_of_queue(queue) == plf_index_of(core) && !none_is_to_come(queue))
			return false;
	return true;
}

static void take_arrival(struct plf_core *core, uint64_t time_ns, unsigned task)
{
	if (task < PLF_TASKS) {
		plf_arrived(core, time_ns);
		if (PLF_TIME_FRAMES)
			plf_arrives_as_due(time_ns);
		plf_trace(PLF_TRACE_ARRIVAL, &plf_tasks[task]);
		(void)plf_activate(core, &plf_tasks[task]);
		if (PLF_TIME_FRAMES)
			plf_arrives_as_due(0);
	}
}

void plf_take_arrivals(struct plf_core *core)
{
	unsigned queue = plf_queue_number(core);
	uint64_t now_ns = plf_port_now_ns();

	for (; !are_over(queue) && next_arrival_ns(queue) <= now_ns; taken[queue]++)
		take_arrival(core, next_arrival_ns(queue), next_of(queue)->task);
	plf_next_arrival_is(core, queue, next_arrival_ns(queue));
}

void plf_arrival(void)
{
	struct plf_core *core = plf_this_core();

	if (are_over(plf_queue_number(core)))
		plf_trace_end("limit");
	plf_begin_interrupt(core);
	plf_take_arrivals(core);
	plf_end_interrupt(core);
}
