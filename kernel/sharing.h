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

/* The task on the stack waits for the next budget of its server. */
static inline bool plf_waits_for_budget(const struct plf_core *core, const struct plf_task *task);

#include "plf_sharing.h"

#endif
