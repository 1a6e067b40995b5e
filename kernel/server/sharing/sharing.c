/* SPDX-License-Identifier: MIT */
/*
 * Resources of several servers, in budgets and decisions: OSPERT 2010, 8, Sections VII and VIII,
 * with protocol/lazy_global.h. kernel/sharing.h has the invariants.
 */
#include "plf_schedule.h"
#include "server.h"
#include "service.h"
#include "trace.h"

static void trace(enum plf_trace_server_kind kind, const struct plf_server *server, uint64_t at_ns)
{
	plf_trace_server(kind, (unsigned)(server - plf_servers), at_ns);
}

void plf_prepare_sharing(struct plf_server *server, unsigned index)
{
	server->hold_ns = plf_server_config[index].hold_ns;
	server->sharing = plf_server_config[index].sharing;
	server->row = plf_server_config[index].row;
	server->limit_ns = UINT64_MAX;
}

/* ---- Overrun ------------------------------------------------------------------------- */

/* At a replenishment there is nothing beyond the budget. */
bool plf_begin_overrun(struct plf_server *server, uint64_t end_ns)
{
	const struct plf_core *core = plf_this_core();

	if (server->sharing != PLF_OVERRUN && server->sharing != PLF_OVERRUN_PAYBACK)
		return false;
	if (server->is_over || server->left_ns == 0 || end_ns == server->next_ns ||
	    !plf_claim_now(core))
		return false;
	trace(PLF_TRACE_OVERRUN, server, end_ns);
	server->is_over = true;
	server->left_ns = plf_lazy_global_most(server->hold_ns);
	return true;
}

static void end_overrun(struct plf_server *server)
{
	if (server->is_over && server->sharing == PLF_OVERRUN_PAYBACK)
		server->owed_ns = plf_lazy_global_used(server->left_ns, server->hold_ns);
	server->is_over = false;
}

/* What is owed is paid out of the very next budget, which is larger: X is less than any budget. */
uint64_t plf_payback_ns(struct plf_server *server, bool is_next, uint64_t at_ns)
{
	uint64_t owed_ns;

	end_overrun(server);
	owed_ns = is_next ? server->owed_ns : 0;
	server->owed_ns = 0;
	if (owed_ns)
		trace(PLF_TRACE_PAYBACK, server, at_ns);
	return owed_ns;
}

/* ---- The end of a section, by force -------------------------------------------------- */

static bool has_lasted_too_long(const struct plf_core *core)
{
	const struct plf_server *server = core->server;

	return core->running && plf_claim_now(core) &&
	       (server->left_ns == 0 || server->limit_ns == 0);
}

bool plf_judge_section(struct plf_core *core)
{
	struct plf_server *server = core->server;
	bool was_over = server->is_over;

	while (has_lasted_too_long(core))
		plf_end_foul(core, E_OS_PROTECTION_LOCKED);
	if (plf_claim_now(core))
		return false;
	server->limit_ns = UINT64_MAX;
	end_overrun(server);
	return was_over;
}

/* ---- Decisions --------------------------------------------------------------------------- */

/* From now on its section has to end within X of its own time. */
static void keep_out(struct plf_core *core, struct plf_server *server, struct plf_server *holder)
{
	core->late = plf_level_of_server(core, server);
	if (holder->limit_ns == UINT64_MAX)
		holder->limit_ns = plf_lazy_global_most(holder->hold_ns);
	if (PLF_TRACE && !server->is_kept_out)
		trace(PLF_TRACE_KEEP_OUT, server, plf_port_now_ns());
	server->is_kept_out = true;
}

/* What the holder claims is `held`, or in the page if it has the core. */
static uint32_t claim_of(const struct plf_core *core, const struct plf_server *holder)
{
	return holder == core->server ? plf_claim_now(core) : holder->held;
}

/* The first of those that claim, which the others that claim have to wait for; NULL: none does. */
static struct plf_server *first_holder(const struct plf_core *core)
{
	return plf_claim_now(core) ? core->server : core->holder;
}

struct plf_server *plf_admit(struct plf_core *core, struct plf_server *server)
{
	struct plf_server *holder = first_holder(core);

	core->late = 0;
	if (holder && server != holder &&
	    plf_lazy_global_keeps_out(claim_of(core, holder), plf_level_of_server(core, server))) {
		keep_out(core, server, holder);
		server = holder;
	}
	if (server->is_over && !core->late)
		core->late = 1;
	return server;
}

bool plf_waits_for_next(const struct plf_server *server)
{
	const struct plf_task *task = server->queue.preempted;

	return task->urgency.level > 0 && task->waits_until_ns == server->next_ns;
}

/* At its next replenishment an overrun ends, and a task that waits for that goes on. */
uint64_t plf_section_until_ns(const struct plf_server *server, uint64_t now_ns)
{
	uint64_t until_ns = UINT64_MAX;

	if (server->limit_ns != UINT64_MAX)
		until_ns = now_ns + server->limit_ns;
	if (server->is_over || plf_waits_for_next(server))
		until_ns = plf_least(until_ns, server->next_ns);
	return until_ns;
}

void plf_take_claim(struct plf_core *core, struct plf_server *server)
{
	server->is_kept_out = false;
	if (server == core->holder)
		core->holder = server->below;
}

void plf_leave_claim(struct plf_core *core, struct plf_server *server)
{
	if (!server->held)
		return;
	server->below = core->holder;
	core->holder = server;
}

/* While the top of the stack waits for the budget, only tasks above it run. */
bool plf_has_runnable(const struct plf_server *server)
{
	const struct plf_task *task = server->queue.preempted;
	unsigned highest = 63U - (unsigned)__builtin_clzll(server->queue.ready);

	if (plf_waits_for_next(server))
		return highest > plf_counting(task, task->urgency.level);
	return task->urgency.level > 0 || highest > 0;
}

/* ---- Skipping -------------------------------------------------------------------------------- */

/*
 * Its resources have it at the local ceiling meanwhile, as on the stack of those that were
 * preempted. A section that begins inside another one of the server is a part of that one.
 */
bool plf_may_enter(struct plf_core *core, uint32_t claim)
{
	struct plf_server *server = core->server;
	struct plf_task *task = core->running;

	if (server->sharing != PLF_SKIP || plf_claim_now(core))
		return true;
	plf_charge(core);
	if (plf_lazy_global_is_enough(server->left_ns, server->hold_ns)) {
		plf_publish(core);
		return true;
	}
	task->waits_until_ns = server->next_ns;
	plf_trace(PLF_TRACE_SKIP, task);
	plf_put_back(core, plf_running_level(core, PLF_LEVELS - 1));
	task->claim = claim;
	plf_dispatch(core);
	return false;
}

/* ---- Sections as system calls ---------------------------------------------------------------- */

unsigned plf_words_row(const struct plf_core *core)
{
	return plf_queue_number(core);
}

uint32_t plf_claimed(const struct plf_core *core)
{
	return plf_load32(&plf_claim_words(core)->claim);
}

uint32_t plf_row(const struct plf_core *core)
{
	return core->server->row;
}

void plf_claim(struct plf_core *core, uint32_t ceiling)
{
	struct plf_lazy_global *words = plf_claim_words(core);

	if (plf_may_enter(core, ceiling))
		plf_lazy_global_enter(words, plf_load32(&words->claim), ceiling);
}

/* The kernel looks at the claim on its way out: no load of `late` has to follow. */
void plf_withdraw(struct plf_core *core, uint32_t before)
{
	plf_store32(&plf_claim_words(core)->claim, before);
}

struct plf_result plf_await_budget(uintptr_t a, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_trace(PLF_TRACE_CALL, core->running);
	plf_may_enter(core, 0);
	return plf_status(E_OK);
}
