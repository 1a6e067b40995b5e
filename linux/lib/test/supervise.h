/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_SUPERVISE_H
#define PLF_TEST_SUPERVISE_H

/*
 * Every test program: `int main(...) { return supervise(argc, argv, tests); }`.
 * The first argument names the backend under test: user (the default), strict, syscall, module or
 * module-strict.
 */

/* The flags of plf_attach() for it. */
extern unsigned test_flags;

/*
 * Run `tests` in a child and return its exit status. The child and all that it
 * started are killed when its time is over and when the supervisor dies, so that
 * no FIFO thread outlives a failed test. Fails in one line without SCHED_FIFO.
 */
int supervise(int argc, char **argv, int (*tests)(void));

/* Run `body` in a child of its own and return its exit status; 128 + n: killed by signal n. */
int in_child(void (*body)(void));

/* Lock all memory, as strict demands; not through the C library, which a sanitizer interposes. */
void lock_memory(void);

#endif
