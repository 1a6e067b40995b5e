/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_INTRUDER_H
#define PLF_TEST_INTRUDER_H

/*
 * An intruder comes between two instructions of the calling thread, on its CPU, at random: a signal
 * handler, or a more urgent thread.
 */
#include <stdbool.h>

/* Choose "handler" or "thread", and pin the caller to its CPU. False: there is no such intruder. */
bool intruder_choose(const char *name);

/* From now on `comes` is called repeatedly, until intruder_stop(). */
void intruder_start(void (*comes)(void));
void intruder_stop(void);

/* The number of calls so far. */
unsigned intruder_count(void);

#endif
