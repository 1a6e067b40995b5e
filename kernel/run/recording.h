/* SPDX-License-Identifier: MIT */
#ifndef PLF_RECORDING_H
#define PLF_RECORDING_H

/*
 * Declarations of recording.c, which is generated for a run. system.h has PLF_ARRIVALS, the number
 * of arrivals on all cores, and PLF_TRACE_EVENTS, the room for events.
 */
#include "config.h"
#include "core.h"

/*
 * The arrivals of the description, in ns after time 0 of the run, sorted by queue and by time. A
 * queue has the indices from PLF_ARRIVALS_FROM to PLF_ARRIVALS_TO - 1. The last entry of a queue is
 * no arrival, but the time at which the run is cut. An entry of task PLF_TASKS is no arrival
 * either. The run must not end before it.
 */
struct plf_arrival_config {
	uint64_t time_ns;
	uint8_t task;
};
extern const struct plf_arrival_config plf_arrival_config[PLF_ARRIVALS];

/* Notes of a task, see notes.h; NULL: the task makes none. */
struct plf_notes_config {
	const uint64_t *notes;
	const uint32_t *noted;
	uint32_t size;
};
extern const struct plf_notes_config plf_notes_config[PLF_TASKS];

extern const char *const plf_resource_names[PLF_RESOURCES + PLF_GLOBALS + 1];
extern const char *const plf_server_names[PLF_SERVERS + 1];

/*
 * In stack.c: fill the stacks of the core's tasks, before the first task begins; count the bytes of
 * its stack that the task has used.
 */
void plf_stacks_fill(const struct plf_core *core);
uint32_t plf_stack_used(unsigned task);

/*
 * In arrivals.c: at_ns is time 0 of the run. From now on, take the core's arrivals when they come.
 */
void plf_arrivals_start(struct plf_core *core, uint64_t at_ns);

/* In arrivals.c: whether all arrivals of the core have been taken. */
bool plf_arrivals_are_over(const struct plf_core *core);

/* In away.c: the task loses its core, or has it again, at now_ns. */
void plf_away_begin(unsigned task, uint64_t now_ns);
void plf_away_end(unsigned task, uint64_t now_ns);

/* In print.c: write the trace to the console, with the reason for its end, then end the system. */
_Noreturn void plf_trace_print(uint64_t zero_ns, const uint64_t *events, uint32_t count,
			       const uint32_t *calls, const char *why);

#endif
