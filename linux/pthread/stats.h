/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_STATS_H
#define PLF_PTHREAD_STATS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The counts that PLAFOND_STATS prints at exit. Each thread counts in its own memory, so a count is
 * one add. A table of places finds the counts of living and of ended threads. Whatever threads do
 * meanwhile, a report has everything that was counted before it began, once.
 *
 * Bounded: threads beyond PLF_STATS_THREADS that live at the same time are counted when they end,
 * and missed if they are alive when the process ends.
 */
enum { PLF_STATS_THREADS = 1024 };

/* Why an eager lock was not lazy. */
enum plf_why {
	PLF_NOT_PINNED,
	PLF_POLICY,
	PLF_NO_RSEQ,
	PLF_DEPTH,
	PLF_RAISED, /* the kernel has raised it: for another section, or after a wait */
	PLF_MODE,
	PLF_PRIVILEGE,
	PLF_NO_MEMORY,
	PLF_WHYS,
};

/* Why a lazy section was committed. */
enum plf_cause {
	PLF_BLOCKING_CALL,
	PLF_CONTENDED,
	PLF_PRIORITY_READ,
	PLF_SCHEDULING_CALL,
	PLF_MIGRATED,
	PLF_CAUSES,
};

/* In the order of the report. The counts of a thread only grow. */
struct plf_stats_counts {
	/* Every mutex of ours ever initialised, by its last mode; counted for the process. */
	uint64_t mutexes_unused, mutexes_local, mutexes_shared;
	uint64_t locks_lazy, locks_eager;
	uint64_t locks_inherited; /* of learned ceilings, by threads not lazy or above them */
	uint64_t eager_because[PLF_WHYS];
	uint64_t commits[PLF_CAUSES];
	uint64_t mode_changes, gate_waits, lock_waits;
	uint64_t above_ceiling;	     /* locks above a learned ceiling: inheritance instead */
	uint64_t converted;	     /* mutexes that run as learned; counted for the process */
	uint64_t system_calls_made;  /* system calls that changed a priority */
	uint64_t system_calls_saved; /* two a lazy lock with a ceiling above the locker's base */
};

extern __thread struct plf_stats_counts plf_counts
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/*
 * `where` is the value of PLAFOND_STATS: "1" for text on standard error, a path for JSON, NULL or
 * empty for nothing. Call once, before there are threads, after plf_site_start().
 */
void plf_stats_start(const char *where);

/* The mode of a mutex, as the counts have it. */
enum plf_stats_mode {
	PLF_STATS_UNUSED,
	PLF_STATS_LOCAL,
	PLF_STATS_SHARED,
};

/*
 * A mutex of ours was initialised. Any thread may call this and plf_stats_mutex_changed(). No count
 * is ever below the truth.
 */
void plf_stats_mutex_made(bool learned);

/* A mutex of the C library inherits now, as learned. */
void plf_stats_made_to_inherit(void);

/* The process is about to give rights away: open its file before, as plf_target_keep() does. */
void plf_stats_keep(void);
void plf_stats_mutex_changed(enum plf_stats_mode from, enum plf_stats_mode to);

/* The calling thread counts from now on. Call any number of times; no system call. */
void plf_stats_join(void);

/* The calling thread ends: its counts stay. */
void plf_stats_fold(void);

/*
 * The process ends: report, once. `mode` and `backend` are words of the report. It takes no lock
 * and allocates nothing, so _exit() in a signal handler may call it. It does nothing in a child of
 * vfork().
 *
 * Only the program that was started with FILE replaces it, and only if that program had a mutex of
 * ours. A process below it that locked such a mutex writes FILE.PID, and also FILE if that does not
 * exist. So FILE has the program's counts even if sh or timeout(1) was started with it.
 */
void plf_stats_write(const char *mode, const char *backend);

/*
 * In the child of fork(): its statistics begin anew, with the mutexes that it inherited. It reports
 * them, in FILE.PID, only if it locked a mutex of ours.
 */
void plf_stats_after_fork(void);

#endif
