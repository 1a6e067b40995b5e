/* SPDX-License-Identifier: MIT */
#ifndef PLF_PRIORITY_H
#define PLF_PRIORITY_H

/*
 * The calling thread's priority in the kernel: the highest of its base and the ceilings of its
 * eager sections. A system call is made only if that priority changes.
 */
#include "base.h"
#include "member.h"

/* Does that policy have fixed priorities, as SCHED_FIFO and SCHED_RR? */
bool plf_has_priority(int policy);

/*
 * Begin an eager section of that ceiling. EPERM: no privilege for it; EINVAL: the base policy has
 * no priorities. After an error nothing has changed.
 */
int plf_priority_raise(int ceiling);

/* End an eager section of that ceiling. */
void plf_priority_lower(int ceiling);

/*
 * Set the base of MEMBER, which may be another thread. LIBC does it, with ARGUMENTS, so that the C
 * library knows the base, too. If a section keeps the kernel's priority above the base, LIBC is not
 * called. POLICY -1: unchanged. Returns 0 or an errno value.
 *
 * If another thread has claims, its ceiling is set in the kernel as if it were eager, because the
 * module would not raise that thread once more. The caller must have unsettled MEMBER before.
 * MEMBER looks at that after it has closed a section, and then sets the right priority.
 */
int plf_priority_set_base(struct plf_member *member, int policy, int priority,
			  int (*libc)(const void *), const void *arguments);

/*
 * Set the base of MEMBER by a call whose result only the kernel knows. If the call changes the
 * policy or priority in the kernel, the base takes the change. During the call the priority may be
 * below a ceiling. Returns 0 or an errno value.
 */
int plf_priority_set_by_kernel(struct plf_member *member, int (*call)(const void *),
			       const void *arguments);

/* Withdraw the caller's claims, whose sections are eager by now. */
void plf_priority_take_over(void);

/*
 * Ask the kernel for the caller's base, because another process may have set it, or a system call
 * that bypasses the drop-in. False: it is unchanged, or a section keeps the kernel's priority above
 * it.
 */
bool plf_priority_ask_again(void);

/* Set the caller's priority in the kernel, even if it seems unchanged. The caller has no claim. */
void plf_priority_renew(void);

#endif
