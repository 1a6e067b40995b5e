/* SPDX-License-Identifier: MIT */
/*
 * Resources with users in several servers: their effects on budgets and decisions. Source: OSPERT
 * 2010, 8, Sections VII and VIII, with protocol/lazy_global.h. kernel/sharing.h has the invariants.
 */
#include "plf_schedule.h"
#include "server.h"
#include "service.h"
#include "trace.h"

static void note(enum plf_trace_server_kind kind, const struct plf_server *server, uint64_t at_ns)
{
	plf_trace_server(kind, (unsigned)(server - plf_servers), at_ns);
}

void plf_prepare_sharer(struct plf_server *server, unsigned index)
{
	server->hold_ns = plf_server_config[index].hold_ns;
	server->most_ns = plf_lazy_global_most(server->hold_ns);
	server->sharing = plf_server_config[index].sharing;
	server->row = plf_server_config[index].row;
	server->level = plf_first_server[plf_server_config[index].core + 1] - index;
	server->limit_ns = UINT64_MAX;
}

/* ---- Overrun ------------------------------------------------------------------------- */

static bool may_overrun(const struct plf_core *core)
{
	const struct plf_server *server = core->server;

	return (server->sharing == PLF_OVERRUN || server->sharing == PLF_OVERRUN_PAYBACK) &&
	       !server->is_over && plf_claim_now(core);
}

static inline void begin_overrun(struct plf_server *server, uint64_t end_ns)
{
	note(PLF_TRACE_OVERRUN, server, end_ns);
	server->is_over = true;
	server->left_ns = server->most_ns;
}

/* No overrun begins at a replenishment, because the new budget pays. */
bool plf_go_over(struct plf_server *server, uint64_t end_ns)
{
	if (server->left_ns == 0 || end_ns == server->next_ns || !may_overrun(plf_this_core()))
		return false;
	begin_overrun(server, end_ns);
	return true;
}

static void end_overrun(struct plf_server *server)
{
	if (server->is_over && server->sharing == PLF_OVERRUN_PAYBACK)
		server->owed_ns = plf_lazy_global_used(server->left_ns, server->most_ns);
	server->is_over = false;
}

/* Only the very next budget pays the debt. X is less than any budget, so the debt fits. */
uint64_t plf_pay_back_ns(struct plf_server *server, bool is_next, uint64_t at_ns)
{
	uint64_t owed_ns;

	end_overrun(server);
	owed_ns = is_next ? server->owed_ns : 0;
	server->owed_ns = 0;
	if (owed_ns)
		note(PLF_TRACE_PAYBACK, server, at_ns);
	return owed_ns;
}

/* ---- An overrun begins or ends without a decision -------------------------------------- */

/*
 * Whether no server is kept out, and all other events that the last decision waits for are later.
 */
static bool is_alone(const struct plf_core *core, uint64_t now_ns)
{
	const struct plf_server *server = core->server;

	return now_ns < core->others_ns && now_ns < server->due_ns[PLF_TIMER_ALARMS] &&
	       server->limit_ns == UINT64_MAX;
}

/* Continue with left_ns from now_ns, and without a decision. */
static void go_on(struct plf_core *core, uint64_t left_ns, uint64_t now_ns)
{
	struct plf_server *server = core->server;

	server->left_ns = left_ns;
	core->since_ns = now_ns;
	core->late = server->is_over;
	core->until_ns = plf_least(core->others_ns, now_ns + left_ns);
	if (server->is_over)
		core->until_ns = plf_least(core->until_ns, server->next_ns);
	plf_publish(core);
}

static bool goes_over(struct plf_core *core, uint64_t now_ns)
{
	struct plf_server *server = core->server;
	uint64_t end_ns = core->since_ns + server->left_ns;

	if (now_ns < end_ns || now_ns >= server->next_ns || now_ns - end_ns > server->hold_ns ||
	    !may_overrun(core))
		return false;
	begin_overrun(server, end_ns);
	go_on(core, server->left_ns - (now_ns - end_ns), now_ns);
	return true;
}

/* If the overrun ended at the replenishment, and the new budget is not used up: replenish. */
static bool is_replenished(struct plf_core *core, uint64_t now_ns)
{
	struct plf_server *server = core->server;
	uint64_t at_ns = server->next_ns;
	uint64_t used_ns = at_ns - core->since_ns;

	if (now_ns < at_ns || used_ns >= server->left_ns ||
	    now_ns - at_ns >= server->budget_ns - server->hold_ns)
		return false;
	server->left_ns -= used_ns;
	note(PLF_TRACE_REPLENISH, server, at_ns);
	server->next_ns = at_ns + server->period_ns;
	go_on(core, server->budget_ns - plf_pay_back_ns(server, true, at_ns) - (now_ns - at_ns),
	      now_ns);
	return true;
}

bool plf_serve_at_once(struct plf_core *core, uint64_t now_ns)
{
	return is_alone(core, now_ns) &&
	       (core->server->is_over ? is_replenished(core, now_ns) : goes_over(core, now_ns));
}

/* ---- The end of a section, by force -------------------------------------------------- */

static bool has_lasted_too_long(const struct plf_core *core)
{
	const struct plf_server *server = core->server;

	return core->running && plf_claim_now(core) &&
	       (server->left_ns == 0 || server->limit_ns == 0);
}

bool plf_end_section(struct plf_core *core)
{
	struct plf_server *server = core->server;
	bool was_over = server->is_over;

	while (has_lasted_too_long(core))
		plf_end_foul(core, E_OS_PROTECTION_LOCKED);
	core->claim = plf_claim_now(core);
	if (core->claim)
		return false;
	server->limit_ns = UINT64_MAX;
	end_overrun(server);
	return was_over;
}

/* ---- Decisions --------------------------------------------------------------------------- */

/* `holder` keeps `server` out. Its section must end within X of its execution time from now on. */
static void keep_out(struct plf_core *core, struct plf_server *server, struct plf_server *holder)
{
	core->late = server->level;
	if (holder->limit_ns == UINT64_MAX)
		holder->limit_ns = holder->most_ns;
	if (PLF_TRACE && !server->is_kept_out)
		note(PLF_TRACE_KEEP_OUT, server, plf_port_now_ns());
	server->is_kept_out = true;
}

/* Only the first server that claims matters, because all other servers that claim wait for it. */
struct plf_server *plf_admit_beside(struct plf_core *core, struct plf_server *server)
{
	struct plf_server *holder = core->claim ? core->server : core->holder;
	uint32_t claim = core->claim ? core->claim : holder->held;

	if (server != holder && plf_lazy_global_keeps_out(claim, server->level)) {
		keep_out(core, server, holder);
		server = holder;
	} else if (server == holder) {
		holder->limit_ns = UINT64_MAX; /* no server waits for it any more */
	}
	if (server->is_over && !core->late)
		core->late = 1;
	return server;
}

void plf_leave_holders(struct plf_core *core, struct plf_server *server)
{
	server->is_kept_out = false;
	if (server == core->holder)
		core->holder = server->below;
}

void plf_join_holders(struct plf_core *core, struct plf_server *server)
{
	if (!server->held)
		return;
	server->below = core->holder;
	core->holder = server;
}

bool plf_has_above_waiting(const struct plf_server *server)
{
	const struct plf_task *task = server->queue.preempted;
	unsigned highest = 63U - (unsigned)__builtin_clzll(server->queue.ready);

	return highest > plf_counting(task, task->urgency.level);
}

/* ---- Skipping -------------------------------------------------------------------------------- */

static bool is_enough_left(struct plf_core *core)
{
	plf_charge(core);
	return plf_lazy_global_is_enough(core->server->left_ns, core->server->hold_ns);
}

static void wait_for_next(const struct plf_core *core, struct plf_task *task)
{
	task->waits_until_ns = core->server->next_ns;
	plf_trace(PLF_TRACE_SKIP, task);
}

bool plf_has_to_wait(struct plf_core *core, struct plf_task *task)
{
	if (task->waits_until_ns == core->server->next_ns)
		return true;
	if (is_enough_left(core)) {
		task->waits_until_ns = 0;
		return false;
	}
	plf_trace(PLF_TRACE_RESUME, task);
	wait_for_next(core, task);
	plf_trace(PLF_TRACE_SUSPEND, task);
	return true;
}

/*
 * Before an outermost section: whether enough budget is left. If not, suspend the running task
 * until the next replenishment. Meanwhile it is on the stack of preempted tasks at its local
 * ceiling. When it resumes, it claims `claim`. A section nested in another section of the server
 * needs no test.
 */
static bool may_enter(struct plf_core *core, uint32_t claim)
{
	struct plf_server *server = core->server;
	struct plf_task *task = core->running;

	if (server->sharing != PLF_SKIP || plf_claim_now(core))
		return true;
	if (is_enough_left(core)) {
		plf_publish(core);
		return true;
	}
	wait_for_next(core, task);
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

	if (may_enter(core, ceiling))
		plf_lazy_global_enter(words, plf_load32(&words->claim), ceiling);
}

/* No load of `late` is needed here, because plf_leave_kernel() checks the claim. */
void plf_withdraw(struct plf_core *core, uint32_t before)
{
	plf_store32(&plf_claim_words(core)->claim, before);
}

/* Returns `saved`, so the task need not keep it across the call. */
struct plf_result plf_await_budget(uintptr_t saved, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_trace(PLF_TRACE_CALL, core->running);
	may_enter(core, 0);
	return plf_value(saved);
}
