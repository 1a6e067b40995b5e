/* SPDX-License-Identifier: MIT */
#ifndef STRESS_TABLE_H
#define STRESS_TABLE_H

/* What the runs came to, one row each: as a table or as JSON. */
#include "supervise.h"

struct row {
	const struct configuration *configuration;
	enum strength strength;
	enum outcome outcome;
	struct report report;
};

/* All that is promised held; or, for the control, the violation was seen. */
bool row_passes(const struct row *row);

void table_begin(bool json, uint64_t seed);
void table_row(bool json, const struct row *row, bool first);
void table_end(bool json, bool passed);

#endif
