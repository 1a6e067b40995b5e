/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TEAM_H
#define PLF_TEST_TEAM_H

/*
 * The main thread of a test is LOW on CPU 0. A member starts at once, for its
 * priority is higher, and main goes on when it sleeps or ends: the kernel's fixed
 * priorities make each test one sequence of steps.
 */
#include "supervise.h"

#include <plafond.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { LOW = 10 };

struct member {
	pthread_t thread;
	void *stack;
	void (*body)(void *);
	void *argument;
	int priority;
	int cpu;
	bool attached;
	int tid;
};

/* Start an attached thread on CPU 0 / on that CPU, or one that the library does not know. */
void start(struct member *member, int priority, void (*body)(void *), void *argument);
void start_on(struct member *member, int cpu, int priority, void (*body)(void *), void *argument);
void start_stranger(struct member *member, int priority, void (*body)(void *), void *argument);
void join(struct member *member);

/* End the calling thread without a word to any but the kernel. */
_Noreturn void vanish(void);

/* Setup and teardown: main attached at LOW. */
int attach_main(void **state);
int detach_main(void **state);
#define team_test(f) cmocka_unit_test_setup_teardown(f, attach_main, detach_main)

/* The priority at which the kernel runs the thread now: boosted, or set. 0: SCHED_OTHER. */
int kernel_priority(int tid);

/* The thread of this process that the kernel runs at such a priority. There is one at most. */
int thread_within(int least, int most);

/* What that thread of this process has executed. */
uint64_t executed_ns(int tid);

/* Does that thread of this process sleep in the kernel? */
bool is_asleep(int tid);

/* Sleep until that thread of this process sleeps in the kernel. */
void await_asleep(const struct member *member);

/* Of the backend under test: the ceiling stack? Is a holder's priority the ceiling at once? */
bool on_ceiling_stack(void);
bool on_classic_protocol(void);
/* Are there mutexes across CPUs? */
bool has_global_mutexes(void);

/* Times the calling thread lost the CPU though it would have gone on. */
long involuntary_switches(void);

/* Has that thread of this process robust futexes, its gates among them, for the kernel to see? */
bool has_robust_futexes(int tid);

/* The events, in order: one letter each. */
void note(char what);
void forget_notes(void);
const char *notes(void);

void sleep_ms(unsigned ms); /* no wait of the library */

#define assert_ok(call) assert_int_equal(call, 0)

#endif
