/* SPDX-License-Identifier: MIT */
#ifndef SEMANTICS_TEAM_H
#define SEMANTICS_TEAM_H

/*
 * The common base of the semantic suite. Its programs use only POSIX and Linux, so they run on the
 * C library alone and with the drop-in in front of it.
 *
 * The main thread of a test is SCHED_FIFO LOW on CPU 0: the first CPU on which the program may run
 * at its start. A member of higher priority starts at once, and main goes on when the member sleeps
 * or ends. So the kernel's fixed priorities make each test a single sequence of steps. A test that
 * is not over in time is killed with all its threads.
 */
#include "differences.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <cmocka.h>

enum { LOW = 10, ANY_CPU = -1 };

struct member {
	pthread_t thread;
	void (*body)(void *);
	void *argument;
	_Atomic int tid;
};

/* Every program is `int main(int argc, char **argv) { return run_team(argc, argv, tests); }` */
int run_team(int argc, char **argv, int (*tests)(void));

/* Setup of each test: main as described above, but with the argument `unpinned` on any CPU. */
int prepare_main(void **state);
#define team_test(f) cmocka_unit_test_setup(f, prepare_main)

/* Start a SCHED_FIFO thread on CPU 0 / on that CPU / under that policy. */
void start(struct member *member, int priority, void (*body)(void *), void *argument);
void start_on(struct member *member, int cpu, int priority, void (*body)(void *), void *argument);
void start_as(struct member *member, int policy, int cpu, int priority, void (*body)(void *),
	      void *argument);
void join(struct member *member);
/* Sleep until that member, or the main thread, sleeps. */
void await_sleep(const struct member *member);
void await_sleep_of_main(void);
/* Start a SCHED_FIFO thread on CPU 0 and join it. */
void run_as(int priority, void (*body)(void *), void *argument);

/* Pin a thread (0: the caller) to a CPU, or let it run on every CPU. */
void pin(int tid, int cpu);

/* Await the end of a child process. Returns its exit status, or 128 + n if signal n killed it. */
int status_of(pid_t child);
/* Run `body` in a child process and return its status. */
int in_child(void (*body)(void *), void *argument);

/* A priority-protect mutex of that ceiling and type. */
void make_mutex(pthread_mutex_t *mutex, int ceiling, int type);

/* The priority at which the kernel runs the thread now. 0: SCHED_OTHER. */
int kernel_priority(int tid);
/* The kernel's letter for the thread's state: R, S, ... */
char kernel_state(int tid);
/* The caller's priority with the ceilings that it holds, and without them. */
int effective_priority(void);
int base_priority(void);

/* How the ceiling of a section takes effect, if no thread queries the owner's priority. */
enum way {
	RAISED, /* the kernel knows it from the section's first instruction on */
	FRAMED, /* the kernel does not know it: covered threads wait for the section */
	CLAIMED /* the kernel gets it when it matters, perhaps earlier */
};
enum way way_of_ceilings(void);
/* Check the caller's priority in the kernel in such a section. `otherwise`: without the section. */
void expect_perhaps_raised(int ceiling, int otherwise);

/* The noted events, in order, a letter each. */
void note(char what);
void forget_notes(void);
const char *notes(void);

void sleep_ms(unsigned ms);
/* Keep the CPU for that time. */
void stay_busy_us(unsigned us);
/* The time that many milliseconds from now, or before if `ms` is negative. */
struct timespec in_ms(clockid_t clock, int ms);

#define assert_ok(call) assert_int_equal(call, 0)
#define UNUSED(x)	(void)(x)

#endif
