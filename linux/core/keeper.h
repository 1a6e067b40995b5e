/* SPDX-License-Identifier: MIT */
#ifndef PLF_KEEPER_H
#define PLF_KEEPER_H

/*
 * A keeper is a way to enforce ceilings. While a thread is in a section, no other thread runs on
 * its CPU at or below the ceiling, and no other thread has the mutex. All attached threads of a
 * process have the same keeper. plafond.h calls it their backend. T is the calling thread, and is
 * attached.
 */
#include "arena.h"

struct plf_keeper {
	const char *name; /* as plf_backend() reports it */
	unsigned flag;	  /* as plf_attach() takes it */
	int strict_max;	  /* highest base priority of a strict thread; 0: no thread may be strict */
	bool needs_cpu;	  /* its threads must be pinned; on another CPU they get EXDEV */

	/* A NULL function here has nothing to do. */
	bool (*is_there)(void); /* has this machine all it needs? Needs the registry lock */
	void (*rest)(void);	/* no thread uses this keeper now. Needs the registry lock */
	void (*part)(void);	/* the calling thread detaches or ends */
	void (*after_fork)(struct plf_thread *t); /* in the child, under T's new TID */

	/*
	 * T, which holds MUTEX, locks it again (`is_again`), or has undone all such locks. In
	 * between, the inline half of plf_mutex_unlock() must not free MUTEX.
	 */
	void (*hold_again)(struct plf_thread *t, plf_mutex_t *mutex, bool is_again);

	/* T attaches; its slot is prepared and its priority is set. An errno value: it may not. */
	int (*join)(struct plf_thread *t);

	/* As plf_mutex_timedlock(). With PLF_NOT_AT_ALL (clock.h), as plf_mutex_trylock(). */
	int (*lock)(struct plf_thread *t, plf_mutex_t *mutex, uint64_t until_ns);

	/* As plf_mutex_unlock(), after its inline half returned FOUND. */
	int (*unlock)(struct plf_thread *t, plf_mutex_t *mutex, enum plf_outcome found);

	/*
	 * Open a section above all base priorities, for a mutex with users on other CPUs: see
	 * global.c. GRANTED: T has the mutex already, so T waits only for more urgent sections of
	 * this kind. EBUSY: T may not wait. ETIMEDOUT: T may not wait so long. NULL: this keeper
	 * has no such sections.
	 */
	int (*open_global)(struct plf_thread *t, bool granted, uint64_t until_ns);

	/*
	 * Leave the innermost section; do not touch its mutex. On an error the section stays open.
	 */
	int (*leave)(struct plf_thread *t);

	/* As plf_mutex_setceiling(); the ceiling is in range. */
	int (*set_ceiling)(struct plf_thread *t, plf_mutex_t *mutex, uint32_t ceiling);

	/* Number of T's open sections; the frame of the innermost section (NULL: none is open). */
	uint32_t (*held)(struct plf_thread *t);
	struct plf_frame *(*innermost)(struct plf_thread *t);
};

/* The ceiling stack; claims that plafond.ko reads; two priority changes in each section. */
extern const struct plf_keeper plf_frames, plf_claims, plf_eager;

/* Number of T's open sections; 0 if T is not attached. */
static inline uint32_t plf_held(struct plf_thread *t)
{
	return plf_is_attached(t) ? plf_slot_of(t)->keeper->held(t) : 0;
}

/* Does T, which is attached, have a section open? */
static inline bool plf_is_inside(struct plf_thread *t)
{
	return plf_slot_of(t)->keeper->innermost(t) != NULL;
}

#endif
