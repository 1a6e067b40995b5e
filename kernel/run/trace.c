/* SPDX-License-Identifier: MIT */
/*
 * The events of a run, kept in memory until its end. All cores write into a common list, each event
 * to a separate place. A cause precedes its effect in the list.
 */
#include "trace.h"
#include "cores.h"
#include "entry.h"
#include "port.h"
#include "protocol/word.h"
#include "recording.h"
#include "server.h"

static uint64_t zero_ns; /* 0: not known yet */
static uint64_t events[PLF_TRACE_EVENTS];
static uint32_t count;
static uint32_t calls[PLF_TASKS]; /* each written by the task's core */

static uint32_t has_ended;
static uint32_t is_idle[PLF_CPUS];
static uint32_t wakes; /* number of times that an idle core woke */

/* Time 0 is after the start of the kernel, so no response time contains a part of the start. */
void plf_trace_start(void)
{
	struct plf_core *core = plf_this_core();
	uint64_t seen = 0;

	plf_stacks_fill(core);
	if (plf_shared_cas64(&zero_ns, &seen, plf_port_now_ns() + PLF_PORT_START_NS))
		seen = zero_ns;
	plf_arrivals_start(core, seen);
}

uint64_t plf_trace_zero_ns(void)
{
	return zero_ns;
}

/* The first core to come here prints. Each other core halts when it would record an event. */
_Noreturn void plf_trace_end(const char *why)
{
	uint32_t seen = false;
	uint32_t so_many = count < PLF_TRACE_EVENTS ? count : PLF_TRACE_EVENTS;

	if (PLF_CPUS > 1 && !plf_shared_cas32(&has_ended, &seen, true))
		plf_port_halt();
	plf_trace_print(zero_ns, events, so_many, calls, why);
}

/* A single core needs no atomic operation. */
static uint32_t next_place(void)
{
	if (PLF_CPUS == 1)
		return count++;
	if (plf_load32(&has_ended))
		plf_port_halt();
	return plf_shared_add32(&count, 1);
}

static void note_away(unsigned kind, unsigned task, uint64_t now_ns)
{
	if (kind == PLF_TRACE_SUSPEND || kind == PLF_TRACE_WAIT)
		plf_away_begin(task, now_ns);
	else if (kind == PLF_TRACE_RESUME)
		plf_away_end(task, now_ns);
}

static void record(uint64_t time_ns, unsigned kind, unsigned object)
{
	uint32_t place = next_place();

	if (place >= PLF_TRACE_EVENTS)
		plf_trace_end("room");
	events[place] = plf_entry(time_ns, kind, object);
}

void plf_trace_event(unsigned kind, unsigned task)
{
	uint64_t now_ns;

	if (kind == PLF_TRACE_CALL) {
		calls[task]++;
		return;
	}
	now_ns = plf_port_now_ns();
	record(now_ns, kind, task);
	if (PLF_CPUS > 1)
		note_away(kind, task, now_ns);
}

void plf_trace_server_event(unsigned kind, unsigned server, uint64_t at_ns)
{
	if (PLF_SERVERS)
		record(at_ns, kind, server);
}

/* ---- The end: no task runs, and none will arrive ---------------------------------- */

static bool are_all_idle(void)
{
	for (unsigned core = 0; core < PLF_CPUS; core++)
		if (!plf_load_acquire32(&is_idle[core]))
			return false;
	return true;
}

/*
 * If a core was sent a task, either it is not idle, or the task is still in its inbox. If it takes
 * the task while this function looks, `wakes` changes, and the second load shows that.
 */
static bool is_over(void)
{
	uint32_t before = plf_load_acquire32(&wakes);

	return are_all_idle() && plf_nothing_is_sent() && plf_load_acquire32(&wakes) == before;
}

void plf_trace_idle(void)
{
	const struct plf_core *core = plf_this_core();

	plf_store_release32(&is_idle[plf_index_of(core)],
			    plf_arrivals_are_over(core) && plf_servers_are_done(core));
	plf_full_barrier();
	if (is_over())
		plf_trace_end("idle");
}

void plf_trace_wakes(void)
{
	plf_store_release32(&is_idle[plf_index_of(plf_this_core())], false);
	(void)plf_shared_add32(&wakes, 1);
}
