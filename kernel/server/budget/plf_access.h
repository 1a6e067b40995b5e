/* SPDX-License-Identifier: MIT */
#ifndef PLF_ACCESS_H
#define PLF_ACCESS_H

/*
 * Services that affect tasks of other servers. The description lists the servers that a server may
 * signal.
 */

/* A number that names no task passes here, because the service itself refuses it. */
static inline StatusType plf_access_to_task(const struct plf_core *core, uintptr_t task)
{
	if (task >= PLF_TASKS || core->server->signals & plf_tasks[task].server->mark)
		return E_OK;
	return E_OS_ACCESS;
}

/* Each alarm of the counter may expire, so the caller must be allowed to signal all their tasks. */
static inline StatusType plf_access_to_counter(const struct plf_core *core, uintptr_t counter)
{
	if (counter >= PLF_COUNTERS || !(plf_counter_signals[counter] & ~core->server->signals))
		return E_OK;
	return E_OS_ACCESS;
}

static inline StatusType plf_access_to_alarm(const struct plf_core *core, uintptr_t alarm)
{
	return alarm < PLF_ALARMS ? plf_access_to_task(core, plf_alarm_config[alarm].task) : E_OK;
}

static inline StatusType plf_access(struct plf_core *core, uintptr_t number, uintptr_t id)
{
	const uint64_t of_tasks = UINT64_C(1) << PLF_CALL_ACTIVATE_TASK |
				  UINT64_C(1) << PLF_CALL_CHAIN_TASK |
				  UINT64_C(1) << PLF_CALL_SET_EVENT;
	const uint64_t of_alarms = UINT64_C(1) << PLF_CALL_SET_REL_ALARM |
				   UINT64_C(1) << PLF_CALL_SET_ABS_ALARM |
				   UINT64_C(1) << PLF_CALL_CANCEL_ALARM;

	if (of_tasks >> number & 1)
		return plf_access_to_task(core, id);
	if (number == PLF_CALL_INCREMENT_COUNTER)
		return plf_access_to_counter(core, id);
	return of_alarms >> number & 1 ? plf_access_to_alarm(core, id) : E_OK;
}

#endif
