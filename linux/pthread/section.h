/* SPDX-License-Identifier: MIT */
#ifndef PLF_SECTION_H
#define PLF_SECTION_H

/*
 * A section: the lock word of a mutex, and the priority that goes with it. A lazy one has
 * a frame, or a claim; commit.h makes an eager one of it.
 */
#include "lock_word.h"
#include "stats.h"

/*
 * Open a section of M, which the caller does not hold. MAY_WAIT: for its holder; the caller
 * always waits for sections that cover it. Returns 0, EBUSY, or an error that pthread_mutex_lock()
 * and pthread_mutex_clocklock() return; EOWNERDEAD: it is open.
 */
int plf_section_open(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline);

/* Close it. M is free before the priority falls, and not touched after it is free. */
void plf_section_close(struct plf_protect *m);

/*
 * Take only the lock word, as pthread_mutex_setprioceiling() may: "the process of locking
 * the mutex need not adhere to the priority protect protocol".
 */
int plf_section_hold_still(struct plf_protect *m);

/* The ceiling of an open section of the caller's has changed. EPERM, EINVAL: it could not. */
int plf_section_change_ceiling(struct plf_protect *m, int ceiling);

/* In the child of fork(): they are the caller's under its new TID. */
void plf_sections_after_fork(void);

/* ---- The slow ends of the fast paths: see section_fast.h ---- */

/* Take off frame 0, which is on the stack without a section if a fast open got so far. */
void plf_take_back_first(void);

/* The end of a fast close: frame 0 is not on top, or a thread sleeps at its gate. Returns 0. */
int plf_section_end_first(void);

#endif
