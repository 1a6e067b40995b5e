/* SPDX-License-Identifier: MIT */
#include "servers.h"

unsigned servers_phases(const struct taskset *set)
{
	unsigned phases = 1;

	for (unsigned i = 0; i < set->servers && set->server[i].kind != SLOT; i++)
		phases *= set->server[i].period;
	return phases;
}

/* As if each had had the processor from its replenishment on, but for a polling one, which has none
 * left. */
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

static bool has_processor(const struct server *server, const struct server_state *state,
			  bool is_ready)
{
	if (server->kind == SLOT)
		return state->phase >= server->start &&
		       state->phase < server->start + server->budget;
	return state->left > 0 && (is_ready || server->kind == IDLING);
}

unsigned servers_choose(const struct taskset *set, struct state *state, unsigned ready)
{
	for (unsigned i = 0; i < set->servers; i++) {
		if (has_processor(&set->server[i], &state->server[i], ready >> i & 1))
			return i;
		if (set->server[i].kind == POLLING)
			state->server[i].left = 0;
	}
	return NO_SERVER;
}

void servers_pass(const struct taskset *set, struct state *state, unsigned server)
{
	for (unsigned i = 0; i < set->servers; i++) {
		struct server_state *s = &state->server[i];
		bool has_budget = set->server[i].kind != SLOT;

		if (i == server && has_budget)
			s->left--;
		if (++s->phase < set->server[i].period)
			continue;
		s->phase = 0;
		if (has_budget)
			s->left = (uint8_t)set->server[i].budget;
	}
}
