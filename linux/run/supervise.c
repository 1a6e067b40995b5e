/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "supervise.h"

#include "clock.h"
#include "say.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int interruptions[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
static sigset_t awaited;

/* Whoever started us with an interruption ignored (nohup, a shell's background) meant it. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/*
 * All are blocked, in the child too, and taken by sigtimedwait(). So is Ctrl-Z: a
 * supervisor that is stopped would not watch.
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
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the child's status with it */
}

static bool become_supervisor(void)
{
	struct sched_param param = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0)
		return true;
	refuse("SCHED_FIFO at priority %d is denied: grant CAP_SYS_NICE or RLIMIT_RTPRIO "
	       "%d (ulimit -r)",
	       param.sched_priority, param.sched_priority);
	return false;
}

/* Who may not raise priorities may not take SCHED_RESET_ON_FORK back either. */
static void become_ordinary(void)
{
	struct sched_param param = { 0 };

	sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
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

/* Sleep until something happened: the signal, or 0. */
static int wait_for_signal(int64_t until)
{
	int64_t left = until - now_ns();
	struct timespec timeout = timespec_of(left > 0 ? left : 0);
	int signal = sigtimedwait(&awaited, NULL, &timeout);

	return signal > 0 ? signal : 0;
}

/* No thread of it is left then. It is not released: see release(). */
static bool has_ended(pid_t child, int wait)
{
	siginfo_t info = { .si_pid = 0 };

	while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | wait) != 0 && errno == EINTR)
		;
	return info.si_pid == child;
}

static void end_by_force(pid_t child, struct end *end, enum ending ending)
{
	kill(child, SIGKILL);
	has_ended(child, 0);
	end->ending = ending;
}

static void watch(pid_t child, const deadline_t *deadline, struct end *end)
{
	for (;;) {
		int signal = wait_for_signal(atomic_load(deadline));

		if (has_ended(child, WNOHANG)) {
			end->ending = BY_ITSELF;
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

/*
 * Not in real time: to take the child out of /proc, the kernel spins until nobody else is
 * about to, and one who was preempted there, on this CPU, never gets done. No signal ends that.
 */
static void release(pid_t child, struct end *end)
{
	become_ordinary();
	waitpid(child, &end->status, 0);
}

bool supervise(const deadline_t *deadline, void (*body)(void *), void *argument, struct end *end)
{
	pid_t supervisor = getpid();
	pid_t child;

	*end = (struct end) { 0 };
	if (!become_supervisor())
		return false;
	child = fork();
	if (child < 0) {
		refuse("cannot start a process: %s", strerror(errno));
		become_ordinary();
		return false;
	}
	if (child == 0)
		be_child(supervisor, body, argument);
	watch(child, deadline, end);
	release(child, end);
	return true;
}
