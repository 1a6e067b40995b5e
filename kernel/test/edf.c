/* SPDX-License-Identifier: MIT */
/*
 * Earliest deadline first: the order of tasks, and preemption. Deadlines are in units of 100 us. A
 * has 10, and so has W, which waits. B and C have 20, E has 30.
 *
 * A scenario has a text for DRIVER, which no task preempts, and texts for the first activations of
 * A and B. In a text a letter activates its task, w wakes W, a digit works for that many units. A
 * capital chains to its task, and s is Schedule(). `!` is an activation of A too many, and `#` a
 * chain to B that is too many. The golden trail has a letter for each start, and a capital for each
 * end of a text.
 */
#include "check.h"
#include "plf_clock.h"

enum { UNIT_NS = 100000 };

struct scenario {
	const char *driver, *golden, *a, *b;
};

static const struct scenario scenarios[] = {
	/* By deadlines. Equal deadlines run in the order of activations, of whichever tasks. */
	{ "ecba", "acbe", 0, 0 },
	{ "bcbc", "bcbc", 0, 0 },
	{ "cbbc", "cbbc", 0, 0 },
	/* A deadline counts from the activation: 28 is before 30, and 33 is not. */
	{ "e99a", "ae", 0, 0 },
	{ "e995a", "ea", 0, 0 },
	{ "b55a5b5a", "baab", 0, 0 },
	/* Several activations of a task, each with a separate deadline. */
	{ "aabaa", "aaaab", 0, 0 },
	{ "aaaaa!b", "aaaaab", 0, 0 },
	{ "b5b5e5b5b", "bbbeb", 0, 0 },
	/* A new activation preempts if it is earlier, but not if it is equal or later. */
	{ "b", "baB", 0, "5a" },
	{ "b", "bBa", 0, "99a" },
	{ "b", "bBc", 0, "c" },
	{ "b", "bBe", 0, "e" },
	/* A task that has missed its deadline keeps the core. */
	{ "b", "bBa", 0, "995a" },
	/* A preempted task resumes before a new activation of equal deadline. */
	{ "b", "baBc", 0, "ca" },
	{ "bc", "baABce", "e", "a" },
	{ "b", "baBcb", 0, "cba" },
	/* No ready task is earlier: Schedule() does nothing. */
	{ "b", "bBce", 0, "ecs" },
	/* A chain: the new deadline counts from then on. */
	{ "ab", "aab", "5A", 0 },
	{ "ab", "aba", "99A", 0 },
	{ "ac", "acb", "B", 0 },
	{ "abbbbb", "aAbbbbb", "#", 0 },
	/* A task that is woken has a new deadline. */
	{ "b5w", "wb", 0, 0 },
	{ "b99w", "bw", 0, 0 },
	{ "aw", "aw", 0, 0 },
	{ "wa", "wa", 0, 0 },
	{ "b", "bwB", 0, "5w" },
	{ "b", "bBw", 0, "99w" },
	{ "b", "bwaB", 0, "1wa" },
};

static const struct scenario *scenario;
static bool has_played_a, has_played_b;

static TaskType task_of(char letter)
{
	static const TaskType tasks[] = { A, B, C, INVALID_TASK, E };

	return tasks[(letter | 0x20) - 'a'];
}

static void step(char what)
{
	if (what >= '0' && what <= '9')
		plf_spend((uint64_t)(what - '0') * UNIT_NS);
	else if (what == 'w')
		ALLOWED(SetEvent(W, EV));
	else if (what == 's')
		ALLOWED(Schedule());
	else if (what == '!')
		REFUSED(ActivateTask(A), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	else if (what == '#')
		REFUSED(ChainTask(B), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
	else if (what >= 'a')
		ALLOWED(ActivateTask(task_of(what)));
	else
		ALLOWED(ChainTask(task_of(what)));
}

static void play(const char *steps)
{
	while (*steps)
		step(*steps++);
}

static void run(char letter, const char *steps, bool *has_played)
{
	mark(letter);
	if (steps && !*has_played) {
		*has_played = true;
		play(steps);
		mark((char)(letter - 'a' + 'A'));
	}
	TerminateTask();
}

TASK(DRIVER)
{
	play(scenario->driver);
	TerminateTask();
}

TASK(A)
{
	run('a', scenario->a, &has_played_a);
}

TASK(B)
{
	run('b', scenario->b, &has_played_b);
}

TASK(C)
{
	mark('c');
	TerminateTask();
}

TASK(E)
{
	mark('e');
	TerminateTask();
}

TASK(W)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('w');
	}
}

TASK(RUN)
{
	for (unsigned i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		scenario = &scenarios[i];
		has_played_a = has_played_b = false;
		ALLOWED(ActivateTask(DRIVER));
		EXPECT_TRAIL(scenario->golden);
	}
	ShutdownOS(E_OK);
}
