/* SPDX-License-Identifier: MIT */
#ifndef PLF_MUTEX_H
#define PLF_MUTEX_H

/* The mutex functions that the files of the library share. */
#include "arena.h"

/* May T lock MUTEX, of this ceiling, at all? The errors that need no look at other threads. */
__attribute__((warn_unused_result)) int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex,
						  int ceiling);

/* Has T a section open? */
bool plf_is_inside(struct plf_thread *t);

/* How many. */
uint32_t plf_held(struct plf_thread *t);

/* Is MUTEX the section that T entered last? A thread that is not attached has entered none. */
bool plf_holds_last(struct plf_thread *t, const plf_mutex_t *mutex);

/* False: MUTEX belongs to another CPU. The first locker's CPU keeps it. */
__attribute__((warn_unused_result)) bool plf_bind_to_cpu(plf_mutex_t *mutex, uint32_t cpu);

/* Take T's newest frame away; its lock still names it. EDEADLK: could not. */
__attribute__((warn_unused_result)) int plf_leave_last(struct plf_thread *t);

/* Backend `syscall`: the classic protocol, two priority changes a section. */
__attribute__((warn_unused_result)) int plf_eager_lock(struct plf_thread *t, plf_mutex_t *mutex,
						       bool may_wait);
void plf_eager_leave(struct plf_thread *t);
__attribute__((warn_unused_result)) int plf_eager_set_ceiling(struct plf_thread *t,
							      plf_mutex_t *mutex, uint32_t ceiling);

/*
 * Backend `module`: claims in the calling thread's words, which plafond.ko reads. T is
 * the calling thread. `found` by the inline unlock: PLF_HANDOFF, only the kernel's
 * part is left.
 */
__attribute__((warn_unused_result)) int plf_module_join(struct plf_thread *t);
void plf_module_part(void);
void plf_module_after_fork(struct plf_thread *t);
__attribute__((warn_unused_result)) int plf_module_lock(struct plf_thread *t, plf_mutex_t *mutex,
							bool may_wait);
__attribute__((warn_unused_result)) int plf_module_unlock(struct plf_thread *t, plf_mutex_t *mutex,
							  enum plf_outcome found);
void plf_module_leave(struct plf_thread *t);
uint32_t plf_module_held(const struct plf_thread *t);
__attribute__((warn_unused_result)) int
plf_module_set_ceiling(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling);

#endif
