/* SPDX-License-Identifier: MIT */
#include "budget_ends.h"

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

void (*volatile play)(void);
volatile uint64_t began_ns;

TASK(UPPER)
{
	mark('u');
	play();
	mark('/');
	TerminateTask();
}

TASK(FOUL)
{
	mark('f');
	play();
	mark('.');
	TerminateTask();
}

void test_ends(TaskType task, void (*part)(void), StatusType status, uint64_t after_ns,
	       const char *file, uint32_t line)
{
	uint64_t found_ns;

	play = part;
	test_allowed(ActivateTask(task), file, line);
	test_faulted(1, status, task, file, line);
	found_ns = fault_ns - began_ns;
	if (found_ns + SLACK < after_ns || found_ns > after_ns + SLACK)
		test_equal(found_ns, after_ns, file, line);
}

void test_keeps_within(TaskType task, void (*part)(void), const char *file, uint32_t line)
{
	play = part;
	test_allowed(ActivateTask(task), file, line);
	test_equal(faults, 0, file, line);
}
