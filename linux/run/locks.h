/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOCKS_H
#define RUN_LOCKS_H

/* The lock protocols that a plan can name. Only this file distinguishes them. */
#include <plafond.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

union lock {
	plf_mutex_t plafond;
	plf_shared_t shared; /* of several servers */
	pthread_mutex_t pthread;
	uint32_t in_driver; /* its number in the driver */
};

/* All calls return 0 or an errno value. `option` is the protocol's option. */
struct lock_kind {
	/* Make the calling thread SCHED_FIFO at `priority` on `cpu`, as these locks need it. */
	int (*attach)(int priority, int cpu, int option);
	/* `is_global`: the lock's users are on several CPUs. */
	int (*create)(union lock *lock, int ceiling, bool is_global, int option);
	int (*lock)(union lock *lock);
	int (*unlock)(union lock *lock);
	/* time_ns is of CLOCK_MONOTONIC. */
	int (*sleep_until)(int64_t time_ns);
	/*
	 * Critical sections run as a whole in the driver, so `lock` and `unlock` are NULL: see
	 * section.h.
	 */
	bool has_sections;
	const char *lock_call;
	const char *unlock_call;
	const char *sleep_call;
};

extern const struct lock_kind plafond_locks; /* option: flags of plf_attach() */
extern const struct lock_kind pthread_locks; /* option: as pthread_mutexattr_setprotocol() */
extern const struct lock_kind driver_locks;  /* option: enum immpc_kind */

/* How a resource whose users are on several CPUs is treated. */
enum across_cpus {
	ACROSS_NOT,   /* refused */
	ACROSS_AS_IS, /* its lock is like any other */
	ACROSS_BAND,  /* a global mutex of libplafond: see plafond.h for its rules */
};

struct protocol {
	const char *name;
	const struct lock_kind *kind;
	int option;
	bool has_ceilings; /* no user's priority may be above the ceiling */
	enum across_cpus across_cpus;
	const char *device; /* device of the kernel module that it needs, or NULL */
};

/* The protocol of that name; NULL: there is none. */
const struct protocol *find_protocol(const char *name);

/* Can its threads be in servers of libplafond? */
bool has_servers(const struct protocol *protocol);

/* All names, as "a, b or c". */
extern const char protocol_names[];

#endif
