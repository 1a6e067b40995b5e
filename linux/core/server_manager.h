/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_MANAGER_H
#define PLF_SERVER_MANAGER_H

/*
 * Each CPU that has servers has one manager: a thread that sleeps until the next decision is due,
 * in absolute time, and then establishes S1 to S4 of server.h. It runs at PLF_SERVER_MANAGER, above
 * the bands of all servers and of global mutexes. So no greedy thread of a server keeps it from its
 * work. The idler beside it keeps out threads that must not run. It stops by itself a moment after
 * the next decision is due.
 */
#include "server.h"

/*
 * Open a server of that CPU, and start the CPU's manager if it has none. *NUMBER identifies the
 * server from now on. SHARES: it may share resources with other servers. Errors as
 * plf_server_init().
 */
__attribute__((warn_unused_result)) int plf_server_open(int cpu, const struct plf_budget *budget,
							bool shares, uint32_t *number);

/* Close the server. EBUSY: it has threads. */
__attribute__((warn_unused_result)) int plf_server_close(uint32_t number);

/* The server with that number; NULL: there is none. */
struct plf_supply *plf_server_of(uint32_t number);

/* The stack of the server's threads, which stands in place of a CPU; and the CPU. */
static inline int plf_server_stack(uint32_t number)
{
	return PLF_CPU_MAX + (int)number;
}
int plf_server_cpu(const struct plf_supply *supply);

/* From now on the server's periods count from time_ns. */
void plf_server_move(struct plf_supply *supply, uint64_t time_ns);

/*
 * The server shares a resource, in sections of at most hold_ns. ENOTSUP: its policy does not allow
 * that. ERANGE: such a section does not fit into its budget.
 */
__attribute__((warn_unused_result)) int plf_server_take_share(struct plf_supply *supply,
							      uint64_t hold_ns);

/* Have the manager decide anew, because `late` asks for it (S6). */
void plf_server_call(struct plf_supply *supply);

/* SLOT's thread joins at that priority of SCHED_FIFO. ERANGE: it is not in the server's band. */
__attribute__((warn_unused_result)) int plf_server_enroll(struct plf_supply *supply,
							  struct plf_slot *slot, int fifo_priority);

/* SLOT's thread leaves its server, if it has one. */
void plf_server_leave(struct plf_slot *slot);

void plf_server_set_watch(struct plf_supply *supply,
			  void (*watch)(void *, enum plf_server_event, uint64_t), void *argument);

void plf_server_read_stats(struct plf_supply *supply, struct plf_server_stats *stats);

/* In the child of fork(): forget all servers. */
void plf_servers_after_fork(void);

#endif
