/* SPDX-License-Identifier: MIT */
/*
 * Sections: the tasks that pass, the tasks that wait, and the order at each release.
 *
 * A scenario is a text. A step has two letters: (r gets a resource, )r releases it, !n activates
 * the task of priority n. The golden trail has the steps, and a letter for each task that ran: B of
 * priority 2 to E of priority 5.
 */
#include "check.h"

static const struct {
	const char *steps, *golden;
} scenarios[] = {
	/* A ceiling keeps out tasks up to it. */
	{ "(2!2!3)2", "(2!2!3C)2B" },
	{ "(3!2!3!4)3", "(3!2!3!4D)3CB" },
	/* A ceiling equal to the task's priority changes nothing. */
	{ "(0!2!5)0", "(0!2B!5E)0" },
	/* Several activations wait, and run in their order. */
	{ "(4!4!2!3!4!3)4", "(4!4!2!3!4!3)4DDCCB" },
	/*
	 * Nested, rising: each release lets tasks through that the outer section does not keep out.
	 */
	{ "(2!2(3!3(4!4)4)3)2", "(2!2(3!3(4!4)4D)3C)2B" },
	{ "(0(2(3(4!5!4!3!2)4)3)2)0", "(0(2(3(4!5E!4!3!2)4D)3C)2B)0" },
	/* Nested, falling: the inner section changes nothing. */
	{ "(4!4(2!2!3)2!5)4", "(4!4(2!2!3)2!5E)4DCB" },
	{ "(4(3(2(0!2!3!4)0)2)3)4", "(4(3(2(0!2!3!4)0)2)3)4DCB" },
	/* Equal ceilings, and ceilings that rise and fall. */
	{ "(3(s!3)s!4!3)3", "(3(s!3)s!4D!3)3CC" },
	{ "(2(4!3)4(3!3!4)3)2", "(2(4!3)4C(3!3!4D)3C)2" },
	/* RES_SCHEDULER keeps out every task. */
	{ "(x!5!2!4)x", "(x!5!2!4)xEDB" },
	{ "(2(x!5!2)x!3)2", "(2(x!5!2)xE!3C)2B" },
	{ "(x(3!3!5)3)x", "(x(3!3!5)3)xEC" },
	/* Sections in sequence. */
	{ "(4)4!2(2)2(x!5)x(3!2)3", "(4)4!2B(2)2(x!5)xE(3!2)3B" },
};

static ResourceType resource_of(char letter)
{
	switch (letter) {
	case '0':
		return R0;
	case '2':
		return R2;
	case '3':
		return R3;
	case 's':
		return S3;
	case '4':
		return R4;
	default:
		return RES_SCHEDULER;
	}
}

static TaskType task_of(char letter)
{
	static const TaskType tasks[] = { T2, T3, T4, T5 };

	return tasks[letter - '2'];
}

/* A task finds each of its resources free, whichever task it preempted. */
static void run(char letter, ResourceType resource)
{
	ALLOWED(GetResource(resource));
	mark(letter);
	ALLOWED(ReleaseResource(resource));
	TerminateTask();
}

TASK(T2)
{
	run('B', R2);
}

TASK(T3)
{
	run('C', S3);
}

TASK(T4)
{
	run('D', R4);
}

TASK(T5)
{
	mark('E');
	TerminateTask();
}

/* Marks the end of a release after other tasks have run. */
static void step(char what, char which)
{
	mark(what);
	switch (what) {
	case '(':
		ALLOWED(GetResource(resource_of(which)));
		mark(which);
		break;
	case ')':
		mark(which);
		ALLOWED(ReleaseResource(resource_of(which)));
		break;
	default:
		mark(which);
		ALLOWED(ActivateTask(task_of(which)));
	}
}

TASK(MAIN)
{
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		for (const char *steps = scenarios[i].steps; *steps; steps += 2)
			step(steps[0], steps[1]);
		EXPECT_TRAIL(scenarios[i].golden);
	}
	ShutdownOS(E_OK);
}
