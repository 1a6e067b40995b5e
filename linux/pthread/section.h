/* SPDX-License-Identifier: MIT */
#ifndef PLF_SECTION_H
#define PLF_SECTION_H

/*
 * A section: the lock word of a mutex, and the priority that goes with it. A lazy one has
 * a frame, or a claim; commit.h makes an eager one of it.
 */
#include "lock_word.h"
#include "stats.h"

/*
 * Open a section of M, which the caller does not hold. MAY_WAIT: for its holder; the caller
 * always waits for sections that cover it. Returns 0, EBUSY, or an error that pthread_mutex_lock()
 * and pthread_mutex_clocklock() return; EOWNERDEAD: it is open.
 */
int plf_section_open(struct plf_protect *m, bool may_wait, const struct plf_deadline *deadline);

/* Close it. M is free before the priority falls, and not touched after it is free. */
void plf_section_close(struct plf_protect *m);

/*
 * Take only the lock word, as pthread_mutex_setprioceiling() may: "the process of locking
 * the mutex need not adhere to the priority protect protocol".
 */
int plf_section_hold_still(struct plf_protect *m);

/* The ceiling of an open section of the caller's has changed. EPERM, EINVAL: it could not. */
int plf_section_change_ceiling(struct plf_protect *m, int ceiling);

/* In the child of fork(): they are the caller's under its new TID. */
void plf_sections_after_fork(void);

/* ---- The fast paths: nothing else open, the mutex and the caller of one CPU ---- */

/* A sequence was restarted that may have pushed frame 0, but did not take the lock word. */
void plf_take_back_first(void);

static inline bool plf_section_open_fast(struct plf_protect *m)
{
	uint32_t home = plf_home(m);
	uint32_t distance = home - plf_me.rank;

	if (distance >= PLF_RANK_SPAN || plf_me.inside != 0)
		return false;
	switch (plf_rseq_enter(plf_me.rseq, plf_me.cpu, plf_me.top, plf_me.frame0 | home, &m->home,
			       &m->lock, plf_me.tid)) {
	case PLF_COMMITTED:
		break;
	case PLF_RESTARTED:
		plf_take_back_first();
		return false;
	default:
		return false;
	}
	plf_me.section[0] = (struct plf_section) { .mutex = m,
						   .ceiling = (uint8_t)home,
						   .kept = PLF_KEPT_BY_FRAME };
	plf_barrier();
	plf_set_published(1);
	plf_me.inside = 1;
	plf_counts.locks_lazy++;
	plf_counts.system_calls_saved += distance != 0 ? 2 : 0;
	return true;
}

/* The second half of a fast close, where something was in the way. */
void plf_section_end_first(void);

/*
 * The account is closed first, so that a signal handler finds nothing to commit; one that came
 * before that may have done so. Then the mutex is free, then the frame goes: a thread that comes
 * between finds itself covered.
 */
static inline bool plf_section_close_fast(struct plf_protect *m)
{
	uint64_t word = plf_load64(plf_me.top);

	if (plf_me.inside != 1 || plf_me.section[0].mutex != m || (word ^ plf_me.frame0) >> 32 != 0)
		return false;
	plf_set_published(0);
	plf_barrier();
	if (plf_me.section[0].kept != PLF_KEPT_BY_FRAME)
		return false;
	if (plf_rseq_lock_word(plf_me.rseq, plf_me.cpu, &m->home, (uint32_t)word, &m->lock,
			       plf_me.tid, 0) != PLF_COMMITTED) {
		plf_set_published(1);
		return false;
	}
	plf_me.inside = 0;
	plf_me.section[0].kept = PLF_KEPT_NOT;
	if (plf_rseq_swap(plf_me.rseq, plf_me.cpu, plf_me.top, word, 0) != PLF_COMMITTED ||
	    plf_load32(&plf_me.place->frame[0].gate.word) != 0)
		plf_section_end_first();
	return true;
}

#endif
