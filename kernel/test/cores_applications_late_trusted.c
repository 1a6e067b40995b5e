/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "cores_applications_late.h"
#include "kernel/cores.h"

static ApplicationStateType state_of_work(void)
{
	ApplicationStateType state = APPLICATION_ACCESSIBLE;

	EXPECT(GetApplicationState(WORK, &state), E_OK);
	return state;
}

static void let_the_other_core(void)
{
	for (uint32_t more = 0; more < 1000; more++)
		plf_port_wait_a_little();
}

/* From now on WORK may end. Return when it restarts. */
static void await_end(void)
{
	__atomic_store_n(&has_begun, has_begun + 1, __ATOMIC_RELEASE);
	while (state_of_work() != APPLICATION_RESTARTING)
		plf_port_wait_a_little();
	let_the_other_core();
}

static void wake(void)
{
	EXPECT(plf_add_events(&plf_tasks[WAITS], EV), PLF_EVENT_WAKES);
	await_end();
	plf_send(&plf_tasks[WAITS]);
}

/* The end of BASIC waits for the message, which comes after the activation of REVIVE. */
static void begin_later(void)
{
	CHECK(plf_take_room(&plf_tasks[BASIC]));
	await_end();
	CHECK(plf_take_room(&plf_tasks[REVIVE]));
	plf_send(&plf_tasks[BASIC]);
	let_the_other_core();
	plf_send(&plf_tasks[REVIVE]);
}

void PostTaskHook(void)
{
	TaskType task;

	EXPECT(GetTaskID(&task), E_OK);
	if (task != SENDER)
		return;
	if (part == WAKES)
		wake();
	else if (part == BEGINS_LATER)
		begin_later();
	else
		await_end();
}
