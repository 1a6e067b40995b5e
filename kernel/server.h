/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_CONTRACT_H
#define PLF_SERVER_CONTRACT_H

/*
 * Between the portable kernel and servers, which pay for the time of tasks. A folder of
 * kernel/server, `none` or `budget`, has:
 *
 *  plf_server_members.h  the ready tasks of struct plf_core; plf_queue_of(core): the queue from
 *                        which the scheduler chooses now; PLF_QUEUES and PLF_ALARM_LISTS;
 *  plf_handed.h          plf_hand_to_server(), for cores.h;
 *  plf_server.h          the functions declared here.
 */
#include "alarm.h"
#include "plf_schedule.h"
#include "service.h"
#include "sharing.h"

/* Called once before the core starts. */
static inline void plf_prepare_queues(struct plf_core *core);

/* The core is about to run its first task. All periods count from now, in a run from its time 0. */
static inline void plf_start_servers(struct plf_core *core);

/*
 * The last call of each kernel entry, even if no task runs, because another server may get the
 * core.
 */
static inline void plf_leave_kernel(struct plf_core *core);

/* Return whether no server of the core has work, now or later without a new arrival. */
static inline bool plf_servers_are_done(const struct plf_core *core);

/*
 * E_OS_ACCESS: the running task's service concerns another server, which the task may not signal.
 */
static inline StatusType plf_access(struct plf_core *core, uintptr_t number, uintptr_t id);

/* ---- Time --------------------------------------------------------------------- */

/* The port's timer has come. False: it was only for servers, and has been served. */
static inline bool plf_timer_is_for_alarms(struct plf_core *core);

/* The running task now holds interrupts back, or no longer does. */
static inline void plf_masks_changed(struct plf_core *core);

/*
 * plf_list_of(): the list of its counter that holds an alarm. plf_list_now(): the list of a counter
 * that the core serves now. A software counter has a single list, 0.
 */
static inline unsigned plf_list_of(unsigned alarm);
static inline unsigned plf_list_now(const struct plf_core *core, unsigned counter);

/* Return the list that the core serves now, of all time counters. */
static inline unsigned plf_time_list(const struct plf_core *core);

/* The first alarm of these lists expires at that time; UINT64_MAX: there is no alarm. */
static inline void plf_next_alarm_is(struct plf_core *core, uint64_t at_ns);

/* The alarm was set or cancelled. */
static inline void plf_set_timer_of(unsigned alarm);

/* In a run: the queue's first arrival that is not yet taken comes at that time. */
static inline void plf_next_arrival_is(struct plf_core *core, unsigned queue, uint64_t at_ns);

/*
 * plf_queue_number(): the queue in force, below PLF_QUEUES. plf_core_of_queue(): the core of a
 * queue.
 */
static inline unsigned plf_queue_number(const struct plf_core *core);
static inline unsigned plf_core_of_queue(unsigned queue);

#include "plf_server.h"

#endif
