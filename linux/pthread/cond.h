/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_H
#define PLF_COND_H

/* Condition variables used with mutexes of ours: the process's set-up, and fork(). */
#include <stdbool.h>

/*
 * Does the C library keep its condition variables as we know it? Before there is a mutex of
 * ours; if not, there must never be one, and every condition variable stays the C library's.
 */
bool plf_cond_layout_known(void);

/* In the child of fork(): no thread waits on the condition variables it inherited. */
void plf_conds_after_fork(void);

#endif
