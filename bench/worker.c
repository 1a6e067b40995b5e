// SPDX-License-Identifier: MIT

/*
 * A task with jobs of equal execution time, either a job each period, or jobs in sequence. A late
 * job begins when the previous job ends. Another process may give the task a priority
 * or reservation while it waits to begin.
 *
 * Output: a line for each job, `released ended`, in nanoseconds of CLOCK_MONOTONIC.
 */
#define _GNU_SOURCE
#include "../linux/machine/clock.h"
#include "../linux/real_time/bounded.h"
#include "../linux/run/pace.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	REFUSED = 2,
	NUMBERS = 5,
	COUNT_MAX = 65536,
	PRIORITY_MAX = 98,
};

#define LONGEST_NS	 UINT64_C(100000000000)
#define LONGEST_AWAKE_US 60000000

static const char usage[] =
	"usage: worker PRIORITY DELAY_NS PERIOD_NS WORK_NS COUNT (a period of 0: no sleep)\n";

static int64_t ended_ns[COUNT_MAX];

static void sleep_until(int64_t time_ns)
{
	struct timespec time = timespec_of(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

/* Work for work_ns: see linux/run/spin.h. */
static void work(const struct pace *pace, int64_t *recent_ns, int64_t work_ns)
{
	int64_t last_ns = now_ns();

	while (work_ns > 0) {
		int64_t look_ns = turn_and_look();

		if (is_short(pace, recent_ns, look_ns - last_ns))
			work_ns -= look_ns - last_ns;
		last_ns = look_ns;
	}
}

/* Returns 0 or an errno value. */
static int become(uint64_t priority)
{
	struct sched_param param = { .sched_priority = (int)priority };
	int error;

	if (priority == 0)
		return 0;
	error = plf_bound_real_time(LONGEST_AWAKE_US);
	if (error != 0)
		return error;
	return sched_setscheduler(0, SCHED_FIFO, &param) == 0 ? 0 : errno;
}

static void run(const struct pace *pace, int64_t begin_ns, int64_t period_ns, int64_t work_ns,
		uint64_t count)
{
	int64_t recent_ns = pace->turn_ns;

	for (uint64_t job = 0; job < count; job++) {
		sleep_until(begin_ns + (int64_t)job * period_ns);
		work(pace, &recent_ns, work_ns);
		ended_ns[job] = now_ns();
	}
}

static void print(int64_t begin_ns, int64_t period_ns, uint64_t count)
{
	for (uint64_t job = 0; job < count; job++)
		printf("%" PRId64 " %" PRId64 "\n", begin_ns + (int64_t)job * period_ns,
		       ended_ns[job]);
}

static int refuse(const char *word)
{
	fprintf(stderr, "worker: found '%s'; expected a number in its range\n%s", word, usage);
	return REFUSED;
}

int main(int argc, char **argv)
{
	static const uint64_t most[NUMBERS] = { PRIORITY_MAX, LONGEST_NS, LONGEST_NS, LONGEST_NS,
						COUNT_MAX };
	uint64_t numbers[NUMBERS];
	struct pace pace;
	int64_t begin_ns, period_ns;
	int error;

	if (argc != NUMBERS + 1) {
		fputs(usage, stderr);
		return REFUSED;
	}
	for (int i = 0; i < NUMBERS; i++) {
		char *end;

		numbers[i] = strtoull(argv[i + 1], &end, 10);
		if (argv[i + 1][0] == '\0' || *end != '\0' || numbers[i] > most[i])
			return refuse(argv[i + 1]);
	}
	pace = measure_pace();
	error = become(numbers[0]);
	if (error != 0) {
		fprintf(stderr, "worker: priority %s: %s\n", argv[1], strerror(error));
		return REFUSED;
	}
	begin_ns = now_ns() + (int64_t)numbers[1];
	period_ns = (int64_t)numbers[2];
	run(&pace, begin_ns, period_ns, (int64_t)numbers[3], numbers[4]);
	print(begin_ns, period_ns, numbers[4]);
	return 0;
}
