/* SPDX-License-Identifier: MIT */

/*
 * A bounded stress run of the shipped library on the real kernel: 3 to 6 threads of one CPU with
 * random periods, sections nested in random order, and faults. An oracle watches beside the
 * protocol (notes.h). A control without the wake hook shows that the oracle can find violations.
 *
 * Exit status: 0 (all promises hold, the control is caught), 1 (not so), 2 (wrong usage, or it
 * could not run), 128 + n (signal n interrupted it).
 */
#define _GNU_SOURCE
#include "table.h"

#include "random.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { SECONDS = 8 };

static struct {
	uint64_t seed;
	double seconds;
	int cpu;
	const char *configuration; /* NULL: all */
	int strength;		   /* -1: all */
	bool no_hook;
	bool json;
} wanted = { .seconds = SECONDS, .strength = -1 };

static bool is_wanted(const struct configuration *configuration, enum strength strength)
{
	if ((configuration->strengths & 1U << strength) == 0)
		return false;
	if (wanted.no_hook && (configuration->faults & FAULT_NO_HOOK) == 0)
		return false;
	if (wanted.strength >= 0 ? wanted.strength != (int)strength : strength >= MODULE)
		return false;
	return wanted.configuration == NULL ||
	       strcmp(wanted.configuration, configuration->name) == 0;
}

static unsigned count_wanted(void)
{
	unsigned count = 0;

	for (size_t i = 0; i < configuration_count; i++)
		for (enum strength s = 0; s < STRENGTHS; s++)
			count += is_wanted(&configurations[i], s);
	return count;
}

static void usage(FILE *file)
{
	fprintf(file,
		"usage: stress [--seconds N] [--seed N] [--cpu N] [--format table|json]\n"
		"              [--only CONFIGURATION] [--strength robust|strict|syscall|module|\n"
		"               module-strict]   the last two need plafond.ko\n"
		"              [--no-hook]   only the control, without the wake hook\n"
		"configurations:\n");
	for (size_t i = 0; i < configuration_count; i++)
		fprintf(file, "  %-13s %s\n", configurations[i].name, configurations[i].about);
}

static bool read_seed(const char *text)
{
	char *end;

	errno = 0;
	wanted.seed = strtoull(text, &end, 0);
	return errno == 0 && *text != '\0' && *end == '\0';
}

static bool read_cpu(const char *text)
{
	char *end;
	long cpu = strtol(text, &end, 10);

	wanted.cpu = (int)cpu;
	return *text != '\0' && *end == '\0' && cpu >= 0 && cpu < 1024;
}

static bool read_seconds(const char *text)
{
	char *end;

	wanted.seconds = strtod(text, &end);
	return *text != '\0' && *end == '\0' && wanted.seconds > 0 && wanted.seconds <= 86400;
}

static bool read_strength(const char *text)
{
	for (int i = 0; i < STRENGTHS; i++)
		if (strcmp(text, strength_name[i]) == 0)
			wanted.strength = i;
	return wanted.strength >= 0;
}

static bool read_format(const char *text)
{
	wanted.json = strcmp(text, "json") == 0;
	return wanted.json || strcmp(text, "table") == 0;
}

static bool take(int option, const char *value)
{
	switch (option) {
	case 's':
		return read_seconds(value);
	case 'S':
		return read_seed(value);
	case 'c':
		return read_cpu(value);
	case 'f':
		return read_format(value);
	case 't':
		return read_strength(value);
	case 'o':
		wanted.configuration = value;
		return true;
	case 'n':
		wanted.no_hook = true;
		return true;
	default:
		return false;
	}
}

/* Returns -1 to go on, or the exit status. */
static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'S' },
		{ "cpu", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' },
		{ "only", required_argument, NULL, 'o' },
		{ "strength", required_argument, NULL, 't' },
		{ "no-hook", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct timespec now;
	int option;

	clock_gettime(CLOCK_REALTIME, &now);
	wanted.seed = ((uint64_t)now.tv_sec << 10 ^ (uint64_t)now.tv_nsec) & UINT32_MAX;
	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h') {
			usage(stdout);
			return 0;
		}
		if (!take(option, optarg)) {
			usage(stderr);
			return 2;
		}
	}
	if (optind == argc && count_wanted() > 0)
		return -1;
	usage(stderr);
	return 2;
}

/* The seed of a row depends only on this row, not on other rows that are run. */
static struct plan plan_of(size_t configuration, enum strength strength)
{
	uint64_t which = configuration * STRENGTHS + strength;

	return (struct plan) { .configuration = &configurations[configuration],
			       .strength = strength,
			       .seed = random_seed(wanted.seed, which),
			       .seconds = wanted.seconds / count_wanted(),
			       .cpu = wanted.cpu };
}

/* Returns whether to go on with the next row. */
static bool run_row(size_t configuration, enum strength strength, struct report *shared,
		    int *status)
{
	static bool first = true;
	struct plan plan = plan_of(configuration, strength);
	struct row row = { .configuration = plan.configuration, .strength = strength };

	row.outcome = supervise(&plan, shared);
	row.report = *shared;
	table_row(wanted.json, &row, first);
	first = false;
	if (row.outcome == INTERRUPTED)
		*status = 128 + interrupted_by();
	else if (row.outcome == COULD_NOT)
		*status = 2;
	else if (!row_passes(&row))
		*status = 1;
	return row.outcome != INTERRUPTED && row.outcome != COULD_NOT;
}

static int run_all(struct report *shared)
{
	bool going = true;
	int status = 0;

	table_begin(wanted.json, wanted.seed);
	for (size_t i = 0; i < configuration_count; i++)
		for (enum strength s = 0; s < STRENGTHS; s++)
			if (going && is_wanted(&configurations[i], s))
				going = run_row(i, s, shared, &status);
	table_end(wanted.json, status == 0);
	return status;
}

int main(int argc, char **argv)
{
	int status = parse(argc, argv);
	struct report *shared;

	if (status >= 0)
		return status;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED) {
		fprintf(stderr, "stress: mmap: %s\n", strerror(errno));
		return 2;
	}
	if (!become_supervisor()) {
		fprintf(stderr,
			"stress: SCHED_FIFO is denied (%s): needs RLIMIT_RTPRIO 99 or "
			"CAP_SYS_NICE\n",
			strerror(errno));
		return 2;
	}
	return run_all(shared);
}
