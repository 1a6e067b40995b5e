/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "program.h"

#include "../../real_time/bounded.h"
#include "../../real_time/test/patience.h"
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
#include <unistd.h>

static char directory[] = "/tmp/plafond-run-XXXXXX";

int enter_directory(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* this process gets its orphans */
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

/* The text of a file; "" if there is none. */
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

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a failed test leaves no program behind */
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

/* A child that lost its supervisor becomes this process's child, and is reaped here. */
static bool is_gone(pid_t group)
{
	waitpid(-group, NULL, WNOHANG);
	return kill(-group, 0) != 0 && errno == ESRCH;
}

static void await_gone(pid_t group)
{
	plf_await(is_gone(group));
}

static bool has_ended(struct program *program)
{
	int status;

	if (waitpid(program->pid, &status, WNOHANG) != program->pid)
		return false;
	program->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return true;
}

void await_program(struct program *program)
{
	await_program_then(program, NULL);
}

void await_program_then(struct program *program, void (*after)(void))
{
	char *output;

	plf_await(has_ended(program));
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

/* The child of the process, or 0. */
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

/* Read the first line of a thread's file. False: there is no such thread. */
static bool read_of_thread(pid_t thread, const char *name, char *line, int size)
{
	char path[64];
	FILE *file;
	bool is_there;

	snprintf(path, sizeof(path), "/proc/%d/%s", thread, name);
	file = fopen(path, "re");
	is_there = file != NULL && fgets(line, size, file) != NULL;
	if (file != NULL)
		fclose(file);
	return is_there;
}

static long long executed_ns(pid_t thread)
{
	char line[64];

	return read_of_thread(thread, "schedstat", line, sizeof(line)) ? atoll(line) : 0;
}

static bool is_asleep(pid_t thread)
{
	char line[512];

	return read_of_thread(thread, "stat", line, sizeof(line)) &&
	       strncmp(strrchr(line, ')'), ") S", 3) == 0;
}

/*
 * Count the process's threads that have executed longer than least_ns, and sleep now. If least_ns
 * is 0, count all its threads.
 */
static int count_threads(pid_t process, long long least_ns)
{
	struct dirent *entry;
	char path[64];
	int count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	tasks = opendir(path);
	if (tasks == NULL)
		return 0;
	while ((entry = readdir(tasks)) != NULL) {
		pid_t thread = atoi(entry->d_name);

		if (thread != 0 && thread != process)
			count += least_ns == 0 ||
				 (executed_ns(thread) > least_ns && is_asleep(thread));
	}
	closedir(tasks);
	return count;
}

/* True: found, or the program is over. False: not yet. */
static bool find_child(const struct program *program, int threads, long long least_ns, pid_t *child)
{
	bool is_over = plf_has_ended(program->pid);

	*child = is_over ? 0 : child_of(program->pid);
	return is_over || (*child != 0 && count_threads(*child, least_ns) >= threads);
}

pid_t await_threads(const struct program *program, int threads)
{
	pid_t child;

	plf_await(find_child(program, threads, 0, &child));
	assert_true(child != 0);
	return child;
}

pid_t await_activations(const struct program *program, int threads)
{
	pid_t child;

	plf_await(find_child(program, threads, LONG_RUN_NS / 2, &child));
	return child;
}

void await_executed(pid_t thread, long long least_ns)
{
	plf_await(executed_ns(thread) > least_ns);
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
	assert_int_equal(access("trace.json", F_OK), -1);
	free_program(&program);
}
