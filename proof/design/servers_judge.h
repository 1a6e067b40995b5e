/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_SERVERS_JUDGE_H
#define DESIGN_SERVERS_JUDGE_H

/*
 * The rules of servers.h. The judge keeps its own accounts. It reads neither the kernel's accounts
 * nor shared words.
 */
#include "servers.h"

static inline bool has_foul_task(unsigned server)
{
	return FOUL && server_of[0] == server;
}

/* ---- Duration of a section, in its server's time --------------------------------------- */

/* A section that begins inside another section of the same server is part of it. */
static inline void time_section(struct world *w, unsigned task)
{
	struct server *s = &w->server[server_of[task]];

	if (s->timed || is_foul(task))
		return;
	s->timed = (uint8_t)(task + 1);
	s->held = 0;
}

static inline void forget_section(struct world *w, unsigned task)
{
	struct server *s = &w->server[server_of[task]];

	if (s->timed != task + 1)
		return;
	s->timed = 0;
	s->held = 0;
}

static inline bool may_last(const struct world *w, unsigned server)
{
	const struct server *s = &w->server[server];

	return has_foul_task(server) || !s->timed || s->held < hold_of[server];
}

/* ---- Budgets ----------------------------------------------------------------------------- */

static inline unsigned own_budget(const struct server *s, unsigned server)
{
	return budget_of[server] - s->debt;
}

static inline void note_budget(struct server *s, unsigned server)
{
	unsigned own = own_budget(s, server);

	s->debt = (uint8_t)(policy_of[server] == PAYBACK && s->spent > own ? s->spent - own : 0);
	s->spent = 0;
}

/* A foul task may be a unit late, because its section can end one unit after X. */
static inline unsigned longest(unsigned server)
{
	return hold_of[server] + (has_foul_task(server) ? 1U : 0U);
}

static inline void look_at_budget(struct world *w, unsigned server)
{
	const struct server *s = &w->server[server];
	unsigned own = own_budget(s, server),
		 beyond = policy_of[server] == SKIP ? 0 : longest(server);

	demand(w, s->spent <= own + beyond, BREAKS_BUDGET);
	if (has_foul_task(server))
		return;
	demand(w, s->spent <= own || s->timed, BREAKS_BEYOND);
	if (policy_of[server] == SKIP && s->timed)
		demand(w, s->spent < own, BREAKS_SPLIT);
}

/* ---- Which server has the core --------------------------------------------------------------- */

static inline bool is_inside_any(const struct world *w, unsigned server)
{
	for (unsigned i = 0; i < TASKS; i++)
		if (server_of[i] == server && !is_foul(i) && w->task[i].depth &&
		    inside(&w->task[i]))
			return true;
	return false;
}

static inline bool wants(const struct world *w, unsigned server)
{
	const struct server *s = &w->server[server];

	return first_of(w, server) != NO_TASK &&
	       (s->spent < own_budget(s, server) || is_inside_any(w, server));
}

/* A section that is being left may still claim. */
static inline bool may_claim(const struct world *w, unsigned task, unsigned resource)
{
	const struct task *t = &w->task[task];
	bool is_entering = GAP != CLAIM_FIRST && t->stage >= LOOKS && t->stage <= ENTERS;

	return memchr(t->open, (int)resource, t->depth - (is_entering ? 1U : 0U)) != NULL;
}

/* Whether a section of another server keeps this server out. */
static inline bool is_kept_out(const struct world *w, unsigned server)
{
	for (unsigned i = 0; i < TASKS; i++)
		for (unsigned r = 0; r < RESOURCES; r++)
			if (server_of[i] != server && may_claim(w, i, r) &&
			    ceiling_of(r) >= level_of(server))
				return true;
	return false;
}

static inline void look_at_one_that_waits(struct world *w, unsigned server)
{
	bool is_above = w->running != NO_TASK && w->core > server;

	if (w->running != NO_TASK && is_foul(w->running))
		demand(w, is_above || highest_of(w->running) >= level_of(server), BREAKS_BOUND);
	else
		demand(w, is_above || (w->running != NO_TASK && is_kept_out(w, server)),
		       BREAKS_LOST);
}

static inline void look_at_sections(struct world *w)
{
	for (unsigned r = 0; r < RESOURCES; r++) {
		unsigned holders = 0;

		for (unsigned i = 0; i < TASKS; i++) {
			if (is_foul(i) || !is_inside(w, i, r))
				continue;
			holders++;
			demand(w,
			       w->running == NO_TASK || server_of[i] == w->core ||
				       level_of(w->core) > ceiling_of(r),
			       BREAKS_CEILING);
		}
		demand(w, holders <= 1, BREAKS_EXCLUSION);
	}
}

static inline void look(struct world *w)
{
	look_at_sections(w);
	for (unsigned server = 0; server < SERVERS; server++) {
		if (server == w->core)
			w->server[server].kept = 0;
		else if (wants(w, server))
			look_at_one_that_waits(w, server);
	}
}

/* ---- A unit has passed -------------------------------------------------------------------------
 */

static inline void look_at_unit(struct world *w)
{
	struct server *s = &w->server[w->core];

	s->spent++;
	if (s->timed)
		s->held++;
	look_at_budget(w, w->core);
	for (unsigned server = w->core + 1U; server < SERVERS; server++)
		if (wants(w, server)) {
			w->server[server].kept++;
			demand(w, w->server[server].kept <= longest(w->core), BREAKS_KEPT);
		}
}

#endif
