/* SPDX-License-Identifier: MIT */

/*
 * Real threads, the real kernel, the shipped library: comers arrive at every
 * instruction boundary of hook, lock and unlock, alone and in every pair.
 *
 *   single    one comer at each boundary of the holder
 *   waiter    for each of those, the second comer at each boundary of the first
 *   holder    for each of those, the second comer at each later boundary of the holder
 *
 * One scene at one strength a process: it prints one line of JSON and exits with
 * 0 (holds), 1 (violated), 2 (could not run). Its parent, the command line, kills
 * it when it stops making progress, and calls that a livelock.
 */
#define _GNU_SOURCE
#include "raw.h"
#include "scene.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 10, STACK_SIZE = 256 * 1024 };

struct report {
	unsigned long runs; /* also the sign of life */
	unsigned long boundaries, singles, waiter_pairs, holder_pairs;
	char finding[160], first[256], second[256];
};

static struct report *report; /* shared with the parent */
static const struct scene *scene;
static unsigned attach_flags;
static int cpu;
static bool singles_only;
static int patience_ms = 2000; /* a run lasts less than one */

static struct trace holder_trace, comer_trace, later_trace;
static struct arrival first, second;

static void could_not_run(const char *what, int error)
{
	fprintf(stderr, "step: %s: %s\n", what, strerror(error));
	_exit(2);
}

static int open_stat(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", gettid());
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void step_on_stage(struct actor *self)
{
	int error = plf_attach(self->priority, cpu, attach_flags);

	if (error == EPERM)
		fprintf(stderr,
			"step: SCHED_FIFO is denied: needs RLIMIT_RTPRIO >= %d or CAP_SYS_NICE\n",
			self->priority);
	if (error != 0)
		could_not_run("plf_attach", error);
	arrival_self = self;
	self->stat = open_stat();
}

static void act(struct actor *self)
{
	struct plf_stats before, after;

	plf_get_stats(&before);
	trace_begin(self->trace);
	self->activity(self);
	trace_end();
	plf_get_stats(&after);
	self->waits = after.gate_waits - before.gate_waits;
	self->active = false;
}

static void *comer(void *argument)
{
	struct actor *self = argument;

	step_on_stage(self);
	for (;;) {
		while (self->wake == 0)
			raw_wait(&self->wake, 0);
		self->wake = 0;
		act(self);
	}
	return NULL;
}

/* All memory is locked, so that a stack of the usual size would take longer than a small scene. */
static int start_thread(pthread_t *thread, void *(*body)(void *), void *argument)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (error == 0)
		error = pthread_attr_setstacksize(&attributes, STACK_SIZE);
	if (error == 0)
		error = pthread_create(thread, &attributes, body, argument);
	pthread_attr_destroy(&attributes);
	return error;
}

static void start_comer(struct actor *a)
{
	int error = start_thread(&a->thread, comer, a);

	if (error != 0)
		could_not_run("pthread_create", error);
	while (a->stat == 0)
		sched_yield();
}

static void set_stage(void)
{
	for (int i = 0; i < ACTORS; i++) {
		actor[i].index = i;
		actor[i].priority = scene->priority[i];
		actor[i].activity = scene->activity[i];
	}
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].activity != NULL)
			start_comer(&actor[i]);
	for (int i = 0; i < LOCKS; i++)
		plf_mutex_init(&lock[i], scene->ceiling[i]);
	step_on_stage(&actor[0]);
	for (int i = 0; i < LOCKS; i++)
		if (plf_mutex_lock(&lock[i]) != 0 || plf_mutex_unlock(&lock[i]) != 0)
			could_not_run("first lock", EINVAL);
}

static void clear_notes(void)
{
	for (int i = 0; i < ACTORS; i++) {
		actor[i].active = false;
		actor[i].inside = 0;
		actor[i].around = 0;
		actor[i].sections = 0;
		actor[i].blocker = 0;
		actor[i].waits = 0;
	}
	/* What the last run left there must not help this one. */
	for (int i = 1; i < PLF_FRAMES; i++)
		plf_self->frame[i].prev = 0;
	for (int i = 0; i < LOCKS && scene->fresh; i++)
		plf_mutex_init(&lock[i], scene->ceiling[i]);
	told_of_death = 0;
}

/* The next locker of a lock whose holder died is told, whoever it is, and nobody else. */
static void check_death(void)
{
	int error = plf_mutex_lock(&lock[0]);

	if (error == EOWNERDEAD) {
		told_of_death++;
		error = plf_mutex_consistent(&lock[0]);
	}
	if (error != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a death");
	/* Once more: the fast path is open again for the next run. */
	if (plf_mutex_lock(&lock[0]) != 0 || plf_mutex_unlock(&lock[0]) != 0)
		violate("lock refused after a repair");
	if (told_of_death != (first.happened ? 1 : 0))
		violate(told_of_death == 0 ? "a death went untold" : "a death was told twice");
	if (first.happened) {
		pthread_join(actor[1].thread, NULL);
		close(actor[1].stat);
		actor[1].stat = 0;
		start_comer(&actor[1]);
	}
}

static void check_end(void)
{
	for (int i = 0; i < ACTORS; i++)
		if (actor[i].activity != NULL && kernel_priority(&actor[i]) != actor[i].priority)
			violate("a thread's kernel priority is not back at base");
	for (int i = 0; i < LOCKS; i++)
		if (guarded[i].first != guarded[i].second)
			violate("plain data of a section were lost");
	for (int i = 0; i < LOCKS; i++)
		if (plf_word_ref(lock[i].word) != 0)
			violate("a lock was left held");
	for (int i = 0; i < LOCKS; i++)
		if (plf_word_rank(lock[i].word) != 0 &&
		    plf_word_rank(lock[i].word) != plf_rank((uint32_t)cpu, lock[i].ceiling))
			violate("a lock shows another ceiling than it has");
	if (*plf_self->top != 0)
		violate("the stack was left unempty");
	for (int i = 0; i < PLF_FRAMES; i++)
		if (plf_self->frame[i].gate.word != 0 || plf_self->frame[i].second.word != 0)
			violate("a gate was left shut");
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].active)
			violate("a comer did not come to its end");
}

/* "file+offset#execution", for addr2line. */
static void describe(const struct arrival *arrival, char *text, size_t size)
{
	Dl_info info;

	if (arrival->at.address == NULL || dladdr(arrival->at.address, &info) == 0)
		snprintf(text, size, "none");
	else
		snprintf(text, size, "%s+0x%lx#%u", info.dli_fname,
			 (unsigned long)(arrival->at.address - (const uint8_t *)info.dli_fbase),
			 arrival->at.execution);
}

static void fail(void)
{
	snprintf(report->finding, sizeof(report->finding), "%s", violation);
	describe(&first, report->first, sizeof(report->first));
	describe(&second, report->second, sizeof(report->second));
	_exit(1);
}

/* A comer that went to sleep is not done when the holder is. */
static void wait_for_sleeper(void)
{
	struct timespec nap = { .tv_nsec = 50000 };

	while (actor[1].asleep)
		nanosleep(&nap, NULL);
}

/* One run of the scene with what is armed. `second_expected`: it must happen too. */
static void run(bool second_expected)
{
	clear_notes();
	if (first.at.address != NULL)
		arrival_arm(&first);
	if (second_expected && second.victim == &actor[0])
		arrival_arm(&second);
	act(&actor[0]);
	wait_for_sleeper();
	arrival_disarm(&first);
	arrival_disarm(&second);
	if (first.at.address != NULL && !first.happened)
		violate("the first comer's boundary was not reached: the path is not the one "
			"traced");
	if (second_expected && !second.happened)
		violate("the second comer's boundary was not reached: the path is not the one "
			"traced");
	if (scene->mortal)
		check_death();
	check_end();
	report->runs++;
	if (violation != NULL)
		fail();
}

static void first_comes(void *argument)
{
	if (second.victim == &actor[1])
		arrival_arm(&second);
	enter_scene(argument);
}

static void aim(struct arrival *arrival, const void *victim, struct boundary at,
		struct actor *comer)
{
	arrival->victim = victim;
	arrival->at = at;
	arrival->comes = arrival == &first ? first_comes : enter_scene;
	arrival->argument = comer;
}

static void no_second(void)
{
	memset(&second, 0, sizeof(second));
}

static void sweep_singles(struct actor *comer)
{
	for (size_t k = 0; k < holder_trace.count; k++) {
		aim(&first, &actor[0], holder_trace.at[k], comer);
		no_second();
		run(false);
		report->singles++;
		if (comer->waits <= 1)
			continue;
		violate("a lone comer sleeps twice, where the outermost gate would do");
		fail();
	}
}

/* The first comer's path depends on where it came: it is traced for each boundary anew. */
static void sweep_waiter_pairs(struct boundary at)
{
	aim(&first, &actor[0], at, &actor[1]);
	no_second();
	actor[1].trace = &comer_trace;
	run(false);
	actor[1].trace = NULL;
	for (size_t j = 0; j < comer_trace.count; j++) {
		aim(&second, &actor[1], comer_trace.at[j], &actor[2]);
		run(true);
		report->waiter_pairs++;
	}
}

/* Up to the first arrival the holder's path is that of the holder alone, and known. */
static void sweep_holder_pairs(size_t k)
{
	aim(&first, &actor[0], holder_trace.at[k], &actor[1]);
	no_second();
	later_trace.count = k + 1;
	memcpy(later_trace.at, holder_trace.at, later_trace.count * sizeof(later_trace.at[0]));
	first.rest = &later_trace;
	run(false);
	first.rest = NULL;
	for (size_t j = k + 1; j < later_trace.count; j++) {
		aim(&second, &actor[0], later_trace.at[j], &actor[2]);
		run(true);
		report->holder_pairs++;
	}
}

/* Where nobody is in the way, nothing is called: all boundaries are in the inline halves. */
static void check_inline(void)
{
	for (size_t k = 0; k < holder_trace.count && scene->inlined; k++)
		if (!is_inline(holder_trace.at[k].address))
			violate("the uncontended path calls the library");
	if (violation != NULL)
		fail();
}

static void *play(void *unused)
{
	(void)unused;
	set_stage();
	memset(&first, 0, sizeof(first));
	no_second();
	actor[0].trace = &holder_trace;
	run(false);
	actor[0].trace = NULL;
	check_inline();
	report->boundaries = holder_trace.count;
	sweep_singles(&actor[1]);
	if (actor[2].activity != NULL)
		sweep_singles(&actor[2]);
	for (size_t k = 0; k < holder_trace.count && !singles_only && actor[2].activity != NULL;
	     k++) {
		sweep_waiter_pairs(holder_trace.at[k]);
		sweep_holder_pairs(k);
	}
	_exit(0);
}

/* The child: everything happens in a thread of its own, so that main() stays SCHED_OTHER. */
static void stage(void)
{
	pthread_t thread;
	int error = arrival_setup();

	if (error == 0 && mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		could_not_run("locking memory needs RLIMIT_MEMLOCK or CAP_IPC_LOCK", errno);
	if (error == 0)
		error = start_thread(&thread, play, NULL);
	if (error != 0)
		could_not_run("set-up", error);
	pthread_join(thread, NULL);
}

/* The child's exit status, or 1 with the finding "livelock" if it stands still. */
static int supervise(pid_t child)
{
	struct pollfd end = { .fd = pidfd_open(child, 0), .events = POLLIN };
	unsigned long runs = 0;
	long still_ms = 0;
	int status;

	if (end.fd < 0)
		could_not_run("pidfd_open", errno);
	while (poll(&end, 1, POLL_MS), waitpid(child, &status, WNOHANG) == 0) {
		still_ms = report->runs == runs ? still_ms + POLL_MS : 0;
		runs = report->runs;
		if (still_ms < patience_ms)
			continue;
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		snprintf(report->finding, sizeof(report->finding),
			 "livelock or deadlock: no run ended in %d ms", patience_ms);
		return 1;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	snprintf(report->finding, sizeof(report->finding), "killed by signal %d", WTERMSIG(status));
	return 1;
}

static const struct scene *find_scene(const char *name)
{
	for (size_t i = 0; i < scene_count; i++)
		if (strcmp(scenes[i].name, name) == 0)
			return &scenes[i];
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "usage: step [--strict] [--cpu N] [--singles] [--patience MS] SCENE\n"
			"       step --list\n");
	return 2;
}

static int list(void)
{
	for (size_t i = 0; i < scene_count; i++)
		printf("%s\t%s\t%s\n", scenes[i].name,
		       scenes[i].robust_only ? "robust" : "robust,strict", scenes[i].about);
	return 0;
}

static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "strict", no_argument, NULL, 's' },  { "cpu", required_argument, NULL, 'c' },
		{ "singles", no_argument, NULL, '1' }, { "patience", required_argument, NULL, 'p' },
		{ "list", no_argument, NULL, 'l' },    { NULL, 0, NULL, 0 }
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			attach_flags |= PLF_STRICT;
		else if (option == 'c')
			cpu = atoi(optarg);
		else if (option == 'p')
			patience_ms = atoi(optarg);
		else if (option == '1')
			singles_only = true;
		else
			return option == 'l' ? list() : usage();
	}
	scene = optind == argc - 1 ? find_scene(argv[optind]) : NULL;
	if (scene != NULL && scene->robust_only && (attach_flags & PLF_STRICT) != 0)
		scene = NULL;
	return scene == NULL ? usage() : -1;
}

int main(int argc, char **argv)
{
	int status = parse(argc, argv);
	pid_t child;

	if (status >= 0)
		return status;
	report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	child = fork();
	if (report == MAP_FAILED || child < 0)
		could_not_run("set-up", errno);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stage();
	}
	status = supervise(child);
	printf("{\"scene\": \"%s\", \"strength\": \"%s\", \"boundaries\": %lu, \"singles\": %lu, "
	       "\"waiter_pairs\": %lu, \"holder_pairs\": %lu, \"status\": %d, \"finding\": \"%s\", "
	       "\"first\": \"%s\", \"second\": \"%s\"}\n",
	       scene->name, attach_flags & PLF_STRICT ? "strict" : "robust", report->boundaries,
	       report->singles, report->waiter_pairs, report->holder_pairs, status, report->finding,
	       report->first, report->second);
	return status;
}
