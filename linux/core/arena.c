/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <string.h>
#include <sys/mman.h>

/*
 * Always empty. It is the stack of unattached threads, and of threads of other keepers than
 * `frames`.
 */
static uint64_t no_stack;

/* Out of every lock's reach: no lock's rank is within PLF_RANK_SPAN above this rank. */
#define RANK_FAR 0x80000000U

/* Names no frame, because the arena begins with the stacks, not with the slots. */
#define REF_NONE (1U << 31)

/*
 * The slot of threads that are not attached. No lock is in its reach or names it, nothing covers
 * it, and its CPU is never the present one. So each call of such a thread reaches the slow path,
 * which recognises this slot.
 */
struct plf_slot plf_unattached = {
	.thread = {
		.top = &no_stack,
		.fast_rank = { RANK_FAR, RANK_FAR },
		.fast_ref = { REF_NONE, REF_NONE },
		.ref = REF_NONE,
		.tid = UINT32_MAX,
		.rank = UINT32_MAX,
		.cpu_now = &plf_unattached.thread.rank,
	},
};

__thread struct plf_thread *plf_self = &plf_unattached.thread;
__thread struct plf_lazy plf_lazy_self = { .claim = { PLF_LAZY_UNUSED, PLF_LAZY_UNUSED } };
struct plf_arena *plf_arena;
uint32_t plf_fork_epoch;

/* A multiple of every page size. */
enum { GUARD_SIZE = 64 * 1024 };

/*
 * Reference 0 names no frame. A thread that followed it would look for its frame at the begin of
 * the arena, and for the frame's owner before that. So no thread's memory may lie there.
 */
int plf_arena_map(void)
{
	char *memory;

	if (plf_arena != NULL)
		return 0;
	memory = mmap(NULL, GUARD_SIZE + sizeof(struct plf_arena), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return ENOMEM;
	if (mprotect(memory, GUARD_SIZE, PROT_NONE) != 0) {
		munmap(memory, GUARD_SIZE + sizeof(struct plf_arena));
		return ENOMEM;
	}
	plf_arena = (struct plf_arena *)(void *)(memory + GUARD_SIZE);
	return 0;
}

enum { GENERATIONS = 1 << (32 - PLF_REF_PLACE_BITS) };

_Static_assert(sizeof(struct plf_arena) / sizeof(struct plf_frame) <= 1 << PLF_REF_PLACE_BITS,
	       "a reference must reach every frame");

static void prepare_frames(struct plf_slot *slot)
{
	struct plf_thread *t = &slot->thread;
	size_t distance = (uintptr_t)t->frame - (uintptr_t)plf_arena;

	t->ref = slot->generation << PLF_REF_PLACE_BITS |
		 (uint32_t)(distance / sizeof(struct plf_frame));
	for (uint32_t level = 0; level < PLF_FRAMES; level++) {
		t->frame[level].ref = t->ref + level;
		t->frame[level].level = level;
	}
}

/* Gates and `prev` words stay, because a late waiter of the slot's last life may look at them. */
void plf_slot_prepare(struct plf_slot *slot, int cpu, int priority, enum plf_strength strength,
		      uint32_t tid)
{
	struct plf_thread *t = &slot->thread;

	prepare_frames(slot);
	t->top = &no_stack;
	t->rank = UINT32_MAX;
	t->fast_rank[PLF_STRENGTH_ROBUST] = RANK_FAR;
	t->fast_rank[PLF_STRENGTH_STRICT] = RANK_FAR;
	t->fast_ref[PLF_STRENGTH_ROBUST] = REF_NONE;
	t->fast_ref[PLF_STRENGTH_STRICT] = REF_NONE;
	t->nested = 0;
	t->life.word = tid;
	t->strength = strength;
	t->tid = tid;
	t->cpu = (uint32_t)cpu;
	t->cpu_now = &t->cpu;
	slot->retired = 0;
	slot->priority = priority;
	slot->effective = priority;
	memset(slot->global, 0, sizeof(slot->global));
	slot->globals = 0;
	slot->has_band = false;
	slot->global_word = 0;
	memset(&slot->stats, 0, sizeof(slot->stats));
}

void plf_slot_use_stack(struct plf_slot *slot)
{
	struct plf_thread *t = &slot->thread;

	t->top = &plf_arena->stack[t->cpu].top;
	t->rank = plf_rank(t->cpu, (uint32_t)slot->priority);
	t->word = plf_word(t->ref, t->rank);
	t->fast_rank[t->strength] = t->rank;
	t->fast_ref[t->strength] = t->ref;
}

/* A free slot also has no late waiter, and is in no condition's queue. */
static bool is_free(const struct plf_slot *slot)
{
	return slot->used == 0 && __atomic_load_n(&slot->visitors, __ATOMIC_SEQ_CST) == 0 &&
	       __atomic_load_n(&slot->queue, __ATOMIC_SEQ_CST) == NULL;
}

/* Had the slot a stack in its last life? A slot that was never used had none. */
static bool has_stack(const struct plf_slot *slot)
{
	return slot->thread.top != &no_stack && slot->thread.top != NULL;
}

/*
 * A slot may change its stack only if no thread of the old stack is left. Such a thread may be on
 * its way down the old stack, at a frame that has gone since. The frame's `prev` must not lead it
 * to another CPU's stack.
 */
static bool may_serve(const struct plf_slot *slot, int cpu)
{
	return !has_stack(slot) || slot->thread.cpu == (uint32_t)cpu ||
	       __atomic_load_n(&plf_arena->stack[slot->thread.cpu].attached, __ATOMIC_RELAXED) == 0;
}

static struct plf_slot *free_slot(int cpu)
{
	for (size_t i = 0; i < PLF_THREAD_MAX; i++)
		if (is_free(&plf_arena->slot[i]) && may_serve(&plf_arena->slot[i], cpu))
			return &plf_arena->slot[i];
	return NULL;
}

static void count(struct plf_slot *slot)
{
	int cpu = (int)slot->thread.cpu;

	slot->used = 1;
	plf_registry_join(slot->keeper);
	if (cpu < 0)
		return;
	plf_arena->stack[cpu].strength = slot->thread.strength;
	__atomic_fetch_add(&plf_arena->stack[cpu].attached, 1, __ATOMIC_RELAXED);
}

static void uncount(const struct plf_slot *slot)
{
	int cpu = (int)slot->thread.cpu;

	plf_registry_leave();
	if (cpu >= 0)
		__atomic_fetch_sub(&plf_arena->stack[cpu].attached, 1, __ATOMIC_RELAXED);
}

void plf_slot_disown(struct plf_slot *slot)
{
	slot->generation++;
}

/* A slot whose generations are used up stays used. */
static void free_slot_for_next(struct plf_slot *slot)
{
	slot->thread.tid = 0;
	slot->left = 0;
	slot->used = slot->generation == GENERATIONS;
}

void plf_slot_release(struct plf_slot *slot)
{
	uncount(slot);
	free_slot_for_next(slot);
}

void plf_slot_retire(struct plf_slot *slot)
{
	if (__atomic_exchange_n(&slot->retired, 1, __ATOMIC_SEQ_CST) == 0)
		uncount(slot);
}

void plf_slot_leave_behind(struct plf_slot *slot, uint32_t frames)
{
	__atomic_store_n(&slot->left, frames + 1, __ATOMIC_SEQ_CST);
}

void plf_slot_bury(struct plf_slot *slot)
{
	if (__atomic_load_n(&slot->left, __ATOMIC_SEQ_CST) != 0)
		__atomic_fetch_sub(&slot->left, 1, __ATOMIC_SEQ_CST);
}

/*
 * The slot's thread died, or was moved away. If it was moved, and its frames are off the stack,
 * free the slot.
 */
static void settle_dead(struct plf_slot *slot)
{
	plf_slot_retire(slot);
	if (__atomic_load_n(&slot->left, __ATOMIC_SEQ_CST) != 1)
		return;
	plf_slot_disown(slot); /* because late readers may have references */
	free_slot_for_next(slot);
}

/* Also settle dead threads that no thread waited for. */
static void settle_all_dead(void)
{
	for (size_t i = 0; i < PLF_THREAD_MAX; i++)
		if (plf_arena->slot[i].used != 0 && plf_is_dead(&plf_arena->slot[i].thread))
			settle_dead(&plf_arena->slot[i]);
}

/* May a thread of that strength join the stack? All threads of a stack have the same strength. */
static bool may_join(const struct plf_stack *stack, enum plf_strength strength)
{
	return __atomic_load_n(&stack->attached, __ATOMIC_RELAXED) == 0 ||
	       stack->strength == strength;
}

static int find_slot(const struct plf_keeper *keeper, int cpu, enum plf_strength strength,
		     struct plf_slot **slot)
{
	int error = plf_arena_map();

	if (error != 0)
		return error;
	settle_all_dead();
	if (!plf_registry_admits(keeper) ||
	    (cpu >= 0 && !may_join(&plf_arena->stack[cpu], strength)))
		return EBUSY;
	*slot = free_slot(cpu);
	return *slot == NULL ? ENOMEM : 0;
}

int plf_slot_claim(const struct plf_keeper *keeper, int cpu, int priority,
		   enum plf_strength strength, uint32_t tid, struct plf_slot **slot)
{
	int error;

	plf_registry_lock();
	error = find_slot(keeper, cpu, strength, slot);
	if (error == 0) {
		(*slot)->keeper = keeper;
		plf_slot_prepare(*slot, cpu, priority, strength, tid);
		count(*slot);
	}
	plf_registry_unlock();
	return error;
}

void plf_slot_visit(struct plf_slot *slot)
{
	__atomic_fetch_add(&slot->visitors, 1, __ATOMIC_SEQ_CST);
}

void plf_slot_end_visit(struct plf_slot *slot)
{
	__atomic_fetch_sub(&slot->visitors, 1, __ATOMIC_SEQ_CST);
}

bool plf_ref_is_gone(struct plf_thread *t, uint32_t ref)
{
	struct plf_thread *owner = plf_owner_of(plf_frame_of(t, plf_word(ref, 0)));

	return ref >> PLF_REF_PLACE_BITS != plf_slot_of(owner)->generation || plf_is_dead(owner);
}

/*
 * Keep the survivor's sections, under its new TID and alone on the stack. If it was on another CPU
 * during fork(), threads of this CPU may have run meanwhile. Then the frames are copies of
 * different moments, and may form a circle. So the walk visits no more frames than exist.
 */
static void restack(struct plf_thread *t, uint32_t tid)
{
	uint64_t word = *t->top;
	uint64_t mine = 0;
	struct plf_frame *outermost = NULL;
	size_t left = PLF_THREAD_MAX * PLF_FRAMES;

	for (; word != 0 && left > 0; word = plf_frame_of(t, word)->prev, left--) {
		if (!plf_is_own(t, word))
			continue;
		mine = mine == 0 ? word : mine;
		outermost = plf_frame_of(t, word);
	}
	if (outermost != NULL)
		outermost->prev = 0;
	*t->top = mine;
	t->tid = tid;
	t->life.word = tid;
}

/* No thread waits in a child of fork(). */
static void open_gates(struct plf_slot *slot)
{
	for (size_t level = 0; level < PLF_FRAMES; level++) {
		slot->thread.frame[level].gate.word = 0;
		slot->thread.frame[level].second.word = 0;
	}
	slot->visitors = 0;
	slot->queue = NULL;
}

/*
 * Threads that fork() did not copy hold nothing in the child. Their frames are gone. The locks that
 * name them report the death to the next locker.
 */
static void forget(struct plf_slot *slot)
{
	open_gates(slot);
	plf_slot_disown(slot);
	free_slot_for_next(slot);
}

void plf_arena_after_fork(struct plf_slot *survivor, uint32_t tid)
{
	plf_fork_epoch++;
	plf_registry_after_fork(survivor != NULL);
	for (size_t cpu = 0; cpu < PLF_STACK_MAX; cpu++) {
		struct plf_stack *stack = &plf_arena->stack[cpu];

		if (stack->attached == 0 && stack->top == 0)
			continue; /* most were never touched: leave them unmapped */
		stack->attached = survivor != NULL && survivor->thread.cpu == cpu;
		if (stack->attached == 0)
			stack->top = 0;
	}
	if (survivor != NULL) {
		restack(&survivor->thread, tid);
		open_gates(survivor);
	}
	for (size_t i = 0; i < PLF_THREAD_MAX; i++)
		if (plf_arena->slot[i].used != 0 && &plf_arena->slot[i] != survivor)
			forget(&plf_arena->slot[i]);
}
