/* SPDX-License-Identifier: MIT */
#ifndef PLF_PRIORITY_H
#define PLF_PRIORITY_H

/*
 * The kernel's view of the calling thread's priority: the highest of its base and of the
 * ceilings of its eager sections. A system call is made only where that changes.
 */
#include "base.h"
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
 *
 * The ceiling of another thread that has claims is set in the kernel, as if it were eager: the
 * module would not raise it once more. It was unsettled before; so its owner, which looks at that
 * after it has closed a section, sets the right priority then.
 */
int plf_priority_set_base(struct plf_member *member, int policy, int priority,
			  int (*libc)(const void *), const void *arguments);

/*
 * The base of MEMBER is set by a call whose result only the kernel knows: of policy and priority
 * the one that changes there. For that moment it may be below a ceiling. Returns an errno value.
 */
int plf_priority_set_by_kernel(struct plf_member *member, int (*call)(const void *),
			       const void *arguments);

/* The caller's claims are withdrawn: they are eager sections by now. */
void plf_priority_take_over(void);

/*
 * Ask the kernel for the caller's base: another process may have set it, or a system call that does
 * not come by here. False: it is as it was, or a section keeps the kernel's priority above it.
 */
bool plf_priority_ask_again(void);

/* Set the caller's priority in the kernel, even if it seems unchanged. The caller has no claim. */
void plf_priority_renew(void);

#endif
