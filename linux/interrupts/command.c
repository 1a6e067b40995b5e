/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "command.h"

#include "../machine/say.h"
#include "../real_time/bounded.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int interruptions[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
static sigset_t before; /* the caller's blocked signals, which the command blocks, too */

/*
 * If the caller starts this program with an interruption ignored (nohup, a shell's background), it
 * must stay ignored.
 */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool hold_interruptions(struct command *command)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(interruptions) / sizeof(interruptions[0]); i++)
		if (!is_ignored(interruptions[i]))
			sigaddset(&held, interruptions[i]);
	sigprocmask(SIG_BLOCK, &held, &before);
	signal(SIGCHLD, SIG_DFL); /* if ignored, a child's status would be lost */
	command->signals = signalfd(-1, &held, SFD_NONBLOCK | SFD_CLOEXEC);
	if (command->signals >= 0)
		return true;
	fail("cannot take signals: %s", strerror(errno));
	return false;
}

int early_interruption(const struct command *command)
{
	struct signalfd_siginfo signal;

	if (read(command->signals, &signal, sizeof(signal)) != sizeof(signal))
		return 0;
	return (int)signal.ssi_signo;
}

static _Noreturn void become_command(char *argv[], pid_t wrapper, int trouble)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != wrapper)
		_exit(FAILED);
	sigprocmask(SIG_SETMASK, &before, NULL);
	execvp(argv[0], argv);
	error = errno;
	_exit(write(trouble, &error, sizeof(error)) == sizeof(error) ? REFUSED : FAILED);
}

/* Did the new process become the command? If so, the kernel has closed its end of the pipe. */
static bool has_become(int trouble, const char *name)
{
	int error;

	if (read(trouble, &error, sizeof(error)) != sizeof(error))
		return true;
	refuse("cannot run %s: %s", name, strerror(error));
	return false;
}

bool start_command(struct command *command, char *argv[])
{
	pid_t wrapper = getpid();
	bool is_running;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0) {
		fail("cannot run %s: %s", argv[0], strerror(errno));
		return false;
	}
	command->pid = fork();
	if (command->pid == 0)
		become_command(argv, wrapper, ends[1]);
	close(ends[1]);
	if (command->pid < 0) {
		fail("cannot run %s: %s", argv[0], strerror(errno));
		close(ends[0]);
		return false;
	}
	is_running = has_become(ends[0], argv[0]);
	close(ends[0]);
	if (!is_running) {
		plf_release(command->pid);
		return false;
	}
	command->end = (int)syscall(SYS_pidfd_open, command->pid, 0);
	if (command->end >= 0)
		return true;
	fail("cannot watch %s: %s", argv[0], strerror(errno));
	kill(command->pid, SIGKILL);
	plf_release(command->pid);
	return false;
}

static void pass_on(const struct command *command)
{
	struct signalfd_siginfo signal;

	while (read(command->signals, &signal, sizeof(signal)) == sizeof(signal))
		if (signal.ssi_code != SI_KERNEL)
			kill(command->pid, (int)signal.ssi_signo);
}

int await_command(const struct command *command, const struct guard *guard, int tick_ms,
		  void (*tick)(void *argument), void *argument)
{
	struct pollfd awaited[] = { { .fd = command->end, .events = POLLIN },
				    { .fd = command->signals, .events = POLLIN },
				    { .fd = guard->line, .events = POLLIN } };
	int status;

	while (awaited[0].revents == 0) {
		poll(awaited, 3, tick != NULL ? tick_ms : -1);
		pass_on(command);
		if (awaited[2].revents != 0) {
			kill(command->pid, SIGKILL);
			break;
		}
		if (tick != NULL)
			tick(argument);
	}
	status = plf_release(command->pid);
	return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
