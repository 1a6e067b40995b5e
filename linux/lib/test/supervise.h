/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SUPERVISE_H
#define PLF_TEST_SUPERVISE_H

/*
 * Every test program has `int main(...) { return supervise(argc, argv, tests); }`. The first
 * argument names the backend under test: user (the default), strict, syscall, module or
 * module-strict.
 */

/* The flags of plf_attach() for the backend under test. */
extern unsigned test_flags;

/*
 * Run `tests` in a child, and return its exit status. The child and all its children are killed
 * when its time is over or when the supervisor dies. So no FIFO thread outlives a failed test.
 * Without SCHED_FIFO, print one line and fail.
 */
int supervise(int argc, char **argv, int (*tests)(void));

/* Run `body` in a child process. Returns its exit status; 128 + n: signal n killed it. */
int in_child(void (*body)(void));

/*
 * Lock all memory, because strict needs that. Do not use the C library's call, which a sanitizer
 * interposes.
 */
void lock_memory(void);

#endif
