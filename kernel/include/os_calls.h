/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CALLS_H
#define PLF_OS_CALLS_H

#include "system.h"

/*
 * The numbers of the system calls. ErrorHook learns from OSErrorGetServiceId() which of them
 * failed: AUTOSAR leaves the values of its service identifiers to the kernel.
 */
enum plf_call_number {
	PLF_CALL_NULL,	  /* nothing: for measuring */
	PLF_CALL_PREEMPT, /* give way to a more urgent task, after the own priority was lowered */
	PLF_CALL_ACTIVATE_TASK,
	PLF_CALL_TERMINATE_TASK,
	PLF_CALL_CHAIN_TASK,
	PLF_CALL_SCHEDULE,
	PLF_CALL_GET_TASK_ID,
	PLF_CALL_GET_TASK_STATE,
	PLF_CALL_GET_RESOURCE,
	PLF_CALL_RELEASE_RESOURCE,
	PLF_CALL_SET_EVENT,
	PLF_CALL_CLEAR_EVENT,
	PLF_CALL_GET_EVENT,
	PLF_CALL_WAIT_EVENT,
	PLF_CALL_GET_ALARM_BASE,
	PLF_CALL_GET_ALARM,
	PLF_CALL_SET_REL_ALARM,
	PLF_CALL_SET_ABS_ALARM,
	PLF_CALL_CANCEL_ALARM,
	PLF_CALL_INCREMENT_COUNTER,
	PLF_CALL_DISABLE_ALL_INTERRUPTS,
	PLF_CALL_ENABLE_ALL_INTERRUPTS,
	PLF_CALL_SUSPEND_ALL_INTERRUPTS,
	PLF_CALL_RESUME_ALL_INTERRUPTS,
	PLF_CALL_SUSPEND_OS_INTERRUPTS,
	PLF_CALL_RESUME_OS_INTERRUPTS,
	PLF_CALL_GET_ACTIVE_APPLICATION_MODE,
	PLF_CALL_SHUTDOWN_OS,
	PLF_CALL_MISSING_TERMINATE, /* a task returned from its entry function */
	PLF_CALL_ERROR, /* GetResource or ReleaseResource, which run in user mode, found an error */
	PLF_CALLS_OF_ALL,			   /* so many has every image */
	PLF_CALL_WRITE_CONSOLE = PLF_CALLS_OF_ALL, /* with a console; see os_console.h */
	PLF_CALL_GET_CORE_ID = PLF_CALLS_OF_ALL + PLF_CONSOLE, /* these with several cores */
	PLF_CALL_GET_NUMBER_OF_ACTIVATED_CORES,
	PLF_CALL_SHUTDOWN_ALL_CORES,
	PLF_CALL_GET_GLOBAL, /* these with global resources */
	PLF_CALL_RELEASE_GLOBAL,
	PLF_CALL_TRY_TO_GET_GLOBAL,
	PLF_CALL_GET_BUDGET = PLF_CALLS_OF_ALL + PLF_CONSOLE + (PLF_CPUS > 1 ? 3 : 0) +
			      (PLF_GLOBALS ? 3 : 0), /* with servers */
	PLF_CALL_AWAIT_BUDGET, /* for GetResource: with resources of several of them */
	PLF_CALL_GET_COUNTER_VALUE = PLF_CALL_GET_BUDGET + (PLF_SERVERS ? 1 : 0) +
				     (PLF_OF_SERVERS ? 1 : 0), /* these with counters */
	PLF_CALL_GET_ELAPSED_VALUE,
	PLF_CALL_START_TABLE_REL = PLF_CALL_GET_COUNTER_VALUE +
				   (PLF_COUNTERS ? 2 : 0), /* these with schedule tables */
	PLF_CALL_START_TABLE_ABS,
	PLF_CALL_STOP_TABLE,
	PLF_CALL_NEXT_TABLE,
	PLF_CALL_GET_TABLE_STATUS,
	PLF_CALL_START_TABLE_SYNCHRON,
	PLF_CALL_SYNC_TABLE,
	PLF_CALL_SET_TABLE_ASYNC,
	PLF_CALL_GET_APPLICATION_ID =
		PLF_CALL_START_TABLE_REL +
		(PLF_SCHEDULE_TABLES ? 8 : 0), /* with applications; see os_applications.h */
	PLF_CALL_CHECK_OBJECT_ACCESS,
	PLF_CALL_CHECK_OBJECT_OWNERSHIP,
	PLF_CALL_TERMINATE_APPLICATION, /* these where they are terminated */
	PLF_CALL_GET_APPLICATION_STATE,
	PLF_CALL_ALLOW_ACCESS,
	PLF_CALL_CALL_TRUSTED_FUNCTION =
		PLF_CALL_GET_APPLICATION_ID + (PLF_APPLICATIONS ? 3 : 0) +
		(PLF_TERMINATION ? 3 : 0), /* these with trusted functions */
	PLF_CALL_GET_CURRENT_APPLICATION_ID,
	PLF_CALL_CHECK_TASK_MEMORY_ACCESS,
	PLF_CALL_SEND_MESSAGE = PLF_CALL_CALL_TRUSTED_FUNCTION +
				(PLF_TRUSTED_FUNCTIONS ? 3 : 0), /* with messages; see os_com.h */
	PLF_CALL_RECEIVE_MESSAGE,
	PLF_CALL_SEND_ZERO_MESSAGE,
	PLF_CALL_GET_MESSAGE_STATUS,
	PLF_CALL_INIT_MESSAGE,
	PLF_CALL_START_COM,
	PLF_CALL_STOP_COM,
	PLF_CALL_GET_COM_APPLICATION_MODE,
};

/* So many has this image; PLF_CONSOLE, 0 or 1, and the others are of system.h. */
#define PLF_CALLS (PLF_CALL_SEND_MESSAGE + (PLF_MESSAGES ? 8 : 0))

/* Without trusted functions the current application is that of the caller. */
#define PLF_CALL_OF_CURRENT                                                                        \
	(PLF_TRUSTED_FUNCTIONS ? PLF_CALL_GET_CURRENT_APPLICATION_ID : PLF_CALL_GET_APPLICATION_ID)

/* Bytes of one WriteConsole(), for which interrupts wait. */
enum { PLF_CONSOLE_MOST = 256 };

/* Bytes of a message, and how many receivers it has at most: interrupts wait for all the copies. */
enum { PLF_MESSAGE_MOST = 256, PLF_RECEIVERS_MOST = 16 };

#endif
