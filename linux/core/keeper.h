/* SPDX-License-Identifier: MIT */
#ifndef PLF_KEEPER_H
#define PLF_KEEPER_H

/*
 * A keeper is one way to keep the promise of a ceiling: while a thread is in a section, no thread
 * of its CPU runs whose priority is at or below the ceiling, and none has the mutex beside it. All
 * attached threads of a process have the same one, their backend in the words of plafond.h. T is
 * the calling thread, and attached.
 */
#include "arena.h"

struct plf_keeper {
	const char *name; /* as plf_backend() reports it */
	unsigned flag;	  /* as plf_attach() takes it */
	int strict_max;	  /* the highest base priority of a strict thread; 0: none may be strict */
	bool needs_cpu;	  /* its threads are pinned, and get EXDEV on another CPU */

	/* NULL of a function here: there is nothing to do. */
	bool (*is_there)(void); /* has this machine what it needs? Under the registry lock */
	void (*rest)(void);	/* no thread needs it now. Under the registry lock */
	void (*part)(void);	/* the calling thread goes */
	void (*after_fork)(struct plf_thread *t); /* in the child, under T's new TID */

	/*
	 * T locks MUTEX, which it holds, again (`is_again`), or has taken all such locks back. In
	 * between the inline half of plf_mutex_unlock() does not free it.
	 */
	void (*hold_again)(struct plf_thread *t, plf_mutex_t *mutex, bool is_again);

	/* T, whose slot is prepared and whose priority is set, comes. An errno value: it may not.
	 */
	int (*join)(struct plf_thread *t);

	/* As plf_mutex_timedlock(), and plf_mutex_trylock() if it may not wait: see clock.h. */
	int (*lock)(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns);

	/* As plf_mutex_unlock(), from the state that its inline half FOUND. */
	int (*unlock)(struct plf_thread *t, plf_mutex_t *mutex, enum plf_outcome found);

	/*
	 * Open a section above all base priorities, whose mutex has users on other CPUs: see
	 * global.c. GRANTED: the mutex is T's already, so T waits for more urgent such sections
	 * only. EBUSY, ETIMEDOUT: T would wait, but may not, or not so long. NULL: this keeper has
	 * no such sections.
	 */
	int (*open_global)(struct plf_thread *t, bool granted, uint64_t until_ns);

	/* Leave the innermost section; its mutex still names it. EDEADLK: could not. */
	int (*leave)(struct plf_thread *t);

	/* As plf_mutex_setceiling(), to a ceiling that is in range. */
	int (*set_ceiling)(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling);

	/* How many sections T has open, and the frame that names the innermost; NULL: none is. */
	uint32_t (*held)(struct plf_thread *t);
	struct plf_frame *(*innermost)(struct plf_thread *t);
};

/* The ceiling stack; claims that plafond.ko reads; two changes of the priority a section. */
extern const struct plf_keeper plf_frames, plf_claims, plf_eager;

/* How many sections T has open. A thread that is not attached has none. */
static inline uint32_t plf_held(struct plf_thread *t)
{
	return plf_is_attached(t) ? plf_slot_of(t)->keeper->held(t) : 0;
}

/* Has T, which is attached, a section open? */
static inline bool plf_is_inside(struct plf_thread *t)
{
	return plf_slot_of(t)->keeper->innermost(t) != NULL;
}

#endif
