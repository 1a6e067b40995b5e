/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MADE_TIME_H
#define PLF_TEST_MADE_TIME_H

/*
 * A test that links with this makes CLOCK_MONOTONIC itself: the clock stands until the test moves
 * it. So each thread finds the time at which it was due, however slow the machine is. This replaces
 * the functions of the C library that the library calls for time: clock_gettime(),
 * clock_nanosleep(), and syscall() for a futex. Threads of the highest priorities of the test's CPU
 * wake up before the call that moved the clock returns.
 */
#include <stdbool.h>
#include <stdint.h>

/* Move the clock. A thread that sleeps until an instant up to then wakes up at that instant. */
void go_to(uint64_t time_ns);

/* Move the clock, but wake no thread before go_to(). */
void leap_to(uint64_t time_ns);

/* Does a thread sleep until exactly that instant? */
bool is_awaited(uint64_t time_ns);

/* Count that thread's readings of the clock from now on. */
void count_readings(int tid);
uint64_t readings(void);

/* Let the next futex(2) call of that operation end with that error. */
void refuse_futex(int operation, int error);

/* Move the clock by that much after each reading by that thread; 0: not at all. */
void charge_reading(int tid, uint64_t ns);

#endif
