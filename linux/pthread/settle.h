/* SPDX-License-Identifier: MIT */
#ifndef PLF_SETTLE_H
#define PLF_SETTLE_H

/* The caller's kind of thread, determined when it first matters: member.h has the kinds. */

/* Determine the caller's kind, and give it a place if it needs one. */
void plf_settle(void);

/*
 * The caller is about to open a section. As in the C library, its first section asks the kernel for
 * the base, because another process may have set it since the caller settled to wait.
 */
void plf_settle_to_lock(void);

/*
 * In the child of fork(): the caller is alone, under a new TID. Call plf_sections_after_fork()
 * after it.
 */
void plf_members_after_fork(void);

#endif
