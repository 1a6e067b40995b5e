/* SPDX-License-Identifier: MIT */
#include "configuration.h"

enum {
	AT_ROBUST = 1 << ROBUST,
	AT_STRICT = 1 << STRICT,
	AT_SYSCALL = 1 << SYSCALL,
	AT_MODULE = 1 << MODULE,
	AT_ALL = AT_ROBUST | AT_STRICT | AT_SYSCALL | AT_MODULE | 1 << MODULE_STRICT,
	/* While a holder is suspended, any other thread runs, so only the timing degrades. */
	TIMING = 1 << FOUND_INVERSION | 1 << FOUND_TWICE,
};

const char *const strength_name[STRENGTHS] = { "robust", "strict", "syscall", "module",
					       "module-strict" };

const char *const finding_name[FINDINGS] = {
	[FOUND_EXCLUSION] = "exclusion", [FOUND_CEILING] = "ceiling",
	[FOUND_INVERSION] = "inversion", [FOUND_TWICE] = "blocked twice",
	[FOUND_PRIORITY] = "priority",	 [FOUND_LEFTOVER] = "leftover",
	[FOUND_DEATH] = "death",	 [FOUND_LOST] = "lost activation",
	[FOUND_REFUSED] = "refused",	 [FOUND_UNBOUNDED] = "unbounded",
	[FOUND_OVERLOAD] = "overload",
};

/*
 * Mutual exclusion, deaths reported once, clean ends and the ceiling rule hold in all
 * configurations. The ceiling rule is for hooked FIFO threads without foreign mutexes. It is judged
 * about sections that are open and not asleep (see notes.c). If sections may be suspended, strict
 * does not apply. Under `syscall` and `module`, conflicting lock orders may then deadlock, as with
 * any classic protocol. So these configurations run robust only.
 */
const struct configuration configurations[] = {
	{ .name = "none", .about = "no fault: all guarantees", .strengths = AT_ALL },
	{ .name = "sleep-inside",
	  .about = "holders sleep in sections, with the hook and without",
	  .faults = FAULT_SLEEP,
	  .strengths = AT_ROBUST,
	  .waived = TIMING },
	{ .name = "sleep-flat",
	  .about =
		  "the same, one section at a time: the kernel's ceilings only keep exclusion then",
	  .faults = FAULT_SLEEP | FAULT_FLAT,
	  .strengths = AT_MODULE,
	  .waived = TIMING | 1 << FOUND_CEILING },
	{ .name = "other-peers",
	  .about = "two attached SCHED_OTHER threads; the rules are asked of the FIFO threads",
	  .faults = FAULT_OTHER,
	  .strengths = AT_ROBUST | AT_SYSCALL | AT_MODULE },
	{ .name = "foreign-pi",
	  .about = "PRIO_INHERIT mutexes in and around sections, shared with an unattached thread",
	  .faults = FAULT_FOREIGN,
	  .strengths = AT_ROBUST,
	  .waived = TIMING },
	{ .name = "death-inside",
	  .about = "pthread_exit, pthread_cancel and raw exit in sections; the dead are replaced",
	  .faults = FAULT_DEATH,
	  .strengths = AT_ALL },
	{ .name = "signal-storm",
	  .about = "SIGUSR1 timers at every thread, handlers that post: EINTR everywhere",
	  .faults = FAULT_SIGNAL,
	  .strengths = AT_ALL },
	{ .name = "intruder",
	  .about = "a FIFO thread without the hook between base and ceiling: counted, bounded",
	  .faults = FAULT_INTRUDER,
	  .strengths = AT_ALL },
	{ .name = "no-hook",
	  .about = "the control: without the wake hook the oracle must see the ceiling violated",
	  .faults = FAULT_NO_HOOK,
	  .strengths = AT_ROBUST | AT_STRICT,
	  .waived = 1 << FOUND_CEILING },
};

const size_t configuration_count = sizeof(configurations) / sizeof(configurations[0]);
