/* SPDX-License-Identifier: MIT */
/*
 * Deadline floors: the tasks that pass, the tasks that wait, and the order at each release.
 * Deadlines and floors are in units of 100 us: F has 1, A 10, B 20, C 40, E 50 and MAIN 100. A
 * resource has the name of the task that gives it its floor. s is a second resource of B, x is
 * RES_SCHEDULER.
 *
 * A scenario is a text for MAIN. A step has two letters: (r gets a resource, )r releases it, !t
 * activates a task, +n works for n units. w. wakes W, which has 20 and uses B's resource. m. holds
 * interrupts back, and M. lets them through. ^n lets an alarm activate B in n units. The golden
 * trail has the steps, and a capital for each task that ran. For MAIN the start is time 0.
 */
#include "check.h"
#include "plf_clock.h"

enum { UNIT_NS = 100000, NONE = 0 };

static const struct scenario {
	const char *steps, *golden;
	const char *eager;   /* the trail of deadline-floor, if it differs */
	bool is_of_standard; /* calls with interrupts held back */
} scenarios[] = {
	/* A floor keeps out tasks with an equal or longer relative deadline. */
	{ "(b!c!b!a)b", "(b!c!b!aA)bBC", 0, 0 },
	{ "(a!a!b!f)a", "(a!a!b!fF)aAB", 0, 0 },
	{ "(b+5!b)b", "(b+5!b)bB", 0, 0 },
	/* A floor equal to the task's deadline changes nothing. */
	{ "(m!a!c)m", "(m!aA!cC)m", 0, 0 },
	/* Several activations wait, and run in their order. */
	{ "(b!b!b!a!b)b", "(b!b!b!aA!b)bBBB", 0, 0 },
	/*
	 * Nested, rising: each release lets tasks through that the outer section does not keep out.
	 */
	{ "(c!c(b!b(a!a)a)b)c", "(c!c(b!b(a!a)aA)bB)cC", 0, 0 },
	{ "(c(b(a!f!a!b!c)a)b)c", "(c(b(a!fF!a!b!c)aA)bB)cC", 0, 0 },
	/* Nested, falling: the inner section changes nothing. */
	{ "(a!a(c!c)c!b)a", "(a!a(c!c)c!b)aABC", 0, 0 },
	{ "(a(b(m!c!b!a)m)b)a", "(a(b(m!c!b!a)m)b)aABC", 0, 0 },
	/* Equal floors, and floors that rise and fall. */
	{ "(b(s!b)s!b)b", "(b(s!b)s!b)bBB", 0, 0 },
	{ "(b(a!a)a(c!b)c)b", "(b(a!a)aA(c!b)c)bB", 0, 0 },
	/* The floor of RES_SCHEDULER keeps out every task. */
	{ "(x!f!a!c)x", "(x!f!a!c)xFAC", 0, 0 },
	{ "(c(x!f!c)x)c", "(c(x!f!c)xF)cC", 0, 0 },
	/* Two sections in sequence: the second as if there had been no first. */
	{ "(b!a)b+9+9(b!b)b", "(b!aA)b+9+9(b!b)bB", 0, 0 },
	{ "(b!e)b+9+9(b!b)b", "(b!e)bE+9+9(b!b)bB", 0, 0 },
	/*
	 * B, of 47, does not use the resource. The lazy floor counts from 27, the eager floor from
	 * 0.
	 */
	{ "(c+9+9+9!b)c", "(c+9+9+9!bB)c", "(c+9+9+9!b)cB", 0 },
	/* The lazy floor counts from 0, too, if it was asked for then. */
	{ "(c!e+9+9+9!b)c", "(c!e+9+9+9!b)cBE", 0, 0 },
	/* C, of 45, arrives in the inner section. The floor of the outer section counts from 1. */
	{ "(c(b+1!e+4!c+5)b)c", "(c(b+1!e+4!c+5)b)cCE", 0, 0 },
	/*
	 * Raised in the outermost section at 0 and in the innermost at 27: the floor of b counts
	 * from 27.
	 */
	{ "(c!e+9+9+9(b(a!a)a!f)b)c", "(c!e+9+9+9(b(a!a)aA!fF)b)cE", 0, 0 },
	/*
	 * The floor of the outer section would be 110. MAIN keeps its deadline 100, and E, of 105,
	 * waits.
	 */
	{ "+9+9+9+9+9+9+1!e+9+1(c+5(b!b)b)c", "+9+9+9+9+9+9+1!e+9+1(c+5(b!b)bB)cE", 0, 0 },
	/*
	 * A task that preempts in a section activates a user of the resource: MAIN resumes before
	 * the user.
	 */
	{ "(b!p)b", "(b!pP)bB", 0, 0 },
	/* B of the alarm has 25. It is handled late, and the floor 20 counts from its arrival. */
	{ "(b^5m.+9M.)b", "(b^5m.+9M.)bB", 0, 0 },
	{ "^5m.+9(bM.)b", "^5m.+9(bM.)bB", 0, true },
	{ "(b^5m.+7!c+2M.)b", "(b^5m.+7!c+2M.)bBC", 0, true },
	/* A woken task has a new deadline, and no user of the section preempts. */
	{ "+9+9+9(bw.)b", "+9+9+9(bw.)bW", 0, 0 },
	{ "(cw.)c", "(cw.W)c", 0, 0 },
};

static const char *steps;
static TaskType owner[PLF_RESOURCES];

static void use(ResourceType resource, TaskType me)
{
	ALLOWED(GetResource(resource));
	EXPECT(owner[resource], NONE);
	owner[resource] = (TaskType)(me + 1);
}

static void leave(ResourceType resource, TaskType me)
{
	EXPECT(owner[resource], me + 1);
	owner[resource] = NONE;
	ALLOWED(ReleaseResource(resource));
}

/* A task finds each of its resources free, whichever task it preempted. */
static void run(char letter, ResourceType resource, TaskType me)
{
	use(resource, me);
	mark(letter);
	leave(resource, me);
	TerminateTask();
}

TASK(A)
{
	run('A', RA, A);
}

TASK(B)
{
	use(SB, B);
	leave(SB, B);
	run('B', RB, B);
}

TASK(C)
{
	run('C', RC, C);
}

TASK(W)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		use(RB, W);
		mark('W');
		leave(RB, W);
	}
}

TASK(F)
{
	mark('F');
	TerminateTask();
}

TASK(E)
{
	mark('E');
	TerminateTask();
}

TASK(P)
{
	mark('P');
	plf_spend(UNIT_NS);
	ALLOWED(ActivateTask(B));
	TerminateTask();
}

static ResourceType resource_of(char letter)
{
	switch (letter) {
	case 'a':
		return RA;
	case 'b':
		return RB;
	case 's':
		return SB;
	case 'c':
		return RC;
	case 'm':
		return RM;
	default:
		return RES_SCHEDULER;
	}
}

static TaskType task_of(char letter)
{
	switch (letter) {
	case 'f':
		return F;
	case 'a':
		return A;
	case 'p':
		return P;
	case 'b':
		return B;
	case 'c':
		return C;
	default:
		return E;
	}
}

/* Marks the end of a release after other tasks have run. */
static void step(char what, char which)
{
	uint64_t ns = (uint64_t)(which - '0') * UNIT_NS;

	mark(what);
	if (what != '(')
		mark(which);
	switch (what) {
	case '(':
		use(resource_of(which), MAIN);
		mark(which);
		break;
	case ')':
		leave(resource_of(which), MAIN);
		break;
	case '!':
		ALLOWED(ActivateTask(task_of(which)));
		break;
	case '+':
		plf_spend(ns);
		break;
	case '^':
		ALLOWED(SetRelAlarm(FOR_B, (TickType)ns, 0));
		break;
	case 'm':
		SuspendAllInterrupts();
		break;
	case 'M':
		ResumeAllInterrupts();
		break;
	default:
		ALLOWED(SetEvent(W, EV));
	}
}

TASK(MAIN)
{
	for (; *steps; steps += 2)
		step(steps[0], steps[1]);
	TerminateTask();
}

static const char *golden_of(const struct scenario *scenario)
{
#ifdef PLF_LAZY_FLOOR_H
	return scenario->golden;
#else
	return scenario->eager ? scenario->eager : scenario->golden;
#endif
}

TASK(RUN)
{
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (PLF_EXTENDED_STATUS && scenarios[i].is_of_standard)
			continue;
		steps = scenarios[i].steps;
		ALLOWED(ActivateTask(MAIN));
		EXPECT_TRAIL(golden_of(&scenarios[i]));
	}
	ShutdownOS(E_OK);
}
