/* SPDX-License-Identifier: MIT */
/*
 * The services that hooks and handlers may call: OSEK 2.2.3, 12.3. In both kinds of status. Tasks
 * may call all services.
 */
#include "call_levels.h"
#include "check.h"

StatusType answers[PLACES][SERVICES];
bool was_in[PLACES];
uint32_t void_errors[PLACES];

/*
 * y: allowed. Columns in the order of enum place: startup, pre, post, error, handler, category 1.
 */
static const char allowed[SERVICES][PLACES + 1] = {
	[ACTIVATE_TASK] = "    y ",	[TERMINATE_TASK] = "      ",
	[CHAIN_TASK] = "      ",	[SCHEDULE] = "      ",
	[GET_TASK_ID] = " yyyy ",	[GET_TASK_STATE] = " yyyy ",
	[GET_RESOURCE] = "      ", /* handlers without resources: see isr_resources.c for others */
	[RELEASE_RESOURCE] = "      ",	[SET_EVENT] = "    y ",
	[CLEAR_EVENT] = "      ",	[GET_EVENT] = " yyyy ",
	[WAIT_EVENT] = "      ",	[GET_ALARM_BASE] = " yyyy ",
	[GET_ALARM] = " yyyy ",		[SET_REL_ALARM] = "    y ",
	[SET_ABS_ALARM] = "    y ",	[CANCEL_ALARM] = "    y ",
	[INCREMENT_COUNTER] = "    y ", [GET_COUNTER_VALUE] = "    y ",
	[GET_ELAPSED_VALUE] = "    y ",
};

static void compare(enum place place, enum service service)
{
	StatusType expected = allowed[service][place] == 'y' ? E_OK : E_OS_CALLEVEL;

	mark((char)('A' + service));
	mark((char)('0' + place));
	EXPECT(answers[place][service], expected);
	test.marks = 0;
}

/* MAIN has ended, so each place has called the services. */
TASK(OTHER)
{
	for (unsigned place = 0; place < PLACES; place++) {
		CHECK(was_in[place]);
		for (unsigned service = 0; service < SERVICES; service++)
			compare(place, service);
		EXPECT(void_errors[place],
		       place == IN_CATEGORY_1); /* category 1 may not ask for the mode */
	}
	ShutdownOS(E_OK);
}

/* Handlers set an event of MAIN, which is not suspended meanwhile. */
TASK(MAIN)
{
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	TerminateTask();
}
