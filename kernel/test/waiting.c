/* SPDX-License-Identifier: MIT */
/*
 * Tasks that wait for resources: which task waits, which task gets the resource next, and at which
 * level its holder runs meanwhile.
 *
 * A scenario has a script for each task, and the golden trail without and with inheritance. A task
 * marks its letter and what it has done: `:` it began, `.` it ends. Its steps, two characters each:
 *
 *   (1 )1  gets R1, releases it: it marks the digit, or `)`; R2 and R3 as well
 *   !d     activates the task of that letter
 *   =d     expects that this task waits
 *   ~1     is refused the release of R1
 *   s.     sets the event of task a
 *   w.     waits for that event
 *   x.     ends in its section of R1: in extended status it is refused, and releases R1
 */
#include "check.h"
#include "plf_words.h"

#define LETTERS "abcduvefm" /* the least urgent first, except m: MAIN is below all */

struct scenario {
	const char *a, *b, *d, *u, *v, *e, *f, *m;
	const char *golden[2]; /* none, inherit */
	bool is_standard;      /* extended status refuses it */
};

static const struct scenario scenarios[] = {
	/* The resource is handed over directly. A task that waits is in no ready queue. */
	{ .m = "(1!e=e)1", .e = "(1)1", .golden = { "m1e:m!m=e1e)e.m)m.", "m1e:m!m=e1e)e.m)m." } },
	{ .m = "(1!d!e)1",
	  .d = "~1",
	  .e = "(1)1",
	  .golden = { "m1d:d~d.m!e:m!e1e)e.m)m.", "m1d:d~d.m!e:m!e1e)e.m)m." } },
	/* The inversion: c has no resource, and keeps e waiting unless m inherits. */
	{ .m = "(1!e!c)1",
	  .e = "(1)1",
	  .golden = { "m1e:m!c:c.m!e1e)e.m)m.", "m1e:m!m!e1e)e.c:c.m)m." } },
	/* The most urgent task is next, the first of equally urgent tasks. */
	{ .m = "(1!a!d!u!e)1",
	  .a = "(1)1",
	  .d = "(1)1",
	  .u = "(1)1",
	  .e = "(1)1",
	  .golden = { "m1a:m!d:m!u:m!e:m!e1e)e.d1d)d.u1u)u.a1a)a.m)m.",
		      "m1a:m!d:m!m!e:m!e1e)e.d1d)d.u:a1u1u)u.a)a.m)m." } },
	{ .m = "(1!u!a!d)1",
	  .a = "(1)1",
	  .d = "(1)1",
	  .u = "(1)1",
	  .golden = { "m1u:m!a:m!d:m!u1u)u.d1d)d.a1a)a.m)m.",
		      "m1u:m!m!m!u1u)u.d:d1d)d.a:a1a)a.m)m." } },
	/* A chain: e waits for b, which waits for a. Each inherits from the end of the chain. */
	{ .m = "!a",
	  .a = "(1!b!e!c)1",
	  .b = "(2(1)1)2",
	  .e = "(2)2",
	  .golden = { "a:a1b:b2a!e:a!c:c.a!b1b)e2e)e.b)b.a)a.m!m.",
		      "a:a1b:b2a!e:a!a!b1b)e2e)e.c:c.b)b.a)a.m!m." } },
	/*
	 * Tasks wait for two resources of m. The resource of the less urgent task is released
	 * first: m stays.
	 */
	{ .m = "(1(2!d!e!c)2!f)1",
	  .d = "(2)2",
	  .e = "(1)1",
	  .golden = { "m1m2d:m!e:m!c:c.m!d2d)d.m)f:f.m!e1e)e.m)m.",
		      "m1m2d:m!e:m!m!m)f:f.m!e1e)e.d2d)d.c:c.m)m." } },
	/* The resource of the more urgent task is released first: m comes down, but not below d. */
	{ .m = "(1(2!d!e!c)2!e)1",
	  .d = "(1)1",
	  .e = "(2)2",
	  .golden = { "m1m2d:m!e:m!c:c.m!e2e)e.m)e:e2e)e.m!d1d)d.m)m.",
		      "m1m2d:m!e:m!m!e2e)e.m)e:e2e)e.m!d1d)d.c:c.m)m." } },
	/* The same resources, released in the other order. */
	{ .m = "(1(2!d!e!c)1!c)2",
	  .d = "(2)2",
	  .e = "(1)1",
	  .is_standard = true,
	  .golden = { "m1m2d:m!e:m!c:c.m!e1e)e.m)c:c.m!d2d)d.m)m.",
		      "m1m2d:m!e:m!m!e1e)e.m)m!d2d)d.c:c.c:c.m)m." } },
	/* The holder was preempted by d. It resumes before d, but not after its section. */
	{ .m = "(1!d)1",
	  .d = "!e",
	  .e = "(1)1",
	  .golden = { "m1d:e:d!d.m!e1e)e.m)m.", "m1d:e:m!e1e)e.d!d.m)m." } },
	/* A holder that gave way inherits again. */
	{ .m = "(2(1!d)1)2",
	  .d = "!e(2)2",
	  .e = "(1)1",
	  .golden = { "m2m1d:e:d!m!e1e)e.m)d2d)d.m)m.", "m2m1d:e:m!e1e)e.d!m)d2d)d.m)m." } },
	/*
	 * The most urgent task that waits for a resource still held by m counts, not the last task.
	 */
	{ .m = "(1(2(3!a!e)3!c)2)1",
	  .a = "(1)1",
	  .e = "(2)2",
	  .golden = { "m1m2m3a:m!e:m!m)c:c.m!e2e)e.m)a1a)a.m)m.",
		      "m1m2m3a:m!e:m!m)m!e2e)e.c:c.m)a1a)a.m)m." } },
	/* A task that waits inherits: it gets the resource before d, and resumes at that level. */
	{ .m = "(1!b!d!e!c)1",
	  .b = "(2(1!f)1)2",
	  .d = "(1)1",
	  .e = "(2)2",
	  .golden = { "m1b:b2m!d:m!e:m!c:c.m!d1d)d.b1f:f.b!b)e2e)e.b)b.m)m.",
		      "m1b:b2m!d:m!e:m!m!b1f:f.b!b)e2e)e.d1d)d.c:c.b)b.m)m." } },
	/* Tasks of equal level that were handed resources resume in that order. */
	{ .m = "(3!e!d!u)3",
	  .d = "(1)1",
	  .u = "(2)2",
	  .e = "(1(2(3)3)2)1",
	  .golden = { "m3e:e1e2m!d:m!u:m!e3e)e)e)e.u2u)u.d1d)d.m)m.",
		      "m3e:e1e2m!m!m!e3e)e)e)e.d:d1d)d.u:u2u)u.m)m." } },
	/* m waits for d, which is ready with u at its level. Both keep their places there. */
	{ .m = "(2(1!d!e)1!u(1)1)2",
	  .d = "(1)1",
	  .e = "(2)2",
	  .golden = { "m2m1d:m!e:m!d1d)d.m)u:u.m!m1m)e2e)e.m)m.",
		      "m2m1d:m!e:m!m)m!d1m1m)e2e)e.d)d.u:u.m)m." } },
	/* A task that was handed a resource, and has not had the core yet, inherits. */
	{ .m = "(2(1!b!e)1!f)2",
	  .b = "(1)1",
	  .e = "(2)2",
	  .f = "(1)1",
	  .golden = { "m2m1b:m!e:m!b1b)b.m)f:f1f)f.m!e2e)e.m)m.",
		      "m2m1b:m!e:m!m)f:b1f1f)f.m!e2e)e.b)b.m)m." } },
	{ .m = "(2(1!d!e)1!c(1)1)2",
	  .d = "(1)1",
	  .e = "(2)2",
	  .golden = { "m2m1d:m!e:m!d1d)d.m)c:c.m!m1m)e2e)e.m)m.",
		      "m2m1d:m!e:m!m)m!d1m1m)e2e)e.d)d.c:c.m)m." } },
	/*
	 * A task ends in its section: the resource is free, and its next activation begins at base.
	 */
	{ .m = "!b!b",
	  .b = "(1!c!ex.",
	  .e = "(1)1",
	  .golden = { "b:b1c:c.b!e:b!b.e1e)e.m!b:b1c:c.b!e:b!b.e1e)e.m!m.",
		      "b:b1c:c.b!e:b!b.e1e)e.m!b:b1c:c.b!e:b!b.e1e)e.m!m." } },
	{ .m = "(1!b)1(1)1",
	  .b = "(1x.",
	  .golden = { "m1b:m!b1b.m)m1m)m.", "m1b:m!b1b.m)m1m)m." } },
	/* A task ends in two sections. */
	{ .m = "!b(1)1",
	  .b = "(1(2!d!ex.",
	  .d = "(1)1",
	  .e = "(2)2",
	  .is_standard = true,
	  .golden = { "b:b1b2d:b!e:b!b.e2e)e.d1d)d.m!m1m)m.",
		      "b:b1b2d:b!e:b!b.e2e)e.d1d)d.m!m1m)m." } },
	/* An event does not end the wait for a resource. */
	{ .m = "(1!as.=a)1",
	  .a = "(1)1w.",
	  .golden = { "m1a:m!msm=a1a)awa.m)m.", "m1a:m!msm=a1a)awa.m)m." } },
	/* Three tasks wait behind a, which waits for its event; b inherits, and is first then. */
	{ .m = "!a!d!u!b!es.",
	  .a = "(1w.)1",
	  .b = "(2(1)1)2",
	  .d = "(1)1",
	  .u = "(1)1",
	  .e = "(2)2",
	  .is_standard = true,
	  .golden = { "a:a1m!d:m!u:m!b:b2m!e:m!awd1d)d.u1u)u.b1b)e2e)e.b)b.a)a.msm.",
		      "a:a1m!d:m!u:m!b:b2m!e:m!awb1b)e2e)e.d1d)d.u1u)u.b)b.a)a.msm." } },
	/* The first of three resources is released first: m stays at the level of d. */
	{ .m = "(1(2(3!d!c)1!c)2)3",
	  .d = "(2)2",
	  .is_standard = true,
	  .golden = { "m1m2m3d:m!c:c.m!m)c:c.m!d2d)d.m)m)m.",
		      "m1m2m3d:m!m!m)m!d2d)d.c:c.c:c.m)m)m." } },
	/*
	 * A task waits for the first resource, and m stays at its level to the end of that section.
	 */
	{ .m = "(1(2(3!e)3!c)2)1",
	  .e = "(1)1",
	  .golden = { "m1m2m3e:m!m)c:c.m!m)e1e)e.m)m.", "m1m2m3e:m!m)m!m)e1e)e.c:c.m)m." } },
	/* Three tasks of equal level that were handed resources. */
	{ .m = "(3!e!d!u!v)3",
	  .d = "(1)1",
	  .u = "(2)2",
	  .v = "(3)3",
	  .e = "(1(2(3)3)2)1",
	  .golden = { "m3e:e1e2m!d:m!u:m!v:m!e3e)e)e)e.v3v)v.u2u)u.d1d)d.m)m.",
		      "m3e:e1e2m!m!m!m!e3e)e)e)e.d:d1d)d.u:u2u)u.v:v3v)v.m)m." } },
	/* The last scenario: b and d wait for each other, and the others continue. */
	{ .m = "!b!e=e=b=d",
	  .b = "(1!d(2)2)1",
	  .d = "(2(1)1)2",
	  .e = "(1)1",
	  .golden = { "b:b1d:d2b!m!e:m!m=m=m=m.", "b:b1d:d2b!m!e:m!m=m=m=m." } },
};

static const struct scenario *current;

static TaskType task_of(char letter)
{
	static const TaskType tasks[] = { T1, T2, T3, T4, U4, V4, T5, T6, MAIN };
	unsigned index = 0;

	while (LETTERS[index] != letter)
		index++;
	return tasks[index];
}

static ResourceType resource_of(char digit)
{
	return digit == '1' ? R1 : digit == '2' ? R2 : R3;
}

static void note(char letter, char what)
{
	mark(letter);
	mark(what);
}

static void end(char letter)
{
	note(letter, '.');
	if (PLF_EXTENDED_STATUS) {
		REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
		ALLOWED(ReleaseResource(R1));
	}
	TerminateTask();
}

static void step(char letter, char what, char which)
{
	TaskStateType state;

	switch (what) {
	case '(':
		EXPECT(GetResource(resource_of(which)), E_OK);
		note(letter, which);
		return;
	case ')':
		EXPECT(ReleaseResource(resource_of(which)), E_OK);
		break;
	case '!':
		EXPECT(ActivateTask(task_of(which)), E_OK);
		break;
	case '=':
		EXPECT(GetTaskState(task_of(which), &state), E_OK);
		EXPECT(state, WAITING);
		break;
	case '~':
		REFUSED(ReleaseResource(resource_of(which)), E_OS_NOFUNC,
			PLF_CALL_RELEASE_RESOURCE);
		break;
	case 's':
		EXPECT(SetEvent(T1, EV), E_OK);
		break;
	case 'w':
		EXPECT(WaitEvent(EV), E_OK);
		break;
	default:
		end(letter);
	}
	note(letter, what);
}

static void play(char letter, const char *steps)
{
	for (; steps && *steps; steps += 2)
		step(letter, steps[0], steps[1]);
	note(letter, '.');
}

static void run(char letter, const char *steps)
{
	note(letter, ':');
	play(letter, steps);
	TerminateTask();
}

TASK(T1)
{
	run('a', current->a);
}

TASK(T2)
{
	run('b', current->b);
}

TASK(T3)
{
	run('c', "");
}

TASK(T4)
{
	run('d', current->d);
}

TASK(U4)
{
	run('u', current->u);
}

TASK(V4)
{
	run('v', current->v);
}

TASK(T5)
{
	run('e', current->e);
}

TASK(T6)
{
	run('f', current->f);
}

TASK(NEVER)
{
	TerminateTask();
}

/* A task does not wait for a resource that it holds, or does not use. */
static void refused(void)
{
	REFUSED(GetResource(PLF_RESOURCES), E_OS_ID, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(OTHERS), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(ReleaseResource(PLF_RESOURCES), E_OS_ID, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(ReleaseResource(OTHERS), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	ALLOWED(GetResource(R1));
	REFUSED(GetResource(R1), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	ALLOWED(ReleaseResource(R1));
	REFUSED(ReleaseResource(R1), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	if (!PLF_EXTENDED_STATUS)
		return;
	ALLOWED(GetResource(R1));
	ALLOWED(GetResource(R2));
	REFUSED(ReleaseResource(R1), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(GetResource(R1), E_OS_ACCESS, PLF_CALL_GET_RESOURCE); /* R1 is held as before */
	ALLOWED(ReleaseResource(R2));
	ALLOWED(ReleaseResource(R1));
}

/* MAIN is below all other tasks: when its script ends, they have ended, or wait. */
TASK(MAIN)
{
	refused();
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		current = &scenarios[i];
		if (PLF_EXTENDED_STATUS && current->is_standard)
			continue;
		play('m', current->m);
		EXPECT_TRAIL(current->golden[PLF_INHERITS]);
	}
	ShutdownOS(E_OK);
}
