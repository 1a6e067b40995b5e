/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_CONTRACT_H
#define PLF_SHARING_CONTRACT_H

/*
 * Between the kernel and resources with users in several servers of a core, which the servers claim
 * by protocol/lazy_global.h: a folder of kernel/server, `none` or `sharing`, with four headers.
 *
 *   plf_sharing_members.h  PLF_SHARING, whether there are any; and the members of structures;
 *   plf_sharing_section.h  for tasks: what plf_section.h does for such a resource;
 *   plf_sharing_called.h   the same where sections are system calls;
 *   plf_sharing.h          the functions declared here.
 *
 * Ceilings among servers are levels: the least urgent server of a core has 1.
 *
 * Invariants between kernel entries:
 *  G1  `held` of a server is the highest claim of the tasks on its stack; the running task's is in
 *      the page. So a server without the core claims `held`;
 *  G2  the servers that claim without the core are a list, from `holder` along `below`, and their
 *      claims fall strictly along it: a server gets the core only above all claims of others, or as
 *      the first of the list; and what it claims is not below its own level;
 *  G3  a server that claims has something left, of its budget or its overrun: charged by
 *      kernel/server/budget;
 *  G4  `late` says for which level the kernel wants to be entered, as protocol/lazy_global.h has
 *      it; 0: for none.
 */
#include "core.h"
#include "plf_sharing_members.h"

/* ---- Of the scheduler, for the tasks of the queue in force -------------------------- */

/* The running task goes onto the stack; the task gets the core, off the stack or not. */
static inline void plf_push_claim(struct plf_core *core, struct plf_task *task);
static inline void plf_pop_claim(struct plf_core *core, const struct plf_task *task);
static inline void plf_load_sharing(struct plf_core *core, const struct plf_task *task);

/* Its activation is over, or it waits for an event: it is in no section. */
static inline void plf_forget_claim(struct plf_task *task);

/* The task on the stack would get the core, and waits for a budget of its server all the same. */
static inline bool plf_waits_for_budget(struct plf_core *core, struct plf_task *task);

/* ---- Of servers, in kernel/server/budget ------------------------------------------------ */

struct plf_server;

static inline void plf_prepare_sharing(struct plf_server *server, unsigned index);

/* The kernel is about to leave, and what it was asked to see by `late` has come. */
static inline bool plf_is_late_over(const struct plf_core *core);

/* Stores for the running task what it may see: of the budget, and of `late`. */
static inline void plf_publish(const struct plf_core *core);

/*
 * The budget of the server that has the core ends at that time, which has passed. True: it goes on
 * in a section, with left_ns.
 */
static inline __attribute__((warn_unused_result)) bool plf_begin_overrun(struct plf_server *server,
									 uint64_t end_ns);

/*
 * The timer has come. Whether all that this is for is the begin of an overrun, or its end by a
 * replenishment, and is served: the rest of the last decision stands.
 */
static inline __attribute__((warn_unused_result)) bool plf_is_served_at_once(struct plf_core *core,
									     uint64_t now_ns);

/* When a decision is due about those that are more urgent than the one that would get the core. */
static inline void plf_note_others(struct plf_core *core, uint64_t until_ns);

/* What is left is not of its budget. */
static inline bool plf_is_beyond_budget(const struct plf_server *server);

/* It has had the core for so long more. */
static inline void plf_charge_section(struct plf_server *server, uint64_t used_ns);

/* A replenishment has come. Whether what was used before it, from then on, has an effect on it. */
static inline bool plf_counts_before(const struct plf_server *server, uint64_t since_ns);

/* What the replenishment at that time is less by; `is_next`: it is the first one since the last. */
static inline uint64_t plf_payback_ns(struct plf_server *server, bool is_next, uint64_t at_ns);

/*
 * The begin of a decision, which notes what the server claims. Ends sections that have lasted too
 * long, and with them the activations of their tasks. True: an overrun is over, and nothing is
 * left.
 */
static inline __attribute__((warn_unused_result)) bool plf_judge_section(struct plf_core *core);

/* `server` would get the core. The one that does: that, or the holder that keeps it out. */
static inline struct plf_server *plf_admit(struct plf_core *core, struct plf_server *server);

/*
 * When a decision is due about the server that gets the core, besides at the end of its budget: at
 * its next replenishment an overrun ends, and a task that waits for that goes on.
 */
static inline uint64_t plf_section_until_ns(const struct plf_server *server, uint64_t now_ns);

/* A task of it waits for its next budget, and keeps out those below it. */
static inline bool plf_waits_for_next(const struct plf_server *server);

/* The server gets the core, or has lost it. */
static inline void plf_take_claim(struct plf_core *core, struct plf_server *server);
static inline void plf_leave_claim(struct plf_core *core, struct plf_server *server);

/*
 * Whether a task of the server would run, had it the core; or one waits for its budget, too. While
 * the top of the stack waits, only tasks above it run.
 */
static inline bool plf_has_runnable(const struct plf_server *server);
static inline bool plf_has_unfinished(const struct plf_server *server);

#include "plf_sharing.h"

#endif
