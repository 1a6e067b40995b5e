/* SPDX-License-Identifier: MIT */

/*
 * protocol/lazy_global.h: tasks of several servers share resources. Between any two of their steps,
 * any event of servers.h may happen.
 */
#define LOGGED	 uint64_t
#define ACCESSES 2
#include "servers.h"

#include "servers_kernel.h"

#include "servers_judge.h"

/* ---- A task's halves ----------------------------------------------------------------- */

static struct world *stepped; /* the world in which a half runs */
static const uint64_t the_clock = CLOCK;

static uint64_t read_clock(void)
{
	return plf_load64(&the_clock);
}

static const char *name_of(const void *word)
{
	if (word == &the_clock)
		return "the clock";
	if (word == &stepped->page.last_ns)
		return "last_ns";
	if (word == &stepped->page.claim_and_row)
		return stepped->task[stepped->running].stage == LOOKS ? "row, claim" : "claim";
	return "late";
}

/* A section is timed from the reading of the clock, or from its claim. */
static void note_access(enum access kind, const void *word, uint64_t value)
{
	const struct task *t = &stepped->task[stepped->running];

	say("T%u: %s %s %#llx", stepped->running + 1U, name_of(word),
	    kind == ACCESS_STORE ? ":=" : "is", (unsigned long long)value);
	if (word == &the_clock || t->stage == ENTERS)
		time_section(stepped, stepped->running);
}

static _Noreturn void note_endless(void)
{
	demand(stepped, false, BREAKS_ENDLESS);
	longjmp(replay.stop, 1);
}

static unsigned latest(const struct task *t)
{
	return t->depth - 1U;
}

static uint64_t run_half(struct world *w, const struct task *t)
{
	uint32_t before = t->before[latest(t)];

	switch (t->stage) {
	case LOOKS:
		return plf_lazy_global_look(&w->page);
	case TESTS:
		return plf_lazy_global_suffices(&w->page, read_clock);
	case ENTERS:
		plf_lazy_global_enter(&w->page, before, ceiling_of(t->open[latest(t)]));
		return true;
	default:
		return plf_lazy_global_leave(&w->page, before);
	}
}

static void has_tested(struct world *w, struct task *t, bool suffices)
{
	unsigned server = server_of[w->running];
	const struct server *s = &w->server[server];

	if (suffices) {
		t->stage = GAP == CLAIM_FIRST ? RUNS : ENTERS;
		return;
	}
	demand(w,
	       is_foul(w->running) || t->has_been_entered ||
		       own_budget(s, server) - s->spent <= hold_of[server],
	       BREAKS_VAIN);
	forget_section(w, w->running);
	t->stage = ASKS;
}

/* The value that a foul task keeps does not matter, because it may write any claim later. */
static void has_looked(const struct world *w, struct task *t, uint64_t found)
{
	t->before[latest(t)] = is_foul(w->running) ? 0 : plf_lazy_global_claim_of(found);
	t->row = plf_lazy_global_row_of(found) != 0;
	t->stage = RAISES;
}

static void half_has_ended(struct world *w, struct task *t, uint64_t result)
{
	memset(&t->half, 0, sizeof(t->half));
	if (t->stage == LOOKS) {
		has_looked(w, t, result);
	} else if (t->stage == TESTS) {
		has_tested(w, t, result != 0);
	} else if (t->stage == ENTERS) {
		t->stage = GAP == CLAIM_FIRST && t->depth == 1 ? TESTS : RUNS;
		say("T%u is inside R%u", w->running + 1U, t->open[latest(t)] + 1U);
	} else {
		t->stage = result ? CALLS : LOWERS;
	}
}

/* Runs the half up to its next new access. Returns whether the half has ended. */
static bool half_ends(struct world *w, const struct task *t, uint64_t *result)
{
	if (setjmp(replay.stop) != 0)
		return false;
	*result = run_half(w, t);
	return true;
}

static void one_access(struct world *w)
{
	struct task *t = &w->task[w->running];
	uint64_t result = 0;
	bool has_ended;

	if (t->stage == LEAVES || t->half.made == 0)
		t->has_been_entered = false;
	stepped = w;
	replay.half = &t->half;
	replay.place = 0;
	replay.has_moved = false;
	has_ended = half_ends(w, t, &result);
	replay.half = NULL;
	if (has_ended)
		half_has_ended(w, t, result);
}

/* ---- Its other steps ------------------------------------------------------------------- */

static void get(struct world *w, unsigned resource)
{
	struct task *t = &w->task[w->running];

	say("T%u gets R%u", w->running + 1U, resource + 1);
	t->open[t->depth++] = (uint8_t)resource;
	t->stage = LOOKS;
	one_access(w);
}

/* Enters the inner level. Under overrun there is no test. */
static void raise(const struct world *w, struct task *t)
{
	bool is_tested = t->row && t->before[latest(t)] == 0;

	say("T%u is at the local ceiling", w->running + 1U);
	t->row = 0;
	t->stage = is_tested && GAP != CLAIM_FIRST ? TESTS : ENTERS;
}

static void release(struct world *w)
{
	w->task[w->running].stage = LEAVES;
	one_access(w);
}

/* Leaves the inner level, and makes the call behind it. A call must have an effect. */
static void lower(struct world *w)
{
	unsigned task = w->running, server = w->core;
	struct task *t = &w->task[task];
	bool is_called = t->stage == CALLS, was_over = w->server[server].is_over, is_needed;

	t->depth--;
	t->open[t->depth] = 0;
	t->before[t->depth] = 0;
	t->stage = RUNS;
	say("T%u has left%s", task + 1, is_called ? ", and calls" : "");
	if (t->depth == 0)
		forget_section(w, task);
	is_needed = first_of(w, server) != task;
	if (!is_called && !is_needed)
		return;
	is_needed = is_needed || t->has_been_entered || is_foul(task);
	interrupt(w);
	if (!is_needed)
		demand(w, w->core != server || was_over != w->server[server].is_over, BREAKS_VAIN);
	t->has_been_entered = false;
}

static void go_on(struct world *w)
{
	switch (w->task[w->running].stage) {
	case RAISES:
		raise(w, &w->task[w->running]);
		break;
	case ASKS:
		ask(w);
		break;
	case LOWERS:
	case CALLS:
		lower(w);
		break;
	default:
		one_access(w);
	}
}

/* ---- Time -------------------------------------------------------------------------------- */

/* Makes an instant older; 0, the start of the clock, stays 0. */
static void grow_older(uint64_t *instant)
{
	if (*instant != UINT64_MAX && *instant > 0)
		--*instant;
}

static void pass(struct world *w)
{
	say("a unit of time passes");
	grow_older(&w->page.last_ns);
	for (unsigned i = 0; i < TASKS; i++)
		if (w->task[i].stage == TESTS && w->task[i].half.made == 1)
			grow_older(&w->task[i].half.value[0]);
	if (w->running == NO_TASK)
		return;
	w->server[w->core].left--;
	if (w->server[w->core].limit != NO_LIMIT)
		w->server[w->core].limit--;
	look_at_unit(w);
}

/* An interrupt that is due comes before the unit passes, because it is late by less than a unit. */
static bool may_pass(const struct world *w)
{
	const struct server *s = &w->server[w->core];

	return w->running == NO_TASK || (s->left > 0 && s->limit > 0 && may_last(w, w->core));
}

/* ---- For model.pml --------------------------------------------------------------------------- */

enum action {
	GOES_ON,
	RELEASES,
	ENDS,
	PASSES,
	INTERRUPTED,
	GETS,
	ARRIVES = GETS + RESOURCES,
	REPLENISHES = ARRIVES + TASKS,
	SPOILS_CLAIM = REPLENISHES + SERVERS,
	SPOILS_LATE = SPOILS_CLAIM + 5,
	SPOILS_LAST = SPOILS_LATE + 2,
	ACTIONS = SPOILS_LAST + 2,
};

const char world_size[sizeof(struct world)];
static const uint32_t spoilt[] = { 0, UINT32_MAX, 1, 2, 3 };

void world_begin(void *world)
{
	struct world *w = world;

	memset(w, 0, sizeof(*w));
	w->running = NO_TASK;
	w->core = NO_SERVER;
	for (unsigned i = 0; i < SERVERS; i++) {
		w->server[i].left = budget_of[i];
		w->server[i].limit = NO_LIMIT;
	}
}

static bool may_get(const struct world *w, const struct task *t, unsigned resource)
{
	return t->stage == RUNS && t->depth < DEPTH && is_user(w->running, resource) &&
	       !has_opened(w, w->running, resource);
}

static bool task_may(const struct world *w, unsigned action)
{
	const struct task *t = &w->task[w->running];

	if (w->running == NO_TASK)
		return false;
	switch (action) {
	case GOES_ON:
		return t->stage != RUNS;
	case RELEASES:
		return t->stage == RUNS && t->depth > 0;
	case ENDS:
		return t->stage == RUNS && t->depth == 0;
	default:
		if (action >= SPOILS_CLAIM)
			return is_foul(w->running);
		return may_get(w, t, action - GETS);
	}
}

bool world_may(const void *world, unsigned action)
{
	const struct world *w = world;

	if (w->broken || action >= ACTIONS)
		return false;
	if (action == PASSES)
		return may_pass(w);
	if (action == INTERRUPTED)
		return true;
	if (action >= ARRIVES && action < REPLENISHES)
		return w->task[action - ARRIVES].life == ASLEEP;
	if (action >= REPLENISHES && action < SPOILS_CLAIM)
		return true;
	return task_may(w, action);
}

static void spoil(struct world *w, unsigned action)
{
	if (action >= SPOILS_LAST)
		w->page.last_ns = action == SPOILS_LAST ? 0 : UINT64_MAX;
	else if (action >= SPOILS_LATE)
		w->page.late = spoilt[action - SPOILS_LATE];
	else
		w->page.claim = spoilt[action - SPOILS_CLAIM];
	say("T1 writes: last_ns %#llx, claim %#x, late %#x", (unsigned long long)w->page.last_ns,
	    w->page.claim, w->page.late);
}

static void act(struct world *w, unsigned action)
{
	if (action >= SPOILS_CLAIM)
		spoil(w, action);
	else if (action >= REPLENISHES)
		replenish(w, action - REPLENISHES);
	else if (action >= ARRIVES)
		arrive(w, action - ARRIVES);
	else
		get(w, action - GETS);
}

bool world_is_right(const void *world)
{
	return ((const struct world *)world)->broken == 0;
}

#include "queries.h"

void world_act(void *world, unsigned action)
{
	struct world *w = world;

	switch (action) {
	case GOES_ON:
		go_on(w);
		break;
	case RELEASES:
		release(w);
		break;
	case ENDS:
		end(w);
		break;
	case PASSES:
		pass(w);
		break;
	case INTERRUPTED:
		interrupt(w);
		break;
	default:
		act(w, action);
	}
	look(w);
	look_for_queries(w);
}
