/* SPDX-License-Identifier: MIT */
#ifndef PLF_ARENA_H
#define PLF_ARENA_H

/*
 * The memory that threads share: a ceiling stack for each CPU and each server, and a slot for each
 * thread. It is mapped at the first attach and never unmapped. So frames are type-stable, and a
 * late waiter can always look at them.
 *
 * When a slot may be used again:
 *  - if its thread detached: at once;
 *  - if its thread was moved to another CPU: when the thread's last frame is off the stack;
 *  - if its thread vanished (raw exit): never, because its frames may still be on the stack.
 *
 * A slot that served a stack may serve another stack only if no thread of the first stack is left.
 * So a walk down a stack stays on that stack, even if a frame on the way goes and comes again as a
 * frame of another thread.
 */
#include "registry.h"

#include <plafond.h>

enum {
	PLF_CPU_MAX = 1024,
	/*
	 * Each server's threads have a stack of their own. Its number stands in place of a CPU's.
	 */
	PLF_STACK_MAX = PLF_CPU_MAX + PLF_SERVER_MAX
};

/* States of a waiter of a condition, in the word that it shares with signalling threads. */
enum plf_wake {
	PLF_WAKE_ASLEEP,
	PLF_WAKE_CHOSEN, /* a signal took it out of the queue */
	PLF_WAKE_GONE,	 /* awake without a signal, perhaps still in the queue */
};

struct plf_slot {
	struct plf_thread
		thread; /* first, because the address of a thread is also the address of its slot */
	uint32_t used;	/* guarded by the registry lock */
	uint32_t visitors;   /* threads that sleep on its gates, or are about to */
	uint32_t retired;    /* 1: found dead, and no longer counted */
	uint32_t generation; /* lives that ended with a lock naming a frame */
	uint32_t left;	     /* 0: not left behind; else 1 + frames left on the stack */
	int priority;	     /* base; 0 is SCHED_OTHER */
	int policy_flags;    /* SCHED_RESET_ON_FORK, kept across priority changes */
	const struct plf_keeper *keeper;
	int effective; /* priority asked of the kernel now */
	/* mutexes across CPUs: see global.c */
	plf_mutex_t *global[PLF_FRAMES]; /* held by each frame */
	uint32_t globals;		 /* open sections, + 1 for each mutex locked again */
	bool has_band;			 /* the kernel once granted a priority of the band */
	uint64_t global_word; /* `top` with such a section in frame 0 alone; 0: unknown */
	/* keeper `eager` */
	int effective_before[PLF_FRAMES]; /* `effective` before each open section */
	/* condition variables: guarded by the condition's queue lock */
	struct plf_cond *queue; /* in whose queue the slot is; NULL: in none */
	uint32_t wake;		/* futex: enum plf_wake */
	uint32_t next;		/* slot number + 1 of the next waiter */
	struct plf_stats stats;
	/* servers: see server.h; all are 0 without a server */
	struct plf_supply *supply;
	struct plf_slot *next_member;
	int fifo_priority; /* while the server has the CPU */
	uint32_t parked;   /* 1: the manager has made it SCHED_IDLE */
	uint32_t asleep;   /* 1: in a wait with the hook, or at the server's gate */
	uint32_t claim;	   /* highest ceiling among servers of its open sections; 0: none */
};

struct plf_stack {
	uint64_t top;
	uint32_t attached; /* number of threads */
	uint32_t strength; /* of all these threads */
} __attribute__((aligned(64)));

struct plf_arena {
	struct plf_stack stack[PLF_STACK_MAX];
	struct plf_slot slot[PLF_THREAD_MAX];
};

extern struct plf_arena *plf_arena;
extern struct plf_slot plf_unattached;
extern uint32_t plf_fork_epoch; /* how often fork() ran from the program's start to this process */

static inline struct plf_slot *plf_slot_of(struct plf_thread *t)
{
	return (struct plf_slot *)(void *)t;
}

static inline bool plf_is_attached(const struct plf_thread *t)
{
	return t != &plf_unattached.thread;
}

/*
 * Map the arena, unless it is mapped. Otherwise the first thread that claims a slot maps it; under
 * mlockall() that thread waits for all its pages. Returns 0 or ENOMEM. Needs the registry lock.
 */
int plf_arena_map(void);

/*
 * Claim a slot for the thread `tid`, which belongs to that CPU or server stack (-1: none). The slot
 * is prepared, and on no stack. EBUSY: the process has another keeper, or the CPU another strength.
 * ENOMEM: no memory, or no slot is free.
 */
__attribute__((warn_unused_result)) int plf_slot_claim(const struct plf_keeper *keeper, int cpu,
						       int priority, enum plf_strength strength,
						       uint32_t tid, struct plf_slot **slot);

/* The slot's thread leaves locks behind that name its frames. From now on they name no thread. */
void plf_slot_disown(struct plf_slot *slot);

/* Free the slot of a thread that has left. Needs the registry lock. */
void plf_slot_release(struct plf_slot *slot);

/* The slot's thread was found dead: stop counting it as attached. A second call does nothing. */
void plf_slot_retire(struct plf_slot *slot);

/*
 * The slot's thread lives, but was moved to another CPU. Its `frames` frames stay on the stack, as
 * a dead thread's do. When the last of them is buried, another thread may claim the slot.
 */
void plf_slot_leave_behind(struct plf_slot *slot, uint32_t frames);

/* A frame of the slot's dead or moved thread was taken off the stack: count it. */
void plf_slot_bury(struct plf_slot *slot);

/* While a slot is visited, it is not given to another thread. */
void plf_slot_visit(struct plf_slot *slot);
void plf_slot_end_visit(struct plf_slot *slot);

/*
 * Has the thread whose frame `ref` names died, or disowned its slot? T may be any attached thread.
 */
bool plf_ref_is_gone(struct plf_thread *t, uint32_t ref);

/* Set the slot up for a thread before its first lock, on no stack. The proofs call this, too. */
void plf_slot_prepare(struct plf_slot *slot, int cpu, int priority, enum plf_strength strength,
		      uint32_t tid);

/* Put the slot's thread on the ceiling stack of its CPU or server. */
void plf_slot_use_stack(struct plf_slot *slot);

/* In the child of fork(): only `survivor` is left (NULL: no thread), with the new TID `tid`. */
void plf_arena_after_fork(struct plf_slot *survivor, uint32_t tid);

#endif
