/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of category 2 that nest by priority (OSEK 2.2.3, Section 6). An interrupt of higher
 * priority comes into a routine at once. Others come when the routine has ended, the most urgent
 * first. A small letter is the begin of a routine, and the capital its end.
 */
#include "nesting.h"

const char *volatile steps_of[PLF_ISRS];
ISRType id_in_error = INVALID_ISR;
bool hook_raises;
TaskType interrupted;

static void run(uint32_t sources)
{
	raise_interrupts(sources);
	mark('-');
}

/* Raise WEAK, which does the first text. MIDDLE does the second when it comes. */
static void run_two(const char *of_weak, const char *of_middle)
{
	steps_of[WEAK] = of_weak;
	steps_of[MIDDLE] = of_middle;
	run(OF_WEAK);
}

static void run_weak(const char *steps)
{
	run_two(steps, NULL);
}

/*
 * Interrupts that came while a task held them back. At equal priority they come in the order of
 * sources.
 */
static void one_after_the_other(void)
{
	run(OF_WEAK | OF_MIDDLE | OF_TWIN | OF_STRONG | OF_FIRST);
	EXPECT_TRAIL("fFsStTmMwW-");
	SuspendOSInterrupts();
	run(OF_WEAK | OF_MIDDLE);
	EXPECT_TRAIL("-");
	ResumeOSInterrupts();
	EXPECT_TRAIL("mMwW");
}

static void one_in_another(void)
{
	run_weak("m.");
	EXPECT_TRAIL("wmM.W-");
	run_weak("s.t.");
	EXPECT_TRAIL("wsS.tT.W-");
	run_weak("w.mwm."); /* of each source at most one is pending */
	EXPECT_TRAIL("w.mMmM.WwW-");
	steps_of[STRONG] = "wmtws.";
	run(OF_STRONG);
	EXPECT_TRAIL("s.SsStTmMwW-");
	run_two("m.", "wtm.");
	EXPECT_TRAIL("wm.MtTmM.WwW-");
	steps_of[TWIN] = "m.";
	run(OF_TWIN);
	EXPECT_TRAIL("t.TmM-");
	run_two("m.s.", "s.");
	EXPECT_TRAIL("wmsS.M.sS.W-");
	run_two("k.", "z.");
	EXPECT_TRAIL("wm.M.W-");
}

/* The most routines at once: three priorities, and category 1. */
static void deepest(void)
{
	steps_of[STRONG] = "mtf.w";
	steps_of[FIRST] = "s.";
	run_two("m.", "s.");
	EXPECT_TRAIL("wmsf.F.SsS.MtTmM.WwW-");
}

static void masks(void)
{
	run_weak("os.O.");
	EXPECT_TRAIL("w.sS.W-");
	run_weak("as.A.");
	EXPECT_TRAIL("w.sS.W-");
	run_weak("ds.D.");
	EXPECT_TRAIL("w.sS.W-");
	run_weak("oos.O.O.");
	EXPECT_TRAIL("w..sS.W-");
	run_weak("aods.D.A.O.");
	EXPECT_TRAIL("w...sS.W-");
	run_weak("oOm.");
	EXPECT_TRAIL("wmM.W-");
	run_two("m.", "os.O.");
	EXPECT_TRAIL("wm.sS.M.W-");
	run_weak("omts.O."); /* the most urgent first */
	EXPECT_TRAIL("w.sStTmM.W-");
}

/* Category 1 comes into a routine, too, and before all others. */
static void beside(void)
{
	run_weak("f.");
	EXPECT_TRAIL("wfF.W-");
	run_weak("osf.O.");
	EXPECT_TRAIL("wfF.sS.W-");
	run_weak("dsf.D.");
	EXPECT_TRAIL("w.fFsS.W-");
	run_weak("af.A.");
	EXPECT_TRAIL("w.fF.W-");
	run_weak("oaf.A.O.");
	EXPECT_TRAIL("w.fF..W-");
	steps_of[FIRST] = "sODAx."; /* neither it nor the other routine lets interrupts come */
	run_weak("of.O.");
	EXPECT_TRAIL("wf.F.sS.W-");
	steps_of[FIRST] = "sODAx.";
	run_weak("f.");
	EXPECT_TRAIL("wf.FsS.W-");
}

/* Each routine's masks are separate: SWS_Os_00368. */
static void left_open(void)
{
	run_weak("os.");
	test_refused(E_OS_DISABLEDINT, E_OS_DISABLEDINT, OSServiceId_ResumeOSInterrupts, __FILE__,
		     __LINE__);
	EXPECT_TRAIL("w.WsS-");
	EXPECT(id_in_error, WEAK);
	run_two("m.t.", "ds.");
	test_refused(E_OS_DISABLEDINT, E_OS_DISABLEDINT, OSServiceId_EnableAllInterrupts, __FILE__,
		     __LINE__);
	EXPECT_TRAIL("wm.MsS.tT.W-");
	EXPECT(id_in_error, MIDDLE);
	run_two("m.s.", "O.");
	EXPECT(test.errors, 0);
	EXPECT_TRAIL("wm.M.sS.W-");
}

/* No task runs before the outermost routine has ended. */
static void tasks(void)
{
	run_two("hm.", "ush.");
	EXPECT_TRAIL("wmsS.M.Whhu-");
	run_two("m.l", "ul.");
	EXPECT_TRAIL("wm.M.Wull-");
	steps_of[STRONG] = "lh.";
	run_two("m.", "s.");
	EXPECT_TRAIL("wms.S.M.Whl-");
}

/* No interrupt comes into a service, a callback, or a hook. */
static void whole(void)
{
	run_weak("c.");
	EXPECT_TRAIL("wcsSmM.W-");
	run_weak("e.");
	EXPECT_TRAIL("wesSmM.W-");
	run_two("m.", "e.c.");
	EXPECT_TRAIL("wmesS.csS.MmM.W-");
	run_two("m.", "x");
	EXPECT_TRAIL("wmM.W-");
	EXPECT(id_in_error, MIDDLE);
	hook_raises = true;
	interrupted = HIGH;
	ALLOWED(ActivateTask(HIGH));
	EXPECT_TRAIL("pwWh");
}

TASK(HIGH)
{
	mark('h');
	TerminateTask();
}

TASK(URGENT)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('u');
	}
}

TASK(LOW)
{
	mark('l');
	TerminateTask();
}

/* The last routine ends the system: nesting_trusted.c. */
TASK(LAST)
{
	EXPECT_TRAIL("rwmsSM.W");
	interrupted = LAST;
	steps_of[STRONG] = "q";
	run_two("m", "s");
	CHECK(false);
}

TASK(MAIN)
{
	interrupted = MAIN;
	one_after_the_other();
	one_in_another();
	deepest();
	masks();
	beside();
	left_open();
	tasks();
	whole();
	interrupted = INVALID_TASK;
	steps_of[WEAK] = "m.y";
	steps_of[MIDDLE] = "s";
	ALLOWED(SetRelAlarm(LATER, 1000000, 0));
	TerminateTask();
}
