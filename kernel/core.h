/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORE_H
#define PLF_CORE_H

/*
 * The state of the kernel: of each task, and of each core.
 *
 * The kernel runs with interrupts masked from its entry to its exit and never waits. A core touches
 * its own block and those of its own tasks; what it may touch of others is in kernel/cores.h. So
 * all else is touched by one activity at a time.
 *
 * Invariants between kernel entries:
 *  I1  no task that is ready is more urgent than `running`: see scheduler/NAME/plf_urgency.h;
 *  I2  the shared words are those of `running`; all other tasks' are in their task block.
 */
#include "config.h"
#include "os_types.h"
#include "plf_global_members.h"
#include "plf_members.h"
#include "plf_server_members.h"
#include "plf_words.h"
#include "port_types.h"
#include "timers.h"

/* By which a task, or the routine of an interrupt, holds interrupts back: see interrupt.c. */
struct plf_masks {
	bool disabled;
	uint8_t suspended_all; /* so many times more than resumed */
	uint8_t suspended_os;
};

/*
 * The task control block; saved registers are the port's, apart from it. What the common
 * paths need of the configuration is repeated here: one load instead of two.
 *
 * A task is suspended while it has no activation; else it waits, runs, or is ready: either new
 * or woken, and in the queue, or preempted, and on the stack.
 */
struct plf_task {
	struct plf_context *context;
	const struct plf_task_config *config;
	struct plf_task *below; /* preempted: the one that was preempted before it */
	PLF_TASK_MEMBERS	/* its room for activations, and its events: see kernel/cores.h */
		uint8_t index;
	uint8_t most; /* activations at once, the running one included */
	bool masked;  /* it holds interrupts back: by one of the next */
	struct plf_masks masks;
	struct plf_task_words words; /* while it is not running: see resource/NAME/plf_words.h */
	struct plf_urgency urgency;  /* see scheduler/NAME/plf_urgency.h */
	uint64_t resources;	     /* of its configuration, like most */
	PLF_GLOBAL_TASK_MEMBERS
	PLF_SERVER_TASK_MEMBERS
} __attribute__((aligned(64)));

/* The code that the kernel runs: it decides which services are allowed and where errors go. */
enum plf_place {
	PLF_IN_TASK = 1 << 0,
	PLF_IN_ISR = 1 << 1,
	PLF_IN_ERROR_HOOK = 1 << 2,
	PLF_IN_PRETASK_HOOK = 1 << 3,
	PLF_IN_POSTTASK_HOOK = 1 << 4,
	PLF_IN_STARTUP_HOOK = 1 << 5,
	PLF_IN_SHUTDOWN_HOOK = 1 << 6,
	PLF_IN_PROTECTION_HOOK = 1 << 7,
	PLF_IN_MAIN = 1 << 8,	  /* where there may be one, before StartOS */
	PLF_IN_CALLBACK = 1 << 9, /* of an alarm */
	PLF_IN_CATEGORY_1 = 1 << 10,
	PLF_IN_COM_CALLBACK = 1 << 11, /* of a message */
	PLF_IN_TRUSTED_FUNCTION = 1 << 12,
	/* Those that the image has. ErrorHook of an error in one of them is in that, too. */
	PLF_IN_TASK_HOOKS = (PLF_PRETASK_HOOK ? PLF_IN_PRETASK_HOOK : 0) |
			    (PLF_POSTTASK_HOOK ? PLF_IN_POSTTASK_HOOK : 0),
};

struct plf_core {
	struct plf_task *running; /* whose registers the port loads on the way out; NULL: none */
	struct plf_words *words;  /* the page that it shares with user code */
	PLF_CORE_QUEUES		  /* the ready tasks: see scheduler/NAME/plf_urgency.h */
		uint16_t place;	  /* enum plf_place */
	OSServiceIdType service_of_error; /* see error.c */
	PLF_CORE_MEMBERS
};

extern struct plf_core plf_cores[PLF_CPUS];
extern struct plf_task plf_tasks[PLF_TASKS];

/* The one that executes this: of kernel/cores. */
static inline struct plf_core *plf_this_core(void);

#include "plf_this_core.h"

#endif
