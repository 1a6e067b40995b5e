/* SPDX-License-Identifier: MIT */
/*
 * Which server has the core: plf_server.h has the invariants. A decision looks at the servers of
 * its core, from the most urgent one to that which gets the core, and at no others.
 */
#include "server.h"

#include "due.h"
#include "plf_served.h"
#include "trace.h"

struct plf_server plf_servers[PLF_QUEUES];

static const struct plf_server_config *config_of(const struct plf_server *server)
{
	return &plf_server_config[server - plf_servers];
}

/* That of a core while none of its servers has it: it has no budget, and needs none. */
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

/* Nothing is left of its budget since then. */
static void deplete(struct plf_server *server, uint64_t at_ns)
{
	if (server->left_ns > 0)
		trace(PLF_TRACE_DEPLETE, server, at_ns);
	server->left_ns = 0;
}

static void use(struct plf_server *server, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t used_ns = to_ns - from_ns;

	if (used_ns < server->left_ns)
		server->left_ns -= used_ns;
	else
		deplete(server, from_ns + server->left_ns);
}

/*
 * Its budget is whole again since the last replenishment that has come, if one has. A slot that is
 * seen late ends no later: it has used the time since its start. Of several replenishments that
 * have come the first is traced: the others changed nothing.
 */
static void replenish(struct plf_server *server, uint64_t now_ns)
{
	const struct plf_server_config *config = config_of(server);
	uint64_t late_ns;

	if (now_ns < server->next_ns)
		return;
	trace(PLF_TRACE_REPLENISH, server, server->next_ns);
	late_ns = (now_ns - server->next_ns) % config->period_ns;
	server->next_ns = now_ns - late_ns + config->period_ns;
	server->left_ns = config->budget_ns;
	if (config->kind == PLF_SLOT)
		use(server, now_ns - late_ns, now_ns);
}

/* The server that has the core pays up to now: what is behind a replenishment out of that one. */
static void charge(struct plf_core *core, uint64_t now_ns)
{
	struct plf_server *server = core->server;
	uint64_t since_ns = core->since_ns;

	core->since_ns = now_ns;
	if (server == no_server(core))
		return;
	if (since_ns < server->next_ns && server->next_ns <= now_ns) {
		since_ns = server->next_ns;
		replenish(server, since_ns);
	}
	use(server, since_ns, now_ns);
}

/* ---- The choice ----------------------------------------------------------------- */

static uint64_t first_due_ns(const struct plf_server *server)
{
	return plf_least(server->due_ns[PLF_TIMER_ALARMS], server->due_ns[PLF_TIMER_ARRIVALS]);
}

static bool has_ready(const struct plf_core *core, const struct plf_server *server)
{
	return plf_has_ready(&server->queue) || (server == core->server && core->running);
}

/* Whether it makes use of the core, had it the core: an idling one and a slot do so in any case. */
static bool wants(const struct plf_core *core, const struct plf_server *server, uint64_t now_ns)
{
	uint8_t kind = config_of(server)->kind;

	return kind == PLF_IDLING || kind == PLF_SLOT || has_ready(core, server) ||
	       first_due_ns(server) <= now_ns;
}

/* It does not get the core now. When that may change; a polling one loses what it does not use. */
static uint64_t pass_over(struct plf_server *server, uint64_t now_ns)
{
	if (config_of(server)->kind == PLF_POLLING)
		deplete(server, now_ns);
	return server->left_ns == 0 ? server->next_ns : first_due_ns(server);
}

/* The one that gets the core needs no decision at its own replenishment: charge() sees that. */
static struct plf_server *choose(struct plf_core *core, uint64_t now_ns)
{
	unsigned index = plf_first_server[plf_index_of(core)];
	unsigned end = plf_first_server[plf_index_of(core) + 1];

	core->until_ns = UINT64_MAX;
	for (; index < end; index++) {
		struct plf_server *server = &plf_servers[index];

		replenish(server, now_ns);
		if (server->left_ns > 0 && wants(core, server, now_ns)) {
			core->until_ns = plf_least(core->until_ns, now_ns + server->left_ns);
			return server;
		}
		core->until_ns = plf_least(core->until_ns, pass_over(server, now_ns));
	}
	return no_server(core);
}

/* ---- The change --------------------------------------------------------------------- */

static void take_core_from(struct plf_core *core, struct plf_server *server)
{
	trace(PLF_TRACE_LOSE, server, core->since_ns);
	server->stopped = core->running;
	if (!core->running)
		return;
	plf_stop(core);
	plf_set_running(core, NULL);
}

/* The kernel's time is not after what has come for the server meanwhile: E5. */
static void take_time(struct plf_core *core)
{
	plf_timer_is_set(core, PLF_TIMER_ALARMS, plf_first_alarm_or_given_ns(core->server));
	plf_take_time(core);
}

/* What has come for it meanwhile. */
static void handle_due(struct plf_core *core)
{
	core->server->given_ns = UINT64_MAX;
	if (core->server->due_ns[PLF_TIMER_ALARMS] <= core->since_ns) {
		plf_expire_all(core);
		plf_set_timer();
	}
	if (PLF_ARRIVALS)
		plf_take_arrivals(core);
}

/*
 * The stopped task goes on first, as if it had never stopped: its words say what it holds, and only
 * then is it decided against what has come meanwhile, as of when that came. While it holds
 * interrupts back, that waits.
 */
static void give_core_to(struct plf_core *core, struct plf_server *server)
{
	plf_make_current(core, server);
	trace(PLF_TRACE_GET, server, core->since_ns);
	if (PLF_TAKES_TIME)
		take_time(core);
	if (PLF_ARRIVALS)
		plf_port_set_arrival(server->due_ns[PLF_TIMER_ARRIVALS]);
	if (server->stopped) {
		plf_resume(core);
		if (core->running->masked)
			return;
	}
	handle_due(core);
	if (core->running)
		plf_preempt_if_due(core);
	else
		plf_dispatch(core);
}

/* One that is empty all the same, for what came was refused, gives the core to the next one. */
void plf_decide_server(struct plf_core *core)
{
	struct plf_server *server;

	core->decides = false;
	do {
		charge(core, plf_port_now_ns());
		server = choose(core, core->since_ns);
		if (server == core->server)
			break;
		take_core_from(core, core->server);
		give_core_to(core, server);
	} while (!core->running);
	plf_set_server_timer(core);
}

void plf_give_to_server(struct plf_core *core, struct plf_task *task)
{
	struct plf_server *server = core->server;
	uint64_t now_ns = 0; /* where no deadline counts from it */

	plf_make_current(core, task->server);
	if (PLF_TAKES_TIME)
		now_ns = plf_port_now_ns();
	core->server->given_ns = plf_least(core->server->given_ns, now_ns);
	plf_arrived(core, now_ns);
	plf_join(core, task);
	plf_make_current(core, server);
	core->decides |= task->server < server; /* those before it are more urgent */
}

/* ---- The start, and the end of a run ----------------------------------------------------- */

void plf_prepare_servers(struct plf_core *core)
{
	for (unsigned queue = 0; queue < PLF_QUEUES; queue++) {
		if (plf_core_of_queue(queue) != plf_index_of(core))
			continue;
		plf_make_current(core, &plf_servers[queue]);
		plf_prepare_queue(core);
		core->server->given_ns = UINT64_MAX;
		for (unsigned kind = 0; kind < PLF_TIMERS; kind++)
			core->server->due_ns[kind] = UINT64_MAX;
	}
	plf_make_current(core, no_server(core));
	for (unsigned task = 0; task < PLF_TASKS; task++)
		plf_tasks[task].server = &plf_servers[plf_task_config[task].server];
}

void plf_begin_periods(struct plf_core *core)
{
	uint64_t zero_ns = PLF_TRACE ? plf_trace_zero_ns() : plf_port_now_ns();
	unsigned index = plf_first_server[plf_index_of(core)];

	for (; index < plf_first_server[plf_index_of(core) + 1]; index++)
		plf_servers[index].next_ns = zero_ns + plf_server_config[index].start_ns;
	core->since_ns = plf_port_now_ns();
}

bool plf_no_server_has_work(const struct plf_core *core)
{
	for (unsigned queue = 0; queue < PLF_QUEUES; queue++)
		if (plf_core_of_queue(queue) == plf_index_of(core) &&
		    has_ready(core, &plf_servers[queue]))
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
	return plf_value(plf_servers[id].left_ns);
}
