/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/* Output of a process that ends: the text that arrives, and the files that remain. */
#include "here.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct plf_report report;

static const char *content(const char *path)
{
	static char text[65536];
	FILE *file = fopen(path, "re");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

static void strings_are_json(void **state)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{ "", "\"\"" },
		{ "plain name", "\"plain name\"" },
		{ "a\"b\\c\n\x7f", "\"a\\\"b\\\\c\\u000a\\u007f\"" },
		{ "plaf\xc3\xb6nd \xe2\x82\xac \xf0\x9f\x98\x80",
		  "\"plaf\xc3\xb6nd \xe2\x82\xac \xf0\x9f\x98\x80\"" },
		{ "cut \xe2\x82", "\"cut ??\"" },
		{ "\x80 \xff \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80", "\"? ? ?? ??? ????\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		plf_report_open(&report, "reports.txt");
		plf_report_string(&report, cases[i].text);
		plf_report_close(&report);
		assert_string_equal(content("reports.txt"), cases[i].json);
	}
}

static void any_length_is_written(void **state)
{
	const char *text;

	(void)state;
	plf_report_open(&report, "reports.txt");
	for (int i = 0; i < 3000; i++)
		plf_report_put(&report, "%04d\n", i);
	plf_report_close(&report);
	text = content("reports.txt");
	assert_int_equal(strlen(text), 15000);
	for (int i = 0; i < 3000; i++)
		assert_int_equal(strtol(text + 5 * i, NULL, 10), i);
}

static void what_is_there_is_not_created(void **state)
{
	(void)state;
	unlink("reports.txt");
	assert_true(plf_report_create(&report, "reports.txt"));
	plf_report_put(&report, "first");
	plf_report_close(&report);
	assert_false(plf_report_create(&report, "reports.txt"));
	assert_string_equal(content("reports.txt"), "first");
	assert_true(plf_report_create(&report, "missing/reports.txt"));
	assert_int_equal(report.error, ENOENT);
}

/* Run BODY with standard error in a pipe. OUTPUT gets its text. Returns its status. */
static int in_child(void (*body)(void), char *output, size_t room)
{
	ssize_t size;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		body();
		_exit(0);
	}
	close(ends[1]);
	size = read(ends[0], output, room - 1);
	output[size > 0 ? size : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void write_far_away(void)
{
	plf_report_open(&report, "missing/reports.txt");
	plf_report_put(&report, "text");
	plf_report_close(&report);
}

static void what_cannot_be_written_is_one_line(void **state)
{
	char output[512];

	(void)state;
	assert_int_equal(in_child(write_far_away, output, sizeof(output)), 0);
	assert_string_equal(
		output, "plafond: cannot write missing/reports.txt: No such file or directory\n");
}

static void limit_file_size(void)
{
	struct rlimit limit = { 10, 10 };

	setrlimit(RLIMIT_FSIZE, &limit);
	plf_report_open(&report, "reports.txt");
	plf_report_put(&report, "more than ten bytes");
	plf_report_close(&report);
}

static void the_file_size_limit_does_not_kill(void **state)
{
	char output[512];

	(void)state;
	assert_int_equal(in_child(limit_file_size, output, sizeof(output)), 0);
	assert_string_equal(output, "plafond: cannot write reports.txt: File too large\n");
}

static int break_stderr(void)
{
	int ends[2];

	if (pipe(ends) != 0)
		return -1;
	dup2(ends[1], STDERR_FILENO);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static void print_to_broken_pipe(void)
{
	sigset_t pending;

	break_stderr();
	plf_report_open(&report, NULL);
	plf_report_put(&report, "text");
	plf_report_close(&report);
	sigpending(&pending);
	if (sigismember(&pending, SIGPIPE) != 0)
		_exit(1);
}

static void a_broken_pipe_does_not_kill(void **state)
{
	char output[512];

	(void)state;
	assert_int_equal(in_child(print_to_broken_pipe, output, sizeof(output)), 0);
}

static void warn_with_a_signal_pending(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	break_stderr();
	plf_warn("text");
	sigpending(&set);
	_exit(sigismember(&set, SIGPIPE) == 1 ? 0 : 1);
}

static void the_programs_own_signal_stays_pending(void **state)
{
	char output[512];

	(void)state;
	assert_int_equal(in_child(warn_with_a_signal_pending, output, sizeof(output)), 0);
}

static void signals_still_kill_afterwards(void)
{
	print_to_broken_pipe();
	if (write(STDERR_FILENO, "x", 1) < 0)
		_exit(1);
}

static void the_programs_own_writes_fail_as_ever(void **state)
{
	char output[512];
	int status;

	(void)state;
	status = in_child(signals_still_kill_afterwards, output, sizeof(output));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

static void a_target_is_written_once(void **state)
{
	static struct plf_target target;

	(void)state;
	assert_false(plf_target_claim(&target));
	plf_target_set(&target, "PLAFOND_STATS", "/tmp/x");
	assert_true(plf_target_claim(&target));
	assert_false(plf_target_claim(&target));
}

static struct plf_target shared_target;

static void a_target_stays_where_the_program_began(void **state)
{
	char before[PATH_MAX], expected[PATH_MAX + 16];

	(void)state;
	assert_non_null(getcwd(before, sizeof(before)));
	plf_target_set(&shared_target, "PLAFOND_STATS", "dir/stats.json");
	snprintf(expected, sizeof(expected), "%s/dir/stats.json", before);
	assert_string_equal(shared_target.path, expected);
}

static void claim_as_child_of_fork(void)
{
	char ending[16];
	const char *end;

	plf_target_after_fork(&shared_target);
	snprintf(ending, sizeof(ending), ".json.%d", (int)getpid());
	end = shared_target.path + strlen(shared_target.path) - strlen(ending);
	_exit(strcmp(end, ending) == 0 && shared_target.below && plf_target_claim(&shared_target)
		      ? 0
		      : 1);
}

static void children_of_fork_have_a_file_of_their_own(void **state)
{
	char output[512];

	(void)state;
	plf_target_set(&shared_target, "PLAFOND_STATS", "stats.json");
	assert_int_equal(in_child(claim_as_child_of_fork, output, sizeof(output)), 0);
}

static void a_child_of_vfork_does_not_write_for_its_parent(void **state)
{
	pid_t child;
	int status;

	(void)state;
	plf_target_set(&shared_target, "PLAFOND_STATS", "stats.json");
	child = vfork();
	if (child == 0)
		_exit(plf_target_claim(&shared_target) ? 1 : 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(plf_target_claim(&shared_target));
}

static int clean_up(void **state)
{
	(void)state;
	return unlink("reports.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_are_json),
		cmocka_unit_test(any_length_is_written),
		cmocka_unit_test(what_is_there_is_not_created),
		cmocka_unit_test(what_cannot_be_written_is_one_line),
		cmocka_unit_test(the_file_size_limit_does_not_kill),
		cmocka_unit_test(a_broken_pipe_does_not_kill),
		cmocka_unit_test(the_programs_own_signal_stays_pending),
		cmocka_unit_test(the_programs_own_writes_fail_as_ever),
		cmocka_unit_test(a_target_is_written_once),
		cmocka_unit_test(a_target_stays_where_the_program_began),
		cmocka_unit_test(children_of_fork_have_a_file_of_their_own),
		cmocka_unit_test(a_child_of_vfork_does_not_write_for_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, clean_up);
}
