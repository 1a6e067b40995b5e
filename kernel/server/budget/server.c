/* SPDX-License-Identifier: MIT */
/*
 * Decides which server has the core: plf_server.h has the invariants. A decision looks at the
 * servers of its core from the most urgent server down to the server that gets the core.
 */
#include "server.h"

#include "due.h"
#include "plf_served.h"
#include "trace.h"

struct plf_server plf_servers[PLF_QUEUES];

/* The entry in force while no server has the core. It has no budget, and never gets any. */
static struct plf_server *no_server(const struct plf_core *core)
{
	return &plf_servers[PLF_SERVERS + plf_index_of(core)];
}

static void trace(enum plf_trace_server_kind kind, const struct plf_server *server, uint64_t at_ns)
{
	unsigned index = (unsigned)(server - plf_servers);

	if (index < PLF_SERVERS)
		plf_trace_server(kind, index, at_ns);
}

/* ---- Budget ------------------------------------------------------------------ */

/* The budget ended at that time. */
static void deplete(struct plf_server *server, uint64_t at_ns)
{
	if (server->left_ns > 0)
		trace(PLF_TRACE_DEPLETE, server, at_ns);
	server->left_ns = 0;
}

static void use(struct plf_server *server, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t end_ns = from_ns + server->left_ns;

	if (to_ns >= end_ns && plf_begin_overrun(server, end_ns))
		end_ns += server->left_ns;
	if (to_ns < end_ns)
		server->left_ns = end_ns - to_ns;
	else
		deplete(server, end_ns);
}

/*
 * The first replenishment after now. Divide only if more than one has passed, because division is
 * slow.
 */
static uint64_t next_after(const struct plf_server *server, uint64_t now_ns)
{
	uint64_t next_ns = server->next_ns + server->period_ns;

	if (now_ns < next_ns)
		return next_ns;
	return now_ns - (now_ns - next_ns) % server->period_ns + server->period_ns;
}

/*
 * Set the budget to that of the last replenishment that has passed, if any has. A slot that is seen
 * late has used the time since its start, because it must not end later. If several replenishments
 * have passed, trace only the first, because the others changed nothing.
 */
static inline void replenish(struct plf_server *server, uint64_t now_ns)
{
	uint64_t at_ns;

	if (now_ns < server->next_ns)
		return;
	at_ns = server->next_ns;
	trace(PLF_TRACE_REPLENISH, server, at_ns);
	server->next_ns = next_after(server, now_ns);
	server->left_ns =
		server->budget_ns -
		plf_payback_ns(server, server->next_ns == at_ns + server->period_ns, at_ns);
	if (server->kind == PLF_SLOT)
		use(server, server->next_ns - server->period_ns, now_ns);
}

/*
 * Charge the current server up to now_ns. Time before a replenishment comes out of the old budget,
 * and time after it out of the new budget. next_ns is never before since_ns. A no-server entry has
 * no replenishment.
 */
static inline void charge(struct plf_core *core, uint64_t now_ns)
{
	struct plf_server *server = core->server;
	uint64_t since_ns = core->since_ns;

	core->since_ns = now_ns;
	plf_charge_section(server, now_ns - since_ns);
	if (server->next_ns <= now_ns) {
		if (plf_counts_before(server, since_ns))
			use(server, since_ns, server->next_ns);
		since_ns = server->next_ns;
		replenish(server, since_ns);
	}
	use(server, since_ns, now_ns);
}

/* ---- The choice ----------------------------------------------------------------- */

static uint64_t first_due_ns(const struct plf_server *server)
{
	uint64_t alarm_ns = server->due_ns[PLF_TIMER_ALARMS];

	return PLF_ARRIVALS ? plf_least(alarm_ns, server->due_ns[PLF_TIMER_ARRIVALS]) : alarm_ns;
}

/*
 * Apart from tasks that wait for a budget, the stack holds only the stopped task and the tasks that
 * it preempted.
 */
static bool has_ready(const struct plf_server *server)
{
	return (PLF_SHARING ? plf_has_runnable(server) : plf_has_new(&server->queue)) ||
	       server->stopped;
}

/* Whether the server would use the core. An idling server and a slot always do. */
static bool wants(const struct plf_server *server, uint64_t now_ns)
{
	return has_ready(server) || server->kind == PLF_IDLING || server->kind == PLF_SLOT ||
	       first_due_ns(server) <= now_ns;
}

/*
 * The server does not get the core, and a polling server loses its budget. Returns the next time at
 * which the server may get it.
 */
static uint64_t pass_over(struct plf_server *server, uint64_t now_ns)
{
	if (server->kind == PLF_POLLING)
		deplete(server, now_ns);
	if (server->left_ns == 0)
		return server->next_ns;
	if (plf_waits_for_next(server))
		return plf_least(server->next_ns, first_due_ns(server));
	return first_due_ns(server);
}

/*
 * The server that gets the core in place of `server`: a section of another server may keep it out.
 */
static inline struct plf_server *admit(struct plf_core *core, struct plf_server *server,
				       uint64_t now_ns)
{
	struct plf_server *admitted = plf_admit(core, server);

	if (admitted != server)
		replenish(admitted, now_ns);
	return admitted;
}

/* No decision is due at the replenishment of the chosen server, because charge() applies it. */
static struct plf_server *choose(struct plf_core *core, uint64_t now_ns)
{
	struct plf_server *server;
	uint64_t until_ns = UINT64_MAX;

	for (server = core->first; server < core->end; server++) {
		replenish(server, now_ns);
		if (server->left_ns > 0 && wants(server, now_ns)) {
			plf_note_others(core, until_ns);
			server = admit(core, server, now_ns);
			until_ns = plf_least(until_ns, plf_section_until_ns(server, now_ns));
			core->until_ns = plf_least(until_ns, now_ns + server->left_ns);
			return server;
		}
		until_ns = plf_least(until_ns, pass_over(server, now_ns));
	}
	core->until_ns = until_ns;
	return no_server(core);
}

/* ---- The change --------------------------------------------------------------------- */

static void take_core_from(struct plf_core *core, struct plf_server *server)
{
	trace(PLF_TRACE_LOSE, server, core->since_ns);
	if (!core->running)
		return;
	plf_stop(core);
	plf_set_running(core, NULL);
	plf_leave_claim(core, server);
}

/* Handle the events that came for the server while it did not have the core. */
static void handle_due(struct plf_core *core, uint64_t now_ns)
{
	core->server->given_ns = UINT64_MAX;
	if (core->server->due_ns[PLF_TIMER_ALARMS] <= now_ns) {
		plf_expire_all(core);
		plf_set_timer();
	}
	if (PLF_ARRIVALS)
		plf_take_arrivals(core);
}

/* The task holds alarms back. The kernel's time must not pass them meanwhile: E5. */
static void hold_back_alarms(struct plf_core *core)
{
	plf_timer_is_set(core, PLF_TIMER_ALARMS, plf_first_alarm_or_given_ns(core->server));
}

/*
 * The stopped task resumes first, because its words say which resources it holds. Only then do
 * later arrivals compete with it, each as of the instant when it was due. Until handle_due(), the
 * time of the queue is that of the stop. If all arrivals were refused, the server is empty, and
 * `decides` passes the core on.
 */
static void give_core_to(struct plf_core *core, struct plf_server *server, uint64_t now_ns)
{
	plf_make_current(core, server);
	plf_take_claim(core, server);
	trace(PLF_TRACE_GET, server, now_ns);
	if (PLF_ARRIVALS)
		plf_port_set_arrival(server->due_ns[PLF_TIMER_ARRIVALS]);
	if (server->stopped) {
		plf_resume(core);
		if (core->running->masked) {
			hold_back_alarms(core);
			return;
		}
		handle_due(core, now_ns);
		plf_preempt_if_due(core);
	} else {
		handle_due(core, now_ns);
		plf_dispatch(core);
		if (!core->running)
			core->decides = true;
	}
}

void plf_decide_server(struct plf_core *core)
{
	uint64_t now_ns = plf_port_now_ns();
	struct plf_server *server;

	core->decides = false;
	charge(core, now_ns);
	if (plf_judge_section(core))
		deplete(core->server, now_ns);
	core->server->stopped = core->running;
	server = choose(core, now_ns);
	if (server != core->server) {
		take_core_from(core, core->server);
		give_core_to(core, server, now_ns);
	} else if (PLF_SHARING && !core->running) {
		plf_dispatch(core); /* a task that waited for the next budget */
	}
	plf_publish(core);
	plf_set_server_timer(core);
}

void plf_charge(struct plf_core *core)
{
	charge(core, plf_port_now_ns());
}

void plf_give_to_server(struct plf_core *core, struct plf_task *task)
{
	struct plf_server *server = core->server;
	uint64_t now_ns = 0; /* if no deadline counts from it */

	plf_make_current(core, task->server);
	if (PLF_TAKES_TIME)
		now_ns = plf_port_now_ns();
	core->server->given_ns = plf_least(core->server->given_ns, now_ns);
	plf_arrived(core, now_ns);
	plf_join(core, task);
	plf_make_current(core, server);
	if (task->server < server) /* a lower index is more urgent */
		core->decides = true;
}

/* ---- The start, and the end of a run ----------------------------------------------------- */

/*
 * The no-server entry also carries the tasks of a core without servers. These tasks may signal all
 * tasks, and all tasks may signal them.
 */
static void prepare_no_server(struct plf_server *server)
{
	server->next_ns = UINT64_MAX;
	server->mark = UINT64_MAX;
	server->signals = UINT64_MAX;
}

static void prepare_server(struct plf_server *server, unsigned index)
{
	const struct plf_server_config *config = &plf_server_config[index];

	server->budget_ns = config->budget_ns;
	server->period_ns = config->period_ns;
	server->kind = config->kind;
	server->mark = UINT64_C(1) << index;
	server->signals = config->signals | server->mark;
	plf_prepare_sharing(server, index);
}

/* No event is pending for the server. */
static void prepare_queue(struct plf_core *core, struct plf_server *server)
{
	plf_make_current(core, server);
	plf_prepare_queue(core);
	server->given_ns = UINT64_MAX;
	for (unsigned kind = 0; kind < PLF_TIMERS; kind++)
		server->due_ns[kind] = UINT64_MAX;
}

void plf_prepare_servers(struct plf_core *core)
{
	unsigned index = plf_first_server[plf_index_of(core)];
	unsigned end = plf_first_server[plf_index_of(core) + 1];

	core->first = &plf_servers[index];
	core->end = &plf_servers[end];
	for (; index < end; index++) {
		prepare_queue(core, &plf_servers[index]);
		prepare_server(&plf_servers[index], index);
	}
	prepare_queue(core, no_server(core));
	prepare_no_server(no_server(core));
	for (unsigned task = 0; task < PLF_TASKS; task++)
		plf_tasks[task].server = &plf_servers[plf_task_config[task].server];
}

void plf_begin_periods(struct plf_core *core)
{
	uint64_t zero_ns = PLF_TRACE ? plf_trace_zero_ns() : plf_port_now_ns();

	for (struct plf_server *server = core->first; server != core->end; server++)
		server->next_ns = zero_ns + plf_server_config[server - plf_servers].start_ns;
}

bool plf_no_server_has_work(const struct plf_core *core)
{
	for (unsigned queue = 0; queue < PLF_QUEUES; queue++)
		if (plf_core_of_queue(queue) == plf_index_of(core) &&
		    (has_ready(&plf_servers[queue]) || plf_has_unfinished(&plf_servers[queue])))
			return false;
	return true;
}

/* ---- A service ----------------------------------------------------------------------------- */

struct plf_result plf_get_budget(uintptr_t id, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	if (id >= PLF_SERVERS)
		return plf_status(E_OS_ID);
	if (plf_core_of_queue((unsigned)id) != plf_index_of(core))
		return plf_status(E_OS_CORE);
	charge(core, plf_port_now_ns());
	replenish(&plf_servers[id], core->since_ns);
	return plf_value(plf_is_beyond_budget(&plf_servers[id]) ? 0 : plf_servers[id].left_ns);
}
