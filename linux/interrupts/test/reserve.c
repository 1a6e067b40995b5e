/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* plafond-reserve: its refusals, a thread's schedule meanwhile, and its schedule afterwards. */
#include "../../real_time/test/patience.h"
#include "program.h"

#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGV(...) ((char *[]) { PLAFOND_RESERVE, __VA_ARGS__, NULL })

enum { ANOTHER_BUDGET_NS = 2000000, MS_PER_TICK = 10 /* the kernel's unit of starts */ };

static char *self; /* this program: as a command it prints or changes a thread's schedule */

static struct sleeper ordinary, urgent;

static int start_sleepers(void **state)
{
	(void)state;
	start_sleeper(&ordinary, SCHED_BATCH, 0, 5);
	start_sleeper(&urgent, SCHED_RR | SCHED_RESET_ON_FORK, 7, 0);
	return 0;
}

static int end_sleepers(void **state)
{
	(void)state;
	end_sleeper(&ordinary);
	end_sleeper(&urgent);
	return 0;
}

static bool is_admission_off(void)
{
	FILE *file = fopen("/proc/sys/kernel/sched_rt_runtime_us", "re");
	int runtime_us;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &runtime_us), 1);
	fclose(file);
	return runtime_us < 0;
}

static void expect_line(const struct program *program, const char *line)
{
	if (strstr(program->output, line) == NULL)
		fail_msg("expected: %s\nfound: %s", line, program->output);
}

static void threads_are_reserved_and_restored(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV(ordinary.text, "1000000", "10000000", urgent.text, "2000000",
				   "20000000", "--", self, "show", ordinary.text, urgent.text));
	assert_string_equal(program.output,
			    "DEADLINE 1000000 10000000\nDEADLINE 2000000 20000000\n");
	assert_int_equal(program.status, 0);
	assert_true(is_as_before(&ordinary));
	assert_true(is_as_before(&urgent));
}

static void exit_status_is_that_of_the_command(void **state)
{
	struct program program;

	(void)state;
	run_program(&program,
		    ARGV(urgent.text, "1000000", "10000000", "--", "/bin/sh", "-c", "exit 7"));
	assert_int_equal(program.status, 7);
	run_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", "/bin/sh", "-c",
				   "kill -KILL $$"));
	assert_int_equal(program.status, 128 + SIGKILL);
	assert_string_equal(program.output, "");
	assert_true(is_as_before(&urgent));
}

static void what_cannot_be_is_refused(void **state)
{
	char *tid = ordinary.text;

	(void)state;
	expect_refusal(ARGV(tid, "1023", "1000000", "--", "/bin/true"),
		       "found a budget of 1023 ns; expected 1024 ns to the period, 1000000 ns");
	expect_refusal(ARGV(tid, "1000001", "1000000", "--", "/bin/true"),
		       "found a budget of 1000001");
	expect_refusal(ARGV(tid, "2000", "2000", "--", "/bin/true"),
		       "found a period of 2000 ns; expected 100000 to ");
	expect_refusal(ARGV(tid, "9223372036854775807", "9223372036854775807", "--", "/bin/true"),
		       "found a period of 9223372036854775807 ns");
	expect_refusal(ARGV(tid, "-5", "2000", "--", "/bin/true"),
		       "BUDGET_NS: found -5; expected a number of nanoseconds");
	expect_refusal(ARGV(tid, "1ms", "2000", "--", "/bin/true"), "BUDGET_NS: found 1ms");
	expect_refusal(ARGV(tid, "2000", "9223372036854775808", "--", "/bin/true"),
		       "PERIOD_NS: found 9223372036854775808; expected a number of nanoseconds");
	expect_refusal(ARGV(tid, "18446744073709551616", "2000", "--", "/bin/true"),
		       "BUDGET_NS: found 18446744073709551616; expected a number of nanoseconds");
	expect_refusal(ARGV(urgent.text, "1ms", "200000", tid, "2000", "200000", "--", "/bin/true"),
		       "BUDGET_NS: found 1ms; expected a number of nanoseconds");
	expect_refusal(ARGV("eth0", "2000", "200000", "--", "/bin/true"),
		       "THREAD: found eth0; expected irq/N-ACTION or a TID");
	expect_refusal(ARGV("4194304", "2000", "200000", "--", "/bin/true"),
		       "found no thread with the TID 4194304");
	expect_refusal(ARGV(urgent.text, "2000", "200000", tid, "2000", "200000", tid, "2000",
			    "200000", "--", "/bin/true"),
		       "twice; expected each thread once");
	expect_refusal(ARGV(tid, "200000", "200000", "--", "/no/such/command"),
		       "cannot run /no/such/command: No such file or directory");
	assert_true(is_as_before(&ordinary));
}

static void expect_usage(char *const argv[])
{
	struct program program;

	run_program(&program, argv);
	assert_int_equal(strncmp(program.output, "usage: ", strlen("usage: ")), 0);
	assert_int_equal(program.status, 2);
}

static void an_incomplete_call_is_refused(void **state)
{
	(void)state;
	expect_usage(ARGV(ordinary.text, "2000", "200000", urgent.text, "--", "/bin/true"));
	expect_usage(ARGV(ordinary.text, "2000", "200000", "--"));
	expect_usage(ARGV("--", "/bin/true"));
}

static void expect_none_of_the_kernel(char *name, const char *complaint)
{
	struct program program;

	run_program(&program, ARGV(name, "2000", "200000", "--", "/bin/true"));
	assert_int_equal(program.status, 2);
	assert_true(strstr(program.output, complaint) != NULL ||
		    strstr(program.output, "found no interrupt threads") != NULL);
}

/* A user's thread with such a name is no interrupt thread, whatever its number. */
static void interrupt_threads_are_those_of_the_kernel(void **state)
{
	(void)state;
	prctl(PR_SET_NAME, "irq/7-plafond");
	expect_none_of_the_kernel("irq/7-plafond",
				  "found no thread irq/7-plafond; expected one of: irq/");
	expect_none_of_the_kernel("irq/*-plafond",
				  "found no thread irq/*-plafond; expected one of: irq/");
}

/* The kernel refuses; or the program, if the kernel's admission is off (as in the guests). */
static void more_than_the_cpus_is_refused(void **state)
{
	size_t count = (size_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;
	struct sleeper *sleepers = calloc(count, sizeof(*sleepers));
	char **argv = calloc(3 * count + 4, sizeof(*argv));
	char **next = argv;

	(void)state;
	*next++ = PLAFOND_RESERVE;
	for (size_t i = 0; i < count; i++) {
		start_sleeper(&sleepers[i], SCHED_OTHER, 0, 0);
		*next++ = sleepers[i].text;
		*next++ = "1000000";
		*next++ = "1000000";
	}
	*next++ = "--";
	*next++ = "/bin/true";
	expect_refusal(argv, is_admission_off() ? ": the kernel does not refuse more"
						: "all reservations together would exceed");
	for (size_t i = 0; i < count; i++) {
		assert_true(is_as_before(&sleepers[i]));
		end_sleeper(&sleepers[i]);
	}
	free(sleepers);
	free(argv);
}

static void pin(struct sleeper *sleeper)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	assert_int_equal(sched_setaffinity(sleeper->tid, sizeof(one), &one), 0);
	sleeper->affinity = 1;
}

/*
 * Each reservation takes more than half of the same CPU. Or, if the kernel checks affinities, the
 * second thread's affinity is too small.
 */
static void the_first_is_restored_if_the_second_is_refused(void **state)
{
	const char *complaint = "may use CPU 0 alone, and the kernel gives a reservation only to";

	(void)state;
	pin(&urgent);
	if (is_admission_off()) {
		pin(&ordinary);
		complaint = "found reservations of 120.0 % of CPU 0 for threads that may use no";
	} else if (sysconf(_SC_NPROCESSORS_ONLN) == 1) {
		complaint = "all reservations together would exceed";
	}
	expect_refusal(ARGV(ordinary.text, "600000", "1000000", urgent.text, "600000", "1000000",
			    "--", "/bin/true"),
		       complaint);
	assert_true(is_as_before(&ordinary));
	assert_true(is_as_before(&urgent));
}

static void a_reservation_is_not_taken_over(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV(ordinary.text, "1000000", "10000000", "--", PLAFOND_RESERVE,
				   ordinary.text, "2000000", "10000000", "--", "/bin/true"));
	assert_int_equal(program.status, 2);
	expect_line(&program, "has a reservation already, of 1000000 ns in 10000000 ns");
	assert_true(is_as_before(&ordinary));
}

static void what_another_changed_stays(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV(ordinary.text, "1000000", "10000000", urgent.text, "1000000",
				   "10000000", "--", self, "idle", ordinary.text));
	assert_int_equal(program.status, 0);
	expect_line(&program, "was changed by another program to SCHED_IDLE: it stays so");
	assert_false(is_as_before(&ordinary));
	assert_true(is_as_before(&urgent));
}

/* This also holds for another program's reservation. */
static void another_reservation_stays(void **state)
{
	struct program program;
	struct schedule now;

	(void)state;
	run_program(&program, ARGV(ordinary.text, "1000000", "10000000", urgent.text, "1000000",
				   "10000000", "--", self, "reserve", urgent.text));
	assert_int_equal(program.status, 0);
	expect_line(&program, "was changed by another program to SCHED_DEADLINE: it stays so");
	assert_true(is_as_before(&ordinary));
	assert_int_equal(read_schedule(urgent.tid, &now), 0);
	assert_int_equal(now.budget_ns, ANOTHER_BUDGET_NS);
}

static void a_thread_that_vanishes_is_reported(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV(ordinary.text, "1000000", "10000000", urgent.text, "1000000",
				   "10000000", "--", self, "kill", ordinary.text));
	assert_int_equal(program.status, 0);
	expect_line(&program, "has ended meanwhile\n");
	assert_true(is_as_before(&urgent));
}

/* Start an ordinary thread with that TID, which no thread has. */
static void start_with_tid(pid_t tid)
{
	struct clone_args args = { .exit_signal = SIGCHLD,
				   .set_tid = (uintptr_t)&tid,
				   .set_tid_size = 1 };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_int_equal(pid, tid);
}

/* The kernel gives the TID of an ended thread to a later thread. */
static void another_thread_of_that_tid_is_none_of_ours(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, ARGV(ordinary.text, "1000000", "10000000", "--", self, "wait"));
	await_output(&program, "ready\n");
	end_sleeper(&ordinary);
	sleep_ms(2 * MS_PER_TICK);
	start_with_tid(ordinary.tid);
	kill(program.pid, SIGTERM);
	await_program(&program);
	expect_line(&program, "has ended meanwhile\n");
}

static void interrupt(struct program *program, bool all, int signal)
{
	start_program(program, ARGV(urgent.text, "1000000", "10000000", "--", self, "wait"));
	await_output(program, "ready\n");
	assert_false(is_as_before(&urgent));
	kill(all ? -program->pid : program->pid, signal);
	await_program(program);
	assert_true(is_as_before(&urgent));
}

static void an_interruption_ends_the_command(void **state)
{
	const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct program program;

	(void)state;
	for (int i = 0; i < 8; i++) {
		interrupt(&program, i % 2 == 0, signals[i / 2]);
		assert_int_equal(program.status, 128 + signals[i / 2]);
	}
}

/* The command ends by its handler, so the signal did not end the wrapper instead. */
static void each_interruption_reaches_the_command(void **state)
{
	const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	char *script = "trap 'exit 9' HUP INT QUIT TERM; echo ready; while :; do sleep 0.01; done";
	struct program program;

	(void)state;
	for (int i = 0; i < 4; i++) {
		start_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", "/bin/sh",
					     "-c", script));
		await_output(&program, "ready\n");
		assert_int_equal(kill(program.pid, signals[i]), 0);
		await_program(&program);
		assert_int_equal(program.status, 9);
		assert_true(is_as_before(&urgent));
	}
}

/* The wrapper starts with a signal ignored. */
#define IGNORING(signal, ...)                                                                      \
	((char *[]) { self, "ignoring", signal, PLAFOND_RESERVE, urgent.text, "1000000",           \
		      "10000000", "--", __VA_ARGS__, NULL })

static void the_end_of_a_command_is_seen_though_a_caller_ignores_it(void **state)
{
	struct program program;
	char number[16];

	(void)state;
	snprintf(number, sizeof(number), "%d", SIGCHLD);
	run_program(&program, IGNORING(number, "/bin/sh", "-c", "exit 7"));
	assert_string_equal(program.output, "");
	assert_int_equal(program.status, 7);
	assert_true(is_as_before(&urgent));
}

/* Read the terminal's output up to that text. */
static void read_line(int terminal, const char *end, char output[OUTPUT_BYTES])
{
	size_t length = 0;

	do {
		ssize_t more = read(terminal, output + length, OUTPUT_BYTES - 1 - length);

		assert_true(more > 0);
		length += (size_t)more;
		output[length] = '\0';
	} while (strstr(output, end) == NULL);
}

/* Does the process sleep, with no signal pending? */
static bool has_taken_signals(pid_t pid)
{
	char path[64], text[4096];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return strstr(text, "State:\tS") != NULL &&
	       strstr(text, "ShdPnd:\t0000000000000000") != NULL;
}

/* How many interrupts the command gets when the terminal sends a single interrupt. */
static int press_ctrl_c(char *command)
{
	char **argv = ARGV(urgent.text, "1000000", "10000000", "--", self, command);
	int status, terminal;
	pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
	char output[OUTPUT_BYTES];
	pid_t its_pid;

	assert_true(pid >= 0);
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	read_line(terminal, "\n", output);
	its_pid = atoi(output);
	assert_int_equal(write(terminal, "\x03", 1), 1);
	read_line(terminal, "^C", output); /* the terminal has sent it */
	plf_await(has_taken_signals(pid));
	assert_int_equal(kill(its_pid, SIGUSR1), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(is_as_before(&urgent));
	close(terminal);
	return WEXITSTATUS(status);
}

/* It reaches all processes in the terminal's foreground, and is not passed on in addition. */
static void ctrl_c_is_not_passed_on(void **state)
{
	(void)state;
	assert_int_equal(press_ctrl_c("count"), 1);
	assert_int_equal(press_ctrl_c("count-apart"), 0);
}

/* As under nohup: the command has a handler, but gets no signal. */
static void an_ignored_interruption_is_not_passed_on(void **state)
{
	struct program program;
	char its_pid[16] = "", number[16];

	(void)state;
	snprintf(number, sizeof(number), "%d", SIGINT);
	start_program(&program, IGNORING(number, self, "count"));
	await_output(&program, "\n");
	assert_true(pread(program.output_file, its_pid, sizeof(its_pid) - 1, 0) > 0);
	assert_int_equal(kill(program.pid, SIGINT), 0);
	plf_await(has_taken_signals(program.pid));
	assert_int_equal(kill(atoi(its_pid), SIGUSR1), 0);
	await_program(&program);
	assert_int_equal(program.status, 0);
	assert_true(is_as_before(&urgent));
}

/* Without a guard, the wrapper ends the command. */
static void a_killed_guard_ends_the_command(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", self, "wait"));
	await_output(&program, "ready\n");
	kill(guard_of(program.pid), SIGKILL);
	await_program(&program);
	assert_int_equal(program.status, 1);
	expect_line(&program, "its guard was killed: all is as it was before\n");
	assert_true(is_as_before(&urgent));
}

static void a_signal_does_not_end_the_guard(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", self, "wait"));
	await_output(&program, "ready\n");
	kill(guard_of(program.pid), SIGUSR1);
	kill(program.pid, SIGTERM);
	await_program(&program);
	assert_int_equal(program.status, 128 + SIGTERM);
	assert_true(is_as_before(&urgent));
}

/* The guard is in another process group. */
static void a_killed_group_leaves_nothing(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", self, "wait"));
	await_output(&program, "ready\n");
	kill(-program.pid, SIGKILL);
	await_program(&program);
	plf_await(is_as_before(&urgent));
}

/* Only the wrapper is killed, but its command ends with it. */
static void a_killed_wrapper_leaves_nothing(void **state)
{
	struct program program;

	(void)state;
	start_program(&program, ARGV(urgent.text, "1000000", "10000000", "--", self, "wait"));
	await_output(&program, "ready\n");
	kill(program.pid, SIGKILL);
	await_program(&program);
	plf_await(is_as_before(&urgent));
}

static void show(const char *tid)
{
	struct schedule schedule;

	read_schedule(atoi(tid), &schedule);
	printf("%s %lu %lu\n", policy_name(schedule.policy), schedule.budget_ns,
	       schedule.period_ns);
}

static volatile sig_atomic_t interrupts;

static void count_interrupt(int signal)
{
	(void)signal;
	interrupts = interrupts + 1;
}

/* Count the interrupts before SIGUSR1. */
static int count_interrupts(void)
{
	sigset_t end;

	sigemptyset(&end);
	sigaddset(&end, SIGUSR1);
	sigprocmask(SIG_BLOCK, &end, NULL);
	signal(SIGINT, count_interrupt);
	printf("%d\n", getpid());
	fflush(stdout);
	while (sigwaitinfo(&end, NULL) != SIGUSR1)
		;
	return interrupts;
}

/* When this returns, the process has ended, whether or not its parent has looked. */
static int kill_and_await(pid_t pid)
{
	struct pollfd end = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };

	return end.fd < 0 || kill(pid, SIGKILL) != 0 || poll(&end, 1, -1) != 1;
}

static int be_command(int argc, char *argv[])
{
	const struct schedule another = reservation_of(ANOTHER_BUDGET_NS, 10000000);
	const struct sched_param none = { 0 };

	if (strcmp(argv[1], "show") == 0)
		for (int i = 2; i < argc; i++)
			show(argv[i]);
	else if (strcmp(argv[1], "idle") == 0)
		return sched_setscheduler(atoi(argv[2]), SCHED_IDLE, &none);
	else if (strcmp(argv[1], "reserve") == 0)
		return set_schedule(atoi(argv[2]), &another);
	else if (strcmp(argv[1], "kill") == 0)
		return kill_and_await(atoi(argv[2]));
	else if (strcmp(argv[1], "count") == 0)
		return count_interrupts();
	else if (strcmp(argv[1], "count-apart") == 0) /* in its own process group */
		return setpgid(0, 0) == 0 ? count_interrupts() : 1;
	else if (strcmp(argv[1], "ignoring") == 0) {
		signal(atoi(argv[2]), SIG_IGN);
		return execv(argv[3], argv + 3);
	} else if (strcmp(argv[1], "wait") == 0) {
		puts("ready");
		fflush(stdout);
		sleep(300);
	}
	return 0;
}

int main(int argc, char *argv[])
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, start_sleepers, end_sleepers)
	const struct CMUnitTest tests[] = {
		TEST(threads_are_reserved_and_restored),
		TEST(exit_status_is_that_of_the_command),
		TEST(what_cannot_be_is_refused),
		TEST(an_incomplete_call_is_refused),
		TEST(interrupt_threads_are_those_of_the_kernel),
		TEST(more_than_the_cpus_is_refused),
		TEST(the_first_is_restored_if_the_second_is_refused),
		TEST(a_reservation_is_not_taken_over),
		TEST(what_another_changed_stays),
		TEST(another_reservation_stays),
		TEST(a_thread_that_vanishes_is_reported),
		TEST(another_thread_of_that_tid_is_none_of_ours),
		TEST(an_interruption_ends_the_command),
		TEST(each_interruption_reaches_the_command),
		TEST(the_end_of_a_command_is_seen_though_a_caller_ignores_it),
		TEST(ctrl_c_is_not_passed_on),
		TEST(an_ignored_interruption_is_not_passed_on),
		TEST(a_killed_guard_ends_the_command),
		TEST(a_signal_does_not_end_the_guard),
		TEST(a_killed_group_leaves_nothing),
		TEST(a_killed_wrapper_leaves_nothing),
	};

	if (argc > 1)
		return be_command(argc, argv);
	self = realpath("/proc/self/exe", NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* this process gets its orphans */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
