/* SPDX-License-Identifier: MIT */
#ifndef PLF_PRIORITY_H
#define PLF_PRIORITY_H

/*
 * The kernel's view of the calling thread's priority: the highest of its base and of the
 * ceilings of its eager sections. The kernel is told only where that changes.
 */
#include "member.h"

/* Is that a policy of fixed priorities, SCHED_FIFO or SCHED_RR? */
bool plf_has_priority(int policy);

/*
 * An eager section of that ceiling begins. EPERM: no privilege for it; EINVAL: the base
 * policy has no priorities. Then nothing was changed.
 */
int plf_priority_raise(int ceiling);

/* One ends. */
void plf_priority_lower(int ceiling);

/*
 * The base of MEMBER, which may be another thread, is set. Where no section keeps the
 * kernel's priority above it, LIBC does it, with ARGUMENTS: then the C library knows, too.
 * POLICY -1: as it is. Returns an errno value.
 */
int plf_priority_set_base(struct plf_member *member, int policy, int priority,
			  int (*libc)(const void *), const void *arguments);

#endif
