/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Record and reserve the thread of a real interrupt at the same time: that of the clock with the
 * battery. This runs in a guest, because each handler has a thread there, and nothing else uses the
 * clock.
 */
#include "../../machine/threads.h"
#include "chunks.h"
#include "program.h"

#include <fcntl.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { UPDATES = 2, MANY = 10000 };

static const char FILE_NAME[] = "/tmp/interrupt.rec";

static void keep_clock_thread(const struct thread *thread, void *argument)
{
	if (thread->kind == KIND_IRQ && strstr(thread->name, "-rtc0") != NULL)
		*(struct thread *)argument = *thread;
}

static struct thread find_clock_thread(void)
{
	struct thread thread = { 0 };

	assert_true(each_thread(keep_clock_thread, &thread));
	assert_true(thread.tid != 0);
	return thread;
}

static void an_interrupt_thread_is_recorded_and_reserved(void **state)
{
	struct thread thread = find_clock_thread(), after;
	char *self = realpath("/proc/self/exe", NULL);
	struct program program;
	struct chunks chunks;
	struct events events;
	char tid[16], line[64 + NAME_BYTES];

	(void)state;
	snprintf(tid, sizeof(tid), "%d", thread.tid);
	run_program(&program,
		    (char *[]) { PLAFOND_RECORD, (char *)FILE_NAME, "--", PLAFOND_RESERVE,
				 thread.name, "1000000", "10000000", "--", self, tid, NULL });
	assert_string_equal(program.output, "DEADLINE 1000000 10000000\n");
	assert_int_equal(program.status, 0);
	assert_true(read_thread(thread.tid, thread.tid, &after));
	assert_memory_equal(&after, &thread, sizeof(thread));

	chunks = read_chunks(FILE_NAME);
	events = count_events(&chunks, ALL_CPUS, thread.tid, thread.irq);
	assert_in_range(events.interrupts_of, UPDATES, MANY);
	assert_in_range(events.wakeups_of, UPDATES, MANY);
	assert_in_range(events.switches_from, UPDATES, MANY);
	snprintf(line, sizeof(line), "%d\t%d\tirq\tFIFO\t50\t%d\t%s\n", thread.tid, thread.irq,
		 thread.tid, thread.name);
	assert_true(is_text_in(&chunks, THREADS, line));
	free_chunks(&chunks);
	free(self);
}

/* The command: the clock interrupts at each new second. */
static int await_seconds(const char *tid)
{
	int clock = open("/dev/rtc0", O_RDONLY);
	struct schedule schedule;
	unsigned long ticks;

	if (clock < 0 || ioctl(clock, RTC_UIE_ON, 0) != 0)
		return 1;
	for (int i = 0; i < UPDATES; i++)
		if (read(clock, &ticks, sizeof(ticks)) != sizeof(ticks))
			return 1;
	read_schedule(atoi(tid), &schedule);
	printf("%s %lu %lu\n", policy_name(schedule.policy), schedule.budget_ns,
	       schedule.period_ns);
	return ioctl(clock, RTC_UIE_OFF, 0) != 0;
}

int main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_thread_is_recorded_and_reserved),
	};

	if (argc > 1)
		return await_seconds(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
