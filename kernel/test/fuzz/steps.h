/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_STEPS_H
#define PLF_TEST_FUZZ_STEPS_H

/* Executes a script: for tasks and, compiled once more, for trusted code. */
#include "fuzz.h"

static const TaskType tasks[] = { T0, T1, T2, T3, T4, T5, LAST };
static const ResourceType resources[] = { R0, R1, R2, RES_SCHEDULER };
static const AlarmType alarms[] = { A0, A1, A2, A3, A4, A5 };
static const CounterType counters[] = { C0, C1 };

_Static_assert(sizeof(tasks) == PLF_TASKS && sizeof(resources) == PLF_RESOURCES, "none is missing");
_Static_assert(sizeof(alarms) == PLF_ALARMS && sizeof(counters) == PLF_COUNTERS, "none is missing");

#if PLF_EVENTS
_Static_assert(E0 == 1 && E1 == 2 && E2 == 4, "as system.py has them");
#endif

/* A number beyond the table stands for no object. */
#define OBJECT(table, number) ((number) < sizeof(table) ? (table)[number] : (number))

/* The inverse of OBJECT(). */
static inline uint64_t number_in(const uint8_t *table, size_t size, uint64_t object)
{
	for (size_t number = 0; number < size; number++)
		if (table[number] == object)
			return number;
	return object;
}

#define NUMBER(table, object) number_in(table, sizeof(table), object)

static inline void note(enum kind kind, enum place place, uint32_t code, StatusType status,
			uint64_t value, uint64_t more)
{
	if (history.count == MOST_NOTES)
		return;
	history.notes[history.count++] = (struct note) {
		.kind = (uint8_t)kind,
		.place = (uint8_t)place,
		.code = code,
		.status = status,
		.value = value,
		.more = more,
	};
}

/* The answer of a service, and the values that it stored, or the values before. */
struct answer {
	StatusType status;
	uint64_t value, more;
};

#define WHERE(step, variable) ((step)->is_null ? NULL : &(variable))

static inline struct answer ask_task(const struct step *step)
{
	TaskStateType state = 0xee;
	TaskType task = 0xee;
	EventMaskType events = 0xeeee;
	TaskType object = OBJECT(tasks, step->object);
	StatusType status;

	switch (step->code) {
	case STEP_GET_TASK_ID:
		status = GetTaskID(WHERE(step, task));
		return (struct answer) { status, NUMBER(tasks, task), 0 };
	case STEP_GET_TASK_STATE:
		status = GetTaskState(object, WHERE(step, state));
		return (struct answer) { status, state, 0 };
	default:
		status = GetEvent(object, WHERE(step, events));
		return (struct answer) { status, events, 0 };
	}
}

static inline struct answer ask_alarm(const struct step *step)
{
	AlarmBaseType base = { 0xee, 0xee, 0xee };
	TickType ticks = 0xee;
	AlarmType object = OBJECT(alarms, step->object);
	StatusType status;

	if (step->code == STEP_GET_ALARM) {
		status = GetAlarm(object, WHERE(step, ticks));
		return (struct answer) { status, ticks, 0 };
	}
	status = GetAlarmBase(object, WHERE(step, base));
	return (struct answer) { status, (uint64_t)base.maxallowedvalue << 32 | base.ticksperbase,
				 base.mincycle };
}

/* If `second` is set, the pointer to the value is NULL. */
static inline struct answer ask_counter(const struct step *step)
{
	CounterType object = OBJECT(counters, step->object);
	bool is_first = step->is_null && step->second;
	TickType value = (TickType)step->first, ticks = 0xee;
	StatusType status;

	if (step->code == STEP_GET_COUNTER_VALUE) {
		status = GetCounterValue(object, WHERE(step, ticks));
		return (struct answer) { status, ticks, 0 };
	}
	status = GetElapsedValue(object, is_first ? NULL : &value,
				 step->is_null && !is_first ? NULL : &ticks);
	return (struct answer) { status, ticks, value };
}

#include "table_steps.h"

#include "message_steps.h"

#include "application_steps.h"

static inline StatusType call_of_task(const struct step *step)
{
	switch (step->code) {
	case STEP_ACTIVATE_TASK:
		return ActivateTask(OBJECT(tasks, step->object));
	case STEP_TERMINATE_TASK:
		return TerminateTask();
	case STEP_CHAIN_TASK:
		return ChainTask(OBJECT(tasks, step->object));
	case STEP_SCHEDULE:
		return Schedule();
	case STEP_GET_RESOURCE:
		return GetResource(OBJECT(resources, step->object));
	case STEP_RELEASE_RESOURCE:
		return ReleaseResource(OBJECT(resources, step->object));
	case STEP_SET_EVENT:
		return SetEvent(OBJECT(tasks, step->object), step->first);
	case STEP_CLEAR_EVENT:
		return ClearEvent(step->first);
	default:
		return WaitEvent(step->first);
	}
}

static inline StatusType call_of_alarm(const struct step *step)
{
	AlarmType alarm = OBJECT(alarms, step->object);

	switch (step->code) {
	case STEP_SET_REL_ALARM:
		return SetRelAlarm(alarm, (TickType)step->first, (TickType)step->second);
	case STEP_SET_ABS_ALARM:
		return SetAbsAlarm(alarm, (TickType)step->first, (TickType)step->second);
	case STEP_CANCEL_ALARM:
		return CancelAlarm(alarm);
	default:
		return IncrementCounter(OBJECT(counters, step->object));
	}
}

/* Services without a status. */
static inline uint64_t call_without_status(const struct step *step)
{
	switch (step->code) {
	case STEP_DISABLE_ALL_INTERRUPTS:
		DisableAllInterrupts();
		break;
	case STEP_ENABLE_ALL_INTERRUPTS:
		EnableAllInterrupts();
		break;
	case STEP_SUSPEND_ALL_INTERRUPTS:
		SuspendAllInterrupts();
		break;
	case STEP_RESUME_ALL_INTERRUPTS:
		ResumeAllInterrupts();
		break;
	case STEP_SUSPEND_OS_INTERRUPTS:
		SuspendOSInterrupts();
		break;
	case STEP_RESUME_OS_INTERRUPTS:
		ResumeOSInterrupts();
		break;
	case STEP_SHUTDOWN_OS:
		ShutdownOS((StatusType)step->first);
		break;
	case STEP_GET_ACTIVE_APPLICATION_MODE:
		return GetActiveApplicationMode();
	case STEP_GET_ISR_ID: {
		ISRType isr = GetISRID();

		return isr == I0 ? 0 : isr == I1 ? 1 : isr;
	}
	default:
		break;
	}
	return 0;
}

static inline struct answer answer_of(const struct step *step)
{
	switch (step->code) {
	case STEP_GET_TASK_ID:
	case STEP_GET_TASK_STATE:
	case STEP_GET_EVENT:
		return ask_task(step);
	case STEP_GET_ALARM:
	case STEP_GET_ALARM_BASE:
		return ask_alarm(step);
	case STEP_GET_COUNTER_VALUE:
	case STEP_GET_ELAPSED_VALUE:
		return ask_counter(step);
	case STEP_SET_REL_ALARM:
	case STEP_SET_ABS_ALARM:
	case STEP_CANCEL_ALARM:
	case STEP_INCREMENT_COUNTER:
		return (struct answer) { call_of_alarm(step), 0, 0 };
	default:
		if (step->code < STEP_DISABLE_ALL_INTERRUPTS)
			return (struct answer) { call_of_task(step), 0, 0 };
		if (step->code >= STEP_SEND_MESSAGE)
			return answer_of_message(step);
		if (step->code >= STEP_START_TABLE_REL)
			return answer_of_table(step);
		if (step->code >= STEP_GET_APPLICATION_ID)
			return answer_of_application(step);
		return (struct answer) { E_OK, call_without_status(step), 0 };
	}
}

static inline struct script next_script(enum place place)
{
	const volatile struct script *script = program.scripts[place];

	return script[history.runs[place]++ % SCRIPTS];
}

/* Whether there is fuel for another step. */
static inline bool burns(void)
{
	if (history.burnt == program.fuel)
		return false;
	history.burnt++;
	return true;
}

static inline struct step step_at(unsigned index)
{
	return program.steps[index % MOST_STEPS];
}

static inline void execute(enum place place, const struct step *step)
{
	struct answer answer;

	if (step->code == STEP_NOTHING)
		return;
	answer = answer_of(step);
	note(NOTE_STEP, place, step->code, answer.status, answer.value, answer.more);
}

#endif
