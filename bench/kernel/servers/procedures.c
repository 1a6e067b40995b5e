/* SPDX-License-Identifier: MIT */
/* The measured procedures: a server gets the core, and loses it. */
#include "../measure.h"
#include "hog.h"
#include "plf_clock.h"

enum { WORK = 2000, SOON_NS = 500 }; /* after the set-up, and long before the work ends */

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

/* Ask HOG to end, which it does when SHORT has budget again. */
static void let_hog_end(void)
{
	hog.ended = true;
	while (hog.ended)
		;
}

static void until_budget_ends(void)
{
	ActivateTask(HOG);
}

/* Wait for the next period of SHORT, whose begin HOG has seen. */
static void await_period(void)
{
	hog.ended = false;
	ActivateTask(HOG);
	let_hog_end();
	while (plf_user_now_ns() < hog.ended_at + SHORT_PERIOD_NS)
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

/* A decision finds SHORT replenished in each round. */
#define IN_PERIOD(words, procedure)                                                                \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = BENCH, .before = await_period         \
	}

const struct measured measured[] = {
	EMPTY_ROWS,
	ROW("served-section", get_and_release),
	ROW("served-budget", budget),
	IN_PERIOD("to-local-of-server", activate_local),
	IN_PERIOD("to-server-above", activate_above),
	IN_PERIOD("served-above-and-return", activate_and_return),
	IN_PERIOD("served-below", activate_below),
	{ .name = "disturbed-by-budget-end",
	  .run = until_budget_ends,
	  .task = BENCH,
	  .before = await_period,
	  .after = let_hog_end },
	ROW("served-work", work),
	{ .name = "disturbed-by-server-below", .run = work, .task = BENCH, .before = set_alarm },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
