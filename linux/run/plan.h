/* SPDX-License-Identifier: MIT */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

/*
 * The run that is asked for: one task set under one lock protocol. The file format, one
 * statement a line, `#` opens a comment, times in nanoseconds:
 *
 *   plafond-plan 1                   the first statement
 *   protocol NAME                    see locks.h
 *   limit TIME                       after time 0: the watchdog cuts, MARGIN_NS
 *                                    (team.h) later
 *   resource NAME CEILING            before the tasks that use it
 *   server NAME PRIORITY CPU PERIOD BUDGET
 *                                    an idling one of libplafond, before its tasks
 *   server NAME PRIORITY CPU PERIOD BUDGET POLICY TIME
 *                                    which shares resources: skip, overrun or overrun-payback, in
 *                                    sections of TIME at most
 *   share RESOURCE SERVER CEILING    its tasks use it, and those of other servers; with the
 *                                    ceiling among its tasks
 *   task NAME PRIORITY CPU queue     or skip: what becomes of an arrival that
 *                                    finds its task unfinished
 *   task NAME PRIORITY CPU queue SERVER
 *                                    the priority is that inside the server
 *     reservation PERIOD BUDGET      optional: its thread is under SCHED_DEADLINE,
 *                                    and its priority means nothing
 *     run TIME | lock NAME | unlock NAME | sleep TIME
 *     run LEAST MOST KEY             each arrival draws a time of its own from there, even
 *                                    one that is skipped: splitmix.h
 *     arrivals TIME ...              after time 0, ascending; may be repeated
 *   spare PRIORITY CPU TIME          optional: how much processor time is
 *                                    left; TIME is the limit at most
 *   end
 *
 * A plan that was read is right: names are known, sections are nested and closed,
 * CPUs are allowed, priorities do not exceed ceilings where the protocol has them. A resource
 * whose users are on several CPUs is global: the protocol has such, and their rules are kept. On a
 * CPU with servers each task is in one, and within its band, or has a reservation; a resource is
 * that of one server, or of those that share it. A task with a reservation locks nothing; those of
 * a CPU have RESERVED_MOST of it in all.
 */
#include "locks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TASKS_MAX = 1000,
	RESOURCES_MAX = 1000,
	SERVERS_MAX = PLF_SERVER_MAX,
	STEPS_MAX = 10000,	 /* of a body */
	ARRIVALS_MAX = 10000000, /* of all tasks */
	NAME_BYTES = 33,
	PRIORITY_HIGHEST = 98, /* below the supervisor */
	RESERVED_MOST = 95,    /* percent of a CPU: what watches over a run comes after them */
};

#define TIME_MAX_NS INT64_C(1000000000000000)

enum { NO_CPU = -1, NO_SERVER = -1 };

enum step_kind { STEP_RUN, STEP_LOCK, STEP_UNLOCK, STEP_SLEEP };

struct step {
	enum step_kind kind;
	size_t resource;
	int64_t time_ns;  /* of a range: the most */
	int64_t least_ns; /* of a range: below time_ns; 0: it is none */
	uint64_t key;	  /* of a range: of its stream (protocol/splitmix.h) */
};

struct resource {
	char name[NAME_BYTES];
	int ceiling;
	int home;	/* the CPU of its first user, or NO_CPU */
	int server;	/* that of its first user, or NO_SERVER */
	bool is_global; /* its users are on several CPUs */
	bool is_shared; /* its users are in several servers */
};

struct server {
	char name[NAME_BYTES];
	int priority; /* of libplafond, below those of its tasks */
	int cpu;
	int64_t period_ns, budget_ns;
	int policy; /* enum plf_server_policy */
	int64_t hold_ns;
	unsigned line; /* of the file */
};

/* Tasks of a server use a resource that those of others use. */
struct share {
	size_t resource;
	int server;
	int ceiling;
};

struct task {
	char name[NAME_BYTES];
	int priority; /* in a server, among its tasks */
	int cpu;
	int server;		      /* its place, or NO_SERVER */
	int64_t period_ns, budget_ns; /* of its reservation; 0: it has none */
	bool skips;
	unsigned line; /* of the file */
	struct step *steps;
	size_t step_count, step_room;
	int64_t *arrivals;
	size_t arrival_count, arrival_room;
};

/* A thread that spins from time 0 on and reports the processor time that it got. */
struct spare {
	int priority; /* 0: not wanted */
	int cpu;
	int64_t time_ns;
	unsigned line; /* of the file */
};

struct plan {
	const char *path;
	const struct protocol *protocol;
	int64_t limit_ns;
	struct resource *resources;
	size_t resource_count, resource_room;
	struct server *servers;
	size_t server_count, server_room;
	struct share *shares;
	size_t share_count, share_room;
	struct task *tasks;
	size_t task_count, task_room;
	size_t arrival_count;
	struct spare spare;
};

/* False: it reported the fault. To be freed in either case. */
__attribute__((warn_unused_result)) bool read_plan(struct plan *plan, const char *path);
void free_plan(struct plan *plan);

/* Has the task a reservation? */
bool is_reserved(const struct task *task);

/* Has the server a share of the resource? */
bool has_share(const struct plan *plan, size_t resource, int server);

/* Does the task lock a resource whose users are on several CPUs? */
bool locks_global(const struct plan *plan, const struct task *task);

/* The CPUs that are used, each once, ascending. Returns their number, CPUS_MAX at most. */
enum { CPUS_MAX = 1024 };
size_t cpus_of_plan(const struct plan *plan, int cpus[CPUS_MAX]);

#endif
