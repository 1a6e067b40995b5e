/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * traced [--verdict] COMMAND...: run a command that starts real-time threads, and check that it and
 * its children keep the invariants of bounded.h. At each call that makes a thread real-time, its
 * process must have a limit of real time (I1). At each call that releases a child, the caller must
 * be SCHED_OTHER, and allowed on every CPU that this program may use (I2). Threads stop only at
 * these calls.
 *
 * Exit status 0: the command ended with 0, and made both kinds of calls, all of them right.
 * Otherwise 1. With --verdict, the command's 1 is also accepted, because it is a verdict on times,
 * which the stops change.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	OPTIONS = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		  PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL,
};

typedef struct __ptrace_syscall_info call_t;

static unsigned raised, released, wrong;
static cpu_set_t every_cpu;

static void complain(pid_t thread, const char *what)
{
	char name[64] = "?", path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", thread);
	file = fopen(path, "re");
	if (file != NULL && fgets(name, sizeof(name), file) != NULL)
		name[strcspn(name, "\n")] = '\0';
	if (file != NULL)
		fclose(file);
	fprintf(stderr, "traced: %s, thread %d: %s\n", name, thread, what);
	wrong++;
}

static bool is_real_time(uint64_t policy)
{
	policy &= ~(uint64_t)SCHED_RESET_ON_FORK;
	return policy == SCHED_FIFO || policy == SCHED_RR;
}

/* The field `sched_policy` of struct sched_attr. */
static uint64_t policy_at(pid_t thread, uint64_t attr)
{
	long word = ptrace(PTRACE_PEEKDATA, thread, attr, NULL);

	return (uint64_t)word >> 32;
}

static void check_raise(pid_t thread)
{
	struct rlimit limit;

	raised++;
	if (prlimit(thread, RLIMIT_RTTIME, NULL, &limit) != 0)
		complain(thread, strerror(errno));
	else if (limit.rlim_cur == RLIM_INFINITY)
		complain(thread, "real-time without RLIMIT_RTTIME");
}

static void check_release(pid_t thread)
{
	int policy = sched_getscheduler(thread);
	cpu_set_t cpus;

	released++;
	if (policy < 0 || sched_getaffinity(thread, sizeof(cpus), &cpus) != 0)
		complain(thread, strerror(errno));
	else if (is_real_time((uint64_t)policy))
		complain(thread, "releases a child in real time");
	else if (!CPU_EQUAL(&cpus, &every_cpu))
		complain(thread, "releases a child while it is pinned");
}

static void check_call(pid_t thread, const call_t *call)
{
	const uint64_t *argument = call->seccomp.args;
	long number = (long)call->seccomp.nr;

	if (number == SYS_sched_setscheduler && is_real_time(argument[1]))
		check_raise(thread);
	else if (number == SYS_sched_setattr && is_real_time(policy_at(thread, argument[1])))
		check_raise(thread);
	else if (number == SYS_wait4 || (number == SYS_waitid && (argument[3] & WNOWAIT) == 0))
		check_release(thread);
}

/* Handle one stop of a thread. Returns the signal with which it goes on. */
static int handle_stop(pid_t thread, int status)
{
	int event = status >> 16;
	call_t call;

	if (event == PTRACE_EVENT_SECCOMP &&
	    ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof(call), &call) > 0)
		check_call(thread, &call);
	return event == 0 ? WSTOPSIG(status) : 0;
}

/* Follow the command until no thread of it is left. Returns the command's status. */
static int follow(pid_t command)
{
	int own = -1, status;
	pid_t thread;

	while ((thread = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			ptrace(PTRACE_CONT, thread, NULL, handle_stop(thread, status));
		else if (thread == command)
			own = status;
	}
	return own;
}

#define TRACE(call, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, skip, 0)

/* Stop for the tracer at each call that check_call() checks. */
static bool stop_at_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		TRACE(sched_setscheduler, 4),
		TRACE(sched_setattr, 3),
		TRACE(wait4, 2),
		TRACE(waitid, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
	};
	struct sock_fprog program = { .len = sizeof(filter) / sizeof(filter[0]), .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void become_command(char **command, int begin)
{
	char byte;

	if (read(begin, &byte, 1) == 1 && stop_at_calls())
		execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	bool has_verdict = argc > 1 && strcmp(argv[1], "--verdict") == 0;
	int ends[2], status;
	pid_t command;

	argv += has_verdict;
	argc -= has_verdict;
	if (argc < 2 || pipe(ends) != 0 ||
	    sched_getaffinity(0, sizeof(every_cpu), &every_cpu) != 0) {
		fputs("usage: traced [--verdict] COMMAND...\n", stderr);
		return 1;
	}
	command = fork();
	if (command == 0)
		become_command(argv + 1, ends[0]);
	if (command < 0 || ptrace(PTRACE_SEIZE, command, NULL, OPTIONS) != 0 ||
	    ptrace(PTRACE_INTERRUPT, command, NULL, NULL) != 0 || write(ends[1], "", 1) != 1) {
		perror("traced");
		return 1;
	}
	status = follow(command);
	fprintf(stderr, "traced: %u calls for real time, %u that release a child, %u wrong\n",
		raised, released, wrong);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > has_verdict) {
		fprintf(stderr, "traced: %s did not end well: %#x\n", argv[1], status);
		return 1;
	}
	return raised == 0 || released == 0 || wrong != 0;
}
