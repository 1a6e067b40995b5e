/* SPDX-License-Identifier: MIT */
#include "servers.h"

unsigned servers_phases(const struct taskset *set)
{
	unsigned phases = 1;

	for (unsigned i = 0; i < set->servers && set->server[i].kind != SLOT; i++)
		phases *= set->server[i].period;
	return phases;
}

/* Each server starts as if it had used the processor since its replenishment. A polling server
 * starts without budget, except at its replenishment. */
void servers_begin(const struct taskset *set, struct state *state, unsigned phase)
{
	for (unsigned i = 0; i < set->servers && set->server[i].kind != SLOT; i++) {
		const struct server *server = &set->server[i];
		unsigned since = phase % server->period;
		bool is_over = since >= server->budget || (since > 0 && server->kind == POLLING);

		phase /= server->period;
		state->server[i].phase = (uint8_t)since;
		state->server[i].left = (uint8_t)(is_over ? 0 : server->budget - since);
	}
}

unsigned servers_left(const struct taskset *set, const struct state *state, unsigned server)
{
	const struct server *of = &set->server[server];
	unsigned phase = state->server[server].phase;

	if (of->kind != SLOT)
		return state->server[server].left;
	return phase >= of->start && phase < of->start + of->budget ? of->start + of->budget - phase
								    : 0;
}

static unsigned without_budget(const struct taskset *set, const struct state *state,
			       unsigned inside, bool skips)
{
	unsigned found = 0;

	for (unsigned i = 0; i < set->servers; i++)
		if (inside >> i & 1 && servers_left(set, state, i) == 0 &&
		    (set->server[i].policy == SKIP) == skips)
			found |= 1U << i;
	return found;
}

unsigned servers_over(const struct taskset *set, const struct state *state, unsigned inside)
{
	return without_budget(set, state, inside, false);
}

unsigned servers_unfinished(const struct taskset *set, const struct state *state, unsigned inside)
{
	return without_budget(set, state, inside, true);
}

static bool wants_processor(const struct taskset *set, const struct state *state,
			    const struct served *served, unsigned server)
{
	enum server_kind kind = set->server[server].kind;

	if (servers_over(set, state, served->inside) >> server & 1)
		return true;
	return servers_left(set, state, server) > 0 &&
	       (served->ready >> server & 1 || kind == IDLING || kind == SLOT);
}

/* Returns the less urgent server that keeps out `server`, or `server` itself. */
static unsigned kept_out_by(const struct taskset *set, const struct served *served, unsigned server)
{
	for (unsigned i = server + 1; i < set->servers && set->server[i].kind != SLOT; i++)
		if (served->inside >> i & 1 && served->claims[i] <= server)
			return i;
	return server;
}

unsigned servers_choose(const struct taskset *set, struct state *state, const struct served *served,
			struct choices *choices)
{
	for (unsigned i = 0; i < set->servers; i++) {
		unsigned first = kept_out_by(set, served, i);

		if (wants_processor(set, state, served, i))
			return first;
		if (set->server[i].kind == POLLING && state->server[i].left > 0 &&
		    (first == i || choose(choices, 2) == 1))
			state->server[i].left = 0;
	}
	return NO_SERVER;
}

void servers_charge(const struct taskset *set, struct state *state, unsigned server)
{
	if (server == NO_SERVER || set->server[server].kind == SLOT)
		return;
	if (state->server[server].left > 0)
		state->server[server].left--;
	else if (set->server[server].policy == OVERRUN_PAYBACK)
		state->server[server].over++;
}

unsigned servers_replenish(const struct taskset *set, struct state *state)
{
	unsigned begun = 0;

	for (unsigned i = 0; i < set->servers; i++) {
		const struct server *server = &set->server[i];
		struct server_state *s = &state->server[i];

		s->phase = (uint8_t)((s->phase + 1U) % server->period);
		if (s->phase != (server->kind == SLOT ? server->start : 0))
			continue;
		begun |= 1U << i;
		if (server->kind != SLOT)
			s->left = (uint8_t)(server->budget - s->over);
		s->over = 0;
	}
	return begun;
}
