/* SPDX-License-Identifier: MIT */
/* ActivateTask, ChainTask and GetTaskState across cores: status, order, preemption. */
#include "several_cores.h"

enum { SECTIONS = 2, ROUNDS = 50, SELVES = 100 };

static uint32_t is_inside, may_leave; /* a section in which no task preempts LOW */
static uint32_t ran, left, chained, selves;

TASK(HIGH)
{
	mark('h');
	count(&ran);
	TerminateTask();
}

TASK(MID)
{
	mark('m');
	TerminateTask();
}

TASK(PEER)
{
	mark('p');
	TerminateTask();
}

/*
 * Each ChainTask() keeps the room, so no other core can take it. An activation by another core
 * comes after the last time, and is not counted.
 */
TASK(SELF)
{
	if (selves < SELVES) {
		count(&selves);
		if (selves < SELVES)
			EXPECT(ChainTask(SELF), E_OK);
	}
	TerminateTask();
}

TASK(LOW)
{
	SuspendAllInterrupts(); /* this forbids most services */
	EXPECT(GetCoreID(), 1);
	EXPECT(GetNumberOfActivatedCores(), 2);
	ResumeAllInterrupts();
	while (left < SECTIONS) {
		GetResource(R);
		show(&is_inside, left + 1);
		AWAIT(look(&may_leave) == left + 1);
		ReleaseResource(R);
		EXPECT(state_of(LOW), RUNNING);
		show(&left, left + 1);
	}
	for (;;)
		plf_relax();
}

static void enter(uint32_t round)
{
	AWAIT(look(&is_inside) == round);
}

static void leave(uint32_t round)
{
	show(&may_leave, round);
	AWAIT(look(&left) == round);
}

TASK(CHAIN)
{
	chained++;
	if (chained == 1)
		EXPECT(ChainTask(HIGH), E_OK);
	REFUSED(ChainTask(MID), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
	EXPECT(state_of(CHAIN), RUNNING);
	chained++;
	TerminateTask();
}

/*
 * Activations that come while LOW must not be preempted are taken afterwards, in order for each
 * level.
 */
static void queue(void)
{
	enter(1);
	EXPECT(state_of(MID), SUSPENDED);
	ALLOWED(ActivateTask(MID));
	ALLOWED(ActivateTask(PEER));
	ALLOWED(ActivateTask(MID));
	REFUSED(ActivateTask(MID), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(PEER), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	ALLOWED(ActivateTask(HIGH));
	EXPECT(state_of(MID), READY);
	EXPECT(state_of(HIGH), READY);
	EXPECT(state_of(LOW), RUNNING);
	EXPECT_TRAIL("");
	leave(1);
	EXPECT_TRAIL("hmpm");
	EXPECT(state_of(MID), SUSPENDED);
	EXPECT(state_of(HIGH), SUSPENDED);
}

static void chain(void)
{
	enter(2);
	ALLOWED(ActivateTask(CHAIN));
	EXPECT(chained, 1);
	EXPECT(state_of(CHAIN), SUSPENDED);
	EXPECT(state_of(HIGH), READY);
	ALLOWED(ActivateTask(MID));
	ALLOWED(ActivateTask(MID));
	ALLOWED(ActivateTask(CHAIN));
	EXPECT(chained, 3);
	leave(2);
	EXPECT_TRAIL("hmm");
}

/* LOW is outside of sections, so HIGH preempts it from the other core. */
static void preempt(void)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t before = look(&ran);

		while (ActivateTask(HIGH) != E_OK)
			plf_relax();
		AWAIT(look(&ran) == before + 1);
	}
}

/* While SELF chains to itself it is never suspended, so no activation comes in between. */
static void chain_to_itself(void)
{
	test.errors = 0;
	ALLOWED(ActivateTask(SELF));
	while (look(&selves) < SELVES) {
		if (ActivateTask(SELF) == E_OK)
			EXPECT(look(&selves), SELVES);
		plf_relax();
	}
}

TASK(MAIN)
{
	EXPECT(GetCoreID(), 0);
	EXPECT(GetNumberOfActivatedCores(), 2);
	queue();
	chain();
	preempt();
	chain_to_itself();
	ShutdownAllCores(E_OK);
}
