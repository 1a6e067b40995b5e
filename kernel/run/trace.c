/* SPDX-License-Identifier: MIT */
/* The events of a run, kept in memory until it is over. */
#include "trace.h"
#include "entry.h"
#include "port.h"
#include "recording.h"

static uint64_t zero_ns;
static uint64_t events[PLF_TRACE_EVENTS];
static uint32_t count;
static uint32_t calls[PLF_TASKS];

/* Time 0 comes after the start of the kernel, so that no response contains a part of it. */
void plf_trace_start(void)
{
	plf_stacks_fill();
	zero_ns = plf_port_now_ns() + PLF_PORT_START_NS;
	plf_arrivals_start(zero_ns);
}

_Noreturn void plf_trace_end(const char *why)
{
	plf_trace_print(zero_ns, events, count, calls, why);
}

void plf_trace_event(unsigned kind, unsigned task)
{
	if (kind == PLF_TRACE_CALL) {
		calls[task]++;
		return;
	}
	if (count == PLF_TRACE_EVENTS)
		plf_trace_end("room");
	events[count++] = plf_entry(plf_port_now_ns(), kind, task);
}

void plf_trace_idle(void)
{
	if (plf_arrivals_are_over())
		plf_trace_end("idle");
}
