/* SPDX-License-Identifier: MIT */

/*
 * The tables and the port of the kernel below the sweep's actors (scripts.c). The model raises the
 * interrupts, and gives the processor to the task that the kernel names.
 */
#include <stddef.h>
#include <stdint.h>

#include "driver.h"

#include "alarm.h"
#include "configuration.h"
#include "core.h"
#include "interrupt.h"

const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];

/* ---- The port ---------------------------------------------------------- */

bool is_masked;

void plf_port_mask(bool masked)
{
	is_masked = masked;
}

bool plf_port_may_write(const struct plf_task *task, uintptr_t address, uintptr_t size)
{
	(void)task, (void)address, (void)size;
	return false;
}

_Noreturn void plf_port_end(StatusType status)
{
	(void)status;
	for (;;)
		;
}

uint64_t proof_now;

uint64_t plf_port_now_ns(void)
{
	return proof_now;
}

/* A bit for each task for which ProtectionHook was called since the model cleared this word. If bit
 * 63 is set, the hook got another status than E_OS_PROTECTION_LOCKED. */
uint64_t proof_ended;

ProtectionReturnType ProtectionHook(StatusType status)
{
	proof_ended |= UINT64_C(1) << plf_this_core()->running->index;
	if (status != E_OS_PROTECTION_LOCKED)
		proof_ended |= UINT64_C(1) << 63;
	return PRO_TERMINATETASKISR;
}

/*
 * ---- Functions that the model calls ---------------------------------------
 * Each returns 1 + the running task, or 0 if no task runs. A call also returns its status.
 */

static struct plf_task_words fresh;

static uint64_t running(void)
{
	const struct plf_task *task = plf_this_core()->running;

	return task ? task->index + 1U : 0;
}

static void set_arrival(uint64_t at)
{
	plf_timer_is_set(plf_this_core(), PLF_TIMER_ARRIVALS, at);
}

void proof_start(void *unused, uint64_t now, uint64_t next)
{
	(void)unused;
	proof_now = now;
	plf_prepare();
	plf_start();
	fresh = plf_tasks[0].words;
	set_arrival(next);
}

/* Does the same as plf_arrival(). `which`: the task, and the delay; `next`: the arrival after
 * this. */
uint64_t proof_arrive(void *unused, uint64_t now, uint64_t which, uint64_t next)
{
	struct plf_core *core = plf_this_core();

	(void)unused;
	proof_now = now;
	plf_begin_interrupt(core);
	plf_arrived(core, now - (which >> 8));
	(void)plf_activate(core, &plf_tasks[which & 0xff]);
	set_arrival(next);
	plf_end_interrupt(core);
	return running();
}

/* An interrupt sets the event of E4. */
uint64_t proof_signal(void *unused, uint64_t now)
{
	struct plf_core *core = plf_this_core();

	(void)unused;
	proof_now = now;
	plf_begin_interrupt(core);
	(void)plf_trusted_call(E4, 1, 0, PLF_CALL_SET_EVENT);
	plf_end_interrupt(core);
	return running();
}

uint64_t proof_call(void *unused, uint64_t now, uint64_t number, uint64_t arguments)
{
	struct plf_result result;

	(void)unused;
	proof_now = now;
	result = plf_system_call((uint32_t)arguments, arguments >> 32, 0, number);
	return running() | result.status << 8;
}

/* Whether masks or words of the task remain after its activation. */
uint64_t proof_kept(void *unused, uint64_t task)
{
	(void)unused;
	return plf_tasks[task].masked ||
	       __builtin_memcmp(&plf_tasks[task].words, &fresh, sizeof(fresh)) != 0;
}

#if PLF_SERVERS
#include "servers.h"
#endif

/* ---- Tables that the model reads ---------------------------------------- */

extern const char __bss_start[], _end[];

/* First the words; then the resources' words if tasks write them; then the rest. */
#if PLF_SHARING
#define WORDS_SIZE (offsetof(struct plf_page, global) + sizeof(struct plf_lazy_global))
#else
#define WORDS_SIZE sizeof(struct plf_words)
#endif
const struct piece proof_pieces[] = {
	{ &plf_page, (const char *)&plf_page + WORDS_SIZE },
#if !PROOF_CALLED
	PIECE(plf_page.resources),
#endif
	{ __bss_start, _end },
};

#define PLACE(type, member) offsetof(type, member), sizeof(((type *)0)->member)

const uint64_t proof_layout[] = {
	PLACE(struct plf_words, PROOF_WORD),
	PLACE(struct plf_task, PROOF_KEPT),
	offsetof(struct plf_words, task),
	WORDS_SIZE,
	sizeof(struct plf_resource_words),
	sizeof(struct plf_task),
	sizeof(struct guarded),
};

const uint64_t proof_calls[] = {
	PLF_CALL_PREEMPT,
	PLF_CALL_GET_RESOURCE,
	PLF_CALL_RELEASE_RESOURCE,
	PLF_CALL_ACTIVATE_TASK,
	PLF_CALL_CHAIN_TASK,
	PLF_CALL_SCHEDULE,
	PLF_CALL_SET_EVENT,
	PLF_CALL_CLEAR_EVENT,
	PLF_CALL_WAIT_EVENT,
	PLF_CALL_TERMINATE_TASK,
	PLF_CALL_MISSING_TERMINATE,
	PLF_CALL_ERROR,
	PLF_CALL_SUSPEND_ALL_INTERRUPTS,
	PLF_SHARING ? PLF_CALL_AWAIT_BUDGET : 31, /* any number: not called */
};

const uint64_t proof_bounds[PLF_RESOURCES] = PLF_CEILINGS;

#if PLF_SHARING
/* places in the page: the end of the budget, the claim, the row, `late` */
const uint64_t proof_sharing[] = {
	offsetof(struct plf_page, global.last_ns),
	offsetof(struct plf_page, global.claim),
	offsetof(struct plf_page, global.row),
	offsetof(struct plf_page, global.late),
};

const uint64_t proof_server_ceilings[PLF_RESOURCES] = PLF_SERVER_CEILINGS;

/* ceilings in the server; row 0: overrun, row 1: skipping */
const uint64_t proof_local_ceilings[][PLF_RESOURCES] = PLF_LOCAL_CEILINGS;

/* the highest claim of each server's tasks */
const uint64_t proof_claims[] = {
	PROOF_CLAIM(0),
	PROOF_CLAIM(1),
	PROOF_CLAIM(2),
	PROOF_CLAIM(3),
};
#endif
