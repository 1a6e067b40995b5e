/* SPDX-License-Identifier: MIT */
/*
 * The measured procedures: the cost of two levels of resources, and ends of budgets in a section.
 */
#include "../measure.h"
#include "plf_clock.h"
#include "plf_find.h"

enum {
	WORK = 2000,
	SOON_NS = 1000, /* after the set-up, and long before the work ends */
	/* For ABOVE: X, and the time from the end of its budget to the next budget. */
	HOLD_NS = 15000,
	REST_NS = 10000,
};

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

/* The end of ABOVE's budget, as the kernel published it. */
static uint64_t budget_end_ns(void)
{
	return plf_load64(&plf_find_page()->global.last_ns) + HOLD_NS;
}

static void wait_until(uint64_t at_ns)
{
	while (plf_user_now_ns() < at_ns)
		;
}

/* Enter a section shortly before the end of a new budget. Returns that end. */
static uint64_t near_the_end(void)
{
	uint64_t end_ns = budget_end_ns();

	is_whole = false;
	while (budget_end_ns() == end_ns)
		;
	end_ns = budget_end_ns();
	GetResource(R);
	wait_until(end_ns - SOON_NS);
	return end_ns;
}

static void before_overrun(void)
{
	near_the_end();
}

/* NEXT runs when the server has no budget left. */
static void in_overrun(void)
{
	wait_until(near_the_end() + SOON_NS);
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

/* DRIVER gets the core when NEXT has ended. The round ends in the next period. */
static void await_round(void)
{
	while (!is_whole)
		;
}

/* The overrun has begun, and a replenishment is about to come. */
static void before_replenishment(void)
{
	wait_until(near_the_end() + REST_NS - SOON_NS);
}

/* A row of ABOVE, whose round ends in its next period. */
#define IN_SECTION(words, procedure, first, last)                                                  \
	{                                                                                          \
		.name = (words), .run = (procedure), .task = IN_ABOVE, .before = (first),          \
		.after = (last), .until = await_round                                              \
	}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "shared-pair", .run = pair, .task = BENCH },
	{ .name = "shared-work", .run = work, .task = BENCH },
	IN_SECTION("disturbed-by-overrun", work, before_overrun, release_and_end),
	IN_SECTION("to-next-after-overrun", release, in_overrun, end_round),
	IN_SECTION("disturbed-by-replenishment", work, before_replenishment, release_and_end),
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
