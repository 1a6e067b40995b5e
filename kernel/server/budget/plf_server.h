/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_H
#define PLF_SERVER_H

/*
 * Servers with budgets: see kernel/server.h. OSPERT 2010, 8, IV: two levels of scheduling, and
 * idling periodic servers. OSPERT 2010, 3: slots.
 *
 * Invariants between kernel entries:
 *  S1  `server` is the most urgent server of the core with budget left. A polling or deferrable
 *      server must also have something to run. If no server qualifies, `server` is the core's
 *      no-server entry (plf_servers.h). A claim may keep a server out (kernel/sharing.h).
 *      This held at the core's last decision. An event that may change the choice is either known
 *      in advance, so `until_ns` is not after it, or it sets `decides`.
 *  S2  a ready task is in the queue of its server, and P1 to P4, or E1 to E5, hold for each queue
 *      separately. When a server loses the core, its running task becomes the top of the server's
 *      stack. That task resumes first when the server gets the core again, so each server needs
 *      only one stack.
 *  S3  except in an overrun, a server has used at most budget_ns since its last replenishment.
 *      `left_ns` is the rest at `since_ns` if the server has the core, else the rest when it lost
 *      the core.
 *  S4  an alarm or arrival for a server without the core stays in the lists of that server, and
 *      sets no interrupt. The kernel handles it when the server has the core again, as of the
 *      instant when it was due.
 */

#include "plf_servers.h"

static inline void plf_make_current(struct plf_core *core, struct plf_server *server)
{
	core->server = server;
	core->queue = &server->queue;
}

static inline uint64_t plf_least(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* The earliest pending event: the server's first alarm, or the first task that was given to it. */
static inline uint64_t plf_first_alarm_or_given_ns(const struct plf_server *server)
{
	return plf_least(server->due_ns[PLF_TIMER_ALARMS], server->given_ns);
}

void plf_decide_server(struct plf_core *core);
void plf_prepare_servers(struct plf_core *core);

static inline unsigned plf_queue_number(const struct plf_core *core)
{
	return (unsigned)(core->server - plf_servers);
}

static inline unsigned plf_core_of_queue(unsigned queue)
{
	return queue < PLF_SERVERS ? plf_server_config[queue].core : queue - PLF_SERVERS;
}

static inline void plf_prepare_queues(struct plf_core *core)
{
	plf_prepare_servers(core);
}

/* In server.c. */
void plf_begin_periods(struct plf_core *core);

static inline void plf_start_servers(struct plf_core *core)
{
	plf_begin_periods(core);
}

static inline void plf_leave_kernel(struct plf_core *core)
{
	if (core->decides || !core->running || plf_is_late_over(core))
		do
			plf_decide_server(core);
		while (core->decides);
}

/* In server.c. */
bool plf_no_server_has_work(const struct plf_core *core);

static inline bool plf_servers_are_done(const struct plf_core *core)
{
	return plf_no_server_has_work(core);
}

#include "plf_access.h"

/* ---- Time: in time.c --------------------------------------------------------------------- */

static inline bool plf_holds_back(const struct plf_core *core)
{
	return core->running && core->running->masked;
}

/*
 * Set the port's timer to the next decision, or to an alarm that comes before it. A task that holds
 * interrupts back holds the alarm back, but not the decision.
 */
static inline void plf_set_server_timer(struct plf_core *core)
{
	uint64_t alarm_ns = core->server->due_ns[PLF_TIMER_ALARMS];
	bool alarm_is_first = alarm_ns < core->until_ns && !plf_holds_back(core);

	plf_port_set_timer(alarm_is_first ? alarm_ns : core->until_ns);
}

bool plf_begin_timer(struct plf_core *core);

static inline bool plf_timer_is_for_alarms(struct plf_core *core)
{
	return plf_begin_timer(core);
}

void plf_mask_server_timer(struct plf_core *core);

static inline void plf_masks_changed(struct plf_core *core)
{
	plf_mask_server_timer(core);
}

static inline unsigned plf_list_of(unsigned alarm)
{
	const struct plf_alarm_config *config = &plf_alarm_config[alarm];

	return plf_counter_config[config->counter].tick_ns ? plf_task_config[config->task].server
							   : 0;
}

static inline unsigned plf_list_now(const struct plf_core *core, unsigned counter)
{
	return plf_counter_config[counter].tick_ns ? plf_queue_number(core) : 0;
}

static inline unsigned plf_time_list(const struct plf_core *core)
{
	return plf_queue_number(core);
}

static inline void plf_next_alarm_is(struct plf_core *core, uint64_t at_ns)
{
	core->server->due_ns[PLF_TIMER_ALARMS] = at_ns;
	plf_timer_is_set(core, PLF_TIMER_ALARMS, at_ns);
	plf_set_server_timer(core);
}

void plf_note_timer_of(unsigned alarm);

static inline void plf_set_timer_of(unsigned alarm)
{
	plf_note_timer_of(alarm);
}

void plf_note_arrival_of(struct plf_core *core, unsigned queue, uint64_t at_ns);

static inline void plf_next_arrival_is(struct plf_core *core, unsigned queue, uint64_t at_ns)
{
	plf_note_arrival_of(core, queue, at_ns);
}

#endif
