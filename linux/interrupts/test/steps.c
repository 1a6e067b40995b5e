/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "steps.h"

#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALL_STOP = SIGTRAP | 0x80 };

struct walk {
	struct steps steps;
	struct blow blow; /* `step` counts down */
	int known, alive; /* processes */
	bool is_over;	  /* the command was killed */
};

static bool only_looks(uint64_t call)
{
	static const long looking[] = {
		SYS_openat,
		SYS_read,
		SYS_close,
		SYS_lseek,
		SYS_getdents64,
		SYS_newfstatat,
		SYS_fstat,
		SYS_fstatfs,
		SYS_pread64,
		SYS_mmap,
		SYS_munmap,
		SYS_mprotect,
		SYS_brk,
		SYS_getppid,
		SYS_getpid,
		SYS_prlimit64,
		SYS_rt_sigprocmask,
		SYS_getrandom,
		SYS_uname,
		SYS_clock_gettime,
		SYS_sched_getattr,
		SYS_rt_sigaction,
		SYS_faccessat,
		SYS_set_tid_address,
		SYS_set_robust_list,
		SYS_rseq,
		SYS_sched_getaffinity,
	};

	for (size_t i = 0; i < sizeof(looking) / sizeof(looking[0]); i++)
		if (call == (uint64_t)looking[i])
			return true;
	return false;
}

static void become_traced(char *const argv[])
{
	int nothing = open("/dev/null", O_WRONLY);

	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	execv(argv[0], argv);
	_exit(127);
}

static pid_t start_traced(char *const argv[])
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE |
			     PTRACE_O_TRACEVFORK | PTRACE_O_EXITKILL;
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		become_traced(argv);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(ptrace(PTRACE_SETOPTIONS, pid, NULL, options), 0);
	return pid;
}

static void note_process(struct walk *walk, pid_t pid)
{
	assert_true(walk->known < ROLES);
	walk->steps.pids[walk->known++] = pid;
	walk->alive++;
}

static bool is_known(const struct walk *walk, pid_t pid)
{
	for (int i = 0; i < walk->known; i++)
		if (walk->steps.pids[i] == pid)
			return true;
	return false;
}

/*
 * Is the process after a call that changes something? The call's number is known only before it is
 * made.
 */
static bool is_step(pid_t pid)
{
	static uint64_t call;
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return false;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
		call = info.entry.nr;
	return info.op == PTRACE_SYSCALL_INFO_EXIT && !only_looks(call);
}

/*
 * Is the process before a call that sets a schedule? Then change the policy in its second argument
 * to one that does not exist.
 */
static bool is_refused(pid_t pid)
{
	const struct schedule none = { .bytes = sizeof(none), .policy = UINT32_MAX };
	struct __ptrace_syscall_info info;
	long word;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY || info.entry.nr != SYS_sched_setattr)
		return false;
	memcpy(&word, &none, sizeof(word));
	assert_int_equal(ptrace(PTRACE_POKEDATA, pid, info.entry.args[1], word), 0);
	return true;
}

/* The process is at a call. If this is the step of the blow, strike. */
static void look(struct walk *walk, pid_t pid)
{
	bool refuses = walk->blow.refuses;

	if (pid != walk->steps.pids[walk->blow.role] || walk->steps.was_reached ||
	    !(refuses ? is_refused(pid) : is_step(pid)))
		return;
	if (walk->blow.step-- > 0)
		return;
	walk->steps.was_reached = true;
	if (refuses)
		return;
	walk->steps.had_command = walk->known == ROLES;
	walk->steps.was_over = walk->is_over;
	kill(walk->blow.victim != 0 ? walk->blow.victim : pid, walk->blow.signal);
}

static void note_child(struct walk *walk, pid_t parent)
{
	unsigned long child;

	if (ptrace(PTRACE_GETEVENTMSG, parent, NULL, &child) == 0)
		note_process(walk, (pid_t)child);
}

/* Let the process go on to its next call. */
static void go_on(struct walk *walk, pid_t pid, int status)
{
	bool is_event = status >> 16 != 0;
	int signal = WSTOPSIG(status);

	if (is_event)
		note_child(walk, pid);
	else if (signal == CALL_STOP)
		look(walk, pid);
	if (is_event || signal == CALL_STOP || signal == SIGSTOP || signal == SIGTRAP)
		signal = 0; /* the signal is the tracer's */
	ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)signal);
}

static bool sleeps(pid_t pid)
{
	char path[64], text[512] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return strstr(text, ") S ") != NULL;
}

/* Do all processes of a walk wait for each other, with a command that sleeps? */
static bool stands_still(const struct walk *walk)
{
	for (int i = 0; i < walk->known; i++)
		if (!sleeps(walk->steps.pids[i]))
			return false;
	return walk->known == ROLES;
}

/* Wait for the next stop or end of a process. */
static pid_t next_event(struct walk *walk, int *status)
{
	pid_t pid;

	while (walk->blow.may_sleep && !walk->is_over &&
	       (pid = waitpid(-1, status, __WALL | WNOHANG)) != -1) {
		if (pid > 0)
			return pid;
		walk->is_over = stands_still(walk);
		if (walk->is_over)
			kill(walk->steps.pids[COMMAND], SIGKILL);
		else
			sleep_ms(1);
	}
	return waitpid(-1, status, __WALL);
}

struct steps run_with_blow(char *const argv[], struct blow blow)
{
	struct walk walk = { .blow = blow, .steps.command = -1 };
	pid_t wrapper = start_traced(argv);
	int status;

	note_process(&walk, wrapper);
	ptrace(PTRACE_SYSCALL, wrapper, NULL, NULL);
	while (walk.alive > 0) {
		pid_t pid = next_event(&walk, &status);

		assert_true(pid > 0);
		if (WIFSTOPPED(status))
			go_on(&walk, pid, status);
		else if (is_known(&walk, pid))
			walk.alive--;
		if (pid == wrapper)
			walk.steps.status = status;
		else if (pid == walk.steps.pids[COMMAND])
			walk.steps.command = status;
	}
	return walk.steps;
}
