/* SPDX-License-Identifier: MIT */
/* The thread that a name or a TID means, on a machine with several interrupt threads. */
#include "../find.h"
#include "../../machine/say.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- The machine --------------------------------------------------------- */

static const struct thread machine[] = {
	{ .tid = 15, .pid = 15, .kind = KIND_KSOFTIRQD, .name = "ksoftirqd/0" },
	{ .tid = 50, .pid = 50, .kind = KIND_IRQ, .irq = 24, .name = "irq/24-eth0-rx" },
	{ .tid = 51, .pid = 51, .kind = KIND_IRQ, .irq = 25, .name = "irq/25-eth0-tx" },
	{ .tid = 52, .pid = 52, .kind = KIND_IRQ, .irq = 26, .name = "irq/26-eth0-rx" },
	{ .tid = 900, .pid = 900, .kind = KIND_USER, .name = "irq/27-eth0-rx" },
};
enum { THREADS = sizeof(machine) / sizeof(machine[0]) };

static size_t threads = THREADS; /* how many of them exist */
static bool has_proc = true;
static char complaint[1024];

bool each_thread(void (*visit)(const struct thread *thread, void *argument), void *argument)
{
	for (size_t i = 0; i < threads; i++)
		visit(&machine[i], argument);
	return has_proc;
}

bool read_thread(pid_t pid, pid_t tid, struct thread *thread)
{
	for (size_t i = 0; i < threads; i++)
		if (machine[i].tid == tid && machine[i].pid == pid) {
			*thread = machine[i];
			return true;
		}
	return false;
}

int refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(complaint, sizeof(complaint), format, arguments);
	va_end(arguments);
	return REFUSED;
}

/* ---- Tests --------------------------------------------------------------- */

static void expect_thread(const char *argument, pid_t tid)
{
	struct thread thread;

	assert_true(find_thread(argument, &thread));
	assert_int_equal(thread.tid, tid);
}

static void expect_refusal(const char *argument, const char *expected)
{
	struct thread thread;

	assert_false(find_thread(argument, &thread));
	assert_string_equal(complaint, expected);
}

static void each_thread_is_found(void **state)
{
	(void)state;
	expect_thread("irq/24-eth0-rx", 50);
	expect_thread("irq/25-eth0-tx", 51);
	expect_thread("irq/26-eth0-rx", 52);
	expect_thread("irq/*-eth0-tx", 51);
	expect_thread("15", 15);
	expect_thread("52", 52);
}

static void two_that_are_meant_are_refused(void **state)
{
	(void)state;
	expect_refusal("irq/*-eth0-rx",
		       "found several threads irq/*-eth0-rx; expected the whole name, or the TID, "
		       "of one of: irq/24-eth0-rx (TID 50), irq/26-eth0-rx (TID 52)");
}

static void all_that_there_are_are_named(void **state)
{
	(void)state;
	expect_refusal("irq/24-eth0",
		       "found no thread irq/24-eth0; expected one of: irq/24-eth0-rx (TID 50), "
		       "irq/25-eth0-tx (TID 51), irq/26-eth0-rx (TID 52)");
	expect_refusal("irq/*-eth0-t",
		       "found no thread irq/*-eth0-t; expected one of: irq/24-eth0-rx (TID 50), "
		       "irq/25-eth0-tx (TID 51), irq/26-eth0-rx (TID 52)");
	expect_refusal("53", "found no thread with the TID 53");
}

static void a_tid_is_a_whole_positive_number(void **state)
{
	static const char *const refused[] = { "0", "-15", "15x", "4294967311", "" };
	char expected[64];

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		snprintf(expected, sizeof(expected),
			 "THREAD: found %s; expected irq/N-ACTION or a TID", refused[i]);
		expect_refusal(refused[i], expected);
	}
}

static void without_interrupt_threads(void **state)
{
	(void)state;
	threads = 1;
	expect_refusal("irq/24-eth0-rx",
		       "found no interrupt threads, and irq/24-eth0-rx is one: start the kernel "
		       "with threadirqs, or a PREEMPT_RT kernel");
	has_proc = false;
	expect_refusal("irq/24-eth0-rx", "cannot look for irq/24-eth0-rx: /proc is not mounted");
	threads = THREADS;
	has_proc = true;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_is_found),
		cmocka_unit_test(two_that_are_meant_are_refused),
		cmocka_unit_test(all_that_there_are_are_named),
		cmocka_unit_test(a_tid_is_a_whole_positive_number),
		cmocka_unit_test(without_interrupt_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
