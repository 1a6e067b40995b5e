/* SPDX-License-Identifier: MIT */
#ifndef RUN_TEAM_H
#define RUN_TEAM_H

/* The child: the state that the real-time threads of a run share. */
#include "../machine/clock.h"
#include "locks.h"
#include "pace.h"
#include "record.h"

#include <semaphore.h>

struct team {
	const struct plan *plan;
	struct record *record;
	int tracepoint;		/* of the counters of lock calls, or -1 */
	struct pace *paces;	/* as record->cpus */
	union lock *locks;	/* as plan->resources */
	sem_t ready;		/* a thread is set up */
	plf_sem_t go;		/* time 0 is known */
	struct served *servers; /* as plan->servers */
	int64_t zero_ns;
};

/* The time that the watchdog gives a run beyond its limit. */
#define MARGIN_NS (20 * NS_PER_MS)

/* `argument`: a struct team with the first three filled in. The body of a child: see supervise.h.
 */
void run_team(void *argument);

/*
 * The caller, a thread, is set up: count it, and sleep until time 0 is known; in a server until it
 * has the CPU after that.
 */
void team_wait_for_go(struct team *team, bool is_in_server);

/* Nothing runs yet: say why not and end the child. */
_Noreturn void team_refuses(const char *part, const char *call, int error);

/* It runs: note it and end the child without a word. */
_Noreturn void team_fails(struct team *team, const char *part, const char *call, int error);

#endif
