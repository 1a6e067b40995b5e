/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CONFIGURATION_H
#define PROOF_CONFIGURATION_H

/* The tables of the scheduler by software. */
#include "schedule.c"
#include "tasks.h"

enum { PLACES = 8, SLOTS = 8 };
static struct {
	struct plf_task *slots[PLF_CPUS][PLF_LEVELS][SLOTS];
	uint32_t inbox[PLF_CPUS][PLACES];
} proof_places;

#define RING(core, level)                                                                          \
	{                                                                                          \
		proof_places.slots[core][level], SLOTS - 1                                         \
	}
#define RINGS(core)                                                                                \
	{                                                                                          \
		RING(core, 0), RING(core, 1), RING(core, 2),                                       \
			RING(core, 3) PROOF_CEILING_RING(core)                                     \
	}
const struct plf_ring_config plf_ring_config[PLF_CPUS][PLF_LEVELS] = { RINGS(0), RINGS(1) };

const struct plf_inbox_config plf_inbox_config[PLF_CPUS] = {
	{ proof_places.inbox[0], PLACES - 1 },
	{ proof_places.inbox[1], PLACES - 1 },
};

#endif
