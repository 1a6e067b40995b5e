/* SPDX-License-Identifier: MIT */
/* The measured procedures: Mueller 2014, Section VIII, Tables I and II. */
#include "../measure.h"
#include "plf_clock.h"

enum { WORK = 2000, SOON_NS = 500 }; /* after the set-up, and long before the work ends */

static void activate(void)
{
	ActivateTask(LAST);
}

static void activate_first(void)
{
	ActivateTask(FIRST);
}

static void activate_and_return(void)
{
	ActivateTask(RETURNS);
}

static void chain(void)
{
	ChainTask(FIRST);
}

static void end(void)
{
	TerminateTask();
}

static void get(void)
{
	GetResource(R);
}

static void release(void)
{
	ReleaseResource(R);
}

static void get_and_release(void)
{
	GetResource(R);
	ReleaseResource(R);
}

/* BETWEEN waits for the end of the section. */
static void get_and_keep_out(void)
{
	GetResource(R);
	ActivateTask(BETWEEN);
}

static void clear(void)
{
	ClearEvent(SIGNAL);
}

static void set_first(void)
{
	SetEvent(WOKEN, SIGNAL);
}

static void event_loop(void)
{
	SetEvent(WAITER, SIGNAL);
}

/* The timer activates LAST while a more urgent task works. */
static void set_alarm(void)
{
	SetRelAlarm(LATE, SOON_NS, 0);
}

static void work(void)
{
	plf_instructions(WORK);
}

#define ROW(words, procedure, by)                                                                  \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = (by)                                  \
	}

const struct measured measured[] = {
	EMPTY_ROWS,
	ROW("activate", activate, BENCH),
	ROW("to-activated", activate_first, BENCH),
	ROW("activate-and-return", activate_and_return, BENCH),
	ROW("to-chained", chain, BENCH),
	{ .name = "to-next", .run = end, .task = BENCH, .before = activate },
	{ .name = "get", .run = get, .task = BENCH, .after = release },
	{ .name = "release", .run = release, .task = BENCH, .before = get },
	{ .name = "to-kept-out", .run = release, .task = BENCH, .before = get_and_keep_out },
	ROW("section", get_and_release, BENCH),
	ROW("clear", clear, OWNER),
	ROW("to-woken", set_first, BENCH),
	ROW("event-round", event_loop, BENCH),
	ROW("work", work, BENCH),
	{ .name = "disturbed-work", .run = work, .task = BENCH, .before = set_alarm },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
