/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_CONTRACT_H
#define PLF_SHARING_CONTRACT_H

/*
 * Between the kernel and resources with users in several servers of a core, which the servers claim
 * by protocol/lazy_global.h. A folder of kernel/server, `none` or `sharing`, has four headers:
 *
 *  plf_sharing_members.h  PLF_SHARING: whether there are such resources; and the members of
 *                         structures;
 *  plf_sharing_section.h  for tasks: the counterpart of plf_section.h for such a resource;
 *  plf_sharing_called.h   the same if sections are system calls;
 *  plf_sharing.h          the functions declared here.
 *
 * Ceilings among servers are levels: the least urgent server of a core has level 1.
 *
 * Invariants between kernel entries:
 *  G1  a server's `held` is the highest claim of the tasks on its stack. The running task's claim
 *      is in the page. So a server without the core claims `held`;
 *  G2  the servers that claim without the core are a list, from `holder` along `below`. Their
 *      claims fall strictly along it, because a server gets the core only above all claims of
 *      others, or as the first of the list. A server's claim is not below its level;
 *  G3  a server that claims has some of its budget or overrun left: charged by
 *      kernel/server/budget;
 *  G4  `late` is the level for which the kernel wants to be entered, as in protocol/lazy_global.h;
 *      0: none.
 */
#include "core.h"
#include "plf_sharing_members.h"

/* ---- For the scheduler: the tasks of the queue in force ------------------------------ */

/* The running task goes onto the stack; a task leaves the stack; a task gets the core. */
static inline void plf_push_claim(struct plf_core *core, struct plf_task *task);
static inline void plf_pop_claim(struct plf_core *core, const struct plf_task *task);
static inline void plf_load_sharing(struct plf_core *core, const struct plf_task *task);

/* The task's activation is over, or it waits for an event. It is in no section. */
static inline void plf_forget_claim(struct plf_task *task);

/*
 * Return whether the task on top of the stack, which would get the core, still waits for a budget.
 */
static inline bool plf_waits_for_budget(struct plf_core *core, struct plf_task *task);

/* ---- For servers, in kernel/server/budget ------------------------------------------------ */

struct plf_server;

static inline void plf_prepare_sharing(struct plf_server *server, unsigned index);

/* The kernel is about to leave: return whether the claim has fallen below `late`. */
static inline bool plf_is_late_over(const struct plf_core *core);

/* Store the budget's end and `late` for the running task. */
static inline void plf_publish(const struct plf_core *core);

/*
 * The budget of the server that has the core ended at `end_ns`, which has passed. True: the server
 * continues in a section, with left_ns.
 */
static inline __attribute__((warn_unused_result)) bool plf_begin_overrun(struct plf_server *server,
									 uint64_t end_ns);

/*
 * The timer has come. Return whether it only began an overrun, or ended an overrun by a
 * replenishment, which this call serves. Then the rest of the last decision stands.
 */
static inline __attribute__((warn_unused_result)) bool plf_is_served_at_once(struct plf_core *core,
									     uint64_t now_ns);

/*
 * Note when a decision is due about servers that are more urgent than the server that gets the
 * core.
 */
static inline void plf_note_others(struct plf_core *core, uint64_t until_ns);

/* Return whether the server's remaining time is not from its budget. */
static inline bool plf_is_beyond_budget(const struct plf_server *server);

/* Charge the server for `used_ns` more of the core. */
static inline void plf_charge_section(struct plf_server *server, uint64_t used_ns);

/*
 * A replenishment has come. Return whether time used before it, from since_ns on, affects the
 * server.
 */
static inline bool plf_counts_before(const struct plf_server *server, uint64_t since_ns);

/*
 * Return the time to take off the replenishment at `at_ns`. `is_next`: it is the first since the
 * last.
 */
static inline uint64_t plf_payback_ns(struct plf_server *server, bool is_next, uint64_t at_ns);

/*
 * Begin a decision, and note the server's claim. End sections that lasted too long, with their
 * tasks' activations. True: an overrun is over, and nothing is left.
 */
static inline __attribute__((warn_unused_result)) bool plf_judge_section(struct plf_core *core);

/* `server` would get the core. Return it, or the holder that keeps it out. */
static inline struct plf_server *plf_admit(struct plf_core *core, struct plf_server *server);

/*
 * Return when a decision is due about the server that gets the core, other than at the end of its
 * budget. At its next replenishment, an overrun ends and a task that waits for budget continues.
 */
static inline uint64_t plf_section_until_ns(const struct plf_server *server, uint64_t now_ns);

/*
 * Return whether a task of the server waits for its next budget and keeps out the tasks below it.
 */
static inline bool plf_waits_for_next(const struct plf_server *server);

/* The server gets the core; it has lost the core. */
static inline void plf_take_claim(struct plf_core *core, struct plf_server *server);
static inline void plf_leave_claim(struct plf_core *core, struct plf_server *server);

/*
 * plf_has_runnable(): whether a task of the server would run if the server had the core.
 * plf_has_unfinished() also counts a task that waits for its budget. While the top of the stack
 * waits, only tasks above it run.
 */
static inline bool plf_has_runnable(const struct plf_server *server);
static inline bool plf_has_unfinished(const struct plf_server *server);

#include "plf_sharing.h"

#endif
