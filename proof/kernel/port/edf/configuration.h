/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CONFIGURATION_H
#define PROOF_CONFIGURATION_H

/* The tables of system.c. */

/* For each task the relative deadline, and the least floor of its resources. */
#define PROOF_TASKS                                                                                \
	TASK_AT(T8, 20, 20)                                                                        \
	TASK_AT(T7, 30, 30)                                                                        \
	TASK_AT(T6, 40, 30)                                                                        \
	TASK_AT(T5, 50, 30)                                                                        \
	TASK_AT(T4, 60, 30)                                                                        \
	TASK_AT(E4, 60, 30)                                                                        \
	TASK_AT(M4, 60, 30)                                                                        \
	TASK_AT(T3, 70, 30)                                                                        \
	TASK_AT(T2, 80, 30)                                                                        \
	TASK_AT(T2I, 80, 30)                                                                       \
	TASK_AT(T2N, 80, 50)                                                                       \
	TASK_AT(T1, 90, 30)

#define TASK_AT(name, deadline_, least_)                                                           \
	[name] = {                                                                                 \
		.urgency = { .deadline_ns = (deadline_), .least_ns = (least_) },                   \
		.resources = (1 << PLF_RESOURCES) - 1,                                             \
		.events = name == E4 ? 3 : 0,                                                      \
		.activations = name == M4 ? 2 : 1,                                                 \
		.server = PAYER_OF(name),                                                          \
	},
const struct plf_task_config plf_task_config[PLF_TASKS] = { PROOF_TASKS };
#undef TASK_AT

#define TASK_AT(name, deadline_, least_) deadline_, least_, 0,
const uint64_t proof_tasks[] = { PROOF_TASKS };
#undef TASK_AT

/* The field of a task block in which the kernel keeps its urgency. */
#define PROOF_KEPT urgency.floor.deadline

#endif
