/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_H
#define PLF_OS_H

/*
 * The API of OSEK OS 2.2.3, Section 13, and parts of AUTOSAR OS. It is the same for tasks, hooks
 * and interrupt handlers of category 2. The names of objects are in system.h, which is generated
 * from the description. Extended status adds the errors marked [x].
 *
 * Hooks, handlers and callbacks of alarms get E_OS_CALLEVEL in both kinds of status. [x] While the
 * caller holds interrupts back, every service except the interrupt services returns
 * E_OS_DISABLEDINT.
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

/* Data that only this task can reach. Zero at the start. */
#define TASK_DATA(name) __attribute__((section(".plf_task." #name)))

/* Store a call's result through the caller's pointer, in the caller's mode. */
#define PLF_STORE(result, reference)                                                               \
	do {                                                                                       \
		if ((result).status == E_OK)                                                       \
			*(reference) = (__typeof__(*(reference)))(result).value;                   \
	} while (0)

/* ---- Tasks: OSEK 13.2 --------------------------------------------------- */

/* E_OS_ID: no such task; E_OS_LIMIT: it has its maximum of activations. */
static inline StatusType ActivateTask(TaskType task)
{
	return (StatusType)plf_call1(PLF_CALL_ACTIVATE_TASK, task).status;
}

/* Returns only with E_OS_RESOURCE or E_OS_SPINLOCK [x], if the task is in such a section. */
static inline StatusType TerminateTask(void)
{
	return (StatusType)plf_call0(PLF_CALL_TERMINATE_TASK).status;
}

/* TerminateTask() and ActivateTask() in one call. E_OS_LIMIT: nothing happened. */
static inline StatusType ChainTask(TaskType task)
{
	return (StatusType)plf_call1(PLF_CALL_CHAIN_TASK, task).status;
}

/*
 * Releases the internal resource, so that more urgent tasks run. E_OS_RESOURCE, E_OS_SPINLOCK [x].
 */
static inline StatusType Schedule(void)
{
	return (StatusType)plf_call0(PLF_CALL_SCHEDULE).status;
}

/* INVALID_TASK: no task runs. E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
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

/* E_OS_ID; E_OS_ACCESS: a basic task; E_OS_STATE [x]: a suspended task, which gets no events. */
static inline StatusType SetEvent(TaskType task, EventMaskType events)
{
	return (StatusType)plf_call2(PLF_CALL_SET_EVENT, task, events).status;
}

/* E_OS_ACCESS: the caller is a basic task. */
static inline StatusType ClearEvent(EventMaskType events)
{
	return (StatusType)plf_call1(PLF_CALL_CLEAR_EVENT, events).status;
}

/* Errors as for SetEvent(); E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x]. */
static inline StatusType GetEvent(TaskType task, EventMaskRefType events)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_EVENT, task, 0, (uintptr_t)events);

	PLF_STORE(result, events);
	return (StatusType)result.status;
}

/*
 * Waits until one of the events is set. E_OS_ACCESS: a basic task; E_OS_RESOURCE, E_OS_SPINLOCK
 * [x].
 */
static inline StatusType WaitEvent(EventMaskType events)
{
	return (StatusType)plf_call1(PLF_CALL_WAIT_EVENT, events).status;
}

/* ---- Alarms: OSEK 13.6; counters: AUTOSAR ------------------------------- */

/* All services of alarms and counters return E_OS_CORE if the counter belongs to another core. */

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

/* Ticks until it expires. E_OS_ID; E_OS_NOFUNC: not set; pointer errors [x] as above. */
static inline StatusType GetAlarm(AlarmType alarm, TickRefType ticks)
{
	struct plf_result result = plf_call3(PLF_CALL_GET_ALARM, alarm, 0, (uintptr_t)ticks);

	PLF_STORE(result, ticks);
	return (StatusType)result.status;
}

/*
 * The alarm expires in 1 to maxallowedvalue ticks, and then every `cycle` ticks (0: once). E_OS_ID;
 * E_OS_STATE: already set; E_OS_VALUE: out of range, or a cycle below mincycle.
 */
static inline StatusType SetRelAlarm(AlarmType alarm, TickType increment, TickType cycle)
{
	return (StatusType)plf_call3(PLF_CALL_SET_REL_ALARM, alarm, increment, cycle).status;
}

/*
 * The alarm expires when the counter next reaches `start`, 0 to maxallowedvalue. Errors as for
 * SetRelAlarm().
 */
static inline StatusType SetAbsAlarm(AlarmType alarm, TickType start, TickType cycle)
{
	return (StatusType)plf_call3(PLF_CALL_SET_ABS_ALARM, alarm, start, cycle).status;
}

/* E_OS_ID; E_OS_NOFUNC: not set. */
static inline StatusType CancelAlarm(AlarmType alarm)
{
	return (StatusType)plf_call1(PLF_CALL_CANCEL_ALARM, alarm).status;
}

/* E_OS_ID: no such counter, or a counter that the timer drives. */
static inline StatusType IncrementCounter(CounterType counter)
{
	return (StatusType)plf_call1(PLF_CALL_INCREMENT_COUNTER, counter).status;
}

#if PLF_COUNTERS
/* The value is 0 to maxallowedvalue. E_OS_ID: no such counter; pointer errors [x] as above. */
static inline StatusType GetCounterValue(CounterType counter, TickRefType value)
{
	struct plf_result result =
		plf_call3(PLF_CALL_GET_COUNTER_VALUE, counter, 0, (uintptr_t)value);

	PLF_STORE(result, value);
	return (StatusType)result.status;
}

/*
 * Returns the ticks since the counter had `*value`, modulo a round of the counter, and updates
 * `*value`. Errors as for GetCounterValue(); E_OS_VALUE: above maxallowedvalue.
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

/* As with alarms, E_OS_CORE: the table's counter belongs to another core. */

/*
 * The table begins in `offset` ticks: 1 to maxallowedvalue less its first offset. E_OS_ID: no such
 * table, or its strategy is implicit; E_OS_VALUE; E_OS_STATE: it is not stopped.
 */
static inline StatusType StartScheduleTableRel(ScheduleTableType table, TickType offset)
{
	return (StatusType)plf_call2(PLF_CALL_START_TABLE_REL, table, offset).status;
}

/* The table begins when the counter next reaches `start`, 0 to maxallowedvalue. Errors as above. */
static inline StatusType StartScheduleTableAbs(ScheduleTableType table, TickType start)
{
	return (StatusType)plf_call2(PLF_CALL_START_TABLE_ABS, table, start).status;
}

/* Also cancels the table that was to begin at its end. E_OS_ID; E_OS_NOFUNC: it is stopped. */
static inline StatusType StopScheduleTable(ScheduleTableType table)
{
	return (StatusType)plf_call1(PLF_CALL_STOP_TABLE, table).status;
}

/*
 * `to` begins when `from` ends. It replaces a repetition of `from` and an earlier choice of the
 * next table. E_OS_ID: also for tables of different counters or strategies; E_OS_NOFUNC: `from` is
 * stopped, or is itself a next table; E_OS_STATE: `to` is not stopped.
 */
static inline StatusType NextScheduleTable(ScheduleTableType from, ScheduleTableType to)
{
	return (StatusType)plf_call2(PLF_CALL_NEXT_TABLE, from, to).status;
}

/*
 * For a table with the explicit strategy, as the next two services. The table begins after
 * SyncScheduleTable() has given its position. E_OS_ID: also for other tables; E_OS_STATE: it is not
 * stopped.
 */
static inline StatusType StartScheduleTableSynchron(ScheduleTableType table)
{
	return (StatusType)plf_call1(PLF_CALL_START_TABLE_SYNCHRON, table).status;
}

/*
 * States that the table should now be `value` ticks after its beginning. E_OS_ID; E_OS_VALUE: not
 * below its duration; E_OS_STATE: it is stopped, or is a next table.
 */
static inline StatusType SyncScheduleTable(ScheduleTableType table, TickType value)
{
	return (StatusType)plf_call2(PLF_CALL_SYNC_TABLE, table, value).status;
}

/* The table continues without synchronisation. E_OS_ID; E_OS_STATE: it does not run. */
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
 * Returns the remaining budget of a server until its next replenishment, in ns; 0: nothing is left.
 * E_OS_ID; E_OS_CORE: another core's server; E_OS_PARAM_POINTER, E_OS_ILLEGAL_ADDRESS [x].
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

/* AUTOSAR: the handler that calls this, or that a hook interrupted. INVALID_ISR for a task. */
#ifndef GetISRID
static inline ISRType GetISRID(void)
{
	return INVALID_ISR;
}
#endif

/* ---- Control: OSEK 13.7 ------------------------------------------------- */

/* The mode that was passed to StartOS(): os_cores.h. */
static inline AppModeType GetActiveApplicationMode(void)
{
	return (AppModeType)plf_call0(PLF_CALL_GET_ACTIVE_APPLICATION_MODE).value;
}

/*
 * Ends the caller's core. The last core ends the system, with the first status that is not E_OK.
 * Does not return if allowed: for tasks, interrupts, ErrorHook and StartupHook.
 */
static inline void ShutdownOS(StatusType status)
{
	(void)plf_call1(PLF_CALL_SHUTDOWN_OS, status);
}

/* Ends the system. ShutdownHook runs on the caller's core. Otherwise as ShutdownOS(). */
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
 * E_OS_ID. E_OS_CORE: the resource belongs to another core. E_OS_ACCESS of GetResource(): the task
 * has not declared it, or holds it. E_OS_NOFUNC of ReleaseResource(): its section was not entered
 * last. Handlers get these errors in both kinds of status.
 *
 * A resource with users in several servers (kernel/sharing.h) has the same services, whatever its
 * server's policy is. Under skipping, GetResource() may return in a later period. E_OS_RESOURCE
 * [x]: the task mixes such a resource with a resource of its server. A section that lasts longer
 * than allowed is ended, and ProtectionHook gets E_OS_PROTECTION_LOCKED.
 */
#include "plf_resource.h"

/*
 * ---- Global resources, whose users are on several cores; in the folder of the protocol ----
 *
 * Mueller 2014, Section VII: GetMPCPResource(), ReleaseMPCPResource(). E_OS_ID: no global resource.
 * E_OS_ACCESS [x]: the task has not declared it, or holds it. E_OS_RESOURCE [x]: the task holds
 * another resource, because these sections must be outermost. E_OS_NOFUNC [x] of a release: the
 * section was not entered last.
 *
 * AUTOSAR's spinlocks: GetSpinlock(), TryToGetSpinlock(), ReleaseSpinlock(). All errors are [x].
 * E_OS_ID: no spinlock. E_OS_ACCESS: the task has not declared it. E_OS_INTERFERENCE_DEADLOCK: a
 * task of this core holds it, perhaps the caller. E_OS_NESTING_DEADLOCK: it is not a successor of
 * the lock entered last. E_OS_PARAM_POINTER. For a release, E_OS_STATE: the task does not hold it;
 * E_OS_NOFUNC: another section must be left first.
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
