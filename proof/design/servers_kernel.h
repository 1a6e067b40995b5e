/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_SERVERS_KERNEL_H
#define DESIGN_SERVERS_KERNEL_H

/*
 * The kernel under servers.h: budgets, and the choice of the server. It asks protocol/lazy_global.h
 * for decisions. At each entry it looks at the claim, and decides again.
 */
#include "servers.h"

/* Defined by the judge. */
static inline void time_section(struct world *w, unsigned task);
static inline void forget_section(struct world *w, unsigned task);
static inline void note_budget(struct server *s, unsigned server);

/* ---- Claims --------------------------------------------------------------------- */

static inline uint32_t bounded(const struct world *w)
{
	return plf_lazy_global_bound(&w->page, level_of(w->core), highest_of(w->running));
}

/* Returns the highest claim of the server's tasks that do not run. */
static inline uint32_t held_by(const struct world *w, unsigned server)
{
	uint32_t held = 0;

	for (unsigned i = 0; i < TASKS; i++)
		if (i != w->running && server_of[i] == server && w->task[i].claim > held)
			held = w->task[i].claim;
	return held;
}

static inline uint32_t claim_of(const struct world *w, unsigned server)
{
	uint32_t held = held_by(w, server), own = 0;

	if (server == w->core && w->running != NO_TASK)
		own = bounded(w);
	return own > held ? own : held;
}

/* ---- The running task -------------------------------------------------------------- */

static inline void put_away(struct world *w)
{
	if (w->running != NO_TASK)
		w->task[w->running].claim = bounded(w);
	w->running = NO_TASK;
	memset(&w->page, 0, sizeof(w->page));
}

static inline void run_task(struct world *w, unsigned task)
{
	if (task == w->running)
		return;
	put_away(w);
	w->running = (uint8_t)task;
	if (task == NO_TASK)
		return;
	w->page.claim = w->task[task].claim;
	w->page.row = policy_of[server_of[task]] == SKIP;
	w->task[task].claim = 0;
	say("T%u of S%u runs", task + 1, server_of[task] + 1U);
}

/* The next task of the server runs. */
static inline void end_activation(struct world *w)
{
	unsigned task = w->running;

	put_away(w);
	forget_section(w, task);
	memset(&w->task[task], 0, sizeof(w->task[task]));
	run_task(w, first_of(w, w->core));
}

/* ---- Budgets ------------------------------------------------------------------------- */

static inline uint64_t most_of(unsigned server)
{
	return plf_lazy_global_most(hold_of[server]);
}

static inline void end_overrun(struct server *s, unsigned server)
{
	if (s->is_over && policy_of[server] == PAYBACK)
		s->owed = (uint8_t)plf_lazy_global_used(s->left, most_of(server));
	s->is_over = false;
}

static inline void begin_overrun(struct world *w, struct server *s)
{
	if (s->left > 0 || s->is_over || policy_of[w->core] == SKIP || !claim_of(w, w->core))
		return;
	say("S%u goes on beyond its budget", w->core + 1U);
	s->is_over = true;
	s->left = (uint8_t)most_of(w->core);
}

static inline bool has_lasted_too_long(const struct world *w, const struct server *s)
{
	return w->running != NO_TASK && claim_of(w, w->core) && (s->left == 0 || s->limit == 0);
}

static inline void judge_section(struct world *w, struct server *s)
{
	while (has_lasted_too_long(w, s)) {
		say("the kernel ends the section of T%u", w->running + 1U);
		demand(w, is_foul(w->running), BREAKS_HONEST);
		end_activation(w);
	}
	if (claim_of(w, w->core))
		return;
	s->limit = NO_LIMIT;
	if (s->is_over) {
		end_overrun(s, w->core);
		s->left = 0;
		say("S%u is no more beyond its budget", w->core + 1U);
	}
}

/* The first work of each entry: handles what is due for the server on the core. */
static inline void enter_kernel(struct world *w)
{
	struct server *s;

	if (w->core == NO_SERVER)
		return;
	s = &w->server[w->core];
	if (w->running != NO_TASK)
		w->task[w->running].has_been_entered = true;
	begin_overrun(w, s);
	judge_section(w, s);
}

static inline void grant(struct world *w, unsigned task)
{
	w->task[task].life = READY;
	w->task[task].stage = GAP == CLAIM_FIRST ? RUNS : ENTERS;
	time_section(w, task);
	say("T%u is granted its section", task + 1);
}

static inline void renew_budget(struct world *w, unsigned server)
{
	struct server *s = &w->server[server];

	note_budget(s, server);
	end_overrun(s, server);
	s->left = (uint8_t)(budget_of[server] - s->owed);
	s->owed = 0;
	for (unsigned i = 0; i < TASKS; i++)
		if (server_of[i] == server && w->task[i].life == SKIPPING)
			w->task[i].life = WOKEN;
}

/* ---- The choice ------------------------------------------------------------------------ */

/* Returns the other server with the highest claim that keeps `server` out, or NO_SERVER. */
static inline unsigned keeper_from(const struct world *w, unsigned server)
{
	unsigned keeper = NO_SERVER;

	for (unsigned i = 0; i < SERVERS; i++) {
		if (i == server || claim_of(w, i) == 0 ||
		    !plf_lazy_global_keeps_out(claim_of(w, i), level_of(server)))
			continue;
		if (keeper == NO_SERVER || claim_of(w, i) > claim_of(w, keeper))
			keeper = i;
	}
	return keeper;
}

static inline uint32_t keep_out(struct world *w, unsigned server, unsigned keeper)
{
	struct server *s = &w->server[keeper];

	if (s->limit == NO_LIMIT) {
		s->limit = (uint8_t)most_of(keeper);
		say("S%u is kept out by S%u", server + 1, keeper + 1);
	}
	return level_of(server);
}

static inline void publish(struct world *w, uint32_t late)
{
	const struct server *s = &w->server[w->core];
	uint32_t held = held_by(w, w->core);
	uint64_t last_ns = UINT64_MAX;

	if (!held)
		last_ns = plf_lazy_global_last_ns(CLOCK + s->left, hold_of[w->core]);
	if (s->is_over && !late)
		late = 1;
	plf_lazy_global_publish(&w->page, last_ns, late, held);
}

/* The first task of the server goes on. Returns false if it must wait again for a budget. */
static inline bool goes_on(struct world *w, unsigned server)
{
	unsigned task = first_of(w, server);

	if (w->task[task].life != WOKEN)
		return true;
	if (GAP == ONE_TEST || plf_lazy_global_is_enough(w->server[server].left, hold_of[server])) {
		grant(w, task);
		return true;
	}
	say("T%u waits again", task + 1);
	w->task[task].life = SKIPPING;
	return false;
}

static inline unsigned choose(struct world *w)
{
	unsigned chosen = NO_SERVER;

	for (unsigned i = 0; i < SERVERS; i++)
		if (w->server[i].left > 0 && first_of(w, i) != NO_TASK)
			chosen = i; /* the most urgent so far */
	return chosen;
}

static inline void decide(struct world *w)
{
	unsigned chosen = choose(w), keeper;
	uint32_t late = 0;

	while (chosen != NO_SERVER && keeper_from(w, chosen) == NO_SERVER && !goes_on(w, chosen))
		chosen = choose(w);
	keeper = chosen == NO_SERVER ? NO_SERVER : keeper_from(w, chosen);
	if (keeper != NO_SERVER) {
		late = keep_out(w, chosen, keeper);
		chosen = keeper;
	} else if (chosen != NO_SERVER && GAP != LIMIT_STAYS) {
		w->server[chosen].limit = NO_LIMIT;
	}
	run_task(w, chosen == NO_SERVER ? NO_TASK : first_of(w, chosen));
	w->core = (uint8_t)chosen;
	if (w->running != NO_TASK)
		publish(w, late);
}

/* ---- Entries ------------------------------------------------------------------------------- */

static inline void interrupt(struct world *w)
{
	say("the kernel is entered");
	enter_kernel(w);
	decide(w);
}

static inline void replenish(struct world *w, unsigned server)
{
	say("S%u is replenished", server + 1);
	enter_kernel(w);
	renew_budget(w, server);
	decide(w);
}

static inline void arrive(struct world *w, unsigned task)
{
	say("T%u arrives", task + 1);
	enter_kernel(w);
	w->task[task].life = READY;
	decide(w);
}

static inline void end(struct world *w)
{
	say("T%u ends", w->running + 1U);
	end_activation(w);
	enter_kernel(w);
	decide(w);
}

/* The running task has entered the inner level, and asks for a budget. It enters or waits. */
static inline void ask(struct world *w)
{
	unsigned task = w->running;
	const struct server *s = &w->server[w->core];
	bool is_part; /* part of a section of the same server */

	enter_kernel(w);
	if (w->running != task)
		return decide(w);
	is_part = claim_of(w, w->core) != 0;
	if (is_part || plf_lazy_global_is_enough(s->left, hold_of[w->core])) {
		grant(w, task);
	} else {
		say("T%u waits for the next budget", task + 1);
		w->task[task].life = SKIPPING;
	}
	decide(w);
}

#endif
