/* SPDX-License-Identifier: MIT */
/*
 * A task of a core makes every call with any values, for all objects of the other core. Objects
 * that belong to the other core stay as its tasks made them. Its events wake its tasks, and its
 * alarms keep their cycle. Calls that end the system are left out, because every task may make
 * them.
 */
#include "several_cores.h"

enum { NUMBERS = PLF_CALLS + 3, CYCLE = 5, AT_ONCE = 61 };

static const uintptr_t values[] = {
	0,	     1, 2, 3, 0xff, UINT64_C(0x100000000), UINT64_C(0x100000001), UINT64_C(1) << 63,
	UINTPTR_MAX,
};
enum { VALUES = sizeof(values) / sizeof(*values), EACH = VALUES * VALUES * VALUES };
enum { ALL = NUMBERS * EACH };

static uint32_t next, worked, beats;

static bool ends_a_core(unsigned number)
{
	return number == PLF_CALL_SHUTDOWN_OS || number == PLF_CALL_SHUTDOWN_ALL_CORES;
}

/* FOUL ends after some calls, and leaves all it did behind, except its alarms. */
TASK(FOUL)
{
	while (next < ALL) {
		uint32_t attempt = next;
		unsigned number = attempt / EACH;

		show(&next, attempt + 1);
		if (!ends_a_core(number))
			(void)plf_call3(number, values[attempt % VALUES],
					values[attempt / VALUES % VALUES],
					values[attempt / VALUES / VALUES % VALUES]);
		if (attempt % AT_ONCE == 0)
			break;
	}
}

TASK(VICTIM)
{
	for (;;) {
		EXPECT(WaitEvent(EV), E_OK);
		EXPECT(ClearEvent(EV), E_OK);
		count(&worked);
	}
}

TASK(BEAT)
{
	beats++;
	TerminateTask();
}

/* State that FOUL's core must not change. */
static void look_at_alarms(void)
{
	TickType ticks = 0;

	EXPECT(GetAlarm(PULSE, &ticks), E_OK);
	CHECK(ticks <= CYCLE);
	EXPECT(GetAlarm(STEP, &ticks), E_OK);
	EXPECT(ticks, 9);
}

TASK(MAIN)
{
	EXPECT(SetRelAlarm(STEP, 10, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	while (look(&next) < ALL || beats == 0) {
		uint32_t before = worked;

		(void)ActivateTask(FOUL);
		EXPECT(SetEvent(VICTIM, EV), E_OK);
		AWAIT(look(&worked) > before); /* at once, unless FOUL has just set it */
		look_at_alarms();
		plf_relax();
	}
	ShutdownAllCores(E_OK);
}
