/* SPDX-License-Identifier: MIT */
/* What a task of one server may do to those of others: what the description says. */
#include "server.h"

/* Where a CPU has no servers, nothing is promised of its tasks, nor to them. */
static StatusType access_to(const struct plf_core *core, unsigned other)
{
	unsigned own = plf_queue_number(core);

	if (own >= PLF_SERVERS || other >= PLF_SERVERS)
		return E_OK;
	return plf_server_config[own].signals >> other & 1 ? E_OK : E_OS_ACCESS;
}

/* The service itself refuses numbers that name nothing. */
StatusType plf_access_to_task(struct plf_core *core, uintptr_t task)
{
	if (task >= PLF_TASKS || plf_tasks[task].server == core->server)
		return E_OK;
	return access_to(core, plf_task_config[task].server);
}

/* All alarms of the counter may expire. */
StatusType plf_access_to_counter(struct plf_core *core, uintptr_t counter)
{
	unsigned own = plf_queue_number(core);

	if (counter >= PLF_COUNTERS || own >= PLF_SERVERS)
		return E_OK;
	return plf_counter_signals[counter] & ~(plf_server_config[own].signals | UINT64_C(1) << own)
		       ? E_OS_ACCESS
		       : E_OK;
}

StatusType plf_access_to_alarm(struct plf_core *core, uintptr_t alarm)
{
	return alarm < PLF_ALARMS ? plf_access_to_task(core, plf_alarm_config[alarm].task) : E_OK;
}
