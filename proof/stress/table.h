/* SPDX-License-Identifier: MIT */
#ifndef STRESS_TABLE_H
#define STRESS_TABLE_H

/* The outcome of each run in a row, as a table or as JSON. */
#include "supervise.h"

struct row {
	const struct configuration *configuration;
	enum strength strength;
	enum outcome outcome;
	struct report report;
};

/* Whether all promises held, or, for the control, whether the violation was seen. */
bool row_passes(const struct row *row);

void table_begin(bool json, uint64_t seed);
void table_row(bool json, const struct row *row, bool first);
void table_end(bool json, bool passed);

#endif
