/* SPDX-License-Identifier: MIT */
/*
 * Budgets of resources: AUTOSAR OS 4.x, SWS_Os_00033. Each section has a full budget of the task's
 * own time. Nested sections have separate budgets.
 */
#include "budget_ends.h"

static void in(ResourceType resource, uint32_t ns)
{
	ALLOWED(GetResource(resource));
	plf_spend(ns);
}

static void out(ResourceType resource)
{
	ALLOWED(ReleaseResource(resource));
}

/* ---- Sections in sequence ----------------------------------------------------------------- */

/* A task completes its work at the instant of the end. */
static void sections(void)
{
	in(SHORT, 50 * US - SLACK);
	out(SHORT);
	in(SHORT, 50 * US - SLACK);
	out(SHORT);
	in(LONG, 80 * US - SLACK);
	out(LONG);
	in(FREE, 90 * US);
	out(FREE);
}

static void nothing_is_held(void)
{
	plf_spend(290 * US);
}

static void stays_in_short(void)
{
	begin();
	in(SHORT, 0);
	go_on_for_ever();
}

static void stays_in_long(void)
{
	in(SHORT, 30 * US);
	out(SHORT);
	begin();
	in(LONG, 0);
	go_on_for_ever();
}

static void stays_in_other(void)
{
	begin();
	in(OTHER, 0);
	go_on_for_ever();
}

static void stays_in_free(void)
{
	begin();
	in(FREE, 0);
	go_on_for_ever();
}

static void leaves_in_time(void)
{
	begin();
	in(SHORT, 30 * US);
	out(SHORT);
	go_on_for_ever();
}

static void one_by_one(void)
{
	KEEPS_WITHIN(FOUL, sections);
	LOCKED(FOUL, stays_in_short, 50 * US);
	KEEPS_WITHIN(FOUL, nothing_is_held); /* the ended task holds nothing */
	KEEPS_WITHIN(FOUL, sections);
	LOCKED(FOUL, stays_in_long, 80 * US);
	KEEPS_WITHIN(FOUL, nothing_is_held);
	TIMED(FOUL, stays_in_free, 300 * US);
	TIMED(FOUL, leaves_in_time, 300 * US);
	EXPECT_TRAIL("f.ff.f.ff.ff");
	LOCKED(UPPER, stays_in_short, 20 * US); /* another task has a separate budget */
	LOCKED(UPPER, stays_in_other, 30 * US);
	KEEPS_WITHIN(UPPER, nothing_is_held);
	EXPECT_TRAIL("uuu/");
}

/* ---- Nested sections ----------------------------------------------------------------------- */

static void inner_ends_first(void)
{
	begin();
	in(LONG, 10 * US);
	in(SHORT, 0);
	go_on_for_ever();
}

static void outer_ends_first(void)
{
	begin();
	in(LONG, 40 * US);
	in(SHORT, 0);
	go_on_for_ever();
}

static void inner_is_left(void)
{
	begin();
	in(LONG, 10 * US);
	in(SHORT, 20 * US);
	out(SHORT);
	in(FREE, 10 * US);
	out(FREE);
	in(SHORT, 20 * US);
	out(SHORT);
	go_on_for_ever();
}

static void both_are_left(void)
{
	begin();
	in(LONG, 20 * US);
	in(SHORT, 20 * US);
	out(SHORT);
	out(LONG);
	go_on_for_ever();
}

/* The budget of the inner section is used up, and the task acts at that instant. */
static void inner_is_used_up(void)
{
	begin();
	in(LONG, 10 * US);
	in(SHORT, 50 * US);
	in(FREE, 0);
	out(FREE);
	go_on_for_ever();
}

/* At that instant the task leaves the inner section. The outer section continues. */
static void used_up_inner_is_left(void)
{
	begin();
	in(LONG, 10 * US);
	in(SHORT, 50 * US - SLACK);
	out(SHORT);
	go_on_for_ever();
}

static void one_in_another(void)
{
	LOCKED(FOUL, inner_is_used_up, 60 * US);
	LOCKED(FOUL, used_up_inner_is_left, 80 * US);
	EXPECT_TRAIL("ff");
	LOCKED(FOUL, inner_ends_first, 60 * US);
	LOCKED(FOUL, outer_ends_first, 80 * US);
	LOCKED(FOUL, inner_is_left, 80 * US);
	TIMED(FOUL, both_are_left, 300 * US);
	KEEPS_WITHIN(FOUL, sections);
	EXPECT_TRAIL("fffff.");
}

/* ---- With other budgets, tasks and errors -------------------------------------------------- */

/* A lock of interrupts ends before the section, and has a separate end. */
static void with_interrupts_let_through(void)
{
	begin();
	in(SHORT, 10 * US);
	SuspendOSInterrupts();
	plf_spend(10 * US);
	ResumeOSInterrupts();
	go_on_for_ever();
}

static void with_interrupts_held_back(void)
{
	begin();
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	in(LONG, 10 * US);
	SuspendOSInterrupts();
	go_on_for_ever();
}

static void for_long(void)
{
	plf_spend(4980 * US);
	in(OTHER, 20 * US);
	out(OTHER);
}

/* The time and the sections of another task do not count. */
static void preempted(void)
{
	begin();
	in(LONG, 30 * US);
	play = for_long;
	ALLOWED(ActivateTask(UPPER));
	in(FREE, 0);
	out(FREE);
	go_on_for_ever();
}

/* Standard status does not check this, and it gives no more time. */
static void enters_twice(void)
{
	begin();
	in(SHORT, 30 * US);
	GetResource(SHORT);
	go_on_for_ever();
}

/* Nor does it at the instant at which the budget is used up. */
static void enters_twice_at_the_end(void)
{
	begin();
	in(SHORT, 50 * US);
	GetResource(SHORT);
	go_on_for_ever();
}

/* Refused in extended status: the task holds the same resources. */
static void leaves_the_wrong_one(void)
{
	begin();
	in(SHORT, 10 * US);
	in(LONG, 10 * US);
	REFUSED(ReleaseResource(SHORT), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	go_on_for_ever();
}

static void ends_inside(void)
{
	in(SHORT, 10 * US);
}

static void beside_others(void)
{
	LOCKED(FOUL, with_interrupts_let_through, 50 * US);
	LOCKED(FOUL, with_interrupts_held_back, 70 * US);
	EXPECT_TRAIL("ff");
	play = preempted;
	ALLOWED(ActivateTask(FOUL));
	FAULTED(1, E_OS_PROTECTION_LOCKED, FOUL);
	CHECK(fault_ns - began_ns >= 5080 * US);
	CHECK(fault_ns - began_ns <= 5080 * US + 2 * SLACK);
	EXPECT_TRAIL("fu/");
}

static void with_mistakes(void)
{
	if (PLF_EXTENDED_STATUS) {
		LOCKED(FOUL, leaves_the_wrong_one, 50 * US);
		EXPECT_TRAIL("f");
	} else {
		LOCKED(FOUL, enters_twice, 50 * US);
		LOCKED(FOUL, enters_twice_at_the_end, 50 * US);
		KEEPS_WITHIN(FOUL, ends_inside);
		KEEPS_WITHIN(FOUL, nothing_is_held);
		EXPECT_TRAIL("fff.f.");
	}
}

TASK(MAIN)
{
	one_by_one();
	one_in_another();
	beside_others();
	with_mistakes();
	ShutdownOS(E_OK);
}
