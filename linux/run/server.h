/* SPDX-License-Identifier: MIT */
#ifndef RUN_SERVER_H
#define RUN_SERVER_H

/* The servers of a plan, and the record of each: libplafond's manager writes it. */
#include "plan.h"
#include "record.h"

struct served {
	plf_server_t server;
	struct server_record *record;
	const int64_t *zero_ns; /* 0: not known yet, and nothing is recorded */
	struct plf_server_stats before;
};

/* Open them: they have their budgets from now on. The place of one that is refused, and why. */
__attribute__((warn_unused_result)) int open_servers(struct served *served, const struct plan *plan,
						     struct record *record, const int64_t *zero_ns,
						     size_t *refused);

/* Let them share locks. The place of one that is refused, and why. */
__attribute__((warn_unused_result)) int share_locks(const struct served *served,
						    const struct plan *plan, union lock *locks,
						    size_t *refused);

/* Time 0 is known, and to come: their periods count from it, and they have nothing before. */
void begin_servers(struct served *served, size_t count);

/* All tasks have ended: what the managers did since then. */
void settle_servers(struct served *served, size_t count);

#endif
