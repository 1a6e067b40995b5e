/* SPDX-License-Identifier: MIT */
#ifndef RUN_SERVER_H
#define RUN_SERVER_H

/* A server of the plan, and its record, which libplafond's manager writes. */
#include "plan.h"
#include "record.h"

struct served {
	plf_server_t server;
	struct server_record *record;
	const int64_t *zero_ns; /* 0: not known yet, so nothing is recorded */
	struct plf_server_stats before;
};

/*
 * Open the plan's servers. From now on they have their budgets. Returns 0; or an errno value, with
 * the index of the refused server in *REFUSED.
 */
__attribute__((warn_unused_result)) int open_servers(struct served *served, const struct plan *plan,
						     struct record *record, const int64_t *zero_ns,
						     size_t *refused);

/*
 * Let the servers share locks. Returns 0; or an errno value, with the index of the refused resource
 * in *REFUSED.
 */
__attribute__((warn_unused_result)) int share_locks(const struct served *served,
						    const struct plan *plan, union lock *locks,
						    size_t *refused);

/*
 * Time 0 is known, and to come. The servers' periods count from it, and they have no budget before.
 */
void begin_servers(struct served *served, size_t count);

/* All tasks have ended: record the work of the managers since time 0. */
void settle_servers(struct served *served, size_t count);

#endif
