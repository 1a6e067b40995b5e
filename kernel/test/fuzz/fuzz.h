/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_H
#define PLF_TEST_FUZZ_H

/*
 * A program in the form of data. fuzz/play.py writes it into the image, for tasks, hooks, handlers
 * and callbacks. program.py reads the names of steps and notes from this file.
 */
#include "os.h"

enum {
	MOST_STEPS = 1024,
	MOST_NOTES = 2048,
	SCRIPTS = 4,  /* of each place, which uses them in turn */
	LAST_TASK = 6 /* always ready, and the least urgent: its end ends the system */
};

/* The places that execute steps. */
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
	uint8_t object;	 /* index in the tables of steps.h and its includes */
	uint8_t is_null; /* a pointer for the answer is NULL */
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

/* The kinds of notes. */
enum kind {
	NOTE_BEGIN,	 /* a task, or another place, begins */
	NOTE_STEP,	 /* a service returned */
	NOTE_RUNS,	 /* in PreTaskHook and PostTaskHook: the running task */
	NOTE_STATES,	 /* in hooks: two bits for each task */
	NOTE_ERROR,	 /* the status and the step of the service */
	NOTE_PARAMETERS, /* its parameters: the third, the first, the second */
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

/* Memory that all tasks and the kernel can write. */
struct history {
	uint32_t burnt; /* fuel */
	uint32_t runs[PLACES];
	uint32_t count;
	struct note notes[MOST_NOTES];
};

extern const volatile struct program program;
extern struct history history;

#endif
