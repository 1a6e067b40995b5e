/* SPDX-License-Identifier: MIT */
/*
 * The port's timer, which the servers of a core share with the alarms of the one that has it. A
 * task that holds interrupts back holds alarms back, and no server: the port lets this timer
 * through.
 */
#include "server.h"

#include "plf_served.h"

static bool holds_back(const struct plf_core *core)
{
	return core->running && core->running->masked;
}

void plf_set_server_timer(struct plf_core *core)
{
	uint64_t alarm_ns = core->server->due_ns[PLF_TIMER_ALARMS];
	bool alarm_is_first = alarm_ns < core->until_ns && !holds_back(core);

	plf_port_set_timer(alarm_is_first ? alarm_ns : core->until_ns);
}

bool plf_begin_timer(struct plf_core *core)
{
	core->decides |= core->until_ns <= plf_port_now_ns();
	if (!holds_back(core))
		return true;
	plf_take_time(core);
	plf_on_entry(core);
	plf_set_server_timer(core);
	plf_leave_kernel(core);
	return false;
}

/* What became ready meanwhile may preempt now: by an interrupt that is due at once. */
void plf_mask_server_timer(struct plf_core *core)
{
	if (!holds_back(core) && plf_has_ready(plf_queue_of(core)))
		core->server->due_ns[PLF_TIMER_ALARMS] = 0;
	plf_set_server_timer(core);
}

void plf_note_timer_of(unsigned alarm)
{
	struct plf_core *core = plf_this_core();
	struct plf_server *server = core->server;
	unsigned list = plf_list_of(alarm);

	if (list == plf_queue_number(core)) {
		plf_set_timer();
		return;
	}
	core->server = &plf_servers[list];
	core->queue = &core->server->queue;
	plf_set_timer();
	core->server = server;
	core->queue = &server->queue;
	plf_set_server_timer(core);
	core->decides = true;
}

void plf_note_arrival_of(struct plf_core *core, unsigned queue, uint64_t at_ns)
{
	struct plf_server *server = core->server;

	plf_servers[queue].due_ns[PLF_TIMER_ARRIVALS] = at_ns;
	core->queue = &plf_servers[queue].queue;
	plf_timer_is_set(core, PLF_TIMER_ARRIVALS, at_ns);
	core->queue = &server->queue;
	if (queue == plf_queue_number(core))
		plf_port_set_arrival(at_ns);
}
