/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_H
#define PLF_OS_H

/*
 * The API of OSEK OS 2.2.3, Section 13, and parts of AUTOSAR OS, for tasks as for
 * hooks and interrupt handlers of category 2. Objects are named in system.h, generated from
 * the description. Extended status adds the errors marked [x].
 *
 * E_OS_CALLEVEL is for hooks, handlers and callbacks of alarms, in both. [x] Every service but
 * those of interrupts gives E_OS_DISABLEDINT while the caller holds interrupts back.
 */
#include "os_calls.h"
#include "os_errors.h"
#include "os_types.h"
#include "plf_call.h"
#include "system.h"

#define DeclareTask(name)     extern void plf_task_##name(void)
#define DeclareResource(name) extern int plf_is_declared
#define DeclareEvent(name)    extern int plf_is_declared
#define DeclareAlarm(name)    extern int plf_is_declared

#define TASK(name)                                                                                 \
	void plf_task_##name(void);                                                                \
	void plf_task_##name(void)
#define ALARMCALLBACK(name)                                                                        \
	void plf_callback_##name(void);                                                            \
	void plf_callback_##name(void)
#define ISR(name)                                                                                  \
	void plf_isr_##name(void);                                                                 \
	void plf_isr_##name(void)

/* Data of one task, which no other can reach. Zero at the start. */
#define TASK_DATA(name) __attribute__((section(".plf_task." #name)))

/* Stores what a call answered where the caller wants it, in the caller's mode. */
#define PLF_STORE(result, reference)                                                               \
	do {                                                                                       \
		if ((result).status == E_OK)                                                       \
			*(reference) = (__typeof__(*(reference)))(result).value;                   \
	} while (0)

/* ---- Tasks: OSEK 13.2 --------------------------------------------------- */

/* E_OS_ID: no such task; E_OS_LIMIT: it has as many activations as it may. */
static inline StatusType ActivateTask(TaskType task)
{
	return (StatusType)plf_call1(PLF_CALL_ACTIVATE_TASK, task).status;
}

/* Does not return, but for E_OS_RESOURCE, E_OS_SPINLOCK [x]: the task is in a section of one. */
static inline StatusType TerminateTask(void)
{
	return (StatusType)plf_call0(PLF_CALL_TERMINATE_TASK).status;
}

/* As TerminateTask() and ActivateTask() in one; E_OS_LIMIT: nothing happened. */
static inline StatusType ChainTask(TaskType task)
{
	return (StatusType)plf_call1(PLF_CALL_CHAIN_TASK, task).status;
}

/* Lets go of the internal resource, so that more urgent tasks run. E_OS_RESOURCE, E_OS_SPINLOCK
 * [x]. */
static inline StatusType Schedule(void)
{
	return (StatusType)plf_call0(PLF_CALL_SCHEDULE).status;
}

/* INVALID_TASK where none runs. E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetTaskID(TaskRefType task)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_TASK_ID, 0, 0, (uintptr_t)task);

	PLF_STORE(result, task);
	return (StatusType)result.status;
}

/* E_OS_ID; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetTaskState(TaskType task, TaskStateRefType state)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_TASK_STATE, task, 0, (uintptr_t)state);

	PLF_STORE(result, state);
	return (StatusType)result.status;
}

/* ---- Events: OSEK 13.5 -------------------------------------------------- */

/* E_OS_ID; E_OS_ACCESS: a basic task; E_OS_STATE [x]: a suspended one, which gets none. */
static inline StatusType SetEvent(TaskType task, EventMaskType events)
{
	return (StatusType)plf_call2(PLF_CALL_SET_EVENT, task, events).status;
}

/* E_OS_ACCESS: the caller is a basic task. */
static inline StatusType ClearEvent(EventMaskType events)
{
	return (StatusType)plf_call1(PLF_CALL_CLEAR_EVENT, events).status;
}

/* As SetEvent(); E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetEvent(TaskType task, EventMaskRefType events)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_EVENT, task, 0, (uintptr_t)events);

	PLF_STORE(result, events);
	return (StatusType)result.status;
}

/* Until one of the events is set. E_OS_ACCESS: a basic task; E_OS_RESOURCE, E_OS_SPINLOCK [x]. */
static inline StatusType WaitEvent(EventMaskType events)
{
	return (StatusType)plf_call1(PLF_CALL_WAIT_EVENT, events).status;
}

/* ---- Alarms: OSEK 13.6; counters: AUTOSAR ------------------------------- */

/* And of all alarms and counters E_OS_CORE: the counter is another core's. */

/* E_OS_ID; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetAlarmBase(AlarmType alarm, AlarmBaseRefType base)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_ALARM_BASE, alarm, 0, (uintptr_t)base);

	if (result.status == E_OK) {
		base->maxallowedvalue = (TickType)result.value;
		result = plf_call3(PLF_CALL_GET_ALARM_BASE, alarm, 1, (uintptr_t)base);
		base->ticksperbase = (TickType)result.value;
		result = plf_call3(PLF_CALL_GET_ALARM_BASE, alarm, 2, (uintptr_t)base);
		base->mincycle = (TickType)result.value;
	}
	return (StatusType)result.status;
}

/* Ticks until it expires. E_OS_ID; E_OS_NOFUNC: not set; pointers [x] as above. */
static inline StatusType GetAlarm(AlarmType alarm, TickRefType ticks)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_ALARM, alarm, 0, (uintptr_t)ticks);

	PLF_STORE(result, ticks);
	return (StatusType)result.status;
}

/*
 * In 1 to maxallowedvalue ticks, and then every `cycle` ticks (0: once). E_OS_ID; E_OS_STATE: it
 * is set; E_OS_VALUE: out of range, also a cycle below mincycle.
 */
static inline StatusType SetRelAlarm(AlarmType alarm, TickType increment, TickType cycle)
{
	return (StatusType)plf_call3(PLF_CALL_SET_REL_ALARM, alarm, increment, cycle).status;
}

/* When the counter next reaches `start`, 0 to maxallowedvalue; else as SetRelAlarm(). */
static inline StatusType SetAbsAlarm(AlarmType alarm, TickType start, TickType cycle)
{
	return (StatusType)plf_call3(PLF_CALL_SET_ABS_ALARM, alarm, start, cycle).status;
}

/* E_OS_ID; E_OS_NOFUNC: not set. */
static inline StatusType CancelAlarm(AlarmType alarm)
{
	return (StatusType)plf_call1(PLF_CALL_CANCEL_ALARM, alarm).status;
}

/* E_OS_ID: no such counter, or one that the timer drives. */
static inline StatusType IncrementCounter(CounterType counter)
{
	return (StatusType)plf_call1(PLF_CALL_INCREMENT_COUNTER, counter).status;
}

#if PLF_COUNTERS
/* 0 to maxallowedvalue. E_OS_ID: no such counter; pointers [x] as above. */
static inline StatusType GetCounterValue(CounterType counter, TickRefType value)
{
	struct plf_result result =
		plf_call3(PLF_CALL_GET_COUNTER_VALUE, counter, 0, (uintptr_t)value);

	PLF_STORE(result, value);
	return (StatusType)result.status;
}

/*
 * The ticks since the counter had `value`, if it has not begun anew twice; and `value` is that of
 * now. Else as GetCounterValue(); E_OS_VALUE: above maxallowedvalue.
 */
static inline StatusType GetElapsedValue(CounterType counter, TickRefType value,
					 TickRefType elapsed)
{
	struct plf_result result =
		plf_call3(PLF_CALL_GET_ELAPSED_VALUE, counter, value ? *value : 0,
			  (uintptr_t)(value ? elapsed : NULL));

	PLF_STORE(result, elapsed);
	if (result.status == E_OK)
		*value = (TickType)(result.value >> 32);
	return (StatusType)result.status;
}
#endif

/* ---- Schedule tables: AUTOSAR ------------------------------------------- */

#if PLF_SCHEDULE_TABLES
#define DeclareScheduleTable(name) extern int plf_is_declared

/* As of alarms, E_OS_CORE: the table's counter is another core's. */

/*
 * It begins in `offset` ticks: 1 to maxallowedvalue less its first offset. E_OS_ID, also of one
 * whose strategy is implicit; E_OS_VALUE; E_OS_STATE: it is not stopped.
 */
static inline StatusType StartScheduleTableRel(ScheduleTableType table, TickType offset)
{
	return (StatusType)plf_call2(PLF_CALL_START_TABLE_REL, table, offset).status;
}

/* It begins when the counter next reaches `start`, 0 to maxallowedvalue; else as above. */
static inline StatusType StartScheduleTableAbs(ScheduleTableType table, TickType start)
{
	return (StatusType)plf_call2(PLF_CALL_START_TABLE_ABS, table, start).status;
}

/* And what was to begin at its end does not. E_OS_ID; E_OS_NOFUNC: it is stopped. */
static inline StatusType StopScheduleTable(ScheduleTableType table)
{
	return (StatusType)plf_call1(PLF_CALL_STOP_TABLE, table).status;
}

/*
 * `to` begins where `from` ends, instead of `from` itself and of what was next before. E_OS_ID, of
 * tables of different counters or strategies, too; E_OS_NOFUNC: `from` is stopped, or itself a next
 * one; E_OS_STATE: `to` is not stopped.
 */
static inline StatusType NextScheduleTable(ScheduleTableType from, ScheduleTableType to)
{
	return (StatusType)plf_call2(PLF_CALL_NEXT_TABLE, from, to).status;
}

/*
 * Of a table whose strategy is explicit, as the next two: it begins when SyncScheduleTable() has
 * said where it should be. E_OS_ID, of other tables, too; E_OS_STATE: it is not stopped.
 */
static inline StatusType StartScheduleTableSynchron(ScheduleTableType table)
{
	return (StatusType)plf_call1(PLF_CALL_START_TABLE_SYNCHRON, table).status;
}

/*
 * The table should be `value` ticks behind its beginning now. E_OS_ID; E_OS_VALUE: not below its
 * duration; E_OS_STATE: it is stopped, or a next one.
 */
static inline StatusType SyncScheduleTable(ScheduleTableType table, TickType value)
{
	return (StatusType)plf_call2(PLF_CALL_SYNC_TABLE, table, value).status;
}

/* It goes on as it is. E_OS_ID; E_OS_STATE: it does not run. */
static inline StatusType SetScheduletableAsync(ScheduleTableType table)
{
	return (StatusType)plf_call1(PLF_CALL_SET_TABLE_ASYNC, table).status;
}

/* E_OS_ID; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetScheduleTableStatus(ScheduleTableType table,
						ScheduleTableStatusRefType status)
{
	struct plf_result result =
		plf_call3(PLF_CALL_GET_TABLE_STATUS, table, 0, (uintptr_t)status);

	PLF_STORE(result, status);
	return (StatusType)result.status;
}
#endif

/* ---- Servers: kernel/server ------------------------------------------------ */

#if PLF_SERVERS
/*
 * What is left of the budget of a server, in nanoseconds, until its next replenishment; 0: nothing.
 * E_OS_ID; E_OS_CORE: another core's; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x].
 */
static inline StatusType GetBudget(ServerType server, uint64_t *left_ns)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_BUDGET, server, 0, (uintptr_t)left_ns);

	PLF_STORE(result, left_ns);
	return (StatusType)result.status;
}
#endif

/* ---- Interrupts: OSEK 13.3 ---------------------------------------------- */

static inline void DisableAllInterrupts(void)
{
	(void)plf_call0(PLF_CALL_DISABLE_ALL_INTERRUPTS);
}

static inline void EnableAllInterrupts(void)
{
	(void)plf_call0(PLF_CALL_ENABLE_ALL_INTERRUPTS);
}

static inline void SuspendAllInterrupts(void)
{
	(void)plf_call0(PLF_CALL_SUSPEND_ALL_INTERRUPTS);
}

static inline void ResumeAllInterrupts(void)
{
	(void)plf_call0(PLF_CALL_RESUME_ALL_INTERRUPTS);
}

static inline void SuspendOSInterrupts(void)
{
	(void)plf_call0(PLF_CALL_SUSPEND_OS_INTERRUPTS);
}

static inline void ResumeOSInterrupts(void)
{
	(void)plf_call0(PLF_CALL_RESUME_OS_INTERRUPTS);
}

/* AUTOSAR: the handler that executes this, or that a hook interrupted; a task is none. */
#ifndef GetISRID
static inline ISRType GetISRID(void)
{
	return INVALID_ISR;
}
#endif

/* ---- Control: OSEK 13.7 ------------------------------------------------- */

/* The mode that StartOS() was called with: os_cores.h. */
static inline AppModeType GetActiveApplicationMode(void)
{
	return (AppModeType)plf_call0(PLF_CALL_GET_ACTIVE_APPLICATION_MODE).value;
}

/*
 * Ends the caller's core; the last one to end ends the system, with the first status that is not
 * E_OK. Does not return where it is allowed: tasks, interrupts, ErrorHook, StartupHook.
 */
static inline void ShutdownOS(StatusType status)
{
	(void)plf_call1(PLF_CALL_SHUTDOWN_OS, status);
}

/* Ends the system; ShutdownHook runs on the caller's core. As ShutdownOS() else. */
static inline void ShutdownAllCores(StatusType status)
{
	(void)plf_call1(PLF_CPUS == 1 ? PLF_CALL_SHUTDOWN_OS : PLF_CALL_SHUTDOWN_ALL_CORES, status);
}

/* ---- Cores: AUTOSAR ------------------------------------------------------ */

/* The core that executes this: 0 to PLF_CPUS - 1. */
static inline CoreIdType GetCoreID(void)
{
	return PLF_CPUS == 1 ? 0 : (CoreIdType)plf_call0(PLF_CALL_GET_CORE_ID).value;
}

static inline uint32_t GetNumberOfActivatedCores(void)
{
	if (PLF_CPUS == 1)
		return 1;
	return (uint32_t)plf_call0(PLF_CALL_GET_NUMBER_OF_ACTIVATED_CORES).value;
}

/*
 * ---- Resources: OSEK 13.4; in the folder of the protocol ----------------
 *
 * E_OS_ID; E_OS_CORE: the resource is another core's; E_OS_ACCESS of GetResource: the task has not
 * declared it, or holds it; E_OS_NOFUNC of ReleaseResource: it is not the section entered last. To
 * a handler they give these in both kinds of status.
 *
 * A resource with users in several servers (kernel/sharing.h) has the same services: which policy
 * its server has, a task cannot see. Under skipping GetResource() may return in a later period.
 * E_OS_RESOURCE [x]: it holds one of its own server, or the other way round. A section that lasts
 * longer than its server may is ended: E_OS_PROTECTION_LOCKED, to ProtectionHook.
 */
#include "plf_resource.h"

/*
 * ---- Global resources, whose users are on several cores; in the folder of the protocol ----
 *
 * Mueller 2014, Section VII: GetMPCPResource(), ReleaseMPCPResource(). E_OS_ID: no global resource.
 * E_OS_ACCESS [x]: not the task's, or it holds it; E_OS_RESOURCE [x]: it holds another one, and
 * these sections are outermost. Of a release E_OS_NOFUNC [x]: not the one entered last.
 *
 * AUTOSAR's spinlocks: GetSpinlock(), TryToGetSpinlock(), ReleaseSpinlock(). All [x]. E_OS_ID: no
 * spinlock. E_OS_ACCESS: not the task's. E_OS_INTERFERENCE_DEADLOCK: a task of this core holds it,
 * and that is perhaps the caller. E_OS_NESTING_DEADLOCK: the lock entered last has it not among its
 * successors. E_OS_PARAM_POINTER. Of
 * a release E_OS_STATE: the task does not hold it; E_OS_NOFUNC: another section has to be left
 * before.
 */
#include "plf_global.h"

/* ---- Applications: AUTOSAR --------------------------------------------------- */
#if PLF_APPLICATIONS
#include "os_applications.h"
#endif

/* ---- Messages: OSEK COM 3.0.3 ------------------------------------------------ */
#if PLF_MESSAGES
#include "os_com.h"
#endif

#endif
