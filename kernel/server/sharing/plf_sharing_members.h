/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARING_MEMBERS_H
#define PLF_SHARING_MEMBERS_H

/* Resources with users in several servers: see kernel/sharing.h. */
#include "protocol/lazy_global.h"

#define PLF_SHARING 1

/* Of the words of resources, where sections are system calls. */
#define PLF_WORDS_ROWS (PLF_SERVERS + PLF_CPUS)

/* Beside the words of the running task; its row is one of PLF_LOCAL_CEILINGS. */
#define PLF_SHARING_PAGE struct plf_lazy_global global;

/* What the holder of a resource had before, of both levels. */
struct plf_outer {
	uint32_t saved;
	uint32_t claimed;
};

#define PLF_SHARING_RESOURCE struct plf_outer outer;

/* While the task does not run: its claim. On the stack: what those below it claim; whether it
 * waits for a budget is in kernel/sharing.h. */
#define PLF_SHARING_TASK                                                                           \
	uint32_t claim;                                                                            \
	uint32_t held_below;                                                                       \
	uint64_t waits_until_ns;

/* The highest ceiling of what the task shares with other servers; 0: nothing. */
#define PLF_SHARING_TASK_CONFIG uint8_t claim;

struct plf_server;

#define PLF_SHARING_SERVER                                                                         \
	uint64_t hold_ns;		 /* X */                                                   \
	uint64_t most_ns;		 /* what is left for a section: plf_lazy_global_most() */  \
	uint64_t limit_ns;		 /* for so long its section may go on; UINT64_MAX: not     \
					  * said yet */                                            \
	uint64_t owed_ns;		 /* of its next budget */                                  \
	uint32_t level;			 /* among the servers of its core */                       \
	uint32_t held;			 /* the highest claim of its preempted tasks */            \
	uint32_t row;			 /* of PLF_LOCAL_CEILINGS */                               \
	bool is_over;			 /* in overrun: left_ns is beyond its budget */            \
	bool is_kept_out;		 /* that was traced, and it has not had the core since */  \
	enum plf_server_sharing sharing; /* of its configuration */                                \
	struct plf_server *below;	 /* the one without the core that claimed before it */

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
	struct plf_server *holder; /* the last of those that claim without the core; NULL: none */ \
	uint64_t others_ns; /* when a decision is due, but for the server that has the core */     \
	uint32_t claim;	    /* by the server that had the core when the last one began */          \
	uint32_t late;	    /* see protocol/lazy_global.h: of the server that has the core */

#endif
