/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TEAM_H
#define PLF_TEST_TEAM_H

/*
 * A test's main thread is LOW on CPU 0. A member starts at once, because its priority is higher.
 * Main goes on when the member sleeps or ends. So the kernel's fixed priorities make each test one
 * sequence of steps.
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

/*
 * Start an attached thread on CPU 0, or on another CPU, or a thread that the library does not know.
 */
void start(struct member *member, int priority, void (*body)(void *), void *argument);
void start_on(struct member *member, int cpu, int priority, void (*body)(void *), void *argument);
void start_stranger(struct member *member, int priority, void (*body)(void *), void *argument);
void join(struct member *member);

/* End the calling thread; only the kernel knows of it. */
_Noreturn void vanish(void);

/* Setup and teardown: main is attached at LOW. */
int attach_main(void **state);
int detach_main(void **state);
#define team_test(f) cmocka_unit_test_setup_teardown(f, attach_main, detach_main)

/* The priority at which the kernel runs the thread now, lent or set. 0: SCHED_OTHER. */
int kernel_priority(int tid);

/* The thread of this process that the kernel runs at such a priority. At most one exists. */
int thread_within(int least, int most);

/* How long that thread of this process has executed. */
uint64_t executed_ns(int tid);

/* Does that thread of this process sleep in the kernel? */
bool is_asleep(int tid);

/* Sleep until that thread of this process sleeps in the kernel. */
void await_asleep(const struct member *member);

/*
 * The backend under test: is it the ceiling stack? Does a holder have the ceiling's priority at
 * once?
 */
bool on_ceiling_stack(void);
bool on_classic_protocol(void);
/* Has the backend under test mutexes across CPUs? */
bool has_global_mutexes(void);

/* How often the calling thread lost the CPU although it was ready. */
long involuntary_switches(void);

/* Does the kernel know robust futexes of that thread of this process, such as its gates? */
bool has_robust_futexes(int tid);

/* Events, in order, a letter each. */
void note(char what);
void forget_notes(void);
const char *notes(void);

void sleep_ms(unsigned ms); /* no hook */

#define assert_ok(call) assert_int_equal(call, 0)

#endif
