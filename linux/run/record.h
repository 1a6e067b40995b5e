/* SPDX-License-Identifier: MIT */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

/*
 * The record of a run: memory that the child writes and its supervisor reads, also
 * when the child was killed in the middle of a store. All room is made before the
 * run; each array has one writer.
 */
#include "line.h"
#include "plan.h"
#include "speeds.h"
#include "supervise.h"

#include <stdatomic.h>
#include <sys/types.h>

enum event_kind {
	EVENT_START,
	EVENT_REQUEST, /* before the lock call */
	EVENT_GRANT,   /* after it */
	EVENT_UNLOCK,  /* before the unlock call */
	EVENT_END,
	EVENT_SKIP, /* an arrival that found its task unfinished */
	EVENT_SLEEP,
	EVENT_WAKE,    /* when the sleep was due to end; the time after it is a gap */
	EVENT_SUSPEND, /* the thread had no processor from here, also around an unlock */
	EVENT_RESUME,  /* to here */
	EVENT_AWAIT,   /* too little was left of the budget of its server for a section, */
	EVENT_AFFORD,  /* until the period in which it entered began */
};

enum { NO_RESOURCE = UINT16_MAX };

struct event {
	int64_t time_ns; /* after time 0 */
	uint32_t activation;
	uint16_t resource;
	uint16_t kind;
};

/* From about 50 ms before time 0, when the thread falls asleep until then, to the end of the last
 * activation. */
struct account {
	long voluntary_switches, involuntary_switches;
	long minor_faults, major_faults;
	int64_t lock_calls; /* -1: not counted */
};

struct task_record {
	_Atomic pid_t thread; /* 0: not started */
	struct event *events;
	_Atomic size_t stored; /* an event is whole once it is counted here */
	size_t gap_room;       /* gaps that can still be recorded */
	uint64_t lost_gaps;
	struct speeds speeds; /* in its run steps */
	uint16_t *slowest;    /* of each activation; NO_SPEED: it has too little work */
	struct account account;
	atomic_bool is_complete; /* and the account is written */
};

struct server_event {
	int64_t time_ns; /* after time 0 */
	enum plf_server_event kind;
};

struct server_record {
	struct server_event *events;
	_Atomic size_t stored;
	size_t room;
	/* From time 0 to the end of all tasks. */
	int64_t latest_ns;		 /* the manager was late by so much at most */
	struct plf_server_stats manager; /* of its CPU: what it did */
	atomic_bool is_complete;	 /* and that is written */
};

struct cpu_record {
	int cpu;
	_Atomic int64_t turn_ns; /* of run steps, the usual one; 0: not measured */
	int64_t steal_before_ns; /* -1: unknown */
};

struct record {
	deadline_t deadline;
	_Atomic int64_t zero_ns; /* time 0 in CLOCK_MONOTONIC; 0: not reached */
	struct line failure;
	struct line not_counted; /* why lock calls are not */
	char backend[16];
	_Atomic int64_t spare_ns; /* -1: not wanted, or not finished */
	size_t cpu_count;
	struct cpu_record *cpus;
	struct server_record *servers; /* as in the plan, */
	struct task_record *tasks;     /* both */
	size_t bytes;
};

/* NULL: it said why not. */
__attribute__((warn_unused_result)) struct record *map_record(const struct plan *plan);

/* The largest number of events of the task. */
size_t event_room(const struct plan *plan, const struct task *task);

/* The largest number of events of the server. */
size_t server_room(const struct plan *plan, const struct server *server);

/* Touch all of it, so that no later access faults. */
void touch_record(struct record *record, const struct plan *plan);

struct cpu_record *cpu_record_of(const struct record *record, int cpu);

#endif
