/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_H
#define PLF_TEST_FUZZ_H

/*
 * A program that is data: fuzz/play.py writes it into the image, where tasks, hooks, handlers and
 * callbacks find it. program.py reads the names of steps and notes from this file.
 */
#include "os.h"

enum {
	MOST_STEPS = 1024,
	MOST_NOTES = 2048,
	SCRIPTS = 4,  /* of each place; its runs take them in turn */
	LAST_TASK = 6 /* it is ready always, and the least urgent: its end is that of the system */
};

/* What executes steps. */
enum place {
	PLACE_TASK_0,
	PLACE_TASK_1,
	PLACE_TASK_2,
	PLACE_TASK_3,
	PLACE_TASK_4,
	PLACE_TASK_5,
	PLACE_TASK_LAST,
	PLACE_ISR_0,
	PLACE_ISR_1,
	PLACE_CALLBACK_0,
	PLACE_CALLBACK_1,
	PLACE_STARTUP,
	PLACE_ERROR,
	PLACE_PRE_TASK,
	PLACE_POST_TASK,
	PLACES
};

/* A step: a service, or an interrupt that trusted code raises. */
enum code {
	STEP_NOTHING,
	STEP_ACTIVATE_TASK,
	STEP_TERMINATE_TASK,
	STEP_CHAIN_TASK,
	STEP_SCHEDULE,
	STEP_GET_TASK_ID,
	STEP_GET_TASK_STATE,
	STEP_GET_RESOURCE,
	STEP_RELEASE_RESOURCE,
	STEP_SET_EVENT,
	STEP_CLEAR_EVENT,
	STEP_GET_EVENT,
	STEP_WAIT_EVENT,
	STEP_GET_ALARM_BASE,
	STEP_GET_ALARM,
	STEP_SET_REL_ALARM,
	STEP_SET_ABS_ALARM,
	STEP_CANCEL_ALARM,
	STEP_INCREMENT_COUNTER,
	STEP_DISABLE_ALL_INTERRUPTS,
	STEP_ENABLE_ALL_INTERRUPTS,
	STEP_SUSPEND_ALL_INTERRUPTS,
	STEP_RESUME_ALL_INTERRUPTS,
	STEP_SUSPEND_OS_INTERRUPTS,
	STEP_RESUME_OS_INTERRUPTS,
	STEP_GET_ACTIVE_APPLICATION_MODE,
	STEP_GET_ISR_ID,
	STEP_RAISE,
	STEP_SHUTDOWN_OS,
	STEP_GET_COUNTER_VALUE,
	STEP_GET_ELAPSED_VALUE,
	STEP_GET_APPLICATION_ID,
	STEP_CHECK_OBJECT_ACCESS,
	STEP_CHECK_OBJECT_OWNERSHIP,
	STEP_GET_APPLICATION_STATE,
	STEP_TERMINATE_APPLICATION,
	STEP_ALLOW_ACCESS,
	STEP_SPEND, /* a task runs for `first` ns */
	STEP_START_TABLE_REL,
	STEP_START_TABLE_ABS,
	STEP_STOP_TABLE,
	STEP_NEXT_TABLE,
	STEP_GET_TABLE_STATUS,
	STEP_SEND_MESSAGE,
	STEP_RECEIVE_MESSAGE,
	STEP_GET_MESSAGE_STATUS
};

struct step {
	uint8_t code;
	uint8_t object;	 /* by its place in the tables of steps.h and of what that includes */
	uint8_t is_null; /* an out-parameter is NULL */
	uint8_t unused[5];
	uint64_t first, second;
};

struct script {
	uint16_t begin, count; /* in `steps` */
};

struct program {
	uint32_t
		fuel; /* so many steps are executed; then the next step of a task ends the system */
	uint32_t mode;
	struct script scripts[PLACES][SCRIPTS];
	struct step steps[MOST_STEPS];
};

/* What happened. */
enum kind {
	NOTE_BEGIN,	 /* a task begins, or another place */
	NOTE_STEP,	 /* a service returned */
	NOTE_RUNS,	 /* in PreTaskHook and PostTaskHook: which task that is */
	NOTE_STATES,	 /* in hooks: two bits a task */
	NOTE_ERROR,	 /* the status and the step of the service */
	NOTE_PARAMETERS, /* of that service: the third, the first, and the second */
	NOTE_RETURNS,	 /* the task is about to return */
	NOTE_SHUTDOWN
};

struct note {
	uint8_t kind;
	uint8_t place;
	uint8_t status;
	uint8_t unused;
	uint32_t code;
	uint64_t value, more;
};

/* In memory that all tasks and the kernel can write. */
struct history {
	uint32_t burnt; /* fuel */
	uint32_t runs[PLACES];
	uint32_t count;
	struct note notes[MOST_NOTES];
};

extern const volatile struct program program;
extern struct history history;

#endif
