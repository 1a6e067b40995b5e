/* SPDX-License-Identifier: MIT */
#ifndef PLF_TRACE_H
#define PLF_TRACE_H

/* The events that `plafond run` records (kernel/run), only in images built for it. */
#include "core.h"

enum plf_trace_kind {
	PLF_TRACE_ARRIVAL =
		/* an arrival of the description is taken: activated, or refused */
	1,
	PLF_TRACE_ACTIVATE, /* an activation was accepted */
	PLF_TRACE_REFUSED,  /* an activation was refused: at its limit, or too early */
	PLF_TRACE_START,    /* an activation gets the core for the first time */
	PLF_TRACE_RESUME,   /* a task gets the core again */
	PLF_TRACE_SUSPEND,  /* a task loses the core and stays ready */
	PLF_TRACE_WAIT,	    /* a task waits for an event */
	PLF_TRACE_WAKE,	    /* the event was set, so the task is ready */
	PLF_TRACE_END,	    /* an activation is over */
	/* a task waits for the next budget of its server, and loses the core */
	PLF_TRACE_SKIP,
	/* Only counted, so it follows all kinds that have an entry: */
	PLF_TRACE_CALL, /* a task called the kernel to enter or leave a section */
};

/* The events of a server, numbered after all events of a task. */
enum plf_trace_server_kind {
	/* its budget is whole again; or its slot begins */
	PLF_TRACE_REPLENISH = PLF_TRACE_CALL + 1,
	PLF_TRACE_DEPLETE, /* its budget is used up; or its slot ends */
	/* the server gets the core, and pays from now on */
	PLF_TRACE_GET,
	PLF_TRACE_LOSE,	    /* another server, or none, gets the core */
	PLF_TRACE_OVERRUN,  /* its budget ended in a section, and it continues */
	PLF_TRACE_PAYBACK,  /* this budget is reduced by an earlier overrun */
	PLF_TRACE_KEEP_OUT, /* a section of another server keeps it from the core */
};

/* Called before the first task runs. */
void plf_trace_start(void);

/* Return time 0 of the run, in nanoseconds since the start. */
uint64_t plf_trace_zero_ns(void);

void plf_trace_event(unsigned kind, unsigned task);

/* The same for a server, at that time, which has passed. */
void plf_trace_server_event(unsigned kind, unsigned server, uint64_t at_ns);

/* Take the arrivals of the queue in force that have come. */
void plf_take_arrivals(struct plf_core *core);

/* No task runs, and only an interrupt can change that. */
void plf_trace_idle(void);

/* With several cores: such an interrupt comes. */
void plf_trace_wakes(void);

/* Write the record and the reason for its end: "idle", "limit", "room", "shutdown". */
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
