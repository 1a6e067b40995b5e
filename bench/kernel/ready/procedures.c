/* SPDX-License-Identifier: MIT */
/*
 * The measured procedures: activation and dispatch while n activations are ready, all of them less
 * urgent than the measured task. They were activated from the most urgent task on (rising
 * deadlines), or from the least urgent task on (falling deadlines).
 */
#include "../measure.h"

/* Number of tasks for which READY stands in the description. READY_0 is the most urgent. */
enum { READY_TASKS = 127 };

_Static_assert(LAST - READY_0 == READY_TASKS, "one after the other");

NOTES_ITS_START(PREEMPTING);
NOTES_ITS_START(FIRST);
NOTES_ITS_START(LAST);

/* All READY tasks are the same function. */
__asm__(".altmacro\n"
	".macro plf_ready_task number\n"
	".globl plf_task_READY_\\number\n"
	".type plf_task_READY_\\number, %function\n"
	"plf_task_READY_\\number:\n"
	".endm\n"
	".pushsection .text.plf_task_READY, \"ax\"\n"
	".set number, 0\n"
	".rept 127\n"
	"plf_ready_task %number\n"
	".set number, number + 1\n"
	".endr\n"
	"	mrs x0, cntvct_el0\n"
	"	b note_start\n"
	".popsection\n"
	".noaltmacro\n");

static void activate_rising(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		ActivateTask((TaskType)(READY_0 + i));
}

static void activate_falling(unsigned count)
{
	for (unsigned i = count; i > 0; i--)
		ActivateTask((TaskType)(READY_0 + i - 1));
}

/* LAST comes after all ready tasks. */
static void activate_last(void)
{
	ActivateTask(LAST);
}

/* FIRST comes before all ready tasks. */
static void activate_first(void)
{
	ActivateTask(FIRST);
}

/* Ends when PREEMPTING runs. */
static void activate_preempting(void)
{
	ActivateTask(PREEMPTING);
}

/* Ends when the most urgent ready task runs. */
static void terminate(void)
{
	TerminateTask();
}

#define FOR_EACH_COUNT(DO) DO(1) DO(3) DO(7) DO(15) DO(31) DO(63) DO(127)

#define READY(count)                                                                               \
	static void rising_##count(void)                                                           \
	{                                                                                          \
		activate_rising(count);                                                            \
	}                                                                                          \
	static void falling_##count(void)                                                          \
	{                                                                                          \
		activate_falling(count);                                                           \
	}
READY(0)
FOR_EACH_COUNT(READY)

#define ROW(what, procedure, order, count)                                                         \
	{ .name = what "@" #order "-" #count,                                                      \
	  .run = (procedure),                                                                      \
	  .task = BENCH,                                                                           \
	  .before = order##_##count },
#define ACTIVATED(count)                                                                           \
	ROW("queued", activate_last, rising, count)                                                \
	ROW("queued", activate_first, falling, count)                                              \
	ROW("preempting", activate_preempting, rising, count)                                      \
	ROW("preempting", activate_preempting, falling, count)
#define DISPATCHED(count)                                                                          \
	ROW("dispatched", terminate, rising, count)                                                \
	ROW("dispatched", terminate, falling, count)

/* Without a ready task there is no task to dispatch. */
const struct measured measured[] = { EMPTY_ROWS, ACTIVATED(0) FOR_EACH_COUNT(ACTIVATED)
							 FOR_EACH_COUNT(DISPATCHED) };
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
_Static_assert(sizeof(measured) / sizeof(measured[0]) <= MOST_MEASURED, "a row of samples each");
