/* SPDX-License-Identifier: MIT */
#ifndef STRESS_CROWD_H
#define STRESS_CROWD_H

/* One run of one configuration, in a separate process. */
#include "report.h"

struct plan {
	const struct configuration *configuration;
	enum strength strength;
	uint64_t seed;
	double seconds;
	int cpu;
};

/* Run and check; the findings are in `report`. Returns 0, or an errno value if it could not run. */
int run_crowd(const struct plan *plan);

#endif
