/* SPDX-License-Identifier: MIT */
#ifndef PLF_CONFIG_H
#define PLF_CONFIG_H

/*
 * The static configuration: what system.c, generated from a description, defines.
 * Counts (PLF_TASKS, ...) and switches (PLF_EXTENDED_STATUS, ...) are macros of
 * system.h. Indices are those of its enumerations.
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
	uint64_t events;     /* the events that it owns; 0: a basic task */
	uint64_t resources;  /* those that it may enter, a bit each */
	uintptr_t stack_low; /* its stack: multiples of 16 */
	uintptr_t stack_high;
	struct plf_urgency_config urgency;
	uint8_t activations; /* at most so many at once: 1 to 255 */
	uint8_t modes;	     /* in which StartOS activates it: see kernel/mode.h */
	uint8_t core;	     /* on which it runs */
	uint8_t server;	     /* that pays for it: its queue's number, see kernel/server.h */
	PLF_SHARING_TASK_CONFIG
	const char *name; /* for traces and messages */
};
extern const struct plf_task_config plf_task_config[PLF_TASKS];

/* With PLF_BUDGETS or PLF_TIME_FRAMES of system.h; 0: none. See timing.h. */
struct plf_timing_config {
	uint64_t budget_ns;   /* of an execution */
	uint64_t frame_ns;    /* arrivals are so far apart at least */
	uint64_t all_lock_ns; /* it holds all interrupts back for so long at most */
	uint64_t os_lock_ns;  /* the same of those of category 2, by SuspendOSInterrupts() */
};
extern const struct plf_timing_config plf_timing_config[PLF_TASKS];

/* With PLF_RESOURCE_LOCKS: how long a task may hold a resource at most. */
struct plf_resource_lock_config {
	uint64_t budget_ns;
	uint8_t resource;
};
extern const struct plf_resource_lock_config plf_resource_lock_config[PLF_RESOURCE_LOCKS + 1];

/* The first of each task, which has all up to the next one's. */
extern const uint16_t plf_first_resource_lock[PLF_TASKS + 1];

struct plf_counter_config {
	uint64_t tick_ns; /* 0: counts what IncrementCounter() is called for */
	uint32_t highest; /* OSEK: maxallowedvalue */
	uint32_t ticks_per_base;
	uint32_t min_cycle;
	uint8_t core; /* whose timer drives it, and whose tasks may use it and its alarms */
};
extern const struct plf_counter_config plf_counter_config[PLF_COUNTERS + 1];

enum plf_alarm_action {
	PLF_ALARM_SIGNALS, /* activates a task, or sets events */
	PLF_ALARM_CALLS,   /* these two with PLF_CALLBACKS and PLF_INCREMENTS of system.h */
	PLF_ALARM_INCREMENTS,
	PLF_ALARM_DRIVES, /* a schedule table, which it is for: with PLF_SCHEDULE_TABLES */
};

/* Those of the description, and behind them one for each schedule table. */
#define PLF_ALL_ALARMS (PLF_ALARMS + PLF_SCHEDULE_TABLES)

struct plf_alarm_config {
	uint64_t events; /* sets them; 0: activates */
	uint8_t counter;
	uint8_t task;
	uint8_t modes;	/* in which StartOS sets it */
	uint8_t action; /* enum plf_alarm_action */
	uint32_t first; /* of StartOS: relative, in ticks */
	uint32_t cycle;
	uint8_t object; /* which callback it calls, which counter it increments, or which table */
};
extern const struct plf_alarm_config plf_alarm_config[PLF_ALL_ALARMS + 1];

/* Of alarms and of messages. */
extern void (*const plf_callbacks[PLF_CALLBACKS + 1])(void);

/* What an expiry point does to a task. */
struct plf_signal {
	uint64_t events; /* sets them; 0: activates */
	uint8_t task;
};

struct plf_expiry_point {
	const struct plf_signal *signals; /* those that activate first */
	uint32_t offset;		  /* from the beginning of the table, in ticks */
	uint32_t shorten;		  /* by so much at most, the way to it may become shorter */
	uint32_t lengthen;		  /* or longer, while the table is synchronised */
	uint16_t count;			  /* of its signals */
};

enum plf_table_start { PLF_STARTS_RELATIVE, PLF_STARTS_ABSOLUTE, PLF_STARTS_SYNCHRON };
enum plf_table_sync { PLF_SYNC_NONE, PLF_SYNC_IMPLICIT, PLF_SYNC_EXPLICIT };

/* Its counter is that of its alarm. */
struct plf_schedule_table_config {
	const struct plf_expiry_point *points; /* in their order */
	uint32_t duration;  /* in ticks, at least the last offset; explicit: > 0 */
	uint32_t precision; /* explicit: so far off it is synchronous, too */
	uint32_t start;	    /* of StartOS: how far, or at which value */
	uint16_t count;	    /* of its points */
	uint8_t modes;	    /* in which StartOS starts it */
	uint8_t start_kind; /* enum plf_table_start */
	uint8_t sync;	    /* enum plf_table_sync */
	bool repeats;
};
extern const struct plf_schedule_table_config plf_schedule_table_config[PLF_SCHEDULE_TABLES + 1];

struct plf_isr_config {
	void (*handler)(void);
	uint32_t source; /* the port's number of the interrupt */
	uint8_t core;	 /* that takes it */
	uint8_t level;	 /* hardware scheduler: among those of its core's tasks; else see below */
};
extern const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];

/*
 * By software interrupts are of level 1, or, with PLF_NESTING of system.h, of so many levels from 2
 * on: the timer and what other cores ask for stay below all of them.
 */
#define PLF_HIGHEST_ROUTINE (PLF_NESTING + 1)

/* Whether the kernel takes no part in it: OSEK 2.2.3, Section 6. */
static inline bool plf_is_category_1(unsigned isr)
{
	return PLF_CATEGORY_1 >> isr & 1;
}

/* With PLF_ISR_RESOURCES of system.h: those that each routine may enter, a bit each. */
extern const uint64_t plf_isr_resources[PLF_ISRS + 1];

/* With applications: whose an object is, and which of them may use it. See application.c. */
struct plf_object_config {
	uint32_t access;     /* of applications, a bit each: its own is one of them */
	uint8_t application; /* INVALID_OSAPPLICATION: none */
};

/* By ObjectTypeType. */
extern const struct plf_object_kind {
	const struct plf_object_config *objects;
	uintptr_t count;
} plf_object_kinds[PLF_OBJECT_KINDS + 1]; /* the last one has none */

struct plf_application_config {
	uint8_t restart; /* the task; INVALID_TASK: none */
	bool is_trusted;
	uint8_t core; /* that its tasks, interrupts, counters and alarms are on */
};
extern const struct plf_application_config plf_application_config[PLF_APPLICATIONS + 1];

/* What trusted applications offer to all others: by the index of CallTrustedFunction(). */
struct plf_trusted_function {
	void (*call)(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
	uint8_t application;
	uint8_t cores; /* on which that is, a bit each */
};
extern const struct plf_trusted_function plf_trusted_functions[PLF_TRUSTED_FUNCTIONS + 1];

/* With PLF_PROTECTED_FUNCTIONS: a task in an application; kernel/function.h has the order. */
struct plf_domain_config {
	uintptr_t stack_low; /* its stack there: multiples of 16 */
	uintptr_t stack_high;
	uint8_t task;
	uint8_t application;
	uint8_t to[PLF_PROTECTED_FUNCTIONS + 1]; /* the domain that each leads to; 0: none */
};
extern const struct plf_domain_config plf_domain_config[PLF_DOMAINS];

typedef uint64_t plf_protected_function(uint64_t a, uint64_t b, uint64_t c, uint64_t d);
extern plf_protected_function *const plf_protected_functions[PLF_PROTECTED_FUNCTIONS + 1];

/* Calls in calls. */
enum { PLF_MOST_DEEP = 8 };

/* The levels of each core's timer and of its arrivals, as of an interrupt. */
extern const uint8_t plf_timer_levels[PLF_CPUS][PLF_TIMERS];

/*
 * Of global resources, which have the numbers from PLF_RESOURCES on: see kernel/global.h. A user's
 * number is that of its bit in the resource's word. By core (PLF_BY_CORE of system.h has the
 * resource's bit; protocol/mpcp_queue.h) it is that of its bit in its core's word, and
 * PLF_MPCP_MOST more for each place below that core's.
 */
struct plf_global_config {
	uint64_t users; /* a bit each, the most urgent the highest; by core: the cores */
	const uint8_t *task_of_user; /* by number */
	const uint8_t *user_of_task; /* by task; of others 0 */
	uint32_t *states;	     /* by number: see protocol/mpcp_queue.h */
	uint8_t ceiling;	     /* a level, the same on all cores */
	const uint64_t *users_on;    /* by core: those of each place, a bit each; else NULL */
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

/* What stands for a task in the word of a global resource, of which it is a user. */
static inline uint64_t plf_global_mark(unsigned task, unsigned global)
{
	return PLF_GLOBAL_MARK(plf_global_config[global].user_of_task[task]);
}

/* The users of a global resource on a core, a bit each. */
static inline uint64_t plf_global_users_on(unsigned core, unsigned global)
{
	uint64_t users = 0;

	for (unsigned task = 0; task < PLF_TASKS; task++)
		if (plf_task_config[task].core == core && plf_is_global_user(task, global))
			users |= UINT64_C(1) << plf_global_config[global].user_of_task[task];
	return users;
}

/*
 * What a task finds beside its mark: by core the place of its core; else the users there, which
 * spinlocks ask for.
 */
static inline uint64_t plf_global_beside(unsigned task, unsigned global)
{
	if (plf_is_by_core(&plf_global_config[global]))
		return PLF_GLOBAL_PLACE(plf_global_config[global].user_of_task[task]);
	return plf_global_users_on(plf_task_config[task].core, global);
}

/* Of an image with several cores: the ring of each one's inbox, see protocol/inbox.h. */
struct plf_inbox_config {
	uint32_t *places;
	uint32_t mask; /* their number - 1 */
};
extern const struct plf_inbox_config plf_inbox_config[PLF_CPUS];

#endif
