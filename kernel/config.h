/* SPDX-License-Identifier: MIT */
#ifndef PLF_CONFIG_H
#define PLF_CONFIG_H

/*
 * The static configuration, defined by system.c, which is generated from a description. Counts
 * (PLF_TASKS, ...) and switches (PLF_EXTENDED_STATUS, ...) are macros of system.h. Indices are
 * values of its enumerations.
 */
#include "os_types.h"
#include "plf_global_members.h"
#include "plf_server_members.h"
#include "plf_urgency.h"
#include "system.h"
#include "timers.h"

#include <stdbool.h>
#include <stdint.h>

struct plf_task_config {
	void (*entry)(void);
	uint64_t events;     /* the task's events; 0: a basic task */
	uint64_t resources;  /* the resources that it may enter, a bit each */
	uintptr_t stack_low; /* the bounds of its stack: multiples of 16 */
	uintptr_t stack_high;
	struct plf_urgency_config urgency;
	uint8_t activations; /* the most activations at once: 1 to 255 */
	uint8_t modes;	     /* modes in which StartOS() activates it: see kernel/mode.h */
	uint8_t core;	     /* the core on which it runs */
	/* the server that pays for it: the number of its queue, see kernel/server.h */
	uint8_t server;
	PLF_SHARING_TASK_CONFIG
	const char *name; /* for traces and messages */
};
extern const struct plf_task_config plf_task_config[PLF_TASKS];

/* Only with PLF_BUDGETS or PLF_TIME_FRAMES of system.h; 0: no limit. See timing.h. */
struct plf_timing_config {
	uint64_t budget_ns;   /* execution budget */
	uint64_t frame_ns;    /* least time between arrivals */
	uint64_t all_lock_ns; /* most time that it may hold all interrupts back */
	uint64_t os_lock_ns;  /* the same for interrupts of category 2, by SuspendOSInterrupts() */
};
extern const struct plf_timing_config plf_timing_config[PLF_TASKS];

/* With PLF_RESOURCE_LOCKS: the most time that a task may hold a resource. */
struct plf_resource_lock_config {
	uint64_t budget_ns;
	uint8_t resource;
};
extern const struct plf_resource_lock_config plf_resource_lock_config[PLF_RESOURCE_LOCKS + 1];

/* The index of each task's first lock. The entries up to the next task's index are the task's. */
extern const uint16_t plf_first_resource_lock[PLF_TASKS + 1];

struct plf_counter_config {
	uint64_t tick_ns; /* 0: IncrementCounter() advances the counter */
	uint32_t highest; /* OSEK: maxallowedvalue */
	uint32_t ticks_per_base;
	uint32_t min_cycle;
	/* its timer drives the counter; only its tasks may use the counter and its alarms */
	uint8_t core;
};
extern const struct plf_counter_config plf_counter_config[PLF_COUNTERS + 1];

enum plf_alarm_action {
	PLF_ALARM_SIGNALS, /* activates a task, or sets events */
	/* this and the next action: with PLF_CALLBACKS and PLF_INCREMENTS of system.h */
	PLF_ALARM_CALLS,
	PLF_ALARM_INCREMENTS,
	PLF_ALARM_DRIVES, /* drives a schedule table: with PLF_SCHEDULE_TABLES */
};

/* The alarms of the description, followed by an alarm for each schedule table. */
#define PLF_ALL_ALARMS (PLF_ALARMS + PLF_SCHEDULE_TABLES)

struct plf_alarm_config {
	uint64_t events; /* the events to set; 0: activate the task */
	uint8_t counter;
	uint8_t task;
	uint8_t modes;	/* modes in which StartOS() sets it */
	uint8_t action; /* enum plf_alarm_action */
	uint32_t first; /* first expiry after StartOS(): relative, in ticks */
	uint32_t cycle;
	uint8_t object; /* index of the callback, counter or table, as `action` needs */
};
extern const struct plf_alarm_config plf_alarm_config[PLF_ALL_ALARMS + 1];

/* The callbacks of alarms and messages. */
extern void (*const plf_callbacks[PLF_CALLBACKS + 1])(void);

/* The action of an expiry point on a task. */
struct plf_signal {
	uint64_t events; /* the events to set; 0: activate the task */
	uint8_t task;
};

struct plf_expiry_point {
	const struct plf_signal *signals; /* activations come before events */
	uint32_t offset;		  /* from the beginning of the table, in ticks */
	/* most ticks by which synchronisation may shorten the way to the point */
	uint32_t shorten;
	uint32_t lengthen; /* most ticks by which it may lengthen the way */
	uint16_t count;	   /* the number of its signals */
};

enum plf_table_start { PLF_STARTS_RELATIVE, PLF_STARTS_ABSOLUTE, PLF_STARTS_SYNCHRON };
enum plf_table_sync { PLF_SYNC_NONE, PLF_SYNC_IMPLICIT, PLF_SYNC_EXPLICIT };

/* The table's counter is the counter of its alarm. */
struct plf_schedule_table_config {
	const struct plf_expiry_point *points; /* in order of their offsets */
	uint32_t duration;  /* in ticks, at least the last offset; explicit: > 0 */
	uint32_t precision; /* explicit: largest deviation that counts as synchronous */
	uint32_t start;	    /* of StartOS(): the offset, or the counter's value */
	uint16_t count;	    /* the number of its points */
	uint8_t modes;	    /* modes in which StartOS() starts it */
	uint8_t start_kind; /* enum plf_table_start */
	uint8_t sync;	    /* enum plf_table_sync */
	bool repeats;
};
extern const struct plf_schedule_table_config plf_schedule_table_config[PLF_SCHEDULE_TABLES + 1];

struct plf_isr_config {
	void (*handler)(void);
	uint32_t source; /* the port's number of the interrupt */
	uint8_t core;	 /* the core that takes it */
	uint8_t level;	 /* hardware scheduler: its level among the core's tasks; else see below */
};
extern const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];

/*
 * Without the hardware scheduler, interrupts have level 1, or with PLF_NESTING of system.h that
 * many levels from 2 on. The timer and requests of other cores stay below all of them.
 */
#define PLF_HIGHEST_ROUTINE (PLF_NESTING + 1)

/*
 * Return whether the interrupt is of category 1, which bypasses the kernel: OSEK 2.2.3, Section 6.
 */
static inline bool plf_is_category_1(unsigned isr)
{
	return PLF_CATEGORY_1 >> isr & 1;
}

/* With PLF_ISR_RESOURCES of system.h: the resources that each routine may enter, a bit each. */
extern const uint64_t plf_isr_resources[PLF_ISRS + 1];

/*
 * With applications: the owner of an object and the applications that may use it. See
 * application.c.
 */
struct plf_object_config {
	uint32_t access;     /* the applications that may use it, a bit each, with its owner */
	uint8_t application; /* the owner; INVALID_OSAPPLICATION: none */
};

/* By ObjectTypeType. */
extern const struct plf_object_kind {
	const struct plf_object_config *objects;
	uintptr_t count;
} plf_object_kinds[PLF_OBJECT_KINDS + 1]; /* the last entry is empty */

struct plf_application_config {
	uint8_t restart; /* the restart task; INVALID_TASK: none */
	bool is_trusted;
	uint8_t core; /* the core of its tasks, interrupts, counters and alarms */
};
extern const struct plf_application_config plf_application_config[PLF_APPLICATIONS + 1];

/*
 * Functions that trusted applications offer to all others, by the index of CallTrustedFunction().
 */
struct plf_trusted_function {
	void (*call)(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
	uint8_t application;
	uint8_t cores; /* the cores of that application, a bit each */
};
extern const struct plf_trusted_function plf_trusted_functions[PLF_TRUSTED_FUNCTIONS + 1];

/* With PLF_PROTECTED_FUNCTIONS: a task in an application. kernel/function.h defines the order. */
struct plf_domain_config {
	uintptr_t stack_low; /* the bounds of its stack in this domain: multiples of 16 */
	uintptr_t stack_high;
	uint8_t task;
	uint8_t application;
	/* the domain to which each function leads; 0: it may not call the function */
	uint8_t to[PLF_PROTECTED_FUNCTIONS + 1];
};
extern const struct plf_domain_config plf_domain_config[PLF_DOMAINS];

typedef uint64_t plf_protected_function(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
extern plf_protected_function *const plf_protected_functions[PLF_PROTECTED_FUNCTIONS + 1];

/* The deepest nesting of calls. */
enum { PLF_MOST_DEEP = 8 };

/* The interrupt levels of each core's timer, for alarms and for arrivals. */
extern const uint8_t plf_timer_levels[PLF_CPUS][PLF_TIMERS];

/*
 * A global resource, with a number from PLF_RESOURCES on: see kernel/global.h. A user's number is
 * its bit in the resource's word. If the resource goes by core (its bit in PLF_BY_CORE of system.h;
 * protocol/mpcp_queue.h), it is the bit in the core's word plus PLF_MPCP_MOST times the core's
 * place.
 */
struct plf_global_config {
	/* a bit each, the most urgent user the highest; by core: a bit for each core */
	uint64_t users;
	const uint8_t *task_of_user; /* the task of each user number */
	const uint8_t *user_of_task; /* the user number of each task; 0 for others */
	uint32_t *states;	     /* by user number: see protocol/mpcp_queue.h */
	uint8_t ceiling;	     /* a level, the same on all cores */
	const uint64_t *users_on;    /* by core: the users of each place, a bit each; else NULL */
} __attribute__((aligned(64)));	     /* so that a shift finds an entry */
extern const struct plf_global_config plf_global_config[PLF_GLOBALS + 1];

static inline bool plf_is_by_core(const struct plf_global_config *config)
{
	return PLF_BY_CORE && config->users_on;
}

static inline bool plf_is_global_user(unsigned task, unsigned global)
{
	return plf_task_config[task].resources >> (PLF_RESOURCES + global) & 1;
}

/* Return the mark of a task in the word of a global resource. The task must be a user of it. */
static inline uint64_t plf_global_mark(unsigned task, unsigned global)
{
	return PLF_GLOBAL_MARK(plf_global_config[global].user_of_task[task]);
}

/* Return the users of a global resource on a core, a bit each. */
static inline uint64_t plf_global_users_on(unsigned core, unsigned global)
{
	uint64_t users = 0;

	for (unsigned task = 0; task < PLF_TASKS; task++)
		if (plf_task_config[task].core == core && plf_is_global_user(task, global))
			users |= UINT64_C(1) << plf_global_config[global].user_of_task[task];
	return users;
}

/*
 * Return the word that a task has beside its mark. By core, it is the place of its core. Otherwise
 * it is the users on its core, which spinlocks need.
 */
static inline uint64_t plf_global_beside(unsigned task, unsigned global)
{
	if (plf_is_by_core(&plf_global_config[global]))
		return PLF_GLOBAL_PLACE(plf_global_config[global].user_of_task[task]);
	return plf_global_users_on(plf_task_config[task].core, global);
}

/* With several cores: the ring of each core's inbox, see protocol/inbox.h. */
struct plf_inbox_config {
	uint32_t *places;
	uint32_t mask; /* the number of places less 1 */
};
extern const struct plf_inbox_config plf_inbox_config[PLF_CPUS];

#endif
