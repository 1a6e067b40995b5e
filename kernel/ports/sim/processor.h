/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROCESSOR_H
#define PLF_PROCESSOR_H

/*
 * The simulated processor: a coroutine for each task, virtual time, and interrupts at requested
 * points. The same options give the same run, to the last event.
 *
 * Time passes only in plf_spend() and while no task runs, so the kernel's work takes no time. The
 * kernel shares the host process with the tasks, so no memory is protected.
 *
 * Several cores share a clock. While the clock stands they have turns, in order. A turn is an
 * interrupt, or user code up to its next call or plf_spend(). The clock advances when no core has
 * anything to do. So a kernel entry is atomic: the simulator does not show actions of another core
 * in the middle of it.
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

/* The console's interrupt says that input has come, so wait for the input of the host. */
void plf_receive(void);

/* Note the address of the running task, at a call or at an interrupted instruction. */
void plf_user_is_at(uintptr_t address);

/* Take all interrupts that are due. The running task calls this. */
void plf_take_interrupts(void);

/* ---- step.c: interrupts before any instruction of user code -------------- */

/* Step user code from now on. */
void plf_step_begin(void);

/* User code begins or resumes; user code stops. */
void plf_step_on(void);
void plf_step_off(void);

/* Print the number of instructions, if they were counted. */
void plf_step_end(void);

#endif
