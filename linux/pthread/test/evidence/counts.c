/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * The counts of threads that come and go while a process reports them. At any moment the report has
 * everything that was counted before it, once.
 */
#include "../../../real_time/test/patience.h"
#include "here.h"
#include "stats.h"

#include "report.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { EACH = 100, STEPS_LEAST = 20 };

/* ---- The report -------------------------------------------------------- */

/* The number behind that word, which the report contains once. */
static long number_in(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	assert_non_null(at);
	return strtol(at + strlen(word), NULL, 10);
}

static void read_report(char *text, size_t room)
{
	FILE *file;
	size_t size;

	unlink("counts.json");
	plf_stats_start("counts.json");
	plf_stats_write("lazy", "user");
	file = fopen("counts.json", "re");
	assert_non_null(file);
	size = fread(text, 1, room - 1, file);
	text[size] = '\0';
	fclose(file);
}

static long reported_locks(void)
{
	char text[4096];

	read_report(text, sizeof(text));
	return number_in(text, "\"locks\": {\"lazy\": ");
}

/* ---- Threads that count ------------------------------------------------ */

struct counter {
	pthread_t thread;
	sem_t counted, may_end;
};

static void *count(void *argument)
{
	struct counter *me = argument;

	plf_stats_join();
	plf_counts.locks_lazy += EACH;
	sem_post(&me->counted);
	sem_wait(&me->may_end);
	plf_stats_fold();
	return NULL;
}

static void start(struct counter *counter)
{
	sem_init(&counter->counted, 0, 0);
	sem_init(&counter->may_end, 0, 0);
	assert_int_equal(pthread_create(&counter->thread, NULL, count, counter), 0);
	sem_wait(&counter->counted);
}

static void end(struct counter *counter)
{
	sem_post(&counter->may_end);
	assert_int_equal(pthread_join(counter->thread, NULL), 0);
}

static struct counter first, second;

/* ---- A thread ends while another is read ------------------------------- */

/* Called once, when the counts of a living thread are about to be read. */
static void (*meanwhile)(void);

ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long locals,
			 const struct iovec *remote, unsigned long remotes, unsigned long flags)
{
	void (*call)(void) = meanwhile;

	meanwhile = NULL;
	if (call != NULL)
		call();
	return syscall(SYS_process_vm_readv, pid, local, locals, remote, remotes, flags);
}

static void end_first(void)
{
	end(&first);
}

static void end_second(void)
{
	end(&second);
}

static void begin_anew(void)
{
	end(&second);
	start(&second);
}

static long locks_while(void (*call)(void))
{
	long found;

	meanwhile = call;
	found = reported_locks();
	assert_null(meanwhile);
	return found;
}

static void those_that_end_meanwhile_are_counted(void **state)
{
	long before = reported_locks();

	(void)state;
	start(&first);
	start(&second);
	assert_int_equal(locks_while(end_second) - before, 2 * EACH);
	assert_int_equal(locks_while(end_first) - before, 2 * EACH);
	assert_int_equal(reported_locks() - before, 2 * EACH);
}

/* The new thread may have the memory and the place of the old thread. */
static void a_successor_hides_none(void **state)
{
	long before = reported_locks();

	(void)state;
	start(&second);
	assert_in_range(locks_while(begin_anew) - before, EACH, 2 * EACH);
	assert_int_equal(reported_locks() - before, 2 * EACH);
	end(&second);
	assert_int_equal(reported_locks() - before, 2 * EACH);
}

/* ---- More than there are places ---------------------------------------- */

enum { CROWD = PLF_STATS_THREADS + 10 };

/* Check that a living thread has a place. */
static void expect_room(void)
{
	long before = reported_locks();

	start(&first);
	assert_int_equal(reported_locks() - before, EACH);
	end(&first);
}

static void a_crowd_is_counted_when_it_has_ended(void **state)
{
	static struct counter crowd[CROWD];
	long before = reported_locks();

	(void)state;
	for (size_t i = 0; i < CROWD; i++)
		start(&crowd[i]);
	for (size_t i = 0; i < CROWD; i++)
		end(&crowd[i]);
	assert_int_equal(reported_locks() - before, CROWD * EACH);
	expect_room();
}

static void *vanish(void *unused)
{
	(void)unused;
	plf_stats_join();
	syscall(SYS_exit, 0);
	return NULL;
}

static void those_that_vanish_leave_room(void **state)
{
	long before = reported_locks();
	pthread_t thread;

	(void)state;
	for (int i = 0; i < CROWD; i++) {
		assert_int_equal(pthread_create(&thread, NULL, vanish, NULL), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
	}
	assert_int_equal(reported_locks(), before);
	expect_room();
}

/* ---- At every instruction ---------------------------------------------- */

/* A thread stops after each instruction of a call, and lets another thread report. */
static sem_t stopped, may_go;
static volatile bool has_ended;

static void stop(int number)
{
	(void)number;
	sem_post(&stopped);
	sem_wait(&may_go);
}

static inline void trap_each_instruction(void)
{
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

static inline void trap_no_more(void)
{
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

static void *fold_in_steps(void *unused)
{
	(void)unused;
	plf_stats_join();
	plf_counts.locks_lazy += EACH;
	trap_each_instruction();
	plf_stats_fold();
	trap_no_more();
	has_ended = true;
	sem_post(&stopped);
	return NULL;
}

static void *join_in_steps(void *unused)
{
	(void)unused;
	trap_each_instruction();
	plf_stats_join();
	trap_no_more();
	plf_counts.locks_lazy += EACH;
	plf_stats_fold();
	has_ended = true;
	sem_post(&stopped);
	return NULL;
}

/* Check that the report has `locks` more than before at each step. Returns the number of steps. */
static int report_at_each_step(void *(*routine)(void *), long locks)
{
	long expected = reported_locks() + locks;
	pthread_t thread;
	int steps = 0;

	has_ended = false;
	assert_int_equal(pthread_create(&thread, NULL, routine, NULL), 0);
	for (sem_wait(&stopped); !has_ended; sem_wait(&stopped)) {
		assert_int_equal(reported_locks(), expected);
		steps++;
		sem_post(&may_go);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	return steps;
}

static void none_is_missed_at_any_instruction(void **state)
{
	const struct sigaction action = { .sa_handler = stop };
	long before = reported_locks();

	(void)state;
	sem_init(&stopped, 0, 0);
	sem_init(&may_go, 0, 0);
	assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
	assert_in_range(report_at_each_step(fold_in_steps, EACH), STEPS_LEAST, 1000000);
	assert_in_range(report_at_each_step(join_in_steps, 0), STEPS_LEAST, 1000000);
	assert_int_equal(reported_locks() - before, 2 * EACH);
}

static int clean_up(void **state)
{
	(void)state;
	return unlink("counts.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_end_meanwhile_are_counted),
		cmocka_unit_test(a_successor_hides_none),
		cmocka_unit_test(a_crowd_is_counted_when_it_has_ended),
		cmocka_unit_test(those_that_vanish_leave_room),
		cmocka_unit_test(none_is_missed_at_any_instruction),
	};

	plf_end_if_hung();
	plf_counts.locks_lazy = 1; /* otherwise the process has nothing to report */
	return cmocka_run_group_tests(tests, NULL, clean_up);
}
