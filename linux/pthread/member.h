/* SPDX-License-Identifier: MIT */
#ifndef PLF_MEMBER_H
#define PLF_MEMBER_H

/*
 * The drop-in's record of a thread. A *lazy* thread (SCHED_FIFO, pinned to one CPU,
 * with restartable sequences) has a place in that CPU's ceiling stack, and frames; all
 * others are eager: their priority is changed by system call. One that is eager only for its
 * policy, SCHED_RR, has a place, too: it waits for the sections that cover it. With plafond.ko
 * every thread that has a priority is lazy, and has claims instead. A thread that was not asked
 * yet, or whose scheduling was changed since, is a *stranger*, and settles when it first matters.
 */
#include "arena.h"
#include "libc.h"
#include "protect.h"
#include "rseq.h"
#include "stats.h"

/* Open ones of which a thread keeps account. The first PLF_FRAMES may have frames. */
enum { PLF_SECTIONS = 64 };

/* How the priority of an open section is kept. */
enum plf_kept {
	PLF_KEPT_NOT,	    /* a free entry */
	PLF_KEPT_BY_FRAME,  /* on the ceiling stack */
	PLF_KEPT_BY_CLAIM,  /* by plafond.ko, see claims.h */
	PLF_KEPT_EAGERLY,   /* counted in `raised_to` */
	PLF_KEPT_INHERITED, /* by the lock word alone */
};

/* So that the kernel's answer does not show it? */
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
	/* Read by the fast paths. A stranger's or an eager thread's words make them refuse. */
	uint64_t *top;	 /* its CPU's; a stranger's covers all, once there is a reason to settle */
	uint64_t frame0; /* reference of frame 0, in the upper half */
	uint32_t rank;	 /* base; PLF_RANK_FAR: not lazy */
	uint32_t cover;	 /* base, of all that have a place; else PLF_RANK_FAR */
	uint32_t cpu;	 /* of its place */
	uint32_t tid;
	int (*lock_libc)(pthread_mutex_t *); /* how a mutex of libc is locked: see below */
	uint32_t busy;	    /* in here: a signal handler's blocking call must leave it alone */
	uint32_t published; /* frames that it has on the stack */
	uint32_t inside;    /* sections open, framed or not */
	uint32_t claims;    /* those kept by a claim */
	uint32_t local;	    /* CPU + 1 of the mutexes that only sequences write; 0: none */
	struct rseq *rseq;
	struct plf_section section[PLF_SECTIONS];

	struct plf_thread *place; /* its own place in the arena; NULL: none */
	bool settled;		  /* these values were true at the last look */
	bool known;		  /* in the registry */
	bool lent;		  /* perhaps, to a child of vfork() */
	bool asked;		  /* the base is that of its first section, or the program's */
	bool may_claim;		  /* lazy by claims, with no frames */
	uint8_t claimed;	  /* its ceiling, before its section has an account; 0: none */
	uint8_t why_eager;	  /* enum plf_why */

	/* Priority as the program set it, and the ceilings in the kernel. */
	pthread_mutex_t change; /* held to set it in the kernel; taken by others to set the base */
	int policy;		/* base, with SCHED_RESET_ON_FORK */
	int priority;		/* base */
	int most;		/* the highest that the kernel lets it have */
	int raised_to;		/* the highest ceiling of the eager sections; 0: none */
	uint32_t eager[PLF_PRIORITY_MAX + 1]; /* how many there are, by ceiling */

	void *beyond; /* list of the mutexes without an account, but for robust mutexes */
};

/* Out of every mutex's reach: no `home` is within PLF_RANK_SPAN above it, and no rank as high. */
#define PLF_RANK_FAR 0x80000000U

extern __thread struct plf_member plf_me __attribute__((tls_model("initial-exec")));

/*
 * A thread that has frames on the stack may not just sleep for a mutex of the C library's:
 * no thread may stand behind a sleeper. So that all others need not ask, the question is in
 * the pointer.
 */
int plf_lock_libc_inside(pthread_mutex_t *mutex);

/* A thread's first lock: from then on, until it has frames, as all others. */
int plf_lock_libc_first(pthread_mutex_t *mutex);

/* All others lock as this says: by the C library itself, or seen. */
extern int (*plf_lock_libc_outside)(pthread_mutex_t *) __attribute__((visibility("hidden")));

static inline void plf_set_published(uint32_t frames)
{
	plf_me.published = frames;
	plf_me.lock_libc = frames == 0 ? plf_lock_libc_outside : plf_lock_libc_inside;
}

/* The word at which strangers look: 0 until there is a protect mutex. */
extern uint64_t plf_stranger_top;

/* As the C library has it: its parent's, in a child of vfork(). No system call. */
uint32_t plf_libc_tid(void);

/* Is the caller the thread of these words, and not a child of vfork() that runs in its memory? */
bool plf_is_self(void);

/* On the CPU of its place? Trusted only together with a sequence. */
static inline bool plf_is_on_its_cpu(void)
{
	return __atomic_load_n(&plf_me.rseq->cpu_id, __ATOMIC_RELAXED) == plf_me.cpu;
}

/* From now on its words make the fast paths refuse, and its hook look. */
void plf_look_like_stranger(struct plf_member *member);

/* Its scheduling was changed, by itself or another thread: it settles anew when it matters. */
void plf_unsettle(struct plf_member *member);

/*
 * The member of that thread, NULL: not known. Under plf_registry_lock(). THREAD is one that
 * the C library takes, too: not joined yet.
 */
struct plf_member *plf_member_of(pthread_t thread);
struct plf_member *plf_member_of_tid(uint32_t tid);

/* The calling thread is known by that TID; 0: it is not any more. */
void plf_member_enter(uint32_t tid);

/* In the child of fork(): no other thread is known, and the caller has a new TID. */
void plf_member_is_alone(uint32_t tid);

/* The number of a section of the caller's: that of its frame, if it has one. */
static inline uint32_t plf_number_of(const struct plf_section *section)
{
	return (uint32_t)(section - plf_me.section);
}

/* The section of the highest ceiling of those that MEMBER keeps so; NULL: there is none. */
const struct plf_section *plf_highest(const struct plf_member *member, enum plf_kept kept);

/* Its ceiling; 0: there is none. */
static inline int plf_highest_ceiling(const struct plf_member *member, enum plf_kept kept)
{
	const struct plf_section *section = plf_highest(member, kept);

	return section == NULL ? 0 : section->ceiling;
}

#endif
