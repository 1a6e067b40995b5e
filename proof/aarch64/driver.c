/* SPDX-License-Identifier: MIT */

/*
 * The programs of the threads in the AArch64 sweep: the inline halves of the library as any program
 * gets them, and marks. A mark is a supervisor call to the model, which shows the place of a
 * thread. A mark clobbers no memory, because it must not hide a compiler barrier that the library
 * lacks.
 */
#include <errno.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

/* Inline even if the compiler would call lock and unlock, because a call is a barrier by itself. */
#define inline inline __attribute__((always_inline))
#include "../../linux/core/keeper.h"

enum {
	MARK_OWN = 1, /* the hook has returned, and the thread's own code begins */
	MARK_LOOK,    /* outside a section; argument: a value that was read there */
	MARK_IN,      /* lock returned; argument: the lock */
	MARK_OUT,     /* about to unlock it */
	MARK_END,     /* the activation is over, and the thread runs no more */
	MARK_ERROR,   /* argument: an errno value */
	MARK_TORN,    /* the data of that lock were seen half written */
	MARK_SUSPEND, /* sleeps inside a section until the model wakes it */
	MARK_CHANGED, /* argument: the lock whose data were changed, once */
	MARK_COUNTED, /* argument: the lock; as CHANGED, marked after the fact */
	MARK_CEILING, /* argument: the lock whose ceiling is now RAISED */
};

#define MARK(what, argument)                                                                       \
	do {                                                                                       \
		register uint64_t x0 __asm__("x0") = (uint64_t)(argument);                         \
		__asm__ volatile("svc %[mark]" : "+r"(x0) : [mark] "i"(what));                     \
	} while (0)

enum { LOCKS = 3, RAISED = 40 };

/*
 * Plain data behind each lock. The fields are apart, so that no store pair writes both ends at
 * once. No word of the library has their type. Otherwise type-based aliasing could hide that a
 * compiler barrier is missing.
 */
struct guarded {
	uint16_t first __attribute__((aligned(32)));
	uint16_t count __attribute__((aligned(32)));
	uint16_t second __attribute__((aligned(32)));
};

struct shared {
	plf_mutex_t mutex[LOCKS];
	struct guarded data[LOCKS];
} proof_shared;

static struct plf_arena arena;

const uint64_t proof_sizes[] = {
	sizeof(struct plf_frame),
	sizeof(struct plf_slot),
	sizeof(plf_mutex_t),
	sizeof(struct guarded),
	PLF_FRAMES,
	sizeof(struct shared),
	offsetof(struct plf_frame, prev),
	offsetof(struct plf_slot, stats),
	sizeof(struct plf_stats),
};

/* Each thread calls this once, in place of plf_attach(), because there is no kernel to ask. */
void proof_attach(uint32_t slot, int cpu, int priority, uint32_t strength, uint32_t tid)
{
	plf_arena = &arena;
	arena.slot[slot].keeper = &plf_frames;
	plf_slot_prepare(&arena.slot[slot], cpu, priority, strength, tid);
	plf_slot_use_stack(&arena.slot[slot]);
	plf_self = &arena.slot[slot].thread;
}

/* The type is recursive, because only a lock by the holder looks at the type. */
void proof_init_mutex(uint32_t lock, int ceiling)
{
	int error = plf_mutex_init(&proof_shared.mutex[lock], ceiling);

	error |= plf_mutex_settype(&proof_shared.mutex[lock], PLF_MUTEX_RECURSIVE);
	if (error != 0)
		MARK(MARK_ERROR, error);
}

/* Addresses of the words that the model reads. */
uint64_t *proof_top(int cpu)
{
	return &arena.stack[cpu].top;
}

struct plf_slot *proof_slot(uint32_t slot)
{
	return &arena.slot[slot];
}

struct plf_frame *proof_frame(uint32_t slot)
{
	return arena.slot[slot].thread.frame;
}

static inline void hook(void)
{
	int error = plf_wake_hook();

	if (error != 0)
		MARK(MARK_ERROR, error);
	MARK(MARK_OWN, 0);
}

/*
 * Read the counter before the lock, as a program may do to see whether there is work. The value
 * must not replace the read inside.
 */
static inline void enter(uint64_t lock)
{
	int error;

	MARK(MARK_LOOK, proof_shared.data[lock].count);
	error = plf_mutex_lock(&proof_shared.mutex[lock]);
	if (error != 0)
		MARK(MARK_ERROR, error);
	MARK(MARK_IN, lock);
}

static inline void body(uint64_t me, uint64_t lock)
{
	struct guarded *d = &proof_shared.data[lock];

	if (d->first != d->second)
		MARK(MARK_TORN, lock);
	d->first = (uint16_t)(d->first + me);
	d->count++;
	d->second = (uint16_t)(d->second + me);
	MARK(MARK_CHANGED, lock);
}

static inline void leave(uint64_t lock)
{
	int error;

	MARK(MARK_OUT, lock);
	error = plf_mutex_unlock(&proof_shared.mutex[lock]);
	if (error != 0)
		MARK(MARK_ERROR, error);
}

static inline _Noreturn void end(void)
{
	MARK(MARK_END, 0);
	for (;;)
		;
}

/*
 * ---- The programs: each takes its number, and perhaps a lock ----------------
 *
 * If the locks are constants, the compiler may keep values that it has read, unless the library
 * forbids it.
 */

_Noreturn void proof_bystander(void)
{
	hook();
	end();
}

_Noreturn void proof_once(uint64_t me, uint64_t a)
{
	hook();
	enter(a);
	body(me, a);
	leave(a);
	end();
}

_Noreturn void proof_twice(uint64_t me)
{
	hook();
	enter(0);
	body(me, 0);
	leave(0);
	enter(0);
	body(me, 0);
	leave(0);
	end();
}

/* A lock by the holder is no section. */
_Noreturn void proof_recursive(uint64_t me)
{
	hook();
	enter(0);
	body(me, 0);
	if (plf_mutex_lock(&proof_shared.mutex[0]) != 0)
		MARK(MARK_ERROR, EDEADLK);
	body(me, 0);
	if (plf_mutex_unlock(&proof_shared.mutex[0]) != 0)
		MARK(MARK_ERROR, EPERM);
	body(me, 0);
	leave(0);
	end();
}

_Noreturn void proof_nested2(uint64_t me)
{
	hook();
	enter(0);
	body(me, 0);
	enter(1);
	body(me, 1);
	leave(1);
	body(me, 0);
	leave(0);
	end();
}

_Noreturn void proof_nested3(uint64_t me)
{
	hook();
	enter(0);
	body(me, 0);
	enter(1);
	body(me, 1);
	enter(2);
	body(me, 2);
	leave(2);
	body(me, 1);
	leave(1);
	body(me, 0);
	leave(0);
	end();
}

/*
 * No mark inside, and the smallest body. So the compiler has its best chance to keep a value that
 * it read before the lock, or to write a change later.
 */
_Noreturn void proof_tight(void)
{
	uint16_t *count = &proof_shared.data[0].count;
	uint16_t seen;
	int error;

	hook();
	seen = *count;
	error = plf_mutex_lock(&proof_shared.mutex[0]);
	(*count)++;
	error |= plf_mutex_unlock(&proof_shared.mutex[0]);
	error |= plf_mutex_lock(&proof_shared.mutex[0]);
	(*count)++;
	error |= plf_mutex_unlock(&proof_shared.mutex[0]);
	MARK(MARK_LOOK, seen);
	if (error != 0)
		MARK(MARK_ERROR, error);
	MARK(MARK_COUNTED, 0);
	MARK(MARK_COUNTED, 0);
	end();
}

/* Woken in a call without the hook, so the check in lock alone must keep the others apart. */
_Noreturn void proof_unhooked(uint64_t me, uint64_t a)
{
	enter(a);
	body(me, a);
	leave(a);
	end();
}

/* Sleeps in its section, which robust allows. */
_Noreturn void proof_sleeper(uint64_t me, uint64_t a)
{
	hook();
	enter(a);
	body(me, a);
	MARK(MARK_SUSPEND, 0);
	body(me, a);
	leave(a);
	end();
}

/* Raises the ceiling if no thread is inside. */
_Noreturn void proof_raiser(uint64_t me, uint64_t a)
{
	int error;

	(void)me;
	hook();
	error = plf_mutex_setceiling(&proof_shared.mutex[a], RAISED, NULL);
	if (error == 0)
		MARK(MARK_CEILING, a);
	else if (error != EBUSY)
		MARK(MARK_ERROR, error);
	end();
}

/* Is refused as long as the ceiling is not raised. */
_Noreturn void proof_raised(uint64_t me, uint64_t a)
{
	int error;

	hook();
	error = plf_mutex_lock(&proof_shared.mutex[a]);
	if (error == EINVAL)
		end();
	if (error != 0)
		MARK(MARK_ERROR, error);
	MARK(MARK_IN, a);
	body(me, a);
	leave(a);
	end();
}
