/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TIMING_H
#define PLF_TEST_TIMING_H

/* Notes of ProtectionHook, and the times of hooks and the handler on a board. */
#include "check.h"

enum {
	US = 1000,
	HOOK_NS = 3 * US,
	LONG_NS = 30 * US,
	SWITCH_NS = 2 * HOOK_NS, /* PostTaskHook, and PreTaskHook of the next task */
};

extern volatile uint32_t faults;
extern volatile StatusType fault;
extern volatile TaskType faulted; /* the task that ran */
extern volatile uint64_t fault_ns;

static inline void test_faulted(uint32_t count, StatusType status, TaskType task, const char *file,
				uint32_t line)
{
	test_equal(faults, count, file, line);
	test_equal(fault, status, file, line);
	test_equal(faulted, task, file, line);
	faults = 0;
}

/* ProtectionHook was called `count` times since the last check, and the last call was this. */
#define FAULTED(count, status, task) test_faulted(count, status, task, __FILE__, __LINE__)

#endif
