/* SPDX-License-Identifier: MIT */
#ifndef PLF_CONTROLLER_H
#define PLF_CONTROLLER_H

/*
 * The simulated interrupt controller, for each core: what is pending, held back, and active. Of
 * several interrupts the most urgent comes first; at one level the board's order: from another
 * core, timer, arrivals, sources ascending, tasks. Under the software schedulers all are of
 * level 1, but those that nest. Those of category 1 come before all of these, whatever is held back
 * or active. What may come into a routine comes when that raises it, or lets it through again.
 */
#include <stdbool.h>
#include <stdint.h>

/*
 * The running task of a core. A timer that ends budgets comes while it spends time, or none runs:
 * what a task does at an instant it has done when a budget ends at that instant. No task holds it
 * back.
 */
enum plf_task_state {
	PLF_LETS_THROUGH = 0,	/* or no task runs */
	PLF_MASKS = 1 << 0,	/* it holds interrupts back */
	PLF_WORKS = 1 << 1,	/* it does what takes no time */
	PLF_MASKS_ALL = 1 << 2, /* those of category 1, too */
};

/* What is taken, if it is no level of tasks: none, or another number. */
enum { PLF_CONTROLLER_LEVELS = 32, PLF_CONTROLLER_NONE = 1000 };

/* The core of this number begins: none of its timers is set. */
void plf_controller_start(unsigned core);

/*
 * If one is due on this core, which the running task lets through or cannot hold back: enters the
 * kernel, with that one, or to let it take what it will.
 */
__attribute__((warn_unused_result)) bool plf_controller_interrupts(enum plf_task_state state);

/* When a timer of this core will be due that is not held back; UINT64_MAX: never. */
uint64_t plf_controller_next_ns(enum plf_task_state state);

/* The hardware scheduler: see port.h. */
void plf_controller_pend(unsigned core, unsigned level);
void plf_controller_hold_back(unsigned level);
__attribute__((warn_unused_result)) unsigned plf_controller_take(void);
void plf_controller_end(unsigned level);

#endif
