/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROCESSOR_H
#define PLF_PROCESSOR_H

/*
 * The simulated processor: one coroutine a task, virtual time, and interrupts that come when
 * they were asked for. The same options give the same run, to the last event.
 *
 * Time passes only in plf_spend() and while no task runs: the kernel's work takes none. It runs in
 * the host process that it shares with the tasks: nothing is protected.
 *
 * Several cores have one clock. While it stands they have turns, in order: a turn is one interrupt,
 * or user code up to its next call or plf_spend(). It goes on when no core has anything to do. So
 * kernel entries are whole: what another core may do in the middle of one is not shown here.
 */
#include "port.h"

/* An interrupt of a source: at a time, or before the Nth instruction of user code (1, 2, ...). */
struct plf_injection {
	uint64_t at;
	uint32_t source;
};

enum { PLF_MOST_INJECTIONS = 64 };

struct plf_injections {
	struct plf_injection list[PLF_MOST_INJECTIONS];
	unsigned count;
};

extern struct plf_injections plf_by_time, plf_by_step;

/* Run until the kernel ends it. */
_Noreturn void plf_processor(void);

/* The number of the core that executes this. */
unsigned plf_current_core(void);

/* The interrupt of the console says that something has come in: so the host is waited for. */
void plf_receive(void);

/* The running task has come there: at a call, or where it is interrupted. */
void plf_user_is_at(uintptr_t address);

/* Let what is due interrupt the running task, which calls this. */
void plf_take_interrupts(void);

/* ---- step.c: interrupts before any instruction of user code -------------- */

/* From now on user code is stepped. */
void plf_step_begin(void);

/* Here user code begins or goes on; here it stops. */
void plf_step_on(void);
void plf_step_off(void);

/* Print how many instructions there were, if they were counted. */
void plf_step_end(void);

#endif
