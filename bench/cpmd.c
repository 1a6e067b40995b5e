// SPDX-License-Identifier: MIT

/*
 * The cost of a preemption or a migration for a working set: OSPERT 2010, 4 (Bastoni, Brandenburg,
 * Anderson), Figure 1 and the synthetic method of Section 3.2. A SCHED_FIFO thread of the highest
 * priority goes through its working set until that is in the caches, and once more: the warm pass.
 * It is then away for a time, resumes on the same or another CPU, and goes through the set again.
 *
 * The caller chooses the CPU and the time of each resumption, and judges which samples are valid. A
 * pass is timed on a single CPU, by a single clock.
 *
 * Output, in lines: `sees_interrupts 0|1`, whether interrupts can be seen here; for each sample the
 * line of print_sample(); for each polluter its CPU and its passes.
 */
#define _GNU_SOURCE
#include "../linux/machine/clock.h"
#include "../linux/machine/host.h"
#include "../linux/machine/say.h"
#include "../linux/real_time/bounded.h"
#include "cpmd_polluters.h"
#include "cpmd_real_time.h"
#include "cpmd_sample.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { FIRST_MOVE = 5 };

#define SET_BYTES_MAX (UINT64_C(1) << 40)
#define AWAY_NS_MAX   NS_PER_S
/* No sample begins after that time, because a sample and the end of the program still need time. */
#define BEGIN_NS_MAX (40 * NS_PER_S)

static const char usage[] =
	"usage: cpmd SET_BYTES WRITE_EVERY POLLUTER_BYTES CPU [CPU:AWAY_NS]...\n"
	"       WRITE_EVERY 0: no word is written; POLLUTER_BYTES 0: no polluters\n";

struct move {
	int cpu;
	int64_t away_ns;
};

static void sleep_until(int64_t time_ns)
{
	struct timespec time = timespec_of(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

static bool go_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

static int64_t stolen_of(int one, int other)
{
	return steal_ns(one) + (other == one ? 0 : steal_ns(other));
}

/*
 * Between the warm pass and the third pass only getrusage() reads counts, before the thread is
 * away. Other readings would take lines of the caches.
 */
static bool take(const struct set *set, struct move move, struct sample *sample)
{
	struct rusage begin, leaves, end;
	int64_t stolen_ns, left_ns;

	*sample = (struct sample) { .from = sched_getcpu(), .away_ns = move.away_ns };
	stolen_ns = stolen_of(sample->from, move.cpu);
	getrusage(RUSAGE_THREAD, &begin);
	pass_through(set);
	sample->warm = watched_pass(set, &sample->warm_cut);
	left_ns = now_ns();
	getrusage(RUSAGE_THREAD, &leaves);
	if (!go_to(move.cpu))
		return false;
	sleep_until(left_ns + move.away_ns);
	sample->after = watched_pass(set, &sample->after_cut);
	getrusage(RUSAGE_THREAD, &end);
	sample->to = sched_getcpu();
	sample->fault_count = end.ru_minflt + end.ru_majflt - begin.ru_minflt - begin.ru_majflt;
	sample->left_count = end.ru_nvcsw - leaves.ru_nvcsw;
	sample->stolen_ns = stolen_of(sample->from, move.cpu) - stolen_ns;
	return true;
}

/*
 * Rest as long as the passes took, which is far from the kernel's limit for SCHED_FIFO (950 ms in a
 * second).
 */
static void rest(const struct sample *sample)
{
	sleep_until(now_ns() + 2 * sample->warm.time_ns + sample->after.time_ns);
}

/*
 * Returns the number of samples for which there was time; minus an errno value: the thread cannot
 * go to a CPU.
 */
static long take_all(const struct set *set, const struct move *moves, long count,
		     struct sample *samples)
{
	int64_t end_ns = now_ns() + BEGIN_NS_MAX;

	for (long i = 0; i < count; i++) {
		if (now_ns() > end_ns)
			return i;
		if (!take(set, moves[i], &samples[i]))
			return -errno;
		rest(&samples[i]);
	}
	return count;
}

static bool parse(const char *word, char until, uint64_t most, uint64_t *number, const char **rest)
{
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return false;
	errno = 0;
	*number = strtoull(word, &end, 10);
	*rest = end + (*end != '\0');
	return errno == 0 && *end == until && *number <= most;
}

static bool parse_move(const char *word, struct move *move)
{
	uint64_t cpu, away_ns;
	const char *rest;

	if (!parse(word, ':', CPU_SETSIZE - 1, &cpu, &rest) ||
	    !parse(rest, '\0', AWAY_NS_MAX, &away_ns, &rest))
		return false;
	*move = (struct move) { .cpu = (int)cpu, .away_ns = (int64_t)away_ns };
	return true;
}

struct task {
	uint64_t set_bytes, write_every, polluter_bytes, cpu;
	long count;
	struct move *moves;
	struct sample *samples;
};

static int parse_task(int count, char **words, struct task *task)
{
	const char *rest;

	if (count < FIRST_MOVE || !parse(words[1], '\0', SET_BYTES_MAX, &task->set_bytes, &rest) ||
	    task->set_bytes == 0 || task->set_bytes % LINE_BYTES != 0 ||
	    !parse(words[2], '\0', SET_BYTES_MAX, &task->write_every, &rest) ||
	    !parse(words[3], '\0', SET_BYTES_MAX, &task->polluter_bytes, &rest) ||
	    !parse(words[4], '\0', CPU_SETSIZE - 1, &task->cpu, &rest)) {
		fputs(usage, stderr);
		return refuse("found other words; expected whole lines of %d bytes, and numbers",
			      LINE_BYTES);
	}
	task->count = count - FIRST_MOVE;
	task->moves = calloc((size_t)task->count + 1, sizeof(*task->moves));
	task->samples = calloc((size_t)task->count + 1, sizeof(*task->samples));
	if (task->moves == NULL || task->samples == NULL)
		return fail("no memory for %ld samples", task->count);
	for (long i = 0; i < task->count; i++)
		if (!parse_move(words[FIRST_MOVE + i], &task->moves[i]))
			return refuse("found '%s'; expected CPU:AWAY_NS, of at most a second",
				      words[FIRST_MOVE + i]);
	return RAN;
}

static int measure(struct task *task, const struct set *set)
{
	bool sees;
	int error;

	if (!go_to((int)task->cpu))
		return refuse("CPU %" PRIu64 ": %s", task->cpu, strerror(errno));
	sees = sees_interrupts();
	task->count = take_all(set, task->moves, task->count, task->samples);
	error = plf_become_ordinary();
	if (task->count < 0)
		return refuse("a move to a CPU: %s", strerror((int)-task->count));
	if (error != 0)
		return fail("SCHED_OTHER: %s", strerror(error));
	printf("sees_interrupts %d\n", sees);
	for (long i = 0; i < task->count; i++)
		print_sample(&task->samples[i]);
	return RAN;
}

static int measure_beside(struct task *task, const struct set *set)
{
	struct polluters *polluters = NULL;
	int status;

	if (task->polluter_bytes != 0) {
		polluters = start_polluters(task->polluter_bytes);
		if (polluters == NULL)
			return fail("polluters of %" PRIu64 " bytes each: %s", task->polluter_bytes,
				    strerror(errno));
	}
	status = enter_real_time(sched_get_priority_max(SCHED_FIFO));
	if (status == RAN)
		status = measure(task, set);
	if (polluters != NULL) {
		plf_become_ordinary();
		print_polluters(polluters);
		end_polluters(polluters);
	}
	return status == RAN ? end_stdout() : status;
}

int main(int count, char **words)
{
	struct task task = { 0 };
	struct set set;
	int status = parse_task(count, words, &task);
	int error;

	if (status != RAN)
		return status;
	status = bound_lifetime();
	if (status != RAN)
		return status;
	error = make_set(&set, task.set_bytes, task.write_every);
	if (error != 0)
		return fail("a working set of %" PRIu64 " bytes: %s", task.set_bytes,
			    strerror(error));
	return measure_beside(&task, &set);
}
