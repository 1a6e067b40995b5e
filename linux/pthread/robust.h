/* SPDX-License-Identifier: MIT */
#ifndef PLF_ROBUST_H
#define PLF_ROBUST_H

/*
 * Robust mutexes: in the thread's robust list, the C library's, while they are held, so
 * that the kernel marks the lock word when their owner ends. For others nothing is done.
 */
#include "protect.h"

/* The lock word is about to be taken; and: the list is right. */
void plf_robust_begin(struct plf_protect *m);
void plf_robust_end(void);

/*
 * It is the caller's. EOWNERDEAD: its last owner died inside; ENOTRECOVERABLE: and no thread
 * repaired it.
 */
int plf_robust_enter(struct plf_protect *m);

/* It is about to be free. */
void plf_robust_leave(struct plf_protect *m);

#endif
