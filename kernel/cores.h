/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORES_CONTRACT_H
#define PLF_CORES_CONTRACT_H

/*
 * Between the portable kernel and the number of its cores, which is a folder of kernel/cores: `one`
 * or `several`. A task is its core's for good; other cores may activate it and set its events. What
 * they touch for that, its room for activations and its events, is known to these folders alone:
 *
 *   plf_members.h    the members of struct plf_task and struct plf_core that the folder needs;
 *   plf_this_core.h  plf_this_core(), for core.h;
 *   plf_cores.h      the functions declared here.
 */
#include "core.h"
#include "port.h"
#include "trace.h"

/* ---- Which core ------------------------------------------------------------ */

/* 0 to PLF_CPUS - 1. */
static inline unsigned plf_index_of(const struct plf_core *core);

/* Whether a task, a counter or an interrupt of this core number is the core's own. */
static inline bool plf_is_own(const struct plf_core *core, unsigned number);

/* The number of the one that runs the task; and whether it is this one. */
static inline unsigned plf_home_of(const struct plf_task *task);
static inline bool plf_has(const struct plf_core *core, const struct plf_task *task);

/*
 * Whether the task runs, on its core; and that it does, or none. A core that finds it running finds
 * the one before it ended, or waiting.
 */
static inline bool plf_is_running(const struct plf_core *core, const struct plf_task *task);
static inline void plf_set_running(struct plf_core *core, struct plf_task *task);

/* ---- Activations ----------------------------------------------------------- */

/* One more activation, which may get events from then on; false: the task has as many as it may. */
static inline __attribute__((warn_unused_result)) bool plf_take_room(struct plf_task *task);

/* One is over: that of the running task, which is that no more. */
static inline void plf_give_room(struct plf_task *task);

/* One is over, and another activation of the task has its room at once. */
static inline void plf_keep_room(struct plf_task *task);

/* It may have so many more; its `most`: it is suspended. */
static inline unsigned plf_room_of(const struct plf_task *task);

/* What other cores have sent to this one is ready now, or dropped: see termination.c. */
static inline void plf_receive(struct plf_core *core);

/* An activation of a task that does not run is over: it was ready, or sent by another core. */
static inline void plf_drop(struct plf_task *task);

/*
 * The task does not run, and is not ready: it waits no more, nor has it any activation, or events.
 * False: it has an activation that another core has begun, and that is to be received before.
 */
static inline __attribute__((warn_unused_result)) bool plf_end_all(struct plf_task *task);

/*
 * The task, which is new or woken, is that of a server which does not have the core: it is ready
 * among the tasks of that one. False: the caller makes it ready. Of the folder of kernel/server.
 */
static inline __attribute__((warn_unused_result)) bool plf_hand_to_server(struct plf_core *core,
									  struct plf_task *task);
#include "plf_handed.h"

/*
 * The task, which is new or woken, is another core's: that one makes it ready; or another server's.
 * False: it is the core's own, and the caller does.
 */
static inline __attribute__((warn_unused_result)) bool plf_hand_over(struct plf_core *core,
								     struct plf_task *task);

/* ---- Events of a task --------------------------------------------------------- */

enum plf_event_effect {
	PLF_EVENT_REFUSED, /* the task is suspended: it has no events, nor gets any */
	PLF_EVENT_SET,
	PLF_EVENT_WAKES, /* it waited for one of them: the caller makes it ready */
};

/*
 * Its activation is over, and plf_give_room() or plf_keep_room() follows: behind both no event is
 * set, nor does it wait. With several cores that is one step with the room.
 */
static inline void plf_end_events(struct plf_task *task);

static inline __attribute__((warn_unused_result)) enum plf_event_effect
plf_add_events(struct plf_task *task, uint64_t events);

static inline void plf_remove_events(struct plf_task *task, uint64_t events);

/* Those that are set; false: the task is suspended, and none is. */
static inline __attribute__((warn_unused_result)) bool plf_get_events(const struct plf_task *task,
								      uint64_t *events);

/* It waits for one of these, unless one is set: then false. */
static inline __attribute__((warn_unused_result)) bool plf_wait_for(struct plf_task *task,
								    uint64_t events);

static inline bool plf_is_waiting(const struct plf_task *task);

/* Whether it is suspended in a request for a global resource: of the folder of kernel/global. */
static inline bool plf_is_blocked(const struct plf_task *task);
#include "plf_blocked.h"

/* Whether its activation has waited. */
static inline bool plf_has_waited(const struct plf_task *task);

/* ---- The start --------------------------------------------------------------- */

/* Once, before a core starts. `index`: of the core; the task's configuration is there. */
static inline void plf_prepare_core(struct plf_core *core, unsigned index);
static inline void plf_prepare_task(struct plf_task *task);

/* No core has anything for another one that is idle. */
static inline bool plf_nothing_is_sent(void);

enum plf_barrier {
	PLF_BEFORE_STARTUP_HOOK,
	PLF_AFTER_STARTUP_HOOK,
	PLF_BARRIERS,
};

/* Returns when all cores have come here, each once. */
static inline void plf_meet(enum plf_barrier barrier);

/* ---- The end ------------------------------------------------------------------- */

/* This core ends. The first error that is noted is the system's, however long hooks take. */
static inline void plf_note_end(StatusType status);

/* This core is at its end, with the status that it noted; the last one ends the system. */
_Noreturn static inline void plf_end_core(StatusType status);

#include "plf_cores.h"

/* The task, which is new or woken, or goes on, gets its core. */
static inline void plf_trace_begin(const struct plf_task *task, bool goes_on)
{
	if (PLF_TRACE)
		plf_trace(goes_on || plf_has_waited(task) ? PLF_TRACE_RESUME : PLF_TRACE_START,
			  task);
}

#endif
