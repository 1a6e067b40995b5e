/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROBUST_H
#define PLF_ROBUST_H

/*
 * Robust mutexes. A robust mutex is in the thread's robust list, the C library's, while it is held,
 * so that the kernel marks the lock word when its owner ends. For other mutexes nothing is done.
 */
#include "protect.h"

/* Call plf_robust_begin() before M is taken, and plf_robust_end() when the list is right again. */
void plf_robust_begin(struct plf_protect *m);
void plf_robust_end(void);

/*
 * The caller has taken the lock word. EOWNERDEAD: the last owner died inside; ENOTRECOVERABLE: an
 * owner died inside, and no thread repaired the mutex.
 */
int plf_robust_enter(struct plf_protect *m);

/* The lock word is about to be freed. */
void plf_robust_leave(struct plf_protect *m);

#endif
