/* SPDX-License-Identifier: MIT */
/* The names for ErrorHook and COMErrorHook, generated from kernel/services.toml. */
#ifndef PLF_OS_ERRORS_H
#define PLF_OS_ERRORS_H

/* clang-format off */
/* What ErrorHook asks: OSEK 2.2.3, Section 11.2. Each answer is of the error that it is for. */
#include "os_calls.h"
#include "os_types.h"

/* The service that failed. An image has the names of its own services alone. */
OSServiceIdType OSErrorGetServiceId(void);

#define OSServiceId_ActivateTask PLF_CALL_ACTIVATE_TASK
#define OSServiceId_TerminateTask PLF_CALL_TERMINATE_TASK
#define OSServiceId_ChainTask PLF_CALL_CHAIN_TASK
#define OSServiceId_Schedule PLF_CALL_SCHEDULE
#define OSServiceId_GetTaskID PLF_CALL_GET_TASK_ID
#define OSServiceId_GetTaskState PLF_CALL_GET_TASK_STATE
#define OSServiceId_GetResource PLF_CALL_GET_RESOURCE
#define OSServiceId_ReleaseResource PLF_CALL_RELEASE_RESOURCE
#define OSServiceId_SetEvent PLF_CALL_SET_EVENT
#define OSServiceId_ClearEvent PLF_CALL_CLEAR_EVENT
#define OSServiceId_GetEvent PLF_CALL_GET_EVENT
#define OSServiceId_WaitEvent PLF_CALL_WAIT_EVENT
#define OSServiceId_GetAlarmBase PLF_CALL_GET_ALARM_BASE
#define OSServiceId_GetAlarm PLF_CALL_GET_ALARM
#define OSServiceId_SetRelAlarm PLF_CALL_SET_REL_ALARM
#define OSServiceId_SetAbsAlarm PLF_CALL_SET_ABS_ALARM
#define OSServiceId_CancelAlarm PLF_CALL_CANCEL_ALARM
#define OSServiceId_IncrementCounter PLF_CALL_INCREMENT_COUNTER
#define OSServiceId_DisableAllInterrupts PLF_CALL_DISABLE_ALL_INTERRUPTS
#define OSServiceId_EnableAllInterrupts PLF_CALL_ENABLE_ALL_INTERRUPTS
#define OSServiceId_SuspendAllInterrupts PLF_CALL_SUSPEND_ALL_INTERRUPTS
#define OSServiceId_ResumeAllInterrupts PLF_CALL_RESUME_ALL_INTERRUPTS
#define OSServiceId_SuspendOSInterrupts PLF_CALL_SUSPEND_OS_INTERRUPTS
#define OSServiceId_ResumeOSInterrupts PLF_CALL_RESUME_OS_INTERRUPTS
#define OSServiceId_GetActiveApplicationMode PLF_CALL_GET_ACTIVE_APPLICATION_MODE
#define OSServiceId_ShutdownOS PLF_CALL_SHUTDOWN_OS
#define OSServiceId_StartOS PLF_CALL_NULL
#if PLF_CONSOLE
#define OSServiceId_WriteConsole PLF_CALL_WRITE_CONSOLE
#endif
#if PLF_CPUS > 1
#define OSServiceId_GetCoreID PLF_CALL_GET_CORE_ID
#define OSServiceId_GetNumberOfActivatedCores PLF_CALL_GET_NUMBER_OF_ACTIVATED_CORES
#define OSServiceId_ShutdownAllCores PLF_CALL_SHUTDOWN_ALL_CORES
#endif
#if PLF_GLOBALS
#define OSServiceId_GetMPCPResource PLF_CALL_GET_GLOBAL
#define OSServiceId_ReleaseMPCPResource PLF_CALL_RELEASE_GLOBAL
#define OSServiceId_GetSpinlock PLF_CALL_GET_GLOBAL
#define OSServiceId_ReleaseSpinlock PLF_CALL_RELEASE_GLOBAL
#define OSServiceId_TryToGetSpinlock PLF_CALL_TRY_TO_GET_GLOBAL
#endif
#if PLF_SERVERS
#define OSServiceId_GetBudget PLF_CALL_GET_BUDGET
#endif
#if PLF_COUNTERS
#define OSServiceId_GetCounterValue PLF_CALL_GET_COUNTER_VALUE
#define OSServiceId_GetElapsedValue PLF_CALL_GET_ELAPSED_VALUE
#endif
#if PLF_SCHEDULE_TABLES
#define OSServiceId_StartScheduleTableRel PLF_CALL_START_TABLE_REL
#define OSServiceId_StartScheduleTableAbs PLF_CALL_START_TABLE_ABS
#define OSServiceId_StopScheduleTable PLF_CALL_STOP_TABLE
#define OSServiceId_NextScheduleTable PLF_CALL_NEXT_TABLE
#define OSServiceId_GetScheduleTableStatus PLF_CALL_GET_TABLE_STATUS
#define OSServiceId_StartScheduleTableSynchron PLF_CALL_START_TABLE_SYNCHRON
#define OSServiceId_SyncScheduleTable PLF_CALL_SYNC_TABLE
#define OSServiceId_SetScheduletableAsync PLF_CALL_SET_TABLE_ASYNC
#endif
#if PLF_APPLICATIONS
#define OSServiceId_GetApplicationID PLF_CALL_GET_APPLICATION_ID
#define OSServiceId_CheckObjectAccess PLF_CALL_CHECK_OBJECT_ACCESS
#define OSServiceId_CheckObjectOwnership PLF_CALL_CHECK_OBJECT_OWNERSHIP
#endif
#if PLF_TERMINATION
#define OSServiceId_TerminateApplication PLF_CALL_TERMINATE_APPLICATION
#define OSServiceId_GetApplicationState PLF_CALL_GET_APPLICATION_STATE
#define OSServiceId_AllowAccess PLF_CALL_ALLOW_ACCESS
#endif
#if PLF_TRUSTED_FUNCTIONS
#define OSServiceId_CallTrustedFunction PLF_CALL_CALL_TRUSTED_FUNCTION
#endif
#if PLF_TRUSTED_FUNCTIONS || PLF_PROTECTED_FUNCTIONS
#define OSServiceId_GetCurrentApplicationID PLF_CALL_GET_CURRENT_APPLICATION_ID
#endif
#if PLF_TRUSTED_FUNCTIONS
#define OSServiceId_CheckTaskMemoryAccess PLF_CALL_CHECK_TASK_MEMORY_ACCESS
#endif
#if PLF_PROTECTED_FUNCTIONS
#define OSServiceId_CallNonTrustedFunction PLF_CALL_CALL_NON_TRUSTED_FUNCTION
#endif
#if PLF_MESSAGES
#define COMServiceId_SendMessage PLF_CALL_SEND_MESSAGE
#define COMServiceId_ReceiveMessage PLF_CALL_RECEIVE_MESSAGE
#define COMServiceId_SendZeroMessage PLF_CALL_SEND_ZERO_MESSAGE
#define COMServiceId_GetMessageStatus PLF_CALL_GET_MESSAGE_STATUS
#define COMServiceId_InitMessage PLF_CALL_INIT_MESSAGE
#define COMServiceId_StartCOM PLF_CALL_START_COM
#define COMServiceId_StopCOM PLF_CALL_STOP_COM
#define COMServiceId_GetCOMApplicationMode PLF_CALL_GET_COM_APPLICATION_MODE
#endif

/*
 * Its parameters, in a description with `parameters = true` in [kernel]. Of a task's call
 * they are what the task passed, whatever that is: a pointer is not to be followed.
 */
uintptr_t plf_error_parameter(unsigned place);

/* A size, where they are described: else the compiler reports this. */
#define PLF_DESCRIBED                                                                              \
	sizeof(struct {                                                                            \
		_Static_assert(PLF_ERROR_PARAMETERS, "write parameters = true in [kernel]");       \
		char unused;                                                                       \
	})
#define PLF_ERROR_PARAMETER(type, place) ((type)plf_error_parameter((place) + 0 * PLF_DESCRIBED))

#define OSError_ActivateTask_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_ChainTask_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_GetTaskID_TaskID() PLF_ERROR_PARAMETER(TaskRefType, 2)
#define OSError_GetTaskState_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_GetTaskState_State() PLF_ERROR_PARAMETER(TaskStateRefType, 2)
#define OSError_GetResource_ResID() PLF_ERROR_PARAMETER(ResourceType, 0)
#define OSError_ReleaseResource_ResID() PLF_ERROR_PARAMETER(ResourceType, 0)
#define OSError_SetEvent_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_SetEvent_Mask() PLF_ERROR_PARAMETER(EventMaskType, 1)
#define OSError_ClearEvent_Mask() PLF_ERROR_PARAMETER(EventMaskType, 0)
#define OSError_GetEvent_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_GetEvent_Event() PLF_ERROR_PARAMETER(EventMaskRefType, 2)
#define OSError_WaitEvent_Mask() PLF_ERROR_PARAMETER(EventMaskType, 0)
#define OSError_GetAlarmBase_AlarmID() PLF_ERROR_PARAMETER(AlarmType, 0)
#define OSError_GetAlarmBase_Info() PLF_ERROR_PARAMETER(AlarmBaseRefType, 2)
#define OSError_GetAlarm_AlarmID() PLF_ERROR_PARAMETER(AlarmType, 0)
#define OSError_GetAlarm_Tick() PLF_ERROR_PARAMETER(TickRefType, 2)
#define OSError_SetRelAlarm_AlarmID() PLF_ERROR_PARAMETER(AlarmType, 0)
#define OSError_SetRelAlarm_increment() PLF_ERROR_PARAMETER(TickType, 1)
#define OSError_SetRelAlarm_cycle() PLF_ERROR_PARAMETER(TickType, 2)
#define OSError_SetAbsAlarm_AlarmID() PLF_ERROR_PARAMETER(AlarmType, 0)
#define OSError_SetAbsAlarm_start() PLF_ERROR_PARAMETER(TickType, 1)
#define OSError_SetAbsAlarm_cycle() PLF_ERROR_PARAMETER(TickType, 2)
#define OSError_CancelAlarm_AlarmID() PLF_ERROR_PARAMETER(AlarmType, 0)
#define OSError_IncrementCounter_CounterID() PLF_ERROR_PARAMETER(CounterType, 0)
#define OSError_ShutdownOS_Error() PLF_ERROR_PARAMETER(StatusType, 0)
#define OSError_WriteConsole_size() PLF_ERROR_PARAMETER(size_t, 1)
#define OSError_GetMPCPResource_ResID() PLF_ERROR_PARAMETER(ResourceType, 0)
#define OSError_ReleaseMPCPResource_ResID() PLF_ERROR_PARAMETER(ResourceType, 0)
#define OSError_GetSpinlock_SpinlockId() PLF_ERROR_PARAMETER(SpinlockIdType, 0)
#define OSError_ReleaseSpinlock_SpinlockId() PLF_ERROR_PARAMETER(SpinlockIdType, 0)
#define OSError_TryToGetSpinlock_SpinlockId() PLF_ERROR_PARAMETER(SpinlockIdType, 0)
#define OSError_GetBudget_ServerID() PLF_ERROR_PARAMETER(ServerType, 0)
#define OSError_GetCounterValue_CounterID() PLF_ERROR_PARAMETER(CounterType, 0)
#define OSError_GetCounterValue_Value() PLF_ERROR_PARAMETER(TickRefType, 2)
#define OSError_GetElapsedValue_CounterID() PLF_ERROR_PARAMETER(CounterType, 0)
#define OSError_GetElapsedValue_ElapsedValue() PLF_ERROR_PARAMETER(TickRefType, 2)
#define OSError_StartScheduleTableRel_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_StartScheduleTableRel_Offset() PLF_ERROR_PARAMETER(TickType, 1)
#define OSError_StartScheduleTableAbs_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_StartScheduleTableAbs_Start() PLF_ERROR_PARAMETER(TickType, 1)
#define OSError_StopScheduleTable_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_NextScheduleTable_ScheduleTableID_From() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_NextScheduleTable_ScheduleTableID_To() PLF_ERROR_PARAMETER(ScheduleTableType, 1)
#define OSError_GetScheduleTableStatus_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_GetScheduleTableStatus_ScheduleStatus() \
	PLF_ERROR_PARAMETER(ScheduleTableStatusRefType, 2)
#define OSError_StartScheduleTableSynchron_ScheduleTableID() \
	PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_SyncScheduleTable_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_SyncScheduleTable_Value() PLF_ERROR_PARAMETER(TickType, 1)
#define OSError_SetScheduletableAsync_ScheduleTableID() PLF_ERROR_PARAMETER(ScheduleTableType, 0)
#define OSError_CheckObjectAccess_ApplID() PLF_ERROR_PARAMETER(ApplicationType, 0)
#define OSError_CheckObjectAccess_ObjectType() PLF_ERROR_PARAMETER(ObjectTypeType, 1)
#define OSError_CheckObjectAccess_Object() PLF_ERROR_PARAMETER(uintptr_t, 2)
#define OSError_CheckObjectOwnership_ObjectType() PLF_ERROR_PARAMETER(ObjectTypeType, 0)
#define OSError_CheckObjectOwnership_Object() PLF_ERROR_PARAMETER(uintptr_t, 1)
#define OSError_TerminateApplication_Application() PLF_ERROR_PARAMETER(ApplicationType, 0)
#define OSError_TerminateApplication_RestartOption() PLF_ERROR_PARAMETER(RestartType, 1)
#define OSError_GetApplicationState_Application() PLF_ERROR_PARAMETER(ApplicationType, 0)
#define OSError_GetApplicationState_Value() PLF_ERROR_PARAMETER(ApplicationStateRefType, 2)
#define OSError_CallTrustedFunction_FunctionIndex() \
	PLF_ERROR_PARAMETER(TrustedFunctionIndexType, 0)
#define OSError_CallTrustedFunction_FunctionParams() \
	PLF_ERROR_PARAMETER(TrustedFunctionParameterRefType, 1)
#define OSError_CheckTaskMemoryAccess_TaskID() PLF_ERROR_PARAMETER(TaskType, 0)
#define OSError_CheckTaskMemoryAccess_Address() PLF_ERROR_PARAMETER(MemoryStartAddressType, 1)
#define OSError_CheckTaskMemoryAccess_Size() PLF_ERROR_PARAMETER(MemorySizeType, 2)
#define OSError_CallNonTrustedFunction_FunctionIndex() PLF_ERROR_PARAMETER(FunctionIndexType, 0)
#define COMError_SendMessage_Message() PLF_ERROR_PARAMETER(MessageIdentifier, 0)
#define COMError_SendMessage_DataRef() PLF_ERROR_PARAMETER(ApplicationDataRef, 1)
#define COMError_ReceiveMessage_Message() PLF_ERROR_PARAMETER(MessageIdentifier, 0)
#define COMError_ReceiveMessage_DataRef() PLF_ERROR_PARAMETER(ApplicationDataRef, 1)
#define COMError_SendZeroMessage_Message() PLF_ERROR_PARAMETER(MessageIdentifier, 0)
#define COMError_GetMessageStatus_Message() PLF_ERROR_PARAMETER(MessageIdentifier, 0)
#define COMError_InitMessage_Message() PLF_ERROR_PARAMETER(MessageIdentifier, 0)
#define COMError_InitMessage_DataRef() PLF_ERROR_PARAMETER(ApplicationDataRef, 1)
#define COMError_StartCOM_Mode() PLF_ERROR_PARAMETER(COMApplicationModeType, 0)
#define COMError_StopCOM_Mode() PLF_ERROR_PARAMETER(COMShutdownModeType, 0)

#endif
