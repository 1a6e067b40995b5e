/* SPDX-License-Identifier: MIT */
/*
 * The services, generated from kernel/services.toml. The functions for tasks, and those for hooks
 * and handlers: a task that these make ready preempts when the code that called has ended.
 */
/* clang-format off */
#ifndef SERVICE
plf_service plf_preempt;
plf_service plf_activate_task, plf_activate_later, plf_terminate_task, plf_chain_task, plf_schedule,
	plf_get_task_id, plf_get_task_state;
plf_service plf_get_in_routine, plf_release_in_routine;
plf_service plf_set_event, plf_set_event_later, plf_clear_event, plf_get_event, plf_wait_event;
plf_service plf_get_alarm_base, plf_get_alarm, plf_set_rel_alarm, plf_set_abs_alarm,
	plf_cancel_alarm;
plf_service plf_increment_counter, plf_increment_later;
plf_service plf_disable_all, plf_enable_all, plf_suspend_all, plf_resume_all, plf_suspend_os,
	plf_resume_os;
plf_service plf_shutdown_os;
plf_service plf_write_console;
plf_service plf_get_core_id, plf_get_number_of_cores, plf_shutdown_all_cores;
plf_service plf_get_global, plf_release_global;
plf_service plf_get_budget;
plf_service plf_await_budget;
plf_service plf_get_counter_value, plf_get_elapsed_value;
plf_service plf_start_table_rel, plf_start_table_abs, plf_stop_table, plf_next_table,
	plf_get_table_status, plf_start_table_synchron, plf_sync_table, plf_set_table_async;
plf_service plf_get_application_id, plf_check_object_access, plf_check_object_ownership;
plf_service plf_terminate_application, plf_terminate_later, plf_get_application_state,
	plf_allow_access;
plf_service plf_call_trusted_function;
plf_service plf_get_current_application_id;
plf_service plf_check_task_memory_access;
plf_service plf_call_non_trusted_function;
plf_service plf_send_message, plf_receive_message, plf_send_zero_message, plf_get_message_status,
	plf_init_message, plf_start_com, plf_stop_com, plf_get_com_application_mode;
#else
/*
 * A row for each service of this image, for the tables of its includer: the number, the function
 * for tasks, that for hooks and handlers, and where these may call it; the bytes that user code
 * stores at the third argument; 1 + the kind of object that the first argument names, or 0.
 */
SERVICE(NULL, nothing, NULL, 0, 0, 0)
SERVICE(PREEMPT, plf_preempt, NULL, 0, 0, 0)
SERVICE(ACTIVATE_TASK, plf_activate_task, plf_activate_later, HANDLING, 0, 1 + OBJECT_TASK)
SERVICE(TERMINATE_TASK, plf_terminate_task, NULL, 0, 0, 0)
SERVICE(CHAIN_TASK, plf_chain_task, NULL, 0, 0, 1 + OBJECT_TASK)
SERVICE(SCHEDULE, plf_schedule, NULL, 0, 0, 0)
SERVICE(GET_TASK_ID, plf_get_task_id, plf_get_task_id, ASKING, sizeof(TaskType), 0)
SERVICE(GET_TASK_STATE, plf_get_task_state, plf_get_task_state, ASKING, sizeof(TaskStateType),
	1 + OBJECT_TASK)
SERVICE(GET_RESOURCE, get_resource, PLF_ISR_RESOURCES ? plf_get_in_routine : NULL,
	PLF_ISR_RESOURCES ? ISR_ONLY : 0, 0, 0)
SERVICE(RELEASE_RESOURCE, release_resource, PLF_ISR_RESOURCES ? plf_release_in_routine : NULL,
	PLF_ISR_RESOURCES ? ISR_ONLY : 0, 0, 0)
SERVICE(SET_EVENT, PLF_EVENTS ? plf_set_event : no_events_of,
	PLF_EVENTS ? plf_set_event_later : no_events_of, HANDLING, 0, 1 + OBJECT_TASK)
SERVICE(CLEAR_EVENT, PLF_EVENTS ? plf_clear_event : no_events, NULL, 0, 0, 0)
SERVICE(GET_EVENT, PLF_EVENTS ? plf_get_event : no_events_of,
	PLF_EVENTS ? plf_get_event : no_events_of, ASKING, sizeof(EventMaskType), 1 + OBJECT_TASK)
SERVICE(WAIT_EVENT, PLF_EVENTS ? plf_wait_event : no_events, NULL, 0, 0, 0)
SERVICE(GET_ALARM_BASE, PLF_ALARMS ? plf_get_alarm_base : no_object,
	PLF_ALARMS ? plf_get_alarm_base : no_object, ASKING, sizeof(AlarmBaseType),
	1 + OBJECT_ALARM)
SERVICE(GET_ALARM, PLF_ALARMS ? plf_get_alarm : no_object, PLF_ALARMS ? plf_get_alarm : no_object,
	ASKING, sizeof(TickType), 1 + OBJECT_ALARM)
SERVICE(SET_REL_ALARM, PLF_ALARMS ? plf_set_rel_alarm : no_object,
	PLF_ALARMS ? plf_set_rel_alarm : no_object, HANDLING, 0, 1 + OBJECT_ALARM)
SERVICE(SET_ABS_ALARM, PLF_ALARMS ? plf_set_abs_alarm : no_object,
	PLF_ALARMS ? plf_set_abs_alarm : no_object, HANDLING, 0, 1 + OBJECT_ALARM)
SERVICE(CANCEL_ALARM, PLF_ALARMS ? plf_cancel_alarm : no_object,
	PLF_ALARMS ? plf_cancel_alarm : no_object, HANDLING, 0, 1 + OBJECT_ALARM)
SERVICE(INCREMENT_COUNTER, PLF_COUNTERS ? plf_increment_counter : no_object,
	PLF_COUNTERS ? plf_increment_later : no_object, HANDLING, 0, 1 + OBJECT_COUNTER)
SERVICE(DISABLE_ALL_INTERRUPTS, plf_disable_all, plf_disable_all, NOT_IN_CALLBACK, 0, 0)
SERVICE(ENABLE_ALL_INTERRUPTS, plf_enable_all, plf_enable_all, NOT_IN_CALLBACK, 0, 0)
SERVICE(SUSPEND_ALL_INTERRUPTS, plf_suspend_all, plf_suspend_all, ANYWHERE, 0, 0)
SERVICE(RESUME_ALL_INTERRUPTS, plf_resume_all, plf_resume_all, ANYWHERE, 0, 0)
SERVICE(SUSPEND_OS_INTERRUPTS, plf_suspend_os, plf_suspend_os, NOT_IN_CALLBACK, 0, 0)
SERVICE(RESUME_OS_INTERRUPTS, plf_resume_os, plf_resume_os, NOT_IN_CALLBACK, 0, 0)
SERVICE(GET_ACTIVE_APPLICATION_MODE, application_mode, application_mode, INFORMING, 0, 0)
SERVICE(SHUTDOWN_OS, plf_shutdown_os, plf_shutdown_os, ENDING, 0, 0)
SERVICE(MISSING_TERMINATE, missing_terminate, NULL, 0, 0, 0)
SERVICE(ERROR, error, NULL, 0, 0, 0)
#if PLF_CONSOLE
SERVICE(WRITE_CONSOLE, plf_write_console, NULL, 0, 0, 0)
#endif
#if PLF_CPUS > 1
SERVICE(GET_CORE_ID, plf_get_core_id, plf_get_core_id, ANYWHERE, 0, 0)
SERVICE(GET_NUMBER_OF_ACTIVATED_CORES, plf_get_number_of_cores, plf_get_number_of_cores, ANYWHERE,
	0, 0)
SERVICE(SHUTDOWN_ALL_CORES, plf_shutdown_all_cores, plf_shutdown_all_cores, ENDING, 0, 0)
#endif
#if PLF_GLOBALS
SERVICE(GET_GLOBAL, !PLF_GLOBAL_SPINS ? plf_get_global : no_service, NULL, 0, 0, 0)
SERVICE(RELEASE_GLOBAL, !PLF_GLOBAL_SPINS ? plf_release_global : no_service, NULL, 0, 0, 0)
SERVICE(TRY_TO_GET_GLOBAL, no_service, NULL, 0, 0, 0)
#endif
#if PLF_SERVERS
SERVICE(GET_BUDGET, plf_get_budget, NULL, 0, sizeof(uint64_t), 0)
#endif
#if PLF_OF_SERVERS
SERVICE(AWAIT_BUDGET, plf_await_budget, NULL, 0, 0, 0)
#endif
#if PLF_COUNTERS
SERVICE(GET_COUNTER_VALUE, plf_get_counter_value, plf_get_counter_value, HANDLING, sizeof(TickType),
	1 + OBJECT_COUNTER)
SERVICE(GET_ELAPSED_VALUE, plf_get_elapsed_value, plf_get_elapsed_value, HANDLING, sizeof(TickType),
	1 + OBJECT_COUNTER)
#endif
#if PLF_SCHEDULE_TABLES
SERVICE(START_TABLE_REL, plf_start_table_rel, plf_start_table_rel, HANDLING, 0,
	1 + OBJECT_SCHEDULETABLE)
SERVICE(START_TABLE_ABS, plf_start_table_abs, plf_start_table_abs, HANDLING, 0,
	1 + OBJECT_SCHEDULETABLE)
SERVICE(STOP_TABLE, plf_stop_table, plf_stop_table, HANDLING, 0, 1 + OBJECT_SCHEDULETABLE)
SERVICE(NEXT_TABLE, plf_next_table, plf_next_table, HANDLING, 0, 1 + OBJECT_SCHEDULETABLE)
SERVICE(GET_TABLE_STATUS, plf_get_table_status, plf_get_table_status, HANDLING,
	sizeof(ScheduleTableStatusType), 1 + OBJECT_SCHEDULETABLE)
SERVICE(START_TABLE_SYNCHRON, plf_start_table_synchron, plf_start_table_synchron, HANDLING, 0,
	1 + OBJECT_SCHEDULETABLE)
SERVICE(SYNC_TABLE, plf_sync_table, plf_sync_table, HANDLING, 0, 1 + OBJECT_SCHEDULETABLE)
SERVICE(SET_TABLE_ASYNC, plf_set_table_async, plf_set_table_async, HANDLING, 0,
	1 + OBJECT_SCHEDULETABLE)
#endif
#if PLF_APPLICATIONS
SERVICE(GET_APPLICATION_ID, plf_get_application_id, plf_get_application_id, INSIDE, 0, 0)
SERVICE(CHECK_OBJECT_ACCESS, plf_check_object_access, plf_check_object_access, CHECKING, 0, 0)
SERVICE(CHECK_OBJECT_OWNERSHIP, plf_check_object_ownership, plf_check_object_ownership, CHECKING, 0,
	0)
#endif
#if PLF_TERMINATION
SERVICE(TERMINATE_APPLICATION, plf_terminate_application, PLF_ISRS ? plf_terminate_later : NULL,
	PLF_ISRS ? ISR_ONLY : 0, 0, 0)
SERVICE(GET_APPLICATION_STATE, plf_get_application_state, plf_get_application_state, INSIDE,
	sizeof(ApplicationStateType), 0)
SERVICE(ALLOW_ACCESS, plf_allow_access, plf_allow_access, HANDLING, 0, 0)
#endif
#if PLF_TRUSTED_FUNCTIONS
SERVICE(CALL_TRUSTED_FUNCTION, plf_call_trusted_function, plf_call_trusted_function, ISR_ONLY, 0, 0)
#endif
#if PLF_TRUSTED_FUNCTIONS || PLF_PROTECTED_FUNCTIONS
SERVICE(GET_CURRENT_APPLICATION_ID, plf_get_current_application_id, plf_get_current_application_id,
	INSIDE, 0, 0)
#endif
#if PLF_TRUSTED_FUNCTIONS
SERVICE(CHECK_TASK_MEMORY_ACCESS, plf_check_task_memory_access, plf_check_task_memory_access,
	CHECKING, 0, 0)
#endif
#if PLF_PROTECTED_FUNCTIONS
SERVICE(CALL_NON_TRUSTED_FUNCTION, plf_call_non_trusted_function, NULL, 0, 0, 0)
#endif
#if PLF_MESSAGES
SERVICE(SEND_MESSAGE, plf_send_message, plf_send_message, SENDING, 0, 0)
SERVICE(RECEIVE_MESSAGE, plf_receive_message, plf_receive_message, HANDLING, 0, 0)
SERVICE(SEND_ZERO_MESSAGE, plf_send_zero_message, plf_send_zero_message, SENDING, 0, 0)
SERVICE(GET_MESSAGE_STATUS, plf_get_message_status, plf_get_message_status, ASKING, 0, 0)
SERVICE(INIT_MESSAGE, plf_init_message, plf_init_message, HANDLING, 0, 0)
SERVICE(START_COM, plf_start_com, NULL, 0, 0, 0)
SERVICE(STOP_COM, plf_stop_com, NULL, 0, 0, 0)
SERVICE(GET_COM_APPLICATION_MODE, plf_get_com_application_mode, plf_get_com_application_mode,
	INFORMING, 0, 0)
#endif
#undef SERVICE
#endif
