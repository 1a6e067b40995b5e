/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_H
#define PLF_SHARING_H

/* Resources with users in several servers: see kernel/sharing.h. */
#include "plf_servers.h"

static inline struct plf_lazy_global *plf_claim_words(const struct plf_core *core)
{
	return &((struct plf_page *)(void *)core->words)->global; /* the page begins with `words` */
}

/* ---- Claims -------------------------------------------------------------------------- */

static inline uint32_t plf_claim_of_running(const struct plf_core *core)
{
	return plf_lazy_global_bound(plf_claim_words(core), core->server->level,
				     core->running->config->claim);
}

/* The claim of the server that has the core. */
static inline uint32_t plf_claim_now(const struct plf_core *core)
{
	uint32_t own = core->running ? plf_claim_of_running(core) : 0;
	uint32_t held = core->server->held;

	return own > held ? own : held;
}

static inline void plf_publish(const struct plf_core *core)
{
	const struct plf_server *server = core->server;
	uint64_t end_ns = core->since_ns + server->left_ns;
	uint64_t last_ns = UINT64_MAX;

	if (!server->held)
		last_ns = plf_lazy_global_last_ns(end_ns, server->hold_ns);
	plf_lazy_global_publish(plf_claim_words(core), last_ns, core->late, server->held);
}

/* ---- For the scheduler --------------------------------------------------------------- */

static inline void plf_push_claim(struct plf_core *core, struct plf_task *task)
{
	struct plf_server *server = core->server;

	task->claim = plf_claim_of_running(core);
	task->held_below = server->held;
	if (task->claim > server->held)
		server->held = task->claim;
}

static inline void plf_pop_claim(struct plf_core *core, const struct plf_task *task)
{
	core->server->held = task->held_below;
}

static inline void plf_load_sharing(struct plf_core *core, const struct plf_task *task)
{
	struct plf_page *page = (struct plf_page *)(void *)core->words;

	plf_store32(&page->global.claim, task->claim);
	plf_store32(&page->global.row, core->server->row);
	plf_publish(core);
}

static inline void plf_forget_claim(struct plf_task *task)
{
	task->claim = 0;
}

/*
 * In sharing.c: whether a task that waits must go on waiting. It waits for the next replenishment.
 * It waits for another if tasks above it have left too little of the new budget.
 */
bool plf_has_to_wait(struct plf_core *core, struct plf_task *task);

static inline bool plf_waits_for_budget(struct plf_core *core, struct plf_task *task)
{
	return task->waits_until_ns && plf_has_to_wait(core, task);
}

/* ---- For the servers ---------------------------------------------------------------------- */

/* In sharing.c. */
void plf_prepare_sharer(struct plf_server *server, unsigned index);

static inline void plf_prepare_sharing(struct plf_server *server, unsigned index)
{
	plf_prepare_sharer(server, index);
}

static inline bool plf_is_late_over(const struct plf_core *core)
{
	return core->late && plf_claim_now(core) < core->late;
}

/* In sharing.c. */
bool plf_go_over(struct plf_server *server, uint64_t end_ns);

static inline __attribute__((warn_unused_result)) bool plf_begin_overrun(struct plf_server *server,
									 uint64_t end_ns)
{
	return plf_go_over(server, end_ns);
}

/* In sharing.c. */
bool plf_serve_at_once(struct plf_core *core, uint64_t now_ns);

static inline __attribute__((warn_unused_result)) bool plf_is_served_at_once(struct plf_core *core,
									     uint64_t now_ns)
{
	return plf_serve_at_once(core, now_ns);
}

static inline void plf_note_others(struct plf_core *core, uint64_t until_ns)
{
	core->others_ns = until_ns;
}

static inline bool plf_is_beyond_budget(const struct plf_server *server)
{
	return server->is_over;
}

static inline void plf_charge_section(struct plf_server *server, uint64_t used_ns)
{
	if (server->limit_ns != UINT64_MAX)
		server->limit_ns -= server->limit_ns < used_ns ? server->limit_ns : used_ns;
}

static inline bool plf_counts_before(const struct plf_server *server, uint64_t since_ns)
{
	return server->is_over || since_ns + server->left_ns < server->next_ns;
}

/* In sharing.c. */
uint64_t plf_pay_back_ns(struct plf_server *server, bool is_next, uint64_t at_ns);

static inline uint64_t plf_payback_ns(struct plf_server *server, bool is_next, uint64_t at_ns)
{
	return server->is_over || server->owed_ns ? plf_pay_back_ns(server, is_next, at_ns) : 0;
}

/* In sharing.c. */
bool plf_end_section(struct plf_core *core);

static inline __attribute__((warn_unused_result)) bool plf_judge_section(struct plf_core *core)
{
	const struct plf_server *server = core->server;

	core->late = 0;
	core->claim = plf_claim_now(core);
	if (core->claim ? server->left_ns && server->limit_ns
			: !server->is_over && server->limit_ns == UINT64_MAX)
		return false;
	return plf_end_section(core);
}

/* In sharing.c. */
struct plf_server *plf_admit_beside(struct plf_core *core, struct plf_server *server);

static inline struct plf_server *plf_admit(struct plf_core *core, struct plf_server *server)
{
	return core->claim || core->holder ? plf_admit_beside(core, server) : server;
}

static inline bool plf_waits_for_next(const struct plf_server *server)
{
	const struct plf_task *task = server->queue.preempted;

	/* Replenishment times never repeat, so a past time differs from next_ns. */
	return task->urgency.level > 0 && task->waits_until_ns == server->next_ns;
}

static inline uint64_t plf_section_until_ns(const struct plf_server *server, uint64_t now_ns)
{
	uint64_t until_ns = UINT64_MAX;

	if (server->limit_ns != UINT64_MAX)
		until_ns = now_ns + server->limit_ns;
	if (server->next_ns < until_ns && (server->is_over || plf_waits_for_next(server)))
		until_ns = server->next_ns;
	return until_ns;
}

/* In sharing.c: remove from, or add to, the list of servers that claim without the core (G2). */
void plf_leave_holders(struct plf_core *core, struct plf_server *server);
void plf_join_holders(struct plf_core *core, struct plf_server *server);

static inline void plf_take_claim(struct plf_core *core, struct plf_server *server)
{
	plf_leave_holders(core, server);
}

static inline void plf_leave_claim(struct plf_core *core, struct plf_server *server)
{
	plf_join_holders(core, server);
}

/* In sharing.c. */
bool plf_has_above_waiting(const struct plf_server *server);

static inline bool plf_has_runnable(const struct plf_server *server)
{
	if (server->queue.preempted->urgency.level == 0)
		return server->queue.ready != 1; /* bit 0 is always set */
	return !plf_waits_for_next(server) || plf_has_above_waiting(server);
}

static inline bool plf_has_unfinished(const struct plf_server *server)
{
	return server->queue.preempted->urgency.level > 0;
}

#endif
