/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include "claims.h"
#include "cpu.h"
#include "frames.h"
#include "kernel_calls.h"
#include "learn.h"
#include "libc.h"
#include "priority.h"
#include "process.h"
#include "robust_list.h"
#include "section.h"
#include "stats.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

__thread struct plf_member plf_me = {
	.top = &plf_stranger_top,
	.rank = PLF_RANK_FAR,
	.cover = PLF_RANK_FAR,
	.lock_libc = __pthread_mutex_lock,
	.change = PTHREAD_MUTEX_INITIALIZER,
};
uint64_t plf_stranger_top;
int (*plf_lock_libc_outside)(pthread_mutex_t *) = __pthread_mutex_lock;

/* The stack of threads without a place is always empty. */
static uint64_t no_stack;

static pthread_key_t exit_key;
static bool has_exit_key;

static void look_like_stranger(struct plf_member *member)
{
	__atomic_store_n(&member->rank, PLF_RANK_FAR, __ATOMIC_RELAXED);
	__atomic_store_n(&member->cover, PLF_RANK_FAR, __ATOMIC_RELAXED);
	__atomic_store_n(&member->local, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&member->top, &plf_stranger_top, __ATOMIC_RELAXED);
}

/* ---- The place --------------------------------------------------------- */

static void release(struct plf_thread *place)
{
	plf_robust_list_leave(place);
	plf_registry_lock();
	plf_slot_release(plf_slot_of(place));
	plf_registry_unlock();
}

static void give_up_place(void)
{
	struct plf_thread *place = plf_me.place;

	look_like_stranger(&plf_me);
	plf_me.place = NULL;
	if (place != NULL)
		release(place);
}

/*
 * A thread that sleeps at one of the gates looks again and finds the frames void. The slot
 * stays used while its frames are on the stack of the other CPU: until a thread comes by there.
 */
void plf_leave_place_behind(void)
{
	struct plf_thread *place = plf_me.place;

	look_like_stranger(&plf_me);
	plf_me.place = NULL;
	plf_me.settled = false;
	plf_robust_list_leave(place);
	plf_slot_leave_behind(plf_slot_of(place), plf_frames_there(place));
	plf_store32(&place->life.word, PLF_OWNER_DIED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	plf_frames_abandon(place);
	plf_set_published(0);
}

/* Why the caller can be lazy in no way; PLF_WHYS: it can. */
static enum plf_why why_not(void)
{
	if (plf_mode != PLF_MODE_LAZY)
		return PLF_MODE;
	return plf_has_priority(plf_me.policy) ? PLF_WHYS : PLF_POLICY;
}

/* Why it can have no place; PLF_WHYS: it can. */
static enum plf_why why_no_place(int cpu)
{
	if (!plf_has_sequences())
		return PLF_NO_RSEQ;
	return cpu < 0 ? PLF_NOT_PINNED : PLF_WHYS;
}

static bool take_place(int cpu)
{
	struct plf_slot *slot;

	if (plf_slot_claim(NULL, cpu, plf_me.priority, PLF_STRENGTH_ROBUST, plf_me.tid, &slot) != 0)
		return false;
	plf_slot_use_stack(slot);
	slot->thread.cpu_now = &plf_me.rseq->cpu_id;
	plf_robust_list_join(&slot->thread);
	plf_me.place = &slot->thread;
	return true;
}

/* A slice of SCHED_RR ends also inside a section: the next one's turn comes without a wake-up. */
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
	if (why == PLF_WHYS) {
		plf_me.local = plf_me.cpu + 1;
		plf_me.rank = place->rank;
	}
	return why;
}

/* Frames, or the reason why not. */
static enum plf_why settle_with_frames(int cpu)
{
	enum plf_why why = why_no_place(cpu);

	if (why == PLF_WHYS && !take_place(cpu))
		why = PLF_NO_MEMORY;
	return why == PLF_WHYS ? use_place() : why;
}

/* Claims need no place, and no pinning; mutexes are local to a CPU all the same, where they can. */
static enum plf_why settle_with_claims(int cpu)
{
	plf_me.may_claim = true;
	if (why_no_place(cpu) == PLF_WHYS)
		plf_me.local = plf_me.cpu + 1;
	return PLF_WHYS;
}

/* ---- Its sections ------------------------------------------------------ */

const struct plf_section *plf_highest(const struct plf_member *member, enum plf_kept kept)
{
	const struct plf_section *highest = NULL;

	for (size_t i = 0; i < PLF_SECTIONS; i++)
		if (member->section[i].kept == kept &&
		    (highest == NULL || member->section[i].ceiling > highest->ceiling))
			highest = &member->section[i];
	return highest;
}

/* ---- Being known ------------------------------------------------------- */

/*
 * The threads that are known, by their TIDs. A thread that ended without a word stays in
 * here, but not beside a new one with its TID or its memory.
 */
enum { THREADS = 4 * PLF_THREAD_MAX };

static struct known {
	uint32_t tid;
	pthread_t thread;
} known[THREADS];

/* The entry of that thread; else a free one; NULL: there is none. */
static struct known *entry_of(pthread_t thread, uint32_t tid)
{
	struct known *empty = NULL;

	for (size_t i = 0; i < THREADS; i++) {
		if (known[i].tid != 0 &&
		    (known[i].tid == tid || pthread_equal(known[i].thread, thread)))
			return &known[i];
		if (known[i].tid == 0 && empty == NULL)
			empty = &known[i];
	}
	return empty;
}

static void enter_registry(uint32_t tid)
{
	struct known *entry;

	plf_registry_lock();
	entry = entry_of(pthread_self(), plf_me.tid);
	if (entry != NULL)
		*entry = (struct known) { .tid = tid, .thread = pthread_self() };
	plf_registry_unlock();
}

/* A thread's memory lies at one distance from where its pthread_t points. */
static struct plf_member *member_at(pthread_t thread)
{
	uintptr_t distance = (uintptr_t)&plf_me - (uintptr_t)pthread_self();

	return (struct plf_member *)((uintptr_t)thread + distance);
}

struct plf_member *plf_member_of(pthread_t thread)
{
	struct plf_member *member = member_at(thread);

	return member->known ? member : NULL;
}

struct plf_member *plf_member_of_tid(uint32_t tid)
{
	for (size_t i = 0; i < THREADS; i++)
		if (known[i].tid == tid && tgkill(getpid(), (pid_t)tid, 0) == 0)
			return plf_member_of(known[i].thread);
	return NULL;
}

/*
 * The thread ends. Sections that it left open stay locked, as POSIX has it, but no thread
 * waits for their frames. Other destructors may still lock: this one lets them go first.
 */
static void leave(void *round)
{
	uintptr_t rounds = (uintptr_t)round;

	if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS - 1 &&
	    pthread_setspecific(exit_key, (void *)(rounds + 1)) == 0)
		return;
	plf_claims_part();
	if (plf_frames_take_off())
		give_up_place();
	else
		plf_leave_place_behind();
	enter_registry(0);
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
	plf_me.tid = (uint32_t)gettid();
	plf_me.rseq = plf_rseq_area();
	plf_kernel_get_priority(0, &plf_me.policy, &plf_me.priority);
	enter_registry(plf_me.tid);
	plf_me.known = true;
	plf_stats_join();
}

void plf_unsettle(struct plf_member *member)
{
	__atomic_store_n(&member->settled, false, __ATOMIC_RELAXED);
	look_like_stranger(member);
}

/*
 * The values read here may be changed by another thread right after `settled` is set. It
 * clears that again and makes a stranger of us, in this order; we look in the other one.
 */
void plf_settle(void)
{
	enum plf_why why;
	int cpu;

	plf_process_begin();
	if (!plf_me.known)
		become_known();
	plf_commit(PLF_SCHEDULING_CALL);
	give_up_place();
	plf_claims_part();
	plf_me.may_claim = false;
	__atomic_store_n(&plf_me.settled, true, __ATOMIC_SEQ_CST);
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
		look_like_stranger(&plf_me);
}

/* The places of the others are free again; the caller's frames are its own under the new TID. */
void plf_members_after_fork(void)
{
	uint32_t tid = (uint32_t)gettid();

	memset(known, 0, sizeof(known));
	if (plf_me.known)
		known[0] = (struct known) { .tid = tid, .thread = pthread_self() };
	plf_me.change = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* perhaps another's */
	plf_me.tid = tid;
	plf_claims_after_fork();
	if (plf_me.place != NULL)
		plf_robust_list_join(plf_me.place);
	if (plf_arena != NULL)
		plf_arena_after_fork(plf_me.place == NULL ? NULL : plf_slot_of(plf_me.place), tid);
	plf_sections_after_fork();
}
