/* SPDX-License-Identifier: MIT */
#ifndef STRESS_REPORT_H
#define STRESS_REPORT_H

/* What a run reports to its supervisor, in memory that both share: it survives the run's death. */
#include "configuration.h"

#include <stdint.h>

enum { MEMBERS_MAX = 6 };

struct report {
	unsigned members;
	uint64_t progress[MEMBERS_MAX]; /* activations of each: the sign of life */
	uint64_t sections, preempted, gate_waits, deaths, intrusions, signals;
	uint64_t longest_ns; /* section, from entering to having left */
	uint64_t findings[FINDINGS];
	unsigned busy_percent; /* of the one CPU */
	char first[FINDINGS][96];
};

#endif
