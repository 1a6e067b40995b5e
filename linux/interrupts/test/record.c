/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * plafond-record: the contents of its file, compared with the command's actions, and its refusals.
 */
#include "../../real_time/bounded.h"
#include "../../real_time/test/patience.h"
#include "../tracefs.h"
#include "chunks.h"
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGV(...) ((char *[]) { PLAFOND_RECORD, __VA_ARGS__, NULL })

enum { NO_IRQ = -1, SLEEPS = 2000, SLEEP_NS = 50000, NS_PER_S = 1000000000 };
enum { FULL_RATE = 20000, SWITCHES = 20000, MANY_SWITCHES = 200000, MEASURES = 5 };

static char *self; /* this program: as a command it sleeps, switches or waits */
static char file[] = "/tmp/plafond-record-XXXXXX";

static int make_file(void **state)
{
	(void)state;
	return close(mkstemp(file));
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(file);
}

static bool has_instance(pid_t recorder)
{
	int root = open_tracefs();
	char path[64];
	bool is_there;

	assert_true(root >= 0);
	snprintf(path, sizeof(path), "instances/plafond-%d", recorder);
	is_there = faccessat(root, path, F_OK, 0) == 0;
	close(root);
	return is_there;
}

/* A sleeping thread's account of itself. */
struct account {
	int tid;
	long switches; /* from it to others, as the kernel counts them */
};

static struct chunks record_sleeps(char *buffer_kib, struct account *account)
{
	struct program program;
	struct chunks chunks;

	run_program(&program, ARGV(file, "--buffer", buffer_kib, "--", self, "sleep"));
	if (program.status != 0)
		fail_msg("status %d: %s", program.status, program.output);
	assert_int_equal(sscanf(program.output, "%d %ld\n", &account->tid, &account->switches), 2);
	assert_false(has_instance(program.pid));
	chunks = read_chunks(file);
	assert_int_equal(number_in(&chunks, META, "recorder_pid="), program.pid);
	return chunks;
}

static void the_file_has_all_chunks(void **state)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct chunks chunks;
	char line[128];
	struct account account;

	(void)state;
	chunks = record_sleeps("4096", &account);
	assert_int_equal(chunks.each[0].kind, HEADER_PAGE);
	assert_non_null(strstr(chunks.each[0].payload, "field: local_t commit;"));
	assert_int_equal(count_kind(&chunks, HEADER_PAGE), 1);
	assert_int_equal(count_kind(&chunks, FORMAT), 8);
	assert_int_equal(count_kind(&chunks, THREADS), 2);
	assert_int_equal(count_kind(&chunks, STATS), cpus);
	assert_int_equal(count_kind(&chunks, META), 1);
	assert_int_equal(chunks.each[chunks.count - 1].kind, META);
	assert_int_equal(number_in(&chunks, META, "cpus="), cpus);
	assert_true(is_text_in(&chunks, META, "clock=mono\n"));
	snprintf(line, sizeof(line), "command=%s sleep\n", self);
	assert_true(is_text_in(&chunks, META, line));
	snprintf(line, sizeof(line), "%d\t-\tuser\tOTHER\t0\t%d\trecording\n", getpid(), getpid());
	assert_true(is_text_in(&chunks, THREADS, line));
	assert_true(is_text_in(&chunks, THREADS, "\t-\tksoftirqd\tOTHER\t0\t"));
	assert_true(is_text_in(&chunks, THREADS, "\tksoftirqd/0\n"));
	free_chunks(&chunks);
}

/* Compare each CPU's events with the kernel's count. */
static void expect_all_events(const struct chunks *chunks)
{
	const char *count = "read events: ";

	for (size_t i = 0; i < chunks->count; i++) {
		const struct chunk *stats = &chunks->each[i];

		if (stats->kind == STATS)
			assert_int_equal(count_events(chunks, (int)stats->cpu, 0, NO_IRQ).all,
					 atoll(strstr(stats->payload, count) + strlen(count)));
	}
}

static void the_pages_have_all_events(void **state)
{
	struct chunks chunks;
	struct events events;
	struct account account;

	(void)state;
	chunks = record_sleeps("16384", &account);
	events = count_events(&chunks, ALL_CPUS, account.tid, NO_IRQ);
	/* The last switch, and few more, come after its account. */
	assert_in_range(events.switches_from, account.switches, account.switches + 5);
	assert_in_range(events.wakeups_of, SLEEPS / 10 * 9, account.switches + 5);
	assert_int_equal(events.pages_after_loss, 0);
	assert_int_equal(sum_in(&chunks, STATS, "\noverrun: "), 0);
	assert_int_equal(sum_in(&chunks, STATS, "entries: "), 0);
	expect_all_events(&chunks);
	assert_true((int64_t)events.first_ns >= number_in(&chunks, META, "begin_ns="));
	assert_true((int64_t)events.last_ns <= number_in(&chunks, META, "end_ns="));
	free_chunks(&chunks);
}

/* The recorder gets no CPU until the end, as if it were below real-time threads. */
static void what_a_buffer_holds_is_written(void **state)
{
	struct program program;
	struct chunks chunks;

	(void)state;
	run_program(&program, ARGV(file, "--buffer", "65536", "--", self, "switch-alone"));
	assert_int_equal(program.status, 0);
	chunks = read_chunks(file);
	assert_int_equal(sum_in(&chunks, STATS, "\noverrun: "), 0);
	assert_int_equal(sum_in(&chunks, STATS, "entries: "), 0);
	expect_all_events(&chunks);
	assert_in_range(count_events(&chunks, ALL_CPUS, 0, NO_IRQ).switches, MANY_SWITCHES,
			1000 * MANY_SWITCHES);
	free_chunks(&chunks);
}

/* Two pages for each CPU cannot hold the events between two looks. */
static void what_is_lost_is_counted(void **state)
{
	struct chunks chunks;
	struct events events;
	struct account account;

	(void)state;
	chunks = record_sleeps("8", &account);
	events = count_events(&chunks, ALL_CPUS, account.tid, NO_IRQ);
	assert_true(events.switches_from < account.switches);
	assert_true(events.pages_after_loss > 0);
	assert_true(events.all + sum_in(&chunks, STATS, "\noverrun: ") > 2 * account.switches);
	free_chunks(&chunks);
}

/*
 * CPU time of the command that switches back and forth. It is the least of several runs, because
 * other work on the machine makes some runs longer.
 */
static double least_of_switches(char *const argv[])
{
	double least = 1e18;

	for (int i = 0; i < MEASURES; i++) {
		struct program program;
		double ns;

		run_program(&program, argv);
		assert_int_equal(program.status, 0);
		ns = atof(program.output);
		if (ns < least)
			least = ns;
	}
	return least;
}

/*
 * The cost of a recording in all: in the kernel, which writes the events, and in the recorder. The
 * figure is printed, but not judged, because a busy machine adds noise.
 */
static void what_a_recording_costs_is_printed(void **state)
{
	double without = least_of_switches((char *[]) { self, "switch", NULL });
	double with = least_of_switches(ARGV(file, "--buffer", "16384", "--", self, "switch"));
	struct chunks chunks = read_chunks(file);
	double recorder = (double)number_in(&chunks, META, "recorder_ns=");
	double percent = (with - without + recorder) / SWITCHES * FULL_RATE / NS_PER_S * 100;

	(void)state;
	assert_in_range(count_events(&chunks, ALL_CPUS, 0, NO_IRQ).switches, SWITCHES,
			1000 * SWITCHES);
	print_message("%.2f %% of a CPU at %d switches a second, %.2f %% in the recorder "
		      "(asked: at most 3 %% in all)\n",
		      percent, FULL_RATE, recorder / SWITCHES * FULL_RATE / NS_PER_S * 100);
	assert_true(recorder > 0);
	free_chunks(&chunks);
}

static void exit_status_is_that_of_the_command(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV(file, "--", "/bin/sh", "-c", "exit 7"));
	assert_int_equal(program.status, 7);
	assert_string_equal(program.output, "");
	run_program(&program, ARGV(file, "--", "/bin/sh", "-c", "kill -KILL $$"));
	assert_int_equal(program.status, 128 + SIGKILL);
	assert_false(has_instance(program.pid));
}

/* The text of a recording has a line for each key. */
static void a_command_of_several_lines_is_on_a_line(void **state)
{
	struct program program;
	struct chunks chunks;

	(void)state;
	run_program(&program, ARGV(file, "--", "/bin/sh", "-c", ":\ncpus=9\n:"));
	assert_int_equal(program.status, 0);
	chunks = read_chunks(file);
	assert_true(is_text_in(&chunks, META, "\ncommand=/bin/sh -c : cpus=9 :\n"));
	assert_int_equal(number_in(&chunks, META, "\ncpus="), sysconf(_SC_NPROCESSORS_CONF));
	free_chunks(&chunks);
}

static void a_full_disk_fails(void **state)
{
	struct program program;

	(void)state;
	run_program(&program, ARGV("/dev/full", "--", "/bin/true"));
	assert_string_equal(program.output,
			    "plafond-record: cannot write /dev/full: No space left on device\n");
	assert_int_equal(program.status, 1);
	assert_false(has_instance(program.pid));
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	expect_refusal(ARGV("/no/such/file", "--", "/bin/true"),
		       "cannot write /no/such/file: No such file or directory");
	expect_refusal(ARGV(file, "--", "/no/such/command"),
		       "cannot run /no/such/command: No such file or directory");
	expect_refusal(ARGV(file, "--buffer", "7", "--", "/bin/true"),
		       "--buffer: found 7; expected 8 to 1048576 KiB");
	expect_refusal(ARGV(file, "--buffer", "1048577", "--", "/bin/true"),
		       "--buffer: found 1048577; expected 8 to 1048576 KiB");
	expect_refusal(ARGV(file, "--buffer", "1M", "--", "/bin/true"), "--buffer: found 1M");
}

static void without_privilege_it_is_refused(void **state)
{
	struct stat before, after;

	(void)state;
	assert_int_equal(stat(file, &before), 0);
	expect_refusal(
		(char *[]) { self, "unprivileged", PLAFOND_RECORD, file, "--", "/bin/true", NULL },
		"tracefs is denied to this user, as is a mount of it: run this as root");
	expect_refusal((char *[]) { self, "unprivileged", PLAFOND_RESERVE, "1", "1000000",
				    "10000000", "--", "/bin/true", NULL },
		       "a reservation is denied to this user: grant CAP_SYS_NICE");
	assert_int_equal(stat(file, &after), 0);
	assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof(before.st_mtim));
}

static void interrupt(struct program *program, pid_t *recorder, int signal)
{
	start_program(program, ARGV(file, "--", self, "wait"));
	*recorder = program->pid;
	await_output(program, "ready\n");
	assert_true(has_instance(*recorder));
	kill(signal == SIGKILL ? -*recorder : *recorder, signal);
	await_program(program);
}

static void an_interruption_leaves_a_whole_file(void **state)
{
	struct program program;
	struct chunks chunks;
	pid_t recorder;

	(void)state;
	interrupt(&program, &recorder, SIGTERM);
	assert_int_equal(program.status, 128 + SIGTERM);
	assert_false(has_instance(recorder));
	chunks = read_chunks(file);
	assert_int_equal(count_kind(&chunks, META), 1);
	free_chunks(&chunks);
}

static void a_killed_group_leaves_nothing(void **state)
{
	struct program program;
	pid_t recorder;

	(void)state;
	interrupt(&program, &recorder, SIGKILL);
	plf_await(!has_instance(recorder));
}

/*
 * Another program reads the trace, until the recorder waits for it, or for longer. Then remove the
 * instance here, if it still exists.
 */
static void read_beside(struct program *program, bool to_the_end)
{
	int root = open_tracefs();
	char path[64];
	int reader;

	start_program(program, ARGV(file, "--", self, "wait"));
	await_output(program, "ready\n");
	snprintf(path, sizeof(path), "instances/plafond-%d/trace_pipe", program->pid);
	reader = openat(root, path, O_RDONLY | O_CLOEXEC);
	assert_true(reader >= 0);
	kill(program->pid, SIGTERM);
	if (!to_the_end) {
		plf_await(plf_sleeps_in(guard_of(program->pid), SYS_clock_nanosleep) ||
			  plf_has_ended(program->pid));
		close(reader);
	}
	await_program(program);
	if (to_the_end)
		close(reader);
	snprintf(path, sizeof(path), "instances/plafond-%d", program->pid);
	assert_int_equal(unlinkat(root, path, AT_REMOVEDIR) == 0, program->status == 1);
	close(root);
}

/* False: the reader was there for too long. */
static bool ends_behind_a_reader(struct program *program)
{
	read_beside(program, false);
	return program->status == 128 + SIGTERM;
}

static void a_reader_is_awaited(void **state)
{
	struct program program;

	(void)state;
	plf_await(ends_behind_a_reader(&program));
	assert_string_equal(program.output, "ready\n");
}

static void a_reader_that_stays_is_reported(void **state)
{
	struct program program;

	(void)state;
	read_beside(&program, true);
	assert_int_equal(program.status, 1);
	assert_non_null(strstr(program.output, "cannot be removed: Device or resource busy\n"));
}

static int sleeps(void)
{
	const struct timespec time = { .tv_nsec = SLEEP_NS };

	prctl(PR_SET_TIMERSLACK, 1);
	for (int i = 0; i < SLEEPS; i++)
		if (nanosleep(&time, NULL) != 0)
			return 1;
	return 0;
}

/* A child sleeps. When it has ended, the kernel has counted all its switches except the last. */
static int sleep_often(void)
{
	struct rusage usage;
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(sleeps());
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
		return 1;
	printf("%d %ld\n", child, usage.ru_nvcsw + usage.ru_nivcsw);
	return 0;
}

static void pass_byte(int from, int to)
{
	char byte = 0;

	if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
		_exit(1);
}

static double cpu_ns(int of)
{
	struct rusage usage;

	getrusage(of, &usage);
	return 1e9 * (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e3 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Two processes on one CPU; each waits for the other in turn. */
static int switch_often(int switches)
{
	int there[2], back[2];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (pipe(there) != 0 || pipe(back) != 0 || sched_setaffinity(0, sizeof(one), &one) != 0)
		return 1;
	if (fork() == 0) {
		for (int i = 0; i < switches / 2; i++)
			pass_byte(there[0], back[1]);
		_exit(0);
	}
	if (write(there[1], "", 1) != 1)
		return 1;
	for (int i = 1; i < switches / 2; i++)
		pass_byte(back[0], there[1]);
	wait(NULL);
	printf("%.0f\n", cpu_ns(RUSAGE_SELF) + cpu_ns(RUSAGE_CHILDREN));
	return 0;
}

static int switch_alone(void)
{
	pid_t recorder = getppid();
	int status;

	kill(recorder, SIGSTOP);
	status = switch_often(MANY_SWITCHES);
	kill(recorder, SIGCONT);
	return status;
}

/* The program may be in a folder that only root can look up. */
static int run_unprivileged(char *argv[])
{
	int program = open(argv[0], O_PATH);

	if (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
		return 1;
	fexecve(program, argv, environ);
	return 1;
}

static int be_command(char *argv[])
{
	if (strcmp(argv[1], "sleep") == 0)
		return sleep_often();
	if (strcmp(argv[1], "switch") == 0)
		return switch_often(SWITCHES);
	if (strcmp(argv[1], "switch-alone") == 0)
		return switch_alone();
	if (strcmp(argv[1], "unprivileged") == 0)
		return run_unprivileged(argv + 2);
	puts("ready");
	fflush(stdout);
	return (int)sleep(300);
}

int main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_has_all_chunks),
		cmocka_unit_test(the_pages_have_all_events),
		cmocka_unit_test(what_a_buffer_holds_is_written),
		cmocka_unit_test(what_is_lost_is_counted),
		cmocka_unit_test(what_a_recording_costs_is_printed),
		cmocka_unit_test(exit_status_is_that_of_the_command),
		cmocka_unit_test(a_command_of_several_lines_is_on_a_line),
		cmocka_unit_test(a_full_disk_fails),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(without_privilege_it_is_refused),
		cmocka_unit_test(an_interruption_leaves_a_whole_file),
		cmocka_unit_test(a_killed_group_leaves_nothing),
		cmocka_unit_test(a_reader_is_awaited),
		cmocka_unit_test(a_reader_that_stays_is_reported),
	};

	if (argc > 1)
		return be_command(argv);
	self = realpath("/proc/self/exe", NULL);
	prctl(PR_SET_NAME, "recording");
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* this process gets its orphans */
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
