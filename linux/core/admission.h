/* SPDX-License-Identifier: MIT */
#ifndef PLF_ADMISSION_H
#define PLF_ADMISSION_H

/* Checks that all keepers share: whether a thread may lock a mutex, and which thread holds it. */
#include "arena.h"

static inline bool plf_is_valid_ceiling(int ceiling)
{
	return ceiling >= 1 && ceiling <= PLF_PRIORITY_MAX;
}

/* Is MUTEX for threads of all CPUs? See global.c. */
static inline bool plf_is_global(const plf_mutex_t *mutex)
{
	return plf_load32(&mutex->bound) == UINT32_MAX;
}

/*
 * Does T hold MUTEX, in any of its open sections? If so, the word names one of T's frames. Under
 * keeper `frames`, the word of a mutex that T locked again names the place behind T's frames.
 */
static inline bool plf_holds(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	uint64_t word = plf_load64(plf_is_global(mutex) ? &mutex->holder : &mutex->word);

	return plf_word_ref(word) - t->ref <= PLF_FRAMES;
}

/* MUTEX named a thread that is gone: note that. A mutex that is not recoverable stays so. */
static inline void plf_learn_of_death(plf_mutex_t *mutex)
{
	mutex->again = 0;
	if (mutex->state == PLF_MUTEX_CONSISTENT)
		mutex->state = PLF_MUTEX_INCONSISTENT;
}

/* Does MUTEX name frame F? F may be NULL, for no frame. */
static inline bool plf_is_named(const struct plf_frame *f, const plf_mutex_t *mutex)
{
	return f != NULL && plf_word_ref(plf_load64(&mutex->word)) == f->ref;
}

/*
 * May T, which has `held` sections open, lock MUTEX, which has this ceiling? Returns 0, or an error
 * that does not depend on other threads: EINVAL, EXDEV, EDEADLK or EAGAIN.
 */
__attribute__((warn_unused_result)) int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex,
						  int ceiling, uint32_t held);

/* Bind MUTEX to `cpu`, unless it is bound already. False: it is bound to another CPU. */
__attribute__((warn_unused_result)) bool plf_bind_to_cpu(plf_mutex_t *mutex, uint32_t cpu);

#endif
