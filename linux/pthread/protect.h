/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROTECT_H
#define PLF_PROTECT_H

/*
 * A priority-protect mutex of ours, in the memory of a pthread_mutex_t.
 *
 * Exclusion and priority are separate. The lock word, a PI futex, gives exclusion alone. Priority
 * comes from a frame on the CPU's ceiling stack, from a claim, or from the kernel by a call. So a
 * lazy section can become eager at any time (see section.h), and only the holder and the waiters
 * ever touch a mutex.
 *
 * `home` has the mode of the mutex and its ceiling. The mode changes in one direction: unused,
 * local, changing, shared.
 *
 *  local   Only threads of one CPU write the lock word, each in a restartable sequence
 *          that looks at `home` once more: no LOCK prefix. No thread sleeps on it.
 *  shared  Full atomic operations write the lock word, and threads sleep on it.
 *
 * Invariant: a sequence writes the lock word only while no atomic operation of another CPU, or of
 * the kernel, can meet it. A thread that wants `shared` writes `changing`, restarts every sequence
 * on that CPU by membarrier(2), and then writes `shared`. A sequence that begins later reads
 * `changing` or `shared` and refuses. A sequence that began earlier has committed, or begins again.
 * A thread that finds `changing` does the same, so it waits for no other thread.
 */
#include <plafond/ceiling_stack.h>

#include <pthread.h>

enum {
	/* Bits of __kind; their positions are part of the ABI (static initialisers). libc's: */
	PLF_KIND_TYPE = 0x3,
	PLF_KIND_ROBUST = 0x10,
	PLF_KIND_INHERIT = 0x20,
	PLF_KIND_PROTECT = 0x40,
	PLF_KIND_ELISION = 0x300, /* whether to try lock elision */
	/* and our bits, which libc masks away: */
	PLF_KIND_OURS = 0x100000,
	PLF_KIND_RECORDED = 0x200000, /* each use is evidence, so there is no fast path */
	PLF_KIND_DECIDED = 0x400000,  /* stays the C library's: see first_lock.h */
	PLF_KIND_FAST = PLF_KIND_OURS | PLF_KIND_PROTECT | PTHREAD_MUTEX_NORMAL,
};

enum plf_state {
	PLF_CONSISTENT,
	PLF_INCONSISTENT,
	PLF_NOT_RECOVERABLE,
};

/* The protocol that the program gave a mutex whose ceiling was learned. */
enum plf_learned {
	PLF_LEARNED_NOT,
	PLF_LEARNED_INHERIT,
	PLF_LEARNED_PLAIN,
};

struct plf_protect {
	uint32_t lock;	  /* 0, or the owner's TID and the kernel's flags */
	uint32_t relocks; /* further locks of a recursive mutex by its owner */
	uint32_t owner;	  /* its TID, 0: free; for debuggers and other readers only */
	uint32_t home;
	int32_t kind;
	uint16_t evidence;   /* number of its record in learning; 0: none */
	uint8_t ceiling;     /* of a locked mutex without an account: eager ceiling; 0: inherited */
	uint8_t state : 4;   /* enum plf_state, of a robust mutex */
	uint8_t learned : 4; /* enum plf_learned */
	void *link[2];	     /* robust: in the robust list, private to owner and kernel;
			      * others: link[0] is in the list `beyond` of struct plf_member */
};

_Static_assert(sizeof(struct plf_protect) <= sizeof(pthread_mutex_t), "fits");
_Static_assert(offsetof(struct plf_protect, kind) ==
		       offsetof(pthread_mutex_t, __data) +
			       offsetof(struct __pthread_mutex_s, __kind),
	       "the kind is where the C library has it");
_Static_assert(offsetof(struct plf_protect, owner) ==
		       offsetof(pthread_mutex_t, __data) +
			       offsetof(struct __pthread_mutex_s, __owner),
	       "the owner is where the C library has it");
_Static_assert(offsetof(struct plf_protect, link) ==
		       offsetof(pthread_mutex_t, __data) +
			       offsetof(struct __pthread_mutex_s, __list),
	       "the kernel finds a futex at one distance from its entry");

enum {
	PLF_HOME_CHANGING = 0x40000000,
	PLF_HOME_CEILING = (1 << PLF_RANK_PRIORITY_BITS) - 1,
	PLF_HOME_SHARED = -1 & ~PLF_HOME_CEILING,
};

static inline struct plf_protect *plf_protect_of(pthread_mutex_t *mutex)
{
	return (struct plf_protect *)(void *)mutex;
}

static inline bool plf_is_ours(const pthread_mutex_t *mutex)
{
	return (mutex->__data.__kind & PLF_KIND_OURS) != 0;
}

/* Did the C library mark it as destroyed? The mark has all bits, so the mutex is ours, too. */
static inline bool plf_is_destroyed(const struct plf_protect *m)
{
	return m->kind < 0;
}

/* Does it have a ceiling of ours, not only evidence? */
static inline bool plf_is_protect(const struct plf_protect *m)
{
	return (m->kind & PLF_KIND_PROTECT) != 0 && !plf_is_destroyed(m);
}

static inline uint32_t plf_home(const struct plf_protect *m)
{
	return __atomic_load_n(&m->home, __ATOMIC_RELAXED);
}

static inline int plf_home_ceiling(uint32_t home)
{
	return (int)(home & PLF_HOME_CEILING);
}

/* CPU + 1 of a local mutex; 0: unused. */
static inline uint32_t plf_home_place(uint32_t home)
{
	return home >> PLF_RANK_PRIORITY_BITS;
}

static inline bool plf_home_is_shared(uint32_t home)
{
	return plf_home_place(home) == (uint32_t)PLF_HOME_SHARED >> PLF_RANK_PRIORITY_BITS;
}

#endif
