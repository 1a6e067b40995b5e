/* SPDX-License-Identifier: MIT */
#ifndef PLF_ARENA_H
#define PLF_ARENA_H

/*
 * The memory that threads share: one ceiling stack a CPU or server, one slot a thread.
 * Mapped at the first attach and never unmapped, so that frames are type-stable
 * and a late waiter can always look. A slot is used again after its thread left
 * by the door, or that was moved away when its last frame is off the stack; the slot of a thread
 * that vanished (raw exit) never is, for its frames may still be on the stack. A slot that served
 * one stack serves another only when no thread of the first is left: so a walk down a stack stays
 * on it, though frames go meanwhile, and come again as those of another thread.
 */
#include "registry.h"

#include <plafond.h>

enum {
	PLF_CPU_MAX = 1024,
	/* A server's threads have a stack of their own: its number stands in place of a CPU's. */
	PLF_STACK_MAX = PLF_CPU_MAX + PLF_SERVER_MAX
};

/* The words between a thread in a condition's queue and the threads that signal. */
enum plf_wake {
	PLF_WAKE_ASLEEP,
	PLF_WAKE_CHOSEN, /* out of the queue, for a signal */
	PLF_WAKE_GONE,	 /* awake, and could not enter the queue to leave it */
};

struct plf_slot {
	struct plf_thread
		thread;	     /* first: a thread is found from a frame, its slot from the thread */
	uint32_t used;	     /* guarded by the registry lock */
	uint32_t visitors;   /* about to sleep on one of its gates, or asleep there */
	uint32_t retired;    /* found dead, and no longer counted */
	uint32_t generation; /* how many lives ended with a lock naming a frame */
	uint32_t left;	     /* its thread left it behind: frames still on the stack, + 1; else 0 */
	int priority;	     /* base; 0 is SCHED_OTHER */
	int policy_flags;    /* SCHED_RESET_ON_FORK, kept across priority changes */
	const struct plf_keeper *keeper;
	int effective; /* priority now, but for what the kernel lends */
	/* mutexes across CPUs: see global.c */
	plf_mutex_t *global[PLF_FRAMES]; /* by the frame that holds it */
	uint32_t globals;		 /* how many are open */
	bool has_band;			 /* the kernel once gave it a priority of the band */
	uint64_t global_word;		 /* that frame 0 makes of an empty stack for one; or 0 */
	/* of keeper `eager` */
	int effective_before[PLF_FRAMES]; /* and before each open section */
	/* condition variables: guarded by the condition's queue lock */
	struct plf_cond *queue; /* that names the slot; NULL: none */
	uint32_t wake;		/* futex: enum plf_wake */
	uint32_t next;		/* slot number + 1 of the next waiter */
	struct plf_stats stats;
	/* of a server's thread; all are 0 without one: see server.h */
	struct plf_supply *supply;
	struct plf_slot *next_member;
	int fifo_priority; /* while the server has the CPU */
	uint32_t parked;   /* by the manager: SCHED_IDLE */
	uint32_t asleep;   /* in a wait with the hook, or at the server's gate */
	uint32_t claim;	   /* the highest ceiling among servers of its open sections; 0: none */
};

struct plf_stack {
	uint64_t top;
	uint32_t attached; /* threads */
	uint32_t strength; /* of all of them */
} __attribute__((aligned(64)));

struct plf_arena {
	struct plf_stack stack[PLF_STACK_MAX];
	struct plf_slot slot[PLF_THREAD_MAX];
};

extern struct plf_arena *plf_arena;
extern struct plf_slot plf_unattached;
extern uint32_t plf_fork_epoch; /* generations since the program started */

static inline struct plf_slot *plf_slot_of(struct plf_thread *t)
{
	return (struct plf_slot *)(void *)t;
}

static inline bool plf_is_attached(const struct plf_thread *t)
{
	return t != &plf_unattached.thread;
}

/*
 * Map the arena, unless it is: else the first thread that claims a slot does, and under mlockall()
 * waits for all its pages. ENOMEM. Under the registry lock.
 */
int plf_arena_map(void);

/*
 * A slot for the thread `tid`, which is of that CPU or server (none: -1): prepared, on no stack.
 * EBUSY: the process has another keeper or the CPU another strength. ENOMEM.
 */
__attribute__((warn_unused_result)) int plf_slot_claim(const struct plf_keeper *keeper, int cpu,
						       int priority, enum plf_strength strength,
						       uint32_t tid, struct plf_slot **slot);

/* Its thread leaves locks behind that name its frames: from now on they name no thread. */
void plf_slot_disown(struct plf_slot *slot);

/* Its thread has left. */
void plf_slot_release(struct plf_slot *slot);

/* Its thread was found dead: it no longer counts. */
void plf_slot_retire(struct plf_slot *slot);

/*
 * Its thread lives, but was moved to another CPU: that many frames stay on the stack, as those of
 * the dead. When the last of them is buried the place is another's.
 */
void plf_slot_leave_behind(struct plf_slot *slot, uint32_t frames);

/* A frame of a thread that was found dead is off the stack: the next that claims a place counts. */
void plf_slot_bury(struct plf_slot *slot);

/* While it is visited, a slot is not given to another thread. */
void plf_slot_visit(struct plf_slot *slot);
void plf_slot_end_visit(struct plf_slot *slot);

/* Whether `ref` names a frame of a thread that has gone, or goes, without its lock. */
bool plf_ref_is_gone(struct plf_thread *t, uint32_t ref);

/* The contents of a slot before its thread's first lock, on no stack; also used by the proofs. */
void plf_slot_prepare(struct plf_slot *slot, int cpu, int priority, enum plf_strength strength,
		      uint32_t tid);

/* Its thread stands on the ceiling stack of its CPU. */
void plf_slot_use_stack(struct plf_slot *slot);

/* In the child of fork(): only `survivor` (NULL: none) is left, as `tid`. */
void plf_arena_after_fork(struct plf_slot *survivor, uint32_t tid);

#endif
