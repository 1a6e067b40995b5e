/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CONFIGURATION_H
#define PROOF_CONFIGURATION_H

/* The tables of system.c. */

/* A task under overrun may reach any level, because its sections have the highest local ceiling. */
#if PROOF_SHARING
#define PROOF_HIGHEST(name, highest)                                                               \
	(PROOF_SKIPS >> PAYER_OF(name) & 1 ? (highest) : PLF_LEVELS - 1)
#define PROOF_CLAIM_OF(name) .claim = PROOF_CLAIM(PAYER_OF(name)),
#else
#define PROOF_HIGHEST(name, highest) (highest)
#define PROOF_CLAIM_OF(name)
#endif

/* For each task the base level, the internal level and the highest level. */
#define PROOF_TASKS                                                                                \
	TASK_AT(T8, 8, 8, 8)                                                                       \
	TASK_AT(T7, 7, 7, 7)                                                                       \
	TASK_AT(T6, 6, 6, 7)                                                                       \
	TASK_AT(T5, 5, 5, 7)                                                                       \
	TASK_AT(T4, 4, 4, 7)                                                                       \
	TASK_AT(E4, 4, 4, 7)                                                                       \
	TASK_AT(M4, 4, 4, 7)                                                                       \
	TASK_AT(T3, 3, 3, 7)                                                                       \
	TASK_AT(T2, 2, 2, 7)                                                                       \
	TASK_AT(T2I, 2, 4, 7)                                                                      \
	TASK_AT(T2N, 2, 2, 5)                                                                      \
	TASK_AT(T1, 1, 1, 7)

#define TASK_AT(name, base_, internal_, highest_)                                                  \
	[name] = { .urgency = { .base = (base_),                                                   \
				.internal = (internal_),                                           \
				.highest = PROOF_HIGHEST(name, highest_) },                        \
		   .resources = (1 << PLF_RESOURCES) - 1,                                          \
		   .events = name == E4 ? 3 : 0,                                                   \
		   .activations = name == M4 ? 2 : 1,                                              \
		   .server = PAYER_OF(name),                                                       \
		   PROOF_CLAIM_OF(name) },
const struct plf_task_config plf_task_config[PLF_TASKS] = { PROOF_TASKS };
#undef TASK_AT

#define TASK_AT(name, base_, internal_, highest_) base_, internal_, PROOF_HIGHEST(name, highest_),
const uint64_t proof_tasks[] = { PROOF_TASKS };
#undef TASK_AT

enum { SLOTS = 8 };
static struct plf_task *slots[PLF_QUEUES][PLF_LEVELS][SLOTS];
#define RING(queue, level, size)                                                                   \
	{                                                                                          \
		slots[queue][level], (size)-1                                                      \
	}
#define RINGS(queue)                                                                               \
	{                                                                                          \
		RING(queue, 0, 2), RING(queue, 1, 2), RING(queue, 2, 4), RING(queue, 3, 2),        \
			RING(queue, 4, 8), RING(queue, 5, 2), RING(queue, 6, 2),                   \
			RING(queue, 7, 2), RING(queue, 8, 2),                                      \
	}
#if PLF_SERVERS
const struct plf_ring_config plf_ring_config[PLF_QUEUES][PLF_LEVELS] = {
	RINGS(0), RINGS(1), RINGS(2),
#if PLF_SERVERS == 4
	RINGS(3), RINGS(4),
#endif
};
#else
const struct plf_ring_config plf_ring_config[PLF_QUEUES][PLF_LEVELS] = { RINGS(0) };
#endif

/* The field of a task block in which the kernel keeps its urgency. */
#define PROOF_KEPT urgency.level

#endif
