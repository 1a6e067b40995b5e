/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLAIMS_H
#define PLF_CLAIMS_H

/*
 * Priority by a claim, if plafond.ko is loaded: a thread stores its ceiling into words that the
 * kernel reads. When the thread would lose the CPU, to another thread or by a sleep, the kernel
 * raises it to that ceiling. The protocol is protocol/lazy_ceiling.h, but only its claim is used,
 * because the lock word gives exclusion. No thread waits for a claim. So claims need no hook, and
 * they work for threads that are not pinned.
 *
 * Invariant: a thread has claims or eager sections, never both. So its priority in the kernel is
 * its base, or a priority that the module gave, or a priority that a call set. Its base is the base
 * that the module knows.
 */
#include <stdbool.h>

/*
 * Does this process use claims? The first call decides: yes if the device can be opened and
 * PLAFOND_BACKEND does not ask for frames.
 */
bool plf_claims_are_used(void);

/* The same, but false before plf_claims_are_used() was called. */
bool plf_claims_were_used(void);

/*
 * Make the caller's words known to the kernel, with its present priority as base. False: not
 * possible, because there is no memory or other words of this thread are registered. Then nothing
 * was changed.
 */
bool plf_claims_join(void);

/* Withdraw the caller's claim and its words. */
void plf_claims_part(void);

/* Claim at least that ceiling, which must not be below the base that the caller joined with. */
void plf_claims_raise(int ceiling);

/* Claim exactly that ceiling; 0: none. The kernel takes back a higher priority that it gave. */
void plf_claims_lower(int ceiling);

/* Let the kernel act on the claim now, so that every query of the priority sees the ceiling. */
void plf_claims_show(void);

/*
 * Withdraw the claim, and leave the priority to the program. Meanwhile the priority does not fall
 * below the claimed ceiling. Afterwards the caller must set its priority in the kernel by a call.
 */
void plf_claims_hand_over(void);

/*
 * The program registers its own words with the device, so the caller's words make way for good. The
 * caller must have committed all its claims.
 */
void plf_claims_make_way(void);

/* In the child of fork(): the kernel knows no words of the caller. */
void plf_claims_after_fork(void);

#endif
