/* SPDX-License-Identifier: MIT */
#ifndef TESTS_H
#define TESTS_H

/* Each is the whole of a run. */

/* A thread that wakes up while a section covers it waits for its end. */
void covered(void);

/* A thread that sleeps inside a section keeps none waiting for a sleeper. */
void holder(void);

/* The cleanup handlers of a thread cancelled while a section covers it wait for its end. */
void cancelled(void);

/* Giving the CPU away does not give it to the threads that the section covers. */
void yields(void);

/* A thread that is started by a section which covers it waits for its end. */
void starts(void);

/* Calls in signal handlers that come at any time. */
void handlers(void);

/* Without the drop-in's calls no thread waits: the tests can fail. */
void without_hook(void);

/* Of `covered`, `holder` and `cancelled` run only this call; NULL: all. */
extern const char *only_call;

void list_calls(void);

#endif
