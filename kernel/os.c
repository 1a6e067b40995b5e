/* SPDX-License-Identifier: MIT */
/* The start and the end of the system: OSEK 2.2.3, Sections 5 and 13.7. */
#include "application_hooks.h"
#include "cores.h"
#include "mode.h"
#include "plf_schedule.h"
#include "port.h"
#include "schedule_table.h"
#include "server.h"
#include "service.h"

struct plf_core plf_cores[PLF_CPUS];
struct plf_task plf_tasks[PLF_TASKS];
uint32_t plf_noted_mode;
static struct plf_context contexts[PLF_TASKS];

static void prepare_task(unsigned index)
{
	const struct plf_task_config *config = &plf_task_config[index];
	struct plf_task *task = &plf_tasks[index];

	task->config = config;
	task->context = &contexts[index];
	task->index = (uint8_t)index;
	task->resources = config->resources;
	task->most = config->activations;
	plf_prepare_task(task);
	plf_prepare_urgency(task);
	plf_forget_words(task);
}

void plf_prepare(void)
{
	for (unsigned index = 0; index < PLF_CPUS; index++) {
		struct plf_core *core = &plf_cores[index];

		plf_prepare_core(core, index);
		core->words = index == 0 ? &plf_page.words : &plf_other_pages[index].words;
		plf_prepare_queues(core);
	}
	for (unsigned index = 0; index < PLF_TASKS; index++)
		prepare_task(index);
}

static void start_tasks(struct plf_core *core)
{
	for (unsigned index = 0; index < PLF_TASKS; index++)
		if (plf_starts_in(plf_task_config[index].modes) &&
		    plf_is_own(core, plf_task_config[index].core))
			(void)plf_activate(core, &plf_tasks[index]);
}

/* AUTOSAR, SWS_Os_00579 and 00580: all cores meet before StartupHook, and again after it. */
void plf_start(void)
{
	struct plf_core *core = plf_this_core();

	plf_take_time(core);
	core->place = PLF_IN_STARTUP_HOOK;
	plf_meet(PLF_BEFORE_STARTUP_HOOK);
	if (PLF_STARTUP_HOOK)
		StartupHook();
	if (PLF_APPLICATION_HOOKS)
		plf_call_startup_hooks(core);
	plf_meet(PLF_AFTER_STARTUP_HOOK);
	start_tasks(core);
	if (PLF_ALARMS)
		plf_start_alarms();
	if (PLF_SCHEDULE_TABLES)
		plf_start_schedule_tables();
	if (PLF_TRACE)
		plf_trace_start();
	plf_start_servers(core);
	core->place = PLF_IN_TASK;
	plf_dispatch(core);
	plf_leave_kernel(core);
}

void plf_idle(void)
{
	if (PLF_TRACE)
		plf_trace_idle();
}

static void call_shutdown_hook(StatusType status)
{
	if (PLF_TRACE && status == E_OK)
		plf_trace_end("shutdown");
	plf_this_core()->place = PLF_IN_SHUTDOWN_HOOK;
	if (PLF_APPLICATION_HOOKS)
		plf_call_shutdown_hooks(plf_this_core(), status);
	if (PLF_SHUTDOWN_HOOK)
		ShutdownHook(status);
}

_Noreturn void plf_shut_down(StatusType status)
{
	plf_port_note_end(status, "");
	call_shutdown_hook(status);
	plf_port_end(status);
}

_Noreturn void plf_shut_down_core(StatusType status)
{
	plf_note_end(status);
	call_shutdown_hook(status);
	plf_end_core(status);
}

struct plf_result plf_shutdown_os(uintptr_t status, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	plf_port_note_end(plf_ending(status), "ShutdownOS");
	plf_shut_down_core(plf_ending(status));
}
