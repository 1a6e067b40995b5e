/* SPDX-License-Identifier: MIT */
/*
 * The measured procedures: Mueller 2014, Section VIII, Table III. A procedure that ends in another
 * task of the core counts the work of this core, as the paper does. A task of the other core, to
 * which the resource is granted, resumes beside it.
 */
#include "cores.h"
#include "others.h"

struct signs signs;

static void get(void)
{
	GetMPCPResource(GLOBAL);
}

static void release(void)
{
	ReleaseMPCPResource(GLOBAL);
}

static void get_and_release(void)
{
	GetMPCPResource(GLOBAL);
	ReleaseMPCPResource(GLOBAL);
}

/* ---- The other core asks, and waits ------------------------------------------------ */

static void await_blocked(TaskType task)
{
	TaskStateType state;

	do {
		plf_relax();
		GetTaskState(task, &state);
	} while (state != WAITING);
}

static void get_and_have_others_wait(void)
{
	signs = (struct signs) { .go = true };
	GetMPCPResource(GLOBAL);
	ActivateTask(THERE);
	await_blocked(THERE);
}

static void await_end_there(void)
{
	await(&signs.has_acted);
}

/* FIRST waits for the end of the section. */
static void get_and_keep_out(void)
{
	GetMPCPResource(GLOBAL);
	ActivateTask(FIRST);
}

static void keep_all_out(void)
{
	get_and_have_others_wait();
	ActivateTask(FIRST);
}

/* ---- The other core is inside ------------------------------------------------------ */

static void have_held(TaskType task)
{
	signs = (struct signs) { 0 };
	ActivateTask(task);
	await(&signs.is_there);
}

/* LAST is ready when BENCH has to wait. */
static void begin_before_last(void)
{
	have_held(THERE);
	ActivateTask(LAST);
}

/* BENCH and WAITER wait, and the resource is granted to BENCH. */
static void begin_before_waiter(void)
{
	have_held(THERE_TOO);
	ActivateTask(WAITER);
	GetMPCPResource(SHARED);
}

static void release_shared(void)
{
	ReleaseMPCPResource(SHARED);
}

static void end_section_there(void)
{
	show(&signs.go);
	await(&signs.has_acted);
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "get-global", .run = get, .task = BENCH, .after = release },
	{ .name = "to-local-next",
	  .run = get,
	  .task = BENCH,
	  .before = begin_before_last,
	  .after = release,
	  .until = end_section_there },
	{ .name = "release-global", .run = release, .task = BENCH, .before = get },
	{ .name = "release-to-there",
	  .run = release,
	  .task = BENCH,
	  .before = get_and_have_others_wait,
	  .after = await_end_there },
	{ .name = "to-local-waiter",
	  .run = release_shared,
	  .task = BENCH,
	  .before = begin_before_waiter,
	  .until = end_section_there },
	{ .name = "to-local-first-and-there",
	  .run = release,
	  .task = BENCH,
	  .before = keep_all_out,
	  .after = await_end_there },
	{ .name = "to-local-first", .run = release, .task = BENCH, .before = get_and_keep_out },
	{ .name = "section-global", .run = get_and_release, .task = BENCH },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
