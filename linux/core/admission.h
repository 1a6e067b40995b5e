/* SPDX-License-Identifier: MIT */
#ifndef PLF_ADMISSION_H
#define PLF_ADMISSION_H

/* What a mutex says of a thread that comes or goes, whichever keeper the threads have. */
#include "arena.h"

static inline bool plf_is_valid_ceiling(int ceiling)
{
	return ceiling >= 1 && ceiling <= PLF_PRIORITY_MAX;
}

/* One for threads of all CPUs: see global.c. */
static inline bool plf_is_global(const plf_mutex_t *mutex)
{
	return plf_load32(&mutex->bound) == UINT32_MAX;
}

/*
 * Has T MUTEX, in whichever of its sections? It names one of T's frames or, under keeper `frames`
 * when T locked it again, the place behind them.
 */
static inline bool plf_holds(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	uint64_t word = plf_load64(plf_is_global(mutex) ? &mutex->holder : &mutex->word);

	return plf_word_ref(word) - t->ref <= PLF_FRAMES;
}

/* MUTEX was found in the name of a thread that is gone. Data that were given up stay so. */
static inline void plf_learn_of_death(plf_mutex_t *mutex)
{
	mutex->again = 0;
	if (mutex->state == PLF_MUTEX_CONSISTENT)
		mutex->state = PLF_MUTEX_INCONSISTENT;
}

/* Is F (NULL: no frame) the one that MUTEX names? */
static inline bool plf_is_named(const struct plf_frame *f, const plf_mutex_t *mutex)
{
	return f != NULL && plf_word_ref(plf_load64(&mutex->word)) == f->ref;
}

/*
 * May T, with `held` sections open, lock MUTEX, of this ceiling, at all? The errors that need no
 * look at other threads.
 */
__attribute__((warn_unused_result)) int plf_admit(struct plf_thread *t, const plf_mutex_t *mutex,
						  int ceiling, uint32_t held);

/* False: MUTEX belongs to another CPU. The first locker's CPU keeps it. */
__attribute__((warn_unused_result)) bool plf_bind_to_cpu(plf_mutex_t *mutex, uint32_t cpu);

#endif
