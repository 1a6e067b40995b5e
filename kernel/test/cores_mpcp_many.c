/* SPDX-License-Identifier: MIT */
/*
 * Mueller 2014, Section VII.D: a resource with more users than a word has bits. The core with the
 * most urgent user is next, and of its users the most urgent, also if a user ends inside. No two
 * users are inside at once, in whatever order they come.
 */
#include "several_cores.h"

enum { CORES = 4, OF_A_CORE = 20, USERS = CORES * OF_A_CORE, ROUNDS = 4 };

/*
 * Tasks are numbered by urgency: first the most urgent task of each core, then the cores in turn.
 */
static const uint8_t cores_by_place[CORES] = { 1, 2, 0, 3 };

static TaskType user_of(uint32_t place, uint32_t rank)
{
	return (TaskType)(rank == 0 ? place : CORES * rank + cores_by_place[place]);
}

/* Plain data, which only exclusion keeps consistent. */
static uint32_t is_inside, passed;
static TaskType order[USERS];

static uint32_t has_all_waiting, ends_inside;

static void run(TaskType me)
{
	EXPECT(GetMPCPResource(G), E_OK);
	EXPECT(is_inside, 0);
	is_inside = 1;
	order[passed % USERS] = me;
	AWAIT(look(&has_all_waiting));
	is_inside = 0;
	count(&passed);
	if (PLF_EXTENDED_STATUS || !look(&ends_inside))
		EXPECT(ReleaseMPCPResource(G), E_OK);
	TerminateTask();
}

#include "tens_of_tasks.h"

TEN(00)
TEN(01)
TEN(02)
TEN(03)
TEN(04)
TEN(05)
TEN(06)
TEN(07)

static void start_users(uint32_t place)
{
	for (uint32_t rank = OF_A_CORE; rank-- > 0;) {
		EXPECT(ActivateTask(user_of(place, rank)), E_OK);
		AWAIT(state_of(user_of(place, rank)) == WAITING);
	}
}

static bool all_ended(void)
{
	bool all = true;

	for (TaskType task = 0; task < USERS; task++)
		all &= state_of(task) == SUSPENDED;
	return all;
}

/* The users of the last place wait first. The most urgent of them keeps the others waiting. */
static void pass_in_order(bool all_end_inside)
{
	uint32_t next = 0;

	show(&ends_inside, all_end_inside);
	show(&has_all_waiting, false);
	show(&passed, 0);
	EXPECT(GetMPCPResource(G), E_OK);
	start_users(CORES - 1);
	EXPECT(ReleaseMPCPResource(G), E_OK);
	for (uint32_t place = 0; place < CORES - 1; place++)
		start_users(place);
	show(&has_all_waiting, true);
	AWAIT(all_ended());
	EXPECT(order[next++], user_of(CORES - 1, 0));
	for (uint32_t place = 0; place < CORES; place++)
		for (uint32_t rank = place == CORES - 1; rank < OF_A_CORE; rank++)
			EXPECT(order[next++], user_of(place, rank));
	EXPECT(look(&passed), USERS);
}

static void come_at_once(void)
{
	uint32_t activations = 0;

	show(&ends_inside, false);
	show(&passed, 0);
	for (uint32_t round = 0; round < ROUNDS; round++)
		for (TaskType task = USERS; task-- > 0;)
			activations += ActivateTask(task) == E_OK;
	AWAIT(all_ended());
	EXPECT(look(&passed), activations);
	CHECK(activations >= USERS);
}

TASK(MAIN)
{
	pass_in_order(false);
	pass_in_order(true);
	pass_in_order(false);
	come_at_once();
	ShutdownAllCores(E_OK);
}
