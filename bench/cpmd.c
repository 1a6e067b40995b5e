// SPDX-License-Identifier: MIT

/*
 * What a preemption or a migration costs a working set: OSPERT 2010, 4 (Bastoni, Brandenburg,
 * Anderson), Figure 1 and the synthetic method of Section 3.2. One thread, SCHED_FIFO at the
 * highest priority, goes through its working set until that is in the caches, and once more (the
 * warm pass); then it is away for a time, resumes on the same CPU or another one, and goes through
 * it again.
 *
 * It is given where it resumes and when. Which samples are valid, and what they show, is for its
 * reader. A pass is timed on one CPU, by one clock.
 *
 * Output, a line each: `sees_interrupts 0|1`, whether they can be seen here at all; for each
 * sample its CPUs before and after, and what SAMPLE_FORMAT has; for each polluter its CPU and its
 * passes.
 */
#define _GNU_SOURCE
#include "../linux/machine/clock.h"
#include "../linux/machine/host.h"
#include "../linux/machine/say.h"
#include "../linux/real_time/bounded.h"
#include "cpmd_polluters.h"
#include "cpmd_set.h"

#include <errno.h>
#include <interrupted.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_S = 100, AWAKE_US = 10000000, FIRST_MOVE = 5, TRIALS = 3 };

#define SET_BYTES_MAX (UINT64_C(1) << 40)
#define AWAY_NS_MAX   NS_PER_S
/* No sample begins after that time: there is time left for one, and for the end. */
#define BEGIN_NS_MAX (40 * NS_PER_S)

static const char usage[] =
	"usage: cpmd SET_BYTES WRITE_EVERY POLLUTER_BYTES CPU [CPU:AWAY_NS]...\n"
	"       WRITE_EVERY 0: no word is written; POLLUTER_BYTES 0: no polluters\n";

struct move {
	int cpu;
	int64_t away_ns;
};

struct sample {
	int from, to;
	int64_t away_ns;	  /* as it was to be */
	struct pass warm, after;  /* the second and the third pass */
	bool warm_cut, after_cut; /* an interrupt or a trap came */
	int64_t fault_count;	  /* of pages, in all of it */
	int64_t left_count;	  /* how often the thread left the CPU while it was to be away */
	int64_t stolen_ns;	  /* by the host, of both CPUs, in all of it */
};

#define SAMPLE_FORMAT                                                                              \
	"sample %d %d %" PRId64 " %" PRId64 " %" PRId64 " %d %" PRId64 " %" PRId64 " %d %" PRId64  \
	" %" PRId64 " %" PRId64 "\n"

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

/* A timer of this CPU runs out while it is awaited awake. */
static bool sees_timer(int timer)
{
	const struct itimerspec soon = { .it_value = timespec_of(NS_PER_MS / 2) };
	int64_t end_ns = now_ns() + 2 * NS_PER_MS;

	if (timerfd_settime(timer, 0, &soon, NULL) != 0)
		return false;
	watch_interrupts();
	while (now_ns() < end_ns)
		;
	return was_interrupted();
}

static bool sees_interrupts(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	bool sees = timer >= 0;

	for (int i = 0; i < TRIALS && sees; i++)
		sees = sees_timer(timer);
	if (timer >= 0)
		close(timer);
	return sees;
}

static struct pass watched_pass(const struct set *set, bool *is_cut)
{
	struct pass pass;

	watch_interrupts();
	pass = pass_through(set);
	*is_cut = was_interrupted();
	return pass;
}

static int64_t stolen_of(int one, int other)
{
	return steal_ns(one) + (other == one ? 0 : steal_ns(other));
}

/*
 * Nothing that is counted is read between the warm pass and the third but by getrusage(), before
 * the thread is away: what reads counts takes lines of the caches, too.
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

/* As long as the passes took: the kernel's limit for SCHED_FIFO (950 ms in a second) stays far. */
static void rest(const struct sample *sample)
{
	sleep_until(now_ns() + 2 * sample->warm.time_ns + sample->after.time_ns);
}

/* Returns how many samples there was time for; minus an errno value: it cannot go to a CPU. */
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

static void print_sample(const struct sample *s)
{
	printf(SAMPLE_FORMAT, s->from, s->to, s->away_ns, s->warm.time_ns, s->warm.chunk_ns,
	       s->warm_cut, s->after.time_ns, s->after.chunk_ns, s->after_cut, s->fault_count,
	       s->left_count, s->stolen_ns);
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

/* The default action of SIGALRM ends the process even while a SCHED_FIFO thread of it spins. */
static int bound_lifetime(void)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(LONGEST_S);
	error = plf_bound_real_time(AWAKE_US);
	return error == 0 ? RAN : fail("RLIMIT_RTTIME: %s", strerror(error));
}

static int enter_real_time(void)
{
	const struct sched_param highest = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		return refuse("no privilege to lock memory: this needs RLIMIT_MEMLOCK unlimited "
			      "(ulimit -l) or CAP_IPC_LOCK");
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &highest) != 0)
		return refuse("no privilege for SCHED_FIFO: this needs RLIMIT_RTPRIO of %d "
			      "(ulimit -r) or CAP_SYS_NICE",
			      highest.sched_priority);
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
	status = enter_real_time();
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
