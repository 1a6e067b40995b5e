/* SPDX-License-Identifier: MIT */
/*
 * Each task has private words of resources: no other task finds values there, after any switch. The
 * hooks read back properties of the tables that cannot be tried: tables_trusted.c.
 */
#include "check.h"
#include "plf_find.h"

static volatile uint32_t left_by_one TASK_DATA(ONE);
static volatile uint32_t left_by_other TASK_DATA(OTHER);

/* Find the values of the previous time, and leave others. */
static void find_and_leave(volatile uint32_t *left, uint32_t pattern)
{
	volatile struct plf_resource_words *words = &plf_find_page()->resources[R];

	EXPECT(words->saved, *left);
	EXPECT(words->below, *left);
	words->saved = *left = pattern;
	words->below = pattern;
	(void)ActivateTask(INVALID_TASK); /* ErrorHook checks the table in force */
}

TASK(ONE)
{
	find_and_leave(&left_by_one, left_by_one + 0x1111);
	TerminateTask();
}

TASK(OTHER)
{
	find_and_leave(&left_by_other, left_by_other + 0x2200000);
	EXPECT(ActivateTask(ONE), E_OK);
	find_and_leave(&left_by_other, left_by_other + 0x2200000);
	TerminateTask();
}

TASK(NONE)
{
	EXPECT(ActivateTask(OTHER), E_OK);
	(void)ActivateTask(INVALID_TASK);
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(ActivateTask(ONE), E_OK);
	EXPECT(ActivateTask(NONE), E_OK);
	EXPECT(ActivateTask(OTHER), E_OK);
	ShutdownAllCores(E_OK);
}
