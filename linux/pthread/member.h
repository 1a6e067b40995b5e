/* SPDX-License-Identifier: MIT */
#ifndef PLF_MEMBER_H
#define PLF_MEMBER_H

/*
 * The drop-in's record of a thread, which is of one of these kinds:
 *
 *  - *lazy*: a SCHED_FIFO thread that is pinned to a CPU and has restartable sequences. It has a
 *    place in that CPU's ceiling stack, and frames. With plafond.ko every thread that has a
 *    priority is lazy, and has claims instead.
 *  - *eager*: all others, whose priority is changed by system call. A SCHED_RR thread that could be
 *    lazy but for its policy has a place, too, because it waits for the sections that cover it.
 *  - *stranger*: not examined yet, or its scheduling was changed since. It settles when its kind
 *    first matters.
 */
#include "arena.h"
#include "libc.h"
#include "protect.h"
#include "rseq.h"
#include "stats.h"

/* Open sections for which a thread keeps an account. The first PLF_FRAMES may have frames. */
enum { PLF_SECTIONS = 64 };

/* How the priority of an open section is kept. */
enum plf_kept {
	PLF_KEPT_NOT,	    /* a free entry */
	PLF_KEPT_BY_FRAME,  /* on the ceiling stack */
	PLF_KEPT_BY_CLAIM,  /* by plafond.ko, see claims.h */
	PLF_KEPT_EAGERLY,   /* counted in `raised_to` */
	PLF_KEPT_INHERITED, /* by the lock word alone */
};

/* Is the ceiling missing in the kernel's answer? */
static inline bool plf_is_lazy(enum plf_kept kept)
{
	return kept == PLF_KEPT_BY_FRAME || kept == PLF_KEPT_BY_CLAIM;
}

struct plf_section {
	struct plf_protect *mutex;
	uint8_t ceiling;
	uint8_t kept; /* enum plf_kept */
};

struct plf_member {
	/* Read by the fast paths, which refuse with the words of a stranger or eager thread. */
	uint64_t *top;	 /* top word of its CPU; of a stranger: plf_stranger_top */
	uint64_t frame0; /* reference of frame 0, in the upper half */
	uint32_t rank;	 /* of the base; PLF_RANK_FAR: no frames */
	uint32_t cover;	 /* of the base, if it has a place; else PLF_RANK_FAR */
	uint32_t cpu;	 /* of its place */
	uint32_t tid;
	int (*lock_libc)(pthread_mutex_t *); /* locks a mutex of libc: see below */
	uint32_t busy; /* not 0 in here: then a signal handler's blocking call changes nothing */
	uint32_t published; /* number of its frames on the stack */
	uint32_t inside;    /* number of open sections, with or without a frame */
	uint32_t claims;    /* number of sections that are kept by a claim */
	uint32_t local;	    /* CPU + 1 of the local mutexes that it may lock; 0: none */
	struct rseq *rseq;
	struct plf_section section[PLF_SECTIONS];

	struct plf_thread *place; /* in the arena; NULL: none */
	bool settled;		  /* no change of its scheduling since the last look */
	bool known;		  /* in the table of member.c */
	bool lent;		  /* perhaps a child of vfork() uses these words */
	bool asked;		  /* its first section has asked for the base */
	bool may_claim;		  /* lazy by claims, with no frames */
	uint8_t claimed; /* the claimed ceiling, even before its section has an account; 0: none */
	uint8_t why_eager; /* enum plf_why */

	/* The priority as the program set it, and the ceilings in the kernel. */
	pthread_mutex_t change; /* held to set its priority in the kernel, or its base */
	int policy;		/* base, with SCHED_RESET_ON_FORK */
	int priority;		/* base */
	int most;		/* the highest priority that the kernel lets it have */
	int raised_to;		/* the highest ceiling of the eager sections; 0: none */
	uint32_t eager[PLF_PRIORITY_MAX + 1]; /* number of eager sections of each ceiling */

	void *beyond; /* list of mutexes without an account, except robust mutexes */
};

/* Out of every mutex's reach: no `home` is within PLF_RANK_SPAN above it, no rank is as high. */
#define PLF_RANK_FAR 0x80000000U

extern __thread struct plf_member plf_me __attribute__((tls_model("initial-exec")));

/*
 * How a thread with frames locks a mutex of the C library. It must not sleep before it has
 * committed its frames, because no thread may be covered by a sleeper. The pointer `lock_libc`
 * selects this function, so that threads without frames need no test.
 */
int plf_lock_libc_inside(pthread_mutex_t *mutex);

/* A thread's first lock: sets `lock_libc` to plf_lock_libc_outside. */
int plf_lock_libc_first(pthread_mutex_t *mutex);

/* How threads without frames lock: by the C library itself, or by a function that sees the lock. */
extern int (*plf_lock_libc_outside)(pthread_mutex_t *) __attribute__((visibility("hidden")));

static inline void plf_set_published(uint32_t frames)
{
	plf_me.published = frames;
	plf_me.lock_libc = frames == 0 ? plf_lock_libc_outside : plf_lock_libc_inside;
}

/* The top word of strangers: 0 until there is a protect mutex, and then above every rank. */
extern uint64_t plf_stranger_top;

/* The TID that the C library has for the caller: in a child of vfork() its parent's TID. */
uint32_t plf_libc_tid(void);

/* Do these words belong to the caller? Not in a child of vfork(): they are its parent's. */
bool plf_is_self(void);

/* Is the caller on the CPU of its place? Trust the answer only together with a sequence. */
static inline bool plf_is_on_its_cpu(void)
{
	return __atomic_load_n(&plf_me.rseq->cpu_id, __ATOMIC_RELAXED) == plf_me.cpu;
}

/* Make the fast paths refuse the member's words, and make its wake hook call plf_look_up(). */
void plf_look_like_stranger(struct plf_member *member);

/* The member's scheduling was changed, by any thread: it settles anew when that matters. */
void plf_unsettle(struct plf_member *member);

/*
 * The member of that thread; NULL: not known. The caller holds plf_registry_lock(). The C library
 * must accept THREAD, too, so it must not have been joined.
 */
struct plf_member *plf_member_of(pthread_t thread);
struct plf_member *plf_member_of_tid(uint32_t tid);

/* The calling thread is known by that TID from now on; 0: it is no longer known. */
void plf_member_enter(uint32_t tid);

/* In the child of fork(): no other thread is known, and the caller has a new TID. */
void plf_member_is_alone(uint32_t tid);

/* The number of a section of the caller: also the number of its frame, if it has a frame. */
static inline uint32_t plf_number_of(const struct plf_section *section)
{
	return (uint32_t)(section - plf_me.section);
}

/* The member's section with the highest ceiling among the sections that are kept so; NULL: none. */
const struct plf_section *plf_highest(const struct plf_member *member, enum plf_kept kept);

/* The ceiling of that section; 0: none. */
static inline int plf_highest_ceiling(const struct plf_member *member, enum plf_kept kept)
{
	const struct plf_section *section = plf_highest(member, kept);

	return section == NULL ? 0 : section->ceiling;
}

#endif
