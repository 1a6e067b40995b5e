/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "../machine/clock.h"
#include "../machine/say.h"
#include "../real_time/bounded.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/*
 * A killed thread still needs its CPU for a moment. A more urgent thread of another program may
 * hold that CPU for ever.
 */
enum { DEATH_MS = 1000, LOOK_MS = 5 };

static const int interruptions[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
static sigset_t awaited;

/*
 * If the caller starts this program with an interruption ignored (nohup, a shell's background), it
 * must stay ignored.
 */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * Block all these signals, also in the child; sigtimedwait() takes them. Block Ctrl-Z, too, because
 * a stopped supervisor would not watch.
 */
void hold_signals(void)
{
	sigset_t blocked;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGCHLD);
	sigaddset(&awaited, SIGUSR1);
	for (size_t i = 0; i < sizeof(interruptions) / sizeof(interruptions[0]); i++)
		if (!is_ignored(interruptions[i]))
			sigaddset(&awaited, interruptions[i]);
	blocked = awaited;
	sigaddset(&blocked, SIGTSTP);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGCHLD, SIG_DFL); /* if ignored, the child's status would be lost */
}

static bool become_supervisor(int64_t longest_ns)
{
	struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };
	int error = plf_bound_real_time((uint64_t)(longest_ns / NS_PER_US));

	if (error != 0) {
		refuse("RLIMIT_RTTIME cannot be set: %s", strerror(error));
		return false;
	}
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0)
		return true;
	refuse("SCHED_FIFO at priority %d is denied: grant CAP_SYS_NICE or RLIMIT_RTPRIO "
	       "%d (ulimit -r)",
	       param.sched_priority, param.sched_priority);
	return false;
}

void deadline_moved(void)
{
	kill(getppid(), SIGUSR1);
}

static void be_child(pid_t supervisor, void (*body)(void *), void *argument)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == supervisor)
		body(argument);
	_exit(RAN);
}

/*
 * Sleep until a signal comes or the time is over. Returns the signal, or 0, or minus an errno
 * value.
 */
static int wait_for_signal(int64_t until)
{
	int64_t left = until - now_ns();
	struct timespec timeout = timespec_of(left > 0 ? left : 0);
	int signal = sigtimedwait(&awaited, NULL, &timeout);

	if (signal > 0)
		return signal;
	return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

static void end_by_force(pid_t child, struct end *end, enum ending ending)
{
	kill(child, SIGKILL);
	end->ending = ending;
}

static void watch(pid_t child, const deadline_t *deadline, struct end *end)
{
	for (;;) {
		int signal = wait_for_signal(atomic_load(deadline));

		if (plf_has_ended(child)) {
			end->ending = BY_ITSELF;
			return;
		}
		if (signal < 0) {
			end->error = -signal;
			end_by_force(child, end, BY_BLINDNESS);
			return;
		}
		if (signal != 0 && signal != SIGCHLD && signal != SIGUSR1) {
			end->signal = signal;
			end_by_force(child, end, BY_INTERRUPTION);
			return;
		}
		if (now_ns() >= atomic_load(deadline)) {
			end_by_force(child, end, BY_WATCHDOG);
			return;
		}
	}
}

static bool has_died(pid_t child)
{
	const struct timespec pause = timespec_of(LOOK_MS * NS_PER_MS);

	for (int waited = 0; waited < DEATH_MS && !plf_has_ended(child); waited += LOOK_MS)
		nanosleep(&pause, NULL);
	return plf_has_ended(child);
}

/*
 * Release the child. If it cannot die, leave it to init: it is killed, and this process ends first.
 */
static void release(pid_t child, struct end *end)
{
	end->is_starved = end->ending != BY_ITSELF && !has_died(child);
	if (end->is_starved)
		plf_become_ordinary();
	else
		end->status = plf_release(child);
}

bool supervise(const deadline_t *deadline, int64_t longest_ns, void (*body)(void *), void *argument,
	       struct end *end)
{
	pid_t supervisor = getpid();
	pid_t child;

	*end = (struct end) { 0 };
	if (!become_supervisor(longest_ns))
		return false;
	child = fork();
	if (child < 0) {
		refuse("cannot start a process: %s", strerror(errno));
		plf_become_ordinary();
		return false;
	}
	if (child == 0)
		be_child(supervisor, body, argument);
	watch(child, deadline, end);
	release(child, end);
	return true;
}
