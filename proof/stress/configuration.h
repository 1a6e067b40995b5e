/* SPDX-License-Identifier: MIT */
#ifndef STRESS_CONFIGURATION_H
#define STRESS_CONFIGURATION_H

/* The configurations of a run: the injected faults, and the guarantees that must hold in spite of
 * them. */
#include <stddef.h>

enum strength {
	ROBUST,
	STRICT,
	SYSCALL,
	MODULE, /* needs plafond.ko: only when asked for */
	MODULE_STRICT,
	STRENGTHS,
};

enum fault {
	FAULT_SLEEP = 1 << 0,	 /* sleeping inside sections */
	FAULT_OTHER = 1 << 1,	 /* SCHED_OTHER peers */
	FAULT_FOREIGN = 1 << 2,	 /* PTHREAD_PRIO_INHERIT mutexes in and around sections */
	FAULT_DEATH = 1 << 3,	 /* threads that end inside sections */
	FAULT_SIGNAL = 1 << 4,	 /* a storm of signals with handlers */
	FAULT_INTRUDER = 1 << 5, /* a FIFO thread without the hook between base and ceiling */
	FAULT_FLAT = 1 << 7,	 /* one section at a time */
	FAULT_NO_HOOK = 1 << 6,	 /* no wake hook, so the oracle must find violations */
};

/* The findings of the oracle. */
enum finding {
	FOUND_EXCLUSION, /* two threads in one section, or its plain data lost */
	FOUND_CEILING,	 /* a hooked thread runs at or below the ceiling of another's open
			  * section */
	FOUND_INVERSION, /* a thread runs before a more urgent thread without covering it */
	FOUND_TWICE,	 /* an activation blocked by two sections */
	FOUND_PRIORITY,	 /* the kernel's priority is not back at base */
	FOUND_LEFTOVER,	 /* a lock held or the stack not empty at the end */
	FOUND_DEATH,	 /* EOWNERDEAD not exactly once for each death */
	FOUND_LOST,	 /* an activation lost or early */
	FOUND_REFUSED,	 /* an error without a reason */
	FOUND_UNBOUNDED, /* more intrusions into a section than the intruder woke up */
	FOUND_OVERLOAD,	 /* so much load that the kernel may have throttled FIFO threads */
	FINDINGS,
};

extern const char *const finding_name[FINDINGS];
extern const char *const strength_name[STRENGTHS];

struct configuration {
	const char *name;
	const char *about;
	unsigned faults;    /* enum fault */
	unsigned strengths; /* 1 << enum strength: at which it is run */
	unsigned waived;    /* 1 << enum finding: not promised under these faults */
};

extern const struct configuration configurations[];
extern const size_t configuration_count;

#endif
