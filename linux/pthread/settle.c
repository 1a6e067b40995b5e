/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "settle.h"

#include "claims.h"
#include "commit.h"
#include "cpu.h"
#include "frames.h"
#include "kernel_calls.h"
#include "learn.h"
#include "place.h"
#include "priority.h"
#include "robust_list.h"
#include "settings.h"
#include "stats.h"

#include <limits.h>
#include <sched.h>
#include <unistd.h>

/* The stack of threads without a place is always empty. */
static uint64_t no_stack;

static pthread_key_t exit_key;
static bool has_exit_key;

/* ---- The kind of the thread --------------------------------------------- */

/* Why the caller cannot be lazy at all; PLF_WHYS: it can. */
static enum plf_why why_not(void)
{
	if (plf_mode != PLF_MODE_LAZY)
		return PLF_MODE;
	return plf_has_priority(plf_me.policy) ? PLF_WHYS : PLF_POLICY;
}

/* Why the caller cannot have a place; PLF_WHYS: it can. */
static enum plf_why why_no_place(int cpu)
{
	if (!plf_has_sequences())
		return PLF_NO_RSEQ;
	return cpu < 0 ? PLF_NOT_PINNED : PLF_WHYS;
}

/* A slice of SCHED_RR may end inside a section. The next thread then runs without a wake-up. */
static enum plf_why why_not_lazy(void)
{
	return (plf_me.policy & ~SCHED_RESET_ON_FORK) == SCHED_FIFO ? PLF_WHYS : PLF_POLICY;
}

static enum plf_why use_place(void)
{
	const struct plf_thread *place = plf_me.place;
	enum plf_why why = why_not_lazy();

	plf_me.frame0 = plf_word(place->ref, 0);
	plf_me.top = place->top;
	plf_me.cover = place->rank;
	if (why == PLF_WHYS && plf_me.asked) {
		plf_me.local = plf_me.cpu + 1;
		plf_me.rank = place->rank;
	}
	return why;
}

/* Take a place. Returns why the caller cannot have frames; PLF_WHYS: it can. */
static enum plf_why settle_with_frames(int cpu)
{
	enum plf_why why = why_no_place(cpu);

	if (why == PLF_WHYS && !plf_take_place(cpu))
		why = PLF_NO_MEMORY;
	return why == PLF_WHYS ? use_place() : why;
}

/* Claims need no place, and no pinning, but a pinned thread still uses local mutexes. */
static enum plf_why settle_with_claims(int cpu)
{
	plf_me.may_claim = true;
	if (why_no_place(cpu) == PLF_WHYS)
		plf_me.local = plf_me.cpu + 1;
	return PLF_WHYS;
}

/* ---- Its life ------------------------------------------------------------ */

/*
 * The thread ends. Sections that it left open stay locked, as POSIX has it, but no thread waits for
 * their frames. Other destructors may still lock, so this destructor acts in the last round.
 */
static void leave(void *round)
{
	uintptr_t rounds = (uintptr_t)round;

	if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1 &&
	    pthread_setspecific(exit_key, (void *)(rounds + 1)) == 0)
		return;
	plf_claims_part();
	if (plf_frames_take_off())
		plf_give_up_place();
	else
		plf_leave_place_behind();
	plf_member_enter(0);
	plf_me.known = false;
	plf_me.settled = false;
	plf_stats_fold();
	if (plf_learning)
		plf_learn_thread_end();
}

static void make_exit_key(void)
{
	has_exit_key = pthread_key_create(&exit_key, leave) == 0;
}

static void become_known(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_exit_key);
	if (has_exit_key)
		pthread_setspecific(exit_key, (void *)1);
	plf_me.tid = plf_libc_tid();
	plf_me.rseq = plf_rseq_area();
	plf_kernel_get_priority(0, &plf_me.policy, &plf_me.priority);
	plf_member_enter(plf_me.tid);
	plf_me.known = true;
	plf_stats_join();
}

/* The fence holds back the reads that follow, because an AArch64 load may overtake any store. */
static void begin_to_settle(void)
{
	__atomic_store_n(&plf_me.settled, true, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/*
 * Another thread may change the values read here right after `settled` is set. It clears `settled`
 * and then makes the caller look like a stranger. The caller writes its words before it reads
 * `settled`, so in the end it looks like a stranger.
 */
void plf_settle(void)
{
	enum plf_why why;
	int cpu;

	if (!plf_me.known)
		become_known();
	plf_commit(PLF_SCHEDULING_CALL);
	plf_give_up_place();
	plf_claims_part();
	plf_me.may_claim = false;
	begin_to_settle();
	cpu = plf_pinned_cpu();
	plf_me.cpu = (uint32_t)cpu;
	plf_me.most = plf_kernel_most();
	why = why_not();
	if (why == PLF_WHYS)
		why = plf_claims_are_used() ? settle_with_claims(cpu) : settle_with_frames(cpu);
	if (plf_me.place == NULL)
		plf_me.top = &no_stack;
	plf_me.why_eager = why;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_look_like_stranger(&plf_me);
}

/* If nothing changed, the caller keeps its place, and may have frames there from now on. */
static void settle_first(void)
{
	bool changed = plf_me.known && plf_priority_ask_again();

	plf_me.asked = true;
	if (changed || !__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED)) {
		plf_settle();
		return;
	}
	if (plf_me.place != NULL)
		use_place();
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_look_like_stranger(&plf_me);
}

void plf_settle_to_lock(void)
{
	if (!plf_me.asked)
		settle_first();
	else if (!__atomic_load_n(&plf_me.settled, __ATOMIC_RELAXED))
		plf_settle();
}

/* The places of the others are free again. The caller keeps its frames under the new TID. */
void plf_members_after_fork(void)
{
	uint32_t tid = (uint32_t)gettid();

	plf_member_is_alone(tid);
	plf_claims_after_fork();
	if (plf_me.place != NULL)
		plf_robust_list_join(plf_me.place);
	if (plf_arena != NULL)
		plf_arena_after_fork(plf_me.place == NULL ? NULL : plf_slot_of(plf_me.place), tid);
}
