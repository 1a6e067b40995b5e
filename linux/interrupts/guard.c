/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "guard.h"

#include "../machine/say.h"
#include "../real_time/bounded.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNDONE = 0, LEFT = 1 };

/*
 * Sleep until the guarded process orders it, or has ended. Its pidfd reports the end after its
 * files are closed.
 */
static void await_order(int line, int guarded)
{
	struct pollfd awaited[] = { { .fd = line, .events = POLLIN },
				    { .fd = guarded, .events = POLLIN } };

	while (poll(awaited, 2, -1) <= 0)
		;
}

static _Noreturn void be_guard(const struct guard *guard, int line, int guarded)
{
	sigset_t all;
	char ready = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	close(guard->line);
	if (setsid() < 0 || send(line, &ready, 1, MSG_NOSIGNAL) != 1)
		_exit(LEFT);
	await_order(line, guarded);
	_exit(guard->undo(guard->argument) ? UNDONE : LEFT);
}

static bool is_ready(const struct guard *guard)
{
	char ready;

	return recv(guard->line, &ready, 1, 0) == 1;
}

static bool start(struct guard *guard, const int lines[2], int self)
{
	guard->line = lines[0];
	guard->pid = fork();
	if (guard->pid == 0)
		be_guard(guard, lines[1], self);
	close(lines[1]);
	close(self);
	if (guard->pid < 0) {
		fail("cannot start a guard: %s", strerror(errno));
		return false;
	}
	if (is_ready(guard))
		return true;
	plf_release(guard->pid);
	fail("its guard ended before it was ready");
	return false;
}

bool start_guard(struct guard *guard, bool (*undo)(const void *argument), const void *argument)
{
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int lines[2];

	*guard = (struct guard) { .undo = undo, .argument = argument };
	if (self >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lines) == 0)
		return start(guard, lines, self);
	fail("cannot start a guard: %s", strerror(errno));
	return false;
}

bool end_guard(struct guard *guard)
{
	char order = 0;
	int status;

	send(guard->line, &order, 1, MSG_NOSIGNAL); /* if it was killed, its status says so */
	status = plf_release(guard->pid);
	close(guard->line);
	if (status >= 0 && WIFEXITED(status))
		return WEXITSTATUS(status) == UNDONE;
	if (guard->undo(guard->argument))
		fail("its guard was killed: all is as it was before");
	return false;
}
