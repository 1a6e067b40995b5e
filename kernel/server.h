/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_CONTRACT_H
#define PLF_SERVER_CONTRACT_H

/*
 * Between the portable kernel and servers, which pay for the time of tasks: a folder of
 * kernel/server, `none` or `budget`.
 *
 *   plf_server_members.h  the ready tasks of struct plf_core, and plf_queue_of(core): those among
 *                         which the scheduler decides now; PLF_QUEUES and PLF_ALARM_LISTS;
 *   plf_handed.h          plf_hand_to_server(), for cores.h;
 *   plf_server.h          the functions declared here.
 */
#include "alarm.h"
#include "plf_schedule.h"
#include "service.h"
#include "sharing.h"

/* Once, before the core starts. */
static inline void plf_prepare_queues(struct plf_core *core);

/* The core is about to run its first task: all periods count from now, in a run from its time 0. */
static inline void plf_start_servers(struct plf_core *core);

/* The last of each kernel entry, also one while no task runs: another server may get the core. */
static inline void plf_leave_kernel(struct plf_core *core);

/* Whether another server of the core has something to run, now or later without a new arrival. */
static inline bool plf_servers_are_done(const struct plf_core *core);

/* E_OS_ACCESS: that service of the running task concerns another server, which it may not signal.
 */
static inline StatusType plf_access(struct plf_core *core, uintptr_t number, uintptr_t id);

/* ---- Time --------------------------------------------------------------------- */

/* The port's timer has come. False: that was for servers alone, and is served. */
static inline bool plf_timer_is_for_alarms(struct plf_core *core);

/* The running task holds interrupts back from now on, or no more. */
static inline void plf_masks_changed(struct plf_core *core);

/*
 * The list of its counter in which an alarm stands; and the one of a counter that the core serves
 * now. A counter of calls has one list, 0.
 */
static inline unsigned plf_list_of(unsigned alarm);
static inline unsigned plf_list_now(const struct plf_core *core, unsigned counter);

/* That of all counters of time. */
static inline unsigned plf_time_list(const struct plf_core *core);

/* The first alarm of these lists expires then; UINT64_MAX: none. */
static inline void plf_next_alarm_is(struct plf_core *core, uint64_t at_ns);

/* The alarm was set, or cancelled. */
static inline void plf_set_timer_of(unsigned alarm);

/* Of a run: the first arrival of a queue that is not taken comes then. */
static inline void plf_next_arrival_is(struct plf_core *core, unsigned queue, uint64_t at_ns);

/* The number of the queue that is in force, of PLF_QUEUES; and the core of one. */
static inline unsigned plf_queue_number(const struct plf_core *core);
static inline unsigned plf_core_of_queue(unsigned queue);

#include "plf_server.h"

#endif
