/* SPDX-License-Identifier: MIT */
/*
 * The measured procedures of two cores. BENCH's way to the other core and back ends when HOME
 * starts. During the work of BENCH, the other core activates a less urgent task.
 */
#include "cores.h"

enum { WORK = 100 };

struct signs signs;

/* ---- There and back ------------------------------------------------------------- */

/* No task runs on either core when it is signalled, because DRIVER waits. */
static void go_there(void)
{
	ActivateTask(THERE);
	TerminateTask();
}

static void go_there_for_longer(void)
{
	ActivateTask(LONGER);
	TerminateTask();
}

/* Both cores run a task, which is preempted. */
static void go_there_and_stay(void)
{
	ActivateTask(THERE);
	await_arrival();
}

static void until_home(void)
{
	WaitEvent(HAS_ENDED);
	ClearEvent(HAS_ENDED);
}

/* The activation alone, up to the return of the call. */
static void activate_there(void)
{
	ActivateTask(ENDS);
}

static void begin_ends(void)
{
	signs = (struct signs) { 0 };
}

static void await_ends(void)
{
	await(&signs.has_acted);
}

/* ---- Beside the second core ------------------------------------------------------- */

static void begin_beside(TaskType task)
{
	signs = (struct signs) { 0 };
	ActivateTask(task);
	await(&signs.is_there);
}

static void beside_busy(void)
{
	begin_beside(BUSY);
}

static void end_busy(void)
{
	show(&signs.go);
	await(&signs.has_acted);
}

static void beside_nothing(void)
{
	begin_beside(NOTHING);
}

static void beside_activation(void)
{
	begin_beside(ACTIVATES);
}

static void beside_device(void)
{
	begin_beside(FAULTS);
}

static void work(void)
{
	plf_instructions(WORK);
	show(&signs.go);
	await(&signs.has_acted);
	plf_instructions(WORK);
}

/* LAST was activated during the work, and must begin after it. */
static void until_last_began(void)
{
	if (!signs.last_began)
		ShutdownAllCores(E_OS_STATE);
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "to-there-and-back", .run = go_there, .task = BENCH, .until = until_home },
	{ .name = "to-there-and-back-longer",
	  .run = go_there_for_longer,
	  .task = BENCH,
	  .until = until_home },
	{ .name = "to-there-and-back-preempting",
	  .run = go_there_and_stay,
	  .task = BENCH,
	  .before = beside_busy,
	  .after = end_busy,
	  .until = until_home },
	{ .name = "activate-there",
	  .run = activate_there,
	  .task = BENCH,
	  .before = begin_ends,
	  .after = await_ends },
	{ .name = "work-beside", .run = work, .task = BENCH, .before = beside_nothing },
	{ .name = "disturbed-by-core",
	  .run = work,
	  .task = BENCH,
	  .before = beside_activation,
	  .until = until_last_began },
	{ .name = "disturbed-by-device",
	  .run = work,
	  .task = BENCH,
	  .before = beside_device,
	  .until = until_last_began },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
