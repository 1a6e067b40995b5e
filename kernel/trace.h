/* SPDX-License-Identifier: MIT */
#ifndef PLF_TRACE_H
#define PLF_TRACE_H

/* The events that `plafond run` records (kernel/run), in images built for it only. */
#include "core.h"

enum plf_trace_kind {
	PLF_TRACE_ARRIVAL =
		1,	    /* an arrival of the description is taken: an activation, or refused */
	PLF_TRACE_ACTIVATE, /* an activation was accepted */
	PLF_TRACE_REFUSED,  /* one was not: E_OS_LIMIT */
	PLF_TRACE_START,    /* an activation gets the core for the first time */
	PLF_TRACE_RESUME,   /* a task gets the core again */
	PLF_TRACE_SUSPEND,  /* it loses the core, and is ready */
	PLF_TRACE_WAIT,	    /* it waits for an event */
	PLF_TRACE_WAKE,	    /* the event was set: it is ready */
	PLF_TRACE_END,	    /* its activation is over */
	/* Only counted, and behind all that have an entry: */
	PLF_TRACE_CALL, /* it called the kernel to enter or to leave a section */
};

/* Before the first task runs. */
void plf_trace_start(void);

void plf_trace_event(unsigned kind, unsigned task);

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

#endif
