/* SPDX-License-Identifier: MIT */
#ifndef PLF_PROTECT_H
#define PLF_PROTECT_H

/*
 * A priority-protect mutex of ours, in the memory of a pthread_mutex_t.
 *
 * Exclusion and priority are apart. The lock word, a PI futex, alone gives exclusion;
 * priority comes from a frame on the CPU's ceiling stack, or from the kernel, by a
 * call. So a section can go from the one to the other at any time (see section.h), and
 * only its holder and its waiters ever touch a mutex.
 *
 * `home` is the mode of the mutex and its ceiling. It goes one way: unused, local,
 * changing, shared.
 *
 *  local   only threads of one CPU write the lock word, each in a restartable sequence
 *          that looks at `home` once more: no LOCK prefix. No thread sleeps on it.
 *  shared  the lock word is written by full atomic operations, and slept on.
 *
 * Invariant: the lock word is written by a sequence only where no atomic operation of
 * another CPU, or of the kernel, can meet it. A thread that wants `shared` writes `changing`,
 * restarts every sequence on that CPU by membarrier(2), and then writes `shared`. A
 * sequence that begins later reads `changing` or `shared` and refuses; one that began
 * earlier has committed, or begins again. A thread that finds `changing` does the same,
 * so none waits for the one that began it.
 */
#include <plafond/ceiling_stack.h>

#include <pthread.h>

enum {
	/* Bits of __kind, whose place is part of the ABI (static initialisers). Libc's: */
	PLF_KIND_TYPE = 0x3,
	PLF_KIND_ROBUST = 0x10,
	PLF_KIND_INHERIT = 0x20,
	PLF_KIND_PROTECT = 0x40,
	PLF_KIND_ELISION = 0x300, /* whether to try it */
	/* and ours, which libc masks away: */
	PLF_KIND_OURS = 0x100000,
	PLF_KIND_RECORDED = 0x200000, /* each use is evidence: no fast path */
	PLF_KIND_DECIDED = 0x400000,  /* the C library's for good: see first_lock.h */
	PLF_KIND_FAST = PLF_KIND_OURS | PLF_KIND_PROTECT | PTHREAD_MUTEX_NORMAL,
};

enum plf_state {
	PLF_CONSISTENT,
	PLF_INCONSISTENT,
	PLF_NOT_RECOVERABLE,
};

/* For the program the mutex has no ceiling, but is of that protocol. */
enum plf_learned {
	PLF_LEARNED_NOT,
	PLF_LEARNED_INHERIT,
	PLF_LEARNED_PLAIN,
};

struct plf_protect {
	uint32_t lock;	  /* 0, or the owner's TID and the kernel's flags */
	uint32_t relocks; /* of a recursive one, by its owner */
	uint32_t owner;	  /* its TID, 0: free; only for those that look at it, as debuggers do */
	uint32_t home;
	int32_t kind;
	uint16_t evidence;   /* its number in learning; 0: none */
	uint8_t ceiling;     /* while locked, if its owner keeps no account of it; 0: inherited */
	uint8_t state : 4;   /* enum plf_state, of a robust one */
	uint8_t learned : 4; /* enum plf_learned */
	void *link[2];	     /* a robust mutex: in the robust list, private to owner and kernel;
			      * another mutex: the first is `beyond` of struct plf_member */
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

/* The C library's mark of one that was destroyed: it has all bits, so it is `ours`, too. */
static inline bool plf_is_destroyed(const struct plf_protect *m)
{
	return m->kind < 0;
}

/* Is it one that has a ceiling of ours, not only evidence? */
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

/* CPU + 1 of a local one; 0: unused. */
static inline uint32_t plf_home_place(uint32_t home)
{
	return home >> PLF_RANK_PRIORITY_BITS;
}

static inline bool plf_home_is_shared(uint32_t home)
{
	return plf_home_place(home) == (uint32_t)PLF_HOME_SHARED >> PLF_RANK_PRIORITY_BITS;
}

#endif
