/* SPDX-License-Identifier: MIT */
/*
 * A task writes any values into all words of the shared page, for ever. It is interrupted a
 * nanosecond later each time. It may keep out the tasks that its resource keeps out, but no task
 * above these. It does not reach the data of other tasks.
 */
#include "case.h"
#include "check.h"
#include "plf_find.h"

enum { ROUNDS = 4000, GARBAGE = 0, ONES = 1, ZERO = 2, RAISED = 3, EDGES = 4 };

/* The word by which a task sets its level. */
#ifdef PLF_WORDS_CLAIM_H
#define WORD claim
#else
#define WORD uprio
#endif

static volatile uint32_t rounds;
static volatile uint32_t owner;
static volatile uint32_t middles;
static volatile bool is_by_mid; /* MID activated HIGH, and its alarm is set */

static void enter(uint32_t me)
{
	EXPECT(GetResource(SHARED), E_OK);
	EXPECT(owner, 0);
	owner = me;
}

static void leave(uint32_t me)
{
	EXPECT(owner, me);
	owner = 0;
	EXPECT(ReleaseResource(SHARED), E_OK);
}

/* HIGH is above FOUL, and finds its words right, whatever FOUL wrote. */
TASK(HIGH)
{
	EXPECT(plf_find_page()->words.task, HIGH);
	if (++rounds == ROUNDS) {
		EXPECT(middles, ROUNDS / 4 - 1);
		ShutdownOS(E_OK);
	}
	if (!is_by_mid)
		EXPECT(SetRelAlarm(ALARM, 2000 + rounds, 0), E_OK);
	is_by_mid = false;
	enter(HIGH + 1);
	leave(HIGH + 1);
	if (rounds % 4 == 0)
		EXPECT(ActivateTask(MID), E_OK);
	TerminateTask();
}

TASK(MID)
{
	EXPECT(plf_find_page()->words.task, MID);
	enter(MID + 1);
	is_by_mid = true;
	EXPECT(ActivateTask(HIGH), E_OK); /* SHARED keeps HIGH out */
	middles++;
	leave(MID + 1);
	TerminateTask();
}

TASK(PEER)
{
	TerminateTask();
}

static uint32_t garbage(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 30 ? state >> 24 : state;
}

static void spoil(void)
{
	volatile uint32_t *word = (volatile uint32_t *)plf_find_page();

	for (unsigned i = 0; i < sizeof(struct plf_page) / sizeof(*word); i++)
		word[i] = garbage();
}

/*
 * Write the edge values, at which bounds and signs may go wrong, in turn into all words that are
 * read.
 */
static void spoil_by_edges(void)
{
	static const plf_bound half = (plf_bound)~0 / 2, quarter = (plf_bound)~0 / 4;
	static uint32_t turn;
	const plf_bound edges[] = { 0, 1, quarter, quarter + 1, half, half + 1, (plf_bound)~1 };
	volatile plf_bound *word = &plf_find_page()->words.WORD;

	word[0] = edges[turn % 7];
	word[1] = edges[turn / 7 % 7];
	plf_find_page()->resources[FOULS].saved = edges[turn / 49 % 7];
	if (++turn % 2)
		(void)ReleaseResource(FOULS);
}

TASK(FOUL)
{
	volatile plf_bound *word = &plf_find_page()->words.WORD;

	for (;;) {
		switch (TEST_CASE) {
		case GARBAGE:
			spoil();
			break;
		case ONES:
			*word = (plf_bound)~0;
			break;
		case ZERO:
			*word = 0;
			break;
		case EDGES:
			spoil_by_edges();
			break;
		default:
			(void)GetResource(FOULS); /* never released */
		}
		(void)plf_call0(garbage() % 2 ? PLF_CALL_NULL : PLF_CALL_PREEMPT);
	}
}

TASK(MAIN)
{
	EXPECT(SetRelAlarm(ALARM, 5000, 0), E_OK);
	EXPECT(ActivateTask(FOUL), E_OK);
}
