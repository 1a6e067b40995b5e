/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVERS_H
#define PLF_SERVERS_H

/* What the kernel keeps of a server, with what the common paths need of its configuration. */
#include "core.h"
#include "plf_sharing_members.h"

struct plf_server {
	struct plf_queue queue;
	uint64_t left_ns;	     /* of its budget; of no server: nothing */
	uint64_t next_ns;	     /* its next replenishment; of no server: never */
	uint64_t due_ns[PLF_TIMERS]; /* its first alarm, and arrival, that is not handled */
	uint64_t given_ns;	  /* when the first task was given to it that is not decided about;
				   * UINT64_MAX: none was */
	struct plf_task *stopped; /* its running task when a decision was taken while it had the
				   * core, which it may have lost by that; NULL: none */
	uint64_t budget_ns;
	uint64_t period_ns;
	uint64_t mark;	  /* its bit; of no server: all */
	uint64_t signals; /* marks of those that its tasks may signal, its own among them */
	enum plf_server_kind kind;
	PLF_SHARING_SERVER
};

extern struct plf_server plf_servers[PLF_QUEUES];

/* In server.c: the server that has the core pays up to now. */
void plf_charge(struct plf_core *core);

#endif
