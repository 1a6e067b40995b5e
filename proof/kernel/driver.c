/* SPDX-License-Identifier: MIT */

/*
 * What the actors of the sweep run, and the kernel under them: resources as user code, the
 * kernel's half, and the portable kernel that puts it to use, all as shipped. The model
 * raises the interrupts, and gives the processor to the task that the kernel names.
 */
#include <stddef.h>
#include <stdint.h>

#define inline inline __attribute__((always_inline))
#include "marks.h"
#include "os.h"
#undef inline

#include "calls.c"
#include "configuration.h"
#include "error.c"
#include "event.c"
#include "interrupt.c"
#include "os.c"
#include "plf_page.c"
#include "task.c"

const struct plf_isr_config plf_isr_config[PLF_ISRS + 1];

/* ---- The port ---------------------------------------------------------- */

static bool is_masked;

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

static uint64_t proof_now;

uint64_t plf_port_now_ns(void)
{
	return proof_now;
}

/*
 * ---- What the model asks of the kernel -----------------------------------
 * Each returns 1 + the running task, or 0: none runs; a call its status, too.
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
	plf_start();
	fresh = plf_tasks[0].words;
	set_arrival(next);
}

/* As plf_arrival() does it; `which`: the task, and how late; `next`: the arrival after this one. */
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

/* An interrupt sets the event. */
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

/* Whether anything of the task is left though its activation is over. */
uint64_t proof_kept(void *unused, uint64_t task)
{
	(void)unused;
	return plf_tasks[task].masked ||
	       __builtin_memcmp(&plf_tasks[task].words, &fresh, sizeof(fresh)) != 0;
}

/* ---- What it must know -------------------------------------------------- */

static struct {
	struct guarded data[PLF_RESOURCES];
} proof_shared __attribute__((used));

extern const char __bss_start[], _end[];

/* First the words; then, where tasks write those of the resources, these; then the rest. */
const struct piece proof_pieces[] = {
	PIECE(plf_page.words),
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
	sizeof(struct plf_words),
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
};

const uint64_t proof_bounds[PLF_RESOURCES] = PLF_CEILINGS;

/* ---- The scripts ------------------------------------------------------- */

typedef void words;

static inline __attribute__((always_inline)) void plain_enter(words *w, uint64_t lock)
{
	(void)w;
	(void)GetResource((ResourceType)lock);
}

static inline __attribute__((always_inline)) void plain_leave(words *w, uint64_t lock)
{
	(void)w;
	(void)ReleaseResource((ResourceType)lock);
}

#define inline inline __attribute__((always_inline))
#include "scripts.h"

static inline _Noreturn void nest(words *w, uint64_t me, uint64_t a, uint64_t b, uint64_t c)
{
	open(w, a);
	body(me, a);
	open(w, b);
	body(me, b);
	open(w, c);
	body(me, c);
	close(w, c);
	body(me, b);
	close(w, b);
	body(me, a);
	close(w, a);
	end();
}

_Noreturn void flat(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	open(w, R3);
	body(me, R3);
	close(w, R3);
	end();
}

_Noreturn void rising(words *w, uint64_t me)
{
	nest(w, me, R3, R5, R7);
}

_Noreturn void falling(words *w, uint64_t me)
{
	nest(w, me, R7, R5, R3);
}

_Noreturn void saddle(words *w, uint64_t me)
{
	nest(w, me, R5, R3, R7);
}

_Noreturn void equal(words *w, uint64_t me)
{
	nest(w, me, R5, R5B, R5C);
}

/* A section, and nested ones after it. */
_Noreturn void sequel(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	open(w, R3);
	open(w, R7);
	body(me, R7);
	close(w, R7);
	body(me, R3);
	close(w, R3);
	end();
}

/* An inner section after the other. */
_Noreturn void comb(words *w, uint64_t me)
{
	open(w, R3);
	open(w, R7);
	body(me, R7);
	close(w, R7);
	open(w, R5);
	body(me, R5);
	close(w, R5);
	body(me, R3);
	close(w, R3);
	end();
}

/* ---- The rest of the kernel --------------------------------------------- */

/* Makes others ready, in a section that none of them can preempt. */
_Noreturn void starter(words *w, uint64_t me)
{
	open(w, R7);
	body(me, R7);
	(void)ActivateTask(T3);
	(void)ActivateTask(M4);
	(void)ActivateTask(T5);
	(void)ActivateTask(T4);
	(void)ActivateTask(M4);
	(void)ActivateTask(M4); /* one too many */
	(void)ActivateTask(E4);
	(void)ActivateTask(T6);
	close(w, R7);
	end();
}

/* Is preempted in each of its nested sections. */
_Noreturn void riser(words *w, uint64_t me)
{
	open(w, R3);
	(void)ActivateTask(T5);
	body(me, R3);
	open(w, R5);
	(void)ActivateTask(T6);
	body(me, R5);
	open(w, R7);
	(void)ActivateTask(T8);
	body(me, R7);
	close(w, R7);
	body(me, R5);
	close(w, R5);
	body(me, R3);
	close(w, R3);
	end();
}

/* Makes others ready, which preempt it. */
_Noreturn void activator(words *w, uint64_t me)
{
	(void)ActivateTask(M4);
	open(w, R5);
	body(me, R5);
	(void)ActivateTask(T5);
	close(w, R5);
	(void)ActivateTask(T1);
	end();
}

static inline _Noreturn void chain(uint64_t task)
{
	(void)ChainTask((TaskType)task);
	for (;;)
		;
}

/* Ends, and makes another one ready, until there were a few. */
_Noreturn void chainer(words *w, uint64_t me, uint64_t task)
{
	bool is_last;

	open(w, R5);
	body(me, R5);
	is_last = proof_shared.data[R5].count > 2;
	close(w, R5);
	if (is_last)
		end();
	chain(task);
}

/* Waits for its event, uses a resource. */
_Noreturn void waiter(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	close(w, a);
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	open(w, a);
	body(me, a);
	close(w, a);
	end();
}

/* Waits for it again. */
_Noreturn void waiter_again(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(1);
	end();
}

/* Waits for one event, clears it, and waits for the other, which may be set already. */
_Noreturn void waiter_both(words *w, uint64_t me)
{
	(void)WaitEvent(1);
	(void)ClearEvent(1);
	(void)WaitEvent(2);
	(void)ClearEvent(2);
	end();
}

/* Makes another one ready behind a section. */
_Noreturn void late_activator(words *w, uint64_t me, uint64_t task)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	(void)ActivateTask((TaskType)task);
	end();
}

/* Sets it, in a section. */
_Noreturn void setter(words *w, uint64_t me, uint64_t a)
{
	open(w, a);
	body(me, a);
	(void)SetEvent(E4, 2); /* for which it does not wait */
	(void)SetEvent(E4, 1);
	body(me, a);
	close(w, a);
	end();
}

/* Ends with interrupts held back. */
_Noreturn void masker(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	close(w, R5);
	SuspendAllInterrupts();
	if (!is_masked)
		REPORT(MARK_REFUSED, 0);
	end();
}

/* Lets go of its internal resource: in a section beyond it, outside, in one below it, and nested.
 */
_Noreturn void yielder(words *w, uint64_t me)
{
	open(w, R5);
	body(me, R5);
	(void)Schedule();
	close(w, R5);
	(void)Schedule();
	open(w, R3);
	body(me, R3);
	(void)Schedule();
	body(me, R3);
	close(w, R3);
	end();
}

_Noreturn void nested_yielder(words *w, uint64_t me)
{
	open(w, R3);
	body(me, R3);
	open(w, R5);
	(void)Schedule();
	body(me, R5);
	close(w, R5);
	(void)Schedule();
	body(me, R3);
	close(w, R3);
	(void)Schedule();
	end();
}
