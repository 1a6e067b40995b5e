/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "play.h"

#include "../../linux/real_time/bounded.h"
#include "raw.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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
#include <time.h>
#include <unistd.h>

enum {
	POLL_MS = 10,
	STACK_SIZE = 256 * 1024,
	TRIES = 5,
	RUNS_TO_AGREE = 50,
	OFF_STAGE_MS = 60000,
	RUNS_WITHOUT_REST = 64, /* together some milliseconds */
	NAP_NS = 50000,		/* a shorter nap may be over before it begins */
	REAL_TIME_LIMIT_US = 10 * 1000000
};

struct report *report;
struct trace holder_trace;
struct arrival first, second;

static struct trace comer_trace, later_trace;

void could_not_run(const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, strerror(error));
	_exit(2);
}

/* ---- The actors -------------------------------------------------------- */

static int open_stat(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", gettid());
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void begin_actor(struct actor *self)
{
	step_on_stage(self);
	arrival_self = self;
	self->stat = open_stat();
}

static void act(struct actor *self)
{
	uint64_t before = gate_waits();

	trace_begin(self->trace);
	self->activity(self);
	trace_end();
	self->waits = gate_waits() - before;
	self->active = false;
}

static void *comer(void *argument)
{
	struct actor *self = argument;

	begin_actor(self);
	for (;;) {
		while (self->wake == 0) {
			long result = raw_wait(&self->wake, 0);

			if (result != 0 && result != -EAGAIN && result != -EINTR)
				could_not_run("futex", (int)-result);
		}
		self->wake = 0;
		if (self->before != NULL)
			self->before();
		act(self);
	}
	return NULL;
}

/* A small stack, because all memory is locked, and a usual stack would take longer than a scene. */
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

void start_comer(struct actor *a)
{
	int error;

	if (a->stat != 0)
		close(a->stat);
	a->stat = 0;
	error = start_thread(&a->thread, comer, a);
	if (error != 0)
		could_not_run("pthread_create", error);
	while (a->stat == 0) /* it may be less urgent, so sleep */
		raw_nap(NAP_NS);
}

void clear_notes(void)
{
	for (int i = 0; i < ACTORS; i++) {
		actor[i].active = false;
		actor[i].slept = false;
		actor[i].inside = 0;
		actor[i].around = 0;
		actor[i].sections = 0;
		actor[i].blocker = 0;
		actor[i].waits = 0;
	}
}

void check_actors(void)
{
	for (int i = 0; i < ACTORS; i++)
		if (actor[i].activity != NULL && kernel_priority(&actor[i]) != actor[i].priority)
			violate("a thread's kernel priority is not back at base");
	for (int i = 0; i < LOCKS; i++)
		if (guarded[i].first != guarded[i].second)
			violate("plain data of a section were lost");
	for (int i = 1; i < ACTORS; i++)
		if (actor[i].active)
			violate("a comer did not come to its end");
}

/* ---- Runs -------------------------------------------------------------- */

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

static void __attribute__((noreturn)) leave_stage(int status)
{
	report->on_stage = false;
	report->alive++;
	_exit(status);
}

void fail(void)
{
	snprintf(report->finding, sizeof(report->finding), "%s", violation);
	leave_stage(1);
}

static bool is_complete(bool second_expected)
{
	return (first.at.address == NULL || first.happened) &&
	       (!second_expected || second.happened);
}

/* Sleep now and then, because a scene exceeds the limit of real time, which is for endless runs. */
static void rest_at_times(void)
{
	static unsigned runs;

	if (++runs % RUNS_WITHOUT_REST == 0)
		raw_nap(NAP_NS);
}

static void run_once(void)
{
	rest_at_times();
	clear_scene();
	describe(&first, report->first, sizeof(report->first));
	describe(&second, report->second, sizeof(report->second));
	if (first.at.address != NULL)
		arrival_arm(&first);
	if (second.at.address != NULL && second.victim == &actor[0])
		arrival_arm(&second);
	act(&actor[0]);
	wait_for_all();
	arrival_disarm(&first);
	arrival_disarm(&second);
	check_end();
	report->alive++;
	if (violation != NULL)
		fail();
}

/* Try again after a miss: a thread from outside may have made a sequence begin anew. */
static bool reaches(bool second_expected)
{
	for (int tries = 0; tries < TRIES; tries++) {
		run_once();
		if (is_complete(second_expected))
			return true;
	}
	return false;
}

static void __attribute__((noreturn)) fail_to_reach(void)
{
	violate("a boundary was not reached: the path is not the one traced");
	fail();
}

void run(bool second_expected)
{
	if (!reaches(second_expected))
		fail_to_reach();
}

void aim(struct arrival *arrival, const void *victim, struct boundary at,
	 bool (*comes)(void *argument), void *argument)
{
	arrival->victim = victim;
	arrival->at = at;
	arrival->comes = comes;
	arrival->argument = argument;
}

void aim_nowhere(struct arrival *arrival)
{
	memset(arrival, 0, sizeof(*arrival));
}

static bool are_equal(const struct trace *a, const struct trace *b)
{
	size_t i = 0;

	while (i < a->count && i < b->count && a->at[i].address == b->at[i].address)
		i++;
	return i == a->count && i == b->count;
}

/*
 * Trace a run from `kept` boundaries on. Repeat it until two runs agree, because a thread from
 * outside may have made a sequence begin anew.
 */
static void trace_run(struct trace **where, struct trace *trace, size_t kept)
{
	static struct trace before;

	*where = trace;
	for (int i = 0; i < RUNS_TO_AGREE && (i < 2 || !are_equal(&before, trace)); i++) {
		before.count = trace->count;
		memcpy(before.at, trace->at, trace->count * sizeof(trace->at[0]));
		trace->count = kept;
		run(false);
	}
	*where = NULL;
}

void trace_holder(void)
{
	aim_nowhere(&first);
	aim_nowhere(&second);
	run(false); /* untraced, because the first use takes another path */
	trace_run(&actor[0].trace, &holder_trace, 0);
	report->boundaries = holder_trace.count;
}

void sweep_singles(bool (*comes)(void *argument), struct actor *comer, unsigned sleeps)
{
	for (size_t k = 0; k < holder_trace.count; k++) {
		aim(&first, &actor[0], holder_trace.at[k], comes, comer);
		aim_nowhere(&second);
		run(false);
		report->singles++;
		if (comer->waits <= sleeps)
			continue;
		violate("a lone comer sleeps more often than it must");
		fail();
	}
}

static bool (*first_way)(void *argument);

static bool first_comes(void *argument)
{
	if (second.victim == &actor[1])
		arrival_arm(&second);
	return first_way(argument);
}

/* The path along which the second arrival comes, while the first stays in place. */
struct path {
	struct trace **where, *trace; /* a run of it is recorded there */
	size_t from;		      /* the first of its boundaries */
	const struct actor *victim;
	struct actor *comer;
	bool (*comes)(void *argument);
	bool (*wanted)(const uint8_t *address);
	unsigned long *pairs;
};

static bool reaches_all(const struct path *path)
{
	for (size_t j = path->from; j < path->trace->count; j++) {
		if (path->wanted != NULL && !path->wanted(path->trace->at[j].address))
			continue;
		aim(&second, path->victim, path->trace->at[j], path->comes, path->comer);
		if (!reaches(path->wanted == NULL))
			return false;
		*path->pairs += second.happened;
	}
	return true;
}

/*
 * A thread from outside may have disturbed the traced runs, so that their path is never taken
 * again. Then trace another path.
 */
static void sweep_along(const struct path *path)
{
	unsigned long pairs = *path->pairs;

	for (int tries = 0; tries < TRIES; tries++) {
		*path->pairs = pairs;
		aim_nowhere(&second);
		trace_run(path->where, path->trace, path->from);
		if (reaches_all(path))
			return;
	}
	fail_to_reach();
}

/* The first comer's path depends on its boundary, so it is traced for each boundary. */
void sweep_waiter(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  bool (*wanted)(const uint8_t *address))
{
	const struct path path = {
		.where = &actor[1].trace,
		.trace = &comer_trace,
		.victim = &actor[1],
		.comer = &actor[2],
		.comes = second_comes,
		.wanted = wanted,
		.pairs = &report->waiter_pairs,
	};

	first_way = comes;
	aim(&first, &actor[0], holder_trace.at[k], first_comes, &actor[1]);
	sweep_along(&path);
}

/* Up to the first arrival, the holder's path is the known path of the holder alone. */
void sweep_holder(size_t k, bool (*comes)(void *argument), bool (*second_comes)(void *argument),
		  struct actor *another, bool (*wanted)(const uint8_t *address))
{
	const struct path path = {
		.where = &first.rest,
		.trace = &later_trace,
		.from = k + 1,
		.victim = &actor[0],
		.comer = another,
		.comes = second_comes,
		.wanted = wanted,
		.pairs = &report->holder_pairs,
	};

	first_way = comes;
	aim(&first, &actor[0], holder_trace.at[k], first_comes, &actor[1]);
	memcpy(later_trace.at, holder_trace.at, (k + 1) * sizeof(later_trace.at[0]));
	sweep_along(&path);
}

void sweep_pairs(void)
{
	for (size_t k = 0; k < holder_trace.count; k++) {
		sweep_waiter(k, enter_scene, enter_scene, NULL);
		sweep_holder(k, enter_scene, enter_scene, &actor[2], NULL);
	}
}

/* ---- The process ------------------------------------------------------- */

static void *play(void *unused)
{
	(void)unused;
	actor[0].thread = pthread_self();
	begin_actor(&actor[0]);
	report->alive++;
	report->on_stage = true;
	play_scene();
	leave_stage(0);
}

/* The child plays in a separate thread, so that main() stays SCHED_OTHER. */
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

static void be(int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	raw_syscall(SYS_sched_setscheduler, 0, policy, (long)&param, 0, 0, 0);
}

static int reap(pid_t child)
{
	int status = plf_release(child);

	if (status < 0)
		could_not_run("the end of the play", errno);
	return status;
}

/* A failed poll ends the proof, because a supervisor at the highest priority must not spin. */
static void poll_for(struct pollfd *end)
{
	if (poll(end, 1, POLL_MS) < 0 && errno != EINTR)
		could_not_run("poll", errno);
}

/*
 * Returns the child's exit status, or 1 with the finding "livelock" if it stands still. The
 * supervisor must be above all threads that may run for ever. If this is denied, the child reports
 * it.
 */
static int supervise(pid_t child, int patience_ms)
{
	struct pollfd end = { .fd = pidfd_open(child, 0), .events = POLLIN };
	unsigned long alive = 0;
	long still_ms = 0;
	int status;

	if (end.fd < 0)
		could_not_run("pidfd_open", errno);
	be(SCHED_FIFO, sched_get_priority_max(SCHED_FIFO));
	while (poll_for(&end), !plf_has_ended(child)) {
		still_ms = report->alive == alive ? still_ms + POLL_MS : 0;
		alive = report->alive;
		if (still_ms < (report->on_stage ? patience_ms : OFF_STAGE_MS))
			continue;
		kill(child, SIGKILL);
		reap(child);
		if (!report->on_stage)
			could_not_run("a minute passed before or after the play", ETIMEDOUT);
		snprintf(report->finding, sizeof(report->finding),
			 "livelock or deadlock: no run ended in %d ms", patience_ms);
		return 1;
	}
	status = reap(child);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	snprintf(report->finding, sizeof(report->finding), "killed by signal %d", WTERMSIG(status));
	return 1;
}

int perform(int patience_ms)
{
	pid_t child;

	report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	errno = plf_bound_real_time(REAL_TIME_LIMIT_US);
	if (errno != 0)
		could_not_run("RLIMIT_RTTIME", errno);
	child = fork();
	if (report == MAP_FAILED || child < 0)
		could_not_run("set-up", errno);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stage();
	}
	return supervise(child, patience_ms);
}

void print_report(int status)
{
	printf("\"boundaries\": %lu, \"singles\": %lu, \"waiter_pairs\": %lu, "
	       "\"holder_pairs\": %lu, \"status\": %d, \"finding\": \"%s\", \"first\": \"%s\", "
	       "\"second\": \"%s\"}\n",
	       report->boundaries, report->singles, report->waiter_pairs, report->holder_pairs,
	       status, report->finding, report->first, report->second);
}
