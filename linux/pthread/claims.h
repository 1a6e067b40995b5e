/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLAIMS_H
#define PLF_CLAIMS_H

/*
 * Priority by a claim, where plafond.ko is loaded: a thread says by a store, in words of its
 * own, at which ceiling it is, and the kernel raises it when it would lose the CPU, to another
 * thread or to a sleep (protocol/lazy_ceiling.h, of which only the claim is used here: the lock
 * word excludes). So no thread waits for a claim, no hook is needed, and it holds for threads that
 * are not pinned.
 *
 * Invariant: a thread has claims or eager sections, never both. So its priority in the kernel
 * is its base, or the module's, or the one that a call set; and its base is the module's.
 */
#include <stdbool.h>

/*
 * Are claims this process's way of being lazy? The first call finds out, once: the device is
 * there, and PLAFOND_BACKEND does not ask for frames.
 */
bool plf_claims_are_used(void);

/* The same, without finding out. */
bool plf_claims_were_used(void);

/*
 * Make the caller's words known to the kernel, with its present priority as base. False: they
 * cannot be (no memory; libplafond has its own there), and nothing was changed.
 */
bool plf_claims_join(void);

/* Not any more. Its claim is withdrawn. */
void plf_claims_part(void);

/* The caller is at that ceiling, at least. CEILING: not below the base that it joined with. */
void plf_claims_raise(int ceiling);

/* The caller is at that ceiling from now on; 0: at none. */
void plf_claims_lower(int ceiling);

/* Let the kernel act now, so that all that ask it see the ceiling. */
void plf_claims_show(void);

/*
 * The caller's priority becomes the program's again, without falling below what it claims in
 * between; and the claim is withdrawn. Then a call must set the priority in the kernel.
 */
void plf_claims_hand_over(void);

/*
 * The program registers words of its own with the device: the caller's make way, for good. No
 * section has a claim: they were committed.
 */
void plf_claims_make_way(void);

/* In the child of fork(): the kernel knows no words of the caller's. */
void plf_claims_after_fork(void);

#endif
