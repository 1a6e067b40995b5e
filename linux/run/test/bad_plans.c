/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A wrong plan is refused with its line and the expectation, and leaves no trace. */
#include "program.h"
#include "trace.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD	  "plafond-plan 1\nprotocol plafond\nlimit 1000\nresource R1 70\nresource R2 30\n"
#define TASK	  HEAD "task T 20 0 queue\n"
#define SERVED	  HEAD "server S 5 0 100000 50000\n"
#define SHARED	  HEAD "server S 5 0 100000 50000 skip 1000\n"
#define ARRIVES	  "arrivals 0\n"
#define TAIL	  ARRIVES "end\n"
#define DRIVEN	  "plafond-plan 1\nprotocol immpc\nlimit 1000\nresource R1 70\ntask T 20 0 queue\n"
#define LONG_NAME "a123456789012345678901234567890123"

static const struct {
	const char *plan, *complaint;
} plans[] = {
	{ "", "plan.txt:1: not a plan: expected \"plafond-plan 1\" first" },
	{ "hello world\n", "plan.txt:1: not a plan" },
	{ "plafond-plan 2\n", "plan.txt:1: plan version \"2\": this program reads version 1" },
	{ "plafond-plan 1 1\n", "plan.txt:1: unexpected \"1\": the statement is complete" },
	{ "plafond-plan 1\n", "plan.txt:2: the file stops before \"end\"" },
	{ TASK "arrivals 0\n", "the file stops before \"end\"" },
	{ "plafond-plan 1\n# x\n\nend\n", "plan.txt:4: the plan names no protocol" },
	{ "plafond-plan 1\nprotocol none\nend\n", "plan.txt:3: the plan has no limit" },
	{ HEAD "end\n", "the plan has no task" },
	{ HEAD "protocol none\n", "plan.txt:6: a second protocol" },
	{ "plafond-plan 1\nprotocol\n",
	  "the protocol is missing: expected plafond, plafond-strict" },
	{ "plafond-plan 1\nprotocol foo\n", "unknown protocol \"foo\": expected plafond, " },
	{ HEAD "limit 5\n", "plan.txt:6: a second limit" },
	{ "plafond-plan 1\nlimit\n", "plan.txt:2: time is missing: expected a number from 1 to" },
	{ "plafond-plan 1\nlimit 0\n", "time \"0\": expected a number from 1 to 1000000000000000" },
	{ "plafond-plan 1\nlimit -1\n", "time \"-1\": expected a number" },
	{ "plafond-plan 1\nlimit +1\n", "time \"+1\": expected a number" },
	{ "plafond-plan 1\nlimit 1e3\n", "time \"1e3\": expected a number" },
	{ "plafond-plan 1\nlimit 0x1\n", "time \"0x1\": expected a number" },
	{ "plafond-plan 1\nlimit 99999999999999999999999999\n", "expected a number from 1 to" },
	{ "plafond-plan 1\nlimit 9223372036854775807\n", "expected a number from 1 to" },
	{ HEAD "resource R1 5\n", "plan.txt:6: a second resource R1" },
	{ HEAD "resource\n", "the name of the resource is missing" },
	{ HEAD "resource 9\n", "resource \"9\": expected a letter, then at most 31 letters, " },
	{ HEAD "resource a-b 1\n", "resource \"a-b\": expected a letter" },
	{ HEAD "resource a\x01\xff 1\n", "resource \"a?\?\": expected a letter" },
	{ HEAD "resource " LONG_NAME " 1\n", "\": expected a letter, then at most 31 letters" },
	{ HEAD "resource R2 5\n", "plan.txt:6: a second resource R2" },
	{ HEAD "resource X\n", "ceiling is missing: expected a number from 1 to 98" },
	{ HEAD "resource X 0\n", "ceiling \"0\": expected a number from 1 to 98" },
	{ HEAD "resource X 99\n", "ceiling \"99\": expected a number from 1 to 98" },
	{ HEAD "resource X 9 9\n", "unexpected \"9\": the statement is complete" },
	{ HEAD "foo\n", "plan.txt:6: unknown statement \"foo\": expected protocol, limit, " },
	{ HEAD "run 5\n", "plan.txt:6: run outside a task" },
	{ HEAD "arrivals 5\n", "plan.txt:6: arrivals outside a task" },
	{ TASK "foo\n", "plan.txt:7: unknown step \"foo\": expected run, lock, unlock or sleep" },
	{ HEAD "task\n", "the name of the task is missing" },
	{ HEAD "task T\n", "priority is missing: expected a number from 1 to 98" },
	{ HEAD "task T 99 0 queue\n", "priority \"99\": expected a number from 1 to 98" },
	{ HEAD "task T 0 0 queue\n", "priority \"0\": expected a number from 1 to 98" },
	{ HEAD "task T 5\n", "CPU is missing" },
	{ HEAD "task T 5 1023 queue\n",
	  "CPU 1023 does not exist or is not allowed here: allowed are 0" },
	{ HEAD "task T 5 1024 queue\n", "CPU \"1024\": expected a number from 0 to 1023" },
	{ HEAD "task T 5 0\n", "queue or skip is missing" },
	{ HEAD "task T 5 0 wait\n", "unknown word \"wait\": expected queue or skip" },
	{ TASK "arrivals 0\ntask T 5 0 skip\n", "plan.txt:8: a second task T" },
	{ TASK ARRIVES "task U 5 0 skip\n" ARRIVES "task U 5 0 skip\n",
	  "plan.txt:10: a second task U" },
	{ HEAD "task T 5 0 queue S\n", "plan.txt:6: unknown server \"S\"" },
	{ HEAD "server\n", "the name of the server is missing" },
	{ HEAD "server S 5 0 99999 1\n", "period \"99999\": expected a number from 100000 to" },
	{ HEAD "server S 5 0 100000 100001\n",
	  "budget \"100001\": expected a number from 1 to 100000" },
	{ SERVED "server S 5 0 100000 1\n", "plan.txt:7: a second server S" },
	{ SERVED "task T 5 0 queue S x\n", "plan.txt:7: unexpected \"x\"" },
	{ SERVED "task T 5 0 queue\n" TAIL,
	  "plan.txt:7: task T is in no server, and CPU 0 has some" },
	{ SERVED "server W 6 1 100000 1\ntask T 5 1 queue\n" TAIL,
	  "plan.txt:8: task T is in no server, and CPU 1 has some" },
	{ TASK "reservation\n", "plan.txt:7: period is missing" },
	{ TASK "reservation 100000 100001\n",
	  "plan.txt:7: budget \"100001\": expected a number from 1 to 100000" },
	{ TASK "reservation 100000 5000\nreservation 100000 5000\n",
	  "plan.txt:8: a second reservation of task T" },
	{ TASK "reservation 100000 5000\nrun 1\nlock R1\nunlock R1\n" TAIL,
	  "plan.txt:6: task T has a reservation and locks R1: expected no locks, for a ceiling is "
	  "a priority of SCHED_FIFO, and its thread has none" },
	{ SERVED "task T 5 0 queue S\nreservation 100000 5000\n" TAIL,
	  "plan.txt:7: task T is in server S and has a reservation: expected one of the two" },
	{ TASK "reservation 100000 50000\n" ARRIVES
	       "task U 5 0 queue\nreservation 100000 45001\n" TAIL,
	  "plan.txt:9: with task U the reservations are 95.0% of CPU 0: expected at most 95%" },
	{ HEAD "reservation 100000 5000\n", "plan.txt:6: reservation outside a task" },
	{ HEAD "server S 5 0 100000 50000 jump\n",
	  "plan.txt:6: unknown word \"jump\": expected skip, overrun or overrun-payback" },
	{ HEAD "server S 5 0 100000 50000 skip\n", "plan.txt:6: time is missing" },
	{ HEAD "server S 5 0 100000 50000 skip 50001\n",
	  "time \"50001\": expected a number from 1 to 50000" },
	{ SHARED "share\n", "plan.txt:7: the resource is missing" },
	{ SHARED "share R9 S 5\n", "plan.txt:7: unknown resource \"R9\"" },
	{ SHARED "share R1\n", "plan.txt:7: the server is missing" },
	{ SHARED "share R1 U 5\n", "plan.txt:7: unknown server \"U\"" },
	{ SHARED "share R1 S\n", "plan.txt:7: ceiling is missing" },
	{ SHARED "share R1 S 5\nshare R1 S 5\n", "plan.txt:8: a second share of R1 of server S" },
	{ SERVED "share R1 S 5\n", "plan.txt:7: server S has no policy to share resources" },
	{ SHARED
	  "server U 9 0 100000 1\nshare R1 S 2\ntask U 1 0 queue U\nlock R1\nunlock R1\n" TAIL,
	  "plan.txt:9: task U locks R1, which tasks of another server lock, or of none" },
	{ SERVED "server U 5 0 100000 1\ntask T 5 0 queue S\n" TAIL,
	  "plan.txt:7: server U has the priority of S" },
	{ SERVED "server U 6 0 100000 50001\ntask T 5 0 queue U\n" TAIL,
	  "plan.txt:7: with server U the budgets are 100.0% of CPU 0" },
	{ SERVED "server U 9 0 100000 1\ntask T 4 0 queue S\n" TAIL,
	  "plan.txt:8: task T has priority 4 in server S: expected below 4, for above the server's "
	  "own, 5, its band has no more" },
	{ SERVED "server U 7 0 100000 1\nserver W 9 0 100000 1\ntask T 2 0 queue S\n" TAIL,
	  "plan.txt:9: task T has priority 2 in server S: expected below 2, for above the "
	  "server's" },
	{ SERVED "task T 45 0 queue S\n" TAIL,
	  "task T has priority 45 in server S: expected below 45" },
	{ SERVED "server U 9 0 100000 1\ntask T 1 0 queue S\nlock R1\nunlock R1\narrivals 0\n"
		 "task U 1 0 queue U\nlock R1\nunlock R1\n" TAIL,
	  "plan.txt:12: task U locks R1, which tasks of another server lock, or of none" },
	{ SERVED "task T 5 0 queue S\narrivals 0\nspare 1 0 5\nend\n",
	  "plan.txt:9: spare beside server S: what servers leave is not measured" },
	{ "plafond-plan 1\nprotocol none\nlimit 1000\nserver S 5 0 100000 1\ntask T 5 0 queue "
	  "S\n" TAIL,
	  "plan.txt:4: server S under none: expected plafond, which alone has servers" },
	{ TASK "end\n", "plan.txt:6: task T has no arrivals" },
	{ TASK "arrivals\n", "plan.txt:7: arrivals are missing: expected times" },
	{ TASK "arrivals 5 5\n", "plan.txt:7: arrival 5: expected more than the one before" },
	{ TASK "arrivals 5\narrivals 4\n", "plan.txt:8: arrival 4: expected more than" },
	{ TASK "arrivals x\n", "arrival \"x\": expected a number from 0 to" },
	{ TASK "arrivals 0 1000\nend\n",
	  "plan.txt:6: task T: its last arrival, 1000, must come before the limit, 1000" },
	{ TASK "run\n", "time is missing" },
	{ TASK "run 0\n", "time \"0\": expected a number from 1" },
	{ TASK "run 5 5\n", "plan.txt:7: most \"5\": expected a number from 6 to" },
	{ TASK "run 5 6\n", "plan.txt:7: the key of the range is missing" },
	{ TASK "run 5 6 -1\n", "key \"-1\": expected a number below 2^64" },
	{ TASK "run 5 6 7x\n", "key \"7x\": expected a number below 2^64" },
	{ TASK "run 5 6 18446744073709551616\n", "expected a number below 2^64" },
	{ TASK "run 5 6 7 8\n", "unexpected \"8\": the statement is complete" },
	{ DRIVEN "lock R1\nrun 5 6 7\nunlock R1\n" TAIL,
	  "plan.txt:5: task T: a range in a section: under immpc sections have one length" },
	{ TASK "lock\n", "the name of the resource is missing" },
	{ TASK "lock R9\n", "plan.txt:7: unknown resource \"R9\": declare it before its users" },
	{ TASK "unlock R9\n", "unknown resource \"R9\"" },
	{ TASK "unlock R1\n", "plan.txt:7: unlock R1: it is not locked" },
	{ TASK "lock R1\nlock R1\n", "plan.txt:8: lock R1: it is locked already" },
	{ TASK "lock R1\nlock R2\nlock R2\n", "plan.txt:9: lock R2: it is locked already" },
	{ TASK "lock R1\nlock R2\nunlock R1\n", "plan.txt:9: unlock R1: R2 was locked last" },
	{ TASK "lock R1\nsleep 5\n", "plan.txt:8: sleep inside a section: R1 is locked" },
	{ TASK "lock R1\n" TAIL, "plan.txt:6: task T ends with R1 locked" },
	{ TASK "lock R1\ntask U 1 0 skip\n", "plan.txt:6: task T ends with R1 locked" },
	{ HEAD "task T 50 0 queue\nlock R2\nunlock R2\n" TAIL,
	  "plan.txt:6: task T of priority 50 locks R2, whose ceiling is only 30" },
	{ DRIVEN "lock R1\nrun 60000000000\nrun 1\nunlock R1\n" TAIL,
	  "plan.txt:5: task T: a section of 60000000001 ns: under immpc at most 60000000000" },
	{ HEAD "spare\n", "priority is missing" },
	{ HEAD "spare 5 0\n", "time is missing" },
	{ HEAD "spare 5 0 5\nspare 5 0 5\n", "plan.txt:7: a second spare" },
	{ TASK "arrivals 0\nspare 5 0 1001\nend\n",
	  "plan.txt:8: spare: its time, 1001, is longer than the limit, 1000" },
	{ TASK TAIL "end\n", "plan.txt:9: unexpected \"end\" after the end" },
	{ TASK "arrivals 0\nend 1\n", "unexpected \"1\": the statement is complete" },
};

static void wrong_plans_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++) {
		write_plan(plans[i].plan);
		expect_plan_refusal(NULL, plans[i].complaint);
	}
}

static void use_cpus(size_t first, size_t last)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		_exit(126);
}

static void use_second_cpu(void)
{
	use_cpus(1, 1);
}

static void use_two_cpus(void)
{
	use_cpus(0, 1);
}

static void allowed_cpus_are_listed(void **state)
{
	(void)state;
	write_plan(HEAD "task T 5 1023 queue\n");
	expect_plan_refusal(use_second_cpu, "not allowed here: allowed are 1\n");
	expect_plan_refusal(use_two_cpus, "not allowed here: allowed are 0-1\n");
}

static void resource_of_two_cpus_is_refused(void **state)
{
	static const char text[] = "limit 1000\nresource R1 70\n"
				   "task T 20 0 queue\nlock R1\nunlock R1\narrivals 0\n"
				   "task U 20 1 queue\nlock R1\nunlock R1\narrivals 0\nend\n";

	(void)state;
	write_plan_for("plafond-strict", text);
	expect_plan_refusal(
		NULL, "R1 is used on CPU 0 and CPU 1: under plafond-strict all its users must");
}

#define ACROSS "limit 1000\nresource R1 90\nresource R2 90\n"
#define OTHER  "task U 20 1 queue\nlock R1\nunlock R1\narrivals 0\n"

static const struct {
	const char *plan, *complaint;
} plans_of_two_cpus[] = {
	{ ACROSS OTHER "task T 20 0 queue\nlock R1\nlock R2\nunlock R2\nunlock R1\n" TAIL,
	  "task T locks R2 inside a section: under plafond none is in or around one of R1" },
	{ ACROSS OTHER "task T 20 0 queue\nlock R2\nlock R1\nunlock R1\nunlock R2\n" TAIL,
	  "task T locks R1 inside a section: under plafond none is in or around one of R1" },
	{ ACROSS OTHER "task T 50 0 queue\nrun 1\nlock R1\nunlock R1\n" TAIL,
	  "task T has priority 50 on CPU 0, where a resource of several CPUs is used: under "
	  "plafond expected below 50" },
	{ ACROSS OTHER "task T 20 0 queue\nlock R1\nunlock R1\narrivals 0\n"
		       "task V 50 1 queue\nrun 1\n" TAIL,
	  "task V has priority 50 on CPU 1, where a resource of several CPUs is used" },
};

static void what_libplafond_cannot_do_across_cpus_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans_of_two_cpus) / sizeof(plans_of_two_cpus[0]); i++) {
		write_plan_for("plafond", plans_of_two_cpus[i].plan);
		expect_plan_refusal(NULL, plans_of_two_cpus[i].complaint);
	}
}

/* Write HEAD, and COUNT times FORMAT, in which @ becomes a number. */
static void write_many(const char *head, const char *format, int count)
{
	FILE *file = fopen("plan.txt", "we");

	assert_non_null(file);
	fputs(head, file);
	for (int i = 0; i < count; i++) {
		fprintf(file, "%.*s", (int)strcspn(format, "@"), format);
		if (contains(format, "@"))
			fprintf(file, "%d%s", i, strchr(format, '@') + 1);
	}
	assert_int_equal(fclose(file), 0);
}

static void append(const char *text)
{
	FILE *file = fopen("plan.txt", "ae");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void too_much_is_refused(void **state)
{
	(void)state;
	write_many(HEAD, "task T@ 5 0 skip\n", 1001);
	expect_plan_refusal(NULL, "plan.txt:1006: more than 1000 tasks");
	write_many("plafond-plan 1\n", "resource R@ 5\n", 1001);
	expect_plan_refusal(NULL, "plan.txt:1002: more than 1000 resources");
	write_many(TASK, "run 1\n", 10001);
	expect_plan_refusal(NULL, "plan.txt:10007: more than 10000 steps");
	write_many("plafond-plan 1\nprotocol none\nlimit 1\nresource A 9\nresource B 9\n"
		   "resource C 9\nresource D 9\nresource E 9\nresource F 9\nresource G 9\n"
		   "resource H 9\nresource I 9\nresource J 9\nresource K 9\nresource L 9\n"
		   "resource M 9\nresource N 9\nresource O 9\nresource P 9\nresource Q 9\n"
		   "task T 5 0 queue\nlock A\nlock B\nlock C\nlock D\nlock E\nlock F\nlock G\n"
		   "lock H\nlock I\nlock J\nlock K\nlock L\nlock M\nlock N\nlock O\nlock P\n",
		   "lock Q\n", 1);
	expect_plan_refusal(NULL, "more than 16 resources are locked at a time");
}

static void too_much_for_the_driver_is_refused(void **state)
{
	(void)state;
	write_many(DRIVEN "lock R1\n", "run 1\n", 1023);
	append("unlock R1\n" TAIL);
	expect_plan_refusal(
		NULL, "plan.txt:5: task T: a section of 1025 steps: under immpc at most 1024");
	write_many(DRIVEN, "lock R1\nunlock R1\n", 1025);
	append(TAIL);
	expect_plan_refusal(NULL,
			    "plan.txt:5: more than 1024 sections in all: under immpc no more");
}

static void what_is_no_text_is_refused(void **state)
{
	FILE *file = fopen("plan.txt", "we");

	(void)state;
	assert_non_null(file);
	fwrite("plafond-plan 1\nlimit\0 5\n", 1, 24, file);
	fclose(file);
	expect_plan_refusal(NULL, "plan.txt:2: a NUL byte: this is not a text file");
	unlink("plan.txt");
	expect_plan_refusal(NULL, "plafond-run: cannot read plan.txt: No such file or directory");
	assert_int_equal(mkdir("plan.txt", 0700), 0);
	expect_plan_refusal(NULL, "plafond-run: cannot read plan.txt: Is a directory");
	assert_int_equal(rmdir("plan.txt"), 0);
}

static void trace_in_place_of_the_plan_is_refused(void **state)
{
	struct program program;

	(void)state;
	write_plan(TASK TAIL);
	for (int i = 0; i < 2; i++) { /* the plan is unchanged */
		start_program(&program, NULL, "plan.txt", "./plan.txt", NULL);
		await_program(&program);
		assert_int_equal(program.status, 2);
		assert_true(
			contains(program.output, "./plan.txt is the plan itself: name another"));
		free_program(&program);
	}
}

static void to_full_device(void)
{
	if (freopen("/dev/full", "w", stdout) == NULL)
		_exit(99);
}

static void lost_usage_is_reported(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, to_full_device, "--help", NULL, NULL);
	await_program(&program);
	assert_int_equal(program.status, 1);
	assert_string_equal(program.output,
			    "plafond-run: cannot write to stdout: No space left on device\n");
	free_program(&program);
}

static void usage_is_printed(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, NULL, "--help", NULL, NULL);
	await_program(&program);
	assert_int_equal(program.status, 0);
	assert_true(contains(program.output, "usage: plafond-run PLAN TRACE"));
	free_program(&program);
	start_program(&program, NULL, "--foo", "x", NULL);
	await_program(&program);
	assert_int_equal(program.status, 2);
	assert_true(contains(program.output, "usage: plafond-run PLAN TRACE"));
	free_program(&program);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(wrong_plans_are_refused),
		cmocka_unit_test(allowed_cpus_are_listed),
		cmocka_unit_test(resource_of_two_cpus_is_refused),
		cmocka_unit_test(what_libplafond_cannot_do_across_cpus_is_refused),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(too_much_for_the_driver_is_refused),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(trace_in_place_of_the_plan_is_refused),
		cmocka_unit_test(usage_is_printed),
		cmocka_unit_test(lost_usage_is_reported),
	};

	return cmocka_run_group_tests_name("bad plans", all, enter_directory, leave_directory);
}
