/* SPDX-License-Identifier: MIT */
#ifndef STRESS_CROWD_H
#define STRESS_CROWD_H

/* One run of one configuration, in a process of its own. */
#include "report.h"

struct plan {
	const struct configuration *configuration;
	enum strength strength;
	uint64_t seed;
	double seconds;
	int cpu;
};

/* Run and check; what is found lies in `report`. 0, or an errno value: it could not run. */
int run_crowd(const struct plan *plan);

#endif
