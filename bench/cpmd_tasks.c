// SPDX-License-Identifier: MIT

/*
 * The cost of preemptions for the working sets of a task set while it runs: OSPERT 2010, 4
 * (Bastoni, Brandenburg, Anderson), the schedule-sensitive method of Section 3.1. Each task is a
 * SCHED_FIFO thread on its CPU. A job with a working set goes through it twice. It then reads
 * single words of the set until it is preempted, or its run time is over. After a preemption it
 * goes through the set a third time. The schedule decides when it is preempted.
 *
 * The paper's kernel has a page that shows a job its preemptions. Here a restartable sequence
 * (rseq(2)) shows them: the thread arms a sequence whose code it never runs, and the kernel disarms
 * it when it switches the thread. A gap of the clock confirms that, because other events, such as
 * signals, disarm sequences, too.
 *
 * Output, in lines: `sees_interrupts 0|1`; for each task `task SAMPLES JOBS EARLY UNSURE`, then its
 * samples; for each polluter its CPU and its passes. EARLY jobs were preempted in a first pass.
 * UNSURE counts sequences that were disarmed without a gap of the clock.
 */
#define _GNU_SOURCE
#include "../linux/core/cpu.h"
#include "../linux/machine/clock.h"
#include "../linux/machine/say.h"
#include "../linux/real_time/bounded.h"
#include "cpmd_polluters.h"
#include "cpmd_real_time.h"
#include "cpmd_sample.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { FIRST_TASK = 4, TASKS_MAX = 1000, STACK_BYTES = 128 << 10 };

#define LONGEST_MS    60000
#define START_NS      (50 * NS_PER_MS)
#define LONGEST_NS    (100 * NS_PER_S)
#define SET_BYTES_MAX (UINT64_C(1) << 30)
/* A switch to another task and back takes longer, and two readings of the clock do not. */
#define LEAST_GAP_NS INT64_C(1000)

static const char usage[] =
	"usage: cpmd-tasks TIME_MS WRITE_EVERY POLLUTER_BYTES TASK...\n"
	"       TASK: CPU:PRIORITY:PERIOD_NS:OFFSET_NS:RUN_NS:SET_BYTES; SET_BYTES 0: none\n";

struct task {
	uint64_t cpu, priority, period_ns, offset_ns, run_ns, set_bytes;
	struct set set;
	pthread_t thread;
	bool is_started;
	int status;
	uint64_t job_count, early_count, unsure_count;
	size_t sample_count, sample_max;
	struct sample *samples;
};

static struct task tasks[TASKS_MAX];
static int64_t begin_ns, end_ns; /* for all tasks */

/* A sequence whose code is in no function. It only shows whether the kernel disarmed it. */
static const uint32_t signed_abort[2] = { RSEQ_SIG, 0 };
static const char nowhere[1];
static struct rseq_cs sequence;

static void arm(struct rseq *rseq)
{
	__atomic_store_n(&rseq->rseq_cs, (uint64_t)(uintptr_t)&sequence, __ATOMIC_RELAXED);
}

static bool is_taken_away(const struct rseq *rseq)
{
	return __atomic_load_n(&rseq->rseq_cs, __ATOMIC_RELAXED) == 0;
}

static void disarm(struct rseq *rseq)
{
	__atomic_store_n(&rseq->rseq_cs, 0, __ATOMIC_RELAXED);
}

static void sleep_until(int64_t time_ns)
{
	struct timespec time = timespec_of(time_ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

/* The state of a job. Its time excludes the time when it was away. */
struct job {
	struct task *task;
	struct rseq *rseq;
	int64_t left_ns; /* rest of its run time */
	int64_t seen_ns; /* when it last read the clock */
	size_t place;	 /* the line that it reads next */
};

/*
 * Whether the job was away since its last look, and for how long. The clock is read first. If a
 * switch follows the test of the sequence, the next look finds it with its gap. If the kernel has
 * disarmed the sequence, the clock is read again, because the first reading may precede the switch.
 */
static bool look(struct job *job, int64_t *away_ns)
{
	int64_t now = now_ns();
	bool is_taken = is_taken_away(job->rseq);
	bool is_away;

	if (is_taken) {
		arm(job->rseq);
		now = now_ns();
	}
	*away_ns = now - job->seen_ns;
	is_away = is_taken && *away_ns >= LEAST_GAP_NS;
	job->seen_ns = now;
	job->task->unsure_count += is_taken && !is_away;
	if (!is_away)
		job->left_ns -= *away_ns;
	return is_away;
}

/* Keep the set in the caches, word by word. True: the job was preempted meanwhile. */
static bool wait_awake(struct job *job, int64_t *away_ns)
{
	const struct set *set = &job->task->set;

	while (job->left_ns > 0) {
		if (set->line_count != 0) {
			(void)set->lines[job->place].words[1];
			job->place = job->place + 1 == set->line_count ? 0 : job->place + 1;
		}
		if (look(job, away_ns))
			return true;
	}
	return false;
}

static int64_t faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/*
 * Account for passes that began at the last reading of the clock. Returns whether they were whole.
 */
static bool end_pass(struct job *job)
{
	int64_t now = now_ns();
	bool is_whole = !is_taken_away(job->rseq);

	if (!is_whole)
		arm(job->rseq);
	job->left_ns -= now - job->seen_ns;
	job->seen_ns = now;
	return is_whole;
}

static void sample_job(struct job *job)
{
	struct task *task = job->task;
	struct sample sample = { .left_count = 1, .fault_count = -faults() };
	bool is_whole;

	pass_through(&task->set);
	sample.warm = watched_pass(&task->set, &sample.warm_cut);
	if (!end_pass(job)) {
		task->early_count++;
		return;
	}
	sample.from = (int)__atomic_load_n(&job->rseq->cpu_id, __ATOMIC_RELAXED);
	if (!wait_awake(job, &sample.away_ns))
		return;
	sample.to = (int)__atomic_load_n(&job->rseq->cpu_id, __ATOMIC_RELAXED);
	sample.after = watched_pass(&task->set, &sample.after_cut);
	is_whole = end_pass(job);
	sample.fault_count += faults();
	if (is_whole && task->sample_count < task->sample_max)
		task->samples[task->sample_count++] = sample;
}

static void run_job(struct task *task, struct rseq *rseq)
{
	struct job job = {
		.task = task, .rseq = rseq, .left_ns = (int64_t)task->run_ns, .seen_ns = now_ns()
	};
	int64_t away_ns;

	task->job_count++;
	arm(rseq);
	if (task->set.line_count != 0)
		sample_job(&job);
	while (job.left_ns > 0)
		wait_awake(&job, &away_ns);
	disarm(rseq);
}

static void *run_task(void *argument)
{
	struct task *task = argument;
	struct rseq *rseq = plf_rseq_area();
	int64_t due_ns = begin_ns + (int64_t)task->offset_ns;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)task->cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) != 0) {
		task->status = refuse("CPU %" PRIu64 ": %s", task->cpu, strerror(errno));
		return NULL;
	}
	task->status = enter_real_time((int)task->priority);
	for (; task->status == RAN && due_ns < end_ns; due_ns += (int64_t)task->period_ns) {
		sleep_until(due_ns);
		run_job(task, rseq);
	}
	return NULL;
}

static bool parse(const char **word, char until, uint64_t most, uint64_t *number)
{
	char *end;

	if (**word < '0' || **word > '9')
		return false;
	errno = 0;
	*number = strtoull(*word, &end, 10);
	*word = end + (*end != '\0');
	return errno == 0 && *end == until && *number <= most;
}

static bool parse_task(const char *word, struct task *task)
{
	return parse(&word, ':', CPU_SETSIZE - 1, &task->cpu) &&
	       parse(&word, ':', 99, &task->priority) && task->priority > 0 &&
	       parse(&word, ':', LONGEST_NS, &task->period_ns) && task->period_ns > 0 &&
	       parse(&word, ':', LONGEST_NS, &task->offset_ns) &&
	       parse(&word, ':', LONGEST_NS, &task->run_ns) &&
	       parse(&word, '\0', SET_BYTES_MAX, &task->set_bytes) &&
	       task->set_bytes % LINE_BYTES == 0;
}

/* Allocate memory for the task's set, and for a sample of each job. */
static int prepare(struct task *task, int64_t time_ns, uint64_t write_every)
{
	int error;

	if (task->set_bytes == 0)
		return RAN;
	task->sample_max = (size_t)(time_ns / (int64_t)task->period_ns) + 1;
	task->samples = calloc(task->sample_max, sizeof(*task->samples));
	if (task->samples == NULL)
		return fail("no memory for %zu samples", task->sample_max);
	error = make_set(&task->set, task->set_bytes, write_every);
	return error == 0 ? RAN
			  : fail("a working set of %" PRIu64 " bytes: %s", task->set_bytes,
				 strerror(error));
}

/* Start the task with a small stack, because all memory is locked. 0 or an errno value. */
static int start(struct task *task)
{
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error != 0)
		return error;
	error = pthread_attr_setstacksize(&attr, STACK_BYTES);
	if (error == 0)
		error = pthread_create(&task->thread, &attr, run_task, task);
	pthread_attr_destroy(&attr);
	task->is_started = error == 0;
	return error;
}

static int run_tasks(size_t count, int64_t time_ns)
{
	int status = RAN;

	begin_ns = now_ns() + START_NS;
	end_ns = begin_ns + time_ns;
	for (size_t i = 0; i < count && status == RAN; i++) {
		int error = start(&tasks[i]);

		if (error != 0)
			status = fail("a thread cannot be started: %s", strerror(error));
	}
	for (size_t i = 0; i < count; i++) {
		if (!tasks[i].is_started)
			continue;
		pthread_join(tasks[i].thread, NULL);
		if (tasks[i].status != RAN)
			status = tasks[i].status;
	}
	return status;
}

static int run_beside(size_t count, int64_t time_ns, size_t polluter_bytes)
{
	struct polluters *polluters = NULL;
	bool sees = sees_interrupts();
	int status;

	if (polluter_bytes != 0) {
		polluters = start_polluters(polluter_bytes);
		if (polluters == NULL)
			return fail("polluters of %zu bytes each: %s", polluter_bytes,
				    strerror(errno));
	}
	status = run_tasks(count, time_ns);
	printf("sees_interrupts %d\n", sees);
	for (size_t i = 0; i < count && status == RAN; i++) {
		const struct task *task = &tasks[i];

		printf("task %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", task->sample_count,
		       task->job_count, task->early_count, task->unsure_count);
		for (size_t sample = 0; sample < task->sample_count; sample++)
			print_sample(&task->samples[sample]);
	}
	if (polluters != NULL) {
		print_polluters(polluters);
		end_polluters(polluters);
	}
	return status == RAN ? end_stdout() : status;
}

int main(int count, char **words)
{
	size_t task_count = count > FIRST_TASK ? (size_t)(count - FIRST_TASK) : 0;
	uint64_t time_ms, write_every, polluter_bytes;
	int status;

	if (task_count == 0 || task_count > TASKS_MAX ||
	    !parse((const char **)&words[1], '\0', LONGEST_MS, &time_ms) ||
	    !parse((const char **)&words[2], '\0', SET_BYTES_MAX, &write_every) ||
	    !parse((const char **)&words[3], '\0', UINT64_MAX, &polluter_bytes)) {
		fputs(usage, stderr);
		return refuse("found other words; expected numbers, and 1 to %d tasks", TASKS_MAX);
	}
	for (size_t i = 0; i < task_count; i++)
		if (!parse_task(words[FIRST_TASK + i], &tasks[i]))
			return refuse("found '%s'; expected a task", words[FIRST_TASK + i]);
	if (__rseq_size == 0)
		return refuse("no restartable sequences: this needs a C library that registers "
			      "them (glibc 2.35, without glibc.pthread.rseq=0) and CONFIG_RSEQ");
	sequence = (struct rseq_cs) {
		.start_ip = (uintptr_t)nowhere,
		.post_commit_offset = sizeof(nowhere),
		.abort_ip = (uintptr_t)&signed_abort[1],
	};
	status = bound_lifetime();
	for (size_t i = 0; i < task_count && status == RAN; i++)
		status = prepare(&tasks[i], (int64_t)time_ms * NS_PER_MS, write_every);
	if (status != RAN)
		return status;
	return run_beside(task_count, (int64_t)time_ms * NS_PER_MS, polluter_bytes);
}
