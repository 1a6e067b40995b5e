/* SPDX-License-Identifier: MIT */
/*
 * Interrupts that nest, and partly lock resources. A routine in a section keeps out all routines of
 * its core, as does a task in a section of such a resource. The interrupts belong to two
 * applications. A small letter is the begin of a routine, and the capital its end.
 */
#include "nesting_resources.h"

const char *volatile steps_of[PLF_ISRS];

static void run_two(const char *of_weak, const char *of_middle)
{
	steps_of[WEAK] = of_weak;
	steps_of[MIDDLE] = of_middle;
	raise_interrupts(OF_WEAK);
	mark('-');
}

static void run_weak(const char *steps)
{
	run_two(steps, NULL);
}

static void expect_error(StatusType status, OSServiceIdType service)
{
	EXPECT(test.errors, 1);
	EXPECT(test.error, status);
	EXPECT(test.service, service);
	test.errors = 0;
}

static void routine_in_section(void)
{
	run_weak("m.");
	EXPECT_TRAIL("wmM.W-");
	run_weak("rs.R.");
	EXPECT_TRAIL("w.sS.W-");
	run_weak("rsf.R.");
	EXPECT_TRAIL("wfF.sS.W-"); /* category 1 comes into sections */
	run_weak("rom.O.R.");
	EXPECT_TRAIL("w..mM.W-");
}

/* The resource is free, whichever resources the routine below had. */
static void routine_in_another(void)
{
	steps_of[STRONG] = "rzZR.";
	run_two("rRm.r.R", "zZs.zZ.");
	EXPECT_TRAIL("wms.S..M..W-");
	steps_of[STRONG] = "rwm.R.";
	raise_interrupts(OF_STRONG);
	EXPECT_TRAIL("s..SmMwW");
}

static void left_open(void)
{
	run_two("m.rR.", "zs.");
	EXPECT_TRAIL("wm.MsS..W-");
	expect_error(E_OS_RESOURCE, OSServiceId_ReleaseResource);
	run_weak("rs.");
	EXPECT_TRAIL("w.WsS-");
	expect_error(E_OS_RESOURCE, OSServiceId_ReleaseResource);
}

/*
 * The first interrupt begins when the section has been left. Interrupts above it come before its
 * first instruction.
 */
static void kept_out(void)
{
	ALLOWED(GetResource(R));
	steps_of[WEAK] = "h.";
	raise_interrupts(OF_WEAK);
	raise_interrupts(OF_STRONG);
	raise_interrupts(OF_MIDDLE);
	mark('1');
	raise_interrupts(OF_FIRST);
	mark('2');
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("1fF2sSmMw.Wh");
	ALLOWED(GetResource(R));
	steps_of[STRONG] = "w.";
	raise_interrupts(OF_STRONG);
	mark('1');
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("1s.SwW");
	run_weak("s."); /* no interrupt is left */
	EXPECT_TRAIL("wsS.W-");
}

TASK(HIGH)
{
	mark('h');
	TerminateTask();
}

/* In standard status ENDS ends in the section. */
TASK(ENDS)
{
	ALLOWED(GetResource(R));
	raise_interrupts(OF_WEAK);
	raise_interrupts(OF_STRONG);
	mark('1');
	if (PLF_EXTENDED_STATUS)
		ALLOWED(ReleaseResource(R));
	TerminateTask();
}

TASK(MAIN)
{
	routine_in_section();
	routine_in_another();
	left_open();
	kept_out();
	steps_of[WEAK] = "h.";
	ALLOWED(ActivateTask(ENDS));
	EXPECT_TRAIL("1sSw.Wh");
	run_weak("s.");
	EXPECT_TRAIL("wsS.W-");
	ShutdownOS(E_OK);
}
