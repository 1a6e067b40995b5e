/* SPDX-License-Identifier: MIT */
/* The hooks, handlers and callbacks, and the start: see fuzz.c. */
#include "kernel/hook.h"
#include "kernel/port.h"

#include "os_cores.h"
#include "steps.h"

enum { SOURCE_0 = 5 };

static void play(enum place place)
{
	struct script script = next_script(place);

	for (unsigned i = 0; i < script.count && burns(); i++) {
		struct step step = step_at(script.begin + i);

		if (step.code == STEP_RAISE)
			plf_port_raise(SOURCE_0 + step.object);
		else
			execute(place, &step);
	}
}

int main(void)
{
	StartOS((AppModeType)program.mode);
}

/* ---- Notes of a hook ----------------------------------------------------- */

static void note_states(enum place place)
{
	uint64_t states = 0;

	for (unsigned number = 0; number < sizeof(tasks); number++) {
		TaskStateType state = 0;
		StatusType status = GetTaskState(tasks[number], &state);

		states |= (uint64_t)(status == E_OK ? state : 0) << 2 * number;
	}
	note(NOTE_STATES, place, 0, E_OK, states, 0);
}

static void note_running(enum place place)
{
	TaskType task = 0xee;
	StatusType status = GetTaskID(&task);

	note(NOTE_RUNS, place, 0, status, NUMBER(tasks, task), 0);
	note_states(place);
}

/* play.py writes steps_of_services.h from kernel/services.toml. */
static enum code step_of(OSServiceIdType service)
{
	static const uint8_t steps[] = {
#include "steps_of_services.h"
	};

	return service < sizeof(steps) ? (enum code)steps[service] : STEP_NOTHING;
}

/* The parameters of each service. Missing parameters may have any value. */
struct parameters {
	uint64_t first, second;
	uint32_t third;
};

static struct parameters of_object(uint64_t number)
{
	return (struct parameters) { number, 0, 0 };
}

/* A pointer is noted as 1. */
static struct parameters of_question(uint64_t number)
{
	return (struct parameters) { number, 0, plf_error_parameter(2) != 0 };
}

#if PLF_APPLICATIONS
static struct parameters parameters_of_application(enum code code)
{
	uint64_t first = plf_error_parameter(0), second = plf_error_parameter(1);

	switch (code) {
	case STEP_CHECK_OBJECT_ACCESS:
		return (struct parameters) { NUMBER(applications, first), second,
					     (uint32_t)number_of_kind(second,
								      plf_error_parameter(2)) };
	case STEP_CHECK_OBJECT_OWNERSHIP:
		return (struct parameters) { first, number_of_kind(first, second), 0 };
	case STEP_GET_APPLICATION_STATE:
		return of_question(NUMBER(applications, first));
	case STEP_TERMINATE_APPLICATION:
		return (struct parameters) { NUMBER(applications, first), second, 0 };
	default:
		return of_object(0);
	}
}
#else
static struct parameters parameters_of_application(enum code code)
{
	(void)code;
	return of_object(0);
}
#endif

#if PLF_SCHEDULE_TABLES
static struct parameters parameters_of_table(enum code code)
{
	uint64_t table = NUMBER(schedule_tables, plf_error_parameter(0));
	uint64_t second = plf_error_parameter(1);

	switch (code) {
	case STEP_START_TABLE_REL:
	case STEP_START_TABLE_ABS:
		return (struct parameters) { table, second, 0 };
	case STEP_NEXT_TABLE:
		return (struct parameters) { table, NUMBER(schedule_tables, second), 0 };
	case STEP_STOP_TABLE:
		return of_object(table);
	default:
		return of_question(table);
	}
}
#else
static struct parameters parameters_of_table(enum code code)
{
	(void)code;
	return of_object(0);
}
#endif

static struct parameters parameters_of(enum code code)
{
	uint64_t first = plf_error_parameter(0), second = plf_error_parameter(1);

	switch (code) {
	case STEP_ACTIVATE_TASK:
	case STEP_CHAIN_TASK:
		return of_object(NUMBER(tasks, first));
	case STEP_GET_TASK_ID:
		return of_question(0);
	case STEP_GET_TASK_STATE:
	case STEP_GET_EVENT:
		return of_question(NUMBER(tasks, first));
	case STEP_GET_ALARM_BASE:
	case STEP_GET_ALARM:
		return of_question(NUMBER(alarms, first));
	case STEP_GET_RESOURCE:
	case STEP_RELEASE_RESOURCE:
		return of_object(NUMBER(resources, first));
	case STEP_SET_EVENT:
		return (struct parameters) { NUMBER(tasks, first), second, 0 };
	case STEP_SET_REL_ALARM:
	case STEP_SET_ABS_ALARM:
		return (struct parameters) { NUMBER(alarms, first), second,
					     (uint32_t)plf_error_parameter(2) };
	case STEP_CANCEL_ALARM:
		return of_object(NUMBER(alarms, first));
	case STEP_INCREMENT_COUNTER:
		return of_object(NUMBER(counters, first));
	case STEP_GET_COUNTER_VALUE:
	case STEP_GET_ELAPSED_VALUE:
		return of_question(NUMBER(counters, first));
	case STEP_CLEAR_EVENT:
	case STEP_WAIT_EVENT:
	case STEP_SHUTDOWN_OS:
		return of_object(first);
	default:
		return code >= STEP_START_TABLE_REL ? parameters_of_table(code)
						    : parameters_of_application(code);
	}
}

/* ---- The hooks, handlers and callbacks ------------------------------------ */

/* A missing end belongs to no service, and has no parameters. */
void ErrorHook(StatusType status)
{
	enum code code = step_of(OSErrorGetServiceId());

	note(NOTE_ERROR, PLACE_ERROR, code, status, 0, 0);
	if (PLF_ERROR_PARAMETERS && status != E_OS_MISSINGEND) {
		struct parameters found = parameters_of(code);

		note(NOTE_PARAMETERS, PLACE_ERROR, found.third, 0, found.first, found.second);
	}
	note_states(PLACE_ERROR);
	play(PLACE_ERROR);
}

void StartupHook(void)
{
	note(NOTE_BEGIN, PLACE_STARTUP, 0, E_OK, 0, 0);
	play(PLACE_STARTUP);
}

void PreTaskHook(void)
{
	note_running(PLACE_PRE_TASK);
	play(PLACE_PRE_TASK);
}

void PostTaskHook(void)
{
	note_running(PLACE_POST_TASK);
	play(PLACE_POST_TASK);
}

ISR(I0)
{
	note(NOTE_BEGIN, PLACE_ISR_0, 0, E_OK, 0, 0);
	play(PLACE_ISR_0);
}

ISR(I1)
{
	note(NOTE_BEGIN, PLACE_ISR_1, 0, E_OK, 0, 0);
	play(PLACE_ISR_1);
}

ALARMCALLBACK(CB0)
{
	note(NOTE_BEGIN, PLACE_CALLBACK_0, 0, E_OK, 0, 0);
	play(PLACE_CALLBACK_0);
}

ALARMCALLBACK(CB1)
{
	note(NOTE_BEGIN, PLACE_CALLBACK_1, 0, E_OK, 0, 0);
	play(PLACE_CALLBACK_1);
}

/* Write all notes, as they are in memory. */
void ShutdownHook(StatusType status)
{
	note(NOTE_SHUTDOWN, PLACE_STARTUP, 0, status, history.burnt, 0);
	plf_port_write((const char *)history.notes, history.count * sizeof(history.notes[0]));
}
