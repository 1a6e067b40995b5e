/* SPDX-License-Identifier: MIT */
#ifndef STRESS_REPORT_H
#define STRESS_REPORT_H

/* The report of a run to its supervisor, in shared memory, so that it survives the run's death. */
#include "configuration.h"

#include <stdint.h>

enum { MEMBERS_MAX = 6 };

struct report {
	unsigned members;
	uint64_t progress[MEMBERS_MAX]; /* activations of each member: the sign of life */
	uint64_t sections, preempted, gate_waits, deaths, intrusions, signals;
	uint64_t longest_ns; /* longest section, from entering to having left */
	uint64_t findings[FINDINGS];
	unsigned busy_percent; /* of the run's CPU */
	char first[FINDINGS][96];
};

#endif
