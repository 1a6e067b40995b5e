/* SPDX-License-Identifier: MIT */
#ifndef PLF_CONTROLLER_H
#define PLF_CONTROLLER_H

/*
 * The simulated interrupt controller: for each core the pending, held back and active interrupts.
 * The most urgent interrupt comes first. Interrupts of equal level come in the board's order: from
 * another core, timer, arrivals, sources ascending, tasks. Under the software schedulers all have
 * level 1, except interrupts that nest.
 *
 * Category 1 comes before all others, whatever is held back or active. An interrupt can come into a
 * routine when the routine raises it, or lets interrupts through again.
 */
#include <stdbool.h>
#include <stdint.h>

/*
 * The state of a core's running task. A timer that ends budgets comes only while the task spends
 * time, or no task runs. So a task completes its work at an instant before a budget ends at that
 * instant. No task holds this timer back.
 */
enum plf_task_state {
	PLF_LETS_THROUGH = 0,	/* or no task runs */
	PLF_MASKS = 1 << 0,	/* it holds interrupts back */
	PLF_WORKS = 1 << 1,	/* it executes code, which takes no time */
	PLF_MASKS_ALL = 1 << 2, /* it holds category 1 back, too */
};

/*
 * Results of plf_controller_take() that are no level of tasks: PLF_CONTROLLER_NONE, or another
 * number from PLF_CONTROLLER_LEVELS on.
 */
enum { PLF_CONTROLLER_LEVELS = 32, PLF_CONTROLLER_NONE = 1000 };

/* Start the controller of a core, with no timer set. */
void plf_controller_start(unsigned core);

/*
 * If an interrupt is due on this core, which the running task lets through or cannot hold back:
 * enter the kernel, and return true. The hardware scheduler takes interrupts itself.
 */
__attribute__((warn_unused_result)) bool plf_controller_interrupts(enum plf_task_state state);

/* The time at which the next timer of this core is due that is not held back; UINT64_MAX: never. */
uint64_t plf_controller_next_ns(enum plf_task_state state);

/* The hardware scheduler: see port.h. */
void plf_controller_pend(unsigned core, unsigned level);
void plf_controller_hold_back(unsigned level);
__attribute__((warn_unused_result)) unsigned plf_controller_take(void);
void plf_controller_end(unsigned level);

#endif
