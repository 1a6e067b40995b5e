/* SPDX-License-Identifier: MIT */
#ifndef PLF_MUTEX_H
#define PLF_MUTEX_H

/* What the files of the library know of each other's mutexes. */
#include "arena.h"

/* May T lock MUTEX, of this ceiling, at all? The errors that need no look at other threads. */
int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex, int ceiling);

/* Sections that T has open. */
uint32_t plf_held(struct plf_thread *t);

/* Is MUTEX the section that T entered last? */
bool plf_holds_last(struct plf_thread *t, const plf_mutex_t *mutex);

/* Take T's newest frame away; its lock still names it. EDEADLK: could not. */
int plf_leave_last(struct plf_thread *t);

/* Backend `syscall`: the classic protocol, two priority changes a section. */
int plf_eager_lock(struct plf_thread *t, plf_mutex_t *mutex, bool may_wait);
void plf_eager_leave(struct plf_thread *t);
int plf_eager_set_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling);

#endif
