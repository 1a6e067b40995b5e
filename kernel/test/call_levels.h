/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CALL_LEVELS_H
#define PLF_TEST_CALL_LEVELS_H

#include "os.h"

/* Services in the order of Figure 12-1 of OSEK 2.2.3, then services of Plafond's counters. */
enum service {
	ACTIVATE_TASK,
	TERMINATE_TASK,
	CHAIN_TASK,
	SCHEDULE,
	GET_TASK_ID,
	GET_TASK_STATE,
	GET_RESOURCE,
	RELEASE_RESOURCE,
	SET_EVENT,
	CLEAR_EVENT,
	GET_EVENT,
	WAIT_EVENT,
	GET_ALARM_BASE,
	GET_ALARM,
	SET_REL_ALARM,
	SET_ABS_ALARM,
	CANCEL_ALARM,
	INCREMENT_COUNTER,
	GET_COUNTER_VALUE,
	GET_ELAPSED_VALUE,
	SERVICES
};

enum place { STARTUP, PRE_TASK, POST_TASK, IN_ERROR_HOOK, IN_HANDLER, IN_CATEGORY_1, PLACES };

/* Notes of the first time in each place. */
extern StatusType answers[PLACES][SERVICES];
extern bool was_in[PLACES];

/* For services without a status: the number of calls of ErrorHook with E_OS_CALLEVEL. */
extern uint32_t void_errors[PLACES];

#endif
