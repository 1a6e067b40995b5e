/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_INTRUDER_H
#define PLF_TEST_INTRUDER_H

/*
 * What comes between two instructions of the calling thread, on its CPU, at random: a signal's
 * handler, or a more urgent thread.
 */
#include <stdbool.h>

/* Choose, by name: "handler" or "thread". Pins the caller to its CPU. False: there is no such one.
 */
bool intruder_choose(const char *name);

/* From now on `comes` is called again and again, until intruder_stop(). */
void intruder_start(void (*comes)(void));
void intruder_stop(void);

/* How often it has come. */
unsigned intruder_count(void);

#endif
