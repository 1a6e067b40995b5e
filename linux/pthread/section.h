/* SPDX-License-Identifier: MIT */
#ifndef PLF_SECTION_H
#define PLF_SECTION_H

/*
 * A section: the lock word of a mutex, and the priority that goes with it. A lazy section has a
 * frame or a claim; commit.h makes it eager.
 */
#include "lock_word.h"
#include "stats.h"

/*
 * Open a section of M, which the caller does not hold. MAY_WAIT: wait for the holder; the caller
 * always waits for sections that cover it. Returns 0, EBUSY, or an error of pthread_mutex_lock() or
 * pthread_mutex_clocklock(). With EOWNERDEAD the section is open.
 */
int plf_section_open(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline);

/* Close the section of M. M is free before the priority falls, and is not touched afterwards. */
void plf_section_close(struct plf_protect *m);

/*
 * Take only the lock word, as POSIX permits in pthread_mutex_setprioceiling(): "the process of
 * locking the mutex need not adhere to the priority protect protocol".
 */
int plf_section_hold_still(struct plf_protect *m);

/*
 * Change the ceiling of an open section of the caller. EPERM, EINVAL: not possible, and the ceiling
 * is unchanged.
 */
int plf_section_change_ceiling(struct plf_protect *m, int ceiling);

/* In the child of fork(): the caller owns its sections under its new TID. */
void plf_sections_after_fork(void);

/* ---- The slow ends of the fast paths: see section_fast.h ---- */

/* Remove frame 0, which a fast open may have left on the stack without a section. */
void plf_take_back_first(void);

/* End a fast close if frame 0 is not on top, or a thread sleeps at its gate. Returns 0. */
int plf_section_end_first(void);

#endif
