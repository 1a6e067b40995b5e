/* SPDX-License-Identifier: MIT */
/* What a task of one server may do to those of others: what the description says. */
#include "server.h"

/* The task that the service makes ready, or whose alarm it sets; PLF_TASKS: none. */
static unsigned concerned(uintptr_t number, uintptr_t id)
{
	switch (number) {
	case PLF_CALL_ACTIVATE_TASK:
	case PLF_CALL_CHAIN_TASK:
	case PLF_CALL_SET_EVENT:
		return id < PLF_TASKS ? (unsigned)id : PLF_TASKS;
	case PLF_CALL_SET_REL_ALARM:
	case PLF_CALL_SET_ABS_ALARM:
	case PLF_CALL_CANCEL_ALARM:
		return id < PLF_ALARMS ? plf_alarm_config[id].task : PLF_TASKS;
	default:
		return PLF_TASKS;
	}
}

/* Where a CPU has no servers, nothing is promised of its tasks, nor to them. */
StatusType plf_access_of(struct plf_core *core, uintptr_t number, uintptr_t id)
{
	unsigned task = concerned(number, id);
	unsigned own = plf_queue_number(core);
	unsigned other = task < PLF_TASKS ? plf_task_config[task].server : own;

	if (other == own || own >= PLF_SERVERS || other >= PLF_SERVERS)
		return E_OK;
	return plf_server_config[own].signals >> other & 1 ? E_OK : E_OS_ACCESS;
}
