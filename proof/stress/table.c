/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_control(const struct row *row)
{
	return (row->configuration->faults & FAULT_NO_HOOK) != 0;
}

static bool is_promised(const struct row *row, int finding)
{
	return (row->configuration->waived & 1U << finding) == 0;
}

/* The number of findings that break a promise. */
static uint64_t broken(const struct row *row)
{
	uint64_t count = 0;

	for (int i = 0; i < FINDINGS; i++)
		if (is_promised(row, i))
			count += row->report.findings[i];
	return count;
}

bool row_passes(const struct row *row)
{
	if (row->outcome != RAN || broken(row) > 0)
		return false;
	return !is_control(row) || row->report.findings[FOUND_CEILING] > 0;
}

static const char *verdict(const struct row *row)
{
	static const char *const not_run[] = { [STOOD_STILL] = "livelock or deadlock",
					       [CRASHED] = "crashed",
					       [COULD_NOT] = "could not run",
					       [INTERRUPTED] = "interrupted" };

	if (row->outcome != RAN)
		return not_run[row->outcome];
	if (!row_passes(row))
		return broken(row) > 0 ? "VIOLATED" : "NOT CAUGHT";
	return is_control(row) ? "caught" : "holds";
}

static uint64_t activations(const struct row *row)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		count += row->report.progress[i];
	return count;
}

void table_begin(bool json, uint64_t seed)
{
	if (json) {
		printf("{\"seed\": %" PRIu64 ", \"rows\": [", seed);
		return;
	}
	printf("seed %" PRIu64 "\n", seed);
	printf("%-13s %-8s %7s %11s %9s %10s %10s %6s %10s %7s %5s  %s\n", "configuration",
	       "strength", "threads", "activations", "sections", "preempted", "gate waits",
	       "deaths", "intrusions", "signals", "busy", "verdict (findings)");
}

static void print_findings(const struct row *row)
{
	bool none = true;

	for (int i = 0; i < FINDINGS; i++) {
		uint64_t count = row->report.findings[i];

		if (count == 0)
			continue;
		printf("%s%s%s %" PRIu64, none ? " (" : ", ",
		       is_promised(row, i) ? "" : "waived: ", finding_name[i], count);
		none = false;
	}
	printf(none ? "\n" : ")\n");
	for (int i = 0; i < FINDINGS; i++)
		if (row->report.findings[i] > 0 && is_promised(row, i))
			printf("    %s: first: %s\n", finding_name[i], row->report.first[i]);
}

static void print_row(const struct row *row)
{
	const struct report *r = &row->report;

	printf("%-13s %-8s %7u %11" PRIu64 " %9" PRIu64 " %10" PRIu64 " %10" PRIu64 " %6" PRIu64
	       " %10" PRIu64 " %7" PRIu64 " %4u%%  %s",
	       row->configuration->name, strength_name[row->strength], r->members, activations(row),
	       r->sections, r->preempted, r->gate_waits, r->deaths, r->intrusions, r->signals,
	       r->busy_percent, verdict(row));
	print_findings(row);
}

static void json_findings(const struct row *row)
{
	const char *comma = "";

	printf("\"findings\": {");
	for (int i = 0; i < FINDINGS; i++) {
		printf("%s\"%s\": {\"count\": %" PRIu64 ", \"promised\": %s, \"first\": \"%s\"}",
		       comma, finding_name[i], row->report.findings[i],
		       is_promised(row, i) ? "true" : "false", row->report.first[i]);
		comma = ", ";
	}
	printf("}");
}

static void json_row(const struct row *row)
{
	const struct report *r = &row->report;

	printf("{\"configuration\": \"%s\", \"about\": \"%s\", \"strength\": \"%s\", "
	       "\"threads\": %u, \"activations\": %" PRIu64 ", \"sections\": %" PRIu64
	       ", \"preempted\": %" PRIu64 ", \"gate_waits\": %" PRIu64 ", \"deaths\": %" PRIu64
	       ", \"intrusions\": %" PRIu64 ", \"signals\": %" PRIu64
	       ", \"longest_section_ns\": %" PRIu64 ", \"busy_percent\": %u, ",
	       row->configuration->name, row->configuration->about, strength_name[row->strength],
	       r->members, activations(row), r->sections, r->preempted, r->gate_waits, r->deaths,
	       r->intrusions, r->signals, r->longest_ns, r->busy_percent);
	json_findings(row);
	printf(", \"verdict\": \"%s\"}", verdict(row));
}

void table_row(bool json, const struct row *row, bool first)
{
	if (json && !first)
		printf(", ");
	if (json)
		json_row(row);
	else
		print_row(row);
	fflush(stdout);
}

void table_end(bool json, bool passed)
{
	if (json)
		printf("], \"passed\": %s}\n", passed ? "true" : "false");
	else
		printf("%s\n", passed ? "passed" : "FAILED");
}
