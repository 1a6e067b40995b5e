/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "../../linux/real_time/bounded.h"
#include "notes.h"
#include "starvation.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS UINT64_C(1000000)

enum { POLL_MS = 20, STILL_MS = 2000, SPARE_MS = 5000, SPIN_US_MAX = 1000000 };

static volatile sig_atomic_t interruption;

static void on_interruption(int signal)
{
	interruption = signal;
}

int interrupted_by(void)
{
	return interruption;
}

static bool become_real_time(void)
{
	struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0;
}

bool become_supervisor(void)
{
	struct sigaction action = { .sa_handler = on_interruption };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	errno = plf_bound_real_time(SPIN_US_MAX);
	return errno == 0 && become_real_time();
}

static void could_not_run(const char *what, int error)
{
	fprintf(stderr, "stress: %s: %s\n", what, strerror(error));
	_exit(2);
}

static void run_in_child(const struct plan *plan, pid_t supervisor)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor)
		_exit(2);
	signal(SIGINT, SIG_IGN); /* the supervisor handles it */
	signal(SIGTERM, SIG_DFL);
	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		could_not_run("memory cannot be locked: needs RLIMIT_MEMLOCK or CAP_IPC_LOCK",
			      errno);
	error = run_crowd(plan);
	if (error != 0)
		could_not_run("set-up", error);
	_exit(0);
}

/* The longest time for which a member has begun no activation. Called once in each poll. */
static long still_ms(const struct report *shared, uint64_t *last, long *still)
{
	long longest = 0;

	for (unsigned i = 0; i < shared->members; i++) {
		still[i] = shared->progress[i] == last[i] ? still[i] + POLL_MS : 0;
		last[i] = shared->progress[i];
		longest = still[i] > longest ? still[i] : longest;
	}
	return longest;
}

/* Returns false if it cannot sleep, because it must not spin at the highest priority. */
static bool sleep_until_poll(void)
{
	struct timespec time = { .tv_nsec = POLL_MS * 1000000 };

	if (nanosleep(&time, NULL) == 0 || errno == EINTR)
		return true;
	fprintf(stderr, "stress: nanosleep: %s\n", strerror(errno));
	return false;
}

/* Whether RLIMIT_RTTIME ended it. */
static bool is_spin(int signal)
{
	return signal == SIGXCPU || signal == SIGKILL;
}

static enum outcome outcome_of(int status)
{
	if (status < 0)
		return COULD_NOT;
	if (WIFSIGNALED(status))
		return is_spin(WTERMSIG(status)) ? STOOD_STILL : CRASHED;
	return WEXITSTATUS(status) == 0 ? RAN : COULD_NOT;
}

/*
 * Time is counted in polls, so that a standstill of the whole machine is no livelock. A poll does
 * not count if other work kept the child from its CPUs.
 */
static enum outcome watch(pid_t child, const struct plan *plan, struct report *shared)
{
	long limit_ms = (long)(plan->seconds * 1000) + SPARE_MS;
	uint64_t last[MEMBERS_MAX] = { 0 };
	long still[MEMBERS_MAX] = { 0 };
	uint64_t executed_ns = 0;
	enum outcome why = STOOD_STILL;
	long ms = 0;

	while (ms < limit_ms) {
		if (plf_has_ended(child))
			return outcome_of(plf_release(child));
		if (interruption != 0) {
			why = INTERRUPTED;
			break;
		}
		if (!is_starved(child, POLL_MS * NS_PER_MS, &executed_ns)) {
			ms += POLL_MS;
			if (still_ms(shared, last, still) >= STILL_MS)
				break;
		}
		if (!sleep_until_poll()) {
			why = COULD_NOT;
			break;
		}
	}
	kill(child, SIGKILL);
	return plf_release(child) < 0 ? COULD_NOT : why;
}

enum outcome supervise(const struct plan *plan, struct report *shared)
{
	pid_t supervisor = getpid();
	pid_t child;

	memset(shared, 0, sizeof(*shared));
	report = shared;
	fflush(stdout);
	child = become_real_time() ? fork() : -1;
	if (child < 0) {
		fprintf(stderr, "stress: a child under a supervisor of SCHED_FIFO: %s\n",
			strerror(errno));
		return COULD_NOT;
	}
	if (child == 0)
		run_in_child(plan, supervisor);
	return watch(child, plan, shared);
}
