/* SPDX-License-Identifier: MIT */
#ifndef PLF_SECTION_FAST_H
#define PLF_SECTION_FAST_H

/*
 * The shortest ways into a section and out of it: for a mutex of kind PLF_KIND_FAST, and a caller
 * that may have frames and has no other section open. Each step is that of section.c, in the same
 * order. These functions are inlined and call no function, so their callers save no registers.
 *
 * A mutex that is local to the caller's CPU costs a restartable sequence to lock and two to unlock.
 * A shared mutex costs an atomic operation more in each of the two calls.
 */
#include "section.h"

#define PLF_INTO_ITS_CALLER __attribute__((always_inline))

enum plf_fast {
	PLF_FAST,	    /* done */
	PLF_FAST_TAKE_BACK, /* not done; frame 0 may be on the stack: plf_take_back_first() */
	PLF_FAST_END,	    /* nearly done: plf_section_end_first() does the rest */
	PLF_FAST_NOT,	    /* not done: take the slow way */
};

/* ---- Opening ------------------------------------------------------------ */

/* Enter the section in the account. WORD names its frame. */
static inline void plf_fast_account(struct plf_protect *m, uint64_t word)
{
	m->owner = plf_me.tid;
	plf_me.section[0] = (struct plf_section) { .mutex = m,
						   .ceiling = (uint8_t)word,
						   .kept = PLF_KEPT_BY_FRAME };
	plf_barrier();
	plf_set_published(1);
	plf_me.inside = 1;
	plf_counts.locks_lazy++;
	if (__builtin_expect((uint32_t)word != plf_me.rank, 1))
		plf_counts.system_calls_saved += 2;
}

/*
 * The frame comes first, and then a full atomic operation on the lock word. A thread that comes in
 * between finds itself covered. The ceiling is checked again, because the previous owner may have
 * changed it.
 */
PLF_INTO_ITS_CALLER static inline enum plf_fast plf_fast_open_shared(struct plf_protect *m,
								     uint32_t home)
{
	uint32_t base = plf_me.rank;
	uint32_t rank = (base & ~(uint32_t)PLF_HOME_CEILING) | (home & PLF_HOME_CEILING);
	uint32_t unlocked = 0;
	uint64_t word;

	if (!plf_home_is_shared(home) || base == PLF_RANK_FAR || rank - base >= PLF_RANK_SPAN ||
	    plf_me.inside != 0)
		return PLF_FAST_NOT;
	word = plf_me.frame0 | rank;
	if (plf_rseq_swap(plf_me.rseq, plf_me.cpu, plf_me.top, 0, word) != PLF_COMMITTED)
		return PLF_FAST_NOT;
	if (!__atomic_compare_exchange_n(&m->lock, &unlocked, plf_me.tid, false, __ATOMIC_SEQ_CST,
					 __ATOMIC_SEQ_CST))
		return PLF_FAST_TAKE_BACK;
	if (plf_home(m) != home) {
		plf_lock_word_give(m);
		return PLF_FAST_TAKE_BACK;
	}
	plf_fast_account(m, word);
	return PLF_FAST;
}

PLF_INTO_ITS_CALLER static inline enum plf_fast plf_fast_open(struct plf_protect *m)
{
	uint32_t home = plf_home(m);
	uint64_t word;

	if (home - plf_me.rank >= PLF_RANK_SPAN)
		return plf_fast_open_shared(m, home);
	if (plf_me.inside != 0)
		return PLF_FAST_NOT;
	word = plf_me.frame0 | home;
	switch (plf_rseq_enter(plf_me.rseq, plf_me.cpu, plf_me.top, word, &m->home, &m->lock,
			       plf_me.tid)) {
	case PLF_COMMITTED:
		plf_fast_account(m, word);
		return PLF_FAST;
	case PLF_RESTARTED:
		return PLF_FAST_TAKE_BACK;
	default:
		return PLF_FAST_NOT;
	}
}

/* ---- Closing ------------------------------------------------------------ */

/* Free the lock word, if no thread sleeps for it. WORD is the top of the caller's stack. */
static inline bool plf_fast_give(struct plf_protect *m, struct rseq *rseq, uint32_t cpu,
				 uint64_t word)
{
	uint32_t mine = plf_me.tid;

	if (plf_rseq_lock_word(rseq, cpu, &m->home, (uint32_t)word, &m->lock, mine, 0) ==
	    PLF_COMMITTED)
		return true;
	return plf_home_is_shared(plf_home(m)) &&
	       __atomic_compare_exchange_n(&m->lock, &mine, 0, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}

/*
 * The account is closed first, so that a signal handler finds nothing to commit. A handler that
 * came before that may have committed. Then the mutex becomes free, and then the frame goes, so a
 * thread that comes in between finds itself covered.
 */
PLF_INTO_ITS_CALLER static inline enum plf_fast plf_fast_close(struct plf_protect *m)
{
	struct rseq *rseq = plf_me.rseq;
	uint32_t cpu = plf_me.cpu;
	uint64_t word = plf_load64(plf_me.top);

	if (plf_me.inside != 1 || plf_me.section[0].mutex != m || (word ^ plf_me.frame0) >> 32 != 0)
		return PLF_FAST_NOT;
	plf_set_published(0);
	plf_barrier();
	if (plf_me.section[0].kept != PLF_KEPT_BY_FRAME)
		return PLF_FAST_NOT;
	m->owner = 0;
	if (!plf_fast_give(m, rseq, cpu, word)) {
		plf_set_published(1);
		return PLF_FAST_NOT;
	}
	plf_me.inside = 0;
	plf_me.section[0].kept = PLF_KEPT_NOT;
	if (plf_rseq_swap(rseq, cpu, plf_me.top, word, 0) != PLF_COMMITTED ||
	    plf_load32(&plf_me.place->frame[0].gate.word) != 0)
		return PLF_FAST_END;
	return PLF_FAST;
}

#endif
