/* SPDX-License-Identifier: MIT */
#ifndef PROOF_CONFIGURATION_H
#define PROOF_CONFIGURATION_H

/* The tables of the scheduler by hardware. */
#include "schedule.c"
#include "tasks.h"

enum { PLACES = 4 };
static struct {
	uint32_t ring[PLF_CPUS][PLACES];
	uint32_t ceiling[PLF_CPUS][PLACES]; /* of a global resource */
	uint32_t inbox[PLF_CPUS][1];	    /* no task is ever sent */
} proof_places;

#define LEVELS(core)                                                                               \
	{                                                                                          \
		{ .only = 0 }, { .only = 1 + L##core },                                            \
			{ .places = proof_places.ring[core], .mask = PLACES - 1 },                 \
			{ .only = 1 + H##core } PROOF_CEILING_LEVEL(core)                          \
	}
const struct plf_level_config plf_level_config[PLF_CPUS][PLF_LEVELS] = { LEVELS(0), LEVELS(1) };

const struct plf_inbox_config plf_inbox_config[PLF_CPUS] = {
	{ proof_places.inbox[0], 0 },
	{ proof_places.inbox[1], 0 },
};

#endif
