/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVERS_H
#define PLF_SERVERS_H

/*
 * State of a server. It repeats the configuration that common paths need. Entries from PLF_SERVERS
 * on stand for cores while no server has them: the no-server entries.
 */
#include "core.h"
#include "plf_sharing_members.h"

struct plf_server {
	struct plf_queue queue;
	uint64_t left_ns;	     /* rest of the budget or of the overrun; no-server entry: 0 */
	uint64_t next_ns;	     /* time of the next replenishment; no-server entry: never */
	uint64_t due_ns[PLF_TIMERS]; /* time of the first unhandled alarm, and arrival */
	uint64_t given_ns; /* arrival of the first task given to the server that no decision has
			    * seen; UINT64_MAX: none */
	struct plf_task *stopped; /* its running task at its last decision as the current server,
				   * which may have taken the core from it; NULL: none */
	uint64_t budget_ns;
	uint64_t period_ns;
	uint64_t mark;	  /* bit of this server; no-server entry: all bits */
	uint64_t signals; /* marks of the servers whose tasks its tasks may signal, this server
			   * included */
	enum plf_server_kind kind;
	PLF_SHARING_SERVER
};

extern struct plf_server plf_servers[PLF_QUEUES];

/* In server.c: charge the current server for the time up to now. */
void plf_charge(struct plf_core *core);

#endif
