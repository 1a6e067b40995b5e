/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORE_H
#define PLF_CORE_H

/*
 * The state of the kernel: of each task, and of each core.
 *
 * The kernel never waits. It runs with interrupts masked from its entry to its exit, except in the
 * routines of interrupts that nest (kernel/routine.h). A core touches only its own block and the
 * blocks of its tasks, except for the members that kernel/cores.h allows it. So only one activity
 * at a time touches all other state.
 *
 * Invariants between kernel entries:
 *  I1  no ready task is more urgent than `running`: see scheduler/NAME/plf_urgency.h;
 *  I2  the shared words are the words of `running`; the words of all other tasks are in their task
 *      block.
 */
#include "config.h"
#include "os_types.h"
#include "plf_global_members.h"
#include "plf_members.h"
#include "plf_server_members.h"
#include "plf_words.h"
#include "port_types.h"
#include "timers.h"

/* The ways in which a task or a routine holds interrupts back: see interrupt.c. */
struct plf_masks {
	bool disabled;
	uint8_t suspended_all; /* suspends without a matching resume */
	uint8_t suspended_os;
};

/*
 * The task control block. The port keeps the saved registers elsewhere. Members of the
 * configuration that common paths need are repeated here, to save a load.
 *
 * A task without an activation is suspended. Otherwise it waits, runs, or is ready. A ready task is
 * in the queue if it is new or woken, and on the stack if it was preempted.
 */
struct plf_task {
	struct plf_context *context;
	const struct plf_task_config *config;
	struct plf_task *below; /* if preempted: the task that was preempted before it */
	PLF_TASK_MEMBERS	/* its room for activations, and its events: see kernel/cores.h */
		uint8_t index;
	uint8_t most; /* most activations at once, with the running activation */
	bool masked;  /* it holds interrupts back, by one of `masks` */
	struct plf_masks masks;
	struct plf_task_words words; /* while it is not running: see resource/NAME/plf_words.h */
	struct plf_urgency urgency;  /* see scheduler/NAME/plf_urgency.h */
	uint64_t resources;	     /* a copy from its configuration */
	PLF_GLOBAL_TASK_MEMBERS
	PLF_SERVER_TASK_MEMBERS
} __attribute__((aligned(64)));

/* The kind of code that runs. It decides which services are allowed and where errors go. */
enum plf_place {
	PLF_IN_TASK = 1 << 0,
	PLF_IN_ISR = 1 << 1,
	PLF_IN_ERROR_HOOK = 1 << 2,
	PLF_IN_PRETASK_HOOK = 1 << 3,
	PLF_IN_POSTTASK_HOOK = 1 << 4,
	PLF_IN_STARTUP_HOOK = 1 << 5,
	PLF_IN_SHUTDOWN_HOOK = 1 << 6,
	PLF_IN_PROTECTION_HOOK = 1 << 7,
	PLF_IN_MAIN = 1 << 8,	  /* in main(), if there is one, before StartOS() */
	PLF_IN_CALLBACK = 1 << 9, /* of an alarm */
	PLF_IN_CATEGORY_1 = 1 << 10,
	PLF_IN_COM_CALLBACK = 1 << 11, /* of a message */
	PLF_IN_TRUSTED_FUNCTION = 1 << 12,
	/*
	 * The task hooks of the image. For an error in such a hook, ErrorHook keeps the hook's bit.
	 */
	PLF_IN_TASK_HOOKS = (PLF_PRETASK_HOOK ? PLF_IN_PRETASK_HOOK : 0) |
			    (PLF_POSTTASK_HOOK ? PLF_IN_POSTTASK_HOOK : 0),
};

struct plf_core {
	/* the port loads its registers on the way out; NULL: no task runs */
	struct plf_task *running;
	struct plf_words *words;	  /* the page that the core shares with user code */
	PLF_CORE_QUEUES			  /* the ready tasks: see scheduler/NAME/plf_urgency.h */
		uint16_t place;		  /* enum plf_place */
	OSServiceIdType service_of_error; /* see error.c */
	PLF_CORE_MEMBERS
};

extern struct plf_core plf_cores[PLF_CPUS];
extern struct plf_task plf_tasks[PLF_TASKS];

/* Return the core that executes this. Defined in kernel/cores. */
static inline struct plf_core *plf_this_core(void);

#include "plf_this_core.h"

#endif
