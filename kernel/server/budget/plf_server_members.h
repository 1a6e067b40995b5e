/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_MEMBERS_H
#define PLF_SERVER_MEMBERS_H

/*
 * With servers: a queue for each server, and a queue for each core. The core's queue is in force
 * while no server has the core.
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
	struct plf_queue *queue;   /* of `server`, which has the core */                           \
	struct plf_server *server; /* in force */                                                  \
	uint64_t since_ns;	   /* when `server` was last charged */                            \
	uint64_t until_ns;	   /* when a decision is due at the latest */                      \
	bool decides;		   /* a decision is due at the end of this kernel entry */         \
	struct plf_server *first;  /* servers of the core, most urgent first: */                   \
	struct plf_server *end;	   /* behind its servers */                                        \
	PLF_SHARING_CORE

#define plf_queue_of(core) ((core)->queue)

/* ---- The configuration: of kernel/config.h ------------------------------------------------ */

enum plf_server_kind {
	PLF_IDLING,	/* unused budget is consumed, and no less urgent server runs meanwhile */
	PLF_SLOT,	/* as PLF_IDLING, in a fixed window of each period */
	PLF_POLLING,	/* unused budget is lost as soon as the server has nothing to run */
	PLF_DEFERRABLE, /* unused budget is kept to the end of the period */
};

struct plf_server_config {
	uint64_t period_ns;
	uint64_t budget_ns; /* at most the period */
	uint64_t start_ns;  /* begin of the first period, or of the first window of a slot */
	uint64_t signals;   /* bit mask of the servers whose tasks its tasks may signal */
	uint8_t kind;	    /* enum plf_server_kind */
	uint8_t core;
	PLF_SHARING_SERVER_CONFIG
};

/*
 * Sorted by core, then by urgency, the most urgent first. The servers of a core have the indices
 * from plf_first_server[core] to plf_first_server[core + 1] - 1.
 */
extern const struct plf_server_config plf_server_config[PLF_SERVERS];
extern const uint8_t plf_first_server[PLF_CPUS + 1];

/* By counter: bit mask of the servers whose tasks are targets of its alarms. */
extern const uint64_t plf_counter_signals[PLF_COUNTERS + 1];

#endif
