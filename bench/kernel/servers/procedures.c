/* SPDX-License-Identifier: MIT */
/* The measured procedures: a server gets the core, and loses it. */
#include "../measure.h"
#include "hog.h"
#include "plf_clock.h"

enum { WORK = 2000, SOON_NS = 500 }; /* after the set-up, and long before the work is done */

struct hog hog;

static void activate_local(void)
{
	ActivateTask(LOCAL);
}

static void activate_above(void)
{
	ActivateTask(FIRST);
}

static void activate_and_return(void)
{
	ActivateTask(RETURNS);
}

static void activate_below(void)
{
	ActivateTask(LAST);
}

static void get_and_release(void)
{
	GetResource(R);
	ReleaseResource(R);
}

static void budget(void)
{
	uint64_t left_ns;

	GetBudget(ABOVE, &left_ns);
}

/* At the beginning of a period of SHORT, so that no replenishment comes meanwhile. */
static void await_period(void)
{
	hog.ended = false;
	while (plf_user_now_ns() / SHORT_PERIOD_NS == hog.period)
		;
	hog.period = plf_user_now_ns() / SHORT_PERIOD_NS;
}

static void until_budget_ends(void)
{
	ActivateTask(HOG);
}

static void let_hog_end(void)
{
	hog.ended = true;
	while (hog.ended)
		;
}

static void set_alarm(void)
{
	SetRelAlarm(OF_BELOW, SOON_NS, 0);
}

static void work(void)
{
	plf_instructions(WORK);
}

#define ROW(words, procedure)                                                                      \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = BENCH                                 \
	}

const struct measured measured[] = {
	EMPTY_ROWS,
	ROW("served-section", get_and_release),
	ROW("served-budget", budget),
	ROW("to-local-of-server", activate_local),
	ROW("to-server-above", activate_above),
	ROW("served-above-and-return", activate_and_return),
	ROW("served-below", activate_below),
	{ .name = "disturbed-by-budget-end",
	  .run = until_budget_ends,
	  .task = BENCH,
	  .before = await_period,
	  .after = let_hog_end },
	ROW("served-work", work),
	{ .name = "disturbed-by-server-below", .run = work, .task = BENCH, .before = set_alarm },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
