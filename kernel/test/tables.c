/* SPDX-License-Identifier: MIT */
/*
 * Each task's own words of resources: what one leaves there no other one finds, after any switch.
 * Properties of the tables that cannot be tried are read back by the hooks: tables_trusted.c.
 */
#include "check.h"
#include "plf_find.h"

static volatile uint32_t left_by_one TASK_DATA(ONE);
static volatile uint32_t left_by_other TASK_DATA(OTHER);

/* Finds what the task left there the last time, and leaves something else. */
static void find_and_leave(volatile uint32_t *left, uint32_t pattern)
{
	volatile struct plf_resource_words *words = &plf_find_page()->resources[R];

	EXPECT(words->saved, *left);
	EXPECT(words->below, *left);
	words->saved = *left = pattern;
	words->below = pattern;
	(void)ActivateTask(INVALID_TASK); /* ErrorHook looks which table is in force */
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
