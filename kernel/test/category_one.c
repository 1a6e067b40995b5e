/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of category 1 (OSEK 2.2.3, Section 6), which the kernel does not manage. Only services
 * that hold back all interrupts hold them back. Sections do not.
 */
#include "check.h"
#include "mask_steps.h"
#include "plf_clock.h"

enum { OF_SECOND = 1 << 3, OF_FIRST = 1 << 5 };

/* A step of a scenario: a letter of mask_steps.h, or 1, 2, b: raise FIRST, SECOND, or both. */
static void step(char letter)
{
	if (!mask_step(letter))
		raise_interrupts((letter != '2' ? OF_FIRST : 0) | (letter != '1' ? OF_SECOND : 0));
	mark(letter);
}

static void run(const char *steps)
{
	while (*steps)
		step(*steps++);
}

static void masks(void)
{
	run("1b2");
	EXPECT_TRAIL("f1fsub" /* it is first, whatever its source */ "su2");
	run("d1D");
	EXPECT_TRAIL("d1fD");
	run("a1A");
	EXPECT_TRAIL("a1fA");
	run("o1O");
	EXPECT_TRAIL("of1O");
	run("obO");
	EXPECT_TRAIL("ofbsuO");
	run("abA");
	EXPECT_TRAIL("abfsuA");
	run("aob1AO");
	EXPECT_TRAIL("aob1fAsuO"); /* raised twice before it comes, an interrupt comes once */
	run("oabOA");
	EXPECT_TRAIL("oabOfsuA");
	run("da1DoAO1");
	EXPECT_TRAIL("da1DofAOf1");
	run("aa1A1A");
	EXPECT_TRAIL("aa1A1fA");
}

/* If it were the section of its resource, the routine would wait. */
static void sections(void)
{
	ALLOWED(GetResource(R));
	run("b1");
	EXPECT_TRAIL("fbf1");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("su");
	ALLOWED(GetResource(R));
	run("2do1DO");
	EXPECT_TRAIL("2do1fDO");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("su");
}

/* The mask belongs to the task, and ends with the activation. */
static void other_tasks(void)
{
	ALLOWED(ActivateTask(MASKS));
	mark('.');
	EXPECT_TRAIL("mf.");
}

/*
 * Uses only registers, and long enough for the board to interrupt it at each of its instructions.
 */
static uint64_t mix(uint32_t rounds)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	while (rounds--) {
		a = a * 6364136223846793005 + b;
		b = (b << 13 | b >> 51) ^ c;
		c += d ^ a >> 7;
		d = d * 31 + b;
	}
	return a ^ b ^ c ^ d;
}

/* The interrupt is raised a little later each time. It must change nothing of the task. */
static void anywhere(void)
{
	static volatile uint32_t rounds = 200;
	uint64_t expected = mix(rounds);

	for (TickType delay = 400; delay < 480; delay++) {
		ALLOWED(SetRelAlarm(RAISES, delay, 0));
		EXPECT(mix(rounds), expected);
		plf_spend(10000); /* for boards on which instructions take no time */
		EXPECT_TRAIL("rf");
	}
}

TASK(URGENT)
{
	mark('u');
	TerminateTask();
}

TASK(MASKS)
{
	DisableAllInterrupts();
	raise_interrupts(OF_FIRST);
	mark('m');
	if (PLF_EXTENDED_STATUS)
		EnableAllInterrupts();
	TerminateTask();
}

TASK(LAST)
{
	EXPECT_TRAIL("rf"); /* no task ran */
	ShutdownOS(E_OK);
}

TASK(MAIN)
{
	masks();
	sections();
	other_tasks();
	anywhere();
	ALLOWED(SetRelAlarm(RAISES, 1000000, 0));
	ALLOWED(SetRelAlarm(ENDS, 2000000, 0));
	TerminateTask();
}
