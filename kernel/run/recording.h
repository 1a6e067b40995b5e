/* SPDX-License-Identifier: MIT */
#ifndef PLF_RECORDING_H
#define PLF_RECORDING_H

/*
 * The declarations of recording.c, which is generated for one run. Macros of system.h:
 * PLF_ARRIVALS, how many there are on all cores, and PLF_TRACE_EVENTS, the room for events.
 */
#include "config.h"
#include "core.h"

/*
 * The arrivals of the description after time 0 of the run: queue by queue (PLF_ARRIVALS_FROM and
 * PLF_ARRIVALS_TO say from which to before which), each in order of time. The last entry of a queue
 * is no arrival: it is when the run is cut. Nor is one of task PLF_TASKS: the run is not over
 * before it.
 */
struct plf_arrival_config {
	uint64_t time_ns;
	uint8_t task;
};
extern const struct plf_arrival_config plf_arrival_config[PLF_ARRIVALS];

/* The notes of each task, see notes.h; NULL: it makes none. */
struct plf_notes_config {
	const uint64_t *notes;
	const uint32_t *noted;
	uint32_t size;
};
extern const struct plf_notes_config plf_notes_config[PLF_TASKS];

extern const char *const plf_resource_names[PLF_RESOURCES + PLF_GLOBALS + 1];
extern const char *const plf_server_names[PLF_SERVERS + 1];

/* In stack.c: of the core's tasks, before the first one begins; and so many bytes were used. */
void plf_stacks_fill(const struct plf_core *core);
uint32_t plf_stack_used(unsigned task);

/* In arrivals.c: time 0 of the run is then; take the core's first one when it comes. */
void plf_arrivals_start(struct plf_core *core, uint64_t at_ns);

/* In arrivals.c: whether all of the core's have been taken. */
bool plf_arrivals_are_over(const struct plf_core *core);

/* In away.c: the task loses its core, or has it again, at that time. */
void plf_away_begin(unsigned task, uint64_t now_ns);
void plf_away_end(unsigned task, uint64_t now_ns);

/* In print.c: write the trace to the console, when time 0 was, and why it ends; then end. */
_Noreturn void plf_trace_print(uint64_t zero_ns, const uint64_t *events, uint32_t count,
			       const uint32_t *calls, const char *why);

#endif
