/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef IMMPC_DRIVER_H
#define IMMPC_DRIVER_H

/*
 * The character device of immpc_driver.ko. It executes critical sections in the kernel, under
 * mutexes of the caller's choice, and reports the time of each step.
 *
 * Source: the test driver of Carminati, Oliveira, Friedrich, OSPERT 2010, Section 5, and 2012,
 * Section V.
 *
 * Each open file has its own resources and sections, which end with it. All threads that have the
 * file open share them. A section is checked completely when it is made, so nothing can fail while
 * it runs. While it runs, the driver does not sleep, unless it waits for a lock, and does not touch
 * the caller's memory. All is unlocked when the call returns. Sections of a file never wait for
 * each other in a circle.
 *
 * Only root may open the device. Besides the errors below, there are EFAULT, ENOMEM, and ENOTTY for
 * an unknown call.
 */
#include <linux/ioctl.h>
#include <linux/types.h>

#define IMMPC_DEVICE "/dev/immpc"

enum {
	IMMPC_RESOURCES_MAX = 1024,
	IMMPC_SECTIONS_MAX = 1024,
	IMMPC_STEPS_MAX = 1024, /* of a section */
	IMMPC_DEPTH_MAX = 16,	/* locks held at a time */
	IMMPC_GAPS_MAX = 512,	/* of a section */
};

enum immpc_kind {
	IMMPC_KIND_RT_MUTEX, /* the kernel's mutex with priority inheritance */
	IMMPC_KIND_POSTPONED,
	IMMPC_KIND_EAGER,
	/* Only for measuring: */
	IMMPC_KIND_EMPTY,   /* two calls of an empty exported function */
	IMMPC_KIND_NOTHING, /* only the loop */
};

struct immpc_resource {
	__u32 kind;
	__u32 ceiling; /* 1 to 98; not used by an rt_mutex */
};

/*
 * Make a resource. Returns its number. EINVAL: no such kind or ceiling. ENOSPC: RESOURCES_MAX
 * exist.
 */
#define IMMPC_IOC_RESOURCE _IOW('p', 0x60, struct immpc_resource)

enum immpc_step_kind { IMMPC_STEP_WORK, IMMPC_STEP_LOCK, IMMPC_STEP_UNLOCK };

struct immpc_step {
	__u32 kind;
	__u32 resource; /* number; 0 for work */
	__u64 work_ns;	/* 0 for the other kinds */
};

/*
 * Work is a counted loop (work.h), in chunks with a look at the clock after each. The time of a
 * chunk counts as work. If a chunk took half as long again as it should, only the expected time
 * counts.
 */
struct immpc_section {
	__u64 steps; /* address of struct immpc_step[step_count] */
	__u32 step_count;
	__u32 gap_room; /* gaps that can be recorded in a run */
	__u64 chunk_iterations;
	__u64 chunk_ps; /* picoseconds of a chunk, with its look at the clock */
	__u64 gap_ns;	/* work that takes that much longer than expected shows a gap */
};

#define IMMPC_WORK_MAX_NS	   60000000000ULL
#define IMMPC_CHUNK_ITERATIONS_MAX 1000000ULL
#define IMMPC_CHUNK_MIN_PS	   1000ULL
#define IMMPC_CHUNK_MAX_PS	   1000000000ULL
#define IMMPC_ITERATIONS_MAX	   200000000000ULL /* for all work of a section */

/*
 * Make a section. Returns its number.
 *
 * EINVAL   a number outside its range; no such kind or resource; a lock of a held resource; an
 *          unlock of a resource that was not locked last; locks held at the end
 * EDEADLK  it locks in another order than an earlier section, even a refused section
 * ENOSPC   SECTIONS_MAX exist
 */
#define IMMPC_IOC_SECTION _IOW('p', 0x61, struct immpc_section)

enum immpc_event_kind {
	IMMPC_EVENT_REQUEST, /* before the lock call */
	IMMPC_EVENT_GRANT,   /* after it */
	IMMPC_EVENT_UNLOCK,  /* before the unlock call */
	IMMPC_EVENT_SUSPEND, /* the caller had no processor from here */
	IMMPC_EVENT_RESUME,  /* to here */
};

struct immpc_event {
	__s64 time_ns; /* CLOCK_MONOTONIC */
	__u32 kind;
	__u32 step; /* index in the section */
};

struct immpc_run {
	__u32 section;	   /* number */
	__u32 event_count; /* out */
	__u64 events;	   /* address; room for 2 events a lock, 1 an unlock, 2 a gap */
	__s64 seen_ns;	   /* the caller's last look at the clock; out: the driver's */
	__u64 lost_gaps;   /* out: gaps without room */
};

/*
 * Execute a section.
 *
 * EINVAL  the caller's priority is above a ceiling, or the caller is SCHED_DEADLINE
 * ENOENT  no such section
 * EBUSY   another thread executes it
 * EINTR   the caller was killed
 */
#define IMMPC_IOC_RUN _IOWR('p', 0x62, struct immpc_run)

/* The cost of a lock and its unlock. */
struct immpc_cost {
	__u32 kind;
	__u32 depth;  /* 1 to COST_DEPTH_MAX: nested locks in each round */
	__u64 rounds; /* 1 to COST_ROUNDS_MAX */
	__u64 cycles; /* out: of the processor's counter, for all rounds and their loop */
};

enum {
	IMMPC_COST_DEPTH_MAX = 3,
	IMMPC_COST_ROUNDS_MAX = 10000,
	IMMPC_COST_CEILING = 96, /* of the outermost lock; one more for each inner lock */
};

/* EINVAL: a number outside its range, or the caller's priority is above COST_CEILING. */
#define IMMPC_IOC_COST _IOWR('p', 0x63, struct immpc_cost)

#endif
