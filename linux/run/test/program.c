/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program.h"

#include "trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000, POLL_MS = 5 };

static char directory[] = "/tmp/plafond-run-XXXXXX";

void sleep_ms(int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

int enter_directory(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* its orphans come to us */
	return mkdtemp(directory) == NULL || chdir(directory) != 0;
}

int leave_directory(void **state)
{
	(void)state;
	unlink("plan.txt");
	unlink("trace.json");
	unlink("output.txt");
	return chdir("/") != 0 || rmdir(directory) != 0;
}

void write_plan(const char *text)
{
	FILE *file = fopen("plan.txt", "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

void write_plan_for(const char *protocol, const char *text)
{
	FILE *file = fopen("plan.txt", "we");

	assert_non_null(file);
	assert_true(fprintf(file, "plafond-plan 1\nprotocol %s\n%s", protocol, text) > 0);
	assert_int_equal(fclose(file), 0);
}

/* The text of a file; "" without one. */
static char *text_of(const char *path)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	char *text;

	if (file == NULL)
		return strdup("");
	assert_int_equal(fstat(fileno(file), &status), 0);
	text = calloc((size_t)status.st_size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)status.st_size, file), status.st_size);
	fclose(file);
	return text;
}

static void become_program(void (*prepare)(void), const char *first, const char *second,
			   const char *third)
{
	int output = open("output.txt", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);

	setpgid(0, 0);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	if (prepare != NULL)
		prepare();
	execl(PLAFOND_RUN, "plafond-run", first, second, third, (char *)NULL);
	_exit(127);
}

void start_program(struct program *program, void (*prepare)(void), const char *first,
		   const char *second, const char *third)
{
	*program = (struct program) { .pid = fork() };
	assert_true(program->pid >= 0);
	if (program->pid == 0)
		become_program(prepare, first, second, third);
	setpgid(program->pid, program->pid);
}

/* A child that lost its supervisor is ours, and is reaped here. */
static bool is_gone(pid_t group)
{
	waitpid(-group, NULL, WNOHANG);
	return kill(-group, 0) != 0 && errno == ESRCH;
}

static void await_gone(pid_t group)
{
	for (int waited = 0; waited < 2000 && !is_gone(group); waited += POLL_MS)
		sleep_ms(POLL_MS);
	assert_true(is_gone(group));
}

static void await_end(struct program *program)
{
	int status;

	for (int waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
		if (waitpid(program->pid, &status, WNOHANG) == program->pid) {
			program->status =
				WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			return;
		}
		sleep_ms(POLL_MS);
	}
	kill(-program->pid, SIGKILL);
	waitpid(program->pid, &status, 0);
	fail_msg("plafond-run did not come to its end");
}

void await_program(struct program *program)
{
	await_program_then(program, NULL);
}

void await_program_then(struct program *program, void (*after)(void))
{
	char *output;

	await_end(program);
	if (after != NULL)
		after();
	await_gone(program->pid);
	output = text_of("output.txt");
	snprintf(program->output, sizeof(program->output), "%s", output);
	free(output);
	program->trace = text_of("trace.json");
}

void run_program(struct program *program, void (*prepare)(void))
{
	unlink("trace.json");
	start_program(program, prepare, "plan.txt", "trace.json", NULL);
	await_program(program);
}

void free_program(struct program *program)
{
	free(program->trace);
}

/* Its process that is not itself, or 0. */
static pid_t child_of(pid_t parent)
{
	char path[64];
	FILE *file;
	int child = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", parent, parent);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%d", &child) != 1)
		child = 0;
	fclose(file);
	return child;
}

static int count_threads(pid_t process)
{
	struct dirent *entry;
	char path[64];
	int count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	tasks = opendir(path);
	if (tasks == NULL)
		return 0;
	while ((entry = readdir(tasks)) != NULL)
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}

pid_t await_threads(const struct program *program, int threads)
{
	for (int waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
		pid_t child = child_of(program->pid);

		if (child != 0 && count_threads(child) == 1 + threads)
			return child;
		sleep_ms(POLL_MS);
	}
	kill(-program->pid, SIGKILL);
	fail_msg("plafond-run did not start its threads");
	return 0;
}

void expect_plan_refusal(void (*prepare)(void), const char *complaint)
{
	struct program program;

	run_program(&program, prepare);
	if (!contains(program.output, complaint))
		fail_msg("expected: %s\nfound: %s", complaint, program.output);
	assert_int_equal(program.status, 2);
	assert_ptr_equal(strchr(program.output, '\n'), program.output + strlen(program.output) - 1);
	assert_string_equal(program.trace, "");
	free_program(&program);
}
