/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_BUDGET_ENDS_H
#define PLF_TEST_BUDGET_ENDS_H

/*
 * The time and the reason at which a task is ended while it plays a part. The task is UPPER, or
 * FOUL, which is below it.
 */
#include "plf_clock.h"
#include "timing.h"

/* On sim the kernel takes no time. */
enum { ON_BOARD = PLF_DRAW_NS > 0, SLACK = ON_BOARD * 1500 };

extern void (*volatile play)(void); /* action of the task that is activated */
extern volatile uint64_t began_ns;

/* The measured time begins here. */
static inline void begin(void)
{
	began_ns = plf_user_now_ns();
}

static inline void go_on_for_ever(void)
{
	for (;;)
		plf_spend(7 * US);
}

void test_ends(TaskType task, void (*part)(void), StatusType status, uint64_t after_ns,
	       const char *file, uint32_t line);
void test_keeps_within(TaskType task, void (*part)(void), const char *file, uint32_t line);

/* The task must be ended at this time after begin(). */
#define LOCKED(task, part, ns) test_ends(task, part, E_OS_PROTECTION_LOCKED, ns, __FILE__, __LINE__)
#define TIMED(task, part, ns)  test_ends(task, part, E_OS_PROTECTION_TIME, ns, __FILE__, __LINE__)

/* The task must not be ended. */
#define KEEPS_WITHIN(task, part) test_keeps_within(task, part, __FILE__, __LINE__)

#endif
