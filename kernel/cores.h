/* SPDX-License-Identifier: MIT */
#ifndef PLF_CORES_CONTRACT_H
#define PLF_CORES_CONTRACT_H

/*
 * Between the portable kernel and the number of its cores, a folder of kernel/cores: `one` or
 * `several`. A task never changes its core. Other cores may activate it and set its events. Only
 * these folders know the members that other cores touch: the room for activations, and the events.
 * A folder has:
 *
 *  plf_members.h    its members of struct plf_task and struct plf_core;
 *  plf_this_core.h  plf_this_core(), for core.h;
 *  plf_cores.h      the functions declared here.
 */
#include "core.h"
#include "port.h"
#include "trace.h"

/* ---- Which core ------------------------------------------------------------ */

/* Return the core's number, 0 to PLF_CPUS - 1. */
static inline unsigned plf_index_of(const struct plf_core *core);

/* Return whether a task, counter or interrupt on core `number` belongs to this core. */
static inline bool plf_is_own(const struct plf_core *core, unsigned number);

/* plf_home_of(): the number of the task's core. plf_has(): whether it is this core. */
static inline unsigned plf_home_of(const struct plf_task *task);
static inline bool plf_has(const struct plf_core *core, const struct plf_task *task);

/*
 * plf_is_running(): whether the task runs on its core. plf_set_running(): set the running task, or
 * NULL. A core that sees the new task running also sees that the task before it has ended or waits.
 */
static inline bool plf_is_running(const struct plf_core *core, const struct plf_task *task);
static inline void plf_set_running(struct plf_core *core, struct plf_task *task);

/* ---- Activations ----------------------------------------------------------- */

/*
 * Take room for another activation, which may get events from then on. False: the task has its
 * most.
 */
static inline __attribute__((warn_unused_result)) bool plf_take_room(struct plf_task *task);

/* End the running task's activation and give its room back. The task no longer runs. */
static inline void plf_give_room(struct plf_task *task);

/* End an activation, whose room another activation of the task takes at once. */
static inline void plf_keep_room(struct plf_task *task);

/*
 * Return the number of further activations that the task may have. It equals `most` if the task is
 * suspended.
 */
static inline unsigned plf_room_of(const struct plf_task *task);

/* Make the tasks that other cores sent ready, or drop them: see termination.c. */
static inline void plf_receive(struct plf_core *core);

/* End an activation of a task that does not run: it was ready, or sent by another core. */
static inline void plf_drop(struct plf_task *task);

/*
 * End all activations of a task that neither runs nor is ready. It then waits no more and has no
 * events. False: this core must first receive an activation that another core has begun.
 */
static inline __attribute__((warn_unused_result)) bool plf_end_all(struct plf_task *task);

/*
 * If the task, new or woken, belongs to a server that does not have the core, make it ready there.
 * False: the caller must make it ready. Defined by the folder of kernel/server.
 */
static inline __attribute__((warn_unused_result)) bool plf_hand_to_server(struct plf_core *core,
									  struct plf_task *task);
#include "plf_handed.h"

/*
 * If the task, new or woken, belongs to another core, send it there. If it belongs to another
 * server, make it ready there. False: neither, so the caller must make it ready.
 */
static inline __attribute__((warn_unused_result)) bool plf_hand_over(struct plf_core *core,
								     struct plf_task *task);

/* ---- Events of a task --------------------------------------------------------- */

enum plf_event_effect {
	PLF_EVENT_REFUSED, /* the task is suspended, so it has no events and gets none */
	PLF_EVENT_SET,
	PLF_EVENT_WAKES, /* it waited for one of them: the caller must make it ready */
};

/*
 * Called at the end of an activation, before plf_give_room() or plf_keep_room(). After both, no
 * event is set and the task does not wait. With several cores the change of the room does all this
 * in a single step.
 */
static inline void plf_end_events(struct plf_task *task);

static inline __attribute__((warn_unused_result)) enum plf_event_effect
plf_add_events(struct plf_task *task, uint64_t events);

static inline void plf_remove_events(struct plf_task *task, uint64_t events);

/* Get the events that are set. False: the task is suspended, so no event is set. */
static inline __attribute__((warn_unused_result)) bool plf_get_events(const struct plf_task *task,
								      uint64_t *events);

/* Let the task wait for one of these events. False: one of them is already set. */
static inline __attribute__((warn_unused_result)) bool plf_wait_for(struct plf_task *task,
								    uint64_t events);

static inline bool plf_is_waiting(const struct plf_task *task);

/*
 * Return whether the task is suspended in a request for a global resource. Defined by the folder of
 * kernel/global.
 */
static inline bool plf_is_blocked(const struct plf_task *task);
#include "plf_blocked.h"

/* Return whether the task's activation has waited. */
static inline bool plf_has_waited(const struct plf_task *task);

/* ---- The start --------------------------------------------------------------- */

/*
 * Called once before a core starts. `index`: the core's number. A task's configuration is set
 * before.
 */
static inline void plf_prepare_core(struct plf_core *core, unsigned index);
static inline void plf_prepare_task(struct plf_task *task);

/* Return whether no core has sent anything to another, idle core. */
static inline bool plf_nothing_is_sent(void);

enum plf_barrier {
	PLF_BEFORE_STARTUP_HOOK,
	PLF_AFTER_STARTUP_HOOK,
	PLF_BARRIERS,
};

/* Return when all cores have called this, once each. */
static inline void plf_meet(enum plf_barrier barrier);

/* ---- The end ------------------------------------------------------------------- */

/*
 * Note that this core ends. The first error noted becomes the system's status, however long hooks
 * take.
 */
static inline void plf_note_end(StatusType status);

/* End this core, with the status that it noted. The last core ends the system. */
_Noreturn static inline void plf_end_core(StatusType status);

#include "plf_cores.h"

/* The task, new, woken or resumed, gets its core. */
static inline void plf_trace_begin(const struct plf_task *task, bool goes_on)
{
	if (PLF_TRACE)
		plf_trace(goes_on || plf_has_waited(task) ? PLF_TRACE_RESUME : PLF_TRACE_START,
			  task);
}

#endif
