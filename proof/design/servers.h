/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_SERVERS_H
#define DESIGN_SERVERS_H

/*
 * One processor and its servers, whose tasks share resources. A server may be replenished, and a
 * task may arrive, at any moment. So there are no periods, and every phase of every period is
 * covered. Time passes in units, between any two steps. An honest task leaves its section after at
 * most X units of its server's time.
 *
 * A case defines for each server its budget, X and policy; the level of a server is its number + 1.
 * For each task it defines the server, the priority in it, and a bit for each resource that it
 * uses.
 *
 * The present stands still at CLOCK, and instants move into the past (grow_older), so the number of
 * states is finite. The kernel is in servers_kernel.h, the judge in servers_judge.h.
 */
#include "replay.h"

#include <string.h>

#include "lazy_global.h"

enum policy { OVERRUN, PAYBACK, SKIP }; /* PAYBACK: the next budget is reduced by the overrun */

static const uint8_t budget_of[] = { BUDGETS }, hold_of[] = { HOLDS }, policy_of[] = { POLICIES };
static const uint8_t server_of[] = { SERVER_OF }, base_of[] = { BASES }, used_by[] = { USES };

enum { SERVERS = sizeof(budget_of), TASKS = sizeof(server_of), RESOURCES = 2 };
enum { CLOCK = 1 };
enum { NO_TASK = TASKS, NO_SERVER = SERVERS, NO_LIMIT = UINT8_MAX };

/* SKIPPING: waits for the next budget. WOKEN: the budget has come, and the test comes again. */
enum life { ASLEEP, READY, SKIPPING, WOKEN };

/*
 * GAP: a control that opens a gap, and must break a rule.
 * - CLAIM_FIRST: a task claims before it tests.
 * - LIMIT_STAYS: the time limit of a section that kept a server out runs on when it keeps none out.
 * - ONE_TEST: a task that waited for a budget goes on, whatever is left of the budget.
 */
enum gap { NO_GAP, CLAIM_FIRST, LIMIT_STAYS, ONE_TEST };

/* The step that a task takes next. */
enum stage {
	RUNS,	/* runs outside of all sections, or inside */
	LOOKS,	/* looks at its claim and the row */
	RAISES, /* raises its inner level */
	TESTS,	/* tests the budget */
	ASKS,	/* asks the kernel for a budget */
	ENTERS, /* enters the outer level */
	LEAVES, /* leaves the outer level */
	LOWERS, /* lowers the inner level */
	CALLS,	/* lowers the inner level, then calls the kernel */
};

struct task {
	struct half half; /* while it looks, tests, enters or leaves */
	uint32_t claim;	  /* while it does not run */
	uint32_t before[DEPTH];
	uint8_t open[DEPTH];
	uint8_t depth; /* open sections, including a section that is being entered or left */
	uint8_t stage;
	uint8_t life;
	uint8_t row;
	uint8_t has_been_entered; /* the kernel, since the half began or since its last access */
};

struct server {
	uint8_t left;	 /* of the budget, or of the overrun */
	uint8_t is_over; /* it overruns */
	uint8_t owed;	 /* subtracted from the next budget */
	uint8_t limit;	 /* time that its section may still last; NO_LIMIT: unlimited */
	/* The judge's values. */
	uint8_t spent; /* since the last replenishment */
	uint8_t debt;  /* use beyond the budget before that */
	uint8_t timed; /* 1 + the task whose section is timed; 0: none */
	uint8_t held;  /* duration of the timed section */
	uint8_t kept;  /* time for which the server has been kept out */
};

struct world {
	struct plf_lazy_global page; /* of the running task */
	struct task task[TASKS];
	struct server server[SERVERS];
	uint8_t running;
	uint8_t core; /* the server that has the core */
	uint8_t broken;
};

#define RULES                                                                                      \
	RULE(EXCLUSION, "two tasks of different servers are inside one section")                   \
	RULE(CEILING, "a server runs at or below the ceiling of a section of another one")         \
	RULE(LOST,                                                                                 \
	     "a server waits that no section keeps out, and a less urgent one runs, or none")      \
	RULE(KEPT, "a server is kept out for longer than X")                                       \
	RULE(BUDGET, "a server runs beyond its budget, and beyond X of overrun")                   \
	RULE(BEYOND, "a server runs beyond its budget outside of sections, or under skipping")     \
	RULE(SPLIT, "a section under skipping is not paid out of one budget")                      \
	RULE(VAIN, "a task calls the kernel, and has no need")                                     \
	RULE(HONEST, "the kernel ends a section that keeps to X")                                  \
	RULE(BOUND, "a foul task keeps out a server with which it shares nothing")                 \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")

#include "rules.h"

/* ---- The configuration ------------------------------------------------------- */

/* Whether the task's words may hold anything, at any moment. Only the first task can be foul. */
static inline bool is_foul(unsigned task)
{
	return FOUL && task == 0;
}

static inline bool is_user(unsigned task, unsigned resource)
{
	return used_by[task] >> resource & 1;
}

static inline uint32_t level_of(unsigned server)
{
	return server + 1;
}

/* The ceiling among servers. */
static inline uint32_t ceiling_of(unsigned resource)
{
	uint32_t highest = 0;

	for (unsigned i = 0; i < TASKS; i++)
		if (is_user(i, resource) && level_of(server_of[i]) > highest)
			highest = level_of(server_of[i]);
	return highest;
}

static inline uint32_t highest_of(unsigned task)
{
	uint32_t highest = 0;

	for (unsigned r = 0; r < RESOURCES; r++)
		if (is_user(task, r) && ceiling_of(r) > highest)
			highest = ceiling_of(r);
	return highest;
}

/* The ceiling inside the server: under overrun its highest priority, under skipping its highest
 * user. */
static inline unsigned local_ceiling(unsigned server, unsigned resource)
{
	unsigned highest = 0;

	for (unsigned i = 0; i < TASKS; i++)
		if (server_of[i] == server && base_of[i] > highest &&
		    (policy_of[server] != SKIP || is_user(i, resource)))
			highest = base_of[i];
	return highest;
}

/* ---- Sections -------------------------------------------------------------------- */

/* Number of sections that the task is inside. A section that is being entered or left does not
 * count. */
static inline unsigned inside(const struct task *t)
{
	return t->depth - (t->stage == RUNS ? 0U : 1U);
}

static inline bool is_inside(const struct world *w, unsigned task, unsigned resource)
{
	const struct task *t = &w->task[task];

	return t->depth && memchr(t->open, (int)resource, inside(t)) != NULL;
}

static inline bool has_opened(const struct world *w, unsigned task, unsigned resource)
{
	const struct task *t = &w->task[task];

	return memchr(t->open, (int)resource, t->depth) != NULL;
}

/* The level of the task inside its server. */
static inline unsigned local_level(const struct world *w, unsigned task)
{
	const struct task *t = &w->task[task];
	unsigned entered = t->depth - (t->stage == LOOKS || t->stage == RAISES ? 1U : 0U);
	unsigned level = base_of[task];

	for (unsigned i = 0; i < entered; i++) {
		unsigned ceiling = local_ceiling(server_of[task], t->open[i]);

		if (ceiling > level)
			level = ceiling;
	}
	return level;
}

static inline bool has_begun(const struct world *w, unsigned task)
{
	return task == w->running || w->task[task].depth > 0;
}

/* Returns the task that the server runs. NO_TASK: no task is ready, or the first waits for the next
 * budget. */
static inline unsigned first_of(const struct world *w, unsigned server)
{
	unsigned first = NO_TASK;

	for (unsigned i = 0; i < TASKS; i++) {
		if (server_of[i] != server || w->task[i].life == ASLEEP)
			continue;
		if (first == NO_TASK || local_level(w, i) > local_level(w, first) ||
		    (local_level(w, i) == local_level(w, first) && has_begun(w, i)))
			first = i;
	}
	return first != NO_TASK && w->task[first].life == SKIPPING ? NO_TASK : first;
}

#endif
