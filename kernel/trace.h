/* SPDX-License-Identifier: MIT */
#ifndef PLF_TRACE_H
#define PLF_TRACE_H

/* The events that `plafond run` records (kernel/run), in images built for it only. */
#include "core.h"

enum plf_trace_kind {
	PLF_TRACE_ARRIVAL =
		1,	    /* an arrival of the description is taken: an activation, or refused */
	PLF_TRACE_ACTIVATE, /* an activation was accepted */
	PLF_TRACE_REFUSED,  /* one was not: at its limit, or too early */
	PLF_TRACE_START,    /* an activation gets the core for the first time */
	PLF_TRACE_RESUME,   /* a task gets the core again */
	PLF_TRACE_SUSPEND,  /* it loses the core, and is ready */
	PLF_TRACE_WAIT,	    /* it waits for an event */
	PLF_TRACE_WAKE,	    /* the event was set: it is ready */
	PLF_TRACE_END,	    /* its activation is over */
	PLF_TRACE_SKIP,	    /* it waits for the next budget of its server; it loses the core */
	/* Only counted, and behind all of a task that have an entry: */
	PLF_TRACE_CALL, /* it called the kernel to enter or to leave a section */
};

/* What happens to a server; behind all that happens to a task. */
enum plf_trace_server_kind {
	PLF_TRACE_REPLENISH = PLF_TRACE_CALL + 1, /* its budget is whole again; a slot begins */
	PLF_TRACE_DEPLETE,			  /* nothing is left of it; a slot ends */
	PLF_TRACE_GET,				  /* it gets the core, and pays from now on */
	PLF_TRACE_LOSE,				  /* another one gets it, or none */
	PLF_TRACE_OVERRUN,  /* its budget has ended in a section: it goes on */
	PLF_TRACE_PAYBACK,  /* this budget is less by what it overran */
	PLF_TRACE_KEEP_OUT, /* it would get the core, and a section of another one keeps it out */
};

/* Before the first task runs. */
void plf_trace_start(void);

/* Time 0 of the run, in nanoseconds since the start. */
uint64_t plf_trace_zero_ns(void);

void plf_trace_event(unsigned kind, unsigned task);

/* At that time, which has passed. */
void plf_trace_server_event(unsigned kind, unsigned server, uint64_t at_ns);

/* Those arrivals of the queue in force are taken which have come. */
void plf_take_arrivals(struct plf_core *core);

/* No task runs, and only an interrupt can change that. */
void plf_trace_idle(void);

/* With several cores: that interrupt comes. */
void plf_trace_wakes(void);

/* Write down what was recorded, and why it ends there: "idle", "limit", "room", "shutdown". */
_Noreturn void plf_trace_end(const char *why);

static inline void plf_trace(enum plf_trace_kind kind, const struct plf_task *task)
{
	if (PLF_TRACE)
		plf_trace_event(kind, task->index);
}

static inline void plf_trace_server(enum plf_trace_server_kind kind, unsigned server,
				    uint64_t at_ns)
{
	if (PLF_TRACE)
		plf_trace_server_event(kind, server, at_ns);
}

#endif
