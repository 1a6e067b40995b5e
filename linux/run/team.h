/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEAM_H
#define RUN_TEAM_H

/* The state of the child, which the real-time threads of a run share. */
#include "../machine/clock.h"
#include "locks.h"
#include "pace.h"
#include "record.h"

#include <semaphore.h>

struct team {
	const struct plan *plan;
	struct record *record;
	int tracepoint;		/* for counting lock calls, or -1 */
	struct pace *paces;	/* in the order of record->cpus */
	union lock *locks;	/* in the order of plan->resources */
	sem_t ready;		/* posted when a thread is set up */
	plf_sem_t go;		/* posted when time 0 is known */
	struct served *servers; /* in the order of plan->servers */
	int64_t zero_ns;
};

/* The time that the watchdog gives a run beyond its limit. */
#define MARGIN_NS (20 * NS_PER_MS)

/*
 * The body of a child: see supervise.h. `argument` is a struct team whose first three fields are
 * set.
 */
void run_team(void *argument);

/*
 * The calling thread is set up: count it, and sleep until time 0 is known. A thread in a server
 * also sleeps until the server has the CPU after that.
 */
void team_wait_for_go(struct team *team, bool is_in_server);

/* Before the run: print the reason, and end the child. */
_Noreturn void team_refuses(const char *part, const char *call, int error);

/* During the run: note the reason in the record, and end the child without a message. */
_Noreturn void team_fails(struct team *team, const char *part, const char *call, int error);

#endif
