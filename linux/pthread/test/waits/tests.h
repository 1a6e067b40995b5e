/* SPDX-License-Identifier: MIT */
#ifndef TESTS_H
#define TESTS_H

/* Each function is a complete run. */

/* If a thread wakes up while a section covers it, it waits for the section's end. */
void covered(void);

/* If a thread sleeps inside a section, no thread has to wait for it. */
void holder(void);

/* If a thread is cancelled while a section covers it, its cleanup handlers wait for the end. */
void cancelled(void);

/* Giving the CPU away does not give it to the threads that the section covers. */
void yields(void);

/* If a section covers a thread that it starts, the thread waits for the section's end. */
void starts(void);

/* Calls in signal handlers that come at any time. */
void handlers(void);

/* Without the drop-in's calls no thread waits, so the tests can fail. */
void without_hook(void);

/* The only call that `covered`, `holder` and `cancelled` test; NULL: all. */
extern const char *only_call;

void list_calls(void);

#endif
