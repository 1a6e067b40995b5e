/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_MEMBERS_H
#define PLF_SERVER_MEMBERS_H

/*
 * With servers: each has a queue of its own, and so has each core, for the time in which none of
 * its servers has it.
 */
#include "plf_sharing_members.h"
#include "system.h"

#include <stdbool.h>
#include <stdint.h>

#define PLF_QUEUES	(PLF_SERVERS + PLF_CPUS)
#define PLF_ALARM_LISTS PLF_QUEUES

struct plf_server;

#define PLF_SERVER_TASK_MEMBERS                                                                    \
	struct plf_server *server; /* that pays for it */                                          \
	PLF_SHARING_TASK

#define PLF_CORE_QUEUES                                                                            \
	struct plf_queue *queue;   /* of the server that has the core */                           \
	struct plf_server *server; /* that one */                                                  \
	uint64_t since_ns;	   /* it has been charged up to here */                            \
	uint64_t until_ns;	   /* when a decision is due at the latest */                      \
	bool decides;		   /* a decision is due at the end of this kernel entry */         \
	struct plf_server *first;  /* its servers, the most urgent one first, */                   \
	struct plf_server *end;	   /* to before this one */                                        \
	PLF_SHARING_CORE

#define plf_queue_of(core) ((core)->queue)

/* ---- The configuration: of kernel/config.h ------------------------------------------------ */

enum plf_server_kind {
	PLF_IDLING,	/* budget that it does not need burns, and no less urgent server runs */
	PLF_SLOT,	/* the same, in a fixed window of each period */
	PLF_POLLING,	/* is gone */
	PLF_DEFERRABLE, /* is kept, to the end of the period */
};

struct plf_server_config {
	uint64_t period_ns;
	uint64_t budget_ns; /* at most the period */
	uint64_t start_ns;  /* of the first period; of a slot: where it begins in each */
	uint64_t signals;   /* servers whose tasks its own may activate and signal, a bit each */
	uint8_t kind;	    /* enum plf_server_kind */
	uint8_t core;
	PLF_SHARING_SERVER_CONFIG
};

/* Core by core, the most urgent first; plf_first_server[core + 1] is behind those of a core. */
extern const struct plf_server_config plf_server_config[PLF_SERVERS];
extern const uint8_t plf_first_server[PLF_CPUS + 1];

/* Of each counter the servers for whose tasks its alarms are, a bit each. */
extern const uint64_t plf_counter_signals[PLF_COUNTERS + 1];

#endif
