/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_MEMBERS_H
#define PLF_SHARING_MEMBERS_H

/* Resources with users in several servers: see kernel/sharing.h. */
#include "protocol/lazy_global.h"

#define PLF_SHARING 1

/* Rows of plf_resource_words, if sections are system calls. */
#define PLF_WORDS_ROWS (PLF_SERVERS + PLF_CPUS)

/* In the page, after the words of the running task. Its `row` is a row of PLF_LOCAL_CEILINGS. */
#define PLF_SHARING_PAGE struct plf_lazy_global global;

/*
 * State of a resource's holder before the section: `saved` at the inner level, `claimed` at the
 * outer level.
 */
struct plf_outer {
	uint32_t saved;
	uint32_t claimed;
};

#define PLF_SHARING_RESOURCE struct plf_outer outer;

/*
 * `claim` is the task's claim while it does not run. `held_below` is, for a task on the stack, the
 * highest claim of the tasks below it. `waits_until_ns` is the replenishment for which the task
 * waits; 0: it does not wait.
 */
#define PLF_SHARING_TASK                                                                           \
	uint32_t claim;                                                                            \
	uint32_t held_below;                                                                       \
	uint64_t waits_until_ns;

/*
 * The highest ceiling of the resources that the task shares with other servers; 0: it shares none.
 */
#define PLF_SHARING_TASK_CONFIG uint8_t claim;

struct plf_server;

#define PLF_SHARING_SERVER                                                                         \
	uint64_t hold_ns;		 /* X */                                                   \
	uint64_t most_ns;		 /* limit of time of a section: plf_lazy_global_most() */  \
	uint64_t limit_ns;		 /* rest of the time of its section; UINT64_MAX:           \
					  * no limit */                                            \
	uint64_t owed_ns;		 /* of its next budget */                                  \
	uint32_t level;			 /* among the servers of its core */                       \
	uint32_t held;			 /* the highest claim of its preempted tasks */            \
	uint32_t row;			 /* of PLF_LOCAL_CEILINGS */                               \
	bool is_over;			 /* in overrun: left_ns is beyond its budget */            \
	bool is_kept_out;		 /* kept out, which was traced; without the core since */  \
	enum plf_server_sharing sharing; /* of its configuration */                                \
	struct plf_server *below;	 /* next server in the list from core->holder */

#define PLF_SHARING_SERVER_CONFIG                                                                  \
	uint64_t hold_ns;                                                                          \
	uint8_t sharing; /* enum plf_server_sharing */                                             \
	uint8_t row;

enum plf_server_sharing {
	PLF_SHARES_NOTHING,
	PLF_OVERRUN,
	PLF_OVERRUN_PAYBACK,
	PLF_SKIP,
};

#define PLF_SHARING_CORE                                                                           \
	struct plf_server *holder; /* first of servers which claim without the core; NULL: none */ \
	uint64_t others_ns; /* when a decision is due, but for the server that has the core */     \
	uint32_t claim;	    /* of the current server at the begin of the last decision */          \
	uint32_t late;	    /* value of the running task's `late`: protocol/lazy_global.h */

#endif
