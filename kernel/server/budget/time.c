/* SPDX-License-Identifier: MIT */
/*
 * The port's timer serves decisions about servers, and the alarms of the server that has the core.
 * A task that holds interrupts back delays alarms but no decisions, because the port lets this
 * timer through.
 */
#include "server.h"

bool plf_begin_timer(struct plf_core *core)
{
	uint64_t now_ns = plf_port_now_ns();

	if (plf_is_served_at_once(core, now_ns)) {
		plf_set_server_timer(core);
		return false;
	}
	core->decides |= core->until_ns <= now_ns;
	if (!plf_holds_back(core)) {
		core->server->given_ns = UINT64_MAX;
		return true;
	}
	plf_take_time(core);
	plf_on_entry(core);
	plf_set_server_timer(core);
	plf_leave_kernel(core);
	return false;
}

/*
 * If tasks were given to the server while interrupts were held back, they may preempt now: the
 * timer is due at once.
 */
void plf_mask_server_timer(struct plf_core *core)
{
	if (!plf_holds_back(core))
		plf_next_alarm_is(core, plf_first_alarm_or_given_ns(core->server));
	else
		plf_set_server_timer(core);
}

void plf_note_timer_of(unsigned alarm)
{
	struct plf_core *core = plf_this_core();
	struct plf_server *server = core->server;
	unsigned list = plf_list_of(alarm);

	if (!plf_counter_config[plf_alarm_config[alarm].counter].tick_ns)
		return; /* no timer drives it */
	plf_make_current(core, &plf_servers[list]);
	plf_set_timer();
	plf_make_current(core, server);
	plf_set_server_timer(core);
	core->decides |= &plf_servers[list] < server; /* lower: more urgent */
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
