/* SPDX-License-Identifier: MIT */
/*
 * Four cores activate tasks of all four as fast as they can, each in a different order. Each
 * accepted activation runs once, and no refused activation runs.
 */
#include "several_cores.h"

enum { CORES = 4, WORKERS = 2 * CORES, CALLS = 400 };

static const TaskType workers[WORKERS] = { W0, W1, W2, W3, V0, V1, V2, V3 };
static uint32_t accepted[CORES][WORKERS]; /* by activating core, then by task */
static uint32_t ran[WORKERS], refused[CORES], has_ended[CORES];

static void work(uint32_t worker)
{
	count(&ran[worker]);
	TerminateTask();
}

#define WORKER(name, index)                                                                        \
	TASK(name)                                                                                 \
	{                                                                                          \
		work(index);                                                                       \
	}
WORKER(W0, 0)
WORKER(W1, 1)
WORKER(W2, 2)
WORKER(W3, 3)
WORKER(V0, 4)
WORKER(V1, 5)
WORKER(V2, 6)
WORKER(V3, 7)

static void call(uint32_t core, uint32_t worker)
{
	StatusType status = ActivateTask(workers[worker]);

	if (status == E_OK) {
		accepted[core][worker]++;
	} else {
		EXPECT(status, E_OS_LIMIT);
		refused[core]++;
	}
}

/* Each core has a different order, from the random numbers of Numerical Recipes. */
static void storm(uint32_t core)
{
	uint32_t random = core + 1;

	EXPECT(GetCoreID(), core);
	for (uint32_t i = 0; i < CALLS; i++) {
		random = random * 1664525 + 1013904223;
		call(core, random >> 24 & (WORKERS - 1));
		if (random >> 16 & 1)
			plf_relax();
	}
	show(&has_ended[core], true);
}

static uint32_t accepted_of(uint32_t worker)
{
	uint32_t sum = 0;

	for (uint32_t core = 0; core < CORES; core++)
		sum += accepted[core][worker];
	return sum;
}

/* Some activations were accepted, and some refused. */
static void check_power(void)
{
	uint32_t sum = 0;

	for (uint32_t core = 0; core < CORES; core++)
		sum += refused[core];
	CHECK(sum > 0);
	CHECK(sum < CORES * CALLS);
}

TASK(C0)
{
	storm(0);
	for (uint32_t core = 1; core < CORES; core++)
		AWAIT(look(&has_ended[core]));
	for (uint32_t worker = 0; worker < WORKERS; worker++) {
		AWAIT(state_of(workers[worker]) == SUSPENDED);
		EXPECT(look(&ran[worker]), accepted_of(worker));
	}
	check_power();
	ShutdownAllCores(E_OK);
}

TASK(C1)
{
	storm(1);
}

TASK(C2)
{
	storm(2);
}

TASK(C3)
{
	storm(3);
}
