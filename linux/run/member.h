/* SPDX-License-Identifier: MIT */
#ifndef RUN_MEMBER_H
#define RUN_MEMBER_H

/* One task of the plan, in a thread. */
#include "section.h"
#include "spin.h"
#include "team.h"

struct member {
	struct team *team;
	const struct task *task;
	struct task_record *record;
	struct spin spin;
	struct log log;
	struct section *sections; /* by the step that begins them; NULL: they have locks */
};

/* The body of the thread. */
void *run_member(void *member);

#endif
