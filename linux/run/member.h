/* SPDX-License-Identifier: MIT */
#ifndef RUN_MEMBER_H
#define RUN_MEMBER_H

/* The thread of a task of the plan. */
#include "section.h"
#include "spin.h"
#include "team.h"

struct member {
	struct team *team;
	const struct task *task;
	struct task_record *record;
	struct spin spin;
	struct log log;
	struct section *sections; /* by the number of their first step; NULL: locks, not sections */
};

/* The body of the thread. */
void *run_member(void *member);

#endif
