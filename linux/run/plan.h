/* SPDX-License-Identifier: MIT */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

/*
 * The requested run: a task set under a lock protocol. In the file, each line is a statement, `#`
 * opens a comment, and times are in nanoseconds:
 *
 *   plafond-plan 1                   the first statement
 *   protocol NAME                    see locks.h
 *   limit TIME                       after time 0; the watchdog cuts MARGIN_NS (team.h) later
 *   resource NAME CEILING            before the tasks that use it
 *   server NAME PRIORITY CPU PERIOD BUDGET
 *                                    an idling server of libplafond, before its tasks
 *   server NAME PRIORITY CPU PERIOD BUDGET POLICY TIME
 *                                    a server that shares resources, in sections of at most TIME;
 *                                    POLICY: skip, overrun or overrun-payback
 *   share RESOURCE SERVER CEILING    tasks of this server and of other servers use the resource;
 *                                    the ceiling is among the tasks of this server
 *   task NAME PRIORITY CPU queue     or skip: the treatment of an arrival that finds its task
 *                                    unfinished
 *   task NAME PRIORITY CPU queue SERVER
 *                                    the priority is inside the server
 *     reservation PERIOD BUDGET      optional: the thread is SCHED_DEADLINE, and the priority
 *                                    means nothing
 *     run TIME | lock NAME | unlock NAME | sleep TIME
 *     run LEAST MOST KEY             each arrival, even a skipped arrival, draws its time from this
 *                                    range: splitmix.h
 *     arrivals TIME ...              after time 0, ascending; may be repeated
 *   spare PRIORITY CPU TIME          optional: how much processor time is left; TIME is at most the
 *                                    limit
 *   end
 *
 * A plan that was read is right. Names are known, sections are nested and closed, and CPUs are
 * allowed. If the protocol has ceilings, no priority exceeds them. A resource whose users are on
 * several CPUs is global: the protocol allows that, and the rules are kept. On a CPU with servers,
 * each task is in a server and within its band, or has a reservation. A resource's users are in a
 * single server, or in servers that share it. A task with a reservation locks nothing. The
 * reservations of a CPU take at most RESERVED_MOST percent of it.
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
	RESERVED_MOST = 95,    /* percent of a CPU, because the supervisor comes after them */
};

#define TIME_MAX_NS INT64_C(1000000000000000)

enum { NO_CPU = -1, NO_SERVER = -1 };

enum step_kind { STEP_RUN, STEP_LOCK, STEP_UNLOCK, STEP_SLEEP };

struct step {
	enum step_kind kind;
	size_t resource;
	int64_t time_ns;  /* of a range: the longest */
	int64_t least_ns; /* of a range: the shortest, below time_ns; 0: no range */
	uint64_t key;	  /* of a range: key of its stream (protocol/splitmix.h) */
};

struct resource {
	char name[NAME_BYTES];
	int ceiling;
	int home;	/* CPU of its first user, or NO_CPU */
	int server;	/* server of its first user, or NO_SERVER */
	bool is_global; /* its users are on several CPUs */
	bool is_shared; /* its users are in several servers */
};

struct server {
	char name[NAME_BYTES];
	int priority; /* SCHED_FIFO, below its tasks */
	int cpu;
	int64_t period_ns, budget_ns;
	int policy; /* enum plf_server_policy */
	int64_t hold_ns;
	unsigned line; /* in the file */
};

/* A server whose tasks use a resource that tasks of other servers use, too. */
struct share {
	size_t resource;
	int server;
	int ceiling;
};

struct task {
	char name[NAME_BYTES];
	int priority; /* in a server: among its tasks */
	int cpu;
	int server;		      /* index of its server, or NO_SERVER */
	int64_t period_ns, budget_ns; /* its reservation; 0: none */
	bool skips;
	unsigned line; /* in the file */
	struct step *steps;
	size_t step_count, step_room;
	int64_t *arrivals;
	size_t arrival_count, arrival_room;
};

/* A thread that spins from time 0 on, and reports how much processor time it got. */
struct spare {
	int priority; /* 0: no such thread */
	int cpu;
	int64_t time_ns;
	unsigned line; /* in the file */
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

/*
 * Read and check the plan. False: a message has named the fault. In both cases, the caller must
 * free the plan.
 */
__attribute__((warn_unused_result)) bool read_plan(struct plan *plan, const char *path);
void free_plan(struct plan *plan);

/* Has the task a reservation? */
bool is_reserved(const struct task *task);

/* Has the server a share of the resource? */
bool has_share(const struct plan *plan, size_t resource, int server);

/* Does the task lock a resource whose users are on several CPUs? */
bool locks_global(const struct plan *plan, const struct task *task);

/* The CPUs that the plan uses, each once, ascending. Returns their number, at most CPUS_MAX. */
enum { CPUS_MAX = 1024 };
size_t cpus_of_plan(const struct plan *plan, int cpus[CPUS_MAX]);

#endif
