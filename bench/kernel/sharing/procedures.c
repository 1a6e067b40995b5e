/* SPDX-License-Identifier: MIT */
/* The measured procedures: what two levels of resources cost, and the ends of budgets inside. */
#include "../measure.h"
#include "plf_clock.h"
#include "plf_find.h"
#include "sharing.h"

enum { WORK = 2000, SOON_NS = 1000 /* after the set-up, and long before the work is done */ };

volatile bool is_whole;

static void pair(void)
{
	GetResource(R);
	ReleaseResource(R);
}

static void release(void)
{
	ReleaseResource(R);
}

static void work(void)
{
	plf_instructions(WORK);
}

/* Of the server that executes this, as the kernel published it. */
static uint64_t budget_end_ns(uint64_t hold_ns)
{
	return plf_load64(&plf_find_page()->global.last_ns) + hold_ns;
}

static void wait_until(uint64_t at_ns)
{
	while (plf_user_now_ns() < at_ns)
		;
}

/* In a section, and shortly before the end of a budget that had begun anew. */
static uint64_t near_the_end(uint64_t hold_ns)
{
	uint64_t end_ns = budget_end_ns(hold_ns);

	is_whole = false;
	while (budget_end_ns(hold_ns) == end_ns)
		;
	end_ns = budget_end_ns(hold_ns);
	GetResource(R);
	wait_until(end_ns - SOON_NS);
	return end_ns;
}

static void before_overrun(void)
{
	near_the_end(HOLD_NS);
}

/* NEXT runs when the server has nothing left. */
static void in_overrun(void)
{
	wait_until(near_the_end(HOLD_NS) + SOON_NS);
	ActivateTask(NEXT);
}

static void end_round(void)
{
	is_whole = true;
}

static void release_and_end(void)
{
	ReleaseResource(R);
	is_whole = true;
}

/* DRIVER gets the core when NEXT has ended, and the round has ended in the next period. */
static void await_round(void)
{
	while (!is_whole)
		;
}

/* The overrun of TIGHT has begun, and a replenishment is about to come. */
static void before_replenishment(void)
{
	wait_until(near_the_end(TIGHT_HOLD_NS) + TIGHT_REST_NS - SOON_NS);
}

static void keeping_out(void)
{
	GetResource(R);
	ActivateTask(FIRST);
}

#define OVERRUNS(words, who)                                                                       \
	{                                                                                          \
		.name = (words), .run = work, .task = (who), .before = before_overrun,             \
		.after = release_and_end, .until = await_round                                     \
	}

#define ENDS(words, who)                                                                           \
	{                                                                                          \
		.name = (words), .run = release, .task = (who), .before = in_overrun,              \
		.after = end_round, .until = await_round                                           \
	}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "shared-pair", .run = pair, .task = BENCH },
	{ .name = "shared-pair-skip", .run = pair, .task = IN_SKIPS },
	{ .name = "shared-work", .run = work, .task = BENCH },
	{ .name = "to-kept-out", .run = release, .task = BENCH, .before = keeping_out },
	OVERRUNS("disturbed-by-overrun", IN_OVER),
	ENDS("to-next-after-overrun", IN_OVER),
	ENDS("to-next-after-payback", IN_PAYS),
	{ .name = "disturbed-by-replenishment",
	  .run = work,
	  .task = IN_TIGHT,
	  .before = before_replenishment,
	  .after = release_and_end,
	  .until = await_round },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
