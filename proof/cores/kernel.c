/* SPDX-License-Identifier: MIT */

/*
 * The kernel of several cores as shipped, for cores that take their steps in any order. Each core
 * executes it from an entry to the exit. The model is the rest of the machine: it lets tasks call,
 * raises interrupts, and has the controller.
 */
#include <stddef.h>
#include <stdint.h>

#include "marks.h"

#include "calls.c"
#include "configuration.h"
#include "error.c"
#include "event.c"
#include "inbox.c"
#include "interrupt.c"
#include "os.c"
#include "plf_page.c"
#include "start.c"
#include "task.c"

#include "global_tables.h"

const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];
const struct plf_counter_config plf_counter_config[PLF_COUNTERS + 1];
const struct plf_alarm_config plf_alarm_config[PLF_ALL_ALARMS + 1];

/* ---- The port: only actions on the core itself ----------------------------- */

struct plf_core *plf_port_this_core(void)
{
	return &plf_cores[proof_core()];
}

void plf_port_mask(bool masked)
{
	(void)masked;
}

bool plf_port_may_write(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task, (void)address, (void)size;
	return true;
}

uint64_t plf_port_now_ns(void)
{
	return 0;
}

void plf_port_notify(unsigned core)
{
	CALL(MARK_NOTIFY, core, 0);
}

void plf_port_wait_a_little(void)
{
	CALL(MARK_WAIT_A_LITTLE, 0, 0);
}

void plf_port_start_core(unsigned core)
{
	(void)core;
}

static _Noreturn void stop(void)
{
	CALL(MARK_STOP, 0, 0);
	for (;;)
		;
}

_Noreturn void plf_port_enter(void)
{
	stop();
}

_Noreturn void plf_port_halt(void)
{
	stop();
}

_Noreturn void plf_port_end(StatusType status)
{
	(void)status;
	stop();
}

void plf_port_serve(unsigned taken)
{
	(void)taken;
	stop();
}

void StartupHook(void)
{
	CALL(MARK_HOOK, 0, 0);
}

/* ---- The entries: each leaves with 1 + the running task or 0, and with its result ---- */

static _Noreturn void leave(StatusType status, uint64_t value)
{
	const struct plf_task *running = plf_this_core()->running;

	CALL(MARK_LEAVE, running ? running->index + 1U : 0, status | value << 8);
	for (;;)
		;
}

/* All cores have started, because the model lets each core come at any time. */
void proof_prepare(void)
{
	plf_prepare();
	started = (1 << PLF_CPUS) - 1;
}

void proof_start(void)
{
	plf_start();
	leave(E_OK, 0);
}

enum { SOMEWHERE = 8 }; /* the place to which the caller's half would write a value */

void proof_call(uint64_t a, uint64_t b, uint64_t number)
{
	struct plf_result result = plf_system_call(a, b, SOMEWHERE, number);

	leave((StatusType)result.status, result.value);
}

void proof_interrupt(void)
{
#if PLF_TASKS_ARE_INTERRUPTS
	plf_interrupted();
#else
	plf_notified();
#endif
	leave(E_OK, 0);
}

/* ---- Tables that the model reads --------------------------------------------- */

const struct piece proof_pieces[] = {
	PIECE(plf_page.words), PIECE(plf_other_pages[1].words),
	PIECE(plf_cores),      PIECE(plf_tasks),
	PIECE(proof_places),   PIECE(started),
	PIECE(came),	       PIECE(bottom),
	PIECE(proof_taken),    PROOF_SECTION_PIECES PROOF_GLOBAL_PIECES
};

const uint64_t proof_calls[] = {
	PLF_CALL_ACTIVATE_TASK,	   PLF_CALL_TERMINATE_TASK, PLF_CALL_CHAIN_TASK,
	PLF_CALL_GET_TASK_STATE,   PLF_CALL_SET_EVENT,	    PLF_CALL_GET_EVENT,
	PLF_CALL_CLEAR_EVENT,	   PLF_CALL_WAIT_EVENT,	    PLF_CALL_GET_RESOURCE,
	PLF_CALL_RELEASE_RESOURCE, PLF_CALL_GET_GLOBAL,	    PLF_CALL_RELEASE_GLOBAL,
	PLF_CALL_PREEMPT,
};
