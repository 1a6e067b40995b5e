/* SPDX-License-Identifier: MIT */
#ifndef PLF_SETTLE_H
#define PLF_SETTLE_H

/* What kind of thread the caller is, found out when it first matters: member.h has the kinds. */

/* Find out the caller's kind, and give it a place if it may be lazy. */
void plf_settle(void);

/*
 * The caller is about to open a section. As the C library does, its first one asks for the base:
 * since the thread settled to wait, another process may have set it.
 */
void plf_settle_to_lock(void);

/* In the child of fork(): the caller is alone, under a new TID. Its sections follow. */
void plf_members_after_fork(void);

#endif
