/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program.h"
#include "../../real_time/test/patience.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void sleep_ms(int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

void start_program(struct program *program, char *const argv[])
{
	*program = (struct program) { .output_file = memfd_create("output", MFD_CLOEXEC) };
	assert_true(program->output_file >= 0);
	program->pid = fork();
	assert_true(program->pid >= 0);
	if (program->pid == 0) {
		setpgid(0, 0);
		dup2(program->output_file, STDOUT_FILENO);
		dup2(program->output_file, STDERR_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	setpgid(program->pid, program->pid);
}

static void read_output(const struct program *program, char output[OUTPUT_BYTES])
{
	ssize_t length = pread(program->output_file, output, OUTPUT_BYTES - 1, 0);

	assert_true(length >= 0);
	output[length] = '\0';
}

static bool has_written(const struct program *program, const char *text)
{
	char output[OUTPUT_BYTES];

	read_output(program, output);
	return strstr(output, text) != NULL;
}

void await_output(const struct program *program, const char *text)
{
	plf_await(has_written(program, text));
}

static bool has_ended(struct program *program)
{
	int status;

	if (waitpid(program->pid, &status, WNOHANG) != program->pid)
		return false;
	program->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

/* Processes that lost their parent become this process's children, and are reaped here. */
static bool is_group_gone(pid_t group)
{
	while (waitpid(-group, NULL, WNOHANG) > 0)
		;
	return kill(-group, 0) != 0 && errno == ESRCH;
}

void await_program(struct program *program)
{
	plf_await(has_ended(program));
	plf_await(is_group_gone(program->pid));
	read_output(program, program->output);
	close(program->output_file);
}

pid_t guard_of(pid_t wrapper)
{
	char path[64];
	FILE *file;
	int child = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", wrapper, wrapper);
	file = fopen(path, "re");
	assert_non_null(file);
	if (fscanf(file, "%d", &child) != 1)
		child = 0;
	fclose(file);
	return child;
}

void run_program(struct program *program, char *const argv[])
{
	start_program(program, argv);
	await_program(program);
}

void expect_refusal(char *const argv[], const char *complaint)
{
	struct program program;

	run_program(&program, argv);
	if (strstr(program.output, complaint) == NULL)
		fail_msg("expected: %s\nfound: %s", complaint, program.output);
	assert_ptr_equal(strchr(program.output, '\n'), program.output + strlen(program.output) - 1);
	assert_int_equal(program.status, 2);
}

static unsigned long affinity_of(pid_t tid)
{
	cpu_set_t cpus;
	unsigned long first;

	assert_int_equal(sched_getaffinity(tid, sizeof(cpus), &cpus), 0);
	memcpy(&first, &cpus, sizeof(first));
	return first;
}

void start_sleeper(struct sleeper *sleeper, int policy, int priority, int nice)
{
	const struct sched_param param = { .sched_priority = priority };

	sleeper->tid = fork();
	assert_true(sleeper->tid >= 0);
	if (sleeper->tid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	snprintf(sleeper->text, sizeof(sleeper->text), "%d", sleeper->tid);
	assert_int_equal(setpriority(PRIO_PROCESS, (id_t)sleeper->tid, nice), 0);
	assert_int_equal(sched_setscheduler(sleeper->tid, policy, &param), 0);
	assert_int_equal(read_schedule(sleeper->tid, &sleeper->schedule), 0);
	sleeper->affinity = affinity_of(sleeper->tid);
}

void end_sleeper(const struct sleeper *sleeper)
{
	kill(sleeper->tid, SIGKILL);
	waitpid(sleeper->tid, NULL, 0);
}

bool is_as_before(const struct sleeper *sleeper)
{
	struct schedule now;

	return read_schedule(sleeper->tid, &now) == 0 &&
	       memcmp(&now, &sleeper->schedule, sizeof(now)) == 0 &&
	       affinity_of(sleeper->tid) == sleeper->affinity;
}
