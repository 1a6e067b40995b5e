/* SPDX-License-Identifier: MIT */
/*
 * A task of a core is killed again and again, for accesses to the other core's memory and to the
 * machine. Meanwhile the other core's tasks are in the kernel. They continue unharmed, and the
 * statuses stay right.
 */
#include "several_cores.h"

enum { KILLS = 60, SECRET = 0x5ec4e7 };

extern char plf_cores[], plf_tasks[], plf_stack_low_VICTIM[], plf_stack_high_VICTIM[];

static volatile uint64_t secret TASK_DATA(VICTIM);
static uint32_t began, worked;
uint32_t kills; /* counted by ProtectionHook */

static void store(uintptr_t address)
{
	*(volatile char *)address = 0x2a;
}

static void attempt(uint32_t which)
{
	switch (which % 6) {
	case 0:
		store((uintptr_t)plf_cores);
		break;
	case 1:
		store((uintptr_t)plf_tasks);
		break;
	case 2:
		store((uintptr_t)plf_stack_high_VICTIM - 8);
		break;
	case 3:
		store((uintptr_t)plf_stack_low_VICTIM - 8); /* the guard below the stack */
		break;
	case 4:
		store((uintptr_t)&secret);
		break;
	default:
		__asm__ volatile("wfi");
	}
}

TASK(FOUL)
{
	count(&began);
	attempt(began);
	CHECK(false); /* never reached, because the task is killed */
}

TASK(VICTIM)
{
	volatile uint64_t own[16];

	secret = SECRET;
	for (uint32_t i = 0; i < 16; i++)
		own[i] = SECRET + i;
	for (;;) {
		EXPECT(WaitEvent(EV), E_OK);
		EXPECT(ClearEvent(EV), E_OK);
		EXPECT(secret, SECRET);
		for (uint32_t i = 0; i < 16; i++)
			EXPECT(own[i], SECRET + i);
		worked++;
	}
}

/* Everything between the activation and the end of FOUL. */
static void go_on(void)
{
	do {
		uint32_t before = worked;

		EXPECT(SetEvent(VICTIM, EV), E_OK);
		EXPECT(worked, before + 1);
		plf_relax();
	} while (state_of(FOUL) != SUSPENDED);
}

TASK(MAIN)
{
	for (uint32_t i = 1; i <= KILLS; i++) {
		EXPECT(ActivateTask(FOUL), E_OK);
		go_on();
		EXPECT(look(&began), i);
		EXPECT(look(&kills), i);
	}
	ShutdownAllCores(E_OK);
}
