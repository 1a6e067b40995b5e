/* SPDX-License-Identifier: MIT */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

/*
 * The record of a run: memory that the child writes and its supervisor reads, even if the child was
 * killed in the middle of a store. All room is made before the run. Each array has a single writer.
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
	EVENT_WAKE,    /* when the sleep should end; later time is a gap */
	EVENT_SUSPEND, /* the thread had no processor from here, also around an unlock, */
	EVENT_RESUME,  /* to here */
	EVENT_AWAIT,   /* its server's budget was too short for a section, */
	EVENT_AFFORD,  /* until the period began in which the thread entered */
};

enum { NO_RESOURCE = UINT16_MAX };

struct event {
	int64_t time_ns; /* after time 0 */
	uint32_t activation;
	uint16_t resource;
	uint16_t kind;
};

/*
 * Counts from the thread's sleep before time 0, which begins about 50 ms before, to the end of its
 * last activation.
 */
struct account {
	long voluntary_switches, involuntary_switches;
	long minor_faults, major_faults;
	int64_t lock_calls; /* -1: not counted */
};

struct task_record {
	_Atomic pid_t thread; /* 0: not started */
	struct event *events;
	_Atomic size_t stored; /* an event is complete when it is counted here */
	size_t gap_room;       /* gaps that can still be recorded */
	uint64_t lost_gaps;
	struct speeds speeds; /* of its run steps */
	uint16_t *slowest;    /* speed in each activation; NO_SPEED: too little work */
	struct account account;
	atomic_bool is_complete; /* set after the account is written */
};

struct server_event {
	int64_t time_ns; /* after time 0 */
	enum plf_server_event kind;
};

struct server_record {
	struct server_event *events;
	_Atomic size_t stored;
	size_t room;
	/* These are from time 0 to the end of all tasks. */
	int64_t latest_ns;		 /* the longest that the manager was late */
	struct plf_server_stats manager; /* work of the CPU's manager */
	atomic_bool is_complete;	 /* set after `manager` is written */
};

struct cpu_record {
	int cpu;
	_Atomic int64_t turn_ns; /* usual turn of a run step; 0: not measured */
	int64_t steal_before_ns; /* -1: unknown */
};

struct record {
	deadline_t deadline;
	_Atomic int64_t zero_ns; /* time 0 in CLOCK_MONOTONIC; 0: not reached */
	struct line failure;
	struct line not_counted; /* why lock calls are not counted */
	char backend[16];
	_Atomic int64_t spare_ns; /* -1: not wanted, or not finished */
	size_t cpu_count;
	struct cpu_record *cpus;
	struct server_record *servers; /* in the order of the plan */
	struct task_record *tasks;     /* in the order of the plan */
	size_t bytes;
};

/* Map the record, with all its room. NULL: a message says why. */
__attribute__((warn_unused_result)) struct record *map_record(const struct plan *plan);

/* The largest number of events of the task. */
size_t event_room(const struct plan *plan, const struct task *task);

/* The largest number of events of the server. */
size_t server_room(const struct plan *plan, const struct server *server);

/* Touch all the room, so that no later access faults. */
void touch_record(struct record *record, const struct plan *plan);

struct cpu_record *cpu_record_of(const struct record *record, int cpu);

#endif
