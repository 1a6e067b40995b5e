/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * --noise, --wake-ups and --witness: windows on known gaps, and the commands as a user calls them.
 */
#include "../../real_time/test/patience.h"
#include "gaps.h"
#include "json.h"
#include "program.h"
#include "trace.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void no_gaps_take_nothing(void **state)
{
	(void)state;
	assert_int_equal(most_in_window(NULL, 0, 1000), 0);
}

static void windows_take_whole_and_part_gaps(void **state)
{
	static const struct gap gaps[] = { { 100, 10 }, { 150, 30 }, { 190, 5 }, { 1000, 20 } };

	(void)state;
	assert_int_equal(most_in_window(gaps, 4, 7), 7);
	assert_int_equal(most_in_window(gaps, 4, 30), 30);
	assert_int_equal(most_in_window(gaps, 4, 42), 32); /* 150 to 192 */
	assert_int_equal(most_in_window(gaps, 4, 75), 35); /* 105 to 180, or 120 to 195 */
	assert_int_equal(most_in_window(gaps, 4, 84), 40); /* 100 to 184 */
	assert_int_equal(most_in_window(gaps, 4, 95), 45); /* 100 to 195 */
	assert_int_equal(most_in_window(gaps, 4, 5000), 65);
}

/* The definition: look at every window. */
static int64_t by_hand(const struct gap *gaps, size_t count, int64_t window)
{
	int64_t most = 0;

	for (int64_t start = -window; start < 400; start++) {
		int64_t sum = 0;

		for (size_t i = 0; i < count; i++)
			for (int64_t t = 0; t < gaps[i].length_ns; t++)
				sum += gaps[i].start_ns + t >= start &&
				       gaps[i].start_ns + t < start + window;
		most = sum > most ? sum : most;
	}
	return most;
}

static void any_gaps_as_by_hand(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 100; round++) {
		struct gap gaps[8];
		int64_t time = 0;

		for (size_t i = 0; i < 8; i++) {
			gaps[i].start_ns = time + 1 + rand() % 30;
			gaps[i].length_ns = 1 + rand() % 15;
			time = gaps[i].start_ns + gaps[i].length_ns;
		}
		for (int64_t window = 1; window < 300; window = 2 * window + rand() % 3)
			assert_int_equal(most_in_window(gaps, 8, window), by_hand(gaps, 8, window));
	}
}

static void start(struct program *program, const char *what, const char *cpu, const char *seconds)
{
	start_program(program, NULL, what, cpu, seconds);
}

static void a_cpu_is_measured(void **state)
{
	struct program program;

	(void)state;
	start(&program, "--noise", "0", "0.2");
	await_program(&program);
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.output));
	assert_true(contains(program.output, "{\"cpu\":0,\"seconds\":0.2,\"windows\":[[10000,"));
	assert_true(contains(program.output, "],[655360000,"));
	assert_true(contains(program.output, "\"of_gaps_up_to\":{\"100000\":[[10000,"));
	assert_true(contains(program.output, "\"lost_gaps\":0}"));
	free_program(&program);
}

static void wake_ups_are_measured(void **state)
{
	struct program program;
	char *next;
	int count = 0;

	(void)state;
	start(&program, "--wake-ups", "0", "0.3");
	await_program(&program);
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.output));
	next = strchr(program.output, '[');
	assert_non_null(next);
	while (*next != ']') {
		/* A value is a gap, which is above 1 us; two switches and a timer take longer. */
		assert_in_range(strtol(next + 1, &next, 10), 1000, 2000000000);
		count++;
	}
	assert_in_range(count, 1, 300000 / 1370 + 1);
	free_program(&program);
}

static double number_after(const char *text, const char *field)
{
	const char *found = strstr(text, field);

	assert_non_null(found);
	return strtod(found + strlen(field), NULL);
}

static void stops_and_speeds_are_measured(void **state)
{
	struct program program;
	double median, slowest, longest_ns, sum_ns, stops;

	(void)state;
	start(&program, "--witness", "0", "0.2");
	await_program(&program);
	assert_int_equal(program.status, 0);
	assert_true(json_is_valid(program.output));
	assert_true(contains(program.output, "{\"cpu\":0,\"seconds\":0.2,\"stops\":"));
	stops = number_after(program.output, "\"stops\":");
	longest_ns = number_after(program.output, "\"longest_stop_ns\":");
	sum_ns = number_after(program.output, "\"stopped_ns\":");
	assert_true(stops == 0 ? sum_ns == 0 : longest_ns > 100000);
	assert_true(longest_ns <= sum_ns && sum_ns <= stops * longest_ns);
	median = number_after(program.output, "{\"median\":");
	slowest = number_after(program.output, "\"slowest\":");
	assert_true(0 < slowest && slowest <= median && median < 51.2);
	free_program(&program);
}

static void expect_refusal(const char *cpu, const char *seconds, const char *complaint)
{
	struct program program;

	start(&program, "--noise", cpu, seconds);
	await_program(&program);
	assert_int_equal(program.status, 2);
	assert_true(contains(program.output, complaint));
	free_program(&program);
}

static void wrong_words_are_refused(void **state)
{
	(void)state;
	expect_refusal("0", "11", "\"11\" seconds: expected a number from 0.01 to 10");
	expect_refusal("0", "0", "seconds: expected a number from 0.01 to 10");
	expect_refusal("0", "-1", "seconds: expected a number from 0.01 to 10");
	expect_refusal("0", "nan", "seconds: expected a number from 0.01 to 10");
	expect_refusal("0", "1.2.3", "seconds: expected a number from 0.01 to 10");
	expect_refusal("1023", "1", "CPU 1023 does not exist or is not allowed here");
	expect_refusal("x", "1", "CPU x does not exist or is not allowed here");
	expect_refusal("", "1", "does not exist or is not allowed here");
	expect_refusal("99999999999999999999", "1", "does not exist or is not allowed here");
}

static void interruption_ends_it(void **state)
{
	struct program program;

	(void)state;
	start(&program, "--noise", "0", "10");
	await_executed(await_threads(&program, 0), 50000000);
	kill(-program.pid, SIGINT);
	await_program(&program);
	assert_int_equal(program.status, 128 + SIGINT);
	assert_string_equal(program.output, "plafond-run: cut: SIGINT\n");
	free_program(&program);
}

static int full_pipe[2];

/* Have the privilege only by RLIMIT_RTPRIO, if the limit may be raised here. */
static void print_to_full_pipe(void)
{
	struct rlimit priorities = { 99, 99 };

	if (setrlimit(RLIMIT_RTPRIO, &priorities) == 0)
		prctl(PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0);
	dup2(full_pipe[1], STDOUT_FILENO);
}

static void fill_pipe(void)
{
	char bytes[4096] = { 0 };

	assert_int_equal(pipe2(full_pipe, O_CLOEXEC | O_NONBLOCK), 0);
	while (write(full_pipe[1], bytes, sizeof(bytes)) > 0)
		;
	assert_int_equal(fcntl(full_pipe[1], F_SETFL, 0), 0);
}

/* The program waits in its printing. */
static void it_prints_as_an_ordinary_program(void **state)
{
	struct program program;

	(void)state;
	fill_pipe();
	start_program(&program, print_to_full_pipe, "--noise", "0", "0.01");
	plf_await(plf_sleeps_in(program.pid, SYS_write));
	assert_int_equal(sched_getscheduler(program.pid) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
	assert_int_equal(kill(program.pid, SIGKILL), 0); /* it waits for an interruption no more */
	await_program(&program);
	assert_string_equal(program.output, "");
	free_program(&program);
	close(full_pipe[0]);
	close(full_pipe[1]);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(no_gaps_take_nothing),
		cmocka_unit_test(windows_take_whole_and_part_gaps),
		cmocka_unit_test(any_gaps_as_by_hand),
		cmocka_unit_test(a_cpu_is_measured),
		cmocka_unit_test(wake_ups_are_measured),
		cmocka_unit_test(stops_and_speeds_are_measured),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(interruption_ends_it),
		cmocka_unit_test(it_prints_as_an_ordinary_program),
	};

	return cmocka_run_group_tests_name("noise", all, enter_directory, leave_directory);
}
