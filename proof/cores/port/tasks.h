/* SPDX-License-Identifier: MIT */
#ifndef PROOF_TASKS_H
#define PROOF_TASKS_H

/* The tables of system.c that do not depend on the scheduler: task, core, level, events, most. */
#define PROOF_TASKS                                                                                \
	TASK_AT(H0, 0, 3, 0, 1)                                                                    \
	TASK_AT(H1, 1, 3, 0, 1)                                                                    \
	TASK_AT(X0, 0, 2, 3, 1)                                                                    \
	TASK_AT(X1, 1, 2, 3, 1)                                                                    \
	TASK_AT(M0, 0, 2, 0, 2)                                                                    \
	TASK_AT(M1, 1, 2, 0, 2)                                                                    \
	TASK_AT(L0, 0, 1, 0, 1)                                                                    \
	TASK_AT(L1, 1, 1, 0, 1)

#define TASK_AT(name_, core_, level_, events_, most_)                                              \
	[name_] = {                                                                                \
		.urgency = { .base = (level_),                                                     \
			     .internal = (level_),                                                 \
			     .highest = PROOF_HIGHEST(most_) },                                    \
		.resources = PROOF_RESOURCES(most_),                                               \
		.events = (events_),                                                               \
		.activations = (most_),                                                            \
		.modes = (level_) == 1,                                                            \
		.core = (core_),                                                                   \
	},
const struct plf_task_config plf_task_config[PLF_TASKS] = { PROOF_TASKS };
#undef TASK_AT

#define TASK_AT(name_, core_, level_, events_, most_) core_, level_, most_,
const uint64_t proof_tasks[] = { PROOF_TASKS };
#undef TASK_AT

#endif
