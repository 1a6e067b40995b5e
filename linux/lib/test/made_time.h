/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MADE_TIME_H
#define PLF_TEST_MADE_TIME_H

/*
 * CLOCK_MONOTONIC of a program that is linked with this is made by its test: it stands until the
 * test moves it. So whatever the machine does meanwhile, each thread finds the time at which it was
 * due. The calls of the C library that the library makes for it end here instead: clock_gettime(),
 * clock_nanosleep(), and syscall() for a futex. Threads of the highest priorities
 * of the test's CPU wake up before the call that moved the clock returns.
 */
#include <stdbool.h>
#include <stdint.h>

/* Each that sleeps until an instant up to then wakes up at that instant. */
void go_to(uint64_t time_ns);

/* The clock is there, and those that it was due to wake up sleep on, until go_to(). */
void leap_to(uint64_t time_ns);

/* Whether some thread sleeps until that very instant. */
bool is_awaited(uint64_t time_ns);

/* Readings of the clock from now on by that thread. */
void count_readings(int tid);
uint64_t readings(void);

/* The next such call of futex(2) ends with that error. */
void refuse_futex(int operation, int error);

/* How much later it is after each reading by that thread; 0: none. */
void charge_reading(int tid, uint64_t ns);

#endif
