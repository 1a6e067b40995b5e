/* SPDX-License-Identifier: MIT */
#ifndef PLF_SERVER_MANAGER_H
#define PLF_SERVER_MANAGER_H

/*
 * One manager a CPU that has servers: a thread that sleeps until the next decision is due, in
 * absolute time, and brings about S1 to S4 of server.h. It is at PLF_SERVER_MANAGER, above the
 * bands of all servers and of global mutexes: no thread of a server, however greedy, keeps it from
 * its work. Beside it is the idler, which keeps out what must not run; it ends by itself a moment
 * after the next decision is due.
 */
#include "server.h"

/*
 * A server more, of that CPU, and its manager if it has none yet. The number stands for it from now
 * on. SHARES: it may share resources with others. Errors as plf_server_init().
 */
__attribute__((warn_unused_result)) int plf_server_open(int cpu, const struct plf_budget *budget,
							bool shares, uint32_t *number);

/* EBUSY: it has threads. */
__attribute__((warn_unused_result)) int plf_server_close(uint32_t number);

/* That server; NULL: there is none. */
struct plf_supply *plf_server_of(uint32_t number);

/* The stack of its threads, in place of a CPU; and the CPU. */
static inline int plf_server_stack(uint32_t number)
{
	return PLF_CPU_MAX + (int)number;
}
int plf_server_cpu(const struct plf_supply *supply);

/* From now on its periods count from time_ns. */
void plf_server_move(struct plf_supply *supply, uint64_t time_ns);

/*
 * It shares a resource, in sections of at most hold_ns. ENOTSUP: it has no policy for that. ERANGE:
 * such a section fits into no budget of it.
 */
__attribute__((warn_unused_result)) int plf_server_take_share(struct plf_supply *supply,
							      uint64_t hold_ns);

/* There is something to decide, as its `late` says. */
void plf_server_call(struct plf_supply *supply);

/* SLOT's thread joins, at that priority of SCHED_FIFO. ERANGE: it is not in its band. */
__attribute__((warn_unused_result)) int plf_server_enroll(struct plf_supply *supply,
							  struct plf_slot *slot, int fifo_priority);

/* It leaves the server that it has, if any. */
void plf_server_leave(struct plf_slot *slot);

void plf_server_set_watch(struct plf_supply *supply,
			  void (*watch)(void *, enum plf_server_event, uint64_t), void *argument);

void plf_server_read_stats(struct plf_supply *supply, struct plf_server_stats *stats);

/* In the child of fork(): no server is left. */
void plf_servers_after_fork(void);

#endif
