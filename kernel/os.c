/* SPDX-License-Identifier: MIT */
/* The start and the end: OSEK 2.2.3, Sections 5 and 13.7. */
#include "plf_schedule.h"
#include "port.h"
#include "service.h"

struct plf_core plf_cores[1];
struct plf_task plf_tasks[PLF_TASKS];
static struct plf_context contexts[PLF_TASKS];

static void prepare_tasks(void)
{
	for (unsigned index = 0; index < PLF_TASKS; index++) {
		const struct plf_task_config *config = &plf_task_config[index];
		struct plf_task *task = &plf_tasks[index];

		task->config = config;
		task->context = &contexts[index];
		task->index = (uint8_t)index;
		task->resources = config->resources;
		task->room = config->activations;
		task->most = config->activations;
		plf_prepare_urgency(task);
		plf_forget_words(task);
	}
}

static void start_tasks(struct plf_core *core)
{
	for (unsigned index = 0; index < PLF_TASKS; index++)
		if (plf_task_config[index].autostart)
			(void)plf_activate(core, &plf_tasks[index]);
}

void plf_start(void)
{
	struct plf_core *core = plf_this_core();

	core->words = &plf_page.words;
	plf_prepare_queue(core);
	prepare_tasks();
	plf_take_time(core);
	core->place = PLF_IN_STARTUP_HOOK;
	if (PLF_STARTUP_HOOK)
		StartupHook();
	start_tasks(core);
	if (PLF_ALARMS)
		plf_start_alarms();
	if (PLF_TRACE)
		plf_trace_start();
	core->place = PLF_IN_TASK;
	plf_dispatch(core);
}

void plf_idle(void)
{
	if (PLF_TRACE)
		plf_trace_idle();
}

_Noreturn void plf_shut_down(StatusType status)
{
	struct plf_core *core = plf_this_core();

	if (PLF_TRACE && status == E_OK)
		plf_trace_end("shutdown");
	core->place = PLF_IN_SHUTDOWN_HOOK;
	if (PLF_SHUTDOWN_HOOK)
		ShutdownHook(status);
	plf_port_end(status);
}

/* Codes beyond these are the runner's. */
enum { PLF_LAST_STATUS = 99 };

struct plf_result plf_shutdown_os(uintptr_t status, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_shut_down(status <= PLF_LAST_STATUS ? (StatusType)status : E_OS_VALUE);
}
